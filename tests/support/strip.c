#include "strip.h"

#include "base/math.h"
#include "two_bones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum
{
    supStripIndices = 6 * ( SUP_STRIP_ALONG - 1 ) * ( SUP_STRIP_ACROSS - 1 )
};

typedef struct supStripMesh
{
    float positions[3 * SUP_STRIP_VERTICES], weights[3 * SUP_STRIP_VERTICES];
    uint16_t joints[3 * SUP_STRIP_VERTICES];
    uint32_t indices[supStripIndices];
} supStripMesh;

static void supFillStrip( supStripMesh* mesh, float z )
{
    int32_t next = 0;
    for ( int32_t v = 0; v < SUP_STRIP_VERTICES; ++v )
    {
        float x = (float)( v % SUP_STRIP_ALONG ) / ( SUP_STRIP_ALONG - 1 );
        const float place[3] = { x, 0.01f * (float)( v / SUP_STRIP_ALONG ), z };
        float past = supClampF( ( x - 0.2f ) / 0.2f, 0.0f, 1.0f ), end = supClampF( ( x - 0.6f ) / 0.2f, 0.0f, 1.0f );
        const float weights[3] = { 1.0f - past, past - end, end };
        for ( int k = 0; k < 3; ++k )
        {
            mesh->positions[3 * v + k] = place[k];
            mesh->weights[3 * v + k] = weights[k];
            mesh->joints[3 * v + k] = (uint16_t)k;
        }
        if ( v % SUP_STRIP_ALONG + 1 < SUP_STRIP_ALONG && v / SUP_STRIP_ALONG + 1 < SUP_STRIP_ACROSS )
        {
            uint32_t a = (uint32_t)v, b = a + SUP_STRIP_ALONG;
            const uint32_t quad[6] = { a, a + 1, b + 1, a, b + 1, b };
            for ( int k = 0; k < 6; ++k )
            {
                mesh->indices[next++] = quad[k];
            }
        }
    }
}

supCharacter* supMakeStrip( void )
{
    supStripMesh* meshes = calloc( 2, sizeof( *meshes ) );
    assert_non_null( meshes );
    supMeshDef parts[2];
    for ( int m = 0; m < 2; ++m )
    {
        supFillStrip( meshes + m, m == 0 ? 0.0f : 0.01f );
        parts[m] = ( supMeshDef ){ .name = m == 0 ? "skin" : "coat",
            .skin = 0,
            .vertexCount = SUP_STRIP_VERTICES,
            .positions = meshes[m].positions,
            .influenceCount = 3,
            .jointIndices = meshes[m].joints,
            .weights = meshes[m].weights,
            .indexCount = supStripIndices,
            .indices = meshes[m].indices,
            .sourceMesh = -1,
            .sourcePrimitive = -1 };
    }
    const supJointDef joints[3] = { { "left", -1, supTransform_identity, NULL, NULL, false },
        { "middle", 0, supTransform_identity, NULL, NULL, false },
        { "right", 0, supTransform_identity, NULL, NULL, false } };
    const int32_t skinJoints[3] = { 0, 1, 2 };
    const supMat34 inverse[3] = { supMat34_identity, supMat34_identity, supMat34_identity };
    const supSkinDef skin = { "skin", 3, skinJoints, inverse };
    static const float times[2] = { 0.0f, 1.0f };
    static const float middle[6] = { 0.0f, 0.0f, 0.0f, -0.02f, 0.0f, 0.0f },
                       right[6] = { 0.0f, 0.0f, 0.0f, -0.08f, 0.0f, 0.0f };
    const supTrackDef tracks[2] = { { 1, sup_pathTranslation, sup_interpolationLinear, 2, times, middle, 3 },
        { 2, sup_pathTranslation, sup_interpolationLinear, 2, times, right, 3 } };
    const supClipDef clip = { "press", 2, tracks };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "strip";
    def.jointCount = 3;
    def.joints = joints;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 2;
    def.meshes = parts;
    def.clipCount = 1;
    def.clips = &clip;
    supCharacter* character = supTestCreate( &def );
    free( meshes );
    return character;
}
