// The écorché, compiled: what does not move.
// SPDX-License-Identifier: MIT
//
// After Aubel, Thalmann, "Realistic deformation of human body shapes", 2000, section 4.2: rays from the bones catch an
// implicit surface (implicit_surface.h) as a mesh of fixed topology. Ours end on the skin. The place on a ray is a
// share t: 0 at the bone, 1 on the skin. Both ends of a ray are carried by the skin's own weights, so rays of two bones
// cross at a joint no more than the skin folds there, and at t = 1 they end on the smooth skin in every pose.
//
//     bone  o--------------x - - - - - -o  skin
//           0              t            1
//
// What no muscle stands for (bone, organs, what lies deeper) fills the way up to a share of it, as one more density:
// it is the skin drawn in towards the bones, and moves as that does. So every ray meets something, and where there are
// no muscles the écorché keeps its share in every pose.
//
// Rays stand in blocks of SUP_IMPLICIT_LANES neighbours. A block knows the pieces that are near it at rest: no others
// ever act on it. And a piece acts on a ray in the measure in which the ray's skin hangs on the piece's joints or those
// next to them: so an arm that swings past the hip, or is pressed to the ribs, does not grow together with the trunk.
#pragma once

#include "base/memory.h"
#include "layers/layer.h"
#include "layers/muscles/implicit_surface.h"

enum
{
    sup_ecorcheInfluences = 8, ///< of a ray at most
    sup_ecorcheBonds = 12,     ///< rays that a vertex of the skin follows at most
    sup_ecorcheArrays = 6,
    sup_ecorcheSettling = 8, ///< steps in which a posture that is held is looked at from outside
};

/// Live fields, in the order of the table.
enum
{
    sup_ecorcheAmount = 0,
    sup_ecorcheLimit,
    sup_ecorcheInward,
    sup_ecorcheLiveCount,
};

/// What carries a ray: joints and their weights.
typedef struct supRayHold
{
    int32_t joints[sup_ecorcheInfluences];
    float weights[sup_ecorcheInfluences];
    int32_t count;
} supRayHold;

typedef struct supEcorche
{
    int32_t rayCount;   ///< of the mesh
    int32_t blockCount; ///< ceil( rayCount / 16 ); the last block repeats its last ray
    supVec3* from;      ///< a ray: its beginning at rest
    supVec3* way;       ///< a ray: from there to the skin
    supRayHold* holds;  ///< a ray
    int32_t* vertices;  ///< a ray: the skin's vertex that it ends on
    float* rest;        ///< a ray: t at rest
    float* slopes;      ///< a ray: how the surface's value changes with t there
    float* lengths;     ///< a ray: of its way. Metres
    float* fades;       ///< a ray: 1 near muscles, 0 where there are none: there it rests
    float* redness;     ///< a ray: how much of the surface that it meets at rest is muscle. 0 to 1
    int32_t jointCount; ///< of the character
    supMat34* fromRest; ///< a joint: the inverse of its matrix at rest
    int32_t triangleCount;
    int32_t* triangles; ///< rays, three a triangle, as the skin's are wound

    int32_t pieceCount;  ///< of the surface: strands' segments, then ellipsoids
    int32_t* firstPiece; ///< a block and one more: into `near`
    supImplicitEntry* near;
    float* shares; ///< of `near`, SUP_IMPLICIT_LANES each

    int32_t skinCount;  ///< vertices that it may move
    int32_t* skin;      ///< rising
    int32_t* firstBond; ///< one of them and one more: into the next two
    int32_t* bondRays;
    float* bondWeights;

    float size;                         ///< of the character. Metres
    float filling;                      ///< the way is filled up to here, in t
    float soft;                         ///< blending width of that, in t
    float tolerance;                    ///< a hit is followed until its steps are smaller. Metres
    int32_t outsideRays;                ///< at rest muscles come far through the skin there: they stay on it
    size_t frameSize;                   ///< bytes of the muscles' frame
    supArray arrays[sup_ecorcheArrays]; ///< that own near, shares, skin, firstBond, bondRays, bondWeights
    size_t blockSize;
} supEcorche;

/// One body's.
typedef struct supEcorcheState
{
    int32_t lost;     ///< rays that keep their last place, in the last frame
    int32_t retried;  ///< rays that were looked for along their whole length
    int32_t lookUps;  ///< values of the surface that were worked out, in blocks
    int32_t held;     ///< steps for which joints and live fields of muscles were the same, up to sup_ecorcheSettling
    uint64_t muscles; ///< hash of these fields
    bool moved;       ///< some ray moved in the last frame
    bool started;     ///< a step was made since the last reset: the first one eases nothing
    bool tuned;       ///< live fields were changed since the last step
} supEcorcheState;

// ---------------------------------------------------------------------------------------------------------------
// The layer of the écorché: the skin over muscles.

extern const supLayer sup_ecorcheLayer;

// ---------------------------------------------------------------------------------------------------------------
// Rays that follow an implicit surface from one frame to the next.

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
