// Networks of curves and their motion, on the built-in arm, leg and horse: the figures of docs/curves.md.
#include "supple/lab/curves.h"
#include "supple/lab/skin.h"
#include "support/creature_cache.h"
#include "support/sections.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supPlanes = 100
};

/// A creature, its first mesh and a network of curves on it.
typedef struct supCase
{
    const supCharacter* character;
    supMeshView mesh;
    const float* rest;
    size_t floats;
    supCurveNetwork* network;
} supCase;

static supCase supOpenCase( const char* name, int32_t curves, int32_t points, int32_t terms, bool parts )
{
    supCase c;
    c.character = supTestCreature( name );
    c.mesh = supCharacter_Mesh( c.character, 0 );
    c.rest = supCharacter_Info( c.character )->restPositions;
    c.floats = 3 * (size_t)c.mesh.vertexCount;
    supCurveNetworkDef def = supDefaultCurveNetworkDef();
    def.name = name;
    def.vertexCount = c.mesh.vertexCount;
    def.positions = c.rest;
    def.indexCount = c.mesh.indexCount;
    def.indices = c.mesh.indices;
    def.curveCount = curves;
    def.pointCount = points;
    def.terms = terms;
    int32_t* partOf = malloc( sizeof( int32_t ) * (size_t)c.mesh.vertexCount );
    const char** names = malloc( sizeof( char* ) * (size_t)supCharacter_Info( c.character )->jointCount );
    if ( parts )
    {
        def.partCount = supPartsOfCharacter( c.character, partOf, names );
        def.parts = partOf;
        def.partNames = names;
    }
    supError error;
    if ( supCreateCurveNetwork( &def, &c.network, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    free( partOf );
    free( names );
    return c;
}

static void supCloseCase( supCase* c )
{
    supDestroyCurveNetwork( c->network );
}

/// The rest shape with a morph target at 1.
static float* supMorphed( const supCase* c, int32_t target )
{
    float* shape = malloc( c->floats * sizeof( float ) );
    for ( size_t i = 0; i < c->floats; ++i )
    {
        shape[i] = c->rest[i] + c->mesh.morphPositions[target][i];
    }
    return shape;
}

static supCurveMotion* supMotionBetween( const supCase* c, double t0, const float* a, double t1, const float* b )
{
    double times[2] = { t0, t1 };
    const float* shapes[2] = { a, b };
    supCurveMotionDef def = supDefaultCurveMotionDef();
    def.shapeCount = 2;
    def.times = times;
    def.shapes = shapes;
    supCurveMotion* motion;
    supError error;
    if ( supCreateCurveMotion( c->network, &def, &motion, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return motion;
}

static double supFarthest( const float* a, const float* b, size_t floats )
{
    double worst = 0.0;
    for ( size_t i = 0; i < floats; ++i )
    {
        worst = fmax( worst, fabs( (double)a[i] - b[i] ) );
    }
    return worst;
}

/// The skin of a clip at a time, by LBS or dual quaternions.
static float* supSkinned( const supCase* c, const char* clip, double share, supSkinning skinning )
{
    supPose* pose;
    assert_int_equal( supCreatePose( c->character, NULL, &pose, NULL ), sup_success );
    int32_t index = supCharacter_FindClip( c->character, clip );
    supClipView view = supCharacter_Clip( c->character, index );
    supPose_Sample( pose, index, view.start + share * ( view.end - view.start ) );
    supMat34* palette = malloc( sizeof( supMat34 ) * (size_t)supCharacter_Info( c->character )->paletteCount );
    supCharacter_Palette( c->character, supPose_Joints( pose ), palette );
    supSkinJob job = supCharacter_SkinJob( c->character, 0, palette, NULL );
    float* shape = malloc( c->floats * sizeof( float ) );
    job.outPositions = ( supOutStream ){ shape, c->mesh.vertexCount, 12 };
    job.method = skinning;
    assert_int_equal( supSkinJob_Run( &job, NULL ), sup_success );
    free( palette );
    supDestroyPose( pose );
    return shape;
}

static void supAreas( const supCase* c, const float* shape, double* areas )
{
    supStation stations[supPlanes];
    supMakeStations( c->network, shape, supPlanes, stations );
    for ( int32_t i = 0; i < supPlanes; ++i )
    {
        areas[i] = supSectionArea( &stations[i], shape, c->mesh.indices, c->mesh.indexCount );
    }
}

/// 9 curves of 31 points, N = 15: as the paper's. Both shapes come back at the curves' points and at every vertex.
static void supTestArmComesBack( void** state )
{
    (void)state;
    supCase arm = supOpenCase( "arm", 9, 31, 15, true );
    supNetworkReport report = supCurveNetwork_Report( arm.network );
    assert_int_equal( report.curves, 9 );
    assert_int_equal( report.points, 9 * 31 );
    assert_int_equal( report.parameters, 558 );
    assert_int_equal( report.uncovered, 0 );
    float* bent = supMorphed( &arm, 0 );
    supCurveMotion* motion = supMotionBetween( &arm, 0.0, arm.rest, 1.0, bent );
    double worst = 0.0, size = report.size;
    for ( int32_t shape = 0; shape < 2; ++shape )
    {
        for ( int32_t k = 0; k < supCurveNetwork_CurveCount( arm.network ); ++k )
        {
            supNetworkCurve curve = supCurveNetwork_Curve( arm.network, k );
            double series[3 * 31], points[3 * 31], p[3];
            supCurveMotion_CurveAt( motion, k, shape, series );
            supCurveNetwork_Points( arm.network, k, shape == 0 ? arm.rest : bent, points );
            for ( int32_t i = 0; i < curve.pointCount; ++i )
            {
                supCurve_At( curve.open, curve.terms, series, (double)i / curve.pointCount, p, NULL );
                for ( int32_t a = 0; a < 3; ++a )
                {
                    worst = fmax( worst, fabs( p[a] - points[3 * i + a] ) );
                }
            }
        }
    }
    print_message( "arm: both shapes at the curves' points within %.2g of the size\n", worst / size );
    assert_true( worst < 1e-6 * size );
    float* out = malloc( arm.floats * sizeof( float ) );
    supCurveMotion_At( motion, 0.0, out );
    assert_true( supFarthest( out, arm.rest, arm.floats ) < 2e-7 * size );
    supCurveMotion_At( motion, 1.0, out );
    assert_true( supFarthest( out, bent, arm.floats ) < 2e-7 * size );
    free( out );
    free( bent );
    supDestroyCurveMotion( motion );
    supCloseCase( &arm );
}

/// Areas of all sections of the in-betweens against the straight line between the given shapes' own.
static void supTestArmBends( void** state )
{
    (void)state;
    supCase arm = supOpenCase( "arm", 9, 31, 15, true );
    float *bent = supMorphed( &arm, 0 ), *out = malloc( arm.floats * sizeof( float ) );
    supCurveMotion* motion = supMotionBetween( &arm, 0.0, arm.rest, 1.0, bent );
    double first[supPlanes], last[supPlanes], areas[supPlanes];
    supAreas( &arm, arm.rest, first );
    supAreas( &arm, bent, last );
    double off[3] = { 0.0, 0.0, 0.0 }, low[3] = { 1e9, 1e9, 1e9 };
    for ( int32_t step = 1; step < 9; ++step )
    {
        double t = step / 9.0;
        for ( int32_t how = 0; how < 3; ++how )
        {
            float* shape = out;
            if ( how == 0 )
            {
                supCurveMotion_At( motion, t, out );
            }
            else
            {
                shape = supSkinned( &arm, "bend", t, how == 1 ? sup_skinningLinear : sup_skinningDualQuaternion );
            }
            supAreas( &arm, shape, areas );
            for ( int32_t i = 0; i < supPlanes; ++i )
            {
                double straight = first[i] + t * ( last[i] - first[i] );
                off[how] = fmax( off[how], fabs( areas[i] / straight - 1.0 ) );
                low[how] = fmin( low[how], areas[i] / straight );
            }
            if ( how > 0 )
            {
                free( shape );
            }
        }
    }
    static const char* const names[3] = { "curves", "LBS", "DQS" };
    for ( int32_t how = 0; how < 3; ++how )
    {
        print_message(
            "arm bent by 120 degrees, %s: a section's area off by up to %.1f%%, the smallest %.1f%% of what it should be\n",
            names[how], 100.0 * off[how], 100.0 * low[how] );
    }
    assert_true( off[0] < 0.10 );
    free( bent );
    free( out );
    supDestroyCurveMotion( motion );
    supCloseCase( &arm );
}

static void supRangeOf( const double* areas, const double* rest, double* low, double* high )
{
    for ( int32_t i = 0; i < supPlanes; ++i )
    {
        *low = fmin( *low, areas[i] / rest[i] );
        *high = fmax( *high, areas[i] / rest[i] );
    }
}

/// A half turn, between given shapes and carried on from a tenth of it, both ways.
static void supTestArmTwists( void** state )
{
    (void)state;
    supCase arm = supOpenCase( "arm", 9, 31, 15, true );
    double rest[supPlanes], areas[supPlanes];
    supAreas( &arm, arm.rest, rest );
    float* out = malloc( arm.floats * sizeof( float ) );
    static const struct
    {
        const char* what;
        int32_t target;
        double at;
    } cases[3] = { { "between", 3, 1.0 }, { "up, from t = 0.1", 1, 0.1 }, { "down, from t = 0.1", 2, 0.1 } };
    for ( int32_t k = 0; k < 3; ++k )
    {
        float* twisted = supMorphed( &arm, cases[k].target );
        supCurveMotion* motion = supMotionBetween( &arm, 0.0, arm.rest, cases[k].at, twisted );
        double low = 1e9, high = 0.0;
        for ( int32_t step = 1; step <= 20; ++step )
        {
            supCurveMotion_At( motion, step / 20.0, out );
            supAreas( &arm, out, areas );
            supRangeOf( areas, rest, &low, &high );
        }
        print_message( "twist of 180 degrees, %s: sections %.1f to %.1f%% of the rest\n", cases[k].what, 100.0 * low,
            100.0 * high );
        assert_true( low > 0.90 );
        assert_true( high < 1.15 );
        if ( k == 1 ) // and it arrives where the half turn is
        {
            float* half = supMorphed( &arm, 3 );
            double worst = supFarthest( out, half, arm.floats );
            print_message( "  at t = 1 within %.1f mm of the half turn itself\n", 1e3 * worst );
            assert_true( worst < 0.015 );
            free( half );
        }
        free( twisted );
        supDestroyCurveMotion( motion );
    }
    for ( int32_t how = 0; how < 2; ++how )
    {
        double low = 1e9, high = 0.0;
        for ( int32_t step = 1; step <= 20; ++step )
        {
            float* shape =
                supSkinned( &arm, "twist", step / 20.0, how == 0 ? sup_skinningLinear : sup_skinningDualQuaternion );
            supAreas( &arm, shape, areas );
            supRangeOf( areas, rest, &low, &high );
            free( shape );
        }
        print_message( "twist of 180 degrees, %s: sections %.1f to %.1f%% of the rest\n", how == 0 ? "LBS" : "DQS",
            100.0 * low, 100.0 * high );
    }
    free( out );
    supCloseCase( &arm );
}

/// The horse within the paper's parameters; then its gallop in stages, frames in between that it has never seen.
static void supTestHorse( void** state )
{
    (void)state;
    supCase horse = supOpenCase( "horse", 0, 0, 0, true );
    supNetworkReport report = supCurveNetwork_Report( horse.network );
    print_message( "horse: %d curves, %d tips, %d parameters, rms %.3f%%, p99 %.3f%%, largest %.2f%% of its height\n",
        (int)report.curves, (int)report.tips, (int)report.parameters, 100.0 * report.rmsError / report.height,
        100.0 * report.p99Error / report.height, 100.0 * report.maxError / report.height );
    assert_int_equal( report.uncovered, 0 );
    assert_true( report.parameters + 2 * report.tips <= 4340 );
    assert_true( report.rmsError <= 0.005 * report.height );
    assert_true( report.p99Error <= 0.01 * report.height );
    // every fourth frame of the gallop given, the others compared
    enum
    {
        supFrames = 17
    };
    float* frames[supFrames];
    double times[supFrames];
    const float* given[5];
    for ( int32_t i = 0; i < supFrames; ++i )
    {
        times[i] = i / 16.0;
        frames[i] = supSkinned( &horse, "gallop", times[i], sup_skinningLinear );
    }
    double keys[5];
    for ( int32_t i = 0; i < 5; ++i )
    {
        keys[i] = times[4 * i];
        given[i] = frames[4 * i];
    }
    supCurveMotionDef def = supDefaultCurveMotionDef();
    def.shapeCount = 5;
    def.times = keys;
    def.shapes = given;
    def.smooth = true;
    supCurveMotion* motion;
    assert_int_equal( supCreateCurveMotion( horse.network, &def, &motion, NULL ), sup_success );
    float* out = malloc( horse.floats * sizeof( float ) );
    double sum = 0.0, worst = 0.0;
    int64_t count = 0;
    for ( int32_t i = 0; i < supFrames; ++i )
    {
        supCurveMotion_At( motion, times[i], out );
        double far = supFarthest( out, frames[i], horse.floats );
        if ( i % 4 == 0 )
        {
            assert_true( far < 1e-5 * report.size ); // given frames come back
            continue;
        }
        worst = fmax( worst, far );
        for ( size_t k = 0; k < horse.floats; ++k )
        {
            sum += pow( (double)out[k] - frames[i][k], 2.0 );
            ++count;
        }
    }
    print_message( "horse, unseen frames of the gallop: rms %.2f%%, largest %.1f%% of its height\n",
        100.0 * sqrt( 3.0 * sum / (double)count ) / report.height, 100.0 * worst / report.height );
    for ( int32_t i = 0; i < supFrames; ++i )
    {
        free( frames[i] );
    }
    free( out );
    supDestroyCurveMotion( motion );
    supCloseCase( &horse );
}

/// Sections of the woman's legs and torso: the series against the best ellipse, closest distances of dense points.
static void supTestEllipsesBeside( void** state )
{
    (void)state;
    supCase woman = supOpenCase( "woman", 0, 200, 31, true );
    int32_t torso = 0, legs = 0;
    for ( int32_t k = 0; k < supCurveNetwork_CurveCount( woman.network ); ++k )
    {
        supNetworkCurve curve = supCurveNetwork_Curve( woman.network, k );
        bool leg = strncmp( curve.part, "thigh", 5 ) == 0,
             trunk = strcmp( curve.part, "spine" ) == 0 || strcmp( curve.part, "hips" ) == 0;
        int32_t* seen = leg ? &legs : &torso;
        if ( curve.tip || curve.open || !( leg || trunk ) || *seen >= 4 )
        {
            continue;
        }
        double points[3 * 200], ellipse[9];
        supCurveNetwork_Points( woman.network, k, woman.rest, points );
        supCurveFit poor, good = supMeasureCurve( false, curve.terms, curve.coefficients, points, 200 );
        assert_int_equal( supFitEllipse( NULL, points, 200, ellipse, &poor, NULL ), sup_success );
        print_message( "%s %d: series %.2g m, ellipse %.2g m, %.1f times\n", curve.part, (int)curve.number,
            good.rmsError, poor.rmsError, poor.rmsError / good.rmsError );
        assert_true( good.rmsError <= 0.1 * poor.rmsError );
        ++*seen;
    }
    assert_true( torso >= 2 && legs >= 2 );
    supCloseCase( &woman );
}

/// Rigid motion of the whole comes through as such; forces that are read and put back change nothing, others do.
static void supTestForces( void** state )
{
    (void)state;
    supCase leg = supOpenCase( "leg", 12, 0, 0, true );
    float *step = supMorphed( &leg, 0 ), *a = malloc( leg.floats * sizeof( float ) ),
          *b = malloc( leg.floats * sizeof( float ) );
    supCurveMotion* motion = supMotionBetween( &leg, 0.0, leg.rest, 0.25, step );
    supCurveMotion_At( motion, 0.6, a );
    double constant[3 * 64], rate[3 * 64];
    int32_t curve = 5;
    supNetworkCurve view = supCurveNetwork_Curve( leg.network, curve );
    assert_false( view.tip );
    supCurveMotion_Forces( motion, curve, 0, constant, rate );
    assert_int_equal( supCurveMotion_SetForces( motion, curve, 0, constant, rate, NULL ), sup_success );
    supCurveMotion_At( motion, 0.6, b );
    assert_true( supFarthest( a, b, leg.floats ) < 1e-6 );
    // A pull on the first cosine, along x: the curve gives way by force over stiffness, there and nowhere else.
    supWireDef wire = supDefaultWireDef();
    double before[3 * 64], after[3 * 64];
    supCurveMotion_CurveAt( motion, curve, 0.0, before );
    constant[3] += 0.01 * supWire_Stiffness( &wire, 0, 1 );
    assert_int_equal( supCurveMotion_SetForces( motion, curve, 0, constant, rate, NULL ), sup_success );
    supCurveMotion_CurveAt( motion, curve, 0.0, after );
    assert_true( fabs( after[3] - before[3] - 0.01 ) < 1e-9 );
    assert_true( fabs( after[4] - before[4] ) < 1e-9 && fabs( after[6] - before[6] ) < 1e-9 );
    constant[0] = NAN;
    supError error;
    assert_int_not_equal( supCurveMotion_SetForces( motion, curve, 0, constant, rate, &error ), sup_success );
    assert_non_null( strstr( error.text, "thigh" ) );
    free( step );
    free( a );
    free( b );
    supDestroyCurveMotion( motion );
    supCloseCase( &leg );
}

/// An edited in-between is a key; smooth in time, the velocity is one from both sides of it, piecewise it is not.
static void supTestEditedInBetween( void** state )
{
    (void)state;
    supCase arm = supOpenCase( "arm", 9, 31, 15, true );
    float *bent = supMorphed( &arm, 0 ), *middle = malloc( arm.floats * sizeof( float ) );
    supCurveMotion* motion = supMotionBetween( &arm, 0.0, arm.rest, 1.0, bent );
    supCurveMotion_At( motion, 0.4, middle );
    supDestroyCurveMotion( motion );
    for ( int32_t v = 0; v < arm.mesh.vertexCount; ++v )
    {
        middle[3 * v] += 0.02f * ( 1.0f + arm.rest[3 * v + 1] ); // pushed aside by hand
    }
    double times[3] = { 0.0, 0.4, 1.0 };
    const float* shapes[3] = { arm.rest, middle, bent };
    supCurveMotionDef def = supDefaultCurveMotionDef();
    def.shapeCount = 3;
    def.times = times;
    def.shapes = shapes;
    double jumps[2];
    float *a = malloc( arm.floats * sizeof( float ) ), *b = malloc( arm.floats * sizeof( float ) ),
          *c = malloc( arm.floats * sizeof( float ) );
    for ( int32_t smooth = 0; smooth < 2; ++smooth )
    {
        def.smooth = smooth;
        assert_int_equal( supCreateCurveMotion( arm.network, &def, &motion, NULL ), sup_success );
        double h = 1e-3;
        supCurveMotion_At( motion, 0.4 - h, a );
        supCurveMotion_At( motion, 0.4, b );
        supCurveMotion_At( motion, 0.4 + h, c );
        assert_true( supFarthest( b, middle, arm.floats ) < 1e-6 );
        jumps[smooth] = 0.0;
        for ( size_t i = 0; i < arm.floats; ++i )
        {
            jumps[smooth] = fmax( jumps[smooth], fabs( (double)a[i] - 2.0 * b[i] + c[i] ) / h );
        }
        supDestroyCurveMotion( motion );
    }
    print_message(
        "edited in-between: velocity jumps by %.3f m/s piecewise, by %.4f m/s smooth\n", jumps[0], jumps[1] );
    assert_true( jumps[0] > 0.05 );
    assert_true( jumps[1] < 0.1 * jumps[0] );
    free( a );
    free( b );
    free( c );
    free( bent );
    free( middle );
    supCloseCase( &arm );
}

static void supExpect( supResult result, const supError* error, const char* words )
{
    assert_int_not_equal( result, sup_success );
    if ( strstr( error->text, words ) == NULL )
    {
        fail_msg( "'%s' does not say '%s'", error->text, words );
    }
}

static void supTestRefusals( void** state )
{
    (void)state;
    supCase arm = supOpenCase( "arm", 9, 31, 15, true );
    supError error;
    double times[2] = { 0.0, 0.0 };
    const float* shapes[2] = { arm.rest, arm.rest };
    int32_t counts[2] = { 1150, 1149 };
    const char* names[2] = { "a.obj", "b.obj" };
    supCurveMotionDef def = supDefaultCurveMotionDef();
    supCurveMotion* motion = NULL;
    def.times = times;
    def.shapes = shapes;
    supExpect( supCreateCurveMotion( arm.network, &def, &motion, &error ), &error, "no shape" );
    def.shapeCount = 2;
    supExpect( supCreateCurveMotion( arm.network, &def, &motion, &error ), &error, "times must increase" );
    times[1] = 1.0;
    def.vertexCounts = counts;
    def.shapeNames = names;
    supExpect( supCreateCurveMotion( arm.network, &def, &motion, &error ), &error,
        "b.obj: has 1149 vertices, but the first shape has 1150" );
    def.vertexCounts = NULL;
    static const struct
    {
        double a1, density, damping, apart;
        const char* words;
    } wrong[] = { { -1.0, 1.0, 1.0, 0.0, "upper: a1 is -1" }, { 1.0, 0.0, 1.0, 0.0, "upper: density is 0" },
        { 1.0, -1.0, 1.0, 0.0, "upper: density is -1" }, { 1.0, 1.0, 0.0, 0.0, "upper: damping is 0" },
        { 1.0, 1.0, -1.0, 0.0, "upper: damping is -1" }, { NAN, 1.0, 1.0, 0.0, "upper: a1" },
        { 1.0, NAN, 1.0, 0.0, "upper: density" }, { 1.0, 1.0, INFINITY, 0.0, "upper: damping" },
        { 1.0, 1.0, 1.0, -0.1, "apart is -0.1" }, { 1.0, 1.0, 1.0, NAN, "apart" } };
    for ( size_t i = 0; i < sizeof( wrong ) / sizeof( wrong[0] ); ++i )
    {
        def.wire = supDefaultWireDef();
        def.wire.a1[1] = wrong[i].a1;
        def.wire.density = wrong[i].density;
        def.wire.damping = wrong[i].damping;
        def.apart = wrong[i].apart;
        supExpect( supCreateCurveMotion( arm.network, &def, &motion, &error ), &error, wrong[i].words );
        assert_null( motion );
    }
    def.apart = 0.0;
    def.wire = supDefaultWireDef();
    def.wire.a2[0] = 50.0;
    supExpect( supCreateCurveMotion( arm.network, &def, &motion, &error ), &error, "buckles" );
    def.wire = supDefaultWireDef();
    def.paperMean = true;
    def.wire.density = 1.5;
    supExpect( supCreateCurveMotion( arm.network, &def, &motion, &error ), &error, "cannot move" );
    float* broken = malloc( arm.floats * sizeof( float ) );
    memcpy( broken, arm.rest, arm.floats * sizeof( float ) );
    broken[7] = NAN;
    shapes[1] = broken;
    def = supDefaultCurveMotionDef();
    def.shapeCount = 2;
    def.times = times;
    def.shapes = shapes;
    supExpect(
        supCreateCurveMotion( arm.network, &def, &motion, &error ), &error, "shape 1: vertex 2 is not a number" );
    assert_null( motion );
    supCurveNetworkDef net = supDefaultCurveNetworkDef();
    supCurveNetwork* network = NULL;
    net.vertexCount = arm.mesh.vertexCount;
    net.positions = broken;
    net.indices = arm.mesh.indices;
    supExpect( supCreateCurveNetwork( &net, &network, &error ), &error, "no triangles" );
    net.indexCount = arm.mesh.indexCount;
    supExpect( supCreateCurveNetwork( &net, &network, &error ), &error, "vertex 2 is not a number" );
    net.positions = arm.rest;
    net.terms = 15;
    net.pointCount = 30;
    supExpect(
        supCreateCurveNetwork( &net, &network, &error ), &error, "30 points per curve are too few for 15 terms" );
    net.pointCount = 31;
    const char* parts[2] = { "arm", "horn" };
    int32_t* all = calloc( (size_t)arm.mesh.vertexCount, sizeof( int32_t ) );
    net.partCount = 2;
    net.partNames = parts;
    net.parts = all;
    supExpect( supCreateCurveNetwork( &net, &network, &error ), &error, "part 'horn' has no triangles" );
    assert_null( network );
    free( all );
    free( broken );
    supCloseCase( &arm );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestArmComesBack ),
        cmocka_unit_test( supTestArmBends ),
        cmocka_unit_test( supTestArmTwists ),
        cmocka_unit_test( supTestHorse ),
        cmocka_unit_test( supTestEllipsesBeside ),
        cmocka_unit_test( supTestForces ),
        cmocka_unit_test( supTestEditedInBetween ),
        cmocka_unit_test( supTestRefusals ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
