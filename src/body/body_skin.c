// What a body shows: vertices, helper joints, pictures.
// SPDX-License-Identifier: MIT

#include "base/math.h"
#include "body/body_data.h"

#include <assert.h>
#include <string.h>

static supOutStream supPart( supOutStream stream, int32_t first, int32_t count )
{
    if ( stream.data != NULL )
    {
        stream.data = (char*)stream.data + (size_t)first * (size_t)stream.stride;
        stream.count = count;
    }
    return stream;
}

/// A mesh without normals (or tangents) leaves that part of the output alone.
static void supSmoothSkin( const supBody* body, supOutStream positions, supOutStream normals, supOutStream tangents )
{
    const supCharacter* character = body->model->character;
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        supSkinJob job = supCharacter_SkinJob( character, m, body->palette, body->morphWeights );
        job.method = body->skinning;
        job.outPositions = supPart( positions, mesh.firstVertex, mesh.vertexCount );
        job.outNormals = mesh.normals != NULL ? supPart( normals, mesh.firstVertex, mesh.vertexCount ) : job.outNormals;
        job.outTangents =
            mesh.tangents != NULL ? supPart( tangents, mesh.firstVertex, mesh.vertexCount ) : job.outTangents;
        supResult result = supSkinJob_Run( &job, NULL );
        assert( result == sup_success );
        (void)result;
    }
}

static supOutStream supTight( const supBody* body, float* data )
{
    return ( supOutStream ){ data, supCharacter_VertexCount( body->model->character ), 3 * (int32_t)sizeof( float ) };
}

void supBody_SmoothSkin( const supBody* body, float* positions, float* normals )
{
    supSmoothSkin( body, supTight( body, positions ), supTight( body, normals ), ( supOutStream ){ 0 } );
}

void supBody_Skin( const supBody* body, float* positions, float* normals )
{
    supSmoothSkin( body, supTight( body, positions ), supTight( body, normals ), ( supOutStream ){ 0 } );
    supFlesh_Apply( body->model->flesh, body->model->character, body->palette, body->shown, supTight( body, positions ),
        supTight( body, normals ), ( supOutStream ){ 0 } );
}

static supResult supCheckStream(
    const char* name, supOutStream stream, int32_t count, int32_t itemSize, bool wanted, supError* error )
{
    if ( stream.data == NULL && !wanted )
    {
        return sup_success;
    }
    if ( stream.data == NULL || stream.count < count || stream.stride < itemSize )
    {
        return supFail( error, sup_errorArgument,
            "%s: %d items of %d bytes are written, the stream has %d with a stride of %d", name, count, itemSize,
            stream.count, stream.stride );
    }
    return sup_success;
}

supResult supBody_SkinStreams(
    const supBody* body, supOutStream positions, supOutStream normals, supOutStream tangents, supError* error )
{
    int32_t count = supCharacter_VertexCount( body->model->character );
    supResult result = supCheckStream( "positions", positions, count, 12, true, error );
    result = result == sup_success ? supCheckStream( "normals", normals, count, 12, false, error ) : result;
    result = result == sup_success ? supCheckStream( "tangents", tangents, count, 16, false, error ) : result;
    if ( result == sup_success )
    {
        supSmoothSkin( body, positions, normals, tangents );
        supFlesh_Apply(
            body->model->flesh, body->model->character, body->palette, body->shown, positions, normals, tangents );
    }
    return result;
}

void supBody_HelperJoints( const supBody* body, supMat34* helpers )
{
    const supModel* model = body->model;
    for ( int32_t i = 0; i < model->helperCount; ++i )
    {
        supHelperView helper = model->helpers[i];
        helpers[i] = body->joints[helper.joint];
        helpers[i].t = supMulAdd( helpers[i].t, model->helperGain, body->shown[helper.element] );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

const char* const* supBody_DrawNames( void )
{
    static const char* const names[] = { "weights", "displacement", "springs", "elements", NULL };
    return names;
}

bool supBody_Draw( const supBody* body, const char* what, const supDraw* draw )
{
    const supModel* model = body->model;
    size_t vertices = (size_t)supCharacter_VertexCount( model->character );
    float* smooth = supAllocZeroed( &model->allocator, vertices, 7 * sizeof( float ), _Alignof( float ) );
    if ( smooth == NULL )
    {
        return false;
    }
    supBody_SmoothSkin( body, smooth, NULL );
    bool known = supFlesh_Draw(
        model->flesh, model->character, what, body->shown, body->joints, smooth, smooth + 3 * vertices, draw );
    supFree( &model->allocator, smooth, 7 * sizeof( float ) * vertices );
    return known;
}
