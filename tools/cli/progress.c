// A progress bar for terminals.
// SPDX-License-Identifier: MIT
#include "progress.h"

#include <time.h>
#include <unistd.h>

enum
{
    sup_barWidth = 32
};

double supNowSeconds( void )
{
    struct timespec now;
    clock_gettime( CLOCK_MONOTONIC, &now );
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

supProgress supStartProgress( const char* label )
{
    supProgress progress = { .label = label };
    if ( isatty( STDERR_FILENO ) == 1 )
    {
        progress.out = stderr;
        progress.startSeconds = supNowSeconds();
    }
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
    fprintf( progress->out, "\r%s [%s] %3d%%", progress->label, bar, (int)( share * 100.0 ) );
    double left = share > 0.01 ? elapsed * ( 1.0 - share ) / share : 0.0;
    if ( left >= 1.0 )
    {
        fprintf( progress->out, ", %.0f s left", left );
    }
    fputs( "\033[K", progress->out );
    fflush( progress->out );
}

void supProgress_UpdateAt( supProgress* progress, double share, double nowSeconds )
{
    double elapsed = nowSeconds - progress->startSeconds;
    bool tooSoon = progress->shown && nowSeconds - progress->shownSeconds < 0.1;
    if ( progress->out == NULL || elapsed < 1.0 || tooSoon )
    {
        return;
    }
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    supDrawBar( progress, share, elapsed );
    progress->shownSeconds = nowSeconds;
    progress->shown = true;
}

void supProgress_Update( supProgress* progress, double share )
{
    if ( progress->out != NULL )
    {
        supProgress_UpdateAt( progress, share, supNowSeconds() );
    }
}

void supProgress_End( supProgress* progress )
{
    if ( progress->shown )
    {
        fputs( "\r\033[K", progress->out );
        fflush( progress->out );
        progress->shown = false;
    }
}
