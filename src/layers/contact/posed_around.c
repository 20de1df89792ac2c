// Which closed pieces of a skin go around a place, by rays.
// SPDX-License-Identifier: MIT
//
// Almost all rays run along the axis that the body is thinnest along, so the skin is looked at along that axis once:
// its triangles are listed by the columns that they are seen in, and a ray tries those of one column. A ray crosses a
// triangle where the three areas that it makes with its corners have one sign; their signs are exact opposites on the
// two sides of an edge, so that no ray passes between two triangles.

#include "layers/contact/posed_clusters.h"

#include "base/math.h"
#include "base/memory.h"

#include <string.h>

enum
{
    supMostPieces = 8, ///< that one ray tells apart
    supStepBits = 16,
    supSteps = 1 << supStepBits, ///< across a skin: what is seen is compared in these first
    supLeastShift = 6,           ///< of steps to columns
    supColumnRoom = 4,           ///< columns that a triangle may be listed in, in the mean
};

/// Rays are a little off the axes, so that the edges of models that are made along axes do not lie on them.
static const float supAslant[2] = { 0.0137f, 0.0071f };

/// A place as seen along the ray: x and y across it, z along.
static supVec3 supSee( supVec3 p, int axis )
{
    float along = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    float u = axis == 0 ? p.y : axis == 1 ? p.z : p.x, v = axis == 0 ? p.z : axis == 1 ? p.x : p.y;
    return ( supVec3 ){ u - supAslant[0] * along, v - supAslant[1] * along, along };
}

// ---------------------------------------------------------------------------------------------------------------
// Columns

void supLayColumns( supLayout* layout, const supSkinClusters* clusters, supSeenColumns* columns )
{
    size_t triangles = (size_t)clusters->triangleCount;
    SUP_PUT( layout, columns->seen, clusters->vertexCount );
    SUP_PUT( layout, columns->steps, clusters->vertexCount );
    SUP_PUT( layout, columns->boxes, triangles );
    SUP_PUT( layout, columns->starts, triangles + 2 );
    SUP_PUT( layout, columns->entries, supColumnRoom * triangles );
    SUP_PUT( layout, columns->stale, triangles );
    SUP_PUT( layout, columns->isStale, triangles );
}

/// Where it is seen, in supSteps steps across the skin. Rises with x, whatever is rounded.
static uint16_t supStepOf( const supSeenColumns* columns, int way, float x )
{
    float at = ( x - columns->low[way] ) * columns->perMetre[way];
    return (uint16_t)(int32_t)supMinF( supMaxF( at, 0.0f ), (float)( supSteps - 1 ) );
}

static supSeenStep supSeenStepOf( const supSeenColumns* columns, supVec3 seen )
{
    return ( supSeenStep ){ { supStepOf( columns, 0, seen.x ), supStepOf( columns, 1, seen.y ) } };
}

/// Half as many columns as triangles, about as wide as high.
static void supChooseColumns( supSeenColumns* columns, supVec3 low, supVec3 high, int32_t triangles )
{
    float width[2] = { high.x - low.x, high.y - low.y };
    float side = supSqrtF( 2.0f * width[0] * width[1] / (float)( triangles > 0 ? triangles : 1 ) );
    columns->low[0] = low.x;
    columns->low[1] = low.y;
    for ( int way = 0; way < 2; ++way )
    {
        columns->perMetre[way] = width[way] > 0.0f ? (float)supSteps / width[way] : 0.0f;
        columns->shift[way] = supStepBits;
        for ( float wide = width[way]; wide > side && side > 0.0f && columns->shift[way] > supLeastShift; wide *= 0.5f )
        {
            columns->shift[way] -= 1;
        }
    }
}

static supSeenBox supBoxOf( const supSeenStep* steps, const int32_t* corners )
{
    supSeenBox box = { steps[corners[0]], steps[corners[0]] };
    for ( int way = 0; way < 2; ++way )
    {
        uint16_t b = steps[corners[1]].at[way], c = steps[corners[2]].at[way];
        uint16_t low = b < c ? b : c, high = b < c ? c : b;
        box.from.at[way] = low < box.from.at[way] ? low : box.from.at[way];
        box.to.at[way] = high > box.to.at[way] ? high : box.to.at[way];
    }
    return box;
}

/// Columns are made larger until all of it has room.
static void supFitColumns( const supSkinClusters* clusters, supSeenColumns* columns )
{
    int32_t count = clusters->triangleCount;
    for ( bool fits = false; !fits; )
    {
        int u = columns->shift[0], v = columns->shift[1];
        uint64_t entries = 0;
        for ( int32_t t = 0; t < count; ++t )
        {
            supSeenBox box = columns->boxes[t];
            entries += (uint64_t)( ( box.to.at[0] >> u ) - ( box.from.at[0] >> u ) + 1 ) *
                       (uint64_t)( ( box.to.at[1] >> v ) - ( box.from.at[1] >> v ) + 1 );
        }
        uint64_t all = (uint64_t)1 << ( 2 * supStepBits - u - v );
        fits = entries <= supColumnRoom * (uint64_t)count && all <= (uint64_t)count + 1;
        columns->shift[0] += !fits && u < supStepBits;
        columns->shift[1] += !fits && v < supStepBits;
    }
}

static int32_t supColumnOf( const supSeenColumns* columns, int32_t u, int32_t v )
{
    return ( ( v >> columns->shift[1] ) << ( supStepBits - columns->shift[0] ) ) + ( u >> columns->shift[0] );
}

/// Counts a triangle in all columns that it is in, or, with `entry` of 0 and more, lists it there.
static void supVisitColumns( supSeenColumns* columns, supSeenBox box, int32_t entry )
{
    int32_t acrossU = 1 << ( supStepBits - columns->shift[0] );
    int32_t row = supColumnOf( columns, box.from.at[0], box.from.at[1] );
    int32_t last = supColumnOf( columns, box.from.at[0], box.to.at[1] );
    int32_t length = ( box.to.at[0] >> columns->shift[0] ) - ( box.from.at[0] >> columns->shift[0] );
    for ( ; row <= last; row += acrossU )
    {
        for ( int32_t i = row; i <= row + length; ++i )
        {
            if ( entry >= 0 )
            {
                columns->entries[columns->starts[i]] = entry;
            }
            columns->starts[i] += 1;
        }
    }
}

/// A column's start runs up to the next one's meanwhile.
static void supListColumns( const supSkinClusters* clusters, supSeenColumns* columns )
{
    int32_t count = 1 << ( 2 * supStepBits - columns->shift[0] - columns->shift[1] ), sum = 0;
    memset( columns->starts, 0, sizeof( int32_t ) * ( (size_t)count + 1 ) );
    for ( int pass = 0; pass < 2; ++pass )
    {
        for ( int32_t p = 0; p < clusters->clusterCount; ++p )
        {
            int32_t from = clusters->starts[p], to = clusters->pieces[p] >= 0 ? clusters->starts[p + 1] : from;
            for ( int32_t t = from; t < to; ++t )
            {
                supVisitColumns( columns, columns->boxes[t], pass == 0 ? -1 : t );
            }
        }
        for ( int32_t i = 0; i <= count && pass == 0; ++i )
        {
            int32_t own = columns->starts[i];
            columns->starts[i] = sum;
            sum += own;
        }
    }
    memmove( columns->starts + 1, columns->starts, sizeof( int32_t ) * (size_t)count );
    columns->starts[0] = 0;
}

void supPosedClusters_See( supPosedClusters* posed )
{
    const supSkinClusters* clusters = posed->clusters;
    supSeenColumns* columns = &posed->columns;
    supVec3 low = { 1e30f, 1e30f, 1e30f }, high = supNeg( low );
    for ( int32_t v = 0; v < clusters->vertexCount; ++v )
    {
        columns->seen[v] = supSee( posed->places[v], clusters->thinAxis );
        low = supMinVec3( low, columns->seen[v] );
        high = supMaxVec3( high, columns->seen[v] );
    }
    supChooseColumns( columns, low, high, clusters->triangleCount );
    for ( int32_t v = 0; v < clusters->vertexCount; ++v )
    {
        columns->steps[v] = supSeenStepOf( columns, columns->seen[v] );
    }
    for ( int32_t t = 0; t < clusters->triangleCount; ++t )
    {
        columns->boxes[t] = supBoxOf( columns->steps, clusters->corners + 3 * (size_t)t );
    }
    supFitColumns( clusters, columns );
    supListColumns( clusters, columns );
    columns->staleCount = 0;
    memset( columns->isStale, 0, sizeof( bool ) * (size_t)clusters->triangleCount );
}

void supPosedClusters_SeeMoved( supPosedClusters* posed, const bool* moved )
{
    supSeenColumns* columns = &posed->columns;
    for ( int32_t v = 0; v < posed->clusters->vertexCount; ++v )
    {
        if ( moved[v] )
        {
            columns->seen[v] = supSee( posed->places[v], posed->clusters->thinAxis );
            columns->steps[v] = supSeenStepOf( columns, columns->seen[v] );
        }
    }
}

/// Whether a triangle that has moved is in no column that it is not listed in.
static bool supStaysListed( const supSeenColumns* columns, supSeenBox was, supSeenBox is )
{
    bool stays = true;
    for ( int way = 0; way < 2; ++way )
    {
        int shift = columns->shift[way];
        stays = stays && is.from.at[way] >> shift >= was.from.at[way] >> shift &&
                is.to.at[way] >> shift <= was.to.at[way] >> shift;
    }
    return stays;
}

void supPosedClusters_SeeCluster( supPosedClusters* posed, int32_t cluster )
{
    const supSkinClusters* clusters = posed->clusters;
    supSeenColumns* columns = &posed->columns;
    for ( int32_t t = clusters->starts[cluster]; t < clusters->starts[cluster + 1]; ++t )
    {
        supSeenBox box = supBoxOf( columns->steps, clusters->corners + 3 * (size_t)t );
        bool listed = columns->isStale[t] || supStaysListed( columns, columns->boxes[t], box );
        columns->boxes[t] = box;
        if ( !listed && clusters->pieces[cluster] >= 0 )
        {
            columns->isStale[t] = true;
            columns->stale[columns->staleCount++] = t;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// How often each piece goes around a place

typedef struct supPieceTurns
{
    int32_t count;
    int32_t pieces[supMostPieces];
    int turns[supMostPieces][2]; ///< as a ray along the axis has it, and one the other way
} supPieceTurns;

static void supAddTurns( supPieceTurns* all, int32_t piece, int way, int turns )
{
    int32_t at = 0;
    while ( at < all->count && all->pieces[at] != piece )
    {
        ++at;
    }
    if ( at == all->count && at < supMostPieces )
    {
        all->pieces[at] = piece;
        all->turns[at][0] = all->turns[at][1] = 0;
        all->count += 1;
    }
    if ( at < supMostPieces )
    {
        all->turns[at][way] += turns;
    }
}

/// Twice the area of (a, b, 0) as seen: the very opposite for (b, a, 0).
static float supSeenArea( supVec3 a, supVec3 b )
{
    return a.x * b.y - a.y * b.x;
}

/// A ray through a triangle, whose corners are as seen from where it starts: ahead 1 and behind -1, times 1 where it
/// comes out there along the axis and -1 where it goes in; 0: past it.
static int supCrossTriangle( supVec3 a, supVec3 b, supVec3 c, bool* isBehind )
{
    float ofA = supSeenArea( b, c ), ofB = supSeenArea( c, a ), ofC = supSeenArea( a, b );
    bool out = supMinF( ofA, supMinF( ofB, ofC ) ) > 0.0f, in = supMaxF( ofA, supMaxF( ofB, ofC ) ) < 0.0f;
    if ( !out && !in )
    {
        return 0;
    }
    // the triangle's place on the ray, times the three areas, which have one sign
    float along = ofA * a.z + ofB * b.z + ofC * c.z;
    bool ahead = out ? along > 0.0f : along < 0.0f, behind = out ? along < 0.0f : along > 0.0f;
    *isBehind = behind;
    return !ahead && !behind ? 0 : out == ahead ? 1 : -1;
}

static void supTryTriangle( const supPosedClusters* posed, int32_t t, supVec3 place, supPieceTurns* all )
{
    const int32_t* corners = posed->clusters->corners + 3 * (size_t)t;
    const supVec3* seen = posed->columns.seen;
    bool behind = false;
    int turns = supCrossTriangle( supSub( seen[corners[0]], place ), supSub( seen[corners[1]], place ),
        supSub( seen[corners[2]], place ), &behind );
    if ( turns != 0 )
    {
        int32_t cluster = supSkinClusters_ClusterOf( posed->clusters, t );
        supAddTurns( all, posed->clusters->pieces[cluster], behind, turns );
    }
}

/// Without a branch: whether a triangle of a column is where the place is cannot be foreseen.
static bool supIsWithin( supSeenBox box, supSeenStep at )
{
    uint32_t u = (uint32_t)at.at[0] - box.from.at[0], v = (uint32_t)at.at[1] - box.from.at[1];
    return ( ( u <= (uint32_t)box.to.at[0] - box.from.at[0] ) & ( v <= (uint32_t)box.to.at[1] - box.from.at[1] ) ) != 0;
}

static void supTurnsOf( const supPosedClusters* posed, supVec3 place, supPieceTurns* all )
{
    const supSkinClusters* clusters = posed->clusters;
    const supSeenColumns* columns = &posed->columns;
    supVec3 seen = supSee( place, clusters->thinAxis );
    supSeenStep at = supSeenStepOf( columns, seen );
    int32_t column = supColumnOf( columns, at.at[0], at.at[1] );
    all->count = 0;
    for ( int32_t i = columns->starts[column]; i < columns->starts[column + 1]; ++i )
    {
        int32_t t = columns->entries[i];
        if ( supIsWithin( columns->boxes[t], at ) && !columns->isStale[t] )
        {
            supTryTriangle( posed, t, seen, all );
        }
    }
    for ( int32_t i = 0; i < columns->staleCount; ++i )
    {
        if ( supIsWithin( columns->boxes[columns->stale[i]], at ) )
        {
            supTryTriangle( posed, columns->stale[i], seen, all );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The third ray, along another axis: by clusters

/// Whether a ray meets a ball on its way. Seen aslant a ball is a little larger.
static bool supIsOnRay( const supClusterBalls* balls, int32_t ball, int axis, supVec3 seen )
{
    supVec3 middle = { balls->x[ball], balls->y[ball], balls->z[ball] };
    supVec3 off = supSub( supSee( middle, axis ), seen );
    float radius = 1.02f * balls->radius[ball];
    return off.x * off.x + off.y * off.y <= radius * radius && off.z + radius > 0.0f;
}

/// How often a ray comes out of a cluster more than it goes in.
static int supClusterTurns( const supPosedClusters* posed, int32_t cluster, int axis, supVec3 seen )
{
    const supSkinClusters* clusters = posed->clusters;
    int sum = 0;
    for ( int32_t t = clusters->starts[cluster]; t < clusters->starts[cluster + 1]; ++t )
    {
        const int32_t* c = clusters->corners + 3 * (size_t)t;
        bool behind = false;
        int turns = supCrossTriangle( supSub( supSee( posed->places[c[0]], axis ), seen ),
            supSub( supSee( posed->places[c[1]], axis ), seen ), supSub( supSee( posed->places[c[2]], axis ), seen ),
            &behind );
        sum += behind ? 0 : turns;
    }
    return sum;
}

/// Whether a piece goes around a place, as a ray along an axis has it.
static bool supGoesAround( const supPosedClusters* posed, supVec3 place, int axis, int32_t piece )
{
    const supSkinClusters* clusters = posed->clusters;
    supVec3 seen = supSee( place, axis );
    int turns = 0;
    for ( int32_t b = 0; b < clusters->blockCount; ++b )
    {
        int32_t from = clusters->blockStarts[b]; // a block has one piece
        bool meets = clusters->pieces[from] == piece && supIsOnRay( &posed->blocks, b, axis, seen );
        for ( int32_t p = from; meets && p < clusters->blockStarts[b + 1]; ++p )
        {
            turns += supIsOnRay( &posed->balls, p, axis, seen ) ? supClusterTurns( posed, p, axis, seen ) : 0;
        }
    }
    return turns > 0;
}

int32_t supPosedClusters_Around( supPosedClusters* posed, supVec3 place )
{
    supPieceTurns all;
    int32_t best = -1;
    supTurnsOf( posed, place, &all );
    for ( int32_t i = 0; i < all.count; ++i )
    {
        // a ray through a small hole is wrong
        bool first = all.turns[i][0] > 0 && ( best < 0 || all.pieces[i] < best );
        if ( first && ( all.turns[i][1] > 0 ||
                          supGoesAround( posed, place, ( posed->clusters->thinAxis + 1 ) % 3, all.pieces[i] ) ) )
        {
            best = all.pieces[i];
        }
    }
    return best;
}
