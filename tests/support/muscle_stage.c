#include "muscle_stage.h"
#include "base/platform.h"

#include "base/math.h"
#include "body/body_data.h"
#include "test_rigs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void supPutOnStage( supMuscleStage* stage, supCharacter* character )
{
    stage->character = character;
    stage->size = supCharacter_Info( stage->character )->size;
    stage->layer = supFindLayer( "muscles" );
    memcpy( stage->joints, supCharacter_Info( stage->character )->restJoints, sizeof( stage->joints ) );
}

void supMuscleStage_Init( supMuscleStage* stage )
{
    memset( stage, 0, sizeof( *stage ) );
    supMakeTwoBones( &stage->bones );
    supPutOnStage( stage, supTestCreate( &stage->bones.def ) );
}

void supMuscleStage_InitBeside( supMuscleStage* stage, const supMuscleStage* first )
{
    memset( stage, 0, sizeof( *stage ) );
    stage->borrowed = true;
    supPutOnStage( stage, first->character );
}

void supMuscleStage_Make( supMuscleStage* stage, const supStageMuscle* const* muscles, int32_t count )
{
    supRig* rig = NULL;
    supError error = { 0 };
    supResult result = supCreateRig( NULL, &rig, &error );
    for ( int32_t i = 0; i < count && result == sup_success; ++i )
    {
        result = supRig_AddItem( rig, stage->layer, &muscles[i]->def, &error );
    }
    result = result == sup_success ? supCompileModel( stage->character, rig, &stage->model, &error ) : result;
    result = result == sup_success ? supCreateBody( stage->model, &stage->body, &error ) : result;
    if ( result != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
    stage->at = supStack_Find( &stage->model->stack, stage->layer );
    stage->muscles = stage->model->stack.layers[stage->at].compiled;
    stage->memory = supSystemAlloc( supMuscleFrame_Size( stage->muscles ), 64 );
    assert_non_null( stage->memory );
    supMuscleFrame_Place( &stage->now, stage->muscles, stage->memory );
}

void supMuscleStage_Drop( supMuscleStage* stage )
{
    supSystemFree( stage->memory );
    supDestroyBody( stage->body );
    supDestroyModel( stage->model );
    supDestroyCharacter( stage->borrowed ? NULL : stage->character );
}

const float* supMuscleStage_Shown( const supMuscleStage* stage )
{
    return stage->body->layers.layers[stage->at].shown;
}

void supMuscleStage_Step( supMuscleStage* stage, float dt )
{
    assert_int_equal( supBody_Step( stage->body, stage->joints, supMat34_identity, dt ), sup_success );
    const supBodyLayer* own = stage->body->layers.layers + stage->at;
    supMuscleFrame_Pose( &stage->now, stage->muscles, stage->joints, own->live, own->shown );
}

void supMuscleStage_Set( supMuscleStage* stage, int32_t muscle, const char* field, float value )
{
    supError error = { 0 };
    if ( supBody_SetField( stage->body, stage->layer, muscle, field, value, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
}

void supInitStageMuscle( supStageMuscle* muscle, const char* name, float size )
{
    *muscle = ( supStageMuscle ){ .def = supDefaultMuscleDef() };
    for ( int32_t i = 0; i < sup_stagePoints; ++i )
    {
        muscle->points[i] = supDefaultMusclePoint();
        muscle->points[i].joint = "lower";
    }
    muscle->points[0].at = supMakeVec3( 0.3f / size, 0.2f / size, 0.0f );
    muscle->points[1].at = supMakeVec3( 0.3f / size, 0.4f / size, 0.0f );
    muscle->points[1].joint = "upper";
    muscle->def.name = name;
    muscle->def.points = ( supItemList ){ 2, muscle->points };
    muscle->def.radius = 0.08f / size;
    muscle->def.tendonRadius = 0.015f / size;
    muscle->def.tendonFrom = muscle->def.tendonTo = 0.0f;
    muscle->def.hold = 0.0f;
    muscle->def.tension = 1.0f;
    muscle->def.stiffness = 1000.0f;
}

void supStageMuscle_AddFree( supStageMuscle* muscle, supVec3 at, float size )
{
    int32_t last = muscle->def.points.count++;
    assert_true( last < sup_stagePoints );
    muscle->points[last] = muscle->points[last - 1];
    muscle->points[last - 1] = supDefaultMusclePoint();
    muscle->points[last - 1].joint = "lower";
    muscle->points[last - 1].at = supScale( at, 1.0f / size );
    muscle->points[last - 1].free = true;
}

void supStageMuscle_AddBall( supStageMuscle* muscle, supVec3 center, float radius, float size )
{
    int32_t last = muscle->def.fields.count++;
    assert_true( last < sup_stageFields );
    supMuscleField* field = muscle->fields + last;
    *field = supDefaultMuscleField();
    field->joint = "lower";
    field->center = supScale( center, 1.0f / size );
    field->radii = supScale( supMakeVec3( radius, radius, radius ), 1.0f / size );
    field->solid = false;
    muscle->def.fields.items = muscle->fields;
}
