// SPDX-License-Identifier: MIT
#include "layers/correctives/correctives.h"

#include "base/memory.h"
#include "solve/dense.h"

#include <string.h>

/// Directions in which all examples together reach less than this are no dimension of the span: two sculpts of a bend
/// that differ by a stray degree of twist speak of bending alone. Radians
static const double sup_leastReach = 0.05;
/// Nearer than this, examples are at one pose. Radians
static const double sup_leastDistance = 1e-3;

// ---------------------------------------------------------------------------------------------------------------
// Features

void supSwingAndTwist( supQuatd rotation, supVec3d axis, double features[supPoseFeatures] )
{
    supQuatd q = supNormalizeQuatD( rotation );
    double sign = q.w < 0.0 ? -1.0 : 1.0;
    q = ( supQuatd ){ sign * q.x, sign * q.y, sign * q.z, sign * q.w };
    double along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    supQuatd twist = supNormalizeQuatD( ( supQuatd ){ along * axis.x, along * axis.y, along * axis.z, q.w } );
    supVec3d swing = supRotationVectorD( supMulQuatD( q, supConjugateD( twist ) ) );
    features[0] = swing.x;
    features[1] = swing.y;
    features[2] = swing.z;
    features[3] = 2.0 * supAtan2( along, q.w );
}

double supShareOf( double x )
{
    const double soft = 0.1;
    return x <= 0.0 ? 0.0 : x * x * ( 1.0 + soft ) / ( x + soft );
}

// ---------------------------------------------------------------------------------------------------------------
// Set-up

static size_t supLayPoseSpace( int32_t joints, int32_t examples, void* memory, supPoseSpace* space )
{
    size_t features = (size_t)joints * supPoseFeatures, count = (size_t)examples;
    supLayout layout = supLayoutIn( memory );
    SUP_PUT( &layout, space->basis, features * features );
    SUP_PUT( &layout, space->points, features * count );
    SUP_PUT( &layout, space->linear, features * count );
    SUP_PUT( &layout, space->constant, count );
    SUP_PUT( &layout, space->bumps, ( count + 1 ) * count );
    return layout.size;
}

size_t supPoseSpace_MemorySize( int32_t joints, int32_t examples )
{
    supPoseSpace space;
    return supLayPoseSpace( joints, examples, NULL, &space );
}

static double supDotOf( const double* a, const double* b, size_t count )
{
    double sum = 0.0;
    for ( size_t i = 0; i < count; ++i )
    {
        sum += a[i] * b[i];
    }
    return sum;
}

/// Orthonormal directions that the examples reach into, the longest remainder first.
static void supFindSpan( supPoseSpace* space, const double* features, double* left )
{
    size_t width = (size_t)space->joints * supPoseFeatures, count = (size_t)space->examples;
    memcpy( left, features, sizeof( double ) * width * count );
    for ( space->span = 0; (size_t)space->span < width; ++space->span )
    {
        size_t longest = 0;
        double square = -1.0;
        for ( size_t e = 0; e < count; ++e )
        {
            double own = supDotOf( left + e * width, left + e * width, width );
            longest = own > square ? e : longest;
            square = own > square ? own : square;
        }
        if ( !( square > sup_leastReach * sup_leastReach ) )
        {
            return;
        }
        double *row = space->basis + (size_t)space->span * width, scale = 1.0 / supSqrt( square );
        for ( size_t i = 0; i < width; ++i )
        {
            row[i] = left[longest * width + i] * scale;
        }
        for ( size_t e = 0; e < count; ++e )
        {
            double along = supDotOf( left + e * width, row, width );
            for ( size_t i = 0; i < width; ++i )
            {
                left[e * width + i] -= along * row[i];
            }
        }
    }
}

static void supProject( const supPoseSpace* space, const double* features, double* point )
{
    size_t width = (size_t)space->joints * supPoseFeatures;
    for ( int32_t d = 0; d < space->span; ++d )
    {
        point[d] = supDotOf( features, space->basis + (size_t)d * width, width );
    }
}

/// |a - b|^3; NULL is the origin.
static double supBump( const double* a, const double* b, int32_t span )
{
    double square = 0.0;
    for ( int32_t d = 0; d < span; ++d )
    {
        double step = a[d] - ( b != NULL ? b[d] : 0.0 );
        square += step * step;
    }
    return square * supSqrt( square );
}

static supResult supCheckDistances( const supPoseSpace* space, const char* const* names, supError* error )
{
    double least = sup_leastDistance * sup_leastDistance * sup_leastDistance;
    for ( int32_t e = 0; e < space->examples; ++e )
    {
        const double* point = space->points + e * space->span;
        if ( space->span == 0 || supBump( point, NULL, space->span ) < least )
        {
            return supFail( error, sup_errorArgument,
                "example \"%s\": its pose is the rest pose, where nothing is corrected; turn a driving joint",
                names[e] );
        }
        for ( int32_t k = 0; k < e; ++k )
        {
            if ( supBump( point, space->points + k * space->span, space->span ) < least )
            {
                return supFail( error, sup_errorArgument,
                    "examples \"%s\" and \"%s\" are at one pose; keep one of them", names[k], names[e] );
            }
        }
    }
    return sup_success;
}

/// The bumps at the origin and at each example, orthogonal to constants and to linear functions:
///
///     | bumps   1   points | | b |   | 1 where its own, 0 elsewhere |
///     | 1^T     0   0      | | c | = | 0                            |
///     | points^T 0  0      | | l |   | 0                            |
static bool supSolveShares( supPoseSpace* space, double* matrix, double* right )
{
    size_t count = (size_t)space->examples, span = (size_t)space->span, centers = count + 1, n = centers + 1 + span;
    memset( matrix, 0, sizeof( double ) * n * n );
    memset( right, 0, sizeof( double ) * n * count );
    for ( size_t r = 0; r < centers; ++r )
    {
        const double* a = r > 0 ? space->points + ( r - 1 ) * span : NULL;
        for ( size_t c = 0; c < centers; ++c )
        {
            const double* b = c > 0 ? space->points + ( c - 1 ) * span : NULL;
            matrix[r * n + c] = a != NULL   ? supBump( a, b, space->span )
                                : b != NULL ? supBump( b, a, space->span )
                                            : 0.0;
        }
        matrix[r * n + centers] = matrix[centers * n + r] = 1.0;
        for ( size_t d = 0; d < span && a != NULL; ++d )
        {
            matrix[r * n + centers + 1 + d] = matrix[( centers + 1 + d ) * n + r] = a[d];
        }
        if ( r > 0 )
        {
            right[r * count + r - 1] = 1.0;
        }
    }
    if ( !supEliminate( (int32_t)n, space->examples, matrix, right, 1e-13 ) )
    {
        return false;
    }
    memcpy( space->bumps, right, sizeof( double ) * centers * count );
    memcpy( space->constant, right + centers * count, sizeof( double ) * count );
    memcpy( space->linear, right + ( centers + 1 ) * count, sizeof( double ) * span * count );
    return true;
}

supResult supInitPoseSpace( supPoseSpace* space, void* block, int32_t joints, int32_t examples, const double* features,
    const char* const* names, const supAllocator* allocator, supError* error )
{
    *space = ( supPoseSpace ){ .joints = joints, .examples = examples };
    supLayPoseSpace( joints, examples, block, space );
    size_t width = (size_t)joints * supPoseFeatures, count = (size_t)examples, n = count + 2 + width;
    for ( size_t i = 0; i < width * count; ++i )
    {
        if ( !supIsFinite( features[i] ) )
        {
            return supFail( error, sup_errorArgument, "example \"%s\": its pose is not finite", names[i / width] );
        }
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, double, left, width* count );
    SUP_PUT_NEW( &layout, double, matrix, n* n );
    SUP_PUT_NEW( &layout, double, right, n* count );
    char* scratch = supAllocLayout( allocator, &layout );
    if ( scratch == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for the poses of %d examples", examples );
    }
    supFindSpan( space, features, left );
    for ( int32_t e = 0; e < examples; ++e )
    {
        supProject( space, features + (size_t)e * width, space->points + e * space->span );
    }
    supResult result = supCheckDistances( space, names, error );
    if ( result == sup_success && !supSolveShares( space, matrix, right ) )
    {
        result = supFail( error, sup_errorArgument,
            "the poses of %d examples cannot be told apart; remove one that is nearly the same as another", examples );
    }
    supFree( allocator, scratch, layout.size );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Use

void supPoseSpace_Shares( const supPoseSpace* space, const double* features, double* shares )
{
    size_t count = (size_t)space->examples, width = (size_t)space->joints * supPoseFeatures;
    memcpy( shares, space->constant, sizeof( double ) * count );
    double atOrigin = 0.0;
    for ( int32_t d = 0; d < space->span; ++d )
    {
        double along = supDotOf( features, space->basis + (size_t)d * width, width );
        atOrigin += along * along;
        for ( size_t e = 0; e < count; ++e )
        {
            shares[e] += along * space->linear[(size_t)d * count + e];
        }
    }
    for ( size_t c = 0; c <= count; ++c )
    {
        double square = c == 0 ? atOrigin : 0.0;
        for ( int32_t d = 0; d < space->span && c > 0; ++d )
        {
            double step = supDotOf( features, space->basis + (size_t)d * width, width ) -
                          space->points[( c - 1 ) * (size_t)space->span + (size_t)d];
            square += step * step;
        }
        double bump = square * supSqrt( square );
        for ( size_t e = 0; e < count; ++e )
        {
            shares[e] += bump * space->bumps[c * count + e];
        }
    }
    for ( size_t e = 0; e < count; ++e )
    {
        shares[e] = supShareOf( shares[e] );
    }
}
