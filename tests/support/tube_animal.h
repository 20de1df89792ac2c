// Animals of tubes for tests of the automatic rig: whatever skeleton is wanted, with a skin around its bones.
#pragma once

#include "supple/character.h"

/// A joint, and the tube from its parent's place to its own.
typedef struct supTubeJoint
{
    const char* name;   ///< "leg.L": on the left; its mirror image "leg.R" is made with it
    const char* parent; ///< NULL: the root, which has no tube
    supVec3 at;         ///< at rest. Metres; y is up
    float radius;       ///< of the tube here; below 0: it is as thick as that all along, and hard
    supVec3 squash;     ///< of its cross-section along x, y and z; 1, 1, 1: it is round
} supTubeJoint;

/// No clips. Fails the test where it cannot be made.
supCharacter* supMakeTubeAnimal( const supTubeJoint* joints, int32_t count );
