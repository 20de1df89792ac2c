// Layers above flesh: with an amount of nothing the same bits as without them, edited while a body runs, and bad words.
#include "supple/auto.h"
#include "supple/body.h"
#include "supple/creatures.h"
#include "supple/io.h"
#include "supple/lab/items.h"
#include "support/gltf_files.h"
#include "support/test_assets.h"
#include "support/test_rigs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct supOffCase
{
    const char *layer, *field; ///< `field` of 0: nothing of it
    const char* json;          ///< items of the layer, for the cat
} supOffCase;

static const supOffCase sup_cases[] = {
    { "volumes", "amount", "{\"element\":\"belly\"}, {\"element\":\"thigh left\"}" },
    { "modes", "amount",
        "{\"element\":\"belly\",\"motion\":\"turn\"}, {\"element\":\"thigh left\",\"pattern\":\"along\"}" },
    { "wrinkles", "height", "{\"joint\":\"upperArm.L\"}" },
};

enum
{
    supOffCases = sizeof( sup_cases ) / sizeof( sup_cases[0] ),
    supFrames = 24,
};

/// Two models of a character: the rig as it is, and with the items of a layer.
static void supMakePair(
    const supCharacter* character, const supRig* plain, const char* layer, const char* items, supModel* out[2] )
{
    supError error = { 0 };
    size_t size = supRigToJson( plain, NULL, 0 );
    char* text = calloc( size + 1024, 1 );
    assert_non_null( text );
    supRigToJson( plain, text, size + 1 );
    for ( int i = 0; i < 2; ++i )
    {
        supRig* rig = NULL;
        char* end = strrchr( text, '}' );
        assert_non_null( end );
        if ( i == 1 )
        {
            snprintf( end, 1024, ", \"%s\": [%s] }", layer, items );
        }
        if ( supReadRigMemory( text, strlen( text ), "a.rig.json", character, NULL, &rig, &error ) != sup_success ||
             supCompileModel( character, rig, out + i, &error ) != sup_success )
        {
            fail_msg( "%s: %s", layer, error.text );
        }
        supDestroyRig( rig );
    }
    free( text );
}

typedef struct supOffBody
{
    supBody* body;
    float *positions, *normals;
    size_t bytes;
} supOffBody;

static supOffBody supOpenOffBody( const supModel* model, const supCharacter* character )
{
    supOffBody out = { .bytes = 3 * sizeof( float ) * (size_t)supCharacter_Info( character )->vertexCount };
    assert_int_equal( supCreateBody( model, &out.body, NULL ), sup_success );
    out.positions = malloc( out.bytes );
    out.normals = malloc( out.bytes );
    assert_true( out.positions != NULL && out.normals != NULL );
    return out;
}

static void supCloseOffBody( supOffBody* body )
{
    supDestroyBody( body->body );
    free( body->positions );
    free( body->normals );
}

static bool supAreSameBits( const supOffBody* a, const supOffBody* b )
{
    return memcmp( a->positions, b->positions, a->bytes ) == 0 && memcmp( a->normals, b->normals, a->bytes ) == 0;
}

static void supSetAll( const supModel* model, supOffBody* body, int32_t layer, const char* field, float value )
{
    for ( int32_t i = 0; i < supModel_ItemCount( model, layer ); ++i )
    {
        assert_int_equal( supBody_SetField( body->body, layer, i, field, value, NULL ), sup_success );
    }
}

/// Frames of a clip, positions and normals: with nothing of the layer the bits are those of the rig without it, in
/// every frame; with all of it, set while the body runs, they are not; with nothing again they are.
static void supCheckOff( const supCharacter* character, supModel* models[2], const supOffCase* is, int32_t clip )
{
    supOffBody plain = supOpenOffBody( models[0], character ), layered = supOpenOffBody( models[1], character );
    supPose* pose = NULL;
    int32_t layer = supFindLayer( is->layer ), changed = 0;
    assert_int_equal( supCreatePose( character, NULL, &pose, NULL ), sup_success );
    assert_true( supModel_ItemCount( models[0], layer ) == 0 && supModel_ItemCount( models[1], layer ) > 0 );
    for ( int i = 0; i < 3 * supFrames; ++i )
    {
        bool on = i / supFrames == 1;
        if ( i % supFrames == 0 )
        {
            supSetAll( models[1], &layered, layer, is->field, on ? 1.0f : 0.0f );
        }
        if ( i == 2 * supFrames ) // a spring that has swung comes to rest in its own time: begin anew
        {
            supBody_Reset( plain.body );
            supBody_Reset( layered.body );
        }
        supPose_Sample( pose, clip, 1.0 / 30.0 * i );
        supOffBody* both[2] = { &plain, &layered };
        for ( int k = 0; k < 2; ++k )
        {
            assert_int_equal(
                supBody_Step( both[k]->body, supPose_Joints( pose ), supMat34_identity, 1.0f / 30.0f ), sup_success );
            supBody_Skin( both[k]->body, both[k]->positions, both[k]->normals );
        }
        bool same = supAreSameBits( &plain, &layered );
        changed += on && !same;
        if ( !on && !same )
        {
            fail_msg( "%s: other bits in frame %d, though %s is 0", is->layer, i, is->field );
        }
    }
    print_message( "%-8s nothing of it: the same bits; all of it, set live: other ones in %d of %d frames\n", is->layer,
        changed, (int)supFrames );
    assert_true( changed > 0 );
    supDestroyPose( pose );
    supCloseOffBody( &plain );
    supCloseOffBody( &layered );
}

static void supTestOff( void** state )
{
    (void)state;
    supCreature* creature = NULL;
    supRig* rig = NULL;
    assert_int_equal( supCreateCreature( "cat", NULL, &creature, NULL ), sup_success );
    const supCharacter* cat = supCreature_Character( creature );
    assert_int_equal( supProposeRig( cat, sup_presetNatural, &rig, NULL ), sup_success );
    for ( int i = 0; i < supOffCases; ++i )
    {
        supModel* models[2] = { NULL, NULL };
        supMakePair( cat, rig, sup_cases[i].layer, sup_cases[i].json, models );
        supCheckOff( cat, models, sup_cases + i, supCharacter_FindClip( cat, "jump" ) );
        supDestroyModel( models[0] );
        supDestroyModel( models[1] );
    }
    supDestroyRig( rig );
    supDestroyCreature( creature );
}

/// Clothes need a garment: the robot's jacket.
static void supTestClothesOff( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const char* const jacket[] = { "Cube.007" };
    static const supOffCase is = { "clothes", "amount", "{\"mesh\":\"Cube.007\"}" };
    supCharacter* robot = supLoadTestAsset( "quaternius/Character.glb" );
    supRig *found = NULL, *rig = NULL;
    supModel* models[2] = { NULL, NULL };
    assert_int_equal( supProposeRig( robot, sup_presetNatural, &found, NULL ), sup_success );
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    for ( int32_t i = 0; i < supRig_ElementCount( found ); ++i )
    {
        supElementDef def = *supRig_Element( found, i );
        def.skipMeshes = ( supNameList ){ 1, jacket };
        def.skipRigid = false;
        assert_int_equal( supRig_AddElement( rig, &def, NULL ), sup_success );
    }
    supMakePair( robot, rig, is.layer, is.json, models );
    supCheckOff( robot, models, &is, supCharacter_FindClip( robot, "CharacterArmature|Walk" ) );
    supDestroyModel( models[0] );
    supDestroyModel( models[1] );
    supDestroyRig( rig );
    supDestroyRig( found );
    supDestroyCharacter( robot );
}

/// Names that are not there and numbers out of range, each refused with its place.
static void supTestBadWords( void** state )
{
    (void)state;
    static const struct
    {
        const char *json, *words;
    } cases[] = {
        { "\"volumes\":[{\"element\":\"bely\"}]", "volumes[0].element" },
        { "\"volumes\":[{\"element\":\"belly\"},{\"element\":\"belly\",\"amount\":1.5}]", "volumes[1].amount" },
        { "\"volumes\":[{}]", "element" },
        { "\"volumes\":[{\"element\":\"belly\",\"ammount\":1}]", "ammount" },
        { "\"modes\":[{\"element\":\"bely\"}]", "modes[0].element" },
        { "\"modes\":[{\"element\":\"belly\",\"frequency\":-1}]", "modes[0].frequency" },
        { "\"wrinkles\":[{\"joint\":\"shoulderL\"}]", "wrinkles[0].joint" },
        { "\"wrinkles\":[{\"width\":\"wide\"}]", "wrinkles[0].width" },
        { "\"clothes\":[{\"mesh\":\"hat\"}]", "clothes[0].mesh" },
        { "\"clothes\":[{\"mesh\":\"cat\",\"amount\":2}]", "clothes[0].amount" },
    };
    supCreature* creature = NULL;
    assert_int_equal( supCreateCreature( "cat", NULL, &creature, NULL ), sup_success );
    const supCharacter* cat = supCreature_Character( creature );
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        char text[512];
        supError error = { 0 };
        supRig* rig = NULL;
        supModel* model = NULL;
        snprintf( text, sizeof( text ),
            "{\"supple\":1,\"elements\":[{\"name\":\"belly\",\"driver\":\"spine\",\"ends\":[\"neck\"]}],%s}",
            cases[i].json );
        supResult result = supReadRigMemory( text, strlen( text ), "a.rig.json", cat, NULL, &rig, &error );
        result = result == sup_success ? supCompileModel( cat, rig, &model, &error ) : result;
        assert_int_not_equal( result, sup_success );
        if ( strstr( error.text, cases[i].words ) == NULL )
        {
            fail_msg( "%s: %s", cases[i].json, error.text );
        }
        supDestroyRig( rig );
    }
    supDestroyCreature( creature );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestOff ),
        cmocka_unit_test( supTestClothesOff ),
        cmocka_unit_test( supTestBadWords ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
