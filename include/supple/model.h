// Supple: a model is a character with its compiled rig. It never changes; any number of bodies and threads share it.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"
#include "supple/character.h"
#include "supple/rig.h"

typedef struct supModel supModel;

/// Compiles a rig for a character: looks up every name, and works out weights, masses and springs. The character must
/// outlive the model; the rig need not. Errors give the place in the rig: `elements[2].driver: no joint "hips2"; did
/// you mean "hips"?`. Refused: unknown names, elements without vertices, bones without length, paint for another
/// mesh. Flesh takes well under a second; fat of many nodes takes seconds to minutes.
SUP_API supResult supCompileModel( const supCharacter* character, const supRig* rig, supModel** out, supError* error );

/// The same with memory of the host's own, and with a watch: it is told how far compiling has come, layer by layer, and
/// may end it. `def` may be NULL.
SUP_API supResult supCompileModelWith(
    const supCharacter* character, const supRig* rig, const supMakeDef* def, supModel** out, supError* error );

/// Destroys a model that no body, crowd, editor or take uses any more. NULL is passed over.
SUP_API void supDestroyModel( supModel* model );

/// What became of an element.
typedef struct supElementView
{
    const char* name;
    int32_t driver;      ///< joint
    supMat34 localFrame; ///< at rest, model space: origin at the middle of the virtual bone, y along it
    float boneLength;    ///< metres
    float volume;        ///< between skin and bone. m^3
    float mass;          ///< kg
    float thickness;     ///< largest shape * attenuation * membership: the most that `u` may be. Metres
    float frequency;     ///< undamped. Hertz
    float dampingRatio;
    float amount;
    float sag;             ///< share of the thickness
    float largestEdgeJump; ///< of the weight along any one edge of the meshes: how sharp the region's border is
    int32_t vertexCount;
    const int32_t* vertices; ///< of the whole character, rising
    const float* weights;    ///< alpha2 of the paper, 0 to 1
    /// shape * attenuation of each, at rest: what its displacement never exceeds. Metres
    const float* reach;
} supElementView;

/// A helper joint is a child of `joint` that moves as a piece of flesh does. With these, and the influences that a
/// bake writes, linear blend skinning gives the living skin by itself.
typedef struct supHelperView
{
    int32_t element; ///< whose elongation it adds; -1: of none, a mode's alone
    int32_t joint;
    int32_t kind;  ///< helpers of one kind, on different joints, carry the same motion
    bool turns;    ///< it carries a rotation, of the rig's modes; else a shift alone
    supVec3 place; ///< where it stands at rest, in the joint's own space: the middle of the bone where it turns, else 0
    const char* name; ///< of what it carries: an element's, or a mode's
} supHelperView;

/// What a model is as a whole.
typedef struct supModelInfo
{
    const supCharacter* character; ///< that it was compiled for
    int32_t elementCount;          ///< of flesh
    const supElementView* elements;
    int32_t helperCount; ///< helper joints, which carry flesh and modes
    const supHelperView* helpers;
    /// The first layer above flesh that has items (supGetLayerInfo), or -1
    int32_t applyingLayer;
    /// The first layer that helper joints cannot carry, or -1: what it does needs morph targets, a point cache, or the
    /// live body
    int32_t morphLayer;
} supModelInfo;

/// What a model is as a whole. Never NULL, and lives as long as the model. Any number of threads may read it.
SUP_API const supModelInfo* supModel_Info( const supModel* model );

/// The order in which supBody_SkinOrdered writes: entry i is the vertex of the character at place i. There are more
/// places than vertices, since blocks of 16 vertices that share their joints are filled up with their last vertex.
/// Gives the number of places; `vertices` may be NULL. Put index buffers into this order once.
SUP_API int32_t supModel_SkinOrder( const supModel* model, int32_t* vertices );

/// How many items of a layer (supGetLayerInfo) the model has.
SUP_API int32_t supModel_ItemCount( const supModel* model, int32_t layer );
/// The name of one of them, which lives as long as the model.
SUP_API const char* supModel_ItemName( const supModel* model, int32_t layer, int32_t item );
/// The item of a layer that has this name; -1: there is none.
SUP_API int32_t supModel_FindItem( const supModel* model, int32_t layer, const char* name );
