// Strips and plots of the two mushrooms: figures 8 and 9.
// SPDX-License-Identifier: MIT
#include "mushroom_pictures.h"

#include "../paper/program.h"

#ifdef SUP_HAS_SUPPLE_PICTURE
#    include "../paper/film_strip.h"
#    include "supple/lab/plot.h"

#    include <math.h>
#    include <stdio.h>
#    include <stdlib.h>

enum
{
    supMoments = 6, // columns of a strip
};

/// Skins of one strip: the reference's row and ours, and where the bone alone would have carried them.
typedef struct supShots
{
    int32_t vertexCount;
    float *skins[2][supMoments], *smooth[supMoments];
    supVec3 offsets[supMoments];
} supShots;

static int supMakeShots( const supPair* pair, supShots* shots )
{
    shots->vertexCount = supCharacter_Info( pair->character )->vertexCount;
    size_t size = 3 * (size_t)shots->vertexCount;
    float* block = (float*)calloc( size * 3 * supMoments, sizeof( float ) );
    for ( size_t i = 0; i < supMoments && block != NULL; ++i )
    {
        shots->skins[0][i] = block + size * ( 3 * i );
        shots->skins[1][i] = block + size * ( 3 * i + 1 );
        shots->smooth[i] = block + size * ( 3 * i + 2 );
    }
    shots->skins[0][0] = block;
    return block == NULL;
}

static void supTakeReference( const supPair* pair, float* skin )
{
    for ( int32_t v = 0; v < pair->reference.vertexCount; ++v )
    {
        double p[3];
        supReference_Vertex( &pair->reference, v, p );
        for ( int c = 0; c < 3; ++c )
        {
            skin[3 * v + c] = (float)p[c];
        }
    }
}

/// Both through a motion, taken at even moments.
static void supShootMotion( supPair* pair, supMotion* motion, double from, double to, supShots* shots )
{
    const double none[3] = { 0.0, 0.0, 0.0 };
    int perFrame = (int)( 1.0 / supRate / pair->step + 0.5 ), shot = 0;
    supBoneMotion at;
    supMat34 joints[supMostJoints];
    motion( 0.0, &at );
    supReference_Reset( &pair->reference, &at );
    supBody_Reset( pair->body );
    supBody_SetGravity( pair->body, supVec3_zero );
    for ( int frame = 0; shot < supMoments; ++frame )
    {
        for ( int i = 1; i <= perFrame && frame > 0; ++i )
        {
            motion( ( frame - 1 + (double)i / perFrame ) / supRate, &at );
            supReference_Step( &pair->reference, &at, none, 1.0 / supRate / perFrame );
        }
        motion( (double)frame / supRate, &at );
        supMoveJoints( pair, &at, joints );
        supBody_Step( pair->body, joints, supMat34_identity, 1.0f / supRate );
        if ( frame == (int)( ( from + ( to - from ) * shot / ( supMoments - 1 ) ) * supRate + 0.5 ) )
        {
            supTakeReference( pair, shots->skins[0][shot] );
            supBody_Skin( pair->body, shots->skins[1][shot], NULL );
            supBody_SmoothSkin( pair->body, shots->smooth[shot], NULL );
            shots->offsets[shot] = ( supVec3 ){ -(float)at.shift[0], 0.0f, 0.0f };
            shot += 1;
        }
    }
}

/// Settled under three gravities, along the bone and sideways.
static void supShootGravities( supPair* pair, supShots* shots )
{
    for ( int shot = 0; shot < supMoments; ++shot )
    {
        int axis = shot < 3 ? 1 : 0;
        double gravity[3] = { 0.0, 0.0, 0.0 };
        gravity[axis] = -supGravities[shot % 3];
        supSettle( pair, gravity, axis );
        supTakeReference( pair, shots->skins[0][shot] );
        supSettleOurs( pair, gravity, axis );
        supBody_Skin( pair->body, shots->skins[1][shot], NULL );
        supBody_SmoothSkin( pair->body, shots->smooth[shot], NULL );
        shots->offsets[shot] = ( supVec3 ){ 0.0f, 0.0f, 0.0f };
    }
}

/// Top: masses and springs. Bottom: one spring.
static int supDrawShots(
    const supPair* pair, const supShots* shots, const char* const* words, const char* name, const char* folder )
{
    supError error;
    supFilmStrip strip;
    supResult result = supBeginFilmStrip(
        &strip, pair->character, supCreature_Look( pair->creature ), supMoments, 2, 200, 190, 0.0f, 6.0f, &error );
    for ( int pass = 0; pass < 2; ++pass )
    {
        for ( int i = 0; i < 2 * supMoments && result == sup_success; ++i )
        {
            int row = i / supMoments, shot = i % supMoments;
            const float* skin = shots->skins[row][shot];
            supStripOverlay dashes = {
                .from = shots->smooth[shot], .to = skin, .vertexCount = shots->vertexCount, .shortest = 1e-3f
            };
            char text[64];
            snprintf( text, sizeof( text ), "%s%s", words[shot], shot > 0 ? "" : row == 0 ? "; masses" : "; ours" );
            if ( pass == 0 )
            {
                supFilmStrip_Frame( &strip, skin, shots->offsets[shot] );
                continue;
            }
            result = supFilmStrip_Draw( &strip, shot, row, skin, shots->offsets[shot], &dashes, text, &error );
        }
    }
    result = result == sup_success ? supFilmStrip_Write( &strip, folder, name, &error ) : result;
    supEndFilmStrip( &strip );
    return result == sup_success ? 0 : supFailed( &error );
}

static int supDrawMotion(
    supPair* pair, supMotion* motion, double from, double to, supShots* shots, const char* name, const char* folder )
{
    char text[supMoments][16];
    const char* words[supMoments];
    for ( int i = 0; i < supMoments; ++i )
    {
        snprintf( text[i], sizeof( text[i] ), "%.2f s", from + ( to - from ) * i / ( supMoments - 1 ) );
        words[i] = text[i];
    }
    supShootMotion( pair, motion, from, to, shots );
    return supDrawShots( pair, shots, words, name, folder );
}

int supPlotMotion( supPair* pair, supMotion* motion, int axis, const char* title, const char* name, const char* folder )
{
    static supTrace ours, reference;
    static double t[supMostFrames], a[supMostFrames], b[supMostFrames];
    const double none[3] = { 0.0, 0.0, 0.0 };
    supReference_Reset( &pair->reference, &supStill );
    supRunReference( pair, motion, none, 2.0, pair->step, &reference );
    supRunOurs( pair, motion, 2.0, &ours );
    for ( int i = 0; i < ours.count; ++i )
    {
        t[i] = (double)i / supRate;
        a[i] = 1e3 * ours.u[i][axis];
        b[i] = 1e3 * reference.u[i][axis];
    }
    char springs[32];
    snprintf( springs, sizeof( springs ), "%d springs", pair->reference.edgeCount );
    supSeries series[2] = { { .name = springs, .x = t, .y = b, .count = ours.count },
        { .name = "one spring", .x = t, .y = a, .count = ours.count, .dashed = true } };
    supPlotDef plot = supDefaultPlotDef();
    plot.width = 480;
    plot.height = 320;
    plot.title = title;
    plot.xLabel = "time (s)";
    plot.yLabel = "elongation (mm)";
    plot.series = series;
    plot.seriesCount = 2;
    char path[512];
    snprintf( path, sizeof( path ), "%s/%s.svg", folder, name );
    supError error;
    return supWritePlot( &plot, path, &error ) == sup_success ? 0 : supFailed( &error );
}

int supDrawMushroom( supPair* pair, const char* folder )
{
    static const char* const words[supMoments] = { "16.3 N/kg down", "36.4 N/kg down", "63.4 N/kg down",
        "16.3 N/kg to the left", "36.4 N/kg to the left", "63.4 N/kg to the left" };
    supShots shots;
    if ( supMakeShots( pair, &shots ) != 0 )
    {
        fprintf( stderr, "no memory for the pictures\n" );
        return 1;
    }
    int failed = supDrawMotion( pair, supSwing, 0.70, 0.90, &shots, "mushroom-swing", folder );
    failed += supDrawMotion( pair, supStop, 1.00, 1.15, &shots, "mushroom-stop", folder );
    failed += supDrawMotion( pair, supBounce, 0.60, 0.85, &shots, "mushroom-bounce", folder );
    supShootGravities( pair, &shots );
    failed += supDrawShots( pair, &shots, words, "mushroom-gravity", folder );
    free( shots.skins[0][0] );
    failed += supPlotMotion( pair, supSwing, 0, "Swung sideways", "swing", folder );
    failed += supPlotMotion( pair, supStop, 0, "Stopped at 1 s", "stop", folder );
    failed += supPlotMotion( pair, supBounce, 1, "Bounced, calibrated sideways", "bounce", folder );
    return failed;
}
#else
int supDrawMushroom( supPair* pair, const char* folder )
{
    (void)pair;
    (void)folder;
    return 0;
}

int supPlotMotion( supPair* pair, supMotion* motion, int axis, const char* title, const char* name, const char* folder )
{
    (void)pair;
    (void)motion;
    (void)axis;
    (void)title;
    (void)name;
    (void)folder;
    return 0;
}
#endif
