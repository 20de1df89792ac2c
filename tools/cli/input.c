// Characters from files and by name.
// SPDX-License-Identifier: MIT
#include "input.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void supTellNote( const char* text, void* user )
{
    const supInput* input = user;
    bool named = strstr( text, input->path ) != NULL; // most notes name the file themselves
    fprintf( stderr, "supple %s: %s%s%s\n", input->command, named ? "" : input->path, named ? "" : ": ", text );
}

static bool supIsCreature( const char* name )
{
    const char* const* names = NULL;
    int32_t count = supCreatureNames( &names );
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( strcmp( names[i], name ) == 0 )
        {
            return true;
        }
    }
    return false;
}

static supResult supOpenFile( supInput* input, supError* error )
{
    supLog log = { supTellNote, input };
    supResult result = supOpenGltf( input->path, log, &input->document, error );
    result = result == sup_success ? supGltf_Character( input->document, NULL, &input->own, error ) : result;
    result = result == sup_success ? supGltf_Look( input->document, &input->look, error ) : result;
    input->character = input->own;
    return result;
}

supResult supOpenInput( supInput* input, const char* command, const char* path, supError* error )
{
    *input = ( supInput ){ .path = path, .command = command };
    struct stat info;
    if ( stat( path, &info ) != 0 && supIsCreature( path ) )
    {
        supResult result = supCreateCreature( path, NULL, &input->creature, error );
        if ( result == sup_success )
        {
            input->character = supCreature_Character( input->creature );
            input->look = supCreature_Look( input->creature );
        }
        return result;
    }
    return supOpenFile( input, error );
}

void supCloseInput( supInput* input )
{
    supDestroyCharacter( input->own );
    supDestroyCreature( input->creature );
    supCloseGltf( input->document );
    *input = ( supInput ){ 0 };
}

supResult supInput_Rig(
    const supInput* input, const char* rigPath, const char* preset, bool* automatic, supRig** out, supError* error )
{
    *out = NULL;
    bool own = false;
    supPreset kind = sup_presetNatural;
    supResult result = preset != NULL ? supFindPreset( preset, &kind, error ) : sup_success;
    if ( result == sup_success && rigPath != NULL )
    {
        result = supReadRig( rigPath, input->character, NULL, out, error );
    }
    else if ( result == sup_success && preset == NULL && input->document != NULL )
    {
        result = supGltf_Rig( input->document, input->character, NULL, out, error );
    }
    if ( result == sup_success && *out == NULL )
    {
        own = true;
        result = supProposeRig( input->character, kind, NULL, out, NULL, error );
    }
    if ( automatic != NULL )
    {
        *automatic = own;
    }
    return result;
}

const char* supBaseName( const char* path )
{
    const char* slash = strrchr( path, '/' );
    return slash != NULL ? slash + 1 : path;
}
