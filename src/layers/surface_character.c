// Supple: another surface on a character's skeleton.
// SPDX-License-Identifier: MIT
//
// The new mesh stands in model space, so its joints' inverse bind matrices are those of the joints at rest, whatever
// the skins of the character are: a vertex at rest goes to joint * inverse( joint at rest ) * vertex, as the skin does.
#include "character/character_data.h"
#include "layers/triangle_tree.h"
#include "supple/lab/sewn.h"

#include "base/memory.h"

#include <string.h>

enum
{
    supFeetTried = 16, ///< nearest triangles among which one that faces the same way is looked for
    supLeastInfluences = 4,
};

typedef struct supSurfaceMaker
{
    const supCharacter* character;
    const supSurfaceDef* surface;
    const supAllocator* allocator;
    int32_t influences;
    int32_t* corners; ///< of each vertex
    float* shares;
    int32_t* meshOf; ///< of each vertex of the character
    // the skin: all joints that any skin of the character lists, and those that carry a mesh by themselves
    int32_t* slots; ///< of each joint: where it stands in `joints`, -1: nowhere
    int32_t* joints;
    supMat34* inverseBind;
    int32_t jointCount;
    uint16_t* jointIndices;
    float* weights;
    supJointDef* jointDefs;
    supClipDef* clips;
    supTrackDef* tracks;
    float* sums; ///< of one vertex, for each joint
} supSurfaceMaker;

// ---------------------------------------------------------------------------------------------------------------
// Where a surface hangs on the skin that is nearest to it

static supFootPoint supSkinUnder( const supTriangleTree* tree, supVec3 p, supVec3 normal, float reach )
{
    supFootPoint feet[supFeetTried];
    int32_t found = 0;
    for ( float within = 0.01f * reach; found == 0 && within < 4.0f * reach; within *= 4.0f )
    {
        found = supTriangleTree_Nearest( tree, p, within, supFeetTried, feet );
    }
    for ( int32_t i = 0; i < found; ++i )
    {
        const int32_t* c = tree->corners + 3 * (size_t)feet[i].triangle;
        supVec3 faces = supFaceNormal( tree->points[c[0]], tree->points[c[1]], tree->points[c[2]] );
        if ( supDot( faces, normal ) > 0.0f )
        {
            return feet[i];
        }
    }
    return found > 0 ? feet[0] : ( supFootPoint ){ .triangle = -1 };
}

static supResult supHangSurface( supSurfaceMaker* work, supError* error )
{
    const supCharacterInfo* info = supCharacter_Info( work->character );
    const supSurfaceDef* surface = work->surface;
    supArray corners = supMakeArray( sizeof( int32_t ), work->allocator );
    bool good = true;
    for ( int32_t m = 0; m < info->meshCount && good; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( work->character, m );
        int32_t* to = mesh.indexCount > 0 ? supArray_Add( &corners, (size_t)mesh.indexCount ) : NULL;
        good = to != NULL || mesh.indexCount == 0;
        for ( int32_t i = 0; i < mesh.indexCount && good; ++i )
        {
            to[i] = mesh.firstVertex + (int32_t)mesh.indices[i];
        }
    }
    const supVec3* rest = (const supVec3*)info->restPositions;
    int32_t triangles = (int32_t)( corners.count / 3 );
    supTriangleTree* tree =
        good && triangles > 0 ? supMakeTriangleTree( rest, NULL, corners.data, triangles, work->allocator ) : NULL;
    for ( int32_t v = 0; v < surface->vertexCount && tree != NULL; ++v )
    {
        supVec3 p = ( (const supVec3*)surface->positions )[v], n = ( (const supVec3*)surface->normals )[v];
        supFootPoint foot = supSkinUnder( tree, p, n, info->size );
        for ( int32_t c = 0; c < 3 && foot.triangle >= 0; ++c )
        {
            work->corners[3 * v + c] = tree->corners[3 * (size_t)foot.triangle + (size_t)c];
            work->shares[3 * v + c] = foot.shares[c];
        }
    }
    supResult result = sup_success;
    if ( good && triangles == 0 )
    {
        result = supFail( error, sup_errorData, "%s: no skin to hang a surface on", info->name );
    }
    else if ( tree == NULL )
    {
        result = supFail( error, sup_errorMemory, "%s: no memory to hang a surface on its skin", info->name );
    }
    supDropTriangleTree( tree, work->allocator );
    supArray_Destroy( &corners );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Weights

static void supListJoint( supSurfaceMaker* work, int32_t joint )
{
    if ( work->slots[joint] < 0 )
    {
        work->slots[joint] = work->jointCount;
        work->joints[work->jointCount++] = joint;
    }
}

static supResult supListJoints( supSurfaceMaker* work, supError* error )
{
    const supCharacterInfo* info = supCharacter_Info( work->character );
    for ( int32_t j = 0; j < info->jointCount; ++j )
    {
        work->slots[j] = -1;
    }
    for ( int32_t i = 0; i < info->paletteCount; ++i )
    {
        supListJoint( work, info->paletteJoints[i] );
    }
    for ( int32_t i = 0; i < work->jointCount; ++i )
    {
        if ( !supInvertMat( info->restJoints[work->joints[i]], &work->inverseBind[i] ) )
        {
            return supFail( error, sup_errorData, "%s: joint \"%s\" has no size at rest (a scale of zero)", info->name,
                supCharacter_Joint( work->character, work->joints[i] )->name );
        }
    }
    return sup_success;
}

static void supAddWeights( supSurfaceMaker* work, int32_t vertex, float share )
{
    const supCharacterInfo* info = supCharacter_Info( work->character );
    supMeshView mesh = supCharacter_Mesh( work->character, work->meshOf[vertex] );
    if ( mesh.skin < 0 )
    {
        work->sums[work->slots[mesh.joint]] += share;
        return;
    }
    size_t at = (size_t)( vertex - mesh.firstVertex ) * (size_t)mesh.influenceCount;
    for ( int32_t i = 0; i < mesh.influenceCount; ++i )
    {
        int32_t joint = info->paletteJoints[mesh.firstPalette + mesh.jointIndices[at + (size_t)i]];
        work->sums[work->slots[joint]] += share * mesh.weights[at + (size_t)i];
    }
}

/// The heaviest few of the blended weights; their sum is made one when the character is.
static void supBlendWeights( supSurfaceMaker* work, int32_t v )
{
    memset( work->sums, 0, (size_t)work->jointCount * sizeof( float ) );
    for ( int32_t c = 0; c < 3; ++c )
    {
        supAddWeights( work, work->corners[3 * v + c], work->shares[3 * v + c] );
    }
    for ( int32_t i = 0; i < work->influences; ++i )
    {
        int32_t heaviest = 0;
        for ( int32_t j = 1; j < work->jointCount; ++j )
        {
            heaviest = work->sums[j] > work->sums[heaviest] ? j : heaviest;
        }
        size_t at = (size_t)v * (size_t)work->influences + (size_t)i;
        work->weights[at] = work->sums[heaviest];
        work->jointIndices[at] = (uint16_t)heaviest;
        work->sums[heaviest] = 0.0f;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The character

static void supCopyJoints( supSurfaceMaker* work )
{
    const supCharacter* character = work->character;
    for ( int32_t j = 0; j < character->jointCount; ++j )
    {
        const supJoint* joint = character->joints + j;
        work->jointDefs[j] = ( supJointDef ){ .name = joint->view.name,
            .parent = joint->view.parent,
            .rest = joint->rest,
            .matrix = joint->hasMatrix ? &joint->matrix : NULL,
            .humanBone = joint->view.humanBone[0] != 0 ? joint->view.humanBone : NULL,
            .hasPhysics = joint->view.hasPhysics };
    }
    // the node that shows the surface
    work->jointDefs[character->jointCount] =
        ( supJointDef ){ .name = work->surface->name, .parent = -1, .rest = supTransform_identity };
}

/// All tracks but those of morph targets, which the surface has none of.
static void supCopyClips( supSurfaceMaker* work )
{
    supTrackDef* track = work->tracks;
    for ( int32_t c = 0; c < work->character->clipCount; ++c )
    {
        supClipView view = supCharacter_Clip( work->character, c );
        supClipDef* clip = work->clips + c;
        *clip = ( supClipDef ){ .name = view.name, .tracks = track };
        for ( int32_t t = 0; t < view.trackCount; ++t )
        {
            if ( view.tracks[t].path != sup_pathWeights )
            {
                *track++ = view.tracks[t];
                ++clip->trackCount;
            }
        }
    }
}

static supResult supMakeSurfaceCharacter( const supSurfaceMaker* work, supCharacter** out, supError* error )
{
    const supCharacter* character = work->character;
    const supSurfaceDef* surface = work->surface;
    supSkinDef skin = {
        .name = surface->name, .jointCount = work->jointCount, .joints = work->joints, .inverseBind = work->inverseBind
    };
    supMeshDef mesh = { .name = surface->name,
        .joint = character->jointCount,
        .skin = 0,
        .vertexCount = surface->vertexCount,
        .positions = surface->positions,
        .normals = surface->normals,
        .influenceCount = work->influences,
        .jointIndices = work->jointIndices,
        .weights = work->weights,
        .indexCount = surface->indexCount,
        .indices = surface->indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = character->name;
    def.jointCount = character->jointCount + 1;
    def.joints = work->jointDefs;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &mesh;
    def.clipCount = character->clipCount;
    def.clips = work->clips;
    def.allocator = work->allocator;
    return supCreateCharacter( &def, out, error );
}

static void* supLayOutSurface( supSurfaceMaker* work, supLayout* layout )
{
    const supCharacter* character = work->character;
    size_t vertices = (size_t)work->surface->vertexCount, joints = (size_t)character->jointCount;
    size_t tracks = 0, influences = supLeastInfluences;
    for ( int32_t c = 0; c < character->clipCount; ++c )
    {
        tracks += (size_t)supCharacter_Clip( character, c ).trackCount;
    }
    for ( int32_t m = 0; m < character->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        influences =
            mesh.skin >= 0 && (size_t)mesh.influenceCount > influences ? (size_t)mesh.influenceCount : influences;
    }
    work->influences = (int32_t)influences;
    SUP_PUT( layout, work->corners, 3 * vertices );
    SUP_PUT( layout, work->shares, 3 * vertices );
    SUP_PUT( layout, work->meshOf, (size_t)character->vertexCount );
    SUP_PUT( layout, work->slots, joints );
    SUP_PUT( layout, work->joints, joints );
    SUP_PUT( layout, work->inverseBind, joints );
    SUP_PUT_ROWS( layout, work->jointIndices, vertices, influences );
    SUP_PUT_ROWS( layout, work->weights, vertices, influences );
    SUP_PUT( layout, work->jointDefs, joints + 1 );
    SUP_PUT( layout, work->clips, (size_t)character->clipCount + 1 );
    SUP_PUT( layout, work->tracks, tracks + 1 );
    SUP_PUT( layout, work->sums, joints );
    return supAllocLayout( work->allocator, layout );
}

supResult supCreateSurfaceCharacter( const supCharacter* character, const supSurfaceDef* surface,
    const supAllocator* allocator, supCharacter** out, supError* error )
{
    *out = NULL;
    supSurfaceDef named = *surface;
    named.name = surface->name != NULL ? surface->name : "surface";
    supSurfaceMaker work = { .character = character, .surface = &named, .allocator = allocator };
    supLayout layout = supMakeLayout();
    void* block = supLayOutSurface( &work, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for a surface", character->name );
    }
    for ( int32_t m = 0; m < character->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            work.meshOf[mesh.firstVertex + v] = m;
        }
    }
    supResult result = sup_success;
    if ( surface->corners != NULL )
    {
        memcpy( work.corners, surface->corners, 3 * (size_t)surface->vertexCount * sizeof( int32_t ) );
        memcpy( work.shares, surface->shares, 3 * (size_t)surface->vertexCount * sizeof( float ) );
    }
    else
    {
        result = supHangSurface( &work, error );
    }
    result = result == sup_success ? supListJoints( &work, error ) : result;
    for ( int32_t v = 0; v < surface->vertexCount && result == sup_success; ++v )
    {
        supBlendWeights( &work, v );
    }
    if ( result == sup_success )
    {
        supCopyJoints( &work );
        supCopyClips( &work );
        result = supMakeSurfaceCharacter( &work, out, error );
    }
    supFree( allocator, block, layout.size );
    return result;
}
