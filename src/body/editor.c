// A body whose rig is edited while it runs: rig, model and body in one hand.
// SPDX-License-Identifier: MIT
//
//     live field       checked, set in the body, written into the rig
//     any other        copy of the rig -> the field in it -> model (layers that it does not reach are borrowed) -> body
//                      that adopts the old one; only then the old three go
#include "supple/edit.h"
#include "supple/lab/items.h"
#include "supple/lab/profile.h"
#include "supple/lab/states.h"

#include "base/fields.h"
#include "base/memory.h"
#include "body/body_data.h"
#include "rig/layer_list.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct supEditor
{
    supAllocator allocator;
    const supCharacter* character;
    supRig* rig; ///< as it is now
    supModel* model;
    supBody* body;
    uint32_t compiled; ///< by the last edit
    supWatch watch;    ///< told by what compiles
};

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

static supResult supCompileWatched(
    supEditor* editor, const supRig* rig, supModelChange* change, supModel** out, supError* error )
{
    supWatched watched = supStartWatched( &editor->watch );
    change->watched = &watched;
    supResult result = supCompileChange( editor->character, rig, &editor->allocator, change, out, error );
    change->watched = NULL;
    return supWatched_End( &watched, result, error );
}

supResult supCreateEditor(
    const supCharacter* character, const supRig* rig, const supMakeDef* def, supEditor** out, supError* error )
{
    *out = NULL;
    const supAllocator* allocator;
    supResult result = supOpenMakeDef( def, &allocator, error );
    if ( result != sup_success )
    {
        return result;
    }
    supEditor* editor = supAllocZeroed( allocator, 1, sizeof( supEditor ), _Alignof( supEditor ) );
    if ( editor == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for an editor" );
    }
    editor->allocator = supKeepAllocator( allocator );
    editor->character = character;
    editor->watch = def != NULL ? def->watch : ( supWatch ){ NULL, NULL };
    supModelChange change = { 0 };
    result = supCopyRig( rig, allocator, &editor->rig, error );
    result = result == sup_success ? supCompileWatched( editor, editor->rig, &change, &editor->model, error ) : result;
    result = result == sup_success ? supCreateBody( editor->model, &editor->body, error ) : result;
    if ( result != sup_success )
    {
        supDestroyEditor( editor );
        return result;
    }
    editor->compiled = change.compiled;
    *out = editor;
    return sup_success;
}

void supDestroyEditor( supEditor* editor )
{
    if ( editor != NULL )
    {
        supDestroyBody( editor->body );
        supDestroyModel( editor->model );
        supDestroyRig( editor->rig );
        supAllocator allocator = editor->allocator;
        supFree( &allocator, editor, sizeof( supEditor ) );
    }
}

supEditorView supEditor_View( supEditor* editor )
{
    return ( supEditorView ){ editor->body, editor->model, editor->rig, editor->compiled };
}

// ---------------------------------------------------------------------------------------------------------------
// Finding a field

/// A field of a rig's item, or of an object in one of its lists.
typedef struct supEditedField
{
    const supField* field;
    void* holder;              ///< the item or object, in the rig's own memory
    char place[SUP_PATH_TEXT]; ///< of the holder: "muscles[1].points[2]"
    const supField* table;     ///< of the holder
    int32_t tableCount;
} supEditedField;

static supResult supFindItem( const supRig* rig, int32_t layer, int32_t item, supError* error )
{
    bool isLayer = layer >= 0 && layer < sup_layerCount;
    int32_t count = isLayer ? supRig_ItemCount( rig, layer ) : 0;
    return isLayer && item >= 0 && item < count
               ? sup_success
               : supFail( error, sup_errorArgument, "%s, item %d: the rig has %d of these",
                     isLayer ? supGetLayerInfo( layer )->key : "no such layer", item, count );
}

/// The rig is the editor's own: what it holds may be written to.
static supResult supFindEdited(
    supRig* rig, int32_t layer, int32_t item, const char* name, supEditedField* out, supError* error )
{
    supResult result = supFindItem( rig, layer, item, error );
    if ( result != sup_success )
    {
        return result;
    }
    const supLayerInfo* info = supGetLayerInfo( layer );
    supFieldPath path;
    *out = ( supEditedField ){
        .holder = (void*)supRig_Item( rig, layer, item ), .table = info->fields, .tableCount = info->fieldCount
    };
    supPathText( out->place, "%s[%d]", info->key, item );
    if ( !supReadFieldPath( name, &path ) )
    {
        return supFailNoField( out->place, name, out->table, out->tableCount, error );
    }
    if ( path.list[0] != '\0' )
    {
        const supField* list = supFindField( out->table, out->tableCount, path.list );
        if ( list == NULL || list->type != sup_fieldItems )
        {
            return supFailNoField( out->place, path.list, out->table, out->tableCount, error );
        }
        const supItemList* objects = (const supItemList*)( (const char*)out->holder + list->offset );
        if ( path.object >= objects->count )
        {
            return supFail( error, sup_errorArgument, "%s.%s[%d]: there are %d of these", out->place, path.list,
                path.object, objects->count );
        }
        out->holder = (char*)objects->items + (size_t)path.object * list->items->itemSize;
        out->table = list->items->fields;
        out->tableCount = list->items->count;
        supPathText( out->place, "%s[%d].%s[%d]", info->key, item, path.list, path.object );
    }
    out->field = supFindField( out->table, out->tableCount, path.field );
    return out->field != NULL ? sup_success
                              : supFailNoField( out->place, path.field, out->table, out->tableCount, error );
}

static void* supFieldIn( const supEditedField* edited )
{
    return (char*)edited->holder + edited->field->offset;
}

/// Whether a field has the value already.
static bool supHasValue( const supEditedField* edited, const void* value )
{
    supField alone = *edited->field;
    alone.offset = 0;
    return supSameField( &alone, supFieldIn( edited ), value );
}

// ---------------------------------------------------------------------------------------------------------------
// A new model

/// Live fields of one item, as the rig gives them.
static void supReadItemLive( const supStackLayer* entry, const supRig* rig, int32_t item, float* live )
{
    const void* given = supRig_Item( rig, entry->index, item );
    supStackLayer_ReadLive( entry, item, given, live + (size_t)item * (size_t)entry->liveCount );
    if ( entry->listCount > 0 )
    {
        supLayer_ReadListed( entry->layer, given, live + supStackLayer_ListedAt( entry, item, 0, 0 ) );
    }
}

/// What was tuned in the old body and not in its rig: all that differs from what that rig says.
static void supKeepTuned( const supEditor* editor, const supStackLayer* entry, float* live )
{
    const supBody* from = editor->body;
    int32_t o = supStack_Find( &from->model->stack, entry->index );
    if ( o < 0 )
    {
        return;
    }
    const supStackLayer* old = from->model->stack.layers + o;
    for ( int32_t i = 0; i < entry->itemCount; ++i )
    {
        int32_t same = supStackLayer_FindItem( old, supStackLayer_Name( entry, i ) );
        if ( same >= 0 )
        {
            float told[SUP_MOST_LIVE];
            supStackLayer_ReadLive( old, same, supRig_Item( editor->rig, entry->index, same ), told );
            supStackLayer_CopyLive( entry, i, live, old, same, from->layers.layers[o].live, told );
        }
    }
}

/// Live fields are what the rig says, and what was tuned in the old body; of the edited item the rig's alone. (The
/// model's own are those of the body as modelled.)
static void supKeepLive( const supEditor* editor, supBody* body, const supRig* rig, int32_t layer, int32_t item )
{
    for ( int32_t i = 0; i < body->model->stack.count; ++i )
    {
        const supStackLayer* entry = body->model->stack.layers + i;
        float* live = body->layers.layers[i].live;
        assert( entry->liveCount <= SUP_MOST_LIVE );
        for ( int32_t k = 0; k < entry->itemCount; ++k )
        {
            supReadItemLive( entry, rig, k, live );
        }
        supKeepTuned( editor, entry, live );
        if ( entry->index == layer && item < entry->itemCount )
        {
            supReadItemLive( entry, rig, item, live );
        }
        supBodyLayer_Tuned( entry, body->layers.layers + i );
    }
}

/// Compiles a rig that differs from the editor's in one layer, and goes on with it. The rig becomes the editor's, or is
/// destroyed. `item`: the one that was edited; past the last: none.
static supResult supChangeRig( supEditor* editor, supRig* rig, int32_t layer, int32_t item, supError* error )
{
    supModelChange change = { .from = editor->model, .layer = layer };
    supModel* model = NULL;
    supBody* body = NULL;
    supResult result = supCompileWatched( editor, rig, &change, &model, error );
    result = result == sup_success ? supCreateBody( model, &body, error ) : result;
    if ( result != sup_success )
    {
        supDestroyModel( model );
        supDestroyRig( rig );
        return result;
    }
    supKeepLive( editor, body, rig, layer, item );
    supBody_Adopt( body, editor->body );
    supBody_SetProfile( body, editor->body->profile );
    supModel_TakeOver( model, editor->model );
    supDestroyBody( editor->body );
    supDestroyModel( editor->model );
    supDestroyRig( editor->rig );
    editor->rig = rig;
    editor->model = model;
    editor->body = body;
    editor->compiled = change.compiled;
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Edits

/// In the body and in the rig, if that has nothing against it.
static supResult supSetInPlace( supEditor* editor, int32_t layer, int32_t item, const char* name,
    const supEditedField* edited, const void* value, supError* error )
{
    const supLayer* about = supGetLayer( layer );
    unsigned char before[sizeof( supVec3 )];
    void* at = supFieldIn( edited );
    size_t size = supFieldBytes( edited->field );
    char place[SUP_PATH_TEXT];
    float number = NAN;
    supFieldNumber( edited->field, value, &number );
    memcpy( before, at, size );
    memcpy( at, value, size );
    supResult result = supCheckFields( edited->table, edited->tableCount, edited->holder, edited->place, error );
    if ( result == sup_success && about->check != NULL )
    {
        supPathText( place, "%s[%d]", about->info.key, item );
        result = about->check( supRig_Item( editor->rig, layer, item ), place, error );
    }
    result = result == sup_success ? supBody_SetField( editor->body, layer, item, name, number, error ) : result;
    if ( result != sup_success )
    {
        memcpy( at, before, size );
    }
    return result;
}

supResult supEditor_Set(
    supEditor* editor, int32_t layer, int32_t item, const char* field, const void* value, supError* error )
{
    supEditedField edited;
    supResult result = supFindEdited( editor->rig, layer, item, field, &edited, error );
    if ( result != sup_success )
    {
        return result;
    }
    editor->compiled = 0;
    float number = 0.0f;
    bool isNumber = supFieldNumber( edited.field, value, &number );
    if ( supHasValue( &edited, value ) )
    {
        return sup_success;
    }
    // what follows from other fields is worked out when it is compiled: the body does not know it once it is not given
    const supLayerMotion* motion = supGetLayer( layer )->motion;
    bool forgets = motion != NULL && motion->relate != NULL && isNumber && number != number;
    if ( edited.field->live && isNumber && !forgets )
    {
        return supSetInPlace( editor, layer, item, field, &edited, value, error );
    }
    supRig* rig = NULL;
    result = supCopyRig( editor->rig, &editor->allocator, &rig, error );
    result = result == sup_success ? supFindEdited( rig, layer, item, field, &edited, error ) : result;
    if ( result == sup_success )
    {
        // written into the copy as it is, then checked and copied with all that it leads to
        memcpy( supFieldIn( &edited ), value, supFieldBytes( edited.field ) );
        result = supRig_SetItem( rig, layer, item, supRig_Item( rig, layer, item ), error );
    }
    if ( result != sup_success )
    {
        supDestroyRig( rig );
        return result;
    }
    return supChangeRig( editor, rig, layer, item, error );
}

supResult supEditor_SetNumber(
    supEditor* editor, int32_t layer, int32_t item, const char* field, float value, supError* error )
{
    supEditedField edited;
    supResult result = supFindEdited( editor->rig, layer, item, field, &edited, error );
    float before;
    if ( result == sup_success && !supFieldNumber( edited.field, supFieldIn( &edited ), &before ) )
    {
        result = supFail( error, sup_errorArgument, "%s.%s: is not a number", edited.place, edited.field->name );
    }
    if ( result != sup_success )
    {
        return result;
    }
    bool whole = value == floorf( value ) && value >= 0.0f && value < 1e6f;
    if ( edited.field->type == sup_fieldBool || edited.field->type == sup_fieldEnum )
    {
        if ( !whole || ( edited.field->type == sup_fieldBool && value > 1.0f ) )
        {
            return supFail( error, sup_errorArgument, "%s.%s: %g is none of its choices", edited.place,
                edited.field->name, (double)value );
        }
        bool on = value != 0.0f;
        int32_t choice = (int32_t)value;
        bool isBool = edited.field->type == sup_fieldBool;
        return supEditor_Set( editor, layer, item, field, isBool ? (const void*)&on : (const void*)&choice, error );
    }
    return supEditor_Set( editor, layer, item, field, &value, error );
}

float supEditor_Number( const supEditor* editor, int32_t layer, int32_t item, const char* field )
{
    supEditedField edited;
    float number = NAN;
    if ( supFindEdited( editor->rig, layer, item, field, &edited, NULL ) == sup_success )
    {
        supFieldNumber( edited.field, supFieldIn( &edited ), &number );
    }
    return number;
}

// ---------------------------------------------------------------------------------------------------------------
// Whole items

supResult supEditor_SetItem( supEditor* editor, int32_t layer, int32_t item, const void* value, supError* error )
{
    supRig* rig = NULL;
    supResult result = supFindItem( editor->rig, layer, item, error );
    result = result == sup_success ? supCopyRig( editor->rig, &editor->allocator, &rig, error ) : result;
    result = result == sup_success ? supRig_SetItem( rig, layer, item, value, error ) : result;
    if ( result != sup_success )
    {
        supDestroyRig( rig );
        return result;
    }
    return supChangeRig( editor, rig, layer, item, error );
}

supResult supEditor_AddItem( supEditor* editor, int32_t layer, const void* value, supError* error )
{
    supRig* rig = NULL;
    supResult result = layer >= 0 && layer < sup_layerCount
                           ? supCopyRig( editor->rig, &editor->allocator, &rig, error )
                           : supFail( error, sup_errorArgument, "there is no layer %d", layer );
    result = result == sup_success ? supRig_AddItem( rig, layer, value, error ) : result;
    if ( result != sup_success )
    {
        supDestroyRig( rig );
        return result;
    }
    return supChangeRig( editor, rig, layer, supRig_ItemCount( rig, layer ) - 1, error );
}

supResult supEditor_RemoveItem( supEditor* editor, int32_t layer, int32_t item, supError* error )
{
    supRig* rig = NULL;
    supResult result = supFindItem( editor->rig, layer, item, error );
    result = result == sup_success ? supCopyRig( editor->rig, &editor->allocator, &rig, error ) : result;
    if ( result != sup_success )
    {
        return result;
    }
    supRig_RemoveItem( rig, layer, item );
    return supChangeRig( editor, rig, layer, supRig_ItemCount( rig, layer ), error );
}
