// How much deeper flesh brings parts of the body into one another, with contact and without.
// SPDX-License-Identifier: MIT

#include "bake/take_data.h"
#include "base/math.h"
#include "base/memory.h"
#include "body/body_data.h"
#include "layers/contact/contact_press.h"
#include "rig/layer_list.h"

enum
{
    supContactMoments = 33 ///< of a take
};

supResult supMeasureContacts(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supContactReport* out, supError* error )
{
    *out = ( supContactReport ){ 0 };
    int32_t at = supStack_Find( &model->stack, sup_layerContact );
    if ( at < 0 )
    {
        return sup_success;
    }
    const supStackLayer* entry = model->stack.layers + at;
    size_t vertices = (size_t)supCharacter_VertexCount( model->character ), bytes = 2 * vertices * sizeof( supVec3 );
    supVec3* smooth = supAlloc( &model->allocator, bytes, _Alignof( supVec3 ) );
    supBody* body = NULL;
    supPose* pose = NULL;
    bool fits = smooth != NULL && supCreateBody( model, &body, NULL ) == sup_success &&
                supCreatePose( model->character, &model->allocator, &pose, NULL ) == sup_success;
    for ( int32_t n = 0; fits && n < takeCount * supContactMoments; ++n )
    {
        const supTake* take = takes[n / supContactMoments];
        double share = (double)( n % supContactMoments ) / ( supContactMoments - 1 );
        double time = take->info.start + ( take->info.end - take->info.start ) * share;
        supPose_Sample( pose, take->clip, time );
        supBody_SetMorphWeights( body, supPose_MorphWeights( pose ) );
        supTake_Show( take, time, supPose_Joints( pose ), body );
        supBody_SmoothSkin( body, &smooth->x, NULL );
        for ( int with = 0; with < 2; ++with )
        {
            for ( int32_t i = 0; i < entry->itemCount; ++i )
            {
                body->layers.layers[at].live[i] = with == 1 ? entry->live[i] : 0.0f;
            }
            supBody_Skin( body, &smooth[vertices].x, NULL );
            supContactsAdded( entry->compiled, body->joints, body->shown, smooth, smooth + vertices,
                with == 1 ? &out->deepestWith : &out->deepestWithout, with == 1 ? &out->sumWith : &out->sumWithout );
        }
    }
    supDestroyBody( body );
    supDestroyPose( pose );
    supFree( &model->allocator, smooth, bytes );
    return fits ? sup_success : supFail( error, sup_errorMemory, "no memory to measure contacts" );
}
