// The keys of a clip's helper joints.
// SPDX-License-Identifier: MIT
//
// Candidates are the clip's own keys (there joints have corners, and so has L_j^-1 u) and times between them, so that
// none are farther apart than the rate asks for. Of these the fewest are kept with which the error between holds, never
// farther apart than the rate; where even all of them are not enough, spans are halved until it does. The error is what
// a player would show: translations interpolated in the joint's own space under the sampled pose, for the vertex to
// which that may do most (supErrorBound).

#include "bake/error_plan.h"
#include "bake/helper_frames.h"
#include "bake/key_times.h"
#include "base/math.h"

#include <string.h>

enum
{
    supLooks = 4,        ///< a span is looked at in this many parts
    supMostHalvings = 11 ///< of one span
};

/// Share of the tolerance that is used up at the times that are looked at; the rest is for those between them.
static const double supUsedTolerance = 0.9;

/// The work on one clip.
typedef struct supKeyWork
{
    supHelperClock clock;
    const supErrorPlan* plan;
    supKeyForm form;
    int32_t helpers;
    double tolerance;  ///< metres
    double span;       ///< the longest between keys. Seconds
    supArray times;    ///< candidates, doubles
    supArray keyTimes; ///< float: of the keys so far
    supArray keys;     ///< float: values of all helpers, key after key
    supArray turns;    ///< float: rotations of those that turn, likewise
    /// supHelperFrame: of candidates from the last key on, and of the times between them, supLooks a span
    supArray window;
    supHelperFrame* halves; ///< scratch for halving
    float* lengths;         ///< scratch, one a helper
} supKeyWork;

// ---------------------------------------------------------------------------------------------------------------
// Candidates

static void supMarkChain( const supCharacter* character, int32_t joint, uint8_t* marks )
{
    for ( int32_t j = joint; j >= 0; j = character->joints[j].view.parent )
    {
        marks[j] = 1;
    }
}

/// Marks joints that carry a helper and all above them; where layers move flesh in its driver's frame, drivers too.
static void supMarkChains( const supJointBake* bake, uint8_t* marks )
{
    const supModel* model = bake->model;
    for ( int32_t i = 0; i < supBakedHelperCount( bake ); ++i )
    {
        supMarkChain( model->character, supHelperJoint( bake, i ), marks );
    }
    for ( int32_t e = 0; model->motions->anyLayers && e < model->offsets.elementCount; ++e )
    {
        supMarkChain( model->character, model->offsets.elements[e].driver, marks );
    }
}

static bool supFindCandidates( supKeyWork* work )
{
    const supModel* model = work->clock.bake->model;
    const supAllocator* allocator = &work->clock.bake->allocator;
    size_t joints = (size_t)supCharacter_Info( model->character )->jointCount;
    uint8_t* marks = supAllocZeroed( allocator, joints, 1, 1 );
    bool fits = marks != NULL;
    if ( fits )
    {
        supMarkChains( work->clock.bake, marks );
        fits = supLayClipTimes(
            model->character, work->clock.take->clip, marks, work->span * ( 1.0 + 1e-3 ), work->span, &work->times );
    }
    supFree( allocator, marks, joints );
    return fits;
}

// ---------------------------------------------------------------------------------------------------------------
// Choosing

/// Rotations of a key: of those that turn alone.
static bool supEmitTurns( supKeyWork* work, const supHelperFrame* frames )
{
    const supJointBake* bake = work->clock.bake;
    size_t parts = work->form == sup_keysCubic ? 3 : 1, added = 4 * parts * (size_t)bake->turningCount;
    float* values = added > 0 ? supArray_Add( &work->turns, added ) : NULL;
    for ( int32_t i = 0; i < work->helpers && values != NULL; ++i )
    {
        if ( supHelperTurn( bake, i ) >= 0 )
        {
            const supQuat all[3] = { frames[i].turnBefore, frames[i].turn, frames[i].turnAfter };
            memcpy( values, parts == 3 ? all : all + 1, parts * sizeof( supQuat ) );
            values += 4 * parts;
        }
    }
    return added == 0 || values != NULL;
}

static bool supEmitKey( supKeyWork* work, double time, const supHelperFrame* frames )
{
    size_t width = work->form == sup_keysCubic ? 9 : 3;
    float* at = supArray_Add( &work->keyTimes, 1 );
    float* values = at != NULL ? supArray_Add( &work->keys, width * (size_t)work->helpers ) : NULL;
    if ( values == NULL || !supEmitTurns( work, frames ) )
    {
        return false;
    }
    *at = (float)time;
    for ( int32_t i = 0; i < work->helpers; ++i, values += width )
    {
        const supVec3 parts[3] = { frames[i].before, frames[i].value, frames[i].after };
        const supVec3* from = width == 9 ? parts : parts + 1;
        for ( size_t k = 0; k < width / 3; ++k )
        {
            values[3 * k] = from[k].x;
            values[3 * k + 1] = from[k].y;
            values[3 * k + 2] = from[k].z;
        }
    }
    return true;
}

/// How far a vertex may be off at `frames`, at a share `theta` from key a to key b.
static double supSpanError( const supKeyWork* work, const supHelperFrame* a, const supHelperFrame* b,
    const supHelperFrame* frames, double span, double theta )
{
    const supJointBake* bake = work->clock.bake;
    float largest = 0.0f;
    for ( int32_t i = 0; i < work->helpers; ++i )
    {
        supVec3 value = supPlayKeys( a + i, b + i, work->form, span, theta );
        if ( supHelperTurn( bake, i ) >= 0 )
        {
            supVec3 place = ( (const supBakedHelper*)bake->helpers.data )[i].place;
            supQuat turn = supPlayTurns( a + i, b + i, work->form, span, theta );
            supMat34 played = supPlayedMatrix( frames + i, place, value, turn );
            work->lengths[i] = supTurnedRows_Bound( &work->plan->turned, i, played, frames[i].target );
        }
        else
        {
            work->lengths[i] = supLength( supHelperError( frames + i, value ) );
        }
        largest = supMaxF( largest, work->lengths[i] );
    }
    return largest <= work->tolerance ? largest : supMinF( largest, supErrorBound( work->plan, work->lengths ) );
}

/// Keys between a and b, none of them included, by halving.
static bool supHalve(
    supKeyWork* work, double ta, const supHelperFrame* a, double tb, const supHelperFrame* b, int depth )
{
    size_t helpers = (size_t)work->helpers;
    supHelperFrame* inner = work->halves + 3 * helpers * (size_t)depth;
    double worst = 0.0, times[3];
    for ( int k = 0; k < 3; ++k )
    {
        times[k] = (float)( ta + ( tb - ta ) * ( k + 1 ) / 4.0 );
        supHelperClock_Read( &work->clock, times[k], inner + helpers * (size_t)k );
        double theta = ( times[k] - ta ) / ( tb - ta );
        worst = supMax( worst, supSpanError( work, a, b, inner + helpers * (size_t)k, tb - ta, theta ) );
    }
    if ( worst <= work->tolerance || depth == supMostHalvings || supIsUnseen( ta, tb ) )
    {
        return true;
    }
    return supHalve( work, ta, a, times[1], inner + helpers, depth + 1 ) &&
           supEmitKey( work, times[1], inner + helpers ) &&
           supHalve( work, times[1], inner + helpers, tb, b, depth + 1 );
}

/// A time of the window: candidates at multiples of supLooks.
static double supWindowTime( const supKeyWork* work, size_t first, size_t index )
{
    const double* times = work->times.data;
    double a = times[first + index / supLooks];
    size_t part = index % supLooks;
    return part == 0 ? a : a + ( times[first + index / supLooks + 1] - a ) * (double)part / supLooks;
}

/// Reads on until candidate `last` is in the window, which begins with candidate `first`.
static bool supFillWindow( supKeyWork* work, size_t first, size_t last )
{
    size_t helpers = (size_t)work->helpers;
    size_t wanted = supLooks * ( last - first ) + 1;
    size_t have = work->window.count / helpers;
    if ( have < wanted && supArray_Add( &work->window, ( wanted - have ) * helpers ) == NULL )
    {
        return false;
    }
    supHelperFrame* frames = work->window.data;
    for ( ; have < wanted; ++have )
    {
        supHelperClock_Read( &work->clock, supWindowTime( work, first, have ), frames + have * helpers );
    }
    return true;
}

/// The largest error between candidate `first`, with which the window begins, and `last`.
static double supWindowError( const supKeyWork* work, size_t first, size_t last )
{
    const double* times = work->times.data;
    const supHelperFrame* frames = work->window.data;
    size_t helpers = (size_t)work->helpers;
    double ta = times[first], span = times[last] - ta, worst = 0.0;
    for ( size_t i = 1; i < supLooks * ( last - first ); ++i )
    {
        size_t at = first + i / supLooks;
        if ( i % supLooks != 0 && supIsUnseen( times[at], times[at + 1] ) )
        {
            continue;
        }
        double theta = ( supWindowTime( work, first, i ) - ta ) / span;
        const supHelperFrame* b = frames + supLooks * ( last - first ) * helpers;
        worst = supMax( worst, supSpanError( work, frames, b, frames + i * helpers, span, theta ) );
    }
    return worst;
}

/// From the key at candidate `first` to the next: which candidate that is, or 0 where memory ran out.
static size_t supNextKey( supKeyWork* work, size_t first )
{
    const double* times = work->times.data;
    size_t most = first + 1;
    while ( most + 1 < work->times.count && times[most + 1] - times[first] <= work->span * ( 1.0 + 1e-3 ) )
    {
        ++most;
    }
    if ( !supFillWindow( work, first, most ) )
    {
        return 0;
    }
    size_t next = most;
    double error = supWindowError( work, first, next );
    while ( next > first + 1 && error > work->tolerance )
    {
        error = supWindowError( work, first, --next );
    }
    size_t helpers = (size_t)work->helpers, end = supLooks * ( next - first );
    supHelperFrame* frames = work->window.data;
    if ( error > work->tolerance && !supHalve( work, times[first], frames, times[next], frames + end * helpers, 0 ) )
    {
        return 0;
    }
    if ( !supEmitKey( work, times[next], frames + end * helpers ) )
    {
        return 0;
    }
    work->window.count -= end * helpers;
    memmove( frames, frames + end * helpers, work->window.count * sizeof( supHelperFrame ) );
    return next;
}

static bool supChooseKeys( supKeyWork* work )
{
    if ( !supFillWindow( work, 0, 0 ) || !supEmitKey( work, *(double*)work->times.data, work->window.data ) )
    {
        return false;
    }
    for ( size_t at = 0; at + 1 < work->times.count; )
    {
        at = supNextKey( work, at );
        if ( at == 0 )
        {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

/// From key after key to helper after helper. NULL: no memory.
static float* supSortKeys(
    const supAllocator* allocator, const float* from, size_t count, size_t helpers, size_t width )
{
    float* values = supAllocZeroed( allocator, count, helpers * width * sizeof( float ), _Alignof( float ) );
    for ( size_t k = 0; k < count && values != NULL; ++k )
    {
        for ( size_t i = 0; i < helpers; ++i, from += width )
        {
            memcpy( values + ( i * count + k ) * width, from, width * sizeof( float ) );
        }
    }
    return values;
}

static bool supStoreKeys( supKeyWork* work, supBakedClip* clip )
{
    const supAllocator* allocator = &work->clock.bake->allocator;
    size_t count = work->keyTimes.count, turning = (size_t)work->clock.bake->turningCount;
    size_t parts = work->form == sup_keysCubic ? 3 : 1;
    float* times = supAllocZeroed( allocator, count, sizeof( float ), _Alignof( float ) );
    clip->keys = work->form;
    clip->keyCount = (int32_t)count;
    clip->times = times;
    clip->translations = supSortKeys( allocator, work->keys.data, count, (size_t)work->helpers, 3 * parts );
    clip->rotations = turning > 0 ? supSortKeys( allocator, work->turns.data, count, turning, 4 * parts ) : NULL;
    if ( times == NULL || clip->translations == NULL || ( turning > 0 && clip->rotations == NULL ) )
    {
        return false;
    }
    memcpy( times, work->keyTimes.data, count * sizeof( float ) );
    return true;
}

supResult supBakeClipKeys( const supJointBake* bake, const supErrorPlan* plan, const supJointBakeDef* def,
    const supTake* take, supBakedClip* clip )
{
    clip->worstVertex = -1;
    clip->keys = def->keys;
    if ( bake->helpers.count == 0 )
    {
        return sup_success;
    }
    const supAllocator* allocator = &bake->allocator;
    supKeyWork work = { .plan = plan,
        .form = def->keys,
        .helpers = supBakedHelperCount( bake ),
        .span = 1.0 / def->fps,
        .tolerance = supUsedTolerance * def->tolerance * bake->size,
        .times = supMakeArray( sizeof( double ), allocator ),
        .keyTimes = supMakeArray( sizeof( float ), allocator ),
        .keys = supMakeArray( sizeof( float ), allocator ),
        .turns = supMakeArray( sizeof( float ), allocator ),
        .window = supMakeArray( sizeof( supHelperFrame ), allocator ) };
    size_t halves = 3 * (size_t)( supMostHalvings + 1 ) * (size_t)work.helpers;
    work.lengths = supAllocZeroed( allocator, (size_t)work.helpers, sizeof( float ), _Alignof( float ) );
    work.halves = supAllocZeroed( allocator, halves, sizeof( supHelperFrame ), _Alignof( supHelperFrame ) );
    supResult result = supMakeHelperClock( &work.clock, bake, take, def->keys == sup_keysCubic, NULL );
    if ( result == sup_success )
    {
        bool fits = work.halves != NULL && work.lengths != NULL && supFindCandidates( &work ) &&
                    supChooseKeys( &work ) && supStoreKeys( &work, clip );
        result = fits ? sup_success : sup_errorMemory;
    }
    supHelperClock_Destroy( &work.clock );
    supFree( allocator, work.halves, halves * sizeof( supHelperFrame ) );
    supFree( allocator, work.lengths, (size_t)work.helpers * sizeof( float ) );
    supArray_Destroy( &work.times );
    supArray_Destroy( &work.keyTimes );
    supArray_Destroy( &work.keys );
    supArray_Destroy( &work.turns );
    supArray_Destroy( &work.window );
    return result;
}
