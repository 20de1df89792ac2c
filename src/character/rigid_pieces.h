// Supple: pieces of a surface that are carried as they are: shells, belts, buckles, pistons, props.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/character.h"

/// Marks the vertices of all pieces of skinned surface that are rigid: connected, seams welded, on the same joints by
/// the same weights all over. `pieces`, one a vertex: a number that all of its piece have, or -1 where it is not rigid.
/// False: no memory for the work.
bool supFindRigidPieces( const supCharacter* character, const supAllocator* allocator, int32_t* pieces );
