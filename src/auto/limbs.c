// Limbs: chains of joints that leave the trunk, and the bones in them.
// SPDX-License-Identifier: MIT
//
// A bone is often made of several joints in a row: the upper arm, and one or two that share out its twist on the way to
// the elbow. They lie on one line and never bend against each other, but turn about it. Taken for bones of their own,
// the twist joint would be the elbow.

#include "auto/body_plan.h"
#include "base/math.h"
#include "base/memory.h"

#include <string.h>

/// A chain must be this long to be a limb: ears and fingers are not. Share of the size.
static const float supLeastLimb = 0.17f;
/// A first segment thinner than this has no skin of its own. Share of the size.
static const float supLeastRadius = 0.008f;
/// Joints that bend by less never bend: 4 degrees. Sine.
static const float supStraight = 0.07f;
/// A twist that can be seen: 3 degrees. Sine.
static const float supSeenTurn = 0.05f;
/// Moments of a clip at which limbs are looked at.
enum
{
    supLooksPerClip = 12
};

// ---------------------------------------------------------------------------------------------------------------
// Thickness

typedef struct supRadiusSum
{
    const supSegment* segment;
    supVec3 from, along; ///< along: divided by its squared length
    double sum, weight;
} supRadiusSum;

static bool supHasMember( const supSegment* segment, int32_t joint )
{
    for ( int32_t i = 0; i < segment->memberCount; ++i )
    {
        if ( segment->members[i] == joint )
        {
            return true;
        }
    }
    return false;
}

static void supAddRadius( supPlan* plan, int32_t vertex, int32_t joint, float weight, void* context )
{
    supRadiusSum* sum = context;
    if ( weight < 0.3f || !supHasMember( sum->segment, joint ) )
    {
        return;
    }
    supVec3 p = supSub( supPlan_Vertex( plan, vertex ), sum->from );
    float t = supDot( p, sum->along );
    if ( t > 0.1f && t < 0.9f )
    {
        float scale = 1.0f / supLengthSquared( sum->along );
        float share = weight * plan->vertexArea[vertex];
        sum->sum += (double)( share * supLength( supMulAdd( p, -t * scale, sum->along ) ) );
        sum->weight += (double)share;
    }
}

static float supMeasureRadius( supPlan* plan, const supSegment* segment )
{
    supVec3 from = supPlan_Joint( plan, segment->joint ), along = supSub( supPlan_Joint( plan, segment->next ), from );
    float squared = supLengthSquared( along );
    if ( !( squared > 0.0f ) )
    {
        return 0.0f;
    }
    supRadiusSum sum = { segment, from, supScale( along, 1.0f / squared ), 0.0, 0.0 };
    supPlan_ForInfluences( plan, supAddRadius, &sum );
    return sum.weight > 0.0 ? (float)( sum.sum / sum.weight ) : 0.0f;
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
    *limb = ( supPlanLimb ){ .attach = plan->parent[root], .side = plan->side[root], .mirror = -1 };
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
// Bones of several joints

/// Sine of the angle between two directions; 1 where one has no length.
static float supSine( supVec3 a, supVec3 b )
{
    float lengths = supLength( a ) * supLength( b );
    return lengths > 0.0f && supDot( a, b ) > 0.0f ? supLength( supCross( a, b ) ) / lengths : 1.0f;
}

/// A joint's y or z axis, whichever stands out of its bone more, as another joint sees it.
static supVec3 supSeenAxis( const supMat34* joints, int32_t joint, int32_t from, bool second )
{
    supVec3 axis = supNormalize( second ? joints[joint].z : joints[joint].y );
    const supMat34* m = joints + from;
    return supMakeVec3( supDot( axis, supNormalize( m->x ) ), supDot( axis, supNormalize( m->y ) ),
        supDot( axis, supNormalize( m->z ) ) );
}

static void supRaiseBends( supPlan* plan, const supMat34* joints )
{
    const supMat34* rest = supCharacter_RestJoints( plan->character );
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        for ( int32_t s = 1; s < plan->limbs[i].segmentCount; ++s )
        {
            supSegment* segment = plan->limbs[i].segments + s;
            int32_t before = segment[-1].joint;
            supVec3 along = supSub( joints[segment->next].t, joints[segment->joint].t );
            supVec3 back = supSub( joints[segment->joint].t, joints[before].t );
            segment->bend = supMaxF( segment->bend, supSine( back, along ) );
            for ( int k = 0; k < 2; ++k )
            {
                supVec3 now = supSeenAxis( joints, segment->joint, before, k == 1 );
                supVec3 then = supSeenAxis( rest, segment->joint, before, k == 1 );
                segment->turn = supMaxF( segment->turn, supLength( supCross( now, then ) ) );
            }
        }
    }
}

/// Looks at the limbs at rest and in all clips.
static bool supMeasureBends( supPlan* plan, const supAllocator* allocator )
{
    supRaiseBends( plan, supCharacter_RestJoints( plan->character ) );
    supPose* pose = NULL;
    if ( supCreatePose( plan->character, allocator, &pose, NULL ) != sup_success )
    {
        return false;
    }
    for ( int32_t c = 0; c < supCharacter_ClipCount( plan->character ); ++c )
    {
        supClipView clip = supCharacter_Clip( plan->character, c );
        for ( int32_t k = 0; k < supLooksPerClip; ++k )
        {
            supPose_Sample( pose, c, clip.start + ( clip.end - clip.start ) * k / supLooksPerClip );
            supRaiseBends( plan, supPose_Joints( pose ) );
        }
    }
    supDestroyPose( pose );
    return true;
}

/// Names play no part but here: a twist joint that no clip turns looks like a stiff wrist.
static bool supIsNamedTwist( const supPlan* plan, int32_t joint )
{
    const char* const words[] = { "twist", "roll" };
    for ( const char* name = supCharacter_JointName( plan->character, joint ); *name != 0; ++name )
    {
        for ( int w = 0; w < 2; ++w )
        {
            size_t i = 0;
            while ( words[w][i] != 0 && ( name[i] | 32 ) == words[w][i] )
            {
                ++i;
            }
            if ( words[w][i] == 0 )
            {
                return true;
            }
        }
    }
    return false;
}

static bool supIsTwist( const supPlan* plan, const supSegment* segment )
{
    return segment->bend < supStraight && ( segment->turn > supSeenTurn || supIsNamedTwist( plan, segment->joint ) );
}

/// Joins a twist joint's segment to the one before it. A limb keeps an upper and a lower bone and what comes after.
static void supMergeTwists( const supPlan* plan, supPlanLimb* limb )
{
    for ( int32_t s = 1; s < limb->segmentCount && limb->segmentCount > 3; )
    {
        supSegment *before = limb->segments + s - 1, *segment = limb->segments + s;
        if ( !supIsTwist( plan, segment ) || before->memberCount == supMostMembers )
        {
            ++s;
            continue;
        }
        before->members[before->memberCount++] = segment->joint;
        before->next = segment->next;
        before->length += segment->length;
        limb->segmentCount -= 1;
        memmove( segment, segment + 1, sizeof( supSegment ) * (size_t)( limb->segmentCount - s ) );
    }
}

// A first segment that is much shorter than both that follow, or that has no skin of its own, only leads out of the
// trunk: a collarbone, a shoulder blade, or the offset of a hip.
static int32_t supCountGirdle( const supPlan* plan, const supPlanLimb* limb )
{
    int32_t girdle = 0;
    while ( girdle + 2 < limb->segmentCount )
    {
        const supSegment* segment = limb->segments + girdle;
        float next = supMinF( segment[1].length, segment[2].length ), least = supLeastRadius * plan->size;
        bool bare = segment->radius < least && segment[1].radius >= least;
        if ( segment->length >= 0.7f * next && !bare )
        {
            break;
        }
        ++girdle;
    }
    return girdle;
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

static void supPairLimbs( supPlan* plan )
{
    for ( int32_t a = 0; a < plan->limbCount; ++a )
    {
        int32_t twin = supPlan_Mirror( plan, plan->limbs[a].segments[0].joint, plan->sideways, plan->plane );
        for ( int32_t b = 0; b < plan->limbCount; ++b )
        {
            plan->limbs[a].mirror = plan->limbs[b].segments[0].joint == twin ? b : plan->limbs[a].mirror;
        }
    }
}

bool supFindLimbs( supPlan* plan, const supAllocator* allocator )
{
    for ( int32_t j = 0; j < plan->jointCount && plan->limbCount < supMostLimbs; ++j )
    {
        int32_t up = plan->parent[j];
        bool leaves = up >= 0 && plan->side[j] != 0 && plan->side[up] == 0;
        if ( leaves && plan->reach[j] > supLeastLimb * plan->size &&
             supPlan_Mirror( plan, j, plan->sideways, plan->plane ) >= 0 )
        {
            supReadChain( plan, j );
        }
    }
    if ( !supMeasureBends( plan, allocator ) )
    {
        return false;
    }
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        supPlanLimb* limb = plan->limbs + i;
        supMergeTwists( plan, limb );
        for ( int32_t s = 0; s < limb->segmentCount; ++s )
        {
            limb->segments[s].radius = supMeasureRadius( plan, limb->segments + s );
        }
        limb->girdle = supCountGirdle( plan, limb );
    }
    supPairLimbs( plan );
    return true;
}
