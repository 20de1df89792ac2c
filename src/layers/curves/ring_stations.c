// Supple: places around curves, and the skin that hangs on them.
// SPDX-License-Identifier: MIT

#include "layers/curves/ring_hold.h"

int32_t supNextRing( const supCurveNetwork* network, const supRingMap* map, int32_t ring )
{
    const supKeptCurve* own = &network->curves[map->curveOf[ring]];
    int32_t next = -1, ends = 0;
    for ( int32_t c = 0; own->upper >= 0 && c < network->curveCount; ++c )
    {
        const supKeptCurve* other = &network->curves[c];
        bool touches = other->lower == own->upper || other->upper == own->upper;
        ends += touches;
        next = touches && other != own && other->lower == own->upper ? c : next;
    }
    if ( ends != 2 || next < 0 || map->ringOf[next] < 0 || network->curves[next].open != own->open )
    {
        return -1;
    }
    return map->itemOf[map->ringOf[next]] == map->itemOf[ring] ? map->ringOf[next] : -1;
}

/// Where v is on a ring, as two shares of its stations; `first`: the ring's first one.
static void supShareStations( bool open, double v, int32_t first, double share, supStationShare out[2] )
{
    double at = open ? supClamp( v, 0.0, 1.0 ) * ( supRingStations - 1 ) : ( v - supFloor( v ) ) * supRingStations;
    int32_t low = (int32_t)supMin( at, supRingStations - 1 );
    double part = at - low;
    int32_t high = open ? (int32_t)supMin( low + 1, supRingStations - 1 ) : ( low + 1 ) % supRingStations;
    out[0] = ( supStationShare ){ first + low, (float)( share * ( 1.0 - part ) ) };
    out[1] = ( supStationShare ){ first + high, (float)( share * part ) };
}

/// One vertex's shares being listed.
typedef struct supShareList
{
    const supCurveNetwork* network;
    const supRingMap* map;
    const int32_t* next;
    supRingSkin* skin;
    int32_t shares, folds;
} supShareList;

static void supListCurve( supShareList* list, int32_t curve, double v, double share )
{
    int32_t ring = list->map->ringOf[curve];
    if ( ring >= 0 && share > 0.0 )
    {
        bool open = list->network->curves[curve].open;
        supShareStations( open, v, ring * supRingStations, share, list->skin->shares + list->shares );
        list->shares += 2;
    }
}

// A fold stands between two rings as sin^2: level where it meets them.
static void supListFold( supShareList* list, const supHang* hang, double share )
{
    int32_t a = list->map->ringOf[hang->a], b = list->map->ringOf[hang->b];
    if ( a < 0 || b < 0 || ( list->next[a] != b && list->next[b] != a ) )
    {
        return;
    }
    bool rises = list->next[a] == b;
    double sine = supSin( SUP_PI * hang->ratio );
    int32_t first = ( list->map->ringCount + ( rises ? a : b ) ) * supRingStations;
    bool open = list->network->curves[hang->a].open;
    supShareStations(
        open, rises ? hang->vA : hang->vB, first, share * sine * sine, list->skin->foldShares + list->folds );
    list->folds += 2;
}

static supResult supAllocateSkin(
    const supCurveNetwork* network, const supAllocator* allocator, supRingSkin* out, supError* error )
{
    size_t vertices = (size_t)network->vertexCount, hangs = 0;
    for ( size_t v = 0; v < vertices; ++v )
    {
        int32_t place = network->welded[v];
        hangs += (size_t)( network->hangStart[place + 1] - network->hangStart[place] );
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, int32_t, touched, vertices );
    SUP_PUT_NEW( &layout, int32_t, start, vertices + 1 );
    SUP_PUT_NEW( &layout, supStationShare, shares, 4 * hangs );
    SUP_PUT_NEW( &layout, int32_t, foldStart, vertices + 1 );
    SUP_PUT_NEW( &layout, supStationShare, folds, 2 * hangs );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for curves" );
    }
    *out = ( supRingSkin ){ .touched = touched,
        .shareStart = start,
        .shares = shares,
        .foldStart = foldStart,
        .foldShares = folds,
        .block = block,
        .blockSize = layout.size };
    return sup_success;
}

supResult supMakeRingSkin( const supCurveNetwork* network, const supRingMap* map, const int32_t* next,
    const float* left, const supAllocator* allocator, supRingSkin* out, supError* error )
{
    supResult result = supAllocateSkin( network, allocator, out, error );
    if ( result != sup_success )
    {
        return result;
    }
    supShareList list = { network, map, next, out, 0, 0 };
    for ( int32_t v = 0; v < network->vertexCount; ++v )
    {
        int32_t place = network->welded[v], before = list.shares;
        out->shareStart[out->touchedCount] = list.shares;
        out->foldStart[out->touchedCount] = list.folds;
        for ( int32_t i = network->hangStart[place]; i < network->hangStart[place + 1]; ++i )
        {
            const supHang* hang = &network->hangs[i];
            double whole = hang->weight * ( left != NULL ? left[v] : 1.0f ), ratio = hang->b >= 0 ? hang->ratio : 0.0;
            supListCurve( &list, hang->a, hang->vA, whole * ( 1.0 - ratio ) );
            if ( hang->b >= 0 )
            {
                supListCurve( &list, hang->b, hang->vB, whole * ratio );
                supListFold( &list, hang, whole );
            }
        }
        if ( list.shares > before )
        {
            out->touched[out->touchedCount++] = v;
        }
    }
    out->shareStart[out->touchedCount] = list.shares;
    out->foldStart[out->touchedCount] = list.folds;
    return sup_success;
}

// Shares come in pairs, the two stations around a place. Each of a pair has a sum of its own: one addition need not
// wait for the other.
static inline supVec3 supSumPairs(
    supVec3 p, const supStationShare* at, const supStationShare* end, const supVec3* stations )
{
    supVec3 other = supVec3_zero;
    for ( ; at < end; at += 2 )
    {
        p = supMulAdd( p, at[0].share, stations[at[0].at] );
        other = supMulAdd( other, at[1].share, stations[at[1].at] );
    }
    return supAdd( p, other );
}

void supRingSkin_Move( const supRingSkin* skin, const supVec3* stations, bool folds, supVec3* positions )
{
    for ( int32_t i = 0; i < skin->touchedCount; ++i )
    {
        supVec3* p = positions + skin->touched[i];
        *p = supSumPairs( *p, skin->shares + skin->shareStart[i], skin->shares + skin->shareStart[i + 1], stations );
    }
    for ( int32_t i = 0; folds && i < skin->touchedCount; ++i )
    {
        supVec3* p = positions + skin->touched[i];
        *p = supSumPairs(
            *p, skin->foldShares + skin->foldStart[i], skin->foldShares + skin->foldStart[i + 1], stations );
    }
}
