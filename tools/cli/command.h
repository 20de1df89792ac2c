#pragma once

#include <stdbool.h>

/// Exit codes of the program.
enum
{
    sup_exitOk = 0,     ///< it did what was asked
    sup_exitFailed = 1, ///< it failed; one line on stderr says why and names the file and the thing in it
    sup_exitUsage = 2,  ///< the call's words were wrong
};

/// A command: `supple NAME …`. To add one, write `cmd_NAME.c` with its function, declare it below and give it a line
/// in the table of commands.c.
typedef struct supCommand
{
    const char* name;
    const char* summary; ///< one line, for the list that `supple -h` prints

    /// `args[0]` is the command's own name. Returns an exit code.
    int ( *run )( int argc, char** args );
} supCommand;

/// All commands, in the order in which the help lists them; ends with a NULL name.
const supCommand* supGetCommands( void );

/// The command of that name, or NULL.
const supCommand* supFindCommand( const char* name );

int supRunHelp( int argc, char** args );
int supRunVersion( int argc, char** args );
