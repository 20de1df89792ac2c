// Sparse matrices of 3 x 3 blocks.
// SPDX-License-Identifier: MIT

#include "block_matrix.h"

#include "solve/block_matrix.h"

void supBlockMatrix_Multiply( const supBlockMatrix* a, const double* x, double* out )
{
    for ( int32_t i = 0; i < a->count; ++i )
    {
        double sum[3] = { 0.0, 0.0, 0.0 };
        for ( int64_t k = a->starts[i]; k < a->starts[i + 1]; ++k )
        {
            const double* block = a->blocks + 9 * k;
            const double* p = x + 3 * (size_t)a->columns[k];
            for ( int r = 0; r < 3; ++r )
            {
                sum[r] += block[3 * r] * p[0] + block[3 * r + 1] * p[1] + block[3 * r + 2] * p[2];
            }
        }
        for ( int r = 0; r < 3; ++r )
        {
            out[3 * (size_t)i + (size_t)r] = sum[r];
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Block elimination from one end of the line to the other, and back.

/// The inverse by cofactors: the blocks here are well conditioned, or nearly a multiple of one direction, and positive.
static supSym3 supInverseSym3( supSym3 a )
{
    double cxx = a.yy * a.zz - a.yz * a.yz, cxy = a.xz * a.yz - a.xy * a.zz, cxz = a.xy * a.yz - a.xz * a.yy;
    double scale = 1.0 / ( a.xx * cxx + a.xy * cxy + a.xz * cxz );
    return ( supSym3 ){ cxx * scale, cxy * scale, cxz * scale, ( a.xx * a.zz - a.xz * a.xz ) * scale,
        ( a.xy * a.xz - a.xx * a.yz ) * scale, ( a.xx * a.yy - a.xy * a.xy ) * scale };
}

/// e s e, symmetric as both are
static supSym3 supSandwich3( supSym3 e, supSym3 s )
{
    supVec3d x = supMulSym3( s, ( supVec3d ){ e.xx, e.xy, e.xz } );
    supVec3d y = supMulSym3( s, ( supVec3d ){ e.xy, e.yy, e.yz } );
    supVec3d z = supMulSym3( s, ( supVec3d ){ e.xz, e.yz, e.zz } );
    supVec3d ex = { e.xx, e.xy, e.xz }, ey = { e.xy, e.yy, e.yz }, ez = { e.xz, e.yz, e.zz };
    return ( supSym3 ){ supDotD( ex, x ), supDotD( ex, y ), supDotD( ex, z ), supDotD( ey, y ), supDotD( ey, z ),
        supDotD( ez, z ) };
}

void supSolveBlockTridiagonal( int32_t count, supSym3* diagonal, const supSym3* off, supVec3d* x )
{
    diagonal[0] = supInverseSym3( diagonal[0] );
    for ( int32_t i = 1; i < count; ++i )
    {
        x[i] = supSubD( x[i], supMulSym3( off[i - 1], supMulSym3( diagonal[i - 1], x[i - 1] ) ) );
        diagonal[i] = supInverseSym3( supSubSym3( diagonal[i], supSandwich3( off[i - 1], diagonal[i - 1] ) ) );
    }
    x[count - 1] = supMulSym3( diagonal[count - 1], x[count - 1] );
    for ( int32_t i = count - 2; i >= 0; --i )
    {
        x[i] = supMulSym3( diagonal[i], supSubD( x[i], supMulSym3( off[i], x[i + 1] ) ) );
    }
}
