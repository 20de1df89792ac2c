// A crowd of two models with all levels of detail, one after the other: the same bits for any number of threads.
#include "base/math.h"
#include "supple/crowd.h"
#include "supple/lab/hashes.h"
#include "support/hash_scenes.h"
#include "support/scene_tube.h"

#include <stdlib.h>

enum
{
    sup_sceneMembers = 70,
    sup_sceneFrames = 40,
};

static supCrowdLevel supSceneLevel( int32_t who, int frame )
{
    supCrowdLevel level = supDefaultCrowdLevel();
    level.rate = 1 + ( who + frame / 13 ) % 4;
    level.flesh = ( who + frame / 9 ) % 5 != 0;
    return level;
}

void supScene_Crowd( supHash* hash, supTasks tasks )
{
    supTube* tube = supMakeTube();
    const supModel* models[1] = { tube->model };
    supCrowdDef def = supDefaultCrowdDef();
    def.models = models;
    def.modelCount = 1;
    def.capacity = sup_sceneMembers;
    def.tasks = tasks;
    supCrowd* crowd = NULL;
    supMat34( *joints )[sup_tubeJoints] = calloc( sup_sceneMembers, sizeof( *joints ) );
    if ( joints == NULL || supCreateCrowd( &def, &crowd, NULL ) != sup_success )
    {
        abort();
    }
    for ( int32_t i = 0; i < sup_sceneMembers; ++i )
    {
        supCrowd_Add( crowd, 0 );
    }
    for ( int frame = 0; frame < sup_sceneFrames; ++frame )
    {
        for ( int32_t who = 0; who < sup_sceneMembers; ++who )
        {
            supCrowdFrame now = { .joints = joints[who] };
            // every seventh one stands still from the tenth frame on
            int moving = who % 7 == 0 && frame > 10 ? 10 : frame;
            supTubeJoints( moving / 60.0, who, joints[who], &now.world );
            supCrowd_SetFrame( crowd, who, &now );
            supCrowd_SetLevel( crowd, who, supSceneLevel( who, frame ) );
        }
        supCrowd_Run( crowd, 1.0f / 60.0f );
        supHash_Word( hash, supCrowd_Hash( crowd ) );
    }
    supDestroyCrowd( crowd );
    supDropTube( tube );
    free( joints );
}
