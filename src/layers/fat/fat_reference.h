// Fat by the reference: the paper's explicit solver on the same solid.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_state.h"
#include "layers/fat/fat_tension.h"

/// Bytes of an item's state beside what the vibrations need. 0 unless it is a reference.
size_t supFatReferenceSize( const supFat* fat );

/// A frame as the explicit solver sees it.
typedef struct supFatLoad
{
    const float* live;
    const float* pulls; ///< of gravity on each joint, rest space: three numbers each
    /// What muscles below add to the stiffness, times it, one each, and how far the model sags already; NULL: no
    /// muscles
    const float* tensions;
    const float* shares;     ///< of the inner border's rays, or NULL: it does not move
    float worldScale, speed; ///< speed: supFatSpeed
    float dt;
    bool forced; ///< by at->forces
} supFatLoad;

/// Starts at rest under the load.
void supFatReference_Start( const supFat* fat, const supFatPlaces* at, const supFatLoad* load );
/// Gives whether all of the frame was stepped: where viscosity asks for more steps than there is time for, it is cut
/// short.
bool supFatReference_Step( const supFat* fat, const supFatPlaces* at, const supFatLoad* load );
/// Displacement and speed of one free node, rest space.
void supFatReference_Node( const supFat* fat, const supFatPlaces* at, int32_t node, supVec3d* moved, supVec3d* speed );
/// Displacements of the free nodes, rest space.
void supFatReference_Show( const supFat* fat, const supFatPlaces* at, float* shown );

// ---------------------------------------------------------------------------------------------------------------
// Voxels of fat above muscles, each with its own stiffness: what the reference feels of a muscle that tenses.

/// Kept for the reference alone.
typedef struct supTenseVoxels
{
    int32_t count;     ///< that lie above any muscle
    int32_t* corners;  ///< eight nodes each
    float* weights;    ///< fat->tenseCount each: in what measure it lies above that muscle
    double* stiffness; ///< supHexSize x supHexSize each, by how much of it is inside the skin
    size_t blockSize;
} supTenseVoxels;

/// `weights`: of all voxels, fat->partCount each. False: no memory.
bool supKeepTenseVoxels( supFat* fat, const supTenseSource* source, const float* weights );

/// The stiffness that tension adds, for a frame.
typedef struct supAddedStiffness
{
    const supFat* fat;
    const float* tensions; ///< of the muscles below
    double sag;            ///< how far the model sags already, times fat->modelledSag: strained too. 0: not
    double* all;           ///< scratch: displacements of all nodes, and forces on them
    double* own;           ///< scratch: three numbers a free node
} supAddedStiffness;

/// Numbers of scratch.
size_t supAddedStiffness_ScratchCount( const supFat* fat );
/// A supElasticMore.
void supAddedStiffness_Pull( const double* x, double* out, const void* user );
/// The same for anchored nodes that have moved, and no other.
void supAddedStiffness_PullHeld( const supAddedStiffness* added, const double* held, double* out );
/// How many times as stiff as without tension any voxel is.
double supAddedStiffness_Most( const supAddedStiffness* added );
