// Each allocation fails in turn, through all that a program does with a character: made, a rig read and proposed,
// compiled, stepped, taken, baked, edited, in a crowd; five rigs have all layers between them. Each call fails with
// words, nothing is left behind, and where a failure is made up for, what comes out is the same. SUPPLE_ALL=1: every
// allocation; else some of each rig. SUPPLE_RIG=4 SUPPLE_FROM=1900: that rig alone, from that allocation on, so that a
// run of hours can go on where it was ended.
#include "rig/layer_list.h"
#include "support/small_tube.h"
#include "support/test_allocator.h"

#include "supple/auto.h"
#include "supple/bake.h"
#include "supple/crowd.h"
#include "supple/edit.h"
#include "supple/lab/hashes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SUP_FIRST 60 // allocations that all fail in turn: they end a run early
#define SUP_SOME 8   // of the rest, spread over it, in the quick test

static supResult supAddFlesh( supRig* rig, supError* error )
{
    supElementDef element = supDefaultElementDef();
    element.driver = "j0";
    element.name = "flesh";
    return supRig_AddItem( rig, sup_layerFlesh, &element, error );
}

static supResult supAddSwinging( supRig* rig, supError* error )
{
    supModeDef mode = supDefaultModeDef();
    mode.element = "flesh";
    mode.motion = sup_modeTurn;
    supVolumeDef volume = supDefaultVolumeDef();
    volume.element = "flesh";
    supResult result = supAddFlesh( rig, error );
    result = result == sup_success ? supRig_AddItem( rig, sup_layerModes, &mode, error ) : result;
    return result == sup_success ? supRig_AddItem( rig, sup_layerVolume, &volume, error ) : result;
}

static supResult supAddMuscle( supRig* rig, supError* error )
{
    supMusclePoint ends[2] = { supDefaultMusclePoint(), supDefaultMusclePoint() };
    ends[0].joint = "j0";
    ends[0].at = ( supVec3 ){ 0.05f, 0.1f, 0.0f };
    ends[1].joint = "j1";
    ends[1].at = ( supVec3 ){ 0.05f, 0.2f, 0.0f };
    supMuscleDef muscle = supDefaultMuscleDef();
    muscle.name = "muscle";
    muscle.points = ( supItemList ){ 2, ends };
    muscle.radius = 0.025f;
    muscle.tendonRadius = 0.01f;
    supEcorcheDef ecorche = supDefaultEcorcheDef();
    ecorche.rays = 40.0f;
    supResult result = supRig_AddItem( rig, sup_layerMuscles, &muscle, error );
    return result == sup_success ? supRig_AddItem( rig, sup_layerEcorche, &ecorche, error ) : result;
}

static supResult supAddFat( supRig* rig, supError* error )
{
    supFatDef fat = supDefaultFatDef();
    fat.joint = "j0";
    fat.nodes = 60.0f;
    fat.modes = 4.0f;
    return supRig_AddItem( rig, sup_layerFat, &fat, error );
}

static supResult supAddClothes( supRig* rig, supError* error )
{
    supContactDef contact = supDefaultContactDef();
    contact.element = "flesh";
    supClothDef cloth = supDefaultClothDef();
    cloth.mesh = "coat";
    supWrinkleDef wrinkle = supDefaultWrinkleDef();
    const supVec3 line[3] = { { 0.1f, 0.1f, 0.0f }, { 0.1f, 0.4f, 0.0f }, { 0.1f, 0.8f, 0.0f } };
    wrinkle.points = ( supPointList ){ 3, line };
    supResult result = supAddFlesh( rig, error );
    result = result == sup_success ? supRig_AddItem( rig, sup_layerContact, &contact, error ) : result;
    result = result == sup_success ? supRig_AddItem( rig, sup_layerClothes, &cloth, error ) : result;
    return result == sup_success ? supRig_AddItem( rig, sup_layerWrinkles, &wrinkle, error ) : result;
}

static supResult supAddCurves( supRig* rig, supError* error )
{
    static const char* const joint[1] = { "j1" };
    supCurvesDef curves = supDefaultCurvesDef();
    supExampleDef example = supDefaultExampleDef();
    example.joints = ( supNameList ){ 1, joint };
    example.clip = "swing";
    example.time = 0.1f;
    example.morph = "bulge";
    supBeamPose pose = supDefaultBeamPose();
    pose.clip = "swing";
    pose.time = 0.1f;
    supBeamsDef beams = supDefaultBeamsDef();
    beams.joints = example.joints;
    beams.poses = ( supItemList ){ 1, &pose };
    beams.use = sup_beamsCarry;
    supResult result = supRig_AddItem( rig, sup_layerCurves, &curves, error );
    result = result == sup_success ? supRig_AddItem( rig, sup_layerBeams, &beams, error ) : result;
    return result == sup_success ? supRig_AddItem( rig, sup_layerCorrectives, &example, error ) : result;
}

typedef supResult supAddLayers( supRig* rig, supError* error );
static supAddLayers* const sup_rigs[] = { supAddSwinging, supAddMuscle, supAddFat, supAddClothes, supAddCurves };
enum
{
    sup_rigCount = sizeof( sup_rigs ) / sizeof( sup_rigs[0] )
};

/// What a run has made.
typedef struct supWhole
{
    supCharacter* character;
    supRig *rig, *proposed;
    supModel* model;
    supBody* body;
    supPose* pose;
    supTake* take;
    supJointBake* joints;
    supMorphBake* morphs;
    supEditor* editor;
    supCrowd* crowd;
    uint64_t hash;
} supWhole;

static void supDropWhole( supWhole* whole )
{
    supDestroyCrowd( whole->crowd );
    supDestroyEditor( whole->editor );
    supDestroyMorphBake( whole->morphs );
    supDestroyJointBake( whole->joints );
    supDestroyTake( whole->take );
    supDestroyPose( whole->pose );
    supDestroyBody( whole->body );
    supDestroyModel( whole->model );
    supDestroyRig( whole->proposed );
    supDestroyRig( whole->rig );
    supDestroyCharacter( whole->character );
}

static void supRemember( supWhole* whole, uint64_t hash )
{
    whole->hash = whole->hash * 0x9e3779b97f4a7c15u + hash;
}

static void supStepSome( supWhole* whole, supBody* body )
{
    for ( int i = 0; i < 4; ++i )
    {
        supPose_Sample( whole->pose, 0, 0.05 * i );
        supBody_Step( body, supPose_Joints( whole->pose ), supMat34_identity, i == 0 ? 0.0f : 0.05f );
    }
    supRemember( whole, supBody_Hash( body ) );
}

static supResult supBakeBoth( supWhole* whole, const supAllocator* allocator, supError* error )
{
    supTakeDef takeDef = supDefaultTakeDef();
    takeDef.model = whole->model;
    takeDef.allocator = allocator;
    supResult result = supCreateTake( &takeDef, &whole->take, error );
    const supTake* takes[1] = { whole->take };
    supJointBakeDef jointDef = supDefaultJointBakeDef();
    jointDef.model = whole->model;
    jointDef.takes = takes;
    jointDef.takeCount = 1;
    jointDef.allocator = allocator;
    bool carries =
        result == sup_success && supRig_ItemCount( whole->rig, sup_layerModes ) > 0; // joints can carry these
    result = carries ? supBakeJoints( &jointDef, &whole->joints, error ) : result;
    supMorphBakeDef morphDef = supDefaultMorphBakeDef();
    morphDef.model = whole->model;
    morphDef.takes = takes;
    morphDef.takeCount = 1;
    morphDef.allocator = allocator;
    result = result == sup_success ? supBakeMorphs( &morphDef, &whole->morphs, error ) : result;
    if ( result == sup_success )
    {
        supRemember( whole, supMorphBake_ClipHash( whole->morphs, 0 ) );
    }
    return result;
}

static supResult supEditAndCrowd( supWhole* whole, const supAllocator* allocator, supError* error )
{
    supMakeDef make = supDefaultMakeDef();
    make.allocator = allocator;
    supResult result = supCreateEditor( whole->character, whole->rig, &make, &whole->editor, error );
    if ( result == sup_success )
    {
        supElementDef element = supDefaultElementDef();
        element.driver = "j1";
        element.end = ( supVec3 ){ 0.0f, 0.3f, 0.0f };
        element.name = "more";
        supStepSome( whole, supEditor_View( whole->editor ).body );
        result = supEditor_AddItem( whole->editor, sup_layerFlesh, &element, error );
        supStepSome( whole, supEditor_View( whole->editor ).body );
    }
    const supModel* models[1] = { whole->model };
    supCrowdDef crowd = supDefaultCrowdDef();
    crowd.models = models;
    crowd.modelCount = 1;
    crowd.capacity = 2;
    crowd.allocator = allocator;
    return result == sup_success ? supCreateCrowd( &crowd, &whole->crowd, error ) : result;
}

/// All of it, as far as it goes.
static supResult supDoAll( int32_t rig, supWhole* whole, const supAllocator* allocator, supError* error )
{
    supTubeDef tube = supDefaultTubeDef();
    bool fine = sup_rigs[rig] == supAddClothes; // wrinkles want edges shorter than folds
    tube.rings = fine ? 12 : 5;
    tube.around = fine ? 12 : 5;
    tube.keys = 4;
    tube.isClothed = sup_rigs[rig] == supAddClothes;
    tube.hasMorph = sup_rigs[rig] == supAddCurves;
    supResult result = supMakeSmallTube( &tube, allocator, &whole->character, error );
    supMakeDef make = supDefaultMakeDef();
    make.allocator = allocator;
    supProposeDef propose = supDefaultProposeDef();
    propose.allocator = allocator;
    result = result == sup_success ? supCreateRig( &make, &whole->rig, error ) : result;
    result = result == sup_success ? sup_rigs[rig]( whole->rig, error ) : result;
    result =
        result == sup_success ? supProposeRigWith( whole->character, &propose, &whole->proposed, NULL, error ) : result;
    result = result == sup_success ? supCompileModelWith( whole->character, whole->rig, &make, &whole->model, error )
                                   : result;
    result = result == sup_success ? supCreatePose( whole->character, &make, &whole->pose, error ) : result;
    result = result == sup_success ? supCreateBody( whole->model, &whole->body, error ) : result;
    if ( result == sup_success )
    {
        supStepSome( whole, whole->body );
    }
    result = result == sup_success ? supBakeBoth( whole, allocator, error ) : result;
    return result == sup_success ? supEditAndCrowd( whole, allocator, error ) : result;
}

static void supTryAt( int32_t rig, int32_t at, bool once, uint64_t good )
{
    supTestAllocator test = { .failAt = at, .once = once };
    supAllocator allocator = supMakeTestAllocator( &test );
    supWhole whole = { 0 };
    supError error = { 0 };
    supResult result = supDoAll( rig, &whole, &allocator, &error );
    bool right = result == sup_success ? whole.hash == good : result == sup_errorMemory && error.text[0] != '\0';
    supDropWhole( &whole );
    if ( !right || test.live != 0 )
    {
        fail_msg( "rig %d, allocation %d%s: result %d '%s', %lld bytes left", rig, at, once ? "" : " and on", result,
            error.text, (long long)test.live );
    }
}

static void supTryRig( int32_t rig )
{
    supTestAllocator test = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &test );
    supWhole whole = { 0 };
    supError error = { 0 };
    if ( supDoAll( rig, &whole, &allocator, &error ) != sup_success )
    {
        fail_msg( "rig %d: %s", rig, error.text );
    }
    uint64_t good = whole.hash;
    supDropWhole( &whole );
    assert_int_equal( test.live, 0 );
    int32_t count = test.calls, tried = 0;
    int32_t step = getenv( "SUPPLE_ALL" ) != NULL || count < SUP_SOME ? 1 : count / SUP_SOME;
    const char* from = getenv( "SUPPLE_FROM" );
    for ( int32_t at = from != NULL ? atoi( from ) : 0; at < count; at += at < SUP_FIRST ? 1 : step )
    {
        supTryAt( rig, at, true, good );
        tried += 1;
        if ( at >= SUP_FIRST || step == 1 )
        {
            supTryAt( rig, at, false, good );
            tried += 1;
        }
    }
    print_message( "rig %d: %d allocations, %d runs\n", rig, count, tried );
}

static void supTestEach( void** state )
{
    (void)state;
    const char* only = getenv( "SUPPLE_RIG" );
    for ( int32_t rig = 0; rig < sup_rigCount; ++rig )
    {
        if ( only != NULL && atoi( only ) != rig )
        {
            continue;
        }
        supTryRig( rig );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestEach ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
