// Motion that hosts really send: wraps of root motion, cuts between clips, pops, hitches, turns on the spot, landings.
//
// What a body detects is compared with the same body that is told (supBody_Cut, supBody_Teleport), and with one that
// feels everything.
#include "base/math.h"
#include "body/body_data.h"
#include "layers/flesh/flesh.h"
#include "support/creature_cache.h"
#include "support/found_flesh.h"
#include "support/player.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

/// Where gravity alone holds an element in the pose of the last step. World space
static supVec3 supFleshSagOf( const supPlayer* player, int32_t element )
{
    const supFleshState* flesh = player->body->layers.layers[supStack_Offsets( &player->body->model->stack )].state;
    return supFleshSettled( flesh, element );
}

// ---------------------------------------------------------------------------------------------------------------
// Wraps

/// By how much the clip itself moves the body on in a round: what any joint of its skin does that ends as it began.
static supMat34 supRoundOf( supPlayer* player, int32_t clip )
{
    const supCharacter* character = player->body->model->character;
    supClipView view = supCharacter_Clip( character, clip );
    int32_t joint = 0;
    while ( !supCharacter_Joint( character, joint )->isSkinJoint )
    {
        ++joint;
    }
    supMat34 back;
    supPose_Sample( player->pose, clip, view.start );
    assert_true( supInvertMat( supPose_Joints( player->pose )[joint], &back ) );
    supPose_Sample( player->pose, clip, view.end );
    return supMulMat( supPose_Joints( player->pose )[joint], back );
}

/// A step whose root motion is in the world, or in the joints.
static void supPlayRoot( supPlayer* player, int32_t clip, double time, supMat34 root, bool inJoints, double dt )
{
    if ( !inJoints )
    {
        supPlayAt( player, clip, time, root, dt );
        return;
    }
    const supCharacter* character = player->body->model->character;
    supClipView view = supCharacter_Clip( character, clip );
    supPose_Sample( player->pose, clip, view.start + fmod( time, view.end - view.start ) );
    supMat34 joints[supMostJoints];
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        joints[j] = supMulMat( root, supPose_Joints( player->pose )[j] );
    }
    assert_int_equal( supBody_Step( player->body, joints, supMat34_identity, (float)dt ), sup_success );
}

/// Root motion of `speed` m/s whose place is reset with every round of the clip.
static void supCompareWraps( const char* name, const char* clipName, double speed, double rate, bool inJoints )
{
    supFound found = supFindFlesh( name, sup_presetNatural );
    int32_t clip = supCharacter_FindClip( found.character, clipName );
    assert_true( clip >= 0 );
    supClipView view = supCharacter_Clip( found.character, clip );
    double length = view.end - view.start, dt = 1.0 / rate, seen = 0.0, told = 0.0, cut = 0.0, unlimited = 0.0;
    float reach[supMostElements];
    supFindReach( &found, 60.0, reach );
    supPlayer* players[5];
    for ( int i = 0; i < 5; ++i )
    {
        players[i] = supMakePlayer( &found );
    }
    players[4]->body->jumps.inClip = true;
    int32_t wraps = 0;
    double last = 0.0;
    supMat34 round = supRoundOf( players[0], clip );
    supMat34 back = round;
    back.t = supMulAdd( round.t, (float)( speed * length ), ( supVec3 ){ 1.0f, 0.0f, 0.0f } );
    for ( double time = 0.0; time < 6.0 * length; time += dt )
    {
        bool wrapped = floor( time / length ) != floor( last / length );
        double x = speed * fmod( time, length );
        supMat34 seamless = supStand( speed * time, 0.0 );
        seamless.t = supMulAdd( seamless.t, (float)floor( time / length ), round.t );
        supPlayRoot( players[0], clip, time, seamless, inJoints, dt );
        supPlayRoot( players[1], clip, time, supStand( x, 0.0 ), inJoints, dt );
        if ( wrapped )
        {
            supBody_Teleport( players[2]->body, back, supMat34_identity );
            supBody_Cut( players[3]->body );
            ++wraps;
        }
        supPlayRoot( players[2], clip, time, supStand( x, 0.0 ), inJoints, dt );
        supPlayRoot( players[3], clip, time, supStand( x, 0.0 ), inJoints, dt );
        supPlayRoot( players[4], clip, time, supStand( x, 0.0 ), inJoints, dt );
        seen = fmax( seen, supApart( players[0], players[1], reach ) );
        told = fmax( told, supApart( players[0], players[2], reach ) );
        cut = fmax( cut, supApart( players[0], players[3], reach ) );
        unlimited = fmax( unlimited, supApart( players[0], players[4], reach ) );
        last = time;
    }
    supJumpView jumps = supBody_Counts( players[1]->body ).jumps;
    printf(
        "%s %s at %.0f m/s in the %s, %.0f Hz: %d wraps, %d found (reason %d); off the seamless run by %.1f%%, by %.2f%% with "
        "supBody_Teleport, by %.1f%% with supBody_Cut, by %.0f%% where all is felt\n",
        name, clipName, speed, inJoints ? "joints" : "world", rate, wraps, (int)jumps.count, (int)jumps.reason,
        100.0 * seen, 100.0 * told, 100.0 * cut, 100.0 * unlimited );
    assert_int_equal( supBody_Counts( players[0]->body ).jumps.count, 0 ); // nothing jumps in a seamless run
    assert_int_equal( jumps.count, wraps );
    assert_true( told < 0.001 ); // who says by how much it was moved loses nothing
    // who says nothing loses nothing where the world alone wraps, and else little (test_jump_truth: nobody could do
    // without)
    assert_true( seen < ( inJoints ? 0.1 : 0.01 ) );
    for ( int i = 0; i < 5; ++i )
    {
        supDropPlayer( players[i] );
    }
    supDropFound( &found );
}

static void supTestWraps( void** state )
{
    (void)state;
    for ( int inJoints = 0; inJoints < 2; ++inJoints )
    {
        supCompareWraps( "woman", "run", 3.5, 60.0, inJoints != 0 );
        supCompareWraps( "woman", "walk", 1.4, 60.0, inJoints != 0 );
        supCompareWraps( "woman", "walk", 1.4, 30.0, inJoints != 0 );
        supCompareWraps( "cat", "run", 3.0, 60.0, inJoints != 0 );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Cuts

typedef struct supCutFigures
{
    int32_t cuts, found, within2;
    double worst, mean, kick;
    char which[128];
} supCutFigures;

/// Cuts from one clip to another: found against announced, as a share of what the elements reach at all.
static void supCompareCuts( const supFound* found, double rate, supCutFigures* out )
{
    int32_t count = supCharacter_Info( found->character )->clipCount;
    float reach[supMostElements];
    supFindReach( found, rate, reach );
    supPlayer *told = supMakePlayer( found ), *detects = supMakePlayer( found ), *feels = supMakePlayer( found );
    feels->body->jumps.inClip = true;
    double dt = 1.0 / rate;
    // SUPPLE_ALL_CUTS: every pair of clips, in minutes; else a sample
    int32_t stride = getenv( "SUPPLE_ALL_CUTS" ) != NULL || count * count <= 40 ? 1 : count * count / 37 + 1;
    for ( int32_t pair = 0; pair < count * count; pair += stride )
    {
        int32_t a = pair / count, b = pair % count;
        if ( a == b )
        {
            continue;
        }
        supPlayer* all[3] = { told, detects, feels };
        for ( int i = 0; i < 3; ++i )
        {
            supBody_Reset( all[i]->body );
        }
        double start = 0.37 * pair, worst = 0.0, kick = 0.0;
        int64_t before = supBody_Counts( detects->body ).jumps.count;
        for ( int n = 0; n < (int)( 0.4 * rate ); ++n )
        {
            for ( int i = 0; i < 3; ++i )
            {
                supPlayAt( all[i], a, start + n * dt, supMat34_identity, dt );
            }
        }
        supBody_Cut( told->body );
        for ( int n = 0; n < (int)( 0.4 * rate ); ++n )
        {
            for ( int i = 0; i < 3; ++i )
            {
                supPlayAt( all[i], b, 0.21 * pair + n * dt, supMat34_identity, dt );
            }
            worst = fmax( worst, supApart( told, detects, reach ) );
            kick = fmax( kick, supApart( told, feels, reach ) );
        }
        out->cuts += 1;
        out->found += supBody_Counts( detects->body ).jumps.count > before;
        out->within2 += worst <= 0.02;
        out->mean += worst;
        out->kick = fmax( out->kick, kick );
        if ( worst > out->worst )
        {
            out->worst = worst;
            snprintf( out->which, sizeof( out->which ), "%s to %s", supCharacter_Clip( found->character, a ).name,
                supCharacter_Clip( found->character, b ).name );
        }
    }
    supDropPlayer( told );
    supDropPlayer( detects );
    supDropPlayer( feels );
}

static void supTestCuts( void** state )
{
    (void)state;
    static const char* const names[] = { "woman", "cat", "quaternius/Character.glb", "quaternius/Cow.glb",
        "quaternius/Horse.glb", "khronos_fox/glTF-Binary/Fox.glb", "mh_human/mh_heavy.glb", "strangers/Husky.glb",
        "strangers/Trex.glb", "strangers/KnightCharacter.glb", "strangers/heavywoman_unreal.glb",
        "strangers/Frog.glb" };
    bool assets = supTestAssets() != NULL;
    int32_t cuts[2] = { 0, 0 }, within[2] = { 0, 0 };
    for ( size_t i = 0; i < ( assets && !SUP_SLOW_BUILD ? sizeof( names ) / sizeof( names[0] ) : 2 ); ++i )
    {
        supFound found = supFindFlesh( names[i], sup_presetNatural );
        for ( int r = 0; r < 2; ++r )
        {
            supCutFigures figures = { 0 };
            supCompareCuts( &found, r == 0 ? 60.0 : 30.0, &figures );
            printf(
                "%-34s %s: %4d cuts, %4d found, %4d within 2%%, mean %5.1f%%, worst %5.1f%% (%s); all felt: %.0f%%\n",
                names[i], r == 0 ? "60 Hz" : "30 Hz", figures.cuts, figures.found, figures.within2,
                100.0 * figures.mean / figures.cuts, 100.0 * figures.worst, figures.which, 100.0 * figures.kick );
            cuts[r] += figures.cuts;
            within[r] += figures.within2;
        }
        supDropFound( &found );
    }
    printf( "within 2%%: %.1f%% of the cuts at 60 Hz, %.1f%% at 30 Hz\n", 100.0 * within[0] / cuts[0],
        100.0 * within[1] / cuts[1] );
    assert_true( within[0] >= 0.97 * cuts[0] && within[1] >= 0.92 * cuts[1] );
}

/// Where the skin of a rest body that starts in the new clip is, plus what dies away: what a cut is to be. The swing
/// dies away on a twin that stands still in the first pose of the new clip and began with the same elongation and
/// speed.
static void supTestAnnouncedIsExact( void** state )
{
    (void)state;
    supFound found = supFindFlesh( "woman", sup_presetNatural );
    int32_t a = supCharacter_FindClip( found.character, "run" ), b = supCharacter_FindClip( found.character, "jump" );
    supPlayer *cut = supMakePlayer( &found ), *fresh = supMakePlayer( &found ), *dies = supMakePlayer( &found );
    double dt = 1.0 / 60.0, worst = 0.0, most = 0.0;
    for ( int n = 0; n < 50; ++n )
    {
        supPlayAt( cut, a, n * dt, supMat34_identity, dt );
        supPlayAt( dies, a, n * dt, supMat34_identity, dt );
    }
    supBody_Cut( cut->body );
    supBody_Cut( dies->body );
    for ( int n = 0; n < 60; ++n )
    {
        supPlayAt( cut, b, 0.5 + n * dt, supMat34_identity, dt );
        supPlayAt( fresh, b, 0.5 + n * dt, supMat34_identity, dt );
        supPlayAt( dies, b, 0.5, supMat34_identity, dt ); // stands in the first pose
        for ( int32_t e = 0; e < cut->elements; ++e )
        {
            supElementState all = supBody_Element( cut->body, e ), free = supBody_Element( dies->body, e );
            supElementState moved = supBody_Element( fresh->body, e );
            supVec3 sum = supAdd( free.state, moved.state );
            supVec3 sag = supFleshSagOf( dies, e );
            worst = fmax( worst, (double)supLength( supSub( all.state, supSub( sum, sag ) ) ) );
            most = fmax( most, (double)supLength( all.state ) );
        }
    }
    printf( "an announced cut is free decay plus the new clip within %.4f%%\n", 100.0 * worst / most );
    assert_true( worst < 1e-3 * most );
    supDropPlayer( cut );
    supDropPlayer( fresh );
    supDropPlayer( dies );
    supDropFound( &found );
}

// ---------------------------------------------------------------------------------------------------------------
// Put elsewhere, turned, after a pause, backwards

/// A jump of `way` metres and `turn` radians in the middle of a walk, in the same pose, beside a body that is told by
/// supBody_Teleport; and after a hitch, beside one that is told by supBody_Cut.
static void supTestTurnsAndHitches( void** state )
{
    (void)state;
    static const struct
    {
        double way, turn, wait;
    } cases[] = { { 0.7, 0.0, 0.0 }, { 5.0, 3.0, 0.0 }, { 0.0, 1.6, 0.0 }, { 0.0, 3.1, 0.0 }, { 0.0, 0.0, 1.0 },
        { 0.0, 0.0, 0.5 }, { 100.0, 0.0, 1.0 } };
    supFound found = supFindFlesh( "woman", sup_presetNatural );
    int32_t clip = supCharacter_FindClip( found.character, "walk" );
    float reach[supMostElements];
    supFindReach( &found, 60.0, reach );
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        supPlayer *told = supMakePlayer( &found ), *detects = supMakePlayer( &found );
        double dt = 1.0 / 60.0, worst = 0.0, time = 0.0;
        for ( int n = 0; n < 40; ++n, time += dt )
        {
            supPlayAt( told, clip, time, supMat34_identity, dt );
            supPlayAt( detects, clip, time, supMat34_identity, dt );
        }
        supMat34 there = supStand( cases[i].way, cases[i].turn );
        bool hitch = cases[i].wait > 0.0;
        if ( hitch )
        {
            supBody_Cut( told->body );
        }
        else
        {
            supBody_Teleport( told->body, supMat34_identity, there );
        }
        time += cases[i].wait;
        for ( int n = 0; n < 40; ++n, time += dt )
        {
            double span = n == 0 ? dt + cases[i].wait : dt;
            supPlayAt( told, clip, time, there, span );
            supPlayAt( detects, clip, time, there, span );
            worst = fmax( worst, supApart( told, detects, reach ) );
        }
        supJumpView jumps = supBody_Counts( detects->body ).jumps;
        printf( "by %.1f m and %.1f rad after %.1f s: found %d (reason %d), %.3f%% from announced\n", cases[i].way,
            cases[i].turn, cases[i].wait, (int)jumps.count, (int)jumps.reason, 100.0 * worst );
        assert_int_equal( jumps.count, 1 );
        assert_int_equal( jumps.reason, hitch && cases[i].way == 0.0 ? sup_jumpHitch : jumps.reason );
        assert_true( worst < 0.02 );
        supDropPlayer( told );
        supDropPlayer( detects );
    }
    supDropFound( &found );
}

/// No time passes, or it runs backwards: the pose is taken, and the flesh keeps its shape relative to the bones.
static void supTestScrubbing( void** state )
{
    (void)state;
    supFound found = supFindFlesh( "woman", sup_presetNatural );
    int32_t clip = supCharacter_FindClip( found.character, "jump" );
    supPlayer* player = supMakePlayer( &found );
    float reach[supMostElements];
    supFindReach( &found, 60.0, reach );
    double dt = 1.0 / 60.0, most = 0.0;
    for ( int n = 0; n < 40; ++n )
    {
        supPlayAt( player, clip, n * dt, supMat34_identity, dt );
    }
    float before[supMostElements];
    for ( int32_t e = 0; e < player->elements; ++e )
    {
        before[e] = supLength( supShownOf( player, e ) );
    }
    for ( int n = 0; n < 30; ++n )
    {
        supPlayAt( player, clip, 40.0 * dt - n * dt, supMat34_identity, n % 2 == 0 ? -dt : 0.0 );
        for ( int32_t e = 0; e < player->elements; ++e )
        {
            assert_true( fabsf( supLength( supShownOf( player, e ) ) - before[e] ) < 1e-3f * reach[e] + 1e-6f );
        }
    }
    assert_int_equal( supBody_Counts( player->body ).jumps.reason, sup_jumpBackwards );
    for ( int n = 0; n < 60; ++n )
    {
        supPlayAt( player, clip, 10.0 * dt + n * dt, supMat34_identity, dt );
        for ( int32_t e = 0; e < player->elements; ++e )
        {
            most = fmax( most, (double)( supLength( supShownOf( player, e ) ) / reach[e] ) );
        }
    }
    printf( "after winding back and playing on: %.2f of what play reaches\n", most );
    assert_true( most < 2.0 ); // what was there dies away, and the new motion comes on top
    supDropPlayer( player );
    supDropFound( &found );
}

// ---------------------------------------------------------------------------------------------------------------
// Pops

/// The whole body, then one arm, pops by 1 to 10 cm again and again in smooth play.
static void supTestPops( void** state )
{
    (void)state;
    static const char* const names[] = { "woman", "mh_human/mh_heavy.glb", "quaternius/Character.glb" };
    for ( size_t i = 0; i < ( supTestAssets() != NULL && !SUP_SLOW_BUILD ? 3u : 1u ); ++i )
    {
        supFound found = supFindFlesh( names[i], sup_presetNatural );
        float reach[supMostElements];
        supFindReach( &found, 60.0, reach );
        for ( int size = 1; size <= 10; ++size )
        {
            supPlayer *pops = supMakePlayer( &found ), *feels = supMakePlayer( &found );
            feels->body->jumps.inClip = true;
            double most = 0.0, felt = 0.0, dt = 1.0 / 60.0, x = 0.0;
            for ( int n = 0; n < 240; ++n )
            {
                x += n % 37 == 36 ? 0.01 * size : 0.0;
                supPlayAt( pops, 0, n * dt, supStand( x, 0.0 ), dt );
                supPlayAt( feels, 0, n * dt, supStand( x, 0.0 ), dt );
                for ( int32_t e = 0; e < pops->elements; ++e )
                {
                    float shown = supLength( supShownOf( pops, e ) ), all = supLength( supShownOf( feels, e ) );
                    most = fmax( most, (double)( shown / reach[e] ) );
                    felt = fmax( felt, (double)( all / reach[e] ) );
                }
            }
            printf( "%s, pops of %d cm: %.2f of what smooth play reaches (%.2f where all is felt), %d counted\n",
                names[i], size, most, felt, (int)supBody_Counts( pops->body ).jumps.count );
            assert_true( most <= 1.5 );
            supDropPlayer( pops );
            supDropPlayer( feels );
        }
        supDropFound( &found );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Landings

/// All clips of a character, played through, feel like a body that takes nothing for a jump.
static void supCompareFelt( const char* name, double rate )
{
    supFound found = supFindFlesh( name, sup_presetNatural );
    float reach[supMostElements];
    supFindReach( &found, rate, reach );
    double dt = 1.0 / rate, worst = 0.0;
    int64_t count = 0;
    const char* which = "";
    for ( int32_t clip = 0; clip < supCharacter_Info( found.character )->clipCount; ++clip )
    {
        supPlayer *detects = supMakePlayer( &found ), *feels = supMakePlayer( &found );
        feels->body->jumps.inClip = true;
        supClipView view = supCharacter_Clip( found.character, clip );
        for ( double time = 0.0; time < view.end - view.start; time += dt )
        {
            supPlayAt( detects, clip, time, supMat34_identity, dt );
            supPlayAt( feels, clip, time, supMat34_identity, dt );
            double apart = supApart( detects, feels, reach );
            which = apart > worst ? view.name : which;
            worst = fmax( worst, apart );
        }
        count += supBody_Counts( detects->body ).jumps.count;
        supDropPlayer( detects );
        supDropPlayer( feels );
    }
    printf( "%-32s %3.0f Hz: %d counted, %.2f%% from where all is felt (%s)\n", name, rate, (int)count, 100.0 * worst,
        which );
    assert_int_equal( count, 0 );
    assert_true( worst < 0.05 );
    supDropFound( &found );
}

static void supTestLandings( void** state )
{
    (void)state;
    static const char* const names[] = { "woman", "cat", "mh_human/mh_heavy.glb", "strangers/heavywoman_unreal.glb",
        "quaternius/Character.glb", "quaternius/Horse.glb", "khronos_fox/glTF-Binary/Fox.glb" };
    static const double rates[] = { 24.0, 30.0, 60.0, 120.0 };
    for ( size_t i = 0; i < ( supTestAssets() != NULL && !SUP_SLOW_BUILD ? 7u : 2u ); ++i )
    {
        for ( int r = 0; r < 4; ++r )
        {
            supCompareFelt( names[i], rates[r] );
        }
    }
}

/// From 2 to 6 m/s to a dead stop in one frame.
static void supTestDeadStops( void** state )
{
    (void)state;
    static const double rates[] = { 24.0, 30.0, 60.0, 120.0 };
    supFound found = supFindFlesh( "woman", sup_presetNatural );
    int32_t clip = supCharacter_FindClip( found.character, "walk" );
    float reach[supMostElements];
    supFindReach( &found, 60.0, reach );
    for ( int i = 0; i < 12; ++i )
    {
        double dt = 1.0 / rates[i % 4], speed = 2.0 + 2.0 * ( i / 4 ), worst = 0.0;
        supPlayer *detects = supMakePlayer( &found ), *feels = supMakePlayer( &found );
        feels->body->jumps.inClip = true;
        for ( double time = 0.0; time < 2.0; time += dt )
        {
            supMat34 world = supStand( speed * fmin( time, 1.0 ), 0.0 );
            world.t.y = (float)( 2.0 * fmax( 0.5 - time, 0.0 ) ); // and a landing
            supPlayAt( detects, clip, 0.3 * time, world, dt );
            supPlayAt( feels, clip, 0.3 * time, world, dt );
            worst = fmax( worst, supApart( detects, feels, reach ) );
        }
        assert_int_equal( supBody_Counts( detects->body ).jumps.count, 0 );
        assert_true( worst < 0.05 );
        supDropPlayer( detects );
        supDropPlayer( feels );
    }
    supDropFound( &found );
}

// ---------------------------------------------------------------------------------------------------------------
// Low frame rates

/// How far the flesh of a walker who is stopped dead is from that of 960 steps a second, at the frames.
static double supStopAt( const supFound* found, int32_t clip, int rate, int poses, const float* fine, float most )
{
    supPlayer* player = supMakePlayer( found );
    const supMat34* path[4];
    supMat34 worlds[4], held[4][supMostJoints];
    supStepDef def = { .poseCount = poses, .poses = path, .worlds = worlds, .dt = 1.0f / (float)rate };
    size_t bytes = sizeof( supMat34 ) * (size_t)supCharacter_Info( found->character )->jointCount;
    double worst = 0.0;
    for ( int n = 0; n <= 2 * rate; ++n )
    {
        for ( int k = 0; k < poses; ++k )
        {
            double time = ( n + ( k + 1.0 ) / poses - 1.0 ) / rate;
            supPose_Sample( player->pose, clip, 0.3 * fmax( time, 0.0 ) );
            memcpy( held[k], supPose_Joints( player->pose ), bytes );
            path[k] = held[k];
            worlds[k] = supStand( 2.0 * fmin( time, 0.99 ), 0.0 );
        }
        assert_int_equal( supBody_StepPath( player->body, &def ), sup_success );
        for ( int32_t e = 0; e < player->elements && n > rate / 2; ++e )
        {
            const float* at = fine + 3 * ( (size_t)( n * ( 960 / rate ) ) * (size_t)player->elements + (size_t)e );
            supVec3 truth = { at[0], at[1], at[2] };
            worst = fmax( worst, (double)( supLength( supSub( supShownOf( player, e ), truth ) ) / most ) );
        }
    }
    supDropPlayer( player );
    return worst;
}

static void supTestLowRates( void** state )
{
    (void)state;
    supFound found = supFindFlesh( "woman", sup_presetNatural );
    int32_t clip = supCharacter_FindClip( found.character, "walk" );
    supPlayer* player = supMakePlayer( &found );
    float *fine = calloc( (size_t)( 3 * 1921 * player->elements ), sizeof( float ) ), most = 0.0f;
    for ( int n = 0; n <= 1920; ++n )
    {
        double time = n / 960.0;
        supPlayAt( player, clip, 0.3 * time, supStand( 2.0 * fmin( time, 0.99 ), 0.0 ), 1.0 / 960.0 );
        for ( int32_t e = 0; e < player->elements; ++e )
        {
            supVec3 u = supShownOf( player, e );
            memcpy( fine + 3 * ( n * player->elements + e ), &u, sizeof( u ) );
            most = supMaxF( most, supLength( u ) );
        }
    }
    double at60 = supStopAt( &found, clip, 60, 1, fine, most ), at30 = supStopAt( &found, clip, 30, 1, fine, most );
    double at24 = supStopAt( &found, clip, 24, 1, fine, most ), two = supStopAt( &found, clip, 30, 2, fine, most );
    printf( "a dead stop from 2 m/s: %.1f%% at 60 Hz, %.1f%% at 30, %.1f%% at 24; %.1f%% at 30 with two poses a step\n",
        100.0 * at60, 100.0 * at30, 100.0 * at24, 100.0 * two );
    assert_true( fabs( two - at60 ) < 0.01 && two < at30 );
    free( fine );
    supDropPlayer( player );
    supDropFound( &found );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestWraps ),
        cmocka_unit_test( supTestCuts ),
        cmocka_unit_test( supTestAnnouncedIsExact ),
        cmocka_unit_test( supTestTurnsAndHitches ),
        cmocka_unit_test( supTestScrubbing ),
        cmocka_unit_test( supTestPops ),
        cmocka_unit_test( supTestLandings ),
        cmocka_unit_test( supTestDeadStops ),
        cmocka_unit_test( supTestLowRates ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
