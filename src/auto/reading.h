// What a body is: its spine, its appendages, its kind, and which way it looks.
// SPDX-License-Identifier: MIT
#pragma once

#include "auto/body_graph.h"
#include "supple/auto.h"

enum
{
    supMostAppendages = 48,
    supMostSpineParts = supMostParts,
    supProfileBins = 16,
};

/// What an appendage is taken for.
typedef enum supAppendageRole
{
    sup_roleHelper = 0, ///< short: a breast, an eyebrow, a piece of the trunk's own skin
    sup_roleLeg,
    sup_roleArm,
    sup_roleFin, ///< flat: a fin or a wing
    sup_roleEar, ///< on the head: ears, horns, antennae
} supAppendageRole;

/// Parts of one side that hang together, and on a part in the middle.
typedef struct supAppendage
{
    int32_t attach; ///< the part in the middle that it hangs on, or -1
    int32_t root;   ///< its own part that hangs there
    int32_t end;    ///< its own part that is farthest from there
    int8_t side;
    int32_t twin; ///< on the other side, or -1
    supAppendageRole role;
    int32_t partCount;
    float area, soft;  ///< share of all skin; share of that which is not hard
    supVec3 base, tip; ///< where it leaves the trunk; its far end
    supVec3 center;    ///< of its skin
    float reach;       ///< from base to tip. Share of the size
    float thickness;   ///< root mean square distance of its skin from the line between them. Share of the size
    float flatness;    ///< how many times wider than thick it is across that line
    float along;       ///< where on the spine it hangs: 0 at its first end, 1 at its last
} supAppendage;

/// The line of parts in the middle, from end to end.
typedef struct supSpine
{
    int32_t count;
    int32_t parts[supMostSpineParts];
    supVec3 points[supMostSpineParts + 2]; ///< their centres, with the ends of the skin before and after
    float lengths[supMostSpineParts + 2];  ///< along it up to each point
    float radii[supProfileBins];           ///< of the skin about it, from end to end
    float areas[supProfileBins];           ///< of the skin there, the middle's alone. Share of all
} supSpine;

typedef struct supBodySigns
{
    int32_t appendageCount;
    supAppendage appendages[supMostAppendages];
    supSpine spine;
} supBodySigns;

/// Spine and appendages of a body whose plane of symmetry and bonds are known.
void supReadSigns( supBodyGraph* graph, supBodySigns* signs );

/// Two appendages that are mirror images, seen as one. Directions lie in the plane of symmetry.
typedef struct supPair
{
    int32_t left, right; ///< appendages
    float area;          ///< of each. Share of all skin
    float reach, thickness, flatness, along, soft;
    int32_t partCount;
    supVec3 base, tip; ///< in the plane
    float drop;        ///< how far the tip lies below the base. Share of the reach; for the `up` it was asked with
    bool namedFin;     ///< it is called a fin or a wing, or lies as a flipper does
    bool grounded;     ///< its tip is near the lowest skin
} supPair;

enum
{
    supMostPairs = supMostAppendages / 2,
};

/// Everything that is known of a body while it is read.
typedef struct supBodyReader
{
    const struct supPlan* plan;
    supBodyGraph* graph;
    supBodySigns* signs;
    int32_t pairCount;
    supPair pairs[supMostPairs];
    int32_t legCount, armCount; ///< pairs
    int32_t legs[supMostPairs]; ///< pairs that the body stands on
    int32_t arms[supMostPairs]; ///< further pairs of limbs that are neither fins nor on the head
    supBodyReading* reading;
} supBodyReader;

/// Reads kind, front and up. `known`: what the caller knows already; may be NULL. False: no memory.
bool supReadKind( supBodyReader* reader, const supProposeDef* known, const supAllocator* allocator );

/// Of the pairs that the body does not stand on, its arms; -1: it has none. `legs`: a pair.
int32_t supChooseArms( const supBodyReader* reader, int32_t legs );

/// Which of two ways is the front: `axis` lies in the plane of symmetry. *out is above zero where it is `axis`. False:
/// no memory.
bool supJudgeFront( supBodyReader* reader, supVec3 axis, const supAllocator* allocator, float* out );

/// Whether half of the parts of an appendage are called fins or wings, or more.
bool supIsNamedFin( const supBodyGraph* graph, int32_t appendage );

/// The way from what is called feet to what is called a head, in the plane of symmetry; zero where nothing is.
supVec3 supNamedUp( const supBodyGraph* graph );

/// Whether joints or clips say that it swims.
bool supIsNamedSwimmer( const supCharacter* character );

/// Adds a cue to the evidence. `weight` is signed: how much it speaks for the verdict.
void supNoteEvidence( supBodyReader* reader, const char* about, const char* cue, const char* says, float weight );
