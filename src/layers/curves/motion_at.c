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

supCurvePose supMotion_CurveState( const supCurveMotion* motion, int32_t curve, double time, supVec3d* locals )
{
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
    int32_t span = supSpanAt( motion, time );
    double s = supClamp( ( time - motion->times[span] ) / ( motion->times[span + 1] - motion->times[span] ), 0.0, 1.0 );
    const supVec3d* details = motion->details + (size_t)span * (size_t)network->pointCount;
    for ( int32_t p = 0; p < network->pointCount; ++p )
    {
        supMat34d blend;
        supVec3d put = supNetwork_Place( network, p, motion->poses, motion->shown, &blend );
        if ( motion->keepDetail )
        {
            put = supAddD(
                put, supTransformVectorD( blend, supLerpD( details[p], details[p + network->pointCount], s ) ) );
        }
        float* out = positions + 3 * (size_t)network->sources[p];
        out[0] = (float)put.x;
        out[1] = (float)put.y;
        out[2] = (float)put.z;
    }
    for ( int32_t v = 0; v < network->vertexCount; ++v )
    {
        const float* from = positions + 3 * (size_t)network->sources[network->welded[v]];
        float* to = positions + 3 * (size_t)v;
        to[0] = from[0];
        to[1] = from[1];
        to[2] = from[2];
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

static supWireDef supWireOf( const supCurveMotion* motion, int32_t curve )
{
    supWireDef wire = motion->wire;
    wire.open = motion->network->curves[curve].open;
    wire.name = motion->network->partNames[motion->network->curves[curve].part];
    return wire;
}

// The mean has been taken out with the rigid motion: no force is left on it. F = A q + eta q' + rho q'' for q = a + b t
// is (A a + eta b) + A b t.
void supCurveMotion_Forces( const supCurveMotion* motion, int32_t curve, int32_t span, double* constant, double* rate )
{
    const supKeptCurve* kept = &motion->network->curves[curve];
    supWireDef wire = supWireOf( motion, curve );
    double t0 = motion->times[span], t1 = motion->times[span + 1];
    supVec3d q0[SUP_MAX_CURVE_COEFFICIENTS + 1], q1[SUP_MAX_CURVE_COEFFICIENTS + 1];
    size_t n = (size_t)motion->network->coefficientCount, at = (size_t)span * n + (size_t)kept->firstCoefficient;
    for ( int32_t k = 0; k < kept->coefficientCount; ++k )
    {
        q0[k] = supMulAddD( supAddD( motion->locals[at + (size_t)k], motion->edits[at + (size_t)k] ), t0,
            motion->editRates[at + (size_t)k] );
        q1[k] = supMulAddD( supAddD( motion->locals[at + n + (size_t)k], motion->edits[at + (size_t)k] ), t1,
            motion->editRates[at + (size_t)k] );
    }
    for ( int32_t i = 0; i < 3 * kept->coefficientCount; ++i )
    {
        double a = ( &q0[0].x )[i], slope = ( ( &q1[0].x )[i] - a ) / ( t1 - t0 );
        double stiffness = supWire_Stiffness( &wire, i % 3, i / 3 );
        constant[i] = stiffness * ( a - slope * t0 ) + wire.damping * slope;
        rate[i] = stiffness * slope;
    }
}

supResult supCurveMotion_SetForces(
    supCurveMotion* motion, int32_t curve, int32_t span, const double* constant, const double* rate, supError* error )
{
    const supKeptCurve* kept = &motion->network->curves[curve];
    supWireDef wire = supWireOf( motion, curve );
    double before[3 * SUP_MAX_CURVE_COEFFICIENTS + 3], beforeRate[3 * SUP_MAX_CURVE_COEFFICIENTS + 3];
    for ( int32_t i = 0; i < 3 * kept->coefficientCount; ++i )
    {
        if ( !supIsFinite( constant[i] ) || !supIsFinite( rate[i] ) )
        {
            return supFail( error, sup_errorData, "part '%.80s', curve %d: a force that is not a number", wire.name,
                (int)kept->number );
        }
    }
    supCurveMotion_Forces( motion, curve, span, before, beforeRate );
    size_t at = (size_t)span * (size_t)motion->network->coefficientCount + (size_t)kept->firstCoefficient;
    for ( int32_t i = 0; i < 3 * kept->coefficientCount; ++i )
    {
        // what the difference of the forces holds, by itself: (c - eta r / A) / A + (r / A) t
        double stiffness = supWire_Stiffness( &wire, i % 3, i / 3 );
        if ( stiffness > 0.0 )
        {
            double c = constant[i] - before[i], r = rate[i] - beforeRate[i];
            ( &motion->edits[at].x )[i] += ( c - wire.damping * r / stiffness ) / stiffness;
            ( &motion->editRates[at].x )[i] += r / stiffness;
        }
    }
    return sup_success;
}
