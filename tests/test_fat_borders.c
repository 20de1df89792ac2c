// Fat where the borders are wrong or the voxels do not fit: what is said is true, and enough to put it right.
#include "base/math.h"
#include "layers/fat/fat.h"
#include "rig/layer_list.h"
#include "supple/body.h"
#include "supple/lab/compiled.h"
#include "support/limb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static supFatDef supSmallFat( void )
{
    supFatDef def = supDefaultFatDef();
    def.name = "fat";
    def.nodes = 200.0f;
    def.modes = 4.0f;
    return def;
}

static supModel* supCompileFatDef( const supCharacter* character, const supFatDef* def, supError* error )
{
    supRig* rig;
    supModel* model = NULL;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supRig_AddItem( rig, sup_layerFat, def, error ), sup_success );
    supCompileModel( character, rig, &model, error );
    supDestroyRig( rig );
    return model;
}

// ---------------------------------------------------------------------------------------------------------------
// An inner border of our own

/// A ray from the limb's bone to each vertex of its skin.
typedef struct supTestBorder
{
    supVec3 from[SUP_LIMB_VERTICES], way[SUP_LIMB_VERTICES];
    int32_t vertices[SUP_LIMB_VERTICES];
    float rest[SUP_LIMB_VERTICES];
    int32_t* triangles;
    int32_t triangleCount;
} supTestBorder;

static void supGetTestBorder( const void* compiled, supInnerBorder* out )
{
    const supTestBorder* own = compiled;
    *out = ( supInnerBorder ){ .rayCount = SUP_LIMB_VERTICES,
        .from = own->from,
        .way = own->way,
        .vertices = own->vertices,
        .rest = own->rest,
        .triangleCount = own->triangleCount,
        .triangles = own->triangles };
}

/// `rest`: the border's share of the way to the skin, everywhere.
static supTestBorder* supMakeTestBorder( const supCharacter* limb, float rest )
{
    supTestBorder* border = calloc( 1, sizeof( *border ) );
    supMeshView mesh = supCharacter_Mesh( limb, 0 );
    assert_int_equal( mesh.vertexCount, SUP_LIMB_VERTICES );
    for ( int32_t v = 0; v < mesh.vertexCount; ++v )
    {
        supVec3 p;
        memcpy( &p, mesh.positions + 3 * v, sizeof( p ) );
        border->from[v] = supMakeVec3( 0.0f, p.y, 0.0f );
        border->way[v] = supSub( p, border->from[v] );
        border->vertices[v] = v;
        border->rest[v] = rest;
    }
    border->triangleCount = mesh.indexCount / 3;
    border->triangles = malloc( sizeof( int32_t ) * (size_t)mesh.indexCount );
    for ( int32_t i = 0; i < mesh.indexCount; ++i )
    {
        border->triangles[i] = (int32_t)mesh.indices[i];
    }
    return border;
}

static void supDropTestBorder( supTestBorder* border )
{
    free( border->triangles );
    free( border );
}

static supResult supCompileOn( const supCharacter* limb, const supTestBorder* border, supFats** out, supError* error )
{
    const supLayer layer = { .border = supGetTestBorder };
    const supEarlierLayer earlier = { .layer = &layer, .compiled = border };
    const supLayerContext context = {
        .character = limb, .gravity = { 0.0f, -9.81f, 0.0f }, .earlierCount = 1, .earlier = &earlier
    };
    supFatDef def = supSmallFat();
    const void* items[1] = { &def };
    void* compiled = NULL;
    supResult result = supCompileFats( &context, items, 1, &compiled, error );
    *out = compiled;
    return result;
}

/// Where the border reaches through the skin at a few places there is no fat there; how many and the worst is known.
static void TestOutsideCounted( void** state )
{
    (void)state;
    supCharacter* limb = supMakeLimbCharacter( 1.0f, false );
    supTestBorder* border = supMakeTestBorder( limb, 0.4f );
    supFats* fats = NULL;
    supError error = { 0 };
    assert_int_equal( supCompileOn( limb, border, &fats, &error ), sup_success );
    assert_int_equal( fats->fats[0].outsideCount, 0 );
    assert_int_equal( fats->fats[0].outsideAt, -1 );
    supDestroyFats( fats, NULL );
    border->rest[300] = 1.1f;
    border->rest[301] = 1.5f;
    border->rest[302] = 1.2f;
    if ( supCompileOn( limb, border, &fats, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    assert_int_equal( fats->fats[0].outsideCount, 3 );
    assert_int_equal( fats->fats[0].outsideAt, 301 );
    assert_true( supAbsF( fats->fats[0].outsideBy - 0.5f * supLength( border->way[301] ) ) < 1e-6f );
    supDestroyFats( fats, NULL );
    supDropTestBorder( border );
    supDestroyCharacter( limb );
}

/// Where it does so at most places it is refused, with the worst: vertex, place, joint, and by how much.
static void TestOutsideRefused( void** state )
{
    (void)state;
    supCharacter* limb = supMakeLimbCharacter( 1.0f, false );
    supTestBorder* border = supMakeTestBorder( limb, 0.4f );
    for ( int32_t v = 0; v < SUP_LIMB_VERTICES; v += v % 3 == 1 ? 2 : 1 ) // two in three
    {
        border->rest[v] = 1.2f;
    }
    border->rest[400] = 1.6f;
    supFats* fats = NULL;
    supError error = { 0 };
    assert_int_equal( supCompileOn( limb, border, &fats, &error ), sup_errorData );
    char words[200];
    supVec3 p = supAdd( border->from[400], border->way[400] );
    snprintf( words, sizeof( words ), "by %.3g m at vertex 400 (%.3g, %.3g, %.3g), of joint \"bone\"",
        0.6 * (double)supLength( border->way[400] ), (double)p.x, (double)p.y, (double)p.z );
    if ( strstr( error.text, words ) == NULL )
    {
        fail_msg( "wanted \"%s\" in \"%s\"", words, error.text );
    }
    supDropTestBorder( border );
    supDestroyCharacter( limb );
}

// ---------------------------------------------------------------------------------------------------------------
// Seams

/// The limb with vertices of their own for every triangle, as files with flat faces have them.
static supCharacter* supSplitLimb( const supCharacter* limb )
{
    supMeshView mesh = supCharacter_Mesh( limb, 0 );
    size_t count = (size_t)mesh.indexCount, k = (size_t)mesh.influenceCount;
    float *positions = malloc( 12 * count ), *normals = malloc( 12 * count ), *weights = malloc( 4 * k * count );
    uint16_t* joints = malloc( 2 * k * count );
    uint32_t* indices = malloc( 4 * count );
    for ( size_t i = 0; i < count; ++i )
    {
        size_t from = mesh.indices[i];
        indices[i] = (uint32_t)i;
        memcpy( positions + 3 * i, mesh.positions + 3 * from, 12 );
        memcpy( normals + 3 * i, mesh.normals + 3 * from, 12 );
        memcpy( weights + k * i, mesh.weights + k * from, 4 * k );
        memcpy( joints + k * i, mesh.jointIndices + k * from, 2 * k );
    }
    supJointDef jointDefs[3] = { { .name = "root", .parent = -1, .rest = supTransform_identity },
        { .name = "bone", .parent = 0, .rest = supTransform_identity },
        { .name = "tip", .parent = 1, .rest = supTransform_identity } };
    jointDefs[2].rest.translation.y = supCharacter_Info( limb )->restJoints[2].t.y;
    const int32_t list[3] = { 0, 1, 2 };
    const supSkinDef skin = { "skin", 3, list, NULL };
    const supMeshDef one = { .name = "split",
        .vertexCount = (int32_t)count,
        .positions = positions,
        .normals = normals,
        .influenceCount = mesh.influenceCount,
        .jointIndices = joints,
        .weights = weights,
        .indexCount = (int32_t)count,
        .indices = indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.jointCount = 3, def.joints = jointDefs;
    def.skinCount = 1, def.skins = &skin;
    def.meshCount = 1, def.meshes = &one;
    supCharacter* split = NULL;
    supError error = { 0 };
    if ( supCreateCharacter( &def, &split, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    free( positions ), free( normals ), free( weights ), free( joints ), free( indices );
    return split;
}

/// Vertices that stand in one place stay in one place. The least radius around was smoothed in place, and all but the
/// first of them got less of it: cracks of 0.2% of the size on models with flat faces.
static void TestSeams( void** state )
{
    (void)state;
    supCharacter *limb = supMakeLimbCharacter( 1.0f, false ), *split = supSplitLimb( limb );
    supFatDef def = supSmallFat();
    def.gravity = sup_gravityPlain;
    supError error = { 0 };
    supModel* model = supCompileFatDef( split, &def, &error );
    supBody* body = NULL;
    if ( model == NULL || supCreateBody( model, &body, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    int32_t count = supCharacter_Info( split )->vertexCount, together = 0;
    supVec3 *living = malloc( sizeof( supVec3 ) * (size_t)count ),
            *smooth = malloc( sizeof( supVec3 ) * (size_t)count );
    supBody_SetExact( body, true );
    assert_int_equal(
        supBody_Step( body, supCharacter_Info( split )->restJoints, supMat34_identity, 0.0f ), sup_success );
    supBody_Skin( body, &living[0].x, NULL );
    supBody_SmoothSkin( body, &smooth[0].x, NULL );
    float largest = 0.0f, crack = 0.0f;
    for ( int32_t v = 0; v < count; ++v )
    {
        int32_t first = supCharacter_Info( split )->welds[v];
        together += first != v;
        largest = supMaxF( largest, supDistance( living[v], smooth[v] ) );
        crack = supMaxF( crack, supDistance( living[v], living[first] ) );
    }
    assert_true( together > count / 2 );
    assert_true( largest > 1e-3f ); // it sags
    assert_true( crack <= 1e-6f );
    free( living ), free( smooth );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyCharacter( split );
    supDestroyCharacter( limb );
}

// ---------------------------------------------------------------------------------------------------------------
// Voxels

/// The limb hangs on its bone all over: a rigid piece. Left out, there is no skin to carry fat, and that is said.
static void TestRigidLeftOut( void** state )
{
    (void)state;
    supCharacter *limb = supMakeLimbCharacter( 1.0f, false ), *blended = supMakeLimbCharacter( 1.0f, true );
    supFatDef def = supSmallFat();
    supError error = { 0 };
    def.skipRigid = true;
    assert_null( supCompileFatDef( limb, &def, &error ) );
    assert_non_null( strstr( error.text, "fat between the borders" ) );
    supModel* model = supCompileFatDef( blended, &def, &error ); // skin passes from joint to joint
    assert_non_null( model );
    supDestroyModel( model );
    supDestroyCharacter( limb );
    supDestroyCharacter( blended );
}

/// The number after some words of an error.
static float supNumberAfter( const supError* error, const char* words )
{
    const char* at = strstr( error->text, words );
    if ( at == NULL )
    {
        fail_msg( "no \"%s\" in \"%s\"", words, error->text );
    }
    return at != NULL ? strtof( at + strlen( words ), NULL ) : 0.0f;
}

/// Too large: the size that is said to fit does.
static void TestTooLarge( void** state )
{
    (void)state;
    supCharacter* limb = supMakeLimbCharacter( 1.0f, false );
    supFatDef def = supSmallFat();
    supError error = { 0 };
    def.voxel = 0.4f;
    assert_null( supCompileFatDef( limb, &def, &error ) );
    def.voxel = supNumberAfter( &error, "m apart; " );
    assert_true( def.voxel > 0.0f && def.voxel < 0.4f );
    supModel* model = supCompileFatDef( limb, &def, &error );
    supFatView view = { 0 };
    if ( model == NULL )
    {
        fail_msg( "the size that was said does not fit: %s", error.text );
    }
    assert_true( supModel_Fat( model, 0, &view ) );
    assert_true( view.nodeCount > view.anchoredCount );
    supDestroyModel( model );
    supDestroyCharacter( limb );
}

/// Too small: as many as are said would be there. A grid has eight times as many nodes in voxels of half the size.
static void TestTooSmall( void** state )
{
    (void)state;
    supCharacter* limb = supMakeLimbCharacter( 1.0f, false );
    supFatDef def = supSmallFat();
    supError error = { 0 };
    def.voxel = 1e-4f;
    assert_null( supCompileFatDef( limb, &def, &error ) );
    float some = supNumberAfter( &error, "the grid would have " );
    assert_true( some > supNumberAfter( &error, "nodes, but at most " ) );
    def.voxel = 5e-5f;
    assert_null( supCompileFatDef( limb, &def, &error ) );
    float ratio = supNumberAfter( &error, "the grid would have " ) / some;
    assert_true( ratio > 7.8f && ratio < 8.2f );
    supDestroyCharacter( limb );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( TestOutsideCounted ), cmocka_unit_test( TestOutsideRefused ),
        cmocka_unit_test( TestSeams ), cmocka_unit_test( TestRigidLeftOut ), cmocka_unit_test( TestTooLarge ),
        cmocka_unit_test( TestTooSmall ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
