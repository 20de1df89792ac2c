#include "assert_near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

void supAssertNear( double a, double b, double within )
{
    if ( !( fabs( a - b ) <= within ) )
    {
        fail_msg( "%.12g and %.12g are more than %g apart", a, b, within );
    }
}
