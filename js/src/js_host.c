// SPDX-License-Identifier: MIT
#include "js_host.h"

#include <stdlib.h>

// The host's own, told in imports.txt.
extern void supJs_Note( const char* text );
extern int supJs_Tell( const char* stage, float done );

static supError sup_jsError;

supError* supJsError( void )
{
    return &sup_jsError;
}

static void supTellHost( const char* text, void* user )
{
    (void)user;
    supJs_Note( text );
}

static bool supAskHost( const char* stage, float done, void* user )
{
    (void)user;
    return supJs_Tell( stage, done ) != 0;
}

supLog supJsLog( void )
{
    return ( supLog ){ supTellHost, NULL };
}

supWatch supJsWatch( void )
{
    return ( supWatch ){ supAskHost, NULL };
}

char* supJsText( json_t* json )
{
    char* text = json != NULL ? json_dumps( json, JSON_COMPACT | JSON_REAL_PRECISION( 9 ) | JSON_ENCODE_ANY ) : NULL;
    json_decref( json );
    if ( text == NULL )
    {
        supFail( &sup_jsError, sup_errorMemory, "no memory for a report, or a name that is not UTF-8" );
    }
    return text;
}

json_t* supJsVector( supVec3 vector )
{
    return json_pack( "[f, f, f]", (double)vector.x, (double)vector.y, (double)vector.z );
}

supError* SUP_JS( supJs_Error )( void );
supError* supJs_Error( void )
{
    return &sup_jsError;
}

const char* SUP_JS( supJs_Version )( void );
const char* supJs_Version( void )
{
    return supVersion();
}

const char* SUP_JS( supJs_SimdName )( void );
const char* supJs_SimdName( void )
{
#ifdef __wasm_simd128__
    return "WASM SIMD";
#else
    return "scalar";
#endif
}
