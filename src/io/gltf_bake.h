// Supple io: a bake put into a glTF document, and taken out again. Internal to src/io.
// SPDX-License-Identifier: MIT
//
// What was there before is kept in the root extension SUPPLE_bake, so that a later bake can take this one out and leave
// the document as it was, key by key:
//
//     counts      [before, after] of nodes, meshes, animations, accessors, bufferViews, buffers
//     bufferLength  of the BIN chunk before
//     skins       [skin, joints, inverseBindMatrices or -1]
//     children    [node, children, or -1 where it had no list]
//     primitives  [mesh, primitive, all of it]
//     nodes       [node, mesh] that show another mesh now
//     clips       [animation, channels, samplers]
//     rig         whether the rig came with the bake
#pragma once

#include "io/gltf_edit.h"

#define SUP_BAKE_EXTENSION "SUPPLE_bake"
#define SUP_BAKE_VERSION 1
/// In the extras of every node that a bake adds.
#define SUP_HELPER_MARK "suppleHelper"

typedef struct supBakeEdit
{
    supGltfEdit edit;
    const supCharacter* character;
    const supModel* model;
    const supJointBake* bake;
    const supGltfBakeOptions* options;
    json_t* record; ///< the extension
    int32_t helperCount;
    int32_t firstHelper; ///< node of helper 0; the others follow it
    int32_t* slots;      ///< helperCount a skin: where the helper stands among the skin's joints, or -1
    supBlocks blocks;
} supBakeEdit;

/// Remembers the counts of everything.
void supBakeEdit_StartRecord( supBakeEdit* bake );
/// [first, second, …] at the end of a list of the record. `extra` (taken over) may be NULL.
void supBakeEdit_Note(
    supBakeEdit* bake, const char* list, int32_t first, int32_t second, bool hasThird, int32_t third, json_t* extra );
/// The record goes into the document.
void supBakeEdit_EndRecord( supBakeEdit* bake, bool hasRig );

/// Helper nodes, and their place in every skin. Fills in `firstHelper` and `slots`.
void supBakeEdit_AddHelpers( supBakeEdit* bake );
/// New JOINTS_n and WEIGHTS_n.
void supBakeEdit_AddInfluences( supBakeEdit* bake );
/// Living clips, the originals beside them, zero keys in all others.
void supBakeEdit_AddClips( supBakeEdit* bake );
