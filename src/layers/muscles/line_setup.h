// An action line in a posture, as a line of springs: stiffness, loads and fields from the muscle's numbers.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/muscles/muscle_frame.h"
#include "solve/spring_line.h"

/// A posture that lines are set up in. Model space.
typedef struct supLinePosture
{
    const supMat34* joints;
    supVec3d gravity; ///< m/s^2, of the body's, turned to model space
    uint8_t* around;  ///< memory of the fields (supLineField.around) of all lines, or NULL
} supLinePosture;

/// Arrays that a spring line points to.
typedef struct supLineSetup
{
    supSpringLine line;
    double damping; ///< 1 / s
    bool bound[sup_mostLineVertices];
    double stiffness[sup_mostLineVertices], lengths[sup_mostLineVertices];
    double masses[sup_mostLineVertices], holds[sup_mostLineVertices];
    supVec3d loads[sup_mostLineVertices], places[sup_mostLineVertices];
    supLineField fields[sup_mostLineForces];
} supLineSetup;

/// Whether a vertex of its line is free: between two points, or at a point that is, and not bound for the muscle as a
/// whole (`free`, `freeFrom`, `freeTo`).
bool supIsFreeNow( const supMuscle* muscle, const supLineVertex* vertex, const float* live );

/// `places`: where the joints carry the line's vertices. Gives whether any vertex is free.
bool supSetUpLine( const supMuscles* muscles, const supMuscle* muscle, const float* live, const supLinePosture* posture,
    const supVec3* places, supLineSetup* setup );

/// How a muscle's line passes the solid fields around it: segments that cut them by more than 1% of their smallest
/// radius, and how deep the deepest free vertex is, as a share of that radius.
void supLookAtFields( const supMuscles* muscles, const supMuscle* muscle, const float* live, const supMuscleFrame* now,
    int32_t* cuts, float* deepest );
