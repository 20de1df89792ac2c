// Spine and appendages of a body.
// SPDX-License-Identifier: MIT

#include "auto/reading.h"
#include "base/math.h"
#include "base/unions.h"
#include "solve/dense.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// The spine: the longest way through parts in the middle

/// Length of the bond between two parts, or -1 where there is none between parts in the middle.
static float supBondLength( const supBodyGraph* graph, const supPartBond* bond )
{
    const supPart *a = graph->parts + bond->a, *b = graph->parts + bond->b;
    return a->side == 0 && b->side == 0 ? supDistance( a->center, b->center ) : -1.0f;
}

/// How far every part in the middle is from one of them, and the part before it on the way. Gives the farthest.
static int32_t supWalkMiddle( const supBodyGraph* graph, int32_t from, float* ways, int32_t* before )
{
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        ways[p] = p == from ? 0.0f : -1.0f;
        before[p] = -1;
    }
    bool grows = true;
    while ( grows )
    {
        grows = false;
        for ( int32_t i = 0; i < graph->bondCount; ++i )
        {
            float length = supBondLength( graph, graph->bonds + i );
            int32_t a = graph->bonds[i].a, b = graph->bonds[i].b;
            if ( length < 0.0f || ( ways[a] < 0.0f ) == ( ways[b] < 0.0f ) )
            {
                continue;
            }
            int32_t known = ways[a] < 0.0f ? b : a, next = ways[a] < 0.0f ? a : b;
            ways[next] = ways[known] + length;
            before[next] = known;
            grows = true;
        }
    }
    int32_t farthest = from;
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        farthest = ways[p] > ways[farthest] ? p : farthest;
    }
    return farthest;
}

/// The skin's own end beyond a part: the mean of its farthest tenth, seen from `from`.
static supVec3 supFarEnd( const supBodyGraph* graph, int32_t part, supVec3 from, supVec3 direction )
{
    float most = -1e30f, least = 1e30f;
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        float t = supDot( supSub( graph->samples[i].at, from ), direction );
        bool own = graph->samples[i].part == part;
        most = own ? supMaxF( most, t ) : most;
        least = own ? supMinF( least, t ) : least;
    }
    supVec3 sum = supVec3_zero;
    float weight = 0.0f;
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        float t = supDot( supSub( graph->samples[i].at, from ), direction );
        if ( graph->samples[i].part == part && t >= most - 0.1f * ( most - least ) )
        {
            sum = supMulAdd( sum, graph->samples[i].area, graph->samples[i].at );
            weight += graph->samples[i].area;
        }
    }
    supVec3 end = weight > 0.0f ? supScale( sum, 1.0f / weight ) : from;
    return supMulAdd( end, -supBodyGraph_Away( graph, end ), graph->normal );
}

static supVec3 supOnPlane( const supBodyGraph* graph, supVec3 p )
{
    return supMulAdd( p, -supBodyGraph_Away( graph, p ), graph->normal );
}

/// The direction in the plane of symmetry along which skin reaches farthest: for a spine of one part.
static supVec3 supLongDirection( const supBodyGraph* graph, int32_t part )
{
    double matrix[9] = { 0.0 }, values[3], vectors[9];
    supVec3 center = graph->parts[part].center;
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        supVec3 p = supOnPlane( graph, graph->samples[i].at );
        p = supSub( p, supOnPlane( graph, center ) );
        double q[3] = { (double)p.x, (double)p.y, (double)p.z };
        for ( int k = 0; k < 9 && graph->samples[i].part == part; ++k )
        {
            matrix[k] += (double)graph->samples[i].area * q[k / 3] * q[k % 3];
        }
    }
    supSymmetricEigen( 3, matrix, values, vectors );
    return supMakeVec3( (float)vectors[0], (float)vectors[1], (float)vectors[2] );
}

static void supReadSpine( supBodyGraph* graph, supSpine* spine )
{
    float ways[supMostParts];
    int32_t before[supMostParts], start = -1;
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        bool larger = start < 0 || graph->parts[p].area > graph->parts[start].area;
        start = graph->parts[p].side == 0 && larger ? p : start;
    }
    if ( start < 0 )
    {
        return;
    }
    int32_t first = supWalkMiddle( graph, start, ways, before );
    int32_t last = supWalkMiddle( graph, first, ways, before );
    for ( int32_t p = last; p >= 0 && spine->count < supMostSpineParts; p = before[p] )
    {
        spine->parts[spine->count++] = p;
    }
    for ( int32_t i = 0; i < spine->count; ++i )
    {
        spine->points[1 + i] = supOnPlane( graph, graph->parts[spine->parts[i]].center );
    }
    supVec3 head = spine->points[1], tail = spine->points[spine->count];
    supVec3 out = spine->count > 1 ? supSub( head, spine->points[2] ) : supLongDirection( graph, start );
    spine->points[0] = supFarEnd( graph, spine->parts[0], head, supNormalize( out ) );
    out = spine->count > 1 ? supSub( tail, spine->points[spine->count - 1] ) : supNeg( out );
    spine->points[spine->count + 1] = supFarEnd( graph, spine->parts[spine->count - 1], tail, supNormalize( out ) );
    for ( int32_t i = 1; i < spine->count + 2; ++i )
    {
        spine->lengths[i] = spine->lengths[i - 1] + supDistance( spine->points[i], spine->points[i - 1] );
    }
}

/// Where along the spine a place is, 0 to 1, and how far from it.
static float supAlongSpine( const supSpine* spine, supVec3 p, float* away )
{
    float best = 1e30f, where = 0.0f;
    int32_t last = spine->count + 1;
    for ( int32_t i = 0; i < last; ++i )
    {
        supVec3 along = supSub( spine->points[i + 1], spine->points[i] );
        float squared = supLengthSquared( along );
        float t = squared > 0.0f ? supDot( supSub( p, spine->points[i] ), along ) / squared : 0.0f;
        t = supClampF( t, 0.0f, 1.0f );
        float distance = supDistance( p, supMulAdd( spine->points[i], t, along ) );
        if ( distance < best )
        {
            best = distance;
            where = spine->lengths[i] + t * ( spine->lengths[i + 1] - spine->lengths[i] );
        }
    }
    *away = best;
    return spine->lengths[last] > 0.0f ? where / spine->lengths[last] : 0.0f;
}

static void supMeasureSpine( const supBodyGraph* graph, supSpine* spine )
{
    float sums[supProfileBins] = { 0.0f };
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        const supSample* sample = graph->samples + i;
        if ( graph->parts[sample->part].side != 0 )
        {
            continue;
        }
        float away, t = supAlongSpine( spine, sample->at, &away );
        int32_t bin = (int32_t)( t * supProfileBins );
        bin = bin < supProfileBins ? bin : supProfileBins - 1;
        sums[bin] += sample->area;
        spine->radii[bin] += sample->area * away;
        spine->areas[bin] += sample->area / graph->totalArea;
    }
    for ( int32_t b = 0; b < supProfileBins; ++b )
    {
        spine->radii[b] = sums[b] > 0.0f ? spine->radii[b] / ( sums[b] * graph->size ) : 0.0f;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Appendages

/// The group of parts of one side that each belongs to.
static void supGroupSides( const supBodyGraph* graph, int32_t* groups )
{
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        groups[p] = p;
    }
    for ( int32_t i = 0; i < graph->bondCount; ++i )
    {
        int32_t a = graph->bonds[i].a, b = graph->bonds[i].b;
        if ( graph->parts[a].side != 0 && graph->parts[a].side == graph->parts[b].side )
        {
            supJoinRoots( groups, a, b );
        }
    }
}

/// Mean of a part's skin that is nearest to a place, or farthest from it.
static supVec3 supPartEnd( const supBodyGraph* graph, int32_t part, supVec3 from, bool far )
{
    float least = 1e30f, most = 0.0f;
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        bool own = graph->samples[i].part == part;
        float away = own ? supDistance( graph->samples[i].at, from ) : 0.0f;
        least = own ? supMinF( least, away ) : least;
        most = own ? supMaxF( most, away ) : most;
    }
    float border = far ? most - 0.15f * ( most - least ) : least + 0.15f * ( most - least );
    supVec3 sum = supVec3_zero;
    float weight = 0.0f;
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        const supSample* sample = graph->samples + i;
        float away = supDistance( sample->at, from );
        if ( sample->part == part && ( far ? away >= border : away <= border ) )
        {
            sum = supMulAdd( sum, sample->area, sample->at );
            weight += sample->area;
        }
    }
    return weight > 0.0f ? supScale( sum, 1.0f / weight ) : graph->parts[part].center;
}

/// The part of a limb that is farthest from its root along the bonds.
static int32_t supFarthestPart( const supBodyGraph* graph, int32_t limb, int32_t root )
{
    float ways[supMostParts];
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        ways[p] = p == root ? 0.0f : -1.0f;
    }
    int32_t farthest = root;
    for ( bool grows = true; grows; )
    {
        grows = false;
        for ( int32_t i = 0; i < graph->bondCount; ++i )
        {
            int32_t a = graph->bonds[i].a, b = graph->bonds[i].b;
            bool inside = graph->parts[a].limb == limb && graph->parts[b].limb == limb;
            if ( inside && ( ways[a] < 0.0f ) != ( ways[b] < 0.0f ) )
            {
                int32_t known = ways[a] < 0.0f ? b : a, next = ways[a] < 0.0f ? a : b;
                ways[next] = ways[known] + supDistance( graph->parts[a].center, graph->parts[b].center );
                farthest = ways[next] > ways[farthest] ? next : farthest;
                grows = true;
            }
        }
    }
    return farthest;
}

/// Thickness and flatness about the line from base to tip.
static void supMeasureAppendage( const supBodyGraph* graph, int32_t limb, supAppendage* appendage )
{
    supVec3 axis = supNormalize( supSub( appendage->tip, appendage->base ) );
    double matrix[9] = { 0.0 }, values[3], vectors[9], weight = 0.0;
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        const supSample* sample = graph->samples + i;
        if ( graph->parts[sample->part].limb != limb )
        {
            continue;
        }
        supVec3 p = supSub( sample->at, appendage->center );
        p = supMulAdd( p, -supDot( p, axis ), axis );
        double q[3] = { (double)p.x, (double)p.y, (double)p.z };
        for ( int k = 0; k < 9; ++k )
        {
            matrix[k] += (double)sample->area * q[k / 3] * q[k % 3];
        }
        weight += (double)sample->area;
    }
    supSymmetricEigen( 3, matrix, values, vectors );
    double inverse = weight > 0.0 ? 1.0 / weight : 0.0;
    float wide = supSqrtF( (float)supMax( values[0] * inverse, 0.0 ) );
    float thin = supSqrtF( (float)supMax( values[1] * inverse, 0.0 ) );
    appendage->thickness = supSqrtF( wide * wide + thin * thin ) / graph->size;
    appendage->flatness = thin > 0.02f * wide ? wide / thin : 50.0f;
}

static void supReadAppendage( supBodyGraph* graph, int32_t limb, supBodySigns* signs )
{
    supAppendage* appendage = signs->appendages + limb;
    float strongest = -1.0f;
    for ( int32_t i = 0; i < graph->bondCount; ++i )
    {
        int32_t a = graph->bonds[i].a, b = graph->bonds[i].b;
        bool out = graph->parts[a].limb == limb && graph->parts[b].limb != limb;
        bool in = graph->parts[b].limb == limb && graph->parts[a].limb != limb;
        if ( ( in || out ) && graph->bonds[i].strength > strongest )
        {
            strongest = graph->bonds[i].strength;
            appendage->root = in ? b : a;
            appendage->attach = in ? a : b;
        }
    }
    float soft = 0.0f;
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        const supPart* part = graph->parts + p;
        float share = part->limb == limb ? part->samples : 0.0f;
        appendage->area += share;
        appendage->partCount += part->limb == limb;
        soft += share * part->soft;
        appendage->center = supMulAdd( appendage->center, share, part->center );
    }
    appendage->center = supScale( appendage->center, appendage->area > 0.0f ? 1.0f / appendage->area : 0.0f );
    appendage->soft = appendage->area > 0.0f ? soft / appendage->area : 0.0f;
    appendage->area /= supMaxF( graph->totalArea, 1e-30f );
    supVec3 trunk = appendage->attach >= 0 ? graph->parts[appendage->attach].center : graph->center;
    appendage->base = supPartEnd( graph, appendage->root, trunk, false );
    appendage->end = supFarthestPart( graph, limb, appendage->root );
    appendage->tip = supPartEnd( graph, appendage->end, appendage->base, true );
    appendage->reach = supDistance( appendage->base, appendage->tip ) / graph->size;
    supMeasureAppendage( graph, limb, appendage );
    float away;
    appendage->along = supAlongSpine( &signs->spine, appendage->base, &away );
}

static void supReadAppendages( supBodyGraph* graph, supBodySigns* signs )
{
    int32_t groups[supMostParts];
    supGroupSides( graph, groups );
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        int32_t root = supFindRoot( groups, p );
        if ( graph->parts[p].side == 0 )
        {
            continue;
        }
        if ( root == p && signs->appendageCount < supMostAppendages )
        {
            signs->appendages[signs->appendageCount] =
                ( supAppendage ){ .attach = -1, .root = p, .side = graph->parts[p].side, .twin = -1 };
            graph->parts[p].limb = signs->appendageCount++;
        }
        graph->parts[p].limb = graph->parts[root].limb;
    }
    for ( int32_t i = 0; i < signs->appendageCount; ++i )
    {
        supReadAppendage( graph, i, signs );
    }
}

/// Twins are mirror images: their skin's middles are.
static void supPairAppendages( const supBodyGraph* graph, supBodySigns* signs )
{
    for ( int32_t a = 0; a < signs->appendageCount; ++a )
    {
        supAppendage* x = signs->appendages + a;
        supVec3 image = supMulAdd( x->center, -2.0f * supBodyGraph_Away( graph, x->center ), graph->normal );
        float nearest = 0.08f * graph->size;
        for ( int32_t b = 0; b < signs->appendageCount; ++b )
        {
            const supAppendage* y = signs->appendages + b;
            float away = supDistance( y->center, image );
            bool alike = y->side == -x->side && y->area < 3.0f * x->area && x->area < 3.0f * y->area;
            if ( alike && away < nearest )
            {
                nearest = away;
                x->twin = b;
            }
        }
    }
    for ( int32_t a = 0; a < signs->appendageCount; ++a )
    {
        int32_t b = signs->appendages[a].twin;
        signs->appendages[a].twin = b >= 0 && signs->appendages[b].twin == a ? b : -1;
    }
    // what is bound in a pose has no mirror image; limbs whose first parts are twins are twins
    for ( int32_t a = 0; a < signs->appendageCount; ++a )
    {
        supAppendage* x = signs->appendages + a;
        const supPart* own = graph->parts + x->root;
        int32_t root = own->twin >= 0 ? own->twin : own->kin, b = root >= 0 ? graph->parts[root].limb : -1;
        supAppendage* y = b > a ? signs->appendages + b : NULL;
        if ( y != NULL && x->twin < 0 && y->twin < 0 && y->side == -x->side && y->area < 3.0f * x->area &&
             x->area < 3.0f * y->area )
        {
            x->twin = b;
            y->twin = a;
        }
    }
}

void supReadSigns( supBodyGraph* graph, supBodySigns* signs )
{
    memset( signs, 0, sizeof( *signs ) );
    supReadSpine( graph, &signs->spine );
    supMeasureSpine( graph, &signs->spine );
    supReadAppendages( graph, signs );
    supPairAppendages( graph, signs );
}
