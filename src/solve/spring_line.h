// Supple: a line of springs: masses in a row, each pulled by its two neighbours, relaxed or moved on by a step in time.
// SPDX-License-Identifier: MIT
//
// Implicit, so stiff segments are no trouble: the matrix is block tridiagonal and solved in one sweep (Kass,
// "Introduction to continuum dynamics for computer graphics", 1993). Compressed springs would make it indefinite: the
// negative part across them is left out. The part across stretched ones is T / L with the tension T that the last
// solution foresees, not the one that the present stretch has: a step across a nearly rigid spring stretches it by a
// second-order error, whose tension would then hold back the next one.
#pragma once

#include "solve/block_matrix.h"

// ---------------------------------------------------------------------------------------------------------------
// Ellipsoids that pull the vertices of a line, push them, or keep them out.
//
// After Aubel, Thalmann, "Realistic deformation of human body shapes", 2000, who add attracting and repelling force
// fields to a line's springs. Explicit forces jitter; these come with a matrix for an implicit step, never negative,
// and solid ones are projected out of as well.

typedef enum supLineFieldKind
{
    sup_fieldToSurface, ///< pulls to the surface; repelling: to the surface at `reach`
    sup_fieldToCenter,  ///< a density ( 1 - ( r / reach )^2 )^2; repelling: away
} supLineFieldKind;

typedef struct supLineField
{
    supMat34d fromUnit; ///< the unit ball to the ellipsoid: columns are axes, t the centre
    supMat34d toUnit;   ///< its inverse
    supLineFieldKind kind;
    double stiffness;     ///< N/m; below 0 repels
    double reach;         ///< how far it acts, in radii
    double smallest;      ///< radius. Metres
    bool solid;           ///< vertices are kept out
    double barrier;       ///< N/m with which it keeps them out before they are projected
    const supVec3* sides; ///< of each vertex: on which side it belongs, a direction of the unit ball, or zero
    uint8_t* around;      ///< of each vertex: it was brought to the front in the last start; NULL: no memory
} supLineField;

/// Adds a field's pull on a point and the matrix that goes with it (minus the force's derivative, its negative part
/// left out).
void supLineField_Add( const supLineField* field, supVec3d at, supVec3d* force, supSym3* matrix );
/// How deep inside the ellipsoid a vertex is, along the way out, which is of unit length; below 0 outside. Metres
double supLineField_Depth( const supLineField* field, int32_t vertex, supVec3d at, supVec3d* way );
/// Adds a spring that pulls by `distance` along `way`, of unit length.
void supAddSpring3( supVec3d way, double distance, double stiffness, supVec3d* force, supSym3* matrix );

/// Brings free vertices that stand in or behind a solid field, as seen from the side where they belong, to its front: a
/// start from which the line relaxes around it on the right side. A vertex that came behind it stays in front until it
/// comes out there itself: it may have left the field's shadow on the other side, where the line would flip over.
/// Gives whether any vertex was brought.
bool supStartLine( const supLineField* fields, int32_t fieldCount, const bool* bound, int32_t count, supVec3d* line );
/// Takes the free vertices out of all solid fields: one after the other, again where fields overlap. Gives how deep the
/// deepest still is, as a share of its field's smallest radius.
double supProjectLine(
    const supLineField* fields, int32_t fieldCount, const bool* bound, int32_t count, supVec3d* line );
/// How many segments pass through solid fields, deeper than `share` of the smallest radius.
int32_t supCountCuts(
    const supLineField* fields, int32_t fieldCount, const supVec3d* line, int32_t count, double share );

// ---------------------------------------------------------------------------------------------------------------
// The line.

enum
{
    sup_mostLineNodes = 64,
    sup_mostLineFields = 64,
};

/// What does not change while it is solved. Arrays have `count` entries; those of segments one less.
typedef struct supSpringLine
{
    int32_t count;           ///< 2 to sup_mostLineNodes
    const bool* bound;       ///< stays where it is
    const double* stiffness; ///< of segments. N/m, above 0
    const double* lengths;   ///< of segments, without tension. Metres
    const double* masses;    ///< kg; read by steps in time alone
    const supVec3d* loads;   ///< N
    /// Springs that hold a vertex at a place across the line, not along it. N/m; NULL: none
    const double* holds;
    const supVec3d* places;
    int32_t fieldCount; ///< sup_mostLineFields at most
    const supLineField* fields;
    const int32_t* numbers; ///< of vertices in the fields' arrays, where they are others than here; NULL: they are not
} supSpringLine;

typedef struct supLineResult
{
    int32_t rounds; ///< linear systems solved, those of shorter lines included
    double moved;   ///< the largest correction of the last round. Metres
} supLineResult;

/// Balance of all forces, from where `at` is. Stops when nothing moves by more than `tolerance`, or after `mostRounds`.
/// Lines of more than twelve segments that no solid field bends begin as shorter ones (solve/line_levels.h), each of
/// which has as many rounds.
supLineResult supSpringLine_Relax( const supSpringLine* line, double tolerance, int32_t mostRounds, supVec3d* at );
/// The same for a line that is near its balance, or on its way there: no shorter ones.
supLineResult supSpringLine_GoOn( const supSpringLine* line, double tolerance, int32_t mostRounds, supVec3d* at );

/// dt seconds on, by the implicit Euler method: stable for any stiffness and any dt > 0. Bound vertices must stand
/// where they are at its end, free ones where they were at its start. `damping`: rate at which speeds fade. 1 / s
supLineResult supSpringLine_Step( const supSpringLine* line, double dt, double damping, double tolerance,
    int32_t mostRounds, supVec3d* at, supVec3d* speeds );
