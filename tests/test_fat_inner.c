// Fat between any number of borders: volumes against closed forms, who holds the nodes, and what is wrong with a
// border.
#include "base/math.h"
#include "layers/fat/fat_border.h"
#include "layers/fat/fat_voxels.h"
#include "rig/layer_list.h"
#include "rig/model_data.h"
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
    int32_t vertices = supCharacter_Info( character )->vertexCount,
            skin = supCharacter_Mesh( character, 0 ).vertexCount;
    supVec3* living = malloc( sizeof( supVec3 ) * (size_t)vertices );
    const supVec3* rest = (const supVec3*)supCharacter_Info( character )->restPositions;
    supBody_SetExact( body, true );
    assert_int_equal(
        supBody_Step( body, supCharacter_Info( character )->restJoints, supMat34_identity, 0.0f ), sup_success );
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
// Meshes that other joints carry

/// Skin on "root", a core within it on "left".
typedef struct supRidingCore
{
    supCharacter* character;
    supModel* model;
    supBody* body;
    const supFat* fat;
    supVec3 *living, *smooth;
    int32_t skinCount;
} supRidingCore;

static void supOpenRidingCore( supRidingCore* c, const char* joint, int32_t solver )
{
    const supBall balls[2] = { supSkinBall, { .name = "core", .radius = 0.05f, .joint = joint } };
    const char* names[1] = { "core" };
    supFatDef def = supInnerFat( names, 1 );
    def.voxel = 0.04f;
    def.modes = 48.0f;
    def.solver = solver;
    def.keepVolume = 0.0f; // which is beyond the linear solid
    def.gravity = sup_gravityRelative;
    supError error = { 0 };
    c->character = supMakeBalls( balls, 2 );
    c->model = supCompileFatRig( c->character, &def, &error );
    if ( c->model == NULL || supCreateBody( c->model, &c->body, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    c->fat = ( (const supFats*)c->model->stack.layers[0].compiled )->fats;
    c->skinCount = supCharacter_Mesh( c->character, 0 ).vertexCount;
    size_t room = sizeof( supVec3 ) * (size_t)supCharacter_Info( c->character )->vertexCount;
    c->living = malloc( room );
    c->smooth = malloc( room );
    supBody_SetExact( c->body, true );
}

static void supCloseRidingCore( supRidingCore* c )
{
    free( c->living ), free( c->smooth );
    supDestroyBody( c->body );
    supDestroyModel( c->model );
    supDestroyCharacter( c->character );
}

/// A step with "left" moved on by `way`, and all of the body carried by `motion`.
static void supStepRidingCore( supRidingCore* c, supMat34 motion, supVec3 way, float dt )
{
    supMat34 joints[3];
    memcpy( joints, supCharacter_Info( c->character )->restJoints, sizeof( joints ) );
    joints[1].t = supAdd( joints[1].t, way );
    for ( int j = 0; j < 3; ++j )
    {
        joints[j] = supMulMat( motion, joints[j] );
    }
    assert_int_equal( supBody_Step( c->body, joints, supMat34_identity, dt ), sup_success );
    supBody_Skin( c->body, &c->living[0].x, NULL );
    supBody_SmoothSkin( c->body, &c->smooth[0].x, NULL );
}

static float supMostMoved( const supRidingCore* c )
{
    float most = 0.0f;
    for ( int32_t v = 0; v < c->skinCount; ++v )
    {
        most = supMaxF( most, supDistance( c->living[v], c->smooth[v] ) );
    }
    return most;
}

/// Where the skin comes to rest with all held nodes moved by `way`: by conjugate gradients on the solid itself.
static supVec3* supSkinByGradients( const supRidingCore* c, supVec3 way )
{
    const supElastic* elastic = c->fat->elastic;
    size_t count = 3 * (size_t)elastic->freeCount, held = 3 * (size_t)elastic->anchorCount;
    double *u = calloc( count, sizeof( double ) ), *f = calloc( count, sizeof( double ) ),
           *anchors = malloc( sizeof( double ) * held );
    const double along[3] = { way.x, way.y, way.z };
    for ( size_t i = 0; i < held; ++i )
    {
        anchors[i] = along[i % 3];
    }
    supBlockMatrix_Multiply( &elastic->pull, anchors, f );
    for ( size_t i = 0; i < count; ++i )
    {
        f[i] = -f[i];
    }
    supSolveByGradients( elastic, NULL, NULL, f, u );
    supVec3* skin = calloc( (size_t)c->skinCount, sizeof( supVec3 ) );
    for ( int32_t i = 0; i < c->fat->skinCount; ++i )
    {
        for ( int32_t k = c->fat->starts[i]; k < c->fat->starts[i + 1]; ++k )
        {
            const double* own = u + 3 * (size_t)c->fat->links[k];
            supVec3 moved = supMakeVec3( (float)own[0], (float)own[1], (float)own[2] );
            skin[c->fat->skin[i]] = supMulAdd( skin[c->fat->skin[i]], c->fat->shares[k], moved );
        }
    }
    free( u ), free( f ), free( anchors );
    return skin;
}

/// A core that moves within the skin takes the fat along, as far as the solid says.
static void TestCoreMoves( void** state )
{
    (void)state;
    supRidingCore live, reference;
    supOpenRidingCore( &live, "left", sup_fatLive );
    supOpenRidingCore( &reference, "left", sup_fatReference );
    const supVec3 way = { 0.003f, 0.004f, 0.0f };
    supVec3* truth = supSkinByGradients( &reference, way );
    supStepRidingCore( &live, supMat34_identity, way, 0.0f );
    double off = 0.0, all = 0.0;
    for ( int32_t v = 0; v < live.skinCount; ++v )
    {
        supVec3 moved = supSub( live.living[v], live.smooth[v] );
        off += supLengthSquared( supSub( moved, truth[v] ) );
        all += supLengthSquared( truth[v] );
    }
    print_message( "skin over a core that moves by 5 mm: %.2f mm, off by %.1f%%\n", 1e3 * sqrt( all / live.skinCount ),
        100.0 * sqrt( off / all ) );
    assert_true( sqrt( all / live.skinCount ) > 0.003 );
    assert_true( sqrt( off / all ) < 0.002 );
    free( truth );
    supCloseRidingCore( &live );
    supCloseRidingCore( &reference );
}

/// Moved back it comes to rest where it was; carried along with the skin, or as one with the body, it pushes nothing.
static void TestCoreRests( void** state )
{
    (void)state;
    supRidingCore c;
    supOpenRidingCore( &c, "left", sup_fatLive );
    supMat34 turned = supTurned( supMakeVec3( 0.6f, 0.0f, 0.8f ), 1.0f, supMakeVec3( 0.3f, -2.0f, 0.7f ) );
    supStepRidingCore( &c, turned, supVec3_zero, 0.0f );
    print_message( "turned and carried 2 m: %.2g m\n", (double)supMostMoved( &c ) );
    assert_true( supMostMoved( &c ) > 0.0f ); // gravity pulls another way
    float sag = supMostMoved( &c );
    supStepRidingCore( &c, turned, supMakeVec3( 0.0f, 0.005f, 0.0f ), 0.01f );
    for ( int i = 0; i < 600; ++i )
    {
        supStepRidingCore( &c, turned, supVec3_zero, 0.01f );
    }
    assert_true( fabsf( supMostMoved( &c ) - sag ) < 1e-5f );
    supCloseRidingCore( &c );
    supOpenRidingCore( &c, "root", sup_fatLive );
    assert_int_equal( c.fat->pairCount, 0 );
    supCloseRidingCore( &c );
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
    supAssertRefused( balls, 2, def, "no room for fat between the borders, which are at most 0.000" );
    balls[1].radius = 0.05f;
    supFatDef both = def;
    const char* skins[2] = { "skin", "core" };
    both.meshes = ( supNameList ){ .names = skins, .count = 2 };
    supAssertRefused( balls, 2, both, "fat[0].inner[0]: mesh \"core\" is also in `meshes`" );
    balls[1].flat = true;
    balls[1].center.y = 0.02f;
    supAssertRefused( balls, 2, def, "fat[0].inner[0]: mesh \"core\" is flat around (0, 0.02, 0)" );
}

/// Nothing is left to lie under.
static void TestSkinIsInner( void** state )
{
    (void)state;
    const char* names[2] = { "skin", "core" };
    const supBall balls[2] = { supSkinBall, { .name = "core", .radius = 0.05f } };
    supAssertRefused( balls, 1, supInnerFat( names, 1 ), "fat[0].inner: all skin is in `inner`" );
    supAssertRefused( balls, 2, supInnerFat( names, 2 ), "fat[0].inner: all skin is in `inner`" );
}

/// Muscles that come through the skin are to blame, not the mesh beside them, though that comes through it farther.
static void TestMusclesOutside( void** state )
{
    (void)state;
    const supBall balls[2] = { supSkinBall, { .name = "core", .center = { 0.0f, 0.08f, 0.0f }, .radius = 0.05f } };
    const char* names[1] = { "core" };
    const supFatDef def = supInnerFat( names, 1 );
    supCharacter* character = supMakeBalls( balls, 2 );
    supFatRegion region;
    supError error = { 0 };
    const float shares[2] = { 1.1f, 1.0f }; // of the way to the skin
    for ( int i = 0; i < 2; ++i )
    {
        supBallRays* rays = supMakeBallRays( character, shares[i] );
        const supLayerContext context = { .character = character, .gravity = { 0.0f, -9.81f, 0.0f } };
        supResult result = supReadFatRegion( &context, &def, &rays->border, "fat[0]", &region, &error );
        assert_int_equal( result, i == 0 ? sup_errorData : sup_success );
        supDropFatRegion( &region );
        free( rays );
    }
    const char* words = "fat[0]: the muscles' border lies outside the skin at 2646 of 2646 places, by 0.01 m";
    assert_memory_equal( error.text, words, strlen( words ) );
    supDestroyCharacter( character );
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
        cmocka_unit_test( TestAllThree ), cmocka_unit_test( TestSag ), cmocka_unit_test( TestCoreMoves ),
        cmocka_unit_test( TestCoreRests ), cmocka_unit_test( TestBadMeshes ), cmocka_unit_test( TestSkinIsInner ),
        cmocka_unit_test( TestMusclesOutside ), cmocka_unit_test( TestThroughSkin ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
