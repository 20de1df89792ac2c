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
    // of the garment, with room for all of the skin's
    int32_t indexCount, vertexCount;
    uint32_t* indices;
    int32_t* renumber; // of the skin's vertices: the garment's, or -1
    float *positions, *weights;
    uint16_t* influences;
} supDressing;

static void supCopySkeleton( const supCharacter* bare, supDressing* d, supCharacterDef* def, supSkinDef* skin )
{
    def->jointCount = supCharacter_Info( bare )->jointCount;
    for ( int32_t j = 0; j < def->jointCount; ++j )
    {
        supTransform rest = supTransform_identity;
        rest.translation = supCharacter_Joint( bare, j )->local.t;
        d->joints[j] = ( supJointDef ){
            .name = supCharacter_Joint( bare, j )->name, .parent = supCharacter_Joint( bare, j )->parent, .rest = rest
        };
    }
    *skin = ( supSkinDef ){ "skin", supCharacter_Info( bare )->paletteCount, d->skinJoints, d->inverseBind };
    for ( int32_t i = 0; i < skin->jointCount; ++i )
    {
        d->skinJoints[i] = supCharacter_Info( bare )->paletteJoints[i];
        supVec3 place = supCharacter_Info( bare )->restJoints[d->skinJoints[i]].t;
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
    def->clipCount = supCharacter_Info( bare )->clipCount;
    for ( int32_t c = 0; c < def->clipCount; ++c )
    {
        supClipView clip = supCharacter_Clip( bare, c );
        d->clips[c] = ( supClipDef ){ clip.name, clip.trackCount, next };
        for ( int32_t t = 0; t < clip.trackCount; ++t )
        {
            *next++ = supCharacter_Clip( bare, c ).tracks[t];
        }
    }
    def->clips = d->clips;
}

/// The garment's vertex on one of the skin's.
static uint32_t supTakeVertex( supDressing* d, uint32_t v, float thickness )
{
    if ( d->renumber[v] < 0 )
    {
        size_t to = (size_t)d->vertexCount, each = (size_t)d->skin.influenceCount;
        d->renumber[v] = d->vertexCount++;
        for ( size_t k = 0; k < 3; ++k )
        {
            d->positions[3 * to + k] = d->skin.positions[3 * v + k] + thickness * d->skin.normals[3 * v + k];
        }
        memcpy( d->weights + each * to, d->skin.weights + each * v, each * sizeof( float ) );
        memcpy( d->influences + each * to, d->skin.jointIndices + each * v, each * sizeof( uint16_t ) );
    }
    return (uint32_t)d->renumber[v];
}

static void supCutGarment( supDressing* d, supCovers* covers, float thickness )
{
    for ( int32_t i = 0; i + 2 < d->skin.indexCount; i += 3 )
    {
        bool covered = true;
        for ( int k = 0; k < 3; ++k )
        {
            const float* p = d->skin.positions + 3 * (size_t)d->skin.indices[i + k];
            covered = covered && covers( ( supVec3 ){ p[0], p[1], p[2] } );
        }
        for ( int k = 0; k < 3 && covered; ++k )
        {
            d->indices[d->indexCount++] = supTakeVertex( d, d->skin.indices[i + k], thickness );
        }
    }
}

static bool supMakeRoom( supDressing* d )
{
    size_t vertices = (size_t)d->skin.vertexCount, each = (size_t)d->skin.influenceCount;
    d->indices = (uint32_t*)malloc( (size_t)d->skin.indexCount * sizeof( uint32_t ) );
    d->renumber = (int32_t*)malloc( vertices * sizeof( int32_t ) );
    d->positions = (float*)malloc( 3 * vertices * sizeof( float ) );
    d->weights = (float*)malloc( each * vertices * sizeof( float ) );
    d->influences = (uint16_t*)malloc( each * vertices * sizeof( uint16_t ) );
    for ( size_t v = 0; d->renumber != NULL && v < vertices; ++v )
    {
        d->renumber[v] = -1;
    }
    return d->indices != NULL && d->renumber != NULL && d->positions != NULL && d->weights != NULL &&
           d->influences != NULL;
}

static void supDropDressing( supDressing* d )
{
    if ( d != NULL )
    {
        free( d->indices );
        free( d->renumber );
        free( d->positions );
        free( d->weights );
        free( d->influences );
        free( d );
    }
}

supResult supDressCharacter( const supCharacter* bare, const char* name, supCovers* covers, float thickness,
    supCharacter** out, supError* error )
{
    supDressing* d = (supDressing*)calloc( 1, sizeof( *d ) );
    if ( d != NULL )
    {
        d->skin = supCharacter_Mesh( bare, 0 );
    }
    if ( d == NULL || !supMakeRoom( d ) )
    {
        supDropDressing( d );
        return supFail( error, sup_errorMemory, "no memory for '%s'", name );
    }
    supCharacterDef def = supDefaultCharacterDef();
    supSkinDef skinDef;
    supCopySkeleton( bare, d, &def, &skinDef );
    supCopyClips( bare, d, &def );
    supCutGarment( d, covers, thickness );
    supMeshDef body = { .name = d->skin.name,
        .joint = d->skin.joint,
        .vertexCount = d->skin.vertexCount,
        .positions = d->skin.positions,
        .influenceCount = d->skin.influenceCount,
        .jointIndices = d->skin.jointIndices,
        .weights = d->skin.weights,
        .indexCount = d->skin.indexCount,
        .indices = d->skin.indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supMeshDef meshes[2] = { body, body };
    meshes[1].name = name;
    meshes[1].vertexCount = d->vertexCount;
    meshes[1].positions = d->positions;
    meshes[1].jointIndices = d->influences;
    meshes[1].weights = d->weights;
    meshes[1].indexCount = d->indexCount;
    meshes[1].indices = d->indices;
    def.name = name;
    def.meshes = meshes;
    def.meshCount = 2;
    supResult result = supCreateCharacter( &def, out, error );
    supDropDressing( d );
    return result;
}
