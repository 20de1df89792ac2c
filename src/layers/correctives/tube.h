// Supple: a part of the body as a bundle of lengthwise curves.
// SPDX-License-Identifier: MIT
//
// After Chaudhry, You, Jin, Yang, Zhang, "Shape modeling for animated characters using ordinary differential
// equations", 2013, section 3.2: a centre line through the part, planes across it at equal steps, the sections that
// they cut; points at equal angles of the sections, joined lengthwise. Frames are carried along the centre line without
// twist, so that a curve does not wind around the part.
//
// Near a bend of the centre line planes turn little by little from one segment's direction to the next one's, so that
// they fan out around it; where two would still cross within the part, the bend is spread over more of them.
#pragma once

#include "base/math.h"
#include "base/memory.h"
#include "supple/base.h"

typedef struct supTubeDef
{
    int32_t centerCount; ///< points of the centre line: at least two, no two neighbours in one place
    const supVec3* center;
    int32_t vertexCount;
    const supVec3* positions; ///< at rest
    int32_t triangleCount;    ///< of the part alone
    const uint32_t* triangles;
    const int32_t* welds; ///< for each vertex the first that stands in its place; NULL: all stand apart
    int32_t curves;       ///< at least 3
    int32_t nodes;        ///< a curve, at least 2: planes at both ends of the centre line and at equal steps between
    const supAllocator* allocator;
} supTubeDef;

/// Where a curve's node lies on the part's surface. Nodes of curve c are number c * nodes and on.
typedef struct supTubeNode
{
    supVec3 place;
    uint32_t corners[3]; ///< vertices
    float shares[3];     ///< of the corners, sum 1; of a node that met no surface all 0
} supTubeNode;

typedef struct supTubeFrame
{
    supVec3 origin;
    supVec3 along;        ///< across it lies the plane
    supVec3 side, beyond; ///< in the plane; angle 0 is along `side`
} supTubeFrame;

typedef struct supTube
{
    int32_t curves, nodes;
    supTubeNode* grid;
    supTubeFrame* frames; ///< one a plane
    float length;         ///< of the centre line
    int32_t uncovered;    ///< nodes that met no surface: their place is between their neighbours'
    int32_t crossings;    ///< of a plane and the next within the part that could not be undone
    size_t blockSize;
} supTube;

/// One block, to be freed by supFree( allocator, tube, tube->blockSize ).
supResult supCreateTube( const supTubeDef* def, supTube** out, supError* error );

/// A point's place among the curves: how far along (0 to 1 and beyond) and the angle about the centre line, 0 to 2 pi.
void supTube_Locate( const supTube* tube, supVec3 point, float* along, float* angle );

enum
{
    supTubeTies = 16 ///< nodes that a point hangs on
};

/// How a point hangs on the curves: a smooth (cubic) blend along and around. Shares sum to 1; past either end it holds
/// the last value. A field that grows steadily along the curves is reproduced between the ends.
void supTube_Tie(
    const supTube* tube, float along, float angle, int32_t nodes[supTubeTies], float shares[supTubeTies] );

// ---------------------------------------------------------------------------------------------------------------
// Where planes cut the surface of a part.

/// Room that is used again from plane to plane.
typedef struct supSectionRoom
{
    supArray lines;  ///< what the plane cuts of single triangles
    supArray ends;   ///< of the lines, to be sorted by the mesh edge that they lie on
    supArray groups; ///< of lines that hang together: see base/unions.h
    supArray turned; ///< how far each group runs around the plane's origin. Radians
    supVec3* rays;   ///< one a curve
    float* best;     ///< how far along each ray the surface is; below 0: there is none
} supSectionRoom;

supSectionRoom supMakeSectionRoom( const supAllocator* allocator );
void supDestroySectionRoom( supSectionRoom* room );

/// Cuts one plane: the nodes of all curves on it. A plane may cut other limbs too, or the same one again past a bend:
/// only lines that run around the frame's origin count, unless there are none. Of several on a ray the outermost, since
/// that is the skin. False: no memory.
bool supCutSection( const supTubeDef* def, supTube* tube, int32_t plane, supSectionRoom* room );

/// Whether a node met the surface.
bool supIsCovered( const supTubeNode* node );
/// Places for the nodes that did not: between their neighbours in the section, or, where all of it is bare, between
/// those on the curve.
void supFillUncovered( const supTube* tube, supVec3* places );
