// The record of a bake, and the way back.
// SPDX-License-Identifier: MIT
#include "io/gltf_bake.h"

#include <stdlib.h>
#include <string.h>

static const char* const sup_countedKinds[] = { "nodes", "meshes", "animations", "accessors", "bufferViews",
    "buffers" };

enum
{
    sup_countedKindCount = sizeof( sup_countedKinds ) / sizeof( sup_countedKinds[0] )
};

void supBakeEdit_StartRecord( supBakeEdit* bake )
{
    json_t* counts = json_object();
    bake->record = json_pack( "{s:i}", "version", SUP_BAKE_VERSION );
    for ( int32_t i = 0; i < sup_countedKindCount; ++i )
    {
        bool has = json_object_get( bake->edit.document->root, sup_countedKinds[i] ) != NULL;
        if ( has )
        {
            int32_t count = supGltf_Count( bake->edit.document, sup_countedKinds[i] );
            supEdit_Put( &bake->edit, counts, sup_countedKinds[i], json_pack( "[i]", count ) );
        }
    }
    supEdit_Put( &bake->edit, bake->record, "counts", counts );
    const supGltf* document = bake->edit.document;
    if ( bake->edit.isBinary && document->bufferCount > 0 && document->buffers[0].kind == sup_bufferChunk )
    {
        supEdit_Put(
            &bake->edit, bake->record, "bufferLength", json_integer( (json_int_t)document->buffers[0].byteLength ) );
    }
}

void supBakeEdit_Note(
    supBakeEdit* bake, const char* list, int32_t first, int32_t second, bool hasThird, int32_t third, json_t* extra )
{
    json_t* array = json_object_get( bake->record, list );
    if ( array == NULL )
    {
        array = json_array();
        supEdit_Put( &bake->edit, bake->record, list, array );
    }
    json_t* entry = json_pack( "[i,i]", first, second );
    if ( hasThird )
    {
        supEdit_Push( &bake->edit, entry, json_integer( third ) );
    }
    if ( extra != NULL )
    {
        supEdit_Push( &bake->edit, entry, extra );
    }
    supEdit_Push( &bake->edit, array, entry );
}

void supBakeEdit_EndRecord( supBakeEdit* bake, bool hasRig )
{
    json_t* root = bake->edit.document->root;
    const char* kind;
    json_t* pair;
    json_object_foreach( json_object_get( bake->record, "counts" ), kind, pair )
    {
        supEdit_Push( &bake->edit, pair, json_integer( supGltf_Count( bake->edit.document, kind ) ) );
    }
    supEdit_Put( &bake->edit, bake->record, "rig", json_boolean( hasRig ) );
    json_t* used = supEdit_Array( &bake->edit, "extensionsUsed" );
    json_t* extensions = json_object_get( root, "extensions" );
    if ( extensions == NULL )
    {
        extensions = json_object();
        supEdit_Put( &bake->edit, root, "extensions", extensions );
    }
    if ( supEdit_Ok( &bake->edit ) )
    {
        supEdit_Push( &bake->edit, used, json_string( SUP_BAKE_EXTENSION ) );
        supEdit_Put( &bake->edit, extensions, SUP_BAKE_EXTENSION, json_incref( bake->record ) );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The way back. A record is data from a file like any other: everything in it is checked before it is used.

typedef struct supUndo
{
    supGltf* document;
    const json_t* record;
    bool wrong; ///< the record does not fit the document
} supUndo;

/// The `at`-th whole number of a record's entry, within [lower, upper].
static int32_t supUndo_Number( supUndo* undo, const json_t* entry, size_t at, int64_t lower, int64_t upper )
{
    const json_t* value = json_array_get( entry, at );
    json_int_t number = json_integer_value( value );
    if ( json_is_integer( value ) == false || number < lower || number > upper )
    {
        undo->wrong = true;
        return -1;
    }
    return (int32_t)number;
}

/// The object that an entry's first number names.
static json_t* supUndo_Object( supUndo* undo, const json_t* entry, const char* kind )
{
    int32_t index = supUndo_Number( undo, entry, 0, 0, (int64_t)supGltf_Count( undo->document, kind ) - 1 );
    return undo->wrong ? NULL : supGltf_Item( undo->document, kind, index );
}

static void supTruncate( supUndo* undo, json_t* array, int64_t count )
{
    if ( json_is_array( array ) == false || count < 0 || (size_t)count > json_array_size( array ) )
    {
        undo->wrong = true;
        return;
    }
    while ( json_array_size( array ) > (size_t)count )
    {
        json_array_remove( array, json_array_size( array ) - 1 );
    }
}

static void supUndoSkin( supUndo* undo, const json_t* entry )
{
    json_t* skin = supUndo_Object( undo, entry, "skins" );
    int32_t joints = supUndo_Number( undo, entry, 1, 1, INT32_MAX );
    int32_t bind = supUndo_Number( undo, entry, 2, -1, INT32_MAX );
    if ( undo->wrong == false )
    {
        supTruncate( undo, json_object_get( skin, "joints" ), joints );
        if ( bind >= 0 )
        {
            json_object_set_new( skin, "inverseBindMatrices", json_integer( bind ) );
        }
    }
}

static void supUndoChildren( supUndo* undo, const json_t* entry )
{
    json_t* node = supUndo_Object( undo, entry, "nodes" );
    int32_t count = supUndo_Number( undo, entry, 1, -1, INT32_MAX );
    if ( undo->wrong == false && count < 0 )
    {
        json_object_del( node, "children" );
    }
    else if ( undo->wrong == false )
    {
        supTruncate( undo, json_object_get( node, "children" ), count );
    }
}

static void supUndoPrimitive( supUndo* undo, const json_t* entry )
{
    json_t* primitives = json_object_get( supUndo_Object( undo, entry, "meshes" ), "primitives" );
    int32_t index = supUndo_Number( undo, entry, 1, 0, (int64_t)json_array_size( primitives ) - 1 );
    json_t* primitive = json_array_get( entry, 2 );
    undo->wrong = undo->wrong || json_is_object( primitive ) == false;
    if ( undo->wrong == false )
    {
        json_array_set( primitives, (size_t)index, primitive );
    }
}

static void supUndoNode( supUndo* undo, const json_t* entry )
{
    json_t* node = supUndo_Object( undo, entry, "nodes" );
    int32_t mesh = supUndo_Number( undo, entry, 1, 0, (int64_t)supGltf_Count( undo->document, "meshes" ) - 1 );
    if ( undo->wrong == false )
    {
        json_object_set_new( node, "mesh", json_integer( mesh ) );
    }
}

static void supUndoMesh( supUndo* undo, const json_t* entry )
{
    json_t* meshes = json_object_get( undo->document->root, "meshes" );
    int32_t index = supUndo_Number( undo, entry, 0, 0, (int64_t)json_array_size( meshes ) - 1 );
    json_t* mesh = json_array_get( entry, 2 );
    undo->wrong = undo->wrong || json_is_object( mesh ) == false;
    if ( undo->wrong == false )
    {
        json_array_set( meshes, (size_t)index, mesh );
    }
}

static void supUndoWeights( supUndo* undo, const json_t* entry )
{
    json_t* node = supUndo_Object( undo, entry, "nodes" );
    int32_t count = supUndo_Number( undo, entry, 1, 0, INT32_MAX );
    if ( undo->wrong == false )
    {
        supTruncate( undo, json_object_get( node, "weights" ), count );
    }
}

static void supUndoChannel( supUndo* undo, const json_t* entry )
{
    json_t* channels = json_object_get( supUndo_Object( undo, entry, "animations" ), "channels" );
    int32_t index = supUndo_Number( undo, entry, 1, 0, (int64_t)json_array_size( channels ) - 1 );
    int32_t sampler = supUndo_Number( undo, entry, 2, 0, INT32_MAX );
    if ( undo->wrong == false )
    {
        json_object_set_new( json_array_get( channels, (size_t)index ), "sampler", json_integer( sampler ) );
    }
}

static void supUndoClip( supUndo* undo, const json_t* entry )
{
    json_t* clip = supUndo_Object( undo, entry, "animations" );
    int32_t channels = supUndo_Number( undo, entry, 1, 0, INT32_MAX );
    int32_t samplers = supUndo_Number( undo, entry, 2, 0, INT32_MAX );
    if ( undo->wrong == false )
    {
        supTruncate( undo, json_object_get( clip, "channels" ), channels );
        supTruncate( undo, json_object_get( clip, "samplers" ), samplers );
    }
}

static void supUndoList( supUndo* undo, const char* list, void ( *restore )( supUndo* undo, const json_t* entry ) )
{
    size_t i;
    json_t* entry;
    json_array_foreach( json_object_get( undo->record, list ), i, entry )
    {
        if ( undo->wrong == false )
        {
            restore( undo, entry );
        }
    }
}

/// The BIN chunk goes back to its length, buffers that were added go.
static void supUndoBuffers( supUndo* undo )
{
    supGltf* document = undo->document;
    int32_t count = supGltf_Count( document, "buffers" );
    for ( int32_t i = count; i < document->bufferCount; ++i )
    {
        free( document->buffers[i].data );
    }
    document->bufferCount = count < document->bufferCount ? count : document->bufferCount;
    const json_t* length = json_object_get( undo->record, "bufferLength" );
    if ( length == NULL || count == 0 )
    {
        return;
    }
    json_int_t bytes = json_integer_value( length );
    if ( json_is_integer( length ) == false || bytes < 0 || (size_t)bytes > document->buffers[0].byteLength )
    {
        undo->wrong = true;
        return;
    }
    document->buffers[0].byteLength = document->buffers[0].dataSize = (size_t)bytes;
    json_object_set_new( supGltf_Item( document, "buffers", 0 ), "byteLength", json_integer( bytes ) );
}

static void supUndoCounts( supUndo* undo )
{
    const json_t* counts = json_object_get( undo->record, "counts" );
    for ( int32_t i = 0; i < sup_countedKindCount && undo->wrong == false; ++i )
    {
        json_t* array = json_object_get( undo->document->root, sup_countedKinds[i] );
        const json_t* pair = json_object_get( counts, sup_countedKinds[i] );
        if ( pair != NULL )
        {
            // somebody else's things behind ours would be lost
            int64_t size = (int64_t)json_array_size( array );
            int32_t before = supUndo_Number( undo, pair, 0, 0, size );
            supUndo_Number( undo, pair, 1, size, size );
            if ( undo->wrong == false )
            {
                supTruncate( undo, array, before );
            }
        }
        else
        {
            json_object_del( undo->document->root, sup_countedKinds[i] );
        }
    }
    int32_t views = supGltf_Count( undo->document, "bufferViews" );
    for ( int32_t i = views; i < undo->document->decodedCount; ++i )
    {
        free( undo->document->decoded[i].data );
    }
    undo->document->decodedCount = views < undo->document->decodedCount ? views : undo->document->decodedCount;
}

static void supRemoveExtension( json_t* root )
{
    json_t* extensions = json_object_get( root, "extensions" );
    json_object_del( extensions, SUP_BAKE_EXTENSION );
    if ( json_object_size( extensions ) == 0 )
    {
        json_object_del( root, "extensions" );
    }
    json_t* used = json_object_get( root, "extensionsUsed" );
    for ( size_t i = json_array_size( used ); i-- > 0; )
    {
        const char* name = json_string_value( json_array_get( used, i ) );
        if ( name != NULL && strcmp( name, SUP_BAKE_EXTENSION ) == 0 )
        {
            json_array_remove( used, i );
        }
    }
    if ( json_array_size( used ) == 0 )
    {
        json_object_del( root, "extensionsUsed" );
    }
}

/// Morph targets of a bake, by their names.
static bool supHasTargets( const supGltf* document )
{
    for ( int32_t i = 0; i < supGltf_Count( document, "meshes" ); ++i )
    {
        const json_t* extras = json_object_get( supGltf_Item( document, "meshes", i ), "extras" );
        const json_t* names = json_object_get( extras, "targetNames" );
        const char* last = json_string_value( json_array_get( names, json_array_size( names ) - 1 ) );
        if ( last != NULL && strncmp( last, SUP_TARGET_NAME, strlen( SUP_TARGET_NAME ) ) == 0 )
        {
            return true;
        }
    }
    return false;
}

static bool supHasHelpers( const supGltf* document )
{
    for ( int32_t i = 0; i < supGltf_Count( document, "nodes" ); ++i )
    {
        const json_t* extras = json_object_get( supGltf_Item( document, "nodes", i ), "extras" );
        if ( json_object_get( extras, SUP_HELPER_MARK ) != NULL )
        {
            return true;
        }
    }
    return false;
}

supResult supGltf_RemoveBake( supGltf* document, bool* removed, supError* error )
{
    json_t* record = json_object_get( json_object_get( document->root, "extensions" ), SUP_BAKE_EXTENSION );
    *removed = record != NULL;
    supUndo undo = { .document = document, .record = json_incref( record ) };
    if ( record != NULL )
    {
        const json_t* version = json_object_get( record, "version" );
        undo.wrong = json_integer_value( version ) != SUP_BAKE_VERSION;
        supUndoList( &undo, "skins", supUndoSkin );
        supUndoList( &undo, "children", supUndoChildren );
        supUndoList( &undo, "primitives", supUndoPrimitive );
        supUndoList( &undo, "nodes", supUndoNode );
        supUndoList( &undo, "meshes", supUndoMesh );
        supUndoList( &undo, "weights", supUndoWeights );
        supUndoList( &undo, "channels", supUndoChannel );
        supUndoList( &undo, "clips", supUndoClip );
        supUndoCounts( &undo );
    }
    if ( record != NULL && undo.wrong == false )
    {
        supUndoBuffers( &undo );
        document->hasBakedRig = json_is_true( json_object_get( record, "rig" ) );
        supRemoveExtension( document->root );
    }
    json_decref( record );
    if ( undo.wrong || supHasHelpers( document ) || supHasTargets( document ) )
    {
        return supGltf_Fail( document, error, sup_errorData,
            "holds an earlier bake that another program has changed since: bake the original file" );
    }
    return sup_success;
}
