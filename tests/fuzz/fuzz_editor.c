// Edits of a running body in any order: a random small character with a random rig, whose fields are set to anything
// within their range or out of it, whose items come, go and are exchanged, between steps, teleports and resets; a
// second body adopts the first. The skin must stay finite; what is refused must have words and change nothing.
#include "fuzz/random_items.h"
#include "supple/body.h"
#include "supple/edit.h"
#include "supple/lab/hashes.h"
#include "supple/lab/states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    sup_mostCalls = 60,
    sup_mostCompiles = 12, ///< calls that may compile, which takes most of the time
};

typedef struct supEdited
{
    supTubeDef tube;
    supCharacter* character;
    supEditor* editor;
    int32_t compiles;
} supEdited;

static void supCheckEditedSkin( const supEdited* edited )
{
    static float positions[3 * sup_tubeMostVertices], normals[3 * sup_tubeMostVertices];
    supBody_Skin( supEditor_View( edited->editor ).body, positions, normals );
    for ( int32_t k = 0; k < 3 * supCharacter_Info( edited->character )->vertexCount; ++k )
    {
        supFuzzCheck( isfinite( positions[k] ), "the skin", "is not finite" );
    }
}

static void supStepEdited( supEdited* edited, supBytesLeft* left )
{
    supMat34 joints[sup_tubeMostJoints + 2], world = supMat34_identity;
    const supCharacterInfo* info = supCharacter_Info( edited->character );
    supFuzzCheck( info->jointCount <= sup_tubeMostJoints + 2, "joints", "are too many" );
    memcpy( joints, info->restJoints, sizeof( supMat34 ) * (size_t)info->jointCount );
    uint8_t what = supNextByte( left );
    if ( what & 1 )
    {
        ( &joints[0].x.x )[supNextByte( left ) % ( 12 * info->jointCount )] = supNextFloat( left );
    }
    world.t.x = 0.001f * (float)supNextByte( left );
    float dt = what & 2 ? supNextFloat( left ) : 1.0f / 60.0f;
    supBody* body = supEditor_View( edited->editor ).body;
    uint64_t before = supBody_Hash( body );
    bool stepped = supBody_Step( body, joints, world, dt ) == sup_success;
    supFuzzCheck( stepped || supBody_Hash( body ) == before, "a refused step", "changed the body" );
}

/// A layer that the rig has items of, or -1.
static int32_t supNextLayer( const supRig* rig, supBytesLeft* left )
{
    int32_t from = supNextByte( left ) % supLayerCount();
    for ( int32_t i = 0; i < supLayerCount(); ++i )
    {
        int32_t layer = ( from + i ) % supLayerCount();
        if ( supRig_ItemCount( rig, layer ) > 0 )
        {
            return layer;
        }
    }
    return -1;
}

static supResult supSetSomeField( supEdited* edited, supBytesLeft* left, supError* error )
{
    const supRig* rig = supEditor_View( edited->editor ).rig;
    int32_t layer = supNextLayer( rig, left );
    if ( layer < 0 )
    {
        return supEditor_SetNumber( edited->editor, 0, 0, "frequency", 1.0f, error );
    }
    const supLayerInfo* info = supGetLayerInfo( layer );
    const supField* field = info->fields + supNextByte( left ) % info->fieldCount;
    int32_t item = supNextByte( left ) % ( supRig_ItemCount( rig, layer ) + 1 ); // one that is not there too
    if ( field->type == sup_fieldName )
    {
        const char* name = supNextByte( left ) < 40 ? "nobody" : sup_joints[supNextByte( left ) % 5];
        return supEditor_Set( edited->editor, layer, item, field->name, &name, error );
    }
    bool isPlain = supNextByte( left ) >= 60 || supIsCostly( field ); // else of any size, or none
    float value = isPlain ? supNextInRange( left, field ) : supNextFloat( left );
    if ( strcmp( field->name, "solver" ) == 0 )
    {
        value = 0.0f; // fat's reference takes up to 50,000 explicit steps a frame, and says so
    }
    return supEditor_SetNumber( edited->editor, layer, item, field->name, value, error );
}

static supResult supEditItems( supEdited* edited, uint8_t how, supBytesLeft* left, supError* error )
{
    const supRig* rig = supEditor_View( edited->editor ).rig;
    int32_t layer = how % 3 == 0 ? supNextByte( left ) % supLayerCount() : supNextLayer( rig, left );
    int32_t item = supNextByte( left ) % 3;
    supRandomItem random;
    if ( layer < 0 || how % 3 == 1 )
    {
        return supEditor_RemoveItem( edited->editor, layer, item, error );
    }
    supMakeRandomItem( &random, layer, false, &edited->tube, left );
    return how % 3 == 0 ? supEditor_AddItem( edited->editor, layer, random.item.bytes, error )
                        : supEditor_SetItem( edited->editor, layer, item, random.item.bytes, error );
}

static void supEditSomehow( supEdited* edited, uint8_t how, supBytesLeft* left )
{
    supError error = { 0 };
    supEditorView before = supEditor_View( edited->editor );
    uint64_t hash = supBody_Hash( before.body );
    edited->compiles += 1;
    supResult result = how < 8 ? supSetSomeField( edited, left, &error ) : supEditItems( edited, how, left, &error );
    if ( !supFuzzGood( result, &error ) )
    {
        supEditorView after = supEditor_View( edited->editor );
        supFuzzCheck( after.body == before.body && supBody_Hash( after.body ) == hash, "a refused edit", "changed it" );
    }
}

/// A second body, as the rig was compiled, takes over the state, and goes on; then the first takes it back.
static void supAdoptBoth( supEdited* edited )
{
    supEditorView view = supEditor_View( edited->editor );
    const supMat34* joints = supCharacter_Info( edited->character )->restJoints;
    supBody* other = NULL;
    if ( supCreateBody( view.model, &other, NULL ) == sup_success )
    {
        supBody_Adopt( other, view.body );
        supFuzzCheck( supBody_Step( other, joints, supMat34_identity, 1.0f / 60.0f ) == sup_success, "who adopts",
            "cannot step" );
        supBody_Adopt( view.body, other );
    }
    supDestroyBody( other );
}

static void supCallEditor( supEdited* edited, supBytesLeft* left )
{
    uint8_t how = supNextByte( left ) % 20;
    supBody* body = supEditor_View( edited->editor ).body;
    if ( how < 11 && edited->compiles < sup_mostCompiles )
    {
        supEditSomehow( edited, how, left );
    }
    else if ( how == 11 )
    {
        supMat34 to = supMat34_identity;
        to.t = supNextVec3( left );
        supBody_Teleport( body, supMat34_identity, to );
    }
    else if ( how == 12 )
    {
        supBody_Reset( body );
    }
    else if ( how == 13 )
    {
        supAdoptBoth( edited );
    }
    else
    {
        supStepEdited( edited, left );
    }
    supCheckEditedSkin( edited );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    supBytesLeft left = { data, size };
    supEdited edited = { .tube = supNextTube( &left ) };
    supError error = { 0 };
    if ( !supFuzzGood( supMakeSmallTube( &edited.tube, NULL, &edited.character, &error ), &error ) )
    {
        return 0;
    }
    supRig* rig = supMakeRandomRig( &edited.tube, &left );
    if ( rig != NULL && supFuzzGood( supCreateEditor( edited.character, rig, NULL, &edited.editor, &error ), &error ) )
    {
        for ( int32_t i = 0; i < sup_mostCalls && left.size > 0; ++i )
        {
            supCallEditor( &edited, &left );
        }
    }
    supDestroyEditor( edited.editor );
    supDestroyRig( rig );
    supDestroyCharacter( edited.character );
    return 0;
}
