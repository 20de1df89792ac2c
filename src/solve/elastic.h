// Supple: an elastic solid of trilinear hexahedra, some of whose nodes are held: the one discretisation that the
// reference and the live solver share.
// SPDX-License-Identifier: MIT
//
//     M u'' + C u' + K u = f - pull e        u: displacement of the free nodes, e: of the anchored ones
//
// Masses are lumped in the nodes; C = massDamping M + stiffnessDamping K, so that vibration modes stay apart.
#pragma once

#include "base/math_double.h"
#include "solve/block_matrix.h"
#include "supple/base.h"

// ---------------------------------------------------------------------------------------------------------------
// One trilinear hexahedron of linearly elastic material.

enum
{
    supHexCorners = 8, ///< corner c lies at ( c & 1, c >> 1 & 1, c >> 2 & 1 ) of the unit cube
    supHexSize = 24,   ///< numbers of a displacement
};

/// Linearly elastic material, with fibres of one direction where wanted.
typedef struct supElasticMaterial
{
    double mu, lambda;     ///< Lame's. Pa
    double fiberStiffness; ///< what fibres add to Young's modulus along them. Pa
} supElasticMaterial;

/// Stiffness of a hexahedron, 24 x 24, row by row, three rows a corner. `fiber`: of unit length; zero where there are
/// none. Corners must span a volume above zero: false where they do not.
bool supHexStiffness( const supVec3d corners[supHexCorners], const supElasticMaterial* material, supVec3d fiber,
    double stiffness[supHexSize * supHexSize] );
double supHexVolume( const supVec3d corners[supHexCorners] );

// ---------------------------------------------------------------------------------------------------------------
// The solid.

/// A node in the middle of a larger element, of its edge or of its face: it follows the mean of that one's corners.
typedef struct supHangingNode
{
    int32_t node;
    int32_t parentCount; ///< 2, 4 or 8
    int32_t parents[8];  ///< not hanging themselves
} supHangingNode;

typedef struct supElasticDef
{
    int32_t nodeCount;
    const supVec3d* places;  ///< metres
    const uint8_t* anchored; ///< of each node: whether it is held
    int32_t hangingCount;
    const supHangingNode* hanging; ///< may be none
    int32_t elementCount;
    const int32_t* corners; ///< eight an element, in supHexCorners' order
    const float* stiff;     ///< of each element: times the material's stiffness. NULL: 1
    const float* full;      ///< of each element: times its volume's mass. NULL: 1
    const supVec3d* fibers; ///< of each element: of unit length, or zero. NULL: none
    supElasticMaterial material;
    double density; ///< kg/m^3
    /// Each free node is held in place by this share of its own stiffness: what would turn about a line otherwise does
    /// not. 0: none
    double foundation;
} supElasticDef;

typedef struct supElastic
{
    int32_t nodeCount, freeCount, anchorCount, hangingCount;
    int32_t* indices;        ///< of each node: its place among the free ones, or -1 less its place among the anchored
    int32_t* freeNodes;      ///< nodes that are free and not hanging
    int32_t* anchors;        ///< nodes that are held and not hanging
    supHangingNode* hanging; ///< whose indices are meaningless
    double* masses;          ///< of the free nodes. kg
    supVec3d* places;        ///< of the free nodes
    supBlockMatrix stiffness;
    supBlockMatrix pull; ///< rows: free nodes; columns: anchored ones
    double stiffest;     ///< bound on the largest stiffness per mass: omega^2 of the fastest vibration. 1/s^2
    double longitudinal; ///< speed of waves of compression. m/s
    double smallest;     ///< edge of an element. Metres
    size_t blockSize;
} supElastic;

/// sup_errorData: an element without volume, a free node without mass. sup_errorMemory.
supResult supCreateElastic(
    const supElasticDef* def, const supAllocator* allocator, supElastic** out, supError* error );
void supDestroyElastic( supElastic* elastic, const supAllocator* allocator );

/// The displacement of all nodes. `moved`: of the free ones; `held`: of the anchored ones, or NULL: none. Three numbers
/// each.
void supElastic_Expand( const supElastic* elastic, const double* moved, const double* held, double* out );

/// Its transpose: adds to `out` what forces on all nodes are on the free ones. `all` is changed: what pulls a hanging
/// node pulls those it hangs between.
void supElastic_Gather( const supElastic* elastic, double* all, double* out );

// ---------------------------------------------------------------------------------------------------------------
// The reference: explicit, fourth order

typedef struct supElasticDamping
{
    double mass;      ///< of the speed. 1/s
    double stiffness; ///< of the rate of strain. Seconds
} supElasticDamping;

/// The longest step at which the explicit solver is stable. Seconds. RK4 holds as far as 2.83 / omega for what swings,
/// 2.78 / rate for what is only slowed down, and 2.6 / omega for what does both (at a damping ratio of 0.45 to 0.5);
/// the fastest omega is that of waves of compression, which cross the smallest element in
/// h / sqrt( (lambda + 2 mu) / rho ). `stiffer`: how many times as stiff as itself it is at most.
double supElastic_StableStep( const supElastic* elastic, supElasticDamping damping, double stiffer );
/// Numbers of scratch for a step.
size_t supElastic_ScratchCount( const supElastic* elastic );

/// Adds to `out` what a solid pulls back with beside its own stiffness, at displacement x of the free nodes. Newtons.
typedef void supElasticMore( const double* x, double* out, const void* user );

/// A frame as the explicit solver sees it. Arrays have three numbers a free node.
typedef struct supElasticFrame
{
    supElasticDamping damping;
    double span;             ///< seconds
    const double* forces[2]; ///< when it begins and when it ends; in between on a straight line. Newtons
    /// What the nodes are tied to goes this way: sum of path[k] theta^(k+1), theta from 0 to 1 over the frame. Metres.
    const double* path; ///< SUP_ELASTIC_PATH vectors one after the other; NULL: it stands
    supElasticMore* more;
    const void* user; ///< for it; `more` may be NULL
} supElasticFrame;

#define SUP_ELASTIC_PATH 4

/// Where what a number is tied to is at theta, and how fast it goes. Metres, 1/s
static inline void supElasticFrame_Tie(
    const supElasticFrame* frame, size_t count, size_t i, double theta, double* place, double* speed )
{
    double sum = 0.0, slope = 0.0;
    for ( size_t k = SUP_ELASTIC_PATH; k-- > 0; )
    {
        slope = slope * theta + sum;
        sum = sum * theta + frame->path[k * count + i];
    }
    *place = sum * theta;
    *speed = ( slope * theta + sum ) / frame->span;
}

/// One step of Runge and Kutta's fourth order, from `time` after the frame began. `moved` and `speed` are taken from
/// where the nodes were tied when the frame began.
void supElastic_StepExplicit( const supElastic* elastic, const supElasticFrame* frame, double time, double h,
    double* moved, double* speed, double* scratch );
