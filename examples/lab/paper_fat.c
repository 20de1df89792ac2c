// The third paper's fat (Aubel, Thalmann, "Realistic deformation of human body shapes", 2000): a breast under gravity,
// what it costs by both solvers, and how it looks before, on the way and at rest (the paper's figure 5). What more
// nodes cost, and muscles besides, `supple bench` measures.
// SPDX-License-Identifier: MIT
//
//     example_paper_fat [FOLDER]      a table on stdout, strips in the folder; without one: a small solid, live
#include "paper/fat_stage.h"
#include "paper/film_strip.h"
#include "supple/lab/compiled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static supFatDef supPaperFat( supSphere balls[2], bool whole )
{
    supFatDef def = supTorsoBreasts( balls );
    def.nodes = whole ? def.nodes : 200.0f;
    def.mu = 1000.0f;
    return def;
}

static supResult supRunBreast( const supCharacter* torso, bool whole, supError* error )
{
    supResult result = sup_success;
    printf(
        "| solver | nodes | held | voxels | compiled in | one second of animation | with the skin | faster than real "
        "time | sag after it | volume |\n|---|---|---|---|---|---|---|---|---|---|\n" );
    for ( int i = 0; i < ( whole ? 2 : 1 ) && result == sup_success; ++i )
    {
        supSphere balls[2];
        supFatStage stage;
        supFatView view;
        supFatDef def = supPaperFat( balls, whole );
        def.solver = i == 0 ? sup_fatLive : sup_fatReference;
        def.dampingRatio = 0.6f;
        def.viscosity = 0.0f; // as the explicit solver likes it: viscosity makes its steps ten times shorter
        result = supOpenFatOf( &stage, torso, &def, error );
        if ( result == sup_success && supModel_Fat( stage.model, 0, &view ) )
        {
            int32_t vertex = 0;
            double steps = supFatStage_BestSecond( &stage, false, i == 0 ? 40 : 2 );
            double skinned = supFatStage_BestSecond( &stage, true, i == 0 ? 40 : 1 );
            supFatStage_Skin( &stage );
            printf( "| %s | %d | %d | %d | %.2f s | %.2f ms | %.2f ms | %.0fx | %.3f mm | %+.2f ml |\n",
                i == 0 ? "live, 48 vibrations" : "reference, explicit", view.nodeCount, view.anchoredCount,
                view.voxelCount, stage.seconds, 1e3 * steps, 1e3 * skinned, 1.0 / skinned,
                1e3 * supFatStage_Largest( &stage, &vertex ), 1e6 * supFatStage_Gained( &stage ) );
        }
        supCloseFatStage( &stage );
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Strips

#ifdef SUP_HAS_SUPPLE_PICTURE
enum
{
    supRows = 4,
    supColumns = 6
};

/// The skin as it stands in the world, that turned towards the camera.
static void supTurnSkin( const float* skin, int32_t count, supMat34 world, double yaw, float* out )
{
    float c = (float)cos( yaw ), s = (float)sin( yaw );
    for ( int32_t v = 0; v < count; ++v )
    {
        const float* p = skin + 3 * (size_t)v;
        const float* axes[3] = { &world.x.x, &world.y.x, &world.z.x };
        for ( int d = 0; d < 3; ++d )
        {
            out[3 * v + d] = axes[0][d] * p[0] + axes[1][d] * ( p[1] - 0.22f ) + axes[2][d] * ( p[2] - 0.04f );
        }
        float x = out[3 * v], z = out[3 * v + 2];
        out[3 * v] = c * x + s * z;
        out[3 * v + 2] = c * z - s * x;
    }
}

/// Upright, bent forward, on its side and on its back: gravity is switched on, and it swings to rest. `skins`: one a
/// cell.
static void supRunPostures( supFatStage* stage, const double* times, float* skins )
{
    const supMat34 worlds[supRows] = { supMat34_identity, supTurnAbout( ( supVec3 ){ 1.0f, 0.0f, 0.0f }, 1.4 ),
        supTurnAbout( ( supVec3 ){ 0.0f, 0.0f, 1.0f }, 1.5708 ),
        supTurnAbout( ( supVec3 ){ 1.0f, 0.0f, 0.0f }, -1.5708 ) };
    static const double yaws[supRows] = { 0.0, -0.6, 0.5, -0.6 };
    size_t size = 3 * (size_t)stage->vertexCount;
    for ( int row = 0; row < supRows; ++row )
    {
        supFatStage_Release( stage, worlds[row] );
        for ( int i = 0, cell = 0; cell < supColumns; ++i )
        {
            if ( i / 120.0 >= times[cell] - 1e-9 )
            {
                int32_t vertex = 0;
                supFatStage_Skin( stage );
                printf( "%s%.1f mm", cell == 0 ? "\nshift of the skin in a row: " : ", ",
                    1e3 * supFatStage_Largest( stage, &vertex ) );
                supTurnSkin( stage->living, stage->vertexCount, worlds[row], yaws[row],
                    skins + size * (size_t)( row * supColumns + cell++ ) );
            }
            supFatStage_Step( stage, worlds[row], 1.0f / 120.0f );
        }
    }
    printf( "\n" );
}

static supResult supDrawPostures( const supCharacter* torso, const char* folder, supError* error )
{
    static const double times[supColumns] = { 0.0, 0.07, 0.13, 0.2, 0.3, 2.0 };
    static const char* const names[supRows] = { "upright", "bent", "side", "back" };
    supSphere balls[2];
    supFatStage stage;
    supFilmStrip strip = { 0 };
    supFatDef def = supPaperFat( balls, true );
    supResult result = supOpenFatOf( &stage, torso, &def, error );
    size_t size = 3 * (size_t)supCharacter_Info( torso )->vertexCount;
    float* skins = (float*)malloc( sizeof( float ) * size * supRows * supColumns );
    result = result == sup_success && skins == NULL ? sup_errorMemory : result;
    result = result == sup_success
                 ? supBeginFilmStrip( &strip, torso, NULL, supColumns, supRows, 220, 220, 50.0f, 6.0f, error )
                 : result;
    if ( result == sup_success )
    {
        supRunPostures( &stage, times, skins );
        // the breasts are in the middle whichever way it lies
        strip.view.ground = false;
        strip.framing = supBeginFraming( &strip.view );
        for ( int i = 0; i < 8; ++i )
        {
            float corner[3] = { i & 1 ? 0.125f : -0.125f, i & 2 ? 0.125f : -0.125f, i & 4 ? 0.125f : -0.125f };
            supFraming_Add( &strip.framing, corner, 1, ( supVec3 ){ 0.0f, 0.0f, 0.0f } );
        }
    }
    for ( int i = 0; i < supRows * supColumns && result == sup_success; ++i )
    {
        char words[40];
        snprintf( words, sizeof( words ), "%s, %.2f s", names[i / supColumns], times[i % supColumns] );
        result = supFilmStrip_Draw( &strip, i % supColumns, i / supColumns, skins + size * (size_t)i,
            ( supVec3 ){ 0.0f, 0.0f, 0.0f }, NULL, words, error );
    }
    result = result == sup_success ? supFilmStrip_Write( &strip, folder, "breasts_gravity", error ) : result;
    supEndFilmStrip( &strip );
    supCloseFatStage( &stage );
    free( skins );
    return result;
}
#endif

// ---------------------------------------------------------------------------------------------------------------

int main( int argc, char** argv )
{
    setvbuf( stdout, NULL, _IOLBF, 0 );
    supCreature* creature = NULL;
    supError error = { sup_success, "" };
    supResult result = supCreateCreature( "torso", NULL, &creature, &error );
    const supCharacter* torso = creature != NULL ? supCreature_Character( creature ) : NULL;
    bool whole = argc > 1;
    result = result == sup_success ? supRunBreast( torso, whole, &error ) : result;
#ifdef SUP_HAS_SUPPLE_PICTURE
    result = result == sup_success && whole ? supDrawPostures( torso, argv[1], &error ) : result;
#else
    (void)argv;
#endif
    supDestroyCreature( creature );
    if ( result != sup_success )
    {
        fprintf( stderr, "%s\n", error.text );
    }
    return result == sup_success ? 0 : 1;
}
