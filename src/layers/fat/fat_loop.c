// Fat around a cycle: the start that returns to itself.
// SPDX-License-Identifier: MIT
//
// Every step is linear in q and q' when it begins, so what a round would have made of another start is the product of
// its steps: two numbers by two for each vibration or, where muscles below tense and couple them, all by all of a
// block,
//
//     step of the tense solid      [ q  ]     [ A^T  0  ] [ s00 s01 ] [ A  0 ] [ q  ]
//                                  [ q' ] <-  [ 0   A^T ] [ s10 s11 ] [ 0  A ] [ q' ]         A: `turn`, sij diagonal
//
// and, before it, what carries both over where tension has changed (fat_tension.c). What the steps were made of is what
// was stepped with, to the last bit; sums of it are in double.

#include "layers/fat/fat_step.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/fat/fat_modes.h"
#include "layers/fat/fat_state.h"
#include "layers/fat/fat_tension.h"
#include "solve/dense.h"

#include <string.h>

/// Of one fat.
typedef struct supFatLoop
{
    double* largest; ///< |q| in the round
    double* start;   ///< q, then q' / omega
    double* flow;    ///< of each block: all by all of its numbers, q first
    double* work;
} supFatLoop;

/// A block of vibrations that may depend on one another: where they are coupled, one of fat_modes.c; else each is one.
typedef struct supLoopGroup
{
    size_t first, size;
    double* flow; ///< 2 size rows of as many numbers
} supLoopGroup;

static bool supIsCoupled( const supFat* fat )
{
    return fat->tenseCount > 0;
}

static int32_t supLoopGroupCount( const supFat* fat )
{
    return supIsCoupled( fat ) ? fat->blockCount : fat->modeCount;
}

static supLoopGroup supGetLoopGroup( const supFat* fat, const supFatLoop* loop, int32_t b )
{
    if ( supIsCoupled( fat ) )
    {
        return ( supLoopGroup ){ (size_t)fat->blockStarts[b], (size_t)supBlockSize( fat, b ),
            loop->flow + 4 * supSquareStart( fat, b ) };
    }
    return ( supLoopGroup ){ (size_t)b, 1, loop->flow + 4 * (ptrdiff_t)b };
}

static supFatLoop supFatLoop_In( const supFat* fat, void* block, size_t* size )
{
    size_t modes = (size_t)fat->modeCount, all = 2 * modes;
    bool coupled = supIsCoupled( fat );
    size_t numbers = coupled ? supSquareStart( fat, fat->blockCount ) : modes;
    size_t most = 2 * (size_t)( coupled ? supMostOfBlock : 1 );
    supFatLoop loop = { 0 };
    supLayout layout = supLayoutIn( block );
    SUP_PUT_WIDE( &layout, loop.largest, 1 );
    SUP_PUT_WIDE( &layout, loop.start, all );
    SUP_PUT_WIDE( &layout, loop.flow, 4 * numbers );
    // two vectors, two of a block, and room for a system of all of its equations
    SUP_PUT_WIDE( &layout, loop.work, 2 * all + 2 * most + most * ( most + 1 ) );
    *size += ( layout.size + SUP_MAX_ALIGNMENT - 1 ) / SUP_MAX_ALIGNMENT * SUP_MAX_ALIGNMENT;
    return loop;
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
    size_t modes = (size_t)fat->modeCount;
    *loop->largest = 0.0;
    for ( size_t k = 0; k < modes; ++k )
    {
        loop->start[k] = (double)at->q[k];
        loop->start[modes + k] = (double)at->speeds[k] / fat->omegas[k];
    }
    for ( int32_t b = 0; b < supLoopGroupCount( fat ); ++b )
    {
        supLoopGroup block = supGetLoopGroup( fat, loop, b );
        size_t all = 2 * block.size;
        memset( block.flow, 0, sizeof( double ) * all * all );
        for ( size_t i = 0; i < all; ++i )
        {
            block.flow[i * ( all + 1 )] = 1.0;
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

/// rows <- A rows, or A^T rows: of q, or with `omegas` of q', each counted in units of its own omega.
static void supTurnRows( supTurnedShapes turn, bool back, const float* omegas, double* rows, double* work )
{
    size_t modes = turn.size, count = 2 * turn.size;
    memset( work, 0, sizeof( double ) * modes * count );
    for ( size_t k = 0; k < modes; ++k )
    {
        double* to = work + k * count;
        for ( size_t i = 0; i < modes; ++i )
        {
            double share = back ? turn.rows[i * modes + k] : turn.rows[k * modes + i];
            share *= omegas != NULL ? (double)omegas[i] / omegas[k] : 1.0;
            const double* from = rows + i * count;
            for ( size_t j = 0; j < count; ++j )
            {
                to[j] += share * from[j];
            }
        }
    }
    memcpy( rows, work, sizeof( double ) * modes * count );
}

/// rows <- A^T omega^2 A rows, or with omega^-2.
static void supScaleRows( supTurnedShapes turn, bool inverse, const float* omegas, double* rows, double* work )
{
    supTurnRows( turn, false, omegas, rows, work );
    for ( size_t i = 0; i < 2 * turn.size * turn.size; ++i )
    {
        double square = (double)turn.omegas[i / ( 2 * turn.size )] * turn.omegas[i / ( 2 * turn.size )];
        rows[i] = inverse ? rows[i] / square : rows[i] * square;
    }
    supTurnRows( turn, true, omegas, rows, work );
}

static void supStepLoopGroup(
    const supFat* fat, const supFatPlaces* at, const supFatLoop* loop, supLoopGroup block, int32_t b )
{
    const float* omegas = fat->omegas + block.first;
    double* halves[2] = { block.flow, block.flow + 2 * block.size * block.size };
    bool coupled = supIsCoupled( fat ), turned = coupled && at->own->tense;
    for ( int h = 0; h < 2; ++h )
    {
        const float* units = h == 0 ? NULL : omegas;
        if ( coupled && at->own->carried[b] )
        {
            supScaleRows( supOldTurn( fat, at, b ), true, units, halves[h], loop->work );
            supScaleRows( supTenseTurn( fat, at, b ), false, units, halves[h], loop->work );
        }
        if ( turned )
        {
            supTurnRows( supTenseTurn( fat, at, b ), false, units, halves[h], loop->work );
        }
    }
    for ( size_t k = 0; k < block.size; ++k )
    {
        size_t row = 2 * block.size * k;
        supStepRows( fat, at, block.first + k, 2 * block.size, halves[0] + row, halves[1] + row );
    }
    for ( int h = 0; h < 2 && turned; ++h )
    {
        supTurnRows( supTenseTurn( fat, at, b ), true, h == 0 ? NULL : omegas, halves[h], loop->work );
    }
}

static void supStepFatLoop( const supFat* fat, const supFatPlaces* at, const supFatLoop* loop )
{
    double square = 0.0;
    for ( int32_t b = 0; b < supLoopGroupCount( fat ); ++b )
    {
        supStepLoopGroup( fat, at, loop, supGetLoopGroup( fat, loop, b ), b );
    }
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        square += (double)at->q[k] * at->q[k];
    }
    *loop->largest = supMax( *loop->largest, supSqrt( square ) );
}

/// What the start is changed by, into `d`; overwrites the flow. `gap`: q and q' / omega. Gives the vibration that is in
/// resonance, or -1.
static int32_t supSolveFatLoop( const supFat* fat, const supFatLoop* loop, const double* gap, double* d )
{
    size_t modes = (size_t)fat->modeCount;
    int32_t resonant = -1;
    double most = 0.0;
    for ( int32_t b = 0; b < supLoopGroupCount( fat ); ++b )
    {
        supLoopGroup block = supGetLoopGroup( fat, loop, b );
        size_t all = 2 * block.size;
        double *own = loop->work + 4 * modes, *to = own + all, *scratch = to + all;
        for ( size_t i = 0; i < all * all; ++i )
        {
            block.flow[i] = ( i % ( all + 1 ) == 0 ? 1.0 : 0.0 ) - block.flow[i];
        }
        memcpy( own, gap + block.first, sizeof( double ) * block.size );
        memcpy( own + block.size, gap + modes + block.first, sizeof( double ) * block.size );
        double gain = supCloseGap( (int32_t)all, block.flow, own, to, scratch );
        memcpy( d + block.first, to, sizeof( double ) * block.size );
        memcpy( d + modes + block.first, to + block.size, sizeof( double ) * block.size );
        for ( size_t k = 0; k < block.size && gain > SUP_MOST_LOOP_GAIN; ++k )
        {
            double size = own[k] * own[k] + own[block.size + k] * own[block.size + k];
            resonant = size > most ? (int32_t)( block.first + k ) : resonant;
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
