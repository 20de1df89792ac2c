// The bench of all anatomy at once: a human who runs, with muscles, an écorché and fat below the skin.
// SPDX-License-Identifier: MIT
#include "bench_fat.h"
#include "bench_profile.h"
#include "bench_sweeps.h"
#include "command.h"
#include "supple/lab/compiled.h"
#include "supple/lab/machine.h"

/// Muscles, and a few more nodes than 5,000: voxels are found to a tenth.
static supResult supAnatomyModel(
    const supBenchScene* from, supBenchScene* scene, supMuscleProposal* muscles, supError* error )
{
    supFatDef def = supDefaultFatDef();
    def.nodes = 5500.0f;
    supRig* rig = NULL;
    supResult result = supCreateRig( NULL, &rig, error );
    result = result == sup_success ? supProposeMuscles( from->character, NULL, rig, muscles, error ) : result;
    result = result == sup_success ? supAddFat( rig, &def, error ) : result;
    result = result == sup_success ? supRerigBenchScene( from, rig, scene, error ) : result;
    supDestroyRig( rig );
    return result;
}

int supBenchAnatomy( supBench* bench, const char* path )
{
    supBenchScene human, scene = { 0 };
    supMuscleProposal muscles = { 0 };
    supError error = { 0 };
    supResult result = supOpenBenchScene( &human, "anatomy", path, &error );
    result = result == sup_success ? supPoseBenchScene( &human, "run", &error ) : result;
    result = result == sup_success ? supAnatomyModel( &human, &scene, &muscles, &error ) : result;
    supFatView view = { 0 };
    if ( result == sup_success && supModel_Fat( scene.model, 0, &view ) )
    {
        const char* best = supSimdName( supBestSimd() );
        double frame = supRealTimeFrame();
        supAddBenchRow( bench, &( supBenchCase ){ "anatomy", "real time", "clock", "frame", 1.0, NULL, NULL, NULL },
            frame, frame, 0.0 );
        const supBenchCase cases[] = {
            { "anatomy", "step", best, "frame", 1.0, NULL, supBenchStep, &scene },
            { "anatomy", "frame: step and skin", best, "frame", 1.0, NULL, supBenchFrame, &scene },
        };
        supMeasure( bench, cases, 2 );
        supBenchProfile( bench, &scene );
        json_object_set_new( bench->facts, "anatomy",
            json_pack( "{s:i, s:i, s:i, s:i}", "muscles", muscles.count, "nodes", view.nodeCount, "vibrations",
                view.modeCount, "skin", scene.vertexCount ) );
        if ( !bench->quiet )
        {
            printf( "%-9s %d muscles, %d nodes of fat, %d vertices\n", "anatomy", muscles.count, view.nodeCount,
                scene.vertexCount );
        }
    }
    else if ( result != sup_success )
    {
        fprintf( stderr, "supple bench: %s\n", error.text );
    }
    supDestroyBody( scene.body );
    supDestroyModel( scene.model );
    supDropBenchScene( &human );
    return result == sup_success ? sup_exitOk : sup_exitFailed;
}
