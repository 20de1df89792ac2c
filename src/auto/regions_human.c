// The flesh of people: belly, breasts, bottom, limbs; chins and cheeks of heavy ones.
// SPDX-License-Identifier: MIT

#include "auto/joint_words.h"
#include "auto/propose.h"
#include "auto/trunk_shape.h"
#include "base/math.h"

#include <string.h>

/// Breasts stand out by this much before what is above and below them, and before the breastbone. Shares of the trunk's
/// length. Muscles of a chest stay below.
static const float supLeastProminence = 0.07f, supLeastLobe = 0.028f;

/// A belly that reaches this far before the hips is a heavy person's. Share of the size.
static const float supHeavy = 0.085f;

/// What has this share of hard pieces has no breasts.
static const float supMostlyHard = 0.6f;

/// The waist's depth beside the chest's, of a body of muscle and of most people.
static const float supMuscularWaist = 0.83f, supUsualWaist = 0.93f;

/// How high a cheek lies in the head, and how far it reaches. Shares of the head's height.
static const float supCheekRise = 0.34f, supCheekRadius = 0.3f;

// ---------------------------------------------------------------------------------------------------------------
// Marks of a human trunk

typedef struct supTorso
{
    const supPlan* plan;
    supVec3 hips, shoulders; ///< between the legs' and the arms' first joints
    float length;
    supVec3 middle; ///< a place in the plane of symmetry
    bool wanted[supMostParts];
    supTrunkShape front, back;
} supTorso;

/// The middle between the two sides of a pair of limbs, where their free bones begin.
static bool supBetween( const supPlan* plan, bool legs, supVec3* out )
{
    for ( int32_t i = 0; i + 1 < plan->limbCount; i += 2 )
    {
        const supPlanLimb *a = plan->limbs + i, *b = a + 1;
        if ( a->isLeg == legs && a->segmentCount > a->girdle && b->segmentCount > b->girdle )
        {
            *out = supLerp( supPlan_Joint( plan, a->segments[a->girdle].joint ),
                supPlan_Joint( plan, b->segments[b->girdle].joint ), 0.5f );
            return true;
        }
    }
    return false;
}

static bool supReadTorso( const supPlan* plan, supTorso* torso )
{
    memset( torso, 0, sizeof( *torso ) );
    torso->plan = plan;
    if ( plan->trunkCount == 0 || !supBetween( plan, true, &torso->hips ) )
    {
        return false;
    }
    if ( !supBetween( plan, false, &torso->shoulders ) )
    {
        torso->shoulders = supPlan_Joint( plan, plan->neck >= 0 ? plan->neck : plan->trunk[plan->trunkCount - 1] );
    }
    // upright: between hips and shoulders at their heights
    float rise = supDot( supSub( torso->shoulders, torso->hips ), plan->up );
    torso->length = rise;
    if ( rise < 0.03f * plan->size )
    {
        return false;
    }
    torso->middle = torso->hips;
    for ( int32_t p = 0; p < plan->graph->partCount; ++p )
    {
        torso->wanted[p] = plan->roles[p] == sup_partTrunk || plan->roles[p] == sup_partHelper;
    }
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        const supPlanLimb* limb = plan->limbs + i;
        // what leads out of the trunk, and the thighs, on which a belly and a bottom lie
        int32_t last = limb->isLeg ? limb->girdle : limb->girdle - 1;
        for ( int32_t s = 0; s <= last && s < limb->segmentCount; ++s )
        {
            int32_t part = plan->graph->partOf[limb->segments[s].joint];
            if ( part >= 0 )
            {
                torso->wanted[part] = true;
            }
        }
    }
    supVec3 top = supMulAdd( torso->hips, rise, plan->up );
    supMeasureTrunk( plan, torso->hips, top, plan->forward, -0.6f, 1.2f, torso->wanted, &torso->front );
    supMeasureTrunk( plan, torso->hips, top, supNeg( plan->forward ), -0.6f, 1.2f, torso->wanted, &torso->back );
    return true;
}

/// A place of the torso: up and to the side in shares of its length, forward in the file's units.
static supVec3 supTorsoPlace( const supTorso* torso, float along, float left, float forward )
{
    const supPlan* plan = torso->plan;
    supVec3 p = supMulAdd( torso->hips, along * torso->length, plan->up );
    p = supMulAdd( p, left, plan->left );
    return supMulAdd( p, forward, plan->forward );
}

/// How deep the trunk is from front to back, around a height. The file's units; 0: less than half of it has skin
static float supTrunkDepth( const supTorso* torso, float along )
{
    // many places, so that none of them counts for much: where skin lies on the edge between two, rounding decides
    enum
    {
        rows = 9,
        lanes = 3
    };
    float sum = 0.0f;
    int count = 0;
    for ( int place = 0; place < rows * lanes; ++place )
    {
        float at = along + 0.025f * (float)( place / lanes - rows / 2 );
        float across = 0.05f + 0.1f * (float)( place % lanes );
        float front = supTrunkShape_Depth( &torso->front, at, across );
        float back = supTrunkShape_Depth( &torso->back, at, across );
        bool isSkin = front >= 0.0f && back >= 0.0f;
        sum += isSkin ? front + back : 0.0f;
        count += isSkin ? 1 : 0;
    }
    return 2 * count > rows * lanes ? sum / (float)count : 0.0f;
}

/// Fat and muscle are both thick, but not in the same places: muscle makes the chest deeper than the waist, fat fills
/// the waist. Of the people here the waist has 0.84 of the chest's depth on a muscular man, 0.86 on a slim woman with
/// large breasts, 0.92 and 0.93 on average people, 1.10 and 1.17 on heavy ones. 0: all of it is muscle; 1: it is as on
/// most people
static float supFatnessOf( const supTorso* torso )
{
    float waist = supTrunkDepth( torso, 0.35f ), chest = supTrunkDepth( torso, 0.8f );
    if ( waist <= 0.0f || chest <= 0.0f )
    {
        return 1.0f; // nobody knows
    }
    float ratio = waist / chest;
    return supClampF( ( ratio - supMuscularWaist ) / ( supUsualWaist - supMuscularWaist ), 0.0f, 1.0f );
}

// ---------------------------------------------------------------------------------------------------------------
// Belly

static void supSketchBelly( supSketch* sketch, const supTorso* torso )
{
    const supPlan* plan = torso->plan;
    int32_t base = plan->trunk[0], top = plan->trunk[plan->trunkCount - 1];
    supSketchElement* element = supAddElement( sketch, sup_regionBelly, sup_sideMiddle, base );
    if ( element == NULL )
    {
        return;
    }
    supVec3 high = supPlan_Joint( plan, top );
    bool reaches = supDot( supSub( high, supPlan_Joint( plan, base ) ), plan->up ) > 0.5f * torso->length;
    if ( reaches && plan->trunkCount > 1 )
    {
        supEndAtJoint( sketch, element, top );
    }
    else
    {
        supEndAt( sketch, element, supTorsoPlace( torso, 0.95f, 0.0f, 0.0f ) );
    }
    supAddTrunkJoints( sketch, element );
    element->def.facing = plan->forward;
    element->def.spread = 1.9f;
    // A standing belly hangs: fullest below the middle between hips and shoulders. It leaves the thighs over a good
    // part of that: within a tenth of it, as was tried first, the belly's lower edge came down as a flat shelf (on the
    // heavy man one edge of the mesh took 0.60 of the step from still to moving; now 0.32). It is gone below the
    // breasts.
    static const float keys[] = { -0.8f, 0.3f, -0.5f, 0.8f, -0.2f, 1.0f, 0.15f, 0.6f, 0.45f, 0.12f, 0.7f, 0.0f };
    supSetKeys( element, 6, keys );
    supKeepSoft( sketch );
}

// ---------------------------------------------------------------------------------------------------------------
// Breasts

/// A joint of a breast, by its name or because it is a small helper where the breast is; -1: there is none.
static int32_t supBreastJoint( const supPlan* plan, supVec3 center, float reach )
{
    int32_t best = -1;
    float nearest = reach;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        int32_t part = plan->graph->partOf[j];
        bool own = part >= 0 && plan->graph->parts[part].joint == j;
        bool named = supPartOfJointName( plan->character, j ) == sup_namedBreast;
        bool helper = own && plan->roles[part] == sup_partHelper && plan->graph->parts[part].side != 0;
        if ( plan->area[j] <= 0.0f || supIsSwung( plan, j ) || !own || !( named || helper ) )
        {
            continue;
        }
        float away = supDistance( plan->graph->parts[part].center, center );
        best = away < nearest ? j : best;
        nearest = supMinF( nearest, away );
    }
    return best;
}

/// The joint of the trunk that is nearest to a height.
static int32_t supCarrierAt( const supTorso* torso, float along )
{
    const supPlan* plan = torso->plan;
    int32_t best = plan->trunk[0];
    float nearest = 1e30f;
    for ( int32_t i = 0; i < plan->trunkCount; ++i )
    {
        float at = supDot( supSub( supPlan_Joint( plan, plan->trunk[i] ), torso->hips ), plan->up ) / torso->length;
        best = supAbsF( at - along ) < nearest ? plan->trunk[i] : best;
        nearest = supMinF( nearest, supAbsF( at - along ) );
    }
    return best;
}

/// Flesh of one side, before or behind the trunk. Its bone runs from the driver to that side, so that the weights of
/// left and right fall to nothing where they meet; half way along it is the flesh.
static supSketchElement* supSketchHalf( supSketch* sketch, const supTorso* torso, supRegion region, supSide side,
    int32_t driver, supVec3 center, float across, float radius )
{
    const supPlan* plan = torso->plan;
    float sign = side == sup_sideLeft ? 1.0f : -1.0f;
    supSketchElement* element = supAddElement( sketch, region, side, driver );
    if ( element != NULL )
    {
        supVec3 from = supPlan_Joint( plan, driver );
        supEndAt( sketch, element, supMulAdd( from, 2.2f * sign * across, plan->left ) );
        supAddTrunkJoints( sketch, element );
        supBallAround( sketch, element, center, radius );
    }
    return element;
}

static void supSketchBreast( supSketch* sketch, const supTorso* torso, const supLump* lump, supSide side )
{
    const supPlan* plan = torso->plan;
    float sign = side == sup_sideLeft ? 1.0f : -1.0f;
    float across = supMaxF( lump->across * torso->front.halfWidth, 0.12f * torso->length );
    float radius = supMaxF( 1.7f * across, 0.3f * torso->length );
    supVec3 tip = supTorsoPlace( torso, lump->along, sign * across, lump->depth );
    int32_t carrier = supCarrierAt( torso, lump->along ), own = supBreastJoint( plan, tip, radius );
    // a joint inside the breast cannot hold the end of a bone that goes past it
    float away = own >= 0 ? supAbsF( supDot( supSub( supPlan_Joint( plan, own ), torso->middle ), plan->left ) ) : 0.0f;
    int32_t driver = own >= 0 && away < 0.3f * across ? own : carrier;
    supVec3 center = supMulAdd( tip, -0.3f * radius, plan->forward );
    supSketchElement* element = supSketchHalf( sketch, torso, sup_regionBreast, side, driver, center, across, radius );
    if ( element != NULL )
    {
        element->def.facing = plan->forward;
        element->def.spread = 1.9f;
        element->fullness = lump->prominence / plan->size;
        supKeepSoft( sketch );
    }
}

static void supSketchBreasts( supSketch* sketch, const supTorso* torso )
{
    supLump lump = supFindLump( &torso->front, 0.45f, 0.92f );
    float prominence = lump.prominence / torso->length, lobe = lump.lobe / torso->length;
    // on what is mostly hard, a robot or a knight, two flaps of a jacket stand out there
    bool hard = torso->plan->hardShare > supMostlyHard;
    if ( !hard && prominence > supLeastProminence && lobe > supLeastLobe )
    {
        supSketchBreast( sketch, torso, &lump, sup_sideLeft );
        supSketchBreast( sketch, torso, &lump, sup_sideRight );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Bottom

/// Where the back stands out most, near the hips: along, and how far from the middle.
static supLump supFindButtock( const supTorso* torso )
{
    const supTrunkShape* back = &torso->back;
    supLump best = { .depth = -1.0f };
    for ( int32_t row = 0; row < supShapeRows; ++row )
    {
        float at = back->low + ( back->high - back->low ) * ( (float)row + 0.5f ) / (float)supShapeRows;
        for ( int32_t lane = 1; lane < supShapeLanes - 3 && at > -0.3f && at < 0.25f; ++lane )
        {
            float depth = back->depth[row][lane];
            if ( depth > best.depth )
            {
                best =
                    ( supLump ){ .along = at, .across = ( (float)lane + 0.5f ) / (float)supShapeLanes, .depth = depth };
            }
        }
    }
    return best;
}

/// How far from the middle the legs begin.
static float supHipDistance( const supTorso* torso )
{
    const supPlan* plan = torso->plan;
    float most = 0.0f;
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        const supPlanLimb* limb = plan->limbs + i;
        if ( limb->segmentCount <= limb->girdle )
        {
            continue;
        }
        supVec3 away = supSub( supPlan_Joint( plan, limb->segments[limb->girdle].joint ), torso->middle );
        most = limb->isLeg ? supMaxF( most, supAbsF( supDot( away, plan->left ) ) ) : most;
    }
    return supMinF( most, 0.35f * torso->length );
}

static void supSketchBottom( supSketch* sketch, const supTorso* torso )
{
    const supPlan* plan = torso->plan;
    supLump lump = supFindButtock( torso );
    if ( lump.depth <= 0.0f )
    {
        return;
    }
    float across = supMaxF( 0.75f * supHipDistance( torso ), 0.1f * torso->length );
    float radius = 0.5f * torso->length;
    for ( int k = 0; k < 2; ++k )
    {
        supSide side = k == 0 ? sup_sideLeft : sup_sideRight;
        float sign = k == 0 ? 1.0f : -1.0f;
        supVec3 center = supTorsoPlace( torso, lump.along, sign * across, -lump.depth + 0.3f * radius );
        supSketchElement* element =
            supSketchHalf( sketch, torso, sup_regionBottom, side, plan->trunk[0], center, across, radius );
        if ( element == NULL )
        {
            return;
        }
        for ( int32_t i = 0; i < plan->limbCount; ++i )
        {
            const supPlanLimb* limb = plan->limbs + i;
            bool own = limb->isLeg && ( limb->side > 0 ) == ( k == 0 );
            if ( own && limb->segmentCount > limb->girdle )
            {
                supAddBone( sketch, element, limb->segments + limb->girdle );
            }
        }
        element->def.facing = supNeg( plan->forward );
        element->def.spread = 1.9f;
        supKeepSoft( sketch );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Faces

/// Bounds of a part's skin in the body's own axes, from a place.
typedef struct supHeadBox
{
    float low[3], high[3]; ///< left, up, forward
} supHeadBox;

static supHeadBox supMeasureHead( const supPlan* plan, int32_t part, supVec3 from )
{
    supHeadBox box = { { 1e30f, 1e30f, 1e30f }, { -1e30f, -1e30f, -1e30f } };
    const supVec3 axes[3] = { plan->left, plan->up, plan->forward };
    for ( int32_t i = 0; i < plan->graph->sampleCount; ++i )
    {
        for ( int k = 0; k < 3 && plan->graph->samples[i].part == part; ++k )
        {
            float t = supDot( supSub( plan->graph->samples[i].at, from ), axes[k] );
            box.low[k] = supMinF( box.low[k], t );
            box.high[k] = supMaxF( box.high[k], t );
        }
    }
    return box;
}

/// A place of the head: shares of its box, from its middle to its left, from its lowest skin up, from behind forward.
static supVec3 supHeadPlace(
    const supPlan* plan, const supHeadBox* box, supVec3 from, float left, float up, float forward )
{
    supVec3 p = supMulAdd( from, left * 0.5f * ( box->high[0] - box->low[0] ), plan->left );
    p = supMulAdd( p, box->low[1] + up * ( box->high[1] - box->low[1] ), plan->up );
    return supMulAdd( p, box->low[2] + forward * ( box->high[2] - box->low[2] ), plan->forward );
}

/// How high the lowest of the eyes lies, hard pieces in the fore half of the head. Share of the box; 1: none is seen
static float supEyesFrom( const supPlan* plan, const supHeadBox* box, int32_t part, supVec3 from )
{
    float lowest = box->high[1], height = supMaxF( box->high[1] - box->low[1], 1e-30f );
    for ( int32_t i = 0; i < plan->graph->sampleCount; ++i )
    {
        const supSample* sample = plan->graph->samples + i;
        supVec3 away = supSub( sample->at, from );
        bool eye = sample->part == part && sample->hard &&
                   supDot( away, plan->forward ) > 0.5f * ( box->low[2] + box->high[2] );
        lowest = eye ? supMinF( lowest, supDot( away, plan->up ) ) : lowest;
    }
    return ( lowest - box->low[1] ) / height;
}

/// The chin and the cheeks of a heavy person: what a slim face has not.
static void supSketchFace( supSketch* sketch, const supTorso* torso )
{
    const supPlan* plan = torso->plan;
    float fullness = supTrunkShape_Depth( &torso->front, 0.35f, 0.05f ) / plan->size;
    int32_t part = plan->head >= 0 ? plan->graph->partOf[plan->head] : -1;
    if ( fullness < supHeavy || part < 0 || plan->graph->parts[part].soft < 0.5f )
    {
        return;
    }
    supVec3 from = supPlan_Joint( plan, plan->head );
    supHeadBox box = supMeasureHead( plan, part, from );
    float height = box.high[1] - box.low[1];
    if ( !( height > 0.02f * plan->size ) )
    {
        return;
    }
    supSketchElement* chin = supAddElement( sketch, sup_regionChin, sup_sideMiddle, plan->head );
    if ( chin != NULL )
    {
        supVec3 center = supHeadPlace( plan, &box, from, 0.0f, 0.08f, 0.72f );
        // the bone goes down from the head's joint behind the chin
        float down = supMaxF( 2.2f * supDot( supSub( from, center ), plan->up ), 0.6f * height );
        supEndAt( sketch, chin, supMulAdd( from, -down, plan->up ) );
        supAddPartJoints( sketch, chin, part );
        supBallAround( sketch, chin, center, 0.38f * height );
        chin->def.facing = plan->forward;
        supKeepSoft( sketch );
    }
    // cheeks lie below the eyes; a face that has its eyes where a person has cheeks has none
    float rise = supMinF( supCheekRise, supEyesFrom( plan, &box, part, from ) - 0.8f * supCheekRadius );
    for ( int k = 0; k < 2 && rise > 0.1f; ++k )
    {
        float sign = k == 0 ? 1.0f : -1.0f;
        supVec3 center = supHeadPlace( plan, &box, from, 0.55f * sign, rise, 0.62f );
        supSketchElement* cheek =
            supAddElement( sketch, sup_regionCheek, k == 0 ? sup_sideLeft : sup_sideRight, plan->head );
        if ( cheek != NULL )
        {
            float across = supAbsF( supDot( supSub( center, from ), plan->left ) );
            supEndAt( sketch, cheek, supMulAdd( from, 2.2f * sign * across, plan->left ) );
            supAddPartJoints( sketch, cheek, part );
            supBallAround( sketch, cheek, center, supCheekRadius * height );
            supKeepSoft( sketch );
        }
    }
}

void supSketchHuman( supSketch* sketch )
{
    supTorso torso;
    if ( supReadTorso( &sketch->plan, &torso ) )
    {
        sketch->fatness = supFatnessOf( &torso );
        supSketchBelly( sketch, &torso );
        supSketchBreasts( sketch, &torso );
        supSketchBottom( sketch, &torso );
        supSketchFace( sketch, &torso );
    }
    supSketchLimbs( sketch );
    if ( sketch->count == 0 )
    {
        supSketchLump( sketch );
    }
}
