// How much deeper flesh brings parts of the body into one another, with contact and without.
// SPDX-License-Identifier: MIT

#include "bake/skin_overlap.h"
#include "bake/take_data.h"
#include "base/math.h"
#include "base/memory.h"
#include "body/body_data.h"
#include "rig/layer_list.h"
#include "supple/lab/measures.h"

enum
{
    supContactMoments = 17 ///< of a take
};

typedef struct supContactWork
{
    const supStackLayer* entry;
    int32_t at; ///< of the layer on the stack
    int32_t vertices;
    supBody* body;
    supPose* pose;
    supSkinOverlap* overlap;
    supVec3 *smooth, *living;
    float* depths; ///< of each vertex: without contact, with it
    float* most;   ///< of each vertex, the same: what flesh can have added
} supContactWork;

/// How far flesh has moved a vertex against the point of the skin where it would come out, along the way out: it cannot
/// have brought it deeper than this. (The closest way out of a part can change from one side to another where the skin
/// folds; depths jump there though nothing else does.)
static float supMovedAgainst( const supContactWork* work, int32_t vertex, const supWayOut* out )
{
    supVec3 moved = supSub( work->living[vertex], work->smooth[vertex] ), q = supVec3_zero;
    for ( int k = 0; k < 3; ++k )
    {
        supVec3 corner = supSub( work->living[out->corners[k]], work->smooth[out->corners[k]] );
        moved = supMulAdd( moved, -out->shares[k], corner );
        q = supMulAdd( q, out->shares[k], work->living[out->corners[k]] );
    }
    supVec3 way = supNormalize( supSub( q, work->living[vertex] ) );
    return supMaxF( -supDot( moved, way ), 0.0f );
}

/// How deep the living skin at hand is inside other parts.
static bool supFillLiving( supContactWork* work, int with )
{
    bool fits = supSkinOverlap_Look( work->overlap, work->living );
    for ( int32_t v = 0; v < work->vertices && fits; ++v )
    {
        supWayOut out = supSkinOverlap_Depth( work->overlap, v );
        work->depths[2 * (size_t)v + (size_t)with] = out.depth;
        work->most[2 * (size_t)v + (size_t)with] = out.depth > 0.0f ? supMovedAgainst( work, v, &out ) : 0.0f;
    }
    return fits;
}

static bool supLookAtContacts( supContactWork* work, const supTake* take, double time, supContactReport* out )
{
    supPose_Sample( work->pose, take->clip, time );
    supBody_SetMorphWeights( work->body, supPose_MorphWeights( work->pose ) );
    supTake_Show( take, time, supPose_Joints( work->pose ), work->body );
    supBody_SmoothSkin( work->body, &work->smooth->x, NULL );
    bool fits = true;
    for ( int with = 0; with < 2 && fits; ++with )
    {
        for ( int32_t i = 0; i < work->entry->allLive; ++i )
        {
            work->body->layers.layers[work->at].live[i] = with == 1 ? work->entry->live[i] : 0.0f;
        }
        supBody_Skin( work->body, &work->living->x, NULL );
        fits = supFillLiving( work, with );
    }
    fits = fits && supSkinOverlap_Look( work->overlap, work->smooth );
    for ( int32_t v = 0; v < work->vertices && fits; ++v )
    {
        const float *depths = work->depths + 2 * (size_t)v, *most = work->most + 2 * (size_t)v;
        bool inside = depths[0] > 0.0f || depths[1] > 0.0f;
        float smooth = inside ? supSkinOverlap_Depth( work->overlap, v ).depth : 0.0f;
        float without = supClampF( depths[0] - smooth, 0.0f, most[0] ),
              with = supClampF( depths[1] - smooth, 0.0f, most[1] );
        out->deepestSmooth = supMaxF( out->deepestSmooth, smooth );
        out->deepestWithout = supMaxF( out->deepestWithout, without );
        out->deepestWith = supMaxF( out->deepestWith, with );
        out->sumWithout += (double)without;
        out->sumWith += (double)with;
    }
    return fits;
}

supResult supMeasureContacts(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supContactReport* out, supError* error )
{
    *out = ( supContactReport ){ 0 };
    supContactWork work = { .at = supStack_Find( &model->stack, sup_layerContact ),
        .vertices = supCharacter_Info( model->character )->vertexCount };
    if ( work.at < 0 )
    {
        return sup_success;
    }
    work.entry = model->stack.layers + work.at;
    size_t skinSize = 2 * (size_t)work.vertices * sizeof( supVec3 ),
           depthsSize = 4 * (size_t)work.vertices * sizeof( float );
    work.smooth = supAlloc( &model->allocator, skinSize, _Alignof( supVec3 ) );
    work.depths = supAlloc( &model->allocator, depthsSize, _Alignof( float ) );
    work.overlap = supMakeSkinOverlap( model->character, &model->allocator );
    bool fits = work.smooth != NULL && work.depths != NULL && work.overlap != NULL &&
                supCreateBody( model, &work.body, NULL ) == sup_success &&
                supCreatePose( model->character, SUP_MAKE_IN( &model->allocator ), &work.pose, NULL ) == sup_success;
    work.living = fits ? work.smooth + work.vertices : NULL;
    work.most = fits ? work.depths + 2 * (size_t)work.vertices : NULL;
    for ( int32_t n = 0; fits && n < takeCount * supContactMoments; ++n )
    {
        const supTake* take = takes[n / supContactMoments];
        double share = (double)( n % supContactMoments ) / ( supContactMoments - 1 );
        fits = supLookAtContacts( &work, take, take->info.start + ( take->info.end - take->info.start ) * share, out );
    }
    supDestroyBody( work.body );
    supDestroyPose( work.pose );
    supDropSkinOverlap( work.overlap );
    supFree( &model->allocator, work.depths, depthsSize );
    supFree( &model->allocator, work.smooth, skinSize );
    return fits ? sup_success : supFail( error, sup_errorMemory, "no memory to measure contacts" );
}
