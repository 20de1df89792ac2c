// Every operation of the wide float, for one path. SUP_WIDE_OPS names the function.
// SPDX-License-Identifier: MIT
#include "base/wide.h"
#include "wide_ops.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// What loops are made of

/// The first `count` floats (0 to SUP_WIDTH), zeros behind them; nothing beyond is read
static inline supW supLoadPartW( const float* p, int32_t count )
{
    float lanes[SUP_WIDTH] = { 0.0f };
    memcpy( lanes, p, (size_t)count * sizeof( float ) );
    return supLoadW( lanes );
}

/// Only the first `count` floats are written
static inline void supStorePartW( float* p, supW a, int32_t count )
{
    float lanes[SUP_WIDTH];
    supStoreW( lanes, a );
    memcpy( p, lanes, (size_t)count * sizeof( float ) );
}

/// One float from each index
static inline supW supGatherW( const float* base, const int32_t* indices )
{
    float lanes[SUP_WIDTH];
    for ( int i = 0; i < SUP_WIDTH; ++i )
    {
        lanes[i] = base[indices[i]];
    }
    return supLoadW( lanes );
}

/// Adds item i to lane i % 16. Items that the last 16 lack count as 0.
static inline float supSumFloatsW( const float* values, int32_t count )
{
    supW parts[SUP_PARTS];
    for ( int k = 0; k < SUP_PARTS; ++k )
    {
        parts[k] = supZeroW();
    }
    for ( int32_t i = 0; i < count; i += 16 )
    {
        float block[16] = { 0.0f };
        const float* from = values + i;
        if ( count - i < 16 )
        {
            memcpy( block, from, (size_t)( count - i ) * sizeof( float ) );
            from = block;
        }
        for ( int k = 0; k < SUP_PARTS; ++k )
        {
            parts[k] = supAddW( parts[k], supLoadW( from + k * SUP_WIDTH ) );
        }
    }
    return supSumW( parts );
}

/// Adds a[i] b[i] to lane i % 16
static inline float supDotFloatsW( const float* a, const float* b, int32_t count )
{
    supW parts[SUP_PARTS];
    for ( int k = 0; k < SUP_PARTS; ++k )
    {
        parts[k] = supZeroW();
    }
    for ( int32_t i = 0; i < count; i += 16 )
    {
        float blockA[16] = { 0.0f }, blockB[16] = { 0.0f };
        const float *fromA = a + i, *fromB = b + i;
        if ( count - i < 16 )
        {
            memcpy( blockA, fromA, (size_t)( count - i ) * sizeof( float ) );
            memcpy( blockB, fromB, (size_t)( count - i ) * sizeof( float ) );
            fromA = blockA;
            fromB = blockB;
        }
        for ( int k = 0; k < SUP_PARTS; ++k )
        {
            supW product = supMulW( supLoadW( fromA + k * SUP_WIDTH ), supLoadW( fromB + k * SUP_WIDTH ) );
            parts[k] = supAddW( parts[k], product );
        }
    }
    return supSumW( parts );
}

// ---------------------------------------------------------------------------------------------------------------
// All of it

static void supArithmetic( const supWideCase* ask, float* out, int32_t i )
{
    int32_t n = ask->count;
    supW a = supLoadW( ask->a + i ), b = supLoadW( ask->b + i ), c = supLoadW( ask->c + i );
    supStoreW( out + sup_wideAdd * n + i, supAddW( a, b ) );
    supStoreW( out + sup_wideSub * n + i, supSubW( a, b ) );
    supStoreW( out + sup_wideMul * n + i, supMulW( a, b ) );
    supStoreW( out + sup_wideDiv * n + i, supDivW( a, b ) );
    supStoreW( out + sup_wideMin * n + i, supMinW( a, b ) );
    supStoreW( out + sup_wideMax * n + i, supMaxW( a, b ) );
    supStoreW( out + sup_wideSqrt * n + i, supSqrtW( a ) );
    supStoreW( out + sup_wideAbs * n + i, supAbsW( a ) );
    supStoreW( out + sup_wideNeg * n + i, supNegW( a ) );
    supStoreW( out + sup_wideMulAdd * n + i, supMulAddW( a, b, c ) );
    supStoreW( out + sup_wideFma * n + i, supFmaW( a, b, c ) );
}

static void supChoices( const supWideCase* ask, float* out, int32_t i )
{
    int32_t n = ask->count;
    supW a = supLoadW( ask->a + i ), b = supLoadW( ask->b + i ), c = supLoadW( ask->c + i );
    supStoreW( out + sup_wideLess * n + i, supBlendW( supLessW( a, b ), a, c ) );
    supStoreW( out + sup_wideLessEqual * n + i, supBlendW( supLessEqualW( a, b ), a, c ) );
    supStoreW( out + sup_wideEqual * n + i, supBlendW( supEqualW( a, b ), a, c ) );
    supMaskW mask = supOrW( supAndW( supLessW( a, b ), supNotW( supLessEqualW( a, c ) ) ), supEqualW( b, c ) );
    supStoreW( out + sup_wideMasks * n + i, supBlendW( mask, a, b ) );

    int32_t indices[SUP_WIDTH];
    for ( int32_t k = 0; k < SUP_WIDTH; ++k )
    {
        indices[k] = ( 7 * ( i + k ) ) % n;
    }
    supStoreW( out + sup_wideGather * n + i, supGatherW( ask->a, indices ) );

    supW four[4];
    for ( int32_t k = 0; k < SUP_WIDTH; ++k )
    {
        indices[k] = ( 12 * ( i + k ) ) % ( n - 3 );
    }
    supGather4W( ask->a, indices, four );
    float lanes[4][SUP_WIDTH];
    for ( int32_t k = 0; k < 4; ++k )
    {
        supStoreW( lanes[k], four[k] );
    }
    for ( int32_t k = 0; k < SUP_WIDTH; ++k )
    {
        out[sup_wideGather4 * n + i + k] = lanes[( i + k ) % 4][k];
    }

    // As many floats as the group's number says, which differs by path; so what comes out is a on every path, or 12345
    // where a lane behind the part is not zero.
    int32_t count = ( i / 16 ) % ( SUP_WIDTH + 1 );
    supW part = supLoadPartW( ask->a + i, count );
    uint32_t zeros = supBitsW( supEqualW( part, supZeroW() ) ) >> count;
    bool filled = zeros == ( 1u << ( SUP_WIDTH - count ) ) - 1u;
    supStoreW( out + sup_widePart * n + i, filled ? a : supSplatW( 12345.0f ) );
    supStorePartW( out + sup_widePart * n + i, part, count );
}

static void supMaskBits( const supWideCase* ask, uint32_t* masks, int32_t group )
{
    uint32_t bits = 0;
    bool any = false, all = true;
    for ( int32_t k = 0; k < 16; k += SUP_WIDTH )
    {
        supMaskW mask = supLessW( supLoadW( ask->a + 16 * group + k ), supLoadW( ask->b + 16 * group + k ) );
        bits |= supBitsW( mask ) << k;
        any = any || supAnyW( mask );
        all = all && supAllW( mask );
    }
    masks[group] = bits | ( any ? 1u << 16 : 0 ) | ( all ? 1u << 17 : 0 );
}

void SUP_WIDE_OPS( const supWideCase* ask, supWideAnswers* answers )
{
    int32_t n = ask->count;
    for ( int32_t i = 0; i < n; i += SUP_WIDTH )
    {
        supArithmetic( ask, answers->out, i );
        supChoices( ask, answers->out, i );
    }
    for ( int32_t i = 0; i < n; i += 3 * SUP_WIDTH )
    {
        supW x, y, z;
        supLoad3W( ask->a + i, &x, &y, &z );
        supStore3W( answers->out + sup_wideVectors * n + i, z, supAddW( x, y ), supNegW( y ) );
    }
    for ( int32_t group = 0; group < n / 16; ++group )
    {
        supMaskBits( ask, answers->masks, group );
    }
    for ( int32_t length = 0; length < 100; ++length )
    {
        answers->sums[2 * length] = supSumFloatsW( ask->c, length );
        answers->sums[2 * length + 1] = supDotFloatsW( ask->c, ask->c + 1, length );
    }
}
