// Wrinkles: the control line keeps its length, nothing where it stretches, nothing at rest.
#include "base/math.h"
#include "layers/wrinkles/wrinkles.h"
#include "rig/model_data.h"
#include "supple/bake.h"
#include "supple/creatures.h"
#include "supple/lab/measures.h"
#include "supple/lab/states.h"
#include "support/limb.h"
#include "support/strip.h"
#include "support/test_allocator.h"
#include "support/test_assets.h"
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
    float size = supCharacter_Info( limb->character )->size;
    const supVec3 points[2] = { { 0.1f / size, 0.55f / size, 0.0f }, { 0.1f / size, 0.97f / size, 0.0f } };
    supWrinkleDef def = supDefaultWrinkleDef();
    def.points = ( supPointList ){ 2, points };
    def.folds = folds;
    supRig* rig = NULL;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supRig_AddItem( rig, supFindLayer( "wrinkles" ), &def, error ), sup_success );
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
    memcpy( joints, supCharacter_Info( limb->character )->restJoints, sizeof( joints ) );
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
    assert_int_equal( supBody_SetField( limb.body, supFindLayer( "wrinkles" ), 0, "height", 0.0f, NULL ), sup_success );
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

// ---------------------------------------------------------------------------------------------------------------
// A strip whose shortening is known

/// Compiles one wrinkle on the strip, presses it, and skins it. `skins`: smooth, then living.
static supResult supPressStrip( const supCharacter* strip, const supWrinkleDef* def, supModel** model,
    supVec3 skins[2][2 * SUP_STRIP_VERTICES], supError* error )
{
    supRig* rig = NULL;
    supBody* body = NULL;
    supPose* pose = NULL;
    *model = NULL;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    supResult result = supRig_AddItem( rig, supFindLayer( "wrinkles" ), def, error );
    result = result == sup_success ? supCompileModel( strip, rig, model, error ) : result;
    supDestroyRig( rig );
    if ( result != sup_success )
    {
        return result;
    }
    assert_int_equal( supCreateBody( *model, &body, NULL ), sup_success );
    assert_int_equal( supCreatePose( strip, NULL, &pose, NULL ), sup_success );
    supPose_Sample( pose, 0, 1.0 );
    assert_int_equal( supBody_Step( body, supPose_Joints( pose ), supMat34_identity, 0.0f ), sup_success );
    supBody_SmoothSkin( body, &skins[0][0].x, NULL );
    supBody_Skin( body, &skins[1][0].x, NULL );
    supDestroyPose( pose );
    supDestroyBody( body );
    return sup_success;
}

static supVec3 sup_skins[2][2 * SUP_STRIP_VERTICES];

/// All folds as long as at rest within 1%, of pieces that were shorter.
static void supCheckFolds( const supModel* model, float least )
{
    const void* folds = model->stack.layers[0].compiled;
    float worst = 0.0f, shortest = 1.0f;
    for ( int32_t f = 0; f < supWrinkleFolds( folds, 0 ); ++f )
    {
        float rest, before = supWrinkleLength( folds, 0, f, sup_skins[0], &rest );
        float after = supWrinkleLength( folds, 0, f, sup_skins[1], &rest );
        shortest = fminf( shortest, before / rest );
        worst = before < 0.999f * rest ? fmaxf( worst, fabsf( after / rest - 1.0f ) ) : worst;
    }
    print_message( "%d folds: pieces down to %.1f%%, kept within %.2g%%\n", supWrinkleFolds( folds, 0 ),
        100.0 * (double)shortest, 100.0 * (double)worst );
    assert_true( worst < 0.01f );
    assert_true( fabsf( shortest - least ) < 0.01f );
}

/// The line is found where the strip shortens most: by three tenths between x = 0.6 and 0.8, along x. Named meshes
/// alone are searched and folded: here the coat.
static void supTestFound( void** state )
{
    (void)state;
    static const char* const coat[1] = { "coat" };
    supCharacter* strip = supMakeStrip();
    supModel* model = NULL;
    supError error = { 0 };
    supWrinkleDef def = supDefaultWrinkleDef();
    float size = supCharacter_Info( strip )->size;
    def.length = 0.2f / size;
    def.width = 0.05f / size;
    def.meshes = ( supNameList ){ 1, coat };
    if ( supPressStrip( strip, &def, &model, sup_skins, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    const supVec3* rest = (const supVec3*)supCharacter_Info( strip )->restPositions;
    float low = 2.0f, high = -2.0f, risen = 0.0f;
    for ( int32_t v = 0; v < 2 * SUP_STRIP_VERTICES; ++v )
    {
        float rise = sup_skins[1][v].z - sup_skins[0][v].z;
        assert_true( v >= SUP_STRIP_VERTICES || rise == 0.0f );
        low = rise > 0.0f ? fminf( low, rest[v].x ) : low;
        high = rise > 0.0f ? fmaxf( high, rest[v].x ) : high;
        risen = fmaxf( risen, rise );
    }
    print_message( "found: folds %.3f m high from x = %.2f to %.2f\n", (double)risen, (double)low, (double)high );
    // nothing rises where nothing shortens; an edge is 0.01 m long
    assert_true( low > 0.585f && low < 0.65f && high > 0.75f && high < 0.815f && risen > 0.005f );
    supCheckFolds( model, 0.7f );
    supDestroyModel( model );
    supDestroyCharacter( strip );
}

/// A line over listed vertices, by rising value; words for those that are not there.
static void supTestListed( void** state )
{
    (void)state;
    int32_t vertices[5];
    float values[5];
    for ( int i = 0; i < 5; ++i )
    {
        vertices[i] = 10 * SUP_STRIP_ALONG + 60 + 5 * i;
        values[i] = 1.0f - 0.25f * (float)i; // from right to left
    }
    supCharacter* strip = supMakeStrip();
    supModel* model = NULL;
    supError error = { 0 };
    supVertexValues paint = { "skin", 0, 5, vertices, values };
    supWrinkleDef def = supDefaultWrinkleDef();
    def.vertices = ( supVertexValueList ){ 1, &paint, supCharacter_Info( strip )->fingerprint };
    def.width = 0.05f / supCharacter_Info( strip )->size;
    def.folds = 4.0f;
    if ( supPressStrip( strip, &def, &model, sup_skins, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supCheckFolds( model, 0.7f );
    supDestroyModel( model );

    vertices[4] = SUP_STRIP_VERTICES;
    assert_int_equal( supPressStrip( strip, &def, &model, sup_skins, &error ), sup_errorData );
    assert_non_null( strstr( error.text, "wrinkles[0].vertices.meshes[0].vertices[4]: " ) );
    paint.mesh = "skins";
    assert_int_not_equal( supPressStrip( strip, &def, &model, sup_skins, &error ), sup_success );
    assert_non_null( strstr( error.text, "did you mean \"skin\"" ) );
    paint.mesh = "skin";
    def.vertices.fingerprint += 1;
    assert_int_not_equal( supPressStrip( strip, &def, &model, sup_skins, &error ), sup_success );
    assert_non_null( strstr( error.text, "fingerprint" ) );
    paint.count = 1;
    assert_int_not_equal( supPressStrip( strip, &def, &model, sup_skins, &error ), sup_success );
    assert_non_null( strstr( error.text, "1 makes no line" ) );
    supDestroyCharacter( strip );
}

/// Whatever allocation fails while a line is searched for, it says so and leaks nothing. The search used to take clips
/// that it could not look at for clips that shorten nothing.
static void supTestNoMemory( void** state )
{
    (void)state;
    supCharacter* strip = supMakeStrip();
    supWrinkleDef def = supDefaultWrinkleDef();
    def.length = 0.2f / supCharacter_Info( strip )->size;
    const void* items[1] = { &def };
    supTestAllocator counter = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &counter );
    supLayerContext context = { .character = strip, .allocator = &allocator };
    void* compiled = NULL;
    supError error;
    assert_int_equal( supCompileWrinkles( &context, items, 1, &compiled, &error ), sup_success );
    supDestroyWrinkles( compiled, &allocator );
    assert_int_equal( counter.live, 0 );
    int32_t calls = counter.calls;
    assert_true( calls > 8 );
    for ( int32_t at = 0; at < calls; ++at )
    {
        counter = ( supTestAllocator ){ .failAt = at };
        assert_int_equal( supCompileWrinkles( &context, items, 1, &compiled, &error ), sup_errorMemory );
        assert_null( compiled );
        assert_int_equal( counter.live, 0 );
    }
    supDestroyCharacter( strip );
}

/// On the cat, lines are found on the surface itself, along it, and not across the gap to another limb: the search is
/// held to what the folds keep.
static void supTestFoundOnCat( void** state )
{
    (void)state;
    supCreature* creature = NULL;
    supRig* rig = NULL;
    supModel* model = NULL;
    supTake* take = NULL;
    supError error = { 0 };
    static const char* const joints[] = { "upperArm.L", "upperArm.R", "spine" };
    enum
    {
        supLines = SUP_SLOW_BUILD ? 1 : 3
    };
    assert_int_equal( supCreateCreature( "cat:4000", NULL, &creature, NULL ), sup_success );
    const supCharacter* cat = supCreature_Character( creature );
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    for ( int i = 0; i < supLines; ++i )
    {
        supWrinkleDef def = supDefaultWrinkleDef();
        def.joint = joints[i];
        def.length = 0.12f;
        def.folds = 3.0f;
        assert_int_equal( supRig_AddItem( rig, supFindLayer( "wrinkles" ), &def, NULL ), sup_success );
    }
    if ( supCompileModel( cat, rig, &model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supTakeDef takeDef = supDefaultTakeDef();
    takeDef.model = model;
    takeDef.clip = supCharacter_FindClip( cat, "jump" );
    assert_int_equal( supCreateTake( &takeDef, &take, NULL ), sup_success );
    supWrinkleReport reports[3];
    assert_int_equal( supMeasureWrinkles( model, (const supTake* const*)&take, 1, reports, NULL ), sup_success );
    for ( int i = 0; i < supLines; ++i )
    {
        float asked = 0.12f * supCharacter_Info( cat )->size;
        print_message( "cat's %s: %.3f m of %.3f asked, shortened by %.0f%%, kept within %.2g%%, stretched %.2g%%\n",
            reports[i].name, (double)reports[i].length, (double)asked, 100.0 * (double)reports[i].without,
            100.0 * (double)reports[i].with, 100.0 * (double)reports[i].stretched );
        // a line that jumps to another limb and back is longer than it was asked to be
        assert_true( reports[i].length > 0.3f * asked && reports[i].length < 1.1f * asked );
        assert_true( reports[i].without > 0.2f && reports[i].with < 0.01f && reports[i].stretched < 0.01f );
    }
    supDestroyTake( take );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCreature( creature );
}

/// Folds go with the skin: between two moments close to one another they move by little more than it. On the arm that
/// is twisted they swung by 5% of the size in 1/240 of the clip, where normals of skin that is pressed flat mean
/// nothing.
static void supTestSteady( void** state )
{
    (void)state;
    supCreature* creature = NULL;
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    supPose* pose = NULL;
    supWrinkleDef def = supDefaultWrinkleDef();
    assert_int_equal( supCreateCreature( "arm", NULL, &creature, NULL ), sup_success );
    const supCharacter* arm = supCreature_Character( creature );
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supRig_AddItem( rig, supFindLayer( "wrinkles" ), &def, NULL ), sup_success );
    assert_int_equal( supCompileModel( arm, rig, &model, NULL ), sup_success );
    assert_int_equal( supCreateBody( model, &body, NULL ), sup_success );
    assert_int_equal( supCreatePose( arm, NULL, &pose, NULL ), sup_success );
    static supVec3 smooth[2][1150], living[2][1150];
    assert_int_equal( supCharacter_Info( arm )->vertexCount, 1150 );
    float most = 0.0f, tallest = 0.0f;
    for ( int i = 0; i <= 240; ++i )
    {
        int now = i % 2;
        supPose_Sample( pose, supCharacter_FindClip( arm, "twist" ), i / 240.0 );
        assert_int_equal( supBody_Show( body, supPose_Joints( pose ), NULL ), sup_success );
        supBody_SmoothSkin( body, &smooth[now][0].x, NULL );
        supBody_Skin( body, &living[now][0].x, NULL );
        for ( int32_t v = 0; v < 1150; ++v )
        {
            supVec3 rise = supSub( living[now][v], smooth[now][v] ),
                    before = supSub( living[!now][v], smooth[!now][v] );
            float beyond = supDistance( rise, before ) - supDistance( smooth[now][v], smooth[!now][v] );
            most = i > 0 ? fmaxf( most, beyond ) : most;
            tallest = fmaxf( tallest, supLength( rise ) );
        }
    }
    float size = supCharacter_Info( arm )->size;
    print_message( "arm, twist: folds up to %.2g%% of the size, in 1/240 of the clip %.2g%% more than the skin moves\n",
        100.0 * (double)( tallest / size ), 100.0 * (double)( most / size ) );
    assert_true( tallest > 0.01f * size && most < 0.002f * size );
    supDestroyPose( pose );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCreature( creature );
}

/// Other bad words: names that are not there, a line of no length, numbers that are none.
static void supTestBadWords( void** state )
{
    (void)state;
    static const char* const hat[1] = { "hat" };
    const supVec3 twice[2] = { { 0.2f, 0.1f, 0.0f }, { 0.2f, 0.1f, 0.0f } };
    supCharacter* strip = supMakeStrip();
    supModel* model = NULL;
    supError error = { 0 };
    supWrinkleDef def = supDefaultWrinkleDef();
    def.joint = "midle";
    assert_int_not_equal( supPressStrip( strip, &def, &model, sup_skins, &error ), sup_success );
    assert_non_null( strstr( error.text, "wrinkles[0].joint" ) );
    def = supDefaultWrinkleDef();
    def.meshes = ( supNameList ){ 1, hat };
    assert_int_not_equal( supPressStrip( strip, &def, &model, sup_skins, &error ), sup_success );
    assert_non_null( strstr( error.text, "wrinkles[0].meshes[0]" ) );
    def = supDefaultWrinkleDef();
    def.points = ( supPointList ){ 2, twice };
    assert_int_not_equal( supPressStrip( strip, &def, &model, sup_skins, &error ), sup_success );
    assert_non_null( strstr( error.text, "wrinkles[0].folds" ) );
    def = supDefaultWrinkleDef();
    def.width = NAN;
    assert_int_not_equal( supPressStrip( strip, &def, &model, sup_skins, &error ), sup_success );
    assert_non_null( strstr( error.text, "width" ) );
    supDestroyCharacter( strip );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestLengthKept ),
        cmocka_unit_test( supTestNothingElse ),
        cmocka_unit_test( supTestTooCoarse ),
        cmocka_unit_test( supTestFound ),
        cmocka_unit_test( supTestListed ),
        cmocka_unit_test( supTestNoMemory ),
        cmocka_unit_test( supTestFoundOnCat ),
        cmocka_unit_test( supTestSteady ),
        cmocka_unit_test( supTestBadWords ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
