// Files through supple.dll on Windows: names beyond ASCII, files that are replaced, and what cannot be written.
// SPDX-License-Identifier: MIT
//
//     windows_files FOLDER      prints what it found; 0 where all is as it must be
#include "supple/io.h"
#include "supple/supple.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int s_problems = 0;

static void supExpect( bool holds, const char* what, const supError* error )
{
    printf( "%s: %s%s%s\n", holds ? "good" : "BAD", what, error->text[0] != '\0' ? ": " : "", error->text );
    s_problems += !holds;
}

static void supFillFrame( int32_t frame, float* positions, void* user )
{
    (void)user;
    for ( int i = 0; i < 6; ++i )
    {
        positions[i] = (float)( 10 * frame + i );
    }
}

static void supTryRigs( const char* folder )
{
    char path[512];
    snprintf(
        path, sizeof( path ), "%s/f\xc3\xbc\xc3\x9f \xe7\x8b\x90.rig.json", folder ); // "füß" and a fox in Chinese
    supError error = { 0 };
    supRig* rig = NULL;
    const char text[] = "{\"elements\": [{\"driver\": \"hip\", \"frequency\": 3.5}]}";
    supResult result = supReadRigMemory( text, strlen( text ), "text", NULL, NULL, &rig, &error );
    supExpect( result == sup_success, "a rig from memory", &error );
    for ( int time = 0; time < 2; ++time ) // the second replaces the first
    {
        result = supWriteRig( rig, path, &error );
        supExpect( result == sup_success, "a rig written", &error );
    }
    supRig* again = NULL;
    result = supReadRig( path, NULL, NULL, &again, &error );
    supExpect( result == sup_success, "read again", &error );
    char first[512] = "", second[512] = "";
    supRigToJson( rig, first, sizeof( first ) );
    supRigToJson( again, second, sizeof( second ) );
    supExpect( first[0] == '{' && strcmp( first, second ) == 0, "the same", &error );
    supDestroyRig( rig );
    supDestroyRig( again );
}

int main( int argc, char** argv )
{
    char path[512];
    supError error = { 0 };
    if ( argc != 2 )
    {
        return 2;
    }
    supTryRigs( argv[1] );
    supPointCache cache = { .pointCount = 2, .frameCount = 3, .fps = 30.0, .frame = supFillFrame };
    snprintf( path, sizeof( path ), "%s/points.pc2", argv[1] );
    supExpect( supWritePointCache( &cache, path, &error ) == sup_success, "a point cache", &error );
    snprintf( path, sizeof( path ), "%s/nowhere/points.pc2", argv[1] );
    supExpect( supWritePointCache( &cache, path, &error ) == sup_errorFile, "a folder that is not there", &error );
    supCharacter* nobody = NULL;
    supExpect( supLoadGltf( path, &nobody, &error ) == sup_errorFile, "a file that is not there", &error );
    return s_problems;
}
