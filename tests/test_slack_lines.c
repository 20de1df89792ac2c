// Slack action lines, which hang between their ends, in the postures of a
// motion: after one frame against the balance that another method finds, and
// held after it.
//
// A line of springs under its own weight is in balance where the pull T of each
// segment is that of the one before it less the weight between them, and each
// is as long as its pull makes it. So everything follows from the first pull,
// which has to lead to the other end: the least of sum( |T| l + |T|^2 / 2 k ) -
// T0 . ( B - A ), which is convex. Three numbers in place of three a vertex,
// and nothing of how the library solves it.
#include "base/math.h"
#include "supple/lab/states.h"
#include "support/muscle_stage.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum
{
    sup_frames = 48,
    sup_mostVertices = 64,
};

/// What hangs.
typedef struct supHanging
{
    int32_t segments;
    double stiffness[sup_mostVertices], lengths[sup_mostVertices];
    supVec3d weights[sup_mostVertices]; ///< of vertices
    supVec3d from, to;
} supHanging;

/// Follows the pulls from the first end. Gives what is to be least; the gap at the other end; and how that changes with
/// the first pull. `round`: lengths of pulls that are less are rounded off, where a pull changes its side.
static double supHang(
    const supHanging* h, supVec3d pull, double round, supVec3d* at, supVec3d* gap, double slope[3][3] )
{
    double value = -supDotD( pull, supSubD( h->to, h->from ) );
    memset( slope, 0, 9 * sizeof( double ) );
    at[0] = h->from;
    for ( int32_t i = 0; i < h->segments; ++i )
    {
        pull = i > 0 ? supSubD( pull, h->weights[i] ) : pull;
        double square = supDotD( pull, pull ), size = sqrt( square + round * round );
        double k = h->stiffness[i], l = h->lengths[i];
        const double way[3] = { pull.x / size, pull.y / size, pull.z / size };
        value += size * l + 0.5 * square / k;
        for ( int32_t j = 0; j < 9; ++j )
        {
            double same = j / 3 == j % 3 ? 1.0 : 0.0;
            slope[j / 3][j % 3] += same / k + l / size * ( same - way[j / 3] * way[j % 3] );
        }
        at[i + 1] = supMulAddD( at[i], l / size + 1.0 / k, pull );
    }
    *gap = supSubD( at[h->segments], h->to );
    return value;
}

/// A x = b, symmetric and positive: by its determinants.
static supVec3d supSolveThree( double a[3][3], supVec3d b )
{
    supVec3d x = { a[0][0], a[0][1], a[0][2] }, y = { a[1][0], a[1][1], a[1][2] }, z = { a[2][0], a[2][1], a[2][2] };
    double whole = supDotD( x, supCrossD( y, z ) );
    return ( supVec3d ){ supDotD( b, supCrossD( y, z ) ) / whole, supDotD( x, supCrossD( b, z ) ) / whole,
        supDotD( x, supCrossD( y, b ) ) / whole };
}

/// Newton's method, with a step that goes down.
static supVec3d supFindPull( const supHanging* h, double round, supVec3d pull, supVec3d* at, supVec3d* gap )
{
    double slope[3][3], step = 1.0, value = supHang( h, pull, round, at, gap, slope );
    for ( int32_t n = 0; n < 400 && supLengthD( *gap ) > 1e-10 && step > 1e-9; ++n )
    {
        supVec3d way = supScaleD( supSolveThree( slope, *gap ), -1.0 ), left = *gap;
        double falls = supDotD( left, way ), next = value;
        supVec3d tried = pull;
        for ( step = 1.0; step > 1e-9; step *= 0.5 )
        {
            tried = supMulAddD( pull, step, way );
            next = supHang( h, tried, round, at, gap, slope );
            if ( next <= value + 1e-4 * step * falls + 1e-13 * fabs( value ) )
            {
                break;
            }
        }
        pull = tried;
        value = next;
    }
    return pull;
}

/// Where its vertices hang.
static void supFindHanging( const supHanging* h, supVec3d* at )
{
    supVec3d pull = supScaleD( h->weights[1], 0.5 * h->segments ),
             gap; // the first end carries half
    double weight = supLengthD( h->weights[1] );
    for ( double round = weight; round > 1e-7 * weight; round *= 0.2 )
    {
        pull = supFindPull( h, round, pull, at, &gap );
    }
    assert_true( supLengthD( gap ) < 1e-6 );
    for ( int32_t i = 0; i < h->segments; ++i )
    {
        // none is too short: springs that push (in a fold narrower than a segment)
        // are not known here
        assert_true( supLengthD( supSubD( at[i + 1], at[i] ) ) > h->lengths[i] * ( 1.0 - 1e-9 ) );
    }
}

/// The springs of the stage's one muscle, by what the fields of a muscle say of them.
static void supReadHanging( const supMuscleStage* stage, const supStageMuscle* muscle, supHanging* h )
{
    const supMuscle* own = stage->muscles->muscles;
    const supLineVertex* vertices = stage->muscles->vertices;
    supVec3d gravity = supToDouble( stage->muscles->gravity );
    double k = (double)muscle->def.stiffness, mass = 1060.0 * (double)own->restVolume, whole = own->restLength;
    h->segments = own->vertexCount - 1;
    for ( int32_t i = 0; i < h->segments; ++i )
    {
        double tendon = vertices[i].tendon, yields = 1.0 - tendon + tendon / (double)muscle->def.tendonStiffness;
        double before = i > 0 ? vertices[i - 1].restLength : 0.0;
        h->stiffness[i] = k * (double)own->bellyLength / ( vertices[i].restLength * yields );
        h->lengths[i] =
            vertices[i].restLength - k * ( 1.0 - muscle->def.slack ) * (double)own->bellyLength / h->stiffness[i];
        h->weights[i] = supScaleD( gravity, mass * 0.5 * ( vertices[i].restLength + before ) / whole );
    }
    h->from = supToDouble( stage->now.line[0] );
    h->to = supToDouble( stage->now.line[h->segments] );
}

/// The insertion goes around: as near to the origin as three tenths of the length and nearly as far as it is long, to
/// all sides.
static void supPoseSlack( supMuscleStage* stage, int32_t frame )
{
    double t = (double)frame / sup_frames, reach = 0.76 - 0.4 * cos( 6.2831853 * t );
    double turn = 6.2831853 * 2.0 * t, rise = 1.2 * sin( 6.2831853 * 3.0 * t );
    supMat34 joint = supCharacter_Info( stage->character )->restJoints[2];
    supVec3 to = supMakeVec3( (float)( reach * cos( rise ) * cos( turn ) ), (float)( reach * sin( rise ) ),
        (float)( reach * cos( rise ) * sin( turn ) ) );
    // the insertion stands at ( 0.3, 0.4, 0 ) from it, the origin at ( 0.3, 0.2,
    // 0 ) of model space
    joint.t = supAdd( to, supMakeVec3( 0.0f, -0.2f, 0.0f ) );
    stage->joints[2] = joint;
}

/// Of the line's length: how far its vertices are from the balance at most.
static double supMostOff( const supMuscleStage* stage, const supHanging* h )
{
    supVec3d at[sup_mostVertices];
    double most = 0.0;
    supFindHanging( h, at );
    for ( int32_t i = 0; i <= h->segments; ++i )
    {
        most = fmax( most, supLengthD( supSubD( supToDouble( stage->now.line[i] ), at[i] ) ) );
    }
    return most / (double)stage->muscles->muscles[0].restLength;
}

/// A muscle of these tests.
typedef struct supSlackKind
{
    float stiffness; ///< N/m
    float slack, tendon, tendonStiffness;
} supSlackKind;

/// A stage with such a muscle.
static void supMakeSlack( supMuscleStage* stage, supStageMuscle* muscle, float segments, const supSlackKind* kind )
{
    supMuscleStage_Init( stage );
    supInitStageMuscle( muscle, "slack", stage->size );
    muscle->def.segments = segments;
    muscle->def.stiffness = kind->stiffness;
    muscle->def.slack = kind->slack;
    muscle->def.tendonFrom = kind->tendon;
    muscle->def.tendonStiffness = kind->tendonStiffness;
    muscle->def.gravity = sup_gravityPlain;
    muscle->def.tension = 0.0f;
    const supStageMuscle* list[1] = { muscle };
    supMuscleStage_Make( stage, list, 1 );
}

/// Plays the motion, every posture for four frames. Gives how far the line is from its balance after the first of them,
/// at most; in the other three nothing moves, to the bit.
static double supPlaySlack( float segments, const supSlackKind* kind )
{
    supMuscleStage stage;
    supStageMuscle muscle;
    supMakeSlack( &stage, &muscle, segments, kind );
    double worst = 0.0;
    for ( int32_t frame = 0; frame < sup_frames; ++frame )
    {
        supHanging h;
        float held[3 * sup_mostVertices];
        size_t size = 3 * (size_t)stage.muscles->vertexCount * sizeof( float );
        supPoseSlack( &stage, frame );
        supMuscleStage_Step( &stage, 1.0f / 60.0f );
        supReadHanging( &stage, &muscle, &h );
        worst = fmax( worst, supMostOff( &stage, &h ) );
        memcpy( held, supMuscleStage_Shown( &stage ), size );
        for ( int32_t again = 0; again < 3; ++again )
        {
            supMuscleStage_Step( &stage, 1.0f / 60.0f );
            assert_memory_equal( held, supMuscleStage_Shown( &stage ), size );
        }
    }
    supMuscleStage_Drop( &stage );
    return worst;
}

static void supTestSlackLines( void** state )
{
    (void)state;
    const float segments[6] = { 10.0f, 12.0f, 16.0f, 25.0f, 40.0f, 63.0f };
    const supSlackKind kinds[4] = { { 1e3f, 1.0f, 0.0f, 20.0f }, { 1e5f, 1.0f, 0.0f, 20.0f },
        { 2e4f, 0.9f, 0.3f, 20.0f }, { 1e3f, 1.0f, 0.2f, 1e4f } };
    for ( int32_t i = 0; i < 6; ++i )
    {
        for ( int32_t k = 0; k < 4; ++k )
        {
            double off = supPlaySlack( segments[i], kinds + k );
            print_message( "%2.0f segments, %.0e N/m, slack from %.1f, tendon %.1f: "
                           "off by %.4f%% at most\n",
                (double)segments[i], (double)kinds[k].stiffness, (double)kinds[k].slack, (double)kinds[k].tendon,
                100.0 * off );
            assert_true( off < 0.005 );
        }
    }
}

/// A whole belly as stiff as a tendon goes to and fro between places for long where it hangs in a narrow fold. In a
/// posture that is held it goes on, and then stands still to the bit.
static void supTestGoesOn( void** state )
{
    (void)state;
    const supSlackKind kind = { 1e7f, 1.0f, 0.0f, 20.0f };
    supMuscleStage stage;
    supStageMuscle muscle;
    int32_t unsettled = 0;
    double worst = 0.0;
    supMakeSlack( &stage, &muscle, 40.0f, &kind );
    for ( int32_t frame = 0; frame < sup_frames; ++frame )
    {
        supHanging h;
        float held[3 * sup_mostVertices];
        supMuscleView view;
        size_t size = 3 * (size_t)stage.muscles->vertexCount * sizeof( float );
        supPoseSlack( &stage, frame );
        supMuscleStage_Step( &stage, 1.0f / 60.0f );
        assert_int_equal( supBody_Muscles( stage.body, &view ), 1 );
        unsettled += !view.settled;
        for ( int32_t again = 0; again < 20; ++again )
        {
            memcpy( held, supMuscleStage_Shown( &stage ), size );
            supMuscleStage_Step( &stage, 1.0f / 60.0f );
        }
        assert_memory_equal( held, supMuscleStage_Shown( &stage ), size );
        supReadHanging( &stage, &muscle, &h );
        worst = fmax( worst, supMostOff( &stage, &h ) );
    }
    print_message(
        "stiff belly: %d of %d postures go on; off by %.4f%% at most\n", unsettled, sup_frames, 100.0 * worst );
    assert_true( unsettled > 0 && worst < 0.02 );
    supMuscleStage_Drop( &stage );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestSlackLines ), cmocka_unit_test( supTestGoesOn ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
