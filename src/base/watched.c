// Long work that tells how far it has come, and stops where it is told to.
// SPDX-License-Identifier: MIT
#include "base/watched.h"

#include "base/math.h"

supWatched supStartWatched( const supWatch* watch )
{
    return ( supWatched ){ .watch = *watch, .part = { 0.0, 1.0 }, .stage = "" };
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

supStretch supWatched_Enter( supWatched* watched, double from, double to )
{
    if ( watched == NULL )
    {
        return ( supStretch ){ 0.0, 1.0 };
    }
    supStretch part = watched->part;
    watched->part = ( supStretch ){ part.from + from * part.span, ( to - from ) * part.span };
    return part;
}

void supWatched_Leave( supWatched* watched, supStretch part )
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
