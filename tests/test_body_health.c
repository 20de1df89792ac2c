// A body on stage for hours: what is finite but absurd is refused, and what comes to no number all the same heals.
#include "body/body_data.h"
#include "layers/flesh/flesh.h"
#include "support/limb.h"
#include "support/whole_rig.h"

#include "supple/crowd.h"
#include "supple/lab/hashes.h"
#include "supple/lab/states.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef enum supAbsurd
{
    sup_absurdWorldAxis, ///< one axis of the world, all of them, its place
    sup_absurdWorldScale,
    sup_absurdWorldPlace,
    sup_absurdJoints, ///< every number of every joint, an axis, the places
    sup_absurdJointAxis,
    sup_absurdJointPlace,
    sup_absurdLongStep,
    sup_absurdShortStep,
    sup_absurdWind, ///< what is set and called between two steps
    sup_absurdGravity,
    sup_absurdTeleport,
    sup_absurdPush,
    sup_absurdForce,
    sup_absurdCount,
} supAbsurd;

static const float supFrame = 1.0f / 60.0f;

static bool supIsSkinFinite( const supBody* body )
{
    static float skin[2][3 * SUP_LIMB_VERTICES];
    supBody_Skin( body, skin[0], skin[1] );
    bool finite = true;
    for ( int i = 0; i < 3 * SUP_LIMB_VERTICES && finite; ++i )
    {
        finite = isfinite( skin[0][i] ) && isfinite( skin[1][i] );
    }
    return finite;
}

/// One frame with 10 to the power of `power` in it. Whether the body took it.
static bool supStepAbsurd( supBody* body, const supCharacter* character, supAbsurd kind, int power )
{
    float s = powf( 10.0f, (float)power ), dt = supFrame;
    supMat34 joints[3], world = supMat34_identity, far = supMoved( s, 0.0f, 0.0f );
    memcpy( joints, supCharacter_Info( character )->restJoints, sizeof( joints ) );
    world.x.x = kind == sup_absurdWorldAxis || kind == sup_absurdWorldScale ? s : 1.0f;
    world.y.y = world.z.z = kind == sup_absurdWorldScale ? s : 1.0f;
    world.t.x = kind == sup_absurdWorldPlace ? s : 0.02f;
    for ( int i = 0; i < 36; ++i )
    {
        bool axis = i % 12 == 0, place = i % 12 == 10;
        ( &joints[0].x.x )[i] *= kind == sup_absurdJoints || ( kind == sup_absurdJointAxis && axis ) ? s : 1.0f;
        ( &joints[0].x.x )[i] += kind == sup_absurdJointPlace && place ? s : 0.0f;
    }
    dt = kind == sup_absurdLongStep ? s : kind == sup_absurdShortStep ? 1.0f / s : dt;
    supVec3 vector = { s, 0.0f, 0.0f };
    for ( int i = 0; i < 4; ++i )
    {
        switch ( kind )
        {
            case sup_absurdWind:
                supBody_SetWind( body, vector );
                break;
            case sup_absurdGravity:
                supBody_SetGravity( body, vector );
                break;
            case sup_absurdTeleport:
                supBody_Teleport( body, supMat34_identity, far );
                break;
            case sup_absurdPush:
                supBody_Push( body, 0, vector );
                break;
            case sup_absurdForce:
                supBody_ForceAt( body, SUP_LIMB_VERTICES / 2, vector, NULL );
                break;
            default:
                break;
        }
    }
    return supBody_Step( body, joints, world, dt ) == sup_success;
}

static void supCalm( supBody* body, const supCharacter* character, int frames )
{
    supBody_SetWind( body, supVec3_zero );
    supBody_SetGravity( body, ( supVec3 ){ 0.0f, -9.81f, 0.0f } );
    for ( int i = 0; i < frames; ++i )
    {
        assert_int_equal( supBody_Step( body, supCharacter_Info( character )->restJoints, supMat34_identity, supFrame ),
            sup_success );
    }
}

/// Each kind of the absurd, at every power of ten from 100 on, in one frame of many. A body that took it is finite a
/// second later; one that refused it is, bit for bit, as if it had never been.
static void supTryAbsurd( const supModel* model, const supCharacter* character, bool undamped, int stride )
{
    for ( int kind = 0; kind < sup_absurdCount; ++kind )
    {
        for ( int power = 2; power <= 38; power += stride )
        {
            supBody *body = NULL, *other = NULL;
            assert_int_equal( supCreateBody( model, &body, NULL ), sup_success );
            assert_int_equal( supCreateBody( model, &other, NULL ), sup_success );
            for ( int e = 0; undamped && e < supModel_Info( model )->elementCount; ++e )
            {
                supElementTuning tuning = supBody_Tuning( body, e );
                tuning.dampingRatio = 0.0f;
                assert_int_equal( supBody_Tune( body, e, &tuning, NULL ), sup_success );
                assert_int_equal( supBody_Tune( other, e, &tuning, NULL ), sup_success );
            }
            supCalm( body, character, 4 );
            supCalm( other, character, 4 );
            bool took = supStepAbsurd( body, character, (supAbsurd)kind, power );
            if ( !supIsSkinFinite( body ) )
            {
                fail_msg( "kind %d, 1e%d: no skin right after the step, which was %s", kind, power,
                    took ? "taken" : "refused" );
            }
            supCalm( body, character, 60 );
            supCalm( other, character, 60 );
            if ( !supIsSkinFinite( body ) )
            {
                fail_msg( "kind %d, 1e%d: no skin a second later", kind, power );
            }
            if ( !took && supBody_Hash( body ) != supBody_Hash( other ) )
            {
                fail_msg( "kind %d, 1e%d: refused, but the body is another", kind, power );
            }
            supDestroyBody( body );
            supDestroyBody( other );
        }
    }
}

static void supTestAbsurdFlesh( void** state )
{
    (void)state;
    supElementDef element = supLimbElement();
    element.airFriction = 1.0f;
    supLimb limb =
        supMakeLimb( ( supLimbDef ){ .scale = 1.0f, .blended = true, .elements = &element, .elementCount = 1 } );
    supTryAbsurd( limb.model, limb.character, false, 1 );
    supTryAbsurd( limb.model, limb.character, true, 1 );
    supDropLimb( &limb );
}

static void supTestAbsurdLayers( void** state )
{
    (void)state;
    supWholeRig whole = supMakeWholeRig( true );
    supTryAbsurd( whole.model, whole.character, false, 4 );
    supDropWholeRig( &whole );
}

/// A speed that is no number, put into the springs behind the body's back: the step goes back to the last good state,
/// counts it, and the body lives on as one that was never hurt.
static void supTestHealsFlesh( void** state )
{
    (void)state;
    supElementDef element = supLimbElement();
    supLimb limb = supMakeLimb( ( supLimbDef ){ .scale = 1.0f, .elements = &element, .elementCount = 1 } );
    const supMat34* rest = supCharacter_Info( limb.character )->restJoints;
    supCalm( limb.body, limb.character, 4 );
    supBody_Push( limb.body, 0, ( supVec3 ){ 0.1f, 0.0f, 0.0f } );
    supCalm( limb.body, limb.character, 4 );
    uint64_t good = supBody_Hash( limb.body );
    supSetFleshVec3( limb.body->layers.layers[0].state, sup_rowS, 0, ( supVec3 ){ INFINITY, 0.0f, 0.0f } );
    assert_int_equal( supBody_Step( limb.body, rest, supMat34_identity, supFrame ), sup_success );
    assert_int_equal( supBody_Counts( limb.body ).healed, 1 );
    assert_true( supBody_Hash( limb.body ) == good );
    assert_true( supIsSkinFinite( limb.body ) );
    supCalm( limb.body, limb.character, 60 );
    assert_int_equal( supBody_Counts( limb.body ).healed, 1 );
    assert_true( supIsSkinFinite( limb.body ) );
    assert_true( supBody_Hash( limb.body ) != good );
    supDropLimb( &limb );
}

/// Where the last good state leads to no number too, the body starts anew.
static void supTestHealsTwice( void** state )
{
    (void)state;
    supWholeRig whole = supMakeWholeRig( false );
    const supMat34* rest = supCharacter_Info( whole.character )->restJoints;
    supBody* body = NULL;
    assert_int_equal( supCreateBody( whole.model, &body, NULL ), sup_success );
    supCalm( body, whole.character, 4 );
    memset( body->layers.shown, 0xff, sizeof( float ) * (size_t)body->layers.shownCount );
    memset( body->kept.shown, 0xff, sizeof( float ) * (size_t)body->layers.shownCount );
    memset( ( (supFleshState*)body->kept.states )->rows, 0xff, sizeof( float ) * SUP_FLESH_LANES );
    supSetFleshVec3( body->layers.layers[0].state, sup_rowS, 0, ( supVec3 ){ NAN, 0.0f, 0.0f } );
    assert_int_equal( supBody_Step( body, rest, supMat34_identity, supFrame ), sup_success );
    assert_int_equal( supBody_Step( body, rest, supMat34_identity, supFrame ), sup_success );
    assert_int_equal( supBody_Counts( body ).healed, 2 );
    assert_true( supIsSkinFinite( body ) );
    supCalm( body, whole.character, 30 );
    assert_int_equal( supBody_Counts( body ).healed, 2 );
    assert_true( supIsSkinFinite( body ) );
    supDestroyBody( body );
    supDropWholeRig( &whole );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestAbsurdFlesh ), cmocka_unit_test( supTestAbsurdLayers ),
        cmocka_unit_test( supTestHealsFlesh ), cmocka_unit_test( supTestHealsTwice ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
