// Skinning by blocks: positions and normals by linear blends. Included by skin_kernel.inl.
// SPDX-License-Identifier: MIT
//
// What bounds it on Zen 3 is the number of instructions: one vertex in our own order took 38 of them at 3.9 a cycle,
// where the processor ends at 4 of this mix; data from the second cache instead of the first, or twice as many
// additions side by side, change nothing. So this file saves instructions. Nanoseconds a vertex (5,554 vertices in our
// own order, living, 3.25 GHz): 3.02 with every matrix multiplied by its weight; 2.65 with the first one taken as it is
// and differences from it, and stores of whole wide floats; 2.48 with differences kept from block to block; 2.44 with
// fewer joints a block (skin_blocks.c). Tried and left: a row of the matrix at a time for 16 vertices (2.42 without the
// test for mirrors, no gain), loops for one, two and three joints (2.73), a call for each eight vertices (2.90),
// lengths in the same loop (3.02), streaming stores (0.4 slower in a crowd, where a frame writes 133 MB). In a crowd,
// with nothing in the cache that is written to, 2.80; asking for those lines beforehand, 2.68.

/// Blocks whose normals wait for their lengths at once. 1: lengths in the same loop, which suits 32 registers and
/// processors that look as far ahead as those with AVX-512 do.
#define SUP_BATCH ( SUP_WIDTH == 16 ? 1 : 8 )

/// Floats of a matrix.
#define SUP_MATRIX 12

/// How far ahead lines that will be written are asked for, in our own order. Floats: 32 blocks.
#define SUP_AHEAD ( 32 * 3 * SUP_BLOCK )

SUP_ALWAYS supVecW supLoadVecW( const float* rows )
{
    return ( supVecW ){ supLoadW( rows ), supLoadW( rows + SUP_BLOCK ), supLoadW( rows + 2 * SUP_BLOCK ) };
}

SUP_ALWAYS void supStoreVecW( float* rows, supVecW v )
{
    supStoreW( rows, v.x );
    supStoreW( rows + SUP_BLOCK, v.y );
    supStoreW( rows + 2 * SUP_BLOCK, v.z );
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

/// Where the numbers of a block stand.
typedef struct supBlockView
{
    const float *places, *normals; ///< x[16] y[16] z[16]
    const float* weights;          ///< a row of 16 for each joint, then for each element
    const float* gradients;        ///< three rows for each element
} supBlockView;

SUP_ALWAYS supBlockView supViewBlock( const supSkinBlockJob* job, const supSkinBlock* block )
{
    const float* data = job->blocks->data + block->firstData;
    const float* directions = job->blocks->directions + block->firstDirection;
    return ( supBlockView ){ .places = job->morphedPlaces != NULL ? job->morphedPlaces : data,
        .normals = job->morphedNormals != NULL ? job->morphedNormals : directions,
        .weights = data + 3 * SUP_BLOCK,
        .gradients = directions + 3 * SUP_BLOCK };
}

// ---------------------------------------------------------------------------------------------------------------
// The blended matrix

/// By rows: a.x a.y a.z t.x is its first one.
typedef struct supMatW
{
    supVecW a, b, c, t;
} supMatW;

/// A block's first matrix, and what each of the others has beyond it.
typedef struct supBlockMatrices
{
    const float* first;
    float differences[SUP_BLOCK * SUP_MAX_INFLUENCES][SUP_MATRIX];
} supBlockMatrices;

SUP_ALWAYS void supSubMatrices( const float* a, const float* b, float* out )
{
#if SUP_WIDTH == 4 || SUP_WIDTH == 8
    for ( int i = 0; i < SUP_MATRIX; i += SUP_WIDTH )
    {
        int at = i + SUP_WIDTH <= SUP_MATRIX ? i : SUP_MATRIX - SUP_WIDTH; // the last one may go over some twice
        supStoreW( out + at, supSubW( supLoadW( a + at ), supLoadW( b + at ) ) );
    }
#else
    for ( int i = 0; i < SUP_MATRIX; ++i )
    {
        out[i] = a[i] - b[i];
    }
#endif
}

SUP_ALWAYS void supReadMatrices( const supSkinBlockJob* job, const supSkinBlock* block, supBlockMatrices* out )
{
    const int32_t* joints = job->blocks->joints + block->firstJoint;
    out->first = &job->palette[joints[0]].x.x;
    for ( int32_t j = 1; j < block->jointCount; ++j )
    {
        supSubMatrices( &job->palette[joints[j]].x.x, out->first, out->differences[j - 1] );
    }
}

/// The weights of a vertex sum to one, so that sum_j w_j M_j = M_0 + sum_j>0 w_j ( M_j - M_0 ): one joint of each block
/// costs no multiplication.
SUP_ALWAYS supMatW supBlendMatrices( const supBlockMatrices* matrices, int32_t count, const float* weights )
{
    const float* m0 = matrices->first;
    supMatW m = { .a = { supSplatW( m0[0] ), supSplatW( m0[3] ), supSplatW( m0[6] ) },
        .b = { supSplatW( m0[1] ), supSplatW( m0[4] ), supSplatW( m0[7] ) },
        .c = { supSplatW( m0[2] ), supSplatW( m0[5] ), supSplatW( m0[8] ) },
        .t = { supSplatW( m0[9] ), supSplatW( m0[10] ), supSplatW( m0[11] ) } };
    for ( int32_t j = 1; j < count; ++j )
    {
        const float* from = matrices->differences[j - 1];
        supW w = supLoadW( weights + j * SUP_BLOCK );
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

SUP_ALWAYS supVecW supTransformW( const supMatW* m, supVecW p )
{
    return ( supVecW ){ supFmaW( m->a.z, p.z, supFmaW( m->a.y, p.y, supFmaW( m->a.x, p.x, m->t.x ) ) ),
        supFmaW( m->b.z, p.z, supFmaW( m->b.y, p.y, supFmaW( m->b.x, p.x, m->t.y ) ) ),
        supFmaW( m->c.z, p.z, supFmaW( m->c.y, p.y, supFmaW( m->c.x, p.x, m->t.z ) ) ) };
}

// ---------------------------------------------------------------------------------------------------------------
// Flesh

SUP_ALWAYS void supAddOffset( supW alpha, const float* u, supVecW* place )
{
    place->x = supFmaW( alpha, supSplatW( u[0] ), place->x );
    place->y = supFmaW( alpha, supSplatW( u[1] ), place->y );
    place->z = supFmaW( alpha, supSplatW( u[2] ), place->z );
}

/// row += number * gradient
SUP_ALWAYS void supAddGradient( float number, supVecW gradient, supVecW* row )
{
    supW u = supSplatW( number );
    row->x = supFmaW( u, gradient.x, row->x );
    row->y = supFmaW( u, gradient.y, row->y );
    row->z = supFmaW( u, gradient.z, row->z );
}

/// The flesh moves a vertex by sum_e alpha_e u_e. With g_e the gradient of alpha_e on the skin at rest, the whole map
/// has the Jacobian M + sum_e u_e g_e^T: normals go by the cofactors of that, and nothing has to be inverted. `m` NULL:
/// positions alone. An element at rest is passed over: the smooth skin stays what it was, bit for bit.
SUP_ALWAYS void supAddFlesh( const supSkinBlockJob* job, const supSkinBlock* block, const float* alphas,
    const float* gradients, supMatW* m, supVecW* place )
{
    const int32_t* elements = job->blocks->elements + block->firstElement;
    for ( int32_t e = 0; e < block->elementCount; ++e, alphas += SUP_BLOCK, gradients += 3 * SUP_BLOCK )
    {
        const float* u = &job->shown[elements[e]].x;
        if ( u[0] == 0.0f && u[1] == 0.0f && u[2] == 0.0f )
        {
            continue;
        }
        supAddOffset( supLoadW( alphas ), u, place );
        if ( m != NULL )
        {
            supVecW gradient = supLoadVecW( gradients );
            supAddGradient( u[0], gradient, &m->a );
            supAddGradient( u[1], gradient, &m->b );
            supAddGradient( u[2], gradient, &m->c );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Normals

/// Where the blended matrix mirrors.
SUP_ALWAYS supMaskW supMirrors( const supMatW* m )
{
    return supLessW( supDotW( m->a, supCrossW( m->b, m->c ) ), supZeroW() );
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

/// Where a square has left the range of float: by the largest component first; `otherwise`, which has unit length or
/// none, where there is no direction at all.
static supVecW supUnitFarW( supVecW n, supVecW otherwise )
{
    supW most = supMaxW( supMaxW( supAbsW( n.x ), supAbsW( n.y ) ), supAbsW( n.z ) );
    supMaskW some = supAndW( supLessW( supZeroW(), most ), supLessW( most, supSplatW( 3e38f ) ) );
    supW scale = supDivW( supSplatW( 1.0f ), supBlendW( some, most, supSplatW( 1.0f ) ) );
    n.x = supBlendW( some, supMulW( n.x, scale ), otherwise.x );
    n.y = supBlendW( some, supMulW( n.y, scale ), otherwise.y );
    n.z = supBlendW( some, supMulW( n.z, scale ), otherwise.z );
    scale = supInverseSqrtW( supMaxW( supDotW( n, n ), supSplatW( 1e-30f ) ) );
    return ( supVecW ){ supMulW( n.x, scale ), supMulW( n.y, scale ), supMulW( n.z, scale ) };
}

/// Normals of a block from `lane` on, to unit length.
SUP_ALWAYS supVecW supUnitW( const supSkinBlockJob* job, const supSkinBlock* block, int lane, supVecW n )
{
    supW squared = supDotW( n, n );
    supMaskW good = supAndW( supLessW( supSplatW( 1e-30f ), squared ), supLessW( squared, supSplatW( 1e30f ) ) );
    if ( !supAllW( good ) )
    {
        return supUnitFarW( n, supLoadVecW( supViewBlock( job, block ).normals + lane ) );
    }
    supW scale = supInverseSqrtW( squared );
    return ( supVecW ){ supMulW( n.x, scale ), supMulW( n.y, scale ), supMulW( n.z, scale ) };
}

// ---------------------------------------------------------------------------------------------------------------
// Blocks that hang on one joint

/// What one matrix does to places and normals.
typedef struct supRigidMap
{
    const float* place;           ///< by columns
    float normal[SUP_MATRIX - 3]; ///< likewise
    bool keepsLength;             ///< unit normals stay so
} supRigidMap;

/// A rotation with uniform scale, mirrored or not, turns normals as it turns places: by its columns over their length.
static bool supIsSimilar( const float* m, float normal[SUP_MATRIX - 3] )
{
    const float slack = 4e-7f; // of products of a few rotations in floats
    float xx = m[0] * m[0] + m[1] * m[1] + m[2] * m[2], yy = m[3] * m[3] + m[4] * m[4] + m[5] * m[5];
    float zz = m[6] * m[6] + m[7] * m[7] + m[8] * m[8], xy = m[0] * m[3] + m[1] * m[4] + m[2] * m[5];
    float yz = m[3] * m[6] + m[4] * m[7] + m[5] * m[8], zx = m[6] * m[0] + m[7] * m[1] + m[8] * m[2];
    float most = slack * xx;
    bool similar = supAbsF( yy - xx ) <= most && supAbsF( zz - xx ) <= most && supAbsF( xy ) <= most &&
                   supAbsF( yz ) <= most && supAbsF( zx ) <= most && xx > 1e-30f && xx < 1e30f;
    float scale = similar ? 1.0f / supSqrtF( ( xx + yy + zz ) / 3.0f ) : 1.0f;
    for ( int i = 0; similar && i < SUP_MATRIX - 3; ++i )
    {
        normal[i] = scale * m[i];
    }
    return similar;
}

/// Columns of the cofactors; turned around where the matrix mirrors.
static void supTakeCofactors( const float* m, float normal[SUP_MATRIX - 3] )
{
    for ( int c = 0; c < 3; ++c )
    {
        const float *a = m + ( c == 2 ? 0 : 3 * c + 3 ), *b = m + ( c == 0 ? 6 : 3 * c - 3 );
        normal[3 * c] = a[1] * b[2] - a[2] * b[1];
        normal[3 * c + 1] = a[2] * b[0] - a[0] * b[2];
        normal[3 * c + 2] = a[0] * b[1] - a[1] * b[0];
    }
    bool mirrors = m[0] * normal[0] + m[1] * normal[1] + m[2] * normal[2] < 0.0f;
    for ( int i = 0; mirrors && i < SUP_MATRIX - 3; ++i )
    {
        normal[i] = -normal[i];
    }
}

SUP_ALWAYS void supReadRigidMap( const supSkinBlockJob* job, const supSkinBlock* block, supRigidMap* out )
{
    out->place = &job->palette[job->blocks->joints[block->firstJoint]].x.x;
    out->keepsLength = supIsSimilar( out->place, out->normal );
    if ( !out->keepsLength )
    {
        supTakeCofactors( out->place, out->normal );
    }
}

/// By columns; `t` NULL: a direction.
SUP_ALWAYS supVecW supTransformByOne( const float* m, const float* t, supVecW p )
{
    supW x = t != NULL ? supFmaW( supSplatW( m[0] ), p.x, supSplatW( t[0] ) ) : supMulW( supSplatW( m[0] ), p.x );
    supW y = t != NULL ? supFmaW( supSplatW( m[1] ), p.x, supSplatW( t[1] ) ) : supMulW( supSplatW( m[1] ), p.x );
    supW z = t != NULL ? supFmaW( supSplatW( m[2] ), p.x, supSplatW( t[2] ) ) : supMulW( supSplatW( m[2] ), p.x );
    x = supFmaW( supSplatW( m[3] ), p.y, x );
    y = supFmaW( supSplatW( m[4] ), p.y, y );
    z = supFmaW( supSplatW( m[5] ), p.y, z );
    x = supFmaW( supSplatW( m[6] ), p.z, x );
    y = supFmaW( supSplatW( m[7] ), p.z, y );
    z = supFmaW( supSplatW( m[8] ), p.z, z );
    return ( supVecW ){ x, y, z };
}

/// Whether any of a block's elements is not at rest: where all are, the living skin is the smooth one, bit for bit.
SUP_ALWAYS bool supIsStirred( const supSkinBlockJob* job, const supSkinBlock* block )
{
    const int32_t* elements = job->blocks->elements + block->firstElement;
    bool stirred = false;
    for ( int32_t e = 0; e < block->elementCount; ++e )
    {
        supVec3 u = job->shown[elements[e]];
        stirred = stirred || u.x != 0.0f || u.y != 0.0f || u.z != 0.0f;
    }
    return stirred;
}

/// No blending, and mostly no length to be found: two fifths of the instructions.
SUP_ALWAYS void supSkinRigidBlock( const supSkinBlockJob* job, const supSkinBlock* block, const supBlockView* view,
    const supRigidMap* map, supWriteForm mode, int32_t index )
{
    bool isUnit = map->keepsLength && block->hasUnitNormals && job->morphedNormals == NULL;
    for ( int lane = 0; lane < SUP_BLOCK; lane += SUP_WIDTH )
    {
        supVecW place = supTransformByOne( map->place, map->place + 9, supLoadVecW( view->places + lane ) );
        supWriteLanes( job, block, job->positions, mode, index, lane, place );
        supVecW normal = supTransformByOne( map->normal, NULL, supLoadVecW( view->normals + lane ) );
        normal = isUnit ? normal : supUnitW( job, block, lane, normal );
        supWriteLanes( job, block, job->normals, mode, index, lane, normal );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Blocks

/// Positions of SUP_WIDTH vertices, from `lane` on, and what turns their normals, left in `m`. The lanes where the
/// blended matrix mirrors.
SUP_ALWAYS supMaskW supFinishPart( const supSkinBlockJob* job, const supSkinBlock* block, const supBlockView* view,
    int lane, bool fleshy, supMatW* m, supVecW* place )
{
    *place = supTransformW( m, supLoadVecW( view->places + lane ) );
    supMaskW mirrors = supMirrors( m );
    if ( fleshy )
    {
        const float* alphas = view->weights + block->jointCount * SUP_BLOCK;
        supAddFlesh( job, block, alphas + lane, view->gradients + lane, m, place );
    }
    return mirrors;
}

/// Positions of SUP_WIDTH vertices, and the directions of their normals; these at once, to unit length, where no batch
/// waits for them.
SUP_ALWAYS void supSkinPart( const supSkinBlockJob* job, const supSkinBlock* block, const supBlockView* view,
    const supBlockMatrices* matrices, bool fleshy, supWriteForm mode, int32_t index, int lane, float* raw )
{
    supVecW place;
    supMatW m = supBlendMatrices( matrices, block->jointCount, view->weights + lane );
    supMaskW mirrors = supFinishPart( job, block, view, lane, fleshy, &m, &place );
    supWriteLanes( job, block, job->positions, mode, index, lane, place );
    supVecW normal = supRawNormal( &m, supLoadVecW( view->normals + lane ), mirrors );
    if ( SUP_BATCH == 1 )
    {
        supWriteLanes( job, block, job->normals, mode, index, lane, supUnitW( job, block, lane, normal ) );
        return;
    }
    supStoreVecW( raw + lane, normal );
}

/// Asks for the lines of a later block. Beyond the end it may be those of the crowd's next body, and never hurts.
SUP_ALWAYS void supAskForOurLines( supOutStream stream, int32_t index )
{
    uintptr_t at = (uintptr_t)stream.data + sizeof( float ) * ( 3 * SUP_BLOCK * (size_t)index + SUP_AHEAD );
    SUP_PREFETCH( at );
    SUP_PREFETCH( at + 64 );
    SUP_PREFETCH( at + 128 );
}

/// Unit normals of blocks whose directions are known.
SUP_ALWAYS void supWriteNormals(
    const supSkinBlockJob* job, int32_t first, int32_t end, supWriteForm mode, const float ( *raw )[3 * SUP_BLOCK] )
{
    for ( int32_t index = first; index < end; ++index, ++raw )
    {
        const supSkinBlock* block = job->blocks->blocks + index;
        for ( int lane = 0; lane < SUP_BLOCK; lane += SUP_WIDTH )
        {
            supVecW n = supUnitW( job, block, lane, supLoadVecW( *raw + lane ) );
            supWriteLanes( job, block, job->normals, mode, index, lane, n );
        }
    }
}

SUP_ALWAYS void supAskForLater( const supSkinBlockJob* job, int32_t index, supWriteForm mode )
{
    if ( mode == sup_writeOurOrder )
    {
        supAskForOurLines( job->positions, index );
        supAskForOurLines( job->normals, index );
    }
    supAskForFar( job, index, mode, true );
}

/// Whether one matrix is all that a block needs.
SUP_ALWAYS bool supGoesRigidly( const supSkinBlockJob* job, const supSkinBlock* block, bool living )
{
    return block->isRigid && !( living && supIsStirred( job, block ) );
}

/// Blocks from `first` on that go rigidly, at least one; gives the first that does not.
SUP_ALWAYS int32_t supSkinRigidRun( const supSkinBlockJob* job, int32_t first, bool living, supWriteForm mode )
{
    supRigidMap map;
    const supSkinBlock* block = job->blocks->blocks + first;
    int32_t index = first;
    do
    {
        const supBlockView view = supViewBlock( job, block );
        supAskForLater( job, index, mode );
        if ( !block->sameJoints || index == first )
        {
            supReadRigidMap( job, block, &map );
        }
        supSkinRigidBlock( job, block, &view, &map, mode, index );
        ++index, ++block;
    } while ( index < job->end && supGoesRigidly( job, block, living ) );
    return index;
}

/// Likewise blocks that are blended, a batch of them at most where they wait for lengths. Lengths in a loop of their
/// own where a processor sees too few instructions ahead: the way from weights to a unit normal is 80 cycles long.
SUP_ALWAYS int32_t supSkinBlendedRun( const supSkinBlockJob* job, int32_t first, bool living, supWriteForm mode )
{
    _Alignas( 64 ) float raw[SUP_BATCH][3 * SUP_BLOCK];
    supBlockMatrices matrices;
    const supSkinBlock* block = job->blocks->blocks + first;
    int32_t index = first;
    do
    {
        const supBlockView view = supViewBlock( job, block );
        supAskForLater( job, index, mode );
        if ( !block->sameJoints || index == first )
        {
            supReadMatrices( job, block, &matrices );
        }
        bool fleshy = living && block->elementCount > 0;
        for ( int lane = 0; lane < SUP_BLOCK; lane += SUP_WIDTH )
        {
            supSkinPart(
                job, block, &view, &matrices, fleshy, mode, index, lane, raw[SUP_BATCH == 1 ? 0 : index - first] );
        }
        ++index, ++block;
    } while (
        index < job->end && ( SUP_BATCH == 1 || index - first < SUP_BATCH ) && !supGoesRigidly( job, block, living ) );
    if ( SUP_BATCH > 1 )
    {
        supWriteNormals( job, first, index, mode, ( const float( * )[3 * SUP_BLOCK] ) raw );
    }
    return index;
}

/// All blocks of a job, with normals.
SUP_ALWAYS void supSkinNormals( const supSkinBlockJob* job, bool living, supWriteForm mode )
{
    for ( int32_t index = job->first; index < job->end; )
    {
        index = supGoesRigidly( job, job->blocks->blocks + index, living )
                    ? supSkinRigidRun( job, index, living, mode )
                    : supSkinBlendedRun( job, index, living, mode );
    }
}
