// SPDX-License-Identifier: MIT
#include "solve/swing.h"

#include <string.h>

void supSwingClock_Tick( supSwingClock* clock, float dt )
{
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

void supSwing_Step( supSwing* swing, const supSpring* spring, const supSwingClock* clock, supVec3 delta, float least )
{
    float dt = clock->times.spans[0];
    if ( clock->changed || swing->stale )
    {
        swing->step = supMakeSpringStep( spring, &clock->basis, dt );
        swing->stale = false;
    }
    for ( int i = SUP_PATH_SPANS - 1; i > 0; --i )
    {
        swing->deltas[i] = swing->deltas[i - 1];
    }
    swing->deltas[0] = delta;
    if ( clock->times.count == 1 )
    {
        // settled so far: u' = 0, whatever the anchor's speed is
        swing->s = supMulAdd( swing->s, spring->amount / dt, delta );
    }
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
