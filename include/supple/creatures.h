// Supple: built-in characters (library supple_creatures): something to move before there is a file. Made from formulas
// each time, the same bytes on every machine.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"
#include "supple/character.h"
#include "supple/look.h"
#include "supple/rig.h"

/// A built-in character and how it looks.
typedef struct supCreature supCreature;

/// How many there are, and their names: "mushroom", "cat", "woman", "arm", "finger", "leg", "horse", "torso".
/// `names` may be NULL; it lives for ever.
SUP_API int32_t supCreatureNames( const char* const** names );

/// Whether supCreateCreature knows such a name.
SUP_API bool supIsCreatureName( const char* name );

/// Makes one; a second or so for the largest. "cat:20000": the same with as many vertices, more than it has by itself
/// and 100,000 at most, for what its own mesh is too coarse to show. Fails with sup_errorNotFound, and the names there
/// are, for a name that is not one of them.
///
/// All face +Z, stand on y = 0, and are closed surfaces of one mesh, left and right mirror images. Clips have a linear
/// key every 1/30 s. In those that loop the last key is the first one again, but for the joint "root", which may have
/// moved on or turned.
///
///     mushroom   a cap on a stalk, one bone ("stalk") with an end point ("tip"). swing, stop, bounce
///     cat        1,296 vertices. run (loops, in place), jump
///     woman      5,554 vertices. walk (loops, in place), run (loops, root moves), jump,
///                turn (loops, root moves and turns)
///     arm        1,150 vertices, upright on its shoulder. bend, twist; four morph targets: bent by 120 degrees,
///                twisted by 18 degrees up and down, and by 180
///     finger     1,408 vertices, upright on its knuckle. bend
///     leg        a horse's, 1,500 vertices. step; one morph target: a quarter of the step
///     horse      8,400 vertices. gallop (loops, in place)
///     torso      a woman's, from the waist to the neck, with the stumps of her arms; 2,000 vertices. abduct (loops):
///                the arms are raised; hop (loops)
SUP_API supResult supCreateCreature( const char* name, const supMakeDef* def, supCreature** out, supError* error );
SUP_API void supDestroyCreature( supCreature* creature );

/// Lives as long as the creature.
SUP_API const supCharacter* supCreature_Character( const supCreature* creature );
/// One material with a painted picture, and vertex colours for the shade in creases. Lives as long as the creature.
SUP_API const supLook* supCreature_Look( const supCreature* creature );

/// The fat of the torso's breasts, the case of Aubel, Thalmann, "Realistic deformation of human body shapes", 2000:
/// balls before the chest, about 904 nodes, plain gravity. `balls` must live as long as the definition is used.
SUP_API supFatDef supTorsoBreasts( supSphere balls[2] );
