// Forces from outside that reach fat through the skin.
#include "base/math.h"
#include "body/body_data.h"
#include "layers/fat/fat_state.h"
#include "layers/fat/fat_step.h"
#include "solve/elastic.h"
#include "support/fat_case.h"
#include "support/limb.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const supVec3 supNoForce = { 0.0f, 0.0f, 0.0f };

static supFatDef supTouchedBreasts( supSphere balls[2] )
{
    supFatDef def = supTorsoBreasts( balls );
    def.nodes = 300.0f;
    def.mu = 2000.0f;
    def.limit = 10.0f;
    def.touch = true;
    def.keepVolume = 0.0f; // what linear elasticity says, to the last digit
    return def;
}

/// The vertex of the fat's skin that lies farthest along a direction.
static int32_t supFarthest( const supFatCase* c, supVec3 way )
{
    const float* rest = supCharacter_Info( c->character )->restPositions;
    int32_t best = c->fat->skin[0];
    float most = -1e30f;
    for ( int32_t i = 0; i < c->fat->skinCount; ++i )
    {
        const float* p = rest + 3 * (size_t)c->fat->skin[i];
        float along = way.x * p[0] + way.y * p[1] + way.z * p[2];
        best = along > most ? c->fat->skin[i] : best;
        most = supMaxF( most, along );
    }
    return best;
}

/// From no motion at all: the shape at rest under a force, as displacements of the skin in c->living.
static void supRestUnder( supFatCase* c, int32_t vertex, supVec3 force )
{
    supBody_Reset( c->body );
    supBody_SetGravity( c->body, supNoForce );
    assert_int_equal( supBody_ForceAt( c->body, vertex, force, NULL ), sup_success );
    supStepFatCase( c, supMat34_identity, 0.0f );
    supLargestFatShift( c );
    for ( int32_t v = 0; v < c->vertexCount; ++v )
    {
        c->living[v] = supSub( c->living[v], c->smooth[v] );
    }
}

/// A poke at the tip, at rest, is K^-1 f: solved here, another way, on the reference's own matrix.
static void TestStatic( void** state )
{
    (void)state;
    supSphere balls[2];
    supFatDef def = supTouchedBreasts( balls );
    supFatCase live, reference;
    supOpenFatCase( &live, "torso", &def );
    def.solver = sup_fatReference;
    supOpenFatCase( &reference, "torso", &def );
    int32_t tip = supFarthest( &live, supMakeVec3( 0.5f, 0.0f, 1.0f ) );
    supVec3 force = { 0.3f, 0.2f, -1.0f };
    supRestUnder( &live, tip, force );

    const supFat* fat = reference.fat;
    size_t count = 3 * (size_t)fat->freeCount;
    double *f = calloc( 2 * count, sizeof( double ) ), *u = f + count;
    for ( int32_t i = 0; i < fat->skinCount; ++i )
    {
        for ( int32_t k = fat->starts[i]; k < fat->starts[i + 1] && fat->skin[i] == tip; ++k )
        {
            f[3 * fat->links[k]] += (double)fat->shares[k] * force.x;
            f[3 * fat->links[k] + 1] += (double)fat->shares[k] * force.y;
            f[3 * fat->links[k] + 2] += (double)fat->shares[k] * force.z;
        }
    }
    supSolveByGradients( fat->elastic, NULL, NULL, f, u );
    float largest = 0.0f, off = 0.0f;
    for ( int32_t i = 0; i < fat->skinCount; ++i )
    {
        double sum[3] = { 0.0, 0.0, 0.0 };
        for ( int32_t k = fat->starts[i]; k < fat->starts[i + 1]; ++k )
        {
            for ( int d = 0; d < 3; ++d )
            {
                sum[d] += (double)fat->shares[k] * u[3 * fat->links[k] + d];
            }
        }
        supVec3 wanted = supMakeVec3( (float)sum[0], (float)sum[1], (float)sum[2] );
        largest = supMaxF( largest, supLength( wanted ) );
        off = supMaxF( off, supDistance( wanted, live.living[fat->skin[i]] ) );
    }
    print_message( "1 N at the tip: %.3f mm by gradients, %.5f mm off\n", 1e3 * largest, 1e3 * off );
    assert_true( largest > 0.001f );
    assert_true( off < 2e-4f * largest );
    free( f );
    supCloseFatCase( &live );
    supCloseFatCase( &reference );
}

/// What a force at a does at b, a force at b does at a (Maxwell, Betti); twice the force does twice as much.
static void TestReciprocity( void** state )
{
    (void)state;
    supSphere balls[2];
    supFatDef def = supTouchedBreasts( balls );
    supFatCase c;
    supOpenFatCase( &c, "torso", &def );
    int32_t a = supFarthest( &c, supMakeVec3( 0.5f, 0.0f, 1.0f ) ),
            b = supFarthest( &c, supMakeVec3( 0.4f, 0.6f, 1.0f ) );
    supVec3 push = { 0.0f, 0.3f, -1.0f }, pull = { 0.5f, -1.0f, 0.2f };
    assert_int_not_equal( a, b );
    supRestUnder( &c, a, push );
    float thereByPush = supDot( pull, c.living[b] ), own = supDot( push, c.living[a] );
    supRestUnder( &c, b, pull );
    float hereByPull = supDot( push, c.living[a] );
    print_message(
        "work at b of a force at a: %.6g J; at a of a force at b: %.6g J\n", (double)thereByPush, (double)hereByPull );
    assert_true( supAbsF( thereByPush - hereByPull ) < 1e-3f * supAbsF( hereByPull ) );
    assert_true( own > 0.0f );
    supRestUnder( &c, a, supScale( push, 2.0f ) );
    assert_true( supAbsF( supDot( push, c.living[a] ) - 2.0f * own ) < 1e-4f * own );
    supCloseFatCase( &c );
}

/// The nodes and the inner border take up all of a force: what the border carries grows where fat thins out.
static void TestSum( void** state )
{
    (void)state;
    supSphere balls[2];
    supFatDef def = supTouchedBreasts( balls );
    supFatCase c;
    supOpenFatCase( &c, "torso", &def );
    int32_t tip = supFarthest( &c, supMakeVec3( 0.5f, 0.0f, 1.0f ) );
    assert_int_equal( supBody_ForceAt( c.body, tip, supMakeVec3( 1.0f, 2.0f, 3.0f ), NULL ), sup_success );
    supFatPlaces at = supFatPlaces_In( c.fat, c.body->layers.layers[0].state, NULL );
    double sum[3] = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < 3 * c.fat->freeCount; ++i )
    {
        sum[i % 3] += at.forces[i];
    }
    print_message( "of (1, 2, 3) N the nodes below the tip take (%.4f, %.4f, %.4f)\n", sum[0], sum[1], sum[2] );
    assert_true( fabs( sum[0] - 1.0 ) < 0.02 && fabs( sum[1] - 2.0 ) < 0.04 && fabs( sum[2] - 3.0 ) < 0.06 );
    supCloseFatCase( &c );
}

/// A finger presses for a quarter of a second and lets go: both solvers on the way, and back to rest after it.
static void TestPoke( void** state )
{
    (void)state;
    supSphere balls[2];
    supFatDef def = supTouchedBreasts( balls );
    def.dampingRatio = 0.3f;
    def.nodes = SUP_SLOW_BUILD ? 150.0f : def.nodes;
    supFatCase live, reference;
    supOpenFatCase( &live, "torso", &def );
    def.solver = sup_fatReference;
    supOpenFatCase( &reference, "torso", &def );
    supFatCase* both[2] = { &live, &reference };
    int32_t tip = supFarthest( &live, supMakeVec3( 0.5f, 0.0f, 1.0f ) );
    float largest = 0.0f, off = 0.0f, overshoot = 0.0f;
    for ( int n = 0; n < 240; ++n )
    {
        supVec3 shift[2];
        for ( int i = 0; i < 2; ++i )
        {
            supBody_SetGravity( both[i]->body, supNoForce );
            if ( n > 0 && n <= 30 )
            {
                float press = 0.5f - 0.5f * (float)cos( 2.0 * SUP_PI * n / 30.0 );
                supVec3 force = supMakeVec3( 0.0f, 0.0f, -1.5f * press );
                assert_int_equal( supBody_ForceAt( both[i]->body, tip, force, NULL ), sup_success );
                assert_false( supBody_IsAtRest( both[i]->body ) );
            }
            supStepFatCase( both[i], supMat34_identity, n == 0 ? 0.0f : 1.0f / 120.0f );
            supLargestFatShift( both[i] );
            shift[i] = supSub( both[i]->living[tip], both[i]->smooth[tip] );
        }
        largest = supMaxF( largest, supLength( shift[1] ) );
        off = supMaxF( off, supDistance( shift[0], shift[1] ) );
        overshoot = supMaxF( overshoot, shift[1].z );
    }
    print_message( "pressed in by %.2f mm, swings out by %.2f mm; solvers within %.3f mm\n", 1e3 * largest,
        1e3 * overshoot, 1e3 * off );
    assert_true( largest > 0.002f && overshoot > 0.02f * largest );
    assert_true( off < 0.06f * largest );
    assert_true( supLargestFatShift( &live ) < 1e-3f * largest );
    supCloseFatCase( &live );
    supCloseFatCase( &reference );
}

/// The body turned, the force turned with it: the same shape. Without `touch` a wide push is answered for the most
/// part.
static void TestTurnedAndWide( void** state )
{
    (void)state;
    supSphere balls[2];
    float shifts[3];
    supMat34 world = supTurned( supMakeVec3( 0.3f, 1.0f, -0.2f ), 1.1f, supMakeVec3( 2.0f, 0.0f, 5.0f ) );
    for ( int i = 0; i < 3; ++i )
    {
        supFatDef def = supTouchedBreasts( balls );
        def.touch = i < 2;
        supFatCase c;
        supOpenFatCase( &c, "torso", &def );
        supMat34 where = i == 1 ? world : supMat34_identity;
        int32_t tip = supFarthest( &c, supMakeVec3( 0.5f, 0.0f, 1.0f ) );
        const float* rest = supCharacter_Info( c.character )->restPositions + 3 * (size_t)tip;
        supBody_SetGravity( c.body, supNoForce );
        supStepFatCase( &c, where, 0.0f );
        supVec3 point = supTransformPoint( where, supMakeVec3( rest[0], rest[1], rest[2] ) );
        supVec3 force = supTransformVector( where, supMakeVec3( 0.0f, 0.0f, -1.0f ) );
        for ( int n = 0; n < 240; ++n )
        {
            assert_int_equal( supBody_ForceAround( c.body, point, 0.08f, force, NULL ), sup_success );
            supStepFatCase( &c, where, 1.0f / 60.0f );
        }
        shifts[i] = supLargestFatShift( &c );
        supCloseFatCase( &c );
    }
    print_message( "1 N over 8 cm: %.4f mm, turned %.4f mm, by vibrations alone %.4f mm\n", 1e3 * shifts[0],
        1e3 * shifts[1], 1e3 * shifts[2] );
    assert_true( shifts[0] > 0.001f );
    assert_true( supAbsF( shifts[1] / shifts[0] - 1.0f ) < 0.001f );
    assert_true( shifts[2] > 0.7f * shifts[0] && shifts[2] < 1.01f * shifts[0] );
}

static void TestRefusals( void** state )
{
    (void)state;
    supSphere balls[2];
    supFatDef def = supTouchedBreasts( balls );
    supError error = { 0 };
    supFatCase c;
    supOpenFatCase( &c, "torso", &def );
    supBody_SetGravity( c.body, supNoForce );
    supStepFatCase( &c, supMat34_identity, 0.0f );
    int32_t tip = supFarthest( &c, supMakeVec3( 0.0f, 0.0f, 1.0f ) );
    supVec3 force = { 0.0f, 0.0f, 1.0f }, bad[3] = { { NAN, 0, 0 }, { 0, INFINITY, 0 }, { 0, 0, -INFINITY } };
    for ( int i = 0; i < 3; ++i )
    {
        assert_int_equal( supBody_ForceAt( c.body, tip, bad[i], &error ), sup_errorArgument );
        assert_int_equal( supBody_ForceAround( c.body, bad[i], 0.1f, force, &error ), sup_errorArgument );
        assert_int_equal( supBody_ForceAround( c.body, supNoForce, 0.1f, bad[i], &error ), sup_errorArgument );
    }
    assert_int_equal( supBody_ForceAt( c.body, -1, force, &error ), sup_errorArgument );
    assert_int_equal( supBody_ForceAt( c.body, c.vertexCount, force, &error ), sup_errorArgument );
    assert_non_null( strstr( error.text, "the character has" ) );
    static const float radii[4] = { 0.0f, -1.0f, NAN, INFINITY };
    for ( int i = 0; i < 4; ++i )
    {
        assert_int_equal( supBody_ForceAround( c.body, supNoForce, radii[i], force, &error ), sup_errorArgument );
    }
    assert_int_equal( supBody_ForceAround( c.body, supMakeVec3( 50, 0, 0 ), 0.1f, force, &error ), sup_errorArgument );
    assert_non_null( strstr( error.text, "no skin within" ) );
    // nothing of all that is left over
    supStepFatCase( &c, supMat34_identity, 1.0f / 60.0f );
    assert_true( supLargestFatShift( &c ) == 0.0f );
    supCloseFatCase( &c );

    supLimbDef plain = { .scale = 1.0f };
    supLimb limb = supMakeLimb( plain );
    assert_int_equal( supBody_ForceAt( limb.body, 0, force, &error ), sup_errorUnsupported );
    assert_int_equal( supBody_ForceAround( limb.body, supNoForce, 1.0f, force, &error ), sup_errorUnsupported );
    supDropLimb( &limb );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( TestStatic ),
        cmocka_unit_test( TestReciprocity ),
        cmocka_unit_test( TestSum ),
        cmocka_unit_test( TestPoke ),
        cmocka_unit_test( TestTurnedAndWide ),
        cmocka_unit_test( TestRefusals ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
