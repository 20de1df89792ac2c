// Normals of baked files, as the independent evaluator skins them, against those of the living skin: within what the
// bake says of them, in every form.
#include "support/baked_file.h"
#include "support/gltf_files.h"
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

static char sup_folder[256];

static int supSetUp( void** state )
{
    (void)state;
    supMakeTestFolder( sup_folder, sizeof( sup_folder ) );
    return 0;
}

static int supTearDown( void** state )
{
    (void)state;
    supRemoveTestFolder( sup_folder );
    return 0;
}

/// What the bake says of the normals of a clip: the largest error. Degrees
static double supSaid( const supBakedFile* baked, int32_t clip )
{
    return baked->morphs != NULL ? (double)supMorphBake_Info( baked->morphs )->errors[clip].maxNormalError
                                 : (double)supJointBake_Info( baked->joints )->clips[clip].maxNormalError;
}

/// The largest angle between a normal of the file and the living one, at one time. Degrees
static double supWorstTurn( supBakedFile* baked, int32_t clip, double time )
{
    double worst = 0.0;
    supBakedFile_Live( baked, clip, time );
    evalPose( baked->file, clip, time ); // the living clips come first
    assert_int_equal( evalNormals( baked->file, 0, baked->read ), 1 );
    for ( size_t v = 0; v < (size_t)evalGetDraw( baked->file, 0 )->vertexCount; ++v )
    {
        const float* n = baked->normals + 3 * v;
        const double* m = baked->read + 3 * v;
        double cosine = n[0] * m[0] + n[1] * m[1] + n[2] * m[2];
        worst = fmax( worst, acos( fmin( cosine, 1.0 ) ) * 180.0 / 3.14159265358979 );
    }
    return worst;
}

/// All clips of one file in one form, at times that have nothing to do with frames and keys. Gives the largest angle.
static double supJudgeNormals( const char* in, supBakedFileDef def, const char* what, int times )
{
    char out[600];
    supBakedFile baked;
    double worst = 0.0;
    snprintf( out, sizeof( out ), "%s/normals.glb", sup_folder );
    def.in = in;
    def.out = out;
    assert_true( supMakeBakedFile( &def, &baked ) );
    for ( int32_t c = 0; c < baked.clipCount; ++c )
    {
        supTakeInfo take = supTake_Info( baked.takes[c] );
        double here = 0.0, said = supSaid( &baked, c );
        for ( int i = 0; i <= times; ++i )
        {
            here = fmax( here, supWorstTurn( &baked, c, take.start + ( take.end - take.start ) * i / times ) );
        }
        print_message( "%s, %s: normals within %.2f degrees, said %.2f\n", supCharacter_Clip( baked.character, c ).name,
            what, here, said );
        assert_true( here <= 1.03 * said + 0.1 ); // between those times, and rounding near 0
        assert_true( here >= 0.5 * said );
        worst = fmax( here, worst );
    }
    supDropBakedFile( &baked );
    return worst;
}

static void supTestAsSaid( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const struct
    {
        const char* name;
        int times;
    } files[] = { { "khronos_cesiumman/glTF-Binary/CesiumMan.glb", 53 }, { "mh_human/mh_heavy.glb", 41 } };
    for ( size_t i = 0; i < ( SUP_SLOW_BUILD ? 1 : 2 ); ++i )
    {
        char in[512];
        assert_true( supTestAssetPath( files[i].name, in, sizeof( in ) ) );
        supBakedFileDef def = supDefaultBakedFileDef( NULL, NULL );
        double joints = supJudgeNormals( in, def, "four influences", files[i].times );
        def.asMorphs = true;
        // joints do not turn normals; morphs that have them do
        assert_true( supJudgeNormals( in, def, "morphs", files[i].times ) < 0.5 * joints );
        if ( i == 0 )
        {
            def.noNormals = true;
            double plain = supJudgeNormals( in, def, "morphs without normals", files[i].times );
            def.asMorphs = false;
            def.influences = 8;
            double eight = supJudgeNormals( in, def, "eight influences", files[i].times );
            assert_true( fabs( eight - plain ) <= 0.05 );
        }
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestAsSaid ) };
    return cmocka_run_group_tests( tests, supSetUp, supTearDown );
}
