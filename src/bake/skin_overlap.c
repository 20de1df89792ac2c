// How deep vertices of a skin lie inside other parts of the body.
// SPDX-License-Identifier: MIT

#include "bake/skin_overlap.h"

#include "base/math.h"
#include "base/memory.h"
#include "base/unions.h"
#include "layers/closest_point.h"

#include <string.h>

enum
{
    supBins = 64,       ///< along a side of the pictures that rays are looked up in
    supMostAround = 32, ///< surfaces that one ray meets
};

/// A vertex is looked at this share of the size outside.
static const float supHair = 1e-4f;

typedef struct supSkinTriangle
{
    int32_t corners[3];
    int32_t piece; ///< -1: of an open one
    supVec3 middle;
    float radius;
} supSkinTriangle;

/// Triangles seen along one axis, sorted into the fields of a chess board.
typedef struct supRayBins
{
    int32_t* starts; ///< of the fields, and the end
    int32_t* triangles;
    size_t room;
    float low[2], scale[2];
} supRayBins;

struct supSkinOverlap
{
    supAllocator allocator;
    const supCharacter* character;
    const int32_t* welds;
    float size;
    int32_t count;
    supSkinTriangle* triangles;
    int32_t* parts;   ///< of vertices
    int32_t* pieces;  ///< of vertices, by welds
    supVec3* normals; ///< of welds
    const supVec3* positions;
    int32_t lastFound; ///< a triangle: the next vertex is likely to come out close to it
    supRayBins bins[3];
    size_t blockSize;
};

// ---------------------------------------------------------------------------------------------------------------
// Making

static void supFindOverlapParts( supSkinOverlap* overlap )
{
    const supCharacter* character = overlap->character;
    const int32_t* joints = supCharacter_PaletteJoints( character );
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            // influences are ordered by falling weight
            size_t at = (size_t)v * (size_t)mesh.influenceCount;
            overlap->parts[mesh.firstVertex + v] = joints[mesh.firstPalette + mesh.jointIndices[at]];
        }
    }
}

static void supListOverlapTriangles( supSkinOverlap* overlap )
{
    for ( int32_t m = 0; m < supCharacter_MeshCount( overlap->character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( overlap->character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            supSkinTriangle* triangle = overlap->triangles + overlap->count++;
            for ( int k = 0; k < 3; ++k )
            {
                triangle->corners[k] = mesh.firstVertex + (int32_t)mesh.indices[i + k];
                int32_t a = overlap->welds[triangle->corners[k]], b = overlap->welds[triangle->corners[0]];
                supJoinRoots( overlap->pieces, a, b );
            }
        }
    }
}

/// Around a closed piece the areas of all triangles, as vectors, add up to nothing. Those of an open one are the area
/// of its holes: more than this share of its skin, and it is no body that one could be inside of.
static const double supOpenShare = 0.02;

/// Tells closed pieces from open ones, at rest. `sums` and `areas`: of vertices, zeros.
static void supDropOpenPieces( supSkinOverlap* overlap, supVec3d* sums, double* areas )
{
    const supVec3* rest = (const supVec3*)supCharacter_RestPositions( overlap->character );
    for ( int32_t t = 0; t < overlap->count; ++t )
    {
        supSkinTriangle* triangle = overlap->triangles + t;
        triangle->piece = supFindRoot( overlap->pieces, overlap->welds[triangle->corners[0]] );
        supVec3d a = supToDouble( rest[triangle->corners[0]] );
        supVec3d area = supCrossD( supSubD( supToDouble( rest[triangle->corners[1]] ), a ),
            supSubD( supToDouble( rest[triangle->corners[2]] ), a ) );
        sums[triangle->piece] = supAddD( sums[triangle->piece], area );
        areas[triangle->piece] += supLengthD( area );
    }
    for ( int32_t t = 0; t < overlap->count; ++t )
    {
        int32_t piece = overlap->triangles[t].piece;
        bool closed = supLengthD( sums[piece] ) <= supOpenShare * areas[piece];
        overlap->triangles[t].piece = closed ? piece : -1;
    }
}

supSkinOverlap* supMakeSkinOverlap( const supCharacter* character, const supAllocator* allocator )
{
    size_t vertices = (size_t)supCharacter_VertexCount( character ), triangles = 0;
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        triangles += (size_t)supCharacter_Mesh( character, m ).indexCount / 3;
    }
    supLayout layout = supMakeLayout();
    SUP_LAYOUT_ARRAY( &layout, supSkinOverlap, 1 );
    size_t atTriangles = SUP_LAYOUT_ARRAY( &layout, supSkinTriangle, triangles );
    size_t atParts = SUP_LAYOUT_ARRAY( &layout, int32_t, vertices );
    size_t atPieces = SUP_LAYOUT_ARRAY( &layout, int32_t, vertices );
    size_t atNormals = SUP_LAYOUT_ARRAY( &layout, supVec3, vertices );
    size_t atStarts = SUP_LAYOUT_ARRAY( &layout, int32_t, 3 * ( supBins * supBins + 1 ) );
    size_t atSums = SUP_LAYOUT_ARRAY( &layout, supVec3d, vertices );
    size_t atAreas = SUP_LAYOUT_ARRAY( &layout, double, vertices );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    supSkinOverlap* overlap = (supSkinOverlap*)block;
    *overlap = ( supSkinOverlap ){ .allocator = supKeepAllocator( allocator ),
        .character = character,
        .welds = supCharacter_Welds( character ),
        .size = supCharacter_Size( character ),
        .triangles = (supSkinTriangle*)( block + atTriangles ),
        .parts = (int32_t*)( block + atParts ),
        .pieces = (int32_t*)( block + atPieces ),
        .normals = (supVec3*)( block + atNormals ),
        .blockSize = layout.size };
    for ( int axis = 0; axis < 3; ++axis )
    {
        overlap->bins[axis].starts = (int32_t*)( block + atStarts ) + axis * ( supBins * supBins + 1 );
    }
    for ( size_t v = 0; v < vertices; ++v )
    {
        overlap->pieces[v] = (int32_t)v;
    }
    supFindOverlapParts( overlap );
    supListOverlapTriangles( overlap );
    supDropOpenPieces( overlap, (supVec3d*)( block + atSums ), (double*)( block + atAreas ) );
    return overlap;
}

void supDropSkinOverlap( supSkinOverlap* overlap )
{
    if ( overlap == NULL )
    {
        return;
    }
    supAllocator allocator = overlap->allocator;
    for ( int axis = 0; axis < 3; ++axis )
    {
        supFree( &allocator, overlap->bins[axis].triangles, overlap->bins[axis].room * sizeof( int32_t ) );
    }
    supFree( &allocator, overlap, overlap->blockSize );
}

// ---------------------------------------------------------------------------------------------------------------
// A skin

static float supComponent( supVec3 v, int axis )
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// The two other axes, so that (axis, u, v) is right-handed.
static int supNextAxis( int axis, int step )
{
    return ( axis + step ) % 3;
}

static int supBinAt( const supRayBins* bins, int side, float value )
{
    return (int)supClampF( ( value - bins->low[side] ) * bins->scale[side], 0.0f, supBins - 1 );
}

/// The fields that a triangle covers, by its box.
static void supBinsOf(
    const supSkinOverlap* overlap, int axis, const supSkinTriangle* triangle, int low[2], int high[2] )
{
    const supRayBins* bins = overlap->bins + axis;
    for ( int side = 0; side < 2; ++side )
    {
        float least = 1e30f, most = -1e30f;
        for ( int k = 0; k < 3; ++k )
        {
            float at = supComponent( overlap->positions[triangle->corners[k]], supNextAxis( axis, side + 1 ) );
            least = supMinF( least, at );
            most = supMaxF( most, at );
        }
        low[side] = supBinAt( bins, side, least );
        high[side] = supBinAt( bins, side, most );
    }
}

/// Counts the triangles of each field, or files them where `file`: then `starts` run up to the next field's.
static void supFileTriangles( supSkinOverlap* overlap, int axis, bool file )
{
    supRayBins* bins = overlap->bins + axis;
    for ( int32_t t = 0; t < overlap->count; ++t )
    {
        int low[2], high[2];
        if ( overlap->triangles[t].piece < 0 )
        {
            continue;
        }
        supBinsOf( overlap, axis, overlap->triangles + t, low, high );
        for ( int v = low[1]; v <= high[1]; ++v )
        {
            for ( int u = low[0]; u <= high[0]; ++u )
            {
                int32_t* at = bins->starts + v * supBins + u;
                if ( file )
                {
                    bins->triangles[*at] = t;
                }
                *at += 1;
            }
        }
    }
}

static bool supFillBins( supSkinOverlap* overlap, int axis, supVec3 low, supVec3 high )
{
    supRayBins* bins = overlap->bins + axis;
    for ( int side = 0; side < 2; ++side )
    {
        float from = supComponent( low, supNextAxis( axis, side + 1 ) );
        float to = supComponent( high, supNextAxis( axis, side + 1 ) );
        bins->low[side] = from;
        bins->scale[side] = to > from ? (float)supBins / ( to - from ) : 0.0f;
    }
    memset( bins->starts, 0, sizeof( int32_t ) * ( supBins * supBins + 1 ) );
    supFileTriangles( overlap, axis, false );
    int32_t sum = 0;
    for ( int i = 0; i <= supBins * supBins; ++i )
    {
        int32_t own = bins->starts[i];
        bins->starts[i] = sum;
        sum += own;
    }
    if ( (size_t)sum > bins->room )
    {
        supFree( &overlap->allocator, bins->triangles, bins->room * sizeof( int32_t ) );
        bins->room = 2 * (size_t)sum;
        bins->triangles = supAlloc( &overlap->allocator, bins->room * sizeof( int32_t ), _Alignof( int32_t ) );
        bins->room = bins->triangles != NULL ? bins->room : 0;
        if ( bins->triangles == NULL )
        {
            return false;
        }
    }
    supFileTriangles( overlap, axis, true );
    // filing has moved every start to the next field's
    memmove( bins->starts + 1, bins->starts, sizeof( int32_t ) * supBins * supBins );
    bins->starts[0] = 0;
    return true;
}

bool supSkinOverlap_Look( supSkinOverlap* overlap, const supVec3* positions )
{
    int32_t vertices = supCharacter_VertexCount( overlap->character );
    overlap->positions = positions;
    overlap->lastFound = -1;
    memset( overlap->normals, 0, sizeof( supVec3 ) * (size_t)vertices );
    supVec3 low = positions[0], high = positions[0];
    for ( int32_t v = 0; v < vertices; ++v )
    {
        low = supMinVec3( low, positions[v] );
        high = supMaxVec3( high, positions[v] );
    }
    for ( int32_t t = 0; t < overlap->count; ++t )
    {
        supSkinTriangle* triangle = overlap->triangles + t;
        supVec3 a = positions[triangle->corners[0]], b = positions[triangle->corners[1]],
                c = positions[triangle->corners[2]];
        supVec3 area = supCross( supSub( b, a ), supSub( c, a ) );
        triangle->middle = supScale( supAdd( supAdd( a, b ), c ), 1.0f / 3.0f );
        triangle->radius = supMaxF( supDistance( triangle->middle, a ),
            supMaxF( supDistance( triangle->middle, b ), supDistance( triangle->middle, c ) ) );
        for ( int k = 0; k < 3; ++k )
        {
            supVec3* normal = overlap->normals + overlap->welds[triangle->corners[k]];
            *normal = supAdd( *normal, area );
        }
    }
    bool fits = true;
    for ( int axis = 0; axis < 3 && fits; ++axis )
    {
        fits = supFillBins( overlap, axis, low, high );
    }
    return fits;
}

// ---------------------------------------------------------------------------------------------------------------
// A vertex

/// How often each surface goes around a point.
typedef struct supCrossings
{
    int32_t count;
    int32_t pieces[supMostAround];
    int turns[supMostAround][3]; ///< by a ray along each axis
} supCrossings;

static void supAddCrossing( supCrossings* crossings, int32_t piece, int axis, int turn )
{
    int32_t at = 0;
    while ( at < crossings->count && crossings->pieces[at] != piece )
    {
        ++at;
    }
    if ( at == crossings->count && at < supMostAround )
    {
        crossings->pieces[at] = piece;
        memset( crossings->turns[at], 0, sizeof( crossings->turns[at] ) );
        crossings->count += 1;
    }
    if ( at < supMostAround )
    {
        crossings->turns[at][axis] += turn;
    }
}

/// Twice the area of (a, b, p) as seen along the axis.
static double supSeenArea( supVec3 a, supVec3 b, supVec3 p, int axis )
{
    int u = supNextAxis( axis, 1 ), v = supNextAxis( axis, 2 );
    double au = (double)supComponent( a, u ) - (double)supComponent( p, u ),
           av = (double)supComponent( a, v ) - (double)supComponent( p, v );
    double bu = (double)supComponent( b, u ) - (double)supComponent( p, u ),
           bv = (double)supComponent( b, v ) - (double)supComponent( p, v );
    return au * bv - av * bu;
}

/// Crossings of the ray from p along an axis: +1 where it leaves a surface, -1 where it enters one.
static void supCrossRay( const supSkinOverlap* overlap, supVec3 p, int axis, supCrossings* crossings )
{
    const supRayBins* bins = overlap->bins + axis;
    int u = supBinAt( bins, 0, supComponent( p, supNextAxis( axis, 1 ) ) ),
        v = supBinAt( bins, 1, supComponent( p, supNextAxis( axis, 2 ) ) );
    for ( int32_t i = bins->starts[v * supBins + u]; i < bins->starts[v * supBins + u + 1]; ++i )
    {
        const supSkinTriangle* triangle = overlap->triangles + bins->triangles[i];
        supVec3 c[3] = { overlap->positions[triangle->corners[0]], overlap->positions[triangle->corners[1]],
            overlap->positions[triangle->corners[2]] };
        double areas[3] = { supSeenArea( c[1], c[2], p, axis ), supSeenArea( c[2], c[0], p, axis ),
            supSeenArea( c[0], c[1], p, axis ) };
        bool left = areas[0] > 0.0 && areas[1] > 0.0 && areas[2] > 0.0,
             right = areas[0] < 0.0 && areas[1] < 0.0 && areas[2] < 0.0;
        if ( !left && !right )
        {
            continue;
        }
        double sum = areas[0] + areas[1] + areas[2], at = 0.0;
        for ( int k = 0; k < 3; ++k )
        {
            at += areas[k] / sum * (double)supComponent( c[k], axis );
        }
        if ( at > (double)supComponent( p, axis ) )
        {
            supAddCrossing( crossings, triangle->piece, axis, left ? 1 : -1 );
        }
    }
}

/// Takes a triangle for the way out where it is closer, of that piece, and has no corner in that part.
static void supTryWayOut(
    const supSkinOverlap* overlap, supVec3 p, int32_t piece, int32_t part, int32_t triangle, supWayOut* out )
{
    const int32_t* c = overlap->triangles[triangle].corners;
    const supVec3* x = overlap->positions;
    if ( overlap->triangles[triangle].piece != piece || overlap->parts[c[0]] == part || overlap->parts[c[1]] == part ||
         overlap->parts[c[2]] == part )
    {
        return;
    }
    supFootPoint foot = supClosestOnTriangle( p, x[c[0]], x[c[1]], x[c[2]] );
    if ( out->triangle < 0 || foot.distance < out->depth )
    {
        out->depth = foot.distance;
        out->triangle = triangle;
        memcpy( out->corners, c, sizeof( out->corners ) );
        memcpy( out->shares, foot.shares, sizeof( out->shares ) );
    }
}

/// The closest triangle of a piece that has no corner in `part`; depth 0: there is none. `guess`: a triangle that may
/// be close, or -1; what it gives rules out most others.
static supWayOut supToOtherPart( const supSkinOverlap* overlap, supVec3 p, int32_t piece, int32_t part, int32_t guess )
{
    supWayOut out = { .triangle = -1 };
    if ( guess >= 0 )
    {
        supTryWayOut( overlap, p, piece, part, guess, &out );
    }
    for ( int32_t t = 0; t < overlap->count; ++t )
    {
        const supSkinTriangle* triangle = overlap->triangles + t;
        supVec3 off = supSub( p, triangle->middle );
        float bound = ( out.triangle >= 0 ? out.depth : overlap->size ) + triangle->radius;
        if ( supDot( off, off ) <= bound * bound )
        {
            supTryWayOut( overlap, p, piece, part, t, &out );
        }
    }
    return out;
}

supWayOut supSkinOverlap_Depth( supSkinOverlap* overlap, int32_t vertex )
{
    supVec3 own = overlap->positions[vertex], normal = supNormalize( overlap->normals[overlap->welds[vertex]] );
    supVec3 p = supMulAdd( own, supHair * overlap->size, normal );
    supCrossings crossings = { 0 };
    for ( int axis = 0; axis < 3; ++axis )
    {
        supCrossRay( overlap, p, axis, &crossings );
    }
    supWayOut deepest = { 0 };
    for ( int32_t i = 0; i < crossings.count; ++i )
    {
        // two of three: a ray through an edge, or through a small hole, may be wrong
        int inside = 0;
        for ( int axis = 0; axis < 3; ++axis )
        {
            inside += crossings.turns[i][axis] > 0;
        }
        if ( inside >= 2 )
        {
            supWayOut out =
                supToOtherPart( overlap, own, crossings.pieces[i], overlap->parts[vertex], overlap->lastFound );
            overlap->lastFound = out.triangle >= 0 ? out.triangle : overlap->lastFound;
            deepest = out.depth > deepest.depth ? out : deepest;
        }
    }
    return deepest;
}
