// Crowds: the same as bodies by themselves, for any number of threads, and never a jump from a level of detail.
#include "base/math.h"
#include "supple/crowd.h"
#include "supple/lab/hashes.h"
#include "supple/lab/items.h"
#include "supple/lab/machine.h"
#include "support/scene_tube.h"
#include "support/test_allocator.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supMembers = 40,
    supFrames = 90,
};

typedef struct supStage
{
    supTube* tube;
    supCrowd* crowd;
    supMat34 joints[supMembers][sup_tubeJoints];
    supMat34 worlds[supMembers];
} supStage;

static supStage* supMakeStage( const supAllocator* allocator )
{
    supStage* stage = calloc( 1, sizeof( *stage ) );
    stage->tube = supMakeTube();
    const supModel* models[1] = { stage->tube->model };
    supCrowdDef def = supDefaultCrowdDef();
    def.models = models;
    def.modelCount = 1;
    def.capacity = supMembers;
    def.allocator = allocator;
    assert_int_equal( supCreateCrowd( &def, &stage->crowd, NULL ), sup_success );
    for ( int32_t i = 0; i < supMembers; ++i )
    {
        assert_int_equal( supCrowd_Add( stage->crowd, 0 ), i );
    }
    return stage;
}

static void supDropStage( supStage* stage )
{
    supDestroyCrowd( stage->crowd );
    supDropTube( stage->tube );
    free( stage );
}

/// Everybody where they are at `time`.
static void supPlay( supStage* stage, double time, float* positions, float* normals )
{
    for ( int32_t who = 0; who < supMembers; ++who )
    {
        supTubeJoints( time, who, stage->joints[who], stage->worlds + who );
        supCrowdFrame frame = { stage->joints[who], stage->worlds[who], who == 0 ? positions : NULL,
            who == 0 ? normals : NULL, false };
        supCrowd_SetFrame( stage->crowd, who, &frame );
    }
    supCrowd_Run( stage->crowd, 1.0f / 60.0f );
}

static void test_bodies_alone_have_the_same_bits( void** state )
{
    (void)state;
    supStage* stage = supMakeStage( NULL );
    supBody* alone = NULL;
    static float skins[2][3 * sup_tubeVertices], normals[2][3 * sup_tubeVertices];
    assert_int_equal( supCreateBody( stage->tube->model, &alone, NULL ), sup_success );
    for ( int f = 0; f < supFrames; ++f )
    {
        supPlay( stage, f / 60.0, skins[0], normals[0] );
        assert_int_equal( supBody_Step( alone, stage->joints[0], stage->worlds[0], 1.0f / 60.0f ), sup_success );
        supBody_Skin( alone, skins[1], normals[1] );
        assert_int_equal( supBody_Hash( alone ), supBody_Hash( supCrowd_Body( stage->crowd, 0 ) ) );
        assert_memory_equal( skins[0], skins[1], sizeof( skins[0] ) );
        assert_memory_equal( normals[0], normals[1], sizeof( normals[0] ) );
    }
    supDestroyBody( alone );
    supDropStage( stage );
}

/// The tube's character once more, with one element instead of two.
static supModel* supMakeLesserModel( const supTube* tube )
{
    supRig* rig = NULL;
    supModel* model = NULL;
    supElementDef def = supDefaultElementDef();
    def.driver = "lower";
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &def, NULL ), sup_success );
    assert_int_equal( supCompileModel( tube->character, rig, &model, NULL ), sup_success );
    supDestroyRig( rig );
    return model;
}

/// Models take turns, and so do the places: a body of either is what it is alone.
static void test_several_models_have_the_same_bits( void** state )
{
    (void)state;
    supTube* tube = supMakeTube();
    supModel* lesser = supMakeLesserModel( tube );
    const supModel* models[2] = { lesser, tube->model };
    assert_int_not_equal( supModel_Info( models[0] )->elementCount, supModel_Info( models[1] )->elementCount );
    supCrowdDef def = supDefaultCrowdDef();
    def.models = models;
    def.modelCount = 2;
    def.capacity = supMembers;
    supCrowd* crowd = NULL;
    supBody* alone[supMembers];
    supMat34 joints[supMembers][sup_tubeJoints], worlds[supMembers];
    assert_int_equal( supCreateCrowd( &def, &crowd, NULL ), sup_success );
    for ( int32_t who = 0; who < supMembers; ++who )
    {
        assert_int_equal( supCrowd_Add( crowd, who % 2 ), who );
        assert_int_equal( supCreateBody( models[who % 2], alone + who, NULL ), sup_success );
    }
    for ( int f = 0; f < supFrames; ++f )
    {
        for ( int32_t who = 0; who < supMembers; ++who )
        {
            supTubeJoints( f / 60.0, who, joints[who], worlds + who );
            supCrowdFrame frame = { .joints = joints[who], .world = worlds[who] };
            supCrowd_SetFrame( crowd, who, &frame );
            assert_int_equal( supBody_Step( alone[who], joints[who], worlds[who], 1.0f / 60.0f ), sup_success );
        }
        supCrowd_Run( crowd, 1.0f / 60.0f );
    }
    for ( int32_t who = 0; who < supMembers; ++who )
    {
        assert_int_equal( supBody_Hash( alone[who] ), supBody_Hash( supCrowd_Body( crowd, who ) ) );
        supDestroyBody( alone[who] );
    }
    supDestroyCrowd( crowd );
    supDestroyModel( lesser );
    supDropTube( tube );
}

/// The largest move of any vertex of member 0 from one frame to the next that the smooth skin does not make, over
/// frames in which the level is what `choose` says.
static float supLargestJump( supCrowdLevel ( *choose )( int frame ) )
{
    supStage* stage = supMakeStage( NULL );
    static float skins[2][3 * sup_tubeVertices], smooth[3 * sup_tubeVertices];
    float worst = 0.0f;
    for ( int f = 0; f < supFrames; ++f )
    {
        float* now = skins[f % 2];
        const float* before = skins[( f + 1 ) % 2];
        supCrowd_SetLevel( stage->crowd, 0, choose( f ) );
        supPlay( stage, f / 60.0, now, NULL );
        supBody_SmoothSkin( supCrowd_Body( stage->crowd, 0 ), smooth, NULL );
        for ( int i = 0; i < 3 * sup_tubeVertices; ++i )
        {
            now[i] -= smooth[i];
            worst = f > 0 ? supMaxF( worst, supAbsF( now[i] - before[i] ) ) : worst;
        }
    }
    supDropStage( stage );
    return worst;
}

static supCrowdLevel supFullLevel( int frame )
{
    (void)frame;
    return supDefaultCrowdLevel();
}

/// A new rate every 7 frames, flesh off from frame 40 to 60.
static supCrowdLevel supWildLevel( int frame )
{
    supCrowdLevel level = supDefaultCrowdLevel();
    static const int32_t rates[5] = { 1, 4, 2, 8, 3 };
    level.rate = rates[( frame / 7 ) % 5];
    level.flesh = frame < 40 || frame >= 60;
    return level;
}

static void test_levels_never_jump( void** state )
{
    (void)state;
    float usual = supLargestJump( supFullLevel ), wild = supLargestJump( supWildLevel );
    print_message( "largest move of the flesh in a frame: %.4f m with every frame, %.4f m with changing levels\n",
        (double)usual, (double)wild );
    assert_true( usual > 1e-3f );
    assert_true( wild <= 1.2f * usual );
}

/// Springs stepped every n-th frame show what the others showed n - 1 frames ago, but for how the anchor's path between
/// is seen.
static void test_slow_rates_follow( void** state )
{
    (void)state;
    supStage *fast = supMakeStage( NULL ), *slow = supMakeStage( NULL );
    supCrowdLevel level = supDefaultCrowdLevel();
    level.rate = 4;
    float worst = 0.0f, most = 0.0f;
    for ( int32_t who = 0; who < supMembers; ++who )
    {
        supCrowd_SetLevel( slow->crowd, who, level );
    }
    for ( int f = 0; f < supFrames; ++f )
    {
        supPlay( fast, f / 60.0, NULL, NULL );
        supPlay( slow, f / 60.0, NULL, NULL );
        // member 0 is stepped in frames 0, 4, 8 …: there its springs stand where those of the fast one do
        if ( f % 4 == 0 && f > 20 )
        {
            supVec3 a = supBody_Element( supCrowd_Body( fast->crowd, 0 ), 0 ).state;
            supVec3 b = supBody_Element( supCrowd_Body( slow->crowd, 0 ), 0 ).state;
            worst = supMaxF( worst, supLength( supSub( a, b ) ) );
            most = supMaxF( most, supLength( a ) );
        }
        int32_t stepped = supCrowd_Report( slow->crowd ).stepped;
        assert_true( f == 0 ? stepped == supMembers : stepped == supMembers / 4 );
    }
    print_message(
        "at a quarter of the rate: %.1f%% of the largest elongation off\n", 100.0 * (double)( worst / most ) );
    assert_true( worst <= 0.15f * most );
    supDropStage( fast );
    supDropStage( slow );
}

/// As supPlay, with the vertices of everybody.
static void supPlayAll( supStage* stage, double time, float* positions )
{
    for ( int32_t who = 0; who < supMembers; ++who )
    {
        supTubeJoints( time, who, stage->joints[who], stage->worlds + who );
        supCrowdFrame frame = { stage->joints[who], stage->worlds[who], positions + who * 3 * sup_tubeVertices, NULL,
            false };
        supCrowd_SetFrame( stage->crowd, who, &frame );
    }
    supCrowd_Run( stage->crowd, 1.0f / 60.0f );
}

/// Vertices that are written every fourth frame are those of the full rate then, and stay untouched between; a buffer
/// that did not have the last ones is written at once.
static void test_vertices_by_turns( void** state )
{
    (void)state;
    static float full[supMembers][3 * sup_tubeVertices], turns[supMembers][3 * sup_tubeVertices];
    static float before[supMembers][3 * sup_tubeVertices];
    supStage *fast = supMakeStage( NULL ), *slow = supMakeStage( NULL );
    supCrowdLevel level = supDefaultCrowdLevel();
    level.skinRate = 4;
    for ( int32_t who = 0; who < supMembers; ++who )
    {
        supCrowd_SetLevel( slow->crowd, who, level );
    }
    for ( int f = 0; f < 12; ++f )
    {
        memcpy( before, turns, sizeof( turns ) );
        supPlayAll( fast, f / 60.0, full[0] );
        supPlayAll( slow, f / 60.0, turns[0] );
        for ( int who = 0; who < supMembers; ++who )
        {
            bool due = f == 0 || ( f + who ) % 4 == 0;
            assert_memory_equal( turns[who], due ? full[who] : before[who], sizeof( turns[who] ) );
        }
        assert_int_equal( supCrowd_Report( slow->crowd ).skinned, f == 0 ? supMembers : supMembers / 4 );
    }
    supPlayAll( fast, 0.2, full[0] );
    supPlayAll( slow, 0.2, before[0] );
    assert_memory_equal( full, before, sizeof( full ) );
    supDropStage( fast );
    supDropStage( slow );
}

/// The nearer, the more is done; nothing near is ever left out.
static void test_levels_by_height( void** state )
{
    (void)state;
    supCrowdLevel before = supCrowdLevelFor( 1.0f );
    assert_true( before.skin && !before.flesh );
    for ( float pixels = 2.0f; pixels < 400.0f; pixels += 1.0f )
    {
        supCrowdLevel level = supCrowdLevelFor( pixels );
        assert_true( level.rate <= before.rate && level.skinRate <= before.skinRate && level.flesh >= before.flesh );
        before = level;
    }
    supCrowdLevel unknown = supCrowdLevelFor( NAN ), full = supDefaultCrowdLevel();
    assert_true( before.rate == full.rate && before.skinRate == full.skinRate && before.flesh );
    assert_true( unknown.rate == full.rate && unknown.skinRate == full.skinRate && unknown.flesh );
}

static void test_sleepers_wake_as_if_they_had_not_slept( void** state )
{
    (void)state;
    supStage *sleepy = supMakeStage( NULL ), *awake = supMakeStage( NULL );
    supCrowdLevel level = supDefaultCrowdLevel();
    level.sleeps = false;
    for ( int32_t who = 0; who < supMembers; ++who )
    {
        supCrowd_SetLevel( awake->crowd, who, level );
    }
    int32_t most = 0;
    for ( int f = 0; f < 3000; ++f )
    {
        double time = f < 30 ? f / 60.0 : f < 2950 ? 0.5 : ( f - 2920 ) / 60.0;
        supPlay( sleepy, time, NULL, NULL );
        supPlay( awake, time, NULL, NULL );
        int32_t asleep = supCrowd_Report( sleepy->crowd ).asleep;
        most = asleep > most ? asleep : most;
        assert_int_equal( supCrowd_Report( awake->crowd ).asleep, 0 );
        assert_int_equal( supCrowd_Hash( sleepy->crowd ), supCrowd_Hash( awake->crowd ) );
        assert_true( f < 2952 || asleep == 0 );
    }
    assert_int_equal( most, supMembers );
    supDropStage( sleepy );
    supDropStage( awake );
}

static void test_removed_places_are_used_again( void** state )
{
    (void)state;
    supTestAllocator counter = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &counter );
    supStage* stage = supMakeStage( &allocator );
    int32_t calls = counter.calls;
    assert_int_equal( supCrowd_Add( stage->crowd, 0 ), -1 );
    supCrowd_Remove( stage->crowd, 7 );
    supCrowd_Remove( stage->crowd, 7 );
    assert_int_equal( supCrowd_Report( stage->crowd ).bodies, supMembers - 1 );
    assert_null( supCrowd_Body( stage->crowd, 7 ) );
    supPlay( stage, 0.0, NULL, NULL );
    assert_int_equal( supCrowd_Add( stage->crowd, 1 ), -1 );
    assert_int_equal( supCrowd_Add( stage->crowd, 0 ), 7 );
    supPlay( stage, 0.1, NULL, NULL );
    stage->worlds[0].t.x = INFINITY;
    supCrowdFrame frame = { .joints = stage->joints[0], .world = stage->worlds[0] };
    supCrowd_SetFrame( stage->crowd, 0, &frame );
    supCrowd_Run( stage->crowd, 1.0f / 60.0f );
    assert_int_equal( supCrowd_Report( stage->crowd ).refused, 1 );
    frame.joints = NULL; // left out: neither stepped nor refused
    supCrowd_SetFrame( stage->crowd, 0, &frame );
    supCrowd_Run( stage->crowd, 1.0f / 60.0f );
    supCrowdReport report = supCrowd_Report( stage->crowd );
    assert_int_equal( report.refused, 0 );
    assert_int_equal( report.stepped + report.asleep, supMembers - 1 );
    assert_int_equal( counter.calls, calls ); // nothing is allocated after the crowd is made
    supDropStage( stage );
    assert_int_equal( counter.live, 0 );
}

static void test_bad_defs_are_refused( void** state )
{
    (void)state;
    supTube* tube = supMakeTube();
    const supModel* models[1] = { tube->model };
    supCrowd* crowd = NULL;
    supCrowdDef good = supDefaultCrowdDef();
    good.models = models;
    good.modelCount = 1;
    good.capacity = 1;
    supCrowdDef defs[4] = { good, good, good, good };
    defs[0].cookie = 0;
    defs[1].modelCount = 0;
    defs[2].capacity = 0;
    defs[3].fadeTime = -1.0f;
    for ( int i = 0; i < 4; ++i )
    {
        assert_int_equal( supCreateCrowd( defs + i, &crowd, NULL ), sup_errorArgument );
        assert_null( crowd );
    }
    supTestAllocator counter = { .failAt = 0 };
    supAllocator allocator = supMakeTestAllocator( &counter );
    good.allocator = &allocator;
    assert_int_equal( supCreateCrowd( &good, &crowd, NULL ), sup_errorMemory );
    supDropTube( tube );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( test_bodies_alone_have_the_same_bits ),
        cmocka_unit_test( test_several_models_have_the_same_bits ),
        cmocka_unit_test( test_levels_never_jump ),
        cmocka_unit_test( test_slow_rates_follow ),
        cmocka_unit_test( test_vertices_by_turns ),
        cmocka_unit_test( test_levels_by_height ),
        cmocka_unit_test( test_sleepers_wake_as_if_they_had_not_slept ),
        cmocka_unit_test( test_removed_places_are_used_again ),
        cmocka_unit_test( test_bad_defs_are_refused ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
