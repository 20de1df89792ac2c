// Command-line options as a table: reading the words.
// SPDX-License-Identifier: MIT
#include "options.h"

#include "command.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Messages

int supReportMisuse( const supUsage* usage, const char* format, ... )
{
    fprintf( stderr, "supple %s: ", usage->command );
    va_list words;
    va_start( words, format );
    vfprintf( stderr, format, words );
    va_end( words );
    fprintf( stderr, "; 'supple %s -h' shows how it is called\n", usage->command );
    return sup_exitUsage;
}

static supParseResult supReportUnknownOption( const supUsage* usage, const char* name )
{
    const char* names[sup_maxListCount + 2];
    int count = 0;
    for ( const supOption* option = usage->options; option->name != NULL && count < sup_maxListCount; ++option )
    {
        names[count] = option->name;
        count += option->hidden ? 0 : 1;
    }
    names[count++] = "help";
    names[count] = NULL;
    const char* nearest = supNearestWord( name, names );
    if ( nearest != NULL )
    {
        fprintf( stderr, "supple %s: unknown option --%s; did you mean --%s?\n", usage->command, name, nearest );
    }
    else
    {
        supReportMisuse( usage, "unknown option --%s", name );
    }
    return sup_parseWrong;
}

// ---------------------------------------------------------------------------------------------------------------
// Values

static bool supInRange( const supOption* option, double number )
{
    return option->max <= option->min || ( number >= option->min && number <= option->max );
}

static bool supReadInt( const supUsage* usage, const supOption* option, const char* text )
{
    char* end;
    errno = 0;
    long number = strtol( text, &end, 10 );
    if ( end == text || *end != '\0' )
    {
        supReportMisuse( usage, "--%s needs a whole number, not '%s'", option->name, text );
        return false;
    }
    bool fits = errno == 0 && number >= INT_MIN && number <= INT_MAX;
    if ( fits == false || supInRange( option, (double)number ) == false )
    {
        if ( option->max > option->min )
        {
            supReportMisuse( usage, "--%s takes %.0f to %.0f, not %s", option->name, option->min, option->max, text );
        }
        else
        {
            supReportMisuse( usage, "--%s: %s is too large", option->name, text );
        }
        return false;
    }
    *(int*)option->target = (int)number;
    return true;
}

static bool supReadFloat( const supUsage* usage, const supOption* option, const char* text )
{
    char* end;
    double number = strtod( text, &end );
    if ( end == text || *end != '\0' || isfinite( (float)number ) == 0 )
    {
        supReportMisuse( usage, "--%s needs a number, not '%s'", option->name, text );
        return false;
    }
    if ( supInRange( option, number ) == false )
    {
        supReportMisuse( usage, "--%s takes %g to %g, not %s", option->name, option->min, option->max, text );
        return false;
    }
    *(float*)option->target = (float)number;
    return true;
}

static bool supReadChoice( const supUsage* usage, const supOption* option, const char* text )
{
    char known[256] = "";
    size_t length = 0;
    for ( int i = 0; option->choices[i] != NULL; ++i )
    {
        if ( strcmp( option->choices[i], text ) == 0 )
        {
            *(int*)option->target = i;
            return true;
        }
        const char* joint = i == 0 ? "" : option->choices[i + 1] == NULL ? " or " : ", ";
        int written = snprintf( known + length, sizeof( known ) - length, "%s%s", joint, option->choices[i] );
        length += written < 0 ? 0 : (size_t)written;
        length = length < sizeof( known ) ? length : sizeof( known ) - 1;
    }
    supReportMisuse( usage, "--%s takes %s, not '%s'", option->name, known, text );
    return false;
}

static bool supAppendText( const supUsage* usage, supTextList* list, const char* what, const char* text )
{
    if ( list->count == sup_maxListCount )
    {
        supReportMisuse( usage, "%s: more than %d were given", what, sup_maxListCount );
        return false;
    }
    list->items[list->count++] = text;
    return true;
}

static bool supReadValue( const supUsage* usage, const supOption* option, const char* text )
{
    if ( option->given != NULL )
    {
        *option->given = true;
    }
    switch ( option->type )
    {
        case sup_optionFlag:
            *(bool*)option->target = true;
            return true;
        case sup_optionInt:
            return supReadInt( usage, option, text );
        case sup_optionFloat:
            return supReadFloat( usage, option, text );
        case sup_optionText:
            *(const char**)option->target = text;
            return true;
        case sup_optionChoice:
            return supReadChoice( usage, option, text );
        case sup_optionList:
            return supAppendText( usage, option->target, option->name, text );
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// Words

static const supOption* supFindOption( const supUsage* usage, const char* name, size_t length )
{
    for ( const supOption* option = usage->options; option->name != NULL; ++option )
    {
        if ( strlen( option->name ) == length && memcmp( option->name, name, length ) == 0 )
        {
            return option;
        }
    }
    return NULL;
}

static const supOption* supFindLetter( const supUsage* usage, char letter )
{
    for ( const supOption* option = usage->options; option->name != NULL; ++option )
    {
        if ( option->letter == letter )
        {
            return option;
        }
    }
    return NULL;
}

/// Reads the option in args[*at] and its value, which may be the next word; moves *at to the last word it used.
static bool supReadOption( const supUsage* usage, int argc, char** args, int* at )
{
    const char* word = args[*at];
    const supOption* option;
    const char* value = NULL;
    if ( word[1] == '-' )
    {
        const char* name = word + 2;
        size_t length = strcspn( name, "=" );
        option = supFindOption( usage, name, length );
        value = name[length] == '=' ? name + length + 1 : NULL;
        if ( option == NULL )
        {
            char shown[64];
            snprintf( shown, sizeof( shown ), "%.*s", (int)( length < 63 ? length : 63 ), name );
            return supReportUnknownOption( usage, shown ) == sup_parseOk;
        }
    }
    else
    {
        option = supFindLetter( usage, word[1] );
        value = word[2] != '\0' ? word + 2 : NULL;
        if ( option == NULL )
        {
            supReportMisuse( usage, "unknown option %s", word );
            return false;
        }
    }
    if ( option->type == sup_optionFlag )
    {
        if ( value != NULL )
        {
            supReportMisuse( usage, "--%s takes no value", option->name );
            return false;
        }
        return supReadValue( usage, option, NULL );
    }
    if ( value == NULL )
    {
        // "--fps --json" is a forgotten value, "--offset -3" is a number
        bool follows = *at + 1 < argc && ( strncmp( args[*at + 1], "--", 2 ) != 0 );
        if ( follows == false )
        {
            supReportMisuse( usage, "--%s needs a value", option->name );
            return false;
        }
        value = args[++*at];
    }
    return supReadValue( usage, option, value );
}

static bool supReadArgument( const supUsage* usage, const supArgument** next, const char* word )
{
    const supArgument* argument = *next;
    if ( argument->name == NULL )
    {
        supReportMisuse( usage, "unexpected argument '%s'", word );
        return false;
    }
    if ( argument->list != NULL )
    {
        return supAppendText( usage, argument->list, argument->name, word );
    }
    *argument->target = word;
    *next += 1;
    return true;
}

static bool supIsComplete( const supUsage* usage, const supArgument* next )
{
    for ( ; next->name != NULL; ++next )
    {
        bool absent = next->list == NULL || next->list->count == 0;
        if ( next->required && absent )
        {
            supReportMisuse( usage, "%s is missing", next->name );
            return false;
        }
    }
    return true;
}

static bool supAsksForHelp( int argc, char** args )
{
    for ( int i = 1; i < argc && strcmp( args[i], "--" ) != 0; ++i )
    {
        if ( strcmp( args[i], "-h" ) == 0 || strcmp( args[i], "--help" ) == 0 )
        {
            return true;
        }
    }
    return false;
}

supParseResult supParseWords( const supUsage* usage, int argc, char** args )
{
    if ( supAsksForHelp( argc, args ) )
    {
        supPrintUsage( usage, stdout );
        return sup_parseHelp;
    }
    const supArgument* next = usage->arguments;
    bool onlyArguments = false;
    for ( int i = 1; i < argc; ++i )
    {
        const char* word = args[i];
        bool isOption = onlyArguments == false && word[0] == '-' && word[1] != '\0';
        if ( isOption && strcmp( word, "--" ) == 0 )
        {
            onlyArguments = true;
        }
        else if ( isOption ? supReadOption( usage, argc, args, &i ) == false
                           : supReadArgument( usage, &next, word ) == false )
        {
            return sup_parseWrong;
        }
    }
    return supIsComplete( usage, next ) ? sup_parseOk : sup_parseWrong;
}

int supExitCodeOf( supParseResult result )
{
    return result == sup_parseWrong ? sup_exitUsage : sup_exitOk;
}
