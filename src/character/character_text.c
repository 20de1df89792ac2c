// Supple: how things of a character are named in messages.
// SPDX-License-Identifier: MIT
#include "base/names.h"
#include "character_data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

supLabel supLabelOf( const char* kind, int32_t index, const char* name )
{
    supLabel label;
    if ( name != NULL && name[0] != 0 )
    {
        snprintf( label.text, sizeof( label.text ), "%s '%.*s'", kind, (int)supWholeCharacters( name, 64 ), name );
    }
    else
    {
        snprintf( label.text, sizeof( label.text ), "%s %d", kind, (int)index );
    }
    return label;
}

void supMakePlainText( char* text )
{
    for ( char* at = text; *at != 0; ++at )
    {
        *at = (unsigned char)*at < 32 || *at == 127 ? '?' : *at;
    }
}

supResult supRefuse( const supCharacterDef* def, supError* error, supResult code, const char* format, ... )
{
    char text[SUP_ERROR_TEXT];
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( text, sizeof( text ), format, arguments );
    va_end( arguments );
    supMakePlainText( text );
    bool hasName = def->name != NULL && def->name[0] != 0;
    return supFail( error, code, "%s%s%s", hasName ? def->name : "", hasName ? ": " : "", text );
}

size_t supFindNotFinite( const float* values, size_t count )
{
    size_t i = 0;
    while ( i < count && isfinite( values[i] ) )
    {
        ++i;
    }
    return i;
}
