// The second paper's cases: an arm bent and twisted, a horse's leg carried on, a whole horse; and what vibration costs.
// SPDX-License-Identifier: MIT
//
// You, Yang, Zhang, "Dynamic skin deformation with characteristic curves", 2008. With a folder it draws the pictures of
// docs/curves.md into it.
#include "paper/curve_plots.h"
#include "paper/film_strip.h"
#include "paper/program.h"
#include "supple/creatures.h"
#include "supple/lab/curves.h"
#include "supple/lab/skin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SUP_HAS_SUPPLE_PICTURE
#    include "supple/lab/plot.h"
#endif

typedef struct supScene
{
    supCreature* creature;
    const supCharacter* character;
    supMeshView mesh;
    const float* rest;
    size_t floats;
    supCurveNetwork* network;
    const char* folder; // NULL: no pictures
} supScene;

static supResult supOpenScene(
    supScene* s, const char* name, int curves, int points, int terms, const char* folder, supError* error )
{
    *s = ( supScene ){ .folder = folder };
    supResult result = supCreateCreature( name, NULL, &s->creature, error );
    if ( result != sup_success )
    {
        return result;
    }
    s->character = supCreature_Character( s->creature );
    s->mesh = supCharacter_Mesh( s->character, 0 );
    s->rest = supCharacter_Info( s->character )->restPositions;
    s->floats = 3 * (size_t)s->mesh.vertexCount;
    int32_t* parts = (int32_t*)malloc( s->floats * sizeof( int32_t ) );
    const char** names =
        (const char**)malloc( sizeof( char* ) * (size_t)supCharacter_Info( s->character )->jointCount );
    supCurveNetworkDef def = supDefaultCurveNetworkDef();
    def.name = name;
    def.vertexCount = s->mesh.vertexCount;
    def.positions = s->rest;
    def.indexCount = s->mesh.indexCount;
    def.indices = s->mesh.indices;
    def.curveCount = curves;
    def.pointCount = points;
    def.terms = terms;
    def.partCount = supPartsOfCharacter( s->character, parts, names );
    def.parts = parts;
    def.partNames = names;
    result = supCreateCurveNetwork( &def, &s->network, error );
    free( parts );
    free( names );
    return result;
}

static void supCloseScene( supScene* s )
{
    supDestroyCurveNetwork( s->network );
    supDestroyCreature( s->creature );
}

// A shape: the rest with a morph target at 1, or the skin of a clip at a share of its length.
static float* supMorphShape( const supScene* s, int target )
{
    float* shape = (float*)malloc( s->floats * sizeof( float ) );
    for ( size_t i = 0; i < s->floats; ++i )
    {
        shape[i] = s->rest[i] + s->mesh.morphPositions[target][i];
    }
    return shape;
}

static float* supClipShape( const supScene* s, double share, supSkinning method, int clip )
{
    supPose* pose = NULL;
    supMat34* palette =
        (supMat34*)malloc( sizeof( supMat34 ) * (size_t)supCharacter_Info( s->character )->paletteCount );
    float* shape = (float*)malloc( s->floats * sizeof( float ) );
    if ( supCreatePose( s->character, NULL, &pose, NULL ) == sup_success )
    {
        supClipView view = supCharacter_Clip( s->character, clip );
        supPose_Sample( pose, clip, view.start + share * ( view.end - view.start ) );
        supCharacter_Palette( s->character, supPose_Joints( pose ), palette );
        supSkinJob job = supCharacter_SkinJob( s->character, 0, palette, NULL );
        job.outPositions = ( supOutStream ){ shape, s->mesh.vertexCount, 12 };
        job.method = method;
        supSkinJob_Run( &job, NULL );
    }
    supDestroyPose( pose );
    free( palette );
    return shape;
}

static supResult supGoThrough( const supScene* s, int count, const double* times, float* const* shapes, bool detail,
    supCurveMotion** out, supError* error )
{
    supCurveMotionDef def = supDefaultCurveMotionDef();
    def.shapeCount = count;
    def.times = times;
    def.shapes = (const float* const*)shapes;
    def.keepDetail = detail;
    def.smooth = count > 2;
    return supCreateCurveMotion( s->network, &def, out, error );
}

/// A model with nothing but curves, or, without `def`, with nothing at all.
static supResult supModelWithCurves(
    const supCharacter* character, const supCurvesDef* def, supModel** out, supError* error )
{
    supRig* rig = NULL;
    supResult result = supCreateRig( NULL, &rig, error );
    result =
        result == sup_success && def != NULL ? supRig_AddItem( rig, supFindLayer( "curves" ), def, error ) : result;
    result = result == sup_success ? supCompileModel( character, rig, out, error ) : result;
    supDestroyRig( rig );
    return result;
}

#ifdef SUP_HAS_SUPPLE_PICTURE
// Rows of shapes. `shapes`: columns * rows of them, row by row.
static supResult supDrawRows( const supScene* s, const char* name, int columns, int rows, int width, int height,
    float yaw, float* const* shapes, const char* const* words, supError* error )
{
    supFilmStrip strip;
    supResult result = supBeginFilmStrip(
        &strip, s->character, supCreature_Look( s->creature ), columns, rows, width, height, yaw, 6.0f, error );
    if ( result != sup_success )
    {
        return result;
    }
    for ( int i = 0; i < columns * rows; ++i )
    {
        supFilmStrip_Frame( &strip, shapes[i], supVec3_zero );
    }
    for ( int i = 0; result == sup_success && i < columns * rows; ++i )
    {
        result = supFilmStrip_Draw( &strip, i % columns, i / columns, shapes[i], supVec3_zero, NULL, words[i], error );
    }
    result = result == sup_success ? supFilmStrip_Write( &strip, s->folder, name, error ) : result;
    supEndFilmStrip( &strip );
    return result;
}

typedef struct supNetworkOverlay
{
    const supCurveNetwork* network;
    int what; // 0 parts, 1 regions, 2 curves
} supNetworkOverlay;

static void supDrawNetwork( const supDraw* draw, void* user )
{
    const supNetworkOverlay* overlay = (const supNetworkOverlay*)user;
    if ( overlay->what < 2 )
    {
        supCurveNetwork_DrawParts( overlay->network, overlay->what == 1, draw );
    }
    else
    {
        supCurveNetwork_Draw( overlay->network, NULL, draw );
    }
}

// Figures 1 and 10: parts, regions, curves, and the surface of the curves alone.
static supResult supDrawHorse( const supScene* s, const float* bare, supError* error )
{
    enum
    {
        supSide = 460
    };
    supFilmStrip strip;
    supResult result = supBeginFilmStrip( &strip, s->character, NULL, 2, 2, supSide, supSide, 62.0f, 6.0f, error );
    if ( result != sup_success )
    {
        return result;
    }
    supFilmStrip_Frame( &strip, s->rest, supVec3_zero );
    supFraming_End( &strip.framing, &strip.view );
    static const char* const words[4] = { "parts", "regions", "curves", "the surface of the curves alone" };
    for ( int i = 0; result == sup_success && i < 4; ++i )
    {
        supNetworkOverlay overlay = { s->network, i };
        supShape shape = { .positions = i == 3 ? bare : s->rest };
        supActor actor = supDefaultActor( strip.figure, shape );
        actor.overlay = i < 3 ? supDrawNetwork : NULL;
        actor.user = &overlay;
        result = supStage_Draw( strip.stage, &strip.view, &actor, 1, &strip.cell, error );
        int x = i % 2 * supSide, y = i / 2 * ( (int)supSide + (int)supStripMargin );
        supPixels_Paste( &strip.sheet, &strip.cell, x, y + supStripMargin );
        supPixels_Text( &strip.sheet, (float)x + 10.0f, (float)( y + supStripMargin ) - 11.0f, 11.0f, sup_alignLeft, 0,
            words[i], ( supColor ){ 0.1f, 0.1f, 0.1f, 1.0f } );
    }
    result = result == sup_success ? supFilmStrip_Write( &strip, s->folder, "horse_curves", error ) : result;
    supEndFilmStrip( &strip );
    return result;
}

// A section's own plane, for plots: two axes across its normal.
static void supFlatten(
    const double* points, int count, const double* origin, const double* u, const double* v, double* x, double* y )
{
    for ( int i = 0; i < count; ++i )
    {
        x[i] = y[i] = 0.0;
        for ( int a = 0; a < 3; ++a )
        {
            x[i] += 100.0 * ( points[3 * i + a] - origin[a] ) * u[a];
            y[i] += 100.0 * ( points[3 * i + a] - origin[a] ) * v[a];
        }
    }
}

// Figures 2 and 3: a section, its series and its best ellipse.
static supResult supPlotSection( const supScene* s, int curve, const char* file, const char* title, supError* error )
{
    enum
    {
        supDense = 200
    };
    supNetworkCurve view = supCurveNetwork_Curve( s->network, curve );
    static double points[3 * supDense], drawn[2][3 * supDense], x[3][supDense + 1], y[3][supDense + 1];
    double ellipse[9];
    supCurveFit poor, good;
    supCurveNetwork_Points( s->network, curve, s->rest, points );
    supResult result = supFitEllipse( title, points, view.pointCount, ellipse, &poor, error );
    if ( result != sup_success )
    {
        return result;
    }
    good = supMeasureCurve( false, view.terms, view.coefficients, points, view.pointCount );
    printf( "%s: series rms %.3g mm, best ellipse %.3g mm\n", title, 1e3 * good.rmsError, 1e3 * poor.rmsError );
    for ( int i = 0; i < supDense; ++i )
    {
        supCurve_At( false, view.terms, view.coefficients, i / (double)supDense, drawn[0] + 3 * i, NULL );
        supCurve_At( false, 1, ellipse, i / (double)supDense, drawn[1] + 3 * i, NULL );
    }
    static const double right[3] = { 1.0, 0.0, 0.0 }, ahead[3] = { 0.0, 0.0, 1.0 };
    const double* lines[3] = { points, drawn[0], drawn[1] };
    static const char* const names[3] = { "section", "series", "best ellipse" };
    supSeries series[3];
    for ( int k = 0; k < 3; ++k )
    {
        supFlatten( lines[k], supDense, view.coefficients, right, ahead, x[k], y[k] );
        x[k][supDense] = x[k][0];
        y[k][supDense] = y[k][0];
        series[k] = ( supSeries ){ .name = names[k],
            .x = x[k],
            .y = y[k],
            .count = supDense + 1,
            .width = k == 0 ? 4.0f : 2.0f,
            .dashed = k == 2 };
    }
    supPlotDef plot = supDefaultPlotDef();
    plot.title = title;
    plot.xLabel = "cm";
    plot.yLabel = "cm";
    plot.series = series;
    plot.seriesCount = 3;
    plot.width = 460;
    plot.height = 420;
    char path[512];
    snprintf( path, sizeof( path ), "%s/%s.png", s->folder, file );
    return supWritePlot( &plot, path, error );
}
#endif

enum
{
    supArmColumns = 5,
    supMostArms = 4 * supArmColumns,
};

// A row of shapes from the rest and a morph target at a time.
static supResult supArmRow( const supScene* s, int target, double at, float** shapes, supError* error )
{
    float* given = supMorphShape( s, target );
    float* keys[2] = { (float*)(uintptr_t)s->rest, given };
    const double times[2] = { 0.0, at };
    supCurveMotion* motion = NULL;
    supResult result = supGoThrough( s, 2, times, keys, true, &motion, error );
    for ( int i = 0; result == sup_success && i < supArmColumns; ++i )
    {
        shapes[i] = (float*)malloc( s->floats * sizeof( float ) );
        supCurveMotion_At( motion, i / ( supArmColumns - 1.0 ), shapes[i] );
    }
    supDestroyCurveMotion( motion );
    free( given );
    return result;
}

// Figure 7: bent. Figure 9: twisted a little up and a little down at t = 0.1, and carried on to 1.
static supResult supArm( const char* folder, supError* error )
{
    supScene s;
    supResult result = supOpenScene( &s, "arm", 9, 31, 15, folder, error );
    static const char* const words[2][4] = { { "curves", "LBS", "DQS", NULL },
        { "curves, up", "curves, down", "LBS", "DQS" } };
    for ( int figure = 0; result == sup_success && figure < 2; ++figure )
    {
        int own = figure == 0 ? 1 : 2, rows = own + 2;
        float* shapes[supMostArms] = { NULL };
        char labels[supMostArms][64];
        const char* texts[supMostArms];
        for ( int row = 0; result == sup_success && row < own; ++row )
        {
            result = supArmRow(
                &s, figure == 0 ? 0 : 1 + row, figure == 0 ? 1.0 : 0.1, shapes + row * supArmColumns, error );
        }
        for ( int i = 0; result == sup_success && i < rows * supArmColumns; ++i )
        {
            int row = i / supArmColumns;
            double t = ( i % supArmColumns ) / ( supArmColumns - 1.0 );
            if ( row >= own )
            {
                shapes[i] = supClipShape( &s, t, row == own ? sup_skinningLinear : sup_skinningDualQuaternion, figure );
            }
            snprintf( labels[i], sizeof( labels[i] ), "%s, t = %.2f", words[figure][row], t );
            texts[i] = labels[i];
        }
#ifdef SUP_HAS_SUPPLE_PICTURE
        if ( result == sup_success && folder != NULL )
        {
            result = supDrawRows( &s, figure == 0 ? "arm_bends" : "arm_twists", supArmColumns, rows, 210, 230, 70.0f,
                shapes, texts, error );
        }
#else
        (void)texts;
#endif
        for ( int i = 0; i < supMostArms; ++i )
        {
            free( shapes[i] );
        }
    }
    supCloseScene( &s );
    return result;
}

static supResult supLeg( const char* folder, supError* error )
{
    supScene s;
    supCurveMotion* motion = NULL;
    supResult result = supOpenScene( &s, "leg", 0, 0, 0, folder, error );
    if ( result == sup_success )
    {
        float *step = supMorphShape( &s, 0 ), *keys[2] = { (float*)(uintptr_t)s.rest, step }, *shapes[5];
        const double times[2] = { 0.0, 0.25 };
        static const char* const words[5] = { "t = 0, given", "t = 0.25, given", "t = 0.5", "t = 0.75", "t = 1" };
        result = supGoThrough( &s, 2, times, keys, true, &motion, error );
        for ( int i = 0; i < 5; ++i )
        {
            shapes[i] = (float*)malloc( s.floats * sizeof( float ) );
            if ( result == sup_success )
            {
                supCurveMotion_At( motion, 0.25 * i, shapes[i] );
            }
        }
#ifdef SUP_HAS_SUPPLE_PICTURE
        if ( result == sup_success && folder != NULL )
        {
            result = supDrawRows( &s, "leg_steps", 5, 1, 210, 330, 80.0f, shapes, words, error );
        }
#else
        (void)words;
#endif
        for ( int i = 0; i < 5; ++i )
        {
            free( shapes[i] );
        }
        free( step );
    }
    supDestroyCurveMotion( motion );
    supCloseScene( &s );
    return result;
}

static supResult supHorse( const char* folder, supError* error )
{
    supScene s;
    supCurveMotion *motion = NULL, *plain = NULL;
    float *frames[5] = { NULL }, *shapes[8] = { NULL };
    supResult result = supOpenScene( &s, "horse", 0, 0, 0, folder, error );
    if ( result == sup_success )
    {
        supNetworkReport r = supCurveNetwork_Report( s.network );
        printf(
            "horse: %d curves, %d tips, %d parameters a coordinate; rms %.2f%%, 99%% within %.2f%% of the height; %d uncovered\n",
            (int)r.curves, (int)r.tips, (int)r.parameters, 100.0 * r.rmsError / r.height, 100.0 * r.p99Error / r.height,
            (int)r.uncovered );
        double times[5];
        for ( int i = 0; i < 5; ++i )
        {
            times[i] = i / 4.0;
            frames[i] = supClipShape( &s, times[i], sup_skinningLinear, 0 );
        }
        float* still[2] = { (float*)(uintptr_t)s.rest, (float*)(uintptr_t)s.rest };
        result = supGoThrough( &s, 5, times, frames, true, &motion, error );
        result = result == sup_success ? supGoThrough( &s, 2, times, still, false, &plain, error ) : result;
    }
    static const char* const words[8] = { "given", "between", "given", "between", "given", "between", "given",
        "between" };
    for ( int i = 0; result == sup_success && i < 8; ++i )
    {
        shapes[i] = (float*)malloc( s.floats * sizeof( float ) );
        supCurveMotion_At( motion, i / 8.0, shapes[i] );
    }
#ifdef SUP_HAS_SUPPLE_PICTURE
    if ( result == sup_success && folder != NULL )
    {
        result = supDrawRows( &s, "horse_gallops", 4, 2, 300, 230, 80.0f, shapes, words, error );
        supCurveMotion_At( plain, 0.0, shapes[0] );
        result = result == sup_success ? supDrawHorse( &s, shapes[0], error ) : result;
    }
#else
    (void)words;
#endif
    for ( int i = 0; i < 8; ++i )
    {
        free( shapes[i] );
        free( i < 5 ? frames[i] : NULL );
    }
    supDestroyCurveMotion( plain );
    supDestroyCurveMotion( motion );
    supCloseScene( &s );
    return result;
}

static supResult supSections( const char* folder, supError* error )
{
    supScene s;
    supResult result = supOpenScene( &s, "woman", 0, 200, 31, folder, error );
    bool leg = false, torso = false;
    for ( int c = 0; result == sup_success && c < supCurveNetwork_CurveCount( s.network ); ++c )
    {
        supNetworkCurve view = supCurveNetwork_Curve( s.network, c );
        bool isLeg = strncmp( view.part, "thigh", 5 ) == 0 && view.number == 4,
             isTorso = strcmp( view.part, "spine" ) == 0 && view.number == 2;
#ifdef SUP_HAS_SUPPLE_PICTURE
        if ( folder != NULL && ( ( isLeg && !leg ) || ( isTorso && !torso ) ) )
        {
            result = supPlotSection( &s, c, isLeg ? "section_leg" : "section_torso",
                isLeg ? "a leg's section" : "a torso's section", error );
        }
#endif
        leg = leg || isLeg;
        torso = torso || isTorso;
    }
    supCloseScene( &s );
    return result;
}

#ifdef SUP_HAS_SUPPLE_PICTURE
// The arm by LBS under what neighbouring curves hold: twisted and bent.
static supResult supDrawHolding( const char* folder, supError* error )
{
    supScene s;
    supResult result = supOpenScene( &s, "arm", 9, 31, 15, folder, error );
    static const char* const words[6] = { "LBS, twisted by 120 degrees", "volume 1", "volume 1, folds 1",
        "LBS, bent by 80 degrees", "apart 0.3", "apart 0.3, folds 1" };
    static const char* const clips[2] = { "twist", "bend" };
    float* shapes[6] = { NULL };
    supPose* pose = NULL;
    result = result == sup_success ? supCreatePose( s.character, NULL, &pose, error ) : result;
    for ( int i = 0; result == sup_success && i < 6; ++i )
    {
        supCurvesDef def = supDefaultCurvesDef();
        def.amount = def.sag = 0.0f;
        def.volume = i % 3 > 0 && i < 3 ? 1.0f : 0.0f;
        def.apart = i % 3 > 0 && i > 3 ? 0.3f : 0.0f;
        def.folds = i % 3 == 2 ? 1.0f : 0.0f;
        supModel* model = NULL;
        supBody* body = NULL;
        result = supModelWithCurves( s.character, &def, &model, error );
        result = result == sup_success ? supCreateBody( model, &body, error ) : result;
        shapes[i] = (float*)malloc( s.floats * sizeof( float ) );
        if ( result == sup_success )
        {
            int32_t clip = supCharacter_FindClip( s.character, clips[i / 3] );
            supClipView view = supCharacter_Clip( s.character, clip );
            supPose_Sample( pose, clip, view.start + 2.0 / 3.0 * ( view.end - view.start ) );
            supBody_Step( body, supPose_Joints( pose ), supMat34_identity, 0.0f );
            supBody_Skin( body, shapes[i], NULL );
        }
        supDestroyBody( body );
        supDestroyModel( model );
    }
    result = result == sup_success ? supDrawRows( &s, "held", 3, 2, 330, 330, 70.0f, shapes, words, error ) : result;
    for ( int i = 0; i < 6; ++i )
    {
        free( shapes[i] );
    }
    supDestroyPose( pose );
    supCloseScene( &s );
    return result;
}
#endif

// Plain C: blend the matrices, multiply.
static void supPlainSkin( const supMeshView* mesh, const supMat34* palette, float* out )
{
    for ( int32_t v = 0; v < mesh->vertexCount; ++v )
    {
        float m[12] = { 0 };
        for ( int32_t k = 0; k < mesh->influenceCount; ++k )
        {
            const float* joint = &palette[mesh->firstPalette + mesh->jointIndices[v * mesh->influenceCount + k]].x.x;
            float w = mesh->weights[v * mesh->influenceCount + k];
            for ( int i = 0; i < 12; ++i )
            {
                m[i] += w * joint[i];
            }
        }
        const float* p = mesh->positions + 3 * v;
        for ( int i = 0; i < 3; ++i )
        {
            out[3 * v + i] = m[i] * p[0] + m[3 + i] * p[1] + m[6 + i] * p[2] + m[9 + i];
        }
    }
}

// A frame of the gallop with and without the layer, and plain C smooth skinning, in one run; the best of several
// rounds.
static supResult supTimes( supError* error )
{
    supCreature* creature = NULL;
    supResult result = supCreateCreature( "horse", NULL, &creature, error );
    if ( result != sup_success )
    {
        return result;
    }
    const supCharacter* character = supCreature_Character( creature );
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    supModel* models[2] = { NULL };
    supBody* bodies[2] = { NULL };
    supCurvesDef def = supDefaultCurvesDef();
    for ( int i = 0; result == sup_success && i < 2; ++i )
    {
        result = supModelWithCurves( character, i == 1 ? &def : NULL, &models[i], error );
        result = result == sup_success ? supCreateBody( models[i], &bodies[i], error ) : result;
    }
    supPose* pose = NULL;
    result = result == sup_success ? supCreatePose( character, NULL, &pose, error ) : result;
    float* out = (float*)malloc( 12 * (size_t)mesh.vertexCount );
    supMat34 palette[64];
    double best[3] = { 1e9, 1e9, 1e9 };
    for ( int round = 0; result == sup_success && round < 40; ++round )
    {
        supPose_Sample( pose, 0, round / 60.0 );
        supCharacter_Palette( character, supPose_Joints( pose ), palette );
        for ( int how = 0; how < 3; ++how )
        {
            double start = supWallSeconds();
            if ( how < 2 )
            {
                supBody_Step( bodies[how], supPose_Joints( pose ), supMat34_identity, 1.0f / 60.0f );
                supBody_Skin( bodies[how], out, NULL );
            }
            else
            {
                supPlainSkin( &mesh, palette, out );
            }
            double took = supWallSeconds() - start;
            best[how] = took < best[how] ? took : best[how];
        }
    }
    printf(
        "horse, a frame: smooth skin %.0f us, with vibration %.0f us: vibration costs %.0f us; plain C smooth skinning %.0f us: %.2f of it\n",
        1e6 * best[0], 1e6 * best[1], 1e6 * ( best[1] - best[0] ), 1e6 * best[2], ( best[1] - best[0] ) / best[2] );
    free( out );
    supDestroyPose( pose );
    for ( int i = 0; i < 2; ++i )
    {
        supDestroyBody( bodies[i] );
        supDestroyModel( models[i] );
    }
    supDestroyCreature( creature );
    return result;
}

int main( int argc, char** argv )
{
    const char* folder = argc > 1 ? argv[1] : NULL;
    supError error = { sup_success, "" };
    supResult result = supArm( folder, &error );
    result = result == sup_success ? supLeg( folder, &error ) : result;
    result = result == sup_success ? supHorse( folder, &error ) : result;
    result = result == sup_success && folder != NULL ? supSections( folder, &error ) : result;
#ifdef SUP_HAS_SUPPLE_PICTURE
    result = result == sup_success && folder != NULL ? supPlotSpaceCurves( folder, &error ) : result;
    result = result == sup_success && folder != NULL ? supDrawQuadrilateral( folder, &error ) : result;
    result = result == sup_success && folder != NULL ? supDrawHolding( folder, &error ) : result;
#endif
    result = result == sup_success ? supTimes( &error ) : result;
    if ( result != sup_success )
    {
        fprintf( stderr, "paper_curves: %s\n", error.text );
        return 1;
    }
    return 0;
}
