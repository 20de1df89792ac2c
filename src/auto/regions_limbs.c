// Flesh around the bones of limbs.
// SPDX-License-Identifier: MIT

#include "auto/propose.h"
#include "base/math.h"

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
