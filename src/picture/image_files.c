// SPDX-License-Identifier: MIT
#include "supple/io.h"

#include "supple/lab/files.h"
#include "supple/pixels.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/mux.h>

// it wants stdio.h before it
#include <jpeglib.h>

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

// ---------------------------------------------------------------------------------------------------------------
// Images out of files.

/// Room for the pixels, where they are no more than `most` bytes.
static supResult supCreateWithin(
    int32_t width, int32_t height, const char* name, size_t most, supPixels* out, supError* error )
{
    if ( width > 0 && height > 0 && 4 * (size_t)width > most / (size_t)height )
    {
        return supFail( error, sup_errorLimit,
            "image '%s': its %d x %d pixels exceed the memory budget of the file; raise the budget (--max-memory)",
            name, width, height );
    }
    return supCreatePixels( width, height, out, error );
}

static supResult supReadPng(
    const void* data, size_t size, const char* name, size_t most, supPixels* out, supError* error )
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    if ( png_image_begin_read_from_memory( &image, data, size ) == 0 )
    {
        return supFail( error, sup_errorFormat, "image '%s': not a readable PNG (%s)", name, image.message );
    }
    supResult result = sup_success;
    if ( image.width > SUP_MAX_PIXELS || image.height > SUP_MAX_PIXELS )
    {
        result = supFail( error, sup_errorLimit, "image '%s': %u x %u pixels; at most %d per side are allowed", name,
            image.width, image.height, SUP_MAX_PIXELS );
    }
    else
    {
        result = supCreateWithin( (int32_t)image.width, (int32_t)image.height, name, most, out, error );
    }
    if ( result == sup_success )
    {
        image.format = PNG_FORMAT_RGBA;
        if ( png_image_finish_read( &image, NULL, out->data, 0, NULL ) == 0 )
        {
            supDestroyPixels( out );
            result = supFail( error, sup_errorFormat, "image '%s': a damaged PNG (%s)", name, image.message );
        }
    }
    png_image_free( &image );
    return result;
}

typedef struct supJpegErrors
{
    struct jpeg_error_mgr base;
    jmp_buf leave;
} supJpegErrors;

static void supLeaveJpeg( j_common_ptr info )
{
    longjmp( ( (supJpegErrors*)info->err )->leave, 1 );
}

static void supSilence( j_common_ptr info )
{
    (void)info;
}

/// Rows come as RGB and are spread to RGBA in place, from the end of each row.
static void supReadJpegRows( struct jpeg_decompress_struct* info, supPixels* out )
{
    while ( info->output_scanline < info->output_height )
    {
        JSAMPROW row = out->data + 4 * (size_t)out->width * (size_t)info->output_scanline;
        jpeg_read_scanlines( info, &row, 1 );
        for ( int32_t x = out->width - 1; x >= 0; --x )
        {
            uint8_t r = row[3 * x], g = row[3 * x + 1], b = row[3 * x + 2];
            row[4 * x] = r;
            row[4 * x + 1] = g;
            row[4 * x + 2] = b;
            row[4 * x + 3] = 255;
        }
    }
}

static supResult supReadJpeg(
    const void* data, size_t size, const char* name, size_t most, supPixels* out, supError* error )
{
    struct jpeg_decompress_struct info;
    supJpegErrors errors;
    memset( &info, 0, sizeof( info ) );
    out->data = NULL;
    info.err = jpeg_std_error( &errors.base );
    errors.base.error_exit = supLeaveJpeg;
    errors.base.output_message = supSilence;
    if ( setjmp( errors.leave ) != 0 )
    {
        jpeg_destroy_decompress( &info );
        supDestroyPixels( out );
        return supFail( error, sup_errorFormat, "image '%s': a damaged JPEG", name );
    }
    jpeg_create_decompress( &info );
    jpeg_mem_src( &info, data, (unsigned long)size );
    jpeg_read_header( &info, TRUE );
    supResult result = sup_success;
    if ( info.image_width > SUP_MAX_PIXELS || info.image_height > SUP_MAX_PIXELS )
    {
        result = supFail( error, sup_errorLimit, "image '%s': %u x %u pixels; at most %d per side are allowed", name,
            info.image_width, info.image_height, SUP_MAX_PIXELS );
    }
    else if ( info.num_components > 3 )
    {
        result = supFail( error, sup_errorUnsupported, "image '%s': a CMYK JPEG; save it as RGB", name );
    }
    else
    {
        result = supCreateWithin( (int32_t)info.image_width, (int32_t)info.image_height, name, most, out, error );
    }
    if ( result == sup_success )
    {
        info.out_color_space = JCS_RGB;
        jpeg_start_decompress( &info );
        supReadJpegRows( &info, out );
        jpeg_finish_decompress( &info );
    }
    jpeg_destroy_decompress( &info );
    return result;
}

static supResult supReadWebp(
    const void* data, size_t size, const char* name, size_t most, supPixels* out, supError* error )
{
    int width = 0, height = 0;
    if ( WebPGetInfo( data, size, &width, &height ) == 0 )
    {
        return supFail( error, sup_errorFormat, "image '%s': not a readable WebP", name );
    }
    supResult result = supCreateWithin( width, height, name, most, out, error );
    if ( result != sup_success )
    {
        return result;
    }
    size_t bytes = 4 * (size_t)width * (size_t)height;
    if ( WebPDecodeRGBAInto( data, size, out->data, bytes, 4 * width ) == NULL )
    {
        supDestroyPixels( out );
        return supFail( error, sup_errorFormat, "image '%s': a damaged WebP (moving ones are not read)", name );
    }
    return sup_success;
}

supResult supReadPixels( const void* data, size_t size, const char* name, supPixels* out, supError* error )
{
    return supReadPixelsWithin( data, size, name, SIZE_MAX, out, error );
}

supResult supReadPixelsWithin(
    const void* data, size_t size, const char* name, size_t most, supPixels* out, supError* error )
{
    const uint8_t* bytes = data;
    *out = ( supPixels ){ 0 };
    if ( size >= 8 && memcmp( bytes, "\x89PNG\r\n\x1a\n", 8 ) == 0 )
    {
        return supReadPng( data, size, name, most, out, error );
    }
    if ( size >= 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff )
    {
        return supReadJpeg( data, size, name, most, out, error );
    }
    if ( size >= 12 && memcmp( bytes, "RIFF", 4 ) == 0 && memcmp( bytes + 8, "WEBP", 4 ) == 0 )
    {
        return supReadWebp( data, size, name, most, out, error );
    }
    return supFail( error, sup_errorFormat, "image '%s': neither PNG nor JPEG nor WebP", name );
}
