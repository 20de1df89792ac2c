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

// ---------------------------------------------------------------------------------------------------------------
// Blocks of vibrations that muscles which tense couple with one another.

/// Sorts vibrations into blocks of those that move the same places, the slowest first of all, and lists them in the
/// fat. False: no memory.
bool supSortIntoBlocks( supElasticModes* modes, const supElastic* elastic, const supFatNodes* nodes,
    const supFatRegion* region, supFat* fat );

static inline int32_t supBlockSize( const supFat* fat, int32_t block )
{
    return fat->blockStarts[block + 1] - fat->blockStarts[block];
}

/// Of matrices of one block each, one after the other: where that of a block begins; of `blockCount`: all their
/// numbers.
static inline size_t supSquareStart( const supFat* fat, int32_t block )
{
    size_t sum = 0;
    for ( int32_t b = 0; b < block; ++b )
    {
        sum += (size_t)supBlockSize( fat, b ) * (size_t)supBlockSize( fat, b );
    }
    return sum;
}
