// Sewn surfaces: closed, all over the skin, one normal for each place; and surfaces that move as characters do.
#include "supple/body.h"
#include "supple/lab/patches.h"
#include "supple/lab/sewn.h"
#include "support/creature_cache.h"
#include "support/gltf_files.h"
#include "support/test_allocator.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double sup_degree = 3.14159265358979323846 / 180.0;

typedef struct supSewnCase
{
    supSewn* sewn;
    supSewnView view;
    supSewnReport report;
    float *positions, *normals;
} supSewnCase;

static supSewnCase supSewCharacter( const supCharacter* character, int32_t detail, const float* skin )
{
    supSewnCase made = { 0 };
    supError error = { 0 };
    supSewnDef def = supDefaultSewnDef();
    def.character = character;
    def.detail = detail;
    if ( supCreateSewn( &def, &made.sewn, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    made.view = supSewn_View( made.sewn );
    made.positions = malloc( (size_t)made.view.vertexCount * sizeof( supVec3 ) );
    made.normals = malloc( (size_t)made.view.vertexCount * sizeof( supVec3 ) );
    assert_int_equal( supSewn_Places( made.sewn, skin, made.positions, made.normals, &error ), sup_success );
    assert_int_equal( supSewn_Measure( made.sewn, skin, made.positions, &made.report, &error ), sup_success );
    return made;
}

static void supDropSewn( supSewnCase* made )
{
    supDestroySewn( made->sewn );
    free( made->positions );
    free( made->normals );
}

// ---------------------------------------------------------------------------------------------------------------
// Edges and places

static int supCompareKeys( const void* a, const void* b )
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return ( x > y ) - ( x < y );
}

/// Edges that do not have exactly one triangle on each side.
static int32_t supCountOpenEdges( const supSewnView* view )
{
    size_t count = (size_t)view->indexCount;
    uint64_t* edges = malloc( count * sizeof( uint64_t ) );
    for ( size_t i = 0; i < count; ++i )
    {
        uint64_t from = view->indices[i], to = view->indices[i % 3 == 2 ? i - 2 : i + 1];
        edges[i] = from < to ? from << 32 | to : to << 32 | from;
    }
    qsort( edges, count, sizeof( uint64_t ), supCompareKeys );
    int32_t open = 0;
    for ( size_t i = 0, next; i < count; i = next )
    {
        for ( next = i + 1; next < count && edges[next] == edges[i]; )
        {
            ++next;
        }
        open += next - i != 2;
    }
    free( edges );
    return open;
}

/// Vertices in the same place of the skin as another: along a seam there would be.
static int32_t supCountTwins( const supSewnView* view, const supCharacter* character )
{
    const float* rest = supCharacter_Info( character )->restPositions;
    size_t count = (size_t)view->vertexCount;
    uint64_t* keys = calloc( count, sizeof( uint64_t ) );
    for ( size_t v = 0; v < count; ++v )
    {
        for ( size_t k = 0; k < 3; ++k )
        {
            double sum = 0.0;
            for ( size_t c = 3 * v; c < 3 * v + 3; ++c )
            {
                sum += (double)view->shares[c] * rest[3 * (size_t)view->corners[c] + k];
            }
            keys[v] = keys[v] * 1000003u + (uint64_t)(int64_t)llround( sum * 1e7 );
        }
    }
    qsort( keys, count, sizeof( uint64_t ), supCompareKeys );
    int32_t twins = 0;
    for ( size_t v = 1; v < count; ++v )
    {
        twins += keys[v] == keys[v - 1];
    }
    free( keys );
    return twins;
}

/// The share of triangles that look more than 60 degrees away from a vertex normal of theirs.
static double supFoldedShare( const supSewnCase* made )
{
    int32_t folded = 0;
    for ( int32_t i = 0; i < made->view.indexCount; i += 3 )
    {
        const uint32_t* c = made->view.indices + i;
        double a[3], b[3], n[3], length = 0.0;
        for ( int k = 0; k < 3; ++k )
        {
            a[k] = (double)made->positions[3 * c[1] + (uint32_t)k] - (double)made->positions[3 * c[0] + (uint32_t)k];
            b[k] = (double)made->positions[3 * c[2] + (uint32_t)k] - (double)made->positions[3 * c[0] + (uint32_t)k];
        }
        for ( int k = 0; k < 3; ++k )
        {
            n[k] = a[( k + 1 ) % 3] * b[( k + 2 ) % 3] - a[( k + 2 ) % 3] * b[( k + 1 ) % 3];
            length += n[k] * n[k];
        }
        bool away = false;
        for ( int v = 0; v < 3; ++v )
        {
            double dot = 0.0;
            for ( int k = 0; k < 3; ++k )
            {
                dot += n[k] * (double)made->normals[3 * c[v] + (uint32_t)k];
            }
            away = away || dot < sqrt( length ) * cos( 60.0 * sup_degree );
        }
        folded += away;
    }
    return 3.0 * folded / made->view.indexCount;
}

static void supUnitNormals( const supSewnView* view, const float* positions, float* normals )
{
    memset( normals, 0, (size_t)view->vertexCount * sizeof( supVec3 ) );
    for ( int32_t i = 0; i < view->indexCount; i += 3 )
    {
        const uint32_t* c = view->indices + i;
        for ( uint32_t k = 0; k < 9; ++k )
        {
            uint32_t x = ( k + 1 ) % 3, y = ( k + 2 ) % 3;
            double ax = (double)positions[3 * c[1] + x] - (double)positions[3 * c[0] + x];
            double ay = (double)positions[3 * c[1] + y] - (double)positions[3 * c[0] + y];
            double bx = (double)positions[3 * c[2] + x] - (double)positions[3 * c[0] + x];
            double by = (double)positions[3 * c[2] + y] - (double)positions[3 * c[0] + y];
            normals[3 * c[k / 3] + k % 3] += (float)( ax * by - ay * bx );
        }
    }
}

/// How far normals look away from those of the skin itself, root mean square. Degrees.
static double supNormalsOff( const supSewnCase* made, const supCharacter* character )
{
    const float* rest = supCharacter_Info( character )->restPositions;
    size_t count = (size_t)made->view.vertexCount;
    float *skin = calloc( count, sizeof( supVec3 ) ), *normals = calloc( count, sizeof( supVec3 ) );
    for ( size_t i = 0; i < 9 * count; ++i )
    {
        size_t c = i / 3;
        skin[3 * ( c / 3 ) + i % 3] += made->view.shares[c] * rest[3 * (size_t)made->view.corners[c] + i % 3];
    }
    supUnitNormals( &made->view, skin, normals );
    double sum = 0.0;
    for ( size_t v = 0; v < count; ++v )
    {
        double dot = 0.0, length = 0.0;
        for ( size_t k = 3 * v; k < 3 * v + 3; ++k )
        {
            dot += (double)normals[k] * (double)made->normals[k];
            length += (double)normals[k] * (double)normals[k];
        }
        double angle = acos( fmax( -1.0, fmin( 1.0, dot / sqrt( length ) ) ) ) / sup_degree;
        sum += angle * angle;
    }
    free( skin );
    free( normals );
    return sqrt( sum / (double)count );
}

/// The woman lofted patch by patch lacked her shoulders, and her patches overlapped at hips and neck. Sewn she is
/// closed, and all of her skin is covered.
static void supTestWomanIsSewn( void** state )
{
    (void)state;
    static const struct
    {
        const char* name;
        double covered, rms; // the cat has edges of 3% of her size, and ears of a few triangles
    } cases[] = { { "woman", 0.9999, 0.0004 }, { "horse", 0.9999, 0.0005 }, { "cat", 0.99, 0.0012 } };
    for ( int i = 0; i < ( SUP_SLOW_BUILD ? 1 : 3 ); ++i )
    {
        const supCharacter* character = supTestCreature( cases[i].name );
        double size = (double)supCharacter_Info( character )->size;
        supSewnCase made = supSewCharacter( character, SUP_SLOW_BUILD ? 1 : 2, NULL );
        double folded = supFoldedShare( &made );
        double turned = supNormalsOff( &made, character );
        print_message( "%s: %d vertices, covered %.3f%%, rms %.3f%%, largest %.2f%%; normals %.2f degrees off the "
                       "skin's, folded %.3f%% of triangles\n",
            cases[i].name, (int)made.view.vertexCount, 100.0 * made.report.covered, 100.0 * made.report.rms / size,
            100.0 * made.report.largest / size, turned, 100.0 * folded );
        assert_int_equal( made.view.openEdges, 0 );
        assert_int_equal( supCountOpenEdges( &made.view ), 0 );
        assert_int_equal( supCountTwins( &made.view, character ), 0 );
        assert_true( made.report.covered >= cases[i].covered );
        assert_true( made.report.rms < cases[i].rms * size );
        assert_true( folded < 0.01 );
        supDropSewn( &made );
    }
}

/// Where the skin is open, so is the surface, and nowhere else: in the deer there are borders of the file's own.
static void supTestOpenSkin( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supCharacter* character = supLoadTestAsset( "strangers/Deer.glb" );
    supSewnCase one = supSewCharacter( character, 1, NULL ), three = supSewCharacter( character, 3, NULL );
    assert_int_equal( three.view.openEdges, 3 * one.view.openEdges );
    assert_int_equal( supCountOpenEdges( &one.view ), one.view.openEdges );
    assert_int_equal( supCountOpenEdges( &three.view ), three.view.openEdges );
    assert_true( three.report.covered > 0.995 );
    supDropSewn( &one );
    supDropSewn( &three );
    supDestroyCharacter( character );
}

// ---------------------------------------------------------------------------------------------------------------
// As characters

static float* supSkinAt( const supCharacter* character, int32_t clip, double time, supMat34* joints )
{
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    supPose* pose = NULL;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supCompileModel( character, rig, &model, NULL ), sup_success );
    assert_int_equal( supCreateBody( model, &body, NULL ), sup_success );
    assert_int_equal( supCreatePose( character, NULL, &pose, NULL ), sup_success );
    supPose_Sample( pose, clip, time );
    assert_int_equal( supBody_Step( body, supPose_Joints( pose ), supMat34_identity, 0.0f ), sup_success );
    float* skin = malloc( (size_t)supCharacter_Info( character )->vertexCount * sizeof( supVec3 ) );
    supBody_Skin( body, skin, NULL );
    if ( joints != NULL )
    {
        memcpy(
            joints, supPose_Joints( pose ), (size_t)supCharacter_Info( character )->jointCount * sizeof( supMat34 ) );
    }
    supDestroyPose( pose );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    return skin;
}

static double supFarthest( const float* a, const float* b, int32_t count )
{
    double largest = 0.0;
    for ( int32_t v = 0; v < count; ++v )
    {
        double sum = 0.0;
        for ( int32_t k = 3 * v; k < 3 * v + 3; ++k )
        {
            sum += ( (double)a[k] - (double)b[k] ) * ( (double)a[k] - (double)b[k] );
        }
        largest = fmax( largest, sqrt( sum ) );
    }
    return largest;
}

/// The skin itself as a surface, each vertex on its own: it goes where the skin goes, in every clip.
static void supTestSkinAsSurface( void** state )
{
    (void)state;
    const supCharacter* woman = supTestCreature( "woman" );
    supMeshView mesh = supCharacter_Mesh( woman, 0 );
    const supCharacterInfo* info = supCharacter_Info( woman );
    int32_t* corners = calloc( 3 * (size_t)info->vertexCount, sizeof( int32_t ) );
    float* shares = calloc( 3 * (size_t)info->vertexCount, sizeof( float ) );
    for ( int32_t v = 0; v < info->vertexCount; ++v )
    {
        corners[3 * v] = corners[3 * v + 1] = corners[3 * v + 2] = v;
        shares[3 * v] = 1.0f;
    }
    supSurfaceDef surface = { .vertexCount = info->vertexCount,
        .indexCount = mesh.indexCount,
        .positions = info->restPositions,
        .normals = mesh.normals,
        .indices = mesh.indices };
    for ( int given = 0; given < 2; ++given )
    {
        surface.corners = given ? corners : NULL;
        surface.shares = given ? shares : NULL;
        supCharacter* dressed = NULL;
        assert_int_equal( supCreateSurfaceCharacter( woman, &surface, NULL, &dressed, NULL ), sup_success );
        assert_int_equal( supCharacter_Info( dressed )->clipCount, info->clipCount );
        for ( int32_t clip = 0; clip < info->clipCount; ++clip )
        {
            float *one = supSkinAt( woman, clip, 0.37, NULL ), *two = supSkinAt( dressed, clip, 0.37, NULL );
            double off = supFarthest( one, two, info->vertexCount );
            assert_true( off < ( given ? 1e-5 : 1e-3 ) * (double)info->size );
            free( one );
            free( two );
        }
        supDestroyCharacter( dressed );
    }
    free( corners );
    free( shares );
}

/// Sewn, as a character: at rest and in every clip its vertices go where the skin's own weights take them.
static void supTestSewnMoves( void** state )
{
    (void)state;
    const supCharacter* woman = supTestCreature( "woman" );
    const supCharacterInfo* info = supCharacter_Info( woman );
    supMeshView mesh = supCharacter_Mesh( woman, 0 );
    supSewnCase made = supSewCharacter( woman, 1, NULL );
    supSurfaceDef surface = { .name = "sewn",
        .vertexCount = made.view.vertexCount,
        .indexCount = made.view.indexCount,
        .positions = made.positions,
        .normals = made.normals,
        .indices = made.view.indices,
        .corners = made.view.corners,
        .shares = made.view.shares };
    supCharacter* dressed = NULL;
    assert_int_equal( supCreateSurfaceCharacter( woman, &surface, NULL, &dressed, NULL ), sup_success );
    assert_int_equal( supCharacter_Info( dressed )->meshCount, 1 );
    assert_true( supFarthest( supCharacter_Info( dressed )->restPositions, made.positions, made.view.vertexCount ) <
                 1e-6 * (double)info->size );
    supMat34* joints = malloc( (size_t)info->jointCount * sizeof( supMat34 ) );
    supMat34* palette = malloc( (size_t)info->paletteCount * sizeof( supMat34 ) );
    for ( int32_t clip = 0; clip < info->clipCount; ++clip )
    {
        free( supSkinAt( woman, clip, 0.21, joints ) );
        supCharacter_Palette( woman, joints, palette );
        float* shown = supSkinAt( dressed, clip, 0.21, NULL );
        double largest = 0.0;
        for ( int32_t v = 0; v < made.view.vertexCount; ++v )
        {
            // with one piece an edge every vertex is a corner: its weights are the skin's own
            size_t own = 0;
            for ( int c = 0; c < 3; ++c )
            {
                own = made.view.shares[3 * v + c] > 0.5f ? (size_t)made.view.corners[3 * v + c] : own;
            }
            double sum[3] = { 0.0, 0.0, 0.0 };
            for ( size_t i = 0; i < (size_t)mesh.influenceCount; ++i )
            {
                size_t at = own * (size_t)mesh.influenceCount + i;
                supMat34 m = palette[mesh.firstPalette + mesh.jointIndices[at]];
                const float* p = made.positions + 3 * (size_t)v;
                double w = (double)mesh.weights[at];
                sum[0] += w * ( (double)m.x.x * p[0] + (double)m.y.x * p[1] + (double)m.z.x * p[2] + (double)m.t.x );
                sum[1] += w * ( (double)m.x.y * p[0] + (double)m.y.y * p[1] + (double)m.z.y * p[2] + (double)m.t.y );
                sum[2] += w * ( (double)m.x.z * p[0] + (double)m.y.z * p[1] + (double)m.z.z * p[2] + (double)m.t.z );
            }
            for ( int k = 0; k < 3; ++k )
            {
                largest = fmax( largest, fabs( sum[k] - (double)shown[3 * v + k] ) );
            }
        }
        assert_true( largest < 1e-5 * (double)info->size );
        free( shown );
    }
    free( joints );
    free( palette );
    supDestroyCharacter( dressed );
    supDropSewn( &made );
}

/// The curves go with the skin: in a pose the surface covers the posed skin.
static void supTestSewnInPose( void** state )
{
    (void)state;
    const supCharacter* woman = supTestCreature( "woman" );
    float* skin = supSkinAt( woman, supCharacter_FindClip( woman, "run" ), 0.3, NULL );
    supSewnCase made = supSewCharacter( woman, SUP_SLOW_BUILD ? 1 : 2, skin );
    print_message( "in a run: covered %.2f%%, rms %.3f%%\n", 100.0 * made.report.covered,
        100.0 * made.report.rms / (double)supCharacter_Info( woman )->size );
    assert_true( made.report.covered > 0.98 );
    supDropSewn( &made );
    free( skin );
}

static void supTestSewnRefusals( void** state )
{
    (void)state;
    supSewn* sewn = NULL;
    supError error = { 0 };
    supSewnDef def = { 0 };
    assert_int_equal( supCreateSewn( &def, &sewn, &error ), sup_errorArgument );
    def = supDefaultSewnDef();
    assert_int_equal( supCreateSewn( &def, &sewn, &error ), sup_errorArgument );
    def.character = supTestCreature( "arm" );
    for ( int32_t detail = 0; detail < 10; detail += 9 )
    {
        def.detail = detail;
        assert_int_equal( supCreateSewn( &def, &sewn, &error ), sup_errorArgument );
        assert_null( sewn );
    }
}

static supResult supSewWith( const supAllocator* allocator, supError* error )
{
    supSewn* sewn = NULL;
    supCharacter* dressed = NULL;
    supSewnDef def = supDefaultSewnDef();
    def.character = supTestCreature( "arm" );
    def.detail = 1;
    def.tolerance = 0.01;
    def.allocator = allocator;
    supResult result = supCreateSewn( &def, &sewn, error );
    if ( result == sup_success )
    {
        supSewnView view = supSewn_View( sewn );
        float* places = malloc( 2 * (size_t)view.vertexCount * sizeof( supVec3 ) );
        float* normals = places + 3 * (size_t)view.vertexCount;
        supSewnReport report;
        supSurfaceDef surface = { .vertexCount = view.vertexCount,
            .indexCount = view.indexCount,
            .positions = places,
            .normals = normals,
            .indices = view.indices };
        result = supSewn_Places( sewn, NULL, places, normals, error );
        result = result == sup_success ? supSewn_Measure( sewn, NULL, places, &report, error ) : result;
        result = result == sup_success
                     ? supCreateSurfaceCharacter( def.character, &surface, allocator, &dressed, error )
                     : result;
        free( places );
    }
    supDestroyCharacter( dressed );
    supDestroySewn( sewn );
    return result;
}

/// Each allocation fails in turn: words, and nothing left behind.
static void supTestSewnWithoutMemory( void** state )
{
    (void)state;
    supTestAllocator counter = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &counter );
    assert_int_equal( supSewWith( &allocator, NULL ), sup_success );
    assert_int_equal( counter.live, 0 );
    int32_t step = counter.calls > 200 ? counter.calls / 200 : 1;
    for ( int32_t at = 0; at < counter.calls; at += step )
    {
        supTestAllocator failing = { .failAt = at };
        supError error = { 0 };
        allocator = supMakeTestAllocator( &failing );
        assert_int_equal( supSewWith( &allocator, &error ), sup_errorMemory );
        assert_true( error.text[0] != 0 );
        assert_int_equal( failing.live, 0 );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestWomanIsSewn ),
        cmocka_unit_test( supTestOpenSkin ),
        cmocka_unit_test( supTestSkinAsSurface ),
        cmocka_unit_test( supTestSewnMoves ),
        cmocka_unit_test( supTestSewnInPose ),
        cmocka_unit_test( supTestSewnRefusals ),
        cmocka_unit_test( supTestSewnWithoutMemory ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
