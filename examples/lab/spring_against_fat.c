// One spring a breast (the first paper) against a solid of fat (the third), on one body through the same motions.
// SPDX-License-Identifier: MIT
//
//     example_spring_against_fat [FOLDER]   Markdown on stdout, plots and strips in the folder; without one: small, and
//                                           no pictures
//
// The spring gets what a spring can be given: the frequency and the damping at which the solid's tip rings after a stop
// upwards, as far as that goes, and the sag that gravity gives it. Whatever is different then is what one spring cannot
// do.
#include "paper/fat_stage.h"
#include "paper/film_strip.h"
#include "supple/lab/items.h"
#ifdef SUP_HAS_SUPPLE_PICTURE
#    include "supple/lab/plot.h"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    supRate = 240, ///< steps a second
    supMost = 3 * supRate,
    supMotions = 4,
    supCells = 6,
    supWays = 3, ///< x, y, z
};

static const double supPi = 3.14159265358979323846;
static const float supSpringBalls = 1.5f; ///< times the fat's
static const char* const sup_modelNames[2] = { "fat", "spring" };

// ---------------------------------------------------------------------------------------------------------------
// Motions

/// From 0 to 1, smoothly, in the time between.
static double supEase( double t, double from, double until )
{
    double x = fmin( fmax( ( t - from ) / ( until - from ), 0.0 ), 1.0 );
    return x * x * x * ( 10.0 - 15.0 * x + 6.0 * x * x );
}

/// Turned onto its back and left there.
static supMat34 supLieDown( double t )
{
    return supTurnAbout( ( supVec3 ){ 1.0f, 0.0f, 0.0f }, -0.5 * supPi * supEase( t, 0.2, 0.8 ) );
}

/// Two hops of 6 cm a second.
static supMat34 supHop( double t )
{
    supMat34 world = supMat34_identity;
    double hop = 2.0 * t - floor( 2.0 * t );
    world.t.y = (float)( 0.24 * hop * ( 1.0 - hop ) );
    return world;
}

static const double supShakeHertz = 2.0;

/// From side to side by 3 cm.
static supMat34 supShake( double t )
{
    supMat34 world = supMat34_identity;
    world.t.x = (float)( 0.03 * supEase( t, 0.0, 0.5 ) * sin( 2.0 * supPi * supShakeHertz * t ) );
    return world;
}

/// One metre a second, halted within 0.1 s.
static double supHaltedWay( double t )
{
    double slow = fmin( fmax( t - 0.5, 0.0 ), 0.1 );
    return fmin( t, 0.6 ) - 0.5 * slow * slow / 0.1;
}

static supMat34 supHalt( double t )
{
    supMat34 world = supMat34_identity;
    world.t.z = (float)supHaltedWay( t );
    return world;
}

typedef struct supMotion
{
    const char *name, *words;
    supMat34 ( *at )( double t );
    int way;                ///< along which it is looked at
    double cells[supCells]; ///< moments of its strip, from `from` on: where it is far out
    double seconds, from;   ///< what counts begins at `from`
} supMotion;

static const supMotion sup_motions[supMotions] = {
    { "lie", "lies down", supLieDown, 2, { 0.2, 0.36, 0.53, 0.7, 0.87, 1.8 }, 2.0, 0.0 },
    { "hop", "hops", supHop, 1, { 0.05, 0.1, 0.155, 0.27, 0.37, 0.49 }, 3.0, 2.0 },
    { "shake", "is shaken sideways", supShake, 0, { 0.03, 0.145, 0.22, 0.29, 0.395, 0.47 }, 3.0, 2.0 },
    { "halt", "halts", supHalt, 2, { 0.1, 0.15, 0.2, 0.25, 0.315, 0.42 }, 1.6, 0.4 },
};

// ---------------------------------------------------------------------------------------------------------------
// Both models

/// How a tip rings after a stop.
typedef struct supTone
{
    double frequency, ratio; ///< Hz, and the damping ratio
    double amplitude;        ///< of its first swing. Metres
} supTone;

typedef struct supDuel
{
    const supCharacter* torso;
    supFatStage stages[2];        ///< fat, spring
    int32_t tip;                  ///< of the left breast
    int32_t breastCount, *breast; ///< vertices of both breasts
    supTone wanted;               ///< of the fat, up and down
    float sag, amount;            ///< that the spring was given
} supDuel;

/// Rings after a stop from half a metre a second along an axis.
static supTone supRing( supFatStage* stage, int32_t tip, int way )
{
    supTone tone = { 0 };
    double crossings[64], peaks[64], last = 0.0, peak = 0.0;
    int crossed = 0;
    supFatStage_Settle( stage, supMat34_identity );
    for ( int i = 1; i < 3 * supRate && crossed < 7; ++i )
    {
        double t = (double)i / supRate;
        supMat34 world = supMat34_identity;
        ( &world.t.x )[way] = (float)( 0.5 * supHaltedWay( t ) );
        supFatStage_Step( stage, world, 1.0f / supRate );
        supFatStage_Skin( stage );
        supVec3 shift = supFatStage_Shift( stage, tip );
        double now = ( &shift.x )[way];
        if ( t > 0.62 && now * last < 0.0 )
        {
            peaks[crossed] = peak;
            crossings[crossed++] = t - now / ( now - last ) / supRate;
            peak = 0.0;
        }
        peak = fmax( peak, fabs( now ) );
        last = now;
    }
    int count = crossed < 5 ? crossed : 5;
    tone.frequency = count > 1 ? 0.5 * ( count - 1 ) / ( crossings[count - 1] - crossings[0] ) : 0.0;
    double decrement = count > 2 ? log( peaks[1] / peaks[count - 1] ) / ( count - 2 ) : 0.0;
    tone.ratio = decrement / sqrt( supPi * supPi + decrement * decrement );
    tone.amplitude = count > 1 ? peaks[1] : 0.0;
    return tone;
}

/// Springs of the first paper, one a breast.
static supResult supOpenSprings( supDuel* duel, const supFatDef* fat, supError* error )
{
    supRig* rig = NULL;
    supResult result = supCreateRig( NULL, &rig, error );
    // The breasts lie in the middle between spine and neck, where a spring moves its flesh most. An element's balls
    // fall off from their middle on, and are wider for that: the breast moves as one.
    const supMat34* rest = supCharacter_Info( duel->torso )->restJoints;
    supVec3 chest = rest[supCharacter_FindJoint( duel->torso, "chest" )].t,
            spine = rest[supCharacter_FindJoint( duel->torso, "spine" )].t;
    float size = supCharacter_Info( duel->torso )->size;
    const char* ends[1] = { "neck" };
    for ( int side = 0; side < 2 && result == sup_success; ++side )
    {
        supElementDef def = supDefaultElementDef();
        def.name = side == 0 ? "left" : "right";
        supSphere ball = fat->spheres.spheres[side];
        ball.center.x += ( chest.x - spine.x ) / size;
        ball.center.y += ( chest.y - spine.y ) / size;
        ball.center.z += ( chest.z - spine.z ) / size;
        ball.radius *= supSpringBalls;
        def.driver = "spine";
        def.ends = ( supNameList ){ 1, ends };
        def.spheres = ( supSphereList ){ 1, &ball };
        // a damped spring rings slower than its frequency
        def.frequency = (float)( duel->wanted.frequency / sqrt( 1.0 - duel->wanted.ratio * duel->wanted.ratio ) );
        def.dampingRatio = (float)duel->wanted.ratio;
        def.sag = duel->sag;
        def.amount = duel->amount;
        result = supRig_AddElement( rig, &def, error );
    }
    result = result == sup_success ? supOpenFatStage( duel->stages + 1, duel->torso, rig, error ) : result;
    supDestroyRig( rig );
    return result;
}

/// How far the tip is pulled by lying down.
static double supTipSag( supFatStage* stage, int32_t tip )
{
    supFatStage_Settle( stage, supLieDown( 1.0 ) );
    supFatStage_Skin( stage );
    supVec3 shift = supFatStage_Shift( stage, tip );
    return sqrt( (double)shift.x * shift.x + (double)shift.y * shift.y + (double)shift.z * shift.z );
}

/// The foremost vertex on the left, and all within the balls' inner two thirds.
static bool supFindBreasts( supDuel* duel, const supFatDef* fat )
{
    const float* rest = supCharacter_Info( duel->torso )->restPositions;
    int32_t chest = supCharacter_FindJoint( duel->torso, "chest" );
    supVec3 at = supCharacter_Info( duel->torso )->restJoints[chest].t;
    float size = supCharacter_Info( duel->torso )->size, front = -1.0f;
    duel->breast = (int32_t*)malloc( sizeof( int32_t ) * (size_t)supCharacter_Info( duel->torso )->vertexCount );
    for ( int32_t v = 0; v < supCharacter_Info( duel->torso )->vertexCount && duel->breast != NULL; ++v )
    {
        const float* p = rest + 3 * (size_t)v;
        bool in = false;
        for ( int side = 0; side < 2; ++side )
        {
            const supSphere* ball = fat->spheres.spheres + side;
            float x = p[0] - at.x - size * ball->center.x, y = p[1] - at.y - size * ball->center.y,
                  z = p[2] - at.z - size * ball->center.z;
            in = in || sqrtf( x * x + y * y + z * z ) < 0.667f * size * ball->radius;
        }
        if ( in )
        {
            duel->breast[duel->breastCount++] = v;
            duel->tip = p[0] > 0.0f && p[2] > front ? v : duel->tip;
            front = p[0] > 0.0f ? fmaxf( front, p[2] ) : front;
        }
    }
    return duel->breast != NULL;
}

static supResult supOpenDuel( supDuel* duel, const supCharacter* torso, bool whole, supError* error )
{
    supSphere balls[2];
    supFatDef def = supTorsoBreasts( balls );
    def.gravity = sup_gravityRelative;
    def.frequency = 4.0f;
    def.nodes = whole ? def.nodes : 200.0f;
    def.modes = whole ? def.modes : 12.0f;
    *duel = ( supDuel ){ .torso = torso, .sag = 0.1f, .amount = 1.0f };
    supResult result = supOpenFatOf( duel->stages, torso, &def, error );
    result = result == sup_success && !supFindBreasts( duel, &def ) ? sup_errorMemory : result;
    if ( result == sup_success )
    {
        duel->wanted = supRing( duel->stages, duel->tip, 1 );
        result = supOpenSprings( duel, &def, error );
    }
    if ( result == sup_success )
    {
        // both are in proportion
        duel->amount = (float)( duel->wanted.amplitude / supRing( duel->stages + 1, duel->tip, 1 ).amplitude );
        duel->sag *= (float)( supTipSag( duel->stages, duel->tip ) / supTipSag( duel->stages + 1, duel->tip ) );
        supCloseFatStage( duel->stages + 1 );
        duel->stages[1] = ( supFatStage ){ 0 };
        result = supOpenSprings( duel, &def, error );
    }
    return result;
}

static void supCloseDuel( supDuel* duel )
{
    supCloseFatStage( duel->stages );
    supCloseFatStage( duel->stages + 1 );
    free( duel->breast );
}

// ---------------------------------------------------------------------------------------------------------------
// A motion

typedef struct supRun
{
    double times[supMost], tip[supMost]; ///< along the motion's way. mm
    int count;
    double tipMost, meanMost; ///< how far from smooth skin at most: the tip, and the breasts' mean. mm
    double gained;            ///< largest change of volume. ml
    double lag;               ///< of the tip behind the body, where it swings evenly. Degrees
    float* skins;             ///< of the cells
} supRun;

/// Steps through a motion. `times`: of the cells.
static void supRunMotion(
    const supDuel* duel, supFatStage* stage, const supMotion* motion, const double* times, supRun* run )
{
    double waves[2][2] = { { 0 } }; // of the body's way and of the tip's shift: sine and cosine
    int32_t steps = (int32_t)( motion->seconds * supRate + 0.5 ), cell = 0;
    size_t size = 3 * (size_t)stage->vertexCount;
    *run = ( supRun ){ .skins = run->skins };
    supFatStage_Settle( stage, motion->at( 0.0 ) );
    for ( int32_t i = 1; i <= steps && run->count < supMost; ++i )
    {
        double t = (double)i / supRate, mean = 0.0;
        supFatStage_Step( stage, motion->at( t ), 1.0f / supRate );
        supFatStage_Skin( stage );
        for ( ; cell < supCells && run->skins != NULL && t >= times[cell] - 1e-9; ++cell )
        {
            memcpy( run->skins + size * (size_t)cell, stage->living, sizeof( float ) * size );
        }
        if ( t < motion->from )
        {
            continue;
        }
        for ( int32_t k = 0; k < duel->breastCount; ++k )
        {
            supVec3 off = supFatStage_Shift( stage, duel->breast[k] );
            mean += sqrt( (double)off.x * off.x + (double)off.y * off.y + (double)off.z * off.z );
        }
        supVec3 shift = supFatStage_Shift( stage, duel->tip );
        double along = 1e3 * ( &shift.x )[motion->way], phase = 2.0 * supPi * supShakeHertz * t;
        double length = sqrt( (double)shift.x * shift.x + (double)shift.y * shift.y + (double)shift.z * shift.z );
        double gained = 1e6 * supFatStage_Gained( stage );
        run->times[run->count] = t - motion->from;
        run->tip[run->count++] = along;
        run->tipMost = fmax( run->tipMost, 1e3 * length );
        run->meanMost = fmax( run->meanMost, 1e3 * mean / duel->breastCount );
        run->gained = fabs( gained ) > fabs( run->gained ) ? gained : run->gained;
        supMat34 world = motion->at( t );
        const double values[2] = { ( &world.t.x )[motion->way], along };
        for ( int k = 0; k < 4; ++k )
        {
            waves[k / 2][k % 2] += values[k / 2] * ( k % 2 == 0 ? sin( phase ) : cos( phase ) );
        }
    }
    // both hops and shakes repeat at this frequency; slow flesh is pulled to where the body is from its middle
    run->lag = 180.0 / supPi * ( atan2( waves[0][1], waves[0][0] ) - atan2( waves[1][1], waves[1][0] ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

#ifdef SUP_HAS_SUPPLE_PICTURE
static supResult supPlotRuns( const supMotion* motion, const supRun runs[2], const char* folder, supError* error )
{
    char path[400], title[80];
    static const char* const ways[supWays] = { "sideways", "up", "forward" };
    snprintf( path, sizeof( path ), "%s/spring_%s.svg", folder, motion->name );
    snprintf( title, sizeof( title ), "The tip of a breast: the body %s", motion->words );
    supSeries series[2] = { { .name = "fat", .x = runs[0].times, .y = runs[0].tip, .count = runs[0].count },
        { .name = "one spring", .x = runs[1].times, .y = runs[1].tip, .count = runs[1].count, .dashed = true } };
    char label[60];
    snprintf( label, sizeof( label ), "%s, off the smooth skin (mm)", ways[motion->way] );
    supPlotDef plot = supDefaultPlotDef();
    plot.title = title;
    plot.xLabel = "time (s)";
    plot.yLabel = label;
    plot.series = series;
    plot.seriesCount = 2;
    plot.height = 300;
    return supWritePlot( &plot, path, error );
}

/// Fat above, the spring below. Shown as the body stands: what it does in the world is the same for both.
static supResult supDrawRuns( const supDuel* duel, const supMotion* motion, const supRun runs[2], const double* times,
    const char* folder, supError* error )
{
    supFilmStrip strip;
    char name[40], words[40];
    size_t size = 3 * (size_t)supCharacter_Info( duel->torso )->vertexCount;
    float yaw = motion->way == 0 ? 15.0f : 62.0f;
    supResult result = supBeginFilmStrip( &strip, duel->torso, NULL, supCells, 2, 220, 220, yaw, 6.0f, error );
    const float* tip = supCharacter_Info( duel->torso )->restPositions + 3 * (size_t)duel->tip;
    for ( int i = 0; i < 8 && result == sup_success; ++i )
    {
        float corner[3] = { i & 1 ? 0.13f : -0.13f, tip[1] + ( i & 2 ? 0.13f : -0.13f ),
            tip[2] - ( i & 4 ? 0.2f : -0.02f ) };
        if ( i == 0 )
        {
            strip.view.ground = false;
            strip.framing = supBeginFraming( &strip.view );
        }
        supFraming_Add( &strip.framing, corner, 1, ( supVec3 ){ 0.0f, 0.0f, 0.0f } );
    }
    for ( int i = 0; i < 2 * supCells && result == sup_success; ++i )
    {
        int row = i / supCells, cell = i % supCells;
        snprintf( words, sizeof( words ), "%s, %.2f s", sup_modelNames[row], times[cell] - motion->from );
        result = supFilmStrip_Draw( &strip, cell, row, runs[row].skins + size * (size_t)cell,
            ( supVec3 ){ 0.0f, 0.0f, 0.0f }, NULL, words, error );
    }
    snprintf( name, sizeof( name ), "spring_%s", motion->name );
    result = result == sup_success ? supFilmStrip_Write( &strip, folder, name, error ) : result;
    supEndFilmStrip( &strip );
    return result;
}
#endif

// ---------------------------------------------------------------------------------------------------------------
// Tables

static void supTellRings( supDuel* duel )
{
    printf( "The spring was given: rings at %.2f Hz, damping ratio %.2f, sag %.2f, amount %.2f.\n\n"
            "| after a stop: frequency, damping ratio, first swing of the tip | fat | one spring |\n|---|---|---|\n",
        duel->wanted.frequency, duel->wanted.ratio, (double)duel->sag, (double)duel->amount );
    static const char* const words[supWays] = { "sideways", "up and down", "forward and back" };
    for ( int way = 0; way < supWays; ++way )
    {
        supTone fat = supRing( duel->stages, duel->tip, way ), spring = supRing( duel->stages + 1, duel->tip, way );
        printf( "| %s | %.2f Hz, %.2f, %.1f mm | %.2f Hz, %.2f, %.1f mm |\n", words[way], fat.frequency, fat.ratio,
            1e3 * fat.amplitude, spring.frequency, spring.ratio, 1e3 * spring.amplitude );
    }
    printf( "\n| the body | | fat | one spring |\n|---|---|---|---|\n" );
}

static void supTellRuns( const supMotion* motion, const supRun runs[2] )
{
    printf( "| %s | tip, at most | %.1f mm | %.1f mm |\n", motion->words, runs[0].tipMost, runs[1].tipMost );
    printf( "| | mean of the breasts, at most | %.1f mm | %.1f mm |\n", runs[0].meanMost, runs[1].meanMost );
    printf( "| | volume, at worst | %+.1f ml | %+.1f ml |\n", runs[0].gained, runs[1].gained );
    if ( motion->at == supHop || motion->at == supShake )
    {
        printf( "| | tip behind the body | %.0f degrees | %.0f degrees |\n", runs[0].lag, runs[1].lag );
    }
}

static void supTellCosts( supDuel* duel )
{
    double steps[2], frames[2];
    for ( int i = 0; i < 2; ++i )
    {
        steps[i] = supFatStage_BestSecond( duel->stages + i, false, 40 ) / 60.0;
        frames[i] = supFatStage_BestSecond( duel->stages + i, true, 40 ) / 60.0;
    }
    printf(
        "\n| cost | fat | one spring |\n|---|---|---|\n| a step | %.1f us | %.1f us |\n| a step and the skin | %.1f us "
        "| %.1f us |\n| to set up | %.0f ms | %.1f ms |\n",
        1e6 * steps[0], 1e6 * steps[1], 1e6 * frames[0], 1e6 * frames[1], 1e3 * duel->stages[0].seconds,
        1e3 * duel->stages[1].seconds );
}

static supResult supRunDuel( supDuel* duel, const char* folder, supError* error )
{
    supResult result = sup_success;
    size_t room = sizeof( float ) * 3 * (size_t)supCharacter_Info( duel->torso )->vertexCount * supCells;
    supRun* runs = (supRun*)calloc( 2, sizeof( supRun ) );
    for ( int i = 0; i < 2 && runs != NULL; ++i )
    {
        runs[i].skins = folder != NULL ? (float*)calloc( 1, room ) : NULL;
    }
    supTellRings( duel );
    for ( int m = 0; m < supMotions && runs != NULL && result == sup_success; ++m )
    {
        const supMotion* motion = sup_motions + m;
        double times[supCells];
        for ( int cell = 0; cell < supCells; ++cell )
        {
            times[cell] = motion->from + motion->cells[cell];
        }
        for ( int i = 0; i < 2; ++i )
        {
            supRunMotion( duel, duel->stages + i, motion, times, runs + i );
        }
        supTellRuns( motion, runs );
#ifdef SUP_HAS_SUPPLE_PICTURE
        if ( folder != NULL && runs[0].skins != NULL && runs[1].skins != NULL )
        {
            result = supPlotRuns( motion, runs, folder, error );
            result = result == sup_success ? supDrawRuns( duel, motion, runs, times, folder, error ) : result;
        }
#endif
    }
    supTellCosts( duel );
    for ( int i = 0; i < 2 && runs != NULL; ++i )
    {
        free( runs[i].skins );
    }
    free( runs );
    return runs == NULL ? sup_errorMemory : result;
}

int main( int argc, char** argv )
{
    supCreature* creature = NULL;
    supDuel duel = { 0 };
    supError error = { sup_success, "" };
    supResult result = supCreateCreature( "torso", NULL, &creature, &error );
    const supCharacter* torso = creature != NULL ? supCreature_Character( creature ) : NULL;
    result = result == sup_success ? supOpenDuel( &duel, torso, argc > 1, &error ) : result;
    result = result == sup_success ? supRunDuel( &duel, argc > 1 ? argv[1] : NULL, &error ) : result;
    supCloseDuel( &duel );
    supDestroyCreature( creature );
    if ( result != sup_success )
    {
        fprintf( stderr, "%s\n", error.text );
    }
    return result == sup_success ? 0 : 1;
}
