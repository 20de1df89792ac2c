// Lines through the middle of the body's parts, which rays begin at.
// SPDX-License-Identifier: MIT
//
// A bone seldom runs through the middle of its flesh (the spine runs near the back). So every part of the body (the
// skin that one joint carries most of) gets three places along its bone, each in the middle of the skin around it; the
// lines of neighbours are joined.

#include "base/math.h"
#include "layers/muscles/ecorche_compile.h"

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
