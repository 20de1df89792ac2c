// Supple: baking: a model run over clips, and the result fitted to what files can hold. Plain arrays come out; hosts
// put them in their own kind of file.
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
    const supElementTuning* tunings; ///< one an element, or NULL: as `tunedAs` has them
    /// A body of the model: the fields of all layers as they are edited there (supBody_SetField), now. NULL: the
    /// model's
    const supBody* tunedAs;
    /// How far it has come, where layers are stepped; the stage is the clip's name. Of a cycle a guess: nobody knows
    /// how many rounds it takes to close
    supWatch watch;
    const supAllocator* allocator;
    int32_t cookie; ///< set by supDefaultTakeDef
} supTakeDef;

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
SUP_API void supDestroyTake( supTake* take );
SUP_API supTakeInfo supTake_Info( const supTake* take );
/// Elongations as they are shown, in model space, one an element, at any time of the clip (held outside). Exact: no
/// frames are involved. Allocates nothing, any thread.
SUP_API void supTake_Elongations( const supTake* take, double time, supVec3* elongations );
/// Puts a body of the same model where the take is at a time: pose, elongations, and what the layers above flesh show;
/// their live fields too, where the take was `tunedAs` a body.
/// `joints` are those of the clip at that time. The body is then skinned as ever. Refused, with no change, where joints
/// are not finite.
SUP_API supResult supTake_Show( const supTake* take, double time, const supMat34* joints, supBody* body );
/// Their speeds: what a curve needs for its tangents. m/s
SUP_API void supTake_Speeds( const supTake* take, double time, supVec3* speeds );

/// Vertices that came past their bone: behind the line of the virtual bone as seen from the side where they stand at
/// rest, that side turned along by the vertex's own blended matrix, by more than 1e-6 of the size. Each is counted
/// once, however many frames it is there.
typedef struct supPastBone
{
    int32_t living; ///< of the living skin
    int32_t smooth; ///< of the smooth skin alone, at the same times: a bent knee, a curled trunk
    int32_t
        rigid; ///< of the living skin, and bound to the driver alone: none, unless elements overlap and `u` is large
    int32_t frameCount; ///< times looked at, the clip's start and end among them
} supPastBone;

/// Looks at `fps` frames a second of the clip.
SUP_API supResult supTake_PastBone( const supTake* take, double fps, supPastBone* out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Layers above flesh: what each of them does, over a take

typedef struct supLayerReport
{
    int32_t itemCount;   ///< of the rig; 0: there is nothing of this layer
    int32_t vertexCount; ///< that it may move
    /// The most that it moves any vertex, beyond flesh and the layers before it. Metres
    float maxDisplacement;
    /// Of cycles: how far that was from closing, less the root's turn, before the rest was spread over the cycle: the
    /// largest difference of any vertex. Metres
    float seam;
    /// Of cycles that do not close since a vibration without damping to speak of swings a whole number of times in
    /// them, so that no start returns: its frequency. Hz; 0: none
    float resonance;
    /// Steps that the layer cut short (supBody_CutCount), each item's added up, and how many steps the take has.
    int32_t cutCount, stepCount;
} supLayerReport;

/// Looks at 33 moments. `layer`: above flesh, as in supGetLayerInfo.
SUP_API supResult supMeasureLayer( const supTake* take, int32_t layer, supLayerReport* out, supError* error );

typedef struct supModeReport
{
    const char* name; ///< lives as long as the model
    int32_t element;  ///< of the model, by index
    bool turns;
    int32_t vertexCount; ///< that it moves
    float largest;       ///< elongation that is shown. Metres; radians where it turns
} supModeReport;

/// One report an item of the rig's `modes`, over all takes.
SUP_API supResult supMeasureModes(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supModeReport* out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Clothes: what becomes of the rig's garments, over takes

typedef struct supClothesReport
{
    int32_t vertices;     ///< of garments that follow the skin
    int32_t moments;      ///< that were looked at
    int32_t insideSmooth; ///< vertices that smooth skin alone has inside the body at some moment
    int32_t newWithout;   ///< that are inside at a moment when smooth skin's are not, without the layer
    int32_t newWith;      ///< the same with it
} supClothesReport;

/// Looks at 17 moments of each take. Zeros where the rig has no clothes.
SUP_API supResult supMeasureClothes(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supClothesReport* out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Écorché: how well its rays hold on to its surface, over takes

typedef struct supEcorcheReport
{
    int32_t rays;     ///< in all; 0: the rig has no écorché
    int32_t followed; ///< near muscles
    int32_t outside;  ///< that stay on the skin, because muscles come far through it there at rest
    int32_t lost;     ///< the most that lost the surface in one frame and kept their last place
    float farthest;   ///< every other one has the surface within this, in every frame. Share of the size
    int32_t frames;   ///< that were looked at
} supEcorcheReport;

/// Looks at 60 frames a second of each take.
SUP_API supResult supMeasureEcorche(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supEcorcheReport* out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Volume: how well the rig's elements keep theirs, over takes

typedef struct supVolumeReport
{
    const char* name; ///< lives as long as the model
    /// The most that the volume between skin and bone differed from smooth skin's at the same moment, as a share of the
    /// element's volume: without the layer and with it
    float without, with;
} supVolumeReport;

/// One report an item of the rig's `volumes`, from 33 moments of each take.
SUP_API supResult supMeasureVolumes(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supVolumeReport* out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Wrinkles: how well folds keep the length of the rig's control lines, over takes

typedef struct supWrinkleReport
{
    const char* name; ///< lives as long as the model
    int32_t folds;
    float length; ///< of the line at rest. Metres
    /// Of the line's pieces, one a fold: the most that the surface beneath shortens any, and the most that a shortened
    /// one is off its length at rest with folds on it. Shares of that length
    float without, with;
    float stretched; ///< the most that folds change a piece that is not shortened, as a share of its length
} supWrinkleReport;

/// One report an item of the rig's `wrinkles`, from 33 moments of each take.
SUP_API supResult supMeasureWrinkles(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supWrinkleReport* out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Muscles: what becomes of them over takes

typedef struct supMuscleReport
{
    const char* name;        ///< lives as long as the model
    float restVolume;        ///< m^3; 0: a filler
    float shortest, longest; ///< of its line, as shares of its length at rest
    float volumeChange;      ///< the most, up or down, as a share of the volume at rest
    float contraction;       ///< the most
    int32_t cuts;            ///< the most segments of its line that pass through solid fields at a moment
    float deepest;           ///< how deep a vertex came into one, as a share of the field's smallest radius
} supMuscleReport;

/// One report an item of the rig's `muscles`, from 33 moments of each take.
SUP_API supResult supMeasureMuscles(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supMuscleReport* out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Contact: how much deeper flesh brings the body's parts into one another, over takes

typedef struct supContactReport
{
    float deepestSmooth;               ///< smooth skin's own overlap, where the living skin overlaps too. Metres
    float deepestWithout, deepestWith; ///< the most that flesh adds to smooth skin's own overlap. Metres
    double sumWithout, sumWith;        ///< the same, over all vertices and moments. Metres
} supContactReport;

/// From 17 moments of each take, on the skin itself: vertices that lie inside the surface of another part of the body,
/// and how far the closest point of that part is. Zeros where the rig has no contacts.
SUP_API supResult supMeasureContacts(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supContactReport* out, supError* error );

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
    const supTake* const* takes; ///< one a clip to bake; of this model
    /// At least this many keys a second; more are added where the tolerance asks for them. Default 30
    float fps;
    float tolerance; ///< largest error of any vertex between keys. Share of the size. Default 5e-4
    supKeyForm keys;
    /// 4: refitted where a vertex needs more; 8: exact, but where modes need even more. Default 4. Meshes that have
    /// more than 4 already get 8 in any case
    int32_t influences;
    /// No mixes beside the model's helpers: for files that a host drives with supBody_HelperJoints. Nothing is played
    /// between keys then, and errors are those at the keys
    bool modelHelpersOnly;
    const supTasks* tasks;                        ///< or NULL. The allocator is then called on its threads
    void ( *progress )( float done, void* user ); ///< 0 to 1, or NULL
    void* progressUser;
    const supAllocator* allocator;
    int32_t cookie;
} supJointBakeDef;

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
    /// influenceCount a vertex: an index into the mesh's skin's joints, or its joint count + helper (of the bake). A
    /// mesh without a skin counts as having one joint, its node
    const int32_t* joints;
    const float* weights; ///< influenceCount a vertex, sum 1, falling
} supBakedMesh;

/// Keys of one clip. All helpers share them.
typedef struct supBakedClip
{
    int32_t clip;
    int32_t keyCount;
    supKeyForm keys;
    const float* times; ///< seconds, strictly rising, the clip's start and end among them
    /// Translations of each helper in its parent joint's own space, keyCount * 3 floats a helper, one helper after the
    /// other; where cubic keyCount * 9: three values a key (in-tangent, value, out-tangent), as glTF has them.
    const float* translations;
    /// Rotations of the helpers that turn alone, in their order, as quaternions x, y, z, w: keyCount * 4 floats each,
    /// where cubic keyCount * 12. Players turn along the great circle between them
    const float* rotations;
    /// Of any vertex against the take, at the keys and at all times that were looked at (four a key at least). Metres
    float maxErrorAtKeys, maxError;
    float rmsError;      ///< over all vertices with flesh and all those times. Metres
    int32_t worstVertex; ///< where maxError is, of the whole character; -1: there is no flesh
    double worstTime;
    /// Of vertices with flesh and normals, which players skin by the new influences, and which do not turn with the
    /// flesh; at keys and between, the rms over one pose in twelve. Degrees
    float maxNormalError, rmsNormalError;
} supBakedClip;

SUP_API supResult supBakeJoints( const supJointBakeDef* def, supJointBake** out, supError* error );
SUP_API void supDestroyJointBake( supJointBake* bake );
/// The model's helpers in its order come first; mixes follow.
SUP_API int32_t supJointBake_HelperCount( const supJointBake* bake );
/// How many of them turn.
SUP_API int32_t supJointBake_TurningCount( const supJointBake* bake );
SUP_API supBakedHelper supJointBake_Helper( const supJointBake* bake, int32_t helper );
SUP_API supBakedMesh supJointBake_Mesh( const supJointBake* bake, int32_t mesh );
SUP_API int32_t supJointBake_ClipCount( const supJointBake* bake );
SUP_API supBakedClip supJointBake_Clip( const supJointBake* bake, int32_t index );
/// A hash of a clip's times, translations and rotations: the same on every machine for the same input.
SUP_API uint64_t supJointBake_ClipHash( const supJointBake* bake, int32_t index );
/// Vertices that needed more influences than there is room for, and the largest error that refitting left.
SUP_API int32_t supJointBake_RefittedCount( const supJointBake* bake );
SUP_API float supJointBake_RefitError( const supJointBake* bake );
/// The largest jump of that error along any edge: a crease, if it were large. Metres
SUP_API float supJointBake_RefitEdgeJump( const supJointBake* bake );

// ---------------------------------------------------------------------------------------------------------------
// Morphs: the living skin as the fewest morph targets, for any layer

/// What moves the skin. For layers of a host's own; both functions are called on any threads.
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
    const supTake* const* takes; ///< one a clip to bake; of this model
    /// Frames a second that the targets are found from; keys stand where the tolerance asks for them. Default 30
    float fps;
    /// Largest error of any vertex, at keys and between. Share of the size. Default 5e-4
    float tolerance;
    bool normals;                                 ///< normals of the targets too. Default true
    const supMorphSource* source;                 ///< NULL: all layers of the model, as the takes have them
    const supTasks* tasks;                        ///< or NULL
    void ( *progress )( float done, void* user ); ///< 0 to 1, or NULL
    void* progressUser;
    const supAllocator* allocator; ///< called from the tasks' threads too
    int32_t cookie;                ///< set by supDefaultMorphBakeDef
} supMorphBakeDef;

SUP_API supMorphBakeDef supDefaultMorphBakeDef( void );

typedef struct supMorphBake supMorphBake;

/// Meshes shown by one joint (node) share their weights, and so their targets.
typedef struct supMorphGroup
{
    int32_t joint;
    int32_t targetCount; ///< new ones; they come after those that the meshes have
} supMorphGroup;

/// What one target does to one mesh: vertices that are not listed do not move. The last target is on in all of every
/// clip, so that the others' weights go from 0 to 1 (not all players take others).
typedef struct supMorphTarget
{
    int32_t count;
    const int32_t* vertices; ///< of the mesh, rising
    const float* positions;  ///< 3 a vertex, as the mesh's own positions: before skinning
    int32_t normalCount;
    const int32_t* normalVertices; ///< of the mesh, rising
    const float* normals;          ///< 3 a vertex
} supMorphTarget;

/// Weights of a group over one clip, interpolated linearly.
typedef struct supMorphKeys
{
    int32_t keyCount;
    const float* times;   ///< seconds, strictly rising, the clip's start and end among them
    const float* weights; ///< targetCount a key, from 0 to 1; of the last target 1
} supMorphKeys;

/// How far the baked skin is from the living one, over one clip.
typedef struct supMorphErrors
{
    int32_t clip;
    float maxErrorAtKeys, maxError; ///< of any vertex, at the keys and at all times that were looked at. Metres
    float rmsError;                 ///< over all vertices that may move and all those times. Metres
    int32_t worstVertex;            ///< where maxError is, of the whole character; -1: nothing moves
    double worstTime;
    /// Of vertices that may move and have normals, at keys and between. Degrees; where no normals are baked, players
    /// use those of the mesh
    float maxNormalError, rmsNormalError;
} supMorphErrors;

/// Displacements of the living from the smooth skin, taken back to the rest pose through each vertex's own blended
/// matrix (past a condition of 10 without its flat directions), reduced to principal components; as many as
/// it takes for the largest error under the forward skinning to hold the tolerance. Where the skinning flattens skin so
/// that no target can, the errors say so. The same bits for any tasks.
SUP_API supResult supBakeMorphs( const supMorphBakeDef* def, supMorphBake** out, supError* error );
SUP_API void supDestroyMorphBake( supMorphBake* bake );
SUP_API int32_t supMorphBake_GroupCount( const supMorphBake* bake );
SUP_API supMorphGroup supMorphBake_Group( const supMorphBake* bake, int32_t group );
/// -1: nothing of the mesh moves, nor of its siblings
SUP_API int32_t supMorphBake_FindGroup( const supMorphBake* bake, int32_t mesh );
SUP_API supMorphTarget supMorphBake_Target( const supMorphBake* bake, int32_t mesh, int32_t target );
SUP_API int32_t supMorphBake_ClipCount( const supMorphBake* bake );
SUP_API supMorphKeys supMorphBake_Keys( const supMorphBake* bake, int32_t group, int32_t clip );
SUP_API supMorphErrors supMorphBake_Errors( const supMorphBake* bake, int32_t clip );
/// Of a clip's weights and of all targets: the same on every machine.
SUP_API uint64_t supMorphBake_ClipHash( const supMorphBake* bake, int32_t clip );
