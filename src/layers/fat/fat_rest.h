// The shape that gravity takes into the modelled one.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_skin.h"
#include "solve/block_matrix.h"

/// How far a solid sags, on the skin.
typedef struct supFatSag
{
    float largest; ///< of all vertices. Metres
    float off;     ///< how far the region's skin, sagged, is from the modelled one at worst. Metres
} supFatSag;

/// Lets the solid of the region sag. Where that ends farther from the modelled skin than `tolerance`, a share of the
/// sag, the region's skin is moved back by what it has missed it by. `sag`: as a share of the thickness; below zero:
/// what the material lets it. `gravity`: m/s^2, of the model at rest. False: no memory.
bool supSagRegion( supFatRegion* region, const supFatMesh* mesh, const supElastic* elastic,
    const supBlockFactor* factor, supVec3 gravity, float sag, float tolerance, supFatSag* out );
