// SPDX-License-Identifier: MIT
#include "sliders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUP_LEFT 16
#define SUP_STEP 36    // from one to the next
#define SUP_UNIT 75.0f // pixels that a factor of 1 takes

static float supInRange( float factor )
{
    return fmaxf( 0.0f, fminf( factor, 2.0f ) );
}

static const char* supNameOf( const supSliders* sliders, int32_t s )
{
    return supWordFor( sup_wordsRegion, (int32_t)sliders->regions[s] );
}

void supSliders_Add( supSliders* sliders, supRegion region )
{
    bool known = sliders->count == supMostSliders;
    for ( int32_t s = 0; s < sliders->count; ++s )
    {
        known = known || sliders->regions[s] == region;
    }
    if ( !known )
    {
        sliders->regions[sliders->count] = region;
        sliders->factors[sliders->count++] = 1.0f;
    }
}

float supSliders_Factor( const supSliders* sliders, supRegion region )
{
    float factor = 1.0f;
    for ( int32_t s = 0; s < sliders->count; ++s )
    {
        factor = sliders->regions[s] == region ? sliders->factors[s] : factor;
    }
    return factor;
}

bool supSliders_Set( supSliders* sliders, const char* words )
{
    bool found = false;
    for ( int32_t s = 0; s < sliders->count; ++s )
    {
        const char* name = supNameOf( sliders, s );
        size_t length = strlen( name );
        if ( strncmp( words, name, length ) == 0 && words[length] == '=' )
        {
            sliders->factors[s] = supInRange( (float)atof( words + length + 1 ) );
            found = true;
        }
    }
    return found;
}

bool supSliders_Take( supSliders* sliders, const SDL_Event* event )
{
    if ( event->type == SDL_MOUSEBUTTONDOWN && event->button.x < 180 && event->button.y >= SUP_LEFT )
    {
        int at = ( event->button.y - SUP_LEFT ) / SUP_STEP;
        sliders->held = at < sliders->count ? at + 1 : 0;
    }
    else if ( event->type == SDL_MOUSEBUTTONUP )
    {
        sliders->held = 0;
    }
    if ( sliders->held > 0 )
    {
        int x = event->type == SDL_MOUSEMOTION ? event->motion.x : event->button.x;
        sliders->factors[sliders->held - 1] = supInRange( (float)( x - SUP_LEFT ) / SUP_UNIT );
    }
    return sliders->held > 0;
}

void supSliders_Draw( const supSliders* sliders, supCard* card )
{
    for ( int32_t s = 0; s < sliders->count; ++s )
    {
        char line[96];
        float y = (float)( SUP_LEFT + SUP_STEP * s );
        snprintf( line, sizeof( line ), "%s %.2f", supNameOf( sliders, s ), (double)sliders->factors[s] );
        supCard_Words( card, SUP_LEFT, y, line );
        supCard_Bar( card, SUP_LEFT, y + 14.0f, 2.0f * SUP_UNIT, 8.0f, 0.28f );
        supCard_Bar( card, SUP_LEFT, y + 14.0f, SUP_UNIT * sliders->factors[s], 8.0f, 0.7f );
    }
}
