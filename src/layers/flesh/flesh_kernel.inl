// Springs in bulk, for one path of the wide float. The same bits on every path: no fused multiply-add here.
// SPDX-License-Identifier: MIT
//
// Short loops over the blocks instead of one long one, and sums as trees: a processor sees some hundred operations
// ahead, and works on several wide floats in turns only if what one of them waits for is short. Measured for 104
// elements (Zen 3, AVX2, cycles for eight): anchors and pulls 109, the step 61, the limit 21, into the model 10. With a
// ring whose start is not a constant the step costs 69; with all stages of a frame in one loop, each a block behind the
// one before, anchors and pulls cost 128; with rows that run over all elements instead of eight everything costs 8%
// more.
#include "base/wide_vec.h"
#include "flesh_kernel.h"

#include <string.h>

/// A kernel goes through the blocks, and in each through its wide floats: `at` is where row 0 of one stands.
#define SUP_FLESH_PARTS ( SUP_FLESH_LANES / SUP_WIDTH )

SUP_ALWAYS float* supPartAt( const supFleshState* state, int32_t part )
{
    int32_t block = part / SUP_FLESH_PARTS, lane = part % SUP_FLESH_PARTS * SUP_WIDTH;
    return supFleshRows( state ) + (size_t)block * sup_fleshRowCount * SUP_FLESH_LANES + lane;
}

SUP_ALWAYS supW supLoadRow( const float* at, int row )
{
    return supLoadW( at + row * SUP_FLESH_LANES );
}

SUP_ALWAYS supVecW supLoadVec( const float* at, int row )
{
    return ( supVecW ){ supLoadRow( at, row ), supLoadRow( at, row + 1 ), supLoadRow( at, row + 2 ) };
}

SUP_ALWAYS void supStoreVec( float* at, int row, supVecW v )
{
    supStoreW( at + row * SUP_FLESH_LANES, v.x );
    supStoreW( at + ( row + 1 ) * SUP_FLESH_LANES, v.y );
    supStoreW( at + ( row + 2 ) * SUP_FLESH_LANES, v.z );
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

/// The anchor, and the x and y axis of the driver's motion from rest, in model space.
SUP_ALWAYS void supReadDriver( const float* joints, const int32_t* drivers, const float* rest, float* at, int turnRow )
{
    supW j[12]; // the drivers' matrices
    supGather4W( joints, drivers, j );
    supGather4W( joints + 4, drivers, j + 4 );
    supGather4W( joints + 8, drivers, j + 8 );
    supColumnsW driver = { { j[0], j[1], j[2] }, { j[3], j[4], j[5] }, { j[6], j[7], j[8] } };
    supVecW origin = { j[9], j[10], j[11] };
    supVecW anchor = supAddVecW( supMulColumns( &driver, supLoadVec( rest, sup_restAnchor ) ), origin );
    supStoreVec( at, sup_rowNextPull, anchor );
    supStoreVec( at, turnRow, supMulColumns( &driver, supLoadVec( rest, sup_restX ) ) );
    supStoreVec( at, turnRow + 3, supMulColumns( &driver, supLoadVec( rest, sup_restY ) ) );
}

/// All of it carried into the world.
SUP_ALWAYS void supCarryDriver(
    const float* rest, float* at, const supColumnsW* world, supVecW travel, int moveRow, int turnRow )
{
    supVecW arm = supMulColumns( world, supLoadVec( at, sup_rowNextPull ) );
    supVecW move = supAddVecW( supSubVecW( arm, supLoadVec( at, sup_rowArm ) ), travel );
    move = supScaleVecW( move, supLoadRow( rest, sup_restIsThere ) );
    supStoreVec( at, sup_rowArm, arm );
    supStoreVec( at, moveRow, move );
    supStoreVec( at, turnRow, supMulColumns( world, supLoadVec( at, turnRow ) ) );
    supStoreVec( at, turnRow + 3, supMulColumns( world, supLoadVec( at, turnRow + 3 ) ) );
}

static void supReadAnchors( const supFleshJob* job )
{
    supColumnsW world = supSplatColumns( job->world );
    supVecW travel = supSplatVecW( job->travel );
    const float* joints = &job->joints->x.x;
    int moveRow = (int)job->move, turnRow = sup_rowTurns + 6 * ( 1 - job->state->newestTurn );
    int32_t blockCount = job->state->blockCount;
    for ( int32_t b = 0; b < blockCount; ++b )
    {
        const float* rest = job->flesh->restRows + (size_t)b * sup_restRowCount * SUP_FLESH_LANES;
        const int32_t* drivers = job->flesh->drivers + b * SUP_FLESH_LANES;
        for ( int k = 0; k < SUP_FLESH_PARTS; ++k )
        {
            float* at = supPartAt( job->state, b * SUP_FLESH_PARTS + k );
            supReadDriver( joints, drivers + k * SUP_WIDTH, rest + k * SUP_WIDTH, at, turnRow );
        }
    }
    for ( int32_t b = 0; b < blockCount; ++b )
    {
        const float* rest = job->flesh->restRows + (size_t)b * sup_restRowCount * SUP_FLESH_LANES;
        for ( int k = 0; k < SUP_FLESH_PARTS; ++k )
        {
            float* at = supPartAt( job->state, b * SUP_FLESH_PARTS + k );
            supCarryDriver( rest + k * SUP_WIDTH, at, &world, travel, moveRow, turnRow );
        }
    }
}

/// 1 / |a|^2, and 0 for what is too short to be turned by: joints scaled to nothing.
SUP_ALWAYS supW supInverseSquare( supVecW a )
{
    supW square = supDotVecW( a, a );
    supW inverse = supDivW( supSplatW( 1.0f ), square );
    return supBlendW( supLessW( supSplatW( 1e-37f ), square ), inverse, supZeroW() );
}

/// Rotations nearest to the drivers' motions: columns are made orthonormal one after the other, which is cheap, smooth,
/// and exact for a rotation with a uniform scale, which drivers nearly always are. Then the pull: see supFleshPull.
static void supReadPulls( const supFleshState* state )
{
    int turnRow = sup_rowTurns + 6 * ( 1 - state->newestTurn );
    supVecW gravity = supSplatVecW( state->gravity ), wind = supSplatVecW( state->wind );
    supW scale = supSplatW( state->worldScale );
    int32_t parts = state->blockCount * SUP_FLESH_PARTS;
    for ( int32_t part = 0; part < parts; ++part )
    {
        float* at = supPartAt( state, part ) + turnRow * SUP_FLESH_LANES;
        supVecW x = supLoadVec( at, 0 ), y = supLoadVec( at, 3 );
        supW inverseY = supInverseSquare( y );
        supStoreVec( at, 0, supSubVecW( x, supScaleVecW( y, supMulW( supDotVecW( x, y ), inverseY ) ) ) );
        supStoreVec( at, 3, supScaleVecW( y, supSqrtW( inverseY ) ) );
    }
    for ( int32_t part = 0; part < parts; ++part )
    {
        float *at = supPartAt( state, part ), *turn = at + turnRow * SUP_FLESH_LANES;
        supVecW x = supLoadVec( turn, 0 ), y = supLoadVec( turn, 3 );
        x = supScaleVecW( x, supSqrtW( supInverseSquare( x ) ) );
        supStoreVec( turn, 0, x );
        supVecW turned = supCombineW( x, y, supCrossVecW( x, y ), gravity );
        supVecW felt = supSubVecW( gravity, supScaleVecW( turned, supLoadRow( at, sup_rowRelative ) ) );
        supVecW pull = supScaleVecW( felt, supMulW( supLoadRow( at, sup_rowGain ), scale ) );
        pull = supAddVecW( pull, supScaleVecW( wind, supLoadRow( at, sup_rowAirFriction ) ) );
        supStoreVec( at, sup_rowNextPull, pull );
    }
}

static void supReadFrame( const supFleshJob* job )
{
    supReadAnchors( job );
    supReadPulls( job->state );
}

// ---------------------------------------------------------------------------------------------------------------
// Stepping

/// One component of the map of spring_step.h: the sum of eight terms.
SUP_ALWAYS supW supMapComponent(
    const float* at, const supW c[4 + SUP_PATH_SPANS], const int deltas[SUP_PATH_SPANS], int k )
{
    supW a =
        supAddW( supMulW( supLoadRow( at, sup_rowU + k ), c[0] ), supMulW( supLoadRow( at, sup_rowS + k ), c[1] ) );
    supW b =
        supAddW( supMulW( supLoadRow( at, deltas[0] + k ), c[2] ), supMulW( supLoadRow( at, deltas[1] + k ), c[3] ) );
    supW d =
        supAddW( supMulW( supLoadRow( at, deltas[2] + k ), c[4] ), supMulW( supLoadRow( at, deltas[3] + k ), c[5] ) );
    supW f = supAddW(
        supMulW( supLoadRow( at, sup_rowPull + k ), c[6] ), supMulW( supLoadRow( at, sup_rowNextPull + k ), c[7] ) );
    return supAddW( supAddW( a, b ), supAddW( d, f ) );
}

/// All of them, with the coefficients from `row` on.
SUP_ALWAYS supVecW supMapState( const float* at, int row, const int deltas[SUP_PATH_SPANS] )
{
    supW c[4 + SUP_PATH_SPANS];
    for ( int i = 0; i < 4 + SUP_PATH_SPANS; ++i )
    {
        c[i] = supLoadRow( at, row + i );
    }
    return ( supVecW ){ supMapComponent( at, c, deltas, 0 ), supMapComponent( at, c, deltas, 1 ),
        supMapComponent( at, c, deltas, 2 ) };
}

/// Lanes that move too little to be seen, and whose anchor has: by themselves they would become denormal, and slow.
SUP_ALWAYS supMaskW supFindStill(
    const float* at, supW scale, supVecW off, supVecW s, const int deltas[SUP_PATH_SPANS] )
{
    supW least = supMulW( supLoadRow( at, sup_rowStill ), scale );
    supVecW speed = supScaleVecW( s, supLoadRow( at, sup_rowPeriod ) );
    least = supMulW( least, least );
    supMaskW still = supLessW( supAddW( supDotVecW( off, off ), supDotVecW( speed, speed ) ), least );
    for ( int j = 0; j < SUP_PATH_SPANS && supAnyW( still ); ++j )
    {
        supVecW delta = supLoadVec( at, deltas[j] );
        still = supAndW( still, supLessW( supDotVecW( delta, delta ), least ) );
    }
    return still;
}

// The new elongation waits in the rows of what is shown, which are worked out anew afterwards.
SUP_ALWAYS void supAdvancePart( float* at, supW scale, const int deltas[SUP_PATH_SPANS] )
{
    supVecW nextS = supMapState( at, sup_rowSteps + 4 + SUP_PATH_SPANS, deltas );
    supVecW nextU = supLoadVec( at, sup_rowShown ), nextPull = supLoadVec( at, sup_rowNextPull );
    supVecW settled = supScaleVecW( nextPull, supLoadRow( at, sup_rowCompliance ) );
    supMaskW still = supFindStill( at, scale, supSubVecW( nextU, settled ), nextS, deltas );
    supVecW zero = { supZeroW(), supZeroW(), supZeroW() };
    supStoreVec( at, sup_rowU, supBlendVecW( still, settled, nextU ) );
    supStoreVec( at, sup_rowS, supBlendVecW( still, zero, nextS ) );
    supStoreVec( at, sup_rowPull, nextPull );
}

/// `newest`, where the ring of deltas starts, is a constant wherever this is used: so are then all rows.
SUP_ALWAYS void supAdvanceRing( const supFleshState* state, int newest )
{
    int deltas[SUP_PATH_SPANS];
    for ( int j = 0; j < SUP_PATH_SPANS; ++j )
    {
        deltas[j] = sup_rowDeltas + 3 * ( ( newest + j ) % SUP_PATH_SPANS );
    }
    int32_t parts = state->blockCount * SUP_FLESH_PARTS;
    supW scale = supSplatW( state->worldScale );
    for ( int32_t part = 0; part < parts; ++part )
    {
        float* at = supPartAt( state, part );
        supStoreVec( at, sup_rowShown, supMapState( at, sup_rowSteps, deltas ) );
    }
    for ( int32_t part = 0; part < parts; ++part )
    {
        supAdvancePart( supPartAt( state, part ), scale, deltas );
    }
}

static void supAdvance( supFleshState* state )
{
    switch ( state->newestDelta )
    {
        case 0:
            supAdvanceRing( state, 0 );
            break;
        case 1:
            supAdvanceRing( state, 1 );
            break;
        case 2:
            supAdvanceRing( state, 2 );
            break;
        default:
            supAdvanceRing( state, 3 );
            break;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Showing

/// The paper's rule, for the lanes that clamp: the elongation itself is cut off, its speed is left alone.
SUP_ALWAYS supMaskW supClampLanes( float* at, supW scale, supMaskW clamps, supVecW* u, supVecW* shown )
{
    supW limit = supMulW( supLoadRow( at, sup_rowLimit ), scale );
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
SUP_ALWAYS supMaskW supShowPart( float* at, supW scale, supW inverse2 )
{
    supW one = supSplatW( 1.0f );
    supVecW u = supLoadVec( at, sup_rowU );
    supW squared = supDotVecW( u, u );
    supW r2 = supMulW( supMulW( squared, inverse2 ), supLoadRow( at, sup_rowInverseLimit2 ) );
    supW r4 = supMulW( r2, r2 );
    supW share = supDivW( one, supAddW( one, supMulW( r4, r4 ) ) );
    supW factor = supSqrtW( supSqrtW( supSqrtW( share ) ) );
    supMaskW far = supLessW( supSplatW( 1e8f ), r2 );
    if ( supAnyW( far ) )
    {
        supW limit = supMulW( supLoadRow( at, sup_rowLimit ), scale );
        factor = supBlendW( far, supDivW( limit, supSqrtW( squared ) ), factor );
    }
    supVecW shown = supScaleVecW( u, factor );
    supMaskW limited = supLessW( share, supSplatW( 0.92236816f ) );
    supMaskW clamps = supLessW( supZeroW(), supLoadRow( at, sup_rowClamps ) );
    if ( supAnyW( clamps ) )
    {
        supMaskW beyond = supClampLanes( at, scale, clamps, &u, &shown );
        limited = supOrW( supAndW( clamps, beyond ), supAndW( supNotW( clamps ), limited ) );
        supStoreVec( at, sup_rowU, u );
    }
    supStoreVec( at, sup_rowShown, shown );
    supStoreW( at + sup_rowLimited * SUP_FLESH_LANES, supBlendW( limited, one, supZeroW() ) );
    return limited;
}

static int32_t supShowAll( supFleshState* state )
{
    supW scale = supSplatW( state->worldScale );
    supW inverse2 = supDivW( supSplatW( 1.0f ), supMaxW( supMulW( scale, scale ), supSplatW( 1e-37f ) ) );
    int32_t count = 0, parts = state->blockCount * SUP_FLESH_PARTS;
    for ( int32_t part = 0; part < parts; ++part )
    {
        supMaskW limited = supShowPart( supPartAt( state, part ), scale, inverse2 );
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
    int32_t left = state->elementCount;
    for ( int32_t part = 0; left > 0; ++part, left -= SUP_WIDTH )
    {
        supVecW shown = supMulColumns( &columns, supLoadVec( supPartAt( state, part ), sup_rowShown ) );
        if ( left >= SUP_WIDTH )
        {
            supStore3W( &out[part * SUP_WIDTH].x, shown.x, shown.y, shown.z );
        }
        else
        {
            supVec3 last[SUP_WIDTH]; // what stands behind is another layer's
            supStore3W( &last[0].x, shown.x, shown.y, shown.z );
            memcpy( out + part * SUP_WIDTH, last, sizeof( supVec3 ) * (size_t)left );
        }
    }
}

const supFleshKernels SUP_WIDE( supFleshKernels ) = { supReadFrame, supAdvance, supShowAll, supMapShown };
