// The skin over takes, without one layer and with it: what reports compare.
// SPDX-License-Identifier: MIT

#include "bake/layer_skins.h"

#include "bake/take_data.h"
#include "base/memory.h"
#include "body/body_data.h"

#include <string.h>

typedef struct supLayerSkins
{
    const supStackLayer* entry;
    int32_t at;
    supBody* body;
    supPose* pose;
    size_t vertexCount;
    supVec3* places; ///< three skins
    float* amounts;  ///< of the items, as the take has them
} supLayerSkins;

static void supShowBoth( supLayerSkins* skins, const supTake* take, double time, supLayerSkinsVisit* visit, void* user )
{
    supPose_Sample( skins->pose, take->clip, time );
    supBody_SetMorphWeights( skins->body, supPose_MorphWeights( skins->pose ) );
    supTake_Show( take, time, supPose_Joints( skins->pose ), skins->body );
    supBody_SmoothSkin( skins->body, &skins->places->x, NULL );
    const supVec3* smooth = skins->places;
    supBody_Skin( skins->body, &skins->places[2 * skins->vertexCount].x, NULL ); // with what the take has of it
    float* live = skins->body->layers.layers[skins->at].live;
    size_t bytes = sizeof( float ) * (size_t)skins->entry->itemCount;
    memcpy( skins->amounts, live, bytes );
    memset( live, 0, bytes );
    supBody_Skin( skins->body, &skins->places[skins->vertexCount].x, NULL );
    memcpy( live, skins->amounts, bytes );
    visit( skins->entry, ( supSkinsBeside ){ smooth, smooth + skins->vertexCount, smooth + 2 * skins->vertexCount },
        user );
}

bool supVisitLayerSkins( const supModel* model, int32_t at, const supTake* const* takes, int32_t takeCount,
    supLayerSkinsVisit* visit, void* user )
{
    supLayerSkins skins = { .entry = model->stack.layers + at,
        .at = at,
        .vertexCount = (size_t)supCharacter_Info( model->character )->vertexCount };
    size_t bytes = 3 * skins.vertexCount * sizeof( supVec3 ) + (size_t)skins.entry->itemCount * sizeof( float );
    skins.places = supAlloc( &model->allocator, bytes, _Alignof( supVec3 ) );
    skins.amounts = skins.places != NULL ? (float*)( skins.places + 3 * skins.vertexCount ) : NULL;
    bool fits = skins.places != NULL && supCreateBody( model, &skins.body, NULL ) == sup_success &&
                supCreatePose( model->character, &model->allocator, &skins.pose, NULL ) == sup_success;
    for ( int32_t i = 0; i < takeCount * supLayerMoments && fits; ++i )
    {
        const supTake* take = takes[i / supLayerMoments];
        double share = (double)( i % supLayerMoments ) / ( supLayerMoments - 1 );
        supShowBoth( &skins, take, take->info.start + ( take->info.end - take->info.start ) * share, visit, user );
    }
    supDestroyBody( skins.body );
    supDestroyPose( skins.pose );
    supFree( &model->allocator, skins.places, bytes );
    return fits;
}
