// Connected pieces of a border of fat, and the bodies that they make up.
// SPDX-License-Identifier: MIT

#include "layers/fat/fat_border.h"

#include "base/math.h"
#include "base/memory.h"
#include "base/unions.h"

#include <stdlib.h>
#include <string.h>

/// One side of an edge, between welded vertices.
typedef struct supFatEdge
{
    int32_t low, high;
    int32_t corner; ///< of the border, that it begins at; in the order of the triangles
    bool forward;   ///< runs from low to high
} supFatEdge;

static int supCompareFatEdges( const void* a, const void* b )
{
    const supFatEdge *p = a, *q = b;
    int32_t by = p->low != q->low ? p->low - q->low : p->high != q->high ? p->high - q->high : p->corner - q->corner;
    return by < 0 ? -1 : by > 0;
}

/// A border as its welded vertices see it.
typedef struct supWelded
{
    const supFatBorder* border;
    const int32_t* vertices; ///< of its points, or NULL
    const int32_t* welds;
    int32_t first;
} supWelded;

static int32_t supWeldOf( const supWelded* welded, int32_t corner )
{
    int32_t point = welded->border->corners[corner];
    return welded->welds[welded->vertices != NULL ? welded->vertices[point] : point];
}

static int32_t supNextCorner( int32_t corner )
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/// Numbers the pieces in the order in which their triangles come. `roots`: of the character's vertices.
static int32_t supNumberPieces( const supWelded* welded, int32_t* roots, int32_t* numbers, int32_t* of )
{
    int32_t end = 3 * welded->border->triangleCount, count = 0;
    for ( int32_t c = 3 * welded->first; c < end; ++c )
    {
        supJoinRoots( roots, supWeldOf( welded, c ), supWeldOf( welded, supNextCorner( c ) ) );
    }
    for ( int32_t c = 3 * welded->first; c < end; c += 3 )
    {
        int32_t root = supFindRoot( roots, supWeldOf( welded, c ) );
        numbers[root] = numbers[root] > 0 ? numbers[root] : ++count;
        of[c / 3] = numbers[root] - 1;
    }
    return count;
}

static void supMeasurePieces( const supWelded* welded, supFatPieces* out )
{
    const supFatBorder* border = welded->border;
    for ( int32_t p = 0; p < out->count; ++p )
    {
        out->pieces[p].low = supMakeVec3( 1e30f, 1e30f, 1e30f );
        out->pieces[p].high = supNeg( out->pieces[p].low );
    }
    for ( int32_t t = welded->first; t < border->triangleCount; ++t )
    {
        supFatPiece* piece = out->pieces + out->of[t];
        supVec3d at[3];
        for ( int k = 0; k < 3; ++k )
        {
            supVec3 p = border->points[border->corners[3 * t + k]];
            piece->low = supMinVec3( piece->low, p );
            piece->high = supMaxVec3( piece->high, p );
            at[k] = supToDouble( p );
        }
        piece->volume += supDotD( at[0], supCrossD( at[1], at[2] ) ) / 6.0;
    }
}

/// Edges that do not run as often one way as the other. `edges`: room for three a triangle.
static void supFindOpenEdges( const supWelded* welded, supFatEdge* edges, supFatPieces* out )
{
    const supFatBorder* border = welded->border;
    int32_t count = 0;
    for ( int32_t c = 3 * welded->first; c < 3 * border->triangleCount; ++c )
    {
        int32_t a = supWeldOf( welded, c ), b = supWeldOf( welded, supNextCorner( c ) );
        if ( a != b )
        {
            edges[count++] = ( supFatEdge ){ a < b ? a : b, a < b ? b : a, c, a < b };
        }
    }
    qsort( edges, (size_t)count, sizeof( supFatEdge ), supCompareFatEdges );
    for ( int32_t i = 0, end; i < count; i = end )
    {
        int32_t sum = 0;
        for ( end = i; end < count && edges[end].low == edges[i].low && edges[end].high == edges[i].high; ++end )
        {
            sum += edges[end].forward ? 1 : -1;
        }
        int32_t corner = edges[i].corner;
        supFatPiece* piece = out->pieces + out->of[corner / 3];
        if ( sum != 0 )
        {
            piece->openCount += sum < 0 ? -sum : sum;
            piece->openAt = supLerp( border->points[border->corners[corner]],
                border->points[border->corners[supNextCorner( corner )]], 0.5f );
        }
    }
}

bool supFindFatPieces(
    const supFatRegion* region, const supFatBorder* border, const int32_t* vertices, int32_t first, supFatPieces* out )
{
    size_t count = (size_t)supCharacter_Info( region->character )->vertexCount,
           triangles = (size_t)border->triangleCount;
    supLayout layout = supMakeLayout(), work = supMakeLayout();
    *out = ( supFatPieces ){ 0 };
    SUP_PUT( &layout, out->pieces, triangles - (size_t)first + 1 );
    SUP_PUT( &layout, out->of, triangles + 1 );
    SUP_PUT_NEW( &work, int32_t, roots, 2 * count + 1 );
    SUP_PUT_NEW( &work, supFatEdge, edges, 3 * triangles + 1 );
    char* block = supAllocLayout( region->allocator, &layout );
    char* scratch = supAllocLayout( region->allocator, &work );
    out->size = layout.size;
    bool done = block != NULL && scratch != NULL;
    if ( done )
    {
        supWelded welded = { border, vertices, supCharacter_Info( region->character )->welds, first };
        for ( size_t v = 0; v < count; ++v )
        {
            roots[v] = (int32_t)v;
        }
        out->count = supNumberPieces( &welded, roots, roots + count, out->of );
        supMeasurePieces( &welded, out );
        supFindOpenEdges( &welded, edges, out );
    }
    supFree( region->allocator, scratch, work.size );
    if ( !done )
    {
        supFree( region->allocator, block, layout.size );
        *out = ( supFatPieces ){ 0 };
    }
    return done;
}

void supDropFatPieces( const supFatRegion* region, supFatPieces* pieces )
{
    supFree( region->allocator, pieces->pieces, pieces->pieces != NULL ? pieces->size : 0 );
    pieces->pieces = NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies

static bool supPiecesMeet( const supFatPiece* a, const supFatPiece* b )
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static bool supIsSolid( const supFatPiece* piece )
{
    return piece->openCount == 0 && piece->volume > 0.0;
}

/// The first body none of whose pieces the p-th one meets; those after it have none yet.
static int32_t supBodyFor( const supFatPieces* pieces, int32_t p )
{
    int32_t body = 0;
    bool meets = true;
    for ( ; meets && body + 2 < supMostFatBodies; body += meets )
    {
        meets = false;
        for ( int32_t q = 0; q < pieces->count && !meets; ++q )
        {
            const supFatPiece* other = pieces->pieces + q;
            meets = q != p && other->body == body && supPiecesMeet( pieces->pieces + p, other );
        }
    }
    return body;
}

bool supSortFatBodies( supFatRegion* region, supFatBorder* border, int32_t first, supFatPieces* pieces )
{
    int32_t bodies = 1, count = border->triangleCount;
    for ( int32_t p = 0; p < pieces->count; ++p )
    {
        pieces->pieces[p].body = supIsSolid( pieces->pieces + p ) ? -1 : 0;
    }
    for ( int32_t p = 0; p < pieces->count; ++p )
    {
        supFatPiece* piece = pieces->pieces + p;
        piece->body = piece->body < 0 ? supBodyFor( pieces, p ) : piece->body;
        bodies = piece->body >= bodies ? piece->body + 1 : bodies;
    }
    size_t room = 4 * ( (size_t)count + 1 ) * sizeof( int32_t );
    int32_t* sorted = supAlloc( region->allocator, room, _Alignof( int32_t ) );
    int32_t* ends = supFatRegion_Array( region, (size_t)( border->bodyCount + bodies ), sizeof( int32_t ) );
    if ( sorted == NULL || ends == NULL )
    {
        supFree( region->allocator, sorted, room );
        return false;
    }
    if ( border->bodyCount > 0 )
    {
        memcpy( ends, border->bodyEnds, sizeof( int32_t ) * (size_t)border->bodyCount );
    }
    int32_t *of = sorted + 3 * (size_t)count, next = first;
    for ( int32_t b = 0; b < bodies; ++b )
    {
        for ( int32_t t = first; t < count; ++t )
        {
            if ( pieces->pieces[pieces->of[t]].body == b )
            {
                memcpy( sorted + 3 * (size_t)next, border->corners + 3 * (size_t)t, 3 * sizeof( int32_t ) );
                of[next++] = pieces->of[t];
            }
        }
        ends[border->bodyCount++] = next;
    }
    border->bodyEnds = ends;
    size_t from = (size_t)first, moved = (size_t)( count - first );
    memcpy( border->corners + 3 * from, sorted + 3 * from, 3 * sizeof( int32_t ) * moved );
    memcpy( pieces->of + from, of + from, sizeof( int32_t ) * moved );
    supFree( region->allocator, sorted, room );
    return true;
}
