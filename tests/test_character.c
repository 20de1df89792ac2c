// What a character keeps of its def, and its memory.
#include "base/platform.h"
#include "supple/lab/skin.h"
#include "support/two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Notes
// ----------------------------------------------------------------------------------------------------------------

typedef struct supNotes
{
    int count;
    char text[16][200];
} supNotes;

static void supTakeNote( const char* text, void* user )
{
    supNotes* notes = user;
    assert_in_range( notes->count, 0, 15 );
    snprintf( notes->text[notes->count++], sizeof( notes->text[0] ), "%s", text );
}

// Copies
// ---------------------------------------------------------------------------------------------------------------

/// Everything is copied: the def can be overwritten.
static void supTestViews( void** state )
{
    (void)state;
    supTwoBones bones, kept;
    supMakeTwoBones( &bones );
    supMakeTwoBones( &kept );
    supNotes notes = { 0 };
    bones.def.log = ( supLog ){ supTakeNote, &notes };
    supCharacter* character = supTestCreate( &bones.def );
    assert_int_equal( notes.count, 0 );
    memset( &bones, 0xcd, sizeof( bones ) );

    assert_string_equal( supCharacter_Info( character )->name, "bar.test" );
    assert_int_equal( supCharacter_Info( character )->jointCount, 3 );
    assert_string_equal( supCharacter_Joint( character, 2 )->name, "upper" );
    assert_int_equal( supCharacter_Joint( character, 2 )->parent, 1 );
    assert_int_equal( supCharacter_Joint( character, 0 )->parent, -1 );
    assert_int_equal( supCharacter_FindJoint( character, "lower" ), 1 );
    assert_int_equal( supCharacter_FindJoint( character, "Lower" ), -1 );
    assert_false( supCharacter_Joint( character, 0 )->isSkinJoint );
    assert_true( supCharacter_Joint( character, 1 )->isSkinJoint );
    assert_float_equal( supCharacter_Joint( character, 2 )->local.t.y, 1.0f, 0.0f );

    assert_int_equal( supCharacter_Info( character )->meshCount, 1 );
    assert_int_equal( supCharacter_Info( character )->vertexCount, SUP_TWO_BONES_VERTICES );
    assert_int_equal( supCharacter_Info( character )->morphWeightCount, 1 );
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    assert_string_equal( mesh.name, "bar" );
    assert_string_equal( mesh.material, "rubber" );
    assert_memory_equal( mesh.positions, kept.positions, sizeof( kept.positions ) );
    assert_memory_equal( mesh.normals, kept.normals, sizeof( kept.normals ) );
    assert_memory_equal( mesh.tangents, kept.tangents, sizeof( kept.tangents ) );
    assert_memory_equal( mesh.indices, kept.indices, sizeof( kept.indices ) );
    assert_memory_equal( mesh.morphPositions[0], kept.morph, sizeof( kept.morph ) );
    assert_null( mesh.morphNormals );
    assert_int_equal( mesh.sourceMesh, -1 );

    assert_int_equal( supCharacter_Skin( character, 0 ).jointCount, 2 );
    assert_memory_equal( supCharacter_Skin( character, 0 ).joints, kept.skinJoints, sizeof( kept.skinJoints ) );
    assert_memory_equal( supCharacter_Skin( character, 0 ).inverseBind, kept.inverseBind, sizeof( kept.inverseBind ) );
    assert_string_equal( supCharacter_Skin( character, 0 ).name, "bones" );
    supClipView clip = supCharacter_Clip( character, 0 );
    assert_string_equal( clip.name, "bend" );
    assert_true( clip.start == 0.0 && clip.end == 1.0 );
    assert_int_equal( clip.trackCount, 1 );
    assert_int_equal( supCharacter_FindClip( character, "bend" ), 0 );
    assert_int_equal( supCharacter_FindClip( character, NULL ), -1 );
    supTrackDef track = supCharacter_Clip( character, 0 ).tracks[0];
    assert_memory_equal( track.values, kept.rotations, sizeof( kept.rotations ) );
    assert_memory_equal( track.times, kept.times, sizeof( kept.times ) );
    supDestroyCharacter( character );
}

/// Nothing at all, a mesh without vertices or arrays, a clip without tracks, names that are missing.
static void supTestEmpty( void** state )
{
    (void)state;
    supCharacterDef nothing = supDefaultCharacterDef();
    supCharacter* character = supTestCreate( &nothing );
    assert_string_equal( supCharacter_Info( character )->name, "" );
    assert_int_equal( supCharacter_Info( character )->vertexCount, 0 );
    assert_float_equal( supCharacter_Info( character )->size, 0.0f, 0.0f );
    supDestroyCharacter( character );
    supDestroyCharacter( NULL );

    supTwoBones bones;
    supMakeTwoBones( &bones );
    bones.mesh = ( supMeshDef ){ .skin = 0, .influenceCount = 4 };
    bones.clip = ( supClipDef ){ 0 };
    bones.joints[0].name = bones.skin.name = NULL;
    character = supTestCreate( &bones.def );
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    assert_string_equal( mesh.name, "" );
    assert_string_equal( mesh.material, "" );
    assert_string_equal( supCharacter_Joint( character, 0 )->name, "" );
    assert_string_equal( supCharacter_Skin( character, 0 ).name, "" );
    assert_string_equal( supCharacter_Clip( character, 0 ).name, "" );
    supMat34 palette[2];
    supCharacter_Palette( character, supCharacter_Info( character )->restJoints, palette );
    float unused[3];
    supSkinJob job = supCharacter_SkinJob( character, 0, palette, NULL );
    job.outPositions = ( supOutStream ){ unused, 0, 12 };
    assert_int_equal( supSkinJob_Run( &job, NULL ), sup_success );
    supDestroyCharacter( character );
}

/// Children before parents in the file, several roots; every parent comes before its children, every joint once.
static void supTestOrder( void** state )
{
    (void)state;
    enum
    {
        count = 1000
    };
    static supJointDef joints[count];
    static int32_t place[count], shuffled[count];
    uint32_t seed = 12345;
    for ( int i = 0; i < count; ++i )
    {
        shuffled[i] = i;
    }
    for ( int i = count - 1; i > 0; --i )
    {
        seed = seed * 1664525u + 1013904223u;
        int k = (int)( ( seed >> 8 ) % (uint32_t)( i + 1 ) );
        int32_t kept = shuffled[i];
        shuffled[i] = shuffled[k];
        shuffled[k] = kept;
    }
    for ( int i = 0; i < count; ++i )
    {
        seed = seed * 1664525u + 1013904223u;
        int parent = i % 100 == 0 ? -1 : shuffled[( seed >> 8 ) % (uint32_t)i];
        joints[shuffled[i]] = ( supJointDef ){ NULL, parent, supTransform_identity, NULL, NULL, false };
    }
    supCharacterDef def = supDefaultCharacterDef();
    def.jointCount = count;
    def.joints = joints;
    supCharacter* character = supTestCreate( &def );
    const int32_t* order = supCharacter_Info( character )->jointOrder;
    memset( place, -1, sizeof( place ) );
    for ( int i = 0; i < count; ++i )
    {
        assert_int_equal( place[order[i]], -1 );
        place[order[i]] = i;
    }
    for ( int i = 0; i < count; ++i )
    {
        assert_true( joints[i].parent < 0 || place[joints[i].parent] < place[i] );
    }
    supDestroyCharacter( character );
}

// Memory
// ---------------------------------------------------------------------------------------------------------------

typedef struct supCounting
{
    int calls, failAt; // failAt: the call that gets nothing, -1: none
    int live;
    size_t liveBytes;
} supCounting;

static void* supCountAllocate( size_t size, size_t alignment, void* user )
{
    supCounting* counting = user;
    assert_int_not_equal( size, 0 );
    assert_true( alignment <= 64 && ( alignment & ( alignment - 1 ) ) == 0 );
    if ( counting->calls++ == counting->failAt )
    {
        return NULL;
    }
    counting->live += 1;
    counting->liveBytes += size;
    return supSystemAlloc( size, 64 );
}

static void supCountRelease( void* block, size_t size, void* user )
{
    supCounting* counting = user;
    assert_non_null( block );
    counting->live -= 1;
    counting->liveBytes -= size;
    supSystemFree( block );
}

/// One block while it lives, and none when it is destroyed or cannot be made.
static void supTestMemory( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    supCounting counting = { .failAt = -1 };
    supAllocator allocator = { supCountAllocate, supCountRelease, &counting };
    bones.def.allocator = &allocator;
    supCharacter* character = supTestCreate( &bones.def );
    int calls = counting.calls;
    assert_int_equal( counting.live, 1 );
    supPose* pose = NULL;
    supMakeDef make = supDefaultMakeDef();
    make.allocator = &allocator;
    assert_int_equal( supCreatePose( character, &make, &pose, NULL ), sup_success );
    assert_int_equal( counting.live, 2 );
    supDestroyPose( pose );
    supDestroyPose( NULL );
    counting.failAt = counting.calls;
    supError error = { 0 };
    assert_int_equal( supCreatePose( character, &make, &pose, &error ), sup_errorMemory );
    assert_string_equal( error.text, "no memory for a pose of 3 joints" );
    assert_null( pose );
    make.cookie = 0;
    assert_int_equal( supCreatePose( character, &make, &pose, &error ), sup_errorArgument );
    assert_string_equal( error.text, "the def was not made by supDefaultMakeDef" );
    supDestroyCharacter( character );
    assert_int_equal( counting.live, 0 );
    assert_int_equal( counting.liveBytes, 0 );
    for ( int i = 0; i < calls; ++i )
    {
        counting = ( supCounting ){ .failAt = i };
        assert_int_equal( supCreateCharacter( &bones.def, &character, &error ), sup_errorMemory );
        assert_true( i > 0 || strstr( error.text, "no memory for the character, which takes 0.0" ) != NULL );
        assert_non_null( strstr( error.text, "bar.test: no memory for " ) );
        assert_null( character );
        assert_int_equal( counting.live, 0 );
        assert_int_equal( counting.liveBytes, 0 );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestViews ), cmocka_unit_test( supTestEmpty ),
        cmocka_unit_test( supTestOrder ), cmocka_unit_test( supTestMemory ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
