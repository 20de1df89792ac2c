// What moves, which meshes share weights, which times are looked at.
// SPDX-License-Identifier: MIT

#include "bake/key_times.h"
#include "bake/morph_data.h"
#include "bake/take_data.h"

#include <string.h>

enum
{
    supKeysAFrame = 4 ///< candidates for keys between two frames
};

/// Frames are kept in memory; past this many bytes they stand farther apart.
static const double supMostFrameBytes = 512.0 * 1024.0 * 1024.0;

int32_t supMorphTakeClip( const supMorphPlan* plan, int32_t take )
{
    return plan->def->takes[take]->clip;
}

// ---------------------------------------------------------------------------------------------------------------
// Sets

/// The set of a joint, made where there is none yet. NULL: no memory.
static supMorphSet* supFindSet( supMorphPlan* plan, int32_t joint )
{
    for ( int32_t i = 0; i < plan->setCount; ++i )
    {
        if ( plan->sets[i].joint == joint )
        {
            return plan->sets + i;
        }
    }
    supMorphSet* set = plan->sets + plan->setCount++;
    set->joint = joint;
    return set;
}

static bool supAllocSet( const supMorphPlan* plan, supMorphSet* set )
{
    size_t count = (size_t)set->count;
    set->sources = supAllocZeroed( plan->allocator, count, sizeof( int32_t ), _Alignof( int32_t ) );
    set->meshes = supAllocZeroed( plan->allocator, count, sizeof( int32_t ), _Alignof( int32_t ) );
    set->vertices = supAllocZeroed( plan->allocator, count, sizeof( int32_t ), _Alignof( int32_t ) );
    set->room = set->count;
    set->count = 0;
    return set->sources != NULL && set->meshes != NULL && set->vertices != NULL;
}

/// Sorts the source's vertices into sets: `store` false counts them alone.
static void supSortVertices( supMorphPlan* plan, bool store )
{
    int32_t mesh = 0;
    for ( int32_t i = 0; i < plan->source.vertexCount; ++i )
    {
        int32_t vertex = plan->source.vertices[i];
        while ( vertex >= plan->meshes[mesh].firstVertex + plan->meshes[mesh].vertexCount )
        {
            ++mesh;
        }
        supMorphSet* set = supFindSet( plan, plan->meshes[mesh].joint );
        if ( store )
        {
            set->sources[set->count] = i;
            set->meshes[set->count] = mesh;
            set->vertices[set->count] = vertex - plan->meshes[mesh].firstVertex;
        }
        set->count += 1;
    }
}

static bool supMakeSets( supMorphPlan* plan )
{
    supSortVertices( plan, false );
    bool fits = true;
    for ( int32_t i = 0; i < plan->setCount && fits; ++i )
    {
        fits = supAllocSet( plan, plan->sets + i );
    }
    if ( fits )
    {
        supSortVertices( plan, true );
    }
    return fits;
}

// ---------------------------------------------------------------------------------------------------------------
// Times

/// Frames of a take: at the rate, its start and end among them.
static int32_t supCountFrames( const supTake* take, double fps )
{
    double frames = supFloor( ( take->info.end - take->info.start ) * fps + 0.5 );
    return (int32_t)supMin( supMax( frames, 1.0 ), 1e6 ) + 1;
}

/// The rate at which all frames of all vertices fit in memory.
static double supFrameRate( const supMorphPlan* plan )
{
    double seconds = 0.0, fps = plan->fps;
    for ( int32_t t = 0; t < plan->def->takeCount; ++t )
    {
        supTakeInfo info = plan->def->takes[t]->info;
        seconds += info.end - info.start + 2.0 / fps;
    }
    double bytes = seconds * fps * (double)plan->source.vertexCount * 28.0; // twice three floats, and one
    return bytes > supMostFrameBytes ? fps * supMostFrameBytes / bytes : fps;
}

static bool supLayFrames( supMorphPlan* plan )
{
    double fps = supFrameRate( plan );
    for ( int32_t t = 0; t < plan->def->takeCount; ++t )
    {
        plan->times[t].firstFrame = plan->frameCount;
        plan->times[t].frameCount = supCountFrames( plan->def->takes[t], fps );
        plan->frameCount += plan->times[t].frameCount;
    }
    size_t count = (size_t)plan->frameCount;
    plan->frameTimes = supAllocZeroed( plan->allocator, count + 1, sizeof( double ), _Alignof( double ) );
    plan->frameTakes = supAllocZeroed( plan->allocator, count + 1, sizeof( int32_t ), _Alignof( int32_t ) );
    if ( plan->frameTimes == NULL || plan->frameTakes == NULL )
    {
        return false;
    }
    for ( int32_t t = 0; t < plan->def->takeCount; ++t )
    {
        supTakeInfo info = plan->def->takes[t]->info;
        const supMorphTimes* times = plan->times + t;
        for ( int32_t f = 0; f < times->frameCount; ++f )
        {
            double share = (double)f / ( times->frameCount - 1 );
            plan->frameTimes[times->firstFrame + f] = info.start + ( info.end - info.start ) * share;
            plan->frameTakes[times->firstFrame + f] = t;
        }
    }
    return true;
}

static bool supLayKeyTimes( supMorphPlan* plan )
{
    double fine = 1.0 / ( supKeysAFrame * plan->fps );
    for ( int32_t t = 0; t < plan->def->takeCount; ++t )
    {
        supArray_Destroy( &plan->times[t].times );
        plan->times[t].times = supMakeArray( sizeof( double ), plan->allocator );
        if ( !supLayClipTimes( plan->character, supMorphTakeClip( plan, t ), NULL, fine * ( 1.0 + 1e-3 ), fine,
                 &plan->times[t].times ) )
        {
            return false;
        }
    }
    return true;
}

static bool supAllocFrames( supMorphPlan* plan )
{
    bool fits = true;
    for ( int32_t i = 0; i < plan->setCount && fits; ++i )
    {
        supMorphSet* set = plan->sets + i;
        size_t cells = (size_t)set->count, frames = (size_t)plan->frameCount;
        set->frameCount = plan->frameCount;
        set->frames = supAllocZeroed( plan->allocator, frames, 3 * cells * sizeof( float ), SUP_MAX_ALIGNMENT );
        set->scales = supAllocZeroed( plan->allocator, frames, cells * sizeof( float ), SUP_MAX_ALIGNMENT );
        set->mostScale = supAllocZeroed( plan->allocator, cells, sizeof( float ), _Alignof( float ) );
        fits = set->frames != NULL && set->scales != NULL && set->mostScale != NULL;
    }
    return fits;
}

static void supFreeFrames( supMorphPlan* plan )
{
    for ( int32_t i = 0; i < plan->setCount; ++i )
    {
        supMorphSet* set = plan->sets + i;
        size_t count = (size_t)set->room, frames = (size_t)set->frameCount;
        supMorphSet_DropBasis( plan, set );
        supFree( plan->allocator, set->frames, frames * 3 * count * sizeof( float ) );
        supFree( plan->allocator, set->scales, frames * count * sizeof( float ) );
        supFree( plan->allocator, set->mostScale, count * sizeof( float ) );
        set->frames = set->scales = set->mostScale = NULL;
        set->frameCount = 0;
    }
    supFree( plan->allocator, plan->frameTimes, ( (size_t)plan->frameCount + 1 ) * sizeof( double ) );
    supFree( plan->allocator, plan->frameTakes, ( (size_t)plan->frameCount + 1 ) * sizeof( int32_t ) );
    plan->frameTimes = NULL;
    plan->frameTakes = NULL;
    plan->frameCount = 0;
}

bool supMorphPlan_Refine( supMorphPlan* plan )
{
    supFreeFrames( plan );
    plan->fps *= 2.0;
    return supLayFrames( plan ) && supLayKeyTimes( plan ) && supAllocFrames( plan );
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

supResult supPlanMorphs( supMorphPlan* plan, const supMorphBakeDef* def, supError* error )
{
    const supCharacter* character = def->model->character;
    *plan = ( supMorphPlan ){
        .def = def, .model = def->model, .character = character, .allocator = def->allocator, .fps = def->fps
    };
    plan->source = def->source != NULL ? *def->source : supModelMorphSource( def->model );
    plan->source.vertexCount = def->takeCount > 0 ? plan->source.vertexCount : 0; // nothing is known to move
    plan->tolerance = (double)def->tolerance * supCharacter_Info( character )->size;
    size_t meshes = (size_t)supCharacter_Info( character )->meshCount;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, plan->meshes, meshes + 1 );
    SUP_PUT( &layout, plan->sets, meshes + 1 );
    SUP_PUT( &layout, plan->times, def->takeCount );
    plan->block = supAllocLayout( plan->allocator, &layout );
    plan->blockSize = layout.size;
    bool fits = plan->block != NULL;
    if ( fits )
    {
        for ( size_t m = 0; m < meshes; ++m )
        {
            plan->meshes[m] = supCharacter_Mesh( character, (int32_t)m );
        }
        fits = supMakeSets( plan ) && supLayFrames( plan ) && supLayKeyTimes( plan ) && supAllocFrames( plan );
    }
    return fits ? sup_success
                : supFail( error, sup_errorMemory, "no memory for a bake of %d vertices over %d frames",
                      plan->source.vertexCount, plan->frameCount );
}

static void supFreeColumns( const supMorphPlan* plan, supMorphColumn* columns, int32_t count, int32_t rows )
{
    for ( int32_t i = 0; i < count && columns != NULL; ++i )
    {
        supFree( plan->allocator, columns[i].rows, (size_t)rows * sizeof( int32_t ) );
        supFree( plan->allocator, columns[i].deltas, (size_t)rows * 3 * sizeof( float ) );
    }
    supFree( plan->allocator, columns, ( (size_t)count + 1 ) * sizeof( supMorphColumn ) );
}

static void supFreeSet( const supMorphPlan* plan, supMorphSet* set )
{
    size_t count = (size_t)set->room;
    supFree( plan->allocator, set->sources, count * sizeof( int32_t ) );
    supFree( plan->allocator, set->meshes, count * sizeof( int32_t ) );
    supFree( plan->allocator, set->vertices, count * sizeof( int32_t ) );
    supMorphSet_DropTargets( plan, set );
}

void supMorphSet_DropBasis( const supMorphPlan* plan, supMorphSet* set )
{
    size_t room = (size_t)set->basisRoom;
    supFree( plan->allocator, set->basis, room * 3 * (size_t)set->count * sizeof( double ) );
    supFree( plan->allocator, set->shares, room * (size_t)set->frameCount * sizeof( double ) );
    set->basis = set->shares = NULL;
    set->basisRoom = set->basisCount = 0;
}

void supMorphSet_DropTargets( const supMorphPlan* plan, supMorphSet* set )
{
    size_t targets = (size_t)set->targetCount;
    supFreeColumns( plan, set->columns, set->targetCount, set->room );
    supFreeColumns( plan, set->normalColumns, set->targetCount, set->room );
    supFree( plan->allocator, set->factor, ( targets * targets + 1 ) * sizeof( double ) );
    for ( int32_t t = 0; t < plan->def->takeCount && set->keys != NULL; ++t )
    {
        size_t keys = (size_t)set->keys[t].keyCount;
        supFree( plan->allocator, (void*)set->keys[t].times, keys * sizeof( float ) );
        supFree( plan->allocator, (void*)set->keys[t].weights, ( keys * targets + 1 ) * sizeof( float ) );
    }
    supFree( plan->allocator, set->keys, ( (size_t)plan->def->takeCount + 1 ) * sizeof( supMorphKeys ) );
    set->columns = set->normalColumns = NULL;
    set->factor = NULL;
    set->keys = NULL;
    set->targetCount = 0;
}

void supMorphPlan_Destroy( supMorphPlan* plan )
{
    supFreeFrames( plan );
    for ( int32_t i = 0; i < plan->setCount; ++i )
    {
        supFreeSet( plan, plan->sets + i );
    }
    for ( int32_t t = 0; t < plan->def->takeCount && plan->block != NULL; ++t )
    {
        supArray_Destroy( &plan->times[t].times );
    }
    supFree( plan->allocator, plan->block, plan->blockSize );
}
