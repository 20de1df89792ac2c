// The program on Windows: words in UTF-8, paths with slashes, and the commands that need no pictures.
// SPDX-License-Identifier: MIT
#include "../cli/bake_job.h"
#include "../cli/command.h"
#include "../cli/options.h"

#define WIN32_LEAN_AND_MEAN 1
#include <windows.h>
// after it
#include <shellapi.h>

/// main.c's, under another name.
int supMain( int argc, char** argv );

// Several files at once are baked in processes of their own, which this system has not.

int supBakeMany( const supBakeCall* call )
{
    return supReportMisuse( &call->usage, "many files in one call are not baked on Windows yet; bake them one by one" );
}

int supBakeFarm( const supBakeCall* call )
{
    return supBakeMany( call );
}

bool supParseShard( const char* text, int* part, int* count )
{
    (void)text;
    (void)part;
    (void)count;
    return true; // many files are refused, and it does without them
}

static int supNeedPictures( int argc, char** args )
{
    (void)argc;
    fprintf( stderr, "supple %s: not there on Windows yet\n", args[0] );
    return sup_exitFailed;
}

int supRunBench( const char* program, int argc, char** args )
{
    (void)program;
    return supNeedPictures( argc, args );
}

int supRunDemo( const char* program, int argc, char** args )
{
    (void)program;
    return supNeedPictures( argc, args );
}

int supRunRender( const char* program, int argc, char** args )
{
    (void)program;
    return supNeedPictures( argc, args );
}

int supRunStudio( const char* program, int argc, char** args )
{
    (void)program;
    return supNeedPictures( argc, args );
}

/// A word in UTF-8, with slashes where it has backslashes. From malloc, or NULL.
static char* supNarrowWord( const wchar_t* wide )
{
    int length = WideCharToMultiByte( CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL );
    char* word = length > 0 ? malloc( (size_t)length ) : NULL;
    if ( word != NULL )
    {
        WideCharToMultiByte( CP_UTF8, 0, wide, -1, word, length, NULL, NULL );
    }
    for ( char* at = word; at != NULL && *at != '\0'; ++at )
    {
        *at = *at == '\\' ? '/' : *at;
    }
    return word;
}

int main( void )
{
    int count = 0;
    wchar_t** wide = CommandLineToArgvW( GetCommandLineW(), &count );
    char** words = wide != NULL ? calloc( (size_t)count + 1, sizeof( char* ) ) : NULL;
    bool good = words != NULL;
    for ( int i = 0; i < count && good; ++i )
    {
        words[i] = supNarrowWord( wide[i] );
        good = words[i] != NULL;
    }
    _setmode( _fileno( stdout ), _O_BINARY ); // lines end as they do everywhere
    _setmode( _fileno( stderr ), _O_BINARY );
    SetConsoleOutputCP( CP_UTF8 );
    int code = good ? supMain( count, words ) : sup_exitFailed;
    for ( int i = 0; i < count && words != NULL; ++i )
    {
        free( words[i] );
    }
    free( words );
    LocalFree( wide );
    return code;
}
