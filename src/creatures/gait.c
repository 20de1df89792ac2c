// Supple: sampling motion formulas.
// SPDX-License-Identifier: MIT
#include "creatures/gait.h"

// Where one clip is written while it is sampled.
typedef struct supClipPages
{
    supClipDef* clip;
    supTrackDef* tracks; // two a joint at most
    float* times;
    float* turns;  // 4 for each key of each joint
    float* shifts; // 3 for each key of each joint
} supClipPages;

static void supWriteKey(
    const supDraft* draft, const supPosture* posture, int32_t key, int32_t keys, supClipPages* out )
{
    for ( int32_t j = 0; j < draft->jointCount; ++j )
    {
        const supDraftJoint* joint = &draft->joints[j];
        supVec3d rest = joint->parent < 0 ? joint->place : supSubD( joint->place, draft->joints[joint->parent].place );
        supVec3d place = supAddD( rest, posture->shifts[j] );
        supQuatd turn = posture->turns[j];
        float* turns = out->turns + 4 * ( (size_t)j * (size_t)keys + (size_t)key );
        float* shifts = out->shifts + 3 * ( (size_t)j * (size_t)keys + (size_t)key );
        // q and -q turn alike; neighbours are kept on the same side.
        double side = 1.0;
        if ( key > 0 )
        {
            const float* last = turns - 4;
            side = last[0] * turn.x + last[1] * turn.y + last[2] * turn.z + last[3] * turn.w < 0.0 ? -1.0 : 1.0;
        }
        turns[0] = (float)( side * turn.x );
        turns[1] = (float)( side * turn.y );
        turns[2] = (float)( side * turn.z );
        turns[3] = (float)( side * turn.w );
        shifts[0] = (float)place.x;
        shifts[1] = (float)place.y;
        shifts[2] = (float)place.z;
    }
}

static void supSampleClip( const supDraft* draft, const supDraftClip* clip, supClipPages* out )
{
    int32_t keys = clip->frames + 1;
    for ( int32_t k = 0; k < keys; ++k )
    {
        supPosture posture;
        supPosture_Rest( &posture, draft );
        clip->formula( draft, (double)k / clip->frames, &posture );
        if ( clip->loops && k == clip->frames )
        {
            supPosture first;
            supPosture_Rest( &first, draft );
            clip->formula( draft, 0.0, &first );
            first.turns[0] = posture.turns[0];
            first.shifts[0] = posture.shifts[0];
            posture = first;
        }
        out->times[k] = (float)( (double)k / SUP_CREATURE_FPS );
        supWriteKey( draft, &posture, k, keys, out );
    }
}

static bool supChanges( const float* values, int32_t width, int32_t keys, const float* rest )
{
    for ( int32_t k = 0; k < keys; ++k )
    {
        for ( int32_t i = 0; i < width; ++i )
        {
            if ( values[k * width + i] != rest[i] )
            {
                return true;
            }
        }
    }
    return false;
}

static void supListTracks( const supDraft* draft, int32_t keys, supClipPages* pages )
{
    int32_t count = 0;
    for ( int32_t j = 0; j < draft->jointCount; ++j )
    {
        const supDraftJoint* joint = &draft->joints[j];
        supVec3d rest = joint->parent < 0 ? joint->place : supSubD( joint->place, draft->joints[joint->parent].place );
        float shift[3] = { (float)rest.x, (float)rest.y, (float)rest.z };
        float turn[4] = { 0.0f, 0.0f, 0.0f, 1.0f };
        const float* shifts = pages->shifts + 3 * (size_t)j * (size_t)keys;
        const float* turns = pages->turns + 4 * (size_t)j * (size_t)keys;
        supTrackDef track = {
            .joint = j, .interpolation = sup_interpolationLinear, .keyCount = keys, .times = pages->times
        };
        if ( supChanges( shifts, 3, keys, shift ) )
        {
            track.path = sup_pathTranslation;
            track.values = shifts;
            track.width = 3;
            pages->tracks[count++] = track;
        }
        if ( supChanges( turns, 4, keys, turn ) )
        {
            track.path = sup_pathRotation;
            track.values = turns;
            track.width = 4;
            pages->tracks[count++] = track;
        }
    }
    pages->clip->trackCount = count;
    pages->clip->tracks = pages->tracks;
}

supResult supCreateClipSheet( const supDraft* draft, const supAllocator* allocator, supClipSheet* out, supError* error )
{
    *out = ( supClipSheet ){ .allocator = supKeepAllocator( allocator ), .clipCount = draft->clipCount };
    size_t keys = 0;
    for ( int32_t c = 0; c < draft->clipCount; ++c )
    {
        keys += (size_t)draft->clips[c].frames + 1;
    }
    size_t joints = (size_t)draft->jointCount;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, out->clips, draft->clipCount );
    SUP_PUT_NEW( &layout, supTrackDef, tracks, (size_t)draft->clipCount * joints * 2 );
    SUP_PUT_NEW( &layout, float, times, keys );
    SUP_PUT_NEW( &layout, float, turns, keys* joints * 4 );
    SUP_PUT_NEW( &layout, float, shifts, keys* joints * 3 );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %zu keys of '%s'", keys, draft->name );
    }
    out->block = block;
    out->blockSize = layout.size;
    supClipPages pages = { out->clips, tracks, times, turns, shifts };
    for ( int32_t c = 0; c < draft->clipCount; ++c )
    {
        const supDraftClip* clip = &draft->clips[c];
        size_t own = (size_t)clip->frames + 1;
        pages.clip->name = clip->name;
        supSampleClip( draft, clip, &pages );
        supListTracks( draft, clip->frames + 1, &pages );
        pages.clip += 1;
        pages.tracks += 2 * joints;
        pages.times += own;
        pages.turns += 4 * own * joints;
        pages.shifts += 3 * own * joints;
    }
    return sup_success;
}

void supClipSheet_Destroy( supClipSheet* sheet )
{
    supFree( &sheet->allocator, sheet->block, sheet->blockSize );
    sheet->block = NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Eased keys, limbs that reach, and footfalls.

double supEase_At( const supEaseKey* keys, int32_t count, double time )
{
    if ( time <= keys[0].time )
    {
        return keys[0].value;
    }
    int32_t i = 1;
    while ( i < count && keys[i].time <= time )
    {
        ++i;
    }
    if ( i == count )
    {
        return keys[count - 1].value;
    }
    // Hermite's basis over one span.
    const supEaseKey *a = &keys[i - 1], *b = &keys[i];
    double span = b->time - a->time;
    double t = ( time - a->time ) / span;
    double t2 = t * t, t3 = t2 * t;
    return ( 2.0 * t3 - 3.0 * t2 + 1.0 ) * a->value + ( t3 - 2.0 * t2 + t ) * span * a->slope +
           ( 3.0 * t2 - 2.0 * t3 ) * b->value + ( t3 - t2 ) * span * b->slope;
}

// In the plane of the limb the law of cosines gives the middle joint: with the bones a, b and the reach c its foot on
// the line to the end is ( a^2 - b^2 + c^2 ) / 2c from the start. It goes out square to the line and to the side axis,
// so it never flips while the limb swings.
void supReachLimb(
    const supDraft* draft, supPosture* posture, const supLimb* limb, supVec3d place, supQuatd facing, supVec3d side )
{
    supVec3d restUpper = supSubD( draft->joints[limb->lower].place, draft->joints[limb->upper].place );
    supVec3d restLower = supSubD( draft->joints[limb->end].place, draft->joints[limb->lower].place );
    double a = supLengthD( restUpper ), b = supLengthD( restLower );
    supVec3d start = posture->places[limb->upper];
    supVec3d line = supSubD( place, start );
    double c = supClamp( supLengthD( line ), 1.001 * supAbs( a - b ), 0.9995 * ( a + b ) );
    line = supNormalizeD( line );
    double along = ( a * a - b * b + c * c ) / ( 2.0 * c );
    double out = supSqrt( supMax( a * a - along * along, 0.0 ) );
    supVec3d across = supNormalizeD( supCrossD( line, side ) );
    supVec3d middle = supMulAddD( supMulAddD( start, along, line ), limb->behind ? -out : out, across );
    supVec3d end = supMulAddD( start, c, line );
    supVec3d restSide = supV( 1.0, 0.0, 0.0 );
    supQuatd upper = supFrameTurn( restUpper, restSide, supSubD( middle, start ), side );
    supQuatd lower = supFrameTurn( restLower, restSide, supSubD( end, middle ), side );
    int32_t parent = draft->joints[limb->upper].parent;
    posture->turns[limb->upper] = supMulQuatD( supConjugateD( posture->facing[parent] ), upper );
    posture->turns[limb->lower] = supMulQuatD( supConjugateD( upper ), lower );
    posture->turns[limb->end] = supMulQuatD( supConjugateD( lower ), facing );
    supPosture_Update( posture, draft, limb->upper );
}

supStand supRoute_At( supRoute path, double phase )
{
    double heading = path.turn * phase;
    if ( path.turn == 0.0 )
    {
        return ( supStand ){ { 0.0, 0.0, path.stride * phase }, 0.0 };
    }
    double radius = path.stride / ( path.turn * SUP_PI / 180.0 );
    double sine, cosine;
    supSinCos( heading * SUP_PI / 180.0, &sine, &cosine );
    return ( supStand ){ { radius * ( 1.0 - cosine ), 0.0, radius * sine }, heading };
}

static const supVec3d sup_up = { 0.0, 1.0, 0.0 };

static supVec3d supFromStand( supStand stand, supVec3d local )
{
    return supAddD( stand.place, supRotateD( supTurnBy( sup_up, stand.heading ), local ) );
}

static supVec3d supToStand( supStand stand, supVec3d place )
{
    return supRotateD( supTurnBy( sup_up, -stand.heading ), supSubD( place, stand.place ) );
}

// While it is down the foot stays where the walker's middle of the stance puts it; in the air it goes from one such
// place to the next, at rest on the ground at both ends.
supFootfall supFootStep_At( const supFootStep* step, supRoute path, double phase )
{
    double since = phase - step->down;
    double cycle = supFloor( since );
    since -= cycle;
    double middle = step->down + cycle + 0.5 * step->stance;
    supVec3d local = supV( step->lateral, 0.0, step->ahead );
    supStand from = supRoute_At( path, middle ), to = supRoute_At( path, middle + 1.0 );
    supVec3d place = supFromStand( from, local );
    double heading = from.heading;
    if ( since > step->stance )
    {
        double t = ( since - step->stance ) / ( 1.0 - step->stance );
        double eased = t * t * t * ( 10.0 - 15.0 * t + 6.0 * t * t );
        place = supLerpD( place, supFromStand( to, local ), eased );
        place.y = step->lift * 16.0 * t * t * ( 1.0 - t ) * ( 1.0 - t );
        heading = supMix( heading, to.heading, eased );
    }
    supStand now = supRoute_At( path, phase );
    return ( supFootfall ){ supToStand( now, place ), heading - now.heading,
        supEase_At( step->pitch, step->pitchCount, since ) };
}

supVec3d supRollFoot( supFootfall fall, supVec3d ankle, supVec3d heel, supVec3d ball, supQuatd* facing )
{
    supQuatd heading = supTurnBy( sup_up, fall.heading );
    supQuatd pitch = supTurnBy( supV( 1.0, 0.0, 0.0 ), fall.pitch );
    supVec3d pivot = fall.pitch > 0.0 ? ball : heel;
    supVec3d rolled = supAddD( pivot, supRotateD( pitch, supSubD( ankle, pivot ) ) );
    *facing = supMulQuatD( heading, pitch );
    return supAddD( fall.place, supRotateD( heading, supSubD( rolled, supV( ball.x, 0.0, ball.z ) ) ) );
}
