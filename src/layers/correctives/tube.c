// SPDX-License-Identifier: MIT
#include "layers/correctives/tube.h"

#include "base/memory.h"
#include "base/scalar_math.h"

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

static void supMakeFrames( const supTubeDef* def, supTube* tube )
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
        frame->side = i == 0 ? supAcross( frame->along )
                             : supCarry( tube->frames[i - 1].side, tube->frames[i - 1].along, frame->along );
        // rounding would add up along the line
        supVec3 slip = supScale( frame->along, supDot( frame->side, frame->along ) );
        frame->side = supNormalize( supSub( frame->side, slip ) );
        frame->beyond = supCross( frame->along, frame->side );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Sections

/// A point of a triangle's edge on a plane.
typedef struct supCut
{
    supVec3 place;
    float shares[3];
} supCut;

/// Where a plane cuts a triangle: two points, or false.
static bool supCutTriangle( const supTubeFrame* frame, const supVec3 corners[3], supCut cuts[2] )
{
    float heights[3];
    for ( int k = 0; k < 3; ++k )
    {
        heights[k] = supDot( supSub( corners[k], frame->origin ), frame->along );
    }
    int found = 0;
    for ( int k = 0; k < 3 && found < 2; ++k )
    {
        int next = ( k + 1 ) % 3;
        if ( ( heights[k] < 0.0f ) != ( heights[next] < 0.0f ) )
        {
            float t = heights[k] / ( heights[k] - heights[next] );
            supCut* cut = cuts + found++;
            memset( cut->shares, 0, sizeof( cut->shares ) );
            cut->shares[k] = 1.0f - t;
            cut->shares[next] = t;
            cut->place = supLerp( corners[k], corners[next], t );
        }
    }
    return found == 2;
}

/// Distance along the ray from the frame's origin at which it meets the cut's segment, and where on the segment (0 to
/// 1); below 0 where it does not.
static float supMeetSegment( const supTubeFrame* frame, supVec3 ray, const supCut cuts[2], float* share )
{
    supVec3 across = supCross( frame->along, ray );
    supVec3 a = supSub( cuts[0].place, frame->origin ), b = supSub( cuts[1].place, frame->origin );
    float sideA = supDot( a, across ), sideB = supDot( b, across );
    if ( ( sideA < 0.0f ) == ( sideB < 0.0f ) )
    {
        return -1.0f;
    }
    *share = sideA / ( sideA - sideB );
    return supDot( supLerp( a, b, *share ), ray );
}

/// Every ray of a plane against what it cuts of one triangle; the outermost hit counts, since that is the skin.
static void supMeetRays( const supTubeDef* def, const supTubeFrame* frame, const supVec3* rays, const uint32_t* corners,
    float* best, supTubeNode* nodes, size_t stride )
{
    const supVec3 places[3] = { def->positions[corners[0]], def->positions[corners[1]], def->positions[corners[2]] };
    supCut cuts[2];
    if ( !supCutTriangle( frame, places, cuts ) )
    {
        return;
    }
    for ( int32_t c = 0; c < def->curves; ++c )
    {
        float share, distance = supMeetSegment( frame, rays[c], cuts, &share );
        if ( distance >= 0.0f && distance > best[c] )
        {
            best[c] = distance;
            supTubeNode* node = nodes + (size_t)c * stride;
            node->place = supLerp( cuts[0].place, cuts[1].place, share );
            for ( int k = 0; k < 3; ++k )
            {
                node->corners[k] = corners[k];
                node->shares[k] = cuts[0].shares[k] * ( 1.0f - share ) + cuts[1].shares[k] * share;
            }
        }
    }
}

/// Between the nearest nodes on either side of it in the section that met the surface; the plane's own origin where
/// none did.
static supVec3 supBetweenNeighbours( const supTube* tube, int32_t plane, int32_t curve )
{
    supVec3 places[2] = { tube->frames[plane].origin, tube->frames[plane].origin };
    float steps[2] = { 1.0f, 1.0f };
    for ( int way = 0; way < 2; ++way )
    {
        for ( int32_t k = 1; k < tube->curves; ++k )
        {
            int32_t c = ( curve + ( way == 0 ? k : tube->curves - k ) ) % tube->curves;
            const supTubeNode* node = tube->grid + (size_t)c * (size_t)tube->nodes + (size_t)plane;
            if ( node->shares[0] + node->shares[1] + node->shares[2] > 0.0f )
            {
                places[way] = node->place;
                steps[way] = (float)k;
                break;
            }
        }
    }
    return supLerp( places[0], places[1], steps[0] / ( steps[0] + steps[1] ) );
}

static void supCutSections( const supTubeDef* def, supTube* tube, supVec3* rays, float* best )
{
    for ( int32_t plane = 0; plane < tube->nodes; ++plane )
    {
        const supTubeFrame* frame = tube->frames + plane;
        for ( int32_t c = 0; c < tube->curves; ++c )
        {
            double sine, cosine;
            supSinCos( 2.0 * SUP_PI * c / tube->curves, &sine, &cosine );
            rays[c] = supMulAdd( supScale( frame->side, (float)cosine ), (float)sine, frame->beyond );
            best[c] = -1.0f;
        }
        for ( int32_t t = 0; t < def->triangleCount; ++t )
        {
            supMeetRays(
                def, frame, rays, def->triangles + 3 * (size_t)t, best, tube->grid + plane, (size_t)tube->nodes );
        }
        for ( int32_t c = 0; c < tube->curves; ++c )
        {
            tube->uncovered += best[c] < 0.0f ? 1 : 0;
        }
        for ( int32_t c = 0; c < tube->curves; ++c )
        {
            if ( best[c] < 0.0f )
            {
                tube->grid[(size_t)c * (size_t)tube->nodes + (size_t)plane].place =
                    supBetweenNeighbours( tube, plane, c );
            }
        }
    }
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
    size_t atTube = SUP_LAYOUT_ARRAY( &layout, supTube, 1 );
    size_t atGrid = SUP_LAYOUT_ARRAY( &layout, supTubeNode, (size_t)def->curves * (size_t)def->nodes );
    size_t atFrames = SUP_LAYOUT_ARRAY( &layout, supTubeFrame, (size_t)def->nodes );
    char* block = supAllocLayout( def->allocator, &layout );
    supLayout scratchLayout = supMakeLayout();
    size_t atRays = SUP_LAYOUT_ARRAY( &scratchLayout, supVec3, (size_t)def->curves );
    size_t atBest = SUP_LAYOUT_ARRAY( &scratchLayout, float, (size_t)def->curves );
    char* scratch = supAllocLayout( def->allocator, &scratchLayout );
    if ( block == NULL || scratch == NULL )
    {
        supFree( def->allocator, block, layout.size );
        supFree( def->allocator, scratch, scratchLayout.size );
        return supFail( error, sup_errorMemory, "no memory for %d curves of %d nodes", def->curves, def->nodes );
    }
    memset( block, 0, layout.size );
    supTube* tube = (supTube*)( block + atTube );
    tube->curves = def->curves;
    tube->nodes = def->nodes;
    tube->grid = (supTubeNode*)( block + atGrid );
    tube->frames = (supTubeFrame*)( block + atFrames );
    tube->blockSize = layout.size;
    tube->length = supCenterLength( def );
    supMakeFrames( def, tube );
    supCutSections( def, tube, (supVec3*)( scratch + atRays ), (float*)( scratch + atBest ) );
    supFree( def->allocator, scratch, scratchLayout.size );
    *out = tube;
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Points among the curves

/// Height of a point above a plane.
static float supAbove( const supTubeFrame* frame, supVec3 point )
{
    return supDot( supSub( point, frame->origin ), frame->along );
}

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
