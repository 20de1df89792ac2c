// Skinning by blocks: dual quaternions. Included by skin_kernel.inl.
// SPDX-License-Identifier: MIT
//
// Kavan, Collins, Zara, O'Sullivan, "Geometric skinning with approximate dual quaternion blending", 2008. q and -q are
// the same rotation but not in a sum: each is taken on the side of the vertex's heaviest joint. In a block whose joints
// all lie on one side of each other that is the same side for every vertex, so the signs are put into the quaternions;
// only where they do not, which takes a bend of more than 180 degrees between two joints of a block, each vertex gets
// weights with signs of its own.

enum
{
    supMostBlockJoints = SUP_BLOCK * SUP_MAX_INFLUENCES,
};

/// A block's joints, with their signs.
typedef struct supDualBlock
{
    float numbers[supMostBlockJoints][8]; ///< real x y z w, dual x y z w
    const float* weights;                 ///< the block's own, or those below
    float signedWeights[supMostBlockJoints * SUP_BLOCK];
    bool stretched;
} supDualBlock;

static inline float supDotFour( const float* a, const float* b )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/// Each vertex by itself: the sign of every joint against its heaviest one.
static void supSignWeights( const supSkinBlockJob* job, const supSkinBlock* block, int32_t index, supDualBlock* out )
{
    const float* weights = job->blocks->data + block->firstData + 3 * SUP_BLOCK;
    const uint8_t* pivots = job->blocks->pivots + (size_t)index * SUP_BLOCK;
    for ( int32_t j = 0; j < block->jointCount; ++j )
    {
        for ( int lane = 0; lane < SUP_BLOCK; ++lane )
        {
            bool across = supDotFour( out->numbers[pivots[lane]], out->numbers[j] ) < 0.0f;
            float weight = weights[j * SUP_BLOCK + lane];
            out->signedWeights[j * SUP_BLOCK + lane] = across ? -weight : weight;
        }
    }
    out->weights = out->signedWeights;
}

static void supReadDualBlock( const supSkinBlockJob* job, const supSkinBlock* block, int32_t index, supDualBlock* out )
{
    const int32_t* joints = job->blocks->joints + block->firstJoint;
    out->weights = job->blocks->data + block->firstData + 3 * SUP_BLOCK;
    out->stretched = false;
    for ( int32_t j = 0; j < block->jointCount; ++j )
    {
        const supDualJoint* joint = job->duals + joints[j];
        float sign = supDotFour( job->duals[joints[0]].real, joint->real ) < 0.0f ? -1.0f : 1.0f;
        for ( int i = 0; i < 4; ++i )
        {
            out->numbers[j][i] = sign * joint->real[i];
            out->numbers[j][4 + i] = sign * joint->dual[i];
        }
        out->stretched = out->stretched || joint->stretched;
    }
    for ( int32_t j = 1; j < block->jointCount; ++j )
    {
        for ( int32_t i = 1; i < j; ++i )
        {
            if ( supDotFour( out->numbers[i], out->numbers[j] ) < 0.0f )
            {
                supSignWeights( job, block, index, out );
                return;
            }
        }
    }
}

/// A sum of dual quaternions r w + e (d dw), not of unit length.
typedef struct supDualW
{
    supVecW r, d;
    supW w, dw;
} supDualW;

SUP_ALWAYS supDualW supSumDuals( const supDualBlock* duals, int32_t count, int lane )
{
    supW zero = supZeroW();
    supDualW sum = { { zero, zero, zero }, { zero, zero, zero }, zero, zero };
    const float* weights = duals->weights + lane;
    for ( int32_t j = 0; j < count; ++j, weights += SUP_BLOCK )
    {
        const float* q = duals->numbers[j];
        supW weight = supLoadW( weights );
        sum.r.x = supFmaW( weight, supSplatW( q[0] ), sum.r.x );
        sum.r.y = supFmaW( weight, supSplatW( q[1] ), sum.r.y );
        sum.r.z = supFmaW( weight, supSplatW( q[2] ), sum.r.z );
        sum.w = supFmaW( weight, supSplatW( q[3] ), sum.w );
        sum.d.x = supFmaW( weight, supSplatW( q[4] ), sum.d.x );
        sum.d.y = supFmaW( weight, supSplatW( q[5] ), sum.d.y );
        sum.d.z = supFmaW( weight, supSplatW( q[6] ), sum.d.z );
        sum.dw = supFmaW( weight, supSplatW( q[7] ), sum.dw );
    }
    return sum;
}

/// 2 / |real|^2
SUP_ALWAYS supW supDualScale( const supDualW* q )
{
    supW squared = supFmaW( q->w, q->w, supDotW( q->r, q->r ) );
    return supDivW( supSplatW( 2.0f ), supMaxW( squared, supSplatW( 1e-30f ) ) );
}

/// a s + b, each component
SUP_ALWAYS supVecW supMulAddVecW( supVecW a, supW s, supVecW b )
{
    return ( supVecW ){ supFmaW( a.x, s, b.x ), supFmaW( a.y, s, b.y ), supFmaW( a.z, s, b.z ) };
}

SUP_ALWAYS supVecW supScaleVecW( supVecW a, supW s )
{
    return ( supVecW ){ supMulW( a.x, s ), supMulW( a.y, s ), supMulW( a.z, s ) };
}

SUP_ALWAYS supVecW supAddVecW( supVecW a, supVecW b )
{
    return ( supVecW ){ supAddW( a.x, b.x ), supAddW( a.y, b.y ), supAddW( a.z, b.z ) };
}

/// p + scale ( r x ( r x p + w p + d ) + w d - dw r ): turned and moved
SUP_ALWAYS supVecW supMoveByDual( const supDualW* q, supW scale, supVecW p )
{
    supVecW inner = supAddVecW( supMulAddVecW( p, q->w, q->d ), supCrossW( q->r, p ) );
    supVecW outer = supMulAddVecW( q->d, q->w, supCrossW( q->r, inner ) );
    outer = supMulAddVecW( q->r, supNegW( q->dw ), outer );
    return supMulAddVecW( outer, scale, p );
}

/// n + scale r x ( r x n + w n ): turned
SUP_ALWAYS supVecW supTurnByDual( const supDualW* q, supW scale, supVecW n )
{
    supVecW inner = supMulAddVecW( n, q->w, supCrossW( q->r, n ) );
    return supMulAddVecW( supCrossW( q->r, inner ), scale, n );
}

/// m <- m S, with S the joints' stretches, blended linearly
static void supStretchW( const supSkinBlockJob* job, const supSkinBlock* block, int lane, supMatW* m )
{
    const float* weights = job->blocks->data + block->firstData + 3 * SUP_BLOCK + lane;
    const int32_t* joints = job->blocks->joints + block->firstJoint;
    supW s[9];
    for ( int i = 0; i < 9; ++i )
    {
        s[i] = supZeroW();
    }
    for ( int32_t j = 0; j < block->jointCount; ++j, weights += SUP_BLOCK )
    {
        const float* from = job->duals[joints[j]].stretch;
        supW weight = supLoadW( weights );
        for ( int i = 0; i < 9; ++i )
        {
            s[i] = supFmaW( weight, supSplatW( from[i] ), s[i] );
        }
    }
    supVecW* rows[3] = { &m->a, &m->b, &m->c };
    for ( int i = 0; i < 3; ++i )
    {
        supVecW r = *rows[i];
        rows[i]->x = supDotW( r, ( supVecW ){ s[0], s[1], s[2] } );
        rows[i]->y = supDotW( r, ( supVecW ){ s[3], s[4], s[5] } );
        rows[i]->z = supDotW( r, ( supVecW ){ s[6], s[7], s[8] } );
    }
}

/// The whole map as a matrix, for what needs one: stretch, or the flesh's gradients.
static void supDualMatrix(
    const supSkinBlockJob* job, const supSkinBlock* block, const supDualBlock* duals, int lane, supMatW* out )
{
    supDualW q = supSumDuals( duals, block->jointCount, lane );
    supW scale = supDualScale( &q ), one = supSplatW( 1.0f );
    supVecW s = supScaleVecW( q.r, scale );
    supW xx = supMulW( q.r.x, s.x ), yy = supMulW( q.r.y, s.y ), zz = supMulW( q.r.z, s.z );
    supW xy = supMulW( q.r.x, s.y ), yz = supMulW( q.r.y, s.z ), zx = supMulW( q.r.z, s.x );
    supW wx = supMulW( q.w, s.x ), wy = supMulW( q.w, s.y ), wz = supMulW( q.w, s.z );
    out->a = ( supVecW ){ supSubW( one, supAddW( yy, zz ) ), supSubW( xy, wz ), supAddW( zx, wy ) };
    out->b = ( supVecW ){ supAddW( xy, wz ), supSubW( one, supAddW( xx, zz ) ), supSubW( yz, wx ) };
    out->c = ( supVecW ){ supSubW( zx, wy ), supAddW( yz, wx ), supSubW( one, supAddW( xx, yy ) ) };
    supVecW t = supMulAddVecW( q.d, q.w, supCrossW( q.r, q.d ) );
    out->t = supScaleVecW( supMulAddVecW( q.r, supNegW( q.dw ), t ), scale );
    if ( duals->stretched )
    {
        supStretchW( job, block, lane, out );
    }
}

/// By matrices: a block that is stretched, or has flesh that turns its normals.
static void supSkinDualBlockWhole( const supSkinBlockJob* job, const supSkinBlock* block, int32_t index,
    const supDualBlock* duals, bool fleshy, bool normals )
{
    supWriteForm mode = supChooseMode( job );
    const supBlockView view = supViewBlock( job, block );
    for ( int lane = 0; lane < SUP_BLOCK; lane += SUP_WIDTH )
    {
        supMatW m;
        supVecW place;
        supDualMatrix( job, block, duals, lane, &m );
        supMaskW mirrors = supFinishPart( job, block, &view, lane, fleshy, &m, &place );
        supWriteLanes( job, block, job->positions, mode, index, lane, place );
        if ( normals )
        {
            supVecW n = supRawNormal( &m, supLoadVecW( view.normals + lane ), mirrors );
            supWriteLanes( job, block, job->normals, mode, index, lane, supUnitW( job, block, lane, n ) );
        }
    }
}

/// Whether any element moves this block: those at rest must not change the way it is computed.
static bool supIsFleshy( const supSkinBlockJob* job, const supSkinBlock* block )
{
    bool moves = false;
    for ( int32_t e = 0; e < block->elementCount; ++e )
    {
        supVec3 u = job->shown[job->blocks->elements[block->firstElement + e]];
        moves = moves || u.x != 0.0f || u.y != 0.0f || u.z != 0.0f;
    }
    return moves;
}

SUP_ALWAYS void supSkinDualBlock(
    const supSkinBlockJob* job, const supSkinBlock* block, int32_t index, bool normals, supWriteForm mode )
{
    supDualBlock duals;
    supReadDualBlock( job, block, index, &duals );
    bool fleshy = job->living && supIsFleshy( job, block );
    if ( duals.stretched || ( fleshy && normals ) )
    {
        supSkinDualBlockWhole( job, block, index, &duals, fleshy, normals );
        return;
    }
    const supBlockView view = supViewBlock( job, block );
    const float* alphas = view.weights + block->jointCount * SUP_BLOCK;
    for ( int lane = 0; lane < SUP_BLOCK; lane += SUP_WIDTH )
    {
        supDualW q = supSumDuals( &duals, block->jointCount, lane );
        supW scale = supDualScale( &q );
        supVecW place = supMoveByDual( &q, scale, supLoadVecW( view.places + lane ) );
        if ( fleshy )
        {
            supAddFlesh( job, block, alphas + lane, view.gradients + lane, NULL, &place );
        }
        supWriteLanes( job, block, job->positions, mode, index, lane, place );
        if ( normals )
        {
            supVecW n = supTurnByDual( &q, scale, supLoadVecW( view.normals + lane ) );
            supWriteLanes( job, block, job->normals, mode, index, lane, supUnitW( job, block, lane, n ) );
        }
    }
}

SUP_ALWAYS void supRunDuals( const supSkinBlockJob* job, supWriteForm mode )
{
    for ( int32_t index = job->first; index < job->end; ++index )
    {
        const supSkinBlock* block = job->blocks->blocks + index;
        if ( job->normals.data != NULL && block->hasNormals )
        {
            supSkinDualBlock( job, block, index, true, mode );
        }
        else
        {
            supSkinDualBlock( job, block, index, false, mode );
        }
    }
}
