// The independent evaluator against truth worked out by hand, on small files written here.

#include "evaluator/evaluator.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// cmocka wants the headers above first
#include <cmocka.h>

// A .glb in the making: one buffer, one view and one accessor for each array put in.
typedef struct supTinyFile
{
    uint8_t bytes[4096];
    size_t size;
    char views[4096];
    char accessors[4096];
    int viewCount;
    int accessorCount;
} supTinyFile;

static int supAddView( supTinyFile* tiny, const void* data, size_t size, const char* extra )
{
    assert_true( tiny->size + size + 4 < sizeof( tiny->bytes ) );
    memcpy( tiny->bytes + tiny->size, data, size );
    size_t used = strlen( tiny->views );
    snprintf( tiny->views + used, sizeof( tiny->views ) - used,
        "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu%s}", used > 0 ? "," : "", tiny->size, size, extra );
    tiny->size += ( size + 3 ) / 4 * 4;
    return tiny->viewCount++;
}

static int supAddAccessor( supTinyFile* tiny, const char* json )
{
    size_t used = strlen( tiny->accessors );
    int written =
        snprintf( tiny->accessors + used, sizeof( tiny->accessors ) - used, "%s{%s}", used > 0 ? "," : "", json );
    assert_true( written > 0 && used + (size_t)written < sizeof( tiny->accessors ) );
    return tiny->accessorCount++;
}

static int supAddArray(
    supTinyFile* tiny, const void* data, size_t size, int componentType, const char* type, int count )
{
    char json[200];
    int view = supAddView( tiny, data, size, "" );
    snprintf( json, sizeof( json ), "\"bufferView\":%d,\"componentType\":%d,\"type\":\"%s\",\"count\":%d", view,
        componentType, type, count );
    return supAddAccessor( tiny, json );
}

#define SUP_ADD_FLOATS( tiny, type, count, ... )                                                                       \
    supAddArray( tiny, ( const float[] ){ __VA_ARGS__ }, sizeof( ( const float[] ){ __VA_ARGS__ } ), 5126, type, count )

static void supWriteTiny( const supTinyFile* tiny, const char* path, const char* rest )
{
    static char json[16384];
    int length = snprintf( json, sizeof( json ) - 4,
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[%s],\"accessors\":[%s],%s}",
        tiny->size, tiny->views, tiny->accessors, rest );
    assert_true( length > 0 && length < (int)sizeof( json ) - 4 );
    for ( ; length % 4 != 0; ++length )
    {
        json[length] = ' ';
    }
    uint32_t head[5] = { 0x46546C67, 2, 28 + (uint32_t)length + (uint32_t)tiny->size, (uint32_t)length, 0x4E4F534A };
    uint32_t chunk[2] = { (uint32_t)tiny->size, 0x004E4942 };
    FILE* out = fopen( path, "wb" );
    assert_non_null( out );
    fwrite( head, 4, 5, out );
    fwrite( json, 1, (size_t)length, out );
    fwrite( chunk, 4, 2, out );
    fwrite( tiny->bytes, 1, tiny->size, out );
    assert_int_equal( fclose( out ), 0 );
}

// Writes, loads and removes the file. NULL and a message where it is refused.
static evalFile* supLoadTiny( const supTinyFile* tiny, const char* rest, char* message, size_t size )
{
    char path[] = "/tmp/test_evaluator_XXXXXX";
    int handle = mkstemp( path );
    assert_true( handle >= 0 );
    close( handle );
    supWriteTiny( tiny, path, rest );
    evalFile* file = evalLoad( path, message, size );
    unlink( path );
    return file;
}

static evalFile* supLoadGood( const supTinyFile* tiny, const char* rest )
{
    char message[200] = "";
    evalFile* file = supLoadTiny( tiny, rest, message, sizeof( message ) );
    if ( file == NULL )
    {
        fail_msg( "%s", message );
    }
    return file;
}

static void supAssertNear( const double* found, double x, double y, double z )
{
    double error = fmax( fabs( found[0] - x ), fmax( fabs( found[1] - y ), fabs( found[2] - z ) ) );
    if ( !( error <= 1e-7 ) )
    {
        fail_msg( "(%.9g %.9g %.9g) and not (%.9g %.9g %.9g)", found[0], found[1], found[2], x, y, z );
    }
}

#define SUP_HALF_ROOT 0.70710678118654752

// Two joints, the second one unit up, turned by a quarter turn about z in one second. The quaternion at the end is
// stored with the sign that goes the long way round. The mesh's own node stands at (5, 5, 5).
static evalFile* supLoadBend( const uint8_t* joints, const float* weights )
{
    supTinyFile tiny = { .size = 0 };
    SUP_ADD_FLOATS( &tiny, "VEC3", 5, 0, 0, 0, 0, 2, 0, 0, 1.5f, 0, 1, 1, 1, 0, 2, 0 );
    SUP_ADD_FLOATS( &tiny, "VEC3", 5, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0 );
    supAddArray( &tiny, joints, 20, 5121, "VEC4", 5 );
    supAddArray( &tiny, weights, 20 * sizeof( float ), 5126, "VEC4", 5 );
    SUP_ADD_FLOATS( &tiny, "MAT4", 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, //
        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1 );
    SUP_ADD_FLOATS( &tiny, "SCALAR", 2, 0, 1 );
    SUP_ADD_FLOATS( &tiny, "VEC4", 2, 0, 0, 0, 1, 0, 0, (float)-SUP_HALF_ROOT, (float)-SUP_HALF_ROOT );
    char message[200] = "";
    evalFile* file = supLoadTiny( &tiny,
        "\"nodes\":[{\"mesh\":0,\"skin\":0,\"translation\":[5,5,5]},{\"children\":[2]},{\"translation\":[0,1,0]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"JOINTS_0\":2,\"WEIGHTS_0\":3}}]}],"
        "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":4}],"
        "\"animations\":[{\"name\":\"bend\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"rotation\"}}],"
        "\"samplers\":[{\"input\":5,\"output\":6}]}]",
        message, sizeof( message ) );
    if ( file == NULL )
    {
        assert_non_null( strstr( message, "joint" ) );
    }
    return file;
}

static const float sup_bendWeights[20] = { 1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0, 0, 0, 0, 0, 0.25f, 0, 0 };

static void supTestBend( void** state )
{
    (void)state;
    const uint8_t joints[20] = { 0, 77, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0 };
    evalFile* file = supLoadBend( joints, sup_bendWeights );
    assert_non_null( file );
    double p[15], n[15];
    evalInfo info = evalGetInfo( file );
    assert_int_equal( info.drawCount, 1 );
    assert_int_equal( info.renormalisedVertices, 1 );
    assert_int_equal( info.weightlessVertices, 1 );
    assert_true( info.smallestWeightSum == 0.25 );
    evalPose( file, evalFindClip( file, "bend" ), 1.0 );
    evalPositions( file, 0, p );
    evalNormals( file, 0, n );
    supAssertNear( p, 0, 0, 0 );
    supAssertNear( p + 3, -1, 1, 0 );
    supAssertNear( p + 6, -0.25, 1.25, 0 );
    supAssertNear( p + 9, 6, 6, 6 ); // no weight at all: its node's
    supAssertNear( p + 12, -1, 1, 0 );
    supAssertNear( n + 3, -1, 0, 0 );
    supAssertNear( n + 6, -SUP_HALF_ROOT, SUP_HALF_ROOT, 0 );
    supAssertNear( n + 12, 0, 1, 0 );
    evalPose( file, 0, 0.5 );
    evalPositions( file, 0, p );
    supAssertNear( p + 3, -SUP_HALF_ROOT, 1 + SUP_HALF_ROOT, 0 );
    evalPose( file, 0, 0.25 );
    evalPositions( file, 0, p );
    supAssertNear( p + 3, -sin( acos( -1.0 ) / 8 ), 1 + cos( acos( -1.0 ) / 8 ), 0 );
    evalRestPositions( file, 0, p );
    supAssertNear( p + 3, 0, 2, 0 );
    evalFree( file );
}

static void supTestJointOutOfRange( void** state )
{
    (void)state;
    const uint8_t joints[20] = { 0, 0, 0, 0, 2, 0, 0, 0 };
    assert_null( supLoadBend( joints, sup_bendWeights ) );
}

static void supTestNormalsAndTangents( void** state )
{
    (void)state;
    supTinyFile tiny = { .size = 0 };
    SUP_ADD_FLOATS( &tiny, "VEC3", 1, 1, 2, 3 );
    SUP_ADD_FLOATS( &tiny, "VEC3", 1, (float)SUP_HALF_ROOT, (float)SUP_HALF_ROOT, 0 );
    SUP_ADD_FLOATS( &tiny, "VEC4", 1, (float)SUP_HALF_ROOT, (float)-SUP_HALF_ROOT, 0, -1 );
    evalFile* file = supLoadGood( &tiny,
        "\"nodes\":[{\"mesh\":0,\"scale\":[2,1,1],\"children\":[1]},{\"mesh\":0,\"scale\":[-1,1,1]},"
        "{\"mesh\":0,\"matrix\":[0,1,0,0,-1,0,0,0,0,0,1,0,7,8,9,1]},"
        "{\"mesh\":0,\"translation\":[10,0,0],\"rotation\":[0,0,3,3],\"scale\":[2,1,1]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TANGENT\":2}}]}]" );
    double p[3], n[3], t[4], root5 = sqrt( 5.0 );
    evalPositions( file, 0, p );
    evalNormals( file, 0, n );
    evalTangents( file, 0, t );
    supAssertNear( p, 2, 2, 3 );
    supAssertNear( n, 1 / root5, 2 / root5, 0 );
    supAssertNear( t, 2 / root5, -1 / root5, 0 );
    assert_true( t[3] == -1.0 );
    evalPositions( file, 1, p );
    evalNormals( file, 1, n );
    supAssertNear( p, -2, 2, 3 );
    supAssertNear( n, -1 / root5, 2 / root5, 0 );
    evalPositions( file, 2, p );
    evalNormals( file, 2, n );
    supAssertNear( p, 5, 9, 12 );
    supAssertNear( n, -SUP_HALF_ROOT, SUP_HALF_ROOT, 0 );
    evalPositions( file, 3, p ); // scaled, then turned by a quarter (normalised first), then moved
    supAssertNear( p, 8, 2, 3 );
    evalFree( file );
}

// Keys at 1 and 3. Translation 0 to 1 with out-tangent 2 and in-tangent -2: at 2 the spline is
// 0.5*0 + 2*0.125*2 + 0.5*1 + 2*(-0.125)*(-2) = 1.5, and at 1.5, s = 1/4, it is
// 27/32*0 + 2*9/64*2 + 5/32*1 + 2*(-3/64)*(-2) = 29/32. Rotation: half a turn with tangents zero, so that the middle is
// (0, 0, 1/2, 1/2) before it is normalised.
static void supTestCubic( void** state )
{
    (void)state;
    supTinyFile tiny = { .size = 0 };
    SUP_ADD_FLOATS( &tiny, "VEC3", 1, 1, 0, 0 );
    SUP_ADD_FLOATS( &tiny, "SCALAR", 2, 1, 3 );
    SUP_ADD_FLOATS( &tiny, "VEC3", 6, 9, 9, 9, 0, 0, 0, 2, 0, 0, -2, 0, 0, 1, 0, 0, 9, 9, 9 );
    SUP_ADD_FLOATS( &tiny, "VEC4", 6, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 );
    evalFile* file = supLoadGood( &tiny,
        "\"nodes\":[{\"mesh\":0},{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
        "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
        "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"rotation\"}}],"
        "\"samplers\":[{\"input\":1,\"output\":2,\"interpolation\":\"CUBICSPLINE\"},"
        "{\"input\":1,\"output\":3,\"interpolation\":\"CUBICSPLINE\"}]}]" );
    const double times[] = { 0, 1, 1.5, 2, 3, 4 }, expected[] = { 0, 0, 29.0 / 32.0, 1.5, 1, 1 };
    double p[3], start, end;
    for ( int i = 0; i < 6; ++i )
    {
        evalPose( file, 0, times[i] );
        evalPositions( file, 0, p );
        supAssertNear( p, 1 + expected[i], 0, 0 );
    }
    evalPose( file, 0, 2.0 );
    evalPositions( file, 1, p );
    supAssertNear( p, 0, 1, 0 );
    evalClipTimes( file, 0, &start, &end );
    assert_true( start == 1.0 && end == 3.0 );
    evalFree( file );
}

static void supTestStepAndMorphWeights( void** state )
{
    (void)state;
    supTinyFile tiny = { .size = 0 };
    SUP_ADD_FLOATS( &tiny, "VEC3", 1, 0, 0, 0 );
    SUP_ADD_FLOATS( &tiny, "VEC3", 1, 1, 0, 0 );
    SUP_ADD_FLOATS( &tiny, "VEC3", 1, 0, 1, 0 );
    SUP_ADD_FLOATS( &tiny, "SCALAR", 2, 1, 2 );
    SUP_ADD_FLOATS( &tiny, "VEC3", 2, 0, 0, 3, 0, 0, 4 );
    SUP_ADD_FLOATS( &tiny, "SCALAR", 4, 0, 1, 2, 5 );
    evalFile* file = supLoadGood( &tiny,
        "\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"weights\":[0.5,0.75]}],\"meshes\":[{\"weights\":[0.125,0.25],\"primitives\":"
        "[{\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":1},{\"POSITION\":2}]}]}],"
        "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
        "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"weights\"}}],"
        "\"samplers\":[{\"input\":3,\"output\":4,\"interpolation\":\"STEP\"},{\"input\":3,\"output\":5}]}]" );
    double p[3];
    evalPositions( file, 0, p );
    supAssertNear( p, 0.125, 0.25, 0 );
    evalPositions( file, 1, p );
    supAssertNear( p, 0.5, 0.75, 0 );
    evalPose( file, 0, 1.5 );
    evalPositions( file, 0, p );
    supAssertNear( p, 0.125, 0.25, 3 );
    evalPositions( file, 1, p );
    supAssertNear( p, 1, 3, 0 );
    evalPose( file, 0, 2.0 );
    evalPositions( file, 0, p );
    supAssertNear( p, 0.125, 0.25, 4 );
    evalRestPositions( file, 1, p );
    supAssertNear( p, 0.5, 0.75, 0 );
    evalPositions( file, 1, p ); // the pose has come through
    supAssertNear( p, 2, 5, 0 );
    evalFree( file );
}

// Positions in each component type, normalised or not, with strides, sparse on data and sparse on nothing.
static void supTestAccessors( void** state )
{
    (void)state;
    supTinyFile tiny = { .size = 0 };
    int view =
        supAddView( &tiny, ( const int16_t[] ){ 0, -32768, 32767, 9999, 1, 2, -3, 9999 }, 16, ",\"byteStride\":8" );
    assert_int_equal( view, 0 );
    supAddView( &tiny, ( const int8_t[] ){ 99, 99, 99, 99, -128, 127, 0, 99 }, 8, ",\"byteStride\":4" );
    supAddView( &tiny, ( const uint16_t[] ){ 65535, 0, 13107 }, 6, "" );
    supAddView( &tiny, ( const float[] ){ 1, 2, 3, 4, 5, 6 }, 24, "" );
    supAddView( &tiny, ( const uint8_t[] ){ 1 }, 1, "" );
    supAddView( &tiny, ( const float[] ){ 7, 8, 9 }, 12, "" );
    const char* sparse =
        "\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":4,\"componentType\":5121},\"values\":{\"bufferView\":5}}";
    char json[400];
    supAddAccessor( &tiny, "\"bufferView\":0,\"componentType\":5122,\"type\":\"VEC3\",\"count\":2" );
    supAddAccessor(
        &tiny, "\"bufferView\":0,\"componentType\":5122,\"type\":\"VEC3\",\"count\":2,\"normalized\":true" );
    supAddAccessor( &tiny,
        "\"bufferView\":1,\"byteOffset\":4,\"componentType\":5120,\"type\":\"VEC3\",\"count\":1,\"normalized\":true" );
    supAddAccessor(
        &tiny, "\"bufferView\":2,\"componentType\":5123,\"type\":\"VEC3\",\"count\":1,\"normalized\":true" );
    snprintf(
        json, sizeof( json ), "\"bufferView\":3,\"componentType\":5126,\"type\":\"VEC3\",\"count\":2,%s", sparse );
    supAddAccessor( &tiny, json );
    snprintf( json, sizeof( json ), "\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,%s", sparse );
    supAddAccessor( &tiny, json );
    evalFile* file = supLoadGood( &tiny,
        "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}},{\"attributes\":{\"POSITION\":1}},"
        "{\"attributes\":{\"POSITION\":2}},{\"attributes\":{\"POSITION\":3}},{\"attributes\":{\"POSITION\":4}},"
        "{\"attributes\":{\"POSITION\":5}}]}]" );
    double p[9];
    evalPositions( file, 0, p );
    supAssertNear( p, 0, -32768, 32767 );
    supAssertNear( p + 3, 1, 2, -3 );
    evalPositions( file, 1, p );
    supAssertNear( p, 0, -1, 1 );
    supAssertNear( p + 3, 1 / 32767.0, 2 / 32767.0, -3 / 32767.0 );
    evalPositions( file, 2, p );
    supAssertNear( p, -1, 1, 0 );
    evalPositions( file, 3, p );
    supAssertNear( p, 1, 0, 0.2 );
    evalPositions( file, 4, p );
    supAssertNear( p, 1, 2, 3 );
    supAssertNear( p + 3, 7, 8, 9 );
    assert_int_equal( evalGetDraw( file, 5 )->vertexCount, 3 );
    evalPositions( file, 5, p );
    supAssertNear( p, 0, 0, 0 );
    supAssertNear( p + 3, 7, 8, 9 );
    supAssertNear( p + 6, 0, 0, 0 );
    evalFree( file );
}

static void supTestScenes( void** state )
{
    (void)state;
    supTinyFile tiny = { .size = 0 };
    SUP_ADD_FLOATS( &tiny, "VEC3", 1, 1, 2, 3 );
    evalFile* file = supLoadGood( &tiny,
        "\"scene\":1,\"scenes\":[{\"nodes\":[0]},{\"nodes\":[1]}],\"nodes\":[{\"mesh\":0},{\"children\":[2]},{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}},{\"attributes\":{}}]}]" );
    assert_int_equal( evalGetInfo( file ).drawCount, 1 );
    assert_int_equal( evalGetDraw( file, 0 )->node, 2 );
    evalFree( file );
}

static void supTestRefusals( void** state )
{
    (void)state;
    supTinyFile tiny = { .size = 0 };
    SUP_ADD_FLOATS( &tiny, "VEC3", 1, 1, 2, 3 );
    supAddAccessor( &tiny, "\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":2" );
    supAddAccessor(
        &tiny, "\"bufferView\":0,\"byteOffset\":1e12,\"componentType\":5126,\"type\":\"VEC3\",\"count\":1" );
    SUP_ADD_FLOATS( &tiny, "VEC3", 1, 1, NAN, 3 );
    static const char* cases[][2] = {
        { "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1}}]}]", "do not fit bufferView 0" },
        { "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":2}}]}]", "do not fit bufferView 0" },
        { "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":3}}]}]", "not finite" },
        { "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":9}}]}]", "'POSITION' is 9" },
        { "\"nodes\":[{\"children\":[1]},{\"children\":[0]}]", "its own ancestor" },
        { "\"nodes\":[{\"children\":[1]},{},{\"children\":[1]}]", "two parents" },
        { "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]", "KHR_draco_mesh_compression" },
    };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        char message[200] = "";
        evalFile* file = supLoadTiny( &tiny, cases[i][0], message, sizeof( message ) );
        assert_null( file );
        if ( strstr( message, cases[i][1] ) == NULL )
        {
            fail_msg( "'%s' says nothing of '%s'", message, cases[i][1] );
        }
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestBend ),
        cmocka_unit_test( supTestJointOutOfRange ),
        cmocka_unit_test( supTestNormalsAndTangents ),
        cmocka_unit_test( supTestCubic ),
        cmocka_unit_test( supTestStepAndMorphWeights ),
        cmocka_unit_test( supTestAccessors ),
        cmocka_unit_test( supTestScenes ),
        cmocka_unit_test( supTestRefusals ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
