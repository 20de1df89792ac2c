// What a player makes of the targets and their weights, against the source.
// SPDX-License-Identifier: MIT
#include "bake/helper_frames.h"

#include "bake/error_plan.h"
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

// ---------------------------------------------------------------------------------------------------------------
// How far a player's normals are from the living ones.
//
// At every candidate for a key: four a frame, and so at the keys and between. A player adds the targets' normals to the
// mesh's own, skins the sum and makes it of unit length; without such normals it skins the mesh's own.

enum
{
    supTurnBlock = 32
};

typedef struct supTurnFinding
{
    bool good;
    supTurns turns;
} supTurnFinding;

typedef struct supTurnMeasure
{
    const supMorphPlan* plan;
    int32_t take;
    supTurnFinding* findings; ///< of each block
} supTurnMeasure;

/// What one block works in.
typedef struct supTurnScratch
{
    supMorphClock clock;
    supVec3* normals; ///< living, of the source's vertices
    double* rest;     ///< 3 a row of the largest set, then a weight a target
} supTurnScratch;

static void supMeasureTurns( const supTurnMeasure* measure, supTurnScratch* scratch, double time, supTurns* turns )
{
    const supMorphPlan* plan = measure->plan;
    supMorphClock_Read( &scratch->clock, measure->take, time );
    supMorphClock_Normals( &scratch->clock, measure->take, time, scratch->normals );
    for ( int32_t s = 0; s < plan->setCount; ++s )
    {
        const supMorphSet* set = plan->sets + s;
        double* weights = scratch->rest + 3 * (size_t)set->count;
        memset( scratch->rest, 0, 3 * (size_t)set->count * sizeof( double ) );
        supPlayMorphKeys( set, measure->take, time, weights );
        if ( set->normalColumns != NULL )
        {
            supAddMorphColumns( set, set->normalColumns, weights, 1.0, scratch->rest );
        }
        for ( size_t i = 0; i < (size_t)set->count; ++i )
        {
            const double* d = scratch->rest + 3 * i;
            supVec3d n = supMorphRowNormal( plan, set, i );
            supVec3d sum = supAddD( n, ( supVec3d ){ d[0], d[1], d[2] } );
            supMat34d m = supMorphClock_Matrix( &scratch->clock, set, (int32_t)i );
            supVec3d living = supToDouble( scratch->normals[set->sources[i]] );
            if ( supDotD( n, n ) > 0.0 )
            {
                supTurns_Add( turns, supSkinnedNormal( m, sum ), supNormalizeD( living ) );
            }
        }
    }
}

static void supMeasureTurnBlock( int32_t block, void* context )
{
    supTurnMeasure* measure = context;
    const supMorphPlan* plan = measure->plan;
    supTurnFinding* finding = measure->findings + block;
    size_t most = 0;
    for ( int32_t s = 0; s < plan->setCount; ++s )
    {
        size_t needs = 3 * (size_t)plan->sets[s].count + (size_t)plan->sets[s].targetCount;
        most = needs > most ? needs : most;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supVec3, normals, plan->source.vertexCount + 1 );
    SUP_PUT_NEW( &layout, double, rest, most + 1 );
    char* memory = supAllocLayout( plan->allocator, &layout );
    *finding = ( supTurnFinding ){ 0 };
    supTurnScratch scratch;
    if ( memory != NULL && supMakeMorphClock( &scratch.clock, plan ) )
    {
        scratch.normals = normals;
        scratch.rest = rest;
        const supArray* times = &plan->times[measure->take].times;
        int32_t first, end = supBlock( block, supTurnBlock, (int32_t)times->count, &first );
        for ( int32_t i = first; i < end; ++i )
        {
            supMeasureTurns( measure, &scratch, ( (const double*)times->data )[i], &finding->turns );
        }
        supMorphClock_Destroy( &scratch.clock );
        finding->good = true;
    }
    supFree( plan->allocator, memory, layout.size );
}

supResult supMeasureMorphNormals( const supMorphPlan* plan, supMorphErrors* errors, supError* error )
{
    bool fits = true;
    for ( int32_t t = 0; t < plan->def->takeCount && plan->setCount > 0 && fits; ++t )
    {
        int32_t blocks = supBlockCount( supTurnBlock, (int32_t)plan->times[t].times.count );
        size_t bytes = ( (size_t)blocks + 1 ) * sizeof( supTurnFinding );
        supTurnMeasure measure = { plan, t, supAlloc( plan->allocator, bytes, SUP_MAX_ALIGNMENT ) };
        supTurns all = { 0 };
        fits = measure.findings != NULL;
        if ( fits )
        {
            supRunTasks( plan->def->tasks, supMeasureTurnBlock, blocks, &measure );
        }
        for ( int32_t i = 0; i < blocks && fits; ++i )
        {
            fits = measure.findings[i].good;
            supTurns_Join( &all, &measure.findings[i].turns );
        }
        errors[t].maxNormalError = supTurns_LargestDegrees( &all );
        errors[t].rmsNormalError = supTurns_RmsDegrees( &all );
        supFree( plan->allocator, measure.findings, bytes );
    }
    return fits ? sup_success : supFail( error, sup_errorMemory, "no memory to measure the normals of morph targets" );
}
