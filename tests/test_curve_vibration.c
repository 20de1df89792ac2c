// Skin that vibrates on its curves: against a fine integration, at several frame rates, in a loop, and at rest.
#include "base/math.h"
#include "rig/layer_list.h"
#include "supple/bake.h"
#include "supple/body.h"
#include "supple/creatures.h"
#include "supple/model.h"
#include "support/creature_cache.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct supCase
{
    const supCharacter* character;
    supModel* model;
    supBody* body;
    supVec3 *smooth, *living;
    int32_t vertexCount;
} supCase;

static void supMakeBody( supCase* c, const supCurvesDef* defs, int32_t count )
{
    supError error = { 0 };
    supRig* rig;
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    for ( int32_t i = 0; i < count; ++i )
    {
        assert_int_equal( supRig_AddItem( rig, sup_layerCurves, defs + i, &error ), sup_success );
    }
    if ( supCompileModel( c->character, rig, &c->model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
    assert_int_equal( supCreateBody( c->model, &c->body, &error ), sup_success );
    supBody_SetExact( c->body, true );
    c->vertexCount = supCharacter_Info( c->character )->vertexCount;
    c->smooth = malloc( sizeof( supVec3 ) * (size_t)c->vertexCount );
    c->living = malloc( sizeof( supVec3 ) * (size_t)c->vertexCount );
}

static void supOpenCase( supCase* c, const char* name, const supCurvesDef* def )
{
    c->character = supTestCreature( name );
    supMakeBody( c, def, 1 );
}

static void supCloseCase( supCase* c )
{
    supDestroyBody( c->body );
    supDestroyModel( c->model );
    free( c->smooth );
    free( c->living );
}

static void supSkinCase( supCase* c )
{
    supBody_SmoothSkin( c->body, &c->smooth[0].x, NULL );
    supBody_Skin( c->body, &c->living[0].x, NULL );
}

static supMat34 supShifted( double x )
{
    supMat34 world = supMat34_identity;
    world.t.x = (float)x;
    return world;
}

/// u'' + 2 zeta omega u' + omega^2 u = -amount x'' with x = 0.02 (1 - cos 4 pi t)^2, which starts without a
/// jolt, by small steps.
static double supFineSwing( double omega, double zetaOmega, double amount, double to )
{
    double u = 0.0, v = 0.0, h = 1e-5;
    int64_t steps = (int64_t)floor( to / h + 0.5 );
    for ( int64_t i = 0; i < steps; ++i )
    {
        double t = ( (double)i + 0.5 ) * h, w = 4.0 * SUP_PI;
        double x = cos( w * t ), y = sin( w * t );
        double load = -amount * 0.04 * w * w * ( y * y + ( 1.0 - x ) * x );
        double half = v + 0.5 * h * ( load - 2.0 * zetaOmega * v - omega * omega * u );
        u += h * half;
        v += h * ( load - 2.0 * zetaOmega * half - omega * omega * ( u - 0.5 * h * half ) );
    }
    return u;
}

/// A mushroom shaken to and fro. Without bending all harmonics swing as the mean does, with very much of it the mean
/// alone is left: either way the skin's mean shift is the oscillator's by a factor, the flesh's mean thickness. Gives
/// the largest difference from that.
static double supShakenError( double rate, float bending, double* largest, double* factor )
{
    supCurvesDef def = supDefaultCurvesDef();
    def.bending = bending;
    def.limit = 10.0f;
    supCase c;
    supOpenCase( &c, "mushroom", &def );
    const supMat34* joints = supCharacter_Info( c.character )->restJoints;
    double omega = 2.0 * SUP_PI * def.frequency, shown[8], fine[8], product = 0.0, square = 0.0;
    int32_t count = 0;
    assert_int_equal( supBody_Step( c.body, joints, supShifted( 0.0 ), 0.0f ), sup_success );
    int32_t frames = (int32_t)( 0.8 * rate );
    *largest = 0.0;
    for ( int32_t i = 1; i <= frames; ++i )
    {
        double t = i / rate;
        supBody_Step(
            c.body, joints, supShifted( 0.02 * pow( 1.0 - cos( 4.0 * SUP_PI * t ), 2.0 ) ), (float)( 1.0 / rate ) );
        if ( i % ( frames / 5 ) != 0 )
        {
            continue;
        }
        supSkinCase( &c );
        double most = 0.0;
        for ( int32_t v = 0; v < c.vertexCount; ++v )
        {
            double moved = c.living[v].x - c.smooth[v].x;
            most += moved / c.vertexCount;                               // waves around a ring cancel out
            assert_true( fabs( c.living[v].y - c.smooth[v].y ) < 1e-6 ); // along the shaking alone
        }
        shown[count] = most;
        fine[count] = supFineSwing( omega, def.dampingRatio * omega, def.amount, t );
        *largest = fmax( *largest, fabs( fine[count] ) );
        product += most * fine[count];
        square += fine[count] * fine[count];
        ++count;
    }
    *factor = product / square;
    double worst = 0.0;
    for ( int32_t i = 0; i < count; ++i )
    {
        worst = fmax( worst, fabs( shown[i] - *factor * fine[i] ) );
    }
    supCloseCase( &c );
    return worst;
}

static void supTestOscillator( void** state )
{
    (void)state;
    static const double rates[3] = { 30.0, 60.0, 240.0 }, bounds[3] = { 0.01, 0.002, 0.001 };
    for ( int32_t i = 0; i < 6; ++i )
    {
        float bending = i < 3 ? 0.0f : 1000.0f;
        double largest, factor, off = supShakenError( rates[i % 3], bending, &largest, &factor );
        print_message( "shaken mushroom at %.0f Hz: mean shift %.3f of the oscillator's, off it by %.2f%% of %.1f mm\n",
            rates[i % 3], factor, 100.0 * off / largest, 1e3 * largest );
        assert_true( largest > 0.005 );
        assert_true( factor > 0.2 && factor < 0.9 );
        assert_true( off < bounds[i % 3] * largest );
    }
}

/// At rest no bit changes; on the run everything moves within its limit; standing still it comes to rest again.
static void supTestHorseRuns( void** state )
{
    (void)state;
    supCurvesDef def = supDefaultCurvesDef();
    supCase c;
    supOpenCase( &c, "horse", &def );
    supPose* pose;
    assert_int_equal( supCreatePose( c.character, NULL, &pose, NULL ), sup_success );
    supPose_Rest( pose );
    for ( int32_t i = 0; i < 5; ++i )
    {
        supBody_Step( c.body, supPose_Joints( pose ), supMat34_identity, 1.0f / 60.0f );
    }
    supSkinCase( &c );
    assert_memory_equal( c.smooth, c.living, sizeof( supVec3 ) * (size_t)c.vertexCount );
    float largest = 0.0f;
    for ( int32_t i = 0; i < 64; ++i )
    {
        supPose_Sample( pose, 0, fmod( i / 60.0, 16.0 / 30.0 ) );
        supBody_Step( c.body, supPose_Joints( pose ), supMat34_identity, 1.0f / 60.0f );
        supSkinCase( &c );
        for ( int32_t v = 0; v < c.vertexCount; ++v )
        {
            largest = supMaxF( largest, supLength( supSub( c.living[v], c.smooth[v] ) ) );
        }
    }
    print_message( "horse on the run: skin shifts by up to %.1f mm\n", 1e3 * (double)largest );
    assert_true( largest > 0.005f && largest < 0.15f );
    supPose_Rest( pose );
    for ( int32_t i = 0; i < 60 * 20; ++i )
    {
        supBody_Step( c.body, supPose_Joints( pose ), supMat34_identity, 1.0f / 60.0f );
    }
    supSkinCase( &c );
    assert_memory_equal( c.smooth, c.living, sizeof( supVec3 ) * (size_t)c.vertexCount );
    supDestroyPose( pose );
    supCloseCase( &c );
}

/// The gallop as a loop: its last frame is its first.
static void supTestLoopCloses( void** state )
{
    (void)state;
    supCurvesDef def = supDefaultCurvesDef();
    supCase c;
    supOpenCase( &c, "horse", &def );
    supTakeDef takeDef = supDefaultTakeDef();
    takeDef.model = c.model;
    takeDef.clip = 0;
    supTake* take = NULL;
    supError error = { 0 };
    if ( supCreateTake( &takeDef, &take, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supTakeInfo info = supTake_Info( take );
    supPose* pose;
    assert_int_equal( supCreatePose( c.character, NULL, &pose, NULL ), sup_success );
    supVec3* first = malloc( sizeof( supVec3 ) * (size_t)c.vertexCount );
    float seam = 0.0f, largest = 0.0f;
    supClipView view = supCharacter_Clip( c.character, 0 );
    for ( int32_t end = 0; end < 2; ++end )
    {
        double time = end == 0 ? view.start : view.end;
        supPose_Sample( pose, 0, time );
        supTake_Show( take, time, supPose_Joints( pose ), c.body );
        supSkinCase( &c );
        for ( int32_t v = 0; v < c.vertexCount; ++v )
        {
            supVec3 added = supSub( c.living[v], c.smooth[v] );
            seam = end == 1 ? supMaxF( seam, supLength( supSub( added, first[v] ) ) ) : seam;
            largest = supMaxF( largest, supLength( added ) );
            first[v] = added;
        }
    }
    print_message( "seam of the gallop %.2g of a displacement of %.2g m\n", (double)seam, (double)largest );
    assert_true( info.loops && largest > 1e-3f && seam < 1e-5f * supCharacter_Info( c.character )->size );
    free( first );
    supDestroyPose( pose );
    supDestroyTake( take );
    supCloseCase( &c );
}

// A quarter turn of the whole character about z.
static void supTurnJoints( const supCase* c, supMat34* joints )
{
    int32_t count = supCharacter_Info( c->character )->jointCount;
    const supMat34 turn = { { 0.0f, 1.0f, 0.0f }, { -1.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 1.0f }, { 0.0f, 0.0f, 0.0f } };
    memcpy( joints, supCharacter_Info( c->character )->restJoints, (size_t)count * sizeof( supMat34 ) );
    for ( int32_t j = 0; j < count; ++j )
    {
        joints[j] = supMulMat( turn, joints[j] );
    }
}

static void supMeanShift( supCase* c, double mean[3] )
{
    supSkinCase( c );
    mean[0] = mean[1] = mean[2] = 0.0;
    for ( int32_t v = 0; v < c->vertexCount; ++v )
    {
        supVec3 moved = supSub( c->living[v], c->smooth[v] );
        mean[0] += (double)moved.x / c->vertexCount;
        mean[1] += (double)moved.y / c->vertexCount;
        mean[2] += (double)moved.z / c->vertexCount;
    }
}

/// Laid on its side from one frame to the next, with inertia off: what it feels is gravity as it is now less gravity as
/// it was to it at rest, (-1, -1, 0) g, and it swings there as a spring does under a load that is put on at once:
///     u = u_end ( 1 - e^(-zeta omega t) ( cos w t + zeta omega / w sin w t ) ).
static void supTestGravity( void** state )
{
    (void)state;
    supCurvesDef def = supDefaultCurvesDef();
    def.amount = 0.0f;
    def.bending = 1000.0f; // the mean alone
    def.limit = 10.0f;
    supCase c;
    supOpenCase( &c, "mushroom", &def );
    supMat34 joints[8];
    double rate = 480.0, omega = 2.0 * SUP_PI * def.frequency, decay = def.dampingRatio * omega;
    double w = sqrt( omega * omega - decay * decay ), ends[3] = { 0 }, swings[240][3];
    supBody_Step( c.body, supCharacter_Info( c.character )->restJoints, supMat34_identity, 0.0f );
    supTurnJoints( &c, joints );
    for ( int32_t i = 0; i < 240; ++i )
    {
        supBody_Step( c.body, joints, supMat34_identity, (float)( 1.0 / rate ) );
        supMeanShift( &c, swings[i] );
    }
    double far = 0.0, off = 0.0;
    for ( int32_t k = 0; k < (int32_t)( 8.0 * rate ); ++k )
    {
        supBody_Step( c.body, joints, supMat34_identity, (float)( 1.0 / rate ) );
    }
    supMeanShift( &c, ends );
    float thickness = 0.0f;
    for ( int32_t v = 0; v < c.vertexCount; ++v )
    {
        const float* p = supCharacter_Info( c.character )->restPositions + 3 * v;
        thickness = supMaxF( thickness, sqrtf( p[0] * p[0] + p[2] * p[2] ) );
    }
    far = sqrt( ends[0] * ends[0] + ends[1] * ends[1] );
    for ( int32_t i = 0; i < 240; ++i )
    {
        double t = ( i + 0.5 ) / rate; // the load comes on over a frame: half a frame late
        double along = ( swings[i][0] * ends[0] + swings[i][1] * ends[1] ) / far;
        double truth = far * ( 1.0 - exp( -decay * t ) * ( cos( w * t ) + decay / w * sin( w * t ) ) );
        off = fmax( off, fabs( along - truth ) );
    }
    double share = far / ( sqrt( 2.0 ) * def.sag * (double)thickness );
    print_message( "laid on its side: sags by %.1f mm, %.2f of the sag asked for, off the spring's swing by %.2f%%\n",
        1e3 * far, share, 100.0 * off / far );
    assert_true( ends[0] < 0.0 && fabs( ends[0] - ends[1] ) < 1e-3 * far && fabs( ends[2] ) < 1e-3 * far );
    assert_true( share > 0.63 && share < 0.69 ); // the mean thickness, as in the shaken mushroom's factor
    assert_true( off < 0.01 * far );
    supCloseCase( &c );
}

/// It lies on its side, sagging and still, and is put elsewhere, turned about the vertical: gravity is to it what it
/// was, so nothing moves.
static void supTestTeleportKeepsSag( void** state )
{
    (void)state;
    supCurvesDef def = supDefaultCurvesDef();
    supCase c;
    supOpenCase( &c, "mushroom", &def );
    supMat34 joints[8];
    double before[3], after[3], off = 0.0;
    supTurnJoints( &c, joints );
    supBody_Step( c.body, joints, supMat34_identity, 0.0f );
    supBody_Step( c.body, joints, supMat34_identity, 1.0f / 60.0f );
    supMeanShift( &c, before );
    supMat34 there = supMatFromQuat( supQuatFromAxisAngle( supMakeVec3( 0.0f, 1.0f, 0.0f ), 2.0f ) );
    there.t = supMakeVec3( 3.0f, 0.0f, -2.0f );
    supBody_Teleport( c.body, supMat34_identity, there );
    for ( int32_t i = 0; i < 30; ++i )
    {
        supBody_Step( c.body, joints, there, 1.0f / 60.0f );
        supMeanShift( &c, after );
        for ( int32_t axis = 0; axis < 3; ++axis )
        {
            off = fmax( off, fabs( after[axis] - before[axis] ) );
        }
    }
    double far = sqrt( before[0] * before[0] + before[1] * before[1] + before[2] * before[2] );
    print_message( "sags by %.2f mm, put elsewhere off by %.2g of it\n", 1e3 * far, off / far );
    assert_true( far > 1e-4 && off < 1e-3 * far );
    supCloseCase( &c );
}

/// A body at rest wakes where gravity has changed.
static void supTestGravityWakes( void** state )
{
    (void)state;
    supCurvesDef def = supDefaultCurvesDef();
    supCase c;
    supOpenCase( &c, "mushroom", &def );
    supMat34 joints[8];
    supTurnJoints( &c, joints );
    supBody_Step( c.body, joints, supMat34_identity, 0.0f );
    for ( int32_t i = 0; i < 1200 && !supBody_IsAtRest( c.body ); ++i )
    {
        supBody_Step( c.body, joints, supMat34_identity, 1.0f / 60.0f );
    }
    assert_true( supBody_IsAtRest( c.body ) );
    supBody_SetGravity( c.body, supMakeVec3( 0.0f, -3.0f, 0.0f ) );
    assert_false( supBody_IsAtRest( c.body ) );
    supCloseCase( &c );
}

/// Half a tube along a bone: a sheet, so all its curves are open. Its skin swings in the measure of its distance from
/// the bone.
static void supTestOpenCurvesSwing( void** state )
{
    (void)state;
    enum
    {
        supAcross = 24,
        supLong = 60,
        supSheetCount = ( supAcross + 1 ) * ( supLong + 1 ),
    };
    static float positions[3 * supSheetCount];
    static uint32_t indices[6 * supAcross * supLong];
    static uint16_t zero[supSheetCount];
    static float ones[supSheetCount];
    int32_t count = 0;
    double thickest = 0.0, thickness[supSheetCount];
    for ( int32_t i = 0; i < supSheetCount; ++i )
    {
        double y = (double)( i / ( supAcross + 1 ) ) / supLong, a = SUP_PI * ( i % ( supAcross + 1 ) ) / supAcross;
        thickness[i] = 0.1 + 0.02 * sin( 9.0 * y ) + 0.02 * cos( a );
        thickest = fmax( thickest, thickness[i] );
        positions[3 * i] = (float)( thickness[i] * cos( a ) );
        positions[3 * i + 1] = (float)y;
        positions[3 * i + 2] = (float)( thickness[i] * sin( a ) );
        ones[i] = 1.0f;
        if ( i % ( supAcross + 1 ) < supAcross && i / ( supAcross + 1 ) < supLong )
        {
            uint32_t p = (uint32_t)i, q = p + supAcross + 1;
            uint32_t quad[6] = { p, q, p + 1, p + 1, q, q + 1 };
            memcpy( indices + count, quad, sizeof( quad ) );
            count += 6;
        }
    }
    supJointDef jointDefs[2] = { { .name = "bone", .parent = -1, .rest = supTransform_identity },
        { .name = "end", .parent = 0, .rest = supTransform_identity } };
    jointDefs[1].rest.translation.y = 1.0f;
    const int32_t skinJoints[1] = { 0 };
    supSkinDef skin = { .name = "s", .jointCount = 1, .joints = skinJoints };
    supMeshDef mesh = { .name = "sheet",
        .vertexCount = supSheetCount,
        .positions = positions,
        .influenceCount = 1,
        .jointIndices = zero,
        .weights = ones,
        .indexCount = count,
        .indices = indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef characterDef = supDefaultCharacterDef();
    characterDef.jointCount = 2;
    characterDef.joints = jointDefs;
    characterDef.skinCount = 1;
    characterDef.skins = &skin;
    characterDef.meshCount = 1;
    characterDef.meshes = &mesh;
    supCharacter* character = NULL;
    assert_int_equal( supCreateCharacter( &characterDef, &character, NULL ), sup_success );
    supCurvesDef def = supDefaultCurvesDef();
    def.bending = 0.0f;
    def.limit = 10.0f;
    supCase c = { .character = character };
    supMakeBody( &c, &def, 1 );
    double omega = 2.0 * SUP_PI * def.frequency, rate = 120.0, worst = 0.0, least = 1e9;
    supBody_Step( c.body, supCharacter_Info( character )->restJoints, supShifted( 0.0 ), 0.0f );
    for ( int32_t i = 1; i <= 30; ++i )
    {
        double t = i / rate, x = 0.02 * pow( 1.0 - cos( 4.0 * SUP_PI * t ), 2.0 );
        supBody_Step( c.body, supCharacter_Info( character )->restJoints, supShifted( x ), (float)( 1.0 / rate ) );
    }
    supSkinCase( &c );
    double swing = supFineSwing( omega, def.dampingRatio * omega, def.amount, 30 / rate );
    for ( int32_t v = 0; v < c.vertexCount; ++v )
    {
        double y = positions[3 * v + 1], moved = (double)( c.living[v].x - c.smooth[v].x ) / swing;
        if ( y > 0.1 && y < 0.9 ) // beyond the last curves it hangs on a tip, which stays
        {
            worst = fmax( worst, fabs( moved - thickness[v] / thickest ) );
            least = fmin( least, moved );
        }
    }
    print_message( "sheet of open curves: swings by %.2f and more of %.1f mm, off its thickness by %.3f\n", least,
        1e3 * swing, worst );
    assert_true( fabs( swing ) > 0.003 && least > 0.4 && worst < 0.04 );
    supDestroyBody( c.body );
    supDestroyModel( c.model );
    supDestroyCharacter( character );
    free( c.smooth );
    free( c.living );
}

/// Two items, each with its own softness: skin that hangs on one's curves alone moves as if it were the only one.
static void supTestTwoItems( void** state )
{
    (void)state;
    static const char* const legs[] = { "thigh.L", "shin.L" };
    supCurvesDef defs[2] = { supDefaultCurvesDef(), supDefaultCurvesDef() };
    defs[0].joints = ( supNameList ){ 2, legs };
    defs[0].frequency = 2.5f;
    defs[1].frequency = 9.0f;
    supCase both = { 0 }, alone = { 0 };
    both.character = alone.character = supTestCreature( "woman" );
    supMakeBody( &both, defs, 2 );
    supMakeBody( &alone, defs, 1 );
    for ( int32_t i = 0; i <= 24; ++i )
    {
        supMat34 world = supShifted( 0.03 * sin( 0.5 * i ) );
        supBody_Step( both.body, supCharacter_Info( both.character )->restJoints, world, 1.0f / 60.0f );
        supBody_Step( alone.body, supCharacter_Info( both.character )->restJoints, world, 1.0f / 60.0f );
    }
    supSkinCase( &both );
    supSkinCase( &alone );
    int32_t same = 0, other = 0;
    for ( int32_t v = 0; v < both.vertexCount; ++v )
    {
        bool leg = memcmp( &alone.living[v], &alone.smooth[v], sizeof( supVec3 ) ) != 0;
        same += leg && memcmp( &alone.living[v], &both.living[v], sizeof( supVec3 ) ) == 0;
        other += !leg && memcmp( &both.living[v], &both.smooth[v], sizeof( supVec3 ) ) != 0;
    }
    print_message(
        "two items: %d vertices of the leg as with its item alone, %d move by the other\n", (int)same, (int)other );
    assert_true( same > 300 && other > 3000 );
    supDestroyBody( alone.body );
    supDestroyModel( alone.model );
    free( alone.smooth );
    free( alone.living );
    supCloseCase( &both );
}

static void supTestItemRefusals( void** state )
{
    (void)state;
    supError error = { 0 };
    supRig* rig;
    supCreature* creature;
    supModel* model = NULL;
    supCurvesDef def = supDefaultCurvesDef();
    const char* names[1] = { "stilk" };
    def.joints = ( supNameList ){ 1, names };
    assert_int_equal( supCreateCreature( "mushroom", NULL, &creature, &error ), sup_success );
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supRig_AddItem( rig, sup_layerCurves, &def, &error ), sup_success );
    assert_int_not_equal( supCompileModel( supCreature_Character( creature ), rig, &model, &error ), sup_success );
    assert_non_null( strstr( error.text, "curves[0].joints[0]" ) );
    assert_non_null( strstr( error.text, "stalk" ) );
    assert_null( model );
    // two items on one joint, and two that name none
    const char* stalks[1] = { "stalk" };
    supCurvesDef two[2] = { supDefaultCurvesDef(), supDefaultCurvesDef() };
    two[1].name = "second";
    for ( int32_t named = 0; named < 2; ++named )
    {
        two[0].joints = two[1].joints = ( supNameList ){ named, stalks };
        supRig* pair;
        assert_int_equal( supCreateRig( NULL, &pair, &error ), sup_success );
        assert_int_equal( supRig_AddItem( pair, sup_layerCurves, &two[0], &error ), sup_success );
        assert_int_equal( supRig_AddItem( pair, sup_layerCurves, &two[1], &error ), sup_success );
        assert_int_not_equal( supCompileModel( supCreature_Character( creature ), pair, &model, &error ), sup_success );
        assert_non_null(
            strstr( error.text, named ? "curves[1].joints[0]: the curves around 'stalk' already belong to curves[0]"
                                      : "curves[1].joints: missing" ) );
        assert_null( model );
        supDestroyRig( pair );
    }
    def.dampingRatio = NAN;
    assert_int_not_equal( supRig_AddItem( rig, sup_layerCurves, &def, &error ), sup_success );
    supDestroyRig( rig );
    supDestroyCreature( creature );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestOscillator ),
        cmocka_unit_test( supTestHorseRuns ),
        cmocka_unit_test( supTestLoopCloses ),
        cmocka_unit_test( supTestGravity ),
        cmocka_unit_test( supTestTeleportKeepsSag ),
        cmocka_unit_test( supTestGravityWakes ),
        cmocka_unit_test( supTestOpenCurvesSwing ),
        cmocka_unit_test( supTestTwoItems ),
        cmocka_unit_test( supTestItemRefusals ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
