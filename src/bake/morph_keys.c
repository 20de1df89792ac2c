// Weights of a clip: fitted at many times, kept at few.
// SPDX-License-Identifier: MIT
//
// From each key the next is the farthest candidate for which the weights, interpolated linearly, are good at all
// candidates between. There a vertex is off by what its fitted weights leave, plus what the targets make of the
// difference between interpolated and fitted weights; the first is known by its largest, the second is looked at vertex
// by vertex, where a quick bound (each target by itself, at its longest delta) does not settle it.

#include "bake/morph_data.h"

#include <string.h>

enum
{
    supFitBlock = 32
};

typedef struct supKeyFit
{
    const supMorphPlan* plan;
    supMorphSet* set;
    int32_t take;
    int32_t count;
    const double* times;
    double* weights; ///< targetCount a time
    double* off;     ///< of each time: what fitted weights leave. Metres
    double* reach;   ///< of each target: the longest that skinning makes any delta
    double* moved;   ///< 3 a row: scratch
    bool* good;      ///< of each block
    supArray keys;   ///< int32_t: which times
} supKeyFit;

// ---------------------------------------------------------------------------------------------------------------
// Fitting

static void supFitTime(
    const supKeyFit* fit, supMorphClock* clock, int32_t index, float* rest, float* scales, double* left )
{
    const supMorphSet* set = fit->set;
    supMorphClock_Read( clock, fit->take, fit->times[index] );
    supMorphClock_Rest( clock, set, rest, scales );
    double* weights = fit->weights + (size_t)index * (size_t)set->targetCount;
    supFitMorphWeights( set, rest, weights );
    for ( size_t i = 0; i < 3 * (size_t)set->count; ++i )
    {
        left[i] = rest[i];
    }
    supAddMorphColumns( set, set->columns, weights, -1.0, left );
    double worst = 0.0;
    for ( size_t i = 0; i < (size_t)set->count; ++i )
    {
        const double* at = left + 3 * i;
        double square = at[0] * at[0] + at[1] * at[1] + at[2] * at[2], s = scales[i];
        worst = supMax( square * ( s * s ), worst );
    }
    fit->off[index] = supSqrt( worst );
}

static void supFitTimes( int32_t block, void* context )
{
    supKeyFit* fit = context;
    size_t rows = (size_t)fit->set->count;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, float, rest, 3 * rows );
    SUP_PUT_NEW( &layout, float, scales, rows );
    SUP_PUT_NEW( &layout, double, left, 3 * rows );
    char* memory = supAllocLayout( fit->plan->allocator, &layout );
    supMorphClock clock;
    if ( memory != NULL && supMakeMorphClock( &clock, fit->plan ) )
    {
        int32_t first, end = supBlock( block, supFitBlock, fit->count, &first );
        for ( int32_t i = first; i < end; ++i )
        {
            supFitTime( fit, &clock, i, rest, scales, left );
        }
        supMorphClock_Destroy( &clock );
        fit->good[block] = true;
    }
    supFree( fit->plan->allocator, memory, layout.size );
}

/// How far a target can carry any vertex at weight 1.
static void supFindReach( supKeyFit* fit )
{
    for ( int32_t i = 0; i < fit->set->targetCount; ++i )
    {
        const supMorphColumn* column = fit->set->columns + i;
        double most = 0.0;
        for ( int32_t k = 0; k < column->count; ++k )
        {
            const float* d = column->deltas + 3 * (size_t)k;
            double s = fit->set->mostScale[column->rows[k]];
            double square = (double)d[0] * d[0] + (double)d[1] * d[1] + (double)d[2] * d[2];
            most = supMax( square * ( s * s ), most );
        }
        fit->reach[i] = supSqrt( most );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Choosing

/// Whether weights interpolated from time a to time b are good at time i between them.
static bool supIsGoodBetween( const supKeyFit* fit, int32_t a, int32_t b, int32_t i, double tolerance )
{
    const supMorphSet* set = fit->set;
    size_t targets = (size_t)set->targetCount;
    double theta = ( fit->times[i] - fit->times[a] ) / ( fit->times[b] - fit->times[a] );
    const double *from = fit->weights + (size_t)a * targets, *to = fit->weights + (size_t)b * targets;
    const double* own = fit->weights + (size_t)i * targets;
    double* differences = fit->moved + 3 * (size_t)set->count;
    double allowed = tolerance - fit->off[i], bound = 0.0;
    for ( size_t k = 0; k < targets; ++k )
    {
        differences[k] = from[k] + ( to[k] - from[k] ) * theta - own[k];
        bound += supAbs( differences[k] ) * fit->reach[k];
    }
    if ( bound <= allowed || allowed <= 0.0 )
    {
        return bound <= allowed;
    }
    memset( fit->moved, 0, 3 * (size_t)set->count * sizeof( double ) );
    supAddMorphColumns( set, set->columns, differences, 1.0, fit->moved );
    for ( size_t row = 0; row < (size_t)set->count; ++row )
    {
        const double* at = fit->moved + 3 * row;
        double s = set->mostScale[row], square = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
        if ( square * ( s * s ) > allowed * allowed )
        {
            return false;
        }
    }
    return true;
}

/// Times between, the middle ones first: they fail first.
static bool supIsGoodSpan( const supKeyFit* fit, int32_t a, int32_t b, double tolerance )
{
    int32_t middle = a + ( b - a ) / 2;
    for ( int32_t k = 0; k < b - a; ++k )
    {
        int32_t i = k % 2 == 0 ? middle + k / 2 : middle - ( k + 1 ) / 2;
        if ( a < i && i < b && !supIsGoodBetween( fit, a, b, i, tolerance ) )
        {
            return false;
        }
    }
    return true;
}

static bool supChooseMorphKeys( supKeyFit* fit, double tolerance )
{
    for ( int32_t at = 0;; )
    {
        int32_t* key = supArray_Add( &fit->keys, 1 );
        if ( key == NULL )
        {
            return false;
        }
        *key = at;
        if ( at + 1 >= fit->count )
        {
            return true;
        }
        // the farthest good one: doubled, then halved
        int32_t step = 1, good = 1;
        while ( at + good < fit->count - 1 )
        {
            step = at + 2 * good < fit->count ? 2 * good : fit->count - 1 - at;
            if ( !supIsGoodSpan( fit, at, at + step, tolerance ) )
            {
                break;
            }
            good = step;
        }
        for ( int32_t bad = step; bad > good + 1; )
        {
            int32_t middle = good + ( bad - good ) / 2;
            bool isGood = supIsGoodSpan( fit, at, at + middle, tolerance );
            good = isGood ? middle : good;
            bad = isGood ? bad : middle;
        }
        at += good;
    }
}

static bool supStoreMorphKeys( supKeyFit* fit, supMorphKeys* keys )
{
    size_t count = fit->keys.count, targets = (size_t)fit->set->targetCount;
    float* times = supAllocZeroed( fit->plan->allocator, count, sizeof( float ), _Alignof( float ) );
    float* weights = supAllocZeroed( fit->plan->allocator, count * targets + 1, sizeof( float ), _Alignof( float ) );
    *keys = ( supMorphKeys ){ (int32_t)count, times, weights };
    if ( times == NULL || weights == NULL )
    {
        return false;
    }
    const int32_t* chosen = fit->keys.data;
    for ( size_t k = 0; k < count; ++k )
    {
        times[k] = (float)fit->times[chosen[k]];
        for ( size_t i = 0; i < targets; ++i )
        {
            weights[k * targets + i] = (float)fit->weights[(size_t)chosen[k] * targets + i];
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static bool supFindTakeKeys( const supMorphPlan* plan, supMorphSet* set, int32_t take, double share )
{
    const supArray* times = &plan->times[take].times;
    size_t count = times->count, targets = (size_t)set->targetCount;
    int32_t blocks = supBlockCount( supFitBlock, (int32_t)count );
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW_ROWS( &layout, double, weights, count, ( targets + 1 ) );
    SUP_PUT_NEW( &layout, double, off, count );
    SUP_PUT_NEW( &layout, double, reach, targets );
    SUP_PUT_NEW( &layout, double, moved, 3 * (size_t)set->count + targets );
    SUP_PUT_NEW( &layout, bool, good, blocks );
    char* block = supAllocLayout( plan->allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    supKeyFit fit = { .plan = plan,
        .set = set,
        .take = take,
        .count = (int32_t)count,
        .times = times->data,
        .weights = weights,
        .off = off,
        .reach = reach,
        .moved = moved,
        .good = good,
        .keys = supMakeArray( sizeof( int32_t ), plan->allocator ) };
    supRunTasks( plan->def->tasks, supFitTimes, blocks, &fit );
    bool fits = true;
    for ( int32_t i = 0; i < blocks; ++i )
    {
        fits = fits && fit.good[i];
    }
    supFindReach( &fit );
    fits = fits && supChooseMorphKeys( &fit, share * plan->tolerance ) && supStoreMorphKeys( &fit, set->keys + take );
    supArray_Destroy( &fit.keys );
    supFree( plan->allocator, block, layout.size );
    return fits;
}

supResult supFindMorphKeys( const supMorphPlan* plan, supMorphSet* set, supError* error )
{
    size_t takes = (size_t)plan->def->takeCount;
    set->keys = supAllocZeroed( plan->allocator, takes + 1, sizeof( supMorphKeys ), _Alignof( supMorphKeys ) );
    bool fits = set->keys != NULL;
    for ( int32_t t = 0; t < plan->def->takeCount && fits; ++t )
    {
        fits = supFindTakeKeys( plan, set, t, SUP_MORPH_KEY_SHARE );
    }
    return fits ? sup_success
                : supFail( error, sup_errorMemory, "no memory for the weights of %d morph targets", set->targetCount );
}
