// From a basis of all frames to the fewest targets, each on as few vertices as can be.
// SPDX-License-Identifier: MIT
//
// Principal components come from the frames in the basis: eigenvectors of the sums of their products. As many are taken
// as it takes for the largest error of any vertex in any frame.
//
// Components spread over the whole body, though what moves the belly seldom moves the calves. Any rotation of them
// spans the same displacements, so they are turned until each is on as few vertices as possible: quartimax (Neuhaus,
// Wrigley, "The quartimax method", 1954), with the length of a vertex's delta in the place of a number. For targets a
// and b and the angle t, a' = a cos t + b sin t, the sum over vertices of |a'|^4 + |b'|^4 is largest where
//
//     4 t = atan2( 2 sum u v, sum u^2 - v^2 ),   u = |a|^2 - |b|^2,   v = 2 a.b
//
// Then each vertex leaves its smallest deltas out, as far as the error allows: that much is found by halving.

#include "bake/morph_data.h"
#include "solve/dense.h"
#include "solve/lanes.h"

#include <string.h>

enum
{
    supTurnSweeps = 20,
    supSparseSteps = 7
};

typedef struct supTargetWork
{
    const supMorphPlan* plan;
    supMorphSet* set;
    int32_t count;   ///< targets so far
    double* targets; ///< count x 3 set->count
    double* worst;   ///< basisCount + 1 a frame: error with so many components; later: one a frame
    double* peaks;   ///< of each target: the most it is ever weighed, on at most a frame
} supTargetWork;

// ---------------------------------------------------------------------------------------------------------------
// Principal components

/// targets = eigenvectors * basis
static bool supMakeComponents( supTargetWork* work )
{
    supMorphSet* set = work->set;
    size_t n = (size_t)set->basisCount, width = 3 * (size_t)set->count, frames = (size_t)set->frameCount;
    size_t bytes = ( 2 * n * n + n ) * sizeof( double );
    double* products = supAlloc( work->plan->allocator, bytes, SUP_MAX_ALIGNMENT );
    if ( products == NULL )
    {
        return false;
    }
    double* vectors = products + n * n;
    double* values = vectors + n * n;
    for ( size_t i = 0; i < n; ++i )
    {
        for ( size_t k = 0; k <= i; ++k )
        {
            double product = supDotRowsD( set->shares + i * frames, set->shares + k * frames, frames );
            products[i * n + k] = products[k * n + i] = product;
        }
    }
    supSymmetricEigen( set->basisCount, products, values, vectors );
    memset( work->targets, 0, n * width * sizeof( double ) );
    for ( size_t i = 0; i < n; ++i )
    {
        for ( size_t k = 0; k < n; ++k )
        {
            double share = vectors[i * n + k];
            for ( size_t j = 0; j < width; ++j )
            {
                work->targets[i * width + j] += share * set->basis[k * width + j];
            }
        }
    }
    supFree( work->plan->allocator, products, bytes );
    return true;
}

static double supFarthestOff( const supMorphSet* set, const double* rest, const float* scales )
{
    double worst = 0.0;
    for ( size_t i = 0; i < (size_t)set->count; ++i )
    {
        const double* at = rest + 3 * i;
        double s = scales[i], square = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
        worst = supMax( square * ( s * s ), worst );
    }
    return supSqrt( worst );
}

/// Errors of a frame with 0, 1, 2, … components.
static void supTruncateFrame( int32_t frame, void* context )
{
    supTargetWork* work = context;
    const supMorphSet* set = work->set;
    size_t width = 3 * (size_t)set->count;
    double* rest = supAlloc( work->plan->allocator, width * sizeof( double ), SUP_MAX_ALIGNMENT );
    double* worst = work->worst + (size_t)frame * ( (size_t)set->basisCount + 1 );
    const float* from = set->frames + (size_t)frame * width;
    const float* scales = set->scales + (size_t)frame * (size_t)set->count;
    worst[0] = -1.0;
    for ( size_t i = 0; i < width && rest != NULL; ++i )
    {
        rest[i] = from[i];
    }
    for ( int32_t k = 0; k <= set->basisCount && rest != NULL; ++k )
    {
        worst[k] = supFarthestOff( set, rest, scales );
        const double* target = work->targets + (size_t)k * width;
        double share = k < set->basisCount ? supDotRows( target, from, width ) : 0.0;
        for ( size_t i = 0; i < width && share != 0.0; ++i )
        {
            rest[i] -= share * target[i];
        }
    }
    supFree( work->plan->allocator, rest, width * sizeof( double ) );
}

/// The fewest components whose error holds; all of them where none does.
static bool supCountComponents( supTargetWork* work, double tolerance )
{
    const supMorphSet* set = work->set;
    size_t stride = (size_t)set->basisCount + 1;
    supRunTasks( work->plan->def->tasks, supTruncateFrame, set->frameCount, work );
    for ( int32_t k = 0; k <= set->basisCount; ++k )
    {
        double worst = 0.0;
        for ( size_t f = 0; f < (size_t)set->frameCount; ++f )
        {
            if ( work->worst[f * stride] < 0.0 )
            {
                return false;
            }
            worst = supMax( work->worst[f * stride + (size_t)k], worst );
        }
        work->count = k;
        if ( worst <= tolerance )
        {
            break;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Onto few vertices

/// Turns two targets; gives how far.
static double supTurnTargets( double* a, double* b, size_t rows )
{
    double uv = 0.0, uu = 0.0;
    for ( size_t i = 0; i < rows; ++i )
    {
        const double *p = a + 3 * i, *q = b + 3 * i;
        double u = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - ( q[0] * q[0] + q[1] * q[1] + q[2] * q[2] );
        double v = 2.0 * ( p[0] * q[0] + p[1] * q[1] + p[2] * q[2] );
        uv += u * v;
        uu += u * u - v * v;
    }
    double angle = uv != 0.0 || uu < 0.0 ? 0.25 * supAtan2( 2.0 * uv, uu ) : 0.0, sine, cosine;
    supSinCos( angle, &sine, &cosine );
    for ( size_t i = 0; i < 3 * rows && angle != 0.0; ++i )
    {
        double x = a[i], y = b[i];
        a[i] = cosine * x + sine * y;
        b[i] = cosine * y - sine * x;
    }
    return supAbs( angle );
}

static void supGatherTargets( supTargetWork* work )
{
    size_t rows = (size_t)work->set->count;
    for ( int sweep = 0; sweep < supTurnSweeps; ++sweep )
    {
        double most = 0.0;
        for ( size_t i = 0; i < (size_t)work->count; ++i )
        {
            for ( size_t k = i + 1; k < (size_t)work->count; ++k )
            {
                double turned = supTurnTargets( work->targets + 3 * i * rows, work->targets + 3 * k * rows, rows );
                most = supMax( turned, most );
            }
        }
        if ( most < 1e-3 )
        {
            return;
        }
    }
}

/// The most that each target is ever weighed; row by row the most that skinning makes of it.
static void supFindPeaks( supTargetWork* work )
{
    const supMorphSet* set = work->set;
    size_t width = 3 * (size_t)set->count;
    for ( size_t f = 0; f < (size_t)set->frameCount; ++f )
    {
        for ( size_t i = 0; i < (size_t)work->count; ++i )
        {
            double weight = supDotRows( work->targets + i * width, set->frames + f * width, width );
            work->peaks[i] = supMax( supAbs( weight ), work->peaks[i] );
        }
        for ( size_t i = 0; i < (size_t)set->count; ++i )
        {
            set->mostScale[i] = supMaxF( set->scales[f * (size_t)set->count + i], set->mostScale[i] );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Sparse columns

/// How far a vertex can be moved by each target, and which of them it does without: the smallest, as long as together
/// they stay below `allowed`.
static void supChooseDeltas( const supTargetWork* work, size_t row, double allowed, bool* keeps )
{
    size_t width = 3 * (size_t)work->set->count;
    for ( size_t i = 0; i < (size_t)work->count; ++i )
    {
        keeps[i] = true;
    }
    for ( double dropped = 0.0;; )
    {
        double least = 0.0;
        size_t at = (size_t)work->count;
        for ( size_t i = 0; i < (size_t)work->count; ++i )
        {
            const double* d = work->targets + i * width + 3 * row;
            double reach =
                supSqrt( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] ) * work->peaks[i] * work->set->mostScale[row];
            if ( keeps[i] && ( at == (size_t)work->count || reach < least ) )
            {
                least = reach;
                at = i;
            }
        }
        dropped += least;
        if ( at == (size_t)work->count || dropped > allowed )
        {
            return;
        }
        keeps[at] = false;
    }
}

static bool supFillColumns( supTargetWork* work, double allowed )
{
    supMorphSet* set = work->set;
    size_t rows = (size_t)set->count, targets = (size_t)work->count, bytes = rows * targets;
    bool* keeps = supAlloc( work->plan->allocator, bytes, 1 );
    for ( size_t row = 0; row < rows && keeps != NULL; ++row )
    {
        supChooseDeltas( work, row, allowed, keeps + row * targets );
    }
    for ( size_t i = 0; i < targets && keeps != NULL; ++i )
    {
        supMorphColumn* column = set->columns + i;
        column->count = 0;
        for ( size_t row = 0; row < rows; ++row )
        {
            if ( keeps[row * targets + i] )
            {
                size_t at = (size_t)column->count++;
                const double* from = work->targets + ( i * rows + row ) * 3;
                column->rows[at] = (int32_t)row;
                for ( size_t k = 0; k < 3; ++k )
                {
                    column->deltas[3 * at + k] = (float)( from[k] * work->peaks[i] );
                }
            }
        }
    }
    supFree( work->plan->allocator, keeps, bytes );
    return keeps != NULL;
}

/// Sum of products of the deltas of two targets.
static double supDotColumns( const supMorphColumn* a, const supMorphColumn* b )
{
    double sum = 0.0;
    for ( int32_t i = 0, k = 0; i < a->count && k < b->count; )
    {
        if ( a->rows[i] == b->rows[k] )
        {
            const float *p = a->deltas + 3 * (size_t)i, *q = b->deltas + 3 * (size_t)k;
            sum += (double)p[0] * q[0] + (double)p[1] * q[1] + (double)p[2] * q[2];
        }
        int32_t stepA = a->rows[i] <= b->rows[k], stepB = b->rows[k] <= a->rows[i];
        i += stepA;
        k += stepB;
    }
    return sum;
}

/// The factor with which weights are fitted. Targets that became nothing, or the same as others, get no weight: a small
/// share of the diagonal holds them.
static void supFactorTargets( supMorphSet* set, int32_t count )
{
    size_t n = (size_t)count;
    double share = 1e-12;
    do
    {
        double most = 0.0;
        for ( size_t i = 0; i < n; ++i )
        {
            for ( size_t k = 0; k <= i; ++k )
            {
                set->factor[i * n + k] = set->factor[k * n + i] = supDotColumns( set->columns + i, set->columns + k );
            }
            most = supMax( set->factor[i * n + i], most );
        }
        for ( size_t i = 0; i < n; ++i )
        {
            set->factor[i * n + i] += share * supMax( most, 1e-300 );
        }
        share *= 100.0;
    } while ( n > 0 && !supCholesky( count, set->factor, 0.0 ) && share < 1.0 );
}

void supFitMorphWeights( const supMorphSet* set, const float* rest, double* weights )
{
    for ( int32_t i = 0; i < set->targetCount; ++i )
    {
        const supMorphColumn* column = set->columns + i;
        double sum = 0.0;
        for ( int32_t k = 0; k < column->count; ++k )
        {
            const float *d = column->deltas + 3 * (size_t)k, *x = rest + 3 * (size_t)column->rows[k];
            sum += (double)d[0] * x[0] + (double)d[1] * x[1] + (double)d[2] * x[2];
        }
        weights[i] = sum;
    }
    supCholeskySolve( set->targetCount, set->factor, weights );
}

void supAddMorphColumns(
    const supMorphSet* set, const supMorphColumn* columns, const double* weights, double sign, double* rest )
{
    for ( int32_t i = 0; i < set->targetCount; ++i )
    {
        const supMorphColumn* column = columns + i;
        double weight = sign * weights[i];
        for ( int32_t k = 0; k < column->count && weight != 0.0; ++k )
        {
            const float* d = column->deltas + 3 * (size_t)k;
            double* x = rest + 3 * (size_t)column->rows[k];
            x[0] += weight * d[0];
            x[1] += weight * d[1];
            x[2] += weight * d[2];
        }
    }
}

/// The error of a frame with the columns as they are.
static void supTryFrame( int32_t frame, void* context )
{
    supTargetWork* work = context;
    const supMorphSet* set = work->set;
    size_t width = 3 * (size_t)set->count, bytes = ( width + (size_t)set->targetCount ) * sizeof( double );
    double* rest = supAlloc( work->plan->allocator, bytes, SUP_MAX_ALIGNMENT );
    work->worst[frame] = -1.0;
    if ( rest == NULL )
    {
        return;
    }
    const float* from = set->frames + (size_t)frame * width;
    for ( size_t i = 0; i < width; ++i )
    {
        rest[i] = from[i];
    }
    supFitMorphWeights( set, from, rest + width );
    supAddMorphColumns( set, set->columns, rest + width, -1.0, rest );
    work->worst[frame] = supFarthestOff( set, rest, set->scales + (size_t)frame * (size_t)set->count );
    supFree( work->plan->allocator, rest, bytes );
}

/// Gives the largest error, below 0 where there is no memory.
static double supTryColumns( supTargetWork* work, double allowed )
{
    supMorphSet* set = work->set;
    if ( !supFillColumns( work, allowed ) )
    {
        return -1.0;
    }
    supFactorTargets( set, work->count );
    supRunTasks( work->plan->def->tasks, supTryFrame, set->frameCount, work );
    double worst = 0.0;
    for ( int32_t f = 0; f < set->frameCount; ++f )
    {
        if ( work->worst[f] < 0.0 )
        {
            return -1.0;
        }
        worst = supMax( work->worst[f], worst );
    }
    return worst;
}

/// Drops as much as the error allows.
static bool supThinColumns( supTargetWork* work, double tolerance )
{
    double lower = 0.0, upper = 4.0 * tolerance, error = 0.0;
    for ( int step = 0; step < supSparseSteps && error >= 0.0; ++step )
    {
        double middle = 0.5 * ( lower + upper );
        if ( !supWatched_Tell( work->plan->watched, NULL, 0.3 + 0.7 * step / supSparseSteps ) )
        {
            break;
        }
        error = supTryColumns( work, middle );
        if ( error <= tolerance )
        {
            lower = middle;
        }
        else
        {
            upper = middle;
        }
    }
    return error >= 0.0 && supTryColumns( work, lower ) >= 0.0;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static bool supMakeTargets( supTargetWork* work, double share )
{
    supMorphSet* set = work->set;
    const supMorphPlan* plan = work->plan;
    bool moves = set->basisCount > 0; // where nothing ever does, no target is needed
    if ( moves && ( !supMakeComponents( work ) || !supCountComponents( work, share * plan->tolerance ) ) )
    {
        return false;
    }
    size_t targets = (size_t)work->count, rows = (size_t)set->count;
    supGatherTargets( work );
    supFindPeaks( work );
    set->columns = supAllocZeroed( plan->allocator, targets + 1, sizeof( supMorphColumn ), _Alignof( supMorphColumn ) );
    set->factor = supAllocZeroed( plan->allocator, targets * targets + 1, sizeof( double ), _Alignof( double ) );
    bool fits = set->columns != NULL && set->factor != NULL;
    set->targetCount = work->count; // what was allocated goes back by it, whichever of them failed
    for ( size_t i = 0; i < targets && fits; ++i )
    {
        set->columns[i].rows = supAllocZeroed( plan->allocator, rows, sizeof( int32_t ), _Alignof( int32_t ) );
        set->columns[i].deltas = supAllocZeroed( plan->allocator, rows, 3 * sizeof( float ), _Alignof( float ) );
        fits = set->columns[i].rows != NULL && set->columns[i].deltas != NULL;
    }
    double sparse = SUP_MORPH_SPARSE_SHARE - SUP_MORPH_TARGET_SHARE;
    return fits && ( targets == 0 || supThinColumns( work, ( share + sparse ) * plan->tolerance ) );
}

supResult supFindMorphTargets( const supMorphPlan* plan, supMorphSet* set, double share, supError* error )
{
    size_t n = (size_t)set->basisCount, rows = (size_t)set->count;
    supLayout layout = supMakeLayout();
    supTargetWork work = { .plan = plan, .set = set };
    supLayoutPut( &layout, &work.targets, n + 1, 3 * rows * sizeof( double ), SUP_MAX_ALIGNMENT );
    SUP_PUT_ROWS( &layout, work.worst, (size_t)set->frameCount + 1, n + 1 );
    SUP_PUT( &layout, work.peaks, n + 1 );
    char* block = supAllocLayout( plan->allocator, &layout );
    bool fits = block != NULL;
    if ( fits )
    {
        fits = supMakeTargets( &work, share );
        supFree( plan->allocator, block, layout.size );
    }
    return fits ? sup_success
                : supFail( error, sup_errorMemory, "no memory for %zu morph targets of %zu vertices", n, rows );
}
