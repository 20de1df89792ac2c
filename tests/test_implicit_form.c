// The densities that the écorché is blended from, against their own definition where distances are known.
#include "base/math.h"
#include "layers/muscles/implicit_surface.h"
#include "support/assert_near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/// What implicit_surface.h says: 1 deep inside, 1/2 on the surface, 0 from s on.
static double supDensity( double d, double s )
{
    double x = fmin( fmax( d / s, -1.0 ), 1.0 );
    return 0.5 - ( 15.0 * x - 10.0 * pow( x, 3.0 ) + 3.0 * pow( x, 5.0 ) ) / 16.0;
}

/// The sum of densities at one point, all lanes alike.
static double supValueAt( const supImplicitBlob* pieces, int32_t count, supVec3 p, const float* shares )
{
    supImplicitReady ready[4];
    supImplicitEntry list[4];
    supImplicitBatch block;
    float values[SUP_IMPLICIT_LANES];
    for ( int32_t i = 0; i < count; ++i )
    {
        ready[i] = supImplicitBlob_Ready( pieces + i );
        list[i] = ( supImplicitEntry ){ i, shares != NULL ? shares + SUP_IMPLICIT_LANES * i : NULL };
    }
    for ( int32_t i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        block.x[i] = p.x, block.y[i] = p.y, block.z[i] = p.z;
    }
    supImplicit_Value( ready, list, count, &block, values );
    for ( int32_t i = 1; i < SUP_IMPLICIT_LANES && shares == NULL; ++i )
    {
        assert_true( values[i] == values[0] );
    }
    return (double)values[0] + 0.5;
}

/// A ball and the side of a capsule: distances are exact, and so is the density at every depth.
static void supTestCourse( void** state )
{
    (void)state;
    supImplicitBlob ball =
        supMakeCapsule( supMakeVec3( 0.1f, 0.2f, 0.3f ), supMakeVec3( 0.1f, 0.2f, 0.3f ), 0.1f, 0.1f, 0.05f, 0 );
    supImplicitBlob rod =
        supMakeCapsule( supMakeVec3( 0.0f, -1.0f, 0.0f ), supMakeVec3( 0.0f, 1.0f, 0.0f ), 0.1f, 0.1f, 0.05f, 0 );
    for ( int32_t k = -9; k <= 9; ++k )
    {
        float out = 0.1f + 0.01f * (float)k;
        supVec3 p = supMulAdd( ball.a, out, supMakeVec3( 0.6f, 0.0f, -0.8f ) );
        double wanted = supDensity( (double)out - 0.1, 0.05 );
        supAssertNear( supValueAt( &ball, 1, p, NULL ), wanted, 2e-5 );
        supAssertNear( supValueAt( &rod, 1, supMakeVec3( 0.0f, 0.3f, out ), NULL ), wanted, 2e-5 );
    }
}

/// The blending width goes evenly from one end to the other.
static void supTestWidthAlong( void** state )
{
    (void)state;
    supImplicitBlob rod =
        supMakeCapsule( supMakeVec3( 0.0f, 0.0f, 0.0f ), supMakeVec3( 0.0f, 1.0f, 0.0f ), 0.1f, 0.1f, 0.0f, 0 );
    rod.blendA = 0.02f;
    rod.blendB = 0.08f;
    for ( int32_t k = 0; k <= 10; ++k )
    {
        double y = 0.1 * k;
        supVec3 p = supMakeVec3( 0.115f, (float)y, 0.0f );
        supAssertNear( supValueAt( &rod, 1, p, NULL ), supDensity( 0.015, 0.02 + 0.06 * y ), 1e-4 );
    }
}

/// So does the flatness: along `thin` the surface is at radius / flatness, across it at the radius. The density is one
/// of the way itself, not of the way in the space in which the piece is round.
static void supTestFlatAlong( void** state )
{
    (void)state;
    supImplicitBlob rod =
        supMakeCapsule( supMakeVec3( 0.0f, 0.0f, 0.0f ), supMakeVec3( 0.0f, 1.0f, 0.0f ), 0.1f, 0.1f, 0.02f, 0 );
    rod.thin = supMakeVec3( 0.0f, 0.0f, 1.0f );
    rod.flatA = 1.0f;
    rod.flatB = 4.0f;
    for ( int32_t k = 0; k <= 10; ++k )
    {
        float y = 0.1f * (float)k, half = 0.1f / ( 1.0f + 3.0f * y );
        for ( int32_t off = -1; off <= 1; ++off )
        {
            float d = 0.008f * (float)off;
            double wanted = supDensity( (double)d, 0.02 );
            supAssertNear( supValueAt( &rod, 1, supMakeVec3( 0.0f, y, half + d ), NULL ), wanted, 1e-4 );
            supAssertNear( supValueAt( &rod, 1, supMakeVec3( 0.1f + d, y, 0.0f ), NULL ), wanted, 1e-4 );
        }
    }
}

/// On the three axes of an ellipsoid the way to its surface is known.
static void supTestEllipsoidAxes( void** state )
{
    (void)state;
    const supVec3 center = { 0.5f, -0.2f, 0.1f };
    const supVec3 axes[3] = { { 0.6f, 0.8f, 0.0f }, { -0.8f, 0.6f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
    const float radii[3] = { 0.1f, 0.25f, 0.06f };
    supImplicitBlob piece = supMakeEllipsoid( center, axes, radii, 0.03f, 0 );
    for ( int32_t a = 0; a < 3; ++a )
    {
        for ( int32_t k = -3; k <= 4; ++k )
        {
            float d = 0.01f * (float)k;
            supVec3 p = supMulAdd( center, radii[a] + d, axes[a] );
            supAssertNear( supValueAt( &piece, 1, p, NULL ), supDensity( (double)d, 0.03 ), 1e-4 );
        }
    }
}

/// Groups are summed, pieces of one are not; shares weigh each lane by itself.
static void supTestShares( void** state )
{
    (void)state;
    supImplicitBlob pair[2] = { supMakeCapsule( supVec3_zero, supVec3_zero, 0.1f, 0.1f, 0.05f, 0 ),
        supMakeCapsule( supMakeVec3( 0.2f, 0.0f, 0.0f ), supMakeVec3( 0.2f, 0.0f, 0.0f ), 0.06f, 0.06f, 0.09f, 1 ) };
    supVec3 p = { 0.11f, 0.0f, 0.0f };
    double first = supDensity( 0.01, 0.05 ), second = supDensity( 0.03, 0.09 );
    supAssertNear( supValueAt( pair, 2, p, NULL ), first + second, 1e-4 );
    supImplicitReady ready[2] = { supImplicitBlob_Ready( pair ), supImplicitBlob_Ready( pair + 1 ) };
    float shares[2 * SUP_IMPLICIT_LANES], values[SUP_IMPLICIT_LANES];
    supImplicitBatch block;
    for ( int32_t i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        shares[i] = (float)i / SUP_IMPLICIT_LANES;
        shares[SUP_IMPLICIT_LANES + i] = 1.0f - 0.5f * shares[i];
        block.x[i] = p.x, block.y[i] = p.y, block.z[i] = p.z;
    }
    const supImplicitEntry list[2] = { { 0, shares }, { 1, shares + SUP_IMPLICIT_LANES } };
    supImplicit_Value( ready, list, 2, &block, values );
    for ( int32_t i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        double a = (double)shares[i], b = (double)shares[SUP_IMPLICIT_LANES + i];
        supAssertNear( (double)values[i] + 0.5, a * first + b * second, 1e-4 );
    }
    pair[1].group = 0;
    supAssertNear( supValueAt( pair, 2, p, NULL ), fmax( first, second ), 1e-4 );
}

/// Outside of its box a piece is nothing: also flattened, stretched and tapered ones.
static void supTestBoxes( void** state )
{
    (void)state;
    const supVec3 axes[3] = { { 0.6f, 0.8f, 0.0f }, { -0.8f, 0.6f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
    const float radii[3] = { 0.1f, 0.3f, 0.02f };
    supImplicitBlob pieces[3] = { supMakeEllipsoid( supVec3_zero, axes, radii, 0.04f, 0 ),
        supMakeCapsule( supMakeVec3( -0.1f, 0.0f, 0.0f ), supMakeVec3( 0.3f, 0.2f, 0.1f ), 0.1f, 0.03f, 0.05f, 0 ) };
    pieces[2] = pieces[1];
    pieces[2].flatA = 3.0f;
    pieces[2].thin = supMakeVec3( 0.0f, 0.0f, 1.0f );
    for ( int32_t k = 0; k < 3; ++k )
    {
        supImplicitReady ready = supImplicitBlob_Ready( pieces + k );
        supVec3 middle = supScale( supAdd( ready.low, ready.high ), 0.5f );
        supVec3 half = supScale( supSub( ready.high, ready.low ), 0.5f );
        for ( int32_t i = 0; i < 6 * 21 * 21; ++i )
        {
            float u = (float)( i / 6 % 21 ) * 0.1f - 1.0f, v = (float)( i / 126 ) * 0.1f - 1.0f;
            float side = i % 2 == 0 ? -1.001f : 1.001f;
            supVec3 at = i % 6 < 2   ? supMakeVec3( side, u, v )
                         : i % 6 < 4 ? supMakeVec3( u, side, v )
                                     : supMakeVec3( u, v, side );
            supVec3 p = supAdd( middle, supMakeVec3( at.x * half.x, at.y * half.y, at.z * half.z ) );
            assert_true( supValueAt( pieces + k, 1, p, NULL ) == 0.0 );
        }
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestCourse ),
        cmocka_unit_test( supTestWidthAlong ),
        cmocka_unit_test( supTestFlatAlong ),
        cmocka_unit_test( supTestEllipsoidAxes ),
        cmocka_unit_test( supTestShares ),
        cmocka_unit_test( supTestBoxes ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
