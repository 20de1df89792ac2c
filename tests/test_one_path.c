// One path for every layer: jumps, crowds, live fields and edits, where flesh and the layers above it used to differ.
#include "base/math.h"
#include "rig/layer_list.h"
#include "supple/crowd.h"
#include "supple/edit.h"
#include "supple/lab/hashes.h"
#include "supple/lab/items.h"
#include "support/whole_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const float sup_frame = 1.0f / 60.0f;

static supBody* supMakeBody( const supModel* model )
{
    supBody* body = NULL;
    assert_int_equal( supCreateBody( model, &body, NULL ), sup_success );
    return body;
}

/// A walk along z, with a bounce.
static supMat34 supWalk( int frame )
{
    double time = frame * (double)sup_frame;
    supMat34 world = supMat34_identity;
    world.t = supMakeVec3( 0.0f, (float)( 0.06 * sin( 12.0 * time ) ), (float)( 1.2 * time ) );
    return world;
}

/// A body that is put elsewhere, 30 m away and turned by 3 rad, without a word, moves on as one that was not: the
/// layers saw only the shift, and were kicked by the turn.
static void supTestJumpWithTurn( void** state )
{
    (void)state;
    supWholeRig whole = supMakeWholeRig( true );
    const supCharacterInfo* info = supCharacter_Info( whole.character );
    size_t count = (size_t)info->vertexCount;
    supBody *walks = supMakeBody( whole.model ), *jumps = supMakeBody( whole.model );
    supVec3 *a = malloc( count * sizeof( supVec3 ) ), *b = malloc( count * sizeof( supVec3 ) ),
            *smooth = malloc( count * sizeof( supVec3 ) );
    supMat34 there = supMatFromQuat( supQuatFromAxisAngle( supMakeVec3( 0.0f, 1.0f, 0.0f ), 3.0f ) );
    there.t = supMakeVec3( 30.0f, 0.0f, 1.0f );
    float worst = 0.0f, largest = 0.0f;
    for ( int f = 0; f < 100; ++f )
    {
        supMat34 world = supWalk( f );
        assert_int_equal( supBody_Step( walks, info->restJoints, world, sup_frame ), sup_success );
        world = f < 60 ? world : supMulMat( there, world );
        assert_int_equal( supBody_Step( jumps, info->restJoints, world, sup_frame ), sup_success );
        supBody_Skin( walks, &a->x, NULL );
        supBody_Skin( jumps, &b->x, NULL );
        supBody_SmoothSkin( walks, &smooth->x, NULL );
        for ( size_t v = 0; v < count && f >= 60; ++v )
        {
            worst = supMaxF( worst, supDistance( a[v], b[v] ) );
            largest = supMaxF( largest, supDistance( a[v], smooth[v] ) );
        }
    }
    print_message( "a jump with a turn: off by %.2g m, the layers move by %.2g m\n", (double)worst, (double)largest );
    assert_true( largest > 1e-3f && worst < 0.2f * largest );
    free( a );
    free( b );
    free( smooth );
    supDestroyBody( walks );
    supDestroyBody( jumps );
    supDropWholeRig( &whole );
}

/// A jump that is noticed in a step without time is carried too: flesh kept its old direction in the world.
static void supTestJumpWithoutTime( void** state )
{
    (void)state;
    supWholeRig whole = supMakeWholeRig( false );
    const supCharacterInfo* info = supCharacter_Info( whole.character );
    supBody *walks = supMakeBody( whole.model ), *jumps = supMakeBody( whole.model );
    supMat34 there = supMatFromQuat( supQuatFromAxisAngle( supMakeVec3( 0.0f, 1.0f, 0.0f ), 3.0f ) );
    there.t = supMakeVec3( 30.0f, 0.0f, 1.0f );
    for ( int f = 0; f < 60; ++f )
    {
        assert_int_equal( supBody_Step( walks, info->restJoints, supWalk( f ), sup_frame ), sup_success );
        assert_int_equal( supBody_Step( jumps, info->restJoints, supWalk( f ), sup_frame ), sup_success );
    }
    assert_int_equal( supBody_Step( jumps, info->restJoints, supMulMat( there, supWalk( 59 ) ), 0.0f ), sup_success );
    float worst = 0.0f, largest = 0.0f;
    for ( int f = 60; f < 100; ++f )
    {
        supVec3 a = supBody_Element( walks, 0 ).elongation, b = supBody_Element( jumps, 0 ).elongation;
        worst = supMaxF( worst, supDistance( a, supTransposeVector( there, b ) ) );
        largest = supMaxF( largest, supLength( a ) );
        assert_int_equal( supBody_Step( walks, info->restJoints, supWalk( f ), sup_frame ), sup_success );
        assert_int_equal(
            supBody_Step( jumps, info->restJoints, supMulMat( there, supWalk( f ) ), sup_frame ), sup_success );
    }
    print_message( "a jump in no time: off by %.2g m of %.2g m\n", (double)worst, (double)largest );
    assert_true( largest > 1e-3f && worst < 1e-3f * largest );
    supDestroyBody( walks );
    supDestroyBody( jumps );
    supDropWholeRig( &whole );
}

/// What was tuned in the body stays tuned when another layer is edited, also where it is what the model was compiled
/// with: the rig's number came back.
static void supTestTuningStays( void** state )
{
    (void)state;
    supWholeRig whole = supMakeWholeRig( false );
    supEditor* editor = NULL;
    assert_int_equal( supCreateEditor( whole.character, whole.rig, NULL, &editor, NULL ), sup_success );
    float compiled = supBody_Field( supEditor_View( editor ).body, sup_layerModes, 0, "frequency" );
    assert_int_equal(
        supEditor_SetNumber( editor, sup_layerModes, 0, "frequency", 1.5f * compiled, NULL ), sup_success );
    assert_int_equal( supBody_SetField( supEditor_View( editor ).body, sup_layerModes, 0, "frequency", compiled, NULL ),
        sup_success );
    float limit = supEditor_Number( editor, sup_layerModes, 0, "limit" );
    assert_int_equal( supBody_SetField( supEditor_View( editor ).body, sup_layerModes, 0, "limit", 0.5f * limit, NULL ),
        sup_success );
    float other = 1.0f - supEditor_Number( editor, sup_layerFlesh, 0, "skipRigid" );
    assert_int_equal( supEditor_SetNumber( editor, sup_layerFlesh, 0, "skipRigid", other, NULL ), sup_success );
    assert_true( supEditor_View( editor ).compiled != 0 );
    const supBody* body = supEditor_View( editor ).body;
    assert_true( supBody_Field( body, sup_layerModes, 0, "frequency" ) == compiled );
    assert_true( supBody_Field( body, sup_layerModes, 0, "limit" ) == 0.5f * limit );
    supDestroyEditor( editor );
    supDropWholeRig( &whole );
}

/// Curves alone, no elements.
static supModel* supCurvesAlone( const supWholeRig* whole )
{
    supRig* rig = NULL;
    supModel* model = NULL;
    supCurvesDef def = supDefaultCurvesDef();
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supRig_AddItem( rig, sup_layerCurves, &def, NULL ), sup_success );
    assert_int_equal( supCompileModel( whole->character, rig, &model, NULL ), sup_success );
    supDestroyRig( rig );
    return model;
}

/// A crowd's rate holds without elements too: it asked the flesh whether a body had been stepped yet.
static void supTestRateWithoutElements( void** state )
{
    (void)state;
    supWholeRig whole = supMakeWholeRig( true );
    supModel* model = supCurvesAlone( &whole );
    const supModel* models[1] = { model };
    supCrowdDef def = supDefaultCrowdDef();
    def.models = models;
    def.modelCount = 1;
    def.capacity = 1;
    supCrowd* crowd = NULL;
    assert_int_equal( supCreateCrowd( &def, &crowd, NULL ), sup_success );
    int32_t who = supCrowd_Add( crowd, 0 );
    supCrowdLevel level = supDefaultCrowdLevel();
    level.rate = 8;
    supCrowd_SetLevel( crowd, who, level );
    int32_t stepped = 0;
    for ( int f = 0; f < 80; ++f )
    {
        supCrowdFrame frame = { .joints = supCharacter_Info( whole.character )->restJoints, .world = supWalk( f ) };
        supCrowd_SetFrame( crowd, who, &frame );
        supCrowd_Run( crowd, sup_frame );
        stepped += supCrowd_Report( crowd ).stepped;
    }
    assert_in_range( stepped, 10, 11 );
    supDestroyCrowd( crowd );
    supDestroyModel( model );
    supDropWholeRig( &whole );
}

/// Damping says nothing about sag: to set it to what it is changed sag from 0.033 to 0.257 on a cat.
static void supTestDampingLeavesSag( void** state )
{
    (void)state;
    supWholeRig whole = supMakeWholeRig( false );
    supBody* body = supMakeBody( whole.model );
    int32_t layer = supFindLayer( "elements" );
    float sag = supBody_Field( body, layer, 0, "sag" ), damping = supBody_Field( body, layer, 0, "damping" );
    uint64_t hash = supBody_Hash( body );
    assert_int_equal( supBody_SetField( body, layer, 0, "damping", damping, NULL ), sup_success );
    assert_true( supBody_Field( body, layer, 0, "sag" ) == sag && supBody_Hash( body ) == hash );
    float ratio = supBody_Field( body, layer, 0, "dampingRatio" );
    assert_int_equal( supBody_SetField( body, layer, 0, "damping", 2.0f * damping, NULL ), sup_success );
    assert_true( supBody_Field( body, layer, 0, "sag" ) == sag );
    assert_float_equal( supBody_Field( body, layer, 0, "dampingRatio" ), 2.0f * ratio, 1e-5 * ratio );
    supDestroyBody( body );
    supDropWholeRig( &whole );
}

/// A teleport to or from a flat matrix is none.
static void supTestFlatTeleport( void** state )
{
    (void)state;
    supWholeRig whole = supMakeWholeRig( true );
    supBody* body = supMakeBody( whole.model );
    for ( int f = 0; f < 20; ++f )
    {
        supBody_Step( body, supCharacter_Info( whole.character )->restJoints, supWalk( f ), sup_frame );
    }
    uint64_t hash = supBody_Hash( body );
    supMat34 flat = supMat34_identity;
    flat.y = supVec3_zero;
    supBody_Teleport( body, supMat34_identity, flat );
    supBody_Teleport( body, flat, supMat34_identity );
    assert_true( supBody_Hash( body ) == hash );
    supDestroyBody( body );
    supDropWholeRig( &whole );
}

/// Curves go on swinging when a field that is compiled is edited: 0.047 fell to 0.0024 in one frame.
static void supTestCurvesGoOn( void** state )
{
    (void)state;
    supWholeRig whole = supMakeWholeRig( true );
    const supCharacterInfo* info = supCharacter_Info( whole.character );
    supRig* rig = NULL;
    supEditor* editor = NULL;
    supCurvesDef def = supDefaultCurvesDef();
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supRig_AddItem( rig, sup_layerCurves, &def, NULL ), sup_success );
    assert_int_equal( supCreateEditor( whole.character, rig, NULL, &editor, NULL ), sup_success );
    size_t bytes = (size_t)info->vertexCount * sizeof( supVec3 );
    supVec3 *before = malloc( bytes ), *after = malloc( bytes ), *smooth = malloc( bytes );
    for ( int f = 0; f < 37; ++f )
    {
        supBody_Step( supEditor_View( editor ).body, info->restJoints, supWalk( f ), sup_frame );
    }
    supBody_Skin( supEditor_View( editor ).body, &before->x, NULL );
    supBody_SmoothSkin( supEditor_View( editor ).body, &smooth->x, NULL );
    float tolerance = 1.5f * supEditor_Number( editor, sup_layerCurves, 0, "tolerance" );
    assert_int_equal( supEditor_SetNumber( editor, sup_layerCurves, 0, "tolerance", tolerance, NULL ), sup_success );
    float shift[2] = { 0.0f, 0.0f };
    supBody_Skin( supEditor_View( editor ).body, &after->x, NULL );
    for ( int32_t v = 0; v < info->vertexCount; ++v )
    {
        shift[0] = supMaxF( shift[0], supDistance( before[v], smooth[v] ) );
        shift[1] = supMaxF( shift[1], supDistance( after[v], smooth[v] ) );
    }
    print_message( "curves shift by %.3g m before an edit, %.3g after it\n", (double)shift[0], (double)shift[1] );
    assert_true( shift[0] > 1e-4f );
    assert_float_equal( shift[1], shift[0], 0.1 * shift[0] );
    free( before );
    free( after );
    free( smooth );
    supDestroyEditor( editor );
    supDestroyRig( rig );
    supDropWholeRig( &whole );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestJumpWithTurn ),
        cmocka_unit_test( supTestJumpWithoutTime ),
        cmocka_unit_test( supTestTuningStays ),
        cmocka_unit_test( supTestRateWithoutElements ),
        cmocka_unit_test( supTestDampingLeavesSag ),
        cmocka_unit_test( supTestFlatTeleport ),
        cmocka_unit_test( supTestCurvesGoOn ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
