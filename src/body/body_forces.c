// Forces from outside, on the skin.
// SPDX-License-Identifier: MIT

#include "base/float_settings.h"
#include "base/math.h"
#include "body/body_data.h"
#include "layers/muscles/line_setup.h"
#include "layers/muscles/muscles.h"
#include "rig/layer_list.h"
#include "supple/lab/states.h"

static supResult supNobodyFeels( supError* error )
{
    return supFail(
        error, sup_errorUnsupported, "a force on the skin: the rig has no layer that feels one (fat does)" );
}

supResult supBody_ForceAt( supBody* body, int32_t vertex, supVec3 force, supError* error )
{
    int32_t count = supCharacter_Info( body->model->character )->vertexCount;
    if ( vertex < 0 || vertex >= count )
    {
        return supFail(
            error, sup_errorArgument, "a force on vertex %d: the character has %d vertices", vertex, count );
    }
    if ( !supIsSaneVec3( force, SUP_MOST_FORCE ) )
    {
        return supFail(
            error, sup_errorArgument, "the force on vertex %d is not a number, or beyond 1e12 newtons", vertex );
    }
    supFloatSettings host = supEnterFloatSettings();
    bool felt = supBodyStack_Force( body, vertex, force );
    supLeaveFloatSettings( host );
    return felt ? sup_success : supNobodyFeels( error );
}

/// Falls from 1 to 0 over the radius, without a crease at either end.
static float supFallOff( supVec3 p, supVec3 middle, float radius )
{
    float x = supLengthSquared( supSub( p, middle ) ) / ( radius * radius );
    return x < 1.0f ? ( 1.0f - x ) * ( 1.0f - x ) : 0.0f;
}

supResult supBody_ForceAround( supBody* body, supVec3 point, float radius, supVec3 force, supError* error )
{
    if ( !supIsSaneVec3( point, SUP_MOST_PLACE ) || !supIsSaneVec3( force, SUP_MOST_FORCE ) || !( radius > 0.0f ) ||
         !supIsFinite( radius ) )
    {
        return supFail( error, sup_errorArgument,
            "a force around a point: place, radius and force must be finite "
            "numbers, and the radius above 0" );
    }
    if ( body->model->stack.applyCount == 0 )
    {
        return supNobodyFeels( error );
    }
    int32_t count = supCharacter_Info( body->model->character )->vertexCount;
    supVec3* skin = body->layers.positions;
    supBody_Skin( body, &skin[0].x, NULL );
    supFloatSettings host = supEnterFloatSettings();
    float total = 0.0f;
    for ( int32_t v = 0; v < count; ++v )
    {
        skin[v] = supTransformPoint( body->world, skin[v] );
        total += supFallOff( skin[v], point, radius );
    }
    bool felt = total > 0.0f;
    for ( int32_t v = 0; v < count && felt; ++v )
    {
        float share = supFallOff( skin[v], point, radius ) / total;
        felt = share == 0.0f || supBodyStack_Force( body, v, supScale( force, share ) );
    }
    supLeaveFloatSettings( host );
    if ( !( total > 0.0f ) )
    {
        return supFail( error, sup_errorArgument, "a force around (%.3g, %.3g, %.3g): no skin within %.3g m",
            (double)point.x, (double)point.y, (double)point.z, (double)radius );
    }
    return felt ? sup_success : supNobodyFeels( error );
}

// ---------------------------------------------------------------------------------------------------------------
// What there is to say of a body's muscles.

int32_t supBody_Muscles( const supBody* body, supMuscleView* views )
{
    int32_t at = supStack_Find( &body->model->stack, sup_layerMuscles );
    if ( at < 0 || views == NULL )
    {
        return at < 0 ? 0 : body->model->stack.layers[at].itemCount;
    }
    const supMuscles* muscles = body->model->stack.layers[at].compiled;
    const supBodyLayer* layer = body->layers.layers + at;
    supMuscleFrame now;
    supMuscleFrame_Place( &now, muscles, body->layers.scratch );
    supMuscleFrame_Pose( &now, muscles, body->joints, layer->live, layer->shown );
    for ( int32_t m = 0; m < muscles->count; ++m )
    {
        const supMuscle* muscle = muscles->muscles + m;
        const supLineReport* report = supMuscleLineReport( muscles, layer->state, m );
        bool isLine = muscle->vertexCount > 0;
        views[m] = ( supMuscleView ){ .name = muscle->name,
            .restLength = muscle->restLength,
            .length = now.lengths[m],
            .restVolume = muscle->restVolume,
            .volume = isLine ? (float)supMuscleVolume( muscles, muscle, &now ) : 0.0f,
            .contraction = now.contractions[m],
            .settled = !isLine || report->settled };
        const float* live = layer->live + (size_t)m * sup_muscleLiveCount;
        supLookAtFields( muscles, muscle, live, &now, &views[m].cuts, &views[m].deepest );
    }
    return muscles->count;
}
