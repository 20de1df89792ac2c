// Supple: what of a solid's answers to loads is worth following.
// SPDX-License-Identifier: MIT
#pragma once

#include "solve/elastic_space.h"

/// What loads the solid: groups (the joints of a body), each with as many accelerations of the free nodes.
typedef struct supElasticLoads
{
    int32_t groupCount, perGroup;
    /// `motion`: three numbers a free node. Accelerations that are as likely are as large.
    void ( *fill )( const void* user, const supElastic* elastic, int32_t group, int32_t load, double* motion );
    const void* user;
} supElasticLoads;

enum
{
    supRigidLoads = 6
};

/// Three shifts and three turns of all of it.
void supFillRigidLoad( const void* user, const supElastic* elastic, int32_t group, int32_t load, double* motion );

/// Fills an empty space with shapes: the slowest vibration, then those that loads make the most of, as far as any is
/// worth a share of the whole, `least` at least; `space->most` becomes how many it has room for then. `space->small` is
/// overwritten. sup_errorMemory; sup_errorCanceled: it was to stop.
supResult supAddAnswers(
    supElasticSpace* space, const supElasticLoads* loads, int32_t least, const supAllocator* allocator );
