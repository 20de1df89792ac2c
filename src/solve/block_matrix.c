// Sparse matrices of 3 x 3 blocks.
// SPDX-License-Identifier: MIT
#include "block_matrix.h"

#include "base/memory.h"
#include "solve/block_matrix.h"

#include <string.h>

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

// ---------------------------------------------------------------------------------------------------------------
// Systems solved without a factor, by conjugate gradients.
//
// Hestenes, Stiefel, "Methods of conjugate gradients for solving linear systems", 1952, eight right-hand sides side by
// side, each with its own numbers. Preconditioned by one sweep of Gauss and Seidel up and one down,
//
//     (D + L) D^-1 (D + L)^T,     D: the 3 x 3 blocks on the diagonal, L: what stands below them
//
// which takes the matrix that is there and one inverse a node: no memory to speak of, where a factor of the same solid
// would take gigabytes. Steps grow as the cube root of the nodes, and as the root of lambda over mu.

enum
{
    supWide = SUP_FACTOR_COLUMNS,
    supNodeNumbers = 3 * supWide,
    supMostSweepSteps = 20000,
};

/// The residual, measured by the preconditioner, is small enough at this share of the first. Squared.
static const double supSmallEnoughSquare = 1e-18;

size_t supBlockSweeps_ScratchCount( int32_t nodes )
{
    return 4 * (size_t)supNodeNumbers * (size_t)nodes;
}

bool supInvertDiagonal( const supBlockMatrix* a, double* inverses )
{
    bool positive = true;
    for ( int32_t i = 0; i < a->count && positive; ++i )
    {
        int64_t k = a->starts[i];
        while ( k + 1 < a->starts[i + 1] && a->columns[k] != i )
        {
            ++k;
        }
        const double* b = a->blocks + 9 * k;
        supMat34d block = { { b[0], b[3], b[6] }, { b[1], b[4], b[7] }, { b[2], b[5], b[8] }, { 0.0, 0.0, 0.0 } }, back;
        positive = a->columns[k] == i && b[0] > 0.0 && supInvertMatD( block, &back );
        const supVec3d columns[3] = { back.x, back.y, back.z };
        for ( int c = 0; c < 3 && positive; ++c )
        {
            inverses[9 * (size_t)i + (size_t)c] = columns[c].x;
            inverses[9 * (size_t)i + 3 + (size_t)c] = columns[c].y;
            inverses[9 * (size_t)i + 6 + (size_t)c] = columns[c].z;
        }
    }
    return positive;
}

/// sum += share * block x, eight columns.
static void supAddBlock( double* sum, double share, const double* block, const double* x )
{
    for ( int r = 0; r < 3; ++r )
    {
        double p = share * block[3 * r], q = share * block[3 * r + 1], s = share * block[3 * r + 2];
        for ( int c = 0; c < supWide; ++c )
        {
            sum[supWide * r + c] += p * x[c] + q * x[supWide + c] + s * x[2 * supWide + c];
        }
    }
}

static void supMultiplyWide( const supBlockMatrix* a, const double* x, double* out )
{
    for ( int32_t i = 0; i < a->count; ++i )
    {
        double sum[supNodeNumbers] = { 0 };
        for ( int64_t k = a->starts[i]; k < a->starts[i + 1]; ++k )
        {
            supAddBlock( sum, 1.0, a->blocks + 9 * k, x + (size_t)supNodeNumbers * (size_t)a->columns[k] );
        }
        memcpy( out + (size_t)supNodeNumbers * (size_t)i, sum, sizeof( sum ) );
    }
}

/// z = (D + L)^-T D (D + L)^-1 r.
static void supSweep( const supBlockMatrix* a, const double* inverses, const double* r, double* z )
{
    for ( int32_t i = 0; i < a->count; ++i )
    {
        double sum[supNodeNumbers], solved[supNodeNumbers] = { 0 };
        memcpy( sum, r + (size_t)supNodeNumbers * (size_t)i, sizeof( sum ) );
        for ( int64_t k = a->starts[i]; k < a->starts[i + 1] && a->columns[k] < i; ++k )
        {
            supAddBlock( sum, -1.0, a->blocks + 9 * k, z + (size_t)supNodeNumbers * (size_t)a->columns[k] );
        }
        supAddBlock( solved, 1.0, inverses + 9 * (size_t)i, sum );
        memcpy( z + (size_t)supNodeNumbers * (size_t)i, solved, sizeof( solved ) );
    }
    for ( int32_t i = a->count - 1; i >= 0; --i )
    {
        double sum[supNodeNumbers] = { 0 };
        for ( int64_t k = a->starts[i + 1] - 1; k >= a->starts[i] && a->columns[k] > i; --k )
        {
            supAddBlock( sum, 1.0, a->blocks + 9 * k, z + (size_t)supNodeNumbers * (size_t)a->columns[k] );
        }
        supAddBlock( z + (size_t)supNodeNumbers * (size_t)i, -1.0, inverses + 9 * (size_t)i, sum );
    }
}

static void supDotWide( const double* a, const double* b, size_t rows, double* out )
{
    memset( out, 0, sizeof( double ) * supWide );
    for ( size_t i = 0; i < rows; ++i )
    {
        for ( int c = 0; c < supWide; ++c )
        {
            out[c] += a[supWide * i + (size_t)c] * b[supWide * i + (size_t)c];
        }
    }
}

/// x += share y, a share a column.
static void supAddWide( double* x, const double* shares, const double* y, size_t rows )
{
    for ( size_t i = 0; i < rows; ++i )
    {
        for ( int c = 0; c < supWide; ++c )
        {
            x[supWide * i + (size_t)c] += shares[c] * y[supWide * i + (size_t)c];
        }
    }
}

void supBlockSweeps_Solve( const supBlockMatrix* a, const double* inverses, double* x, double* scratch )
{
    size_t rows = 3 * (size_t)a->count, numbers = supWide * rows;
    double *r = scratch, *p = r + numbers, *z = p + numbers, *image = z + numbers;
    double first[supWide] = { 0 }, before[supWide] = { 0 }, now[supWide], bent[supWide], share[supWide];
    memcpy( r, x, sizeof( double ) * numbers );
    memset( x, 0, sizeof( double ) * numbers );
    memset( p, 0, sizeof( double ) * numbers );
    bool going = true;
    for ( int step = 0; step < supMostSweepSteps && going; ++step )
    {
        supSweep( a, inverses, r, z );
        supDotWide( r, z, rows, now );
        going = false;
        for ( int c = 0; c < supWide; ++c )
        {
            first[c] = step == 0 ? now[c] : first[c];
            going = going || now[c] > supSmallEnoughSquare * first[c];
            share[c] = step > 0 && before[c] > 0.0 ? now[c] / before[c] : 0.0;
        }
        for ( size_t i = 0; i < numbers; ++i )
        {
            p[i] = z[i] + share[i % supWide] * p[i];
        }
        supMultiplyWide( a, p, image );
        supDotWide( p, image, rows, bent );
        for ( int c = 0; c < supWide; ++c )
        {
            share[c] = bent[c] > 0.0 ? now[c] / bent[c] : 0.0;
        }
        supAddWide( x, share, p, rows );
        for ( int c = 0; c < supWide; ++c )
        {
            share[c] = -share[c];
        }
        supAddWide( r, share, image, rows );
        memcpy( before, now, sizeof( now ) );
    }
}
