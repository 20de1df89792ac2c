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
// the overlapping pairs (x, y) and (y, z). With normals, two wide floats side by side spill matrices and cost 3.80; one
// after the other 3.66; with lengths in a loop of their own 3.46, for batches of 4 to 16 blocks alike. The stores alone
// are 1.25 of that: two of eight bytes a vector, one a cycle.
#include "base/wide.h"
#include "body/skin_kernel.h"

/// Wide floats that are worked on at once.
#if SUP_PARTS >= 2
#    define SUP_GROUP 2
#else
#    define SUP_GROUP 1
#endif

/// Blocks whose normals wait for their lengths at once.
#define SUP_BATCH 8

typedef struct supVecW
{
    supW x, y, z;
} supVecW;

// ---------------------------------------------------------------------------------------------------------------
// Writing

/// How results are written; a constant wherever it is used, so that each way gets loops of its own.
typedef enum supWriteMode
{
    sup_writeFileOrder, ///< tight, in the file's order
    sup_writeOurOrder,  ///< tight, block after block
    sup_writeStrided,   ///< either, with any stride
} supWriteMode;

static void supWriteStrided(
    const supBlockJob* job, const supSkinBlock* block, supOutStream stream, int32_t index, int lane, supVecW v )
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
SUP_ALWAYS void supWriteLanes( const supBlockJob* job, const supSkinBlock* block, supOutStream stream,
    supWriteMode mode, int32_t index, int lane, supVecW v )
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
    const supBlockJob* job, const supSkinBlock* block, const float* data, int lane, supW sum[3 * SUP_GROUP] )
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

SUP_ALWAYS void supPlaceBlock( const supBlockJob* job, int32_t index, bool living, supWriteMode mode )
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
// With normals

SUP_ALWAYS supVecW supLoadVecW( const float* rows )
{
    return ( supVecW ){ supLoadW( rows ), supLoadW( rows + SUP_BLOCK ), supLoadW( rows + 2 * SUP_BLOCK ) };
}

SUP_ALWAYS supVecW supCrossW( supVecW a, supVecW b )
{
    return ( supVecW ){ supFmsW( a.y, b.z, supMulW( a.z, b.y ) ), supFmsW( a.z, b.x, supMulW( a.x, b.z ) ),
        supFmsW( a.x, b.y, supMulW( a.y, b.x ) ) };
}

SUP_ALWAYS supW supDotW( supVecW a, supVecW b )
{
    return supFmaW( a.z, b.z, supFmaW( a.y, b.y, supMulW( a.x, b.x ) ) );
}

/// To unit length. Where a square has left the range of float: by the largest component first; `otherwise`, which has
/// unit length or none, where there is no direction at all.
SUP_ALWAYS supVecW supUnitW( supVecW n, supVecW otherwise )
{
    supW squared = supDotW( n, n );
    supMaskW good = supAndW( supLessW( supSplatW( 1e-30f ), squared ), supLessW( squared, supSplatW( 1e30f ) ) );
    if ( !supAllW( good ) )
    {
        supW most = supMaxW( supMaxW( supAbsW( n.x ), supAbsW( n.y ) ), supAbsW( n.z ) );
        supMaskW some = supAndW( supLessW( supZeroW(), most ), supLessW( most, supSplatW( 3e38f ) ) );
        supW scale = supDivW( supSplatW( 1.0f ), supBlendW( some, most, supSplatW( 1.0f ) ) );
        n.x = supBlendW( some, supMulW( n.x, scale ), otherwise.x );
        n.y = supBlendW( some, supMulW( n.y, scale ), otherwise.y );
        n.z = supBlendW( some, supMulW( n.z, scale ), otherwise.z );
        squared = supMaxW( supDotW( n, n ), supSplatW( 1e-30f ) );
    }
    supW scale = supInverseSqrtW( squared );
    return ( supVecW ){ supMulW( n.x, scale ), supMulW( n.y, scale ), supMulW( n.z, scale ) };
}

/// The blended matrix, by rows: a.x a.y a.z t.x is its first one.
typedef struct supMatW
{
    supVecW a, b, c, t;
} supMatW;

SUP_ALWAYS supMatW supBlendW34( const supBlockJob* job, const supSkinBlock* block, const float* weights )
{
    supW zero = supZeroW();
    supMatW m = { { zero, zero, zero }, { zero, zero, zero }, { zero, zero, zero }, { zero, zero, zero } };
    const int32_t* joints = job->blocks->joints + block->firstJoint;
    for ( int32_t j = 0; j < block->jointCount; ++j, weights += SUP_BLOCK )
    {
        const float* from = &job->palette[joints[j]].x.x;
        supW w = supLoadW( weights );
        m.a.x = supFmaW( w, supSplatW( from[0] ), m.a.x );
        m.b.x = supFmaW( w, supSplatW( from[1] ), m.b.x );
        m.c.x = supFmaW( w, supSplatW( from[2] ), m.c.x );
        m.a.y = supFmaW( w, supSplatW( from[3] ), m.a.y );
        m.b.y = supFmaW( w, supSplatW( from[4] ), m.b.y );
        m.c.y = supFmaW( w, supSplatW( from[5] ), m.c.y );
        m.a.z = supFmaW( w, supSplatW( from[6] ), m.a.z );
        m.b.z = supFmaW( w, supSplatW( from[7] ), m.b.z );
        m.c.z = supFmaW( w, supSplatW( from[8] ), m.c.z );
        m.t.x = supFmaW( w, supSplatW( from[9] ), m.t.x );
        m.t.y = supFmaW( w, supSplatW( from[10] ), m.t.y );
        m.t.z = supFmaW( w, supSplatW( from[11] ), m.t.z );
    }
    return m;
}

SUP_ALWAYS void supAddOffset( supW alpha, const float* u, supVecW* place )
{
    place->x = supFmaW( alpha, supSplatW( u[0] ), place->x );
    place->y = supFmaW( alpha, supSplatW( u[1] ), place->y );
    place->z = supFmaW( alpha, supSplatW( u[2] ), place->z );
}

/// row += number * gradient
SUP_ALWAYS void supAddGradient( float number, const float* gradient, supVecW* row )
{
    supW u = supSplatW( number );
    row->x = supFmaW( u, supLoadW( gradient ), row->x );
    row->y = supFmaW( u, supLoadW( gradient + SUP_BLOCK ), row->y );
    row->z = supFmaW( u, supLoadW( gradient + 2 * SUP_BLOCK ), row->z );
}

/// The flesh moves a vertex by sum_e alpha_e u_e. With g_e the gradient of alpha_e on the skin at rest, the whole map
/// has the Jacobian M + sum_e u_e g_e^T: normals go by the cofactors of that, and nothing has to be inverted. `m` NULL:
/// positions alone.
SUP_ALWAYS void supAddFlesh( const supBlockJob* job, const supSkinBlock* block, const float* weights,
    const float* gradients, supMatW* m, supVecW* place )
{
    const int32_t* elements = job->blocks->elements + block->firstElement;
    for ( int32_t e = 0; e < block->elementCount; ++e )
    {
        const float* u = &job->shown[elements[e]].x;
        if ( u[0] == 0.0f && u[1] == 0.0f && u[2] == 0.0f )
        {
            continue;
        }
        const float* gradient = gradients + e * 3 * SUP_BLOCK;
        supAddOffset( supLoadW( weights + e * SUP_BLOCK ), u, place );
        if ( m == NULL )
        {
            continue;
        }
        supAddGradient( u[0], gradient, &m->a );
        supAddGradient( u[1], gradient, &m->b );
        supAddGradient( u[2], gradient, &m->c );
    }
}

/// Positions of SUP_WIDTH vertices that `m` moves, written; then `m` is left as what turns their normals. The lanes
/// where the blended matrix mirrors.
SUP_ALWAYS supMaskW supFinishPart( const supBlockJob* job, int32_t index, const supSkinBlock* block, int lane,
    bool living, supWriteMode mode, supMatW* out )
{
    const float* data = job->blocks->data + block->firstData + lane;
    supMatW m = *out;
    supVecW p = supLoadVecW( job->morphedPlaces != NULL ? job->morphedPlaces + lane : data ), place;
    place.x = supFmaW( m.a.z, p.z, supFmaW( m.a.y, p.y, supFmaW( m.a.x, p.x, m.t.x ) ) );
    place.y = supFmaW( m.b.z, p.z, supFmaW( m.b.y, p.y, supFmaW( m.b.x, p.x, m.t.y ) ) );
    place.z = supFmaW( m.c.z, p.z, supFmaW( m.c.y, p.y, supFmaW( m.c.x, p.x, m.t.z ) ) );
    supMaskW mirrors = supLessW( supDotW( m.a, supCrossW( m.b, m.c ) ), supZeroW() );
    if ( living && block->elementCount > 0 )
    {
        const float* gradients = job->blocks->directions + block->firstDirection + 3 * SUP_BLOCK + lane;
        supAddFlesh( job, block, data + ( 3 + block->jointCount ) * SUP_BLOCK, gradients, &m, &place );
    }
    supWriteLanes( job, block, job->positions, mode, index, lane, place );
    *out = m;
    return mirrors;
}

/// With rows a, b, c the cofactors times r are r.(b x c), c.(a x r), -b.(a x r).
SUP_ALWAYS supVecW supRawNormal( const supMatW* m, supVecW rest, supMaskW mirrors )
{
    supVecW across = supCrossW( m->a, rest );
    supVecW n = { supDotW( rest, supCrossW( m->b, m->c ) ), supDotW( m->c, across ),
        supNegW( supDotW( m->b, across ) ) };
    if ( supAnyW( mirrors ) )
    {
        n.x = supBlendW( mirrors, supNegW( n.x ), n.x );
        n.y = supBlendW( mirrors, supNegW( n.y ), n.y );
        n.z = supBlendW( mirrors, supNegW( n.z ), n.z );
    }
    return n;
}

SUP_ALWAYS supVecW supTurnNormal( const supMatW* m, supVecW rest, supMaskW mirrors )
{
    return supUnitW( supRawNormal( m, rest, mirrors ), rest );
}

SUP_ALWAYS const float* supNormalsOf( const supBlockJob* job, const supSkinBlock* block )
{
    return job->morphedNormals != NULL ? job->morphedNormals : job->blocks->directions + block->firstDirection;
}

/// Positions of SUP_WIDTH vertices, and their normals but for the length.
SUP_ALWAYS void supSkinPart( const supBlockJob* job, int32_t index, const supSkinBlock* block, int lane, bool living,
    supWriteMode mode, float* raw )
{
    supMatW m = supBlendW34( job, block, job->blocks->data + block->firstData + 3 * SUP_BLOCK + lane );
    supMaskW mirrors = supFinishPart( job, index, block, lane, living, mode, &m );
    supVecW n = supRawNormal( &m, supLoadVecW( supNormalsOf( job, block ) + lane ), mirrors );
    supStoreW( raw + lane, n.x );
    supStoreW( raw + SUP_BLOCK + lane, n.y );
    supStoreW( raw + 2 * SUP_BLOCK + lane, n.z );
}

/// A few blocks with normals, from `first` on; gives the first that is left. Lengths in a loop of their own: the way
/// from weights to a unit normal is 80 cycles long, and a processor sees too few instructions ahead to fill them.
SUP_ALWAYS int32_t supSkinBatch( const supBlockJob* job, int32_t first, bool living, supWriteMode mode )
{
    float raw[SUP_BATCH][3 * SUP_BLOCK];
    const supSkinBlock* blocks = job->blocks->blocks;
    int32_t end = first;
    for ( ; end < job->end && end - first < SUP_BATCH && blocks[end].hasNormals; ++end )
    {
        for ( int lane = 0; lane < SUP_BLOCK; lane += SUP_WIDTH )
        {
            supSkinPart( job, end, blocks + end, lane, living, mode, raw[end - first] );
        }
    }
    for ( int32_t index = first; index < end; ++index )
    {
        for ( int lane = 0; lane < SUP_BLOCK; lane += SUP_WIDTH )
        {
            supVecW rest = supLoadVecW( supNormalsOf( job, blocks + index ) + lane );
            supVecW n = supUnitW( supLoadVecW( raw[index - first] + lane ), rest );
            supWriteLanes( job, blocks + index, job->normals, mode, index, lane, n );
        }
    }
    return end;
}

SUP_ALWAYS supWriteMode supChooseMode( const supBlockJob* job )
{
    bool tight = job->positions.stride == 12 && ( job->normals.data == NULL || job->normals.stride == 12 );
    supWriteMode mode = job->ordered ? sup_writeOurOrder : sup_writeFileOrder;
    return tight ? mode : sup_writeStrided;
}

#include "body/skin_kernel_dual.inl"

SUP_ALWAYS void supRunBlocks( const supBlockJob* job, bool living, supWriteMode mode )
{
    int32_t index = job->first;
    while ( index < job->end )
    {
        if ( job->normals.data != NULL && job->blocks->blocks[index].hasNormals )
        {
            index = supSkinBatch( job, index, living, mode );
        }
        else
        {
            supPlaceBlock( job, index++, living, mode );
        }
    }
}

static void supRunDualBlocks( const supBlockJob* job )
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

static void supRunSmoothBlocks( const supBlockJob* job )
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

static void supRunLivingBlocks( const supBlockJob* job )
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

void SUP_WIDE( supSkinBlocks )( const supBlockJob* job )
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
