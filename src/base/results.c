// Supple: results and their words.
// SPDX-License-Identifier: MIT

#include "base/math.h"
#include "base/names.h"
#include "base/watched.h"
#include "supple/base.h"

#include <stdarg.h>
#include <stdio.h>

const char* supResultText( supResult result )
{
    switch ( result )
    {
        case sup_success:
            return "success";
        case sup_errorMemory:
            return "out of memory";
        case sup_errorArgument:
            return "argument error";
        case sup_errorFile:
            return "file error";
        case sup_errorFormat:
            return "format error";
        case sup_errorData:
            return "data error";
        case sup_errorUnsupported:
            return "not supported";
        case sup_errorNotFound:
            return "not found";
        case sup_errorLimit:
            return "limit exceeded";
        case sup_errorCanceled:
            return "canceled";
    }
    return "unknown result";
}

// A text that was cut off in the middle of a UTF-8 character would be refused by terminals and JSON readers: take
// the rest of that character away as well.
static void supTrimUtf8( char* text, size_t length )
{
    size_t start = length;
    while ( start > 0 && ( (unsigned char)text[start - 1] & 0xC0u ) == 0x80u )
    {
        start -= 1;
    }
    if ( start == 0 )
    {
        return;
    }
    unsigned char lead = (unsigned char)text[start - 1];
    size_t wanted = lead >= 0xF0u ? 4 : lead >= 0xE0u ? 3 : lead >= 0xC0u ? 2 : 1;
    if ( lead >= 0xC0u && length - ( start - 1 ) < wanted )
    {
        text[start - 1] = '\0';
    }
}

supResult supFail( supError* error, supResult code, const char* format, ... )
{
    if ( error == NULL )
    {
        return code;
    }
    error->code = code;
    va_list arguments;
    va_start( arguments, format );
    int length = vsnprintf( error->text, sizeof( error->text ), format, arguments );
    va_end( arguments );
    if ( length < 0 )
    {
        // A format that the C library refuses still leaves words behind.
        snprintf( error->text, sizeof( error->text ), "%s", supResultText( code ) );
    }
    else if ( (size_t)length >= sizeof( error->text ) )
    {
        supTrimUtf8( error->text, sizeof( error->text ) - 1 );
    }
    supTakeControlsOut( error->text, ' ' );
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// The library's version.

#define SUP_TEXT_OF( number ) #number
#define SUP_VERSION_TEXT( major, minor, patch ) SUP_TEXT_OF( major ) "." SUP_TEXT_OF( minor ) "." SUP_TEXT_OF( patch )

const char* supVersion( void )
{
    return SUP_VERSION_TEXT( SUP_VERSION_MAJOR, SUP_VERSION_MINOR, SUP_VERSION_PATCH );
}

// ---------------------------------------------------------------------------------------------------------------
// Long work that tells how far it has come, and stops where it is told to.

supWatched supStartWatched( const supWatch* watch )
{
    return (
        supWatched ){ .watch = watch != NULL ? *watch : ( supWatch ){ NULL, NULL }, .part = { 0.0, 1.0 }, .stage = "" };
}

bool supWatched_Tell( supWatched* watched, const char* stage, double done )
{
    if ( watched == NULL || watched->watch.tell == NULL || watched->stopped )
    {
        return watched == NULL || !watched->stopped;
    }
    double whole = watched->part.from + watched->part.span * supClamp( done, 0.0, 1.0 );
    watched->last = supMax( watched->last, supMin( whole, 1.0 ) );
    watched->stage = stage != NULL ? stage : watched->stage;
    watched->stopped = !watched->watch.tell( watched->stage, (float)watched->last, watched->watch.user );
    return !watched->stopped;
}

supWatchedShare supWatched_Enter( supWatched* watched, double from, double to )
{
    if ( watched == NULL )
    {
        return ( supWatchedShare ){ 0.0, 1.0 };
    }
    supWatchedShare part = watched->part;
    watched->part = ( supWatchedShare ){ part.from + from * part.span, ( to - from ) * part.span };
    return part;
}

void supWatched_Leave( supWatched* watched, supWatchedShare part )
{
    if ( watched != NULL )
    {
        watched->part = part;
    }
}

supResult supWatched_End( const supWatched* watched, supResult result, supError* error )
{
    return watched->stopped ? supFail( error, sup_errorCanceled, "stopped on request at %s", watched->stage ) : result;
}
