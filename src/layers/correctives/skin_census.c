// SPDX-License-Identifier: MIT
#include "base/unions.h"
#include "layers/correctives/patch_chains.h"

/// While it is being made: numbers of joints, and of every two joints.
typedef struct supCensusWork
{
    const supCharacter* character;
    int32_t jointCount;
    const bool* wanted;
    int32_t* counts;  ///< vertices that hang on a joint more than on any other
    supVec3* middles; ///< of these
    supVec3* tips;    ///< of the joints' bones
    bool* hasBelow;   ///< joints hang on it
    int32_t* above;   ///< the nearest wanted joint above, by the file's tree or by skin; -1: none
    int32_t* groups;  ///< see base/unions.h
    float* shared;    ///< of every two joints: the weight of skin that hangs on both
} supCensusWork;

// ---------------------------------------------------------------------------------------------------------------
// Skin

static void supCountSkin( supCensusWork* work )
{
    const supVec3* positions = (const supVec3*)supCharacter_Info( work->character )->restPositions;
    for ( int32_t i = 0; i < supCharacter_Info( work->character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( work->character, i );
        const int32_t* joints = supCharacter_Info( work->character )->paletteJoints + mesh.firstPalette;
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            const uint16_t* own = mesh.jointIndices + (size_t)v * (size_t)mesh.influenceCount;
            const float* weights = mesh.weights + (size_t)v * (size_t)mesh.influenceCount;
            for ( int32_t a = 0; a < mesh.influenceCount; ++a )
            {
                for ( int32_t b = 0; b < a; ++b )
                {
                    size_t one = (size_t)joints[own[a]], two = (size_t)joints[own[b]], n = (size_t)work->jointCount;
                    float least = supMinF( weights[a], weights[b] );
                    work->shared[one * n + two] += least;
                    work->shared[two * n + one] += least;
                }
            }
            if ( mesh.influenceCount > 0 ) // they are ordered by falling weight
            {
                int32_t joint = joints[own[0]];
                work->counts[joint] += 1;
                work->middles[joint] = supAdd( work->middles[joint], positions[mesh.firstVertex + v] );
            }
        }
    }
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        float count = (float)( work->counts[j] > 0 ? work->counts[j] : 1 );
        work->middles[j] = supScale( work->middles[j], 1.0f / count );
    }
}

/// Where bones end: in the middle of the joints below; without any, twice as far as the middle of the skin.
static void supFindTips( supCensusWork* work )
{
    const supMat34* rest = supCharacter_Info( work->character )->restJoints;
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        supVec3 head = rest[j].t, sum = supVec3_zero;
        int32_t below = 0;
        for ( int32_t k = 0; k < work->jointCount; ++k )
        {
            if ( supCharacter_Joint( work->character, k )->parent == j && supDistance( rest[k].t, head ) > 0.0f )
            {
                sum = supAdd( sum, rest[k].t );
                below += 1;
            }
        }
        work->hasBelow[j] = below > 0;
        work->tips[j] = below > 0             ? supScale( sum, 1.0f / (float)below )
                        : work->counts[j] > 0 ? supMulAdd( head, 2.0f, supSub( work->middles[j], head ) )
                                              : head;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Which joints hang together

static float supSharedBy( const supCensusWork* work, int32_t a, int32_t b )
{
    return work->shared[(size_t)a * (size_t)work->jointCount + (size_t)b];
}

/// Whether two bones lie side by side: neither begins nearer to the other's end than to its beginning.
static bool supAreBeside( const supCensusWork* work, int32_t a, int32_t b )
{
    const supMat34* rest = supCharacter_Info( work->character )->restJoints;
    float heads = supDistance( rest[a].t, rest[b].t );
    return heads < supDistance( rest[a].t, work->tips[b] ) && heads < supDistance( rest[b].t, work->tips[a] );
}

/// Joints side by side on one joint that share much skin are one bone: their group.
static void supJoinBeside( supCensusWork* work )
{
    const float much = 0.18f; // of the vertices of either; neighbouring metacarpals have 0.22 to 0.31, fingers 0.14
    for ( int32_t a = 0; a < work->jointCount; ++a )
    {
        for ( int32_t b = 0; b < a; ++b )
        {
            int32_t fewer = work->counts[a] < work->counts[b] ? work->counts[a] : work->counts[b];
            if ( work->wanted[a] && work->wanted[b] && work->above[a] == work->above[b] && fewer > 0 &&
                 supSharedBy( work, a, b ) > much * (float)fewer && supAreBeside( work, a, b ) )
            {
                supJoinRoots( work->groups, a, b );
            }
        }
    }
}

/// By the file's tree.
static void supFindAbove( supCensusWork* work )
{
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        int32_t above = supCharacter_Joint( work->character, j )->parent;
        while ( above >= 0 && !work->wanted[above] )
        {
            above = supCharacter_Joint( work->character, above )->parent;
        }
        work->above[j] = above;
    }
}

/// Whether there is a way down from one joint to another.
static bool supIsAbove( const supCensusWork* work, int32_t joint, int32_t other )
{
    while ( other >= 0 && other != joint )
    {
        other = work->above[other];
    }
    return other >= 0;
}

/// Joints on which no other wanted one is above hang themselves on what they share most skin with, the largest piece of
/// skin first: a tree grown from there (Prim).
static void supGrowTree( supCensusWork* work, bool* placed )
{
    for ( ;; )
    {
        int32_t best = -1, on = -1, largest = -1;
        for ( int32_t j = 0; j < work->jointCount; ++j )
        {
            if ( !work->wanted[j] || work->above[j] >= 0 || placed[j] )
            {
                continue;
            }
            largest = largest < 0 || work->counts[j] > work->counts[largest] ? j : largest;
            for ( int32_t k = 0; k < work->jointCount; ++k )
            {
                bool better =
                    placed[k] && supSharedBy( work, j, k ) > ( best < 0 ? 0.0f : supSharedBy( work, best, on ) );
                best = better && !supIsAbove( work, j, k ) ? j : best;
                on = better && best == j ? k : on;
            }
        }
        int32_t next = best >= 0 ? best : largest;
        if ( next < 0 )
        {
            return;
        }
        work->above[next] = best >= 0 ? on : -1;
        for ( int32_t k = 0; k < work->jointCount; ++k )
        {
            placed[k] = placed[k] || ( work->wanted[k] && supIsAbove( work, next, k ) );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Bones

/// Numbers the groups, and sums up where their bones lie.
static void supMakeBones( const supCensusWork* work, supSkinCensus* census )
{
    const supMat34* rest = supCharacter_Info( work->character )->restJoints;
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        census->boneOf[j] = -1;
        if ( work->wanted[j] )
        {
            int32_t root = supFindRoot( work->groups, j ); // not after j
            census->boneOf[j] = root == j ? census->boneCount++ : census->boneOf[root];
            supSkinBone* bone = census->bones + census->boneOf[j];
            bone->jointCount += 1;
            bone->count += work->counts[j];
            bone->hasBelow = bone->hasBelow || work->hasBelow[j];
            bone->head = supAdd( bone->head, rest[j].t );
            bone->tip = supAdd( bone->tip, work->tips[j] );
        }
    }
    for ( int32_t b = 0; b < census->boneCount; ++b )
    {
        supSkinBone* bone = census->bones + b;
        bone->head = supScale( bone->head, 1.0f / (float)bone->jointCount );
        bone->tip = supScale( bone->tip, 1.0f / (float)bone->jointCount );
        bone->above = -1;
    }
}

/// The bone above each one: what the topmost of its joints hangs on.
static void supHangBones( const supCensusWork* work, supSkinCensus* census )
{
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        int32_t bone = census->boneOf[j], above = bone >= 0 ? work->above[j] : -1;
        bool isTop = true;
        for ( int32_t up = above; up >= 0; up = work->above[up] )
        {
            isTop = isTop && census->boneOf[up] != bone;
        }
        if ( isTop && above >= 0 )
        {
            census->bones[bone].above = census->boneOf[above];
        }
    }
}

/// Where the file says nothing of what hangs on a bone, it ends in the middle of the bones that do.
static void supEndBones( supSkinCensus* census )
{
    for ( int32_t b = 0; b < census->boneCount; ++b )
    {
        supVec3 sum = supVec3_zero;
        int32_t count = 0;
        for ( int32_t k = 0; k < census->boneCount && !census->bones[b].hasBelow; ++k )
        {
            if ( census->bones[k].above == b )
            {
                sum = supAdd( sum, census->bones[k].head );
                count += 1;
            }
        }
        if ( count > 0 )
        {
            census->bones[b].hasBelow = true;
            census->bones[b].tip = supScale( sum, 1.0f / (float)count );
        }
    }
}

static float supDistanceToBone( supVec3 point, const supSkinBone* bone )
{
    supVec3 along = supSub( bone->tip, bone->head );
    float square = supLengthSquared( along );
    float share = square > 0.0f ? supClampF( supDot( supSub( point, bone->head ), along ) / square, 0.0f, 1.0f ) : 0.0f;
    return supDistance( point, supMulAdd( bone->head, share, along ) );
}

static void supMeasureThickness( const supCharacter* character, supSkinCensus* census )
{
    const supVec3* positions = (const supVec3*)supCharacter_Info( character )->restPositions;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        const int32_t* joints = supCharacter_Info( character )->paletteJoints + mesh.firstPalette;
        for ( int32_t v = 0; v < mesh.vertexCount && mesh.influenceCount > 0; ++v )
        {
            int32_t bone = census->boneOf[joints[mesh.jointIndices[(size_t)v * (size_t)mesh.influenceCount]]];
            if ( bone >= 0 )
            {
                supSkinBone* own = census->bones + bone;
                own->thickness += supDistanceToBone( positions[mesh.firstVertex + v], own ) / (float)own->count;
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// All of it

supSkinCensus* supTakeCensus( const supCharacter* character, const bool* wanted, const supAllocator* allocator )
{
    size_t n = (size_t)supCharacter_Info( character )->jointCount;
    supLayout layout = supMakeLayout(), room = supMakeLayout();
    supCensusWork work = { .character = character, .jointCount = (int32_t)n };
    SUP_PUT_NEW( &layout, supSkinCensus, census, 1 );
    SUP_PUT_NEW( &layout, int32_t, boneOf, n );
    SUP_PUT_NEW( &layout, supSkinBone, bones, n );
    SUP_PUT_NEW( &room, bool, taken, n );
    SUP_PUT_NEW( &room, bool, placed, n );
    SUP_PUT( &room, work.hasBelow, n );
    SUP_PUT( &room, work.counts, n );
    SUP_PUT( &room, work.above, n );
    SUP_PUT( &room, work.groups, n );
    SUP_PUT( &room, work.middles, n );
    SUP_PUT( &room, work.tips, n );
    SUP_PUT_ROWS( &room, work.shared, n, n );
    char *block = supAllocLayout( allocator, &layout ), *scratch = supAllocLayout( allocator, &room );
    if ( block == NULL || scratch == NULL )
    {
        supFree( allocator, block, layout.size );
        supFree( allocator, scratch, room.size );
        return NULL;
    }
    *census = ( supSkinCensus ){ (int32_t)n, 0, boneOf, bones, layout.size };
    work.wanted = taken;
    supCountSkin( &work );
    for ( size_t j = 0; j < n; ++j )
    {
        taken[j] = wanted != NULL ? wanted[j] : work.counts[j] > 0;
        work.groups[j] = (int32_t)j;
    }
    supFindTips( &work );
    supFindAbove( &work );
    supJoinBeside( &work );
    supGrowTree( &work, placed );
    supMakeBones( &work, census );
    supHangBones( &work, census );
    supEndBones( census );
    supMeasureThickness( character, census );
    supFree( allocator, scratch, room.size );
    return census;
}
