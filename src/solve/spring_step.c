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

#include <assert.h>
#include <stdbool.h>

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
