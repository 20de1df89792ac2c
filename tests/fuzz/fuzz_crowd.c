// Calls on a crowd in any order: bodies come and go, get levels, poses and worlds, good, bad and absurd, and frames of
// any time. Two crowds are told the same, one on this thread, one on two: they must have the same state and the same
// skins, and these must be finite.
#include "fuzz/byte_source.h"
#include "supple/crowd.h"
#include "supple/lab/hashes.h"
#include "supple/lab/items.h"
#include "supple/lab/states.h"
#include "supple/rig.h"
#include "support/small_tube.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    sup_models = 2,
    sup_capacity = 20, ///< more than a task has
    sup_mostCalls = 400,
};

typedef struct supFuzzMember
{
    supMat34 joints[sup_tubeMostJoints];
    float skins[2][2][3 * sup_tubeMostVertices]; ///< of both crowds: positions and normals
    int32_t model;
    bool hasFrame;
} supFuzzMember;

static supCharacter* sup_characters[sup_models];
static supModel* sup_compiled[sup_models];
static supPool* sup_pool;
static supFuzzMember sup_members[sup_capacity];

static void supMakeModels( void )
{
    supError error = { 0 };
    for ( int m = 0; m < sup_models; ++m )
    {
        supTubeDef tube = supDefaultTubeDef();
        tube.rings = 4 + 2 * m;
        tube.around = 5;
        tube.joints = 2 + m;
        supRig* rig = NULL;
        supElementDef element = supDefaultElementDef();
        element.driver = "j0";
        element.airFriction = 1.0f;
        bool good = supFuzzGood( supMakeSmallTube( &tube, NULL, &sup_characters[m], &error ), &error ) &&
                    supFuzzGood( supCreateRig( NULL, &rig, &error ), &error ) &&
                    supFuzzGood( supRig_AddElement( rig, &element, &error ), &error ) &&
                    supFuzzGood( supCompileModel( sup_characters[m], rig, &sup_compiled[m], &error ), &error );
        supFuzzCheck( good, "a model", error.text );
        supDestroyRig( rig );
    }
    supPoolDef def = supDefaultPoolDef();
    def.workerCount = 2;
    supFuzzCheck( supCreatePool( &def, &sup_pool, &error ) == sup_success, "a pool", error.text );
}

/// Whoever may be in the crowd, or none of it.
static int32_t supNextWho( supBytesLeft* left )
{
    return supNextByte( left ) % ( sup_capacity + 2 ) - 1;
}

static void supGiveFrame( supCrowd* const crowds[2], supBytesLeft* left )
{
    int32_t who = supNextWho( left );
    if ( who < 0 || supCrowd_Body( crowds[0], who ) == NULL )
    {
        return;
    }
    supFuzzMember* member = sup_members + who;
    const supCharacterInfo* info = supCharacter_Info( sup_characters[member->model] );
    memcpy( member->joints, info->restJoints, sizeof( supMat34 ) * (size_t)info->jointCount );
    supMat34 world = supMat34_identity;
    uint8_t what = supNextByte( left );
    world.t.x = 0.01f * (float)supNextByte( left );
    if ( what & 1 )
    {
        ( &member->joints[0].x.x )[supNextByte( left ) % ( 12 * info->jointCount )] = supNextFloat( left );
    }
    if ( what & 2 )
    {
        ( &world.x.x )[supNextByte( left ) % 12] = supNextFloat( left );
    }
    for ( int c = 0; c < 2; ++c )
    {
        supCrowdFrame frame = { .joints = ( what & 12 ) == 12 ? NULL : member->joints, .world = world };
        frame.positions = what & 16 ? NULL : member->skins[c][0];
        frame.normals = what & 32 ? NULL : member->skins[c][1];
        supCrowd_SetFrame( crowds[c], who, &frame );
        member->hasFrame = frame.joints != NULL;
    }
}

static void supRunBoth( supCrowd* const crowds[2], float dt )
{
    supCrowd_Run( crowds[0], dt );
    supCrowd_Run( crowds[1], dt );
    supFuzzCheck( supCrowd_Hash( crowds[0] ) == supCrowd_Hash( crowds[1] ), "two threads", "have another state" );
    for ( int i = 0; i < sup_capacity; ++i )
    {
        const supFuzzMember* member = sup_members + i;
        supFuzzCheck( memcmp( member->skins[0], member->skins[1], sizeof( member->skins[0] ) ) == 0, "two threads",
            "have another skin" );
        for ( int k = 0; k < 3 * sup_tubeMostVertices; ++k )
        {
            supFuzzCheck( isfinite( member->skins[0][0][k] ), "a skin", "is not finite" );
        }
    }
}

static void supTouchBody( supCrowd* const crowds[2], supBytesLeft* left )
{
    int32_t who = supNextWho( left );
    uint8_t what = supNextByte( left ) % 5;
    supVec3 vector = supNextVec3( left );
    for ( int c = 0; c < 2; ++c )
    {
        supBody* body = supCrowd_Body( crowds[c], who );
        supMat34 to = supMat34_identity;
        to.t = vector;
        if ( body == NULL )
        {
            continue;
        }
        switch ( what )
        {
            case 0:
                supBody_Teleport( body, supMat34_identity, to );
                break;
            case 1:
                supBody_Push( body, 0, vector );
                break;
            case 2:
                supBody_SetWind( body, vector );
                break;
            case 3:
                supBody_SetField( body, 0, 0, "frequency", vector.x, NULL );
                break;
            default:
                supBody_Reset( body );
                break;
        }
    }
}

static void supCallCrowds( supCrowd* const crowds[2], supBytesLeft* left )
{
    uint8_t how = supNextByte( left ) % 16;
    if ( how < 2 )
    {
        int32_t model = supNextByte( left ) % ( sup_models + 2 ) - 1;
        int32_t who = supCrowd_Add( crowds[0], model );
        supFuzzCheck( supCrowd_Add( crowds[1], model ) == who, "a twin", "has another number" );
        if ( who >= 0 )
        {
            memset( sup_members + who, 0, sizeof( supFuzzMember ) );
            sup_members[who].model = model;
        }
    }
    else if ( how == 2 )
    {
        int32_t who = supNextWho( left );
        supCrowd_Remove( crowds[0], who );
        supCrowd_Remove( crowds[1], who );
    }
    else if ( how < 5 )
    {
        int32_t who = supNextWho( left );
        uint8_t bits = supNextByte( left );
        supCrowdLevel level = { supNextByte( left ) % 24 - 3, ( bits & 3 ) != 0, ( bits & 12 ) != 0, ( bits & 16 ) != 0,
            ( bits >> 5 ) - 1 };
        supCrowd_SetLevel( crowds[0], who, level );
        supCrowd_SetLevel( crowds[1], who, level );
    }
    else if ( how < 9 )
    {
        supGiveFrame( crowds, left );
    }
    else if ( how < 11 )
    {
        supTouchBody( crowds, left );
    }
    else
    {
        supRunBoth( crowds, how == 15 ? supNextFloat( left ) : 1.0f / 60.0f );
    }
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    if ( sup_pool == NULL )
    {
        supMakeModels();
    }
    memset( sup_members, 0, sizeof( sup_members ) );
    supCrowd* crowds[2] = { NULL, NULL };
    for ( int c = 0; c < 2; ++c )
    {
        supCrowdDef def = supDefaultCrowdDef();
        def.models = (const supModel* const*)sup_compiled;
        def.modelCount = sup_models;
        def.capacity = sup_capacity;
        def.tasks = c == 1 ? supPool_Tasks( sup_pool ) : def.tasks;
        supFuzzCheck( supCreateCrowd( &def, &crowds[c], NULL ) == sup_success, "a crowd", "is refused" );
    }
    supBytesLeft left = { data, size };
    for ( int32_t i = 0; i < sup_mostCalls && left.size > 0; ++i )
    {
        supCallCrowds( crowds, &left );
    }
    supDestroyCrowd( crowds[0] );
    supDestroyCrowd( crowds[1] );
    return 0;
}
