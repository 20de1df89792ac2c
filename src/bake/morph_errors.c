// What a player makes of the targets and their weights, against the source.
// SPDX-License-Identifier: MIT

#include "bake/helper_frames.h"
#include "bake/morph_data.h"

#include <string.h>

enum
{
    supMeasureBlock = 32
};

/// What was found in a block of times.
typedef struct supMorphFinding
{
    bool good;
    double largest, largestAtKeys; ///< squared
    double sum;                    ///< of squares
    int64_t count;
    int32_t worst; ///< in the source's list; -1: none
    double worstTime;
} supMorphFinding;

typedef struct supMorphMeasure
{
    const supMorphPlan* plan;
    int32_t take;
    int32_t count; ///< times that are looked at: candidates, and the middles between them
    supMorphFinding* findings;
} supMorphMeasure;

static void supMeasureTime(
    const supMorphMeasure* measure, supMorphClock* clock, double time, double* rest, supMorphFinding* finding )
{
    const supMorphPlan* plan = measure->plan;
    supMorphClock_Read( clock, measure->take, time );
    for ( int32_t s = 0; s < plan->setCount; ++s )
    {
        const supMorphSet* set = plan->sets + s;
        double* weights = rest + 3 * (size_t)set->count;
        bool atKey = supPlayMorphKeys( set, measure->take, time, weights );
        memset( rest, 0, 3 * (size_t)set->count * sizeof( double ) );
        supAddMorphColumns( set, set->columns, weights, 1.0, rest );
        for ( int32_t i = 0; i < set->count; ++i )
        {
            const double* at = rest + 3 * (size_t)i;
            supVec3d off = supMorphClock_Error( clock, set, i, ( supVec3d ){ at[0], at[1], at[2] } );
            double square = supDotD( off, off );
            finding->sum += square;
            finding->largestAtKeys = atKey ? supMax( square, finding->largestAtKeys ) : finding->largestAtKeys;
            if ( square > finding->largest || finding->worst < 0 )
            {
                finding->largest = square;
                finding->worst = set->sources[i];
                finding->worstTime = time;
            }
        }
        finding->count += set->count;
    }
}

static void supMeasureTimes( int32_t block, void* context )
{
    supMorphMeasure* measure = context;
    const supMorphPlan* plan = measure->plan;
    supMorphFinding* finding = measure->findings + block;
    *finding = ( supMorphFinding ){ .worst = -1 };
    size_t most = 0;
    for ( int32_t s = 0; s < plan->setCount; ++s )
    {
        size_t needs = 3 * (size_t)plan->sets[s].count + (size_t)plan->sets[s].targetCount;
        most = needs > most ? needs : most;
    }
    double* rest = supAlloc( plan->allocator, ( most + 1 ) * sizeof( double ), SUP_MAX_ALIGNMENT );
    supMorphClock clock;
    if ( rest != NULL && supMakeMorphClock( &clock, plan ) )
    {
        const double* times = plan->times[measure->take].times.data;
        int32_t first, end = supBlock( block, supMeasureBlock, measure->count, &first );
        for ( int32_t i = first; i < end; ++i )
        {
            bool between = i % 2 == 1;
            double a = times[i / 2], b = between ? times[i / 2 + 1] : a;
            if ( !between || !supIsUnseen( a, b ) )
            {
                supMeasureTime( measure, &clock, 0.5 * ( a + b ), rest, finding );
            }
        }
        supMorphClock_Destroy( &clock );
        finding->good = true;
    }
    supFree( plan->allocator, rest, ( most + 1 ) * sizeof( double ) );
}

static void supAddFindings( const supMorphMeasure* measure, int32_t blocks, supMorphErrors* errors )
{
    double largest = 0.0, atKeys = 0.0, sum = 0.0;
    int64_t count = 0;
    errors->worstVertex = -1;
    for ( int32_t i = 0; i < blocks; ++i )
    {
        const supMorphFinding* finding = measure->findings + i;
        sum += finding->sum;
        count += finding->count;
        atKeys = supMax( finding->largestAtKeys, atKeys );
        if ( finding->worst >= 0 && ( finding->largest > largest || errors->worstVertex < 0 ) )
        {
            largest = finding->largest;
            errors->worstVertex = measure->plan->source.vertices[finding->worst];
            errors->worstTime = finding->worstTime;
        }
    }
    errors->maxError = (float)supSqrt( largest );
    errors->maxErrorAtKeys = (float)supSqrt( atKeys );
    errors->rmsError = count > 0 ? (float)supSqrt( sum / (double)count ) : 0.0f;
}

supResult supMeasureMorphs( const supMorphPlan* plan, supMorphErrors* errors, supError* error )
{
    bool fits = true;
    for ( int32_t t = 0; t < plan->def->takeCount && fits; ++t )
    {
        errors[t].clip = supMorphTakeClip( plan, t );
        supMorphMeasure measure = { .plan = plan, .take = t, .count = 2 * (int32_t)plan->times[t].times.count - 1 };
        int32_t blocks = supBlockCount( supMeasureBlock, measure.count );
        size_t bytes = ( (size_t)blocks + 1 ) * sizeof( supMorphFinding );
        measure.findings = supAlloc( plan->allocator, bytes, SUP_MAX_ALIGNMENT );
        fits = measure.findings != NULL;
        if ( fits )
        {
            supRunTasks( plan->def->tasks, supMeasureTimes, blocks, &measure );
            for ( int32_t i = 0; i < blocks; ++i )
            {
                fits = fits && measure.findings[i].good;
            }
            supAddFindings( &measure, blocks, errors + t );
        }
        supFree( plan->allocator, measure.findings, bytes );
    }
    return fits ? sup_success : supFail( error, sup_errorMemory, "no memory to measure the morph targets" );
}
