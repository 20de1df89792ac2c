// An implicit surface blended from pieces.
// SPDX-License-Identifier: MIT

#include "layers/muscles/implicit_surface.h"

#include "base/math.h"
#include "base/wide_vec.h"

/// A piece whose one end's ball swallows the other is that ball alone.
static const float supSteepest = 0.95f;
/// Below this an axis has no direction.
static const float supShortest = 1e-12f;

supImplicitBlob supMakeCapsule( supVec3 a, supVec3 b, float radiusA, float radiusB, float blend, int32_t group )
{
    return ( supImplicitBlob ){ .a = a,
        .b = b,
        .thin = { 1.0f, 0.0f, 0.0f },
        .along = { 0.0f, 1.0f, 0.0f },
        .radiusA = radiusA,
        .radiusB = radiusB,
        .flatA = 1.0f,
        .flatB = 1.0f,
        .stretch = 1.0f,
        .blendA = blend,
        .blendB = blend,
        .group = group };
}

supImplicitBlob supMakeEllipsoid(
    supVec3 center, const supVec3 axes[3], const float radii[3], float blend, int32_t group )
{
    supImplicitBlob piece = supMakeCapsule( center, center, radii[0], radii[0], blend, group );
    piece.along = axes[1];
    piece.thin = axes[2];
    piece.stretch = radii[0] / radii[1];
    piece.flatA = piece.flatB = radii[0] / radii[2];
    return piece;
}

/// Across the axis: what `thin` has along it is taken out.
static supVec3 supAcross( supVec3 thin, supVec3 axis )
{
    supVec3 across = supMulAdd( thin, -supDot( thin, axis ), axis );
    if ( supLengthSquared( across ) > 1e-6f )
    {
        return supNormalize( across );
    }
    supVec3 other = supAbsF( axis.x ) < 0.6f ? ( supVec3 ){ 1.0f, 0.0f, 0.0f } : ( supVec3 ){ 0.0f, 1.0f, 0.0f };
    return supNormalize( supMulAdd( other, -supDot( other, axis ), axis ) );
}

supImplicitReady supImplicitBlob_Ready( const supImplicitBlob* piece )
{
    supVec3 way = supSub( piece->b, piece->a );
    float length = supLength( way ), fall = piece->radiusA - piece->radiusB;
    bool isBall = !( length > supShortest ) || supAbsF( fall ) > supSteepest * length;
    supImplicitReady ready = { .a = piece->a,
        .axis = isBall && !( length > supShortest ) ? piece->along : supScale( way, 1.0f / length ),
        .stretch = piece->stretch,
        .radius = piece->radiusA,
        .flat = piece->flatA,
        .blend = piece->blendA,
        .group = piece->group };
    if ( isBall && fall < 0.0f )
    {
        ready.a = piece->b;
        ready.radius = piece->radiusB;
        ready.flat = piece->flatB;
        ready.blend = piece->blendB;
    }
    if ( !isBall )
    {
        ready.length = length;
        ready.inverseLength = 1.0f / length;
        ready.slope = fall / length;
        ready.tangent = ready.slope / supSqrtF( 1.0f - ready.slope * ready.slope );
        ready.flatRise = piece->flatB - piece->flatA;
        ready.blendRise = piece->blendB - piece->blendA;
    }
    ready.thin = supAcross( piece->thin, ready.axis );
    // d is a distance to first order only, and smaller than the true one where a piece is flat or stretched
    float flattest = supMaxF( supMaxF( piece->flatA, piece->flatB ), supMaxF( 1.0f, piece->stretch ) );
    float thickest = supMinF( supMinF( piece->flatA, piece->flatB ), supMinF( 1.0f, piece->stretch ) );
    float reach = supMaxF( piece->radiusA, piece->radiusB ) + flattest * supMaxF( piece->blendA, piece->blendB );
    reach /= thickest;
    supVec3 around = { reach, reach, reach };
    ready.low = supSub( supMinVec3( piece->a, piece->b ), around );
    ready.high = supAdd( supMaxVec3( piece->a, piece->b ), around );
    return ready;
}

/// Distance to the surface of a piece, to first order, and how far along it the point lies, 0 to 1.
///
/// Flattening scales the space along `thin` by f (and of an ellipsoid along its axis by e), which makes the piece
/// round. There the nearest ball of the cone is found: a point at x off the axis and y along it belongs to the ball at
/// y - x tan(half angle). The distance there is divided by the length of its gradient in unscaled space.
SUP_ALWAYS supW supDistanceW( const supImplicitReady* piece, supVecW p, supW* share )
{
    supVecW q = supSubVecW( p, supSplatVecW( piece->a ) );
    supW y = supDotVecW( q, supSplatVecW( piece->axis ) ), n = supDotVecW( q, supSplatVecW( piece->thin ) );
    supW one = supSplatW( 1.0f ), zero = supZeroW();
    supW x2 = supSubW( supSubW( supDotVecW( q, q ), supMulW( y, y ) ), supMulW( n, n ) );
    x2 = supMaxW( x2, zero );
    supW h = supMinW( supMaxW( supMulW( y, supSplatW( piece->inverseLength ) ), zero ), one );
    supW f = supMulAddW( supSplatW( piece->flatRise ), h, supSplatW( piece->flat ) );
    supW fn = supMulW( f, n ), e = supSplatW( piece->stretch );
    supW round2 = supMulAddW( fn, fn, x2 );
    supW place = supSubW( y, supMulW( supSqrtW( round2 ), supSplatW( piece->tangent ) ) );
    place = supMinW( supMaxW( place, zero ), supSplatW( piece->length ) );
    supW dy = supMulW( e, supSubW( y, place ) );
    supW squared = supMulAddW( dy, dy, round2 );
    supW distance = supSqrtW( squared ), ffn = supMulW( f, fn ), edy = supMulW( e, dy );
    supW gradient2 = supMulAddW( edy, edy, supMulAddW( ffn, ffn, x2 ) );
    supW ratio = supDivW( squared, supMaxW( gradient2, supSplatW( 1e-30f ) ) );
    ratio = supBlendW( supLessW( squared, supSplatW( 1e-20f ) ), one, ratio );
    supW radius = supSubW( supSplatW( piece->radius ), supMulW( supSplatW( piece->slope ), place ) );
    *share = supMulW( place, supSplatW( piece->inverseLength ) );
    return supMulW( supSubW( distance, radius ), supSqrtW( ratio ) );
}

SUP_ALWAYS supW supDensityW( const supImplicitReady* piece, supVecW p )
{
    supW share, d = supDistanceW( piece, p, &share );
    supW blend = supMulAddW( supSplatW( piece->blendRise ), share, supSplatW( piece->blend ) );
    supW x = supMinW( supMaxW( supDivW( d, blend ), supSplatW( -1.0f ) ), supSplatW( 1.0f ) );
    supW xx = supMulW( x, x );
    supW inner = supMulAddW( supMulAddW( supSplatW( 3.0f ), xx, supSplatW( -10.0f ) ), xx, supSplatW( 15.0f ) );
    return supSubW( supSplatW( 0.5f ), supMulW( supMulW( x, inner ), supSplatW( 0.0625f ) ) );
}

void supImplicit_Value( const supImplicitReady* pieces, const supImplicitEntry* list, int32_t count,
    const supImplicitBatch* points, float values[SUP_IMPLICIT_LANES] )
{
    for ( int k = 0; k < SUP_PARTS; ++k )
    {
        int at = k * SUP_WIDTH;
        supVecW p = { supLoadW( points->x + at ), supLoadW( points->y + at ), supLoadW( points->z + at ) };
        supW sum = supSplatW( -0.5f ), most = supZeroW();
        int32_t group = count > 0 ? pieces[list[0].piece].group : 0;
        for ( int32_t i = 0; i < count; ++i )
        {
            const supImplicitReady* piece = pieces + list[i].piece;
            supW density = supDensityW( piece, p );
            density = list[i].shares != NULL ? supMulW( density, supLoadW( list[i].shares + at ) ) : density;
            bool more = piece->group == group;
            sum = more ? sum : supAddW( sum, most );
            most = more ? supMaxW( density, most ) : density;
            group = piece->group;
        }
        supStoreW( values + at, supAddW( sum, most ) );
    }
}
