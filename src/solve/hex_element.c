// One trilinear hexahedron with mean dilatation.
// SPDX-License-Identifier: MIT
//
// Energy of a displacement u with strain e = (grad u + grad u^T) / 2:
//
//     1/2 integral of 2 mu dev(e) : dev(e) + E_f (a . e a)^2     by 2 x 2 x 2 points
//     + 1/2 (lambda + 2/3 mu) V (mean of div u)^2                one number for the whole element
//
// The volume term sees the mean of the divergence alone: with lambda = 200 mu a divergence that has to vanish at eight
// points would take all freedom from eight corners (locking). After Nagtegaal, Parks, Rice, "On numerically accurate
// finite element solutions in the fully plastic range", 1974, and Hughes, "Generalization of selective integration
// procedures to anisotropic and nonlinear media", 1980.

#include "solve/elastic.h"

#include <string.h>

/// Gradients of the eight shape functions in space, at a point of the unit cube; gives the determinant of the map.
static double supHexGradients( const supVec3d corners[supHexCorners], const double at[3], supVec3d* gradients )
{
    supVec3d local[supHexCorners];
    supMat34d map = { 0 };
    for ( int c = 0; c < supHexCorners; ++c )
    {
        double f[3], d[3];
        for ( int i = 0; i < 3; ++i )
        {
            bool far = ( c >> i & 1 ) != 0;
            f[i] = far ? at[i] : 1.0 - at[i];
            d[i] = far ? 1.0 : -1.0;
        }
        local[c] = ( supVec3d ){ d[0] * f[1] * f[2], f[0] * d[1] * f[2], f[0] * f[1] * d[2] };
        map.x = supMulAddD( map.x, local[c].x, corners[c] );
        map.y = supMulAddD( map.y, local[c].y, corners[c] );
        map.z = supMulAddD( map.z, local[c].z, corners[c] );
    }
    supMat34d back;
    double determinant = supDeterminantD( map );
    if ( !( determinant > 0.0 ) || !supInvertMatD( map, &back ) )
    {
        return 0.0;
    }
    for ( int c = 0; c < supHexCorners; ++c )
    {
        gradients[c] = supTransposeVectorD( back, local[c] );
    }
    return determinant;
}

/// Adds s a b^T to the block of corners i and j.
static void supAddOuter( double* stiffness, int i, int j, double s, supVec3d a, supVec3d b )
{
    double* block = stiffness + (ptrdiff_t)( 3 * i ) * supHexSize + 3 * j;
    const double p[3] = { s * a.x, s * a.y, s * a.z }, q[3] = { b.x, b.y, b.z };
    for ( int r = 0; r < 3; ++r )
    {
        for ( int c = 0; c < 3; ++c )
        {
            block[r * supHexSize + c] += p[r] * q[c];
        }
    }
}

/// 2 mu dev(e) : dev(e) = mu ( grad u : grad u + grad u : grad u^T ) - 2/3 mu (div u)^2, and the fibres.
static void supAddShape(
    const supVec3d* gradients, const supElasticMaterial* material, supVec3d fiber, double weight, double* stiffness )
{
    double mu = weight * material->mu, along = weight * material->fiberStiffness;
    for ( int i = 0; i < supHexCorners; ++i )
    {
        for ( int j = 0; j < supHexCorners; ++j )
        {
            double same = mu * supDotD( gradients[i], gradients[j] );
            for ( int d = 0; d < 3; ++d )
            {
                stiffness[( 3 * i + d ) * supHexSize + 3 * j + d] += same;
            }
            supAddOuter( stiffness, i, j, mu, gradients[j], gradients[i] );
            supAddOuter( stiffness, i, j, -2.0 / 3.0 * mu, gradients[i], gradients[j] );
            double pulls = along * supDotD( fiber, gradients[i] ) * supDotD( fiber, gradients[j] );
            supAddOuter( stiffness, i, j, pulls, fiber, fiber );
        }
    }
}

/// How far from the middle the points stand at which strain is taken, against Gauss's. At 1 coarse voxels are too
/// stiff: what varies inside an element counts in full, and a trilinear element cannot vary as it ought to. At 0.8 the
/// mean of the strain counts as before and its variation 0.64 times, which a finer mesh does not notice. A clamped cube
/// of 3 voxels each way, lambda = 200 mu, against the converged one (sag along, sag across, first frequency):
///     1.0: -4%, -7%, +0.7%      0.8: -3%, -4%, -1%      0.7: -2%, -3%, -2%, and slow false vibrations at 2 voxels
static const double supGather = 0.8;

/// Points of the unit cube: coordinates 1/2 -+ gather / sqrt(12), weight 1/8 each.
static void supGaussPoint( int point, double gather, double at[3] )
{
    double away = gather * 0.28867513459481288225;
    for ( int i = 0; i < 3; ++i )
    {
        at[i] = 0.5 + ( ( point >> i & 1 ) != 0 ? away : -away );
    }
}

double supHexVolume( const supVec3d corners[supHexCorners] )
{
    double volume = 0.0;
    for ( int g = 0; g < 8; ++g )
    {
        supVec3d gradients[supHexCorners];
        double at[3];
        supGaussPoint( g, 1.0, at );
        volume += 0.125 * supHexGradients( corners, at, gradients );
    }
    return volume;
}

bool supHexStiffness( const supVec3d corners[supHexCorners], const supElasticMaterial* material, supVec3d fiber,
    double stiffness[supHexSize * supHexSize] )
{
    memset( stiffness, 0, sizeof( double ) * supHexSize * supHexSize );
    supVec3d mean[supHexCorners] = { 0 };
    double volume = 0.0;
    for ( int g = 0; g < 8; ++g )
    {
        supVec3d gradients[supHexCorners];
        double at[3];
        supGaussPoint( g, supGather, at );
        double weight = 0.125 * supHexGradients( corners, at, gradients );
        if ( !( weight > 0.0 ) )
        {
            return false;
        }
        supAddShape( gradients, material, fiber, weight, stiffness );
        volume += weight;
        for ( int c = 0; c < supHexCorners; ++c )
        {
            mean[c] = supMulAddD( mean[c], weight, gradients[c] );
        }
    }
    double bulk = ( material->lambda + 2.0 / 3.0 * material->mu ) / volume;
    for ( int i = 0; i < supHexCorners; ++i )
    {
        for ( int j = 0; j < supHexCorners; ++j )
        {
            supAddOuter( stiffness, i, j, bulk, mean[i], mean[j] );
        }
    }
    return true;
}
