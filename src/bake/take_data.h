// What a take is made of.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/anchor_path.h"
#include "body/body_data.h"
#include "rig/model_data.h"
#include "rig/stack.h"
#include "supple/bake.h"

/// A spring, per unit of mass: u'' + friction u' + stiffness u = ...
typedef struct supTakeSpring
{
    double own;       ///< the spring's own damping, 2 zeta omega. 1/s
    double friction;  ///< own + the air's. 1/s
    double stiffness; ///< omega^2. 1/s^2
    double amount;
    double limit; ///< the most that is shown. Metres
    bool clamps;  ///< the paper's limit: put back at every node
} supTakeSpring;

/// What layers show, at even times from start to end. Nothing where none of them is stepped.
typedef struct supLayerTake
{
    int32_t floatCount; ///< of all layers together
    int32_t nodeCount;
    float* values; ///< nodeCount x floatCount
    /// Of a cycle, of each float: by how much its end was past its start before what was left of that was spread over
    /// the nodes; then the resonance of each layer. Hz
    float* gaps;
    int32_t cuts[SUP_MOST_LAYERS]; ///< of each layer: steps that it cut short
    int32_t liveCount;
    float* live; ///< live fields of all layers, one after the other; NULL: the model's
} supLayerTake;

/// A spring of a layer that is nothing but springs.
typedef struct supTakeSwing
{
    int32_t layer; ///< on the model's stack
    int32_t index; ///< of the layer's springs
    int32_t place; ///< of its three floats among those that all layers show
    int32_t joint; ///< that carries its anchor
    const float* live;
    supTakeSpring spring;
    supAnchorPath path;
} supTakeSwing;

struct supTake
{
    supAllocator allocator;
    const supModel* model;
    int32_t clip;
    supEnds ends;
    supRootMotion root;
    supTakeInfo info;
    int32_t elementCount;
    int32_t swingCount, swingRoom;
    supTakeSwing* swings; ///< of layers in closed form: first those of the elements, one each
    supLayerTake layers;  ///< of those that are stepped
    size_t blockSize;
};

/// Fills in the state at every node of the path: solved for the start that returns to itself, or settled. Gives how
/// many nodes were limited.
int32_t supSolveTakeSpring( const supTakeSpring* spring, supAnchorPath* path, const supRootMotion* root );
/// Elongation and its speed at a time, as the spring has them.
void supTakeSpringAt(
    const supTakeSpring* spring, const supAnchorPath* path, double time, supVec3d* elongation, supVec3d* speed );
/// Within the limit, as it is shown; `speed` is carried along where not NULL.
supVec3d supShowElongation( const supTakeSpring* spring, supVec3d u, supVec3d* speed );

/// Refuses clips of more frames at `fps` a second than any file should have: times that are not in seconds.
supResult supCheckFrames( const supModel* model, int32_t clip, double fps, supError* error );

/// Refuses takes of another model, and clips that at `fps` frames a second have more of them than any file should.
supResult supCheckTakes(
    const supModel* model, const supTake* const* takes, int32_t count, double fps, supError* error );

/// The elongation of a spring at a time, within its limit, held outside; its speed too unless `speed` is NULL. Model
/// space, double. The first are the elements: as supTake_Elongations and supTake_Speeds.
supVec3d supTakeSwingState( const supTake* take, int32_t swing, double time, supVec3d* speed );

// ---------------------------------------------------------------------------------------------------------------
// Layers that are nothing but springs on joints, along a clip: in closed form.

/// Whether the layer's shown floats are such springs: nothing of it is stepped.
bool supIsSwings( const supStackLayer* entry );
/// What a spring shows at a time of the clip, held outside. `joints`: of the pose at that time.
supVec3 supTakeSwingAt( const supTake* take, int32_t swing, double time, const supMat34* joints );
/// All of them, each in its place among the shown floats of all layers.
void supTakeSwings( const supTake* take, double time, const supMat34* joints, float* shown );

// ---------------------------------------------------------------------------------------------------------------
// Whether a clip is a cycle, and how the root moves on from one to the next.

/// Whether the words of a clip's name say that it is a cycle: walk, run, idle, loop… and not that it starts or stops
/// one.
bool supNameSaysLoop( const char* name );
/// Whether they say that it plays once: death, jump, hit…, or, where no word says that it is a cycle, punch, kick,
/// shoot…
bool supNameSaysOnce( const char* name );

/// Writes `isOnceByName` and `poseGap` of *info.
supResult supFindLoop( const supModel* model, int32_t clip, supLoop loop, const supAllocator* allocator,
    supRootMotion* out, supTakeInfo* info, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Layers with a motion of their own, along a clip: their shown floats, recorded.

/// Runs the layers of the take's model along its clip, with the take's own elongations, on a body at rest. A take that
/// loops is run until its end returns to its start. Nothing to do, and nothing allocated, where no layer is stepped.
supResult supRecordLayers( supTake* take, supBody* body, supWatched* watched, supError* error );
/// Gives a body at rest the live fields that another one has.
void supCopyLiveFields( supBody* body, const supBody* from );
/// Keeps the live fields of a body's layers with the take.
supResult supKeepLiveFields( supTake* take, const supBody* body, supError* error );
/// And gives them to another body.
void supShowLiveFields( const supTake* take, supBody* body );
void supDropLayers( supTake* take );
/// The shown floats of all layers at a time of the clip, held outside: exact for those in closed form, a cubic through
/// the four nodes around it for those that are stepped. `joints`: of the pose at that time.
void supTakeLayers( const supTake* take, double time, const supMat34* joints, float* shown );
/// Adds what a layer on the stack lacked at the start, or had too much at the end, of a cycle before the rest of its
/// gap was spread over it. `shown`: of all layers.
void supOpenLayerGap( const supTake* take, int32_t layer, bool end, float* shown );
/// supLoopReport.resonance of a layer on the stack, where it keeps the cycle from closing. Hz; 0: none
float supLayerResonance( const supTake* take, int32_t layer );

// ---------------------------------------------------------------------------------------------------------------
// Cycles of layers that are stepped, round after round until they close.

/// Whether a layer of the model's stack is stepped along a take.
bool supIsStepped( const supStackLayer* entry );

/// Fills the take's layers, which have room for their nodes. `body`: at rest. `watched`, or NULL, may stop
/// it: sup_errorCanceled, without words.
supResult supRunRounds( supTake* take, supBody* body, supPose* pose, supWatched* watched, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// The skin over takes, without one layer and with it: what reports compare.

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
