// SPDX-License-Identifier: MIT
#include "picture/stage_internal.h"

#include <string.h>

static supResult supCompileShader(
    const supGl* gl, const char* name, GLenum kind, const char* const* parts, int count, GLuint* out, supError* error )
{
    GLuint shader = gl->CreateShader( kind );
    gl->ShaderSource( shader, count, parts, NULL );
    gl->CompileShader( shader );
    GLint ok = 0;
    gl->GetShaderiv( shader, GL_COMPILE_STATUS, &ok );
    if ( ok == 0 )
    {
        char log[200] = "";
        gl->GetShaderInfoLog( shader, sizeof( log ), NULL, log );
        log[strcspn( log, "\r\n" )] = '\0'; // a message is one line
        gl->DeleteShader( shader );
        return supFail( error, sup_errorUnsupported, "the OpenGL driver refuses the %s shader: %s", name, log );
    }
    *out = shader;
    return sup_success;
}

supResult supCompileProgram( const supGl* gl, const char* name, const char* vertex, const char* fragmentPart,
    const char* fragment, GLuint* out, supError* error )
{
    const char* const vertexParts[] = { "#version 330 core\n", vertex };
    const char* const fragmentParts[] = { "#version 330 core\n", fragmentPart, fragment };
    GLuint vertexShader = 0, fragmentShader = 0;
    supResult result = supCompileShader( gl, name, GL_VERTEX_SHADER, vertexParts, 2, &vertexShader, error );
    if ( result == sup_success )
    {
        result = supCompileShader( gl, name, GL_FRAGMENT_SHADER, fragmentParts, 3, &fragmentShader, error );
    }
    if ( result == sup_success )
    {
        GLuint program = gl->CreateProgram();
        gl->AttachShader( program, vertexShader );
        gl->AttachShader( program, fragmentShader );
        gl->LinkProgram( program );
        GLint ok = 0;
        gl->GetProgramiv( program, GL_LINK_STATUS, &ok );
        if ( ok != 0 )
        {
            *out = program;
        }
        else
        {
            char log[200] = "";
            gl->GetProgramInfoLog( program, sizeof( log ), NULL, log );
            log[strcspn( log, "\r\n" )] = '\0';
            gl->DeleteProgram( program );
            result =
                supFail( error, sup_errorUnsupported, "the OpenGL driver cannot link the %s shaders: %s", name, log );
        }
    }
    gl->DeleteShader( vertexShader ); // freed with the program; 0 is passed over
    gl->DeleteShader( fragmentShader );
    return result;
}
