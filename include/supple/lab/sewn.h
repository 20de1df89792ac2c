// Supple: one closed surface through the curves of a whole character, and surfaces as characters that move.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
//
// Patches (supple/lab/patches.h) are surfaces by themselves: they cannot be sewn where a limb leaves the body. The
// rings of a network (supple/lab/curves.h) can: they and the forks between them cover all of a skin. A sewn surface is
// the one that a network's curves carry by themselves, on the skin's triangles with seams welded and edges halved. So
// it has an open edge only where the skin has one, and one normal for each place.
#pragma once

#include "supple/base.h"
#include "supple/character.h"
#include "supple/lab/curves.h"

typedef struct supSewn supSewn;

typedef struct supSewnDef
{
    const supCharacter* character; ///< must outlive the surface
    int32_t detail;                ///< pieces of each edge of the skin, 1 to 8. Default 2
    double tolerance; ///< how far sections may be off the surface between curves, a share of the size. Default 3e-4
    int32_t parameterLimit;        ///< of the curves, for each coordinate; 0: no limit. Default 0
    const supAllocator* allocator; ///< copied; NULL: malloc
    int32_t cookie;                ///< set by supDefaultSewnDef
} supSewnDef;

SUP_API supSewnDef supDefaultSewnDef( void );

/// Refuses: a def that was not made by supDefaultSewnDef, no character, one without triangles or too small for a single
/// curve, a detail out of range, a surface that is too large. Immutable once made.
SUP_API supResult supCreateSewn( const supSewnDef* def, supSewn** out, supError* error );
/// Takes NULL too.
SUP_API void supDestroySewn( supSewn* sewn );

/// What there is to see of it. Lives as long as the surface.
typedef struct supSewnView
{
    int32_t vertexCount, indexCount;
    const uint32_t* indices;        ///< three a triangle, which faces as the skin's do
    const int32_t* corners;         ///< three a vertex: vertices of the character that it stands between
    const float* shares;            ///< of the corners, sum 1
    int32_t openEdges;              ///< edges of one triangle, which are the skin's own borders
    const supCurveNetwork* network; ///< over these vertices
} supSewnView;

SUP_API supSewnView supSewn_View( const supSewn* sewn );
/// Where its vertices are when the skin is at `skin` (of all vertices of the character; NULL: at rest): the curves go
/// with the skin, and the surface with the curves. `normals` may be NULL.
SUP_API supResult supSewn_Places(
    const supSewn* sewn, const float* skin, float* positions, float* normals, supError* error );

/// How far the skin is from the surface. Metres.
typedef struct supSewnReport
{
    double rms, p99, largest;
    double covered; ///< share of the skin's places that have the surface within half a percent of the size
} supSewnReport;

/// `skin` as above, `positions` as supSewn_Places gave them.
SUP_API supResult supSewn_Measure(
    const supSewn* sewn, const float* skin, const float* positions, supSewnReport* report, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Surfaces that move

/// A surface at rest, and where it hangs on a character's skin.
typedef struct supSurfaceDef
{
    const char* name; ///< of its mesh; NULL: "surface"
    int32_t vertexCount, indexCount;
    const float* positions; ///< 3 a vertex
    const float* normals;   ///< 3 a vertex, of unit length
    const uint32_t* indices;
    const int32_t*
        corners;         ///< three a vertex: vertices of the character; NULL: the nearest skin that faces the same way
    const float* shares; ///< three a vertex, sum 1; NULL where corners are
} supSurfaceDef;

/// A character with the same joints and clips, whose only mesh is the surface. Each vertex takes the weights of the
/// skin that it hangs on, as many as the character's own have at most, four at least. `allocator` may be NULL.
SUP_API supResult supCreateSurfaceCharacter( const supCharacter* character, const supSurfaceDef* surface,
    const supAllocator* allocator, supCharacter** out, supError* error );
