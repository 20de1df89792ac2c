// One spring against three thousand: the mushroom of figures 8 and 9.
// SPDX-License-Identifier: MIT
//
// Larboulette, Cani, Arnaldi, "Dynamic skinning: adding real-time dynamic effects to an existing character animation",
// 2005, section 6: the same mushroom, once as one flesh element, once as a body of masses and springs
// (physics/reference_body.h), which is the truth here. The single spring is calibrated once, on the free decay after a
// sideways release: its frequency and damping, and how much of the motion it feels. Then both go through other motions,
// and what comes out is compared.
//
//     example_mushroom_physics [FOLDER]     prints the figures, fails if one is missed; writes a plot into FOLDER
#include "physics/reference_body.h"
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

enum
{
    supRate = 240, // frames a second of both
    supMostFrames = 3 * supRate + 1,
    supMostVertices = 4096, // of the element, where time is measured
};

/// Both mushrooms.
typedef struct supPair
{
    supCreature* creature;
    const supCharacter* character;
    supRig* rig;
    supModel* model;
    supBody* body;
    supReference reference;
    double stable; // largest step of the reference, s
    double step;   // the one that is used, s
    supElementView element;
    double frequency, dampingRatio, amount; // as calibrated
} supPair;

/// What one of them did, frame by frame: the displacement of its skin, projected on the element's weights.
typedef struct supTrace
{
    int count;
    double u[supMostFrames][3];
} supTrace;

/// A motion of the bone: seconds to a rigid motion.
typedef void supMotion( double t, supBoneMotion* out );

static const supBoneMotion supStill = { { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, { 0, 0, 0 } };

/// Two swings from side to side, eased in, and held at the end of the second.
static double supTwoSwings( double t )
{
    double ease = fmin( t / 0.4, 1.0 ), phase = 2.0 * 3.14159265358979 * 2.5 * fmin( t, 0.8 );
    return ease * ease * ( 3.0 - 2.0 * ease ) * sin( phase );
}

static void supSwing( double t, supBoneMotion* out )
{
    *out = supStill;
    out->shift[0] = 0.05 * supTwoSwings( t );
}

/// Away at a steady pace, and stopped within three hundredths of a second.
static void supStop( double t, supBoneMotion* out )
{
    *out = supStill;
    double pace = 0.6, begun = 0.4, brake = 0.03;
    double ramp = t < begun ? 0.5 * t * t / begun : 0.5 * begun + ( t - begun );
    double end = 1.0;
    double over = t <= end          ? 0.0
                  : t < end + brake ? 0.5 * ( t - end ) * ( t - end ) / brake
                                    : 0.5 * brake + ( t - end - brake );
    out->shift[0] = pace * ( ramp - over );
}

/// Up and down.
static void supBounce( double t, supBoneMotion* out )
{
    *out = supStill;
    out->shift[1] = 0.05 * supTwoSwings( t );
}

// ---------------------------------------------------------------------------------------------------------------
// Making them

static int supFailed( const supError* error )
{
    fprintf( stderr, "%s\n", error->text );
    return 1;
}

static int supMakeOurs( supPair* pair, const supElementDef* def )
{
    supError error;
    supDestroyBody( pair->body );
    supDestroyModel( pair->model );
    supDestroyRig( pair->rig );
    pair->body = NULL;
    pair->model = NULL;
    if ( supCreateRig( NULL, &pair->rig, &error ) != sup_success ||
         supRig_AddElement( pair->rig, def, &error ) != sup_success ||
         supCompileModel( pair->character, pair->rig, &pair->model, &error ) != sup_success ||
         supCreateBody( pair->model, &pair->body, &error ) != sup_success )
    {
        return supFailed( &error );
    }
    pair->element = supModel_Element( pair->model, 0 );
    return 0;
}

/// The cap and the stalk as one element around a bone that reaches the cap's top; 4 cm of it are rigid.
static supElementDef supCapElement( const supPair* pair )
{
    float size = supCharacter_Size( pair->character );
    supElementDef def = supDefaultElementDef();
    def.name = "cap";
    def.driver = "stalk";
    def.end = ( supVec3 ){ 0.0f, 0.39f / size, 0.0f };
    def.boneThickness = 0.04f / size;
    def.attenuation = sup_attenuationParabola;
    def.sag = 0.0f;
    if ( pair->frequency > 0.0 )
    {
        def.frequency = (float)pair->frequency;
        def.dampingRatio = (float)pair->dampingRatio;
        def.amount = (float)pair->amount;
    }
    return def;
}

static int supMakePair( supPair* pair )
{
    memset( pair, 0, sizeof( *pair ) );
    supError error;
    if ( supCreateCreature( "mushroom", NULL, &pair->creature, &error ) != sup_success )
    {
        return supFailed( &error );
    }
    pair->character = supCreature_Character( pair->creature );
    supElementDef element = supCapElement( pair );
    if ( supMakeOurs( pair, &element ) != 0 )
    {
        return 1;
    }
    supMeshView mesh = supCharacter_Mesh( pair->character, 0 );
    supReferenceDef def = { .positions = supCharacter_RestPositions( pair->character ),
        .vertexCount = mesh.vertexCount,
        .indices = mesh.indices,
        .indexCount = mesh.indexCount,
        .boneTo = { 0.0, 0.39, 0.0 },
        .boneRadius = 0.04,
        .cell = 0.0435,
        .density = 1000.0,
        .young = 110e3,
        .damping = 0.0025 };
    if ( !supMakeReference( &def, &pair->reference ) )
    {
        fprintf( stderr, "no memory for the reference body\n" );
        return 1;
    }
    pair->stable = supReference_StableStep( &pair->reference );
    pair->step = 1.0 / supRate / ceil( 4.0 / supRate / pair->stable ); // a quarter of it, or less
    return 0;
}

static void supDropPair( supPair* pair )
{
    supDropReference( &pair->reference );
    supDestroyBody( pair->body );
    supDestroyModel( pair->model );
    supDestroyRig( pair->rig );
    supDestroyCreature( pair->creature );
}

// ---------------------------------------------------------------------------------------------------------------
// Running them

/// The elongation that fits the reference's skin best: sum alpha d / sum alpha^2, d the displacement from the bone's
/// rigid motion.
static void supProject( const supPair* pair, const supBoneMotion* motion, double u[3] )
{
    const float* rest = supCharacter_RestPositions( pair->character );
    double sum[3] = { 0.0, 0.0, 0.0 }, weight = 0.0;
    for ( int32_t i = 0; i < pair->element.vertexCount; ++i )
    {
        int32_t v = pair->element.vertices[i];
        double alpha = pair->element.weights[i], p[3];
        supReference_Vertex( &pair->reference, v, p );
        for ( int c = 0; c < 3; ++c )
        {
            double rigid = motion->shift[c];
            for ( int k = 0; k < 3; ++k )
            {
                rigid += motion->turn[3 * k + c] * rest[3 * v + k];
            }
            sum[c] += alpha * ( p[c] - rigid );
        }
        weight += alpha * alpha;
    }
    for ( int c = 0; c < 3; ++c )
    {
        u[c] = sum[c] / weight;
    }
}

/// The reference through a motion. The same gravity from the start; it begins as it is.
static void supRunReference(
    supPair* pair, supMotion* motion, const double gravity[3], double seconds, double step, supTrace* out )
{
    supBoneMotion at;
    out->count = 0;
    int perFrame = (int)( 1.0 / supRate / step + 0.5 );
    for ( int frame = 0; frame <= (int)( seconds * supRate ) && frame < supMostFrames; ++frame )
    {
        for ( int i = 1; i <= perFrame && frame > 0; ++i )
        {
            motion( ( frame - 1 + (double)i / perFrame ) / supRate, &at );
            supReference_Step( &pair->reference, &at, gravity, 1.0 / supRate / perFrame );
        }
        motion( (double)frame / supRate, &at );
        supProject( pair, &at, out->u[out->count++] );
    }
}

static void supRunOurs( supPair* pair, supMotion* motion, double seconds, supTrace* out )
{
    const supMat34* rest = supCharacter_RestJoints( pair->character );
    int32_t joints = supCharacter_JointCount( pair->character );
    supMat34 posed[8];
    supBody_Reset( pair->body );
    out->count = 0;
    for ( int frame = 0; frame <= (int)( seconds * supRate ) && frame < supMostFrames; ++frame )
    {
        supBoneMotion at;
        motion( (double)frame / supRate, &at );
        for ( int32_t j = 0; j < joints && j < 8; ++j )
        {
            posed[j] = rest[j];
            posed[j].t.x += (float)at.shift[0];
            posed[j].t.y += (float)at.shift[1];
            posed[j].t.z += (float)at.shift[2];
        }
        supBody_Step( pair->body, posed, supMat34_identity, 1.0f / supRate );
        supVec3 u = supBody_Element( pair->body, 0 ).state;
        double* to = out->u[out->count++];
        to[0] = u.x;
        to[1] = u.y;
        to[2] = u.z;
    }
}

static void supHold( double t, supBoneMotion* out )
{
    (void)t;
    *out = supStill;
}

// ---------------------------------------------------------------------------------------------------------------
// Measuring

/// What is compared, of the swings along one axis from a time on.
typedef struct supSwingFigures
{
    double frequency; // Hz, from the crossings of zero
    double first;     // largest elongation, m
    double settling;  // seconds until it stays below a tenth of that
    int peak;         // frame of the largest elongation
} supSwingFigures;

static supSwingFigures supMeasure( const supTrace* trace, int axis, double from )
{
    supSwingFigures f = { 0 };
    int start = (int)( from * supRate ), crossings = 0;
    double firstCrossing = 0.0, lastCrossing = 0.0;
    for ( int i = 0; i < trace->count; ++i )
    {
        if ( fabs( trace->u[i][axis] ) > f.first )
        {
            f.first = fabs( trace->u[i][axis] );
            f.peak = i;
        }
    }
    for ( int i = start + 1; i < trace->count; ++i )
    {
        double a = trace->u[i - 1][axis], b = trace->u[i][axis];
        double level = 0.0;
        for ( int k = i; k < trace->count && k < i + supRate / 2; ++k )
        {
            level = fmax( level, fabs( trace->u[k][axis] ) );
        }
        if ( a * b < 0.0 && level > 0.1 * f.first )
        {
            lastCrossing = ( i - 1 + a / ( a - b ) ) / supRate;
            firstCrossing = crossings == 0 ? lastCrossing : firstCrossing;
            crossings += 1;
        }
        f.settling = fabs( b ) > 0.1 * f.first ? (double)i / supRate - from : f.settling;
    }
    f.frequency = crossings > 1 ? 0.5 * ( crossings - 1 ) / ( lastCrossing - firstCrossing ) : 0.0;
    return f;
}

/// Between two elongations, in degrees.
static double supAngle( const double a[3], const double b[3] )
{
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    double lengths = sqrt( ( a[0] * a[0] + a[1] * a[1] + a[2] * a[2] ) * ( b[0] * b[0] + b[1] * b[1] + b[2] * b[2] ) );
    return lengths > 0.0 ? acos( fmin( fmax( dot / lengths, -1.0 ), 1.0 ) ) * 180.0 / 3.14159265358979 : 0.0;
}

/// Lets the reference settle under a gravity; gives the elongation along an axis.
static double supSettle( supPair* pair, const double gravity[3], int axis )
{
    supReference_Reset( &pair->reference, &supStill );
    static supTrace trace;
    supRunReference( pair, supHold, gravity, 1.6, pair->step, &trace );
    return trace.u[trace.count - 1][axis];
}

/// The free decay after a sideways release, fitted: frequency and damping from the decay itself, the amount from how
/// far a steady push had bent it.
static int supCalibrate( supPair* pair )
{
    static supTrace trace;
    const double push[3] = { 3.0, 0.0, 0.0 }, none[3] = { 0.0, 0.0, 0.0 };
    double bent = supSettle( pair, push, 0 );
    supRunReference( pair, supHold, none, 1.5, pair->step, &trace );

    // frequency from the crossings of zero; the ratio that fades to a tenth in the time the reference takes
    supSwingFigures decay = supMeasure( &trace, 0, 0.0 );
    double swing = 2.0 * 3.14159265358979 * decay.frequency, rate = log( 10.0 ) / decay.settling;
    double omega = sqrt( swing * swing + rate * rate );
    pair->frequency = omega / ( 2.0 * 3.14159265358979 );
    pair->dampingRatio = rate / omega;
    pair->amount = omega * omega * bent / push[0];
    supElementDef def = supCapElement( pair );
    return supMakeOurs( pair, &def );
}

// ---------------------------------------------------------------------------------------------------------------
// The comparison

static int supFigure( const char* what, double ours, double truth, double tolerance )
{
    double off = fabs( ours / truth - 1.0 );
    bool good = off <= tolerance;
    printf( "  %-34s ours %9.4f  reference %9.4f  %5.1f%% off%s\n", what, ours, truth, 100.0 * off,
        tolerance >= 1e9 ? "  (printed as it is)"
        : good           ? ""
                         : "  MISSED" );
    return tolerance < 1e9 && !good;
}

static int supCompare( supPair* pair, const char* name, supMotion* motion, int axis, double from, double tolerance )
{
    static supTrace ours, reference;
    const double none[3] = { 0.0, 0.0, 0.0 };
    supReference_Reset( &pair->reference, &supStill );
    supRunReference( pair, motion, none, 2.9, pair->step, &reference );
    supRunOurs( pair, motion, 2.9, &ours );
    supSwingFigures a = supMeasure( &ours, axis, from ), b = supMeasure( &reference, axis, from );
    printf( "%s\n", name );
    int missed = supFigure( "frequency (Hz)", a.frequency, b.frequency, tolerance );
    missed += supFigure( "first swing (m)", a.first, b.first, tolerance );
    missed += supFigure( "settling time (s)", a.settling, b.settling, tolerance );
    double angle = supAngle( ours.u[b.peak], reference.u[b.peak] );
    printf( "  %-34s %.1f degrees apart%s\n", "direction", angle, tolerance < 1e9 && angle > 10.0 ? "  MISSED" : "" );
    return missed + ( tolerance < 1e9 && angle > 10.0 );
}

/// Figure 9: three gravities, sideways as the calibration was, and along the bone as it is.
static int supCompareGravities( supPair* pair )
{
    static const double gravities[3] = { 16.3, 36.4, 63.4 };
    int missed = 0;
    printf( "sag under gravity\n" );
    for ( int i = 0; i < 3; ++i )
    {
        for ( int axis = 0; axis < 2; ++axis )
        {
            double gravity[3] = { 0.0, 0.0, 0.0 };
            gravity[axis] = -gravities[i];
            double truth = supSettle( pair, gravity, axis );
            double omega = 2.0 * 3.14159265358979 * pair->frequency;
            double ours = -pair->amount * gravities[i] / ( omega * omega );
            char what[64];
            snprintf(
                what, sizeof( what ), "%.1f N/kg %s (m)", gravities[i], axis == 0 ? "sideways" : "along the bone" );
            missed += supFigure( what, ours, truth, axis == 0 ? 0.10 : 1e9 );
        }
    }
    return missed;
}

static double supNow( void )
{
    struct timespec t;
    timespec_get( &t, TIME_UTC );
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// The displacement of every vertex of the element: what the flesh adds to the skin.
static void supDisplace( const supElementView* element, supVec3 u, float* x, float* y, float* z )
{
    for ( int32_t i = 0; i < element->vertexCount; ++i )
    {
        x[i] = element->weights[i] * u.x;
        y[i] = element->weights[i] * u.y;
        z[i] = element->weights[i] * u.z;
    }
}

/// Time a frame at 60 Hz: the reference at its largest stable step and ours, step and displacement of the skin on both
/// sides. Printed, never judged.
static void supCompareTimes( supPair* pair )
{
    int substeps = (int)ceil( 1.0 / 60.0 / pair->stable );
    const double none[3] = { 0.0, 0.0, 0.0 };
    static float moved[3][supMostVertices];
    double best[2] = { 1e30, 1e30 }, sink = 0.0;
    if ( pair->element.vertexCount > supMostVertices )
    {
        return;
    }
    supReference_Reset( &pair->reference, &supStill );
    for ( int round = 0; round < 50; ++round )
    {
        double start = supNow(), u[3];
        for ( int i = 0; i < substeps; ++i )
        {
            supReference_Step( &pair->reference, &supStill, none, 1.0 / 60.0 / substeps );
        }
        for ( int32_t v = 0; v < pair->reference.vertexCount; ++v )
        {
            supReference_Vertex( &pair->reference, v, u );
            sink += u[0];
        }
        double middle = supNow();
        const int many = 200;
        for ( int i = 0; i < many; ++i )
        {
            supBody_Step( pair->body, supCharacter_RestJoints( pair->character ), supMat34_identity, 1.0f / 60.0f );
            supDisplace( &pair->element, supBody_Element( pair->body, 0 ).elongation, moved[0], moved[1], moved[2] );
            sink += (double)moved[i % 3][i];
        }
        double end = supNow();
        best[0] = fmin( best[0], middle - start );
        best[1] = fmin( best[1], ( end - middle ) / many );
    }
    printf(
        "time a frame at 60 Hz: reference %.1f us (%d steps of its largest stable one, %.2f ms), ours %.3f us: %.0f to 1%s\n",
        1e6 * best[0], substeps, 1e3 * pair->stable, 1e6 * best[1], best[0] / best[1], sink == 1e300 ? "!" : "" );
}

#ifdef SUP_HAS_SUPPLE_PICTURE
static int supPlot( supPair* pair, const char* folder )
{
    static supTrace ours, reference;
    static double t[supMostFrames], a[supMostFrames], b[supMostFrames];
    const double none[3] = { 0.0, 0.0, 0.0 };
    supReference_Reset( &pair->reference, &supStill );
    supRunReference( pair, supSwing, none, 2.0, pair->step, &reference );
    supRunOurs( pair, supSwing, 2.0, &ours );
    for ( int i = 0; i < ours.count; ++i )
    {
        t[i] = (double)i / supRate;
        a[i] = 1e3 * ours.u[i][0];
        b[i] = 1e3 * reference.u[i][0];
    }
    supSeries series[2] = { { .name = "3,140 springs", .x = t, .y = b, .count = ours.count },
        { .name = "one spring", .x = t, .y = a, .count = ours.count, .dashed = true } };
    supPlotDef plot = supDefaultPlotDef();
    plot.title = "The mushroom swung sideways";
    plot.xLabel = "time (s)";
    plot.yLabel = "elongation (mm)";
    plot.series = series;
    plot.seriesCount = 2;
    char path[512];
    snprintf( path, sizeof( path ), "%s/mushroom-swing.svg", folder );
    supError error;
    return supWritePlot( &plot, path, &error ) == sup_success ? 0 : supFailed( &error );
}
#endif

int main( int argc, char** args )
{
    supPair pair;
    if ( supMakePair( &pair ) != 0 )
    {
        return 1;
    }
    printf(
        "reference: %d nodes, %d of them rigid, %d tetrahedra, %d springs, %.2f kg; ours: 1 spring, %.2f kg, %d vertices\n",
        pair.reference.nodeCount, pair.reference.rigidCount, pair.reference.tetrahedronCount, pair.reference.edgeCount,
        pair.reference.mass, (double)pair.element.mass, pair.element.vertexCount );
    int missed = supCalibrate( &pair );
    printf( "calibrated on a sideways release: %.3f Hz, damping ratio %.3f, amount %.3f\n", pair.frequency,
        pair.dampingRatio, pair.amount );
    missed += supCompare( &pair, "swing, sideways", supSwing, 0, 0.8, 0.10 );
    missed += supCompare( &pair, "sudden stop, sideways", supStop, 0, 1.03, 0.10 );
    missed += supCompare( &pair, "bounce, along the bone", supBounce, 1, 0.8, 1e9 );
    missed += supCompareGravities( &pair );
    supCompareTimes( &pair );
#ifdef SUP_HAS_SUPPLE_PICTURE
    missed += argc > 1 ? supPlot( &pair, args[1] ) : 0;
#else
    (void)argc;
    (void)args;
#endif
    supDropPair( &pair );
    printf( missed == 0 ? "all figures held\n" : "%d figures missed\n", missed );
    return missed == 0 ? 0 : 1;
}
