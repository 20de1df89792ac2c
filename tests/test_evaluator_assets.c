// The independent evaluator on real files: encodings of one thing agree, and nothing crashes it.

#include "evaluator/evaluator.h"
#include "support/test_assets.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
// cmocka wants the headers above first
#include <cmocka.h>

static evalFile* supLoadAsset( const char* name )
{
    char path[512], message[256] = "";
    assert_true( supTestAssetPath( name, path, sizeof( path ) ) );
    evalFile* file = evalLoad( path, message, sizeof( message ) );
    if ( file == NULL )
    {
        fail_msg( "%s: %s", name, message );
    }
    return file;
}

// Vertices of one draw, as they are drawn where isDrawn: a mesh without indices then compares with one that has them.
static double* supCornerPositions( evalFile* file, int draw, bool isDrawn, int* count )
{
    int vertexCount = evalGetDraw( file, draw )->vertexCount;
    double* xyz = malloc( 3 * (size_t)vertexCount * sizeof( double ) );
    const int* indices = evalIndices( file, draw, count );
    assert_non_null( xyz );
    evalPositions( file, draw, xyz );
    if ( !isDrawn )
    {
        *count = vertexCount;
        return xyz;
    }
    double* corners = malloc( 3 * (size_t)*count * sizeof( double ) );
    assert_non_null( corners );
    for ( int i = 0; i < *count; ++i )
    {
        memcpy( corners + 3 * i, xyz + 3 * indices[i], 3 * sizeof( double ) );
    }
    free( xyz );
    return corners;
}

// Largest distance between two draws in the files' current poses.
static double supDrawDistance( evalFile* a, int drawA, evalFile* b, int drawB, bool isDrawn )
{
    int countA = 0, countB = 0;
    double* pa = supCornerPositions( a, drawA, isDrawn, &countA );
    double* pb = supCornerPositions( b, drawB, isDrawn, &countB );
    double largest = 0.0;
    assert_int_equal( countA, countB );
    for ( int i = 0; i < countA; ++i )
    {
        double x = pa[3 * i] - pb[3 * i], y = pa[3 * i + 1] - pb[3 * i + 1], z = pa[3 * i + 2] - pb[3 * i + 2];
        largest = fmax( largest, sqrt( x * x + y * y + z * z ) );
    }
    free( pa );
    free( pb );
    return largest;
}

// Over clip 0 (or the rest, without clips), `steps` equal steps from its start to its end; a share of the model's size.
static double supFileDistance( const char* nameA, const char* nameB, int steps, bool isDrawn )
{
    evalFile* a = supLoadAsset( nameA );
    evalFile* b = supLoadAsset( nameB );
    double largest = 0.0, start = 0.0, end = 0.0, size = evalSize( a );
    int clip = evalGetInfo( a ).clipCount > 0 ? 0 : -1;
    assert_int_equal( evalGetInfo( a ).drawCount, evalGetInfo( b ).drawCount );
    assert_true( size > 0.0 );
    if ( clip >= 0 )
    {
        evalClipTimes( a, clip, &start, &end );
    }
    for ( int step = 0; step <= steps; ++step )
    {
        double time = start + ( end - start ) * step / steps;
        evalPose( a, clip, time );
        evalPose( b, clip, time );
        for ( int draw = 0; draw < evalGetInfo( a ).drawCount; ++draw )
        {
            largest = fmax( largest, supDrawDistance( a, draw, b, draw, isDrawn ) );
        }
    }
    evalFree( a );
    evalFree( b );
    return largest / size;
}

typedef struct supPair
{
    const char* a;
    const char* b;
    int steps;
    bool isDrawn;
    double share; // of the model's size
} supPair;

static void supCheckPairs( const supPair* pairs, size_t count )
{
    SUP_SKIP_WITHOUT_ASSETS();
    int failed = 0;
    for ( size_t i = 0; i < count; ++i )
    {
        double distance = supFileDistance( pairs[i].a, pairs[i].b, pairs[i].steps, pairs[i].isDrawn );
        print_message( "%s, %s: %.2g of the size, may be %.2g\n", pairs[i].a, pairs[i].b, distance, pairs[i].share );
        failed += !( distance <= pairs[i].share );
    }
    assert_int_equal( failed, 0 );
}

#define SUP_COW( name ) "odd_cow/Cow_" name
#define SUP_TINY( folder, number ) "gltf_asset_generator/" folder "/" folder "_" number ".gltf"

// Lossless ones agree to rounding. Step and cubic agree with linear at the keys, of which the ends are two. The others
// store 16-bit numbers: half a step of the rotations, over the few joints to the hooves; of the weights, times the
// distance between two joints; of the positions, over the cow's length.
static void supTestCows( void** state )
{
    (void)state;
    static const supPair pairs[] = {
        { SUP_COW( "plain.glb" ), SUP_COW( "datauri.gltf" ), 35, false, 1e-12 },
        { SUP_COW( "plain.glb" ), SUP_COW( "external2.gltf" ), 35, false, 1e-12 },
        { SUP_COW( "plain.glb" ), SUP_COW( "sparse.glb" ), 35, false, 1e-12 },
        { SUP_COW( "plain.glb" ), SUP_COW( "joints1.glb" ), 35, false, 1e-12 },
        { SUP_COW( "plain.glb" ), SUP_COW( "nonindexed.glb" ), 35, true, 1e-12 },
        { SUP_COW( "quantized.glb" ), SUP_COW( "meshopt_EXT.glb" ), 35, false, 1e-12 },
        { SUP_COW( "quantized.glb" ), SUP_COW( "meshopt_fallback.gltf" ), 35, false, 1e-12 },
        { SUP_COW( "quantized.glb" ), SUP_COW( "quantized_norm.glb" ), 35, false, 1e-6 },
        { SUP_COW( "plain.glb" ), SUP_COW( "step.glb" ), 1, false, 1e-12 },
        { SUP_COW( "plain.glb" ), SUP_COW( "cubic.glb" ), 1, false, 1e-6 },
        { SUP_COW( "plain.glb" ), SUP_COW( "u32idx_u16w.glb" ), 35, false, 2.0 / 65535 },
        { SUP_COW( "plain.glb" ), SUP_COW( "anim_i16.glb" ), 35, false, 4.0 / 65535 },
    };
    supCheckPairs( pairs, sizeof( pairs ) / sizeof( pairs[0] ) );
}

// What the READMEs of the asset generator call one thing in several encodings, or without effect. The tolerance is a
// float's rounding.
static void supTestGenerator( void** state )
{
    (void)state;
    static const supPair pairs[] = {
        // "the skinned node has a transform and a parent node with a transform. Both transforms should be ignored"
        { SUP_TINY( "Animation_Skin", "00" ), SUP_TINY( "Animation_Skin", "02" ), 1, false, 1e-7 },
        { SUP_TINY( "Animation_SkinType", "00" ), SUP_TINY( "Animation_SkinType", "01" ), 16, false, 1e-7 },
        { SUP_TINY( "Animation_SkinType", "00" ), SUP_TINY( "Animation_SkinType", "02" ), 16, false, 1e-7 },
        { SUP_TINY( "Animation_SkinType", "00" ), SUP_TINY( "Animation_SkinType", "03" ), 16, false, 1e-7 },
        { SUP_TINY( "Animation_SamplerType", "00" ), SUP_TINY( "Animation_SamplerType", "01" ), 16, false, 1e-7 },
        { SUP_TINY( "Animation_SamplerType", "00" ), SUP_TINY( "Animation_SamplerType", "02" ), 16, false, 1e-7 },
        { SUP_TINY( "Accessor_SparseType", "00" ), SUP_TINY( "Accessor_SparseType", "01" ), 16, false, 1e-7 },
        { SUP_TINY( "Accessor_SparseType", "00" ), SUP_TINY( "Accessor_SparseType", "02" ), 16, false, 1e-7 },
        { SUP_TINY( "Mesh_PrimitiveMode", "06" ), SUP_TINY( "Mesh_PrimitiveMode", "13" ), 1, true, 1e-7 },
        { SUP_TINY( "Mesh_PrimitiveMode", "13" ), SUP_TINY( "Mesh_PrimitiveMode", "14" ), 1, true, 1e-7 },
        { SUP_TINY( "Mesh_PrimitiveMode", "13" ), SUP_TINY( "Mesh_PrimitiveMode", "15" ), 1, true, 1e-7 },
        { "khronos_riggedfigure/glTF/RiggedFigure.gltf", "khronos_riggedfigure/glTF-Embedded/RiggedFigure.gltf", 16,
            false, 1e-7 },
        { "khronos_cesiumman/glTF/CesiumMan.gltf", "khronos_cesiumman/glTF-Binary/CesiumMan.glb", 16, false, 1e-7 },
    };
    supCheckPairs( pairs, sizeof( pairs ) / sizeof( pairs[0] ) );
}

// The numbers that the READMEs give.
static void supTestGeneratorNumbers( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    evalFile* file = supLoadAsset( SUP_TINY( "Animation_NodeMisc", "03" ) ); // one key, [-0.1, 0, 0]
    for ( double time = -1.0; time < 5.0; time += 1.0 )
    {
        evalPose( file, 0, time );
        const double* m = evalNodeMatrix( file, evalGetDraw( file, 0 )->node );
        assert_true( fabs( m[12] + 0.1 ) < 1e-8 && m[13] == 0.0 && m[14] == 0.0 );
    }
    evalFree( file );
    file = supLoadAsset(
        SUP_TINY( "Animation_NodeMisc", "05" ) ); // rotation [0, 0.5, 0, 0.866] becomes [0, -0.5, 0, 0.866]
    const double* m = evalNodeMatrix( file, evalGetDraw( file, 0 )->node );
    assert_true( fabs( m[8] - sin( acos( -1.0 ) / 3 ) ) < 1e-4 ); // the z axis, turned towards x by 60 degrees
    evalPose( file, 0, 1.0 );
    assert_true( fabs( m[8] + sin( acos( -1.0 ) / 3 ) ) < 1e-4 );
    evalFree( file );
    file = supLoadAsset( SUP_TINY( "Instancing", "07" ) ); // one mesh twice, once with scale [1, -1, 1]
    int a = 0, b = 0;
    double* first = supCornerPositions( file, 0, false, &a );
    double* second = supCornerPositions( file, 1, false, &b );
    assert_int_equal( a, b );
    for ( int i = 0; i < a; ++i )
    {
        assert_true( first[3 * i + 1] == -second[3 * i + 1] && first[3 * i + 2] == second[3 * i + 2] );
    }
    free( first );
    free( second );
    evalFree( file );
}

typedef struct supTally
{
    int read, refused, wrong;
} supTally;

static bool supMayBeRefused( const char* path )
{
    static const char* words[] = { "/negative/", "/Negative/", "-Draco/", "/Compatibility_04", "/Compatibility_05",
        "/Enemy_Large-transformed", "/Adventurer", "/Wasp" }; // Draco; NaN weights
    for ( size_t i = 0; i < sizeof( words ) / sizeof( words[0] ); ++i )
    {
        if ( strstr( path, words[i] ) != NULL )
        {
            return true;
        }
    }
    return false;
}

// Start, middle and end of every clip: every vertex is somewhere.
static bool supIsFinite( evalFile* file )
{
    for ( int clip = -1; clip < evalGetInfo( file ).clipCount; ++clip )
    {
        double start = 0.0, end = 0.0, lower[3], upper[3];
        if ( clip >= 0 )
        {
            evalClipTimes( file, clip, &start, &end );
        }
        for ( int k = 0; k < 3; ++k )
        {
            evalPose( file, clip, start + ( end - start ) * k / 2 );
            if ( evalPoseBox( file, lower, upper ) &&
                 !( isfinite( lower[0] + lower[1] + lower[2] + upper[0] + upper[1] + upper[2] ) ) )
            {
                return false;
            }
        }
    }
    return true;
}

static void supVisitFile( const char* path, supTally* tally )
{
    const char* dot = strrchr( path, '.' );
    char message[256] = "";
    if ( dot == NULL || ( strcmp( dot, ".glb" ) != 0 && strcmp( dot, ".gltf" ) != 0 ) )
    {
        return;
    }
    evalFile* file = evalLoad( path, message, sizeof( message ) );
    bool isWrong = file == NULL ? message[0] == 0 || strchr( message, '\n' ) != NULL || !supMayBeRefused( path )
                                : !supIsFinite( file );
    if ( isWrong )
    {
        print_message( "%s: %s\n", path, file == NULL ? message : "not finite" );
    }
    tally->wrong += isWrong;
    tally->read += file != NULL;
    tally->refused += file == NULL;
    evalFree( file );
}

static void supVisitFolder( const char* folder, supTally* tally )
{
    DIR* directory = opendir( folder );
    assert_non_null( directory );
    for ( struct dirent* entry = readdir( directory ); entry != NULL; entry = readdir( directory ) )
    {
        char path[1024];
        struct stat status;
        int length = snprintf( path, sizeof( path ), "%s/%s", folder, entry->d_name );
        if ( entry->d_name[0] == '.' || length >= (int)sizeof( path ) || stat( path, &status ) != 0 )
        {
            continue;
        }
        if ( S_ISDIR( status.st_mode ) )
        {
            supVisitFolder( path, tally );
        }
        else
        {
            supVisitFile( path, tally );
        }
    }
    closedir( directory );
}

static void supTestEveryAsset( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supTally tally = { 0 };
    supVisitFolder( supTestAssets(), &tally );
    print_message( "%d files read, %d refused\n", tally.read, tally.refused );
    assert_true( tally.read > 0 );
    assert_int_equal( tally.wrong, 0 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestCows ),
        cmocka_unit_test( supTestGenerator ),
        cmocka_unit_test( supTestGeneratorNumbers ),
        cmocka_unit_test( supTestEveryAsset ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
