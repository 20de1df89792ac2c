// Supple: the sculpted shapes of examples, from wherever they come, as displacements at rest.
// SPDX-License-Identifier: MIT
#include "layers/correctives/correctives.h"

#include "base/fields.h"
#include "layers/names_in_rig.h"
#include "supple/lab/skin.h"

#include <string.h>

/// All vertices of a mesh under the work's palette, into work->skinned.
static supResult supSkinMesh(
    const supExampleWork* work, const supMeshView* mesh, int32_t index, const float* morphWeights, supSkinning method )
{
    supSkinJob job = supCharacter_SkinJob( work->context->character, index, work->palette, morphWeights );
    job.normals = ( supInStream ){ 0 };
    job.tangents = ( supInStream ){ 0 };
    job.outPositions = ( supOutStream ){ work->skinned + mesh->firstVertex, mesh->vertexCount, sizeof( supVec3 ) };
    job.method = method;
    return mesh->vertexCount > 0 ? supSkinJob_Run( &job, work->error ) : sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Morph targets

static int32_t supFindMorph( const supMeshView* mesh, const char* name )
{
    for ( int32_t m = 0; m < mesh->morphCount; ++m )
    {
        if ( mesh->morphPositions != NULL && strcmp( mesh->morphNames[m], name ) == 0 )
        {
            return m;
        }
    }
    return -1;
}

static supResult supNoMorph( const supExampleWork* work )
{
    const supCharacter* character = work->context->character;
    const char* names[256];
    int32_t count = 0;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        for ( int32_t m = 0; m < mesh.morphCount && count < 256; ++m )
        {
            names[count] = mesh.morphNames[m];
            count += names[count][0] != 0;
        }
    }
    char place[SUP_PATH_TEXT];
    supPathText( place, "examples[%d].morph", work->index );
    return supNoName( place, "morph target", work->def->morph, names, count, work->error );
}

/// What the target does to the skin at rest: with it, less without it. Weights are the file's.
static supResult supAddMorph( const supExampleWork* work )
{
    const supCharacter* character = work->context->character;
    supCharacter_Palette( character, supCharacter_Info( character )->restJoints, work->palette );
    bool found = false;
    supResult result = sup_success;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount && result == sup_success; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        int32_t morph = supFindMorph( &mesh, work->def->morph );
        if ( morph < 0 )
        {
            continue;
        }
        found = true;
        float* weights = work->morphWeights + mesh.firstMorphWeight;
        memcpy( weights, mesh.morphWeights, (size_t)mesh.morphCount * sizeof( float ) );
        for ( int pass = 0; pass < 2 && result == sup_success; ++pass )
        {
            weights[morph] = pass == 0 ? 0.0f : 1.0f;
            result = supSkinMesh( work, &mesh, i, work->morphWeights, sup_skinningLinear );
            for ( int32_t v = mesh.firstVertex; v < mesh.firstVertex + mesh.vertexCount; ++v )
            {
                work->moves[v] = supMulAdd( work->moves[v], pass == 0 ? -1.0f : 1.0f, work->skinned[v] );
            }
        }
    }
    return result != sup_success || found ? result : supNoMorph( work );
}

// ---------------------------------------------------------------------------------------------------------------
// Moves and shapes, at rest or posed

/// A displacement that is seen in the pose, taken back to rest.
static supVec3 supUnpose( const supExampleWork* work, const supMeshView* mesh, int32_t vertex, supVec3 move )
{
    const int32_t* joints = supCharacter_Info( work->context->character )->paletteJoints + mesh->firstPalette;
    size_t first = (size_t)vertex * (size_t)mesh->influenceCount;
    supHold holds[SUP_MAX_INFLUENCES];
    int32_t count = 0;
    for ( int32_t i = 0; i < mesh->influenceCount; ++i )
    {
        float weight = mesh->weights[first + (size_t)i];
        if ( weight > 0.0f )
        {
            holds[count++] = ( supHold ){ joints[mesh->jointIndices[first + (size_t)i]], weight };
        }
    }
    supTurn turn = supBlendTurns( work->turns, holds, count );
    return turn.scale > 0.0f ? supScale( supRotate( supConjugate( turn.rotation ), move ), 1.0f / turn.scale )
                             : supVec3_zero;
}

static void supAddMove( const supExampleWork* work, const supMeshView* mesh, int32_t vertex, supVec3 move )
{
    if ( work->def->space == sup_examplePosed )
    {
        move = supUnpose( work, mesh, vertex, move );
    }
    int32_t v = mesh->firstVertex + vertex;
    work->moves[v] = supAdd( work->moves[v], move );
}

static supResult supAddMoves( const supExampleWork* work )
{
    const supCharacter* character = work->context->character;
    const supVertexValueList* list = &work->def->moves;
    if ( list->fingerprint != supCharacter_Info( character )->fingerprint )
    {
        return supFail( work->error, sup_errorData,
            "examples[%d].moves: made for another mesh (fingerprint 0x%016llx, this mesh has 0x%016llx); make them again, or remove them",
            work->index, (unsigned long long)list->fingerprint,
            (unsigned long long)supCharacter_Info( character )->fingerprint );
    }
    for ( int32_t p = 0; p < list->count; ++p )
    {
        const supVertexValues* moves = list->meshes + p;
        int32_t at = supFindMeshNamed( character, moves->mesh, moves->meshIndex );
        if ( at < 0 )
        {
            char place[SUP_PATH_TEXT];
            supPathText( place, "examples[%d].moves.meshes[%d].mesh", work->index, p );
            return supNoMesh( character, place, moves->mesh, work->error );
        }
        supMeshView mesh = supCharacter_Mesh( character, at );
        for ( int32_t i = 0; i < moves->count; ++i )
        {
            if ( moves->vertices[i] >= mesh.vertexCount )
            {
                return supFail( work->error, sup_errorData,
                    "examples[%d].moves.meshes[%d].vertices[%d]: there is no vertex %d; there are %d in \"%s\"",
                    work->index, p, i, moves->vertices[i], mesh.vertexCount, mesh.name );
            }
            supAddMove( work, &mesh, moves->vertices[i], ( (const supVec3*)moves->values )[i] );
        }
    }
    return sup_success;
}

/// The vertices that a shape stands for: all of the character's, or those of the one mesh that has as many.
static supResult supMatchShape( const supExampleWork* work, int32_t* firstMesh, int32_t* meshCount )
{
    const supCharacter* character = work->context->character;
    const supSculpt* shape = &work->def->shape;
    int32_t all = supCharacter_Info( character )->meshCount, vertices = supCharacter_Info( character )->vertexCount;
    *firstMesh = 0;
    *meshCount = all;
    bool fits = shape->count == vertices;
    for ( int32_t i = 0; i < all && !fits; ++i )
    {
        fits = supCharacter_Mesh( character, i ).vertexCount == shape->count;
        *firstMesh = i;
        *meshCount = 1;
    }
    int64_t triangles = 0;
    for ( int32_t i = *firstMesh; i < *firstMesh + *meshCount; ++i )
    {
        triangles += supCharacter_Mesh( character, i ).indexCount / 3;
    }
    if ( shape->count == 0 )
    {
        return supFail( work->error, sup_errorData,
            "examples[%d].shape: \"%s\" was not read; only a rig that is a file itself can name files", work->index,
            shape->file );
    }
    if ( !fits )
    {
        return supFail( work->error, sup_errorData,
            "examples[%d].shape: \"%s\" has %d vertices, but the character has %d in %d meshes, none of which has %d; export it with the same vertices in the same order",
            work->index, shape->file, shape->count, vertices, all, shape->count );
    }
    if ( shape->triangleCount > 0 && shape->triangleCount != triangles )
    {
        return supFail( work->error, sup_errorData,
            "examples[%d].shape: \"%s\" has %d triangles, but the character has %lld; export it from the same mesh",
            work->index, shape->file, shape->triangleCount, (long long)triangles );
    }
    return sup_success;
}

static supResult supAddShape( const supExampleWork* work )
{
    const supCharacter* character = work->context->character;
    int32_t first = 0, count = 0;
    supResult result = supMatchShape( work, &first, &count );
    bool isPosed = work->def->space == sup_examplePosed;
    const supMat34* joints = isPosed ? work->joints : supCharacter_Info( character )->restJoints;
    supSkinning method = isPosed ? (supSkinning)work->def->skinning : sup_skinningLinear;
    supCharacter_Palette( character, joints, work->palette );
    const supVec3* target = work->def->shape.points;
    for ( int32_t i = first; i < first + count && result == sup_success; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        result = supSkinMesh( work, &mesh, i, NULL, method );
        for ( int32_t v = 0; v < mesh.vertexCount && result == sup_success; ++v, ++target )
        {
            supAddMove( work, &mesh, v, supSub( *target, work->skinned[mesh.firstVertex + v] ) );
        }
    }
    return result;
}

supResult supSculptExample( const supExampleWork* work )
{
    supResult result = work->def->morph != NULL ? supAddMorph( work ) : sup_success;
    result = result == sup_success && work->def->moves.count > 0 ? supAddMoves( work ) : result;
    return result == sup_success && work->def->shape.file != NULL ? supAddShape( work ) : result;
}
