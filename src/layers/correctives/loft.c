// Supple: closed surfaces through lengthwise curves.
// SPDX-License-Identifier: MIT
//
//     first cap        sections            last cap
//     top, rings       rings of columns    rings, top
//
// Between nodes and between curves the surface is Catmull and Rom's cubic, as skin that hangs on the curves is
// (supTube_Tie). A cap is half an ellipsoid: from the end section towards its top as cosine and sine of a quarter turn.
#include "base/scalar_math.h"
#include "layers/correctives/tube.h"
#include "supple/lab/patches.h"

typedef struct supLoftGrid
{
    int32_t columns, rows; ///< of the sections' vertices
    int32_t capRings;      ///< of a cap between the section and the top
    int32_t tops[2];       ///< the vertices on top of the caps
} supLoftGrid;

static supLoftGrid supMakeLoftGrid( int32_t curves, int32_t nodes, int32_t detail )
{
    supLoftGrid grid = { curves * detail, ( nodes - 1 ) * detail + 1, 2 * detail, { 0, 0 } };
    grid.tops[0] = grid.rows * grid.columns + 2 * grid.capRings * grid.columns;
    grid.tops[1] = grid.tops[0] + 1;
    return grid;
}

bool supLoftSize( int32_t curves, int32_t nodes, int32_t detail, int32_t* vertices, int32_t* indices )
{
    // six indices a cell, caps included, with room to spare
    double cells = (double)curves * detail * ( (double)nodes * detail + 4.0 * detail + 2.0 );
    if ( 6.0 * cells > 2e9 )
    {
        return false;
    }
    supLoftGrid grid = supMakeLoftGrid( curves, nodes, detail );
    *vertices = grid.tops[1] + 1;
    *indices = 6 * grid.columns * ( grid.rows - 1 + 2 * grid.capRings ) + 2 * 3 * grid.columns;
    return true;
}

/// A vertex of a cap: ring 0 is the end section, ring capRings + 1 would be the top.
static int32_t supCapVertex( const supLoftGrid* grid, int end, int32_t ring, int32_t column )
{
    column = column % grid->columns;
    int32_t section = end == 0 ? 0 : grid->rows - 1, first = grid->rows + end * grid->capRings;
    return ( ring == 0 ? section : first + ring - 1 ) * grid->columns + column;
}

// ---------------------------------------------------------------------------------------------------------------
// Vertices

static void supLoftSections( const supTube* shape, const supLoftGrid* grid, const supVec3* places, supVec3* out )
{
    for ( int32_t row = 0; row < grid->rows; ++row )
    {
        for ( int32_t column = 0; column < grid->columns; ++column )
        {
            int32_t ties[supTubeTies];
            float shares[supTubeTies], along = (float)row / (float)( grid->rows - 1 );
            float angle = (float)( 2.0 * SUP_PI * column / grid->columns );
            supTube_Tie( shape, along, angle, ties, shares );
            supVec3 sum = supVec3_zero;
            for ( int i = 0; i < supTubeTies; ++i )
            {
                sum = supMulAdd( sum, shares[i], places[ties[i]] );
            }
            out[row * grid->columns + column] = sum;
        }
    }
}

static void supLoftCap( const supLoftGrid* grid, int end, supVec3 top, supVec3* out )
{
    supVec3 middle = supVec3_zero;
    for ( int32_t c = 0; c < grid->columns; ++c )
    {
        middle = supMulAdd( middle, 1.0f / (float)grid->columns, out[supCapVertex( grid, end, 0, c )] );
    }
    for ( int32_t ring = 1; ring <= grid->capRings; ++ring )
    {
        double sine, cosine;
        supSinCos( 0.5 * SUP_PI * ring / ( grid->capRings + 1 ), &sine, &cosine );
        for ( int32_t c = 0; c < grid->columns; ++c )
        {
            supVec3 arm = supSub( out[supCapVertex( grid, end, 0, c )], middle );
            out[supCapVertex( grid, end, ring, c )] =
                supMulAdd( supMulAdd( middle, (float)cosine, arm ), (float)sine, supSub( top, middle ) );
        }
    }
    out[grid->tops[end]] = top;
}

// ---------------------------------------------------------------------------------------------------------------
// Triangles

/// Two triangles between a and b of one ring and c and d of the next one along the part.
static uint32_t* supAddQuad( uint32_t* to, int32_t a, int32_t b, int32_t c, int32_t d )
{
    const int32_t corners[6] = { a, b, c, b, d, c };
    for ( int i = 0; i < 6; ++i )
    {
        *to++ = (uint32_t)corners[i];
    }
    return to;
}

static uint32_t* supCapTriangles( const supLoftGrid* grid, int end, uint32_t* to )
{
    for ( int32_t c = 0; c < grid->columns; ++c )
    {
        for ( int32_t ring = 0; ring < grid->capRings; ++ring )
        {
            int32_t a = supCapVertex( grid, end, ring, c ), b = supCapVertex( grid, end, ring, c + 1 );
            int32_t over = supCapVertex( grid, end, ring + 1, c ), beside = supCapVertex( grid, end, ring + 1, c + 1 );
            to = end == 0 ? supAddQuad( to, over, beside, a, b ) : supAddQuad( to, a, b, over, beside );
        }
        int32_t a = supCapVertex( grid, end, grid->capRings, c ), b = supCapVertex( grid, end, grid->capRings, c + 1 );
        *to++ = (uint32_t)( end == 0 ? b : a );
        *to++ = (uint32_t)( end == 0 ? a : b );
        *to++ = (uint32_t)grid->tops[end];
    }
    return to;
}

void supLoftCurves(
    int32_t curves, int32_t nodes, const float* places, int32_t detail, float* vertices, uint32_t* indices )
{
    const supTube shape = { .curves = curves, .nodes = nodes };
    supLoftGrid grid = supMakeLoftGrid( curves, nodes, detail );
    const supVec3* from = (const supVec3*)places;
    supVec3* out = (supVec3*)vertices;
    supLoftSections( &shape, &grid, from, out );
    uint32_t* to = indices;
    for ( int32_t row = 0; row + 1 < grid.rows; ++row )
    {
        for ( int32_t c = 0; c < grid.columns; ++c )
        {
            int32_t next = ( c + 1 ) % grid.columns, a = row * grid.columns, over = a + grid.columns;
            to = supAddQuad( to, a + c, a + next, over + c, over + next );
        }
    }
    for ( int end = 0; end < 2; ++end )
    {
        supLoftCap( &grid, end, from[curves * nodes + end], out );
        to = supCapTriangles( &grid, end, to );
    }
}
