// The bake as joints: life cycle.
// SPDX-License-Identifier: MIT

#include "bake/error_plan.h"
#include "bake/joint_bake_data.h"
#include "base/float_settings.h"
#include "base/hash.h"
#include "base/math.h"
#include "base/tasks.h"
#include "base/watched.h"
#include "supple/lab/hashes.h"

#include <assert.h>
#include <string.h>

#define SUP_JOINT_BAKE_COOKIE 0x4a424b45

supJointBakeDef supDefaultJointBakeDef( void )
{
    return ( supJointBakeDef ){ .fps = 30.0f, .tolerance = 5e-4f, .influences = 4, .cookie = SUP_JOINT_BAKE_COOKIE };
}

static supResult supCheckJointBakeDef( const supJointBakeDef* def, supError* error )
{
    if ( def->cookie != SUP_JOINT_BAKE_COOKIE || def->model == NULL )
    {
        return supFail(
            error, sup_errorArgument, "the bake's def was not made by supDefaultJointBakeDef, or has no model" );
    }
    if ( !( def->fps >= 1.0f && def->fps <= 1000.0f ) )
    {
        return supFail( error, sup_errorArgument, "%g keys per second; give 1 to 1000", (double)def->fps );
    }
    if ( !( def->tolerance >= 1e-6f && def->tolerance <= 1.0f ) )
    {
        return supFail(
            error, sup_errorArgument, "a tolerance of %g of the size; give 1e-6 to 1", (double)def->tolerance );
    }
    if ( def->influences != 4 && def->influences != 8 )
    {
        return supFail( error, sup_errorArgument, "%d influences per vertex; give 4 or 8", def->influences );
    }
    return supCheckTakes( def->model, def->takes, def->takeCount, def->fps, error );
}

// ---------------------------------------------------------------------------------------------------------------
// Clips, on any threads

typedef struct supClipWork
{
    supJointBake* bake;
    const supJointBakeDef* def;
    const supErrorPlan* plan;
    supWatched* watched;  ///< NULL: clips are worked on side by side
    const int32_t* order; ///< the longest first: whoever is done early finds short ones left
    supResult* results;
} supClipWork;

static void supBakeClip( int32_t place, void* context )
{
    supClipWork* work = context;
    int32_t index = work->order[place];
    if ( !supWatched_Tell( work->watched, NULL, 0.3 + 0.7 * place / work->bake->clipCount ) )
    {
        work->results[index] = sup_errorCanceled;
        return;
    }
    const supTake* take = work->def->takes[index];
    supBakedClip* clip = work->bake->clips + index;
    clip->clip = take->clip;
    supResult result = supBakeClipKeys( work->bake, work->plan, work->def, take, clip );
    work->results[index] = result == sup_success ? supMeasureClip( work->bake, work->plan, take, clip ) : result;
}

static double supTakeSpan( const supTake* take )
{
    return take->info.end - take->info.start;
}

static void supOrderTakes( const supJointBakeDef* def, int32_t* order )
{
    for ( int32_t i = 0; i < def->takeCount; ++i )
    {
        int32_t at = i;
        for ( ; at > 0 && supTakeSpan( def->takes[order[at - 1]] ) < supTakeSpan( def->takes[i] ); --at )
        {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

static supResult supBakeClips( supJointBake* bake, const supJointBakeDef* def, supWatched* watched, supError* error )
{
    size_t count = (size_t)bake->clipCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supResult, results, count + 1 );
    SUP_PUT_NEW( &layout, int32_t, order, count );
    char* block = supAllocLayout( &bake->allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %d clips", bake->clipCount );
    }
    supOrderTakes( def, order );
    supErrorPlan plan;
    supResult result = supMakeErrorPlan( &plan, bake, error );
    if ( result == sup_success )
    {
        bool here = def->tasks == NULL || def->tasks->run == NULL;
        supClipWork work = { bake, def, &plan, here ? watched : NULL, order, results };
        supRunTasks( def->tasks, supBakeClip, bake->clipCount, &work );
        supErrorPlan_Destroy( &plan, &bake->allocator );
    }
    for ( size_t i = 0; i < count && result == sup_success; ++i )
    {
        result = results[i];
        if ( result != sup_success )
        {
            supFail( error, result, "no memory for the keys of clip \"%s\"",
                supCharacter_Clip( bake->model->character, bake->clips[i].clip ).name );
        }
    }
    supFree( &bake->allocator, block, layout.size );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

static supJointBake* supAllocJointBake( const supJointBakeDef* def )
{
    const supCharacter* character = def->model->character;
    size_t joints = (size_t)supCharacter_Info( character )->jointCount, kinds = (size_t)def->model->motions->kindCount;
    int32_t meshes = supCharacter_Info( character )->meshCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supJointBake, bake, 1 );
    SUP_PUT_NEW( &layout, supBakedMesh, meshesRoom, meshes );
    SUP_PUT_NEW( &layout, supBakedClip, clips, def->takeCount );
    SUP_PUT_NEW_ROWS( &layout, int32_t, helpers, joints, kinds );
    char* block = supAllocLayout( def->allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    *bake = ( supJointBake ){ .allocator = supKeepAllocator( def->allocator ),
        .model = def->model,
        .size = supCharacter_Info( character )->size,
        .meshCount = meshes,
        .clipCount = def->takeCount,
        .isDriven = def->modelHelpersOnly,
        .meshes = meshesRoom,
        .clips = clips,
        .helperOf = helpers,
        .refits = supMakeArray( sizeof( supRefit ), def->allocator ),
        .helpers = supMakeArray( sizeof( supBakedHelper ), def->allocator ),
        .turns = supMakeArray( sizeof( int32_t ), def->allocator ),
        .mixes = supMakeArray( sizeof( float ), def->allocator ),
        .blockSize = layout.size };
    memset( bake->helperOf, 0xff, joints * kinds * sizeof( int32_t ) );
    return bake;
}

/// The model's helpers.
static supResult supTakeHelpers( supJointBake* bake, supError* error )
{
    const supModel* model = bake->model;
    size_t joints = (size_t)supCharacter_Info( model->character )->jointCount, count = (size_t)model->motions->count;
    float* mix = supAllocZeroed( &bake->allocator, count + 1, sizeof( float ), _Alignof( float ) );
    bool fits = mix != NULL;
    for ( int32_t i = 0; i < model->helperCount && fits; ++i )
    {
        const supHelperView* from = model->helpers + i;
        supBakedHelper helper = { from->joint, from->element, from->turns, from->place };
        bake->helperOf[(size_t)from->kind * joints + (size_t)from->joint] = i;
        for ( size_t m = 0; m < count; ++m )
        {
            mix[m] = supSkinMotions_Mix( model->motions, from->kind, (int32_t)m );
        }
        fits = supAddBakedHelper( bake, helper, model->motions->kinds[from->kind].turn, mix ) >= 0;
    }
    supFree( &bake->allocator, mix, ( count + 1 ) * sizeof( float ) );
    return fits ? sup_success : supFail( error, sup_errorMemory, "no memory for %d helper joints", model->helperCount );
}

static supJointBakeInfo supDescribeJointBake( const supJointBake* bake )
{
    return ( supJointBakeInfo ){ .helperCount = supBakedHelperCount( bake ),
        .helpers = bake->helpers.data,
        .turningCount = bake->turningCount,
        .meshCount = bake->meshCount,
        .meshes = bake->meshes,
        .clipCount = bake->clipCount,
        .clips = bake->clips,
        .refittedCount = (int32_t)bake->refits.count,
        .refitError = bake->refitError,
        .refitEdgeJump = bake->refitEdgeJump };
}

supResult supBakeJoints( const supJointBakeDef* def, supJointBake** out, supError* error )
{
    assert( def != NULL && out != NULL );
    *out = NULL;
    supResult result = supCheckJointBakeDef( def, error );
    if ( result != sup_success )
    {
        return result;
    }
    supJointBake* bake = supAllocJointBake( def );
    if ( bake == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a bake of %d clips", def->takeCount );
    }
    supFloatSettings host = supEnterFloatSettings();
    supWatched watched = supStartWatched( &def->watch );
    result = supWatched_Tell( &watched, "influences", 0.0 ) ? supTakeHelpers( bake, error ) : sup_errorCanceled;
    result = result == sup_success ? supMakeInfluences( bake, def->influences, error ) : result;
    result = result == sup_success ? supRefitInfluences( bake, def, error ) : result;
    if ( result == sup_success && supWatched_Tell( &watched, "keys", 0.3 ) )
    {
        result = supBakeClips( bake, def, &watched, error );
    }
    if ( result == sup_success )
    {
        supWatched_Tell( &watched, NULL, 1.0 );
    }
    result = supWatched_End( &watched, result, error );
    if ( result == sup_success )
    {
        bake->info = supDescribeJointBake( bake );
        *out = bake;
    }
    else
    {
        supDestroyJointBake( bake );
    }
    supLeaveFloatSettings( host );
    return result;
}

/// Bytes of a clip's values, `width` floats a key, of `helpers` helpers.
static size_t supValueBytes( const supBakedClip* clip, size_t width, size_t helpers )
{
    return sizeof( float ) * width * (size_t)clip->keyCount * helpers * ( clip->keys == sup_keysCubic ? 3 : 1 );
}

void supDestroyJointBake( supJointBake* bake )
{
    if ( bake == NULL )
    {
        return;
    }
    supAllocator allocator = bake->allocator;
    for ( int32_t m = 0; m < bake->meshCount; ++m )
    {
        supBakedMesh* mesh = bake->meshes + m;
        size_t cells =
            (size_t)supCharacter_Mesh( bake->model->character, m ).vertexCount * (size_t)mesh->influenceCount;
        supFree( &allocator, (void*)mesh->joints, cells * sizeof( int32_t ) );
        supFree( &allocator, (void*)mesh->weights, cells * sizeof( float ) );
    }
    for ( int32_t i = 0; i < bake->clipCount; ++i )
    {
        supBakedClip* clip = bake->clips + i;
        supFree( &allocator, (void*)clip->times, sizeof( float ) * (size_t)clip->keyCount );
        supFree( &allocator, (void*)clip->translations, supValueBytes( clip, 3, bake->helpers.count ) );
        supFree( &allocator, (void*)clip->rotations, supValueBytes( clip, 4, (size_t)bake->turningCount ) );
    }
    supArray_Destroy( &bake->refits );
    supArray_Destroy( &bake->helpers );
    supArray_Destroy( &bake->turns );
    supArray_Destroy( &bake->mixes );
    supFree( &allocator, bake, bake->blockSize );
}

// ---------------------------------------------------------------------------------------------------------------
// Looking

const supJointBakeInfo* supJointBake_Info( const supJointBake* bake )
{
    return &bake->info;
}

// ---------------------------------------------------------------------------------------------------------------
// A hash of what a baked clip holds.

uint64_t supJointBake_ClipHash( const supJointBake* bake, int32_t index )
{
    const supBakedClip* clip = bake->clips + index;
    size_t values = (size_t)clip->keyCount * 3 * ( clip->keys == sup_keysCubic ? 3 : 1 );
    supHash hash = supMakeHash();
    supHash_Floats( &hash, clip->times, (size_t)clip->keyCount );
    supHash_Floats( &hash, clip->translations, values * (size_t)supJointBake_Info( bake )->helperCount );
    if ( bake->turningCount > 0 )
    {
        supHash_Floats( &hash, clip->rotations, values / 3 * 4 * (size_t)bake->turningCount );
    }
    return supHash_Value( &hash );
}
