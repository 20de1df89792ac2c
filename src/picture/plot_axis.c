// SPDX-License-Identifier: MIT
#include "picture/plot_pen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// "1e-06" is written "1e-6".
static void supShortenExponent( char* text )
{
    char* e = strchr( text, 'e' );
    if ( e == NULL )
    {
        return;
    }
    int exponent = atoi( e + 1 );
    snprintf( e, (size_t)( text + sup_tickText - e ), "e%d", exponent );
}

static void supAddTick( supAxis* axis, double value, double step, bool minor )
{
    if ( axis->tickCount == sup_maxTickCount )
    {
        return;
    }
    supTick* tick = axis->ticks + axis->tickCount++;
    *tick = ( supTick ){ .value = value, .minor = minor };
    double largest = fmax( fabs( axis->lower ), fabs( axis->upper ) );
    if ( minor )
    {
        return;
    }
    if ( axis->logarithmic || largest >= 1e6 || largest < 1e-3 )
    {
        snprintf( tick->text, sizeof( tick->text ), "%.6g", value );
        supShortenExponent( tick->text );
        return;
    }
    int digits = (int)fmax( 0.0, fmin( 9.0, -floor( log10( step ) + 1e-9 ) ) );
    snprintf( tick->text, sizeof( tick->text ), "%.*f", digits, fabs( value ) < 1e-9 * step ? 0.0 : value );
}

static void supMakeLinearTicks( supAxis* axis, int32_t wanted )
{
    double rough = ( axis->upper - axis->lower ) / (double)( wanted > 1 ? wanted : 1 );
    double power = pow( 10.0, floor( log10( rough ) ) ), share = rough / power;
    double step = power * ( share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0 );
    double first = ceil( axis->lower / step - 1e-9 );
    for ( double i = first; i * step <= axis->upper + 1e-9 * step && axis->tickCount < sup_maxTickCount; i += 1.0 )
    {
        supAddTick( axis, i * step, step, false );
    }
}

static void supMakeLogTicks( supAxis* axis, int32_t wanted )
{
    int first = (int)floor( log10( axis->lower ) + 1e-9 ), last = (int)ceil( log10( axis->upper ) - 1e-9 );
    int every = 1 + ( last - first ) / ( 2 * wanted ); // many decades: not all of them get a number
    bool few = last - first <= 1;                      // one decade or two: numbers between as well
    for ( int decade = first; decade <= last; ++decade )
    {
        for ( int k = 1; k < 10; ++k )
        {
            double value = (double)k * pow( 10.0, (double)decade );
            bool numbered = k == 1 ? decade % every == 0 : few && ( k == 2 || k == 5 );
            bool inside = value >= axis->lower * ( 1.0 - 1e-9 ) && value <= axis->upper * ( 1.0 + 1e-9 );
            if ( inside && ( numbered || every == 1 ) )
            {
                supAddTick( axis, value, value, numbered == false );
            }
        }
    }
}

void supAxis_MakeTicks( supAxis* axis, int32_t wanted )
{
    axis->tickCount = 0;
    if ( axis->logarithmic )
    {
        supMakeLogTicks( axis, wanted );
    }
    else
    {
        supMakeLinearTicks( axis, wanted );
    }
}

float supAxis_Place( const supAxis* axis, double value )
{
    double share = axis->logarithmic ? log( value / axis->lower ) / log( axis->upper / axis->lower )
                                     : ( value - axis->lower ) / ( axis->upper - axis->lower );
    return (float)( (double)axis->from + share * (double)( axis->to - axis->from ) );
}
