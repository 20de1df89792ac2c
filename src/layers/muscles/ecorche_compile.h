// The écorché's layer: its functions.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/muscles/ecorche_data.h"
#include "layers/muscles/ecorche_work.h"
#include "layers/muscles/muscle_data.h"

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
/// The points of the écorché in a pose. `scratch`: a matrix a joint.
void supEcorchePoints(
    const supEcorche* ecorche, const supMat34* joints, const float* shown, supMat34* scratch, supVec3* points );
