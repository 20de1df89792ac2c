// Supple: what there is to see. Layers describe themselves in lines, points and scalars on vertices; whoever can draw
// these (the picture library, the studio, Blender) can show every layer, present and future, and needs to know none of
// them.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// Linear RGB and straight alpha, 0 to 1.
typedef struct supColor
{
    float r, g, b, a;
} supColor;

/// A corner of a triangle.
typedef struct supDrawCorner
{
    supVec3 at;
    supVec3 normal; ///< zero: as the triangle itself faces
    supColor color;
} supDrawCorner;

/// Callbacks of the host's; any may be NULL. Positions in model space, sizes in pixels. Text is UTF-8 and dies with the
/// call.
typedef struct supDraw
{
    void ( *line )( supVec3 from, supVec3 to, supColor color, float width, void* user );
    void ( *point )( supVec3 at, supColor color, float diameter, void* user );
    /// Triangles, three corners each, drawn over the skin (muscles, écorché).
    void ( *triangles )( const supDrawCorner* corners, int32_t triangleCount, void* user );
    /// One value a vertex of the whole character, 0 to 1, on the skin: black to white.
    void ( *scalars )( const float* values, int32_t vertexCount, void* user );
    /// One colour a vertex of the whole character.
    void ( *colors )( const supColor* values, int32_t vertexCount, void* user );
    void ( *label )( supVec3 at, const char* text, supColor color, void* user );
    void* user;
} supDraw;
