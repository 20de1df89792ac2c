// The program `supple`: finds the command that the first word names and runs it.
// SPDX-License-Identifier: MIT
#include "command.h"

#include <string.h>

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

static int supRunWords( int argc, char** args )
{
    const char* word = args[1];
    if ( strcmp( word, "-h" ) == 0 || strcmp( word, "--help" ) == 0 )
    {
        supPrintOverview( stdout );
        return sup_exitOk;
    }
    if ( strcmp( word, "--version" ) == 0 )
    {
        return supRunVersion( args[0], argc - 1, args + 1 );
    }
    const supCommand* command = supFindCommand( word );
    return command != NULL ? command->run( args[0], argc - 1, args + 1 ) : supReportUnknownCommand( word );
}

int main( int argc, char** argv )
{
    if ( argc < 2 )
    {
        supPrintOverview( stderr );
        return sup_exitUsage;
    }
    return supFinishOutput( supRunWords( argc, argv ) );
}
