// Live fields of a layer: those that a body keeps for itself.
// SPDX-License-Identifier: MIT

#include "layers/layer.h"

#include <string.h>

static bool supIsLive( const supField* field )
{
    bool number = field->type == sup_fieldFloat || field->type == sup_fieldLength || field->type == sup_fieldBool ||
                  field->type == sup_fieldEnum;
    return field->live && number;
}

const supEarlierLayer* supFindEarlier( const supEarlierLayer* earlier, int32_t count, const supLayer* layer )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( earlier[i].layer == layer )
        {
            return earlier + i;
        }
    }
    return NULL;
}

static int32_t supFindItemNamed( supItemNameOf* nameOf, const void* compiled, int32_t count, const char* name )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( strcmp( nameOf( compiled, i ), name ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

int32_t supFindAdopted(
    supItemNameOf* nameOf, const void* compiled, int32_t count, int32_t item, const void* old, int32_t oldCount )
{
    int32_t same = supFindItemNamed( nameOf, old, oldCount, nameOf( compiled, item ) );
    bool renamed =
        same < 0 && count == oldCount && supFindItemNamed( nameOf, compiled, count, nameOf( old, item ) ) < 0;
    return renamed ? item : same;
}

static int32_t supCountLive( const supField* fields, int32_t count )
{
    int32_t live = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        live += supIsLive( fields + i );
    }
    return live;
}

/// The live fields of an item or an object, in the order of its table. Gives how many.
static int32_t supReadLive( const supField* fields, int32_t count, const void* item, float* live )
{
    int32_t read = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        const void* at = (const char*)item + fields[i].offset;
        if ( supIsLive( fields + i ) )
        {
            live[read++] = fields[i].type == sup_fieldBool   ? ( *(const bool*)at ? 1.0f : 0.0f )
                           : fields[i].type == sup_fieldEnum ? (float)*(const int32_t*)at
                                                             : *(const float*)at;
        }
    }
    return read;
}

int32_t supFindLiveIn( const supField* fields, int32_t count, const char* name )
{
    int32_t place = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( supIsLive( fields + i ) )
        {
            if ( strcmp( fields[i].name, name ) == 0 )
            {
                return place;
            }
            ++place;
        }
    }
    return -1;
}

int32_t supLayer_LiveCount( const supLayer* layer )
{
    return supCountLive( layer->info.fields, layer->info.fieldCount );
}

void supLayer_ReadLive( const supLayer* layer, const void* item, float* live )
{
    supReadLive( layer->info.fields, layer->info.fieldCount, item, live );
}

// ---------------------------------------------------------------------------------------------------------------
// Objects in lists

int32_t supTable_LiveCount( const supFieldTable* table )
{
    return supCountLive( table->fields, table->count );
}

int32_t supLayer_ListCount( const supLayer* layer )
{
    int32_t lists = 0;
    for ( int32_t i = 0; i < layer->info.fieldCount; ++i )
    {
        lists += layer->info.fields[i].type == sup_fieldItems;
    }
    return lists;
}

const supField* supLayer_List( const supLayer* layer, int32_t list )
{
    const supField* field = layer->info.fields;
    while ( field->type != sup_fieldItems || list-- > 0 )
    {
        ++field;
    }
    return field;
}

int32_t supLayer_ReadListed( const supLayer* layer, const void* item, float* live )
{
    int32_t read = 0;
    for ( int32_t list = 0; list < supLayer_ListCount( layer ); ++list )
    {
        const supField* field = supLayer_List( layer, list );
        const supItemList* objects = (const supItemList*)( (const char*)item + field->offset );
        for ( int32_t i = 0; live != NULL && i < objects->count; ++i )
        {
            const char* object = (const char*)objects->items + (size_t)i * field->items->itemSize;
            supReadLive( field->items->fields, field->items->count, object,
                live + read + (ptrdiff_t)i * supTable_LiveCount( field->items ) );
        }
        read += objects->count * supTable_LiveCount( field->items );
    }
    return read;
}
