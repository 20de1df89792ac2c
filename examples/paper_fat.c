// The third paper's fat (Aubel, Thalmann, "Realistic deformation of human body shapes", 2000): a breast under gravity,
// what it costs by both solvers, and one spring of the first paper on the same body and motion. What more nodes cost,
// and muscles besides, `supple bench` measures.
// SPDX-License-Identifier: MIT
//
//     example_paper_fat [FOLDER]      a table on stdout, a plot in the folder; without one: a small solid, live
#include "supple/body.h"
#include "supple/creatures.h"
#ifdef SUP_HAS_SUPPLE_PICTURE
#    include "supple/plot.h"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double supNow( void )
{
    struct timespec t;
    clock_gettime( CLOCK_MONOTONIC, &t );
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int32_t supLayerNamed( const char* key )
{
    int32_t found = 0;
    for ( int32_t i = 0; i < supLayerCount(); ++i )
    {
        found = strcmp( supGetLayerInfo( i )->key, key ) == 0 ? i : found;
    }
    return found;
}

/// One model on stage.
typedef struct supFatStage
{
    const supCharacter* character;
    supModel* model;
    supBody* body;
    supPose* pose;
    float* positions;
    double seconds; ///< to compile it
} supFatStage;

static supResult supOpenStage( supFatStage* stage, const supCharacter* character, const supRig* rig, supError* error )
{
    *stage = ( supFatStage ){ .character = character };
    double start = supNow();
    supResult result = supCompileModel( character, rig, &stage->model, error );
    stage->seconds = supNow() - start;
    result = result == sup_success ? supCreateBody( stage->model, &stage->body, error ) : result;
    result = result == sup_success ? supCreatePose( character, NULL, &stage->pose, error ) : result;
    stage->positions = malloc( 3 * sizeof( float ) * (size_t)supCharacter_VertexCount( character ) );
    return result == sup_success && stage->positions == NULL ? sup_errorMemory : result;
}

static void supCloseStage( supFatStage* stage )
{
    supDestroyPose( stage->pose );
    supDestroyBody( stage->body );
    supDestroyModel( stage->model );
    free( stage->positions );
}

static supResult supOpenFat( supFatStage* stage, const supCharacter* character, const supFatDef* def, supError* error )
{
    supRig* rig = NULL;
    supResult result = supCreateRig( NULL, &rig, error );
    result = result == sup_success ? supRig_AddItem( rig, supLayerNamed( "fat" ), def, error ) : result;
    result = result == sup_success ? supOpenStage( stage, character, rig, error ) : result;
    supDestroyRig( rig );
    return result;
}

/// The largest displacement of the skin, and the vertex.
static double supLargest( const supFatStage* stage, int32_t* vertex )
{
    int32_t count = supCharacter_VertexCount( stage->character );
    float* smooth = malloc( 3 * sizeof( float ) * (size_t)count );
    double largest = 0.0;
    if ( smooth != NULL )
    {
        supBody_SmoothSkin( stage->body, smooth, NULL );
        supBody_Skin( stage->body, stage->positions, NULL );
        for ( int32_t v = 0; v < count; ++v )
        {
            double square = 0.0;
            for ( int d = 0; d < 3; ++d )
            {
                double off = (double)stage->positions[3 * v + d] - smooth[3 * v + d];
                square += off * off;
            }
            *vertex = square > largest * largest ? v : *vertex;
            largest = fmax( largest, sqrt( square ) );
        }
    }
    free( smooth );
    return largest;
}

// ---------------------------------------------------------------------------------------------------------------
// The paper's case

/// One second at 60 steps: from no gravity to gravity. Seconds that it took: stepping and (with `skins`) skinning.
static double supRunSecond( supFatStage* stage, bool skins )
{
    const supMat34* rest = supCharacter_RestJoints( stage->character );
    supBody_Reset( stage->body );
    supBody_SetGravity( stage->body, ( supVec3 ){ 0.0f, 0.0f, 0.0f } );
    supBody_Step( stage->body, rest, supMat34_identity, 0.0f );
    supBody_SetGravity( stage->body, ( supVec3 ){ 0.0f, -9.81f, 0.0f } );
    double start = supNow();
    for ( int i = 0; i < 60; ++i )
    {
        supBody_Step( stage->body, rest, supMat34_identity, 1.0f / 60.0f );
        if ( skins )
        {
            supBody_Skin( stage->body, stage->positions, NULL );
        }
    }
    return supNow() - start;
}

static double supBestSecond( supFatStage* stage, bool skins, int rounds )
{
    double best = 1e9;
    for ( int i = 0; i < rounds; ++i )
    {
        best = fmin( best, supRunSecond( stage, skins ) );
    }
    return best;
}

static supResult supRunBreast( const supCharacter* torso, bool whole, supError* error )
{
    supResult result = sup_success;
    printf(
        "| solver | nodes | held | voxels | compiled in | one second of animation | with the skin | faster than real "
        "time | sag after it |\n|---|---|---|---|---|---|---|---|---|\n" );
    for ( int i = 0; i < ( whole ? 2 : 1 ) && result == sup_success; ++i )
    {
        supSphere balls[2];
        supFatStage stage;
        supFatView view;
        supFatDef def = supTorsoBreasts( balls );
        def.nodes = whole ? def.nodes : 200.0f;
        def.solver = i == 0 ? sup_fatLive : sup_fatReference;
        def.mu = 1000.0f;
        def.dampingRatio = 0.6f;
        def.viscosity = 0.0f; // as the explicit solver likes it: viscosity makes its steps ten times shorter
        result = supOpenFat( &stage, torso, &def, error );
        if ( result == sup_success && supModel_Fat( stage.model, 0, &view ) )
        {
            int32_t vertex = 0;
            double steps = supBestSecond( &stage, false, i == 0 ? 40 : 2 );
            double skinned = supBestSecond( &stage, true, i == 0 ? 40 : 1 );
            printf( "| %s | %d | %d | %d | %.2f s | %.2f ms | %.2f ms | %.0fx | %.3f mm |\n",
                i == 0 ? "live, 48 vibrations" : "reference, explicit", view.nodeCount, view.anchoredCount,
                view.voxelCount, stage.seconds, 1e3 * steps, 1e3 * skinned, 1.0 / skinned,
                1e3 * supLargest( &stage, &vertex ) );
        }
        supCloseStage( &stage );
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// One spring against the solid

/// Height of a vertex over smooth skin along a clip, after a round to swing in.
static void supRecord( supFatStage* stage, int32_t clip, int32_t vertex, double* out, int32_t frames )
{
    int32_t count = supCharacter_VertexCount( stage->character );
    float* smooth = malloc( 3 * sizeof( float ) * (size_t)count );
    supClipView view = supCharacter_Clip( stage->character, clip );
    for ( int32_t i = -frames; i < frames && smooth != NULL; ++i )
    {
        double t = (double)( ( i + 2 * frames ) % frames ) / frames;
        supPose_Sample( stage->pose, clip, view.start + t * ( view.end - view.start ) );
        supBody_Step( stage->body, supPose_Joints( stage->pose ), supMat34_identity,
            (float)( ( view.end - view.start ) / frames ) );
        supBody_SmoothSkin( stage->body, smooth, NULL );
        supBody_Skin( stage->body, stage->positions, NULL );
        if ( i >= 0 )
        {
            out[i] = 1e3 * ( (double)stage->positions[3 * vertex + 1] - smooth[3 * vertex + 1] );
        }
    }
    free( smooth );
}

/// The same breasts on one spring each, by the first paper: same frequency, damping and sag.
static supResult supOpenSpring( supFatStage* stage, const supCharacter* torso, supError* error )
{
    supRig* rig = NULL;
    supResult result = supCreateRig( NULL, &rig, error );
    for ( int side = 0; side < 2 && result == sup_success; ++side )
    {
        supSphere ball = { { side == 0 ? 0.095f : -0.095f, -0.02f, 0.13f }, 0.16f };
        supElementDef def = supDefaultElementDef();
        def.name = side == 0 ? "left" : "right";
        def.driver = "chest";
        def.spheres = ( supSphereList ){ 1, &ball };
        def.frequency = 3.5f;
        def.dampingRatio = 0.2f;
        result = supRig_AddElement( rig, &def, error );
    }
    result = result == sup_success ? supOpenStage( stage, torso, rig, error ) : result;
    supDestroyRig( rig );
    return result;
}

static supResult supRunSpring( const supCharacter* torso, const char* folder, supError* error )
{
    enum
    {
        frames = 120
    };
    static double lines[2][frames], times[frames];
    supSphere balls[2];
    supFatStage fat = { 0 }, spring = { 0 };
    supFatDef def = supTorsoBreasts( balls );
    def.gravity = sup_gravityRelative;
    supResult result = supOpenFat( &fat, torso, &def, error );
    result = result == sup_success ? supOpenSpring( &spring, torso, error ) : result;
    int32_t clip = supCharacter_FindClip( torso, "hop" ), vertex = 0;
    if ( result == sup_success )
    {
        supRunSecond( &fat, false );
        supLargest( &fat, &vertex );
        supBody_SetGravity( fat.body, ( supVec3 ){ 0.0f, -9.81f, 0.0f } );
        supBody_Reset( fat.body );
        supRecord( &fat, clip, vertex, lines[0], frames );
        supRecord( &spring, clip, vertex, lines[1], frames );
        for ( int i = 0; i < frames; ++i )
        {
            times[i] = (double)i / frames;
        }
#ifdef SUP_HAS_SUPPLE_PICTURE
        char path[400];
        snprintf( path, sizeof( path ), "%s/spring_against_fat.svg", folder );
        supSeries series[] = { { .name = "fat, 904 nodes", .x = times, .y = lines[0], .count = frames },
            { .name = "one spring", .x = times, .y = lines[1], .count = frames, .dashed = true } };
        supPlotDef plot = supDefaultPlotDef();
        plot.title = "The vertex of a breast that moves most, over two hops";
        plot.xLabel = "time (s)";
        plot.yLabel = "height over the smooth skin (mm)";
        plot.series = series;
        plot.seriesCount = 2;
        result = supWritePlot( &plot, path, error );
#else
        (void)folder;
        (void)times;
#endif
        double seconds[2] = { supBestSecond( &fat, true, 20 ), supBestSecond( &spring, true, 20 ) };
        printf( "\none spring: %.1f us a frame with the skin; fat: %.1f us\n", 1e6 * seconds[1] / 60.0,
            1e6 * seconds[0] / 60.0 );
    }
    supCloseStage( &fat );
    supCloseStage( &spring );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------

int main( int argc, char** argv )
{
    setvbuf( stdout, NULL, _IOLBF, 0 );
    supCreature* creature = NULL;
    supError error = { 0 };
    supResult result = supCreateCreature( "torso", NULL, &creature, &error );
    const supCharacter* torso = creature != NULL ? supCreature_Character( creature ) : NULL;
    bool whole = argc > 1;
    result = result == sup_success ? supRunBreast( torso, whole, &error ) : result;
    result = result == sup_success && whole ? supRunSpring( torso, argv[1], &error ) : result;
    supDestroyCreature( creature );
    if ( result != sup_success )
    {
        fprintf( stderr, "%s\n", error.text );
    }
    return result == sup_success ? 0 : 1;
}
