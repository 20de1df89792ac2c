// What a body is made of: one block, sized when the model is known.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "body/body_layers.h"
#include "body/skin_kernel.h"
#include "layers/layer.h"
#include "rig/model_data.h"
#include "supple/body.h"
#include "supple/lab/machine.h"
#include "supple/lab/profile.h"

// ---------------------------------------------------------------------------------------------------------------
// Whether an entity was put elsewhere without a word: which of its joints jumped, how far that is sure, and by what.

/// Where a body was at its last step, and how it moved.
typedef struct supJumps
{
    bool started;
    supJumpReason announced; ///< the host has said that the next pose is a cut, or sup_jumpNone
    bool inClip;             ///< a take is made: only jumps beyond the body's size are jumps
    supVec3 place;           ///< mean of the joints, world space
    supVec3 velocity;        ///< of it. m/s
    /// The joints' motions from rest, summed, at the last step: only where the pose has been changed since
    supMat34 posture;
    bool hasPosture;
    supMat34 before;  ///< where the world was a step before body->world: how it goes
    bool waits;       ///< something may be pending
    float lastSpan;   ///< of the last step that took time. Seconds
    float gained;     ///< in the last step, on the whole. Metres
    float sure;       ///< that this was a jump: 0 to 1
    float cutAnyway;  ///< how far the step is a cut whatever the poses say: announced, or a hitch
    float ranOn;      ///< how much of the last step was taken for the same motion, elsewhere: the next one tells
    float lively;     ///< the most that speeds have changed by in a step of late. Sizes a second
    float isNew;      ///< since the start or a cut: nobody knows yet how lively it is. 1 to 0
    float unknown;    ///< how much of the last jump was one after which nobody knows the speeds
    supJumpView view; ///< what the host is told

    // a place beside each joint, so that turns are seen too: x, y, z rows of `count` each
    int32_t count;
    float* places;
    float* velocities;
    float* moves;     ///< scratch: of this step
    float* lastMoves; ///< of the step before, where that may have been a jump
    float* gains;     ///< scratch: one a joint
    float* squares;   ///< scratch: of what each is off from what its speed before explains
    float* levers;    ///< how far beside, in lengths of the joint's axes
    float* watched;   ///< 1: skin hangs on it; 0: it may stay behind when the body moves on, as a mesh's node does
    float watchedCount;
    float* withheld; ///< one a joint, as supJointJumps has them
    float* rebased;
    float* pending; ///< what of the last jumps waits for the new speeds, one a joint
} supJumps;

/// Its arrays in the body's block.
void supPlaceJumps( supJumps* jumps, const supCharacter* character, supLayout* layout );
/// When they are there and zero, as all else of it.
void supInitJumps( supJumps* jumps, const supCharacter* character );

/// To be called before the pose changes without a step.
void supJumps_KeepPosture( supBody* body );
/// Before the pose of a step is taken: notes where the body is now. True: some joint has jumped, now or in the step
/// before, as `out` says.
bool supJumps_Notice( supBody* body, const supMat34* joints, supMat34 world, float dt, supJointJumps* out );
void supJumps_Reset( supJumps* jumps );
void supJumps_Teleport( supJumps* jumps, supMat34 motion );
/// All but the arrays.
void supJumps_Restore( supJumps* jumps, const supJumps* from );
/// Takes over where another body of the same character was.
void supJumps_Adopt( supJumps* jumps, const supJumps* from );

// ---------------------------------------------------------------------------------------------------------------
// What a body takes from its host, and the state that it goes back to where a step came to no number.

// Finite numbers that are far beyond any stage overflow when they are squared and multiplied: refused as NaN is.
#define SUP_MOST_SCALE 1e6f   ///< of the linear part of a joint or a world
#define SUP_MOST_PLACE 1e9f   ///< of a joint or a world, from its origin. Metres
#define SUP_MOST_BACK 1e12f   ///< of the inverse of a world's linear part
#define SUP_LEAST_STEP 1e-9f  ///< but for 0. Seconds
#define SUP_MOST_STEP 1e6f    ///< eleven days. Seconds
#define SUP_MOST_SPEED 1e6f   ///< of wind. m/s
#define SUP_MOST_GRAVITY 1e6f ///< m/s^2
#define SUP_MOST_FORCE 1e12f  ///< newtons, newton seconds

/// All that a step changes, as the last good one left it.
typedef struct supKeptState
{
    char* states; ///< of the layers, one after the other, each aligned to 64
    float* shown; ///< by them
    supJumps jumps;
} supKeptState;

/// Its arrays in the body's block.
void supPlaceKept( supKeptState* kept, const supModel* model, supLayout* layout );

bool supIsSaneVec3( supVec3 v, float most );
/// Finite, and within SUP_MOST_SCALE and SUP_MOST_PLACE.
bool supAreSaneMats( const supMat34* mats, size_t count );
/// The same, and not flat: what is shown in it comes back within SUP_MOST_BACK, by `inverse`.
bool supIsSaneWorld( const supMat34* world, supMat34* inverse );
/// Of morph targets: finite, and within SUP_MOST_SCALE.
bool supAreSaneWeights( const float* weights, size_t count );
/// 0, or between SUP_LEAST_STEP and SUP_MOST_STEP.
bool supIsSaneStep( float dt );

/// Keeps the state as it is now.
void supBody_Keep( supBody* body );
/// After a step: keeps the state where all of it is finite; else goes back to the one that was kept, or to rest where
/// that comes to no number again, and counts it.
void supBody_Heal( supBody* body );

// ---------------------------------------------------------------------------------------------------------------
// The body itself.

struct supBody
{
    const supModel* model;
    supAllocator allocator; ///< that gave the block, where the body owns it
    bool ownsBlock;
    size_t blockSize;
    supSkinning skinning;
    bool exact; ///< skins by the reference
    supSimd simd;

    supMat34* joints; ///< of the last good step, model space
    supMat34* palette;
    supDualJoint* duals; ///< the palette once more, kept up to date under sup_skinningDualQuaternion alone
    float* morphWeights;
    supMat34 world;        ///< of the last good step
    supVec3 gravity, wind; ///< that the next step feels. World space, m/s^2 and m/s
    supVec3* shown;        ///< elongations in model space, one an element; NULL: there are none
    supJumps jumps;
    supBodyStack layers;
    supProfile* profile; ///< or NULL

    supKeptState kept;   ///< of the last good step
    bool wasHealed;      ///< the last step went back to it
    int64_t healedCount; ///< steps that did
};

/// Makes a body in a block of at least supBody_MemorySize( model ) bytes, aligned to 64. It does not own the block.
supResult supInitBody( void* block, size_t size, const supModel* model, supBody** out, supError* error );
/// Keeps a pose that is finite and not absurd; what is shown stays. supBody_Show without elongations.
supResult supBody_Pose( supBody* body, const supMat34* joints );
/// supBody_Step without a look at what comes of it.
supResult supBody_Advance( supBody* body, const supMat34* joints, supMat34 world, float dt );

/// How many steps so far the limit has held an elongation back (body_fields.c).
int64_t supBody_LimitedSteps( const supBody* body );

/// The host's clock, or 0 where nobody wants to know.
static inline double supBodyClock( const supBody* body )
{
    return body->profile != NULL ? body->profile->clock( body->profile->user ) : 0.0;
}

/// Adds the time since `start` to a layer's.
static inline void supProfileLayer( const supBody* body, int32_t layer, double start )
{
    if ( body->profile != NULL && layer < SUP_PROFILE_LAYERS )
    {
        body->profile->layers[layer] += supBodyClock( body ) - start;
    }
}
