// Which word may have been meant.
// SPDX-License-Identifier: MIT
#include "options.h"

#include <string.h>

enum
{
    sup_maxWord = 64
};

static int supLeast( int a, int b )
{
    return a < b ? a : b;
}

/// Damerau's distance in its restricted form: each row of the table needs the two rows above it.
int supWordDistance( const char* a, const char* b )
{
    int lengthA = (int)strlen( a );
    int lengthB = (int)strlen( b );
    if ( lengthA > sup_maxWord || lengthB > sup_maxWord )
    {
        return lengthA > lengthB ? lengthA : lengthB;
    }
    int rows[3][sup_maxWord + 1];
    for ( int j = 0; j <= lengthB; ++j )
    {
        rows[0][j] = j;
    }
    for ( int i = 1; i <= lengthA; ++i )
    {
        int* row = rows[i % 3];
        const int* above = rows[( i + 2 ) % 3];
        const int* second = rows[( i + 1 ) % 3];
        row[0] = i;
        for ( int j = 1; j <= lengthB; ++j )
        {
            int replace = above[j - 1] + ( a[i - 1] == b[j - 1] ? 0 : 1 );
            row[j] = supLeast( replace, supLeast( above[j], row[j - 1] ) + 1 );
            if ( i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] )
            {
                row[j] = supLeast( row[j], second[j - 2] + 1 );
            }
        }
    }
    return rows[lengthA % 3][lengthB];
}

const char* supNearestWord( const char* word, const char* const* candidates )
{
    const char* nearest = NULL;
    int least = (int)strlen( word ) / 3 + 1; // one slip in a short word, three in a long one
    least = supLeast( least, 3 ) + 1;
    for ( ; *candidates != NULL; ++candidates )
    {
        int distance = supWordDistance( word, *candidates );
        if ( distance < least )
        {
            least = distance;
            nearest = *candidates;
        }
    }
    return nearest;
}
