// Layers with a motion of their own, along a clip.
// SPDX-License-Identifier: MIT
//
// Flesh has a closed form between the keys of a clip; other layers are stepped, at a fine rate that is the layer's to
// choose, and what they show is kept at every step. A cycle is run again and again, each time with the world moved on
// by the root's motion, so that the layers feel one unbroken walk, until the end of a round returns to its start.
// (Damped layers forget their start by a constant factor a round: about ln( 1e4 ) / ( 2 pi zeta f T ) rounds.) What is
// left of the gap is spread over the round, so that the cycle closes exactly.

#include "bake/layer_take.h"

#include "base/math.h"
#include "body/body_data.h"

#include <string.h>

enum
{
    supMostRounds = 60,
    supLeastNodes = 8, ///< of a cycle, however short
};

static const double supTakeRate = 120.0;
/// A cycle has closed when its gap is this share of the largest float that is shown.
static const double supClosed = 1e-4;
/// Steps of all rounds together: past these a cycle is closed as it is.
static const double supMostSteps = 4e5;

static double supRateOf( const supModel* model )
{
    double rate = 0.0;
    for ( int32_t i = 0; i < model->stack.count; ++i )
    {
        const supStackLayer* entry = model->stack.layers + i;
        double own = entry->layer->takeRate > 0.0f ? (double)entry->layer->takeRate : supTakeRate;
        rate = entry->shownCount > 0 ? supMax( rate, own ) : rate;
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

/// The largest difference between both ends of the last round, as a share of the largest float.
static double supRoundGap( const supLayerTake* layers )
{
    size_t count = (size_t)layers->floatCount, last = count * (size_t)( layers->nodeCount - 1 );
    double gap = 0.0, largest = 0.0;
    for ( size_t i = 0; i < count * (size_t)layers->nodeCount; ++i )
    {
        largest = supMax( largest, supAbs( layers->values[i] ) );
    }
    for ( size_t i = 0; i < count; ++i )
    {
        gap = supMax( gap, supAbs( (double)layers->values[last + i] - layers->values[i] ) );
    }
    return largest > 0.0 ? gap / largest : 0.0;
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
        gap = supRoundGap( layers );
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
    layers->floatCount = supStackShownCount( take->model );
    if ( layers->floatCount == 0 )
    {
        return sup_success;
    }
    double nodes = supFloor( ( take->info.end - take->info.start ) * supRateOf( take->model ) + 0.5 ) + 1.0;
    layers->nodeCount = (int32_t)supMin( supMax( nodes, take->info.loops ? supLeastNodes : 2 ), 1e7 );
    layers->values = supAllocZeroed(
        &take->allocator, (size_t)layers->nodeCount, (size_t)layers->floatCount * sizeof( float ), _Alignof( float ) );
    supPose* pose = NULL;
    supResult result = layers->values != NULL ? supCreatePose( take->model->character, &take->allocator, &pose, error )
                                              : supFail( error, sup_errorMemory, "no memory for %d steps of %d floats",
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

static size_t supLiveCountOf( const supStackLayer* entry )
{
    return (size_t)entry->itemCount * (size_t)entry->liveCount;
}

void supCopyLiveFields( supBody* body, const supBody* from )
{
    const supStack* stack = &body->model->stack;
    memcpy(
        body->flesh.tunes, from->flesh.tunes, (size_t)body->model->flesh->elementCount * sizeof( *body->flesh.tunes ) );
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        supBodyLayer* layer = body->layers.layers + i;
        memcpy( layer->live, from->layers.layers[i].live, supLiveCountOf( entry ) * sizeof( float ) );
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
        count += supLiveCountOf( stack->layers + i );
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
        size_t own = supLiveCountOf( stack->layers + i );
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
        size_t own = supLiveCountOf( stack->layers + i );
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

void supTakeLayers( const supTake* take, double time, float* shown )
{
    const supLayerTake* layers = &take->layers;
    if ( layers->floatCount == 0 )
    {
        return;
    }
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
