// A rig being sketched: elements and what they were meant for, before the clips have been seen.
// SPDX-License-Identifier: MIT
#pragma once

#include "auto/body_plan.h"
#include "supple/auto.h"
#include "supple/model.h"

enum
{
    supMostElements = 64,
    supMostNames = 64,
    supMostKeys = 6,
    supMostSkipped = 16,   ///< materials
    supNumberLetters = 16, ///< of "#" and a joint's number
};

typedef struct supSketchNames
{
    int32_t count;
    int32_t joints[supMostNames];
    const char* names[supMostNames];
} supSketchNames;

typedef struct supSketchElement
{
    supElementDef def; ///< names point into the character and the sketch
    supRegion region;
    supSide side;
    int32_t driver;
    int32_t mirror; ///< the same of the other side, or -1
    bool atJoint;   ///< its origin is the driver's joint itself, since its bone was made up to end beyond the skin
    supSketchNames ends, joints;
    supSphere sphere;
    float keys[2 * supMostKeys];
    char name[32]; ///< of its own, where no other word will do
    float ceiling;
    float fill;             ///< skin counts as this much farther from the bone. Share of the size
    float fullness;         ///< how thick the flesh is. Share of the size; 0: by its element's thickness
    supVec3 center, origin; ///< found once it is compiled
    float steepness;        ///< likewise: how far apart the flesh pulls the skin, shifted by all of its thickness
    float typical, peak;    ///< shares of the thickness
    int32_t typicalClip, peakClip;
} supSketchElement;

typedef struct supSketch
{
    supPlan plan;
    int32_t count;
    supSketchElement elements[supMostElements];
    int32_t skippedCount; ///< materials that are hard by their names: eyes, teeth, horns
    const char* skipped[supMostSkipped];
    const char** spelled; ///< a joint: its name with its number, where that was needed; else NULL
    char* letters;        ///< room for all of them
    size_t lettersUsed;
    float fatness;  ///< of a person: 0 all muscle, 1 as most people
    bool* unwanted; ///< a joint: an element carried it that was not wanted
    int32_t* moved; ///< a joint: the element that moves most of its skin, where that is a good part of it; or -1
} supSketch;

/// How much of an element is wanted: 0 is none, 1 as it is.
static inline float supWantedOf( const supProposeDef* def, const supSketchElement* element )
{
    return def->regions[element->region] * def->sides[element->side][element->region];
}

/// Elements where the body has flesh.
void supSketchRig( supSketch* sketch );

/// Gives every element the numbers of its region, its thickness and the preset. Compiled: `model` has the elements.
void supChooseNumbers( supSketch* sketch, const supProposeDef* def, const supModel* model );

/// How steeply the weights of every element rise over the skin. Compiled: `model` has the elements.
supResult supFindSteepness( supSketch* sketch, const supModel* model, const supAllocator* allocator, supError* error );

/// Compiles the sketch, gives it numbers, and lets the clips say what is ordinary. Leaves the finished rig in *out.
supResult supFinishRig( supSketch* sketch, const supProposeDef* def, supRig** out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Shared by the files that sketch

/// Whether a material is hard by its name.
bool supIsSkippedMaterial( const supSketch* sketch, const char* material );
void supAddName( supSketch* sketch, supSketchNames* names, int32_t joint );
/// Whether something else swings a joint already, as a host says: no flesh hangs on it, and none of its skin is flesh.
bool supIsSwung( const supPlan* plan, int32_t joint );
/// NULL: there are too many, or something else swings the driver.
supSketchElement* supAddElement( supSketch* sketch, supRegion region, supSide side, int32_t driver );
/// Ends the bone at a place: by the joint that is there where one hangs on the driver, else by the place itself.
void supEndAtJoint( supSketch* sketch, supSketchElement* element, int32_t joint );
void supEndAt( supSketch* sketch, supSketchElement* element, supVec3 place );
/// A soft ball around the flesh.
void supBallAround( supSketch* sketch, supSketchElement* element, supVec3 center, float radius );
/// Every joint of the trunk, and those that only lead out of it.
void supAddTrunkJoints( supSketch* sketch, supSketchElement* element );
/// Joints of a part and of those without skin of their own that belong to it.
void supAddPartJoints( supSketch* sketch, supSketchElement* element, int32_t part );
/// The joints of a bone, and those beside it.
void supAddBone( supSketch* sketch, supSketchElement* element, const supSegment* segment );
void supSetKeys( supSketchElement* element, int32_t count, const float* pairs );
/// Takes the last element back where it has no skin that is soft. True: it stays.
bool supKeepSoft( supSketch* sketch );

/// The regions of each kind of body.
void supSketchHuman( supSketch* sketch );
void supSketchAnimal( supSketch* sketch ); ///< on four legs, or on two with a tail
void supSketchSwimmer( supSketch* sketch );
void supSketchInsect( supSketch* sketch );
void supSketchTube( supSketch* sketch );
void supSketchLump( supSketch* sketch );
void supSketchLimbs( supSketch* sketch );
void supSketchRump( supSketch* sketch ); ///< of what stands on four legs
