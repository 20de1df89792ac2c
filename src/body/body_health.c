// What a body takes from its host, and the state that it goes back to where a step came to no number.
// SPDX-License-Identifier: MIT

#include "body/body_data.h"

#include "base/math.h"

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

bool supIsSaneWorld( const supMat34* world, supMat34* inverse )
{
    return supAreSaneMats( world, 1 ) && supInvertMat( *world, inverse ) &&
           supAreWithin( &inverse->x.x, 9, SUP_MOST_BACK );
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

void supPlaceKept( supKeptState* kept, const supModel* model, supLayout* layout )
{
    SUP_PUT( layout, kept->shown, supStackShownCount( model ) );
    size_t states = 0;
    for ( int32_t i = 0; i < model->stack.count; ++i )
    {
        states += model->stack.layers[i].keptSize;
    }
    SUP_PUT_BYTES( layout, kept->states, states );
}

static void supCopyShown( float* to, const float* from, int32_t count )
{
    if ( count > 0 )
    {
        memcpy( to, from, sizeof( float ) * (size_t)count );
    }
}

void supBody_Keep( supBody* body )
{
    supKeptState* kept = &body->kept;
    char* states = kept->states;
    for ( int32_t i = 0; i < body->model->stack.count; ++i )
    {
        const supStackLayer* entry = body->model->stack.layers + i;
        const void* state = body->layers.layers[i].state;
        if ( entry->layer->motion != NULL && entry->layer->motion->keep != NULL )
        {
            entry->layer->motion->keep( entry->compiled, state, states );
        }
        else
        {
            memcpy( states, state, entry->stateSize );
        }
        states += entry->keptSize;
    }
    supCopyShown( kept->shown, body->layers.shown, body->layers.shownCount );
    kept->jumps = body->jumps;
}

/// Live fields stay what they are now, so what follows from them is worked out again.
static void supGoBack( supBody* body )
{
    const supKeptState* kept = &body->kept;
    const char* states = kept->states;
    for ( int32_t i = 0; i < body->model->stack.count; ++i )
    {
        const supStackLayer* entry = body->model->stack.layers + i;
        supBodyLayer* layer = body->layers.layers + i;
        if ( entry->layer->motion != NULL && entry->layer->motion->restore != NULL )
        {
            entry->layer->motion->restore( entry->compiled, layer->state, states );
        }
        else
        {
            memcpy( layer->state, states, entry->stateSize );
        }
        states += entry->keptSize;
        supBodyLayer_Tuned( entry, layer );
    }
    supCopyShown( body->layers.shown, kept->shown, body->layers.shownCount );
    supJumps_Restore( &body->jumps, &kept->jumps );
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

/// What moves, as far as layers tell, and all that is shown. What else there is shows itself in these a step later, and
/// the state that was kept then leads there again.
static bool supIsStateFinite( const supBody* body )
{
    uint32_t bad = supFindInfinite( body->layers.shown, (size_t)body->layers.shownCount );
    bad |= supFindInfinite( &body->jumps.velocity.x, 3 );
    for ( int32_t i = 0; i < body->model->stack.count; ++i )
    {
        const supStackLayer* entry = body->model->stack.layers + i;
        const supLayerMotion* motion = entry->layer->motion;
        bool tells = motion != NULL && motion->isFinite != NULL;
        bad |= tells && !motion->isFinite( entry->compiled, body->layers.layers[i].state );
    }
    return bad == 0;
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
    }
    body->wasHealed = true;
}
