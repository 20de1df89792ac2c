// SPDX-License-Identifier: MIT
#include "picture/color.h"
#include "picture/stage_internal.h"

#include <stdlib.h>
#include <string.h>

void supStage_DestroyTarget( supStage* stage )
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

supResult supStage_ReadTarget(
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
