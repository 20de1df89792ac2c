#include "command.h"
#include "options.h"
#include "supple/base.h"

#include <stdio.h>
#include <string.h>

enum
{
    sup_maxCommandCount = 64
};

static void supPrintOverview( FILE* out )
{
    fputs( "supple: living flesh for skinned, animated characters\n\n"
           "usage: supple COMMAND [INPUT] [OUTPUT] [OPTIONS]\n\n"
           "commands:\n",
        out );
    for ( const supCommand* command = supGetCommands(); command->name != NULL; ++command )
    {
        fprintf( out, "  %-10s %s\n", command->name, command->summary );
    }
    fputs( "\n'supple COMMAND -h' tells what a command takes. Exit codes: 0 done, 1 failed, 2 wrong words.\n", out );
}

static int supReportUnknownCommand( const char* word )
{
    const char* names[sup_maxCommandCount + 1];
    int count = 0;
    for ( const supCommand* command = supGetCommands(); command->name != NULL; ++command )
    {
        if ( count < sup_maxCommandCount )
        {
            names[count++] = command->name;
        }
    }
    names[count] = NULL;
    const char* nearest = supNearestWord( word, names );
    const char* kind = word[0] == '-' ? "option" : "command";
    if ( nearest != NULL )
    {
        fprintf( stderr, "supple: unknown %s '%s'; did you mean '%s'?\n", kind, word, nearest );
    }
    else
    {
        fprintf( stderr, "supple: unknown %s '%s'; 'supple -h' lists the commands\n", kind, word );
    }
    return sup_exitUsage;
}

int supRunHelp( int argc, char** args )
{
    const char* topic = NULL;
    const supOption options[] = { SUP_OPTIONS_END };
    const supArgument arguments[] = {
        { .name = "COMMAND", .help = "the command to tell about", .target = &topic },
        SUP_ARGUMENTS_END,
    };
    const supUsage usage = { "help", "the list of commands, or the help of one of them", options, arguments, NULL };
    supParseResult parsed = supParseWords( &usage, argc, args );
    if ( parsed != sup_parseOk )
    {
        return supExitCodeOf( parsed );
    }
    if ( topic == NULL )
    {
        supPrintOverview( stdout );
        return sup_exitOk;
    }
    const supCommand* command = supFindCommand( topic );
    if ( command == NULL )
    {
        return supReportUnknownCommand( topic );
    }
    char name[32];
    char flag[] = "-h";
    snprintf( name, sizeof( name ), "%s", topic );
    char* words[] = { name, flag, NULL };
    return command->run( 2, words );
}

int supRunVersion( int argc, char** args )
{
    bool json = false;
    const supOption options[] = {
        { .name = "json", .type = sup_optionFlag, .target = &json, .help = "one JSON object on stdout" },
        SUP_OPTIONS_END,
    };
    const supArgument arguments[] = { SUP_ARGUMENTS_END };
    const supUsage usage = { "version", "the program's version", options, arguments, NULL };
    supParseResult parsed = supParseWords( &usage, argc, args );
    if ( parsed != sup_parseOk )
    {
        return supExitCodeOf( parsed );
    }
    printf( json ? "{ \"version\": \"%s\" }\n" : "supple %s\n", supVersion() );
    return sup_exitOk;
}

/// What was printed must have arrived: a full disk behind `supple inspect --json > report.json` is a failure.
static int supFinishOutput( int code )
{
    if ( ( fflush( stdout ) != 0 || ferror( stdout ) ) && code == sup_exitOk )
    {
        fputs( "supple: standard output could not be written\n", stderr );
        return sup_exitFailed;
    }
    return code;
}

int main( int argc, char** argv )
{
    if ( argc < 2 )
    {
        supPrintOverview( stderr );
        return sup_exitUsage;
    }
    const char* word = argv[1];
    if ( strcmp( word, "-h" ) == 0 || strcmp( word, "--help" ) == 0 )
    {
        supPrintOverview( stdout );
        return supFinishOutput( sup_exitOk );
    }
    if ( strcmp( word, "--version" ) == 0 )
    {
        return supFinishOutput( supRunVersion( argc - 1, argv + 1 ) );
    }
    const supCommand* command = supFindCommand( word );
    if ( command == NULL )
    {
        return supReportUnknownCommand( word );
    }
    return supFinishOutput( command->run( argc - 1, argv + 1 ) );
}
