// A jointed doll for tests of the automatic rig: trunk, head, arms, legs, hands and feet as tubes, with the extra
// joints that riggers add.
#pragma once

#include "supple/character.h"

typedef struct supMannequinDef
{
    bool twistsInLine; ///< a twist joint between upper arm and elbow, elbow and hand, hip and knee, on the chain itself
    bool twistsBeside; ///< the same as children of the bone, with half of the skin of its far half
    bool helpers;      ///< IK targets and poles without skin, correctives with some at elbows and knees
    bool armour;       ///< a rigid plate around the left upper arm and a helmet, as meshes of their own
    bool still;        ///< no clip
    bool twistsStill;  ///< in-line twist joints that no clip turns
    bool twistsUpper;  ///< in-line twist joints in upper arms and thighs alone
    bool twistsLower;  ///< in forearms and shins alone
    bool gradual;      ///< twist joints share out their bone's skin from end to end, as twists are painted
    bool scrambled;    ///< names of joints that say nothing
    bool shells;       ///< plates, a belt and pistons at the knees in the body's own mesh, behind its vertices
    bool blockLimbs;   ///< arms and legs of rigid blocks, one a joint
    bool blocks;       ///< all of it
    bool breasts;      ///< two joints beside the chest that hold the skin before them
    bool pectorals;    ///< the same on the collarbones
    bool clashes;      ///< limbs called "belly", "chest" and "bottom"
    bool longNames;    ///< all joints have the same name of 200 letters
} supMannequinDef;

/// Faces +z, stands on y = 0, T-pose, 1.75 m. Its body is mesh 0, the same vertices in the same order whatever the def
/// says. Joints have the same names where they are the same. Fails the test where it cannot be made.
supCharacter* supMakeMannequin( supMannequinDef def );
