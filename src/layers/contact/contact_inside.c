// Which vertices of a skin lie inside a closed piece of it, as few rays as can be.
// SPDX-License-Identifier: MIT
//
// Whether a vertex is inside changes along the skin only where that passes through other skin. So clusters that touch
// no others, and their neighbours that do not either, need one ray for all of them. Within clusters that do touch
// others, a vertex that has no other skin as near as its neighbours is inside what these are inside of.

#include "layers/contact/contact.h"

#include "base/math.h"
#include "base/memory.h"

enum
{
    supMostNear = 512, ///< clusters around a cluster
    supMeanNear = 32,  ///< of these, kept, in the mean
    supTouching = -2,  ///< in place of a piece: each vertex is asked
    supUnknown = -3,   ///< not asked yet
};

/// A vertex is inside another part where a place this share of the size outside of it is.
static const float supHair = 1e-4f;
/// What flesh moves two clusters against one another counts from this share of the size on.
static const float supNegligible = 1e-5f;
/// Edges may be so much longer than at rest.
static const float supStretched = 1.25f;
/// Neighbours at rest may meet where the angle between them has this cosine or less.
static const float supFolded = 0.9f;

// ---------------------------------------------------------------------------------------------------------------
// Memory

static size_t supLayInsides( const supSkinClusters* clusters, void* block, supInsides* insides )
{
    size_t count = (size_t)clusters->clusterCount, vertices = (size_t)clusters->vertexCount;
    *insides = ( supInsides ){ .nearRoom = (int32_t)( supMeanNear * count ) };
    supLayout layout = supLayoutIn( block );
    SUP_PUT( &layout, insides->means, count );
    SUP_PUT( &layout, insides->spreads, count );
    SUP_PUT( &layout, insides->near, supMeanNear * count );
    SUP_PUT( &layout, insides->nearStarts, count + 1 );
    SUP_PUT( &layout, insides->arounds, count );
    SUP_PUT( &layout, insides->queue, count );
    SUP_PUT( &layout, insides->vertexArounds, vertices );
    SUP_PUT( &layout, insides->matters, count );
    SUP_PUT( &layout, insides->loose, vertices );
    return layout.size;
}

size_t supInsides_ScratchSize( const supSkinClusters* clusters )
{
    supInsides insides;
    return supLayInsides( clusters, NULL, &insides );
}

// ---------------------------------------------------------------------------------------------------------------
// Clusters

static void supMeanShift( supInsides* insides, int32_t cluster )
{
    const supSkinClusters* clusters = insides->posed->clusters;
    const int32_t *from = clusters->clusterCorners + clusters->cornerStarts[cluster],
                  *to = clusters->clusterCorners + clusters->cornerStarts[cluster + 1];
    supVec3 sum = supVec3_zero;
    float spread = 0.0f;
    for ( const int32_t* v = from; v < to; ++v )
    {
        sum = supAdd( sum, insides->shifts[*v] );
    }
    supVec3 mean = supScale( sum, 1.0f / (float)( to - from ) );
    for ( const int32_t* v = from; v < to; ++v )
    {
        spread = supMaxF( spread, supLengthSquared( supSub( insides->shifts[*v], mean ) ) );
    }
    insides->means[cluster] = mean;
    insides->spreads[cluster] = supSqrtF( spread );
}

/// Whether two clusters of different parts are skin on skin rather than neighbours on one surface.
static bool supMayMeet( const supPosedClusters* posed, int32_t a, int32_t b )
{
    const supSkinClusters* clusters = posed->clusters;
    bool folded = supDot( posed->slabs[a].normal, posed->slabs[b].normal ) < supFolded;
    return folded || !supSkinClusters_AreNeighbours( clusters, a, b );
}

static bool supStirs( const supInsides* insides, int32_t cluster )
{
    float most = supLength( insides->means[cluster] ) + insides->spreads[cluster];
    return most > supNegligible * insides->posed->clusters->size;
}

/// Lists clusters that this one touches, by their balls, where flesh moves one of the two. Gives whether there are any.
static bool supListNear( supInsides* insides, int32_t cluster )
{
    const supPosedClusters* posed = insides->posed;
    int32_t all[supMostNear];
    supVec3 middle = { posed->balls.x[cluster], posed->balls.y[cluster], posed->balls.z[cluster] };
    int32_t count = supPosedClusters_Near( posed, middle, posed->balls.radius[cluster], supMostNear, all );
    bool touches = false, stirs = supStirs( insides, cluster );
    for ( int32_t i = 0; i < count; ++i )
    {
        bool samePart = posed->clusters->clusterParts[all[i]] == posed->clusters->clusterParts[cluster];
        if ( samePart || ( !stirs && !supStirs( insides, all[i] ) ) )
        {
            continue;
        }
        supVec3 other = { posed->balls.x[all[i]], posed->balls.y[all[i]], posed->balls.z[all[i]] };
        bool apart = supPosedClusters_Bound( posed, all[i], middle ) > posed->balls.radius[cluster] ||
                     supPosedClusters_Bound( posed, cluster, other ) > posed->balls.radius[all[i]];
        if ( !apart && supMayMeet( posed, cluster, all[i] ) )
        {
            float against = supDistance( insides->means[cluster], insides->means[all[i]] ) + insides->spreads[cluster] +
                            insides->spreads[all[i]];
            insides->matters[cluster] |= against > supNegligible * posed->clusters->size;
            insides->near[insides->nearCount] = all[i];
            insides->nearCount += insides->nearCount + 1 < insides->nearRoom;
            touches = true;
        }
    }
    return touches;
}

/// A place a hair outside a vertex.
supVec3 supOutsideOf( const supPosedClusters* posed, int32_t vertex )
{
    const supSkinClusters* clusters = posed->clusters;
    supVec3 normal = supVec3_zero;
    for ( int32_t i = clusters->aroundStarts[vertex]; i < clusters->aroundStarts[vertex + 1]; ++i )
    {
        const int32_t* c = clusters->corners + 3 * (size_t)clusters->around[i];
        supVec3 a = posed->places[c[0]];
        normal = supAdd( normal, supCross( supSub( posed->places[c[1]], a ), supSub( posed->places[c[2]], a ) ) );
    }
    return supMulAdd( posed->places[vertex], supHair * clusters->size, supNormalize( normal ) );
}

/// Clusters that touch nothing are wholly inside a piece or wholly outside, and so are their neighbours that touch
/// nothing: one ray says it for all of them.
static void supFlood( supInsides* insides, int32_t cluster )
{
    const supSkinClusters* clusters = insides->posed->clusters;
    int32_t first = clusters->clusterCorners[clusters->cornerStarts[cluster]], count = 0;
    int32_t around = supPosedClusters_Around( insides->posed, supOutsideOf( insides->posed, first ) );
    insides->arounds[cluster] = around;
    insides->queue[count++] = cluster;
    while ( count > 0 )
    {
        const int32_t* sides = clusters->sides + (size_t)insides->queue[--count] * supClusterSides;
        for ( int i = 0; i < supClusterSides && sides[i] >= 0; ++i )
        {
            if ( insides->arounds[sides[i]] == supUnknown )
            {
                insides->arounds[sides[i]] = around;
                insides->queue[count++] = sides[i];
            }
        }
    }
}

/// Whether no other skin is as near to a vertex as its neighbours are: then these are inside what it is inside of.
static bool supIsLoose( const supInsides* insides, int32_t cluster, int32_t vertex )
{
    const supPosedClusters* posed = insides->posed;
    float ring = supStretched * posed->clusters->edges[vertex];
    bool loose = true;
    for ( int32_t i = insides->nearStarts[cluster]; i < insides->nearStarts[cluster + 1] && loose; ++i )
    {
        loose = supPosedClusters_Bound( posed, insides->near[i], posed->places[vertex] ) > ring;
    }
    return loose;
}

/// What is around a vertex: as its neighbours have it, where it or they are loose; else a ray says it.
static void supAskVertex( supInsides* insides, int32_t vertex )
{
    const supSkinClusters* clusters = insides->posed->clusters;
    for ( int32_t i = clusters->aroundStarts[vertex]; i < clusters->aroundStarts[vertex + 1]; ++i )
    {
        const int32_t* c = clusters->corners + 3 * (size_t)clusters->around[i];
        for ( int k = 0; k < 3; ++k )
        {
            int32_t whole = insides->arounds[clusters->owners[c[k]]];
            int32_t around = whole != supTouching ? whole : insides->vertexArounds[c[k]];
            if ( around != supUnknown && ( insides->loose[vertex] || whole != supTouching || insides->loose[c[k]] ) )
            {
                insides->vertexArounds[vertex] = around;
                return;
            }
        }
    }
    insides->vertexArounds[vertex] = supPosedClusters_Around( insides->posed, supOutsideOf( insides->posed, vertex ) );
}

/// Asks the vertices of clusters that touch others: the loose ones first, then those between two skins.
static void supAskVertices( supInsides* insides )
{
    const supSkinClusters* clusters = insides->posed->clusters;
    for ( int32_t v = 0; v < clusters->vertexCount; ++v )
    {
        insides->vertexArounds[v] = supUnknown;
        insides->loose[v] = false;
    }
    for ( int pass = 0; pass < 2; ++pass )
    {
        for ( int32_t p = 0; p < clusters->clusterCount; ++p )
        {
            bool asked = insides->arounds[p] == supTouching && insides->matters[p];
            for ( int32_t i = clusters->ownStarts[p]; asked && i < clusters->ownStarts[p + 1]; ++i )
            {
                int32_t v = clusters->own[i];
                insides->loose[v] = pass == 0 ? supIsLoose( insides, p, v ) : insides->loose[v];
                if ( insides->loose[v] == ( pass == 0 ) )
                {
                    supAskVertex( insides, v );
                }
            }
        }
    }
}

void supFindInsides( supPosedClusters* posed, const supVec3* shifts, void* scratch, supInsides* insides )
{
    int32_t count = posed->clusters->clusterCount;
    supLayInsides( posed->clusters, scratch, insides );
    insides->posed = posed;
    insides->shifts = shifts;
    for ( int32_t p = 0; p < count; ++p )
    {
        supMeanShift( insides, p );
    }
    for ( int32_t p = 0; p < count; ++p )
    {
        insides->nearStarts[p] = insides->nearCount;
        insides->matters[p] = false;
        insides->arounds[p] = supListNear( insides, p ) ? supTouching : supUnknown;
    }
    insides->nearStarts[count] = insides->nearCount;
    for ( int32_t p = 0; p < count; ++p )
    {
        if ( insides->arounds[p] == supUnknown )
        {
            supFlood( insides, p );
        }
    }
    supAskVertices( insides );
}

int32_t supInsides_Around( const supInsides* insides, int32_t vertex )
{
    int32_t owner = insides->posed->clusters->owners[vertex];
    int32_t around = owner < 0 ? -1 : insides->arounds[owner];
    around = around == supTouching ? insides->vertexArounds[vertex] : around;
    return around >= 0 ? around : -1;
}
