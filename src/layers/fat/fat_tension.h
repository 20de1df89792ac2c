// Muscles that tense, and the fat above them that stiffens with it.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_nodes.h"
#include "layers/fat/fat_state.h"
#include "solve/elastic_modes.h"

/// What full tension adds to the stiffness, times it.
#define SUP_TENSION_STIFFNESS 3.0f

/// What the stiffness of voxels above muscles is worked out from.
typedef struct supTenseSource
{
    const supLayerContext* context;
    const supEarlierLayer* muscles;
    const supFatMesh* mesh;
    const supFatNodes* nodes;
    const supElastic* elastic;
    const supElasticModes* modes;
    supElasticMaterial material;
    bool reference; ///< keeps the voxels themselves
} supTenseSource;

/// A voxel's stiffness: supHexSize x supHexSize.
void supVoxelStiffness( const supTenseSource* source, int32_t e, double* out );
/// Fills the fat's tense parts. False: no memory.
bool supFillTension( supFat* fat, const supTenseSource* source );
/// The name of one of the muscles that a supFat was compiled on.
const char* supFatTensingName( const void* fat, int32_t part );
void supDropTension( supFat* fat, const supAllocator* allocator );

/// Vibrations of a block of the tense solid: rows of shares of the loose ones.
typedef struct supTurnedShapes
{
    size_t size;
    double* rows;
    float* omegas; ///< 1/s
} supTurnedShapes;

/// As things are, and as they were before own->carried was set for it.
supTurnedShapes supTenseTurn( const supFat* fat, const supFatPlaces* at, int32_t block );
supTurnedShapes supOldTurn( const supFat* fat, const supFatPlaces* at, int32_t block );

/// Reads how tense the muscles are, into `shown`: what each adds to the stiffness, times it, a little behind the muscle
/// so that nothing jumps. Where that has changed the vibrations are worked out again, what moves is carried over, and
/// own->stale is set.
void supReadTension( const supFats* fats, const supFat* fat, const supFatPlaces* at, const supLayerFrame* frame,
    const float* live, float* shown );
/// Of vibration k as tense as things are, at the stiffness that the fat was compiled at. 1/s
float supModeOmega( const supFat* fat, const supFatPlaces* at, int32_t k );
/// From shares of the loose vibrations to shares of the tense ones, and back.
void supTurnToTense( const supFat* fat, const supFatPlaces* at, float* row );
void supTurnFromTense( const supFat* fat, const supFatPlaces* at, float* row );
/// The same for what drives them: A Omega^-2 f.
void supTurnForce( const supFat* fat, const supFatPlaces* at, float* row );
/// What the nodes show: v / tau. `moved`: v from the modelled shape, x, y, z a free node; `tensions` as shown, and
/// times what modelledSag stands in the model.
void supShowTense( const supFat* fat, const float* tensions, float* moved );
