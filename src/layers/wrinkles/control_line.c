// Control lines on a surface: given by points, or found.
// SPDX-License-Identifier: MIT

#include "layers/wrinkles/wrinkles.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/layer.h"

#include <string.h>

static bool supIsLineMesh( const supWrinkleDef* def, const char* name )
{
    bool listed = def->meshes.count == 0;
    for ( int32_t i = 0; i < def->meshes.count && !listed; ++i )
    {
        listed = strcmp( def->meshes.names[i], name ) == 0;
    }
    return listed;
}

supResult supMakeLineSkin(
    const supLayerContext* context, const supWrinkleDef* def, int32_t item, supLineSkin* skin, supError* error )
{
    const supCharacter* character = context->character;
    char place[SUP_PATH_TEXT];
    size_t indices = 0;
    for ( int32_t i = 0; i < def->meshes.count; ++i )
    {
        if ( !supHasMeshNamed( character, def->meshes.names[i] ) )
        {
            supPathText( place, "wrinkles[%d].meshes[%d]", item, i );
            return supNoMesh( character, place, def->meshes.names[i], error );
        }
    }
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        indices += (size_t)supCharacter_Mesh( character, m ).indexCount;
    }
    *skin = ( supLineSkin ){ .cornersSize = ( indices + 1 ) * sizeof( int32_t ) };
    skin->corners = supAlloc( context->allocator, skin->cornersSize, _Alignof( int32_t ) );
    for ( int32_t m = 0; skin->corners != NULL && m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        int32_t count = supIsLineMesh( def, mesh.name ) ? mesh.indexCount / 3 * 3 : 0;
        for ( int32_t i = 0; i < count; ++i )
        {
            skin->corners[3 * skin->triangleCount + i] = mesh.firstVertex + (int32_t)mesh.indices[i];
        }
        skin->triangleCount += count / 3;
    }
    const supVec3* rest = (const supVec3*)supCharacter_Info( character )->restPositions;
    skin->tree = skin->corners != NULL
                     ? supMakeTriangleTree( rest, NULL, skin->corners, skin->triangleCount, context->allocator )
                     : NULL;
    return skin->tree != NULL ? sup_success : supFail( error, sup_errorMemory, "wrinkles[%d]: no memory", item );
}

void supDropLineSkin( supLineSkin* skin, const supAllocator* allocator )
{
    supDropTriangleTree( skin->tree, allocator );
    supFree( allocator, skin->corners, skin->cornersSize );
    *skin = ( supLineSkin ){ 0 };
}

// ---------------------------------------------------------------------------------------------------------------
// Given

/// A vertex of the line goes to its place by rising value.
static void supInsertPoint( supVec3 point, float value, int32_t count, supVec3* points, float* values )
{
    int32_t at = count;
    for ( ; at > 0 && values[at - 1] > value; --at )
    {
        points[at] = points[at - 1];
        values[at] = values[at - 1];
    }
    points[at] = point;
    values[at] = value;
}

static supResult supListVertices( const supLayerContext* context, const supWrinkleDef* def, int32_t item, int32_t most,
    supVec3* points, int32_t* count, supError* error )
{
    enum
    {
        supMostListed = 256
    };
    const supCharacter* character = context->character;
    const supVec3* rest = (const supVec3*)supCharacter_Info( character )->restPositions;
    float values[supMostListed];
    most = most < supMostListed ? most : supMostListed;
    if ( def->vertices.fingerprint != supCharacter_Info( character )->fingerprint )
    {
        return supFail( error, sup_errorData,
            "wrinkles[%d].vertices: made for another mesh (fingerprint 0x%016llx, this mesh has 0x%016llx); choose them again",
            item, (unsigned long long)def->vertices.fingerprint,
            (unsigned long long)supCharacter_Info( character )->fingerprint );
    }
    for ( int32_t m = 0; m < def->vertices.count; ++m )
    {
        const supVertexValues* listed = def->vertices.meshes + m;
        int32_t found = supFindMeshNamed( character, listed->mesh, listed->meshIndex );
        char place[SUP_PATH_TEXT];
        supPathText( place, "wrinkles[%d].vertices.meshes[%d]", item, m );
        if ( found < 0 )
        {
            return supNoMesh( character, place, listed->mesh, error );
        }
        supMeshView mesh = supCharacter_Mesh( character, found );
        for ( int32_t i = 0; i < listed->count; ++i )
        {
            if ( listed->vertices[i] >= mesh.vertexCount || *count == most )
            {
                return supFail( error, sup_errorData,
                    "%s.vertices[%d]: %d is too large; the mesh has %d vertices, and a line at most %d", place, i,
                    listed->vertices[i], mesh.vertexCount, most );
            }
            supInsertPoint(
                rest[mesh.firstVertex + listed->vertices[i]], listed->values[i], ( *count )++, points, values );
        }
    }
    return sup_success;
}

supResult supFindLine( const supLayerContext* context, const supWrinkleDef* def, int32_t item, int32_t joint,
    const supLineSkin* skin, int32_t most, supVec3* points, int32_t* count, supError* error )
{
    *count = 0;
    if ( def->vertices.count > 0 )
    {
        return supListVertices( context, def, item, most, points, count, error );
    }
    if ( def->points.count == 0 )
    {
        return supSearchLine( context, def, item, joint, skin, points, count, error );
    }
    if ( def->points.count > most )
    {
        return supFail( error, sup_errorData, "wrinkles[%d].points: %d given; a line has at most %d", item,
            def->points.count, most );
    }
    float size = supCharacter_Info( context->character )->size;
    *count = def->points.count;
    supMat34 frame = joint >= 0 ? supCharacter_Info( context->character )->restJoints[joint] : supMat34_identity;
    supQuat turn = supNearestRotation( frame );
    for ( int32_t i = 0; i < *count; ++i )
    {
        points[i] = supAdd( frame.t, supRotate( turn, supScale( def->points.points[i], size ) ) );
    }
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// On the surface

supVec3 supLinePlace( const supLinePoint* point, const supVec3* positions )
{
    supVec3 sum = supVec3_zero;
    for ( int k = 0; k < 3; ++k )
    {
        sum = supMulAdd( sum, point->shares[k], positions[point->corners[k]] );
    }
    return sum;
}

void supLayLine( const supLineSkin* skin, const supVec3* points, int32_t pointCount, int32_t count, supLinePoint* line )
{
    float whole = 0.0f;
    for ( int32_t i = 0; i + 1 < pointCount; ++i )
    {
        whole += supDistance( points[i], points[i + 1] );
    }
    for ( int32_t n = 0; n < count; ++n )
    {
        float left = whole * (float)n / (float)( count - 1 );
        int32_t i = 0;
        while ( i + 2 < pointCount && left > supDistance( points[i], points[i + 1] ) )
        {
            left -= supDistance( points[i], points[i + 1] );
            ++i;
        }
        float span = supDistance( points[i], points[i + 1] );
        supVec3 at = supLerp( points[i], points[i + 1], span > 0.0f ? supClampF( left / span, 0.0f, 1.0f ) : 0.0f );
        supFootPoint foot = supTriangleTree_Closest( skin->tree, at, 1e30f );
        if ( foot.triangle >= 0 )
        {
            memcpy( line[n].corners, skin->corners + 3 * (size_t)foot.triangle, sizeof( line[n].corners ) );
            memcpy( line[n].shares, foot.shares, sizeof( line[n].shares ) );
        }
    }
}
