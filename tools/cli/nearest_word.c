// Which word may have been meant.
// SPDX-License-Identifier: MIT
#include "options.h"

#include "supple/io.h"
#include "supple/lab/files.h"

#include <string.h>

const char* supNearestWord( const char* word, const char* const* candidates )
{
    int32_t count = 0;
    while ( candidates[count] != NULL )
    {
        count += 1;
    }
    char quoted[128];
    supNearestNames( word, candidates, count, 1, quoted, sizeof( quoted ) );
    for ( int32_t i = 0; i < count && quoted[0] != '\0'; ++i )
    {
        size_t length = strlen( candidates[i] );
        if ( strlen( quoted ) == length + 2 && memcmp( quoted + 1, candidates[i], length ) == 0 )
        {
            return candidates[i];
        }
    }
    return NULL;
}
