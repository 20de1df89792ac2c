// What a command is doing, for whoever waits for it.
// SPDX-License-Identifier: MIT
//
// The bar is drawn by a thread of its own, so that it lives on through work that tells nothing for a while, and so that
// telling costs nothing but a lock. Lines are written by whoever tells, in order.
#include "progress.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
    sup_barWidth = 32,
    sup_mostBesideBar = 24, // columns of a stage: with the bar and the time left it fits into 80
    sup_mostAlone = 60,
};

static const double supQuiet = 1.0;   // seconds before there is a bar
static const double supRenewal = 0.1; // seconds between two drawings, at least
static const long supTickNanos = 200000000;

double supNowSeconds( void )
{
    struct timespec now;
    clock_gettime( CLOCK_MONOTONIC, &now );
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool supIsTold( const supProgress* progress )
{
    return progress != NULL && progress->out != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// The bar

/// How many bytes of a text fill so many columns, a column a character; half of a character (UTF-8) is not taken.
static int supFitText( const char* text, int columns )
{
    int end = 0;
    for ( int i = 0; i < columns && text[end] != '\0'; ++i )
    {
        unsigned char lead = (unsigned char)text[end];
        int bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
        if ( (int)strnlen( text + end, (size_t)bytes ) < bytes )
        {
            break;
        }
        end += bytes;
    }
    return end;
}

static void supDrawBar( const supProgress* progress, double elapsed )
{
    char bar[sup_barWidth + 1];
    double share = progress->share;
    if ( share < 0.0 )
    {
        int fits = supFitText( progress->stage, sup_mostAlone );
        fprintf(
            progress->out, elapsed >= 1.0 ? "\r%.*s, %.0f s\033[K" : "\r%.*s\033[K", fits, progress->stage, elapsed );
        fflush( progress->out );
        return;
    }
    for ( int i = 0; i < sup_barWidth; ++i )
    {
        bar[i] = i < (int)( share * sup_barWidth ) ? '#' : '.';
    }
    bar[sup_barWidth] = '\0';
    int fits = supFitText( progress->stage, sup_mostBesideBar );
    fprintf( progress->out, "\r%-15.*s [%s] %3d%%", fits, progress->stage, bar, (int)( share * 100.0 ) );
    // as it looked when the share last grew, less the time since: what stands still does not seem to run away
    double grown = progress->grownSeconds - progress->stageSeconds;
    double left = share > 0.05 ? grown * ( 1.0 - share ) / share - ( elapsed - grown ) : 0.0;
    if ( left >= 1.0 )
    {
        fprintf( progress->out, ", %.0f s left", left );
    }
    fputs( "\033[K", progress->out );
    fflush( progress->out );
}

static void supDrawLocked( supProgress* progress, double now )
{
    bool tooSoon = progress->shown && now - progress->shownSeconds < supRenewal;
    if ( progress->stage[0] != '\0' && now - progress->startSeconds >= supQuiet && !tooSoon )
    {
        supDrawBar( progress, now - progress->stageSeconds );
        progress->shownSeconds = now;
        progress->shown = true;
    }
}

static void supWipeLocked( supProgress* progress )
{
    if ( progress->shown )
    {
        fputs( "\r\033[K", progress->out );
        fflush( progress->out );
        progress->shown = false;
    }
}

void supProgress_DrawAt( supProgress* progress, double nowSeconds )
{
    pthread_mutex_lock( &progress->lock );
    supDrawLocked( progress, nowSeconds );
    pthread_mutex_unlock( &progress->lock );
}

static void* supTick( void* user )
{
    supProgress* progress = user;
    pthread_mutex_lock( &progress->lock );
    while ( !progress->ends )
    {
        struct timespec until;
        clock_gettime( CLOCK_REALTIME, &until );
        until.tv_nsec += supTickNanos;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait( &progress->wake, &progress->lock, &until );
        if ( !progress->ends )
        {
            supDrawLocked( progress, supNowSeconds() );
        }
    }
    pthread_mutex_unlock( &progress->lock );
    return NULL;
}

/// Ctrl-C leaves no half of a bar before the prompt. The signal then does what it would have done.
static void supWipeAtSignal( int number )
{
    (void)!write( STDERR_FILENO, "\r\033[K", 4 );
    raise( number ); // by default now, as soon as this returns
}

static const int sup_endingSignals[sup_endingCount] = { SIGINT, SIGTERM };

static void supCatchSignals( supProgress* progress )
{
    struct sigaction action = { .sa_handler = supWipeAtSignal, .sa_flags = (int)SA_RESETHAND };
    sigemptyset( &action.sa_mask );
    for ( int i = 0; i < sup_endingCount; ++i )
    {
        sigaction( sup_endingSignals[i], NULL, progress->before + i );
        if ( progress->before[i].sa_handler == SIG_DFL ) // whoever ignores it goes on doing so
        {
            sigaction( sup_endingSignals[i], &action, NULL );
        }
    }
}

static void supGiveSignalsBack( const supProgress* progress )
{
    for ( int i = 0; i < sup_endingCount; ++i )
    {
        sigaction( sup_endingSignals[i], progress->before + i, NULL );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What is told

void supStartProgress( supProgress* progress, const char* command, supProgressForm form )
{
    bool told = form == sup_progressLines || isatty( STDERR_FILENO ) == 1;
    *progress = ( supProgress ){ .command = command, .form = form, .out = told ? stderr : NULL, .share = -1.0 };
    progress->startSeconds = progress->stageSeconds = supNowSeconds();
    if ( told )
    {
        pthread_mutex_init( &progress->lock, NULL );
        pthread_cond_init( &progress->wake, NULL );
        progress->catches = form != sup_progressLines;
        if ( progress->catches )
        {
            supCatchSignals( progress );
        }
        // without a thread it is renewed by hand
        progress->ticks = form == sup_progressBar && pthread_create( &progress->ticker, NULL, supTick, progress ) == 0;
    }
}

/// `renewed`: the stage is another one than before.
static void supShowLocked( supProgress* progress, bool renewed )
{
    const double rounding = 1e-5; // of shares that come as floats
    double share = progress->share > 0.0 ? progress->share + rounding : 0.0;
    int tenths = (int)( 10.0 * share );
    if ( progress->form == sup_progressLines && ( renewed || tenths > progress->tenths ) )
    {
        int percent = (int)( 100.0 * share );
        int fits = supFitText( progress->stage, (int)sizeof( progress->stage ) );
        fprintf( progress->out, percent > 0 ? "supple %s: %.*s, %d%%\n" : "supple %s: %.*s\n", progress->command, fits,
            progress->stage, percent );
    }
    else if ( progress->form != sup_progressLines && !progress->ticks )
    {
        supDrawLocked( progress, supNowSeconds() );
    }
    progress->tenths = tenths;
}

static double supWithinOne( double share )
{
    return share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
}

static void supSetShare( supProgress* progress, double share )
{
    double before = progress->share;
    progress->share = supWithinOne( share );
    progress->grownSeconds = progress->share > before ? supNowSeconds() : progress->grownSeconds;
}

void supProgress_Stage( supProgress* progress, const char* format, ... )
{
    if ( !supIsTold( progress ) )
    {
        return;
    }
    va_list arguments;
    va_start( arguments, format );
    pthread_mutex_lock( &progress->lock );
    vsnprintf( progress->stage, sizeof( progress->stage ), format, arguments );
    progress->share = -1.0;
    progress->stageSeconds = progress->grownSeconds = supNowSeconds();
    supShowLocked( progress, true );
    pthread_mutex_unlock( &progress->lock );
    va_end( arguments );
}

void supProgress_Update( supProgress* progress, double share )
{
    if ( supIsTold( progress ) )
    {
        pthread_mutex_lock( &progress->lock );
        supSetShare( progress, share );
        supShowLocked( progress, false );
        pthread_mutex_unlock( &progress->lock );
    }
}

void supProgress_Add( supProgress* progress, double share )
{
    if ( supIsTold( progress ) )
    {
        pthread_mutex_lock( &progress->lock );
        supSetShare( progress, supWithinOne( progress->share ) + share );
        supShowLocked( progress, false );
        pthread_mutex_unlock( &progress->lock );
    }
}

static bool supTellStage( const char* stage, float done, void* user )
{
    supProgress* progress = user;
    if ( supIsTold( progress ) )
    {
        pthread_mutex_lock( &progress->lock );
        bool renewed = strcmp( progress->stage, stage ) != 0;
        snprintf( progress->stage, sizeof( progress->stage ), "%s", stage );
        supSetShare( progress, (double)done );
        supShowLocked( progress, renewed );
        pthread_mutex_unlock( &progress->lock );
    }
    return true;
}

static bool supTellShare( const char* stage, float done, void* user )
{
    (void)stage;
    supProgress_Update( user, (double)done );
    return true;
}

supWatch supProgress_Watch( supProgress* progress )
{
    if ( supIsTold( progress ) )
    {
        pthread_mutex_lock( &progress->lock );
        progress->stageSeconds = supNowSeconds();
        progress->tenths = 0;
        pthread_mutex_unlock( &progress->lock );
    }
    return ( supWatch ){ supTellStage, progress };
}

supWatch supProgress_WatchShare( supProgress* progress )
{
    return ( supWatch ){ supTellShare, progress };
}

void supProgress_Wipe( supProgress* progress )
{
    if ( supIsTold( progress ) )
    {
        pthread_mutex_lock( &progress->lock );
        supWipeLocked( progress );
        pthread_mutex_unlock( &progress->lock );
    }
}

void supProgress_End( supProgress* progress )
{
    if ( !supIsTold( progress ) )
    {
        return;
    }
    pthread_mutex_lock( &progress->lock );
    progress->ends = true;
    pthread_cond_signal( &progress->wake );
    pthread_mutex_unlock( &progress->lock );
    if ( progress->ticks )
    {
        pthread_join( progress->ticker, NULL );
    }
    supWipeLocked( progress );
    if ( progress->catches )
    {
        supGiveSignalsBack( progress );
    }
    pthread_cond_destroy( &progress->wake );
    pthread_mutex_destroy( &progress->lock );
    progress->out = NULL;
}
