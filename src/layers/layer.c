// Live fields of a layer: those that a body keeps for itself.
// SPDX-License-Identifier: MIT
#include "layers/layer.h"

#include "base/names.h"

#include <stdlib.h>
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

bool supLayer_ReadsSmooth( const supLayer* layer, const void* compiled )
{
    return layer->wantsSmooth && ( layer->readsSmooth == NULL || layer->readsSmooth( compiled ) );
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

// ---------------------------------------------------------------------------------------------------------------
// Names that rigs use, looked up.

enum
{
    supMostNames = 4096, ///< looked through for the nearest ones
};

int32_t supFindJointWords( const supCharacter* character, const char* words )
{
    int32_t joint = supCharacter_FindJoint( character, words );
    const char* mark = strrchr( words, '#' );
    if ( joint >= 0 || mark == NULL || mark[1] == 0 )
    {
        return joint;
    }
    char* end;
    long index = strtol( mark + 1, &end, 10 );
    if ( *end != 0 || index < 0 || index >= supCharacter_Info( character )->jointCount )
    {
        return -1;
    }
    const char* name = supCharacter_Joint( character, (int32_t)index )->name;
    size_t length = (size_t)( mark - words );
    return strlen( name ) == length && memcmp( name, words, length ) == 0 ? (int32_t)index : -1;
}

supResult supNoName(
    const char* place, const char* kind, const char* name, const char* const* names, int32_t count, supError* error )
{
    char near[120];
    supNearest( name, names, count, 2, near, sizeof( near ) );
    if ( near[0] != 0 )
    {
        return supFail( error, sup_errorNotFound, "%s: no %s \"%s\"; did you mean %s?", place, kind, name, near );
    }
    if ( strcmp( kind, "element" ) == 0 || strcmp( kind, "muscle" ) == 0 )
    {
        return supFail( error, sup_errorNotFound, "%s: no %s \"%s\" in the rig's `%ss`", place, kind, name, kind );
    }
    const char* plural = strcmp( kind, "mesh" ) == 0 ? "es" : "s";
    return supFail( error, sup_errorNotFound, "%s: no %s \"%s\"; `supple inspect` lists the %s%s", place, kind, name,
        kind, plural );
}

supResult supNoJoint( const supCharacter* character, const char* place, const char* name, supError* error )
{
    const char* names[supMostNames];
    int32_t count = supCharacter_Info( character )->jointCount;
    count = count < supMostNames ? count : supMostNames;
    for ( int32_t i = 0; i < count; ++i )
    {
        names[i] = supCharacter_Joint( character, i )->name;
    }
    return supNoName( place, "joint", name, names, count, error );
}

int32_t supFindElementNamed( const supLayerContext* context, const char* name )
{
    for ( int32_t i = 0; i < context->elementCount; ++i )
    {
        if ( strcmp( context->elements[i].name, name ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

supResult supNoElement( const supLayerContext* context, const char* place, const char* name, supError* error )
{
    const char* names[supMostNames];
    int32_t count = context->elementCount < supMostNames ? context->elementCount : supMostNames;
    for ( int32_t i = 0; i < count; ++i )
    {
        names[i] = context->elements[i].name;
    }
    return supNoName( place, "element", name, names, count, error );
}

int32_t supFindMeshNamed( const supCharacter* character, const char* name, int32_t among )
{
    int32_t seen = 0;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        if ( strcmp( supCharacter_Mesh( character, i ).name, name ) == 0 && seen++ == among )
        {
            return i;
        }
    }
    return -1;
}

bool supHasMeshNamed( const supCharacter* character, const char* name )
{
    return supFindMeshNamed( character, name, 0 ) >= 0;
}

supResult supNoMesh( const supCharacter* character, const char* place, const char* name, supError* error )
{
    const char* names[supMostNames];
    int32_t count = supCharacter_Info( character )->meshCount;
    count = count < supMostNames ? count : supMostNames;
    for ( int32_t i = 0; i < count; ++i )
    {
        names[i] = supCharacter_Mesh( character, i ).name;
    }
    return supNoName( place, "mesh", name, names, count, error );
}
