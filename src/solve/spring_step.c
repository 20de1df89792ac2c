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

#include "solve/spring_response.h"

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
