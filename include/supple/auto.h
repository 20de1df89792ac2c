// Supple: a rig from any skinned character, without a word from the user.
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

/// What a joint's skin was taken for, and so what became of it.
typedef enum supRegion
{
    sup_regionNone = 0,  ///< no skin to speak of: root, IK, pole and end joints
    sup_regionTrunk,     ///< carries flesh: belly, and chest and bottom where there are any
    sup_regionUpperLimb, ///< carries flesh all around its bone
    sup_regionLowerLimb, ///< carries a little, if it is thick
    sup_regionExtremity, ///< hands, feet, fingers: left alone
    sup_regionHead,      ///< head, neck, ears, horns: left alone
    sup_regionTail,      ///< left alone
    sup_regionOther,     ///< not part of a trunk with limbs: props, hands by themselves, machines; left alone
} supRegion;

SUP_API const char* supRegionName( supRegion region );                                ///< "upper limb"
SUP_API supResult supFindPreset( const char* name, supPreset* out, supError* error ); ///< "natural"
SUP_API const char* const* supPresetNames( void );                                    ///< NULL-terminated

/// One element of a proposed rig, and what tamed it.
typedef struct supProposedElement
{
    const char* name;
    supRegion region;
    float ceiling;     ///< what the elongation may peak at over the clips. Share of the thickness
    float firstAmount; ///< the region's own amount in this preset, before the clips were seen
    float firstPeak;   ///< what that would have given. Share of the thickness; 0 without clips
    float peak;        ///< what it is now
    int32_t firstClip; ///< where the first peak is, on this side or the other: the clip that tamed it; -1 without clips
    int32_t worstClip; ///< where the peak is now; -1 without clips
} supProposedElement;

/// Why the rig is as it is: one entry an element, and one verdict a joint.
typedef struct supProposal
{
    int32_t elementCount;
    int32_t jointCount;
    const supProposedElement* elements;
    const supRegion* regions; ///< one a joint
    const int32_t* carriers;  ///< one a joint: the element that its skin mostly belongs to, or -1
    /// One a joint: the share of its surface that is made of hard pieces, which carry no flesh: plates, belts, pistons
    const float* hardShares;
    int32_t hardCount;      ///< hard pieces in all
    float hardShare;        ///< of all skinned surface
    supAllocator allocator; ///< that made it
    size_t blockSize;
} supProposal;

SUP_API void supDestroyProposal( supProposal* proposal );

/// Finds the regions that carry flesh by the shape of skeleton and skin alone (names play no part), gives them
/// believable frequencies and damping by region and thickness, and lowers `amount` until the peaks over the file's
/// clips stay under a ceiling: in `natural` 25% of the thickness where flesh hangs off one side of the bone, 10% around
/// upper limbs, 4% around lower ones. Ceilings, not targets: amounts only ever go down. A character without a trunk and
/// limbs gets an empty rig. `proposal` may be NULL.
SUP_API supResult supProposeRig( const supCharacter* character, supPreset preset, const supAllocator* allocator,
    supRig** out, supProposal** proposal, supError* error );

/// The same with more to choose.
typedef struct supProposeDef
{
    supPreset preset;
    /// Clips that amounts are lowered by; NULL: all of the file's. One that is not among these may peak above the
    /// ceilings
    const int32_t* clips;
    int32_t clipCount;
    /// Looks at clips side by side: the same rig for any tasks. NULL: one after the other
    const supTasks* tasks;
    const supAllocator* allocator; ///< called on the tasks' threads
    int32_t cookie;                ///< set by supDefaultProposeDef
} supProposeDef;

SUP_API supProposeDef supDefaultProposeDef( void ); ///< natural, all clips
SUP_API supResult supProposeRigWith(
    const supCharacter* character, const supProposeDef* def, supRig** out, supProposal** proposal, supError* error );

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
SUP_API supResult supProposeMuscles( const supCharacter* character, const supAllocator* allocator, supRig* rig,
    supMuscleProposal* proposal, supError* error );

/// Adds fat to a rig: of the trunk and the upper limbs, or of all skin where there is no trunk with limbs. It stands on
/// the écorché where the rig has one, else on the bones' own shape. Hard pieces of the skin carry none; a body most of
/// which are meshes without a skin, a machine's plates, is refused with sup_errorData, which says so. A rig that has
/// flesh elements too would swing twice where both are.
SUP_API supResult supProposeFat(
    const supCharacter* character, const supAllocator* allocator, supRig* rig, supError* error );
