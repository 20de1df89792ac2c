// Bones of several joints.
// SPDX-License-Identifier: MIT
//
// A bone is often made of several joints in a row: the upper arm, and one or two that share out its twist on the way to
// the elbow. They lie on one line and never bend against each other. Taken for bones of their own, the twist joint
// would be the elbow.
//
// A joint that bends, at rest or in a clip, is a hinge; so is one that several chains go on from, a hand. One that
// never bends but turns is a twist joint. One that does neither can be both: a twist joint that no clip turns, or the
// elbow of a file without clips, whose arms are modelled straight. No such joint can be judged by itself, but a whole
// limb can: upper and lower bone are about as long as each other, and a hand or foot is about half of that. All ways to
// cut the limb are tried, left and right together, and the one that is most like a limb is taken:
//
//     |ln( lower / upper )|                       as long as each other
//     + how far rest / lower is from 0.2 to 0.8   a hand, a foot; in logarithms
//     + 0.3 (1 - blend) for each joined joint     twist joints pass their skin on gradually, hinges at once
//     + 0.3 blend for each kept one, or 1 for one that is seen to turn

#include "auto/body_plan.h"
#include "base/math.h"
#include "base/memory.h"

#include <string.h>

/// Joints that bend by less never bend: 4 degrees. Sine.
static const float supStraight = 0.07f;
/// A twist that can be seen: 3 degrees. Sine.
static const float supSeenTurn = 0.05f;
/// What the ways to cut a limb are judged by. Logarithms.
static const double supDoubt = 0.3, supSeen = 1.0, supNoLower = 3.0, supNoHand = 0.3;
static const double supLeastHand = 0.2, supMostHand = 0.8;

enum
{
    supLooksPerClip = 12, ///< moments of a clip at which limbs are looked at
    supMostDoubts = 8,    ///< joints of one limb that can be either; further ones are hinges
};

// ---------------------------------------------------------------------------------------------------------------
// Bends and turns

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
    const supMat34* rest = supCharacter_Info( plan->character )->restJoints;
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
    supRaiseBends( plan, supCharacter_Info( plan->character )->restJoints );
    supPose* pose = NULL;
    if ( supCreatePose( plan->character, SUP_MAKE_IN( allocator ), &pose, NULL ) != sup_success )
    {
        return false;
    }
    for ( int32_t c = 0; c < supCharacter_Info( plan->character )->clipCount; ++c )
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

// ---------------------------------------------------------------------------------------------------------------
// Skin and children

/// How much of a vertex hangs on a joint.
static float supHeldBy( const supPlan* plan, const supMeshView* mesh, int32_t vertex, int32_t joint )
{
    const int32_t* joints = supCharacter_Info( plan->character )->paletteJoints + mesh->firstPalette;
    float sum = 0.0f;
    for ( int32_t i = 0; i < mesh->influenceCount; ++i )
    {
        int32_t at = vertex * mesh->influenceCount + i;
        sum += joints[mesh->jointIndices[at]] == joint ? mesh->weights[at] : 0.0f;
    }
    return sum;
}

/// Share of the skin on the middle half of the segment from `before` to `joint` that both hold by a fifth at least.
static float supMeasureBlend( const supPlan* plan, int32_t before, int32_t joint )
{
    supVec3 from = supPlan_Joint( plan, before ), along = supSub( supPlan_Joint( plan, joint ), from );
    float squared = supLengthSquared( along );
    double all = 0.0, both = 0.0;
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount && squared > 0.0f; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        for ( int32_t v = 0; v < mesh.vertexCount && mesh.skin >= 0; ++v )
        {
            int32_t vertex = mesh.firstVertex + v;
            float t = supDot( supSub( supPlan_Vertex( plan, vertex ), from ), along ) / squared;
            if ( t < 0.25f || t > 0.75f || plan->pieces[vertex] >= 0 )
            {
                continue;
            }
            float first = supHeldBy( plan, &mesh, v, before ), second = supHeldBy( plan, &mesh, v, joint );
            float share = first + second > 0.5f ? plan->vertexArea[vertex] : 0.0f;
            all += (double)share;
            both += supMinF( first, second ) > 0.2f * ( first + second ) ? (double)share : 0.0;
        }
    }
    return all > 0.0 ? (float)( both / all ) : 0.0f;
}

/// Whether several chains go on from a joint; helpers on its bone are none.
static bool supIsFork( const supPlan* plan, const supSegment* segment )
{
    supVec3 from = supPlan_Joint( plan, segment->joint ), along = supSub( supPlan_Joint( plan, segment->next ), from );
    int32_t count = 0;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        if ( plan->parent[j] == segment->joint )
        {
            count += plan->reach[j] > 0.0f || supSine( along, supSub( supPlan_Joint( plan, j ), from ) ) > 0.35f;
        }
    }
    return count > 1;
}

// ---------------------------------------------------------------------------------------------------------------
// Ways to cut a limb

static bool supCanJoin( const supSegment* segment )
{
    return segment->bend < supStraight && !segment->isFork;
}

/// The segments that may be joined to the one before them.
static int32_t supListDoubts( const supPlanLimb* limb, int32_t doubts[supMostDoubts] )
{
    int32_t count = 0;
    for ( int32_t s = 1; s < limb->segmentCount && count < supMostDoubts; ++s )
    {
        if ( supCanJoin( limb->segments + s ) )
        {
            doubts[count++] = s;
        }
    }
    return count;
}

/// The limb with the doubtful segments of `joined` made part of those before them.
static supPlanLimb supCutLimb( const supPlanLimb* limb, const int32_t* doubts, int32_t doubtCount, uint32_t joined )
{
    supPlanLimb cut = *limb;
    cut.segmentCount = 0;
    for ( int32_t s = 0, d = 0; s < limb->segmentCount; ++s )
    {
        bool doubtful = d < doubtCount && doubts[d] == s;
        bool join = doubtful && ( joined >> d & 1u ) != 0;
        d += doubtful;
        supSegment* last = cut.segments + cut.segmentCount - 1;
        const supSegment* segment = limb->segments + s;
        if ( !join || last->memberCount == supMostMembers )
        {
            cut.segments[cut.segmentCount++] = *segment;
            continue;
        }
        last->members[last->memberCount++] = segment->joint;
        last->next = segment->next;
        last->length += segment->length;
        last->radius = supMaxF( last->radius, segment->radius );
    }
    return cut;
}

/// How unlike a limb's the proportions are.
static double supJudgeProportions( const supPlan* plan, const supPlanLimb* limb )
{
    int32_t girdle = supCountGirdle( plan, limb );
    if ( girdle + 2 > limb->segmentCount )
    {
        return supNoLower;
    }
    double upper = limb->segments[girdle].length, lower = limb->segments[girdle + 1].length, rest = 0.0;
    for ( int32_t s = girdle + 2; s < limb->segmentCount; ++s )
    {
        rest += limb->segments[s].length;
    }
    if ( !( upper > 0.0 && lower > 0.0 ) )
    {
        return supNoLower;
    }
    double hand = rest / lower;
    double odd = hand > supMostHand ? supLn( hand / supMostHand ) : 0.0;
    odd = rest > 0.0 ? ( hand < supLeastHand ? supLn( supLeastHand / hand ) : odd ) : supNoHand;
    return supAbs( supLn( lower / upper ) ) + supMin( odd, supNoLower );
}

static double supJudgeCut(
    const supPlan* plan, const supPlanLimb* limb, const int32_t* doubts, int32_t doubtCount, uint32_t joined )
{
    supPlanLimb cut = supCutLimb( limb, doubts, doubtCount, joined );
    double cost = supJudgeProportions( plan, &cut );
    for ( int32_t d = 0; d < doubtCount; ++d )
    {
        const supSegment* segment = limb->segments + doubts[d];
        bool join = ( joined >> d & 1u ) != 0, turns = segment->turn > supSeenTurn;
        double blend = segment->blend;
        cost += join ? ( turns ? 0.0 : supDoubt * ( 1.0 - blend ) ) : ( turns ? supSeen : supDoubt * blend );
    }
    return cost;
}

/// The other limb of a pair that is built alike, or NULL.
static supPlanLimb* supTwinOf( supPlan* plan, int32_t index )
{
    supPlanLimb* limb = plan->limbs + index;
    supPlanLimb* twin = limb->mirror >= 0 ? plan->limbs + limb->mirror : NULL;
    bool alike = twin != NULL && twin != limb && twin->mirror == index && twin->segmentCount == limb->segmentCount;
    return alike ? twin : NULL;
}

/// What is seen of one side holds for the other: hinges are hinges though only one is bent.
static void supShareSigns( supPlanLimb* limb, supPlanLimb* twin )
{
    for ( int32_t s = 1; s < limb->segmentCount; ++s )
    {
        supSegment *a = limb->segments + s, *b = twin->segments + s;
        a->bend = b->bend = supMaxF( a->bend, b->bend );
        a->turn = b->turn = supMaxF( a->turn, b->turn );
        a->blend = b->blend = 0.5f * ( a->blend + b->blend );
        a->isFork = b->isFork = a->isFork || b->isFork;
    }
}

static void supMergeLimb( supPlan* plan, supPlanLimb* limb, supPlanLimb* twin )
{
    int32_t doubts[supMostDoubts], count = supListDoubts( limb, doubts );
    uint32_t best = 0;
    double least = supInfinity();
    for ( uint32_t joined = 0; joined < 1u << count; ++joined )
    {
        double cost = supJudgeCut( plan, limb, doubts, count, joined );
        cost += twin != NULL ? supJudgeCut( plan, twin, doubts, count, joined ) : 0.0;
        best = cost < least ? joined : best;
        least = supMin( cost, least );
    }
    *limb = supCutLimb( limb, doubts, count, best );
    if ( twin != NULL )
    {
        *twin = supCutLimb( twin, doubts, count, best );
    }
}

static void supReadJointSigns( const supPlan* plan, supPlanLimb* limb )
{
    for ( int32_t s = 1; s < limb->segmentCount; ++s )
    {
        supSegment* segment = limb->segments + s;
        segment->isFork = supIsFork( plan, segment );
        segment->blend =
            supCanJoin( segment ) ? supMeasureBlend( plan, limb->segments[s - 1].joint, segment->joint ) : 0.0f;
    }
}

bool supMergeTwists( supPlan* plan, const supAllocator* allocator )
{
    if ( !supMeasureBends( plan, allocator ) )
    {
        return false;
    }
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        supReadJointSigns( plan, plan->limbs + i );
    }
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        supPlanLimb *limb = plan->limbs + i, *twin = supTwinOf( plan, i );
        if ( twin == NULL )
        {
            supMergeLimb( plan, limb, NULL );
        }
        else if ( twin > limb ) // both at once; after that they are no longer looked at
        {
            supShareSigns( limb, twin );
            supMergeLimb( plan, limb, twin );
        }
    }
    return true;
}
