// One frame of a spring whose anchor is only known at frames.
// SPDX-License-Identifier: MIT
//
// After Larboulette, Cani, Arnaldi, "Dynamic skinning: adding real-time dynamic effects to an existing character
// animation", 2005: a mass on a damped spring of rest length zero whose other end, the anchor x, is carried by the
// skeleton. Per unit of mass, with A the amount of the motion that is felt, g the air's friction and f all other
// accelerations (gravity, g times the wind),
//     u'' + (2 zeta omega + g) u' + omega^2 u = -A x'' - g A x' + f.
// x'' is not known, and differences of differences of frames would be noise. But in w = u + A (x - x(0)) it is gone:
//     w'' + (2 zeta omega + g) w' + omega^2 w = A (2 zeta omega x' + omega^2 (x - x(0))) + f,
// so only the path itself is needed: a polynomial through the last frames. Its slope may jump from frame to frame (a
// later frame knows better); w' may not, so s = w' is the state, not u'. The path leaves 0 in every frame: far from the
// world's origin nothing is lost.
#include "solve/spring_step.h"

#include "solve/swing.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

/// A frame more than this many times longer than the one before says little about it: the polynomial's degree is
/// lowered.
static const double supMostStretch = 2.5;

void supFrameTimes_Push( supFrameTimes* times, float span )
{
    for ( int i = SUP_PATH_SPANS - 1; i > 0; --i )
    {
        times->spans[i] = times->spans[i - 1];
    }
    times->spans[0] = span;
    times->count = times->count < SUP_PATH_SPANS ? times->count + 1 : SUP_PATH_SPANS;
}

/// How many frames the polynomial may go through: those of comparable length.
static int supUsableSpans( const supFrameTimes* times )
{
    int count = 1;
    while ( count < times->count )
    {
        double newer = times->spans[count - 1], older = times->spans[count];
        if ( newer > supMostStretch * older || older > supMostStretch * newer )
        {
            break;
        }
        ++count;
    }
    return count;
}

// Newton's form on the knots 0, 1 (the newest frame), -r1, -r2, … in units of the newest frame:
//     d = c1 theta + c2 theta (theta - 1) + c3 theta (theta - 1) (theta + r1) + …
// with divided differences c_i, each a sum over the deltas.
supPathBasis supMakePathBasis( const supFrameTimes* times )
{
    supPathBasis basis = { 0 };
    int count = supUsableSpans( times );
    double h = times->spans[0];

    // knots in the order newest to oldest: 1, 0, -r1, -r1 - r2…; difference[i][j]: share of delta_j in the divided
    // difference that starts at knot i
    double knots[SUP_PATH_SPANS + 1] = { 1.0, 0.0 };
    double difference[SUP_PATH_SPANS][SUP_PATH_SPANS] = { 0 };
    for ( int i = 0; i < count; ++i )
    {
        knots[i + 1] = i == 0 ? 0.0 : knots[i] - times->spans[i] / h;
        difference[i][i] = 1.0 / ( knots[i] - knots[i + 1] );
    }

    double newton[SUP_PATH_SPANS + 1] = { 0.0, 1.0 }; // coefficients of theta^k of the running product
    for ( int order = 1; order <= count; ++order )
    {
        for ( int k = 1; k <= order; ++k )
        {
            for ( int j = 0; j < count; ++j )
            {
                basis.m[k - 1][j] += newton[k] * difference[0][j];
            }
        }
        // times (theta - knot): 1 first, then the older ones; the knot 0 is in already
        double knot = order == 1 ? knots[0] : knots[order];
        for ( int k = SUP_PATH_SPANS; k > 0; --k )
        {
            newton[k] = newton[k - 1] - knot * newton[k];
        }
        newton[0] = 0.0;
        for ( int i = 0; i + order < count; ++i )
        {
            double width = knots[i] - knots[i + order + 1];
            for ( int j = 0; j < count; ++j )
            {
                difference[i][j] = ( difference[i][j] - difference[i + 1][j] ) / width;
            }
        }
    }
    return basis;
}

supSpringStep supMakeSpringStep( const supSpring* spring, const supPathBasis* basis, float h )
{
    double omega = spring->omega, amount = spring->amount;
    double own = 2.0 * spring->dampingRatio * omega, stiffness = omega * omega;
    supResponse response = supSpringResponse( own + spring->airFriction, stiffness, h );

    supSpringStep step;
    float* rows[2] = { step.u, step.s };
    for ( int i = 0; i < 2; ++i )
    {
        const double* r = response.r[i];
        rows[i][0] = (float)response.e[i][0];
        rows[i][1] = (float)response.e[i][1];
        for ( int j = 0; j < SUP_PATH_SPANS; ++j )
        {
            double sum = 0.0;
            for ( int k = 1; k <= SUP_PATH_SPANS; ++k )
            {
                double gain = stiffness * r[k] + own * k / h * r[k - 1];
                sum += ( i == 0 ? gain - 1.0 : gain ) * basis->m[k - 1][j]; // u = w - A d
            }
            rows[i][2 + j] = (float)( amount * sum );
        }
        rows[i][2 + SUP_PATH_SPANS] = (float)( r[0] - r[1] );
        rows[i][3 + SUP_PATH_SPANS] = (float)r[1];
    }
    return step;
}

// ---------------------------------------------------------------------------------------------------------------
// The damped spring in closed form.
//
// In theta = t / h the equation reads w'' + a w' + b w = h^2 Q(theta) with a = c h and b = K h^2. Where a and b are
// small its solution is a power series that ends after a dozen terms. Where they are not, the step is halved until they
// are, and the exact flow of the short step is composed with itself: a flow map over [0, 1] follows from the one over
// [0, 1/2] by
//     E(1)   = E(1/2) E(1/2)
//     r_k(1) = E(1/2) (response to (theta/2)^k) + (response to ((1 + theta)/2)^k)
// which is again a polynomial of the same degree. Only + - * / are used, so every machine gives the same bits; there is
// no case for over-, under- or critical damping, nothing divides by the stiffness, and a step of five seconds on a
// spring of 1e9 N/m is as good as any other.
//
// Tried instead: exp, sine and cosine with a polynomial particular solution. Three regimes, a division by K^3 that
// loses all digits for slow springs at high frame rates, and no faster once the coefficients are cached.

enum
{
    supCount = SUP_RESPONSE_DEGREE + 1,
    supMostTerms = 16,
    supMostHalvings = 600,
};

/// A flow over the unit interval, in theta: forcing enters without the h^2.
typedef struct supFlow
{
    double e[2][2];
    double r[2][supCount];
} supFlow;

/// Sums the series with the given first two coefficients and forcing theta^k (k < 0: none), at theta = 1: value and
/// slope.
static void supSumSeries( double a, double b, double first, double second, int k, double* value, double* slope )
{
    double c0 = first, c1 = second;
    double sum = c0 + c1, derivative = c1;
    for ( int j = 0; j < supMostTerms; ++j )
    {
        double forcing = j == k ? 1.0 : 0.0;
        double c2 = ( forcing - a * ( j + 1 ) * c1 - b * c0 ) / ( (double)( j + 1 ) * ( j + 2 ) );
        sum += c2;
        derivative += ( j + 2 ) * c2;
        c0 = c1;
        c1 = c2;
    }
    *value = sum;
    *slope = derivative;
}

static supFlow supShortFlow( double a, double b )
{
    supFlow flow;
    supSumSeries( a, b, 1.0, 0.0, -1, &flow.e[0][0], &flow.e[1][0] );
    supSumSeries( a, b, 0.0, 1.0, -1, &flow.e[0][1], &flow.e[1][1] );
    for ( int k = 0; k < supCount; ++k )
    {
        supSumSeries( a, b, 0.0, 0.0, k, &flow.r[0][k], &flow.r[1][k] );
    }
    return flow;
}

/// The flow over twice the time, again in units of its own length. With theta = s / 2 in the first half and (1 + s) / 2
/// in the second, d/dtheta = 2 d/ds and the forcing counts a quarter.
static supFlow supDoubleFlow( const supFlow* half )
{
    // in units of the half: (value, slope in s); the conversion to theta's slope is a factor of 2 at the very end and
    // its inverse at the start
    const double( *e )[2] = half->e;
    double square[2][2];
    for ( int i = 0; i < 2; ++i )
    {
        for ( int j = 0; j < 2; ++j )
        {
            square[i][j] = e[i][0] * e[0][j] + e[i][1] * e[1][j];
        }
    }

    supFlow flow;
    flow.e[0][0] = square[0][0];
    flow.e[0][1] = 0.5 * square[0][1];
    flow.e[1][0] = 2.0 * square[1][0];
    flow.e[1][1] = square[1][1];

    static const double binomial[supCount][supCount] = { { 1, 0, 0, 0, 0 }, { 1, 1, 0, 0, 0 }, { 1, 2, 1, 0, 0 },
        { 1, 3, 3, 1, 0 }, { 1, 4, 6, 4, 1 } };
    double scale = 0.25;
    for ( int k = 0; k < supCount; ++k )
    {
        double value = e[0][0] * half->r[0][k] + e[0][1] * half->r[1][k];
        double slope = e[1][0] * half->r[0][k] + e[1][1] * half->r[1][k];
        for ( int j = 0; j <= k; ++j )
        {
            value += binomial[k][j] * half->r[0][j];
            slope += binomial[k][j] * half->r[1][j];
        }
        flow.r[0][k] = scale * value;
        flow.r[1][k] = 2.0 * scale * slope;
        scale *= 0.5;
    }
    return flow;
}

supResponse supSpringResponse( double friction, double stiffness, double h )
{
    assert( friction >= 0.0 && stiffness >= 0.0 && h > 0.0 );

    double a = friction * h, b = stiffness * h * h;
    int halvings = 0;
    while ( ( a > 0.5 || b > 0.25 ) && halvings < supMostHalvings )
    {
        a *= 0.5;
        b *= 0.25;
        ++halvings;
    }

    supFlow flow = supShortFlow( a, b );
    for ( int i = 0; i < halvings; ++i )
    {
        flow = supDoubleFlow( &flow );
    }

    supResponse response;
    response.e[0][0] = flow.e[0][0];
    response.e[0][1] = flow.e[0][1] * h;
    response.e[1][0] = flow.e[1][0] / h;
    response.e[1][1] = flow.e[1][1];
    for ( int k = 0; k < supCount; ++k )
    {
        response.r[0][k] = flow.r[0][k] * h * h;
        response.r[1][k] = flow.r[1][k] * h;
    }
    return response;
}

// ---------------------------------------------------------------------------------------------------------------
// One spring on an anchor, for layers with a motion of their own.

void supSwingClock_Slopes( const supSwingClock* clock, float slopes[SUP_PATH_SPANS] )
{
    for ( int j = 0; j < SUP_PATH_SPANS; ++j )
    {
        double sum = 0.0;
        for ( int k = 0; k < SUP_PATH_SPANS && clock->times.count > 0; ++k )
        {
            sum += ( k + 1 ) * clock->basis.m[k][j];
        }
        slopes[j] = clock->times.count > 0 ? (float)( sum / clock->times.spans[0] ) : 0.0f;
    }
}

void supSwingClock_Tick( supSwingClock* clock, float dt )
{
    supSwingClock_Slopes( clock, clock->lastSlopes );
    supFrameTimes before = clock->times;
    supFrameTimes_Push( &clock->times, dt );
    clock->changed = memcmp( &before, &clock->times, sizeof( before ) ) != 0;
    if ( clock->changed )
    {
        clock->basis = supMakePathBasis( &clock->times );
    }
}

static supVec3 supStepRow( const float row[4 + SUP_PATH_SPANS], const supSwing* swing )
{
    supVec3 sum = supMulAdd( supScale( swing->u, row[0] ), row[1], swing->s );
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        sum = supMulAdd( sum, row[2 + i], swing->deltas[i] );
    }
    return sum;
}

static supVec3 supSpeedOf( const supSwing* swing, const float slopes[SUP_PATH_SPANS] )
{
    supVec3 speed = supVec3_zero;
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        speed = supMulAdd( speed, slopes[i], swing->deltas[i] );
    }
    return speed;
}

/// s = u' + amount * x' for a spring that may have another amount, and deltas up to the last frame.
static void supHang( supSwing* swing, const supSpring* spring, const supSwingClock* clock, supVec3 delta )
{
    float dt = clock->times.spans[0];
    if ( swing->begun && spring->amount != swing->amount )
    {
        swing->s = supMulAdd( swing->s, spring->amount - swing->amount, supSpeedOf( swing, clock->lastSlopes ) );
    }
    for ( int i = SUP_PATH_SPANS - 1; i > 0; --i )
    {
        // before it began the anchor moved as it does now
        swing->deltas[i] = swing->begun ? swing->deltas[i - 1] : supScale( delta, clock->times.spans[i] / dt );
    }
    swing->deltas[0] = delta;
    if ( !swing->begun )
    {
        swing->s = supMulAdd( swing->s, spring->amount / dt, delta );
    }
    swing->amount = spring->amount;
    swing->begun = true;
}

static void supRefreshStep( supSwing* swing, const supSpring* spring, const supSwingClock* clock )
{
    if ( clock->changed || swing->stale )
    {
        swing->step = supMakeSpringStep( spring, &clock->basis, clock->times.spans[0] );
        swing->stale = false;
    }
}

void supSwing_Step( supSwing* swing, const supSpring* spring, const supSwingClock* clock, supVec3 delta, float least )
{
    supRefreshStep( swing, spring, clock );
    supHang( swing, spring, clock, delta );
    supVec3 u = supStepRow( swing->step.u, swing ), s = supStepRow( swing->step.s, swing );
    float still = 0.0f;
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        still += supLengthSquared( swing->deltas[i] );
    }
    // by themselves they would become denormal, and slow
    bool faded = still == 0.0f && supLength( u ) < least && supLength( s ) < least * spring->omega;
    swing->u = faded ? supVec3_zero : u;
    swing->s = faded ? supVec3_zero : s;
}

void supSwing_Coast( supSwing* swing, const supSpring* spring, const supSwingClock* clock )
{
    supRefreshStep( swing, spring, clock );
    supVec3 u = supStepRow( swing->step.u, swing ), s = supStepRow( swing->step.s, swing );
    swing->u = u;
    swing->s = s;
}

static void supLeaveAnchor( supSwing* swing, const float slopes[SUP_PATH_SPANS] )
{
    if ( swing->begun )
    {
        swing->s = supMulAdd( swing->s, -swing->amount, supSpeedOf( swing, slopes ) );
    }
    memset( swing->deltas, 0, sizeof( swing->deltas ) );
    swing->begun = false;
    swing->stale = true;
}

void supSwing_Rehang( supSwing* swing, const supSwingClock* clock )
{
    float slopes[SUP_PATH_SPANS];
    supSwingClock_Slopes( clock, slopes );
    supLeaveAnchor( swing, slopes );
}

void supSwing_Forget( supSwing* swing, const supSwingClock* clock )
{
    supLeaveAnchor( swing, clock->lastSlopes );
}

void supSwing_Jump( supSwing* swing, const supSpring* spring, const supSwingClock* clock, supVec3 delta, float held,
    float rebased, float least )
{
    const float* spans = clock->times.spans; // the frame that passes, then those before
    float ratio = clock->times.count > 1 ? spans[0] / spans[1] : 0.0f;
    if ( swing->begun && rebased > 0.0f )
    {
        supVec3 last = swing->deltas[0];
        swing->deltas[0] = supScale( swing->deltas[1], clock->times.count > 2 ? spans[1] / spans[2] : 0.0f );
        supVec3 change = supSub( supScale( delta, 1.0f / spans[0] ), supSpeedOf( swing, clock->lastSlopes ) );
        swing->deltas[0] = last;
        swing->s = supMulAdd( swing->s, rebased * swing->amount, change );
        for ( int i = 0; i < SUP_PATH_SPANS; ++i )
        {
            float span = i + 1 < SUP_PATH_SPANS ? spans[i + 1] : spans[i];
            supVec3 flat = supScale( delta, span / spans[0] );
            swing->deltas[i] = supMulAdd( swing->deltas[i], rebased, supSub( flat, swing->deltas[i] ) );
        }
    }
    supVec3 ranOn = supScale( swing->deltas[0], swing->begun ? ratio : 0.0f );
    supVec3 felt = supAdd( supScale( delta, 1.0f - held ), supScale( ranOn, held ) );
    supSwing_Step( swing, spring, clock, felt, least );
}

void supSwing_Turn( supSwing* swing, supMat34 turn )
{
    swing->u = supTransformVector( turn, swing->u );
    swing->s = supTransformVector( turn, swing->s );
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        swing->deltas[i] = supTransformVector( turn, swing->deltas[i] );
    }
}

bool supSwing_IsAtRest( const supSwing* swing )
{
    float sum = supLengthSquared( swing->u ) + supLengthSquared( swing->s );
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        sum += supLengthSquared( swing->deltas[i] );
    }
    return sum == 0.0f && !swing->stale;
}

supVec3 supSoftLimit( supVec3 u, float limit )
{
    if ( !( limit > 0.0f ) )
    {
        return supVec3_zero;
    }
    double share = (double)supLengthSquared( u ) / ( (double)limit * limit ), fourth = share * share;
    return supScale( u, (float)( 1.0 / supSqrt( supSqrt( supSqrt( 1.0 + fourth * fourth ) ) ) ) );
}
