// Broken files as files: what is read of them, and that what a bake writes is whole.
#include "supple/creatures.h"
#include "supple/lab/skin.h"
#include "support/baked_file.h"
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

static const char* supPathOf( const char* name )
{
    static char paths[4][600];
    static int next = 0;
    char* path = paths[next++ % 4];
    snprintf( path, sizeof( paths[0] ), "%s/%s", sup_folder, name );
    return path;
}

/// A built-in character as a file.
static const char* supSaveCreature( const char* creatureName, const char* name )
{
    supCreature* creature = NULL;
    supError error = { 0 };
    const char* path = supPathOf( name );
    assert_int_equal( supCreateCreature( creatureName, NULL, &creature, &error ), sup_success );
    assert_int_equal(
        supSaveGltf( supCreature_Character( creature ), supCreature_Look( creature ), path, &error ), sup_success );
    supDestroyCreature( creature );
    return path;
}

typedef struct supNotes
{
    int count;
    char text[1200];
} supNotes;

static void supTakeNote( const char* text, void* user )
{
    supNotes* notes = user;
    notes->count += 1;
    snprintf( notes->text, sizeof( notes->text ), "%s", text );
}

/// The character of a file, with the one note that reading it gives.
static supCharacter* supReadTold( const char* path, supNotes* notes )
{
    supGltf* document = NULL;
    supCharacter* character = NULL;
    supError error = { 0 };
    *notes = ( supNotes ){ 0 };
    if ( supOpenGltf( path, ( supLog ){ supTakeNote, notes }, &document, &error ) != sup_success ||
         supGltf_Character( document, NULL, &character, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supCloseGltf( document );
    return character;
}

/// All of one file's bake as `supple bake` makes it. The evaluator, which takes no NaN, is not asked.
static void supBakeAlone( const char* in, const char* out, bool asMorphs )
{
    supGltf* document = NULL;
    supCharacter* character = NULL;
    supRig* rig = NULL;
    supModel* model = NULL;
    supTake* takes[16] = { NULL };
    supJointBake* joints = NULL;
    supMorphBake* morphs = NULL;
    supError error = { 0 };
    assert_int_equal( supOpenGltf( in, ( supLog ){ NULL, NULL }, &document, &error ), sup_success );
    assert_int_equal( supGltf_Character( document, NULL, &character, &error ), sup_success );
    assert_int_equal( supProposeRig( character, sup_presetNatural, &rig, &error ), sup_success );
    assert_int_equal( supCompileModel( character, rig, &model, &error ), sup_success );
    int32_t count = supCharacter_Info( character )->clipCount < 2 ? supCharacter_Info( character )->clipCount : 2;
    for ( int32_t c = 0; c < count; ++c )
    {
        supTakeDef def = supDefaultTakeDef();
        def.model = model;
        def.clip = c;
        assert_int_equal( supCreateTake( &def, takes + c, &error ), sup_success );
    }
    supMorphBakeDef morphDef = supDefaultMorphBakeDef();
    morphDef.model = model;
    morphDef.takes = (const supTake* const*)takes;
    morphDef.takeCount = 1; // the other clips get a key of zeros
    supJointBakeDef jointDef = supDefaultJointBakeDef();
    jointDef.model = model;
    jointDef.takes = (const supTake* const*)takes;
    jointDef.takeCount = 1;
    supResult result =
        asMorphs ? supBakeMorphs( &morphDef, &morphs, &error ) : supBakeJoints( &jointDef, &joints, &error );
    assert_int_equal( result, sup_success );
    supGltfBakeOptions options = supDefaultGltfBakeOptions();
    result = asMorphs ? supGltf_AddMorphBake( document, model, morphs, &options, &error )
                      : supGltf_AddJointBake( document, model, joints, &options, &error );
    result = result == sup_success ? supGltf_Write( document, out, &error ) : result;
    if ( result != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyJointBake( joints );
    supDestroyMorphBake( morphs );
    for ( int32_t c = 0; c < count; ++c )
    {
        supDestroyTake( takes[c] );
    }
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCharacter( character );
    supCloseGltf( document );
}

/// Where the accessors of a bake start.
static int supFirstAdded( const supGlb* glb )
{
    const json_t* record = json_object_get( json_object_get( glb->json, "extensions" ), "SUPPLE_bake" );
    const json_t* counts = json_object_get( json_object_get( record, "counts" ), "accessors" );
    assert_int_equal( json_array_size( counts ), 2 );
    return (int)json_integer_value( json_array_get( counts, 0 ) );
}

// ---------------------------------------------------------------------------------------------------------------

/// A cat of whose vertices every 37th has NaN for all its weights, every 41st for one: it is baked, the file is whole,
/// and plays as a cat without that.
static void supTestBakeOfBrokenWeights( void** state )
{
    (void)state;
    const char* whole = supSaveCreature( "cat", "cat.glb" );
    supGlb glb = supOpenGlb( whole );
    int count, broken = 0;
    float* weights = supGlb_Accessor( &glb, supGlb_Attribute( &glb, 0, 0, "WEIGHTS_0" ), 5126, &count );
    for ( int v = 0; v < count / 4; ++v )
    {
        for ( int k = 0; k < 4; ++k )
        {
            weights[4 * v + k] = v % 37 == 0 || ( v % 41 == 0 && k == 3 ) ? NAN : weights[4 * v + k];
        }
        broken += v % 37 == 0 || v % 41 == 0;
    }
    const char* path = supPathOf( "broken_cat.glb" );
    supSaveGlb( &glb, path );
    supCloseGlb( &glb );

    supNotes notes;
    char words[700];
    supCharacter* character = supReadTold( path, &notes );
    snprintf( words, sizeof( words ), "%s: repaired: %d vertices with NaN weights (taken as zero), ", path, broken );
    assert_int_equal( notes.count, 1 );
    assert_int_equal( strncmp( notes.text, words, strlen( words ) ), 0 );
    supDestroyCharacter( character );

    supBakedFile baked;
    supBakedFileDef def = supDefaultBakedFileDef( path, supPathOf( "baked_cat.glb" ) );
    assert_true( supMakeBakedFile( &def, &baked ) ); // the evaluator finds no NaN
    supBakeErrors errors = supBakedFile_Judge( &baked, 2, 7 );
    print_message( "%.2g of the size at the keys, %.2g between\n", errors.atKeys, errors.between );
    assert_true( errors.atKeys <= 1e-5 );
    assert_true( errors.between <= 5e-4 );
    supDropBakedFile( &baked );
}

/// NaN in a key, in the last row of a bind matrix: nothing of it goes into what a bake writes, and what it does not
/// touch stays as it was.
static void supTestBakeAddsNoNan( void** state )
{
    (void)state;
    const char* whole = supSaveCreature( "cat", "cat.glb" );
    supGlb glb = supOpenGlb( whole );
    int count;
    const json_t* sampler = json_array_get( json_object_get( supGlb_Item( &glb, "animations", 0 ), "samplers" ), 0 );
    float* keys =
        supGlb_Accessor( &glb, (int)json_integer_value( json_object_get( sampler, "output" ) ), 5126, &count );
    keys[count / 2] = NAN;
    const json_t* bind = json_object_get( supGlb_Item( &glb, "skins", 0 ), "inverseBindMatrices" );
    float* matrices = supGlb_Accessor( &glb, (int)json_integer_value( bind ), 5126, &count );
    matrices[3] = matrices[16 + 15] = NAN;
    const char* path = supPathOf( "nan_keys.glb" );
    supSaveGlb( &glb, path );
    supCloseGlb( &glb );

    supNotes notes;
    supCharacter* character = supReadTold( path, &notes );
    assert_non_null( strstr( notes.text, "nan_keys.glb: repaired: 1 NaN key (dropped)" ) );
    supDestroyCharacter( character );
    for ( int asMorphs = 0; asMorphs < 2; ++asMorphs )
    {
        const char* out = supPathOf( asMorphs ? "nan_morphs.glb" : "nan_joints.glb" );
        supBakeAlone( path, out, asMorphs != 0 );
        glb = supOpenGlb( out );
        assert_int_equal( supGlb_CountNotFinite( &glb, supFirstAdded( &glb ) ), 0 );
        assert_int_equal( supGlb_CountNotFinite( &glb, 0 ), 2 );
        supCloseGlb( &glb );
    }
}

/// The first mesh's own morph weights in the original's clip and in the smooth copy of it that a bake leaves: the
/// largest difference.
static double supWeightDistance( const char* in, const char* out )
{
    supNotes notes;
    supCharacter *before = supReadTold( in, &notes ), *after = supReadTold( out, &notes );
    char name[256];
    supClipView clip = supCharacter_Clip( before, 0 );
    snprintf( name, sizeof( name ), "%s (smooth)", clip.name );
    int32_t smooth = supCharacter_FindClip( after, name );
    assert_true( smooth >= 0 );
    supPose *poseA = NULL, *poseB = NULL;
    assert_int_equal( supCreatePose( before, NULL, &poseA, NULL ), sup_success );
    assert_int_equal( supCreatePose( after, NULL, &poseB, NULL ), sup_success );
    double largest = 0.0, moved = 0.0;
    for ( int k = 0; k <= 50; ++k )
    {
        double time = clip.start + ( clip.end - clip.start ) * k / 50.0;
        supPose_Sample( poseA, 0, time );
        supPose_Sample( poseB, smooth, time );
        for ( int i = 0; i < supCharacter_Mesh( before, 0 ).morphCount; ++i )
        {
            double a = supPose_MorphWeights( poseA )[i], b = supPose_MorphWeights( poseB )[i];
            largest = fmax( largest, fabs( a - b ) );
            moved = fmax( moved, fabs( a ) );
        }
    }
    assert_true( moved > 0.1 );
    supDestroyPose( poseA );
    supDestroyPose( poseB );
    supDestroyCharacter( before );
    supDestroyCharacter( after );
    return largest;
}

/// A cow's own morph weights with a NaN key in a clip that is not baked: its channel is written anew without it.
static void supTestNanMorphKeys( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char in[512];
    assert_true( supTestAssetPath( "odd_cow/Cow_morph.glb", in, sizeof( in ) ) );
    supGlb glb = supOpenGlb( in );
    int poisoned = 0;
    for ( int a = 0; a < supGlb_Count( &glb, "animations" ); ++a )
    {
        const json_t *clip = supGlb_Item( &glb, "animations", a ), *samplers = json_object_get( clip, "samplers" );
        size_t i;
        json_t* channel;
        json_array_foreach( json_object_get( clip, "channels" ), i, channel )
        {
            const char* text = json_string_value( json_object_get( json_object_get( channel, "target" ), "path" ) );
            if ( strcmp( text, "weights" ) == 0 )
            {
                size_t index = (size_t)json_integer_value( json_object_get( channel, "sampler" ) );
                const json_t* output = json_object_get( json_array_get( samplers, index ), "output" );
                int count;
                float* keys = supGlb_Accessor( &glb, (int)json_integer_value( output ), 5126, &count );
                keys[count / 2] = NAN;
                poisoned += 1;
            }
        }
    }
    assert_true( poisoned > 0 );
    const char* path = supPathOf( "nan_cow.glb" );
    supSaveGlb( &glb, path );
    supCloseGlb( &glb );
    supBakeAlone( path, supPathOf( "baked_nan_cow.glb" ), true );
    glb = supOpenGlb( supPathOf( "baked_nan_cow.glb" ) );
    assert_int_equal( supGlb_CountNotFinite( &glb, supFirstAdded( &glb ) ), 0 );
    supCloseGlb( &glb );
    assert_true( supWeightDistance( path, supPathOf( "baked_nan_cow.glb" ) ) < 1e-6 );
    // and so every clip plays in a reader that takes no NaN, which reads no accessor that nothing uses
    char message[256] = "";
    evalFile* file = evalLoad( supPathOf( "baked_nan_cow.glb" ), message, sizeof( message ) );
    if ( file == NULL )
    {
        fail_msg( "%s", message );
    }
    evalFree( file );
}

/// Three sets of four joints, NaN among the first: the largest eight that count are kept.
static void supTestManyInfluences( void** state )
{
    (void)state;
    const char* whole = supSaveCreature( "arm", "arm.glb" );
    supGlb glb = supOpenGlb( whole );
    int count;
    float* weights = supGlb_Accessor( &glb, supGlb_Attribute( &glb, 0, 0, "WEIGHTS_0" ), 5126, &count );
    int vertices = count / 4;
    size_t size = count > 0 ? (size_t)count : 0;
    for ( int i = 0; i < count; ++i )
    {
        weights[i] = NAN;
    }
    uint16_t* joints = calloc( size, sizeof( uint16_t ) );
    float* more = calloc( size, sizeof( float ) );
    for ( int i = 0; i < count; ++i )
    {
        joints[i] = i % 4 == 1 ? 1 : 0;
        more[i] = i % 4 == 1 ? 0.75f : i % 4 == 0 ? 0.25f : 0.0f;
    }
    int jointSet = supGlb_AddAccessor( &glb, joints, 2 * size, 5123, "VEC4", vertices );
    int weightSet = supGlb_AddAccessor( &glb, more, 4 * size, 5126, "VEC4", vertices );
    memset( more, 0, 4 * size );
    int nothing = supGlb_AddAccessor( &glb, more, 4 * size, 5126, "VEC4", vertices );
    json_t* attributes = json_object_get(
        json_array_get( json_object_get( supGlb_Item( &glb, "meshes", 0 ), "primitives" ), 0 ), "attributes" );
    json_object_set_new( attributes, "JOINTS_1", json_integer( jointSet ) );
    json_object_set_new( attributes, "WEIGHTS_1", json_integer( nothing ) );
    json_object_set_new( attributes, "JOINTS_2", json_integer( jointSet ) );
    json_object_set_new( attributes, "WEIGHTS_2", json_integer( weightSet ) );
    free( joints );
    free( more );
    const char* path = supPathOf( "many.glb" );
    supSaveGlb( &glb, path );
    supCloseGlb( &glb );

    supNotes notes;
    supCharacter* character = supReadTold( path, &notes );
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    assert_int_equal( mesh.influenceCount, 8 );
    for ( int v = 0; v < mesh.vertexCount; ++v )
    {
        assert_int_equal( mesh.jointIndices[8 * v], 1 );
        assert_float_equal( mesh.weights[8 * v], 0.75f, 0.0f );
        assert_float_equal( mesh.weights[8 * v + 1], 0.25f, 0.0f );
    }
    supDestroyCharacter( character );
}

// ---------------------------------------------------------------------------------------------------------------
// Files of strangers

static double supLength( const float* positions, uint32_t a, uint32_t b )
{
    double sum = 0.0;
    for ( size_t k = 0; k < 3; ++k )
    {
        double d = (double)positions[3 * (size_t)a + k] - positions[3 * (size_t)b + k];
        sum += d * d;
    }
    return sqrt( sum );
}

/// How many times as long as at rest the edges at a vertex of a mesh get over all clips, at most.
static double supStretch( const supCharacter* character, int32_t index, uint32_t vertex )
{
    supMeshView mesh = supCharacter_Mesh( character, index );
    supPose* pose = NULL;
    supMat34* palette = malloc( (size_t)supCharacter_Info( character )->paletteCount * sizeof( supMat34 ) );
    float* skin = malloc( (size_t)mesh.vertexCount * 12 );
    const float* rest = supCharacter_Info( character )->restPositions + 3 * (size_t)mesh.firstVertex;
    assert_int_equal( supCreatePose( character, NULL, &pose, NULL ), sup_success );
    double most = 0.0;
    for ( int32_t i = 0; i < 9 * supCharacter_Info( character )->clipCount; ++i )
    {
        supClipView clip = supCharacter_Clip( character, i / 9 );
        supPose_Sample( pose, i / 9, clip.start + ( clip.end - clip.start ) * ( i % 9 ) / 8.0 );
        supCharacter_Palette( character, supPose_Joints( pose ), palette );
        supSkinJob job = supCharacter_SkinJob( character, index, palette, NULL );
        job.outPositions = ( supOutStream ){ skin, mesh.vertexCount, 12 };
        assert_int_equal( supSkinJob_Run( &job, NULL ), sup_success );
        for ( int32_t k = 0; k < mesh.indexCount; ++k )
        {
            uint32_t a = mesh.indices[k], b = mesh.indices[k % 3 == 2 ? k - 2 : k + 1];
            if ( a == vertex || b == vertex )
            {
                most = fmax( most, supLength( skin, a, b ) / supLength( rest, a, b ) );
            }
        }
    }
    supDestroyPose( pose );
    free( palette );
    free( skin );
    return most;
}

/// A wasp with a hole in the paint of a leg: no spike there, as it would be on the skin's first joint.
static void supTestWasp( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const uint32_t holes[2][3] = { { 2240, 2258, 2261 }, { 355, 372, 375 } };
    char path[512];
    supNotes notes;
    assert_true( supTestAssetPath( "strangers/Wasp.glb", path, sizeof( path ) ) );
    supCharacter* wasp = supReadTold( path, &notes );
    assert_non_null( strstr( notes.text, "Wasp.glb: repaired: 6 vertices with NaN weights (taken as zero), "
                                         "6 vertices without weights (given those of the nearest vertex)" ) );
    supGlb glb = supOpenGlb( path );
    double ours = 0.0, theirs = 0.0;
    for ( int m = 0; m < 2; ++m )
    {
        int count;
        float* weights = supGlb_Accessor( &glb, supGlb_Attribute( &glb, 0, 2 * m, "WEIGHTS_0" ), 5126, &count );
        for ( int i = 0; i < 3; ++i )
        {
            const float first[4] = { 1.0f, 0.0f, 0.0f, 0.0f }; // their joints are 0
            memcpy( weights + 4 * holes[m][i], first, sizeof( first ) );
            ours = fmax( ours, supStretch( wasp, 2 * m, holes[m][i] ) );
        }
    }
    supDestroyCharacter( wasp );
    supSaveGlb( &glb, supPathOf( "spiked.glb" ) );
    supCloseGlb( &glb );
    wasp = supReadTold( supPathOf( "spiked.glb" ), &notes );
    for ( int i = 0; i < 6; ++i )
    {
        theirs = fmax( theirs, supStretch( wasp, 2 * ( i / 3 ), holes[i / 3][i % 3] ) );
    }
    supDestroyCharacter( wasp );
    print_message( "edges at the hole get %.2f times as long, %.2f times on the first joint\n", ours, theirs );
    assert_true( ours < 1.5 );
    assert_true( theirs > 2.0 );
}

/// A man whose pouches were never painted: his belt carries them.
static void supTestAdventurer( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char path[512];
    supNotes notes;
    assert_true( supTestAssetPath( "strangers/Adventurer.glb", path, sizeof( path ) ) );
    supCharacter* man = supReadTold( path, &notes );
    assert_non_null( strstr( notes.text, "Adventurer.glb: repaired: 1860 vertices with NaN weights (taken as zero), "
                                         "1860 vertices without weights (given those of the nearest vertex)" ) );
    int32_t root = supCharacter_FindJoint( man, "Root" );
    assert_true( root >= 0 );
    assert_false( supCharacter_Joint( man, root )->isSkinJoint );
    supDestroyCharacter( man );
}

int main( void )
{
    supMakeTestFolder( sup_folder, sizeof( sup_folder ) );
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestBakeOfBrokenWeights ),
        cmocka_unit_test( supTestBakeAddsNoNan ),
        cmocka_unit_test( supTestNanMorphKeys ),
        cmocka_unit_test( supTestManyInfluences ),
        cmocka_unit_test( supTestWasp ),
        cmocka_unit_test( supTestAdventurer ),
    };
    int failed = cmocka_run_group_tests( tests, NULL, NULL );
    supRemoveTestFolder( sup_folder );
    return failed;
}
