// Fat between any number of borders: volumes against closed forms, who holds the nodes, and what is wrong with a
// border.
#include "base/math.h"
#include "layers/fat/fat_border.h"
#include "layers/fat/fat_voxels.h"
#include "rig/layer_list.h"
#include "support/balls.h"
#include "support/fat_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const float supEdge = 0.006f;

/// A region of balls, cut.
typedef struct supCutBalls
{
    supCharacter* character;
    supFatDef def;
    supFatRegion region;
    supFatMesh mesh;
} supCutBalls;

static supFatDef supInnerFat( const char* const* names, int32_t count )
{
    supFatDef def = supDefaultFatDef();
    def.name = "fat";
    def.depth = 0.95f;
    def.inner = ( supNameList ){ .names = (const char**)names, .count = count };
    return def;
}

static void supCutBallsApart( supCutBalls* c, const supBall* balls, int32_t count, supFatDef def )
{
    supError error = { 0 };
    c->character = supMakeBalls( balls, count );
    c->def = def;
    const supLayerContext context = { .character = c->character, .gravity = { 0.0f, -9.81f, 0.0f } };
    supResult result = supReadFatRegion( &context, &c->def, NULL, "fat[0]", &c->region, &error );
    result = result == sup_success ? supCutVoxels( &c->region, supEdge, false, "fat[0]", &c->mesh, &error ) : result;
    if ( result != sup_success )
    {
        fail_msg( "%s", error.text );
    }
}

static void supDropBalls( supCutBalls* c )
{
    supDropFatMesh( &c->mesh );
    supDropFatRegion( &c->region );
    supDestroyCharacter( c->character );
}

static void supAssertVolume( const supCutBalls* c, double wanted, const char* what )
{
    double off = c->mesh.volume / wanted - 1.0;
    print_message(
        "%s: %.2f cm^3, closed form %.2f (%+.2f%%)\n", what, 1e6 * c->mesh.volume, 1e6 * wanted, 100.0 * off );
    assert_true( fabs( off ) < 0.01 );
}

/// The bones' shape of a ball of that radius at this depth.
static double supBoneBall( float radius )
{
    return supBallVolume( 0.05 * (double)radius );
}

static const supBall supSkinBall = { .name = "skin", .radius = 0.1f, .skinned = true };

// ---------------------------------------------------------------------------------------------------------------
// Volumes

static void TestShell( void** state )
{
    (void)state;
    const supBall balls[2] = { supSkinBall, { .name = "core", .radius = 0.06f } };
    const char* names[1] = { "core" };
    supCutBalls c;
    supCutBallsApart( &c, balls, 2, supInnerFat( names, 1 ) );
    supAssertVolume( &c, supBallVolume( 0.1 ) - supBallVolume( 0.06 ), "a shell" );
    assert_true( fabsf( c.region.thickest - 0.04f ) < 0.0005f );
    assert_int_equal( c.region.outsideCount, 0 );
    supDropBalls( &c );
}

static const supBall supTwoCores[3] = { { .name = "skin", .radius = 0.1f, .skinned = true },
    { .name = "one", .center = { 0.045f, 0.01f, 0.0f }, .radius = 0.03f },
    { .name = "two", .center = { -0.04f, -0.01f, 0.01f }, .radius = 0.035f, .skinned = true } };

/// Of the held nodes, those whose anchor lies on a ball; all of these near to it.
static int32_t supCountHeldBy( const supCutBalls* c, const supBall* ball )
{
    int32_t count = 0;
    for ( int32_t i = 0; i < c->mesh.nodeCount; ++i )
    {
        const supFatNode* node = c->mesh.nodes + i;
        if ( !node->anchored || node->anchor.triangle < 0 )
        {
            continue;
        }
        supVec3 foot = supVec3_zero;
        for ( int k = 0; k < 3; ++k )
        {
            int32_t point = c->region.inner.corners[3 * node->anchor.triangle + k];
            foot = supMulAdd( foot, node->anchor.shares[k], c->region.inner.points[point] );
        }
        bool own = fabsf( supDistance( foot, ball->center ) - ball->radius ) < 0.02f * ball->radius;
        count += own;
        assert_true( !own || supDistance( node->place, ball->center ) < ball->radius + 0.87f * supEdge );
        // the nearest point, by its barycentric coordinates
        assert_true( fabsf( supDistance( foot, node->place ) - node->anchor.distance ) < 1e-6f );
    }
    return count;
}

static void TestTwoCores( void** state )
{
    (void)state;
    const char* names[2] = { "one", "two" };
    supCutBalls c;
    supCutBallsApart( &c, supTwoCores, 3, supInnerFat( names, 2 ) );
    double both = supBallVolume( 0.03 ) + supBallVolume( 0.035 );
    supAssertVolume( &c, supBallVolume( 0.1 ) - both - supBoneBall( 0.1f ), "two cores" );
    int32_t one = supCountHeldBy( &c, supTwoCores + 1 ), two = supCountHeldBy( &c, supTwoCores + 2 );
    print_message( "of %d held nodes %d on the first core, %d on the second\n", c.mesh.anchoredCount, one, two );
    // as many as a shell of half a voxel has
    assert_true( one > 4.0 * SUP_PI * 0.03 * 0.03 / ( supEdge * supEdge ) * 0.5 );
    assert_true( two > 4.0 * SUP_PI * 0.035 * 0.035 / ( supEdge * supEdge ) * 0.5 );
    assert_true( one + two <= c.mesh.anchoredCount && one + two > c.mesh.anchoredCount * 9 / 10 );
    supDropBalls( &c );
}

/// Cores that stand in one another, and one inside another: their union is what counts.
static void TestCoresOverlap( void** state )
{
    (void)state;
    const supBall balls[4] = { supSkinBall, { .name = "one", .center = { 0.03f, 0.0f, 0.0f }, .radius = 0.04f },
        { .name = "two", .center = { -0.02f, 0.0f, 0.0f }, .radius = 0.04f },
        { .name = "hidden", .center = { -0.02f, 0.0f, 0.0f }, .radius = 0.03f } };
    const char* names[4] = { "hidden", "one", "two", "one" };
    supCutBalls c;
    supCutBallsApart( &c, balls, 4, supInnerFat( names, 4 ) );
    double lens = supLensVolume( 0.04, 0.04, 0.05 );
    supAssertVolume( &c, supBallVolume( 0.1 ) - 2.0 * supBallVolume( 0.04 ) + lens, "cores in one another" );
    supDropBalls( &c );
}

/// Two skins that stand in one another: fat is what is inside either.
static void TestSkinsOverlap( void** state )
{
    (void)state;
    const supBall balls[3] = { { .name = "big", .radius = 0.1f, .skinned = true },
        { .name = "small", .center = { 0.1f, 0.0f, 0.0f }, .radius = 0.07f, .skinned = true },
        { .name = "core", .center = { 0.06f, 0.0f, 0.0f }, .radius = 0.03f } };
    const char* names[1] = { "core" };
    supCutBalls c;
    supCutBallsApart( &c, balls, 3, supInnerFat( names, 1 ) );
    double skins = supBallVolume( 0.1 ) + supBallVolume( 0.07 ) - supLensVolume( 0.1, 0.07, 0.1 );
    supAssertVolume( &c, skins - supBallVolume( 0.03 ) - supBoneBall( 0.1f ), "skins in one another" );
    supDropBalls( &c );
}

/// The wall of a hollow, wound inwards, is no border: there is no fat in a skull.
static void TestHollow( void** state )
{
    (void)state;
    const supBall balls[3] = { supSkinBall, { .name = "skull", .radius = 0.06f },
        { .name = "skull", .radius = 0.05f, .insideOut = true } };
    const char* names[1] = { "skull" };
    supCutBalls c;
    supCutBallsApart( &c, balls, 3, supInnerFat( names, 1 ) );
    supAssertVolume( &c, supBallVolume( 0.1 ) - supBallVolume( 0.06 ), "around a hollow core" );
    supDropBalls( &c );
}

// ---------------------------------------------------------------------------------------------------------------
// Muscles here, bones there, and a mesh

enum
{
    supMostRays = 4000
};

/// Rays from the root to all vertices of the first ball.
typedef struct supBallRays
{
    supVec3 from[supMostRays], way[supMostRays];
    int32_t vertices[supMostRays];
    float rest[supMostRays];
    supInnerBorder border;
} supBallRays;

static supBallRays* supMakeBallRays( const supCharacter* character, float share )
{
    supBallRays* rays = calloc( 1, sizeof( *rays ) );
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    assert_true( mesh.vertexCount <= supMostRays );
    for ( int32_t v = 0; v < mesh.vertexCount; ++v )
    {
        memcpy( &rays->way[v], mesh.positions + 3 * v, sizeof( supVec3 ) );
        rays->vertices[v] = mesh.firstVertex + v;
        rays->rest[v] = share;
    }
    rays->border = ( supInnerBorder ){ mesh.vertexCount, rays->from, rays->way, rays->vertices, rays->rest,
        mesh.indexCount / 3, (const int32_t*)mesh.indices };
    return rays;
}

/// A body whose écorché is known, a head without muscles beside it, and something under the skin of both.
static void TestAllThree( void** state )
{
    (void)state;
    const supBall balls[4] = { { .name = "body", .radius = 0.1f, .skinned = true },
        { .name = "head", .center = { 0.2f, 0.0f, 0.0f }, .radius = 0.08f, .joint = "left", .skinned = true },
        { .name = "machine", .center = { 0.0f, 0.05f, 0.0f }, .radius = 0.03f },
        { .name = "plate", .center = { 0.2f, 0.0f, 0.06f }, .radius = 0.015f, .joint = "left" } };
    const char* names[2] = { "machine", "plate" };
    supCutBalls c = { .character = supMakeBalls( balls, 4 ), .def = supInnerFat( names, 2 ) };
    c.def.depth = 0.35f;
    supBallRays* rays = supMakeBallRays( c.character, 0.5f );
    const supLayerContext context = { .character = c.character, .gravity = { 0.0f, -9.81f, 0.0f } };
    supError error = { 0 };
    supResult result = supReadFatRegion( &context, &c.def, &rays->border, "fat[0]", &c.region, &error );
    result = result == sup_success ? supCutVoxels( &c.region, supEdge, false, "fat[0]", &c.mesh, &error ) : result;
    if ( result != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    double bone = 0.65 * 0.08;
    double body =
        supBallVolume( 0.1 ) - supBallVolume( 0.05 ) - supBallVolume( 0.03 ) + supLensVolume( 0.05, 0.03, 0.05 );
    double head =
        supBallVolume( 0.08 ) - supBallVolume( bone ) - supBallVolume( 0.015 ) + supLensVolume( bone, 0.015, 0.06 );
    supAssertVolume( &c, body + head, "muscles, bones and meshes" );
    assert_true( supCountHeldBy( &c, &( supBall ){ .radius = 0.05f } ) > 50 );
    assert_true( supCountHeldBy( &c, &( supBall ){ .center = { 0.2f, 0.0f, 0.0f }, .radius = (float)bone } ) > 50 );
    assert_true( supCountHeldBy( &c, balls + 2 ) > 20 );
    free( rays );
    supDropBalls( &c );
}

// ---------------------------------------------------------------------------------------------------------------
// What they hold

static supModel* supCompileBalls( const supCharacter* character, supFatDef def, supError* error )
{
    def.voxel = def.voxel > 0.0f ? def.voxel : 0.05f;
    def.modes = 16.0f;
    def.mu = 20000.0f;
    def.gravity = sup_gravityPlain;
    return supCompileFatRig( character, &def, error );
}

/// How far the skin sags in the mean. The meshes below it stay where they are.
static float supSagOf( const supBall* balls, int32_t count, const char* const* names, int32_t nameCount )
{
    supCharacter* character = supMakeBalls( balls, count );
    supError error = { 0 };
    supFatDef def = supInnerFat( names, nameCount );
    def.depth = 0.8f;
    supModel* model = supCompileBalls( character, def, &error );
    supBody* body = NULL;
    if ( model == NULL || supCreateBody( model, &body, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    int32_t vertices = supCharacter_VertexCount( character ), skin = supCharacter_Mesh( character, 0 ).vertexCount;
    supVec3* living = malloc( sizeof( supVec3 ) * (size_t)vertices );
    const supVec3* rest = (const supVec3*)supCharacter_RestPositions( character );
    supBody_SetExact( body, true );
    assert_int_equal(
        supBody_Step( body, supCharacter_RestJoints( character ), supMat34_identity, 0.0f ), sup_success );
    supBody_Skin( body, &living[0].x, NULL );
    float sag = 0.0f, moved = 0.0f;
    for ( int32_t v = 0; v < vertices; ++v )
    {
        sag += v < skin ? ( rest[v].y - living[v].y ) / (float)skin : 0.0f;
        moved = v < skin ? moved : supMaxF( moved, supDistance( living[v], rest[v] ) );
    }
    assert_true( moved < 1e-6f );
    free( living );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyCharacter( character );
    return sag;
}

static void TestSag( void** state )
{
    (void)state;
    const char* names[2] = { "two", "one" };
    float none = supSagOf( &supSkinBall, 1, NULL, 0 );
    const supBall one[2] = { supTwoCores[0], supTwoCores[2] };
    float held = supSagOf( one, 2, names, 1 ), twice = supSagOf( supTwoCores, 3, names, 2 );
    print_message( "sag %.2f mm on the bones alone, %.2f on one core, %.2f on two\n", 1e3 * (double)none,
        1e3 * (double)held, 1e3 * (double)twice );
    assert_true( twice > 1e-4f && twice < 0.8f * held && held < 0.8f * none );
}

// ---------------------------------------------------------------------------------------------------------------
// What is wrong

static void supAssertRefused( const supBall* balls, int32_t count, supFatDef def, const char* words )
{
    supCharacter* character = supMakeBalls( balls, count );
    supError error = { 0 };
    supModel* model = supCompileBalls( character, def, &error );
    assert_null( model );
    if ( strstr( error.text, words ) == NULL )
    {
        fail_msg( "wanted \"%s\" in \"%s\"", words, error.text );
    }
    supDestroyCharacter( character );
}

static void TestBadMeshes( void** state )
{
    (void)state;
    const char* names[1] = { "core" };
    const supFatDef def = supInnerFat( names, 1 );
    supBall balls[2] = { supSkinBall, { .name = "cord", .radius = 0.05f } };
    supAssertRefused( balls, 2, def, "fat[0].inner[0]: no mesh \"core\"; did you mean \"cord\"?" );
    balls[1].name = "core";
    balls[1].open = true;
    supAssertRefused( balls, 2, def, "fat[0].inner[0]: mesh \"core\" is open: " );
    balls[1].open = false;
    balls[1].insideOut = true;
    supAssertRefused( balls, 2, def, "fat[0].inner[0]: mesh \"core\" is inside out around (0, 0, 0)" );
    balls[1].insideOut = false;
    balls[1].radius = 0.12f;
    supAssertRefused(
        balls, 2, def, "fat[0].inner[0]: mesh \"core\" lies outside the skin at 2646 of 2646 places, by 0.02 m" );
    balls[1].radius = 0.0999f;
    supAssertRefused( balls, 2, def, "no fat between the borders, which are 0.000" );
    balls[1].radius = 0.05f;
    supFatDef both = def;
    const char* skins[2] = { "skin", "core" };
    both.meshes = ( supNameList ){ .names = skins, .count = 2 };
    supAssertRefused( balls, 2, both, "fat[0].inner[0]: mesh \"core\" is the skin too" );
}

/// Where a mesh comes through the skin at a few places there is no fat there, and that is known.
static void TestThroughSkin( void** state )
{
    (void)state;
    const supBall balls[2] = { supSkinBall, { .name = "core", .center = { 0.0f, 0.06f, 0.0f }, .radius = 0.05f } };
    const char* names[1] = { "core" };
    supCutBalls c;
    supCutBallsApart( &c, balls, 2, supInnerFat( names, 1 ) );
    double kept = supBallVolume( 0.1 ) - supLensVolume( 0.1, 0.05, 0.06 );
    supAssertVolume( &c, kept - supBoneBall( 0.1f ), "a core that comes through" );
    assert_true( c.region.outsideCount > 50 && c.region.outsideCount < 1000 );
    assert_true( fabsf( c.region.outsideBy - 0.01f ) < 0.0003f );
    // by the vertex above the worst
    assert_true( c.region.outer.points[c.region.outsideAt].y > 0.098f );
    supDropBalls( &c );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( TestShell ), cmocka_unit_test( TestTwoCores ),
        cmocka_unit_test( TestCoresOverlap ), cmocka_unit_test( TestSkinsOverlap ), cmocka_unit_test( TestHollow ),
        cmocka_unit_test( TestAllThree ), cmocka_unit_test( TestSag ), cmocka_unit_test( TestBadMeshes ),
        cmocka_unit_test( TestThroughSkin ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
