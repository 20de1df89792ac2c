// Supple: the body: one model on stage. The state that moves. Nothing is allocated after it is made.
// SPDX-License-Identifier: MIT
//
// The whole of it, with supple/io.h for files and supple/auto.h for the rig; docs/embedding.md has it as a program:
//
//     supLoadGltf( "fox.glb", &character, &error );                                         // or supCreateCharacter
//     supProposeRig( character, sup_presetNatural, NULL, &rig, NULL, &error );              // or supReadRig
//     supCompileModel( character, rig, &model, &error );                                    // shared by its bodies
//     supCreateBody( model, &body, &error );                                                // one for each on stage
//     supCreatePose( character, NULL, &pose, &error );
//     each frame:
//     supPose_Sample( pose, clip, time );         // or an engine's own animation
//     joints = supPose_Joints( pose );            // model-space matrices of every joint, in the order of glTF nodes
//     supBody_Step( body, joints, world, dt );    // world: where the entity stands; the first step starts settled
//     supBody_Skin( body, positions, normals );   // or supBody_HelperJoints( body, palette ) for skinning on the GPU
#pragma once

#include "supple/base.h"
#include "supple/draw.h"
#include "supple/model.h"

typedef struct supBody supBody;

/// A body in memory from malloc.
SUP_API supResult supCreateBody( const supModel* model, supBody** out, supError* error );
SUP_API void supDestroyBody( supBody* body );
/// A body in one block of the caller's, aligned to 64 bytes, supBody_MemorySize( model ) bytes long. Not destroyed:
/// forget the block.
SUP_API size_t supBody_MemorySize( const supModel* model );
SUP_API supResult supInitBody( void* block, size_t size, const supModel* model, supBody** out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Time

/// Moves on by `dt` seconds, to where the joints are now. `world`: where the entity stands, model space to world space
/// (rotation, uniform scale, translation). Springs are stepped in closed form: any dt >= 0 and any stiffness are
/// stable, and the motion does not depend on the frame rate. The first step after creation or reset starts settled: a
/// body that comes on stage in mid-run steps through what leads up to that moment first (the clip's last second, 30 to
/// 60 steps, a few microseconds each), or what swings on from it is missing: all of it at first, a fifth after half a
/// second, 1% after one, on the heavy man. What is left after t seconds: exp( -2 pi frequency dampingRatio t ). A jump
/// of more than the body's size in one step, far above the recent speed, is taken for a teleport. Refused, and the body
/// keeps its last good state: joints and worlds that are not finite, that scale by more than 1e6 or stand beyond 1e9 m,
/// a world that is flat, a dt below 0, below 1e-9 s (but for 0) or above 1e6 s. Where what was taken comes to no number
/// all the same, springs and layers go back to the last good step (to rest, where that leads there again) and it is
/// counted (supBody_HealedCount).
SUP_API supResult supBody_Step( supBody* body, const supMat34* joints, supMat34 world, float dt );
/// Whether the flesh has come to rest where it is. While joints and world, gravity and wind stay what they are, steps
/// change nothing and may be left out.
SUP_API bool supBody_IsAtRest( const supBody* body );
/// Goes to rest: no elongation, no speed, no memory of earlier steps.
SUP_API void supBody_Reset( supBody* body );
/// The entity was moved from `from` to `to` without having travelled: elongations and speeds turn with it and no kick
/// comes of it. Matrices that a step would refuse change nothing.
SUP_API void supBody_Teleport( supBody* body, supMat34 from, supMat34 to );

// ---------------------------------------------------------------------------------------------------------------
// Output

/// Smooth skin, flesh and all layers above: tight arrays for all vertices of the character in the file's order, 3
/// floats each. `normals` may be NULL. Where no element has any elongation, and no layer has anything to do, the result
/// is the smooth skin, bit for bit. Runs in the widest instructions that the processor has, within 4e-7 of the model's
/// size of the plain reference. Thread-safe: any number of threads may skin; where the rig has layers above flesh
/// (supModel_ApplyingLayer), one at a time.
SUP_API void supBody_Skin( const supBody* body, float* positions, float* normals );
/// With strides, and tangents (float[4]). Streams as long as the character has vertices; normals and tangents may be
/// left out.
SUP_API supResult supBody_SkinStreams(
    const supBody* body, supOutStream positions, supOutStream normals, supOutStream tangents, supError* error );
/// In our own order (supModel_SkinOrder), one place after the other: a third faster than the file's. The arrays have
/// room for as many places.
SUP_API void supBody_SkinOrdered( const supBody* body, float* positions, float* normals );
/// The smooth skin alone, as if the body had no flesh.
SUP_API void supBody_SmoothSkin( const supBody* body, float* positions, float* normals );
/// Model-space matrices of the model's helper joints, in its order: for a file made by `bake --live`. No vertex work at
/// all. Modes have their part in it (one thread at a time, then); other layers above flesh have none.
SUP_API void supBody_HelperJoints( const supBody* body, supMat34* helpers );
/// Morph weights for the next skin, as supPose_MorphWeights gives them; NULL: the defaults. Copied. Weights that are
/// not finite, or beyond 1e6, change nothing.
SUP_API void supBody_SetMorphWeights( supBody* body, const float* weights );
SUP_API void supBody_SetSkinning( supBody* body, supSkinning method );
/// true: skins by the plain reference, in double precision, with the same bits on every machine. Bakes do. Default
/// false.
SUP_API void supBody_SetExact( supBody* body, bool exact );

// ---------------------------------------------------------------------------------------------------------------
// Elements, live

/// Numbers that may change while it runs: no jump, no reset.
typedef struct supElementTuning
{
    float frequency;    ///< Hertz, > 0
    float dampingRatio; ///< >= 0
    float amount;
    float sag;  ///< share of the thickness
    float mass; ///< kg, > 0
    float gravityScale;
    float airFriction; ///< 1/s, >= 0
    float limitScale;  ///< 0 to 1
} supElementTuning;

/// Air moving through the world. m/s. Felt by elements with air friction. Not finite, or beyond 1e6 m/s: no change.
SUP_API void supBody_SetWind( supBody* body, supVec3 wind );
/// World gravity. m/s^2. The rig's by default. Not finite, or beyond 1e6 m/s^2: no change.
SUP_API void supBody_SetGravity( supBody* body, supVec3 gravity );
/// A push in world space. N s. Not finite, or beyond 1e12 N s: none.
SUP_API void supBody_Push( supBody* body, int32_t element, supVec3 impulse );

/// A force on the skin during the next step, whatever that takes: a finger, a belt, a garment's contact. World space,
/// newtons; forces add up, and are gone after the step. Layers below that have mass (fat) feel it through the skin, at
/// their modelled size and mass; a vertex that none of them carries feels nothing. Refused, and nothing changes: a
/// vertex that is not there, numbers that are not finite or beyond 1e12 N, a rig without such a layer.
SUP_API supResult supBody_ForceAt( supBody* body, int32_t vertex, supVec3 force, supError* error );
/// The same force spread over the living skin around a point of the world, falling smoothly to nothing at `radius`
/// (metres): the shares of the vertices sum to one. Skins once. Refused too where there is no skin.
SUP_API supResult supBody_ForceAround( supBody* body, supVec3 point, float radius, supVec3 force, supError* error );

typedef struct supElementState
{
    supVec3 elongation; ///< as shown: within the limit. World space, metres
    supVec3 state;      ///< as the spring has it
    supVec3 velocity;   ///< of `state`. m/s
    supVec3 anchor;     ///< origin of the local frame, world space
    bool limited;       ///< the shown one is held back by more than 1%
} supElementState;

SUP_API supElementState supBody_Element( const supBody* body, int32_t element );
/// Steps so far in which an elongation was held back by the limit.
SUP_API int64_t supBody_LimitedCount( const supBody* body );
/// Steps so far that came to no number and went back to the last good state (supBody_Step).
SUP_API int64_t supBody_HealedCount( const supBody* body );
/// Steps since the last reset of which a layer left the end out, each layer's added up: the reference solver of fat,
/// where viscosity asks for more than 50,000 steps of its own in one. Its time then runs slower than the body's.
SUP_API int64_t supBody_CutCount( const supBody* body );

// ---------------------------------------------------------------------------------------------------------------
// Live edits by name, for hosts that show whatever fields there are

/// Changes one number of an item of any layer while it runs: a field whose table says `live` (any other: edit.h). No
/// jump, no reset.
/// Choices and switches are given as whole numbers, a number that is "not given" as NaN. Fields of objects in a list go
/// by their place in it: "points[2].free". Refuses numbers out of range and names the place:
/// `wrinkles[1].height: -3 is not in [0, 10]`. On an error nothing changes.
SUP_API supResult supBody_SetField(
    supBody* body, int32_t layer, int32_t item, const char* field, float value, supError* error );
/// NaN where there is no such live field.
SUP_API float supBody_Field( const supBody* body, int32_t layer, int32_t item, const char* field );
