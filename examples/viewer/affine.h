// Vectors and affine maps, as much of them as the viewer needs.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

#include <math.h>
#include <string.h>

static inline supVec3 supMix( supVec3 a, supVec3 b, float t )
{
    return ( supVec3 ){ a.x + t * ( b.x - a.x ), a.y + t * ( b.y - a.y ), a.z + t * ( b.z - a.z ) };
}

static inline float supDotOf( supVec3 a, supVec3 b )
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline supVec3 supTimesOf( supVec3 a, float s )
{
    return ( supVec3 ){ a.x * s, a.y * s, a.z * s };
}

static inline supVec3 supCrossOf( supVec3 a, supVec3 b )
{
    return ( supVec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline supVec3 supTurned( const supMat34* m, supVec3 p )
{
    return ( supVec3 ){ m->x.x * p.x + m->y.x * p.y + m->z.x * p.z, m->x.y * p.x + m->y.y * p.y + m->z.y * p.z,
        m->x.z * p.x + m->y.z * p.y + m->z.z * p.z };
}

static inline supMat34 supTimesMat( const supMat34* a, const supMat34* b )
{
    supVec3 t = supTurned( a, b->t );
    return ( supMat34 ){ supTurned( a, b->x ), supTurned( a, b->y ), supTurned( a, b->z ),
        { t.x + a->t.x, t.y + a->t.y, t.z + a->t.z } };
}

/// The inverse of a matrix without a skew or a mirror in it, whatever its scale.
static inline supMat34 supBackOf( const supMat34* m )
{
    supVec3 x = supCrossOf( m->y, m->z ), y = supCrossOf( m->z, m->x ), z = supCrossOf( m->x, m->y );
    float s = 1.0f / fmaxf( supDotOf( m->x, x ), 1e-30f );
    supMat34 back = { { x.x * s, y.x * s, z.x * s }, { x.y * s, y.y * s, z.y * s }, { x.z * s, y.z * s, z.z * s },
        { 0.0f, 0.0f, 0.0f } };
    back.t = supTimesOf( supTurned( &back, m->t ), -1.0f );
    return back;
}

/// World space to the screen, by columns: from `away` metres, turned about the vertical and tilted, in radians.
static inline void supLookAt( supVec3 middle, float turn, float tilt, float away, float aspect, float view[16] )
{
    float near = 0.02f * away, far = 20.0f * away, focus = 2.2f, depth = -( far + near ) / ( far - near );
    float st = sinf( turn ), ct = cosf( turn ), su = sinf( tilt ), cu = cosf( tilt );
    supVec3 back = { st * cu, su, ct * cu }, right = { ct, 0.0f, -st }, up = supCrossOf( back, right );
    supVec3 eye = { middle.x + away * back.x, middle.y + away * back.y, middle.z + away * back.z };
    const supVec3 axes[4] = { supTimesOf( right, focus / aspect ), supTimesOf( up, focus ), supTimesOf( back, depth ),
        supTimesOf( back, -1.0f ) };
    for ( int r = 0; r < 4; ++r )
    {
        float shift = -supDotOf( axes[r], eye ) - ( r == 2 ? 2.0f * far * near / ( far - near ) : 0.0f );
        const float row[4] = { axes[r].x, axes[r].y, axes[r].z, shift };
        for ( int c = 0; c < 4; ++c )
        {
            view[4 * c + r] = row[c];
        }
    }
}

/// As the card reads it: three rows of four.
static inline void supSetRows( float* to, const supMat34* m )
{
    const float rows[12] = { m->x.x, m->y.x, m->z.x, m->t.x, m->x.y, m->y.y, m->z.y, m->t.y, m->x.z, m->y.z, m->z.z,
        m->t.z };
    memcpy( to, rows, sizeof( rows ) );
}
