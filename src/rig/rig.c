// Supple: the rig: items of each layer, each copied into a block of its own.
// SPDX-License-Identifier: MIT
#include "supple/rig.h"
#include "supple/lab/items.h"

#include "base/fields.h"
#include "base/memory.h"
#include "layers/layer.h"
#include "rig/layer_list.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The most items of a layer: far beyond any character, and little enough that comparing every name with every other
// takes no time.
#define SUP_MOST_ITEMS 10000
// Names that are looked through for one that was meant.
#define SUP_MOST_LISTED 1024

typedef struct supRigItem
{
    void* item; ///< start of the block
    size_t blockSize;
} supRigItem;

struct supRig
{
    supAllocator allocator;
    supVec3 gravity;
    supArray items[sup_layerCount]; ///< of supRigItem
};

supResult supCreateRig( const supMakeDef* def, supRig** out, supError* error )
{
    *out = NULL;
    const supAllocator* allocator;
    supResult opened = supOpenMakeDef( def, &allocator, error );
    if ( opened != sup_success )
    {
        return opened;
    }
    supRig* rig = supAllocZeroed( allocator, 1, sizeof( supRig ), _Alignof( supRig ) );
    if ( rig == NULL )
    {
        return supFail( error, sup_errorMemory, "rig: out of memory" );
    }
    rig->allocator = supKeepAllocator( allocator );
    rig->gravity = ( supVec3 ){ 0.0f, -9.81f, 0.0f };
    for ( int32_t layer = 0; layer < sup_layerCount; ++layer )
    {
        rig->items[layer] = supMakeArray( sizeof( supRigItem ), allocator );
    }
    *out = rig;
    return sup_success;
}

void supDestroyRig( supRig* rig )
{
    if ( rig == NULL )
    {
        return;
    }
    for ( int32_t layer = 0; layer < sup_layerCount; ++layer )
    {
        supArray* items = rig->items + layer;
        for ( size_t i = 0; i < items->count; ++i )
        {
            const supRigItem* at = (const supRigItem*)items->data + i;
            supFree( &rig->allocator, at->item, at->blockSize );
        }
        supArray_Destroy( items );
    }
    supAllocator allocator = rig->allocator;
    supFree( &allocator, rig, sizeof( supRig ) );
}

void supRig_SetGravity( supRig* rig, supVec3 gravity )
{
    assert( isfinite( gravity.x ) && isfinite( gravity.y ) && isfinite( gravity.z ) );
    rig->gravity = gravity;
}

supVec3 supRig_Gravity( const supRig* rig )
{
    return rig->gravity;
}

static const char* supItemName( const supLayer* layer, const void* item )
{
    return *(const char* const*)( (const char*)item + layer->nameOffset );
}

/// `own`: the place that the item will have.
static supResult supCheckItemName(
    const supRig* rig, int32_t layerIndex, int32_t own, const void* item, const char* place, supError* error )
{
    const supLayer* layer = supGetLayer( layerIndex );
    const char* name = supItemName( layer, item );
    for ( int32_t i = 0; name != NULL && i < supRig_ItemCount( rig, layerIndex ); ++i )
    {
        if ( i != own && strcmp( supItemName( layer, supRig_Item( rig, layerIndex, i ) ), name ) == 0 )
        {
            return supFail( error, sup_errorData, "%s.name: \"%.100s\" is already the name of %s[%d]; give it another",
                place, name, layer->info.key, i );
        }
    }
    return sup_success;
}

// Checks an item that will stand at `index` and copies it.
static supResult supMakeItem(
    const supRig* rig, int32_t layer, int32_t index, const void* item, supRigItem* out, supError* error )
{
    const supLayer* about = supGetLayer( layer );
    const supLayerInfo* info = &about->info;
    char place[SUP_PATH_TEXT];
    supPathText( place, "%s[%d]", info->key, index );
    supResult result = supCheckFields( info->fields, info->fieldCount, item, place, error );
    if ( result == sup_success && about->check != NULL )
    {
        result = about->check( item, place, error );
    }
    if ( result != sup_success )
    {
        return result;
    }
    // The struct alone is completed here, on the side: the caller's item stays as it is.
    _Alignas( SUP_ANY_ALIGNMENT ) char completed[SUP_LARGEST_ITEM];
    assert( info->itemSize <= sizeof( completed ) );
    memcpy( completed, item, info->itemSize );
    if ( about->complete != NULL )
    {
        about->complete( completed );
    }
    result = supCheckItemName( rig, layer, index, completed, place, error );
    if ( result == sup_success )
    {
        out->item =
            supCopyItem( info->fields, info->fieldCount, info->itemSize, completed, &rig->allocator, &out->blockSize );
        result = out->item != NULL ? sup_success : supFail( error, sup_errorMemory, "%s: out of memory", place );
    }
    return result;
}

supResult supRig_AddItem( supRig* rig, int32_t layer, const void* item, supError* error )
{
    const char* key = supGetLayerInfo( layer )->key;
    int32_t count = supRig_ItemCount( rig, layer );
    if ( count >= SUP_MOST_ITEMS )
    {
        return supFail( error, sup_errorLimit, "%s[%d]: a rig has at most %d of these", key, count, SUP_MOST_ITEMS );
    }
    supRigItem made = { NULL, 0 };
    supResult result = supMakeItem( rig, layer, count, item, &made, error );
    supRigItem* slot = result == sup_success ? supArray_Add( rig->items + layer, 1 ) : NULL;
    if ( slot == NULL )
    {
        supFree( &rig->allocator, made.item, made.blockSize );
        return result != sup_success ? result : supFail( error, sup_errorMemory, "%s[%d]: out of memory", key, count );
    }
    *slot = made;
    return sup_success;
}

supResult supRig_SetItem( supRig* rig, int32_t layer, int32_t index, const void* item, supError* error )
{
    assert( index >= 0 && index < supRig_ItemCount( rig, layer ) );
    supRigItem made = { NULL, 0 };
    supResult result = supMakeItem( rig, layer, index, item, &made, error );
    if ( result == sup_success )
    {
        supRigItem* slot = (supRigItem*)rig->items[layer].data + index;
        supFree( &rig->allocator, slot->item, slot->blockSize );
        *slot = made;
    }
    return result;
}

void supRig_RemoveItem( supRig* rig, int32_t layer, int32_t index )
{
    assert( index >= 0 && index < supRig_ItemCount( rig, layer ) );
    supArray* items = rig->items + layer;
    supRigItem* slot = (supRigItem*)items->data + index;
    supFree( &rig->allocator, slot->item, slot->blockSize );
    items->count -= 1;
    memmove( slot, slot + 1, ( items->count - (size_t)index ) * sizeof( supRigItem ) );
}

supResult supCopyRig( const supRig* rig, const supAllocator* allocator, supRig** out, supError* error )
{
    supRig* copy = NULL;
    supResult result = supCreateRig( SUP_MAKE_IN( allocator ), &copy, error );
    *out = NULL;
    for ( int32_t layer = 0; layer < sup_layerCount && result == sup_success; ++layer )
    {
        for ( int32_t i = 0; i < supRig_ItemCount( rig, layer ) && result == sup_success; ++i )
        {
            result = supRig_AddItem( copy, layer, supRig_Item( rig, layer, i ), error );
        }
    }
    if ( result != sup_success )
    {
        supDestroyRig( copy );
        return result;
    }
    copy->gravity = rig->gravity;
    *out = copy;
    return sup_success;
}

int32_t supRig_ItemCount( const supRig* rig, int32_t layer )
{
    assert( layer >= 0 && layer < sup_layerCount );
    return (int32_t)rig->items[layer].count;
}

const void* supRig_Item( const supRig* rig, int32_t layer, int32_t index )
{
    assert( index >= 0 && index < supRig_ItemCount( rig, layer ) );
    return ( (const supRigItem*)rig->items[layer].data )[index].item;
}

supResult supRig_AddElement( supRig* rig, const supElementDef* def, supError* error )
{
    return supRig_AddItem( rig, supElementLayer(), def, error );
}

int32_t supRig_ElementCount( const supRig* rig )
{
    return supRig_ItemCount( rig, supElementLayer() );
}

const supElementDef* supRig_Element( const supRig* rig, int32_t element )
{
    return supRig_Item( rig, supElementLayer(), element );
}

// ---------------------------------------------------------------------------------------------------------------
// Names of its own items

// The layer whose items a field names, or -1: joints, meshes and the like are the character's.
static int32_t supNamedLayer( const supField* field )
{
    return strcmp( field->unit, "element" ) == 0  ? supElementLayer()
           : strcmp( field->unit, "muscle" ) == 0 ? sup_layerMuscles
                                                  : -1;
}

static supResult supCheckNamed(
    const supRig* rig, int32_t layerIndex, const char* name, const char* kind, const char* place, supError* error )
{
    const supLayer* layer = supGetLayer( layerIndex );
    const char* names[SUP_MOST_LISTED];
    int32_t listed = 0;
    for ( int32_t i = 0; i < supRig_ItemCount( rig, layerIndex ); ++i )
    {
        const char* there = supItemName( layer, supRig_Item( rig, layerIndex, i ) );
        if ( strcmp( there, name ) == 0 )
        {
            return sup_success;
        }
        if ( listed < SUP_MOST_LISTED )
        {
            names[listed++] = there;
        }
    }
    return supNoName( place, kind, name, names, listed, error );
}

// One field of one item: a name, or a list of them.
static supResult supCheckNamesIn(
    const supRig* rig, const supField* field, const void* item, const char* place, supError* error )
{
    int32_t layer = supNamedLayer( field );
    const char* at = (const char*)item + field->offset;
    char inside[SUP_PATH_TEXT];
    if ( layer < 0 )
    {
        return sup_success;
    }
    if ( field->type == sup_fieldName )
    {
        const char* name = *(const char* const*)at;
        supPathText( inside, "%s.%s", place, field->name );
        return name == NULL ? sup_success : supCheckNamed( rig, layer, name, field->unit, inside, error );
    }
    assert( field->type == sup_fieldNames );
    const supNameList* list = (const supNameList*)at;
    supResult result = sup_success;
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        supPathText( inside, "%s.%s[%d]", place, field->name, i );
        result = supCheckNamed( rig, layer, list->names[i], field->unit, inside, error );
    }
    return result;
}

supResult supRig_CheckNames( const supRig* rig, supError* error )
{
    supResult result = sup_success;
    for ( int32_t layer = 0; layer < sup_layerCount; ++layer )
    {
        const supLayerInfo* info = supGetLayerInfo( layer );
        for ( int32_t i = 0; i < supRig_ItemCount( rig, layer ); ++i )
        {
            char place[SUP_PATH_TEXT];
            supPathText( place, "%s[%d]", info->key, i );
            for ( int32_t f = 0; f < info->fieldCount && result == sup_success; ++f )
            {
                result = supCheckNamesIn( rig, info->fields + f, supRig_Item( rig, layer, i ), place, error );
            }
        }
    }
    return result;
}
