// Motion from other files: BVH as text, and on the heavy man against the clips of the same motions in his file.
#include "base/math.h"
#include "supple/io.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

static const supLog sup_silence = { NULL, NULL };

#define SUP_HEAD                                                                                                        \
    "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n" \
    " JOINT Chest\n {\n  OFFSET 0 2 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 1 0\n  }\n }\n}\n"

/// The path of an asset; leaves the test as skipped where there are none.
static void supAsset( const char* name, char* path, size_t size )
{
    SUP_SKIP_WITHOUT_ASSETS();
    assert_true( supTestAssetPath( name, path, size ) );
}

static supResult supRead( const char* text, supCharacter** out, supError* error )
{
    return supReadBvhMemory( text, strlen( text ), "m.bvh", sup_silence, out, error );
}

static void supTestReading( void** state )
{
    (void)state;
    supCharacter* motion;
    supError error = { 0 };
    const char* text = SUP_HEAD "MOTION\nFrames: 2\nFrame Time: 0.5\n1 2 3 90 0 0 0 90 0\n1 2 3 0 0 0 0 0 0\n";
    assert_int_equal( supRead( text, &motion, &error ), sup_success );
    assert_int_equal( supCharacter_Info( motion )->jointCount, 2 );
    assert_string_equal( supCharacter_Joint( motion, 1 )->name, "Chest" );
    assert_int_equal( supCharacter_Joint( motion, 1 )->parent, 0 );
    assert_string_equal( supCharacter_Clip( motion, 0 ).name, "m" );
    assert_true( supCharacter_Clip( motion, 0 ).end == 0.5 );
    supPose* pose;
    assert_int_equal( supCreatePose( motion, NULL, &pose, NULL ), sup_success );
    supPose_Sample( pose, 0, 0.0 );
    // the hips turn by a quarter about z: the chest, two above, is two to the left; its own quarter about x then takes
    // z to -y, seen from the hips
    supMat34 chest = supPose_Joints( pose )[1];
    assert_true( fabsf( chest.t.x + 1.0f ) < 1e-5f && fabsf( chest.t.y - 2.0f ) < 1e-5f );
    assert_true( fabsf( chest.t.z - 3.0f ) < 1e-5f );
    assert_true( fabsf( chest.z.x - 1.0f ) < 1e-5f && fabsf( chest.y.z - 1.0f ) < 1e-5f );
    supDestroyPose( pose );
    supDestroyCharacter( motion );
}

static void supTestStartPose( void** state )
{
    (void)state;
    supCharacter* motion;
    const char* text =
        SUP_HEAD "MOTION\nFrames: 4\nFrame Time: 0.01\n0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 80 0\n0 0 0 0 0 0 0 81 0\n0 "
                 "0 0 0 0 0 0 82 0\n";
    assert_int_equal( supRead( text, &motion, NULL ), sup_success );
    assert_true( fabs( supCharacter_Clip( motion, 0 ).end - 0.02 ) < 1e-6 );
    supDestroyCharacter( motion );
}

static void supTestRefusals( void** state )
{
    (void)state;
    static const struct
    {
        const char* text;
        const char* words;
    } cases[] = {
        { "", "m.bvh: is not BVH: it does not begin with HIERARCHY" },
        { "glTF and more", "m.bvh: is not BVH: it does not begin with HIERARCHY" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0", "m.bvh:4: cut off: a number is expected here" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}", "m.bvh:5: cut off: there is no MOTION" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 x 0\n}", "m.bvh:4: a number is expected here, not 'x'" },
        { "HIERARCHY\nROOT a\n{\nCHANNELS 7", "m.bvh:4: a joint has CHANNELS once, and at most 6" },
        { "HIERARCHY\nROOT a\n{\nCHANNELS 1 Wrotation",
            "m.bvh:4: 'Wrotation' is no channel: Xposition to Zposition and Xrotation to Zrotation are" },
        { SUP_HEAD "MOTION\nFrames: 0\nFrame Time: 0.5\n", "m.bvh:18: 0 frames of 0.5 seconds are no motion" },
        { SUP_HEAD "MOTION\nFrames: 5\nFrame Time: 0\n", "m.bvh:18: 5 frames of 0 seconds are no motion" },
        { SUP_HEAD "MOTION\nFrames: 900000\nFrame Time: 0.5\n1 2 3",
            "m.bvh:18: cut off: 900000 frames of 9 numbers do not fit in what follows" },
        { SUP_HEAD "MOTION\nFrames: 1\nFrame Time: 0.5\n1 2 3 90 0 0 0",
            "m.bvh:19: cut off: a number is expected here" },
        { SUP_HEAD "MOTION\nFrames: 1\nFrame Time: 0.5\n1 2 3 90 0 0 0 nan 0\n",
            "m.bvh:19: a number is expected here, not 'nan'" },
    };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        supCharacter* motion;
        supError error = { 0 };
        assert_int_not_equal( supRead( cases[i].text, &motion, &error ), sup_success );
        assert_null( motion );
        assert_string_equal( error.text, cases[i].words );
    }
}

/// The largest distance of any joint over the keys of the file's own clip, as a share of his height.
static double supLargestGap( const supCharacter* character, const char* own, const char* other )
{
    supVec3 lower, upper;
    supPose *a, *b;
    int32_t first = supCharacter_FindClip( character, own ), second = supCharacter_FindClip( character, other );
    assert_true( first >= 0 && second >= 0 );
    lower = supCharacter_Info( character )->lower;
    upper = supCharacter_Info( character )->upper;
    assert_int_equal( supCreatePose( character, NULL, &a, NULL ), sup_success );
    assert_int_equal( supCreatePose( character, NULL, &b, NULL ), sup_success );
    supTrackDef track = supCharacter_Clip( character, first ).tracks[0];
    double worst = 0.0;
    for ( int32_t k = 0; k < track.keyCount; ++k )
    {
        supPose_Sample( a, first, (double)track.times[k] );
        supPose_Sample( b, second, (double)track.times[k] );
        for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
        {
            supVec3 p = supPose_Joints( a )[j].t, q = supPose_Joints( b )[j].t;
            double gap = sqrt( pow( p.x - q.x, 2.0 ) + pow( p.y - q.y, 2.0 ) + pow( p.z - q.z, 2.0 ) );
            worst = gap > worst ? gap : worst;
        }
    }
    supDestroyPose( a );
    supDestroyPose( b );
    return worst / (double)( upper.y - lower.y );
}

static void supTestHeavyMan( void** state )
{
    (void)state;
    static const char* const pairs[][2] = { { "run", "09_01" }, { "jump", "16_01" }, { "forward_jump", "13_11" },
        { "jog_stop", "16_57" }, { "walk", "02_01" } };
    supError error = { 0 };
    for ( size_t i = 0; i < 5; ++i )
    {
        char name[64], path[1024];
        snprintf( name, sizeof( name ), "bvh_cmu/%s.bvh", pairs[i][1] );
        supAsset( name, path, sizeof( path ) );
        supCharacter *motion, *character;
        supGltf* document;
        char heavy[1024];
        supAsset( "mh_human/mh_heavy.glb", heavy, sizeof( heavy ) );
        assert_int_equal( supLoadMotion( path, sup_silence, &motion, &error ), sup_success );
        assert_int_equal( supOpenGltf( heavy, sup_silence, &document, &error ), sup_success );
        assert_int_equal( supGltf_Character( document, NULL, &character, &error ), sup_success );
        supGltfMotionOptions options = supDefaultGltfMotionOptions();
        supMotionReport report;
        assert_int_equal(
            supGltf_AddMotion( document, character, motion, path, &options, &report, &error ), sup_success );
        assert_int_equal( report.clips, 1 );
        assert_int_equal( report.matched, 29 );
        assert_string_equal( report.unmatchedNames, "\"LeftHandIndex1\", \"RightHandIndex1\"" );
        supDestroyCharacter( character );
        assert_int_equal( supGltf_Character( document, NULL, &character, &error ), sup_success );
        double gap = supLargestGap( character, pairs[i][0], pairs[i][1] );
        print_message( "%s as %s: joints within %.3f%% of his height\n", pairs[i][1], pairs[i][0], 100.0 * gap );
        assert_true( gap < 0.01 );
        supDestroyCharacter( character );
        supDestroyCharacter( motion );
        supCloseGltf( document );
    }
}

/// On his own skeleton the clips of his own file arrive as they are, and get names of their own.
static void supTestSameSkeleton( void** state )
{
    (void)state;
    char heavy[1024];
    supAsset( "mh_human/mh_heavy.glb", heavy, sizeof( heavy ) );
    supCharacter *motion, *character;
    supGltf* document;
    supError error = { 0 };
    assert_int_equal( supLoadMotion( heavy, sup_silence, &motion, &error ), sup_success );
    assert_int_equal( supOpenGltf( heavy, sup_silence, &document, &error ), sup_success );
    supGltfMotionOptions options = supDefaultGltfMotionOptions();
    supMotionReport report;
    assert_int_equal( supGltf_AddMotion( document, motion, motion, heavy, &options, &report, &error ), sup_success );
    assert_int_equal( report.clips, 5 );
    assert_int_equal( report.unmatched, 0 );
    assert_int_equal( supGltf_Character( document, NULL, &character, &error ), sup_success );
    assert_true( supLargestGap( character, "walk", "walk 2" ) == 0.0 );
    assert_true( supLargestGap( character, "walk", "run 2" ) > 0.01 );
    supDestroyCharacter( character );
    supDestroyCharacter( motion );
    supCloseGltf( document );
}

/// How far any joint is from its parent over a clip, beyond how far it is at rest, as a share of the size; `path`: how
/// far the first joint that hangs on nothing else travels.
static double supLargestTear( const supCharacter* character, const char* name, double* path )
{
    int32_t clip = supCharacter_FindClip( character, name );
    assert_true( clip >= 0 );
    const supCharacterInfo* info = supCharacter_Info( character );
    supClipView view = supCharacter_Clip( character, clip );
    supPose* pose;
    assert_int_equal( supCreatePose( character, NULL, &pose, NULL ), sup_success );
    double worst = 0.0;
    *path = 0.0;
    for ( int32_t k = 0; k <= 40; ++k )
    {
        supPose_Sample( pose, clip, view.start + ( view.end - view.start ) * k / 40.0 );
        const supMat34* joints = supPose_Joints( pose );
        for ( int32_t j = 0; j < info->jointCount; ++j )
        {
            int32_t parent = supCharacter_Joint( character, j )->parent;
            if ( supCharacter_Joint( character, j )->isSkinJoint == false )
            {
                continue;
            }
            *path = fmax( *path, (double)supDistance( joints[j].t, info->restJoints[j].t ) );
            if ( parent >= 0 && supCharacter_Joint( character, parent )->isSkinJoint )
            {
                double rest = (double)supDistance( info->restJoints[j].t, info->restJoints[parent].t );
                worst = fmax( worst, fabs( (double)supDistance( joints[j].t, joints[parent].t ) - rest ) );
            }
        }
    }
    supDestroyPose( pose );
    *path /= (double)info->size;
    return worst / (double)info->size;
}

/// A motion that has hardly a name in common with the body tears nothing off it, and goes no farther than it is large.
static void supTestFewNames( void** state )
{
    (void)state;
    static const char* const names[] = { "Head", "LeftArm", "Hips" };
    char heavy[1024];
    supAsset( "mh_human/mh_heavy.glb", heavy, sizeof( heavy ) );
    for ( size_t i = 0; i < 3; ++i )
    {
        char text[1024];
        snprintf( text, sizeof( text ),
            "HIERARCHY\nROOT Base\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation "
            "Xrotation\n JOINT %s\n {\n  OFFSET 0 60 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n"
            "   OFFSET 0 10 0\n  }\n }\n}\nMOTION\nFrames: 3\nFrame Time: 0.5\n0 90 0 0 0 0 0 0 0\n"
            "20 95 10 0 30 0 20 0 0\n40 90 60 0 0 0 0 10 0\n",
            names[i] );
        supCharacter *motion, *character;
        supGltf* document;
        supError error = { 0 };
        supMotionReport report;
        supGltfMotionOptions options = supDefaultGltfMotionOptions();
        assert_int_equal( supRead( text, &motion, &error ), sup_success );
        assert_int_equal( supOpenGltf( heavy, sup_silence, &document, &error ), sup_success );
        assert_int_equal( supGltf_Character( document, NULL, &character, &error ), sup_success );
        assert_int_equal(
            supGltf_AddMotion( document, character, motion, "m.bvh", &options, &report, &error ), sup_success );
        assert_int_equal( report.matched, 1 );
        supDestroyCharacter( character );
        assert_int_equal( supGltf_Character( document, NULL, &character, &error ), sup_success );
        double path, tear = supLargestTear( character, "m", &path );
        print_message( "%s: torn by %.4f of the size, travels %.2f of it\n", names[i], tear, path );
        assert_true( tear < 1e-4 && path < 2.0 && ( path > 0.3 || i < 2 ) );
        supDestroyCharacter( character );
        supDestroyCharacter( motion );
        supCloseGltf( document );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestReading ),
        cmocka_unit_test( supTestStartPose ),
        cmocka_unit_test( supTestRefusals ),
        cmocka_unit_test( supTestHeavyMan ),
        cmocka_unit_test( supTestSameSkeleton ),
        cmocka_unit_test( supTestFewNames ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
