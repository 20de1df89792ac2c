// The tree of triangles: the closest one, as a search of all finds it, and the side, as rays through the skin tell it.
#include "base/math.h"
#include "base/memory.h"
#include "layers/triangle_tree.h"
#include "supple/creatures.h"
#include "supple/lab/skin.h"
#include "support/skin_rays.h"
#include "support/test_allocator.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supPlaces = 600,
};

typedef struct supTreeTest
{
    supCreature* creature;
    const supCharacter* character;
    int32_t vertexCount, triangleCount;
    int32_t* corners;
    supVec3* moved; ///< its skin in the middle of the jump
} supTreeTest;

static int supOpenTest( void** state )
{
    supTreeTest* test = calloc( 1, sizeof( *test ) );
    assert_int_equal( supCreateCreature( "cat", NULL, &test->creature, NULL ), sup_success );
    test->character = supCreature_Character( test->creature );
    supMeshView mesh = supCharacter_Mesh( test->character, 0 );
    test->vertexCount = mesh.vertexCount;
    test->triangleCount = mesh.indexCount / 3;
    test->corners = calloc( (size_t)mesh.indexCount, sizeof( int32_t ) );
    test->moved = calloc( (size_t)mesh.vertexCount, sizeof( supVec3 ) );
    for ( int32_t i = 0; i < mesh.indexCount; ++i )
    {
        test->corners[i] = (int32_t)mesh.indices[i];
    }
    supPose* pose = NULL;
    assert_int_equal( supCreatePose( test->character, NULL, &pose, NULL ), sup_success );
    supPose_Sample( pose, supCharacter_FindClip( test->character, "jump" ), 0.75 );
    supMat34 palette[64];
    assert_in_range( supCharacter_Info( test->character )->paletteCount, 1, 64 );
    supCharacter_Palette( test->character, supPose_Joints( pose ), palette );
    supSkinJob job = supCharacter_SkinJob( test->character, 0, palette, NULL );
    job.outPositions = ( supOutStream ){ test->moved, mesh.vertexCount, (int32_t)sizeof( supVec3 ) };
    assert_int_equal( supSkinJob_Run( &job, NULL ), sup_success );
    supDestroyPose( pose );
    *state = test;
    return 0;
}

static int supCloseTest( void** state )
{
    supTreeTest* test = *state;
    free( test->corners );
    free( test->moved );
    supDestroyCreature( test->creature );
    free( test );
    return 0;
}

static supTriangleTree* supMakeTree( const supTreeTest* test, const supAllocator* allocator )
{
    const supVec3* rest = (const supVec3*)supCharacter_Info( test->character )->restPositions;
    return supMakeTriangleTree(
        rest, supCharacter_Info( test->character )->welds, test->corners, test->triangleCount, allocator );
}

/// A place in and around the skin, the same every time.
static supVec3 supNextPlace( const supTreeTest* test, uint32_t* seed )
{
    float r[4];
    for ( int k = 0; k < 4; ++k )
    {
        *seed = *seed * 1664525u + 1013904223u;
        r[k] = (float)( *seed >> 8 ) / 16777216.0f;
    }
    supVec3 on = test->moved[(int32_t)( r[3] * (float)( test->vertexCount - 1 ) )];
    return supAdd( on, supMakeVec3( 0.06f * ( r[0] - 0.5f ), 0.06f * ( r[1] - 0.5f ), 0.06f * ( r[2] - 0.5f ) ) );
}

/// Boxes are fitted to a skin that has moved since the tree was made; the closest triangle is as far away as a search
/// of all says, and where there is none within reach there is none.
static void supTestClosest( void** state )
{
    const supTreeTest* test = *state;
    supTriangleTree* tree = supMakeTree( test, NULL );
    assert_non_null( tree );
    supBounds* boxes = calloc( (size_t)supTriangleTree_BoxCount( tree ), sizeof( supBounds ) );
    supTriangleTree_Fit( tree, test->moved, boxes );
    uint32_t seed = 1;
    for ( int i = 0; i < supPlaces; ++i )
    {
        supVec3 p = supNextPlace( test, &seed );
        float best = 1e30f;
        for ( int32_t t = 0; t < test->triangleCount; ++t )
        {
            const int32_t* c = test->corners + 3 * (size_t)t;
            supVec3 a = test->moved[c[0]], b = test->moved[c[1]], d = test->moved[c[2]];
            best = fminf( best, supClosestOnTriangle( p, a, b, d ).distance );
        }
        supTreeSide side = supTriangleTree_Side( tree, test->moved, boxes, p, 1e30f, -1 );
        assert_true( side.triangle >= 0 && fabsf( side.distance ) == best );
        assert_int_equal( supTriangleTree_Side( tree, test->moved, boxes, p, 0.99f * best, -1 ).triangle, -1 );
        assert_int_equal(
            supTriangleTree_Side( tree, test->moved, boxes, p, 1e30f, side.piece ).triangle, side.triangle );
        assert_int_equal( supTriangleTree_Side( tree, test->moved, boxes, p, 1e30f, side.piece + 1 ).triangle, -1 );
    }
    free( boxes );
    supDropTriangleTree( tree, NULL );
}

/// The closest few, in order, as a search of all finds them; on a vertex, where all triangles around it are as close,
/// those that come first in the mesh.
static void supTestNearest( void** state )
{
    enum
    {
        supFew = 5
    };
    const supTreeTest* test = *state;
    const supVec3* rest = (const supVec3*)supCharacter_Info( test->character )->restPositions;
    supTriangleTree* tree = supMakeTree( test, NULL );
    assert_non_null( tree );
    uint32_t seed = 3;
    for ( int i = 0; i < supPlaces; ++i )
    {
        supVec3 p = i % 2 == 0 ? rest[i % test->vertexCount] : supNextPlace( test, &seed );
        supFootPoint feet[supFew], closest = supTriangleTree_Closest( tree, p, 1e30f );
        assert_int_equal( supTriangleTree_Nearest( tree, p, 1e30f, supFew, feet ), supFew );
        assert_true( closest.triangle == feet[0].triangle && closest.distance == feet[0].distance );
        int before[supFew] = { 0 };
        for ( int32_t t = 0; t < test->triangleCount; ++t )
        {
            const int32_t* c = test->corners + 3 * (size_t)t;
            float distance = supClosestOnTriangle( p, rest[c[0]], rest[c[1]], rest[c[2]] ).distance;
            for ( int k = 0; k < supFew; ++k )
            {
                assert_true( t != feet[k].triangle || distance == feet[k].distance );
                before[k] += distance < feet[k].distance || ( distance == feet[k].distance && t < feet[k].triangle );
            }
        }
        for ( int k = 0; k < supFew; ++k )
        {
            assert_int_equal( before[k], k );
        }
        assert_int_equal( supTriangleTree_Nearest( tree, p, feet[1].distance, supFew, feet ) >= 2, true );
    }
    supDropTriangleTree( tree, NULL );
}

/// On which side: against how often the skin at rest, which is closed and does not cut itself, goes around the place.
static void supTestSide( void** state )
{
    const supTreeTest* test = *state;
    const supVec3* rest = (const supVec3*)supCharacter_Info( test->character )->restPositions;
    supTriangleTree* tree = supMakeTree( test, NULL );
    supBounds* boxes = calloc( (size_t)supTriangleTree_BoxCount( tree ), sizeof( supBounds ) );
    void* scratch = malloc( supSkinRays_ScratchSize( test->vertexCount, test->triangleCount ) );
    assert_true( tree != NULL && boxes != NULL && scratch != NULL );
    supTriangleTree_Fit( tree, rest, boxes );
    supSkinRays rays = supSortForRays( rest, test->vertexCount, test->corners, test->triangleCount, 0, scratch );
    uint32_t seed = 7;
    int inside = 0;
    for ( int i = 0; i < supPlaces; ++i )
    {
        uint32_t which = seed = seed * 1664525u + 1013904223u;
        supVec3 p = supNextPlace( test, &seed );
        p = supAdd(
            rest[which % (uint32_t)test->vertexCount], supSub( p, test->moved[which % (uint32_t)test->vertexCount] ) );
        bool around = supSkinRays_Turns( &rays, p ) != 0;
        supTreeSide side = supTriangleTree_Side( tree, rest, boxes, p, 1e30f, -1 );
        assert_int_equal( side.distance < 0.0f, around );
        inside += around;
    }
    print_message( "%d of %d places are inside\n", inside, (int)supPlaces );
    assert_true( inside > 20 && inside < supPlaces - 20 );
    free( boxes );
    free( scratch );
    supDropTriangleTree( tree, NULL );
}

/// Whichever allocation fails, there is no tree, and nothing is left behind.
static void supTestNoMemory( void** state )
{
    supTestAllocator counter = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &counter );
    supTriangleTree* tree = supMakeTree( *state, &allocator );
    assert_non_null( tree );
    supFree( &allocator, tree, tree->blockSize );
    int32_t calls = counter.calls;
    for ( int32_t at = 0; at < calls; ++at )
    {
        counter = ( supTestAllocator ){ .failAt = at };
        assert_null( supMakeTree( *state, &allocator ) );
        assert_int_equal( counter.live, 0 );
    }
}

/// The way along rays inside a cube of 3 x 4 x 6, cut into triangles of many sizes, is known: to the nearest of its
/// sides.
static void supTestRays( void** state )
{
    (void)state;
    enum
    {
        cells = 9
    };
    const supVec3 half = { 1.5f, 2.0f, 3.0f };
    static supVec3 points[6 * ( cells + 1 ) * ( cells + 1 )];
    static int32_t corners[6 * cells * cells * 6];
    int32_t pointCount = 0, cornerCount = 0;
    for ( int side = 0; side < 6; ++side )
    {
        for ( int i = 0; i <= cells; ++i )
        {
            for ( int k = 0; k <= cells; ++k )
            {
                float a = 2.0f * (float)( i * i ) / ( cells * cells ) - 1.0f, b = 2.0f * (float)k / cells - 1.0f;
                float c = side % 2 == 0 ? -1.0f : 1.0f;
                supVec3 p = side < 2   ? supMakeVec3( c, a, b )
                            : side < 4 ? supMakeVec3( a, c, b )
                                       : supMakeVec3( a, b, c );
                points[pointCount] = supMakeVec3( p.x * half.x, p.y * half.y, p.z * half.z );
                if ( i < cells && k < cells )
                {
                    int32_t v = pointCount, quad[6] = { v, v + 1, v + cells + 1, v + cells + 1, v + 1, v + cells + 2 };
                    memcpy( corners + cornerCount, quad, sizeof( quad ) );
                    cornerCount += 6;
                }
                ++pointCount;
            }
        }
    }
    supTriangleTree* tree = supMakeTriangleTree( points, NULL, corners, cornerCount / 3, NULL );
    assert_non_null( tree );
    for ( uint32_t i = 1; i <= 2000; ++i )
    {
        float r[6];
        for ( uint32_t k = 0; k < 6; ++k )
        {
            r[k] = (float)( ( i * 6 + k ) * 2654435761u >> 8 ) / 8388608.0f - 1.0f;
        }
        supVec3 from = { 0.9f * r[0] * half.x, 0.9f * r[1] * half.y, 0.9f * r[2] * half.z };
        supVec3 way = { r[3], r[4], r[5] };
        float wanted = 1e30f;
        wanted = fminf( wanted, ( copysignf( half.x, way.x ) - from.x ) / way.x );
        wanted = fminf( wanted, ( copysignf( half.y, way.y ) - from.y ) / way.y );
        wanted = fminf( wanted, ( copysignf( half.z, way.z ) - from.z ) / way.z );
        assert_float_equal( supTriangleTree_Meet( tree, from, way, 0.0f, 1e3f ), wanted, 1e-4 * wanted );
        assert_true( supTriangleTree_Meet( tree, from, way, 0.0f, 0.99f * wanted ) < 0.0f );
    }
    supDropTriangleTree( tree, NULL );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestClosest ),
        cmocka_unit_test( supTestNearest ),
        cmocka_unit_test( supTestSide ),
        cmocka_unit_test( supTestRays ),
        cmocka_unit_test( supTestNoMemory ),
    };
    return cmocka_run_group_tests( tests, supOpenTest, supCloseTest );
}
