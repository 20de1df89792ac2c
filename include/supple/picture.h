// Supple: pictures of characters, drawn without a window (library supple_picture). EGL and OpenGL 3.3 are looked for
// when a stage is made, not before: a program that links this runs on machines that have neither.
// SPDX-License-Identifier: MIT
//
//     supStage* stage;    supCreateStage( &stage, &error );
//     supFigure* figure;  supCreateFigure( stage, character, look, log, &figure, &error );
//     supPose_Sample( pose, clip, time );
//     supShape shape = supFigure_Pose( figure, supPose_Joints( pose ), supPose_MorphWeights( pose ) );
//     supActor actor = supDefaultActor( figure, shape );
//     supView view = supDefaultView();
//     supFraming framing = supBeginFraming( &view );
//     supFraming_Add( &framing, shape.positions, supFigure_VertexCount( figure ), supVec3_zero );
//     supFraming_End( &framing, &view );
//     supPixels pixels;   supCreatePixels( view.width, view.height, &pixels, &error );
//     supStage_Draw( stage, &view, &actor, 1, &pixels, &error );
#pragma once

#include "supple/base.h"
#include "supple/character.h"
#include "supple/draw.h"
#include "supple/look.h"
#include "supple/pixels.h"

// ---------------------------------------------------------------------------------------------------------------
// The stage: a driver's context and what is drawn into

/// Used by one thread at a time. Stages are independent of one another.
typedef struct supStage supStage;

/// Makes a context without a window. Where there is no driver, the text says which packages bring one.
SUP_API supResult supCreateStage( supStage** out, supError* error );
SUP_API void supDestroyStage( supStage* stage );
/// The largest side of a picture that the driver can draw. Pixels.
SUP_API int32_t supStage_MaxSize( const supStage* stage );
/// The driver's own name, "llvmpipe (LLVM 15.0.6, 256 bits)".
SUP_API const char* supStage_Driver( const supStage* stage );

// ---------------------------------------------------------------------------------------------------------------
// Figures: a character's topology and look, in the driver's memory

typedef struct supFigure supFigure;

/// `look` may be NULL: plain clay. The character must outlive the figure, the look need not. An image that is missing
/// or cannot be decoded is said once to `log`, and the base colour is used.
SUP_API supResult supCreateFigure(
    supStage* stage, const supCharacter* character, const supLook* look, supLog log, supFigure** out, supError* error );
SUP_API void supDestroyFigure( supFigure* figure );
SUP_API int32_t supFigure_VertexCount( const supFigure* figure );

/// Where the skin is: what is drawn. Arrays of the caller's (or the figure's own, see supFigure_Pose).
typedef struct supShape
{
    const float* positions; ///< 3 per vertex of the whole character, in model space. Metres
    const float* normals;   ///< 3 per vertex; NULL: computed from the positions, smooth across welds
    /// One a mesh: 1 where a mirroring transform has turned its triangles over; NULL: none
    const uint8_t* mirrored;
} supShape;

/// Smooth skin at these joints (model space, as a pose gives them). Where the file has no normals they are computed.
/// The arrays are the figure's own and good until the next call. Allocates nothing.
SUP_API supShape supFigure_Pose( supFigure* figure, const supMat34* joints, const float* morphWeights );

// ---------------------------------------------------------------------------------------------------------------
// Views: a camera, a background, a size

typedef struct supView
{
    int32_t width, height; ///< pixels. Default 960 x 720
    int32_t supersample;   ///< draws this many times larger in both directions and averages; 1 to 4. Default 1

    /// Where the figure looks, and which way is up: unit vectors at right angles. Angles count from there, the ground
    /// lies across `up`. Default +z and +y
    supVec3 front, up;
    /// How far the camera has walked around the figure: 0 sees its front (from +z), pi/2 its left side (from +x).
    /// Radians. Default 0.6
    float yaw;
    float pitch;       ///< how far it looks down; above -pi/2 and below pi/2. Radians. Default 0.2
    float fieldOfView; ///< from top to bottom. Radians; 0: parallel projection. Default 0.5
    /// What framing leaves free at each border, as a share of the shorter side; 0 to 0.4. Default 0.06
    float margin;

    supVec3 eye; ///< where the camera stands. Metres. Set by supFraming_End
    /// What a parallel projection shows from top to bottom. Metres. Set by supFraming_End
    float parallelHeight;
    float nearest, farthest; ///< clipping distances before the eye. Metres. Set by supFraming_End

    supColor top, bottom; ///< the background, blended downwards; alpha 0 gives a picture with an alpha channel
    bool ground;          ///< a floor with a grid and a soft shadow. Default true
    float groundHeight;   ///< of the floor, along `up`. Metres. Set by supFraming_End to the lowest point
    float groundSize;     ///< how far the floor reaches; scales grid and shadow. Metres. Set by supFraming_End
    supVec3 groundCenter; ///< Set by supFraming_End
} supView;

SUP_API supView supDefaultView( void );

/// Gathers what must be seen: the tightest camera position for exactly these points is found, not one for a box around
/// them.
typedef struct supFraming
{
    supVec3 right, up, back; ///< of the camera
    float support[4];        ///< how far points reach past planes parallel to the picture's four sides
    float backMost, frontMost;
    supVec3 axes[3];          ///< the view's left, up and front
    supVec3 lower, upper;     ///< along these
    float tangentX, tangentY; ///< of half the field of view, less the margin; 0: parallel
    int64_t count;
} supFraming;

SUP_API supFraming supBeginFraming( const supView* view );
/// Adds points, 3 floats each, moved by `offset`. Those that are not finite are passed over.
SUP_API void supFraming_Add( supFraming* framing, const float* positions, int32_t count, supVec3 offset );
/// Sets eye, clipping distances and ground of the view. With no point at all, it looks at a metre around the origin.
SUP_API void supFraming_End( const supFraming* framing, supView* view );

/// Where a point of the world falls in the picture: pixels from the upper left corner, and depth before the eye in
/// metres. False where it is behind the camera.
SUP_API bool supView_Project( const supView* view, supVec3 point, float* x, float* y, float* depth );

// ---------------------------------------------------------------------------------------------------------------
// Drawing

/// One figure in a picture.
typedef struct supActor
{
    supFigure* figure;
    supShape shape;
    supVec3 offset; ///< added to everything that is drawn for it. Metres. Default zero
    bool skin;      ///< Default true
    bool wireframe; ///< the edges of all triangles. Default false
    /// What else is to see: called once while the picture is drawn, with callbacks to draw with. NULL: nothing else.
    void ( *overlay )( const supDraw* draw, void* user );
    void* user;
} supActor;

SUP_API supActor supDefaultActor( supFigure* figure, supShape shape );

/// Draws actors into `pixels`, which must have the view's size. The same call gives the same bytes.
SUP_API supResult supStage_Draw( supStage* stage, const supView* view, const supActor* actors, int32_t actorCount,
    supPixels* pixels, supError* error );

/// Draws the joints that skins use as lines from parent to child, through any supDraw.
SUP_API void supDrawBones( const supCharacter* character, const supMat34* joints, const supDraw* draw );
