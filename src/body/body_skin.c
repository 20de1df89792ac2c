// What a body shows: vertices, helper joints, pictures.
// SPDX-License-Identifier: MIT

#include "base/math.h"
#include "body/body_data.h"
#include "body/skin_kernel.h"

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

/// What is to be written, and how.
typedef struct supSkinCall
{
    const supBody* body;
    supOutStream positions, normals, tangents;
    bool living;
    bool ordered; ///< in our own order, not the file's
} supSkinCall;

/// By the reference. A mesh without normals (or tangents) leaves that part of the output alone.
static void supSkinExactly( const supSkinCall* call, int32_t m )
{
    const supBody* body = call->body;
    const supCharacter* character = body->model->character;
    supMeshView mesh = supCharacter_Mesh( character, m );
    supSkinJob job = supCharacter_SkinJob( character, m, body->palette, body->morphWeights );
    job.method = body->skinning;
    job.outPositions = supPart( call->positions, mesh.firstVertex, mesh.vertexCount );
    job.outNormals =
        mesh.normals != NULL ? supPart( call->normals, mesh.firstVertex, mesh.vertexCount ) : job.outNormals;
    job.outTangents =
        mesh.tangents != NULL ? supPart( call->tangents, mesh.firstVertex, mesh.vertexCount ) : job.outTangents;
    supResult result = supSkinJob_Run( &job, NULL );
    assert( result == sup_success );
    (void)result;
    if ( call->living )
    {
        supFlesh_Apply( body->model->flesh, &mesh, body->palette, body->skinning, body->shown, call->positions,
            call->normals, call->tangents );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// By blocks

static bool supIsMorphed( const supSkinJob* job )
{
    bool morphed = false;
    for ( int32_t i = 0; i < job->morphCount; ++i )
    {
        morphed = morphed || job->morphWeights[i] != 0.0f;
    }
    return morphed;
}

/// rest + sum of weight * target, for the vertices of one block: x[16] y[16] z[16].
static void supMorphBlock( const supSkinJob* job, const float* const* targets, const supSkinBlock* block,
    int32_t firstVertex, const float* rest, float out[3 * SUP_BLOCK] )
{
    memcpy( out, rest, 3 * SUP_BLOCK * sizeof( float ) );
    for ( int32_t i = 0; targets != NULL && i < job->morphCount; ++i )
    {
        if ( targets[i] == NULL || job->morphWeights[i] == 0.0f )
        {
            continue;
        }
        for ( int lane = 0; lane < SUP_BLOCK; ++lane )
        {
            const float* d = targets[i] + block->offsets[lane] - 3 * firstVertex;
            out[lane] += job->morphWeights[i] * d[0];
            out[SUP_BLOCK + lane] += job->morphWeights[i] * d[1];
            out[2 * SUP_BLOCK + lane] += job->morphWeights[i] * d[2];
        }
    }
}

/// A mesh that is being morphed: block by block, each morphed just before it is skinned.
static void supSkinMorphed(
    const supBlockJob* blocks, const supSkinJob* job, int32_t firstVertex, supBlockFunction* run )
{
    float places[3 * SUP_BLOCK], normals[3 * SUP_BLOCK];
    supBlockJob one = *blocks;
    one.morphedPlaces = places;
    one.morphedNormals = normals;
    for ( int32_t b = blocks->first; b < blocks->end; ++b )
    {
        const supSkinBlock* block = blocks->blocks->blocks + b;
        supMorphBlock( job, job->morphPositions, block, firstVertex, blocks->blocks->data + block->firstData, places );
        supMorphBlock(
            job, job->morphNormals, block, firstVertex, blocks->blocks->directions + block->firstDirection, normals );
        one.first = b;
        one.end = b + 1;
        run( &one );
    }
}

static void supSkinFast( const supSkinCall* call )
{
    const supBody* body = call->body;
    const supModel* model = body->model;
    supBlockFunction* run = supFindBlockFunction( body->simd );
    supBlockJob blocks = { .blocks = model->blocks,
        .palette = body->palette,
        .duals = body->skinning == sup_skinningDualQuaternion ? body->duals : NULL,
        .shown = body->shown,
        .living = call->living,
        .ordered = call->ordered,
        .positions = call->positions,
        .normals = call->normals };
    for ( int32_t m = 0; m < supCharacter_MeshCount( model->character ); ++m )
    {
        supSkinJob job = supCharacter_SkinJob( model->character, m, body->palette, body->morphWeights );
        blocks.first = model->blocks->firstOfMesh[m];
        blocks.end = model->blocks->firstOfMesh[m + 1];
        if ( supIsMorphed( &job ) )
        {
            supSkinMorphed( &blocks, &job, supCharacter_Mesh( model->character, m ).firstVertex, run );
        }
        else
        {
            run( &blocks );
        }
    }
}

/// Tangents are the reference's alone: few hosts ask for them, and none of ours each frame.
static void supSkin( const supSkinCall* call )
{
    const supBody* body = call->body;
    double start = supBodyClock( body );
    if ( ( !body->exact && call->tangents.data == NULL ) || call->ordered )
    {
        supSkinFast( call );
    }
    else
    {
        for ( int32_t m = 0; m < supCharacter_MeshCount( body->model->character ); ++m )
        {
            supSkinExactly( call, m );
        }
    }
    if ( body->profile != NULL )
    {
        body->profile->skin += supBodyClock( body ) - start;
        body->profile->skins += 1;
    }
}

static supOutStream supTight( const supBody* body, float* data )
{
    return ( supOutStream ){ data, supCharacter_VertexCount( body->model->character ), 3 * (int32_t)sizeof( float ) };
}

void supBody_SmoothSkin( const supBody* body, float* positions, float* normals )
{
    supSkinCall call = { .body = body, .positions = supTight( body, positions ), .normals = supTight( body, normals ) };
    supSkin( &call );
}

void supBody_Skin( const supBody* body, float* positions, float* normals )
{
    supSkinCall call = {
        .body = body, .positions = supTight( body, positions ), .normals = supTight( body, normals ), .living = true
    };
    supSkin( &call );
}

void supBody_SkinOrdered( const supBody* body, float* positions, float* normals )
{
    supSkinCall call = { .body = body,
        .positions = supTight( body, positions ),
        .normals = supTight( body, normals ),
        .living = true,
        .ordered = true };
    supSkin( &call );
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
        supSkinCall call = {
            .body = body, .positions = positions, .normals = normals, .tangents = tangents, .living = true
        };
        supSkin( &call );
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
