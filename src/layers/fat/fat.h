// The layer of fat: a viscoelastic solid of voxels between the écorché and the skin.
// SPDX-License-Identifier: MIT
//
// After Aubel, Thalmann, "Realistic deformation of human body shapes", 2000, section 5. The solid is solved in rest
// space: the displacement u of a node is taken from where smooth skinning carries it, in a frame that turns with it, so
// a rigid motion of the body adds no strain and the stiffness never changes. Smooth skinning's joints carry a node by
// weights w_j and rotations R_j, and so
//
//     inertia and gravity, taken back      f = m sum_j w_j R_j^T ( g - a_j )         a_j: of the point, carried by joint j
//     vibrations                           u = sum_k shape_k q_k,   q'' + 2 zeta omega q' + omega^2 q = shape . f
//     what these leave out of gravity      + sum_j,d correction_jd (R_j^T g)_d
//     displacement, carried forward        sum_j w_j R_j u
//
// Forces are linear in twelve numbers a joint (its matrix, twice derived), so their share of each vibration is worked
// out when the model is compiled and a step costs nothing that grows with the nodes. Each q is a spring whose anchor is
// the motion's share of it: stepped exactly, whatever the step (solve/spring_step.c). What turning joints do to u'
// while they turn (Coriolis) is left out: it is of second order in the displacement.
#pragma once

#include "layers/layer.h"
#include "solve/spring_step.h"

extern const supLayer sup_fatLayer;

/// What a sag that is given as a share of the thickness is measured under. m/s^2
#define SUP_FAT_GRAVITY 9.81f
/// The sag that is taken where nobody has asked for one, nor given the material
#define SUP_FAT_SAG 0.1f

enum
{
    supFatHolds = 4,        ///< joints that carry a node at most
    supMostFatJoints = 96,  ///< that carry fat
    supMostFatModes = 512,  ///< in whole blocks of 16
    supLeastFatModes = 48,  ///< unless fewer are asked for
    supUsualFatModes = 160, ///< unless more are
    supMostOfBlock = 48,    ///< vibrations that tension couples
    supMostBlocks = ( supMostFatModes + supMostOfBlock - 1 ) / supMostOfBlock,
};

/// Live fields, in the order of the table.
typedef enum supFatLive
{
    sup_fatFrequency,
    sup_fatMu,
    sup_fatDensity,
    sup_fatDampingRatio,
    sup_fatViscosity,
    sup_fatAmount,
    sup_fatGravity,
    sup_fatSag,
    sup_fatLimit,
    sup_fatKeepVolume,
    sup_fatTension,
    sup_fatMuscleTension,
    sup_fatLiveCount
} supFatLive;

/// What carries a free node.
typedef struct supFatHold
{
    int32_t joints[supFatHolds]; ///< among the item's
    float weights[supFatHolds];
    float room; ///< how thick the fat is around it: what the limit is a share of. Metres
} supFatHold;

/// A neighbour along an axis.
typedef struct supFatSide
{
    int32_t node;   ///< among the free ones; -1: held
    float distance; ///< Metres; 0: there is none
} supFatSide;

/// What the slope of displacements at a free node is taken from.
typedef struct supFatSlope
{
    supFatSide sides[3][2]; ///< of each axis: behind, ahead
} supFatSlope;

/// Two joints: one that carries fat, and one that carries what holds it.
typedef struct supFatPair
{
    int32_t hold;      ///< among the item's
    int32_t joint;     ///< of the character
    supMat34 fromRest; ///< inverse of its matrix at rest
    double weight;     ///< nodes that it moves, by their weights
} supFatPair;

/// One item, compiled.
typedef struct supFat
{
    const char* name;
    supVec3 restGravity;

    int32_t nodeCount, freeCount, anchoredCount, hangingCount, elementCount, largeCount;
    int32_t outsideCount; ///< points of the inner border outside the skin: no fat there
    int32_t outsideAt;    ///< the vertex above the one farthest outside, or -1
    float outsideBy;      ///< how far. Metres
    int32_t droppedCount; ///< voxels that nothing holds: left out
    float edge;           ///< of the voxels. Metres
    float thickest;
    double volume; ///< m^3
    double factorBytes;
    supVec3* places;                ///< of all nodes, at rest
    int32_t* freeOf;                ///< of all nodes: among the free ones; -1: anchored, -2: hanging
    int32_t* corners;               ///< of the voxels, for pictures
    struct supBounds* voxelBoxes;   ///< layers/fat/fat_distance.c
    struct supHangingNode* hanging; ///< nodes between those of large voxels, for pictures
    float* stiffs;                  ///< of the voxels: how stiff, against one that is full
    supFatHold* allHolds;           ///< of all nodes
    supFatHold* holds;              ///< of the free nodes
    supFatSlope* slopes;            ///< of the free nodes
    bool straight;                  ///< `keepVolume` is left alone: the rest shape was looked for along straight ways
    float* flux;  ///< a row: what the nodes' displacements give to the skin's volume beyond the solid's. m^2
    float* swell; ///< a row: displacements under which the skin gains one m^3. 1/m^2

    int32_t jointCount;
    int32_t* joints;
    supMat34* fromRest; ///< inverse of their matrices at rest

    int32_t modeCount;
    size_t rowSize;  ///< floats of a row: three a free node, in whole blocks of 16
    float* masses;   ///< of the free nodes. kg
    float* omegas;   ///< at the reference stiffness. 1/s
    float* rows;     ///< shapes of the modes, then corrections, three a joint, and twelve a pair
    size_t modeSize; ///< modes in whole blocks of 16
    float* gather;   ///< twelve rows a joint: what its matrix's numbers give to each mode
    int32_t rayCount;
    float* pushes; ///< a row for each ray of the inner border: what its share gives to each mode
    int32_t pairCount;
    supFatPair* pairs;    ///< joints that carry meshes below otherwise than the fat
    float* pairRows;      ///< twelve rows a pair: what their motion against one another pulls each mode by
    double mu;            ///< at which they were found. Pa
    float density;        ///< at which they were found. kg/m^3
    float still;          ///< modes that are nearer to rest are put there. m sqrt( kg )
    float sagUnit;        ///< largest displacement under one m/s^2 at that stiffness. s^2
    float firstFrequency; ///< Hz, at that stiffness
    float restOff;        ///< of the sag: how far it leads from the rest shape past the modelled one. A share

    int32_t skinCount; ///< vertices that it moves
    int32_t* skin;     ///< rising
    int32_t* starts;
    int32_t* links; ///< free nodes
    float* shares;

    int32_t partCount, tenseCount; ///< muscles; those of them that voxels lie above
    char* partNames;               ///< of the muscles, one after the other
    size_t partNamesSize;          ///< bytes
    int32_t* tenseParts;           ///< their places among the muscles
    float* tenseNodes;             ///< of each of these: in what measure each free node lies above it
    float* modelledSag;            ///< of the free nodes under the rig's gravity, x, y, z each. Metres
    float* modelledModes;          ///< the modes' shares of that. m sqrt( kg )
    float* tense;                  ///< of each of these: its voxels' stiffness in the modes' blocks. 1/s^2
    float* tenseShares;            ///< of each block, of each of these: the most of a mode's stiffness
    int32_t blockCount;            ///< of modes that tension couples
    int32_t blockStarts[supMostBlocks + 1];
    struct supTenseVoxels* tenseVoxels; ///< of the reference alone
    void* tenseBlock;
    size_t tenseSize;

    struct supElastic* elastic;    ///< of the reference solver; NULL: the live one
    struct supFatGround* ground;   ///< of the reference on another layer's border; or NULL
    struct supBlockFactor* factor; ///< of the reference, or where forces are answered in full; or NULL

    size_t stateAt; ///< of its own in the layer's
    int32_t shownAt;
    int32_t rowCount;   ///< modes, three a joint, twelve a pair
    int32_t tensionsAt; ///< where tensions are shown: one a muscle below, then how far the model sags already
    /// As many as rows and three a free node with a factor (of the reference: three a free node alone), and the
    /// tensions
    int32_t shownCount;
    size_t blockSize;
    void* block;
} supFat;

typedef struct supFats
{
    int32_t count;
    supFat* fats;
    int32_t touchedCount;
    int32_t* touched;
    int32_t shownCount;
    size_t stateSize, scratchSize;
    const struct supLayer* muscles; ///< the layer whose parts tense below them, or NULL
    const struct supLayer* border;  ///< the layer whose inner border they stand on, or NULL
    size_t touchedSize, blockSize;
} supFats;

supResult supCompileFats(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
void supDestroyFats( void* compiled, const supAllocator* allocator );
