// Skinning as one writes it by hand in plain C: what the library is measured against, in the same process.
// SPDX-License-Identifier: MIT
//
// bench_plain_naive.c is compiled at -O2, the others at -O3; none for more than the base instruction set.
#pragma once

#include "supple/character.h"

typedef struct supPlainJob
{
    supMeshView mesh;
    const supMat34* palette; ///< of the mesh
    const float* duals;      ///< 8 floats a joint: real x y z w, dual x y z w
    float *positions, *normals;
} supPlainJob;

/// sum_j w_j (M_j p)
void supPlainNaive( void* job );
/// (sum_j w_j M_j) p
void supPlainBlended( void* job );
/// The same and normals by the blended matrix, to unit length: cheaper than cofactors, and wrong under scale.
void supPlainBlendedNormals( void* job );
/// Dual quaternions, rigid, signs by the first joint.
void supPlainDual( void* job );
/// `duals` of a palette of rotations and translations.
void supPlainDualPalette( const supMat34* palette, int32_t count, float* duals );
