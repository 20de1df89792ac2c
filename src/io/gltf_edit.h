// Supple io: adding to a glTF document without harm. Internal to src/io.
// SPDX-License-Identifier: MIT
//
// Everything is appended: buffers' bytes, views, accessors. Nothing that was there before is renumbered. Where the
// document goes to a .glb the bytes go to the end of its BIN chunk; to a .gltf they become a buffer, and so a file, of
// their own.
#pragma once

#include "io/gltf_accessor.h"
#include "io/gltf_reader.h"

/// glTF's bufferView.target for vertex attributes; 0: none.
#define SUP_TARGET_VERTICES 34962
#define SUP_TARGET_INDICES 34963 ///< likewise for indices

typedef struct supGltfEdit
{
    supGltf* document;
    supReader reader; ///< remembers the first failure
    bool failed;      ///< JSON had no memory
    bool isBinary;    ///< goes to a .glb
    int32_t buffer;   ///< that grows; -1: none yet
} supGltfEdit;

/// Makes a document that is to be written as .glb what it will be there: its buffers one, in the BIN chunk, its
/// pictures in buffer views. What is added later then stands at the end.
supResult supGltf_MakeBinary( supGltf* document, supError* error );

/// `isBinary`: the document will be written as .glb.
supGltfEdit supStartEdit( supGltf* document, bool isBinary, supError* error );
bool supEdit_Ok( const supGltfEdit* edit );

/// The root's array of a kind ("nodes"), made where it is absent. NULL, and a failure: no memory.
json_t* supEdit_Array( supGltfEdit* edit, const char* kind );
/// Puts an item at the end of it (taken over); gives its index.
int32_t supEdit_Append( supGltfEdit* edit, const char* kind, json_t* item );
void supEdit_Put( supGltfEdit* edit, json_t* object, const char* key, json_t* value );
void supEdit_Push( supGltfEdit* edit, json_t* array, json_t* value );
/// All of a value; NULL, and the edit has failed, where there is no memory.
json_t* supEdit_Copy( supGltfEdit* edit, const json_t* value );

/// Copies bytes to the end of a buffer, aligned to 16, and makes a buffer view of them. Gives its index.
int32_t supEdit_AddView( supGltfEdit* edit, const void* data, size_t size, int32_t target );

typedef struct supNewAccessor
{
    int32_t view;
    size_t offset; ///< bytes, in the view
    supComponents component;
    const char* type; ///< "VEC3"
    int32_t count;
    const float* bounds; ///< NULL, or the floats that its "min" and "max" are taken from
    int32_t rows;        ///< of `bounds`
} supNewAccessor;

int32_t supEdit_AddAccessor( supGltfEdit* edit, const supNewAccessor* accessor );

/// glTF's number of a component type, 5120 to 5126.
int32_t supComponentNumber( supComponents component );

/// Primitives that are compressed with Draco become plain: what they were unpacked to goes into buffer views, their
/// accessors' bounds become true, and the extension leaves, also the lists of extensions where nothing else has it. The
/// compressed views stay, since nothing is renumbered.
void supEdit_MakePlain( supGltfEdit* edit );

/// An accessor of its own with the same numbers, as floats, for what is shared and must be changed. -1 after a failure.
int32_t supEdit_UnshareAccessor( supGltfEdit* edit, int32_t accessor );

/// Accessors of one morph target on one primitive; -1: none.
typedef struct supNewTarget
{
    int32_t position, normal, tangent;
} supNewTarget;

/// Appends `count` morph targets, of weight 0, to every primitive of a mesh: targets[ primitive * count + i ]. Default
/// weights grow with them, and so do the keys of every clip that animates the weights of a node that shows the mesh.
/// `names` may be NULL.
void supEdit_AddMorphTargets(
    supGltfEdit* edit, int32_t mesh, const supNewTarget* targets, int32_t count, const char* const* names );
