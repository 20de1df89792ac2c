// Takes: exact in time, cycles that return to themselves, settled starts; against formulas and fine integration.

#include "bake/take_data.h"
#include "base/math.h"
#include "supple/lab/measures.h"
#include "support/bake_bar.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------------------------------------------
// Motions

static void supBounce( double time, double translation[3], double rotation[3], const void* user )
{
    (void)rotation;
    (void)user;
    translation[1] = 0.05 * sin( 2.0 * SUP_PI * 2.0 * time );
}

/// Walks in a circle of radius 3, facing along it: a tenth of the circle in a second, bouncing twice, leaning.
static void supCircle( double time, double translation[3], double rotation[3], const void* user )
{
    (void)user;
    double angle = 2.0 * SUP_PI / 10.0 * time;
    translation[0] = 3.0 * cos( angle );
    translation[2] = -3.0 * sin( angle );
    translation[1] = 0.05 * sin( 2.0 * SUP_PI * 2.0 * time );
    rotation[1] = angle;
}

static void supSway( double time, double translation[3], double rotation[3], const void* user )
{
    (void)translation;
    (void)user;
    rotation[2] = 0.3 * sin( 2.0 * SUP_PI * time );
    rotation[0] = 0.2 * cos( 2.0 * SUP_PI * time );
}

static void supStride( double time, double translation[3], double rotation[3], const void* user )
{
    (void)rotation;
    (void)user;
    translation[2] = 1.5 * time + 0.03 * sin( 2.0 * SUP_PI * 2.0 * time );
    translation[1] = 0.04 * cos( 2.0 * SUP_PI * 2.0 * time );
}

/// Shoots up and stops, leaning over.
static void supLeap( double time, double translation[3], double rotation[3], const void* user )
{
    (void)user;
    double t = time < 0.5 ? time / 0.5 : 1.0;
    translation[1] = 0.4 * t * t * ( 3.0 - 2.0 * t );
    rotation[2] = 1.2 * t * t * ( 3.0 - 2.0 * t );
}

static void supRise( double time, double translation[3], double rotation[3], const void* user )
{
    (void)rotation;
    (void)user;
    double t = time < 0.5 ? time / 0.5 : 1.0;
    translation[0] = 0.4 * t * t * ( 3.0 - 2.0 * t );
}

static supVec3d supElongationAt( const supTake* take, double time )
{
    supVec3 u;
    supTake_Elongations( take, time, &u );
    return supToDouble( u );
}

static double supDistanceD( supVec3d a, supVec3d b )
{
    return supLengthD( supSubD( a, b ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Truth by integration

/// The anchor's acceleration and the pull at a time.
typedef void supForcing( double time, supVec3d* acceleration, supVec3d* speed, supVec3d* pull, const void* user );

typedef struct supMotionState
{
    supVec3d u, v;
} supMotionState;

static supMotionState supRate(
    const supTakeSpring* spring, supForcing* forcing, double t, supMotionState y, const void* user )
{
    supVec3d a, x, f;
    forcing( t, &a, &x, &f, user );
    double air = spring->friction - spring->own;
    supVec3d rate = supScaleD( y.u, -spring->stiffness );
    rate = supMulAddD( rate, -spring->friction, y.v );
    rate = supMulAddD( rate, -spring->amount, a );
    rate = supMulAddD( rate, -air * spring->amount, x );
    return ( supMotionState ){ y.v, supAddD( rate, f ) };
}

static supMotionState supPlus( supMotionState y, double h, supMotionState d )
{
    return ( supMotionState ){ supMulAddD( y.u, h, d.u ), supMulAddD( y.v, h, d.v ) };
}

static supMotionState supRungeKutta( const supTakeSpring* spring, supForcing* forcing, double from, double to,
    int steps, supMotionState y, const void* user )
{
    double h = ( to - from ) / steps;
    for ( int i = 0; i < steps; ++i )
    {
        double t = from + i * h;
        supMotionState a = supRate( spring, forcing, t, y, user );
        supMotionState b = supRate( spring, forcing, t + 0.5 * h, supPlus( y, 0.5 * h, a ), user );
        supMotionState c = supRate( spring, forcing, t + 0.5 * h, supPlus( y, 0.5 * h, b ), user );
        supMotionState d = supRate( spring, forcing, t + h, supPlus( y, h, c ), user );
        y = supPlus( supPlus( supPlus( supPlus( y, h / 6.0, a ), h / 3.0, b ), h / 3.0, c ), h / 6.0, d );
    }
    return y;
}

/// The path that a take has laid, by its own nodes.
static void supPathForcing( double time, supVec3d* acceleration, supVec3d* speed, supVec3d* pull, const void* user )
{
    const supAnchorPath* path = user;
    int32_t i = supAnchorPath_Find( path, time );
    double h = path->times[i + 1] - path->times[i], q = ( time - path->times[i] ) / h;
    *acceleration = supLerpD( path->bends[i], path->bends[i + 1], q );
    *pull = supLerpD( path->pulls[i], path->pulls[i + 1], q );
    // slope: integral of the bends, with the chord's mean
    supVec3d chord = supScaleD( supSubD( path->places[i + 1], path->places[i] ), 1.0 / h );
    *speed = supMulAddD( chord, h * ( -1.0 / 3.0 + q - 0.5 * q * q ), path->bends[i] );
    *speed = supMulAddD( *speed, h * ( -1.0 / 6.0 + 0.5 * q * q ), path->bends[i + 1] );
}

/// A circle with a bounce, from its formula, for the anchor on the axis at height 0.5.
static void supCircleForcing( double time, supVec3d* acceleration, supVec3d* speed, supVec3d* pull, const void* user )
{
    (void)user;
    double w = 2.0 * SUP_PI / 10.0, b = 4.0 * SUP_PI;
    *acceleration =
        ( supVec3d ){ -3.0 * w * w * cos( w * time ), -0.05 * b * b * sin( b * time ), 3.0 * w * w * sin( w * time ) };
    *speed = ( supVec3d ){ -3.0 * w * sin( w * time ), 0.05 * b * cos( b * time ), -3.0 * w * cos( w * time ) };
    *pull = ( supVec3d ){ 0.0, 0.0, 0.0 };
}

// ---------------------------------------------------------------------------------------------------------------
// Cycles

/// u'' + 2 zeta omega u' + omega^2 u = A w^2 a sin(w t) has one motion that repeats.
static void test_bounce_in_its_steady_state( void** state )
{
    (void)state;
    static supBar bar;
    supInitBar( &bar );
    bar.root = supBounce;
    bar.element.frequency = 3.5f;
    bar.element.dampingRatio = 0.15f;
    bar.element.amount = 0.8f;
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopAuto, sup_endsFree );
    supTakeInfo info = supTake_Info( take );
    assert_true( info.loops );
    assert_true( info.poseGap < 1e-6f );

    double w = 4.0 * SUP_PI, omega = take->swings[0].spring.stiffness;
    double real = omega - w * w, imaginary = take->swings[0].spring.friction * w;
    double force = take->swings[0].spring.amount * w * w * 0.05;
    double norm = real * real + imaginary * imaginary, amplitude = force / sqrt( norm );
    double worst = 0.0;
    for ( int i = 0; i <= 1000; ++i )
    {
        double t = i / 1000.0;
        double y = force * ( real * sin( w * t ) - imaginary * cos( w * t ) ) / norm;
        supVec3d shown = supShowElongation( &take->swings[0].spring, ( supVec3d ){ 0.0, y, 0.0 }, NULL );
        worst = fmax( worst, supDistanceD( supElongationAt( take, t ), shown ) );
    }
    print_message( "bounce: within %.2e of the amplitude %.4f\n", worst / amplitude, amplitude );
    assert_true( worst < 1e-3 * amplitude );
    assert_true( info.seam <= 1e-7f );
    supDestroyTake( take );
    supFreeBar( &bar );
}

static void test_cycle_with_root_motion_and_turn( void** state )
{
    (void)state;
    static supBar bar;
    supInitBar( &bar );
    bar.root = supCircle;
    bar.element.airFriction = 0.5f;
    bar.element.frequency = 2.7f;
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopAuto, sup_endsFree );
    supTakeInfo info = supTake_Info( take );
    float size = supCharacter_Info( bar.character )->size;
    assert_true( info.loops );
    assert_true( info.poseGap < 1e-5f * size );
    assert_true( info.seam <= 1e-5f * size );
    // twenty cycles of the circle itself, begun settled, then one more to compare with
    supMotionState y = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    y = supRungeKutta( &take->swings[0].spring, supCircleForcing, -20.0, 0.0, 40000, y, NULL );
    double worst = 0.0, largest = 0.0;
    for ( int i = 0; i < 100; ++i )
    {
        double t = i / 100.0;
        supVec3d shown = supShowElongation( &take->swings[0].spring, y.u, NULL );
        largest = fmax( largest, supLengthD( shown ) );
        worst = fmax( worst, supDistanceD( supElongationAt( take, t ), shown ) );
        y = supRungeKutta( &take->swings[0].spring, supCircleForcing, t, t + 0.01, 20, y, NULL );
    }
    print_message( "turning cycle: within %.2e of the largest %.4f, seam %.1e of the size\n", worst / largest, largest,
        info.seam / size );
    assert_true( worst < 2e-3 * largest );
    supDestroyTake( take );
    supFreeBar( &bar );
}

/// Shoots up by itself and stops: less root motion its pose closes, but it is no cycle.
static void test_slide_and_stop_is_no_cycle( void** state )
{
    (void)state;
    static supBar bar;
    supInitBar( &bar );
    bar.root = supRise;
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopAuto, sup_endsFree );
    assert_false( supTake_Info( take ).loops );
    assert_true( supTake_Info( take ).poseGap < 1e-5f );
    supDestroyTake( take );
    supFreeBar( &bar );
}

/// The pull of gravity turns with the body, sways with the trunk, and closes as well.
static void test_cycles_close( void** state )
{
    (void)state;
    supBarMotion* const roots[3] = { supBounce, supStride, supCircle };
    for ( int i = 0; i < 6; ++i )
    {
        static supBar bar;
        supInitBar( &bar );
        bar.root = roots[i % 3];
        bar.trunk = supSway;
        bar.interpolation = i < 3 ? sup_interpolationLinear : sup_interpolationStep;
        bar.fps = i < 3 ? 30.0 : 20.0;
        bar.start = 0.25;
        bar.end = 1.25;
        supBuildBar( &bar );
        supTake* take = supBarTake( &bar, sup_loopAuto, sup_endsFree );
        supTakeInfo info = supTake_Info( take );
        float size = supCharacter_Info( bar.character )->size;
        assert_true( info.loops );
        assert_true( info.seam <= 1e-6f * size );
        assert_true( info.maxDisplacement > 1e-3f * size );
        // the speed closes too
        const supMat34d* turn = &take->root.motion;
        supVec3d first, last;
        supTakeSwingState( take, 0, info.start, &first );
        supTakeSwingState( take, 0, info.end, &last );
        assert_true( supDistanceD( supTransformVectorD( *turn, first ), last ) <= 1e-6 * supLengthD( first ) );
        supDestroyTake( take );
        supFreeBar( &bar );
    }
}

static void supDrift( double time, double translation[3], double rotation[3], const void* user )
{
    (void)user;
    supBounce( time, translation, rotation, user );
    rotation[2] = 0.02 * time; // does not close, by 2% of the size
}

static void test_pose_that_does_not_close( void** state )
{
    (void)state;
    static supBar bar;
    supInitBar( &bar );
    bar.trunk = supDrift;
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopAuto, sup_endsFree );
    assert_false( supTake_Info( take ).loops );
    supDestroyTake( take );
    take = supBarTake( &bar, sup_loopOn, sup_endsFree );
    supTakeInfo info = supTake_Info( take );
    assert_true( info.loops );
    assert_true( info.poseGap > 1e-2f );
    assert_true( info.seam <= 1e-6f );
    supDestroyTake( take );
    supFreeBar( &bar );

    supInitBar( &bar );
    bar.trunk = supDrift;
    bar.clipName = "Fox|WalkCycle";
    supBuildBar( &bar );
    take = supBarTake( &bar, sup_loopAuto, sup_endsFree );
    assert_true( supTake_Info( take ).loops );
    supDestroyTake( take );
    take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    assert_false( supTake_Info( take ).loops );
    supDestroyTake( take );
    supFreeBar( &bar );
}

/// The paper's limit is not linear: iterated.
static void test_clamped_cycle( void** state )
{
    (void)state;
    static supBar bar;
    supInitBar( &bar );
    bar.root = supBounce;
    bar.element.frequency = 2.2f;
    bar.element.limit = sup_limitClamp;
    bar.element.limitScale = 0.2f;
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopAuto, sup_endsFree );
    supTakeInfo info = supTake_Info( take );
    assert_true( info.loops );
    assert_true( info.limited > 0 );
    assert_true( info.seam <= 1e-5f * supCharacter_Info( bar.character )->size );
    for ( int i = 0; i <= 500; ++i )
    {
        assert_true(
            supLengthD( supElongationAt( take, i / 500.0 ) ) <= take->swings[0].spring.limit * ( 1.0 + 1e-6 ) );
    }
    supDestroyTake( take );
    supFreeBar( &bar );
}

static void test_names_of_cycles( void** state )
{
    (void)state;
    static const char* const yes[] = { "walk", "Run", "FoxRun_01", "idle2", "Armature|Walking", "swim loop", "RUN",
        "Flying", "trot.001", "walkcycle" };
    static const char* const no[] = { "", "jump", "trunk", "jog_stop", "WalkToRun", "start walk", "Rune", "attack" };
    for ( size_t i = 0; i < sizeof( yes ) / sizeof( yes[0] ); ++i )
    {
        assert_true( supNameSaysLoop( yes[i] ) );
    }
    for ( size_t i = 0; i < sizeof( no ) / sizeof( no[0] ); ++i )
    {
        assert_false( supNameSaysLoop( no[i] ) );
    }
    static const char* const once[] = { "jump", "Jump_toIdle", "Gallop_Jump", "Idle_HitReact_Left", "Death",
        "Punch_Left", "CharacterArmature|Gun_Shoot", "attack01", "Kicking", "HitRecieve_2", "Roll" };
    static const char* const either[] = { "", "walk", "Run_Shoot", "Idle_Gun_Shoot", "jump loop", "Wave", "Whitening",
        "Eating", "Troll" };
    for ( size_t i = 0; i < sizeof( once ) / sizeof( once[0] ); ++i )
    {
        assert_true( supNameSaysOnce( once[i] ) );
    }
    for ( size_t i = 0; i < sizeof( either ) / sizeof( either[0] ); ++i )
    {
        assert_false( supNameSaysOnce( either[i] ) );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Time

/// At any time what a fine integration along the same path gives: no frames are involved.
static void test_exact_at_any_time( void** state )
{
    (void)state;
    static supBar bar;
    supInitBar( &bar );
    bar.root = supLeap;
    bar.trunk = supSway;
    bar.end = 0.9;
    bar.fps = 24.0;
    bar.element.airFriction = 1.0f;
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    const supAnchorPath* path = &take->swings[0].path;
    supMotionState y = { supScaleD( path->pulls[0], 1.0 / take->swings[0].spring.stiffness ), { 0.0, 0.0, 0.0 } };
    double worst = 0.0, largest = 0.0, worstSpeed = 0.0, fastest = 0.0;
    for ( int i = 0; i < 90; ++i )
    {
        double t = i / 100.0;
        supVec3d speed = y.v, shown = supShowElongation( &take->swings[0].spring, y.u, &speed );
        supVec3 asked;
        supTake_Speeds( take, t, &asked );
        largest = fmax( largest, supLengthD( shown ) );
        fastest = fmax( fastest, supLengthD( speed ) );
        worst = fmax( worst, supDistanceD( supElongationAt( take, t ), shown ) );
        worstSpeed = fmax( worstSpeed, supDistanceD( supToDouble( asked ), speed ) );
        y = supRungeKutta( &take->swings[0].spring, supPathForcing, t, t + 0.01, 400, y, path );
    }
    print_message( "any time: within %.2e, speeds within %.2e\n", worst / largest, worstSpeed / fastest );
    assert_true( largest > 0.01 );
    assert_true( worst < 1e-6 * largest );
    assert_true( worstSpeed < 1e-6 * fastest );
    // held outside
    assert_true(
        supDistanceD( supElongationAt( take, 99.0 ), supElongationAt( take, supTake_Info( take ).end ) ) == 0.0 );
    supDestroyTake( take );
    supFreeBar( &bar );
}

/// The live body, stepped at 1000 Hz through cycle after cycle of the same clip, comes to move alike. (With keys at 60
/// a second the two differ by 1.2%: a player goes straight from key to key, the take smoothly.)
static void test_live_body_agrees( void** state )
{
    (void)state;
    static supBar bar;
    supInitBar( &bar );
    bar.root = supBounce;
    bar.trunk = supSway;
    bar.fps = 240.0;
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopAuto, sup_endsFree );
    supBody* body;
    supPose* pose;
    assert_int_equal( supCreateBody( bar.model, &body, NULL ), sup_success );
    assert_int_equal( supCreatePose( bar.character, NULL, &pose, NULL ), sup_success );
    double worst = 0.0, largest = 0.0;
    for ( int i = 0; i < 6000; ++i )
    {
        double t = i % 1000 / 1000.0;
        supPose_Sample( pose, 0, t );
        assert_int_equal( supBody_Step( body, supPose_Joints( pose ), supMat34_identity, 0.001f ), sup_success );
        supVec3d live = supToDouble( supBody_Element( body, 0 ).elongation );
        if ( i >= 5000 )
        {
            largest = fmax( largest, supLengthD( live ) );
            worst = fmax( worst, supDistanceD( supElongationAt( take, t ), live ) );
        }
    }
    print_message( "live at 1000 Hz: within %.2e of the largest %.4f\n", worst / largest, largest );
    assert_true( worst < 0.01 * largest );
    supDestroyPose( pose );
    supDestroyBody( body );
    supDestroyTake( take );
    supFreeBar( &bar );
}

/// The anchor glides over a STEP key's interval: no blows, so nearly what a smooth clip of the same keys gives.
static void test_step_clips_glide( void** state )
{
    (void)state;
    static supBar bar;
    supInitBar( &bar );
    bar.root = supBounce;
    supBuildBar( &bar );
    supTake* smooth = supBarTake( &bar, sup_loopAuto, sup_endsFree );
    static supBar stepped;
    supInitBar( &stepped );
    stepped.root = supBounce;
    stepped.fps = 12.0;
    stepped.interpolation = sup_interpolationStep;
    supBuildBar( &stepped );
    supTake* steps = supBarTake( &stepped, sup_loopAuto, sup_endsFree );
    assert_int_equal( supTake_Info( steps ).nodeCount, 13 );
    double worst = 0.0, largest = 0.0;
    for ( int i = 0; i <= 200; ++i )
    {
        supVec3d u = supElongationAt( smooth, i / 200.0 );
        largest = fmax( largest, supLengthD( u ) );
        worst = fmax( worst, supDistanceD( supElongationAt( steps, i / 200.0 ), u ) );
    }
    print_message( "STEP at 12 keys a second: within %.2e\n", worst / largest );
    assert_true( worst < 0.1 * largest );
    supDestroyTake( smooth );
    supDestroyTake( steps );
    supFreeBar( &bar );
    supFreeBar( &stepped );
}

static void test_other_clips_begin_settled( void** state )
{
    (void)state;
    static supBar bar;
    supInitBar( &bar );
    bar.root = supStride; // fast from the first frame: no kick
    bar.element.gravity = sup_gravityPlain;
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    supVec3 speed;
    supTake_Speeds( take, 0.0, &speed );
    supVec3d u = supElongationAt( take, 0.0 );
    supElementView element = supModel_Info( bar.model )->elements[0];
    assert_true( fabs( u.y + element.sag * element.thickness ) < 1e-5 );
    assert_true( supLength( speed ) < 1e-6f );
    assert_true( supDistanceD( supElongationAt( take, 0.01 ), u ) < 1e-3 );
    supDestroyTake( take );
    supFreeBar( &bar );
}

static void test_ends_at_rest( void** state )
{
    (void)state;
    static supBar bar;
    supInitBar( &bar );
    bar.root = supLeap;
    bar.element.dampingRatio = 0.02f;
    supBuildBar( &bar );
    supTake* loose = supBarTake( &bar, sup_loopOff, sup_endsFree );
    supTake* rest = supBarTake( &bar, sup_loopOff, sup_endsRest );
    supVec3d settled =
        supScaleD( rest->swings[0].path.pulls[rest->swings[0].path.count - 1], 1.0 / rest->swings[0].spring.stiffness );
    settled = supShowElongation( &rest->swings[0].spring, settled, NULL );
    assert_true( supDistanceD( supElongationAt( loose, 1.0 ), settled ) > 1e-3 );
    assert_true( supDistanceD( supElongationAt( rest, 1.0 ), settled ) < 1e-7 );
    assert_true( supDistanceD( supElongationAt( rest, 0.4 ), supElongationAt( loose, 0.4 ) ) < 1e-9 );
    supVec3d fastest = { 0.0, 0.0, 0.0 };
    supTakeSwingState( rest, 0, 1.0, &fastest );
    assert_true( supLengthD( fastest ) < 1e-6 );
    // speeds are the slopes of what is shown
    for ( int i = 1; i < 100; ++i )
    {
        double t = i / 100.0 + 0.003, h = 1e-5;
        supVec3d speed, a = supTakeSwingState( rest, 0, t - h, NULL ), b = supTakeSwingState( rest, 0, t + h, NULL );
        supTakeSwingState( rest, 0, t, &speed );
        assert_true( supDistanceD( supScaleD( supSubD( b, a ), 0.5 / h ), speed ) < 1e-5 );
    }
    supDestroyTake( loose );
    supDestroyTake( rest );
    supFreeBar( &bar );
}

static void test_the_same_at_every_scale( void** state )
{
    (void)state;
    static const double scales[3] = { 1.0, 0.01, 100.0 };
    static supVec3d shares[3][101];
    for ( int s = 0; s < 3; ++s )
    {
        static supBar bar;
        supInitBar( &bar );
        bar.scale = scales[s];
        bar.root = supCircle;
        bar.trunk = supSway;
        supBuildBar( &bar );
        supTake* take = supBarTake( &bar, sup_loopAuto, sup_endsFree );
        assert_true( supTake_Info( take ).loops );
        for ( int i = 0; i <= 100; ++i )
        {
            shares[s][i] =
                supScaleD( supElongationAt( take, i / 100.0 ), 1.0 / supCharacter_Info( bar.character )->size );
            assert_true( supDistanceD( shares[s][i], shares[0][i] ) < 1e-5 );
        }
        supDestroyTake( take );
        supFreeBar( &bar );
    }
    assert_true( supLengthD( shares[0][30] ) > 1e-3 );
}

static void test_what_is_refused( void** state )
{
    (void)state;
    static supBar bar;
    supInitBar( &bar );
    bar.root = supBounce;
    supBuildBar( &bar );
    supTake* take;
    supError error = { 0 };
    supTakeDef def = { 0 };
    assert_int_equal( supCreateTake( &def, &take, &error ), sup_errorArgument );
    def = supDefaultTakeDef();
    def.model = bar.model;
    def.clip = 1;
    assert_int_equal( supCreateTake( &def, &take, &error ), sup_errorArgument );
    assert_non_null( strstr( error.text, "clip 1" ) );
    supElementTuning tuning = { .frequency = -1.0f };
    def.clip = 0;
    def.tunings = &tuning;
    assert_int_equal( supCreateTake( &def, &take, &error ), sup_errorArgument );
    assert_non_null( strstr( error.text, "frequency" ) );
    assert_null( take );
    supFreeBar( &bar );
}

/// One key: a pose. It stands there, settled.
static void test_clip_of_one_key( void** state )
{
    (void)state;
    static supBar bar;
    supInitBar( &bar );
    bar.trunk = supLeap;
    bar.start = bar.end = 0.5;
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopOn, sup_endsRest );
    assert_false( supTake_Info( take ).loops );
    assert_true( supLengthD( supElongationAt( take, 0.5 ) ) > 1e-3 );
    assert_true( supDistanceD( supElongationAt( take, 0.5 ), supElongationAt( take, 7.0 ) ) == 0.0 );
    supDestroyTake( take );
    supFreeBar( &bar );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( test_bounce_in_its_steady_state ),
        cmocka_unit_test( test_cycle_with_root_motion_and_turn ),
        cmocka_unit_test( test_slide_and_stop_is_no_cycle ),
        cmocka_unit_test( test_cycles_close ),
        cmocka_unit_test( test_pose_that_does_not_close ),
        cmocka_unit_test( test_clamped_cycle ),
        cmocka_unit_test( test_names_of_cycles ),
        cmocka_unit_test( test_exact_at_any_time ),
        cmocka_unit_test( test_live_body_agrees ),
        cmocka_unit_test( test_step_clips_glide ),
        cmocka_unit_test( test_other_clips_begin_settled ),
        cmocka_unit_test( test_ends_at_rest ),
        cmocka_unit_test( test_the_same_at_every_scale ),
        cmocka_unit_test( test_what_is_refused ),
        cmocka_unit_test( test_clip_of_one_key ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
