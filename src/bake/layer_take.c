// Layers with a motion of their own, along a clip.
// SPDX-License-Identifier: MIT
//
// Flesh has a closed form between the keys of a clip, and layers that are nothing but springs on joints have it too
// (swing_take.c). Others are stepped along the pose as it is played, at a fine rate that is the layer's to choose, and
// what they show is kept at every step. A cycle is run again and again, each time with the world moved on
// by the root's motion, so that the layers feel one unbroken walk, until the end of a round returns to its start.
// (Damped layers forget their start by a constant factor a round: about ln( 1e4 ) / ( 2 pi zeta f T ) rounds.) What is
// left of the gap is spread over the round, so that the cycle closes exactly.

#include "bake/layer_take.h"

#include "bake/swing_take.h"
#include "base/math.h"
#include "body/body_data.h"

#include <string.h>

enum
{
    supMostRounds = 60,
    supLeastNodes = 8, ///< of a cycle, however short
};

static const double supTakeRate = 120.0;
/// A cycle has closed when the gap of every layer is this share of the largest float that it shows.
static const double supClosed = 1e-4;
/// A layer whose floats are all below this (of the size, where that is less than a metre) stands still.
static const double supStill = 1e-6;
/// Steps of all rounds together: past these a cycle is closed as it is.
static const double supMostSteps = 4e5;

static bool supIsStepped( const supStackLayer* entry )
{
    return entry->shownCount > 0 && !supIsSwings( entry );
}

/// 0: nothing is stepped.
static double supRateOf( const supModel* model )
{
    double rate = 0.0;
    for ( int32_t i = 0; i < model->stack.count; ++i )
    {
        const supStackLayer* entry = model->stack.layers + i;
        double own = entry->layer->takeRate > 0.0f ? (double)entry->layer->takeRate : supTakeRate;
        rate = supIsStepped( entry ) ? supMax( rate, own ) : rate;
    }
    return rate;
}

static double supNodeTime( const supTake* take, int32_t node )
{
    double share = take->layers.nodeCount > 1 ? (double)node / ( take->layers.nodeCount - 1 ) : 0.0;
    return take->info.start + ( take->info.end - take->info.start ) * share;
}

/// One round over the clip: every node stepped and kept.
static void supRunRound( supTake* take, supBody* body, supPose* pose )
{
    supLayerTake* layers = &take->layers;
    float dt = (float)( supNodeTime( take, 1 ) - supNodeTime( take, 0 ) );
    for ( int32_t n = 0; n < layers->nodeCount; ++n )
    {
        double time = supNodeTime( take, n );
        supPose_Sample( pose, take->clip, time );
        supTake_Elongations( take, time, body->shown );
        supBody_Show( body, supPose_Joints( pose ), body->shown );
        // the first node of a later round is the last of the round before
        supBodyStack_Step( body, n == 0 ? 0.0f : dt );
        memcpy( layers->values + (size_t)n * (size_t)layers->floatCount, body->layers.shown,
            (size_t)layers->floatCount * sizeof( float ) );
    }
}

/// The largest difference between both ends of the last round, as a share of the largest float: of `count` floats from
/// `first` on.
static double supGapOf( const supLayerTake* layers, size_t first, size_t count, double still )
{
    size_t last = (size_t)( layers->nodeCount - 1 ), width = (size_t)layers->floatCount;
    double gap = 0.0, largest = 0.0;
    for ( size_t i = first; i < first + count; ++i )
    {
        for ( size_t n = 0; n <= last; ++n )
        {
            largest = supMax( largest, supAbs( layers->values[n * width + i] ) );
        }
        gap = supMax( gap, supAbs( (double)layers->values[last * width + i] - layers->values[i] ) );
    }
    return largest > still ? gap / largest : 0.0;
}

/// That of the layer that is farthest from closing: each shows floats of another kind.
static double supRoundGap( const supTake* take )
{
    const supStack* stack = &take->model->stack;
    double still = supStill * supMin( 1.0, supCharacter_Size( take->model->character ) ), gap = 0.0;
    size_t first = 0;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        size_t count = (size_t)stack->layers[i].shownCount;
        gap = supIsStepped( stack->layers + i ) ? supMax( gap, supGapOf( &take->layers, first, count, still ) ) : gap;
        first += count;
    }
    return gap;
}

/// Spreads what is left of the gap over the round.
static void supCloseRound( supLayerTake* layers )
{
    size_t count = (size_t)layers->floatCount, last = count * (size_t)( layers->nodeCount - 1 );
    for ( size_t i = 0; i < count; ++i )
    {
        double gap = (double)layers->values[last + i] - layers->values[i];
        for ( int32_t n = 0; n < layers->nodeCount; ++n )
        {
            double share = (double)n / ( layers->nodeCount - 1 ) - 0.5;
            float* value = layers->values + (size_t)n * count + i;
            *value = (float)( *value - gap * share );
        }
        layers->values[last + i] = layers->values[i];
    }
}

static void supRunRounds( supTake* take, supBody* body, supPose* pose )
{
    supLayerTake* layers = &take->layers;
    supMat34d world = supMat34d_identity;
    double gap = 0.0;
    int32_t round = 0;
    do
    {
        body->world = supMatToFloat( world );
        supRunRound( take, body, pose );
        gap = supRoundGap( take );
        world = supMulMatD( world, take->root.motion );
        ++round;
    } while ( take->info.loops && gap > supClosed && round < supMostRounds &&
              (double)( round + 1 ) * layers->nodeCount < supMostSteps );
    take->info.layerRounds = round;
    take->info.layerGap = take->info.loops ? (float)gap : 0.0f;
    if ( take->info.loops )
    {
        supCloseRound( layers );
    }
}

supResult supRecordLayers( supTake* take, supBody* body, supError* error )
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
    supPose* pose = NULL;
    result = layers->values != NULL
                 ? supCreatePose( take->model->character, &take->allocator, &pose, error )
                 : supFail( error, sup_errorMemory,
                       "clip \"%s\" lasts %.4g seconds: no memory for %d steps of %d floats; bake a shorter clip",
                       supCharacter_Clip( take->model->character, take->clip ).name, take->info.end - take->info.start,
                       layers->nodeCount, layers->floatCount );
    if ( result == sup_success )
    {
        supRunRounds( take, body, pose );
    }
    supDestroyPose( pose );
    return result;
}

void supDropLayers( supTake* take )
{
    supLayerTake* layers = &take->layers;
    supFree(
        &take->allocator, layers->values, (size_t)layers->nodeCount * (size_t)layers->floatCount * sizeof( float ) );
    supFree( &take->allocator, layers->live, (size_t)layers->liveCount * sizeof( float ) );
    *layers = ( supLayerTake ){ 0 };
}

// ---------------------------------------------------------------------------------------------------------------
// Live fields

void supCopyLiveFields( supBody* body, const supBody* from )
{
    const supStack* stack = &body->model->stack;
    memcpy(
        body->flesh.tunes, from->flesh.tunes, (size_t)body->model->flesh->elementCount * sizeof( *body->flesh.tunes ) );
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        supBodyLayer* layer = body->layers.layers + i;
        memcpy( layer->live, from->layers.layers[i].live, (size_t)entry->allLive * sizeof( float ) );
        for ( int32_t item = 0; item < entry->itemCount && entry->layer->tuned != NULL; ++item )
        {
            entry->layer->tuned( entry->compiled, layer->state, layer->live, item );
        }
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
        memcpy( body->layers.layers[i].live, take->layers.live + at, own * sizeof( float ) );
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

void supTakeLayers( const supTake* take, double time, const supMat34* joints, float* shown )
{
    if ( take->layers.floatCount > 0 )
    {
        supPlayRecord( take, time, shown );
    }
    supTakeSwings( take, time, joints, shown );
}
