// Whether a place is inside a skin: by a ray through it.
// SPDX-License-Identifier: MIT
//
// A ray from the place crosses a closed skin once more on its way out than on its way in, for every time that the skin
// goes around the place. Triangles are sorted into the fields of a chess board across the ray, so each ray looks at
// a handful of them.
#pragma once

#include "supple/base.h"

/// A place seen along the ray: across it, and how far along.
typedef struct supSeen
{
    float across[2], along;
} supSeen;

typedef struct supSkinRays
{
    int32_t side; ///< fields along a side
    int axis;     ///< of the rays
    float low[2], scale[2];
    supSeen* seen;      ///< vertices
    int32_t* starts;    ///< of the fields, and the end
    int32_t* triangles; ///< by field
    const int32_t* corners;
} supSkinRays;

/// Bytes of scratch for a skin of so many vertices and triangles.
size_t supSkinRays_ScratchSize( int32_t vertexCount, int32_t triangleCount );
/// Sorts triangles, three corners each, as they are now, for rays along an axis. The one along which the body is
/// thinnest has fewest triangles one behind another.
supSkinRays supSortForRays( const supVec3* points, int32_t vertexCount, const int32_t* corners, int32_t triangleCount,
    int axis, void* scratch );
/// How often the skin goes around a place; 0: it is outside.
int supSkinRays_Turns( const supSkinRays* rays, supVec3 place );
