// Forces from outside, on the skin.
// SPDX-License-Identifier: MIT

#include "base/math.h"
#include "body/body_data.h"

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
    return supBodyStack_Force( body, vertex, force ) ? sup_success : supNobodyFeels( error );
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
    float total = 0.0f;
    for ( int32_t v = 0; v < count; ++v )
    {
        skin[v] = supTransformPoint( body->world, skin[v] );
        total += supFallOff( skin[v], point, radius );
    }
    if ( !( total > 0.0f ) )
    {
        return supFail( error, sup_errorArgument, "a force around (%.3g, %.3g, %.3g): no skin within %.3g m",
            (double)point.x, (double)point.y, (double)point.z, (double)radius );
    }
    bool felt = true;
    for ( int32_t v = 0; v < count && felt; ++v )
    {
        float share = supFallOff( skin[v], point, radius ) / total;
        felt = share == 0.0f || supBodyStack_Force( body, v, supScale( force, share ) );
    }
    return felt ? sup_success : supNobodyFeels( error );
}
