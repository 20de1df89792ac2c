// Supple: trigonometric curves by their basis.
// SPDX-License-Identifier: MIT

#include "trig_curve.h"

#include <assert.h>

int32_t supCurveCoefficientCount( bool open, int32_t terms )
{
    return open ? terms + 2 : 2 * terms + 1;
}

// cos and sin of multiples of an angle by rotation: one sine and one cosine for all harmonics. The error grows by one
// rounding a step, far below what a fit can feel at 64 steps.
void supTrigBasis( bool open, int32_t terms, double v, double* basis, double* slopes )
{
    double unit = open ? SUP_PI : 2.0 * SUP_PI;
    double turn = open ? v : v - supFloor( v );
    double sine, cosine;
    supSinCos( unit * turn, &sine, &cosine );
    double s = sine, c = cosine;
    basis[0] = open ? 1.0 - v : 1.0;
    if ( open )
    {
        basis[1] = v;
    }
    if ( slopes != NULL )
    {
        slopes[0] = open ? -1.0 : 0.0;
        slopes[1] = 1.0; // of an open curve; a closed one writes its first cosine here below
    }
    for ( int32_t n = 1; n <= terms; ++n )
    {
        if ( open )
        {
            basis[1 + n] = s;
        }
        else
        {
            basis[2 * n - 1] = c;
            basis[2 * n] = s;
        }
        if ( slopes != NULL && open )
        {
            slopes[1 + n] = unit * n * c;
        }
        else if ( slopes != NULL )
        {
            slopes[2 * n - 1] = -unit * n * s;
            slopes[2 * n] = unit * n * c;
        }
        double next = c * cosine - s * sine;
        s = s * cosine + c * sine;
        c = next;
    }
}

static supVec3d supWeighCoefficients( const double* basis, const supVec3d* coefficients, int32_t count )
{
    supVec3d sum = { 0.0, 0.0, 0.0 };
    for ( int32_t k = 0; k < count; ++k )
    {
        sum = supMulAddD( sum, basis[k], coefficients[k] );
    }
    return sum;
}

supVec3d supTrigPoint( bool open, int32_t terms, const supVec3d* coefficients, double v )
{
    double basis[SUP_MAX_CURVE_COEFFICIENTS + 1];
    supTrigBasis( open, terms, v, basis, NULL );
    return supWeighCoefficients( basis, coefficients, supCurveCoefficientCount( open, terms ) );
}

void supCurve_At( bool open, int32_t terms, const double* coefficients, double v, double point[3], double slope[3] )
{
    assert( terms >= 0 && terms <= SUP_MAX_CURVE_TERMS );
    double basis[SUP_MAX_CURVE_COEFFICIENTS + 1], slopes[SUP_MAX_CURVE_COEFFICIENTS + 1];
    supTrigBasis( open, terms, v, basis, slopes );
    int32_t count = supCurveCoefficientCount( open, terms );
    for ( int32_t axis = 0; axis < 3; ++axis )
    {
        double p = 0.0, d = 0.0;
        for ( int32_t k = 0; k < count; ++k )
        {
            p += basis[k] * coefficients[3 * k + axis];
            d += slopes[k] * coefficients[3 * k + axis];
        }
        point[axis] = p;
        if ( slope != NULL )
        {
            slope[axis] = d;
        }
    }
}

// Closed: the columns are orthogonal on I equal steps as long as I >= 2N + 1: e0 is the mean, the others 2/I times the
// projections. Open, on M = I - 1 steps: what is left over the chord vanishes at both ends, and the sines are
// orthogonal on the points between for N <= M - 1, with 2/M.
void supTrigTransform( bool open, int32_t terms, const supVec3d* points, int32_t pointCount, supVec3d* coefficients )
{
    assert( pointCount >= supCurveCoefficientCount( open, terms ) && pointCount >= ( open ? 2 : 1 ) );
    int32_t count = supCurveCoefficientCount( open, terms );
    int32_t steps = open ? pointCount - 1 : pointCount;
    for ( int32_t k = 0; k < count; ++k )
    {
        coefficients[k] = ( supVec3d ){ 0.0, 0.0, 0.0 };
    }
    double basis[SUP_MAX_CURVE_COEFFICIENTS + 1];
    for ( int32_t i = 0; i < pointCount; ++i )
    {
        double v = (double)i / steps;
        supTrigBasis( open, terms, v, basis, NULL );
        supVec3d p = points[i];
        if ( open )
        {
            p = supSubD( p, supLerpD( points[0], points[pointCount - 1], v ) );
        }
        for ( int32_t k = open ? 2 : 0; k < count; ++k )
        {
            coefficients[k] = supMulAddD( coefficients[k], basis[k], p );
        }
    }
    for ( int32_t k = 0; k < count; ++k )
    {
        coefficients[k] = supScaleD( coefficients[k], !open && k == 0 ? 1.0 / steps : 2.0 / steps );
    }
    if ( open )
    {
        coefficients[0] = points[0];
        coefficients[1] = points[pointCount - 1];
    }
}

// Newton's step on the distance squared, f = |q - p|^2 / 2: f' = (q - p) q', f'' about q' q' (Gauss), kept inside one
// step of the sampling.
double supTrigPolish(
    bool open, int32_t terms, const supVec3d* coefficients, supVec3d p, double v, double reach, double* squared )
{
    double lower = v - reach, upper = v + reach;
    if ( open )
    {
        lower = supMax( lower, 0.0 );
        upper = supMin( upper, 1.0 );
    }
    for ( int32_t round = 0; round < 8; ++round )
    {
        double point[3], slope[3];
        supCurve_At( open, terms, &coefficients[0].x, v, point, slope );
        double down = 0.0, steep = 0.0;
        const double place[3] = { p.x, p.y, p.z };
        for ( int32_t a = 0; a < 3; ++a )
        {
            down += ( point[a] - place[a] ) * slope[a];
            steep += slope[a] * slope[a];
        }
        if ( !( steep > 0.0 ) )
        {
            break;
        }
        double next = supClamp( v - down / steep, lower, upper );
        supVec3d there = supSubD( supTrigPoint( open, terms, coefficients, next ), p );
        double far = supDotD( there, there );
        if ( !( far < *squared ) )
        {
            break;
        }
        *squared = far;
        v = next;
    }
    return open ? v : v - supFloor( v );
}

double supTrigNearest( bool open, int32_t terms, const supVec3d* coefficients, supVec3d p, double* squared )
{
    int32_t samples = 8 * ( terms + 2 );
    double best = 0.0, least = supInfinity();
    for ( int32_t i = 0; i <= samples - ( open ? 0 : 1 ); ++i )
    {
        double v = (double)i / samples;
        supVec3d there = supSubD( supTrigPoint( open, terms, coefficients, v ), p );
        double far = supDotD( there, there );
        if ( far < least )
        {
            least = far;
            best = v;
        }
    }
    best = supTrigPolish( open, terms, coefficients, p, best, 1.0 / samples, &least );
    *squared = least;
    return best;
}
