// The layer of muscles: action lines and the forms that hang on them. It moves no skin by itself: layers after it read
// where the muscles are (muscle_frame.h).
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"
#include "layers/muscles/muscle_data.h"
#include "layers/muscles/muscle_frame.h"

extern const supLayer sup_musclesLayer;

supResult supCompileMuscles(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );

// Muscles as parts that tense, for layers above them.

int32_t supTensingMuscleCount( const void* compiled );
const char* supTensingMuscleName( const void* compiled, int32_t part );
bool supMuscleDistances( const supEarlierLayer* self, const supLayerContext* context, const supVec3* points,
    int32_t pointCount, float* out );
void supMuscleTensions( const supEarlierLayer* self, float* out );

/// Pictures: "muscles" are their forms, "lines" their lines, "fields" what pulls on these.
void supDrawMuscles( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );

// ---------------------------------------------------------------------------------------------------------------
// Sections across an action line: bisecting planes, and frames carried along without twist, or with twist springs.

/// Normals of the planes that bisect a line's segments; at its ends those of the segments.
void supLineNormals( const supVec3* line, int32_t count, supVec3* normals );
/// The way across: `first`, put at right angles to the first normal, carried from plane to plane by the smallest turns.
void supCarryWide( supVec3 first, const supVec3* normals, int32_t count, supVec3* wide );
/// Frames of all vertices of a muscle's line: normals and ways across, with the twist that its springs share out.
void supMuscleSections( const supMuscles* muscles, const supMuscle* muscle, const supMat34* joints, const supVec3* line,
    float twist, supVec3* normals, supVec3* wide );

// ---------------------------------------------------------------------------------------------------------------
// Action lines at rest: points on joints, divided into segments.

/// How many vertices the line of a muscle has; 0: none.
int32_t supCountLineVertices( const supMuscleDef* def );
/// Looks up the joints of a muscle's points and puts them at rest.
supResult supBindLinePoints(
    const supCharacter* character, const supMuscleDef* def, int32_t item, supLineAnchor* anchors, supError* error );
/// Divides the way between the points: all of a line's vertices, with lengths and joints.
void supDivideLine( const supCharacter* character, const supMuscleDef* def, const supLineAnchor* anchors,
    supMuscle* muscle, supLineVertex* vertices );
/// Where a point is in a pose.
supVec3 supAnchorPlace( const supLineAnchor* anchor, const supMat34* joints );

// ---------------------------------------------------------------------------------------------------------------
// Meshes of muscles: made around strands, or the user's, hung between the planes across its line.

enum
{
    sup_ringSides = 16, ///< of a strand's mesh
};

/// The corners of a strand's section.
void supStrandRing( const supStrandVertex* vertex, supVec3 ring[sup_ringSides] );

/// Hangs a user's mesh on its muscle's line as it stands in `rest`, and measures from it how thick the muscle is.
void supHangMesh( const supMuscleDef* def, const supMuscleFrame* rest, supMuscle* muscle, supMuscles* muscles );
/// Where a vertex of it is: both planes carry it, and it is between.
supVec3 supHungVertex( const supMeshHang* hang, const supStrandVertex* strand );

/// The volume of a muscle's form: its mesh, or the sum of its strands. m^3
double supMuscleVolume( const supMuscles* muscles, const supMuscle* muscle, const supMuscleFrame* now );

// ---------------------------------------------------------------------------------------------------------------
// Action lines that move: the layer's state, stepped.

/// What became of one muscle's line at the last step.
typedef struct supLineReport
{
    int32_t rounds;  ///< of the relaxation
    bool settled;    ///< it came to an end
    float activated; ///< contraction that its motion calls for, 0 to 1
} supLineReport;

// Shown floats: three a vertex of every line, its displacement from its bound place in the frame of its joint; then one
// a muscle, the contraction that its own motion activates.
int32_t supMusclesShownCount( const void* compiled );
size_t supMusclesStateSize( const void* compiled );
void supResetMuscles( const void* compiled, void* state, float* shown );
void supStepMuscles( const void* compiled, void* state, const supLayerFrame* frame, float* shown );
void supTeleportMuscles( const void* compiled, void* state, supMat34 motion );
void supAdoptMuscles( const void* compiled, void* state, const supLayerFrame* frame, float* shown,
    const void* oldCompiled, const void* oldState, const float* oldShown );
void supTunedMuscle( const void* compiled, void* state, const float* live, int32_t item );
bool supMusclesAreAtRest( const void* compiled, const void* state );
const supLineReport* supMuscleLineReport( const supMuscles* muscles, const void* state, int32_t muscle );
