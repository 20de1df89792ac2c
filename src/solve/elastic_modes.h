// Supple: how an elastic solid vibrates under given loads.
// SPDX-License-Identifier: MIT
#pragma once

#include "solve/elastic_answers.h"

typedef struct supElasticModes
{
    int32_t count;
    size_t size;    ///< numbers of a shape: three a free node
    double* omegas; ///< 2 pi times their frequencies; the first is the slowest. 1/s
    double* shapes; ///< one after the other; sum of mass times square is 1
    size_t blockSize;
} supElasticModes;

/// How many vibrations are wanted: `least`, and as far as `most` those that loads make something of.
typedef struct supModeWish
{
    int32_t least, most;
} supModeWish;

/// As many vibrations as wished for, or as there are: of the solid where it moves only as the loads, and what comes of
/// them, make it. The slowest are its own. `loads` NULL: three shifts and three turns. `factor`: of its stiffness.
/// `watched`, or NULL, may stop it: sup_errorCanceled, without words.
supResult supFindElasticModes( const supElastic* elastic, const supBlockFactor* factor, const supElasticLoads* loads,
    supModeWish wish, supWatched* watched, const supAllocator* allocator, supElasticModes** out, supError* error );
void supDestroyElasticModes( supElasticModes* modes, const supAllocator* allocator );

/// What the modes leave out of the answer to a steady force: K^-1 f - sum of shape (shape . f) / omega^2, in place.
/// `scratch`: as for supBlockFactor_SolveOne, and modes->size more.
void supElasticModes_Correction(
    const supElasticModes* modes, const supBlockFactor* factor, double* force, double* scratch );
