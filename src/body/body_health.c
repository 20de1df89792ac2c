// What a body takes from its host, and the state that it goes back to where a step came to no number.
// SPDX-License-Identifier: MIT

#include "body/body_health.h"

#include "base/math.h"
#include "body/body_data.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// What is taken

/// Whether all are at most `most` in size; NaN is not. As whole numbers: compilers make wide code of that.
static bool supAreWithin( const float* numbers, size_t count, float most )
{
    uint32_t limit, bad = 0;
    memcpy( &limit, &most, sizeof( limit ) );
    for ( size_t i = 0; i < count; ++i )
    {
        uint32_t bits;
        memcpy( &bits, numbers + i, sizeof( bits ) );
        bad |= ( bits & 0x7fffffffu ) > limit;
    }
    return bad == 0;
}

bool supIsSaneVec3( supVec3 v, float most )
{
    return supAreWithin( &v.x, 3, most );
}

bool supAreSaneMats( const supMat34* mats, size_t count )
{
    if ( supAreWithin( &mats->x.x, 12 * count, SUP_MOST_SCALE ) )
    {
        return true; // nearly always
    }
    bool sane = true;
    for ( size_t i = 0; i < count && sane; ++i )
    {
        sane = supAreWithin( &mats[i].x.x, 9, SUP_MOST_SCALE ) && supIsSaneVec3( mats[i].t, SUP_MOST_PLACE );
    }
    return sane;
}

bool supIsSaneWorld( const supMat34* world )
{
    supMat34 inverse;
    return supAreSaneMats( world, 1 ) && supInvertMat( *world, &inverse ) &&
           supAreWithin( &inverse.x.x, 9, SUP_MOST_BACK );
}

bool supAreSaneWeights( const float* weights, size_t count )
{
    return supAreWithin( weights, count, SUP_MOST_SCALE );
}

bool supIsSaneStep( float dt )
{
    return dt == 0.0f || ( dt >= SUP_LEAST_STEP && dt <= SUP_MOST_STEP );
}

// ---------------------------------------------------------------------------------------------------------------
// What is kept

/// Floats of a block of elements that move, and of all that a block has.
static const size_t supMoving = (size_t)sup_rowMovingEnd * SUP_FLESH_LANES;
static const size_t supWhole = (size_t)sup_fleshRowCount * SUP_FLESH_LANES;

void supPlanKept( supKeptPlan* plan, const supModel* model, supLayout* layout )
{
    plan->rows = SUP_LAYOUT_WIDE( layout, float, supMoving*(size_t)model->flesh->blockCount );
    plan->shown = SUP_LAYOUT_ARRAY( layout, float, supStackShownCount( model ) );
    size_t states = 0;
    for ( int32_t i = 0; i < model->stack.count; ++i )
    {
        states += model->stack.layers[i].stateSize;
    }
    plan->states = supLayoutAdd( layout, states, SUP_MAX_ALIGNMENT );
}

void supInitKept( supKeptState* kept, const supKeptPlan* plan, char* block )
{
    kept->rows = (float*)( block + plan->rows );
    kept->shown = (float*)( block + plan->shown );
    kept->states = block + plan->states;
}

void supBody_Keep( supBody* body )
{
    supKeptState* kept = &body->kept;
    const supFleshState* flesh = &body->flesh;
    for ( size_t b = 0; b < (size_t)flesh->blockCount; ++b )
    {
        memcpy( kept->rows + b * supMoving, flesh->rows + b * supWhole, supMoving * sizeof( float ) );
    }
    kept->newestDelta = flesh->newestDelta;
    kept->newestTurn = flesh->newestTurn;
    kept->times = flesh->times;
    kept->basis = flesh->basis;
    kept->worldOrigin = flesh->worldOrigin;
    kept->worldScale = flesh->worldScale;
    kept->recentSpeed = flesh->recentSpeed;
    kept->started = flesh->started;
    const supStack* stack = &body->model->stack;
    char* states = kept->states;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        memcpy( states, body->layers.layers[i].state, stack->layers[i].stateSize );
        states += stack->layers[i].stateSize;
    }
    if ( body->layers.shownCount > 0 )
    {
        memcpy( kept->shown, body->layers.shown, sizeof( float ) * (size_t)body->layers.shownCount );
    }
    kept->place = body->layers.place;
    kept->speed = body->layers.speed;
    kept->layersStarted = body->layers.started;
}

/// Tunes and live fields stay what they are now, so what follows from them is worked out again.
static void supGoBack( supBody* body )
{
    const supKeptState* kept = &body->kept;
    supFleshState* flesh = &body->flesh;
    for ( size_t b = 0; b < (size_t)flesh->blockCount; ++b )
    {
        memcpy( flesh->rows + b * supWhole, kept->rows + b * supMoving, supMoving * sizeof( float ) );
    }
    flesh->newestDelta = kept->newestDelta;
    flesh->newestTurn = kept->newestTurn;
    flesh->times = kept->times;
    flesh->basis = kept->basis;
    flesh->worldOrigin = kept->worldOrigin;
    flesh->worldScale = kept->worldScale;
    flesh->recentSpeed = kept->recentSpeed;
    flesh->started = kept->started;
    int32_t elements = body->model->flesh->elementCount;
    flesh->anyStale = elements > 0;
    for ( int32_t e = 0; e < elements; ++e )
    {
        flesh->stale[e] = true;
    }
    const supStack* stack = &body->model->stack;
    const char* states = kept->states;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        supBodyLayer* layer = body->layers.layers + i;
        memcpy( layer->state, states, entry->stateSize );
        states += entry->stateSize;
        supBodyLayer_Tuned( entry, layer );
    }
    if ( body->layers.shownCount > 0 )
    {
        memcpy( body->layers.shown, kept->shown, sizeof( float ) * (size_t)body->layers.shownCount );
    }
    body->layers.place = kept->place;
    body->layers.speed = kept->speed;
    body->layers.started = kept->layersStarted;
}

// ---------------------------------------------------------------------------------------------------------------
// Healing

/// As whole numbers: compilers make wide code of that.
static uint32_t supFindInfinite( const float* numbers, size_t count )
{
    uint32_t bad = 0;
    for ( size_t i = 0; i < count; ++i )
    {
        uint32_t bits;
        memcpy( &bits, numbers + i, sizeof( bits ) );
        bad |= ( bits & 0x7f800000u ) == 0x7f800000u;
    }
    return bad;
}

/// Elongations and speeds, and all that is shown. What else there is shows itself in these a step later, and the state
/// that was kept then leads there again.
static bool supIsStateFinite( const supBody* body )
{
    const supFleshState* flesh = &body->flesh;
    uint32_t bad = 0;
    for ( size_t b = 0; b < (size_t)flesh->blockCount; ++b )
    {
        const float* rows = flesh->rows + b * supWhole;
        bad |= supFindInfinite( rows + sup_rowU * SUP_FLESH_LANES, 6 * SUP_FLESH_LANES ); // and sup_rowS
    }
    bad |= supFindInfinite( &body->shown->x, 3 * (size_t)body->model->flesh->elementCount );
    bad |= supFindInfinite( body->layers.shown, (size_t)body->layers.shownCount );
    return bad == 0 && supIsFinite( flesh->recentSpeed ) && supIsFinite( body->layers.speed );
}

void supBody_Heal( supBody* body )
{
    if ( supIsStateFinite( body ) )
    {
        supBody_Keep( body );
        body->wasHealed = false;
        return;
    }
    body->healedCount += 1;
    if ( body->wasHealed )
    {
        supBody_Reset( body ); // the kept one leads there too
    }
    else
    {
        supGoBack( body );
        supBody_ReadShown( body );
    }
    body->wasHealed = true;
}

int64_t supBody_HealedCount( const supBody* body )
{
    return body->healedCount;
}
