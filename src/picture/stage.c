// SPDX-License-Identifier: MIT
#include "picture/gl_api.h"
#include "picture/stage_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
    sup_sampleCount = 4, ///< antialiasing samples a pixel; all that Mesa's software driver has
};

static supResult supCompilePrograms( supStage* stage, supError* error )
{
    const supGl* gl = &stage->gl;
    struct
    {
        const char *name, *vertex, *part, *fragment;
        GLuint* out;
    } const programs[] = {
        { "skin", sup_skinVertexShader, sup_surfaceShaderPart, sup_skinFragmentShader, &stage->skinProgram },
        { "shadow", sup_shadowVertexShader, sup_surfaceShaderPart, sup_shadowFragmentShader, &stage->shadowProgram },
        { "blur", sup_blurVertexShader, "", sup_blurFragmentShader, &stage->blurProgram },
        { "background", sup_blurVertexShader, "", sup_backgroundFragmentShader, &stage->backgroundProgram },
        { "ground", sup_groundVertexShader, "", sup_groundFragmentShader, &stage->groundProgram },
        { "overlay", sup_overlayVertexShader, "", sup_overlayFragmentShader, &stage->overlayProgram },
    };
    for ( size_t i = 0; i < sizeof( programs ) / sizeof( programs[0] ); ++i )
    {
        supResult result = supCompileProgram(
            gl, programs[i].name, programs[i].vertex, programs[i].part, programs[i].fragment, programs[i].out, error );
        if ( result != sup_success )
        {
            return result;
        }
    }
    return sup_success;
}

static supResult supMakeShadowFrames( supStage* stage, supError* error )
{
    const supGl* gl = &stage->gl;
    gl->GenTextures( 2, stage->shadowImages );
    gl->GenFramebuffers( 2, stage->shadowFrames );
    const float border[4] = { 0.0f, 0.0f, 0.0f, 0.0f }; // beyond the picture nothing is in the shade
    for ( int i = 0; i < 2; ++i )
    {
        gl->BindTexture( GL_TEXTURE_2D, stage->shadowImages[i] );
        gl->TexImage2D( GL_TEXTURE_2D, 0, GL_RG8, sup_shadowSize, sup_shadowSize, 0, GL_RG, GL_UNSIGNED_BYTE, NULL );
        gl->TexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR );
        gl->TexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR );
        gl->TexParameteri( GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER );
        gl->TexParameteri( GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER );
        gl->TexParameterfv( GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border );
        gl->BindFramebuffer( GL_FRAMEBUFFER, stage->shadowFrames[i] );
        gl->FramebufferTexture2D( GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, stage->shadowImages[i], 0 );
        if ( gl->CheckFramebufferStatus( GL_FRAMEBUFFER ) != GL_FRAMEBUFFER_COMPLETE )
        {
            return supFail( error, sup_errorUnsupported, "the driver (%s) cannot draw into a texture", stage->driver );
        }
    }
    return sup_success;
}

static void supAskLimits( supStage* stage )
{
    const supGl* gl = &stage->gl;
    snprintf( stage->driver, sizeof( stage->driver ), "%s", (const char*)gl->GetString( GL_RENDERER ) );
    GLint size = 0, sides[2] = { 0, 0 }, samples = 0;
    gl->GetIntegerv( GL_MAX_RENDERBUFFER_SIZE, &size );
    gl->GetIntegerv( GL_MAX_VIEWPORT_DIMS, sides );
    gl->GetIntegerv( GL_MAX_SAMPLES, &samples );
    size = sides[0] < size ? sides[0] : size;
    size = sides[1] < size ? sides[1] : size;
    stage->maxSize = size < SUP_MAX_PIXELS ? size : SUP_MAX_PIXELS;
    stage->samples = samples < sup_sampleCount ? samples : sup_sampleCount;
}

supResult supCreateStage( supStage** out, supError* error )
{
    *out = NULL;
    supStage* stage = calloc( 1, sizeof( *stage ) );
    if ( stage == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a stage" );
    }
    supResult result = supOpenGl( &stage->gl, error );
    if ( result != sup_success )
    {
        free( stage );
        return result;
    }
    supAskLimits( stage );
    result = supCompilePrograms( stage, error );
    result = result == sup_success ? supMakeShadowFrames( stage, error ) : result;
    if ( result != sup_success )
    {
        supDestroyStage( stage );
        return result;
    }
    stage->gl.GenVertexArrays( 1, &stage->emptyArray );
    stage->gl.GenVertexArrays( 1, &stage->overlayArray );
    stage->gl.GenBuffers( 1, &stage->overlayBuffer );
    *out = stage;
    return sup_success;
}

void supDestroyStage( supStage* stage )
{
    if ( stage == NULL )
    {
        return;
    }
    const supGl* gl = &stage->gl;
    gl->eglMakeCurrent( gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context );
    supStage_DestroyTarget( stage );
    gl->DeleteProgram( stage->skinProgram );
    gl->DeleteProgram( stage->shadowProgram );
    gl->DeleteProgram( stage->blurProgram );
    gl->DeleteProgram( stage->backgroundProgram );
    gl->DeleteProgram( stage->groundProgram );
    gl->DeleteProgram( stage->overlayProgram );
    gl->DeleteTextures( 2, stage->shadowImages );
    gl->DeleteFramebuffers( 2, stage->shadowFrames );
    gl->DeleteVertexArrays( 1, &stage->emptyArray );
    gl->DeleteVertexArrays( 1, &stage->overlayArray );
    gl->DeleteBuffers( 1, &stage->overlayBuffer );
    supCloseGl( &stage->gl );
    free( stage->readback );
    free( stage );
}

int32_t supStage_MaxSize( const supStage* stage )
{
    return stage->maxSize;
}

const char* supStage_Driver( const supStage* stage )
{
    return stage->driver;
}
