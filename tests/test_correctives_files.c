// Examples in rig files: moved vertices, OBJ files beside the rig, names of morph targets.
#include "supple/io.h"
#include "support/knee.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void supWriteText( const char* path, const char* text )
{
    FILE* file = fopen( path, "wb" );
    assert_non_null( file );
    fputs( text, file );
    assert_int_equal( fclose( file ), 0 );
}

/// The knee bent by 90 degrees as a sculptor would leave it; `count` of its vertices.
static void supWriteSculpt( const char* path, int count, const char* last )
{
    static supVec3 bent[supKneeVertices];
    supBentKnee( 0.5 * 3.14159265358979323846, bent );
    FILE* file = fopen( path, "wb" );
    assert_non_null( file );
    fputs( "# sculpted\no Leg\n", file );
    for ( int v = 0; v < count; ++v )
    {
        fprintf( file, "v %.9g %.9g %.9g\r\nvn 0 1 0\n", (double)bent[v].x, (double)bent[v].y, (double)bent[v].z );
    }
    fputs( last, file );
    assert_int_equal( fclose( file ), 0 );
}

/// All triangles of the character's only mesh, behind the vertices.
static void supAddFaces( const char* path, const supCharacter* character )
{
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    FILE* file = fopen( path, "ab" );
    assert_non_null( file );
    for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
    {
        fprintf( file, "f %u %u//2 %u/3/3\n", (unsigned)mesh.indices[i] + 1, (unsigned)mesh.indices[i + 1] + 1,
            (unsigned)mesh.indices[i + 2] + 1 );
    }
    assert_int_equal( fclose( file ), 0 );
}

static const char sup_rigText[] =
    "{ \"examples\": [ { \"joints\": [\"shin\"], \"clip\": \"bend\", \"time\": 0.9, \"shape\": \"sculpt_knee.obj\", "
    "\"space\": \"posed\" } ] }";

static void supTestObj( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    supWriteSculpt( "sculpt_knee.obj", supKneeVertices, "" );
    supAddFaces( "sculpt_knee.obj", character );
    supWriteText( "sculpt_knee.rig.json", sup_rigText );
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    supError error = { 0 };
    if ( supReadRig( "sculpt_knee.rig.json", character, NULL, &rig, &error ) != sup_success ||
         supCompileModel( character, rig, &model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    assert_int_equal( supCreateBody( model, &body, &error ), sup_success );
    supMat34 joints[3];
    static supVec3 places[supKneeVertices], bent[supKneeVertices];
    supPoseKnee( character, 0.5 * 3.14159265358979323846, 0.0, joints );
    assert_int_equal( supBody_Step( body, joints, supMat34_identity, 0.0f ), sup_success );
    supBody_Skin( body, &places[0].x, NULL );
    supBentKnee( 0.5 * 3.14159265358979323846, bent );
    float most = 0.0f;
    for ( int v = 0; v < supKneeVertices; ++v )
    {
        most = fmaxf( most, fabsf( places[v].x - bent[v].x ) );
        most = fmaxf( most, fabsf( places[v].y - bent[v].y ) );
        most = fmaxf( most, fabsf( places[v].z - bent[v].z ) );
    }
    assert_true( most < 1e-6f * supCharacter_Info( character )->size );
    // written, only the file's name stands there
    char text[600];
    assert_true( supRigToJson( rig, text, sizeof( text ) ) < sizeof( text ) );
    assert_non_null( strstr( text, "\"shape\": \"sculpt_knee.obj\"" ) );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCharacter( character );
}

static void supExpectWords( const supCharacter* character, const char* words )
{
    supRig* rig = NULL;
    supModel* model = NULL;
    supError error = { 0 };
    supResult result = supReadRig( "sculpt_knee.rig.json", character, NULL, &rig, &error );
    result = result == sup_success ? supCompileModel( character, rig, &model, &error ) : result;
    assert_int_not_equal( result, sup_success );
    assert_null( model );
    if ( strstr( error.text, words ) == NULL )
    {
        fail_msg( "\"%s\" has no \"%s\"", error.text, words );
    }
    supDestroyRig( rig );
}

static void supTestObjRefusals( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    supWriteText( "sculpt_knee.rig.json", sup_rigText );
    supWriteSculpt( "sculpt_knee.obj", 100, "f 1 2 3\n" );
    supExpectWords( character, "\"sculpt_knee.obj\" has 100 vertices, but the character has 7730" );
    supWriteSculpt( "sculpt_knee.obj", supKneeVertices, "f 1 2 3\nf 1/1 2/2 3/3 4/4\n" );
    supExpectWords( character, "\"sculpt_knee.obj\" has 3 triangles, but the character has 15456" );
    supWriteSculpt( "sculpt_knee.obj", supKneeVertices, "v 1 nan 3\n" );
    supExpectWords( character, "sculpt_knee.obj:15463: a vertex needs three numbers, not 'nan'" );
    supWriteText( "sculpt_knee.obj", "nothing\n" );
    supExpectWords( character, "has no face, or too many; it is not an OBJ surface" );
    assert_int_equal( remove( "sculpt_knee.obj" ), 0 );
    supExpectWords( character, "examples[0].shape: " );
    assert_int_equal( remove( "sculpt_knee.rig.json" ), 0 );
    supDestroyCharacter( character );
}

/// Moves out of JSON and back are the same bits.
static void supTestMoves( void** state )
{
    (void)state;
    static const char text[] =
        "{ \"examples\": [ { \"joints\": [\"shin\"], \"pose\": [[90, 0, 0]], \"moves\": { \"fingerprint\": \"0x12\", "
        "\"meshes\": [ { \"mesh\": \"Leg\", \"vertices\": [2, 5], \"moves\": [[0.1, 0.2, 0.3], [1, 2, -3]] } ] } } ] }";
    supRig *rig = NULL, *again = NULL;
    supError error = { 0 };
    char first[2000], second[2000];
    if ( supReadRigMemory( text, sizeof( text ) - 1, "text", NULL, NULL, &rig, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    size_t size = supRigToJson( rig, first, sizeof( first ) );
    assert_in_range( size, 100, sizeof( first ) );
    assert_int_equal( supReadRigMemory( first, size, "text", NULL, NULL, &again, &error ), sup_success );
    supRigToJson( again, second, sizeof( second ) );
    assert_string_equal( first, second );
    assert_non_null( strstr( first, "0.1" ) );
    assert_non_null( strstr( first, "-3" ) );
    supDestroyRig( rig );
    supDestroyRig( again );
    static const char uneven[] =
        "{ \"examples\": [ { \"joints\": [\"shin\"], \"pose\": [[90, 0, 0]], \"moves\": { \"fingerprint\": \"0x12\", "
        "\"meshes\": [ { \"mesh\": \"Leg\", \"vertices\": [2, 5], \"moves\": [[0.1, 0.2, 0.3]] } ] } } ] }";
    assert_int_not_equal(
        supReadRigMemory( uneven, sizeof( uneven ) - 1, "text", NULL, NULL, &rig, &error ), sup_success );
    assert_string_equal(
        error.text, "text: examples[0].moves.meshes[0]: 2 vertices and 1 moves; their numbers must be equal" );
}

/// A shape key goes through a glTF file with its name (mesh.extras.targetNames), and is found by it.
static void supTestTargetNames( void** state )
{
    (void)state;
    supCharacter *made = supMakeKnee(), *read = NULL;
    supError error = { 0 };
    assert_int_equal( supSaveGltf( made, NULL, "knee_names.glb", &error ), sup_success );
    FILE* file = fopen( "knee_names.glb", "rb" );
    static char head[20000];
    assert_non_null( file );
    size_t size = fread( head, 1, sizeof( head ) - 1, file );
    fclose( file );
    bool named = false;
    for ( size_t i = 0; i + 13 < size && !named; ++i )
    {
        named = memcmp( head + i, "\"targetNames\"", 13 ) == 0;
    }
    assert_true( named );
    assert_int_equal( supLoadGltf( "knee_names.glb", &read, &error ), sup_success );
    assert_string_equal( supCharacter_Mesh( read, 0 ).morphNames[0], "knee90" );
    static const char text[] =
        "{ \"examples\": [ { \"joints\": [\"shin\"], \"pose\": [[90, 0, 0]], \"morph\": \"knee90\" } ] }";
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    assert_int_equal( supReadRigMemory( text, sizeof( text ) - 1, "text", read, NULL, &rig, &error ), sup_success );
    assert_int_equal( supCompileModel( read, rig, &model, &error ), sup_success );
    assert_int_equal( supCreateBody( model, &body, &error ), sup_success );
    supMat34 joints[3];
    static supVec3 places[supKneeVertices], bent[supKneeVertices];
    supPoseKnee( made, 0.5 * 3.14159265358979323846, 0.0, joints );
    // the file has one joint more, the mesh's own node
    supMat34 all[8];
    memcpy( all, supCharacter_Info( read )->restJoints,
        sizeof( supMat34 ) * (size_t)supCharacter_Info( read )->jointCount );
    static const char* const names[3] = { "thigh", "shin", "foot" };
    for ( int j = 0; j < 3; ++j )
    {
        all[supCharacter_FindJoint( read, names[j] )] = joints[j];
    }
    assert_int_equal( supBody_Step( body, all, supMat34_identity, 0.0f ), sup_success );
    supBody_Skin( body, &places[0].x, NULL );
    supBentKnee( 0.5 * 3.14159265358979323846, bent );
    for ( int v = 0; v < supKneeVertices; ++v )
    {
        assert_true( fabsf( places[v].y - bent[v].y ) < 1e-6f * supCharacter_Info( read )->size );
        assert_true( fabsf( places[v].z - bent[v].z ) < 1e-6f * supCharacter_Info( read )->size );
    }
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCharacter( read );
    supDestroyCharacter( made );
    assert_int_equal( remove( "knee_names.glb" ), 0 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestObj ),
        cmocka_unit_test( supTestObjRefusals ),
        cmocka_unit_test( supTestMoves ),
        cmocka_unit_test( supTestTargetNames ),
    };
    return cmocka_run_group_tests_name( "correctives_files", tests, NULL, NULL );
}
