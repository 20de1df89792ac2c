// Weights from 0 to 1.
// SPDX-License-Identifier: MIT
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

#include "bake/morph_data.h"

#include <string.h>

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
