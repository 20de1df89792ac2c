// Supple io: reading values out of a glTF's JSON, with words for what is wrong. Internal to src/io.
// SPDX-License-Identifier: MIT
//
// A reader remembers its first failure; after that every call gives its fallback and does nothing. So a function that
// reads ten values asks once, at its end, whether all went well, and every message still names the thing that was being
// read.
#pragma once

#include "io/gltf_document.h"

/// What is being read: "mesh 3 'Body', primitive 1". Put into words only when something fails.
typedef struct supWhere
{
    const char* kind;
    int32_t index;
    const char* name; ///< or NULL
    const char* part; ///< or NULL: all of it
    int32_t partIndex;
} supWhere;

typedef struct supReader
{
    const supGltf* document;
    supError* error;
    supResult result;
    supWhere where;
    bool quiet; ///< no notes: what is being read was read, and noted, before
    /// What is taken stays within the document's budget. Off for edits, which take what they make, not what a file asks
    /// for
    bool isBounded;
    struct supSharedFloats* shared; ///< accessors that were read as floats (gltf_accessor.h), or NULL
} supReader;

supReader supMakeReader( const supGltf* document, supError* error );
/// One that takes no more memory than the document may.
supReader supMakeBoundedReader( const supGltf* document, supError* error );

/// Says from here on that `json`, the `index`-th of a kind ("mesh"), is being read.
void supReader_At( supReader* reader, const char* kind, int32_t index, const json_t* json );
/// A part of it: "primitive" 1. NULL: all of it again.
void supReader_AtPart( supReader* reader, const char* part, int32_t index );
/// Remembers a failure, unless there was one before. "file: where: text".
void supReader_Fail( supReader* reader, supResult code, const char* format, ... ) SUP_PRINTF( 3, 4 );
/// The same words as a note for the log.
void supReader_Note( const supReader* reader, const char* format, ... ) SUP_PRINTF( 2, 3 );
bool supReader_Ok( const supReader* reader );
/// Zeroed memory that lives as long as `blocks`; NULL, and a failure, where there is none.
void* supReader_Take( supReader* reader, supArena* arena, size_t count, size_t itemSize );

/// A member that is an object or an array; NULL where it is absent, or, with a failure, where it is something else.
json_t* supReader_Object( supReader* reader, const json_t* object, const char* key );
json_t* supReader_Array( supReader* reader, const json_t* object, const char* key );
/// The extension `name` of an object, or NULL.
json_t* supReader_Extension( supReader* reader, const json_t* object, const char* name );
/// An index among the root's things of a kind ("nodes"); -1 where absent; a failure where out of range.
int32_t supReader_Index( supReader* reader, const json_t* object, const char* key, const char* kind );
/// The same for an index that stands in an array.
int32_t supReader_IndexValue( supReader* reader, const json_t* value, const char* what, const char* kind );
/// A whole number, 0 to 2^53; `fallback` where absent. 3.0 counts as 3.
size_t supReader_Size( supReader* reader, const json_t* object, const char* key, size_t fallback );
/// A number within float's range; `fallback` where absent.
float supReader_Number( supReader* reader, const json_t* object, const char* key, float fallback );
/// Exactly `count` of them; false, and `out` as it was, where absent.
bool supReader_Numbers( supReader* reader, const json_t* object, const char* key, float* out, int32_t count );
bool supReader_Bool( supReader* reader, const json_t* object, const char* key, bool fallback );
/// A text; NULL where absent. Lives as long as the JSON.
const char* supReader_Text( supReader* reader, const json_t* object, const char* key );

// ---------------------------------------------------------------------------------------------------------------
// Supple io: the bytes behind buffer views and URIs. Internal to src/io.

typedef struct supBytes
{
    const uint8_t* data;
    size_t size;
} supBytes;

/// What "buffer", "byteOffset" and "byteLength" of an object name, inside the buffer's bounds. NULL, with a failure,
/// otherwise.
supBytes supReader_Bytes( supReader* reader, const json_t* json );
/// A buffer view's bytes, decompressed where it is compressed. `index` must be in range.
supBytes supReader_View( supReader* reader, int32_t index );
/// A data URI decoded, or a file beside the document read. `uri` must be a JSON text. From malloc.
void supReader_LoadUri( supReader* reader, const json_t* uri, uint8_t** data, size_t* size );
