// SPDX-License-Identifier: MIT
#include "supple/pixels.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// jpeglib.h wants stdio.h before it
#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>

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
