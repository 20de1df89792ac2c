// Which parts of the body a skin's vertices belong to, and which of its pieces are closed.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/character.h"

/// Of each vertex: the joint that carries most of it.
void supFindSkinParts( const supCharacter* character, int32_t* parts );
/// Of each vertex: the piece that it hangs together with, by its first vertex; -1: an open one, that nothing can be
/// inside of. False: no memory.
bool supFindClosedPieces( const supCharacter* character, const supAllocator* allocator, int32_t* pieces );
