// Layers with a motion of their own, along a clip.
// SPDX-License-Identifier: MIT
//
// Layers that are nothing but springs on joints have a closed form between the keys of a clip (take.c). Others
// are stepped along the pose as it is played, at a fine rate that is the layer's to choose, and what they show is kept
// at every step; cycles round after round (layer_rounds.c).

#include "bake/take_data.h"

#include "base/math.h"
#include "base/memory.h"
#include "body/body_data.h"

#include <string.h>

enum
{
    supLeastNodes = 8, ///< of a cycle, however short
};

static const double supTakeRate = 120.0;

/// 0: nothing is stepped.
static double supRateOf( const supModel* model )
{
    double rate = 0.0;
    for ( int32_t i = 0; i < model->stack.count; ++i )
    {
        const supStackLayer* entry = model->stack.layers + i;
        double own = supIsStepped( entry ) ? (double)entry->layer->motion->takeRate : 0.0;
        rate = supIsStepped( entry ) ? supMax( rate, own > 0.0 ? own : supTakeRate ) : rate;
    }
    return rate;
}

/// One a float, and one a layer.
static int32_t supLayerGapCount( const supTake* take )
{
    return take->layers.floatCount + take->model->stack.count;
}

supResult supRecordLayers( supTake* take, supBody* body, supWatched* watched, supError* error )
{
    supLayerTake* layers = &take->layers;
    double rate = supRateOf( take->model );
    if ( !( rate > 0.0 ) )
    {
        return sup_success;
    }
    supResult result = supCheckFrames( take->model, take->clip, rate, error );
    if ( result != sup_success )
    {
        return result;
    }
    double nodes = supFloor( ( take->info.end - take->info.start ) * rate + 0.5 ) + 1.0;
    layers->floatCount = supStackShownCount( take->model );
    layers->nodeCount = (int32_t)supMax( nodes, take->info.loops ? supLeastNodes : 2 );
    layers->values = supAllocZeroed(
        &take->allocator, (size_t)layers->nodeCount, (size_t)layers->floatCount * sizeof( float ), _Alignof( float ) );
    layers->gaps =
        supAllocZeroed( &take->allocator, (size_t)supLayerGapCount( take ), sizeof( float ), _Alignof( float ) );
    supPose* pose = NULL;
    result = layers->values != NULL && layers->gaps != NULL
                 ? supCreatePose( take->model->character, SUP_MAKE_IN( &take->allocator ), &pose, error )
                 : supFail( error, sup_errorMemory,
                       "clip \"%s\" lasts %.4g seconds: no memory for %d steps of %d floats; bake a shorter clip",
                       supCharacter_Clip( take->model->character, take->clip ).name, take->info.end - take->info.start,
                       layers->nodeCount, layers->floatCount );
    if ( result == sup_success )
    {
        result = supRunRounds( take, body, pose, watched, error );
    }
    supDestroyPose( pose );
    return result;
}

void supDropLayers( supTake* take )
{
    supLayerTake* layers = &take->layers;
    supFree(
        &take->allocator, layers->values, (size_t)layers->nodeCount * (size_t)layers->floatCount * sizeof( float ) );
    supFree( &take->allocator, layers->gaps, (size_t)supLayerGapCount( take ) * sizeof( float ) );
    supFree( &take->allocator, layers->live, (size_t)layers->liveCount * sizeof( float ) );
    *layers = ( supLayerTake ){ 0 };
}

// ---------------------------------------------------------------------------------------------------------------
// Live fields

void supCopyLiveFields( supBody* body, const supBody* from )
{
    const supStack* stack = &body->model->stack;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        supBodyLayer* layer = body->layers.layers + i;
        memcpy( layer->live, from->layers.layers[i].live, (size_t)entry->allLive * sizeof( float ) );
        supBodyLayer_Tuned( entry, layer );
    }
}

supResult supKeepLiveFields( supTake* take, const supBody* body, supError* error )
{
    const supStack* stack = &take->model->stack;
    supLayerTake* layers = &take->layers;
    size_t count = 0, at = 0;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        count += (size_t)stack->layers[i].allLive;
    }
    float* live = supAllocZeroed( &take->allocator, count + 1, sizeof( float ), _Alignof( float ) );
    if ( live == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %zu live fields", count );
    }
    layers->live = live;
    layers->liveCount = (int32_t)( count + 1 );
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        size_t own = (size_t)stack->layers[i].allLive;
        memcpy( live + at, body->layers.layers[i].live, own * sizeof( float ) );
        at += own;
    }
    return sup_success;
}

void supShowLiveFields( const supTake* take, supBody* body )
{
    const supStack* stack = &take->model->stack;
    size_t at = 0;
    for ( int32_t i = 0; i < stack->count && take->layers.live != NULL; ++i )
    {
        size_t own = (size_t)stack->layers[i].allLive;
        if ( stack->layers[i].layer->apply != NULL ) // which reads them
        {
            memcpy( body->layers.layers[i].live, take->layers.live + at, own * sizeof( float ) );
        }
        at += own;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Any time

/// A node before the first or after the last: of a cycle the one a round away, else the end itself.
static const float* supNodeAt( const supTake* take, int32_t node )
{
    const supLayerTake* layers = &take->layers;
    int32_t last = layers->nodeCount - 1;
    if ( take->info.loops )
    {
        node = node < 0 ? node + last : node > last ? node - last : node;
    }
    node = node < 0 ? 0 : node > last ? last : node;
    return layers->values + (size_t)node * (size_t)layers->floatCount;
}

/// Of layers that are stepped.
static void supPlayRecord( const supTake* take, double time, float* shown )
{
    const supLayerTake* layers = &take->layers;
    double span = take->info.end - take->info.start;
    double at = span > 0.0 ? supClamp( ( time - take->info.start ) / span, 0.0, 1.0 ) * ( layers->nodeCount - 1 ) : 0.0;
    int32_t node = (int32_t)at;
    node = node > layers->nodeCount - 2 ? layers->nodeCount - 2 : node;
    double t = at - node, t2 = t * t, t3 = t2 * t;
    // Catmull, Rom, "A class of local interpolating splines", 1974
    double w[4] = { 0.5 * ( -t3 + 2.0 * t2 - t ), 0.5 * ( 3.0 * t3 - 5.0 * t2 + 2.0 ),
        0.5 * ( -3.0 * t3 + 4.0 * t2 + t ), 0.5 * ( t3 - t2 ) };
    const float *a = supNodeAt( take, node - 1 ), *b = supNodeAt( take, node ), *c = supNodeAt( take, node + 1 ),
                *d = supNodeAt( take, node + 2 );
    for ( int32_t i = 0; i < layers->floatCount; ++i )
    {
        shown[i] = (float)( w[0] * a[i] + w[1] * b[i] + w[2] * c[i] + w[3] * d[i] );
    }
}

void supOpenLayerGap( const supTake* take, int32_t layer, bool end, float* shown )
{
    const supStack* stack = &take->model->stack;
    int32_t first = 0;
    for ( int32_t i = 0; i < layer; ++i )
    {
        first += stack->layers[i].shownCount;
    }
    for ( int32_t i = first; i < first + stack->layers[layer].shownCount && take->layers.gaps != NULL; ++i )
    {
        shown[i] += ( end ? 0.5f : -0.5f ) * take->layers.gaps[i];
    }
}

float supLayerResonance( const supTake* take, int32_t layer )
{
    return take->layers.gaps != NULL ? take->layers.gaps[take->layers.floatCount + layer] : 0.0f;
}

void supTakeLayers( const supTake* take, double time, const supMat34* joints, float* shown )
{
    if ( take->layers.floatCount > 0 )
    {
        supPlayRecord( take, time, shown );
    }
    supTakeSwings( take, time, joints, shown );
}

// ---------------------------------------------------------------------------------------------------------------
// The skin over takes, without one layer and with it: what reports compare.

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
                supCreatePose( model->character, SUP_MAKE_IN( &model->allocator ), &skins.pose, NULL ) == sup_success;
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
