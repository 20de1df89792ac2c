// Supple io: rigs out of JSON.
// SPDX-License-Identifier: MIT
#include "base/fields.h"

#include "base/float_settings.h"
#include "base/memory.h"
#include "base/names.h"
#include "io/file_write.h"
#include "io/files.h"
#include "io/json_text.h"
#include "io/rig_json.h"
#include "io/rig_types.h"
#include "supple/io.h"
#include "supple/lab/files.h"
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
// Supple io: rigs of earlier versions.
//
// A rig says in "supple" which version of the format it was written in; one that does not say was written before that
// was asked for, or by hand, and counts as the first. Where a field changes its meaning, or its default, the version is
// raised and a step is added below that rewrites the JSON of the version before, so that old rigs keep their motion to
// the bit. The steps run one after the other, and all readers (files, memory, glTF) pass through here.

// From 1 to 2: every field means what it did. The second version stands for rigs of the automatic rig that knows
// regions and sides, whose amounts are made for ordinary motion: numbers that any version plays the same.
static const supRigStep sup_rigSteps[SUP_RIG_VERSION - 1] = { NULL };

/// What "supple" says; 1 where it is absent. Fails where that is no version, or above `newest`.
static supResult supReadRigVersion( const json_t* root, int32_t newest, int32_t* version, supError* error )
{
    const json_t* value = json_object_get( root, "supple" );
    json_int_t number = value != NULL ? json_integer_value( value ) : 1;
    if ( value != NULL && ( !json_is_integer( value ) || number < 1 ) )
    {
        return supFail(
            error, sup_errorData, "supple: must be the version of the format, a number from 1 to %d", newest );
    }
    if ( number > newest )
    {
        return supFail( error, sup_errorUnsupported,
            "supple: version %lld: made by a newer version of Supple; this one reads versions up to %d, so get a newer one",
            (long long)number, newest );
    }
    *version = (int32_t)number;
    return sup_success;
}

supResult supMigrateRigBy(
    const json_t* root, const supRigStep* steps, int32_t stepCount, json_t** out, supError* error )
{
    int32_t version = 1;
    *out = NULL;
    supResult result = supReadRigVersion( root, stepCount + 1, &version, error );
    if ( result != sup_success )
    {
        return result;
    }
    json_t* own = NULL; // the document's own rig is left alone
    for ( int32_t i = version - 1; i < stepCount; ++i )
    {
        if ( steps[i] == NULL )
        {
            continue;
        }
        own = own != NULL ? own : supCopyJson( root );
        if ( own == NULL || steps[i]( own ) == false )
        {
            json_decref( own );
            return supFail( error, sup_errorMemory, "out of memory for a rig of version %d", version );
        }
    }
    *out = own != NULL ? own : json_incref( (json_t*)root );
    return sup_success;
}

/// The rig as today's version has it: a new reference, to `root` itself where nothing is to be done.
static supResult supMigrateRig( const json_t* root, json_t** out, supError* error )
{
    return supMigrateRigBy( root, sup_rigSteps, SUP_RIG_VERSION - 1, out, error );
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
    supTakeControlsOut( text, ' ' );
    for ( ; *text != '\0' && !isUtf8; ++text )
    {
        *text = (unsigned char)*text >= 0x80 ? '?' : *text;
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

// ---------------------------------------------------------------------------------------------------------------
// Supple io: rigs into JSON.

json_t* supWriteObject( const supField* fields, int32_t count, const void* item, bool* failed )
{
    json_t* out = json_object();
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( !supFieldIsDefault( fields + i, item ) )
        {
            const void* value = (const char*)item + fields[i].offset;
            supJsonPut( out, fields[i].name, supFieldJsonOf( fields + i )->write( fields + i, value, failed ), failed );
        }
    }
    return out;
}

json_t* supRigToJsonValue( const supRig* rig )
{
    bool failed = false;
    json_t* root = json_object();
    supJsonPut( root, "supple", json_integer( SUP_RIG_VERSION ), &failed );
    supVec3 gravity = supRig_Gravity( rig );
    if ( gravity.x != 0.0f || gravity.y != -9.81f || gravity.z != 0.0f )
    {
        supJsonPut( root, "gravity", supJsonVec3( gravity ), &failed );
    }
    for ( int32_t layer = 0; layer < supLayerCount(); ++layer )
    {
        const supLayerInfo* info = supGetLayerInfo( layer );
        int32_t count = supRig_ItemCount( rig, layer );
        json_t* items = count > 0 ? json_array() : NULL;
        for ( int32_t i = 0; i < count; ++i )
        {
            const void* item = supRig_Item( rig, layer, i );
            supJsonAppend( items, supWriteObject( info->fields, info->fieldCount, item, &failed ), &failed );
        }
        if ( count > 0 )
        {
            supJsonPut( root, info->key, items, &failed );
        }
    }
    if ( failed )
    {
        json_decref( root );
        return NULL;
    }
    return root;
}

size_t supRigToJson( const supRig* rig, char* text, size_t size )
{
    json_t* root = supRigToJsonValue( rig );
    size_t length = root != NULL ? supJsonText( root, text, size ) : 0;
    json_decref( root );
    return length;
}

supResult supWriteRig( const supRig* rig, const char* path, supError* error )
{
    json_t* root = supRigToJsonValue( rig );
    size_t length = root != NULL ? supJsonText( root, NULL, 0 ) : 0;
    char* text = length > 0 ? malloc( length + 1 ) : NULL;
    if ( text == NULL )
    {
        json_decref( root );
        return supFail( error, sup_errorMemory, "%s: out of memory", path );
    }
    supJsonText( root, text, length + 1 );
    json_decref( root );
    supResult result = supWriteFile( path, text, length, error );
    free( text );
    return result;
}
