// Control lines on a surface: given by points, or found.
// SPDX-License-Identifier: MIT

#include "layers/wrinkles/control_line.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/clip_moments.h"
#include "layers/names_in_rig.h"

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
    char place[SUP_PLACE_TEXT];
    size_t indices = 0;
    for ( int32_t i = 0; i < def->meshes.count; ++i )
    {
        if ( !supHasMeshNamed( character, def->meshes.names[i] ) )
        {
            supPlaceText( place, "wrinkles[%d].meshes[%d]", item, i );
            return supNoMesh( character, place, def->meshes.names[i], error );
        }
    }
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        indices += (size_t)supCharacter_Mesh( character, m ).indexCount;
    }
    *skin = ( supLineSkin ){ .cornersSize = ( indices + 1 ) * sizeof( int32_t ) };
    skin->corners = supAlloc( context->allocator, skin->cornersSize, _Alignof( int32_t ) );
    for ( int32_t m = 0; skin->corners != NULL && m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        int32_t count = supIsLineMesh( def, mesh.name ) ? mesh.indexCount / 3 * 3 : 0;
        for ( int32_t i = 0; i < count; ++i )
        {
            skin->corners[3 * skin->triangleCount + i] = mesh.firstVertex + (int32_t)mesh.indices[i];
        }
        skin->triangleCount += count / 3;
    }
    const supVec3* rest = (const supVec3*)supCharacter_RestPositions( character );
    skin->index = skin->corners != NULL
                      ? supMakeTriangleIndex( rest, skin->corners, skin->triangleCount, context->allocator )
                      : NULL;
    return skin->index != NULL ? sup_success : supFail( error, sup_errorMemory, "wrinkles[%d]: no memory", item );
}

void supDropLineSkin( supLineSkin* skin, const supAllocator* allocator )
{
    supFree( allocator, skin->index, skin->index != NULL ? skin->index->blockSize : 0 );
    supFree( allocator, skin->corners, skin->cornersSize );
    *skin = ( supLineSkin ){ 0 };
}

// ---------------------------------------------------------------------------------------------------------------
// Where the surface shortens most

typedef struct supShortening
{
    const supLineSkin* skin;
    const supVec3* rest;
    float* least; ///< of each edge, three a triangle: its shortest length over that at rest
} supShortening;

static void supNoteShortest( const supVec3* positions, void* user )
{
    supShortening* work = user;
    for ( int32_t e = 0; e < 3 * work->skin->triangleCount; ++e )
    {
        int32_t a = work->skin->corners[e], b = work->skin->corners[e - e % 3 + ( e + 1 ) % 3];
        float before = supDistance( work->rest[a], work->rest[b] );
        float ratio = before > 0.0f ? supDistance( positions[a], positions[b] ) / before : 1.0f;
        work->least[e] = supMinF( work->least[e], ratio );
    }
}

/// The share of a vertex's weight that hangs on a joint.
static float supWeightOn( const supCharacter* character, int32_t vertex, int32_t joint )
{
    int32_t m = 0;
    supMeshView mesh = supCharacter_Mesh( character, m );
    while ( vertex >= mesh.firstVertex + mesh.vertexCount )
    {
        mesh = supCharacter_Mesh( character, ++m );
    }
    const int32_t* paletteJoints = supCharacter_PaletteJoints( character );
    float sum = 0.0f;
    for ( int32_t i = 0; i < mesh.influenceCount; ++i )
    {
        size_t at = (size_t)( vertex - mesh.firstVertex ) * (size_t)mesh.influenceCount + (size_t)i;
        sum += paletteJoints[mesh.firstPalette + mesh.jointIndices[at]] == joint ? mesh.weights[at] : 0.0f;
    }
    return sum;
}

/// Across the edge that is shortened most, where its triangle's others are not stretched as much: a line of `length`.
static int32_t supFindShortest(
    const supLayerContext* context, const supWrinkleDef* def, int32_t joint, const supLineSkin* skin, supVec3* points )
{
    const supCharacter* character = context->character;
    const supVec3* rest = (const supVec3*)supCharacter_RestPositions( character );
    float size = supCharacter_Size( character );
    size_t bytes = ( 3 * (size_t)skin->triangleCount + 1 ) * sizeof( float );
    supShortening work = { skin, rest, supAlloc( context->allocator, bytes, _Alignof( float ) ) };
    if ( work.least == NULL )
    {
        return 0;
    }
    for ( int32_t e = 0; e < 3 * skin->triangleCount; ++e )
    {
        work.least[e] = 1.0f;
    }
    supVisitClipMoments( character, 64, context->allocator, supNoteShortest, &work );
    float best = 0.02f; // less than 2% is nothing to see
    int32_t found = -1;
    for ( int32_t e = 0; e < 3 * skin->triangleCount; ++e )
    {
        int32_t a = skin->corners[e], b = skin->corners[e - e % 3 + ( e + 1 ) % 3];
        float score = ( 1.0f - work.least[e] ) * supMinF( supDistance( rest[a], rest[b] ) / ( 0.01f * size ), 1.0f );
        if ( score > best && ( joint < 0 || supWeightOn( character, a, joint ) >= 0.25f ) )
        {
            best = score;
            found = e;
        }
    }
    supFree( context->allocator, work.least, bytes );
    if ( found < 0 )
    {
        return 0;
    }
    supVec3 a = rest[skin->corners[found]], b = rest[skin->corners[found - found % 3 + ( found + 1 ) % 3]];
    supVec3 along = supScale( supNormalize( supSub( b, a ) ), 0.5f * def->length * size );
    points[0] = supSub( supLerp( a, b, 0.5f ), along );
    points[1] = supLerp( a, b, 0.5f );
    points[2] = supAdd( points[1], along );
    return 3;
}

int32_t supFindLine( const supLayerContext* context, const supWrinkleDef* def, int32_t joint, const supLineSkin* skin,
    int32_t most, supVec3* points )
{
    if ( def->points.count == 0 )
    {
        return supFindShortest( context, def, joint, skin, points );
    }
    float size = supCharacter_Size( context->character );
    int32_t count = def->points.count < most ? def->points.count : most;
    supMat34 frame = joint >= 0 ? supCharacter_RestJoints( context->character )[joint] : supMat34_identity;
    supQuat turn = supNearestRotation( frame );
    for ( int32_t i = 0; i < count; ++i )
    {
        points[i] = supAdd( frame.t, supRotate( turn, supScale( def->points.points[i], size ) ) );
    }
    return count;
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

void supLayLine( const supVec3* rest, const supLineSkin* skin, const supVec3* points, int32_t pointCount, int32_t count,
    supLinePoint* line )
{
    (void)rest;
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
        supFootPoint foot = supTriangleIndex_Closest( skin->index, at, 1e30f );
        if ( foot.triangle >= 0 )
        {
            memcpy( line[n].corners, skin->corners + 3 * (size_t)foot.triangle, sizeof( line[n].corners ) );
            memcpy( line[n].shares, foot.shares, sizeof( line[n].shares ) );
        }
    }
}
