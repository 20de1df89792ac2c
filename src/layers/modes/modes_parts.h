// The parts of modes: vertices that move together.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/modes/modes.h"

/// What patterns are measured in: the element's frame, half the bone's length, and the largest distance from it.
typedef struct supPatternFrame
{
    supMat34 frame;
    float halfLength, radius; ///< metres
} supPatternFrame;

/// `rest`: positions of the whole character.
supPatternFrame supMakePatternFrame( const supElementView* element, const float* rest );
/// The pattern at a point, from -1 to 1.
float supPatternAt( const supPatternFrame* frame, int32_t pattern, supVec3 point );

/// Lays out parts, vertices and weights of modes that are compiled. `names`: room for the parts' names. Gives how many
/// vertices all parts have together.
int32_t supMakeModeParts( const supLayerContext* context, supModes* modes, char* names );

int32_t supModePartCount( const void* compiled );
supMotionView supModePartView( const void* compiled, int32_t index );
void supModePartsAt( const void* compiled, const supMat34* joints, const float* shown, supSkinMotion* out );
void supApplyModes( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );
void supDrawModes( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );
