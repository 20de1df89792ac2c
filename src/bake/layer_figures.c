// What each layer above flesh does, over a take.
// SPDX-License-Identifier: MIT

#include "bake/layer_rounds.h"
#include "bake/layer_take.h"
#include "bake/swing_take.h"
#include "base/math.h"
#include "base/memory.h"
#include "body/body_data.h"
#include "layers/modes/modes.h"
#include "rig/layer_list.h"
#include "supple/lab/measures.h"

enum
{
    supLayerMoments = 33 ///< of a take
};

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
                supCreatePose( model->character, &take->allocator, &work.pose, NULL ) == sup_success;
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
    for ( int32_t i = 0; i < modes->partCount; ++i )
    {
        const supModePart* part = modes->parts + i;
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
    result = supCreatePose( model->character, &model->allocator, &pose, error );
    for ( int32_t t = 0; t < takeCount && result == sup_success; ++t )
    {
        supLookAtModes( takes[t], at, pose, out );
    }
    supDestroyPose( pose );
    return result;
}
