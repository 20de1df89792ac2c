// Supple: what each layer tells the rest of the library about itself.
// SPDX-License-Identifier: MIT
//
// To add a layer is to add a folder with a supLayer of its own, and a line in rig/layer_list.c.
#pragma once

#include "supple/rig.h"

typedef struct supLayer
{
    supLayerInfo info;
    size_t nameOffset; ///< of the item's `const char* name`; no two items of a rig's layer have the same

    /// What the table cannot say: fields that need one another. `place` as in base/fields.h. May be NULL.
    supResult ( *check )( const void* item, const char* place, supError* error );
    /// Fills in what follows from other fields before the item is copied into a rig: the name. May be NULL.
    void ( *complete )( void* item );
} supLayer;
