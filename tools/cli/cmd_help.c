// supple help [COMMAND]
// SPDX-License-Identifier: MIT
#include "command.h"
#include "options.h"

int supRunHelp( const char* program, int argc, char** args )
{
    const char* topic = NULL;
    const supOption options[] = { SUP_OPTIONS_END };
    const supArgument arguments[] = {
        { .name = "COMMAND", .help = "the command to tell about", .target = &topic },
        SUP_ARGUMENTS_END,
    };
    const supUsage usage = { "help", "the list of commands, or the help of one of them", options, arguments, NULL,
        NULL };
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
    return command->run( program, 2, words );
}
