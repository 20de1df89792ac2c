// Supple: vertices that come without weights take those of the nearest vertex that has some.
// SPDX-License-Identifier: MIT
//
// Among the meshes of one skin, whose positions stand in one space. Vertices in one place are one: a place has weights
// where one of its vertices has some. A place without is served
//
//   along the surface   wave by wave over the edges of triangles, by the nearest neighbour of the wave before: a hole
//   in
//                       the paint of a leg is filled from around it, and not from the other leg
//   through space       where its whole piece has none, a buckle or a pocket: by the pair of places, one of the piece
//                       and one with weights, that are nearest. All of the piece takes the same, and so stays stiff
//   by the first joint  where nothing of the skin has weights
#include "base/memory.h"
#include "base/ranked.h"
#include "character_data.h"

#include <string.h>

/// Pairs of places that are looked at in all while pieces are matched; beyond it the rest goes to the first joint.
/// Places are searched along x, so that a real file stays far below.
#define SUP_MOST_PAIRS ( (int64_t)1 << 28 )

typedef struct supPlaceInfo
{
    int32_t mesh, vertex; ///< the first vertex that stands there; of those with weights, where there is one
    int32_t source;       ///< the place whose weights it takes: itself where it has some, -1: none yet
    int32_t piece;        ///< where it has none: a place of its piece that stands for it
} supPlaceInfo;

typedef struct supBorrow
{
    supCharacter* character;
    int32_t skin;
    int32_t* places;     ///< of each vertex of the skin's meshes: where it stands
    supPlaceInfo* infos; ///< of each place
    int32_t placeCount;
    int32_t* firsts;    ///< of each place, and one more: where its neighbours start
    int32_t* neighbors; ///< places
    int32_t* queue;     ///< places
    int64_t pairs;      ///< looked at so far
} supBorrow;

static const float* supVertexPosition( const supBorrow* work, int32_t mesh, int32_t vertex )
{
    return work->character->meshes[mesh].positions + 3 * (size_t)vertex;
}

static const float* supPlacePosition( const supBorrow* work, int32_t place )
{
    return supVertexPosition( work, work->infos[place].mesh, work->infos[place].vertex );
}

static double supPlaceDistance( const supBorrow* work, int32_t a, int32_t b )
{
    const float *p = supPlacePosition( work, a ), *q = supPlacePosition( work, b );
    double x = (double)p[0] - q[0], y = (double)p[1] - q[1], z = (double)p[2] - q[2];
    return x * x + y * y + z * z;
}

static bool supHasWeights( const supMeshView* mesh, int32_t vertex )
{
    return mesh->weights[(size_t)vertex * (size_t)mesh->influenceCount] > 0.0f; // they fall
}

// ---------------------------------------------------------------------------------------------------------------
// Places

/// `points` and `firsts`: room for as many as there are vertices. False: no memory for the work.
static bool supFindPlaces( supBorrow* work, float* points, int32_t* firsts )
{
    int32_t count = 0, at = 0;
    for ( int32_t m = 0; m < work->character->meshCount; ++m )
    {
        const supMeshView* mesh = work->character->meshes + m;
        size_t vertices = mesh->skin == work->skin ? (size_t)mesh->vertexCount : 0;
        memcpy( points + 3 * (size_t)count, mesh->positions, 3 * vertices * sizeof( float ) );
        count += (int32_t)vertices;
    }
    if ( !supFindSamePoints( points, count, firsts, &work->character->allocator ) )
    {
        return false;
    }
    for ( int32_t m = 0; m < work->character->meshCount; ++m )
    {
        const supMeshView* mesh = work->character->meshes + m;
        for ( int32_t v = 0; mesh->skin == work->skin && v < mesh->vertexCount; ++v, ++at )
        {
            if ( firsts[at] == at )
            {
                work->places[at] = work->placeCount++;
                work->infos[work->places[at]] = ( supPlaceInfo ){ m, v, -1, -1 };
            }
            int32_t place = work->places[firsts[at]];
            supPlaceInfo* info = work->infos + place;
            if ( info->source < 0 && supHasWeights( mesh, v ) )
            {
                *info = ( supPlaceInfo ){ m, v, place, -1 };
            }
            work->places[at] = place;
        }
    }
    return true;
}

/// For each of the skin's triangles' edges, both ways: counts them, or puts them in place.
static void supListNeighbors( supBorrow* work, bool isCounting )
{
    const int32_t* places = work->places;
    for ( int32_t m = 0; m < work->character->meshCount; ++m )
    {
        const supMeshView* mesh = work->character->meshes + m;
        if ( mesh->skin != work->skin )
        {
            continue;
        }
        for ( int32_t i = 0; i < mesh->indexCount; ++i )
        {
            int32_t a = places[mesh->indices[i]], b = places[mesh->indices[i % 3 == 2 ? i - 2 : i + 1]];
            if ( isCounting )
            {
                work->firsts[a] += 1;
                work->firsts[b] += 1;
            }
            else
            {
                work->neighbors[--work->firsts[a]] = b;
                work->neighbors[--work->firsts[b]] = a;
            }
        }
        places += mesh->vertexCount;
    }
}

static void supSumFirsts( supBorrow* work )
{
    for ( int32_t p = 0; p < work->placeCount; ++p )
    {
        work->firsts[p + 1] += work->firsts[p];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Along the surface

/// The source of the nearest neighbour that has one already.
static int32_t supNearestNeighbor( const supBorrow* work, int32_t place )
{
    int32_t best = -1;
    double least = 0.0;
    for ( int32_t i = work->firsts[place]; i < work->firsts[place + 1]; ++i )
    {
        int32_t other = work->neighbors[i];
        if ( work->infos[other].source >= 0 )
        {
            double distance = supPlaceDistance( work, place, other );
            bool isNearer = best < 0 || distance < least || ( distance == least && other < best );
            best = isNearer ? other : best;
            least = isNearer ? distance : least;
        }
    }
    return best >= 0 ? work->infos[best].source : -1;
}

/// Every wave is worked out from those before it, then written, so that the order of places does not matter.
static void supFillAlongSurface( supBorrow* work )
{
    int32_t start = 0, end = 0;
    for ( int32_t p = 0; p < work->placeCount; ++p )
    {
        if ( work->infos[p].source >= 0 )
        {
            work->queue[end++] = p;
        }
    }
    while ( start < end )
    {
        int32_t waveEnd = end;
        for ( ; start < waveEnd; ++start )
        {
            int32_t place = work->queue[start];
            for ( int32_t i = work->firsts[place]; i < work->firsts[place + 1]; ++i )
            {
                supPlaceInfo* info = work->infos + work->neighbors[i];
                if ( info->source < 0 && info->piece < 0 )
                {
                    info->piece = work->neighbors[i]; // in the queue
                    work->queue[end++] = work->neighbors[i];
                }
            }
        }
        for ( int32_t i = waveEnd; i < end; ++i )
        {
            // found in the wave, not yet written: kept in `piece`, which tells nothing once there is a source
            work->infos[work->queue[i]].piece = supNearestNeighbor( work, work->queue[i] );
        }
        for ( int32_t i = waveEnd; i < end; ++i )
        {
            work->infos[work->queue[i]].source = work->infos[work->queue[i]].piece;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Through space

/// The nearest of the places sorted by x, if nearer than *least. Goes outwards from the place's own x until the
/// distance along x alone is more than the best. Nearest of equals: the one that comes first.
static int32_t supNearestInSpace(
    supBorrow* work, const supRanked* sorted, int32_t count, int32_t place, double* least )
{
    float x = supPlacePosition( work, place )[0];
    int32_t lower = 0, upper = count, best = -1;
    while ( lower < upper )
    {
        int32_t middle = lower + ( upper - lower ) / 2;
        bool isBelow = sorted[middle].key < x;
        lower = isBelow ? middle + 1 : lower;
        upper = isBelow ? upper : middle;
    }
    for ( int32_t step = 0; step < 2; ++step )
    {
        for ( int32_t i = step == 0 ? lower : lower - 1; i >= 0 && i < count; i += step == 0 ? 1 : -1 )
        {
            double along = sorted[i].key - x;
            work->pairs += 1;
            if ( along * along > *least || work->pairs > SUP_MOST_PAIRS )
            {
                break;
            }
            double distance = supPlaceDistance( work, place, sorted[i].item );
            bool isNearer = distance < *least || ( distance == *least && best >= 0 && sorted[i].item < best );
            best = isNearer ? sorted[i].item : best;
            *least = isNearer ? distance : *least;
        }
    }
    return best;
}

/// All places that hang together with one that has no source; they stand in the queue from 0.
static int32_t supGatherPiece( supBorrow* work, int32_t place )
{
    int32_t count = 0;
    work->infos[place].piece = place;
    work->queue[count++] = place;
    for ( int32_t i = 0; i < count; ++i )
    {
        int32_t from = work->queue[i];
        for ( int32_t k = work->firsts[from]; k < work->firsts[from + 1]; ++k )
        {
            supPlaceInfo* info = work->infos + work->neighbors[k];
            if ( info->source < 0 && info->piece < 0 )
            {
                info->piece = place;
                work->queue[count++] = work->neighbors[k];
            }
        }
    }
    return count;
}

static void supFillThroughSpace( supBorrow* work, supRanked* sorted )
{
    int32_t count = 0;
    for ( int32_t p = 0; p < work->placeCount; ++p )
    {
        if ( work->infos[p].source == p )
        {
            sorted[count++] = ( supRanked ){ supPlacePosition( work, p )[0], p };
        }
    }
    if ( count > 1 )
    {
        supSortRanked( sorted, (size_t)count );
    }
    for ( int32_t p = 0; p < work->placeCount && count > 0; ++p )
    {
        if ( work->infos[p].source >= 0 || work->infos[p].piece >= 0 )
        {
            continue;
        }
        int32_t pieceCount = supGatherPiece( work, p ), best = -1;
        double least = 1e300;
        for ( int32_t i = 0; i < pieceCount; ++i )
        {
            int32_t found = supNearestInSpace( work, sorted, count, work->queue[i], &least );
            best = found >= 0 ? found : best;
        }
        for ( int32_t i = 0; i < pieceCount; ++i )
        {
            work->infos[work->queue[i]].source = best;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

/// What a vertex takes from another one, whose mesh may have another number of influences.
static void supCopyVertexWeights( const supMeshView* to, int32_t vertex, const supMeshView* from, int32_t source )
{
    size_t toWidth = (size_t)to->influenceCount, fromWidth = (size_t)from->influenceCount;
    size_t width = toWidth < fromWidth ? toWidth : fromWidth;
    // the copies are the character's own, and it is not finished
    uint16_t* indices = (uint16_t*)to->jointIndices + (size_t)vertex * toWidth;
    float* weights = (float*)to->weights + (size_t)vertex * toWidth;
    double sum = 0.0;
    for ( size_t i = 0; i < width; ++i )
    {
        sum += from->weights[(size_t)source * fromWidth + i];
    }
    for ( size_t i = 0; i < width; ++i )
    {
        indices[i] = from->jointIndices[(size_t)source * fromWidth + i];
        weights[i] = (float)( from->weights[(size_t)source * fromWidth + i] / sum );
    }
}

static void supHandOutWeights( const supBorrow* work, supFixes* fixes )
{
    const int32_t* places = work->places;
    for ( int32_t m = 0; m < work->character->meshCount; ++m )
    {
        const supMeshView* mesh = work->character->meshes + m;
        for ( int32_t v = 0; mesh->skin == work->skin && v < mesh->vertexCount; ++v )
        {
            int32_t source = work->infos[*places++].source;
            if ( supHasWeights( mesh, v ) )
            {
                continue;
            }
            if ( source < 0 )
            {
                ( (float*)mesh->weights )[(size_t)v * (size_t)mesh->influenceCount] = 1.0f;
                continue;
            }
            const supPlaceInfo* info = work->infos + source;
            supCopyVertexWeights( mesh, v, work->character->meshes + info->mesh, info->vertex );
            fixes->borrowedWeights += 1;
            fixes->weightless -= 1;
        }
    }
}

static bool supBorrowInSkin(
    supCharacter* character, int32_t skin, int64_t vertexCount, int64_t indexCount, supFixes* fixes )
{
    size_t vertices = (size_t)vertexCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, int32_t, places, vertices );
    SUP_PUT_NEW( &layout, supPlaceInfo, infos, vertices );
    SUP_PUT_NEW( &layout, int32_t, firsts, vertices + 1 );
    SUP_PUT_NEW( &layout, int32_t, queue, vertices );
    SUP_PUT_NEW( &layout, int32_t, neighbors, 2 * indexCount );
    SUP_PUT_NEW( &layout, supRanked, sorted, vertices );
    SUP_PUT_NEW( &layout, float, points, 3 * vertices );
    SUP_PUT_NEW( &layout, int32_t, same, vertices );
    char* block = 2 * indexCount > INT32_MAX ? NULL : supAllocLayout( &character->allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    supBorrow work = { .character = character,
        .skin = skin,
        .places = places,
        .infos = infos,
        .firsts = firsts,
        .neighbors = neighbors,
        .queue = queue };
    bool found = supFindPlaces( &work, points, same );
    if ( found )
    {
        supListNeighbors( &work, true );
        supSumFirsts( &work );
        supListNeighbors( &work, false );
        supFillAlongSurface( &work );
        supFillThroughSpace( &work, sorted );
        supHandOutWeights( &work, fixes );
    }
    supFree( &character->allocator, block, layout.size );
    return found;
}

bool supBorrowWeights( supCharacter* character, supFixes* fixes )
{
    for ( int32_t s = 0; s < character->skinCount; ++s )
    {
        int64_t vertices = 0, indices = 0;
        bool lacks = false;
        for ( int32_t m = 0; m < character->meshCount; ++m )
        {
            const supMeshView* mesh = character->meshes + m;
            vertices += mesh->skin == s ? mesh->vertexCount : 0;
            indices += mesh->skin == s ? mesh->indexCount : 0;
            for ( int32_t v = 0; mesh->skin == s && !lacks && v < mesh->vertexCount; ++v )
            {
                lacks = !supHasWeights( mesh, v );
            }
        }
        if ( lacks && !supBorrowInSkin( character, s, vertices, indices, fixes ) )
        {
            return false;
        }
    }
    return true;
}
