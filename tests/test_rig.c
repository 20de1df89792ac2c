// The rig as data: the table against the struct, defaults, checks and their words, deep copies, memory that runs out.
#include "base/fields.h"
#include "base/names.h"
#include "supple/lab/items.h"
#include "supple/rig.h"
#include "support/test_allocator.h"
#include "support/test_rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Every byte of the struct belongs to exactly one field, but for padding of less than a pointer.
static void supTestTableCoversStruct( void** state )
{
    (void)state;
    char owners[sizeof( supElementDef )] = { 0 };
    int32_t count;
    const supField* fields = supElementFields( &count );
    for ( int32_t i = 0; i < count; ++i )
    {
        for ( size_t j = 0; j < supFieldBytes( fields + i ); ++j )
        {
            assert_true( fields[i].offset + j < sizeof( owners ) );
            assert_int_equal( owners[fields[i].offset + j], 0 );
            owners[fields[i].offset + j] = 1;
        }
        assert_ptr_equal( supFindField( fields, count, fields[i].name ), fields + i );
        assert_true( fields[i].unit != NULL && strlen( fields[i].words ) > 10 );
        assert_int_equal( fields[i].choices != NULL, fields[i].type == sup_fieldEnum );
    }
    size_t gap = 0;
    for ( size_t i = 0; i < sizeof( owners ); ++i )
    {
        gap = owners[i] ? 0 : gap + 1;
        assert_true( gap < sizeof( void* ) );
    }
}

static void supTestDefaults( void** state )
{
    (void)state;
    supElementDef def = supDefaultElementDef();
    assert_null( def.name );
    assert_null( def.driver );
    assert_true( isnan( def.end.x ) && isnan( def.end.y ) && isnan( def.end.z ) );
    assert_true( def.facing.x == 0.0f && def.facing.y == 0.0f && def.facing.z == 0.0f );
    assert_true( def.spread == 1.57079633f );
    assert_int_equal( def.attenuation, sup_attenuationParabola );
    assert_int_equal( def.limit, sup_limitSoft );
    assert_int_equal( def.gravity, sup_gravityRelative );
    assert_true( def.boneThickness == 0.0f && def.airFriction == 0.0f );
    assert_true( def.frequency == 4.0f && def.dampingRatio == 0.2f && def.amount == 1.0f && def.sag == 0.1f );
    assert_true( def.density == 1000.0f && def.gravityScale == 1.0f && def.limitScale == 1.0f );
    assert_true( isnan( def.mass ) && isnan( def.stiffness ) && isnan( def.damping ) );
    assert_true( def.ends.count + def.joints.count + def.skipMeshes.count + def.skipMaterials.count == 0 );
    assert_true( def.paint.count + def.spheres.count + def.attenuationKeys.count == 0 );

    supRig* rig;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    supVec3 gravity = supRig_Gravity( rig );
    assert_true( gravity.x == 0.0f && gravity.y == -9.81f && gravity.z == 0.0f );
    supRig_SetGravity( rig, ( supVec3 ){ 1.0f, 2.0f, 3.0f } );
    assert_true( supRig_Gravity( rig ).z == 3.0f );
    assert_int_equal( supRig_ElementCount( rig ), 0 );
    supDestroyRig( rig );
    supDestroyRig( NULL );
}

static supElementDef supNamedDef( const char* name )
{
    supElementDef def = supDefaultElementDef();
    def.name = name;
    def.driver = "hips";
    return def;
}

/// Adds `def` as the third element; its error must be `text`, and the rig as before.
static void supExpectRefused( const supElementDef* def, supResult code, const char* text )
{
    supRig* rig;
    supError error;
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    supElementDef first = supNamedDef( "a" ), second = supNamedDef( "b" );
    assert_int_equal( supRig_AddElement( rig, &first, &error ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &second, &error ), sup_success );
    supResult result = supRig_AddElement( rig, def, &error );
    if ( result == sup_success )
    {
        fail_msg( "accepted; expected: %s", text );
    }
    assert_string_equal( error.text, text );
    assert_int_equal( result, code );
    assert_int_equal( error.code, code );
    assert_int_equal( supRig_AddElement( rig, def, NULL ), code );
    assert_int_equal( supRig_ElementCount( rig ), 2 );
    supDestroyRig( rig );
}

#define SUP_EXPECT( member, value, text )                                                                              \
    do                                                                                                                 \
    {                                                                                                                  \
        supElementDef wrong = supNamedDef( "c" );                                                                      \
        wrong.member = value;                                                                                          \
        supExpectRefused( &wrong, sup_errorData, text );                                                               \
    } while ( 0 )

static void supTestNumberErrors( void** state )
{
    (void)state;
    SUP_EXPECT( frequency, -3.0f, "elements[2].frequency: -3 is below 0.01 Hz" );
    SUP_EXPECT( frequency, 1000.0001f, "elements[2].frequency: 1000.0001 is above 1000 Hz" );
    SUP_EXPECT( frequency, NAN, "elements[2].frequency: not a number" );
    SUP_EXPECT( frequency, INFINITY, "elements[2].frequency: inf is above 1000 Hz" );
    SUP_EXPECT( dampingRatio, -0.1f, "elements[2].dampingRatio: -0.1 is below 0" );
    SUP_EXPECT( spread, 4.0f, "elements[2].spread: 4 is above 3.1415927 rad" );
    SUP_EXPECT( boneThickness, 1.5f, "elements[2].boneThickness: 1.5 is above 1 of the model's size" );
    SUP_EXPECT( mass, 0.0f, "elements[2].mass: 0 is below 1e-9 kg" );
    SUP_EXPECT( end.x, 0.5f, "elements[2].end[1]: not a number" );
    SUP_EXPECT( facing.z, INFINITY, "elements[2].facing[2]: inf is above 1000" );
    SUP_EXPECT( limit, 2, "elements[2].limit: there is no choice 2; there are 2" );
    SUP_EXPECT( attenuation, -1, "elements[2].attenuation: there is no choice -1; there are 3" );
}

// Each number of the table: both ends of its range are taken, the next floats outside are not.
static void supTestRanges( void** state )
{
    (void)state;
    int32_t count;
    const supField* fields = supElementFields( &count );
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( fields[i].type != sup_fieldFloat && fields[i].type != sup_fieldLength )
        {
            continue;
        }
        assert_true( fields[i].minimum < fields[i].maximum );
        assert_true( fields[i].optional ==
                     !( fields[i].fallback >= fields[i].minimum && fields[i].fallback <= fields[i].maximum ) );
        const float values[4] = { fields[i].minimum, fields[i].maximum, nextafterf( fields[i].minimum, -INFINITY ),
            nextafterf( fields[i].maximum, INFINITY ) };
        for ( int j = 0; j < 4; ++j )
        {
            supElementDef def = supNamedDef( "x" );
            *(float*)( (char*)&def + fields[i].offset ) = values[j];
            supResult result = supCheckFields( fields, count, &def, "x", NULL );
            assert_int_equal( result, j < 2 ? sup_success : sup_errorData );
        }
    }
}

static void supTestNameErrors( void** state )
{
    (void)state;
    SUP_EXPECT( driver, NULL,
        "elements[2].driver: missing: The joint that carries the flesh. The one field that every element must have." );
    SUP_EXPECT( driver, "", "elements[2].driver: an empty name" );
    SUP_EXPECT( driver, "\xff", "elements[2].driver: not UTF-8" );
    SUP_EXPECT( driver, "\xe2\x82", "elements[2].driver: not UTF-8" );
    SUP_EXPECT( name, "b", "elements[2].name: \"b\" is already the name of elements[1]; give it another" );
    const char* names[2] = { "spine", "" };
    SUP_EXPECT( ends, ( ( supNameList ){ 2, names } ), "elements[2].ends[1]: an empty name" );
    supElementDef def = supNamedDef( "c" );
    def.joints = ( supNameList ){ 3, NULL };
    supExpectRefused( &def, sup_errorArgument, "elements[2].joints: a list of 3, but its data are missing" );
    def.joints = ( supNameList ){ -1, names };
    supExpectRefused( &def, sup_errorArgument, "elements[2].joints: a list of -1, but its data are missing" );
}

static void supTestListErrors( void** state )
{
    (void)state;
    float pairs[] = { -1.0f, 0.0f, 0.5f, 1.0f, 0.5f, 0.0f };
    SUP_EXPECT( attenuationKeys, ( ( supKeyList ){ 3, pairs } ),
        "elements[2].attenuationKeys[2][0]: 0.5 does not come after 0.5; positions must be in rising order" );
    float high[] = { -1.0f, 1.25f };
    SUP_EXPECT( attenuationKeys, ( ( supKeyList ){ 1, high } ), "elements[2].attenuationKeys[0][1]: 1.25 is above 1" );
    float outside[] = { -1.5f, 0.0f, 1.0f, 0.0f };
    SUP_EXPECT( attenuationKeys, ( ( supKeyList ){ 2, outside } ),
        "elements[2].attenuationKeys[0][0]: -1.5 is outside the bone, -1 to 1" );
    SUP_EXPECT( attenuation, sup_attenuationHermite,
        "elements[2].attenuationKeys: \"hermite\" needs two keys at least, has 0" );
    SUP_EXPECT( attenuationSlopes, ( ( supKeyList ){ 1, high } ),
        "elements[2].attenuationSlopes[0][0]: attenuationKeys has no key at -1" );
    supSphere spheres[2] = { { { 0.0f, 0.0f, 0.0f }, 0.1f }, { { 0.0f, 11.0f, 0.0f }, 0.1f } };
    SUP_EXPECT( spheres, ( ( supSphereList ){ 2, spheres } ),
        "elements[2].spheres[1].center[1]: 11 is above 10 of the model's size" );
    spheres[0].radius = 0.0f;
    SUP_EXPECT( spheres, ( ( supSphereList ){ 1, spheres } ),
        "elements[2].spheres[0].radius: 0 is below 1e-6 of the model's size" );
    int32_t vertices[2] = { 7, 7 };
    float values[2] = { 0.5f, 2.0f };
    supVertexValues paint = { "Body", 0, 2, vertices, values };
    SUP_EXPECT( paint, ( ( supVertexValueList ){ 1, &paint, 1 } ),
        "elements[2].paint.meshes[0].vertices[1]: 7 is out of order; vertices must be in rising order from 0, each once" );
    vertices[1] = 8;
    SUP_EXPECT(
        paint, ( ( supVertexValueList ){ 1, &paint, 1 } ), "elements[2].paint.meshes[0].values[1]: 2 is above 1" );
    paint.meshIndex = -1;
    SUP_EXPECT( paint, ( ( supVertexValueList ){ 1, &paint, 1 } ), "elements[2].paint.meshes[0].index: -1 is below 0" );
    paint.mesh = NULL;
    SUP_EXPECT( paint, ( ( supVertexValueList ){ 1, &paint, 1 } ), "elements[2].paint.meshes[0].mesh: an empty name" );
}

static void supTestUnknown( void** state )
{
    (void)state;
    const char* const known[] = { "frequency", "amount" };
    supError error;
    assert_int_equal( supFailUnknown( "elements[2]", "frequncy", known, 2, &error ), sup_errorData );
    assert_string_equal( error.text, "elements[2].frequncy: unknown; did you mean \"frequency\"?" );
    supFailUnknown( "", "zzz", known, 2, &error );
    assert_string_equal( error.text, "zzz: unknown; notes of your own start with \"_\"" );
}

// The rig keeps its own copy of everything: the source is overwritten before the comparison with a twin.
static void supTestDeepCopy( void** state )
{
    (void)state;
    supTestAllocator test = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &test );
    supRig* rig;
    supMakeDef make = supDefaultMakeDef();
    make.allocator = &allocator;
    assert_int_equal( supCreateRig( &make, &rig, NULL ), sup_success );
    supTestElement* block = malloc( sizeof( supTestElement ) );
    supTestRandom random = { 1 };
    for ( int32_t i = 0; i < 40; ++i )
    {
        supError error;
        supTestRandom_Element( &random, block, i, (float)i / 39.0f );
        assert_int_equal( supRig_AddElement( rig, &block->def, &error ), sup_success );
        memset( block, 0x5a, sizeof( *block ) );
    }
    random = ( supTestRandom ){ 1 };
    for ( int32_t i = 0; i < 40; ++i )
    {
        supTestRandom_Element( &random, block, i, (float)i / 39.0f );
        assert_null( supTestElementDifference( &block->def, supRig_Element( rig, i ) ) );
        // The comparison itself sees a change.
        block->def.limitScale = 0.123f;
        assert_non_null( supTestElementDifference( &block->def, supRig_Element( rig, i ) ) );
    }
    free( block );
    supDestroyRig( rig );
    assert_true( test.live == 0 && test.calls > 40 );
}

static void supTestNameOfDriver( void** state )
{
    (void)state;
    supRig* rig;
    supError error;
    supCreateRig( NULL, &rig, &error );
    supElementDef def = supNamedDef( NULL );
    assert_int_equal( supRig_AddElement( rig, &def, &error ), sup_success );
    assert_null( def.name );
    assert_string_equal( supRig_Element( rig, 0 )->name, "hips" );
    assert_int_equal( supRig_AddElement( rig, &def, &error ), sup_errorData );
    assert_string_equal( error.text, "elements[1].name: \"hips\" is already the name of elements[0]; give it another" );
    supDestroyRig( rig );
}

// Every allocation fails once: the call says so, nothing leaks, and the rig goes on as it was.
static void supTestMemoryRunsOut( void** state )
{
    (void)state;
    supTestElement* block = malloc( sizeof( supTestElement ) );
    int32_t failures = 0;
    for ( int32_t failAt = 0;; ++failAt )
    {
        supTestAllocator test = { .failAt = failAt };
        supAllocator allocator = supMakeTestAllocator( &test );
        supTestRandom random = { 7 };
        supRig* rig;
        supError error;
        supMakeDef make = supDefaultMakeDef();
        make.allocator = &allocator;
        supResult result = supCreateRig( &make, &rig, &error );
        int32_t added = 0;
        while ( result == sup_success && added < 30 )
        {
            supTestRandom_Element( &random, block, added, 1.0f );
            result = supRig_AddElement( rig, &block->def, &error );
            added += result == sup_success;
        }
        if ( result == sup_success )
        {
            supDestroyRig( rig );
            assert_true( test.live == 0 );
            break;
        }
        failures += 1;
        assert_int_equal( result, sup_errorMemory );
        if ( rig != NULL )
        {
            assert_int_equal( supRig_ElementCount( rig ), added );
            test.failAt = -1;
            assert_int_equal( supRig_AddElement( rig, &block->def, &error ), sup_success );
            assert_null( supTestElementDifference( &block->def, supRig_Element( rig, added ) ) );
        }
        supDestroyRig( rig );
        assert_true( test.live == 0 );
    }
    assert_true( failures > 30 );
    free( block );
}

static void supTestFloatText( void** state )
{
    (void)state;
    static const struct
    {
        float value;
        const char* text;
    } cases[] = { { 0.1f, "0.1" }, { -9.81f, "-9.81" }, { 4.0f, "4" }, { 1200.0f, "1200" }, { 12.5f, "12.5" },
        { 1e9f, "1e9" }, { 123456792.0f, "123456790" }, { 1.5e-7f, "1.5e-7" }, { 0.00001f, "0.00001" }, { -0.0f, "0" },
        { 16777216.0f, "16777216" }, { 3.4028235e38f, "3.4028235e38" }, { 1e-45f, "1e-45" }, { NAN, "nan" },
        { -INFINITY, "-inf" } };
    char text[SUP_FLOAT_TEXT];
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        assert_string_equal( supFloatText( cases[i].value, text ), cases[i].text );
    }
    supTestRandom random = { 3 };
    for ( int i = 0; i < 50000; ++i )
    {
        uint32_t bits = supTestRandom_Next( &random );
        float value, back;
        memcpy( &value, &bits, sizeof( value ) );
        if ( isfinite( value ) && value != 0.0f )
        {
            back = (float)strtod( supFloatText( value, text ), NULL );
            assert_memory_equal( &back, &value, sizeof( value ) );
            assert_true( strlen( text ) < SUP_FLOAT_TEXT );
        }
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestTableCoversStruct ),
        cmocka_unit_test( supTestDefaults ),
        cmocka_unit_test( supTestNumberErrors ),
        cmocka_unit_test( supTestRanges ),
        cmocka_unit_test( supTestNameErrors ),
        cmocka_unit_test( supTestListErrors ),
        cmocka_unit_test( supTestUnknown ),
        cmocka_unit_test( supTestDeepCopy ),
        cmocka_unit_test( supTestNameOfDriver ),
        cmocka_unit_test( supTestMemoryRunsOut ),
        cmocka_unit_test( supTestFloatText ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
