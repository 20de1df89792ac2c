// Supple: a character before it is one: a field, a skeleton, paint, and motions, all formulas.
// SPDX-License-Identifier: MIT
#pragma once

#include "creatures/mesher.h"
#include "creatures/solid.h"

#define SUP_MAX_DRAFT_JOINTS 40

/// At rest every joint stands unturned, so a posture's turns are about the character's own axes.
typedef struct supDraftJoint
{
    const char* name;
    int32_t parent; ///< before this one, or -1
    supVec3d place; ///< at rest, in the character. Metres
    supVec3d start; ///< its bone, which skin is bound to: the joint itself unless said otherwise
    supVec3d tip;   ///< where its bone ends
    bool bone;      ///< carries skin
    double girth;   ///< of the flesh about its bone, roughly: nearness is counted from there. Metres
    int32_t twin;   ///< the joint on the other side, or itself
} supDraftJoint;

/// Where the joints are at a moment: what a clip's keys hold.
typedef struct supPosture
{
    supQuatd turns[SUP_MAX_DRAFT_JOINTS];  ///< local
    supVec3d shifts[SUP_MAX_DRAFT_JOINTS]; ///< local, added to the rest's offset from the parent
    // Worked out by supPosture_Update.
    supQuatd facing[SUP_MAX_DRAFT_JOINTS]; ///< in the character
    supVec3d places[SUP_MAX_DRAFT_JOINTS];
} supPosture;

typedef struct supDraft supDraft;

/// Fills in a posture that was at rest. `phase`: 0 at the clip's first key, 1 at its last.
typedef void supPostureFormula( const supDraft* draft, double phase, supPosture* posture );

typedef struct supDraftClip
{
    const char* name;
    int32_t frames; ///< at SUP_CREATURE_FPS; keys are one more
    bool loops; ///< the last key is the first one again, but for the first joint (the root), which may have moved on
    supPostureFormula* formula;
} supDraftClip;

#define SUP_CREATURE_FPS 30

/// The colour of a place on the skin, linear, 0 to 1.
typedef supVec3d supPaintFormula( supVec3d place );
/// Where a place on the left half lies in the picture: x to the right and y up, 0 to 1. Continuous.
typedef supVec3d supUnfoldFormula( supVec3d place );

/// Where a place of the rest shape goes in another shape.
typedef supVec3d supShapeFormula( supVec3d place );

struct supDraft
{
    const char* name;
    supSolid field;
    double cell;         ///< of the grid that the field is first meshed on
    int32_t vertexCount; ///< exactly
    double openness;     ///< reach of the shading in creases; 0: none
    supPaintFormula* paint;
    supUnfoldFormula* unfold;
    int32_t textureWidth, textureHeight; ///< pixels
    double roughness;
    int32_t jointCount;
    supDraftJoint joints[SUP_MAX_DRAFT_JOINTS];
    int32_t clipCount;
    const supDraftClip* clips;
    int32_t shapeCount; ///< morph targets
    supShapeFormula* const* shapes;
};

/// Adds a joint; gives its index. Its bone ends at `tip`.
int32_t supDraft_Joint( supDraft* draft, const char* name, int32_t parent, supVec3d place, supVec3d tip );
/// Adds "name.L" on the left and "name.R", its mirror image; gives the left one's index, the right one's is one more.
/// `names`: both. The parent is either on the plane, or the left one of a pair.
int32_t supDraft_JointPair( supDraft* draft, const char* const names[2], int32_t parent, supVec3d place, supVec3d tip );
/// Says where the bone itself lies, and how thick its flesh is; of a pair, both.
void supDraft_Bone( supDraft* draft, int32_t joint, supVec3d start, supVec3d tip, double girth );

/// Everything at rest.
void supPosture_Rest( supPosture* posture, const supDraft* draft );
/// Works out where the joints from `first` on are and face.
void supPosture_Update( supPosture* posture, const supDraft* draft, int32_t first );

/// The built-in characters' formulas.
void supDraftMushroom( supDraft* draft );
void supDraftCat( supDraft* draft );
void supDraftWoman( supDraft* draft );
void supDraftArm( supDraft* draft );
void supDraftFinger( supDraft* draft );
void supDraftLeg( supDraft* draft );
void supDraftHorse( supDraft* draft );
void supDraftTorso( supDraft* draft );
