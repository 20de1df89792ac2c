// Files compressed with Draco: read as their plain forms, and baked to plain files.
#include "supple/lab/files.h"
#include "support/baked_file.h"
#include "support/draco_file.h"
#include "support/glb_edit.h"
#include "support/gltf_files.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

static char sup_folder[256];

#define SUP_SKIP_WITHOUT_DRACO()                                                                                       \
    do                                                                                                                 \
    {                                                                                                                  \
        if ( supReadsDraco() == false )                                                                                \
        {                                                                                                              \
            print_message( "skipped: built without Draco\n" );                                                         \
            skip();                                                                                                    \
        }                                                                                                              \
    } while ( 0 )

// ---------------------------------------------------------------------------------------------------------------
// Against the plain form. Encoders put triangles and vertices in an order of their own, so triangles are matched by
// where their corners are.

/// How far the corners of a triangle are from those of another, turned by `turn`: the largest distance.
static double supCornerDistance( const supMeshView* a, int i, const supMeshView* b, int k, int turn )
{
    double largest = 0.0;
    for ( int c = 0; c < 3; ++c )
    {
        const float* p = a->positions + 3 * a->indices[3 * i + c];
        const float* q = b->positions + 3 * b->indices[3 * k + ( c + turn ) % 3];
        double x = (double)p[0] - q[0], y = (double)p[1] - q[1], z = (double)p[2] - q[2];
        largest = fmax( largest, sqrt( x * x + y * y + z * z ) );
    }
    return largest;
}

/// How much of a joint a vertex has.
static double supWeightOn( const supMeshView* mesh, uint32_t vertex, int joint )
{
    double sum = 0.0;
    for ( int i = 0; i < mesh->influenceCount; ++i )
    {
        size_t at = (size_t)vertex * (size_t)mesh->influenceCount + (size_t)i;
        sum += mesh->jointIndices[at] == joint ? (double)mesh->weights[at] : 0.0;
    }
    return sum;
}

typedef struct supMatch
{
    double positions; ///< the largest distance of corners, in the mesh's units
    double normals;   ///< the largest distance of unit vectors
    double weights;   ///< the largest difference of any joint's weight
} supMatch;

static void supCompareCorners( const supMeshView* a, uint32_t va, const supMeshView* b, uint32_t vb, supMatch* match )
{
    for ( int joint = 0; joint < 64; ++joint )
    {
        match->weights = fmax( match->weights, fabs( supWeightOn( a, va, joint ) - supWeightOn( b, vb, joint ) ) );
    }
    double sum = 0.0;
    for ( int k = 0; k < 3; ++k )
    {
        double d = (double)a->normals[3 * va + (uint32_t)k] - b->normals[3 * vb + (uint32_t)k];
        sum += d * d;
    }
    match->normals = fmax( match->normals, sqrt( sum ) );
}

/// Every triangle of `a` has one of `b` of its own.
static supMatch supMatchTriangles( const supMeshView* a, const supMeshView* b )
{
    supMatch match = { 0 };
    assert_int_equal( a->indexCount, b->indexCount );
    int count = a->indexCount / 3;
    bool* taken = calloc( (size_t)count + 1, sizeof( bool ) );
    for ( int i = 0; i < count; ++i )
    {
        int best = -1, bestTurn = 0;
        double least = 1e30;
        for ( int k = 0; k < count; ++k )
        {
            for ( int turn = 0; turn < 3 && taken[k] == false; ++turn )
            {
                double distance = supCornerDistance( a, i, b, k, turn );
                best = distance < least ? k : best;
                bestTurn = distance < least ? turn : bestTurn;
                least = fmin( least, distance );
            }
        }
        assert_true( best >= 0 );
        taken[best] = true;
        match.positions = fmax( match.positions, least );
        for ( int c = 0; c < 3; ++c )
        {
            supCompareCorners( a, a->indices[3 * i + c], b, b->indices[3 * best + ( c + bestTurn ) % 3], &match );
        }
    }
    free( taken );
    return match;
}

static int supCountPlaces( const supCharacter* character )
{
    int places = 0;
    for ( int v = 0; v < supCharacter_Info( character )->vertexCount; ++v )
    {
        places += supCharacter_Info( character )->welds[v] == v;
    }
    return places;
}

/// Khronos's own pairs of a plain and a compressed file.
static void supTestPlainForms( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    SUP_SKIP_WITHOUT_DRACO();
    static const char* const files[][2] = {
        { "khronos_cesiumman/glTF/CesiumMan.gltf", "khronos_cesiumman/glTF-Draco/CesiumMan.gltf" },
        { "khronos_riggedfigure/glTF/RiggedFigure.gltf", "khronos_riggedfigure/glTF-Draco/RiggedFigure.gltf" },
    };
    for ( size_t i = SUP_SLOW_BUILD; i < 2; ++i )
    {
        supCharacter *plain = supLoadTestAsset( files[i][0] ), *draco = supLoadTestAsset( files[i][1] );
        assert_int_equal( supCharacter_Info( plain )->meshCount, supCharacter_Info( draco )->meshCount );
        assert_int_equal( supCountPlaces( plain ), supCountPlaces( draco ) );
        supMeshView a = supCharacter_Mesh( draco, 0 ), b = supCharacter_Mesh( plain, 0 );
        supMatch match = supMatchTriangles( &a, &b );
        double size = supCharacter_Info( plain )->size;
        print_message( "%s: %d triangles; corners within %.2g of the size, normals %.2g, weights %.2g\n", files[i][1],
            a.indexCount / 3, match.positions / size, match.normals, match.weights );
        // as the files are rounded: 11 bits of a box, 8 of a weight and of a normal
        assert_true( match.positions / size < 1.0 / 2048 );
        assert_true( match.normals < 2.0 / 64 );
        assert_true( match.weights < 2.0 / 128 );
        supDestroyCharacter( plain );
        supDestroyCharacter( draco );
    }
}

/// A stranger's file, of which there is no plain form: whole, in the box that it states, and moving.
static void supTestStranger( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    SUP_SKIP_WITHOUT_DRACO();
    supCharacter* enemy = supLoadTestAsset( "strangers/Enemy_Large-transformed.glb" );
    supMeshView mesh = supCharacter_Mesh( enemy, 0 );
    assert_int_equal( mesh.vertexCount, 3485 );
    assert_int_equal( mesh.indexCount, 14172 );
    assert_int_equal( supCharacter_Info( enemy )->clipCount, 14 );
    const double lower[3] = { -2.3245596885681152, -0.0033269033301621675, -0.7212402820587158 },
                 upper[3] = { 2.3245577812194824, 3.801687479019165, 0.616074800491333 };
    double least[3] = { 1e9, 1e9, 1e9 }, most[3] = { -1e9, -1e9, -1e9 };
    for ( int i = 0; i < 3 * mesh.vertexCount; ++i )
    {
        least[i % 3] = fmin( least[i % 3], mesh.positions[i] );
        most[i % 3] = fmax( most[i % 3], mesh.positions[i] );
    }
    for ( int k = 0; k < 3; ++k )
    {
        assert_true( fabs( least[k] - lower[k] ) < 1e-3 && fabs( most[k] - upper[k] ) < 1e-3 );
    }
    int moving = 0;
    for ( int j = 0; j < supCharacter_Info( enemy )->jointCount; ++j )
    {
        moving += supCharacter_Joint( enemy, j )->isSkinJoint;
    }
    assert_true( moving > 10 );
    supDestroyCharacter( enemy );
}

// ---------------------------------------------------------------------------------------------------------------
// Files made here

#if SUP_HAS_DRACO

static const char* supPathOf( const char* name )
{
    static char paths[6][600];
    static int next = 0;
    char* path = paths[next++ % 6];
    snprintf( path, sizeof( paths[0] ), "%s/%s", sup_folder, name );
    return path;
}

static supCharacter* supRead( const char* path )
{
    supCharacter* character = NULL;
    supError error = { 0 };
    if ( supLoadGltf( path, &character, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return character;
}

static const char* supSaveHere( const char* name )
{
    char file[64];
    snprintf( file, sizeof( file ), "%s.glb", name );
    const char* path = supPathOf( file );
    supSaveCreature( name, path );
    return path;
}

/// Both ways of encoding, rounded and not: the same character as the plain file's.
static void supTestEncodings( void** state )
{
    (void)state;
    const char* path = supSaveHere( "arm" );
    supCharacter* plain = supRead( path );
    supMeshView b = supCharacter_Mesh( plain, 0 );
    for ( int way = 0; way < 4; ++way )
    {
        int bits = way % 2 == 0 ? 0 : 14;
        supCompressed made = supCompress( path, way < 2, bits );
        const char* out = supPathOf( "draco.glb" );
        supSaveGlb( &made.glb, out );
        supCloseGlb( &made.glb );
        supCharacter* draco = supRead( out );
        supMeshView a = supCharacter_Mesh( draco, 0 );
        if ( way < 2 )
        {
            assert_int_equal( a.vertexCount, b.vertexCount );
            assert_memory_equal( a.indices, b.indices, (size_t)a.indexCount * sizeof( uint32_t ) );
        }
        supMatch match = supMatchTriangles( &a, &b );
        double size = supCharacter_Info( plain )->size;
        print_message( "%s, %d bits: corners within %.2g of the size, normals %.2g, weights %.2g\n",
            way < 2 ? "sequential" : "edgebreaker", bits, match.positions / size, match.normals, match.weights );
        assert_true( match.positions / size <= ( bits == 0 ? 0.0 : 1.0 / 16384 ) );
        assert_true( match.normals <= ( bits == 0 ? 2e-7 : 2e-3 ) );
        assert_true( match.weights <= ( bits == 0 ? 1e-6 : 2e-4 ) );
        supDestroyCharacter( draco );
    }
    supDestroyCharacter( plain );
}

// ---------------------------------------------------------------------------------------------------------------
// Written

static bool supListsDraco( const supGlb* glb )
{
    char* text = json_dumps( glb->json, JSON_COMPACT );
    bool lists = strstr( text, "KHR_draco" ) != NULL;
    free( text );
    return lists;
}

static void supAssertSameFile( const char* a, const char* b )
{
    size_t sizeA, sizeB;
    uint8_t *bytesA = supReadWhole( a, &sizeA ), *bytesB = supReadWhole( b, &sizeB );
    assert_int_equal( sizeA, sizeB );
    assert_memory_equal( bytesA, bytesB, sizeA );
    free( bytesA );
    free( bytesB );
}

/// A bake of a compressed file is a plain file, which the evaluator, who knows no Draco, plays as the flesh moves;
/// baked again, it has the same bytes.
static void supTestBake( void** state )
{
    (void)state;
    const char* path = supSaveHere( "cat" );
    supCompressed made = supCompress( path, false, 14 );
    const char* in = supPathOf( "packed_cat.glb" );
    supSaveGlb( &made.glb, in );
    supCloseGlb( &made.glb );
    for ( int way = 0; way < 3; ++way )
    {
        const char* out = supPathOf( way == 2 ? "baked_cat.gltf" : "baked_cat.glb" );
        supBakedFileDef def = supDefaultBakedFileDef( in, out );
        def.asMorphs = way == 1;
        supBakedFile baked;
        assert_true( supMakeBakedFile( &def, &baked ) );
        double error = 0.0;
        for ( int32_t c = 0; c < baked.clipCount; ++c )
        {
            supClipView clip = supCharacter_Clip( baked.character, c );
            for ( int k = 0; k <= 20; ++k )
            {
                double time = clip.start + ( clip.end - clip.start ) * k / 20.0;
                error = fmax( error, supBakedFile_Error( &baked, c, time ) );
            }
        }
        print_message( "as %s: within %.2g of the size\n", way == 1 ? "morphs" : "joints", error );
        assert_true( error <= 5e-4 );
        supDropBakedFile( &baked );
        if ( way == 2 )
        {
            continue;
        }
        supGlb glb = supOpenGlb( out );
        assert_false( supListsDraco( &glb ) );
        assert_int_equal( supGlb_CountNotFinite( &glb, 0 ), 0 );
        supCloseGlb( &glb );
        const char* again = supPathOf( "baked_again.glb" );
        supBakedFileDef second = supDefaultBakedFileDef( out, again );
        second.asMorphs = way == 1;
        assert_true( supMakeBakedFile( &second, &baked ) );
        supDropBakedFile( &baked );
        supAssertSameFile( out, again );
    }
}

/// What a bake writes for the compressed primitive is what was read of it: bounds are true, weights sum to one, normals
/// have unit length.
static void supTestPlainAccessors( void** state )
{
    (void)state;
    const char* path = supSaveHere( "cat" );
    supCompressed made = supCompress( path, false, 6 ); // coarse, so that rounding shows
    const char *in = supPathOf( "coarse_cat.glb" ), *out = supPathOf( "coarse_baked.glb" );
    supSaveGlb( &made.glb, in );
    supCloseGlb( &made.glb );
    supBakedFileDef def = supDefaultBakedFileDef( in, out );
    def.asMorphs = true; // leaves the weights as they are
    supBakedFile baked;
    assert_true( supMakeBakedFile( &def, &baked ) );
    supMeshView mesh = supCharacter_Mesh( baked.character, 0 );
    supGlb glb = supOpenGlb( out );
    int count;
    int accessor = supGlb_Attribute( &glb, 0, 0, "POSITION" );
    const float* positions = supGlb_Accessor( &glb, accessor, 5126, &count );
    assert_int_equal( count, 3 * mesh.vertexCount );
    assert_memory_equal( positions, mesh.positions, (size_t)count * sizeof( float ) );
    for ( int k = 0; k < 3; ++k )
    {
        float least = positions[k], most = positions[k];
        for ( int i = k; i < count; i += 3 )
        {
            least = fminf( least, positions[i] );
            most = fmaxf( most, positions[i] );
        }
        const json_t* json = supGlb_Item( &glb, "accessors", accessor );
        assert_true( (float)json_real_value( json_array_get( json_object_get( json, "min" ), (size_t)k ) ) == least );
        assert_true( (float)json_real_value( json_array_get( json_object_get( json, "max" ), (size_t)k ) ) == most );
    }
    const float* weights = supGlb_Accessor( &glb, supGlb_Attribute( &glb, 0, 0, "WEIGHTS_0" ), 5126, &count );
    for ( int i = 0; i < count; i += 4 )
    {
        double sum = 0.0;
        for ( int k = 0; k < 4; ++k )
        {
            assert_true( weights[i + k] >= 0.0f );
            sum += weights[i + k];
        }
        assert_true( fabs( sum - 1.0 ) < 1e-6 );
    }
    const float* normals = supGlb_Accessor( &glb, supGlb_Attribute( &glb, 0, 0, "NORMAL" ), 5126, &count );
    for ( int i = 0; i < count; i += 3 )
    {
        const float* n = normals + i;
        assert_true( fabs( sqrt( (double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2] ) - 1.0 ) < 1e-6 );
    }
    supCloseGlb( &glb );
    supDropBakedFile( &baked );
}

/// With nothing edited the file is written as it came, stream and all.
static void supTestKept( void** state )
{
    (void)state;
    supCompressed made = supCompress( supSaveHere( "arm" ), false, 14 );
    const char *in = supPathOf( "kept_in.glb" ), *out = supPathOf( "kept_out.glb" );
    supSaveGlb( &made.glb, in );
    supGltf* document = NULL;
    supError error = { 0 };
    assert_int_equal( supOpenGltf( in, ( supLog ){ NULL, NULL }, &document, &error ), sup_success );
    supGltfBytes bytes = supGltf_Bytes( document );
    assert_true( bytes.of[sup_gltfBytesInfluences] > 0 && bytes.of[sup_gltfBytesIndices] > 0 );
    assert_int_equal( supGltf_Write( document, out, &error ), sup_success );
    supCloseGltf( document );
    supGlb glb = supOpenGlb( out );
    assert_true( json_equal( glb.json, made.glb.json ) );
    assert_int_equal( glb.binSize / 4, ( made.glb.binSize + 3 ) / 4 );
    assert_memory_equal( glb.bin, made.glb.bin, made.glb.binSize );
    supCloseGlb( &glb );
    supCloseGlb( &made.glb );
}

/// Plain data beside the stream, for readers that do not know it: they are read, even where the stream is broken, and a
/// bake leaves the extension out.
static void supTestFallback( void** state )
{
    (void)state;
    const char* path = supSaveHere( "cat" );
    supGlb glb = supOpenGlb( path );
    int view = supGlb_AddView( &glb, "DRACO nonsense", 14 );
    json_object_set_new( supFirstPrimitive( &glb ), "extensions",
        json_pack(
            "{s:{s:i, s:{s:i}}}", "KHR_draco_mesh_compression", "bufferView", view, "attributes", "POSITION", 0 ) );
    json_object_set_new( glb.json, "extensionsUsed", json_pack( "[s]", "KHR_draco_mesh_compression" ) );
    const char *in = supPathOf( "fallback.glb" ), *out = supPathOf( "fallback_baked.glb" );
    supSaveGlb( &glb, in );
    supCloseGlb( &glb );
    supBakedFileDef def = supDefaultBakedFileDef( in, out );
    supBakedFile baked;
    assert_true( supMakeBakedFile( &def, &baked ) );
    supDropBakedFile( &baked );
    glb = supOpenGlb( out );
    assert_false( supListsDraco( &glb ) );
    supCloseGlb( &glb );
}

#endif

/// Without the decoder: what to do.
static void supTestWithout( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    if ( supReadsDraco() )
    {
        print_message( "skipped: built with Draco\n" );
        skip();
    }
    char path[512];
    supCharacter* character = NULL;
    supError error = { 0 };
    assert_true( supTestAssetPath( "khronos_cesiumman/glTF-Draco/CesiumMan.gltf", path, sizeof( path ) ) );
    assert_int_equal( supLoadGltf( path, &character, &error ), sup_errorUnsupported );
    assert_non_null( strstr( error.text, "is compressed with Draco, which this build of Supple leaves out" ) );
    assert_non_null( strstr( error.text, "npx @gltf-transform/cli copy" ) );
}

int main( void )
{
    supMakeTestFolder( sup_folder, sizeof( sup_folder ) );
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestPlainForms ),
        cmocka_unit_test( supTestStranger ),
#if SUP_HAS_DRACO
        cmocka_unit_test( supTestEncodings ),
        cmocka_unit_test( supTestBake ),
        cmocka_unit_test( supTestPlainAccessors ),
        cmocka_unit_test( supTestKept ),
        cmocka_unit_test( supTestFallback ),
#endif
        cmocka_unit_test( supTestWithout ),
    };
    int failed = cmocka_run_group_tests( tests, NULL, NULL );
    supRemoveTestFolder( sup_folder );
    return failed;
}
