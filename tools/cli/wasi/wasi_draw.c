// What layers show of themselves, gathered in rows of floats for a host that draws them; and elongations to plot.
// SPDX-License-Identifier: MIT
#include "supple/lab/drawing.h"
#include "supple/lab/measures.h"

#include <stdlib.h>
#include <string.h>

#define SUP_PROGRAM( name ) __attribute__( ( export_name( #name ) ) ) name

/// Floats in a row that grows.
typedef struct supDrawingRow
{
    float* floats;
    int32_t count, room;
} supDrawingRow;

/// In the order in which the host reads them.
typedef struct supDrawing
{
    supDrawingRow lines;   ///< from, to, colour, width: 11 each
    supDrawingRow points;  ///< at, colour, diameter: 8 each
    supDrawingRow corners; ///< of triangles: at, normal, colour: 10 each
    supDrawingRow scalars; ///< one a vertex, or none
    supDrawingRow colors;  ///< four a vertex, or none
    bool isFull;           ///< no memory for more
} supDrawing;

supDrawing* SUP_PROGRAM( supProgram_CreateDrawing )( void );
void SUP_PROGRAM( supProgram_DestroyDrawing )( supDrawing* drawing );
int SUP_PROGRAM( supProgram_Draw )( supDrawing* drawing, const supBody* body, const char* what );
const char* SUP_PROGRAM( supProgram_DrawName )( int32_t number );
void SUP_PROGRAM( supProgram_Elongations )( const supTake* take, double time, supVec3* out );

static void supPutFloats( supDrawing* drawing, supDrawingRow* row, const void* floats, int32_t count )
{
    if ( row->count > row->room - count )
    {
        int64_t room = 2 * ( (int64_t)row->room + count );
        float* larger = room < 400000000 ? realloc( row->floats, sizeof( float ) * (size_t)room ) : NULL;
        if ( larger == NULL )
        {
            drawing->isFull = true;
            return;
        }
        row->floats = larger;
        row->room = (int32_t)room;
    }
    memcpy( row->floats + row->count, floats, sizeof( float ) * (size_t)count );
    row->count += count;
}

static void supGatherLine( supVec3 from, supVec3 to, supColor color, float width, void* user )
{
    const float line[11] = { from.x, from.y, from.z, to.x, to.y, to.z, color.r, color.g, color.b, color.a, width };
    supDrawing* drawing = user;
    supPutFloats( drawing, &drawing->lines, line, 11 );
}

static void supGatherPoint( supVec3 at, supColor color, float diameter, void* user )
{
    const float point[8] = { at.x, at.y, at.z, color.r, color.g, color.b, color.a, diameter };
    supDrawing* drawing = user;
    supPutFloats( drawing, &drawing->points, point, 8 );
}

static void supGatherTriangles( const supDrawCorner* corners, int32_t triangleCount, void* user )
{
    supDrawing* drawing = user;
    for ( int32_t i = 0; i < 3 * triangleCount; ++i )
    {
        supDrawCorner c = corners[i];
        const float corner[10] = { c.at.x, c.at.y, c.at.z, c.normal.x, c.normal.y, c.normal.z, c.color.r, c.color.g,
            c.color.b, c.color.a };
        supPutFloats( drawing, &drawing->corners, corner, 10 );
    }
}

static void supGatherScalars( const float* values, int32_t vertexCount, void* user )
{
    supDrawing* drawing = user;
    drawing->scalars.count = 0; // of several that paint the skin the last is seen
    supPutFloats( drawing, &drawing->scalars, values, vertexCount );
}

static void supGatherColors( const supColor* values, int32_t vertexCount, void* user )
{
    supDrawing* drawing = user;
    drawing->colors.count = 0;
    for ( int32_t i = 0; i < vertexCount; ++i )
    {
        const float color[4] = { values[i].r, values[i].g, values[i].b, values[i].a };
        supPutFloats( drawing, &drawing->colors, color, 4 );
    }
}

supDrawing* supProgram_CreateDrawing( void )
{
    return calloc( 1, sizeof( supDrawing ) );
}

void supProgram_DestroyDrawing( supDrawing* drawing )
{
    free( drawing->lines.floats );
    free( drawing->points.floats );
    free( drawing->corners.floats );
    free( drawing->scalars.floats );
    free( drawing->colors.floats );
    free( drawing );
}

/// One thing by name, in the place of what was drawn before. 0: nothing is called so; -1: no memory.
int supProgram_Draw( supDrawing* drawing, const supBody* body, const char* what )
{
    const supDraw draw = { .line = supGatherLine,
        .point = supGatherPoint,
        .triangles = supGatherTriangles,
        .scalars = supGatherScalars,
        .colors = supGatherColors,
        .user = drawing };
    drawing->isFull = false;
    drawing->lines.count = drawing->points.count = drawing->corners.count = 0;
    drawing->scalars.count = drawing->colors.count = 0;
    bool known = supBody_Draw( body, what, &draw );
    return drawing->isFull ? -1 : known;
}

/// What there is to draw, one name after the other; NULL after the last.
const char* supProgram_DrawName( int32_t number )
{
    return supBody_DrawNames()[number];
}

/// As they are shown at a time of a take, model space, one for each element.
void supProgram_Elongations( const supTake* take, double time, supVec3* out )
{
    supTake_Elongations( take, time, out );
}
