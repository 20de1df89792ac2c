// What a bake leaves alone, what it replaces, and files that are the same but for their scale.
#include "io/gltf_document.h"
#include "io/gltf_reader.h"
#include "supple/lab/skin.h"
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

static supGltf* supOpen( const char* path )
{
    supGltf* document;
    supError error = { 0 };
    if ( supOpenGltf( path, ( supLog ){ 0 }, &document, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return document;
}

// ---------------------------------------------------------------------------------------------------------------
// Kept

/// What a bake may change of what was there.
static bool supMayChange( const char* key )
{
    return strncmp( key, "JOINTS_", 7 ) == 0 || strncmp( key, "WEIGHTS_", 8 ) == 0 ||
           strcmp( key, "inverseBindMatrices" ) == 0 || strcmp( key, "byteLength" ) == 0;
}

/// Every value of `before` is in `after`, in its place; lists may have grown at their end.
static void supCheckKept( const json_t* before, const json_t* after, const char* place )
{
    char below[400];
    if ( json_is_object( before ) )
    {
        const char* key;
        json_t* value;
        json_object_foreach( (json_t*)before, key, value )
        {
            snprintf( below, sizeof( below ), "%.360s/%.30s", place, key );
            if ( supMayChange( key ) == false )
            {
                supCheckKept( value, json_object_get( after, key ), below );
            }
        }
    }
    else if ( json_is_array( before ) )
    {
        for ( size_t i = 0; i < json_array_size( before ); ++i )
        {
            snprintf( below, sizeof( below ), "%.360s/%zu", place, i );
            supCheckKept( json_array_get( before, i ), json_array_get( after, i ), below );
        }
    }
    else if ( json_equal( before, after ) == 0 )
    {
        fail_msg( "%s changed", place );
    }
}

static void supCheckViews( const supGltf* before, const supGltf* after )
{
    for ( int32_t i = 0; i < supGltf_Count( before, "bufferViews" ); ++i )
    {
        supReader readerA = supMakeReader( before, NULL ), readerB = supMakeReader( after, NULL );
        supBytes a = supReader_Bytes( &readerA, supGltf_Item( before, "bufferViews", i ) );
        supBytes b = supReader_Bytes( &readerB, supGltf_Item( after, "bufferViews", i ) );
        assert_int_equal( a.size, b.size );
        assert_true( a.size == 0 || memcmp( a.data, b.data, a.size ) == 0 );
    }
}

/// Tracks, materials, extras and every other value of the input are in the output, and every byte behind them.
static void supTestKept( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const char* const files[] = { "khronos_fox/glTF-Binary/Fox.glb", "mh_human/mh_heavy.glb",
        "odd_cow/Cow_twonodes.glb", "odd_cow/Cow_joints1.glb", "odd_cow/Cow_meshopt_EXT.glb", "quaternius/Horse.glb" };
    for ( size_t i = 0; i < sizeof( files ) / sizeof( files[0] ); ++i )
    {
        char in[512], out[512];
        assert_true( supTestAssetPath( files[i], in, sizeof( in ) ) );
        snprintf( out, sizeof( out ), "%s/kept.glb", sup_folder );
        supBakedFileDef def = supDefaultBakedFileDef( in, out );
        def.influences = 8 - 4 * ( i % 2 );
        supBakedFile baked;
        assert_true( supMakeBakedFile( &def, &baked ) );
        supDropBakedFile( &baked );
        supGltf* before = supOpen( in );
        supGltf* after = supOpen( out );
        supCheckKept( before->root, after->root, files[i] );
        supCheckViews( before, after );
        assert_true( supGltf_ListsExtension( after, "extensionsUsed", "SUPPLE_rig" ) );
        assert_false( supGltf_ListsExtension( after, "extensionsRequired", "SUPPLE_rig" ) );
        supCloseGltf( before );
        supCloseGltf( after );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Replaced

static void supAssertSameFile( const char* a, const char* b )
{
    size_t sizeA, sizeB;
    uint8_t* bytesA = supReadWhole( a, &sizeA );
    uint8_t* bytesB = supReadWhole( b, &sizeB );
    if ( sizeA != sizeB || memcmp( bytesA, bytesB, sizeA ) != 0 )
    {
        fail_msg( "%s (%zu bytes) and %s (%zu bytes) differ", a, sizeA, b, sizeB );
    }
    free( bytesA );
    free( bytesB );
}

static void supBakeTo( const char* in, const char* out, supBakedFileDef def )
{
    supBakedFile baked;
    def.in = in;
    def.out = out;
    assert_true( supMakeBakedFile( &def, &baked ) );
    supDropBakedFile( &baked );
}

/// Baking a baked file is baking the original: whatever the first bake was.
static void supTestReplaced( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const char* const files[] = { "khronos_fox/glTF-Binary/Fox.glb", "odd_cow/Cow_twonodes.glb",
        "odd_cow/Cow_joints1.glb", "odd_cow/Cow_external2.gltf", "odd_cow/Cow_meshopt_EXT.glb",
        "khronos_cesiumman/glTF/CesiumMan.gltf" };
    for ( size_t i = 0; i < sizeof( files ) / sizeof( files[0] ); ++i )
    {
        char in[512], once[512], other[512], twice[512];
        assert_true( supTestAssetPath( files[i], in, sizeof( in ) ) );
        snprintf( once, sizeof( once ), "%s/once.glb", sup_folder );
        snprintf( other, sizeof( other ), "%s/other.glb", sup_folder );
        snprintf( twice, sizeof( twice ), "%s/twice.glb", sup_folder );
        supBakedFileDef def = supDefaultBakedFileDef( NULL, NULL );
        supBakeTo( in, once, def );
        supBakeTo( once, twice, def );
        supAssertSameFile( once, twice );

        supBakedFileDef different = def;
        different.influences = 4;
        different.keys = sup_keysCubic;
        different.keepNames = true;
        different.noEmbed = true;
        supBakeTo( in, other, different );
        supBakeTo( other, twice, def );
        supAssertSameFile( once, twice );
        supBakeTo( once, twice, different );
        supAssertSameFile( other, twice );
        different.isLive = true;
        supBakeTo( once, other, different );
        supBakeTo( other, twice, def );
        supAssertSameFile( once, twice );
    }
}

/// A bake taken out leaves the document as it was.
static void supTestRemoved( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char in[512], out[512];
    assert_true( supTestAssetPath( "odd_cow/Cow_twonodes.glb", in, sizeof( in ) ) );
    snprintf( out, sizeof( out ), "%s/removed.glb", sup_folder );
    supBakedFileDef def = supDefaultBakedFileDef( NULL, NULL );
    def.noEmbed = true;
    supBakeTo( in, out, def );
    supGltf* before = supOpen( in );
    supGltf* after = supOpen( out );
    bool removed = false;
    assert_int_equal( supGltf_RemoveBake( after, &removed, NULL ), sup_success );
    assert_true( removed );
    assert_true( json_equal( before->root, after->root ) );
    assert_int_equal( supGltf_RemoveBake( after, &removed, NULL ), sup_success );
    assert_false( removed );
    supCloseGltf( before );
    supCloseGltf( after );
}

/// Another program added a node behind the bake's: taking ours out would take theirs.
static void supTestChangedSince( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char in[512], out[512];
    assert_true( supTestAssetPath( "khronos_fox/glTF-Binary/Fox.glb", in, sizeof( in ) ) );
    snprintf( out, sizeof( out ), "%s/changed.glb", sup_folder );
    supBakeTo( in, out, supDefaultBakedFileDef( NULL, NULL ) );
    for ( int way = 0; way < 3; ++way )
    {
        supGltf* document = supOpen( out );
        json_t* extensions = json_object_get( document->root, "extensions" );
        json_t* record = json_object_get( extensions, "SUPPLE_bake" );
        switch ( way )
        {
            case 0:
                json_array_append_new( json_object_get( document->root, "nodes" ), json_object() );
                break;
            case 1:
                json_object_del( extensions, "SUPPLE_bake" ); // and the nodes still carry their mark
                break;
            default:
                json_array_append_new( json_object_get( record, "skins" ), json_pack( "[i,i,i]", 999, 1, 0 ) );
        }
        bool removed;
        supError error = { 0 };
        assert_int_equal( supGltf_RemoveBake( document, &removed, &error ), sup_errorData );
        assert_non_null( strstr( error.text, "bake the original file" ) );
        supCloseGltf( document );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Scale

/// The file under one more node, scaled.
static void supWriteScaled( const char* in, const char* out, double scale )
{
    supGltf* document = supOpen( in );
    json_t* nodes = json_object_get( document->root, "nodes" );
    json_t* scene = json_array_get( json_object_get( document->root, "scenes" ), 0 );
    json_t* node = json_pack( "{s:[f,f,f]}", "scale", scale, scale, scale );
    json_object_set( node, "children", json_object_get( scene, "nodes" ) );
    json_array_append_new( nodes, node );
    json_object_set_new( scene, "nodes", json_pack( "[i]", (int)json_array_size( nodes ) - 1 ) );
    assert_int_equal( supGltf_Write( document, out, NULL ), sup_success );
    supCloseGltf( document );
}

/// The same character a hundred times as large, and as small, moves as it did.
static void supTestScales( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const char* const files[] = { "khronos_fox/glTF-Binary/Fox.glb", "mh_human/mh_heavy.glb" };
    for ( size_t f = 0; f < 2; ++f )
    {
        char in[512], out[512], scaled[512];
        assert_true( supTestAssetPath( files[f], in, sizeof( in ) ) );
        snprintf( out, sizeof( out ), "%s/one.glb", sup_folder );
        supBakedFile one;
        supBakedFileDef def = supDefaultBakedFileDef( in, out );
        assert_true( supMakeBakedFile( &def, &one ) );
        size_t count = 3 * (size_t)supCharacter_Info( one.character )->vertexCount;
        for ( int i = 0; i < 2; ++i )
        {
            double scale = i == 0 ? 0.01 : 100.0, largest = 0.0;
            snprintf( scaled, sizeof( scaled ), "%s/scaled.glb", sup_folder );
            supWriteScaled( in, scaled, scale );
            supBakedFile other;
            def = supDefaultBakedFileDef( scaled, scaled );
            assert_true( supMakeBakedFile( &def, &other ) );
            assert_int_equal( supModel_Info( one.model )->elementCount, supModel_Info( other.model )->elementCount );
            supTakeInfo take = supTake_Info( one.takes[one.clipCount - 1] );
            for ( int k = 0; k <= 12; ++k )
            {
                double time = take.start + ( take.end - take.start ) * k / 12.0;
                supBakedFile_Read( &one, one.file, one.clipCount - 1, time, one.read );
                supBakedFile_Read( &other, other.file, one.clipCount - 1, time, other.read );
                for ( size_t v = 0; v < count; ++v )
                {
                    largest = fmax( largest, fabs( other.read[v] / scale - one.read[v] ) );
                }
            }
            print_message( "%s times %g: %.2g of the size apart\n", files[f], scale, largest / one.size );
            assert_true( largest <= 1e-5 * one.size );
            supDropBakedFile( &other );
        }
        supDropBakedFile( &one );
    }
}

/// A file for a host that drives the helpers itself: no clip is touched, and its matrices give the living skin.
static void supTestLiveFile( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char in[512], out[512];
    assert_true( supTestAssetPath( "khronos_fox/glTF-Binary/Fox.glb", in, sizeof( in ) ) );
    snprintf( out, sizeof( out ), "%s/live.glb", sup_folder );
    supBakedFileDef def = supDefaultBakedFileDef( in, out );
    def.isLive = true;
    supBakedFile baked;
    assert_true( supMakeBakedFile( &def, &baked ) );
    supGltf* before = supOpen( in );
    supGltf* after = supOpen( out );
    assert_true(
        json_equal( json_object_get( before->root, "animations" ), json_object_get( after->root, "animations" ) ) );
    int32_t first = supGltf_Count( before, "nodes" ), helpers = supModel_Info( baked.model )->helperCount;
    assert_int_equal( supGltf_Count( after, "nodes" ), first + helpers );
    supCharacter* character = NULL;
    assert_int_equal( supGltf_Character( after, NULL, &character, NULL ), sup_success );
    supBakedFile_Live( &baked, 1, 0.3 );

    // The file's own skinning, with the helpers' joints where the body says.
    supMat34* joints = calloc( (size_t)( first + helpers ), sizeof( supMat34 ) );
    supMat34* palette = calloc( (size_t)supCharacter_Info( character )->paletteCount, sizeof( supMat34 ) );
    size_t count = 3 * (size_t)supCharacter_Info( character )->vertexCount;
    float* skinned = calloc( count, sizeof( float ) );
    memcpy( joints, supPose_Joints( baked.pose ), (size_t)first * sizeof( supMat34 ) );
    supBody_HelperJoints( baked.body, joints + first );
    supCharacter_Palette( character, joints, palette );
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        supSkinJob job = supCharacter_SkinJob( character, m, palette, NULL );
        job.outPositions = ( supOutStream ){ skinned + 3 * mesh.firstVertex, mesh.vertexCount, 12 };
        assert_int_equal( supSkinJob_Run( &job, NULL ), sup_success );
    }
    double largest = 0.0;
    for ( size_t i = 0; i < count; ++i )
    {
        largest = fmax( largest, fabs( (double)skinned[i] - (double)baked.positions[i] ) );
    }
    print_message( "helpers driven by a body: %.2g of the size off\n", largest / baked.size );
    assert_true( largest <= 1e-5 * baked.size );
    free( joints );
    free( palette );
    free( skinned );
    supDestroyCharacter( character );
    supCloseGltf( before );
    supCloseGltf( after );
    supDropBakedFile( &baked );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestKept ),
        cmocka_unit_test( supTestReplaced ),
        cmocka_unit_test( supTestRemoved ),
        cmocka_unit_test( supTestChangedSince ),
        cmocka_unit_test( supTestScales ),
        cmocka_unit_test( supTestLiveFile ),
    };
    return cmocka_run_group_tests( tests, supSetUp, supTearDown );
}
