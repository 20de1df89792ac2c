// Supple: the slowest vibrations of an elastic solid.
// SPDX-License-Identifier: MIT
#pragma once

#include "solve/elastic.h"

typedef struct supElasticModes
{
    int32_t count;
    size_t size;    ///< numbers of a shape: three a free node
    double* omegas; ///< 2 pi times their frequencies, rising. 1/s
    double* shapes; ///< one after the other; sum of mass times square is 1
    size_t blockSize;
} supElasticModes;

/// The `wanted` slowest, or as many as there are. `factor`: of the solid's stiffness, filled.
supResult supFindElasticModes( const supElastic* elastic, const supBlockFactor* factor, int32_t wanted,
    const supAllocator* allocator, supElasticModes** out, supError* error );
void supDestroyElasticModes( supElasticModes* modes, const supAllocator* allocator );

/// What the modes leave out of the answer to a steady force: K^-1 f - sum of shape (shape . f) / omega^2, in place.
/// `scratch`: as for supBlockFactor_SolveOne, and modes->size more.
void supElasticModes_Correction(
    const supElasticModes* modes, const supBlockFactor* factor, double* force, double* scratch );
