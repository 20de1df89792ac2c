// Point caches: every vertex at every frame, as modelling programs read them.
// SPDX-License-Identifier: MIT
//
//     PC2 (3ds Max, Blender), little-endian:              MDD (LightWave, Blender, Maya), big-endian:
//       "POINTCACHE2\0"                                     int32 frames
//       int32 version = 1                                   int32 points
//       int32 points                                        float times[frames], seconds
//       float first frame, float frames between samples     float xyz[frames][points][3]
//       int32 samples
//       float xyz[samples][points][3]
#include "io/arena.h"
#include "io/file_write.h"
#include "supple/io.h"
#include "supple/lab/files.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct supCacheFile
{
    const supPointCache* cache;
    supFileWriter writer;
    bool isMdd;
    float* positions;
    uint8_t* bytes;
} supCacheFile;

/// Four bytes in the format's order.
static void supPutWord( const supCacheFile* file, uint32_t word, uint8_t* bytes )
{
    for ( int i = 0; i < 4; ++i )
    {
        bytes[i] = (uint8_t)( word >> ( file->isMdd ? 24 - 8 * i : 8 * i ) );
    }
}

static void supPutFloat( const supCacheFile* file, float number, uint8_t* bytes )
{
    uint32_t word;
    memcpy( &word, &number, sizeof( word ) );
    supPutWord( file, word, bytes );
}

static void supWriteCacheHeader( supCacheFile* file )
{
    const supPointCache* cache = file->cache;
    uint8_t bytes[20];
    if ( file->isMdd )
    {
        supPutWord( file, (uint32_t)cache->frameCount, bytes );
        supPutWord( file, (uint32_t)cache->pointCount, bytes + 4 );
        supFileWriter_Write( &file->writer, bytes, 8 );
        for ( int32_t i = 0; i < cache->frameCount; ++i )
        {
            supPutFloat( file, (float)( (double)i / cache->fps ), bytes );
            supFileWriter_Write( &file->writer, bytes, 4 );
        }
        return;
    }
    supFileWriter_Write( &file->writer, "POINTCACHE2", 12 );
    supPutWord( file, 1, bytes );
    supPutWord( file, (uint32_t)cache->pointCount, bytes + 4 );
    supPutFloat( file, 0.0f, bytes + 8 );
    supPutFloat( file, 1.0f, bytes + 12 );
    supPutWord( file, (uint32_t)cache->frameCount, bytes + 16 );
    supFileWriter_Write( &file->writer, bytes, 20 );
}

static supResult supWriteCacheFrames( supCacheFile* file, const char* path, supError* error )
{
    const supPointCache* cache = file->cache;
    size_t count = 3 * (size_t)cache->pointCount;
    for ( int32_t frame = 0; frame < cache->frameCount && file->writer.failed == false; ++frame )
    {
        cache->frame( frame, file->positions, cache->user );
        for ( size_t i = 0; i < count; ++i )
        {
            if ( isfinite( file->positions[i] ) == 0 )
            {
                return supFail(
                    error, sup_errorData, "%s: point %d of frame %d is not a number", path, (int)( i / 3 ), frame );
            }
            supPutFloat( file, file->positions[i], file->bytes + 4 * i );
        }
        supFileWriter_Write( &file->writer, file->bytes, 4 * count );
    }
    return sup_success;
}

static bool supIsMddPath( const char* path )
{
    const char* dot = strrchr( path, '.' );
    return dot != NULL && strcasecmp( dot, ".mdd" ) == 0;
}

/// Both formats count with 32 bits, and programs that read them hold offsets in 32 bits too.
supResult supCheckPointCache( const supPointCache* cache, const char* path, supError* error )
{
    const char* dot = strrchr( path, '.' );
    if ( supIsMddPath( path ) == false && ( dot == NULL || strcasecmp( dot, ".pc2" ) != 0 ) )
    {
        return supFail( error, sup_errorArgument, "'%s' must end in .pc2 or .mdd", path );
    }
    if ( cache->pointCount <= 0 || cache->frameCount <= 0 || !( cache->fps > 0.0 ) || cache->frame == NULL )
    {
        return supFail( error, sup_errorArgument, "%s: a cache needs points (%d), frames (%d) and frames a second (%g)",
            path, cache->pointCount, cache->frameCount, cache->fps );
    }
    if ( (double)cache->pointCount * cache->frameCount * 12.0 > (double)INT_MAX )
    {
        return supFail( error, sup_errorLimit,
            "%s: %d points in %d frames are %.1f GB, above the 2 GB that readers of the format count to; choose fewer "
            "clips with --clip, or a lower --fps",
            path, cache->pointCount, cache->frameCount, (double)cache->pointCount * cache->frameCount * 12.0 * 1e-9 );
    }
    return sup_success;
}

supResult supWritePointCache( const supPointCache* cache, const char* path, supError* error )
{
    supResult result = supCheckPointCache( cache, path, error );
    if ( result != sup_success )
    {
        return result;
    }
    supCacheFile file = { .cache = cache, .isMdd = supIsMddPath( path ) };
    file.positions = malloc( 12 * (size_t)cache->pointCount );
    file.bytes = malloc( 12 * (size_t)cache->pointCount );
    if ( file.positions == NULL || file.bytes == NULL )
    {
        result = supFail( error, sup_errorMemory, "%s: no memory for %d points", path, cache->pointCount );
    }
    supHeldSignals held = supHoldSignals();
    result = result == sup_success ? supBeginFile( &file.writer, path, error ) : result;
    if ( result == sup_success )
    {
        supWriteCacheHeader( &file );
        result = supWriteCacheFrames( &file, path, error );
        result = result == sup_success ? supFileWriter_Close( &file.writer, error ) : result;
        result = result == sup_success ? supFileWriter_Commit( &file.writer, error ) : result;
        if ( result != sup_success )
        {
            supFileWriter_Drop( &file.writer );
        }
    }
    supReleaseSignals( &held );
    free( file.positions );
    free( file.bytes );
    return result;
}

supResult supWritePointMap(
    const int32_t* points, int32_t vertexCount, int32_t pointCount, const char* path, supError* error )
{
    supTextSink sink = { 0 };
    char* text = NULL;
    for ( int pass = 0; pass < 2; ++pass ) // the length first, then the text
    {
        sink = ( supTextSink ){ text, pass == 0 ? 0 : sink.length + 1, 0 };
        supTextSink_Format(
            &sink, "{\n  \"vertices\": %d,\n  \"points\": %d,\n  \"pointOfVertex\": [", vertexCount, pointCount );
        for ( int32_t i = 0; i < vertexCount; ++i )
        {
            supTextSink_Format( &sink, "%s%d", i == 0 ? "" : i % 20 == 0 ? ",\n    " : ", ", points[i] );
        }
        supTextSink_Text( &sink, "]\n}\n" );
        size_t length = supTextSink_End( &sink );
        if ( pass == 0 && ( text = malloc( length + 1 ) ) == NULL )
        {
            return supFail( error, sup_errorMemory, "%s: no memory for %d vertices", path, vertexCount );
        }
    }
    supResult result = supWriteFile( path, text, sink.length, error );
    free( text );
    return result;
}
