// Poses against what can be worked out by hand.
#include "support/two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double sup_pi = 3.14159265358979323846;

static supPose* supTestPose( const supCharacter* character )
{
    supPose* pose = NULL;
    supError error = { 0 };
    assert_int_equal( supCreatePose( character, NULL, &pose, &error ), sup_success );
    return pose;
}

static void supAssertNear( double value, double truth, double tolerance )
{
    if ( !( fabs( value - truth ) <= tolerance ) )
    {
        fail_msg( "%.9g is not %.9g within %g", value, truth, tolerance );
    }
}

static void supAssertVec( supVec3 v, double x, double y, double z, double tolerance )
{
    supAssertNear( v.x, x, tolerance );
    supAssertNear( v.y, y, tolerance );
    supAssertNear( v.z, z, tolerance );
}

/// At a quarter of a turn by 90 degrees a joint has turned by 22.5, and so on: the slerp's speed is even.
static void supTestSlerp( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    supCharacter* character = supTestCreate( &bones.def );
    supPose* pose = supTestPose( character );
    for ( int i = -1; i <= 5; ++i )
    {
        supPose_Sample( pose, 0, 0.25 * i );
        double share = i < 0 ? 0.0 : i > 4 ? 1.0 : 0.25 * i; // held at both ends
        double angle = 0.5 * sup_pi * share;
        supMat34 upper = supPose_Joints( pose )[2];
        supAssertVec( upper.x, cos( angle ), sin( angle ), 0.0, 1e-7 );
        supAssertVec( upper.y, -sin( angle ), cos( angle ), 0.0, 1e-7 );
        supAssertVec( upper.t, 0.0, 1.0, 0.0, 0.0 );
    }
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

/// q and -q are the same rotation: the way between them is the short one.
static void supTestShortestWay( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    for ( int i = 4; i < 8; ++i )
    {
        bones.rotations[i] = -bones.rotations[i];
    }
    supCharacter* character = supTestCreate( &bones.def );
    supPose* pose = supTestPose( character );
    supPose_Sample( pose, 0, 0.5 );
    supAssertVec( supPose_Joints( pose )[2].x, cos( 0.25 * sup_pi ), sin( 0.25 * sup_pi ), 0.0, 1e-7 );
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

/// A joint that is moved by one track; what the track says of it at each time.
typedef struct supOneTrack
{
    supJointDef joint;
    supTrackDef track;
    supClipDef clip;
    supCharacter* character;
    supPose* pose;
} supOneTrack;

static void supStartTrack( supOneTrack* one, supTrackDef track )
{
    one->joint = ( supJointDef ){ "joint", -1, supTransform_identity, NULL, NULL, false };
    one->track = track;
    one->clip = ( supClipDef ){ "clip", 1, &one->track };
    supCharacterDef def = supDefaultCharacterDef();
    def.jointCount = def.clipCount = 1;
    def.joints = &one->joint;
    def.clips = &one->clip;
    one->character = supTestCreate( &def );
    one->pose = supTestPose( one->character );
}

static supMat34 supTrackAt( supOneTrack* one, double time )
{
    supPose_Sample( one->pose, 0, time );
    return supPose_Joints( one->pose )[0];
}

static void supEndTrack( supOneTrack* one )
{
    supDestroyPose( one->pose );
    supDestroyCharacter( one->character );
}

/// Keys that do not start at 0 and are not evenly spaced: held, then straight lines, then held.
static void supTestLinear( void** state )
{
    (void)state;
    const float times[3] = { 2.0f, 2.5f, 4.0f };
    const float values[9] = { 1.0f, 0.0f, -2.0f, 3.0f, 8.0f, -2.0f, 0.0f, 8.0f, 1.0f };
    supOneTrack one;
    supStartTrack( &one, ( supTrackDef ){ 0, sup_pathTranslation, sup_interpolationLinear, 3, times, values, 3 } );
    assert_true(
        supCharacter_Clip( one.character, 0 ).start == 2.0 && supCharacter_Clip( one.character, 0 ).end == 4.0 );
    supAssertVec( supTrackAt( &one, -10.0 ).t, 1.0, 0.0, -2.0, 0.0 );
    supAssertVec( supTrackAt( &one, 2.0 ).t, 1.0, 0.0, -2.0, 0.0 );
    supAssertVec( supTrackAt( &one, 2.125 ).t, 1.5, 2.0, -2.0, 0.0 );
    supAssertVec( supTrackAt( &one, 2.5 ).t, 3.0, 8.0, -2.0, 0.0 );
    supAssertVec( supTrackAt( &one, 3.0 ).t, 2.0, 8.0, -1.0, 1e-7 );
    supAssertVec( supTrackAt( &one, 4.0 ).t, 0.0, 8.0, 1.0, 0.0 );
    supAssertVec( supTrackAt( &one, 1e9 ).t, 0.0, 8.0, 1.0, 0.0 );
    supAssertVec( supTrackAt( &one, INFINITY ).t, 0.0, 8.0, 1.0, 0.0 );
    supAssertVec( supTrackAt( &one, -INFINITY ).t, 1.0, 0.0, -2.0, 0.0 );
    supAssertVec( supTrackAt( &one, NAN ).t, 1.0, 0.0, -2.0, 0.0 );
    supEndTrack( &one );
}

static void supTestStep( void** state )
{
    (void)state;
    const float times[3] = { 0.0f, 1.0f, 2.0f };
    const float values[9] = { 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f, 9.0f };
    supOneTrack one;
    supStartTrack( &one, ( supTrackDef ){ 0, sup_pathScale, sup_interpolationStep, 3, times, values, 3 } );
    const double at[6] = { 0.0, 0.999999, 1.0, 1.5, 1.999999, 2.0 };
    const double expected[6] = { 1.0, 1.0, 4.0, 4.0, 4.0, 7.0 };
    for ( int i = 0; i < 6; ++i )
    {
        supMat34 m = supTrackAt( &one, at[i] );
        supAssertVec( m.x, expected[i], 0.0, 0.0, 0.0 );
        supAssertVec( m.y, 0.0, expected[i] + 1.0, 0.0, 0.0 );
        supAssertVec( m.z, 0.0, 0.0, expected[i] + 2.0, 0.0 );
    }
    supEndTrack( &one );
}

static double supPolynomial( int which, double t )
{
    return which == 0   ? 1.0 + t * ( -2.0 + t * ( 0.5 + t * 0.25 ) )
           : which == 1 ? t * t * t - 2.0 * t * t
                        : 3.0 - 0.5 * t * t * t;
}

static double supSlope( int which, double t )
{
    return which == 0 ? -2.0 + t * ( 1.0 + 0.75 * t ) : which == 1 ? 3.0 * t * t - 4.0 * t : -1.5 * t * t;
}

/// Between keys with the right slopes, a cubic spline is the cubic that they were taken from. The first in-tangent and
/// the last out-tangent count for nothing.
static void supTestCubic( void** state )
{
    (void)state;
    const float times[3] = { -1.0f, 0.5f, 2.5f };
    float values[27];
    for ( int k = 0; k < 3; ++k )
    {
        for ( int i = 0; i < 3; ++i )
        {
            values[9 * k + i] = k == 0 ? 1000.0f : (float)supSlope( i, times[k] );
            values[9 * k + 3 + i] = (float)supPolynomial( i, times[k] );
            values[9 * k + 6 + i] = k == 2 ? -1000.0f : (float)supSlope( i, times[k] );
        }
    }
    supOneTrack one;
    supStartTrack( &one, ( supTrackDef ){ 0, sup_pathTranslation, sup_interpolationCubic, 3, times, values, 3 } );
    for ( int i = -8; i <= 48; ++i )
    {
        double time = i / 16.0, held = fmin( fmax( time, -1.0 ), 2.5 );
        supAssertVec( supTrackAt( &one, time ).t, supPolynomial( 0, held ), supPolynomial( 1, held ),
            supPolynomial( 2, held ), 1e-6 );
    }
    supEndTrack( &one );
}

/// A rotation's cubic spline leaves the sphere and is brought back: with zero tangents, half way is the middle whatever
/// the lengths.
static void supTestCubicRotation( void** state )
{
    (void)state;
    const float times[2] = { 0.0f, 2.0f };
    const float half = 0.70710678118654752f;
    const float values[24] = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f,
        0.0f, 0.0f, half, 0.0f, half, 0.0f, 0.0f, 0.0f, 0.0f };
    supOneTrack one;
    supStartTrack( &one, ( supTrackDef ){ 0, sup_pathRotation, sup_interpolationCubic, 2, times, values, 4 } );
    for ( int i = 0; i <= 8; ++i )
    {
        double t = i / 8.0, s = t * t * ( 3.0 - 2.0 * t );
        double y = s * (double)half, w = ( 1.0 - s ) + s * (double)half;
        double angle = 2.0 * atan2( y, w );
        supMat34 m = supTrackAt( &one, 2.0 * t );
        supAssertVec( m.x, cos( angle ), 0.0, -sin( angle ), 1e-7 );
        supAssertVec( m.z, sin( angle ), 0.0, cos( angle ), 1e-7 );
    }
    supEndTrack( &one );
}

/// Keys that cancel out give some rotation, never NaN.
static void supTestNoRotation( void** state )
{
    (void)state;
    const float times[2] = { 0.0f, 1.0f };
    const float cubic[24] = { [4] = 1.0f, [16] = -1.0f };
    const float zeros[8] = { 0.0f };
    const supTrackDef tracks[2] = { { 0, sup_pathRotation, sup_interpolationCubic, 2, times, cubic, 4 },
        { 0, sup_pathRotation, sup_interpolationLinear, 2, times, zeros, 4 } };
    for ( int i = 0; i < 2; ++i )
    {
        supOneTrack one;
        supStartTrack( &one, tracks[i] );
        supMat34 m = supTrackAt( &one, 0.5 );
        supAssertVec( m.x, 1.0, 0.0, 0.0, 0.0 );
        supAssertVec( m.y, 0.0, 1.0, 0.0, 0.0 );
        supEndTrack( &one );
    }
}

/// One key is held for all time, however it is interpolated.
static void supTestOneKey( void** state )
{
    (void)state;
    const float oneTime = 3.0f;
    const float values[3] = { 1.0f, 2.0f, 3.0f };
    supOneTrack one;
    for ( int i = 0; i < 3; ++i )
    {
        float cubic[9] = { 7.0f, 7.0f, 7.0f, 1.0f, 2.0f, 3.0f, 7.0f, 7.0f, 7.0f };
        supStartTrack( &one, ( supTrackDef ){ 0, sup_pathTranslation, (supInterpolation)i, 1, &oneTime,
                                 i == sup_interpolationCubic ? cubic : values, 3 } );
        for ( int k = 0; k < 5; ++k )
        {
            supAssertVec( supTrackAt( &one, 1.0 + k ).t, 1.0, 2.0, 3.0, 0.0 );
        }
        supEndTrack( &one );
    }
}

/// Forwards, backwards, at random, and with another clip in between: the same bits.
static void supTestAnyOrder( void** state )
{
    (void)state;
    enum
    {
        keys = 100,
        samples = 500
    };
    static float times[keys], values[4 * keys];
    static supMat34 forward[samples];
    uint32_t seed = 4;
    float time = 0.0f;
    for ( int i = 0; i < keys; ++i )
    {
        seed = seed * 1664525u + 1013904223u;
        time += 0.001f + (float)( seed >> 8 ) / 16777216.0f * ( i % 10 == 0 ? 1.0f : 0.01f );
        times[i] = time;
        for ( int k = 0; k < 4; ++k )
        {
            seed = seed * 1664525u + 1013904223u;
            values[4 * i + k] = (float)( seed >> 8 ) / 8388608.0f - 1.0f;
        }
    }
    supTwoBones bones;
    supMakeTwoBones( &bones );
    const supTrackDef track = { 1, sup_pathRotation, sup_interpolationLinear, keys, times, values, 4 };
    const supClipDef clips[2] = { { "random", 1, &track }, bones.clip };
    bones.def.clips = clips;
    bones.def.clipCount = 2;
    supCharacter* character = supTestCreate( &bones.def );
    supPose* pose = supTestPose( character );
    for ( int i = 0; i < samples; ++i )
    {
        supPose_Sample( pose, 0, time * 1.1 * i / samples );
        forward[i] = supPose_Joints( pose )[2];
    }
    for ( int i = 0; i < 3 * samples; ++i )
    {
        seed = seed * 1664525u + 1013904223u;
        int at = i < samples ? samples - 1 - i : (int)( ( seed >> 8 ) % samples );
        supPose_Sample( pose, 0, time * 1.1 * at / samples );
        assert_memory_equal( &supPose_Joints( pose )[2], &forward[at], sizeof( supMat34 ) );
        if ( i % 7 == 0 )
        {
            supPose_Sample( pose, i % 2, 0.3 );
        }
    }
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

/// A clip that animates one joint leaves nothing behind when another is sampled; -1 is the file's own pose; rest is the
/// bind pose.
static void supTestUnanimated( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    bones.joints[1].rest.translation.x = 3.0f;
    bones.joints[2].rest.translation.z = 2.0f;
    supClipDef clips[2] = { bones.clip, { "still", 0, NULL } };
    bones.def.clips = clips;
    bones.def.clipCount = 2;
    supCharacter* character = supTestCreate( &bones.def );
    supPose* pose = supTestPose( character );
    for ( int clip = -1; clip < 2; ++clip )
    {
        supPose_Sample( pose, 0, 1.0 );
        supPose_Sample( pose, clip, 1.0 );
        supAssertVec( supPose_Joints( pose )[1].t, 3.0, 0.0, 0.0, 0.0 );
        supAssertVec( supPose_Joints( pose )[2].t, 3.0, 1.0, 2.0, 0.0 );
        supAssertVec( supPose_Joints( pose )[2].x, clip == 0 ? 0.0 : 1.0, clip == 0 ? 1.0 : 0.0, 0.0, 1e-7 );
    }
    supPose_Rest( pose );
    supAssertVec( supPose_Joints( pose )[2].t, 3.0, 1.0, 0.0, 0.0 );
    assert_memory_equal( supPose_Joints( pose ), supCharacter_Info( character )->restJoints, 3 * sizeof( supMat34 ) );
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

/// The last of two tracks on one thing counts; a joint that stands by a matrix keeps it, shear and all.
static void supTestWhichTrack( void** state )
{
    (void)state;
    const float times[1] = { 0.0f };
    const float first[3] = { 1.0f, 1.0f, 1.0f }, second[3] = { 2.0f, 3.0f, 4.0f };
    const supMat34 sheared = { { 1.0f, 0.0f, 0.0f }, { 0.5f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f }, { 7.0f, 8.0f, 9.0f } };
    const supJointDef joints[2] = { { "a", -1, supTransform_identity, NULL, NULL, false },
        { "b", 0, supTransform_identity, &sheared, NULL, false } };
    const supTrackDef tracks[3] = { { 0, sup_pathTranslation, sup_interpolationStep, 1, times, first, 3 },
        { 1, sup_pathTranslation, sup_interpolationStep, 1, times, first, 3 },
        { 0, sup_pathTranslation, sup_interpolationStep, 1, times, second, 3 } };
    const supClipDef clip = { "clip", 3, tracks };
    supCharacterDef def = supDefaultCharacterDef();
    def.jointCount = 2;
    def.clipCount = 1;
    def.joints = joints;
    def.clips = &clip;
    supCharacter* character = supTestCreate( &def );
    supPose* pose = supTestPose( character );
    supPose_Sample( pose, 0, 0.0 );
    supAssertVec( supPose_Joints( pose )[0].t, 2.0, 3.0, 4.0, 0.0 );
    supAssertVec( supPose_Joints( pose )[1].t, 9.0, 11.0, 13.0, 0.0 );
    supAssertVec( supPose_Joints( pose )[1].y, 0.5, 1.0, 0.0, 0.0 );
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

/// Weights go to every mesh of the joint, to each as many as it has targets; the rest keep their defaults.
static void supTestMorphWeights( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    const float* targets[3] = { bones.morph, NULL, bones.morph };
    const float defaults[3] = { 0.1f, 0.2f, 0.3f };
    supMeshDef meshes[4] = { bones.mesh, bones.mesh, bones.mesh, bones.mesh };
    for ( int i = 0; i < 4; ++i )
    {
        meshes[i].morphCount = i < 3 ? i + 1 : 2;
        meshes[i].morphPositions = targets;
        meshes[i].morphWeights = i == 1 ? NULL : defaults;
    }
    meshes[3].joint = 1; // another node
    const float values[4] = { 0.0f, 1.0f, 1.0f, 3.0f };
    const supTrackDef track = { 0, sup_pathWeights, sup_interpolationLinear, 2, bones.times, values, 2 };
    bones.clip.tracks = &track;
    bones.def.meshes = meshes;
    bones.def.meshCount = 4;
    supCharacter* character = supTestCreate( &bones.def );
    supPose* pose = supTestPose( character );
    assert_int_equal( supCharacter_Info( character )->morphWeightCount, 8 );
    supPose_Sample( pose, 0, 0.25 );
    const float expected[8] = { 0.25f, 0.25f, 1.5f, 0.25f, 1.5f, 0.3f, 0.1f, 0.2f };
    for ( int i = 0; i < 8; ++i )
    {
        supAssertNear( supPose_MorphWeights( pose )[i], expected[i], 0.0 );
    }
    assert_int_equal( supCharacter_Mesh( character, 2 ).firstMorphWeight, 3 );
    supPose_Sample( pose, -1, 0.25 );
    const float still[8] = { 0.1f, 0.0f, 0.0f, 0.1f, 0.2f, 0.3f, 0.1f, 0.2f };
    assert_memory_equal( supPose_MorphWeights( pose ), still, sizeof( still ) );
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

/// Three hundred joints in a row, each turned a little and moved: against the same sum in long double. Rounding once
/// leaves half a unit in the last place of the coordinates and of the matrix.
static void supTestLongChain( void** state )
{
    (void)state;
    enum
    {
        count = 300
    };
    static supJointDef joints[count];
    const float s = 0.0099998333f, c = 0.99995f;
    for ( int i = 0; i < count; ++i )
    {
        joints[i] = ( supJointDef ){ NULL, i - 1, { { 0.1f, 0.2f, 0.3f }, { 0.0f, 0.0f, s, c }, { 1.0f, 1.0f, 1.0f } },
            NULL, NULL, false };
    }
    supCharacterDef def = supDefaultCharacterDef();
    def.jointCount = count;
    def.joints = joints;
    supCharacter* character = supTestCreate( &def );
    supPose* pose = supTestPose( character );
    supPose_Sample( pose, -1, 0.0 );
    long double angle = 0.0L, x = 0.0L, y = 0.0L, z = 0.0L, step = 2.0L * atan2l( s, c );
    for ( int i = 0; i < count; ++i )
    {
        x += cosl( angle ) * 0.1f - sinl( angle ) * 0.2f;
        y += sinl( angle ) * 0.1f + cosl( angle ) * 0.2f;
        z += 0.3f;
        angle += step;
        supMat34 m = supPose_Joints( pose )[i];
        supAssertVec( m.t, (double)x, (double)y, (double)z, 0.51 * 1.2e-7 * fmax( 1.0, (double)z ) );
        supAssertVec( m.x, (double)cosl( angle ), (double)sinl( angle ), 0.0, 6.1e-8 );
    }
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestSlerp ), cmocka_unit_test( supTestShortestWay ),
        cmocka_unit_test( supTestLinear ), cmocka_unit_test( supTestStep ), cmocka_unit_test( supTestCubic ),
        cmocka_unit_test( supTestCubicRotation ), cmocka_unit_test( supTestNoRotation ),
        cmocka_unit_test( supTestOneKey ), cmocka_unit_test( supTestAnyOrder ), cmocka_unit_test( supTestUnanimated ),
        cmocka_unit_test( supTestWhichTrack ), cmocka_unit_test( supTestMorphWeights ),
        cmocka_unit_test( supTestLongChain ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
