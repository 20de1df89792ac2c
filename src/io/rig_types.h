// Supple io: what each type of field is in JSON. Internal to src/io.
// SPDX-License-Identifier: MIT
//
// A row for each type stands in rig_types.c; what can be done with values of it without JSON is src/base/field_types.h.
#pragma once

#include "io/rig_json.h"

#include <string.h>

typedef struct supFieldJson
{
    /// Reads a value into its place in the item's struct. Strings stay jansson's.
    supResult ( *read )(
        supRigReader* reader, const supField* field, const char* place, const json_t* value, void* out );
    /// A new value, NULL or less than whole where memory ran out; `failed` then says so. The same for the schema.
    json_t* ( *write )( const supField* field, const void* value, bool* failed );
    json_t* ( *schema )( const supField* field, bool* failed );
} supFieldJson;

const supFieldJson* supFieldJsonOf( const supField* field );
/// What the reference calls the type: "three lengths".
const char* supFieldTypeWords( const supField* field );

extern const supFieldJson sup_jsonBool, sup_jsonFloat, sup_jsonVec3, sup_jsonEnum, sup_jsonName, sup_jsonNames,
    sup_jsonKeys, sup_jsonSpheres, sup_jsonPoints, sup_jsonItems, sup_jsonVertexValues, sup_jsonShape;

/// Whether a field's numbers are shares of the model's size.
static inline bool supIsShare( const supField* field )
{
    return strcmp( field->unit, "size" ) == 0;
}

// What readers of several types need. rig_types.c

/// `place.key: missing`
supResult supFailMissing( supRigReader* reader, const char* place, const char* key );
supResult supFailMemory( supRigReader* reader, const char* place );
/// Every key of `object` is one of `known` or a note.
supResult supCheckKeysOf(
    supRigReader* reader, const char* place, const json_t* object, const char* const* known, int32_t count );
/// A whole number from 0.
supResult supReadInt( supRigReader* reader, const char* place, const json_t* value, int32_t* out );
/// Room for as many items as a list has. NULL, and words: it is no list, or there is no memory.
void* supTakeList( supRigReader* reader, const char* place, const json_t* value, size_t itemSize, int32_t* count );
/// A number. rig_types.c
supResult supReadFloat( supRigReader* reader, const char* place, const json_t* value, float* out );
/// A length as a share of the size: a number, or words.
supResult supReadLength( supRigReader* reader, const char* place, const json_t* value, float* out );
/// Writes the fields that do not have their default. rig_read.c
json_t* supWriteObject( const supField* fields, int32_t count, const void* item, bool* failed );

// Pieces of schemas. rig_schema.c, and numbers in rig_types.c

json_t* supSchemaOf( const char* type, const char* words, bool* failed );
json_t* supSchemaPattern( const char* pattern, bool* failed );
json_t* supSchemaAnyOf( json_t* a, json_t* b, bool* failed );
/// `fewest`, `most`: 0: any number.
json_t* supSchemaList( json_t* items, int fewest, int most, bool* failed );
json_t* supSchemaText( bool* failed );
json_t* supSchemaInt( bool* failed );
/// An object with these properties, notes of the user's own, and nothing else. `required`: names, ended with NULL; may
/// be NULL.
json_t* supSchemaObject( json_t* properties, const char* const* required, bool* failed );
/// An object with the fields of a table.
json_t* supSchemaFields( const supField* fields, int32_t count, bool* failed );
json_t* supSchemaNumber( float minimum, float maximum, bool* failed );
json_t* supSchemaLength( float minimum, float maximum, bool* failed );
json_t* supSchemaVec3( float minimum, float maximum, bool isLength, bool* failed );
