// SPDX-License-Identifier: MIT
#include "picture/figure_internal.h"

#include <math.h>
#include <string.h>

/// Where two faces of split vertices meet at more than this, the edge is meant to be seen. cos 50 degrees.
static const float sup_creaseCosine = 0.6428f;

static supVec3 supLoad3( const float* p )
{
    return ( supVec3 ){ p[0], p[1], p[2] };
}

static void supAccumulate( float* to, supVec3 v )
{
    to[0] += v.x;
    to[1] += v.y;
    to[2] += v.z;
}

static float supCornerAngle( supVec3 a, supVec3 b )
{
    float lengths = sqrtf( supDot( a, a ) * supDot( b, b ) );
    if ( !( lengths > 0.0f ) )
    {
        return 0.0f;
    }
    float cosine = supDot( a, b ) / lengths;
    return acosf( fmaxf( -1.0f, fminf( 1.0f, cosine ) ) );
}

/// Sum over a vertex's own triangles of the face normal times the angle there (Thurmer and Wuthrich, "Computing vertex
/// normals from polygonal facets", 1998): does not depend on how a flat face is cut into triangles.
static void supAddFaces( const supMeshView* mesh, const float* positions, float side, float* normals )
{
    for ( int32_t i = 0; i + 2 < mesh->indexCount; i += 3 )
    {
        const uint32_t* t = mesh->indices + i;
        supVec3 p[3];
        for ( int k = 0; k < 3; ++k )
        {
            p[k] = supLoad3( positions + 3 * ( (size_t)mesh->firstVertex + t[k] ) );
        }
        supVec3 n = supCross( supSub( p[1], p[0] ), supSub( p[2], p[0] ) );
        float length = sqrtf( supDot( n, n ) );
        if ( !( length > 0.0f ) )
        {
            continue;
        }
        n = supScale( n, side / length );
        for ( int k = 0; k < 3; ++k )
        {
            float angle = supCornerAngle( supSub( p[( k + 1 ) % 3], p[k] ), supSub( p[( k + 2 ) % 3], p[k] ) );
            supAccumulate( normals + 3 * ( (size_t)mesh->firstVertex + t[k] ), supScale( n, angle ) );
        }
    }
}

static supVec3 supUnitOr( supVec3 v, supVec3 other )
{
    float length = sqrtf( supDot( v, v ) );
    return length > 0.0f ? supScale( v, 1.0f / length ) : other;
}

/// A vertex takes the normals of those welded to it that look nearly its own way. `own` are the sums over each vertex's
/// own faces; `next` leads around the vertices of a weld.
static supVec3 supSharedNormal( const int32_t* next, const float* own, int32_t vertex )
{
    const supVec3 upwards = { 0.0f, 1.0f, 0.0f };
    supVec3 mine = supLoad3( own + 3 * (size_t)vertex ), sum = mine;
    float length = sqrtf( supDot( mine, mine ) );
    for ( int32_t v = next[vertex]; v != vertex; v = next[v] )
    {
        supVec3 other = supLoad3( own + 3 * (size_t)v );
        float lengths = length * sqrtf( supDot( other, other ) );
        if ( supDot( mine, other ) >= sup_creaseCosine * lengths )
        {
            sum = supAdd( sum, other );
        }
    }
    return supUnitOr( sum, upwards );
}

void supComputeNormals(
    const supFigure* figure, const float* positions, const uint8_t* mirrored, bool all, float* normals )
{
    for ( int32_t m = 0; m < figure->meshCount; ++m )
    {
        if ( all == false && figure->meshes[m].hasNormals )
        {
            continue;
        }
        supMeshView mesh = supCharacter_Mesh( figure->character, m );
        memset( normals + 3 * (size_t)mesh.firstVertex, 0, 3 * sizeof( float ) * (size_t)mesh.vertexCount );
        float side = mirrored != NULL && mirrored[m] != 0 ? -1.0f : 1.0f;
        supAddFaces( &mesh, positions, side, normals );
        memcpy( figure->faceSums + 3 * (size_t)mesh.firstVertex, normals + 3 * (size_t)mesh.firstVertex,
            3 * sizeof( float ) * (size_t)mesh.vertexCount );
        for ( int32_t v = mesh.firstVertex; v < mesh.firstVertex + mesh.vertexCount; ++v )
        {
            supVec3 n = supSharedNormal( figure->weldNext, figure->faceSums, v );
            memcpy( normals + 3 * (size_t)v, &n, 3 * sizeof( float ) );
        }
    }
}
