// Runs one hot path a number of times, for check_instructions.py, which counts instructions under callgrind.
//     hot_paths NAME TIMES
#include "support/scene_tube.h"

#include <stdlib.h>
#include <string.h>

int main( int argc, char** args )
{
    if ( argc != 3 )
    {
        return 2;
    }
    static float positions[3 * sup_tubeVertices], normals[3 * sup_tubeVertices];
    supMat34 joints[sup_tubeJoints], world;
    supTube* tube = supMakeTube();
    supBody* body = NULL;
    if ( supCreateBody( tube->model, &body, NULL ) != sup_success )
    {
        return 1;
    }
    bool withNormals = strcmp( args[1], "normals" ) == 0, steps = strcmp( args[1], "step" ) == 0;
    supBody_SetSkinning( body, strcmp( args[1], "dual" ) == 0 ? sup_skinningDualQuaternion : sup_skinningLinear );
    for ( int f = 0; f < 5; ++f )
    {
        supTubeJoints( f / 60.0, 0, joints, &world );
        supBody_Step( body, joints, world, 1.0f / 60.0f );
    }
    for ( int i = 0; i < atoi( args[2] ); ++i )
    {
        if ( steps )
        {
            world.t.x += 0.01f;
            supBody_Step( body, joints, world, 1.0f / 60.0f );
        }
        else
        {
            supBody_Skin( body, positions, withNormals ? normals : NULL );
        }
    }
    supDestroyBody( body );
    supDropTube( tube );
    return 0;
}
