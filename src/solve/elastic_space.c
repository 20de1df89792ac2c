// A space of shapes that an elastic solid moves in.
// SPDX-License-Identifier: MIT

#include "solve/elastic_modes.h"

#include "base/scalar_math.h"
#include "solve/lanes.h"

#include <string.h>

/// In [-1, 1).
static double supNoise( uint64_t* state )
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)( *state >> 11 ) / 4503599627370496.0 - 1.0;
}

void supElasticSpace_Noise( supElasticSpace* space, double* vector )
{
    for ( size_t i = 0; i < space->size; ++i )
    {
        vector[i] = supNoise( &space->noise );
    }
}

void supSubtractVector( double* vector, double factor, const double* other, size_t size )
{
    for ( size_t i = 0; i < size; ++i )
    {
        vector[i] -= factor * other[i];
    }
}

static double supVectorLength( const double* vector, size_t size )
{
    return supSqrt( supDotRowsD( vector, vector, size ) );
}

/// Makes a vector orthogonal to those so far; again where much of it was theirs (Kahan: "twice is enough"). Gives its
/// length then.
static double supOrthogonalize( const supElasticSpace* space, double* vector, double before )
{
    double length = before;
    bool again = true;
    for ( int pass = 0; pass < 2 && again; ++pass )
    {
        double last = length;
        for ( int32_t i = 0; i < space->count; ++i )
        {
            double share = supDotRowsD( supSpaceVector( space, i ), vector, space->size );
            supSubtractVector( vector, share, supSpaceVector( space, i ), space->size );
        }
        length = supVectorLength( vector, space->size );
        again = length < 0.7 * last;
    }
    return length;
}

void supElasticSpace_Add( supElasticSpace* space, const double* vector )
{
    double* own = supSpaceVector( space, space->count );
    if ( own != vector )
    {
        memmove( own, vector, sizeof( double ) * space->size );
    }
    double before = supVectorLength( own, space->size ), length = supOrthogonalize( space, own, before );
    bool adds = length > 1e-5 * before;
    for ( size_t i = 0; i < space->size && adds; ++i )
    {
        own[i] /= length;
    }
    space->count += adds;
}

void supElasticSpace_AddImages( supElasticSpace* space, const double* vectors, int32_t count )
{
    memset( space->wide, 0, sizeof( double ) * supSpaceWidth * space->size );
    for ( int32_t c = 0; c < count; ++c )
    {
        const double* vector = vectors + (size_t)c * space->size;
        for ( size_t i = 0; i < space->size; ++i )
        {
            space->wide[supSpaceWidth * i + (size_t)c] = space->roots[i / 3] * vector[i];
        }
    }
    supBlockFactor_Solve( space->factor, space->wide, space->scratch );
    for ( int32_t c = 0; c < count && space->count < space->most; ++c )
    {
        double* own = supSpaceVector( space, space->count );
        for ( size_t i = 0; i < space->size; ++i )
        {
            own[i] = space->roots[i / 3] * space->wide[supSpaceWidth * i + (size_t)c];
        }
        supElasticSpace_Add( space, own );
    }
}

void supElasticSpace_Fill( supElasticSpace* space )
{
    for ( int32_t first = 0; space->count < space->most; )
    {
        int32_t left = space->count - first, count = left < supSpaceWidth ? left : supSpaceWidth;
        if ( count == 0 )
        {
            // all that comes of its vectors is there
            supElasticSpace_Noise( space, space->image );
            supElasticSpace_Add( space, space->image );
            continue;
        }
        supElasticSpace_AddImages( space, supSpaceVector( space, first ), count );
        first += count;
    }
}

void supElasticSpace_Project( supElasticSpace* space )
{
    size_t count = (size_t)space->count;
    double *shape = space->image, *pull = space->image + space->size;
    for ( size_t v = 0; v < count; ++v )
    {
        const double* vector = supSpaceVector( space, (int32_t)v );
        for ( size_t i = 0; i < space->size; ++i )
        {
            shape[i] = vector[i] / space->roots[i / 3];
        }
        supBlockMatrix_Multiply( &space->elastic->stiffness, shape, pull );
        for ( size_t i = 0; i < space->size; ++i )
        {
            pull[i] /= space->roots[i / 3];
        }
        for ( size_t w = 0; w <= v; ++w )
        {
            double product = supDotRowsD( supSpaceVector( space, (int32_t)w ), pull, space->size );
            space->small[v * count + w] = space->small[w * count + v] = product;
        }
    }
}
