// Rows of pictures beside each other.
// SPDX-License-Identifier: MIT
#include "film_strip.h"
#include "supple/lab/drawing.h"

#ifdef SUP_HAS_SUPPLE_PICTURE
#    include <stdio.h>
#    include <string.h>

static const supColor supPaper = { 1.0f, 1.0f, 1.0f, 1.0f };
static const supColor supInk = { 0.02f, 0.02f, 0.03f, 1.0f };
static const supColor supDash = { 0.05f, 0.15f, 0.9f, 1.0f };

supResult supBeginFilmStrip( supFilmStrip* strip, const supCharacter* character, const supLook* look, int columns,
    int rows, int width, int height, float yaw, float pitch, supError* error )
{
    const float radians = 0.0174532925f;
    memset( strip, 0, sizeof( *strip ) );
    strip->columns = columns;
    strip->rows = rows;
    strip->view = supDefaultView();
    strip->view.width = width;
    strip->view.height = height;
    strip->view.supersample = 2;
    strip->view.yaw = yaw * radians;
    strip->view.pitch = pitch * radians;
    strip->view.fieldOfView = 0.3f;
    strip->framing = supBeginFraming( &strip->view );
    supResult result = supCreateStage( &strip->stage, error );
    if ( result == sup_success )
    {
        result = supCreateFigure( strip->stage, character, look, ( supLog ){ 0 }, &strip->figure, error );
    }
    if ( result == sup_success )
    {
        result = supCreatePixels( width, height, &strip->cell, error );
    }
    if ( result == sup_success )
    {
        result = supCreatePixels( columns * width, rows * ( height + supStripMargin ), &strip->sheet, error );
    }
    if ( result == sup_success )
    {
        supPixels_Fill( &strip->sheet, supPaper );
    }
    return result;
}

void supEndFilmStrip( supFilmStrip* strip )
{
    supDestroyPixels( &strip->sheet );
    supDestroyPixels( &strip->cell );
    supDestroyFigure( strip->figure );
    supDestroyStage( strip->stage );
}

void supFilmStrip_Frame( supFilmStrip* strip, const float* positions, supVec3 offset )
{
    supFraming_Add( &strip->framing, positions, supFigure_VertexCount( strip->figure ), offset );
}

void supFilmStrip_FrameNear( supFilmStrip* strip, const float* positions, supVec3 offset, supVec3 place, float radius )
{
    strip->view.ground = false;
    strip->framing = supBeginFraming( &strip->view );
    for ( int32_t v = 0; v < supFigure_VertexCount( strip->figure ); ++v )
    {
        const float* p = positions + 3 * (size_t)v;
        float x = p[0] - place.x, y = p[1] - place.y, z = p[2] - place.z;
        if ( x * x + y * y + z * z < radius * radius )
        {
            supFraming_Add( &strip->framing, p, 1, offset );
        }
    }
}

static void supDrawOverlay( const supDraw* draw, void* user )
{
    const supStripOverlay* overlay = (const supStripOverlay*)user;
    supDraw bare = *draw;
    bare.label = overlay->wordless ? NULL : draw->label;
    for ( int i = 0; i < 4 && overlay->names[i] != NULL; ++i )
    {
        supBody_Draw( overlay->body, overlay->names[i], &bare );
    }
    for ( int32_t v = 0; v < overlay->vertexCount; ++v )
    {
        const float *a = overlay->from + 3 * v, *b = overlay->to + 3 * v;
        float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
        if ( x * x + y * y + z * z <= overlay->shortest * overlay->shortest )
        {
            continue;
        }
        draw->line( ( supVec3 ){ a[0], a[1], a[2] }, ( supVec3 ){ b[0], b[1], b[2] }, supDash, 1.5f, draw->user );
    }
}

supResult supFilmStrip_Draw( supFilmStrip* strip, int column, int row, const float* positions, supVec3 offset,
    supStripOverlay* overlay, const char* words, supError* error )
{
    supView view = strip->view;
    supFraming_End( &strip->framing, &view );
    // what is not framed is drawn too
    view.nearest *= 0.2f;
    view.farthest *= 5.0f;
    supShape shape = { .positions = positions };
    supActor actor = supDefaultActor( strip->figure, shape );
    actor.offset = offset;
    if ( overlay != NULL )
    {
        actor.overlay = supDrawOverlay;
        actor.user = overlay;
    }
    supResult result = supStage_Draw( strip->stage, &view, &actor, 1, &strip->cell, error );
    if ( result != sup_success )
    {
        return result;
    }
    int x = column * view.width, y = row * ( view.height + supStripMargin );
    supPixels_Paste( &strip->sheet, &strip->cell, x, y + supStripMargin );
    if ( words != NULL )
    {
        supPixels_Text( &strip->sheet, (float)x + 8.0f, (float)( y + supStripMargin ) - 11.0f, 11.0f, sup_alignLeft, 0,
            words, supInk );
    }
    return sup_success;
}

supResult supFilmStrip_Write( const supFilmStrip* strip, const char* folder, const char* name, supError* error )
{
    char path[512];
    snprintf( path, sizeof( path ), "%s/%s.webp", folder, name );
    return supWriteWebp( &strip->sheet, 82.0f, path, error );
}
#endif
