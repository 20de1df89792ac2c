// Point caches byte by byte, and what they refuse.
#include "supple/io.h"
#include "supple/lab/files.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// cmocka wants the headers above first
#include <cmocka.h>

static void supCountUp( int32_t frame, float* positions, void* user )
{
    const int32_t* broken = user;
    for ( int i = 0; i < 6; ++i )
    {
        positions[i] = (float)( 10 * frame + i ) + 0.5f;
    }
    if ( broken != NULL && *broken == frame )
    {
        positions[4] = NAN;
    }
}

static supPointCache supMakeCache( void )
{
    return ( supPointCache ){ .pointCount = 2, .frameCount = 3, .fps = 25.0, .frame = supCountUp };
}

static size_t supReadBack( const char* path, uint8_t* bytes, size_t size )
{
    FILE* file = fopen( path, "rb" );
    assert_non_null( file );
    size_t count = fread( bytes, 1, size, file );
    fclose( file );
    return count;
}

static uint32_t supWordAt( const uint8_t* bytes, bool isBig )
{
    return isBig ? (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3]
                 : (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

static float supFloatAt( const uint8_t* bytes, bool isBig )
{
    uint32_t word = supWordAt( bytes, isBig );
    float number;
    memcpy( &number, &word, 4 );
    return number;
}

static char* supTemporaryName( char* name, const char* ending )
{
    strcpy( name, "/tmp/supple-cache-XXXXXX" );
    int file = mkstemp( name );
    assert_true( file >= 0 );
    close( file );
    unlink( name );
    return strcat( name, ending );
}

static void supTestPc2( void** state )
{
    (void)state;
    char name[64];
    uint8_t bytes[256];
    supPointCache cache = supMakeCache();
    assert_int_equal( supWritePointCache( &cache, supTemporaryName( name, ".pc2" ), NULL ), sup_success );
    assert_int_equal( supReadBack( name, bytes, sizeof( bytes ) ), 32 + 3 * 2 * 12 );
    assert_memory_equal( bytes, "POINTCACHE2", 12 );
    assert_int_equal( supWordAt( bytes + 12, false ), 1 );
    assert_int_equal( supWordAt( bytes + 16, false ), 2 );
    assert_true( supFloatAt( bytes + 20, false ) == 0.0f && supFloatAt( bytes + 24, false ) == 1.0f );
    assert_int_equal( supWordAt( bytes + 28, false ), 3 );
    for ( int i = 0; i < 18; ++i )
    {
        assert_true( supFloatAt( bytes + 32 + 4 * i, false ) == (float)( 10 * ( i / 6 ) + i % 6 ) + 0.5f );
    }
    unlink( name );
}

static void supTestMdd( void** state )
{
    (void)state;
    char name[64];
    uint8_t bytes[256];
    supPointCache cache = supMakeCache();
    assert_int_equal( supWritePointCache( &cache, supTemporaryName( name, ".MDD" ), NULL ), sup_success );
    assert_int_equal( supReadBack( name, bytes, sizeof( bytes ) ), 8 + 12 + 3 * 2 * 12 );
    assert_int_equal( supWordAt( bytes, true ), 3 );
    assert_int_equal( supWordAt( bytes + 4, true ), 2 );
    for ( int i = 0; i < 3; ++i )
    {
        assert_true( supFloatAt( bytes + 8 + 4 * i, true ) == (float)( i / 25.0 ) );
    }
    for ( int i = 0; i < 18; ++i )
    {
        assert_true( supFloatAt( bytes + 20 + 4 * i, true ) == (float)( 10 * ( i / 6 ) + i % 6 ) + 0.5f );
    }
    unlink( name );
}

static void supExpectRefusal( const supPointCache* cache, const char* path, supResult code, const char* words )
{
    supError error = { 0 };
    assert_int_equal( supWritePointCache( cache, path, &error ), code );
    if ( strstr( error.text, words ) == NULL )
    {
        fail_msg( "'%s' does not say '%s'", error.text, words );
    }
    assert_int_not_equal( access( path, F_OK ), 0 );
}

static void supTestRefusals( void** state )
{
    (void)state;
    char name[64], other[64];
    supTemporaryName( name, ".pc2" );
    supPointCache cache = supMakeCache();
    supExpectRefusal( &cache, supTemporaryName( other, ".abc" ), sup_errorArgument, "must end in .pc2 or .mdd" );
    supExpectRefusal( &cache, "/nowhere/at/all.pc2", sup_errorFile, "No such file" );
    cache.pointCount = 0;
    supExpectRefusal( &cache, name, sup_errorArgument, "needs points (0)" );
    cache = supMakeCache();
    cache.fps = 0.0;
    supExpectRefusal( &cache, name, sup_errorArgument, "frames a second (0)" );
    cache = supMakeCache();
    cache.pointCount = 1000000;
    cache.frameCount = 1000;
    supExpectRefusal( &cache, name, sup_errorLimit, "1000000 points in 1000 frames are 12.0 GB" );
    cache = supMakeCache();
    int32_t broken = 1;
    cache.user = &broken;
    supExpectRefusal( &cache, name, sup_errorData, "point 1 of frame 1 is not a number" );
}

static void supTestMap( void** state )
{
    (void)state;
    char name[64], text[256] = "";
    const int32_t points[4] = { 0, 1, 0, 2 };
    assert_int_equal( supWritePointMap( points, 4, 3, supTemporaryName( name, ".map.json" ), NULL ), sup_success );
    supReadBack( name, (uint8_t*)text, sizeof( text ) - 1 );
    assert_string_equal( text, "{\n  \"vertices\": 4,\n  \"points\": 3,\n  \"pointOfVertex\": [0, 1, 0, 2]\n}\n" );
    unlink( name );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestPc2 ),
        cmocka_unit_test( supTestMdd ),
        cmocka_unit_test( supTestRefusals ),
        cmocka_unit_test( supTestMap ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
