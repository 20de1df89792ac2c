// Supple io: rigs out of JSON.
// SPDX-License-Identifier: MIT
#include "base/fields.h"
#include "base/float_settings.h"
#include "base/memory.h"
#include "base/names.h"
#include "io/files.h"
#include "io/json_checked.h"
#include "io/rig_json.h"
#include "supple/lab/items.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Items

static supResult supReadItems( supRigReader* reader, supRig* rig, int32_t layer, const json_t* value )
{
    const supLayerInfo* info = supGetLayerInfo( layer );
    if ( !json_is_array( value ) )
    {
        return supFailType( reader, info->key, "a list", value );
    }
    for ( size_t i = 0; i < json_array_size( value ); ++i )
    {
        char place[SUP_PATH_TEXT];
        supPathText( place, "%s[%zu]", info->key, i );
        void* item = supArena_Take( &reader->arena, 1, info->itemSize );
        if ( item == NULL )
        {
            return supFail( reader->error, sup_errorMemory, "%s: out of memory", place );
        }
        supResult result =
            supReadObject( reader, info->fields, info->fieldCount, place, json_array_get( value, i ), item );
        result = result == sup_success ? supRig_AddItem( rig, layer, item, reader->error ) : result;
        supArena_Free( &reader->arena );
        if ( result != sup_success )
        {
            return result;
        }
    }
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// The rig

static supResult supReadGravity( supRigReader* reader, supRig* rig, const json_t* value )
{
    supVec3 gravity = supVec3_zero;
    supResult result = supReadVec3( reader, "gravity", value, false, &gravity );
    if ( result != sup_success )
    {
        return result;
    }
    float largest = fmaxf( fabsf( gravity.x ), fmaxf( fabsf( gravity.y ), fabsf( gravity.z ) ) );
    if ( !( largest <= SUP_LARGEST_GRAVITY ) )
    {
        return supFail( reader->error, sup_errorData, "gravity: beyond %g m/s^2", (double)SUP_LARGEST_GRAVITY );
    }
    supRig_SetGravity( rig, gravity );
    return sup_success;
}

static supResult supReadRoot( supRigReader* reader, supRig* rig, const char* key, const json_t* value )
{
    const char* known[16] = { "supple", "gravity" };
    int32_t count = 2;
    for ( int32_t layer = 0; layer < supLayerCount() && count < 16; ++layer )
    {
        known[count++] = supGetLayerInfo( layer )->key;
        if ( strcmp( key, supGetLayerInfo( layer )->key ) == 0 )
        {
            return supReadItems( reader, rig, layer, value );
        }
    }
    if ( strcmp( key, "supple" ) == 0 )
    {
        return sup_success; // the version, which was read before all else
    }
    if ( strcmp( key, "gravity" ) == 0 )
    {
        return supReadGravity( reader, rig, value );
    }
    // Editors look for the schema under this name.
    bool isNote = supIsNoteKey( key ) || strcmp( key, "$schema" ) == 0;
    return isNote ? sup_success : supFailUnknown( "", key, known, count, reader->error );
}

supResult supRigFromJson( const json_t* root, const supCharacter* character, const char* folder, bool isUntrusted,
    const supAllocator* allocator, supRig** out, supError* error )
{
    supError own;
    supRigReader reader = { character != NULL ? supCharacter_Info( character )->size : 0.0f, folder, isUntrusted, { 0 },
        error != NULL ? error : &own };
    *out = NULL;
    if ( !json_is_object( root ) )
    {
        return supFailType( &reader, "rig", "an object", root );
    }
    json_t* current = NULL;
    supRig* rig = NULL;
    supResult result = supMigrateRig( root, &current, reader.error );
    result = result == sup_success ? supCreateRig( SUP_MAKE_IN( allocator ), &rig, reader.error ) : result;
    supFloatSettings host = supEnterFloatSettings();
    const char* key;
    json_t* value;
    json_object_foreach( current, key, value )
    {
        result = result == sup_success ? supReadRoot( &reader, rig, key, value ) : result;
    }
    supLeaveFloatSettings( host );
    supArena_Free( &reader.arena );
    json_decref( current );
    if ( result != sup_success )
    {
        supDestroyRig( rig );
        return result;
    }
    *out = rig;
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Texts and files

// A message is one line of UTF-8, whatever the file calls its things and wherever a long name was cut off.
static void supMakeLine( char* text )
{
    bool isUtf8 = supIsUtf8( text );
    for ( ; *text != '\0'; ++text )
    {
        unsigned char letter = (unsigned char)*text;
        *text = letter < 0x20 || letter == 0x7f ? ' ' : letter >= 0x80 && !isUtf8 ? '?' : *text;
    }
}

static supResult supFailSyntax( supError* error, const char* name, json_error_t* why )
{
    supMakeLine( why->text );
    if ( json_error_code( why ) == json_error_out_of_memory )
    {
        return supFail( error, sup_errorMemory, "%s: out of memory", name );
    }
    return supFail( error, sup_errorFormat, "%s:%d:%d: %s", name, why->line, why->column, why->text );
}

static supResult supReadRigText( const char* text, size_t size, const char* name, const char* folder,
    const supCharacter* character, const supAllocator* allocator, supRig** out, supError* error )
{
    *out = NULL;
    if ( size >= 3 && memcmp( text, "\xef\xbb\xbf", 3 ) == 0 )
    {
        text += 3; // some editors put a mark of their own before UTF-8
        size -= 3;
    }
    json_error_t why;
    json_t* root = supLoadJson( text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why );
    if ( root == NULL )
    {
        return why.line < 0 ? supFailJson( name, &why, error ) : supFailSyntax( error, name, &why );
    }
    supError inner;
    supResult result = supRigFromJson( root, character, folder, false, allocator, out, &inner );
    json_decref( root );
    if ( result != sup_success )
    {
        supMakeLine( inner.text );
        return supFail( error, result, "%s: %s", name, inner.text );
    }
    return sup_success;
}

supResult supReadRigMemory( const char* text, size_t size, const char* name, const supCharacter* character,
    const supMakeDef* def, supRig** out, supError* error )
{
    *out = NULL;
    const supAllocator* allocator;
    supResult opened = supOpenMakeDef( def, &allocator, error );
    if ( opened != sup_success )
    {
        return opened;
    }
    return supReadRigText( text, size, name, NULL, character, allocator, out, error );
}

supResult supReadRig(
    const char* path, const supCharacter* character, const supMakeDef* def, supRig** out, supError* error )
{
    *out = NULL;
    uint8_t* data;
    size_t size;
    const supAllocator* allocator;
    supResult result = supOpenMakeDef( def, &allocator, error );
    result = result == sup_success ? supReadFile( path, &data, &size, error ) : result;
    if ( result != sup_success )
    {
        return result;
    }
    char* folder = supFolderOf( path );
    result = folder != NULL ? supReadRigText( (const char*)data, size, path, folder, character, allocator, out, error )
                            : supFail( error, sup_errorMemory, "%s: out of memory", path );
    free( folder );
    free( data );
    return result;
}
