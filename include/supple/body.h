// Supple: a body is one character on stage: the state that moves. Nothing is allocated after it is made.
// SPDX-License-Identifier: MIT
//
// This is the whole of it, with supple/io.h for files and supple/auto.h for the rig; docs/embedding.md has a program:
//
//     supLoadGltf( "fox.glb", &character, &error );                                         // or supCreateCharacter
//     supProposeRig( character, sup_presetNatural, &rig, &error );                          // or supReadRig
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

/// Makes a body with the model's allocator. The model must outlive it; destroy it with supDestroyBody.
SUP_API supResult supCreateBody( const supModel* model, supBody** out, supError* error );

typedef struct supBodyDef
{
    const supModel* model;         ///< outlives the body. Required
    const supAllocator* allocator; ///< copied; NULL: the model's
    /// A block of the caller's own to put the body into, aligned to 64 bytes; no allocator is called then. The caller
    /// releases it after supDestroyBody. NULL: the allocator gives one
    void* block;
    size_t blockSize; ///< bytes of `block`: at least supBody_MemorySize( model )
    int32_t cookie;   ///< set by supDefaultBodyDef
} supBodyDef;

/// The model's allocator, and no model yet.
SUP_API supBodyDef supDefaultBodyDef( void );
/// The same with memory of the host's own. Refuses a def that supDefaultBodyDef did not make, and a block that is too
/// small or not aligned.
SUP_API supResult supCreateBodyWith( const supBodyDef* def, supBody** out, supError* error );
/// The bytes that a body of this model takes.
SUP_API size_t supBody_MemorySize( const supModel* model );
/// NULL is passed over.
SUP_API void supDestroyBody( supBody* body );

// ---------------------------------------------------------------------------------------------------------------
// Time

/// Moves on by `dt` seconds, to where the joints are now. `joints` are in model space, one for each joint of the
/// character. `world` says where the character stands: model space to world space (rotation, uniform scale,
/// translation).
///
/// Springs are stepped in closed form: any dt >= 0 and any stiffness are stable. Between two poses nobody knows the
/// path of the bones; a smooth one is taken. What that costs at low frame rates, docs/embedding.md tells;
/// supBody_StepPath takes more poses.
///
/// Motion that no living body could make is not felt: a wrap of root motion, a cut to another clip, a chain that pops,
/// a hitch (supBody_Counts says what was found). A dt below 0 is a clip that is wound back: the pose is taken, no time
/// passes, and the flesh keeps its shape.
///
/// The first step after creation or reset starts settled. A body that appears in mid-run should first step through
/// what leads up to that moment (the clip's last second, 30 to 60 steps, a few microseconds each). Otherwise the
/// swing from before is missing; after t seconds, exp( -2 pi frequency dampingRatio t ) of it still is. On the heavy
/// man that is a fifth after half a second, and 1% after one.
///
/// A step is refused, and the body keeps its last good state, for joints and worlds that are not finite, scale by
/// more than 1e6 or are beyond 1e9 m, for a flat world, and for a dt nearer to 0 than 1e-9 s (except 0) or beyond 1e6
/// s. If a step that was taken still gives no number, springs and layers go back to the last good step (or to rest,
/// where that leads there again), and this is counted (supBody_Counts).
SUP_API supResult supBody_Step( supBody* body, const supMat34* joints, supMat34 world, float dt );
/// A step that is told more about.
typedef struct supStepDef
{
    /// How many poses there are on the way, the last of them that of now. At least 1. They stand at equal times: with
    /// two, the first is half of dt old.
    int32_t poseCount;
    const supMat34* const* poses; ///< joints of each, as supBody_Step takes them
    const supMat34* worlds;       ///< one a pose; NULL: the body stands where it stood
    float dt;                     ///< seconds, of all of it
    bool cut;                     ///< as supBody_Cut: the first pose has nothing to do with the last step
} supStepDef;
/// The same along several poses, for hosts that draw less often than they animate. Two poses for a step of 1/30 s give
/// what two steps of 1/60 s give. Stops at the first pose that is refused.
SUP_API supResult supBody_StepPath( supBody* body, const supStepDef* def );
/// Tells the body that the next pose has nothing to do with the last one: another clip, a ragdoll that is switched on.
/// What the flesh does, relative to its bones, then dies away as it would, and what the new clip does comes on top of
/// it, from its second pose on. Where the motion goes on elsewhere, supBody_Teleport keeps more of it.
SUP_API void supBody_Cut( supBody* body );
/// Whether the flesh has come to rest. While joints, world, gravity and wind stay the same, steps change nothing and
/// may be left out.
SUP_API bool supBody_IsAtRest( const supBody* body );
/// Puts the body to rest: no elongation, no speed, no memory of earlier steps.
SUP_API void supBody_Reset( supBody* body );
/// Tells the body that it was moved from `from` to `to` without travelling: elongations and speeds turn with it, and
/// there is no kick, and nothing of the motion is lost: the best answer to a wrap of root motion. Matrices that a step
/// would refuse change nothing.
SUP_API void supBody_Teleport( supBody* body, supMat34 from, supMat34 to );

// ---------------------------------------------------------------------------------------------------------------
// Output

/// Writes the skin with flesh and all layers: tight arrays for all vertices of the character in the file's order, 3
/// floats each, in model space. `normals` may be NULL. Where no element has any elongation and no layer has anything
/// to do, the result is the smooth skin, bit for bit. It uses the widest instructions that the processor has, and is
/// within 4e-7 of the model's size of the plain reference.
///
/// Any number of threads may skin a body at once; where the rig has layers above flesh (`applyingLayer` of
/// supModel_Info), one at a time.
SUP_API void supBody_Skin( const supBody* body, float* positions, float* normals );
/// The same with strides, and with tangents (float[4]). Streams have as many items as the character has vertices;
/// normals and tangents may be left out.
SUP_API supResult supBody_SkinStreams(
    const supBody* body, supOutStream positions, supOutStream normals, supOutStream tangents, supError* error );
/// The same in the model's own order (supModel_SkinOrder), which is a third faster than the file's. The arrays have
/// room for as many places as supModel_SkinOrder gives.
SUP_API void supBody_SkinOrdered( const supBody* body, float* positions, float* normals );
/// Writes the smooth skin alone, as if the body had no flesh.
SUP_API void supBody_SmoothSkin( const supBody* body, float* positions, float* normals );
/// Writes the model-space matrices of the model's helper joints, in its order, for a file made by `bake --live`. It
/// does no vertex work at all. They carry flesh and modes (with modes, one thread at a time); other layers are not in
/// them.
SUP_API void supBody_HelperJoints( const supBody* body, supMat34* helpers );
/// Sets the morph weights for the next skin, as supPose_MorphWeights gives them; NULL sets the defaults. They are
/// copied. Weights that are not finite, or beyond 1e6, change nothing.
SUP_API void supBody_SetMorphWeights( supBody* body, const float* weights );
/// Sets how joints share a vertex from the next skin on. Default sup_skinningLinear.
SUP_API void supBody_SetSkinning( supBody* body, supSkinning method );
/// Whether to skin by the plain reference: in double precision, with the same bits on every machine, as bakes do.
/// Default false.
SUP_API void supBody_SetExact( supBody* body, bool exact );

// ---------------------------------------------------------------------------------------------------------------
// Elements, live

/// Numbers of an element that may change while it runs, without a jump or a reset.
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

/// Sets the wind in world space, in m/s. Elements with air friction feel it. A wind that is not finite, or beyond 1e6
/// m/s, changes nothing.
SUP_API void supBody_SetWind( supBody* body, supVec3 wind );
/// Sets gravity in world space, in m/s^2; the rig's by default. A gravity that is not finite, or beyond 1e6 m/s^2,
/// changes nothing.
SUP_API void supBody_SetGravity( supBody* body, supVec3 gravity );
/// Pushes an element with an impulse in world space, in N s. One that is not finite, or beyond 1e12 N s, does
/// nothing.
SUP_API void supBody_Push( supBody* body, int32_t element, supVec3 impulse );

/// Presses on a vertex of the skin during the next step, however long that is: a finger, a belt, the contact of a
/// garment. The force is in world space, in newtons. Forces add up, and are gone after the step. Layers with mass
/// (fat) feel it through the skin, at their modelled size and mass; a vertex that none of them carries feels nothing.
/// Refused, with no change: a vertex that does not exist, numbers that are not finite or beyond 1e12 N, and a rig
/// without such a layer.
SUP_API supResult supBody_ForceAt( supBody* body, int32_t vertex, supVec3 force, supError* error );
/// Spreads a force over the living skin around a point of the world. It falls smoothly to nothing at `radius`
/// (metres), and the shares of the vertices sum to one. This skins the body once. Refused too where there is no skin
/// within the radius.
SUP_API supResult supBody_ForceAround( supBody* body, supVec3 point, float radius, supVec3 force, supError* error );

typedef struct supElementState
{
    supVec3 elongation; ///< as shown: within the limit. World space, metres
    supVec3 state;      ///< as the spring has it
    supVec3 velocity;   ///< of `state`. m/s
    supVec3 anchor;     ///< origin of the local frame, world space
    float limit;        ///< the most that is shown, before the world's scale. Metres
    bool limited;       ///< the shown one is held back by more than 1%
} supElementState;

/// Where an element is after the last step.
SUP_API supElementState supBody_Element( const supBody* body, int32_t element );
/// Why a step was taken for a jump.
typedef enum supJumpReason
{
    sup_jumpNone,
    sup_jumpAnnounced, ///< supBody_Cut, or supStepDef.cut
    sup_jumpBackwards, ///< a dt below 0
    sup_jumpMoved,     ///< the body is elsewhere or turned, in the pose that it had: it runs on from there
    sup_jumpCut,       ///< the pose is another one
    sup_jumpHitch,     ///< a step above 0.125 s, and many times longer than the one before
    sup_jumpJoints,    ///< only some joints jumped, `joint` the farthest
} supJumpReason;
/// What a body has taken for jumps.
typedef struct supJumpView
{
    int64_t count;        ///< steps since the body was made that were jumps, by half or more
    supJumpReason reason; ///< of the last of them
    float share;          ///< how much of it was withheld from the flesh: 0.5 to 1
    int32_t joint;        ///< of sup_jumpJoints; else -1
} supJumpView;
/// How often something went otherwise than asked.
typedef struct supBodyCounts
{
    int64_t limited; ///< steps so far in which the limit held an elongation back
    int64_t healed;  ///< steps so far that gave no number and went back to the last good state (supBody_Step)
    /// Steps since the last reset that a layer cut short, summed over the layers. The reference solver of fat does so
    /// where viscosity asks for more than 50,000 of its own steps in one; its time then runs slower than the body's
    int64_t cut;
    supJumpView jumps; ///< steps that were taken for jumps, and why
} supBodyCounts;

/// The counts as they are now.
SUP_API supBodyCounts supBody_Counts( const supBody* body );

// ---------------------------------------------------------------------------------------------------------------
// Live edits by name, for hosts that show whatever fields there are

/// Changes one number of an item of any layer while it runs, without a jump or a reset. The field's table must call
/// it `live`; edit.h changes any other. Choices and switches are given as whole numbers, and NaN means "not given".
/// Fields of objects in a list are named by their place: "points[2].free". Numbers out of range are refused with the
/// place, `wrinkles[1].height: -3 is not in [0, 10]`, and then nothing changes.
SUP_API supResult supBody_SetField(
    supBody* body, int32_t layer, int32_t item, const char* field, float value, supError* error );
/// The value of such a field now; NaN where there is no such live field.
SUP_API float supBody_Field( const supBody* body, int32_t layer, int32_t item, const char* field );

// ---------------------------------------------------------------------------------------------------------------
// What there is to see

/// Draws one thing by name, "muscles" for example, as the body stands now. False: no layer knows it, or there is no
/// memory. Muscles and écorchés keep their triangles, so that a host may make a mesh of them once and move it then.
SUP_API bool supBody_Draw( const supBody* body, const char* what, const supDraw* draw );
/// The names that the layers know, NULL-terminated.
SUP_API const char* const* supBody_DrawNames( void );
