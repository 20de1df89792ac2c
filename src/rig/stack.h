// The layers of a model, compiled, in the order in which they run.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"
#include "layers/moved_surface.h"

/// More than there will be; room for them is part of a model.
#define SUP_MOST_LAYERS 16

typedef struct supStackLayer
{
    const supLayer* layer;
    int32_t index; ///< in the list of layers
    void* compiled;
    bool borrowed; ///< another model's, which destroys it
    int32_t itemCount;
    int32_t liveCount; ///< of each item
    int32_t allLive;   ///< of all items, and of the objects in their lists
    float* live;       ///< defaults of the live fields, as in supLayerFrame.live
    int32_t listCount; ///< lists of objects that each item has
    int32_t* lists;    ///< how many objects are in each, item by item
    char* names;       ///< of the items, one after the other, each with its 0
    size_t nameBytes;
    int32_t touchedCount;
    const int32_t* touched; ///< the layer's own
    int32_t shownCount;
    size_t stateSize, scratchSize;
    size_t keptSize; ///< of its state, that a body keeps of every good step: a multiple of 64
} supStackLayer;

typedef struct supStack
{
    int32_t count;
    supStackLayer layers[SUP_MOST_LAYERS];
    int32_t applyCount; ///< 0: no layer applies, and nothing of what follows costs anything
    bool wantsSmooth;
    size_t scratchSize; ///< the largest of the layers'

    /// What all layers may move, rising; NULL where none applies
    int32_t movedCount, movedRoom;
    int32_t* moved;
    supSurface* surface; ///< around what those that apply move, and its neighbours
} supStack;

/// Compiles one layer onto the stack. Of the context, elements, moved vertices and earlier layers are filled in here.
supResult supStack_Add( supStack* stack, const supLayer* layer, int32_t index, const void* const* items, int32_t count,
    const supLayerContext* context, supError* error );
/// The same layer of another model, which goes on owning what was compiled. Its items are the same. False: no memory.
bool supStack_Borrow( supStack* stack, const supStackLayer* from, const supAllocator* allocator );
/// Items of the same names have the defaults of their live fields from the other: these are what the layers after it
/// take for the modelled body.
void supStackLayer_KeepDefaults( supStackLayer* entry, const supStackLayer* from );
/// Whether layers after it look at this one when they are compiled.
bool supIsSeenBelow( const supLayer* layer );
/// Whether layers after it see the same of both when they are compiled. Either may be NULL: no such layer.
bool supSameBelow( const supStackLayer* a, const supStackLayer* b );
bool supSameTouched( const supStackLayer* a, const supStackLayer* b );
/// After the last: the surface that normals follow.
supResult supStack_Finish( supStack* stack, const supLayerContext* context, supError* error );
void supStack_Destroy( supStack* stack, const supAllocator* allocator );
/// The place on the stack of the layer whose offsets the skinning pass adds, or -1.
int32_t supStack_Offsets( const supStack* stack );
/// The place on the stack of a layer of the list, or -1.
int32_t supStack_Find( const supStack* stack, int32_t index );
const char* supStackLayer_Name( const supStackLayer* entry, int32_t item );
/// The item of that name, or -1.
int32_t supStackLayer_FindItem( const supStackLayer* entry, const char* name );
/// The live fields of an item by itself, those that are not given worked out.
void supStackLayer_ReadLive( const supStackLayer* entry, int32_t item, const void* given, float* live );
/// Live fields of an item, from a body of one model (item `from` of `old`, `values`) to one of another: `values` and
/// `to` as in supLayerFrame.live. Objects in lists go along where there are as many. Of the item itself only what
/// differs from `unless`, its own live fields; NULL: all.
void supStackLayer_CopyLive( const supStackLayer* entry, int32_t item, float* to, const supStackLayer* old,
    int32_t from, const float* values, const float* unless );
/// The place of an object's live fields in supLayerFrame.live: the `object`-th of the `list`-th list of an item.
int32_t supStackLayer_ListedAt( const supStackLayer* entry, int32_t item, int32_t list, int32_t object );
