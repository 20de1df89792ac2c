// Supple: a rig from any skinned character, found automatically.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"
#include "supple/character.h"
#include "supple/rig.h"

typedef enum supPreset
{
    sup_presetSubtle = 0,
    sup_presetNatural = 1,
    sup_presetHeavy = 2,
    sup_presetCartoon = 3,
} supPreset;

// ---------------------------------------------------------------------------------------------------------------
// What a body is

typedef enum supBodyKind
{
    sup_bodyHuman = 0,  ///< stands on two legs, with two arms: people, and what is built like them
    sup_bodyQuadruped,  ///< a lying trunk on four legs
    sup_bodyBiped,      ///< a lying trunk on two legs, with a tail: dinosaurs, birds
    sup_bodyFish,       ///< swims: a trunk that tapers to a fin
    sup_bodySnake,      ///< a long tube without limbs
    sup_bodyManyLegged, ///< three pairs of legs and more
    sup_bodyBlob,       ///< anything else that is soft
    sup_bodyMachine,    ///< made of hard pieces: carries nothing
    sup_bodyKindCount,
} supBodyKind;

/// One cue, and what it says.
typedef struct supEvidence
{
    const char* about; ///< "kind", "front" or "up"
    const char* cue;   ///< "toes", "knees", "names"…
    char says[40];     ///< a kind, or a direction
    /// How much it counts; negative where it speaks against the verdict
    float weight;
} supEvidence;

enum
{
    supMostEvidence = 32,
};

/// What was read off a body at rest. Directions are unit vectors in model space.
typedef struct supBodyReading
{
    supBodyKind kind;
    supVec3 front, up; ///< at right angles
    supVec3 left;      ///< up x front: where the body's own left is
    float confidence;  ///< 0 to 1: how far the cues of the front, the hardest of the verdicts, agree
    int32_t evidenceCount;
    supEvidence evidence[supMostEvidence];
} supBodyReading;

// ---------------------------------------------------------------------------------------------------------------
// Regions

/// What a joint's skin was taken for, and so what became of it; and what an element is.
typedef enum supRegion
{
    sup_regionNone = 0, ///< no skin to speak of: root, IK, pole and end joints
    // these carry flesh
    sup_regionBelly,
    sup_regionBreast,
    sup_regionBottom,
    sup_regionThigh,
    sup_regionCalf,
    sup_regionUpperArm,
    sup_regionForearm,
    sup_regionCheek,
    sup_regionChin,
    sup_regionDewlap,
    sup_regionHump,
    sup_regionRump,
    sup_regionUdder,
    sup_regionSide,
    sup_regionAbdomen, ///< of insects and spiders
    sup_regionBody,    ///< all around a bone of a snake, a blob, or what no plan fits
    // these are left alone
    sup_regionExtremity, ///< hands, feet, fingers
    sup_regionHead,      ///< head, neck, ears, horns
    sup_regionTail,
    sup_regionFin,   ///< fins and wings
    sup_regionHard,  ///< plates, helmets, machines
    sup_regionOther, ///< props, hands by themselves, what something else swings already
    sup_regionCount,
} supRegion;

typedef enum supSide
{
    sup_sideMiddle = 0,
    sup_sideLeft,
    sup_sideRight,
} supSide;

// ---------------------------------------------------------------------------------------------------------------
// Words: what files, options and reports call these

typedef enum supWords
{
    sup_wordsPreset = 0, ///< of supPreset: "natural"
    sup_wordsBodyKind,   ///< of supBodyKind: "many-legged"
    sup_wordsRegion,     ///< of supRegion: "upperArm"
    sup_wordsSide,       ///< of supSide: "left"
} supWords;

/// The word for a value. It lives for ever. NULL where there is no such value, so that all can be listed from 0 on.
SUP_API const char* supWordFor( supWords words, int32_t value );
/// The value for a word. Of regions only those that carry flesh are found, in singular and plural: "belly", "breasts",
/// "upper-arm". Fails with sup_errorNotFound, and says which words there are.
SUP_API supResult supFindWord( supWords words, const char* word, int32_t* out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// The rig

/// One element of a proposed rig, and why it is as it is.
typedef struct supProposedElement
{
    const char* name;
    supRegion region;
    supSide side;
    supVec3 center; ///< of its weights at rest, model space
    supVec3 origin; ///< the point of its driver's bone nearest to that
    float ceiling;  ///< where the limiter holds its elongation. Share of the thickness
    float typical;  ///< its elongation in ordinary motion of the clip that is taken for it: the liveliest walk or run,
                    ///< else the quietest clip in which it moves. Share of the thickness; 0 without clips
    float peak;     ///< the largest that is shown over all clips
    int32_t typicalClip; ///< the clip that `typical` is of; -1 without clips
    int32_t peakClip;    ///< the clip that `peak` is of; -1 without clips
} supProposedElement;

/// Why the rig is as it is: the body, one entry for each element, and one verdict for each joint.
typedef struct supProposal
{
    supBodyReading body;
    int32_t elementCount;
    int32_t jointCount;
    const supProposedElement* elements;
    const supRegion* regions; ///< one for each joint
    const int32_t* carriers;  ///< one for each joint: the first element that takes its skin, or -1
    /// One for each joint: the share of its surface that is hard and carries no flesh: pieces such as plates, belts and
    /// pistons, and materials that are hard by their names, such as armour
    const float* hardShares;
    const bool* unwanted;   ///< one a joint: an element took its skin that `regions` or `sides` left out
    int32_t hardCount;      ///< hard pieces in all
    float hardShare;        ///< of all skinned surface
    supAllocator allocator; ///< that made it
    size_t blockSize;
} supProposal;

/// The rig that came with it lives on. NULL is passed over.
SUP_API void supDestroyProposal( supProposal* proposal );

/// What to find, and what is known already.
typedef struct supProposeDef
{
    supPreset preset;
    int32_t kind;  ///< supBodyKind, where it is known; -1: read off the body
    supVec3 front; ///< where it is known; zero: read off the body
    supVec3 up;
    /// Times the amount of each region (and its sag). 0: none of it. Default 1
    float regions[sup_regionCount];
    /// Times that for one side of a region alone, by supSide. Default 1
    float sides[3][sup_regionCount];
    /// Clips that typical motion is taken from; NULL: all of the file's
    const int32_t* clips;
    int32_t clipCount;
    /// Looks at clips side by side: the same rig for any tasks. NULL: one after the other
    const supTasks* tasks;
    const supAllocator* allocator; ///< called on the tasks' threads
    int32_t cookie;                ///< set by supDefaultProposeDef
} supProposeDef;

/// The natural preset, all clips, everything that is found.
SUP_API supProposeDef supDefaultProposeDef( void );

/// Reads a body by evidence: the shape of skeleton and skin, its symmetry, how it moves in its clips, and the names of
/// its joints. Costs far less than a rig. `def` may be NULL.
SUP_API supResult supReadBody(
    const supCharacter* character, const supProposeDef* def, supBodyReading* out, supError* error );

/// Finds the regions that carry flesh, and gives them believable frequencies, damping and amounts by region, thickness
/// and ordinary motion in the file's clips; the limit of every element stands at its region's ceiling. Only machines
/// and props get an empty rig. `def` and `proposal` may be NULL. The caller destroys rig and proposal.
SUP_API supResult supProposeRigWith(
    const supCharacter* character, const supProposeDef* def, supRig** out, supProposal** proposal, supError* error );

/// The same with nothing but a preset to choose.
SUP_API supResult supProposeRig( const supCharacter* character, supPreset preset, supRig** out, supError* error );

/// What became of supProposeMuscles.
typedef struct supMuscleProposal
{
    int32_t count; ///< muscles added
    bool byNames;  ///< the skeleton was recognised by its joints' names, else by its shape
} supMuscleProposal;

/// Adds the major superficial muscles of a human to a rig, both sides, and an écorché that carries them to the skin:
/// origins and insertions as fractions of bones, scaled to the skin around them. On a skeleton that is not a human's
/// (by the usual names, or by shape), or under a skin that is mostly rigid pieces, it fails with sup_errorData and says
/// why; so it does on a rig that has muscles already. `proposal` may be NULL.
SUP_API supResult supProposeMuscles(
    const supCharacter* character, const supMakeDef* def, supRig* rig, supMuscleProposal* proposal, supError* error );

/// Adds fat to a rig: of the trunk and the upper limbs, or of all skin where there is no trunk with limbs. It lies on
/// the écorché where the rig has one, else on the bones' own shape. Hard pieces of the skin carry none. A body that is
/// mostly meshes without a skin, such as a machine's plates, is refused with sup_errorData and a reason. A rig that has
/// flesh elements too would swing twice where both are.
SUP_API supResult supProposeFat( const supCharacter* character, const supMakeDef* def, supRig* rig, supError* error );
