// Palette matrices taken apart for dual quaternion skinning.
// SPDX-License-Identifier: MIT
#include "body/skin_kernel.h"

#include "base/math.h"

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
