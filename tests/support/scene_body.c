// A tube of three joints with two flesh elements, thrown about: steps of odd lengths, a push, wind, tuning, a teleport;
// the state, the living skin and the helper joints. Eight bodies, one for each task.
#include "base/tasks.h"
#include "supple/body.h"
#include "supple/lab/hashes.h"
#include "supple/lab/states.h"
#include "support/hash_scenes.h"
#include "support/scene_tube.h"

#include <stdlib.h>

static void supDisturbTube( supBody* body, int step, supMat34 world )
{
    if ( step == 15 )
    {
        supBody_Push( body, 0, ( supVec3 ){ 5.0f, 1.0f, -2.0f } );
        supBody_SetWind( body, ( supVec3 ){ 0.0f, 0.0f, 4.0f } );
    }
    if ( step == 30 )
    {
        supElementTuning tuning = supBody_Tuning( body, 1 );
        tuning.frequency = 6.0f;
        tuning.dampingRatio = 1.5f; // overdamped: the other branch of the closed form
        supBody_Tune( body, 1, &tuning, NULL );
    }
    if ( step == 45 )
    {
        supMat34 there = world;
        there.t.x += 100.0f;
        supBody_Teleport( body, world, there );
    }
}

/// The live skin of this build's own path against the exact one: where they differ by more than rounding there is no
/// hash to compare. This is how paths of other processors are held, in an emulator or in Node.
static void supCompareLiveSkin( supBody* body, float* skin, float* live )
{
    const int methods[2] = { sup_skinningDualQuaternion, sup_skinningLinear };
    for ( int m = 0; m < 2; ++m )
    {
        supBody_SetSkinning( body, (supSkinning)methods[m] );
        supBody_SetExact( body, true );
        supBody_Skin( body, skin, skin + 3 * sup_tubeVertices );
        supBody_SetExact( body, false );
        supBody_Skin( body, live, live + 3 * sup_tubeVertices );
        for ( int i = 0; i < 6 * sup_tubeVertices; ++i )
        {
            float off = live[i] - skin[i];
            if ( !( off < 4e-6f && off > -4e-6f ) )
            {
                abort();
            }
        }
    }
    supBody_SetExact( body, true );
}

static void supRunTube( int32_t index, void* context )
{
    supTube* tube = context;
    supHash hash = supMakeHash();
    supBody* body = NULL;
    float* skin = malloc( 12 * sup_tubeVertices * sizeof( float ) );
    if ( skin == NULL || supCreateBody( tube->model, &body, NULL ) != sup_success )
    {
        abort(); // a scene that computes nothing would agree with itself everywhere
    }
    supBody_SetExact( body, true ); // the live skin may round differently
    static const float spans[4] = { 1.0f / 60.0f, 1.0f / 144.0f, 0.05f, 0.0f };
    double time = 0.0;
    for ( int step = 0; step < sup_tubeSteps; ++step )
    {
        supMat34 joints[sup_tubeJoints], world, helpers[8];
        float span = spans[( step / 7 + index ) % 4];
        time += span;
        supTubeJoints( time, index, joints, &world );
        world.t.x += step >= 45 ? 100.0f : 0.0f;
        if ( supBody_Step( body, joints, world, span ) != sup_success || supModel_Info( tube->model )->helperCount > 8 )
        {
            abort();
        }
        supDisturbTube( body, step, world );
        supHash_Word( &hash, supBody_Hash( body ) );
        supCompareLiveSkin( body, skin, skin + 6 * sup_tubeVertices );
        supHash_Floats( &hash, skin, 6 * sup_tubeVertices );
        supBody_HelperJoints( body, helpers );
        supHash_Floats( &hash, &helpers[0].x.x, 12 * (size_t)supModel_Info( tube->model )->helperCount );
    }
    supDestroyBody( body );
    free( skin );
    tube->hashes[index] = supHash_Value( &hash );
}

void supScene_Body( supHash* hash, supTasks tasks )
{
    supTube* tube = supMakeTube();
    for ( int32_t i = 0; i < supModel_Info( tube->model )->elementCount; ++i )
    {
        supElementView element = supModel_Info( tube->model )->elements[i];
        supHash_Floats( hash, element.weights, (size_t)element.vertexCount );
        supHash_Floats( hash, element.reach, (size_t)element.vertexCount );
        supHash_Float( hash, element.mass );
        supHash_Float( hash, element.thickness );
    }
    supRunTasks( &tasks, supRunTube, sup_tubeBodies, tube );
    for ( int i = 0; i < sup_tubeBodies; ++i )
    {
        supHash_Word( hash, tube->hashes[i] );
    }
    supDropTube( tube );
}
