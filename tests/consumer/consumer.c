/* A C program that uses the installed core. */
#include <supple/base.h>

#include <stdio.h>

int main( void )
{
    printf( "C: supple %s\n", supVersion() );
    return 0;
}
