// Calls on a live body in any order, each byte a choice: steps with good, bad and absurd poses, worlds and times,
// pushes, wind, teleports, resets, tunes, edits, a second body that adopts the first. The skin must be finite after
// each step, and a step that is refused must change nothing.
#include "fuzz/byte_source.h"
#include "supple/body.h"
#include "supple/edit.h"
#include "supple/lab/hashes.h"
#include "supple/lab/items.h"
#include "supple/lab/states.h"
#include "supple/rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUP_RINGS 6
#define SUP_AROUND 6
#define SUP_VERTICES ( SUP_RINGS * SUP_AROUND )

static supCharacter* supMakeFuzzTube( void )
{
    static float positions[3 * SUP_VERTICES], weights[2 * SUP_VERTICES];
    static uint16_t joints[2 * SUP_VERTICES];
    static uint32_t indices[6 * ( SUP_RINGS - 1 ) * SUP_AROUND];
    int count = 0;
    for ( int i = 0; i < SUP_VERTICES; ++i )
    {
        int ring = i / SUP_AROUND, next = i % SUP_AROUND == SUP_AROUND - 1 ? i + 1 - SUP_AROUND : i + 1;
        double angle = 6.283185307179586 * ( i % SUP_AROUND ) / SUP_AROUND;
        positions[3 * i] = 0.1f * (float)cos( angle );
        positions[3 * i + 1] = (float)ring / ( SUP_RINGS - 1 );
        positions[3 * i + 2] = 0.1f * (float)sin( angle );
        joints[2 * i + 1] = 1;
        weights[2 * i + 1] = (float)ring / ( SUP_RINGS - 1 );
        weights[2 * i] = 1.0f - weights[2 * i + 1];
        const int quad[6] = { i, i + SUP_AROUND, next, next, i + SUP_AROUND, next + SUP_AROUND };
        for ( int k = 0; k < 6 && ring + 1 < SUP_RINGS; ++k )
        {
            indices[count++] = (uint32_t)quad[k];
        }
    }
    supJointDef jointDefs[2] = { { .name = "a", .parent = -1, .rest = supTransform_identity },
        { .name = "b", .parent = 0, .rest = supTransform_identity } };
    jointDefs[1].rest.translation.y = 0.5f;
    const int32_t skinJoints[2] = { 0, 1 };
    supSkinDef skin = { .name = "s", .jointCount = 2, .joints = skinJoints };
    supMeshDef mesh = { .name = "m",
        .vertexCount = SUP_VERTICES,
        .positions = positions,
        .influenceCount = 2,
        .jointIndices = joints,
        .weights = weights,
        .indexCount = count,
        .indices = indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.jointCount = 2;
    def.joints = jointDefs;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &mesh;
    supCharacter* character = NULL;
    if ( supCreateCharacter( &def, &character, NULL ) != sup_success )
    {
        abort();
    }
    return character;
}

static supRig* supMakeFuzzRig( void )
{
    supRig* rig = NULL;
    supElementDef element = supDefaultElementDef();
    element.driver = "a";
    element.airFriction = 1.0f;
    supModeDef mode = supDefaultModeDef();
    mode.element = "a";
    mode.motion = sup_modeTurn;
    supVolumeDef volume = supDefaultVolumeDef();
    volume.element = "a";
    if ( supCreateRig( NULL, &rig, NULL ) != sup_success || supRig_AddElement( rig, &element, NULL ) != sup_success ||
         supRig_AddItem( rig, supFindLayer( "modes" ), &mode, NULL ) != sup_success ||
         supRig_AddItem( rig, supFindLayer( "volumes" ), &volume, NULL ) != sup_success )
    {
        abort();
    }
    return rig;
}

static void supCheckSkin( const supBody* body )
{
    float positions[3 * SUP_VERTICES], normals[3 * SUP_VERTICES] = { 0 };
    supBody_Skin( body, positions, normals );
    for ( int i = 0; i < 3 * SUP_VERTICES; ++i )
    {
        if ( !isfinite( positions[i] ) )
        {
            fprintf( stderr, "the skin is not finite\n" );
            abort();
        }
    }
}

static void supStepSomehow( supBody* body, const supCharacter* character, supBytesLeft* left )
{
    supMat34 joints[2], world = supMat34_identity;
    memcpy( joints, supCharacter_Info( character )->restJoints, sizeof( joints ) );
    uint8_t what = supNextByte( left );
    if ( what & 1 )
    {
        ( &joints[0].x.x )[supNextByte( left ) % 24] = supNextFloat( left );
    }
    if ( what & 2 )
    {
        ( &world.x.x )[supNextByte( left ) % 12] = supNextFloat( left );
    }
    float dt = what & 4 ? supNextFloat( left ) : 1.0f / 60.0f;
    uint64_t before = supBody_Hash( body );
    if ( supBody_Step( body, joints, world, dt ) != sup_success && supBody_Hash( body ) != before )
    {
        fprintf( stderr, "a step was refused and changed the body\n" );
        abort();
    }
    supCheckSkin( body );
}

static void supCallSomething( supEditor* editor, const supCharacter* character, supBytesLeft* left )
{
    supBody* body = supEditor_View( editor ).body;
    switch ( supNextByte( left ) % 12 )
    {
        case 0:
            supBody_SetWind( body, supNextVec3( left ) );
            break;
        case 1:
            supBody_SetGravity( body, supNextVec3( left ) );
            break;
        case 2:
            supBody_Push( body, 0, supNextVec3( left ) );
            break;
        case 3:
        {
            supMat34 to = supMat34_identity;
            ( &to.x.x )[supNextByte( left ) % 12] = supNextFloat( left );
            supBody_Teleport( body, supMat34_identity, to );
            break;
        }
        case 4:
            supBody_Reset( body );
            break;
        case 5:
        {
            supElementTuning tuning = supBody_Tuning( body, 0 );
            ( &tuning.frequency )[supNextByte( left ) % 8] = supNextFloat( left );
            supBody_Tune( body, 0, &tuning, NULL );
            break;
        }
        case 6:
            supBody_SetField( body, supFindLayer( "modes" ), 0, "frequency", supNextFloat( left ), NULL );
            break;
        case 7:
        {
            float frequency = supNextFloat( left );
            supEditor_Set( editor, 0, 0, "frequency", &frequency, NULL );
            break;
        }
        case 8:
            supBody_ForceAt( body, supNextByte( left ), supNextVec3( left ), NULL );
            break;
        default:
            supStepSomehow( body, character, left );
            break;
    }
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    static supCharacter* character;
    static supRig* rig;
    if ( character == NULL )
    {
        character = supMakeFuzzTube();
        rig = supMakeFuzzRig();
    }
    supEditor* editor = NULL;
    supBytesLeft left = { data, size < 2048 ? size : 2048 };
    if ( supCreateEditor( character, rig, NULL, &editor, NULL ) != sup_success )
    {
        abort();
    }
    while ( left.size > 0 )
    {
        supCallSomething( editor, character, &left );
    }
    supDestroyEditor( editor );
    return 0;
}
