// SPDX-License-Identifier: MIT
#include "solve/swing.h"

#include <string.h>

void supSwingClock_Slopes( const supSwingClock* clock, float slopes[SUP_PATH_SPANS] )
{
    for ( int j = 0; j < SUP_PATH_SPANS; ++j )
    {
        double sum = 0.0;
        for ( int k = 0; k < SUP_PATH_SPANS && clock->times.count > 0; ++k )
        {
            sum += ( k + 1 ) * clock->basis.m[k][j];
        }
        slopes[j] = clock->times.count > 0 ? (float)( sum / clock->times.spans[0] ) : 0.0f;
    }
}

void supSwingClock_Tick( supSwingClock* clock, float dt )
{
    supSwingClock_Slopes( clock, clock->lastSlopes );
    supFrameTimes before = clock->times;
    supFrameTimes_Push( &clock->times, dt );
    clock->changed = memcmp( &before, &clock->times, sizeof( before ) ) != 0;
    if ( clock->changed )
    {
        clock->basis = supMakePathBasis( &clock->times );
    }
}

static supVec3 supStepRow( const float row[4 + SUP_PATH_SPANS], const supSwing* swing )
{
    supVec3 sum = supMulAdd( supScale( swing->u, row[0] ), row[1], swing->s );
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        sum = supMulAdd( sum, row[2 + i], swing->deltas[i] );
    }
    return sum;
}

static supVec3 supSpeedOf( const supSwing* swing, const float slopes[SUP_PATH_SPANS] )
{
    supVec3 speed = supVec3_zero;
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        speed = supMulAdd( speed, slopes[i], swing->deltas[i] );
    }
    return speed;
}

/// s = u' + amount * x' for a spring that may have another amount, and deltas up to the last frame.
static void supHang( supSwing* swing, const supSpring* spring, const supSwingClock* clock, supVec3 delta )
{
    float dt = clock->times.spans[0];
    if ( swing->begun && spring->amount != swing->amount )
    {
        swing->s = supMulAdd( swing->s, spring->amount - swing->amount, supSpeedOf( swing, clock->lastSlopes ) );
    }
    for ( int i = SUP_PATH_SPANS - 1; i > 0; --i )
    {
        // before it began the anchor moved as it does now
        swing->deltas[i] = swing->begun ? swing->deltas[i - 1] : supScale( delta, clock->times.spans[i] / dt );
    }
    swing->deltas[0] = delta;
    if ( !swing->begun )
    {
        swing->s = supMulAdd( swing->s, spring->amount / dt, delta );
    }
    swing->amount = spring->amount;
    swing->begun = true;
}

static void supRefreshStep( supSwing* swing, const supSpring* spring, const supSwingClock* clock )
{
    if ( clock->changed || swing->stale )
    {
        swing->step = supMakeSpringStep( spring, &clock->basis, clock->times.spans[0] );
        swing->stale = false;
    }
}

void supSwing_Step( supSwing* swing, const supSpring* spring, const supSwingClock* clock, supVec3 delta, float least )
{
    supRefreshStep( swing, spring, clock );
    supHang( swing, spring, clock, delta );
    supVec3 u = supStepRow( swing->step.u, swing ), s = supStepRow( swing->step.s, swing );
    float still = 0.0f;
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        still += supLengthSquared( swing->deltas[i] );
    }
    // by themselves they would become denormal, and slow
    bool faded = still == 0.0f && supLength( u ) < least && supLength( s ) < least * spring->omega;
    swing->u = faded ? supVec3_zero : u;
    swing->s = faded ? supVec3_zero : s;
}

void supSwing_Coast( supSwing* swing, const supSpring* spring, const supSwingClock* clock )
{
    supRefreshStep( swing, spring, clock );
    supVec3 u = supStepRow( swing->step.u, swing ), s = supStepRow( swing->step.s, swing );
    swing->u = u;
    swing->s = s;
}

static void supLeaveAnchor( supSwing* swing, const float slopes[SUP_PATH_SPANS] )
{
    if ( swing->begun )
    {
        swing->s = supMulAdd( swing->s, -swing->amount, supSpeedOf( swing, slopes ) );
    }
    memset( swing->deltas, 0, sizeof( swing->deltas ) );
    swing->begun = false;
    swing->stale = true;
}

void supSwing_Rehang( supSwing* swing, const supSwingClock* clock )
{
    float slopes[SUP_PATH_SPANS];
    supSwingClock_Slopes( clock, slopes );
    supLeaveAnchor( swing, slopes );
}

void supSwing_Forget( supSwing* swing, const supSwingClock* clock )
{
    supLeaveAnchor( swing, clock->lastSlopes );
}

void supSwing_Jump( supSwing* swing, const supSpring* spring, const supSwingClock* clock, supVec3 delta, float held,
    float rebased, float least )
{
    const float* spans = clock->times.spans; // the frame that passes, then those before
    float ratio = clock->times.count > 1 ? spans[0] / spans[1] : 0.0f;
    if ( swing->begun && rebased > 0.0f )
    {
        supVec3 last = swing->deltas[0];
        swing->deltas[0] = supScale( swing->deltas[1], clock->times.count > 2 ? spans[1] / spans[2] : 0.0f );
        supVec3 change = supSub( supScale( delta, 1.0f / spans[0] ), supSpeedOf( swing, clock->lastSlopes ) );
        swing->deltas[0] = last;
        swing->s = supMulAdd( swing->s, rebased * swing->amount, change );
        for ( int i = 0; i < SUP_PATH_SPANS; ++i )
        {
            float span = i + 1 < SUP_PATH_SPANS ? spans[i + 1] : spans[i];
            supVec3 flat = supScale( delta, span / spans[0] );
            swing->deltas[i] = supMulAdd( swing->deltas[i], rebased, supSub( flat, swing->deltas[i] ) );
        }
    }
    supVec3 ranOn = supScale( swing->deltas[0], swing->begun ? ratio : 0.0f );
    supVec3 felt = supAdd( supScale( delta, 1.0f - held ), supScale( ranOn, held ) );
    supSwing_Step( swing, spring, clock, felt, least );
}

void supSwing_Turn( supSwing* swing, supMat34 turn )
{
    swing->u = supTransformVector( turn, swing->u );
    swing->s = supTransformVector( turn, swing->s );
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        swing->deltas[i] = supTransformVector( turn, swing->deltas[i] );
    }
}

bool supSwing_IsAtRest( const supSwing* swing )
{
    float sum = supLengthSquared( swing->u ) + supLengthSquared( swing->s );
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        sum += supLengthSquared( swing->deltas[i] );
    }
    return sum == 0.0f && !swing->stale;
}

supVec3 supSoftLimit( supVec3 u, float limit )
{
    if ( !( limit > 0.0f ) )
    {
        return supVec3_zero;
    }
    double share = (double)supLengthSquared( u ) / ( (double)limit * limit ), fourth = share * share;
    return supScale( u, (float)( 1.0 / supSqrt( supSqrt( supSqrt( 1.0 + fourth * fourth ) ) ) ) );
}
