// Supple: files in and out (library supple_io). The core knows nothing of files.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"
#include "supple/character.h"
#include "supple/look.h"

// ---------------------------------------------------------------------------------------------------------------
// glTF documents: a .glb or .gltf as it stands in the file, to read characters from and to edit without harm

/// A glTF file in memory: its JSON, kept whole, and its buffers.
typedef struct supGltf supGltf;

/// Reads .glb, or .gltf with its buffers (files beside it, percent-encoded names, data URIs). By content, not by name. Every length
/// and index is checked here or where it is used: a document that was opened can be asked anything.
SUP_API supResult supOpenGltf( const char* path, supLog log, supGltf** out, supError* error );
/// The same from memory (copied). `folder`: where external files are looked for, or NULL: there are none to be had.
SUP_API supResult supOpenGltfMemory(
    const void* data, size_t size, const char* name, const char* folder, supLog log, supGltf** out, supError* error );
SUP_API void supCloseGltf( supGltf* document );

/// The character in it: the default scene's nodes, meshes, skins, and all clips. Joint indices are node indices.
SUP_API supResult supGltf_Character( const supGltf* document, const supAllocator* allocator, supCharacter** out, supError* error );
/// Materials, images, texture coordinates, colours; lives as long as the document.
SUP_API supResult supGltf_Look( supGltf* document, const supLook** out, supError* error );

/// Writes .glb or .gltf + .bin by the name's ending: to a temporary file beside it, flushed, then renamed. A failed or interrupted call
/// leaves neither a half-written file nor a changed one. With nothing edited every JSON value and every byte of every buffer view is kept.
SUP_API supResult supGltf_Write( const supGltf* document, const char* path, supError* error );

/// Opens, reads the character, closes: the short way.
SUP_API supResult supLoadGltf( const char* path, supCharacter** out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Names

/// Up to `most` names out of `names` that are nearest to `name` by editing distance, as "\"hips\", \"hip.L\"", for "did you mean …".
/// Gives `text`, empty where nothing is near.
SUP_API const char* supNearestNames(
    const char* name, const char* const* names, int32_t count, int32_t most, char* text, size_t textSize );
