// The layers of a body: their memory, their time, and the skin they change.
// SPDX-License-Identifier: MIT
//
// Where any of them applies, skinning needs room for vertices, which is the body's own: then one thread at a time may
// skin it.
#pragma once

#include "base/memory.h"
#include "rig/model_data.h"
#include "supple/body.h"

/// One layer of the stack, moving.
typedef struct supBodyLayer
{
    void* state;
    float* shown;
    float* live; ///< fields that may be edited, item by item
} supBodyLayer;

typedef struct supBodyStack
{
    supBodyLayer* layers;     ///< one a layer of the model's stack
    supEarlierLayer* earlier; ///< the same, as those after it see it
    int32_t applied;          ///< how many of them move skin: all, but where what each of them does is measured
    float* shown;             ///< of all layers, one after the other
    int32_t shownCount;
    supVec3* positions; ///< one a vertex
    supVec3* normals;
    supVec3* smooth; ///< one a vertex, where some layer wants it
    supVec3* before; ///< of the surface: normals before the layers
    supVec3* faces;  ///< of the surface: before the layers, then after them
    void* scratch;
    supVec3d* elongations;  ///< scratch, one an element
    supSkinMotion* motions; ///< scratch, one a motion of the model
    supVec3 gravity, wind;  ///< of the last step
    uint32_t held;          ///< a bit a layer of the stack: no step, somebody else knows what it shows
} supBodyStack;

/// Its arrays in the body's block, and those of each layer.
void supPlaceBodyStack( supBodyStack* stack, const supModel* model, supLayout* layout );
/// When they are there and zero: all layers at rest.
void supInitBodyStack( supBodyStack* stack, const supModel* model );

void supBodyStack_Reset( supBody* body );
void supBodyStack_Teleport( supBody* body, supMat34 motion );
void supBodyStack_Adopt( supBody* body, const supBody* from );
/// `inverse`: of the world. `jump`: the rigid motion by which the body was put elsewhere since the last step, or NULL.
void supBodyStack_Step( supBody* body, float dt, const supMat34* inverse, const supJointJumps* jumps );
/// Stands for a step of a body at rest whose input is what it was.
void supBodyStack_Idle( supBody* body, float dt );
/// A force on the skin at a vertex during the next step: newtons, world space. False: no layer feels any.
bool supBodyStack_Force( supBody* body, int32_t vertex, supVec3 force );
/// More live fields than an item has.
#define SUP_MOST_LIVE 64

/// Live fields of all items of a layer were changed.
void supBodyLayer_Tuned( const supStackLayer* entry, supBodyLayer* layer );
bool supBodyStack_IsAtRest( const supBody* body );
/// Steps that a layer on the stack has cut short since it was reset.
int64_t supBodyStack_CutCount( const supBody* body, int32_t layer );
/// Shown floats of all layers together.
int32_t supStackShownCount( const supModel* model );

/// All motions of the model as the body shows them, in memory of the body's. Only of models with layers that apply.
const supSkinMotion* supBodyStack_Motions( const supBody* body );
/// Layer by layer, on the skin with its offsets. `normals` may be NULL. Reads body->layers.smooth.
void supBodyStack_Apply( const supBody* body, supVec3* positions, supVec3* normals );
/// `smooth`, `scratch`: see supLayerFrame. False: no layer of the body knows it.
bool supBodyStack_Draw( const supBody* body, const char* what, const supVec3* positions, const supVec3* smooth,
    void* scratch, const supDraw* draw );
