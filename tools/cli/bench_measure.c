// Measuring: cases that take turns in one process.
// SPDX-License-Identifier: MIT
#if defined( __linux__ )
#    define _GNU_SOURCE 1 // sched_setaffinity
#    include <sched.h>
#endif

#include "bench_measure.h"
#include "supple/base.h"
#include "supple/lab/machine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
    sup_mostCases = 32,
    sup_mostRounds = 4000,
    sup_leastRounds = 15,
};

/// A sample shorter than this would measure the clock. Nanoseconds.
static const double sup_shortestSample = 2e4;

double supBenchClock( void )
{
    struct timespec now;
    clock_gettime( CLOCK_MONOTONIC, &now );
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

void supBenchPin( bool pinned )
{
#if defined( __linux__ )
    static cpu_set_t all; // what the process was allowed at the start
    static bool known = false;
    if ( !known )
    {
        known = sched_getaffinity( 0, sizeof( all ), &all ) == 0;
    }
    cpu_set_t one;
    CPU_ZERO( &one );
    for ( int cpu = CPU_SETSIZE - 1; cpu >= 0 && CPU_COUNT( &one ) == 0; --cpu )
    {
        if ( CPU_ISSET( cpu, &all ) )
        {
            CPU_SET( cpu, &one );
        }
    }
    if ( known )
    {
        sched_setaffinity( 0, sizeof( cpu_set_t ), pinned ? &one : &all );
    }
#else
    (void)pinned;
#endif
}

static int supCompareDoubles( const void* a, const void* b )
{
    double x = *(const double*)a, y = *(const double*)b;
    return ( x > y ) - ( x < y );
}

/// Nanoseconds of `repeats` runs.
static double supSample( const supBenchCase* one, supBenchPrepare* prepare, int repeats )
{
    double sum = 0.0, start = supBenchClock();
    for ( int i = 0; i < repeats; ++i )
    {
        if ( prepare != NULL )
        {
            sum += supBenchClock() - start;
            prepare( one->context );
            start = supBenchClock();
        }
        one->run( one->context );
    }
    return sum + ( supBenchClock() - start );
}

void supAddBenchRow( supBench* bench, const supBenchCase* one, double best, double median, double ratio )
{
    json_t* row = json_pack( "{s:s, s:s, s:s, s:f, s:f, s:s}", "scene", one->scene, "what", one->what, "path",
        one->path, "bestNs", best, "medianNs", median, "per", one->per );
    json_object_set_new( row, "versus", ratio > 0.0 ? json_string( one->versus ) : json_null() );
    json_object_set_new( row, "ratio", ratio > 0.0 ? json_real( ratio ) : json_null() );
    json_array_append_new( bench->rows, row );
    if ( !bench->quiet )
    {
        printf( "%-9s %-34s %-14s %12.2f %12.2f ns/%-8s", one->scene, one->what, one->path, best, median, one->per );
        if ( ratio > 0.0 )
        {
            printf( " %6.2fx %s", ratio, one->versus );
        }
        printf( "\n" );
        fflush( stdout );
    }
}

double supLastBenchNs( const supBench* bench, size_t back )
{
    const json_t* row = json_array_get( bench->rows, json_array_size( bench->rows ) - 1 - back );
    return json_real_value( json_object_get( row, "bestNs" ) );
}

static void supAddRow(
    supBench* bench, const supBenchCase* cases, const double* bests, const double* medians, int count, int i )
{
    const supBenchCase* one = cases + i;
    double ratio = 0.0;
    for ( int k = 0; one->versus != NULL && k < count; ++k )
    {
        bool same = strcmp( cases[k].what, one->versus ) == 0;
        ratio = same && ratio == 0.0 ? bests[k] / cases[k].count / ( bests[i] / one->count ) : ratio;
    }
    supAddBenchRow( bench, one, bests[i] / one->count, medians[i] / one->count, ratio );
}

void supMeasurePrepared( supBench* bench, const supBenchCase* cases, supBenchPrepare* const* prepares, int count )
{
    double* samples = malloc( sizeof( double ) * sup_mostRounds * (size_t)count );
    int repeats[sup_mostCases];
    double bests[sup_mostCases], medians[sup_mostCases];
    if ( samples == NULL || count > sup_mostCases )
    {
        free( samples );
        return;
    }
    for ( int i = 0; i < count; ++i )
    {
        supSample( cases + i, prepares[i], 1 ); // the first run brings caches and predictors up
        double once = supSample( cases + i, prepares[i], 1 );
        repeats[i] = once < sup_shortestSample ? (int)( sup_shortestSample / ( once + 10.0 ) ) + 1 : 1;
    }
    double start = supBenchClock();
    int rounds = 0;
    while ( rounds < sup_mostRounds && ( rounds < sup_leastRounds || supBenchClock() - start < 1e9 * bench->seconds ) )
    {
        for ( int i = 0; i < count; ++i )
        {
            samples[i * sup_mostRounds + rounds] = supSample( cases + i, prepares[i], repeats[i] ) / repeats[i];
        }
        ++rounds;
    }
    for ( int i = 0; i < count; ++i )
    {
        double* own = samples + i * sup_mostRounds;
        qsort( own, (size_t)rounds, sizeof( double ), supCompareDoubles );
        bests[i] = own[0];
        medians[i] = own[rounds / 2];
    }
    for ( int i = 0; i < count; ++i )
    {
        supAddRow( bench, cases, bests, medians, count, i );
    }
    free( samples );
}

void supMeasure( supBench* bench, const supBenchCase* cases, int count )
{
    static supBenchPrepare* const none[sup_mostCases];
    supMeasurePrepared( bench, cases, none, count );
}

void* supAllocStaggered( size_t bytes, int turn )
{
    size_t shift = 64 * ( 5 * (size_t)turn + 1 );
    char* block = NULL;
    return posix_memalign( (void**)&block, 4096, bytes + shift + 4096 ) == 0 ? memset( block, 0, bytes + shift ),
           block + shift                                                     : NULL;
}

void supFreeStaggered( void* block, int turn )
{
    if ( block != NULL )
    {
        free( (char*)block - 64 * ( 5 * (size_t)turn + 1 ) );
    }
}

/// The processor's name, without what is not part of it.
static void supProcessorName( char* out, size_t size )
{
    snprintf( out, size, "unknown processor" );
    FILE* file = fopen( "/proc/cpuinfo", "r" );
    char line[512];
    while ( file != NULL && fgets( line, sizeof( line ), file ) != NULL )
    {
        char* colon = strchr( line, ':' );
        if ( strncmp( line, "model name", 10 ) == 0 && colon != NULL )
        {
            line[strcspn( line, "\n" )] = '\0';
            snprintf( out, size, "%s", colon + 2 );
            break;
        }
    }
    if ( file != NULL )
    {
        fclose( file );
    }
}

json_t* supBenchMachine( void )
{
    char name[200];
    supProcessorName( name, sizeof( name ) );
#if defined( __clang__ )
    const char* compiler = "clang " __clang_version__;
#elif defined( __GNUC__ )
    const char* compiler = "gcc " __VERSION__;
#else
    const char* compiler = "unknown compiler";
#endif
    return json_pack( "{s:s, s:i, s:s, s:s, s:s, s:s}", "processor", name, "processors",
        (int)sysconf( _SC_NPROCESSORS_ONLN ), "compiler", compiler, "flags", SUP_BUILD_FLAGS, "simd",
        supSimdName( supBestSimd() ), "version", supVersion() );
}
