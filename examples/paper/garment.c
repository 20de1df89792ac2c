// A built-in character with a garment on it.
// SPDX-License-Identifier: MIT
#include "garment.h"

#include <stdlib.h>
#include <string.h>

enum
{
    supMostJoints = 64,
    supMostClips = 8,
    supMostTracks = 512,
};

/// What a character's definition points to while it is made.
typedef struct supDressing
{
    supMeshView skin;
    supJointDef joints[supMostJoints];
    int32_t skinJoints[supMostJoints];
    supMat34 inverseBind[supMostJoints];
    supClipDef clips[supMostClips];
    supTrackDef tracks[supMostTracks];
    uint32_t* indices; // of the garment: room for all of the skin's
    int32_t indexCount;
    float* positions; // of the garment: as many as the skin has
} supDressing;

static void supCopySkeleton( const supCharacter* bare, supDressing* d, supCharacterDef* def, supSkinDef* skin )
{
    def->jointCount = supCharacter_JointCount( bare );
    for ( int32_t j = 0; j < def->jointCount; ++j )
    {
        supTransform rest = supTransform_identity;
        rest.translation = supCharacter_JointLocal( bare, j ).t;
        d->joints[j] =
            ( supJointDef ){ supCharacter_JointName( bare, j ), supCharacter_JointParent( bare, j ), rest, NULL };
    }
    *skin = ( supSkinDef ){ "skin", supCharacter_PaletteCount( bare ), d->skinJoints, d->inverseBind };
    for ( int32_t i = 0; i < skin->jointCount; ++i )
    {
        d->skinJoints[i] = supCharacter_PaletteJoints( bare )[i];
        supVec3 place = supCharacter_RestJoints( bare )[d->skinJoints[i]].t;
        d->inverseBind[i] = supMat34_identity;
        d->inverseBind[i].t = ( supVec3 ){ -place.x, -place.y, -place.z };
    }
    def->joints = d->joints;
    def->skins = skin;
    def->skinCount = 1;
}

static void supCopyClips( const supCharacter* bare, supDressing* d, supCharacterDef* def )
{
    supTrackDef* next = d->tracks;
    def->clipCount = supCharacter_ClipCount( bare );
    for ( int32_t c = 0; c < def->clipCount; ++c )
    {
        supClipView clip = supCharacter_Clip( bare, c );
        d->clips[c] = ( supClipDef ){ clip.name, clip.trackCount, next };
        for ( int32_t t = 0; t < clip.trackCount; ++t )
        {
            *next++ = supCharacter_Track( bare, c, t );
        }
    }
    def->clips = d->clips;
}

static void supCutGarment( supDressing* d, supCovers* covers, float thickness )
{
    for ( int32_t i = 0; i < 3 * d->skin.vertexCount; ++i )
    {
        d->positions[i] = d->skin.positions[i] + thickness * d->skin.normals[i];
    }
    for ( int32_t i = 0; i + 2 < d->skin.indexCount; i += 3 )
    {
        bool covered = true;
        for ( int k = 0; k < 3; ++k )
        {
            const float* p = d->skin.positions + 3 * (size_t)d->skin.indices[i + k];
            covered = covered && covers( ( supVec3 ){ p[0], p[1], p[2] } );
        }
        if ( covered )
        {
            memcpy( d->indices + d->indexCount, d->skin.indices + i, 3 * sizeof( uint32_t ) );
            d->indexCount += 3;
        }
    }
}

supResult supDressCharacter( const supCharacter* bare, const char* name, supCovers* covers, float thickness,
    supCharacter** out, supError* error )
{
    supDressing* d = calloc( 1, sizeof( *d ) );
    supMeshView skin = supCharacter_Mesh( bare, 0 );
    uint32_t* indices = malloc( (size_t)skin.indexCount * sizeof( uint32_t ) );
    float* positions = malloc( 3 * (size_t)skin.vertexCount * sizeof( float ) );
    supResult result = sup_errorMemory;
    if ( d != NULL && indices != NULL && positions != NULL )
    {
        supCharacterDef def = supDefaultCharacterDef();
        supSkinDef skinDef;
        d->skin = skin;
        d->indices = indices;
        d->positions = positions;
        supCopySkeleton( bare, d, &def, &skinDef );
        supCopyClips( bare, d, &def );
        supCutGarment( d, covers, thickness );
        supMeshDef body = { .name = skin.name,
            .joint = skin.joint,
            .vertexCount = skin.vertexCount,
            .positions = skin.positions,
            .influenceCount = skin.influenceCount,
            .jointIndices = skin.jointIndices,
            .weights = skin.weights,
            .indexCount = skin.indexCount,
            .indices = skin.indices,
            .sourceMesh = -1,
            .sourcePrimitive = -1 };
        supMeshDef meshes[2] = { body, body };
        meshes[1].name = name;
        meshes[1].positions = positions;
        meshes[1].indices = indices;
        meshes[1].indexCount = d->indexCount;
        def.name = name;
        def.meshes = meshes;
        def.meshCount = 2;
        result = supCreateCharacter( &def, out, error );
    }
    free( d );
    free( indices );
    free( positions );
    return result == sup_errorMemory ? supFail( error, sup_errorMemory, "no memory for '%s'", name ) : result;
}
