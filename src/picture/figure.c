// SPDX-License-Identifier: MIT
#include "picture/figure_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static supMaterial supPlainMaterial( void )
{
    return ( supMaterial ){ .name = "",
        .baseColor = { 0.62f, 0.58f, 0.54f, 1.0f },
        .image = -1,
        .uvScale = { 1.0f, 1.0f },
        .alphaCutoff = 0.5f,
        .roughness = 0.75f };
}

/// What glTF says of a mesh without a material: white, not metallic here, since there is nothing around to be mirrored.
static supMaterial supMaterialOf( const supLook* look, int32_t mesh )
{
    supMaterial plain = supPlainMaterial();
    if ( look == NULL || mesh >= look->meshCount )
    {
        return plain;
    }
    int32_t index = look->meshes[mesh].material;
    if ( index < 0 || index >= look->materialCount )
    {
        plain.baseColor[0] = plain.baseColor[1] = plain.baseColor[2] = 0.8f;
        return plain;
    }
    supMaterial material = look->materials[index];
    material.name = "";
    return material;
}

static bool supAllocateFigure( supFigure* figure )
{
    size_t vertices = (size_t)figure->vertexCount + 1, indices = (size_t)figure->indexCount + 1;
    size_t palette = (size_t)supCharacter_Info( figure->character )->paletteCount + 1;
    figure->palette = calloc( palette, sizeof( *figure->palette ) );
    figure->positions = calloc( vertices, 3 * sizeof( float ) );
    figure->normals = calloc( vertices, 3 * sizeof( float ) );
    figure->faceSums = calloc( vertices, 3 * sizeof( float ) );
    figure->weldNext = calloc( vertices, sizeof( int32_t ) );
    figure->mirrored = calloc( (size_t)figure->meshCount + 1, 1 );
    figure->sortedIndices = calloc( indices, sizeof( uint32_t ) );
    figure->sortKeys = calloc( indices / 3 + 1, sizeof( uint64_t ) );
    return figure->palette != NULL && figure->positions != NULL && figure->normals != NULL &&
           figure->faceSums != NULL && figure->weldNext != NULL && figure->mirrored != NULL &&
           figure->sortedIndices != NULL && figure->sortKeys != NULL;
}

/// Rings of vertices that are one to the artist, within each mesh. The scratch for normals serves as scratch here too.
static void supMakeWeldRings( supFigure* figure )
{
    const int32_t* welds = supCharacter_Info( figure->character )->welds;
    int32_t* ringOf = (int32_t*)figure->faceSums; // some vertex of the ring at each weld, valid when of this mesh
    for ( int32_t v = 0; v < figure->vertexCount; ++v )
    {
        ringOf[v] = -1;
    }
    for ( int32_t m = 0; m < figure->meshCount; ++m )
    {
        int32_t first = figure->meshes[m].firstVertex;
        for ( int32_t v = first; v < first + figure->meshes[m].vertexCount; ++v )
        {
            int32_t member = ringOf[welds[v]];
            bool here = member >= first;
            figure->weldNext[v] = here ? figure->weldNext[member] : v;
            if ( here )
            {
                figure->weldNext[member] = v;
            }
            ringOf[welds[v]] = v;
        }
    }
}

/// KHR_texture_transform: offset * rotation * scale, applied here once instead of in the shader.
static void supTransformTexcoord( const supMaterial* material, const float* from, float* to )
{
    float u = from[0] * material->uvScale[0], v = from[1] * material->uvScale[1];
    float c = cosf( material->uvRotation ), s = sinf( material->uvRotation );
    to[0] = c * u + s * v + material->uvOffset[0];
    to[1] = -s * u + c * v + material->uvOffset[1];
}

/// Texture coordinates of all vertices, then their colours.
static bool supUploadLook( supFigure* figure, const supLook* look )
{
    const supGl* gl = &figure->stage->gl;
    size_t count = (size_t)figure->vertexCount;
    float* block = calloc( 6 * count + 1, sizeof( float ) );
    if ( block == NULL )
    {
        return false;
    }
    float* colors = block + 2 * count;
    for ( int32_t m = 0; m < figure->meshCount; ++m )
    {
        const supFigureMesh* mesh = figure->meshes + m;
        const supMeshLook* meshLook = look != NULL && m < look->meshCount ? look->meshes + m : NULL;
        const float* texcoords = meshLook != NULL ? meshLook->texcoords[mesh->material.texcoord == 1 ? 1 : 0] : NULL;
        const float* own = meshLook != NULL ? meshLook->colors : NULL;
        for ( int32_t i = 0; i < mesh->vertexCount; ++i )
        {
            size_t v = (size_t)( mesh->firstVertex + i );
            if ( texcoords != NULL )
            {
                supTransformTexcoord( &mesh->material, texcoords + 2 * (size_t)i, block + 2 * v );
            }
            for ( int k = 0; k < 4; ++k )
            {
                colors[4 * v + (size_t)k] = own != NULL ? own[4 * (size_t)i + (size_t)k] : 1.0f;
            }
        }
    }
    gl->BindBuffer( GL_ARRAY_BUFFER, figure->lookBuffer );
    gl->BufferData( GL_ARRAY_BUFFER, (GLsizeiptr)( 6 * count * sizeof( float ) ), block, GL_STATIC_DRAW );
    free( block );
    return true;
}

static void supUploadIndices( supFigure* figure )
{
    const supGl* gl = &figure->stage->gl;
    gl->BindBuffer( GL_ELEMENT_ARRAY_BUFFER, figure->indexBuffer );
    gl->BufferData( GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)( (size_t)figure->indexCount * sizeof( uint32_t ) ), NULL,
        GL_STATIC_DRAW );
    for ( int32_t m = 0; m < figure->meshCount; ++m )
    {
        const supFigureMesh* mesh = figure->meshes + m;
        supMeshView view = supCharacter_Mesh( figure->character, m );
        gl->BufferSubData( GL_ELEMENT_ARRAY_BUFFER, (GLintptr)( (size_t)mesh->firstIndex * sizeof( uint32_t ) ),
            (GLsizeiptr)( (size_t)mesh->indexCount * sizeof( uint32_t ) ), view.indices );
    }
}

static void supMakeArrays( supFigure* figure )
{
    const supGl* gl = &figure->stage->gl;
    size_t count = (size_t)figure->vertexCount;
    gl->GenVertexArrays( 1, &figure->array );
    gl->BindVertexArray( figure->array );
    gl->GenBuffers( 1, &figure->movingBuffer );
    gl->GenBuffers( 1, &figure->lookBuffer );
    gl->GenBuffers( 1, &figure->paintBuffer );
    gl->GenBuffers( 1, &figure->indexBuffer );
    gl->GenBuffers( 1, &figure->sortedBuffer );
    gl->BindBuffer( GL_ARRAY_BUFFER, figure->movingBuffer );
    gl->BufferData( GL_ARRAY_BUFFER, (GLsizeiptr)( 6 * count * sizeof( float ) ), NULL, GL_STREAM_DRAW );
    gl->VertexAttribPointer( 0, 3, GL_FLOAT, GL_FALSE, 0, NULL );
    gl->VertexAttribPointer( 1, 3, GL_FLOAT, GL_FALSE, 0, (const void*)( 3 * count * sizeof( float ) ) );
    gl->BindBuffer( GL_ARRAY_BUFFER, figure->lookBuffer );
    gl->VertexAttribPointer( 2, 2, GL_FLOAT, GL_FALSE, 0, NULL );
    gl->VertexAttribPointer( 3, 4, GL_FLOAT, GL_FALSE, 0, (const void*)( 2 * count * sizeof( float ) ) );
    gl->BindBuffer( GL_ARRAY_BUFFER, figure->paintBuffer );
    gl->BufferData( GL_ARRAY_BUFFER, (GLsizeiptr)( 4 * count * sizeof( float ) ), NULL, GL_STREAM_DRAW );
    gl->VertexAttribPointer( 4, 4, GL_FLOAT, GL_FALSE, 0, NULL );
    for ( GLuint i = 0; i < 5; ++i )
    {
        gl->EnableVertexAttribArray( i );
    }
}

static supResult supFillFigure( supFigure* figure, const supLook* look, supLog log, supError* error )
{
    int32_t firstIndex = 0;
    for ( int32_t m = 0; m < figure->meshCount; ++m )
    {
        supMeshView view = supCharacter_Mesh( figure->character, m );
        figure->meshes[m] = ( supFigureMesh ){ .firstVertex = view.firstVertex,
            .vertexCount = view.vertexCount,
            .firstIndex = firstIndex,
            .indexCount = view.indexCount - view.indexCount % 3,
            .material = supMaterialOf( look, m ),
            .hasNormals = view.normals != NULL };
        firstIndex += figure->meshes[m].indexCount;
    }
    figure->indexCount = firstIndex;
    if ( supAllocateFigure( figure ) == false )
    {
        return supFail( error, sup_errorMemory, "no memory to draw %d vertices", figure->vertexCount );
    }
    supMakeWeldRings( figure );
    supMakeArrays( figure );
    supUploadIndices( figure );
    if ( supUploadLook( figure, look ) == false )
    {
        return supFail( error, sup_errorMemory, "no memory to draw %d vertices", figure->vertexCount );
    }
    return look != NULL ? supFigure_LoadTextures( figure, look, log, error ) : sup_success;
}

supResult supCreateFigure(
    supStage* stage, const supCharacter* character, const supLook* look, supLog log, supFigure** out, supError* error )
{
    *out = NULL;
    const supGl* gl = &stage->gl;
    gl->eglMakeCurrent( gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context );
    supFigure* figure = calloc( 1, sizeof( *figure ) );
    int32_t meshCount = supCharacter_Info( character )->meshCount;
    supFigureMesh* meshes = calloc( (size_t)meshCount + 1, sizeof( *meshes ) );
    if ( figure == NULL || meshes == NULL )
    {
        free( figure );
        free( meshes );
        return supFail( error, sup_errorMemory, "no memory to draw %d meshes", meshCount );
    }
    figure->stage = stage;
    figure->character = character;
    figure->meshes = meshes;
    figure->meshCount = meshCount;
    figure->vertexCount = supCharacter_Info( character )->vertexCount;
    supResult result = supFillFigure( figure, look, log, error );
    if ( result != sup_success )
    {
        supDestroyFigure( figure );
        return result;
    }
    *out = figure;
    return sup_success;
}

void supDestroyFigure( supFigure* figure )
{
    if ( figure == NULL )
    {
        return;
    }
    const supGl* gl = &figure->stage->gl;
    gl->eglMakeCurrent( gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context );
    gl->DeleteVertexArrays( 1, &figure->array );
    const GLuint buffers[] = { figure->movingBuffer, figure->lookBuffer, figure->paintBuffer, figure->indexBuffer,
        figure->sortedBuffer };
    gl->DeleteBuffers( 5, buffers );
    if ( figure->textures != NULL )
    {
        gl->DeleteTextures( figure->textureCount, figure->textures );
    }
    free( figure->textures );
    free( figure->palette );
    free( figure->positions );
    free( figure->normals );
    free( figure->faceSums );
    free( figure->weldNext );
    free( figure->mirrored );
    free( figure->sortedIndices );
    free( figure->sortKeys );
    free( figure->meshes );
    free( figure );
}

int32_t supFigure_VertexCount( const supFigure* figure )
{
    return figure->vertexCount;
}

void supFigure_Upload( supFigure* figure, const supShape* shape )
{
    const supGl* gl = &figure->stage->gl;
    const float* normals = shape->normals;
    if ( normals == NULL )
    {
        supComputeNormals( figure, shape->positions, shape->mirrored, true, figure->normals );
        normals = figure->normals;
    }
    GLsizeiptr size = (GLsizeiptr)( 3 * (size_t)figure->vertexCount * sizeof( float ) );
    gl->BindBuffer( GL_ARRAY_BUFFER, figure->movingBuffer );
    gl->BufferSubData( GL_ARRAY_BUFFER, 0, size, shape->positions );
    gl->BufferSubData( GL_ARRAY_BUFFER, size, size, normals );
}
