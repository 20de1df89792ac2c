// A body of masses and springs inside a surface: what one spring is compared with.
// SPDX-License-Identifier: MIT
//
// The volume inside a closed mesh is filled with the tetrahedra of a body-centred cubic lattice: cubes of side `cell`,
// a node at each corner and each middle; two neighbouring middles and one edge of the face between them make a
// tetrahedron. Those whose middle lies inside the surface are kept. Their volume times the density is shared among
// their corners as masses, and each of their edges is a damped spring. Nodes within `boneRadius` of the bone are rigid
// with it. As in section 6.1 of Larboulette, Cani, Arnaldi, "Dynamic skinning", 2005.
//
// Stiffness of a spring: share * young * (volume around it) / length^2. The shares make the body the same in all
// directions. A strain e stretches a spring of direction n by n.e.n; a tetrahedron has two edges along the axes and
// four along half the cubes' diagonals, so the energy of a unit of volume is, with shares a and d,
//     young / 2 * ( 2/3 a * sum over 3 axes ( n.e.n )^2 + d * sum over 4 diagonals ( n.e.n )^2 )
// which gives C11 = young * ( 2/3 a + 4/9 d ) and C12 = C44 = young * 4/9 d. Isotropic is C11 - C12 = 2 C44, so
// a = 4/3 d; Young's modulus is then 5/2 C44 = young * 10/9 d. With d = 0.9 and a = 1.2 it is `young`, and Poisson's
// ratio is 1/4, as in every isotropic body of springs.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct supNode
{
    double rest[3], place[3], speed[3];
    double mass; // kg
    bool rigid;
} supNode;

typedef struct supEdge
{
    int32_t a, b;
    double length;    // at rest, m
    double stiffness; // N/m
    double damping;   // N s/m
} supEdge;

/// A point of the surface, carried by the tetrahedron that it lies in, or nearest to.
typedef struct supBinding
{
    int32_t nodes[4];
    double weights[4];
} supBinding;

typedef struct supReferenceDef
{
    const float* positions; // of the surface, 3 a vertex
    int32_t vertexCount;
    const uint32_t* indices; // 3 a triangle, outwards
    int32_t indexCount;
    double boneFrom[3], boneTo[3], boneRadius;
    double cell;    // m
    double density; // kg/m^3
    double young;   // Pa
    double damping; // seconds: damping of a spring / its stiffness
} supReferenceDef;

typedef struct supReference
{
    int32_t nodeCount, edgeCount, rigidCount, tetrahedronCount, vertexCount;
    supNode* nodes;
    supEdge* edges;
    supBinding* bindings; // a vertex
    double* forces;       // 3 a node
    double volume, mass;  // m^3, kg
} supReference;

/// A rigid motion of the bone: place = turn * rest + shift. Columns of `turn`: images of the axes.
typedef struct supBoneMotion
{
    double turn[9], shift[3];
} supBoneMotion;

/// False where there is no memory.
bool supMakeReference( const supReferenceDef* def, supReference* out );
void supDropReference( supReference* body );

/// At rest, carried by `motion`.
void supReference_Reset( supReference* body, const supBoneMotion* motion );
/// One step of semi-implicit Euler under `gravity`; rigid nodes go to where `motion` puts them.
void supReference_Step( supReference* body, const supBoneMotion* motion, const double gravity[3], double dt );
/// Where a vertex of the surface is.
void supReference_Vertex( const supReference* body, int32_t vertex, double out[3] );
/// Energy of a strain (xx, yy, zz, xy, yz, zx), the same everywhere, in a body at rest. J
double supReference_StrainEnergy( const supReference* body, const double strain[6] );
/// The largest step that stays stable, found by trying: m/s of motion must not grow from a small push.
double supReference_StableStep( supReference* body );
