// Images without a driver: files come back as they went in, strokes cover what they should, the camera is the tightest
// one.
#include "supple/picture.h"
#include "support/gltf_files.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
// cmocka wants the headers above first
#include <cmocka.h>

static uint32_t supNext( uint32_t* seed )
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static supPixels supMakeNoise( int32_t width, int32_t height, bool opaque )
{
    supPixels pixels;
    assert_int_equal( supCreatePixels( width, height, &pixels, NULL ), sup_success );
    uint32_t seed = 7;
    for ( size_t i = 0; i < 4 * (size_t)width * (size_t)height; ++i )
    {
        bool alpha = i % 4 == 3;
        pixels.data[i] = alpha && opaque ? 255 : (uint8_t)( alpha ? 1 + supNext( &seed ) % 255 : supNext( &seed ) );
    }
    return pixels;
}

static void supCheckRoundTrip( const char* folder, const supPixels* pixels, bool webp )
{
    char path[340];
    snprintf( path, sizeof( path ), "%s/noise.%s", folder, webp ? "webp" : "png" );
    supError error = { 0 };
    supResult result = webp ? supWriteWebp( pixels, 100.0f, path, &error ) : supWritePng( pixels, path, &error );
    assert_int_equal( result, sup_success );
    size_t size;
    uint8_t* bytes = supReadWhole( path, &size );
    supPixels back;
    assert_int_equal( supReadPixels( bytes, size, path, &back, &error ), sup_success );
    assert_int_equal( back.width, pixels->width );
    assert_int_equal( back.height, pixels->height );
    assert_memory_equal( back.data, pixels->data, 4 * (size_t)back.width * (size_t)back.height );
    supDestroyPixels( &back );
    // Cut off anywhere it is refused, not read past its end
    for ( size_t cut = 0; cut < size; cut += 1 + size / 37 )
    {
        uint8_t* part = malloc( cut + 1 );
        memcpy( part, bytes, cut );
        assert_int_not_equal( supReadPixels( part, cut, path, &back, &error ), sup_success );
        free( part );
    }
    free( bytes );
}

static void supTestRoundTrips( void** state )
{
    (void)state;
    char folder[300];
    supMakeTestFolder( folder, sizeof( folder ) );
    for ( int i = 0; i < 4; ++i )
    {
        supPixels pixels = supMakeNoise( 33, 21, i % 2 == 0 );
        supCheckRoundTrip( folder, &pixels, i >= 2 );
        supDestroyPixels( &pixels );
    }
    supRemoveTestFolder( folder );
}

/// A file that cannot be written leaves what was there.
static void supTestFailedWrite( void** state )
{
    (void)state;
    supPixels pixels = supMakeNoise( 4, 4, true );
    supError error = { 0 };
    assert_int_equal( supWritePng( &pixels, "/nowhere/at/all.png", &error ), sup_errorFile );
    assert_non_null( strstr( error.text, "/nowhere/at/all.png" ) );
    supDestroyPixels( &pixels );
    assert_int_equal( supCreatePixels( 0, 5, &pixels, &error ), sup_errorLimit );
    assert_int_equal( supCreatePixels( 5, SUP_MAX_PIXELS + 1, &pixels, &error ), sup_errorLimit );
}

/// Through a symbolic link: the file behind it changes, the link and the file's mode stay. Pictures had a writer of
/// their own that put a new file, with a new mode, in the link's place.
static void supTestLinkedWrite( void** state )
{
    (void)state;
    char folder[256], path[300], link[300];
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( path, sizeof( path ), "%s/real.png", folder );
    snprintf( link, sizeof( link ), "%s/link.png", folder );
    supWriteWhole( path, "old", 3 );
    assert_int_equal( chmod( path, 0640 ), 0 );
    assert_int_equal( symlink( "real.png", link ), 0 );
    supPixels pixels = supMakeNoise( 9, 5, true ), back;
    assert_int_equal( supWritePng( &pixels, link, NULL ), sup_success );
    struct stat status;
    assert_int_equal( lstat( link, &status ), 0 );
    assert_true( S_ISLNK( status.st_mode ) );
    assert_int_equal( stat( path, &status ), 0 );
    assert_int_equal( status.st_mode & 0777, 0640 );
    size_t size;
    uint8_t* bytes = supReadWhole( path, &size );
    assert_int_equal( supReadPixels( bytes, size, path, &back, NULL ), sup_success );
    assert_memory_equal( back.data, pixels.data, 4 * 9 * 5 );
    free( bytes );
    supDestroyPixels( &back );
    supDestroyPixels( &pixels );
    supRemoveTestFolder( folder );
}

static int supCountEntries( const char* folder )
{
    DIR* list = opendir( folder );
    assert_non_null( list );
    int count = 0;
    for ( const struct dirent* entry; ( entry = readdir( list ) ) != NULL; )
    {
        count += entry->d_name[0] != '.' ? 1 : 0;
    }
    closedir( list );
    return count;
}

/// In a process of its own: the limit stands for a full disk.
static int supWriteBeyondLimit( const char* path, const supPixels* pixels )
{
    struct rlimit limit = { 1000, 1000 };
    supError error = { 0 };
    bool ok = setrlimit( RLIMIT_FSIZE, &limit ) == 0 && supWritePng( pixels, path, &error ) == sup_errorFile &&
              strncmp( error.text, path, strlen( path ) ) == 0;
    return ok ? 0 : 1;
}

static int supWriteForever( const char* path, const supPixels* pixels )
{
    while ( supWritePng( pixels, path, NULL ) == sup_success )
    {
    }
    return 1;
}

static pid_t supStartApart(
    int ( *write )( const char* path, const supPixels* pixels ), const char* path, const supPixels* pixels )
{
    fflush( NULL );
    pid_t child = fork();
    assert_true( child >= 0 );
    if ( child == 0 )
    {
        _exit( write( path, pixels ) );
    }
    return child;
}

/// A full disk and an interrupt, whenever it comes, leave the picture that was there or a new one, and nothing else.
static void supTestBrokenOffWrite( void** state )
{
    (void)state;
    char folder[256], path[300];
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( path, sizeof( path ), "%s/noise.png", folder );
    supPixels pixels = supMakeNoise( 200, 200, true ), back;
    int status = 0;
    supWriteWhole( path, "old", 3 );
    assert_int_equal( waitpid( supStartApart( supWriteBeyondLimit, path, &pixels ), &status, 0 ) > 0, 1 );
    assert_true( WIFEXITED( status ) && WEXITSTATUS( status ) == 0 );
    assert_int_equal( supCountEntries( folder ), 1 );
    size_t size;
    uint8_t* data = supReadWhole( path, &size );
    assert_true( size == 3 && memcmp( data, "old", 3 ) == 0 );
    free( data );

    assert_int_equal( supWritePng( &pixels, path, NULL ), sup_success );
    for ( int i = 0; i < 10; ++i )
    {
        pid_t child = supStartApart( supWriteForever, path, &pixels );
        const struct timespec moment = { 0, 1000000L * ( 5 + 3 * i ) };
        nanosleep( &moment, NULL );
        kill( child, i % 2 == 0 ? SIGINT : SIGTERM );
        assert_int_equal( waitpid( child, &status, 0 ), child );
        assert_true( WIFSIGNALED( status ) );
        assert_int_equal( supCountEntries( folder ), 1 );
        data = supReadWhole( path, &size );
        assert_int_equal( supReadPixels( data, size, "noise", &back, NULL ), sup_success );
        supDestroyPixels( &back );
        free( data );
    }
    supDestroyPixels( &pixels );
    supRemoveTestFolder( folder );
}

static uint32_t supLittle( const uint8_t* p )
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/// Walks the file's chunks as the WebP container specification has them: frames and their durations.
static void supTestMovie( void** state )
{
    (void)state;
    char folder[300], path[340];
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( path, sizeof( path ), "%s/movie.webp", folder );
    supMovieDef def = supDefaultMovieDef();
    def.width = 40;
    def.height = 30;
    supMovie* movie = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateMovie( &def, &movie, &error ), sup_success );
    for ( int i = 0; i < 30; ++i )
    {
        supPixels frame;
        assert_int_equal( supCreatePixels( 40, 30, &frame, NULL ), sup_success );
        supPixels_Fill( &frame, ( supColor ){ 0.5f, 0.5f, 0.5f, 1.0f } );
        supPixels_Box( &frame, (float)i, 5.0f, (float)i + 8.0f, 25.0f, ( supColor ){ 1.0f, 0.0f, 0.0f, 1.0f } );
        assert_int_equal( supMovie_Add( movie, &frame, ( i + 1 ) / 30.0, &error ), sup_success );
        supDestroyPixels( &frame );
    }
    supPixels other = supMakeNoise( 8, 8, true );
    assert_int_equal( supMovie_Add( movie, &other, 2.0, &error ), sup_errorArgument );
    supDestroyPixels( &other );
    assert_int_equal( supMovie_Write( movie, path, &error ), sup_success );
    supDestroyMovie( movie );
    size_t size;
    uint8_t* bytes = supReadWhole( path, &size );
    uint32_t frames = 0, milliseconds = 0;
    for ( size_t at = 12; at + 8 <= size; )
    {
        uint32_t length = supLittle( bytes + at + 4 );
        if ( memcmp( bytes + at, "ANMF", 4 ) == 0 )
        {
            frames += 1;
            milliseconds += supLittle( bytes + at + 8 + 12 ) & 0xffffff;
        }
        at += 8 + length + ( length & 1 );
    }
    assert_int_equal( frames, 30 );
    assert_int_equal( milliseconds, 1000 ); // 33 and 34, and no drift
    free( bytes );
    supRemoveTestFolder( folder );
}

static double supInk( const supPixels* pixels )
{
    double sum = 0.0;
    for ( size_t i = 0; i < (size_t)pixels->width * (size_t)pixels->height; ++i )
    {
        sum += (double)pixels->data[4 * i + 3] / 255.0;
    }
    return sum;
}

/// A line of length L and width w with round ends covers L w + pi w^2 / 4.
static void supTestStrokes( void** state )
{
    (void)state;
    const supColor ink = { 0.0f, 0.0f, 0.0f, 1.0f };
    for ( int i = 0; i < 24; ++i )
    {
        supPixels pixels;
        assert_int_equal( supCreatePixels( 100, 100, &pixels, NULL ), sup_success );
        double angle = 0.26 * i, length = 60.0, width = 3.0 + 0.25 * i;
        float dx = (float)( 0.5 * length * cos( angle ) ), dy = (float)( 0.5 * length * sin( angle ) );
        supPixels_Line( &pixels, 50.3f - dx, 49.6f - dy, 50.3f + dx, 49.6f + dy, (float)width, ink );
        double expected = length * width + 0.785398 * width * width;
        assert_true( fabs( supInk( &pixels ) / expected - 1.0 ) < 0.02 );
        supDestroyPixels( &pixels );
    }
    // Translucent pieces that meet are no darker there
    supPixels pixels;
    const float points[6] = { 10, 50, 50, 50, 90, 50 };
    assert_int_equal( supCreatePixels( 100, 100, &pixels, NULL ), sup_success );
    supPixels_Polyline( &pixels, points, 3, 6.0f, ( supColor ){ 0.0f, 0.0f, 0.0f, 0.5f } );
    assert_int_equal( pixels.data[4 * ( 50 * 100 + 50 ) + 3], pixels.data[4 * ( 50 * 100 + 30 ) + 3] );
    supDestroyPixels( &pixels );
}

/// A square in the mask: dark along its border, nothing inside and outside of it.
static void supTestOutline( void** state )
{
    (void)state;
    supPixels page, mask;
    assert_int_equal( supCreatePixels( 40, 30, &page, NULL ), sup_success );
    assert_int_equal( supCreatePixels( 40, 30, &mask, NULL ), sup_success );
    supPixels_Fill( &page, ( supColor ){ 1.0f, 1.0f, 1.0f, 1.0f } );
    supPixels_Box( &mask, 10.0f, 8.0f, 30.0f, 22.0f, ( supColor ){ 1.0f, 0.0f, 0.0f, 1.0f } );
    supPixels_Outline( &page, &mask, ( supColor ){ 0.0f, 0.0f, 0.0f, 1.0f } );
    for ( int32_t y = 0; y < 30; ++y )
    {
        for ( int32_t x = 0; x < 40; ++x )
        {
            bool near = x >= 9 && x <= 30 && y >= 7 && y <= 22;
            bool far = x > 10 && x < 29 && y > 8 && y < 21;
            bool corner = ( x == 9 || x == 30 ) && ( y == 7 || y == 22 ); // touches the square at a point alone
            bool border = near && !far && !corner;
            assert_int_equal( page.data[4 * ( (size_t)y * 40 + (size_t)x )], border ? 0 : 255 );
        }
    }
    supDestroyPixels( &page );
    supDestroyPixels( &mask );
}

static void supTestText( void** state )
{
    (void)state;
    const supColor ink = { 0.0f, 0.0f, 0.0f, 1.0f };
    for ( int c = 33; c < 127; ++c ) // every letter leaves ink, inside its width
    {
        char text[2] = { (char)c, 0 };
        supPixels pixels;
        assert_int_equal( supCreatePixels( 60, 60, &pixels, NULL ), sup_success );
        supPixels_Text( &pixels, 10.0f, 40.0f, 24.0f, sup_alignLeft, 0, text, ink );
        assert_true( supInk( &pixels ) > 8.0 );
        float right = 10.0f + supTextWidth( text, 24.0f ) + 3.0f;
        for ( int y = 0; y < 60; ++y )
        {
            for ( int x = (int)right + 1; x < 60; ++x )
            {
                assert_int_equal( pixels.data[4 * ( y * 60 + x ) + 3], 0 );
            }
        }
        supDestroyPixels( &pixels );
    }
    assert_true( supTextWidth( "00", 10.0f ) == supTextWidth( "17", 10.0f ) );
    assert_true( supTextWidth( "\xc3\xa9", 10.0f ) == supTextWidth( "e", 10.0f ) );
    supTextWidth( "\xff\xc3\xe2\x82", 10.0f ); // broken UTF-8 is walked through to its end
}

/// All points are inside the margins, and on each axis that decides one of them touches.
static void supTestFraming( void** state )
{
    (void)state;
    uint32_t seed = 99;
    int tight = 0;
    for ( int i = 0; i < 200; ++i )
    {
        float points[60];
        for ( int k = 0; k < 60; ++k )
        {
            points[k] = ( (float)( supNext( &seed ) % 2000 ) - 1000.0f ) * ( k % 3 == i % 3 ? 0.1f : 0.003f ) *
                        (float)( 1 + i );
        }
        supView view = supDefaultView();
        view.width = 100 + i * 3;
        view.height = 400 - i;
        view.yaw = 0.3f * (float)i;
        view.pitch = 1.4f * sinf( (float)i );
        view.fieldOfView = i % 4 == 0 ? 0.0f : 0.2f + 0.005f * (float)i;
        supFraming framing = supBeginFraming( &view );
        supFraming_Add( &framing, points, 20, supVec3_zero );
        supFraming_End( &framing, &view );
        float shorter = (float)( view.width < view.height ? view.width : view.height ), margin = view.margin * shorter;
        float left = 1e9f, right = 1e9f, top = 1e9f, bottom = 1e9f, nearest = 1e30f;
        for ( int k = 0; k < 20; ++k )
        {
            float x, y, depth;
            supVec3 p = { points[3 * k], points[3 * k + 1], points[3 * k + 2] };
            assert_true( supView_Project( &view, p, &x, &y, &depth ) );
            assert_true( depth >= view.nearest * 0.999f && depth <= view.farthest * 1.001f );
            nearest = fminf( nearest, depth );
            left = fminf( left, x - margin );
            right = fminf( right, (float)view.width - margin - x );
            top = fminf( top, y - margin );
            bottom = fminf( bottom, (float)view.height - margin - y );
        }
        float worst = fminf( fminf( left, right ), fminf( top, bottom ) );
        assert_true( worst > -0.1f );
        bool wide = left < 0.1f && right < 0.1f, high = top < 0.1f && bottom < 0.1f;
        bool close = nearest < 0.201f * view.groundSize; // the camera keeps a fifth of the radius away
        assert_true( wide || high || close );
        tight += wide || high ? 1 : 0;
    }
    assert_true( tight > 150 );
}

static void supTestFramingOfNothing( void** state )
{
    (void)state;
    supView view = supDefaultView();
    supFraming framing = supBeginFraming( &view );
    const float broken[6] = { NAN, 0.0f, 0.0f, INFINITY, 1.0f, 2.0f };
    supFraming_Add( &framing, broken, 2, supVec3_zero );
    supFraming_End( &framing, &view );
    float x, y, depth;
    assert_true( supView_Project( &view, supVec3_zero, &x, &y, &depth ) );
    assert_true( x > 0.0f && x < (float)view.width && y > 0.0f && y < (float)view.height );
    framing = supBeginFraming( &view );
    const float single[3] = { 5.0f, 6.0f, 7.0f };
    supFraming_Add( &framing, single, 1, supVec3_zero );
    supFraming_End( &framing, &view );
    assert_true( supView_Project( &view, ( supVec3 ){ 5.0f, 6.0f, 7.0f }, &x, &y, &depth ) && depth > view.nearest );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestRoundTrips ),
        cmocka_unit_test( supTestFailedWrite ),
        cmocka_unit_test( supTestLinkedWrite ),
        cmocka_unit_test( supTestBrokenOffWrite ),
        cmocka_unit_test( supTestMovie ),
        cmocka_unit_test( supTestStrokes ),
        cmocka_unit_test( supTestOutline ),
        cmocka_unit_test( supTestText ),
        cmocka_unit_test( supTestFraming ),
        cmocka_unit_test( supTestFramingOfNothing ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
