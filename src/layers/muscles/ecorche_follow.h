// Rays that follow an implicit surface from one frame to the next.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/muscles/implicit_surface.h"

/// Sixteen rays, p = from + t way.
typedef struct supRayBatch
{
    supImplicitBatch from, way;
    float steps[SUP_IMPLICIT_LANES];  ///< smallest step worth making, in t
    float filled[SUP_IMPLICIT_LANES]; ///< the way is filled up to here, in t; 0: nothing fills it
    float soft[SUP_IMPLICIT_LANES];   ///< blending width of that, in t
} supRayBatch;

/// Where they are at t.
supImplicitBatch supPointsOn( const supRayBatch* rays, const float t[SUP_IMPLICIT_LANES] );

/// The value of the surface on every ray: pieces, and what fills the way.
void supRayValues( const supRayBatch* rays, const float t[SUP_IMPLICIT_LANES], const supImplicitReady* pieces,
    const supImplicitEntry* list, int32_t count, float values[SUP_IMPLICIT_LANES] );

/// Where they meet the surface.
typedef struct supRayHits
{
    float t[SUP_IMPLICIT_LANES];      ///< in: the last frame's; out: this one's
    float slopes[SUP_IMPLICIT_LANES]; ///< change of the surface's value with t; below zero
    bool found[SUP_IMPLICIT_LANES];   ///< false: t is as it was
} supRayHits;

/// Looks for the surface from the last frame's hits on, within `low` and `high`. Gives how often it looked.
int32_t supFollowRays( const supRayBatch* rays, const supImplicitReady* pieces, const supImplicitEntry* list,
    int32_t count, const float low[SUP_IMPLICIT_LANES], const float high[SUP_IMPLICIT_LANES], supRayHits* hits );

enum
{
    sup_catchSteps = 96,      ///< at rest
    sup_catchAgainSteps = 48, ///< of a ray that lost the surface
};

/// The first hit on the way from `high` down to `low` in so many steps, whatever was before: rays that come from
/// outside.
void supCatchRays( const supRayBatch* rays, const supImplicitReady* pieces, const supImplicitEntry* list, int32_t count,
    float low, float high, int32_t steps, supRayHits* hits );
