// Inner borders that are meshes of the character: a skull, a rib cage, a machine under the skin.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_border.h"

/// Whether a mesh is an inner border.
bool supIsInnerMesh( const supFatDef* def, const supMeshView* mesh );
/// Points and triangles that all of them have.
void supCountInnerMeshes( const supFatRegion* region, const supFatDef* def, int32_t* points, int32_t* triangles );

/// Adds them to the region's inner border, as bodies of their own, and takes the thickness above them off the fat's.
/// `place`: "fat[0]". sup_errorData: one is open, inside out, outside the skin, or is skin at the same time.
supResult supAddInnerMeshes( supFatRegion* region, const supFatDef* def, const char* place, supError* error );
