// The path of an element's anchor through a clip: a curve with two continuous derivatives, and the pull of gravity
// along it.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math_double.h"
#include "base/memory.h"
#include "character/character_data.h"
#include "layers/layer.h"

// ---------------------------------------------------------------------------------------------------------------
// The joints above an element's anchor, sampled by themselves in double precision.

/// One joint of the chain, with the tracks of the clip that move it.
typedef struct supChainLink
{
    const supJoint* joint;
    supTrackDef tracks[3]; ///< by path: translation, rotation, scale; keyCount 0: not moved. STEP is taken as LINEAR
    bool isStep[3];
    int32_t cursors[3];
} supChainLink;

/// From the root down to one joint.
typedef struct supDriverChain
{
    supArray links;    ///< supChainLink
    double start, end; ///< of the clip
} supDriverChain;

/// `clip` -1: nothing is animated.
supResult supMakeChain( supDriverChain* chain, const supCharacter* character, int32_t joint, int32_t clip,
    const supAllocator* allocator, supError* error );
void supChain_Destroy( supDriverChain* chain );

/// The last joint in model space. STEP tracks glide from key to key: for anchors alone.
supMat34d supChain_Sample( supDriverChain* chain, double time );

/// The times through which a smooth path of something on the chain is laid: doubles in `times`, rising, the clip's
/// start and end included. The keys of all tracks that move, and where these are far apart enough times between them to
/// follow the arcs of rotating joints; STEP keys alone are not divided, so that the path glides over each interval.
supResult supChain_PathTimes( const supDriverChain* chain, supArray* times, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// The path.

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
supResult supMakeAnchorPath( supAnchorPath* path, const supSwingView* swing, supVec3 gravity, supDriverChain* chain,
    const supRootMotion* root, const supAllocator* allocator, supError* error );
void supAnchorPath_Destroy( supAnchorPath* path, const supAllocator* allocator );

/// The span from node `index` to the next.
supPathSpan supAnchorPath_Span( const supAnchorPath* path, int32_t index );
/// The span in which a time lies; count >= 2.
int32_t supAnchorPath_Find( const supAnchorPath* path, double time );
