// How far a player's normals are from the living ones.
// SPDX-License-Identifier: MIT
//
// At every candidate for a key: four a frame, and so at the keys and between. A player adds the targets' normals to the
// mesh's own, skins the sum and makes it of unit length; without such normals it skins the mesh's own.

#include "bake/error_plan.h"
#include "bake/morph_data.h"

#include <string.h>

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
