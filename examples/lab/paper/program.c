// What most of these programs need.
// SPDX-License-Identifier: MIT
#include "program.h"

#include <stdio.h>
#include <time.h>

int supFailed( const supError* error )
{
    fprintf( stderr, "%s\n", error->text );
    return 1;
}

double supWallSeconds( void )
{
    struct timespec t;
    clock_gettime( CLOCK_MONOTONIC, &t );
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
