// Modes: further springs that shift or turn an element, against what a damped oscillator does.

#include "base/math.h"
#include "rig/layer_list.h"
#include "supple/bake.h"
#include "supple/lab/items.h"
#include "supple/lab/states.h"
#include "support/bake_bar.h"
#include "support/limb.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct supCase
{
    supCharacter* character;
    supModel* model;
    supBody* body;
    supElementView element;
    supVec3 smooth[SUP_LIMB_VERTICES], living[SUP_LIMB_VERTICES];
} supCase;

static supModeDef supModeOf( supModeMotion motion, supModePattern pattern )
{
    supModeDef def = supDefaultModeDef();
    def.element = "flesh";
    def.motion = motion;
    def.pattern = pattern;
    def.frequency = 3.5f;
    def.dampingRatio = 0.15f;
    def.limit = 10.0f;
    def.limitAngle = 3.0f;
    return def;
}

/// The limb with one mode, its own flesh switched off.
static void supBuildCase( supCase* made, float scale, const supModeDef* mode )
{
    supRig* rig = NULL;
    supError error = { 0 };
    made->character = supMakeLimbCharacter( scale, false );
    supElementDef element = supLimbElement();
    element.amount = 0.0f;
    element.sag = 0.0f;
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &element, &error ), sup_success );
    assert_int_equal( supRig_AddItem( rig, sup_layerModes, mode, &error ), sup_success );
    if ( supCompileModel( made->character, rig, &made->model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
    assert_int_equal( supCreateBody( made->model, &made->body, &error ), sup_success );
    supBody_SetExact( made->body, true );
    made->element = supModel_Info( made->model )->elements[0];
}

static void supFreeCase( supCase* made )
{
    supDestroyBody( made->body );
    supDestroyModel( made->model );
    supDestroyCharacter( made->character );
}

static void supStepCase( supCase* made, supMat34 world, float dt )
{
    const supMat34* joints = supCharacter_Info( made->character )->restJoints;
    assert_int_equal( supBody_Step( made->body, joints, world, dt ), sup_success );
}

static void supSkinCase( supCase* made )
{
    supBody_SmoothSkin( made->body, &made->smooth[0].x, NULL );
    supBody_Skin( made->body, &made->living[0].x, NULL );
}

/// What the modes add to the vertex of an element's list.
static supVec3 supAdded( supCase* made, int32_t at )
{
    supSkinCase( made );
    int32_t v = made->element.vertices[at];
    return supSub( made->living[v], made->smooth[v] );
}

static int32_t supHeaviest( const supCase* made )
{
    int32_t best = 0;
    for ( int32_t i = 0; i < made->element.vertexCount; ++i )
    {
        best = made->element.weights[i] > made->element.weights[best] ? i : best;
    }
    return best;
}

static supMat34 supTurnedBy( double angle )
{
    return supMatFromQuat( supQuatFromAxisAngle( supMakeVec3( 0.0f, 1.0f, 0.0f ), (float)angle ) );
}

/// A 2 Hz drive of a spring of 3.5 Hz and 0.15: amplitude for one unit of drive, and phase.
static void supResponseOf( double* gain, double* phase )
{
    double drive = 4.0 * SUP_PI, omega = 7.0 * SUP_PI;
    double real = omega * omega - drive * drive, imaginary = 2.0 * 0.15 * omega * drive;
    *gain = drive * drive / sqrt( real * real + imaginary * imaginary );
    *phase = atan2( imaginary, real );
}

/// The largest difference from the steady swing, as a share of it. Shifted to and fro by 5 cm, or turned about the bone
/// by 0.2 rad.
static double supDrivenError( supModeMotion motion, double rate )
{
    supModeDef mode = supModeOf( motion, sup_patternEven );
    supCase made;
    supBuildCase( &made, 1.0f, &mode );
    int32_t at = supHeaviest( &made );
    double weight = made.element.weights[at], gain, phase, worst = 0.0, size = 0.0;
    supResponseOf( &gain, &phase );
    const float* p = supCharacter_Info( made.character )->restPositions + 3 * made.element.vertices[at];
    supVec3 middle = made.element.localFrame.t, arm = supSub( supMakeVec3( p[0], p[1], p[2] ), middle );
    for ( int n = 0; n < (int)( 6.0 * rate ); ++n )
    {
        double time = n / rate, drive = sin( 4.0 * SUP_PI * time ), steady = gain * sin( 4.0 * SUP_PI * time - phase );
        supMat34 world =
            motion == sup_modeTurn ? supTurnedBy( 0.2 * drive ) : supMoved( (float)( 0.05 * drive ), 0.0f, 0.0f );
        supStepCase( &made, world, (float)( 1.0 / rate ) );
        if ( time > 5.0 )
        {
            supVec3 truth = { (float)( weight * 0.05 * steady ), 0.0f, 0.0f };
            if ( motion == sup_modeTurn )
            {
                supVec3 turned = supTransformVector( supTurnedBy( 0.2 * steady ), arm );
                truth = supScale( supSub( turned, arm ), (float)weight );
            }
            worst = fmax( worst, supDistance( supAdded( &made, at ), truth ) );
            size = fmax( size, supLength( truth ) );
        }
    }
    supFreeCase( &made );
    return worst / size;
}

static void supTestModeRates( void** state )
{
    (void)state;
    const double rates[] = { 24.0, 30.0, 60.0, 144.0, 1000.0 };
    for ( size_t i = 0; i < sizeof( rates ) / sizeof( rates[0] ); ++i )
    {
        double shift = supDrivenError( sup_modeShift, rates[i] ), turn = supDrivenError( sup_modeTurn, rates[i] );
        print_message(
            "2 Hz at %g Hz: shift within %.4f%%, turn within %.4f%%\n", rates[i], 100.0 * shift, 100.0 * turn );
        assert_true( shift < 0.01 && turn < 0.01 );
    }
}

/// Ends that swing against one another: a shift of the whole limb does not excite them, a tilt does, and they move
/// apart.
static void supTestPattern( void** state )
{
    (void)state;
    supModeDef mode = supModeOf( sup_modeShift, sup_patternAlong );
    supCase made;
    supBuildCase( &made, 1.0f, &mode );
    double shifted = 0.0, tilted = 0.0, apart = 0.0;
    for ( int n = 0; n < 120; ++n )
    {
        supStepCase(
            &made, supMoved( 0.1f * (float)sin( 0.2 * n ), 0.05f * (float)sin( 0.3 * n ), 0.0f ), 1.0f / 60.0f );
        for ( int32_t i = 0; i < made.element.vertexCount; i += 17 )
        {
            shifted = fmax( shifted, supLength( supAdded( &made, i ) ) );
        }
    }
    for ( int n = 0; n < 60; ++n )
    {
        supQuat turn = supQuatFromAxisAngle( supMakeVec3( 0.0f, 0.0f, 1.0f ), 0.4f * (float)sin( 0.2 * n ) );
        supStepCase( &made, supMatFromQuat( turn ), 1.0f / 60.0f );
        for ( int32_t i = 0; i < made.element.vertexCount; i += 17 )
        {
            supVec3 own = supAdded( &made, i ), other = supAdded( &made, made.element.vertexCount - 1 - i );
            tilted = fmax( tilted, supLength( own ) );
            apart = fmin( apart, supDot( own, other ) );
        }
    }
    print_message( "ends against one another: shifts excite %.2g m, tilts %.2g m\n", shifted, tilted );
    assert_true( shifted < 1e-5 && tilted > 1e-3 && apart < 0.0 );
    supFreeCase( &made );
}

/// After it stops, it comes to rest, to the bit; and a jump of a kilometre gives no kick.
static void supTestRestAndTeleport( void** state )
{
    (void)state;
    for ( int motion = 0; motion < 2; ++motion )
    {
        supModeDef mode = supModeOf( (supModeMotion)motion, sup_patternEven );
        supCase made;
        supBuildCase( &made, 1.0f, &mode );
        int32_t at = supHeaviest( &made );
        for ( int n = 0; n < 30; ++n )
        {
            supMat34 world = supTurnedBy( 0.0005 * n * n );
            world.t = supMakeVec3( 0.0005f * (float)( n * n ), 0.0f, 0.0f );
            supStepCase( &made, world, 1.0f / 60.0f );
        }
        supVec3 before = supAdded( &made, at );
        assert_true( supLength( before ) > 1e-4f );
        supMat34 here = supTurnedBy( 0.0005 * 29.0 * 29.0 ), there = here;
        here.t = supMakeVec3( 0.0005f * 29.0f * 29.0f, 0.0f, 0.0f );
        there.t = supMakeVec3( 1000.0f, 0.0f, 0.0f );
        supBody_Teleport( made.body, here, there );
        supStepCase( &made, there, 0.0f );
        assert_true( supDistance( supAdded( &made, at ), before ) < 1e-3f * supLength( before ) );
        for ( int n = 0; n < 2000 && !supBody_IsAtRest( made.body ); ++n )
        {
            supStepCase( &made, there, 1.0f / 60.0f );
        }
        assert_true( supBody_IsAtRest( made.body ) );
        supVec3 after = supAdded( &made, at );
        assert_true( after.x == 0.0f && after.y == 0.0f && after.z == 0.0f );
        supFreeCase( &made );
    }
}

/// Nonsense in, finite and within the limit out.
static void supTestModeExtremes( void** state )
{
    (void)state;
    for ( int motion = 0; motion < 2; ++motion )
    {
        supModeDef mode = supModeOf( (supModeMotion)motion, sup_patternEven );
        mode.limit = 0.25f;
        mode.limitAngle = 0.3f;
        supCase made;
        supBuildCase( &made, 1.0f, &mode );
        int32_t at = supHeaviest( &made );
        const float times[] = { 0.0f, 5.0f, 1e-6f, 0.016f };
        for ( int n = 0; n < 400; ++n )
        {
            supMat34 world = supTurnedBy( 2.9 * sin( 12.9898 * n ) );
            world.t = supMakeVec3( 0.8f * (float)sin( 78.233 * n ), 0.7f * (float)cos( 3.1 * n * n ), 0.0f );
            supStepCase( &made, world, times[n % 4] );
            float most = motion == sup_modeTurn ? 0.3f * 0.2f : 0.25f * made.element.thickness;
            float own = supLength( supAdded( &made, at ) );
            assert_true( own <= most * 1.0001f );
        }
        supFreeCase( &made );
    }
}

/// The same motion at every scale of the model.
static void supTestModeScales( void** state )
{
    (void)state;
    supModeDef mode = supModeOf( sup_modeShift, sup_patternEven );
    mode.limit = 0.25f;
    const float scales[3] = { 1.0f, 0.01f, 100.0f };
    supVec3 added[3];
    for ( int k = 0; k < 3; ++k )
    {
        supCase made;
        supBuildCase( &made, scales[k], &mode );
        for ( int n = 0; n < 40; ++n )
        {
            supStepCase( &made, supMoved( 0.05f * scales[k] * (float)sin( 0.3 * n ), 0.0f, 0.0f ), 1.0f / 60.0f );
        }
        added[k] = supScale( supAdded( &made, supHeaviest( &made ) ), 1.0f / scales[k] );
        supFreeCase( &made );
    }
    assert_true( supLength( added[0] ) > 1e-3f );
    assert_true( supDistance( added[0], added[1] ) < 1e-5f && supDistance( added[0], added[2] ) < 1e-5f );
}

// ---------------------------------------------------------------------------------------------------------------
// Along a clip

static void supSway( double time, double translation[3], double rotation[3], const void* user )
{
    (void)user;
    translation[0] = 0.1 * supSin( 2.0 * SUP_PI * time );
    rotation[1] = 0.3 * supSin( 2.0 * SUP_PI * time ) + 0.1 * supSin( 4.0 * SUP_PI * time );
}

/// While it walks on, and turns a little with every cycle.
static void supSwayOn( double time, double translation[3], double rotation[3], const void* user )
{
    supSway( time, translation, rotation, user );
    translation[2] += time;
    rotation[1] += 0.5 * time;
}

/// The bar with one turning mode, its own flesh switched off.
static void supBuildModeBar( supBar* bar, supBarMotion* motion )
{
    supInitBar( bar );
    bar->root = motion;
    bar->clipName = "walk";
    bar->fps = 960.0; // so that straight lines between keys, which the walk feels, are the motion itself
    bar->element.amount = 0.0f;
    supBuildBar( bar );
    supDestroyModel( bar->model );
    supRig* rig = NULL;
    supError error = { 0 };
    supModeDef mode = supModeOf( sup_modeTurn, sup_patternEven );
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &bar->element, &error ), sup_success );
    assert_int_equal( supRig_AddItem( rig, sup_layerModes, &mode, &error ), sup_success );
    assert_int_equal( supCompileModel( bar->character, rig, &bar->model, &error ), sup_success );
    supDestroyRig( rig );
}

/// A cycle closes, in place and with root motion and turn: all along it is what a body shows that has walked it for a
/// long time.
static void supTestModeLoops( void** state )
{
    (void)state;
    supBarMotion* const motions[2] = { supSway, supSwayOn };
    for ( int m = 0; m < 2; ++m )
    {
        supBar bar;
        supBuildModeBar( &bar, motions[m] );
        supTake* take = supBarTake( &bar, sup_loopOn, sup_endsFree );
        supBody* body = NULL;
        supPose* pose = NULL;
        assert_int_equal( supCreateBody( bar.model, &body, NULL ), sup_success );
        assert_int_equal( supCreatePose( bar.character, NULL, &pose, NULL ), sup_success );
        static supVec3 walked[SUP_BAR_MOMENTS][SUP_BAR_VERTICES];
        supWalkBar( &bar, walked );
        supVec3 living[SUP_BAR_VERTICES], smooth[SUP_BAR_VERTICES];
        float largest = 0.0f, worst = 0.0f;
        supBody_SetExact( body, true );
        for ( int k = 1; k <= 16; ++k )
        {
            supPose_Sample( pose, 0, k / 16.0 );
            assert_int_equal( supTake_Show( take, k / 16.0, supPose_Joints( pose ), body ), sup_success );
            supBody_Skin( body, &living[0].x, NULL );
            supBody_SmoothSkin( body, &smooth[0].x, NULL );
            for ( int v = 0; v < SUP_BAR_VERTICES; ++v )
            {
                largest = fmaxf( largest, supDistance( living[v], smooth[v] ) );
                worst = fmaxf( worst, supDistance( living[v], walked[k - 1][v] ) );
            }
        }
        supTakeInfo info = supTake_Info( take );
        print_message(
            "a turning cycle: within %.2g m of a long walk, moves %.2g m\n", (double)worst, (double)largest );
        assert_true( info.loops && info.layerRounds == 0 && largest > 1e-3f && worst < 1e-3f * largest );
        supDestroyPose( pose );
        supDestroyBody( body );
        supDestroyTake( take );
        supFreeBar( &bar );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Edits of a body that runs

/// Moves on at 3 m/s and turns at 1 rad/s, so that both kinds of modes have a speed.
static supMat34 supSteadyWorld( int n )
{
    supMat34 world = supTurnedBy( n / 60.0 );
    world.t.x = (float)( 3.0 * n / 60.0 );
    return world;
}

static float supLargestAdded( supCase* made )
{
    float largest = 0.0f;
    supSkinCase( made );
    for ( int32_t i = 0; i < made->element.vertexCount; ++i )
    {
        int32_t v = made->element.vertices[i];
        largest = fmaxf( largest, supDistance( made->living[v], made->smooth[v] ) );
    }
    return largest;
}

/// Another amount keeps u': under steady motion nothing is there to see, and none of it comes from the edit.
static void supTestAmountEdit( void** state )
{
    (void)state;
    for ( int motion = 0; motion < 2; ++motion )
    {
        supModeDef mode = supModeOf( (supModeMotion)motion, sup_patternEven );
        supCase made;
        supBuildCase( &made, 1.0f, &mode );
        float before = 0.0f, after = 0.0f;
        for ( int n = 0; n < 360; ++n )
        {
            if ( n == 240 )
            {
                assert_int_equal( supBody_SetField( made.body, sup_layerModes, 0, "amount", 0.5f, NULL ), sup_success );
            }
            bool shifts = motion != sup_modeTurn;
            supStepCase( &made, shifts ? supMoved( 0.05f * (float)n, 0.0f, 0.0f ) : supSteadyWorld( n ), 1.0f / 60.0f );
            before = n > 200 && n < 240 ? fmaxf( before, supLargestAdded( &made ) ) : before;
            after = n >= 240 ? fmaxf( after, supLargestAdded( &made ) ) : after;
        }
        print_message(
            "amount 1 to 0.5 at a steady speed: %.2g m before, %.2g m after\n", (double)before, (double)after );
        assert_true( before < 1e-4f && after < 1e-4f );
        supFreeCase( &made );
    }
}

/// A mode that the new rig has and the old had not moves as one that was always there; one with another pattern, or a
/// new one, is not thrown by a body that stands, nor by one that moves steadily.
static void supTestModeAdopts( void** state )
{
    (void)state;
    static const supModePattern patterns[2] = { sup_patternEven, sup_patternAlong };
    for ( int k = 0; k < 8; ++k )
    {
        bool isNew = k % 2 == 1, moves = k / 2 % 2 == 1;
        supModeDef old = supModeOf( (supModeMotion)( k / 4 ), patterns[0] ), next = old;
        old.name = "old";
        next.name = isNew ? "new" : "old";
        next.pattern = patterns[isNew ? 0 : 1];
        supCase a, b;
        supBuildCase( &a, 1.0f, &old );
        supBuildCase( &b, 1.0f, &next );
        for ( int n = 0; n < 240; ++n )
        {
            supStepCase( &a, moves ? supSteadyWorld( n ) : supMat34_identity, 1.0f / 60.0f );
        }
        supBody_Adopt( b.body, a.body );
        float steady = supLargestAdded( &a ), thrown = 0.0f, shaken = 0.0f;
        for ( int n = 240; n < 300; ++n )
        {
            supStepCase( &b, moves ? supSteadyWorld( n ) : supMat34_identity, n % 2 ? 1.0f / 60.0f : 1.0f / 61.0f );
            thrown = fmaxf( thrown, supLargestAdded( &b ) );
        }
        for ( int n = 0; n < 30; ++n )
        {
            supMat34 world = moves ? supSteadyWorld( 299 ) : supMat34_identity;
            supVec3 axis = supNormalize( supMakeVec3( 1.0f, 1.0f, 1.0f ) ); // patterns hear of turns about one of them
            supMat34 shake = supMatFromQuat( supQuatFromAxisAngle( axis, 0.3f * (float)sin( 0.3 * n ) ) );
            shake.t.x = 0.05f * (float)sin( 0.3 * n );
            supStepCase( &b, supMulMat( world, shake ), 1.0f / 60.0f );
            shaken = fmaxf( shaken, supLargestAdded( &b ) );
        }
        print_message( "%s mode that %s, body %s: %.2g m before, %.2g m after, %.2g m when shaken\n",
            isNew ? "a new" : "a changed", k / 4 == sup_modeTurn ? "turns" : "shifts", moves ? "moves" : "stands",
            (double)steady, (double)thrown, (double)shaken );
        assert_true( thrown < ( moves ? 2.0f * steady + 2e-3f : 1e-5f ) && shaken > 1e-3f );
        supFreeCase( &a );
        supFreeCase( &b );
    }
}

static void supTestModeRefusals( void** state )
{
    (void)state;
    supCharacter* character = supMakeLimbCharacter( 1.0f, false );
    supElementDef element = supLimbElement();
    supModeDef mode = supModeOf( sup_modeTurn, sup_patternEven );
    mode.element = "flash";
    supRig* rig = NULL;
    supModel* model = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &element, &error ), sup_success );
    assert_int_equal( supRig_AddItem( rig, sup_layerModes, &mode, &error ), sup_success );
    assert_int_not_equal( supCompileModel( character, rig, &model, &error ), sup_success );
    assert_string_equal( error.text, "modes[0].element: no element \"flash\"; did you mean \"flesh\"?" );
    mode.frequency = -1.0f;
    assert_int_not_equal( supRig_AddItem( rig, sup_layerModes, &mode, &error ), sup_success );
    assert_non_null( strstr( error.text, "modes[1].frequency" ) );
    supDestroyRig( rig );
    supDestroyCharacter( character );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestModeRates ),
        cmocka_unit_test( supTestPattern ),
        cmocka_unit_test( supTestRestAndTeleport ),
        cmocka_unit_test( supTestModeExtremes ),
        cmocka_unit_test( supTestModeScales ),
        cmocka_unit_test( supTestModeLoops ),
        cmocka_unit_test( supTestAmountEdit ),
        cmocka_unit_test( supTestModeAdopts ),
        cmocka_unit_test( supTestModeRefusals ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
