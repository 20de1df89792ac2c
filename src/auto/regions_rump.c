// The rump of animals on four legs: what lies behind and above their hind legs' joints.
// SPDX-License-Identifier: MIT
#include "auto/propose.h"

#include "base/math.h"
#include "character/joint_tree.h"

/// A rump stands out behind and above the hips by this share of the way between the legs, or it is none.
static const float supLeastRump = 0.2f;
/// It has two halves where its sides stand out this much as its middle does; else it is one.
static const float supHalves = 0.8f;
/// Its skin begins this far below the hips, and reaches this far before and behind them. Shares of that way.
static const float supRumpBelow = 0.15f, supRumpAlong = 0.45f;
/// A joint of the trunk that lies farther behind the hips than this carries a tail. Share of that way.
static const float supTailBehind = 0.12f;

typedef struct supRump
{
    supVec3 hips;    ///< between the hind legs' first joints
    supVec3 outward; ///< behind and above
    float way;       ///< between hind legs and front legs
    float width;     ///< from the middle to its side
    float middle;    ///< how far it stands out there
    float side;      ///< and half way to its sides
    int32_t legs[2]; ///< limbs: left, right
} supRump;

/// The pair of legs that is farthest behind, and how far the front ones are. False: there are no two pairs.
static bool supFindHips( const supPlan* plan, supRump* rump )
{
    float back = 1e30f, front = -1e30f;
    for ( int32_t i = 0; i + 1 < plan->limbCount; i += 2 ) // left and right stand side by side
    {
        const supPlanLimb *a = plan->limbs + i, *b = a + 1;
        if ( !a->isLeg || a->segmentCount <= a->girdle || b->segmentCount <= b->girdle )
        {
            continue;
        }
        supVec3 middle = supLerp( supPlan_Joint( plan, a->segments[a->girdle].joint ),
            supPlan_Joint( plan, b->segments[b->girdle].joint ), 0.5f );
        float at = supDot( middle, plan->forward );
        front = supMaxF( front, at );
        if ( at < back )
        {
            back = at;
            rump->hips = middle;
            rump->legs[0] = a->side > 0 ? i : i + 1;
            rump->legs[1] = a->side > 0 ? i + 1 : i;
        }
    }
    rump->way = front - back;
    return rump->way > 0.1f * plan->size;
}

/// Whether a part's skin may be the rump's: the trunk's, and what of the hind legs lies up there.
static bool supIsRumpPart( const supPlan* plan, const supRump* rump, int32_t part )
{
    bool thigh = false;
    for ( int k = 0; k < 2; ++k )
    {
        const supPlanLimb* limb = plan->limbs + rump->legs[k];
        for ( int32_t s = 0; s <= limb->girdle; ++s )
        {
            thigh = thigh || plan->graph->partOf[limb->segments[s].joint] == part;
        }
    }
    return thigh || plan->roles[part] == sup_partTrunk || plan->roles[part] == sup_partHelper;
}

/// Its width first, then what stands out in the middle and beside it.
static void supMeasureRump( const supPlan* plan, supRump* rump )
{
    const supBodyGraph* graph = plan->graph;
    for ( int pass = 0; pass < 2; ++pass )
    {
        for ( int32_t i = 0; i < graph->sampleCount; ++i )
        {
            supVec3 p = supSub( graph->samples[i].at, rump->hips );
            float across = supAbsF( supDot( p, plan->left ) ), along = supAbsF( supDot( p, plan->forward ) );
            bool there = supDot( p, plan->up ) > -supRumpBelow * rump->way && along < supRumpAlong * rump->way;
            if ( !there || graph->samples[i].hard || !supIsRumpPart( plan, rump, graph->samples[i].part ) )
            {
                continue;
            }
            float out = supDot( p, rump->outward );
            bool inner = across<0.35f * rump->width, outer = across> 0.8f * rump->width;
            rump->width = pass == 0 ? supMaxF( rump->width, across ) : rump->width;
            rump->middle = pass == 1 && inner ? supMaxF( rump->middle, out ) : rump->middle;
            rump->side = pass == 1 && !inner && !outer ? supMaxF( rump->side, out ) : rump->side;
        }
    }
}

/// The joint that carries the hips: both legs hang on it by the skeleton, or else by the skin.
static int32_t supHipJoint( const supPlan* plan, const supRump* rump )
{
    const supPlanLimb *left = plan->limbs + rump->legs[0], *right = plan->limbs + rump->legs[1];
    int32_t joint = supCommonJoint( plan->character, left->segments[0].joint, right->segments[0].joint );
    return joint >= 0 && plan->inTrunk[joint] ? joint : left->attach;
}

/// One of it: its bone goes to that side, or of the middle one along the trunk, and passes the flesh half way. False:
/// there is no soft skin.
static bool supSketchRumpOn( supSketch* sketch, const supRump* rump, supSide side )
{
    const supPlan* plan = &sketch->plan;
    float sign = side == sup_sideMiddle ? 0.0f : side == sup_sideLeft ? 1.0f : -1.0f, across = 0.5f * rump->width;
    float out = side == sup_sideMiddle ? rump->middle : rump->side;
    int32_t driver = supHipJoint( plan, rump );
    supSketchElement* element = supAddElement( sketch, sup_regionRump, side, driver );
    if ( element == NULL )
    {
        return false;
    }
    float radius = 1.25f * supMaxF( out, rump->width );
    supVec3 center = supMulAdd( rump->hips, sign * across, plan->left );
    center = supMulAdd( center, out - 0.35f * radius, rump->outward );
    supVec3 from = supPlan_Joint( plan, driver );
    supVec3 way =
        side == sup_sideMiddle ? supScale( plan->forward, -1.2f * out ) : supScale( plan->left, 2.2f * sign * across );
    supEndAt( sketch, element, supAdd( from, way ) );
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        supVec3 away = supSub( supPlan_Joint( plan, j ), rump->hips );
        bool tail = j != driver && supDot( away, plan->forward ) < -supTailBehind * rump->way;
        if ( plan->inTrunk[j] && !tail )
        {
            supAddName( sketch, &element->joints, j );
        }
    }
    for ( int k = 0; k < 2; ++k )
    {
        const supPlanLimb* limb = plan->limbs + rump->legs[k];
        if ( side == sup_sideMiddle || ( k == 0 ) == ( side == sup_sideLeft ) )
        {
            supAddBone( sketch, element, limb->segments + limb->girdle );
        }
    }
    supBallAround( sketch, element, center, radius );
    element->def.facing = rump->outward;
    element->def.spread = 1.7f;
    element->fullness = out / plan->size;
    return supKeepSoft( sketch );
}

void supSketchRump( supSketch* sketch )
{
    const supPlan* plan = &sketch->plan;
    supRump rump = { .outward = supNormalize( supSub( plan->up, supScale( plan->forward, 0.7f ) ) ) };
    if ( plan->reading.kind != sup_bodyQuadruped || plan->trunkCount == 0 || !supFindHips( plan, &rump ) )
    {
        return;
    }
    supMeasureRump( plan, &rump );
    if ( supMaxF( rump.middle, rump.side ) < supLeastRump * rump.way )
    {
        return;
    }
    int32_t first = sketch->count;
    bool left = rump.side > supHalves * rump.middle && supSketchRumpOn( sketch, &rump, sup_sideLeft );
    bool right = left && supSketchRumpOn( sketch, &rump, sup_sideRight );
    if ( !right ) // half a rump is none: where the skin is painted unevenly, it is one in the middle
    {
        sketch->count = first;
        supSketchRumpOn( sketch, &rump, sup_sideMiddle );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Flesh around the bones of limbs.

/// A limb thinner than this carries nothing; a lower one needs to be thicker. Shares of the size.
static const float supLeastUpper = 0.009f, supLeastLower = 0.016f;

/// How thick a bone's flesh is; the thinner one of twins, so that both carry flesh or none.
static float supPairRadius( const supPlan* plan, int32_t limb, int32_t segment )
{
    float radius = plan->limbs[limb].segments[segment].fleshRadius;
    int32_t twin = plan->limbs[limb].mirror;
    bool pair = twin >= 0 && segment < plan->limbs[twin].segmentCount;
    return pair ? supMinF( radius, plan->limbs[twin].segments[segment].fleshRadius ) : 0.0f;
}

/// Legs have thighs and calves, arms and forelegs upper arms and forearms.
static supRegion supLimbRegion( const supPlan* plan, int32_t limb, bool upper )
{
    bool hind = plan->limbs[limb].isLeg;
    for ( int32_t i = 0; i < plan->limbCount && hind; ++i )
    {
        // of two pairs of legs, the one farther from the head
        supVec3 here = supPlan_Joint( plan, plan->limbs[limb].segments[0].joint );
        supVec3 there = supPlan_Joint( plan, plan->limbs[i].segments[0].joint );
        bool behind = supDot( supSub( here, there ), plan->forward ) < 0.02f * plan->size;
        hind = !plan->limbs[i].isLeg || plan->limbs[i].segmentCount == 0 || i == limb ||
               i == plan->limbs[limb].mirror || behind;
    }
    return hind ? ( upper ? sup_regionThigh : sup_regionCalf ) : ( upper ? sup_regionUpperArm : sup_regionForearm );
}

static void supSketchSegment( supSketch* sketch, int32_t index, int32_t which )
{
    const supPlanLimb* limb = sketch->plan.limbs + index;
    const supSegment* segment = limb->segments + limb->girdle + which;
    supRegion region = supLimbRegion( &sketch->plan, index, which == 0 );
    supSide side = limb->side > 0 ? sup_sideLeft : sup_sideRight;
    supSketchElement* element = supAddElement( sketch, region, side, segment->joint );
    if ( element != NULL )
    {
        supEndAtJoint( sketch, element, segment->next );
        supAddBone( sketch, element, segment );
        if ( which > 0 )
        {
            // the belly of a lower limb's muscles lies near the knee; towards hand and foot there are tendons
            static const float keys[] = { -0.7f, 0.75f, -0.3f, 1.0f, 0.1f, 0.75f, 0.45f, 0.2f, 0.7f, 0.0f };
            supSetKeys( element, 5, keys );
        }
        supKeepSoft( sketch );
    }
}

void supSketchLimbs( supSketch* sketch )
{
    const supPlan* plan = &sketch->plan;
    for ( int32_t i = 0; i + 1 < plan->limbCount; i += 2 ) // left and right stand side by side
    {
        const supPlanLimb *left = plan->limbs + i, *right = left + 1;
        for ( int32_t which = 0; which < 2; ++which )
        {
            int32_t segment = left->girdle + which;
            bool both = segment < left->segmentCount && segment < right->segmentCount && left->girdle == right->girdle;
            // the last of three bones and more is a hand or a foot
            bool last = segment + 1 == left->segmentCount && which > 0 && left->segmentCount - left->girdle > 2;
            float least = ( which == 0 ? supLeastUpper : supLeastLower ) * plan->size;
            // a stump is a hand or a foot's end rather than a bone with flesh around it
            bool slender =
                both && left->segments[segment].length > ( which == 0 ? 0.8f : 1.3f ) * left->segments[segment].radius;
            if ( slender && !last && supPairRadius( plan, i, segment ) >= least )
            {
                supSketchSegment( sketch, i, which );
                supSketchSegment( sketch, i + 1, which );
            }
        }
    }
}
