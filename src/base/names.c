// Supple: names that are nearly right.
// SPDX-License-Identifier: MIT
#include "base/names.h"

#include <string.h>

// Longer names are compared by their first letters: rows stay on the stack.
#define SUP_NAME_LENGTH 127
#define SUP_MOST_NEAREST 16

void supTakeControlsOut( char* text, char with )
{
    for ( unsigned char* at = (unsigned char*)text; *at != '\0'; ++at )
    {
        if ( at[0] == 0xC2 && at[1] >= 0x80 && at[1] <= 0x9F )
        {
            *at++ = (unsigned char)with;
            *at = (unsigned char)with;
        }
        else if ( *at < 0x20 || *at == 0x7F )
        {
            *at = (unsigned char)with;
        }
    }
}

int32_t supWholeCharacters( const char* text, int32_t most )
{
    int32_t length = 0;
    while ( length < most && text[length] != '\0' )
    {
        length += 1;
    }
    while ( length > 0 && ( (unsigned char)text[length] & 0xC0u ) == 0x80u ) // what follows belongs to what is before
    {
        length -= 1;
    }
    return length;
}

static int supLower( char letter )
{
    return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : (unsigned char)letter;
}

static int32_t supNameLength( const char* name )
{
    size_t length = strlen( name );
    return length < SUP_NAME_LENGTH ? (int32_t)length : SUP_NAME_LENGTH;
}

static int32_t supLeast( int32_t a, int32_t b )
{
    return a < b ? a : b;
}

// The optimal string alignment distance: Damerau, "A technique for computer detection and correction of spelling
// errors", 1964; by rows, three of which are alive.
int32_t supEditingDistance( const char* a, const char* b, int32_t limit )
{
    int32_t lengthA = supNameLength( a ), lengthB = supNameLength( b );
    int32_t difference = lengthA > lengthB ? lengthA - lengthB : lengthB - lengthA;
    if ( difference > limit )
    {
        return limit + 1;
    }
    int32_t rows[3][SUP_NAME_LENGTH + 1];
    for ( int32_t j = 0; j <= lengthB; ++j )
    {
        rows[0][j] = j;
    }
    for ( int32_t i = 1; i <= lengthA; ++i )
    {
        int32_t* row = rows[i % 3];
        const int32_t* above = rows[( i + 2 ) % 3];
        const int32_t* above2 = rows[( i + 1 ) % 3];
        row[0] = i;
        for ( int32_t j = 1; j <= lengthB; ++j )
        {
            int letterA = supLower( a[i - 1] ), letterB = supLower( b[j - 1] );
            int32_t best = above[j - 1] + ( letterA == letterB ? 0 : 1 );
            best = supLeast( best, supLeast( above[j], row[j - 1] ) + 1 );
            if ( i > 1 && j > 1 && letterA == supLower( b[j - 2] ) && letterB == supLower( a[i - 2] ) )
            {
                best = supLeast( best, above2[j - 2] + 1 );
            }
            row[j] = best;
        }
    }
    return supLeast( rows[lengthA % 3][lengthB], limit + 1 );
}

static bool supBeginsWith( const char* name, const char* beginning )
{
    while ( *beginning != '\0' )
    {
        if ( supLower( *name++ ) != supLower( *beginning++ ) )
        {
            return false;
        }
    }
    return true;
}

// Beginnings are nearer than the farthest misspelling and farther than the nearest: "hip" for "hips" is an edit, "hip"
// for "hip_left_twist" is a beginning.
static int32_t supNameDistance( const char* name, const char* other, int32_t limit )
{
    int32_t distance = supEditingDistance( name, other, limit );
    if ( distance > 2 && strlen( name ) >= 2 && strlen( other ) >= 2 &&
         ( supBeginsWith( other, name ) || supBeginsWith( name, other ) ) )
    {
        return 2;
    }
    // "Walk" for "Armature|Walk", as exporters write clips
    const char* bar = strrchr( other, '|' );
    int32_t behind = bar != NULL ? supEditingDistance( name, bar + 1, limit ) : distance;
    return behind < distance ? behind : distance;
}

static size_t supAppendQuoted( char* text, size_t textSize, size_t length, const char* name )
{
    size_t nameLength = strlen( name );
    const char* separator = length > 0 ? ", " : "";
    size_t separatorLength = strlen( separator );
    if ( length + separatorLength + nameLength + 3 > textSize )
    {
        return length;
    }
    memcpy( text + length, separator, separatorLength );
    length += separatorLength;
    text[length++] = '"';
    memcpy( text + length, name, nameLength );
    length += nameLength;
    text[length++] = '"';
    text[length] = '\0';
    return length;
}

const char* supNearest(
    const char* name, const char* const* names, int32_t count, int32_t most, char* text, size_t textSize )
{
    if ( textSize == 0 )
    {
        return "";
    }
    text[0] = '\0';
    most = most < SUP_MOST_NEAREST ? most : SUP_MOST_NEAREST;
    int32_t limit = supNameLength( name ) / 3;
    limit = limit < 2 ? 2 : limit;

    int32_t found = 0, indices[SUP_MOST_NEAREST], distances[SUP_MOST_NEAREST];
    for ( int32_t i = 0; i < count && most > 0; ++i )
    {
        if ( names[i] == NULL || names[i][0] == '\0' )
        {
            continue;
        }
        int32_t distance = supNameDistance( name, names[i], limit );
        // Two changed letters out of two or three leave nothing of the name.
        if ( distance > limit || distance >= supNameLength( name ) )
        {
            continue;
        }
        if ( found == most && distance >= distances[found - 1] )
        {
            continue;
        }
        int32_t place = found < most ? found++ : found - 1;
        for ( ; place > 0 && distances[place - 1] > distance; --place )
        {
            distances[place] = distances[place - 1];
            indices[place] = indices[place - 1];
        }
        distances[place] = distance;
        indices[place] = i;
    }
    size_t length = 0;
    for ( int32_t i = 0; i < found; ++i )
    {
        length = supAppendQuoted( text, textSize, length, names[indices[i]] );
    }
    return text;
}
