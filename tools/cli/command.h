// The commands of the program `supple`.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdio.h>

/// Exit codes of the program.
enum
{
    sup_exitOk = 0,     ///< it did what was asked
    sup_exitFailed = 1, ///< it failed; one line on stderr says why and names the file and the thing in it
    sup_exitUsage = 2,  ///< bad arguments
};

/// A command: `supple NAME …`. To add one, write cmd_NAME.c with its function, declare it below and give it a line in
/// the table of commands.c.
typedef struct supCommand
{
    const char* name;
    const char* summary; ///< one line, for the list that `supple -h` prints

    /// `program`: how the program itself was called, for lines to copy; `args[0]` is the command's own name. Returns an
    /// exit code.
    int ( *run )( const char* program, int argc, char** args );
} supCommand;

/// The command of that name, or NULL.
const supCommand* supFindCommand( const char* name );

/// Says on stderr that there is no such command, and which one may be meant. Returns the exit code.
int supReportUnknownCommand( const char* word );

/// The list of commands.
void supPrintOverview( FILE* out );

int supRunBake( const char* program, int argc, char** args );
int supRunBench( const char* program, int argc, char** args );
int supRunCurves( const char* program, int argc, char** args );
int supRunDemo( const char* program, int argc, char** args );
int supRunHelp( const char* program, int argc, char** args );
int supRunInspect( const char* program, int argc, char** args );
int supRunLoft( const char* program, int argc, char** args );
int supRunRender( const char* program, int argc, char** args );
int supRunRig( const char* program, int argc, char** args );
int supRunStudio( const char* program, int argc, char** args );
int supRunVersion( const char* program, int argc, char** args );
