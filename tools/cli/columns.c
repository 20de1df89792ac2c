// Columns of tables.
// SPDX-License-Identifier: MIT
#include "columns.h"

#include <stdbool.h>

/// Whether a byte starts a letter.
static int supStartsLetter( char byte )
{
    return ( (unsigned char)byte & 0xc0 ) != 0x80;
}

int supCountLetters( const char* text )
{
    int count = 0;
    for ( ; *text != '\0'; ++text )
    {
        count += supStartsLetter( *text );
    }
    return count;
}

int supTakePlainByte( const char** text )
{
    const unsigned char* at = (const unsigned char*)*text;
    bool isLong = at[0] == 0xC2 && at[1] >= 0x80 && at[1] <= 0x9F; // U+0080 to U+009F
    *text += isLong ? 2 : 1;
    return isLong || at[0] < 0x20 || at[0] == 0x7F ? '?' : at[0];
}

void supPrintColumn( FILE* out, const char* text, int width )
{
    int count = supCountLetters( text );
    int shown = count > width ? width - 1 : count, printed = 0;
    while ( *text != '\0' )
    {
        printed += supStartsLetter( *text );
        if ( printed > shown )
        {
            break;
        }
        fputc( supTakePlainByte( &text ), out );
    }
    if ( count > width )
    {
        fputs( "\xe2\x80\xa6", out );
    }
    fprintf( out, "%*s", count < width ? width - count : 0, "" );
}
