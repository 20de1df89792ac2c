// Supple: the painted pictures' PNG, read back by libpng.
// SPDX-License-Identifier: MIT

#include "creatures/surface.h"
#include "support/hash_scenes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined( SUP_HAS_SUPPLE_PICTURE )
#    include <png.h>

// `noise` of 16 pixels are random, the rest repeat the one to their left or above: short and long repeats, near and
// far.
static void supCheckPicture( int32_t width, int32_t height, int32_t noise, uint64_t seed )
{
    size_t size = 3 * (size_t)width * (size_t)height;
    uint8_t* pixels = calloc( size, 1 );
    uint8_t* again = calloc( size, 1 );
    size_t row = 3 * (size_t)width;
    for ( size_t i = 0; i < size; ++i )
    {
        double random = supTestNumber( &seed );
        int32_t die = (int32_t)( ( random + 1.0 ) * 8.0 );
        pixels[i] = die < noise                ? (uint8_t)( random * 4096.0 )
                    : i >= row && die % 2 == 0 ? pixels[i - row]
                    : i >= 3                   ? pixels[i - 3]
                                               : 7;
    }
    supArray png = supMakeArray( 1, NULL );
    assert_true( supAppendPng( pixels, width, height, &png ) );
    png_image image = { .version = PNG_IMAGE_VERSION };
    assert_true( png_image_begin_read_from_memory( &image, png.data, png.count ) );
    assert_int_equal( image.width, width );
    assert_int_equal( image.height, height );
    image.format = PNG_FORMAT_RGB;
    assert_true( png_image_finish_read( &image, NULL, again, 0, NULL ) );
    assert_memory_equal( pixels, again, size );
    supArray_Destroy( &png );
    free( pixels );
    free( again );
}

static void supTestPictures( void** state )
{
    (void)state;
    static const int32_t sizes[][2] = { { 1, 1 }, { 2, 3 }, { 17, 5 }, { 100, 100 }, { 513, 40 }, { 1024, 70 },
        { 4000, 3 } };
    for ( size_t i = 0; i < sizeof( sizes ) / sizeof( sizes[0] ); ++i )
    {
        for ( int32_t noise = 0; noise <= 16; noise += 4 )
        {
            supCheckPicture( sizes[i][0], sizes[i][1], noise, 77 + i );
        }
    }
}

#else

static void supTestPictures( void** state )
{
    (void)state;
    print_message( "skipped: built without libpng\n" );
    skip();
}

#endif

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestPictures ) };
    return cmocka_run_group_tests_name( "creature_png", tests, NULL, NULL );
}
