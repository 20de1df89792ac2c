// Vibrations of a solid among the shapes that loads give it.
// SPDX-License-Identifier: MIT
//
// A body's motion loads the solid. Of the shapes that come of that the most worthy ones (solve/elastic_answers.c) span
// a space; few of them answer as many true eigenvectors would not, most of which nothing ever excites. Among the shapes
// S of that space
//
//     S^T M S = 1,     S^T K S = Omega^2
//
// are the vibrations of the solid where it moves in these shapes alone: the slowest are its own, to many digits, the
// faster ones stand for what lies above.
#include "solve/elastic_modes.h"

#include "base/memory.h"
#include "base/scalar_math.h"
#include "solve/dense.h"
#include "solve/lanes.h"

#include <string.h>

enum
{
    supMoreShapes = 12, ///< of the space than there are vibrations wanted, where these are few: so the slowest are true
    supFewShapes = 48,
};

/// `values` and `turns`: of the small matrix, falling.
static supElasticModes* supKeepModes( const supElasticSpace* space, int32_t wanted, const double* values,
    const double* turns, const supAllocator* allocator )
{
    int32_t count = wanted < space->count ? wanted : space->count;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supElasticModes, modes, 1 );
    SUP_PUT_NEW( &layout, double, omegas, count );
    size_t shapeCount = 0;
    layout.tooLarge = layout.tooLarge || !supMulSize( (size_t)count, space->size, &shapeCount );
    SUP_PUT_NEW_WIDE( &layout, double, shapes, shapeCount );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    *modes = ( supElasticModes ){ count, space->size, omegas, shapes, layout.size };
    for ( int32_t m = 0; m < count; ++m )
    {
        double* shape = modes->shapes + (size_t)m * modes->size;
        size_t from = (size_t)( space->count - 1 - m );
        modes->omegas[m] = supSqrt( supMax( values[from], 1e-12 ) ); // of K: one that is nearly 0 may round below
        for ( int32_t v = 0; v < space->count; ++v )
        {
            supSubtractVector(
                shape, -turns[from * (size_t)space->count + (size_t)v], supSpaceVector( space, v ), modes->size );
        }
        for ( size_t i = 0; i < modes->size; ++i )
        {
            shape[i] /= space->roots[i / 3];
        }
    }
    return modes;
}

/// The vibrations in the space.
static supElasticModes* supSolveSpace( supElasticSpace* space, int32_t wanted, const supAllocator* allocator )
{
    size_t most = (size_t)space->count, size = sizeof( double ) * most * ( most + 1 );
    double* block = supAlloc( allocator, size, SUP_MAX_ALIGNMENT );
    if ( block == NULL )
    {
        return NULL;
    }
    supSymmetricEigen( space->count, space->small, block, block + most );
    supElasticModes* modes = supKeepModes( space, wanted, block, block + most, allocator );
    supFree( allocator, block, size );
    return modes;
}

// ---------------------------------------------------------------------------------------------------------------
// A space of shapes that an elastic solid moves in.

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

/// Fills what room is left with A times its vectors, from the first one on, and noise where nothing comes of that.
static void supElasticSpace_Fill( supElasticSpace* space )
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

// ---------------------------------------------------------------------------------------------------------------
// The whole

supResult supFindElasticModes( const supElastic* elastic, const supBlockFactor* factor, const supElasticLoads* loads,
    supModeWish wish, supWatched* watched, const supAllocator* allocator, supElasticModes** out, supError* error )
{
    static const supElasticLoads rigid = { 1, supRigidLoads, supFillRigidLoad, NULL };
    size_t size = 3 * (size_t)elastic->freeCount;
    int32_t more = wish.least + supMoreShapes, few = more < supFewShapes ? more : supFewShapes;
    int32_t least = wish.least > few ? wish.least : few, most = wish.most > least ? wish.most : least;
    most = (size_t)most > size ? (int32_t)size : most;
    supElasticSpace space = {
        .elastic = elastic, .factor = factor, .size = size, .most = most, .noise = 20001113, .watched = watched
    };
    supLayout layout = supMakeLayout();
    size_t vectorCount = 0;
    layout.tooLarge = !supMulSize( size, (size_t)most, &vectorCount );
    SUP_PUT_WIDE( &layout, space.vectors, vectorCount );
    SUP_PUT_WIDE( &layout, space.small, (size_t)most * (size_t)most );
    SUP_PUT_WIDE( &layout, space.roots, elastic->freeCount );
    SUP_PUT_WIDE( &layout, space.wide, supSpaceWidth * size );
    SUP_PUT_WIDE( &layout, space.image, 2 * size );
    SUP_PUT_WIDE( &layout, space.scratch, supBlockFactor_ScratchCount( factor ) );
    char* block = supAllocLayout( allocator, &layout );
    supResult result = sup_errorMemory;
    *out = NULL;
    if ( block != NULL )
    {
        for ( int32_t i = 0; i < elastic->freeCount; ++i )
        {
            space.roots[i] = supSqrt( elastic->masses[i] );
        }
        result = supAddAnswers( &space, loads != NULL ? loads : &rigid, least, allocator );
        if ( result == sup_success )
        {
            supElasticSpace_Fill( &space );
            supElasticSpace_Project( &space );
            int32_t wanted = wish.most <= wish.least ? wish.least : space.count;
            *out = supSolveSpace( &space, wanted, allocator );
        }
        supFree( allocator, block, layout.size );
    }
    if ( result == sup_errorCanceled )
    {
        return result;
    }
    return *out != NULL ? sup_success
                        : supFail( error, sup_errorMemory, "no memory for %d vibrations of %d nodes", wish.most,
                              elastic->freeCount );
}

void supDestroyElasticModes( supElasticModes* modes, const supAllocator* allocator )
{
    if ( modes != NULL )
    {
        supFree( allocator, modes, modes->blockSize );
    }
}
