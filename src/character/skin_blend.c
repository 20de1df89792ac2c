// Supple: linear and dual quaternion blending.
//
// Dual quaternions: Kavan, Collins, Zara, O'Sullivan, "Geometric skinning with approximate dual quaternion blending",
// ACM Transactions on Graphics, 2008. They hold rigid motions alone. As in section 4.2 of that paper, a palette matrix
// is taken apart into a stretch in rest space and a rigid motion after it, M = (R, t) S; stretches are blended
// linearly, rigid motions as dual quaternions.
//
// SPDX-License-Identifier: MIT
#include "skin_blend.h"

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
