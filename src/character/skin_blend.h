// Supple: how several joints become one map of a vertex. The plain reference: double precision inside, clarity before
// speed.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math.h"
#include "supple/lab/skin.h"

/// A palette matrix taken apart: first the stretch, then the rotation and translation as a dual quaternion.
typedef struct supDual
{
    int32_t joint; // -1: empty
    supQuatd real;
    supQuatd dual;     // half of translation times real
    supMat34d stretch; // t is zero
} supDual;

#define SUP_DUAL_CACHE 64

/// Neighbours in a mesh hang on the same few joints: what was taken apart is kept, on the stack. Results do not depend
/// on it.
typedef struct supDualCache
{
    supDual entries[SUP_DUAL_CACHE];
} supDualCache;

void supClearDualCache( supDualCache* cache );

supMat34d supBlendLinear( const supMat34* palette, int32_t count, const uint16_t* indices, const float* weights );
supMat34d supBlendDual(
    supDualCache* cache, const supMat34* palette, int32_t count, const uint16_t* indices, const float* weights );

/// The reference for one vertex of a job that is valid, written as item `to` of its outputs. `cache`: of the job's
/// palette.
void supSkinJob_Vertex( const supSkinJob* job, int32_t vertex, int32_t to, supDualCache* cache );
