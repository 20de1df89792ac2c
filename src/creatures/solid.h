// Supple: a body as a signed distance field: round cones and ellipsoids that melt into one another.
// SPDX-License-Identifier: MIT
#pragma once

#include "creatures/formula.h"

#define SUP_MAX_BLOBS 160
#define SUP_MAX_SPOTS 24

typedef enum supBlobKind
{
    sup_blobCone, ///< two balls and their common tangent cone
    sup_blobEllipsoid,
} supBlobKind;

/// One piece of a body. Metres.
typedef struct supBlob
{
    supBlobKind kind;
    supVec3d a, b;       ///< the cone's ends; the ellipsoid's centre in a
    double ra, rb;       ///< the cone's radii
    supVec3d radii;      ///< the ellipsoid's
    supVec3d axes[3];    ///< the ellipsoid's, of unit length; the cone's own in the first
    double length;       ///< the cone's, from a to b
    double sine, cosine; ///< of how its side leans
    double blend;        ///< over how much of a distance it melts into the pieces before it
    bool carve;          ///< taken away instead of added
} supBlob;

/// What rules most pieces out at once: a ball around each, as wide as it melts. Apart from the pieces, so that a walk
/// over all of them reads little.
typedef struct supBall
{
    supVec3d middle;
    double reach; ///< its radius
    double sign;  ///< 1; -1 for pieces that are taken away
} supBall;

/// Where triangles are to be smaller. Metres.
typedef struct supSpot
{
    supVec3d center;
    double radius; ///< all of `size` inside, nothing of it beyond twice this
    double size;   ///< wanted length of edges
} supSpot;

/// The pieces, in the order in which they are joined. Symmetric to the plane x = 0: pieces off it come in pairs.
typedef struct supSolid
{
    int32_t blobCount, spotCount;
    double edge;           ///< wanted length of edges away from all spots
    double sole;           ///< over how much of a distance the ground, y = 0, flattens it; 0: no ground
    supVec3d lower, upper; ///< a box around all of it
    supBlob blobs[SUP_MAX_BLOBS];
    supBall balls[SUP_MAX_BLOBS]; ///< one for each piece
    supSpot spots[SUP_MAX_SPOTS];
} supSolid;

void supSolid_Init( supSolid* field, double edge );
/// A piece on the plane, or one side of a pair: with `a` off the plane the mirror image is added too.
void supSolid_Cone( supSolid* field, supVec3d a, double ra, supVec3d b, double rb, double blend );
/// `turn`: how its axes stand.
void supSolid_Ellipsoid( supSolid* field, supVec3d center, supVec3d radii, supQuatd turn, double blend );
/// Takes an ellipsoid away, with edges rounded over `blend`.
void supSolid_Carve( supSolid* field, supVec3d center, supVec3d radii, supQuatd turn, double blend );
/// Moves all pieces along z.
void supSolid_Shift( supSolid* field, double z );
/// Finer triangles, on both sides.
void supSolid_Spot( supSolid* field, supVec3d center, double radius, double size );

/// Distance to the surface, negative inside; exact for one cone, near enough close to the surface for the rest.
/// `gradient` may be NULL.
double supSolid_Distance( const supSolid* field, supVec3d p, supVec3d* gradient );
/// Wanted length of edges at a place.
double supSolid_EdgeLength( const supSolid* field, supVec3d p );
/// The nearest place on the surface, along the gradient; inside the plane x = 0 where `onPlane`.
supVec3d supSolid_Project( const supSolid* field, supVec3d p, bool onPlane );
/// How open the surface is to the outside, 0 to 1, from distances along its normal: dark in creases.
double supSolid_Openness( const supSolid* field, supVec3d p, supVec3d normal, double reach );
