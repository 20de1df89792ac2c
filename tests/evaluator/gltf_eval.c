// gltf-eval: what the independent evaluator sees in a file, and where it puts the vertices.

#include "evaluator.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct evalOptions
{
    const char* path;
    const char* clip;
    const char* times;
    const char* out;
    double fps;
    int isJson;
} evalOptions;

static const char evalUsage[] =
    "usage: gltf-eval FILE [--clip NAME|INDEX] [--times T0,T1,...|--fps N] [--json] [--out FILE.f64]\n"
    "Prints counts, clips and draws; with --times or --fps the box around all vertices at each time (seconds).\n"
    "Without --clip the nodes stand as the file has them.\n"
    "--out writes positions as little-endian doubles: time by time, draw by draw, x y z of each vertex.\n";

static int evalParseOptions( int argc, char** argv, evalOptions* options )
{
    for ( int i = 1; i < argc; ++i )
    {
        const char* next = i + 1 < argc ? argv[i + 1] : NULL;
        struct
        {
            const char* name;
            const char** value;
        } named[] = { { "--clip", &options->clip }, { "--times", &options->times }, { "--out", &options->out } };
        int found = 0;
        for ( size_t k = 0; k < 3; ++k )
        {
            if ( strcmp( argv[i], named[k].name ) == 0 && next != NULL )
            {
                *named[k].value = next;
                found = 1;
            }
        }
        if ( strcmp( argv[i], "--fps" ) == 0 && next != NULL )
        {
            options->fps = atof( next );
            found = options->fps > 0.0;
        }
        if ( found )
        {
            i += 1;
        }
        else if ( strcmp( argv[i], "--json" ) == 0 )
        {
            options->isJson = 1;
        }
        else if ( argv[i][0] != '-' && options->path == NULL )
        {
            options->path = argv[i];
        }
        else
        {
            return 0;
        }
    }
    return options->path != NULL;
}

// The clip by name, else by number; -1 without --clip, -2 where there is none such.
static int evalChooseClip( const evalFile* file, const char* name )
{
    if ( name == NULL )
    {
        return -1;
    }
    int clip = evalFindClip( file, name );
    char* end = NULL;
    long number = strtol( name, &end, 10 );
    if ( clip < 0 && end != name && *end == 0 && number >= 0 && number < evalGetInfo( file ).clipCount )
    {
        clip = (int)number;
    }
    return clip >= 0 ? clip : -2;
}

// The times asked for, in a block of the caller's to free.
static double* evalListTimes( const evalFile* file, const evalOptions* options, int clip, int* count )
{
    double start = 0.0, end = 0.0;
    *count = 0;
    if ( clip >= 0 )
    {
        evalClipTimes( file, clip, &start, &end );
    }
    size_t capacity = options->times != NULL ? strlen( options->times ) + 1
                      : options->fps > 0.0   ? (size_t)fmin( ( end - start ) * options->fps, 1e7 ) + 2
                                             : 1;
    double* times = malloc( capacity * sizeof( double ) );
    if ( times == NULL )
    {
        return NULL;
    }
    if ( options->times != NULL )
    {
        const char* p = options->times;
        for ( char* next = NULL; *p != 0; p = *next == ',' ? next + 1 : next )
        {
            double value = strtod( p, &next );
            if ( next == p )
            {
                break;
            }
            times[( *count )++] = value;
        }
    }
    else if ( options->fps > 0.0 )
    {
        for ( size_t i = 0; i < capacity && (double)i / options->fps <= end - start + 1e-9; ++i )
        {
            times[( *count )++] = start + (double)i / options->fps;
        }
    }
    else if ( options->out != NULL )
    {
        times[( *count )++] = start;
    }
    return times;
}

static json_t* evalDescribe( evalFile* file )
{
    evalInfo info = evalGetInfo( file );
    json_t* clips = json_array();
    json_t* draws = json_array();
    for ( int i = 0; i < info.clipCount; ++i )
    {
        double start, end;
        const char* name = evalClipName( file, i );
        evalClipTimes( file, i, &start, &end );
        json_array_append_new(
            clips, json_pack( "{s:s, s:f, s:f}", "name", name != NULL ? name : "", "start", start, "end", end ) );
    }
    for ( int i = 0; i < info.drawCount; ++i )
    {
        const evalDraw* d = evalGetDraw( file, i );
        json_array_append_new( draws, json_pack( "{s:i, s:i, s:i, s:i, s:i, s:b, s:b}", "node", d->node, "mesh",
                                          d->mesh, "primitive", d->primitive, "skin", d->skin, "vertices",
                                          d->vertexCount, "normals", d->hasNormals, "tangents", d->hasTangents ) );
    }
    json_t* all = json_pack( "{s:i, s:i, s:i, s:f, s:i, s:i, s:f, s:f}", "nodes", info.nodeCount, "meshes",
        info.meshCount, "skins", info.skinCount, "size", evalSize( file ), "renormalisedVertices",
        info.renormalisedVertices, "weightlessVertices", info.weightlessVertices, "smallestWeightSum",
        info.smallestWeightSum, "largestWeightSum", info.largestWeightSum );
    json_object_set_new( all, "clips", clips );
    json_object_set_new( all, "draws", draws );
    return all;
}

static int evalWritePositions( evalFile* file, FILE* out )
{
    for ( int draw = 0; draw < evalGetInfo( file ).drawCount; ++draw )
    {
        size_t count = 3 * (size_t)evalGetDraw( file, draw )->vertexCount;
        double* xyz = malloc( count * sizeof( double ) );
        uint8_t* bytes = malloc( count * 8 );
        if ( xyz == NULL || bytes == NULL )
        {
            abort();
        }
        evalPositions( file, draw, xyz );
        for ( size_t i = 0; i < count; ++i )
        {
            uint64_t bits;
            memcpy( &bits, xyz + i, 8 );
            for ( int b = 0; b < 8; ++b )
            {
                bytes[8 * i + (size_t)b] = (uint8_t)( bits >> ( 8 * b ) );
            }
        }
        size_t written = fwrite( bytes, 8, count, out );
        free( xyz );
        free( bytes );
        if ( written != count )
        {
            return 0;
        }
    }
    return 1;
}

static json_t* evalDescribePose( evalFile* file, double time )
{
    double lower[3] = { 0 }, upper[3] = { 0 };
    if ( !evalPoseBox( file, lower, upper ) )
    {
        return json_pack( "{s:f}", "time", time );
    }
    return json_pack( "{s:f, s:[f,f,f], s:[f,f,f]}", "time", time, "lower", lower[0], lower[1], lower[2], "upper",
        upper[0], upper[1], upper[2] );
}

static int evalRunTimes( evalFile* file, const evalOptions* options, int clip, json_t* report )
{
    int count = 0, ok = 1;
    double* times = evalListTimes( file, options, clip, &count );
    FILE* out = options->out != NULL ? fopen( options->out, "wb" ) : NULL;
    json_t* poses = json_array();
    if ( times == NULL || ( options->out != NULL && out == NULL ) )
    {
        fprintf( stderr, "gltf-eval: %s: cannot be written\n", options->out != NULL ? options->out : "times" );
        ok = 0;
    }
    for ( int i = 0; ok && i < count; ++i )
    {
        evalPose( file, clip, times[i] );
        if ( out != NULL )
        {
            ok = evalWritePositions( file, out );
        }
        if ( options->times != NULL || options->fps > 0.0 )
        {
            json_array_append_new( poses, evalDescribePose( file, times[i] ) );
        }
    }
    if ( out != NULL && ( fclose( out ) != 0 || !ok ) )
    {
        fprintf( stderr, "gltf-eval: %s: writing failed\n", options->out );
        ok = 0;
    }
    json_object_set_new( report, "poses", poses );
    free( times );
    return ok;
}

static void evalPrintRows( const json_t* report, const char* key )
{
    size_t index;
    json_t* row;
    json_array_foreach( json_object_get( report, key ), index, row )
    {
        char* text = json_dumps( row, JSON_COMPACT | JSON_REAL_PRECISION( 9 ) );
        printf( "%s %zu %s\n", key, index, text != NULL ? text : "" );
        free( text );
    }
}

static void evalPrint( json_t* report, int isJson )
{
    if ( isJson )
    {
        json_dumpf( report, stdout, JSON_COMPACT | JSON_REAL_PRECISION( 17 ) );
        printf( "\n" );
        return;
    }
    const char* key;
    json_t* value;
    json_object_foreach( report, key, value )
    {
        if ( json_is_number( value ) )
        {
            printf( "%s %.9g\n", key, json_number_value( value ) );
        }
    }
    evalPrintRows( report, "clips" );
    evalPrintRows( report, "draws" );
    evalPrintRows( report, "poses" );
}

int main( int argc, char** argv )
{
    evalOptions options = { 0 };
    char message[256] = "";
    if ( !evalParseOptions( argc, argv, &options ) )
    {
        fputs( evalUsage, stderr );
        return 2;
    }
    evalFile* file = evalLoad( options.path, message, sizeof( message ) );
    if ( file == NULL )
    {
        fprintf( stderr, "gltf-eval: %s: %s\n", options.path, message );
        return 1;
    }
    int clip = evalChooseClip( file, options.clip );
    if ( clip < -1 )
    {
        fprintf( stderr, "gltf-eval: %s: no clip '%s'\n", options.path, options.clip );
        evalFree( file );
        return 1;
    }
    json_t* report = evalDescribe( file );
    int ok = evalRunTimes( file, &options, clip, report );
    evalPrint( report, options.isJson );
    json_decref( report );
    evalFree( file );
    return ok ? 0 : 1;
}
