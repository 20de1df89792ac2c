// Supple: two and four doubles at once, for kernels that go along rows. No sum runs across lanes, so every path has the
// same bits.
// SPDX-License-Identifier: MIT
//
// gcc and clang have vectors of their own, which become whatever instructions the file is compiled for; elsewhere, and
// in scalar builds, it is plain arrays. They may lie at any double of an array: *(supFour*)( row + 4 * i ).
#pragma once

#if defined( __GNUC__ ) && !defined( SUP_SCALAR )

typedef double supTwo __attribute__( ( vector_size( 16 ), aligned( 8 ), may_alias ) );
typedef double supFour __attribute__( ( vector_size( 32 ), aligned( 8 ), may_alias ) );

/// x -= factor y
static inline void supTakeTwo( supTwo* x, double factor, const supTwo* y )
{
    *x -= factor * *y;
}

static inline void supTakeFour( supFour* x, double factor, const supFour* y )
{
    *x -= factor * *y;
}

/// x *= factor
static inline void supScaleFour( supFour* x, double factor )
{
    *x *= factor;
}

#else

typedef struct supTwo
{
    double at[2];
} supTwo;

typedef struct supFour
{
    double at[4];
} supFour;

static inline void supTakeTwo( supTwo* x, double factor, const supTwo* y )
{
    x->at[0] -= factor * y->at[0];
    x->at[1] -= factor * y->at[1];
}

static inline void supTakeFour( supFour* x, double factor, const supFour* y )
{
    x->at[0] -= factor * y->at[0];
    x->at[1] -= factor * y->at[1];
    x->at[2] -= factor * y->at[2];
    x->at[3] -= factor * y->at[3];
}

static inline void supScaleFour( supFour* x, double factor )
{
    x->at[0] *= factor;
    x->at[1] *= factor;
    x->at[2] *= factor;
    x->at[3] *= factor;
}

#endif
