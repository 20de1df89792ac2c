// Every reason to refuse a character: the code, and words that name the thing.
#include "support/two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct supRefusal
{
    void ( *change )( supTwoBones* bones );
    supResult code;
    const char* words; // the whole text, after the file's name
} supRefusal;

static void supAssertRefused( const supCharacterDef* def, supResult code, const char* words )
{
    supCharacter* character = (supCharacter*)&code; // must be overwritten
    supError error = { 0 };
    supResult result = supCreateCharacter( def, &character, &error );
    assert_null( character );
    if ( result != code || error.code != code || strcmp( error.text, words ) != 0 )
    {
        fail_msg( "result %d \"%s\", expected %d \"%s\"", (int)result, error.text, (int)code, words );
    }
    assert_int_equal( supCreateCharacter( def, &character, NULL ), code ); // and without a place for words
}

// Defs ---------------------------------------------------------------------------------------------------------------

#define SUP_CHANGE( name, statements )                                                                                 \
    static void name( supTwoBones* b )                                                                                 \
    {                                                                                                                  \
        statements;                                                                                                    \
    }

static supMat34 sup_badMatrix = { { 1.0f, 0.0f, 0.0f }, { 0.0f, INFINITY, 0.0f }, { 0.0f, 0.0f, 1.0f },
    { 0.0f, 0.0f, 0.0f } };
static const float sup_fallingTimes[4] = { 0.5f, 1.0f, 0.0f, 0.5f };
static const float sup_fourKeys[16] = { 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0 };
static supMeshDef sup_hugeMeshes[2];
static int32_t sup_manyJoints[65536];

SUP_CHANGE( supCountBelowZero, b->def.jointCount = -1 )
SUP_CHANGE( supJointsMissing, b->def.joints = NULL )
SUP_CHANGE( supSkinsMissing, b->def.skins = NULL )
SUP_CHANGE( supMeshesMissing, b->def.meshes = NULL )
SUP_CHANGE( supClipsMissing, b->def.clips = NULL )
SUP_CHANGE( supParentOutside, b->joints[2].parent = 3 )
SUP_CHANGE( supParentBelow, b->joints[2].parent = -2 )
SUP_CHANGE( supOwnParent, b->joints[1].parent = 1 )
SUP_CHANGE( supCycle, b->joints[0].parent = 2 )
SUP_CHANGE( supNamelessCycle, b->joints[0].parent = 2;
            b->joints[0].name = b->joints[1].name = b->joints[2].name = NULL )
SUP_CHANGE( supTransformNan, b->joints[1].rest.rotation.y = NAN )
SUP_CHANGE( supMatrixInfinite, b->joints[1].matrix = &sup_badMatrix )
SUP_CHANGE( supNewlineInName, b->joints[1].name = "a\nb"; b->joints[1].parent = 7 )
SUP_CHANGE( supSkinEmpty, b->skin.jointCount = 0 )
SUP_CHANGE( supSkinJointsMissing, b->skin.joints = NULL )
SUP_CHANGE( supSkinTooLarge, b->skin.jointCount = 65536; b->skin.joints = sup_manyJoints; b->skin.inverseBind = NULL )
SUP_CHANGE( supSkinJointOutside, b->skinJoints[1] = 3 )
SUP_CHANGE( supBindNan, b->inverseBind[1].t.z = NAN )
SUP_CHANGE( supVerticesBelowZero, b->mesh.vertexCount = -5 )
SUP_CHANGE( supMeshJointOutside, b->mesh.joint = 3 )
SUP_CHANGE( supMeshSkinOutside, b->mesh.skin = 1 )
SUP_CHANGE( supPositionsMissing, b->mesh.positions = NULL )
SUP_CHANGE( supIndicesMissing, b->mesh.indices = NULL )
SUP_CHANGE( supHalfTriangle, b->mesh.indexCount = 4 )
SUP_CHANGE( supNoInfluences, b->mesh.influenceCount = 0 )
SUP_CHANGE( supNineInfluences, b->mesh.influenceCount = 9 )
SUP_CHANGE( supJointIndicesMissing, b->mesh.jointIndices = NULL )
SUP_CHANGE( supWeightsMissing, b->mesh.weights = NULL )
SUP_CHANGE( supJointIndexOutside, b->jointIndices[2 * 19 + 1] = 212 )
SUP_CHANGE( supIndexOutside, b->indices[7] = 20 )
SUP_CHANGE( supIndexHuge, b->indices[95] = 4000000000u )
SUP_CHANGE( supPositionNan, b->positions[3 * 4 + 2] = NAN )
SUP_CHANGE( supMorphNan, b->morph[3 * 4 + 2] = NAN )
SUP_CHANGE( supMorphWeightNan, b->morphWeights[0] = NAN )
SUP_CHANGE( supTooFar, b->positions[0] = 3e38f; b->joints[0].rest.scale.x = 3.0f )
SUP_CHANGE( supBoxTooLarge, b->positions[0] = 3e38f; b->positions[3] = -3e38f )
SUP_CHANGE( supJointTooFar, b->joints[0].rest.scale.y = 1e30f; b->joints[2].rest.translation.y = 1e30f;
            b->skin.inverseBind = NULL )
SUP_CHANGE( supTracksMissing, b->clip.tracks = NULL )
SUP_CHANGE( supTracksBelowZero, b->clip.trackCount = -1 )
SUP_CHANGE( supTrackJointOutside, b->track.joint = 3 )
SUP_CHANGE( supNoPath, b->track.path = (supPath)4 )
SUP_CHANGE( supNoInterpolation, b->track.interpolation = (supInterpolation)3 )
SUP_CHANGE( supNoKeys, b->track.keyCount = 0 )
SUP_CHANGE( supTimesMissing, b->track.times = NULL )
SUP_CHANGE( supValuesMissing, b->track.values = NULL )
SUP_CHANGE( supWrongWidth, b->track.width = 3 )
SUP_CHANGE( supTimesUnclear, b->track.keyCount = 4; b->track.times = sup_fallingTimes; b->track.values = sup_fourKeys )
SUP_CHANGE( supHugeMeshes, sup_hugeMeshes[0] = sup_hugeMeshes[1] = b->mesh; sup_hugeMeshes[0].vertexCount = INT32_MAX;
            sup_hugeMeshes[1].vertexCount = INT32_MAX; b->def.meshes = sup_hugeMeshes; b->def.meshCount = 2 )

static const supRefusal sup_refusals[] = {
    { supCountBelowZero, sup_errorArgument, "joints: the count is -1, but must not be negative" },
    { supJointsMissing, sup_errorArgument, "joints: there should be 3 of them, but the array is missing" },
    { supSkinsMissing, sup_errorArgument, "skins: there should be 1 of them, but the array is missing" },
    { supMeshesMissing, sup_errorArgument, "meshes: there should be 1 of them, but the array is missing" },
    { supClipsMissing, sup_errorArgument, "clips: there should be 1 of them, but the array is missing" },
    { supParentOutside, sup_errorData, "joint 'upper': its parent is joint 3, but there are 3 joints" },
    { supParentBelow, sup_errorData, "joint 'upper': its parent is joint -2, but there are 3 joints" },
    { supOwnParent, sup_errorData, "joint 'lower': is its own ancestor" },
    { supCycle, sup_errorData, "joint 'root': is its own ancestor" },
    { supNamelessCycle, sup_errorData, "joint 0: is its own ancestor" },
    { supTransformNan, sup_errorData, "joint 'lower': its transform holds a number that is not finite" },
    { supMatrixInfinite, sup_errorData, "joint 'lower': its transform holds a number that is not finite" },
    { supNewlineInName, sup_errorData, "joint 'a?b': its parent is joint 7, but there are 3 joints" },
    { supSkinEmpty, sup_errorData, "skin 'bones': has no joints" },
    { supSkinJointsMissing, sup_errorData, "skin 'bones': has no joints" },
    { supSkinTooLarge, sup_errorLimit, "skin 'bones': has 65536 joints; at most 65535 are allowed" },
    { supSkinJointOutside, sup_errorData, "skin 'bones': entry 1 is joint 3, but there are 3 joints" },
    { supBindNan, sup_errorData,
        "skin 'bones': the inverse bind matrix of joint 'upper' (entry 1) holds a number that is not finite" },
    { supVerticesBelowZero, sup_errorArgument,
        "mesh 'bar': a count below zero (-5 vertices, 96 indices, 1 morph targets)" },
    { supMeshJointOutside, sup_errorData, "mesh 'bar': shown by joint 3, but there are 3 joints" },
    { supMeshSkinOutside, sup_errorData, "mesh 'bar': bound to skin 1, but there are 1 skins" },
    { supPositionsMissing, sup_errorData, "mesh 'bar': has no positions" },
    { supIndicesMissing, sup_errorArgument, "mesh 'bar': there should be 96 indices, but the array is missing" },
    { supHalfTriangle, sup_errorData, "mesh 'bar': 4 indices do not make whole triangles" },
    { supNoInfluences, sup_errorLimit, "mesh 'bar': 0 joints per vertex; 1 to 8 are allowed" },
    { supNineInfluences, sup_errorLimit, "mesh 'bar': 9 joints per vertex; 1 to 8 are allowed" },
    { supJointIndicesMissing, sup_errorData, "mesh 'bar': bound to a skin, but has no joint indices" },
    { supWeightsMissing, sup_errorData, "mesh 'bar': bound to a skin, but has no weights" },
    { supJointIndexOutside, sup_errorData,
        "mesh 'bar', vertex 19: its joint index is 212, but skin 'bones' has 2 joints" },
    { supIndexOutside, sup_errorData, "mesh 'bar', triangle 2: it uses vertex 20, but there are 20 vertices" },
    { supIndexHuge, sup_errorData, "mesh 'bar', triangle 31: it uses vertex 4000000000, but there are 20 vertices" },
    { supPositionNan, sup_errorData, "mesh 'bar', vertex 4: its position is not a finite number" },
    { supMorphNan, sup_errorData, "mesh 'bar', vertex 4: its position in morph target 0 is not a finite number" },
    { supMorphWeightNan, sup_errorData, "mesh 'bar': the weight of morph target 0 is not a finite number" },
    { supTooFar, sup_errorData, "mesh 'bar', vertex 0: is too far away at rest" },
    { supBoxTooLarge, sup_errorData, "the bounding box at rest is too large" },
    { supJointTooFar, sup_errorData, "joint 'upper': is too far away or too large at rest" },
    { supTracksMissing, sup_errorArgument, "clip 'bend': 1 tracks, but no array" },
    { supTracksBelowZero, sup_errorArgument, "clip 'bend': -1 tracks" },
    { supTrackJointOutside, sup_errorData, "clip 'bend', track 0: it moves joint 3, but there are 3 joints" },
    { supNoPath, sup_errorArgument, "clip 'bend', track 0: 4 is not a path" },
    { supNoInterpolation, sup_errorArgument, "clip 'bend', track 0: 3 is not an interpolation" },
    { supNoKeys, sup_errorData, "clip 'bend', track 0 (rotation of joint 'upper'): has no keys" },
    { supTimesMissing, sup_errorArgument,
        "clip 'bend', track 0 (rotation of joint 'upper'): there should be 2 keys, but the array of times is missing" },
    { supValuesMissing, sup_errorArgument,
        "clip 'bend', track 0 (rotation of joint 'upper'): there should be 2 keys, but the array of values is missing" },
    { supWrongWidth, sup_errorData, "clip 'bend', track 0 (rotation of joint 'upper'): a value cannot have 3 numbers" },
    { supTimesUnclear, sup_errorData,
        "clip 'bend', track 0 (rotation of joint 'upper'): its keys are out of order, and two keys with different values have the same time, 0.5" },
    { supHugeMeshes, sup_errorLimit,
        "too large: 4294967294 vertices, 2 morph targets, 2 joint matrices; at most 2147483647 of each are allowed" },
};

static void supTestRefusals( void** state )
{
    (void)state;
    for ( size_t i = 0; i < sizeof( sup_refusals ) / sizeof( sup_refusals[0] ); ++i )
    {
        supTwoBones bones;
        supMakeTwoBones( &bones );
        sup_refusals[i].change( &bones );
        char words[SUP_ERROR_TEXT];
        snprintf( words, sizeof( words ), "bar.test: %s", sup_refusals[i].words );
        supAssertRefused( &bones.def, sup_refusals[i].code, words );
    }
}

static void supTestCookie( void** state )
{
    (void)state;
    supCharacterDef zeros = { 0 };
    supAssertRefused( &zeros, sup_errorArgument, "the character's def was not made by supDefaultCharacterDef" );
}

/// Each number of each array that nothing can stand in for, as NaN and as both infinities.
static void supTestNotFinite( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    supMat34 matrix = supMat34_identity;
    bones.joints[0].matrix = &matrix;
    const struct
    {
        float* values;
        size_t count;
    } arrays[] = {
        { bones.positions, sizeof( bones.positions ) / 4 },
        { bones.morph, sizeof( bones.morph ) / 4 },
        { bones.morphWeights, 1 },
        { (float*)bones.inverseBind, 24 },
        { (float*)&bones.joints[1].rest, 10 },
        { (float*)&matrix, 12 },
    };
    supDestroyCharacter( supTestCreate( &bones.def ) );
    for ( size_t a = 0; a < sizeof( arrays ) / sizeof( arrays[0] ); ++a )
    {
        for ( size_t i = 0; i < arrays[a].count; ++i )
        {
            const float bad[3] = { NAN, INFINITY, -INFINITY };
            for ( int k = 0; k < 3; ++k )
            {
                float kept = arrays[a].values[i];
                arrays[a].values[i] = bad[k];
                supCharacter* character = NULL;
                supError error = { 0 };
                assert_int_equal( supCreateCharacter( &bones.def, &character, &error ), sup_errorData );
                assert_non_null( strstr( error.text, "finite" ) );
                arrays[a].values[i] = kept;
            }
        }
    }
    supDestroyCharacter( supTestCreate( &bones.def ) );
}

/// An index out of range is refused wherever its weight counts, an infinite one too, in a mesh without triangles too.
static void supTestStrayIndexWithWeight( void** state )
{
    (void)state;
    const float weights[3] = { 1e-30f, 1.0f, INFINITY };
    for ( int i = 0; i < 3; ++i )
    {
        supTwoBones bones;
        supMakeTwoBones( &bones );
        bones.jointIndices[2 * 7] = 2;
        bones.weights[2 * 7] = weights[i];
        bones.mesh.indexCount = i == 0 ? 0 : bones.mesh.indexCount;
        supAssertRefused( &bones.def, sup_errorData,
            "bar.test: mesh 'bar', vertex 7: its joint index is 2, but skin 'bones' has 2 joints" );
    }
    // a point is drawn though it is in no triangle
    supTwoBones bones;
    supMakeTwoBones( &bones );
    bones.mesh.indexCount = 0;
    bones.positions[3 * 5] = NAN;
    supAssertRefused(
        &bones.def, sup_errorData, "bar.test: mesh 'bar', vertex 5: its position is not a finite number" );
}

/// The last skin that is small enough, and an index that is outside but has no weight.
static void supTestBarelyGood( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    bones.skin.jointCount = 65535;
    bones.skin.joints = sup_manyJoints;
    bones.skin.inverseBind = NULL;
    supDestroyCharacter( supTestCreate( &bones.def ) );

    supMakeTwoBones( &bones );
    bones.jointIndices[1] = 65535; // vertex 0 hangs on the other one
    supCharacter* character = supTestCreate( &bones.def );
    assert_int_equal( supCharacter_Mesh( character, 0 ).jointIndices[1], 0 );
    supDestroyCharacter( character );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestRefusals ), cmocka_unit_test( supTestCookie ),
        cmocka_unit_test( supTestNotFinite ), cmocka_unit_test( supTestStrayIndexWithWeight ),
        cmocka_unit_test( supTestBarelyGood ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
