// Fat over a body's life: taken over by another model, carried elsewhere, paused, at rest; and what its fields mean.
#include "base/math.h"
#include "body/body_data.h"
#include "layers/fat/fat_voxels.h"
#include "layers/triangle_tree.h"
#include "rig/layer_list.h"
#include "supple/lab/compiled.h"
#include "supple/lab/hashes.h"
#include "supple/lab/states.h"
#include "support/fat_case.h"
#include "support/limb.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static supMat34 supSwung( int frame )
{
    return supMoved( 0.04f * (float)supSin( 0.35 * frame ), 0.0f, 0.0f );
}

/// Another model of the same character, which stays the other's.
static void supOpenBeside( supFatCase* c, const supFatCase* other, const supFatDef* def )
{
    supError error = { 0 };
    *c = ( supFatCase ){ .character = other->character, .vertexCount = other->vertexCount };
    c->model = supCompileFatRig( c->character, def, &error );
    assert_non_null( c->model );
    assert_int_equal( supCreateBody( c->model, &c->body, &error ), sup_success );
    supBody_SetExact( c->body, true );
    c->smooth = malloc( sizeof( supVec3 ) * (size_t)c->vertexCount );
    c->living = malloc( sizeof( supVec3 ) * (size_t)c->vertexCount );
}

/// Frames of a swing, from rest.
static void supSwing( supFatCase* c, int frames )
{
    for ( int i = 0; i < frames; ++i )
    {
        supStepFatCase( c, supSwung( i ), i == 0 ? 0.0f : 1.0f / 60.0f );
    }
}

/// The same model again: no bit changes, then or in the steps after it. Found: the inner border kicked it by all of its
/// shares at once, gravity was missing for half a frame, and modes were projected as if all masses were one.
static void TestAdoptSame( void** state )
{
    (void)state;
    supFatDef def = supLimbFat();
    def.gravity = sup_gravityPlain;
    supFatCase a, b;
    supOpenFatCase( &a, NULL, &def );
    supOpenBeside( &b, &a, &def );
    supSwing( &a, 20 );
    supBody_Adopt( b.body, a.body );
    for ( int i = 20; i < 26; ++i )
    {
        assert_true( supBody_Hash( a.body ) == supBody_Hash( b.body ) );
        supStepFatCase( &a, supSwung( i ), 1.0f / 60.0f );
        supStepFatCase( &b, supSwung( i ), 1.0f / 60.0f );
    }
    supCloseFatCase( &b );
    supCloseFatCase( &a );
}

/// Another density and more modes of the same solid: the shape at that moment is kept, as far as the modes can show it.
static void TestAdoptOther( void** state )
{
    (void)state;
    supFatDef def = supLimbFat();
    def.limit = 10.0f; // another solid is as thick elsewhere
    supFatCase a, b, c;
    supOpenFatCase( &a, NULL, &def );
    def.modes = 96.0f;
    supOpenBeside( &b, &a, &def );
    def.nodes = 3000.0f;
    supOpenBeside( &c, &a, &def );
    supSwing( &a, 21 );
    supBody_Adopt( b.body, a.body );
    float before = supLargestFatShift( &a ), after = supLargestFatShift( &b );
    print_message( "shift %.4f mm, after the change %.4f mm\n", 1e3 * before, 1e3 * after );
    assert_true( before > 0.0005f );
    assert_true( supAbsF( after / before - 1.0f ) < 0.01f );
    // other voxels: the old ones' displacement at the new nodes
    supFatView views[2];
    assert_true( supModel_Fat( a.model, 0, views ) && supModel_Fat( c.model, 0, views + 1 ) );
    assert_int_not_equal( views[0].nodeCount, views[1].nodeCount );
    supBody_Adopt( c.body, a.body );
    supLargestFatShift( &c );
    double off = 0.0, all = 0.0;
    for ( int32_t v = 0; v < a.vertexCount; ++v )
    {
        off += (double)supLengthSquared( supSub( c.living[v], a.living[v] ) );
        all += (double)supLengthSquared( supSub( a.living[v], a.smooth[v] ) );
    }
    print_message( "in other voxels %.1f%% off, in the mean\n", 100.0 * supSqrt( off / all ) );
    assert_true( off < 0.3 * 0.3 * all );
    supCloseFatCase( &b );
    supCloseFatCase( &c );
    supCloseFatCase( &a );
}

/// How far a place is from a voxel.
static float supFromVoxel( const supFat* fat, int32_t voxel, supVec3 p )
{
    const int32_t* corners = fat->corners + 8 * (size_t)voxel;
    supVec3 low = fat->places[corners[0]], high = fat->places[corners[7]];
    return supDistance( p, supMaxVec3( low, supMinVec3( p, high ) ) );
}

/// The voxel at a place, of two sizes, against all of them one by one: within the fat, in its hollow and around it; and
/// of those that share a corner the first.
static void TestFindVoxel( void** state )
{
    (void)state;
    supFatDef def = supDefaultFatDef();
    def.mixed = true;
    def.nodes = 3000.0f;
    def.depth = 0.9f;
    supFatCase c;
    supOpenFatCase( &c, "torso", &def );
    supBounds all = c.fat->voxelBoxes[1];
    supVec3 way = supSub( all.high, all.low ), start = supMulAdd( all.low, -0.1f, way );
    int32_t within = 0;
    assert_true( c.fat->largeCount > 0 && c.fat->largeCount < c.fat->elementCount );
    for ( int i = 0; i < 3000; ++i )
    {
        // spread evenly; every third on a node
        float x = (float)fmod( i * 0.7548777, 1.2 ), y = (float)fmod( i * 0.5698403, 1.2 );
        float z = (float)fmod( i * 0.8191725, 1.2 );
        supVec3 p = supAdd( start, supMakeVec3( x * way.x, y * way.y, z * way.z ) );
        p = i % 3 == 0 ? c.fat->places[i % c.fat->nodeCount] : p;
        int32_t nearest = 0;
        for ( int32_t e = 1; e < c.fat->elementCount; ++e )
        {
            nearest = supFromVoxel( c.fat, e, p ) < supFromVoxel( c.fat, nearest, p ) ? e : nearest;
        }
        int32_t found = supFindVoxel( c.fat, p );
        float least = supFromVoxel( c.fat, nearest, p );
        within += least == 0.0f;
        assert_true( least > 0.0f ? supFromVoxel( c.fat, found, p ) <= 1.000001f * least : found == nearest );
    }
    print_message( "%d of 3000 places within\n", within );
    assert_in_range( within, 1100, 2500 );
    supCloseFatCase( &c );
}

/// A paused body is not at rest, one that was turned over is not either; one at rest stays the same in every bit.
static void TestRest( void** state )
{
    (void)state;
    supFatDef def = supLimbFat();
    def.gravity = sup_gravityPlain;
    supFatCase c;
    supOpenFatCase( &c, NULL, &def );
    supSwing( &c, 12 );
    supStepFatCase( &c, supSwung( 11 ), 0.0f );
    assert_false( supBody_IsAtRest( c.body ) );
    int steps = 0;
    for ( ; steps < 2000 && !supBody_IsAtRest( c.body ); ++steps )
    {
        supStepFatCase( &c, supSwung( 11 ), 1.0f / 60.0f );
    }
    print_message( "at rest after %.1f s\n", steps / 60.0 );
    assert_true( supBody_IsAtRest( c.body ) );
    uint64_t hash = supBody_Hash( c.body );
    supStepFatCase( &c, supSwung( 11 ), 1.0f / 60.0f );
    assert_true( supBody_Hash( c.body ) == hash );
    supMat34 turned = supTurned( supMakeVec3( 0.0f, 0.0f, 1.0f ), 1.5f, supVec3_zero );
    supBody_Teleport( c.body, supSwung( 11 ), turned );
    assert_false( supBody_IsAtRest( c.body ) );
    supCloseFatCase( &c );
}

/// lambda alone has nothing to be measured against.
static void TestLambdaNeedsMu( void** state )
{
    (void)state;
    supCharacter* limb = supMakeLimbCharacter( 1.0f, false );
    supFatDef def = supLimbFat();
    supError error = { 0 };
    def.lambda = 1000.0f;
    assert_null( supCompileFatRig( limb, &def, &error ) );
    assert_non_null( strstr( error.text, "fat[0].lambda: needs mu" ) );
    def.mu = 100.0f;
    supModel* model = supCompileFatRig( limb, &def, &error );
    assert_non_null( model );
    supDestroyModel( model );
    supDestroyCharacter( limb );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( TestAdoptSame ),
        cmocka_unit_test( TestAdoptOther ),
        cmocka_unit_test( TestFindVoxel ),
        cmocka_unit_test( TestRest ),
        cmocka_unit_test( TestLambdaNeedsMu ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
