// Supple: an editor holds a body whose rig changes while it runs. Any field of any item changes by one call.
// SPDX-License-Identifier: MIT
//
//     supCreateEditor( character, rig, NULL, &editor, &error );
//     each frame:
//     supBody* body = supEditor_View( editor ).body;           // asked for anew: an edit may have replaced it
//     supBody_Step( body, joints, world, dt );
//     supBody_Skin( body, positions, normals );
//     whenever a slider moves:
//     supEditor_SetNumber( editor, layer, item, "points[2].free", 1.0f, &error );
//
// Fields that the table calls `live` are set in place, at once and without an allocation. For any other field the rig
// is changed, what depends on it is compiled anew (the layer itself, and those after it that build on it), and the new
// body takes over how the old one moves. An edit is all or nothing: where the new rig does not compile, the error says
// why, and the body runs on as it was. docs/layers.md says what edits cost.
//
// Use an editor from one thread at a time. What muscles' `swell` and `sharpness` are when the editor is made is taken
// for the modelled body, as when a model is compiled; contraction is not: the modelled body is relaxed. Fat by the
// reference solver starts at rest after an edit that compiles.
#pragma once

#include "supple/base.h"
#include "supple/body.h"
#include "supple/model.h"
#include "supple/rig.h"

typedef struct supEditor supEditor;

/// Copies the rig, compiles it and makes a body. The character must outlive the editor; the rig need not. `def` may be
/// NULL; its watch is told by this call and by every edit that compiles, and may end them. Errors are those of
/// supCompileModel.
SUP_API supResult supCreateEditor(
    const supCharacter* character, const supRig* rig, const supMakeDef* def, supEditor** out, supError* error );
/// Destroys it with its body, model and rig. NULL is passed over.
SUP_API void supDestroyEditor( supEditor* editor );

/// What an editor holds. All of it is the editor's.
typedef struct supEditorView
{
    supBody* body;         ///< to be stepped and skinned. Good until the next edit that compiles
    const supModel* model; ///< of that body
    const supRig* rig;     ///< as it is now, all edits included: to be saved, or looked at. Good until the next edit
    /// Layers that the last edit compiled anew: a bit each, by their place in the list (supGetLayerInfo). 0: it was
    /// done in place, or there was nothing to do
    uint32_t compiled;
} supEditorView;

/// What it holds now. Ask again after each edit, since an edit may have replaced it.
SUP_API supEditorView supEditor_View( supEditor* editor );

/// Sets one field of an item: "radius", or of an object in one of its lists: "points[2].at". `value`: of the field's
/// own type (supFieldType), a `const supVec3*` for example; copied, with all its names and lists. A value that the
/// field has already changes nothing. Errors name the place: `muscles[1].points[2].at: …`; on an error nothing has
/// changed.
SUP_API supResult supEditor_Set(
    supEditor* editor, int32_t layer, int32_t item, const char* field, const void* value, supError* error );
/// The same for numbers, lengths, switches and choices. NaN: a number that is not given.
SUP_API supResult supEditor_SetNumber(
    supEditor* editor, int32_t layer, int32_t item, const char* field, float value, supError* error );
/// The number of such a field as it is now. NaN where there is none.
SUP_API float supEditor_Number( const supEditor* editor, int32_t layer, int32_t item, const char* field );

/// Puts another item in the place of one. `value`: the layer's struct, copied with all its names and lists. Errors are
/// those of supRig_AddItem and supCompileModel, and then nothing has changed.
SUP_API supResult supEditor_SetItem(
    supEditor* editor, int32_t layer, int32_t item, const void* value, supError* error );
/// Adds an item to a layer, in the same way.
SUP_API supResult supEditor_AddItem( supEditor* editor, int32_t layer, const void* value, supError* error );
/// Takes an item out of a layer; those after it move up by one.
SUP_API supResult supEditor_RemoveItem( supEditor* editor, int32_t layer, int32_t item, supError* error );
