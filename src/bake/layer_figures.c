// What each layer above flesh does, over a take.
// SPDX-License-Identifier: MIT

#include "bake/take_data.h"
#include "base/math.h"
#include "base/memory.h"
#include "body/body_data.h"
#include "layers/modes/modes.h"
#include "layers/muscles/ecorche_compile.h"
#include "layers/volume/volume.h"
#include "layers/wrinkles/wrinkles.h"
#include "rig/layer_list.h"
#include "rig/model_data.h"
#include "supple/lab/measures.h"
#include "supple/lab/states.h"

#include <string.h>

typedef struct supLayerWork
{
    const supTake* take;
    const supStackLayer* entry;
    int32_t at; ///< of the layer on the stack
    supBody* body;
    supPose* pose;
    supVec3 *before, *after; ///< skin without the layer and with it
    supVec3* first;          ///< what it moved vertices by at the start, one a vertex that it may move
} supLayerWork;

static supResult supLookAtLayer( supLayerWork* work, int32_t moment, supLayerReport* out, supError* error )
{
    const supTake* take = work->take;
    double share = (double)moment / ( supLayerMoments - 1 );
    double time = take->info.start + ( take->info.end - take->info.start ) * share;
    supPose_Sample( work->pose, take->clip, time );
    supBody_SetMorphWeights( work->body, supPose_MorphWeights( work->pose ) );
    supResult result = supTake_Show( take, time, supPose_Joints( work->pose ), work->body );
    if ( result != sup_success )
    {
        return supFail( error, result, "the pose at %g seconds is not finite", time );
    }
    bool closes = take->info.loops && moment == supLayerMoments - 1;
    if ( take->info.loops && ( moment == 0 || closes ) )
    {
        supOpenLayerGap( take, work->at, closes, work->body->layers.shown );
    }
    work->body->layers.applied = work->at;
    supBody_Skin( work->body, &work->before->x, NULL );
    work->body->layers.applied = work->at + 1;
    supBody_Skin( work->body, &work->after->x, NULL );
    supMat34 turn = supMatToFloat( take->root.motion );
    for ( int32_t i = 0; i < work->entry->touchedCount; ++i )
    {
        int32_t vertex = work->entry->touched[i];
        supVec3 move = supSub( work->after[vertex], work->before[vertex] );
        out->maxDisplacement = supMaxF( out->maxDisplacement, supLength( move ) );
        work->first[i] = moment == 0 ? move : work->first[i];
        float gap = closes ? supDistance( move, supTransformVector( turn, work->first[i] ) ) : 0.0f;
        out->seam = supMaxF( out->seam, gap );
    }
    return sup_success;
}

supResult supMeasureLayer( const supTake* take, int32_t layer, supLayerReport* out, supError* error )
{
    if ( take == NULL )
    {
        return supFail( error, sup_errorArgument, "there is no take to measure a layer over" );
    }
    const supModel* model = take->model;
    supLayerWork work = { .take = take, .at = supStack_Find( &model->stack, layer ) };
    *out = ( supLayerReport ){ 0 };
    if ( work.at < 0 )
    {
        return sup_success;
    }
    work.entry = model->stack.layers + work.at;
    out->itemCount = work.entry->itemCount;
    out->vertexCount = work.entry->touchedCount;
    out->resonance = supLayerResonance( take, work.at );
    out->cutCount = take->layers.cuts[work.at];
    out->stepCount = supIsStepped( work.entry ) ? take->layers.nodeCount - 1 : 0;
    size_t vertices = (size_t)supCharacter_Info( model->character )->vertexCount, touched = (size_t)out->vertexCount;
    size_t bytes = ( 2 * vertices + touched ) * sizeof( supVec3 );
    work.before = supAlloc( &take->allocator, bytes, _Alignof( supVec3 ) );
    bool fits = work.before != NULL && supCreateBody( model, &work.body, NULL ) == sup_success &&
                supCreatePose( model->character, SUP_MAKE_IN( &take->allocator ), &work.pose, NULL ) == sup_success;
    if ( fits )
    {
        work.after = work.before + vertices;
        work.first = work.after + vertices;
        supBody_SetExact( work.body, true );
    }
    supResult result = fits ? sup_success : supFail( error, sup_errorMemory, "no memory to measure layers" );
    for ( int32_t i = 0; i < supLayerMoments && result == sup_success && touched > 0; ++i )
    {
        result = supLookAtLayer( &work, i, out, error );
    }
    supDestroyBody( work.body );
    supDestroyPose( work.pose );
    supFree( &take->allocator, work.before, bytes );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Modes

/// Vertices of the parts that a mode moves.
static int32_t supModeVertices( const supModes* modes, int32_t mode )
{
    int32_t count = 0;
    for ( int32_t i = 0; i < modes->frameCount; ++i )
    {
        const supModeFrame* part = modes->frames + i;
        const supMode* of = modes->modes + part->mode;
        bool even = part->factor == 0.0f && of->element == modes->modes[mode].element &&
                    of->pattern == modes->modes[mode].pattern;
        count += even || ( part->factor != 0.0f && part->mode == mode ) ? part->count : 0;
    }
    return count;
}

enum
{
    supModeMoments = 4 ///< of each span between two nodes of a mode's path
};

/// The largest elongation that each mode shows over a take.
static void supLookAtModes( const supTake* take, int32_t layer, supPose* pose, supModeReport* out )
{
    for ( int32_t i = 0; i < take->swingCount; ++i )
    {
        const supTakeSwing* swing = take->swings + i;
        const double* times = swing->path.times;
        int32_t spans = swing->layer == layer ? swing->path.count - 1 : -1;
        for ( int32_t k = 0; k <= supModeMoments * spans; ++k )
        {
            int32_t at = k / supModeMoments, next = at < spans ? at + 1 : at;
            double share = (double)( k % supModeMoments ) / supModeMoments;
            double time = times[at] + share * ( times[next] - times[at] );
            supPose_Sample( pose, take->clip, time );
            float length = supLength( supTakeSwingAt( take, i, time, supPose_Joints( pose ) ) );
            out[swing->index].largest = supMaxF( out[swing->index].largest, length );
        }
    }
}

supResult supMeasureModes(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supModeReport* out, supError* error )
{
    int32_t at = supStack_Find( &model->stack, sup_layerModes );
    supResult result = supCheckTakes( model, takes, takeCount, 1.0, error );
    if ( at < 0 || result != sup_success )
    {
        return result;
    }
    const supModes* modes = model->stack.layers[at].compiled;
    for ( int32_t i = 0; i < modes->count; ++i )
    {
        const supMode* mode = modes->modes + i;
        out[i] = ( supModeReport ){ .name = mode->name,
            .element = mode->element,
            .turns = mode->motion == sup_modeTurn,
            .vertexCount = supModeVertices( modes, i ) };
    }
    supPose* pose = NULL;
    result = supCreatePose( model->character, SUP_MAKE_IN( &model->allocator ), &pose, error );
    for ( int32_t t = 0; t < takeCount && result == sup_success; ++t )
    {
        supLookAtModes( takes[t], at, pose, out );
    }
    supDestroyPose( pose );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// How well folds keep the length of their lines.

/// A piece of a line that is shorter than this share of its length at rest counts as shortened.
static const float supShortened = 0.999f;

static void supLookAtFolds( const supStackLayer* entry, supSkinsBeside skins, void* user )
{
    supWrinkleReport* reports = user;
    for ( int32_t i = 0; i < entry->itemCount; ++i )
    {
        for ( int32_t f = 0; f < reports[i].folds; ++f )
        {
            float rest, before = supWrinkleLength( entry->compiled, i, f, skins.without, &rest );
            float after = supWrinkleLength( entry->compiled, i, f, skins.with, &rest );
            bool shortened = before < supShortened * rest;
            float* off = shortened ? &reports[i].with : &reports[i].stretched;
            *off = supMaxF( *off, supAbsF( after - ( shortened ? rest : before ) ) / rest );
            reports[i].without = supMaxF( reports[i].without, 1.0f - before / rest );
        }
    }
}

supResult supMeasureWrinkles(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supWrinkleReport* out, supError* error )
{
    int32_t at = supStack_Find( &model->stack, sup_layerWrinkles );
    if ( at < 0 )
    {
        return sup_success;
    }
    const supStackLayer* entry = model->stack.layers + at;
    for ( int32_t i = 0; i < entry->itemCount; ++i )
    {
        out[i] = ( supWrinkleReport ){ .name = supStackLayer_Name( entry, i ),
            .folds = supWrinkleFolds( entry->compiled, i ) };
        const supVec3* rest = (const supVec3*)supCharacter_Info( model->character )->restPositions;
        for ( int32_t f = 0; f < out[i].folds; ++f )
        {
            float length;
            supWrinkleLength( entry->compiled, i, f, rest, &length );
            out[i].length += length;
        }
    }
    bool fits = supVisitLayerSkins( model, at, takes, takeCount, supLookAtFolds, out );
    return fits ? sup_success : supFail( error, sup_errorMemory, "no memory to measure wrinkles" );
}

// ---------------------------------------------------------------------------------------------------------------
// How well the écorché's rays hold on to its surface, over takes.

/// Frames a second that are looked at.
static const double supRayRate = 60.0;

static void supWatchTake( const supTake* take, supBody* body, supPose* pose, supEcorcheReport* out )
{
    int32_t at = supStack_Find( &body->model->stack, sup_layerEcorche );
    double start = take->info.start, end = take->info.end;
    int32_t frames = (int32_t)( ( end - start ) * supRayRate ) + 1;
    supBody_Reset( body );
    body->jumps.inClip = true;
    for ( int32_t f = 0; f <= frames; ++f )
    {
        double time = start + ( end - start ) * f / frames;
        supPose_Sample( pose, take->clip, time );
        if ( supBody_Step( body, supPose_Joints( pose ), supMat34_identity,
                 f == 0 ? 0.0f : (float)( 1.0 / supRayRate ) ) != sup_success )
        {
            continue;
        }
        supEcorcheAudit audit =
            supAuditEcorche( body->model->stack.layers[at].compiled, body->layers.layers[at].state );
        out->rays = audit.rays;
        out->outside = audit.outside;
        out->followed = audit.followed;
        out->lost = audit.lost > out->lost ? audit.lost : out->lost;
        out->farthest = supMaxF( out->farthest, audit.farthest );
        out->frames += 1;
    }
}

supResult supMeasureEcorche(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supEcorcheReport* out, supError* error )
{
    *out = ( supEcorcheReport ){ 0 };
    if ( supModel_ItemCount( model, sup_layerEcorche ) == 0 )
    {
        return sup_success;
    }
    supBody* body = NULL;
    supPose* pose = NULL;
    supResult result = supCreateBody( model, &body, error );
    result = result == sup_success ? supCreatePose( model->character, SUP_MAKE_IN( &model->allocator ), &pose, error )
                                   : result;
    for ( int32_t t = 0; t < takeCount && result == sup_success; ++t )
    {
        supWatchTake( takes[t], body, pose, out );
    }
    supDestroyPose( pose );
    supDestroyBody( body );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// What becomes of muscles over takes.

enum
{
    supMuscleMoments = 33 ///< of a take
};

static void supNoteMuscle( const supMuscleView* view, supMuscleReport* out )
{
    float ratio = view->restLength > 0.0f ? view->length / view->restLength : 1.0f;
    float change = view->restVolume > 0.0f ? supAbsF( view->volume / view->restVolume - 1.0f ) : 0.0f;
    out->name = view->name;
    out->restVolume = view->restVolume;
    out->shortest = supMinF( out->shortest, ratio );
    out->longest = supMaxF( out->longest, ratio );
    out->volumeChange = supMaxF( out->volumeChange, change );
    out->contraction = supMaxF( out->contraction, view->contraction );
    out->cuts = view->cuts > out->cuts ? view->cuts : out->cuts;
    out->deepest = supMaxF( out->deepest, view->deepest );
}

static void supLookAtMuscles( const supTake* take, double time, supPose* pose, supBody* body, supMuscleView* views,
    int32_t count, supMuscleReport* out )
{
    supPose_Sample( pose, take->clip, time );
    supTake_Show( take, time, supPose_Joints( pose ), body );
    supBody_Muscles( body, views );
    for ( int32_t m = 0; m < count; ++m )
    {
        supNoteMuscle( views + m, out + m );
    }
}

supResult supMeasureMuscles(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supMuscleReport* out, supError* error )
{
    supBody* body = NULL;
    supPose* pose = NULL;
    supResult result = supCreateBody( model, &body, error );
    int32_t count = result == sup_success ? supBody_Muscles( body, NULL ) : 0;
    supMuscleView* views =
        supAllocZeroed( &model->allocator, (size_t)count + 1, sizeof( supMuscleView ), _Alignof( supMuscleView ) );
    result = result == sup_success && views == NULL
                 ? supFail( error, sup_errorMemory, "no memory for %d muscles", count )
                 : result;
    result = result == sup_success ? supCreatePose( model->character, SUP_MAKE_IN( &model->allocator ), &pose, error )
                                   : result;
    for ( int32_t m = 0; m < count; ++m )
    {
        out[m] = ( supMuscleReport ){ .shortest = 1.0f, .longest = 1.0f };
    }
    for ( int32_t i = 0; i < takeCount * supMuscleMoments && result == sup_success && count > 0; ++i )
    {
        const supTake* take = takes[i / supMuscleMoments];
        double share = (double)( i % supMuscleMoments ) / ( supMuscleMoments - 1 );
        supLookAtMuscles(
            take, take->info.start + ( take->info.end - take->info.start ) * share, pose, body, views, count, out );
    }
    supFree( &model->allocator, views, ( (size_t)count + 1 ) * sizeof( supMuscleView ) );
    supDestroyPose( pose );
    supDestroyBody( body );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// How well elements keep their volume, with the layer and without.

enum
{
    supVolumeMoments = 33 ///< of a take
};

typedef struct supVolumeWork
{
    const supStackLayer* entry;
    int32_t at; ///< of the layer on the stack
    supBody* body;
    supPose* pose;
    supVec3 *smooth, *living;
    float* amounts; ///< of the items, as the take has them
} supVolumeWork;

static supResult supLookAtVolumes(
    supVolumeWork* work, const supTake* take, double time, supVolumeReport* out, supError* error )
{
    supPose_Sample( work->pose, take->clip, time );
    supBody_SetMorphWeights( work->body, supPose_MorphWeights( work->pose ) );
    supResult result = supTake_Show( take, time, supPose_Joints( work->pose ), work->body );
    if ( result != sup_success )
    {
        return supFail( error, result, "the pose at %g seconds is not finite", time );
    }
    supBody_SmoothSkin( work->body, &work->smooth->x, NULL );
    float* live = work->body->layers.layers[work->at].live;
    memcpy( work->amounts, live, sizeof( float ) * (size_t)work->entry->itemCount );
    for ( int with = 0; with < 2; ++with )
    {
        for ( int32_t i = 0; i < work->entry->itemCount; ++i )
        {
            live[i] = with == 1 ? work->amounts[i] : 0.0f;
        }
        supBody_Skin( work->body, &work->living->x, NULL );
        for ( int32_t i = 0; i < work->entry->itemCount; ++i )
        {
            float volume;
            double change = supVolumes_Change( work->entry->compiled, i, work->smooth, work->living, &volume );
            float share = volume > 0.0f ? (float)( supAbs( change ) / volume ) : 0.0f;
            float* worst = with == 1 ? &out[i].with : &out[i].without;
            *worst = supMaxF( *worst, share );
        }
    }
    return sup_success;
}

supResult supMeasureVolumes(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supVolumeReport* out, supError* error )
{
    supVolumeWork work = { .at = supStack_Find( &model->stack, sup_layerVolume ) };
    supResult result = supCheckTakes( model, takes, takeCount, 1.0, error );
    if ( work.at < 0 || result != sup_success )
    {
        return result;
    }
    work.entry = model->stack.layers + work.at;
    size_t vertices = (size_t)supCharacter_Info( model->character )->vertexCount;
    size_t bytes = 2 * vertices * sizeof( supVec3 ) + (size_t)work.entry->itemCount * sizeof( float );
    work.smooth = supAlloc( &model->allocator, bytes, _Alignof( supVec3 ) );
    bool fits = work.smooth != NULL && supCreateBody( model, &work.body, NULL ) == sup_success &&
                supCreatePose( model->character, SUP_MAKE_IN( &model->allocator ), &work.pose, NULL ) == sup_success;
    work.living = work.smooth != NULL ? work.smooth + vertices : NULL;
    work.amounts = work.smooth != NULL ? (float*)( work.living + vertices ) : NULL;
    for ( int32_t i = 0; i < work.entry->itemCount; ++i )
    {
        out[i] = ( supVolumeReport ){ supStackLayer_Name( work.entry, i ), 0.0f, 0.0f };
    }
    result = fits ? sup_success : supFail( error, sup_errorMemory, "no memory to measure volumes" );
    if ( fits )
    {
        supBody_SetExact( work.body, true );
    }
    for ( int32_t n = 0; n < takeCount * supVolumeMoments && result == sup_success; ++n )
    {
        const supTakeInfo* info = &takes[n / supVolumeMoments]->info;
        double share = (double)( n % supVolumeMoments ) / ( supVolumeMoments - 1 );
        double time = info->start + ( info->end - info->start ) * share;
        result = supLookAtVolumes( &work, takes[n / supVolumeMoments], time, out, error );
    }
    supDestroyBody( work.body );
    supDestroyPose( work.pose );
    supFree( &model->allocator, work.smooth, bytes );
    return result;
}
