/* A C program that uses the installed file library: a document from memory, and a file that is not there. */
#include <supple/io.h>

#include <stdio.h>
#include <string.h>

int main( void )
{
    const char* text = "{ \"asset\": { \"version\": \"2.0\" } }";
    supLog silence = { 0 };
    supError error = { 0 };
    supGltf* document = NULL;
    if ( supOpenGltfMemory( text, strlen( text ), "memory.gltf", NULL, silence, &document, &error ) != sup_success )
    {
        printf( "io: %s\n", error.text );
        return 1;
    }
    supCloseGltf( document );

    supCharacter* character = NULL;
    supResult result = supLoadGltf( "not-there.glb", &character, &error );
    if ( result != sup_errorFile || strstr( error.text, "not-there.glb" ) == NULL )
    {
        printf( "io: result %d, '%s'\n", (int)result, error.text );
        return 1;
    }
    printf( "io: supple %s\n", supVersion() );
    return 0;
}
