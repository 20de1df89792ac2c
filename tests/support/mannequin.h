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
} supMannequinDef;

/// Faces +z, stands on y = 0, T-pose, 1.75 m. Its body is mesh 0, the same vertices in the same order whatever the def
/// says. Joints have the same names where they are the same. Fails the test where it cannot be made.
supCharacter* supMakeMannequin( supMannequinDef def );
