// Supple: trigonometric curves by their basis.
// SPDX-License-Identifier: MIT
#include "trig_curve.h"

#include "base/memory.h"
#include "solve/dense.h"
#include "solve/trig_curve.h"

#include <assert.h>
#include <string.h>

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

/// The parameter of the place of a curve that is nearest to p, and the distance squared.
static double supTrigNearest( bool open, int32_t terms, const supVec3d* coefficients, supVec3d p, double* squared )
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

// ---------------------------------------------------------------------------------------------------------------
// Least-squares fits of trigonometric curves and ellipses, and how good they are.

static const char* supNameOf( const char* name )
{
    return name != NULL ? name : "curve";
}

static supResult supCheckPoints( const char* name, const double* points, int32_t count, supError* error )
{
    double spread = 0.0;
    for ( int32_t i = 0; i < 3 * count; ++i )
    {
        if ( !supIsFinite( points[i] ) )
        {
            return supFail( error, sup_errorData, "%.80s: point %d is not a number", name, (int)( i / 3 ) );
        }
        spread = supMax( spread, supAbs( points[i] - points[i % 3] ) );
    }
    if ( count > 1 && !( spread > 0.0 ) )
    {
        return supFail( error, sup_errorData, "%.80s: all %d points are in one place", name, (int)count );
    }
    return sup_success;
}

static supResult supCheckFitDef( const supCurveFitDef* def, supError* error )
{
    const char* name = supNameOf( def->name );
    if ( def->terms < 0 || def->terms > SUP_MAX_CURVE_TERMS )
    {
        return supFail( error, sup_errorArgument, "%.80s: %d terms; 0 to %d are allowed", name, (int)def->terms,
            SUP_MAX_CURVE_TERMS );
    }
    int32_t least = supCurveCoefficientCount( def->open, def->terms );
    if ( def->pointCount < least || def->points == NULL )
    {
        return supFail( error, sup_errorData, "%.80s: %d points are too few for %d terms, which need %d", name,
            (int)def->pointCount, (int)def->terms, (int)least );
    }
    supResult result = supCheckPoints( name, def->points, def->pointCount, error );
    for ( int32_t i = 0; result == sup_success && def->parameters != NULL && i < def->pointCount; ++i )
    {
        double v = def->parameters[i];
        bool inside = def->open ? v >= 0.0 && v <= 1.0 : v >= 0.0 && v < 1.0;
        if ( !inside || ( i > 0 && !( v > def->parameters[i - 1] ) ) )
        {
            result = supFail(
                error, sup_errorData, "%.80s: parameter %d is %g: they must increase from 0 to 1", name, (int)i, v );
        }
    }
    return result;
}

// The normal equations. Columns are cosines and sines of size one, so the system's diagonal is even; a pivot below
// 1e-10 of it says that the points leave a harmonic open, and the answer would be noise.
static supResult supSolveUneven( const supCurveFitDef* def, supVec3d* coefficients, supError* error )
{
    int32_t first = def->open ? 2 : 0; // an open curve's ends are given, not fitted
    int32_t count = supCurveCoefficientCount( def->open, def->terms ) - first;
    const supVec3d* points = (const supVec3d*)def->points;
    if ( def->open )
    {
        coefficients[0] = points[0];
        coefficients[1] = points[def->pointCount - 1];
    }
    if ( count == 0 )
    {
        return sup_success;
    }
    size_t square = (size_t)count * (size_t)count;
    double* work = supAllocZeroed( NULL, square + 3 * (size_t)count, sizeof( double ), _Alignof( double ) );
    if ( work == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a curve" );
    }
    double* right = work + square;
    double basis[SUP_MAX_CURVE_COEFFICIENTS + 1];
    for ( int32_t i = 0; i < def->pointCount; ++i )
    {
        double v = def->parameters[i];
        supTrigBasis( def->open, def->terms, v, basis, NULL );
        supVec3d p = points[i];
        if ( def->open )
        {
            p = supSubD( p, supLerpD( coefficients[0], coefficients[1], v ) );
        }
        for ( int32_t a = 0; a < count; ++a )
        {
            double weight = basis[first + a];
            for ( int32_t b = 0; b <= a; ++b )
            {
                work[a * count + b] += weight * basis[first + b];
            }
            right[a] += weight * p.x;
            right[count + a] += weight * p.y;
            right[2 * count + a] += weight * p.z;
        }
    }
    supResult result = sup_success;
    if ( !supCholesky( count, work, 1e-10 ) )
    {
        result = supFail( error, sup_errorData,
            "%.80s: %d points so unevenly spaced cannot fix %d terms: use fewer terms, or points at equal steps",
            supNameOf( def->name ), (int)def->pointCount, (int)def->terms );
    }
    for ( int32_t axis = 0; result == sup_success && axis < 3; ++axis )
    {
        supCholeskySolve( count, work, right + axis * count );
        for ( int32_t k = 0; k < count; ++k )
        {
            ( &coefficients[first + k].x )[axis] = right[axis * count + k];
        }
    }
    supFree( NULL, work, ( square + 3 * (size_t)count ) * sizeof( double ) );
    return result;
}

static supCurveFit supErrorAtPoints( const supCurveFitDef* def, const supVec3d* coefficients )
{
    supCurveFit fit = { 0.0, 0.0 };
    int32_t steps = def->open ? def->pointCount - 1 : def->pointCount;
    for ( int32_t i = 0; i < def->pointCount; ++i )
    {
        double v = def->parameters != NULL ? def->parameters[i] : (double)i / steps;
        supVec3d p = supTrigPoint( def->open, def->terms, coefficients, v );
        supVec3d off = supSubD( p, ( (const supVec3d*)def->points )[i] );
        double squared = supDotD( off, off );
        fit.rmsError += squared;
        fit.maxError = supMax( fit.maxError, squared );
    }
    return ( supCurveFit ){ supSqrt( fit.rmsError / def->pointCount ), supSqrt( fit.maxError ) };
}

supResult supFitCurve( const supCurveFitDef* def, double* coefficients, supCurveFit* report, supError* error )
{
    supResult result = supCheckFitDef( def, error );
    if ( result != sup_success )
    {
        return result;
    }
    supVec3d* out = (supVec3d*)coefficients;
    if ( def->parameters == NULL )
    {
        supTrigTransform( def->open, def->terms, (const supVec3d*)def->points, def->pointCount, out );
    }
    else
    {
        result = supSolveUneven( def, out, error );
    }
    if ( result == sup_success && report != NULL )
    {
        *report = supErrorAtPoints( def, out );
    }
    return result;
}

supResult supResampleCurve( const char* name, bool open, const double* points, int32_t pointCount, int32_t count,
    double* out, double* at, supError* error )
{
    name = supNameOf( name );
    if ( pointCount < 2 || count < 2 )
    {
        return supFail( error, sup_errorData, "%.80s: a curve of %d points cannot be walked along", name,
            (int)supMin( pointCount, count ) );
    }
    supResult result = supCheckPoints( name, points, pointCount, error );
    if ( result != sup_success )
    {
        return result;
    }
    const supVec3d* line = (const supVec3d*)points;
    int32_t spans = open ? pointCount - 1 : pointCount;
    double length = 0.0;
    for ( int32_t i = 0; i < spans; ++i )
    {
        length += supLengthD( supSubD( line[( i + 1 ) % pointCount], line[i] ) );
    }
    double step = length / ( open ? count - 1 : count );
    int32_t span = 0;
    double walked = 0.0; // up to the span's start
    double width = supLengthD( supSubD( line[1 % pointCount], line[0] ) );
    for ( int32_t k = 0; k < count; ++k )
    {
        double target = k * step;
        while ( span + 1 < spans && target > walked + width )
        {
            walked += width;
            ++span;
            width = supLengthD( supSubD( line[( span + 1 ) % pointCount], line[span] ) );
        }
        double t = width > 0.0 ? supClamp( ( target - walked ) / width, 0.0, 1.0 ) : 0.0;
        ( (supVec3d*)out )[k] = supLerpD( line[span], line[( span + 1 ) % pointCount], t );
        if ( at != NULL )
        {
            at[k] = span + t;
        }
    }
    return sup_success;
}

supCurveFit supMeasureCurve(
    bool open, int32_t terms, const double* coefficients, const double* points, int32_t pointCount )
{
    supCurveFit fit = { 0.0, 0.0 };
    for ( int32_t i = 0; i < pointCount; ++i )
    {
        double squared;
        supTrigNearest( open, terms, (const supVec3d*)coefficients, ( (const supVec3d*)points )[i], &squared );
        fit.rmsError += squared;
        fit.maxError = supMax( fit.maxError, squared );
    }
    return ( supCurveFit ){ supSqrt( fit.rmsError / supMax( 1, pointCount ) ), supSqrt( fit.maxError ) };
}

// e0 + e1 cos + e2 sin is an ellipse whatever the three are. Neither turn can make the sum of squares larger, so it
// ends; it starts from the first harmonic of the points at equal steps.
supResult supFitEllipse( const char* name, const double* points, int32_t pointCount, double coefficients[9],
    supCurveFit* report, supError* error )
{
    supCurveFitDef start = { .name = name, .terms = 1, .pointCount = pointCount, .points = points };
    supResult result = supFitCurve( &start, coefficients, NULL, error );
    if ( result != sup_success )
    {
        return result;
    }
    const supVec3d* p = (const supVec3d*)points;
    double last = supInfinity();
    for ( int32_t round = 0; round < 400; ++round )
    {
        double gram[9] = { 0 }, right[9] = { 0 }, sum = 0.0;
        for ( int32_t i = 0; i < pointCount; ++i )
        {
            double squared, basis[3];
            double v = supTrigNearest( false, 1, (const supVec3d*)coefficients, p[i], &squared );
            supTrigBasis( false, 1, v, basis, NULL );
            sum += squared;
            for ( int32_t a = 0; a < 3; ++a )
            {
                for ( int32_t b = 0; b <= a; ++b )
                {
                    gram[3 * a + b] += basis[a] * basis[b];
                }
                right[a] += basis[a] * p[i].x;
                right[3 + a] += basis[a] * p[i].y;
                right[6 + a] += basis[a] * p[i].z;
            }
        }
        if ( sum > last * ( 1.0 - 1e-9 ) || !supCholesky( 3, gram, 1e-12 ) )
        {
            break;
        }
        last = sum;
        for ( int32_t axis = 0; axis < 3; ++axis )
        {
            supCholeskySolve( 3, gram, right + 3 * axis );
            for ( int32_t k = 0; k < 3; ++k )
            {
                coefficients[3 * k + axis] = right[3 * axis + k];
            }
        }
    }
    if ( report != NULL )
    {
        *report = supMeasureCurve( false, 1, coefficients, points, pointCount );
    }
    return sup_success;
}
