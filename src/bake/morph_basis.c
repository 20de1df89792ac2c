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
        if ( !supWatched_Tell( plan->watched, NULL, 1.0 - 30.0 / ( 30.0 + set->basisCount ) ) )
        {
            return;
        }
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

// ---------------------------------------------------------------------------------------------------------------
// Weights from 0 to 1.
//
// Weights swing both ways, but not every player takes that: Blender holds them within sliders that its importer leaves
// at 0 to 1 (by a slip: it widens them by the first key alone), and Unity can be told to clamp them. With the lowest
// weight l_i and the highest h_i of target d_i in all clips,
//
//     sum w_i d_i = sum l_i d_i + sum ( w_i - l_i ) / ( h_i - l_i ) ( h_i - l_i ) d_i
//
// so one more target, sum l_i d_i, which is on in every clip, gives all others weights from 0 to 1. Its deltas are 15%
// more bytes on the heavy man, 17% on the fox, 14% on the horse. Two targets for each that swings would be 100%. That
// target could hold the mean of the displacements as well, so that principal components are those of the differences
// from it: tried, it spared none of the three a single component, and made the components less sparse.

typedef struct supWeightRange
{
    double lowest, highest;
} supWeightRange;

/// At most 0 and at least 0: weights of one sign stay where they are.
static supWeightRange supRangeOf( const supMorphPlan* plan, const supMorphSet* set, size_t target )
{
    supWeightRange range = { 0.0, 0.0 };
    for ( int32_t t = 0; t < plan->def->takeCount; ++t )
    {
        const supMorphKeys* keys = set->keys + t;
        for ( size_t k = 0; k < (size_t)keys->keyCount; ++k )
        {
            double weight = keys->weights[k * (size_t)set->targetCount + target];
            range.lowest = supMin( weight, range.lowest );
            range.highest = supMax( weight, range.highest );
        }
    }
    return range;
}

/// All that changes size with the number of targets: made first, then taken over, so that nothing is left half done
/// where memory runs out.
typedef struct supShift
{
    const supMorphPlan* plan;
    supMorphSet* set;
    supWeightRange* ranges; ///< one a target
    double* sum;            ///< 3 a row: what is always on
    supMorphColumn constant;
    supMorphColumn* columns; ///< of one more target
    float** weights;         ///< of each take, of one more target
    char* block;
    size_t blockSize;
} supShift;

static bool supMakeShift( supShift* shift )
{
    const supMorphSet* set = shift->set;
    const supAllocator* allocator = shift->plan->allocator;
    size_t targets = (size_t)set->targetCount, rows = (size_t)set->count, takes = (size_t)shift->plan->def->takeCount;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, shift->ranges, targets + 1 );
    SUP_PUT( &layout, shift->sum, 3 * rows );
    SUP_PUT( &layout, shift->weights, takes + 1 );
    shift->block = supAllocLayout( allocator, &layout );
    shift->blockSize = layout.size;
    shift->columns = supAllocZeroed( allocator, targets + 2, sizeof( supMorphColumn ), _Alignof( supMorphColumn ) );
    shift->constant.rows = supAllocZeroed( allocator, rows, sizeof( int32_t ), _Alignof( int32_t ) );
    shift->constant.deltas = supAllocZeroed( allocator, rows, 3 * sizeof( float ), _Alignof( float ) );
    if ( shift->block == NULL )
    {
        return false;
    }
    bool fits = shift->columns != NULL && shift->constant.rows != NULL && shift->constant.deltas != NULL;
    for ( size_t t = 0; t < takes && fits; ++t )
    {
        size_t cells = (size_t)set->keys[t].keyCount * ( targets + 1 ) + 1;
        shift->weights[t] = supAllocZeroed( allocator, cells, sizeof( float ), _Alignof( float ) );
        fits = shift->weights[t] != NULL;
    }
    return fits;
}

/// What was not taken over.
static void supShift_Destroy( supShift* shift )
{
    const supMorphSet* set = shift->set;
    const supAllocator* allocator = shift->plan->allocator;
    size_t targets = (size_t)set->targetCount, rows = (size_t)set->count;
    for ( int32_t t = 0; t < shift->plan->def->takeCount && shift->block != NULL; ++t )
    {
        size_t cells = (size_t)set->keys[t].keyCount * ( targets + 1 ) + 1;
        supFree( allocator, shift->weights[t], cells * sizeof( float ) );
    }
    supFree( allocator, shift->columns, ( targets + 2 ) * sizeof( supMorphColumn ) );
    supFree( allocator, shift->constant.rows, rows * sizeof( int32_t ) );
    supFree( allocator, shift->constant.deltas, 3 * rows * sizeof( float ) );
    supFree( allocator, shift->block, shift->blockSize );
}

/// Gives each column its full swing; its lower end goes into what is always on.
static void supWidenColumns( supShift* shift )
{
    supMorphSet* set = shift->set;
    memset( shift->sum, 0, 3 * (size_t)set->count * sizeof( double ) );
    for ( size_t i = 0; i < (size_t)set->targetCount; ++i )
    {
        supMorphColumn* column = set->columns + i;
        supWeightRange range = supRangeOf( shift->plan, set, i );
        for ( size_t k = 0; k < (size_t)column->count; ++k )
        {
            float* delta = column->deltas + 3 * k;
            double* at = shift->sum + 3 * (size_t)column->rows[k];
            for ( size_t c = 0; c < 3; ++c )
            {
                at[c] += range.lowest * delta[c];
                delta[c] = (float)( delta[c] * ( range.highest - range.lowest ) );
            }
        }
        shift->ranges[i] = range;
    }
}

static void supFillConstant( supShift* shift )
{
    supMorphColumn* constant = &shift->constant;
    for ( size_t row = 0; row < (size_t)shift->set->count; ++row )
    {
        const double* at = shift->sum + 3 * row;
        size_t next = (size_t)constant->count;
        if ( at[0] != 0.0 || at[1] != 0.0 || at[2] != 0.0 )
        {
            constant->rows[next] = (int32_t)row;
            constant->deltas[3 * next] = (float)at[0];
            constant->deltas[3 * next + 1] = (float)at[1];
            constant->deltas[3 * next + 2] = (float)at[2];
            constant->count += 1;
        }
    }
}

/// The weights of a take in their ranges, 1 for what is always on.
static void supShiftWeights( const supShift* shift, int32_t take )
{
    const supMorphKeys* keys = shift->set->keys + take;
    size_t before = (size_t)shift->set->targetCount, after = before + 1;
    for ( size_t k = 0; k < (size_t)keys->keyCount; ++k )
    {
        for ( size_t i = 0; i < before; ++i )
        {
            supWeightRange range = shift->ranges[i];
            double swing = range.highest - range.lowest, weight = keys->weights[k * before + i];
            shift->weights[take][k * after + i] =
                swing > 0.0 ? (float)supClamp( ( weight - range.lowest ) / swing, 0.0, 1.0 ) : 0.0f;
        }
        shift->weights[take][k * after + before] = 1.0f;
    }
}

static void supTakeOver( supShift* shift )
{
    supMorphSet* set = shift->set;
    const supAllocator* allocator = shift->plan->allocator;
    size_t before = (size_t)set->targetCount;
    for ( int32_t t = 0; t < shift->plan->def->takeCount; ++t )
    {
        supMorphKeys* keys = set->keys + t;
        supShiftWeights( shift, t );
        supFree( allocator, (void*)keys->weights, ( (size_t)keys->keyCount * before + 1 ) * sizeof( float ) );
        keys->weights = shift->weights[t];
        shift->weights[t] = NULL;
    }
    memcpy( shift->columns, set->columns, before * sizeof( supMorphColumn ) );
    shift->columns[before] = shift->constant;
    supFree( allocator, set->columns, ( before + 1 ) * sizeof( supMorphColumn ) );
    supFree( allocator, set->factor, ( before * before + 1 ) * sizeof( double ) );
    set->columns = shift->columns;
    set->factor = NULL;
    shift->columns = NULL;
    shift->constant = ( supMorphColumn ){ 0 };
}

supResult supShiftMorphKeys( const supMorphPlan* plan, supMorphSet* set, supError* error )
{
    supShift shift = { .plan = plan, .set = set };
    bool fits = supMakeShift( &shift ), taken = false;
    if ( fits )
    {
        supWidenColumns( &shift );
        supFillConstant( &shift );
        taken = set->targetCount > 0;
        if ( taken )
        {
            supTakeOver( &shift );
        }
    }
    supShift_Destroy( &shift );
    set->targetCount += taken ? 1 : 0;
    return fits ? sup_success
                : supFail( error, sup_errorMemory, "no memory for the weights of %d morph targets", set->targetCount );
}

bool supPlayMorphKeys( const supMorphSet* set, int32_t take, double time, double* weights )
{
    const supMorphKeys* keys = set->keys + take;
    int32_t lower = 0, upper = keys->keyCount - 1;
    while ( upper - lower > 1 )
    {
        int32_t middle = lower + ( upper - lower ) / 2;
        bool after = keys->times[middle] <= time;
        lower = after ? middle : lower;
        upper = after ? upper : middle;
    }
    double span = upper > lower ? (double)keys->times[upper] - keys->times[lower] : 0.0;
    double theta = span > 0.0 ? supClamp( ( time - keys->times[lower] ) / span, 0.0, 1.0 ) : 0.0;
    const float* a = keys->weights + (size_t)lower * (size_t)set->targetCount;
    const float* b = keys->weights + (size_t)upper * (size_t)set->targetCount;
    for ( int32_t i = 0; i < set->targetCount; ++i )
    {
        weights[i] = a[i] + ( (double)b[i] - a[i] ) * theta;
    }
    return theta == 0.0 || theta == 1.0;
}
