// A worm of eight joints that bends by a linear, a cubic and a stepped track: poses, palettes, rest and smooth skin.
#include "base/scalar_math.h"
#include "supple/character.h"
#include "supple/lab/skin.h"
#include "support/hash_scenes.h"

#include <stdlib.h>

enum
{
    sup_wormJoints = 8,
    sup_wormRings = 40,
    sup_wormSides = 12,
    sup_wormVertices = sup_wormRings * sup_wormSides,
    sup_wormKeys = 5,
    sup_wormFrames = 50,
};

typedef struct supWorm
{
    supJointDef joints[sup_wormJoints];
    int32_t skinJoints[sup_wormJoints];
    float positions[3 * sup_wormVertices];
    float normals[3 * sup_wormVertices];
    uint16_t indices[2 * sup_wormVertices];
    float weights[2 * sup_wormVertices];
    float times[sup_wormKeys];
    float rotations[3 * 4 * sup_wormKeys]; // as a cubic track; the linear one reads the first values
    float steps[3 * sup_wormKeys];
} supWorm;

/// A ring every 1/5 of a bone; each vertex is shared by the two joints around it.
static void supMakeWormMesh( supWorm* worm )
{
    for ( int ring = 0; ring < sup_wormRings; ++ring )
    {
        double along = (double)ring * ( sup_wormJoints - 1 ) / sup_wormRings;
        for ( int side = 0; side < sup_wormSides; ++side )
        {
            int v = ring * sup_wormSides + side;
            double sine, cosine;
            supSinCos( 2.0 * SUP_PI * side / sup_wormSides, &sine, &cosine );
            worm->positions[3 * v + 0] = (float)( 0.3 * cosine );
            worm->positions[3 * v + 1] = (float)along;
            worm->positions[3 * v + 2] = (float)( 0.3 * sine );
            worm->normals[3 * v + 0] = (float)cosine;
            worm->normals[3 * v + 2] = (float)sine;
            int lower = (int)along;
            worm->indices[2 * v + 0] = (uint16_t)lower;
            worm->indices[2 * v + 1] = (uint16_t)( lower + 1 );
            worm->weights[2 * v + 0] = (float)( 1.0 - ( along - lower ) );
            worm->weights[2 * v + 1] = (float)( along - lower );
        }
    }
}

static void supMakeWormMotion( supWorm* worm )
{
    uint64_t seed = 7;
    for ( int i = 0; i < sup_wormJoints; ++i )
    {
        supTransform rest = supTransform_identity;
        rest.translation.y = i == 0 ? 0.0f : 1.0f;
        worm->joints[i] = ( supJointDef ){ .parent = i - 1, .rest = rest };
        worm->skinJoints[i] = i;
    }
    for ( int i = 0; i < sup_wormKeys; ++i )
    {
        worm->times[i] = 0.25f * (float)i + 0.1f;
    }
    for ( int i = 0; i < 12 * sup_wormKeys; ++i )
    {
        worm->rotations[i] = (float)( 0.4 * supTestNumber( &seed ) ) + ( i % 4 == 3 ? 1.0f : 0.0f );
    }
    for ( int i = 0; i < 3 * sup_wormKeys; ++i )
    {
        worm->steps[i] = (float)supTestNumber( &seed );
    }
}

static supCharacter* supMakeWorm( supWorm* worm )
{
    supMakeWormMesh( worm );
    supMakeWormMotion( worm );
    const supTrackDef tracks[] = {
        { 1, sup_pathRotation, sup_interpolationLinear, sup_wormKeys, worm->times, worm->rotations, 4 },
        { 3, sup_pathRotation, sup_interpolationCubic, sup_wormKeys, worm->times, worm->rotations, 4 },
        { 0, sup_pathTranslation, sup_interpolationStep, sup_wormKeys, worm->times, worm->steps, 3 },
    };
    const supClipDef clip = { .name = "bend", .trackCount = 3, .tracks = tracks };
    const supSkinDef skin = { .name = "worm", .jointCount = sup_wormJoints, .joints = worm->skinJoints };
    const supMeshDef mesh = { .name = "worm",
        .skin = 0,
        .vertexCount = sup_wormVertices,
        .positions = worm->positions,
        .normals = worm->normals,
        .influenceCount = 2,
        .jointIndices = worm->indices,
        .weights = worm->weights,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.jointCount = sup_wormJoints;
    def.joints = worm->joints;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &mesh;
    def.clipCount = 1;
    def.clips = &clip;
    supCharacter* character = NULL;
    supResult result = supCreateCharacter( &def, &character, NULL );
    return result == sup_success ? character : NULL;
}

static void supHashPose( supHash* hash, const supCharacter* character, const supPose* pose )
{
    supMat34 palette[sup_wormJoints];
    float positions[3 * sup_wormVertices];
    float normals[3 * sup_wormVertices];
    supCharacter_Palette( character, supPose_Joints( pose ), palette );
    supSkinJob job = supCharacter_SkinJob( character, 0, palette, NULL );
    job.outPositions = ( supOutStream ){ positions, sup_wormVertices, 12 };
    job.outNormals = ( supOutStream ){ normals, sup_wormVertices, 12 };
    for ( int method = sup_skinningLinear; method <= sup_skinningDualQuaternion; ++method )
    {
        job.method = (supSkinning)method;
        supHash_Word( hash, (uint64_t)supSkinJob_Run( &job, NULL ) );
        supHash_Floats( hash, positions, 3 * sup_wormVertices );
        supHash_Floats( hash, normals, 3 * sup_wormVertices );
    }
    supHash_Floats( hash, &supPose_Joints( pose )->x.x, 12 * sup_wormJoints );
    supHash_Floats( hash, &palette[0].x.x, 12 * sup_wormJoints );
}

void supScene_Character( supHash* hash, supTasks tasks )
{
    (void)tasks;
    supWorm* worm = calloc( 1, sizeof( *worm ) );
    supCharacter* character = worm != NULL ? supMakeWorm( worm ) : NULL;
    supPose* pose = NULL;
    if ( character == NULL || supCreatePose( character, NULL, &pose, NULL ) != sup_success )
    {
        abort(); // a scene that computes nothing would agree with itself everywhere
    }
    supHash_Floats( hash, supCharacter_Info( character )->restPositions, 3 * sup_wormVertices );
    supHash_Word( hash, supCharacter_Info( character )->fingerprint );
    for ( int frame = 0; frame < sup_wormFrames; ++frame )
    {
        supPose_Sample( pose, 0, frame / 37.0 );
        supHashPose( hash, character, pose );
    }
    supDestroyPose( pose );
    supDestroyCharacter( character );
    free( worm );
}
