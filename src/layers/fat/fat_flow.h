// Volume kept: what the skin gains beyond its solid is taken back, and displacements follow their own flow.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_voxels.h"

/// What both need, when everything else of the fat is there. False: no memory.
bool supFillFatFlow( supFat* fat, const supFatRegion* region, const supFatMesh* mesh, const supElastic* elastic );

/// Takes `amount` of what the skin gains beyond the solid back, by an even swelling. `moved`: three a free node.
void supEvenFat( const supFat* fat, float amount, float* moved );

/// Node i, on its way along the flow of all displacements: u + amount / 2 (u . grad) u.
supVec3 supFlownNode( const supFat* fat, const float* moved, int32_t i, float amount );
