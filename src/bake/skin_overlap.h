// How deep vertices of a skin lie inside other parts of the body.
// SPDX-License-Identifier: MIT
//
// Judged on the skin itself, its triangles alone. A point a hair outside a vertex is inside the body where the surface
// goes around it (its winding number, by signed crossings of three rays); the vertex is then as deep as the closest
// triangle of another part of that surface is far. Parts: the joint that carries most of a vertex. Pieces that do not
// hang together are surfaces of their own, and those that are open are none.
#pragma once

#include "supple/character.h"

typedef struct supSkinOverlap supSkinOverlap;

/// For skins of this character, which must outlive it. NULL: no memory.
supSkinOverlap* supMakeSkinOverlap( const supCharacter* character, const supAllocator* allocator );
void supDropSkinOverlap( supSkinOverlap* overlap );
/// The skin to look at, kept by address until the next one. False: no memory.
bool supSkinOverlap_Look( supSkinOverlap* overlap, const supVec3* positions );
/// Where a vertex would come out of the part that it is inside of.
typedef struct supWayOut
{
    float depth; ///< metres; 0: outside of all other parts
    int32_t triangle;
    int32_t corners[3];
    float shares[3];
} supWayOut;

/// How deep a vertex lies inside another part.
supWayOut supSkinOverlap_Depth( supSkinOverlap* overlap, int32_t vertex );
