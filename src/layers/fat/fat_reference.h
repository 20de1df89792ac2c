// Fat by the reference: the paper's explicit solver on the same solid.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_state.h"

/// Bytes of an item's state beside what the vibrations need. 0 unless it is a reference.
size_t supFatReferenceSize( const supFat* fat );

/// A frame as the explicit solver sees it.
typedef struct supFatLoad
{
    const float* live;
    const float* pulls; ///< of gravity on each joint, rest space: three numbers each
    /// What muscles below add to the stiffness, times it, one each, and how far the model sags already; NULL: no
    /// muscles
    const float* tensions;
    const float* shares;     ///< of the inner border's rays, or NULL: it does not move
    float worldScale, speed; ///< speed: supFatSpeed
    float dt;
    bool forced; ///< by at->forces
} supFatLoad;

/// Starts at rest under the load.
void supFatReference_Start( const supFat* fat, const supFatPlaces* at, const supFatLoad* load );
/// Gives whether all of the frame was stepped: where viscosity asks for more steps than there is time for, it is cut
/// short.
bool supFatReference_Step( const supFat* fat, const supFatPlaces* at, const supFatLoad* load );
/// Displacement and speed of one free node, rest space.
void supFatReference_Node( const supFat* fat, const supFatPlaces* at, int32_t node, supVec3d* moved, supVec3d* speed );
/// Displacements of the free nodes, rest space.
void supFatReference_Show( const supFat* fat, const supFatPlaces* at, float* shown );
