// Supple: from half a mesh to a whole skin.
// SPDX-License-Identifier: MIT

#include "creatures/surface.h"

static void supMirrorHalf( supSurface* s, const supHalfMesh* half )
{
    const supVec3d* points = half->points.data;
    int32_t next = s->halfCount;
    for ( int32_t v = 0; v < s->halfCount; ++v )
    {
        s->points[v] = points[v];
        s->twins[v] = v;
        if ( points[v].x != 0.0 )
        {
            s->twins[v] = next;
            s->twins[next] = v;
            s->points[next++] = supMirrorD( points[v] );
        }
    }
    const int32_t* corners = half->triangles.data;
    uint32_t* own = s->indices;
    uint32_t* mirrored = s->indices + 3 * half->triangles.count;
    for ( size_t t = 0; t < half->triangles.count; ++t )
    {
        for ( size_t i = 0; i < 3; ++i )
        {
            own[3 * t + i] = (uint32_t)corners[3 * t + i];
            mirrored[3 * t + i] = (uint32_t)s->twins[corners[3 * t + 2 - i]];
        }
    }
}

// Area-weighted normals of the triangles around each vertex.
static void supAddTriangleNormals( supSurface* s )
{
    for ( int32_t t = 0; t < s->triangleCount; ++t )
    {
        const uint32_t* c = s->indices + 3 * t;
        supVec3d a = s->points[c[0]], b = s->points[c[1]], d = s->points[c[2]];
        supVec3d normal = supCrossD( supSubD( b, a ), supSubD( d, a ) );
        for ( int32_t i = 0; i < 3; ++i )
        {
            s->normals[c[i]] = supAddD( s->normals[c[i]], normal );
        }
    }
}

static void supDressHalf( supSurface* s, const supDraft* draft )
{
    for ( int32_t v = 0; v < s->halfCount; ++v )
    {
        supVec3d p = s->points[v], normal;
        // The field's own normal is smoother, the triangles' is right where the field turns within one of them.
        supSolid_Distance( &draft->field, p, &normal );
        normal = supAddD( supNormalizeD( normal ), supNormalizeD( s->normals[v] ) );
        if ( s->twins[v] == v )
        {
            normal.x = 0.0;
        }
        normal = supNormalizeD( normal );
        // Light that is missing in creases is missing least in red, as light comes through skin and fur.
        double open = draft->openness > 0.0 ? supSolid_Openness( &draft->field, p, normal, draft->openness ) : 1.0;
        int32_t twin = s->twins[v];
        s->normals[v] = normal;
        s->normals[twin] = twin == v ? normal : supMirrorD( normal );
        float rgba[4] = { (float)supMix( 0.55, 1.0, open ), (float)supMix( 0.40, 1.0, open ),
            (float)supMix( 0.38, 1.0, open ), 1.0f };
        for ( int32_t i = 0; i < 4; ++i )
        {
            s->colors[4 * v + i] = rgba[i];
            s->colors[4 * twin + i] = rgba[i];
        }
    }
}

static supResult supAllocateSurface(
    supSurface* s, const supHalfMesh* half, const supAllocator* allocator, supError* error )
{
    int32_t inPlane = 0;
    const supVec3d* points = half->points.data;
    for ( size_t v = 0; v < half->points.count; ++v )
    {
        inPlane += points[v].x == 0.0;
    }
    s->halfCount = (int32_t)half->points.count;
    s->vertexCount = 2 * s->halfCount - inPlane;
    s->triangleCount = 2 * (int32_t)half->triangles.count;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, s->points, s->vertexCount );
    SUP_PUT( &layout, s->normals, s->vertexCount );
    SUP_PUT( &layout, s->twins, s->vertexCount );
    SUP_PUT( &layout, s->indices, 3 * s->triangleCount );
    SUP_PUT( &layout, s->colors, 4 * s->vertexCount );
    SUP_PUT( &layout, s->joints, SUP_SKIN_INFLUENCES * s->vertexCount );
    SUP_PUT( &layout, s->weights, SUP_SKIN_INFLUENCES * s->vertexCount );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a skin of %d vertices", s->vertexCount );
    }
    s->block = block;
    s->blockSize = layout.size;
    return sup_success;
}

supResult supCreateSurface( const supDraft* draft, const supAllocator* allocator, supSurface* out, supError* error )
{
    *out = ( supSurface ){ .allocator = supKeepAllocator( allocator ) };
    supHalfMesh half;
    supResult result = supMeshSolid( &draft->field, draft->cell, allocator, &half, error );
    if ( result == sup_success )
    {
        result = supRemesh( &half, &draft->field, draft->vertexCount, allocator, error );
    }
    if ( result == sup_success )
    {
        result = supAllocateSurface( out, &half, allocator, error );
    }
    if ( result == sup_success )
    {
        supMirrorHalf( out, &half );
        supAddTriangleNormals( out );
        supDressHalf( out, draft );
        result = supBindSurface( out, draft, allocator, error );
    }
    supHalfMesh_Destroy( &half );
    if ( result != sup_success )
    {
        supSurface_Destroy( out );
    }
    return result;
}

void supSurface_Destroy( supSurface* surface )
{
    supFree( &surface->allocator, surface->block, surface->blockSize );
    surface->block = NULL;
}
