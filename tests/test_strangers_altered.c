// Strangers whose files are arranged in another way: a scaled or turned node on top, a body in the air, no clips, clips
// for one joint alone. What is found must not depend on any of it.

#include "support/found_flesh.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char* const supAssets[] = { "strangers/woman_mixamo.glb", "strangers/Husky.glb", "strangers/Trex.glb" };

/// A node above all others, with this transform.
typedef struct supTop
{
    float translation[3], rotation[4], scale;
} supTop;

static json_t* supNumbers( const float* values, int count )
{
    json_t* array = json_array();
    for ( int i = 0; i < count; ++i )
    {
        json_array_append_new( array, json_real( (double)values[i] ) );
    }
    return array;
}

static void supPutOnTop( json_t* root, void* context )
{
    const supTop* top = context;
    const float scale[3] = { top->scale, top->scale, top->scale };
    json_t* nodes = json_object_get( root, "nodes" );
    json_t* scene = json_array_get( json_object_get( root, "scenes" ), 0 );
    json_t* node = json_object();
    json_object_set( node, "children", json_object_get( scene, "nodes" ) );
    json_object_set_new( node, "translation", supNumbers( top->translation, 3 ) );
    json_object_set_new( node, "rotation", supNumbers( top->rotation, 4 ) );
    json_object_set_new( node, "scale", supNumbers( scale, 3 ) );
    json_array_append_new( nodes, node );
    json_object_set_new( scene, "nodes", json_pack( "[i]", (int)json_array_size( nodes ) - 1 ) );
}

static void supDropClips( json_t* root, void* context )
{
    (void)context;
    json_object_del( root, "animations" );
}

/// Of every clip its last channel alone.
static void supKeepOneChannel( json_t* root, void* context )
{
    (void)context;
    json_t* clips = json_object_get( root, "animations" );
    for ( size_t i = 0; i < json_array_size( clips ); ++i )
    {
        json_t* channels = json_object_get( json_array_get( clips, i ), "channels" );
        while ( json_array_size( channels ) > 1 )
        {
            json_array_remove( channels, 0 );
        }
    }
}

/// A floor many times larger than the body, on the node that holds its skeleton: the body's own mesh without its skin,
/// pressed flat.
static void supLayFloor( json_t* root, void* context )
{
    (void)context;
    json_t *nodes = json_object_get( root, "nodes" ), *skins = json_object_get( root, "skins" ), *node = NULL;
    json_int_t joint =
        json_integer_value( json_array_get( json_object_get( json_array_get( skins, 0 ), "joints" ), 0 ) );
    size_t i = 0, holder = json_array_size( nodes );
    json_array_foreach( nodes, i, node )
    {
        json_t *children = json_object_get( node, "children" ), *child = NULL;
        size_t k = 0;
        json_array_foreach( children, k, child )
        {
            holder = json_integer_value( child ) == joint ? i : holder;
        }
    }
    if ( holder < json_array_size( nodes ) )
    {
        json_t* children = json_object_get( json_array_get( nodes, holder ), "children" );
        json_array_append_new( children, json_integer( (json_int_t)json_array_size( nodes ) ) );
        const float scale[3] = { 20.0f, 0.01f, 20.0f };
        json_array_append_new( nodes, json_pack( "{s:i, s:o}", "mesh", 0, "scale", supNumbers( scale, 3 ) ) );
    }
}

static bool supIsNear( supVec3 a, supVec3 b )
{
    return a.x * b.x + a.y * b.y + a.z * b.z > 0.999f;
}

/// The same kind and the same regions, in their order; front and up as they are told.
static void supCheckEdited( const char* asset, supJsonEdit* edit, void* context, supVec3 front, supVec3 up )
{
    supFound plain = supFindFlesh( asset, sup_presetNatural );
    supCharacter* edited = supLoadEdited( asset, edit, context );
    supFound other = supFindFleshOn( edited, sup_presetNatural );
    const supProposal *a = plain.proposal, *b = other.proposal;
    print_message( "%s: %d and %d elements\n", asset, a->elementCount, b->elementCount );
    assert_int_equal( a->body.kind, b->body.kind );
    assert_true( supIsNear( b->body.front, front ) );
    assert_true( supIsNear( b->body.up, up ) );
    assert_int_equal( a->elementCount, b->elementCount );
    for ( int32_t e = 0; e < a->elementCount; ++e )
    {
        assert_int_equal( a->elements[e].region, b->elements[e].region );
        assert_int_equal( a->elements[e].side, b->elements[e].side );
    }
    supDropFound( &other );
    supDestroyCharacter( edited );
    supDropFound( &plain );
}

static const supVec3 supX = { 1.0f, 0.0f, 0.0f }, supY = { 0.0f, 1.0f, 0.0f }, supZ = { 0.0f, 0.0f, 1.0f };

/// A hundredth of the size, as files in centimetres have it; in the air and beside the origin; the armature on its
/// back.
static void supTestOnTop( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supTop small = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f }, 0.01f };
    supTop raised = { { 3.0f, 7.0f, -2.0f }, { 0.0f, 0.0f, 0.0f, 1.0f }, 1.0f };
    supTop turned = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.70710678f, 0.0f, 0.70710678f }, 1.0f };
    supTop lying = { { 0.0f, 0.0f, 0.0f }, { 0.70710678f, 0.0f, 0.0f, 0.70710678f }, 1.0f };
    const supVec3 down = { 0.0f, -1.0f, 0.0f };
    for ( size_t i = 0; i < sizeof( supAssets ) / sizeof( supAssets[0] ); ++i )
    {
        supCheckEdited( supAssets[i], supPutOnTop, &small, supZ, supY );
        supCheckEdited( supAssets[i], supPutOnTop, &raised, supZ, supY );
        supCheckEdited( supAssets[i], supPutOnTop, &turned, supX, supY );
        supCheckEdited( supAssets[i], supPutOnTop, &lying, down, supZ );
    }
}

static void supTestClips( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    for ( size_t i = 0; i < sizeof( supAssets ) / sizeof( supAssets[0] ); ++i )
    {
        supCheckEdited( supAssets[i], supDropClips, NULL, supZ, supY );
        supCheckEdited( supAssets[i], supKeepOneChannel, NULL, supZ, supY );
    }
}

/// Scenery makes nothing hard and nothing larger.
static void supTestFloor( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    for ( size_t i = 0; i < sizeof( supAssets ) / sizeof( supAssets[0] ); ++i )
    {
        supCheckEdited( supAssets[i], supLayFloor, NULL, supZ, supY );
    }
}

/// A hand by itself is no body: nothing in it carries flesh, and its joints are a hand's.
static void supTestHandAlone( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supFound hand = supFindFlesh( "webxr_hand/left.glb", sup_presetNatural );
    int32_t fingers = 0;
    for ( int32_t j = 0; j < hand.proposal->jointCount; ++j )
    {
        fingers += hand.proposal->regions[j] == sup_regionExtremity;
    }
    assert_int_equal( hand.proposal->elementCount, 0 );
    assert_true( fingers >= 15 );
    supDropFound( &hand );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestOnTop ),
        cmocka_unit_test( supTestClips ),
        cmocka_unit_test( supTestFloor ),
        cmocka_unit_test( supTestHandAlone ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
