// Lines through the middle of the body's parts, which rays begin at.
// SPDX-License-Identifier: MIT
//
// A bone seldom runs through the middle of its flesh (the spine runs near the back). So every part of the body (the
// skin that one joint carries most of) gets three places along its bone, each in the middle of the skin around it; the
// lines of neighbours are joined.
#include "base/math.h"

#include "base/scalar_math.h"
#include "layers/muscles/ecorche_compile.h"
#include "layers/triangle_tree.h"

#include <string.h>

enum
{
    supLeastPart = 8, ///< vertices
    supStations = 3,
};

typedef struct supPartChain
{
    int32_t joint, vertices, count; ///< count 0: no part
    supVec3 middle;                 ///< of its skin
    supVec3 stations[supStations];
} supPartChain;

/// Where the bone of a part goes: to the child that continues it best, or from the joint to the middle of its skin.
static supVec3 supBoneWay( const supEcorcheSkin* skin, const supPartChain* chains, int32_t joint )
{
    const supMat34* rest = supCharacter_Info( skin->character )->restJoints;
    int32_t up = supCharacter_Joint( skin->character, joint )->parent;
    supVec3 middle = supSub( chains[joint].middle, rest[joint].t );
    supVec3 before = up >= 0 ? supSub( rest[joint].t, rest[up].t ) : middle;
    before = supNormalize( supLengthSquared( before ) > 0.0f ? before : middle );
    supVec3 best = middle;
    float most = -2.0f;
    for ( int32_t j = 0; j < supCharacter_Info( skin->character )->jointCount; ++j )
    {
        supVec3 way = supSub( rest[j].t, rest[joint].t );
        bool isChild = supCharacter_Joint( skin->character, j )->parent == joint && chains[j].vertices >= supLeastPart;
        float straight = supDot( supNormalize( way ), before );
        if ( isChild && supLengthSquared( way ) > 0.0f && straight > most )
        {
            most = straight;
            best = way;
        }
    }
    return supNormalize( best );
}

/// The middle of the skin of a part, weighed by areas, around a place along an axis; `reach` 0: of all of it.
static bool supMiddleAround(
    const supEcorcheSkin* skin, int32_t joint, supVec3 origin, supVec3 axis, float at, float reach, supVec3* middle )
{
    supVec3d sum = { 0.0, 0.0, 0.0 };
    double all = 0.0;
    for ( int32_t v = 0; v < skin->vertexCount; ++v )
    {
        if ( skin->parts[v] == joint )
        {
            float off = reach > 0.0f ? supAbsF( supDot( supSub( skin->rest[v], origin ), axis ) - at ) / reach : 0.0f;
            double share = off < 1.0f ? (double)skin->areas[v] * ( 1.0 - (double)off ) : 0.0;
            sum = supAddD( sum, supScaleD( supToDouble( skin->rest[v] ), share ) );
            all += share;
        }
    }
    *middle = supToFloat( supScaleD( sum, all > 0.0 ? 1.0 / all : 0.0 ) );
    return all > 0.0;
}

static void supPlaceStations( const supEcorcheSkin* skin, supPartChain* chains, int32_t joint )
{
    supPartChain* chain = chains + joint;
    supVec3 axis = supBoneWay( skin, chains, joint );
    float low = 0.0f, high = 0.0f;
    for ( int32_t v = 0; v < skin->vertexCount; ++v )
    {
        if ( skin->parts[v] == joint )
        {
            float along = supDot( supSub( skin->rest[v], chain->middle ), axis );
            low = supMinF( low, along );
            high = supMaxF( high, along );
        }
    }
    for ( int k = 0; k < supStations; ++k )
    {
        float at = low + ( high - low ) * ( 0.25f + 0.25f * (float)k );
        supVec3 middle;
        if ( high > low && supMiddleAround( skin, joint, chain->middle, axis, at, 0.3f * ( high - low ), &middle ) )
        {
            float off = at - supDot( supSub( middle, chain->middle ), axis );
            chain->stations[chain->count++] = supMulAdd( middle, off, axis );
        }
    }
}

static bool supAddLine( supArray* lines, int32_t jointA, int32_t jointB, supVec3 a, supVec3 b )
{
    supCoreLine* line = supArray_Add( lines, 1 );
    if ( line != NULL )
    {
        *line = ( supCoreLine ){ jointA, jointB, a, b };
    }
    return line != NULL;
}

/// The nearest joint above that has a chain, or -1.
static int32_t supChainAbove( const supEcorcheSkin* skin, const supPartChain* chains, int32_t joint )
{
    int32_t up = supCharacter_Joint( skin->character, joint )->parent;
    while ( up >= 0 && chains[up].count == 0 )
    {
        up = supCharacter_Joint( skin->character, up )->parent;
    }
    return up;
}

/// From the nearest place of the one to that of the other.
static bool supJoinChains( supArray* lines, const supPartChain* upper, const supPartChain* lower )
{
    supVec3 a = upper->stations[0], b = lower->stations[0];
    for ( int i = 0; i < upper->count * lower->count; ++i )
    {
        supVec3 p = upper->stations[i / lower->count], q = lower->stations[i % lower->count];
        bool nearer = supDistance( p, q ) < supDistance( a, b );
        a = nearer ? p : a;
        b = nearer ? q : b;
    }
    return supAddLine( lines, upper->joint, lower->joint, a, b );
}

bool supDrawCore( const supEcorcheSkin* skin, supArray* lines )
{
    int32_t joints = supCharacter_Info( skin->character )->jointCount;
    supPartChain* chains =
        supAllocZeroed( skin->allocator, (size_t)joints + 1, sizeof( supPartChain ), _Alignof( supPartChain ) );
    bool fits = chains != NULL;
    for ( int32_t v = 0; fits && v < skin->vertexCount; ++v )
    {
        chains[skin->parts[v] >= 0 ? skin->parts[v] : joints].vertices += 1;
    }
    for ( int32_t j = 0; fits && j < joints; ++j )
    {
        chains[j].joint = j;
        supMiddleAround( skin, j, supVec3_zero, supVec3_zero, 0.0f, 0.0f, &chains[j].middle );
    }
    for ( int32_t j = 0; fits && j < joints; ++j )
    {
        if ( chains[j].vertices >= supLeastPart )
        {
            supPlaceStations( skin, chains, j );
        }
        for ( int32_t k = 0; fits && k < chains[j].count; ++k )
        {
            int32_t next = k + 1 < chains[j].count ? k + 1 : k;
            fits = ( next == k && k > 0 ) || supAddLine( lines, j, j, chains[j].stations[k], chains[j].stations[next] );
        }
    }
    for ( int32_t j = 0; fits && j < joints; ++j )
    {
        int32_t up = chains[j].count > 0 ? supChainAbove( skin, chains, j ) : -1;
        fits = up < 0 || supJoinChains( lines, chains + up, chains + j );
    }
    supFree( skin->allocator, chains, ( (size_t)joints + 1 ) * sizeof( supPartChain ) );
    return fits;
}

// ---------------------------------------------------------------------------------------------------------------
// Muscles that lie beside the body instead of in it.

typedef struct supStraySearch
{
    const supEcorcheSkin* skin;
    supArray corners; ///< int32_t, three a triangle
    supTriangleTree* tree;
} supStraySearch;

static bool supListCorners( supStraySearch* search )
{
    const supEcorcheSkin* skin = search->skin;
    for ( int32_t m = 0; m < supCharacter_Info( skin->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( skin->character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            int32_t corners[3];
            if ( !supEcorcheSkin_Corners( skin, &mesh, i, corners ) )
            {
                continue;
            }
            int32_t* kept = supArray_Add( &search->corners, 3 );
            if ( kept == NULL )
            {
                return false;
            }
            memcpy( kept, corners, sizeof( corners ) );
        }
    }
    return true;
}

static bool supOpenSearch( supStraySearch* search )
{
    const supEcorcheSkin* skin = search->skin;
    if ( !supListCorners( search ) )
    {
        return false;
    }
    search->tree = supMakeTriangleTree(
        skin->rest, skin->welds, search->corners.data, (int32_t)( search->corners.count / 3 ), skin->allocator );
    return search->tree != NULL;
}

static void supCloseSearch( supStraySearch* search )
{
    const supAllocator* allocator = search->skin->allocator;
    supDropTriangleTree( search->tree, allocator );
    supArray_Destroy( &search->corners );
}

/// How often the skin goes around a place: 1 inside, 0 outside, between them near the rim of an open skin. Solid angles
/// after van Oosterom, Strackee, "The solid angle of a plane triangle", 1983.
static double supWinding( const supStraySearch* search, supVec3 p )
{
    const supVec3* rest = search->skin->rest;
    double sum = 0.0;
    for ( size_t i = 0; i < search->corners.count; i += 3 )
    {
        const int32_t* c = (const int32_t*)search->corners.data + i;
        supVec3 u = supSub( rest[c[0]], p ), v = supSub( rest[c[1]], p ), w = supSub( rest[c[2]], p );
        float lu = supLength( u ), lv = supLength( v ), lw = supLength( w );
        float over = supDot( u, supCross( v, w ) );
        float under = lu * lv * lw + supDot( u, v ) * lw + supDot( v, w ) * lu + supDot( w, u ) * lv;
        sum += 2.0 * supAtan2( (double)over, (double)under );
    }
    return sum / ( 4.0 * SUP_PI );
}

bool supFindStrayBlob(
    const supEcorcheSkin* skin, const supImplicitReady* pieces, int32_t pieceCount, float tolerance, supStrayBlob* out )
{
    *out = ( supStrayBlob ){ .piece = -1, .distance = tolerance };
    supStraySearch search = { .skin = skin, .corners = supMakeArray( sizeof( int32_t ), skin->allocator ) };
    bool open = supOpenSearch( &search );
    for ( int32_t i = 0; open && search.corners.count > 0 && i < pieceCount; ++i )
    {
        supVec3 middle = supScale( supAdd( pieces[i].low, pieces[i].high ), 0.5f );
        float reach = 1e3f * supDistance( middle, skin->rest[*(const int32_t*)search.corners.data] );
        supTreeSide side = supTriangleTree_Side( search.tree, skin->rest, search.tree->boxes, middle, reach, -1 );
        // The closest triangle may be of an eye or a garment that the place is outside of: the whole skin decides.
        if ( side.triangle >= 0 && side.distance > out->distance && supWinding( &search, middle ) < 0.5 )
        {
            *out = ( supStrayBlob ){ i, middle, side.distance };
        }
    }
    supCloseSearch( &search );
    return open;
}
