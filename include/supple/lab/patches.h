// Supple: a character's limbs, trunk and fingers as patches: tubes of lengthwise curves, and new surfaces through them.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
//
// After Chaudhry, You, Jin, Yang, Zhang, "Shape modeling for animated characters using ordinary differential
// equations", 2013, sections 3.2 and 3.3: a centre line through each part, planes across it at equal steps, the
// sections that they cut, lengthwise curves that join them; and back to polygons by a surface lofted through the
// curves.
//
// A character forks, a patch does not: joints are split into chains. Where several joints hang on one, its chain goes
// on into the one that is about as thick and bends least, if any: a spine into the chest, but a palm into no finger.
#pragma once

#include "supple/base.h"
#include "supple/character.h"

typedef struct supPatches supPatches;

typedef struct supPatchesDef
{
    const supCharacter* character; ///< must outlive the patches
    int32_t jointCount;            ///< 0: all joints that carry skin
    const int32_t* joints;         ///< those whose skin is wanted, in any order
    int32_t curves;                ///< of a patch, at least 3. Default 24
    int32_t nodes;                 ///< of a curve, at least 5. Default 31
    const supAllocator* allocator; ///< copied; NULL: malloc
    int32_t cookie;                ///< set by supDefaultPatchesDef
} supPatchesDef;

SUP_API supPatchesDef supDefaultPatchesDef( void );

/// Refuses: a def that was not made by supDefaultPatchesDef, no character, joints that are not there or listed twice,
/// fewer than 3 curves or 5 nodes, and a character (or joints) without a single patch. Immutable once made.
SUP_API supResult supCreatePatches( const supPatchesDef* def, supPatches** out, supError* error );
SUP_API void supDestroyPatches( supPatches* patches );

/// One patch. Lives as long as they all do.
typedef struct supPatchView
{
    const char* name; ///< of its first joint
    int32_t jointCount;
    const int32_t* joints; ///< from the body outwards
    int32_t curves, nodes;
    int32_t uncovered; ///< nodes at which the planes met no skin of the part: they stand between their neighbours
    int32_t crossings; ///< of neighbouring planes within the part, which bends too sharply there
    float length;      ///< of the centre line. Metres
} supPatchView;

SUP_API int32_t supPatches_Count( const supPatches* patches );
SUP_API supPatchView supPatches_View( const supPatches* patches, int32_t index );
/// Joints that were left out, since their skin is no tube: less than half of the nodes met it.
SUP_API int32_t supPatches_LeftOut( const supPatches* patches, const int32_t** joints );

/// Where the nodes of a patch are on any skin of the character: 3 floats per node, curve by curve, and behind them the
/// tops of a cap at the first and at the last section: curves * nodes + 2 places. A top is on the skin where there is
/// some beyond the section (a fingertip), else in the section's middle; where a part hangs on another (a finger on the
/// palm) the first one is within that, past the part's joint, so that the surfaces overlap where they can. `positions`:
/// of all vertices; NULL: at rest.
SUP_API void supPatches_Places( const supPatches* patches, int32_t index, const float* positions, float* places );

/// How many vertices and indices a surface through such places has. `detail`: steps from node to node and from curve to
/// curve, at least 1. False: more than can be counted.
SUP_API bool supLoftSize( int32_t curves, int32_t nodes, int32_t detail, int32_t* vertices, int32_t* indices );
/// A closed surface through curves, smooth (cubic) along and around them, with round caps. Triangles face outwards.
/// `places` as supPatches_Places gives them, or as you have moved them. The vertices of the sections come first:
/// ( nodes - 1 ) * detail + 1 rings of curves * detail.
SUP_API void supLoftCurves(
    int32_t curves, int32_t nodes, const float* places, int32_t detail, float* vertices, uint32_t* indices );

/// How far a surface through curves is from the skin. Metres.
typedef struct supLoftReport
{
    double rms, p99, largest; ///< of its vertices, those of the caps left out
} supLoftReport;

/// `positions`: of the skin, NULL: at rest; `places`: of a patch on it.
SUP_API supResult supPatches_Measure( const supPatches* patches, const float* positions, const float* places,
    int32_t detail, supLoftReport* report, supError* error );
