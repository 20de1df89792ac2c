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
//     meshes      [mesh, 0, all of it], where morph targets were added
//     weights     [node, default weights before]
//     channels    [animation, channel, its sampler before], where keys of weights grew
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
    const supJointBake* bake;   ///< NULL: a bake as morphs
    const supMorphBake* morphs; ///< NULL: a bake as joints
    const supGltfBakeOptions* options;
    json_t* record; ///< the extension
    json_t* names;  ///< while clips are added: what they are called
    int32_t helperCount;
    int32_t firstHelper;   ///< node of helper 0; the others follow it
    int32_t* slots;        ///< helperCount a skin: where the helper stands among the skin's joints, or -1
    int32_t firstAccessor; ///< the first that the bake added
    supArena arena;
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

/// What the names of our morph targets start with.
#define SUP_TARGET_NAME "supple:"
/// Morph targets on every mesh that carries flesh, and zeros for them wherever weights were.
void supBakeEdit_AddTargets( supBakeEdit* bake );
/// A clip's channels of weights: the baked motion of `baked`, or (-1) a key of zeros where there is no channel yet.
/// `index`: of the character's clip.
void supBakeEdit_AddWeights( supBakeEdit* bake, json_t* clip, int32_t index, int32_t baked );
/// Whether a channel moves the weights of a node.
bool supBakeEdit_IsWeightsOf( supBakeEdit* bake, const json_t* channel, int32_t node );
int32_t supBakeEdit_AddSampler( supBakeEdit* bake, json_t* clip, int32_t input, int32_t output, const char* form );
/// An accessor of floats in a view of its own, with bounds.
int32_t supBakeEdit_AddFloats( supBakeEdit* bake, const float* floats, size_t count, const char* type, int32_t rows );
