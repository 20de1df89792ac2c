// The bake as joints: a player of our own, in double precision, against the living skin.

#include "bake/take_data.h"
#include "base/math.h"
#include "support/bake_bar.h"

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
    const supCharacter* character = supModel_Character( model );
    assert_int_equal( supCreatePose( character, NULL, &player.pose, NULL ), sup_success );
    assert_int_equal( supCreateBody( model, &player.body, NULL ), sup_success );
    player.living = calloc( (size_t)supCharacter_VertexCount( character ) * 3, sizeof( float ) );
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
    const supCharacter* character = supModel_Character( player->model );
    const int32_t* skinJoints;
    int32_t jointCount = supCharacter_SkinJoints( character, mesh->skin, &skinJoints );
    const supMat34* inverseBind = supCharacter_SkinInverseBind( character, mesh->skin );
    const supMat34* joints = supPose_Joints( player->pose );
    if ( influence < jointCount )
    {
        return supMulMatD( supMatToDouble( joints[skinJoints[influence]] ), supMatToDouble( inverseBind[influence] ) );
    }
    supBakedHelper helper = supJointBake_Helper( player->bake, influence - jointCount );
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
    const supCharacter* character = supModel_Character( player->model );
    supVec3 elongations[16];
    supPose_Sample( player->pose, clip->clip, time );
    supTake_Elongations( player->take, time, elongations );
    assert_int_equal( supBody_Show( player->body, supPose_Joints( player->pose ), elongations ), sup_success );
    supBody_SetMorphWeights( player->body, supPose_MorphWeights( player->pose ) );
    supBody_Skin( player->body, player->living, NULL );
    double worst = 0.0;
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        supBakedMesh baked = supJointBake_Mesh( player->bake, m );
        if ( !baked.changed )
        {
            continue;
        }
        static supMat34d palette[512];
        int32_t entries =
            supCharacter_SkinJoints( character, mesh.skin, NULL ) + supJointBake_HelperCount( player->bake );
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
    const supCharacter* character = supModel_Character( model );
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        supBakedMesh baked = supJointBake_Mesh( bake, m );
        int32_t entries = baked.changed
                              ? supCharacter_SkinJoints( character, mesh.skin, NULL ) + supJointBake_HelperCount( bake )
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
    supBakedClip clip = supJointBake_Clip( bake, index );
    double size = supCharacter_Size( supModel_Character( model ) );
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
        assert_int_equal( supJointBake_RefittedCount( bake ), 0 );
        supCheckPlayed( bar.model, bake, take, 0, 1e-6, 5e-4 );
        supDestroyJointBake( bake );
        supDestroyTake( take );
        supFreeBar( &bar );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( test_played_as_it_lives ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
