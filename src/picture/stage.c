// SPDX-License-Identifier: MIT
#include "picture/gl_api.h"

#include "picture/drawn_pixels.h"
#include "picture/figure_internal.h"
#include "picture/stage_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// ---------------------------------------------------------------------------------------------------------------
// What is drawn into.

static void supStage_DestroyTarget( supStage* stage )
{
    const supGl* gl = &stage->gl;
    supTarget* target = &stage->target;
    gl->DeleteFramebuffers( 1, &target->sampled );
    gl->DeleteFramebuffers( 1, &target->resolved );
    gl->DeleteRenderbuffers( 1, &target->sampledColor );
    gl->DeleteRenderbuffers( 1, &target->sampledDepth );
    gl->DeleteRenderbuffers( 1, &target->resolvedColor );
    *target = ( supTarget ){ 0 };
}

static bool supMakeFramebuffer( const supGl* gl, GLuint* frame, GLuint color, GLuint depth )
{
    gl->GenFramebuffers( 1, frame );
    gl->BindFramebuffer( GL_FRAMEBUFFER, *frame );
    gl->FramebufferRenderbuffer( GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color );
    if ( depth != 0 )
    {
        gl->FramebufferRenderbuffer( GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth );
    }
    return gl->CheckFramebufferStatus( GL_FRAMEBUFFER ) == GL_FRAMEBUFFER_COMPLETE;
}

static void supMakeBuffer(
    const supGl* gl, GLuint* buffer, GLsizei samples, GLenum format, int32_t width, int32_t height )
{
    gl->GenRenderbuffers( 1, buffer );
    gl->BindRenderbuffer( GL_RENDERBUFFER, *buffer );
    gl->RenderbufferStorageMultisample( GL_RENDERBUFFER, samples, format, width, height );
}

/// Makes what is drawn into of exactly this size. Colours are stored as sRGB, so blending happens in linear light while
/// eight bits are enough.
supResult supStage_PrepareTarget( supStage* stage, int32_t width, int32_t height, supError* error )
{
    const supGl* gl = &stage->gl;
    supTarget* target = &stage->target;
    if ( width > stage->maxSize || height > stage->maxSize )
    {
        return supFail( error, sup_errorLimit,
            "a picture of %d x %d pixels is too large for this driver (%s); at most %d per side are allowed", width,
            height, stage->driver, stage->maxSize );
    }
    if ( target->width != width || target->height != height )
    {
        supStage_DestroyTarget( stage );
        while ( gl->GetError() != GL_NO_ERROR )
        {
        }
        supMakeBuffer( gl, &target->sampledColor, stage->samples, GL_SRGB8_ALPHA8, width, height );
        supMakeBuffer( gl, &target->sampledDepth, stage->samples, GL_DEPTH_COMPONENT24, width, height );
        supMakeBuffer( gl, &target->resolvedColor, 0, GL_SRGB8_ALPHA8, width, height );
        bool ok = gl->GetError() == GL_NO_ERROR;
        ok = ok && supMakeFramebuffer( gl, &target->resolved, target->resolvedColor, 0 );
        ok = ok && supMakeFramebuffer( gl, &target->sampled, target->sampledColor, target->sampledDepth );
        if ( ok == false )
        {
            supStage_DestroyTarget( stage );
            return supFail( error, sup_errorLimit, "the driver (%s) has no memory for a picture of %d x %d pixels",
                stage->driver, width, height );
        }
        target->width = width;
        target->height = height;
    }
    gl->BindFramebuffer( GL_FRAMEBUFFER, target->sampled );
    gl->Viewport( 0, 0, width, height );
    return sup_success;
}

/// The mean of a square of premultiplied samples, in linear light, as straight alpha.
static void supAverage( const uint8_t* from, size_t stride, int32_t n, const float* linear, uint8_t* to )
{
    float sum[4] = { 0.0f, 0.0f, 0.0f, 0.0f };
    for ( int32_t y = 0; y < n; ++y )
    {
        for ( int32_t x = 0; x < n; ++x )
        {
            const uint8_t* p = from + (size_t)y * stride + 4 * (size_t)x;
            sum[0] += linear[p[0]];
            sum[1] += linear[p[1]];
            sum[2] += linear[p[2]];
            sum[3] += (float)p[3];
        }
    }
    float count = (float)( n * n );
    float alpha = sum[3] / ( 255.0f * count );
    float scale = alpha > 0.0f ? 1.0f / ( count * alpha ) : 0.0f;
    for ( int i = 0; i < 3; ++i )
    {
        to[i] = supEncodeSrgb( sum[i] * scale );
    }
    to[3] = (uint8_t)( sum[3] / count + 0.5f );
}

/// Averages samples and supersamples into `pixels`, rows from the top.
static supResult supStage_ReadTarget(
    supStage* stage, int32_t supersample, bool transparent, supPixels* pixels, supError* error )
{
    const supGl* gl = &stage->gl;
    int32_t width = stage->target.width, height = stage->target.height;
    size_t stride = 4 * (size_t)width, size = stride * (size_t)height;
    if ( size > stage->readbackSize )
    {
        uint8_t* block = realloc( stage->readback, size );
        if ( block == NULL )
        {
            return supFail( error, sup_errorMemory, "no memory for a picture of %d x %d pixels", width, height );
        }
        stage->readback = block;
        stage->readbackSize = size;
    }
    gl->BindFramebuffer( GL_READ_FRAMEBUFFER, stage->target.sampled );
    gl->BindFramebuffer( GL_DRAW_FRAMEBUFFER, stage->target.resolved );
    gl->BlitFramebuffer( 0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST );
    gl->BindFramebuffer( GL_READ_FRAMEBUFFER, stage->target.resolved );
    gl->PixelStorei( GL_PACK_ALIGNMENT, 4 );
    gl->ReadPixels( 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, stage->readback );
    if ( gl->GetError() != GL_NO_ERROR )
    {
        return supFail( error, sup_errorUnsupported, "the driver (%s) failed while drawing", stage->driver );
    }
    bool plain = supersample == 1 && transparent == false;
    float linear[256];
    supFillSrgbTable( linear );
    for ( int32_t y = 0; y < pixels->height; ++y )
    {
        uint8_t* to = pixels->data + 4 * (size_t)pixels->width * (size_t)y;
        const uint8_t* from = stage->readback + stride * (size_t)( ( pixels->height - 1 - y ) * supersample );
        if ( plain )
        {
            memcpy( to, from, stride );
            continue;
        }
        for ( int32_t x = 0; x < pixels->width; ++x )
        {
            supAverage( from + 4 * (size_t)( x * supersample ), stride, supersample, linear, to + 4 * (size_t)x );
        }
    }
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// What a stage says of itself, and its end

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

// ---------------------------------------------------------------------------------------------------------------
// A picture.

supActor supDefaultActor( supFigure* figure, supShape shape )
{
    return ( supActor ){ .figure = figure, .shape = shape, .skin = true };
}

static supResult supCheckView( const supStage* stage, const supView* view, const supPixels* pixels, supError* error )
{
    if ( view->width < 1 || view->height < 1 || view->width > stage->maxSize || view->height > stage->maxSize )
    {
        return supFail( error, sup_errorLimit,
            "a picture of %d x %d pixels cannot be drawn; this driver takes 1 to %d per side (%s)", view->width,
            view->height, stage->maxSize, stage->driver );
    }
    if ( pixels->width != view->width || pixels->height != view->height || pixels->data == NULL )
    {
        return supFail( error, sup_errorArgument, "the view is %d x %d pixels, but the image to draw into is %d x %d",
            view->width, view->height, pixels->width, pixels->height );
    }
    bool finite = isfinite( view->yaw + view->pitch + view->fieldOfView + view->eye.x + view->eye.y + view->eye.z );
    float across = supDot( view->front, view->up );
    bool square = fabsf( supDot( view->front, view->front ) - 1.0f ) < 1e-3f &&
                  fabsf( supDot( view->up, view->up ) - 1.0f ) < 1e-3f && fabsf( across ) < 1e-3f;
    if ( square == false )
    {
        return supFail( error, sup_errorArgument, "the view's front and up must be unit vectors at right angles" );
    }
    if ( finite == false || !( view->nearest > 0.0f ) || !( view->farthest > view->nearest ) ||
         view->fieldOfView >= 3.1f )
    {
        return supFail( error, sup_errorArgument, "the view has no camera: frame something with supFraming_End first" );
    }
    return sup_success;
}

/// As asked for, less where the driver cannot draw that large.
static int32_t supClampSupersample( const supStage* stage, const supView* view )
{
    int32_t n = view->supersample < 1 ? 1 : view->supersample > 4 ? 4 : view->supersample;
    while ( n > 1 && ( view->width > stage->maxSize / n || view->height > stage->maxSize / n ) )
    {
        n -= 1;
    }
    return n;
}

static supResult supDrawLayers( supStage* stage, const supView* view, const supCamera* camera, const supActor* actors,
    int32_t actorCount, const supOverlay* overlays, supError* error )
{
    const supGl* gl = &stage->gl;
    gl->Enable( GL_FRAMEBUFFER_SRGB );
    gl->Enable( GL_MULTISAMPLE );
    if ( actorCount == 1 )
    {
        gl->BindVertexArray( actors[0].figure->array );
        supFigure_Upload( actors[0].figure, &actors[0].shape );
    }
    bool ground = view->ground && supDot( view->up, view->eye ) > view->groundHeight;
    supShadowBox box = { { 0.0f, 0.0f }, { 1.0f, 1.0f } };
    if ( ground )
    {
        box = supStage_DrawShadow( stage, view, camera, actors, actorCount );
    }
    supResult result = supStage_PrepareTarget( stage, camera->width, camera->height, error );
    if ( result != sup_success )
    {
        return result;
    }
    gl->DepthMask( GL_TRUE );
    gl->ClearDepth( 1.0 );
    gl->Clear( GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT );
    supStage_DrawBackground( stage, view );
    if ( ground )
    {
        supStage_DrawGround( stage, view, camera, box );
    }
    supStage_DrawSkins( stage, view, camera, actors, actorCount, overlays );
    supStage_DrawWireframes( stage, view, camera, actors, actorCount );
    supStage_DrawOverlays( stage, overlays, actorCount );
    return sup_success;
}

supResult supStage_Draw( supStage* stage, const supView* view, const supActor* actors, int32_t actorCount,
    supPixels* pixels, supError* error )
{
    supResult result = supCheckView( stage, view, pixels, error );
    if ( result != sup_success )
    {
        return result;
    }
    const supGl* gl = &stage->gl;
    gl->eglMakeCurrent( gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context );
    supOverlay* overlays = calloc( (size_t)actorCount + 1, sizeof( *overlays ) );
    if ( overlays == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %d actors", actorCount );
    }
    int32_t supersample = supClampSupersample( stage, view );
    supCamera camera = supMakeCamera( view, supersample );
    for ( int32_t i = 0; i < actorCount && result == sup_success; ++i )
    {
        supOverlay_Gather( overlays + i, &camera, actors + i, actors[i].figure->vertexCount );
        if ( overlays[i].failed )
        {
            result = supFail( error, sup_errorMemory, "no memory for the lines and points to draw" );
        }
    }
    if ( result == sup_success )
    {
        result = supDrawLayers( stage, view, &camera, actors, actorCount, overlays, error );
    }
    if ( result == sup_success )
    {
        bool transparent = view->top.a < 1.0f || view->bottom.a < 1.0f;
        result = supStage_ReadTarget( stage, supersample, transparent, pixels, error );
    }
    if ( result == sup_success )
    {
        supDrawLabels( view, overlays, actorCount, pixels );
    }
    for ( int32_t i = 0; i < actorCount; ++i )
    {
        supOverlay_Release( overlays + i );
    }
    free( overlays );
    return result;
}
