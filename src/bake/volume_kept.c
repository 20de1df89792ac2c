// How well elements keep their volume, with the layer and without.
// SPDX-License-Identifier: MIT

#include "bake/take_data.h"
#include "base/math.h"
#include "base/memory.h"
#include "body/body_data.h"
#include "layers/volume/volume_keep.h"
#include "rig/layer_list.h"
#include "supple/lab/measures.h"

#include <string.h>

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
                supCreatePose( model->character, &model->allocator, &work.pose, NULL ) == sup_success;
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
