// Muscles, compiled: what does not move.
// SPDX-License-Identifier: MIT
//
// Aubel, Thalmann, "Realistic deformation of human body shapes", 2000: a muscle is an action line, a polyline from
// origin to insertion, and a form that hangs on it.
//
//     points   o-----------o-----------o      as given, each on its joint (or two)
//     line     o--+--+--+--o--+--+--+--o      divided further: `vertexCount` vertices; bound, they lie on the straight
//                                             way between their two points
//     strands  =========================      one (fusiform, flat, mesh) or several (bellies), each with as many
//              =========================      vertices as the line, beside it
//
// Arrays over all muscles stand one after the other: a muscle's line begins at `firstVertex`, its strands at
// `firstStrand`; strand k of muscle m has its vertices at firstStrandVertex + k * vertexCount.
#pragma once

#include "layers/layer.h"

enum
{
    sup_mostLineVertices = 64, ///< of one line
    sup_mostLineForces = 32,   ///< ellipsoids that act on one line
};

/// The live fields, in the order of the table.
typedef enum supMuscleLive
{
    sup_muscleSharpness,
    sup_muscleTendonSharpness,
    sup_muscleMotion,
    sup_muscleFree,
    sup_muscleFreeFrom,
    sup_muscleFreeTo,
    sup_muscleFrequency,
    sup_muscleStiffness,
    sup_muscleTendonStiffness,
    sup_muscleSlack,
    sup_muscleHold,
    sup_muscleDampingRatio,
    sup_muscleDensity,
    sup_muscleGravity,
    sup_muscleGravityScale,
    sup_muscleTension,
    sup_muscleFieldScale,
    sup_muscleContraction,
    sup_muscleActivation,
    sup_muscleHolding,
    sup_muscleActivationTime,
    sup_muscleWidening,
    sup_muscleTwist,
    sup_muscleSwell,
    sup_muscleLiveCount
} supMuscleLive;

/// Live fields of a point of the line.
typedef enum supMusclePointLive
{
    sup_musclePointFree,
    sup_musclePointStiffness,
    sup_musclePointSharpness,
    sup_musclePointLiveCount
} supMusclePointLive;

/// Live fields of a force field.
typedef enum supMuscleFieldLive
{
    sup_muscleFieldKind,
    sup_muscleFieldPull,
    sup_muscleFieldReach,
    sup_muscleFieldSolid,
    sup_muscleFieldLiveCount
} supMuscleFieldLive;

/// A point of a line as given, and what carries it.
typedef struct supLineAnchor
{
    int32_t joint, other;     ///< `other` is `joint` where there is one alone
    float share;              ///< of the other
    supVec3 inJoint, inOther; ///< in the frames of both
    supVec3 rest;             ///< model space at rest. Metres
} supLineAnchor;

/// A vertex of a line.
typedef struct supLineVertex
{
    int32_t anchor;         ///< bound, it lies between this one of `anchors` and the next
    float t;                ///< how far between them, 0 to 1
    int32_t joint;          ///< whose frame its displacement is kept in
    supMat34 jointFromRest; ///< inverse of that joint's matrix at rest
    supVec3 rest;           ///< model space at rest. Metres
    bool free;              ///< may leave its bound place: no end of the line
    float along;            ///< place along the line at rest, 0 to 1
    float turn;             ///< share of the twist at the insertion that it takes, 0 to 1

    // the segment from here to the next vertex; 0 for the last of a line
    float restLength; ///< metres
    float tendon;     ///< how much of it is tendon, 0 to 1
} supLineVertex;

/// An ellipsoid: a force field, a part of the flayed body that fills a gap, or both.
typedef struct supEllipsoid
{
    int32_t muscle; ///< whose `fields` it stands in
    int32_t joint;
    supMat34 inJoint; ///< its axes, of the length of its radii, and its centre, in the joint's frame
    float smallest;   ///< radius at rest. Metres
    int32_t liveAt;   ///< of its live fields in supLayerFrame.live
    bool fills;       ///< part of the flayed body: it belongs to a filler
} supEllipsoid;

/// Where a vertex of a user's mesh hangs: between the planes of two vertices of the line.
typedef struct supMeshHang
{
    int32_t vertex;          ///< of the line, the one before it
    float t;                 ///< how far to the next one, 0 to 1
    float along, wide, deep; ///< in the frame between both planes. Metres
} supMeshHang;

typedef struct supMuscle
{
    const char* name;
    int32_t shape;                    ///< supMuscleShape
    int32_t firstAnchor, anchorCount; ///< points as given
    int32_t firstVertex, vertexCount; ///< of its line; none: a filler
    int32_t firstStrand, strandCount;
    int32_t firstStrandVertex;              ///< of the first strand
    int32_t firstEllipsoid, ellipsoidCount; ///< its own `fields`
    int32_t firstForce, forceCount;         ///< stretch of `forces`: all ellipsoids that act on its line
    int32_t firstHang, hangCount;           ///< vertices of the user's mesh
    int32_t firstCorner, triangleCount;     ///< triangles of the user's mesh
    int32_t liveAt;                         ///< of its live fields in supLayerFrame.live
    int32_t pointsAt, fieldsAt;             ///< of its points' and its fields', likewise
    supVec3 wideFirst; ///< the way of the breadth at the origin, in the first point's joint's frame
    supVec3 wideLast;  ///< the same at the insertion, carried there without twist at rest, in the last point's
    float restLength;  ///< of the line. Metres
    float bellyLength; ///< of it without tendons
    float restVolume;  ///< of the form. m^3
    float tendonRadius, bellyRadius, bellyMiddle; ///< metres, metres, place along the line
} supMuscle;

typedef struct supMuscles
{
    int32_t count;
    supMuscle* muscles;

    int32_t anchorCount, vertexCount;
    supLineAnchor* anchors;
    supLineVertex* vertices;

    // forms
    int32_t strandCount, strandVertexCount;
    float* restWidths;            ///< half breadth of a strand's section at rest. Metres
    float* restDepths;            ///< half thickness
    float* offsets;               ///< of a strand's vertex from the line, along the section's breadth. Metres
    float *asideWide, *asideDeep; ///< of the section's middle from the strand's vertex, of meshes alone. Metres
    float* restVolumes;           ///< of each strand, as supSectionsVolume has it. m^3
    int32_t hangCount, cornerCount;
    supMeshHang* hangs;
    int32_t* corners; ///< of triangles: places among a muscle's hangs

    int32_t ellipsoidCount;
    supEllipsoid* ellipsoids;
    int32_t forceCount;
    int32_t* forces; ///< indices of ellipsoids
    supVec3* sides;  ///< of each force and each vertex of its line: the side of the ellipsoid it is on at rest (unit)
    int32_t* firstSides; ///< of each force
    int32_t sideCount;   ///< of all

    supVec3 gravity;    ///< the rig's. m/s^2
    float leastSection; ///< half breadths and thicknesses are no less, whatever `swell` makes of them. Metres
    int32_t listedLive; ///< live fields of all points and fields
    size_t blockSize;
} supMuscles;

/// The live fields of a point of a muscle's line. `live`: the muscle's own.
static inline const float* supMusclePointLiveOf( const supMuscle* muscle, const float* live, int32_t point )
{
    return live + ( muscle->pointsAt - muscle->liveAt ) + (ptrdiff_t)point * sup_musclePointLiveCount;
}

/// The live fields of an ellipsoid, of any muscle. `live`: of `muscle`.
static inline const float* supMuscleFieldLiveOf(
    const supMuscle* muscle, const float* live, const supEllipsoid* ellipsoid )
{
    return live + ( ellipsoid->liveAt - muscle->liveAt );
}
