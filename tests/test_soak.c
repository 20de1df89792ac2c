// Hours on stage: bodies of every layer under random clips, cuts, teleports, edits, poses that are no numbers and
// changing frame times. The skin stays finite and near the smooth one, nothing has to be healed, memory does not grow,
// and a body that has lived through all of it is, once calm, where a fresh one is. SUPPLE_SOAK_SECONDS: how long, in
// simulated seconds (./run soak: 24 hours of each rig); else 20.
#include "support/limb.h"
#include "support/whole_rig.h"

#include "supple/lab/states.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct supSoak
{
    const supCharacter* character;
    supBody* body;
    uint32_t random;
    double phase, rate; ///< of the swing that stands for a clip
    supMat34 world;
    int64_t refused;
} supSoak;

static uint32_t supRoll( supSoak* soak, uint32_t below )
{
    soak->random = soak->random * 1664525u + 1013904223u;
    return ( soak->random >> 8 ) % below;
}

static double supSoakSeconds( void )
{
    const char* text = getenv( "SUPPLE_SOAK_SECONDS" );
    return text != NULL ? atof( text ) : 20.0;
}

/// A swing, a cut to another one, now and then a pose that is no number.
static bool supPoseSoak( supSoak* soak, float dt, supMat34 joints[3] )
{
    memcpy( joints, supCharacter_Info( soak->character )->restJoints, 3 * sizeof( supMat34 ) );
    if ( supRoll( soak, 300 ) == 0 ) // a cut
    {
        soak->phase = supRoll( soak, 628 ) / 100.0;
        soak->rate = 1.0 + supRoll( soak, 12 );
    }
    soak->phase += soak->rate * (double)dt;
    joints[1].t.x += 0.03f * (float)sin( soak->phase );
    joints[2].t.x += 0.05f * (float)sin( 1.3 * soak->phase );
    joints[2].t.y -= 0.04f * (float)( 1.0 - cos( soak->phase ) );
    static const float odd[] = { NAN, INFINITY, 1e30f, -1e20f };
    bool bad = supRoll( soak, 200 ) == 0;
    if ( bad )
    {
        ( &joints[0].x.x )[supRoll( soak, 36 )] = odd[supRoll( soak, 4 )];
    }
    return bad;
}

static float supFrameTime( supSoak* soak )
{
    static const float times[] = { 1.0f / 60.0f, 1.0f / 30.0f, 1.0f / 144.0f, 0.25f, 0.0f };
    uint32_t kind = supRoll( soak, 100 );
    return times[kind < 90 ? 0 : kind < 94 ? 1 : kind < 97 ? 2 : kind < 99 ? 3 : 4];
}

/// How far the living skin is from the smooth one, at most; fails the test where it is no number. Metres
static float supSkinLeaves( const supBody* body )
{
    static float skins[2][3 * SUP_LIMB_VERTICES];
    supBody_Skin( body, skins[0], NULL );
    supBody_SmoothSkin( body, skins[1], NULL );
    float most = 0.0f;
    for ( int i = 0; i < 3 * SUP_LIMB_VERTICES; ++i )
    {
        assert_true( isfinite( skins[0][i] ) );
        most = fmaxf( most, fabsf( skins[0][i] - skins[1][i] ) );
    }
    return most;
}

static void supLiveFrame( supSoak* soak )
{
    float dt = supFrameTime( soak );
    supMat34 joints[3];
    bool bad = supPoseSoak( soak, dt, joints );
    uint32_t event = supRoll( soak, 2000 );
    if ( event == 0 )
    {
        supMat34 to = supMoved( (float)supRoll( soak, 100 ), 0.0f, (float)supRoll( soak, 100 ) );
        supBody_Teleport( soak->body, soak->world, to );
        soak->world = to;
    }
    else if ( event == 1 )
    {
        supBody_Push( soak->body, 0, ( supVec3 ){ 0.05f, 0.0f, 0.02f } );
    }
    else if ( event == 2 )
    {
        supBody_SetWind( soak->body, ( supVec3 ){ (float)supRoll( soak, 10 ), 0.0f, 0.0f } );
    }
    else if ( event == 3 )
    {
        supBody_Reset( soak->body );
    }
    soak->world.t.x += 0.01f * (float)sin( 0.7 * soak->phase );
    supResult result = supBody_Step( soak->body, joints, soak->world, dt );
    assert_true( bad || result == sup_success );
    soak->refused += result != sup_success;
}

/// Both held at rest in one place until they are calm: the one that has lived ends where the fresh one does.
static float supCompareCalm( supSoak* soak, const supModel* model )
{
    static float skins[2][3 * SUP_LIMB_VERTICES];
    supBody* fresh = NULL;
    assert_int_equal( supCreateBody( model, &fresh, NULL ), sup_success );
    supBody* bodies[2] = { soak->body, fresh };
    for ( int b = 0; b < 2; ++b )
    {
        supBody_SetWind( bodies[b], supVec3_zero );
        for ( int i = 0; i < 1800; ++i )
        {
            assert_int_equal(
                supBody_Step( bodies[b], supCharacter_Info( soak->character )->restJoints, soak->world, 1.0f / 60.0f ),
                sup_success );
        }
        supBody_Skin( bodies[b], skins[b], NULL );
    }
    float most = 0.0f;
    for ( int i = 0; i < 3 * SUP_LIMB_VERTICES; ++i )
    {
        most = fmaxf( most, fabsf( skins[0][i] - skins[1][i] ) );
    }
    supDestroyBody( fresh );
    return most;
}

static void supSoakRig( bool withCurves )
{
    supWholeRig whole = supMakeWholeRig( withCurves );
    supSoak soak = { .character = whole.character, .random = 7, .rate = 3.0, .world = supMat34_identity };
    assert_int_equal( supCreateBody( whole.model, &soak.body, NULL ), sup_success );
    float most = 0.0f;
    int64_t frames = (int64_t)( 60.0 * supSoakSeconds() );
    for ( int64_t frame = 0; frame < frames; ++frame )
    {
        supLiveFrame( &soak );
        most = frame % 30 == 0 ? fmaxf( most, supSkinLeaves( soak.body ) ) : most;
    }
    int64_t healed = supBody_Counts( soak.body ).healed;
    float apart = supCompareCalm( &soak, whole.model );
    print_message( "%s: %lld frames, %lld refused, healed %lld times; flesh left the smooth skin by %.3f m at most; "
                   "once calm %.2g m from a fresh body\n",
        withCurves ? "all layers" : "without curves", (long long)frames, (long long)soak.refused, (long long)healed,
        (double)most, (double)apart );
    assert_int_equal( healed, 0 );
    assert_true( soak.refused > 0 || frames < 2000 );
    assert_true( most < 0.5f );
    assert_true( apart < 1e-4f );
    supDestroyBody( soak.body );
    supDropWholeRig( &whole );
}

static void supTestHours( void** state )
{
    (void)state;
    supSoakRig( false );
    supSoakRig( true );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestHours ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
