// Edits on a body that runs: what they reach, and what becomes of those that fail.
#include "base/math.h"
#include "rig/layer_list.h"
#include "supple/lab/hashes.h"
#include "supple/lab/states.h"
#include "support/edited_limb.h"
#include "support/test_allocator.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/// A limb with an editor that runs.
typedef struct supEditCase
{
    supCharacter* limb;
    supRig* rig;
    supEditor* editor;
} supEditCase;

static void supOpenCase( supEditCase* c, const supAllocator* allocator )
{
    supError error = { 0 };
    c->limb = supMakeLimbCharacter( 1.0f, true );
    c->rig = supMakeEditedRig( c->limb );
    supMakeDef make = supDefaultMakeDef();
    make.allocator = allocator;
    if ( supCreateEditor( c->limb, c->rig, &make, &c->editor, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supRun( c->limb, supEditor_View( c->editor ).body, 0, supBefore );
}

static void supCloseCase( supEditCase* c )
{
    supDestroyEditor( c->editor );
    supDestroyRig( c->rig );
    supDestroyCharacter( c->limb );
}

/// What every field has already changes nothing: not the body, not a bit.
static void supTestSameValues( void** state )
{
    (void)state;
    supEditCase c;
    supOpenCase( &c, NULL );
    const supBody* body = supEditor_View( c.editor ).body;
    uint64_t hash = supBody_Hash( body );
    const int32_t layers[3] = { sup_layerMuscles, sup_layerEcorche, sup_layerFat };
    int32_t count = 0;
    for ( int k = 0; k < 3; ++k )
    {
        const supLayerInfo* info = supGetLayerInfo( layers[k] );
        for ( int32_t i = 0; i < supRig_ItemCount( c.rig, layers[k] ); ++i )
        {
            // the first rig's: equal, and in other memory
            const char* item = supRig_Item( c.rig, layers[k], i );
            for ( int32_t f = 0; f < info->fieldCount; ++f, ++count )
            {
                const supField* field = info->fields + f;
                assert_int_equal(
                    supEditor_Set( c.editor, layers[k], i, field->name, item + field->offset, NULL ), sup_success );
                assert_int_equal( supEditor_View( c.editor ).compiled, 0 );
            }
        }
    }
    assert_true( count > 200 );
    assert_ptr_equal( body, supEditor_View( c.editor ).body );
    assert_true( supBody_Hash( supEditor_View( c.editor ).body ) == hash );
    supCloseCase( &c );
}

/// Layers that an edit does not reach are not compiled, and go on bit for bit; those that it does are.
static void supTestReach( void** state )
{
    (void)state;
    enum
    {
        M = 1 << sup_layerMuscles,
        E = 1 << sup_layerEcorche,
        F = 1 << sup_layerFat
    };
    const struct
    {
        int32_t layer, item;
        const char* field;
        float value;
        uint32_t compiled;
    } edits[] = {
        { sup_layerMuscles, supBiceps, "points[1].free", 0.0f, 0 },
        { sup_layerMuscles, supBiceps, "belly", 0.4f, M | E | F },
        { sup_layerEcorche, 0, "falloff", 2.0f, E }, // the surface below the skin is the same
        { sup_layerEcorche, 0, "filling", 0.45f, E | F },
        { sup_layerFat, 0, "modes", 12.0f, F },
        { sup_layerFat, 0, "density", 800.0f, 0 },
    };
    supEditCase c;
    supOpenCase( &c, NULL );
    for ( size_t i = 0; i < sizeof( edits ) / sizeof( edits[0] ); ++i )
    {
        supError error = { 0 };
        if ( supEditor_SetNumber( c.editor, edits[i].layer, edits[i].item, edits[i].field, edits[i].value, &error ) !=
             sup_success )
        {
            fail_msg( "%s", error.text );
        }
        assert_int_equal( supEditor_View( c.editor ).compiled, edits[i].compiled );
        float now = supEditor_Number( c.editor, edits[i].layer, edits[i].item, edits[i].field );
        assert_true( now == edits[i].value );
        supRun( c.limb, supEditor_View( c.editor ).body, supBefore + (int)i, supBefore + (int)i + 1 );
    }
    // what was set in place outlives the models that came after it
    float freed = supBody_Field( supEditor_View( c.editor ).body, sup_layerMuscles, supBiceps, "points[1].free" );
    assert_true( freed == 0.0f );
    supCloseCase( &c );
}

/// Fat that is edited beside muscles that are not: these do not notice.
static void supTestUntouched( void** state )
{
    (void)state;
    supEditCase a, b;
    supOpenCase( &a, NULL );
    supOpenCase( &b, NULL );
    assert_int_equal( supEditor_SetNumber( a.editor, sup_layerFat, 0, "modes", 12.0f, NULL ), sup_success );
    for ( int frame = supBefore; frame < supBefore + 5; ++frame )
    {
        supMuscleView views[2][supMuscleCount];
        supRun( a.limb, supEditor_View( a.editor ).body, frame, frame + 1 );
        supRun( b.limb, supEditor_View( b.editor ).body, frame, frame + 1 );
        supBody_Muscles( supEditor_View( a.editor ).body, views[0] );
        supBody_Muscles( supEditor_View( b.editor ).body, views[1] );
        for ( int m = 0; m < supMuscleCount; ++m )
        {
            assert_true( views[0][m].length == views[1][m].length && views[0][m].volume == views[1][m].volume &&
                         views[0][m].contraction == views[1][m].contraction );
        }
    }
    supCloseCase( &a );
    supCloseCase( &b );
}

/// Bad values: words that name the field, and a body that runs on as if nothing had been said.
static void supTestRefusals( void** state )
{
    (void)state;
    const struct
    {
        int32_t layer, item;
        const char* field;
        const void* value;
        const char* words;
    } bad[] = {
        { sup_layerMuscles, supBiceps, "radius", SUP_NUMBER( -1.0f ), "muscles[1].radius" },
        { sup_layerMuscles, supBiceps, "radius", SUP_NUMBER( NAN ), "muscles[1].radius" },
        { sup_layerMuscles, supBiceps, "tendonFrom", SUP_NUMBER( 0.9f ), "muscles[1].tendonTo: both tendons" },
        { sup_layerMuscles, supBiceps, "name", SUP_NAME( "fan" ), "muscles[1].name" },
        { sup_layerMuscles, supBone, "name", SUP_NAME( "rib" ), "muscles[1].around[0]: no muscle \"bone\"" },
        { sup_layerMuscles, supBiceps, "radius", SUP_NUMBER( 0.5f ), "comes" }, // through the skin
        { sup_layerMuscles, supBiceps, "swell", SUP_NUMBER( 11.0f ), "muscles[1].swell" },
        { sup_layerMuscles, supBiceps, "shape", SUP_CHOICE( 77 ), "muscles[1].shape" },
        { sup_layerMuscles, supBiceps, "points[1].joint", SUP_NAME( "elbow" ), "muscles[1].points[1].joint" },
        { sup_layerMuscles, supBiceps, "points[1].stiffness", SUP_NUMBER( 0.0f ), "muscles[1].points[1].stiffness" },
        { sup_layerMuscles, supBiceps, "points[8].free", SUP_SWITCH( true ), "muscles[1].points[8]" },
        { sup_layerMuscles, 9, "radius", SUP_NUMBER( 0.1f ), "item 9" },
        { sup_layerMuscles, supBiceps, "points", &( const supItemList ){ 0, NULL }, "muscles[1].points" },
        { sup_layerEcorche, 0, "rays", SUP_NUMBER( 1.0f ), "ecorche[0].rays" },
        { sup_layerEcorche, 0, "meshes", SUP_NAMES( "leg" ), "ecorche[0].meshes[0]" },
        { sup_layerFat, 0, "voxel", SUP_NUMBER( 0.9f ), "fat[0]" },
        { sup_layerFat, 0, "mu", SUP_NUMBER( 0.0f ), "fat[0].mu" },
        { sup_layerFat, 0, "joints", SUP_NAMES( "knee" ), "fat[0].joints[0]" },
        { sup_layerFat, 0, "densty", SUP_NUMBER( 1.0f ), "did you mean \"density\"" },
        { 99, 0, "mu", SUP_NUMBER( 1.0f ), "no such layer" },
    };
    supEditCase c;
    supOpenCase( &c, NULL );
    const supBody* body = supEditor_View( c.editor ).body;
    uint64_t hash = supBody_Hash( body );
    for ( size_t i = 0; i < sizeof( bad ) / sizeof( bad[0] ); ++i )
    {
        supError error = { 0 };
        assert_int_not_equal(
            supEditor_Set( c.editor, bad[i].layer, bad[i].item, bad[i].field, bad[i].value, &error ), sup_success );
        if ( strstr( error.text, bad[i].words ) == NULL )
        {
            fail_msg( "%s: \"%s\"", bad[i].field, error.text );
        }
        assert_ptr_equal( supEditor_View( c.editor ).body, body );
        assert_true( supBody_Hash( body ) == hash );
    }
    // a field that another one needs
    assert_int_equal( supEditor_SetNumber( c.editor, sup_layerFat, 0, "lambda", 9000.0f, NULL ), sup_success );
    supError error = { 0 };
    assert_int_not_equal( supEditor_SetNumber( c.editor, sup_layerFat, 0, "mu", NAN, &error ), sup_success );
    assert_non_null( strstr( error.text, "fat[0].lambda: needs mu" ) );
    assert_true( supEditor_Number( c.editor, sup_layerFat, 0, "mu" ) == 4000.0f );
    supRun( c.limb, supEditor_View( c.editor ).body, supBefore, supBefore + 3 );
    supCloseCase( &c );
}

/// One item more, another in its place, one less: muscles that are not meant go on.
static void supTestItems( void** state )
{
    (void)state;
    supEditCase c;
    supError error = { 0 };
    supOpenCase( &c, NULL );
    supMuscleView before[supMuscleCount], after[supMuscleCount + 1];
    assert_int_equal( supBody_Muscles( supEditor_View( c.editor ).body, before ), supMuscleCount );
    supMuscleDef def = *(const supMuscleDef*)supRig_Item( supEditor_View( c.editor ).rig, sup_layerMuscles, supSheet );
    def.name = "second";
    def.swell = 0.8f;
    assert_int_equal( supEditor_AddItem( c.editor, sup_layerMuscles, &def, &error ), sup_success );
    assert_int_equal( supBody_Muscles( supEditor_View( c.editor ).body, after ), supMuscleCount + 1 );
    assert_true( after[supBiceps].length == before[supBiceps].length );
    assert_true( supBody_Field( supEditor_View( c.editor ).body, sup_layerMuscles, supMuscleCount, "swell" ) == 0.8f );
    def = *(const supMuscleDef*)supRig_Item( supEditor_View( c.editor ).rig, sup_layerMuscles, supMuscleCount );
    def.swell = 0.6f;
    assert_int_equal( supEditor_SetItem( c.editor, sup_layerMuscles, supMuscleCount, &def, &error ), sup_success );
    assert_true( supBody_Field( supEditor_View( c.editor ).body, sup_layerMuscles, supMuscleCount, "swell" ) == 0.6f );
    assert_int_equal( supEditor_RemoveItem( c.editor, sup_layerMuscles, supFan, &error ), sup_success );
    assert_int_equal( supBody_Muscles( supEditor_View( c.editor ).body, after ), supMuscleCount );
    assert_true( after[supBiceps].length == before[supBiceps].length );
    assert_string_equal( after[supSheet].name, "second" );
    // fat goes, and the rest stays
    assert_int_equal( supEditor_RemoveItem( c.editor, sup_layerFat, 0, &error ), sup_success );
    assert_int_equal( supEditor_View( c.editor ).compiled, 1 << sup_layerFat );
    supRun( c.limb, supEditor_View( c.editor ).body, supBefore, supBefore + 3 );
    assert_int_not_equal( supEditor_RemoveItem( c.editor, sup_layerFat, 0, &error ), sup_success );
    assert_int_not_equal( supEditor_AddItem( c.editor, -1, &def, &error ), sup_success );
    supCloseCase( &c );
}

/// Beyond sixteen muscles fat keeps its state in another layout: it is taken over by its meaning, not byte by byte.
static void supTestManyMuscles( void** state )
{
    (void)state;
    supEditCase c;
    supError error = { 0 };
    supOpenCase( &c, NULL );
    for ( int32_t count = supMuscleCount; count < 18; ++count )
    {
        supMuscleDef def = *(const supMuscleDef*)supRig_Item( c.rig, sup_layerMuscles, supBone );
        char name[24];
        snprintf( name, sizeof( name ), "filler %d", count );
        def.name = name;
        assert_int_equal( supEditor_AddItem( c.editor, sup_layerMuscles, &def, &error ), sup_success );
        if ( count >= 15 )
        {
            supRun( c.limb, supEditor_View( c.editor ).body, supBefore + count, supBefore + count + 1 );
            assert_true(
                supSkinsApart( supEditor_View( c.editor ).body, supEditor_View( c.editor ).body ) == 0.0f ); // finite
        }
    }
    supCloseCase( &c );
}

/// What was set in place last is what an edit of the whole element is seen against, and the edit wins.
static void supTestElements( void** state )
{
    (void)state;
    supEditCase c;
    supError error = { 0 };
    supOpenCase( &c, NULL );
    supElementDef def = supDefaultElementDef();
    def.name = "soft";
    def.driver = ( (const supMusclePoint*)( (const supMuscleDef*)supRig_Item( c.rig, sup_layerMuscles, supBiceps ) )
                       ->points.items )[0]
                     .joint;
    def.frequency = 4.0f;
    if ( supEditor_AddItem( c.editor, sup_layerFlesh, &def, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    assert_int_equal( supEditor_SetNumber( c.editor, sup_layerFlesh, 0, "frequency", 5.0f, &error ), sup_success );
    assert_true( supBody_Field( supEditor_View( c.editor ).body, sup_layerFlesh, 0, "frequency" ) == 5.0f );
    def.frequency = 2.0f;
    assert_int_equal( supEditor_SetItem( c.editor, sup_layerFlesh, 0, &def, &error ), sup_success );
    assert_true( supEditor_Number( c.editor, sup_layerFlesh, 0, "frequency" ) == 2.0f );
    assert_true(
        fabsf( supBody_Field( supEditor_View( c.editor ).body, sup_layerFlesh, 0, "frequency" ) - 2.0f ) < 1e-5f );
    supCloseCase( &c );
}

/// Memory that gives out anywhere in an edit: an error, the body runs on, nothing is lost.
static void supTestMemory( void** state )
{
    (void)state;
    supTestAllocator test = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &test );
    supEditCase c;
    supOpenCase( &c, &allocator );
    int64_t live = test.live;
    uint64_t hash = supBody_Hash( supEditor_View( c.editor ).body );
    int32_t calls = test.calls;
    // in place nothing is asked for
    assert_int_equal( supEditor_SetNumber( c.editor, sup_layerMuscles, supBiceps, "swell", 1.1f, NULL ), sup_success );
    assert_int_equal(
        supEditor_SetNumber( c.editor, sup_layerMuscles, supBiceps, "points[1].free", 0.0f, NULL ), sup_success );
    assert_int_equal( test.calls, calls );
    int32_t failures = 0;
    const struct
    {
        int32_t layer, item;
        const char* field;
        float value;
        int32_t stride;
    } edits[] = { { sup_layerEcorche, 0, "falloff", 2.0f, 1 }, { sup_layerFat, 0, "modes", 12.0f, 3 },
        { sup_layerMuscles, supBiceps, "belly", 0.4f, 11 } };
    for ( size_t e = 0; e < sizeof( edits ) / sizeof( edits[0] ); ++e )
    {
        supResult result = sup_errorMemory;
        for ( int32_t at = 0; result != sup_success; at += SUP_SLOW_BUILD ? 7 * edits[e].stride : edits[e].stride )
        {
            supError error = { 0 };
            test.failAt = test.calls + at;
            result =
                supEditor_SetNumber( c.editor, edits[e].layer, edits[e].item, edits[e].field, edits[e].value, &error );
            test.failAt = -1;
            if ( result != sup_success )
            {
                assert_int_equal( result, sup_errorMemory );
                assert_true( test.live == live && supBody_Hash( supEditor_View( c.editor ).body ) == hash );
                ++failures;
            }
        }
        live = test.live;
        supRun( c.limb, supEditor_View( c.editor ).body, supBefore, supBefore + 1 );
        hash = supBody_Hash( supEditor_View( c.editor ).body );
    }
    print_message( "%d allocations that failed\n", failures );
    assert_true( failures > 20 );
    supCloseCase( &c );
    assert_true( test.live == 0 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestSameValues ),
        cmocka_unit_test( supTestReach ),
        cmocka_unit_test( supTestUntouched ),
        cmocka_unit_test( supTestRefusals ),
        cmocka_unit_test( supTestItems ),
        cmocka_unit_test( supTestManyMuscles ),
        cmocka_unit_test( supTestElements ),
        cmocka_unit_test( supTestMemory ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
