// The bench beyond one character.
// SPDX-License-Identifier: MIT
#include "bench_sweeps.h"

#include "bench_scene.h"
#include "command.h"
#include "supple/crowd.h"
#include "supple/lab/items.h"
#include "supple/lab/machine.h"
#include "supple/lab/plot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int supFailBench( const supError* error )
{
    fprintf( stderr, "supple bench: %s\n", error->text );
    return sup_exitFailed;
}

static void supRunNaive( void* context )
{
    const supBenchScene* scene = context;
    supPlainNaive( scene->plain );
}

int supBenchMillion( supBench* bench )
{
    supBenchScene woman, million = { 0 };
    supError error = { 0 };
    const char* best = supSimdName( supBestSimd() );
    supResult result = supOpenBenchScene( &woman, "woman", "woman", &error );
    result = result == sup_success ? supRepeatBenchScene( &million, &woman, "million", 1000000, 4, &error ) : result;
    if ( result == sup_success )
    {
        double n = million.vertexCount;
        const supBenchCase cases[] = {
            { "million", "naive", "plain C -O2", "vertex", n, NULL, supRunNaive, &million },
            { "million", "copy of 48 bytes", "memcpy", "vertex", n, NULL, supBenchCopy, &million },
            { "million", "positions", best, "vertex", n, "copy of 48 bytes", supBenchSmooth, &million },
            { "million", "positions, our order", best, "vertex", n, "copy of 48 bytes", supBenchOrdered, &million },
            { "million", "positions and normals", best, "vertex", n, "copy of 48 bytes", supBenchSmoothNormals,
                &million },
        };
        supMeasure( bench, cases, 5 );
    }
    supDropBenchScene( &million );
    supDropBenchScene( &woman );
    return result == sup_success ? sup_exitOk : supFailBench( &error );
}

// ---------------------------------------------------------------------------------------------------------------
// Springs in bulk

/// The elements of a rig, again and again under new names, up to a hundred.
static supResult supRepeatElements( const supRig* from, supRig* to, supError* error )
{
    supResult result = supRig_ElementCount( from ) > 0 ? sup_success : sup_errorData;
    for ( int32_t i = 0; i < sup_benchElements && result == sup_success; ++i )
    {
        char name[32];
        supElementDef def = *supRig_Element( from, i % supRig_ElementCount( from ) );
        snprintf( name, sizeof( name ), "element %d", (int)i );
        def.name = name;
        result = supRig_AddElement( to, &def, error );
    }
    return result;
}

/// What a step costs beyond a frame without time: the second of the last three rows less the first.
static void supAddDifference( supBench* bench, const char* scene, const char* what )
{
    size_t count = json_array_size( bench->rows );
    const json_t *whole = json_array_get( bench->rows, count - 2 ), *rest = json_array_get( bench->rows, count - 3 );
    double best =
        json_real_value( json_object_get( whole, "bestNs" ) ) - json_real_value( json_object_get( rest, "bestNs" ) );
    double median = json_real_value( json_object_get( whole, "medianNs" ) ) -
                    json_real_value( json_object_get( rest, "medianNs" ) );
    supAddBenchRow(
        bench, &( supBenchCase ){ scene, what, "difference", "element", 1.0, NULL, NULL, NULL }, best, median, 0.0 );
}

int supBenchSprings( supBench* bench )
{
    supBenchScene mushroom, moving = { 0 }, still = { 0 };
    supRig *rig = NULL, *bulk = NULL;
    const supProposeChoices natural = supPresetChoices( sup_presetNatural );
    supError error = { 0 };
    supResult result = supOpenBenchScene( &mushroom, "mushroom", "mushroom", &error );
    moving = mushroom;
    moving.model = NULL, moving.body = NULL;
    result = result == sup_success ? supInput_Rig( &mushroom.input, NULL, &natural, NULL, &rig, NULL, &error ) : result;
    result = result == sup_success ? supCreateRig( NULL, &bulk, &error ) : result;
    result = result == sup_success ? supRepeatElements( rig, bulk, &error ) : result;
    result = result == sup_success ? supCompileModel( mushroom.character, bulk, &moving.model, &error ) : result;
    result = result == sup_success ? supCreateBody( moving.model, &moving.body, &error ) : result;
    still = moving;
    still.body = NULL;
    result = result == sup_success ? supCreateBody( moving.model, &still.body, &error ) : result;
    for ( int i = 0; i < 2000 && result == sup_success; ++i )
    {
        supBenchStand( &still );
    }
    if ( result == sup_success )
    {
        const char* best = supSimdName( supBestSimd() );
        const supBenchCase cases[] = {
            { "springs", "pose, anchors, limits", best, "element", sup_benchElements, NULL, supBenchPause, &moving },
            { "springs", "step, moving", best, "element", sup_benchElements, NULL, supBenchStep, &moving },
            { "springs", "step, settled", best, "element", sup_benchElements, "step, moving", supBenchStand, &still },
        };
        supMeasure( bench, cases, 3 );
        supAddDifference( bench, "springs", "the step's map alone" );
    }
    supDestroyBody( moving.body );
    supDestroyBody( still.body );
    supDestroyModel( moving.model );
    supDestroyRig( rig );
    supDestroyRig( bulk );
    supDropBenchScene( &mushroom );
    return result == sup_success ? sup_exitOk : supFailBench( &error );
}

// ---------------------------------------------------------------------------------------------------------------
// The crowd

typedef struct supBenchedCrowd
{
    supBenchScene* scene;
    supCrowd* crowd;
    float *positions, *normals; ///< of everybody: a crowd writes more than caches hold
    int32_t count, frame;
    supCrowdLevel level;
    bool isStreet; ///< levels by how high each one stands on the screen instead
} supBenchedCrowd;

/// Of people evenly spread along a street, seen from its end: 2 to 200 m away, 1.7 m high, on a screen of 1080 pixels
/// that shows 60 degrees from top to bottom.
static supCrowdLevel supStreetLevel( const supBenchedCrowd* stage, int32_t who )
{
    const float pixelsAtOneMetre = 1.7f * 1080.0f / ( 2.0f * 0.57735f );
    return supCrowdLevelFor( pixelsAtOneMetre / ( 2.0f + 198.0f * (float)who / (float)stage->count ) );
}

static void supRunStage( void* context )
{
    supBenchedCrowd* stage = context;
    const supBenchScene* scene = stage->scene;
    size_t floats = 3 * (size_t)scene->placeCount;
    for ( int32_t who = 0; who < stage->count; ++who )
    {
        int32_t pose = ( stage->frame + 7 * who ) % sup_benchFrames;
        supCrowdFrame frame = { .joints = scene->joints + pose * scene->jointCount,
            .world = supMat34_identity,
            .positions = stage->positions + floats * (size_t)who,
            .normals = stage->normals + floats * (size_t)who,
            .ordered = true };
        supCrowd_SetFrame( stage->crowd, who, &frame );
        supCrowd_SetLevel( stage->crowd, who, stage->isStreet ? supStreetLevel( stage, who ) : stage->level );
    }
    supCrowd_Run( stage->crowd, 1.0f / 60.0f );
    stage->frame += 1;
}

static supResult supOpenStage( supBenchedCrowd* stage, supBenchScene* scene, int32_t count, supError* error )
{
    size_t floats = 3 * (size_t)scene->placeCount * (size_t)count;
    *stage = ( supBenchedCrowd ){ .scene = scene, .count = count, .level = supDefaultCrowdLevel() };
    stage->positions = supAllocStaggered( 4 * floats, 0 );
    stage->normals = supAllocStaggered( 4 * floats, 1 );
    if ( stage->positions == NULL || stage->normals == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for the vertices of %d bodies", count );
    }
    const supModel* models[1] = { scene->model };
    supCrowdDef def = supDefaultCrowdDef();
    def.models = models;
    def.modelCount = 1;
    def.capacity = count;
    supResult result = supCreateCrowd( &def, &stage->crowd, error );
    for ( int32_t i = 0; i < count && result == sup_success; ++i )
    {
        supCrowd_Add( stage->crowd, 0 );
    }
    return result;
}

static void supDropStage( supBenchedCrowd* stage )
{
    supDestroyCrowd( stage->crowd );
    supFreeStaggered( stage->positions, 0 );
    supFreeStaggered( stage->normals, 1 );
}

enum
{
    sup_yardstickTasks = 64,
};

/// Multiplications that wait for each other and share nothing.
static void supMultiplyOn( int32_t index, void* context )
{
    double* out = context;
    double value = 1.0 + index;
    for ( int i = 0; i < 20000; ++i )
    {
        value = value * 0.999 + 0.001;
    }
    out[index] = value;
}

static void supRunYardstick( void* context )
{
    const supTasks* tasks = context;
    double out[sup_yardstickTasks];
    tasks->run( supMultiplyOn, sup_yardstickTasks, out, tasks->user );
}

/// One, two, … threads, each measured by itself: threads of another pool would share the processors. Beside the crowd
/// of the table: what as many threads give when they share nothing, on this machine at this time.
static void supBenchThreads( supBench* bench, supBenchedCrowd* stage, const char* scene )
{
    static const char* const names[9] = { "", "1 thread", "2 threads", "3 threads", "4 threads", "5 threads",
        "6 threads", "7 threads", "8 threads" };
    long processors = sysconf( _SC_NPROCESSORS_ONLN );
    for ( int threads = 1; threads <= 8 && threads <= processors; ++threads )
    {
        supPool* pool = NULL;
        supBenchPin( threads == 1 );
        supPoolDef poolDef = supDefaultPoolDef();
        poolDef.workerCount = threads;
        if ( supCreatePool( &poolDef, &pool, NULL ) == sup_success )
        {
            supCrowd_SetTasks( stage->crowd, supPool_Tasks( pool ) );
            const supBenchCase one = { scene, "frame, positions and normals", names[threads], "body", stage->count,
                NULL, supRunStage, stage };
            supMeasure( bench, &one, 1 );
            supTasks tasks = supPool_Tasks( pool );
            const supBenchCase yardstick = { scene, "multiplications, nothing shared", names[threads], "task",
                sup_yardstickTasks, NULL, supRunYardstick, &tasks };
            if ( strcmp( scene, "crowd" ) == 0 )
            {
                supMeasure( bench, &yardstick, 1 );
            }
        }
        supCrowd_SetTasks( stage->crowd, ( supTasks ){ 0 } );
        supDestroyPool( pool );
    }
    supBenchPin( true );
}

int supBenchCrowd( supBench* bench, int count )
{
    supBenchScene woman;
    supBenchedCrowd stage = { 0 };
    supError error = { 0 };
    supResult result = supOpenBenchScene( &woman, "woman", "woman", &error );
    result = result == sup_success ? supOpenStage( &stage, &woman, count, &error ) : result;
    if ( result == sup_success )
    {
        supBenchThreads( bench, &stage, "crowd" );
        const supBenchCase street = { "crowd", "frame, along a street", "1 thread", "body", count, NULL, supRunStage,
            &stage };
        stage.isStreet = true;
        supMeasure( bench, &street, 1 );
        stage.isStreet = false;
        const supBenchCase full = { "crowd", "springs alone", "1 thread", "body", count, NULL, supRunStage, &stage };
        stage.level.skin = false;
        supMeasure( bench, &full, 1 );
        const supBenchCase slow = { "crowd", "springs alone, a quarter of the rate", "1 thread", "body", count, NULL,
            supRunStage, &stage };
        stage.level.rate = 4;
        supMeasure( bench, &slow, 1 );
        supCrowdReport report = supCrowd_Report( stage.crowd );
        if ( !bench->quiet )
        {
            printf( "%-9s %d bodies, %zu bytes each (%zu kB in all)\n", "crowd", report.bodies, report.bodyMemory,
                report.memory / 1024 );
        }
    }
    supDropStage( &stage );
    supDropBenchScene( &woman );
    return result == sup_success ? sup_exitOk : supFailBench( &error );
}

// ---------------------------------------------------------------------------------------------------------------
// Plots

static supResult supWriteSweep( const char* folder, const char* file, const char* title, const char* xLabel,
    const char* yLabel, bool logarithmic, const double* x, const double* y, int count, supError* error )
{
    char path[1100];
    snprintf( path, sizeof( path ), "%s/%s.svg", folder, file );
    supSeries series = { .x = x, .y = y, .count = count, .marker = 6.0f };
    supPlotDef plot = supDefaultPlotDef();
    plot.title = title;
    plot.xLabel = xLabel;
    plot.yLabel = yLabel;
    plot.xLog = logarithmic;
    for ( int i = 0; i < count; ++i ) // from 0 on: a plot of costs must not make a small difference look large
    {
        plot.yUpper = 1.1 * y[i] > plot.yUpper ? 1.1 * y[i] : plot.yUpper;
    }
    plot.series = &series;
    plot.seriesCount = 1;
    return supWritePlot( &plot, path, error );
}

static supResult supSweepVertices( supBench* bench, const supBenchScene* woman, const char* folder, supError* error )
{
    static const int32_t counts[7] = { 1000, 3000, 10000, 30000, 100000, 300000, 1000000 };
    double x[7], y[7];
    supResult result = sup_success;
    for ( int i = 0; i < 7 && result == sup_success; ++i )
    {
        supBenchScene scene;
        result = supRepeatBenchScene( &scene, woman, "sweep", counts[i], 4, error );
        const supBenchCase one = { "sweep", "positions against vertices", supSimdName( supBestSimd() ), "vertex",
            counts[i], NULL, supBenchSmooth, &scene };
        x[i] = counts[i];
        if ( result == sup_success )
        {
            supMeasure( bench, &one, 1 );
            y[i] = supLastBenchNs( bench, 0 );
        }
        supDropBenchScene( &scene );
    }
    return result == sup_success ? supWriteSweep( folder, "vertices", "Skinning: positions, 4 influences", "vertices",
                                       "ns a vertex", true, x, y, 7, error )
                                 : result;
}

static supResult supSweepInfluences( supBench* bench, const supBenchScene* woman, const char* folder, supError* error )
{
    double x[8], y[8];
    supResult result = sup_success;
    for ( int i = 0; i < 8 && result == sup_success; ++i )
    {
        supBenchScene scene;
        result = supRepeatBenchScene( &scene, woman, "sweep", 5554, i + 1, error );
        const supBenchCase one = { "sweep", "positions against influences", supSimdName( supBestSimd() ), "vertex",
            5554.0, NULL, supBenchSmooth, &scene };
        x[i] = i + 1;
        if ( result == sup_success )
        {
            supMeasure( bench, &one, 1 );
            y[i] = supLastBenchNs( bench, 0 );
        }
        supDropBenchScene( &scene );
    }
    return result == sup_success ? supWriteSweep( folder, "influences", "Skinning: positions, 5,554 vertices",
                                       "influences a vertex", "ns a vertex", false, x, y, 8, error )
                                 : result;
}

enum
{
    sup_mostElements = 16,
};

/// A body for each number of elements, from one to all of the woman's; they take turns, as all cases of a group do.
static supResult supSweepElements( supBench* bench, const supBenchScene* woman, const char* folder, supError* error )
{
    supBenchScene scenes[sup_mostElements];
    supBenchCase cases[sup_mostElements];
    double x[sup_mostElements], y[sup_mostElements];
    int count = 0;
    supRig *all = NULL, *some = NULL;
    const supProposeChoices natural = supPresetChoices( sup_presetNatural );
    supResult result = supInput_Rig( &woman->input, NULL, &natural, NULL, &all, NULL, error );
    result = result == sup_success ? supCreateRig( NULL, &some, error ) : result;
    for ( int32_t e = 0; result == sup_success && e < supRig_ElementCount( all ) && e < sup_mostElements; ++e )
    {
        supBenchScene* scene = scenes + count;
        *scene = *woman;
        scene->model = NULL, scene->body = NULL;
        cases[count] = ( supBenchCase ){ "sweep", "step against elements", supSimdName( supBestSimd() ), "step", 1.0,
            NULL, supBenchStep, scene };
        x[count++] = e + 1;
        result = supRig_AddElement( some, supRig_Element( all, e ), error );
        result = result == sup_success ? supCompileModel( woman->character, some, &scene->model, error ) : result;
        result = result == sup_success ? supCreateBody( scene->model, &scene->body, error ) : result;
    }
    if ( result == sup_success )
    {
        supMeasure( bench, cases, count );
    }
    for ( int i = 0; i < count; ++i )
    {
        y[i] = supLastBenchNs( bench, (size_t)( count - 1 - i ) );
        supDestroyBody( scenes[i].body );
        supDestroyModel( scenes[i].model );
    }
    supDestroyRig( all );
    supDestroyRig( some );
    return result == sup_success
               ? supWriteSweep( folder, "elements", "A step of one body", "elements", "ns", false, x, y, count, error )
               : result;
}

static supResult supSweepThreads( supBench* bench, supBenchScene* woman, const char* folder, supError* error )
{
    supBenchedCrowd stage = { 0 };
    double x[8], y[8];
    supResult result = supOpenStage( &stage, woman, 200, error );
    if ( result == sup_success )
    {
        size_t before = json_array_size( bench->rows );
        supBenchThreads( bench, &stage, "sweep" );
        int count = (int)( json_array_size( bench->rows ) - before );
        for ( int i = 0; i < count; ++i )
        {
            x[i] = i + 1;
            y[i] = supLastBenchNs( bench, (size_t)( count - 1 - i ) ) / 1000.0;
        }
        result = supWriteSweep( folder, "threads", "A frame of 200 women, positions and normals", "threads",
            "us a body", false, x, y, count, error );
    }
    supDropStage( &stage );
    return result;
}

int supBenchPlots( supBench* bench, const char* folder )
{
    supBenchScene woman;
    supError error = { 0 };
    supResult result = supOpenBenchScene( &woman, "woman", "woman", &error );
    result = result == sup_success ? supSweepVertices( bench, &woman, folder, &error ) : result;
    result = result == sup_success ? supSweepInfluences( bench, &woman, folder, &error ) : result;
    result = result == sup_success ? supSweepElements( bench, &woman, folder, &error ) : result;
    result = result == sup_success ? supSweepThreads( bench, &woman, folder, &error ) : result;
    supDropBenchScene( &woman );
    return result == sup_success ? sup_exitOk : supFailBench( &error );
}
