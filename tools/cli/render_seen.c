// Whether anything was drawn at all.
// SPDX-License-Identifier: MIT
#include "render_seen.h"

static void supPassLine( supVec3 from, supVec3 to, supColor color, float width, void* user )
{
    supSeenDraw* watch = user;
    watch->seen = true;
    watch->to->line( from, to, color, width, watch->to->user );
}

static void supPassPoint( supVec3 at, supColor color, float diameter, void* user )
{
    supSeenDraw* watch = user;
    watch->seen = true;
    watch->to->point( at, color, diameter, watch->to->user );
}

static void supPassTriangles( const supDrawCorner* corners, int32_t triangleCount, void* user )
{
    supSeenDraw* watch = user;
    watch->seen = watch->seen || triangleCount > 0;
    watch->to->triangles( corners, triangleCount, watch->to->user );
}

static void supPassScalars( const float* values, int32_t vertexCount, void* user )
{
    supSeenDraw* watch = user;
    watch->seen = true;
    watch->to->scalars( values, vertexCount, watch->to->user );
}

static void supPassColors( const supColor* values, int32_t vertexCount, void* user )
{
    supSeenDraw* watch = user;
    watch->seen = true;
    watch->to->colors( values, vertexCount, watch->to->user );
}

static void supPassLabel( supVec3 at, const char* text, supColor color, void* user )
{
    supSeenDraw* watch = user;
    watch->seen = true;
    watch->to->label( at, text, color, watch->to->user );
}

supDraw supWatchDraw( supSeenDraw* watch )
{
    const supDraw* to = watch->to;
    return ( supDraw ){ to->line != NULL ? supPassLine : NULL, to->point != NULL ? supPassPoint : NULL,
        to->triangles != NULL ? supPassTriangles : NULL, to->scalars != NULL ? supPassScalars : NULL,
        to->colors != NULL ? supPassColors : NULL, to->label != NULL ? supPassLabel : NULL, watch };
}
