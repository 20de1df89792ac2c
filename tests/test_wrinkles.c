// Wrinkles: the control line keeps its length, nothing where it stretches, nothing at rest.
#include "base/math.h"
#include "layers/wrinkles/folds.h"
#include "rig/model_data.h"
#include "support/limb.h"
#include "support/test_rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct supWrinkledLimb
{
    supCharacter* character;
    supModel* model;
    supBody* body;
    const void* folds; ///< compiled
} supWrinkledLimb;

/// A line along the limb where its skin goes over from "bone" to "tip".
static supResult supTryLimb( supWrinkledLimb* limb, float folds, supError* error )
{
    limb->character = supMakeLimbCharacter( 1.0f, true );
    float size = supCharacter_Size( limb->character );
    const supVec3 points[2] = { { 0.1f / size, 0.55f / size, 0.0f }, { 0.1f / size, 0.97f / size, 0.0f } };
    supWrinkleDef def = supDefaultWrinkleDef();
    def.points = ( supPointList ){ 2, points };
    def.folds = folds;
    supRig* rig = NULL;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supRig_AddItem( rig, supTestLayer( "wrinkles" ), &def, error ), sup_success );
    supResult result = supCompileModel( limb->character, rig, &limb->model, error );
    supDestroyRig( rig );
    limb->body = NULL;
    if ( result == sup_success )
    {
        assert_int_equal( supCreateBody( limb->model, &limb->body, NULL ), sup_success );
        limb->folds = limb->model->stack.layers[0].compiled;
    }
    return result;
}

static void supFreeLimb( supWrinkledLimb* limb )
{
    supDestroyBody( limb->body );
    supDestroyModel( limb->model );
    supDestroyCharacter( limb->character );
    *limb = ( supWrinkledLimb ){ 0 };
}

/// Moves the tip along the limb and skins.
static void supPullTip( supWrinkledLimb* limb, float y, supVec3* living, supVec3* smooth )
{
    supMat34 joints[3];
    memcpy( joints, supCharacter_RestJoints( limb->character ), sizeof( joints ) );
    joints[2].t.y += y;
    assert_int_equal( supBody_Step( limb->body, joints, supMat34_identity, 1.0f / 60.0f ), sup_success );
    supBody_Skin( limb->body, &living->x, NULL );
    supBody_SmoothSkin( limb->body, &smooth->x, NULL );
}

/// Every fold's piece of the line that got shorter is as long as at rest again, within 1%.
static void supTestLengthKept( void** state )
{
    (void)state;
    supWrinkledLimb limb;
    supError error = { 0 };
    static supVec3 living[SUP_LIMB_VERTICES], smooth[SUP_LIMB_VERTICES];
    if ( supTryLimb( &limb, 0.0f, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    float worst = 0.0f, least = 1.0f;
    for ( int step = 1; step <= 8; ++step )
    {
        supPullTip( &limb, -0.02f * (float)step, living, smooth );
        for ( int32_t f = 0; f < supWrinkleFolds( limb.folds, 0 ); ++f )
        {
            float rest, before = supWrinkleLength( limb.folds, 0, f, smooth, &rest );
            float after = supWrinkleLength( limb.folds, 0, f, living, &rest );
            bool shorter = before < 0.999f * rest;
            worst = shorter ? fmaxf( worst, fabsf( after / rest - 1.0f ) ) : worst;
            least = fminf( least, before / rest );
        }
    }
    print_message( "%d folds: pieces down to %.0f%% of their length, kept within %.2g%%\n",
        supWrinkleFolds( limb.folds, 0 ), 100.0 * (double)least, 100.0 * (double)worst );
    assert_true( least < 0.9f );
    assert_true( worst < 0.01f );
    supFreeLimb( &limb );
}

/// At rest, where the surface stretches, and with a height of 0: the same bits as without.
static void supTestNothingElse( void** state )
{
    (void)state;
    supWrinkledLimb limb;
    static supVec3 living[SUP_LIMB_VERTICES], smooth[SUP_LIMB_VERTICES];
    assert_int_equal( supTryLimb( &limb, 3.0f, NULL ), sup_success );
    supPullTip( &limb, 0.0f, living, smooth );
    assert_memory_equal( living, smooth, sizeof( living ) );
    supPullTip( &limb, 0.2f, living, smooth );
    assert_memory_equal( living, smooth, sizeof( living ) );
    supPullTip( &limb, -0.1f, living, smooth );
    assert_true( memcmp( living, smooth, sizeof( living ) ) != 0 );
    assert_int_equal( supBody_SetField( limb.body, supTestLayer( "wrinkles" ), 0, "height", 0.0f, NULL ), sup_success );
    supPullTip( &limb, -0.1f, living, smooth );
    assert_memory_equal( living, smooth, sizeof( living ) );
    supFreeLimb( &limb );
}

/// Folds that the mesh cannot show are refused with words.
static void supTestTooCoarse( void** state )
{
    (void)state;
    supWrinkledLimb limb = { 0 };
    supError error = { 0 };
    assert_int_equal( supTryLimb( &limb, 40.0f, &error ), sup_errorData );
    assert_non_null( strstr( error.text, "wrinkles[0].folds: the mesh is too coarse" ) );
    supFreeLimb( &limb );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestLengthKept ),
        cmocka_unit_test( supTestNothingElse ),
        cmocka_unit_test( supTestTooCoarse ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
