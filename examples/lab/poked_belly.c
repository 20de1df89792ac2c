// Forces from outside: a finger presses into a belly of fat and lets go; the dent swings out and settles.
// SPDX-License-Identifier: MIT
//
//     example_poked_belly [FOLDER [FILE.glb]]     figures on stdout; a strip in the folder; of the built-in torso
#include "paper/film_strip.h"
#include "supple/body.h"
#include "supple/creatures.h"
#include "supple/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    supCells = 6
};

/// Seconds of the cells; the finger is there from 0.05 to 0.35.
static const double sup_cellTimes[supCells] = { 0.0, 0.2, 0.35, 0.42, 0.48, 1.5 };
static const double supPressFrom = 0.05, supPressUntil = 0.35;

typedef struct supPoke
{
    const supCharacter* character;
    supModel* model;
    supBody* body;
    int32_t vertexCount, vertex;
    float *rest, *skins; ///< skins: one a cell
    float force;         ///< newtons
} supPoke;

static supResult supMakePoke( const supCharacter* character, supPoke* poke, supError* error )
{
    supRig* rig = NULL;
    supFatDef def = supDefaultFatDef();
    def.nodes = 1500.0f;
    def.mu = 1000.0f;
    def.dampingRatio = 0.1f;
    def.viscosity = 0.2f;
    def.touch = true;
    *poke = ( supPoke ){
        .character = character, .vertexCount = supCharacter_Info( character )->vertexCount, .force = 10.0f
    };
    poke->rest = (float*)malloc( sizeof( float ) * 3 * (size_t)poke->vertexCount * ( supCells + 1 ) );
    poke->skins = poke->rest + 3 * (size_t)poke->vertexCount;
    supResult result = poke->rest != NULL ? supCreateRig( NULL, &rig, error ) : sup_errorMemory;
    result = result == sup_success ? supRig_AddItem( rig, supFindLayer( "fat" ), &def, error ) : result;
    result = result == sup_success ? supCompileModel( character, rig, &poke->model, error ) : result;
    result = result == sup_success ? supCreateBody( poke->model, &poke->body, error ) : result;
    supDestroyRig( rig );
    return result;
}

/// The middle of the belly: the most forward vertex between 0.3 and 0.45 of the height from below, near the middle.
static void supFindBelly( supPoke* poke, float low, float high )
{
    float lowest = 1e30f, highest = -1e30f, most = -1e30f;
    for ( int32_t v = 0; v < poke->vertexCount; ++v )
    {
        lowest = fminf( lowest, poke->rest[3 * v + 1] );
        highest = fmaxf( highest, poke->rest[3 * v + 1] );
    }
    for ( int32_t v = 0; v < poke->vertexCount; ++v )
    {
        const float* p = poke->rest + 3 * (size_t)v;
        float share = ( p[1] - lowest ) / ( highest - lowest );
        if ( share > low && share < high && fabsf( p[0] ) < 0.04f * ( highest - lowest ) && p[2] > most )
        {
            most = p[2];
            poke->vertex = v;
        }
    }
}

/// 1.5 s at 120 steps a second; keeps the skins of the cells.
static supResult supRunPoke( supPoke* poke, supError* error )
{
    const supMat34* joints = supCharacter_Info( poke->character )->restJoints;
    supResult result = supBody_Step( poke->body, joints, supMat34_identity, 0.0f );
    double deepest = 0.0, out = 0.0, left = 0.0;
    for ( int i = 0, cell = 0; i <= 180 && result == sup_success; ++i )
    {
        double time = i / 120.0;
        if ( i > 0 && time > supPressFrom && time <= supPressUntil )
        {
            const float* p = poke->rest + 3 * (size_t)poke->vertex;
            double came = fmin( 1.0, ( time - supPressFrom ) / 0.1 );
            supVec3 place = { p[0], p[1], p[2] }, force = { 0.0f, 0.0f, -poke->force * (float)came };
            result = supBody_ForceAround( poke->body, place, 0.06f, force, error );
        }
        result = result == sup_success && i > 0 ? supBody_Step( poke->body, joints, supMat34_identity, 1.0f / 120.0f )
                                                : result;
        float* skin = poke->skins + 3 * (size_t)( cell < supCells ? cell : supCells - 1 ) * (size_t)poke->vertexCount;
        supBody_Skin( poke->body, skin, NULL );
        left = 1e3 * ( (double)skin[3 * poke->vertex + 2] - poke->rest[3 * poke->vertex + 2] );
        deepest = fmin( deepest, left );
        out = fmax( out, left );
        cell += cell < supCells && time >= sup_cellTimes[cell] - 1e-9;
    }
    printf(
        "%.0f N over 6 cm press the belly in by %.1f mm; it swings out by %.1f mm, and is %.2f mm off after 1.5 s\n",
        (double)poke->force, -deepest, out, fabs( left ) );
    return result;
}

#ifdef SUP_HAS_SUPPLE_PICTURE
static supResult supDrawPoke( const supPoke* poke, const char* folder, supError* error )
{
    supFilmStrip strip;
    supResult result = supBeginFilmStrip( &strip, poke->character, NULL, supCells, 1, 260, 300, -50.0f, 27.0f, error );
    // the belly alone: what lies around the finger
    const float* p = poke->rest + 3 * (size_t)poke->vertex;
    for ( int i = 0; i < 8 && result == sup_success; ++i )
    {
        float corner[3] = { p[0] + ( i & 1 ? 0.13f : -0.13f ), p[1] + ( i & 2 ? 0.15f : -0.15f ),
            p[2] - ( i & 4 ? 0.2f : 0.0f ) };
        supFraming_Add( &strip.framing, corner, 1, ( supVec3 ){ 0.0f, 0.0f, 0.0f } );
    }
    for ( int c = 0; c < supCells && result == sup_success; ++c )
    {
        char words[40];
        double time = sup_cellTimes[c];
        snprintf(
            words, sizeof( words ), "%.2f s%s", time, time > supPressFrom && time <= supPressUntil ? ", pressed" : "" );
        const float* skin = poke->skins + 3 * (size_t)c * (size_t)poke->vertexCount;
        result = supFilmStrip_Draw( &strip, c, 0, skin, ( supVec3 ){ 0.0f, 0.0f, 0.0f }, NULL, words, error );
    }
    result = result == sup_success ? supFilmStrip_Write( &strip, folder, "poked_belly", error ) : result;
    supEndFilmStrip( &strip );
    return result;
}
#endif

int main( int argc, char** argv )
{
    supCreature* creature = NULL;
    supCharacter* loaded = NULL;
    supPoke poke = { 0 };
    supError error = { sup_success, "" };
    supResult result =
        argc > 2 ? supLoadGltf( argv[2], &loaded, &error ) : supCreateCreature( "torso", NULL, &creature, &error );
    const supCharacter* character = loaded != NULL     ? loaded
                                    : creature != NULL ? supCreature_Character( creature )
                                                       : NULL;
    result = result == sup_success ? supMakePoke( character, &poke, &error ) : result;
    if ( result == sup_success )
    {
        memcpy(
            poke.rest, supCharacter_Info( character )->restPositions, sizeof( float ) * 3 * (size_t)poke.vertexCount );
        supFindBelly( &poke, loaded != NULL ? 0.55f : 0.25f, loaded != NULL ? 0.68f : 0.4f );
        result = supRunPoke( &poke, &error );
    }
#ifdef SUP_HAS_SUPPLE_PICTURE
    result = result == sup_success && argc > 1 ? supDrawPoke( &poke, argv[1], &error ) : result;
#endif
    if ( result != sup_success )
    {
        fprintf( stderr, "%s\n", error.text );
    }
    free( poke.rest );
    supDestroyBody( poke.body );
    supDestroyModel( poke.model );
    supDestroyCharacter( loaded );
    supDestroyCreature( creature );
    return result == sup_success ? 0 : 1;
}
