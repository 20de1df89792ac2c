// Runs a fuzz target over the files of its corpus, as an ordinary test: seeds, and every input that ever found a bug.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

/// Each input gets a block of exactly its size, so that a read past its end is seen by the sanitizer.
static int supReplayFile( const char* path )
{
    FILE* file = fopen( path, "rb" );
    if ( file == NULL || fseek( file, 0, SEEK_END ) != 0 )
    {
        fprintf( stderr, "%s: cannot be read\n", path );
        return 0;
    }
    long size = ftell( file );
    rewind( file );
    uint8_t* data = size > 0 ? malloc( (size_t)size ) : NULL;
    int read = size == 0 || ( data != NULL && fread( data, 1, (size_t)size, file ) == (size_t)size );
    fclose( file );
    if ( read )
    {
        LLVMFuzzerTestOneInput( data, (size_t)size );
    }
    free( data );
    return read;
}

int main( int argc, char** argv )
{
    int count = 0;
    for ( int i = 1; i < argc; ++i )
    {
        DIR* folder = opendir( argv[i] );
        if ( folder == NULL )
        {
            fprintf( stderr, "%s: no such folder\n", argv[i] );
            return 1;
        }
        for ( struct dirent* entry = readdir( folder ); entry != NULL; entry = readdir( folder ) )
        {
            char path[1024];
            snprintf( path, sizeof( path ), "%s/%s", argv[i], entry->d_name );
            if ( entry->d_name[0] != '.' )
            {
                if ( supReplayFile( path ) == 0 )
                {
                    return 1;
                }
                count += 1;
            }
        }
        closedir( folder );
    }
    printf( "%d inputs replayed\n", count );
    return count > 0 ? 0 : 1;
}
