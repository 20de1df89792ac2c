// Supple: how an elastic solid vibrates under given loads.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/watched.h"
#include "solve/elastic.h"

// ---------------------------------------------------------------------------------------------------------------
// A space of shapes that an elastic solid moves in.
//
// Vectors are M^1/2 times shapes, so that orthogonal ones are orthogonal under the masses; A = M^1/2 K^-1 M^1/2 makes
// of M^1/2 times an acceleration the shape in which the solid would come to rest under it.

enum
{
    supSpaceWidth = SUP_FACTOR_COLUMNS, ///< vectors that are solved for at once
};

typedef struct supElasticSpace
{
    const supElastic* elastic;
    const supBlockFactor* factor;
    size_t size;     ///< numbers of a vector
    int32_t most;    ///< vectors that there is room for
    int32_t count;   ///< so far
    double* vectors; ///< one after the other, orthonormal
    double* small;   ///< K among them, over the masses' roots: most x most, the first `count` rows and columns close up
    double* roots;   ///< of the masses
    double* wide;    ///< eight vectors, interleaved
    double* scratch; ///< of the factor
    double* image;   ///< two vectors
    uint64_t noise;
    supWatched* watched; ///< or NULL
} supElasticSpace;

static inline double* supSpaceVector( const supElasticSpace* space, int32_t i )
{
    return space->vectors + (size_t)i * space->size;
}

/// vector -= factor other.
void supSubtractVector( double* vector, double factor, const double* other, size_t size );
/// Adds a vector, which may be its own next one, at unit length, unless nothing of it is new.
void supElasticSpace_Add( supElasticSpace* space, const double* vector );
/// Adds A times some vectors, as far as there is room. `vectors`: at most eight, which may be its own.
void supElasticSpace_AddImages( supElasticSpace* space, const double* vectors, int32_t count );
/// Numbers between -1 and 1, the same on every machine.
void supElasticSpace_Noise( supElasticSpace* space, double* vector );
/// K among the vectors, into `small`: count x count.
void supElasticSpace_Project( supElasticSpace* space );

// ---------------------------------------------------------------------------------------------------------------
// What of a solid's answers to loads is worth following.

/// What loads the solid: groups (the joints of a body), each with as many accelerations of the free nodes.
typedef struct supElasticLoads
{
    int32_t groupCount, perGroup;
    /// `motion`: three numbers a free node. Accelerations that are as likely are as large.
    void ( *fill )( const void* user, const supElastic* elastic, int32_t group, int32_t load, double* motion );
    const void* user;
} supElasticLoads;

enum
{
    supRigidLoads = 6
};

/// Three shifts and three turns of all of it.
void supFillRigidLoad( const void* user, const supElastic* elastic, int32_t group, int32_t load, double* motion );

/// Fills an empty space with shapes: the slowest vibration, then those that loads make the most of, as far as any is
/// worth a share of the whole, `least` at least; `space->most` becomes how many it has room for then. `space->small` is
/// overwritten. sup_errorMemory; sup_errorCanceled: it was to stop.
supResult supAddAnswers(
    supElasticSpace* space, const supElasticLoads* loads, int32_t least, const supAllocator* allocator );

// ---------------------------------------------------------------------------------------------------------------
// Vibrations.

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
