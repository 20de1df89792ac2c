// A host's threads may round otherwise, set small numbers to zero, or trap those and divisions by zero: the bits are
// the same, and the host has its settings back after every call. The whole way is gone: a built-in character, its rig,
// its model, a body on stage, a crowd on threads, a take and both bakes, a file and its text.
#include "support/whole_rig.h"

#include "supple/auto.h"
#include "supple/bake.h"
#include "supple/creatures.h"
#include "supple/crowd.h"
#include "supple/lab/hashes.h"
#if SUP_HAS_SUPPLE_IO
#    include "supple/io.h"
#endif

#include "base/float_settings.h"
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// What a host may have set, in place of the bits that the library wants.
typedef struct supHostSettings
{
    const char* name;
    uint64_t bits;
} supHostSettings;

#if defined( SUP_FLOATS_X86 )
static const supHostSettings sup_hosts[] = { { "as a program starts", 0x1f80 }, { "down", 0x3f80 }, { "up", 0x5f80 },
    { "to zero", 0x7f80 }, { "small numbers are zero", 0x9fc0 }, { "traps", 0x1c80 }, { "up, zero, traps", 0xdcc0 } };
#elif defined( SUP_FLOATS_ARM )
static const supHostSettings sup_hosts[] = { { "as a program starts", 0 }, { "up", 1u << 22 }, { "down", 2u << 22 },
    { "to zero", 3u << 22 }, { "small numbers are zero", 1u << 24 }, { "up, zero", 5u << 22 } };
#else
static const supHostSettings sup_hosts[] = { { "the one mode", 0 } };
#endif

/// The host's modes, as they are set where the library is called; all else in this file is computed in the usual ones.
static uint64_t sup_host;

static void supSetHost( void )
{
    supWriteFloatSettings( ( supReadFloatSettings() & ~(uint64_t)SUP_FLOAT_SETTING_BITS ) | sup_host );
}

static void supCheckHost( const char* call )
{
    uint64_t bits = supReadFloatSettings() & SUP_FLOAT_SETTING_BITS;
    supWriteFloatSettings( ( supReadFloatSettings() & ~(uint64_t)SUP_FLOAT_SETTING_BITS ) | SUP_FLOAT_SETTINGS );
    if ( bits != sup_host )
    {
        fail_msg( "%s: the host's modes were %llx, and are %llx", call, (unsigned long long)sup_host,
            (unsigned long long)bits );
    }
}

/// A call of the library, in the host's modes.
#define SUP_AS_HOST( call )                                                                                            \
    do                                                                                                                 \
    {                                                                                                                  \
        supSetHost();                                                                                                  \
        call;                                                                                                          \
        supCheckHost( #call );                                                                                         \
    } while ( 0 )

#define SUP_GOOD_AS_HOST( call )                                                                                       \
    do                                                                                                                 \
    {                                                                                                                  \
        supResult result_;                                                                                             \
        SUP_AS_HOST( result_ = call );                                                                                 \
        assert_int_equal( result_, sup_success );                                                                      \
    } while ( 0 )

static void supHashSkin( supHash* hash, const supBody* body, int32_t vertices )
{
    float* skin = calloc( 6 * (size_t)vertices, sizeof( float ) );
    SUP_AS_HOST( supBody_Skin( body, skin, skin + 3 * (size_t)vertices ) );
    supHash_Floats( hash, skin, 6 * (size_t)vertices );
    SUP_AS_HOST( supBody_SmoothSkin( body, skin, NULL ) );
    supHash_Floats( hash, skin, 3 * (size_t)vertices );
    free( skin );
}

/// A body of every layer: steps over a clip, with wind, a teleport, a push, and moments in which little is left of the
/// swing, down to numbers that a host may have set to zero.
static uint64_t supLive( void )
{
    supHash hash = supMakeHash();
    supWholeRig whole = supMakeWholeRig( false );
    supModel* model = NULL;
    supBody* body = NULL;
    SUP_GOOD_AS_HOST( supCompileModel( whole.character, whole.rig, &model, NULL ) );
    SUP_GOOD_AS_HOST( supCreateBody( model, &body, NULL ) );
    const supCharacterInfo* info = supCharacter_Info( whole.character );
    supMat34 joints[3], world = supMat34_identity;
    memcpy( joints, info->restJoints, sizeof( joints ) );
    for ( int i = 0; i < 40; ++i )
    {
        joints[1].t.x = info->restJoints[1].t.x + ( i < 20 ? 0.001f * (float)( i * ( 20 - i ) ) : 1e-30f * (float)i );
        world.t.x = i < 20 ? 0.013f * (float)i : 0.25f;
        SUP_GOOD_AS_HOST( supBody_Step( body, joints, world, i % 7 == 3 ? 0.031f : 1.0f / 60.0f ) );
        if ( i == 10 )
        {
            supMat34 to = world;
            to.t.z = 3.7f;
            SUP_AS_HOST( supBody_Teleport( body, world, to ) );
            world = to;
            SUP_AS_HOST( supBody_Push( body, 0, ( supVec3 ){ 0.013f, 1e-39f, 0.007f } ) );
        }
    }
    supHash_Word( &hash, supBody_Hash( body ) );
    supHashSkin( &hash, body, info->vertexCount );
    SUP_AS_HOST( supDestroyBody( body ) );
    SUP_AS_HOST( supDestroyModel( model ) );
    supDropWholeRig( &whole );
    return supHash_Value( &hash );
}

/// A crowd whose pool's threads were started in the host's modes.
static void supStageCrowd( supHash* hash, const supCharacter* character, const supModel* model )
{
    enum
    {
        members = 40
    };
    supPool* pool = NULL;
    supPose* pose = NULL;
    supCrowd* crowd = NULL;
    supPoolDef poolDef = supDefaultPoolDef();
    poolDef.workerCount = 3;
    SUP_GOOD_AS_HOST( supCreatePool( &poolDef, &pool, NULL ) );
    SUP_GOOD_AS_HOST( supCreatePose( character, NULL, &pose, NULL ) );
    supCrowdDef def = supDefaultCrowdDef();
    def.models = &model;
    def.modelCount = 1;
    def.capacity = members;
    def.tasks = supPool_Tasks( pool );
    SUP_GOOD_AS_HOST( supCreateCrowd( &def, &crowd, NULL ) );
    for ( int i = 0; i < members; ++i )
    {
        SUP_AS_HOST( assert_int_equal( supCrowd_Add( crowd, 0 ), i ) );
    }
    for ( int frame = 0; frame < 12; ++frame )
    {
        SUP_AS_HOST( supPose_Sample( pose, 0, frame / 37.0 ) );
        for ( int i = 0; i < members; ++i )
        {
            supCrowdFrame given = { .joints = supPose_Joints( pose ), .world = supMat34_identity };
            given.world.t.x = 0.01f * (float)( frame * i );
            supCrowd_SetFrame( crowd, i, &given );
        }
        SUP_AS_HOST( supCrowd_Run( crowd, 1.0f / 60.0f ) );
    }
    supHash_Word( hash, supCrowd_Hash( crowd ) );
    supDestroyCrowd( crowd );
    supDestroyPose( pose );
    supDestroyPool( pool );
}

#if SUP_HAS_SUPPLE_IO
/// The character as a file, and the rig as text, both written and read back.
static void supHashFiles(
    supHash* hash, const supCharacter* character, const supRig* rig, const supModel* model, const supJointBake* bake )
{
    supGltf* document = NULL;
    supCharacter* back = NULL;
    supRig* rigBack = NULL;
    SUP_GOOD_AS_HOST( supMakeGltf( character, NULL, &document, NULL ) );
    supGltfBakeOptions options = supDefaultGltfBakeOptions();
    options.rig = rig;
    SUP_GOOD_AS_HOST( supGltf_AddJointBake( document, model, bake, &options, NULL ) );
    SUP_GOOD_AS_HOST( supGltf_Character( document, NULL, &back, NULL ) );
    supHash_Word( hash, supCharacter_Info( back )->fingerprint );
    size_t length = 0;
    SUP_AS_HOST( length = supRigToJson( rig, NULL, 0 ) );
    char* text = malloc( length + 1 );
    SUP_AS_HOST( supRigToJson( rig, text, length + 1 ) );
    supHash_Bytes( hash, text, length );
    SUP_GOOD_AS_HOST( supReadRigMemory( text, length, "rig", character, NULL, &rigBack, NULL ) );
    SUP_AS_HOST( supRigToJson( rigBack, text, length + 1 ) );
    supHash_Bytes( hash, text, length );
    free( text );
    supDestroyRig( rigBack );
    supDestroyCharacter( back );
    supCloseGltf( document );
}
#endif

static void supHashBakes( supHash* hash, const supCharacter* character, const supRig* rig, const supModel* model )
{
    supTakeDef takeDef = supDefaultTakeDef();
    takeDef.model = model;
    supTake* take = NULL;
    SUP_GOOD_AS_HOST( supCreateTake( &takeDef, &take, NULL ) );
    const supTake* takes[1] = { take };
    supJointBakeDef jointDef = supDefaultJointBakeDef();
    jointDef.model = model;
    jointDef.takes = takes;
    jointDef.takeCount = 1;
    supJointBake* joints = NULL;
    SUP_GOOD_AS_HOST( supBakeJoints( &jointDef, &joints, NULL ) );
    supHash_Word( hash, supJointBake_ClipHash( joints, 0 ) );
    supMorphBakeDef morphDef = supDefaultMorphBakeDef();
    morphDef.model = model;
    morphDef.takes = takes;
    morphDef.takeCount = 1;
    supMorphBake* morphs = NULL;
    SUP_GOOD_AS_HOST( supBakeMorphs( &morphDef, &morphs, NULL ) );
    supHash_Word( hash, supMorphBake_ClipHash( morphs, 0 ) );
#if SUP_HAS_SUPPLE_IO
    supHashFiles( hash, character, rig, model, joints );
#else
    (void)character;
    (void)rig;
#endif
    supDestroyMorphBake( morphs );
    supDestroyJointBake( joints );
    supDestroyTake( take );
}

/// A built-in character all the way from its name to its bakes.
static uint64_t supWholeWay( void )
{
    supHash hash = supMakeHash();
    supCreature* creature = NULL;
    supRig* rig = NULL;
    supModel* model = NULL;
    SUP_GOOD_AS_HOST( supCreateCreature( "mushroom", NULL, &creature, NULL ) );
    const supCharacter* character = supCreature_Character( creature );
    supHash_Word( &hash, supCharacter_Info( character )->fingerprint );
    SUP_GOOD_AS_HOST( supProposeRig( character, sup_presetNatural, &rig, NULL ) );
    SUP_GOOD_AS_HOST( supCompileModel( character, rig, &model, NULL ) );
    supStageCrowd( &hash, character, model );
    supHashBakes( &hash, character, rig, model );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCreature( creature );
    return supHash_Value( &hash );
}

static void supTestModes( void** state )
{
    (void)state;
    uint64_t live = 0, way = 0;
    for ( size_t i = 0; i < sizeof( sup_hosts ) / sizeof( sup_hosts[0] ); ++i )
    {
        sup_host = sup_hosts[i].bits & SUP_FLOAT_SETTING_BITS;
        uint64_t newLive = supLive(), newWay = supWholeWay();
        live = i == 0 ? newLive : live;
        way = i == 0 ? newWay : way;
        if ( newLive != live || newWay != way )
        {
            fail_msg( "%s: a body has the hash %016llx, not %016llx; the whole way %016llx, not %016llx",
                sup_hosts[i].name, (unsigned long long)newLive, (unsigned long long)live, (unsigned long long)newWay,
                (unsigned long long)way );
        }
    }
}

#if defined( SUP_FLOATS_X86 ) || defined( SUP_FLOATS_ARM )
/// Through memory, so that no compiler moves it out of the modes that it is called in.
static void supAddTo( volatile float* sum, float a, float b )
{
    *sum = a;
    *sum += b;
}

/// Each of these modes does change bits where nothing sets it back: else this test would hold nothing.
static void supTestTeeth( void** state )
{
    (void)state;
    for ( size_t i = 1; i < sizeof( sup_hosts ) / sizeof( sup_hosts[0] ); ++i )
    {
        volatile float above, below, small;
        sup_host = sup_hosts[i].bits & SUP_FLOAT_SETTING_BITS;
        if ( strcmp( sup_hosts[i].name, "traps" ) != 0 )
        {
            SUP_AS_HOST( supAddTo( &above, 1.0f, 1e-9f ) );
            SUP_AS_HOST( supAddTo( &below, 1.0f, -1e-9f ) );
            SUP_AS_HOST( supAddTo( &small, 3e-39f, 2e-39f ) );
            assert_true( above > 1.0f || below < 1.0f || small == 0.0f );
        }
    }
}
#endif

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestModes ),
#if defined( SUP_FLOATS_X86 ) || defined( SUP_FLOATS_ARM )
        cmocka_unit_test( supTestTeeth )
#endif
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
