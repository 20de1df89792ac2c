// The bench of muscles: a human with all of them, an écorché of at least 4,000 rays, and the skin over it.
// SPDX-License-Identifier: MIT
#include "bake_job.h"
#include "bench_scene.h"
#include "bench_sweeps.h"
#include "command.h"
#include "supple/auto.h"
#include "supple/lab/machine.h"

/// The scene's character once more, with muscles and nothing else.
static supResult supMuscleModel(
    const supBenchScene* from, supBenchScene* scene, supMuscleProposal* muscles, supError* error )
{
    supRig* rig = NULL;
    supResult result = supCreateRig( NULL, &rig, error );
    supEcorcheDef ecorche = supDefaultEcorcheDef();
    ecorche.rays = 4080.0f; // no more than that are taken: a few less
    result = result == sup_success ? supRig_AddItem( rig, supFindLayer( "ecorche" ), &ecorche, error ) : result;
    result = result == sup_success ? supProposeMuscles( from->character, NULL, rig, muscles, error ) : result;
    result = result == sup_success ? supRerigBenchScene( from, rig, scene, error ) : result;
    supDestroyRig( rig );
    return result;
}

int supBenchMuscles( supBench* bench, const char* path )
{
    supBenchScene scene, own = { 0 };
    supMuscleProposal muscles = { 0 };
    supError error = { 0 };
    supResult result = supOpenBenchScene( &scene, "muscles", path, &error );
    result = result == sup_success ? supMuscleModel( &scene, &own, &muscles, &error ) : result;
    if ( result == sup_success )
    {
        const char* best = supSimdName( supBestSimd() );
        const supBenchCase cases[] = {
            { "muscles", "step: lines and rays", "C", "frame", 1.0, NULL, supBenchStep, &own },
            { "muscles", "frame: step and skin", best, "frame", 1.0, NULL, supBenchFrame, &own },
        };
        supMeasure( bench, cases, 2 );
        json_object_set_new( bench->facts, "muscles", json_pack( "{s:i}", "muscles", muscles.count ) );
    }
    else
    {
        fprintf( stderr, "supple bench: %s\n", error.text );
    }
    supDestroyBody( own.body );
    supDestroyModel( own.model );
    supDropBenchScene( &scene );
    return result == sup_success ? sup_exitOk : sup_exitFailed;
}
