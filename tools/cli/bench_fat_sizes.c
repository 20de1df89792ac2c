// What fat costs from 1,000 nodes to 100,000: to compile, in memory, a step, a skin.
// SPDX-License-Identifier: MIT
#include "bench_fat.h"
#include "bench_sweeps.h"
#include "command.h"
#include "supple/lab/compiled.h"
#include "supple/lab/machine.h"
#include "supple/lab/plot.h"

#include <sys/resource.h>
#include <time.h>

enum
{
    sup_fatSizes = 5,
};

/// The most memory that the process has had so far. Bytes. Sizes go up, so it is that of the last one.
static double supPeakBytes( void )
{
    struct rusage usage = { 0 };
    getrusage( RUSAGE_SELF, &usage );
    return 1024.0 * (double)usage.ru_maxrss;
}

/// One row of the table.
typedef struct supFatSize
{
    double compileSeconds, peakBytes, stepUs, frameUs;
    supFatView view;
} supFatSize;

/// The torso with fat in its outer half, cut in about so many nodes.
static supResult supOpenFatSize(
    const supBenchScene* torso, float nodes, supFatSize* size, supBenchScene* scene, supError* error )
{
    supFatDef def = supDefaultFatDef();
    def.nodes = nodes;
    def.memory = 4.0f; // by a factor at every size: 3.4 GB at 100,000 nodes
    def.depth = 0.5f;
    supRig* rig = NULL;
    supResult result = supCreateRig( NULL, &rig, error );
    result = result == sup_success ? supAddFat( rig, &def, error ) : result;
    clock_t start = clock();
    result = result == sup_success ? supRerigBenchScene( torso, rig, scene, error ) : result;
    size->compileSeconds = (double)( clock() - start ) / CLOCKS_PER_SEC; // of the processor: others may be at work
    size->peakBytes = supPeakBytes();
    supDestroyRig( rig );
    return result;
}

static void supMeasureFatSize( supBench* bench, supBenchScene* scene, supFatSize* size )
{
    static supBenchPrepare* const prepares[2] = { supStartFall, supStartFall };
    char step[40], frame[40];
    supModel_Fat( scene->model, 0, &size->view );
    snprintf( step, sizeof( step ), "step, %d nodes", size->view.nodeCount );
    snprintf( frame, sizeof( frame ), "frame, %d nodes", size->view.nodeCount );
    const char* simd = supSimdName( supBestSimd() );
    supFall steps = { scene, false }, frames = { scene, true };
    const supBenchCase cases[] = {
        { "fat-sizes", step, simd, "frame", sup_fallSteps, NULL, supRunFall, &steps },
        { "fat-sizes", frame, simd, "frame", sup_fallSteps, NULL, supRunFall, &frames },
    };
    supMeasurePrepared( bench, cases, prepares, 2 );
    size->stepUs = 1e-3 * supLastBenchNs( bench, 1 );
    size->frameUs = 1e-3 * supLastBenchNs( bench, 0 );
}

static void supTellFatSize( supBench* bench, json_t* facts, const supFatSize* size )
{
    const supFatView* view = &size->view;
    json_array_append_new(
        facts, json_pack( "{s:i, s:i, s:f, s:i, s:f, s:f, s:f, s:f, s:f, s:f}", "nodes", view->nodeCount, "held",
                   view->anchoredCount, "voxelMm", 1e3 * (double)view->voxel, "vibrations", view->modeCount,
                   "compileSeconds", size->compileSeconds, "factorBytes", view->factorBytes, "peakBytes",
                   size->peakBytes, "keptBytes", view->bytes, "stepUs", size->stepUs, "frameUs", size->frameUs ) );
    if ( !bench->quiet )
    {
        printf( "%-9s %d nodes of %.1f mm: compiled in %.2f s, %.0f MB at most, %.0f MB kept\n", "fat-sizes",
            view->nodeCount, 1e3 * (double)view->voxel, size->compileSeconds, 1e-6 * size->peakBytes,
            1e-6 * view->bytes );
    }
}

static supResult supDrawFatSizes( const supFatSize* sizes, int count, const char* folder, supError* error )
{
    char path[1100];
    double nodes[sup_fatSizes], y[3][sup_fatSizes];
    for ( int i = 0; i < count; ++i )
    {
        nodes[i] = sizes[i].view.nodeCount;
        y[0][i] = sizes[i].stepUs;
        y[1][i] = sizes[i].frameUs;
        y[2][i] = 1e6 * sizes[i].compileSeconds;
    }
    snprintf( path, sizeof( path ), "%s/fat_cost.svg", folder );
    const supSeries series[3] = { { .name = "a step", .x = nodes, .y = y[0], .count = count, .marker = 6.0f },
        { .name = "a step and the skin", .x = nodes, .y = y[1], .count = count, .marker = 6.0f },
        { .name = "compiling, once", .x = nodes, .y = y[2], .count = count, .marker = 6.0f } };
    supPlotDef plot = supDefaultPlotDef();
    plot.title = "Fat: cost against nodes";
    plot.xLabel = "nodes";
    plot.yLabel = "time (us)";
    plot.xLog = plot.yLog = true;
    plot.series = series;
    plot.seriesCount = 3;
    return supWritePlot( &plot, path, error );
}

/// All sizes; one that is refused is told and ends the row of them.
static supResult supRunFatSizes( supBench* bench, const supBenchScene* torso, const char* folder, supError* error )
{
    static const float wanted[sup_fatSizes] = { 1000.0f, 3000.0f, 10000.0f, 30000.0f, 100000.0f };
    supFatSize sizes[sup_fatSizes] = { 0 };
    json_t* facts = json_array();
    int count = 0;
    supResult result = sup_success;
    for ( int i = 0; i < sup_fatSizes && result == sup_success; ++i )
    {
        supBenchScene scene = { 0 };
        result = supOpenFatSize( torso, wanted[i], sizes + count, &scene, error );
        if ( result == sup_success )
        {
            supMeasureFatSize( bench, &scene, sizes + count );
            supTellFatSize( bench, facts, sizes + count );
            count += 1;
        }
        supDestroyBody( scene.body );
        supDestroyModel( scene.model );
    }
    if ( result == sup_errorLimit && count > 0 )
    {
        json_array_append_new(
            facts, json_pack( "{s:f, s:s}", "wanted", (double)wanted[count], "refused", error->text ) );
        fprintf( stderr, "supple bench: fat-sizes: %.0f nodes: %s\n", (double)wanted[count], error->text );
        result = sup_success;
    }
    json_object_set_new( bench->facts, "fat-sizes", facts );
    return result == sup_success && folder != NULL ? supDrawFatSizes( sizes, count, folder, error ) : result;
}

int supBenchFatSizes( supBench* bench, const char* folder )
{
    supBenchScene torso;
    supError error = { 0 };
    supResult result = supOpenBenchScene( &torso, "fat-sizes", "torso", &error );
    result = result == sup_success ? supRunFatSizes( bench, &torso, folder, &error ) : result;
    if ( result != sup_success )
    {
        fprintf( stderr, "supple bench: %s\n", error.text );
    }
    supDropBenchScene( &torso );
    return result == sup_success ? sup_exitOk : sup_exitFailed;
}
