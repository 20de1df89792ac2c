// Bodies, editors and takes.
// SPDX-License-Identifier: MIT
#include "js_host.h"
#include "supple/bake.h"
#include "supple/body.h"
#include "supple/edit.h"
#include "supple/io.h"

#include <string.h>

supBody* SUP_JS( supJs_CreateBody )( const supModel* model );
void SUP_JS( supJs_DestroyBody )( supBody* body );
int SUP_JS( supJs_Step )( supBody* body, const supMat34* joints, const supMat34* world, float dt );
void SUP_JS( supJs_Skin )( const supBody* body, float* positions, float* normals );
int SUP_JS( supJs_SkinTangents )(
    const supBody* body, int32_t count, float* positions, float* normals, float* tangents );
void SUP_JS( supJs_SmoothSkin )( const supBody* body, float* positions, float* normals );
void SUP_JS( supJs_HelperJoints )( const supBody* body, supMat34* helpers );
void SUP_JS( supJs_SetMorphWeights )( supBody* body, const float* weights );
void SUP_JS( supJs_SetExact )( supBody* body, int exact );
void SUP_JS( supJs_SetWind )( supBody* body, const supVec3* wind );
void SUP_JS( supJs_SetGravity )( supBody* body, const supVec3* gravity );
void SUP_JS( supJs_Push )( supBody* body, int32_t element, const supVec3* impulse );
int SUP_JS( supJs_ForceAround )( supBody* body, const supVec3* point, float radius, const supVec3* force );
void SUP_JS( supJs_Reset )( supBody* body );
void SUP_JS( supJs_Teleport )( supBody* body, const supMat34* from, const supMat34* to );
void SUP_JS( supJs_Cut )( supBody* body );
int SUP_JS( supJs_JumpCount )( const supBody* body );
int SUP_JS( supJs_JumpReason )( const supBody* body );
int SUP_JS( supJs_IsAtRest )( const supBody* body );
int SUP_JS( supJs_SetField )( supBody* body, int32_t layer, int32_t item, const char* field, float value );
float SUP_JS( supJs_Field )( const supBody* body, int32_t layer, int32_t item, const char* field );
int SUP_JS( supJs_FindLayer )( const char* key );
void SUP_JS( supJs_ElementWeights )( const supModel* model, int32_t element, float* out );
void SUP_JS( supJs_ElementState )( const supBody* body, int32_t element, supElementState* out );

supEditor* SUP_JS( supJs_CreateEditor )( const supCharacter* character, const supRig* rig );
void SUP_JS( supJs_DestroyEditor )( supEditor* editor );
supBody* SUP_JS( supJs_EditorBody )( supEditor* editor );
const supModel* SUP_JS( supJs_EditorModel )( supEditor* editor );
char* SUP_JS( supJs_EditorRigJson )( supEditor* editor );
int SUP_JS( supJs_EditorSetNumber )( supEditor* editor, int32_t layer, int32_t item, const char* field, float value );
float SUP_JS( supJs_EditorNumber )( const supEditor* editor, int32_t layer, int32_t item, const char* field );
int SUP_JS( supJs_EditorSetItem )( supEditor* editor, int32_t layer, int32_t item, const supRig* from );
int SUP_JS( supJs_EditorRemoveItem )( supEditor* editor, int32_t layer, int32_t item );
uint32_t SUP_JS( supJs_EditorCompiled )( supEditor* editor );

supTake* SUP_JS( supJs_CreateTake )( const supModel* model, const supBody* tunedAs, int32_t clip, int loop, int ends );
void SUP_JS( supJs_DestroyTake )( supTake* take );
char* SUP_JS( supJs_TakeJson )( const supTake* take );
int SUP_JS( supJs_TakeShow )( const supTake* take, double time, const supMat34* joints, supBody* body );

supBody* supJs_CreateBody( const supModel* model )
{
    supBody* body = NULL;
    supCreateBody( model, &body, supJsError() );
    return body;
}

void supJs_DestroyBody( supBody* body )
{
    supDestroyBody( body );
}

int supJs_Step( supBody* body, const supMat34* joints, const supMat34* world, float dt )
{
    return supBody_Step( body, joints, *world, dt ) == sup_success;
}

void supJs_Skin( const supBody* body, float* positions, float* normals )
{
    supBody_Skin( body, positions, normals );
}

int supJs_SkinTangents( const supBody* body, int32_t count, float* positions, float* normals, float* tangents )
{
    const supOutStream streams[3] = { { positions, count, 12 }, { normals, count, 12 }, { tangents, count, 16 } };
    return supBody_SkinStreams( body, streams[0], streams[1], streams[2], supJsError() ) == sup_success;
}

void supJs_SmoothSkin( const supBody* body, float* positions, float* normals )
{
    supBody_SmoothSkin( body, positions, normals );
}

void supJs_HelperJoints( const supBody* body, supMat34* helpers )
{
    supBody_HelperJoints( body, helpers );
}

void supJs_SetMorphWeights( supBody* body, const float* weights )
{
    supBody_SetMorphWeights( body, weights );
}

void supJs_SetExact( supBody* body, int exact )
{
    supBody_SetExact( body, exact != 0 );
}

void supJs_SetWind( supBody* body, const supVec3* wind )
{
    supBody_SetWind( body, *wind );
}

void supJs_SetGravity( supBody* body, const supVec3* gravity )
{
    supBody_SetGravity( body, *gravity );
}

void supJs_Push( supBody* body, int32_t element, const supVec3* impulse )
{
    supBody_Push( body, element, *impulse );
}

int supJs_ForceAround( supBody* body, const supVec3* point, float radius, const supVec3* force )
{
    return supBody_ForceAround( body, *point, radius, *force, supJsError() ) == sup_success;
}

void supJs_Reset( supBody* body )
{
    supBody_Reset( body );
}

void supJs_Teleport( supBody* body, const supMat34* from, const supMat34* to )
{
    supBody_Teleport( body, *from, *to );
}

void supJs_Cut( supBody* body )
{
    supBody_Cut( body );
}

int supJs_JumpCount( const supBody* body )
{
    return (int)supBody_Counts( body ).jumps.count;
}

int supJs_JumpReason( const supBody* body )
{
    return (int)supBody_Counts( body ).jumps.reason;
}

int supJs_IsAtRest( const supBody* body )
{
    return supBody_IsAtRest( body );
}

int supJs_SetField( supBody* body, int32_t layer, int32_t item, const char* field, float value )
{
    return supBody_SetField( body, layer, item, field, value, supJsError() ) == sup_success;
}

float supJs_Field( const supBody* body, int32_t layer, int32_t item, const char* field )
{
    return supBody_Field( body, layer, item, field );
}

int supJs_FindLayer( const char* key )
{
    return supFindLayer( key );
}

/// One a vertex of the character.
void supJs_ElementWeights( const supModel* model, int32_t element, float* out )
{
    const supModelInfo* info = supModel_Info( model );
    supElementView view = info->elements[element];
    memset( out, 0, sizeof( float ) * (size_t)supCharacter_Info( info->character )->vertexCount );
    for ( int32_t i = 0; i < view.vertexCount; ++i )
    {
        out[view.vertices[i]] = view.weights[i];
    }
}

void supJs_ElementState( const supBody* body, int32_t element, supElementState* out )
{
    *out = supBody_Element( body, element );
}

// ---------------------------------------------------------------------------------------------------------------
// Editors

supEditor* supJs_CreateEditor( const supCharacter* character, const supRig* rig )
{
    supEditor* editor = NULL;
    supCreateEditor( character, rig, NULL, &editor, supJsError() );
    return editor;
}

void supJs_DestroyEditor( supEditor* editor )
{
    supDestroyEditor( editor );
}

supBody* supJs_EditorBody( supEditor* editor )
{
    return supEditor_View( editor ).body;
}

const supModel* supJs_EditorModel( supEditor* editor )
{
    return supEditor_View( editor ).model;
}

char* supJs_RigJson( const supRig* rig );

char* supJs_EditorRigJson( supEditor* editor )
{
    return supJs_RigJson( supEditor_View( editor ).rig );
}

int supJs_EditorSetNumber( supEditor* editor, int32_t layer, int32_t item, const char* field, float value )
{
    return supEditor_SetNumber( editor, layer, item, field, value, supJsError() ) == sup_success;
}

float supJs_EditorNumber( const supEditor* editor, int32_t layer, int32_t item, const char* field )
{
    return supEditor_Number( editor, layer, item, field );
}

/// The first item of that layer in another rig takes the place of an item; `item` -1: it is added.
int supJs_EditorSetItem( supEditor* editor, int32_t layer, int32_t item, const supRig* from )
{
    if ( supRig_ItemCount( from, layer ) == 0 )
    {
        supFail( supJsError(), sup_errorArgument, "there is no item in what is to be set" );
        return 0;
    }
    const void* value = supRig_Item( from, layer, 0 );
    supResult result = item < 0 ? supEditor_AddItem( editor, layer, value, supJsError() )
                                : supEditor_SetItem( editor, layer, item, value, supJsError() );
    return result == sup_success;
}

int supJs_EditorRemoveItem( supEditor* editor, int32_t layer, int32_t item )
{
    return supEditor_RemoveItem( editor, layer, item, supJsError() ) == sup_success;
}

uint32_t supJs_EditorCompiled( supEditor* editor )
{
    return supEditor_View( editor ).compiled;
}

// ---------------------------------------------------------------------------------------------------------------
// Takes

/// `tunedAs`: a body of the model whose live numbers the take has, or NULL.
supTake* supJs_CreateTake( const supModel* model, const supBody* tunedAs, int32_t clip, int loop, int ends )
{
    supTake* take = NULL;
    supTakeDef def = supDefaultTakeDef();
    def.model = model;
    def.tunedAs = tunedAs;
    def.clip = clip;
    def.loop = (supLoop)loop;
    def.ends = (supEnds)ends;
    def.watch = supJsWatch();
    supCreateTake( &def, &take, supJsError() );
    return take;
}

void supJs_DestroyTake( supTake* take )
{
    supDestroyTake( take );
}

char* supJs_TakeJson( const supTake* take )
{
    supTakeInfo info = supTake_Info( take );
    return supJsText( json_pack( "{s:f, s:f, s:b, s:b, s:f, s:f, s:f, s:i}", "start", info.start, "end", info.end,
        "loops", info.loops, "isOnceByName", info.isOnceByName, "poseGap", (double)info.poseGap, "seam",
        (double)info.seam, "maxDisplacement", (double)info.maxDisplacement, "limited", info.limited ) );
}

int supJs_TakeShow( const supTake* take, double time, const supMat34* joints, supBody* body )
{
    return supTake_Show( take, time, joints, body ) == sup_success;
}
