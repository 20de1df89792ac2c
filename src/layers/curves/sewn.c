// Supple: one surface through the curves of a whole character.
// SPDX-License-Identifier: MIT
#include "supple/lab/sewn.h"
#include "layers/curves/curve_mesh.h"
#include "layers/triangle_tree.h"

#include <stdlib.h>

#define SUP_SEWN_COOKIE 0x5e3a

enum
{
    supMostDetail = 8,
    supMostSewnVertices = 1 << 22
};

/// Half a percent of the size: skin farther from the surface than that counts as bare.
static const double supCoveredWithin = 0.005;

struct supSewn
{
    const supCharacter* character;
    int32_t vertexCount, indexCount, openEdges;
    uint32_t* indices;
    int32_t* corners;
    float* shares;
    supCurveNetwork* network;
    void* block;
    size_t blockSize;
    supAllocator allocator;
};

supSewnDef supDefaultSewnDef( void )
{
    return ( supSewnDef ){ .detail = 2, .tolerance = 3e-4, .cookie = SUP_SEWN_COOKIE };
}

// ---------------------------------------------------------------------------------------------------------------
// The skin's triangles, each cut in detail * detail. Vertices are numbered: places, those on edges, those within.

/// Where vertices of each kind begin.
typedef struct supCuts
{
    const supCurveMesh* mesh;
    const int32_t* numbers; ///< of each place that a triangle uses
    int32_t detail, firstOnEdges, firstWithin;
} supCuts;

/// The vertex of a triangle at `i` steps from corner 0 to corner 1 and `j` steps to corner 2.
static int32_t supCutVertex( const supCuts* cuts, int32_t triangle, int32_t i, int32_t j )
{
    int32_t d = cuts->detail, steps[3] = { d - i - j, i, j };
    const int32_t* corners = cuts->mesh->triangles[triangle];
    for ( int32_t c = 0; c < 3; ++c )
    {
        if ( steps[c] == d )
        {
            return cuts->numbers[corners[c]];
        }
    }
    for ( int32_t c = 0; c < 3; ++c )
    {
        int32_t next = ( c + 1 ) % 3;
        if ( steps[c] + steps[next] == d )
        {
            int32_t edge = cuts->mesh->edgesOf[triangle][c];
            int32_t from = cuts->mesh->edges[edge][0] == corners[c] ? steps[next] : steps[c];
            return cuts->firstOnEdges + edge * ( d - 1 ) + from - 1;
        }
    }
    int32_t row = ( j - 1 ) * ( d - 1 ) - ( j - 1 ) * j / 2; // of inner vertices before those at j
    return cuts->firstWithin + triangle * ( ( d - 1 ) * ( d - 2 ) / 2 ) + row + i - 1;
}

static void supCutTriangle( const supCuts* cuts, supSewn* sewn, int32_t triangle, uint32_t* out )
{
    const int32_t* corners = cuts->mesh->triangles[triangle];
    int32_t d = cuts->detail;
    for ( int32_t j = 0; j <= d; ++j )
    {
        for ( int32_t i = 0; i + j <= d; ++i )
        {
            size_t at = 3 * (size_t)supCutVertex( cuts, triangle, i, j );
            int32_t steps[3] = { d - i - j, i, j };
            for ( int32_t c = 0; c < 3; ++c )
            {
                sewn->corners[at + (size_t)c] = cuts->mesh->sources[corners[c]];
                sewn->shares[at + (size_t)c] = (float)steps[c] / (float)d;
            }
            if ( i + j < d )
            {
                *out++ = (uint32_t)supCutVertex( cuts, triangle, i, j );
                *out++ = (uint32_t)supCutVertex( cuts, triangle, i + 1, j );
                *out++ = (uint32_t)supCutVertex( cuts, triangle, i, j + 1 );
            }
            if ( i + j + 1 < d )
            {
                *out++ = (uint32_t)supCutVertex( cuts, triangle, i + 1, j );
                *out++ = (uint32_t)supCutVertex( cuts, triangle, i + 1, j + 1 );
                *out++ = (uint32_t)supCutVertex( cuts, triangle, i, j + 1 );
            }
        }
    }
}

static supResult supCutSkin( supSewn* sewn, const supCurveMesh* mesh, int32_t detail, supError* error )
{
    size_t points = (size_t)mesh->pointCount, d = (size_t)detail;
    int32_t* numbers = supAllocZeroed( &sewn->allocator, points, sizeof( int32_t ), _Alignof( int32_t ) );
    if ( numbers == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory to sew a surface" );
    }
    int32_t used = 0;
    for ( size_t p = 0; p < points; ++p )
    {
        numbers[p] = mesh->fanStart[p] < mesh->fanStart[p + 1] ? used++ : -1;
    }
    size_t edges = (size_t)mesh->edgeCount * ( d - 1 );
    size_t within = (size_t)mesh->triangleCount * ( ( d - 1 ) * ( d - 2 ) / 2 );
    size_t vertices = (size_t)used + edges + within, indices = 3 * (size_t)mesh->triangleCount * d * d;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, sewn->indices, indices );
    SUP_PUT( &layout, sewn->corners, 3 * vertices );
    SUP_PUT( &layout, sewn->shares, 3 * vertices );
    supResult result = sup_success;
    if ( vertices > supMostSewnVertices )
    {
        result = supFail( error, sup_errorLimit, "%s: a surface of %zu vertices is too large: take less detail",
            supCharacter_Info( sewn->character )->name, vertices );
    }
    else
    {
        sewn->block = supAllocLayout( &sewn->allocator, &layout );
        sewn->blockSize = layout.size;
        result = sewn->block != NULL ? sup_success : supFail( error, sup_errorMemory, "no memory to sew a surface" );
    }
    if ( result == sup_success )
    {
        supCuts cuts = { mesh, numbers, detail, used, used + (int32_t)edges };
        sewn->vertexCount = (int32_t)vertices;
        sewn->indexCount = (int32_t)indices;
        for ( int32_t t = 0; t < mesh->triangleCount; ++t )
        {
            supCutTriangle( &cuts, sewn, t, sewn->indices + 3 * (size_t)t * d * d );
        }
        for ( int32_t e = 0; e < mesh->edgeCount; ++e )
        {
            sewn->openEdges += mesh->sides[e][1] < 0 ? detail : 0;
        }
    }
    supFree( &sewn->allocator, numbers, points * sizeof( int32_t ) );
    return result;
}

// Where the vertices are on the skin itself.
static void supSewnSkin( const supSewn* sewn, const float* skin, float* out )
{
    skin = skin != NULL ? skin : supCharacter_Info( sewn->character )->restPositions;
    for ( size_t i = 0; i < 3 * (size_t)sewn->vertexCount; ++i )
    {
        double sum = 0.0;
        for ( size_t c = 3 * ( i / 3 ); c < 3 * ( i / 3 ) + 3; ++c )
        {
            sum += (double)sewn->shares[c] * skin[3 * (size_t)sewn->corners[c] + i % 3];
        }
        out[i] = (float)sum;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Making one

static supResult supSewnMesh(
    const supCharacter* character, const supAllocator* allocator, supCurveMesh* out, supError* error )
{
    const supCharacterInfo* info = supCharacter_Info( character );
    supArray indices = supMakeArray( sizeof( uint32_t ), allocator );
    supResult result = sup_success;
    for ( int32_t m = 0; m < info->meshCount && result == sup_success; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        uint32_t* to = mesh.indexCount > 0 ? supArray_Add( &indices, (size_t)mesh.indexCount ) : NULL;
        result = to != NULL || mesh.indexCount == 0 ? sup_success
                                                    : supFail( error, sup_errorMemory, "no memory to sew a surface" );
        for ( int32_t i = 0; i < mesh.indexCount && result == sup_success; ++i )
        {
            to[i] = mesh.indices[i] + (uint32_t)mesh.firstVertex;
        }
    }
    if ( result == sup_success )
    {
        result = supCreateCurveMesh( info->name, info->vertexCount, info->restPositions, (int32_t)indices.count,
            indices.data, allocator, out, error );
    }
    supArray_Destroy( &indices );
    return result;
}

static supResult supSewnNetwork( supSewn* sewn, const supSewnDef* def, supError* error )
{
    size_t size = (size_t)sewn->vertexCount * sizeof( supVec3 );
    float* rest = supAlloc( &sewn->allocator, size, _Alignof( float ) );
    if ( rest == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory to sew a surface" );
    }
    supSewnSkin( sewn, NULL, rest );
    supCurveNetworkDef network = supDefaultCurveNetworkDef();
    network.name = supCharacter_Info( sewn->character )->name;
    network.vertexCount = sewn->vertexCount;
    network.positions = rest;
    network.indexCount = sewn->indexCount;
    network.indices = sewn->indices;
    network.tolerance = def->tolerance;
    network.parameterLimit = def->parameterLimit;
    network.allocator = &sewn->allocator;
    supResult result = supCreateCurveNetwork( &network, &sewn->network, error );
    supFree( &sewn->allocator, rest, size );
    return result;
}

supResult supCreateSewn( const supSewnDef* def, supSewn** out, supError* error )
{
    *out = NULL;
    if ( def->cookie != SUP_SEWN_COOKIE || def->character == NULL )
    {
        return supFail(
            error, sup_errorArgument, "supCreateSewn: the def was not made by supDefaultSewnDef, or has no character" );
    }
    if ( def->detail < 1 || def->detail > supMostDetail )
    {
        return supFail( error, sup_errorArgument, "supCreateSewn: detail must be 1 to %d", (int)supMostDetail );
    }
    supSewn* sewn = supAllocZeroed( def->allocator, 1, sizeof( supSewn ), _Alignof( supSewn ) );
    if ( sewn == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory to sew a surface" );
    }
    sewn->allocator = supKeepAllocator( def->allocator );
    sewn->character = def->character;
    supCurveMesh mesh;
    supResult result = supSewnMesh( def->character, &sewn->allocator, &mesh, error );
    if ( result == sup_success )
    {
        result = supCutSkin( sewn, &mesh, def->detail, error );
        supCurveMesh_Destroy( &mesh );
    }
    result = result == sup_success ? supSewnNetwork( sewn, def, error ) : result;
    if ( result != sup_success )
    {
        supDestroySewn( sewn );
        return result;
    }
    *out = sewn;
    return sup_success;
}

void supDestroySewn( supSewn* sewn )
{
    if ( sewn != NULL )
    {
        supAllocator allocator = sewn->allocator;
        supDestroyCurveNetwork( sewn->network );
        supFree( &allocator, sewn->block, sewn->blockSize );
        supFree( &allocator, sewn, sizeof( supSewn ) );
    }
}

supSewnView supSewn_View( const supSewn* sewn )
{
    return ( supSewnView ){ .vertexCount = sewn->vertexCount,
        .indexCount = sewn->indexCount,
        .indices = sewn->indices,
        .corners = sewn->corners,
        .shares = sewn->shares,
        .openEdges = sewn->openEdges,
        .network = sewn->network };
}

// ---------------------------------------------------------------------------------------------------------------
// In a pose

static void supSewnNormals( const supSewn* sewn, const supVec3* positions, supVec3* normals )
{
    for ( int32_t v = 0; v < sewn->vertexCount; ++v )
    {
        normals[v] = supVec3_zero;
    }
    for ( int32_t i = 0; i < sewn->indexCount; i += 3 )
    {
        const uint32_t* c = sewn->indices + i;
        supVec3 twice =
            supCross( supSub( positions[c[1]], positions[c[0]] ), supSub( positions[c[2]], positions[c[0]] ) );
        for ( int32_t k = 0; k < 3; ++k )
        {
            normals[c[k]] = supAdd( normals[c[k]], twice );
        }
    }
    for ( int32_t v = 0; v < sewn->vertexCount; ++v )
    {
        normals[v] = supNormalize( normals[v] );
    }
}

supResult supSewn_Places( const supSewn* sewn, const float* skin, float* positions, float* normals, supError* error )
{
    size_t size = (size_t)sewn->vertexCount * sizeof( supVec3 );
    float* shapes = supAllocZeroed( &sewn->allocator, 2, size, _Alignof( float ) );
    if ( shapes == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a sewn surface" );
    }
    const float* both[2] = { shapes, shapes + 3 * (size_t)sewn->vertexCount };
    const double times[2] = { 0.0, 1.0 };
    supSewnSkin( sewn, NULL, shapes );
    supSewnSkin( sewn, skin, shapes + 3 * (size_t)sewn->vertexCount );
    supCurveMotionDef def = supDefaultCurveMotionDef();
    def.name = supCharacter_Info( sewn->character )->name;
    def.shapeCount = 2;
    def.times = times;
    def.shapes = both;
    def.keepDetail = false;
    def.allocator = &sewn->allocator;
    supCurveMotion* motion = NULL;
    supResult result = supCreateCurveMotion( sewn->network, &def, &motion, error );
    if ( result == sup_success )
    {
        supCurveMotion_At( motion, 1.0, positions );
        if ( normals != NULL )
        {
            supSewnNormals( sewn, (const supVec3*)positions, (supVec3*)normals );
        }
    }
    supDestroyCurveMotion( motion );
    supFree( &sewn->allocator, shapes, 2 * size );
    return result;
}

static int supCompareReach( const void* a, const void* b )
{
    float x = *(const float*)a, y = *(const float*)b;
    return ( x > y ) - ( x < y );
}

supResult supSewn_Measure(
    const supSewn* sewn, const float* skin, const float* positions, supSewnReport* report, supError* error )
{
    size_t count = (size_t)sewn->vertexCount;
    float size = supCharacter_Info( sewn->character )->size;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supVec3, places, count );
    SUP_PUT_NEW( &layout, int32_t, corners, (size_t)sewn->indexCount );
    SUP_PUT_NEW( &layout, float, reaches, count );
    char* block = supAllocLayout( &sewn->allocator, &layout );
    supTriangleTree* tree = NULL;
    *report = ( supSewnReport ){ 0 };
    if ( block != NULL )
    {
        for ( int32_t i = 0; i < sewn->indexCount; ++i )
        {
            corners[i] = (int32_t)sewn->indices[i];
        }
        tree = supMakeTriangleTree( (const supVec3*)positions, NULL, corners, sewn->indexCount / 3, &sewn->allocator );
    }
    if ( tree != NULL )
    {
        supSewnSkin( sewn, skin, &places[0].x );
        double sum = 0.0;
        int32_t covered = 0;
        for ( size_t v = 0; v < count; ++v )
        {
            reaches[v] = supTriangleTree_Closest( tree, places[v], size ).distance;
            sum += (double)reaches[v] * reaches[v];
            covered += reaches[v] <= supCoveredWithin * size;
        }
        qsort( reaches, count, sizeof( float ), supCompareReach );
        report->rms = supSqrt( sum / (double)count );
        report->p99 = reaches[count - 1 - count / 100];
        report->largest = reaches[count - 1];
        report->covered = (double)covered / (double)count;
    }
    supDropTriangleTree( tree, &sewn->allocator );
    supFree( &sewn->allocator, block, layout.size );
    return tree != NULL ? sup_success : supFail( error, sup_errorMemory, "no memory to measure a surface" );
}
