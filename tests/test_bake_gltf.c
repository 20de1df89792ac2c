// Baked files as others see them: the independent evaluator plays them, the take says where the flesh should be.
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

/// Bakes an asset into the test's folder. False: skipped.
static bool supBakeAsset( const char* asset, supBakedFileDef def, supBakedFile* baked )
{
    static char in[512], out[512];
    if ( supTestAssetPath( asset, in, sizeof( in ) ) == false )
    {
        return false;
    }
    snprintf( out, sizeof( out ), "%s/%s", sup_folder, def.out != NULL ? def.out : "baked.glb" );
    def.in = in;
    def.out = out;
    if ( supMakeBakedFile( &def, baked ) == false )
    {
        fail_msg( "%s: nothing found that carries flesh", asset );
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Exact

/// Eight influences: at the keys to rounding, between them within the tolerance of 5e-4.
static void supTestExact( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const struct
    {
        const char* name;
        int32_t stride;
        supKeyForm keys;
    } files[] = {
        { "khronos_fox/glTF-Binary/Fox.glb", 1, sup_keysLinear },
        { "khronos_fox/glTF-Binary/Fox.glb", 1, sup_keysCubic },
        { "mh_human/mh_heavy.glb", 7, sup_keysLinear },
        { "mh_human/mh_heavy.glb", 29, sup_keysCubic },
        { "quaternius/Horse.glb", 17, sup_keysLinear },
        { "quaternius/Cow.glb", 17, sup_keysLinear },
        { "quaternius/Character.glb", 29, sup_keysLinear },
        { "khronos_cesiumman/glTF-Binary/CesiumMan.glb", 1, sup_keysLinear },
        { "khronos_cesiumman/glTF/CesiumMan.gltf", 3, sup_keysCubic },
    };
    for ( size_t i = 0; i < sizeof( files ) / sizeof( files[0] ); ++i )
    {
        supBakedFile baked;
        supBakedFileDef def = supDefaultBakedFileDef( NULL, NULL );
        def.keys = files[i].keys;
        if ( supBakeAsset( files[i].name, def, &baked ) )
        {
            supBakeErrors errors = supBakedFile_Judge( &baked, 4, files[i].stride );
            print_message( "%s, %s: %.2g of the size at the keys, %.2g between\n", files[i].name,
                files[i].keys == sup_keysCubic ? "cubic" : "linear", errors.atKeys, errors.between );
            assert_true( errors.atKeys <= 1e-5 );
            assert_true( errors.between <= 5e-4 );
            supDropBakedFile( &baked );
        }
    }
}

typedef struct supCowTrip
{
    int count;
} supCowTrip;

static void supVisitCow( const char* path, void* user )
{
    supCowTrip* trip = user;
    char out[512];
    snprintf( out, sizeof( out ), "%s/cow%d.%s", sup_folder, trip->count, trip->count % 3 == 2 ? "gltf" : "glb" );
    supBakedFileDef def = supDefaultBakedFileDef( path, out );
    supBakedFile baked;
    assert_true( supMakeBakedFile( &def, &baked ) );
    supBakeErrors errors = supBakedFile_Judge( &baked, 4, 23 );
    print_message( "%s: %.2g at the keys, %.2g between\n", strrchr( path, '/' ) + 1, errors.atKeys, errors.between );
    assert_true( errors.atKeys <= 1e-5 );
    assert_true( errors.between <= 5e-4 );
    supDropBakedFile( &baked );
    trip->count += 1;
}

/// One cow in every way that glTF can hold it: quantized, compressed, sparse, morphing, shown twice, …
static void supTestCows( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char folder[512];
    snprintf( folder, sizeof( folder ), "%s/odd_cow", supTestAssets() );
    supCowTrip trip = { 0 };
    supForEachGltf( folder, supVisitCow, &trip );
    assert_true( trip.count >= 10 );
}

// ---------------------------------------------------------------------------------------------------------------
// Four influences

/// The largest difference of the error from one end of an edge to the other. Shares of the size
static double supEdgeJump( supBakedFile* baked )
{
    double largest = 0.0;
    for ( int32_t m = 0; m < supCharacter_Info( baked->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( baked->character, m );
        for ( int32_t i = 0; i < mesh.indexCount; ++i )
        {
            size_t a = 3 * ( (size_t)mesh.firstVertex + mesh.indices[i] );
            size_t b = 3 * ( (size_t)mesh.firstVertex + mesh.indices[i % 3 == 2 ? i - 2 : i + 1] );
            double sum = 0.0;
            for ( size_t c = 0; c < 3; ++c )
            {
                double errorA = baked->read[a + c] - (double)baked->positions[a + c];
                double errorB = baked->read[b + c] - (double)baked->positions[b + c];
                sum += ( errorA - errorB ) * ( errorA - errorB );
            }
            largest = fmax( largest, sqrt( sum ) / baked->size );
        }
    }
    return largest;
}

/// What refitting costs on the heavy man, whose vertices have four influences before any flesh.
static void supTestFourInfluences( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const char* const files[] = { "mh_human/mh_heavy.glb", "mh_human/mh_heavy_8inf.glb" };
    for ( size_t f = 0; f < 2; ++f )
    {
        supBakedFile baked;
        supBakedFileDef def = supDefaultBakedFileDef( NULL, NULL );
        def.influences = 4;
        if ( supBakeAsset( files[f], def, &baked ) == false )
        {
            continue;
        }
        supBakeErrors errors = supBakedFile_Judge( &baked, 4, 11 );
        double jump = 0.0;
        for ( int32_t i = 0; i < baked.clipCount; ++i )
        {
            supBakedClip clip = supJointBake_Info( baked.joints )->clips[i];
            for ( int32_t k = 0; k < clip.keyCount; k += 5 )
            {
                supBakedFile_Live( &baked, clip.clip, (double)clip.times[k] );
                supBakedFile_Read( &baked, baked.file, clip.clip, (double)clip.times[k], baked.read );
                jump = fmax( jump, supEdgeJump( &baked ) );
            }
        }
        print_message( "%s: %.2g of the size at the keys, %.2g between, %.2g along an edge; said: %.2g, %.2g\n",
            files[f], errors.atKeys, errors.between, jump,
            (double)supJointBake_Info( baked.joints )->refitError / baked.size,
            (double)supJointBake_Info( baked.joints )->refitEdgeJump / baked.size );
        assert_true( errors.atKeys <= 2e-3 );
        assert_true( errors.between <= 2e-3 );
        assert_true( jump <= 1e-3 );
        supDropBakedFile( &baked );
    }
}

/// The rigs in examples/, as they would be used.
static void supTestExamples( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const char* const pairs[][2] = { { "khronos_fox/glTF-Binary/Fox.glb", "examples/fox.rig.json" },
        { "mh_human/mh_heavy.glb", "examples/heavy_man.rig.json" },
        { "quaternius/Horse.glb", "examples/horse.rig.json" } };
    for ( size_t i = 0; i < 3; ++i )
    {
        supError error = { 0 };
        supRig* rig = NULL;
        if ( supReadRig( pairs[i][1], NULL, NULL, &rig, &error ) != sup_success )
        {
            fail_msg( "%s", error.text );
        }
        supBakedFile baked;
        supBakedFileDef def = supDefaultBakedFileDef( NULL, NULL );
        def.influences = 4;
        def.rig = rig;
        assert_true( supBakeAsset( pairs[i][0], def, &baked ) );
        supBakeErrors errors = supBakedFile_Judge( &baked, 4, 37 );
        float largest = 0.0f;
        for ( int32_t c = 0; c < baked.clipCount; ++c )
        {
            largest = fmaxf( largest, supTake_Info( baked.takes[c] ).maxDisplacement );
        }
        print_message( "%s: %.2g at the keys, %.2g between; moves by up to %.2g of the size\n", pairs[i][1],
            errors.atKeys, errors.between, (double)largest / baked.size );
        assert_true( errors.atKeys <= 2e-3 && errors.between <= 2e-3 );
        assert_true( (double)largest >= 5e-3 * baked.size && (double)largest <= 5e-2 * baked.size );
        supDropBakedFile( &baked );
        supDestroyRig( rig );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Clips

static evalFile* supEvalAsset( const char* asset )
{
    char path[512], message[256];
    assert_true( supTestAssetPath( asset, path, sizeof( path ) ) );
    evalFile* file = evalLoad( path, message, sizeof( message ) );
    assert_non_null( file );
    return file;
}

static double supLargestDifference( const double* a, const double* b, size_t count )
{
    double largest = 0.0;
    for ( size_t v = 0; v < count; ++v )
    {
        double x = a[3 * v] - b[3 * v], y = a[3 * v + 1] - b[3 * v + 1], z = a[3 * v + 2] - b[3 * v + 2];
        largest = fmax( largest, sqrt( x * x + y * y + z * z ) );
    }
    return largest;
}

/// Where a cycle ends the flesh is as where it began: the living skin less the smooth one, both as files give them.
static void supTestSeams( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const char* const files[] = { "khronos_fox/glTF-Binary/Fox.glb", "quaternius/Horse.glb",
        "quaternius/Character.glb" };
    for ( size_t f = 0; f < 3; ++f )
    {
        supBakedFile baked;
        assert_true( supBakeAsset( files[f], supDefaultBakedFileDef( NULL, NULL ), &baked ) );
        evalFile* before = supEvalAsset( files[f] );
        size_t count = (size_t)supCharacter_Info( baked.character )->vertexCount;
        double* flesh[2] = { calloc( 3 * count, sizeof( double ) ), calloc( 3 * count, sizeof( double ) ) };
        int32_t loops = 0;
        for ( int32_t c = 0; c < baked.clipCount; ++c )
        {
            supTakeInfo take = supTake_Info( baked.takes[c] );
            if ( take.loops == false || (double)take.poseGap > 1e-3 * baked.size )
            {
                continue; // where the pose does not close, the flesh meets in another pose
            }
            for ( int end = 0; end < 2; ++end )
            {
                double time = end == 0 ? take.start : take.end;
                supBakedFile_Read( &baked, before, c, time, baked.read );
                supBakedFile_Read( &baked, baked.file, c, time, flesh[end] );
                for ( size_t i = 0; i < 3 * count; ++i )
                {
                    flesh[end][i] -= baked.read[i];
                }
            }
            double seam = supLargestDifference( flesh[0], flesh[1], count ) / baked.size;
            print_message(
                "%s: %s: seam %.2g of the size\n", files[f], supCharacter_Clip( baked.character, c ).name, seam );
            assert_true( seam <= 1e-5 );
            loops += 1;
        }
        assert_true( loops > 0 );
        free( flesh[0] );
        free( flesh[1] );
        evalFree( before );
        supDropBakedFile( &baked );
    }
}

/// "NAME (smooth)" and rest are the character as it came; the living clip is not.
static void supTestOriginals( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    const char* asset = "khronos_fox/glTF-Binary/Fox.glb";
    supBakedFile baked;
    assert_true( supBakeAsset( asset, supDefaultBakedFileDef( NULL, NULL ), &baked ) );
    evalFile* before = supEvalAsset( asset );
    size_t count = (size_t)supCharacter_Info( baked.character )->vertexCount;
    double* other = calloc( 3 * count, sizeof( double ) );
    assert_int_equal( evalGetInfo( baked.file ).clipCount, 2 * baked.clipCount );
    for ( int32_t c = -1; c < baked.clipCount; ++c )
    {
        const char* name = c < 0 ? "" : supCharacter_Clip( baked.character, c ).name;
        char smooth[128];
        snprintf( smooth, sizeof( smooth ), "%s (smooth)", name );
        int found = c < 0 ? -1 : evalFindClip( baked.file, smooth );
        assert_true( c < 0 || found >= 0 );
        double living = 0.0;
        for ( int i = 0; i <= 10; ++i )
        {
            supTakeInfo take = c < 0 ? ( supTakeInfo ){ 0 } : supTake_Info( baked.takes[c] );
            double time = take.start + ( take.end - take.start ) * i / 10.0;
            supBakedFile_Read( &baked, before, c, time, baked.read );
            supBakedFile_Read( &baked, baked.file, found, time, other );
            assert_true( supLargestDifference( baked.read, other, count ) <= 1e-6 * baked.size );
            supBakedFile_Read( &baked, baked.file, c, time, other );
            living = fmax( living, supLargestDifference( baked.read, other, count ) );
        }
        assert_true( c < 0 || living > 1e-5 * baked.size );
    }
    free( other );
    evalFree( before );
    supDropBakedFile( &baked );
}

// ---------------------------------------------------------------------------------------------------------------
// Rates

/// Bakes at any rate agree where both have a key: no frames were involved.
static void supTestRates( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    const float rates[] = { 30.0f, 24.0f, 60.0f, 120.0f };
    supBakedFile baked[4];
    for ( int i = 0; i < 4; ++i )
    {
        supBakedFileDef def = supDefaultBakedFileDef( NULL, NULL );
        def.fps = rates[i];
        assert_true( supBakeAsset( "mh_human/mh_heavy.glb", def, baked + i ) );
    }
    size_t count = (size_t)supCharacter_Info( baked[0].character )->vertexCount;
    double* other = calloc( 3 * count, sizeof( double ) );
    for ( int32_t c = 0; c < baked[0].clipCount; ++c )
    {
        supBakedClip first = supJointBake_Info( baked[0].joints )->clips[c];
        double largest = (double)supTake_Info( baked[0].takes[c] ).maxDisplacement;
        for ( int i = 1; i < 4; ++i )
        {
            supBakedClip second = supJointBake_Info( baked[i].joints )->clips[c];
            double difference = 0.0;
            int32_t common = 0;
            for ( int32_t a = 0, b = 0; a < first.keyCount && b < second.keyCount; )
            {
                double gap = (double)first.times[a] - (double)second.times[b];
                if ( fabs( gap ) < 1e-6 && common++ % 4 == 0 )
                {
                    supBakedFile_Read( baked, baked[0].file, c, (double)first.times[a], baked[0].read );
                    supBakedFile_Read( baked + i, baked[i].file, c, (double)first.times[a], other );
                    difference = fmax( difference, supLargestDifference( baked[0].read, other, count ) );
                }
                a += gap < 1e-6 ? 1 : 0;
                b += gap > -1e-6 ? 1 : 0;
            }
            print_message( "%s: %g and %g keys a second, %d common times: %.2g of the largest displacement apart\n",
                supCharacter_Clip( baked[0].character, c ).name, (double)rates[0], (double)rates[i], common,
                difference / largest );
            assert_true( common >= 10 );
            assert_true( difference <= 1e-3 * largest );
        }
    }
    free( other );
    for ( int i = 0; i < 4; ++i )
    {
        supDropBakedFile( baked + i );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestExact ),
        cmocka_unit_test( supTestCows ),
        cmocka_unit_test( supTestFourInfluences ),
        cmocka_unit_test( supTestExamples ),
        cmocka_unit_test( supTestSeams ),
        cmocka_unit_test( supTestOriginals ),
        cmocka_unit_test( supTestRates ),
    };
    return cmocka_run_group_tests( tests, supSetUp, supTearDown );
}
