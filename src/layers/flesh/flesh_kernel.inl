// Springs in bulk, for one path of the wide float. The same bits on every path: no fused multiply-add here.
// SPDX-License-Identifier: MIT
//
// Four short loops over the rows instead of one long one: each has a chain of square roots and divisions that is 60 to
// 100 cycles long, and a processor sees enough of a short loop at once to work on several wide floats in turns.
#include "base/wide_vec.h"
#include "flesh_kernel.h"

SUP_ALWAYS const float* supRowsAt( const supFleshState* state, int row, int32_t i )
{
    return state->rows + (size_t)row * (size_t)state->stride + (size_t)i;
}

SUP_ALWAYS supVecW supLoadRows( const float* at, int32_t stride )
{
    return ( supVecW ){ supLoadW( at ), supLoadW( at + stride ), supLoadW( at + 2 * stride ) };
}

SUP_ALWAYS supVecW supLoadVec( const supFleshState* state, int row, int32_t i )
{
    return supLoadRows( supRowsAt( state, row, i ), state->stride );
}

SUP_ALWAYS void supStoreVec( supFleshState* state, int row, int32_t i, supVecW v )
{
    float* at = state->rows + (size_t)row * (size_t)state->stride + (size_t)i;
    supStoreW( at, v.x );
    supStoreW( at + state->stride, v.y );
    supStoreW( at + 2 * state->stride, v.z );
}

SUP_ALWAYS supW supLoadRow( const supFleshState* state, int row, int32_t i )
{
    return supLoadW( supRowsAt( state, row, i ) );
}

/// The columns of a matrix, in every lane.
typedef struct supColumnsW
{
    supVecW x, y, z;
} supColumnsW;

SUP_ALWAYS supColumnsW supSplatColumns( supMat34 m )
{
    return ( supColumnsW ){ supSplatVecW( m.x ), supSplatVecW( m.y ), supSplatVecW( m.z ) };
}

SUP_ALWAYS supVecW supMulColumns( const supColumnsW* m, supVecW v )
{
    return supCombineW( m->x, m->y, m->z, v );
}

// ---------------------------------------------------------------------------------------------------------------
// Reading a frame

/// Arm, move, and the x and y axis of the driver's motion from rest, in the world; gives the move.
SUP_ALWAYS supVecW supReadAnchor( const supFleshJob* job, const supColumnsW* world, supVecW travel, int32_t i )
{
    supFleshState* state = job->state;
    const float* rest = job->flesh->restRows + i;
    int32_t stride = state->stride, next = sup_rowTurns + 6 * ( 1 - state->newestTurn );
    supW j[12]; // the drivers' matrices
    supGather4W( &job->joints->x.x, job->flesh->drivers + i, j );
    supGather4W( &job->joints->x.x + 4, job->flesh->drivers + i, j + 4 );
    supGather4W( &job->joints->x.x + 8, job->flesh->drivers + i, j + 8 );
    supColumnsW driver = { { j[0], j[1], j[2] }, { j[3], j[4], j[5] }, { j[6], j[7], j[8] } };
    supVecW origin = { j[9], j[10], j[11] };
    supVecW anchor = supAddVecW( supMulColumns( &driver, supLoadRows( rest, stride ) ), origin );
    supVecW arm = supMulColumns( world, anchor );
    supVecW move = supAddVecW( supSubVecW( arm, supLoadVec( state, sup_rowArm, i ) ), travel );
    move = supScaleVecW( move, supLoadW( rest + sup_restIsThere * stride ) );
    supStoreVec( state, sup_rowArm, i, arm );
    supStoreVec( state, (int)job->move, i, move );
    supVecW x = supMulColumns( &driver, supLoadRows( rest + sup_restX * stride, stride ) );
    supVecW y = supMulColumns( &driver, supLoadRows( rest + sup_restY * stride, stride ) );
    supStoreVec( state, next, i, supMulColumns( world, x ) );
    supStoreVec( state, next + 3, i, supMulColumns( world, y ) );
    return move;
}

/// Lane j of every wide float into lane j of 8, then a tree.
static float supSumLanes( const supW parts[SUP_FLESH_LANES / SUP_WIDTH] )
{
    float lanes[SUP_FLESH_LANES];
    for ( int k = 0; k < SUP_FLESH_LANES / SUP_WIDTH; ++k )
    {
        supStoreW( lanes + k * SUP_WIDTH, parts[k] );
    }
    float a = lanes[0] + lanes[4], b = lanes[1] + lanes[5], c = lanes[2] + lanes[6], d = lanes[3] + lanes[7];
    return ( a + c ) + ( b + d );
}

static supVec3 supReadAnchors( const supFleshJob* job )
{
    supColumnsW world = supSplatColumns( job->world );
    supVecW travel = supSplatVecW( job->travel );
    supW x[SUP_FLESH_LANES / SUP_WIDTH], y[SUP_FLESH_LANES / SUP_WIDTH], z[SUP_FLESH_LANES / SUP_WIDTH];
    for ( int k = 0; k < SUP_FLESH_LANES / SUP_WIDTH; ++k )
    {
        x[k] = y[k] = z[k] = supZeroW();
    }
    for ( int32_t i = 0; i < job->state->stride; i += SUP_FLESH_LANES )
    {
        for ( int k = 0; k < SUP_FLESH_LANES / SUP_WIDTH; ++k )
        {
            supVecW move = supReadAnchor( job, &world, travel, i + k * SUP_WIDTH );
            x[k] = supAddW( x[k], move.x );
            y[k] = supAddW( y[k], move.y );
            z[k] = supAddW( z[k], move.z );
        }
    }
    return ( supVec3 ){ supSumLanes( x ), supSumLanes( y ), supSumLanes( z ) };
}

/// Rotations nearest to the drivers' motions: columns are made orthonormal one after the other, which is cheap, smooth,
/// and exact for a rotation with a uniform scale, which drivers nearly always are. Then the pull: see supFleshPull.
static void supReadPulls( supFleshState* state )
{
    int next = sup_rowTurns + 6 * ( 1 - state->newestTurn );
    supVecW gravity = supSplatVecW( state->gravity ), wind = supSplatVecW( state->wind );
    supW scale = supSplatW( state->worldScale );
    for ( int32_t i = 0; i < state->stride; i += SUP_WIDTH )
    {
        supVecW x = supLoadVec( state, next, i ), y = supNormalizeW( supLoadVec( state, next + 3, i ) );
        x = supNormalizeW( supSubVecW( x, supScaleVecW( y, supDotVecW( x, y ) ) ) );
        supStoreVec( state, next, i, x );
        supStoreVec( state, next + 3, i, y );
        supVecW turned = supCombineW( x, y, supCrossVecW( x, y ), gravity );
        supVecW felt = supSubVecW( gravity, supScaleVecW( turned, supLoadRow( state, sup_rowRelative, i ) ) );
        supVecW pull = supScaleVecW( felt, supMulW( supLoadRow( state, sup_rowGain, i ), scale ) );
        pull = supAddVecW( pull, supScaleVecW( wind, supLoadRow( state, sup_rowAirFriction, i ) ) );
        supStoreVec( state, sup_rowNextPull, i, pull );
    }
}

static supVec3 supReadFrame( const supFleshJob* job )
{
    supVec3 sum = supReadAnchors( job );
    supReadPulls( job->state );
    return sum;
}

// ---------------------------------------------------------------------------------------------------------------
// Stepping

/// sum + coefficient * v
SUP_ALWAYS supVecW supAddTerm( supVecW sum, const supFleshState* state, int row, int32_t i, supVecW v )
{
    return supAddVecW( sum, supScaleVecW( v, supLoadRow( state, row, i ) ) );
}

/// Lanes that move too little to be seen, and whose anchor has: by themselves they would become denormal, and slow.
SUP_ALWAYS supMaskW supFindStill( const supFleshState* state, int32_t i, supVecW off, supVecW s, const int deltas[4] )
{
    supW least = supMulW( supLoadRow( state, sup_rowStill, i ), supSplatW( state->worldScale ) );
    supVecW speed = supScaleVecW( s, supLoadRow( state, sup_rowPeriod, i ) );
    least = supMulW( least, least );
    supMaskW still = supLessW( supAddW( supDotVecW( off, off ), supDotVecW( speed, speed ) ), least );
    for ( int j = 0; j < SUP_PATH_SPANS && supAnyW( still ); ++j )
    {
        supVecW delta = supLoadVec( state, deltas[j], i );
        still = supAndW( still, supLessW( supDotVecW( delta, delta ), least ) );
    }
    return still;
}

static void supAdvance( supFleshState* state )
{
    const int ofU = sup_rowSteps, ofS = sup_rowSteps + 4 + SUP_PATH_SPANS;
    int deltas[SUP_PATH_SPANS];
    for ( int j = 0; j < SUP_PATH_SPANS; ++j )
    {
        deltas[j] = (int)supDeltaRow( state, j );
    }
    for ( int32_t i = 0; i < state->stride; i += SUP_WIDTH )
    {
        supVecW u = supLoadVec( state, sup_rowU, i ), s = supLoadVec( state, sup_rowS, i );
        supVecW nextU = supScaleVecW( u, supLoadRow( state, ofU, i ) );
        supVecW nextS = supScaleVecW( u, supLoadRow( state, ofS, i ) );
        nextU = supAddTerm( nextU, state, ofU + 1, i, s );
        nextS = supAddTerm( nextS, state, ofS + 1, i, s );
        for ( int j = 0; j < SUP_PATH_SPANS; ++j )
        {
            supVecW delta = supLoadVec( state, deltas[j], i );
            nextU = supAddTerm( nextU, state, ofU + 2 + j, i, delta );
            nextS = supAddTerm( nextS, state, ofS + 2 + j, i, delta );
        }
        supVecW pull = supLoadVec( state, sup_rowPull, i ), nextPull = supLoadVec( state, sup_rowNextPull, i );
        nextU = supAddTerm( nextU, state, ofU + 2 + SUP_PATH_SPANS, i, pull );
        nextS = supAddTerm( nextS, state, ofS + 2 + SUP_PATH_SPANS, i, pull );
        nextU = supAddTerm( nextU, state, ofU + 3 + SUP_PATH_SPANS, i, nextPull );
        nextS = supAddTerm( nextS, state, ofS + 3 + SUP_PATH_SPANS, i, nextPull );

        supVecW settled = supScaleVecW( nextPull, supLoadRow( state, sup_rowCompliance, i ) );
        supMaskW still = supFindStill( state, i, supSubVecW( nextU, settled ), nextS, deltas );
        supVecW zero = { supZeroW(), supZeroW(), supZeroW() };
        supStoreVec( state, sup_rowU, i, supBlendVecW( still, settled, nextU ) );
        supStoreVec( state, sup_rowS, i, supBlendVecW( still, zero, nextS ) );
        supStoreVec( state, sup_rowPull, i, nextPull );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Showing

/// The paper's rule, for the lanes that clamp: the elongation itself is cut off, its speed is left alone.
SUP_ALWAYS supMaskW supClampLanes( supFleshState* state, int32_t i, supMaskW clamps, supVecW* u, supVecW* shown )
{
    supW limit = supMulW( supLoadRow( state, sup_rowLimit, i ), supSplatW( state->worldScale ) );
    supW squared = supDotVecW( *u, *u );
    supMaskW beyond = supLessW( supMulW( limit, limit ), squared );
    supVecW cut = supScaleVecW( *u, supDivW( limit, supSqrtW( squared ) ) );
    *u = supBlendVecW( supAndW( clamps, beyond ), cut, *u );
    *shown = supBlendVecW( clamps, *u, *shown );
    return beyond;
}

// With r = |u| / limit the shown length is r / (1 + r^8)^(1/8) limits: below half of the limit the identity to 0.05%,
// never above it. Beyond 10,000 limits, where powers would leave the range of float, it is the limit. Where the share
// 1 / (1 + r^8) falls below 0.98^4, the square of the shown length is below 0.98 of the elongation's: limited.
static int32_t supShowAll( supFleshState* state )
{
    supW one = supSplatW( 1.0f ), scale = supSplatW( state->worldScale );
    supW inverse2 = supDivW( one, supMaxW( supMulW( scale, scale ), supSplatW( 1e-37f ) ) );
    int32_t count = 0;
    for ( int32_t i = 0; i < state->stride; i += SUP_WIDTH )
    {
        supVecW u = supLoadVec( state, sup_rowU, i );
        supW squared = supDotVecW( u, u );
        supW r2 = supMulW( supMulW( squared, inverse2 ), supLoadRow( state, sup_rowInverseLimit2, i ) );
        supW r4 = supMulW( r2, r2 );
        supW share = supDivW( one, supAddW( one, supMulW( r4, r4 ) ) );
        supW factor = supSqrtW( supSqrtW( supSqrtW( share ) ) );
        supMaskW far = supLessW( supSplatW( 1e8f ), r2 );
        if ( supAnyW( far ) )
        {
            supW limit = supMulW( supLoadRow( state, sup_rowLimit, i ), scale );
            factor = supBlendW( far, supDivW( limit, supSqrtW( squared ) ), factor );
        }
        supVecW shown = supScaleVecW( u, factor );
        supMaskW limited = supLessW( share, supSplatW( 0.92236816f ) );
        supMaskW clamps = supLessW( supZeroW(), supLoadRow( state, sup_rowClamps, i ) );
        if ( supAnyW( clamps ) )
        {
            supMaskW beyond = supClampLanes( state, i, clamps, &u, &shown );
            limited = supOrW( supAndW( clamps, beyond ), supAndW( supNotW( clamps ), limited ) );
            supStoreVec( state, sup_rowU, i, u );
        }
        supStoreVec( state, sup_rowShown, i, shown );
        supStoreW( state->rows + (size_t)sup_rowLimited * (size_t)state->stride + (size_t)i,
            supBlendW( limited, one, supZeroW() ) );
        for ( uint32_t bits = supBitsW( limited ); bits != 0; bits &= bits - 1 )
        {
            ++count;
        }
    }
    return count;
}

static void supMapShown( const supFleshState* state, supMat34 map, supVec3* out )
{
    supColumnsW columns = supSplatColumns( map );
    for ( int32_t i = 0; i < state->stride; i += SUP_WIDTH )
    {
        supVecW shown = supMulColumns( &columns, supLoadVec( state, sup_rowShown, i ) );
        supStore3W( &out[i].x, shown.x, shown.y, shown.z );
    }
}

const supFleshKernels SUP_WIDE( supFleshKernels ) = { supReadFrame, supAdvance, supShowAll, supMapShown };
