// Muscles in postures that are hard on them: around a bone by more than half a turn, scaled, without time; and sheets.
#include "base/math.h"
#include "body/body_data.h"
#include "supple/lab/states.h"
#include "support/muscle_stage.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void supMakeOne( supMuscleStage* stage, const supStageMuscle* muscle )
{
    const supStageMuscle* list[1] = { muscle };
    supMuscleStage_Make( stage, list, 1 );
}

static supMuscleView supStepOne( supMuscleStage* stage, float dt )
{
    supMuscleView view;
    supMuscleStage_Step( stage, dt );
    assert_int_equal( supBody_Muscles( stage->body, &view ), 1 );
    return view;
}

/// "upper" turned about Z at its own place. Degrees
static void supBendStage( supMuscleStage* stage, float degrees )
{
    supMat34 turn = supMatFromQuat( supQuatFromAxisAngle( supMakeVec3( 0.0f, 0.0f, 1.0f ), degrees * 0.0174532925f ) );
    turn.t = stage->joints[2].t;
    stage->joints[2] = turn;
}

/// Bent farther than half a turn less the bone's shadow, a line still goes around it on the side where it began: bent
/// back, it runs through the same lengths.
static void supTestAroundABone( void** state )
{
    (void)state;
    supMuscleStage stage;
    supStageMuscle muscle;
    supMuscleStage_Init( &stage );
    supInitStageMuscle( &muscle, "biceps", stage.size );
    muscle.fields[0] = supDefaultMuscleField();
    muscle.fields[0].joint = "upper";
    muscle.fields[0].center = supMakeVec3( 0.1f / stage.size, 0.0f, 0.0f );
    muscle.fields[0].radii = supMakeVec3( 0.18f / stage.size, 0.2f / stage.size, 0.18f / stage.size );
    muscle.def.fields = ( supItemList ){ 1, muscle.fields };
    muscle.def.segments = 16.0f;
    supMakeOne( &stage, &muscle );
    float before = supStepOne( &stage, 0.0f ).length, largest = 0.0f, lengths[301];
    for ( int32_t frame = 0; frame <= 600; ++frame )
    {
        int32_t half = frame <= 300 ? frame : 600 - frame;
        supBendStage( &stage, 0.5f * (float)half );
        float length = supStepOne( &stage, 1.0f / 60.0f ).length;
        largest = fmaxf( largest, fabsf( length - before ) );
        before = length;
        lengths[half] = frame <= 300 ? length : lengths[half];
        assert_float_equal( length, lengths[half], 1e-4 );
    }
    print_message( "around a bone by 150 degrees: length %.3f m, largest change in half a degree %.5f m\n",
        (double)lengths[300], (double)largest );
    assert_true( largest < 0.02f );
    supMuscleStage_Drop( &stage );
}

/// A pose that is twice or half as large: the muscle is too, and does not think that it was stretched.
static void supTestScaledPose( void** state )
{
    (void)state;
    supMuscleStage stage;
    supStageMuscle muscle;
    supMuscleStage_Init( &stage );
    supInitStageMuscle( &muscle, "biceps", stage.size );
    supStageMuscle_AddFree( &muscle, supMakeVec3( 0.5f, 0.8f, 0.1f ), stage.size );
    muscle.def.holding = 5.0f;
    supMakeOne( &stage, &muscle );
    supMuscleView rest = supStepOne( &stage, 0.0f );
    for ( int32_t k = 0; k < 2; ++k )
    {
        float scale = k == 0 ? 2.0f : 0.5f;
        for ( int32_t j = 0; j < 3; ++j )
        {
            supMat34 m = supCharacter_Info( stage.character )->restJoints[j];
            stage.joints[j] = ( supMat34 ){ supScale( m.x, scale ), supScale( m.y, scale ), supScale( m.z, scale ),
                supScale( m.t, scale ) };
        }
        supMuscleView view = supStepOne( &stage, 1.0f / 60.0f );
        assert_float_equal( view.length / rest.length, scale, 1e-3 );
        assert_float_equal( view.volume / rest.volume, scale * scale * scale, 0.02 * scale * scale * scale );
        assert_true( view.contraction < 0.01f );
    }
    supMuscleStage_Drop( &stage );
}

/// A sheet that contracts has no waist: every section keeps most of its breadth. (By the course of its thickness alone
/// some had 38% of it left.)
static void supTestSheet( void** state )
{
    (void)state;
    supMuscleStage stage;
    supStageMuscle muscle;
    supMuscleStage_Init( &stage );
    supInitStageMuscle( &muscle, "sheet", stage.size );
    muscle.def.shape = sup_muscleFlat;
    muscle.def.spreadFrom = muscle.def.spreadTo = 0.15f / stage.size;
    muscle.def.tendonFrom = muscle.def.tendonTo = 0.17f;
    muscle.def.contraction = 1.0f;
    supMakeOne( &stage, &muscle );
    supMuscleView view = supStepOne( &stage, 0.0f );
    assert_true( fabsf( view.volume / view.restVolume - 1.0f ) < 0.06f );
    float deepest = 0.0f;
    for ( int32_t i = 0; i < stage.muscles->muscles[0].vertexCount; ++i )
    {
        assert_true( stage.now.strands[i].width > 0.8f * stage.muscles->restWidths[i] );
        deepest = fmaxf( deepest, stage.now.strands[i].depth / stage.muscles->restDepths[i] );
    }
    assert_true( deepest > 1.2f );
    supMuscleStage_Drop( &stage );
}

/// A step without time carries bound vertices along all the same, also of a line that swings.
static void supTestNoTime( void** state )
{
    (void)state;
    supMuscleStage stage;
    supStageMuscle muscle;
    supMuscleStage_Init( &stage );
    supInitStageMuscle( &muscle, "biceps", stage.size );
    muscle.def.motion = sup_lineSwing;
    muscle.def.freeTo = 0.0f;
    supMakeOne( &stage, &muscle );
    supStepOne( &stage, 0.0f );
    supStepOne( &stage, 1.0f / 60.0f );
    stage.joints[2].t.y = 0.7f;
    assert_float_equal( supStepOne( &stage, 0.0f ).length, 0.9, 1e-5 );
    supMuscleStage_Drop( &stage );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestAroundABone ),
        cmocka_unit_test( supTestScaledPose ),
        cmocka_unit_test( supTestSheet ),
        cmocka_unit_test( supTestNoTime ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
