// Animations: their channels, and what a channel says at a time.

#include "eval_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool evalParsePath( const char* name, evalPath* out )
{
    static const char* names[] = { "translation", "rotation", "scale", "weights" };
    for ( int i = 0; name != NULL && i < 4; ++i )
    {
        if ( strcmp( name, names[i] ) == 0 )
        {
            *out = (evalPath)i;
            return true;
        }
    }
    return false;
}

static bool evalParseInterpolation( evalFile* file, const json_t* sampler, const char* where, evalInterpolation* out )
{
    static const char* names[] = { "STEP", "LINEAR", "CUBICSPLINE" };
    const json_t* value = json_object_get( sampler, "interpolation" );
    *out = eval_interpolationLinear;
    for ( int i = 0; json_is_string( value ) && i < 3; ++i )
    {
        if ( strcmp( json_string_value( value ), names[i] ) == 0 )
        {
            *out = (evalInterpolation)i;
            return true;
        }
    }
    return value == NULL ? true : evalFail( file, "%s: unknown interpolation", where );
}

static bool evalReadTimes( evalFile* file, const json_t* sampler, const char* where, evalChannel* out )
{
    int accessor = -1;
    evalArray times;
    if ( !evalGetIndex( file, sampler, "input", where, evalRootCount( file, "accessors" ), &accessor ) )
    {
        return false;
    }
    if ( accessor < 0 )
    {
        return evalFail( file, "%s: its sampler has no input", where );
    }
    if ( !evalReadAccessor( file, accessor, where, &times ) )
    {
        return false;
    }
    out->times = times.values;
    out->keyCount = times.count;
    if ( times.width != 1 )
    {
        return evalFail( file, "%s: key times are not scalars", where );
    }
    for ( int i = 1; i < times.count; ++i )
    {
        if ( times.values[i] < times.values[i - 1] )
        {
            return evalFail( file, "%s: key %d is earlier than the one before it", where, i );
        }
    }
    return true;
}

static bool evalReadOutput( evalFile* file, const json_t* sampler, const char* where, evalChannel* out )
{
    int accessor = -1;
    evalArray values;
    if ( !evalGetIndex( file, sampler, "output", where, evalRootCount( file, "accessors" ), &accessor ) )
    {
        return false;
    }
    if ( accessor < 0 )
    {
        return evalFail( file, "%s: its sampler has no output", where );
    }
    if ( !evalReadAccessor( file, accessor, where, &values ) )
    {
        return false;
    }
    out->values = values.values;
    int expectedWidth = out->path == eval_pathWeights ? 1 : out->width;
    size_t perKey = (size_t)out->width * ( out->interpolation == eval_interpolationCubic ? 3 : 1 );
    size_t numbers = (size_t)values.count * (size_t)values.width;
    if ( values.width != expectedWidth || numbers != perKey * (size_t)out->keyCount )
    {
        return evalFail( file, "%s: %zu output numbers for %d keys of %zu", where, numbers, out->keyCount, perKey );
    }
    return true;
}

// Reads a channel; one that has no effect here leaves out->node at -1.
static bool evalReadChannel(
    evalFile* file, const json_t* json, const json_t* samplers, const char* where, evalChannel* out )
{
    const json_t* target = NULL;
    int sampler = -1, node = -1;
    out->node = -1;
    if ( !evalGetObject( file, json, "target", where, &target ) ||
         !evalGetIndex( file, target, "node", where, file->info.nodeCount, &node ) ||
         !evalGetIndex( file, json, "sampler", where, (int)json_array_size( samplers ), &sampler ) )
    {
        return false;
    }
    if ( node < 0 || !evalParsePath( json_string_value( json_object_get( target, "path" ) ), &out->path ) )
    {
        return true;
    }
    if ( sampler < 0 )
    {
        return evalFail( file, "%s: has no sampler", where );
    }
    const evalNode* n = file->nodes + node;
    int targetCount = n->mesh >= 0 ? file->meshes[n->mesh].targetCount : 0;
    out->width = out->path == eval_pathWeights ? targetCount : out->path == eval_pathRotation ? 4 : 3;
    if ( out->width == 0 )
    {
        return true;
    }
    if ( n->hasMatrix && out->path != eval_pathWeights )
    {
        return evalFail( file, "%s: node %d is animated but has a matrix", where, node );
    }
    const json_t* samplerJson = json_array_get( samplers, (size_t)sampler );
    if ( !evalParseInterpolation( file, samplerJson, where, &out->interpolation ) ||
         !evalReadTimes( file, samplerJson, where, out ) || !evalReadOutput( file, samplerJson, where, out ) )
    {
        return false;
    }
    out->node = node;
    return true;
}

static void evalMeasureClip( evalClip* clip )
{
    bool isFirst = true;
    for ( int i = 0; i < clip->channelCount; ++i )
    {
        const evalChannel* channel = clip->channels + i;
        if ( channel->node < 0 )
        {
            continue;
        }
        double first = channel->times[0], last = channel->times[channel->keyCount - 1];
        clip->start = isFirst ? first : fmin( clip->start, first );
        clip->end = isFirst ? last : fmax( clip->end, last );
        isFirst = false;
    }
}

static bool evalReadClip( evalFile* file, int index )
{
    char where[60];
    snprintf( where, sizeof( where ), "animation %d", index );
    evalClip* clip = file->clips + index;
    const json_t* json = json_array_get( json_object_get( file->json, "animations" ), (size_t)index );
    const json_t *channels = NULL, *samplers = NULL;
    if ( !evalGetArray( file, json, "channels", where, &channels ) ||
         !evalGetArray( file, json, "samplers", where, &samplers ) )
    {
        return false;
    }
    int count = (int)json_array_size( channels );
    clip->name = json_string_value( json_object_get( json, "name" ) );
    clip->channels = evalAllocate( file, (size_t)count, sizeof( evalChannel ) );
    if ( clip->channels == NULL )
    {
        return false;
    }
    clip->channelCount = count;
    for ( int i = 0; i < count; ++i )
    {
        snprintf( where, sizeof( where ), "animation %d channel %d", index, i );
        if ( !evalReadChannel( file, json_array_get( channels, (size_t)i ), samplers, where, clip->channels + i ) )
        {
            return false;
        }
    }
    evalMeasureClip( clip );
    return true;
}

bool evalReadClips( evalFile* file )
{
    int count = evalRootCount( file, "animations" );
    file->clips = evalAllocate( file, (size_t)count, sizeof( evalClip ) );
    if ( file->clips == NULL )
    {
        return false;
    }
    file->info.clipCount = count;
    for ( int i = 0; i < count; ++i )
    {
        if ( !evalReadClip( file, i ) )
        {
            return false;
        }
    }
    return true;
}

void evalFreeClips( evalFile* file )
{
    for ( int i = 0; i < file->info.clipCount; ++i )
    {
        for ( int k = 0; k < file->clips[i].channelCount; ++k )
        {
            free( file->clips[i].channels[k].times );
            free( file->clips[i].channels[k].values );
        }
        free( file->clips[i].channels );
    }
    free( file->clips );
}

// The last key at or before the time; the caller has ruled out times outside the keys.
static int evalFindKey( const evalChannel* channel, double time )
{
    int low = 0, high = channel->keyCount - 1;
    while ( high - low > 1 )
    {
        int middle = low + ( high - low ) / 2;
        if ( channel->times[middle] <= time )
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

// Hermite spline on [t_k, t_k+1] of length d, s in [0, 1], with the out-tangent b_k and the in-tangent a_k+1:
//   (2s^3 - 3s^2 + 1) v_k + d (s^3 - 2s^2 + s) b_k + (3s^2 - 2s^3) v_k+1 + d (s^3 - s^2) a_k+1
static void evalSampleCubic( const evalChannel* channel, int key, double s, double d, double* out )
{
    int n = channel->width;
    const double* k0 = channel->values + 3 * (size_t)n * (size_t)key;
    const double* k1 = k0 + 3 * n;
    double s2 = s * s, s3 = s2 * s;
    for ( int i = 0; i < n; ++i )
    {
        double v0 = k0[n + i], b0 = k0[2 * n + i], a1 = k1[i], v1 = k1[n + i];
        out[i] = ( 2.0 * s3 - 3.0 * s2 + 1.0 ) * v0 + d * ( s3 - 2.0 * s2 + s ) * b0 + ( 3.0 * s2 - 2.0 * s3 ) * v1 +
                 d * ( s3 - s2 ) * a1;
    }
}

static void evalSampleKey( const evalChannel* channel, int key, double* out )
{
    size_t n = (size_t)channel->width;
    bool isCubic = channel->interpolation == eval_interpolationCubic;
    const double* value = channel->values + ( isCubic ? 3 * n * (size_t)key + n : n * (size_t)key );
    memcpy( out, value, n * sizeof( double ) );
}

void evalSampleChannel( const evalChannel* channel, double time, double* out )
{
    int last = channel->keyCount - 1;
    bool isRotation = channel->path == eval_pathRotation;
    if ( !( time > channel->times[0] ) )
    {
        evalSampleKey( channel, 0, out );
    }
    else if ( time >= channel->times[last] )
    {
        evalSampleKey( channel, last, out );
    }
    else
    {
        int key = evalFindKey( channel, time ), n = channel->width;
        double d = channel->times[key + 1] - channel->times[key];
        double s = ( time - channel->times[key] ) / d;
        const double* v0 = channel->values + (size_t)n * (size_t)key;
        if ( channel->interpolation == eval_interpolationStep )
        {
            evalSampleKey( channel, key, out );
        }
        else if ( channel->interpolation == eval_interpolationCubic )
        {
            evalSampleCubic( channel, key, s, d, out );
        }
        else if ( isRotation )
        {
            evalSlerp( out, v0, v0 + n, s );
        }
        else
        {
            for ( int i = 0; i < n; ++i )
            {
                out[i] = ( 1.0 - s ) * v0[i] + s * v0[n + i];
            }
        }
    }
    if ( isRotation )
    {
        evalNormalise( out, 4 );
    }
}
