// The altered characters that other tests are made with: skinned in any pose they are the altered pose.

#include "base/math.h"
#include "supple/lab/skin.h"
#include "support/altered_character.h"
#include "support/found_flesh.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// Between them: scales that differ along axes, at rest and in keys; matrices; morph targets; meshes without a skin;
/// several skins; steps and cubics; quantized vertices.
static const char* const supNames[] = { "woman", "cat", "mushroom", "strangers/KnightCharacter.glb",
    "strangers/Enemy_2Legs.glb", "strangers/Enemy.glb", "strangers/Shark.glb", "strangers/man_unity.glb",
    "strangers/woman_mixamo.glb", "khronos_cesiumman/glTF-Binary/CesiumMan.glb", "robotexpressive/RobotExpressive.glb",
    "odd_cow/Cow_cubic.glb", "odd_cow/Cow_step.glb", "odd_cow/Cow_morph.glb", "odd_cow/Cow_quantized.glb" };

enum
{
    supNameCount = sizeof( supNames ) / sizeof( supNames[0] ),
    supBuiltInCount = 3,
};

/// All vertices and normals of a pose; clip -1: as the nodes stand, -2: at rest. From malloc.
static float* supSkinPose( const supCharacter* character, int32_t clip, double time )
{
    size_t count = 3 * (size_t)supCharacter_Info( character )->vertexCount;
    float* points = calloc( 2 * count + 1, sizeof( float ) );
    supMat34* palette = calloc( (size_t)supCharacter_Info( character )->paletteCount + 1, sizeof( supMat34 ) );
    supPose* pose = NULL;
    supError error = { 0 };
    assert_int_equal( supCreatePose( character, NULL, &pose, &error ), sup_success );
    if ( clip == -2 )
    {
        supPose_Rest( pose );
    }
    else
    {
        supPose_Sample( pose, clip, time );
    }
    supCharacter_Palette( character, supPose_Joints( pose ), palette );
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        supSkinJob job = supCharacter_SkinJob( character, m, palette, supPose_MorphWeights( pose ) );
        float* to = points + 3 * (size_t)mesh.firstVertex;
        job.outPositions = ( supOutStream ){ to, mesh.vertexCount, 12 };
        if ( mesh.normals != NULL )
        {
            job.outNormals = ( supOutStream ){ to + count, mesh.vertexCount, 12 };
        }
        if ( supSkinJob_Run( &job, &error ) != sup_success )
        {
            fail_msg( "%s", error.text );
        }
    }
    supDestroyPose( pose );
    free( palette );
    return points;
}

/// The largest distance between the altered pose and the altered character's, as a share of the size.
static double supComparePose(
    const supCharacter* from, const supCharacter* to, const supAlteration* alteration, int32_t clip, double time )
{
    float* a = supSkinPose( from, clip, time );
    float* b = supSkinPose( to, clip, time );
    double farthest = 0.0, size = (double)( supCharacter_Info( from )->size * alteration->scale );
    int32_t count = supCharacter_Info( from )->vertexCount;
    for ( int32_t v = 0; v < 2 * count; ++v )
    {
        supVec3 p = { a[3 * (size_t)v], a[3 * (size_t)v + 1], a[3 * (size_t)v + 2] };
        supVec3 q = { b[3 * (size_t)v], b[3 * (size_t)v + 1], b[3 * (size_t)v + 2] };
        p = v < count ? supAlteration_Point( alteration, p ) : supAlteration_Direction( alteration, p );
        double off = (double)supDistance( p, q ) / ( v < count ? size : 10.0 ); // normals to 1e-4
        farthest = fmax( farthest, off );
    }
    free( a );
    free( b );
    return farthest;
}

/// Six times the volume within the skin at rest.
static double supEnclosed( const supCharacter* character )
{
    const float* rest = supCharacter_Info( character )->restPositions;
    double sum = 0.0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            supVec3d p[3];
            for ( int k = 0; k < 3; ++k )
            {
                const float* at = rest + 3 * ( (size_t)mesh.firstVertex + mesh.indices[i + k] );
                p[k] = ( supVec3d ){ at[0], at[1], at[2] };
            }
            sum += supDotD( p[0], supCrossD( p[1], p[2] ) );
        }
    }
    return sum;
}

static double supCompareAll( const supCharacter* from, const supCharacter* to, const supAlteration* alteration )
{
    double farthest = supComparePose( from, to, alteration, -2, 0.0 );
    farthest = fmax( farthest, supComparePose( from, to, alteration, -1, 0.0 ) );
    int32_t clips = supCharacter_Info( from )->clipCount, step = clips > 4 ? clips / 4 : 1;
    for ( int32_t c = 0; c < clips; c += step )
    {
        supClipView clip = supCharacter_Clip( from, c );
        for ( int k = 0; k < 3; ++k )
        {
            double time = clip.start + ( clip.end - clip.start ) * ( 0.07 + 0.4 * k );
            farthest = fmax( farthest, supComparePose( from, to, alteration, c, time ) );
        }
    }
    double scale = pow( (double)alteration->scale, 3.0 ), volume = supEnclosed( from ) * scale;
    assert_true( fabs( supEnclosed( to ) - volume ) <= 1e-4 * fabs( volume ) + 1e-6 * scale );
    return farthest;
}

static supAlteration supChange( int k )
{
    supAlteration change = supTurnedBy( supMakeVec3( 0.0f, 1.0f, 0.0f ), 45.0 * k );
    if ( k == 2 )
    {
        change = supTurnedBy( supMakeVec3( 0.48f, 0.6f, -0.64f ), 77.0 );
    }
    else if ( k == 3 )
    {
        change = supMadeZUp();
    }
    else if ( k >= 4 )
    {
        change.scale = k == 4 || k == 6 ? 100.0f : 1.0f;
        change.isMirrored = k >= 5;
        change.turn = k == 6 ? change.turn : supQuat_identity;
        change.nameSeed = k == 6 ? 4711 : 0;
    }
    return change;
}

static supCharacter* supLoadNamed( const char* name, supCreature** creature )
{
    supError error = { 0 };
    *creature = NULL;
    if ( strchr( name, '/' ) != NULL )
    {
        return supLoadEdited( name, NULL, NULL );
    }
    assert_int_equal( supCreateCreature( name, NULL, creature, &error ), sup_success );
    supAlteration none = supNoAlteration();
    return supAlterCharacter( supCreature_Character( *creature ), &none );
}

static void supTestSkinned( void** state )
{
    (void)state;
    const char* const words[] = { "as it is", "yaw", "tilted", "z up", "cm", "mirrored", "all" };
    int32_t wrong = 0;
    for ( int32_t i = 0; i < ( SUP_SLOW_BUILD ? 8 : (int32_t)supNameCount ); ++i )
    {
        if ( i == supBuiltInCount )
        {
            SUP_SKIP_WITHOUT_ASSETS();
        }
        supCreature* creature = NULL;
        supCharacter* from = supLoadNamed( supNames[i], &creature );
        print_message( "%-46s", supNames[i] );
        for ( int k = 0; k < 7; ++k )
        {
            supAlteration change = supChange( k );
            supCharacter* to = supAlterCharacter( from, &change );
            double off = supCompareAll( from, to, &change );
            print_message( "  %s %.1e%s", words[k], off, off <= 1e-5 ? "" : " WRONG" );
            wrong += !( off <= 1e-5 );
            supDestroyCharacter( to );
        }
        print_message( "\n" );
        supDestroyCharacter( from );
        supDestroyCreature( creature );
    }
    assert_int_equal( wrong, 0 );
}

/// Where the directions of the page go: none of it comes from the code that is tested.
static void supTestMaps( void** state )
{
    (void)state;
    supAlteration up = supMadeZUp();
    supVec3 p = supAlteration_Point( &up, supMakeVec3( 1.0f, 2.0f, 3.0f ) );
    assert_true( supDistance( p, supMakeVec3( 1.0f, -3.0f, 2.0f ) ) < 1e-6f );
    supAlteration quarter = supTurnedBy( supMakeVec3( 0.0f, 1.0f, 0.0f ), 90.0 );
    p = supAlteration_Direction( &quarter, supMakeVec3( 0.0f, 0.0f, 1.0f ) );
    assert_true( supDistance( p, supMakeVec3( 1.0f, 0.0f, 0.0f ) ) < 1e-6f );
    supAlteration mirror = supNoAlteration();
    mirror.isMirrored = true;
    mirror.scale = 100.0f;
    p = supAlteration_Point( &mirror, supMakeVec3( 1.0f, 2.0f, 3.0f ) );
    assert_true( supDistance( p, supMakeVec3( -100.0f, 200.0f, 300.0f ) ) < 1e-4f );
}

static void supTestNames( void** state )
{
    (void)state;
    supCreature* creature = NULL;
    supCharacter* from = supLoadNamed( "woman", &creature );
    supAlteration change = supNoAlteration();
    change.nameSeed = 99;
    supCharacter* to = supAlterCharacter( from, &change );
    for ( int32_t j = 0; j < supCharacter_Info( from )->jointCount; ++j )
    {
        assert_int_equal( supCharacter_FindJoint( from, supCharacter_Joint( to, j )->name ), -1 );
        assert_int_equal( supCharacter_FindJoint( to, supCharacter_Joint( to, j )->name ), j );
    }
    for ( int32_t m = 0; m < supCharacter_Info( from )->meshCount; ++m )
    {
        supMeshView a = supCharacter_Mesh( from, m ), b = supCharacter_Mesh( to, m );
        assert_true( a.name[0] == '\0' || strcmp( a.name, b.name ) != 0 );
        assert_true( a.material[0] == '\0' || strcmp( a.material, b.material ) != 0 );
    }
    supDestroyCharacter( to );
    supDestroyCharacter( from );
    supDestroyCreature( creature );
}

/// The other clips are what they were; the wild one shakes, leaps and has its broken key.
static void supCheckWild( const char* name )
{
    supCreature* creature = NULL;
    supCharacter* from = supLoadNamed( name, &creature );
    supCharacter* to = supAddWildClip( from );
    assert_non_null( to );
    supAlteration none = supNoAlteration();
    assert_true( supCompareAll( from, to, &none ) <= 1e-6 );
    int32_t wild = supCharacter_Info( from )->clipCount, root = supFindCarrier( from );
    assert_int_equal( supCharacter_Info( to )->clipCount, wild + 1 );
    assert_string_equal( supCharacter_Clip( to, wild ).name, "wild" );
    supClipView clip = supCharacter_Clip( to, wild ), first = supCharacter_Clip( from, 0 );
    supPose *pose = NULL, *calm = NULL;
    supError error;
    assert_int_equal( supCreatePose( to, NULL, &pose, &error ), sup_success );
    assert_int_equal( supCreatePose( from, NULL, &calm, &error ), sup_success );
    double size = (double)supCharacter_Info( from )->size, highest = 0.0, leap = 0.0, shake = 0.0;
    supVec3 last = supVec3_zero;
    for ( int32_t k = 0; k <= (int32_t)( ( clip.end - clip.start ) * 120.0 + 0.5 ); ++k )
    {
        double time = clip.start + k / 120.0;
        supPose_Sample( pose, wild, time );
        supPose_Sample( calm, 0, fmin( time, first.end ) );
        supVec3 off = supSub( supPose_Joints( pose )[root].t, supPose_Joints( calm )[root].t );
        double step = (double)supDistance( off, last ) / size;
        highest = fmax( highest, (double)off.y / size );
        leap = fabs( step - 3.0 ) < fabs( leap - 3.0 ) ? step : leap;
        shake = k > 0 && step < 1.0 ? fmax( shake, step ) : shake;
        last = off;
    }
    print_message( "%s: wild: %.0f sizes high, leaps by %.2f, shakes by %.3f a key\n", name, highest, leap, shake );
    assert_true( highest > 990.0 && fabs( leap - 3.0 ) < 0.1 && shake > 0.02 && shake < 0.06 );
    supDestroyPose( calm );
    supDestroyPose( pose );
    supDestroyCharacter( to );
    supDestroyCharacter( from );
    supDestroyCreature( creature );
}

static void supTestWild( void** state )
{
    (void)state;
    supCheckWild( "woman" );
    SUP_SKIP_WITHOUT_ASSETS();
    supCheckWild( "strangers/KnightCharacter.glb" );
    supCheckWild( "strangers/woman_mixamo.glb" );
    supCheckWild( "strangers/Husky.glb" );
    supCharacter* still = supLoadEdited( "strangers/Casual.glb", NULL, NULL );
    assert_null( supAddWildClip( still ) );
    supDestroyCharacter( still );
}

/// One key of one clip differs, and by much.
static void supCheckBroken( const char* name, int32_t clip )
{
    supCreature* creature = NULL;
    supCharacter* from = supLoadNamed( name, &creature );
    supCharacter* to = supBreakKey( from, clip, 1000.0f );
    assert_non_null( to );
    int32_t different = 0;
    for ( int32_t c = 0; c < supCharacter_Info( from )->clipCount; ++c )
    {
        for ( int32_t t = 0; t < supCharacter_Clip( from, c ).trackCount; ++t )
        {
            supTrackDef a = supCharacter_Clip( from, c ).tracks[t], b = supCharacter_Clip( to, c ).tracks[t];
            size_t width = (size_t)a.width * ( a.interpolation == sup_interpolationCubic ? 3 : 1 );
            for ( size_t k = 0; k < (size_t)a.keyCount; ++k )
            {
                bool same = memcmp( a.values + k * width, b.values + k * width, sizeof( float ) * width ) == 0;
                different += !same;
                assert_true( same || c == clip );
            }
        }
    }
    assert_int_equal( different, 1 );
    supDestroyCharacter( to );
    supDestroyCharacter( from );
    supDestroyCreature( creature );
}

static void supTestBroken( void** state )
{
    (void)state;
    supCheckBroken( "cat", 0 );
    SUP_SKIP_WITHOUT_ASSETS();
    supCheckBroken( "strangers/KnightCharacter.glb", 4 );
    supCheckBroken( "strangers/Whale.glb", 0 );
    supCheckBroken( "odd_cow/Cow_cubic.glb", 0 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestMaps ),
        cmocka_unit_test( supTestSkinned ),
        cmocka_unit_test( supTestNames ),
        cmocka_unit_test( supTestWild ),
        cmocka_unit_test( supTestBroken ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
