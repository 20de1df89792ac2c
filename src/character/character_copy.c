// Supple: a character's one block of memory, laid out and filled.
//
// The same code runs twice. With no block yet it only adds up sizes (checked); with the block it puts each array in its
// place and copies. So the layout and the copying cannot disagree.
//
// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "base/names.h"
#include "base/scalar_math.h"
#include "character_data.h"

#include <string.h>

typedef struct supPlacer
{
    supLayout layout;
    char* block; // NULL: only adding up
    supFixes* fixes;
} supPlacer;

static void* supPlace( supPlacer* placer, size_t count, size_t itemSize, size_t alignment )
{
    size_t at = supLayoutArray( &placer->layout, count, itemSize, alignment );
    return placer->block != NULL ? placer->block + at : NULL;
}

#define SUP_PLACE( placer, type, count ) supPlace( placer, (size_t)( count ), sizeof( type ), _Alignof( type ) )

/// A copy in the block; NULL where there is nothing to copy from.
static void* supPlaceCopy( supPlacer* placer, const void* from, size_t count, size_t itemSize, size_t alignment )
{
    if ( from == NULL )
    {
        return NULL;
    }
    void* to = supPlace( placer, count, itemSize, alignment );
    if ( to != NULL && count > 0 )
    {
        memcpy( to, from, count * itemSize );
    }
    return to;
}

#define SUP_PLACE_COPY( placer, type, from, count )                                                                    \
    supPlaceCopy( placer, from, (size_t)( count ), sizeof( type ), _Alignof( type ) )

static const char* supPlaceName( supPlacer* placer, const char* name )
{
    name = name != NULL ? name : "";
    char* copy = SUP_PLACE_COPY( placer, char, name, strlen( name ) + 1 );
    if ( copy != NULL )
    {
        supTakeControlsOut( copy, ' ' ); // whoever prints a name prints no line break or escape sequence
    }
    return copy;
}

static void supPlaceJoints( supPlacer* placer, const supCharacterDef* def, supCharacter* character )
{
    supJoint* joints = SUP_PLACE( placer, supJoint, def->jointCount );
    int32_t* order = SUP_PLACE( placer, int32_t, def->jointCount );
    int32_t* byName = SUP_PLACE( placer, int32_t, def->jointCount );
    supMat34* rest = SUP_PLACE( placer, supMat34, def->jointCount );
    for ( int32_t i = 0; i < def->jointCount; ++i )
    {
        const supJointDef* from = def->joints + i;
        supJoint joint = { .view.parent = from->parent, .firstMesh = -1, .rest = supTransform_identity };
        joint.view.name = supPlaceName( placer, from->name );
        joint.view.humanBone = supPlaceName( placer, from->humanBone );
        joint.view.hasPhysics = from->hasPhysics;
        joint.hasMatrix = from->matrix != NULL;
        if ( placer->block == NULL )
        {
            continue;
        }
        if ( joint.hasMatrix )
        {
            joint.matrix = *from->matrix;
        }
        else
        {
            joint.rest = from->rest;
            placer->fixes->restRotations += supRepairRotation( (float*)&joint.rest.rotation );
        }
        joints[i] = joint;
    }
    character->joints = joints;
    character->jointOrder = order;
    character->jointsByName = byName;
    character->restJoints = rest;
}

static void supPlaceSkins( supPlacer* placer, const supCharacterDef* def, supCharacter* character )
{
    supSkin* skins = SUP_PLACE( placer, supSkin, def->skinCount );
    for ( int32_t i = 0; i < def->skinCount; ++i )
    {
        const supSkinDef* from = def->skins + i;
        supSkin skin = { .jointCount = from->jointCount, .firstPalette = character->paletteCount };
        skin.name = supPlaceName( placer, from->name );
        skin.hasInverseBind = from->inverseBind != NULL;
        skin.joints = SUP_PLACE_COPY( placer, int32_t, from->joints, from->jointCount );
        skin.inverseBind = SUP_PLACE( placer, supMat34, from->jointCount );
        character->paletteCount += from->jointCount;
        if ( placer->block == NULL )
        {
            continue;
        }
        for ( int32_t j = 0; j < from->jointCount; ++j )
        {
            skin.inverseBind[j] = from->inverseBind != NULL ? from->inverseBind[j] : supMat34_identity;
        }
        skins[i] = skin;
    }
    character->skins = skins;
}

/// NULL where no target has any of it. A shift that is not finite is none, and counted.
static const float* const* supPlaceTargets(
    supPlacer* placer, const supMeshDef* def, const float* const* from, int64_t* fixed )
{
    bool hasAny = false;
    for ( int32_t m = 0; from != NULL && m < def->morphCount; ++m )
    {
        hasAny = hasAny || from[m] != NULL;
    }
    if ( !hasAny || def->vertexCount == 0 )
    {
        return NULL;
    }
    const float** targets = SUP_PLACE( placer, const float*, def->morphCount );
    for ( int32_t m = 0; m < def->morphCount; ++m )
    {
        float* target = SUP_PLACE_COPY( placer, float, from[m], (size_t)def->vertexCount * 3 );
        if ( targets != NULL )
        {
            supRepairDeltas( def->vertexCount, target, fixed );
            targets[m] = target;
        }
    }
    return targets;
}

/// A mesh that is not skinned has one influence, its own palette entry, so that one job serves both kinds.
static void supPlaceInfluences(
    supPlacer* placer, const supCharacterDef* def, const supMeshDef* mesh, supMeshView* view )
{
    size_t count = (size_t)mesh->vertexCount * (size_t)view->influenceCount;
    uint16_t* indices = SUP_PLACE( placer, uint16_t, count );
    float* weights = SUP_PLACE( placer, float, count );
    view->jointIndices = indices;
    view->weights = weights;
    if ( placer->block == NULL )
    {
        return;
    }
    if ( mesh->skin >= 0 )
    {
        supCopyInfluences( mesh, def->skins[mesh->skin].jointCount, indices, weights, placer->fixes );
        return;
    }
    for ( size_t i = 0; i < count; ++i )
    {
        indices[i] = 0;
        weights[i] = 1.0f;
    }
}

static supMeshView supPlaceMesh(
    supPlacer* placer, const supCharacterDef* def, const supMeshDef* from, supCharacter* character )
{
    supMeshView view = { 0 };
    view.name = supPlaceName( placer, from->name );
    view.material = supPlaceName( placer, from->material );
    view.joint = from->joint;
    view.skin = from->skin;
    view.vertexCount = from->vertexCount;
    view.influenceCount = from->skin >= 0 ? from->influenceCount : 1;
    view.indexCount = from->indexCount;
    view.morphCount = from->morphCount;
    view.firstVertex = character->vertexCount;
    view.firstMorphWeight = character->morphWeightCount;
    view.firstPalette = character->paletteCount;
    if ( from->skin < 0 )
    {
        character->paletteCount += 1;
    }
    else if ( placer->block != NULL )
    {
        view.firstPalette = character->skins[from->skin].firstPalette;
    }
    size_t vertexCount = (size_t)from->vertexCount;
    static const float none[1] = { 0.0f }; // a mesh without vertices may come without an array; its jobs want one
    float* positions = SUP_PLACE_COPY( placer, float, vertexCount > 0 ? from->positions : none, vertexCount * 3 );
    float* normals = SUP_PLACE_COPY( placer, float, from->normals, vertexCount * 3 );
    float* tangents = SUP_PLACE_COPY( placer, float, from->tangents, vertexCount * 4 );
    if ( placer->block != NULL )
    {
        supRepairPositions( from, positions, placer->fixes );
        supRepairNormals( from, positions, normals, placer->fixes );
        supRepairTangents( from, normals, tangents, placer->fixes );
    }
    view.positions = positions;
    view.normals = normals;
    view.tangents = tangents;
    supPlaceInfluences( placer, def, from, &view );
    view.indices = SUP_PLACE_COPY( placer, uint32_t, from->indices, from->indexCount );
    view.morphPositions = supPlaceTargets( placer, from, from->morphPositions, &placer->fixes->strayPositions );
    view.morphNormals = supPlaceTargets( placer, from, from->morphNormals, &placer->fixes->normals );
    view.morphTangents = supPlaceTargets( placer, from, from->morphTangents, &placer->fixes->tangents );
    float* morphWeights = SUP_PLACE( placer, float, from->morphCount );
    if ( morphWeights != NULL && from->morphCount > 0 && from->morphWeights != NULL )
    {
        memcpy( morphWeights, from->morphWeights, (size_t)from->morphCount * sizeof( float ) );
    }
    view.morphWeights = morphWeights;
    const char** morphNames = SUP_PLACE( placer, const char*, from->morphCount );
    for ( int32_t m = 0; m < from->morphCount; ++m )
    {
        const char* name = supPlaceName( placer, from->morphNames != NULL ? from->morphNames[m] : NULL );
        if ( morphNames != NULL )
        {
            morphNames[m] = name;
        }
    }
    view.morphNames = morphNames;
    view.sourceMesh = from->sourceMesh;
    view.sourcePrimitive = from->sourcePrimitive;
    character->vertexCount += from->vertexCount;
    character->morphWeightCount += from->morphCount;
    return view;
}

static void supPlaceMeshes( supPlacer* placer, const supCharacterDef* def, supCharacter* character )
{
    supMeshView* meshes = SUP_PLACE( placer, supMeshView, def->meshCount );
    int32_t* nextMeshes = SUP_PLACE( placer, int32_t, def->meshCount );
    for ( int32_t i = 0; i < def->meshCount; ++i )
    {
        supMeshView view = supPlaceMesh( placer, def, def->meshes + i, character );
        if ( placer->block != NULL )
        {
            meshes[i] = view;
            nextMeshes[i] = character->joints[view.joint].firstMesh;
            character->joints[view.joint].firstMesh = i;
        }
    }
    character->meshes = meshes;
    character->nextMeshes = nextMeshes;
}

static supTrackDef supPlaceTrack( supPlacer* placer, const supTrackDef* from )
{
    supTrackDef track = *from;
    size_t keyCount = (size_t)from->keyCount;
    bool isCubic = from->interpolation == sup_interpolationCubic;
    track.values = SUP_PLACE_COPY( placer, float, from->values, keyCount*(size_t)from->width*( isCubic ? 3 : 1 ) );
    track.times = SUP_PLACE_COPY( placer, float, from->times, keyCount );
    return track;
}

static void supPlaceClips( supPlacer* placer, const supCharacterDef* def, supCharacter* character )
{
    supClip* clips = SUP_PLACE( placer, supClip, def->clipCount );
    for ( int32_t c = 0; c < def->clipCount; ++c )
    {
        const supClipDef* from = def->clips + c;
        supClip clip = { .trackCount = from->trackCount };
        clip.name = supPlaceName( placer, from->name );
        clip.tracks = SUP_PLACE( placer, supTrackDef, from->trackCount );
        clip.isUsed = SUP_PLACE( placer, bool, from->trackCount );
        for ( int32_t t = 0; t < from->trackCount; ++t )
        {
            supTrackDef track = supPlaceTrack( placer, from->tracks + t );
            if ( placer->block != NULL )
            {
                clip.tracks[t] = track;
            }
        }
        character->mostTracks = from->trackCount > character->mostTracks ? from->trackCount : character->mostTracks;
        if ( placer->block != NULL )
        {
            clips[c] = clip;
        }
    }
    character->clips = clips;
}

static void supPlaceCharacter( supPlacer* placer, const supCharacterDef* def, supCharacter* character )
{
    supPlace( placer, 1, sizeof( supCharacter ), _Alignof( supCharacter ) ); // at the start: the block is the character
    character->name = supPlaceName( placer, def->name );
    character->jointCount = def->jointCount;
    character->skinCount = def->skinCount;
    character->meshCount = def->meshCount;
    character->clipCount = def->clipCount;
    supPlaceJoints( placer, def, character );
    supPlaceSkins( placer, def, character );
    supPlaceMeshes( placer, def, character );
    supPlaceClips( placer, def, character );
    character->restPositions = SUP_PLACE( placer, float, (size_t)character->vertexCount * 3 );
    character->welds = SUP_PLACE( placer, int32_t, character->vertexCount );
    character->paletteJoints = SUP_PLACE( placer, int32_t, character->paletteCount );
}

static void supFillPaletteJoints( supCharacter* character )
{
    for ( int32_t i = 0; i < character->skinCount; ++i )
    {
        const supSkin* skin = character->skins + i;
        memcpy(
            character->paletteJoints + skin->firstPalette, skin->joints, (size_t)skin->jointCount * sizeof( int32_t ) );
    }
    for ( int32_t i = 0; i < character->meshCount; ++i )
    {
        const supMeshView* mesh = character->meshes + i;
        if ( mesh->skin < 0 )
        {
            character->paletteJoints[mesh->firstPalette] = mesh->joint;
        }
        size_t count = (size_t)mesh->vertexCount * (size_t)mesh->influenceCount;
        for ( size_t k = 0; mesh->skin >= 0 && k < count; ++k )
        {
            if ( mesh->weights[k] > 0.0f )
            {
                character->joints[character->skins[mesh->skin].joints[mesh->jointIndices[k]]].view.isSkinJoint = true;
            }
        }
    }
}

supCharacter* supCopyCharacterDef( const supCharacterDef* def, supFixes* fixes, size_t* bytes )
{
    supPlacer placer = { supMakeLayout(), NULL, fixes };
    supCharacter sizes = { 0 };
    supPlaceCharacter( &placer, def, &sizes );

    supLayout layout = placer.layout;
    char* block = supAllocLayout( def->allocator, &layout );
    *bytes = layout.size;
    if ( block == NULL )
    {
        return NULL;
    }
    supCharacter* character = (supCharacter*)block;
    placer = ( supPlacer ){ supMakeLayout(), block, fixes };
    supPlaceCharacter( &placer, def, character );
    character->allocator = supKeepAllocator( def->allocator );
    character->blockSize = layout.size;
    if ( fixes->weightless > 0 && !supBorrowWeights( character, fixes ) )
    {
        supDestroyCharacter( character );
        return NULL;
    }
    supFillPaletteJoints( character );
    return character;
}
