// SPDX-License-Identifier: MIT
#include "picture/gl_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define SUP_DRIVER_HINT "install a driver (Debian: apt install libegl1 libgl1-mesa-dri)"

/// POSIX says that an object pointer from dlsym may be used as a function pointer; ISO C has no cast for it.
static void supStoreFunction( void* target, const void* function )
{
    memcpy( target, &function, sizeof( function ) );
}

static supResult supLoadEgl( supGl* gl, supError* error )
{
    gl->library = dlopen( "libEGL.so.1", RTLD_NOW | RTLD_LOCAL );
    if ( gl->library == NULL )
    {
        return supFail(
            error, sup_errorUnsupported, "pictures need EGL, and libEGL.so.1 is not here: %s", SUP_DRIVER_HINT );
    }
    const char* missing = NULL;
#define SUP_LOAD( name, type )                                                                                         \
    supStoreFunction( &gl->name, dlsym( gl->library, #name ) );                                                        \
    missing = gl->name == NULL ? #name : missing;
    SUP_EGL_FUNCTIONS( SUP_LOAD )
#undef SUP_LOAD
    if ( missing != NULL )
    {
        return supFail( error, sup_errorUnsupported, "libEGL.so.1 has no %s: %s", missing, SUP_DRIVER_HINT );
    }
    return sup_success;
}

/// The surfaceless platform needs no X, no Wayland and no graphics card.
static supResult supOpenDisplay( supGl* gl, supError* error )
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC getDisplay;
    __eglMustCastToProperFunctionPointerType function = gl->eglGetProcAddress( "eglGetPlatformDisplayEXT" );
    memcpy( &getDisplay, &function, sizeof( getDisplay ) );
    if ( getDisplay != NULL )
    {
        gl->display = getDisplay( EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL );
    }
    EGLint major = 0, minor = 0;
    if ( gl->display == EGL_NO_DISPLAY || gl->eglInitialize( gl->display, &major, &minor ) == EGL_FALSE )
    {
        gl->display = EGL_NO_DISPLAY;
        return supFail( error, sup_errorUnsupported,
            "pictures need a driver that draws without a window, and EGL has none: %s", SUP_DRIVER_HINT );
    }
    return sup_success;
}

static supResult supOpenContext( supGl* gl, supError* error )
{
    const EGLint configWords[] = { EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE };
    const EGLint contextWords[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
        EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE };
    EGLConfig config = NULL;
    EGLint configCount = 0;
    if ( gl->eglBindAPI( EGL_OPENGL_API ) == EGL_FALSE ||
         gl->eglChooseConfig( gl->display, configWords, &config, 1, &configCount ) == EGL_FALSE || configCount < 1 )
    {
        return supFail( error, sup_errorUnsupported, "the EGL driver offers no OpenGL: %s", SUP_DRIVER_HINT );
    }
    gl->context = gl->eglCreateContext( gl->display, config, EGL_NO_CONTEXT, contextWords );
    if ( gl->context == EGL_NO_CONTEXT )
    {
        return supFail( error, sup_errorUnsupported, "the EGL driver refuses OpenGL 3.3 (EGL error 0x%x): %s",
            (unsigned)gl->eglGetError(), SUP_DRIVER_HINT );
    }
    if ( gl->eglMakeCurrent( gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context ) == EGL_FALSE )
    {
        return supFail( error, sup_errorUnsupported, "the EGL driver cannot draw without a window (EGL error 0x%x): %s",
            (unsigned)gl->eglGetError(), SUP_DRIVER_HINT );
    }
    return sup_success;
}

static supResult supLoadGl( supGl* gl, supError* error )
{
    const char* missing = NULL;
    __eglMustCastToProperFunctionPointerType function = NULL;
#define SUP_LOAD( name, type )                                                                                         \
    function = gl->eglGetProcAddress( "gl" #name );                                                                    \
    memcpy( &gl->name, &function, sizeof( function ) );                                                                \
    missing = function == NULL ? "gl" #name : missing;
    SUP_GL_FUNCTIONS( SUP_LOAD )
#undef SUP_LOAD
    if ( missing != NULL )
    {
        return supFail( error, sup_errorUnsupported, "the OpenGL driver has no %s: %s", missing, SUP_DRIVER_HINT );
    }
    return sup_success;
}

supResult supOpenGl( supGl* gl, supError* error )
{
    *gl = ( supGl ){ .display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT };
    supResult result = supLoadEgl( gl, error );
    result = result == sup_success ? supOpenDisplay( gl, error ) : result;
    result = result == sup_success ? supOpenContext( gl, error ) : result;
    result = result == sup_success ? supLoadGl( gl, error ) : result;
    if ( result != sup_success )
    {
        supCloseGl( gl );
    }
    return result;
}

void supCloseGl( supGl* gl )
{
    if ( gl->display != EGL_NO_DISPLAY )
    {
        gl->eglMakeCurrent( gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT );
        if ( gl->context != EGL_NO_CONTEXT )
        {
            gl->eglDestroyContext( gl->display, gl->context );
        }
    }
    *gl = ( supGl ){ .display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT };
}
