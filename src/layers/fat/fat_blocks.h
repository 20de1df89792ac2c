// Blocks of vibrations that muscles which tense couple with one another.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_nodes.h"
#include "solve/elastic_modes.h"

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
