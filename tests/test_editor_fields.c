// Every field of muscles, écorché and fat changed on a body that runs, by one call.
#include "base/math.h"
#include "rig/layer_list.h"
#include "supple/lab/compiled.h"
#include "support/edited_limb.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static supEditor* supOpenEditor( const supCharacter* limb, const supRig* rig )
{
    supError error = { 0 };
    supEditor* editor;
    if ( supCreateEditor( limb, rig, NULL, &editor, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return editor;
}

// ---------------------------------------------------------------------------------------------------------------
// Every field

typedef enum supEffect
{
    sup_onSkin,    ///< the skin moves otherwise
    sup_onForm,    ///< what was compiled is other: nodes, voxels, bytes
    sup_onNothing, ///< in this rig, for the reason that is given
    sup_refused    ///< in this rig, with the reason among the words
} supEffect;

/// A field, and another legal value for it.
typedef struct supFieldEdit
{
    int32_t layer, item;
    const char* field;
    const void* value;
    supEffect effect;
    float off; ///< what it may be off by at once, of the swing; 0: a quarter
    const char* reason;
} supFieldEdit;

/// Says how much of the motion is shown: no time leads there.
#define supShownLess 2.0f
/// There is no fat any more where there was, and some where there was none.
#define supElsewhere 2.0f
/// The solid is cut anew, in voxels of another size or place: its vibrations can show no more of the old ones.
#define supCutAnew 0.6f

/// Lists that edits put in whole.
typedef struct supEditLists
{
    supItemList points, fields;
    supMusclePoint pointArray[4];
    supMuscleField fieldArray[2];
    supSphereList spheres;
    supSphere sphere;
    supPointList lines;
    supVec3 linePoints[2];
    supSculpt mesh;
} supEditLists;

/// Gives the size of the limb.
static float supFillLists( supEditLists* lists )
{
    supCharacter* limb = supMakeLimbCharacter( 1.0f, true );
    float size = supCharacter_Info( limb )->size;
    supDestroyCharacter( limb );
    *lists = ( supEditLists ){
        .pointArray = { supPointAt( "bone", 0.05f, 0.2f, 0.0f, size ), supPointAt( "bone", 0.055f, 0.4f, 0.02f, size ),
            supPointAt( "bone", 0.05f, 0.6f, 0.02f, size ), supPointAt( "tip", 0.05f, -0.15f, 0.0f, size ) }
    };
    lists->pointArray[1].free = true;
    lists->points = ( supItemList ){ 4, lists->pointArray };
    lists->fieldArray[0] = supFieldAt( supMakeVec3( 0.03f, 0.6f, 0.03f ), 0.012f, size );
    lists->fieldArray[1] = supFieldAt( supMakeVec3( 0.02f, 0.4f, 0.02f ), 0.02f, size );
    lists->fieldArray[1].pull = 1.0f;
    lists->fields = ( supItemList ){ 2, lists->fieldArray };
    lists->sphere = ( supSphere ){ { 0.0f, 0.3f / size, 0.0f }, 0.4f / size };
    lists->spheres = ( supSphereList ){ 1, &lists->sphere };
    lists->linePoints[0] = supMakeVec3( 0.1f / size, 0.4f / size, -0.1f / size );
    lists->linePoints[1] = supMakeVec3( 0.1f / size, 0.4f / size, 0.1f / size );
    lists->lines = ( supPointList ){ 2, lists->linePoints };
    lists->mesh = ( supSculpt ){ .file = "other.obj" };
    return size;
}

typedef struct supEditRun
{
    const supCharacter* limb;
    const supRig* rig;
    const supModel* model; ///< of the rig, for the body that is not edited
} supEditRun;

/// Whether two models' fat was compiled into the same nodes, voxels and bytes.
static bool supSameForm( const supModel* model, const supModel* other )
{
    supFatView a = { 0 }, b = { 0 };
    assert_true( supModel_Fat( model, 0, &a ) && supModel_Fat( other, 0, &b ) );
    return a.nodeCount == b.nodeCount && a.anchoredCount == b.anchoredCount && a.voxelCount == b.voxelCount &&
           a.modeCount == b.modeCount && a.jointCount == b.jointCount && a.volume == b.volume &&
           a.factorBytes == b.factorBytes && a.bytes == b.bytes;
}

/// One edit in full swing, beside a body that goes on as before.
static void supTryEdit( const supEditRun* run, const supFieldEdit* edit )
{
    supError error = { 0 };
    supBody *twin, *fresh;
    supEditor* editor = supOpenEditor( run->limb, run->rig );
    assert_int_equal( supCreateBody( run->model, &twin, NULL ), sup_success );
    assert_int_equal( supCreateBody( run->model, &fresh, NULL ), sup_success );
    supRun( run->limb, supEditor_View( editor ).body, 0, supBefore );
    supRun( run->limb, twin, 0, supBefore );
    supStepAt( run->limb, fresh, ( supBefore - 1 ) / 60.0, 0.0f );
    assert_true( supSkinsApart( supEditor_View( editor ).body, twin ) == 0.0f );
    float swing = supSkinsApart( fresh, twin ); // what a body that lost its state would miss
    const char* key = supGetLayerInfo( edit->layer )->key;
    supResult result = supEditor_Set( editor, edit->layer, edit->item, edit->field, edit->value, &error );
    if ( edit->effect == sup_refused ? strstr( error.text, edit->reason ) == NULL : result != sup_success )
    {
        fail_msg( "%s[%d].%s: %s", key, edit->item, edit->field, error.text );
    }
    float kept = supSkinsApart( supEditor_View( editor ).body, twin );
    supStepAt( run->limb, supEditor_View( editor ).body, ( supBefore - 1 ) / 60.0 + 1.0 / 240.0, 1.0f / 240.0f );
    supStepAt( run->limb, twin, ( supBefore - 1 ) / 60.0 + 1.0 / 240.0, 1.0f / 240.0f );
    float stepped = supSkinsApart( supEditor_View( editor ).body, twin ), most = stepped;
    for ( int frame = supBefore; frame < supBefore + supAfter; ++frame )
    {
        supRun( run->limb, supEditor_View( editor ).body, frame, frame + 1 );
        supRun( run->limb, twin, frame, frame + 1 );
        most = supMaxF( most, supSkinsApart( supEditor_View( editor ).body, twin ) );
    }
    bool otherForm = !supSameForm( run->model, supEditor_View( editor ).model );
    print_message( "%s[%d].%s: kept to %.0f%%, %.0f%% in a step, %.2f mm later (compiled %x)%s%s\n", key, edit->item,
        edit->field, 100.0 * kept / swing, 100.0 * stepped / swing, 1e3 * most, supEditor_View( editor ).compiled,
        edit->reason != NULL ? "; " : "", edit->reason != NULL ? edit->reason : "" );
    assert_true( swing > 0.002f );
    float off = edit->off > 0.0f ? edit->off : 0.25f;
    assert_true( kept < off * swing && stepped < off * swing );
    assert_true( edit->effect != sup_onSkin || most > 1e-5f );
    assert_true( edit->effect != sup_onForm || otherForm );
    assert_true( edit->effect != sup_refused || ( most == 0.0f && result != sup_success ) );
    assert_true( edit->effect != sup_onNothing || ( most < 2e-5f && edit->reason != NULL ) );
    supDestroyBody( twin );
    supDestroyBody( fresh );
    supDestroyEditor( editor );
}

/// Fields of a table that no edit is for fail the test.
static void supCheckCovered( int32_t layer, const supField* fields, int32_t count, const char* list,
    const supFieldEdit* edits, int32_t editCount )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        bool found = false;
        for ( int32_t e = 0; e < editCount && !found; ++e )
        {
            const char *dot = strrchr( edits[e].field, '.' ), *name = dot != NULL ? dot + 1 : edits[e].field;
            bool inList = list[0] == '\0' ? dot == NULL : strncmp( edits[e].field, list, strlen( list ) ) == 0;
            found = edits[e].layer == layer && inList && ( dot != NULL ) == ( list[0] != '\0' ) &&
                    strcmp( name, fields[i].name ) == 0;
        }
        if ( !found )
        {
            fail_msg( "%s %s.%s: no edit for it", supGetLayerInfo( layer )->key, list, fields[i].name );
        }
        if ( fields[i].type == sup_fieldItems )
        {
            supCheckCovered( layer, fields[i].items->fields, fields[i].items->count, fields[i].name, edits, editCount );
        }
    }
}

static void supTryAll( int32_t layer, const supFieldEdit* edits, int32_t count )
{
    supError error = { 0 };
    supCharacter* limb = supMakeLimbCharacter( 1.0f, true );
    supRig* rig = supMakeEditedRig( limb );
    supModel* model;
    if ( supCompileModel( limb, rig, &model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supEditRun run = { limb, rig, model };
    const supLayerInfo* info = supGetLayerInfo( layer );
    supCheckCovered( layer, info->fields, info->fieldCount, "", edits, count );
    for ( int32_t i = 0; i < count; i += SUP_SLOW_BUILD ? 5 : 1 )
    {
        supTryEdit( &run, edits + i );
    }
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCharacter( limb );
}

#define SUP_COUNT( array ) ( int32_t )( sizeof( array ) / sizeof( ( array )[0] ) )

static void supTestMuscleFields( void** state )
{
    (void)state;
    supEditLists lists;
    float size = supFillLists( &lists );
    enum
    {
        M = sup_layerMuscles
    };
    const supFieldEdit edits[] = {
        { M, supBiceps, "name", SUP_NAME( "triceps" ), sup_onNothing, 0.0f, "a name" },
        { M, supFan, "shape", SUP_CHOICE( sup_muscleFlat ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "points", &lists.points, sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "segments", SUP_NUMBER( 13.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "fields", &lists.fields, sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "around", &( const supNameList ){ 0, NULL }, sup_onNothing, 0.0f,
            "the line runs clear of the bone" },
        { M, supBiceps, "radius", SUP_NUMBER( 0.03f / size ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "width", SUP_NUMBER( 0.03f / size ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "tendonRadius", SUP_NUMBER( 0.012f / size ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "tendonFrom", SUP_NUMBER( 0.3f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "tendonTo", SUP_NUMBER( 0.3f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "belly", SUP_NUMBER( 0.3f ), sup_onSkin, 0.0f, NULL },
        { M, supFan, "bellies", SUP_NUMBER( 2.0f ), sup_onSkin, 0.0f, NULL },
        { M, supFan, "spreadFrom", SUP_NUMBER( 0.02f / size ), sup_onSkin, 0.0f, NULL },
        { M, supFan, "spreadTo", SUP_NUMBER( 0.025f / size ), sup_onSkin, 0.0f, NULL },
        { M, supSheet, "wide", SUP_VECTOR( 1.0f, 0.0f, 0.6f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "mesh", &lists.mesh, sup_onNothing, 0.0f, "read for the shape of that name alone" },
        { M, supBiceps, "sharpness", SUP_NUMBER( 4.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "tendonSharpness", SUP_NUMBER( 0.5f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "motion", SUP_CHOICE( sup_lineSwing ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "free", SUP_NUMBER( 0.3f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "freeFrom", SUP_NUMBER( 0.6f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "freeTo", SUP_NUMBER( 0.4f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "frequency", SUP_NUMBER( 1.0f ), sup_onNothing, 0.0f,
            "all that acts on the line is in proportion to its stiffness" },
        { M, supBiceps, "stiffness", SUP_NUMBER( 20.0f ), sup_onNothing, 0.0f, "the same" },
        { M, supBiceps, "tendonStiffness", SUP_NUMBER( 2.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "slack", SUP_NUMBER( 0.9f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "hold", SUP_NUMBER( 10.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "dampingRatio", SUP_NUMBER( 0.1f ), sup_onNothing, 0.0f, "of lines that swing" },
        { M, supBiceps, "density", SUP_NUMBER( 3000.0f ), sup_onNothing, 0.0f,
            "the stiffness follows from it and the frequency: the balance is the same" },
        { M, supBiceps, "gravity", SUP_CHOICE( sup_gravityPlain ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "gravityScale", SUP_NUMBER( 0.0f ), sup_onNothing, 0.0f,
            "relative, and the limb does not turn against gravity" },
        { M, supBiceps, "tension", SUP_NUMBER( 0.0f ), sup_onNothing, 0.0f, "the same" },
        { M, supBiceps, "fieldScale", SUP_NUMBER( 4.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "contraction", SUP_NUMBER( 0.6f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "activation", SUP_NUMBER( 2.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "holding", SUP_NUMBER( 2.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "activationTime", SUP_NUMBER( 1.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "widening", SUP_NUMBER( 0.0f ), sup_onSkin, 0.0f, NULL },
        { M, supSheet, "twist", SUP_NUMBER( 0.0f ), sup_onNothing, 0.0f, "the bones do not turn" },
        { M, supBiceps, "swell", SUP_NUMBER( 1.2f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "points[1].joint", SUP_NAME( "root" ), sup_onNothing, 0.0f, "root and bone move as one here" },
        { M, supBiceps, "points[1].other", SUP_NAME( NULL ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "points[1].share", SUP_NUMBER( 0.8f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "points[1].at", SUP_VECTOR( 0.05f / size, 0.45f / size, 0.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "points[1].free", SUP_SWITCH( false ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "points[1].stiffness", SUP_NUMBER( 10.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "points[1].sharpness", SUP_NUMBER( 5.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "fields[0].joint", SUP_NAME( "root" ), sup_onNothing, 0.0f, "root and bone move as one here" },
        { M, supBiceps, "fields[0].center", SUP_VECTOR( 0.04f / size, 0.4f / size, 0.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "fields[0].radii", SUP_VECTOR( 0.02f / size, 0.03f / size, 0.02f / size ), sup_onSkin, 0.0f,
            NULL },
        { M, supBiceps, "fields[0].turn", SUP_VECTOR( 40.0f, 0.0f, 60.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "fields[0].kind", SUP_CHOICE( sup_forceMetaball ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "fields[0].pull", SUP_NUMBER( -1.0f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "fields[0].reach", SUP_NUMBER( 1.5f ), sup_onSkin, 0.0f, NULL },
        { M, supBiceps, "fields[0].solid", SUP_SWITCH( true ), sup_onNothing, 0.0f, "the line runs clear of it" },
    };
    supTryAll( M, edits, SUP_COUNT( edits ) );
}

static void supTestEcorcheFields( void** state )
{
    (void)state;
    enum
    {
        E = sup_layerEcorche
    };
    const supFieldEdit edits[] = {
        { E, 0, "name", SUP_NAME( "flayed" ), sup_onNothing, 0.0f, "a name" },
        { E, 0, "meshes", SUP_NAMES( "limb" ), sup_onNothing, 0.0f, "there is no other mesh" },
        { E, 0, "rays", SUP_NUMBER( 400.0f ), sup_onSkin, supCutAnew, NULL },
        { E, 0, "filling", SUP_NUMBER( 0.4f ), sup_onSkin, supCutAnew, NULL },
        { E, 0, "falloff", SUP_NUMBER( 3.0f ), sup_onSkin, 0.0f, NULL },
        { E, 0, "amount", SUP_NUMBER( 0.2f ), sup_onSkin, supShownLess, NULL },
        { E, 0, "inward", SUP_NUMBER( 1.0f ), sup_onSkin, supShownLess, NULL },
        { E, 0, "limit", SUP_NUMBER( 0.01f ), sup_onSkin, supShownLess, NULL },
    };
    supTryAll( E, edits, SUP_COUNT( edits ) );
}

static void supTestFatFields( void** state )
{
    (void)state;
    supEditLists lists;
    supFillLists( &lists );
    enum
    {
        F = sup_layerFat
    };
    const supFieldEdit edits[] = {
        { F, 0, "name", SUP_NAME( "suet" ), sup_onNothing, 0.0f, "a name" },
        { F, 0, "joints", SUP_NAMES( "bone" ), sup_onSkin, supElsewhere, NULL },
        { F, 0, "meshes", SUP_NAMES( "limb" ), sup_onNothing, 0.0f, "there is no other mesh" },
        { F, 0, "inner", SUP_NAMES( "limb" ), sup_refused, 0.0f, "fat[0].inner[0]: mesh \"limb\" is open" },
        { F, 0, "joint", SUP_NAME( "tip" ), sup_onSkin, supElsewhere, NULL },
        { F, 0, "spheres", &lists.spheres, sup_onSkin, supElsewhere, NULL },
        { F, 0, "skipRigid", SUP_SWITCH( true ), sup_onNothing, 0.0f, "nothing of the limb is rigid" },
        { F, 0, "depth", SUP_NUMBER( 0.6f ), sup_onNothing, 0.0f, "it stands on the écorché" },
        { F, 0, "voxel", SUP_NUMBER( 0.03f ), sup_onSkin, supCutAnew, NULL },
        { F, 0, "nodes", SUP_NUMBER( 500.0f ), sup_onSkin, supCutAnew, NULL },
        { F, 0, "mixed", SUP_SWITCH( true ), sup_onNothing, 0.0f, "none are far enough from what holds them" },
        { F, 0, "solver", SUP_CHOICE( sup_fatReference ), sup_onSkin, supElsewhere, "the reference starts at rest" },
        { F, 0, "modes", SUP_NUMBER( 30.0f ), sup_onSkin, 0.0f, NULL },
        { F, 0, "memory", SUP_NUMBER( 0.0f ), sup_onForm, 0.0f, NULL },
        { F, 0, "touch", SUP_SWITCH( true ), sup_onForm, 0.0f, NULL },
        { F, 0, "frequency", SUP_NUMBER( 8.0f ), sup_onNothing, 0.0f, "mu is given" },
        { F, 0, "mu", SUP_NUMBER( NAN ), sup_onSkin, 0.0f, NULL },
        { F, 0, "lambda", SUP_NUMBER( 3000.0f ), sup_onSkin, 0.0f, NULL },
        { F, 0, "incompressibility", SUP_NUMBER( 3.0f ), sup_onSkin, 0.0f, NULL },
        { F, 0, "density", SUP_NUMBER( 2000.0f ), sup_onSkin, 0.0f, NULL },
        { F, 0, "lines", &lists.lines, sup_onSkin, 0.0f, NULL },
        { F, 0, "lineStiffness", SUP_NUMBER( 20.0f ), sup_onSkin, 0.35f, NULL }, // ten times as stiff along them
        { F, 0, "dampingRatio", SUP_NUMBER( 0.8f ), sup_onSkin, 0.0f, NULL },
        { F, 0, "viscosity", SUP_NUMBER( 1.0f ), sup_onSkin, 0.0f, NULL },
        { F, 0, "amount", SUP_NUMBER( 0.3f ), sup_onSkin, 0.0f, NULL },
        { F, 0, "gravity", SUP_CHOICE( sup_gravityPlain ), sup_onSkin, 0.0f, NULL },
        { F, 0, "restShape", SUP_SWITCH( true ), sup_onForm, 0.0f, NULL },
        { F, 0, "sag", SUP_NUMBER( 0.3f ), sup_onSkin, 0.0f, NULL },
        { F, 0, "limit", SUP_NUMBER( 0.05f ), sup_onSkin, supShownLess, NULL },
        { F, 0, "keepVolume", SUP_NUMBER( 0.0f ), sup_onSkin, supShownLess, NULL },
        { F, 0, "tension", SUP_NUMBER( 1.0f ), sup_onSkin, 0.0f, NULL },
        { F, 0, "muscleTension", SUP_NUMBER( 0.0f ), sup_onSkin, 0.0f, NULL },
    };
    supTryAll( F, edits, SUP_COUNT( edits ) );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestMuscleFields ),
        cmocka_unit_test( supTestEcorcheFields ),
        cmocka_unit_test( supTestFatFields ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
