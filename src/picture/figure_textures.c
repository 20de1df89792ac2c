// SPDX-License-Identifier: MIT
#include "picture/figure_internal.h"

#include <stdio.h>
#include <stdlib.h>

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

supResult supFigure_LoadTextures( supFigure* figure, const supLook* look, supLog log, supError* error )
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
