// Supple: parts of a rig that answer the same motion on the same skin.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
//
// A region should have one layer that answers its inertia: an element, fat, or vibrating curves. Two of them add up,
// and the skin moves twice as far as either was tuned for.
#pragma once

#include "supple/model.h"

typedef struct supOverlap
{
    const char* kinds[2]; ///< keys of the layers in the rig: "elements", "fat", "curves"
    const char* names[2]; ///< of the items; they live as long as the model
    int32_t vertexCount;  ///< that both move by a quarter of their full measure or more
} supOverlap;

/// Pairs of an element and an item of another layer, or of two items above flesh, that move the same vertices. Elements
/// among one another share what they overlap in, and do not count; nor do items whose `amount` is 0. Fills in at most
/// `room` and gives how many there are. `out` may be NULL with no room. Allocates nothing.
SUP_API int32_t supModel_Overlaps( const supModel* model, supOverlap* out, int32_t room );
