// Supple: characters that never were a file, written as glTF and read back.
// SPDX-License-Identifier: MIT

#include "supple/creatures.h"
#include "supple/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SUP_TEST_FILE "test_gltf_save.glb"

static bool supIsNear( float a, float b )
{
    return a - b < 1e-6f && b - a < 1e-6f;
}

// What the mesh is made of, to the bit; joints by name, since the reader orders influences and lists as it likes.
static void supCheckMesh( const supCharacter* a, const supCharacter* b )
{
    assert_int_equal( supCharacter_Info( a )->meshCount, supCharacter_Info( b )->meshCount );
    supMeshView x = supCharacter_Mesh( a, 0 ), y = supCharacter_Mesh( b, 0 );
    assert_string_equal( x.name, y.name );
    assert_int_equal( x.vertexCount, y.vertexCount );
    assert_int_equal( x.indexCount, y.indexCount );
    size_t n = (size_t)x.vertexCount;
    assert_memory_equal( x.positions, y.positions, n * 12 );
    assert_memory_equal( x.normals, y.normals, n * 12 );
    assert_memory_equal( x.indices, y.indices, (size_t)x.indexCount * sizeof( uint32_t ) );
    const int32_t* xJoints = supCharacter_Info( a )->paletteJoints;
    const int32_t* yJoints = supCharacter_Info( b )->paletteJoints;
    for ( int32_t v = 0; v < x.vertexCount; ++v )
    {
        for ( int32_t i = 0; i < x.influenceCount; ++i )
        {
            int32_t at = v * x.influenceCount + i;
            // Weights are normalised by every reader: equal to rounding.
            float other = 0.0f;
            for ( int32_t k = 0; k < y.influenceCount; ++k )
            {
                int32_t joint = yJoints[y.firstPalette + y.jointIndices[v * y.influenceCount + k]];
                bool same = joint == xJoints[x.firstPalette + x.jointIndices[at]];
                other += same ? y.weights[v * y.influenceCount + k] : 0.0f;
            }
            assert_true( x.weights[at] == 0.0f || supIsNear( x.weights[at], other ) );
        }
    }
}

static void supCheckClips( const supCharacter* a, const supCharacter* b )
{
    assert_int_equal( supCharacter_Info( a )->clipCount, supCharacter_Info( b )->clipCount );
    for ( int32_t clip = 0; clip < supCharacter_Info( a )->clipCount; ++clip )
    {
        assert_string_equal( supCharacter_Clip( a, clip ).name, supCharacter_Clip( b, clip ).name );
        assert_int_equal( supCharacter_Clip( a, clip ).trackCount, supCharacter_Clip( b, clip ).trackCount );
        for ( int32_t t = 0; t < supCharacter_Clip( a, clip ).trackCount; ++t )
        {
            supTrackDef x = supCharacter_Clip( a, clip ).tracks[t], y = supCharacter_Clip( b, clip ).tracks[t];
            assert_int_equal( x.joint, y.joint );
            assert_int_equal( x.path, y.path );
            assert_int_equal( x.interpolation, y.interpolation );
            assert_int_equal( x.keyCount, y.keyCount );
            assert_memory_equal( x.times, y.times, (size_t)x.keyCount * sizeof( float ) );
            assert_memory_equal( x.values, y.values, (size_t)( x.keyCount * x.width ) * sizeof( float ) );
        }
    }
}

static void supCheckLook( const supLook* a, const supLook* b, int32_t vertexCount )
{
    assert_int_equal( a->materialCount, b->materialCount );
    assert_int_equal( a->imageCount, b->imageCount );
    for ( int32_t i = 0; i < a->imageCount; ++i )
    {
        assert_int_equal( a->images[i].size, b->images[i].size );
        assert_memory_equal( a->images[i].data, b->images[i].data, a->images[i].size );
    }
    const supMaterial *x = &a->materials[0], *y = &b->materials[0];
    assert_string_equal( x->name, y->name );
    assert_true( x->roughness == y->roughness && x->metallic == y->metallic );
    assert_memory_equal( x->baseColor, y->baseColor, sizeof( x->baseColor ) );
    assert_int_equal( x->image, y->image );
    assert_memory_equal( a->meshes[0].colors, b->meshes[0].colors, (size_t)vertexCount * 16 );
    if ( a->meshes[0].texcoords[0] != NULL )
    {
        assert_memory_equal( a->meshes[0].texcoords[0], b->meshes[0].texcoords[0], (size_t)vertexCount * 8 );
    }
}

static void supTestCreaturesComeBack( void** state )
{
    (void)state;
    const char* const* names;
    int32_t count = supCreatureNames( &names );
    for ( int32_t i = 0; i < count; ++i )
    {
        supError error;
        supCreature* creature;
        assert_int_equal( supCreateCreature( names[i], NULL, &creature, &error ), sup_success );
        const supCharacter* own = supCreature_Character( creature );
        assert_int_equal( supSaveGltf( own, supCreature_Look( creature ), SUP_TEST_FILE, &error ), sup_success );
        supGltf* document;
        supLog silent = { 0 };
        assert_int_equal( supOpenGltf( SUP_TEST_FILE, silent, &document, &error ), sup_success );
        supCharacter* again;
        const supLook* look;
        assert_int_equal( supGltf_Character( document, NULL, &again, &error ), sup_success );
        assert_int_equal( supGltf_Look( document, &look, &error ), sup_success );
        supCheckMesh( own, again );
        supCheckClips( own, again );
        supCheckLook( supCreature_Look( creature ), look, supCharacter_Info( own )->vertexCount );
        for ( int32_t j = 0; j < supCharacter_Info( own )->jointCount; ++j )
        {
            assert_string_equal( supCharacter_Joint( own, j )->name, supCharacter_Joint( again, j )->name );
            assert_int_equal( supCharacter_Joint( own, j )->parent, supCharacter_Joint( again, j )->parent );
            supMat34 x = supCharacter_Joint( own, j )->local, y = supCharacter_Joint( again, j )->local;
            assert_memory_equal( &x, &y, sizeof( x ) );
        }
        supDestroyCharacter( again );
        supCloseGltf( document );
        supDestroyCreature( creature );
    }
    remove( SUP_TEST_FILE );
}

// Two meshes of one node: one glTF mesh of two primitives; with two skins, refused by name.
static void supTestTwoMeshesOfANode( void** state )
{
    (void)state;
    static const float positions[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    static const uint32_t indices[3] = { 0, 1, 2 };
    static const uint16_t joints[3] = { 0, 0, 0 };
    static const float weights[3] = { 1, 1, 1 };
    static const int32_t skinJoint = 1;
    supJointDef nodes[2] = { { "shows", -1, supTransform_identity, NULL, NULL, false },
        { "bone", -1, supTransform_identity, NULL, NULL, false } };
    nodes[1].rest.rotation = ( supQuat ){ 0.6f, 0.0f, 0.0f, 0.8f };
    nodes[1].rest.scale = ( supVec3 ){ 1.0f, 2.0f, 0.5f };
    supSkinDef skin = { "skin", 1, &skinJoint, NULL };
    supMeshDef meshes[2] = { { .name = "a",
        .skin = -1,
        .vertexCount = 3,
        .positions = positions,
        .indexCount = 3,
        .indices = indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 } };
    meshes[1] = meshes[0];
    meshes[1].name = "b";
    meshes[1].influenceCount = 1;
    meshes[1].jointIndices = joints;
    meshes[1].weights = weights;
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "pair";
    def.jointCount = 2;
    def.joints = nodes;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 2;
    def.meshes = meshes;
    for ( int32_t skinned = 0; skinned < 2; ++skinned )
    {
        meshes[1].skin = skinned == 0 ? -1 : 0;
        supError error;
        supCharacter *character, *again;
        supGltf* document;
        assert_int_equal( supCreateCharacter( &def, &character, &error ), sup_success );
        supResult result = supMakeGltf( character, NULL, &document, &error );
        assert_int_equal( result, skinned == 0 ? sup_success : sup_errorUnsupported );
        if ( skinned == 0 )
        {
            assert_int_equal( supGltf_Character( document, NULL, &again, &error ), sup_success );
            assert_int_equal( supCharacter_Info( again )->meshCount, 2 );
            assert_int_equal( supCharacter_Mesh( again, 1 ).sourcePrimitive, 1 );
            supMat34 x = supCharacter_Joint( character, 1 )->local, y = supCharacter_Joint( again, 1 )->local;
            for ( int32_t i = 0; i < 12; ++i )
            {
                assert_float_equal( ( &x.x.x )[i], ( &y.x.x )[i], 1e-6f );
            }
            supDestroyCharacter( again );
            supCloseGltf( document );
        }
        else
        {
            assert_non_null( strstr( error.text, "'b'" ) );
            assert_null( document );
        }
        supDestroyCharacter( character );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestCreaturesComeBack ),
        cmocka_unit_test( supTestTwoMeshesOfANode ),
    };
    return cmocka_run_group_tests_name( "gltf_save", tests, NULL, NULL );
}
