// Supple io: materials and images of a glTF document. Internal to src/io.
// SPDX-License-Identifier: MIT
#pragma once

#include "io/gltf_reader.h"

supMaterial supReader_Material( supReader* reader, int32_t index );
/// What cannot be had is not a failure: the image says itself what is missing. `blocks` keep its bytes.
supImage supGltf_ReadImage( const supGltf* document, supBlocks* blocks, int32_t index );
/// "image/png" and the like by an image's first bytes; NULL where they are none that glTF may hold.
const char* supImageType( const uint8_t* data, size_t size );
