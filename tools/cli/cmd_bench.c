// supple bench: speeds, as a table and as JSON.
// SPDX-License-Identifier: MIT
#include "bench_profile.h"
#include "bench_scene.h"
#include "bench_sweeps.h"
#include "bench_text.h"
#include "command.h"
#include "options.h"
#include "output.h"
#include "supple/lab/items.h"
#include "supple/lab/machine.h"
#include "supple/lab/states.h"

#include <stdlib.h>
#include <string.h>

typedef struct supBenchOptions
{
    bool json, quick, progress;
    float seconds;
    const char *csv, *plots, *solid;
    supTextList scenes;
} supBenchOptions;

static void supRunPlain( void* context )
{
    const supBenchScene* scene = context;
    for ( int32_t m = 0; m < scene->meshCount; ++m )
    {
        scene->plainRun( scene->plain + m );
    }
}

/// Skinning in every way, against plain C in the same process.
static void supBenchSkinning( supBench* bench, supBenchScene* scene )
{
    const char* best = supSimdName( supBestSimd() );
    supBenchScene naive = *scene, blended = *scene, normals = *scene;
    naive.plainRun = supPlainNaive;
    blended.plainRun = supPlainBlended;
    normals.plainRun = supPlainBlendedNormals;
    double n = scene->vertexCount;
    const char* name = scene->name;
    const supBenchCase cases[] = {
        { name, "naive", "plain C -O2", "vertex", n, NULL, supRunPlain, &naive },
        { name, "blended", "plain C -O3", "vertex", n, NULL, supRunPlain, &blended },
        { name, "blended, normals", "plain C -O3", "vertex", n, NULL, supRunPlain, &normals },
        { name, "copy of 48 bytes", "memcpy", "vertex", n, NULL, supBenchCopy, scene },
        { name, "positions", best, "vertex", n, "naive", supBenchSmooth, scene },
        { name, "positions, against blended", best, "vertex", n, "blended", supBenchSmooth, scene },
        { name, "positions, our order", best, "vertex", n, "blended", supBenchOrdered, scene },
        { name, "positions, living", best, "vertex", n, "positions", supBenchSkin, scene },
        { name, "positions and normals", best, "vertex", n, "blended, normals", supBenchSmoothNormals, scene },
        { name, "positions and normals, living", best, "vertex", n, "positions and normals", supBenchSkinNormals,
            scene },
    };
    supMeasure( bench, cases, (int)( sizeof( cases ) / sizeof( cases[0] ) ) );
}

/// The path that every x86 processor has: what WebAssembly, with lanes as wide, is set beside.
static void supBenchSse2( supBench* bench, supBenchScene* scene )
{
    supBenchScene blended = *scene;
    blended.plainRun = supPlainBlended;
    double n = scene->vertexCount, elements = supModel_Info( scene->model )->elementCount;
    if ( supBody_SetSimd( scene->body, sup_simdSse2 ) )
    {
        const supBenchCase cases[] = {
            { scene->name, "blended, again", "plain C -O3", "vertex", n, NULL, supRunPlain, &blended },
            { scene->name, "positions, narrow", "SSE2", "vertex", n, "blended, again", supBenchSmooth, scene },
            { scene->name, "positions and normals, narrow", "SSE2", "vertex", n, NULL, supBenchSmoothNormals, scene },
            { scene->name, "step, narrow", "SSE2", "element", elements, NULL, supBenchStep, scene },
        };
        supMeasure( bench, cases, elements > 0.0 ? 4 : 3 );
    }
    supBody_SetSimd( scene->body, supBestSimd() );
}

/// No elongation anywhere must cost what some cost.
static void supBenchStill( supBench* bench, supBenchScene* scene )
{
    const char* best = supSimdName( supBestSimd() );
    supVec3* zeros = calloc( (size_t)supModel_Info( scene->model )->elementCount + 1, sizeof( supVec3 ) );
    if ( zeros != NULL && supModel_Info( scene->model )->elementCount > 0 )
    {
        supBody_Show( scene->body, scene->joints, zeros );
        const supBenchCase cases[] = {
            { scene->name, "smooth", best, "vertex", scene->vertexCount, NULL, supBenchSmooth, scene },
            { scene->name, "living, u = 0 everywhere", best, "vertex", scene->vertexCount, "smooth", supBenchSkin,
                scene },
        };
        supMeasure( bench, cases, 2 );
    }
    free( zeros );
}

static void supBenchDual( supBench* bench, supBenchScene* scene )
{
    supBenchScene plain = *scene;
    plain.plainRun = supPlainDual;
    supBody_SetSkinning( scene->body, sup_skinningDualQuaternion );
    const supBenchCase cases[] = {
        { scene->name, "dual quaternions, plain", "plain C -O3", "vertex", scene->vertexCount, NULL, supRunPlain,
            &plain },
        { scene->name, "dual quaternions", supSimdName( supBestSimd() ), "vertex", scene->vertexCount,
            "dual quaternions, plain", supBenchSmooth, scene },
    };
    supMeasure( bench, cases, 2 );
    supBody_SetSkinning( scene->body, sup_skinningLinear );
}

/// Springs, moving and settled, and a whole frame.
static void supBenchTime( supBench* bench, supBenchScene* scene )
{
    double elements = supModel_Info( scene->model )->elementCount;
    if ( elements < 1.0 )
    {
        return;
    }
    supBenchScene still = *scene;
    if ( supCreateBody( scene->model, &still.body, NULL ) != sup_success )
    {
        return;
    }
    for ( int i = 0; i < 2000; ++i )
    {
        supBenchStand( &still );
    }
    const char* best = supSimdName( supBestSimd() );
    const supBenchCase cases[] = {
        { scene->name, "step, moving", best, "element", elements, NULL, supBenchStep, scene },
        { scene->name, "step, settled", best, "element", elements, "step, moving", supBenchStand, &still },
        { scene->name, "frame: step and skin", best, "frame", 1.0, NULL, supBenchFrame, scene },
    };
    supMeasure( bench, cases, 3 );
    supDestroyBody( still.body );
}

static void supRunPositionsFrame( void* context )
{
    supBenchStep( context );
    supBenchSkin( context );
}

/// With the first four elements of the rig alone: what is compared with a soft body of 1,000 nodes.
static void supBenchFour( supBench* bench, supBenchScene* scene )
{
    supRig *all = NULL, *four = NULL;
    supBenchScene own = *scene;
    own.model = NULL;
    own.body = NULL;
    const supProposeChoices natural = supPresetChoices( sup_presetNatural );
    supResult result = supInput_Rig( &scene->input, NULL, &natural, NULL, &all, NULL, NULL );
    result = result == sup_success ? supCreateRig( NULL, &four, NULL ) : result;
    for ( int32_t e = 0; result == sup_success && e < 4 && e < supRig_ElementCount( all ); ++e )
    {
        result = supRig_AddElement( four, supRig_Element( all, e ), NULL );
    }
    result = result == sup_success ? supCompileModel( scene->character, four, &own.model, NULL ) : result;
    result = result == sup_success ? supCreateBody( own.model, &own.body, NULL ) : result;
    if ( result == sup_success && supRig_ElementCount( four ) == 4 )
    {
        const supBenchCase cases[] = {
            { scene->name, "frame of four elements", supSimdName( supBestSimd() ), "frame", 1.0, NULL,
                supRunPositionsFrame, &own },
            { scene->name, "frame of four elements, normals", supSimdName( supBestSimd() ), "frame", 1.0, NULL,
                supBenchFrame, &own },
        };
        supMeasure( bench, cases, 2 );
    }
    supDestroyBody( own.body );
    supDestroyModel( own.model );
    supDestroyRig( all );
    supDestroyRig( four );
}

static int supBenchCharacter( supBench* bench, const char* name, const char* path )
{
    supBenchScene scene;
    supError error = { 0 };
    supResult result = supOpenBenchScene( &scene, name, path, &error );
    if ( result == sup_success )
    {
        supBenchSkinning( bench, &scene );
        supBenchSse2( bench, &scene );
        supBenchDual( bench, &scene );
        supBenchTime( bench, &scene );
        supBenchProfile( bench, &scene );
        supBenchFour( bench, &scene );
        supBenchStill( bench, &scene );
    }
    else
    {
        fprintf( stderr, "supple bench: %s\n", error.text );
    }
    supDropBenchScene( &scene );
    return result == sup_success ? sup_exitOk : sup_exitFailed;
}

static bool supIsWanted( const supBenchOptions* words, const char* scene )
{
    bool wanted = words->scenes.count == 0;
    for ( int i = 0; i < words->scenes.count; ++i )
    {
        wanted = wanted || strcmp( words->scenes.items[i], scene ) == 0;
    }
    return wanted;
}

/// The same, and tells that it comes next.
static bool supTakesScene( supBench* bench, const supBenchOptions* words, const char* scene )
{
    bool wanted = supIsWanted( words, scene );
    if ( wanted )
    {
        supProgress_Stage( &bench->progress, "%s", scene );
    }
    return wanted;
}

static int supBenchAll( supBench* bench, const supBenchOptions* words )
{
    static const char* const creatures[3] = { "mushroom", "cat", "woman" };
    int code = sup_exitOk;
    supBenchPin( true );
    for ( int i = 0; i < 3; ++i )
    {
        code = supTakesScene( bench, words, creatures[i] ) && code == sup_exitOk
                   ? supBenchCharacter( bench, creatures[i], creatures[i] )
                   : code;
    }
    char path[1024];
    const char* assets = getenv( "SUPPLE_ASSETS" );
    snprintf( path, sizeof( path ), "%s/mh_human/mh_heavy.glb", assets != NULL ? assets : "../shared/assets" );
    FILE* there = fopen( path, "rb" );
    if ( there != NULL )
    {
        fclose( there );
        code = supTakesScene( bench, words, "heavy" ) && code == sup_exitOk ? supBenchCharacter( bench, "heavy", path )
                                                                            : code;
    }
    else if ( words->scenes.count > 0 && supIsWanted( words, "heavy" ) )
    {
        fprintf( stderr, "supple bench: heavy: there is no '%s'; SUPPLE_ASSETS names the folder of assets\n", path );
        code = sup_exitFailed;
    }
    code = supTakesScene( bench, words, "muscles" ) && code == sup_exitOk
               ? supBenchMuscles( bench, there != NULL ? path : "woman" )
               : code;
    code = supTakesScene( bench, words, "anatomy" ) && code == sup_exitOk
               ? supBenchAnatomy( bench, there != NULL ? path : "woman" )
               : code;
    code = supTakesScene( bench, words, "contact" ) && code == sup_exitOk
               ? supBenchContact( bench, there != NULL ? path : "woman" )
               : code;
    code = supTakesScene( bench, words, "fat" ) && code == sup_exitOk ? supBenchFat( bench, words->solid, words->quick )
                                                                      : code;
    bool sizes =
        words->scenes.count > 0 && supTakesScene( bench, words, "fat-sizes" ); // minutes: only where it is asked for
    code = sizes && code == sup_exitOk ? supBenchFatSizes( bench, words->plots ) : code;
    code = supTakesScene( bench, words, "springs" ) && code == sup_exitOk ? supBenchSprings( bench ) : code;
    code = supTakesScene( bench, words, "beams" ) && code == sup_exitOk ? supBenchBeams( bench, words->plots ) : code;
    code = supTakesScene( bench, words, "million" ) && code == sup_exitOk ? supBenchMillion( bench ) : code;
    code = supTakesScene( bench, words, "crowd" ) && code == sup_exitOk
               ? supBenchCrowd( bench, words->quick ? 100 : 1000 )
               : code;
    bool sweeps = words->plots != NULL && supIsWanted( words, "woman" ); // they are hers
    code = sweeps && code == sup_exitOk ? supBenchPlots( bench, words->plots ) : code;
    return code;
}

static int supWriteBenchCsv( const json_t* rows, const char* path )
{
    supTextFile text;
    supError error;
    FILE* file = supBeginText( &text );
    if ( file == NULL )
    {
        fprintf( stderr, "supple bench: %s: no memory\n", path );
        return sup_exitFailed;
    }
    fprintf( file, "scene,what,path,bestNs,medianNs,per,versus,ratio\n" );
    size_t index;
    const json_t* row;
    json_array_foreach( rows, index, row )
    {
        const char* versus = json_string_value( json_object_get( row, "versus" ) );
        fprintf( file, "%s,\"%s\",%s,%.3f,%.3f,%s,\"%s\",", json_string_value( json_object_get( row, "scene" ) ),
            json_string_value( json_object_get( row, "what" ) ), json_string_value( json_object_get( row, "path" ) ),
            json_real_value( json_object_get( row, "bestNs" ) ), json_real_value( json_object_get( row, "medianNs" ) ),
            json_string_value( json_object_get( row, "per" ) ), versus != NULL ? versus : "" );
        fprintf( file, versus != NULL ? "%.3f\n" : "\n", json_real_value( json_object_get( row, "ratio" ) ) );
    }
    if ( supEndText( &text, path, &error ) != sup_success )
    {
        fprintf( stderr, "supple bench: %s\n", error.text );
        return sup_exitFailed;
    }
    return sup_exitOk;
}

static void supPrintMachine( const json_t* machine )
{
    printf( "%s, %d processors; %s; %s; supple %s with %s\n",
        json_string_value( json_object_get( machine, "processor" ) ),
        (int)json_integer_value( json_object_get( machine, "processors" ) ),
        json_string_value( json_object_get( machine, "compiler" ) ),
        json_string_value( json_object_get( machine, "flags" ) ),
        json_string_value( json_object_get( machine, "version" ) ),
        json_string_value( json_object_get( machine, "simd" ) ) );
    printf( "one pinned processor but for the crowd; cases take turns; best and median\n\n" );
}

int supRunBench( const char* program, int argc, char** args )
{
    (void)program;
    supBenchOptions words = { .seconds = 2.0f };
    const supOption options[] = {
        { .name = "json", .type = sup_optionFlag, .target = &words.json, .help = "one JSON object on stdout" },
        { .name = "csv", .type = sup_optionText, .target = &words.csv, .value = "FILE", .help = "the rows as CSV too" },
        { .name = "plots",
            .type = sup_optionText,
            .target = &words.plots,
            .value = "DIR",
            .help = "cost against vertices, influences, elements, threads and frames, as SVG" },
        { .name = "scene",
            .type = sup_optionList,
            .target = &words.scenes,
            .value = "NAME",
            .help =
                "mushroom, cat, woman, heavy, muscles, anatomy, contact, fat, springs,\nbeams, million, crowd; several; all by default" },
        { .name = "solid",
            .type = sup_optionText,
            .target = &words.solid,
            .value = "FILE",
            .help = "nodes and voxels of the scene fat as text, for other solvers" },
        { .name = "seconds",
            .type = sup_optionFloat,
            .target = &words.seconds,
            .min = 0.01,
            .max = 600.0,
            .value = "S",
            .help = "for each group of cases; 2 by default" },
        { .name = "quick",
            .type = sup_optionFlag,
            .target = &words.quick,
            .help = "a crowd of 100 instead of 1,000, fat of 200 nodes" },
        { .name = "progress",
            .type = sup_optionFlag,
            .target = &words.progress,
            .help = "tell on stderr which scene comes next; with --json a terminal\nshows it from the second one on" },
        SUP_OPTIONS_END,
    };
    const supArgument arguments[] = { SUP_ARGUMENTS_END };
    const supUsage usage = { "bench", "speeds, as a table and as JSON", options, arguments, NULL, NULL };
    supParseResult parsed = supParseWords( &usage, argc, args );
    if ( parsed != sup_parseOk )
    {
        return supExitCodeOf( parsed );
    }
    static const char* const scenes[] = { "mushroom", "cat", "woman", "heavy", "muscles", "anatomy", "contact", "fat",
        "fat-sizes", "springs", "beams", "million", "crowd", NULL };
    for ( int i = 0; i < words.scenes.count; ++i )
    {
        const char* nearest = supNearestWord( words.scenes.items[i], scenes );
        if ( nearest == NULL || strcmp( nearest, words.scenes.items[i] ) != 0 )
        {
            return supReportMisuse( &usage, "there is no scene '%s'; did you mean '%s'?", words.scenes.items[i],
                nearest != NULL ? nearest : "woman" );
        }
    }
    supError error;
    if ( ( words.csv != NULL && supCheckOutput( words.csv, &error ) != sup_success ) ||
         ( words.solid != NULL && supCheckOutput( words.solid, &error ) != sup_success ) ||
         ( words.plots != NULL && supMakeFolders( words.plots, &error ) != sup_success ) )
    {
        fprintf( stderr, "supple bench: %s\n", error.text );
        return sup_exitFailed;
    }
    supBench bench = { json_array(), words.seconds, words.json, json_object(), { 0 } };
    if ( words.json || words.progress ) // a table tells by itself how far it has come
    {
        supStartProgress( &bench.progress, "bench", words.progress ? sup_progressLines : sup_progressBarByHand );
    }
    json_t* machine = supBenchMachine();
    if ( !words.json )
    {
        supPrintMachine( machine );
    }
    int code = supBenchAll( &bench, &words );
    supProgress_End( &bench.progress );
    code = words.csv != NULL && code == sup_exitOk ? supWriteBenchCsv( bench.rows, words.csv ) : code;
    json_t* report = json_pack( "{s:o, s:o, s:o}", "machine", machine, "rows", bench.rows, "facts", bench.facts );
    if ( words.json && code == sup_exitOk )
    {
        json_dumpf( report, stdout, JSON_INDENT( 2 ) | JSON_REAL_PRECISION( 6 ) );
        printf( "\n" );
    }
    json_decref( report );
    return code;
}
