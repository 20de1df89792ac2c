// Lengthwise curves on shapes whose sections are known.

#include "base/memory.h"
#include "layers/correctives/tube.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supRound = 64, ///< vertices around
    supLong = 80   ///< rings
};

typedef struct supSurface
{
    supVec3 places[supRound * ( supLong + 1 )];
    uint32_t triangles[6 * supRound * supLong];
    int32_t triangleCount;
} supSurface;

/// A cone's stump along y from -0.1 to 1.1, radius 0.2 + 0.1 y, bent by `bend` radians into an arc.
static void supMakeSurface( supSurface* made, double bend )
{
    for ( int r = 0; r <= supLong; ++r )
    {
        double y = -0.1 + 1.2 * r / supLong, radius = 0.2 + 0.1 * y;
        for ( int c = 0; c < supRound; ++c )
        {
            double angle = 2.0 * 3.14159265358979 * c / supRound, x = radius * cos( angle ), z = radius * sin( angle );
            supVec3* place = made->places + r * supRound + c;
            if ( bend == 0.0 )
            {
                *place = supMakeVec3( (float)x, (float)y, (float)z );
                continue;
            }
            double arc = 1.0 / bend, turn = y * bend; // centre of the arc at x = arc
            *place = supMakeVec3(
                (float)( arc - ( arc - x ) * cos( turn ) ), (float)( ( arc - x ) * sin( turn ) ), (float)z );
        }
    }
    made->triangleCount = 0;
    for ( int r = 0; r < supLong; ++r )
    {
        for ( int c = 0; c < supRound; ++c )
        {
            uint32_t a = (uint32_t)( r * supRound + c ), b = (uint32_t)( r * supRound + ( c + 1 ) % supRound );
            const uint32_t two[6] = { a, b, a + supRound, b, b + supRound, a + supRound };
            memcpy( made->triangles + 3 * made->triangleCount, two, sizeof( two ) );
            made->triangleCount += 2;
        }
    }
}

static supTubeDef supTubeDefOf( const supSurface* surface, const supVec3* center, int32_t centerCount )
{
    return ( supTubeDef ){ .centerCount = centerCount,
        .center = center,
        .vertexCount = supRound * ( supLong + 1 ),
        .positions = surface->places,
        .triangleCount = surface->triangleCount,
        .triangles = surface->triangles,
        .curves = 24,
        .nodes = 21 };
}

static supSurface sup_surface;

static void supTestStraight( void** state )
{
    (void)state;
    supMakeSurface( &sup_surface, 0.0 );
    const supVec3 center[] = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.6f, 0.0f }, { 0.0f, 1.0f, 0.0f } };
    supTubeDef def = supTubeDefOf( &sup_surface, center, 3 );
    supTube* tube;
    assert_int_equal( supCreateTube( &def, &tube, NULL ), sup_success );
    assert_int_equal( tube->uncovered, 0 );
    for ( int32_t c = 0; c < tube->curves; ++c )
    {
        for ( int32_t i = 0; i < tube->nodes; ++i )
        {
            const supTubeNode* node = tube->grid + c * tube->nodes + i;
            double y = i / 20.0, radius = 0.2 + 0.1 * y, own = hypot( node->place.x, node->place.z );
            assert_true( fabs( node->place.y - y ) < 1e-6 );
            assert_true( own < radius + 1e-6 && own > radius * cos( 3.1416 / supRound ) - 1e-6 );
            supVec3 sum = { 0 };
            for ( int k = 0; k < 3; ++k )
            {
                sum = supMulAdd( sum, node->shares[k], sup_surface.places[node->corners[k]] );
            }
            assert_true( supDistance( sum, node->place ) < 1e-6f );
            float along, angle;
            supTube_Locate( tube, node->place, &along, &angle );
            double off = fabs( angle - 2.0 * 3.14159265 * c / tube->curves );
            assert_true( fabs( along - y ) < 1e-5 && ( off < 1e-4 || fabs( off - 6.2831853 ) < 1e-4 ) );
        }
    }
    supFree( NULL, tube, tube->blockSize );
}

/// A quarter circle: planes fan out, no curve winds around, everything is covered.
static void supTestBent( void** state )
{
    (void)state;
    const double bend = 1.57079632679;
    supMakeSurface( &sup_surface, bend );
    supVec3 center[9];
    for ( int i = 0; i < 9; ++i )
    {
        double arc = 1.0 / bend, turn = bend * i / 8.0;
        center[i] = supMakeVec3( (float)( arc - arc * cos( turn ) ), (float)( arc * sin( turn ) ), 0.0f );
    }
    supTubeDef def = supTubeDefOf( &sup_surface, center, 9 );
    supTube* tube;
    assert_int_equal( supCreateTube( &def, &tube, NULL ), sup_success );
    assert_int_equal( tube->uncovered, 0 );
    for ( int32_t i = 0; i < tube->nodes; ++i )
    {
        double y = i / 20.0, turn = y * bend, least = 1.0, most = 0.0;
        supVec3 truth = supMakeVec3( (float)sin( turn ), (float)cos( turn ), 0.0f );
        assert_true( supDot( tube->frames[i].along, truth ) > 0.985f );
        for ( int32_t c = 0; c < tube->curves; ++c )
        {
            double own = supDistance( tube->grid[c * tube->nodes + i].place, tube->frames[i].origin );
            least = fmin( least, own );
            most = fmax( most, own );
        }
        assert_true( least > 0.9 * ( 0.2 + 0.1 * y ) && most < 1.1 * ( 0.2 + 0.1 * y ) );
    }
    // the same curve at both ends: no winding, though the frame has turned by a quarter
    const supTubeFrame *first = tube->frames, *last = tube->frames + tube->nodes - 1;
    assert_true( fabs( first->side.z - last->side.z ) < 0.02 );
    supFree( NULL, tube, tube->blockSize );
}

/// Shares sum to 1, pass through the nodes, and reproduce what grows steadily along; on a smooth field they come near.
static void supTestTies( void** state )
{
    (void)state;
    supMakeSurface( &sup_surface, 0.0 );
    const supVec3 center[] = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f } };
    supTubeDef def = supTubeDefOf( &sup_surface, center, 2 );
    supTube* tube;
    assert_int_equal( supCreateTube( &def, &tube, NULL ), sup_success );
    double worst = 0.0;
    for ( int k = 0; k <= 500; ++k )
    {
        float along = (float)k / 500.0f, angle = (float)fmod( 0.7 * k, 6.2831853 );
        int32_t nodes[supTubeTies];
        float shares[supTubeTies];
        supTube_Tie( tube, along, angle, nodes, shares );
        double sum = 0.0, steady = 0.0, smooth = 0.0;
        for ( int i = 0; i < supTubeTies; ++i )
        {
            double y = nodes[i] % tube->nodes / 20.0, turn = 6.2831853 * ( nodes[i] / tube->nodes ) / tube->curves;
            sum += shares[i];
            steady += shares[i] * ( 3.0 * y - 1.0 );
            smooth += shares[i] * sin( 3.0 * y ) * cos( 2.0 * turn );
        }
        assert_true( fabs( sum - 1.0 ) < 1e-6 );
        assert_true( fabs( steady - ( 3.0 * along - 1.0 ) ) < 1e-5 );
        worst = fmax( worst, fabs( smooth - sin( 3.0 * along ) * cos( 2.0 * angle ) ) );
    }
    print_message( "a smooth field between the nodes: off by at most %.3g\n", worst );
    assert_true( worst < 0.02 );
    supFree( NULL, tube, tube->blockSize );
}

static void supTestHoleAndRefusals( void** state )
{
    (void)state;
    supMakeSurface( &sup_surface, 0.0 );
    const supVec3 center[] = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f } };
    supTubeDef def = supTubeDefOf( &sup_surface, center, 2 );
    def.triangleCount = sup_surface.triangleCount / 2; // above y = 0.5 there is nothing: ten of the planes
    supTube* tube;
    supError error;
    assert_int_equal( supCreateTube( &def, &tube, &error ), sup_success );
    assert_int_equal( tube->uncovered, 24 * 10 );
    supFree( NULL, tube, tube->blockSize );
    def.curves = 2;
    assert_int_equal( supCreateTube( &def, &tube, &error ), sup_errorArgument );
    const supVec3 twice[] = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
    def.curves = 8;
    def.center = twice;
    assert_int_equal( supCreateTube( &def, &tube, &error ), sup_errorArgument );
    assert_string_equal( error.text, "points 0 and 1 of the centre line are in one place" );
}

/// Planes cut a second limb too, and the first one's ring lies between: only what runs around the centre line counts.
static void supTestOtherLimb( void** state )
{
    (void)state;
    enum
    {
        one = supRound * ( supLong + 1 )
    };
    static supVec3 places[2 * one];
    static uint32_t triangles[12 * supRound * supLong];
    supMakeSurface( &sup_surface, 0.0 );
    for ( int v = 0; v < one; ++v )
    {
        places[v] = places[one + v] = sup_surface.places[v];
        places[one + v].x += 0.8f;
    }
    for ( int i = 0; i < 3 * sup_surface.triangleCount; ++i )
    {
        triangles[i] = sup_surface.triangles[i];
        triangles[3 * sup_surface.triangleCount + i] = sup_surface.triangles[i] + one;
    }
    const supVec3 center[] = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f } };
    supTubeDef def = supTubeDefOf( &sup_surface, center, 2 );
    def.vertexCount = 2 * one;
    def.positions = places;
    def.triangles = triangles;
    def.triangleCount = 2 * sup_surface.triangleCount;
    supTube* tube;
    assert_int_equal( supCreateTube( &def, &tube, NULL ), sup_success );
    assert_int_equal( tube->uncovered, 0 );
    for ( int32_t i = 0; i < tube->curves * tube->nodes; ++i )
    {
        assert_true( hypot( tube->grid[i].place.x, tube->grid[i].place.z ) < 0.301 );
    }
    supFree( NULL, tube, tube->blockSize );
}

/// A centre line off the middle comes back to it; one with a sharp bend in a wide part makes planes cross, until the
/// bend is spread.
static void supTestCenterAndTilt( void** state )
{
    (void)state;
    supMakeSurface( &sup_surface, 0.0 );
    const supVec3 off[] = { { 0.1f, 0.0f, 0.05f }, { 0.1f, 1.0f, 0.05f } };
    supTubeDef def = supTubeDefOf( &sup_surface, off, 2 );
    supTube* tube;
    assert_int_equal( supCreateTube( &def, &tube, NULL ), sup_success );
    for ( int32_t i = 0; i < tube->nodes; ++i )
    {
        assert_true( hypot( tube->frames[i].origin.x, tube->frames[i].origin.z ) < 0.005 );
    }
    supFree( NULL, tube, tube->blockSize );
    const double bend = 1.57079632679;
    supMakeSurface( &sup_surface, bend );
    float arc = (float)( 1.0 / bend );
    const supVec3 sharp[] = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.9f * arc, 0.0f }, { 0.1f * arc, arc, 0.0f },
        { arc, arc, 0.0f } };
    def = supTubeDefOf( &sup_surface, sharp, 4 );
    def.nodes = 41;
    assert_int_equal( supCreateTube( &def, &tube, NULL ), sup_success );
    assert_int_equal( tube->crossings, 0 );
    supFree( NULL, tube, tube->blockSize );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestStraight ),
        cmocka_unit_test( supTestBent ),
        cmocka_unit_test( supTestTies ),
        cmocka_unit_test( supTestOtherLimb ),
        cmocka_unit_test( supTestCenterAndTilt ),
        cmocka_unit_test( supTestHoleAndRefusals ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
