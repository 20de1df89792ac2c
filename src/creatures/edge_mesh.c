// Supple: edits on the edges of half a surface.
// SPDX-License-Identifier: MIT
//
// The half's border lies in the plane x = 0, where the mirror image meets it. Two rules keep the whole closed: a vertex
// never leaves the plane or comes into it, and no edge but a border edge joins two vertices of the plane (its mirror
// image would be the same edge, with four triangles).

#include "creatures/edge_mesh.h"

#include <assert.h>

static bool supFan_Add( supFan* fan, int32_t triangle )
{
    if ( fan->count == SUP_MAX_FAN )
    {
        return false;
    }
    fan->triangles[fan->count++] = triangle;
    return true;
}

static void supFan_Remove( supFan* fan, int32_t triangle )
{
    for ( int32_t i = 0; i < fan->count; ++i )
    {
        if ( fan->triangles[i] == triangle )
        {
            // The order of the rest is kept: it decides which edge comes first.
            for ( int32_t j = i + 1; j < fan->count; ++j )
            {
                fan->triangles[j - 1] = fan->triangles[j];
            }
            fan->count -= 1;
            return;
        }
    }
}

static void* supGetArray( supEdgeMesh* mesh, int32_t count, size_t itemSize )
{
    return supAllocZeroed( &mesh->allocator, (size_t)count, itemSize, 16 );
}

supResult supEdgeMesh_Init( supEdgeMesh* mesh, const supHalfMesh* half, const supSolid* field, int32_t room,
    const supAllocator* allocator, supError* error )
{
    *mesh = ( supEdgeMesh ){ .field = field, .allocator = supKeepAllocator( allocator ) };
    mesh->pointCapacity = (int32_t)half->points.count + room;
    mesh->triangleCapacity = (int32_t)half->triangles.count + 2 * room;
    mesh->points = supGetArray( mesh, mesh->pointCapacity, sizeof( supVec3d ) );
    mesh->sizes = supGetArray( mesh, mesh->pointCapacity, sizeof( double ) );
    mesh->onPlane = supGetArray( mesh, mesh->pointCapacity, sizeof( bool ) );
    mesh->fans = supGetArray( mesh, mesh->pointCapacity, sizeof( supFan ) );
    mesh->triangles = supGetArray( mesh, mesh->triangleCapacity, sizeof( int32_t[3] ) );
    if ( mesh->points == NULL || mesh->sizes == NULL || mesh->onPlane == NULL || mesh->fans == NULL ||
         mesh->triangles == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory to remesh %zu vertices", half->points.count );
    }
    mesh->pointCount = mesh->livePoints = (int32_t)half->points.count;
    mesh->triangleCount = (int32_t)half->triangles.count;
    const supVec3d* points = half->points.data;
    for ( int32_t v = 0; v < mesh->pointCount; ++v )
    {
        mesh->onPlane[v] = points[v].x == 0.0;
        mesh->livePlane += mesh->onPlane[v];
        mesh->points[v] = supSolid_Project( field, points[v], mesh->onPlane[v] );
        mesh->sizes[v] = supSolid_EdgeLength( field, mesh->points[v] );
    }
    const int32_t* corners = half->triangles.data;
    for ( int32_t t = 0; t < mesh->triangleCount; ++t )
    {
        for ( int32_t i = 0; i < 3; ++i )
        {
            mesh->triangles[t][i] = corners[3 * t + i];
            if ( !supFan_Add( &mesh->fans[corners[3 * t + i]], t ) )
            {
                return supFail( error, sup_errorLimit, "more than %d triangles around a vertex", SUP_MAX_FAN );
            }
        }
    }
    return sup_success;
}

void supEdgeMesh_Destroy( supEdgeMesh* mesh )
{
    size_t points = (size_t)mesh->pointCapacity;
    supFree( &mesh->allocator, mesh->points, points * sizeof( supVec3d ) );
    supFree( &mesh->allocator, mesh->sizes, points * sizeof( double ) );
    supFree( &mesh->allocator, mesh->onPlane, points * sizeof( bool ) );
    supFree( &mesh->allocator, mesh->fans, points * sizeof( supFan ) );
    supFree( &mesh->allocator, mesh->triangles, (size_t)mesh->triangleCapacity * sizeof( int32_t[3] ) );
}

static bool supHasCorner( const int32_t* triangle, int32_t v )
{
    return triangle[0] == v || triangle[1] == v || triangle[2] == v;
}

int32_t supEdgeMesh_Sides( const supEdgeMesh* mesh, int32_t a, int32_t b, int32_t sides[2] )
{
    int32_t count = 0;
    const supFan* fan = &mesh->fans[a];
    for ( int32_t i = 0; i < fan->count && count < 2; ++i )
    {
        if ( supHasCorner( mesh->triangles[fan->triangles[i]], b ) )
        {
            sides[count++] = fan->triangles[i];
        }
    }
    return count;
}

int32_t supEdgeMesh_Third( const supEdgeMesh* mesh, int32_t triangle, int32_t a, int32_t b )
{
    const int32_t* corners = mesh->triangles[triangle];
    for ( int32_t i = 0; i < 2; ++i )
    {
        if ( corners[i] != a && corners[i] != b )
        {
            return corners[i];
        }
    }
    return corners[2];
}

double supEdgeMesh_Length( const supEdgeMesh* mesh, int32_t a, int32_t b )
{
    return supLengthD( supSubD( mesh->points[a], mesh->points[b] ) );
}

static supVec3d supCornerNormal( supVec3d a, supVec3d b, supVec3d c )
{
    return supCrossD( supSubD( b, a ), supSubD( c, a ) );
}

supVec3d supEdgeMesh_Normal( const supEdgeMesh* mesh, int32_t triangle )
{
    const int32_t* c = mesh->triangles[triangle];
    return supCornerNormal( mesh->points[c[0]], mesh->points[c[1]], mesh->points[c[2]] );
}

static void supReplaceCorner( int32_t* triangle, int32_t from, int32_t to )
{
    for ( int32_t i = 0; i < 3; ++i )
    {
        if ( triangle[i] == from )
        {
            triangle[i] = to;
        }
    }
}

bool supEdgeMesh_Split( supEdgeMesh* mesh, int32_t a, int32_t b )
{
    int32_t sides[2];
    int32_t sideCount = supEdgeMesh_Sides( mesh, a, b, sides );
    if ( mesh->pointCount == mesh->pointCapacity || mesh->triangleCount + 2 > mesh->triangleCapacity )
    {
        return false;
    }
    for ( int32_t s = 0; s < sideCount; ++s )
    {
        if ( mesh->fans[supEdgeMesh_Third( mesh, sides[s], a, b )].count == SUP_MAX_FAN )
        {
            return false;
        }
    }
    int32_t middle = mesh->pointCount++;
    bool onPlane = sideCount == 1;
    mesh->onPlane[middle] = onPlane;
    mesh->points[middle] = supSolid_Project( mesh->field, supLerpD( mesh->points[a], mesh->points[b], 0.5 ), onPlane );
    mesh->sizes[middle] = supSolid_EdgeLength( mesh->field, mesh->points[middle] );
    mesh->fans[middle].count = 0;
    mesh->livePoints += 1;
    mesh->livePlane += onPlane;
    for ( int32_t s = 0; s < sideCount; ++s )
    {
        int32_t old = sides[s], added = mesh->triangleCount++;
        int32_t third = supEdgeMesh_Third( mesh, old, a, b );
        for ( int32_t i = 0; i < 3; ++i )
        {
            mesh->triangles[added][i] = mesh->triangles[old][i];
        }
        supReplaceCorner( mesh->triangles[old], b, middle );
        supReplaceCorner( mesh->triangles[added], a, middle );
        supFan_Remove( &mesh->fans[b], old );
        supFan_Add( &mesh->fans[b], added );
        supFan_Add( &mesh->fans[third], added );
        supFan_Add( &mesh->fans[middle], old );
        supFan_Add( &mesh->fans[middle], added );
    }
    return true;
}

// Vertices around v; gives their number, at most 2 SUP_MAX_FAN.
static int32_t supRing( const supEdgeMesh* mesh, int32_t v, int32_t* ring )
{
    int32_t count = 0;
    const supFan* fan = &mesh->fans[v];
    for ( int32_t i = 0; i < fan->count; ++i )
    {
        const int32_t* corners = mesh->triangles[fan->triangles[i]];
        for ( int32_t k = 0; k < 3; ++k )
        {
            int32_t j = 0;
            while ( j < count && ring[j] != corners[k] )
            {
                ++j;
            }
            if ( corners[k] != v && j == count )
            {
                ring[count++] = corners[k];
            }
        }
    }
    return count;
}

static bool supContains( const int32_t* list, int32_t count, int32_t value )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( list[i] == value )
        {
            return true;
        }
    }
    return false;
}

// Joining a and b keeps the surface a surface where they share no more neighbours than the edge has triangles, and
// both rules of the plane hold.
static bool supMayJoin( const supEdgeMesh* mesh, int32_t a, int32_t b, int32_t sideCount )
{
    int32_t ringA[2 * SUP_MAX_FAN], ringB[2 * SUP_MAX_FAN];
    int32_t countA = supRing( mesh, a, ringA ), countB = supRing( mesh, b, ringB );
    int32_t shared = 0;
    bool plane = mesh->onPlane[a] || mesh->onPlane[b];
    for ( int32_t i = 0; i < countB; ++i )
    {
        bool common = supContains( ringA, countA, ringB[i] );
        shared += common;
        if ( plane && !common && ringB[i] != a && mesh->onPlane[ringB[i]] && !mesh->onPlane[b] )
        {
            return false;
        }
    }
    for ( int32_t i = 0; i < countA && plane; ++i )
    {
        if ( !supContains( ringB, countB, ringA[i] ) && ringA[i] != b && mesh->onPlane[ringA[i]] && !mesh->onPlane[a] )
        {
            return false;
        }
    }
    // Vertices of three triangles, and borders of three edges, are not made.
    for ( int32_t i = 0; i < countB; ++i )
    {
        int32_t v = ringB[i];
        if ( v != a && supContains( ringA, countA, v ) && mesh->fans[v].count <= ( mesh->onPlane[v] ? 2 : 4 ) )
        {
            return false;
        }
    }
    return shared == sideCount && mesh->fans[a].count + mesh->fans[b].count - 2 * sideCount <= SUP_MAX_FAN;
}

// Whether the triangles around v that lack `other` keep their side when v moves to `place`.
static bool supKeepsFaces( const supEdgeMesh* mesh, int32_t v, int32_t other, supVec3d place, double longest )
{
    const supFan* fan = &mesh->fans[v];
    for ( int32_t i = 0; i < fan->count; ++i )
    {
        const int32_t* corners = mesh->triangles[fan->triangles[i]];
        if ( supHasCorner( corners, other ) )
        {
            continue;
        }
        supVec3d p[3];
        for ( int32_t k = 0; k < 3; ++k )
        {
            bool moves = corners[k] == v;
            p[k] = moves ? place : mesh->points[corners[k]];
            double away = supLengthD( supSubD( p[k], place ) );
            if ( !moves && away > longest * 0.5 * ( mesh->sizes[corners[k]] + mesh->sizes[v] ) )
            {
                return false;
            }
        }
        supVec3d before = supEdgeMesh_Normal( mesh, fan->triangles[i] ), after = supCornerNormal( p[0], p[1], p[2] );
        double limit = 0.3 * supLengthD( before ) * supLengthD( after );
        if ( supDotD( before, after ) <= limit )
        {
            return false;
        }
    }
    return true;
}

bool supEdgeMesh_Join( supEdgeMesh* mesh, int32_t a, int32_t b, double longest )
{
    if ( mesh->onPlane[b] && !mesh->onPlane[a] )
    {
        int32_t swap = a;
        a = b;
        b = swap;
    }
    int32_t sides[2];
    int32_t sideCount = supEdgeMesh_Sides( mesh, a, b, sides );
    if ( !supMayJoin( mesh, a, b, sideCount ) )
    {
        return false;
    }
    supVec3d place = mesh->points[a];
    if ( mesh->onPlane[a] == mesh->onPlane[b] )
    {
        place = supSolid_Project( mesh->field, supLerpD( mesh->points[a], mesh->points[b], 0.5 ), mesh->onPlane[a] );
    }
    if ( !supKeepsFaces( mesh, a, b, place, longest ) || !supKeepsFaces( mesh, b, a, place, longest ) )
    {
        return false;
    }
    mesh->points[a] = place;
    mesh->sizes[a] = supSolid_EdgeLength( mesh->field, place );
    for ( int32_t s = 0; s < sideCount; ++s )
    {
        int32_t third = supEdgeMesh_Third( mesh, sides[s], a, b );
        supFan_Remove( &mesh->fans[a], sides[s] );
        supFan_Remove( &mesh->fans[b], sides[s] );
        supFan_Remove( &mesh->fans[third], sides[s] );
        mesh->triangles[sides[s]][0] = -1;
    }
    for ( int32_t i = 0; i < mesh->fans[b].count; ++i )
    {
        int32_t triangle = mesh->fans[b].triangles[i];
        supReplaceCorner( mesh->triangles[triangle], b, a );
        supFan_Add( &mesh->fans[a], triangle );
    }
    mesh->fans[b].count = 0;
    mesh->livePoints -= 1;
    mesh->livePlane -= mesh->onPlane[b];
    return true;
}

bool supEdgeMesh_Flip( supEdgeMesh* mesh, int32_t a, int32_t b )
{
    int32_t sides[2], between[2];
    if ( supEdgeMesh_Sides( mesh, a, b, sides ) != 2 )
    {
        return false;
    }
    int32_t c = supEdgeMesh_Third( mesh, sides[0], a, b ), d = supEdgeMesh_Third( mesh, sides[1], a, b );
    if ( ( mesh->onPlane[c] && mesh->onPlane[d] ) || supEdgeMesh_Sides( mesh, c, d, between ) != 0 )
    {
        return false;
    }
    if ( mesh->fans[a].count <= ( mesh->onPlane[a] ? 2 : 3 ) || mesh->fans[b].count <= ( mesh->onPlane[b] ? 2 : 3 ) ||
         mesh->fans[c].count == SUP_MAX_FAN || mesh->fans[d].count == SUP_MAX_FAN )
    {
        return false;
    }
    // sides[0] loses b for d, sides[1] loses a for c; both still face as the pair did.
    supVec3d facing = supAddD( supEdgeMesh_Normal( mesh, sides[0] ), supEdgeMesh_Normal( mesh, sides[1] ) );
    supReplaceCorner( mesh->triangles[sides[0]], b, d );
    supReplaceCorner( mesh->triangles[sides[1]], a, c );
    supVec3d first = supEdgeMesh_Normal( mesh, sides[0] ), second = supEdgeMesh_Normal( mesh, sides[1] );
    double limit = 0.5 * supLengthD( facing );
    if ( supDotD( first, facing ) <= limit * supLengthD( first ) ||
         supDotD( second, facing ) <= limit * supLengthD( second ) )
    {
        supReplaceCorner( mesh->triangles[sides[0]], d, b );
        supReplaceCorner( mesh->triangles[sides[1]], c, a );
        return false;
    }
    supFan_Remove( &mesh->fans[b], sides[0] );
    supFan_Remove( &mesh->fans[a], sides[1] );
    supFan_Add( &mesh->fans[d], sides[0] );
    supFan_Add( &mesh->fans[c], sides[1] );
    return true;
}
