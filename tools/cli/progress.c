// A progress bar for terminals.
// SPDX-License-Identifier: MIT
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum
{
    sup_barWidth = 32
};

static double supNowSeconds( void )
{
    struct timespec now;
    clock_gettime( CLOCK_MONOTONIC, &now );
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

supProgress supStartProgress( const char* label )
{
    supProgress progress = { .label = label };
    progress.enabled = isatty( STDERR_FILENO ) == 1;
    progress.startSeconds = progress.enabled ? supNowSeconds() : 0.0;
    return progress;
}

static void supDrawBar( const supProgress* progress, double share, double elapsed )
{
    char bar[sup_barWidth + 1];
    int filled = (int)( share * sup_barWidth );
    for ( int i = 0; i < sup_barWidth; ++i )
    {
        bar[i] = i < filled ? '#' : '.';
    }
    bar[sup_barWidth] = '\0';
    double left = share > 0.01 ? elapsed * ( 1.0 - share ) / share : 0.0;
    fprintf( stderr, "\r%s [%s] %3d%%", progress->label, bar, (int)( share * 100.0 ) );
    fprintf( stderr, left >= 1.0 ? ", %.0f s left\033[K" : "\033[K", left );
    fflush( stderr );
}

void supProgress_Update( supProgress* progress, double share )
{
    if ( progress->enabled == false )
    {
        return;
    }
    double now = supNowSeconds();
    double elapsed = now - progress->startSeconds;
    if ( elapsed < 1.0 || now - progress->shownSeconds < 0.1 )
    {
        return;
    }
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    supDrawBar( progress, share, elapsed );
    progress->shownSeconds = now;
    progress->shown = true;
}

void supProgress_End( supProgress* progress )
{
    if ( progress->shown )
    {
        fputs( "\r\033[K", stderr );
        fflush( stderr );
        progress->shown = false;
    }
}
