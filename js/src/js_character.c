// Documents, characters and poses.
// SPDX-License-Identifier: MIT
#include "js_host.h"
#include "supple/character.h"
#include "supple/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

supGltf* SUP_JS( supJs_OpenGltf )(
    const void* data, size_t size, const char* name, const char* folder, double mostMemory );
void SUP_JS( supJs_CloseGltf )( supGltf* document );
int SUP_JS( supJs_RemoveBake )( supGltf* document );
char* SUP_JS( supJs_AddMotion )( supGltf* document, const char* path, const char* name );
supCharacter* SUP_JS( supJs_Character )( const supGltf* document );
void SUP_JS( supJs_DestroyCharacter )( supCharacter* character );
char* SUP_JS( supJs_CharacterJson )( const supCharacter* character );
const float* SUP_JS( supJs_RestPositions )( const supCharacter* character );
const supMat34* SUP_JS( supJs_RestJoints )( const supCharacter* character );
const uint32_t* SUP_JS( supJs_Indices )( const supCharacter* character, int32_t mesh );
supPose* SUP_JS( supJs_CreatePose )( const supCharacter* character );
void SUP_JS( supJs_DestroyPose )( supPose* pose );
void SUP_JS( supJs_PoseSample )( supPose* pose, int32_t clip, double time );
void SUP_JS( supJs_PoseRest )( supPose* pose );
const supMat34* SUP_JS( supJs_PoseJoints )( const supPose* pose );
const float* SUP_JS( supJs_PoseMorphWeights )( const supPose* pose );

supGltf* supJs_OpenGltf( const void* data, size_t size, const char* name, const char* folder, double mostMemory )
{
    supGltfOpenDef def = supDefaultGltfOpenDef();
    def.log = supJsLog();
    def.mostMemory = (size_t)mostMemory;
    def.isUntrusted = true;
    supGltf* document = NULL;
    supOpenGltfMemoryWith( data, size, name, folder, &def, &document, supJsError() );
    return document;
}

void supJs_CloseGltf( supGltf* document )
{
    supCloseGltf( document );
}

/// 1: there was one; 0: none; -1: it failed.
int supJs_RemoveBake( supGltf* document )
{
    bool removed = false;
    supResult result = supGltf_RemoveBake( document, &removed, supJsError() );
    return result == sup_success ? removed : -1;
}

/// Adds the clips of a glTF or BVH file. What matched, as JSON; NULL: it failed, and the document is only good to be
/// closed.
char* supJs_AddMotion( supGltf* document, const char* path, const char* name )
{
    supGltfOpenDef def = supDefaultGltfOpenDef();
    def.log = supJsLog();
    def.isUntrusted = true;
    const supGltfMotionOptions options = supDefaultGltfMotionOptions();
    supMotionReport report = { 0 };
    supCharacter *character = NULL, *motion = NULL;
    supResult result = supGltf_Character( document, NULL, &character, supJsError() );
    result = result == sup_success ? supLoadMotionWith( path, &def, &motion, supJsError() ) : result;
    result = result == sup_success
                 ? supGltf_AddMotion( document, character, motion, name, &options, &report, supJsError() )
                 : result;
    supDestroyCharacter( motion );
    supDestroyCharacter( character );
    return result == sup_success
               ? supJsText( json_pack( "{s:i, s:i, s:s, s:i}", "matched", report.matched, "unmatched", report.unmatched,
                     "unmatchedNames", report.unmatchedNames, "clips", report.clips ) )
               : NULL;
}

supCharacter* supJs_Character( const supGltf* document )
{
    supCharacter* character = NULL;
    supGltf_Character( document, NULL, &character, supJsError() );
    return character;
}

void supJs_DestroyCharacter( supCharacter* character )
{
    supDestroyCharacter( character );
}

static json_t* supMeshJson( const supCharacter* character, int32_t index )
{
    supMeshView mesh = supCharacter_Mesh( character, index );
    return json_pack( "{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:b, s:b}", "name", mesh.name,
        "material", mesh.material, "joint", mesh.joint, "skin", mesh.skin, "firstVertex", mesh.firstVertex,
        "vertexCount", mesh.vertexCount, "indexCount", mesh.indexCount, "influenceCount", mesh.influenceCount,
        "morphCount", mesh.morphCount, "firstMorphWeight", mesh.firstMorphWeight, "sourceMesh", mesh.sourceMesh,
        "sourcePrimitive", mesh.sourcePrimitive, "hasNormals", mesh.normals != NULL, "hasTangents",
        mesh.tangents != NULL );
}

static json_t* supSkinJson( const supCharacter* character, int32_t index )
{
    supSkinView skin = supCharacter_Skin( character, index );
    json_t* joints = json_array();
    for ( int32_t i = 0; i < skin.jointCount; ++i )
    {
        json_array_append_new( joints, json_integer( skin.joints[i] ) );
    }
    return json_pack( "{s:s, s:o}", "name", skin.name, "joints", joints );
}

static json_t* supJointJson( const supCharacter* character, int32_t index )
{
    const supJointView* joint = supCharacter_Joint( character, index );
    return json_pack( "{s:s, s:i, s:b, s:s, s:b}", "name", joint->name, "parent", joint->parent, "isSkinJoint",
        joint->isSkinJoint, "humanBone", joint->humanBone, "hasPhysics", joint->hasPhysics );
}

static json_t* supClipJson( const supCharacter* character, int32_t index )
{
    supClipView clip = supCharacter_Clip( character, index );
    return json_pack( "{s:s, s:f, s:f}", "name", clip.name, "start", clip.start, "end", clip.end );
}

static json_t* supListJson(
    const supCharacter* character, int32_t count, json_t* ( *one )( const supCharacter* character, int32_t index ) )
{
    json_t* list = json_array();
    for ( int32_t i = 0; i < count; ++i )
    {
        json_array_append_new( list, one( character, i ) );
    }
    return list;
}

/// All that is said of a character in names and numbers.
char* supJs_CharacterJson( const supCharacter* character )
{
    const supCharacterInfo* info = supCharacter_Info( character );
    char fingerprint[24];
    snprintf( fingerprint, sizeof( fingerprint ), "0x%016llx", (unsigned long long)info->fingerprint );
    return supJsText( json_pack( "{s:s, s:f, s:s, s:i, s:i, s:o, s:o, s:o, s:o}", "name", info->name, "size",
        (double)info->size, "fingerprint", fingerprint, "vertexCount", info->vertexCount, "morphWeightCount",
        info->morphWeightCount, "joints", supListJson( character, info->jointCount, supJointJson ), "meshes",
        supListJson( character, info->meshCount, supMeshJson ), "skins",
        supListJson( character, info->skinCount, supSkinJson ), "clips",
        supListJson( character, info->clipCount, supClipJson ) ) );
}

const float* supJs_RestPositions( const supCharacter* character )
{
    return supCharacter_Info( character )->restPositions;
}

const supMat34* supJs_RestJoints( const supCharacter* character )
{
    return supCharacter_Info( character )->restJoints;
}

const uint32_t* supJs_Indices( const supCharacter* character, int32_t mesh )
{
    return supCharacter_Mesh( character, mesh ).indices;
}

supPose* supJs_CreatePose( const supCharacter* character )
{
    supPose* pose = NULL;
    supCreatePose( character, NULL, &pose, supJsError() );
    return pose;
}

void supJs_DestroyPose( supPose* pose )
{
    supDestroyPose( pose );
}

void supJs_PoseSample( supPose* pose, int32_t clip, double time )
{
    supPose_Sample( pose, clip, time );
}

void supJs_PoseRest( supPose* pose )
{
    supPose_Rest( pose );
}

const supMat34* supJs_PoseJoints( const supPose* pose )
{
    return supPose_Joints( pose );
}

const float* supJs_PoseMorphWeights( const supPose* pose )
{
    return supPose_MorphWeights( pose );
}
