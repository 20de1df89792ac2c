// Fat around a cycle: the start that returns to itself.
// SPDX-License-Identifier: MIT
//
// Every step is linear in q and q' when it begins, so what a round would have made of another start is the product of
// its steps: two numbers by two for each vibration or, where muscles below tense and couple them, all by all,
//
//     step of the tense solid      [ q  ]     [ A^T  0  ] [ s00 s01 ] [ A  0 ] [ q  ]
//                                  [ q' ] <-  [ 0   A^T ] [ s10 s11 ] [ 0  A ] [ q' ]         A: `turn`, sij diagonal
//
// What the steps were made of is what was stepped with, to the last bit; sums of it are in double.

#include "layers/fat/fat_step.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/fat/fat_state.h"
#include "layers/fat/fat_tension.h"
#include "solve/linear_system.h"

#include <string.h>

/// Of one fat.
typedef struct supFatLoop
{
    double* largest; ///< |q| in the round
    double* start;   ///< q, then q' / omega
    double* flow;    ///< 2 x 2 a vibration; or all by all, q first
    double* work;
} supFatLoop;

static bool supIsCoupled( const supFat* fat )
{
    return fat->tenseCount > 0;
}

static supFatLoop supFatLoop_In( const supFat* fat, void* block, size_t* size )
{
    size_t modes = (size_t)fat->modeCount, all = 2 * modes;
    bool coupled = supIsCoupled( fat );
    supLayout layout = supMakeLayout();
    size_t atLargest = SUP_LAYOUT_WIDE( &layout, double, 1 );
    size_t atStart = SUP_LAYOUT_WIDE( &layout, double, all );
    size_t atFlow = SUP_LAYOUT_WIDE( &layout, double, coupled ? all* all : 4 * modes );
    // two vectors, and room for a system of all equations (or of two)
    size_t atWork = SUP_LAYOUT_WIDE( &layout, double, 2 * all + ( coupled ? all * ( all + 1 ) : 6 ) );
    *size += ( layout.size + SUP_MAX_ALIGNMENT - 1 ) / SUP_MAX_ALIGNMENT * SUP_MAX_ALIGNMENT;
    char* at = block;
    return block != NULL ? ( supFatLoop ){ (double*)( at + atLargest ), (double*)( at + atStart ),
        (double*)( at + atFlow ), (double*)( at + atWork ) }
                         : ( supFatLoop ){ 0 };
}

size_t supFatLoopSize( const void* compiled )
{
    const supFats* fats = compiled;
    size_t size = 0;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        if ( fats->fats[i].elastic != NULL )
        {
            return 0;
        }
        supFatLoop_In( fats->fats + i, NULL, &size );
    }
    return size;
}

// ---------------------------------------------------------------------------------------------------------------
// One fat

static void supBeginFatLoop( const supFat* fat, const supFatPlaces* at, const supFatLoop* loop )
{
    size_t modes = (size_t)fat->modeCount, all = 2 * modes;
    bool coupled = supIsCoupled( fat );
    memset( loop->flow, 0, sizeof( double ) * ( coupled ? all * all : 4 * modes ) );
    *loop->largest = 0.0;
    for ( size_t k = 0; k < modes; ++k )
    {
        loop->start[k] = (double)at->q[k];
        loop->start[modes + k] = (double)at->speeds[k] / fat->omegas[k];
        for ( size_t i = 0; i < 2; ++i )
        {
            loop->flow[coupled ? ( i * modes + k ) * ( all + 1 ) : 4 * k + 3 * i] = 1.0;
        }
    }
}

/// q and q' / omega of vibration k, one step on: two rows of `count` numbers.
static void supStepRows( const supFat* fat, const supFatPlaces* at, size_t k, size_t count, double* q, double* s )
{
    size_t modes = fat->modeSize;
    double omega = (double)fat->omegas[k];
    double s00 = (double)at->steps[k], s01 = (double)at->steps[modes + k] * omega;
    double s10 = (double)at->stepSpeeds[k] / omega, s11 = (double)at->stepSpeeds[modes + k];
    for ( size_t i = 0; i < count; ++i )
    {
        double u = q[i], v = s[i];
        q[i] = s00 * u + s01 * v;
        s[i] = s10 * u + s11 * v;
    }
}

/// rows <- A rows, or A^T rows: of q or of q', `count` numbers each. Speeds are counted in units of their own omega.
static void supTurnRows(
    const supFat* fat, const double* turn, bool back, bool speeds, size_t count, double* rows, double* work )
{
    size_t modes = (size_t)fat->modeCount;
    memset( work, 0, sizeof( double ) * modes * count );
    for ( size_t k = 0; k < modes; ++k )
    {
        double* to = work + k * count;
        for ( size_t i = 0; i < modes; ++i )
        {
            double share = back ? turn[i * modes + k] : turn[k * modes + i];
            share *= speeds ? (double)fat->omegas[i] / fat->omegas[k] : 1.0;
            const double* from = rows + i * count;
            for ( size_t j = 0; j < count; ++j )
            {
                to[j] += share * from[j];
            }
        }
    }
    memcpy( rows, work, sizeof( double ) * modes * count );
}

static void supStepFatLoop( const supFat* fat, const supFatPlaces* at, const supFatLoop* loop )
{
    size_t modes = (size_t)fat->modeCount, all = 2 * modes;
    bool coupled = supIsCoupled( fat ), turned = coupled && at->own->tense;
    double square = 0.0, *speeds = loop->flow + modes * all;
    if ( turned )
    {
        supTurnRows( fat, at->turn, false, false, all, loop->flow, loop->work );
        supTurnRows( fat, at->turn, false, true, all, speeds, loop->work );
    }
    for ( size_t k = 0; k < modes; ++k )
    {
        double* own = coupled ? loop->flow + k * all : loop->flow + 4 * k;
        supStepRows( fat, at, k, coupled ? all : 2, own, own + ( coupled ? modes * all : 2 ) );
        square += (double)at->q[k] * at->q[k];
    }
    if ( turned )
    {
        supTurnRows( fat, at->turn, true, false, all, loop->flow, loop->work );
        supTurnRows( fat, at->turn, true, true, all, speeds, loop->work );
    }
    *loop->largest = supMax( *loop->largest, supSqrt( square ) );
}

/// What the start is changed by, into `d`; overwrites the flow. `gap`: q and q' / omega. Gives the vibration that is in
/// resonance, or -1.
static int32_t supSolveFatLoop( const supFat* fat, const supFatLoop* loop, const double* gap, double* d )
{
    int32_t modes = fat->modeCount, all = 2 * modes, resonant = -1;
    double *scratch = loop->work + 2 * all, most = 0.0;
    for ( int32_t k = 0; k < modes && !supIsCoupled( fat ); ++k )
    {
        const double* flow = loop->flow + 4 * k;
        const double own[2] = { gap[k], gap[modes + k] };
        const double a[4] = { 1.0 - flow[0], -flow[1], -flow[2], 1.0 - flow[3] };
        double to[2], gain = supCloseGap( 2, a, own, to, scratch ), size = own[0] * own[0] + own[1] * own[1];
        d[k] = to[0];
        d[modes + k] = to[1];
        resonant = gain > SUP_MOST_LOOP_GAIN && size > most ? k : resonant;
        most = gain > SUP_MOST_LOOP_GAIN ? supMax( most, size ) : most;
    }
    if ( supIsCoupled( fat ) )
    {
        for ( ptrdiff_t i = 0; i < (ptrdiff_t)all * all; ++i )
        {
            loop->flow[i] = ( i % ( all + 1 ) == 0 ? 1.0 : 0.0 ) - loop->flow[i];
        }
        double gain = supCloseGap( all, loop->flow, gap, d, scratch );
        for ( int32_t k = 0; k < modes && gain > SUP_MOST_LOOP_GAIN; ++k )
        {
            double size = gap[k] * gap[k] + gap[modes + k] * gap[modes + k];
            resonant = size > most ? k : resonant;
            most = supMax( most, size );
        }
    }
    return resonant;
}

static supLoopReport supEndFatLoop(
    const supFat* fat, const supFatPlaces* at, const supFatLoop* loop, const float* live )
{
    size_t modes = (size_t)fat->modeCount;
    double *gap = loop->work, *d = gap + 2 * modes, square = 0.0;
    for ( size_t k = 0; k < modes; ++k )
    {
        gap[k] = (double)at->q[k] - loop->start[k];
        gap[modes + k] = (double)at->speeds[k] / fat->omegas[k] - loop->start[modes + k];
        square += gap[k] * gap[k] + gap[modes + k] * gap[modes + k];
    }
    supLoopReport report = { 0 };
    if ( !( *loop->largest > (double)fat->still ) )
    {
        return report; // it stands
    }
    report.gap = supSqrt( square ) / *loop->largest;
    int32_t resonant = supSolveFatLoop( fat, loop, gap, d );
    float omega = resonant >= 0 ? fat->omegas[resonant] * supFatSpeed( fat, live ) : 0.0f;
    report.resonance = (float)( omega / ( 2.0 * SUP_PI ) );
    for ( size_t k = 0; k < modes; ++k )
    {
        at->q[k] = (float)( loop->start[k] + d[k] );
        at->speeds[k] = (float)( ( loop->start[modes + k] + d[modes + k] ) * fat->omegas[k] );
    }
    return report;
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

void supFatLoopBegin( const void* compiled, const void* state, void* loop )
{
    const supFats* fats = compiled;
    size_t at = 0;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        supFatPlaces places = supFatPlaces_In( fats->fats + i, (void*)state, NULL );
        supFatLoop own = supFatLoop_In( fats->fats + i, (char*)loop + at, &at );
        supBeginFatLoop( fats->fats + i, &places, &own );
    }
}

void supFatLoopStep( const void* compiled, const void* state, void* loop )
{
    const supFats* fats = compiled;
    size_t at = 0;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        supFatPlaces places = supFatPlaces_In( fats->fats + i, (void*)state, NULL );
        supFatLoop own = supFatLoop_In( fats->fats + i, (char*)loop + at, &at );
        supStepFatLoop( fats->fats + i, &places, &own );
    }
}

supLoopReport supFatLoopEnd( const void* compiled, void* state, void* loop, const float* live, supMat34 turn )
{
    (void)turn; // vibrations are in rest space
    const supFats* fats = compiled;
    supLoopReport worst = { 0 };
    size_t at = 0;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        supFatPlaces places = supFatPlaces_In( fats->fats + i, state, NULL );
        supFatLoop own = supFatLoop_In( fats->fats + i, (char*)loop + at, &at );
        supLoopReport one = supEndFatLoop( fats->fats + i, &places, &own, live + (size_t)i * sup_fatLiveCount );
        worst.resonance = one.resonance > 0.0f && one.gap >= worst.gap ? one.resonance : worst.resonance;
        worst.gap = supMax( worst.gap, one.gap );
    }
    return worst;
}
