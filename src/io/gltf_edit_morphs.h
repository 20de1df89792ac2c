// Supple io: morph targets added to a glTF document, and accessors made one's own. Internal to src/io.
// SPDX-License-Identifier: MIT
#pragma once

#include "io/gltf_edit.h"

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
