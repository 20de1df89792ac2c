// The layers of a body that apply.
// SPDX-License-Identifier: MIT

#include "body/body_layers.h"

#include "base/math.h"
#include "body/body_data.h"

#include <string.h>

/// A jump is taken for a teleport if it is this many times what the recent speed would give, as flesh has it.
static const float supJumpRatio = 8.0f;

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

void supPlanBodyStack( supBodyStackPlan* plan, const supModel* model, supLayout* layout )
{
    const supStack* stack = &model->stack;
    if ( stack->count == 0 )
    {
        return;
    }
    int32_t vertices = supCharacter_Info( model->character )->vertexCount;
    plan->layers = SUP_LAYOUT_ARRAY( layout, supBodyLayer, stack->count );
    plan->earlier = SUP_LAYOUT_ARRAY( layout, supEarlierLayer, stack->count );
    plan->positions = SUP_LAYOUT_WIDE( layout, supVec3, vertices );
    plan->normals = SUP_LAYOUT_WIDE( layout, supVec3, vertices );
    plan->smooth = SUP_LAYOUT_WIDE( layout, supVec3, stack->wantsSmooth ? vertices : 0 );
    plan->before = SUP_LAYOUT_ARRAY( layout, supVec3, stack->surface->count );
    plan->faces = SUP_LAYOUT_ARRAY( layout, supVec3, 2 * (size_t)stack->surface->triangleCount );
    plan->shown = SUP_LAYOUT_ARRAY( layout, float, supStackShownCount( model ) );
    plan->scratch = supLayoutAdd( layout, stack->scratchSize, SUP_MAX_ALIGNMENT );
    plan->elongations = SUP_LAYOUT_ARRAY( layout, supVec3d, model->motions->elementCount );
    plan->motions = SUP_LAYOUT_ARRAY( layout, supSkinMotion, model->motions->count );
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        plan->states[i] = supLayoutAdd( layout, entry->stateSize, SUP_MAX_ALIGNMENT );
        plan->live[i] = SUP_LAYOUT_ARRAY( layout, float, entry->allLive );
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

void supInitBodyStack( supBodyStack* own, const supBodyStackPlan* plan, const supModel* model, char* block )
{
    const supStack* stack = &model->stack;
    if ( stack->count == 0 )
    {
        return;
    }
    *own = ( supBodyStack ){ .layers = (supBodyLayer*)( block + plan->layers ),
        .applied = stack->count,
        .earlier = (supEarlierLayer*)( block + plan->earlier ),
        .positions = (supVec3*)( block + plan->positions ),
        .normals = (supVec3*)( block + plan->normals ),
        .smooth = stack->wantsSmooth ? (supVec3*)( block + plan->smooth ) : NULL,
        .before = (supVec3*)( block + plan->before ),
        .faces = (supVec3*)( block + plan->faces ),
        .shown = (float*)( block + plan->shown ),
        .shownCount = supStackShownCount( model ),
        .scratch = block + plan->scratch,
        .elongations = (supVec3d*)( block + plan->elongations ),
        .motions = (supSkinMotion*)( block + plan->motions ) };
    float* shown = own->shown;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        supBodyLayer* layer = own->layers + i;
        *layer = ( supBodyLayer ){ block + plan->states[i], shown, (float*)( block + plan->live[i] ) };
        own->earlier[i] = ( supEarlierLayer ){ entry->layer, entry->compiled, layer->shown, layer->live };
        shown += entry->shownCount;
        memcpy( layer->live, entry->live, (size_t)entry->allLive * sizeof( float ) );
        supBodyLayer_Reset( entry, layer );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Time

static supLayerFrame supFrameOf( const supBody* body, int32_t layer, float dt )
{
    return ( supLayerFrame ){ .joints = body->joints,
        .palette = body->palette,
        .skinning = body->skinning,
        .elongations = body->shown,
        .live = body->layers.layers[layer].live,
        .itemCount = body->model->stack.layers[layer].itemCount,
        .earlierCount = layer,
        .earlier = body->layers.earlier,
        .world = body->world,
        .dt = dt,
        .gravity = body->flesh.gravity,
        .wind = body->flesh.wind,
        .smooth = body->layers.smooth,
        .scratch = body->layers.scratch };
}

void supBodyStack_Reset( supBody* body )
{
    const supStack* stack = &body->model->stack;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        supBodyLayer_Reset( stack->layers + i, body->layers.layers + i );
    }
    body->layers.started = false;
    body->layers.speed = 0.0f;
}

static void supCarryLayers( supBody* body, supMat34 motion )
{
    const supStack* stack = &body->model->stack;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        supBodyLayer* layer = body->layers.layers + i;
        if ( entry->layer->motion != NULL && entry->layer->motion->teleport != NULL )
        {
            entry->layer->motion->teleport( entry->compiled, layer->state, motion );
        }
        else
        {
            supBodyLayer_Reset( entry, layer );
        }
    }
}

void supBodyStack_Teleport( supBody* body, supMat34 motion )
{
    supCarryLayers( body, motion );
    body->layers.place = supTransformPoint( motion, body->layers.place );
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
            entry->layer->motion->adopt(
                entry->compiled, own->state, own->shown, old->layers[o].compiled, other->state, other->shown );
        }
    }
    body->layers.place = from->layers.place;
    body->layers.speed = from->layers.speed;
    body->layers.started = from->layers.started;
}

/// The mean of all joints, in world space: what a jump is noticed by.
static supVec3 supMeanPlace( const supBody* body )
{
    int32_t count = supCharacter_Info( body->model->character )->jointCount;
    supVec3 sum = supVec3_zero;
    for ( int32_t i = 0; i < count; ++i )
    {
        sum = supAdd( sum, body->joints[i].t );
    }
    return supTransformPoint( body->world, supScale( sum, count > 0 ? 1.0f / (float)count : 0.0f ) );
}

/// A jump of more than the body's size, far above the recent speed, carries the layers along.
static void supNoticeJump( supBody* body, float dt )
{
    supBodyStack* own = &body->layers;
    supVec3 place = supMeanPlace( body ), way = supSub( place, own->place );
    float jump = supLength( way ),
          size = supCharacter_Info( body->model->character )->size * supLength( body->world.x );
    bool jumped = own->started && jump > size && jump > supJumpRatio * own->speed * dt;
    if ( jumped )
    {
        supMat34 motion = supMat34_identity;
        motion.t = way;
        supCarryLayers( body, motion );
    }
    own->speed = !jumped && own->started && dt > 0.0f ? jump / dt : own->speed;
    own->place = place;
    own->started = true;
}

void supBodyStack_Step( supBody* body, float dt )
{
    const supStack* stack = &body->model->stack;
    if ( stack->count == 0 )
    {
        return;
    }
    supNoticeJump( body, dt );
    body->layers.gravity = body->flesh.gravity;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        if ( entry->layer->motion != NULL )
        {
            double start = supBodyClock( body );
            supLayerFrame frame = supFrameOf( body, i, dt );
            frame.smooth = NULL; // nobody has skinned yet
            entry->layer->motion->step(
                entry->compiled, body->layers.layers[i].state, &frame, body->layers.layers[i].shown );
            supProfileLayer( body, entry->index, start );
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
    // gravity may have changed since the last step
    bool rests = stack->count == 0 || supLength( supSub( body->flesh.gravity, body->layers.gravity ) ) == 0.0f;
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

bool supBodyStack_Draw( const supBody* body, const char* what, const supVec3* positions, const supDraw* draw )
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
                pictures->draw( entry->compiled, &frame, body->layers.layers[i].shown, what, positions, draw );
                return true;
            }
        }
    }
    return false;
}
