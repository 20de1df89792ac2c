// supple studio: the page to see flesh, tune it and export it.
// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // realpath
#include "command.h"
#include "options.h"
#include "studio_server.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SUP_STUDIO_PAGE
#    define SUP_STUDIO_PAGE "studio/dist"
#endif

typedef struct supStudioOptions
{
    const char *file, *page;
    int port;
    bool noOpen;
} supStudioOptions;

/// The page of an installed program stands beside it, in ../share; that of a build where `./run studio` leaves it.
static const char* supFindPage( char beside[PATH_MAX + 32] )
{
    char program[PATH_MAX];
    ssize_t length = readlink( "/proc/self/exe", program, sizeof( program ) - 1 );
    if ( length > 0 )
    {
        program[length] = '\0';
        *strrchr( program, '/' ) = '\0';
        snprintf( beside, PATH_MAX + 32, "%s/../share/supple/studio", program );
        if ( access( beside, R_OK ) == 0 )
        {
            return beside;
        }
    }
    return SUP_STUDIO_PAGE;
}

/// Where the file stands, and its name there as an address has it. False: no such file, or too long a name.
static bool supSplitFile( const char* file, char folder[PATH_MAX], char* name, size_t size )
{
    char real[PATH_MAX];
    if ( realpath( file, real ) == NULL || access( real, R_OK ) != 0 )
    {
        return false;
    }
    const char* last = strrchr( real, '/' ) + 1;
    snprintf( folder, PATH_MAX, "%.*s", last - real > 1 ? (int)( last - real - 1 ) : 1, real );
    size_t length = 0;
    for ( ; *last != '\0' && length + 4 < size; ++last )
    {
        unsigned char c = (unsigned char)*last;
        bool plain =
            ( c >= 'a' && c <= 'z' ) || ( c >= 'A' && c <= 'Z' ) || ( c >= '0' && c <= '9' ) || strchr( "-_.", c );
        length += (size_t)snprintf( name + length, size - length, plain ? "%c" : "%%%02X", c );
    }
    return *last == '\0';
}

/// A browser that is there opens the page; where there is none, the address is on the screen.
static void supOpenBrowser( char* address )
{
    pid_t child = fork();
    if ( child == 0 )
    {
        char* args[] = { "xdg-open", address, NULL };
        fclose( stderr );
        execvp( args[0], args );
        _exit( 127 );
    }
}

static int supServeUntilEnd( const supStudioOptions* words, const supStudioDef* def, const char* name )
{
    supError error = { 0 };
    supStudioServer* server;
    sigset_t ends;
    sigemptyset( &ends );
    sigaddset( &ends, SIGINT );
    sigaddset( &ends, SIGTERM );
    sigprocmask( SIG_BLOCK, &ends, NULL ); // before the server's threads, which then leave them alone
    signal( SIGPIPE, SIG_IGN );
    if ( supStartStudio( def, &server, &error ) != sup_success )
    {
        fprintf( stderr, "supple studio: %s\n", error.text );
        return sup_exitFailed;
    }
    char address[1400];
    snprintf( address, sizeof( address ), "%s%s%s", supStudioServer_Address( server ), name[0] != '\0' ? "?file=" : "",
        name );
    printf( "%s\nThe studio is served to this machine alone, at the address above; Ctrl+C ends it.\n", address );
    fflush( stdout );
    if ( words->noOpen == false )
    {
        supOpenBrowser( address );
    }
    int which;
    sigwait( &ends, &which );
    supStopStudio( server );
    return sup_exitOk;
}

int supRunStudio( const char* program, int argc, char** args )
{
    (void)program;
    char beside[PATH_MAX + 32];
    supStudioOptions words = { .page = supFindPage( beside ) };
    const supOption options[] = {
        { .name = "port",
            .type = sup_optionInt,
            .target = &words.port,
            .value = "N",
            .min = 0,
            .max = 65535,
            .help = "where it is served; a free one by default" },
        { .name = "no-open", .type = sup_optionFlag, .target = &words.noOpen, .help = "only says the address" },
        { .name = "page",
            .type = sup_optionText,
            .target = &words.page,
            .value = "FOLDER",
            .help = "the folder of the page, as './run studio --build' leaves it" },
        SUP_OPTIONS_END,
    };
    const supArgument arguments[] = {
        { .name = "FILE", .target = &words.file, .help = "the character to open" },
        SUP_ARGUMENTS_END,
    };
    const supUsage usage = { "studio", "see the flesh, tune it and export it, in a web page", options, arguments,
        "The page is served on 127.0.0.1 alone, below a secret path, and reads nothing but itself and the folder of\n"
        "FILE. Nothing leaves the machine.\n",
        NULL };
    supParseResult parsed = supParseWords( &usage, argc, args );
    if ( parsed != sup_parseOk )
    {
        return supExitCodeOf( parsed );
    }
    char folder[PATH_MAX] = "", name[1200] = "";
    if ( words.file != NULL && supSplitFile( words.file, folder, name, sizeof( name ) ) == false )
    {
        fprintf( stderr, "supple studio: %s: no such file\n", words.file );
        return sup_exitFailed;
    }
    const supStudioDef def = { words.page, words.file != NULL ? folder : NULL, words.port };
    return supServeUntilEnd( &words, &def, name );
}
