// Rays that follow an implicit surface.
// SPDX-License-Identifier: MIT
//
// A ray is inside the surface before its hit and outside after it. From the last hit a secant step is made with the
// slope that was found last; once one point inside and one outside are known, the root stays between them, and where
// the secant would leave them the middle is taken. Far from every surface the value is flat and says only which way to
// go: there the steps are of a fixed length. A ray that reaches the end of its range has lost the surface.

#include "layers/muscles/ecorche_data.h"

#include "base/math.h"

#include <string.h>

enum
{
    supMostLooks = 28,
};

/// Longest step without a bracket, in t.
static const float supLongestStep = 0.06f;
/// A value this near to that of nothing, or of a single piece's core, has no slope worth trusting.
static const float supFlat = 0.495f;
/// Only a value this small may be the surface; elsewhere steps are so many of the least at least.
static const float supNearValue = 0.05f, supLeastSteps = 4.0f;
/// A slope that is less steep is none.
static const float supLevel = -0.5f;
/// A slope is that of the place itself where it was taken over no more than so many least steps.
static const float supLocalSteps = 16.0f;

/// One ray on its way.
typedef struct supRayWalk
{
    float low, high;       ///< range
    float start;           ///< the last frame's
    float inside, outside; ///< the bracket; NaN: not known
    float before, value;   ///< t and value of the last look
    bool looked, done;
} supRayWalk;

supImplicitBatch supPointsOn( const supRayBatch* rays, const float t[SUP_IMPLICIT_LANES] )
{
    supImplicitBatch points;
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        points.x[i] = rays->from.x[i] + t[i] * rays->way.x[i];
        points.y[i] = rays->from.y[i] + t[i] * rays->way.y[i];
        points.z[i] = rays->from.z[i] + t[i] * rays->way.z[i];
    }
    return points;
}

/// The density of implicit_surface.h, of what fills the way.
static float supFillDensity( float t, float filled, float soft )
{
    float x = supClampF( ( t - filled ) / soft, -1.0f, 1.0f ), xx = x * x;
    return 0.5f - 0.0625f * ( x * ( ( 3.0f * xx - 10.0f ) * xx + 15.0f ) );
}

void supRayValues( const supRayBatch* rays, const float t[SUP_IMPLICIT_LANES], const supImplicitReady* pieces,
    const supImplicitEntry* list, int32_t count, float values[SUP_IMPLICIT_LANES] )
{
    supImplicitBatch points = supPointsOn( rays, t );
    supImplicit_Value( pieces, list, count, &points, values );
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        values[i] += rays->filled[i] > 0.0f ? supFillDensity( t[i], rays->filled[i], rays->soft[i] ) : 0.0f;
    }
}

/// The next t after a look that gave `value`; done or lost where that is said.
static float supNextPlace( supRayWalk* walk, float t, float value, float least, float* slope, bool* found )
{
    if ( value > 0.0f )
    {
        walk->inside = t;
    }
    else
    {
        walk->outside = t;
    }
    bool isFirst = !walk->looked;
    bool close = supAbsF( t - walk->before ) <= supLocalSteps * least;
    float rise = walk->looked && t != walk->before ? ( value - walk->value ) / ( t - walk->before ) : 0.0f;
    *slope = rise < 0.0f ? rise : *slope;
    walk->before = t;
    walk->value = value;
    walk->looked = true;
    bool bracketed = walk->inside == walk->inside && walk->outside == walk->outside;
    bool level = walk->looked && !isFirst && !( rise < supLevel ); // grazes: the surface is farther on
    float step = *slope < 0.0f && !level ? -value / *slope : value > 0.0f ? supLongestStep : -supLongestStep;
    step = supClampF( step, -supLongestStep, supLongestStep );
    if ( !bracketed && ( value > supFlat || value < -supFlat ) )
    {
        step = value > 0.0f ? supLongestStep : -supLongestStep;
    }
    // a slope of another frame, or from far away, says nothing about this place (a ray that grazes has the surface
    // elsewhere): another look is taken, a little farther on
    bool near = !isFirst && close && value < supNearValue && value > -supNearValue;
    step = near || supAbsF( step ) >= supLeastSteps * least ? step
           : value > 0.0f                                   ? supLeastSteps * least
                                                            : -supLeastSteps * least;
    float next = t + step;
    bool held = near && !level && supAbsF( step ) < least;
    if ( !held && bracketed && !( ( next - walk->inside ) * ( walk->outside - next ) > 0.0f ) )
    {
        next = 0.5f * ( walk->inside + walk->outside );
    }
    if ( held || ( bracketed && supAbsF( walk->outside - walk->inside ) < least ) )
    {
        walk->done = true;
        *found = true;
        return supAbsF( next - walk->start ) < least ? walk->start : next; // what still holds stays, bit for bit
    }
    if ( ( next < walk->low && t <= walk->low ) || ( next > walk->high && t >= walk->high ) || !( next == next ) )
    {
        walk->done = true; // nothing in its range
    }
    return supClampF( next, walk->low, walk->high );
}

int32_t supFollowRays( const supRayBatch* rays, const supImplicitReady* pieces, const supImplicitEntry* list,
    int32_t count, const float low[SUP_IMPLICIT_LANES], const float high[SUP_IMPLICIT_LANES], supRayHits* hits )
{
    supRayWalk walks[SUP_IMPLICIT_LANES];
    float t[SUP_IMPLICIT_LANES], values[SUP_IMPLICIT_LANES], nothing = (float)( supInfinity() - supInfinity() );
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        walks[i] = ( supRayWalk ){ .low = low[i], .high = high[i], .inside = nothing, .outside = nothing };
        t[i] = walks[i].start = supClampF( hits->t[i], low[i], high[i] );
        hits->found[i] = false;
    }
    int32_t looks = 0;
    for ( bool goesOn = true; goesOn && looks < supMostLooks; ++looks )
    {
        supRayValues( rays, t, pieces, list, count, values );
        goesOn = false;
        for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
        {
            if ( !walks[i].done )
            {
                t[i] = supNextPlace( walks + i, t[i], values[i], rays->steps[i], hits->slopes + i, hits->found + i );
            }
            goesOn = goesOn || !walks[i].done;
        }
    }
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        hits->t[i] = hits->found[i] ? t[i] : hits->t[i];
    }
    return looks;
}

void supCatchRays( const supRayBatch* rays, const supImplicitReady* pieces, const supImplicitEntry* list, int32_t count,
    float low, float high, int32_t steps, supRayHits* hits )
{
    float t[SUP_IMPLICIT_LANES], values[SUP_IMPLICIT_LANES], lows[SUP_IMPLICIT_LANES], highs[SUP_IMPLICIT_LANES];
    bool caught[SUP_IMPLICIT_LANES] = { false };
    float step = ( high - low ) / (float)steps;
    for ( int32_t k = 0; k <= steps; ++k )
    {
        for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
        {
            t[i] = high - step * (float)k;
        }
        supRayValues( rays, t, pieces, list, count, values );
        for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
        {
            if ( !caught[i] && values[i] > 0.0f )
            {
                caught[i] = true;
                lows[i] = t[i];
                highs[i] = k == 0 ? t[i] : t[i] + 1.5f * step; // the root may lie on the next place itself
            }
        }
    }
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        lows[i] = caught[i] ? lows[i] : low;
        highs[i] = caught[i] ? highs[i] : low;
        hits->t[i] = lows[i];
        hits->slopes[i] = -10.0f;
    }
    supFollowRays( rays, pieces, list, count, lows, highs, hits );
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        hits->found[i] = hits->found[i] && caught[i];
    }
}
