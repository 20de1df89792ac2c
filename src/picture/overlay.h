// SPDX-License-Identifier: MIT
#pragma once

#include "picture/stage_internal.h"

/// A corner of a line's or a point's square, or of a triangle, as the driver gets it.
typedef struct supOverlayVertex
{
    float position[4]; ///< clip space
    float color[4];    ///< linear, straight alpha
    float round[3];    ///< across, along, radius in pixels; radius 0: filled evenly
} supOverlayVertex;

typedef struct supOverlayList
{
    supOverlayVertex* items;
    int32_t count, capacity;
} supOverlayList;

enum
{
    sup_maxLabelText = 64
};

typedef struct supOverlayLabel
{
    supVec3 at;
    supColor color;
    char text[sup_maxLabelText];
} supOverlayLabel;

/// What an actor's overlay callback has drawn, gathered until the picture's turn for it comes.
typedef struct supOverlay
{
    const supCamera* camera;
    supVec3 offset;
    int32_t vertexCount; ///< of the figure
    supColor* paint;     ///< one a vertex, or NULL: not painted
    supOverlayList strokes, triangles;
    supOverlayLabel* labels;
    int32_t labelCount, labelCapacity;
    bool failed; ///< out of memory
} supOverlay;

/// Runs an actor's callback. `overlay` must be released with supOverlay_Release.
void supOverlay_Gather( supOverlay* overlay, const supCamera* camera, const supActor* actor, int32_t vertexCount );
void supOverlay_Release( supOverlay* overlay );
/// Triangles over the skin, then lines and points: dimmed where something stands before them.
void supStage_DrawOverlays( supStage* stage, const supOverlay* overlays, int32_t count );
/// Labels, on the finished picture.
void supDrawLabels( const supView* view, const supOverlay* overlays, int32_t count, supPixels* pixels );
