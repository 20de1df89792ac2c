#include "support/gltf_files.h"

#include "support/test_assets.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
// cmocka wants the headers above first
#include <cmocka.h>

supCharacter* supLoadTestAsset( const char* name )
{
    char path[1024];
    supCharacter* character = NULL;
    supError error = { 0 };
    assert_true( supTestAssetPath( name, path, sizeof( path ) ) );
    if ( supLoadGltf( path, &character, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return character;
}

static int supOrderNames( const void* a, const void* b )
{
    return strcmp( *(char* const*)a, *(char* const*)b );
}

/// The names in a folder, sorted, from malloc.
static char** supListFolder( const char* folder, int* count )
{
    char** names = NULL;
    *count = 0;
    DIR* open = opendir( folder );
    assert_non_null( open );
    for ( struct dirent* entry = readdir( open ); entry != NULL; entry = readdir( open ) )
    {
        if ( strcmp( entry->d_name, "." ) == 0 || strcmp( entry->d_name, ".." ) == 0 )
        {
            continue;
        }
        names = realloc( names, (size_t)( *count + 1 ) * sizeof( char* ) );
        assert_non_null( names );
        names[*count] = strdup( entry->d_name );
        *count += 1;
    }
    closedir( open );
    if ( *count > 0 )
    {
        qsort( names, (size_t)*count, sizeof( char* ), supOrderNames );
    }
    return names;
}

static bool supIsFolder( const char* path )
{
    struct stat status;
    return lstat( path, &status ) == 0 && S_ISDIR( status.st_mode );
}

int supForEachGltf( const char* folder, void ( *visit )( const char* path, void* user ), void* user )
{
    int count, visited = 0;
    char** names = supListFolder( folder, &count );
    for ( int i = 0; i < count; ++i )
    {
        char path[1024];
        snprintf( path, sizeof( path ), "%s/%s", folder, names[i] );
        const char* ending = strrchr( names[i], '.' );
        if ( supIsFolder( path ) )
        {
            visited += supForEachGltf( path, visit, user );
        }
        else if ( ending != NULL && ( strcmp( ending, ".glb" ) == 0 || strcmp( ending, ".gltf" ) == 0 ) )
        {
            visit( path, user );
            visited += 1;
        }
        free( names[i] );
    }
    free( names );
    return visited;
}

uint8_t* supReadWhole( const char* path, size_t* size )
{
    FILE* file = fopen( path, "rb" );
    if ( file == NULL )
    {
        fail_msg( "%s cannot be opened", path );
    }
    fseek( file, 0, SEEK_END );
    *size = (size_t)ftell( file );
    rewind( file );
    uint8_t* data = malloc( *size + 1 );
    assert_non_null( data );
    assert_int_equal( fread( data, 1, *size, file ), *size );
    fclose( file );
    return data;
}

void supWriteWhole( const char* path, const void* data, size_t size )
{
    FILE* file = fopen( path, "wb" );
    assert_non_null( file );
    assert_int_equal( fwrite( data, 1, size, file ), size );
    assert_int_equal( fclose( file ), 0 );
}

void supMakeTestFolder( char* path, size_t size )
{
    const char* temporary = getenv( "TMPDIR" );
    snprintf( path, size, "%s/supple-test-XXXXXX", temporary != NULL ? temporary : "/tmp" );
    assert_non_null( mkdtemp( path ) );
}

void supRemoveTestFolder( const char* path )
{
    int count;
    char** names = supListFolder( path, &count );
    for ( int i = 0; i < count; ++i )
    {
        char inner[1024];
        snprintf( inner, sizeof( inner ), "%s/%s", path, names[i] );
        if ( supIsFolder( inner ) )
        {
            supRemoveTestFolder( inner );
        }
        else
        {
            unlink( inner );
        }
        free( names[i] );
    }
    free( names );
    rmdir( path );
}

static uint8_t* supPutChunk( uint8_t* to, const char* type, const void* data, size_t size, char padding )
{
    size_t padded = ( size + 3 ) / 4 * 4;
    for ( int i = 0; i < 4; ++i )
    {
        to[i] = (uint8_t)( padded >> ( 8 * i ) );
    }
    memcpy( to + 4, type, 4 );
    memset( to + 8, padding, padded );
    memcpy( to + 8, data, size );
    return to + 8 + padded;
}

uint8_t* supMakeGlb( const char* json, const void* bin, size_t binSize, size_t* size )
{
    uint8_t* file = malloc( strlen( json ) + binSize + 64 );
    assert_non_null( file );
    memcpy( file, "glTF\2\0\0\0", 8 );
    uint8_t* end = supPutChunk( file + 12, "JSON", json, strlen( json ), ' ' );
    end = bin != NULL ? supPutChunk( end, "BIN", bin, binSize, '\0' ) : end;
    *size = (size_t)( end - file );
    for ( int i = 0; i < 4; ++i )
    {
        file[8 + i] = (uint8_t)( *size >> ( 8 * i ) );
    }
    return file;
}

supResult supReadText( const char* json, supCharacter** character, supError* error )
{
    supGltf* document;
    supLog silence = { NULL, NULL };
    *character = NULL;
    supResult result = supOpenGltfMemory( json, strlen( json ), "test.gltf", NULL, silence, &document, error );
    if ( result == sup_success )
    {
        result = supGltf_Character( document, NULL, character, error );
        supCloseGltf( document );
    }
    return result;
}
