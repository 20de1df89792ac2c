// Supple: what each layer tells the rest of the library about itself.
// SPDX-License-Identifier: MIT
//
// To add a layer is to add a folder with a supLayer of its own, and a line in rig/layer_list.h (docs/layers.md says it
// step by step). Everything else comes from that: JSON, schema, reference page, live edits,
// memory, time, skin, pictures, bakes.
//
//     rig      items, by the table        -> check, complete
//     model    items and a character      -> compile; touched: what it may move
//     body     pose, world, dt            -> step: private state and shown floats      (layers with a motion of their own)
//     skin     smooth skin and offsets    -> apply, layer by layer in the list's order
//     bake     the shown floats over time -> the same offsets, the same apply
//
// A layer with `offsets` need not apply: the skinning pass adds these in the same loop. Flesh is the one that has them.
#pragma once

#include "base/hash.h"
#include "base/math_double.h"
#include "layers/skin_offsets.h"
#include "solve/spring_step.h"
#include "supple/body.h"
#include "supple/draw.h"
#include "supple/lab/machine.h"
#include "supple/model.h"
#include "supple/rig.h"

/// A layer that stands before another one in the list, as that one sees it: what it was compiled to, what it shows. For
/// those that are made to work together (the écorché takes the muscles), in one folder or by a shared header.
typedef struct supEarlierLayer
{
    const struct supLayer* layer;
    const void* compiled;
    const float* shown; ///< in a frame; NULL when compiling
    const float* live;  ///< its live fields; the rig's when compiling
} supEarlierLayer;

/// What compiling may look at.
typedef struct supLayerContext
{
    const supCharacter* character;
    const supAllocator* allocator; ///< for what is compiled, and for all that is needed meanwhile
    supVec3 gravity;               ///< the rig's. World space, m/s^2
    int32_t elementCount;
    const supElementView* elements; ///< of the layer with offsets
    /// Vertices that the layers before this one may move, of the whole character, rising
    int32_t movedCount;
    const int32_t* moved;
    int32_t earlierCount; ///< layers before this one that the rig has items of
    const supEarlierLayer* earlier;
    struct supWatched* watched; ///< who is told how far it has come (base/watched.h), or NULL
} supLayerContext;

/// A surface inside the body, of a layer that has one, for those after it to stand on: rays from the bones to the skin,
/// and the place of the surface on each, as a share of the way. Model space at rest, metres; both ends of a ray are
/// carried by the skin's weights at the vertex that it ends on.
typedef struct supInnerBorder
{
    int32_t rayCount;
    const supVec3 *from, *way; ///< of each ray: its beginning, and from there to the skin
    const int32_t* vertices;   ///< of each ray: the character's vertex that it ends on
    const float* rest;         ///< of each ray: the surface's share of the way at rest
    int32_t triangleCount;
    const int32_t* triangles; ///< three rays a triangle, wound as seen from outside
} supInnerBorder;

/// What jumped since the last step, joint by joint: went elsewhere without having travelled. A layer answers the step
/// as if `withheld` of it were a jump, and the rest travel.
typedef struct supJointJumps
{
    /// Of the body as a whole, rigid, world space: from where it would be by now to where it is, as far as that is a
    /// jump. The body has carried the layers by it already (supLayerMotion.teleport)
    supMat34 motion;
    float whole; ///< how much of a jump this is for the body as a whole: 0 to 1
    /// All of it is a cut: elongations and their speeds go on relative to the joints, turned with them, as if these
    /// stood still, and the next step begins a path anew (as a first step does)
    bool forgets;
    const float* withheld; ///< one a joint: so much of its motion is not felt; it runs on as before in its place
    /// One a joint: so much of the change of speed that this step tells of is that of an earlier cut, and not felt
    const float* rebased;
    float other; ///< of `rebased`: of an earlier jump in which nothing was withheld, since it seemed to run on
} supJointJumps;

/// A moment, as a layer sees it. Model space, metres.
typedef struct supLayerFrame
{
    const supMat34* joints; ///< of every joint of the character
    const supMat34* palette;
    supSkinning skinning;
    const supVec3* elongations; ///< as they are shown, one an element
    /// The layer's live fields, item by item, each item's in the order of the table (supLayer_LiveCount of them); then
    /// those of the objects in the items' lists (supLayer_ReadListed)
    const float* live;
    int32_t itemCount;    ///< of the layer
    int32_t earlierCount; ///< the layers before this one, as when it was compiled; in a step they have been stepped
    const supEarlierLayer* earlier;

    // for step and adopt
    supMat34 world;          ///< where the entity stands
    const supMat34* inverse; ///< of the world
    float dt;                ///< seconds, >= 0
    supVec3 gravity, wind;
    supSimd simd; ///< the path that is to step; all have the same bits
    /// What jumped since the last step, or in the one before. NULL: nothing.
    const supJointJumps* jumps;

    // for apply and draw
    const supVec3* smooth; ///< the smooth skin of all vertices; NULL unless the layer `wantsSmooth`, or it draws
    /// supLayer.scratchSize bytes of the body's, aligned to 64; when it draws, four floats a vertex at least
    void* scratch;
} supLayerFrame;

/// A rigid motion of skin, in model space: x -> turn( x - pivot ) + pivot + shift.
typedef struct supSkinMotion
{
    supQuatd turn;
    supVec3d pivot, shift; ///< metres
} supSkinMotion;

/// One of the rigid motions between which a layer blends vertices (supLayerHelpers).
typedef struct supMotionView
{
    const char* name; ///< lives as long as what was compiled
    /// Whose elongation moves along with it, or -1: its vertices hand this much of the element's weight over
    int32_t element;
    bool turns;    ///< may turn; else its `turn` is always none
    supVec3 pivot; ///< at rest, model space
    int32_t count;
    const int32_t* vertices; ///< of the whole character, rising; all of them carry flesh
    const float* weights;    ///< above 0, at most 1
} supMotionView;

/// A spring whose anchor a joint carries.
typedef struct supSwingView
{
    int32_t joint;
    bool turns; ///< its anchor is the joint's orientation, radians from rest; else a place. Metres
    supMat34 fromRest;
    supVec3 lever; ///< of a place: the joint's linear part times this…
    float share;   ///< …and this much of the joint's own place
    supSpring spring;
    double gain;   ///< its acceleration for 1 m/s^2 of gravity
    bool relative; ///< only by what gravity has turned since rest
    double limit;  ///< the most that is shown: a smooth saturation. Infinity: none
    bool clamps;   ///< the elongation itself is cut off there
} supSwingView;

/// What became of a round of a cycle (supLayerLoop.end).
typedef struct supLoopReport
{
    double gap; ///< between its end and its start, as a share of the most that moved meanwhile
    /// A vibration without damping to speak of that the cycle drives at its own frequency, so that no start returns,
    /// Hz; 0: none
    float resonance;
} supLoopReport;

/// What a layer does not look at when it is compiled: with nothing else changed, it need not be compiled anew.
typedef enum supLayerIgnores
{
    sup_ignoresElements = 1, ///< supLayerContext.elements
    sup_ignoresMoved = 2,    ///< supLayerContext.moved
    /// supLayerContext.earlier, of which layers may only look at those with a `border` or with parts that tense
    sup_ignoresEarlier = 4,
} supLayerIgnores;

/// Layers with a motion of their own. NULL: the pose and the elongations say everything.
typedef struct supLayerMotion
{
    /// How many floats its shown state has: what is recorded along a clip and interpolated at any time. Free of the
    /// world's place and turn, so that cycles can close: in the frame of a joint, or model space at rest.
    int32_t ( *shownCount )( const void* compiled );
    size_t ( *stateSize )( const void* compiled ); ///< bytes of its private state, aligned to 64
    /// To rest: no motion, no memory of earlier steps. The state's bytes are zero when first called.
    void ( *reset )( const void* compiled, void* state, float* shown );
    /// Any dt >= 0 must be stable; the first step after a reset starts settled.
    void ( *step )( const void* compiled, void* state, const supLayerFrame* frame, float* shown );
    /// The entity was moved by `motion` without having travelled. May be NULL: a reset.
    void ( *teleport )( const void* compiled, void* state, supMat34 motion );
    /// Takes over what moves from another model's state, by the items' names. `frame`: of the last step. May be NULL.
    void ( *adopt )( const void* compiled, void* state, const supLayerFrame* frame, float* shown,
        const void* oldCompiled, const void* oldState, const float* oldShown );
    /// A force on the skin at a vertex during the next step. World space, newtons; several add up. `frame`: of the last
    /// step. NULL: it feels none.
    void ( *force )( const void* compiled, void* state, const supLayerFrame* frame, int32_t vertex, supVec3 force );
    /// Whether further steps with the same input would change nothing. NULL: always.
    bool ( *isAtRest )( const void* compiled, const void* state );
    /// Stands for a step of a body at rest whose input is what it was: only the time passes. May be NULL.
    void ( *idle )( const void* compiled, void* state, float dt );
    /// Of how many steps since the last reset it left the end out, where that asked for more work than there is time
    /// for. NULL: of none.
    int64_t ( *cutCount )( const void* compiled, const void* state );
    /// Live fields of an item were changed: whatever hangs on them is to be worked out again. May be NULL.
    void ( *tuned )( const void* compiled, void* state, const float* live, int32_t item );
    /// Live fields of an item that follow from one another. Of its `live` ones the field at this place was set; below
    /// 0: those that are not given are to be worked out. May be NULL: each stands for itself, and NaN for "not given".
    supResult ( *relate )( const void* compiled, int32_t item, int32_t field, float* live, supError* error );
    float takeRate; ///< steps a second when a clip is recorded; 0: 120

    // The body keeps the state of every good step, to go back to. All NULL: all of it, byte by byte.

    size_t ( *keptSize )( const void* compiled );
    void ( *keep )( const void* compiled, const void* state, void* kept );
    /// `tuned` is called for every item afterwards.
    void ( *restore )( const void* compiled, void* state, const void* kept );
    /// Whether what moves is numbers. NULL: what it shows says so.
    bool ( *isFinite )( const void* compiled, const void* state );
    /// Adds what moves to a hash. NULL: what it shows.
    void ( *hash )( const void* compiled, const void* state, supHash* hash );
} supLayerMotion;

/// Layers whose answer to a clip is linear in the state that they start with: a cycle is then solved for the start that
/// returns to itself (solve/linear_system.h). NULL where that is not so: cycles are run until they close.
typedef struct supLayerLoop
{
    /// Bytes that watching a round takes, aligned to 64. 0: it is not linear, as compiled.
    size_t ( *size )( const void* compiled );
    /// A round begins with this state.
    void ( *begin )( const void* compiled, const void* state, void* loop );
    /// A step of the round was taken: what it would have made of another start.
    void ( *step )( const void* compiled, const void* state, void* loop );
    /// The round ends: changes the state into that in which the next one is to begin. `turn`: by which the world was
    /// carried on meanwhile.
    supLoopReport ( *end )( const void* compiled, void* state, void* loop, const float* live, supMat34 turn );
} supLayerLoop;

/// Layers whose motion is nothing but springs on joints, three shown floats each: takes then have them in closed form,
/// exact at every time, and step nothing. NULL where that is not so.
typedef struct supLayerSwing
{
    /// One of shownCount / 3.
    supSwingView ( *view )( const void* compiled, int32_t index, const float* live );
    /// What is shown of its elongation `u`, which is in model space, with its joint there. NULL: `u` itself.
    supVec3 ( *shown )( const void* compiled, int32_t index, const float* live, supMat34 joint, supVec3d u );
} supLayerSwing;

/// Layers that do nothing but blend vertices linearly between rigid motions: skin += weight ( motion( smooth ) - smooth
/// ), summed. Helper joints can then hold them (rig/skin_motions.h). NULL where that is not so: such a layer needs
/// morphs.
typedef struct supLayerHelpers
{
    int32_t ( *count )( const void* compiled );
    supMotionView ( *view )( const void* compiled, int32_t index );
    /// All of them, at the pose and the shown floats of a moment. The elongations are not in them.
    void ( *at )( const void* compiled, const supMat34* joints, const float* shown, supSkinMotion* out );
} supLayerHelpers;

/// Parts of a layer that tense, for layers after it to stiffen with. NULL: none.
typedef struct supLayerTension
{
    int32_t ( *count )( const void* compiled );
    const char* ( *name )( const void* compiled, int32_t part );
    /// How far each point is from the surface of each part at rest, below 0 inside: all parts of the first point, then
    /// of the next. Model space, metres. False: no memory.
    bool ( *distances )( const supEarlierLayer* self, const supLayerContext* context, const supVec3* points,
        int32_t pointCount, float* out );
    /// How tense each part is in a frame: 0 to 1.
    void ( *tensions )( const supEarlierLayer* self, float* out );
} supLayerTension;

/// Offsets that the skinning pass adds by itself. The layer's shown floats begin with the elongations, three an
/// element, in model space. At most one layer of a model has them. NULL: it has none.
typedef struct supLayerOffsets
{
    const supSkinOffsets* ( *view )( const void* compiled );
    /// An element as it moves.
    supElementState ( *element )( const void* compiled, const void* state, int32_t element );
    /// A blow, in newton seconds: the speed changes at once.
    void ( *push )( const void* compiled, void* state, int32_t element, supVec3 impulse );
    /// How many elements were held by their limits, summed over all steps.
    int64_t ( *limitedCount )( const void* compiled, const void* state );
} supLayerOffsets;

/// What `--show` can draw of a layer. NULL: nothing.
typedef struct supLayerPictures
{
    const char* const* names; ///< NULL-terminated; the same as in rig/layer_list.h
    /// One of these names. `positions`: the living skin.
    void ( *draw )( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
        const supVec3* positions, const supDraw* draw );
} supLayerPictures;

/// What every layer has, and then what some have: a table each, or NULL. A layer without items is never called.
typedef struct supLayer
{
    supLayerInfo info;
    size_t nameOffset; ///< of the item's `const char* name`; no two items of a rig's layer have the same

    /// What the table cannot say: fields that need one another. `place` as in base/fields.h. May be NULL.
    supResult ( *check )( const void* item, const char* place, supError* error );
    /// Fills in what follows from other fields before the item is copied into a rig: the name. May be NULL.
    void ( *complete )( void* item );

    uint32_t ignores;  ///< supLayerIgnores
    float compileWork; ///< how long compiling takes, roughly, in terms of other layers; 0: 1
    /// Looks up names and works out all that does not move, into *out, to be destroyed by `destroy`. Errors begin with
    /// the place: `wrinkles[2].joint: …`. Both may be NULL: there is nothing to work out, and `compiled` is NULL.
    supResult ( *compile )(
        const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
    void ( *destroy )( void* compiled, const supAllocator* allocator );
    /// Vertices that it may move, of the whole character, rising. Gives how many.
    int32_t ( *touched )( const void* compiled, const int32_t** vertices );
    bool wantsSmooth; ///< apply reads frame->smooth
    /// Whether that is so of what was compiled. NULL: always.
    bool ( *readsSmooth )( const void* compiled );
    /// Bytes that apply needs beside, or NULL: none.
    size_t ( *scratchSize )( const void* compiled );

    /// Moves vertices of the skin as the layers before have left it. A function of frame and `shown` alone: the same
    /// bits for the same input. Where it has nothing to do it leaves positions as they are, bit for bit. Normals follow
    /// by themselves (layers/moved_surface.h). NULL: it only has `offsets`.
    void ( *apply )( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );

    const supLayerOffsets* offsets;
    const supLayerMotion* motion;
    const supLayerLoop* loop;
    const supLayerSwing* swing;
    const supLayerHelpers* helpers;
    const supLayerTension* tension;
    /// Its inner border, if it has one: then its shown floats begin with a share a ray. May be NULL.
    void ( *border )( const void* compiled, supInnerBorder* out );
    const supLayerPictures* pictures;
} supLayer;

/// The one of `earlier` that is this layer, or NULL: the rig has no items of it.
const supEarlierLayer* supFindEarlier( const supEarlierLayer* earlier, int32_t count, const supLayer* layer );

/// The item of another compiled layer whose state an item takes over: the one of its name, or else, where there are as
/// many of both, the one in its place whose name is gone. -1: none.
typedef const char* supItemNameOf( const void* compiled, int32_t item );
int32_t supFindAdopted(
    supItemNameOf* nameOf, const void* compiled, int32_t count, int32_t item, const void* old, int32_t oldCount );

/// Whether apply of what was compiled reads frame->smooth.
bool supLayer_ReadsSmooth( const supLayer* layer, const void* compiled );
/// How many of its fields may be changed while a body runs: floats, lengths, switches and choices with `live`.
int32_t supLayer_LiveCount( const supLayer* layer );
/// The place of a field among the live ones of its table, or -1.
int32_t supFindLiveIn( const supField* fields, int32_t count, const char* name );
/// The live fields of an item, in the order of the table.
void supLayer_ReadLive( const supLayer* layer, const void* item, float* live );

// Objects in lists of an item (points of a muscle) may have live fields too. These stand after those of all items: item
// by item, list by list in the order of the table, object by object, each with its live fields in the order of theirs.

/// How many of a table's fields are live numbers.
int32_t supTable_LiveCount( const supFieldTable* table );
/// Lists of objects that a layer's items have, live or not.
int32_t supLayer_ListCount( const supLayer* layer );
/// The field of one of them.
const supField* supLayer_List( const supLayer* layer, int32_t list );
/// Live fields of all objects in an item's lists, into `live` unless that is NULL. Gives how many.
int32_t supLayer_ReadListed( const supLayer* layer, const void* item, float* live );

// ---------------------------------------------------------------------------------------------------------------
// Names that rigs use for things of the character and of other layers, looked up; with words where there is no such
// thing.

/// "no joint "hips2"; did you mean "hips"?", with the place in the rig before it. `names`: those that there are.
supResult supNoName(
    const char* place, const char* kind, const char* name, const char* const* names, int32_t count, supError* error );

/// "name", or "name#7" for joint 7 where several have that name. -1: there is none.
int32_t supFindJointWords( const supCharacter* character, const char* words );
/// `wrinkles[2].joint: no joint "hips2"; did you mean "hips"?`. `place`: with the field.
supResult supNoJoint( const supCharacter* character, const char* place, const char* name, supError* error );

/// The place of a flesh element among the context's, or -1.
int32_t supFindElementNamed( const supLayerContext* context, const char* name );
supResult supNoElement( const supLayerContext* context, const char* place, const char* name, supError* error );

/// The mesh of that name, number `among` of those that have it; -1: there is none.
int32_t supFindMeshNamed( const supCharacter* character, const char* name, int32_t among );
/// Whether the character has a mesh of that name.
bool supHasMeshNamed( const supCharacter* character, const char* name );
supResult supNoMesh( const supCharacter* character, const char* place, const char* name, supError* error );
