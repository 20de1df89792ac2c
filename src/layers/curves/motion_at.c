// Supple: a motion of curves at a time.
// SPDX-License-Identifier: MIT
//
// Between two shapes a curve's rigid motion is a screw (curve_rigid.h), and in the frame that goes with it the shape
// obeys the wire's equation, which under the paper's forces means: it runs straight from one to the other, with
// share = (t - t0) / (t1 - t0). Outside the shapes' times the first and the last span go on.
//
// Smooth in time: at an inner shape the slopes of its two spans are made one (weighed by the other span's length, as
// a parabola through the three would have it), by a cubic that vanishes with the shapes at both ends of a span.
#include "motion_data.h"

#include "layers/curves/motion_data.h"

#include <string.h>

static int32_t supSpanAt( const supCurveMotion* motion, double time )
{
    int32_t span = 0;
    while ( span + 2 < motion->keyCount && time >= motion->times[span + 1] )
    {
        ++span;
    }
    return span;
}

static supScrew supScrewOf( const supCurveMotion* motion, int32_t curve, int32_t span )
{
    int32_t n = motion->network->curveCount;
    return ( supScrew ){ motion->keys[span * n + curve].center, motion->keys[( span + 1 ) * n + curve].center,
        motion->turns[span * n + curve] };
}

/// The weights of the correction's two end slopes at a share of a span.
typedef struct supCubicEnds
{
    double first, second;
} supCubicEnds;

static supCubicEnds supEndWeights( double s )
{
    return ( supCubicEnds ){ s * ( 1.0 - s ) * ( 1.0 - s ), s * s * ( s - 1.0 ) };
}

// How much the slope of span `span` at its end (0 first, 1 last) is to change towards the neighbour's, in the measure
// of times: 0 where there is no neighbour.
static double supNeighbourShare( const supCurveMotion* motion, int32_t span, int32_t end, int32_t* other )
{
    *other = end == 0 ? span - 1 : span + 1;
    if ( *other < 0 || *other > motion->keyCount - 2 )
    {
        return 0.0;
    }
    double own = motion->times[span + 1] - motion->times[span];
    double next = motion->times[*other + 1] - motion->times[*other];
    return own / ( own + next );
}

// The correction of a vector quantity: `own` and `next` are slopes for the share of their spans.
static supVec3d supSlopeChange(
    const supCurveMotion* motion, int32_t span, int32_t other, double share, supVec3d own, supVec3d next )
{
    double length = motion->times[span + 1] - motion->times[span];
    double ratio = length / ( motion->times[other + 1] - motion->times[other] );
    return supScaleD( supSubD( supScaleD( next, ratio ), own ), share );
}

// ---------------------------------------------------------------------------------------------------------------
// The rigid part of a curve's motion, as a screw.

supQuatd supBestTurn( const supVec3d* from, supVec3d fromCenter, const supVec3d* to, supVec3d toCenter, int32_t count )
{
    // sum of to * from^T: its nearest rotation is the answer (Kabsch, "A solution for the best rotation to relate two
    // sets of vectors", 1976)
    supMat34d m = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3d a = supSubD( from[i], fromCenter ), b = supSubD( to[i], toCenter );
        m.x = supMulAddD( m.x, a.x, b );
        m.y = supMulAddD( m.y, a.y, b );
        m.z = supMulAddD( m.z, a.z, b );
    }
    return supNearestRotationD( m );
}

supVec3d supUnwrapTurn( supVec3d turn, supVec3d near )
{
    double angle = supLengthD( turn );
    if ( !( angle > 1e-9 ) )
    {
        return turn;
    }
    supVec3d axis = supScaleD( turn, 1.0 / angle ), best = turn;
    double least = supInfinity();
    for ( int32_t k = -3; k <= 3; ++k )
    {
        supVec3d other = supScaleD( axis, angle + 2.0 * SUP_PI * k );
        supVec3d off = supSubD( other, near );
        if ( supDotD( off, off ) < least )
        {
            least = supDotD( off, off );
            best = other;
        }
    }
    return best;
}

supQuatd supTurnShare( supVec3d turn, double share )
{
    double angle = supLengthD( turn );
    if ( !( angle > 0.0 ) )
    {
        return ( supQuatd ){ 0.0, 0.0, 0.0, 1.0 };
    }
    return supQuatFromAxisAngleD( supScaleD( turn, 1.0 / angle ), angle * share );
}

// The center at a share of the way, which may be outside 0 to 1; `speed` (may be NULL): its slope there.
//
// With the angle a, h = a / 2 and f = share a / 2: along the axis the center runs evenly; across it, on the circle
// through both ends that sees them under the angle a,
//     sin f / sin h ( cos (f - h) e + sin (f - h) axis x e ),    e the part of the way across the axis,
// which is the straight line for a = 0. At a full turn no circle leads from one place to another: the straight line.
static supVec3d supScrewCenter( const supScrew* screw, double share, supVec3d* speed )
{
    supVec3d way = supSubD( screw->to, screw->from );
    double angle = supLengthD( screw->turn ), h = 0.5 * angle;
    double sineH = supSin( h );
    if ( !( angle > 1e-9 ) || supAbs( sineH ) < 0.02 * supMin( h, 1.0 ) )
    {
        if ( speed != NULL )
        {
            *speed = way;
        }
        return supMulAddD( screw->from, share, way );
    }
    supVec3d axis = supScaleD( screw->turn, 1.0 / angle );
    double along = supDotD( way, axis );
    supVec3d e = supMulAddD( way, -along, axis ), side = supCrossD( axis, e );
    double f = share * h, sineF, cosineF, sine, cosine;
    supSinCos( f, &sineF, &cosineF );
    supSinCos( f - h, &sine, &cosine );
    supVec3d center = supMulAddD( screw->from, share * along, axis );
    center = supMulAddD( center, sineF / sineH * cosine, e );
    center = supMulAddD( center, sineF / sineH * sine, side );
    if ( speed != NULL )
    {
        // d/df of sin f cos (f - h) is cos (2 f - h), of sin f sin (f - h) is sin (2 f - h)
        double sine2 = sineF * cosine + cosineF * sine, cosine2 = cosineF * cosine - sineF * sine;
        *speed = supScaleD( axis, along );
        *speed = supMulAddD( *speed, h * cosine2 / sineH, e );
        *speed = supMulAddD( *speed, h * sine2 / sineH, side );
    }
    return center;
}

// ---------------------------------------------------------------------------------------------------------------
// Curves at a moment

static void supSmoothPose( const supCurveMotion* motion, int32_t curve, int32_t span, double s, supCurvePose* pose )
{
    supCubicEnds ends = supEndWeights( s );
    supScrew own = supScrewOf( motion, curve, span );
    supVec3d turn = { 0.0, 0.0, 0.0 };
    for ( int32_t end = 0; end < 2; ++end )
    {
        int32_t other;
        double share = supNeighbourShare( motion, span, end, &other ), weight = end == 0 ? ends.first : ends.second;
        if ( share > 0.0 )
        {
            supScrew next = supScrewOf( motion, curve, other );
            supVec3d ownSpeed, nextSpeed;
            supScrewCenter( &own, end, &ownSpeed );
            supScrewCenter( &next, 1 - end, &nextSpeed );
            pose->center =
                supMulAddD( pose->center, weight, supSlopeChange( motion, span, other, share, ownSpeed, nextSpeed ) );
            turn = supMulAddD( turn, weight, supSlopeChange( motion, span, other, share, own.turn, next.turn ) );
        }
    }
    pose->turn = supMulQuatD( supTurnShare( turn, 1.0 ), pose->turn );
}

static void supSmoothLocals(
    const supCurveMotion* motion, const supKeptCurve* curve, int32_t span, double s, supVec3d* locals )
{
    supCubicEnds ends = supEndWeights( s );
    size_t n = (size_t)motion->network->coefficientCount;
    for ( int32_t end = 0; end < 2; ++end )
    {
        int32_t other;
        double share = supNeighbourShare( motion, span, end, &other ), weight = end == 0 ? ends.first : ends.second;
        for ( int32_t k = 0; share > 0.0 && k < curve->coefficientCount; ++k )
        {
            const supVec3d* all = motion->locals + curve->firstCoefficient + k;
            supVec3d own = supSubD( all[(size_t)( span + 1 ) * n], all[(size_t)span * n] );
            supVec3d next = supSubD( all[(size_t)( other + 1 ) * n], all[(size_t)other * n] );
            locals[k] = supMulAddD( locals[k], weight, supSlopeChange( motion, span, other, share, own, next ) );
        }
    }
}

// One shape: it keeps its place and turn, and its forces move the curve from there.
static supCurvePose supForcedState( const supCurveMotion* motion, int32_t curve, double time, supVec3d* locals )
{
    const supKeptCurve* kept = &motion->network->curves[curve];
    supWireDef wire = motion->wire;
    wire.open = kept->open;
    int32_t at = kept->firstCoefficient;
    // the wire was checked when the motion was made
    (void)supWire_Move( &wire, kept->terms, &motion->locals[at].x, NULL, &motion->edits[at].x, &motion->editRates[at].x,
        time - motion->times[0], &locals[0].x, NULL, NULL );
    return ( supCurvePose ){ motion->keys[curve].center, motion->keys[curve].turn };
}

/// Where a curve is at a time: pose and shape in its frame.
static supCurvePose supMotion_CurveState( const supCurveMotion* motion, int32_t curve, double time, supVec3d* locals )
{
    if ( motion->keyCount == 1 )
    {
        return supForcedState( motion, curve, time, locals );
    }
    const supCurveNetwork* network = motion->network;
    const supKeptCurve* kept = &network->curves[curve];
    int32_t span = supSpanAt( motion, time ), n = network->curveCount;
    double t0 = motion->times[span], t1 = motion->times[span + 1], s = ( time - t0 ) / ( t1 - t0 );
    supScrew screw = supScrewOf( motion, curve, span );
    supCurvePose pose = { supScrewCenter( &screw, s, NULL ),
        supMulQuatD( supTurnShare( screw.turn, s ), motion->keys[span * n + curve].turn ) };
    if ( motion->paperMean )
    {
        supWireDef wire = motion->wire;
        double share = s;
        wire.open = false;
        (void)supWire_PaperMean( &wire, t0, t1, time, &share, NULL ); // checked when it was made
        pose.center = supLerpD( screw.from, screw.to, share );
    }
    const supVec3d* from = motion->locals + (size_t)span * (size_t)network->coefficientCount + kept->firstCoefficient;
    const supVec3d* edits = motion->edits + (size_t)span * (size_t)network->coefficientCount + kept->firstCoefficient;
    const supVec3d* rates =
        motion->editRates + (size_t)span * (size_t)network->coefficientCount + kept->firstCoefficient;
    for ( int32_t k = 0; k < kept->coefficientCount; ++k )
    {
        supVec3d plain = supMulAddD( from[k], s, supSubD( from[k + network->coefficientCount], from[k] ) );
        locals[k] = supMulAddD( supAddD( plain, edits[k] ), time, rates[k] );
    }
    if ( motion->smooth && s >= 0.0 && s <= 1.0 )
    {
        supSmoothPose( motion, curve, span, s, &pose );
        supSmoothLocals( motion, kept, span, s, locals );
    }
    return pose;
}

void supCurveMotion_At( supCurveMotion* motion, double time, float* positions )
{
    const supCurveNetwork* network = motion->network;
    for ( int32_t c = 0; c < network->curveCount; ++c )
    {
        motion->poses[c] = supMotion_CurveState( motion, c, time, motion->shown + network->curves[c].firstCoefficient );
    }
    // Detail goes straight from shape to shape, and is held beyond them.
    int32_t span = supSpanAt( motion, time ), next = motion->keyCount > 1 ? span + 1 : span;
    double from = motion->times[span], length = motion->times[next] - from;
    double s = length > 0.0 ? supClamp( ( time - from ) / length, 0.0, 1.0 ) : 0.0;
    const supVec3d* details = motion->details + (size_t)span * (size_t)network->pointCount;
    const supVec3d* later = motion->details + (size_t)next * (size_t)network->pointCount;
    for ( int32_t p = 0; p < network->pointCount; ++p )
    {
        supMat34d blend;
        supVec3d put = supNetwork_Place( network, p, motion->poses, motion->shown, &blend );
        if ( motion->keepDetail )
        {
            put = supAddD( put, supTransformVectorD( blend, supLerpD( details[p], later[p], s ) ) );
        }
        float* out = positions + 3 * (size_t)network->sources[p];
        out[0] = (float)put.x;
        out[1] = (float)put.y;
        out[2] = (float)put.z;
    }
    for ( int32_t v = 0; v < network->vertexCount; ++v )
    {
        const float* place = positions + 3 * (size_t)network->sources[network->welded[v]];
        float* to = positions + 3 * (size_t)v;
        to[0] = place[0];
        to[1] = place[1];
        to[2] = place[2];
    }
    if ( motion->holds )
    {
        size_t stations = 2 * (size_t)motion->hold.ringCount * supRingStations;
        memset( motion->stations, 0, stations * sizeof( supVec3 ) );
        bool folds = supRingHold_Apply(
            &motion->hold, &motion->amounts, (const supVec3*)positions, motion->stations, motion->holdScratch );
        supRingSkin_Move( &motion->skin, motion->stations, folds, (supVec3*)positions );
    }
}

void supCurveMotion_CurveAt( const supCurveMotion* motion, int32_t curve, double time, double* coefficients )
{
    const supKeptCurve* kept = &motion->network->curves[curve];
    supVec3d locals[SUP_MAX_CURVE_COEFFICIENTS + 1];
    supCurvePose pose = supMotion_CurveState( motion, curve, time, locals );
    for ( int32_t k = 0; k < kept->coefficientCount; ++k )
    {
        bool place = k == 0 || ( kept->open && k == 1 );
        supVec3d turned = supRotateD( pose.turn, locals[k] );
        ( (supVec3d*)coefficients )[k] = place ? supAddD( pose.center, turned ) : turned;
    }
}
