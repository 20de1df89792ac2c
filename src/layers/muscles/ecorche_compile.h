// The écorché's layer: its functions.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "layers/muscles/ecorche_data.h"
#include "layers/muscles/implicit_surface.h"
#include "layers/muscles/muscle_data.h"
#include "layers/muscles/muscle_frame.h"

// ---------------------------------------------------------------------------------------------------------------
// The écorché being compiled: what its steps hand to one another.

/// The skin that the écorché lies under, at rest. One entry a vertex of the character.
typedef struct supEcorcheSkin
{
    const supCharacter* character;
    const supAllocator* allocator;
    int32_t vertexCount;
    const supVec3* rest;
    const int32_t* welds;
    int32_t* parts;   ///< the joint that carries most of it; -1: no skin, or a mesh that is left out
    supVec3* normals; ///< by the triangles' areas, those of seams together; not of unit length
    float* areas;     ///< m^2
    size_t blockSize;
} supEcorcheSkin;

/// Meshes by name; none: all that have a skin. NULL: no memory.
supEcorcheSkin* supReadEcorcheSkin(
    const supCharacter* character, const supNameList* meshes, const supAllocator* allocator );
/// The influences of a vertex.
supRayHold supEcorcheSkin_Hold( const supEcorcheSkin* skin, int32_t vertex );
/// Corners of the triangle whose first index is the mesh's `first`, those of seams as one. False: it is left out.
bool supEcorcheSkin_Corners( const supEcorcheSkin* skin, const supMeshView* mesh, int32_t first, int32_t c[3] );

/// A line inside the body, and the joints whose skin is around it.
typedef struct supCoreLine
{
    int32_t jointA, jointB;
    supVec3 a, b; ///< model space at rest
} supCoreLine;

/// `lines`: of supCoreLine, grows. False: no memory.
bool supDrawCore( const supEcorcheSkin* skin, supArray* lines );

/// The écorché's mesh on the skin: which vertices rays end on, and triangles of them.
typedef struct supEcorcheMesh
{
    int32_t rayCount, triangleCount;
    int32_t* vertices;  ///< neighbours next to one another
    int32_t* triangles; ///< places in `vertices`
    size_t blockSize;
} supEcorcheMesh;

/// About `rays` vertices spread evenly, or all where there are fewer. NULL: no memory.
supEcorcheMesh* supMakeEcorcheMesh( const supEcorcheSkin* skin, int32_t rays );

// ---------------------------------------------------------------------------------------------------------------
// Compiling.

supResult supCompileEcorche(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
void supDestroyEcorche( void* compiled, const supAllocator* allocator );

/// What each vertex of the skin follows. `fades` and `vertices` of the écorché must be there. False: no memory.
bool supBindEcorche( const supEcorcheSkin* skin, const supEcorche* ecorche, float falloff, supArray* vertices,
    supArray* firsts, supArray* rays, supArray* weights );

int32_t supEcorcheTouched( const void* compiled, const int32_t** vertices );
size_t supEcorcheScratch( const void* compiled );
void supApplyEcorche( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );
void supDrawEcorche( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );

int32_t supEcorcheShownCount( const void* compiled );
size_t supEcorcheStateSize( const void* compiled );
void supResetEcorche( const void* compiled, void* state, float* shown );
void supStepEcorche( const void* compiled, void* state, const supLayerFrame* frame, float* shown );
void supTeleportEcorche( const void* compiled, void* state, supMat34 motion );
void supAdoptEcorche( const void* compiled, void* state, const supLayerFrame* frame, float* shown,
    const void* oldCompiled, const void* oldState, const float* oldShown );
bool supEcorcheIsAtRest( const void* compiled, const void* state );
void supTunedEcorche( const void* compiled, void* state, const float* live, int32_t item );

/// How well the rays of a step's end lie on the surface.
typedef struct supEcorcheAudit
{
    int32_t rays;     ///< of the écorché
    int32_t outside;  ///< that stay on the skin: muscles come far through it there, at rest
    int32_t followed; ///< near muscles
    int32_t lost;     ///< that kept their last place
    float farthest;   ///< every other ray has the surface within this, on both sides of it. Share of the size
} supEcorcheAudit;

/// Looks again at every ray that was followed: the value must be above zero a little before its hit and below zero a
/// little after. The state is that of a step; its `pieces` and maps are still there.
supEcorcheAudit supAuditEcorche( const void* compiled, void* state );

/// One byte a ray: whether it kept its last place in the last step.
const uint8_t* supEcorcheLost( const void* compiled, void* state );

/// Maps of all joints from rest to a pose.
void supCarryJoints( const supEcorche* ecorche, const supMat34* joints, supMat34* carried );
/// A ray's own map: its joints' maps, blended by the skin's weights.
supMat34 supCarryRay( const supRayHold* hold, const supMat34* carried );

// ---------------------------------------------------------------------------------------------------------------
// The pieces of the écorché's surface in a pose: strands of muscles, and ellipsoids.

/// Strands' segments, then ellipsoids that fill. `muscles` may be NULL: none.
int32_t supCountPieces( const supMuscles* muscles );
/// The former alone.
int32_t supCountSegments( const supMuscles* muscles );
/// `now`: of these muscles.
void supPlacePieces( const supMuscles* muscles, const supMuscleFrame* now, const float* live, supImplicitReady* out );
/// The joints that carry a piece, and its muscle. Gives how many.
int32_t supPieceJoints( const supMuscles* muscles, int32_t piece, int32_t* muscle, int32_t joints[4] );

// ---------------------------------------------------------------------------------------------------------------
// Muscles that lie beside the body instead of in it.

/// The piece that lies farthest outside.
typedef struct supStrayBlob
{
    int32_t piece;  ///< -1: none
    supVec3 at;     ///< its middle, model space at rest
    float distance; ///< from there to the skin. Metres
} supStrayBlob;

/// Looks for pieces whose middle is outside the skin and farther than `tolerance` from it: rays from the bones meet
/// those that come through the skin, and pass these by. False: no memory.
bool supFindStrayBlob( const supEcorcheSkin* skin, const supImplicitReady* pieces, int32_t pieceCount, float tolerance,
    supStrayBlob* out );
