// The plane about which a body is symmetric.
// SPDX-License-Identifier: MIT
//
// It lies across x or z. Its offset o is tried at every joint and at the middle of the bounds; the one about which most
// joints have a twin is taken. Joint k is a twin of j where it stands near to j's mirror image: with x the coordinates
// across the plane and d the distance between the two along it,
//
//     ( x_j + x_k - 2 o )^2 + d^2 < slack^2,
//
// so a pair of joints is a pair about all planes of one interval around its middle. For every joint these intervals are
// marked on the sorted offsets: quadratic in the joints, times a logarithm.

#include "auto/body_plan.h"
#include "base/math.h"
#include "base/memory.h"

#include <stdlib.h>

/// Joints this near to the plane of symmetry are in it. Share of the size.
static const float supInPlane = 0.006f;
/// How far from its mirror image a joint may stand. Share of the size.
static const float supMirrorSlack = 0.02f;
/// How many times more skin a joint may have than its twin: left and right are seldom painted quite the same.
static const float supAlike = 3.0f;

static bool supIsAlike( const supPlan* plan, int32_t a, int32_t b )
{
    return plan->parent[a] != -2 && plan->parent[b] != -2 && plan->area[a] < supAlike * plan->area[b] &&
           plan->area[b] < supAlike * plan->area[a];
}

int32_t supPlan_Mirror( const supPlan* plan, int32_t joint )
{
    supVec3 p = supPlan_Joint( plan, joint );
    float away = supDot( p, plan->sideways ) - plan->plane;
    supVec3 image = supMulAdd( p, -2.0f * away, plan->sideways );
    int32_t best = -1;
    float nearest = supMirrorSlack * plan->size;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        float distance = supDistance( supPlan_Joint( plan, j ), image );
        if ( j != joint && supIsAlike( plan, j, joint ) && distance < nearest )
        {
            nearest = distance;
            best = j;
        }
    }
    return best;
}

// ---------------------------------------------------------------------------------------------------------------
// The search

typedef struct supOffsets
{
    int32_t count;
    float* sorted;
    int32_t* twins; ///< an offset: how many joints have one
    int32_t* marks; ///< an offset, and one past the last: intervals that begin there less those that have ended
} supOffsets;

/// The first offset that is not below `value`.
static int32_t supFirstFrom( const supOffsets* offsets, float value )
{
    int32_t low = 0, high = offsets->count;
    while ( low < high )
    {
        int32_t middle = low + ( high - low ) / 2;
        bool below = offsets->sorted[middle] < value;
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    return low;
}

static void supMark( supOffsets* offsets, float from, float to, int32_t value )
{
    int32_t first = supFirstFrom( offsets, from ), last = supFirstFrom( offsets, to );
    offsets->marks[first] += value;
    offsets->marks[last] -= value;
}

/// Counts joint `j` at every offset about which it has a twin; where it lies in the plane itself it needs none.
static void supCountTwins( const supPlan* plan, supVec3 normal, int32_t j, supOffsets* offsets )
{
    supVec3 p = supPlan_Joint( plan, j );
    float x = supDot( p, normal ), slack = supMirrorSlack * plan->size, inPlane = supInPlane * plan->size;
    for ( int32_t i = 0; i <= offsets->count; ++i )
    {
        offsets->marks[i] = 0;
    }
    for ( int32_t k = 0; k < plan->jointCount; ++k )
    {
        supVec3 q = supPlan_Joint( plan, k );
        float other = supDot( q, normal );
        float along = supLengthSquared( supMulAdd( supSub( q, p ), x - other, normal ) );
        if ( k != j && along < slack * slack && supIsAlike( plan, j, k ) )
        {
            float room = supSqrtF( slack * slack - along );
            supMark( offsets, 0.5f * ( x + other - room ), 0.5f * ( x + other + room ), 1 );
        }
    }
    int32_t open = 0;
    for ( int32_t i = 0; i < offsets->count; ++i )
    {
        open += offsets->marks[i];
        offsets->twins[i] += open > 0 && supAbsF( x - offsets->sorted[i] ) > inPlane;
    }
}

static int supCompareOffsets( const void* a, const void* b )
{
    float x = *(const float*)a, y = *(const float*)b;
    return ( x > y ) - ( x < y );
}

/// Where the plane is tried: `candidate` -1 is the middle of the bounds, others are joints.
static float supOffsetOf( const supPlan* plan, supVec3 normal, int32_t candidate )
{
    supVec3 lower, upper;
    supCharacter_RestBounds( plan->character, &lower, &upper );
    return candidate < 0 ? 0.5f * supDot( supAdd( lower, upper ), normal )
                         : supDot( supPlan_Joint( plan, candidate ), normal );
}

static bool supIsCandidate( const supPlan* plan, int32_t candidate )
{
    return candidate < 0 || plan->parent[candidate] != -2;
}

/// Tries all planes across one axis. Of those with as many twins the middle of the bounds is taken before all joints,
/// and a joint before those after it.
static void supTryAxis( supPlan* plan, supVec3 normal, supOffsets* offsets, int32_t* most )
{
    offsets->count = 0;
    for ( int32_t c = -1; c < plan->jointCount; ++c )
    {
        if ( supIsCandidate( plan, c ) )
        {
            offsets->twins[offsets->count] = 0;
            offsets->sorted[offsets->count++] = supOffsetOf( plan, normal, c );
        }
    }
    qsort( offsets->sorted, (size_t)offsets->count, sizeof( float ), supCompareOffsets );
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        if ( plan->parent[j] != -2 )
        {
            supCountTwins( plan, normal, j, offsets );
        }
    }
    for ( int32_t c = -1; c < plan->jointCount; ++c )
    {
        float offset = supOffsetOf( plan, normal, c );
        int32_t at = supFirstFrom( offsets, offset );
        if ( supIsCandidate( plan, c ) && offsets->twins[at] > *most )
        {
            *most = offsets->twins[at];
            plan->sideways = normal;
            plan->plane = offset;
        }
    }
}

bool supFindSymmetry( supPlan* plan, const supAllocator* allocator )
{
    supLayout layout = supMakeLayout();
    size_t atSorted = SUP_LAYOUT_ARRAY( &layout, float, plan->jointCount + 1 );
    size_t atTwins = SUP_LAYOUT_ARRAY( &layout, int32_t, plan->jointCount + 1 );
    size_t atMarks = SUP_LAYOUT_ARRAY( &layout, int32_t, plan->jointCount + 2 );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    supOffsets offsets = { 0, (float*)( block + atSorted ), (int32_t*)( block + atTwins ),
        (int32_t*)( block + atMarks ) };
    int32_t most = -1;
    supTryAxis( plan, supMakeVec3( 1.0f, 0.0f, 0.0f ), &offsets, &most );
    supTryAxis( plan, supMakeVec3( 0.0f, 0.0f, 1.0f ), &offsets, &most );
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        float away = supDot( supPlan_Joint( plan, j ), plan->sideways ) - plan->plane;
        plan->side[j] = supAbsF( away ) < supInPlane * plan->size ? 0 : away < 0.0f ? -1 : 1;
    }
    supFree( allocator, block, layout.size );
    return true;
}
