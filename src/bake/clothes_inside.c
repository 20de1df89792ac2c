// How many vertices of garments end up inside the body, in the smooth animation and in the living one.
// SPDX-License-Identifier: MIT
//
// A vertex is inside where the closest point of the skin faces away from it. Where pieces of skin stand in one another
// (a robot's plates) the closest one changes from one to the next: what counts as new is a piece that the vertex is not
// inside of in the smooth animation.

#include "bake/take_data.h"
#include "base/math.h"
#include "base/memory.h"
#include "body/body_data.h"
#include "layers/triangle_tree.h"
#include "rig/layer_list.h"
#include "supple/lab/compiled.h"
#include "supple/lab/measures.h"

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
    supTriangleTree* tree;
    supBounds *boxes, *livingBoxes;
    size_t boxesSize;
    supVec3 *smooth, *living;
    int32_t *insideSmooth, *insideLiving; ///< a vertex of the garments, at this moment: a piece, or -1
    bool* seen;                           ///< three a vertex: smooth, new without, new with
    float* amounts;                       ///< of the garments, as the take has them
    float deep;                           ///< metres
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
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
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

/// The piece of skin that each garment vertex is inside of, or -1.
static void supFindInside( supInsideWork* work, const supVec3* points, supBounds* boxes, int32_t* inside )
{
    supTriangleTree_Fit( work->tree, points, boxes );
    for ( int32_t i = 0; i < work->count; ++i )
    {
        supTreeSide side = supTriangleTree_Side( work->tree, points, boxes, points[work->vertices[i]], 1e30f, -1 );
        inside[i] = side.triangle >= 0 && side.distance < -work->deep ? side.piece : -1;
    }
}

/// Whether a vertex is inside the piece in the smooth skin as well.
static bool supWasInside( const supInsideWork* work, int32_t i, int32_t piece )
{
    supVec3 place = work->smooth[work->vertices[i]];
    supTreeSide side = supTriangleTree_Side( work->tree, work->smooth, work->boxes, place, 1e30f, piece );
    return side.distance < -work->deep;
}

/// With as much of the layer as the take has, or without.
static void supWearClothes( supInsideWork* work, bool on )
{
    int32_t at = supStack_Find( &work->model->stack, sup_layerClothes );
    size_t bytes = sizeof( float ) * (size_t)work->model->stack.layers[at].itemCount;
    float* live = work->body->layers.layers[at].live;
    if ( on )
    {
        memcpy( live, work->amounts, bytes );
        return;
    }
    memcpy( work->amounts, live, bytes );
    memset( live, 0, bytes );
}

static void supLookAtMoment( supInsideWork* work, const supTake* take, double time )
{
    supPose_Sample( work->pose, take->clip, time );
    supBody_SetMorphWeights( work->body, supPose_MorphWeights( work->pose ) );
    supTake_Show( take, time, supPose_Joints( work->pose ), work->body );
    supBody_SmoothSkin( work->body, &work->smooth->x, NULL );
    supFindInside( work, work->smooth, work->boxes, work->insideSmooth );
    for ( int with = 0; with < 2; ++with )
    {
        supWearClothes( work, with == 1 );
        supBody_Skin( work->body, &work->living->x, NULL );
        supFindInside( work, work->living, work->livingBoxes, work->insideLiving );
        for ( int32_t i = 0; i < work->count; ++i )
        {
            int32_t piece = work->insideLiving[i];
            bool fresh = piece >= 0 && work->insideSmooth[i] != piece && !supWasInside( work, i, piece );
            work->seen[3 * i] = work->seen[3 * i] || work->insideSmooth[i] >= 0;
            work->seen[3 * i + 1 + with] = work->seen[3 * i + 1 + with] || fresh;
        }
    }
}

static bool supMakeInsideWork( supInsideWork* work, const supModel* model )
{
    size_t vertices = (size_t)supCharacter_Info( model->character )->vertexCount, indices = 0;
    for ( int32_t m = 0; m < supCharacter_Info( model->character )->meshCount; ++m )
    {
        indices += (size_t)supCharacter_Mesh( model->character, m ).indexCount;
    }
    *work = ( supInsideWork ){ .model = model };
    work->count = supModel_LayerVertices( model, sup_layerClothes, &work->vertices );
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, work->smooth, 2 * vertices );
    SUP_PUT( &layout, work->corners, indices );
    SUP_PUT( &layout, work->insideSmooth, 2 * (size_t)work->count );
    SUP_PUT( &layout, work->seen, 3 * (size_t)work->count + 1 );
    SUP_PUT( &layout, work->amounts, supModel_ItemCount( model, sup_layerClothes ) );
    work->block = supAllocLayout( &model->allocator, &layout );
    work->blockSize = layout.size;
    if ( work->block == NULL || supCreateBody( model, &work->body, NULL ) != sup_success ||
         supCreatePose( model->character, SUP_MAKE_IN( &model->allocator ), &work->pose, NULL ) != sup_success )
    {
        return false;
    }
    work->living = work->smooth + vertices;
    work->insideLiving = work->insideSmooth + work->count;
    work->deep = supDeep * supCharacter_Info( model->character )->size;
    supListBare( work );
    const supVec3* rest = (const supVec3*)supCharacter_Info( model->character )->restPositions;
    work->tree = supMakeTriangleTree(
        rest, supCharacter_Info( model->character )->welds, work->corners, work->triangleCount, &model->allocator );
    size_t boxes = work->tree != NULL ? (size_t)supTriangleTree_BoxCount( work->tree ) : 0;
    work->boxesSize = 2 * boxes * sizeof( supBounds );
    work->boxes = work->tree != NULL ? supAlloc( &model->allocator, work->boxesSize, _Alignof( supBounds ) ) : NULL;
    work->livingBoxes = work->boxes + boxes;
    return work->boxes != NULL;
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
    for ( int32_t t = 0; t < takeCount && fits; ++t )
    {
        for ( int32_t i = 0; i < supMostMoments; ++i )
        {
            double share = (double)i / ( supMostMoments - 1 );
            double time = takes[t]->info.start + ( takes[t]->info.end - takes[t]->info.start ) * share;
            supLookAtMoment( &work, takes[t], time );
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
    supFree( &model->allocator, work.boxes, work.boxesSize );
    supDropTriangleTree( work.tree, &model->allocator );
    supDestroyBody( work.body );
    supDestroyPose( work.pose );
    supFree( &model->allocator, work.block, work.blockSize );
    return fits ? sup_success : supFail( error, sup_errorMemory, "no memory to look for clothes inside the body" );
}
