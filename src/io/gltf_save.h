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
