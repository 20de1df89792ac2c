// Supple: what beams are compiled with. Internal to the layer.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/correctives/beams.h"

typedef struct supBeamsWork
{
    supExampleWork example; ///< the pose at hand, as an example
    supExampleDef def;
    supBeamsLayer* layer;
    supBeams* beams; ///< the item at hand
    int32_t item;
    uint8_t* marks; ///< of the vertices that are moved
    supVec3* left;  ///< of all vertices: what curves do not hold of a pose
    double* shares;
    supBeamRoom room;
} supBeamsWork;

supResult supNoRoomForBeams( const supBeamsWork* work );

/// The factors of the item's beams.
supResult supFactorBeams( const supBeamsWork* work );
/// Curves along the part, and the skin that hangs on them.
supResult supAddBeamChains( supBeamsWork* work, const int32_t* drivers );
/// The item's own forces on a chain.
void supFillForces( const supBeamsWork* work, const supBeamChain* chain );
/// The poses that forces come with.
void supFindForcePoses( const supBeams* beams );
