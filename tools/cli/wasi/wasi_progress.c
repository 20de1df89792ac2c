// What a command is doing, told to the host, which may end it by not coming back; lines as ever where they are asked
// for.
// SPDX-License-Identifier: MIT
#include "../progress.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>

/// The host's own.
extern int supJs_Tell( const char* stage, float done );

double supNowSeconds( void )
{
    struct timespec now;
    clock_gettime( CLOCK_MONOTONIC, &now );
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void supStartProgress( supProgress* progress, const char* command, supProgressForm form )
{
    *progress = ( supProgress ){ .command = command, .form = form, .out = stderr };
}

static void supTellProgress( supProgress* progress, bool renewed )
{
    const double rounding = 1e-5; // of shares that come as floats
    int tenths = (int)( 10.0 * ( progress->share + rounding ) );
    if ( progress->form == sup_progressLines && ( renewed || tenths > progress->tenths ) )
    {
        int percent = (int)( 100.0 * ( progress->share + rounding ) );
        fprintf( progress->out, percent > 0 ? "supple %s: %s, %d%%\n" : "supple %s: %s\n", progress->command,
            progress->stage, percent );
    }
    progress->tenths = tenths;
    supJs_Tell( progress->stage, (float)progress->share );
}

void supProgress_Stage( supProgress* progress, const char* format, ... )
{
    if ( progress == NULL || progress->out == NULL )
    {
        return;
    }
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( progress->stage, sizeof( progress->stage ), format, arguments );
    va_end( arguments );
    progress->share = 0.0;
    supTellProgress( progress, true );
}

void supProgress_Update( supProgress* progress, double share )
{
    if ( progress != NULL && progress->out != NULL )
    {
        progress->share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
        supTellProgress( progress, false );
    }
}

void supProgress_Add( supProgress* progress, double share )
{
    if ( progress != NULL )
    {
        supProgress_Update( progress, progress->share + share );
    }
}

static bool supTellStage( const char* stage, float done, void* user )
{
    supProgress* progress = user;
    if ( strncmp( progress->stage, stage, sizeof( progress->stage ) - 1 ) != 0 )
    {
        supProgress_Stage( progress, "%s", stage );
    }
    supProgress_Update( progress, (double)done );
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
    bool told = progress != NULL && progress->out != NULL;
    return told ? ( supWatch ){ supTellStage, progress } : ( supWatch ){ NULL, NULL };
}

supWatch supProgress_WatchShare( supProgress* progress )
{
    bool told = progress != NULL && progress->out != NULL;
    return told ? ( supWatch ){ supTellShare, progress } : ( supWatch ){ NULL, NULL };
}

void supProgress_Wipe( supProgress* progress )
{
    (void)progress;
}

void supProgress_End( supProgress* progress )
{
    (void)progress;
}

void supProgress_DrawAt( supProgress* progress, double nowSeconds )
{
    (void)progress, (void)nowSeconds;
}
