// Supple io: the vertices of Wavefront OBJ files.
// SPDX-License-Identifier: MIT
//
// A line that begins with "v " is a vertex, one with "f " a face; a sculpt needs no more.
#include "io/obj_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    supLongestLine = 512
};

/// The next line into `line`, cut off where it is longer; gives where the one after begins.
static const char* supNextLine( const char* at, const char* end, char line[supLongestLine] )
{
    const char* stop = memchr( at, '\n', (size_t)( end - at ) );
    size_t length = (size_t)( ( stop != NULL ? stop : end ) - at );
    size_t kept = length < supLongestLine - 1 ? length : supLongestLine - 1;
    memcpy( line, at, kept );
    line[kept] = '\0';
    return stop != NULL ? stop + 1 : end;
}

static bool supIsVertex( const char* line )
{
    return line[0] == 'v' && ( line[1] == ' ' || line[1] == '\t' );
}

static bool supParsePlace( const char* text, supVec3* out )
{
    float values[3];
    for ( int i = 0; i < 3; ++i )
    {
        char* end;
        values[i] = strtof( text, &end );
        if ( end == text || !isfinite( values[i] ) )
        {
            return false;
        }
        text = end;
    }
    *out = ( supVec3 ){ values[0], values[1], values[2] };
    return true;
}

/// Corners of a face: blank-separated words.
static int32_t supCountCorners( const char* line )
{
    int32_t count = 0;
    for ( const char* at = line + 1; *at != '\0'; ++at )
    {
        bool isBlank = *at == ' ' || *at == '\t' || *at == '\r', wasBlank = at[-1] == ' ' || at[-1] == '\t';
        count += !isBlank && wasBlank;
    }
    return count;
}

supResult supReadObjPoints( const char* text, size_t size, supBlocks* blocks, supSculpt* out, supError* error )
{
    const char* end = text + size;
    char line[supLongestLine];
    int32_t count = 0;
    for ( const char* at = text; at < end; )
    {
        at = supNextLine( at, end, line );
        count += supIsVertex( line );
    }
    supVec3* points = supBlocks_Take( blocks, (size_t)count, sizeof( supVec3 ) );
    if ( points == NULL || count == 0 )
    {
        return points == NULL ? supFail( error, sup_errorMemory, "out of memory" )
                              : supFail( error, sup_errorFormat, "no line of it is a vertex: is it an OBJ file?" );
    }
    int32_t found = 0, number = 1, triangles = 0;
    for ( const char* at = text; at < end; ++number )
    {
        at = supNextLine( at, end, line );
        if ( supIsVertex( line ) && !supParsePlace( line + 2, points + found++ ) )
        {
            return supFail( error, sup_errorFormat, "line %d: three finite numbers are wanted after \"v\"", number );
        }
        if ( line[0] == 'f' && line[1] == ' ' )
        {
            int32_t corners = supCountCorners( line );
            triangles += corners > 2 ? corners - 2 : 0;
        }
    }
    out->count = count;
    out->points = points;
    out->triangleCount = triangles;
    return sup_success;
}
