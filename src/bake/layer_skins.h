// The skin over takes, without one layer and with it: what reports compare.
// SPDX-License-Identifier: MIT
#pragma once

#include "rig/stack.h"
#include "supple/bake.h"

enum
{
    supLayerMoments = 33 ///< of a take
};

/// A moment: the smooth skin, and the living one without the layer and with it.
typedef struct supSkinsBeside
{
    const supVec3 *smooth, *without, *with;
} supSkinsBeside;

typedef void supLayerSkinsVisit( const supStackLayer* entry, supSkinsBeside skins, void* user );

/// `at`: of the layer on the model's stack; one whose only live field says how much of it there is. False: no memory.
bool supVisitLayerSkins( const supModel* model, int32_t at, const supTake* const* takes, int32_t takeCount,
    supLayerSkinsVisit* visit, void* user );
