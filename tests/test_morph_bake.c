// The bake as morphs: a player of our own, in double precision, against the living skin.

#include "base/math.h"
#include "supple/lab/items.h"
#include "supple/lab/measures.h"
#include "supple/lab/states.h"
#include "support/bake_bar.h"
#include "support/test_allocator.h"
#include "support/test_assets.h"
#include "support/test_rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------------------------------------------
// A player: reads the arrays as a file would hold them, morphs, then skins

typedef struct supPlayer
{
    const supModel* model;
    const supMorphBake* bake;
    const supTake* take;
    supPose* pose;
    supBody* body;
    supVec3* living;
    supMat34 palette[8];
} supPlayer;

static supPlayer supMakePlayer( const supModel* model, const supMorphBake* bake, const supTake* take )
{
    supPlayer player = { .model = model, .bake = bake, .take = take };
    const supCharacter* character = supModel_Info( model )->character;
    assert_in_range( supCharacter_Info( character )->paletteCount, 0, 8 );
    assert_int_equal( supCreatePose( character, NULL, &player.pose, NULL ), sup_success );
    assert_int_equal( supCreateBody( model, &player.body, NULL ), sup_success );
    player.living = calloc( (size_t)supCharacter_Info( character )->vertexCount, sizeof( supVec3 ) );
    return player;
}

static void supFreePlayer( supPlayer* player )
{
    supDestroyPose( player->pose );
    supDestroyBody( player->body );
    free( player->living );
}

/// A target's weight at a time, as glTF interpolates it.
static double supPlayWeight( supMorphKeys keys, int32_t targets, int32_t target, double time )
{
    int32_t key = 0;
    while ( key + 2 < keys.keyCount && keys.times[key + 1] <= time )
    {
        ++key;
    }
    double a = keys.weights[key * targets + target];
    if ( keys.keyCount == 1 )
    {
        return a;
    }
    double b = keys.weights[( key + 1 ) * targets + target];
    double t = ( time - keys.times[key] ) / ( (double)keys.times[key + 1] - keys.times[key] );
    return a + ( b - a ) * fmin( fmax( t, 0.0 ), 1.0 );
}

/// The largest distance of any vertex of the only mesh from the living skin at a time.
static double supPlayerError( supPlayer* player, double time )
{
    const supCharacter* character = supModel_Info( player->model )->character;
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    supVec3d morphed[SUP_BAR_VERTICES];
    for ( int32_t v = 0; v < mesh.vertexCount; ++v )
    {
        const float* p = mesh.positions + 3 * (size_t)v;
        morphed[v] = ( supVec3d ){ p[0], p[1], p[2] };
    }
    int32_t group = supMorphBake_Info( player->bake )->meshes[0].group;
    int32_t targets = group >= 0 ? supMorphBake_Info( player->bake )->groups[group].targetCount : 0;
    for ( int32_t t = 0; t < targets; ++t )
    {
        supMorphTarget target = supMorphBake_Info( player->bake )->meshes[0].targets[t];
        double weight = supPlayWeight( supMorphBake_Info( player->bake )->groups[group].keys[0], targets, t, time );
        for ( int32_t i = 0; i < target.count; ++i )
        {
            const float* d = target.positions + 3 * (size_t)i;
            supVec3d* at = morphed + target.vertices[i];
            *at = supMulAddD( *at, weight, ( supVec3d ){ d[0], d[1], d[2] } );
        }
    }
    supVec3 elongations[16];
    supPose_Sample( player->pose, 0, time );
    supTake_Elongations( player->take, time, elongations );
    assert_int_equal( supBody_Show( player->body, supPose_Joints( player->pose ), elongations ), sup_success );
    supBody_Skin( player->body, (float*)player->living, NULL );
    supCharacter_Palette( character, supPose_Joints( player->pose ), player->palette );
    double worst = 0.0;
    for ( int32_t v = 0; v < mesh.vertexCount; ++v )
    {
        supVec3d skinned = { 0.0, 0.0, 0.0 };
        for ( int32_t k = 0; k < mesh.influenceCount; ++k )
        {
            int32_t at = v * mesh.influenceCount + k;
            supMat34d m = supMatToDouble( player->palette[mesh.firstPalette + mesh.jointIndices[at]] );
            skinned = supMulAddD( skinned, mesh.weights[at], supTransformPointD( m, morphed[v] ) );
        }
        worst = fmax( worst, supLengthD( supSubD( skinned, supToDouble( player->living[v] ) ) ) );
    }
    return worst;
}

static supMorphBakeDef supBarBake( const supBar* bar, const supTake* const* takes )
{
    supMorphBakeDef def = supDefaultMorphBakeDef();
    def.model = bar->model;
    def.takeCount = 1;
    def.takes = takes;
    return def;
}

static supMorphBake* supBake( const supMorphBakeDef* def )
{
    supMorphBake* bake = NULL;
    supError error = { 0 };
    if ( supBakeMorphs( def, &bake, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return bake;
}

// ---------------------------------------------------------------------------------------------------------------
// The bar

static void supHop( double time, double translation[3], double rotation[3], const void* user )
{
    (void)user;
    translation[0] = 0.5 * time;
    translation[1] = 0.08 * sin( 2.0 * SUP_PI * 2.0 * time );
    rotation[1] = 0.7 * time;
}

static void supWag( double time, double translation[3], double rotation[3], const void* user )
{
    (void)translation;
    (void)user;
    rotation[2] = 0.6 * sin( 2.0 * SUP_PI * time );
    rotation[0] = 0.3 * cos( 2.0 * SUP_PI * 3.0 * time );
}

/// Half a turn about the bone: where both joints share a vertex equally, its matrix is flat.
static void supTwist( double time, double translation[3], double rotation[3], const void* user )
{
    (void)translation;
    (void)user;
    rotation[1] = SUP_PI * time;
}

static void supMovingBar( supBar* bar, bool blended )
{
    supInitBar( bar );
    bar->root = supHop;
    bar->trunk = supWag;
    bar->tip = supWag;
    bar->blended = blended;
    bar->end = 1.5;
}

/// Weights go from 0 to 1; the last is always on.
static void supCheckRange( const float* weights, int32_t count )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        assert_true( weights[i] >= 0.0f && weights[i] <= 1.0f );
    }
    assert_true( weights[count - 1] == 1.0f );
}

/// At times that have nothing to do with those of the bake the error holds, and the report says so.
static void test_played_as_it_lives( void** state )
{
    (void)state;
    static const float tolerances[3] = { 5e-4f, 5e-3f, 5e-5f };
    int32_t counts[3] = { 0 };
    for ( int i = 0; i < 3; ++i )
    {
        static supBar bar;
        supMovingBar( &bar, true );
        supBuildBar( &bar );
        supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
        const supTake* takes[1] = { take };
        supMorphBakeDef def = supBarBake( &bar, takes );
        def.tolerance = tolerances[i];
        supMorphBake* bake = supBake( &def );
        supMorphErrors errors = supMorphBake_Info( bake )->errors[0];
        supMorphKeys keys = supMorphBake_Info( bake )->groups[0].keys[0];
        double size = supCharacter_Info( bar.character )->size, worst = 0.0, atKeys = 0.0;
        supPlayer player = supMakePlayer( bar.model, bake, take );
        for ( double t = 0.0; t < 1.5; t += 1.0 / 211.7 )
        {
            worst = fmax( worst, supPlayerError( &player, t ) );
        }
        for ( int32_t k = 0; k < keys.keyCount; ++k )
        {
            assert_true( k == 0 || keys.times[k] > keys.times[k - 1] );
            supCheckRange( keys.weights + k * supMorphBake_Info( bake )->groups[0].targetCount,
                supMorphBake_Info( bake )->groups[0].targetCount );
            atKeys = fmax( atKeys, supPlayerError( &player, keys.times[k] ) );
        }
        assert_true( keys.times[0] == 0.0f && keys.times[keys.keyCount - 1] == 1.5f );
        counts[i] = supMorphBake_Info( bake )->groups[0].targetCount;
        print_message( "tolerance %.0e: %d targets, %d keys, %.1e of the size (said %.1e, at keys %.1e)\n",
            (double)tolerances[i], counts[i], keys.keyCount, worst / size, errors.maxError / size, atKeys / size );
        assert_true( errors.maxError <= tolerances[i] * size );
        assert_true( worst <= 1.05 * errors.maxError + 1e-6 * size );
        assert_true( worst >= 0.5 * errors.maxError );
        assert_true( atKeys <= errors.maxErrorAtKeys + 1e-6 * size );
        assert_true( errors.rmsError > 0.0f && errors.rmsError < errors.maxError );
        supFreePlayer( &player );
        supDestroyMorphBake( bake );
        supDestroyTake( take );
        supFreeBar( &bar );
    }
    assert_true( counts[1] <= counts[0] && counts[0] <= counts[2] && counts[1] < counts[2] );
}

/// One element on one joint: the displacement is a fixed field times a vector in the joint's space. Three numbers say
/// all of it, so there are three targets, all in one direction each, and none is left out; and the one that is always
/// on.
static void test_as_many_targets_as_there_are_ways_to_move( void** state )
{
    (void)state;
    static supBar bar;
    supMovingBar( &bar, false );
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    const supTake* takes[1] = { take };
    supMorphBakeDef def = supBarBake( &bar, takes );
    def.tolerance = 2e-5f;
    supMorphBake* bake = supBake( &def );
    assert_int_equal( supMorphBake_Info( bake )->groupCount, 1 );
    assert_int_equal( supMorphBake_Info( bake )->groups[0].targetCount, 3 + 1 );
    supDestroyMorphBake( bake );
    supDestroyTake( take );
    supFreeBar( &bar );
}

static void test_flat_skin( void** state )
{
    (void)state;
    static supBar bar;
    supMovingBar( &bar, true );
    bar.tip = supTwist;
    bar.end = 1.0;
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    const supTake* takes[1] = { take };
    supMorphBakeDef def = supBarBake( &bar, takes );
    supMorphBake* bake = supBake( &def );
    double most = supTake_Info( take ).maxDisplacement, size = supCharacter_Info( bar.character )->size;
    int32_t targets = supMorphBake_Info( bake )->groups[0].targetCount;
    for ( int32_t t = 0; t < targets; ++t )
    {
        supMorphTarget target = supMorphBake_Info( bake )->meshes[0].targets[t];
        for ( int32_t i = 0; i < 3 * target.count; ++i )
        {
            assert_true( fabsf( target.positions[i] ) <= 12.0 * most ); // a condition of 10 at most
        }
    }
    supMorphErrors errors = supMorphBake_Info( bake )->errors[0];
    supPlayer player = supMakePlayer( bar.model, bake, take );
    double worst = 0.0;
    for ( double t = 0.0; t < 1.0; t += 1.0 / 211.7 )
    {
        worst = fmax( worst, supPlayerError( &player, t ) );
    }
    print_message( "%d targets, error %.1e of the size, said %.1e\n", targets, worst / size, errors.maxError / size );
    assert_true( worst <= 1.05 * errors.maxError + 1e-6 * size );
    assert_true( errors.maxError <= 1.5 * most );
    supFreePlayer( &player );
    supDestroyMorphBake( bake );
    supDestroyTake( take );
    supFreeBar( &bar );
}

// ---------------------------------------------------------------------------------------------------------------
// Another layer

/// Two fields that have no vertex in common, moved by functions of time; carried by the joint, so that they are fixed
/// at rest.
static void supTwoFields( int32_t take, double time, const supMat34* joints, supVec3* moves, void* user )
{
    (void)take;
    (void)user;
    for ( int32_t v = 0; v < SUP_BAR_VERTICES; ++v )
    {
        double x = v < 40 ? sin( 5.0 * time ) * 0.02 : 0.0, y = v >= 60 ? cos( 9.0 * time ) * 0.03 : 0.0;
        moves[v] = supTransformVector( joints[1], ( supVec3 ){ (float)x, (float)y, 0.0f } );
    }
}

static void test_a_layer_of_the_hosts_own( void** state )
{
    (void)state;
    static supBar bar;
    supMovingBar( &bar, false );
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    const supTake* takes[1] = { take };
    int32_t vertices[SUP_BAR_VERTICES];
    for ( int32_t v = 0; v < SUP_BAR_VERTICES; ++v )
    {
        vertices[v] = v;
    }
    supMorphSource source = { SUP_BAR_VERTICES, vertices, supTwoFields, NULL, NULL };
    supMorphBakeDef def = supBarBake( &bar, takes );
    def.source = &source;
    supMorphBake* bake = supBake( &def );
    assert_int_equal( supMorphBake_Info( bake )->groups[0].targetCount, 2 + 1 );
    supMorphTarget a = supMorphBake_Info( bake )->meshes[0].targets[0],
                   b = supMorphBake_Info( bake )->meshes[0].targets[1];
    supMorphTarget lower = a.vertices[0] == 0 ? a : b, upper = a.vertices[0] == 0 ? b : a;
    assert_int_equal( lower.count, 40 );
    assert_int_equal( upper.count, SUP_BAR_VERTICES - 60 );
    assert_int_equal( upper.vertices[0], 60 );
    // weights go from 0 to 1, so the deltas are how far the fields swing, and what is always on is one of their ends
    assert_true( fabs( fabs( lower.positions[0] ) - 2 * 0.02 ) < 1e-3 && fabs( lower.positions[1] ) < 1e-6 );
    assert_true( fabs( fabs( upper.positions[1] ) - 2 * 0.03 ) < 1e-3 && fabs( upper.positions[0] ) < 1e-6 );
    supMorphTarget constant = supMorphBake_Info( bake )->meshes[0].targets[2];
    assert_int_equal( constant.count, lower.count + upper.count );
    assert_true( fabs( fabs( constant.positions[0] ) - 0.02 ) < 1e-3 );
    assert_int_equal( a.normalCount, 0 );
    source.vertices = ( const int32_t[2] ){ 3, 3 };
    source.vertexCount = 2;
    supMorphBake* none = NULL;
    assert_int_equal( supBakeMorphs( &def, &none, NULL ), sup_errorArgument );
    source.vertices = ( const int32_t[2] ){ 3, SUP_BAR_VERTICES };
    assert_int_equal( supBakeMorphs( &def, &none, NULL ), sup_errorArgument );
    source.moves = NULL;
    assert_int_equal( supBakeMorphs( &def, &none, NULL ), sup_errorArgument );
    supDestroyMorphBake( bake );
    supDestroyTake( take );
    supFreeBar( &bar );
}

// ---------------------------------------------------------------------------------------------------------------
// Threads, refusals, memory

static bool supIsSameBake( const supMorphBake* a, const supMorphBake* b )
{
    supMorphErrors ea = supMorphBake_Info( a )->errors[0], eb = supMorphBake_Info( b )->errors[0];
    int32_t targets = supMorphBake_Info( a )->groups[0].targetCount;
    supMorphKeys ka = supMorphBake_Info( a )->groups[0].keys[0], kb = supMorphBake_Info( b )->groups[0].keys[0];
    bool same = targets == supMorphBake_Info( b )->groups[0].targetCount && ka.keyCount == kb.keyCount &&
                ea.maxError == eb.maxError && ea.rmsError == eb.rmsError && ea.worstVertex == eb.worstVertex &&
                memcmp( ka.weights, kb.weights, sizeof( float ) * (size_t)( ka.keyCount * targets ) ) == 0;
    for ( int32_t t = 0; t < targets && same; ++t )
    {
        supMorphTarget ta = supMorphBake_Info( a )->meshes[0].targets[t],
                       tb = supMorphBake_Info( b )->meshes[0].targets[t];
        same = ta.count == tb.count && memcmp( ta.vertices, tb.vertices, sizeof( int32_t ) * (size_t)ta.count ) == 0 &&
               memcmp( ta.positions, tb.positions, 3 * sizeof( float ) * (size_t)ta.count ) == 0;
    }
    return same;
}

static void test_the_same_bits_on_any_threads( void** state )
{
    (void)state;
    static supBar bar;
    supMovingBar( &bar, true );
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    const supTake* takes[1] = { take };
    supMorphBakeDef def = supBarBake( &bar, takes );
    supMorphBake* alone = supBake( &def );
    for ( int32_t workers = 2; workers <= 5; workers += 3 )
    {
        supPool* pool = NULL;
        supPoolDef poolDef = supDefaultPoolDef();
        poolDef.workerCount = workers;
        assert_int_equal( supCreatePool( &poolDef, &pool, NULL ), sup_success );
        supTasks tasks = supPool_Tasks( pool );
        def.tasks = &tasks;
        supMorphBake* shared = supBake( &def );
        assert_true( supIsSameBake( alone, shared ) );
        supDestroyMorphBake( shared );
        supDestroyPool( pool );
    }
    supDestroyMorphBake( alone );
    supDestroyTake( take );
    supFreeBar( &bar );
}

/// Flesh that feels nothing: no target, no key of one, no error.
static void test_nothing_moves( void** state )
{
    (void)state;
    supBar bar;
    supInitBar( &bar );
    bar.element.amount = 0.0f;
    bar.element.sag = 0.0f;
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopAuto, sup_endsFree );
    supMorphBakeDef def = supDefaultMorphBakeDef();
    def.model = bar.model;
    def.takeCount = 1;
    def.takes = (const supTake* const*)&take;
    supMorphBake* bake = NULL;
    supError error = { 0 };
    if ( supBakeMorphs( &def, &bake, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    for ( int32_t g = 0; g < supMorphBake_Info( bake )->groupCount; ++g )
    {
        assert_int_equal( supMorphBake_Info( bake )->groups[g].targetCount, 0 );
    }
    assert_true( supMorphBake_Info( bake )->errors[0].maxError == 0.0f );
    supDestroyMorphBake( bake );
    supDestroyTake( take );
    supFreeBar( &bar );
}

static void test_bad_defs( void** state )
{
    (void)state;
    static supBar bar;
    supMovingBar( &bar, false );
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    const supTake* takes[1] = { take };
    supMorphBake* bake = (supMorphBake*)&bar;
    supError error;
    static const float wrong[] = { 0.0f, -1.0f, 1e-7f, 2.0f, NAN, INFINITY };
    for ( size_t i = 0; i < sizeof( wrong ) / sizeof( wrong[0] ); ++i )
    {
        supMorphBakeDef def = supBarBake( &bar, takes );
        def.tolerance = wrong[i];
        assert_int_equal( supBakeMorphs( &def, &bake, &error ), sup_errorArgument );
        assert_null( bake );
        assert_non_null( strstr( error.text, "tolerance" ) );
    }
    static const float rates[] = { 0.0f, -30.0f, 0.5f, 1e6f, NAN };
    for ( size_t i = 0; i < sizeof( rates ) / sizeof( rates[0] ); ++i )
    {
        supMorphBakeDef def = supBarBake( &bar, takes );
        def.fps = rates[i];
        assert_int_equal( supBakeMorphs( &def, &bake, NULL ), sup_errorArgument );
    }
    supMorphBakeDef def = { 0 };
    assert_int_equal( supBakeMorphs( &def, &bake, NULL ), sup_errorArgument );
    def = supBarBake( &bar, NULL );
    assert_int_equal( supBakeMorphs( &def, &bake, NULL ), sup_errorArgument );
    def = supBarBake( &bar, ( const supTake* [1] ){ NULL } );
    assert_int_equal( supBakeMorphs( &def, &bake, NULL ), sup_errorArgument );
    def = supBarBake( &bar, NULL );
    def.takeCount = 0; // nothing to bake is no error
    assert_int_equal( supBakeMorphs( &def, &bake, NULL ), sup_success );
    assert_int_equal( supMorphBake_Info( bake )->clipCount, 0 );
    supDestroyMorphBake( bake );
    supDestroyTake( take );
    supFreeBar( &bar );
}

/// Wherever memory runs out there is a word and no leak.
static void test_no_memory( void** state )
{
    (void)state;
    static supBar bar;
    supMovingBar( &bar, false );
    bar.end = 0.5;
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    const supTake* takes[1] = { take };
    supTestAllocator test = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &test );
    supMorphBakeDef def = supBarBake( &bar, takes );
    def.allocator = &allocator;
    supMorphBake* bake = supBake( &def );
    supDestroyMorphBake( bake );
    assert_int_equal( test.live, 0 );
    int32_t calls = test.calls;
    for ( int32_t failAt = 0; failAt < calls; failAt += 1 + failAt / 16 )
    {
        supError error = { 0 };
        test = ( supTestAllocator ){ .failAt = failAt };
        supResult result = supBakeMorphs( &def, &bake, &error );
        assert_int_equal( result, sup_errorMemory );
        assert_true( error.text[0] != '\0' );
        assert_null( bake );
        assert_int_equal( test.live, 0 );
    }
    supDestroyTake( take );
    supFreeBar( &bar );
}

/// One block in the middle that cannot be had: an error, or the very same bake; never another one.
static void test_no_memory_for_a_moment( void** state )
{
    (void)state;
    static supBar bar;
    supMovingBar( &bar, false );
    bar.end = 0.5;
    supBuildBar( &bar );
    supDestroyModel( bar.model );
    supRig* rig = NULL;
    supModeDef mode = supDefaultModeDef();
    mode.element = bar.element.name;
    mode.motion = sup_modeTurn;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &bar.element, NULL ), sup_success );
    assert_int_equal( supRig_AddItem( rig, supFindLayer( "modes" ), &mode, NULL ), sup_success );
    assert_int_equal( supCompileModel( bar.character, rig, &bar.model, NULL ), sup_success );
    supDestroyRig( rig );
    supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    const supTake* takes[1] = { take };
    supTestAllocator test = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &test );
    supMorphBakeDef def = supBarBake( &bar, takes );
    def.allocator = &allocator;
    supMorphBake* whole = supBake( &def );
    int32_t calls = test.calls, tried = 0, refused = 0;
    for ( int32_t failAt = 0; failAt < calls; failAt += 1 + ( SUP_SLOW_BUILD ? failAt / 64 : 0 ) )
    {
        supMorphBake* bake = NULL;
        test = ( supTestAllocator ){ .failAt = failAt, .once = true };
        supResult result = supBakeMorphs( &def, &bake, NULL );
        refused += result == sup_errorMemory;
        ++tried;
        assert_true( result == sup_errorMemory ? bake == NULL : supIsSameBake( whole, bake ) );
        supDestroyMorphBake( bake );
    }
    print_message( "%d of %d calls failed, each alone: %d bakes refused\n", tried, calls, refused );
    assert_true( refused > tried / 2 );
    test = ( supTestAllocator ){ .failAt = -1 };
    supDestroyMorphBake( whole );
    supDestroyTake( take );
    supFreeBar( &bar );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( test_played_as_it_lives ),
        cmocka_unit_test( test_as_many_targets_as_there_are_ways_to_move ),
        cmocka_unit_test( test_flat_skin ),
        cmocka_unit_test( test_a_layer_of_the_hosts_own ),
        cmocka_unit_test( test_the_same_bits_on_any_threads ),
        cmocka_unit_test( test_nothing_moves ),
        cmocka_unit_test( test_bad_defs ),
        cmocka_unit_test( test_no_memory ),
        cmocka_unit_test( test_no_memory_for_a_moment ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
