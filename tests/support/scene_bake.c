// A hose of five joints that goes in a circle: a take with a turn, baked as joints with four influences.
#include "base/math.h"
#include "supple/bake.h"
#include "supple/lab/items.h"
#include "support/hash_scenes.h"

#include <stdlib.h>
#include <string.h>

enum
{
    sup_hoseJoints = 6, ///< the last one ends the bone
    sup_hoseRings = 17,
    sup_hoseSides = 6,
    sup_hoseVertices = sup_hoseRings * sup_hoseSides,
    sup_hoseKeys = 31,
};

typedef struct supBakeScene
{
    float positions[3 * sup_hoseVertices];
    uint16_t joints[4 * sup_hoseVertices];
    float weights[4 * sup_hoseVertices];
    uint32_t indices[6 * ( sup_hoseRings - 1 ) * sup_hoseSides];
    float times[sup_hoseKeys];
    float rotations[sup_hoseJoints][4 * sup_hoseKeys];
    float travel[3 * sup_hoseKeys];
    supCharacter* character;
    supModel* model;
} supBakeScene;

static void supFillHose( supBakeScene* scene )
{
    for ( int v = 0; v < sup_hoseVertices; ++v )
    {
        double y = (double)( v / sup_hoseSides ) / ( sup_hoseRings - 1 ), angle = SUP_PI / 3.0 * ( v % sup_hoseSides );
        scene->positions[3 * v] = (float)( 0.1 * supCos( angle ) );
        scene->positions[3 * v + 1] = (float)y;
        scene->positions[3 * v + 2] = (float)( 0.1 * supSin( angle ) );
        int first = y < 0.5 ? 0 : 1;
        for ( int k = 0; k < 4; ++k )
        {
            double off = ( y - 0.2 * ( first + k ) - 0.1 ) / 0.2;
            scene->joints[4 * v + k] = (uint16_t)( first + k );
            scene->weights[4 * v + k] = (float)supExp( -off * off );
        }
    }
    uint32_t* index = scene->indices;
    for ( uint32_t v = 0; v + sup_hoseSides < sup_hoseVertices; ++v, index += 6 )
    {
        uint32_t b = v % sup_hoseSides == sup_hoseSides - 1 ? v + 1 - sup_hoseSides : v + 1;
        const uint32_t two[6] = { v, v + sup_hoseSides, b, b, v + sup_hoseSides, b + sup_hoseSides };
        memcpy( index, two, sizeof( two ) );
    }
}

static void supFillMotion( supBakeScene* scene )
{
    for ( int k = 0; k < sup_hoseKeys; ++k )
    {
        double t = (double)k / ( sup_hoseKeys - 1 ), turn = 0.8 * t;
        scene->times[k] = (float)t;
        scene->travel[3 * k] = (float)( 2.0 * supCos( turn ) );
        scene->travel[3 * k + 1] = (float)( 0.05 * supSin( 4.0 * SUP_PI * t ) );
        scene->travel[3 * k + 2] = (float)( -2.0 * supSin( turn ) );
        for ( int j = 0; j < sup_hoseJoints; ++j )
        {
            double swing = 0.15 * supSin( 2.0 * SUP_PI * t + j );
            supQuatd q = supQuatFromAxisAngleD( ( supVec3d ){ 0.0, 0.0, 1.0 }, swing );
            if ( j == 0 )
            {
                q = supMulQuatD( supQuatFromAxisAngleD( ( supVec3d ){ 0.0, 1.0, 0.0 }, turn ), q );
            }
            const float four[4] = { (float)q.x, (float)q.y, (float)q.z, (float)q.w };
            memcpy( scene->rotations[j] + 4 * k, four, sizeof( four ) );
        }
    }
}

static supResult supBuildHose( supBakeScene* scene )
{
    static const char* const names[sup_hoseJoints] = { "j0", "j1", "j2", "j3", "j4", "j5" };
    supJointDef joints[sup_hoseJoints];
    supMat34 inverseBind[sup_hoseJoints];
    int32_t skinJoints[sup_hoseJoints];
    supTrackDef tracks[sup_hoseJoints + 1];
    for ( int j = 0; j < sup_hoseJoints; ++j )
    {
        joints[j] = ( supJointDef ){ names[j], j - 1, supTransform_identity, NULL, NULL, false };
        joints[j].rest.translation.y = j > 0 ? 0.2f : 0.0f;
        inverseBind[j] = supMat34_identity;
        inverseBind[j].t.y = -0.2f * (float)j;
        skinJoints[j] = j;
        tracks[j] = ( supTrackDef ){ j, sup_pathRotation, sup_interpolationLinear, sup_hoseKeys, scene->times,
            scene->rotations[j], 4 };
    }
    tracks[sup_hoseJoints] = ( supTrackDef ){ 0, sup_pathTranslation, sup_interpolationLinear, sup_hoseKeys,
        scene->times, scene->travel, 3 };
    supSkinDef skin = { "links", sup_hoseJoints, skinJoints, inverseBind };
    supMeshDef mesh = { .name = "hose",
        .skin = 0,
        .vertexCount = sup_hoseVertices,
        .positions = scene->positions,
        .influenceCount = 4,
        .jointIndices = scene->joints,
        .weights = scene->weights,
        .indexCount = (int32_t)( sizeof( scene->indices ) / sizeof( scene->indices[0] ) ),
        .indices = scene->indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supClipDef clip = { "circle", sup_hoseJoints + 1, tracks };
    supCharacterDef def = supDefaultCharacterDef();
    def.jointCount = sup_hoseJoints;
    def.skinCount = def.meshCount = def.clipCount = 1;
    def.joints = joints;
    def.skins = &skin;
    def.meshes = &mesh;
    def.clips = &clip;
    supResult result = supCreateCharacter( &def, &scene->character, NULL );
    supRig* rig = NULL;
    result = result == sup_success ? supCreateRig( NULL, &rig, NULL ) : result;
    for ( int e = 0; e < 2 && result == sup_success; ++e )
    {
        supElementDef element = supDefaultElementDef();
        const char* end = names[3 + 2 * e];
        element.driver = names[2 * e];
        element.ends = ( supNameList ){ 1, &end };
        element.joints = ( supNameList ){ sup_hoseJoints, names };
        result = supRig_AddElement( rig, &element, NULL );
    }
    result = result == sup_success ? supCompileModel( scene->character, rig, &scene->model, NULL ) : result;
    supDestroyRig( rig );
    return result;
}

static void supHashBake( supHash* hash, const supJointBake* bake )
{
    supBakedMesh mesh = supJointBake_Info( bake )->meshes[0];
    size_t cells = (size_t)mesh.influenceCount * sup_hoseVertices;
    supHash_Bytes( hash, mesh.joints, cells * sizeof( int32_t ) );
    supHash_Floats( hash, mesh.weights, cells );
    supBakedClip clip = supJointBake_Info( bake )->clips[0];
    size_t keys = (size_t)clip.keyCount, width = clip.keys == sup_keysCubic ? 9 : 3;
    supHash_Floats( hash, clip.times, keys );
    supHash_Floats( hash, clip.translations, keys * width * (size_t)supJointBake_Info( bake )->helperCount );
}

void supScene_Bake( supHash* hash, supTasks tasks )
{
    supBakeScene* scene = calloc( 1, sizeof( *scene ) );
    if ( scene == NULL )
    {
        abort();
    }
    supFillHose( scene );
    supFillMotion( scene );
    supTake* take = NULL;
    supTakeDef takeDef = supDefaultTakeDef();
    if ( supBuildHose( scene ) != sup_success )
    {
        abort();
    }
    takeDef.model = scene->model;
    if ( supCreateTake( &takeDef, &take, NULL ) != sup_success || !supTake_Info( take ).loops )
    {
        abort();
    }
    for ( int form = 0; form < 2; ++form )
    {
        const supTake* takes[1] = { take };
        supJointBakeDef def = supDefaultJointBakeDef();
        def.model = scene->model;
        def.takeCount = 1;
        def.takes = takes;
        def.keys = form == 0 ? sup_keysLinear : sup_keysCubic;
        def.tasks = &tasks;
        supJointBake* bake = NULL;
        if ( supBakeJoints( &def, &bake, NULL ) != sup_success || supJointBake_Info( bake )->refittedCount == 0 )
        {
            abort();
        }
        supHashBake( hash, bake );
        supDestroyJointBake( bake );
    }
    supDestroyTake( take );
    supDestroyModel( scene->model );
    supDestroyCharacter( scene->character );
    free( scene );
}
