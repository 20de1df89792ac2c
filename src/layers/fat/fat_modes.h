// Rows of numbers that a step and a skin of fat are made of.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat.h"
#include "layers/fat/fat_nodes.h"
#include "solve/elastic_modes.h"

/// What loads fat, joint by joint: shifts and turns of it and, where the inner border moves, swelling below.
typedef struct supFatLoading
{
    const supFatNodes* nodes;
    const supFatMesh* mesh;
    const supFatRegion* region;
} supFatLoading;

/// `loading` must outlive it.
supElasticLoads supFatLoads( const supFatLoading* loading );

/// The largest displacement of any node under one m/s^2 along whichever axis. `force`: three numbers a free node;
/// `scratch`: of the factor. s^2
float supUnitSag( const supElastic* elastic, const supBlockFactor* factor, double* force, double* scratch );

/// Fills omegas, rows, gather, pushes and sagUnit of a fat whose arrays are there. False: no memory, or `watched`
/// (or NULL) stopped it.
bool supFillFatRows( supFat* fat, const supFatMesh* mesh, const supElastic* elastic, const supBlockFactor* factor,
    const supElasticModes* modes, const supFatRegion* region, supWatched* watched, const supAllocator* allocator );
