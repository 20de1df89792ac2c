// Supple: the level lines of a field over a surface, and the regions between them.
// SPDX-License-Identifier: MIT
//
// The field is cut at many levels. A level's lines are loops (or, between borders, open lines) over edges of the mesh;
// between them lie connected regions. Lines and regions make a graph (Reeb's, of the field): a region with one line
// below and one above is a piece of a tube, with one line in all a tip, with three or more a fork. Taking a line out
// joins its two regions, so any choice of lines leaves every point in exactly one region between kept lines: nothing
// can stay uncovered.
#pragma once

#include "curve_mesh.h"

/// A line crosses an edge at a share of the way from its first point to its second.
typedef struct supCrossing
{
    int32_t edge;
    double share;
} supCrossing;

typedef struct supLevelLine
{
    double level;         ///< metres from the source
    int32_t first, count; ///< crossings
    bool open;
    bool dropped;         ///< taken out: its regions are one
    int32_t below, above; ///< regions; ask supLevels_Region for what has become of them
    double length;        ///< metres
    supVec3d center;      ///< mean along the line
} supLevelLine;

typedef struct supLevels
{
    const supCurveMesh* mesh;
    double* field;       ///< for each point: distance from the piece's source. Metres
    int32_t* sources;    ///< for each piece: the point that it starts from
    int32_t regionCount; ///< before any joining
    int32_t* parents;    ///< of regions joined
    int32_t* regionOf;   ///< for each point its region, -1: none
    int32_t* farthest;   ///< for each region (as joined) its point of largest field
    int32_t* nearest;    ///< and of least
    bool* bordered;      ///< for each region (as joined): touches a border of the mesh
    supArray lines;      ///< supLevelLine, by piece, then by level
    supArray crossings;  ///< supCrossing
    double spacing;      ///< between levels. Metres
    supAllocator allocator;
} supLevels;

/// `source`: a point to start its piece's field from, or -1. Other pieces, and -1, start from an end of the piece.
supResult supCreateLevels(
    const supCurveMesh* mesh, int32_t source, const supAllocator* allocator, supLevels* out, supError* error );
void supLevels_Destroy( supLevels* levels );

/// The region that a region has become.
int32_t supLevels_Region( const supLevels* levels, int32_t region );
/// Takes a line out.
void supLevels_Drop( supLevels* levels, int32_t line );

/// Where a crossing is.
static inline supVec3d supCrossingPoint( const supLevels* levels, const supCrossing* crossing )
{
    const int32_t* edge = levels->mesh->edges[crossing->edge];
    return supLerpD( levels->mesh->points[edge[0]], levels->mesh->points[edge[1]], crossing->share );
}

// ---------------------------------------------------------------------------------------------------------------
// The field whose level lines become curves.
