#include "support/small_tube.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct supTubeMesh
{
    float positions[3 * sup_tubeMostRings * sup_tubeMostAround], normals[3 * sup_tubeMostRings * sup_tubeMostAround],
        weights[2 * sup_tubeMostRings * sup_tubeMostAround], bulge[3 * sup_tubeMostRings * sup_tubeMostAround];
    uint16_t joints[2 * sup_tubeMostRings * sup_tubeMostAround];
    uint32_t indices[6 * sup_tubeMostRings * sup_tubeMostAround];
    const float* morphs[1];
    const char* morphNames[1];
} supTubeMesh;

typedef struct supTubeWork
{
    supTubeMesh meshes[2];
    char names[sup_tubeMostJoints][16];
    supJointDef joints[sup_tubeMostJoints];
    int32_t skinJoints[sup_tubeMostJoints];
    float times[sup_tubeMostKeys], turns[3 * 4 * sup_tubeMostKeys], scales[3 * 3 * sup_tubeMostKeys],
        moves[3 * 3 * sup_tubeMostKeys];
    supTrackDef tracks[sup_tubeMostJoints + 2];
} supTubeWork;

supTubeDef supDefaultTubeDef( void )
{
    return ( supTubeDef ){ .rings = 7,
        .around = 6,
        .joints = 2,
        .keys = 6,
        .radius = 0.12f,
        .swing = 0.5f,
        .seconds = 0.1f,
        .interpolation = sup_interpolationLinear };
}

static supMeshDef supFillTubeMesh( const supTubeDef* def, supTubeMesh* mesh, const char* name, float radius )
{
    int32_t count = 0, vertexCount = def->rings * def->around;
    for ( int32_t i = 0; i < vertexCount; ++i )
    {
        int32_t ring = i / def->around, corner = i % def->around, next = corner + 1 == def->around ? i - corner : i + 1;
        float height = (float)ring / (float)( def->rings - 1 ), place = height * (float)def->joints - 0.5f;
        double angle = 6.283185307179586 * corner / def->around;
        int32_t first = place <= 0.0f ? 0 : (int32_t)place;
        int32_t second = first + 1 < def->joints ? first + 1 : first;
        float share = second != first && place > 0.0f ? place - (float)first : 0.0f;
        const float around[3] = { (float)cos( angle ), 0.0f, (float)sin( angle ) };
        for ( int32_t k = 0; k < 3; ++k )
        {
            mesh->positions[3 * i + k] = k == 1 ? height : radius * around[k];
            mesh->normals[3 * i + k] = around[k];
            mesh->bulge[3 * i + k] = 0.3f * radius * around[k] * height;
        }
        mesh->joints[2 * i] = (uint16_t)first;
        mesh->joints[2 * i + 1] = (uint16_t)second;
        mesh->weights[2 * i] = 1.0f - share;
        mesh->weights[2 * i + 1] = share;
        const int32_t quad[6] = { i, i + def->around, next, next, i + def->around, next + def->around };
        for ( int32_t k = 0; k < 6 && ring + 1 < def->rings; ++k )
        {
            mesh->indices[count++] = (uint32_t)quad[k];
        }
    }
    mesh->morphs[0] = mesh->bulge;
    mesh->morphNames[0] = "bulge";
    return ( supMeshDef ){ .name = name,
        .material = name,
        .vertexCount = vertexCount,
        .positions = mesh->positions,
        .normals = mesh->normals,
        .influenceCount = 2,
        .jointIndices = mesh->joints,
        .weights = mesh->weights,
        .indexCount = count,
        .indices = mesh->indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
}

/// `width` numbers a key; where the clip is cubic with level tangents beside them.
static void supPutKey( const supTubeDef* def, float* values, int32_t key, int32_t width, const float* value )
{
    bool cubic = def->interpolation == sup_interpolationCubic;
    float* to = values + ( cubic ? 3 * key + 1 : key ) * width;
    memcpy( to, value, sizeof( float ) * (size_t)width );
}

static supClipDef supFillTubeClip( const supTubeDef* def, supTubeWork* work )
{
    for ( int32_t key = 0; key < def->keys; ++key )
    {
        double phase = def->keys > 1 ? 6.283185307179586 * key / ( def->keys - 1 ) : 0.0,
               half = 0.5 * (double)def->swing * sin( phase );
        const float turn[4] = { (float)sin( half ), 0.0f, 0.0f, (float)cos( half ) };
        const float scale[3] = { 1.0f, 1.0f + 0.1f * (float)sin( phase ), 1.0f };
        const float move[3] = { 0.2f * (float)sin( phase ), 0.0f, 0.1f * (float)cos( phase ) };
        work->times[key] = def->seconds * (float)key;
        supPutKey( def, work->turns, key, 4, turn );
        supPutKey( def, work->scales, key, 3, scale );
        supPutKey( def, work->moves, key, 3, move );
    }
    int32_t count = 0;
    supTrackDef track = { .path = sup_pathRotation,
        .interpolation = (supInterpolation)def->interpolation,
        .keyCount = def->keys,
        .times = work->times,
        .values = work->turns,
        .width = 4 };
    for ( int32_t joint = def->joints > 1 ? 1 : 0; joint < def->joints; ++joint )
    {
        track.joint = joint;
        work->tracks[count++] = track;
    }
    track.width = 3;
    track.joint = def->joints - 1;
    track.path = sup_pathScale;
    track.values = work->scales;
    work->tracks[count] = track;
    count += def->scales ? 1 : 0;
    track.joint = 0;
    track.path = sup_pathTranslation;
    track.values = work->moves;
    work->tracks[count] = track;
    count += def->moves ? 1 : 0;
    return ( supClipDef ){ .name = "swing", .trackCount = count, .tracks = work->tracks };
}

supResult supMakeSmallTube( const supTubeDef* def, const supAllocator* allocator, supCharacter** out, supError* error )
{
    supTubeWork* work = calloc( 1, sizeof( supTubeWork ) );
    if ( work == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a tube" );
    }
    supMeshDef meshes[2] = { supFillTubeMesh( def, work->meshes, "tube", def->radius ),
        supFillTubeMesh( def, work->meshes + 1, "coat", 1.1f * def->radius ) };
    if ( def->hasMorph )
    {
        meshes[0].morphCount = 1;
        meshes[0].morphPositions = work->meshes[0].morphs;
        meshes[0].morphNames = work->meshes[0].morphNames;
    }
    for ( int32_t i = 0; i < def->joints; ++i )
    {
        snprintf( work->names[i], sizeof( work->names[i] ), "j%d", i );
        work->joints[i] = ( supJointDef ){ .name = work->names[i], .parent = i - 1, .rest = supTransform_identity };
        work->joints[i].rest.translation.y = i > 0 ? 1.0f / (float)def->joints : 0.0f;
        work->skinJoints[i] = i;
    }
    supSkinDef skin = { .name = "skin", .jointCount = def->joints, .joints = work->skinJoints };
    supClipDef clip = supFillTubeClip( def, work );
    supCharacterDef character = supDefaultCharacterDef();
    character.name = "tube";
    character.jointCount = def->joints;
    character.joints = work->joints;
    character.skinCount = 1;
    character.skins = &skin;
    character.meshCount = def->isClothed ? 2 : 1;
    character.meshes = meshes;
    character.clipCount = def->keys > 0 ? 1 : 0;
    character.clips = &clip;
    character.allocator = allocator;
    supResult result = supCreateCharacter( &character, out, error );
    free( work );
    return result;
}
