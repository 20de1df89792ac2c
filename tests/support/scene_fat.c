// Fat on the tube: voxels, their factor and vibrations, and the skin, by both solvers; and on muscles that tense.
#include "supple/body.h"
#include "supple/lab/hashes.h"
#include "support/hash_scenes.h"
#include "support/scene_tube.h"

#include <stdlib.h>

/// The hash of a body's state and of its exact skin over a few steps, in which a muscle, where there is one, tenses and
/// slackens.
static void supHashFat( supHash* hash, const supModel* model )
{
    static float positions[3 * sup_tubeVertices];
    supBody* body = NULL;
    if ( supCreateBody( model, &body, NULL ) != sup_success )
    {
        abort(); // a scene that computes nothing would agree with itself everywhere
    }
    supBody_SetExact( body, true );
    int32_t muscles = supFindLayer( "muscles" );
    bool hasMuscle = supBody_SetField( body, muscles, 0, "contraction", 0.0f, NULL ) == sup_success;
    for ( int32_t step = 0; step < 12; ++step )
    {
        supMat34 joints[sup_tubeJoints], world;
        supTubeJoints( step / 60.0, 0, joints, &world );
        float tense = step >= 3 && step < 8 ? 1.0f : 0.0f;
        bool told = !hasMuscle || supBody_SetField( body, muscles, 0, "contraction", tense, NULL ) == sup_success;
        if ( !told || supBody_Step( body, joints, world, 1.0f / 60.0f ) != sup_success )
        {
            abort();
        }
        supBody_Skin( body, positions, NULL );
        for ( size_t i = 0; i < 3 * sup_tubeVertices; ++i )
        {
            supHash_Float( hash, positions[i] );
        }
        supHash_Word( hash, supBody_Hash( body ) );
    }
    supDestroyBody( body );
}

static void supHashFatOnBones( supHash* hash, const supTube* tube, const supFatDef* def )
{
    supRig* rig = NULL;
    supModel* model = NULL;
    bool made = supCreateRig( NULL, &rig, NULL ) == sup_success &&
                supRig_AddItem( rig, supFindLayer( "fat" ), def, NULL ) == sup_success &&
                supCompileModel( tube->character, rig, &model, NULL ) == sup_success;
    if ( !made )
    {
        abort();
    }
    supHashFat( hash, model );
    supDestroyModel( model );
    supDestroyRig( rig );
}

void supScene_Fat( supHash* hash, supTasks tasks )
{
    (void)tasks;
    supTube* tube = supMakeTube();
    supFatDef def = supDefaultFatDef();
    def.nodes = 250.0f;
    def.modes = 12.0f;
    def.depth = 0.6f;
    def.gravity = sup_gravityPlain;
    supHashFatOnBones( hash, tube, &def );
    def.solver = sup_fatReference;
    def.nodes = 80.0f;
    def.viscosity = 0.0f;
    supHashFatOnBones( hash, tube, &def );
    supDropTube( tube );
}

/// More vibrations than a block has.
void supScene_TenseFat( supHash* hash, supTasks tasks )
{
    (void)tasks;
    supTube* tube = supMakeTube();
    supFatDef def = supDefaultFatDef();
    def.nodes = 250.0f;
    def.modes = 64.0f;
    supModel* model = supMakeTubeEcorche( tube, &def );
    supHashFat( hash, model );
    supDestroyModel( model );
    supDropTube( tube );
}
