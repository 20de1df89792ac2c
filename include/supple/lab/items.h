// Supple: a rig looked at and edited item by item, beyond what supRig_AddItem and the editor do.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
#pragma once

#include "supple/auto.h"
#include "supple/rig.h"

/// A rig with the same items.
SUP_API supResult supCopyRig( const supRig* rig, const supAllocator* allocator, supRig** out, supError* error );
/// supRig_AddItem, supRig_ItemCount and supRig_Item for elements of flesh.
SUP_API supResult supRig_AddElement( supRig* rig, const supElementDef* def, supError* error );
SUP_API int32_t supRig_ElementCount( const supRig* rig );
/// Lives as long as the rig; its name is never NULL.
SUP_API const supElementDef* supRig_Element( const supRig* rig, int32_t element );
/// Puts another item in the place of one, checked and copied as when it is added. `item` may be the old one itself, or
/// share its lists. On an error the rig is as it was.
SUP_API supResult supRig_SetItem( supRig* rig, int32_t layer, int32_t index, const void* item, supError* error );
/// Those after it move up by one.
SUP_API void supRig_RemoveItem( supRig* rig, int32_t layer, int32_t index );
/// Looks up what its items name in the rig itself: elements and muscles. Compiling a model does so too, and looks up
/// joints and meshes beside; this needs no character. `modes[0].element: no element "bely"; did you mean "belly"?`
SUP_API supResult supRig_CheckNames( const supRig* rig, supError* error );
/// How many layers there are (supGetLayerInfo).
SUP_API int32_t supLayerCount( void );
/// The table behind supElementDef.
SUP_API const supField* supElementFields( int32_t* count );

/// supProposeFat with a preset: how fast the fat swings, how far, how soon it rests, and how it sags. supProposeFat is
/// natural. sup_errorData, too: there is no such preset.
SUP_API supResult supProposeFatAs(
    const supCharacter* character, supPreset preset, const supMakeDef* def, supRig* rig, supError* error );
