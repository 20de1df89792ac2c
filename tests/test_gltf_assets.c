// Every file of the test assets is read, or refused in one clear line; what is read moves as the independent evaluator
// says.
#include "evaluator/evaluator.h"
#include "supple/lab/skin.h"
#include "support/gltf_files.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

static supResult supReadAll( const char* path, supCharacter** character, supError* error )
{
    supGltf* document;
    supLog silence = { NULL, NULL };
    const supLook* look;
    *character = NULL;
    supResult result = supOpenGltf( path, silence, &document, error );
    if ( result != sup_success )
    {
        return result;
    }
    result = supGltf_Character( document, NULL, character, error );
    if ( result == sup_success )
    {
        result = supGltf_Look( document, &look, error );
        assert_true( result != sup_success || look->meshCount == supCharacter_Info( *character )->meshCount );
    }
    if ( result != sup_success && *character != NULL )
    {
        supDestroyCharacter( *character );
        *character = NULL;
    }
    supCloseGltf( document );
    return result;
}

typedef struct supTally
{
    int read, refused;
} supTally;

static void supVisitAny( const char* path, void* user )
{
    supTally* tally = user;
    supError error = { 0 };
    supCharacter* character;
    const char* shortPath = path + strlen( supTestAssets() ) + 1;
    if ( supReadAll( path, &character, &error ) == sup_success )
    {
        tally->read += 1;
        supDestroyCharacter( character );
        return;
    }
    tally->refused += 1;
    print_message( "refused: %s%s\n", shortPath, error.text + strlen( path ) );
    assert_int_equal( strncmp( error.text, path, strlen( path ) ), 0 ); // names the file
    assert_null( strchr( error.text, '\n' ) );
    assert_true( strlen( error.text ) > strlen( path ) + 10 );
    // The good files, Draco apart, are none that may be refused.
    bool good = strstr( shortPath, "egative" ) == NULL && strstr( shortPath, "Compatibility" ) == NULL;
    assert_true( good == false || strstr( error.text, "Draco" ) != NULL );
}

static void supTestEveryFile( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supTally tally = { 0, 0 };
    int count = supForEachGltf( supTestAssets(), supVisitAny, &tally );
    print_message( "%d files: %d read, %d refused\n", count, tally.read, tally.refused );
    assert_true( count > 300 );
    assert_true( tally.read > 200 );
}

// ---------------------------------------------------------------------------------------------------------------
// Against the evaluator

static int supFindMesh( const supCharacter* character, const evalDraw* draw )
{
    for ( int i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        if ( mesh.joint == draw->node && mesh.sourceMesh == draw->mesh && mesh.sourcePrimitive == draw->primitive )
        {
            return i;
        }
    }
    return -1;
}

/// The largest distance of one mesh's skin from the evaluator's, in the file's units.
static double supSkinDistance(
    const supCharacter* character, int mesh, const supPose* pose, const supMat34* palette, evalFile* truth, int draw )
{
    supMeshView view = supCharacter_Mesh( character, mesh );
    assert_int_equal( view.vertexCount, evalGetDraw( truth, draw )->vertexCount );
    size_t count = (size_t)view.vertexCount;
    float* ours = malloc( count * 12 + 1 );
    double* theirs = malloc( count * 24 + 1 );
    supError error;
    supSkinJob job = supCharacter_SkinJob( character, mesh, palette, supPose_MorphWeights( pose ) );
    job.outPositions = ( supOutStream ){ ours, view.vertexCount, 12 };
    assert_int_equal( supSkinJob_Run( &job, &error ), sup_success );
    evalPositions( truth, draw, theirs );
    double largest = 0.0;
    for ( size_t v = 0; v < count; ++v )
    {
        double d[3] = { ours[3 * v] - theirs[3 * v], ours[3 * v + 1] - theirs[3 * v + 1],
            ours[3 * v + 2] - theirs[3 * v + 2] };
        largest = fmax( largest, sqrt( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] ) );
    }
    free( ours );
    free( theirs );
    return largest;
}

/// Whether the blended matrix of a vertex is flat but for rounding, as turns by half a circle against one another make
/// it: then floats and doubles do not agree on which side is out.
static bool supIsFlattened( const supMeshView* mesh, const supMat34* palette, size_t vertex )
{
    double m[3][3] = { 0 };
    size_t width = (size_t)mesh->influenceCount;
    for ( size_t i = vertex * width; i < ( vertex + 1 ) * width; ++i )
    {
        const float* from = (const float*)( palette + mesh->firstPalette + mesh->jointIndices[i] );
        for ( size_t k = 0; k < 9; ++k )
        {
            m[k / 3][k % 3] += (double)mesh->weights[i] * from[k];
        }
    }
    double determinant = 0.0, most = 1.0;
    for ( size_t k = 0; k < 3; ++k )
    {
        const double *a = m[k], *b = m[( k + 1 ) % 3], *c = m[( k + 2 ) % 3];
        determinant += k == 0 ? a[0] * ( b[1] * c[2] - b[2] * c[1] ) + a[1] * ( b[2] * c[0] - b[0] * c[2] ) +
                                    a[2] * ( b[0] * c[1] - b[1] * c[0] )
                              : 0.0;
        most *= sqrt( a[0] * a[0] + a[1] * a[1] + a[2] * a[2] );
    }
    return fabs( determinant ) < 1e-5 * most;
}

/// The largest distance between two lists of directions of unit length, `width` floats each. Where the truth has none
/// (a matrix has flattened it to nothing) there is nothing to compare.
static double supDirectionDistance( const supMeshView* mesh, const supMat34* palette, const float* ours,
    const double* theirs, size_t count, size_t width )
{
    double largest = 0.0;
    for ( size_t v = 0; v < count; ++v )
    {
        double sum = 0.0, length = 0.0;
        for ( size_t k = 0; k < 3; ++k )
        {
            double d = (double)ours[width * v + k] - theirs[width * v + k];
            sum += d * d;
            length += theirs[width * v + k] * theirs[width * v + k];
        }
        bool differs = length > 0.5 && sqrt( sum ) > largest;
        largest = differs && !supIsFlattened( mesh, palette, v ) ? sqrt( sum ) : largest;
    }
    return largest;
}

/// The largest distance of one mesh's normals and tangents from the evaluator's.
static double supMeshDirections(
    const supCharacter* character, int mesh, const supPose* pose, const supMat34* palette, evalFile* truth, int draw )
{
    supMeshView view = supCharacter_Mesh( character, mesh );
    size_t count = (size_t)view.vertexCount;
    float *normals = malloc( count * 12 + 1 ), *tangents = malloc( count * 16 + 1 );
    double* theirs = malloc( count * 32 + 1 );
    supError error;
    supSkinJob job = supCharacter_SkinJob( character, mesh, palette, supPose_MorphWeights( pose ) );
    job.outNormals = ( supOutStream ){ view.normals != NULL ? normals : NULL, view.vertexCount, 12 };
    job.outTangents = ( supOutStream ){ view.tangents != NULL ? tangents : NULL, view.vertexCount, 16 };
    assert_int_equal( supSkinJob_Run( &job, &error ), sup_success );
    double largest = 0.0;
    if ( view.normals != NULL && evalNormals( truth, draw, theirs ) != 0 )
    {
        largest = fmax( largest, supDirectionDistance( &view, palette, normals, theirs, count, 3 ) );
    }
    if ( view.tangents != NULL && evalTangents( truth, draw, theirs ) != 0 )
    {
        largest = fmax( largest, supDirectionDistance( &view, palette, tangents, theirs, count, 4 ) );
    }
    free( normals );
    free( tangents );
    free( theirs );
    return largest;
}

static double supPoseDistance(
    const supCharacter* character, const supPose* pose, supMat34* palette, evalFile* truth, double* directions )
{
    double largest = 0.0;
    supCharacter_Palette( character, supPose_Joints( pose ), palette );
    for ( int draw = 0; draw < evalGetInfo( truth ).drawCount; ++draw )
    {
        int mesh = supFindMesh( character, evalGetDraw( truth, draw ) );
        assert_true( mesh >= 0 );
        largest = fmax( largest, supSkinDistance( character, mesh, pose, palette, truth, draw ) );
        *directions = fmax( *directions, supMeshDirections( character, mesh, pose, palette, truth, draw ) );
    }
    return largest;
}

typedef struct supWorst
{
    double distance;   ///< shares of the model's size
    double directions; ///< of normals and tangents, which have unit length
    char path[512];
    int files, clips;
} supWorst;

/// Every clip at its ends, at keys and between them; and the pose that the file stores.
static double supCompareFile( const supCharacter* character, evalFile* truth, double* directions )
{
    supPose* pose;
    supError error;
    supMat34* palette = malloc( (size_t)supCharacter_Info( character )->paletteCount * sizeof( supMat34 ) + 1 );
    assert_int_equal( supCreatePose( character, NULL, &pose, &error ), sup_success );
    evalPose( truth, -1, 0.0 );
    supPose_Sample( pose, -1, 0.0 );
    double largest = supPoseDistance( character, pose, palette, truth, directions );
    for ( int clip = 0; clip < supCharacter_Info( character )->clipCount; ++clip )
    {
        static const double shares[] = { -0.1, 0.0, 0.1234, 0.3, 0.5, 0.777, 0.95, 1.0, 1.2 };
        double start, end;
        evalClipTimes( truth, clip, &start, &end );
        supClipView view = supCharacter_Clip( character, clip );
        assert_true( view.start == start && view.end == end );
        for ( size_t i = 0; i < sizeof( shares ) / sizeof( shares[0] ); ++i )
        {
            double time = start + shares[i] * ( end - start );
            evalPose( truth, clip, time );
            supPose_Sample( pose, clip, time );
            largest = fmax( largest, supPoseDistance( character, pose, palette, truth, directions ) );
        }
    }
    supDestroyPose( pose );
    free( palette );
    return largest;
}

static void supVisitForJudgement( const char* path, void* user )
{
    supWorst* worst = user;
    supError error = { 0 };
    supCharacter* character;
    char message[256];
    if ( supReadAll( path, &character, &error ) != sup_success )
    {
        return;
    }
    evalFile* truth = evalLoad( path, message, sizeof( message ) );
    bool broken = strstr( path, "/negative/" ) != NULL || strstr( path, "/Negative/" ) != NULL;
    // it reads what is plain and whole: test_gltf_draco and test_gltf_repairs judge the others
    bool strange = truth == NULL && ( strstr( message, "raco" ) != NULL || strstr( message, "not finite" ) != NULL );
    if ( truth == NULL || evalGetInfo( truth ).weightlessVertices > 0 || evalSize( truth ) == 0.0 )
    {
        assert_true( broken || strange ); // the evaluator judges every good file
    }
    else
    {
        double directions = 0.0;
        double distance = supCompareFile( character, truth, &directions ) / evalSize( truth );
        worst->directions = fmax( worst->directions, directions );
        worst->files += 1;
        worst->clips += supCharacter_Info( character )->clipCount;
        if ( distance > worst->distance )
        {
            worst->distance = distance;
            snprintf( worst->path, sizeof( worst->path ), "%s", path + strlen( supTestAssets() ) + 1 );
        }
        if ( distance > 1e-6 || directions > 1e-6 )
        {
            print_message( "%s: %.3g of the size, directions %.3g\n", path, distance, directions );
        }
    }
    evalFree( truth );
    supDestroyCharacter( character );
}

static void supTestSkinAgainstEvaluator( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supWorst worst = { 0 };
    supForEachGltf( supTestAssets(), supVisitForJudgement, &worst );
    print_message( "%d files, %d clips: at most %.3g of the model's size (%s); normals and tangents %.3g\n",
        worst.files, worst.clips, worst.distance, worst.path, worst.directions );
    assert_true( worst.files > 120 );
    assert_true( worst.distance <= 1e-6 );
    assert_true( worst.directions <= 1e-6 );
}

// ---------------------------------------------------------------------------------------------------------------
// One cow in many encodings

typedef struct supPlayed
{
    supCharacter* character;
    supPose* pose;
    supMat34* palette;
    float* positions; ///< of mesh 0
} supPlayed;

static supPlayed supStartPlaying( const char* name )
{
    char path[512];
    supError error = { 0 };
    supPlayed played;
    assert_true( supTestAssetPath( name, path, sizeof( path ) ) );
    assert_int_equal( supLoadGltf( path, &played.character, &error ), sup_success );
    assert_int_equal( supCreatePose( played.character, NULL, &played.pose, &error ), sup_success );
    played.palette = malloc( (size_t)supCharacter_Info( played.character )->paletteCount * sizeof( supMat34 ) );
    played.positions = malloc( (size_t)supCharacter_Mesh( played.character, 0 ).vertexCount * 12 );
    return played;
}

static void supPlayAt( supPlayed* played, double share )
{
    supError error;
    supClipView clip = supCharacter_Clip( played->character, 0 );
    supPose_Sample( played->pose, 0, clip.start + share * ( clip.end - clip.start ) );
    supCharacter_Palette( played->character, supPose_Joints( played->pose ), played->palette );
    supSkinJob job =
        supCharacter_SkinJob( played->character, 0, played->palette, supPose_MorphWeights( played->pose ) );
    job.outPositions = ( supOutStream ){ played->positions, job.vertexCount, 12 };
    assert_int_equal( supSkinJob_Run( &job, &error ), sup_success );
}

static void supStopPlaying( supPlayed* played )
{
    supDestroyPose( played->pose );
    supDestroyCharacter( played->character );
    free( played->palette );
    free( played->positions );
}

/// Vertex by vertex; corner by corner where a mesh without indices compares with one that has them (meshopt may turn
/// the corners of a triangle round, so not always). Shares of the size.
static double supVertexDistance( const supPlayed* a, const supPlayed* b )
{
    supMeshView meshA = supCharacter_Mesh( a->character, 0 ), meshB = supCharacter_Mesh( b->character, 0 );
    bool corners = meshA.vertexCount != meshB.vertexCount;
    double largest = 0.0;
    assert_int_equal( meshA.indexCount, meshB.indexCount );
    for ( int i = 0; i < ( corners ? meshA.indexCount : meshA.vertexCount ); ++i )
    {
        const float* p = a->positions + 3 * ( corners ? meshA.indices[i] : (uint32_t)i );
        const float* q = b->positions + 3 * ( corners ? meshB.indices[i] : (uint32_t)i );
        for ( int k = 0; k < 3; ++k )
        {
            largest = fmax( largest, fabs( (double)p[k] - q[k] ) );
        }
    }
    return largest / supCharacter_Info( a->character )->size;
}

static double supEncodingDistance( const char* nameA, const char* nameB )
{
    double largest = 0.0;
    supPlayed a = supStartPlaying( nameA );
    supPlayed b = supStartPlaying( nameB );
    for ( int i = 0; i <= 20; ++i )
    {
        supPlayAt( &a, i / 20.0 );
        supPlayAt( &b, i / 20.0 );
        largest = fmax( largest, supVertexDistance( &a, &b ) );
    }
    supStopPlaying( &a );
    supStopPlaying( &b );
    return largest;
}

static void supTestCowsAgree( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const char* const pairs[][2] = { { "plain.glb", "datauri.gltf" }, { "plain.glb", "external2.gltf" },
        { "plain.glb", "sparse.glb" }, { "plain.glb", "joints1.glb" }, { "plain.glb", "nonindexed.glb" },
        { "plain.glb", "twonodes.glb" }, { "quantized.glb", "meshopt_EXT.glb" },
        { "quantized.glb", "meshopt_fallback.gltf" }, { "quantized.glb", "quantized_norm.glb" } };
    for ( size_t i = 0; i < sizeof( pairs ) / sizeof( pairs[0] ); ++i )
    {
        char a[64], b[64];
        snprintf( a, sizeof( a ), "odd_cow/Cow_%s", pairs[i][0] );
        snprintf( b, sizeof( b ), "odd_cow/Cow_%s", pairs[i][1] );
        double distance = supEncodingDistance( a, b );
        print_message( "%s, %s: %.2g of the size\n", a, b, distance );
        assert_true( distance <= 1e-6 );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestEveryFile ),
        cmocka_unit_test( supTestSkinAgainstEvaluator ),
        cmocka_unit_test( supTestCowsAgree ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
