// Another character made of one: turned, scaled, mirrored, under other names, with a wild clip or a broken key. For
// what must not depend on any of these.
//
// A map A of space (mirrored, then scaled, then turned) is put into everything, so that no node on top tells of it: a
// vertex p of a skin becomes A p, a joint's local transform L becomes A L inverse( A ), with it the keys of all clips,
// an inverse bind matrix B becomes A B inverse( A ). Then every pose, skinned, is A of what it was.
#pragma once

#include "supple/character.h"

typedef struct supAlteration
{
    bool isMirrored; ///< x -> -x, before all else. Triangles are turned round; names stay, left or right as they are
    float scale;     ///< of everything that is a length
    supQuat turn;
    uint32_t nameSeed; ///< other names for joints, skins, meshes, materials and targets; 0: names stay
} supAlteration;

supAlteration supNoAlteration( void );
/// About an axis of unit length through the origin. Degrees.
supAlteration supTurnedBy( supVec3 axis, double degrees );
/// ( x, y, z ) -> ( x, -z, y ): what stood upright in a file with y up stands so in one with z up.
supAlteration supMadeZUp( void );

supVec3 supAlteration_Point( const supAlteration* alteration, supVec3 point );
/// The same without the scale.
supVec3 supAlteration_Direction( const supAlteration* alteration, supVec3 direction );

/// Fails the test where it cannot be made. Scales of joints that are not the same along all axes stay exact too: such a
/// joint's own axes are left as they are, its children and its bind matrices make up for it (not in skins without bind
/// matrices: there the scale stays along the axes it was).
supCharacter* supAlterCharacter( const supCharacter* character, const supAlteration* alteration );

/// A further clip, "wild", last of all: the first clip once more, its root shaking at 20 Hz by 3% of the size, with one
/// key a thousand sizes away, and a teleport of three sizes between two keys that are 1/120 s apart. NULL: there is no
/// clip to make it of.
supCharacter* supAddWildClip( const supCharacter* character );

/// One key of a clip broken: of the root's translation so many sizes away, or, where nothing is translated, a rotation
/// turned by half a turn. NULL: the clip has no key to break.
supCharacter* supBreakKey( const supCharacter* character, int32_t clip, float sizes );

/// The joint that carries all that is skinned, or most of it, and that clips may move.
int32_t supFindCarrier( const supCharacter* character );
