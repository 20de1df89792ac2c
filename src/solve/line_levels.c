// A line of springs that begins as a shorter one.
// SPDX-License-Identifier: MIT
//
// A round of Newton's method moves a vertex by half a segment at most: a slack line of 63 segments, which has to sag by
// half of its length, would take ninety rounds. So most of its free vertices are left out at first. A line of eight
// segments finds its balance in few rounds, and lines of twice as many segments begin on it one after the other
// (Bornemann, Deuflhard, "The cascadic multigrid method for elliptic problems", 1996). Springs in a row become one
// that is as long as all of them and yields as much; loads and holds of vertices that are left out go to both
// neighbours.

#include "solve/line_levels.h"

enum
{
    supShortSegments = 12, ///< lines of no more are solved as they are
    supFirstSegments = 10, ///< of the line that is solved first, unless more vertices are bound
};

int32_t supFirstStride( const supSpringLine* line )
{
    int32_t stride = 1, segments = line->count - 1;
    while ( segments > supShortSegments && segments > supFirstSegments * stride )
    {
        stride *= 2;
    }
    return stride;
}

/// Which vertices stay. Gives how many.
static int32_t supKeepVertices( const supSpringLine* line, int32_t stride, int32_t* kept )
{
    int32_t count = 0, last = 0;
    for ( int32_t i = 0; i < line->count; ++i )
    {
        if ( i == 0 || i + 1 == line->count || line->bound[i] || i - last == stride )
        {
            kept[count++] = last = i;
        }
    }
    return count;
}

/// Adds what a vertex of the longer line carries to the vertices on both sides of it.
static void supShareVertex( const supSpringLine* line, int32_t i, int32_t k, double share, supShorterLine* out )
{
    const double shares[2] = { 1.0 - share, share };
    for ( int32_t side = 0; side < 2 && shares[side] > 0.0; ++side )
    {
        out->loads[k + side] = supMulAddD( out->loads[k + side], shares[side], line->loads[i] );
        out->holds[k + side] += line->holds != NULL ? shares[side] * line->holds[i] : 0.0;
    }
}

/// The springs from a kept vertex to the next become one.
static void supJoinSprings( const supSpringLine* line, int32_t k, supShorterLine* out )
{
    int32_t from = out->kept[k], to = out->kept[k + 1];
    double yields = 0.0;
    out->lengths[k] = 0.0;
    for ( int32_t i = from; i < to; ++i )
    {
        yields += 1.0 / line->stiffness[i];
        out->lengths[k] += line->lengths[i];
        supShareVertex( line, i, k, (double)( i - from ) / ( to - from ), out );
    }
    out->stiffness[k] = 1.0 / yields;
}

void supMakeShorterLine( const supSpringLine* line, const supVec3d* at, int32_t stride, supShorterLine* out )
{
    int32_t count = supKeepVertices( line, stride, out->kept );
    out->line = *line;
    out->line.count = count;
    out->line.bound = out->bound;
    out->line.stiffness = out->stiffness;
    out->line.lengths = out->lengths;
    out->line.masses = NULL;
    out->line.loads = out->loads;
    out->line.holds = line->holds != NULL ? out->holds : NULL;
    out->line.places = line->places != NULL ? out->places : NULL;
    out->line.fields = out->fields;
    out->line.numbers = out->kept;
    for ( int32_t k = 0; k < count; ++k )
    {
        int32_t i = out->kept[k];
        out->bound[k] = line->bound[i];
        out->at[k] = at[i];
        out->places[k] = line->places != NULL ? line->places[i] : at[i];
        out->loads[k] = ( supVec3d ){ 0.0, 0.0, 0.0 };
        out->holds[k] = 0.0;
    }
    for ( int32_t k = 0; k + 1 < count; ++k )
    {
        supJoinSprings( line, k, out );
    }
    supShareVertex( line, line->count - 1, count - 1, 0.0, out );
    for ( int32_t f = 0; f < line->fieldCount; ++f )
    {
        out->fields[f] = line->fields[f];
        out->fields[f].stiffness *= (double)line->count / count; // as much on the line as a whole
    }
}

void supTakeShorterLine( const supSpringLine* line, const supShorterLine* shorter, supVec3d* at )
{
    for ( int32_t k = 0; k + 1 < shorter->line.count; ++k )
    {
        int32_t from = shorter->kept[k], to = shorter->kept[k + 1];
        supVec3d way = supSubD( shorter->at[k + 1], shorter->at[k] );
        double span = supLengthD( way ), pull = shorter->stiffness[k] * ( span - shorter->lengths[k] ), place = 0.0;
        for ( int32_t i = from; i < to; ++i )
        {
            at[i] = supMulAddD( shorter->at[k], span > 0.0 ? place / span : 0.0, way );
            place += line->lengths[i] + pull / line->stiffness[i];
        }
        at[to] = shorter->at[k + 1];
    }
}
