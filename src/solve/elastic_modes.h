// Supple: how an elastic solid vibrates under given loads.
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

/// What loads the solid: each an acceleration of the free nodes.
typedef struct supElasticLoads
{
    int32_t count;
    /// `motion`: three numbers a free node
    void ( *fill )( const void* user, const supElastic* elastic, int32_t load, double* motion );
    const void* user;
} supElasticLoads;

enum
{
    supRigidLoads = 6
};

/// Three shifts and three turns of all of it.
void supFillRigidLoad( const void* user, const supElastic* elastic, int32_t load, double* motion );

/// As many vibrations as `wanted`, or as there are: of the solid where it moves only as the loads, and what comes of
/// them, make it. The slowest are its own. `loads` NULL: three shifts and three turns. `factor`: of its stiffness.
/// `watched`, or NULL, may stop it: sup_errorCanceled, without words.
supResult supFindElasticModes( const supElastic* elastic, const supBlockFactor* factor, const supElasticLoads* loads,
    int32_t wanted, supWatched* watched, const supAllocator* allocator, supElasticModes** out, supError* error );
void supDestroyElasticModes( supElasticModes* modes, const supAllocator* allocator );

/// What the modes leave out of the answer to a steady force: K^-1 f - sum of shape (shape . f) / omega^2, in place.
/// `scratch`: as for supBlockFactor_SolveOne, and modes->size more.
void supElasticModes_Correction(
    const supElasticModes* modes, const supBlockFactor* factor, double* force, double* scratch );
