// A spring along the path of its anchor.
// SPDX-License-Identifier: MIT
//
// As in spring_step.c, in w = u + A (x - x_i) the anchor's acceleration is gone from the equation:
//     w'' + c w' + K w = A (own x' + K (x - x_i)) + f
// with x a cubic and f linear over a span, so the right side is a polynomial of degree 3 and the flow is exact: at
// every node and, by a shorter step from the node before, at every time in between. State is (u, s = u' + A x'), which
// nothing in the path makes jump.
//
// Over a whole cycle the flow is affine: (u, s) at the end = M (u, s) at the start + b, where M is a 2x2 matrix that
// acts on each coordinate alike. A motion that returns to itself, seen from a root that has turned by R meanwhile,
// starts with
//     R x0 = M x0 + b.
#include "bake/take_data.h"

#include "bake/anchor_path.h"
#include "bake/key_times.h"
#include "base/math.h"
#include "character/character_data.h"
#include "character/joint_tree.h"
#include "solve/dense.h"
#include "solve/spring_step.h"

#include <string.h>

typedef struct supTakeState
{
    supVec3d u, s;
} supTakeState;

// ---------------------------------------------------------------------------------------------------------------
// Steps

/// What drives the spring over a step of `time` seconds from node `index`, in theta = t / time, and how the anchor
/// moves.
typedef struct supStepForcing
{
    supVec3d terms[4]; ///< of theta^k
    supVec3d moved;    ///< what the anchor has moved by at the end
} supStepForcing;

static supStepForcing supForcingOf(
    const supTakeSpring* spring, const supAnchorPath* path, int32_t index, const supPathSpan* span, double time )
{
    double part = time / span->length, power = part;
    supVec3d steps[5] = { { 0.0, 0.0, 0.0 } }; // of theta^k over the step, which may be shorter than the span
    supStepForcing forcing = { .moved = { 0.0, 0.0, 0.0 } };
    for ( int k = 1; k <= 3; ++k, power *= part )
    {
        steps[k] = supScaleD( span->steps[k - 1], power );
        forcing.moved = supAddD( forcing.moved, steps[k] );
    }
    steps[4] = ( supVec3d ){ 0.0, 0.0, 0.0 };
    for ( int k = 0; k <= 3; ++k )
    {
        supVec3d term = supScaleD( steps[k], spring->amount * spring->stiffness );
        forcing.terms[k] = supMulAddD( term, spring->amount * spring->own * ( k + 1 ) / time, steps[k + 1] );
    }
    supVec3d pullStep = supSubD( path->pulls[index + 1], path->pulls[index] );
    forcing.terms[0] = supAddD( forcing.terms[0], path->pulls[index] );
    forcing.terms[1] = supMulAddD( forcing.terms[1], part, pullStep );
    return forcing;
}

/// From node `index`, in state `state`, on by `time` seconds, at most to the next node; `response` is that of `time`.
static supTakeState supAdvanceTake( const supTakeSpring* spring, const supAnchorPath* path, int32_t index, double time,
    const supResponse* response, supTakeState state )
{
    supPathSpan span = supAnchorPath_Span( path, index );
    supStepForcing forcing = supForcingOf( spring, path, index, &span, time );
    supVec3d w = supMulAddD( supScaleD( state.u, response->e[0][0] ), response->e[0][1], state.s );
    supVec3d s = supMulAddD( supScaleD( state.u, response->e[1][0] ), response->e[1][1], state.s );
    for ( int k = 0; k <= 3; ++k )
    {
        w = supMulAddD( w, response->r[0][k], forcing.terms[k] );
        s = supMulAddD( s, response->r[1][k], forcing.terms[k] );
    }
    return ( supTakeState ){ supMulAddD( w, -spring->amount, forcing.moved ), s };
}

// The same for a short step, without its response: the solution's own power series in theta, w = sum c_j theta^j with
//     (j + 1) (j + 2) c_(j+2) = time^2 Q_j - a (j + 1) c_(j+1) - b c_j,   a = friction time, b = stiffness time^2.
// With a and b at most 1 what is left out after 20 terms is below 1e-17. Ten times faster than a response for one time
// alone, and most steps of a bake are such.
static supTakeState supAdvanceShort( const supTakeSpring* spring, const supAnchorPath* path, int32_t index,
    const supPathSpan* span, double time, supTakeState state )
{
    supStepForcing forcing = supForcingOf( spring, path, index, span, time );
    double a = spring->friction * time, b = spring->stiffness * time * time;
    supVec3d c0 = state.u, c1 = supScaleD( state.s, time );
    supVec3d w = supAddD( c0, c1 ), slope = c1;
    for ( int j = 0; j < 20; ++j )
    {
        supVec3d next = supMulAddD( supScaleD( c0, -b ), -a * ( j + 1 ), c1 );
        next = j <= 3 ? supMulAddD( next, time * time, forcing.terms[j] ) : next;
        next = supScaleD( next, 1.0 / ( ( j + 1 ) * ( j + 2 ) ) );
        w = supAddD( w, next );
        slope = supMulAddD( slope, j + 2, next );
        c0 = c1;
        c1 = next;
    }
    return ( supTakeState ){ supMulAddD( w, -spring->amount, forcing.moved ), supScaleD( slope, 1.0 / time ) };
}

/// The path's speed at a share `theta` of a span.
static supVec3d supPathSpeed( const supPathSpan* span, double theta )
{
    supVec3d slope = supMulAddD( span->steps[0], 2.0 * theta, span->steps[1] );
    slope = supMulAddD( slope, 3.0 * theta * theta, span->steps[2] );
    return supScaleD( slope, 1.0 / span->length );
}

static supVec3d supClampLengthD( supVec3d u, double limit )
{
    double length = supLengthD( u );
    return length > limit ? supScaleD( u, limit / length ) : u;
}

/// Runs through all nodes from the state at the first. `flow`, where not NULL, becomes the product of all steps' 2x2
/// matrices.
static supTakeState supRunPath(
    const supTakeSpring* spring, supAnchorPath* path, supTakeState state, bool clamps, double ( *flow )[2] )
{
    double length = 0.0;
    supResponse response = { 0 };
    path->u[0] = state.u;
    path->s[0] = state.s;
    for ( int32_t i = 0; i + 1 < path->count; ++i )
    {
        double span = path->times[i + 1] - path->times[i];
        if ( span != length )
        {
            response = supSpringResponse( spring->friction, spring->stiffness, span );
            length = span;
        }
        state = supAdvanceTake( spring, path, i, span, &response, state );
        state.u = clamps ? supClampLengthD( state.u, spring->limit ) : state.u;
        path->u[i + 1] = state.u;
        path->s[i + 1] = state.s;
        for ( int column = 0; column < 2 && flow != NULL; ++column )
        {
            double first = flow[0][column], second = flow[1][column];
            flow[0][column] = response.e[0][0] * first + response.e[0][1] * second;
            flow[1][column] = response.e[1][0] * first + response.e[1][1] * second;
        }
    }
    return state;
}

// ---------------------------------------------------------------------------------------------------------------
// The start that returns to itself

/// (R - M) x0 = b. The speed is counted in units of omega, so that all entries are of one kind.
static bool supSolveStart( supMat34d turn, double flow[2][2], supTakeState b, double omega, supTakeState* start )
{
    const double rows[3][3] = { { turn.x.x, turn.y.x, turn.z.x }, { turn.x.y, turn.y.y, turn.z.y },
        { turn.x.z, turn.y.z, turn.z.z } };
    const double right[6] = { b.u.x, b.u.y, b.u.z, b.s.x / omega, b.s.y / omega, b.s.z / omega };
    const double scaled[2][2] = { { flow[0][0], flow[0][1] * omega }, { flow[1][0] / omega, flow[1][1] } };
    double m[6][7], x[6];
    for ( int i = 0; i < 6; ++i )
    {
        for ( int j = 0; j < 6; ++j )
        {
            m[i][j] = i / 3 == j / 3 ? rows[i % 3][j % 3] : 0.0;
            m[i][j] -= i % 3 == j % 3 ? scaled[i / 3][j / 3] : 0.0;
        }
        m[i][6] = right[i];
    }
    if ( !supSolveLinear( 6, &m[0][0], 1e-9, x ) )
    {
        return false; // a spring without damping that the cycle drives at its own frequency
    }
    *start = ( supTakeState ){ { x[0], x[1], x[2] }, { x[3] * omega, x[4] * omega, x[5] * omega } };
    return true;
}

/// Settled: as if it had always stood like this. The anchor's speed at the start is no kick.
static supTakeState supSettledStart( const supTakeSpring* spring, const supAnchorPath* path )
{
    supTakeState state = { supScaleD( path->pulls[0], 1.0 / spring->stiffness ), { 0.0, 0.0, 0.0 } };
    if ( path->count > 1 )
    {
        supPathSpan span = supAnchorPath_Span( path, 0 );
        state.s = supScaleD( supPathSpeed( &span, 0.0 ), spring->amount );
    }
    state.u = spring->clamps ? supClampLengthD( state.u, spring->limit ) : state.u;
    return state;
}

/// The paper's limit is not linear: cycle after cycle, until one repeats the last.
static supTakeState supIterateStart(
    const supTakeSpring* spring, supAnchorPath* path, supMat34d inverse, supTakeState state )
{
    enum
    {
        supMostCycles = 200
    };
    double omega = supSqrt( spring->stiffness );
    for ( int i = 0; i < supMostCycles; ++i )
    {
        supTakeState end = supRunPath( spring, path, state, true, NULL );
        supTakeState next = { supTransformVectorD( inverse, end.u ), supTransformVectorD( inverse, end.s ) };
        double change = supLengthD( supSubD( next.u, state.u ) ) + supLengthD( supSubD( next.s, state.s ) ) / omega;
        state = next;
        if ( change <= 1e-10 * spring->limit )
        {
            break;
        }
    }
    return state;
}

int32_t supSolveTakeSpring( const supTakeSpring* spring, supAnchorPath* path, const supRootMotion* root )
{
    supTakeState start = supSettledStart( spring, path );
    if ( root->loops && path->count > 1 )
    {
        double flow[2][2] = { { 1.0, 0.0 }, { 0.0, 1.0 } };
        supTakeState b =
            supRunPath( spring, path, ( supTakeState ){ { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } }, false, flow );
        supTakeState solved;
        if ( supSolveStart( root->motion, flow, b, supSqrt( spring->stiffness ), &solved ) )
        {
            start = solved;
        }
        if ( spring->clamps )
        {
            supMat34d inverse;
            supInvertMatD( root->motion, &inverse );
            start.u = supClampLengthD( start.u, spring->limit );
            start = supIterateStart( spring, path, inverse, start );
        }
    }
    supRunPath( spring, path, start, spring->clamps, NULL );

    int32_t limited = 0;
    for ( int32_t i = 0; i < path->count; ++i )
    {
        double length = supLengthD( path->u[i] ), shown = supLengthD( supShowElongation( spring, path->u[i], NULL ) );
        limited += spring->clamps ? length >= spring->limit * ( 1.0 - 1e-9 ) : shown < 0.99 * length;
    }
    return limited;
}

// ---------------------------------------------------------------------------------------------------------------
// Any time

void supTakeSpringAt(
    const supTakeSpring* spring, const supAnchorPath* path, double time, supVec3d* elongation, supVec3d* speed )
{
    if ( path->count == 1 )
    {
        *elongation = path->u[0];
        *speed = ( supVec3d ){ 0.0, 0.0, 0.0 };
        return;
    }
    int32_t index = supAnchorPath_Find( path, time );
    double since = time - path->times[index];
    supTakeState state = { path->u[index], path->s[index] };
    supPathSpan span = supAnchorPath_Span( path, index );
    if ( since >= span.length )
    {
        state = ( supTakeState ){ path->u[index + 1], path->s[index + 1] };
        since = span.length;
    }
    else if ( since > 0.0 )
    {
        bool isShort = spring->friction * since <= 1.0 && spring->stiffness * since * since <= 1.0;
        if ( isShort )
        {
            state = supAdvanceShort( spring, path, index, &span, since, state );
        }
        else
        {
            supResponse response = supSpringResponse( spring->friction, spring->stiffness, since );
            state = supAdvanceTake( spring, path, index, since, &response, state );
        }
    }
    *elongation = state.u;
    *speed = supMulAddD( state.s, -spring->amount, supPathSpeed( &span, supMax( since, 0.0 ) / span.length ) );
}

// The saturation of flesh_step.c, in double, and its derivative: with r = |u| / limit, g = (1 + r^8)^(-1/8),
//     shown = g u,   shown' = g (u' - u (u . u') / |u|^2 * r^8 / (1 + r^8)).
supVec3d supShowElongation( const supTakeSpring* spring, supVec3d u, supVec3d* speed )
{
    double length = supLengthD( u );
    if ( !( spring->limit > 0.0 ) )
    {
        if ( speed != NULL )
        {
            *speed = ( supVec3d ){ 0.0, 0.0, 0.0 };
        }
        return ( supVec3d ){ 0.0, 0.0, 0.0 };
    }
    if ( !( length > 0.0 ) )
    {
        return u;
    }
    double r = length / spring->limit;
    double q = r > 1.0 ? 1.0 / r : r, q2 = q * q, q4 = q2 * q2, q8 = q4 * q4;
    double root = supSqrt( supSqrt( supSqrt( 1.0 + q8 ) ) );
    double gain = r > 1.0 ? q / root : 1.0 / root;
    double turned = r > 1.0 ? 1.0 / ( 1.0 + q8 ) : q8 / ( 1.0 + q8 );
    if ( spring->clamps )
    {
        gain = r > 1.0 ? q : 1.0;
        turned = r > 1.0 ? 1.0 : 0.0;
    }
    if ( speed != NULL )
    {
        double along = supDotD( u, *speed ) / ( length * length ) * turned;
        *speed = supScaleD( supMulAddD( *speed, -along, u ), gain );
    }
    return supScaleD( u, gain );
}

// ---------------------------------------------------------------------------------------------------------------
// The joints above an element's anchor, sampled by themselves in double precision.
//
// A pose rounds its matrices to float: good enough to look at, not to take two derivatives of a path that may lie a
// hundred metres from the origin.

/// Keys farther apart than this are not samples of a motion but its corners: what happens between them counts. Seconds
static const double supDenseSpan = 1.0 / 20.0;
/// Distance of the times put between them. Seconds
static const double supFineSpan = 1.0 / 60.0;
/// The most spans that are made by dividing: a clip of hours with two keys must not eat the machine.
static const double supMostSpans = 65536.0;

// ---------------------------------------------------------------------------------------------------------------
// The chain

static void supAddTracks( supChainLink* link, const supClip* clip, int32_t joint )
{
    for ( int32_t t = 0; t < clip->trackCount; ++t )
    {
        const supTrackDef* track = clip->tracks + t;
        if ( clip->isUsed[t] && track->joint == joint && track->path != sup_pathWeights )
        {
            int path = (int)track->path;
            link->tracks[path] = *track;
            link->isStep[path] = track->interpolation == sup_interpolationStep;
            if ( link->isStep[path] )
            {
                link->tracks[path].interpolation = sup_interpolationLinear;
            }
        }
    }
}

supResult supMakeChain( supDriverChain* chain, const supCharacter* character, int32_t joint, int32_t clip,
    const supAllocator* allocator, supError* error )
{
    *chain = ( supDriverChain ){ .links = supMakeArray( sizeof( supChainLink ), allocator ) };
    size_t count = (size_t)character->joints[joint].depth + 1;
    supChainLink* links = supArray_Add( &chain->links, count );
    if ( links == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a chain of %zu joints", count );
    }
    for ( size_t i = count; i-- > 0; joint = character->joints[joint].view.parent )
    {
        links[i].joint = character->joints + joint;
        if ( clip >= 0 )
        {
            supAddTracks( links + i, character->clips + clip, joint );
        }
    }
    chain->start = clip >= 0 ? character->clips[clip].start : 0.0;
    chain->end = clip >= 0 ? character->clips[clip].end : 0.0;
    return sup_success;
}

void supChain_Destroy( supDriverChain* chain )
{
    supArray_Destroy( &chain->links );
}

static supMat34d supSampleLink( supChainLink* link, double time )
{
    if ( link->joint->hasMatrix )
    {
        return supMatToDouble( link->joint->matrix );
    }
    supTransformd local = supJointTransform( link->joint );
    supKeySpan spans[3];
    for ( int path = 0; path < 3; ++path )
    {
        if ( link->tracks[path].keyCount > 0 )
        {
            spans[path] = supFindKeys( link->tracks + path, time, link->cursors + path );
        }
    }
    if ( link->tracks[sup_pathTranslation].keyCount > 0 )
    {
        local.translation = supSampleVector( link->tracks + sup_pathTranslation, spans[sup_pathTranslation] );
    }
    if ( link->tracks[sup_pathRotation].keyCount > 0 )
    {
        local.rotation = supSampleRotation( link->tracks + sup_pathRotation, spans[sup_pathRotation] );
    }
    if ( link->tracks[sup_pathScale].keyCount > 0 )
    {
        local.scale = supSampleVector( link->tracks + sup_pathScale, spans[sup_pathScale] );
    }
    return supMatFromTransformD( local );
}

supMat34d supChain_Sample( supDriverChain* chain, double time )
{
    supChainLink* links = chain->links.data;
    supMat34d m = supSampleLink( links, time );
    for ( size_t i = 1; i < chain->links.count; ++i )
    {
        m = supMulMatD( m, supSampleLink( links + i, time ) );
    }
    return m;
}

// ---------------------------------------------------------------------------------------------------------------
// Times

/// The keys of all that moves, in any order; false: no memory.
static bool supGatherKeys( const supDriverChain* chain, supArray* keys, bool* allStep )
{
    bool fits = supAddTime( keys, chain->start ) && supAddTime( keys, chain->end );
    const supChainLink* links = chain->links.data;
    *allStep = true;
    for ( size_t i = 0; i < chain->links.count && fits; ++i )
    {
        for ( int path = 0; path < 3 && fits; ++path )
        {
            const supTrackDef* track = links[i].tracks + path;
            if ( track->keyCount < 2 || links[i].joint->hasMatrix || !supTrackMoves( track ) )
            {
                continue;
            }
            *allStep = *allStep && links[i].isStep[path];
            double* at = supArray_Add( keys, (size_t)track->keyCount );
            fits = at != NULL;
            for ( int32_t k = 0; k < track->keyCount && fits; ++k )
            {
                at[k] = track->times[k];
            }
        }
    }
    return fits;
}

supResult supChain_PathTimes( const supDriverChain* chain, supArray* times, supError* error )
{
    supArray keys = supMakeArray( sizeof( double ), &times->allocator );
    bool allStep;
    bool fits = supGatherKeys( chain, &keys, &allStep );
    if ( fits )
    {
        supSortTimes( keys.data, keys.count );
        double length = chain->end - chain->start;
        double fine = supMax( supFineSpan, length / supMostSpans );
        // STEP alone glides over its intervals; where nothing moves there is nothing to follow
        double dense = allStep ? supInfinity() : supMax( supDenseSpan, fine );
        fits = supLayTimes( keys.data, keys.count, dense, fine, times );
    }
    supArray_Destroy( &keys );
    return fits ? sup_success : supFail( error, sup_errorMemory, "no memory for the keys of an anchor's path" );
}
