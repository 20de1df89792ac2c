// Supple: a space of shapes that an elastic solid moves in.
// SPDX-License-Identifier: MIT
//
// Vectors are M^1/2 times shapes, so that orthogonal ones are orthogonal under the masses; A = M^1/2 K^-1 M^1/2 makes
// of M^1/2 times an acceleration the shape in which the solid would come to rest under it.
#pragma once

#include "base/watched.h"
#include "solve/elastic.h"

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
/// Fills what room is left with A times its vectors, from the first one on, and noise where nothing comes of that.
void supElasticSpace_Fill( supElasticSpace* space );
/// Numbers between -1 and 1, the same on every machine.
void supElasticSpace_Noise( supElasticSpace* space, double* vector );
/// K among the vectors, into `small`: count x count.
void supElasticSpace_Project( supElasticSpace* space );
