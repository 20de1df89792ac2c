// Muscles, compiled: what does not move.
// SPDX-License-Identifier: MIT
//
// Aubel, Thalmann, "Realistic deformation of human body shapes", 2000: a muscle is an action line, a polyline from
// origin to insertion, and a form that hangs on it.
//
//     muscle   o-----o-----o-----o-----o      one line of `vertexCount` vertices
//     strands  =========================      one (fusiform, flat, mesh) or several (bellies), each with the same
//              =========================      number of vertices as the line, placed beside it
//
// Arrays over all muscles stand one after the other: a muscle's line begins at `firstVertex`, its strands at
// `firstStrand`; strand k of muscle m has its vertices at firstStrandVertex + k * vertexCount.
#pragma once

#include "layers/layer.h"

enum
{
    sup_mostLineVertices = 64, ///< of one line
};

/// A vertex of a line at rest, and what carries it.
typedef struct supLineBinding
{
    int32_t joint, other;     ///< `other` is `joint` where there is one alone
    float share;              ///< of the other
    supVec3 inJoint, inOther; ///< in the frames of both
    supVec3 rest;             ///< model space at rest
    bool free;
} supLineBinding;

/// An ellipsoid: a force field, a part of the flayed body that fills a gap, or both.
typedef struct supEllipsoid
{
    int32_t muscle; ///< whose `fields` it stands in
    int32_t joint;
    supMat34 inJoint; ///< its axes, of the length of its radii, and its centre, in the joint's frame
    float smallest;   ///< radius. Metres, at rest
    int32_t kind;     ///< supForceFieldKind
    float pull, reach;
    bool solid;
    bool fills; ///< part of the flayed body: it belongs to a filler
} supEllipsoid;

typedef struct supMuscle
{
    const char* name;
    int32_t shape;                    ///< supMuscleShape
    int32_t firstVertex, vertexCount; ///< of its line; none: a filler
    int32_t firstStrand, strandCount;
    int32_t firstStrandVertex;              ///< of the first strand
    int32_t firstEllipsoid, ellipsoidCount; ///< its own `fields`
    int32_t firstForce, forceCount;         ///< stretch of `forces`: all ellipsoids that act on its line
    float restLength;                       ///< of the line. Metres
    float restVolume;                       ///< of the form. m^3
    float mass;                             ///< kg
} supMuscle;

typedef struct supMuscles
{
    int32_t count;
    supMuscle* muscles;

    // lines
    int32_t vertexCount;
    supLineBinding* bindings;
    float* restLengths; ///< of the segment from vertex i to the next; 0 for the last of a line. Metres
    float* stiffness;   ///< of the same, for the muscle's own stiffness of 1. 1 / m, times the line's length
    float* along;       ///< place of a vertex along its line at rest, 0 to 1

    // forms
    int32_t strandCount, strandVertexCount;
    float* restWidths; ///< half breadth of a strand's section at rest. Metres
    float* restDepths; ///< half thickness
    float* offsets;    ///< of a strand's vertex from the line, along the section's breadth. Metres
    float* sharpness;  ///< of the strand's segment from this vertex to the next

    int32_t ellipsoidCount;
    supEllipsoid* ellipsoids;
    int32_t* forces; ///< indices of ellipsoids

    size_t blockSize;
} supMuscles;
