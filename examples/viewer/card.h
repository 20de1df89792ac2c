// What the viewer needs of SDL and OpenGL, and nothing of Supple: a window, two programs, a panel of bars and words.
// SPDX-License-Identifier: MIT
#pragma once

#define GL_GLEXT_PROTOTYPES 1
#include <SDL.h>
#include <SDL_opengl.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct supCard
{
    int width, height; ///< pixels
    SDL_Window* window;
    SDL_GLContext context;
    /// Draws triangles: skinned by the palette, or as they come. Uniforms: palette, skinned, place, view, tint, faceted
    GLuint program;
    GLuint paletteBuffer, paletteTexture; ///< three texels a matrix: its rows
    GLuint panelProgram, panelBuffer, panelArray;
    float* panel; ///< x, y, red, green, blue
    int32_t panelCount;
} supCard;

/// Ends the program with a line on stderr.
void supStop( const char* words );
/// Zeroed memory; ends the program where there is none.
void* supGet( size_t count, size_t size );

/// `width` and `height` are set already. Hidden: for pictures.
void supOpenCard( supCard* card, bool hidden );
void supCloseCard( supCard* card );
/// An attribute of the bound vertex array from the bound buffer; joints (GL_UNSIGNED_SHORT) stay whole numbers.
void supSetAttribute( GLuint index, int count, GLenum type, size_t stride, size_t at );

/// Bars and words of the next frame, in pixels from the top left.
void supCard_Bar( supCard* card, float x, float y, float width, float height, float shade );
/// Letters of three by five squares.
void supCard_Words( supCard* card, float x, float y, const char* words );
void supCard_DrawPanel( supCard* card );
/// What was drawn, as a PPM file.
void supCard_WriteShot( const supCard* card, const char* path );
