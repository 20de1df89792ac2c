// The surface around some of a character's vertices: its triangles, and normals that follow when vertices move.
// SPDX-License-Identifier: MIT
//
// A file's normals need not be the triangles' (hard edges, smoothed seams). So they are turned rather than replaced: by
// the shortest rotation that takes the mean normal of the triangles around a vertex before to the one after. Vertices
// that seams have split stand for one: all triangles around the place count.
//
// Where smooth skinning folds skin over itself, in an armpit, triangles around a vertex face opposite ways: their mean
// is what a small difference of large vectors leaves, and may point anywhere, inwards too. There the file's normal,
// which the joints have turned, is the better one, and large turns of the mean are not followed. The same where skin is
// drawn in so far that its triangles stand on edge or inside out: they may agree then, and still mean nothing.
#pragma once

#include "supple/character.h"

typedef struct supSurface
{
    int32_t count;     ///< vertices whose normals are kept, rising
    int32_t* vertices; ///< of the whole character
    bool* hasNormals;  ///< one a vertex: the file gives its mesh normals
    int32_t* offsets;  ///< triangles[offsets[i]] up to, not including, offsets[i + 1] stand around vertices[i]
    int32_t* around;   ///< triangles
    int32_t triangleCount;
    int32_t* triangles; ///< three vertices of the character each
    size_t blockSize;
} supSurface;

/// The surface around `vertices` and (where `wide`) around their neighbours, whose normals turn too when they move. One
/// block, freed with blockSize. NULL: no memory.
supSurface* supMakeSurface(
    const supCharacter* character, const int32_t* vertices, int32_t count, bool wide, const supAllocator* allocator );

/// Bytes of scratch of one kind for the two below: a vector a triangle.
size_t supSurface_ScratchSize( const supSurface* surface );
/// Normals of all its vertices by their triangles' areas, not of unit length; zero where there is no surface.
void supSurface_Normals( const supSurface* surface, const supVec3* positions, supVec3* faces, supVec3* out );
/// Turns the normals of the character's vertices by what became of the surface's since `before` was taken, with
/// `facesBefore`, by supSurface_Normals. `faces`: other scratch. Those whose surface has not moved
/// stay, bit for bit, and so does the output of meshes without normals.
void supSurface_Turn( const supSurface* surface, const supVec3* before, const supVec3* facesBefore,
    const supVec3* positions, supVec3* faces, supVec3* normals );

// ---------------------------------------------------------------------------------------------------------------
// Which parts of the body a skin's vertices belong to, and which of its pieces are closed.

/// Of each vertex: the joint that carries most of it.
void supFindSkinParts( const supCharacter* character, int32_t* parts );
/// Of each vertex: the piece that it hangs together with, by its first vertex; -1: an open one, that nothing can be
/// inside of. False: no memory.
bool supFindClosedPieces( const supCharacter* character, const supAllocator* allocator, int32_t* pieces );
