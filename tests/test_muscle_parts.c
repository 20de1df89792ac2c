// Muscles part by part: tendons, forms, points between two bones, fields of others, and lines that swing through worlds
// that move. Against springs in a row, exponentials, and the same thing said in another way.
#include "base/math.h"
#include "body/body_data.h"
#include "supple/lab/states.h"
#include "support/assert_near.h"
#include "support/muscle_stage.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct supPart
{
    supMuscleStage stage;
    supStageMuscle muscle;
} supPart;

static void supOpenPart( supPart* part )
{
    supMuscleStage_Init( &part->stage );
    supInitStageMuscle( &part->muscle, "line", part->stage.size );
}

static void supMakePart( supPart* part )
{
    const supStageMuscle* list[1] = { &part->muscle };
    supMuscleStage_Make( &part->stage, list, 1 );
}

static int32_t supVertexCount( const supPart* part )
{
    return part->stage.muscles->muscles[0].vertexCount;
}

/// The largest difference of what two bodies show, in the same layer of the same model; *most: of what the first shows.
static double supShownApart( const supMuscleStage* a, const supMuscleStage* b, double* most )
{
    double apart = 0.0;
    for ( int32_t i = 0; i < 3 * a->muscles->vertexCount; ++i )
    {
        double x = (double)supMuscleStage_Shown( a )[i];
        apart = fmax( apart, fabs( x - (double)supMuscleStage_Shown( b )[i] ) );
        *most = fmax( *most, fabs( x ) );
    }
    return apart;
}

// ---------------------------------------------------------------------------------------------------------------
// Lines

/// Springs in a row: all pull alike, so a tendon stretches by 1 / tendonStiffness of what belly of its length does.
static void supTestTendons( void** state )
{
    (void)state;
    supPart part;
    supOpenPart( &part );
    part.muscle.def.segments = 12.0f;
    part.muscle.def.tendonFrom = part.muscle.def.tendonTo = 1.0f / 6.0f;
    supMakePart( &part );
    const float ratios[3] = { 50.0f, 4.0f, 1.0f }, moves[2] = { 0.2f, -0.2f };
    for ( int32_t k = 0; k < 6; ++k )
    {
        double ratio = (double)ratios[k % 3], move = (double)moves[k / 3];
        supMuscleStage_Set( &part.stage, 0, "tendonStiffness", ratios[k % 3] );
        part.stage.joints[2].t.y = 1.0f + moves[k / 3];
        supMuscleStage_Step( &part.stage, 1.0f / 60.0f );
        double belly = move / ( 0.8 + 0.4 / ratio ); // strain; 0.8 m are belly
        for ( int32_t i = 0; i < 12; ++i )
        {
            double length = (double)supDistance( part.stage.now.line[i], part.stage.now.line[i + 1] );
            bool tendon = i < 2 || i > 9;
            supAssertNear( length / 0.1 - 1.0, tendon ? belly / ratio : belly, 1e-4 );
        }
    }
    supMuscleStage_Drop( &part.stage );
}

/// A point between two bones goes its share of the way with the second.
static void supTestTwoJoints( void** state )
{
    (void)state;
    for ( int32_t k = 0; k <= 4; ++k )
    {
        supPart part;
        supOpenPart( &part );
        supStageMuscle_AddFree( &part.muscle, supMakeVec3( 0.3f, 0.8f, 0.0f ), part.stage.size );
        part.muscle.points[1].free = false;
        part.muscle.points[1].other = "upper";
        part.muscle.points[1].share = 0.25f * (float)k;
        part.muscle.def.segments = 2.0f;
        supMakePart( &part );
        part.stage.joints[2].t = supMakeVec3( 0.2f, 1.1f, -0.3f );
        supMuscleStage_Step( &part.stage, 1.0f / 60.0f );
        supVec3 at = part.stage.now.line[1];
        supAssertNear( (double)at.x, 0.3 + 0.25 * k * 0.2, 1e-6 );
        supAssertNear( (double)at.y, 0.8 + 0.25 * k * 0.1, 1e-6 );
        supAssertNear( (double)at.z, 0.25 * k * -0.3, 1e-6 );
        supMuscleStage_Drop( &part.stage );
    }
}

/// A filler's fields act on the lines that name it, bit for bit as if they were their own, and on no others.
static void supTestAround( void** state )
{
    (void)state;
    supMuscleStage stages[3];
    const char* const names[1] = { "bone" };
    for ( int32_t k = 0; k < 3; ++k )
    {
        supMuscleStage* stage = stages + k;
        supStageMuscle line, filler;
        supMuscleStage_Init( stage );
        supInitStageMuscle( &line, "line", stage->size );
        supInitStageMuscle( &filler, "bone", stage->size );
        filler.def.shape = sup_muscleFiller;
        filler.def.points.count = 0;
        supStageMuscle* owner = k == 0 ? &line : &filler;
        supStageMuscle_AddBall( owner, supMakeVec3( 0.25f, 0.8f, 0.02f ), 0.15f, stage->size );
        owner->fields[0].solid = true;
        line.def.around = ( supNameList ){ k == 1 ? 1 : 0, names };
        const supStageMuscle* list[2] = { &line, &filler };
        supMuscleStage_Make( stage, list, k == 0 ? 1 : 2 );
        supMuscleStage_Step( stage, 0.0f );
    }
    size_t bytes = 3 * sizeof( float ) * (size_t)stages[0].muscles->vertexCount;
    assert_memory_equal( supMuscleStage_Shown( stages ), supMuscleStage_Shown( stages + 1 ), bytes );
    double most = 0.0;
    supShownApart( stages, stages + 2, &most );
    assert_true( most > 0.05 );
    for ( int32_t i = 0; i < stages[2].muscles->vertexCount; ++i )
    {
        supAssertNear( (double)stages[2].now.line[i].x, 0.3, 1e-6 ); // straight through
    }
    for ( int32_t k = 0; k < 3; ++k )
    {
        supMuscleStage_Drop( stages + k );
    }
}

/// The axes of a field: turned by its rotation vector against the joint's, and with the joint.
static void supTestTurnedField( void** state )
{
    (void)state;
    supPart part;
    supOpenPart( &part );
    supStageMuscle_AddBall( &part.muscle, supMakeVec3( 0.1f, 0.2f, 0.0f ), 0.1f, part.stage.size );
    part.muscle.fields[0].joint = "upper";
    part.muscle.fields[0].radii = supScale( supMakeVec3( 0.05f, 0.1f, 0.02f ), 1.0f / part.stage.size );
    part.muscle.fields[0].turn = supMakeVec3( 0.0f, 0.0f, 30.0f );
    supMakePart( &part );
    for ( int32_t k = 0; k < 2; ++k )
    {
        double angle = ( 30.0 + 40.0 * k ) * 3.14159265358979 / 180.0, bend = 40.0 * k * 3.14159265358979 / 180.0;
        supMat34 turn = supMatFromQuat( supQuatFromAxisAngle( supMakeVec3( 0.0f, 0.0f, 1.0f ), (float)bend ) );
        turn.t = part.stage.joints[2].t;
        part.stage.joints[2] = turn;
        supMuscleStage_Step( &part.stage, 1.0f / 60.0f );
        supMat34 field = part.stage.now.ellipsoids[0];
        supAssertNear( (double)field.x.x, 0.05 * cos( angle ), 1e-6 );
        supAssertNear( (double)field.x.y, 0.05 * sin( angle ), 1e-6 );
        supAssertNear( (double)field.y.x, -0.1 * sin( angle ), 1e-6 );
        supAssertNear( (double)field.y.y, 0.1 * cos( angle ), 1e-6 );
        supAssertNear( (double)field.z.z, 0.02, 1e-6 );
        supAssertNear( (double)field.t.x, 0.1 * cos( bend ) - 0.2 * sin( bend ), 1e-6 );
        supAssertNear( (double)field.t.y, 1.0 + 0.1 * sin( bend ) + 0.2 * cos( bend ), 1e-6 );
    }
    supMuscleStage_Drop( &part.stage );
}

// ---------------------------------------------------------------------------------------------------------------
// Lines that swing

static void supMakeItSwing( supPart* part )
{
    part->muscle.def.motion = sup_lineSwing;
    part->muscle.def.stiffness = NAN;
    part->muscle.def.frequency = 2.0f;
    part->muscle.def.dampingRatio = 0.1f;
}

static void supOpenSwinging( supPart* part )
{
    supOpenPart( part );
    supMakeItSwing( part );
}

static supMat34 supWorldAt( int32_t frame )
{
    supVec3 up = supMakeVec3( 0.0f, 1.0f, 0.0f );
    supMat34 world = supMatFromQuat( supQuatFromAxisAngle( up, 0.3f * supSinF( 0.13f * (float)frame ) ) );
    world.t = supMakeVec3( 0.5f * supSinF( 0.2f * (float)frame ), 0.1f * supSinF( 0.17f * (float)frame ), 0.0f );
    return world;
}

/// Whether the world moves the model, or its joints do in a world that stands still: the line swings alike.
static void supTestWorldMotion( void** state )
{
    (void)state;
    supPart a, b;
    supOpenSwinging( &a );
    supOpenSwinging( &b );
    supMakePart( &a );
    supMakePart( &b );
    const supMat34* rest = supCharacter_Info( a.stage.character )->restJoints;
    double most = 0.0;
    for ( int32_t frame = 0; frame < 100; ++frame )
    {
        supMat34 world = supWorldAt( frame ), carried[3];
        for ( int32_t j = 0; j < 3; ++j )
        {
            carried[j] = supMulMat( world, rest[j] );
        }
        assert_int_equal( supBody_Step( a.stage.body, rest, world, 1.0f / 60.0f ), sup_success );
        assert_int_equal( supBody_Step( b.stage.body, carried, supMat34_identity, 1.0f / 60.0f ), sup_success );
        assert_true( supShownApart( &a.stage, &b.stage, &most ) < 1e-5 );
    }
    assert_true( most > 0.01 );
    supMuscleStage_Drop( &a.stage );
    supMuscleStage_Drop( &b.stage );
}

/// A body that is put elsewhere in mid-swing swings on as if it had stayed.
static void supTestTeleport( void** state )
{
    (void)state;
    supPart a, b;
    supOpenSwinging( &a );
    supOpenSwinging( &b );
    supMakePart( &a );
    supMakePart( &b );
    supMat34 away = supMatFromQuat( supQuatFromAxisAngle( supMakeVec3( 0.0f, 1.0f, 0.0f ), 2.0f ) );
    away.t = supMakeVec3( 50.0f, 3.0f, 9.0f );
    supMat34 world = supMat34_identity;
    double most = 0.0;
    for ( int32_t frame = 0; frame < 60; ++frame )
    {
        if ( frame == 20 )
        {
            supBody_Teleport( b.stage.body, world, away );
            world = away;
        }
        supMat34 shaken = supMat34_identity;
        shaken.t.x = frame < 15 ? 0.02f * (float)frame : 0.28f;
        supMat34 there = supMulMat( world, shaken );
        assert_int_equal( supBody_Step( a.stage.body, a.stage.joints, shaken, 1.0f / 60.0f ), sup_success );
        assert_int_equal( supBody_Step( b.stage.body, b.stage.joints, there, 1.0f / 60.0f ), sup_success );
        most = frame == 20 ? 0.0 : most;
        assert_true( supShownApart( &a.stage, &b.stage, &most ) < 2e-5 );
    }
    assert_true( most > 0.005 ); // it was swinging
    supMuscleStage_Drop( &a.stage );
    supMuscleStage_Drop( &b.stage );
}

/// A body whose rig was edited shows what it did, bit for bit, and swings on the same; muscles are known by their
/// names.
static void supTestEdited( void** state )
{
    (void)state;
    supPart a, b;
    supStageMuscle another;
    supOpenSwinging( &a );
    supMuscleStage_InitBeside( &b.stage, &a.stage );
    supInitStageMuscle( &b.muscle, "line", b.stage.size );
    supMakeItSwing( &b );
    a.muscle.def.activation = b.muscle.def.activation = 2.0f;
    supMakePart( &a );
    supInitStageMuscle( &another, "another", b.stage.size );
    const supStageMuscle* list[2] = { &another, &b.muscle };
    supMuscleStage_Make( &b.stage, list, 2 );
    size_t count = (size_t)supVertexCount( &a ), first = (size_t)b.stage.muscles->muscles[1].firstVertex;
    for ( int32_t frame = 0; frame < 40; ++frame )
    {
        a.stage.joints[2].t = supMakeVec3( 0.2f * supSinF( 0.4f * (float)frame ), 1.0f - 0.01f * (float)frame, 0.0f );
        supMuscleStage_Step( &a.stage, 1.0f / 60.0f );
        if ( frame == 20 )
        {
            supBody_Adopt( b.stage.body, a.stage.body );
        }
        else if ( frame > 20 )
        {
            b.stage.joints[2] = a.stage.joints[2];
            supMuscleStage_Step( &b.stage, 1.0f / 60.0f );
        }
        const float *shown = supMuscleStage_Shown( &a.stage ), *edited = supMuscleStage_Shown( &b.stage );
        if ( frame >= 20 )
        {
            assert_memory_equal( shown, edited + 3 * first, 3 * count * sizeof( float ) );
            assert_true( shown[3 * count] == edited[3 * (size_t)b.stage.muscles->vertexCount + 1] );
            assert_true( shown[3 * count] > 0.1f );
        }
    }
    supMuscleStage_Drop( &b.stage );
    supMuscleStage_Drop( &a.stage );
}

// ---------------------------------------------------------------------------------------------------------------
// Forms

/// Contraction makes the belly thicker and shorter, keeps the volume, and leaves tendons as they are.
static void supTestBulge( void** state )
{
    (void)state;
    supPart part;
    supOpenPart( &part );
    part.muscle.def.segments = 24.0f;
    part.muscle.def.tendonFrom = part.muscle.def.tendonTo = 0.25f;
    supMakePart( &part );
    double rest[25], last = 1.0;
    for ( int32_t k = 0; k <= 4; ++k )
    {
        supMuscleStage_Set( &part.stage, 0, "contraction", 0.25f * (float)k );
        supMuscleStage_Step( &part.stage, 1.0f / 60.0f );
        supMuscleView view;
        supBody_Muscles( part.stage.body, &view );
        supAssertNear( (double)( view.volume / view.restVolume ), 1.0, 0.02 );
        for ( int32_t i = 0; i <= 24; ++i )
        {
            double depth = (double)part.stage.now.strands[i].depth;
            rest[i] = k == 0 ? depth : rest[i];
            if ( k > 0 && ( i <= 6 || i >= 18 ) )
            {
                supAssertNear( depth / rest[i], 1.0, 0.05 );
            }
        }
        double middle = (double)part.stage.now.strands[12].depth / rest[12];
        double shoulder = (double)part.stage.now.strands[8].depth / rest[8];
        assert_true( k == 0 || ( middle > last + 0.03 && shoulder < 1.0 ) );
        last = middle;
    }
    assert_true( last > 1.2 && last < 1.5 );
    supMuscleStage_Drop( &part.stage );
}

/// A mesh beside its line, and longer than it: a box 0.1 m thick and 1.4 m long, 0.1 m away from the line. Its sections
/// stand in its own middle, no broader than it is, and what lies beyond the line's ends is not lost. (Once it was
/// doubled to the other side, and its ends were pressed flat.) In a pose twice as large it is twice as large.
static void supTestMeshBeside( void** state )
{
    (void)state;
    static const int32_t corners[36] = { 0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2,
        6, 0, 6, 4, 1, 5, 7, 1, 7, 3 };
    supVec3 points[8];
    for ( int i = 0; i < 8; ++i )
    {
        points[i] = supMakeVec3( i & 1 ? 0.45f : 0.35f, i & 2 ? 1.5f : 0.1f, i & 4 ? 0.05f : -0.05f );
    }
    supPart part;
    supOpenPart( &part );
    part.muscle.def.shape = sup_muscleMesh;
    part.muscle.def.mesh = ( supSculpt ){ "box.obj", 8, points, 12, corners };
    supMakePart( &part );
    for ( int large = 0; large < 2; ++large )
    {
        float scale = large ? 2.0f : 1.0f;
        for ( int j = 0; j < 3 && large; ++j )
        {
            supMat34* m = part.stage.joints + j;
            *m = ( supMat34 ){ supScale( m->x, 2.0f ), supScale( m->y, 2.0f ), supScale( m->z, 2.0f ),
                supScale( m->t, 2.0f ) };
        }
        supMuscleStage_Step( &part.stage, 0.0f );
        supMuscleView view;
        supBody_Muscles( part.stage.body, &view );
        supAssertNear( (double)view.volume, 0.014 * (double)( scale * scale * scale ), 1e-4 * (double)scale );
        for ( int32_t i = 0; i < supVertexCount( &part ); ++i )
        {
            const supStrandVertex* now = part.stage.now.strands + i;
            supAssertNear( (double)now->middle.x, 0.4 * (double)scale, 1e-4 );
            supAssertNear( (double)now->middle.z, 0.0, 1e-4 );
            supAssertNear( (double)now->width, 0.05 * (double)scale, 1e-4 );
            supAssertNear( (double)now->depth, 0.05 * (double)scale, 1e-4 );
        }
    }
    supMuscleStage_Drop( &part.stage );
}

/// `swell` is times its radii: the volume grows with the square.
static void supTestSwell( void** state )
{
    (void)state;
    supPart part;
    supOpenPart( &part );
    part.muscle.def.shape = sup_muscleBellies;
    part.muscle.def.spreadFrom = 0.2f / part.stage.size;
    supMakePart( &part );
    supMuscleStage_Step( &part.stage, 0.0f );
    supStrandVertex before[32];
    int32_t count = 3 * supVertexCount( &part );
    assert_true( count <= 32 );
    memcpy( before, part.stage.now.strands, (size_t)count * sizeof( supStrandVertex ) );
    supMuscleStage_Set( &part.stage, 0, "swell", 1.3f );
    supMuscleStage_Step( &part.stage, 1.0f / 60.0f );
    for ( int32_t i = 0; i < count; ++i )
    {
        const supStrandVertex* now = part.stage.now.strands + i;
        supAssertNear( (double)( now->width / before[i].width ), 1.3, 1e-5 );
        supAssertNear( (double)( now->depth / before[i].depth ), 1.3, 1e-5 );
    }
    supMuscleView view;
    supBody_Muscles( part.stage.body, &view );
    supAssertNear( (double)( view.volume / view.restVolume ), 1.69, 1e-3 );
    supMuscleStage_Drop( &part.stage );
}

/// The belly is thickest where it is asked to be, between the tendons; from either end it looks the same.
static void supTestBellyPlace( void** state )
{
    (void)state;
    float depths[2][41];
    for ( int32_t k = 0; k < 2; ++k )
    {
        supPart part;
        supOpenPart( &part );
        part.muscle.def.segments = 40.0f;
        part.muscle.def.tendonFrom = k == 0 ? 0.1f : 0.3f;
        part.muscle.def.tendonTo = k == 0 ? 0.3f : 0.1f;
        part.muscle.def.belly = k == 0 ? 0.25f : 0.75f; // at 0.1 + 0.25 * 0.6 of the line; from the other end
        supMakePart( &part );
        supMuscleStage_Step( &part.stage, 0.0f );
        int32_t thickest = 0;
        for ( int32_t i = 0; i <= 40; ++i )
        {
            depths[k][i] = part.stage.now.strands[i].depth;
            thickest = depths[k][i] > depths[k][thickest] ? i : thickest;
            float place = (float)i / 40.0f, from = part.muscle.def.tendonFrom, to = 1.0f - part.muscle.def.tendonTo;
            if ( place <= from || place >= to )
            {
                supAssertNear( (double)depths[k][i], 0.015, 1e-6 );
            }
        }
        assert_int_equal( thickest, k == 0 ? 10 : 30 );
        supAssertNear( (double)depths[k][thickest], 0.08, 1e-6 );
        supMuscleStage_Drop( &part.stage );
    }
    for ( int32_t i = 0; i <= 40; ++i )
    {
        supAssertNear( (double)depths[0][i], (double)depths[1][40 - i], 1e-5 );
    }
}

/// Shortened evenly it tenses as 1 - exp( -t / activationTime ); held, it lets go as exp( -t / activationTime ).
static void supTestActivation( void** state )
{
    (void)state;
    const double times[3] = { 0.1, 0.4, 0.0 }, dt = 1.0 / 60.0, speed = 0.3; // m/s
    for ( int32_t k = 0; k < 3; ++k )
    {
        supPart part;
        supOpenPart( &part );
        part.muscle.def.activation = 2.0f;
        part.muscle.def.activationTime = (float)times[k];
        supMakePart( &part );
        supMuscleStage_Step( &part.stage, 0.0f );
        double wanted = 2.0 * speed / 1.2, reached = 0.0;
        for ( int32_t frame = 1; frame <= 60; ++frame )
        {
            bool shortens = frame <= 30;
            part.stage.joints[2].t.y = 1.0f - (float)( speed * dt * ( shortens ? frame : 30 ) );
            supMuscleStage_Step( &part.stage, (float)dt );
            double t = dt * ( shortens ? frame : frame - 30 ), left = times[k] > 0.0 ? exp( -t / times[k] ) : 0.0;
            double course = shortens ? wanted * ( 1.0 - left ) : reached * left;
            supAssertNear( (double)part.stage.now.contractions[0], course, 2e-3 );
            reached = shortens ? course : reached;
        }
        supMuscleStage_Drop( &part.stage );
    }
}

/// The more it is damped the less is left of a swing.
static void supTestSwingDamping( void** state )
{
    (void)state;
    double left[3];
    const float ratios[3] = { 0.02f, 0.2f, 1.0f };
    for ( int32_t k = 0; k < 3; ++k )
    {
        supPart part;
        supOpenSwinging( &part );
        part.muscle.def.dampingRatio = ratios[k];
        supMakePart( &part );
        supMat34 world = supMat34_identity;
        left[k] = 0.0;
        for ( int32_t frame = 0; frame < 60; ++frame )
        {
            world.t.x = frame < 10 ? 0.03f * (float)frame : 0.27f;
            assert_int_equal( supBody_Step( part.stage.body, part.stage.joints, world, 1.0f / 120.0f ), sup_success );
            double most = 0.0;
            supShownApart( &part.stage, &part.stage, &most );
            left[k] = frame > 40 ? fmax( left[k], most ) : 0.0;
        }
        supMuscleStage_Drop( &part.stage );
    }
    assert_true( left[0] > 1.5 * left[1] && left[1] > 2.0 * left[2] && left[0] > 1e-3 );
}

/// As modelled nothing moves: a bent line under tension and its own weight, with points that are free.
static void supTestAsModelled( void** state )
{
    (void)state;
    supPart part;
    supOpenPart( &part );
    supStageMuscle_AddFree( &part.muscle, supMakeVec3( 0.5f, 0.8f, 0.1f ), part.stage.size );
    part.muscle.def.tension = 0.0f;
    part.muscle.def.tendonTo = 0.3f;
    supMakePart( &part );
    for ( int32_t motion = 0; motion < 2; ++motion )
    {
        supMuscleStage_Set( &part.stage, 0, "motion", (float)motion );
        supMuscleStage_Step( &part.stage, 0.1f * (float)motion );
        for ( int32_t i = 0; i < 3 * supVertexCount( &part ); ++i )
        {
            supAssertNear( (double)supMuscleStage_Shown( &part.stage )[i], 0.0, 2e-6 );
        }
    }
    supMuscleStage_Drop( &part.stage );
}

/// Bends and shortens for a few steps; all of the muscle stays numbers.
static void supAssertFinite( supPart* part )
{
    for ( int32_t frame = 0; frame < 6; ++frame )
    {
        supMat34 turn = supMatFromQuat( supQuatFromAxisAngle( supMakeVec3( 0, 0, 1 ), 0.3f * (float)frame ) );
        turn.t = supMakeVec3( 0.05f * (float)frame, 1.0f - 0.02f * (float)frame, 0.0f );
        part->stage.joints[2] = turn;
        supMuscleStage_Step( &part->stage, 1.0f / 30.0f );
        for ( int32_t i = 0; i < supVertexCount( part ); ++i )
        {
            const supStrandVertex* at = part->stage.now.strands + i;
            assert_true( isfinite( at->at.x + at->at.y + at->at.z ) && isfinite( at->wide.x + at->deep.x ) );
            assert_true( isfinite( at->width ) && isfinite( at->depth ) && at->width > 0.0f && at->depth > 0.0f );
            assert_true( supLength( at->at ) < 100.0f );
        }
    }
}

/// Every live field at both ends of its range, choices too, of lines that relax and that swing, beside a solid field.
static void supTestRanges( void** state )
{
    (void)state;
    int32_t tried = 0;
    for ( int32_t k = 0; k < 2; ++k )
    {
        supPart part;
        supOpenPart( &part );
        supStageMuscle_AddFree( &part.muscle, supMakeVec3( 0.35f, 0.8f, 0.0f ), part.stage.size );
        supStageMuscle_AddBall( &part.muscle, supMakeVec3( 0.1f, 0.9f, 0.0f ), 0.15f, part.stage.size );
        part.muscle.fields[0].solid = true;
        part.muscle.fields[0].pull = 1.0f;
        part.muscle.def.motion = k == 0 ? sup_lineRelax : sup_lineSwing;
        part.muscle.def.activation = 1.0f;
        supMakePart( &part );
        const supLayerInfo* info = supGetLayerInfo( part.stage.layer );
        for ( int32_t i = 0; i < 2 * info->fieldCount; ++i )
        {
            const supField* field = info->fields + i / 2;
            float high = field->type == sup_fieldEnum ? 1.0f : field->maximum, low = field->minimum;
            if ( field->live )
            {
                float kept = supBody_Field( part.stage.body, part.stage.layer, 0, field->name );
                supMuscleStage_Set( &part.stage, 0, field->name, i % 2 == 0 ? low : high );
                supAssertFinite( &part );
                supMuscleStage_Set( &part.stage, 0, field->name, isnan( kept ) ? 1000.0f : kept );
                tried += 1;
            }
        }
        supMuscleStage_Drop( &part.stage );
    }
    assert_true( tried >= 2 * 2 * 20 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestTendons ),
        cmocka_unit_test( supTestTwoJoints ),
        cmocka_unit_test( supTestAround ),
        cmocka_unit_test( supTestTurnedField ),
        cmocka_unit_test( supTestWorldMotion ),
        cmocka_unit_test( supTestTeleport ),
        cmocka_unit_test( supTestEdited ),
        cmocka_unit_test( supTestBulge ),
        cmocka_unit_test( supTestMeshBeside ),
        cmocka_unit_test( supTestSwell ),
        cmocka_unit_test( supTestBellyPlace ),
        cmocka_unit_test( supTestActivation ),
        cmocka_unit_test( supTestSwingDamping ),
        cmocka_unit_test( supTestAsModelled ),
        cmocka_unit_test( supTestRanges ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
