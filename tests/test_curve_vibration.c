// Skin that vibrates on its curves: against a fine integration, at several frame rates, in a loop, and at rest.
#include "base/math.h"
#include "rig/layer_list.h"
#include "supple/bake.h"
#include "supple/body.h"
#include "supple/creatures.h"
#include "supple/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct supCase
{
    supCreature* creature;
    const supCharacter* character;
    supModel* model;
    supBody* body;
    supVec3 *smooth, *living;
    int32_t vertexCount;
} supCase;

static void supOpenCase( supCase* c, const char* name, const supCurvesDef* def )
{
    supError error = { 0 };
    supRig* rig;
    assert_int_equal( supCreateCreature( name, NULL, &c->creature, &error ), sup_success );
    c->character = supCreature_Character( c->creature );
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supRig_AddItem( rig, sup_layerCurves, def, &error ), sup_success );
    if ( supCompileModel( c->character, rig, &c->model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
    assert_int_equal( supCreateBody( c->model, &c->body, &error ), sup_success );
    supBody_SetExact( c->body, true );
    c->vertexCount = supCharacter_VertexCount( c->character );
    c->smooth = malloc( sizeof( supVec3 ) * (size_t)c->vertexCount );
    c->living = malloc( sizeof( supVec3 ) * (size_t)c->vertexCount );
}

static void supCloseCase( supCase* c )
{
    supDestroyBody( c->body );
    supDestroyModel( c->model );
    supDestroyCreature( c->creature );
    free( c->smooth );
    free( c->living );
}

static void supSkinCase( supCase* c )
{
    supBody_SmoothSkin( c->body, &c->smooth[0].x, NULL );
    supBody_Skin( c->body, &c->living[0].x, NULL );
}

static supMat34 supShifted( double x )
{
    supMat34 world = supMat34_identity;
    world.t.x = (float)x;
    return world;
}

/// u'' + 2 zeta omega u' + omega^2 u = -amount x'' with x = 0.02 (1 - cos 4 pi t)^2, which starts without a
/// jolt, by small steps.
static double supFineSwing( double omega, double zetaOmega, double amount, double to )
{
    double u = 0.0, v = 0.0, h = 1e-5;
    int64_t steps = (int64_t)floor( to / h + 0.5 );
    for ( int64_t i = 0; i < steps; ++i )
    {
        double t = ( (double)i + 0.5 ) * h, w = 4.0 * SUP_PI;
        double x = cos( w * t ), y = sin( w * t );
        double load = -amount * 0.04 * w * w * ( y * y + ( 1.0 - x ) * x );
        double half = v + 0.5 * h * ( load - 2.0 * zetaOmega * v - omega * omega * u );
        u += h * half;
        v += h * ( load - 2.0 * zetaOmega * half - omega * omega * ( u - 0.5 * h * half ) );
    }
    return u;
}

/// A mushroom shaken to and fro. Without bending all harmonics swing as the mean does, with very much of it the mean
/// alone is left: either way the skin's mean shift is the oscillator's by a factor, the flesh's mean thickness. Gives
/// the largest difference from that.
static double supShakenError( double rate, float bending, double* largest, double* factor )
{
    supCurvesDef def = supDefaultCurvesDef();
    def.bending = bending;
    def.limit = 10.0f;
    supCase c;
    supOpenCase( &c, "mushroom", &def );
    const supMat34* joints = supCharacter_RestJoints( c.character );
    double omega = 2.0 * SUP_PI * def.frequency, shown[8], fine[8], product = 0.0, square = 0.0;
    int32_t count = 0;
    assert_int_equal( supBody_Step( c.body, joints, supShifted( 0.0 ), 0.0f ), sup_success );
    int32_t frames = (int32_t)( 0.8 * rate );
    *largest = 0.0;
    for ( int32_t i = 1; i <= frames; ++i )
    {
        double t = i / rate;
        supBody_Step(
            c.body, joints, supShifted( 0.02 * pow( 1.0 - cos( 4.0 * SUP_PI * t ), 2.0 ) ), (float)( 1.0 / rate ) );
        if ( i % ( frames / 5 ) != 0 )
        {
            continue;
        }
        supSkinCase( &c );
        double most = 0.0;
        for ( int32_t v = 0; v < c.vertexCount; ++v )
        {
            double moved = c.living[v].x - c.smooth[v].x;
            most += moved / c.vertexCount;                               // waves around a ring cancel out
            assert_true( fabs( c.living[v].y - c.smooth[v].y ) < 1e-6 ); // along the shaking alone
        }
        shown[count] = most;
        fine[count] = supFineSwing( omega, def.dampingRatio * omega, def.amount, t );
        *largest = fmax( *largest, fabs( fine[count] ) );
        product += most * fine[count];
        square += fine[count] * fine[count];
        ++count;
    }
    *factor = product / square;
    double worst = 0.0;
    for ( int32_t i = 0; i < count; ++i )
    {
        worst = fmax( worst, fabs( shown[i] - *factor * fine[i] ) );
    }
    supCloseCase( &c );
    return worst;
}

static void supTestOscillator( void** state )
{
    (void)state;
    static const double rates[3] = { 30.0, 60.0, 240.0 }, bounds[3] = { 0.01, 0.002, 0.001 };
    for ( int32_t i = 0; i < 6; ++i )
    {
        float bending = i < 3 ? 0.0f : 1000.0f;
        double largest, factor, off = supShakenError( rates[i % 3], bending, &largest, &factor );
        print_message( "shaken mushroom at %.0f Hz: mean shift %.3f of the oscillator's, off it by %.2f%% of %.1f mm\n",
            rates[i % 3], factor, 100.0 * off / largest, 1e3 * largest );
        assert_true( largest > 0.005 );
        assert_true( factor > 0.2 && factor < 0.9 );
        assert_true( off < bounds[i % 3] * largest );
    }
}

/// At rest no bit changes; on the run everything moves within its limit; standing still it comes to rest again.
static void supTestHorseRuns( void** state )
{
    (void)state;
    supCurvesDef def = supDefaultCurvesDef();
    supCase c;
    supOpenCase( &c, "horse", &def );
    supPose* pose;
    assert_int_equal( supCreatePose( c.character, NULL, &pose, NULL ), sup_success );
    supPose_Rest( pose );
    for ( int32_t i = 0; i < 5; ++i )
    {
        supBody_Step( c.body, supPose_Joints( pose ), supMat34_identity, 1.0f / 60.0f );
    }
    supSkinCase( &c );
    assert_memory_equal( c.smooth, c.living, sizeof( supVec3 ) * (size_t)c.vertexCount );
    float largest = 0.0f;
    for ( int32_t i = 0; i < 64; ++i )
    {
        supPose_Sample( pose, 0, fmod( i / 60.0, 16.0 / 30.0 ) );
        supBody_Step( c.body, supPose_Joints( pose ), supMat34_identity, 1.0f / 60.0f );
        supSkinCase( &c );
        for ( int32_t v = 0; v < c.vertexCount; ++v )
        {
            largest = supMaxF( largest, supLength( supSub( c.living[v], c.smooth[v] ) ) );
        }
    }
    print_message( "horse on the run: skin shifts by up to %.1f mm\n", 1e3 * (double)largest );
    assert_true( largest > 0.005f && largest < 0.15f );
    for ( int32_t i = 0; i < 60 * 20; ++i )
    {
        supBody_Step( c.body, supPose_Joints( pose ), supMat34_identity, 1.0f / 60.0f );
    }
    supSkinCase( &c );
    assert_memory_equal( c.smooth, c.living, sizeof( supVec3 ) * (size_t)c.vertexCount );
    supDestroyPose( pose );
    supCloseCase( &c );
}

/// The gallop as a loop: its last frame is its first.
static void supTestLoopCloses( void** state )
{
    (void)state;
    supCurvesDef def = supDefaultCurvesDef();
    supCase c;
    supOpenCase( &c, "horse", &def );
    supTakeDef takeDef = supDefaultTakeDef();
    takeDef.model = c.model;
    takeDef.clip = 0;
    supTake* take = NULL;
    supError error = { 0 };
    if ( supCreateTake( &takeDef, &take, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supTakeInfo info = supTake_Info( take );
    supPose* pose;
    assert_int_equal( supCreatePose( c.character, NULL, &pose, NULL ), sup_success );
    supVec3* first = malloc( sizeof( supVec3 ) * (size_t)c.vertexCount );
    float seam = 0.0f, largest = 0.0f;
    supClipView view = supCharacter_Clip( c.character, 0 );
    for ( int32_t end = 0; end < 2; ++end )
    {
        double time = end == 0 ? view.start : view.end;
        supPose_Sample( pose, 0, time );
        supTake_Show( take, time, supPose_Joints( pose ), c.body );
        supSkinCase( &c );
        for ( int32_t v = 0; v < c.vertexCount; ++v )
        {
            supVec3 added = supSub( c.living[v], c.smooth[v] );
            seam = end == 1 ? supMaxF( seam, supLength( supSub( added, first[v] ) ) ) : seam;
            largest = supMaxF( largest, supLength( added ) );
            first[v] = added;
        }
    }
    print_message( "seam of the gallop %.2g of a displacement of %.2g m\n", (double)seam, (double)largest );
    assert_true( info.loops && largest > 1e-3f && seam < 1e-5f * supCharacter_Size( c.character ) );
    free( first );
    supDestroyPose( pose );
    supDestroyTake( take );
    supCloseCase( &c );
}

static void supTestItemRefusals( void** state )
{
    (void)state;
    supError error = { 0 };
    supRig* rig;
    supCreature* creature;
    supModel* model = NULL;
    supCurvesDef def = supDefaultCurvesDef();
    const char* names[1] = { "stilk" };
    def.joints = ( supNameList ){ 1, names };
    assert_int_equal( supCreateCreature( "mushroom", NULL, &creature, &error ), sup_success );
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supRig_AddItem( rig, sup_layerCurves, &def, &error ), sup_success );
    assert_int_not_equal( supCompileModel( supCreature_Character( creature ), rig, &model, &error ), sup_success );
    assert_non_null( strstr( error.text, "curves[0].joints[0]" ) );
    assert_non_null( strstr( error.text, "stalk" ) );
    assert_null( model );
    def.dampingRatio = NAN;
    assert_int_not_equal( supRig_AddItem( rig, sup_layerCurves, &def, &error ), sup_success );
    supDestroyRig( rig );
    supDestroyCreature( creature );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestOscillator ),
        cmocka_unit_test( supTestHorseRuns ),
        cmocka_unit_test( supTestLoopCloses ),
        cmocka_unit_test( supTestItemRefusals ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
