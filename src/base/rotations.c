// Supple: rotations between their forms, and the inverse of affine maps, in double precision.
// SPDX-License-Identifier: MIT
#include "base/math_double.h"

supQuatd supQuatFromAxisAngleD( supVec3d axis, double angle )
{
    double sine, cosine;
    supSinCos( 0.5 * angle, &sine, &cosine );
    return ( supQuatd ){ axis.x * sine, axis.y * sine, axis.z * sine, cosine };
}

supVec3d supRotationVectorD( supQuatd q )
{
    double sign = q.w < 0.0 ? -1.0 : 1.0;
    supVec3d axis = { sign * q.x, sign * q.y, sign * q.z };
    double sine = supLengthD( axis );
    double half = supAtan2( sine, sign * q.w );
    // half / sine tends to 1 for small turns
    return supScaleD( axis, sine > 0.0 ? 2.0 * half / sine : 2.0 );
}

// The angle between two unit quaternions from the lengths of their difference and sum: good for small angles and near a
// half turn alike, where the arc cosine of their product loses half of the digits.
supQuatd supSlerpD( supQuatd a, supQuatd b, double t )
{
    if ( supDotQuatD( a, b ) < 0.0 )
    {
        b = ( supQuatd ){ -b.x, -b.y, -b.z, -b.w };
    }
    supQuatd less = { b.x - a.x, b.y - a.y, b.z - a.z, b.w - a.w };
    supQuatd more = { b.x + a.x, b.y + a.y, b.z + a.z, b.w + a.w };
    double angle = 2.0 * supAtan2( supSqrt( supDotQuatD( less, less ) ), supSqrt( supDotQuatD( more, more ) ) );
    double fromA = 1.0 - t, fromB = t;
    if ( angle > 1e-8 ) // below, the sines are their arguments
    {
        double scale = 1.0 / supSin( angle );
        fromA = supSin( fromA * angle ) * scale;
        fromB = supSin( fromB * angle ) * scale;
    }
    supQuatd q = { fromA * a.x + fromB * b.x, fromA * a.y + fromB * b.y, fromA * a.z + fromB * b.z,
        fromA * a.w + fromB * b.w };
    return supNormalizeQuatD( q );
}

// The largest of the four components from the diagonal, the others from the rest divided by it: no small number is ever
// divided by. Shepperd, "Quaternion from rotation matrix", 1978.
supQuatd supQuatFromMatD( supMat34d m )
{
    double a = m.x.x, b = m.y.y, c = m.z.z;
    double trace = a + b + c;
    supQuatd q;
    if ( trace >= a && trace >= b && trace >= c )
    {
        double r = supSqrt( supMax( 1.0 + trace, 0.0 ) ), s = 0.5 / r;
        q = ( supQuatd ){ ( m.y.z - m.z.y ) * s, ( m.z.x - m.x.z ) * s, ( m.x.y - m.y.x ) * s, 0.5 * r };
    }
    else if ( a >= b && a >= c )
    {
        double r = supSqrt( supMax( 1.0 + a - b - c, 0.0 ) ), s = 0.5 / r;
        q = ( supQuatd ){ 0.5 * r, ( m.y.x + m.x.y ) * s, ( m.x.z + m.z.x ) * s, ( m.y.z - m.z.y ) * s };
    }
    else if ( b >= c )
    {
        double r = supSqrt( supMax( 1.0 - a + b - c, 0.0 ) ), s = 0.5 / r;
        q = ( supQuatd ){ ( m.y.x + m.x.y ) * s, 0.5 * r, ( m.z.y + m.y.z ) * s, ( m.z.x - m.x.z ) * s };
    }
    else
    {
        double r = supSqrt( supMax( 1.0 - a - b + c, 0.0 ) ), s = 0.5 / r;
        q = ( supQuatd ){ ( m.x.z + m.z.x ) * s, ( m.z.y + m.y.z ) * s, 0.5 * r, ( m.x.y - m.y.x ) * s };
    }
    return supNormalizeQuatD( q );
}

// One Jacobi rotation that makes k[p][q] zero; `vectors` collects them, columns are eigenvectors.
static void supTurnPair( double k[4][4], double vectors[4][4], int p, int q )
{
    if ( k[p][q] == 0.0 )
    {
        return;
    }
    double theta = ( k[q][q] - k[p][p] ) / ( 2.0 * k[p][q] );
    double t = 1.0 / ( supAbs( theta ) + supSqrt( theta * theta + 1.0 ) );
    t = theta < 0.0 ? -t : t;
    double c = 1.0 / supSqrt( t * t + 1.0 ), s = t * c;
    for ( int i = 0; i < 4; ++i )
    {
        double kp = k[i][p], kq = k[i][q];
        k[i][p] = c * kp - s * kq;
        k[i][q] = s * kp + c * kq;
    }
    for ( int i = 0; i < 4; ++i )
    {
        double kp = k[p][i], kq = k[q][i];
        k[p][i] = c * kp - s * kq;
        k[q][i] = s * kp + c * kq;
        double vp = vectors[i][p], vq = vectors[i][q];
        vectors[i][p] = c * vp - s * vq;
        vectors[i][q] = s * vp + c * vq;
    }
}

static double supLargestPart( supVec3d a )
{
    return supMax( supAbs( a.x ), supMax( supAbs( a.y ), supAbs( a.z ) ) );
}

// The nearest rotation R to M maximises trace( R^T M ), which is a quadratic form q^T K q of R's quaternion: its
// largest eigenvector (Davenport 1968; Horn, "Closed-form solution of absolute orientation using unit quaternions",
// 1987). Unlike a polar decomposition by iteration this never gives a mirroring and needs no inverse. Eigenvectors by
// Jacobi's method: a fixed number of sweeps, quadratically convergent, six are enough for 4 x 4.
supQuatd supNearestRotationD( supMat34d m )
{
    double largest = supMax( supLargestPart( m.x ), supMax( supLargestPart( m.y ), supLargestPart( m.z ) ) );
    if ( !( largest > 0.0 ) || !supIsFinite( largest ) )
    {
        return ( supQuatd ){ 0.0, 0.0, 0.0, 1.0 };
    }
    double s = 1.0 / largest;
    double xx = m.x.x * s, xy = m.x.y * s, xz = m.x.z * s; // image of the x axis, and so on
    double yx = m.y.x * s, yy = m.y.y * s, yz = m.y.z * s;
    double zx = m.z.x * s, zy = m.z.y * s, zz = m.z.z * s;
    double k[4][4] = { { xx - yy - zz, yx + xy, zx + xz, yz - zy }, { yx + xy, yy - xx - zz, zy + yz, zx - xz },
        { zx + xz, zy + yz, zz - xx - yy, xy - yx }, { yz - zy, zx - xz, xy - yx, xx + yy + zz } };
    double vectors[4][4] = { { 1.0, 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0, 0.0 },
        { 0.0, 0.0, 0.0, 1.0 } };
    for ( int sweep = 0; sweep < 8; ++sweep )
    {
        for ( int p = 0; p < 3; ++p )
        {
            for ( int q = p + 1; q < 4; ++q )
            {
                supTurnPair( k, vectors, p, q );
            }
        }
    }
    int best = 3;
    for ( int i = 2; i >= 0; --i )
    {
        best = k[i][i] > k[best][best] ? i : best;
    }
    supQuatd q = { vectors[0][best], vectors[1][best], vectors[2][best], vectors[3][best] };
    q = supNormalizeQuatD( q );
    return q.w < 0.0 ? ( supQuatd ){ -q.x, -q.y, -q.z, -q.w } : q;
}

// By cofactors: the rows of the inverse are the cross products of the columns over the determinant.
bool supInvertMatD( supMat34d m, supMat34d* out )
{
    supVec3d a = supCrossD( m.y, m.z ), b = supCrossD( m.z, m.x ), c = supCrossD( m.x, m.y );
    double determinant = supDotD( m.x, a );
    double scale = 1.0 / determinant;
    if ( determinant == 0.0 || !supIsFinite( determinant ) || !supIsFinite( scale ) )
    {
        *out = supMat34d_identity;
        return false;
    }
    supMat34d inverse = { { a.x * scale, b.x * scale, c.x * scale }, { a.y * scale, b.y * scale, c.y * scale },
        { a.z * scale, b.z * scale, c.z * scale }, { 0.0, 0.0, 0.0 } };
    inverse.t = supNegD( supTransformVectorD( inverse, m.t ) );
    *out = inverse;
    return true;
}
