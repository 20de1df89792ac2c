// The smooth skin at moments of a character's clips: for what layers find out from its motion.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/character.h"

/// `positions`: of all vertices, model space, linear skinning.
typedef void supMomentVisit( const supVec3* positions, void* user );

/// Visits about `most` moments, spread evenly over the clips and within each, ends included. No clips: none. False: no
/// memory.
bool supVisitClipMoments(
    const supCharacter* character, int32_t most, const supAllocator* allocator, supMomentVisit* visit, void* user );
