// Contact: flesh presses against the body's other parts and does not pass through them.
#include "base/math.h"
#include "supple/auto.h"
#include "supple/bake.h"
#include "supple/io.h"
#include "supple/lab/items.h"
#include "supple/lab/measures.h"
#include "support/creature_cache.h"
#include "support/test_assets.h"
#include "support/test_rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// The automatic rig, all of its elements in contact. `preset` as for supProposeRig.
static supModel* supInContact( const supCharacter* character, supPreset preset )
{
    supRig* rig = NULL;
    supModel* model = NULL;
    supError error = { 0 };
    assert_int_equal( supProposeRig( character, preset, &rig, &error ), sup_success );
    for ( int32_t i = 0; i < supRig_ElementCount( rig ); ++i )
    {
        supContactDef def = supDefaultContactDef();
        def.element = supRig_Element( rig, i )->name;
        assert_int_equal( supRig_AddItem( rig, supFindLayer( "contacts" ), &def, &error ), sup_success );
    }
    if ( supCompileModel( character, rig, &model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
    return model;
}

static supContactReport supMeasureClip( const supCharacter* character, supPreset preset, const char* clip )
{
    supModel* model = supInContact( character, preset );
    supTakeDef def = supDefaultTakeDef();
    supTake* take = NULL;
    supContactReport report;
    def.model = model;
    def.clip = supCharacter_FindClip( character, clip );
    assert_true( def.clip >= 0 );
    assert_int_equal( supCreateTake( &def, &take, NULL ), sup_success );
    const supTake* const takes[1] = { take };
    assert_int_equal( supMeasureContacts( model, takes, 1, &report, NULL ), sup_success );
    supDestroyTake( take );
    supDestroyModel( model );
    return report;
}

/// What was asked for: flesh adds no more than 2e-3 of the size to smooth skin's own overlap, judged on the skin
/// itself, and at least 80% of what it added is gone.
static void supCheckReport(
    const char* name, const char* clip, supPreset preset, const supCharacter* character, supContactReport report )
{
    double size = (double)supCharacter_Info( character )->size, gone = 1.0 - report.sumWith / report.sumWithout;
    print_message( "%s, %s, %s: smooth overlap %.2f%% of the size; flesh adds %.4f%%, with contact %.4f%%; %.1f%% is "
                   "gone\n",
        name, clip, supWordFor( sup_wordsPreset, preset ), 100.0 * (double)report.deepestSmooth / size,
        100.0 * (double)report.deepestWithout / size, 100.0 * (double)report.deepestWith / size, 100.0 * gone );
    assert_true( report.sumWithout > 0.0 );
    assert_true( (double)report.deepestWith < 2e-3 * size );
    assert_true( gone > 0.8 );
}

static void supTestClips( void** state )
{
    (void)state;
    static const struct
    {
        const char *name, *clip;
        supPreset preset;
    } cases[] = { { "cat", "jump", sup_presetNatural }, { "cat", "run", sup_presetNatural },
        { "cat", "run", sup_presetHeavy }, { "woman", "run", sup_presetHeavy } };
    for ( int n = 0; n < ( SUP_SLOW_BUILD ? 1 : 4 ); ++n )
    {
        const supCharacter* character = supTestCreature( cases[n].name );
        supContactReport report = supMeasureClip( character, cases[n].preset, cases[n].clip );
        supCheckReport( cases[n].name, cases[n].clip, cases[n].preset, character, report );
    }
}

/// Characters from files: a heavy man whose arms press into his sides, and one made of pieces that stand in one
/// another.
static void supTestFiles( void** state )
{
    (void)state;
    static const char* const cases[][2] = { { "quaternius/Character.glb", "CharacterArmature|Roll" },
        { "mh_human/mh_heavy.glb", "run" } };
    SUP_SKIP_WITHOUT_ASSETS();
    for ( int n = 0; n < ( SUP_SLOW_BUILD ? 0 : 2 ); ++n )
    {
        char path[512];
        supCharacter* character = NULL;
        if ( !supTestAssetPath( cases[n][0], path, sizeof( path ) ) )
        {
            print_message( "skipped: no %s\n", cases[n][0] );
            continue;
        }
        assert_int_equal( supLoadGltf( path, &character, NULL ), sup_success );
        supContactReport report = supMeasureClip( character, sup_presetNatural, cases[n][1] );
        supCheckReport( cases[n][0], cases[n][1], sup_presetNatural, character, report );
        supDestroyCharacter( character );
    }
}

typedef struct supHeldBody
{
    const supCharacter* character;
    supModel* model;
    supBody* body;
    supPose* pose;
    int32_t clip;
    size_t bytes;
    float *living, *other;
} supHeldBody;

static supHeldBody supHold( const char* name, const char* clip, supPreset preset )
{
    supHeldBody held = { 0 };
    held.character = supTestCreature( name );
    held.model = supInContact( held.character, preset );
    assert_int_equal( supCreateBody( held.model, &held.body, NULL ), sup_success );
    assert_int_equal( supCreatePose( held.character, NULL, &held.pose, NULL ), sup_success );
    held.clip = supCharacter_FindClip( held.character, clip );
    held.bytes = (size_t)supCharacter_Info( held.character )->vertexCount * sizeof( supVec3 );
    held.living = malloc( held.bytes );
    held.other = malloc( held.bytes );
    assert_true( held.clip >= 0 && held.living != NULL && held.other != NULL );
    return held;
}

static void supLetGo( supHeldBody* held )
{
    free( held->living );
    free( held->other );
    supDestroyPose( held->pose );
    supDestroyBody( held->body );
    supDestroyModel( held->model );
}

static void supSetAmounts( const supHeldBody* held, float amount )
{
    int32_t layer = supFindLayer( "contacts" );
    for ( int32_t i = 0; i < supModel_ItemCount( held->model, layer ); ++i )
    {
        assert_int_equal( supBody_SetField( held->body, layer, i, "amount", amount, NULL ), sup_success );
    }
}

/// At rest nothing moves: the smooth skin, bit for bit. With an amount of 0, the skin as it is without the layer.
static void supTestOff( void** state )
{
    (void)state;
    supHeldBody held = supHold( "cat", "jump", sup_presetNatural );
    for ( int i = 0; i < 3; ++i )
    {
        supBody_Step( held.body, supCharacter_Info( held.character )->restJoints, supMat34_identity, 1.0f / 60.0f );
        supBody_Skin( held.body, held.living, NULL );
        supBody_SmoothSkin( held.body, held.other, NULL );
        assert_memory_equal( held.living, held.other, held.bytes );
    }
    supRig* rig = NULL;
    supModel* plain = NULL;
    supBody* body = NULL;
    assert_int_equal( supProposeRig( held.character, sup_presetNatural, &rig, NULL ), sup_success );
    assert_int_equal( supCompileModel( held.character, rig, &plain, NULL ), sup_success );
    assert_int_equal( supCreateBody( plain, &body, NULL ), sup_success );
    supSetAmounts( &held, 0.0f );
    supBody_Reset( held.body );
    bool moved = false;
    for ( int i = 0; i < 60; ++i )
    {
        supPose_Sample( held.pose, held.clip, 0.02 * i );
        supBody_Step( body, supPose_Joints( held.pose ), supMat34_identity, 0.02f );
        supBody_Step( held.body, supPose_Joints( held.pose ), supMat34_identity, 0.02f );
        supBody_Skin( held.body, held.living, NULL );
        supBody_Skin( body, held.other, NULL );
        assert_memory_equal( held.living, held.other, held.bytes );
        supSetAmounts( &held, 1.0f );
        supBody_Skin( held.body, held.living, NULL );
        moved = moved || memcmp( held.living, held.other, held.bytes ) != 0;
        supSetAmounts( &held, 0.0f );
    }
    assert_true( moved );
    supDestroyBody( body );
    supDestroyModel( plain );
    supDestroyRig( rig );
    supLetGo( &held );
}

/// The largest difference of two skins, in any coordinate.
static float supLargestDifference( const float* a, const float* b, size_t bytes )
{
    float most = 0.0f;
    for ( size_t i = 0; i < bytes / sizeof( float ); ++i )
    {
        most = supMaxF( most, supAbsF( a[i] - b[i] ) );
    }
    return most;
}

/// A pose that is held, with contacts pressing. While the springs come to rest the skin moves no more from one frame to
/// the next than it would without contact, times four: a contact that came and went would move it by its whole push.
/// Once they are still, so is the skin, bit for bit.
static void supTestHeldPose( void** state )
{
    (void)state;
    supHeldBody held = supHold( "cat", "jump", sup_presetNatural );
    float* last = calloc( 2, held.bytes );
    float *lastFree = last + held.bytes / sizeof( float ), pressed = 0.0f, worst = 0.0f, most = 0.0f;
    int frames = -75;
    for ( ; frames < 0; ++frames )
    {
        supPose_Sample( held.pose, held.clip, 1.247 + frames / 60.0 );
        supBody_Step( held.body, supPose_Joints( held.pose ), supMat34_identity, 1.0f / 60.0f );
    }
    supPose_Sample( held.pose, held.clip, 1.247 );
    for ( ; frames < 6000 && ( frames < 2 || !supBody_IsAtRest( held.body ) ); ++frames )
    {
        supBody_Step( held.body, supPose_Joints( held.pose ), supMat34_identity, 1.0f / 60.0f );
        supSetAmounts( &held, 0.0f );
        supBody_Skin( held.body, held.other, NULL );
        supSetAmounts( &held, 1.0f );
        supBody_Skin( held.body, held.living, NULL );
        float moves = supLargestDifference( held.living, last, held.bytes ),
              freely = supLargestDifference( held.other, lastFree, held.bytes );
        worst = frames > 0 ? supMaxF( worst, moves - 4.0f * freely ) : worst;
        most = frames > 0 ? supMaxF( most, freely ) : most;
        pressed = supLargestDifference( held.living, held.other, held.bytes );
        memcpy( last, held.living, held.bytes );
        memcpy( lastFree, held.other, held.bytes );
    }
    for ( int i = 0; i < 20; ++i )
    {
        supBody_Step( held.body, supPose_Joints( held.pose ), supMat34_identity, 1.0f / 60.0f );
        supBody_Skin( held.body, held.other, NULL );
        assert_memory_equal( held.living, held.other, held.bytes );
    }
    print_message(
        "a held pose: still after %d frames; flesh moves %.2g m a frame at most, with contact %.2g m more than "
        "four times that; contact presses by %.2g m\n",
        frames, (double)most, (double)worst, (double)pressed );
    assert_true( pressed > 0.0f );
    assert_true( worst <= 1e-6f * supCharacter_Info( held.character )->size );
    free( last );
    supLetGo( &held );
}

/// The largest change of what contact pushes, from one of `steps` moments to the next; and of what flesh moves.
static void supLargestChange( const supHeldBody* held, int steps, float* push, float* flesh )
{
    size_t count = held->bytes / sizeof( float );
    float *last = calloc( count, sizeof( float ) ), *before = calloc( count, sizeof( float ) );
    *push = *flesh = 0.0f;
    supBody_Reset( held->body );
    for ( int i = 0; i <= steps; ++i )
    {
        supPose_Sample( held->pose, held->clip, 0.6 * i / steps );
        supBody_Step( held->body, supPose_Joints( held->pose ), supMat34_identity, i > 0 ? 0.6f / (float)steps : 0.0f );
        supSetAmounts( held, 0.0f );
        supBody_Skin( held->body, held->other, NULL );
        supSetAmounts( held, 1.0f );
        supBody_Skin( held->body, held->living, NULL );
        for ( size_t k = 0; k < count; ++k )
        {
            float own = held->living[k] - held->other[k];
            *push = i > 0 ? supMaxF( *push, supAbsF( own - last[k] ) ) : *push;
            *flesh = i > 0 ? supMaxF( *flesh, supAbsF( held->other[k] - before[k] ) ) : *flesh;
            last[k] = own;
            before[k] = held->other[k];
        }
    }
    free( last );
    free( before );
}

/// What contact pushes changes little from one moment to the next, however short the step: a jump where the closest way
/// out of a fold changes is 0.2% of the size at most, and far less than flesh moves.
static void supTestOnset( void** state )
{
    (void)state;
    supHeldBody held = supHold( "cat", "run", sup_presetNatural );
    float push, flesh;
    supLargestChange( &held, SUP_SLOW_BUILD ? 60 : 480, &push, &flesh );
    double size = (double)supCharacter_Info( held.character )->size;
    print_message( "steps of 1/800 s: pushes change by %.3f%% of the size at most, the skin by %.3f%%\n",
        100.0 * (double)push / size, 100.0 * (double)flesh / size );
    assert_true( (double)push < 3e-3 * size );
    supLetGo( &held );
}

/// Names that are not there, and numbers that are none.
static void supTestBadWords( void** state )
{
    (void)state;
    supRig* rig = NULL;
    supModel* model = NULL;
    supError error = { 0 };
    const supCharacter* character = supTestCreature( "cat" );
    assert_int_equal( supProposeRig( character, sup_presetNatural, &rig, NULL ), sup_success );
    supContactDef def = supDefaultContactDef();
    assert_int_not_equal( supRig_AddItem( rig, supFindLayer( "contacts" ), &def, &error ), sup_success );
    assert_non_null( strstr( error.text, "element" ) );
    def.element = "bellly";
    def.amount = NAN;
    assert_int_not_equal( supRig_AddItem( rig, supFindLayer( "contacts" ), &def, &error ), sup_success );
    assert_non_null( strstr( error.text, "amount" ) );
    def.amount = 1.0f;
    assert_int_equal( supRig_AddItem( rig, supFindLayer( "contacts" ), &def, &error ), sup_success );
    assert_int_not_equal( supCompileModel( character, rig, &model, &error ), sup_success );
    assert_non_null( strstr( error.text, "contacts[0].element: no element \"bellly\"; did you mean \"belly\"" ) );
    supDestroyRig( rig );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestClips ), cmocka_unit_test( supTestFiles ),
        cmocka_unit_test( supTestOff ), cmocka_unit_test( supTestHeldPose ), cmocka_unit_test( supTestOnset ),
        cmocka_unit_test( supTestBadWords ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
