// A window of SDL with OpenGL 3.3, or one that nobody sees.
// SPDX-License-Identifier: MIT
#include "card.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUP_MOST_PANEL 60000

void supStop( const char* words )
{
    fprintf( stderr, "viewer: %s\n", words );
    exit( 1 );
}

void* supGet( size_t count, size_t size )
{
    void* block = calloc( count > 0 ? count : 1, size );
    if ( block == NULL )
    {
        supStop( "no memory" );
    }
    return block;
}

void supSetAttribute( GLuint index, int count, GLenum type, size_t stride, size_t at )
{
    glEnableVertexAttribArray( index );
    if ( type == GL_UNSIGNED_SHORT )
    {
        glVertexAttribIPointer( index, count, type, (GLsizei)stride, (const void*)at );
    }
    else
    {
        glVertexAttribPointer( index, count, type, GL_FALSE, (GLsizei)stride, (const void*)at );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Programs of the card

static const char supVertexSource[] =
    "#version 330 core\n"
    "layout( location = 0 ) in vec3 position; layout( location = 1 ) in vec3 normal;\n"
    "layout( location = 2 ) in uvec4 joints0; layout( location = 3 ) in uvec4 joints1;\n"
    "layout( location = 4 ) in vec4 weights0; layout( location = 5 ) in vec4 weights1;\n"
    "uniform samplerBuffer palette; uniform bool skinned; uniform vec3 place; uniform mat4 view;\n"
    "out vec3 turned, stands;\n"
    "void main()\n"
    "{\n"
    "    vec4 p = vec4( position, 1.0 ), n = vec4( normal, 0.0 ), rows[3];\n"
    "    rows[0] = vec4( 1, 0, 0, 0 ); rows[1] = vec4( 0, 1, 0, 0 ); rows[2] = vec4( 0, 0, 1, 0 );\n"
    "    for ( int r = 0; r < 3 && skinned; ++r )\n"
    "    {\n"
    "        rows[r] = vec4( 0.0 );\n"
    "        for ( int k = 0; k < 4; ++k )\n"
    "            rows[r] += weights0[k] * texelFetch( palette, int( joints0[k] ) * 3 + r )\n"
    "                     + weights1[k] * texelFetch( palette, int( joints1[k] ) * 3 + r );\n"
    "    }\n"
    "    turned = vec3( dot( rows[0], n ), dot( rows[1], n ), dot( rows[2], n ) );\n"
    "    stands = vec3( dot( rows[0], p ), dot( rows[1], p ), dot( rows[2], p ) ) + place;\n"
    "    gl_Position = view * vec4( stands, 1.0 );\n"
    "}\n";

// Meshes without normals are drawn face by face.
static const char supFragmentSource[] =
    "#version 330 core\n"
    "in vec3 turned, stands; out vec4 color; uniform vec3 tint; uniform bool faceted;\n"
    "void main()\n"
    "{\n"
    "    vec3 n = normalize( faceted ? cross( dFdx( stands ), dFdy( stands ) ) : turned );\n"
    "    float sun = max( dot( n, normalize( vec3( 0.5, 0.8, 0.6 ) ) ), 0.0 );\n"
    "    color = vec4( tint * ( 0.35 + 0.15 * n.y + 0.6 * sun ), 1.0 );\n"
    "}\n";

static const char supPanelVertexSource[] =
    "#version 330 core\n"
    "layout( location = 0 ) in vec2 place; layout( location = 1 ) in vec3 color; out vec3 tint; uniform vec2 size;\n"
    "void main() { tint = color; gl_Position = vec4( 2.0 * place.x / size.x - 1.0, 1.0 - 2.0 * place.y / size.y, 0.0, "
    "1.0 ); }\n";

static const char supPanelFragmentSource[] =
    "#version 330 core\n"
    "in vec3 tint; out vec4 color; void main() { color = vec4( tint, 1.0 ); }\n";

static GLuint supMakeProgram( const char* vertex, const char* fragment )
{
    GLuint program = glCreateProgram();
    const char* sources[2] = { vertex, fragment };
    for ( int i = 0; i < 2; ++i )
    {
        GLuint shader = glCreateShader( i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER );
        glShaderSource( shader, 1, sources + i, NULL );
        glCompileShader( shader );
        glAttachShader( program, shader );
        glDeleteShader( shader );
    }
    glLinkProgram( program );
    GLint linked = 0;
    glGetProgramiv( program, GL_LINK_STATUS, &linked );
    if ( linked == 0 )
    {
        char words[1024] = "";
        glGetProgramInfoLog( program, sizeof( words ), NULL, words );
        supStop( words );
    }
    return program;
}

void supOpenCard( supCard* card, bool hidden )
{
    if ( SDL_Init( SDL_INIT_VIDEO ) != 0 )
    {
        supStop( SDL_GetError() );
    }
    SDL_GL_SetAttribute( SDL_GL_CONTEXT_MAJOR_VERSION, 3 );
    SDL_GL_SetAttribute( SDL_GL_CONTEXT_MINOR_VERSION, 3 );
    SDL_GL_SetAttribute( SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE );
    SDL_GL_SetAttribute( SDL_GL_DEPTH_SIZE, 24 );
    Uint32 flags = SDL_WINDOW_OPENGL | ( hidden ? SDL_WINDOW_HIDDEN : SDL_WINDOW_RESIZABLE );
    card->window =
        SDL_CreateWindow( "Supple", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, card->width, card->height, flags );
    card->context = card->window != NULL ? SDL_GL_CreateContext( card->window ) : NULL;
    if ( card->context == NULL )
    {
        supStop( SDL_GetError() );
    }
    SDL_GL_SetSwapInterval( hidden ? 0 : 1 );
    card->program = supMakeProgram( supVertexSource, supFragmentSource );
    card->panelProgram = supMakeProgram( supPanelVertexSource, supPanelFragmentSource );
    glGenBuffers( 1, &card->paletteBuffer );
    glGenTextures( 1, &card->paletteTexture );
    glGenVertexArrays( 1, &card->panelArray );
    glBindVertexArray( card->panelArray );
    glGenBuffers( 1, &card->panelBuffer );
    glBindBuffer( GL_ARRAY_BUFFER, card->panelBuffer );
    supSetAttribute( 0, 2, GL_FLOAT, 5 * sizeof( float ), 0 );
    supSetAttribute( 1, 3, GL_FLOAT, 5 * sizeof( float ), 2 * sizeof( float ) );
    card->panel = (float*)supGet( 5 * SUP_MOST_PANEL, sizeof( float ) );
}

void supCloseCard( supCard* card )
{
    free( card->panel );
    SDL_GL_DeleteContext( card->context );
    SDL_DestroyWindow( card->window );
    SDL_Quit();
}

// ---------------------------------------------------------------------------------------------------------------
// Bars and words

void supCard_Bar( supCard* card, float x, float y, float width, float height, float shade )
{
    const float corners[6][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 0 }, { 1, 1 }, { 0, 1 } };
    for ( int i = 0; i < 6 && card->panelCount < SUP_MOST_PANEL; ++i )
    {
        float* at = card->panel + 5 * (size_t)card->panelCount++;
        at[0] = x + width * corners[i][0];
        at[1] = y + height * corners[i][1];
        at[2] = at[3] = at[4] = shade;
    }
}

void supCard_Words( supCard* card, float x, float y, const char* words )
{
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:-/";
    static const uint16_t letters[] = { 0x2BED, 0x6BAE, 0x3923, 0x6B6E, 0x79A7, 0x79A4, 0x396B, 0x5BED, 0x7497, 0x126A,
        0x5BAD, 0x4927, 0x5FED, 0x6B6D, 0x2B6A, 0x6BA4, 0x2B73, 0x6BAD, 0x388E, 0x7492, 0x5B6F, 0x5B6A, 0x5BFD, 0x5AAD,
        0x5A92, 0x72A7, 0x7B6F, 0x2C97, 0x73E7, 0x73CF, 0x5BC9, 0x79CF, 0x79EF, 0x7292, 0x7BEF, 0x7BCF, 0x0002, 0x0410,
        0x01C0, 0x12A4 };
    for ( ; *words != '\0'; ++words, x += 8.0f )
    {
        const char* sign = strchr( signs, SDL_toupper( (unsigned char)*words ) );
        for ( int bit = 0; sign != NULL && bit < 15; ++bit )
        {
            if ( ( letters[sign - signs] >> ( 14 - bit ) & 1 ) != 0 )
            {
                supCard_Bar( card, x + 2.0f * (float)( bit % 3 ), y + 2.0f * (float)( bit / 3 ), 2.0f, 2.0f, 0.95f );
            }
        }
    }
}

void supCard_DrawPanel( supCard* card )
{
    glDisable( GL_DEPTH_TEST );
    glUseProgram( card->panelProgram );
    glUniform2f( glGetUniformLocation( card->panelProgram, "size" ), (float)card->width, (float)card->height );
    glBindVertexArray( card->panelArray );
    glBindBuffer( GL_ARRAY_BUFFER, card->panelBuffer );
    glBufferData(
        GL_ARRAY_BUFFER, (GLsizeiptr)( 5 * sizeof( float ) * (size_t)card->panelCount ), card->panel, GL_STREAM_DRAW );
    glDrawArrays( GL_TRIANGLES, 0, card->panelCount );
    card->panelCount = 0;
}

void supCard_WriteShot( const supCard* card, const char* path )
{
    size_t row = 3 * (size_t)card->width;
    uint8_t* pixels = (uint8_t*)supGet( (size_t)card->height, row );
    glPixelStorei( GL_PACK_ALIGNMENT, 1 );
    glReadPixels( 0, 0, card->width, card->height, GL_RGB, GL_UNSIGNED_BYTE, pixels );
    FILE* file = fopen( path, "wb" );
    bool good = file != NULL && fprintf( file, "P6\n%d %d\n255\n", card->width, card->height ) > 0;
    for ( int y = card->height - 1; y >= 0 && good; --y )
    {
        good = fwrite( pixels + (size_t)y * row, 1, row, file ) == row;
    }
    good = file != NULL && fclose( file ) == 0 && good;
    free( pixels );
    if ( !good )
    {
        supStop( "the picture cannot be written" );
    }
}
