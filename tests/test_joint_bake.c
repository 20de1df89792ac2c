// The bake as joints: a player of our own, in double precision, against the living skin.

#include "bake/take_data.h"
#include "base/math.h"
#include "supple/lab/items.h"
#include "supple/lab/measures.h"
#include "supple/lab/states.h"
#include "support/bake_bar.h"
#include "support/hose.h"
#include "support/test_allocator.h"
#include "support/test_assets.h"

#if defined( SUP_HAS_SUPPLE_IO )
#    include "supple/io.h"
#endif

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------------------------------------------
// A player: reads the arrays as a file would hold them, and skins

/// A helper's translation at a time, as glTF interpolates it.
static supVec3d supPlayHelper( const supBakedClip* clip, int32_t helper, double time )
{
    int32_t key = 0;
    while ( key + 2 < clip->keyCount && clip->times[key + 1] <= time )
    {
        ++key;
    }
    bool cubic = clip->keys == sup_keysCubic;
    size_t width = cubic ? 9 : 3;
    const float* a = clip->translations + ( (size_t)helper * (size_t)clip->keyCount + (size_t)key ) * width;
    if ( clip->keyCount == 1 )
    {
        a += cubic ? 3 : 0;
        return ( supVec3d ){ a[0], a[1], a[2] };
    }
    const float* b = a + width;
    double d = (double)clip->times[key + 1] - clip->times[key], t = ( time - clip->times[key] ) / d;
    t = fmin( fmax( t, 0.0 ), 1.0 );
    double out[3];
    for ( int i = 0; i < 3; ++i )
    {
        if ( cubic )
        {
            out[i] = ( 2 * t * t * t - 3 * t * t + 1 ) * a[3 + i] + d * ( t * t * t - 2 * t * t + t ) * a[6 + i] +
                     ( 3 * t * t - 2 * t * t * t ) * b[3 + i] + d * ( t * t * t - t * t ) * b[i];
        }
        else
        {
            out[i] = a[i] * ( 1.0 - t ) + b[i] * t;
        }
    }
    return ( supVec3d ){ out[0], out[1], out[2] };
}

typedef struct supPlayer
{
    const supModel* model;
    const supJointBake* bake;
    const supTake* take;
    supPose* pose;
    supBody* body;
    float* living;
} supPlayer;

static supPlayer supMakePlayer( const supModel* model, const supJointBake* bake, const supTake* take )
{
    supPlayer player = { .model = model, .bake = bake, .take = take };
    const supCharacter* character = supModel_Info( model )->character;
    assert_int_equal( supCreatePose( character, NULL, &player.pose, NULL ), sup_success );
    assert_int_equal( supCreateBody( model, &player.body, NULL ), sup_success );
    player.living = calloc( (size_t)supCharacter_Info( character )->vertexCount * 3, sizeof( float ) );
    return player;
}

static void supFreePlayer( supPlayer* player )
{
    supDestroyPose( player->pose );
    supDestroyBody( player->body );
    free( player->living );
}

/// The matrix of an influence of a mesh.
static supMat34d supInfluenceMatrix(
    const supPlayer* player, const supMeshView* mesh, const supBakedClip* clip, int32_t influence, double time )
{
    const supCharacter* character = supModel_Info( player->model )->character;
    supSkinView skin = supCharacter_Skin( character, mesh->skin );
    const int32_t* skinJoints = skin.joints;
    int32_t jointCount = skin.jointCount;
    const supMat34* inverseBind = skin.inverseBind;
    const supMat34* joints = supPose_Joints( player->pose );
    if ( influence < jointCount )
    {
        return supMulMatD( supMatToDouble( joints[skinJoints[influence]] ), supMatToDouble( inverseBind[influence] ) );
    }
    supBakedHelper helper = supJointBake_Info( player->bake )->helpers[influence - jointCount];
    int32_t at = 0;
    while ( at < jointCount && skinJoints[at] != helper.joint )
    {
        ++at;
    }
    assert_true( at < jointCount );
    supMat34d local = supMat34d_identity;
    local.t = supPlayHelper( clip, influence - jointCount, time );
    supMat34d joint = supMulMatD( supMatToDouble( joints[helper.joint] ), local );
    return supMulMatD( joint, supMatToDouble( inverseBind[at] ) );
}

/// The largest distance of any vertex from the living skin at a time.
static double supPlayerError( supPlayer* player, const supBakedClip* clip, double time )
{
    const supCharacter* character = supModel_Info( player->model )->character;
    supVec3 elongations[16];
    supPose_Sample( player->pose, clip->clip, time );
    supTake_Elongations( player->take, time, elongations );
    assert_int_equal( supBody_Show( player->body, supPose_Joints( player->pose ), elongations ), sup_success );
    supBody_SetMorphWeights( player->body, supPose_MorphWeights( player->pose ) );
    supBody_Skin( player->body, player->living, NULL );
    double worst = 0.0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        supBakedMesh baked = supJointBake_Info( player->bake )->meshes[m];
        if ( !baked.changed )
        {
            continue;
        }
        static supMat34d palette[512];
        int32_t entries =
            supCharacter_Skin( character, mesh.skin ).jointCount + supJointBake_Info( player->bake )->helperCount;
        assert_true( entries <= 512 );
        for ( int32_t i = 0; i < entries; ++i )
        {
            palette[i] = supInfluenceMatrix( player, &mesh, clip, i, time );
        }
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            const float* p = mesh.positions + 3 * v;
            const float* living = player->living + 3 * ( mesh.firstVertex + v );
            supVec3d sum = { 0.0, 0.0, 0.0 };
            for ( int32_t k = 0; k < baked.influenceCount; ++k )
            {
                int32_t at = v * baked.influenceCount + k;
                supVec3d moved = supTransformPointD( palette[baked.joints[at]], ( supVec3d ){ p[0], p[1], p[2] } );
                sum = supMulAddD( sum, baked.weights[at], moved );
            }
            supVec3d off = supSubD( sum, ( supVec3d ){ living[0], living[1], living[2] } );
            worst = fmax( worst, supLengthD( off ) );
        }
    }
    return worst;
}

static supJointBake* supBake( const supModel* model, supTake* take, supKeyForm keys, int32_t influences )
{
    const supTake* takes[1] = { take };
    supJointBakeDef def = supDefaultJointBakeDef();
    def.model = model;
    def.takeCount = 1;
    def.takes = takes;
    def.keys = keys;
    def.influences = influences;
    supJointBake* bake = NULL;
    supError error = { 0 };
    if ( supBakeJoints( &def, &bake, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return bake;
}

/// Weights falling, not below 0, sum 1; indices in range.
static void supCheckInfluences( const supModel* model, const supJointBake* bake )
{
    const supCharacter* character = supModel_Info( model )->character;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        supBakedMesh baked = supJointBake_Info( bake )->meshes[m];
        int32_t entries = baked.changed ? supCharacter_Skin( character, mesh.skin ).jointCount +
                                              supJointBake_Info( bake )->helperCount
                                        : 0;
        for ( int32_t v = 0; v < mesh.vertexCount && baked.changed; ++v )
        {
            double sum = 0.0;
            for ( int32_t k = 0; k < baked.influenceCount; ++k )
            {
                int32_t at = v * baked.influenceCount + k;
                assert_in_range( baked.joints[at], 0, entries - 1 );
                assert_true( baked.weights[at] >= 0.0f );
                assert_true( k == 0 || baked.weights[at] <= baked.weights[at - 1] );
                sum += baked.weights[at];
            }
            assert_true( fabs( sum - 1.0 ) < 1e-6 );
        }
    }
}

/// At the keys to rounding, between them (at a rate that has nothing to do with theirs) within the tolerance, and the
/// report says so.
static void supCheckPlayed(
    const supModel* model, const supJointBake* bake, const supTake* take, int32_t index, double atKeys, double between )
{
    supBakedClip clip = supJointBake_Info( bake )->clips[index];
    double size = supCharacter_Info( supModel_Info( model )->character )->size;
    supPlayer player = supMakePlayer( model, bake, take );
    double worstAtKeys = 0.0, worst = 0.0;
    for ( int32_t k = 0; k < clip.keyCount; ++k )
    {
        assert_true( k == 0 || clip.times[k] > clip.times[k - 1] );
        worstAtKeys = fmax( worstAtKeys, supPlayerError( &player, &clip, clip.times[k] ) );
    }
    double start = clip.times[0], end = clip.times[clip.keyCount - 1];
    for ( double t = start; t < end; t += 1.0 / 121.7 )
    {
        worst = fmax( worst, supPlayerError( &player, &clip, t ) );
    }
    print_message( "%d keys: %.1e of the size at them (said %.1e), %.1e between (said %.1e)\n", clip.keyCount,
        worstAtKeys / size, clip.maxErrorAtKeys / size, worst / size, clip.maxError / size );
    assert_true( worstAtKeys <= atKeys * size );
    assert_true( worst <= between * size );
    assert_true( worst <= 1.2 * clip.maxError + 1e-6 * size );
    assert_true( clip.maxError <= between * size );
    assert_true( worstAtKeys <= 1.2 * clip.maxErrorAtKeys + 1e-6 * size );
    assert_true( clip.rmsError <= clip.maxError );
    supFreePlayer( &player );
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

static void test_played_as_it_lives( void** state )
{
    (void)state;
    static const supInterpolation interpolations[3] = { sup_interpolationLinear, sup_interpolationLinear,
        sup_interpolationStep };
    static const double rates[3] = { 60.0, 5.0, 12.0 };
    for ( int i = 0; i < 6; ++i )
    {
        static supBar bar;
        supInitBar( &bar );
        bar.root = supHop;
        bar.trunk = supWag;
        bar.tip = supWag;
        bar.blended = true;
        bar.interpolation = interpolations[i / 2];
        bar.fps = rates[i / 2];
        bar.end = 1.5;
        supBuildBar( &bar );
        supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
        supJointBake* bake = supBake( bar.model, take, i % 2 == 0 ? sup_keysLinear : sup_keysCubic, 8 );
        supCheckInfluences( bar.model, bake );
        assert_int_equal( supJointBake_Info( bake )->refittedCount, 0 );
        supCheckPlayed( bar.model, bake, take, 0, 1e-6, 5e-4 );
        supDestroyJointBake( bake );
        supDestroyTake( take );
        supFreeBar( &bar );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// A chain of joints in a hose

static supTake* supHoseTake( const supHose* hose )
{
    supTakeDef def = supDefaultTakeDef();
    def.model = hose->model;
    supTake* take = NULL;
    assert_int_equal( supCreateTake( &def, &take, NULL ), sup_success );
    assert_true( supTake_Info( take ).maxDisplacement > 0.01f * supCharacter_Info( hose->character )->size );
    return take;
}

/// Room for all: exact, also where elements overlap and have more than weight 1 to give. Where eight are not enough
/// either, fitted.
static void test_eight_influences_are_exact( void** state )
{
    (void)state;
    static const int influences[5] = { 1, 3, 5, 7, 8 };
    for ( int i = 0; i < 5; ++i )
    {
        supHose hose = supMakeHose( influences[i], 3, 1.0 );
        supTake* take = supHoseTake( &hose );
        supJointBake* bake = supBake( hose.model, take, sup_keysLinear, 8 );
        supCheckInfluences( hose.model, bake );
        int32_t refitted = supJointBake_Info( bake )->refittedCount;
        print_message( "%d joints a vertex: %d refitted, %d influences\n", influences[i], refitted,
            supJointBake_Info( bake )->meshes[0].influenceCount );
        assert_true( refitted == 0 || influences[i] > 5 );
        supCheckPlayed( hose.model, bake, take, 0, refitted > 0 ? 6e-4 : 1e-6, refitted > 0 ? 1e-3 : 5e-4 );
        supDestroyJointBake( bake );
        supDestroyTake( take );
        supFreeHose( &hose );
    }
}

/// Four joints a vertex and three elements, no room for any helper: fitted, the cost said, and no dents.
static void test_four_influences_are_fitted( void** state )
{
    (void)state;
    supHose hose = supMakeHose( 4, 3, 1.0 );
    float size = supCharacter_Info( hose.character )->size;
    supTake* take = supHoseTake( &hose );
    supJointBake* bake = supBake( hose.model, take, sup_keysLinear, 4 );
    supCheckInfluences( hose.model, bake );
    assert_int_equal( supJointBake_Info( bake )->meshes[0].influenceCount, 4 );
    assert_true( supJointBake_Info( bake )->refittedCount > supHoseVertices / 2 );
    print_message( "%d of %d refitted: error %.1e, jump %.1e of the size; %d helpers\n",
        supJointBake_Info( bake )->refittedCount, supHoseVertices,
        (double)( supJointBake_Info( bake )->refitError / size ),
        (double)( supJointBake_Info( bake )->refitEdgeJump / size ), supJointBake_Info( bake )->helperCount );
    assert_true(
        supJointBake_Info( bake )->refitError > 0.0f && supJointBake_Info( bake )->refitError <= 2e-3f * size );
    assert_true( supJointBake_Info( bake )->refitEdgeJump <= 1e-3f * size );
    supCheckPlayed( hose.model, bake, take, 0, 2e-3, 2.5e-3 );
    supDestroyJointBake( bake );

    // with the model's own helpers alone, as a live host needs it, it is worse but in order
    const supTake* takes[1] = { take };
    supJointBakeDef def = supDefaultJointBakeDef();
    def.model = hose.model;
    def.takeCount = 1;
    def.takes = takes;
    def.modelHelpersOnly = true;
    assert_int_equal( supBakeJoints( &def, &bake, NULL ), sup_success );
    assert_int_equal( supJointBake_Info( bake )->helperCount, supModel_Info( hose.model )->helperCount );
    supCheckInfluences( hose.model, bake );
    supCheckPlayed( hose.model, bake, take, 0, 2e-2, 2e-2 );
    supDestroyJointBake( bake );
    supDestroyTake( take );
    supFreeHose( &hose );
}

// ---------------------------------------------------------------------------------------------------------------
// The same bits, every scale, what is refused

static void supCompareBakes(
    const supJointBake* a, const supJointBake* b, int32_t helpers, double scale, double tolerance )
{
    supBakedClip first = supJointBake_Info( a )->clips[0], second = supJointBake_Info( b )->clips[0];
    assert_int_equal( first.keyCount, second.keyCount );
    assert_memory_equal( first.times, second.times, sizeof( float ) * (size_t)first.keyCount );
    for ( int32_t i = 0; i < 3 * helpers * first.keyCount; ++i )
    {
        assert_true( fabs( first.translations[i] * scale - second.translations[i] ) <= tolerance );
    }
}

static void test_same_bits_for_any_threads( void** state )
{
    (void)state;
    supHose hose = supMakeHose( 4, 3, 1.0 );
    supTake* take = supHoseTake( &hose );
    supJointBake* bakes[2];
    for ( int i = 0; i < 2; ++i )
    {
        supPool* pool;
        supPoolDef poolDef = supDefaultPoolDef();
        poolDef.workerCount = i == 0 ? 1 : 3;
        assert_int_equal( supCreatePool( &poolDef, &pool, NULL ), sup_success );
        supTasks tasks = supPool_Tasks( pool );
        const supTake* takes[1] = { take };
        supJointBakeDef def = supDefaultJointBakeDef();
        def.model = hose.model;
        def.takeCount = 1;
        def.takes = takes;
        def.tasks = &tasks;
        assert_int_equal( supBakeJoints( &def, bakes + i, NULL ), sup_success );
        supDestroyPool( pool );
    }
    int32_t helpers = supJointBake_Info( bakes[0] )->helperCount;
    assert_int_equal( helpers, supJointBake_Info( bakes[1] )->helperCount );
    supCompareBakes( bakes[0], bakes[1], helpers, 1.0, 0.0 );
    supBakedMesh a = supJointBake_Info( bakes[0] )->meshes[0], b = supJointBake_Info( bakes[1] )->meshes[0];
    assert_memory_equal( a.weights, b.weights, sizeof( float ) * 4 * supHoseVertices );
    assert_memory_equal( a.joints, b.joints, sizeof( int32_t ) * 4 * supHoseVertices );
    supDestroyJointBake( bakes[0] );
    supDestroyJointBake( bakes[1] );
    supDestroyTake( take );
    supFreeHose( &hose );
}

static void test_same_motion_at_every_scale( void** state )
{
    (void)state;
    static const double scales[3] = { 1.0, 0.01, 100.0 };
    supJointBake* bakes[3];
    supHose hoses[3];
    supTake* takes[3];
    for ( int i = 0; i < 3; ++i )
    {
        hoses[i] = supMakeHose( 2, 3, scales[i] );
        takes[i] = supHoseTake( hoses + i );
        bakes[i] = supBake( hoses[i].model, takes[i], sup_keysLinear, 8 );
        supCompareBakes( bakes[0], bakes[i], supModel_Info( hoses[i].model )->helperCount, scales[i],
            1e-5 * supCharacter_Info( hoses[i].character )->size );
    }
    for ( int i = 0; i < 3; ++i )
    {
        supDestroyJointBake( bakes[i] );
        supDestroyTake( takes[i] );
        supFreeHose( hoses + i );
    }
}

static void test_what_is_refused( void** state )
{
    (void)state;
    supHose hose = supMakeHose( 2, 1, 1.0 );
    supTake* take = supHoseTake( &hose );
    const supTake* takes[1] = { take };
    supJointBakeDef good = supDefaultJointBakeDef();
    good.model = hose.model;
    good.takeCount = 1;
    good.takes = takes;
    supJointBakeDef bad[6] = { good, good, good, good, good, good };
    bad[0].cookie = 0;
    bad[1].fps = 0.0f;
    bad[2].tolerance = NAN;
    bad[3].influences = 5;
    bad[4].takes = NULL;
    supHose other = supMakeHose( 2, 1, 1.0 );
    bad[5].model = other.model;
    for ( int i = 0; i < 6; ++i )
    {
        supJointBake* bake = (supJointBake*)&bake;
        supError error = { 0 };
        assert_int_equal( supBakeJoints( bad + i, &bake, &error ), sup_errorArgument );
        assert_null( bake );
        assert_true( error.text[0] != '\0' );
    }
    supFreeHose( &other );
    supDestroyTake( take );
    supFreeHose( &hose );
}

/// Times that were meant as milliseconds make a clip of half a day: words, and not all of the memory.
static void test_endless_clips_are_refused( void** state )
{
    (void)state;
    static supBar bar;
    supInitBar( &bar );
    bar.root = supHop;
    bar.fps = 1e-3;
    bar.end = 40000.0;
    supBuildBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    const supTake* takes[1] = { take };
    supJointBakeDef def = supDefaultJointBakeDef();
    def.model = bar.model;
    def.takeCount = 1;
    def.takes = takes;
    supJointBake* bake;
    supError error = { 0 };
    assert_int_equal( supBakeJoints( &def, &bake, &error ), sup_errorLimit );
    assert_null( bake );
    assert_non_null( strstr( error.text, "lasts 4e+04 seconds" ) );
    supDestroyTake( take );
    supFreeBar( &bar );
}

/// No flesh: nothing changes. No clips: influences alone.
static void test_nothing_to_bake( void** state )
{
    (void)state;
    supHose hose = supMakeHose( 4, 0, 1.0 );
    supTakeDef takeDef = supDefaultTakeDef();
    takeDef.model = hose.model;
    supTake* take;
    assert_int_equal( supCreateTake( &takeDef, &take, NULL ), sup_success );
    assert_true( supTake_Info( take ).maxDisplacement == 0.0f );
    supJointBake* bake = supBake( hose.model, take, sup_keysLinear, 4 );
    assert_false( supJointBake_Info( bake )->meshes[0].changed );
    assert_int_equal( supJointBake_Info( bake )->clips[0].worstVertex, -1 );
    supDestroyJointBake( bake );
    supDestroyTake( take );
    supFreeHose( &hose );

    hose = supMakeHose( 4, 2, 1.0 );
    supJointBakeDef def = supDefaultJointBakeDef();
    def.model = hose.model;
    assert_int_equal( supBakeJoints( &def, &bake, NULL ), sup_success );
    assert_int_equal( supJointBake_Info( bake )->clipCount, 0 );
    supCheckInfluences( hose.model, bake );
    supDestroyJointBake( bake );
    supFreeHose( &hose );
}

/// Memory that runs out at any place gives an error, and nothing is lost.
static void test_memory_runs_out( void** state )
{
    (void)state;
    supHose hose = supMakeHose( 4, 3, 1.0 );
    bool done = false;
    int tries = 0;
    for ( int allowed = 0; !done; allowed += 1 + allowed / 8, ++tries )
    {
        supTestAllocator counted = { .failAt = allowed };
        supAllocator allocator = supMakeTestAllocator( &counted );
        supTakeDef takeDef = supDefaultTakeDef();
        takeDef.model = hose.model;
        takeDef.allocator = &allocator;
        supTake* take;
        supJointBake* bake = NULL;
        supResult result = supCreateTake( &takeDef, &take, NULL );
        if ( result == sup_success )
        {
            const supTake* takes[1] = { take };
            supJointBakeDef def = supDefaultJointBakeDef();
            def.model = hose.model;
            def.takeCount = 1;
            def.takes = takes;
            def.allocator = &allocator;
            result = supBakeJoints( &def, &bake, NULL );
            supPastBone past;
            result = result == sup_success ? supTake_PastBone( take, 10.0, &past, NULL ) : result;
        }
        assert_true( result == sup_success || result == sup_errorMemory );
        done = result == sup_success;
        supDestroyJointBake( bake );
        supDestroyTake( take );
        assert_true( counted.live == 0 );
    }
    assert_true( tries > 10 );
    supFreeHose( &hose );
}

// ---------------------------------------------------------------------------------------------------------------
// A real character

#if defined( SUP_HAS_SUPPLE_IO )
static void supAddElement( supRig* rig, const char* driver, const char* end, float frequency, float forward )
{
    supElementDef def = supDefaultElementDef();
    def.driver = driver;
    def.ends = ( supNameList ){ 1, &end };
    def.frequency = frequency;
    def.dampingRatio = 0.25f;
    def.facing = ( supVec3 ){ 0.0f, 0.0f, forward };
    def.spread = 1.6f;
    supError error = { 0 };
    if ( supRig_AddElement( rig, &def, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
}

/// For a host that drives the model's helpers: with eight influences exact to rounding, and nothing between keys; with
/// four the cost is what it is, and is said.
static void supCheckDriven( const supModel* model, const supTake* const* takes, int32_t clips )
{
    float size = supCharacter_Info( supModel_Info( model )->character )->size, worst[2] = { 0.0f, 0.0f };
    for ( int i = 0; i < 2; ++i )
    {
        supJointBakeDef def = supDefaultJointBakeDef();
        def.model = model;
        def.takeCount = clips;
        def.takes = takes;
        def.influences = 4 + 4 * i;
        def.modelHelpersOnly = true;
        supJointBake* bake = NULL;
        assert_int_equal( supBakeJoints( &def, &bake, NULL ), sup_success );
        assert_int_equal( supJointBake_Info( bake )->helperCount, supModel_Info( model )->helperCount );
        for ( int32_t c = 0; c < clips; ++c )
        {
            supBakedClip clip = supJointBake_Info( bake )->clips[c];
            assert_true( clip.maxError == clip.maxErrorAtKeys );
            worst[i] = fmaxf( worst[i], clip.maxError );
        }
        print_message( "driven, %d influences: %d refitted, error %.1e, jump %.1e of the size\n", def.influences,
            supJointBake_Info( bake )->refittedCount, (double)( worst[i] / size ),
            (double)( supJointBake_Info( bake )->refitEdgeJump / size ) );
        assert_true( supJointBake_Info( bake )->refitError <= 1.2f * worst[i] + 1e-6f * size );
        supDestroyJointBake( bake );
    }
    assert_true( worst[1] <= 1e-5f * size && worst[0] <= 1e-2f * size && worst[0] > worst[1] );
}

/// All clips of the heavy man with belly, chest, seat, thighs and arms: four influences within the figures, eight
/// exact.
static void test_heavy_man( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char path[512];
    if ( !supTestAssetPath( "mh_human/mh_heavy.glb", path, sizeof( path ) ) )
    {
        print_message( "skipped: no mh_heavy.glb\n" );
        skip();
    }
    supCharacter* character = NULL;
    supModel* model = NULL;
    supRig* rig = NULL;
    supError error = { 0 };
    if ( supLoadGltf( path, &character, &error ) != sup_success || supCreateRig( NULL, &rig, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supAddElement( rig, "LowerBack", "Spine1", 2.5f, 1.0f );
    supAddElement( rig, "Spine1", "Neck", 3.5f, 1.0f );
    supAddElement( rig, "Hips", "LowerBack", 3.0f, -1.0f );
    supAddElement( rig, "LeftUpLeg", "LeftLeg", 4.0f, 0.0f );
    supAddElement( rig, "RightUpLeg", "RightLeg", 4.0f, 0.0f );
    supAddElement( rig, "LeftArm", "LeftForeArm", 5.0f, 0.0f );
    supAddElement( rig, "RightArm", "RightForeArm", 5.0f, 0.0f );
    if ( supCompileModel( character, rig, &model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supTake* takes[8];
    int32_t clips = supCharacter_Info( character )->clipCount;
    assert_in_range( clips, 1, 8 );
    for ( int32_t i = 0; i < clips; ++i )
    {
        supTakeDef def = supDefaultTakeDef();
        def.model = model;
        def.clip = i;
        assert_int_equal( supCreateTake( &def, takes + i, &error ), sup_success );
    }
    for ( int32_t influences = 4; influences <= 8; influences += 4 )
    {
        supJointBakeDef def = supDefaultJointBakeDef();
        def.model = model;
        def.takeCount = clips;
        def.takes = (const supTake* const*)takes;
        def.influences = influences;
        supJointBake* bake = NULL;
        assert_int_equal( supBakeJoints( &def, &bake, &error ), sup_success );
        supCheckInfluences( model, bake );
        float size = supCharacter_Info( character )->size;
        print_message( "%d influences: %d refitted, error %.1e, jump %.1e of the size, %d helpers\n", influences,
            supJointBake_Info( bake )->refittedCount, (double)( supJointBake_Info( bake )->refitError / size ),
            (double)( supJointBake_Info( bake )->refitEdgeJump / size ), supJointBake_Info( bake )->helperCount );
        assert_true( supJointBake_Info( bake )->refitEdgeJump <= 1e-3f * size );
        for ( int32_t i = 0; i < clips; ++i )
        {
            supBakedClip clip = supJointBake_Info( bake )->clips[i];
            assert_true( clip.maxErrorAtKeys <= ( influences == 8 ? 1e-5f : 2e-3f ) * size );
            assert_true( clip.maxError <= ( influences == 8 ? 5e-4f : 2e-3f ) * size );
        }
        supCheckPlayed( model, bake, takes[0], 0, influences == 8 ? 1e-6 : 2e-3, influences == 8 ? 5e-4 : 2e-3 );
        supDestroyJointBake( bake );
    }
    supCheckDriven( model, (const supTake* const*)takes, clips );
    for ( int32_t i = 0; i < clips; ++i )
    {
        supDestroyTake( takes[i] );
    }
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCharacter( character );
}
#endif

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( test_played_as_it_lives ),
        cmocka_unit_test( test_eight_influences_are_exact ),
        cmocka_unit_test( test_four_influences_are_fitted ),
        cmocka_unit_test( test_same_bits_for_any_threads ),
        cmocka_unit_test( test_same_motion_at_every_scale ),
        cmocka_unit_test( test_what_is_refused ),
        cmocka_unit_test( test_endless_clips_are_refused ),
        cmocka_unit_test( test_nothing_to_bake ),
        cmocka_unit_test( test_memory_runs_out ),
#if defined( SUP_HAS_SUPPLE_IO )
        cmocka_unit_test( test_heavy_man ),
#endif
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
