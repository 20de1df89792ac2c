// Supple: checking and running a skinning job.
// SPDX-License-Identifier: MIT
#include "base/float_settings.h"

#include "skin_blend.h"
#include "supple/lab/skin.h"

#include <assert.h>
#include <string.h>

#define SUP_SKIN_COOKIE 0x534b494e

supSkinJob supDefaultSkinJob( void )
{
    return ( supSkinJob ){ .cookie = SUP_SKIN_COOKIE };
}

static supResult supCheckStream( const char* name, const void* data, int32_t count, int32_t stride, int32_t itemSize,
    int32_t vertexCount, supError* error )
{
    if ( data == NULL )
    {
        return sup_success;
    }
    if ( count < vertexCount )
    {
        return supFail( error, sup_errorArgument, "skinning job: %s has %d items for %d vertices", name, (int)count,
            (int)vertexCount );
    }
    if ( stride < itemSize )
    {
        return supFail( error, sup_errorArgument, "skinning job: the stride of %s is %d bytes, but its items have %d",
            name, (int)stride, (int)itemSize );
    }
    return sup_success;
}

static supResult supCheckStreams( const supSkinJob* job, supError* error )
{
    const struct
    {
        const char* name;
        const void* data;
        int32_t count, stride, itemSize;
    } streams[] = {
        { "jointIndices", job->jointIndices.data, job->jointIndices.count, job->jointIndices.stride,
            2 * job->influenceCount },
        { "weights", job->weights.data, job->weights.count, job->weights.stride, 4 * job->influenceCount },
        { "positions", job->positions.data, job->positions.count, job->positions.stride, 12 },
        { "normals", job->normals.data, job->normals.count, job->normals.stride, 12 },
        { "tangents", job->tangents.data, job->tangents.count, job->tangents.stride, 16 },
        { "outPositions", job->outPositions.data, job->outPositions.count, job->outPositions.stride, 12 },
        { "outNormals", job->outNormals.data, job->outNormals.count, job->outNormals.stride, 12 },
        { "outTangents", job->outTangents.data, job->outTangents.count, job->outTangents.stride, 16 },
    };
    supResult result = sup_success;
    for ( size_t i = 0; result == sup_success && i < sizeof( streams ) / sizeof( streams[0] ); ++i )
    {
        result = supCheckStream( streams[i].name, streams[i].data, streams[i].count, streams[i].stride,
            streams[i].itemSize, job->vertexCount, error );
    }
    return result;
}

supResult supSkinJob_Validate( const supSkinJob* job, supError* error )
{
    if ( job->cookie != SUP_SKIN_COOKIE )
    {
        return supFail( error, sup_errorArgument, "skinning job: was not made by supDefaultSkinJob" );
    }
    if ( job->vertexCount < 0 )
    {
        return supFail( error, sup_errorArgument, "skinning job: vertexCount is %d", (int)job->vertexCount );
    }
    if ( job->influenceCount < 1 || job->influenceCount > SUP_MAX_INFLUENCES )
    {
        return supFail( error, sup_errorArgument, "skinning job: influenceCount is %d; 1 to %d are allowed",
            (int)job->influenceCount, SUP_MAX_INFLUENCES );
    }
    if ( job->jointIndices.data == NULL || job->weights.data == NULL || job->palette == NULL || job->paletteCount < 1 )
    {
        const char* missing = job->jointIndices.data == NULL ? "jointIndices"
                              : job->weights.data == NULL    ? "weights"
                                                             : "palette";
        return supFail( error, sup_errorArgument, "skinning job: %s is missing", missing );
    }
    if ( job->method != sup_skinningLinear && job->method != sup_skinningDualQuaternion )
    {
        return supFail( error, sup_errorArgument, "skinning job: %d is not a method", (int)job->method );
    }
    bool wantsMissing[3] = { job->outPositions.data != NULL && job->positions.data == NULL,
        job->outNormals.data != NULL && job->normals.data == NULL,
        job->outTangents.data != NULL && job->tangents.data == NULL };
    for ( int32_t i = 0; i < 3; ++i )
    {
        static const char* const names[3] = { "positions", "normals", "tangents" };
        if ( wantsMissing[i] )
        {
            return supFail( error, sup_errorArgument, "skinning job: %s are asked for, but not given", names[i] );
        }
    }
    bool hasTargets = job->morphPositions != NULL || job->morphNormals != NULL || job->morphTangents != NULL;
    if ( job->morphCount < 0 || ( job->morphCount > 0 && ( job->morphWeights == NULL || !hasTargets ) ) )
    {
        const char* missing = job->morphCount < 0 ? "not a count" : hasTargets ? "but no weights" : "but no targets";
        return supFail( error, sup_errorArgument, "skinning job: %d morph targets, %s", (int)job->morphCount, missing );
    }
    return supCheckStreams( job, error );
}

/// A vector of a vertex in a stream: floats that need not be aligned.
static supVec3d supReadVector( supInStream stream, int32_t vertex )
{
    float v[3];
    memcpy( v, (const char*)stream.data + (size_t)vertex * (size_t)stream.stride, sizeof( v ) );
    return ( supVec3d ){ v[0], v[1], v[2] };
}

static void supWriteVector( supOutStream stream, int32_t vertex, supVec3d v )
{
    float values[3] = { (float)v.x, (float)v.y, (float)v.z };
    memcpy( (char*)stream.data + (size_t)vertex * (size_t)stream.stride, values, sizeof( values ) );
}

static supVec3d supMorph( const supSkinJob* job, const float* const* targets, int32_t vertex, supVec3d v )
{
    for ( int32_t m = 0; targets != NULL && m < job->morphCount; ++m )
    {
        if ( targets[m] != NULL && job->morphWeights[m] != 0.0f )
        {
            const float* d = targets[m] + 3 * (size_t)vertex;
            v = supMulAddD( v, job->morphWeights[m], ( supVec3d ){ d[0], d[1], d[2] } );
        }
    }
    return v;
}

/// Unit length along v; along `otherwise` where v has no direction (flattened, or scaled to nothing); zero where that
/// has none either.
static supVec3d supDirection( supVec3d v, supVec3d otherwise )
{
    double length = supLengthD( v );
    return length > 0.0 && supIsFinite( length ) ? supScaleD( v, 1.0 / length ) : supNormalizeD( otherwise );
}

// Normals are planes: they go by the inverse transpose. The matrix of cofactors is that times the determinant, and
// needs no division, so a flattening matrix gives the one direction that is left. The determinant's sign is put back,
// so that under a mirroring matrix normals keep pointing outwards; since cross( normal, tangent ) then turns round, so
// does the tangent's handedness.
static void supSkinDirections( const supSkinJob* job, int32_t vertex, int32_t to, supMat34d m )
{
    double side = supDeterminantD( m ) < 0.0 ? -1.0 : 1.0;
    if ( job->outNormals.data != NULL )
    {
        supVec3d n = supMorph( job, job->morphNormals, vertex, supReadVector( job->normals, vertex ) );
        supVec3d turned = supScaleD( supCrossD( m.y, m.z ), n.x );
        turned = supMulAddD( turned, n.y, supCrossD( m.z, m.x ) );
        turned = supMulAddD( turned, n.z, supCrossD( m.x, m.y ) );
        supWriteVector( job->outNormals, to, supDirection( supScaleD( turned, side ), n ) );
    }
    if ( job->outTangents.data != NULL )
    {
        const char* from = (const char*)job->tangents.data + (size_t)vertex * (size_t)job->tangents.stride;
        char* out = (char*)job->outTangents.data + (size_t)to * (size_t)job->outTangents.stride;
        supVec3d t = supMorph( job, job->morphTangents, vertex, supReadVector( job->tangents, vertex ) );
        supWriteVector( job->outTangents, to, supDirection( supTransformVectorD( m, t ), t ) );
        float handedness;
        memcpy( &handedness, from + 12, sizeof( float ) );
        handedness *= (float)side;
        memcpy( out + 12, &handedness, sizeof( float ) );
    }
}

void supSkinJob_Vertex( const supSkinJob* job, int32_t vertex, int32_t to, supDualCache* cache )
{
    uint16_t indices[SUP_MAX_INFLUENCES];
    float weights[SUP_MAX_INFLUENCES];
    memcpy( indices, (const char*)job->jointIndices.data + (size_t)vertex * (size_t)job->jointIndices.stride,
        sizeof( uint16_t ) * (size_t)job->influenceCount );
    memcpy( weights, (const char*)job->weights.data + (size_t)vertex * (size_t)job->weights.stride,
        sizeof( float ) * (size_t)job->influenceCount );
    supMat34d m = job->method == sup_skinningLinear
                      ? supBlendLinear( job->palette, job->influenceCount, indices, weights )
                      : supBlendDual( cache, job->palette, job->influenceCount, indices, weights );
    if ( job->outPositions.data != NULL )
    {
        supVec3d p = supMorph( job, job->morphPositions, vertex, supReadVector( job->positions, vertex ) );
        supWriteVector( job->outPositions, to, supTransformPointD( m, p ) );
    }
    if ( job->outNormals.data != NULL || job->outTangents.data != NULL )
    {
        supSkinDirections( job, vertex, to, m );
    }
}

supResult supSkinJob_Run( const supSkinJob* job, supError* error )
{
    supResult result = supSkinJob_Validate( job, error );
    if ( result != sup_success )
    {
        return result;
    }
    supFloatSettings host = supEnterFloatSettings();
    supDualCache cache;
    supClearDualCache( &cache );
    for ( int32_t v = 0; v < job->vertexCount; ++v )
    {
        supSkinJob_Vertex( job, v, v, &cache );
    }
    supLeaveFloatSettings( host );
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Linear and dual quaternion blending.
//
// Dual quaternions: Kavan, Collins, Zara, O'Sullivan, "Geometric skinning with approximate dual quaternion blending",
// ACM Transactions on Graphics, 2008. They hold rigid motions alone. As in section 4.2 of that paper, a palette matrix
// is taken apart into a stretch in rest space and a rigid motion after it, M = (R, t) S; stretches are blended
// linearly, rigid motions as dual quaternions.

static supMat34d supAddScaledMat( supMat34d a, double s, supMat34d b )
{
    return ( supMat34d ){ supMulAddD( a.x, s, b.x ), supMulAddD( a.y, s, b.y ), supMulAddD( a.z, s, b.z ),
        supMulAddD( a.t, s, b.t ) };
}

static supQuatd supAddScaledQuat( supQuatd a, double s, supQuatd b )
{
    return ( supQuatd ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w };
}

supMat34d supBlendLinear( const supMat34* palette, int32_t count, const uint16_t* indices, const float* weights )
{
    supMat34d sum = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( weights[i] != 0.0f )
        {
            sum = supAddScaledMat( sum, weights[i], supMatToDouble( palette[indices[i]] ) );
        }
    }
    return sum;
}

void supClearDualCache( supDualCache* cache )
{
    for ( int32_t i = 0; i < SUP_DUAL_CACHE; ++i )
    {
        cache->entries[i].joint = -1;
    }
}

// The polar factor R is the rotation nearest to M; a mirroring M is turned inside out first, so that R is a rotation
// all the same and mirrored joints that turn alike get like rotations. What is left, transpose( R ) M, is the stretch:
// symmetric, with a negative sign where M mirrors. It is taken as it comes, so that one joint alone gives M back to the
// last digits.
static supDual supTakeApart( supMat34d m, int32_t joint )
{
    double side = supDeterminantD( m ) < 0.0 ? -1.0 : 1.0;
    supMat34d upright = { supScaleD( m.x, side ), supScaleD( m.y, side ), supScaleD( m.z, side ), { 0.0, 0.0, 0.0 } };
    supQuatd q = supNearestRotationD( upright );
    supMat34d rotation = supMatFromQuatD( q );
    supQuatd t = { m.t.x, m.t.y, m.t.z, 0.0 };
    supQuatd twice = supMulQuatD( t, q );
    supDual out = { joint, q, { 0.5 * twice.x, 0.5 * twice.y, 0.5 * twice.z, 0.5 * twice.w }, supMat34d_identity };
    out.stretch.x = supTransposeVectorD( rotation, m.x );
    out.stretch.y = supTransposeVectorD( rotation, m.y );
    out.stretch.z = supTransposeVectorD( rotation, m.z );
    return out;
}

static const supDual* supFindDual( supDualCache* cache, const supMat34* palette, uint16_t joint )
{
    supDual* entry = cache->entries + joint % SUP_DUAL_CACHE;
    if ( entry->joint != joint )
    {
        *entry = supTakeApart( supMatToDouble( palette[joint] ), joint );
    }
    return entry;
}

// q and -q are the same rotation, but not in a sum: each is taken on the side of the joint with the most weight. Then
// no sum can vanish, and which joint comes first does not matter. The sum b + e b' is divided by |b|; its translation
// is the vector of 2 b' conj( b ) / |b|^2.
supMat34d supBlendDual(
    supDualCache* cache, const supMat34* palette, int32_t count, const uint16_t* indices, const float* weights )
{
    int32_t most = 0;
    for ( int32_t i = 1; i < count; ++i )
    {
        most = weights[i] > weights[most] ? i : most;
    }
    supQuatd pivot = supFindDual( cache, palette, indices[most] )->real;
    supQuatd real = { 0.0, 0.0, 0.0, 0.0 }, dual = { 0.0, 0.0, 0.0, 0.0 };
    supMat34d stretch = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( weights[i] == 0.0f )
        {
            continue;
        }
        const supDual* part = supFindDual( cache, palette, indices[i] );
        double weight = supDotQuatD( pivot, part->real ) < 0.0 ? -weights[i] : weights[i];
        real = supAddScaledQuat( real, weight, part->real );
        dual = supAddScaledQuat( dual, weight, part->dual );
        stretch = supAddScaledMat( stretch, weights[i], part->stretch );
    }
    double lengthSquared = supDotQuatD( real, real );
    double scale = lengthSquared > 0.0 ? 2.0 / lengthSquared : 0.0;
    supQuatd t = supMulQuatD( dual, supConjugateD( real ) );
    supMat34d out = supMulMatD( supMatFromQuatD( supNormalizeQuatD( real ) ), stretch );
    out.t = ( supVec3d ){ t.x * scale, t.y * scale, t.z * scale };
    return out;
}
