// Supple: where planes cut the surface of a part.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "layers/correctives/tube.h"

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
