// Supple: work over a table of fields: defaults, checks, copies, whatever the item.
// SPDX-License-Identifier: MIT
//
// `place` is where the item stands, for messages: "elements[2]". Fields follow it: "elements[2].spheres[1].radius".
#pragma once

#include "supple/base.h"
#include "supple/rig.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// For tables of fields: { SUP_FIELD_OF( supFatDef, depth, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 0.95f ), .words = … }
#define SUP_FIELD_OF( item, member, fieldType, fieldUnit )                                                             \
    .name = #member, .type = fieldType, .offset = offsetof( item, member ), .unit = fieldUnit
#define SUP_RANGE( lower, upper ) .minimum = lower, .maximum = upper
#define SUP_NOT_GIVEN .fallback = NAN, .optional = true
/// How many things an array has.
#define SUP_COUNT( array ) ( (int32_t)( sizeof( array ) / sizeof( ( array )[0] ) ) )

/// Room for a place with indices; longer ones are cut off.
#define SUP_PATH_TEXT 128

/// Room for the name of a field.
#define SUP_FIELD_NAME 48

/// Puts a place together; gives `text`.
SUP_API const char* supPathText( char text[SUP_PATH_TEXT], const char* format, ... ) SUP_PRINTF( 2, 3 );

/// The largest struct of an item. Bytes.
#define SUP_LARGEST_ITEM 1024

/// Sets every field of the table to its default: numbers, vectors and choices to `fallback`, names to NULL, lists to
/// none.
SUP_API void supFillDefaults( const supField* fields, int32_t count, void* item );
/// Whether a field has its default.
SUP_API bool supFieldIsDefault( const supField* field, const void* item );

/// The field of that name, or NULL.
SUP_API const supField* supFindField( const supField* fields, int32_t count, const char* name );
/// A field of an item, "frequency", or of an object in one of its lists, "points[2].free".
typedef struct supFieldPath
{
    char list[SUP_FIELD_NAME]; ///< the list's name; "": the item's own field
    int32_t object;            ///< in that list
    char field[SUP_FIELD_NAME];
} supFieldPath;

/// False: neither of both.
SUP_API bool supReadFieldPath( const char* text, supFieldPath* path );
/// Fails with the names of the table that are nearest to one that is not in it.
SUP_API supResult supFailNoField(
    const char* place, const char* name, const supField* fields, int32_t count, supError* error );

/// Fails with `elements[2].frequncy: unknown; did you mean "frequency"?`. `place` may be "".
SUP_API supResult supFailUnknown(
    const char* place, const char* key, const char* const* known, int32_t knownCount, supError* error );

/// Bytes that a field takes in its struct.
SUP_API size_t supFieldBytes( const supField* field );
/// How many floats stand for a value: 1 for numbers, choices, true and false, 3 for vectors, 0 for all else.
SUP_API int32_t supFieldNumberCount( const supField* field );
/// Whether one float stands for a value, and which it is.
SUP_API bool supFieldNumber( const supField* field, const void* value, float* out );
/// Whether a field of two items is the same, with all its names and lists.
SUP_API bool supSameField( const supField* field, const void* a, const void* b );

/// Every list starts with how many it has and where they are.
static inline supItemList supAnyList( const void* value )
{
    supItemList list;
    memcpy( &list, value, sizeof( list ) );
    return list;
}

/// Values on vertices: how many numbers each vertex has.
static inline size_t supVertexWidth( const supField* field )
{
    return field->type == sup_fieldMoves ? 3 : 1;
}
/// What they are called in JSON.
static inline const char* supVertexKey( const supField* field )
{
    return field->type == sup_fieldMoves ? "moves" : "values";
}

/// Whether `text` is valid UTF-8.
SUP_API bool supIsUtf8( const char* text );

/// Numbers against their ranges, names that must be given, lists that have what they count. Curves and painted vertices
/// must rise.
SUP_API supResult supCheckFields(
    const supField* fields, int32_t count, const void* item, const char* place, supError* error );

/// A copy of an item in one block, with all its names and lists. NULL: no memory. Freed with supFree and *blockSize.
SUP_API void* supCopyItem( const supField* fields, int32_t count, size_t itemSize, const void* item,
    const supAllocator* allocator, size_t* blockSize );
