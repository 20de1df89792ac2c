// The bench of contact: a human who runs, all of the rig's elements pressing against the body's other parts.
// SPDX-License-Identifier: MIT
#include "bench_scene.h"
#include "bench_sweeps.h"
#include "command.h"
#include "supple/auto.h"
#include "supple/lab/items.h"
#include "supple/lab/machine.h"

static supResult supContactModel( const supBenchScene* from, supBenchScene* scene, supError* error )
{
    supRig* rig = NULL;
    supResult result = supProposeRig( from->character, sup_presetNatural, &rig, error );
    for ( int32_t i = 0; result == sup_success && i < supRig_ElementCount( rig ); ++i )
    {
        supContactDef def = supDefaultContactDef();
        def.element = supRig_Element( rig, i )->name;
        result = supRig_AddItem( rig, supFindLayer( "contacts" ), &def, error );
    }
    result = result == sup_success ? supRerigBenchScene( from, rig, scene, error ) : result;
    supDestroyRig( rig );
    return result;
}

/// What contact costs depends on the pose: all frames once.
static void supRunContactClip( void* context )
{
    for ( int i = 0; i < sup_benchFrames; ++i )
    {
        supBenchFrame( context );
    }
}

int supBenchContact( supBench* bench, const char* path )
{
    supBenchScene human, scene = { 0 };
    supError error = { 0 };
    supResult result = supOpenBenchScene( &human, "contact", path, &error );
    result = result == sup_success ? supPoseBenchScene( &human, "run", &error ) : result;
    result = result == sup_success ? supContactModel( &human, &scene, &error ) : result;
    if ( result == sup_success )
    {
        const char* best = supSimdName( supBestSimd() );
        const supBenchCase cases[] = {
            { "contact", "frame, flesh alone", best, "frame", sup_benchFrames, NULL, supRunContactClip, &human },
            { "contact", "frame, with contact", best, "frame", sup_benchFrames, "frame, flesh alone", supRunContactClip,
                &scene },
        };
        supMeasure( bench, cases, 2 );
    }
    else
    {
        fprintf( stderr, "supple bench: %s\n", error.text );
    }
    supDestroyBody( scene.body );
    supDestroyModel( scene.model );
    supDropBenchScene( &human );
    return result == sup_success ? sup_exitOk : sup_exitFailed;
}
