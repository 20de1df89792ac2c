// Normals of the targets.
// SPDX-License-Identifier: MIT
//
// A player skins n + sum w_i d_i by the inverse transpose of the blended matrix B and makes it of unit length. So the
// normal at rest that comes out as the living one, n', is B^T n' (of unit length), and its difference from the mesh's
// own is what the targets' normals should add up to. They have no weights of their own: over all frames, d_i are what
// comes nearest by least squares with the weights that the positions have.

#include "bake/morph_data.h"
#include "solve/dense.h"

#include <string.h>

enum
{
    supNormalBlock = 8 ///< frames
};

/// What a vertex may leave out of its normal, all targets together: a quarter of a degree.
static const double supDroppedTurn = 0.25 * SUP_PI / 180.0;

typedef struct supNormalWork
{
    const supMorphPlan* plan;
    supMorphSet* set;
    double* weights; ///< targetCount a frame
    double* factor;  ///< of the weights' products
    double* deltas;  ///< targetCount x 3 a row: row by row
    bool* good;      ///< of each block
} supNormalWork;

supVec3d supMorphRowNormal( const supMorphPlan* plan, const supMorphSet* set, size_t row )
{
    const supMeshView* mesh = plan->meshes + set->meshes[row];
    if ( mesh->normals == NULL )
    {
        return ( supVec3d ){ 0.0, 0.0, 0.0 };
    }
    const float* n = mesh->normals + 3 * (size_t)set->vertices[row];
    return supNormalizeD( ( supVec3d ){ n[0], n[1], n[2] } );
}

// ---------------------------------------------------------------------------------------------------------------
// Fitting

/// The differences at rest of one frame take the place of its displacements, which are needed no more.
static void supStoreNormals( supNormalWork* work, supMorphClock* clock, int32_t frame, const supVec3* normals )
{
    supMorphSet* set = work->set;
    float* out = set->frames + (size_t)frame * 3 * (size_t)set->count;
    for ( size_t i = 0; i < (size_t)set->count; ++i, out += 3 )
    {
        supVec3d own = supMorphRowNormal( work->plan, set, i );
        supMat34d m = supMorphClock_Matrix( clock, set, (int32_t)i );
        supVec3d back = supNormalizeD( supTransposeVectorD( m, supToDouble( normals[set->sources[i]] ) ) );
        bool has = supDotD( own, own ) > 0.0 && supDotD( back, back ) > 0.0;
        supVec3 difference = has ? supToFloat( supSubD( back, own ) ) : supVec3_zero;
        out[0] = difference.x;
        out[1] = difference.y;
        out[2] = difference.z;
    }
}

static void supStoreNormalBlock( int32_t block, void* context )
{
    supNormalWork* work = context;
    const supMorphPlan* plan = work->plan;
    size_t bytes = ( (size_t)plan->source.vertexCount + 1 ) * sizeof( supVec3 );
    supVec3* normals = supAlloc( plan->allocator, bytes, SUP_MAX_ALIGNMENT );
    supMorphClock clock;
    work->good[block] = false;
    if ( normals != NULL && supMakeMorphClock( &clock, plan ) )
    {
        int32_t first, end = supBlock( block, supNormalBlock, plan->frameCount, &first );
        for ( int32_t f = first; f < end; ++f )
        {
            int32_t take = plan->frameTakes[f];
            double time = plan->frameTimes[f];
            supMorphClock_Read( &clock, take, time );
            supMorphClock_Normals( &clock, take, time, normals );
            supStoreNormals( work, &clock, f, normals );
        }
        supMorphClock_Destroy( &clock );
        work->good[block] = true;
    }
    supFree( plan->allocator, normals, bytes );
}

/// Weights of the frames as players have them, and the factor of their products.
static void supWeighFrames( supNormalWork* work )
{
    supMorphSet* set = work->set;
    const supMorphPlan* plan = work->plan;
    size_t targets = (size_t)set->targetCount, frames = (size_t)set->frameCount;
    for ( size_t f = 0; f < frames; ++f )
    {
        supPlayMorphKeys( set, plan->frameTakes[f], plan->frameTimes[f], work->weights + f * targets );
    }
    double share = 1e-9;
    do
    {
        double most = 0.0;
        for ( size_t i = 0; i < targets; ++i )
        {
            for ( size_t k = 0; k <= i; ++k )
            {
                double sum = 0.0;
                for ( size_t f = 0; f < frames; ++f )
                {
                    sum += work->weights[f * targets + i] * work->weights[f * targets + k];
                }
                work->factor[i * targets + k] = work->factor[k * targets + i] = sum;
            }
            most = supMax( work->factor[i * targets + i], most );
        }
        for ( size_t i = 0; i < targets; ++i )
        {
            work->factor[i * targets + i] += share * supMax( most, 1e-300 );
        }
        share *= 100.0;
    } while ( targets > 0 && !supCholesky( set->targetCount, work->factor, 0.0 ) && share < 1.0 );
}

/// The deltas of one row: three systems of targetCount.
static void supFitRow( supNormalWork* work, size_t row, double* column )
{
    const supMorphSet* set = work->set;
    size_t targets = (size_t)set->targetCount, width = 3 * (size_t)set->count;
    for ( size_t k = 0; k < 3; ++k )
    {
        memset( column, 0, targets * sizeof( double ) );
        for ( size_t f = 0; f < (size_t)set->frameCount; ++f )
        {
            double value = set->frames[f * width + 3 * row + k];
            for ( size_t i = 0; i < targets && value != 0.0; ++i )
            {
                column[i] += value * work->weights[f * targets + i];
            }
        }
        supCholeskySolve( set->targetCount, work->factor, column );
        for ( size_t i = 0; i < targets; ++i )
        {
            work->deltas[( row * targets + i ) * 3 + k] = column[i];
        }
    }
}

/// The smallest go, as long as together they stay small. The last target, which is always on, takes over the middle of
/// what each did: half of its delta is lost at most.
static void supDropSmallTurns( supNormalWork* work, size_t row )
{
    size_t targets = (size_t)work->set->targetCount;
    double* deltas = work->deltas + row * targets * 3;
    double* constant = deltas + 3 * ( targets - 1 );
    for ( double dropped = 0.0;; )
    {
        double least = 0.0;
        size_t at = targets;
        for ( size_t i = 0; i + 1 < targets; ++i )
        {
            const double* d = deltas + 3 * i;
            double length = supSqrt( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] );
            if ( length > 0.0 && ( at == targets || length < least ) )
            {
                least = length;
                at = i;
            }
        }
        dropped += 0.5 * least;
        if ( at == targets || dropped > supDroppedTurn )
        {
            break;
        }
        for ( size_t k = 0; k < 3; ++k )
        {
            constant[k] += 0.5 * deltas[3 * at + k];
            deltas[3 * at + k] = 0.0;
        }
    }
    double length = supSqrt( constant[0] * constant[0] + constant[1] * constant[1] + constant[2] * constant[2] );
    if ( length < 0.5 * supDroppedTurn )
    {
        memset( constant, 0, 3 * sizeof( double ) );
    }
}

static bool supStoreNormalColumns( supNormalWork* work )
{
    supMorphSet* set = work->set;
    const supAllocator* allocator = work->plan->allocator;
    size_t targets = (size_t)set->targetCount, rows = (size_t)set->count;
    set->normalColumns = supAllocZeroed( allocator, targets + 1, sizeof( supMorphColumn ), _Alignof( supMorphColumn ) );
    for ( size_t i = 0; i < targets && set->normalColumns != NULL; ++i )
    {
        supMorphColumn* column = set->normalColumns + i;
        column->rows = supAllocZeroed( allocator, rows, sizeof( int32_t ), _Alignof( int32_t ) );
        column->deltas = supAllocZeroed( allocator, rows, 3 * sizeof( float ), _Alignof( float ) );
        if ( column->rows == NULL || column->deltas == NULL )
        {
            return false;
        }
        for ( size_t row = 0; row < rows; ++row )
        {
            const double* d = work->deltas + ( row * targets + i ) * 3;
            if ( d[0] != 0.0 || d[1] != 0.0 || d[2] != 0.0 )
            {
                size_t at = (size_t)column->count++;
                column->rows[at] = (int32_t)row;
                for ( size_t k = 0; k < 3; ++k )
                {
                    column->deltas[3 * at + k] = (float)d[k];
                }
            }
        }
    }
    return set->normalColumns != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static bool supAllGood( const supNormalWork* work, int32_t blocks )
{
    bool good = true;
    for ( int32_t i = 0; i < blocks; ++i )
    {
        good = good && work->good[i];
    }
    return good;
}

static bool supMakeNormals( supNormalWork* work, int32_t blocks, double* column )
{
    supWeighFrames( work );
    supRunTasks( work->plan->def->tasks, supStoreNormalBlock, blocks, work );
    if ( !supAllGood( work, blocks ) )
    {
        return false;
    }
    for ( size_t row = 0; row < (size_t)work->set->count; ++row )
    {
        supFitRow( work, row, column );
        supDropSmallTurns( work, row );
    }
    return supStoreNormalColumns( work );
}

supResult supFindMorphNormals( const supMorphPlan* plan, supMorphSet* set, supError* error )
{
    size_t targets = (size_t)set->targetCount, rows = (size_t)set->count, frames = (size_t)set->frameCount;
    int32_t blocks = supBlockCount( supNormalBlock, set->frameCount );
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW_ROWS( &layout, double, weights, frames, ( targets + 1 ) );
    SUP_PUT_NEW_ROWS( &layout, double, factor, targets, targets );
    SUP_PUT_NEW_ROWS( &layout, double, deltas, rows, 3 * ( targets + 1 ) );
    SUP_PUT_NEW( &layout, double, column, targets );
    SUP_PUT_NEW( &layout, bool, good, blocks + 1 );
    char* block = supAllocLayout( plan->allocator, &layout );
    bool fits = block != NULL;
    if ( fits )
    {
        supNormalWork work = { plan, set, weights, factor, deltas, good };
        fits = supMakeNormals( &work, blocks, column );
    }
    supFree( plan->allocator, block, layout.size );
    return fits ? sup_success
                : supFail( error, sup_errorMemory, "no memory for the normals of %zu morph targets", targets );
}
