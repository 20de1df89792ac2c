// Muscles on the tube: a line that relaxes around a bone and one that swings, with activation and twist; and beneath
// another one an écorché, which the skin follows.
#include "supple/body.h"
#include "supple/lab/hashes.h"
#include "supple/lab/states.h"
#include "support/hash_scenes.h"
#include "support/scene_tube.h"

#include <stdlib.h>

static void supAddMuscle( supRig* rig, int32_t layer, const char* name, int32_t motion, float side )
{
    supMusclePoint points[3];
    for ( int32_t i = 0; i < 3; ++i )
    {
        points[i] = supDefaultMusclePoint();
        points[i].joint = i < 2 ? "upper" : "lower";
        points[i].at = ( supVec3 ){ 0.1f * side, i == 0 ? 0.1f : i == 1 ? 0.3f : 0.12f, i == 1 ? 0.03f : 0.0f };
        points[i].free = i == 1;
    }
    supMuscleField bone = supDefaultMuscleField();
    bone.joint = "lower";
    bone.radii = ( supVec3 ){ 0.08f, 0.06f, 0.07f };
    bone.pull = 0.5f;
    supMuscleDef def = supDefaultMuscleDef();
    def.name = name;
    def.shape = motion == sup_lineSwing ? sup_muscleBellies : sup_muscleFusiform;
    def.points = ( supItemList ){ 3, points };
    def.fields = ( supItemList ){ 1, &bone };
    def.motion = motion;
    def.activation = 0.5f;
    def.gravity = motion == sup_lineSwing ? sup_gravityPlain : sup_gravityRelative;
    if ( supRig_AddItem( rig, layer, &def, NULL ) != sup_success )
    {
        abort();
    }
}

supModel* supMakeTubeEcorche( const supTube* tube, const supFatDef* fat )
{
    supRig* rig = NULL;
    supModel* model = NULL;
    supEcorcheDef def = supDefaultEcorcheDef();
    def.rays = 100.0f;
    if ( supCreateRig( NULL, &rig, NULL ) != sup_success )
    {
        abort();
    }
    supAddMuscle( rig, supFindLayer( "muscles" ), "one", sup_lineRelax, 0.3f );
    supAddMuscle( rig, supFindLayer( "muscles" ), "other", sup_lineSwing, -0.3f );
    if ( supRig_AddItem( rig, supFindLayer( "ecorche" ), &def, NULL ) != sup_success ||
         ( fat != NULL && supRig_AddItem( rig, supFindLayer( "fat" ), fat, NULL ) != sup_success ) ||
         supCompileModel( tube->character, rig, &model, NULL ) != sup_success )
    {
        abort();
    }
    supDestroyRig( rig );
    return model;
}

/// Rays followed through the tube's motion, every bit of where they are.
void supScene_Ecorche( supHash* hash, supTasks tasks )
{
    (void)tasks;
    supTube* tube = supMakeTube();
    supModel* model = supMakeTubeEcorche( tube, NULL );
    supBody* body = NULL;
    bool made = supCreateBody( model, &body, NULL ) == sup_success;
    for ( int32_t step = 0; step < sup_tubeSteps; ++step )
    {
        supMat34 joints[sup_tubeJoints], world;
        supTubeJoints( step / 60.0, 0, joints, &world );
        if ( !made || supBody_Step( body, joints, world, 1.0f / 60.0f ) != sup_success )
        {
            abort();
        }
        supHash_Word( hash, supBody_Hash( body ) );
    }
    supDestroyBody( body );
    supDestroyModel( model );
    supDropTube( tube );
}

void supScene_Muscles( supHash* hash, supTasks tasks )
{
    (void)tasks;
    supTube* tube = supMakeTube();
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    int32_t layer = supFindLayer( "muscles" );
    if ( supCreateRig( NULL, &rig, NULL ) != sup_success )
    {
        abort();
    }
    supAddMuscle( rig, layer, "relaxes", sup_lineRelax, 1.0f );
    supAddMuscle( rig, layer, "swings", sup_lineSwing, -1.0f );
    bool made = supCompileModel( tube->character, rig, &model, NULL ) == sup_success &&
                supCreateBody( model, &body, NULL ) == sup_success;
    for ( int32_t step = 0; step < sup_tubeSteps; ++step )
    {
        supMat34 joints[sup_tubeJoints], world;
        supTubeJoints( step / 60.0, 0, joints, &world );
        supMuscleView views[2];
        if ( !made || supBody_Step( body, joints, world, 1.0f / 60.0f ) != sup_success ||
             supBody_Muscles( body, views ) != 2 )
        {
            abort(); // a scene that computes nothing would agree with itself everywhere
        }
        for ( int32_t m = 0; m < 2; ++m )
        {
            supHash_Float( hash, views[m].length );
            supHash_Float( hash, views[m].volume );
            supHash_Float( hash, views[m].contraction );
        }
        supHash_Word( hash, supBody_Hash( body ) );
    }
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDropTube( tube );
}
