// The damped spring in closed form.
// SPDX-License-Identifier: MIT
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

#include "spring_response.h"

#include <assert.h>
#include <stdbool.h>

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
