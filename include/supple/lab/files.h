// Supple: files that the program reads and writes beside characters and rigs (library supple_io).
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
#pragma once

#include "supple/io.h"
#include "supple/lab/curves.h"

/// {"curves": [{"part": "upper", "number": 0, "span": 0, "constant": [[x, y, z], ...], "rate": [[x, y, z], ...]},
/// ...]}: for every curve and every span between shapes F(t) = constant + rate t, a row for each coefficient
/// (supCurveMotion_Forces). Whole or not at all.
SUP_API supResult supWriteCurveForces(
    const supCurveNetwork* network, const supCurveMotion* motion, const char* path, supError* error );
/// Puts forces in place; curves and spans that the file does not name keep theirs. "rate" may be left out: none.
/// Refused, with the place in the file, and then no force is changed: curves that are not there, rows that are not the
/// curve's, what is no number, what supCurveMotion_SetForces refuses.
SUP_API supResult supReadCurveForces(
    const supCurveNetwork* network, supCurveMotion* motion, const char* path, supError* error );
/// A Wavefront OBJ file as a character of one mesh without skin: positions and faces (polygons are cut in triangles
/// from their first corner), all groups together; the rest is passed over. Vertices keep their order, so that files of
/// one topology match vertex by vertex. Refused, with the line: indices out of range, faces of fewer than three
/// corners, numbers that are none, no face at all.
SUP_API supResult supReadObj( const char* path, supCharacter** out, supError* error );
SUP_API supResult supReadObjMemory(
    const char* text, size_t size, const char* name, supCharacter** out, supError* error );
/// Positions and triangles, whole or not at all.
SUP_API supResult supWriteObj( const char* path, const float* positions, int32_t vertexCount, const uint32_t* indices,
    int32_t indexCount, supError* error );
/// Whether it can be written as `path`, but for the positions themselves. Refused: endings other than .pc2 and .mdd, no
/// points, frames or rate, more than 2 GB.
SUP_API supResult supCheckPointCache( const supPointCache* cache, const char* path, supError* error );
/// Which point of a cache each vertex of the glTF file went into, as JSON: {"vertices": n, "points": m,
/// "pointOfVertex": [0, 1, ...]}.
SUP_API supResult supWritePointMap(
    const int32_t* points, int32_t vertexCount, int32_t pointCount, const char* path, supError* error );
/// What the JSON of a rig, a map or another file without a budget of its own may take in memory. Bytes
#define SUP_MOST_JSON_MEMORY 2000000000u
/// What jansson takes at most to parse a text. Bytes
SUP_API size_t supJsonMemory( const char* text, size_t size );
/// Up to `most` names out of `names` that are nearest to `name` by editing distance, as "\"hips\", \"hip.L\"", for "did
/// you mean …". Gives `text`, empty where nothing is near.
SUP_API const char* supNearestNames(
    const char* name, const char* const* names, int32_t count, int32_t most, char* text, size_t textSize );

/// What bytes of a document are for.
typedef enum supGltfBytesKind
{
    sup_gltfBytesVertices = 0, ///< positions, normals, texture coordinates, colours…
    sup_gltfBytesInfluences,   ///< joints and weights of vertices
    sup_gltfBytesMorphs,       ///< morph targets
    sup_gltfBytesIndices,
    sup_gltfBytesSkins, ///< inverse bind matrices
    sup_gltfBytesKeys,  ///< of clips
    sup_gltfBytesImages,
    sup_gltfBytesJson,
    sup_gltfBytesCount
} supGltfBytesKind;

typedef struct supGltfBytes
{
    size_t of[sup_gltfBytesCount];
} supGltfBytes;

/// Bytes of each kind, as accessors and buffer views count them (compressed data: unpacked); what is used twice counts
/// once.
SUP_API supGltfBytes supGltf_Bytes( const supGltf* document );
SUP_API const char* supGltfBytesName( supGltfBytesKind kind ); ///< "morphs". Never NULL
/// Bytes on the disk of a .glb or .gltf, together with the buffers and images beside it that it names, each once. 0: it
/// cannot be read.
SUP_API size_t supGltfSize( const char* path );
/// Calls `visit` with the path of every file beside a .glb, .gltf or rig that it names and that is there, each once:
/// buffers, images, and the shapes of a rig. False: there is no memory to say which.
SUP_API bool supEachFileBeside( const char* path, void ( *visit )( const char* path, void* user ), void* user );
/// The reference page of all fields in Markdown, made from the same tables.
SUP_API size_t supRigReference( char* text, size_t size );
/// Writes a file whole or not at all: to a temporary file beside it that is then renamed. A symbolic link stays one and
/// the file that it leads to is written; an old file's mode is kept. What is not a regular file is refused. An
/// interrupt that comes meanwhile takes its effect when all is tidy.
SUP_API supResult supWriteFile( const char* path, const void* data, size_t size, supError* error );
