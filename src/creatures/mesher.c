// Supple: marching tetrahedra over half a field.
// SPDX-License-Identifier: MIT
//
// Each cell of a grid is six tetrahedra around its diagonal from corner 0 to corner 7, a corner's number being its bits
// x, y, z (Kuhn's subdivision: it fits from cell to cell). A surface through tetrahedra is closed and two-sided
// whatever the values are. The first layer of nodes lies in the plane x = 0, so the border of the half lies in it too,
// and one half and its mirror image close.
//
// Nodes are kept for the whole grid, but worked out only near the surface: a block whose middle is far from it gets
// that distance's sign.

#include "creatures/mesher.h"

#include <string.h>

#define SUP_BLOCK 4

typedef struct supGrid
{
    const supSolid* field;
    double cell;
    supVec3d origin;
    int32_t n[3];     // nodes each way
    float* values;    // of each node
    int32_t* crossed; // vertex on each of the seven edges that start at a node, or -1
} supGrid;

static size_t supNodeIndex( const supGrid* grid, int32_t x, int32_t y, int32_t z )
{
    return ( (size_t)z * (size_t)grid->n[1] + (size_t)y ) * (size_t)grid->n[0] + (size_t)x;
}

static supVec3d supNodePlace( const supGrid* grid, int32_t x, int32_t y, int32_t z )
{
    return supV( grid->origin.x + grid->cell * x, grid->origin.y + grid->cell * y, grid->origin.z + grid->cell * z );
}

static void supFillBlock( supGrid* grid, int32_t x0, int32_t y0, int32_t z0 )
{
    double half = 0.5 * ( SUP_BLOCK - 1 ) * grid->cell;
    supVec3d middle = supAddD( supNodePlace( grid, x0, y0, z0 ), supV( half, half, half ) );
    double distance = supSolid_Distance( grid->field, middle, NULL );
    // Distances of flat ellipsoids may be short by a factor of two; the block's corner is half * supSqrt( 3 ) away.
    bool near = supAbs( distance ) < 4.0 * half + 2.0 * grid->cell;
    for ( int32_t z = z0; z < z0 + SUP_BLOCK && z < grid->n[2]; ++z )
    {
        for ( int32_t y = y0; y < y0 + SUP_BLOCK && y < grid->n[1]; ++y )
        {
            for ( int32_t x = x0; x < x0 + SUP_BLOCK && x < grid->n[0]; ++x )
            {
                double value = near ? supSolid_Distance( grid->field, supNodePlace( grid, x, y, z ), NULL ) : distance;
                grid->values[supNodeIndex( grid, x, y, z )] = (float)value;
            }
        }
    }
}

static void supFillGrid( supGrid* grid )
{
    for ( int32_t z = 0; z < grid->n[2]; z += SUP_BLOCK )
    {
        for ( int32_t y = 0; y < grid->n[1]; y += SUP_BLOCK )
        {
            for ( int32_t x = 0; x < grid->n[0]; x += SUP_BLOCK )
            {
                supFillBlock( grid, x, y, z );
            }
        }
    }
}

// The vertex on the edge between two corners of a cell, one's bits within the other's. -1: no memory.
static int32_t supCrossEdge( supGrid* grid, supHalfMesh* mesh, const int32_t cell[3], int32_t from, int32_t to )
{
    if ( from > to )
    {
        int32_t swap = from;
        from = to;
        to = swap;
    }
    int32_t a[3], b[3];
    for ( int32_t i = 0; i < 3; ++i )
    {
        a[i] = cell[i] + ( ( from >> i ) & 1 );
        b[i] = cell[i] + ( ( to >> i ) & 1 );
    }
    size_t node = supNodeIndex( grid, a[0], a[1], a[2] );
    int32_t* vertex = &grid->crossed[node * 7 + (size_t)( ( to ^ from ) - 1 )];
    if ( *vertex >= 0 )
    {
        return *vertex;
    }
    supVec3d* point = supArray_Add( &mesh->points, 1 );
    if ( point == NULL )
    {
        return -1;
    }
    double va = grid->values[node], vb = grid->values[supNodeIndex( grid, b[0], b[1], b[2] )];
    // Kept off the nodes, so that no triangle is without area and each keeps a side to face.
    double t = supClamp( va / ( va - vb ), 0.05, 0.95 );
    *point = supLerpD( supNodePlace( grid, a[0], a[1], a[2] ), supNodePlace( grid, b[0], b[1], b[2] ), t );
    *vertex = (int32_t)mesh->points.count - 1;
    return *vertex;
}

// A triangle between three vertices, turned so that it faces `outwards`.
static bool supEmitTriangle( supHalfMesh* mesh, int32_t a, int32_t b, int32_t c, supVec3d outwards )
{
    int32_t* corners = supArray_Add( &mesh->triangles, 1 );
    if ( a < 0 || b < 0 || c < 0 || corners == NULL )
    {
        return false;
    }
    const supVec3d* p = mesh->points.data;
    bool turned = supDotD( supCrossD( supSubD( p[b], p[a] ), supSubD( p[c], p[a] ) ), outwards ) < 0.0;
    corners[0] = a;
    corners[1] = turned ? c : b;
    corners[2] = turned ? b : c;
    return true;
}

static supVec3d supCornerOffset( int32_t corner )
{
    return supV( corner & 1, ( corner >> 1 ) & 1, ( corner >> 2 ) & 1 );
}

static bool supCutTetrahedron( supGrid* grid, supHalfMesh* mesh, const int32_t cell[3], const int32_t corners[4] )
{
    int32_t in[4], out[4], inCount = 0, outCount = 0;
    supVec3d outwards = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < 4; ++i )
    {
        int32_t c = corners[i];
        size_t node = supNodeIndex( grid, cell[0] + ( c & 1 ), cell[1] + ( ( c >> 1 ) & 1 ), cell[2] + ( c >> 2 ) );
        if ( grid->values[node] < 0.0f )
        {
            in[inCount++] = c;
        }
        else
        {
            out[outCount++] = c;
        }
    }
    if ( inCount == 0 || outCount == 0 )
    {
        return true;
    }
    for ( int32_t i = 0; i < inCount; ++i )
    {
        outwards = supMulAddD( outwards, -1.0 / inCount, supCornerOffset( in[i] ) );
    }
    for ( int32_t i = 0; i < outCount; ++i )
    {
        outwards = supMulAddD( outwards, 1.0 / outCount, supCornerOffset( out[i] ) );
    }
    if ( inCount == 2 )
    {
        int32_t a = supCrossEdge( grid, mesh, cell, in[0], out[0] ),
                b = supCrossEdge( grid, mesh, cell, in[0], out[1] );
        int32_t c = supCrossEdge( grid, mesh, cell, in[1], out[1] ),
                d = supCrossEdge( grid, mesh, cell, in[1], out[0] );
        return supEmitTriangle( mesh, a, b, c, outwards ) && supEmitTriangle( mesh, a, c, d, outwards );
    }
    const int32_t* others = inCount == 1 ? out : in;
    int32_t single = inCount == 1 ? in[0] : out[0];
    int32_t a = supCrossEdge( grid, mesh, cell, single, others[0] );
    int32_t b = supCrossEdge( grid, mesh, cell, single, others[1] );
    int32_t c = supCrossEdge( grid, mesh, cell, single, others[2] );
    return supEmitTriangle( mesh, a, b, c, outwards );
}

static bool supMarch( supGrid* grid, supHalfMesh* mesh )
{
    static const int32_t tetrahedra[6][4] = { { 0, 1, 3, 7 }, { 0, 1, 5, 7 }, { 0, 2, 3, 7 }, { 0, 2, 6, 7 },
        { 0, 4, 5, 7 }, { 0, 4, 6, 7 } };
    int32_t cell[3];
    for ( cell[2] = 0; cell[2] + 1 < grid->n[2]; ++cell[2] )
    {
        for ( cell[1] = 0; cell[1] + 1 < grid->n[1]; ++cell[1] )
        {
            for ( cell[0] = 0; cell[0] + 1 < grid->n[0]; ++cell[0] )
            {
                int32_t inside = 0;
                for ( int32_t c = 0; c < 8; ++c )
                {
                    size_t node =
                        supNodeIndex( grid, cell[0] + ( c & 1 ), cell[1] + ( ( c >> 1 ) & 1 ), cell[2] + ( c >> 2 ) );
                    inside += grid->values[node] < 0.0f;
                }
                for ( int32_t t = 0; inside > 0 && inside < 8 && t < 6; ++t )
                {
                    if ( !supCutTetrahedron( grid, mesh, cell, tetrahedra[t] ) )
                    {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

supResult supMeshSolid(
    const supSolid* field, double cell, const supAllocator* allocator, supHalfMesh* out, supError* error )
{
    out->points = supMakeArray( sizeof( supVec3d ), allocator );
    out->triangles = supMakeArray( 3 * sizeof( int32_t ), allocator );
    supGrid grid = { .field = field, .cell = cell };
    grid.origin = supV( 0.0, field->lower.y - 2.0 * cell, field->lower.z - 2.0 * cell );
    grid.n[0] = (int32_t)( field->upper.x / cell ) + 4;
    grid.n[1] = (int32_t)( ( field->upper.y - field->lower.y ) / cell ) + 6;
    grid.n[2] = (int32_t)( ( field->upper.z - field->lower.z ) / cell ) + 6;
    size_t nodes = (size_t)grid.n[0] * (size_t)grid.n[1] * (size_t)grid.n[2];
    grid.values = supAllocZeroed( allocator, nodes, sizeof( float ), _Alignof( float ) );
    grid.crossed = supAllocZeroed( allocator, nodes, 7 * sizeof( int32_t ), _Alignof( int32_t ) );
    bool done = grid.values != NULL && grid.crossed != NULL;
    if ( done )
    {
        memset( grid.crossed, 0xff, nodes * 7 * sizeof( int32_t ) );
        supFillGrid( &grid );
        done = supMarch( &grid, out );
    }
    supFree( allocator, grid.values, nodes * sizeof( float ) );
    supFree( allocator, grid.crossed, nodes * 7 * sizeof( int32_t ) );
    return done ? sup_success : supFail( error, sup_errorMemory, "no memory for a surface of %zu grid nodes", nodes );
}

void supHalfMesh_Destroy( supHalfMesh* mesh )
{
    supArray_Destroy( &mesh->points );
    supArray_Destroy( &mesh->triangles );
}
