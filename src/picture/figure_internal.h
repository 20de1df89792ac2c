// SPDX-License-Identifier: MIT
#pragma once

#include "picture/overlay.h"
#include "picture/stage_internal.h"

/// One mesh as it is drawn.
typedef struct supFigureMesh
{
    int32_t firstVertex, vertexCount, firstIndex, indexCount;
    supMaterial material; ///< names and images resolved away
    GLuint texture;       ///< 0: none
    bool hasNormals;      ///< in the file
} supFigureMesh;

struct supFigure
{
    supStage* stage;
    const supCharacter* character;
    int32_t vertexCount, meshCount, indexCount;
    supFigureMesh* meshes;
    GLuint array;
    GLuint movingBuffer; ///< positions, normals: one block after the other
    GLuint lookBuffer;   ///< texture coordinates, colours
    GLuint paintBuffer;  ///< colours of an overlay
    GLuint indexBuffer;  ///< 32 bit, of all meshes, from 0 in each
    GLuint sortedBuffer; ///< indices of one blended mesh, back to front
    GLuint* textures;    ///< one an image; 0: not used or not to be had
    int32_t textureCount;
    // Scratch of a picture
    supMat34* palette;
    float* positions;
    float* normals;
    uint8_t* mirrored;
    float* faceSums;   ///< 3 a vertex: normals of its own faces, summed
    int32_t* weldNext; ///< the next vertex of the same mesh and place; leads around
    uint32_t* sortedIndices;
    uint64_t* sortKeys;
};

/// Hands this frame's positions and normals to the driver.
void supFigure_Upload( supFigure* figure, const supShape* shape );
/// Draws the skin of several actors, opaque first, blended last from back to front.
void supStage_DrawSkins( supStage* stage, const supView* view, const supCamera* camera, const supActor* actors,
    int32_t actorCount, const supOverlay* overlays );
void supStage_DrawWireframes(
    supStage* stage, const supView* view, const supCamera* camera, const supActor* actors, int32_t actorCount );
/// Uniforms of a material that shadows need too.
void supSetSurface( const supGl* gl, GLuint program, const supFigureMesh* mesh );
