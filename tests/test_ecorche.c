// The écorché: rays on an implicit surface against spheres, capsules, cones and ellipsoids that are known.

#include "base/math.h"
#include "layers/muscles/ecorche_data.h"
#include "support/test_rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// Rays from a place in all directions, `reach` long.
static supRayBatch supRaysAround( supTestRandom* random, supVec3 from, float reach )
{
    supRayBatch rays;
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        supVec3 way = supVec3_zero;
        while ( supLengthSquared( way ) < 0.01f || supLengthSquared( way ) > 1.0f )
        {
            way = supMakeVec3( supTestRandom_Float( random, -1.0f, 1.0f ), supTestRandom_Float( random, -1.0f, 1.0f ),
                supTestRandom_Float( random, -1.0f, 1.0f ) );
        }
        way = supScale( supNormalize( way ), reach );
        rays.from.x[i] = from.x, rays.from.y[i] = from.y, rays.from.z[i] = from.z;
        rays.way.x[i] = way.x, rays.way.y[i] = way.y, rays.way.z[i] = way.z;
        rays.steps[i] = 2e-6f / reach;
        rays.filled[i] = 0.0f, rays.soft[i] = 1.0f;
    }
    return rays;
}

static supVec3 supHitOf( const supRayBatch* rays, const supRayHits* hits, int i )
{
    return supMakeVec3( rays->from.x[i] + hits->t[i] * rays->way.x[i], rays->from.y[i] + hits->t[i] * rays->way.y[i],
        rays->from.z[i] + hits->t[i] * rays->way.z[i] );
}

static void supFollow( const supRayBatch* rays, const supImplicitBlob* pieces, int32_t count, supRayHits* hits )
{
    supImplicitReady ready[8];
    supImplicitEntry list[8];
    float low[SUP_IMPLICIT_LANES], high[SUP_IMPLICIT_LANES];
    for ( int32_t i = 0; i < count; ++i )
    {
        ready[i] = supImplicitBlob_Ready( pieces + i );
        list[i] = ( supImplicitEntry ){ i, NULL };
    }
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        low[i] = 0.0f, high[i] = 1.0f;
    }
    supFollowRays( rays, ready, list, count, low, high, hits );
}

static supRayHits supHitsAt( float t )
{
    supRayHits hits;
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        hits.t[i] = t, hits.slopes[i] = -5.0f, hits.found[i] = false;
    }
    return hits;
}

/// A sphere and an ellipsoid are met where they are, whatever the blending width and the first guess.
static void supTestEllipsoids( void** state )
{
    (void)state;
    supTestRandom random = { 7 };
    const supVec3 center = { 0.3f, 1.1f, -0.2f };
    for ( int k = 0; k < 60; ++k )
    {
        supQuat turn =
            supQuatFromAxisAngle( supNormalize( supMakeVec3( 1.0f, 0.3f * (float)k, -0.5f ) ), 0.1f * (float)k );
        supVec3 axes[3] = { supRotate( turn, supMakeVec3( 1, 0, 0 ) ), supRotate( turn, supMakeVec3( 0, 1, 0 ) ),
            supRotate( turn, supMakeVec3( 0, 0, 1 ) ) };
        float radii[3] = { 0.08f, k % 2 == 0 ? 0.08f : supTestRandom_Float( &random, 0.04f, 0.2f ),
            k % 2 == 0 ? 0.08f : supTestRandom_Float( &random, 0.03f, 0.2f ) };
        float blend = supTestRandom_Float( &random, 0.002f, 0.05f );
        supImplicitBlob piece = supMakeEllipsoid( center, axes, radii, blend, 0 );
        supVec3 from = supMulAdd( center, 0.02f, axes[k % 3] );
        supRayBatch rays = supRaysAround( &random, from, 0.4f );
        supRayHits hits = supHitsAt( supTestRandom_Float( &random, 0.0f, 1.0f ) );
        supFollow( &rays, &piece, 1, &hits );
        for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
        {
            assert_true( hits.found[i] );
            supVec3 p = supSub( supHitOf( &rays, &hits, i ), center );
            double sum = 0.0, slope = 0.0;
            for ( int a = 0; a < 3; ++a )
            {
                double x = (double)supDot( p, axes[a] ) / radii[a];
                sum += x * x;
                slope += x * x / ( (double)radii[a] * radii[a] );
            }
            assert_true( fabs( sum - 1.0 ) / ( 2.0 * sqrt( slope ) ) < 1e-5 );
        }
    }
}

/// The convex hull of two balls, and its elliptic stretch: distance to the nearest ball by a fine search in double.
static double supConeDistance( const supImplicitBlob* piece, supVec3 p )
{
    supVec3 axis = supNormalize( supSub( piece->b, piece->a ) );
    supVec3 thin = supNormalize( supMulAdd( piece->thin, -supDot( piece->thin, axis ), axis ) );
    double best = 1e30;
    for ( int i = 0; i <= 20000; ++i )
    {
        double h = i / 20000.0;
        supVec3 q = supSub( p, supLerp( piece->a, piece->b, (float)h ) );
        double n = supDot( q, thin ), rest = (double)supDot( q, q ) - n * n;
        double round = sqrt( rest + n * n * piece->flatA * piece->flatA );
        double d = round - ( piece->radiusA + h * ( piece->radiusB - piece->radiusA ) );
        best = d < best ? d : best;
    }
    return best;
}

static void supTestCones( void** state )
{
    (void)state;
    supTestRandom random = { 19 };
    for ( int k = 0; k < 24; ++k )
    {
        supVec3 a = { 0.1f, 0.9f, 0.0f };
        supVec3 b =
            supAdd( a, supMakeVec3( supTestRandom_Float( &random, -0.2f, 0.2f ),
                           supTestRandom_Float( &random, 0.1f, 0.3f ), supTestRandom_Float( &random, -0.2f, 0.2f ) ) );
        supImplicitBlob piece = supMakeCapsule( a, b, supTestRandom_Float( &random, 0.03f, 0.08f ),
            supTestRandom_Float( &random, 0.01f, 0.08f ), 0.02f, 0 );
        piece.thin = supMakeVec3( 0.3f, 0.2f, 0.9f );
        piece.flatA = piece.flatB = k % 3 == 0 ? 1.0f : supTestRandom_Float( &random, 1.0f, 3.0f );
        supRayBatch rays = supRaysAround( &random, supLerp( a, b, supTestRandom_Float( &random, 0.0f, 1.0f ) ), 0.6f );
        supRayHits hits = supHitsAt( 0.3f );
        supFollow( &rays, &piece, 1, &hits );
        for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
        {
            assert_true( hits.found[i] );
            assert_true( fabs( supConeDistance( &piece, supHitOf( &rays, &hits, i ) ) ) < 1e-5 );
        }
    }
}

/// Two balls grow together by less than the blending width; a sharper one keeps its form; beyond both widths nothing.
static void supTestBlending( void** state )
{
    (void)state;
    float bulge[2];
    for ( int k = 0; k < 2; ++k )
    {
        float s = k == 0 ? 0.03f : 0.006f;
        supImplicitBlob pair[2] = { supMakeCapsule(
                                        supMakeVec3( -0.05f, 0, 0 ), supMakeVec3( -0.05f, 0, 0 ), 0.08f, 0.08f, s, 0 ),
            supMakeCapsule( supMakeVec3( 0.05f, 0, 0 ), supMakeVec3( 0.05f, 0, 0 ), 0.08f, 0.08f, s, 1 ) };
        supRayBatch rays = { 0 };
        for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
        {
            rays.way.y[i] = 0.3f;
            rays.steps[i] = 1e-6f;
        }
        supRayHits hits = supHitsAt( 0.2f );
        supFollow( &rays, pair, 2, &hits );
        float groove = supSqrtF( 0.08f * 0.08f - 0.05f * 0.05f );
        bulge[k] = 0.3f * hits.t[0] - groove;
        assert_true( bulge[k] > 0.0f && bulge[k] < s * 0.08f / groove );
        pair[1].group = 0; // joined, not blended
        supFollow( &rays, pair, 2, &hits );
        assert_true( fabsf( 0.3f * hits.t[0] - groove ) < 1e-5f );
    }
    assert_true( bulge[1] < 0.5f * bulge[0] );
}

/// The lines' own segments meet without knots: a straight line cut in five is the same surface.
static void supTestCutLine( void** state )
{
    (void)state;
    supTestRandom random = { 3 };
    supImplicitBlob whole = supMakeCapsule( supVec3_zero, supMakeVec3( 0, 0.3f, 0 ), 0.04f, 0.03f, 0.01f, 0 ), cut[5];
    for ( int i = 0; i < 5; ++i )
    {
        float low = (float)i / 5.0f, high = (float)( i + 1 ) / 5.0f;
        cut[i] = supMakeCapsule( supMakeVec3( 0, 0.3f * low, 0 ), supMakeVec3( 0, 0.3f * high, 0 ), 0.04f - 0.01f * low,
            0.04f - 0.01f * high, 0.01f, 0 );
    }
    supRayBatch rays = supRaysAround( &random, supMakeVec3( 0, 0.11f, 0 ), 0.5f );
    supRayHits one = supHitsAt( 0.1f ), five = one;
    supFollow( &rays, &whole, 1, &one );
    supFollow( &rays, cut, 5, &five );
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        assert_true( one.found[i] && five.found[i] );
        assert_true( fabsf( one.t[i] - five.t[i] ) * 0.5f < 1e-5f );
    }
}

/// A ball that grows is followed from frame to frame in few looks; held still, a hit stays bit for bit; a ball that has
/// gone leaves the ray where it was; not-a-number finds nothing and does not hang.
static void supTestFollowing( void** state )
{
    (void)state;
    supTestRandom random = { 5 };
    supRayBatch rays = supRaysAround( &random, supVec3_zero, 0.2f );
    supRayHits hits = supHitsAt( 0.5f );
    float low[SUP_IMPLICIT_LANES] = { 0 }, high[SUP_IMPLICIT_LANES];
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        high[i] = 1.0f;
    }
    int32_t looks = 0;
    supImplicitEntry list[1] = { { 0, NULL } };
    for ( int frame = 0; frame < 100; ++frame )
    {
        float radius = 0.1f + 0.02f * supSinF( 0.1f * (float)frame );
        supImplicitBlob ball = supMakeCapsule( supVec3_zero, supVec3_zero, radius, radius, 0.02f, 0 );
        supImplicitReady ready = supImplicitBlob_Ready( &ball );
        looks += supFollowRays( &rays, &ready, list, 1, low, high, &hits );
        for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
        {
            assert_true( hits.found[i] && fabsf( 0.2f * hits.t[i] - radius ) < 3e-6f );
        }
        supRayHits held = hits;
        supFollowRays( &rays, &ready, list, 1, low, high, &held );
        assert_memory_equal( held.t, hits.t, sizeof( hits.t ) );
    }
    assert_true( looks < 600 );
    supRayHits kept = hits;
    supFollowRays( &rays, NULL, list, 0, low, high, &kept );
    assert_false( kept.found[3] );
    assert_memory_equal( kept.t, hits.t, sizeof( hits.t ) );
    rays.from.x[4] = NAN;
    supImplicitBlob ball = supMakeCapsule( supVec3_zero, supVec3_zero, 0.1f, 0.1f, 0.02f, 0 );
    supFollow( &rays, &ball, 1, &hits );
    assert_true( hits.found[3] && !hits.found[4] && hits.t[4] == kept.t[4] );
}

/// Rays that come from outside meet the outermost of two balls.
static void supTestCatching( void** state )
{
    (void)state;
    supImplicitBlob pair[2] = { supMakeCapsule( supVec3_zero, supVec3_zero, 0.05f, 0.05f, 0.005f, 0 ),
        supMakeCapsule( supMakeVec3( 0.2f, 0, 0 ), supMakeVec3( 0.2f, 0, 0 ), 0.03f, 0.03f, 0.005f, 1 ) };
    supImplicitReady ready[2] = { supImplicitBlob_Ready( pair ), supImplicitBlob_Ready( pair + 1 ) };
    supRayBatch rays = { 0 };
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        rays.way.x[i] = i == 0 ? 0.3f : -0.3f;
        rays.steps[i] = 1e-6f;
    }
    supRayHits hits;
    supCatchRays(
        &rays, ready, ( supImplicitEntry[] ){ { 0, NULL }, { 1, NULL } }, 2, 0.0f, 1.0f, sup_catchSteps, &hits );
    assert_true( hits.found[0] && fabsf( 0.3f * hits.t[0] - 0.23f ) < 1e-5f );
    assert_true( hits.found[1] && fabsf( 0.3f * hits.t[1] - 0.05f ) < 1e-5f );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestEllipsoids ),
        cmocka_unit_test( supTestCones ),
        cmocka_unit_test( supTestBlending ),
        cmocka_unit_test( supTestCutLine ),
        cmocka_unit_test( supTestFollowing ),
        cmocka_unit_test( supTestCatching ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
