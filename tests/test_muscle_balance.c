// An action line with one free vertex, in balance: the forces on it summed up once more from what the fields of a
// muscle say of them. Springs, holds, weight, attracting and repelling fields.
#include "base/math.h"
#include "support/assert_near.h"
#include "support/muscle_stage.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const supVec3 sup_middle = { 0.3f, 0.8f, 0.0f };

/// One muscle, one free vertex in the middle of it; the insertion is then moved aside.
typedef struct supBalanceCase
{
    supMuscleStage stage;
    supStageMuscle muscle;
} supBalanceCase;

static void supOpenBalance( supBalanceCase* c )
{
    supMuscleStage_Init( &c->stage );
    supInitStageMuscle( &c->muscle, "line", c->stage.size );
    supStageMuscle_AddFree( &c->muscle, sup_middle, c->stage.size );
    c->muscle.def.segments = 2.0f;
}

static supVec3d supMoveInsertion( supBalanceCase* c, supVec3 to )
{
    c->stage.joints[2].t = to;
    supMuscleStage_Step( &c->stage, 1.0f / 60.0f );
    return supToDouble( c->stage.now.line[1] );
}

/// Makes the body and steps it with the insertion 0.15 m aside and 0.1 m farther; gives where the free vertex is.
static supVec3d supSettle( supBalanceCase* c )
{
    const supStageMuscle* list[1] = { &c->muscle };
    supMuscleStage_Make( &c->stage, list, 1 );
    assert_int_equal( c->stage.muscles->vertexCount, 3 );
    return supMoveInsertion( c, supMakeVec3( 0.15f, 1.1f, 0.0f ) );
}

/// At rest every spring pulls with T = k ( 1 - slack ) L; one of the halves has the stiffness k L / half times its
/// point's own.
static supVec3d supSpringForce( const supBalanceCase* c )
{
    const double k = 1000.0, tension = k * 0.5 * 1.2, half = 0.6;
    supVec3d at = supToDouble( c->stage.now.line[1] ), sum = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < 2; ++i )
    {
        double own = k * 1.2 / half * (double)c->muscle.points[i].stiffness;
        supVec3d way = supSubD( supToDouble( c->stage.now.line[2 * i] ), at );
        double length = supLengthD( way );
        sum = supMulAddD( sum, ( tension + own * ( length - half ) ) / length, way );
    }
    return sum;
}

/// The vertex stands for half of the line: half of the mass, half of the hold.
static supVec3d supHoldForce( const supBalanceCase* c, double hold )
{
    const supVec3* line = c->stage.now.line;
    supVec3d at = supToDouble( line[1] ), off = supSubD( supToDouble( sup_middle ), at );
    supVec3d before = supNormalizeD( supSubD( at, supToDouble( line[0] ) ) );
    supVec3d after = supNormalizeD( supSubD( supToDouble( line[2] ), at ) );
    supVec3d along = supNormalizeD( supAddD( before, after ) );
    return supScaleD( supMulAddD( off, -supDotD( off, along ), along ), 0.5 * hold * 1000.0 );
}

static supVec3d supBallForce( const supBalanceCase* c, double pull )
{
    const supMuscleField* field = c->muscle.fields;
    double size = (double)c->stage.size, radius = (double)field->radii.x * size, reach = (double)field->reach;
    supVec3d center = supScaleD( supToDouble( field->center ), size );
    supVec3d way = supSubD( supToDouble( c->stage.now.line[1] ), center );
    double r = supLengthD( way ) / radius, stiffness = 1000.0 * pull, out = ( r - 1.0 ) / ( reach - 1.0 );
    way = supNormalizeD( way );
    assert_true( r > 1.0 && r < reach ); // outside, where it fades
    if ( field->kind == sup_forceMetaball )
    {
        // the slope of - c ( 1 - ( r / reach )^2 )^2, c = stiffness radius^2
        return supScaleD(
            way, -4.0 * stiffness * radius * r / ( reach * reach ) * ( 1.0 - r * r / ( reach * reach ) ) );
    }
    double attracts = pow( 1.0 - out * out, 2.0 ) * ( 1.0 - r ) * radius, repels = ( reach - r ) * radius;
    return supScaleD( way, pull > 0.0 ? stiffness * attracts : -stiffness * repels );
}

/// Newtons that may be left: 5 um of the springs.
static void supAssertBalanced( const supBalanceCase* c, supVec3d more )
{
    supVec3d left = supAddD( supSpringForce( c ), more );
    if ( !( supLengthD( left ) < 0.02 ) || !( supLengthD( more ) == 0.0 || supLengthD( more ) > 2.0 ) )
    {
        fail_msg( "%g N are left of %g N", supLengthD( left ), supLengthD( more ) );
    }
}

static const supVec3d sup_nothing = { 0.0, 0.0, 0.0 };

/// Springs alone: straight, and divided as the stiffness of both stretches asks for.
static void supTestStiffness( void** state )
{
    (void)state;
    double shares[2];
    for ( int32_t k = 0; k < 2; ++k )
    {
        supBalanceCase c;
        supOpenBalance( &c );
        c.muscle.points[0].stiffness = k == 0 ? 1.0f : 4.0f;
        supVec3d at = supSettle( &c );
        supAssertBalanced( &c, sup_nothing );
        supVec3d from = supToDouble( c.stage.now.line[0] ), to = supToDouble( c.stage.now.line[2] );
        double first = supLengthD( supSubD( at, from ) ), second = supLengthD( supSubD( to, at ) );
        supAssertNear( first + second, supLengthD( supSubD( to, from ) ), 1e-6 );
        shares[k] = ( first - 0.6 ) / ( second - 0.6 ); // what each has stretched by
        supMuscleStage_Drop( &c.stage );
    }
    supAssertNear( shares[0], 1.0, 1e-3 );
    supAssertNear( shares[1], 0.25, 1e-3 );
}

/// A hold draws it across the line to where its bone has it.
static void supTestHold( void** state )
{
    (void)state;
    supBalanceCase c;
    supOpenBalance( &c );
    c.muscle.def.hold = 4.0f;
    supSettle( &c );
    supAssertBalanced( &c, supHoldForce( &c, 4.0 ) );
    const float holds[3] = { 0.0f, 1.0f, 20.0f };
    double last = 1.0;
    for ( int32_t i = 0; i < 3; ++i )
    {
        supMuscleStage_Set( &c.stage, 0, "hold", holds[i] );
        supMuscleStage_Step( &c.stage, 1.0f / 60.0f );
        supAssertBalanced( &c, supHoldForce( &c, (double)holds[i] ) );
        double off = (double)fabsf( c.stage.now.line[1].x - sup_middle.x );
        assert_true( off < 0.9 * last );
        last = off;
    }
    supMuscleStage_Set( &c.stage, 0, "hold", 1e6f );
    supMuscleStage_Step( &c.stage, 1.0f / 60.0f );
    assert_true( supLengthD( supHoldForce( &c, 0.002 ) ) < 1e-4 ); // metres across the line; along it, it slides
    supMuscleStage_Drop( &c.stage );
}

/// The weight of half the muscle, in the measure that tension leaves it. Plain: all of it always. Relative: only what
/// it feels otherwise than at rest.
static void supTestWeight( void** state )
{
    (void)state;
    supBalanceCase c;
    supOpenBalance( &c );
    c.muscle.def.gravity = sup_gravityPlain;
    c.muscle.def.tension = 0.25f;
    supSettle( &c );
    double volume = (double)c.stage.muscles->muscles[0].restVolume;
    assert_true( volume > 0.001 );
    const float densities[3] = { 1060.0f, 500.0f, 3000.0f };
    for ( int32_t i = 0; i < 3; ++i )
    {
        supMuscleStage_Set( &c.stage, 0, "density", densities[i] );
        supMuscleStage_Step( &c.stage, 1.0f / 60.0f );
        double weight = 0.5 * 0.75 * (double)densities[i] * volume;
        supAssertBalanced( &c, supScaleD( supToDouble( c.stage.muscles->gravity ), weight ) );
    }
    supMuscleStage_Set( &c.stage, 0, "gravityScale", 0.5f );
    supMuscleStage_Step( &c.stage, 1.0f / 60.0f );
    supAssertBalanced( &c, supScaleD( supToDouble( c.stage.muscles->gravity ), 0.5 * 0.5 * 0.75 * 3000.0 * volume ) );

    supMuscleStage_Set( &c.stage, 0, "gravity", (float)sup_gravityRelative );
    supMuscleStage_Step( &c.stage, 1.0f / 60.0f );
    supAssertBalanced( &c, sup_nothing );
    // twice the weight: the one that was modelled is held, the other is felt
    supVec3d gravity = supToDouble( c.stage.muscles->gravity );
    supBody_SetGravity( c.stage.body, supToFloat( supScaleD( gravity, 2.0 ) ) );
    supMuscleStage_Step( &c.stage, 1.0f / 60.0f );
    supAssertBalanced( &c, supScaleD( gravity, 0.5 * 0.5 * 0.75 * 3000.0 * volume ) );
    supMuscleStage_Drop( &c.stage );
}

/// Ellipsoids pull to their surface and push from it, metaballs to their middle; `fieldScale` is times all of it.
static void supTestFields( void** state )
{
    (void)state;
    for ( int32_t kind = 0; kind < 2; ++kind )
    {
        for ( int32_t sign = -1; sign <= 1; sign += 2 )
        {
            supBalanceCase c;
            supOpenBalance( &c );
            supStageMuscle_AddBall( &c.muscle, supMakeVec3( 0.5f, 0.8f, 0.1f ), 0.12f, c.stage.size );
            c.muscle.fields[0].kind = kind == 0 ? sup_forceEllipsoid : sup_forceMetaball;
            c.muscle.fields[0].reach = 3.0f;
            c.muscle.fields[0].pull = 0.7f * (float)sign;
            supSettle( &c );
            supAssertBalanced( &c, supBallForce( &c, 0.7 * sign ) );
            assert_true( sign * c.stage.now.line[1].z > 1e-3f ); // towards it, or away
            supMuscleStage_Set( &c.stage, 0, "fieldScale", 1.8f );
            supMuscleStage_Step( &c.stage, 1.0f / 60.0f );
            supAssertBalanced( &c, supBallForce( &c, 1.8 * 0.7 * sign ) );
            supMuscleStage_Set( &c.stage, 0, "fieldScale", 0.0f );
            supMuscleStage_Step( &c.stage, 1.0f / 60.0f );
            supAssertBalanced( &c, sup_nothing );
            supMuscleStage_Drop( &c.stage );
        }
    }
}

/// No free way through a solid ball: the vertex is on it or outside, to a millionth of the radius, and the springs
/// press it on.
static void supTestSolid( void** state )
{
    (void)state;
    supBalanceCase c;
    supOpenBalance( &c );
    const supVec3d center = { 0.22, 0.8, 0.0 };
    supStageMuscle_AddBall( &c.muscle, supToFloat( center ), 0.06f, c.stage.size );
    c.muscle.fields[0].solid = true;
    supSettle( &c );
    int32_t pressed = 0;
    for ( int32_t i = 0; i < 20; ++i )
    {
        supVec3d at = supMoveInsertion( &c, supMakeVec3( -0.02f * (float)i, 1.1f, 0.0f ) );
        double out = supLengthD( supSubD( at, center ) );
        assert_true( out > 0.06 * ( 1.0 - 2e-6 ) );
        if ( out < 0.0605 ) // it lies on it: what the springs have left presses it on
        {
            supVec3d force = supSpringForce( &c ), way = supScaleD( supSubD( at, center ), 1.0 / out );
            double into = -supDotD( force, way );
            pressed += 1;
            assert_true( into > 0.0 && supLengthD( supMulAddD( force, into, way ) ) < 0.02 + 0.2 * into );
        }
    }
    assert_true( pressed >= 5 );
    supMuscleStage_Drop( &c.stage );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestStiffness ),
        cmocka_unit_test( supTestHold ),
        cmocka_unit_test( supTestWeight ),
        cmocka_unit_test( supTestFields ),
        cmocka_unit_test( supTestSolid ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
