// The layers of a body.
// SPDX-License-Identifier: MIT

#include "body/body_layers.h"

#include "base/math.h"
#include "body/body_data.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Memory

int32_t supStackShownCount( const supModel* model )
{
    int32_t count = 0;
    for ( int32_t i = 0; i < model->stack.count; ++i )
    {
        count += model->stack.layers[i].shownCount;
    }
    return count;
}

void supPlaceBodyStack( supBodyStack* own, const supModel* model, supLayout* layout )
{
    const supStack* stack = &model->stack;
    if ( stack->count == 0 )
    {
        return;
    }
    SUP_PUT( layout, own->layers, stack->count );
    SUP_PUT( layout, own->earlier, stack->count );
    SUP_PUT( layout, own->shown, supStackShownCount( model ) );
    if ( stack->applyCount > 0 )
    {
        int32_t vertices = supCharacter_Info( model->character )->vertexCount;
        SUP_PUT_WIDE( layout, own->positions, vertices );
        SUP_PUT_WIDE( layout, own->normals, vertices );
        if ( stack->wantsSmooth )
        {
            SUP_PUT_WIDE( layout, own->smooth, vertices );
        }
        SUP_PUT( layout, own->before, stack->surface->count );
        SUP_PUT( layout, own->faces, 2 * (size_t)stack->surface->triangleCount );
        SUP_PUT_BYTES( layout, own->scratch, stack->scratchSize );
        SUP_PUT( layout, own->elongations, model->motions->elementCount );
        SUP_PUT( layout, own->motions, model->motions->count );
    }
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        supBodyLayer layer = { 0 };
        SUP_PUT_BYTES( layout, layer.state, entry->stateSize );
        SUP_PUT( layout, layer.live, entry->allLive );
        if ( own->layers != NULL )
        {
            own->layers[i] = layer;
        }
    }
}

static void supBodyLayer_Reset( const supStackLayer* entry, supBodyLayer* layer )
{
    if ( entry->layer->motion != NULL )
    {
        entry->layer->motion->reset( entry->compiled, layer->state, layer->shown );
    }
}

void supBodyLayer_Tuned( const supStackLayer* entry, supBodyLayer* layer )
{
    bool cares = entry->layer->motion != NULL && entry->layer->motion->tuned != NULL;
    for ( int32_t item = 0; item < entry->itemCount && cares; ++item )
    {
        entry->layer->motion->tuned( entry->compiled, layer->state, layer->live, item );
    }
}

void supInitBodyStack( supBodyStack* own, const supModel* model )
{
    const supStack* stack = &model->stack;
    own->applied = stack->count;
    own->shownCount = supStackShownCount( model );
    float* shown = own->shown;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        supBodyLayer* layer = own->layers + i;
        layer->shown = shown;
        own->earlier[i] = ( supEarlierLayer ){ entry->layer, entry->compiled, layer->shown, layer->live };
        shown += entry->shownCount;
        memcpy( layer->live, entry->live, (size_t)entry->allLive * sizeof( float ) );
        supBodyLayer_Reset( entry, layer );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Time

/// What all layers see alike.
static supLayerFrame supFrameNow( const supBody* body, float dt )
{
    return ( supLayerFrame ){ .joints = body->joints,
        .palette = body->palette,
        .skinning = body->skinning,
        .elongations = body->shown,
        .live = NULL,
        .itemCount = 0,
        .earlierCount = 0,
        .earlier = body->layers.earlier,
        .world = body->world,
        .dt = dt,
        .gravity = body->gravity,
        .wind = body->wind,
        .simd = body->simd,
        .inverse = NULL,
        .jumps = NULL,
        .smooth = body->layers.smooth,
        .scratch = body->layers.scratch };
}

/// What is a layer's own.
static void supFrame_Aim( supLayerFrame* frame, const supBody* body, int32_t layer )
{
    frame->live = body->layers.layers[layer].live;
    frame->itemCount = body->model->stack.layers[layer].itemCount;
    frame->earlierCount = layer;
}

static supLayerFrame supFrameOf( const supBody* body, int32_t layer, float dt )
{
    supLayerFrame frame = supFrameNow( body, dt );
    supFrame_Aim( &frame, body, layer );
    return frame;
}

void supBodyStack_Reset( supBody* body )
{
    const supStack* stack = &body->model->stack;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        supBodyLayer_Reset( stack->layers + i, body->layers.layers + i );
    }
}

/// Put elsewhere: without a way to go on from there it is at rest.
static void supCarryLayer( const supStackLayer* entry, supBodyLayer* layer, supMat34 motion )
{
    if ( entry->layer->motion != NULL && entry->layer->motion->teleport != NULL )
    {
        entry->layer->motion->teleport( entry->compiled, layer->state, motion );
    }
    else
    {
        supBodyLayer_Reset( entry, layer );
    }
}

void supBodyStack_Teleport( supBody* body, supMat34 motion )
{
    for ( int32_t i = 0; i < body->model->stack.count; ++i )
    {
        supCarryLayer( body->model->stack.layers + i, body->layers.layers + i, motion );
    }
}

void supBodyStack_Adopt( supBody* body, const supBody* from )
{
    const supStack* stack = &body->model->stack;
    const supStack* old = &from->model->stack;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        int32_t o = supStack_Find( old, entry->index );
        supBodyLayer* own = body->layers.layers + i;
        const supBodyLayer* other = o >= 0 ? from->layers.layers + o : NULL;
        if ( o >= 0 && entry->compiled == old->layers[o].compiled )
        {
            memcpy( own->state, other->state, entry->stateSize );
            memcpy( own->shown, other->shown, (size_t)entry->shownCount * sizeof( float ) );
            bool alike = memcmp( own->live, other->live, (size_t)entry->allLive * sizeof( float ) ) == 0;
            if ( !alike )
            {
                supBodyLayer_Tuned( entry, own );
            }
        }
        else if ( o >= 0 && entry->layer->motion != NULL && entry->layer->motion->adopt != NULL )
        {
            supLayerFrame frame = supFrameOf( body, i, 0.0f );
            supMat34 inverse;
            supInvertMat( body->world, &inverse );
            frame.inverse = &inverse;
            entry->layer->motion->adopt(
                entry->compiled, own->state, &frame, own->shown, old->layers[o].compiled, other->state, other->shown );
        }
    }
    body->layers.gravity = from->layers.gravity;
    body->layers.wind = from->layers.wind;
}

void supBodyStack_Step( supBody* body, float dt, const supMat34* inverse, const supJointJumps* jumps )
{
    const supStack* stack = &body->model->stack;
    body->layers.gravity = body->gravity;
    body->layers.wind = body->wind;
    supLayerFrame frame = supFrameNow( body, dt );
    frame.smooth = NULL; // nobody has skinned yet
    frame.inverse = inverse;
    frame.jumps = jumps;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        supBodyLayer* layer = body->layers.layers + i;
        if ( entry->layer->motion == NULL || ( body->layers.held >> i & 1u ) != 0 )
        {
            continue;
        }
        double start = supBodyClock( body );
        supFrame_Aim( &frame, body, i );
        if ( jumps != NULL && jumps->whole > 0.0f )
        {
            supCarryLayer( entry, layer, jumps->motion );
        }
        entry->layer->motion->step( entry->compiled, layer->state, &frame, layer->shown );
        supProfileLayer( body, entry->index, start );
    }
}

void supBodyStack_Idle( supBody* body, float dt )
{
    for ( int32_t i = 0; i < body->model->stack.count; ++i )
    {
        const supStackLayer* entry = body->model->stack.layers + i;
        if ( entry->layer->motion != NULL && entry->layer->motion->idle != NULL )
        {
            entry->layer->motion->idle( entry->compiled, body->layers.layers[i].state, dt );
        }
    }
}

bool supBodyStack_Force( supBody* body, int32_t vertex, supVec3 force )
{
    const supStack* stack = &body->model->stack;
    bool felt = false;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        if ( entry->layer->motion != NULL && entry->layer->motion->force != NULL )
        {
            supLayerFrame frame = supFrameOf( body, i, 0.0f );
            entry->layer->motion->force( entry->compiled, body->layers.layers[i].state, &frame, vertex, force );
            felt = true;
        }
    }
    return felt;
}

bool supBodyStack_IsAtRest( const supBody* body )
{
    const supStack* stack = &body->model->stack;
    // gravity and wind may have changed since the last step
    const supBodyStack* own = &body->layers;
    bool rests = stack->count == 0 || ( supLengthSquared( supSub( body->gravity, own->gravity ) ) == 0.0f &&
                                          supLengthSquared( supSub( body->wind, own->wind ) ) == 0.0f );
    for ( int32_t i = 0; i < stack->count && rests; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        const supLayerMotion* motion = entry->layer->motion;
        rests = motion == NULL || motion->isAtRest == NULL ||
                motion->isAtRest( entry->compiled, body->layers.layers[i].state );
    }
    return rests;
}

int64_t supBodyStack_CutCount( const supBody* body, int32_t layer )
{
    const supStackLayer* entry = body->model->stack.layers + layer;
    const supLayerMotion* motion = entry->layer->motion;
    bool counts = motion != NULL && motion->cutCount != NULL;
    return counts ? motion->cutCount( entry->compiled, body->layers.layers[layer].state ) : 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Skin

const supSkinMotion* supBodyStack_Motions( const supBody* body )
{
    const supModel* model = body->model;
    const supBodyStack* own = &body->layers;
    for ( int32_t e = 0; e < model->motions->elementCount; ++e )
    {
        own->elongations[e] = supToDouble( body->shown[e] );
    }
    supSkinMotions_At( model->motions, &model->stack, body->joints, own->elongations, own->shown, own->motions );
    return own->motions;
}

void supBodyStack_Apply( const supBody* body, supVec3* positions, supVec3* normals )
{
    const supStack* stack = &body->model->stack;
    const supBodyStack* own = &body->layers;
    if ( normals != NULL )
    {
        supSurface_Normals( stack->surface, positions, own->faces, own->before );
    }
    for ( int32_t i = 0; i < own->applied; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        if ( entry->layer->apply == NULL )
        {
            continue;
        }
        double start = supBodyClock( body );
        supLayerFrame frame = supFrameOf( body, i, 0.0f );
        entry->layer->apply( entry->compiled, &frame, own->layers[i].shown, positions );
        supProfileLayer( body, entry->index, start );
    }
    if ( normals != NULL )
    {
        supVec3* after = own->faces + stack->surface->triangleCount;
        supSurface_Turn( stack->surface, own->before, own->faces, positions, after, normals );
    }
}

bool supBodyStack_Draw( const supBody* body, const char* what, const supVec3* positions, const supVec3* smooth,
    void* scratch, const supDraw* draw )
{
    const supStack* stack = &body->model->stack;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        const supLayerPictures* pictures = entry->layer->pictures;
        for ( int32_t n = 0; pictures != NULL && pictures->names[n] != NULL; ++n )
        {
            if ( strcmp( pictures->names[n], what ) == 0 )
            {
                supLayerFrame frame = supFrameOf( body, i, 0.0f );
                frame.smooth = smooth;
                frame.scratch = scratch;
                pictures->draw( entry->compiled, &frame, body->layers.layers[i].shown, what, positions, draw );
                return true;
            }
        }
    }
    return false;
}
