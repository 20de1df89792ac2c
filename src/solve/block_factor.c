// Factors of sparse matrices, front by front.
// SPDX-License-Identifier: MIT
//
// Multifrontal (Duff, Reid, "The multifrontal solution of indefinite sparse symmetric linear equations", 1983): a front
// gathers its pivots' columns of the matrix and what its children have left over for it, eliminates its pivots in dense
// arithmetic, and leaves the rest, a square over its border, to its parent. Columns stand one after the other.
//
//     pivots  | L11        |    L11 L11^T = front's own square
//     border  | L21  rest  |    rest = its own minus L21 L21^T, for the parent
#include "base/memory.h"

#include "base/compiler.h"
#include "base/wide_double.h"
#include "block_matrix.h"
#include "front_kernel.h"
#include "supple/lab/machine.h"

#include <string.h>

enum
{
    supPanel = supTileColumns, ///< columns that are worked on at once
    supTile = supTileRows,     ///< rows of them
    supBlockColumns = 64,      ///< that are taken off all others at once
    supStripRows = 256,        ///< of these, together: 128 KB
};

/// What is left of a front for its parent; lower triangle, column by column.
typedef struct supRest
{
    double* values;
    size_t size;
} supRest;

typedef struct supFill
{
    supBlockFactor* factor;
    const supBlockMatrix* a;
    const int32_t* places; ///< of each node in the order
    int32_t* rows;         ///< of each place: its row in the current front, in nodes
    double* front;         ///< the current one's square
    supRest* rests;
    const supAllocator* allocator;
    supFrontFunction* subtract;
    double* strips; ///< rows of a block's columns, and the factors of a panel
} supFill;

/// Rows r0 up to r1 of `panel` (at most 4) columns from j: minus the product of columns `from` up to `done` with their
/// rows from j. Each sum runs over rising columns, so wide and narrow code give the same bits.
static void supSubtractColumns(
    double* front, size_t rows, size_t from, size_t done, size_t j, size_t panel, size_t r0, size_t r1 )
{
    size_t r = r0;
    for ( ; panel == supPanel && r + supTile <= r1; r += supTile )
    {
        double sum[supPanel][supTile];
        for ( size_t q = 0; q < supPanel; ++q )
        {
            memcpy( sum[q], front + ( j + q ) * rows + r, sizeof( sum[q] ) );
        }
        for ( size_t t = from; t < done; ++t )
        {
            const double *column = front + t * rows + r, *factors = front + t * rows + j;
            for ( size_t q = 0; q < supPanel; ++q )
            {
                for ( size_t k = 0; k < supTile; ++k )
                {
                    sum[q][k] -= column[k] * factors[q];
                }
            }
        }
        for ( size_t q = 0; q < supPanel; ++q )
        {
            memcpy( front + ( j + q ) * rows + r, sum[q], sizeof( sum[q] ) );
        }
    }
    for ( ; r < r1; ++r )
    {
        for ( size_t q = 0; q < panel; ++q )
        {
            double sum = front[( j + q ) * rows + r];
            for ( size_t t = from; t < done; ++t )
            {
                sum -= front[t * rows + r] * front[t * rows + j + q];
            }
            front[( j + q ) * rows + r] = sum;
        }
    }
}

/// Columns j up to j + panel among themselves. False: not positive.
static bool supFinishPanel( double* front, size_t rows, size_t j, size_t panel )
{
    for ( size_t q = 0; q < panel; ++q )
    {
        double* column = front + ( j + q ) * rows;
        for ( size_t t = 0; t < q; ++t )
        {
            const double* before = front + ( j + t ) * rows;
            double factor = before[j + q];
            for ( size_t r = j + q; r < rows; ++r )
            {
                column[r] -= before[r] * factor;
            }
        }
        double pivot = column[j + q];
        if ( !( pivot > 0.0 ) || !supIsFinite( pivot ) )
        {
            return false;
        }
        double scale = 1.0 / supSqrt( pivot );
        for ( size_t r = j + q; r < rows; ++r )
        {
            column[r] *= scale;
        }
    }
    return true;
}

/// Copies rows r0 up to r1 of the columns `from` up to `to` as tiles of eight rows, one after the other; zeros below.
static void supPackStrips(
    const double* front, size_t rows, size_t from, size_t to, size_t r0, size_t r1, double* strips )
{
    for ( size_t r = r0; r < r1; r += supTileRows )
    {
        size_t height = r1 - r < supTileRows ? r1 - r : supTileRows;
        for ( size_t t = from; t < to; ++t, strips += supTileRows )
        {
            memset( strips, 0, sizeof( double ) * supTileRows );
            memcpy( strips, front + t * rows + r, sizeof( double ) * height );
        }
    }
}

/// Rows r0 up to r1 of at most four columns from j on, less products of the columns `from` up to `to`, whose rows stand
/// in `strips`. What sticks out below or beside is done in a tile of its own.
static void supSubtractPanel( const supFill* fill, size_t rows, size_t from, size_t to, size_t j, size_t r0, size_t r1 )
{
    double *front = fill->front, *factors = fill->strips + supBlockColumns * supStripRows;
    size_t depth = to - from, panel = rows - j < supPanel ? rows - j : supPanel;
    // rows above the first column's own are of no use
    size_t skipped = j > r0 ? ( j - r0 ) / supTileRows : 0, first = r0 + skipped * supTileRows;
    size_t whole = panel == supPanel ? ( r1 - first ) / supTileRows : 0;
    const double* strips = fill->strips + skipped * depth * supTileRows;
    for ( size_t t = 0; t < depth; ++t )
    {
        for ( size_t q = 0; q < supPanel; ++q )
        {
            factors[supPanel * t + q] = q < panel ? front[( from + t ) * rows + j + q] : 0.0;
        }
    }
    fill->subtract( strips, whole, depth, factors, front + j * rows + first, rows );
    for ( size_t k = whole, r = first + whole * supTileRows; r < r1; ++k, r += supTileRows )
    {
        double tile[supPanel * supTileRows] = { 0 };
        size_t height = sizeof( double ) * ( r1 - r < supTileRows ? r1 - r : supTileRows );
        for ( size_t q = 0; q < panel; ++q )
        {
            memcpy( tile + q * supTileRows, front + ( j + q ) * rows + r, height );
        }
        fill->subtract( strips + k * depth * supTileRows, 1, depth, factors, tile, supTileRows );
        for ( size_t q = 0; q < panel; ++q )
        {
            memcpy( front + ( j + q ) * rows + r, tile + q * supTileRows, height );
        }
    }
}

/// Eliminates the first `pivots` columns of a square whose lower triangle is given. A block of columns at a time: first
/// among themselves, then off all columns after them, whose rows are taken in strips that stay in the cache. Of each
/// number the same products are taken off in the same order as if it were done at once.
static bool supEliminateFront( const supFill* fill, size_t rows, size_t pivots )
{
    bool positive = true;
    for ( size_t from = 0; from < pivots && positive; from += supBlockColumns )
    {
        size_t to = pivots - from < supBlockColumns ? pivots : from + supBlockColumns;
        for ( size_t j = from; j < to && positive; j += supPanel )
        {
            size_t panel = to - j < supPanel ? to - j : supPanel;
            supSubtractColumns( fill->front, rows, from, j, j, panel, j, rows );
            positive = supFinishPanel( fill->front, rows, j, panel );
        }
        for ( size_t r = to; r < rows && positive; r += supStripRows )
        {
            size_t end = rows - r < supStripRows ? rows : r + supStripRows;
            supPackStrips( fill->front, rows, from, to, r, end, fill->strips );
            for ( size_t j = to; j < end; j += supPanel )
            {
                supSubtractPanel( fill, rows, from, to, j, r, end );
            }
        }
    }
    return positive;
}

/// Pivots' columns of the matrix, into the front.
static void supGatherMatrix( supFill* fill, const supFront* front, size_t rows )
{
    for ( int32_t i = 0; i < front->count; ++i )
    {
        int32_t node = fill->factor->order[front->first + i];
        for ( int64_t k = fill->a->starts[node]; k < fill->a->starts[node + 1]; ++k )
        {
            int32_t place = fill->places[fill->a->columns[k]];
            if ( place < front->first + i )
            {
                continue;
            }
            // the matrix is symmetric: block (node, other) stands for (other, node) transposed
            size_t row = 3 * (size_t)fill->rows[place];
            for ( size_t c = 0; c < 3; ++c )
            {
                double* column = fill->front + ( 3 * (size_t)i + c ) * rows + row;
                for ( size_t r = 0; r < 3; ++r )
                {
                    column[r] += fill->a->blocks[9 * k + (int64_t)( 3 * c + r )];
                }
            }
        }
    }
}

/// What a child has left over, added where its border's nodes stand in this front.
static void supGatherChild( supFill* fill, int32_t child, size_t rows )
{
    const supFront* below = fill->factor->fronts + child;
    const int32_t* border = fill->factor->borders + below->border;
    const double* rest = fill->rests[child].values;
    size_t height = 3 * (size_t)below->borderCount;
    for ( int32_t q = 0; q < below->borderCount; ++q )
    {
        for ( size_t c = 0; c < 3; ++c )
        {
            size_t from = 3 * (size_t)q + c;
            double* column = fill->front + ( 3 * (size_t)fill->rows[border[q]] + c ) * rows;
            for ( int32_t p = q; p < below->borderCount; ++p )
            {
                const double* values = rest + from * height + 3 * (size_t)p;
                double* target = column + 3 * (size_t)fill->rows[border[p]];
                for ( size_t r = p == q ? c : 0; r < 3; ++r )
                {
                    target[r] += values[r];
                }
            }
        }
    }
    supFree( fill->allocator, fill->rests[child].values, fill->rests[child].size );
    fill->rests[child].values = NULL;
}

/// Keeps the pivots' columns, and the rest for the parent.
static supResult supKeepFront( supFill* fill, int32_t f, size_t rows, size_t pivots )
{
    supFront* front = fill->factor->fronts + f;
    memcpy( fill->factor->values + front->at, fill->front, sizeof( double ) * rows * pivots );
    size_t height = rows - pivots;
    supRest* rest = fill->rests + f;
    if ( height == 0 )
    {
        return sup_success;
    }
    rest->size = sizeof( double ) * height * height;
    rest->values = supAlloc( fill->allocator, rest->size, SUP_MAX_ALIGNMENT );
    if ( rest->values == NULL )
    {
        return sup_errorMemory;
    }
    for ( size_t c = 0; c < height; ++c )
    {
        const double* column = fill->front + ( pivots + c ) * rows + pivots;
        memcpy( rest->values + c * height + c, column + c, sizeof( double ) * ( height - c ) );
    }
    return sup_success;
}

static supResult supFillFront( supFill* fill, int32_t f )
{
    supFront* front = fill->factor->fronts + f;
    size_t rows = 3 * (size_t)( front->count + front->borderCount ), pivots = 3 * (size_t)front->count;
    memset( fill->front, 0, sizeof( double ) * rows * rows );
    for ( int32_t i = 0; i < front->count; ++i )
    {
        fill->rows[front->first + i] = i;
    }
    for ( int32_t i = 0; i < front->borderCount; ++i )
    {
        fill->rows[fill->factor->borders[front->border + i]] = front->count + i;
    }
    supGatherMatrix( fill, front, rows );
    for ( int32_t child = 0; child < f; ++child )
    {
        if ( fill->factor->fronts[child].parent == f )
        {
            supGatherChild( fill, child, rows );
        }
    }
    return supEliminateFront( fill, rows, pivots ) ? supKeepFront( fill, f, rows, pivots ) : sup_errorData;
}

static supFrontFunction* supChooseSubtract( void )
{
#if SUP_TARGET_X86
    if ( supHasSimd( sup_simdAvx2 ) )
    {
        return supSubtractTilesAvx2;
    }
#endif
    return supSubtractTilesPlain;
}

double supBlockFactor_Bytes( const supBlockFactor* factor )
{
    return (double)sizeof( double ) * (double)factor->valueCount;
}

/// About as many products as eliminating a front's pivots takes.
static double supFrontWork( const supFront* front )
{
    double rows = (double)( front->count + front->borderCount );
    return rows * rows * (double)front->count;
}

static supResult supFillFronts( supFill* fill, supWatched* watched )
{
    const supBlockFactor* factor = fill->factor;
    double all = 0.0, done = 0.0;
    for ( int32_t f = 0; f < factor->frontCount; ++f )
    {
        all += supFrontWork( factor->fronts + f );
    }
    supResult result = sup_success;
    for ( int32_t f = 0; f < factor->frontCount && result == sup_success; ++f )
    {
        bool goes = supWatched_Tell( watched, NULL, done / all );
        result = goes ? supFillFront( fill, f ) : sup_errorCanceled;
        done += supFrontWork( factor->fronts + f );
    }
    return result;
}

supResult supBlockFactor_Fill(
    supBlockFactor* factor, const supBlockMatrix* a, supWatched* watched, const supAllocator* allocator )
{
    size_t widest = 3 * (size_t)factor->widest, square;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, int32_t, places, factor->count + 1 );
    SUP_PUT_NEW( &layout, int32_t, rows, factor->count + 1 );
    SUP_PUT_NEW( &layout, supRest, rests, factor->frontCount + 1 );
    layout.tooLarge = layout.tooLarge || !supMulSize( widest, widest, &square );
    SUP_PUT_NEW_WIDE( &layout, double, front, layout.tooLarge ? 1 : square + 1 );
    SUP_PUT_NEW_WIDE( &layout, double, strips, supBlockColumns* supStripRows + supBlockColumns * supPanel );
    layout.tooLarge = layout.tooLarge || (uint64_t)factor->valueCount > SIZE_MAX / sizeof( double );
    char* block = supAllocLayout( allocator, &layout );
    if ( block != NULL && factor->values == NULL )
    {
        factor->valueSize = sizeof( double ) * (size_t)factor->valueCount;
        factor->values = supAlloc( allocator, factor->valueSize, SUP_MAX_ALIGNMENT );
    }
    if ( block == NULL || ( factor->values == NULL && factor->valueSize > 0 ) )
    {
        supFree( allocator, block, layout.size );
        return sup_errorMemory;
    }
    supFill fill = { factor, a, places, rows, front, rests, allocator, supChooseSubtract(), strips };
    for ( int32_t i = 0; i < factor->count; ++i )
    {
        places[factor->order[i]] = i;
    }
    supResult result = supFillFronts( &fill, watched );
    for ( int32_t f = 0; f < factor->frontCount; ++f )
    {
        supFree( allocator, fill.rests[f].values, fill.rests[f].size );
    }
    supFree( allocator, block, layout.size );
    return result;
}

supResult supBlockFactor_Sweep( supBlockFactor* factor, const supBlockMatrix* a, const supAllocator* allocator )
{
    size_t numbers;
    bool fits = supMulSize( 9 * sizeof( double ), (size_t)a->count + 1, &numbers );
    factor->inverses = fits ? supAlloc( allocator, numbers, SUP_MAX_ALIGNMENT ) : NULL;
    if ( factor->inverses == NULL )
    {
        return sup_errorMemory;
    }
    factor->inverseSize = numbers;
    factor->swept = a;
    return supInvertDiagonal( a, factor->inverses ) ? sup_success : sup_errorData;
}

void supDestroyBlockFactor( supBlockFactor* factor, const supAllocator* allocator )
{
    if ( factor != NULL )
    {
        supFree( allocator, factor->values, factor->valueSize );
        supFree( allocator, factor->inverses, factor->inverseSize );
        supFree( allocator, factor, factor->blockSize );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Systems solved by a factor, eight right-hand sides at once.

enum
{
    supWidth = SUP_FACTOR_COLUMNS,
    supPairs = supWidth / 2 ///< two of the eight: as much as every processor has in one instruction
};

/// Into the factor's order, and back.
static void supPermute( const supBlockFactor* factor, double* x, double* ordered, bool back )
{
    for ( int32_t i = 0; i < factor->count; ++i )
    {
        double *own = ordered + 3 * supWidth * (size_t)i, *other = x + 3 * supWidth * (size_t)factor->order[i];
        memcpy( back ? other : own, back ? own : other, sizeof( double ) * 3 * supWidth );
    }
}

/// row -= factor * other, all eight.
static inline void supSubtractRow( double* row, double factor, const double* other )
{
    for ( int c = 0; c < supPairs; ++c )
    {
        supTakeTwo( (supTwo*)row + c, factor, (const supTwo*)other + c );
    }
}

static void supScaleRow( double* row, double scale )
{
    for ( int c = 0; c < supWidth; ++c )
    {
        row[c] *= scale;
    }
}

/// row -= the products of three pivots, one after the other: as three times supSubtractRow, but read and written once.
static inline void supSubtractThree( double* row, const double factors[3], const double* pivots )
{
    for ( int c = 0; c < supPairs; ++c )
    {
        supTwo value = ( (const supTwo*)row )[c];
        for ( int i = 0; i < 3; ++i )
        {
            supTakeTwo( &value, factors[i], (const supTwo*)( pivots + supWidth * i ) + c );
        }
        ( (supTwo*)row )[c] = value;
    }
}

/// Rows of a front: its pivots stand together, those of its border all over the place.
static double* supFrontRow( const supBlockFactor* factor, const supFront* front, double* ordered, int32_t node )
{
    int32_t place = node < front->count ? front->first + node : factor->borders[front->border + node - front->count];
    return ordered + 3 * supWidth * (size_t)place;
}

/// A node's three pivots among themselves, then all three off every row below.
static void supForward( const supBlockFactor* factor, const supFront* front, double* ordered )
{
    int32_t nodes = front->count + front->borderCount;
    size_t rows = 3 * (size_t)nodes;
    for ( int32_t i = 0; i < front->count; ++i )
    {
        const double* columns = factor->values + front->at + 3 * (size_t)i * rows;
        double* own = ordered + 3 * supWidth * (size_t)( front->first + i );
        for ( size_t j = 0; j < 3; ++j )
        {
            const double* column = columns + j * rows + 3 * (size_t)i;
            supScaleRow( own + supWidth * j, 1.0 / column[j] );
            for ( size_t r = j + 1; r < 3; ++r )
            {
                supSubtractRow( own + supWidth * r, column[r], own + supWidth * j );
            }
        }
        for ( int32_t node = i + 1; node < nodes; ++node )
        {
            double* row = supFrontRow( factor, front, ordered, node );
            for ( size_t d = 0; d < 3; ++d )
            {
                size_t at = 3 * (size_t)node + d;
                const double factors[3] = { columns[at], columns[rows + at], columns[2 * rows + at] };
                supSubtractThree( row + supWidth * d, factors, own );
            }
        }
    }
}

static void supBackward( const supBlockFactor* factor, const supFront* front, double* ordered )
{
    int32_t nodes = front->count + front->borderCount;
    size_t rows = 3 * (size_t)nodes;
    for ( int32_t j = 3 * front->count - 1; j >= 0; --j )
    {
        const double* column = factor->values + front->at + (size_t)j * rows;
        double* own = ordered + supWidth * ( 3 * (size_t)front->first + (size_t)j );
        supTwo sum[supPairs]; // in registers until it is done
        memcpy( sum, own, sizeof( sum ) );
        for ( int32_t r = j + 1; r % 3 != 0; ++r )
        {
            supSubtractRow( (double*)sum, column[r], own + supWidth * (size_t)( r - j ) );
        }
        for ( int32_t node = j / 3 + 1; node < nodes; ++node )
        {
            const double* row = supFrontRow( factor, front, ordered, node );
            for ( int32_t d = 0; d < 3; ++d )
            {
                for ( int c = 0; c < supPairs; ++c )
                {
                    supTakeTwo( sum + c, column[3 * node + d], (const supTwo*)( row + supWidth * d ) + c );
                }
            }
        }
        memcpy( own, sum, sizeof( sum ) );
        supScaleRow( own, 1.0 / column[j] );
    }
}

size_t supBlockFactor_ScratchCount( const supBlockFactor* factor )
{
    // a solve's own, and eight columns for SolveOne
    size_t own =
        factor->swept != NULL ? supBlockSweeps_ScratchCount( factor->count ) : 3 * supWidth * (size_t)factor->count;
    return own + 3 * supWidth * (size_t)factor->count;
}

void supBlockFactor_Solve( const supBlockFactor* factor, double* x, double* scratch )
{
    if ( factor->swept != NULL )
    {
        supBlockSweeps_Solve( factor->swept, factor->inverses, x, scratch );
        return;
    }
    supPermute( factor, x, scratch, false );
    for ( int32_t f = 0; f < factor->frontCount; ++f )
    {
        supForward( factor, factor->fronts + f, scratch );
    }
    for ( int32_t f = factor->frontCount - 1; f >= 0; --f )
    {
        supBackward( factor, factor->fronts + f, scratch );
    }
    supPermute( factor, x, scratch, true );
}

void supBlockFactor_SolveOne( const supBlockFactor* factor, double* x, double* scratch )
{
    size_t count = 3 * (size_t)factor->count;
    double* wide = scratch + ( supBlockFactor_ScratchCount( factor ) - supWidth * count );
    memset( wide, 0, sizeof( double ) * supWidth * count );
    for ( size_t i = 0; i < count; ++i )
    {
        wide[supWidth * i] = x[i];
    }
    supBlockFactor_Solve( factor, wide, scratch );
    for ( size_t i = 0; i < count; ++i )
    {
        x[i] = wide[supWidth * i];
    }
}
