// Scenes of the bench.
// SPDX-License-Identifier: MIT
#include "bench_scene.h"

#include <stdlib.h>
#include <string.h>

supResult supPoseBenchScene( supBenchScene* scene, const char* name, supError* error )
{
    supPose* pose = NULL;
    supResult result = supCreatePose( scene->character, NULL, &pose, error );
    int32_t named = name != NULL ? supCharacter_FindClip( scene->character, name ) : -1;
    int32_t clip = named >= 0 ? named : supCharacter_Info( scene->character )->clipCount > 1 ? 1 : 0;
    for ( int f = 0; f < sup_benchFrames && result == sup_success; ++f )
    {
        if ( supCharacter_Info( scene->character )->clipCount > 0 )
        {
            supPose_Sample( pose, clip, f / 60.0 );
        }
        memcpy( scene->joints + f * scene->jointCount, supPose_Joints( pose ),
            sizeof( supMat34 ) * (size_t)scene->jointCount );
    }
    supDestroyPose( pose );
    return result;
}

/// Buffers and plain C's jobs, once character and model are there.
static supResult supFillBenchScene( supBenchScene* scene, supError* error )
{
    scene->jointCount = supCharacter_Info( scene->character )->jointCount;
    scene->vertexCount = supCharacter_Info( scene->character )->vertexCount;
    scene->meshCount = supCharacter_Info( scene->character )->meshCount;
    scene->placeCount = supModel_SkinOrder( scene->model, NULL );
    int32_t palette = supCharacter_Info( scene->character )->paletteCount;
    scene->joints = calloc( (size_t)scene->jointCount * sup_benchFrames, sizeof( supMat34 ) );
    scene->palette = calloc( (size_t)palette, sizeof( supMat34 ) );
    scene->duals = calloc( (size_t)palette, 8 * sizeof( float ) );
    scene->plain = calloc( (size_t)scene->meshCount, sizeof( supPlainJob ) );
    size_t places = (size_t)scene->placeCount;
    for ( int i = 0; i < 4; ++i )
    {
        scene->out[i] = supAllocStaggered( 12 * places, i );
    }
    scene->source = supAllocStaggered( 96 * places, 4 );
    if ( scene->joints == NULL || scene->palette == NULL || scene->plain == NULL || scene->duals == NULL ||
         scene->source == NULL || scene->out[0] == NULL || scene->out[1] == NULL || scene->out[2] == NULL ||
         scene->out[3] == NULL )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for the bench", scene->name );
    }
    return supCreateBody( scene->model, &scene->body, error );
}

/// The pose that plain C skins: that of the first frame.
static void supFillPlainJobs( supBenchScene* scene )
{
    supCharacter_Palette( scene->character, scene->joints, scene->palette );
    supPlainDualPalette( scene->palette, supCharacter_Info( scene->character )->paletteCount, scene->duals );
    for ( int32_t m = 0; m < scene->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( scene->character, m );
        scene->plain[m] =
            ( supPlainJob ){ mesh, scene->palette + mesh.firstPalette, scene->duals + 8 * mesh.firstPalette,
                scene->out[2] + 3 * mesh.firstVertex, scene->out[3] + 3 * mesh.firstVertex };
    }
}

supResult supOpenBenchScene( supBenchScene* scene, const char* name, const char* path, supError* error )
{
    *scene = ( supBenchScene ){ .name = name };
    supRig* rig = NULL;
    const supInputDef def = { .command = "bench", .path = path };
    const supProposeChoices natural = supPresetChoices( sup_presetNatural );
    supResult result = supOpenInput( &scene->input, &def, error );
    scene->character = scene->input.character;
    result = result == sup_success ? supInput_Rig( &scene->input, NULL, &natural, NULL, &rig, NULL, error ) : result;
    result = result == sup_success ? supCompileModel( scene->character, rig, &scene->model, error ) : result;
    supDestroyRig( rig );
    result = result == sup_success ? supFillBenchScene( scene, error ) : result;
    result = result == sup_success ? supPoseBenchScene( scene, NULL, error ) : result;
    if ( result == sup_success )
    {
        supFillPlainJobs( scene );
        for ( int i = 0; i < 20; ++i )
        {
            supBenchStep( scene );
        }
        scene->frame = 0;
    }
    return result;
}

/// What a repeated skin is made of.
typedef struct supRepeated
{
    float *positions, *normals, *weights;
    uint16_t* joints;
} supRepeated;

static bool supRepeatArrays( const supMeshView* mesh, int32_t count, int32_t influences, supRepeated* out )
{
    size_t n = (size_t)count, k = (size_t)influences;
    *out = ( supRepeated ){ malloc( 12 * n ), malloc( 12 * n ), malloc( 4 * k * n ), malloc( 2 * k * n ) };
    if ( out->positions == NULL || out->normals == NULL || out->weights == NULL || out->joints == NULL )
    {
        return false;
    }
    for ( int32_t v = 0; v < count; ++v )
    {
        int32_t from = v % mesh->vertexCount;
        memcpy( out->positions + 3 * v, mesh->positions + 3 * from, 12 );
        memcpy( out->normals + 3 * v, mesh->normals + 3 * from, 12 );
        for ( int32_t i = 0; i < influences; ++i )
        {
            // beyond what the mesh has: the neighbours of its first joint, so that more influences cost what they cost
            bool own = i < mesh->influenceCount;
            int32_t at = from * mesh->influenceCount + ( own ? i : 0 );
            out->joints[v * influences + i] =
                (uint16_t)( own ? mesh->jointIndices[at] : ( mesh->jointIndices[at] + i ) % 12 );
            out->weights[v * influences + i] = own ? mesh->weights[at] : 0.05f;
        }
    }
    return true;
}

supResult supRepeatBenchScene( supBenchScene* scene, const supBenchScene* from, const char* name, int32_t vertexCount,
    int32_t influences, supError* error )
{
    *scene = ( supBenchScene ){ .name = name };
    supMeshView mesh = supCharacter_Mesh( from->character, 0 );
    int32_t joints = supCharacter_Info( from->character )->paletteCount;
    supJointDef* jointDefs = calloc( (size_t)joints, sizeof( supJointDef ) );
    int32_t* list = calloc( (size_t)joints, sizeof( int32_t ) );
    supRepeated arrays = { 0 };
    supResult result = supFail( error, sup_errorMemory, "%s: no memory for %d vertices", name, vertexCount );
    if ( jointDefs != NULL && list != NULL && supRepeatArrays( &mesh, vertexCount, influences, &arrays ) )
    {
        for ( int32_t j = 0; j < joints; ++j )
        {
            jointDefs[j] = ( supJointDef ){ .parent = -1, .rest = supTransform_identity };
            list[j] = j;
        }
        supSkinDef skin = { "skin", joints, list, NULL };
        supMeshDef one = { .name = name,
            .vertexCount = vertexCount,
            .positions = arrays.positions,
            .normals = arrays.normals,
            .influenceCount = influences,
            .jointIndices = arrays.joints,
            .weights = arrays.weights,
            .sourceMesh = -1,
            .sourcePrimitive = -1 };
        supCharacterDef def = supDefaultCharacterDef();
        def.name = name;
        def.jointCount = joints, def.joints = jointDefs;
        def.skinCount = 1, def.skins = &skin;
        def.meshCount = 1, def.meshes = &one;
        result = supCreateCharacter( &def, &scene->own, error );
        scene->character = scene->own;
    }
    supRig* rig = NULL;
    result = result == sup_success ? supCreateRig( NULL, &rig, error ) : result;
    result = result == sup_success ? supCompileModel( scene->character, rig, &scene->model, error ) : result;
    result = result == sup_success ? supFillBenchScene( scene, error ) : result;
    if ( result == sup_success )
    {
        memcpy( scene->joints, from->palette, sizeof( supMat34 ) * (size_t)joints );
        supFillPlainJobs( scene );
        supBody_Step( scene->body, scene->joints, supMat34_identity, 0.0f );
    }
    supDestroyRig( rig );
    free( arrays.positions ), free( arrays.normals ), free( arrays.weights ), free( arrays.joints );
    free( jointDefs ), free( list );
    return result;
}

supResult supRerigBenchScene( const supBenchScene* from, const supRig* rig, supBenchScene* scene, supError* error )
{
    *scene = *from;
    scene->model = NULL;
    scene->body = NULL;
    supResult result = supCompileModel( from->character, rig, &scene->model, error );
    return result == sup_success ? supCreateBody( scene->model, &scene->body, error ) : result;
}

void supDropBenchScene( supBenchScene* scene )
{
    supDestroyBody( scene->body );
    supDestroyModel( scene->model );
    supDestroyCharacter( scene->own );
    supCloseInput( &scene->input );
    free( scene->joints );
    free( scene->palette );
    free( scene->duals );
    free( scene->plain );
    for ( int i = 0; i < 4; ++i )
    {
        supFreeStaggered( scene->out[i], i );
    }
    supFreeStaggered( scene->source, 4 );
    *scene = ( supBenchScene ){ 0 };
}

void supBenchSkin( void* context )
{
    const supBenchScene* scene = context;
    supBody_Skin( scene->body, scene->out[0], NULL );
}

void supBenchSmooth( void* context )
{
    const supBenchScene* scene = context;
    supBody_SmoothSkin( scene->body, scene->out[0], NULL );
}

void supBenchSkinNormals( void* context )
{
    const supBenchScene* scene = context;
    supBody_Skin( scene->body, scene->out[0], scene->out[1] );
}

void supBenchSmoothNormals( void* context )
{
    const supBenchScene* scene = context;
    supBody_SmoothSkin( scene->body, scene->out[0], scene->out[1] );
}

void supBenchOrdered( void* context )
{
    const supBenchScene* scene = context;
    supBody_SkinOrdered( scene->body, scene->out[0], NULL );
}

void supBenchCopy( void* context )
{
    const supBenchScene* scene = context;
    memcpy( scene->source + 12 * (size_t)scene->vertexCount, scene->source, 48 * (size_t)scene->vertexCount );
}

void supBenchStep( void* context )
{
    supBenchScene* scene = context;
    supBody_Step( scene->body, scene->joints + scene->frame * scene->jointCount, supMat34_identity, 1.0f / 60.0f );
    scene->frame = ( scene->frame + 1 ) % sup_benchFrames;
}

void supBenchPause( void* context )
{
    supBenchScene* scene = context;
    supBody_Step( scene->body, scene->joints + scene->frame * scene->jointCount, supMat34_identity, 0.0f );
    scene->frame = ( scene->frame + 1 ) % sup_benchFrames;
}

void supBenchStand( void* context )
{
    supBenchScene* scene = context;
    supBody_Step( scene->body, scene->joints, supMat34_identity, 1.0f / 60.0f );
}

void supBenchFrame( void* context )
{
    supBenchStep( context );
    supBenchSkinNormals( context );
}
