// Skinning by blocks, for one path of the wide float: linear blends, with the flesh's offsets in the same pass.
// SPDX-License-Identifier: MIT
//
// Positions alone: sum_j w_j (M_j p), four multiply-adds a row, a joint and a wide float; each number of a matrix is
// broadcast once for two wide floats: 6 for the rest positions, 6 for the sums, 3 for what passes by, and the weight
// comes from memory, which is what 16 registers hold. With normals the matrix is blended first, since position and
// normal both need it.
//
// Measured on the way (Zen 3, 5,554 vertices, nanoseconds a vertex): positions with both rows of a matrix alive at once
// spill a sum and cost 1.57; blocks in the order of their joint sets instead of by their number of joints cost a
// mispredicted branch each, 0.3; z written by extractps, which gcc makes of a shuffle and a store, costs 0.4 more than
// the overlapping pairs (x, y) and (y, z). With normals: skin_kernel_normals.inl.
#include "base/scalar_math.h"
#include "base/wide.h"
#include "body/skin_kernel.h"

/// Wide floats that are worked on at once.
#if SUP_PARTS >= 2
#    define SUP_GROUP 2
#else
#    define SUP_GROUP 1
#endif

typedef struct supVecW
{
    supW x, y, z;
} supVecW;

// ---------------------------------------------------------------------------------------------------------------
// Writing

/// How results are written; a constant wherever it is used, so that each way gets loops of its own.
typedef enum supWriteForm
{
    sup_writeFileOrder, ///< tight, in the file's order
    sup_writeOurOrder,  ///< tight, block after block
    sup_writeStrided,   ///< either, with any stride
} supWriteForm;

static void supWriteStrided(
    const supSkinBlockJob* job, const supSkinBlock* block, supOutStream stream, int32_t index, int lane, supVecW v )
{
    float lanes[3][SUP_WIDTH];
    supStoreW( lanes[0], v.x );
    supStoreW( lanes[1], v.y );
    supStoreW( lanes[2], v.z );
    for ( int i = 0; i < SUP_WIDTH; ++i )
    {
        const float item[3] = { lanes[0][i], lanes[1][i], lanes[2][i] };
        int32_t vertex = job->ordered ? index * SUP_BLOCK + lane + i : block->offsets[lane + i] / 3;
        memcpy( (char*)stream.data + (size_t)stream.stride * (size_t)vertex, item, sizeof( item ) );
    }
}

/// Writes SUP_WIDTH vectors that belong to the lanes from `lane` on. A short block repeats its last vertex: written
/// again, with the same value.
SUP_ALWAYS void supWriteLanes( const supSkinBlockJob* job, const supSkinBlock* block, supOutStream stream,
    supWriteForm mode, int32_t index, int lane, supVecW v )
{
    if ( mode == sup_writeOurOrder )
    {
        supStore3W( (float*)stream.data + 3 * ( (size_t)index * SUP_BLOCK + (size_t)lane ), v.x, v.y, v.z );
    }
    else if ( mode == sup_writeFileOrder )
    {
        supScatter3W( stream.data, block->offsets + lane, v.x, v.y, v.z );
    }
    else
    {
        supWriteStrided( job, block, stream, index, lane, v );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Positions

/// One row of M_j p for all groups, weighted and added to `sum`.
SUP_ALWAYS void supAddRow( const float* m, const supW p[3 * SUP_GROUP], const float* weights, supW* sum, int row )
{
    supW r[SUP_GROUP], number = supSplatW( m[9 + row] );
    for ( int g = 0; g < SUP_GROUP; ++g )
    {
        r[g] = number;
    }
    for ( int c = 0; c < 3; ++c )
    {
        number = supSplatW( m[3 * c + row] );
        for ( int g = 0; g < SUP_GROUP; ++g )
        {
            r[g] = supFmaW( number, p[3 * g + c], r[g] );
        }
    }
    for ( int g = 0; g < SUP_GROUP; ++g )
    {
        sum[3 * g + row] = supFmaW( supLoadW( weights + g * SUP_WIDTH ), r[g], sum[3 * g + row] );
    }
}

/// P = P1 + alpha2 u. An element at rest is passed over: the smooth skin stays what it was, bit for bit.
SUP_ALWAYS void supAddOffsets(
    const supSkinBlockJob* job, const supSkinBlock* block, const float* data, int lane, supW sum[3 * SUP_GROUP] )
{
    const int32_t* elements = job->blocks->elements + block->firstElement;
    const float* weights = data + ( 3 + block->jointCount ) * SUP_BLOCK + lane;
    for ( int32_t e = 0; e < block->elementCount; ++e, weights += SUP_BLOCK )
    {
        const float* u = &job->shown[elements[e]].x;
        if ( u[0] == 0.0f && u[1] == 0.0f && u[2] == 0.0f )
        {
            continue;
        }
        for ( int g = 0; g < SUP_GROUP; ++g )
        {
            supW alpha = supLoadW( weights + g * SUP_WIDTH );
            sum[3 * g] = supFmaW( alpha, supSplatW( u[0] ), sum[3 * g] );
            sum[3 * g + 1] = supFmaW( alpha, supSplatW( u[1] ), sum[3 * g + 1] );
            sum[3 * g + 2] = supFmaW( alpha, supSplatW( u[2] ), sum[3 * g + 2] );
        }
    }
}

SUP_ALWAYS void supPlaceBlock( const supSkinBlockJob* job, int32_t index, bool living, supWriteForm mode )
{
    const supSkinBlock* block = job->blocks->blocks + index;
    const float* data = job->blocks->data + block->firstData;
    const float* places = job->morphedPlaces != NULL ? job->morphedPlaces : data;
    const int32_t* joints = job->blocks->joints + block->firstJoint;
    for ( int lane = 0; lane < SUP_BLOCK; lane += SUP_GROUP * SUP_WIDTH )
    {
        supW p[3 * SUP_GROUP], sum[3 * SUP_GROUP];
        for ( int i = 0; i < 3 * SUP_GROUP; ++i )
        {
            p[i] = supLoadW( places + ( i % 3 ) * SUP_BLOCK + lane + ( i / 3 ) * SUP_WIDTH );
            sum[i] = supZeroW();
        }
        const float* weights = data + 3 * SUP_BLOCK + lane;
        for ( int32_t j = 0; j < block->jointCount; ++j, weights += SUP_BLOCK )
        {
            const float* m = &job->palette[joints[j]].x.x;
            supAddRow( m, p, weights, sum, 0 );
            supAddRow( m, p, weights, sum, 1 );
            supAddRow( m, p, weights, sum, 2 );
        }
        if ( living && block->elementCount > 0 )
        {
            supAddOffsets( job, block, data, lane, sum );
        }
        for ( int g = 0; g < SUP_GROUP; ++g )
        {
            supWriteLanes( job, block, job->positions, mode, index, lane + g * SUP_WIDTH,
                ( supVecW ){ sum[3 * g], sum[3 * g + 1], sum[3 * g + 2] } );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes that no cache holds

/// How many blocks ahead what is read is asked for: the processor's own look ahead ends with each page, every dozen of
/// blocks. And how many ahead the lines that are written in the file's order, which are many, and leave in order.
#define SUP_AHEAD_READ 8
#define SUP_AHEAD_WRITE 4

SUP_ALWAYS void supAskForLines( const float* from, int32_t count )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        SUP_PREFETCH( from + 16 * i );
    }
}

/// Asks for what a later block reads and writes. Nothing is far where a morph hands blocks over one by one.
SUP_ALWAYS void supAskForFar( const supSkinBlockJob* job, int32_t index, supWriteForm mode, bool normals )
{
    if ( !job->isFar || index + 2 * SUP_AHEAD_READ >= job->end )
    {
        return;
    }
    const supSkinBlock* block = job->blocks->blocks + index + SUP_AHEAD_READ;
    SUP_PREFETCH( block + SUP_AHEAD_READ );
    SUP_PREFETCH( (const char*)( block + SUP_AHEAD_READ ) + 64 );
    supAskForLines( job->blocks->data + block->firstData, 3 + block->jointCount );
    if ( normals )
    {
        supAskForLines( job->blocks->directions + block->firstDirection, 3 );
    }
    if ( mode == sup_writeFileOrder )
    {
        const int32_t* offsets = job->blocks->blocks[index + SUP_AHEAD_WRITE].offsets;
        // twice as many stores wait where there are normals: their lines are asked for one by one
        for ( int lane = 0; lane < SUP_BLOCK; lane += normals ? 1 : 2 )
        {
            SUP_PREFETCH( (const float*)job->positions.data + offsets[lane] );
            if ( normals )
            {
                SUP_PREFETCH( (const float*)job->normals.data + offsets[lane] );
            }
        }
    }
}

#include "body/skin_kernel_normals.inl"

SUP_ALWAYS supWriteForm supChooseMode( const supSkinBlockJob* job )
{
    bool tight = job->positions.stride == 12 && ( job->normals.data == NULL || job->normals.stride == 12 );
    supWriteForm mode = job->ordered ? sup_writeOurOrder : sup_writeFileOrder;
    return tight ? mode : sup_writeStrided;
}

#include "body/skin_kernel_dual.inl"

SUP_ALWAYS void supRunBlocks( const supSkinBlockJob* job, bool living, supWriteForm mode )
{
    // blocks of a job are of one mesh, which has normals or has none
    if ( job->normals.data != NULL && job->first < job->end && job->blocks->blocks[job->first].hasNormals )
    {
        supSkinNormals( job, living, mode );
        return;
    }
    for ( int32_t index = job->first; index < job->end; ++index )
    {
        supAskForFar( job, index, mode, false );
        supPlaceBlock( job, index, living, mode );
    }
}

static void supRunDualBlocks( const supSkinBlockJob* job )
{
    switch ( supChooseMode( job ) )
    {
        case sup_writeOurOrder:
            supRunDuals( job, sup_writeOurOrder );
            break;
        case sup_writeFileOrder:
            supRunDuals( job, sup_writeFileOrder );
            break;
        default:
            supRunDuals( job, sup_writeStrided );
            break;
    }
}

static void supRunSmoothBlocks( const supSkinBlockJob* job )
{
    switch ( supChooseMode( job ) )
    {
        case sup_writeOurOrder:
            supRunBlocks( job, false, sup_writeOurOrder );
            break;
        case sup_writeFileOrder:
            supRunBlocks( job, false, sup_writeFileOrder );
            break;
        default:
            supRunBlocks( job, false, sup_writeStrided );
            break;
    }
}

static void supRunLivingBlocks( const supSkinBlockJob* job )
{
    switch ( supChooseMode( job ) )
    {
        case sup_writeOurOrder:
            supRunBlocks( job, true, sup_writeOurOrder );
            break;
        case sup_writeFileOrder:
            supRunBlocks( job, true, sup_writeFileOrder );
            break;
        default:
            supRunBlocks( job, true, sup_writeStrided );
            break;
    }
}

void SUP_WIDE( supSkinBlocks )( const supSkinBlockJob* job )
{
    if ( job->duals != NULL )
    {
        supRunDualBlocks( job );
    }
    else if ( job->living )
    {
        supRunLivingBlocks( job );
    }
    else
    {
        supRunSmoothBlocks( job );
    }
}
