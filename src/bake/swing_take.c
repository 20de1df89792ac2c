// Layers that are nothing but springs on joints, along a clip: in closed form.
// SPDX-License-Identifier: MIT
//
// The path of each spring's anchor is a smooth curve through the clip's own keys (anchor_path.c), and the spring on it
// has an exact flow (take_spring.c): at every time, at any frequency, and a cycle is solved for the start that returns
// to itself. The state is in model space, where the clip is; what is shown is in the frame of the joint.

#include "bake/take_data.h"

#include "base/math.h"
#include "body/body_data.h"

bool supIsSwings( const supStackLayer* entry )
{
    return entry->layer->swing != NULL && entry->shownCount > 0;
}

static supTakeSpring supSpringOfSwing( const supSwingView* view )
{
    const supSpring* spring = &view->spring;
    double omega = spring->omega, own = 2.0 * spring->dampingRatio * omega;
    return ( supTakeSpring ){ .own = own,
        .friction = own + spring->airFriction,
        .stiffness = omega * omega,
        .amount = spring->amount,
        .limit = view->limit,
        .clamps = view->clamps };
}

static supResult supSolveSwing( supTake* take, supTakeSwing* swing, const supSwingView* view, supError* error )
{
    const supModel* model = take->model;
    supChain chain;
    supResult result = supMakeChain( &chain, model->character, view->joint, take->clip, &take->allocator, error );
    if ( result == sup_success )
    {
        result = supMakeAnchorPath( &swing->path, view, model->gravity, &chain, &take->root, &take->allocator, error );
    }
    supChain_Destroy( &chain );
    if ( result == sup_success )
    {
        swing->joint = view->joint;
        swing->spring = supSpringOfSwing( view );
        take->info.limited += supSolveTakeSpring( &swing->spring, &swing->path, &take->root );
    }
    return result;
}

/// Where the take has the live fields of a layer: its own, or the model's.
static const float* supTakeLive( const supTake* take, int32_t layer )
{
    const supStack* stack = &take->model->stack;
    size_t at = 0;
    for ( int32_t i = 0; i < layer; ++i )
    {
        at += (size_t)stack->layers[i].allLive;
    }
    return take->layers.live != NULL ? take->layers.live + at : stack->layers[layer].live;
}

static supResult supSolveLayer( supTake* take, int32_t layer, int32_t place, supError* error )
{
    const supStackLayer* entry = take->model->stack.layers + layer;
    supResult result = sup_success;
    for ( int32_t i = 0; i < entry->shownCount / 3 && result == sup_success; ++i )
    {
        supTakeSwing* swing = take->swings + take->swingCount++;
        const float* live = supTakeLive( take, layer );
        *swing = ( supTakeSwing ){ .layer = layer, .index = i, .place = place + 3 * i, .live = live };
        supSwingView view = entry->layer->swing->view( entry->compiled, i, live );
        result = supSolveSwing( take, swing, &view, error );
    }
    return result;
}

supResult supSolveSwings( supTake* take, supError* error )
{
    const supStack* stack = &take->model->stack;
    size_t count = 0;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        count += supIsSwings( stack->layers + i ) ? (size_t)stack->layers[i].shownCount / 3 : 0;
    }
    if ( count == 0 )
    {
        return sup_success;
    }
    take->swings = supAllocZeroed( &take->allocator, count, sizeof( supTakeSwing ), _Alignof( supTakeSwing ) );
    if ( take->swings == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %zu springs", count );
    }
    take->swingRoom = (int32_t)count;
    supResult result = sup_success;
    int32_t place = 0;
    for ( int32_t i = 0; i < stack->count && result == sup_success; ++i )
    {
        result = supIsSwings( stack->layers + i ) ? supSolveLayer( take, i, place, error ) : sup_success;
        place += stack->layers[i].shownCount;
    }
    return result;
}

void supDropSwings( supTake* take )
{
    for ( int32_t i = 0; i < take->swingCount; ++i )
    {
        supAnchorPath_Destroy( &take->swings[i].path, &take->allocator );
    }
    supFree( &take->allocator, take->swings, (size_t)take->swingRoom * sizeof( supTakeSwing ) );
}

supVec3 supTakeSwingAt( const supTake* take, int32_t index, double time, const supMat34* joints )
{
    const supTakeSwing* swing = take->swings + index;
    const supStackLayer* entry = take->model->stack.layers + swing->layer;
    supVec3d u = supTakeSwingState( take, index, time, NULL );
    return entry->layer->swing->shown == NULL
               ? supToFloat( u )
               : entry->layer->swing->shown( entry->compiled, swing->index, swing->live, joints[swing->joint], u );
}

void supTakeSwings( const supTake* take, double time, const supMat34* joints, float* shown )
{
    for ( int32_t i = 0; i < take->swingCount; ++i )
    {
        supVec3 u = supTakeSwingAt( take, i, time, joints );
        float* to = shown + take->swings[i].place;
        to[0] = u.x;
        to[1] = u.y;
        to[2] = u.z;
    }
}
