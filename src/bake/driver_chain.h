// The joints above an element's anchor, sampled by themselves in double precision.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math_double.h"
#include "base/memory.h"
#include "character/character_data.h"

/// One joint of the chain, with the tracks of the clip that move it.
typedef struct supChainLink
{
    const supJoint* joint;
    supTrackDef tracks[3]; ///< by path: translation, rotation, scale; keyCount 0: not moved. STEP is taken as LINEAR
    bool isStep[3];
    int32_t cursors[3];
} supChainLink;

/// From the root down to one joint.
typedef struct supChain
{
    supArray links;    ///< supChainLink
    double start, end; ///< of the clip
} supChain;

/// `clip` -1: nothing is animated.
supResult supMakeChain( supChain* chain, const supCharacter* character, int32_t joint, int32_t clip,
    const supAllocator* allocator, supError* error );
void supChain_Destroy( supChain* chain );

/// The last joint in model space. STEP tracks glide from key to key: for anchors alone.
supMat34d supChain_Sample( supChain* chain, double time );

/// The times through which a smooth path of something on the chain is laid: doubles in `times`, rising, the clip's
/// start and end included. The keys of all tracks that move, and where these are far apart enough times between them to
/// follow the arcs of rotating joints; STEP keys alone are not divided, so that the path glides over each interval.
supResult supChain_PathTimes( const supChain* chain, supArray* times, supError* error );
