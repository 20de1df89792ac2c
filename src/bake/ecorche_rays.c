// How well the écorché's rays hold on to its surface, over takes.
// SPDX-License-Identifier: MIT

#include "bake/take_data.h"
#include "base/math.h"
#include "body/body_data.h"
#include "layers/muscles/ecorche_compile.h"
#include "rig/layer_list.h"
#include "supple/lab/measures.h"

/// Frames a second that are looked at.
static const double supRayRate = 60.0;

static void supWatchTake( const supTake* take, supBody* body, supPose* pose, supEcorcheReport* out )
{
    int32_t at = supStack_Find( &body->model->stack, sup_layerEcorche );
    double start = take->info.start, end = take->info.end;
    int32_t frames = (int32_t)( ( end - start ) * supRayRate ) + 1;
    supBody_Reset( body );
    for ( int32_t f = 0; f <= frames; ++f )
    {
        double time = start + ( end - start ) * f / frames;
        supPose_Sample( pose, take->clip, time );
        if ( supBody_Step( body, supPose_Joints( pose ), supMat34_identity,
                 f == 0 ? 0.0f : (float)( 1.0 / supRayRate ) ) != sup_success )
        {
            continue;
        }
        supEcorcheAudit audit =
            supAuditEcorche( body->model->stack.layers[at].compiled, body->layers.layers[at].state );
        out->rays = audit.rays;
        out->outside = audit.outside;
        out->followed = audit.followed;
        out->lost = audit.lost > out->lost ? audit.lost : out->lost;
        out->farthest = supMaxF( out->farthest, audit.farthest );
        out->frames += 1;
    }
}

supResult supMeasureEcorche(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supEcorcheReport* out, supError* error )
{
    *out = ( supEcorcheReport ){ 0 };
    if ( supModel_ItemCount( model, sup_layerEcorche ) == 0 )
    {
        return sup_success;
    }
    supBody* body = NULL;
    supPose* pose = NULL;
    supResult result = supCreateBody( model, &body, error );
    result = result == sup_success ? supCreatePose( model->character, &model->allocator, &pose, error ) : result;
    for ( int32_t t = 0; t < takeCount && result == sup_success; ++t )
    {
        supWatchTake( takes[t], body, pose, out );
    }
    supDestroyPose( pose );
    supDestroyBody( body );
    return result;
}
