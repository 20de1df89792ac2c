// Columns of tables.
// SPDX-License-Identifier: MIT
#include "columns.h"

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

void supPrintColumn( FILE* out, const char* text, int width )
{
    int count = supCountLetters( text );
    int shown = count > width ? width - 1 : count, printed = 0;
    for ( ; *text != '\0'; ++text )
    {
        printed += supStartsLetter( *text );
        if ( printed > shown )
        {
            break;
        }
        unsigned char c = (unsigned char)*text;
        fputc( c < 0x20 || c == 0x7f ? '?' : c, out );
    }
    if ( count > width )
    {
        fputs( "\xe2\x80\xa6", out );
    }
    fprintf( out, "%*s", count < width ? width - count : 0, "" );
}
