// Supple: from motion formulas to keys.
// SPDX-License-Identifier: MIT
#pragma once

#include "creatures/draft.h"

#include "supple/character.h"

/// All clips of a draft as definitions, with everything they point to.
typedef struct supClipSheet
{
    int32_t clipCount;
    supClipDef* clips;
    void* block;
    size_t blockSize;
    supAllocator allocator;
} supClipSheet;

/// Tracks only for joints that move.
supResult supCreateClipSheet(
    const supDraft* draft, const supAllocator* allocator, supClipSheet* out, supError* error );
void supClipSheet_Destroy( supClipSheet* sheet );
