// Connected pieces of a border of fat, and the bodies that they make up.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_border.h"

/// Triangles that hang together, seams welded.
typedef struct supFatPiece
{
    supVec3 low, high; ///< the box around it
    double volume;     ///< of a closed one; below zero: wound inside out. m^3
    int32_t openCount; ///< edges without a twin that runs the other way
    supVec3 openAt;    ///< the middle of one of these
    int32_t body;      ///< that it is measured with
} supFatPiece;

typedef struct supFatPieces
{
    int32_t count;
    supFatPiece* pieces;
    int32_t* of; ///< of each triangle
    size_t size; ///< of one block, which begins with `pieces`
} supFatPieces;

/// Of the triangles from `first` on. `vertices`: of each point of the border, the character's vertex; NULL: the same.
/// False: no memory.
bool supFindFatPieces(
    const supFatRegion* region, const supFatBorder* border, const int32_t* vertices, int32_t first, supFatPieces* out );
void supDropFatPieces( const supFatRegion* region, supFatPieces* pieces );

/// Sorts the triangles from `first` on into bodies, and adds these to the border's. Which side of a surface a place is
/// on, the nearest triangle says; where solids stand in one another, each has to be asked by itself. So closed pieces
/// whose boxes meet go to different bodies. Open ones, and those inside out (a hollow's wall), stay together: nothing
/// is inside one of them alone. False: no memory.
bool supSortFatBodies( supFatRegion* region, supFatBorder* border, int32_t first, supFatPieces* pieces );
