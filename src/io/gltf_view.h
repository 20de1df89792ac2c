// Supple io: the bytes behind buffer views and URIs. Internal to src/io.
// SPDX-License-Identifier: MIT
#pragma once

#include "io/gltf_reader.h"

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
