// The order of vertices in which 16 neighbours need few joints and elements.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "supple/character.h"

enum
{
    supMostTouches = 8, ///< elements of one vertex that count for the order; more are sorted by the first ones
};

/// What a vertex is sorted by: the joints that it uses, by number, then the elements that touch it.
typedef struct supSkinKey
{
    uint16_t joints[SUP_MAX_INFLUENCES]; ///< rising; 0xffff: none
    uint16_t elements[supMostTouches];   ///< likewise
    int32_t vertex;                      ///< of the character
    int32_t row;                         ///< in the rows of the offsets, or -1
} supSkinKey;

/// Puts the keys of a mesh in order. `scratch`: room for as many.
void supOrderKeys( supSkinKey* keys, int32_t count, supSkinKey* scratch );
