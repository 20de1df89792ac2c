// Rows of numbers that a step and a skin of fat are made of.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat.h"
#include "layers/fat/fat_nodes.h"
#include "solve/elastic_modes.h"

/// Fills omegas, rows, gather, pushes and sagUnit of a fat whose arrays are there. False: no memory.
bool supFillFatRows( supFat* fat, const supFatMesh* mesh, const supElastic* elastic, const supBlockFactor* factor,
    const supElasticModes* modes, const supFatRegion* region, const supAllocator* allocator );
