// The flesh layer in pictures: figures 3, 10 and 12 of the paper.
// SPDX-License-Identifier: MIT

#include "base/math.h"
#include "flesh.h"
#include "supple/lab/drawing.h"

#include <string.h>

static const supColor supBlue = { 0.05f, 0.15f, 0.9f, 1.0f };

/// Black where nothing follows the spring, white where all of it does.
static void supDrawWeights( const supFlesh* flesh, int32_t vertexCount, float* scratch, const supDraw* draw )
{
    memset( scratch, 0, sizeof( float ) * (size_t)vertexCount );
    for ( int32_t i = 0; i < flesh->skin.touchCount; ++i )
    {
        float* value = scratch + flesh->vertices[i];
        *value = supMinF( *value + flesh->weights[i], 1.0f );
    }
    if ( draw->scalars != NULL )
    {
        draw->scalars( scratch, vertexCount, draw->user );
    }
}

/// Each element in a colour of its own, by weight. `scratch`: 4 floats a vertex.
static void supDrawElements( const supFlesh* flesh, int32_t vertexCount, float* scratch, const supDraw* draw )
{
    supColor* colors = (supColor*)scratch;
    const supColor bare = { 0.55f, 0.55f, 0.55f, 1.0f };
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        colors[v] = bare;
    }
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        const supFleshElement* element = flesh->elements + e;
        supColor own = supDraw_Distinct( e );
        for ( int32_t i = element->first; i < element->first + element->count; ++i )
        {
            supColor* color = colors + flesh->vertices[i];
            float share = supMinF( 0.15f + flesh->weights[i], 1.0f );
            color->r += share * ( own.r - color->r );
            color->g += share * ( own.g - color->g );
            color->b += share * ( own.b - color->b );
        }
    }
    if ( draw->colors != NULL )
    {
        draw->colors( colors, vertexCount, draw->user );
    }
}

/// Blue dashes from the smooth to the living position. One that is shorter than its own width would be a mere dot, and
/// a skin at rest covered with them: it is left out.
static void supDrawDisplacement(
    const supFlesh* flesh, float size, const supVec3* shown, const float* smooth, const supDraw* draw )
{
    const float least = 1e-3f * size;
    for ( int32_t row = 0; row < flesh->skin.touchedCount && draw->line != NULL; ++row )
    {
        const float* p = smooth + 3 * (size_t)flesh->skin.touched[row];
        supVec3 from = { p[0], p[1], p[2] }, to = from;
        for ( int32_t i = flesh->skin.firsts[row]; i < flesh->skin.firsts[row + 1]; ++i )
        {
            to = supMulAdd( to, flesh->skin.touches[i].weight, shown[flesh->skin.touches[i].element] );
        }
        if ( supDistance( from, to ) > least )
        {
            draw->line( from, to, supBlue, 1.5f, draw->user );
        }
    }
}

static void supDrawFrame( supMat34 frame, float length, const supDraw* draw )
{
    const supVec3 axes[3] = { frame.x, frame.y, frame.z };
    for ( int i = 0; i < 3; ++i )
    {
        supColor color = { i == 0 ? 0.8f : 0.05f, i == 1 ? 0.6f : 0.05f, i == 2 ? 0.9f : 0.05f, 1.0f };
        supVec3 tip = supMulAdd( frame.t, length, supNormalize( axes[i] ) );
        draw->line( frame.t, tip, color, 2.0f, draw->user );
    }
}

/// A zigzag between two points: the spring of figure 10.
static void supDrawCoil( supVec3 from, supVec3 to, float width, supColor color, const supDraw* draw )
{
    enum
    {
        supTurns = 9
    };
    supVec3 along = supSub( to, from );
    supVec3 away = supAbsF( along.y ) < supAbsF( along.x ) + supAbsF( along.z ) ? supMakeVec3( 0.0f, 1.0f, 0.0f )
                                                                                : supMakeVec3( 1.0f, 0.0f, 0.0f );
    supVec3 across = supScale( supNormalize( supCross( along, away ) ), width );
    supVec3 last = from;
    for ( int i = 1; i <= supTurns; ++i )
    {
        float side = i == supTurns ? 0.0f : ( i % 2 == 0 ? -1.0f : 1.0f );
        supVec3 next = supMulAdd( supMulAdd( from, (float)i / supTurns, along ), side, across );
        draw->line( last, next, color, 2.0f, draw->user );
        last = next;
    }
}

/// The virtual bone, the local frame, the spring and the dynamic frame of each element.
static void supDrawSprings( const supFlesh* flesh, const supVec3* shown, const supMat34* joints, const supDraw* draw )
{
    for ( int32_t e = 0; e < flesh->elementCount && draw->line != NULL; ++e )
    {
        const supFleshElement* element = flesh->elements + e;
        supMat34 motion = supMulMat( joints[element->driver], element->driverFromRest );
        supMat34 local = supMulMat( motion, element->localFrame ), dynamic = local;
        dynamic.t = supAdd( local.t, shown[e] );
        supColor color = supDraw_Distinct( e );
        supVec3 from = supTransformPoint( motion, element->boneFrom ),
                to = supTransformPoint( motion, element->boneTo );
        float length = 0.3f * supDistance( from, to );
        draw->line( from, to, color, 3.0f, draw->user );
        supDrawFrame( local, length, draw );
        supDrawFrame( dynamic, 0.7f * length, draw );
        supDrawCoil( local.t, dynamic.t, 0.08f * length, color, draw );
        if ( draw->point != NULL )
        {
            draw->point( local.t, color, 9.0f, draw->user );
            draw->point( dynamic.t, supBlue, 9.0f, draw->user );
        }
        if ( draw->label != NULL )
        {
            draw->label( local.t, element->name, color, draw->user );
        }
    }
}

void supDrawFlesh( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    const supFlesh* flesh = compiled;
    const supVec3* elongations = (const supVec3*)shown;
    (void)positions;
    if ( strcmp( what, "weights" ) == 0 )
    {
        supDrawWeights( flesh, flesh->vertexCount, frame->scratch, draw );
    }
    else if ( strcmp( what, "elements" ) == 0 )
    {
        supDrawElements( flesh, flesh->vertexCount, frame->scratch, draw );
    }
    else if ( strcmp( what, "displacement" ) == 0 )
    {
        supDrawDisplacement( flesh, flesh->size, elongations, &frame->smooth->x, draw );
    }
    else if ( strcmp( what, "springs" ) == 0 )
    {
        supDrawSprings( flesh, elongations, frame->joints, draw );
    }
}
