// Supple: curves that bend as beams do, solved in every frame. Internal to the layer.
// SPDX-License-Identifier: MIT
//
// After Chaudhry, You, Jin, Yang, Zhang, "Shape modeling for animated characters using ordinary differential
// equations", 2013, with the corrections of supple/lab/beams.h. For each pose that is given the displacements q of the
// curves' nodes become forces, F = K q, when the layer is compiled. In a frame the forces are blended by the shares
// that the pose has of each of them, further forces are added, the ends are put where they belong, and K q = F is
// solved.
//
//     correct   q is a correction at rest, turned by what a vertex's joints have turned since (correctives.h); ends that
//               joints drive have none
//     carry     q is the whole deformation, seen from the joint that the part hangs on; ends that joints drive stand
//               where the smooth skin has them, and leave it in its direction
//
// A vertex hangs on the 16 nodes around it (supTube_Tie). What curves cannot hold of a shape, its fine detail, is kept
// for each pose at rest and takes part by the same shares, so that every pose comes back whole.
#pragma once

#include "layers/correctives/correctives.h"
#include "supple/lab/beams.h"

/// How a vertex hangs on the curves of a chain.
typedef struct supBeamTie
{
    int32_t row;   ///< of the touched vertices
    float member;  ///< how much of it belongs to the chain
    int32_t at[4]; ///< on each of four curves the first of four nodes
    float around[4], along[4];
    supVec3 detail; ///< of the vertex at rest, beside the curves
} supBeamTie;

/// An end of a curve that joints drive.
typedef struct supBeamEnd
{
    int32_t curve; ///< the nearest one whose end is on the skin; -1: there is none
    int32_t count; ///< joints that the skin hangs on there
    int32_t joints[SUP_MAX_INFLUENCES];
    float weights[SUP_MAX_INFLUENCES];
    supMat34d unrest[SUP_MAX_INFLUENCES];
} supBeamEnd;

/// A node's place or displacement, padded for wide instructions.
typedef struct supBeamNode
{
    float at[4];
} supBeamNode;

/// Curves along one chain of the part. Arrays of doubles have three coordinates of `numbers` each, in panels of beams.
typedef struct supBeamChain
{
    supTube* tube;
    int32_t panels; ///< of one coordinate
    size_t numbers;
    int32_t frame;     ///< the joint that it hangs on
    supMat34d unframe; ///< whose rest is undone
    supVec3* rest;     ///< of all nodes
    supBeamEnd* ends[2];
    double* poses;  ///< of each pose: forces, and at the ends places
    double* forces; ///< of each further force
    int32_t tieCount;
    supBeamTie* ties;
    int32_t turnCount;
    int32_t* turns; ///< the turning joints that its skin hangs on
} supBeamChain;

/// What curves do not hold of a pose.
typedef struct supBeamDetail
{
    int32_t count;
    int32_t* rows; ///< of the touched vertices
    supVec3* moves;
} supBeamDetail;

typedef struct supBeams
{
    const supBeamsDef* def; ///< while it is compiled
    char name[24];
    int32_t use, ends, between;
    int32_t poseCount, forceCount;
    int32_t listedAt;      ///< of its poses' and forces' live fields
    supExampleGroup group; ///< the driving joints
    double* points;        ///< features of each pose
    int32_t* forcePoses;   ///< of each force: the pose that it comes with, -1: it always acts
    supBeam beams[3];
    int32_t chainCount;
    supBeamChain* chains;
    supBeamDetail* details; ///< of each pose
} supBeams;

typedef struct supBeamsLayer
{
    supArray kept;
    const supCharacter* character;
    int32_t count;
    supBeams* items;
    supHeldSkin held;
    bool carries; ///< some item does
    int32_t mostJoints, mostPoses, mostForces, mostPanels, mostNodes;
    size_t mostNumbers;
} supBeamsLayer;

/// Room for the curves of one chain at a time.
typedef struct supBeamRoom
{
    double* given;  ///< three coordinates
    double* slopes; ///< three coordinates, two rows a panel
    supBeamNode* nodes;
} supBeamRoom;

/// The same by the item's own rule.
void supBeams_Shares( const supBeams* beams, const double* features, double* shares );

/// Solves the curves of a chain into room->nodes: displacements at rest where curves correct, places in model space
/// where they carry. `shares`: of the poses, and of the forces (NULL: none). `smooth`: the smooth skin; may be NULL
/// where curves correct.
void supBeamChain_Bend( const supBeams* beams, const supBeamChain* chain, const double* shares,
    const double* forceShares, const supMat34* joints, const supVec3* smooth, supBeamRoom* room );
/// Where a node of a curve stands among the numbers of one coordinate.
size_t supBeamPlace( const supTube* tube, int32_t curve, int32_t node );
/// Puts the ends into room->given where the joints drive them, and their slopes into room->slopes.
void supBeamChain_Ends( const supBeams* beams, const supBeamChain* chain, const supMat34* joints, const supVec3* smooth,
    supBeamRoom* room );
/// What the joint that the chain hangs on has moved since rest.
supMat34d supBeamChain_Motion( const supBeamChain* chain, const supMat34* joints );
/// Where a tied vertex is carried, or how far.
supVec3 supBeamTie_At( const supBeamTie* tie, const supBeamNode* nodes );

supResult supCompileBeams(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
void supDestroyBeams( void* compiled, const supAllocator* allocator );
size_t supBeamsScratch( const void* compiled );
void supApplyBeams( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );
void supDrawBeams( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );

extern const supLayer sup_beamsLayer;
