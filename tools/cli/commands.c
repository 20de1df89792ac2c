// The table of commands: in the order in which the help lists them.
// SPDX-License-Identifier: MIT
#include "command.h"
#include "options.h"

#include <string.h>

static const supCommand sup_commands[] = {
    { "bake", "adds the motion of flesh to a file, for every engine", supRunBake },
    { "bench", "speeds, as a table and as JSON", supRunBench },
    { "curves", "a surface carried by curves: between shapes and beyond them", supRunCurves },
    { "demo", "a built-in character before and after, as files and as a moving picture", supRunDemo },
    { "help", "this list, or the help of one command", supRunHelp },
    { "inspect", "meshes, skins, joints, clips, and what could carry flesh", supRunInspect },
    { "loft", "new surfaces through the curves of a character", supRunLoft },
    { "render", "pictures of a character: PNG, contact sheets, moving WebP", supRunRender },
    { "rig", "the automatic rig of a character; checks of rig files", supRunRig },
    { "studio", "see the flesh, tune it and export it, in a web page", supRunStudio },
    { "version", "the program's version", supRunVersion },
};

enum
{
    sup_commandCount = sizeof( sup_commands ) / sizeof( sup_commands[0] )
};

const supCommand* supFindCommand( const char* name )
{
    for ( int i = 0; i < sup_commandCount; ++i )
    {
        if ( strcmp( sup_commands[i].name, name ) == 0 )
        {
            return sup_commands + i;
        }
    }
    return NULL;
}

int supReportUnknownCommand( const char* word )
{
    const char* names[sup_commandCount + 1] = { NULL };
    for ( int i = 0; i < sup_commandCount; ++i )
    {
        names[i] = sup_commands[i].name;
    }
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

void supPrintOverview( FILE* out )
{
    fputs( "supple: living flesh for skinned, animated characters\n\n"
           "usage: supple COMMAND [INPUT] [OUTPUT] [OPTIONS]\n\n"
           "commands:\n",
        out );
    for ( int i = 0; i < sup_commandCount; ++i )
    {
        fprintf( out, "  %-10s %s\n", sup_commands[i].name, sup_commands[i].summary );
    }
    fputs( "\n'supple COMMAND -h' explains a command. Exit codes: 0 done, 1 failed, 2 bad arguments.\n", out );
}
