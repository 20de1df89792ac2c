// The bench of fat: the third paper's case, a breast under gravity. Aubel, Thalmann, "Realistic deformation of human
// body shapes", 2000: a second of animation took 30 s.
// SPDX-License-Identifier: MIT
#include "bench_fat.h"

#include "bake_job.h"
#include "bench_sweeps.h"
#include "bench_text.h"
#include "command.h"
#include "output.h"
#include "supple/creatures.h"
#include "supple/lab/compiled.h"
#include "supple/lab/machine.h"

#include <math.h>
#include <stdlib.h>

void supStartFall( void* context )
{
    const supBenchScene* scene = ( (const supFall*)context )->scene;
    supBody_Reset( scene->body );
    supBody_SetGravity( scene->body, ( supVec3 ){ 0.0f, 0.0f, 0.0f } );
    supBody_Step( scene->body, scene->joints, supMat34_identity, 0.0f );
    supBody_SetGravity( scene->body, ( supVec3 ){ 0.0f, -9.81f, 0.0f } );
}

void supRunFall( void* context )
{
    const supFall* fall = context;
    for ( int i = 0; i < sup_fallSteps; ++i )
    {
        supBenchStand( fall->scene );
        if ( fall->skins )
        {
            supBenchSkin( fall->scene );
        }
    }
}

supResult supAddFat( supRig* rig, const supFatDef* def, supError* error )
{
    return supRig_AddItem( rig, supFindLayer( "fat" ), def, error );
}

double supRealTimeFrame( void )
{
    return 1e9 / sup_fallSteps;
}

/// Both breasts of the torso. The damping is one that the explicit solver likes: viscosity
/// makes its steps ten times shorter.
static supFatDef supBreastDef( supSphere balls[2], supFatSolver solver, bool quick )
{
    supFatDef def = supTorsoBreasts( balls );
    def.nodes = quick ? 200.0f : def.nodes;
    def.mu = 1000.0f;
    def.dampingRatio = 0.6f;
    def.viscosity = 0.0f;
    def.solver = solver;
    return def;
}

static supResult supOpenBreast( const supBenchScene* from, const supFatDef* def, supBenchScene* scene, supError* error )
{
    supRig* rig = NULL;
    supResult result = supCreateRig( NULL, &rig, error );
    result = result == sup_success ? supAddFat( rig, def, error ) : result;
    result = result == sup_success ? supRerigBenchScene( from, rig, scene, error ) : result;
    supDestroyRig( rig );
    return result;
}

/// The largest displacement of the skin once it hangs still: three seconds. Metres
static double supMeasureSag( supBenchScene* scene )
{
    supFall fall = { scene, false };
    supStartFall( &fall );
    for ( int second = 0; second < 3; ++second )
    {
        supRunFall( &fall );
    }
    double square = 0.0;
    supBody_Skin( scene->body, scene->out[0], NULL );
    supBody_SmoothSkin( scene->body, scene->out[1], NULL );
    for ( int32_t v = 0; v < scene->vertexCount; ++v )
    {
        double one = 0.0;
        for ( int d = 0; d < 3; ++d )
        {
            double off = (double)scene->out[0][3 * v + d] - scene->out[1][3 * v + d];
            one += off * off;
        }
        square = fmax( square, one );
    }
    return sqrt( square );
}

/// The solid as text, for a peer that runs the same nodes: the material, every node and whether it is held, every
/// voxel.
static supResult supWriteSolid( const supModel* model, const supFatDef* def, const char* path, supError* error )
{
    supFatView view;
    if ( !supModel_Fat( model, 0, &view ) )
    {
        return supFail( error, sup_errorData, "there is no fat to write" );
    }
    supTextFile text;
    FILE* file = supBeginText( &text );
    if ( file == NULL )
    {
        return supFail( error, sup_errorMemory, "%s: no memory", path );
    }
    fprintf( file, "mu %.9g lambda %.9g mass %.9g\n", (double)def->mu, (double)( def->mu * def->incompressibility ),
        (double)def->density * view.volume );
    fprintf( file, "nodes %d\n", view.nodeCount );
    for ( int32_t i = 0; i < view.nodeCount; ++i )
    {
        fprintf( file, "%.9g %.9g %.9g %d\n", (double)view.places[i].x, (double)view.places[i].y,
            (double)view.places[i].z, view.freeOf[i] < 0 );
    }
    fprintf( file, "voxels %d\n", view.voxelCount );
    for ( int32_t i = 0; i < 8 * view.voxelCount; ++i )
    {
        fprintf( file, "%d%c", view.corners[i], i % 8 == 7 ? '\n' : ' ' );
    }
    return supEndText( &text, path, error );
}

static void supMeasureBreast( supBench* bench, supBenchScene* live, supBenchScene* reference )
{
    static supBenchPrepare* const prepares[4] = { supStartFall, supStartFall, supStartFall, supStartFall };
    const char* best = supSimdName( supBestSimd() );
    double frame = supRealTimeFrame();
    supFall steps = { live, false }, frames = { live, true }, slow = { reference, true };
    supAddBenchRow(
        bench, &( supBenchCase ){ "fat", "real time", "clock", "frame", 1.0, NULL, NULL, NULL }, frame, frame, 0.0 );
    const supBenchCase cases[] = {
        { "fat", "frame, reference", "explicit", "frame", sup_fallSteps, NULL, supRunFall, &slow },
        { "fat", "frame, live", best, "frame", sup_fallSteps, "frame, reference", supRunFall, &frames },
        { "fat", "step, live", best, "frame", sup_fallSteps, NULL, supRunFall, &steps },
    };
    supMeasurePrepared( bench, cases, prepares, 3 );
}

/// Nodes, and how far both solvers sag.
static void supTellBreast( supBench* bench, supBenchScene* live, supBenchScene* reference )
{
    supFatView view = { 0 };
    supModel_Fat( live->model, 0, &view );
    double sags[2] = { 1e3 * supMeasureSag( live ), 1e3 * supMeasureSag( reference ) };
    json_object_set_new( bench->facts, "fat",
        json_pack( "{s:i, s:i, s:i, s:i, s:i, s:f, s:f}", "nodes", view.nodeCount, "held", view.anchoredCount, "voxels",
            view.voxelCount, "skin", live->vertexCount, "vibrations", view.modeCount, "sagMm", sags[0],
            "sagReferenceMm", sags[1] ) );
    if ( !bench->quiet )
    {
        printf( "%-9s %d nodes, %d of them held; %d vertices; sags %.3f mm, by the reference %.3f mm\n", "fat",
            view.nodeCount, view.anchoredCount, live->vertexCount, sags[0], sags[1] );
    }
}

int supBenchFat( supBench* bench, const char* solid, bool quick )
{
    supBenchScene torso, live = { 0 }, reference = { 0 };
    supSphere balls[2];
    supFatDef def = supBreastDef( balls, sup_fatLive, quick ), slow = supBreastDef( balls, sup_fatReference, quick );
    supError error = { 0 };
    supResult result = supOpenBenchScene( &torso, "fat", "torso", &error );
    result = result == sup_success ? supOpenBreast( &torso, &def, &live, &error ) : result;
    result = result == sup_success ? supOpenBreast( &torso, &slow, &reference, &error ) : result;
    result = result == sup_success && solid != NULL ? supWriteSolid( live.model, &def, solid, &error ) : result;
    if ( result == sup_success )
    {
        supMeasureBreast( bench, &live, &reference );
        supTellBreast( bench, &live, &reference );
    }
    else
    {
        fprintf( stderr, "supple bench: %s\n", error.text );
    }
    supDestroyBody( live.body );
    supDestroyModel( live.model );
    supDestroyBody( reference.body );
    supDestroyModel( reference.model );
    supDropBenchScene( &torso );
    return result == sup_success ? sup_exitOk : sup_exitFailed;
}
