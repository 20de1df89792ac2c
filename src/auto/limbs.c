// Limbs: chains of joints that leave the trunk, and the bones in them.
// SPDX-License-Identifier: MIT

#include "auto/body_plan.h"
#include "base/math.h"

/// A first segment thinner than this has no skin of its own. Share of the size.
static const float supLeastRadius = 0.008f;
/// A segment of whose surface less than this share is not hard has no flesh.
static const float supLeastSoft = 0.25f;

// ---------------------------------------------------------------------------------------------------------------
// Thickness

typedef struct supRadiusSum
{
    const supSegment* segment;
    supVec3 from, along; ///< along: divided by its squared length
    double sum, weight;  ///< of all surface
    double softSum, softWeight;
} supRadiusSum;

static void supAddRadius( supPlan* plan, int32_t vertex, int32_t joint, float weight, void* context )
{
    supRadiusSum* sum = context;
    if ( weight < 0.3f || !supSegment_Has( sum->segment, joint ) )
    {
        return;
    }
    supVec3 p = supSub( supPlan_Vertex( plan, vertex ), sum->from );
    float t = supDot( p, sum->along );
    if ( t > 0.1f && t < 0.9f )
    {
        float scale = 1.0f / supLengthSquared( sum->along );
        float share = weight * plan->vertexArea[vertex];
        double part = (double)( share * supLength( supMulAdd( p, -t * scale, sum->along ) ) );
        bool soft = plan->pieces[vertex] < 0;
        sum->sum += part;
        sum->weight += (double)share;
        sum->softSum += soft ? part : 0.0;
        sum->softWeight += soft ? (double)share : 0.0;
    }
}

static void supMeasureRadius( supPlan* plan, supSegment* segment )
{
    supVec3 from = supPlan_Joint( plan, segment->joint ), along = supSub( supPlan_Joint( plan, segment->next ), from );
    float squared = supLengthSquared( along );
    segment->radius = 0.0f;
    segment->fleshRadius = 0.0f;
    if ( !( squared > 0.0f ) )
    {
        return;
    }
    supRadiusSum sum = { .segment = segment, .from = from, .along = supScale( along, 1.0f / squared ) };
    supPlan_ForInfluences( plan, supAddRadius, &sum );
    segment->radius = sum.weight > 0.0 ? (float)( sum.sum / sum.weight ) : 0.0f;
    bool soft = sum.softWeight > 0.0 && sum.softWeight >= (double)supLeastSoft * sum.weight;
    segment->fleshRadius = soft ? (float)( sum.softSum / sum.softWeight ) : 0.0f;
}

static void supMeasureRadii( supPlan* plan )
{
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        for ( int32_t s = 0; s < plan->limbs[i].segmentCount; ++s )
        {
            supMeasureRadius( plan, plan->limbs[i].segments + s );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Chains

/// The child that the longest chain goes on through, or -1.
static int32_t supLongestChild( const supPlan* plan, int32_t joint )
{
    int32_t best = -1;
    float longest = 0.0f;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        if ( supPlan_Follows( plan, joint, j ) )
        {
            float length = supDistance( supPlan_Joint( plan, joint ), supPlan_Joint( plan, j ) ) + plan->reach[j];
            best = length > longest ? j : best;
            longest = supMaxF( longest, length );
        }
    }
    return best;
}

static void supReadChain( supPlan* plan, int32_t root )
{
    supPlanLimb* limb = plan->limbs + plan->limbCount++;
    *limb = ( supPlanLimb ){ .attach = plan->parent[root], .mirror = -1 };
    for ( int32_t joint = root; joint >= 0 && limb->segmentCount < supMostSegments; )
    {
        int32_t next = supLongestChild( plan, joint );
        if ( next < 0 )
        {
            break;
        }
        float length = supDistance( supPlan_Joint( plan, joint ), supPlan_Joint( plan, next ) );
        limb->segments[limb->segmentCount++] =
            ( supSegment ){ .joint = joint, .next = next, .memberCount = 1, .members = { joint }, .length = length };
        joint = plan->parent[next] == -2 ? -1 : next;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Where limbs begin

// A first segment that is much shorter than both that follow, or that has no skin of its own, only leads out of the
// trunk: a collarbone, a shoulder blade, or the offset of a hip.
int32_t supCountGirdle( const supPlan* plan, const supPlanLimb* limb )
{
    int32_t girdle = 0;
    while ( girdle + 2 < limb->segmentCount )
    {
        const supSegment* segment = limb->segments + girdle;
        float next = supMinF( segment[1].length, segment[2].length ), least = supLeastRadius * plan->size;
        bool bare = segment->radius < least && segment[1].radius >= least;
        // or that goes straight out to the side: a pelvis
        supVec3 way = supSub( supPlan_Joint( plan, segment->next ), supPlan_Joint( plan, segment->joint ) );
        bool aside = limb->isLeg && girdle == 0 && supAbsF( supDot( way, plan->left ) ) > 0.85f * supLength( way ) &&
                     segment->length < 1.3f * next;
        if ( segment->length >= 0.7f * next && !bare && !aside )
        {
            break;
        }
        ++girdle;
    }
    return girdle;
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

void supReadLimbPair( supPlan* plan, int32_t leftRoot, int32_t rightRoot, bool isLeg )
{
    supPlanLimb* limbs = plan->limbs + plan->limbCount;
    int32_t first = plan->limbCount;
    supReadChain( plan, leftRoot );
    supReadChain( plan, rightRoot );
    for ( int k = 0; k < 2; ++k )
    {
        limbs[k].side = k == 0 ? 1 : -1;
        limbs[k].mirror = first + 1 - k;
        limbs[k].isLeg = isLeg;
    }
}

bool supMeasureLimbs( supPlan* plan, const supAllocator* allocator )
{
    supMeasureRadii( plan );
    if ( !supMergeTwists( plan, allocator ) )
    {
        return false;
    }
    supMeasureRadii( plan );
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        plan->limbs[i].girdle = supCountGirdle( plan, plan->limbs + i );
    }
    return true;
}
