// Supple: tables of fields: places and names.
// SPDX-License-Identifier: MIT
#include "base/fields.h"

#include "base/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char* supPathText( char text[SUP_PATH_TEXT], const char* format, ... )
{
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( text, SUP_PATH_TEXT, format, arguments );
    va_end( arguments );
    return text;
}

const supField* supFindField( const supField* fields, int32_t count, const char* name )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( strcmp( fields[i].name, name ) == 0 )
        {
            return fields + i;
        }
    }
    return NULL;
}

supResult supFailUnknown(
    const char* place, const char* key, const char* const* known, int32_t knownCount, supError* error )
{
    char nearest[128];
    supNearest( key, known, knownCount, 1, nearest, sizeof( nearest ) );
    const char* dot = place[0] != '\0' ? "." : "";
    if ( nearest[0] != '\0' )
    {
        return supFail( error, sup_errorData, "%s%s%.60s: unknown; did you mean %s?", place, dot, key, nearest );
    }
    return supFail( error, sup_errorData, "%s%s%.60s: unknown; notes of your own start with \"_\"", place, dot, key );
}

/// As many digits as make no overflow, or -1.
static int32_t supReadIndex( const char* text, const char** end )
{
    int32_t value = 0, digits = 0;
    for ( ; text[digits] >= '0' && text[digits] <= '9' && digits < 9; ++digits )
    {
        value = 10 * value + ( text[digits] - '0' );
    }
    *end = text + digits;
    return digits > 0 ? value : -1;
}

bool supReadFieldPath( const char* text, supFieldPath* path )
{
    *path = ( supFieldPath ){ 0 };
    size_t name = strcspn( text, "[" );
    const char* field = text;
    if ( text[name] == '[' )
    {
        const char* end;
        path->object = supReadIndex( text + name + 1, &end );
        if ( name == 0 || name >= SUP_FIELD_NAME || path->object < 0 || end[0] != ']' || end[1] != '.' )
        {
            return false;
        }
        memcpy( path->list, text, name );
        field = end + 2;
    }
    size_t length = strlen( field );
    if ( length == 0 || length >= SUP_FIELD_NAME )
    {
        return false;
    }
    memcpy( path->field, field, length );
    return true;
}

supResult supFailNoField( const char* place, const char* name, const supField* fields, int32_t count, supError* error )
{
    const char* known[128];
    int32_t knownCount = 0;
    for ( int32_t i = 0; i < count && knownCount < 128; ++i )
    {
        known[knownCount++] = fields[i].name;
    }
    return supFailUnknown( place, name, known, knownCount, error );
}
