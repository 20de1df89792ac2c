// Beams along the tube: curves that carry it from pose to pose with ends by the joints, and a force that corrects it.
#include "supple/body.h"
#include "supple/lab/hashes.h"
#include "supple/lab/states.h"
#include "support/hash_scenes.h"
#include "support/scene_tube.h"

#include <stdlib.h>

static void supAddBeams( supRig* rig, const char* name, int32_t use )
{
    static const char* const joints[] = { "lower" };
    static const supVec3 turns[2] = { { 25.0f, 10.0f, 0.0f }, { -40.0f, 0.0f, 15.0f } };
    static const float keys[] = { 0.0f, 1.0f, 0.6f, 8.0f, 1.0f, 0.3f };
    supBeamPose poses[2] = { supDefaultBeamPose(), supDefaultBeamPose() };
    poses[0].name = "first";
    poses[0].pose = ( supPointList ){ 1, turns };
    poses[1].pose = ( supPointList ){ 1, turns + 1 };
    supBeamForce force = supDefaultBeamForce();
    force.pose = use == sup_beamsCarry ? "first" : NULL;
    force.force = ( supVec3 ){ 0.01f, 0.0f, -0.02f };
    force.angle = 70.0f;
    supBeamsDef def = supDefaultBeamsDef();
    def.name = name;
    def.joints = ( supNameList ){ 1, joints };
    def.poses = ( supItemList ){ use == sup_beamsCarry ? 2 : 0, poses };
    def.forces = ( supItemList ){ 1, &force };
    def.use = use;
    def.curves = 9.0f;
    def.nodes = 14.0f;
    def.a2 = ( supVec3 ){ -3.0f, 0.0f, 2.0f };
    def.stiffness = ( supKeyList ){ use == sup_beamsCarry ? 3 : 0, keys };
    if ( supRig_AddItem( rig, supFindLayer( "beams" ), &def, NULL ) != sup_success )
    {
        abort();
    }
}

void supScene_Beams( supHash* hash, supTasks tasks )
{
    (void)tasks;
    supTube* tube = supMakeTube();
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    if ( supCreateRig( NULL, &rig, NULL ) != sup_success )
    {
        abort();
    }
    supAddBeams( rig, "carried", sup_beamsCarry );
    supAddBeams( rig, "pressed", sup_beamsCorrect );
    if ( supCompileModel( tube->character, rig, &model, NULL ) != sup_success ||
         supCreateBody( model, &body, NULL ) != sup_success )
    {
        abort();
    }
    supBody_SetExact( body, true ); // the live skin may round differently
    static float places[3 * sup_tubeVertices], normals[3 * sup_tubeVertices];
    for ( int32_t i = 0; i < 12; ++i )
    {
        supMat34 joints[sup_tubeJoints], world;
        supTubeJoints( 0.1 * i, 0, joints, &world );
        if ( supBody_Step( body, joints, world, 0.02f ) != sup_success )
        {
            abort();
        }
        supBody_Skin( body, places, normals );
        supHash_Floats( hash, places, 3 * sup_tubeVertices );
        supHash_Floats( hash, normals, 3 * sup_tubeVertices );
    }
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDropTube( tube );
}
