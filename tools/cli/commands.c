#include "command.h"

#include <string.h>

static const supCommand sup_commands[] = {
    { "help", "this list, or the help of one command", supRunHelp },
    { "version", "the program's version", supRunVersion },
    { NULL, NULL, NULL },
};

const supCommand* supGetCommands( void )
{
    return sup_commands;
}

const supCommand* supFindCommand( const char* name )
{
    for ( const supCommand* command = sup_commands; command->name != NULL; ++command )
    {
        if ( strcmp( command->name, name ) == 0 )
        {
            return command;
        }
    }
    return NULL;
}
