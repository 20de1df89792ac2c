// Supple io: a glTF document in memory. Internal to src/io.
// SPDX-License-Identifier: MIT
//
// The JSON is kept whole, as jansson holds it, and stays the one truth: nothing of it is copied into structs that would
// have to be kept in step. Buffers are loaded, and what is compressed in them is decoded, when the document is opened;
// from then on it is read without being changed, by any number of threads, until it is edited (gltf_edit.h).
//
//     path or memory -> container (GLB chunks or plain JSON) -> JSON -> buffers -> decoded views -> unpacked accessors
#pragma once

#include "io/arena.h"
#include "supple/io.h"

#include <jansson.h>

/// Where a buffer's bytes come from, and so where they go when the document is written.
typedef enum supBufferKind
{
    sup_bufferChunk,  ///< the BIN chunk of a .glb: buffers[0], without a URI
    sup_bufferFile,   ///< a file beside the document
    sup_bufferInline, ///< a data URI: the JSON holds it already
    sup_bufferAdded,  ///< made by an edit, in no file yet
    sup_bufferAbsent, ///< without data, as EXT_meshopt_compression has fallback buffers: refused when something reads
                      ///< it
} supBufferKind;

typedef struct supBuffer
{
    supBufferKind kind;
    uint8_t* data;     ///< from malloc; all of the file or chunk, which may be longer than the buffer
    size_t dataSize;   ///< bytes at `data`
    size_t byteLength; ///< bytes of the buffer as the JSON has it, at most dataSize
    size_t capacity;   ///< bytes allocated, for those that grow
} supBuffer;

#define SUP_GLB_MAGIC 0x46546c67u ///< "glTF"
#define SUP_GLB_JSON 0x4e4f534au
#define SUP_GLB_BIN 0x004e4942u

static inline uint32_t supReadU32( const uint8_t* bytes )
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/// A chunk of a .glb after the JSON. A BIN chunk that is first becomes buffers[0]; all others are kept, and written
/// again.
typedef struct supChunk
{
    uint32_t type;
    uint32_t size;
    uint8_t* data; ///< from malloc
} supChunk;

/// A buffer view after decompression. `data` NULL: it is not compressed, look into the buffer.
typedef struct supDecodedView
{
    uint8_t* data;
    size_t size;
} supDecodedView;

/// An accessor out of a primitive that is compressed with Draco: all its items, tight. `data` NULL: it is not of one.
typedef struct supUnpackedAccessor
{
    uint8_t* data;
    size_t size;
    int32_t view; ///< the stream's
} supUnpackedAccessor;

struct supGltf
{
    char* name;   ///< for messages: the path as it was given
    char* folder; ///< where external files are; NULL: none to be had
    supLog log;
    json_t* root;
    bool isBinary;    ///< came as .glb
    bool hasBakedRig; ///< its rig came with a bake that has been taken out

    size_t mostMemory; ///< bytes that the document, and what is read from it, may take
    size_t charged;    ///< bytes of it that JSON, buffers and views take; `blocks` count for themselves
    bool isUntrusted;  ///< nothing outside of the folder is read

    supBuffer* buffers;
    int32_t bufferCount;
    supDecodedView* decoded; ///< one for each buffer view that was in the file
    int32_t decodedCount;
    supUnpackedAccessor* unpacked; ///< one for each accessor that was in the file
    int32_t unpackedCount;
    supChunk* chunks;
    int32_t chunkCount;

    supArena arena; ///< what lives as long as the document
    supLook* look;  ///< NULL until asked for
};

/// "file: text" with control characters taken out, so that a message is one line whatever a file calls its things.
supResult supGltf_Fail( const supGltf* document, supError* error, supResult code, const char* format, ... )
    SUP_PRINTF( 4, 5 );
/// Tells the log, with the file's name before it.
void supGltf_Note( const supGltf* document, const char* format, ... ) SUP_PRINTF( 2, 3 );

/// Bytes that may still be taken.
size_t supGltf_MemoryLeft( const supGltf* document );
/// Takes them off the budget; fails where there are not as many.
supResult supGltf_Charge( supGltf* document, size_t bytes, supError* error );

/// How many things of a kind ("nodes") the root has; 0 where it has no such array.
int32_t supGltf_Count( const supGltf* document, const char* kind );
/// One of them. `index` must be in range.
json_t* supGltf_Item( const supGltf* document, const char* kind, int32_t index );
/// Whether a name stands in "extensionsUsed" or "extensionsRequired".
bool supGltf_ListsExtension( const supGltf* document, const char* list, const char* name );

// The steps of opening. Each fails with words.

/// Splits a .glb in chunks, or takes the whole as JSON; parses the JSON. `data` is only read.
supResult supGltf_ReadContainer( supGltf* document, const uint8_t* data, size_t size, supError* error );
/// Loads every buffer and checks its length.
supResult supGltf_LoadBuffers( supGltf* document, supError* error );
/// Decodes every buffer view that EXT_meshopt_compression or KHR_meshopt_compression holds.
supResult supGltf_DecodeViews( supGltf* document, supError* error );
/// Decodes every primitive that KHR_draco_mesh_compression holds, where Supple was built with it.
supResult supGltf_UnpackPrimitives( supGltf* document, supError* error );
/// Whether an accessor's items stand in `unpacked`.
static inline bool supGltf_IsUnpacked( const supGltf* document, int32_t accessor )
{
    return accessor < document->unpackedCount && document->unpacked[accessor].data != NULL;
}
