// Patches and surfaces lofted through their curves: against cylinders, rings and real characters.
#include "supple/body.h"
#include "supple/creatures.h"
#include "supple/io.h"
#include "supple/lab/patches.h"
#include "support/knee.h"
#include "support/test_assets.h"
#include "support/two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double sup_pi = 3.14159265358979323846;

typedef struct supLoftedPatch
{
    int32_t vertexCount, indexCount, sectionCount;
    float* places;
    float* vertices;
    uint32_t* indices;
} supLoftedPatch;

static supLoftedPatch supLoftPatch( const supPatches* patches, int32_t index, const float* skin, int32_t detail )
{
    supPatchView view = supPatches_View( patches, index );
    supLoftedPatch made = { 0 };
    supLoftSize( view.curves, view.nodes, detail, &made.vertexCount, &made.indexCount );
    made.sectionCount = ( ( view.nodes - 1 ) * detail + 1 ) * view.curves * detail;
    made.places = malloc( sizeof( supVec3 ) * ( (size_t)view.curves * (size_t)view.nodes + 2 ) );
    made.vertices = malloc( sizeof( supVec3 ) * (size_t)made.vertexCount );
    made.indices = malloc( sizeof( uint32_t ) * (size_t)made.indexCount );
    supPatches_Places( patches, index, skin, made.places );
    supLoftCurves( view.curves, view.nodes, made.places, detail, made.vertices, made.indices );
    return made;
}

static void supDropLofted( supLoftedPatch* made )
{
    free( made->places );
    free( made->vertices );
    free( made->indices );
}

static int supCompareEdges( const void* a, const void* b )
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return ( x > y ) - ( x < y );
}

/// Every edge is there once in each direction, and no vertex is left over.
static void supExpectWatertight( const supLoftedPatch* made )
{
    size_t count = (size_t)made->indexCount;
    uint64_t* edges = malloc( 2 * count * sizeof( uint64_t ) );
    bool* used = calloc( (size_t)made->vertexCount, sizeof( bool ) );
    for ( size_t i = 0; i < count; ++i )
    {
        uint64_t from = made->indices[i], to = made->indices[i % 3 == 2 ? i - 2 : i + 1];
        assert_true( from < (uint64_t)made->vertexCount );
        used[from] = true;
        edges[i] = from << 32 | to;
        edges[count + i] = to << 32 | from;
    }
    qsort( edges, count, sizeof( uint64_t ), supCompareEdges );
    qsort( edges + count, count, sizeof( uint64_t ), supCompareEdges );
    assert_memory_equal( edges, edges + count, count * sizeof( uint64_t ) );
    for ( size_t i = 1; i < count; ++i )
    {
        assert_true( edges[i] != edges[i - 1] );
    }
    for ( int32_t v = 0; v < made->vertexCount; ++v )
    {
        assert_true( used[v] );
    }
    free( used );
    free( edges );
}

static double supVolumeOf( const supLoftedPatch* made )
{
    double sum = 0.0;
    for ( int32_t i = 0; i < made->indexCount; i += 3 )
    {
        const float *a = made->vertices + 3 * made->indices[i], *b = made->vertices + 3 * made->indices[i + 1],
                    *c = made->vertices + 3 * made->indices[i + 2];
        sum += (double)a[0] * ( (double)b[1] * c[2] - (double)b[2] * c[1] ) +
               (double)a[1] * ( (double)b[2] * c[0] - (double)b[0] * c[2] ) +
               (double)a[2] * ( (double)b[0] * c[1] - (double)b[1] * c[0] );
    }
    return sum / 6.0;
}

/// How often a surface winds around a point: 1 within it, 0 outside. Solid angles after Van Oosterom and Strackee, "The
/// solid angle of a plane triangle", 1983.
static double supWindingAt( const supLoftedPatch* made, const float* point )
{
    double sum = 0.0;
    for ( int32_t i = 0; i < made->indexCount; i += 3 )
    {
        double p[3][3], length[3];
        for ( int k = 0; k < 3; ++k )
        {
            for ( int axis = 0; axis < 3; ++axis )
            {
                p[k][axis] = (double)made->vertices[3 * made->indices[i + k] + (uint32_t)axis] - (double)point[axis];
            }
            length[k] = sqrt( p[k][0] * p[k][0] + p[k][1] * p[k][1] + p[k][2] * p[k][2] );
        }
        double volume = p[0][0] * ( p[1][1] * p[2][2] - p[1][2] * p[2][1] ) +
                        p[0][1] * ( p[1][2] * p[2][0] - p[1][0] * p[2][2] ) +
                        p[0][2] * ( p[1][0] * p[2][1] - p[1][1] * p[2][0] );
        double under = length[0] * length[1] * length[2];
        for ( int k = 0; k < 3; ++k )
        {
            const double *a = p[k], *b = p[( k + 1 ) % 3];
            under += ( a[0] * b[0] + a[1] * b[1] + a[2] * b[2] ) * length[( k + 2 ) % 3];
        }
        sum += 2.0 * atan2( volume, under );
    }
    return sum / ( 4.0 * 3.14159265358979 );
}

static supPatches* supPatchesOf( const supCharacter* character, int32_t curves, int32_t nodes )
{
    supPatchesDef def = supDefaultPatchesDef();
    def.character = character;
    def.curves = curves;
    def.nodes = nodes;
    supPatches* patches = NULL;
    supError error = { 0 };
    if ( supCreatePatches( &def, &patches, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return patches;
}

// ---------------------------------------------------------------------------------------------------------------

/// A cylinder: straight, and its curves on the skin bent by 90 degrees.
static void supTestCylinder( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    supPatches* patches = supPatchesOf( character, 24, 31 );
    assert_int_equal( supPatches_Count( patches ), 1 );
    supPatchView view = supPatches_View( patches, 0 );
    assert_string_equal( view.name, "thigh" );
    assert_int_equal( view.jointCount, 2 );
    assert_int_equal( view.uncovered, 0 );
    assert_int_equal( view.crossings, 0 );
    supLoftedPatch made = supLoftPatch( patches, 0, NULL, 3 );
    supExpectWatertight( &made );
    double worst = 0.0, facets = SUP_KNEE_RADIUS * ( 1.0 - cos( sup_pi / supKneeAround ) );
    for ( int32_t v = 0; v < made.sectionCount; ++v )
    {
        double radius = hypot( made.vertices[3 * v], made.vertices[3 * v + 2] );
        worst = fmax( worst, fabs( radius - SUP_KNEE_RADIUS ) );
    }
    print_message( "cylinder: the surface is off by %.3g of the radius; the mesh's own facets by %.3g\n",
        worst / SUP_KNEE_RADIUS, facets / SUP_KNEE_RADIUS );
    assert_true( worst < 1.1 * facets );
    // from the hip to the ankle, whose ends the centre line has, and caps up to the ends of the tube
    double whole = sup_pi * SUP_KNEE_RADIUS * SUP_KNEE_RADIUS * 2.4, volume = supVolumeOf( &made );
    assert_true( volume > 0.93 * whole && volume < whole );
    supLoftReport rest, bent;
    assert_int_equal( supPatches_Measure( patches, NULL, made.places, 3, &rest, NULL ), sup_success );
    assert_true( rest.largest < 1.1 * facets && rest.rms <= rest.p99 && rest.p99 <= rest.largest );
    supDropLofted( &made );
    static supVec3 places[supKneeVertices];
    supBentKnee( 0.5 * sup_pi, places );
    made = supLoftPatch( patches, 0, &places[0].x, 3 );
    supExpectWatertight( &made );
    assert_int_equal( supPatches_Measure( patches, &places[0].x, made.places, 3, &bent, NULL ), sup_success );
    print_message( "bent: %.3g of the radius\n", bent.largest / SUP_KNEE_RADIUS );
    assert_true( bent.largest < 0.01 * SUP_KNEE_RADIUS );
    supDropLofted( &made );
    supDestroyPatches( patches );
    supDestroyCharacter( character );
}

enum
{
    supRingAround = 64,
    supRingLong = 121,
    supRingJoints = 7
};

/// Half of a ring about z: radius 1, thickness 0.15, on joints along it.
static supCharacter* supMakeHalfRing( void )
{
    static supVec3 places[supRingAround * supRingLong];
    static uint16_t indices[supRingAround * supRingLong];
    static float weights[supRingAround * supRingLong];
    static uint32_t triangles[6 * supRingAround * supRingLong];
    int32_t count = 0;
    for ( int r = 0; r < supRingLong; ++r )
    {
        for ( int a = 0; a < supRingAround; ++a )
        {
            double along = sup_pi * r / ( supRingLong - 1 ), angle = 2.0 * sup_pi * a / supRingAround;
            double radius = 1.0 + 0.15 * cos( angle );
            int v = r * supRingAround + a, next = r * supRingAround + ( a + 1 ) % supRingAround;
            places[v] = ( supVec3 ){ (float)( radius * cos( along ) ), (float)( radius * sin( along ) ),
                (float)( 0.15 * sin( angle ) ) };
            indices[v] = (uint16_t)( r * ( supRingJoints - 1 ) / supRingLong );
            weights[v] = 1.0f;
            if ( r + 1 < supRingLong )
            {
                const uint32_t two[6] = { (uint32_t)v, (uint32_t)next, (uint32_t)v + supRingAround, (uint32_t)next,
                    (uint32_t)next + supRingAround, (uint32_t)v + supRingAround };
                memcpy( triangles + count, two, sizeof( two ) );
                count += 6;
            }
        }
    }
    static const char* const names[supRingJoints] = { "a", "b", "c", "d", "e", "f", "end" };
    supJointDef joints[supRingJoints];
    int32_t skinJoints[supRingJoints];
    supMat34 inverseBind[supRingJoints];
    for ( int j = 0; j < supRingJoints; ++j )
    {
        double along = sup_pi * j / ( supRingJoints - 1 ), before = sup_pi * ( j - 1 ) / ( supRingJoints - 1 );
        joints[j] = ( supJointDef ){ names[j], j - 1, supTransform_identity, NULL, NULL, false };
        joints[j].rest.translation = ( supVec3 ){ (float)( cos( along ) - ( j > 0 ? cos( before ) : 0.0 ) ),
            (float)( sin( along ) - ( j > 0 ? sin( before ) : 0.0 ) ), 0.0f };
        skinJoints[j] = j;
        inverseBind[j] = supMat34_identity;
        inverseBind[j].t = ( supVec3 ){ (float)-cos( along ), (float)-sin( along ), 0.0f };
    }
    supSkinDef skin = { "Ring", supRingJoints, skinJoints, inverseBind };
    supMeshDef mesh = { .name = "Ring",
        .vertexCount = supRingAround * supRingLong,
        .positions = &places[0].x,
        .influenceCount = 1,
        .jointIndices = indices,
        .weights = weights,
        .indexCount = count,
        .indices = triangles,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "ring";
    def.jointCount = supRingJoints;
    def.joints = joints;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &mesh;
    return supTestCreate( &def );
}

static void supTestHalfRing( void** state )
{
    (void)state;
    supCharacter* character = supMakeHalfRing();
    supPatches* patches = supPatchesOf( character, 32, 41 );
    assert_int_equal( supPatches_Count( patches ), 1 );
    assert_int_equal( supPatches_View( patches, 0 ).crossings, 0 );
    supLoftedPatch made = supLoftPatch( patches, 0, NULL, 2 );
    supExpectWatertight( &made );
    double worst = 0.0;
    for ( int32_t v = 0; v < made.sectionCount; ++v )
    {
        const float* p = made.vertices + 3 * v;
        worst = fmax( worst, fabs( hypot( hypot( p[0], p[1] ) - 1.0, p[2] ) - 0.15 ) );
    }
    print_message( "half a ring: off by %.3g of its thickness\n", worst / 0.15 );
    assert_true( worst < 0.01 * 0.15 );
    double whole = sup_pi * 0.15 * 0.15 * sup_pi, volume = supVolumeOf( &made );
    print_message( "volume: %.3f of the half ring's; sections at its open ends are cut short\n", volume / whole );
    assert_true( volume > 0.9 * whole && volume < whole );
    supDropLofted( &made );
    supDestroyPatches( patches );
    supDestroyCharacter( character );
}

// ---------------------------------------------------------------------------------------------------------------
// Forks

/// Every patch is closed, faces outwards, and is near the skin.
static void supExpectGood( const supCharacter* character, int32_t count, double rms, double bare )
{
    supPatches* patches = supPatchesOf( character, 24, 31 );
    double size = (double)supCharacter_Info( character )->size, worst = 0.0;
    assert_int_equal( supPatches_Count( patches ), count );
    for ( int32_t i = 0; i < count; ++i )
    {
        supPatchView view = supPatches_View( patches, i );
        supLoftedPatch made = supLoftPatch( patches, i, NULL, 2 );
        supLoftReport report;
        supExpectWatertight( &made );
        assert_true( supVolumeOf( &made ) > 0.0 );
        assert_int_equal( supPatches_Measure( patches, NULL, made.places, 2, &report, NULL ), sup_success );
        worst = fmax( worst, report.rms / size );
        if ( report.rms > rms * size || view.uncovered > bare * view.curves * view.nodes )
        {
            fail_msg( "%s: rms %g of the size, %d nodes bare", view.name, report.rms / size, view.uncovered );
        }
        supDropLofted( &made );
    }
    print_message( "%d patches, the farthest from the skin by rms %.2f%% of the size\n", count, 100.0 * worst );
    supDestroyPatches( patches );
}

/// Surfaces of parts that hang on another overlap with it: vertices of their caps are within. Gives of how many parts.
static int32_t supCountOverlaps( const supCharacter* character, int32_t body )
{
    supPatches* patches = supPatchesOf( character, 24, 31 );
    supLoftedPatch whole = supLoftPatch( patches, body, NULL, 1 );
    int32_t count = 0;
    for ( int32_t i = 0; i < supPatches_Count( patches ); ++i )
    {
        supLoftedPatch part = supLoftPatch( patches, i, NULL, 1 );
        bool within = false;
        for ( int32_t v = part.sectionCount; v < part.vertexCount && i != body && !within; ++v )
        {
            within = supWindingAt( &whole, part.vertices + 3 * v ) > 0.5;
        }
        count += within ? 1 : 0;
        supDropLofted( &part );
    }
    supDropLofted( &whole );
    supDestroyPatches( patches );
    return count;
}

static void supTestWoman( void** state )
{
    (void)state;
    supCreature* woman = NULL;
    assert_int_equal( supCreateCreature( "woman", NULL, &woman, NULL ), sup_success );
    const supCharacter* character = supCreature_Character( woman );
    supExpectGood( character, 6, 0.004, 0.06 );
    assert_true( supCountOverlaps( character, 0 ) >= 3 ); // legs and neck; the trunk's sections leave the shoulders out
    // her joints, each in one patch
    supPatches* patches = supPatchesOf( character, 12, 9 );
    static const char* const names[6] = { "hips", "neck", "upperArm.L", "upperArm.R", "thigh.L", "thigh.R" };
    bool seen[64] = { false };
    for ( int32_t i = 0; i < 6; ++i )
    {
        supPatchView view = supPatches_View( patches, i );
        assert_string_equal( view.name, names[i] );
        for ( int32_t k = 0; k < view.jointCount; ++k )
        {
            assert_false( seen[view.joints[k]] );
            seen[view.joints[k]] = true;
        }
    }
    supDestroyPatches( patches );
    supDestroyCreature( woman );
}

/// A palm with five fingers whose joints all hang on one node, and whole people.
static void supTestRealCharacters( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const struct
    {
        const char* path;
        int32_t count;
        double rms, bare;
    } files[] = { { "webxr_hand/left.glb", 6, 0.004, 0.06 }, { "mh_human/mh_heavy.glb", 7, 0.012, 0.13 },
        { "khronos_cesiumman/glTF-Binary/CesiumMan.glb", 6, 0.006, 0.06 },
        { "quaternius/Character.glb", 5, 0.002, 0.01 } };
    for ( size_t i = 0; i < sizeof( files ) / sizeof( files[0] ); ++i )
    {
        char path[512];
        supCharacter* character = NULL;
        supError error = { 0 };
        if ( !supTestAssetPath( files[i].path, path, sizeof( path ) ) || ( SUP_SLOW_BUILD && i == 1 ) ) // the largest
        {
            print_message( "skipped: %s\n", files[i].path );
            continue;
        }
        if ( supLoadGltf( path, &character, &error ) != sup_success )
        {
            fail_msg( "%s", error.text );
        }
        supExpectGood( character, files[i].count, files[i].rms, files[i].bare );
        if ( i == 0 )
        {
            assert_int_equal( supCountOverlaps( character, 5 ), 5 ); // fingers and thumb in the palm
        }
        supDestroyCharacter( character );
    }
}

static void supTestRefusals( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    supPatches* patches = NULL;
    supError error = { 0 };
    supPatchesDef def = { .curves = 24, .nodes = 31, .character = character };
    assert_int_equal( supCreatePatches( &def, &patches, &error ), sup_errorArgument );
    assert_null( patches );
    def = supDefaultPatchesDef();
    assert_int_equal( supCreatePatches( &def, &patches, &error ), sup_errorArgument );
    def.character = character;
    def.nodes = 4;
    assert_int_equal( supCreatePatches( &def, &patches, &error ), sup_errorArgument );
    assert_string_equal( error.text, "patches: 24 curves of 4 nodes; give 3 to 4096 curves of 5 to 65536 nodes" );
    def.nodes = 31;
    const int32_t twice[] = { 1, 1 }, beyond[] = { 3 }, bare[] = { 2 };
    def.joints = twice;
    def.jointCount = 2;
    assert_int_equal( supCreatePatches( &def, &patches, &error ), sup_errorArgument );
    assert_string_equal( error.text, "patches: joint \"shin\" is listed twice" );
    def.joints = beyond;
    def.jointCount = 1;
    assert_int_equal( supCreatePatches( &def, &patches, &error ), sup_errorArgument );
    assert_string_equal( error.text, "patches: there is no joint 3; the character has 3" );
    def.joints = bare;
    assert_int_equal( supCreatePatches( &def, &patches, &error ), sup_errorData );
    assert_non_null( strstr( error.text, "no joint of \"knee\" has a tube of skin" ) );
    assert_null( patches );
    supDestroyPatches( NULL );
    supDestroyCharacter( character );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestCylinder ),
        cmocka_unit_test( supTestHalfRing ),
        cmocka_unit_test( supTestWoman ),
        cmocka_unit_test( supTestRealCharacters ),
        cmocka_unit_test( supTestRefusals ),
    };
    return cmocka_run_group_tests_name( "patches", tests, NULL, NULL );
}
