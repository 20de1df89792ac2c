// SPDX-License-Identifier: MIT
#include "layers/correctives/tube.h"

#include "base/scalar_math.h"
#include "base/unions.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// The centre line and its planes

static float supCenterLength( const supTubeDef* def )
{
    float length = 0.0f;
    for ( int32_t i = 1; i < def->centerCount; ++i )
    {
        length += supDistance( def->center[i - 1], def->center[i] );
    }
    return length;
}

/// Turns `v` as `from` is turned into `to` the shortest way; both of unit length.
static supVec3 supCarry( supVec3 v, supVec3 from, supVec3 to )
{
    supVec3 axis = supCross( from, to );
    float cosine = supDot( from, to );
    if ( cosine < -0.9999f )
    {
        return v;
    }
    supVec3 across = supCross( axis, v );
    supVec3 turned = supMulAdd( supAdd( v, across ), 1.0f / ( 1.0f + cosine ), supCross( axis, across ) );
    return turned;
}

/// Some direction across a unit vector, the same for the same input.
static supVec3 supAcross( supVec3 along )
{
    float x = supAbsF( along.x ), y = supAbsF( along.y ), z = supAbsF( along.z );
    supVec3 least = x <= y && x <= z ? supMakeVec3( 1.0f, 0.0f, 0.0f )
                    : y <= z         ? supMakeVec3( 0.0f, 1.0f, 0.0f )
                                     : supMakeVec3( 0.0f, 0.0f, 1.0f );
    return supNormalize( supCross( along, supCross( least, along ) ) );
}

/// The direction of the line around a length of it: of its segment, turned towards the next one's near a bend, so that
/// planes fan out around it. `reach`: how near counts.
static supVec3 supDirectionAt( const supTubeDef* def, int32_t segment, float past, float left, float reach )
{
    supVec3 own = supNormalize( supSub( def->center[segment + 1], def->center[segment] ) );
    supVec3 sum = own;
    if ( segment > 0 && past < reach )
    {
        supVec3 before = supNormalize( supSub( def->center[segment], def->center[segment - 1] ) );
        sum = supMulAdd( sum, ( 1.0f - past / reach ), before );
    }
    if ( segment + 2 < def->centerCount && left < reach )
    {
        supVec3 after = supNormalize( supSub( def->center[segment + 2], def->center[segment + 1] ) );
        sum = supMulAdd( sum, ( 1.0f - left / reach ), after );
    }
    return supLengthSquared( sum ) > 1e-6f ? supNormalize( sum ) : own;
}

/// Where the planes stand and which way they look: equal steps of the centre line.
static void supPlacePlanes( const supTubeDef* def, supTube* tube )
{
    float reach = tube->length * 0.2f;
    int32_t segment = 0;
    float before = 0.0f; // length of the segments before
    for ( int32_t i = 0; i < tube->nodes; ++i )
    {
        float at = tube->length * (float)i / (float)( tube->nodes - 1 );
        float own = supDistance( def->center[segment], def->center[segment + 1] );
        while ( at > before + own && segment + 2 < def->centerCount )
        {
            before += own;
            ++segment;
            own = supDistance( def->center[segment], def->center[segment + 1] );
        }
        float past = supClampF( at - before, 0.0f, own );
        supTubeFrame* frame = tube->frames + i;
        frame->origin = supLerp( def->center[segment], def->center[segment + 1], past / own );
        frame->along = supDirectionAt( def, segment, past, own - past, reach );
    }
}

/// Frames in the planes, carried along without twist.
static void supCarryFrames( supTube* tube )
{
    for ( int32_t i = 0; i < tube->nodes; ++i )
    {
        supTubeFrame* frame = tube->frames + i;
        frame->side = i == 0 ? supAcross( frame->along ) : supCarry( frame[-1].side, frame[-1].along, frame->along );
        // rounding would add up along the line
        supVec3 slip = supScale( frame->along, supDot( frame->side, frame->along ) );
        frame->side = supNormalize( supSub( frame->side, slip ) );
        frame->beyond = supCross( frame->along, frame->side );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Sections

static bool supCutSections( const supTubeDef* def, supTube* tube, supSectionRoom* room )
{
    bool fits = true;
    for ( int32_t plane = 0; plane < tube->nodes && fits; ++plane )
    {
        fits = supCutSection( def, tube, plane, room );
    }
    return fits;
}

/// Moves a plane's origin to the middle of its section, where that is all but closed: bones seldom lie there, and rays
/// from a place near the skin space the curves badly. The paper, too, takes its final centre line from the sections.
static void supCenterPlane( supTube* tube, int32_t plane )
{
    supTubeFrame* frame = tube->frames + plane;
    supVec3 sum = supVec3_zero, last = supVec3_zero;
    float area = 0.0f;
    int32_t covered = 0;
    for ( int32_t c = 0; c <= tube->curves; ++c )
    {
        const supTubeNode* node = tube->grid + (size_t)( c % tube->curves ) * (size_t)tube->nodes + (size_t)plane;
        if ( !supIsCovered( node ) )
        {
            continue;
        }
        supVec3 arm = supSub( node->place, frame->origin );
        float own = covered > 0 ? supDot( supCross( last, arm ), frame->along ) : 0.0f; // twice a triangle's area
        sum = supMulAdd( sum, own / 3.0f, supAdd( last, arm ) );
        area += own;
        last = arm;
        covered += 1;
    }
    if ( 4 * covered > 3 * tube->curves && area > 0.0f )
    {
        frame->origin = supMulAdd( frame->origin, 1.0f / area, sum );
    }
}

/// Height of a point above a plane.
static float supAbove( const supTubeFrame* frame, supVec3 point )
{
    return supDot( supSub( point, frame->origin ), frame->along );
}

/// Whether a plane and the next one cross within the part.
static bool supPlanesCross( const supTube* tube, int32_t plane )
{
    bool cross = false;
    for ( int32_t c = 0; c < tube->curves && !cross; ++c )
    {
        const supTubeNode* node = tube->grid + (size_t)c * (size_t)tube->nodes + (size_t)plane;
        cross = ( supIsCovered( node ) && supAbove( tube->frames + plane + 1, node->place ) >= 0.0f ) ||
                ( supIsCovered( node + 1 ) && supAbove( tube->frames + plane, node[1].place ) <= 0.0f );
    }
    return cross;
}

static int32_t supCountCrossings( const supTube* tube )
{
    int32_t count = 0;
    for ( int32_t i = 0; i + 1 < tube->nodes; ++i )
    {
        count += supPlanesCross( tube, i ) ? 1 : 0;
    }
    return count;
}

/// The middles of the sections, smoothed, are the next centre line: planes at equal steps of it, across it. A sharp
/// bend of the first one is spread over more planes, and those fan out. `line`: scratch, one a plane.
static void supFollowMiddles( supTube* tube, int32_t passes, supVec3* line )
{
    int32_t last = tube->nodes - 1;
    for ( int32_t pass = 0; pass <= passes; ++pass )
    {
        for ( int32_t i = 0; i <= last; ++i )
        {
            line[i] = tube->frames[i].origin;
        }
        for ( int32_t i = 1; i < last && pass < passes; ++i )
        {
            supVec3 sides = supAdd( line[i - 1], line[i + 1] );
            tube->frames[i].origin = supScale( supMulAdd( sides, 2.0f, line[i] ), 0.25f );
        }
    }
    supTubeDef smooth = { .centerCount = tube->nodes, .center = line };
    float length = supCenterLength( &smooth ), before = 0.0f;
    int32_t segment = 0;
    for ( int32_t i = 0; i <= last && length > 0.0f; ++i )
    {
        float at = length * (float)i / (float)last, own = supDistance( line[segment], line[segment + 1] );
        while ( at > before + own && segment + 1 < last )
        {
            before += own;
            ++segment;
            own = supDistance( line[segment], line[segment + 1] );
        }
        float share = own > 0.0f ? supClampF( ( at - before ) / own, 0.0f, 1.0f ) : 0.0f;
        supVec3 from = supSub( line[segment + 1], line[segment > 0 ? segment - 1 : 0] );
        supVec3 to = supSub( line[segment + 2 <= last ? segment + 2 : last], line[segment] );
        supVec3 along = supLerp( from, to, share );
        tube->frames[i].origin = supLerp( line[segment], line[segment + 1], share );
        tube->frames[i].along = supLengthSquared( along ) > 0.0f ? supNormalize( along ) : tube->frames[i].along;
    }
}

/// `vectors`: scratch, one a node.
static bool supFindSections( const supTubeDef* def, supTube* tube, supSectionRoom* room, supVec3* vectors )
{
    enum
    {
        mostRounds = 8
    };
    supPlacePlanes( def, tube );
    supCarryFrames( tube );
    bool fits = supCutSections( def, tube, room );
    for ( int32_t round = 0; round < mostRounds && fits; ++round )
    {
        for ( int32_t i = 0; i < tube->nodes; ++i )
        {
            supCenterPlane( tube, i );
        }
        supCarryFrames( tube );
        fits = supCutSections( def, tube, room );
        tube->crossings = supCountCrossings( tube );
        if ( tube->crossings == 0 || round + 1 == mostRounds )
        {
            break;
        }
        supFollowMiddles( tube, 4 * ( round + 1 ), vectors );
        supCarryFrames( tube );
        fits = fits && supCutSections( def, tube, room );
    }
    for ( int32_t i = 0; i < tube->curves * tube->nodes; ++i )
    {
        vectors[i] = supIsCovered( tube->grid + i ) ? tube->grid[i].place : tube->frames[i % tube->nodes].origin;
        tube->uncovered += supIsCovered( tube->grid + i ) ? 0 : 1;
    }
    supFillUncovered( tube, vectors );
    for ( int32_t i = 0; i < tube->curves * tube->nodes; ++i )
    {
        tube->grid[i].place = vectors[i];
    }
    return fits;
}

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

static supResult supCheckTube( const supTubeDef* def, supError* error )
{
    if ( def->curves < 3 || def->nodes < 2 || def->centerCount < 2 )
    {
        return supFail( error, sup_errorArgument,
            "%d curves of %d nodes about a line of %d points: at least 3, 2 and 2 are needed", def->curves, def->nodes,
            def->centerCount );
    }
    for ( int32_t i = 1; i < def->centerCount; ++i )
    {
        if ( !( supDistance( def->center[i - 1], def->center[i] ) > 0.0f ) )
        {
            return supFail(
                error, sup_errorArgument, "points %d and %d of the centre line are in one place", i - 1, i );
        }
    }
    return sup_success;
}

supResult supCreateTube( const supTubeDef* def, supTube** out, supError* error )
{
    *out = NULL;
    supResult result = supCheckTube( def, error );
    if ( result != sup_success )
    {
        return result;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supTube, tube, 1 );
    SUP_PUT_NEW( &layout, supTubeNode, grid, (size_t)def->curves * (size_t)def->nodes );
    SUP_PUT_NEW( &layout, supTubeFrame, frames, (size_t)def->nodes );
    char* block = supAllocLayout( def->allocator, &layout );
    supSectionRoom room = supMakeSectionRoom( def->allocator );
    supLayout scratchLayout = supMakeLayout();
    SUP_PUT( &scratchLayout, room.rays, (size_t)def->curves );
    SUP_PUT( &scratchLayout, room.best, (size_t)def->curves );
    SUP_PUT_NEW( &scratchLayout, supVec3, vectors, (size_t)def->curves * (size_t)def->nodes );
    char* scratch = supAllocLayout( def->allocator, &scratchLayout );
    bool fits = block != NULL && scratch != NULL;
    if ( fits )
    {
        *tube = ( supTube ){ .curves = def->curves,
            .nodes = def->nodes,
            .grid = grid,
            .frames = frames,
            .length = supCenterLength( def ),
            .blockSize = layout.size };
        fits = supFindSections( def, tube, &room, vectors );
    }
    supDestroySectionRoom( &room );
    supFree( def->allocator, scratch, scratchLayout.size );
    if ( !fits )
    {
        supFree( def->allocator, block, layout.size );
        return supFail( error, sup_errorMemory, "no memory for %d curves of %d nodes", def->curves, def->nodes );
    }
    *out = tube;
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Points among the curves

void supTube_Locate( const supTube* tube, supVec3 point, float* along, float* angle )
{
    // the pair of planes between which it lies, nearest to their stretch of the centre line
    int32_t best = -1;
    float nearest = 0.0f, share = 0.0f;
    for ( int32_t i = 0; i + 1 < tube->nodes; ++i )
    {
        float below = supAbove( tube->frames + i, point ), above = supAbove( tube->frames + i + 1, point );
        bool between = ( below >= 0.0f || i == 0 ) && ( above <= 0.0f || i + 2 == tube->nodes );
        float own = below - above != 0.0f ? below / ( below - above ) : 0.0f;
        supVec3 middle = supLerp( tube->frames[i].origin, tube->frames[i + 1].origin, supClampF( own, 0.0f, 1.0f ) );
        float distance = supDistance( middle, point );
        if ( between && ( best < 0 || distance < nearest ) )
        {
            best = i;
            nearest = distance;
            share = own;
        }
    }
    best = best >= 0 ? best : 0;
    *along = ( (float)best + share ) / (float)( tube->nodes - 1 );
    float held = supClampF( share, 0.0f, 1.0f );
    const supTubeFrame *a = tube->frames + best, *b = a + 1;
    supVec3 arm = supSub( point, supLerp( a->origin, b->origin, held ) );
    supVec3 side = supLerp( a->side, b->side, held ), beyond = supLerp( a->beyond, b->beyond, held );
    double turned = supAtan2( supDot( arm, beyond ), supDot( arm, side ) );
    *angle = (float)( turned < 0.0 ? turned + 2.0 * SUP_PI : turned );
}

/// Four neighbours' shares at t between the second and the third: Catmull and Rom's cubic, which passes through them.
static void supCubicShares( float t, float shares[4] )
{
    float t2 = t * t, t3 = t2 * t;
    shares[0] = 0.5f * ( 2.0f * t2 - t3 - t );
    shares[1] = 0.5f * ( 3.0f * t3 - 5.0f * t2 + 2.0f );
    shares[2] = 0.5f * ( 4.0f * t2 - 3.0f * t3 + t );
    shares[3] = 0.5f * ( t3 - t2 );
}

void supTube_Tie( const supTube* tube, float along, float angle, int32_t nodes[supTubeTies], float shares[supTubeTies] )
{
    int32_t last = tube->nodes - 1;
    float row = supClampF( along, 0.0f, 1.0f ) * (float)last;
    int32_t firstRow = (int32_t)supMinF( row, (float)( last - 1 ) );
    float column = (float)( angle / ( 2.0 * SUP_PI ) ) * (float)tube->curves;
    int32_t firstColumn = (int32_t)supFloor( column );
    float rows[4], columns[4];
    supCubicShares( row - (float)firstRow, rows );
    supCubicShares( column - (float)firstColumn, columns );
    // a node beyond an end goes on as the two before it do: 2 first - second
    if ( firstRow == 0 )
    {
        rows[1] += 2.0f * rows[0];
        rows[2] -= rows[0];
        rows[0] = 0.0f;
    }
    if ( firstRow == last - 1 )
    {
        rows[2] += 2.0f * rows[3];
        rows[1] -= rows[3];
        rows[3] = 0.0f;
    }
    for ( int32_t c = 0; c < 4; ++c )
    {
        int32_t curve = ( firstColumn - 1 + c + 2 * tube->curves ) % tube->curves;
        for ( int32_t r = 0; r < 4; ++r )
        {
            int32_t node = firstRow - 1 + r;
            nodes[4 * c + r] = curve * tube->nodes + ( node < 0 ? 0 : node > last ? last : node );
            shares[4 * c + r] = columns[c] * rows[r];
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// ???

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
