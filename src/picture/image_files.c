// SPDX-License-Identifier: MIT
#include "supple/io.h"
#include "supple/lab/files.h"
#include "supple/pixels.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>
#include <webp/mux.h>

static bool supIsOpaque( const supPixels* pixels )
{
    size_t count = (size_t)pixels->width * (size_t)pixels->height;
    for ( size_t i = 0; i < count; ++i )
    {
        if ( pixels->data[4 * i + 3] != 255 )
        {
            return false;
        }
    }
    return true;
}

/// Drops the alpha channel in a copy; NULL where there is no memory.
static uint8_t* supCopyRgb( const supPixels* pixels )
{
    size_t count = (size_t)pixels->width * (size_t)pixels->height;
    uint8_t* copy = malloc( 3 * count );
    for ( size_t i = 0; copy != NULL && i < count; ++i )
    {
        memcpy( copy + 3 * i, pixels->data + 4 * i, 3 );
    }
    return copy;
}

supResult supWritePng( const supPixels* pixels, const char* path, supError* error )
{
    bool opaque = supIsOpaque( pixels );
    uint8_t* rgb = opaque ? supCopyRgb( pixels ) : NULL;
    const uint8_t* from = opaque ? rgb : pixels->data;
    png_image image = { .version = PNG_IMAGE_VERSION,
        .width = (png_uint_32)pixels->width,
        .height = (png_uint_32)pixels->height,
        .format = opaque ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA };
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX( image );
    void* block = malloc( size );
    supResult result = sup_success;
    if ( block == NULL || from == NULL )
    {
        result = supFail( error, sup_errorMemory, "%s: no memory for the file", path );
    }
    else if ( png_image_write_to_memory( &image, block, &size, 0, from, 0, NULL ) == 0 )
    {
        result = supFail( error, sup_errorFile, "%s: cannot be made into a PNG (%s)", path, image.message );
    }
    else
    {
        result = supWriteFile( path, block, size, error );
    }
    free( block );
    free( rgb );
    return result;
}

supResult supWriteWebp( const supPixels* pixels, float quality, const char* path, supError* error )
{
    uint8_t* data = NULL;
    int stride = 4 * pixels->width;
    size_t size = quality >= 100.0f
                      ? WebPEncodeLosslessRGBA( pixels->data, pixels->width, pixels->height, stride, &data )
                      : WebPEncodeRGBA( pixels->data, pixels->width, pixels->height, stride, quality, &data );
    if ( size == 0 )
    {
        return supFail( error, sup_errorMemory, "%s: cannot be made into a WebP", path );
    }
    supResult result = supWriteFile( path, data, size, error );
    WebPFree( data );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------

enum
{
    sup_movieCookie = 0x4d4f5649
};

struct supMovie
{
    WebPAnimEncoder* encoder;
    WebPConfig config;
    int32_t width, height;
    int lastTime; ///< milliseconds
};

supMovieDef supDefaultMovieDef( void )
{
    return ( supMovieDef ){ .quality = 75.0f, .effort = 2, .cookie = sup_movieCookie };
}

supResult supCreateMovie( const supMovieDef* def, supMovie** out, supError* error )
{
    *out = NULL;
    if ( def->cookie != sup_movieCookie || def->width < 1 || def->height < 1 || def->width > SUP_MAX_PIXELS ||
         def->height > SUP_MAX_PIXELS || !( def->quality >= 0.0f && def->quality <= 100.0f ) || def->effort < 0 ||
         def->effort > 6 )
    {
        return supFail( error, sup_errorArgument, "a movie of %d x %d pixels at quality %g cannot be made", def->width,
            def->height, (double)def->quality );
    }
    supMovie* movie = calloc( 1, sizeof( *movie ) );
    WebPAnimEncoderOptions options;
    if ( movie == NULL || WebPAnimEncoderOptionsInit( &options ) == 0 || WebPConfigInit( &movie->config ) == 0 )
    {
        free( movie );
        return supFail( error, sup_errorMemory, "no memory for a movie, or libwebp is of another version" );
    }
    options.anim_params.loop_count = def->loops;
    options.kmin = 30; // a whole picture now and then, so that viewers can seek
    options.kmax = 120;
    movie->config.quality = def->quality;
    movie->config.method = def->effort;
    movie->config.lossless = def->quality >= 100.0f;
    movie->config.thread_level = 1;
    movie->width = def->width;
    movie->height = def->height;
    movie->encoder = WebPAnimEncoderNew( def->width, def->height, &options );
    if ( movie->encoder == NULL )
    {
        free( movie );
        return supFail( error, sup_errorMemory, "no memory for a movie of %d x %d pixels", def->width, def->height );
    }
    *out = movie;
    return sup_success;
}

void supDestroyMovie( supMovie* movie )
{
    if ( movie != NULL )
    {
        WebPAnimEncoderDelete( movie->encoder );
        free( movie );
    }
}

supResult supMovie_Add( supMovie* movie, const supPixels* frame, double until, supError* error )
{
    const double longest = 2e6; // seconds, so that milliseconds fit in an int
    int time = until >= 0.0 && until <= longest ? (int)floor( until * 1000.0 + 0.5 ) : 0;
    WebPPicture picture;
    if ( frame->width != movie->width || frame->height != movie->height || time <= movie->lastTime ||
         WebPPictureInit( &picture ) == 0 )
    {
        return supFail( error, sup_errorArgument,
            "a frame of %d x %d pixels that ends at %g s does not fit a movie of %d x %d pixels, or its time does not increase",
            frame->width, frame->height, until, movie->width, movie->height );
    }
    picture.use_argb = 1;
    picture.width = frame->width;
    picture.height = frame->height;
    bool ok = WebPPictureImportRGBA( &picture, frame->data, 4 * frame->width ) != 0 &&
              WebPAnimEncoderAdd( movie->encoder, &picture, movie->lastTime, &movie->config ) != 0;
    WebPPictureFree( &picture );
    if ( ok == false )
    {
        return supFail(
            error, sup_errorMemory, "a frame cannot be encoded: %s", WebPAnimEncoderGetError( movie->encoder ) );
    }
    movie->lastTime = time;
    return sup_success;
}

supResult supMovie_Write( supMovie* movie, const char* path, supError* error )
{
    WebPData data;
    WebPDataInit( &data );
    if ( WebPAnimEncoderAdd( movie->encoder, NULL, movie->lastTime, NULL ) == 0 ||
         WebPAnimEncoderAssemble( movie->encoder, &data ) == 0 )
    {
        return supFail( error, sup_errorMemory, "%s: %s", path, WebPAnimEncoderGetError( movie->encoder ) );
    }
    supResult result = supWriteFile( path, data.bytes, data.size, error );
    WebPDataClear( &data );
    return result;
}
