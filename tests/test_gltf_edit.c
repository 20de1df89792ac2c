// Morph targets added to a document: of weight 0 they change nothing, also where clips animate the ones before.
#include "evaluator/evaluator.h"
#include "io/gltf_edit.h"
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

static const supLog sup_silence = { NULL, NULL };

/// Two targets on mesh 0, each as the base's own positions: of weight 1 the mesh would stand at twice its place.
static void supAddTargets( supGltf* document )
{
    supError error = { 0 };
    supGltfEdit edit = supStartEdit( document, true, &error );
    const json_t* primitives = json_object_get( supGltf_Item( document, "meshes", 0 ), "primitives" );
    size_t primitiveCount = json_array_size( primitives );
    supNewTarget* targets = malloc( 2 * primitiveCount * sizeof( supNewTarget ) );
    static const char* const names[] = { "first", "second" };
    for ( size_t p = 0; p < primitiveCount; ++p )
    {
        json_t* position =
            json_object_get( json_object_get( json_array_get( primitives, p ), "attributes" ), "POSITION" );
        int32_t own = supEdit_UnshareAccessor( &edit, (int32_t)json_integer_value( position ) );
        assert_true( own != (int32_t)json_integer_value( position ) );
        targets[2 * p] = ( supNewTarget ){ own, -1, -1 };
        targets[2 * p + 1] = ( supNewTarget ){ own, -1, -1 };
    }
    supEdit_AddMorphTargets( &edit, 0, targets, 2, names );
    free( targets );
    if ( supEdit_Ok( &edit ) == false )
    {
        fail_msg( "%s", error.text );
    }
}

/// The largest distance between two files' skins over all clips of the first. Shares of its size.
static double supFileDistance( const char* pathA, const char* pathB )
{
    char message[256] = "";
    evalFile* a = evalLoad( pathA, message, sizeof( message ) );
    evalFile* b = evalLoad( pathB, message, sizeof( message ) );
    if ( a == NULL || b == NULL )
    {
        fail_msg( "%s", message );
    }
    double largest = 0.0, size = evalSize( a );
    for ( int step = 0; step < 5 * evalGetInfo( a ).clipCount; ++step )
    {
        double start, end;
        evalClipTimes( a, step / 5, &start, &end );
        evalPose( a, step / 5, start + 0.25 * ( step % 5 ) * ( end - start ) );
        evalPose( b, step / 5, start + 0.25 * ( step % 5 ) * ( end - start ) );
        for ( int draw = 0; draw < evalGetInfo( a ).drawCount; ++draw )
        {
            size_t count = 3 * (size_t)evalGetDraw( a, draw )->vertexCount;
            double* pa = malloc( count * sizeof( double ) );
            double* pb = malloc( count * sizeof( double ) );
            evalPositions( a, draw, pa );
            evalPositions( b, draw, pb );
            for ( size_t k = 0; k < count; ++k )
            {
                largest = fmax( largest, fabs( pa[k] - pb[k] ) );
            }
            free( pa );
            free( pb );
        }
    }
    evalFree( a );
    evalFree( b );
    return largest / size;
}

static supGltf* supOpen( const char* path )
{
    supGltf* document;
    supError error = { 0 };
    if ( supOpenGltf( path, sup_silence, &document, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return document;
}

static void supTestMorphTargets( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const char* const files[] = { "odd_cow/Cow_morph.glb", "odd_cow/Cow_quantized.glb",
        "robotexpressive/RobotExpressive.glb" };
    char folder[256], in[512], out[512];
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( out, sizeof( out ), "%s/out.glb", folder );
    for ( size_t i = 0; i < sizeof( files ) / sizeof( files[0] ); ++i )
    {
        supError error = { 0 };
        assert_true( supTestAssetPath( files[i], in, sizeof( in ) ) );
        supGltf* document = supOpen( in );
        supAddTargets( document );
        assert_int_equal( supGltf_Write( document, out, &error ), sup_success );
        assert_true( supFileDistance( in, out ) == 0.0 );
        supCharacter *before = NULL, *after = NULL;
        assert_int_equal( supLoadGltf( in, &before, &error ), sup_success );
        assert_int_equal( supGltf_Character( document, NULL, &after, &error ), sup_success );
        int32_t source = -1; // the first mesh that shows mesh 0 of the file
        for ( int32_t m = 0; m < supCharacter_Info( before )->meshCount && source < 0; ++m )
        {
            source = supCharacter_Mesh( before, m ).sourceMesh == 0 ? m : source;
        }
        assert_int_equal(
            supCharacter_Mesh( after, source ).morphCount, supCharacter_Mesh( before, source ).morphCount + 2 );
        supDestroyCharacter( before );
        supDestroyCharacter( after );
        supCloseGltf( document );
    }
    supRemoveTestFolder( folder );
}

/// With weight 1 on one of them the file does move: the targets are really there.
static void supTestTargetsAreThere( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char folder[256], in[512], out[512];
    supError error = { 0 };
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( out, sizeof( out ), "%s/out.glb", folder );
    assert_true( supTestAssetPath( "odd_cow/Cow_plain.glb", in, sizeof( in ) ) );
    supGltf* document = supOpen( in );
    supAddTargets( document );
    json_t* mesh = supGltf_Item( document, "meshes", 0 );
    json_object_set_new( mesh, "weights", json_pack( "[f, f]", 0.0, 1.0 ) );
    assert_string_equal(
        json_string_value( json_array_get( json_object_get( json_object_get( mesh, "extras" ), "targetNames" ), 1 ) ),
        "second" );
    assert_int_equal( supGltf_Write( document, out, &error ), sup_success );
    supCloseGltf( document );
    assert_true( supFileDistance( in, out ) > 0.1 );
    supRemoveTestFolder( folder );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestMorphTargets ),
        cmocka_unit_test( supTestTargetsAreThere ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
