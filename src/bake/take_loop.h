// Whether a clip is a cycle, and how the root moves on from one to the next.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/anchor_path.h"
#include "supple/bake.h"

/// Whether the words of a clip's name say that it is a cycle: walk, run, idle, loop… and not that it starts or stops
/// one.
bool supNameSaysLoop( const char* name );
/// Whether they say that it plays once: death, jump, hit…, or, where no word says that it is a cycle, punch, kick,
/// shoot…
bool supNameSaysOnce( const char* name );

/// Writes `isOnceByName` and `poseGap` of *info.
supResult supFindLoop( const supModel* model, int32_t clip, supLoop loop, const supAllocator* allocator,
    supRootMotion* out, supTakeInfo* info, supError* error );
