// Fat on the tube: voxels, their factor and vibrations, and the skin, by both solvers.
#include "supple/body.h"
#include "support/hash_scenes.h"
#include "support/scene_tube.h"

#include <stdlib.h>

/// The hash of a body's state and of its exact skin over a few steps.
static void supHashFat( supHash* hash, const supTube* tube, const supFatDef* def )
{
    static float positions[3 * sup_tubeVertices];
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    bool made = supCreateRig( NULL, &rig, NULL ) == sup_success &&
                supRig_AddItem( rig, supFindLayer( "fat" ), def, NULL ) == sup_success &&
                supCompileModel( tube->character, rig, &model, NULL ) == sup_success &&
                supCreateBody( model, &body, NULL ) == sup_success;
    if ( !made )
    {
        abort(); // a scene that computes nothing would agree with itself everywhere
    }
    supBody_SetExact( body, true );
    for ( int32_t step = 0; step < 12; ++step )
    {
        supMat34 joints[sup_tubeJoints], world;
        supTubeJoints( step / 60.0, 0, joints, &world );
        if ( supBody_Step( body, joints, world, 1.0f / 60.0f ) != sup_success )
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
    supHashFat( hash, tube, &def );
    def.solver = sup_fatReference;
    def.nodes = 80.0f;
    def.viscosity = 0.0f;
    supHashFat( hash, tube, &def );
    supDropTube( tube );
}
