// A host that has set its thread otherwise: before the program begins, MXCSR becomes what SUP_MXCSR says (hexadecimal).
#include <stdlib.h>
#if defined( __SSE2__ )
#    include <xmmintrin.h>

__attribute__( ( constructor ) ) static void supSetHost( void )
{
    const char* text = getenv( "SUP_MXCSR" );
    if ( text != NULL )
    {
        _mm_setcsr( (unsigned int)strtoul( text, NULL, 16 ) );
    }
}
#endif
