// Supple: distance fields of round cones and ellipsoids.
// SPDX-License-Identifier: MIT
//
// Distances after Quilez, "Distance functions" and "Smooth minimum" (iquilezles.org, 2008 to 2024): the formulas, not
// the code. The gradients are ours, and analytic.

#include "creatures/solid.h"

#include <assert.h>

void supSolid_Init( supSolid* field, double edge )
{
    field->blobCount = 0;
    field->spotCount = 0;
    field->edge = edge;
    field->sole = 0.0;
    field->lower = supV( 1e30, 1e30, 1e30 );
    field->upper = supV( -1e30, -1e30, -1e30 );
}

static void supGrowBox( supSolid* field, supVec3d p, double r )
{
    field->lower =
        supV( supMin( field->lower.x, p.x - r ), supMin( field->lower.y, p.y - r ), supMin( field->lower.z, p.z - r ) );
    field->upper =
        supV( supMax( field->upper.x, p.x + r ), supMax( field->upper.y, p.y + r ), supMax( field->upper.z, p.z + r ) );
}

// Puts a piece in the list, with a ball of radius `around` about its middle.
static void supAddOne( supSolid* field, const supBlob* blob, supVec3d middle, double around )
{
    assert( field->blobCount < SUP_MAX_BLOBS );
    field->balls[field->blobCount] = ( supBall ){ middle, around + blob->blend, blob->carve ? -1.0 : 1.0 };
    field->blobs[field->blobCount++] = *blob;
}

// And its mirror image where it stands off the plane.
static void supAddBlob( supSolid* field, const supBlob* blob, supVec3d middle, double around )
{
    supAddOne( field, blob, middle, around );
    if ( blob->a.x != 0.0 || blob->b.x != 0.0 )
    {
        supBlob twin = *blob;
        twin.a = supMirrorD( blob->a );
        twin.b = supMirrorD( blob->b );
        for ( int32_t i = 0; i < 3; ++i )
        {
            twin.axes[i] = supMirrorD( blob->axes[i] );
        }
        supAddOne( field, &twin, supMirrorD( middle ), around );
    }
}

// With L = |b - a| and sin(alpha) = (ra - rb) / L the tangent cone's normal leans by alpha from straight across.
static void supLeanCone( supBlob* blob )
{
    supVec3d axis = supSubD( blob->b, blob->a );
    blob->length = supLengthD( axis );
    blob->axes[0] = supScaleD( axis, 1.0 / blob->length );
    blob->sine = ( blob->ra - blob->rb ) / blob->length;
    blob->cosine = supSqrt( supMax( 1.0 - blob->sine * blob->sine, 1e-12 ) );
}

void supSolid_Cone( supSolid* field, supVec3d a, double ra, supVec3d b, double rb, double blend )
{
    supBlob blob = { .kind = sup_blobCone, .a = a, .b = b, .ra = ra, .rb = rb, .blend = blend };
    supLeanCone( &blob );
    supGrowBox( field, a, ra + blend );
    supGrowBox( field, supMirrorD( a ), ra + blend );
    supGrowBox( field, b, rb + blend );
    supGrowBox( field, supMirrorD( b ), rb + blend );
    supAddBlob( field, &blob, supLerpD( a, b, 0.5 ), 0.5 * supLengthD( supSubD( b, a ) ) + supMax( ra, rb ) );
}

static void supAddEllipsoid( supSolid* field, supBlob blob, supQuatd turn )
{
    blob.kind = sup_blobEllipsoid;
    blob.axes[0] = supRotateD( turn, supV( 1.0, 0.0, 0.0 ) );
    blob.axes[1] = supRotateD( turn, supV( 0.0, 1.0, 0.0 ) );
    blob.axes[2] = supRotateD( turn, supV( 0.0, 0.0, 1.0 ) );
    // Wider than the ellipsoid: its distance is only good to first order.
    supAddBlob( field, &blob, blob.a, 1.4 * supMax( blob.radii.x, supMax( blob.radii.y, blob.radii.z ) ) );
}

void supSolid_Ellipsoid( supSolid* field, supVec3d center, supVec3d radii, supQuatd turn, double blend )
{
    double r = supMax( radii.x, supMax( radii.y, radii.z ) ) + blend;
    supGrowBox( field, center, r );
    supGrowBox( field, supMirrorD( center ), r );
    supAddEllipsoid( field, ( supBlob ){ .a = center, .radii = radii, .blend = blend }, turn );
}

void supSolid_Carve( supSolid* field, supVec3d center, supVec3d radii, supQuatd turn, double blend )
{
    supAddEllipsoid( field, ( supBlob ){ .a = center, .radii = radii, .blend = blend, .carve = true }, turn );
}

void supSolid_Shift( supSolid* field, double z )
{
    for ( int32_t i = 0; i < field->blobCount; ++i )
    {
        supBlob* blob = &field->blobs[i];
        blob->a.z += z;
        blob->b.z += z;
        field->balls[i].middle.z += z;
        if ( blob->kind == sup_blobCone )
        {
            supLeanCone( blob );
        }
    }
    field->lower.z += z;
    field->upper.z += z;
}

void supSolid_Spot( supSolid* field, supVec3d center, double radius, double size )
{
    assert( field->spotCount < SUP_MAX_SPOTS );
    field->spots[field->spotCount++] = ( supSpot ){ center, radius, size };
}

// What a distance came from, for its gradient.
typedef struct supFoot
{
    supVec3d from; // the cone's: from the ball's middle, and how long that is
    double distance;
    double q[3]; // the ellipsoid's: below
    double k0, k1;
} supFoot;

// A point at height y along the axis and distance x from it belongs to the ball whose foot of the leaning normal it is:
// y - x tan(alpha), cut to [0, L].
static double supConeDistance( const supBlob* blob, supVec3d p, supFoot* foot )
{
    supVec3d axis = blob->axes[0];
    double length = blob->length;
    supVec3d fromA = supSubD( p, blob->a );
    double y = supDotD( fromA, axis );
    supVec3d across = supMulAddD( fromA, -y, axis );
    double x = supLengthD( across );
    double along = supClamp( y - x * blob->sine / blob->cosine, 0.0, length );
    double radius = supMix( blob->ra, blob->rb, along / length );
    foot->from = supMulAddD( fromA, -along, axis );
    foot->distance = supLengthD( foot->from );
    return foot->distance - radius;
}

static supVec3d supConeGradient( const supFoot* foot )
{
    return foot->distance > 0.0 ? supScaleD( foot->from, 1.0 / foot->distance ) : supV( 0.0, 0.0, 0.0 );
}

// k0 = |p / r|, k1 = |p / r^2|: k0 is 1 on the surface and its gradient there is k1 / k0 long, so k0 (k0 - 1) / k1 is a
// distance to first order.
static double supEllipsoidDistance( const supBlob* blob, supVec3d p, supFoot* foot )
{
    supVec3d fromCenter = supSubD( p, blob->a );
    double r[3] = { blob->radii.x, blob->radii.y, blob->radii.z };
    double q0 = 0.0, q1 = 0.0;
    for ( int32_t i = 0; i < 3; ++i )
    {
        double q = supDotD( fromCenter, blob->axes[i] ) / ( r[i] * r[i] );
        q0 += q * q * r[i] * r[i];
        q1 += q * q;
        foot->q[i] = q;
    }
    foot->k0 = supSqrt( q0 );
    foot->k1 = supSqrt( q1 );
    return foot->k1 < 1e-9 ? -supMin( r[0], supMin( r[1], r[2] ) ) : foot->k0 * ( foot->k0 - 1.0 ) / foot->k1;
}

static supVec3d supEllipsoidGradient( const supBlob* blob, const supFoot* foot )
{
    supVec3d gradient = { 0.0, 0.0, 0.0 };
    double r[3] = { blob->radii.x, blob->radii.y, blob->radii.z }, k0 = foot->k0, k1 = foot->k1;
    for ( int32_t i = 0; i < 3 && k1 >= 1e-9; ++i )
    {
        double dk0 = foot->q[i] / k0, dk1 = foot->q[i] / ( r[i] * r[i] * k1 );
        double d = ( ( 2.0 * k0 - 1.0 ) * dk0 * k1 - k0 * ( k0 - 1.0 ) * dk1 ) / ( k1 * k1 );
        gradient = supMulAddD( gradient, d, blob->axes[i] );
    }
    return gradient;
}

// The cubic smooth minimum: min( a, b ) - k h^3 / 6 with h = 1 - |a - b| / k: curvature stays continuous where it sets
// in.
static double supMeltMin( double a, double b, double k, double* shareB )
{
    double h = supMax( k - supAbs( a - b ), 0.0 ) / k;
    double share = 0.5 * h * h;
    *shareB = a < b ? share : 1.0 - share;
    return supMin( a, b ) - h * h * h * k / 6.0;
}

double supSolid_Distance( const supSolid* field, supVec3d p, supVec3d* gradient )
{
    double distance = 1e30;
    supVec3d slope = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < field->blobCount; ++i )
    {
        // Beyond its blend a piece changes nothing; most are ruled out by the ball around them.
        const supBall* ball = &field->balls[i];
        double reach = ball->reach + ball->sign * distance;
        supVec3d away = supSubD( p, ball->middle );
        if ( reach < 0.0 || supDotD( away, away ) > reach * reach )
        {
            continue;
        }
        const supBlob* blob = &field->blobs[i];
        bool isCone = blob->kind == sup_blobCone;
        supFoot foot = { 0 };
        double d = isCone ? supConeDistance( blob, p, &foot ) : supEllipsoidDistance( blob, p, &foot ), share;
        distance = ball->sign * supMeltMin( ball->sign * distance, d, blob->blend, &share );
        if ( share > 0.0 && gradient != NULL )
        {
            supVec3d own = isCone ? supConeGradient( &foot ) : supEllipsoidGradient( blob, &foot );
            slope = supLerpD( slope, supScaleD( own, ball->sign ), share );
        }
    }
    if ( field->sole > 0.0 )
    {
        double share;
        distance = -supMeltMin( -distance, p.y, field->sole, &share );
        slope = supLerpD( slope, supV( 0.0, -1.0, 0.0 ), share );
    }
    if ( gradient != NULL )
    {
        *gradient = slope;
    }
    return distance;
}

double supSolid_EdgeLength( const supSolid* field, supVec3d p )
{
    double length = field->edge;
    supVec3d folded = supV( supAbs( p.x ), p.y, p.z );
    for ( int32_t i = 0; i < field->spotCount; ++i )
    {
        const supSpot* spot = &field->spots[i];
        double away = supLengthD( supSubD( folded, spot->center ) );
        double t = supRamp( spot->radius, 2.0 * spot->radius, away );
        length = supMin( length, supMix( spot->size, field->edge, t ) );
    }
    return length;
}

supVec3d supSolid_Project( const supSolid* field, supVec3d p, bool onPlane )
{
    for ( int32_t i = 0; i < 6; ++i )
    {
        supVec3d gradient;
        double distance = supSolid_Distance( field, p, &gradient );
        if ( onPlane )
        {
            p.x = 0.0;
            gradient.x = 0.0;
        }
        double square = supDotD( gradient, gradient );
        if ( supAbs( distance ) < 1e-7 || square < 1e-6 )
        {
            break;
        }
        // Newton's step, held back: far from the surface the distances of ellipsoids are only good to a factor.
        double step = supClamp( distance / square, -field->edge, field->edge );
        p = supMulAddD( p, -step, gradient );
    }
    if ( !onPlane && p.x < 0.0 )
    {
        p.x = 0.0;
    }
    return p;
}

double supSolid_Openness( const supSolid* field, supVec3d p, supVec3d normal, double reach )
{
    double closed = 0.0, weight = 1.0, whole = 0.0;
    for ( int32_t i = 1; i <= 4; ++i )
    {
        double h = reach * i / 4.0;
        double free = supSolid_Distance( field, supMulAddD( p, h, normal ), NULL );
        closed += weight * supClamp( 1.0 - free / h, 0.0, 1.0 );
        whole += weight;
        weight *= 0.75;
    }
    return 1.0 - closed / whole;
}
