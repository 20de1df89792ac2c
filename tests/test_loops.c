// Cycles of linear layers: solved for the start that returns to itself.
//
// Before, a cycle was run until it closed, sixty times at most, and what was left was spread over it unseen: fat with a
// damping ratio of 0.002 was 3% from closing, undamped 34%, and both were reported as closed. Truth here is the plain
// thing: a body that goes around three hundred times.
#include "base/math.h"
#include "base/platform.h"
#include "body/body_data.h"
#include "rig/layer_list.h"
#include "solve/dense.h"
#include "supple/bake.h"
#include "supple/creatures.h"
#include "supple/lab/measures.h"
#include "support/fat_case.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct supRound
{
    supTake* take;
    supTakeInfo info;
    supLayerReport report;
} supRound;

static supRound supTakeRound( const supModel* model, const char* clip, int32_t layer, const supBody* tunedAs )
{
    supError error = { 0 };
    supTakeDef def = supDefaultTakeDef();
    supRound round = { 0 };
    def.model = model;
    def.clip = supCharacter_FindClip( supModel_Info( model )->character, clip );
    def.loop = sup_loopOn;
    def.tunedAs = tunedAs;
    if ( supCreateTake( &def, &round.take, &error ) != sup_success ||
         supMeasureLayer( round.take, layer, &round.report, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    round.info = supTake_Info( round.take );
    assert_true( round.info.loops );
    return round;
}

/// Goes around `rounds` times in steps of a 240th of a second, and gives how far the take's skin is from it in the
/// last.
static float supOffTruth( const supModel* model, const supRound* round, const char* clip, int rounds )
{
    const supCharacter* character = supModel_Info( model )->character;
    int32_t index = supCharacter_FindClip( character, clip ), vertices = supCharacter_Info( character )->vertexCount;
    double span = round->info.end - round->info.start;
    int steps = (int)( span * 240.0 + 0.5 );
    supBody *truth, *taken;
    supPose* pose;
    supVec3* skins = malloc( 2 * sizeof( supVec3 ) * (size_t)vertices );
    float off = 0.0f;
    assert_int_equal( supCreateBody( model, &truth, NULL ), sup_success );
    assert_int_equal( supCreateBody( model, &taken, NULL ), sup_success );
    assert_int_equal( supCreatePose( character, NULL, &pose, NULL ), sup_success );
    for ( int i = 0; i <= rounds * steps; ++i )
    {
        int node = i == 0 ? 0 : ( i - 1 ) % steps + 1;
        double time = round->info.start + span * node / steps;
        supPose_Sample( pose, index, time );
        assert_int_equal(
            supBody_Step( truth, supPose_Joints( pose ), supMat34_identity, i == 0 ? 0.0f : (float)( span / steps ) ),
            sup_success );
        if ( i < ( rounds - 1 ) * steps || node % 24 != 0 )
        {
            continue;
        }
        assert_int_equal( supTake_Show( round->take, time, supPose_Joints( pose ), taken ), sup_success );
        supBody_Skin( truth, &skins->x, NULL );
        supBody_Skin( taken, &skins[vertices].x, NULL );
        for ( int32_t v = 0; v < vertices; ++v )
        {
            off = supMaxF( off, supDistance( skins[v], skins[vertices + v] ) );
        }
    }
    supDestroyPose( pose );
    supDestroyBody( taken );
    supDestroyBody( truth );
    free( skins );
    return off;
}

static supFatDef supLoopFat( supSphere balls[2], float dampingRatio )
{
    supFatDef def = supTorsoBreasts( balls );
    def.nodes = 200.0f;
    def.dampingRatio = dampingRatio;
    def.limit = 10.0f;
    return def;
}

/// Whatever the damping is.
static void TestFatCloses( void** state )
{
    (void)state;
    static const float ratios[] = { 0.2f, 0.02f, 0.002f };
    for ( int i = 0; i < ( SUP_SLOW_BUILD ? 2 : 3 ); ++i )
    {
        supSphere balls[2];
        supFatDef def = supLoopFat( balls, ratios[i] );
        supFatCase c;
        supOpenFatCase( &c, "torso", &def );
        supRound round = supTakeRound( c.model, "hop", sup_layerFat, NULL );
        float largest = round.report.maxDisplacement, seam = round.report.seam / largest;
        float off = supOffTruth( c.model, &round, "hop", SUP_SLOW_BUILD ? 30 : 300 ) / largest;
        print_message( "damping %.3f: %d rounds, seam %.2g of %.1f mm, %.2g from 300 rounds of a body\n",
            (double)ratios[i], round.info.layerRounds, (double)seam, 1e3 * (double)largest, (double)off );
        assert_true( largest > 0.005f );
        assert_true( seam < 1e-5f && round.info.layerRounds <= 4 );
        assert_true( off < 1e-3f );
        assert_true( round.report.resonance == 0.0f );
        supDestroyTake( round.take );
        supCloseFatCase( &c );
    }
}

/// Which vibration the hop drives hardest: of the take's numbers at its start.
static int32_t supStrongest( const supFatCase* c, const supRound* round )
{
    supPose* pose;
    int32_t strongest = 0;
    float numbers[supMostFatModes] = { 0 };
    int32_t clip = supCharacter_FindClip( c->character, "hop" );
    assert_int_equal( supCreatePose( c->character, NULL, &pose, NULL ), sup_success );
    for ( int i = 0; i < 20; ++i )
    {
        double time = round->info.start + ( round->info.end - round->info.start ) * i / 20.0;
        supPose_Sample( pose, clip, time );
        assert_int_equal( supTake_Show( round->take, time, supPose_Joints( pose ), c->body ), sup_success );
        for ( int32_t k = 0; k < c->fat->modeCount; ++k )
        {
            numbers[k] = supMaxF( numbers[k], supAbsF( c->body->layers.shown[k] ) );
            strongest = numbers[k] > numbers[strongest] ? k : strongest;
        }
    }
    supDestroyPose( pose );
    return strongest;
}

/// Without damping it closes all the same, unless the clip drives it at its own frequency: then no start returns, and
/// the report says at which.
static void TestUndamped( void** state )
{
    (void)state;
    supSphere balls[2];
    supFatDef def = supLoopFat( balls, 0.2f );
    supFatCase c;
    supError error = { 0 };
    supOpenFatCase( &c, "torso", &def );
    supRound round = supTakeRound( c.model, "hop", sup_layerFat, NULL );
    int32_t mode = supStrongest( &c, &round );
    double span = round.info.end - round.info.start;
    // two hops make the clip: what swings an odd number of times in it is not driven
    double swings = 2.0 * floor( 0.5 * def.frequency * span * c.fat->omegas[mode] / c.fat->omegas[0] + 0.5 );
    supDestroyTake( round.take );
    assert_int_equal( supBody_SetField( c.body, sup_layerFat, 0, "dampingRatio", 0.0f, &error ), sup_success );
    for ( int i = 0; i < 2; ++i )
    {
        // within a swing of the clip, or between two (where no other vibration happens to be in resonance)
        double wanted = ( swings + ( i == 0 ? 0.0 : 0.4 ) ) / span, first = c.fat->omegas[0] / c.fat->omegas[mode];
        assert_int_equal(
            supBody_SetField( c.body, sup_layerFat, 0, "frequency", (float)( wanted * first ), &error ), sup_success );
        round = supTakeRound( c.model, "hop", sup_layerFat, c.body );
        print_message(
            "undamped, vibration %d at %.3f Hz: %d rounds, gap %.2g, seam %.2g of %.1f mm, resonance %.3f Hz\n", mode,
            wanted, round.info.layerRounds, (double)round.info.layerGap,
            (double)( round.report.seam / round.report.maxDisplacement ), 1e3 * (double)round.report.maxDisplacement,
            (double)round.report.resonance );
        assert_true( round.info.layerRounds <= 5 );
        assert_true(
            i == 0 ? fabs( (double)round.report.resonance / wanted - 1.0 ) < 1e-3 : round.report.resonance == 0.0f );
        // in resonance it passes its start ever faster: the gap may be one of speed alone
        assert_true( i == 0 ? round.info.layerGap > 1e-3f : round.report.seam < 1e-5f * round.report.maxDisplacement );
        supDestroyTake( round.take );
    }
    supCloseFatCase( &c );
}

/// Muscles that tense and slacken meanwhile couple vibrations, block by block: there are two blocks of them.
static void TestTense( void** state )
{
    (void)state;
    supCreature* creature;
    supRig* rig;
    supModel* model = NULL;
    supError error = { 0 };
    supSphere balls[2];
    supFatDef def = supLoopFat( balls, 0.01f );
    supMusclePoint points[2] = { supDefaultMusclePoint(), supDefaultMusclePoint() };
    supMuscleDef muscle = supDefaultMuscleDef();
    points[0].joint = "chest";
    points[0].at = supMakeVec3( 0.02f, 0.05f, 0.06f );
    points[1].joint = "upperArm.L";
    points[1].at = supMakeVec3( 0.04f, -0.04f, 0.03f );
    muscle.name = "pectoral";
    muscle.points = ( supItemList ){ 2, points };
    muscle.radius = 0.04f;
    muscle.activation = 1.0f;
    def.modes = 64.0f;
    def.amount = 8.0f; // it swings little: rounding of the skin itself is not to be seen
    assert_int_equal( supCreateCreature( "torso", NULL, &creature, &error ), sup_success );
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    if ( supRig_AddItem( rig, sup_layerMuscles, &muscle, &error ) != sup_success ||
         supRig_AddItem( rig, sup_layerFat, &def, &error ) != sup_success ||
         supCompileModel( supCreature_Character( creature ), rig, &model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    const supStack* stack = &model->stack;
    const supFat* fat = ( (const supFats*)stack->layers[supStack_Find( stack, sup_layerFat )].compiled )->fats;
    assert_int_equal( fat->tenseCount, 1 );
    assert_true( fat->blockCount > 1 );
    supRound round = supTakeRound( model, "abduct", sup_layerFat, NULL );
    float largest = round.report.maxDisplacement;
    float off = supOffTruth( model, &round, "abduct", SUP_SLOW_BUILD ? 8 : 60 ) / largest;
    print_message( "tense: %d rounds, seam %.2g of %.1f mm, %.2g from 60 rounds of a body\n", round.info.layerRounds,
        (double)( round.report.seam / largest ), 1e3 * (double)largest, (double)off );
    assert_true( largest > 1e-4f && round.report.seam < 1e-5f * largest && round.info.layerRounds <= 5 );
    assert_true( off < ( SUP_SLOW_BUILD ? 0.1f : 1e-3f ) );
    supDestroyTake( round.take );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCreature( creature );
}

/// Around a circle in six rounds, with a bob of its own in each.
static supMat34 supOnCircle( double rounds )
{
    float turn = (float)( rounds * SUP_PI / 3.0 ), bob = (float)sin( 2.0 * SUP_PI * rounds );
    supMat34 world = supTurned( supMakeVec3( 0.0f, 1.0f, 0.0f ), turn, supMakeVec3( 0.0f, 0.0f, 0.0f ) );
    world.t = supTransformVector( world, supMakeVec3( 1.0f, 0.05f * bob * bob, 0.1f * bob ) );
    return world;
}

/// Curves swing in the world, which has turned by a sixth when a round ends.
static void TestCurvesTurning( void** state )
{
    (void)state;
    supCreature* creature;
    supRig* rig;
    supModel* model = NULL;
    supBody* body = NULL;
    supError error = { 0 };
    supCurvesDef def = supDefaultCurvesDef();
    def.dampingRatio = 0.002f;
    assert_int_equal( supCreateCreature( "arm", NULL, &creature, &error ), sup_success );
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    if ( supRig_AddItem( rig, sup_layerCurves, &def, &error ) != sup_success ||
         supCompileModel( supCreature_Character( creature ), rig, &model, &error ) != sup_success ||
         supCreateBody( model, &body, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    const supStackLayer* entry = model->stack.layers + supStack_Find( &model->stack, sup_layerCurves );
    const supBodyLayer* layer = body->layers.layers + supStack_Find( &model->stack, sup_layerCurves );
    void* loop = supSystemAlloc( entry->layer->loop->size( entry->compiled ), 64 );
    supLoopReport report = { 0 };
    enum
    {
        steps = 120
    };
    for ( int i = 0; i <= 3 * steps; ++i )
    {
        supMat34 world = supOnCircle( (double)i / steps );
        assert_int_equal( supBody_Step( body, supCharacter_Info( supCreature_Character( creature ) )->restJoints, world,
                              i == 0 ? 0.0f : 1.0f / 240.0f ),
            sup_success );
        if ( i > 0 )
        {
            entry->layer->loop->step( entry->compiled, layer->state, loop );
        }
        if ( i > 0 && i % steps == 0 )
        {
            report = entry->layer->loop->end( entry->compiled, layer->state, loop, layer->live, supOnCircle( 1.0 ) );
            print_message( "curves on a circle: gap %.2g\n", report.gap );
            assert_true( i > steps || report.gap > 0.01 );
        }
        if ( i % steps == 0 )
        {
            entry->layer->loop->begin( entry->compiled, layer->state, loop );
        }
    }
    assert_true( report.gap < 1e-5 && report.resonance == 0.0f );
    supSystemFree( loop );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCreature( creature );
}

/// A matrix that is next to singular: what can be closed is, and the rest is held back.
static void TestCloseGap( void** state )
{
    (void)state;
    const double a[9] = { 0.5, 0.1, 0.0, -0.2, 0.9, 0.0, 0.0, 0.0, 1e-7 }, gap[3] = { 1.0, 2.0, 0.0 };
    double d[3], scratch[12];
    assert_true( supCloseGap( 3, a, gap, d, scratch ) < 10.0 );
    assert_true( fabs( 0.5 * d[0] + 0.1 * d[1] - 1.0 ) < 1e-12 && fabs( 0.9 * d[1] - 0.2 * d[0] - 2.0 ) < 1e-12 );
    const double driven[3] = { 1.0, 2.0, 3.0 };
    assert_true( supCloseGap( 3, a, driven, d, scratch ) > SUP_MOST_LOOP_GAIN );
    assert_true( fabs( 0.5 * d[0] + 0.1 * d[1] - 1.0 ) < 1e-4 && fabs( d[2] ) < 1.0 );
    const double still[3] = { 0.0, 0.0, 0.0 };
    assert_true( supCloseGap( 3, a, still, d, scratch ) == 0.0 && d[0] == 0.0 && d[2] == 0.0 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( TestCloseGap ),
        cmocka_unit_test( TestFatCloses ),
        cmocka_unit_test( TestUndamped ),
        cmocka_unit_test( TestTense ),
        cmocka_unit_test( TestCurvesTurning ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
