// Supple: baking plays clips on a model and fits the result to what files can hold. Plain arrays come out, which hosts
// put into their own kind of file.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"
#include "supple/body.h"
#include "supple/model.h"

// ---------------------------------------------------------------------------------------------------------------
// Takes: one clip, simulated. Flesh and modes are exact at every time, so that the frame rate of what is made of it
// does not matter; other layers that move by themselves are stepped at a fine rate of their own, whatever is made of
// it.

typedef struct supTake supTake;

typedef enum supLoop
{
    /// Cyclic if the pose, less root motion, closes within 1e-3 of the size; within 6% if the clip's name says so
    /// (walk, run, idle, loop…). Not where its name says that it plays once (jump, hit, punch, kick, shoot, death…)
    sup_loopAuto = 0,
    sup_loopOn = 1,
    sup_loopOff = 2,
} supLoop;

/// How a clip that does not loop ends.
typedef enum supEnds
{
    sup_endsFree = 0, ///< as the motion leaves it
    /// Flesh and modes are brought smoothly to where gravity alone would hold them, over the last half second
    sup_endsRest = 1,
} supEnds;

typedef struct supTakeDef
{
    const supModel* model;
    int32_t clip;
    supLoop loop;
    supEnds ends;
    const supElementTuning* tunings; ///< one for each element, or NULL: as `tunedAs` has them
    /// A body of the model: the fields of all layers as they are edited there (supBody_SetField), now. NULL: the
    /// model's
    const supBody* tunedAs;
    /// Told how far it has come, where layers are stepped; the stage is the clip's name. For a cycle this is a guess,
    /// since nobody knows how many rounds it takes to close
    supWatch watch;
    const supAllocator* allocator;
    int32_t cookie; ///< set by supDefaultTakeDef
} supTakeDef;

/// The first clip, no model yet.
SUP_API supTakeDef supDefaultTakeDef( void );

typedef struct supTakeInfo
{
    double start, end; ///< seconds, of the clip
    bool loops;        ///< was taken for a cycle
    bool isOnceByName; ///< closes, but was not taken for one since its name says that it plays once
    /// How far the pose is from closing, less root motion: the farthest vertex of the meshes that carry flesh. Metres
    float poseGap;
    /// How far the flesh is from closing, less the root's turn: the largest difference of any vertex's displacement.
    /// Metres
    float seam;
    float maxDisplacement; ///< of any vertex, by flesh alone. Metres
    /// Path nodes, of all elements together, at which the elongation was held back by the limit
    int32_t limited;
    int32_t nodeCount; ///< of the longest of the anchors' paths
    /// Layers above flesh that are stepped (modes are not: they close as flesh does): how often a cycle was run until
    /// it closed (fat and curves are solved for the start that returns to itself, so three or four rounds do), and how
    /// far it then was from closing, of the layer that is farthest, as a share of the most that this one moves. What
    /// was left is spread over the cycle
    int32_t layerRounds;
    float layerGap;
} supTakeInfo;

/// Simulates a clip. The anchors' paths are smooth curves through the clip's own keys; a cycle is solved for the start
/// that returns to itself, root motion and turn included; other clips begin settled. Refused where a layer is to be
/// stepped and the clip lasts so long that its times cannot be in seconds.
SUP_API supResult supCreateTake( const supTakeDef* def, supTake** out, supError* error );
/// NULL is passed over.
SUP_API void supDestroyTake( supTake* take );
/// What came of it.
SUP_API supTakeInfo supTake_Info( const supTake* take );
/// Puts a body of the same model where the take is at a time: pose, elongations, and what the layers above flesh show;
/// their live fields too, where the take was `tunedAs` a body.
/// `joints` are those of the clip at that time. The body is then skinned as ever. Refused, with no change, where joints
/// are not finite.
SUP_API supResult supTake_Show( const supTake* take, double time, const supMat34* joints, supBody* body );

// ---------------------------------------------------------------------------------------------------------------
// Joints: the living skin as linear blend skinning with helper joints

typedef enum supKeyForm
{
    sup_keysLinear = 0,
    sup_keysCubic = 1, ///< with exact tangents
} supKeyForm;

typedef struct supJointBakeDef
{
    const supModel* model;
    int32_t takeCount;
    const supTake* const* takes; ///< one for each clip to bake; of this model
    /// At least this many keys per second; more are added where the tolerance asks for them. Default 30
    float fps;
    float tolerance; ///< largest error of any vertex between keys. Share of the size. Default 5e-4
    supKeyForm keys;
    /// 4: refitted where a vertex needs more; 8: exact, but where modes need even more. Default 4. Meshes that have
    /// more than 4 already get 8 in any case
    int32_t influences;
    /// No mixes beside the model's helpers: for files that a host drives with supBody_HelperJoints. Nothing is played
    /// between keys then, and errors are those at the keys
    bool modelHelpersOnly;
    const supTasks* tasks; ///< or NULL. The allocator is then called on its threads
    /// Told how far it has come, on the calling thread; may end it. With tasks, all keys are one step
    supWatch watch;
    const supAllocator* allocator;
    int32_t cookie;
} supJointBakeDef;

/// Thirty keys per second, four influences, no model yet.
SUP_API supJointBakeDef supDefaultJointBakeDef( void );

typedef struct supJointBake supJointBake;

/// A helper joint to be added: a child of `joint`, without scale, and without rotation when still. Its inverse bind
/// matrix is the joint's, moved by -place.
typedef struct supBakedHelper
{
    int32_t joint; ///< of the character
    /// Whose elongation it adds; -1: none (a mode's alone), or a mix of several, made for vertices that have no room
    /// for one helper each
    int32_t element;
    bool turns;    ///< it has rotations too
    supVec3 place; ///< where it stands when still, in the joint's own space; zero where it does not turn
} supBakedHelper;

/// New influences of one mesh, for all its vertices.
typedef struct supBakedMesh
{
    int32_t mesh;
    bool changed;           ///< false: no vertex of it carries flesh, the rest is empty
    int32_t influenceCount; ///< 4 or 8; 4 wherever that is enough
    /// influenceCount per vertex: an index into the mesh's skin's joints, or its joint count + helper (of the bake). A
    /// mesh without a skin counts as having one joint, its node
    const int32_t* joints;
    const float* weights; ///< influenceCount per vertex, sum 1, falling
} supBakedMesh;

/// Keys of one clip. All helpers share them.
typedef struct supBakedClip
{
    int32_t clip;
    int32_t keyCount;
    supKeyForm keys;
    const float* times; ///< seconds, strictly rising, the clip's start and end among them
    /// Translations of each helper in its parent joint's own space, keyCount * 3 floats per helper, one helper after
    /// the other; where cubic keyCount * 9: three values per key (in-tangent, value, out-tangent), as glTF has them.
    const float* translations;
    /// Rotations of the helpers that turn alone, in their order, as quaternions x, y, z, w: keyCount * 4 floats each,
    /// where cubic keyCount * 12. Players turn along the great circle between them
    const float* rotations;
    /// The largest error of any vertex against the take: at the keys, and at all times that were looked at (four a key
    /// at least). Metres
    float maxErrorAtKeys, maxError;
    float rmsError;      ///< over all vertices with flesh and all those times. Metres
    int32_t worstVertex; ///< where maxError is, of the whole character; -1: there is no flesh
    double worstTime;
    /// How far normals of vertices with flesh are off, at keys and between; the rms is over one pose in twelve. Players
    /// skin them by the new influences, and they do not turn with the flesh. Degrees
    float maxNormalError, rmsNormalError;
} supBakedClip;

/// Fits takes to helper joints, keys and influences; without takes there are no keys, for hosts that drive the helpers
/// themselves. The caller destroys the bake; the model must outlive it. Any tasks give the same bits. Refuses a
/// def that supDefaultJointBakeDef did not make, numbers out of range, and takes of another model.
SUP_API supResult supBakeJoints( const supJointBakeDef* def, supJointBake** out, supError* error );
/// NULL is passed over.
SUP_API void supDestroyJointBake( supJointBake* bake );
/// What a bake as joints has found.
typedef struct supJointBakeInfo
{
    int32_t helperCount; ///< helper joints: the model's in its order, then mixes
    const supBakedHelper* helpers;
    int32_t turningCount; ///< how many of them turn
    int32_t meshCount;    ///< of the character
    const supBakedMesh* meshes;
    int32_t clipCount; ///< one for each take
    const supBakedClip* clips;
    int32_t refittedCount; ///< vertices that needed more influences than there is room for
    float refitError;      ///< the largest error that refitting left. Metres
    float refitEdgeJump;   ///< the largest jump of that error along any edge: a crease, if it were large. Metres
} supJointBakeInfo;

/// What was found. Never NULL, and lives as long as the bake. Any number of threads may read it.
SUP_API const supJointBakeInfo* supJointBake_Info( const supJointBake* bake );

// ---------------------------------------------------------------------------------------------------------------
// Morphs: the living skin as the fewest morph targets, for any layer

/// What moves the skin, for layers of a host's own. Both functions are called on any thread.
typedef struct supMorphSource
{
    int32_t vertexCount;
    const int32_t* vertices; ///< that may move at all, of the whole character, rising
    /// Living less smooth skin of each of them, model space. Metres. `joints`: of the pose at that time
    void ( *moves )( int32_t take, double time, const supMat34* joints, supVec3* moves, void* user );
    /// Their living normals, model space, unit length; NULL: no normals are baked
    void ( *normals )( int32_t take, double time, const supMat34* joints, supVec3* normals, void* user );
    void* user;
} supMorphSource;

typedef struct supMorphBakeDef
{
    const supModel* model;
    int32_t takeCount;
    const supTake* const* takes; ///< one for each clip to bake; of this model
    /// Frames a second that the targets are found from; keys stand where the tolerance asks for them. Default 30
    float fps;
    /// Largest error of any vertex, at keys and between. Share of the size. Default 5e-4
    float tolerance;
    bool normals;                  ///< normals of the targets too. Default true
    const supMorphSource* source;  ///< NULL: all layers of the model, as the takes have them
    const supTasks* tasks;         ///< or NULL
    supWatch watch;                ///< told how far it has come, on the calling thread; may end it
    const supAllocator* allocator; ///< called from the tasks' threads too
    int32_t cookie;                ///< set by supDefaultMorphBakeDef
} supMorphBakeDef;

/// Thirty frames per second, normals, no model yet.
SUP_API supMorphBakeDef supDefaultMorphBakeDef( void );

typedef struct supMorphBake supMorphBake;

/// What one target does to one mesh: vertices that are not listed do not move. The last target is on in all of every
/// clip, so that the others' weights go from 0 to 1 (not all players take others).
typedef struct supMorphTarget
{
    int32_t count;
    const int32_t* vertices; ///< of the mesh, rising
    const float* positions;  ///< 3 per vertex, as the mesh's own positions: before skinning
    int32_t normalCount;
    const int32_t* normalVertices; ///< of the mesh, rising
    const float* normals;          ///< 3 per vertex
} supMorphTarget;

/// Weights of a group over one clip, interpolated linearly.
typedef struct supMorphKeys
{
    int32_t keyCount;
    const float* times;   ///< seconds, strictly rising, the clip's start and end among them
    const float* weights; ///< targetCount per key, from 0 to 1; of the last target 1
} supMorphKeys;

/// Meshes shown by one joint (node) share their weights, and so their targets.
typedef struct supMorphGroup
{
    int32_t joint;
    int32_t targetCount;      ///< new ones; they come after those that the meshes have
    const supMorphKeys* keys; ///< one for each clip
} supMorphGroup;

/// What the targets do to one mesh.
typedef struct supMorphMesh
{
    int32_t group;                 ///< that it belongs to; -1: nothing of it moves, nor of its siblings
    const supMorphTarget* targets; ///< the group's targetCount of them
} supMorphMesh;

/// How far the baked skin is from the living one, over one clip.
typedef struct supMorphErrors
{
    int32_t clip;
    float maxErrorAtKeys, maxError; ///< of any vertex, at the keys and at all times that were looked at. Metres
    float rmsError;                 ///< over all vertices that may move and all those times. Metres
    int32_t worstVertex;            ///< where maxError is, of the whole character; -1: nothing moves
    double worstTime;
    /// How far normals of vertices that may move are off, at keys and between; where no normals are baked, players use
    /// those of the mesh. Degrees
    float maxNormalError, rmsNormalError;
} supMorphErrors;

/// Fits takes to morph targets. The displacements of the living from the smooth skin are taken back to the rest pose
/// through each vertex's own blended matrix (past a condition of 10 without its flat directions), and reduced to
/// principal components. There are as many of these as it takes for the largest error under the forward skinning to
/// hold the tolerance. Where the skinning flattens skin so that no target can hold it, the errors say so. Any tasks
/// give the same bits.
SUP_API supResult supBakeMorphs( const supMorphBakeDef* def, supMorphBake** out, supError* error );
/// NULL is passed over.
SUP_API void supDestroyMorphBake( supMorphBake* bake );
/// What a bake as morphs has found.
typedef struct supMorphBakeInfo
{
    int32_t groupCount;
    const supMorphGroup* groups;
    int32_t meshCount; ///< of the character
    const supMorphMesh* meshes;
    int32_t clipCount; ///< one for each take
    const supMorphErrors* errors;
} supMorphBakeInfo;

/// What was found. Never NULL, and lives as long as the bake. Any number of threads may read it.
SUP_API const supMorphBakeInfo* supMorphBake_Info( const supMorphBake* bake );
