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

typedef struct supClip
{
    float x, y, z, w;
} supClip;

static supClip supToClip( const supOverlay* overlay, supVec3 point )
{
    const float* m = overlay->camera->viewProjection;
    supVec3 p = supAdd( point, overlay->offset );
    return ( supClip ){ m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
        m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14], m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15] };
}

static supClip supMixClip( supClip a, supClip b, float t )
{
    return (
        supClip ){ a.x + t * ( b.x - a.x ), a.y + t * ( b.y - a.y ), a.z + t * ( b.z - a.z ), a.w + t * ( b.w - a.w ) };
}

/// Cuts off what is before the near plane, z < -w. False: nothing is left.
static bool supClipNear( supClip* a, supClip* b )
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
    const supCamera* camera, supClip at, float dx, float dy, supColor color, supVec3 round )
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
static void supAddStrip( supOverlay* overlay, supClip a, supClip b, supVec3 direction, float pastA, float pastB,
    float roundA, float roundB, float radius, supColor color )
{
    const supCamera* camera = overlay->camera;
    float side = radius + 1.0f;
    supOverlayVertex corners[4];
    for ( int i = 0; i < 4; ++i )
    {
        supClip at = i < 2 ? a : b;
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
    supClip a = supToClip( overlay, from ), b = supToClip( overlay, to );
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
    supClip clip = supToClip( overlay, at );
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
