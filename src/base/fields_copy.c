// Supple: tables of fields: deep copies.
// SPDX-License-Identifier: MIT
#include "base/fields.h"
#include "base/memory.h"

#include <string.h>

// One walk over the item serves twice: first without a block, to add up the sizes, then with one, to copy. Both times
// the pieces come in the same order, so they land at the same offsets.
typedef struct supCopier
{
    supLayout layout;
    char* block; ///< NULL: only the sizes
} supCopier;

// A copy of an array; NULL while there is no block.
static void* supCopyBytes( supCopier* copier, const void* source, size_t count, size_t itemSize, size_t alignment )
{
    if ( count == 0 )
    {
        return NULL;
    }
    size_t offset = supLayoutArray( &copier->layout, count, itemSize, alignment );
    if ( copier->block == NULL )
    {
        return NULL;
    }
    return memcpy( copier->block + offset, source, count * itemSize );
}

#define SUP_COPY( copier, type, source, count )                                                                        \
    supCopyBytes( copier, source, (size_t)( count ), sizeof( type ), _Alignof( type ) )

static const char* supCopyText( supCopier* copier, const char* text )
{
    return text != NULL ? SUP_COPY( copier, char, text, strlen( text ) + 1 ) : NULL;
}

static void supCopyNames( supCopier* copier, const supNameList* source, supNameList* out )
{
    const char** names = SUP_COPY( copier, const char*, source->names, source->count );
    for ( int32_t i = 0; i < source->count; ++i )
    {
        const char* name = supCopyText( copier, source->names[i] );
        if ( names != NULL )
        {
            names[i] = name;
        }
    }
    if ( out != NULL )
    {
        *out = ( supNameList ){ source->count, names };
    }
}

static void supCopyPaint( supCopier* copier, const supPaintList* source, supPaintList* out )
{
    supPaint* paints = SUP_COPY( copier, supPaint, source->paints, source->count );
    for ( int32_t i = 0; i < source->count; ++i )
    {
        const supPaint* from = source->paints + i;
        const char* mesh = supCopyText( copier, from->mesh );
        const int32_t* vertices = SUP_COPY( copier, int32_t, from->vertices, from->count );
        const float* values = SUP_COPY( copier, float, from->values, from->count );
        if ( paints != NULL )
        {
            paints[i] = ( supPaint ){ mesh, from->meshIndex, from->count, vertices, values };
        }
    }
    if ( out != NULL )
    {
        *out = ( supPaintList ){ source->count, paints, source->fingerprint };
    }
}

static void supCopyKeys( supCopier* copier, const supKeyList* source, supKeyList* out )
{
    const float* pairs = SUP_COPY( copier, float, source->pairs, 2 * (size_t)source->count );
    if ( out != NULL )
    {
        *out = ( supKeyList ){ source->count, pairs };
    }
}

static void supCopySpheres( supCopier* copier, const supSphereList* source, supSphereList* out )
{
    const supSphere* spheres = SUP_COPY( copier, supSphere, source->spheres, source->count );
    if ( out != NULL )
    {
        *out = ( supSphereList ){ source->count, spheres };
    }
}

static void supCopyPoints( supCopier* copier, const supPointList* source, supPointList* out )
{
    const supVec3* points = SUP_COPY( copier, supVec3, source->points, source->count );
    if ( out != NULL )
    {
        *out = ( supPointList ){ source->count, points };
    }
}

static void supCopyMoves( supCopier* copier, const supMoveList* source, supMoveList* out )
{
    supMoves* meshes = SUP_COPY( copier, supMoves, source->meshes, source->count );
    for ( int32_t i = 0; i < source->count; ++i )
    {
        const supMoves* from = source->meshes + i;
        const char* mesh = supCopyText( copier, from->mesh );
        const int32_t* vertices = SUP_COPY( copier, int32_t, from->vertices, from->count );
        const supVec3* moves = SUP_COPY( copier, supVec3, from->moves, from->count );
        if ( meshes != NULL )
        {
            meshes[i] = ( supMoves ){ mesh, from->meshIndex, from->count, vertices, moves };
        }
    }
    if ( out != NULL )
    {
        *out = ( supMoveList ){ source->count, meshes, source->fingerprint };
    }
}

static void supCopyShape( supCopier* copier, const supSculpt* source, supSculpt* out )
{
    const char* file = supCopyText( copier, source->file );
    const supVec3* points = SUP_COPY( copier, supVec3, source->points, source->count );
    size_t cornerCount = source->corners != NULL ? 3 * (size_t)source->triangleCount : 0;
    const int32_t* corners = SUP_COPY( copier, int32_t, source->corners, cornerCount );
    if ( out != NULL )
    {
        *out = ( supSculpt ){ file, source->count, points, source->triangleCount, corners };
    }
}

static void supCopyField( supCopier* copier, const supField* field, const void* item, void* out );

// Objects of a list, each with all its names and lists. Tables of objects hold no lists of objects: one level deep.
static void supCopyItems( supCopier* copier, const supFieldTable* table, const supItemList* source, supItemList* out )
{
    char* items =
        supCopyBytes( copier, source->items, (size_t)source->count, table->itemSize, _Alignof( max_align_t ) );
    for ( int32_t i = 0; i < source->count; ++i )
    {
        size_t offset = (size_t)i * table->itemSize;
        for ( int32_t f = 0; f < table->count; ++f )
        {
            supCopyField(
                copier, table->fields + f, (const char*)source->items + offset, items != NULL ? items + offset : NULL );
        }
    }
    if ( out != NULL )
    {
        *out = ( supItemList ){ source->count, items };
    }
}

// `out`: the copy of the item's struct, or NULL while there is no block.
static void supCopyField( supCopier* copier, const supField* field, const void* item, void* out )
{
    const void* from = (const char*)item + field->offset;
    void* to = out != NULL ? (char*)out + field->offset : NULL;
    switch ( field->type )
    {
        case sup_fieldBool:
        case sup_fieldFloat:
        case sup_fieldLength:
        case sup_fieldVec3:
        case sup_fieldEnum:
            break; // copied with the struct
        case sup_fieldName:
        {
            const char* text = supCopyText( copier, *(const char* const*)from );
            if ( to != NULL )
            {
                *(const char**)to = text;
            }
            break;
        }
        case sup_fieldNames:
            supCopyNames( copier, from, to );
            break;
        case sup_fieldKeys:
            supCopyKeys( copier, from, to );
            break;
        case sup_fieldPaint:
            supCopyPaint( copier, from, to );
            break;
        case sup_fieldSpheres:
            supCopySpheres( copier, from, to );
            break;
        case sup_fieldPoints:
            supCopyPoints( copier, from, to );
            break;
        case sup_fieldMoves:
            supCopyMoves( copier, from, to );
            break;
        case sup_fieldShape:
            supCopyShape( copier, from, to );
            break;
        case sup_fieldItems:
            supCopyItems( copier, field->items, from, to );
            break;
    }
}

static void* supCopyAll( supCopier* copier, const supField* fields, int32_t count, size_t itemSize, const void* item )
{
    void* out = supCopyBytes( copier, item, 1, itemSize, _Alignof( max_align_t ) );
    for ( int32_t i = 0; i < count; ++i )
    {
        supCopyField( copier, fields + i, item, out );
    }
    return out;
}

void* supCopyItem( const supField* fields, int32_t count, size_t itemSize, const void* item,
    const supAllocator* allocator, size_t* blockSize )
{
    supCopier copier = { supMakeLayout(), NULL };
    supCopyAll( &copier, fields, count, itemSize, item );
    *blockSize = copier.layout.size;
    copier.block = supAllocLayout( allocator, &copier.layout );
    if ( copier.block == NULL )
    {
        return NULL;
    }
    copier.layout = supMakeLayout();
    return supCopyAll( &copier, fields, count, itemSize, item );
}
