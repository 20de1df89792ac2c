// Command-line options as a table: the help text.
// SPDX-License-Identifier: MIT
#include "options.h"

#include <string.h>

enum
{
    sup_maxLabel = 200,   // bytes of "--preset subtle|natural|…"
    sup_widestColumn = 34 // a longer label gets a line of its own
};

/// "-j, --jobs N", "    --preset subtle|natural".
static void supWriteLabel( const supOption* option, char* text, size_t size )
{
    char letter[8] = "    ";
    if ( option->letter != 0 )
    {
        snprintf( letter, sizeof( letter ), "-%c, ", option->letter );
    }
    size_t length = (size_t)snprintf( text, size, "%s--%s", letter, option->name );
    if ( option->type == sup_optionChoice )
    {
        for ( int i = 0; option->choices[i] != NULL && length < size; ++i )
        {
            length += (size_t)snprintf( text + length, size - length, "%s%s", i == 0 ? " " : "|", option->choices[i] );
        }
    }
    else if ( option->type != sup_optionFlag && length < size )
    {
        snprintf( text + length, size - length, " %s", option->value != NULL ? option->value : "VALUE" );
    }
}

/// One entry of a two-column list. Line breaks in `help` start again in the second column.
static void supPrintRow( FILE* out, const char* label, const char* help, int column )
{
    int width = (int)strlen( label );
    if ( width > column )
    {
        fprintf( out, "  %s\n  %*s", label, column, "" );
    }
    else
    {
        fprintf( out, "  %-*s", column, label );
    }
    fputs( "  ", out );
    for ( ; *help != '\0'; ++help )
    {
        fputc( *help, out );
        if ( *help == '\n' )
        {
            fprintf( out, "%*s", column + 4, "" );
        }
    }
    fputc( '\n', out );
}

static int supColumnOf( const supUsage* usage )
{
    int column = (int)strlen( "-h, --help" );
    for ( const supArgument* argument = usage->arguments; argument->name != NULL; ++argument )
    {
        int width = (int)strlen( argument->name );
        column = width > column && width <= sup_widestColumn ? width : column;
    }
    for ( const supOption* option = usage->options; option->name != NULL; ++option )
    {
        char label[sup_maxLabel];
        supWriteLabel( option, label, sizeof( label ) );
        int width = option->hidden ? 0 : (int)strlen( label );
        column = width > column && width <= sup_widestColumn ? width : column;
    }
    return column;
}

/// What stands after the command in the usage line, and the end of it.
static void supPrintForm( const supUsage* usage, FILE* out )
{
    if ( usage->form != NULL )
    {
        fprintf( out, " %s\n\n", usage->form );
        return;
    }
    for ( const supArgument* argument = usage->arguments; argument->name != NULL; ++argument )
    {
        const char* more = argument->list != NULL ? "..." : "";
        fprintf( out, argument->required ? " %s%s" : " [%s%s]", argument->name, more );
    }
    fputs( " [OPTIONS]\n\n", out );
}

void supPrintUsage( const supUsage* usage, FILE* out )
{
    fprintf( out, "supple %s: %s\n\nusage: supple %s", usage->command, usage->summary, usage->command );
    supPrintForm( usage, out );
    int column = supColumnOf( usage );
    for ( const supArgument* argument = usage->arguments; argument->name != NULL; ++argument )
    {
        supPrintRow( out, argument->name, argument->help, column );
    }
    fputs( usage->arguments->name != NULL ? "\noptions:\n" : "options:\n", out );
    for ( const supOption* option = usage->options; option->name != NULL; ++option )
    {
        char label[sup_maxLabel];
        if ( option->hidden == false )
        {
            supWriteLabel( option, label, sizeof( label ) );
            supPrintRow( out, label, option->help, column );
        }
    }
    supPrintRow( out, "-h, --help", "this text", column );
    if ( usage->notes != NULL )
    {
        fprintf( out, "\n%s\n", usage->notes );
    }
}
