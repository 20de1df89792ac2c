// SPDX-License-Identifier: MIT
#include "picture/figure_internal.h"

#include <float.h>
#include <math.h>

void supStage_DrawBackground( supStage* stage, const supView* view )
{
    const supGl* gl = &stage->gl;
    GLuint program = stage->backgroundProgram;
    gl->UseProgram( program );
    gl->Uniform4f( supUniform( gl, program, "uTop" ), view->top.r, view->top.g, view->top.b, view->top.a );
    gl->Uniform4f(
        supUniform( gl, program, "uBottom" ), view->bottom.r, view->bottom.g, view->bottom.b, view->bottom.a );
    gl->Disable( GL_DEPTH_TEST );
    gl->Disable( GL_BLEND );
    gl->BindVertexArray( stage->emptyArray );
    gl->DrawArrays( GL_TRIANGLES, 0, 3 );
}

static void supSetAxes( const supGl* gl, GLuint program, const supCamera* camera )
{
    static const char* const names[3] = { "uLeft", "uUp", "uFront" };
    for ( int i = 0; i < 3; ++i )
    {
        supVec3 axis = camera->axes[i];
        gl->Uniform3f( supUniform( gl, program, names[i] ), axis.x, axis.y, axis.z );
    }
}

/// The part of the ground that the shadows of all actors can reach, with room for the blur.
static supShadowBox supFindShadowBox(
    const supView* view, const supCamera* camera, const supActor* actors, int32_t actorCount )
{
    supVec3 light = supCamera_Along( camera, camera->shadow );
    float lower[2] = { FLT_MAX, FLT_MAX }, upper[2] = { -FLT_MAX, -FLT_MAX };
    for ( int32_t i = 0; i < actorCount; ++i )
    {
        const supActor* actor = actors + i;
        for ( int32_t v = 0; v < actor->figure->vertexCount; ++v )
        {
            const float* q = actor->shape.positions + 3 * (size_t)v;
            supVec3 p = supCamera_Along( camera, supAdd( ( supVec3 ){ q[0], q[1], q[2] }, actor->offset ) );
            float height = fmaxf( p.y - view->groundHeight, 0.0f ) / light.y, x = p.x, z = p.z;
            if ( isfinite( x + z + height ) == 0 )
            {
                continue;
            }
            lower[0] = fminf( lower[0], fminf( x, x - light.x * height ) );
            upper[0] = fmaxf( upper[0], fmaxf( x, x - light.x * height ) );
            lower[1] = fminf( lower[1], fminf( z, z - light.z * height ) );
            upper[1] = fmaxf( upper[1], fmaxf( z, z - light.z * height ) );
        }
    }
    supShadowBox box = { { 0.0f, 0.0f }, { 1.0f, 1.0f } };
    if ( lower[0] > upper[0] )
    {
        return box;
    }
    float side = fmaxf( upper[0] - lower[0], upper[1] - lower[1] );
    side = fmaxf( side, 0.05f * view->groundSize );
    for ( int k = 0; k < 2; ++k )
    {
        box.center[k] = 0.5f * ( lower[k] + upper[k] );
        box.half[k] = 0.62f * side;
    }
    return box;
}

/// Uploads the triangles of a mesh that reach below a height; gives the number of their corners. Triangles cost a
/// software driver more than pixels, and far above the ground there is nothing to see of them.
static int32_t supListLowTriangles( const supActor* actor, int32_t m, supVec3 up, float below )
{
    supFigure* figure = actor->figure;
    supMeshView view = supCharacter_Mesh( figure->character, m );
    const float* positions = actor->shape.positions + 3 * (size_t)view.firstVertex;
    int32_t count = 0;
    for ( int32_t i = 0; i < figure->meshes[m].indexCount; i += 3 )
    {
        const uint32_t* t = view.indices + i;
        bool low = false;
        for ( int k = 0; k < 3 && low == false; ++k )
        {
            const float* p = positions + 3 * (size_t)t[k];
            low = up.x * p[0] + up.y * p[1] + up.z * p[2] < below;
        }
        if ( low )
        {
            figure->sortedIndices[count++] = t[0];
            figure->sortedIndices[count++] = t[1];
            figure->sortedIndices[count++] = t[2];
        }
    }
    const supGl* gl = &figure->stage->gl;
    gl->BindBuffer( GL_ELEMENT_ARRAY_BUFFER, figure->sortedBuffer );
    gl->BufferData( GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)( (size_t)count * sizeof( uint32_t ) ), figure->sortedIndices,
        GL_STREAM_DRAW );
    return count;
}

/// Draws what throws a shadow: all of it, or what is below a height.
static void supDrawCasters(
    supStage* stage, const supCamera* camera, const supActor* actors, int32_t actorCount, bool low, float below )
{
    supVec3 up = camera->axes[1];
    const supGl* gl = &stage->gl;
    GLuint program = stage->shadowProgram;
    for ( int32_t i = 0; i < actorCount; ++i )
    {
        supFigure* figure = actors[i].figure;
        if ( actors[i].skin == false )
        {
            continue;
        }
        gl->BindVertexArray( figure->array );
        if ( actorCount > 1 )
        {
            supFigure_Upload( figure, &actors[i].shape );
        }
        gl->BindBuffer( GL_ELEMENT_ARRAY_BUFFER, figure->indexBuffer );
        gl->Uniform3f(
            supUniform( gl, program, "uOffset" ), actors[i].offset.x, actors[i].offset.y, actors[i].offset.z );
        for ( int32_t m = 0; m < figure->meshCount; ++m )
        {
            const supFigureMesh* mesh = figure->meshes + m;
            int32_t count = low ? supListLowTriangles( actors + i, m, up, below - supDot( up, actors[i].offset ) )
                                : mesh->indexCount;
            size_t first = low ? 0 : (size_t)mesh->firstIndex * sizeof( uint32_t );
            if ( low == false )
            {
                gl->BindBuffer( GL_ELEMENT_ARRAY_BUFFER, figure->indexBuffer );
            }
            supSetSurface( gl, program, mesh );
            gl->DrawElementsBaseVertex( GL_TRIANGLES, count, GL_UNSIGNED_INT, (const void*)first, mesh->firstVertex );
        }
    }
}

/// Both directions of the blur, one after the other.
static void supBlurShadow( supStage* stage )
{
    const supGl* gl = &stage->gl;
    gl->UseProgram( stage->blurProgram );
    gl->Uniform1i( supUniform( gl, stage->blurProgram, "uImage" ), 0 );
    gl->BindVertexArray( stage->emptyArray );
    gl->Disable( GL_BLEND );
    for ( int i = 0; i < 2; ++i )
    {
        float step = 1.0f / (float)sup_shadowSize;
        gl->BindFramebuffer( GL_FRAMEBUFFER, stage->shadowFrames[1 - i] );
        gl->BindTexture( GL_TEXTURE_2D, stage->shadowImages[i] );
        gl->Uniform2f( supUniform( gl, stage->blurProgram, "uStep" ), i == 0 ? step : 0.0f, i == 0 ? 0.0f : step );
        gl->DrawArrays( GL_TRIANGLES, 0, 3 );
    }
}

supShadowBox supStage_DrawShadow(
    supStage* stage, const supView* view, const supCamera* camera, const supActor* actors, int32_t actorCount )
{
    const supGl* gl = &stage->gl;
    GLuint program = stage->shadowProgram;
    supShadowBox box = supFindShadowBox( view, camera, actors, actorCount );
    gl->BindFramebuffer( GL_FRAMEBUFFER, stage->shadowFrames[0] );
    gl->Viewport( 0, 0, sup_shadowSize, sup_shadowSize );
    gl->ClearColor( 0.0f, 0.0f, 0.0f, 0.0f );
    gl->Clear( GL_COLOR_BUFFER_BIT );
    gl->Disable( GL_DEPTH_TEST );
    gl->Disable( GL_CULL_FACE );
    gl->Enable( GL_BLEND );
    gl->BlendEquation( GL_MAX );
    gl->UseProgram( program );
    gl->Uniform1f( supUniform( gl, program, "uGround" ), view->groundHeight );
    float fade = 0.08f * view->groundSize; // metres in which a shadow from above falls to a third
    gl->Uniform1f( supUniform( gl, program, "uFade" ), fade );
    gl->Uniform2fv( supUniform( gl, program, "uCenter" ), 1, box.center );
    gl->Uniform2fv( supUniform( gl, program, "uHalf" ), 1, box.half );
    supVec3 toLight = supCamera_Along( camera, camera->shadow );
    supSetAxes( gl, program, camera );
    gl->Uniform3f( supUniform( gl, program, "uToLight" ), toLight.x, toLight.y, toLight.z );
    gl->ColorMask( GL_TRUE, GL_FALSE, GL_FALSE, GL_FALSE );
    supDrawCasters( stage, camera, actors, actorCount, false, 0.0f );
    gl->Uniform3f( supUniform( gl, program, "uToLight" ), 0.0f, 1.0f, 0.0f );
    gl->ColorMask( GL_FALSE, GL_TRUE, GL_FALSE, GL_FALSE );
    supDrawCasters( stage, camera, actors, actorCount, true, view->groundHeight + 4.0f * fade );
    gl->ColorMask( GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE );
    gl->BlendEquation( GL_FUNC_ADD );
    supBlurShadow( stage );
    return box;
}

/// The largest of 1, 2, 5 times a power of ten that is not above `value`.
static float supNiceBelow( float value )
{
    float power = powf( 10.0f, floorf( log10f( value ) ) );
    float share = value / power;
    return power * ( share >= 5.0f ? 5.0f : share >= 2.0f ? 2.0f : 1.0f );
}

void supStage_DrawGround( supStage* stage, const supView* view, const supCamera* camera, supShadowBox box )
{
    const supGl* gl = &stage->gl;
    GLuint program = stage->groundProgram;
    float brightness = view->bottom.r * 0.2126f + view->bottom.g * 0.7152f + view->bottom.b * 0.0722f;
    float line = brightness > 0.2f || view->bottom.a < 0.5f ? 0.0f : 1.0f;
    float grid = supNiceBelow( 0.3f * view->groundSize );
    gl->UseProgram( program );
    gl->UniformMatrix4fv( supUniform( gl, program, "uViewProjection" ), 1, GL_FALSE, camera->viewProjection );
    supVec3 middle = supCamera_Along( camera, view->groundCenter );
    supSetAxes( gl, program, camera );
    gl->Uniform3f( supUniform( gl, program, "uMiddle" ), middle.x, view->groundHeight, middle.z );
    gl->Uniform1f( supUniform( gl, program, "uReach" ), 4.0f * view->groundSize );
    gl->Uniform1f( supUniform( gl, program, "uGrid" ), grid );
    gl->Uniform1f( supUniform( gl, program, "uPixel" ), camera->scale );
    gl->Uniform4f( supUniform( gl, program, "uLine" ), line, line, line, line > 0.0f ? 0.14f : 0.10f );
    gl->Uniform4f( supUniform( gl, program, "uTop" ), view->top.r, view->top.g, view->top.b, view->top.a );
    gl->Uniform4f(
        supUniform( gl, program, "uBottom" ), view->bottom.r, view->bottom.g, view->bottom.b, view->bottom.a );
    gl->Uniform1f( supUniform( gl, program, "uHeight" ), (float)camera->height );
    gl->Uniform2fv( supUniform( gl, program, "uCenter" ), 1, box.center );
    gl->Uniform2fv( supUniform( gl, program, "uHalf" ), 1, box.half );
    gl->Uniform1i( supUniform( gl, program, "uImage" ), 0 );
    gl->ActiveTexture( GL_TEXTURE0 );
    gl->BindTexture( GL_TEXTURE_2D, stage->shadowImages[0] );
    gl->Disable( GL_DEPTH_TEST ); // nothing stands below it, and what is drawn later is before it
    gl->Disable( GL_CULL_FACE );
    gl->Disable( GL_BLEND );
    gl->BindVertexArray( stage->emptyArray );
    gl->DrawArrays( GL_TRIANGLE_STRIP, 0, 4 );
}
