// Rest: bind poses in world units; welds; the fingerprint.
#include "supple/lab/skin.h"
#include "support/two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void supAssertPoint( const float* p, double x, double y, double z, double tolerance )
{
    if ( !( fabs( p[0] - x ) <= tolerance && fabs( p[1] - y ) <= tolerance && fabs( p[2] - z ) <= tolerance ) )
    {
        fail_msg( "(%.9g %.9g %.9g) is not (%.9g %.9g %.9g) within %g", (double)p[0], (double)p[1], (double)p[2], x, y,
            z, tolerance );
    }
}

/// The vertices as they stand in the file, carried by `scale` and moved by (x, y, z).
static void supAssertBar( const supCharacter* character, int32_t first, double scale, double x, double y, double z )
{
    supTwoBones bones;
    supMakeTwoBones( &bones );
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        const float* p = bones.positions + 3 * v;
        supAssertPoint( supCharacter_Info( character )->restPositions + 3 * ( first + v ), scale * p[0] + x,
            scale * p[1] + y, scale * p[2] + z, 2e-7 );
    }
}

/// Skinned at rest, linear and by dual quaternions, every vertex comes out where the rest positions have it.
static void supAssertSkinsToRest( const supCharacter* character )
{
    supMat34 palette[64];
    float out[3 * 256];
    assert_in_range( supCharacter_Info( character )->paletteCount, 0, 64 );
    supCharacter_Palette( character, supCharacter_Info( character )->restJoints, palette );
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        const float* rest = supCharacter_Info( character )->restPositions + 3 * mesh.firstVertex;
        for ( int method = 0; method < 2; ++method )
        {
            supSkinJob job = supCharacter_SkinJob( character, m, palette, NULL );
            job.method = (supSkinning)method;
            job.outPositions = ( supOutStream ){ out, 256, 12 };
            assert_int_equal( supSkinJob_Run( &job, NULL ), sup_success );
            for ( int32_t v = 0; v < mesh.vertexCount; ++v )
            {
                supAssertPoint( out + 3 * v, rest[3 * v], rest[3 * v + 1], rest[3 * v + 2],
                    1e-6 * supCharacter_Info( character )->size );
            }
        }
    }
}

static void supTestPlain( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    supCharacter* character = supTestCreate( &bones.def );
    supAssertBar( character, 0, 1.0, 0.0, 0.0, 0.0 );
    supAssertSkinsToRest( character );
    assert_float_equal( supCharacter_Info( character )->size, sqrtf( 4.5f ), 1e-6f );
    supVec3 lower = supCharacter_Info( character )->lower, upper = supCharacter_Info( character )->upper;
    supAssertPoint( &lower.x, -0.25, 0.0, -0.25, 0.0 );
    supAssertPoint( &upper.x, 0.25, 2.0, 0.25, 0.0 );
    supDestroyCharacter( character );
}

/// The nodes stand bent and moved; the bind pose is straight. The topmost joint decides where, the bind matrices how.
static void supTestBentNodes( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    bones.joints[0].rest.translation = ( supVec3 ){ 5.0f, 6.0f, 7.0f };
    bones.joints[2].rest.rotation = ( supQuat ){ 0.6f, 0.0f, 0.0f, 0.8f };
    bones.joints[2].rest.translation = ( supVec3 ){ 3.0f, -1.0f, 0.0f };
    supCharacter* character = supTestCreate( &bones.def );
    supAssertBar( character, 0, 1.0, 5.0, 6.0, 7.0 );
    supMat34 upper = supCharacter_Info( character )->restJoints[2];
    supAssertPoint( &upper.t.x, 5.0, 7.0, 7.0, 1e-6 );
    supAssertPoint( &upper.x.x, 1.0, 0.0, 0.0, 1e-6 );
    supAssertSkinsToRest( character );
    supDestroyCharacter( character );
}

/// A mesh in centimetres that lies on its back, as exporters write it: a root node of scale 0.01 turned by -90 degrees
/// about X.
static void supTestCentimetres( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    const float half = 0.70710678118654752f;
    bones.joints[0].rest.scale = ( supVec3 ){ 0.01f, 0.01f, 0.01f };
    bones.joints[0].rest.rotation = ( supQuat ){ -half, 0.0f, 0.0f, half };
    bones.joints[2].rest.translation = ( supVec3 ){ 0.0f, 0.0f, 100.0f }; // up is z in there
    bones.inverseBind[1].t = ( supVec3 ){ 0.0f, 0.0f, -100.0f };
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        float* p = bones.positions + 3 * v;
        float y = p[1], z = p[2];
        p[0] *= 100.0f;
        p[1] = -100.0f * z;
        p[2] = 100.0f * y;
    }
    supCharacter* character = supTestCreate( &bones.def );
    supAssertBar( character, 0, 1.0, 0.0, 0.0, 0.0 );
    supAssertSkinsToRest( character );
    supDestroyCharacter( character );
}

/// Without bind matrices rest is the nodes', bent as they are.
static void supTestNoBind( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    bones.skin.inverseBind = NULL;
    bones.joints[2].rest.translation = ( supVec3 ){ 0.0f, 0.0f, 4.0f };
    supCharacter* character = supTestCreate( &bones.def );
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        const float* p = bones.positions + 3 * v;
        supAssertPoint( supCharacter_Info( character )->restPositions + 3 * v, p[0], p[1],
            (double)p[2] + 4.0 * (double)bones.weights[2 * v + 1], 1e-6 );
    }
    supAssertSkinsToRest( character );
    supDestroyCharacter( character );
}

/// The default weights of morph targets belong to rest.
static void supTestMorphedRest( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    bones.morphWeights[0] = 0.5f;
    supCharacter* character = supTestCreate( &bones.def );
    supAssertBar( character, 0, 1.0, 0.5, 0.0, 0.0 );
    supAssertSkinsToRest( character );
    supDestroyCharacter( character );
}

/// A second skin for "upper" alone (a head), with the nodes moved away from the bind pose; a rigid mesh on a joint of
/// no skin below it. All hang on the bind pose of the first skin.
static void supTestTwoSkins( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    supJointDef joints[4] = { bones.joints[0], bones.joints[1], bones.joints[2],
        { "tip", 2, supTransform_identity, NULL, NULL, false } };
    joints[3].rest.translation.y = 1.0f;
    joints[2].rest.translation = ( supVec3 ){ 9.0f, 9.0f, 9.0f };
    const int32_t head = 2;
    supMat34 headBind = bones.inverseBind[1];
    headBind.x.x = headBind.y.y = headBind.z.z = 0.1f; // a mesh ten times as large
    const supSkinDef skins[2] = { { "head", 1, &head, &headBind }, bones.skin };
    supMeshDef meshes[3] = { bones.mesh, bones.mesh, bones.mesh };
    uint16_t zeros[2 * SUP_TWO_BONES_VERTICES] = { 0 };
    meshes[0].skin = 0;
    meshes[0].jointIndices = zeros;
    meshes[1].skin = 1;
    meshes[2].skin = -1;
    meshes[2].joint = 3;
    bones.def.joints = joints;
    bones.def.jointCount = 4;
    bones.def.skins = skins;
    bones.def.skinCount = 2;
    bones.def.meshes = meshes;
    bones.def.meshCount = 3;
    supCharacter* character = supTestCreate( &bones.def );
    supAssertBar( character, 0, 0.1, 0.0, 0.0, 0.0 );
    supAssertBar( character, SUP_TWO_BONES_VERTICES, 1.0, 0.0, 0.0, 0.0 );
    supAssertBar( character, 2 * SUP_TWO_BONES_VERTICES, 1.0, 0.0, 2.0, 0.0 );
    supAssertSkinsToRest( character );
    assert_int_equal( supCharacter_Info( character )->paletteCount, 4 );
    const int32_t behind[4] = { 2, 1, 2, 3 };
    assert_memory_equal( supCharacter_Info( character )->paletteJoints, behind, sizeof( behind ) );
    assert_int_equal( supCharacter_Mesh( character, 1 ).firstPalette, 1 );
    assert_int_equal( supCharacter_Mesh( character, 2 ).firstPalette, 3 );
    supDestroyCharacter( character );
}

static void supCountNote( const char* text, void* user )
{
    if ( strstr( text, "cannot be inverted (these joints rest where the nodes put them)" ) != NULL )
    {
        *(int*)user += 1;
    }
}

/// Joints of scale zero have no bind pose: they rest where the nodes put them, which is said; the others are not
/// harmed.
static void supTestSingularBind( void** state )
{
    (void)state;
    for ( int which = 0; which < 3; ++which )
    {
        supTwoBones bones;
        supMakeTwoBones( &bones );
        int notes = 0;
        bones.def.log = ( supLog ){ supCountNote, &notes };
        bones.joints[2].rest.translation.y = 1.25f;
        for ( int i = 0; i < 2; ++i )
        {
            if ( which == i || which == 2 )
            {
                bones.inverseBind[i].x = bones.inverseBind[i].y = bones.inverseBind[i].z = supVec3_zero;
            }
        }
        supCharacter* character = supTestCreate( &bones.def );
        assert_int_equal( notes, 1 );
        // "upper" is 1 above "lower" in the bind matrices, 1.25 in the nodes; alone, it carries the skin from where its
        // node is.
        supAssertPoint( &supCharacter_Info( character )->restJoints[2].t.x, 0.0, 1.25, 0.0, 1e-6 );
        supAssertPoint( &supCharacter_Info( character )->restJoints[1].t.x, 0.0, 0.0, 0.0, 1e-6 );
        for ( int v = 0; v < 3 * SUP_TWO_BONES_VERTICES; ++v )
        {
            assert_true( isfinite( supCharacter_Info( character )->restPositions[v] ) );
        }
        supAssertSkinsToRest( character );
        supDestroyCharacter( character );
    }
}

/// A flat but honest scale on either side of a rotation is not singular.
static void supTestFlatBind( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    int notes = 0;
    bones.def.log = ( supLog ){ supCountNote, &notes };
    bones.inverseBind[0] =
        ( supMat34 ){ { 0.6f, 0.8f, 0.0f }, { -0.8f, 0.6f, 0.0f }, { 0.0f, 0.0f, 1e-12f }, supVec3_zero };
    bones.inverseBind[1] =
        ( supMat34 ){ { 0.6f, 8e-10f, 0.0f }, { -0.8f, 6e-10f, 0.0f }, { 0.0f, 0.0f, 1.0f }, supVec3_zero };
    supDestroyCharacter( supTestCreate( &bones.def ) );
    assert_int_equal( notes, 0 );
}

// Welds
// -------------------------------------------------------------------------------------------------------------------

/// Points of a coarse grid at random, so that many coincide, in two meshes: compared with looking at every pair.
static void supTestWelds( void** state )
{
    (void)state;
    enum
    {
        count = 1500
    };
    static float points[3 * count];
    uint32_t seed = 99;
    for ( int i = 0; i < 3 * count; ++i )
    {
        seed = seed * 1664525u + 1013904223u;
        points[i] = (float)( ( seed >> 10 ) % 9 ) - 4.0f;
        points[i] = points[i] == 0.0f && ( seed >> 30 ) == 0 ? -0.0f : points[i]; // -0 stands where 0 does
    }
    const supJointDef joint = { NULL, -1, supTransform_identity, NULL, NULL, false };
    const supMeshDef meshes[2] = { { .skin = -1, .vertexCount = 700, .positions = points },
        { .skin = -1, .vertexCount = count - 700, .positions = points + 3 * 700 } };
    supCharacterDef def = supDefaultCharacterDef();
    def.jointCount = 1;
    def.joints = &joint;
    def.meshCount = 2;
    def.meshes = meshes;
    supCharacter* character = supTestCreate( &def );
    const int32_t* welds = supCharacter_Info( character )->welds;
    int welded = 0;
    for ( int i = 0; i < count; ++i )
    {
        int first = 0;
        while ( points[3 * first] != points[3 * i] || points[3 * first + 1] != points[3 * i + 1] ||
                points[3 * first + 2] != points[3 * i + 2] )
        {
            ++first;
        }
        assert_int_equal( welds[i], first );
        welded += first != i;
    }
    assert_in_range( welded, 500, count );
    supDestroyCharacter( character );
}

/// Seams stay closed at rest where their two sides have different weights, in a skin whose bind pose needs inverting.
static void supTestSeams( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    bones.joints[0].rest.rotation = ( supQuat ){ 0.1f, 0.5f, 0.3f, 0.80622577f };
    bones.joints[0].rest.scale = ( supVec3 ){ 0.013f, 0.013f, 0.013f };
    bones.inverseBind[0] = ( supMat34 ){ { 0.36f, 0.48f, -0.8f }, { -0.8f, 0.6f, 0.0f }, { 0.48f, 0.64f, 0.6f },
        { 0.123f, 4.56f, -7.89f } };
    bones.inverseBind[1] =
        ( supMat34 ){ { 0.6f, 0.8f, 0.0f }, { -0.8f, 0.6f, 0.0f }, { 0.0f, 0.0f, 1.0f }, { 3.21f, -6.54f, 9.87f } };
    uint32_t seed = 7;
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        memcpy( bones.positions + 3 * v, bones.positions + 3 * ( v % 10 ), 12 );
        seed = seed * 1664525u + 1013904223u;
        bones.weights[2 * v] = (float)( seed >> 8 ) / 16777216.0f;
        bones.weights[2 * v + 1] = 1.0f - bones.weights[2 * v];
    }
    supCharacter* character = supTestCreate( &bones.def );
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        assert_int_equal( supCharacter_Info( character )->welds[v], v % 10 );
    }
    supDestroyCharacter( character );
}

// Fingerprint
// ---------------------------------------------------------------------------------------------------------------

static uint64_t supFingerprint( const supTwoBones* bones )
{
    supCharacter* character = supTestCreate( &bones->def );
    uint64_t fingerprint = supCharacter_Info( character )->fingerprint;
    supDestroyCharacter( character );
    return fingerprint;
}

static void supTestFingerprint( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    uint64_t first = supFingerprint( &bones );
    bones.mesh.name = "other";
    bones.weights[0] = 0.25f;
    bones.normals[0] = 0.5f;
    bones.clip.trackCount = 0;
    assert_true( supFingerprint( &bones ) == first );
    bones.positions[30] = nextafterf( bones.positions[30], 1.0f );
    uint64_t moved = supFingerprint( &bones );
    assert_true( moved != first );
    bones.indices[5] = 3;
    assert_true( supFingerprint( &bones ) != moved );
    bones.mesh.indexCount -= 3;
    assert_true( supFingerprint( &bones ) != moved );
}

/// Ten scales of 3e38, one in another, over 300,000 zeros: every point is a NaN. Refused in milliseconds, where welding
/// them first took minutes: no NaN is found again, so each was compared with all before it.
static void supTestNotFiniteIsQuick( void** state )
{
    (void)state;
    enum
    {
        depth = 10,
        vertices = 300000
    };
    supJointDef joints[depth] = { 0 };
    for ( int i = 0; i < depth; ++i )
    {
        joints[i] = ( supJointDef ){ .parent = i - 1, .rest = supTransform_identity };
        joints[i].rest.scale = ( supVec3 ){ 3e38f, 3e38f, 3e38f };
    }
    float* zeros = calloc( 3 * vertices, sizeof( float ) );
    supMeshDef mesh = { .joint = depth - 1, .skin = -1, .vertexCount = vertices, .positions = zeros };
    supCharacterDef def = supDefaultCharacterDef();
    def.joints = joints;
    def.jointCount = depth;
    def.meshes = &mesh;
    def.meshCount = 1;
    supCharacter* character = NULL;
    supError error = { 0 };
    clock_t start = clock();
    assert_int_equal( supCreateCharacter( &def, &character, &error ), sup_errorData );
    double seconds = (double)( clock() - start ) / CLOCKS_PER_SEC;
    assert_non_null( strstr( error.text, "too far away" ) );
    assert_true( seconds < 5.0 );
    free( zeros );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestPlain ), cmocka_unit_test( supTestBentNodes ),
        cmocka_unit_test( supTestCentimetres ), cmocka_unit_test( supTestNoBind ),
        cmocka_unit_test( supTestMorphedRest ), cmocka_unit_test( supTestTwoSkins ),
        cmocka_unit_test( supTestSingularBind ), cmocka_unit_test( supTestFlatBind ), cmocka_unit_test( supTestWelds ),
        cmocka_unit_test( supTestSeams ), cmocka_unit_test( supTestFingerprint ),
        cmocka_unit_test( supTestNotFiniteIsQuick ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
