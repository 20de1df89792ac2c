// Supple io: a glTF document as the files it is to be written to, still in memory. Internal to src/io.
// SPDX-License-Identifier: MIT
//
// What changes on the way, and nothing else does:
//
//     to .gltf   the BIN chunk and data that edits added become files, NAME.bin, and their buffers get URIs
//     to .glb    several buffers become one, in the BIN chunk, and buffer views move with them; pictures that
//                stood in files beside a .gltf come along. A .glb without such edits keeps its buffers as they are
//     elsewhere  files that the document names are copied to the new folder under the same names; where another
//                file stands there already, under NAME_ and theirs, so that nothing of anybody else is
//                overwritten. Those that are reached through ".." stay where they are, and their URIs lead there
#pragma once

#include "base/memory.h"
#include "io/gltf_reader.h"

/// A file to be written. Its bytes belong to the document or to the packing.
typedef struct supOutFile
{
    const char* path;
    const uint8_t* data;
    size_t size;
} supOutFile;

typedef struct supPacking
{
    const supGltf* document;
    supReader reader; ///< remembers the first failure
    const char* path; ///< of the document itself
    char* folder;     ///< of path
    char* stem;       ///< the name in path without its ending
    bool isBinary;
    bool isElsewhere; ///< in another folder than the document came from
    json_t* root;     ///< a copy, of which only what changes is copied deeply
    supArray files;   ///< of supOutFile; the document itself is the last
    /// Of char*: buffers of the document that is replaced, which end when it does. While it stands its bytes do too, so
    /// that whatever ends the program leaves one document or the other, whole
    supArray stale;
    supArena arena; ///< memory of all of this

    const uint8_t* bin; ///< the BIN chunk's bytes
    size_t binSize;
} supPacking;

/// By the path's ending: .glb and .vrm are binary, anything else is not.
supPacking supStartPacking( const supGltf* document, const char* path, supError* error );
/// Fills in `files`.
void supPacking_Run( supPacking* packing );
void supPacking_End( supPacking* packing );

// The pieces of a .glb: each writes at `to` and gives where the next one goes

/// Bytes of a chunk: its header, and its data up to a multiple of four.
static inline size_t supChunkSize( size_t dataSize )
{
    return 8 + ( dataSize + 3 ) / 4 * 4;
}
uint8_t* supPutGlbHeader( uint8_t* to, uint32_t fileSize );
uint8_t* supPutChunk( uint8_t* to, uint32_t type, const void* data, size_t size, char padding );

/// An own copy of one of the root's arrays ("images"), made when it is first asked for.
json_t* supPacking_OwnArray( supPacking* packing, const char* kind );
/// Adds a file to write.
void supPacking_AddFile( supPacking* packing, const char* path, const uint8_t* data, size_t size );
/// Sets a text in an object of the copy.
void supPacking_SetText( supPacking* packing, json_t* object, const char* key, const char* text );

/// Buffers and pictures that are files: sees that they are found from where the document goes. `json` is the buffer or
/// image in the copy.
void supPacking_CarryFile( supPacking* packing, json_t* json, const uint8_t* data, size_t size );
/// All buffers into one, for the BIN chunk.
void supPacking_MergeBuffers( supPacking* packing );
