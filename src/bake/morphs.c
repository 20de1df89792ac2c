// The bake as morphs: life cycle.
// SPDX-License-Identifier: MIT

#include "bake/morph_data.h"
#include "bake/take_data.h"
#include "base/float_settings.h"
#include "base/hash.h"
#include "supple/lab/hashes.h"

#include <assert.h>
#include <string.h>

#define SUP_MORPH_BAKE_COOKIE 0x4d424b45

enum
{
    supMostRounds = 4
};

supMorphBakeDef supDefaultMorphBakeDef( void )
{
    return ( supMorphBakeDef ){ .fps = 30.0f, .tolerance = 5e-4f, .normals = true, .cookie = SUP_MORPH_BAKE_COOKIE };
}

static supResult supCheckMorphSource( const supMorphBakeDef* def, supError* error )
{
    const supMorphSource* source = def->source;
    int32_t vertices = supCharacter_Info( def->model->character )->vertexCount;
    if ( source->moves == NULL || source->vertexCount < 0 || ( source->vertexCount > 0 && source->vertices == NULL ) )
    {
        return supFail( error, sup_errorArgument, "the bake's source has no function or no vertices" );
    }
    for ( int32_t i = 0; i < source->vertexCount; ++i )
    {
        int32_t vertex = source->vertices[i];
        if ( vertex < 0 || vertex >= vertices || ( i > 0 && vertex <= source->vertices[i - 1] ) )
        {
            return supFail( error, sup_errorArgument,
                "the bake's source names vertex %d at place %d; vertices must be in rising order and below %d", vertex,
                i, vertices );
        }
    }
    return sup_success;
}

static supResult supCheckMorphBakeDef( const supMorphBakeDef* def, supError* error )
{
    if ( def->cookie != SUP_MORPH_BAKE_COOKIE || def->model == NULL )
    {
        return supFail(
            error, sup_errorArgument, "the bake's def was not made by supDefaultMorphBakeDef, or has no model" );
    }
    if ( !( def->fps >= 1.0f && def->fps <= 1000.0f ) )
    {
        return supFail( error, sup_errorArgument, "%g frames per second; give 1 to 1000", (double)def->fps );
    }
    if ( !( def->tolerance >= 1e-6f && def->tolerance <= 1.0f ) )
    {
        return supFail(
            error, sup_errorArgument, "a tolerance of %g of the size; give 1e-6 to 1", (double)def->tolerance );
    }
    supResult result = supCheckTakes( def->model, def->takes, def->takeCount, def->fps, error );
    return result == sup_success && def->source != NULL ? supCheckMorphSource( def, error ) : result;
}

// ---------------------------------------------------------------------------------------------------------------
// Out of the work, into what is handed out

/// Which part of a column belongs to a mesh: from *first up to, not including, what it gives.
static int32_t supColumnPart( const supMorphSet* set, const supMorphColumn* column, int32_t mesh, int32_t* first )
{
    int32_t at = 0;
    while ( at < column->count && set->meshes[column->rows[at]] < mesh )
    {
        ++at;
    }
    *first = at;
    while ( at < column->count && set->meshes[column->rows[at]] == mesh )
    {
        ++at;
    }
    return at;
}

/// Copies that part. False: no memory.
static bool supCopyPart( const supMorphBake* bake, const supMorphSet* set, const supMorphColumn* column, int32_t mesh,
    int32_t* count, const int32_t** vertices, const float** deltas )
{
    int32_t first, end = supColumnPart( set, column, mesh, &first );
    size_t size = (size_t)( end - first );
    *count = end - first;
    if ( size == 0 )
    {
        return true;
    }
    int32_t* rows = supAllocZeroed( &bake->allocator, size, sizeof( int32_t ), _Alignof( int32_t ) );
    float* values = supAllocZeroed( &bake->allocator, size, 3 * sizeof( float ), _Alignof( float ) );
    *vertices = rows;
    *deltas = values;
    if ( rows == NULL || values == NULL )
    {
        return false;
    }
    for ( size_t i = 0; i < size; ++i )
    {
        rows[i] = set->vertices[column->rows[(size_t)first + i]];
    }
    memcpy( values, column->deltas + 3 * (size_t)first, size * 3 * sizeof( float ) );
    return true;
}

static bool supCopyTargets( supMorphBake* bake, const supMorphPlan* plan )
{
    bool fits = true;
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        int32_t group = bake->meshes[m].group;
        supMorphTarget* targets = bake->targets + ( bake->meshes[m].targets - bake->targets );
        for ( int32_t t = 0; group >= 0 && t < bake->groups[group].targetCount && fits; ++t )
        {
            const supMorphSet* set = plan->sets + group;
            supMorphTarget* target = targets + t;
            fits = supCopyPart( bake, set, set->columns + t, m, &target->count, &target->vertices, &target->positions );
            if ( fits && set->normalColumns != NULL )
            {
                fits = supCopyPart( bake, set, set->normalColumns + t, m, &target->normalCount, &target->normalVertices,
                    &target->normals );
            }
        }
    }
    return fits;
}

static supMorphBake* supAllocMorphBake( const supMorphPlan* plan )
{
    const supCharacter* character = plan->character;
    int32_t meshes = supCharacter_Info( character )->meshCount;
    int32_t clips = plan->def->takeCount;
    size_t targets = 0;
    for ( int32_t m = 0; m < meshes; ++m )
    {
        for ( int32_t s = 0; s < plan->setCount; ++s )
        {
            targets += plan->sets[s].joint == plan->meshes[m].joint ? (size_t)plan->sets[s].targetCount : 0;
        }
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supMorphBake, bake, 1 );
    SUP_PUT_NEW( &layout, supMorphGroup, groups, plan->setCount );
    SUP_PUT_NEW( &layout, supMorphMesh, meshesRoom, meshes );
    SUP_PUT_NEW( &layout, supMorphTarget, targetsRoom, targets );
    SUP_PUT_NEW_ROWS( &layout, supMorphKeys, keys, (size_t)plan->setCount, (size_t)clips );
    SUP_PUT_NEW( &layout, supMorphErrors, errors, clips );
    char* block = supAllocLayout( plan->allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    *bake = ( supMorphBake ){ .allocator = supKeepAllocator( plan->allocator ),
        .character = character,
        .groupCount = plan->setCount,
        .clipCount = clips,
        .groups = groups,
        .meshes = meshesRoom,
        .targets = targetsRoom,
        .targetCount = (int32_t)targets,
        .keys = keys,
        .errors = errors,
        .info = { plan->setCount, groups, meshes, meshesRoom, clips, errors },
        .blockSize = layout.size };
    return bake;
}

/// Everything that a caller may look at. The keys move over.
static supMorphBake* supHandOut( supMorphPlan* plan, const supMorphErrors* errors )
{
    supMorphBake* bake = supAllocMorphBake( plan );
    if ( bake == NULL )
    {
        return NULL;
    }
    int32_t next = 0;
    for ( int32_t s = 0; s < plan->setCount; ++s )
    {
        supMorphSet* set = plan->sets + s;
        bake->groups[s] = ( supMorphGroup ){ set->joint, set->targetCount, bake->keys + s * bake->clipCount };
        for ( int32_t t = 0; t < bake->clipCount; ++t )
        {
            bake->keys[s * bake->clipCount + t] = set->keys[t];
            set->keys[t] = ( supMorphKeys ){ 0 };
        }
    }
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        bake->meshes[m] = ( supMorphMesh ){ -1, bake->targets + next };
        for ( int32_t s = 0; s < plan->setCount; ++s )
        {
            if ( plan->sets[s].joint == plan->meshes[m].joint )
            {
                bake->meshes[m].group = s;
                next += plan->sets[s].targetCount;
            }
        }
    }
    memcpy( bake->errors, errors, (size_t)bake->clipCount * sizeof( supMorphErrors ) );
    if ( !supCopyTargets( bake, plan ) )
    {
        supDestroyMorphBake( bake );
        return NULL;
    }
    return bake;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

/// One of the steps of a set: its basis, its targets, its keys.
static supResult supRunSetStep( supMorphPlan* plan, supMorphSet* set, int step, double share, supError* error )
{
    static const double ends[] = { 0.0, 0.3, 0.85, 1.0 };
    supWatchedShare whole = supWatched_Enter( plan->watched, ends[step], ends[step + 1] );
    supResult result = !supWatched_Tell( plan->watched, NULL, 0.0 ) ? sup_errorCanceled
                       : step == 0 ? set->basisRoom == 0 ? supFindMorphBasis( plan, set, error ) : sup_success
                       : step == 1 ? supFindMorphTargets( plan, set, share, error )
                                   : supFindMorphKeys( plan, set, error );
    supWatched_Leave( plan->watched, whole );
    return result;
}

static supResult supBakeSets( supMorphPlan* plan, double share, supError* error )
{
    supResult result = sup_success;
    for ( int32_t s = 0; s < plan->setCount && result == sup_success; ++s )
    {
        supMorphSet* set = plan->sets + s;
        supMorphSet_DropTargets( plan, set );
        supWatchedShare whole =
            supWatched_Enter( plan->watched, (double)s / plan->setCount, ( s + 1.0 ) / plan->setCount );
        for ( int step = 0; step < 3 && result == sup_success; ++step )
        {
            result = supRunSetStep( plan, set, step, share, error );
        }
        result = result == sup_success ? supShiftMorphKeys( plan, set, error ) : result;
        supWatched_Leave( plan->watched, whole );
    }
    return result;
}

/// One round, of which the last quarter is measuring.
static supResult supRunMorphRound( supMorphPlan* plan, double share, supMorphErrors* errors, supError* error )
{
    supWatchedShare whole = supWatched_Enter( plan->watched, 0.0, 0.75 );
    supResult result = supBakeSets( plan, share, error );
    supWatched_Leave( plan->watched, whole );
    bool goes = supWatched_Tell( plan->watched, NULL, 0.75 );
    return result == sup_success && goes ? supMeasureMorphs( plan, errors, error ) : result;
}

static double supWorstOfClips( const supMorphPlan* plan, const supMorphErrors* errors )
{
    double worst = 0.0;
    for ( int32_t t = 0; t < plan->def->takeCount; ++t )
    {
        worst = supMax( errors[t].maxError, worst );
    }
    return worst;
}

/// *unavoidable: the worst vertices of all clips that do not hold are off because the skin is flattened there, so that
/// no targets help.
static supResult supLookForFlatSkin(
    const supMorphPlan* plan, const supMorphErrors* errors, bool* unavoidable, supError* error )
{
    supMorphClock clock;
    if ( !supMakeMorphClock( &clock, plan ) )
    {
        return supFail( error, sup_errorMemory, "no memory for a pose" );
    }
    *unavoidable = true;
    for ( int32_t t = 0; t < plan->def->takeCount; ++t )
    {
        supMorphClock_Read( &clock, t, errors[t].worstTime );
        for ( int32_t s = 0; s < plan->setCount && errors[t].maxError > plan->tolerance; ++s )
        {
            const supMorphSet* set = plan->sets + s;
            for ( int32_t i = 0; i < set->count; ++i )
            {
                if ( plan->source.vertices[set->sources[i]] == errors[t].worstVertex )
                {
                    double loss = supLengthD( supMorphClock_Loss( &clock, set, i ) );
                    *unavoidable = *unavoidable && loss > 0.5 * errors[t].maxError;
                }
            }
        }
    }
    supMorphClock_Destroy( &clock );
    return sup_success;
}

static bool supKnowsNormals( const supMorphPlan* plan )
{
    return plan->def->source == NULL || plan->source.normals != NULL;
}

static supResult supFindAllNormals( const supMorphPlan* plan, supMorphErrors* errors, supError* error )
{
    supResult result = sup_success;
    for ( int32_t s = 0; s < plan->setCount && result == sup_success; ++s )
    {
        supMorphSet_DropBasis( plan, plan->sets + s );
        if ( plan->def->normals && supKnowsNormals( plan ) && plan->sets[s].targetCount > 0 )
        {
            result = supFindMorphNormals( plan, plan->sets + s, error );
        }
    }
    bool known = supKnowsNormals( plan );
    return result == sup_success && known ? supMeasureMorphNormals( plan, errors, error ) : result;
}

/// Motion can be quicker than frames: where the error does not hold at all times, there are twice as many.
static supResult supRunMorphPlan( supMorphPlan* plan, supMorphErrors* errors, supError* error )
{
    bool goes = supWatched_Tell( plan->watched, "morphs", 0.0 );
    supResult result = goes ? supReadMorphFrames( plan, error ) : sup_errorCanceled;
    double share = SUP_MORPH_TARGET_SHARE;
    const double normals = 0.9; // from here on it is they that are worked on
    double begun = 0.1;         // nobody knows how many rounds there will be: each takes most of what is left
    for ( int32_t round = 0; result == sup_success; ++round )
    {
        double end = begun + 0.7 * ( normals - begun );
        supWatchedShare whole = supWatched_Enter( plan->watched, begun, end );
        result = supRunMorphRound( plan, share, errors, error );
        supWatched_Leave( plan->watched, whole );
        begun = end;
        bool done = supWorstOfClips( plan, errors ) <= plan->tolerance || round + 1 == supMostRounds;
        if ( result == sup_success && !done )
        {
            result = supLookForFlatSkin( plan, errors, &done, error );
        }
        if ( result != sup_success || done )
        {
            break;
        }
        share *= 0.9;
        for ( int32_t s = 0; s < plan->setCount; ++s )
        {
            supMorphSet_DropTargets( plan, plan->sets + s );
        }
        result = supMorphPlan_Refine( plan ) ? supReadMorphFrames( plan, error )
                                             : supFail( error, sup_errorMemory, "no memory for more frames" );
    }
    goes = result == sup_success && supWatched_Tell( plan->watched, NULL, normals );
    result = goes ? supFindAllNormals( plan, errors, error ) : result;
    if ( goes && result == sup_success )
    {
        supWatched_Tell( plan->watched, NULL, 1.0 );
    }
    return result;
}

supResult supBakeMorphs( const supMorphBakeDef* def, supMorphBake** out, supError* error )
{
    assert( def != NULL && out != NULL );
    *out = NULL;
    supResult result = supCheckMorphBakeDef( def, error );
    if ( result != sup_success )
    {
        return result;
    }
    supMorphPlan plan;
    size_t bytes = ( (size_t)def->takeCount + 1 ) * sizeof( supMorphErrors );
    supMorphErrors* errors = supAllocZeroed( def->allocator, bytes, 1, _Alignof( supMorphErrors ) );
    supWatched watched = supStartWatched( &def->watch );
    supFloatSettings host = supEnterFloatSettings();
    result = supPlanMorphs( &plan, def, error );
    plan.watched = &watched;
    if ( result == sup_success && errors != NULL )
    {
        result = supWatched_End( &watched, supRunMorphPlan( &plan, errors, error ), error );
        *out = result == sup_success ? supHandOut( &plan, errors ) : NULL;
    }
    if ( result == sup_success && *out == NULL )
    {
        result = supFail( error, sup_errorMemory, "no memory for a bake of %d clips as morphs", def->takeCount );
    }
    supLeaveFloatSettings( host );
    supMorphPlan_Destroy( &plan );
    supFree( def->allocator, errors, bytes );
    return result;
}

void supDestroyMorphBake( supMorphBake* bake )
{
    if ( bake == NULL )
    {
        return;
    }
    supAllocator allocator = bake->allocator;
    for ( int32_t i = 0; i < bake->targetCount; ++i )
    {
        const supMorphTarget* target = bake->targets + i;
        supFree( &allocator, (void*)target->vertices, (size_t)target->count * sizeof( int32_t ) );
        supFree( &allocator, (void*)target->positions, (size_t)target->count * 3 * sizeof( float ) );
        supFree( &allocator, (void*)target->normalVertices, (size_t)target->normalCount * sizeof( int32_t ) );
        supFree( &allocator, (void*)target->normals, (size_t)target->normalCount * 3 * sizeof( float ) );
    }
    for ( int32_t s = 0; s < bake->groupCount; ++s )
    {
        for ( int32_t t = 0; t < bake->clipCount; ++t )
        {
            const supMorphKeys* keys = bake->keys + s * bake->clipCount + t;
            size_t cells = (size_t)keys->keyCount * (size_t)bake->groups[s].targetCount;
            supFree( &allocator, (void*)keys->times, (size_t)keys->keyCount * sizeof( float ) );
            supFree( &allocator, (void*)keys->weights, ( cells + 1 ) * sizeof( float ) );
        }
    }
    supFree( &allocator, bake, bake->blockSize );
}

// ---------------------------------------------------------------------------------------------------------------
// Looking

const supMorphBakeInfo* supMorphBake_Info( const supMorphBake* bake )
{
    return &bake->info;
}

uint64_t supMorphBake_ClipHash( const supMorphBake* bake, int32_t clip )
{
    supHash hash = supMakeHash();
    for ( int32_t g = 0; g < bake->groupCount; ++g )
    {
        const supMorphKeys* keys = bake->keys + g * bake->clipCount + clip;
        supHash_Floats( &hash, keys->times, (size_t)keys->keyCount );
        supHash_Floats( &hash, keys->weights, (size_t)keys->keyCount * (size_t)bake->groups[g].targetCount );
    }
    for ( int32_t i = 0; i < bake->targetCount; ++i )
    {
        const supMorphTarget* target = bake->targets + i;
        supHash_Ints( &hash, target->vertices, (size_t)target->count );
        supHash_Floats( &hash, target->positions, 3 * (size_t)target->count );
        supHash_Floats( &hash, target->normals, 3 * (size_t)target->normalCount );
    }
    return supHash_Value( &hash );
}
