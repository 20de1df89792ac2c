// SPDX-License-Identifier: MIT
#include "picture/overlay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// Room for `count` more; NULL, and the overlay is marked, where there is none.
static supOverlayVertex* supReserve( supOverlay* overlay, supOverlayList* list, int32_t count )
{
    if ( list->count > INT32_MAX / 2 - count )
    {
        overlay->failed = true;
        return NULL;
    }
    if ( list->count + count > list->capacity )
    {
        int32_t capacity = 2 * ( list->count + count ) + 64;
        supOverlayVertex* items = realloc( list->items, (size_t)capacity * sizeof( *items ) );
        if ( items == NULL )
        {
            overlay->failed = true;
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    supOverlayVertex* first = list->items + list->count;
    list->count += count;
    return first;
}

typedef struct supClipPoint
{
    float x, y, z, w;
} supClipPoint;

static supClipPoint supToClip( const supOverlay* overlay, supVec3 point )
{
    const float* m = overlay->camera->viewProjection;
    supVec3 p = supAdd( point, overlay->offset );
    return ( supClipPoint ){ m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
        m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14], m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15] };
}

static supClipPoint supMixClip( supClipPoint a, supClipPoint b, float t )
{
    return ( supClipPoint ){ a.x + t * ( b.x - a.x ), a.y + t * ( b.y - a.y ), a.z + t * ( b.z - a.z ),
        a.w + t * ( b.w - a.w ) };
}

/// Cuts off what is before the near plane, z < -w. False: nothing is left.
static bool supClipNear( supClipPoint* a, supClipPoint* b )
{
    float da = a->z + a->w, db = b->z + b->w;
    if ( da <= 0.0f && db <= 0.0f )
    {
        return false;
    }
    if ( da <= 0.0f )
    {
        *a = supMixClip( *b, *a, 0.999f * db / ( db - da ) );
    }
    else if ( db <= 0.0f )
    {
        *b = supMixClip( *a, *b, 0.999f * da / ( da - db ) );
    }
    return true;
}

/// A corner `dx`, `dy` target pixels from `at`. Drawn a little nearer than it is, so that what lies on the skin is
/// seen.
static supOverlayVertex supCorner(
    const supCamera* camera, supClipPoint at, float dx, float dy, supColor color, supVec3 round )
{
    float w = at.w;
    return ( supOverlayVertex ){
        { at.x + dx * 2.0f * w / (float)camera->width, at.y + dy * 2.0f * w / (float)camera->height,
            at.z - 2e-4f * fabsf( w ), w },
        { color.r, color.g, color.b, color.a },
        { round.x, round.y, round.z },
    };
}

static void supAddQuad( supOverlay* overlay, const supOverlayVertex corners[4] )
{
    supOverlayVertex* to = supReserve( overlay, &overlay->strokes, 6 );
    if ( to != NULL )
    {
        const int order[6] = { 0, 1, 2, 2, 1, 3 };
        for ( int i = 0; i < 6; ++i )
        {
            to[i] = corners[order[i]];
        }
    }
}

/// A square from a to b: `alongA` and `alongB` pixels past the two ends, a radius and a pixel for the soft border to
/// each side.
static void supAddStrip( supOverlay* overlay, supClipPoint a, supClipPoint b, supVec3 direction, float pastA,
    float pastB, float roundA, float roundB, float radius, supColor color )
{
    const supCamera* camera = overlay->camera;
    float side = radius + 1.0f;
    supOverlayVertex corners[4];
    for ( int i = 0; i < 4; ++i )
    {
        supClipPoint at = i < 2 ? a : b;
        float along = i < 2 ? -pastA : pastB;
        float across = ( i & 1 ) == 0 ? -side : side;
        float dx = direction.x * along - direction.y * across, dy = direction.y * along + direction.x * across;
        corners[i] = supCorner( camera, at, dx, dy, color, ( supVec3 ){ across, i < 2 ? roundA : roundB, radius } );
    }
    supAddQuad( overlay, corners );
}

static void supAddLine( supVec3 from, supVec3 to, supColor color, float width, void* user )
{
    supOverlay* overlay = user;
    const supCamera* camera = overlay->camera;
    supClipPoint a = supToClip( overlay, from ), b = supToClip( overlay, to );
    if ( supClipNear( &a, &b ) == false )
    {
        return;
    }
    float dx = ( b.x / b.w - a.x / a.w ) * 0.5f * (float)camera->width;
    float dy = ( b.y / b.w - a.y / a.w ) * 0.5f * (float)camera->height;
    float length = sqrtf( dx * dx + dy * dy );
    supVec3 direction =
        length > 1e-6f ? ( supVec3 ){ dx / length, dy / length, 0.0f } : ( supVec3 ){ 1.0f, 0.0f, 0.0f };
    float radius = 0.5f * width * camera->scale, cap = radius + 1.0f;
    supAddStrip( overlay, a, a, direction, cap, 0.0f, cap, 0.0f, radius, color );
    supAddStrip( overlay, a, b, direction, 0.0f, 0.0f, 0.0f, 0.0f, radius, color );
    supAddStrip( overlay, b, b, direction, 0.0f, cap, 0.0f, cap, radius, color );
}

static void supAddPoint( supVec3 at, supColor color, float diameter, void* user )
{
    supOverlay* overlay = user;
    supClipPoint clip = supToClip( overlay, at );
    if ( clip.z + clip.w <= 0.0f )
    {
        return;
    }
    float radius = 0.5f * diameter * overlay->camera->scale, side = radius + 1.0f;
    supAddStrip( overlay, clip, clip, ( supVec3 ){ 1.0f, 0.0f, 0.0f }, side, side, -side, side, radius, color );
}

/// Lit on both sides, as the skin is.
static supColor supLit( const supCamera* camera, supVec3 normal, supColor color )
{
    supVec3 n = supDot( normal, camera->back ) < 0.0f ? supScale( normal, -1.0f ) : normal;
    float light =
        0.42f + 0.58f * fmaxf( supDot( n, camera->key ), 0.0f ) + 0.15f * fmaxf( supDot( n, camera->fill ), 0.0f );
    return ( supColor ){ fminf( color.r * light, 1.0f ), fminf( color.g * light, 1.0f ), fminf( color.b * light, 1.0f ),
        color.a };
}

static supVec3 supUnitOr( supVec3 v, supVec3 otherwise )
{
    float length = sqrtf( supDot( v, v ) );
    return length > 0.0f ? supScale( v, 1.0f / length ) : otherwise;
}

static void supAddTriangles( const supDrawCorner* corners, int32_t triangleCount, void* user )
{
    supOverlay* overlay = user;
    const supCamera* camera = overlay->camera;
    for ( int32_t i = 0; i < triangleCount; ++i )
    {
        const supDrawCorner* c = corners + 3 * (size_t)i;
        supOverlayVertex* to = supReserve( overlay, &overlay->triangles, 3 );
        if ( to == NULL )
        {
            return;
        }
        supVec3 face = supUnitOr( supCross( supSub( c[1].at, c[0].at ), supSub( c[2].at, c[0].at ) ), camera->back );
        for ( int k = 0; k < 3; ++k )
        {
            supColor lit = supLit( camera, supUnitOr( c[k].normal, face ), c[k].color );
            to[k] = supCorner( camera, supToClip( overlay, c[k].at ), 0.0f, 0.0f, lit, supVec3_zero );
        }
    }
}

static supColor* supPaint( supOverlay* overlay )
{
    if ( overlay->paint == NULL )
    {
        overlay->paint = calloc( (size_t)overlay->vertexCount + 1, sizeof( supColor ) );
        overlay->failed = overlay->failed || overlay->paint == NULL;
    }
    return overlay->paint;
}

static void supAddScalars( const float* values, int32_t vertexCount, void* user )
{
    supOverlay* overlay = user;
    supColor* paint = supPaint( overlay );
    for ( int32_t i = 0; paint != NULL && i < vertexCount && i < overlay->vertexCount; ++i )
    {
        // Even steps of what the eye sees, not of light: a weight of a half is a middle grey
        float v = fmaxf( 0.0f, fminf( values[i], 1.0f ) );
        float linear = powf( v, 2.2f );
        paint[i] = ( supColor ){ linear, linear, linear, 1.0f };
    }
}

static void supAddColors( const supColor* values, int32_t vertexCount, void* user )
{
    supOverlay* overlay = user;
    supColor* paint = supPaint( overlay );
    for ( int32_t i = 0; paint != NULL && i < vertexCount && i < overlay->vertexCount; ++i )
    {
        paint[i] = values[i];
    }
}

static void supAddLabel( supVec3 at, const char* text, supColor color, void* user )
{
    supOverlay* overlay = user;
    if ( overlay->labelCount == overlay->labelCapacity )
    {
        int32_t capacity = 2 * overlay->labelCapacity + 16;
        supOverlayLabel* labels = realloc( overlay->labels, (size_t)capacity * sizeof( *labels ) );
        if ( labels == NULL )
        {
            overlay->failed = true;
            return;
        }
        overlay->labels = labels;
        overlay->labelCapacity = capacity;
    }
    supOverlayLabel* label = overlay->labels + overlay->labelCount++;
    *label = ( supOverlayLabel ){ .at = supAdd( at, overlay->offset ), .color = color };
    snprintf( label->text, sizeof( label->text ), "%s", text );
}

void supOverlay_Gather( supOverlay* overlay, const supCamera* camera, const supActor* actor, int32_t vertexCount )
{
    *overlay = ( supOverlay ){ .camera = camera, .offset = actor->offset, .vertexCount = vertexCount };
    if ( actor->overlay != NULL )
    {
        const supDraw draw = { supAddLine, supAddPoint, supAddTriangles, supAddScalars, supAddColors, supAddLabel,
            overlay };
        actor->overlay( &draw, actor->user );
    }
}

void supOverlay_Release( supOverlay* overlay )
{
    free( overlay->paint );
    free( overlay->strokes.items );
    free( overlay->triangles.items );
    free( overlay->labels );
    *overlay = ( supOverlay ){ 0 };
}

// ---------------------------------------------------------------------------------------------------------------
// Drawing it.

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
