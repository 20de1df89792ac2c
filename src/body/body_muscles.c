// What there is to say of a body's muscles.
// SPDX-License-Identifier: MIT

#include "body/body_data.h"
#include "layers/muscles/line_setup.h"
#include "layers/muscles/muscle_mesh.h"
#include "layers/muscles/muscle_step.h"
#include "rig/layer_list.h"
#include "supple/lab/states.h"

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
