// SPDX-License-Identifier: MIT
#include "picture/figure_internal.h"

#include <stdlib.h>
#include <string.h>

void supSetSurface( const supGl* gl, GLuint program, const supFigureMesh* mesh )
{
    const supMaterial* material = &mesh->material;
    gl->Uniform4fv( supUniform( gl, program, "uBaseColor" ), 1, material->baseColor );
    gl->Uniform1i( supUniform( gl, program, "uHasImage" ), mesh->texture != 0 );
    gl->Uniform1i( supUniform( gl, program, "uImage" ), 0 );
    gl->Uniform1f( supUniform( gl, program, "uCutoff" ), material->alphaCutoff );
    gl->Uniform1i( supUniform( gl, program, "uMask" ), material->alpha == sup_alphaMask );
    gl->Uniform1i( supUniform( gl, program, "uOpaque" ), material->alpha == sup_alphaOpaque );
    gl->ActiveTexture( GL_TEXTURE0 );
    gl->BindTexture( GL_TEXTURE_2D, mesh->texture );
    if ( mesh->texture != 0 )
    {
        GLint smaller = material->nearest ? GL_NEAREST_MIPMAP_LINEAR : GL_LINEAR_MIPMAP_LINEAR;
        gl->TexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, smaller );
        gl->TexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, material->nearest ? GL_NEAREST : GL_LINEAR );
        gl->TexParameteri( GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, material->repeatU ? GL_REPEAT : GL_CLAMP_TO_EDGE );
        gl->TexParameteri( GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, material->repeatV ? GL_REPEAT : GL_CLAMP_TO_EDGE );
    }
}

static void supSetLights( const supGl* gl, GLuint program, const supView* view, const supCamera* camera )
{
    gl->UseProgram( program );
    gl->UniformMatrix4fv( supUniform( gl, program, "uViewProjection" ), 1, GL_FALSE, camera->viewProjection );
    gl->Uniform3f( supUniform( gl, program, "uEye" ), view->eye.x, view->eye.y, view->eye.z );
    gl->Uniform3f( supUniform( gl, program, "uBack" ), camera->back.x, camera->back.y, camera->back.z );
    gl->Uniform1i( supUniform( gl, program, "uParallel" ), view->fieldOfView <= 0.0f );
    gl->Uniform3f( supUniform( gl, program, "uUp" ), view->up.x, view->up.y, view->up.z );
    gl->Uniform3f( supUniform( gl, program, "uKey" ), camera->key.x, camera->key.y, camera->key.z );
    gl->Uniform3f( supUniform( gl, program, "uFill" ), camera->fill.x, camera->fill.y, camera->fill.z );
    gl->Uniform3f( supUniform( gl, program, "uRim" ), camera->rim.x, camera->rim.y, camera->rim.z );
}

static void supSetMaterial( const supGl* gl, GLuint program, const supFigureMesh* mesh, bool mirrored )
{
    const supMaterial* material = &mesh->material;
    supSetSurface( gl, program, mesh );
    gl->Uniform1f( supUniform( gl, program, "uRoughness" ), material->roughness );
    gl->Uniform1f( supUniform( gl, program, "uMetallic" ), material->metallic );
    gl->Uniform3fv( supUniform( gl, program, "uEmissive" ), 1, material->emissive );
    gl->Uniform1i( supUniform( gl, program, "uUnlit" ), material->unlit );
    gl->FrontFace( mirrored ? GL_CW : GL_CCW );
    ( material->doubleSided ? gl->Disable : gl->Enable )( GL_CULL_FACE );
}

static int supCompareKeys( const void* a, const void* b )
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

/// Depth of the nearest comes last. A float's bits order like an unsigned number once negative ones are turned over.
static uint32_t supOrderBits( float value )
{
    uint32_t bits;
    memcpy( &bits, &value, sizeof( bits ) );
    return ( bits & 0x80000000u ) != 0 ? ~bits : bits | 0x80000000u;
}

/// Uploads a mesh's triangles ordered from back to front; ties keep the file's order.
static void supSortTriangles( supFigure* figure, int32_t m, const supShape* shape, supVec3 back )
{
    const supFigureMesh* mesh = figure->meshes + m;
    supMeshView view = supCharacter_Mesh( figure->character, m );
    int32_t count = mesh->indexCount / 3;
    const float* positions = shape->positions + 3 * (size_t)mesh->firstVertex;
    for ( int32_t i = 0; i < count; ++i )
    {
        float depth = 0.0f;
        for ( int32_t k = 0; k < 3; ++k )
        {
            const float* p = positions + 3 * (size_t)view.indices[3 * i + k];
            depth += back.x * p[0] + back.y * p[1] + back.z * p[2];
        }
        figure->sortKeys[i] = (uint64_t)supOrderBits( depth ) << 32 | (uint32_t)i;
    }
    qsort( figure->sortKeys, (size_t)count, sizeof( uint64_t ), supCompareKeys );
    for ( int32_t i = 0; i < count; ++i )
    {
        size_t from = 3 * (size_t)( figure->sortKeys[i] & 0xffffffffu );
        memcpy( figure->sortedIndices + 3 * (size_t)i, view.indices + from, 3 * sizeof( uint32_t ) );
    }
    const supGl* gl = &figure->stage->gl;
    gl->BindBuffer( GL_ELEMENT_ARRAY_BUFFER, figure->sortedBuffer );
    gl->BufferData( GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)( 3 * (size_t)count * sizeof( uint32_t ) ),
        figure->sortedIndices, GL_STREAM_DRAW );
}

static void supDrawMesh( supStage* stage, supFigure* figure, int32_t m, const supShape* shape, const supCamera* camera )
{
    const supGl* gl = &stage->gl;
    const supFigureMesh* mesh = figure->meshes + m;
    bool blended = mesh->material.alpha == sup_alphaBlend;
    supSetMaterial( gl, stage->skinProgram, mesh, shape->mirrored != NULL && shape->mirrored[m] != 0 );
    ( mesh->material.alpha == sup_alphaMask ? gl->Enable : gl->Disable )( GL_SAMPLE_ALPHA_TO_COVERAGE );
    ( mesh->material.alpha == sup_alphaMask ? gl->Enable : gl->Disable )( GL_SAMPLE_ALPHA_TO_ONE );
    ( blended ? gl->Enable : gl->Disable )( GL_BLEND );
    gl->DepthMask( blended ? GL_FALSE : GL_TRUE );
    if ( mesh->indexCount == 0 ) // points and lines: their vertices, so that there is something to see
    {
        gl->PointSize( 3.0f * camera->scale );
        gl->DrawArrays( GL_POINTS, mesh->firstVertex, mesh->vertexCount );
        return;
    }
    size_t first = (size_t)mesh->firstIndex * sizeof( uint32_t );
    if ( blended )
    {
        supSortTriangles( figure, m, shape, camera->back );
        first = 0;
    }
    else
    {
        gl->BindBuffer( GL_ELEMENT_ARRAY_BUFFER, figure->indexBuffer );
    }
    gl->DrawElementsBaseVertex(
        GL_TRIANGLES, mesh->indexCount, GL_UNSIGNED_INT, (const void*)first, mesh->firstVertex );
}

/// How near a mesh's middle is to the camera.
static float supMeshNearness( const supActor* actor, int32_t m, supVec3 back )
{
    const supFigureMesh* mesh = actor->figure->meshes + m;
    supVec3 sum = supVec3_zero;
    for ( int32_t i = 0; i < mesh->vertexCount; ++i )
    {
        const float* p = actor->shape.positions + 3 * (size_t)( mesh->firstVertex + i );
        sum = supAdd( sum, ( supVec3 ){ p[0], p[1], p[2] } );
    }
    supVec3 middle = supScale( sum, 1.0f / (float)( mesh->vertexCount > 0 ? mesh->vertexCount : 1 ) );
    return supDot( supAdd( middle, actor->offset ), back );
}

static void supDrawBlended( supStage* stage, const supActor* actor, const supCamera* camera )
{
    supFigure* figure = actor->figure;
    float before = -1e30f;
    int32_t last = -1;
    for ( ;; ) // the farthest that is not drawn yet; few meshes are blended, so no list is kept
    {
        int32_t next = -1;
        float nearness = 0.0f;
        for ( int32_t m = 0; m < figure->meshCount; ++m )
        {
            if ( figure->meshes[m].material.alpha != sup_alphaBlend )
            {
                continue;
            }
            float near = supMeshNearness( actor, m, camera->back );
            bool done = near < before || ( near == before && m <= last );
            if ( done == false && ( next < 0 || near < nearness ) )
            {
                next = m;
                nearness = near;
            }
        }
        if ( next < 0 )
        {
            return;
        }
        supDrawMesh( stage, figure, next, &actor->shape, camera );
        before = nearness;
        last = next;
    }
}

static void supPrepareActor( supStage* stage, const supActor* actor, bool upload, const supOverlay* overlay )
{
    const supGl* gl = &stage->gl;
    gl->BindVertexArray( actor->figure->array );
    if ( upload )
    {
        supFigure_Upload( actor->figure, &actor->shape );
    }
    if ( overlay->paint != NULL )
    {
        gl->BindBuffer( GL_ARRAY_BUFFER, actor->figure->paintBuffer );
        gl->BufferSubData(
            GL_ARRAY_BUFFER, 0, (GLsizeiptr)( (size_t)overlay->vertexCount * sizeof( supColor ) ), overlay->paint );
    }
    gl->Uniform3f( supUniform( gl, stage->skinProgram, "uOffset" ), actor->offset.x, actor->offset.y, actor->offset.z );
    gl->Uniform1f( supUniform( gl, stage->skinProgram, "uPaintShare" ), overlay->paint != NULL ? 1.0f : 0.0f );
}

void supStage_DrawSkins( supStage* stage, const supView* view, const supCamera* camera, const supActor* actors,
    int32_t actorCount, const supOverlay* overlays )
{
    const supGl* gl = &stage->gl;
    supSetLights( gl, stage->skinProgram, view, camera );
    gl->Enable( GL_DEPTH_TEST );
    gl->DepthFunc( GL_LESS );
    gl->BlendFunc( GL_ONE, GL_ONE_MINUS_SRC_ALPHA );
    gl->Enable( GL_POLYGON_OFFSET_FILL ); // leaves room for wires and lines on the skin
    gl->PolygonOffset( 1.0f, 1.0f );
    for ( int pass = 0; pass < 2; ++pass )
    {
        for ( int32_t i = 0; i < actorCount; ++i )
        {
            if ( actors[i].skin == false )
            {
                continue;
            }
            supPrepareActor( stage, actors + i, actorCount > 1, overlays + i );
            if ( pass == 1 )
            {
                supDrawBlended( stage, actors + i, camera );
                continue;
            }
            for ( int32_t m = 0; m < actors[i].figure->meshCount; ++m )
            {
                if ( actors[i].figure->meshes[m].material.alpha != sup_alphaBlend )
                {
                    supDrawMesh( stage, actors[i].figure, m, &actors[i].shape, camera );
                }
            }
        }
    }
    gl->Disable( GL_POLYGON_OFFSET_FILL );
    gl->Disable( GL_SAMPLE_ALPHA_TO_COVERAGE );
    gl->Disable( GL_SAMPLE_ALPHA_TO_ONE );
    gl->Disable( GL_CULL_FACE );
    gl->DepthMask( GL_TRUE );
}

void supStage_DrawWireframes(
    supStage* stage, const supView* view, const supCamera* camera, const supActor* actors, int32_t actorCount )
{
    const supGl* gl = &stage->gl;
    GLuint program = stage->skinProgram;
    supSetLights( gl, program, view, camera );
    const supFigureMesh wire = { .material = { .baseColor = { 0.03f, 0.05f, 0.09f, 0.55f }, .alpha = sup_alphaBlend } };
    supSetSurface( gl, program, &wire );
    gl->Uniform1i( supUniform( gl, program, "uUnlit" ), 1 );
    gl->Uniform1f( supUniform( gl, program, "uPaintShare" ), 0.0f );
    gl->PolygonMode( GL_FRONT_AND_BACK, GL_LINE );
    gl->LineWidth( camera->scale );
    gl->Enable( GL_BLEND );
    gl->DepthMask( GL_FALSE );
    gl->DepthFunc( GL_LEQUAL );
    for ( int32_t i = 0; i < actorCount; ++i )
    {
        const supFigure* figure = actors[i].figure;
        if ( actors[i].wireframe == false )
        {
            continue;
        }
        gl->BindVertexArray( figure->array );
        if ( actorCount > 1 )
        {
            supFigure_Upload( actors[i].figure, &actors[i].shape );
        }
        gl->BindBuffer( GL_ELEMENT_ARRAY_BUFFER, figure->indexBuffer );
        gl->Uniform3f(
            supUniform( gl, program, "uOffset" ), actors[i].offset.x, actors[i].offset.y, actors[i].offset.z );
        for ( int32_t m = 0; m < figure->meshCount; ++m )
        {
            size_t first = (size_t)figure->meshes[m].firstIndex * sizeof( uint32_t );
            gl->DrawElementsBaseVertex( GL_TRIANGLES, figure->meshes[m].indexCount, GL_UNSIGNED_INT, (const void*)first,
                figure->meshes[m].firstVertex );
        }
    }
    gl->PolygonMode( GL_FRONT_AND_BACK, GL_FILL );
    gl->LineWidth( 1.0f );
    gl->DepthMask( GL_TRUE );
    gl->DepthFunc( GL_LESS );
}
