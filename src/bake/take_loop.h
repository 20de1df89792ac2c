// Whether a clip is a cycle, and how the root moves on from one to the next.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/anchor_path.h"
#include "supple/bake.h"

/// Whether the words of a clip's name say that it is a cycle: walk, run, idle, loop… and not that it starts or stops
/// one.
bool supNameSaysLoop( const char* name );

/// `gap`: how far the pose is from closing, less the motion that was found. Metres
supResult supFindLoop( const supModel* model, int32_t clip, supLoop loop, const supAllocator* allocator,
    supRootMotion* out, float* gap, supError* error );
