// Signed distances on a grid: every triangle tells the nodes around it.
// SPDX-License-Identifier: MIT
#include "layers/fat/fat_voxels.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/triangle_tree.h"

#include <math.h>
#include <string.h>

supVec3 supBoxPlace( const supFatBox* box, int32_t node )
{
    int32_t x = node % box->n[0], y = node / box->n[0] % box->n[1], z = node / ( box->n[0] * box->n[1] );
    return supMakeVec3(
        box->low.x + (float)x * box->edge, box->low.y + (float)y * box->edge, box->low.z + (float)z * box->edge );
}

static supVec3 supFootPlace( const supFatBorder* border, const supFootPoint* foot )
{
    const int32_t* c = border->corners + 3 * (size_t)foot->triangle;
    supVec3 p = supScale( border->points[c[0]], foot->shares[0] );
    p = supMulAdd( p, foot->shares[1], border->points[c[1]] );
    return supMulAdd( p, foot->shares[2], border->points[c[2]] );
}

/// The nodes that a stretch of one coordinate covers.
static int32_t supCover( float low, float high, float from, float edge, int32_t count, int32_t* first )
{
    float a = supClampF( ceilf( ( low - from ) / edge ), 0.0f, (float)count );
    float b = supClampF( floorf( ( high - from ) / edge ), -1.0f, (float)count - 1.0f );
    *first = (int32_t)a;
    return (int32_t)b;
}

static void supTellNode( const supFatBox* box, const supFatBorder* border, int32_t triangle, int32_t node,
    supFatDistance* out, supVec3* normals )
{
    const int32_t* c = border->corners + 3 * (size_t)triangle;
    supVec3 p = supBoxPlace( box, node ), a = border->points[c[0]], b = border->points[c[1]], d = border->points[c[2]];
    supFootPoint foot = supClosestOnTriangle( p, a, b, d );
    supFatDistance* own = out + node;
    float same = 1e-4f * box->edge;
    if ( foot.distance > SUP_FAT_BAND * box->edge || foot.distance > own->foot.distance + same )
    {
        return;
    }
    // triangles that meet in the foot have a say each
    supVec3 normal = supFaceNormal( a, b, d );
    bool shared = own->foot.triangle >= 0 && foot.distance > own->foot.distance - same;
    normals[node] = shared ? supAdd( normals[node], normal ) : normal;
    if ( !shared || foot.distance < own->foot.distance )
    {
        own->foot = foot;
        own->foot.triangle = triangle;
    }
}

static void supTellTriangle(
    const supFatBox* box, const supFatBorder* border, int32_t triangle, supFatDistance* out, supVec3* normals )
{
    const int32_t* c = border->corners + 3 * (size_t)triangle;
    supVec3 a = border->points[c[0]], b = border->points[c[1]], d = border->points[c[2]];
    supVec3 low = supMinVec3( a, supMinVec3( b, d ) ), high = supMaxVec3( a, supMaxVec3( b, d ) );
    float band = SUP_FAT_BAND * box->edge;
    int32_t x0, y0, z0;
    int32_t x1 = supCover( low.x - band, high.x + band, box->low.x, box->edge, box->n[0], &x0 );
    int32_t y1 = supCover( low.y - band, high.y + band, box->low.y, box->edge, box->n[1], &y0 );
    int32_t z1 = supCover( low.z - band, high.z + band, box->low.z, box->edge, box->n[2], &z0 );
    for ( int32_t z = z0; z <= z1; ++z )
    {
        for ( int32_t y = y0; y <= y1; ++y )
        {
            for ( int32_t x = x0; x <= x1; ++x )
            {
                supTellNode( box, border, triangle, supBoxNode( box, x, y, z ), out, normals );
            }
        }
    }
}

/// Nodes beyond the band take the sign of their neighbours, from the band on; what no border reaches is outside.
static void supFloodSigns( const supFatBox* box, supFatDistance* out, int32_t* queue )
{
    int32_t count = 0, steps[3] = { 1, box->n[0], box->n[0] * box->n[1] };
    float band = SUP_FAT_BAND * box->edge;
    for ( int32_t i = 0; i < box->count; ++i )
    {
        if ( out[i].foot.triangle >= 0 )
        {
            queue[count++] = i;
        }
        else
        {
            out[i].inside = 0.0f;
        }
    }
    for ( int32_t at = 0; at < count; ++at )
    {
        int32_t node = queue[at];
        int32_t place[3] = { node % box->n[0], node / box->n[0] % box->n[1], node / ( box->n[0] * box->n[1] ) };
        for ( int k = 0; k < 6; ++k )
        {
            int axis = k / 2, way = k % 2 == 0 ? -1 : 1;
            int32_t other = node + way * steps[axis];
            bool within = place[axis] + way >= 0 && place[axis] + way < box->n[axis];
            if ( within && out[other].foot.triangle < 0 && out[other].inside == 0.0f )
            {
                out[other].inside = out[node].inside > 0.0f ? band : -band;
                queue[count++] = other;
            }
        }
    }
    for ( int32_t i = 0; i < box->count; ++i )
    {
        out[i].inside = out[i].foot.triangle < 0 && out[i].inside == 0.0f ? -band : out[i].inside;
    }
}

/// Of one body. `scratch`: a vector and a number for each node.
static void supMeasureBody(
    const supFatBox* box, const supFatBorder* border, int32_t first, int32_t end, void* scratch, supFatDistance* out )
{
    supVec3* normals = scratch;
    memset( normals, 0, sizeof( supVec3 ) * (size_t)box->count );
    for ( int32_t i = 0; i < box->count; ++i )
    {
        out[i] = ( supFatDistance ){ 0.0f, { -1, { 0.0f, 0.0f, 0.0f }, 1e30f } };
    }
    for ( int32_t t = first; t < end; ++t )
    {
        supTellTriangle( box, border, t, out, normals );
    }
    for ( int32_t i = 0; i < box->count; ++i )
    {
        if ( out[i].foot.triangle >= 0 )
        {
            supVec3 away = supSub( supBoxPlace( box, i ), supFootPlace( border, &out[i].foot ) );
            out[i].inside = supDot( away, normals[i] ) > 0.0f ? -out[i].foot.distance : out[i].foot.distance;
        }
    }
    supFloodSigns( box, out, (int32_t*)( normals + box->count ) );
}

bool supMeasureDistances(
    const supFatBox* box, const supFatBorder* border, const supAllocator* allocator, supFatDistance* out )
{
    size_t count = (size_t)box->count + 1;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW_WIDE( &layout, char, scratch, count*( sizeof( supVec3 ) + sizeof( int32_t ) ) );
    SUP_PUT_NEW_WIDE( &layout, supFatDistance, other, border->bodyCount > 1 ? count : 0 );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    supMeasureBody( box, border, 0, border->bodyEnds[0], scratch, out );
    for ( int32_t b = 1; b < border->bodyCount; ++b )
    {
        supMeasureBody( box, border, border->bodyEnds[b - 1], border->bodyEnds[b], scratch, other );
        for ( int32_t i = 0; i < box->count; ++i )
        {
            // deepest inside any of them, or nearest to the nearest
            out[i] = other[i].inside > out[i].inside ? other[i] : out[i];
        }
    }
    supFree( allocator, block, layout.size );
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Which voxel of a fat a place lies in.

enum
{
    supFewVoxels = 8 ///< that share a box without any below it
};

/// A stretch of the list of voxels, and the box around it.
typedef struct supVoxelRun
{
    int32_t box, first, end;
} supVoxelRun;

size_t supVoxelBoxCount( int32_t voxelCount )
{
    size_t leaves = 1;
    while ( leaves * supFewVoxels < (size_t)voxelCount )
    {
        leaves *= 2;
    }
    return 2 * leaves; // the first is not used
}

static bool supIsLeaf( supVoxelRun run )
{
    return run.end - run.first <= supFewVoxels;
}

static supVoxelRun supHalfOf( supVoxelRun run, int32_t half )
{
    int32_t middle = run.first + ( run.end - run.first ) / 2;
    return ( supVoxelRun ){ 2 * run.box + half, half == 0 ? run.first : middle, half == 0 ? middle : run.end };
}

static supBounds supVoxelBounds( const supFat* fat, int32_t voxel )
{
    const int32_t* corners = fat->corners + 8 * (size_t)voxel;
    return ( supBounds ){ fat->places[corners[0]], fat->places[corners[7]] };
}

static supBounds supFillRun( supFat* fat, supVoxelRun run )
{
    supBounds bounds = supVoxelBounds( fat, run.first );
    for ( int32_t e = run.first; e < run.end && supIsLeaf( run ); ++e )
    {
        bounds = supUnite( bounds, supVoxelBounds( fat, e ) );
    }
    if ( !supIsLeaf( run ) )
    {
        supBounds before = supFillRun( fat, supHalfOf( run, 0 ) );
        bounds = supUnite( before, supFillRun( fat, supHalfOf( run, 1 ) ) );
    }
    fat->voxelBoxes[run.box] = bounds;
    return bounds;
}

void supFillVoxelBoxes( supFat* fat )
{
    supFillRun( fat, ( supVoxelRun ){ 1, 0, fat->elementCount } );
}

// ---------------------------------------------------------------------------------------------------------------

typedef struct supVoxelSearch
{
    const supFat* fat;
    supVec3 p;
    float nearest; ///< square of the distance. m^2
    int32_t found;
} supVoxelSearch;

/// Looks into the nearer half first, and into the other one if it may hold a voxel that is as near.
static void supSearchRun( supVoxelSearch* search, supVoxelRun run )
{
    for ( int32_t e = run.first; e < run.end && supIsLeaf( run ); ++e )
    {
        supBounds box = supVoxelBounds( search->fat, e );
        float square = supBoxDistance( &box, search->p );
        if ( square < search->nearest || ( square == search->nearest && e < search->found ) )
        {
            search->nearest = square;
            search->found = e;
        }
    }
    if ( supIsLeaf( run ) )
    {
        return;
    }
    const supBounds* halves = search->fat->voxelBoxes + 2 * (size_t)run.box;
    float squares[2] = { supBoxDistance( halves, search->p ), supBoxDistance( halves + 1, search->p ) };
    int32_t nearer = squares[1] < squares[0];
    for ( int32_t k = 0; k < 2; ++k )
    {
        int32_t half = k == 0 ? nearer : 1 - nearer;
        if ( squares[half] <= search->nearest )
        {
            supSearchRun( search, supHalfOf( run, half ) );
        }
    }
}

int32_t supFindVoxel( const supFat* fat, supVec3 p )
{
    supVoxelSearch search = { fat, p, 1e30f, 0 };
    supSearchRun( &search, ( supVoxelRun ){ 1, 0, fat->elementCount } );
    return search.found;
}
