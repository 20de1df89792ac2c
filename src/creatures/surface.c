// Supple: from half a mesh to a whole skin.
// SPDX-License-Identifier: MIT
#include "creatures/surface.h"

static void supMirrorHalf( supCreatureSurface* s, const supHalfMesh* half )
{
    const supVec3d* points = half->points.data;
    int32_t next = s->halfCount;
    for ( int32_t v = 0; v < s->halfCount; ++v )
    {
        s->points[v] = points[v];
        s->twins[v] = v;
        if ( points[v].x != 0.0 )
        {
            s->twins[v] = next;
            s->twins[next] = v;
            s->points[next++] = supMirrorD( points[v] );
        }
    }
    const int32_t* corners = half->triangles.data;
    uint32_t* own = s->indices;
    uint32_t* mirrored = s->indices + 3 * half->triangles.count;
    for ( size_t t = 0; t < half->triangles.count; ++t )
    {
        for ( size_t i = 0; i < 3; ++i )
        {
            own[3 * t + i] = (uint32_t)corners[3 * t + i];
            mirrored[3 * t + i] = (uint32_t)s->twins[corners[3 * t + 2 - i]];
        }
    }
}

// Area-weighted normals of the triangles around each vertex.
static void supAddTriangleNormals( supCreatureSurface* s )
{
    for ( int32_t t = 0; t < s->triangleCount; ++t )
    {
        const uint32_t* c = s->indices + 3 * t;
        supVec3d a = s->points[c[0]], b = s->points[c[1]], d = s->points[c[2]];
        supVec3d normal = supCrossD( supSubD( b, a ), supSubD( d, a ) );
        for ( int32_t i = 0; i < 3; ++i )
        {
            s->normals[c[i]] = supAddD( s->normals[c[i]], normal );
        }
    }
}

static void supDressHalf( supCreatureSurface* s, const supDraft* draft )
{
    for ( int32_t v = 0; v < s->halfCount; ++v )
    {
        supVec3d p = s->points[v], normal;
        // The field's own normal is smoother, the triangles' is right where the field turns within one of them.
        supSolid_Distance( &draft->field, p, &normal );
        normal = supAddD( supNormalizeD( normal ), supNormalizeD( s->normals[v] ) );
        if ( s->twins[v] == v )
        {
            normal.x = 0.0;
        }
        normal = supNormalizeD( normal );
        // Light that is missing in creases is missing least in red, as light comes through skin and fur.
        double open = draft->openness > 0.0 ? supSolid_Openness( &draft->field, p, normal, draft->openness ) : 1.0;
        int32_t twin = s->twins[v];
        s->normals[v] = normal;
        s->normals[twin] = twin == v ? normal : supMirrorD( normal );
        float rgba[4] = { (float)supMix( 0.55, 1.0, open ), (float)supMix( 0.40, 1.0, open ),
            (float)supMix( 0.38, 1.0, open ), 1.0f };
        for ( int32_t i = 0; i < 4; ++i )
        {
            s->colors[4 * v + i] = rgba[i];
            s->colors[4 * twin + i] = rgba[i];
        }
    }
}

static supResult supAllocateSurface(
    supCreatureSurface* s, const supHalfMesh* half, const supAllocator* allocator, supError* error )
{
    int32_t inPlane = 0;
    const supVec3d* points = half->points.data;
    for ( size_t v = 0; v < half->points.count; ++v )
    {
        inPlane += points[v].x == 0.0;
    }
    s->halfCount = (int32_t)half->points.count;
    s->vertexCount = 2 * s->halfCount - inPlane;
    s->triangleCount = 2 * (int32_t)half->triangles.count;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, s->points, s->vertexCount );
    SUP_PUT( &layout, s->normals, s->vertexCount );
    SUP_PUT( &layout, s->twins, s->vertexCount );
    SUP_PUT( &layout, s->indices, 3 * s->triangleCount );
    SUP_PUT( &layout, s->colors, 4 * s->vertexCount );
    SUP_PUT( &layout, s->joints, SUP_SKIN_INFLUENCES * s->vertexCount );
    SUP_PUT( &layout, s->weights, SUP_SKIN_INFLUENCES * s->vertexCount );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a skin of %d vertices", s->vertexCount );
    }
    s->block = block;
    s->blockSize = layout.size;
    return sup_success;
}

supResult supCreateSurface(
    const supDraft* draft, const supAllocator* allocator, supCreatureSurface* out, supError* error )
{
    *out = ( supCreatureSurface ){ .allocator = supKeepAllocator( allocator ) };
    supHalfMesh half;
    supResult result = supMeshSolid( &draft->field, draft->cell, allocator, &half, error );
    if ( result == sup_success )
    {
        result = supRemesh( &half, &draft->field, draft->vertexCount, allocator, error );
    }
    if ( result == sup_success )
    {
        result = supAllocateSurface( out, &half, allocator, error );
    }
    if ( result == sup_success )
    {
        supMirrorHalf( out, &half );
        supAddTriangleNormals( out );
        supDressHalf( out, draft );
        result = supBindSurface( out, draft, allocator, error );
    }
    supHalfMesh_Destroy( &half );
    if ( result != sup_success )
    {
        supCreatureSurface_Destroy( out );
    }
    return result;
}

void supCreatureSurface_Destroy( supCreatureSurface* surface )
{
    supFree( &surface->allocator, surface->block, surface->blockSize );
    surface->block = NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Paint, worked out for each point of a picture instead of each vertex, so that edges are crisp on few
// triangles.
//
// A closed surface without seams cannot be laid out flat, but half of one can: left and right are mirror images and
// share their paint. The draft unfolds the half by a continuous formula; where that folds over itself (inner and outer
// side of a leg) the paint is the same on both. Then every triangle is filled in the picture with the paint at its
// places in space.

#define SUP_TONES 4096

typedef struct supCanvas
{
    int32_t width, height;
    uint8_t* pixels;  // 3 each
    uint8_t* covered; // 0: not; 1: by the rim of a triangle; 2: by a triangle
    uint8_t* tones;   // sRGB of SUP_TONES linear steps
} supCanvas;

// sRGB (IEC 61966-2-1): 12.92 c below 0.0031308, else 1.055 c^(1/2.4) - 0.055.
static void supFillTones( uint8_t* tones )
{
    for ( int32_t i = 0; i < SUP_TONES; ++i )
    {
        double c = ( i + 0.5 ) / SUP_TONES;
        double s = c <= 0.0031308 ? 12.92 * c : 1.055 * supExp( supLn( c ) / 2.4 ) - 0.055;
        tones[i] = (uint8_t)supClamp( s * 255.0 + 0.5, 0.0, 255.0 );
    }
}

static void supPutPixel( supCanvas* canvas, int32_t x, int32_t y, supVec3d color, uint8_t cover )
{
    size_t at = (size_t)y * (size_t)canvas->width + (size_t)x;
    canvas->covered[at] = cover;
    double channels[3] = { color.x, color.y, color.z };
    for ( int32_t k = 0; k < 3; ++k )
    {
        int32_t tone = (int32_t)supClamp( channels[k] * SUP_TONES, 0.0, SUP_TONES - 1.0 );
        canvas->pixels[3 * at + (size_t)k] = canvas->tones[tone];
    }
}

// The nearest place of a triangle's rim to a point of the picture, as shares of its corners; gives the square of the
// distance.
static double supNearestOnRim( const supVec3d uv[3], double x, double y, double shares[3] )
{
    double best = 1e30;
    for ( int32_t i = 0; i < 3; ++i )
    {
        int32_t j = ( i + 1 ) % 3;
        double ex = uv[j].x - uv[i].x, ey = uv[j].y - uv[i].y, dx = x - uv[i].x, dy = y - uv[i].y;
        double square = ex * ex + ey * ey;
        double t = square > 0.0 ? supClamp( ( dx * ex + dy * ey ) / square, 0.0, 1.0 ) : 0.0;
        double away = ( dx - t * ex ) * ( dx - t * ex ) + ( dy - t * ey ) * ( dy - t * ey );
        if ( away < best )
        {
            best = away;
            shares[i] = 1.0 - t;
            shares[j] = t;
            shares[( i + 2 ) % 3] = 0.0;
        }
    }
    return best;
}

// The shares of a triangle's corners at a point of the picture within it.
static bool supInTriangle( const supVec3d uv[3], double x, double y, double shares[3] )
{
    double ax = uv[1].x - uv[0].x, ay = uv[1].y - uv[0].y, bx = uv[2].x - uv[0].x, by = uv[2].y - uv[0].y;
    double dx = x - uv[0].x, dy = y - uv[0].y;
    double det = ax * by - ay * bx;
    if ( supAbs( det ) < 1e-9 )
    {
        return false;
    }
    shares[1] = ( dx * by - dy * bx ) / det;
    shares[2] = ( dy * ax - dx * ay ) / det;
    shares[0] = 1.0 - shares[1] - shares[2];
    return shares[0] >= 0.0 && shares[1] >= 0.0 && shares[2] >= 0.0;
}

// Fills the triangle and a rim of a pixel and a half around it, which filtering reads.
static void supFillTriangle( supCanvas* canvas, const supVec3d uv[3], const supVec3d p[3], supPaintFormula* paint )
{
    double x0 = supMin( uv[0].x, supMin( uv[1].x, uv[2].x ) ), x1 = supMax( uv[0].x, supMax( uv[1].x, uv[2].x ) );
    double y0 = supMin( uv[0].y, supMin( uv[1].y, uv[2].y ) ), y1 = supMax( uv[0].y, supMax( uv[1].y, uv[2].y ) );
    int32_t firstX = (int32_t)supMax( x0 - 2.0, 0.0 ), lastX = (int32_t)supMin( x1 + 2.0, canvas->width - 1.0 );
    int32_t firstY = (int32_t)supMax( y0 - 2.0, 0.0 ), lastY = (int32_t)supMin( y1 + 2.0, canvas->height - 1.0 );
    for ( int32_t y = firstY; y <= lastY; ++y )
    {
        for ( int32_t x = firstX; x <= lastX; ++x )
        {
            double shares[3];
            bool inside = supInTriangle( uv, x + 0.5, y + 0.5, shares );
            uint8_t cover = inside ? 2 : 1;
            if ( canvas->covered[(size_t)y * (size_t)canvas->width + (size_t)x] >= cover ||
                 ( !inside && supNearestOnRim( uv, x + 0.5, y + 0.5, shares ) > 1.5 * 1.5 ) )
            {
                continue;
            }
            supVec3d place = supMulAddD( supScaleD( p[0], shares[0] ), shares[1], p[1] );
            supPutPixel( canvas, x, y, paint( supMulAddD( place, shares[2], p[2] ) ), cover );
        }
    }
}

// What no triangle covers takes the colour to its left or right, then above or below: smaller pictures show no strange
// colours.
static void supSpread( supCanvas* canvas )
{
    for ( int32_t pass = 0; pass < 4; ++pass )
    {
        bool across = pass < 2, back = pass % 2 == 1;
        int32_t lines = across ? canvas->height : canvas->width, steps = across ? canvas->width : canvas->height;
        for ( int32_t l = 0; l < lines; ++l )
        {
            for ( int32_t s = 1; s < steps; ++s )
            {
                int32_t i = back ? steps - 1 - s : s, from = back ? i + 1 : i - 1;
                size_t at = across ? (size_t)l * (size_t)canvas->width + (size_t)i
                                   : (size_t)i * (size_t)canvas->width + (size_t)l;
                size_t source = across ? (size_t)l * (size_t)canvas->width + (size_t)from
                                       : (size_t)from * (size_t)canvas->width + (size_t)l;
                if ( canvas->covered[at] == 0 && canvas->covered[source] != 0 )
                {
                    canvas->covered[at] = 1;
                    for ( size_t k = 0; k < 3; ++k )
                    {
                        canvas->pixels[3 * at + k] = canvas->pixels[3 * source + k];
                    }
                }
            }
        }
    }
}

// Ten times as many pixels along an edge as a picture of the whole body would have.
static bool supIsStretched( const supVec3d uv[3], const supVec3d p[3] )
{
    for ( int32_t i = 0; i < 3; ++i )
    {
        int32_t j = ( i + 1 ) % 3;
        if ( supLengthD( supSubD( uv[j], uv[i] ) ) > 6000.0 * supLengthD( supSubD( p[j], p[i] ) ) )
        {
            return true;
        }
    }
    return false;
}

static void supFillCanvas(
    supCanvas* canvas, const supDraft* draft, const supCreatureSurface* s, const float* texcoords )
{
    supFillTones( canvas->tones );
    // Triangles that the unfolding stretches, at its poles, come last and take what is left: they span the picture at
    // one height. The first half of the triangles is the left side.
    for ( int32_t i = 0; i < s->triangleCount; ++i )
    {
        int32_t t = i % ( s->triangleCount / 2 );
        bool last = i >= s->triangleCount / 2;
        supVec3d uv[3], p[3];
        for ( int32_t k = 0; k < 3; ++k )
        {
            uint32_t v = s->indices[3 * t + k];
            uv[k] =
                supV( texcoords[2 * v] * (double)canvas->width, texcoords[2 * v + 1] * (double)canvas->height, 0.0 );
            p[k] = s->points[v];
        }
        if ( supIsStretched( uv, p ) == last )
        {
            supFillTriangle( canvas, uv, p, draft->paint );
        }
    }
    supSpread( canvas );
}

supResult supPaintTexture( const supDraft* draft, const supCreatureSurface* surface, float* texcoords, supArray* png,
    const supAllocator* allocator, supError* error )
{
    for ( int32_t v = 0; v < surface->halfCount; ++v )
    {
        supVec3d uv = draft->unfold( surface->points[v] );
        int32_t both[2] = { v, surface->twins[v] };
        for ( int32_t i = 0; i < 2; ++i )
        {
            texcoords[2 * both[i]] = (float)supClamp( uv.x, 0.0, 1.0 );
            texcoords[2 * both[i] + 1] = (float)supClamp( 1.0 - uv.y, 0.0, 1.0 ); // glTF's origin is the upper left
        }
    }
    supCanvas canvas = { .width = draft->textureWidth, .height = draft->textureHeight };
    size_t pixels = (size_t)canvas.width * (size_t)canvas.height;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, canvas.pixels, 3 * pixels );
    SUP_PUT( &layout, canvas.covered, pixels );
    SUP_PUT( &layout, canvas.tones, SUP_TONES );
    char* block = supAllocLayout( allocator, &layout );
    bool done = block != NULL;
    if ( done )
    {
        supFillCanvas( &canvas, draft, surface, texcoords );
        done = supAppendPng( canvas.pixels, canvas.width, canvas.height, png );
    }
    supFree( allocator, block, layout.size );
    return done ? sup_success : supFail( error, sup_errorMemory, "no memory to paint '%s'", draft->name );
}
