// Fields of a muscle's points and force fields that change while a body runs: each ends where a model compiled with the
// new number would be, and nothing jumps on the way.
#include "base/math.h"
#include "support/muscle_stage.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supFrames = 90, ///< a second and a half: what eases is gone
};
static const float supFrame = 1.0f / 60.0f;

/// A line around a ball, with a point that may be free, held a little beside its bone.
static void supInitCase( supStageMuscle* muscle, const char* name, float size )
{
    supInitStageMuscle( muscle, name, size );
    supStageMuscle_AddFree( muscle, supMakeVec3( 0.36f, 0.8f, 0.05f ), size );
    supStageMuscle_AddBall( muscle, supMakeVec3( 0.42f, 0.9f, 0.0f ), 0.06f, size );
    muscle->def.hold = 0.5f;
    muscle->def.segments = 8.0f;
    muscle->fields[0].pull = 0.5f;
    muscle->fields[0].solid = false;
    muscle->fields[0].reach = 4.0f;
}

static void supPull( supMuscleStage* stage )
{
    stage->joints[2].t = supMakeVec3( 0.25f, 1.2f, -0.1f );
}

/// The largest distance between the lines of two bodies. Metres
static double supApart( const supMuscleStage* a, const supMuscleStage* b )
{
    double apart = 0.0;
    for ( int32_t i = 0; i < a->muscles->vertexCount; ++i )
    {
        apart = fmax( apart, (double)supDistance( a->now.line[i], b->now.line[i] ) );
    }
    return apart;
}

typedef struct supEdit
{
    const char* field;
    float value;
    bool shows; ///< the line is elsewhere by it
} supEdit;

static void supWriteEdit( supStageMuscle* muscle, const supEdit* edit )
{
    supMusclePoint* point = muscle->points + 1;
    supMuscleField* ball = muscle->fields;
    const char* name = strchr( edit->field, '.' ) + 1;
    point->free = strcmp( name, "free" ) == 0 ? edit->value != 0.0f : point->free;
    muscle->points[0].stiffness = strcmp( name, "stiffness" ) == 0 ? edit->value : 1.0f;
    point->sharpness = strcmp( name, "sharpness" ) == 0 ? edit->value : point->sharpness;
    ball->kind = strcmp( name, "kind" ) == 0 ? (int32_t)edit->value : ball->kind;
    ball->pull = strcmp( name, "pull" ) == 0 ? edit->value : ball->pull;
    ball->reach = strcmp( name, "reach" ) == 0 ? edit->value : ball->reach;
    ball->solid = strcmp( name, "solid" ) == 0 ? edit->value != 0.0f : ball->solid;
}

/// Each in place, against a model that was compiled so.
static void supTestAsCompiled( void** state )
{
    (void)state;
    const supEdit edits[] = {
        { "points[1].free", 0.0f, true },
        { "points[0].stiffness", 20.0f, true },
        { "points[1].sharpness", 3.0f, false }, // of the form in the écorché
        { "fields[0].kind", (float)sup_forceMetaball, true },
        { "fields[0].pull", -0.5f, true },
        { "fields[0].reach", 2.0f, true },
        { "fields[0].solid", 1.0f, true },
    };
    for ( size_t e = 0; e < sizeof( edits ) / sizeof( edits[0] ); ++e )
    {
        supMuscleStage live, twin, compiled;
        supStageMuscle muscle, edited;
        const supStageMuscle *list[1] = { &muscle }, *editedList[1] = { &edited };
        supMuscleStage_Init( &live );
        supMuscleStage_InitBeside( &twin, &live );
        supMuscleStage_InitBeside( &compiled, &live );
        supInitCase( &muscle, "line", live.size );
        supInitCase( &edited, "line", live.size );
        supWriteEdit( &edited, edits + e );
        supMuscleStage_Make( &live, list, 1 );
        supMuscleStage_Make( &twin, list, 1 );
        supMuscleStage_Make( &compiled, editedList, 1 );
        supMuscleStage* all[3] = { &live, &twin, &compiled };
        for ( int32_t frame = 0; frame < supFrames; ++frame )
        {
            for ( int k = 0; k < 3; ++k )
            {
                supPull( all[k] );
                supMuscleStage_Step( all[k], supFrame );
            }
            if ( frame == 0 )
            {
                assert_true( supApart( &live, &twin ) == 0.0 );
                supMuscleStage_Set( &live, 0, edits[e].field, edits[e].value );
                assert_true( supBody_Field( live.body, live.layer, 0, edits[e].field ) == edits[e].value );
            }
        }
        double apart = supApart( &live, &twin ), off = supApart( &live, &compiled );
        print_message( "%s: %.2f mm by it, %.2g mm off\n", edits[e].field, 1e3 * apart, 1e3 * off );
        assert_true( off < 1e-5 );
        assert_true( edits[e].shows ? apart > 5e-4 : apart == 0.0 );
        assert_true( supBody_IsAtRest( live.body ) );
        for ( int k = 2; k >= 0; --k )
        {
            supMuscleStage_Drop( all[k] );
        }
    }
}

/// Bound and freed in a posture that pulls it far: the line goes over in no step by more than a quarter of the way,
/// other muscles do not move by a bit, and nothing is taken for a contraction.
static void supTestNoJump( void** state )
{
    (void)state;
    supMuscleStage stage;
    supStageMuscle muscle, other;
    const supStageMuscle* list[2] = { &muscle, &other };
    supMuscleStage_Init( &stage );
    supInitCase( &muscle, "line", stage.size );
    supInitCase( &other, "other", stage.size );
    muscle.points[1].free = false; // not even free in the rig
    muscle.def.activation = 1.0f;
    supMuscleStage_Make( &stage, list, 2 );
    supPull( &stage );
    supMuscleStage_Step( &stage, supFrame );
    int32_t count = stage.muscles->muscles[0].vertexCount;
    supVec3 bound[sup_mostLineVertices], last[sup_mostLineVertices], others[sup_mostLineVertices];
    memcpy( bound, stage.now.line, sizeof( supVec3 ) * (size_t)count );
    memcpy( others, stage.now.line + count, sizeof( supVec3 ) * (size_t)count );
    for ( int turn = 0; turn < 2; ++turn )
    {
        double fastest = 0.0, way = 0.0;
        supMuscleStage_Set( &stage, 0, "points[1].free", turn == 0 ? 1.0f : 0.0f );
        for ( int32_t frame = 0; frame < supFrames; ++frame )
        {
            memcpy( last, stage.now.line, sizeof( supVec3 ) * (size_t)count );
            supMuscleStage_Step( &stage, supFrame );
            assert_true( stage.now.contractions[0] < 0.02f );
            assert_memory_equal( others, stage.now.line + count, sizeof( supVec3 ) * (size_t)count );
            for ( int32_t i = 0; i < count; ++i )
            {
                fastest = fmax( fastest, (double)supDistance( last[i], stage.now.line[i] ) );
                way = fmax( way, (double)supDistance( bound[i], stage.now.line[i] ) );
            }
        }
        print_message( "way %.2f mm, fastest step %.2f mm\n", 1e3 * way, 1e3 * fastest );
        assert_true( way > 0.01 );
        assert_true( fastest < 0.25 * way );
        assert_true( supBody_IsAtRest( stage.body ) );
    }
    assert_memory_equal( bound, stage.now.line, sizeof( supVec3 ) * (size_t)count );
    supMuscleStage_Drop( &stage );
}

/// Steps without time, while a line goes over to where a switch has sent it: a body that is paused stays as it is in
/// every bit, and then goes on as one that was not. (Found: the pause dropped what was left of the way.)
static void supTestPaused( void** state )
{
    (void)state;
    supMuscleStage paused, runs;
    supMuscleStage* both[2] = { &paused, &runs };
    supStageMuscle muscle;
    const supStageMuscle* list[1] = { &muscle };
    supMuscleStage_Init( &paused );
    supMuscleStage_InitBeside( &runs, &paused );
    supInitCase( &muscle, "line", paused.size );
    muscle.points[1].free = false;
    supVec3 last[sup_mostLineVertices];
    for ( int k = 0; k < 2; ++k )
    {
        supMuscleStage_Make( both[k], list, 1 );
        supPull( both[k] );
        supMuscleStage_Step( both[k], supFrame );
        supMuscleStage_Set( both[k], 0, "points[1].free", 1.0f );
    }
    size_t bytes = sizeof( supVec3 ) * (size_t)paused.muscles->muscles[0].vertexCount;
    for ( int32_t frame = 0; frame < 10; ++frame )
    {
        supMuscleStage_Step( &paused, supFrame );
        supMuscleStage_Step( &runs, supFrame );
        memcpy( last, paused.now.line, bytes );
        for ( int i = 0; i < 3; ++i )
        {
            supMuscleStage_Step( &paused, 0.0f );
            assert_memory_equal( last, paused.now.line, bytes );
        }
        assert_memory_equal( runs.now.line, paused.now.line, bytes );
    }
    assert_false( supBody_IsAtRest( paused.body ) ); // it was on its way all the time
    supMuscleStage_Drop( &runs );
    supMuscleStage_Drop( &paused );
}

/// Words for what is not there, and nothing changes.
static void supTestBadPlaces( void** state )
{
    (void)state;
    supMuscleStage stage;
    supStageMuscle muscle;
    const supStageMuscle* list[1] = { &muscle };
    supMuscleStage_Init( &stage );
    supInitCase( &muscle, "line", stage.size );
    supMuscleStage_Make( &stage, list, 1 );
    const struct
    {
        const char *field, *words;
        float value;
    } bad[] = {
        { "points[3].free", "muscles[0].points[3]: there are 3 of these", 1.0f },
        { "pints[0].free", "muscles[0].pints[0]: there are 0 of these", 1.0f },
        { "points[1].fre", "muscles[0].points[1].fre: unknown; did you mean \"free\"", 1.0f },
        { "points[1].free", "muscles[0].points[1].free: 0.5 is not in [0, 1]", 0.5f },
        { "points[1].stiffness", "muscles[0].points[1].stiffness: -1 is not in", -1.0f },
        { "points[1].at", "muscles[0].points[1].at: cannot be changed in place", 0.0f },
        { "points[1]", "muscles[0].points[1]: unknown", 0.0f },
        { "points[-1].free", "muscles[0].points[-1].free: unknown", 0.0f },
        { "points[99999999999].free", "unknown", 0.0f },
    };
    for ( size_t i = 0; i < sizeof( bad ) / sizeof( bad[0] ); ++i )
    {
        supError error = { 0 };
        assert_int_not_equal(
            supBody_SetField( stage.body, stage.layer, 0, bad[i].field, bad[i].value, &error ), sup_success );
        if ( strstr( error.text, bad[i].words ) == NULL )
        {
            fail_msg( "%s: \"%s\"", bad[i].field, error.text );
        }
    }
    assert_true( supBody_Field( stage.body, stage.layer, 0, "points[1].free" ) == 1.0f );
    assert_true( isnan( supBody_Field( stage.body, stage.layer, 0, "points[7].free" ) ) );
    supMuscleStage_Drop( &stage );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestAsCompiled ),
        cmocka_unit_test( supTestNoJump ),
        cmocka_unit_test( supTestPaused ),
        cmocka_unit_test( supTestBadPlaces ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
