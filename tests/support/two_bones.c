#include "support/two_bones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void supMakeBar( supTwoBones* out )
{
    static const float corners[4][2] = { { 1.0f, 1.0f }, { -1.0f, 1.0f }, { -1.0f, -1.0f }, { 1.0f, -1.0f } };
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        int ring = v / 4, corner = v % 4;
        float x = corners[corner][0], z = corners[corner][1],
              y = 2.0f * (float)ring / (float)( SUP_TWO_BONES_RINGS - 1 );
        float* p = out->positions + 3 * v;
        p[0] = 0.25f * x;
        p[1] = y;
        p[2] = 0.25f * z;
        float* n = out->normals + 3 * v;
        n[0] = x;
        n[1] = 0.0f;
        n[2] = 0.0f;
        float* t = out->tangents + 4 * v;
        t[1] = 1.0f;
        t[3] = z;
        out->jointIndices[2 * v] = 0;
        out->jointIndices[2 * v + 1] = 1;
        out->weights[2 * v] = y < 1.0f ? 1.0f : y > 1.0f ? 0.0f : 0.5f;
        out->weights[2 * v + 1] = 1.0f - out->weights[2 * v];
        out->morph[3 * v] = 1.0f;
    }
    uint32_t* index = out->indices;
    for ( uint32_t ring = 0; ring + 1 < SUP_TWO_BONES_RINGS; ++ring )
    {
        for ( uint32_t corner = 0; corner < 4; ++corner, index += 6 )
        {
            uint32_t a = 4 * ring + corner, b = 4 * ring + ( corner + 1 ) % 4;
            const uint32_t two[6] = { a, b, a + 4, b, b + 4, a + 4 };
            memcpy( index, two, sizeof( two ) );
        }
    }
}

void supMakeTwoBones( supTwoBones* out )
{
    memset( out, 0, sizeof( *out ) );
    supMakeBar( out );
    for ( int i = 0; i < 3; ++i )
    {
        static const char* const names[3] = { "root", "lower", "upper" };
        out->joints[i] = ( supJointDef ){ names[i], i - 1, supTransform_identity, NULL, NULL, false };
    }
    out->joints[2].rest.translation.y = 1.0f;
    out->skinJoints[0] = 1;
    out->skinJoints[1] = 2;
    out->inverseBind[0] = supMat34_identity;
    out->inverseBind[1] = supMat34_identity;
    out->inverseBind[1].t.y = -1.0f;
    out->skin = ( supSkinDef ){ "bones", 2, out->skinJoints, out->inverseBind };
    out->morphs[0] = out->morph;
    out->mesh = ( supMeshDef ){ .name = "bar",
        .material = "rubber",
        .joint = 0,
        .skin = 0,
        .vertexCount = SUP_TWO_BONES_VERTICES,
        .positions = out->positions,
        .normals = out->normals,
        .tangents = out->tangents,
        .influenceCount = 2,
        .jointIndices = out->jointIndices,
        .weights = out->weights,
        .indexCount = SUP_TWO_BONES_INDICES,
        .indices = out->indices,
        .morphCount = 1,
        .morphPositions = out->morphs,
        .morphWeights = out->morphWeights,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    out->times[1] = 1.0f;
    const float half = 0.70710678118654752f;
    const float rotations[8] = { 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, half, half };
    memcpy( out->rotations, rotations, sizeof( rotations ) );
    out->track = ( supTrackDef ){ 2, sup_pathRotation, sup_interpolationLinear, 2, out->times, out->rotations, 4 };
    out->clip = ( supClipDef ){ "bend", 1, &out->track };
    out->def = supDefaultCharacterDef();
    out->def.name = "bar.test";
    out->def.jointCount = 3;
    out->def.skinCount = out->def.meshCount = out->def.clipCount = 1;
    out->def.joints = out->joints;
    out->def.skins = &out->skin;
    out->def.meshes = &out->mesh;
    out->def.clips = &out->clip;
}

supCharacter* supTestCreate( const supCharacterDef* def )
{
    supCharacter* character = NULL;
    supError error = { 0 };
    if ( supCreateCharacter( def, &character, &error ) != sup_success )
    {
        fail_msg( "supCreateCharacter: %s", error.text );
    }
    return character;
}
