// SPDX-License-Identifier: MIT
#include "picture/overlay.h"

static void supDrawList( supStage* stage, const supOverlayList* list )
{
    const supGl* gl = &stage->gl;
    if ( list->count == 0 )
    {
        return;
    }
    gl->BufferData( GL_ARRAY_BUFFER, (GLsizeiptr)( (size_t)list->count * sizeof( supOverlayVertex ) ), list->items,
        GL_STREAM_DRAW );
    gl->DrawArrays( GL_TRIANGLES, 0, list->count );
}

static void supBindOverlay( supStage* stage )
{
    const supGl* gl = &stage->gl;
    gl->UseProgram( stage->overlayProgram );
    gl->BindVertexArray( stage->overlayArray );
    gl->BindBuffer( GL_ARRAY_BUFFER, stage->overlayBuffer );
    gl->VertexAttribPointer( 0, 4, GL_FLOAT, GL_FALSE, sizeof( supOverlayVertex ), NULL );
    gl->VertexAttribPointer(
        1, 4, GL_FLOAT, GL_FALSE, sizeof( supOverlayVertex ), (const void*)offsetof( supOverlayVertex, color ) );
    gl->VertexAttribPointer(
        2, 3, GL_FLOAT, GL_FALSE, sizeof( supOverlayVertex ), (const void*)offsetof( supOverlayVertex, round ) );
    for ( GLuint i = 0; i < 3; ++i )
    {
        gl->EnableVertexAttribArray( i );
    }
    gl->Enable( GL_BLEND );
    gl->BlendFunc( GL_ONE, GL_ONE_MINUS_SRC_ALPHA );
    gl->Enable( GL_DEPTH_TEST );
    gl->Disable( GL_CULL_FACE );
}

void supStage_DrawOverlays( supStage* stage, const supOverlay* overlays, int32_t count )
{
    const supGl* gl = &stage->gl;
    GLint alpha = supUniform( gl, stage->overlayProgram, "uAlpha" );
    bool cleared = false;
    supBindOverlay( stage );
    gl->Uniform1f( alpha, 1.0f );
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( overlays[i].triangles.count > 0 && cleared == false ) // over the skin, whatever stands before them
        {
            gl->Clear( GL_DEPTH_BUFFER_BIT );
            cleared = true;
        }
        supDrawList( stage, &overlays[i].triangles );
    }
    gl->DepthMask( GL_FALSE );
    for ( int pass = 0; pass < 2; ++pass )
    {
        gl->DepthFunc( pass == 0 ? GL_GREATER : GL_LEQUAL );
        gl->Uniform1f( alpha, pass == 0 ? 0.7f : 1.0f );
        for ( int32_t i = 0; i < count; ++i )
        {
            supDrawList( stage, &overlays[i].strokes );
        }
    }
    gl->DepthMask( GL_TRUE );
    gl->DepthFunc( GL_LESS );
}

void supDrawLabels( const supView* view, const supOverlay* overlays, int32_t count, supPixels* pixels )
{
    const float height = 8.0f;
    const supColor halo = { 1.0f, 1.0f, 1.0f, 0.75f };
    for ( int32_t i = 0; i < count; ++i )
    {
        for ( int32_t k = 0; k < overlays[i].labelCount; ++k )
        {
            const supOverlayLabel* label = overlays[i].labels + k;
            float x, y, depth;
            if ( supView_Project( view, label->at, &x, &y, &depth ) )
            {
                float width = supTextWidth( label->text, height );
                supPixels_Box( pixels, x + 4.0f, y - 13.0f, x + width + 10.0f, y + 1.0f, halo );
                supPixels_Text( pixels, x + 7.0f, y - 2.0f, height, sup_alignLeft, 0, label->text, label->color );
            }
        }
    }
}
