// SPDX-License-Identifier: MIT
#include "picture/figure_internal.h"

#include <math.h>
#include <stdlib.h>

supActor supDefaultActor( supFigure* figure, supShape shape )
{
    return ( supActor ){ .figure = figure, .shape = shape, .skin = true };
}

static supResult supCheckView( const supStage* stage, const supView* view, const supPixels* pixels, supError* error )
{
    if ( view->width < 1 || view->height < 1 || view->width > stage->maxSize || view->height > stage->maxSize )
    {
        return supFail( error, sup_errorLimit,
            "a picture of %d x %d pixels cannot be drawn; this driver takes 1 to %d per side (%s)", view->width,
            view->height, stage->maxSize, stage->driver );
    }
    if ( pixels->width != view->width || pixels->height != view->height || pixels->data == NULL )
    {
        return supFail( error, sup_errorArgument, "the view is %d x %d pixels, but the image to draw into is %d x %d",
            view->width, view->height, pixels->width, pixels->height );
    }
    bool finite = isfinite( view->yaw + view->pitch + view->fieldOfView + view->eye.x + view->eye.y + view->eye.z );
    float across = supDot( view->front, view->up );
    bool square = fabsf( supDot( view->front, view->front ) - 1.0f ) < 1e-3f &&
                  fabsf( supDot( view->up, view->up ) - 1.0f ) < 1e-3f && fabsf( across ) < 1e-3f;
    if ( square == false )
    {
        return supFail( error, sup_errorArgument, "the view's front and up must be unit vectors at right angles" );
    }
    if ( finite == false || !( view->nearest > 0.0f ) || !( view->farthest > view->nearest ) ||
         view->fieldOfView >= 3.1f )
    {
        return supFail( error, sup_errorArgument, "the view has no camera: frame something with supFraming_End first" );
    }
    return sup_success;
}

/// As asked for, less where the driver cannot draw that large.
static int32_t supClampSupersample( const supStage* stage, const supView* view )
{
    int32_t n = view->supersample < 1 ? 1 : view->supersample > 4 ? 4 : view->supersample;
    while ( n > 1 && ( view->width > stage->maxSize / n || view->height > stage->maxSize / n ) )
    {
        n -= 1;
    }
    return n;
}

static supResult supDrawLayers( supStage* stage, const supView* view, const supCamera* camera, const supActor* actors,
    int32_t actorCount, const supOverlay* overlays, supError* error )
{
    const supGl* gl = &stage->gl;
    gl->Enable( GL_FRAMEBUFFER_SRGB );
    gl->Enable( GL_MULTISAMPLE );
    if ( actorCount == 1 )
    {
        gl->BindVertexArray( actors[0].figure->array );
        supFigure_Upload( actors[0].figure, &actors[0].shape );
    }
    bool ground = view->ground && supDot( view->up, view->eye ) > view->groundHeight;
    supShadowBox box = { { 0.0f, 0.0f }, { 1.0f, 1.0f } };
    if ( ground )
    {
        box = supStage_DrawShadow( stage, view, camera, actors, actorCount );
    }
    supResult result = supStage_PrepareTarget( stage, camera->width, camera->height, error );
    if ( result != sup_success )
    {
        return result;
    }
    gl->DepthMask( GL_TRUE );
    gl->ClearDepth( 1.0 );
    gl->Clear( GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT );
    supStage_DrawBackground( stage, view );
    if ( ground )
    {
        supStage_DrawGround( stage, view, camera, box );
    }
    supStage_DrawSkins( stage, view, camera, actors, actorCount, overlays );
    supStage_DrawWireframes( stage, view, camera, actors, actorCount );
    supStage_DrawOverlays( stage, overlays, actorCount );
    return sup_success;
}

supResult supStage_Draw( supStage* stage, const supView* view, const supActor* actors, int32_t actorCount,
    supPixels* pixels, supError* error )
{
    supResult result = supCheckView( stage, view, pixels, error );
    if ( result != sup_success )
    {
        return result;
    }
    const supGl* gl = &stage->gl;
    gl->eglMakeCurrent( gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context );
    supOverlay* overlays = calloc( (size_t)actorCount + 1, sizeof( *overlays ) );
    if ( overlays == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %d actors", actorCount );
    }
    int32_t supersample = supClampSupersample( stage, view );
    supCamera camera = supMakeCamera( view, supersample );
    for ( int32_t i = 0; i < actorCount && result == sup_success; ++i )
    {
        supOverlay_Gather( overlays + i, &camera, actors + i, actors[i].figure->vertexCount );
        if ( overlays[i].failed )
        {
            result = supFail( error, sup_errorMemory, "no memory for the lines and points to draw" );
        }
    }
    if ( result == sup_success )
    {
        result = supDrawLayers( stage, view, &camera, actors, actorCount, overlays, error );
    }
    if ( result == sup_success )
    {
        bool transparent = view->top.a < 1.0f || view->bottom.a < 1.0f;
        result = supStage_ReadTarget( stage, supersample, transparent, pixels, error );
    }
    if ( result == sup_success )
    {
        supDrawLabels( view, overlays, actorCount, pixels );
    }
    for ( int32_t i = 0; i < actorCount; ++i )
    {
        supOverlay_Release( overlays + i );
    }
    free( overlays );
    return result;
}
