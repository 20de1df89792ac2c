// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>

// libEGL is opened when a stage is made and OpenGL's functions are asked of it by name, so that nothing links either: a
// program with pictures in it starts on a machine without a driver and can say what is missing.

#define SUP_EGL_FUNCTIONS( X )                                                                                         \
    X( eglGetProcAddress, PFNEGLGETPROCADDRESSPROC )                                                                   \
    X( eglInitialize, PFNEGLINITIALIZEPROC )                                                                           \
    X( eglTerminate, PFNEGLTERMINATEPROC )                                                                             \
    X( eglBindAPI, PFNEGLBINDAPIPROC )                                                                                 \
    X( eglChooseConfig, PFNEGLCHOOSECONFIGPROC )                                                                       \
    X( eglCreateContext, PFNEGLCREATECONTEXTPROC )                                                                     \
    X( eglDestroyContext, PFNEGLDESTROYCONTEXTPROC )                                                                   \
    X( eglMakeCurrent, PFNEGLMAKECURRENTPROC )                                                                         \
    X( eglGetError, PFNEGLGETERRORPROC )                                                                               \
    X( eglReleaseThread, PFNEGLRELEASETHREADPROC )

#define SUP_GL_FUNCTIONS( X )                                                                                          \
    X( ActiveTexture, PFNGLACTIVETEXTUREPROC )                                                                         \
    X( AttachShader, PFNGLATTACHSHADERPROC )                                                                           \
    X( BindBuffer, PFNGLBINDBUFFERPROC )                                                                               \
    X( BindFramebuffer, PFNGLBINDFRAMEBUFFERPROC )                                                                     \
    X( BindRenderbuffer, PFNGLBINDRENDERBUFFERPROC )                                                                   \
    X( BindTexture, PFNGLBINDTEXTUREPROC )                                                                             \
    X( BindVertexArray, PFNGLBINDVERTEXARRAYPROC )                                                                     \
    X( BlendEquation, PFNGLBLENDEQUATIONPROC )                                                                         \
    X( BlendFunc, PFNGLBLENDFUNCPROC )                                                                                 \
    X( BlitFramebuffer, PFNGLBLITFRAMEBUFFERPROC )                                                                     \
    X( BufferData, PFNGLBUFFERDATAPROC )                                                                               \
    X( BufferSubData, PFNGLBUFFERSUBDATAPROC )                                                                         \
    X( CheckFramebufferStatus, PFNGLCHECKFRAMEBUFFERSTATUSPROC )                                                       \
    X( Clear, PFNGLCLEARPROC )                                                                                         \
    X( ClearColor, PFNGLCLEARCOLORPROC )                                                                               \
    X( ClearDepth, PFNGLCLEARDEPTHPROC )                                                                               \
    X( ColorMask, PFNGLCOLORMASKPROC )                                                                                 \
    X( CompileShader, PFNGLCOMPILESHADERPROC )                                                                         \
    X( CreateProgram, PFNGLCREATEPROGRAMPROC )                                                                         \
    X( CreateShader, PFNGLCREATESHADERPROC )                                                                           \
    X( DeleteBuffers, PFNGLDELETEBUFFERSPROC )                                                                         \
    X( DeleteFramebuffers, PFNGLDELETEFRAMEBUFFERSPROC )                                                               \
    X( DeleteProgram, PFNGLDELETEPROGRAMPROC )                                                                         \
    X( DeleteRenderbuffers, PFNGLDELETERENDERBUFFERSPROC )                                                             \
    X( DeleteShader, PFNGLDELETESHADERPROC )                                                                           \
    X( DeleteTextures, PFNGLDELETETEXTURESPROC )                                                                       \
    X( DeleteVertexArrays, PFNGLDELETEVERTEXARRAYSPROC )                                                               \
    X( DepthFunc, PFNGLDEPTHFUNCPROC )                                                                                 \
    X( DepthMask, PFNGLDEPTHMASKPROC )                                                                                 \
    X( Disable, PFNGLDISABLEPROC )                                                                                     \
    X( DrawArrays, PFNGLDRAWARRAYSPROC )                                                                               \
    X( DrawElementsBaseVertex, PFNGLDRAWELEMENTSBASEVERTEXPROC )                                                       \
    X( Enable, PFNGLENABLEPROC )                                                                                       \
    X( EnableVertexAttribArray, PFNGLENABLEVERTEXATTRIBARRAYPROC )                                                     \
    X( FramebufferRenderbuffer, PFNGLFRAMEBUFFERRENDERBUFFERPROC )                                                     \
    X( FramebufferTexture2D, PFNGLFRAMEBUFFERTEXTURE2DPROC )                                                           \
    X( FrontFace, PFNGLFRONTFACEPROC )                                                                                 \
    X( GenBuffers, PFNGLGENBUFFERSPROC )                                                                               \
    X( GenFramebuffers, PFNGLGENFRAMEBUFFERSPROC )                                                                     \
    X( GenRenderbuffers, PFNGLGENRENDERBUFFERSPROC )                                                                   \
    X( GenTextures, PFNGLGENTEXTURESPROC )                                                                             \
    X( GenVertexArrays, PFNGLGENVERTEXARRAYSPROC )                                                                     \
    X( GenerateMipmap, PFNGLGENERATEMIPMAPPROC )                                                                       \
    X( GetError, PFNGLGETERRORPROC )                                                                                   \
    X( GetIntegerv, PFNGLGETINTEGERVPROC )                                                                             \
    X( GetProgramInfoLog, PFNGLGETPROGRAMINFOLOGPROC )                                                                 \
    X( GetProgramiv, PFNGLGETPROGRAMIVPROC )                                                                           \
    X( GetShaderInfoLog, PFNGLGETSHADERINFOLOGPROC )                                                                   \
    X( GetShaderiv, PFNGLGETSHADERIVPROC )                                                                             \
    X( GetUniformLocation, PFNGLGETUNIFORMLOCATIONPROC )                                                               \
    X( GetString, PFNGLGETSTRINGPROC )                                                                                 \
    X( LineWidth, PFNGLLINEWIDTHPROC )                                                                                 \
    X( LinkProgram, PFNGLLINKPROGRAMPROC )                                                                             \
    X( PixelStorei, PFNGLPIXELSTOREIPROC )                                                                             \
    X( PointSize, PFNGLPOINTSIZEPROC )                                                                                 \
    X( PolygonMode, PFNGLPOLYGONMODEPROC )                                                                             \
    X( PolygonOffset, PFNGLPOLYGONOFFSETPROC )                                                                         \
    X( ReadPixels, PFNGLREADPIXELSPROC )                                                                               \
    X( RenderbufferStorageMultisample, PFNGLRENDERBUFFERSTORAGEMULTISAMPLEPROC )                                       \
    X( ShaderSource, PFNGLSHADERSOURCEPROC )                                                                           \
    X( TexImage2D, PFNGLTEXIMAGE2DPROC )                                                                               \
    X( TexParameterfv, PFNGLTEXPARAMETERFVPROC )                                                                       \
    X( TexParameteri, PFNGLTEXPARAMETERIPROC )                                                                         \
    X( Uniform1f, PFNGLUNIFORM1FPROC )                                                                                 \
    X( Uniform1i, PFNGLUNIFORM1IPROC )                                                                                 \
    X( Uniform2f, PFNGLUNIFORM2FPROC )                                                                                 \
    X( Uniform2fv, PFNGLUNIFORM2FVPROC )                                                                               \
    X( Uniform3f, PFNGLUNIFORM3FPROC )                                                                                 \
    X( Uniform3fv, PFNGLUNIFORM3FVPROC )                                                                               \
    X( Uniform4f, PFNGLUNIFORM4FPROC )                                                                                 \
    X( Uniform4fv, PFNGLUNIFORM4FVPROC )                                                                               \
    X( UniformMatrix4fv, PFNGLUNIFORMMATRIX4FVPROC )                                                                   \
    X( UseProgram, PFNGLUSEPROGRAMPROC )                                                                               \
    X( VertexAttribPointer, PFNGLVERTEXATTRIBPOINTERPROC )                                                             \
    X( Viewport, PFNGLVIEWPORTPROC )

/// The functions of one context.
typedef struct supGl
{
#define SUP_DECLARE( name, type ) type name;
    SUP_EGL_FUNCTIONS( SUP_DECLARE )
    SUP_GL_FUNCTIONS( SUP_DECLARE )
#undef SUP_DECLARE
    EGLDisplay display;
    EGLContext context;
    void* library; ///< libEGL; stays loaded for the life of the process, since drivers keep threads and handlers of
                   ///< their own
} supGl;

/// Opens libEGL, makes a context for OpenGL 3.3 without a window and makes it current.
supResult supOpenGl( supGl* gl, supError* error );
void supCloseGl( supGl* gl );

// ---------------------------------------------------------------------------------------------------------------

/// GLSL 3.30 sources, without their #version line.
extern const char sup_skinVertexShader[];
extern const char sup_skinFragmentShader[];
extern const char sup_shadowVertexShader[];
extern const char sup_shadowFragmentShader[];
extern const char sup_blurVertexShader[];
extern const char sup_blurFragmentShader[];
extern const char sup_backgroundFragmentShader[];
extern const char sup_groundVertexShader[];
extern const char sup_groundFragmentShader[];
extern const char sup_overlayVertexShader[];
extern const char sup_overlayFragmentShader[];
extern const char sup_surfaceShaderPart[]; ///< stands before the fragment shaders that know materials
