// Reads any bytes as a rig. What is read must be written and read back as the same; what compiles on a small limb must
// move and stay finite, whatever the numbers in it.
#include "fuzz/gltf_mutator.h"
#include "fuzz/json_arena.h"
#include "supple/body.h"
#include "supple/io.h"
#include "supple/lab/items.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SUP_RINGS 4
#define SUP_AROUND 4
#define SUP_VERTICES ( SUP_RINGS * SUP_AROUND )

static supCharacter* sup_limb; // joints "a", "b", "b"; mesh "m" with material "t"

static void supExpect( bool right, const char* what, const char* words )
{
    if ( !right )
    {
        fprintf( stderr, "%s: '%s'\n", what, words );
        abort();
    }
}

/// A tube of size about 1 along three joints.
static supCharacter* supMakeFuzzLimb( void )
{
    static float positions[3 * SUP_VERTICES], weights[2 * SUP_VERTICES];
    static uint16_t joints[2 * SUP_VERTICES];
    static const float corners[SUP_AROUND][2] = { { 0.125f, 0.0f }, { 0.0f, 0.125f }, { -0.125f, 0.0f },
        { 0.0f, -0.125f } };
    uint32_t indices[6 * ( SUP_RINGS - 1 ) * SUP_AROUND];
    int count = 0;
    for ( int i = 0; i < SUP_VERTICES; ++i )
    {
        int ring = i / SUP_AROUND, next = i % SUP_AROUND == SUP_AROUND - 1 ? i + 1 - SUP_AROUND : i + 1;
        positions[3 * i] = corners[i % SUP_AROUND][0];
        positions[3 * i + 1] = (float)ring / ( SUP_RINGS - 1 );
        positions[3 * i + 2] = corners[i % SUP_AROUND][1];
        joints[2 * i + 1] = ring < 3 ? 1 : 2;
        weights[2 * i] = 1.0f - 0.3f * (float)ring;
        weights[2 * i + 1] = 0.3f * (float)ring;
        if ( ring + 1 < SUP_RINGS )
        {
            const int quad[6] = { i, i + SUP_AROUND, next, next, i + SUP_AROUND, next + SUP_AROUND };
            for ( int j = 0; j < 6; ++j )
            {
                indices[count++] = (uint32_t)quad[j];
            }
        }
    }
    supJointDef jointDefs[3] = { { .name = "a", .parent = -1, .rest = supTransform_identity },
        { .name = "b", .parent = 0, .rest = supTransform_identity },
        { .name = "b", .parent = 1, .rest = supTransform_identity } };
    jointDefs[1].rest.translation.y = 0.7f;
    jointDefs[2].rest.translation.y = 0.3f;
    const int32_t skinJoints[3] = { 0, 1, 2 };
    supSkinDef skin = { .name = "s", .jointCount = 3, .joints = skinJoints };
    supMeshDef mesh = { .name = "m",
        .material = "t",
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
    def.name = "limb";
    def.jointCount = 3;
    def.joints = jointDefs;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &mesh;
    supCharacter* character = NULL;
    supError error = { 0 };
    supResult result = supCreateCharacter( &def, &character, &error );
    supExpect( result == sup_success, "the limb", error.text );
    return character;
}

static void supMove( const supModel* model )
{
    static const float steps[] = { 0.0f, 1.0f / 60.0f, 1.0f / 60.0f, 5.0f, 1e-4f };
    supBody* body;
    if ( supCreateBody( model, &body, NULL ) != sup_success )
    {
        return;
    }
    supMat34 joints[3];
    memcpy( joints, supCharacter_Info( sup_limb )->restJoints, sizeof( joints ) );
    supMat34 world = supMat34_identity;
    for ( int i = 0; i < 5; ++i )
    {
        world.t.y = i == 1 ? 0.05f : 0.0f;
        supExpect( supBody_Step( body, joints, world, steps[i] ) == sup_success, "step", "refused" );
        float positions[3 * SUP_VERTICES], normals[3 * SUP_VERTICES];
        supBody_Skin( body, positions, normals );
        for ( int j = 0; j < 3 * SUP_VERTICES; ++j )
        {
            supExpect( isfinite( positions[j] ) && fabsf( positions[j] ) < 10.0f, "skin", "runs away" );
        }
    }
    supDestroyBody( body );
}

/// The same text comes out of what was read back.
static void supCheckRoundTrip( const supRig* rig )
{
    static char first[1 << 20], second[1 << 20];
    size_t length = supRigToJson( rig, first, sizeof( first ) );
    if ( length == 0 || length >= sizeof( first ) )
    {
        return; // jansson's arena is full, or the text is long
    }
    supRig* back;
    supError error = { 0 };
    supResult result = supReadRigMemory( first, length, "fuzz", NULL, NULL, &back, &error );
    if ( result == sup_errorMemory || strstr( error.text, "memory" ) != NULL )
    {
        return;
    }
    supExpect( result == sup_success, "reading back", error.text );
    size_t again = supRigToJson( back, second, sizeof( second ) );
    supExpect( again == 0 || strcmp( first, second ) == 0, "the second writing differs", first );
    supDestroyRig( back );
}

/// As a rig inside a file that is not trusted: what asks for more takes minutes to compile, as it may.
static bool supIsSmall( const supRig* rig )
{
    bool small = true;
    int32_t fats = supFindLayer( "fat" ), beams = supFindLayer( "beams" ), examples = supFindLayer( "examples" );
    for ( int32_t i = 0; i < supRig_ItemCount( rig, fats ); ++i )
    {
        const supFatDef* fat = supRig_Item( rig, fats, i );
        small = small && fat->nodes <= 5000.0f && ( fat->voxel <= 0.0f || fat->voxel >= 0.01f );
        small = small && fat->modes <= 200.0f && fat->solver != sup_fatReference;
    }
    for ( int32_t i = 0; i < supRig_ItemCount( rig, beams ); ++i )
    {
        const supBeamsDef* def = supRig_Item( rig, beams, i );
        small = small && def->curves * def->nodes * ( 1.0f + (float)def->poses.count ) <= 1e5f;
    }
    for ( int32_t i = 0; i < supRig_ItemCount( rig, examples ); ++i )
    {
        const supExampleDef* def = supRig_Item( rig, examples, i );
        small = small && def->curves * def->nodes <= 1e5f;
    }
    return small;
}

static void supReadOneRig( const uint8_t* data, size_t size )
{
    supRig* rig;
    supError error = { 0 };
    supResult result = supReadRigMemory( (const char*)data, size, "fuzz", sup_limb, NULL, &rig, &error );
    if ( result != sup_success )
    {
        supExpect(
            strncmp( error.text, "fuzz:", 5 ) == 0 && strchr( error.text, '\n' ) == NULL, "a bad message", error.text );
        return;
    }
    supCheckRoundTrip( rig );
    supModel* model;
    result = supIsSmall( rig ) ? supCompileModel( sup_limb, rig, &model, &error ) : sup_success;
    if ( result == sup_success && supIsSmall( rig ) )
    {
        supMove( model );
        supDestroyModel( model );
    }
    else if ( result != sup_success )
    {
        supExpect( error.text[0] != '\0', "a bad message", error.text );
    }
    supDestroyRig( rig );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    if ( sup_limb == NULL )
    {
        sup_limb = supMakeFuzzLimb();
        supArenaStart();
    }
    supReadOneRig( data, size );
    supArenaReset();
    return 0;
}
