// The path of an element's anchor through a clip: a curve with two continuous derivatives, and the pull of gravity
// along it.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/driver_chain.h"
#include "base/math_double.h"
#include "base/memory.h"
#include "layers/layer.h"

/// Where a clip goes on after its end: the next cycle is this motion applied to the last one. A turn about the vertical
/// and a travel.
typedef struct supRootMotion
{
    bool loops;
    supMat34d motion; ///< rigid
} supRootMotion;

/// Nodes of the path and of the spring on it.
typedef struct supAnchorPath
{
    int32_t count;    ///< nodes, at least 1
    double* times;    ///< seconds, rising
    supVec3d* places; ///< of the anchor, model space. Metres
    supVec3d* bends;  ///< second derivatives of the path. m/s^2
    supVec3d* pulls;  ///< accelerations other than inertia, linear between nodes. m/s^2
    supVec3d* u;      ///< elongation
    supVec3d* s;      ///< u' + amount * path'
    size_t blockSize;
} supAnchorPath;

/// One span of the path as a polynomial in theta, 0 to 1: place + sum_k steps[k] theta^(k+1)
typedef struct supPathSpan
{
    double length; ///< seconds
    supVec3d steps[3];
} supPathSpan;

/// Takes the path of a spring's anchor from the clip. What turns has the integral of the joint's angular velocity for
/// its path. Radians. On success `path` owns one block, freed by supAnchorPath_Destroy.
supResult supMakeAnchorPath( supAnchorPath* path, const supSwingView* swing, supVec3 gravity, supChain* chain,
    const supRootMotion* root, const supAllocator* allocator, supError* error );
void supAnchorPath_Destroy( supAnchorPath* path, const supAllocator* allocator );

/// The span from node `index` to the next.
supPathSpan supAnchorPath_Span( const supAnchorPath* path, int32_t index );
/// The span in which a time lies; count >= 2.
int32_t supAnchorPath_Find( const supAnchorPath* path, double time );
