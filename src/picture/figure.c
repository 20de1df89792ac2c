// SPDX-License-Identifier: MIT
#include "picture/figure_internal.h"

#include "supple/lab/skin.h"
#include "supple/picture.h"

#include <math.h>
#include <stdio.h>
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

// ---------------------------------------------------------------------------------------------------------------
// Textures of a look.

/// Of all decoded images of a look that says nothing about it. Bytes
#define SUP_IMAGE_MEMORY ( (size_t)2000000000 )

static void supNoteImage( supLog log, const char* text )
{
    if ( log.note != NULL )
    {
        char line[SUP_ERROR_TEXT + 40];
        snprintf( line, sizeof( line ), "%s: drawn with its base colour", text );
        log.note( line, log.user );
    }
}

/// Decodes one image into a texture with all its smaller copies; 0 where it is not to be had.
/// `left`: bytes that decoded images may still take.
static GLuint supLoadTexture( const supGl* gl, const supImage* image, supLog log, size_t* left )
{
    char text[SUP_ERROR_TEXT];
    if ( image->data == NULL )
    {
        const char* why = image->missing != NULL ? image->missing : "no data";
        snprintf( text, sizeof( text ),
            image->name[0] != '\0' ? "image '%s' is missing (%s)" : "an image%s is missing (%s)", image->name, why );
        supNoteImage( log, text );
        return 0;
    }
    supPixels pixels;
    supError error;
    if ( supReadPixelsWithin( image->data, image->size, image->name, *left, &pixels, &error ) != sup_success )
    {
        supNoteImage( log, error.text );
        return 0;
    }
    // the driver keeps them, with the smaller copies
    size_t kept = 4 * (size_t)pixels.width * (size_t)pixels.height / 3 * 4;
    *left = kept < *left ? *left - kept : 0;
    GLint most = 0;
    GLuint texture = 0;
    gl->GetIntegerv( GL_MAX_TEXTURE_SIZE, &most );
    if ( pixels.width > most || pixels.height > most )
    {
        snprintf( text, sizeof( text ), "image '%s' is too large for the driver (%d pixels a side at most)",
            image->name, most );
        supNoteImage( log, text );
    }
    else
    {
        gl->GenTextures( 1, &texture );
        gl->BindTexture( GL_TEXTURE_2D, texture );
        gl->PixelStorei( GL_UNPACK_ALIGNMENT, 4 );
        gl->TexImage2D(
            GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, pixels.width, pixels.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data );
        gl->GenerateMipmap( GL_TEXTURE_2D );
    }
    supDestroyPixels( &pixels );
    return texture;
}

/// Decodes and uploads the images that materials use.
static supResult supFigure_LoadTextures( supFigure* figure, const supLook* look, supLog log, supError* error )
{
    size_t count = (size_t)( look->imageCount > 0 ? look->imageCount : 0 );
    figure->textures = calloc( count + 1, sizeof( GLuint ) );
    bool* tried = calloc( count + 1, sizeof( bool ) );
    if ( figure->textures == NULL || tried == NULL )
    {
        free( tried );
        return supFail( error, sup_errorMemory, "no memory for %zu images", count );
    }
    figure->textureCount = (int32_t)count;
    size_t left = look->mostMemory > 0 ? look->mostMemory : SUP_IMAGE_MEMORY;
    for ( int32_t m = 0; m < figure->meshCount; ++m )
    {
        supFigureMesh* mesh = figure->meshes + m;
        int32_t image = mesh->material.image;
        int32_t set = mesh->material.texcoord == 1 ? 1 : 0;
        if ( image < 0 || image >= look->imageCount || m >= look->meshCount || look->meshes[m].texcoords[set] == NULL )
        {
            continue;
        }
        if ( tried[image] == false )
        {
            tried[image] = true;
            figure->textures[image] = supLoadTexture( &figure->stage->gl, look->images + image, log, &left );
        }
        mesh->texture = figure->textures[image];
    }
    free( tried );
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Normals for meshes that have none.

/// Where two faces of split vertices meet at more than this, the edge is meant to be seen. cos 50 degrees.
static const float sup_creaseCosine = 0.6428f;

static supVec3 supLoad3( const float* p )
{
    return ( supVec3 ){ p[0], p[1], p[2] };
}

static void supAccumulate( float* to, supVec3 v )
{
    to[0] += v.x;
    to[1] += v.y;
    to[2] += v.z;
}

static float supCornerAngle( supVec3 a, supVec3 b )
{
    float lengths = sqrtf( supDot( a, a ) * supDot( b, b ) );
    if ( !( lengths > 0.0f ) )
    {
        return 0.0f;
    }
    float cosine = supDot( a, b ) / lengths;
    return acosf( fmaxf( -1.0f, fminf( 1.0f, cosine ) ) );
}

/// Sum over a vertex's own triangles of the face normal times the angle there (Thurmer and Wuthrich, "Computing vertex
/// normals from polygonal facets", 1998): does not depend on how a flat face is cut into triangles.
static void supAddFaces( const supMeshView* mesh, const float* positions, float side, float* normals )
{
    for ( int32_t i = 0; i + 2 < mesh->indexCount; i += 3 )
    {
        const uint32_t* t = mesh->indices + i;
        supVec3 p[3];
        for ( int k = 0; k < 3; ++k )
        {
            p[k] = supLoad3( positions + 3 * ( (size_t)mesh->firstVertex + t[k] ) );
        }
        supVec3 n = supCross( supSub( p[1], p[0] ), supSub( p[2], p[0] ) );
        float length = sqrtf( supDot( n, n ) );
        if ( !( length > 0.0f ) )
        {
            continue;
        }
        n = supScale( n, side / length );
        for ( int k = 0; k < 3; ++k )
        {
            float angle = supCornerAngle( supSub( p[( k + 1 ) % 3], p[k] ), supSub( p[( k + 2 ) % 3], p[k] ) );
            supAccumulate( normals + 3 * ( (size_t)mesh->firstVertex + t[k] ), supScale( n, angle ) );
        }
    }
}

static supVec3 supUnitOr( supVec3 v, supVec3 other )
{
    float length = sqrtf( supDot( v, v ) );
    return length > 0.0f ? supScale( v, 1.0f / length ) : other;
}

/// A vertex takes the normals of those welded to it that look nearly its own way. `own` are the sums over each vertex's
/// own faces; `next` leads around the vertices of a weld.
static supVec3 supSharedNormal( const int32_t* next, const float* own, int32_t vertex )
{
    const supVec3 upwards = { 0.0f, 1.0f, 0.0f };
    supVec3 mine = supLoad3( own + 3 * (size_t)vertex ), sum = mine;
    float length = sqrtf( supDot( mine, mine ) );
    for ( int32_t v = next[vertex]; v != vertex; v = next[v] )
    {
        supVec3 other = supLoad3( own + 3 * (size_t)v );
        float lengths = length * sqrtf( supDot( other, other ) );
        if ( supDot( mine, other ) >= sup_creaseCosine * lengths )
        {
            sum = supAdd( sum, other );
        }
    }
    return supUnitOr( sum, upwards );
}

/// Fills `normals` for the meshes without any in the file, or for all: weighted by angle, smooth across welded vertices
/// except where a vertex that is split from its neighbours sees them turned away by more than the crease angle. Where
/// `mirrored` says that triangles are turned over, normals are turned back.
static void supComputeNormals(
    const supFigure* figure, const float* positions, const uint8_t* mirrored, bool all, float* normals )
{
    for ( int32_t m = 0; m < figure->meshCount; ++m )
    {
        if ( all == false && figure->meshes[m].hasNormals )
        {
            continue;
        }
        supMeshView mesh = supCharacter_Mesh( figure->character, m );
        memset( normals + 3 * (size_t)mesh.firstVertex, 0, 3 * sizeof( float ) * (size_t)mesh.vertexCount );
        float side = mirrored != NULL && mirrored[m] != 0 ? -1.0f : 1.0f;
        supAddFaces( &mesh, positions, side, normals );
        memcpy( figure->faceSums + 3 * (size_t)mesh.firstVertex, normals + 3 * (size_t)mesh.firstVertex,
            3 * sizeof( float ) * (size_t)mesh.vertexCount );
        for ( int32_t v = mesh.firstVertex; v < mesh.firstVertex + mesh.vertexCount; ++v )
        {
            supVec3 n = supSharedNormal( figure->weldNext, figure->faceSums, v );
            memcpy( normals + 3 * (size_t)v, &n, 3 * sizeof( float ) );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

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

// ---------------------------------------------------------------------------------------------------------------
// Figures in a pose.

/// A mesh is turned inside out where its vertices' matrices mirror. Sums the determinants over the vertices' first
/// influences, so that a joint that is scaled to nothing or mirrored alone does not decide for the rest.
static bool supIsMirrored( const supMeshView* mesh, const supMat34* palette )
{
    int32_t mirrored = 0, straight = 0;
    int32_t step = 1 + mesh->vertexCount / 64;
    for ( int32_t v = 0; v < mesh->vertexCount; v += step )
    {
        int32_t entry = mesh->firstPalette;
        if ( mesh->jointIndices != NULL && mesh->influenceCount > 0 )
        {
            entry += mesh->jointIndices[(size_t)v * (size_t)mesh->influenceCount];
        }
        const supMat34* m = palette + entry;
        float determinant = supDot( m->x, supCross( m->y, m->z ) );
        mirrored += determinant < 0.0f ? 1 : 0;
        straight += determinant > 0.0f ? 1 : 0;
    }
    return mirrored > straight;
}

supShape supFigure_Pose( supFigure* figure, const supMat34* joints, const float* morphWeights )
{
    const supCharacter* character = figure->character;
    supCharacter_Palette( character, joints, figure->palette );
    bool missing = false;
    for ( int32_t m = 0; m < figure->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        supSkinJob job = supCharacter_SkinJob( character, m, figure->palette, morphWeights );
        size_t first = 3 * (size_t)mesh.firstVertex;
        job.outPositions = ( supOutStream ){ figure->positions + first, mesh.vertexCount, 12 };
        if ( mesh.normals != NULL )
        {
            job.outNormals = ( supOutStream ){ figure->normals + first, mesh.vertexCount, 12 };
        }
        missing = missing || mesh.normals == NULL;
        supSkinJob_Run( &job, NULL ); // the character's own job, which its creation has checked
        figure->mirrored[m] = supIsMirrored( &mesh, figure->palette ) ? 1 : 0;
    }
    if ( missing )
    {
        supComputeNormals( figure, figure->positions, figure->mirrored, false, figure->normals );
    }
    return ( supShape ){ figure->positions, figure->normals, figure->mirrored };
}

// ---------------------------------------------------------------------------------------------------------------

/// The nearest joint above that a skin uses: exporters put helper nodes between. -1: none.
static int32_t supBoneAbove( const supCharacter* character, int32_t joint )
{
    do
    {
        joint = supCharacter_Joint( character, joint )->parent;
    } while ( joint >= 0 && supCharacter_Joint( character, joint )->isSkinJoint == false );
    return joint;
}

void supDrawBones( const supCharacter* character, const supMat34* joints, const supDraw* draw )
{
    const supColor bone = { 0.95f, 0.62f, 0.10f, 1.0f }, dot = { 0.85f, 0.22f, 0.05f, 1.0f };
    int32_t count = supCharacter_Info( character )->jointCount;
    for ( int32_t joint = 0; joint < count; ++joint )
    {
        if ( supCharacter_Joint( character, joint )->isSkinJoint == false )
        {
            continue;
        }
        int32_t parent = supBoneAbove( character, joint );
        if ( parent >= 0 && draw->line != NULL )
        {
            draw->line( joints[parent].t, joints[joint].t, bone, 3.0f, draw->user );
        }
    }
    for ( int32_t joint = 0; joint < count; ++joint )
    {
        if ( supCharacter_Joint( character, joint )->isSkinJoint && draw->point != NULL )
        {
            draw->point( joints[joint].t, dot, 6.0f, draw->user );
        }
    }
}
