// A skin in clusters of a few triangles each, and these in blocks.
// SPDX-License-Identifier: MIT

#include "layers/contact/posed_clusters.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/moved_surface.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Making

/// A triangle: its piece, the joint that it hangs on, where it is and where it faces.
typedef struct supClusterKey
{
    int32_t piece, part; ///< part: of most of its corners
    int32_t order;
    int32_t corners[3];
    float at[6]; ///< its middle, then its normal as long as supFacingLength
    int axis;    ///< of `at`: what it is sorted by
} supClusterKey;

/// Two triangles that face opposite ways are this share of the size apart, at least: clusters do not go around limbs.
static const float supFacingLength = 0.05f;

static int supCompareGroups( const void* a, const void* b )
{
    const supClusterKey *p = a, *q = b;
    return p->piece != q->piece ? ( p->piece < q->piece ? -1 : 1 )
           : p->part != q->part ? ( p->part < q->part ? -1 : 1 )
                                : ( p->order < q->order ? -1 : p->order > q->order );
}

static int supComparePlaces( const void* a, const void* b )
{
    const supClusterKey *p = a, *q = b;
    float x = p->at[p->axis], y = q->at[q->axis];
    return x != y ? ( x < y ? -1 : 1 ) : ( p->order < q->order ? -1 : p->order > q->order );
}

/// Sorts triangles so that every sixteen, and every sixteen of these, are close to one another: halved again and again
/// across the longest way.
static void supSortPlaces( supClusterKey* keys, int32_t count )
{
    while ( count > supClusterTriangles )
    {
        int axis = 0;
        float longest = -1.0f;
        for ( int k = 0; k < 6; ++k )
        {
            float low = keys[0].at[k], high = low;
            for ( int32_t i = 1; i < count; ++i )
            {
                low = supMinF( low, keys[i].at[k] );
                high = supMaxF( high, keys[i].at[k] );
            }
            axis = high - low > longest ? k : axis;
            longest = supMaxF( longest, high - low );
        }
        for ( int32_t i = 0; i < count; ++i )
        {
            keys[i].axis = axis;
        }
        qsort( keys, (size_t)count, sizeof( supClusterKey ), supComparePlaces );
        int32_t whole = count > supClusterTriangles * supBlockClusters ? supClusterTriangles * supBlockClusters
                                                                       : supClusterTriangles;
        int32_t half = ( count / 2 + whole - 1 ) / whole * whole;
        supSortPlaces( keys, half );
        keys += half;
        count -= half;
    }
}

static supClusterKey supMakeKey( const supVec3* rest, const int32_t* parts, const int32_t* pieces, float size,
    const int32_t corners[3], int32_t order )
{
    const int32_t* c = corners;
    supVec3 a = rest[c[0]], b = rest[c[1]], d = rest[c[2]];
    supVec3 middle = supScale( supAdd( supAdd( a, b ), d ), 1.0f / 3.0f );
    supVec3 facing = supScale( supNormalize( supCross( supSub( b, a ), supSub( d, a ) ) ), supFacingLength * size );
    return ( supClusterKey ){ .piece = pieces[c[0]],
        .part = parts[c[1]] == parts[c[2]] ? parts[c[1]] : parts[c[0]],
        .order = order,
        .corners = { c[0], c[1], c[2] },
        .at = { middle.x, middle.y, middle.z, facing.x, facing.y, facing.z } };
}

/// Triangles that have an area, sorted. Gives how many.
static int32_t supSortClusterKeys(
    const supCharacter* character, const int32_t* parts, const int32_t* pieces, supClusterKey* keys )
{
    const supVec3* rest = (const supVec3*)supCharacter_Info( character )->restPositions;
    const int32_t* welds = supCharacter_Info( character )->welds;
    int32_t count = 0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        const int32_t* own = welds + mesh.firstVertex;
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            int32_t c[3] = { own[mesh.indices[i]], own[mesh.indices[i + 1]], own[mesh.indices[i + 2]] };
            keys[count] = supMakeKey( rest, parts, pieces, supCharacter_Info( character )->size, c, count );
            count += keys[count].at[3] != 0.0f || keys[count].at[4] != 0.0f || keys[count].at[5] != 0.0f;
        }
    }
    qsort( keys, (size_t)count, sizeof( supClusterKey ), supCompareGroups );
    int32_t from = 0;
    for ( int32_t i = 1; i <= count; ++i )
    {
        if ( i == count || keys[i].piece != keys[from].piece || keys[i].part != keys[from].part )
        {
            supSortPlaces( keys + from, i - from );
            from = i;
        }
    }
    return count;
}

/// Clusters end where they are full, and where piece or joint are others; so do blocks.
static void supCutClusters( supSkinClusters* clusters, const supClusterKey* keys, int32_t count )
{
    clusters->triangleCount = count;
    for ( int32_t t = 0; t < count; ++t )
    {
        memcpy( clusters->corners + 3 * (size_t)t, keys[t].corners, sizeof( keys[t].corners ) );
        bool other = t == 0 || keys[t].piece != keys[t - 1].piece || keys[t].part != keys[t - 1].part;
        if ( other || t - clusters->starts[clusters->clusterCount - 1] == supClusterTriangles )
        {
            int32_t cluster = clusters->clusterCount++;
            clusters->starts[cluster] = t;
            clusters->pieces[cluster] = keys[t].piece;
            clusters->clusterParts[cluster] = keys[t].part;
            if ( other || cluster - clusters->blockStarts[clusters->blockCount - 1] == supBlockClusters )
            {
                clusters->blockStarts[clusters->blockCount++] = cluster;
            }
        }
    }
    clusters->starts[clusters->clusterCount] = count;
    clusters->blockStarts[clusters->blockCount] = clusters->clusterCount;
}

/// The vertices of each cluster, each once.
static void supListClusterCorners( supSkinClusters* clusters )
{
    int32_t count = 0;
    for ( int32_t p = 0; p < clusters->clusterCount; ++p )
    {
        int32_t first = count;
        clusters->cornerStarts[p] = first;
        for ( int32_t i = 3 * clusters->starts[p]; i < 3 * clusters->starts[p + 1]; ++i )
        {
            int32_t at = first;
            while ( at < count && clusters->clusterCorners[at] != clusters->corners[i] )
            {
                ++at;
            }
            clusters->clusterCorners[at] = clusters->corners[i];
            count += at == count;
        }
    }
    clusters->cornerStarts[clusters->clusterCount] = count;
}

/// The triangles around each vertex. A vertex's start runs up to the next one's meanwhile.
static void supListAround( supSkinClusters* clusters )
{
    int32_t count = 3 * clusters->triangleCount, *starts = clusters->aroundStarts;
    for ( int32_t i = 0; i < count; ++i )
    {
        starts[clusters->corners[i] + 1] += 1;
    }
    for ( int32_t v = 0; v < clusters->vertexCount; ++v )
    {
        starts[v + 1] += starts[v];
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        clusters->around[starts[clusters->corners[i]]++] = i / 3;
    }
    memmove( starts + 1, starts, sizeof( int32_t ) * (size_t)clusters->vertexCount );
    starts[0] = 0;
}

/// Each vertex is looked after by one cluster, of its own part if there is one.
static void supShareOut( supSkinClusters* clusters )
{
    int32_t* owners = clusters->owners;
    for ( int32_t v = 0; v < clusters->vertexCount; ++v )
    {
        owners[v] = -1;
    }
    for ( int32_t p = 0; p < clusters->clusterCount; ++p )
    {
        for ( int32_t i = clusters->cornerStarts[p]; i < clusters->cornerStarts[p + 1]; ++i )
        {
            int32_t *owner = owners + clusters->clusterCorners[i], part = clusters->parts[clusters->clusterCorners[i]];
            bool better = *owner >= 0 && clusters->clusterParts[*owner] != part && clusters->clusterParts[p] == part;
            *owner = *owner < 0 || better ? p : *owner;
        }
    }
    int32_t count = 0;
    for ( int32_t p = 0; p < clusters->clusterCount; ++p )
    {
        clusters->ownStarts[p] = count;
        for ( int32_t i = clusters->cornerStarts[p]; i < clusters->cornerStarts[p + 1]; ++i )
        {
            clusters->own[count] = clusters->clusterCorners[i];
            count += owners[clusters->clusterCorners[i]] == p;
        }
    }
    clusters->ownStarts[clusters->clusterCount] = count;
}

/// The last one that does not start behind it.
int32_t supSkinClusters_ClusterOf( const supSkinClusters* clusters, int32_t triangle )
{
    int32_t low = 0, high = clusters->clusterCount - 1;
    while ( low < high )
    {
        int32_t middle = ( low + high + 1 ) / 2;
        low = clusters->starts[middle] <= triangle ? middle : low;
        high = clusters->starts[middle] <= triangle ? high : middle - 1;
    }
    return low;
}

static void supAddSide( int32_t* sides, int32_t cluster )
{
    int at = 0;
    while ( at < supClusterSides && sides[at] >= 0 && sides[at] != cluster )
    {
        ++at;
    }
    if ( at < supClusterSides )
    {
        sides[at] = cluster;
    }
}

static void supMeasureEdges( supSkinClusters* clusters, const supVec3* rest )
{
    for ( int32_t i = 0; i < 3 * clusters->triangleCount; ++i )
    {
        int32_t a = clusters->corners[i], b = clusters->corners[i % 3 == 2 ? i - 2 : i + 1];
        float length = supDistance( rest[a], rest[b] );
        clusters->edges[a] = supMaxF( clusters->edges[a], length );
        clusters->edges[b] = supMaxF( clusters->edges[b], length );
    }
}

/// What is beside each cluster, and its ball at rest.
static void supListSides( supSkinClusters* clusters, const supVec3* rest )
{
    for ( int32_t p = 0; p < clusters->clusterCount; ++p )
    {
        int32_t* sides = clusters->sides + (size_t)p * supClusterSides;
        clusters->rest[p] = supSkinClusters_Ball( clusters, p, rest );
        for ( int i = 0; i < supClusterSides; ++i )
        {
            sides[i] = -1;
        }
        for ( int32_t i = clusters->cornerStarts[p]; i < clusters->cornerStarts[p + 1]; ++i )
        {
            int32_t v = clusters->clusterCorners[i];
            for ( int32_t k = clusters->aroundStarts[v]; k < clusters->aroundStarts[v + 1]; ++k )
            {
                int32_t other = supSkinClusters_ClusterOf( clusters, clusters->around[k] );
                if ( other != p )
                {
                    supAddSide( sides, other );
                }
            }
        }
    }
}

static int supThinnestAxis( const supCharacter* character )
{
    const supVec3* rest = (const supVec3*)supCharacter_Info( character )->restPositions;
    supVec3 low = rest[0], high = rest[0];
    for ( int32_t v = 0; v < supCharacter_Info( character )->vertexCount; ++v )
    {
        low = supMinVec3( low, rest[v] );
        high = supMaxVec3( high, rest[v] );
    }
    supVec3 sides = supSub( high, low );
    return sides.x <= sides.y && sides.x <= sides.z ? 0 : sides.y <= sides.z ? 1 : 2;
}

/// Takes a block apart, or, where that is NULL, says how large it has to be.
static size_t supLayClusters( size_t vertices, size_t triangles, char* block, supSkinClusters** out )
{
    supLayout layout = supLayoutIn( block );
    SUP_PUT_NEW( &layout, supSkinClusters, clusters, 1 );
    SUP_PUT_NEW( &layout, int32_t, corners, 3 * triangles );
    SUP_PUT_NEW( &layout, int32_t, clusterCorners, 3 * triangles + 1 );
    SUP_PUT_NEW( &layout, int32_t, of, 6 * ( triangles + 1 ) );
    SUP_PUT_NEW( &layout, int32_t, sides, supClusterSides * triangles );
    SUP_PUT_NEW( &layout, supClusterBall, rest, triangles );
    SUP_PUT_NEW( &layout, int32_t, around, 3 * triangles );
    SUP_PUT_NEW( &layout, int32_t, ofVertices, 5 * ( vertices + 1 ) );
    SUP_PUT_NEW( &layout, float, edges, vertices );
    if ( layout.tooLarge )
    {
        return 0;
    }
    if ( block != NULL )
    {
        size_t step = triangles + 1;
        *clusters = ( supSkinClusters ){ .vertexCount = (int32_t)vertices,
            .corners = corners,
            .starts = of,
            .clusterParts = of + step,
            .pieces = of + 2 * step,
            .blockStarts = of + 3 * step,
            .cornerStarts = of + 4 * step,
            .ownStarts = of + 5 * step,
            .clusterCorners = clusterCorners,
            .own = ofVertices,
            .welds = ofVertices + ( vertices + 1 ),
            .parts = ofVertices + 2 * ( vertices + 1 ),
            .aroundStarts = ofVertices + 3 * ( vertices + 1 ),
            .owners = ofVertices + 4 * ( vertices + 1 ),
            .edges = edges,
            .around = around,
            .sides = sides,
            .rest = rest,
            .blockSize = layout.size };
        *out = clusters;
    }
    return layout.size;
}

supSkinClusters* supMakeSkinClusters( const supCharacter* character, const supAllocator* allocator )
{
    size_t vertices = (size_t)supCharacter_Info( character )->vertexCount, triangles = 0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        triangles += (size_t)supCharacter_Mesh( character, m ).indexCount / 3;
    }
    supSkinClusters* clusters = NULL;
    size_t size = supLayClusters( vertices, triangles, NULL, NULL );
    char* block = supAllocZeroed( allocator, size, 1, SUP_MAX_ALIGNMENT );
    supLayout meanwhile = supMakeLayout();
    SUP_PUT_NEW( &meanwhile, supClusterKey, keys, triangles + 1 );
    SUP_PUT_NEW( &meanwhile, int32_t, pieces, vertices );
    char* room = supAllocLayout( allocator, &meanwhile );
    if ( block != NULL && room != NULL && supFindClosedPieces( character, allocator, pieces ) )
    {
        supLayClusters( vertices, triangles, block, &clusters );
        clusters->size = supCharacter_Info( character )->size;
        clusters->thinAxis = supThinnestAxis( character );
        memcpy( clusters->welds, supCharacter_Info( character )->welds, vertices * sizeof( int32_t ) );
        supFindSkinParts( character, clusters->parts );
        supCutClusters( clusters, keys, supSortClusterKeys( character, clusters->parts, pieces, keys ) );
        supListClusterCorners( clusters );
        supShareOut( clusters );
        supListAround( clusters );
        supListSides( clusters, (const supVec3*)supCharacter_Info( character )->restPositions );
        supMeasureEdges( clusters, (const supVec3*)supCharacter_Info( character )->restPositions );
    }
    else
    {
        supFree( allocator, block, size );
    }
    supFree( allocator, room, meanwhile.size );
    return clusters;
}

supClusterBall supSkinClusters_Ball( const supSkinClusters* clusters, int32_t cluster, const supVec3* positions )
{
    const int32_t *from = clusters->clusterCorners + clusters->cornerStarts[cluster],
                  *to = clusters->clusterCorners + clusters->cornerStarts[cluster + 1];
    supVec3 low = positions[*from], high = low;
    for ( const int32_t* v = from; v < to; ++v )
    {
        low = supMinVec3( low, positions[*v] );
        high = supMaxVec3( high, positions[*v] );
    }
    supClusterBall ball = { supLerp( low, high, 0.5f ), 0.0f };
    for ( const int32_t* v = from; v < to; ++v )
    {
        ball.radius = supMaxF( ball.radius, supLengthSquared( supSub( positions[*v], ball.middle ) ) );
    }
    ball.radius = supSqrtF( ball.radius );
    return ball;
}

bool supSkinClusters_AreNeighbours( const supSkinClusters* clusters, int32_t a, int32_t b )
{
    const supClusterBall *p = clusters->rest + a, *q = clusters->rest + b;
    float within = 1.0f * ( p->radius + q->radius );
    return supLengthSquared( supSub( p->middle, q->middle ) ) < within * within;
}

void supDropSkinClusters( supSkinClusters* clusters, const supAllocator* allocator )
{
    supFree( allocator, clusters, clusters != NULL ? clusters->blockSize : 0 );
}
