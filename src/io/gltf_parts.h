// Supple io: the parts of a character, read from a glTF document into the arrays of a supCharacterDef. Internal to
// src/io.
// SPDX-License-Identifier: MIT
#pragma once

#include "io/gltf_reader.h"

/// One primitive of a mesh under one node that shows it: a mesh of the character.
typedef struct supInstance
{
    int32_t node, mesh, primitive;
    json_t* json; ///< the primitive's
} supInstance;

/// The node tree, and what the default scene shows of it.
typedef struct supScene
{
    int32_t nodeCount;
    int32_t* parents; ///< -1: a root
    bool* shown;      ///< in the default scene
    supInstance* instances;
    int32_t instanceCount;
} supScene;

/// Refuses cycles and nodes with two parents. The default scene is the one that "scene" names, else the first, else all
/// roots. Primitives without positions are left out.
supScene supReader_Scene( supReader* reader, supArena* arena );

void supReader_Joints( supReader* reader, supArena* arena, const supScene* scene, supCharacterDef* def );
/// Which bones of a human joints are, and which of them the host swings: what VRM's extensions say.
void supReader_Vrm( supReader* reader, supArena* arena, const supScene* scene, supJointDef* joints );
void supReader_Skins( supReader* reader, supArena* arena, supCharacterDef* def );
void supReader_Meshes( supReader* reader, supArena* arena, const supScene* scene, supCharacterDef* def );
void supReader_Clips( supReader* reader, supArena* arena, supCharacterDef* def );

/// Morph targets that the mesh of a node has; 0 where it shows none.
int32_t supReader_MorphCount( supReader* reader, int32_t node );

/// An attribute of a primitive or a morph target as floats, `rows` a vertex; NULL where absent. Fails unless it has
/// vertexCount items.
const float* supReader_Attribute(
    supReader* reader, supArena* arena, const json_t* attributes, const char* name, int32_t rows, int32_t vertexCount );

/// What cannot be had is not a failure: the image says itself what is missing. `blocks` keep its bytes.
supImage supGltf_ReadImage( const supGltf* document, supArena* arena, int32_t index );
/// "image/png" and the like by an image's first bytes; NULL where they are none that glTF may hold.
const char* supImageType( const uint8_t* data, size_t size );
