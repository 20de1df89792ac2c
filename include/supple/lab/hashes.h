// Supple: hashes of what moves and of what was baked: the same on every machine for the same input.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
// A release may change the numbers; between two machines with the same release they must agree.
#pragma once

#include "supple/bake.h"
#include "supple/body.h"
#include "supple/crowd.h"

/// A hash of all that moves: the same on every machine for the same input.
SUP_API uint64_t supBody_Hash( const supBody* body );
/// A hash of all that moves, body by body in the order of their numbers: the same for any number of threads.
SUP_API uint64_t supCrowd_Hash( const supCrowd* crowd );
/// A hash of a clip's times, translations and rotations: the same on every machine for the same input.
SUP_API uint64_t supJointBake_ClipHash( const supJointBake* bake, int32_t index );
/// A hash of a clip's weights and of all targets: the same on every machine.
SUP_API uint64_t supMorphBake_ClipHash( const supMorphBake* bake, int32_t clip );
