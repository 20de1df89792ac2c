// Supple io: a glTF file from a character that never was one. Internal to src/io.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "supple/io.h"

#include <jansson.h>

/// What is being written: the JSON's arrays, and the bytes of the one buffer.
typedef struct supGltfMaker
{
    const supCharacter* character;
    const supLook* look; ///< may be NULL
    json_t* root;
    supArray bytes; ///< the BIN chunk
    bool failed;    ///< no memory, somewhere
} supGltfMaker;

/// glTF's component types.
enum
{
    sup_gltfUnsignedByte = 5121,
    sup_gltfUnsignedShort = 5123,
    sup_gltfUnsignedInt = 5125,
    sup_gltfFloat = 5126,
};

/// A buffer view of these bytes, at a multiple of four. `target`: what it is for (34962 vertices, 34963 indices), or 0.
/// Gives its index.
int32_t supGltfMaker_View( supGltfMaker* maker, const void* data, size_t size, int32_t target );
/// An accessor with a view of its own. `target`: as above; `bounds`: with min and max (floats alone). Gives its index.
int32_t supGltfMaker_Accessor( supGltfMaker* maker, const void* data, int32_t count, const char* type,
    int32_t componentType, int32_t target, bool bounds );
/// Adds to an array that the root gets when it is first needed; gives the index. Takes over `value`.
int32_t supGltfMaker_Add( supGltfMaker* maker, const char* array, json_t* value );
/// Sets a member; remembers failures. Takes over `value`.
void supGltfMaker_Set( supGltfMaker* maker, json_t* object, const char* key, json_t* value );
/// Notes an extension as used.
void supGltfMaker_Use( supGltfMaker* maker, const char* extension );

/// The mesh of glTF that a row of the character's meshes (same joint, same skin) makes; gives its index.
int32_t supGltfMaker_Mesh( supGltfMaker* maker, int32_t first, int32_t count );
void supGltfMaker_Materials( supGltfMaker* maker );
