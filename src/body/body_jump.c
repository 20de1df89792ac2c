// Jumps that nobody has announced.
// SPDX-License-Identifier: MIT
//
// A host that puts an entity elsewhere may say so (supBody_Teleport, supBody_Cut). One that does not is found out by
// what no living motion could be. For every joint a place beside it is watched. With d what it moved by in a step, v
// its speed before and h the step's length, the gain is how far d lies from what that speed explains:
//
//     gain = max( 0, |d - v h / 4| - 3/4 |v h| )
//
// A contact takes speed away along some direction n and gives up to half of it back: d = v h - k (v h . n) n with k
// from 0 to 3/2, whatever n is. All of these lie within the ball above: a landing, a dead stop and a rebound have no
// gain, however hard they are. A cut gains position that no speed explains. Gains are told as changes of speed in sizes
// of the body a second, since clips are played through keys: there the speed changes at once, by the same amount at
// every frame rate.
//
//     whole body (mean over the joints with skin)     motion of people and animals stays below 0.8; a jump from 1 on
//     one joint                                       below 6; from 12 on
//
// In between the share that is withheld from the flesh rises smoothly from 0 to 1. There it may still be a violent
// start. The next step tells: a start goes on, and is then felt, a step late; a jump is over.
//
// Who stands about does not start at 0.8: for a body whose changes of speed have lately been small, landings among
// them, the limits are nearer, down to 0.3 (supWholeLimit). That halves the cuts between near poses that go unseen.
//
// In steps longer than 1/24 s these grow with the step, since living bodies accelerate by some 30 sizes a second each
// second.
//
// The answer to a step is the withheld share of a jump's, and for the rest that of travel. Layers are linear in it, so
// nothing hangs on a threshold. (Cuts of 12 characters, and clips of 7 from 24 to 120 Hz: tests/test_jumps.c.)
//
// A jump is one of two kinds. Where one rigid motion takes the joints from where they would be by now to where they
// are, but for about as much as they move about one another, the body was put elsewhere, and runs on with the speed
// that it had (a wrap of root motion). Else the pose is another one: a cut, as are announced jumps and hitches always.
// Then nobody knows the speeds in the new clip before its second pose; the change of speed that this tells of is not
// felt either. What remains is what the flesh did, relative to its bones, dying away, plus the new clip. If a body that
// seemed to run on has quite other speeds in the next step, that was a cut too, and they are not felt.

#include "body/body_data.h"
#include "body/body_jump_motion.h"

#include "base/math.h"
#include "base/math_double.h"

#include <string.h>

/// In a take a jump is taken for a teleport if it is this many times what the recent speed would give.
static const float supJumpRatio = 8.0f;
/// Gains in sizes a second: below these they are motion, above 5/4 of the first and twice the second jumps.
static const float supWholeGain = 0.8f, supJointGain = 6.0f;
/// The same for a body that has stood still, and by how much more for each that its speeds have changed by.
static const float supCalmGain = 0.35f, supLivelyGain = 2.0f;
/// How quickly that is forgotten; and a body that nobody knows yet is lively for a while. 1/s, sizes a second, 1/s
static const float supForgetRate = 2.0f, supNewLively = 0.25f, supGrowKnown = 6.0f;
/// What is left of a gain in the next step: below this it was a start, above twice that a jump.
static const float supLostAgain = 0.45f;
/// What is left of a jump after one rigid motion, as a share of the jump: below this it runs on, above twice that it is
/// a cut.
static const float supRigidShare = 0.3f;
/// What a body that runs on may be off by beside its own speed, in sizes a second, and in sizes: loops do not close.
static const float supLooseSpeed = 0.15f, supLoosePlace = 0.005f;
/// In the step after, speeds may differ by that many times as much.
static const float supLooseAfter = 1.5f;
/// After a cut any living speed may come. Sizes a second
static const float supAnySpeed = 8.0f;
/// Steps shorter than this one are judged as if they took as long. Seconds
static const float supLeastSpan = 1.0f / 240.0f;
/// In longer steps than this one speeds change by more. Seconds
static const float supLongSpan = 1.0f / 24.0f;
/// A step that is this long, and many times longer than the one before: nobody knows what happened in it. Seconds
static const float supHitch = 0.125f, supHitchRatio = 2.5f;
/// The mean turn of a living body in a step: below this it is travel, above twice that a jump. Radians, radians a
/// second
static const float supTurnAtOnce = 0.1f, supTurnRate = 6.0f;
/// Where the places stand from their joints. Sizes
static const float supLeverLength = 0.05f;

// ---------------------------------------------------------------------------------------------------------------
// Memory

void supPlaceJumps( supJumps* jumps, const supCharacter* character, supLayout* layout )
{
    size_t count = (size_t)supCharacter_Info( character )->jointCount;
    SUP_PUT_WIDE( layout, jumps->places, 3 * count );
    SUP_PUT( layout, jumps->velocities, 3 * count );
    SUP_PUT( layout, jumps->moves, 3 * count );
    SUP_PUT( layout, jumps->gains, count );
    SUP_PUT( layout, jumps->squares, count );
    SUP_PUT( layout, jumps->levers, count );
    SUP_PUT( layout, jumps->withheld, count );
    SUP_PUT( layout, jumps->rebased, count );
    SUP_PUT( layout, jumps->pending, count );
    SUP_PUT( layout, jumps->lastMoves, 3 * count );
    SUP_PUT( layout, jumps->watched, count );
}

void supInitJumps( supJumps* jumps, const supCharacter* character )
{
    const supCharacterInfo* info = supCharacter_Info( character );
    jumps->count = info->jointCount;
    jumps->view.joint = -1;
    for ( int32_t j = 0; j < info->jointCount; ++j )
    {
        const supMat34* rest = info->restJoints + j;
        float length = supLength( supAdd( supAdd( rest->x, rest->y ), rest->z ) );
        jumps->levers[j] = length > 0.0f ? supLeverLength * info->size / length : 0.0f;
    }
    for ( int32_t i = 0; i < info->paletteCount; ++i )
    {
        float* watched = jumps->watched + info->paletteJoints[i];
        jumps->watchedCount += *watched == 0.0f ? 1.0f : 0.0f;
        *watched = 1.0f;
    }
    jumps->watchedCount = supMaxF( jumps->watchedCount, 1.0f );
}

// ---------------------------------------------------------------------------------------------------------------
// The body as a whole

/// In world space.
static supVec3 supMeanPlace( const supBody* body, const supMat34* joints, supMat34 world )
{
    int32_t count = supCharacter_Info( body->model->character )->jointCount;
    float sums[4] = { 0.0f, 0.0f, 0.0f, 0.0f }; // of the last four floats of each: half the instructions of three
    for ( int32_t i = 0; i < count; ++i )
    {
        const float* last = &joints[i].z.z;
        for ( int k = 0; k < 4; ++k )
        {
            sums[k] += last[k];
        }
    }
    supVec3 sum = { sums[1], sums[2], sums[3] };
    return supTransformPoint( world, supScale( sum, count > 0 ? 1.0f / (float)count : 0.0f ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Joint by joint

/// What each place moved by since the last step; notes where it is.
static void supReadPlaces( supJumps* jumps, const supMat34* joints, supMat34 world )
{
    size_t count = (size_t)jumps->count;
    float *x = jumps->places, *y = x + count, *z = y + count;
    float *dx = jumps->moves, *dy = dx + count, *dz = dy + count;
    for ( size_t j = 0; j < count; ++j )
    {
        const supMat34* m = joints + j;
        supVec3 beside = supAdd( supAdd( m->x, m->y ), m->z );
        supVec3 place = supTransformPoint( world, supMulAdd( m->t, jumps->levers[j], beside ) );
        dx[j] = place.x - x[j];
        dy[j] = place.y - y[j];
        dz[j] = place.z - z[j];
        x[j] = place.x;
        y[j] = place.y;
        z[j] = place.z;
    }
}

static float supSumOf( const float s[8] )
{
    return ( ( s[0] + s[4] ) + ( s[2] + s[6] ) ) + ( ( s[1] + s[5] ) + ( s[3] + s[7] ) );
}

/// The gains one by one, the largest of them, and their mean; and the mean square of what moves are off from what the
/// speeds before explain. Eight sums side by side, so that every path adds alike.
static float supFindGains( supJumps* jumps, float dt, float* largest, float* square )
{
    size_t count = (size_t)jumps->count;
    const float *dx = jumps->moves, *dy = dx + count, *dz = dy + count;
    const float *vx = jumps->velocities, *vy = vx + count, *vz = vy + count;
    float *gains = jumps->gains, *squares = jumps->squares;
    const float* watched = jumps->watched;
    for ( size_t j = 0; j < count; ++j )
    {
        float ox = vx[j] * dt, oy = vy[j] * dt, oz = vz[j] * dt;
        float ex = dx[j] - 0.25f * ox, ey = dy[j] - 0.25f * oy, ez = dz[j] - 0.25f * oz;
        float off = supSqrtF( ex * ex + ey * ey + ez * ez );
        float gain = off - 0.75f * supSqrtF( ox * ox + oy * oy + oz * oz );
        gains[j] = gain > 0.0f ? gain * watched[j] : 0.0f;
        float ax = dx[j] - ox, ay = dy[j] - oy, az = dz[j] - oz;
        squares[j] = ( ax * ax + ay * ay + az * az ) * watched[j];
    }
    float sums[8] = { 0.0f }, most[8] = { 0.0f }, more[8] = { 0.0f };
    size_t even = count / 8 * 8;
    for ( size_t j = 0; j < even; j += 8 )
    {
        for ( size_t k = 0; k < 8; ++k )
        {
            sums[k] += gains[j + k];
            more[k] += squares[j + k];
            most[k] = most[k] > gains[j + k] ? most[k] : gains[j + k];
        }
    }
    for ( size_t j = even; j < count; ++j )
    {
        sums[j - even] += gains[j];
        more[j - even] += squares[j];
        most[0] = most[0] > gains[j] ? most[0] : gains[j];
    }
    *largest = 0.0f;
    for ( size_t k = 0; k < 8; ++k )
    {
        *largest = supMaxF( *largest, most[k] );
    }
    *square = supSumOf( more ) / jumps->watchedCount;
    return supSumOf( sums ) / jumps->watchedCount;
}

/// From 0 at `low` and below to 1 at twice that and above, smoothly.
static float supRise( float value, float low )
{
    float t = supClampF( value / supMaxF( low, 1e-30f ) - 1.0f, 0.0f, 1.0f );
    return t * t * ( 3.0f - 2.0f * t );
}

static supVec3 supRowAt( const float* rows, size_t count, size_t j )
{
    return ( supVec3 ){ rows[j], rows[count + j], rows[2 * count + j] };
}

static void supSetRow( float* rows, size_t count, size_t j, supVec3 v )
{
    rows[j] = v.x;
    rows[count + j] = v.y;
    rows[2 * count + j] = v.z;
}

/// What a gain of a size a second makes in a step. Metres
static float supUnit( const supBody* body, supMat34 world, float dt )
{
    float size = supCharacter_Info( body->model->character )->size * supLength( world.x );
    return size * supMaxF( dt, supLeastSpan ) * supMaxF( dt / supLongSpan, 1.0f );
}

/// From 0 at 9/10 of `middle` and below to 1 at 11/10 and above, smoothly.
static float supSide( float value, float middle )
{
    return supRise( 5.0f * ( value / supMaxF( middle, 1e-30f ) - 0.7f ), 1.0f );
}

/// What a body that runs on may be off by in a step: as much as its joints move about one another, and some. Metres
static float supLoose( const supJumps* jumps, float unit, float dt )
{
    size_t count = (size_t)jumps->count;
    supVec3 mean = supVec3_zero;
    float sum = 0.0f;
    for ( size_t j = 0; j < count; ++j )
    {
        mean = supMulAdd( mean, jumps->watched[j] / jumps->watchedCount, supRowAt( jumps->velocities, count, j ) );
    }
    for ( size_t j = 0; j < count; ++j )
    {
        sum += jumps->watched[j] * supLength( supSub( supRowAt( jumps->velocities, count, j ), mean ) );
    }
    float share = dt > 0.0f ? supLoosePlace / supMaxF( dt, supLeastSpan ) : 0.0f;
    return dt * sum / jumps->watchedCount + unit * ( supLooseSpeed + share );
}

/// How far the places are from where one rigid motion takes those at which they would be by now: one by one, and the
/// mean. Nothing lands in a jump, so losses of speed count too. Metres
static float supLeftOver( supJumps* jumps, supMat34 motion, float dt )
{
    size_t count = (size_t)jumps->count;
    float sum = 0.0f;
    for ( size_t j = 0; j < count; ++j )
    {
        supVec3 now = supRowAt( jumps->places, count, j ), before = supSub( now, supRowAt( jumps->moves, count, j ) );
        supVec3 ranOn = supTransformPoint( motion, supMulAdd( before, dt, supRowAt( jumps->velocities, count, j ) ) );
        jumps->gains[j] = jumps->watched[j] * supLength( supSub( now, ranOn ) );
        sum += jumps->gains[j];
    }
    return sum / jumps->watchedCount;
}

/// Where the body is on the whole, and where it would be had it gone on as it did.
static void supMeanPlaces( const supJumps* jumps, float dt, supVec3* from, supVec3* to )
{
    size_t count = (size_t)jumps->count;
    *from = *to = supVec3_zero;
    for ( size_t j = 0; j < count; ++j )
    {
        supVec3 now = supRowAt( jumps->places, count, j ), before = supSub( now, supRowAt( jumps->moves, count, j ) );
        float share = jumps->watched[j] / jumps->watchedCount;
        *to = supMulAdd( *to, share, now );
        *from = supMulAdd( *from, share, supMulAdd( before, dt, supRowAt( jumps->velocities, count, j ) ) );
    }
}

/// Speeds for the next step, where nothing jumped.
static void supNoteSpeeds( supJumps* jumps, float dt )
{
    if ( dt > 0.0f )
    {
        size_t count = (size_t)jumps->count;
        float inverse = 1.0f / dt;
        for ( size_t i = 0; i < 3 * count; ++i )
        {
            jumps->velocities[i] = jumps->moves[i] * inverse;
        }
    }
}

/// The same after a jump: what was felt of this step, and what was there before, turned with the body.
static void supNoteFelt( supJumps* jumps, const supJointJumps* now, float dt )
{
    size_t count = (size_t)jumps->count;
    for ( size_t j = 0; j < count; ++j )
    {
        supVec3 kept = supTransformVector( now->motion, supRowAt( jumps->velocities, count, j ) ), fresh = kept;
        if ( dt > 0.0f )
        {
            supVec3 place = supRowAt( jumps->places, count, j );
            supVec3 before = supSub( place, supRowAt( jumps->moves, count, j ) );
            fresh = supScale( supSub( place, supTransformPoint( now->motion, before ) ), 1.0f / dt );
        }
        float held = jumps->withheld[j];
        supSetRow( jumps->velocities, count, j, supAdd( supScale( fresh, 1.0f - held ), supScale( kept, held ) ) );
    }
}

/// Old jumps are only those beyond the size: what takes are made with.
static bool supNoticeInClip( supBody* body, const supMat34* joints, supMat34 world, float dt, supJointJumps* out )
{
    supJumps* jumps = &body->jumps;
    supVec3 place = supMeanPlace( body, joints, world ), way = supSub( place, jumps->place );
    float jump = supLength( way ), size = supCharacter_Info( body->model->character )->size * supLength( world.x );
    bool jumped = jumps->started && jump > size && jump > supJumpRatio * supLength( jumps->velocity ) * dt;
    if ( jumped )
    {
        supMat34 motion = supFindMotion( body, joints, world, supMulAdd( jumps->place, dt, jumps->velocity ), place );
        jumps->velocity = supTransformVector( motion, jumps->velocity );
        *out = ( supJointJumps ){
            .motion = motion, .whole = 1.0f, .withheld = jumps->withheld, .rebased = jumps->rebased
        };
    }
    else if ( jumps->started && dt > 0.0f )
    {
        jumps->velocity = supScale( way, 1.0f / dt );
    }
    jumps->place = place;
    jumps->hasPosture = false;
    jumps->started = true;
    return jumped;
}

/// Which joints jump by themselves, beside what the whole body's cut does. Gives the most of these.
static float supShareOut( supJumps* jumps, float whole, float low )
{
    float most = 0.0f;
    for ( int32_t j = 0; j < jumps->count; ++j )
    {
        float own = jumps->gains[j] > low && whole < 1.0f ? supRise( jumps->gains[j], low ) : 0.0f;
        jumps->withheld[j] = supMaxF( whole, own );
        jumps->view.joint = own > most ? j : jumps->view.joint;
        most = supMaxF( most, own );
    }
    return most;
}

/// What the body as a whole may gain. Sizes a second
static float supWholeLimit( const supJumps* jumps )
{
    float lively = supMaxF( jumps->lively, supNewLively * jumps->isNew );
    return supMinF( supCalmGain + supLivelyGain * lively, supWholeGain );
}

/// How lively it is, after a step that was no jump, or as far as it was none.
static void supNoteLively( supJumps* jumps, float square, float unit, float dt, float jumped )
{
    float now = supSqrtF( square ) / supMaxF( unit, 1e-30f ) * ( 1.0f - jumped );
    jumps->lively = supMaxF( jumps->lively / ( 1.0f + supForgetRate * dt ), supMinF( now, supWholeGain ) );
    jumps->isNew = supMaxF( jumps->isNew / ( 1.0f + supGrowKnown * dt ), jumped );
}

/// How sure it is that the body as a whole has jumped, and why.
static float supJudge( supJumps* jumps, float gain, float unit, float dt, supJumpReason* reason )
{
    float more = jumps->unknown * supAnySpeed, last = jumps->lastSpan;
    float low = ( supWholeLimit( jumps ) + more ) * unit;
    float whole = supRise( 4.0f * ( gain - low ) + low, low );
    jumps->gained = gain;
    jumps->sure = whole;
    float hitch = last > 0.0f ? supRise( dt, supHitch ) * supRise( dt, supHitchRatio * last ) : 0.0f;
    jumps->cutAnyway = jumps->announced ? 1.0f : hitch;
    *reason = jumps->announced ? jumps->announced : hitch > whole ? sup_jumpHitch : sup_jumpCut;
    jumps->sure = *reason == sup_jumpCut ? jumps->sure : 1.0f;
    return jumps->announced ? 1.0f : supMaxF( whole, hitch );
}

/// Whether the step before, which may have been a jump, was one: if so, little goes on of what it did.
static float supConfirm( const supJumps* jumps, float dt )
{
    float sum = 0.0f, ratio = jumps->lastSpan > 0.0f ? dt / jumps->lastSpan : 1.0f;
    size_t count = (size_t)jumps->count;
    for ( size_t j = 0; j < count; ++j )
    {
        supVec3 now = supRowAt( jumps->moves, count, j ), last = supRowAt( jumps->lastMoves, count, j );
        sum += jumps->watched[j] * supLength( supMulAdd( now, -ratio, last ) );
    }
    float left = sum / jumps->watchedCount / supMaxF( ratio * jumps->gained, 1e-30f );
    return supMaxF( jumps->sure, supRise( left, supLostAgain ) );
}

/// Whether a body that was taken to run on from elsewhere does so: if not, that was a cut too.
static float supIsOther( const supJumps* jumps, float unit, float dt )
{
    float sum = 0.0f;
    size_t count = (size_t)jumps->count;
    for ( size_t j = 0; j < count; ++j )
    {
        supVec3 now = supRowAt( jumps->moves, count, j ), kept = supRowAt( jumps->velocities, count, j );
        sum += jumps->watched[j] * supLength( supMulAdd( now, -dt, kept ) );
    }
    return supSide( sum / jumps->watchedCount, supLooseAfter * supLoose( jumps, unit, dt ) );
}

/// What waits for the first pose after a cut, which tells the new speeds.
static void supSharePending( supJumps* jumps, bool forgets, float confirmed, float other, float dt )
{
    bool settles = dt > 0.0f;
    for ( int32_t j = 0; j < jumps->count; ++j )
    {
        float held = jumps->withheld[j], old = jumps->pending[j];
        jumps->rebased[j] = settles ? ( old * confirmed + other ) * ( 1.0f - held ) : 0.0f;
        jumps->pending[j] = forgets ? 0.0f : supMaxF( settles ? old * held : old, held );
    }
}

/// Bodies are put elsewhere on the ground, and bob as they go: what a living body rises or falls by in a step is
/// travel, and felt.
static supVec3 supLeaveRise( const supBody* body, supVec3 from, supVec3 to, float unit )
{
    float length = supLength( body->gravity );
    supVec3 up = supScale( body->gravity, length > 0.0f ? -1.0f / length : 0.0f );
    float rise = supDot( supSub( to, from ), up );
    return supMulAdd( to, -rise * ( 1.0f - supRise( supAbsF( rise ), supWholeGain * unit ) ), up );
}

/// A turn that a living body makes in a step is travel, and felt.
static supMat34 supLeaveTurn( supMat34 motion, supVec3 from, supVec3 to, float dt )
{
    supQuatd none = { 0.0, 0.0, 0.0, 1.0 }, all = supNearestRotationD( supMatToDouble( motion ) );
    supVec3d angle = supRotationVectorD( all );
    float share = supRise( (float)supSqrt( supDotD( angle, angle ) ), supTurnAtOnce + supTurnRate * dt );
    supMat34 part = supMatToFloat( supMatFromQuatD( share < 1.0f ? supSlerpD( none, all, share ) : all ) );
    part.t = supSub( to, supTransformVector( part, from ) );
    return part;
}

/// How much of a jump that `motion` is taken for is a cut.
static float supCutBeside( supJumps* jumps, supMat34 motion, float loose, float dt )
{
    float left = supLeftOver( jumps, motion, dt );
    return supMaxF( supSide( left, loose ), supRise( left, supRigidShare * jumps->gained ) );
}

/// One rigid motion for the body as a whole. Gives how much of what is left is a cut. Where the joints go on as they
/// did and the world alone has jumped, its motion is known, and all that the joints do is felt.
static float supFindWhole( supBody* body, const supMat34* joints, supMat34 world, float dt, supJointJumps* out )
{
    supJumps* jumps = &body->jumps;
    supVec3 from, to;
    supMeanPlaces( jumps, dt, &from, &to );
    float unit = supUnit( body, world, dt ), loose = supLoose( jumps, unit, dt );
    supMat34 put, motion = supFindMotion( body, joints, world, from, to );
    bool mayBePut = jumps->cutAnyway < 1.0f && supFindPut( body, world, from, dt, &put );
    float isPut = mayBePut ? ( 1.0f - supCutBeside( jumps, put, loose, dt ) ) * ( 1.0f - jumps->cutAnyway ) : 0.0f;
    float cut = isPut < 1.0f ? supCutBeside( jumps, motion, loose, dt ) * ( 1.0f - isPut ) : 0.0f;
    if ( isPut < 1.0f )
    {
        to = supLeaveRise( body, from, to, unit );
        motion = supLeaveTurn( motion, from, to, dt );
    }
    if ( isPut > 0.0f )
    {
        motion = isPut < 1.0f ? supMotionBetween( motion, put, from, isPut ) : put;
    }
    out->motion = out->whole < 1.0f ? supMotionShare( motion, from, out->whole ) : motion;
    return cut;
}

/// The body jumps, surely or perhaps, or has just done so.
static void supFillJumps( supBody* body, const supMat34* joints, supMat34 world, float dt, float whole,
    supJumpReason reason, float confirmed, float other, supJointJumps* out )
{
    supJumps* jumps = &body->jumps;
    float cut = 0.0f, low = ( supJointGain + jumps->unknown * supAnySpeed ) * supUnit( body, world, dt );
    *out = ( supJointJumps ){ .motion = supMat34_identity,
        .whole = whole,
        .withheld = jumps->withheld,
        .rebased = jumps->rebased,
        .other = other };
    if ( whole > 0.0f )
    {
        cut = supMaxF( supFindWhole( body, joints, world, dt, out ), jumps->cutAnyway );
        reason = cut < 0.5f && reason == sup_jumpCut ? sup_jumpMoved : reason;
    }
    jumps->view.joint = -1;
    float own = supShareOut( jumps, whole * cut, low ), most = supMaxF( whole, own );
    out->forgets = whole >= 1.0f && cut >= 1.0f && jumps->sure >= 1.0f;
    supSharePending( jumps, out->forgets, confirmed, other, dt );
    jumps->ranOn = supMaxF( whole * ( 1.0f - cut ), dt > 0.0f ? 0.0f : jumps->ranOn );
    supNoteFelt( jumps, out, dt );
    if ( most >= 0.5f )
    {
        jumps->view.count += 1;
        jumps->view.reason = whole >= 0.5f ? reason : sup_jumpJoints;
        jumps->view.joint = whole >= 0.5f ? -1 : jumps->view.joint;
        jumps->view.share = most;
    }
    bool passes = most == 0.0f && dt > 0.0f;
    jumps->unknown = passes ? 0.0f : supMaxF( supMaxF( whole * cut, own ), dt > 0.0f ? 0.0f : jumps->unknown );
    jumps->waits = most > 0.0f || ( jumps->waits && dt <= 0.0f );
}

bool supJumps_Notice( supBody* body, const supMat34* joints, supMat34 world, float dt, supJointJumps* out )
{
    supJumps* jumps = &body->jumps;
    if ( jumps->inClip || jumps->count == 0 )
    {
        return supNoticeInClip( body, joints, world, dt, out );
    }
    bool knew = jumps->started;
    if ( jumps->waits )
    {
        memcpy( jumps->lastMoves, jumps->moves, sizeof( float ) * 3 * (size_t)jumps->count );
    }
    supReadPlaces( jumps, joints, world );
    jumps->started = true;
    if ( !knew )
    {
        memset( jumps->velocities, 0, sizeof( float ) * 3 * (size_t)jumps->count );
        memset( jumps->pending, 0, sizeof( float ) * (size_t)jumps->count );
        jumps->lively = 0.0f;
        jumps->isNew = 1.0f;
        jumps->unknown = 5.0f; // nobody knows how it moves, be it in a train
        jumps->announced = sup_jumpNone;
        jumps->hasPosture = jumps->waits = false;
        jumps->lastSpan = 0.0f;
        jumps->before = world;
        return false;
    }
    float unit = supUnit( body, world, dt );
    float largest, square, gain = supFindGains( jumps, dt, &largest, &square );
    float low = ( supJointGain + jumps->unknown * supAnySpeed ) * unit;
    bool settles = jumps->waits && dt > 0.0f;
    float confirmed = settles ? supConfirm( jumps, dt ) : 0.0f;
    float other = settles && jumps->ranOn > 0.0f ? jumps->ranOn * supIsOther( jumps, unit, dt ) : 0.0f;
    supJumpReason reason;
    float whole = supJudge( jumps, gain, unit, dt, &reason );
    bool acts = whole > 0.0f || largest > low || jumps->waits;
    float before = jumps->unknown;
    if ( acts )
    {
        supFillJumps( body, joints, world, dt, whole, reason, confirmed, other, out );
    }
    else
    {
        supNoteSpeeds( jumps, dt );
        jumps->unknown = dt > 0.0f ? 0.0f : jumps->unknown;
    }
    supNoteLively( jumps, square, unit, dt, supMinF( supMaxF( whole, before ), 1.0f ) );
    supNoteWorld( body, world, dt, whole );
    jumps->announced = sup_jumpNone;
    jumps->hasPosture = false;
    jumps->lastSpan = dt > 0.0f ? dt : jumps->lastSpan;
    return acts;
}

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

void supJumps_Reset( supJumps* jumps )
{
    jumps->started = false;
    jumps->announced = sup_jumpNone;
    jumps->hasPosture = false;
    jumps->place = jumps->velocity = supVec3_zero;
}

void supJumps_Teleport( supJumps* jumps, supMat34 motion )
{
    jumps->place = supTransformPoint( motion, jumps->place );
    jumps->velocity = supTransformVector( motion, jumps->velocity );
    supMat34 posture = supMulMat( motion, jumps->posture );
    posture.t = supVec3_zero;
    jumps->posture = posture;
    jumps->before = supMulMat( motion, jumps->before );
    size_t count = (size_t)jumps->count;
    for ( size_t j = 0; j < count && jumps->started; ++j )
    {
        supSetRow( jumps->places, count, j, supTransformPoint( motion, supRowAt( jumps->places, count, j ) ) );
        supSetRow( jumps->velocities, count, j, supTransformVector( motion, supRowAt( jumps->velocities, count, j ) ) );
        supSetRow( jumps->moves, count, j, supTransformVector( motion, supRowAt( jumps->moves, count, j ) ) );
    }
}

void supJumps_Adopt( supJumps* jumps, const supJumps* from )
{
    size_t row = sizeof( float ) * (size_t)jumps->count;
    memcpy( jumps->places, from->places, 3 * row );
    memcpy( jumps->velocities, from->velocities, 3 * row );
    memcpy( jumps->moves, from->moves, 3 * row );
    memcpy( jumps->pending, from->pending, row );
    supJumps_Restore( jumps, from );
}

void supJumps_Restore( supJumps* jumps, const supJumps* from )
{
    supJumps own = *jumps;
    *jumps = *from;
    jumps->places = own.places;
    jumps->velocities = own.velocities;
    jumps->moves = own.moves;
    jumps->gains = own.gains;
    jumps->squares = own.squares;
    jumps->levers = own.levers;
    jumps->withheld = own.withheld;
    jumps->rebased = own.rebased;
    jumps->pending = own.pending;
    jumps->lastMoves = own.lastMoves;
    jumps->watched = own.watched;
}
