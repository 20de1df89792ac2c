// What fuzz targets share that take their input as a row of choices.
#pragma once

#include "supple/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct supBytesLeft
{
    const uint8_t* data;
    size_t size;
} supBytesLeft;

/// 0 where none is left.
static inline uint8_t supNextByte( supBytesLeft* left )
{
    if ( left->size == 0 )
    {
        return 0;
    }
    left->size -= 1;
    return *left->data++;
}

/// Mostly of this world; now and then of none.
static inline float supNextFloat( supBytesLeft* left )
{
    uint8_t kind = supNextByte( left ), value = supNextByte( left );
    static const float odd[] = { NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-45f, 1e-38f, 1e20f, 1e9f, -1e9f, 1e6f,
        0.0f };
    float plain = ( (float)value - 128.0f ) / 128.0f;
    return kind >= 244 ? odd[kind - 244] : kind >= 200 ? plain * powf( 10.0f, (float)( kind - 200 ) - 12.0f ) : plain;
}

static inline supVec3 supNextVec3( supBytesLeft* left )
{
    float x = supNextFloat( left ), y = supNextFloat( left );
    return ( supVec3 ){ x, y, supNextFloat( left ) };
}

static inline void supFuzzCheck( bool right, const char* what, const char* words )
{
    if ( !right )
    {
        fprintf( stderr, "%s: %s\n", what, words );
        abort();
    }
}

/// Whether it went well; where not, there must be words, on one line and without escapes.
/// SUP_FUZZ_WORDS=1 shows them.
static inline bool supFuzzGood( supResult result, const supError* error )
{
    supFuzzCheck( result == sup_success || ( error->text[0] != '\0' && strpbrk( error->text, "\n\x1b" ) == NULL ),
        "a bad message", error->text );
    if ( result != sup_success && getenv( "SUP_FUZZ_WORDS" ) != NULL )
    {
        fprintf( stderr, "refused: %s\n", error->text );
    }
    return result == sup_success;
}
