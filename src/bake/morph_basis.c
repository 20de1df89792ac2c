// An orthonormal basis of all frames.
// SPDX-License-Identifier: MIT
//
// Frames are the columns of a tall matrix. Again and again the frame with the vertex that is farthest off becomes a
// vector of the basis, and is taken out of all others: QR with column pivoting (Businger, Golub, "Linear least squares
// solutions by Householder transformations", 1965; as modified Gram-Schmidt), but pivoting by the largest error of a
// vertex, which is what has to hold, not by the sum of squares. It stops where no vertex of any frame is off by more
// than a small share of the tolerance. What is left is a small problem: principal components of the frames in this
// basis, without the squaring of condition that the matrix of all frames' products would bring.

#include "bake/morph_data.h"
#include "solve/lanes.h"

#include <string.h>

enum
{
    supMostVectors = 256
};

/// What the basis may leave out: little against what targets may.
static const double supBasisShare = 0.04;

typedef struct supBasisWork
{
    supMorphSet* set;
    float* rest;    ///< of each frame: what the basis does not hold yet
    double* off;    ///< of each frame: its worst vertex, forward-skinned, at most
    int32_t vector; ///< the newest; -1: none yet
} supBasisWork;

/// The farthest that a vertex of a frame can be off.
static double supWorstOff( const supMorphSet* set, const float* rest, const float* scales )
{
    double worst = 0.0;
    for ( size_t i = 0; i < (size_t)set->count; ++i )
    {
        const float* at = rest + 3 * i;
        double x = at[0], y = at[1], z = at[2], s = scales[i];
        worst = supMax( ( x * x + y * y + z * z ) * ( s * s ), worst );
    }
    return supSqrt( worst );
}

/// Takes the newest vector out of one frame.
static void supProjectFrame( int32_t frame, void* context )
{
    supBasisWork* work = context;
    supMorphSet* set = work->set;
    size_t width = 3 * (size_t)set->count;
    float* rest = work->rest + (size_t)frame * width;
    if ( work->vector >= 0 )
    {
        const double* vector = set->basis + (size_t)work->vector * width;
        double share = supDotRows( vector, rest, width );
        set->shares[(size_t)work->vector * (size_t)set->frameCount + (size_t)frame] = share;
        for ( size_t i = 0; i < width; ++i )
        {
            rest[i] = (float)( rest[i] - share * vector[i] );
        }
    }
    work->off[frame] = supWorstOff( set, rest, set->scales + (size_t)frame * (size_t)set->count );
}

/// The frame as a vector of unit length, orthogonal to those before it; twice, which is enough (Giraud, Langou,
/// Rozloznik, "The loss of orthogonality in the Gram-Schmidt orthogonalization process", 2005). False where nothing is
/// left of it.
static bool supAddVector( supMorphSet* set, const float* rest )
{
    size_t width = 3 * (size_t)set->count;
    double* vector = set->basis + (size_t)set->basisCount * width;
    for ( size_t i = 0; i < width; ++i )
    {
        vector[i] = rest[i];
    }
    double before = supSqrt( supDotRowsD( vector, vector, width ) );
    for ( int pass = 0; pass < 2; ++pass )
    {
        for ( int32_t b = 0; b < set->basisCount; ++b )
        {
            const double* other = set->basis + (size_t)b * width;
            double share = supDotRowsD( other, vector, width );
            for ( size_t i = 0; i < width; ++i )
            {
                vector[i] -= share * other[i];
            }
        }
    }
    double length = supSqrt( supDotRowsD( vector, vector, width ) );
    if ( !( length > 1e-4 * before ) )
    {
        return false;
    }
    for ( size_t i = 0; i < width; ++i )
    {
        vector[i] /= length;
    }
    set->basisCount += 1;
    return true;
}

static void supGrowBasis( const supMorphPlan* plan, supBasisWork* work, int32_t most )
{
    supMorphSet* set = work->set;
    size_t width = 3 * (size_t)set->count;
    for ( ;; )
    {
        work->vector = set->basisCount - 1;
        // nobody knows how many there will be: mostly some tens
        supWatched_Tell( plan->watched, NULL, 1.0 - 30.0 / ( 30.0 + set->basisCount ) );
        supRunTasks( plan->def->tasks, supProjectFrame, set->frameCount, work );
        int32_t worst = 0;
        for ( int32_t f = 1; f < set->frameCount; ++f )
        {
            worst = work->off[f] > work->off[worst] ? f : worst;
        }
        if ( set->basisCount == most || work->off[worst] <= supBasisShare * plan->tolerance ||
             !supAddVector( set, work->rest + (size_t)worst * width ) )
        {
            return;
        }
    }
}

supResult supFindMorphBasis( const supMorphPlan* plan, supMorphSet* set, supError* error )
{
    size_t frames = (size_t)set->frameCount, width = 3 * (size_t)set->count;
    int32_t most = set->frameCount < supMostVectors ? set->frameCount : supMostVectors;
    most = width < (size_t)most ? (int32_t)width : most;
    set->basisRoom = most;
    set->basis = supAllocZeroed( plan->allocator, (size_t)most, width * sizeof( double ), _Alignof( double ) );
    set->shares = supAllocZeroed( plan->allocator, (size_t)most, frames * sizeof( double ), _Alignof( double ) );
    size_t bytes = frames * width * sizeof( float );
    supBasisWork work = { .set = set,
        .rest = supAlloc( plan->allocator, bytes, SUP_MAX_ALIGNMENT ),
        .off = supAllocZeroed( plan->allocator, frames, sizeof( double ), _Alignof( double ) ) };
    bool fits = set->basis != NULL && set->shares != NULL && work.rest != NULL && work.off != NULL;
    if ( fits )
    {
        memcpy( work.rest, set->frames, bytes );
        supGrowBasis( plan, &work, most );
    }
    supFree( plan->allocator, work.rest, bytes );
    supFree( plan->allocator, work.off, frames * sizeof( double ) );
    return fits ? sup_success
                : supFail( error, sup_errorMemory, "no memory for the principal components of %d frames of %d vertices",
                      set->frameCount, set->count );
}
