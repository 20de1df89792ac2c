// SPDX-License-Identifier: MIT
#include "layers/correctives/tube.h"

#include "base/scalar_math.h"
#include "base/unions.h"

#include <stdlib.h>
#include <string.h>

/// What a plane cuts of a triangle, from the edge on which its outline comes up through the plane to the one on which
/// it goes down again: so the lines of a surface run on from triangle to triangle.
typedef struct supCutLine
{
    const uint32_t* corners;
    supVec3 places[2];
    float shares[2][3];
} supCutLine;

typedef struct supLineEnd
{
    uint64_t edge; ///< the mesh edge it lies on: both vertices
    int32_t line;
} supLineEnd;

supSectionRoom supMakeSectionRoom( const supAllocator* allocator )
{
    return ( supSectionRoom ){ .lines = supMakeArray( sizeof( supCutLine ), allocator ),
        .ends = supMakeArray( sizeof( supLineEnd ), allocator ),
        .groups = supMakeArray( sizeof( int32_t ), allocator ),
        .turned = supMakeArray( sizeof( double ), allocator ) };
}

void supDestroySectionRoom( supSectionRoom* room )
{
    supArray_Destroy( &room->lines );
    supArray_Destroy( &room->ends );
    supArray_Destroy( &room->groups );
    supArray_Destroy( &room->turned );
}

// ---------------------------------------------------------------------------------------------------------------
// Lines

static uint32_t supWeldOf( const supTubeDef* def, uint32_t vertex )
{
    return def->welds != NULL ? (uint32_t)def->welds[vertex] : vertex;
}

static bool supCutTriangle(
    const supTubeDef* def, const supTubeFrame* frame, const uint32_t* corners, supCutLine* line, uint64_t edges[2] )
{
    float heights[3];
    for ( int k = 0; k < 3; ++k )
    {
        heights[k] = supDot( supSub( def->positions[corners[k]], frame->origin ), frame->along );
    }
    if ( ( heights[0] < 0.0f ) == ( heights[1] < 0.0f ) && ( heights[1] < 0.0f ) == ( heights[2] < 0.0f ) )
    {
        return false;
    }
    memset( line, 0, sizeof( *line ) );
    line->corners = corners;
    for ( int k = 0; k < 3; ++k )
    {
        int next = ( k + 1 ) % 3;
        if ( ( heights[k] < 0.0f ) == ( heights[next] < 0.0f ) )
        {
            continue;
        }
        // from the same corner in both triangles of an edge, so that their lines meet to the bit and no ray slips
        // between
        uint32_t own = supWeldOf( def, corners[k] ), other = supWeldOf( def, corners[next] );
        int end = heights[k] < 0.0f ? 0 : 1, low = own < other ? k : next, high = own < other ? next : k;
        float t = heights[low] / ( heights[low] - heights[high] );
        edges[end] = (uint64_t)( own < other ? own : other ) << 32 | ( own < other ? other : own );
        line->shares[end][low] = 1.0f - t;
        line->shares[end][high] = t;
        line->places[end] = supLerp( def->positions[corners[low]], def->positions[corners[high]], t );
    }
    return true;
}

static bool supGatherLines( const supTubeDef* def, const supTubeFrame* frame, supSectionRoom* room )
{
    room->lines.count = room->ends.count = room->groups.count = room->turned.count = 0;
    for ( int32_t t = 0; t < def->triangleCount; ++t )
    {
        supCutLine line;
        uint64_t edges[2];
        if ( !supCutTriangle( def, frame, def->triangles + 3 * (size_t)t, &line, edges ) )
        {
            continue;
        }
        int32_t index = (int32_t)room->lines.count;
        supCutLine* kept = supArray_Add( &room->lines, 1 );
        supLineEnd* ends = supArray_Add( &room->ends, 2 );
        int32_t* group = supArray_Add( &room->groups, 1 );
        double* turned = supArray_Add( &room->turned, 1 );
        if ( kept == NULL || ends == NULL || group == NULL || turned == NULL )
        {
            return false;
        }
        *kept = line;
        ends[0] = ( supLineEnd ){ edges[0], index };
        ends[1] = ( supLineEnd ){ edges[1], index };
        *group = index;
        *turned = 0.0;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Groups of lines, and how far they run around

static int supCompareEnds( const void* a, const void* b )
{
    const supLineEnd *x = a, *y = b;
    return x->edge != y->edge ? ( x->edge < y->edge ? -1 : 1 ) : ( x->line > y->line ) - ( x->line < y->line );
}

static void supGroupLines( const supTubeFrame* frame, supSectionRoom* room )
{
    supLineEnd* ends = room->ends.data;
    int32_t* groups = room->groups.data;
    double* turned = room->turned.data;
    const supCutLine* lines = room->lines.data;
    if ( room->ends.count > 0 ) // else there are no ends at all, which qsort must not be given
    {
        qsort( ends, room->ends.count, sizeof( supLineEnd ), supCompareEnds );
    }
    for ( size_t i = 1; i < room->ends.count; ++i )
    {
        if ( ends[i].edge == ends[i - 1].edge )
        {
            supJoinRoots( groups, ends[i - 1].line, ends[i].line );
        }
    }
    for ( size_t i = 0; i < room->lines.count; ++i )
    {
        supVec3 a = supSub( lines[i].places[0], frame->origin ), b = supSub( lines[i].places[1], frame->origin );
        double own = supAtan2( (double)supDot( supCross( a, b ), frame->along ), (double)supDot( a, b ) );
        turned[supFindRoot( groups, (int32_t)i )] += own;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Rays

/// Distance along the ray from the frame's origin at which it meets the line, and where on it (0 to 1); below 0 where
/// it does not.
static float supMeetLine( const supTubeFrame* frame, supVec3 ray, const supCutLine* line, float* share )
{
    supVec3 across = supCross( frame->along, ray );
    supVec3 a = supSub( line->places[0], frame->origin ), b = supSub( line->places[1], frame->origin );
    float sideA = supDot( a, across ), sideB = supDot( b, across );
    if ( ( sideA < 0.0f ) == ( sideB < 0.0f ) )
    {
        return -1.0f;
    }
    *share = sideA / ( sideA - sideB );
    return supDot( supLerp( a, b, *share ), ray );
}

static void supMeetRays( const supTube* tube, int32_t plane, const supCutLine* line, supSectionRoom* room )
{
    for ( int32_t c = 0; c < tube->curves; ++c )
    {
        float share, distance = supMeetLine( tube->frames + plane, room->rays[c], line, &share );
        if ( distance >= 0.0f && distance > room->best[c] )
        {
            room->best[c] = distance;
            supTubeNode* node = tube->grid + (size_t)c * (size_t)tube->nodes + (size_t)plane;
            node->place = supLerp( line->places[0], line->places[1], share );
            for ( int k = 0; k < 3; ++k )
            {
                node->corners[k] = line->corners[k];
                node->shares[k] = line->shares[0][k] * ( 1.0f - share ) + line->shares[1][k] * share;
            }
        }
    }
}

bool supCutSection( const supTubeDef* def, supTube* tube, int32_t plane, supSectionRoom* room )
{
    const supTubeFrame* frame = tube->frames + plane;
    for ( int32_t c = 0; c < tube->curves; ++c )
    {
        double sine, cosine;
        supSinCos( 2.0 * SUP_PI * c / tube->curves, &sine, &cosine );
        room->rays[c] = supMulAdd( supScale( frame->side, (float)cosine ), (float)sine, frame->beyond );
        room->best[c] = -1.0f;
        tube->grid[(size_t)c * (size_t)tube->nodes + (size_t)plane] = ( supTubeNode ){ 0 };
    }
    if ( !supGatherLines( def, frame, room ) )
    {
        return false;
    }
    supGroupLines( frame, room );
    const double* turned = room->turned.data;
    const supCutLine* lines = room->lines.data;
    bool any = false;
    for ( size_t i = 0; i < room->lines.count; ++i )
    {
        any = any || supAbs( turned[i] ) > SUP_PI; // of a group at its root, elsewhere 0
    }
    for ( size_t i = 0; i < room->lines.count; ++i )
    {
        if ( !any || supAbs( turned[supFindRoot( room->groups.data, (int32_t)i )] ) > SUP_PI )
        {
            supMeetRays( tube, plane, lines + i, room );
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Bare nodes

bool supIsCovered( const supTubeNode* node )
{
    return node->shares[0] + node->shares[1] + node->shares[2] > 0.0f;
}

/// Between the nearest nodes on either side that met the surface; false where there are none. `first`: number of the
/// row's first node, `stride`: from each to the next, `loops`: the last one's neighbour is the first.
static bool supFillBetween(
    const supTube* tube, int32_t first, int32_t stride, int32_t count, bool loops, int32_t at, supVec3* places )
{
    supVec3 found[2];
    float steps[2] = { 0.0f, 0.0f };
    for ( int way = 0; way < 2; ++way )
    {
        for ( int32_t k = 1; k < count && steps[way] == 0.0f; ++k )
        {
            int32_t other = way == 0 ? at + k : at - k;
            other = loops ? ( other + count ) % count : other;
            if ( other >= 0 && other < count && supIsCovered( tube->grid + first + other * stride ) )
            {
                found[way] = places[first + other * stride];
                steps[way] = (float)k;
            }
        }
    }
    bool both = steps[0] > 0.0f && steps[1] > 0.0f;
    places[first + at * stride] = both              ? supLerp( found[0], found[1], steps[0] / ( steps[0] + steps[1] ) )
                                  : steps[0] > 0.0f ? found[0]
                                  : steps[1] > 0.0f ? found[1]
                                                    : places[first + at * stride];
    return steps[0] > 0.0f || steps[1] > 0.0f;
}

void supFillUncovered( const supTube* tube, supVec3* places )
{
    for ( int32_t i = 0; i < tube->curves * tube->nodes; ++i )
    {
        int32_t curve = i / tube->nodes, node = i % tube->nodes;
        if ( !supIsCovered( tube->grid + i ) &&
             !supFillBetween( tube, node, tube->nodes, tube->curves, true, curve, places ) )
        {
            supFillBetween( tube, curve * tube->nodes, 1, tube->nodes, false, node, places );
        }
    }
}
