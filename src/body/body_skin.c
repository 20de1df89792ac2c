// What a body shows: vertices, helper joints, pictures.
// SPDX-License-Identifier: MIT
#include "base/float_settings.h"

#include "base/compiler.h"
#include "base/math.h"
#include "body/body_data.h"
#include "body/skin_kernel.h"
#include "character/skin_blend.h"
#include "supple/lab/drawing.h"
#include "supple/lab/machine.h"

#include <assert.h>
#include <string.h>

static supOutStream supSliceOf( supOutStream stream, int32_t first, int32_t count )
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

static supSkinJob supExactJob( const supBody* body, int32_t mesh )
{
    supSkinJob job = supCharacter_SkinJob( body->model->character, mesh, body->palette, body->morphWeights );
    job.method = body->skinning;
    return job;
}

static supOffsetTarget supOffsetsOf( const supSkinCall* call )
{
    const supBody* body = call->body;
    return (
        supOffsetTarget ){ body->palette, body->skinning, body->shown, call->positions, call->normals, call->tangents };
}

/// By the reference. A mesh without normals (or tangents) leaves that part of the output alone.
static void supSkinExactly( const supSkinCall* call, int32_t m )
{
    supMeshView mesh = supCharacter_Mesh( call->body->model->character, m );
    supSkinJob job = supExactJob( call->body, m );
    job.outPositions = supSliceOf( call->positions, mesh.firstVertex, mesh.vertexCount );
    job.outNormals =
        mesh.normals != NULL ? supSliceOf( call->normals, mesh.firstVertex, mesh.vertexCount ) : job.outNormals;
    job.outTangents =
        mesh.tangents != NULL ? supSliceOf( call->tangents, mesh.firstVertex, mesh.vertexCount ) : job.outTangents;
    supResult result = supSkinJob_Run( &job, NULL );
    assert( result == sup_success );
    (void)result;
    if ( call->living )
    {
        supOffsetTarget target = supOffsetsOf( call );
        supSkinOffsets_Apply( &call->body->model->offsets, &mesh, &target );
    }
}

/// By the reference too, vertex by vertex, each into its place of our own order.
static void supSkinExactlyOrdered( const supSkinCall* call, int32_t m )
{
    const supSkinBlocks* blocks = call->body->model->blocks;
    const supSkinOffsets* offsets = &call->body->model->offsets;
    supMeshView mesh = supCharacter_Mesh( call->body->model->character, m );
    supSkinJob job = supExactJob( call->body, m );
    supOffsetTarget target = supOffsetsOf( call );
    supDualCache cache;
    supClearDualCache( &cache );
    job.outPositions = call->positions;
    job.outNormals = mesh.normals != NULL ? call->normals : job.outNormals;
    for ( int32_t i = SUP_BLOCK * blocks->firstOfMesh[m]; i < SUP_BLOCK * blocks->firstOfMesh[m + 1]; ++i )
    {
        int32_t vertex = blocks->blocks[i / SUP_BLOCK].offsets[i % SUP_BLOCK] / 3;
        int32_t row = call->living ? supSkinOffsets_FirstRow( offsets, vertex ) : offsets->touchedCount;
        supSkinJob_Vertex( &job, vertex - mesh.firstVertex, i, &cache );
        if ( row < offsets->touchedCount && offsets->touched[row] == vertex )
        {
            supSkinOffsets_ApplyRow( offsets, &mesh, row, &target, i, &cache );
        }
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
    const supSkinBlockJob* blocks, const supSkinJob* job, int32_t firstVertex, supBlockFunction* run )
{
    float places[3 * SUP_BLOCK], normals[3 * SUP_BLOCK];
    supSkinBlockJob one = *blocks;
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

/// From so many vertices on a skin is larger than a second cache.
#define SUP_FAR_VERTICES 20000

static void supSkinFast( const supSkinCall* call )
{
    const supBody* body = call->body;
    const supModel* model = body->model;
    supBlockFunction* run = supFindBlockFunction( body->simd );
    supSkinBlockJob blocks = { .blocks = model->blocks,
        .palette = body->palette,
        .duals = body->skinning == sup_skinningDualQuaternion ? body->duals : NULL,
        .shown = body->shown,
        .living = call->living,
        .ordered = call->ordered,
        .isFar = supCharacter_Info( model->character )->vertexCount > SUP_FAR_VERTICES,
        .positions = call->positions,
        .normals = call->normals };
    for ( int32_t m = 0; m < supCharacter_Info( model->character )->meshCount; ++m )
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
static void supSkinPass( const supSkinCall* call )
{
    const supBody* body = call->body;
    if ( !body->exact && call->tangents.data == NULL )
    {
        supSkinFast( call );
        return;
    }
    for ( int32_t m = 0; m < supCharacter_Info( body->model->character )->meshCount; ++m )
    {
        call->ordered ? supSkinExactlyOrdered( call, m ) : supSkinExactly( call, m );
    }
}

static supOutStream supTight( const supBody* body, float* data )
{
    return (
        supOutStream ){ data, supCharacter_Info( body->model->character )->vertexCount, 3 * (int32_t)sizeof( float ) };
}

// ---------------------------------------------------------------------------------------------------------------
// With layers that apply

static float* supVertexOf( supOutStream stream, int32_t index )
{
    return (float*)( (char*)stream.data + (size_t)index * (size_t)stream.stride );
}

/// Tangents stay at right angles to the normals that the layers have turned.
static void supStraightenTangents( const supSkinCall* call, const supVec3* normals )
{
    const supSurface* surface = call->body->model->stack.surface;
    for ( int32_t row = 0; call->tangents.data != NULL && row < surface->count; ++row )
    {
        float* t = supVertexOf( call->tangents, surface->vertices[row] );
        supVec3 n = normals[surface->vertices[row]], tangent = { t[0], t[1], t[2] };
        supVec3 straight = supMulAdd( tangent, -supDot( tangent, n ), n );
        if ( supLengthSquared( n ) > 0.0f && supLengthSquared( straight ) > 1e-12f )
        {
            straight = supNormalize( straight );
            memcpy( t, &straight, sizeof( straight ) );
        }
    }
}

/// From file order, tight, to wherever the caller wants it. `normals`: a mesh without any leaves that part of the
/// output alone.
static void supHandOver( const supSkinCall* call, supOutStream to, const supVec3* from, bool normals )
{
    const supModel* model = call->body->model;
    const supSkinBlocks* blocks = model->blocks;
    int32_t mesh = -1;
    supMeshView view = { 0 };
    int32_t count = call->ordered ? SUP_BLOCK * blocks->count : supCharacter_Info( model->character )->vertexCount;
    for ( int32_t i = 0; to.data != NULL && to.data != from && i < count; ++i )
    {
        int32_t vertex = call->ordered ? blocks->blocks[i / SUP_BLOCK].offsets[i % SUP_BLOCK] / 3 : i;
        while ( !call->ordered && vertex >= view.firstVertex + view.vertexCount )
        {
            view = supCharacter_Mesh( model->character, ++mesh );
        }
        bool has = call->ordered ? blocks->blocks[i / SUP_BLOCK].hasNormals : view.normals != NULL;
        if ( has || !normals )
        {
            memcpy( supVertexOf( to, i ), from + vertex, sizeof( supVec3 ) );
        }
    }
}

/// Smooth skin and offsets into tight arrays, the layers on these, and then to where the caller wants it.
static void supSkinStack( const supSkinCall* call )
{
    const supBody* body = call->body;
    const supBodyStack* own = &body->layers;
    bool wantsNormals = call->normals.data != NULL || call->tangents.data != NULL;
    bool inPlace = !call->ordered && call->positions.stride == (int32_t)sizeof( supVec3 ) &&
                   ( call->normals.data == NULL || call->normals.stride == (int32_t)sizeof( supVec3 ) ) &&
                   call->tangents.data == NULL;
    supVec3* positions = inPlace ? call->positions.data : own->positions;
    supVec3* normals = !wantsNormals ? NULL : inPlace ? call->normals.data : own->normals;
    supSkinCall inner = *call;
    inner.ordered = false;
    inner.positions = supTight( body, (float*)positions );
    inner.normals = supTight( body, (float*)normals );
    if ( normals != NULL && !inPlace )
    {
        memset( normals, 0, sizeof( supVec3 ) * (size_t)supCharacter_Info( body->model->character )->vertexCount );
    }
    supSkinPass( &inner );
    if ( own->smooth != NULL )
    {
        supSkinCall smooth = { .body = body, .positions = supTight( body, (float*)own->smooth ) };
        supSkinPass( &smooth );
    }
    supBodyStack_Apply( body, positions, normals );
    if ( !inPlace )
    {
        supStraightenTangents( call, normals );
        supHandOver( call, call->positions, positions, false );
        supHandOver( call, call->normals, normals, true );
    }
}

static void supSkin( const supSkinCall* call )
{
    const supBody* body = call->body;
    double start = supBodyClock( body );
    supFloatSettings host = supEnterFloatSettings();
    if ( call->living && body->model->stack.applyCount > 0 )
    {
        supSkinStack( call );
    }
    else
    {
        supSkinPass( call );
    }
    supLeaveFloatSettings( host );
    if ( body->profile != NULL )
    {
        body->profile->skin += supBodyClock( body ) - start;
        body->profile->skins += 1;
    }
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
    int32_t count = supCharacter_Info( body->model->character )->vertexCount;
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
    supFloatSettings host = supEnterFloatSettings();
    const supSkinMotion* motions = model->motions->anyLayers ? supBodyStack_Motions( body ) : NULL;
    for ( int32_t i = 0; i < model->helperCount; ++i )
    {
        supHelperView helper = model->helpers[i];
        helpers[i] = body->joints[helper.joint];
        if ( motions != NULL )
        {
            helpers[i] = supModel_HelperMatrix( model, i, helpers[i], motions );
        }
        else
        {
            helpers[i].t = supMulAdd( helpers[i].t, model->motions->gain, body->shown[helper.element] );
        }
    }
    supLeaveFloatSettings( host );
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

/// Blue dashes from the smooth to the living skin, where layers that apply have their part in it.
static bool supDrawMoves(
    const supBody* body, const char* what, const float* smooth, const float* living, const supDraw* draw )
{
    const supColor blue = { 0.05f, 0.15f, 0.9f, 1.0f };
    const supStack* stack = &body->model->stack;
    const float least = 1e-3f * supCharacter_Info( body->model->character )->size; // shorter ones would be mere dots
    bool known = strcmp( what, "displacement" ) == 0;
    for ( int32_t i = 0; known && draw->line != NULL && i < stack->movedCount; ++i )
    {
        const float *p = smooth + 3 * (size_t)stack->moved[i], *q = living + 3 * (size_t)stack->moved[i];
        supVec3 from = { p[0], p[1], p[2] }, to = { q[0], q[1], q[2] };
        if ( supDistance( from, to ) > least )
        {
            draw->line( from, to, blue, 1.5f, draw->user );
        }
    }
    return known;
}

bool supBody_Draw( const supBody* body, const char* what, const supDraw* draw )
{
    const supModel* model = body->model;
    size_t vertices = (size_t)supCharacter_Info( model->character )->vertexCount;
    size_t scratchSize = 4 * sizeof( float ) * vertices;
    scratchSize = model->stack.scratchSize > scratchSize ? model->stack.scratchSize : scratchSize;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW_WIDE( &layout, char, scratch, scratchSize );
    SUP_PUT_NEW( &layout, supVec3, smooth, vertices );
    SUP_PUT_NEW( &layout, supVec3, living, vertices );
    char* block = supAllocLayout( &model->allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    supBody_SmoothSkin( body, &smooth->x, NULL );
    supBody_Skin( body, &living->x, NULL );
    bool known = model->stack.applyCount > 0 && supDrawMoves( body, what, &smooth->x, &living->x, draw );
    known = known || supBodyStack_Draw( body, what, living, smooth, scratch, draw );
    for ( const char* const* name = supBody_DrawNames(); *name != NULL && !known; ++name )
    {
        known = strcmp( *name, what ) == 0; // of a layer that has no items here: there is nothing to see
    }
    supFree( &model->allocator, block, layout.size );
    return known;
}

// ---------------------------------------------------------------------------------------------------------------
// Which path skins.

supBlockFunction* supFindBlockFunction( supSimd simd )
{
    switch ( simd )
    {
#if SUP_TARGET_X86
        case sup_simdSse2:
            return supSkinBlocksSse2;
        case sup_simdAvx2:
            return supSkinBlocksAvx2;
        case sup_simdAvx512:
            return supSkinBlocksAvx512;
#elif SUP_TARGET_NEON
        case sup_simdNeon:
            return supSkinBlocksNeon;
#elif SUP_TARGET_WASM
        default: // the scalar path would make the module larger, and nothing of it could be run without SIMD
            return supSkinBlocksWasm;
#endif
#if !SUP_TARGET_WASM
        default:
            return supSkinBlocksScalar;
#endif
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Palette matrices taken apart for dual quaternion skinning.

/// How far the columns' products may be from a rotation's: what float matrices down a chain of joints gather.
static const float supRigidTolerance = 1e-6f;

static bool supIsRigid( const supMat34* m )
{
    float worst = supAbsF( supDot( m->x, m->x ) - 1.0f );
    worst = supMaxF( worst, supAbsF( supDot( m->y, m->y ) - 1.0f ) );
    worst = supMaxF( worst, supAbsF( supDot( m->z, m->z ) - 1.0f ) );
    worst = supMaxF( worst, supAbsF( supDot( m->x, m->y ) ) );
    worst = supMaxF( worst, supAbsF( supDot( m->y, m->z ) ) );
    worst = supMaxF( worst, supAbsF( supDot( m->z, m->x ) ) );
    return worst <= supRigidTolerance && supDot( supCross( m->x, m->y ), m->z ) > 0.0f;
}

// The polar factor and what is left of the matrix; where the matrix mirrors it is turned inside out first.
static supQuatd supTakeStretch( supMat34d m, float stretch[9] )
{
    double side = supDeterminantD( m ) < 0.0 ? -1.0 : 1.0;
    supMat34d upright = { supScaleD( m.x, side ), supScaleD( m.y, side ), supScaleD( m.z, side ), { 0.0, 0.0, 0.0 } };
    supQuatd q = supNearestRotationD( upright );
    supMat34d rotation = supMatFromQuatD( q );
    const supVec3d columns[3] = { m.x, m.y, m.z };
    for ( int c = 0; c < 3; ++c )
    {
        supVec3d s = supTransposeVectorD( rotation, columns[c] );
        stretch[3 * c] = (float)s.x;
        stretch[3 * c + 1] = (float)s.y;
        stretch[3 * c + 2] = (float)s.z;
    }
    return q;
}

void supMakeDualPalette( const supMat34* palette, int32_t count, supDualJoint* out )
{
    for ( int32_t j = 0; j < count; ++j )
    {
        supMat34d m = supMatToDouble( palette[j] );
        supDualJoint joint = { .stretch = { 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f } };
        joint.stretched = !supIsRigid( palette + j );
        supQuatd q = joint.stretched ? supTakeStretch( m, joint.stretch ) : supNormalizeQuatD( supQuatFromMatD( m ) );
        supQuatd t = { 0.5 * m.t.x, 0.5 * m.t.y, 0.5 * m.t.z, 0.0 };
        supQuatd half = supMulQuatD( t, q );
        const double real[4] = { q.x, q.y, q.z, q.w }, dual[4] = { half.x, half.y, half.z, half.w };
        for ( int i = 0; i < 4; ++i )
        {
            joint.real[i] = (float)real[i];
            joint.dual[i] = (float)dual[i];
        }
        out[j] = joint;
    }
}
