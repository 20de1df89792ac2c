// How many vertices of garments end up inside the body, in the smooth animation and in the living one.
// SPDX-License-Identifier: MIT
//
// A vertex is inside where the closest point of the skin faces away from it: by the triangle's normal, or at its border
// by the mean of those around.

#include "bake/take_data.h"
#include "base/math.h"
#include "base/memory.h"
#include "body/body_data.h"
#include "layers/closest_point.h"
#include "rig/layer_list.h"

#include <string.h>

enum
{
    supMostMoments = 17 ///< of a take
};

/// Deeper than this share of the size counts: less is rounding.
static const float supDeep = 1e-5f;

typedef struct supInsideWork
{
    const supModel* model;
    int32_t count;           ///< of garments
    const int32_t* vertices; ///< of garments
    int32_t triangleCount;
    int32_t* corners; ///< of the skin
    supVec3 *smooth, *living;
    bool *insideSmooth, *insideLiving; ///< a vertex of the garments, at this moment
    bool* seen;                        ///< three a vertex: smooth, new without, new with
    supBody* body;
    supPose* pose;
    char* block;
    size_t blockSize;
} supInsideWork;

/// Triangles of meshes that have no vertex of a garment.
static void supListBare( supInsideWork* work )
{
    const supCharacter* character = work->model->character;
    int32_t at = 0;
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        while ( at < work->count && work->vertices[at] < mesh.firstVertex )
        {
            ++at;
        }
        bool garment = at < work->count && work->vertices[at] < mesh.firstVertex + mesh.vertexCount;
        for ( int32_t i = 0; !garment && i + 2 < mesh.indexCount; i += 3 )
        {
            for ( int k = 0; k < 3; ++k )
            {
                work->corners[3 * work->triangleCount + k] = mesh.firstVertex + (int32_t)mesh.indices[i + k];
            }
            work->triangleCount += 1;
        }
    }
}

static bool supIsInside( const supTriangleIndex* index, supVec3 p, float size )
{
    enum
    {
        supMostAround = 16
    };
    supFootPoint feet[supMostAround];
    int32_t corners[3 * supMostAround];
    int32_t count = supTriangleIndex_Nearest( index, p, 0.1f * size, supMostAround, feet );
    for ( int32_t i = 0; i < 3 * count; ++i )
    {
        corners[i] = index->corners[3 * (size_t)feet[i / 3].triangle + (size_t)( i % 3 )];
    }
    supVec3 normal;
    return count > 0 && supSignedDistance( p, index->points, corners, count, &normal ) < -supDeep * size;
}

/// Which garment vertices are inside. False: no memory.
static bool supFindInside( supInsideWork* work, const supVec3* points, bool* inside )
{
    float size = supCharacter_Size( work->model->character );
    supTriangleIndex* index =
        supMakeTriangleIndex( points, work->corners, work->triangleCount, &work->model->allocator );
    if ( index == NULL )
    {
        return false;
    }
    for ( int32_t i = 0; i < work->count; ++i )
    {
        inside[i] = supIsInside( index, points[work->vertices[i]], size );
    }
    supFree( &work->model->allocator, index, index->blockSize );
    return true;
}

static void supWearClothes( supInsideWork* work, bool on )
{
    int32_t at = supStack_Find( &work->model->stack, sup_layerClothes );
    const supStackLayer* entry = work->model->stack.layers + at;
    for ( int32_t i = 0; i < entry->itemCount * entry->liveCount; ++i )
    {
        work->body->layers.layers[at].live[i] = on ? entry->live[i] : 0.0f;
    }
}

static bool supLookAtMoment( supInsideWork* work, const supTake* take, double time )
{
    supPose_Sample( work->pose, take->clip, time );
    supBody_SetMorphWeights( work->body, supPose_MorphWeights( work->pose ) );
    supTake_Show( take, time, supPose_Joints( work->pose ), work->body );
    supBody_SmoothSkin( work->body, &work->smooth->x, NULL );
    bool fits = supFindInside( work, work->smooth, work->insideSmooth );
    for ( int with = 0; with < 2 && fits; ++with )
    {
        supWearClothes( work, with == 1 );
        supBody_Skin( work->body, &work->living->x, NULL );
        fits = supFindInside( work, work->living, work->insideLiving );
        for ( int32_t i = 0; i < work->count && fits; ++i )
        {
            bool fresh = work->insideLiving[i] && !work->insideSmooth[i];
            work->seen[3 * i] = work->seen[3 * i] || work->insideSmooth[i];
            work->seen[3 * i + 1 + with] = work->seen[3 * i + 1 + with] || fresh;
        }
    }
    return fits;
}

static bool supMakeInsideWork( supInsideWork* work, const supModel* model )
{
    size_t vertices = (size_t)supCharacter_VertexCount( model->character ), indices = 0;
    for ( int32_t m = 0; m < supCharacter_MeshCount( model->character ); ++m )
    {
        indices += (size_t)supCharacter_Mesh( model->character, m ).indexCount;
    }
    *work = ( supInsideWork ){ .model = model };
    work->count = supModel_LayerVertices( model, sup_layerClothes, &work->vertices );
    supLayout layout = supMakeLayout();
    size_t atSkins = SUP_LAYOUT_ARRAY( &layout, supVec3, 2 * vertices );
    size_t atCorners = SUP_LAYOUT_ARRAY( &layout, int32_t, indices );
    size_t atFlags = SUP_LAYOUT_ARRAY( &layout, bool, 5 * (size_t)work->count + 1 );
    work->block = supAllocLayout( &model->allocator, &layout );
    work->blockSize = layout.size;
    if ( work->block == NULL || supCreateBody( model, &work->body, NULL ) != sup_success ||
         supCreatePose( model->character, &model->allocator, &work->pose, NULL ) != sup_success )
    {
        return false;
    }
    work->smooth = (supVec3*)( work->block + atSkins );
    work->living = work->smooth + vertices;
    work->corners = (int32_t*)( work->block + atCorners );
    work->insideSmooth = (bool*)( work->block + atFlags );
    work->insideLiving = work->insideSmooth + work->count;
    work->seen = work->insideLiving + work->count;
    return true;
}

supResult supMeasureClothes(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supClothesReport* out, supError* error )
{
    *out = ( supClothesReport ){ 0 };
    if ( supModel_ItemCount( model, sup_layerClothes ) == 0 )
    {
        return sup_success;
    }
    supInsideWork work;
    bool fits = supMakeInsideWork( &work, model );
    if ( fits )
    {
        supListBare( &work );
    }
    for ( int32_t t = 0; t < takeCount && fits; ++t )
    {
        for ( int32_t i = 0; i < supMostMoments && fits; ++i )
        {
            double share = (double)i / ( supMostMoments - 1 );
            double time = takes[t]->info.start + ( takes[t]->info.end - takes[t]->info.start ) * share;
            fits = supLookAtMoment( &work, takes[t], time );
            out->moments += 1;
        }
    }
    out->vertices = work.count;
    for ( int32_t i = 0; i < work.count && fits; ++i )
    {
        out->insideSmooth += work.seen[3 * i];
        out->newWithout += work.seen[3 * i + 1];
        out->newWith += work.seen[3 * i + 2];
    }
    supDestroyBody( work.body );
    supDestroyPose( work.pose );
    supFree( &model->allocator, work.block, work.blockSize );
    return fits ? sup_success : supFail( error, sup_errorMemory, "no memory to look for clothes inside the body" );
}
