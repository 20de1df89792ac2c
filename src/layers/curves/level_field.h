// Supple: the field whose level lines become curves.
// SPDX-License-Identifier: MIT
#pragma once

#include "curve_mesh.h"

/// For each point the distance over the surface from its piece's source, smoothed a little; for each piece its source.
/// `source` as in supCreateLevels.
supResult supMakeLevelField( const supCurveMesh* mesh, int32_t source, const supAllocator* allocator, double* field,
    int32_t* sources, supError* error );
