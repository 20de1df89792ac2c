/* A C program that uses the installed file library: it asks for a file that is not there and expects to be told so. */
#include <supple/io.h>

#include <stdio.h>
#include <string.h>

int main( void )
{
    supCharacter* character = NULL;
    supError error = { 0 };
    supResult result = supLoadGltf( "not-there.glb", &character, &error );
    if ( result != sup_errorFile || strstr( error.text, "not-there.glb" ) == NULL )
    {
        printf( "io: result %d, '%s'\n", (int)result, error.text );
        return 1;
    }
    printf( "io: supple %s\n", supVersion() );
    return 0;
}
