// Files baked as morphs, as others see them: the independent evaluator plays them, the take says where the flesh should
// be.
#include "io/gltf_document.h"
#include "supple/lab/items.h"
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

static supBakedFileDef supMorphs( void )
{
    supBakedFileDef def = supDefaultBakedFileDef( NULL, NULL );
    def.asMorphs = true;
    return def;
}

static void supBakeFile( const char* in, const char* name, supBakedFileDef def, supBakedFile* baked )
{
    char out[600];
    snprintf( out, sizeof( out ), "%s/%s", sup_folder, name );
    def.in = in;
    def.out = out;
    if ( supMakeBakedFile( &def, baked ) == false )
    {
        fail_msg( "%s: nothing found that carries flesh", in );
    }
}

static void supBakeAsset( const char* asset, const char* name, supBakedFileDef def, supBakedFile* baked )
{
    char in[512];
    assert_true( supTestAssetPath( asset, in, sizeof( in ) ) );
    supBakeFile( in, name, def, baked );
}

/// The error that the bake gives for a clip, as a share of the size.
static double supSaid( const supBakedFile* baked, int32_t clip )
{
    return (double)supMorphBake_Info( baked->morphs )->errors[clip].maxError / baked->size;
}

/// At `count` times of every clip, which have nothing to do with the keys: within what the bake says. Gives that.
static double supJudge( supBakedFile* baked, const char* name, int count )
{
    double worst = 0.0, said = 0.0;
    for ( int32_t c = 0; c < baked->clipCount; ++c )
    {
        supTakeInfo take = supTake_Info( baked->takes[c] );
        double here = 0.0;
        for ( int i = 0; i <= count; ++i )
        {
            double time = take.start + ( take.end - take.start ) * i / count;
            here = fmax( here, supBakedFile_Error( baked, c, time ) );
        }
        assert_true( here <= 1.02 * supSaid( baked, c ) + 1e-6 );
        worst = fmax( worst, here );
        said = fmax( said, supSaid( baked, c ) );
    }
    int32_t targets = 0;
    for ( int32_t g = 0; g < supMorphBake_Info( baked->morphs )->groupCount; ++g )
    {
        targets += supMorphBake_Info( baked->morphs )->groups[g].targetCount;
    }
    print_message( "%s: %d targets, %.2g of the size, said %.2g\n", name, targets, worst, said );
    assert_true( targets > 0 );
    return said;
}

static void supTestJudged( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const struct
    {
        const char* name;
        int times;
    } files[] = {
        { "khronos_fox/glTF-Binary/Fox.glb", 97 },
        { "mh_human/mh_heavy.glb", 23 },
        { "mh_human/mh_heavy_8inf.glb", 11 },
        { "quaternius/Horse.glb", 31 },
        { "quaternius/Character.glb", 13 },
        { "khronos_cesiumman/glTF-Binary/CesiumMan.glb", 61 },
        { "khronos_cesiumman/glTF/CesiumMan.gltf", 13 },
    };
    size_t count = SUP_SLOW_BUILD ? 1 : sizeof( files ) / sizeof( files[0] );
    for ( size_t i = 0; i < count; ++i )
    {
        supBakedFile baked;
        supBakeAsset( files[i].name, i % 2 == 0 ? "baked.glb" : "baked.gltf", supMorphs(), &baked );
        assert_true( supJudge( &baked, files[i].name, files[i].times ) <= 5e-4 );
        supDropBakedFile( &baked );
    }
}

typedef struct supCowTrip
{
    int count, flat;
} supCowTrip;

static void supVisitCow( const char* path, void* user )
{
    supCowTrip* trip = user;
    supBakedFile baked;
    if ( SUP_SLOW_BUILD && trip->count % 8 != 3 )
    {
        trip->count += 1;
        return;
    }
    supBakeFile( path, trip->count % 3 == 2 ? "cow.gltf" : "cow.glb", supMorphs(), &baked );
    trip->flat += supJudge( &baked, strrchr( path, '/' ) + 1, 17 ) > 5e-4 ? 1 : 0;
    supDropBakedFile( &baked );
    trip->count += 1;
}

/// One cow in every way that glTF can hold it: quantized, compressed, sparse, morphing, shown twice, …
static void supTestCows( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char folder[512];
    supCowTrip trip = { 0 };
    snprintf( folder, sizeof( folder ), "%s/odd_cow", supTestAssets() );
    supForEachGltf( folder, supVisitCow, &trip );
    assert_true( trip.count >= 10 );
    // cubic rotations that were made without care pass through zero: there skin is flat, and no target moves it
    assert_true( trip.flat <= 1 );
}

// ---------------------------------------------------------------------------------------------------------------
// Size

/// Frames of a clip at its own rate: the keys of its fullest track; at most 30 a second.
static int32_t supClipFrames( const supCharacter* character, int32_t clip )
{
    int32_t most = 0;
    for ( int32_t t = 0; t < supCharacter_Clip( character, clip ).trackCount; ++t )
    {
        int32_t keys = supCharacter_Clip( character, clip ).tracks[t].keyCount;
        most = keys > most ? keys : most;
    }
    supClipView view = supCharacter_Clip( character, clip );
    int32_t frames = (int32_t)( ( view.end - view.start ) * 30.0 + 1.5 );
    return frames < most ? frames : most;
}

/// All that the bake adds to the file, JSON and originals' channels included, against a point cache of all vertices.
static void supTestSmall( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const struct
    {
        const char* name;
        double times;
    } files[] = { { "mh_human/mh_heavy.glb", 50.0 }, { "khronos_fox/glTF-Binary/Fox.glb", 15.0 } };
    for ( size_t i = SUP_SLOW_BUILD ? 1 : 0; i < 2; ++i )
    {
        char in[512], out[600];
        supBakedFile baked;
        supBakedFileDef def = supMorphs();
        def.noNormals = true;
        def.noEmbed = true;
        def.dropOriginals = true;
        assert_true( supTestAssetPath( files[i].name, in, sizeof( in ) ) );
        supBakeAsset( files[i].name, "small.glb", def, &baked );
        snprintf( out, sizeof( out ), "%s/small.glb", sup_folder );
        size_t before, after, frames = 0;
        free( supReadWhole( in, &before ) );
        free( supReadWhole( out, &after ) );
        for ( int32_t c = 0; c < baked.clipCount; ++c )
        {
            frames += (size_t)supClipFrames( baked.character, c );
        }
        double raw = 12.0 * (double)frames * (double)supCharacter_Info( baked.character )->vertexCount;
        double ratio = raw / (double)( after - before );
        print_message( "%s: %zu bytes more; a point cache of %zu frames would have %.0f: 1/%.0f\n", files[i].name,
            after - before, frames, raw, ratio );
        assert_true( ratio >= files[i].times );
        supDropBakedFile( &baked );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What was there before

/// The original, "NAME (smooth)" and rest stand where they stood; weights of morphs that were there move as they did,
/// in the living clip too.
static bool supCheckOwnMotion( supBakedFile* baked, const char* in )
{
    char message[256];
    evalFile* before = evalLoad( in, message, sizeof( message ) );
    assert_non_null( before );
    size_t count = (size_t)supCharacter_Info( baked->character )->vertexCount;
    double* other = calloc( 3 * count, sizeof( double ) );
    bool moves = false;
    const int times = SUP_SLOW_BUILD ? 5 : 37;
    for ( int32_t c = -1; c < baked->clipCount; ++c )
    {
        char smooth[128];
        snprintf( smooth, sizeof( smooth ), "%s (smooth)", c < 0 ? "" : supCharacter_Clip( baked->character, c ).name );
        int found = c < 0 ? -1 : evalFindClip( baked->file, smooth );
        assert_true( c < 0 || found >= 0 );
        supTakeInfo take = c < 0 ? ( supTakeInfo ){ 0 } : supTake_Info( baked->takes[c] );
        for ( int i = 0; i <= times; ++i )
        {
            double time = take.start + ( take.end - take.start ) * i / times;
            supBakedFile_Read( baked, before, c, time, baked->read );
            supBakedFile_Read( baked, baked->file, found, time, other );
            for ( size_t k = 0; k < 3 * count; ++k )
            {
                assert_true( fabs( baked->read[k] - other[k] ) <= 1e-6 * baked->size );
            }
            evalPose( baked->file, c, time );
            for ( int d = 0; d < evalGetInfo( before ).drawCount; ++d )
            {
                int weightCount, newCount;
                const double* weights = evalMorphWeights( before, d, &weightCount );
                const double* now = evalMorphWeights( baked->file, d, &newCount );
                assert_true( newCount >= weightCount );
                for ( int w = 0; w < weightCount; ++w )
                {
                    assert_true( fabs( weights[w] - now[w] ) <= 1e-6 );
                    moves = moves || fabs( weights[w] ) > 0.01;
                }
            }
        }
    }
    free( other );
    evalFree( before );
    return moves;
}

/// Flesh on the robot's skinned hands (the automatic rig leaves it alone: it is made of metal). Its other parts are not
/// skinned; its head has morphs of its own, with keys in every clip.
static supRig* supRobotRig( void )
{
    supRig* rig = NULL;
    static const char* const drivers[] = { "LowerArm.L", "LowerArm.R" };
    static const char* const ends[] = { "Middle1.L", "Middle1.R" };
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    for ( int i = 0; i < 2; ++i )
    {
        supElementDef element = supDefaultElementDef();
        element.driver = drivers[i];
        element.ends = ( supNameList ){ 1, ends + i };
        assert_int_equal( supRig_AddElement( rig, &element, NULL ), sup_success );
    }
    return rig;
}

static void supTestOwnMorphs( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char in[512];
    supBakedFile baked;
    assert_true( supTestAssetPath( "odd_cow/Cow_morph.glb", in, sizeof( in ) ) );
    supBakeFile( in, "cow.glb", supMorphs(), &baked );
    assert_true( supCheckOwnMotion( &baked, in ) );
    supDropBakedFile( &baked );

    supRig* rig = supRobotRig();
    supBakedFileDef def = supMorphs();
    def.rig = rig;
    def.noEmbed = true;
    assert_true( supTestAssetPath( "robotexpressive/RobotExpressive.glb", in, sizeof( in ) ) );
    supBakeFile( in, "robot.glb", def, &baked );
    assert_true( supJudge( &baked, "RobotExpressive.glb", SUP_SLOW_BUILD ? 3 : 11 ) <= 5e-4 );
    assert_int_equal( supMorphBake_Info( baked.morphs )->groupCount, 2 );
    supCheckOwnMotion( &baked, in );
    supDropBakedFile( &baked );
    supDestroyRig( rig );
}

// ---------------------------------------------------------------------------------------------------------------
// Replaced

static void supBakeTo( const char* in, const char* name, supBakedFileDef def )
{
    supBakedFile baked;
    supBakeFile( in, name, def, &baked );
    supDropBakedFile( &baked );
}

static void supAssertSameFile( const char* a, const char* b )
{
    char pathA[600], pathB[600];
    size_t sizeA, sizeB;
    snprintf( pathA, sizeof( pathA ), "%s/%s", sup_folder, a );
    snprintf( pathB, sizeof( pathB ), "%s/%s", sup_folder, b );
    uint8_t* bytesA = supReadWhole( pathA, &sizeA );
    uint8_t* bytesB = supReadWhole( pathB, &sizeB );
    if ( sizeA != sizeB || memcmp( bytesA, bytesB, sizeA ) != 0 )
    {
        fail_msg( "%s (%zu bytes) and %s (%zu bytes) differ", a, sizeA, b, sizeB );
    }
    free( bytesA );
    free( bytesB );
}

/// Baking a baked file is baking the original, whatever the first bake was; a bake taken out leaves what was there.
static void supTestReplaced( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const char* const files[] = { "khronos_fox/glTF-Binary/Fox.glb", "odd_cow/Cow_twonodes.glb",
        "odd_cow/Cow_morph.glb", "khronos_cesiumman/glTF/CesiumMan.gltf" };
    for ( size_t i = 0; i < sizeof( files ) / sizeof( files[0] ); i += SUP_SLOW_BUILD ? 2 : 1 )
    {
        char in[512], morphs[600], joints[600], plain[600];
        assert_true( supTestAssetPath( files[i], in, sizeof( in ) ) );
        snprintf( morphs, sizeof( morphs ), "%s/morphs.glb", sup_folder );
        snprintf( joints, sizeof( joints ), "%s/joints.glb", sup_folder );
        snprintf( plain, sizeof( plain ), "%s/plain.glb", sup_folder );
        supBakedFileDef def = supMorphs(), other = supDefaultBakedFileDef( NULL, NULL );
        supBakeTo( in, "morphs.glb", def );
        supBakeTo( in, "joints.glb", other );
        supBakeTo( morphs, "twice.glb", def );
        supAssertSameFile( "morphs.glb", "twice.glb" );
        supBakeTo( joints, "twice.glb", def );
        supAssertSameFile( "morphs.glb", "twice.glb" );
        supBakeTo( morphs, "twice.glb", other );
        supAssertSameFile( "joints.glb", "twice.glb" );

        def.noEmbed = true;
        def.keepNames = true;
        supBakeTo( in, "plain.glb", def );
        supGltf *before = NULL, *after = NULL;
        bool removed = false;
        assert_int_equal( supOpenGltf( in, ( supLog ){ 0 }, &before, NULL ), sup_success );
        assert_int_equal( supOpenGltf( plain, ( supLog ){ 0 }, &after, NULL ), sup_success );
        assert_int_equal( supGltf_RemoveBake( after, &removed, NULL ), sup_success );
        assert_true( removed );
        assert_true( i == 3 || json_equal( before->root, after->root ) ); // the last came as several files
        supCloseGltf( before );
        supCloseGltf( after );
    }
}

/// Without its record a bake cannot be taken out: that is said, and nothing is baked twice.
static void supTestRecordLost( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char path[600];
    supBakedFile baked;
    supBakeAsset( "khronos_fox/glTF-Binary/Fox.glb", "lost.glb", supMorphs(), &baked );
    supDropBakedFile( &baked );
    snprintf( path, sizeof( path ), "%s/lost.glb", sup_folder );
    for ( int way = 0; way < 3; ++way )
    {
        supGltf* document = NULL;
        supError error = { 0 };
        bool removed;
        assert_int_equal( supOpenGltf( path, ( supLog ){ 0 }, &document, &error ), sup_success );
        json_t* extensions = json_object_get( document->root, "extensions" );
        json_t* record = json_object_get( extensions, "SUPPLE_bake" );
        switch ( way )
        {
            case 0:
                json_object_del( extensions, "SUPPLE_bake" );
                break;
            case 1:
                json_array_append_new( json_object_get( record, "meshes" ), json_pack( "[i,i,i]", 0, 0, 7 ) );
                break;
            default:
                json_object_set_new( record, "channels", json_pack( "[[i,i,i]]", 0, 999999, 0 ) );
        }
        assert_int_equal( supGltf_RemoveBake( document, &removed, &error ), sup_errorData );
        assert_non_null( strstr( error.text, "bake the original file" ) );
        supCloseGltf( document );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestJudged ),
        cmocka_unit_test( supTestCows ),
        cmocka_unit_test( supTestSmall ),
        cmocka_unit_test( supTestOwnMorphs ),
        cmocka_unit_test( supTestReplaced ),
        cmocka_unit_test( supTestRecordLost ),
    };
    return cmocka_run_group_tests( tests, supSetUp, supTearDown );
}
