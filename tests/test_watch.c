// Long work that is watched: it only ever goes forward, ends at 1, and can be stopped anywhere with nothing left of it.
#include "supple/bake.h"
#include "supple/creatures.h"
#include "supple/edit.h"
#include "supple/model.h"
#include "support/arm_anatomy.h"
#include "support/test_allocator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/// What a watcher saw.
typedef struct supTestSeen
{
    int32_t calls, stopAt; ///< stops at that call, counted from 0; -1: never
    int32_t stages;        ///< changes of the stage
    char stage[64];
    char all[400]; ///< the stages, a line each
    float done;
    bool fell; ///< the share was less than before, or not a share
} supTestSeen;

static bool supTestTell( const char* stage, float done, void* user )
{
    supTestSeen* seen = user;
    seen->fell = seen->fell || !( done >= seen->done && done <= 1.0f );
    seen->done = done;
    if ( strcmp( seen->stage, stage ) != 0 )
    {
        size_t length = strlen( seen->all );
        snprintf( seen->stage, sizeof( seen->stage ), "%s", stage );
        snprintf( seen->all + length, sizeof( seen->all ) - length, "%s\n", stage );
        ++seen->stages;
    }
    return seen->calls++ != seen->stopAt;
}

static supResult supTestCompile( const supCharacter* character, const supRig* rig, supTestSeen* seen,
    supTestAllocator* test, supModel** out, supError* error )
{
    supAllocator allocator = supMakeTestAllocator( test );
    supMakeDef def = supDefaultMakeDef();
    def.watch = ( supWatch ){ supTestTell, seen };
    def.allocator = &allocator;
    return supCompileModelWith( character, rig, &def, out, error );
}

static void TestCompile( void** state )
{
    (void)state;
    supCreature* creature = NULL;
    assert_int_equal( supCreateCreature( "arm", NULL, &creature, NULL ), sup_success );
    const supCharacter* character = supCreature_Character( creature );
    supRig* rig = supArmAnatomy( 0.0f, true );
    supTestSeen whole = { .stopAt = -1 };
    supTestAllocator test = { .failAt = -1 };
    supModel* model = NULL;
    supError error = { 0 };
    assert_int_equal( supTestCompile( character, rig, &whole, &test, &model, &error ), sup_success );
    print_message( "compiled in %d calls:\n%s", whole.calls, whole.all );
    assert_false( whole.fell );
    assert_true( whole.done == 1.0f && whole.calls > 20 );
    assert_string_equal( whole.all, "muscles\necorche\nfat\nfat: voxels\nfat: stiffness\nfat: "
                                    "vibrations\nfat: skin\nskin\n" );
    supDestroyModel( model );
    assert_int_equal( test.live, 0 );

    // stopped anywhere: the same words, no model, no memory
    for ( int32_t i = 0; i < whole.calls; i += i < 8 ? 1 : 5 )
    {
        supTestSeen seen = { .stopAt = i };
        test = ( supTestAllocator ){ .failAt = -1 };
        assert_int_equal( supTestCompile( character, rig, &seen, &test, &model, &error ), sup_errorCanceled );
        assert_null( model );
        assert_int_equal( seen.calls, i + 1 ); // it was not told again
        assert_int_equal( test.live, 0 );
        assert_non_null( strstr( error.text, seen.stage ) );
    }
    supDestroyRig( rig );
    supDestroyCreature( creature );
}

/// A def that was never made is refused; no watcher is none.
static void TestDefs( void** state )
{
    (void)state;
    supCreature* creature = NULL;
    assert_int_equal( supCreateCreature( "arm", NULL, &creature, NULL ), sup_success );
    supRig* rig = NULL;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    supModel* model = NULL;
    supMakeDef def = { 0 };
    const supCharacter* character = supCreature_Character( creature );
    assert_int_equal( supCompileModelWith( character, rig, &def, &model, NULL ), sup_errorArgument );
    def = supDefaultMakeDef();
    assert_int_equal( supCompileModelWith( character, rig, &def, &model, NULL ), sup_success );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCreature( creature );
}

/// An editor's watch is told by every edit that compiles, and ends it with nothing changed.
static void TestEditor( void** state )
{
    (void)state;
    supCreature* creature = NULL;
    assert_int_equal( supCreateCreature( "arm", NULL, &creature, NULL ), sup_success );
    supRig* rig = supArmAnatomy( 0.0f, true );
    supTestSeen seen = { .stopAt = -1 };
    supMakeDef def = supDefaultMakeDef();
    def.watch = ( supWatch ){ supTestTell, &seen };
    supEditor* editor = NULL;
    supError error = { 0 };
    const supCharacter* character = supCreature_Character( creature );
    assert_int_equal( supCreateEditor( character, rig, &def, &editor, &error ), sup_success );
    assert_true( seen.calls > 20 && seen.done == 1.0f && !seen.fell );
    int32_t fat = supFindLayer( "fat" );
    float before = supEditor_Number( editor, fat, 0, "modes" );
    supBody* body = supEditor_View( editor ).body;
    seen = ( supTestSeen ){ .stopAt = 2 };
    assert_int_equal( supEditor_SetNumber( editor, fat, 0, "modes", 0.5f * before, &error ), sup_errorCanceled );
    assert_true( supEditor_Number( editor, fat, 0, "modes" ) == before );
    assert_ptr_equal( supEditor_View( editor ).body, body );
    seen = ( supTestSeen ){ .stopAt = -1 };
    assert_int_equal( supEditor_SetNumber( editor, fat, 0, "modes", 0.5f * before, &error ), sup_success );
    assert_true( seen.calls > 5 && seen.done == 1.0f );
    supDestroyEditor( editor );

    seen = ( supTestSeen ){ .stopAt = 0 };
    assert_int_equal( supCreateEditor( character, rig, &def, &editor, &error ), sup_errorCanceled );
    assert_null( editor );
    supDestroyRig( rig );
    supDestroyCreature( creature );
}

static supResult supTestRecord(
    const supModel* model, supLoop loop, supTestSeen* seen, supTestAllocator* test, supError* error )
{
    supAllocator allocator = supMakeTestAllocator( test );
    supTakeDef def = supDefaultTakeDef();
    supTake* take = NULL;
    def.model = model;
    def.loop = loop;
    def.watch = ( supWatch ){ supTestTell, seen };
    def.allocator = &allocator;
    supResult result = supCreateTake( &def, &take, error );
    assert_true( ( result == sup_success ) == ( take != NULL ) );
    supDestroyTake( take );
    return result;
}

/// The arm with its muscles.
static supModel* supTestArm( supCreature** creature )
{
    supModel* model = NULL;
    supRig* rig = supArmAnatomy( 0.0f, false );
    assert_int_equal( supCreateCreature( "arm", NULL, creature, NULL ), sup_success );
    assert_int_equal( supCompileModel( supCreature_Character( *creature ), rig, &model, NULL ), sup_success );
    supDestroyRig( rig );
    return model;
}

static void TestTake( void** state )
{
    (void)state;
    supCreature* creature = NULL;
    supModel* model = supTestArm( &creature );
    const supLoop loops[2] = { sup_loopOff, sup_loopOn };
    for ( int i = 0; i < 2; ++i )
    {
        supTestSeen whole = { .stopAt = -1 };
        supTestAllocator test = { .failAt = -1 };
        supError error = { 0 };
        assert_int_equal( supTestRecord( model, loops[i], &whole, &test, &error ), sup_success );
        assert_false( whole.fell );
        assert_true( whole.done == 1.0f && whole.calls > 50 );
        assert_string_equal( whole.stage, supCharacter_Clip( supCreature_Character( creature ), 0 ).name );
        supTestSeen seen = { .stopAt = whole.calls / 2 };
        assert_int_equal( supTestRecord( model, loops[i], &seen, &test, &error ), sup_errorCanceled );
        assert_int_equal( seen.calls, seen.stopAt + 1 );
        assert_int_equal( test.live, 0 );
    }
    supDestroyModel( model );
    supDestroyCreature( creature );
}

/// Bakes what `takes` points at, and hands back what came of it.
static supResult supTestBake( const supModel* model, const supTake* take, bool morphs, supTestSeen* seen )
{
    supTestAllocator test = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &test );
    const supWatch watch = { supTestTell, seen };
    supError error = { 0 };
    supResult result;
    if ( morphs )
    {
        supMorphBakeDef def = supDefaultMorphBakeDef();
        supMorphBake* bake = NULL;
        def.model = model;
        def.takeCount = 1;
        def.takes = &take;
        def.fps = 15.0f;
        def.watch = watch;
        def.allocator = &allocator;
        result = supBakeMorphs( &def, &bake, &error );
        assert_true( ( result == sup_success ) == ( bake != NULL ) );
        supDestroyMorphBake( bake );
    }
    else
    {
        supJointBakeDef def = supDefaultJointBakeDef();
        supJointBake* bake = NULL;
        def.model = model;
        def.takeCount = 1;
        def.takes = &take;
        def.watch = watch;
        def.allocator = &allocator;
        result = supBakeJoints( &def, &bake, &error );
        assert_true( ( result == sup_success ) == ( bake != NULL ) );
        supDestroyJointBake( bake );
    }
    assert_int_equal( test.live, 0 );
    assert_true( result == sup_success || strstr( error.text, "stopped on request at " ) != NULL );
    return result;
}

/// A bake as morphs, which may take several rounds, never seems to go back; and all bakes can be stopped at any call.
static void TestBakes( void** state )
{
    (void)state;
    supCreature* creature = NULL;
    supModel* model = supTestArm( &creature );
    supTakeDef takeDef = supDefaultTakeDef();
    supTake* take = NULL;
    takeDef.model = model;
    assert_int_equal( supCreateTake( &takeDef, &take, NULL ), sup_success );
    for ( int morphs = 0; morphs < 2; ++morphs )
    {
        supTestSeen whole = { .stopAt = -1 };
        assert_int_equal( supTestBake( model, take, morphs, &whole ), sup_success );
        assert_false( whole.fell );
        assert_true( whole.done == 1.0f && whole.calls >= ( morphs ? 13 : 4 ) );
        for ( int32_t stop = 0; stop < whole.calls; stop += morphs ? 5 : 1 )
        {
            supTestSeen seen = { .stopAt = stop };
            assert_int_equal( supTestBake( model, take, morphs, &seen ), sup_errorCanceled );
            assert_int_equal( seen.calls, stop + 1 );
        }
    }
    supDestroyTake( take );
    supDestroyModel( model );
    supDestroyCreature( creature );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( TestCompile ), cmocka_unit_test( TestDefs ),
        cmocka_unit_test( TestEditor ), cmocka_unit_test( TestTake ), cmocka_unit_test( TestBakes ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
