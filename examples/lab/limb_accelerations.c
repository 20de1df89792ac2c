// A cylinder of flesh around a bone, accelerated: figure 2. An uneven limb and its weights: figure 6.
// SPDX-License-Identifier: MIT
//
// Larboulette, Cani, Arnaldi, "Dynamic skinning", 2005, section 3.1: from a rigid bone in a cylinder of flesh whose two
// ends are rigid the paper reads three rules: more flesh moves more; all of it in the middle, none at the joints; never
// through the bone. Here the same cylinder is filled with masses and springs and accelerated. Our spring is
// calibrated under the first acceleration and predicts the second; under the third, where the masses and springs fold,
// it is too stiff, and that is printed as it is.
//
//     example_limb_accelerations [FOLDER]     prints the figures, fails if one is missed; draws into FOLDER
#include "paper/film_strip.h"
#include "paper/program.h"
#include "physics/reference_body.h"
#include "supple/body.h"
#include "supple/lab/items.h"
#ifdef SUP_HAS_SUPPLE_PICTURE
#    include "supple/lab/plot.h"
#endif

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    supPushes = 3,
    supRings = 41,
    supAround = 32,
    supVertices = supRings * supAround + 2, // and the middles of both ends
    supTriangles = 2 * supAround * ( supRings - 1 ) + 2 * supAround,
};

static const double supPi = 3.14159265358979;
static const double supLength = 0.5;                                    // of the limb, m
static const double supAccelerations[supPushes] = { 10.0, 25.0, 60.0 }; // m/s^2, to the left

static bool supHolds( bool good, const char* what )
{
    if ( !good )
    {
        printf( "  MISSED: %s\n", what );
    }
    return good;
}

// ---------------------------------------------------------------------------------------------------------------
// Limbs

typedef struct supLimb
{
    float positions[supVertices][3];
    uint32_t indices[supTriangles][3];
    supCharacter* character;
} supLimb;

static double supEven( double y )
{
    (void)y;
    return 0.08;
}

/// A calf, more or less: y from 0 to 1.
static double supUneven( double y )
{
    return 0.045 + 0.045 * exp( -pow( ( y - 0.62 ) / 0.2, 2.0 ) ) + 0.015 * y;
}

static double supRingHeight( int ring )
{
    return supLength * ring / ( supRings - 1 );
}

static void supPutTriangle( uint32_t* out, uint32_t a, uint32_t b, uint32_t c )
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
}

static void supShapeLimb( supLimb* limb, double ( *radius )( double ) )
{
    int bottom = supRings * supAround, top = bottom + 1, n = 0;
    for ( int r = 0; r < supRings; ++r )
    {
        for ( int k = 0; k < supAround; ++k )
        {
            double angle = 2.0 * supPi * k / supAround, y = supRingHeight( r ), across = radius( y / supLength );
            float* p = limb->positions[r * supAround + k];
            p[0] = (float)( across * cos( angle ) );
            p[1] = (float)y;
            p[2] = (float)( across * sin( angle ) );
            uint32_t a = (uint32_t)( r * supAround + k ), b = (uint32_t)( r * supAround + ( k + 1 ) % supAround );
            if ( r + 1 < supRings )
            {
                supPutTriangle( limb->indices[n++], a, a + supAround, b );
                supPutTriangle( limb->indices[n++], b, a + supAround, b + supAround );
            }
            if ( r == 0 )
            {
                supPutTriangle( limb->indices[n++], (uint32_t)bottom, a, b );
            }
            if ( r == supRings - 1 )
            {
                supPutTriangle( limb->indices[n++], (uint32_t)top, b, a );
            }
        }
    }
    memset( limb->positions[bottom], 0, 12 );
    memset( limb->positions[top], 0, 12 );
    limb->positions[top][1] = (float)supLength;
}

/// A skin on one bone with an end point.
static int supMakeLimb( supLimb* limb, double ( *radius )( double ) )
{
    static uint16_t joints[supVertices];
    static float weights[supVertices];
    supShapeLimb( limb, radius );
    for ( int v = 0; v < supVertices; ++v )
    {
        weights[v] = 1.0f;
    }
    supJointDef bones[2] = { { .name = "bone", .parent = -1, .rest = supTransform_identity },
        { .name = "tip", .parent = 0, .rest = supTransform_identity } };
    bones[1].rest.translation.y = (float)supLength;
    int32_t skinJoints[2] = { 0, 1 };
    supSkinDef skin = { .name = "limb", .jointCount = 2, .joints = skinJoints };
    supMeshDef mesh = { .name = "limb",
        .joint = 0,
        .skin = 0,
        .vertexCount = supVertices,
        .positions = limb->positions[0],
        .influenceCount = 1,
        .jointIndices = joints,
        .weights = weights,
        .indexCount = 3 * supTriangles,
        .indices = limb->indices[0] };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "limb";
    def.jointCount = 2;
    def.joints = bones;
    def.skinCount = def.meshCount = 1;
    def.skins = &skin;
    def.meshes = &mesh;
    supError error;
    return supCreateCharacter( &def, &limb->character, &error ) == sup_success ? 0 : supFailed( &error );
}

static int supMakeFlesh( const supLimb* limb, supAttenuation attenuation, double frequency, supModel** out )
{
    static const char* const ends[] = { "tip" };
    supElementDef def = supDefaultElementDef();
    def.driver = "bone";
    def.ends = ( supNameList ){ 1, ends };
    def.attenuation = attenuation;
    def.frequency = (float)frequency;
    def.dampingRatio = 0.5f;
    def.sag = 0.0f;
    supRig* rig;
    supError error;
    supResult result = supCreateRig( NULL, &rig, &error );
    result = result == sup_success ? supRig_AddElement( rig, &def, &error ) : result;
    result = result == sup_success ? supCompileModel( limb->character, rig, out, &error ) : result;
    supDestroyRig( rig );
    return result == sup_success ? 0 : supFailed( &error );
}

// ---------------------------------------------------------------------------------------------------------------
// Accelerated

/// The bone pushed to the left with a steady acceleration until all has settled: the skin as the bone sees it.
static int supAccelerateOurs( const supModel* model, double acceleration, float ( *skin )[3], supVec3* elongation )
{
    supBody* body;
    supError error;
    if ( supCreateBody( model, &body, &error ) != sup_success )
    {
        return supFailed( &error );
    }
    supMat34 joints[2] = { supMat34_identity, supMat34_identity };
    joints[1].t.y = (float)supLength;
    for ( int frame = 0; frame <= 90; ++frame )
    {
        double t = frame / 60.0;
        supMat34 world = supMat34_identity;
        world.t.x = (float)( -0.5 * acceleration * t * t );
        supBody_Step( body, joints, world, 1.0f / 60.0f );
    }
    supBody_Skin( body, skin[0], NULL );
    *elongation = supBody_Element( body, 0 ).elongation;
    supDestroyBody( body );
    return 0;
}

/// The same for the body of masses and springs: in the bone's frame a steady acceleration is a gravity.
static void supAccelerateReference( supReference* reference, double step, double acceleration, float ( *skin )[3] )
{
    const supBoneMotion still = { { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, { 0, 0, 0 } };
    const double felt[3] = { acceleration, 0.0, 0.0 };
    supReference_Reset( reference, &still );
    for ( int i = 0; i < (int)( 0.8 / step ); ++i )
    {
        supReference_Step( reference, &still, felt, step );
    }
    for ( int32_t v = 0; v < supVertices; ++v )
    {
        double p[3];
        supReference_Vertex( reference, v, p );
        for ( int c = 0; c < 3; ++c )
        {
            skin[v][c] = (float)p[c];
        }
    }
}

/// The limb as masses and springs. Both ends are rigid, as the paper has them.
static int supMakeReferenceLimb( const supLimb* limb, supReference* out )
{
    supReferenceDef def = { .positions = limb->positions[0],
        .vertexCount = supVertices,
        .indices = limb->indices[0],
        .indexCount = 3 * supTriangles,
        .boneTo = { 0.0, supLength, 0.0 },
        .boneRadius = 0.02,
        .cell = 0.04,
        .density = 1000.0,
        .young = 20e3,
        .damping = 0.02 };
    if ( !supMakeReference( &def, out ) )
    {
        fprintf( stderr, "no memory for the reference body\n" );
        return 1;
    }
    for ( int32_t i = 0; i < out->nodeCount; ++i )
    {
        double y = out->nodes[i].rest[1];
        out->nodes[i].rigid = out->nodes[i].rigid || y < 0.6 * def.cell || y > supLength - 0.6 * def.cell;
    }
    return 0;
}

/// Mean displacement of each ring.
static void supMeanOfRings( const supLimb* limb, float ( *skin )[3], double ( *out )[3] )
{
    for ( int r = 0; r < supRings; ++r )
    {
        for ( int c = 0; c < 3; ++c )
        {
            out[r][c] = 0.0;
            for ( int k = r * supAround; k < ( r + 1 ) * supAround; ++k )
            {
                out[r][c] += (double)( skin[k][c] - limb->positions[k][c] ) / supAround;
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The figures

typedef struct supFigures
{
    supLimb limb;
    float ours[supPushes][supVertices][3], truth[supPushes][supVertices][3];
    double oursAlong[supPushes][supRings][3], truthAlong[supPushes][supRings][3];
} supFigures;

/// What both limbs did, and the three rules.
static int supJudge( const supFigures* f )
{
    const int middle = supRings / 2;
    int missed = 0;
    for ( int i = 0; i < supPushes; ++i )
    {
        double ours = f->oursAlong[i][middle][0], truth = f->truthAlong[i][middle][0];
        double squares = 0.0, sideways = hypot( f->truthAlong[i][middle][1], f->truthAlong[i][middle][2] );
        for ( int r = 0; r < supRings; ++r )
        {
            double a = f->oursAlong[i][r][0] / ours, b = f->truthAlong[i][r][0] / truth;
            squares += ( a - b ) * ( a - b ) / supRings;
        }
        printf(
            "%4.0f m/s^2: middle moves %5.1f mm, masses and springs %5.1f mm, %4.1f%% apart; direction %.2f degrees "
            "apart; shape along the bone %.3f apart (RMS, of 1)%s\n",
            supAccelerations[i], 1e3 * ours, 1e3 * truth, 100.0 * fabs( ours / truth - 1.0 ),
            atan2( sideways, truth ) * 180.0 / supPi, sqrt( squares ), i == 2 ? "  (printed as it is)" : "" );
        missed += !supHolds( i == 2 || fabs( ours / truth - 1.0 ) < 0.1, "within 10% in the middle" );
        missed += !supHolds( sqrt( squares ) < 0.15, "the shape along the bone" );
        missed += !supHolds( fabs( f->oursAlong[i][0][0] ) < 1e-6 && fabs( f->oursAlong[i][supRings - 1][0] ) < 1e-6,
            "nothing moves at the joints" );
        double share = 0.0; // of its way to the bone
        for ( int v = 0; v < supRings * supAround; ++v )
        {
            const float *rest = f->limb.positions[v], *now = f->ours[i][v];
            double moved = hypot( (double)now[0] - (double)rest[0], (double)now[2] - (double)rest[2] );
            share = fmax( share, moved / hypot( (double)rest[0], (double)rest[2] ) );
        }
        missed += !supHolds( share < 1.0, "no vertex reaches the bone" );
    }
    return missed;
}

static int supRunLimb( supFigures* f )
{
    static supReference reference;
    supModel* model = NULL;
    if ( supMakeLimb( &f->limb, supEven ) != 0 || supMakeReferenceLimb( &f->limb, &reference ) != 0 )
    {
        return 1;
    }
    double stable = supReference_StableStep( &reference ), step = 0.5 * stable;
    for ( int i = 0; i < supPushes; ++i )
    {
        supAccelerateReference( &reference, step, supAccelerations[i], f->truth[i] );
        supMeanOfRings( &f->limb, f->truth[i], f->truthAlong[i] );
    }
    // calibrated once: a spring under a steady acceleration a stands at a / omega^2
    double omega = sqrt( supAccelerations[0] / f->truthAlong[0][supRings / 2][0] );
    printf( "cylinder: %d springs; ours 1, calibrated under %.0f m/s^2: %.2f Hz\n", reference.edgeCount,
        supAccelerations[0], omega / ( 2.0 * supPi ) );
    supDropReference( &reference );
    int failed = supMakeFlesh( &f->limb, sup_attenuationParabola, omega / ( 2.0 * supPi ), &model );
    for ( int i = 0; i < supPushes && !failed; ++i )
    {
        supVec3 u;
        failed = supAccelerateOurs( model, supAccelerations[i], f->ours[i], &u );
        supMeanOfRings( &f->limb, f->ours[i], f->oursAlong[i] );
    }
    supDestroyModel( model );
    return failed + ( failed ? 0 : supJudge( f ) );
}

/// Shape, attenuation and weights of an uneven limb along one line of its skin; the product is checked.
typedef struct supWeightLines
{
    double y[supRings], shape[supRings], attenuation[2][supRings], product[2][supRings];
} supWeightLines;

static int supRunWeights( supWeightLines* w )
{
    static supLimb limb;
    double worst = 0.0;
    int failed = supMakeLimb( &limb, supUneven );
    for ( int a = 0; a < 2 && !failed; ++a )
    {
        supModel* model = NULL;
        failed = supMakeFlesh( &limb, a == 0 ? sup_attenuationParabola : sup_attenuationWyvill, 4.0, &model );
        supElementView element = failed ? ( supElementView ){ 0 } : supModel_Info( model )->elements[0];
        for ( int r = 0; r < supRings; ++r )
        {
            double y = 2.0 * r / ( supRings - 1 ) - 1.0, y2 = y * y;
            w->y[r] = y;
            w->shape[r] = supUneven( supRingHeight( r ) / supLength );
            w->attenuation[a][r] = a == 0 ? 1.0 - y2 : 1.0 + ( -4.0 * y2 * y2 * y2 + 17.0 * y2 * y2 - 22.0 * y2 ) / 9.0;
            w->product[a][r] = 0.0; // vertices without weight are not in the element
        }
        for ( int32_t i = 0; i < element.vertexCount; ++i )
        {
            int32_t v = element.vertices[i];
            if ( v % supAround == 0 && v < supRings * supAround )
            {
                w->product[a][v / supAround] = (double)element.reach[i];
            }
        }
        for ( int r = 0; r < supRings; ++r )
        {
            worst = fmax( worst, fabs( w->product[a][r] - w->shape[r] * w->attenuation[a][r] ) );
        }
        supDestroyModel( model );
    }
    supDestroyCharacter( limb.character );
    printf( "uneven limb: weights before normalisation equal shape times attenuation within %.1e m\n", worst );
    return failed + !supHolds( worst < 1e-6, "weights" );
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

#ifdef SUP_HAS_SUPPLE_PICTURE
static int supDrawLimb( const supFigures* f, const char* folder )
{
    static const char* const words[4] = { "at rest", "10 m/s^2", "25 m/s^2", "60 m/s^2" };
    supError error;
    supFilmStrip strip;
    char path[64];
    supResult result = supBeginFilmStrip( &strip, f->limb.character, NULL, 8, 1, 160, 270, 0.0f, 4.0f, &error );
    for ( int pass = 0; pass < 2; ++pass )
    {
        for ( int i = 0; i < 8 && result == sup_success; ++i )
        {
            const float( *skin )[3] = i % 4 == 0 ? f->limb.positions : i < 4 ? f->truth[i % 4 - 1] : f->ours[i % 4 - 1];
            supStripOverlay dashes = {
                .from = f->limb.positions[0], .to = skin[0], .vertexCount = supVertices, .shortest = 1e-3f
            };
            snprintf( path, sizeof( path ), "%s%s", words[i % 4], i == 0 ? ", springs" : i == 4 ? ", ours" : "" );
            if ( pass == 0 )
            {
                supFilmStrip_Frame( &strip, skin[0], ( supVec3 ){ 0 } );
                continue;
            }
            result =
                supFilmStrip_Draw( &strip, i, 0, skin[0], ( supVec3 ){ 0 }, i % 4 == 0 ? NULL : &dashes, path, &error );
        }
    }
    result = result == sup_success ? supFilmStrip_Write( &strip, folder, "limb", &error ) : result;
    supEndFilmStrip( &strip );
    return result == sup_success ? 0 : supFailed( &error );
}

static int supPlotLines(
    const char* folder, const char* name, const char* title, const char* label, const supSeries* series, int count )
{
    supPlotDef plot = supDefaultPlotDef();
    plot.title = title;
    plot.xLabel = "place along the bone (-1: driver, 1: end)";
    plot.yLabel = label;
    plot.series = series;
    plot.seriesCount = count;
    plot.width = 480;
    plot.height = 320;
    char path[512];
    snprintf( path, sizeof( path ), "%s/%s.svg", folder, name );
    supError error;
    return supWritePlot( &plot, path, &error ) == sup_success ? 0 : supFailed( &error );
}

static int supPlotWeights( const supWeightLines* w, const char* folder )
{
    supSeries shape = { .x = w->y, .y = w->shape, .count = supRings };
    supSeries attenuation[2] = { { .name = "parabola", .x = w->y, .y = w->attenuation[0], .count = supRings },
        { .name = "Wyvill", .x = w->y, .y = w->attenuation[1], .count = supRings, .dashed = true } };
    supSeries weights[2] = { { .name = "parabola", .x = w->y, .y = w->product[0], .count = supRings },
        { .name = "Wyvill", .x = w->y, .y = w->product[1], .count = supRings, .dashed = true } };
    return supPlotLines( folder, "shape", "Shape", "thickness of the flesh (m)", &shape, 1 ) +
           supPlotLines( folder, "attenuation", "Attenuation", "share", attenuation, 2 ) +
           supPlotLines( folder, "weights", "Weights, not yet normalised", "shape x attenuation (m)", weights, 2 );
}
#endif

int main( int argc, char** args )
{
    static supFigures figures;
    static supWeightLines lines;
    int failed = supRunLimb( &figures );
    failed += supRunWeights( &lines );
#ifdef SUP_HAS_SUPPLE_PICTURE
    if ( argc > 1 )
    {
        failed += supDrawLimb( &figures, args[1] ) + supPlotWeights( &lines, args[1] );
    }
#else
    (void)argc;
    (void)args;
#endif
    supDestroyCharacter( figures.limb.character );
    printf( failed ? "MISSED\n" : "all figures held\n" );
    return failed ? 1 : 0;
}
