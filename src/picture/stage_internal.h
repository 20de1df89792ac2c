// SPDX-License-Identifier: MIT
#pragma once

#include "base/math.h"
#include "picture/gl_api.h"
#include "supple/picture.h"

enum
{
    sup_shadowSize = 256, ///< pixels of the shadow's picture; blurred, so that more would not be seen
};

/// What is drawn into: samples, then their average in a plain texture-free buffer to read from. Kept from picture to
/// picture.
typedef struct supTarget
{
    int32_t width, height;
    GLuint sampled, resolved; ///< framebuffers
    GLuint sampledColor, sampledDepth, resolvedColor;
} supTarget;

/// Where a frame's shadow lies in its picture: the middle along the figure's left and front, half the sides. Metres.
typedef struct supShadowBox
{
    float center[2], half[2];
} supShadowBox;

struct supStage
{
    supGl gl;
    int32_t maxSize;
    int32_t samples;
    char driver[128];
    supTarget target;
    GLuint skinProgram, shadowProgram, blurProgram, backgroundProgram, groundProgram, overlayProgram;
    GLuint emptyArray; ///< vertex array for what makes its corners from gl_VertexID
    GLuint overlayArray, overlayBuffer;
    GLuint shadowImages[2], shadowFrames[2];
    uint8_t* readback;
    size_t readbackSize;
};

/// Camera in numbers that drawing needs, all of them from a view.
typedef struct supCamera
{
    float viewProjection[16]; ///< column major
    supVec3 right, up, back;
    supVec3 axes[3];        ///< the figure's left, up and front: the ground lies across the second
    supVec3 key, fill, rim; ///< directions towards the lights
    supVec3 shadow;         ///< towards the light that throws the shadow: the key, never so low that shadows grow long
    int32_t width, height;  ///< of the target, supersampling included
    float scale;            ///< target pixels in one of the picture's
} supCamera;

supCamera supMakeCamera( const supView* view, int32_t supersample );

/// A point or direction along the figure's axes.
static inline supVec3 supCamera_Along( const supCamera* camera, supVec3 v )
{
    return ( supVec3 ){ supDot( camera->axes[0], v ), supDot( camera->axes[1], v ), supDot( camera->axes[2], v ) };
}

/// Compiles and links; on failure the driver's log is in the error.
supResult supCompileProgram( const supGl* gl, const char* name, const char* vertex, const char* fragmentPart,
    const char* fragment, GLuint* out, supError* error );

/// Makes the target at least of this size; gives back its framebuffers bound for drawing.
supResult supStage_PrepareTarget( supStage* stage, int32_t width, int32_t height, supError* error );

// Parts of a picture, in the order in which they are drawn
void supStage_DrawBackground( supStage* stage, const supView* view );
/// Draws and blurs the shadow of all actors; gives where it lies.
supShadowBox supStage_DrawShadow(
    supStage* stage, const supView* view, const supCamera* camera, const supActor* actors, int32_t actorCount );
void supStage_DrawGround( supStage* stage, const supView* view, const supCamera* camera, supShadowBox box );

/// One value for a uniform by name; unknown names are passed over by OpenGL.
static inline GLint supUniform( const supGl* gl, GLuint program, const char* name )
{
    return gl->GetUniformLocation( program, name );
}
