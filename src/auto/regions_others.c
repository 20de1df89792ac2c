// The flesh of bodies that are no people: animals on legs, what swims, crawls and creeps, and lumps.
// SPDX-License-Identifier: MIT

#include "auto/propose.h"
#include "auto/trunk_shape.h"
#include "base/math.h"

/// A part of a body carries flesh of its own where it has this share of the skin and is this thick. Share of the size.
static const float supLeastShare = 0.02f, supLeastThickness = 0.012f;

/// A bone of a lump is at least this long beside the flesh around it.
static const float supLeastSlender = 2.0f;

/// An udder, a dewlap or a hump stands out by this share of the way between the legs.
static const float supLeastStandout = 0.1f;
/// A swimmer's trunk, between its tail and its face. Shares of the spine, from the tail.
static const float supTrunkTail = 0.2f, supTrunkHead = 0.85f;

// ---------------------------------------------------------------------------------------------------------------
// Bones of parts

/// Mean and extent of a part's skin along a direction, from its joint.
typedef struct supExtent
{
    float low, high;
    float thickness; ///< mean distance from the line
} supExtent;

static supExtent supMeasureExtent( const supPlan* plan, int32_t part, supVec3 from, supVec3 way )
{
    const supBodyGraph* graph = plan->graph;
    supExtent extent = { 1e30f, -1e30f, 0.0f };
    float weight = 0.0f;
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        if ( graph->samples[i].part == part )
        {
            supVec3 p = supSub( graph->samples[i].at, from );
            float t = supDot( p, way );
            extent.low = supMinF( extent.low, t );
            extent.high = supMaxF( extent.high, t );
            extent.thickness += graph->samples[i].area * supLength( supMulAdd( p, -t, way ) );
            weight += graph->samples[i].area;
        }
    }
    extent.thickness = weight > 0.0f ? extent.thickness / weight : 0.0f;
    return weight > 0.0f ? extent : ( supExtent ){ 0.0f, 0.0f, 0.0f };
}

static int32_t supPartOfJoint( const supPlan* plan, int32_t joint )
{
    return plan->graph->partOf[joint];
}

static supVec3 supPartCenter( const supPlan* plan, int32_t joint )
{
    int32_t part = supPartOfJoint( plan, joint );
    return part >= 0 ? plan->graph->parts[part].center : supPlan_Joint( plan, joint );
}

// ---------------------------------------------------------------------------------------------------------------
// A lying trunk

/// The joint of the trunk that is nearest to a place along it.
static int32_t supTrunkJointNear( const supPlan* plan, supVec3 place )
{
    int32_t best = plan->trunk[0];
    float nearest = 1e30f;
    for ( int32_t i = 0; i < plan->trunkCount; ++i )
    {
        float away = supAbsF( supDot( supSub( supPlan_Joint( plan, plan->trunk[i] ), place ), plan->forward ) );
        best = away < nearest ? plan->trunk[i] : best;
        nearest = supMinF( nearest, away );
    }
    return best;
}

/// A place between hind and front legs, or before the legs of a body on two.
typedef struct supLyingTrunk
{
    supVec3 back, front; ///< on the trunk's line, over the hind legs and over the front ones
} supLyingTrunk;

static supVec3 supTrunkPointOver( const supPlan* plan, float forward )
{
    // on the line of the trunk's skin, at that distance along the body's front
    const supSpine* spine = &plan->signs->spine;
    supVec3 best = spine->points[0];
    float nearest = 1e30f;
    for ( int32_t i = 0; i + 1 < spine->count + 2; ++i )
    {
        for ( int k = 0; k <= 8; ++k )
        {
            supVec3 p = supLerp( spine->points[i], spine->points[i + 1], (float)k / 8.0f );
            float away = supAbsF( supDot( p, plan->forward ) - forward );
            best = away < nearest ? p : best;
            nearest = supMinF( nearest, away );
        }
    }
    return best;
}

static supLyingTrunk supReadLyingTrunk( const supPlan* plan )
{
    float back = 1e30f, front = -1e30f;
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        const supPlanLimb* limb = plan->limbs + i;
        if ( limb->segmentCount <= limb->girdle )
        {
            continue;
        }
        float at = supDot( supPlan_Joint( plan, limb->segments[limb->girdle].joint ), plan->forward );
        back = supMinF( back, at );
        front = supMaxF( front, at );
    }
    if ( front - back < 0.1f * plan->size ) // legs alone: the belly lies before them
    {
        float neck = plan->neck >= 0 ? supDot( supPartCenter( plan, plan->neck ), plan->forward ) : back;
        front = supMaxF( back + 0.15f * plan->size, supMinF( neck, back + 0.3f * plan->size ) );
    }
    return ( supLyingTrunk ){ supTrunkPointOver( plan, back ), supTrunkPointOver( plan, front ) };
}

static void supSketchUnderside( supSketch* sketch )
{
    const supPlan* plan = &sketch->plan;
    if ( plan->trunkCount == 0 )
    {
        return;
    }
    supLyingTrunk trunk = supReadLyingTrunk( plan );
    // a hip swings its end of the trunk about: a joint farther on carries the belly more quietly
    int32_t driver = supTrunkJointNear( plan, supLerp( trunk.back, trunk.front, 0.25f ) );
    supSketchElement* element = supAddElement( sketch, sup_regionBelly, sup_sideMiddle, driver );
    if ( element == NULL )
    {
        return;
    }
    supVec3 from = supPlan_Joint( plan, driver ), away = supSub( trunk.front, trunk.back );
    float ahead = supDot( supSub( trunk.front, from ), plan->forward );
    // the bone goes from the driver to the front legs; where that leaves too little of the belly, it is the other way
    bool forward = ahead > 0.5f * supLength( away );
    supVec3 end = forward ? trunk.front : trunk.back;
    // level, so that what hangs below it is the belly
    float sinks = supMaxF( 0.0f, supDot( supSub( from, end ), plan->up ) );
    supEndAt( sketch, element, supMulAdd( end, sinks, plan->up ) );
    supAddTrunkJoints( sketch, element );
    element->def.facing = supNeg( plan->up );
    element->def.spread = 1.6f;
    supKeepSoft( sketch );
}

// ---------------------------------------------------------------------------------------------------------------
// What stands out of a lying trunk

/// Where along the trunk a lump of each kind may be, and towards which side it stands out.
typedef struct supLumpKind
{
    supRegion region;
    float from, to; ///< shares of the way from the hind legs to the front ones
    bool above;
} supLumpKind;

static void supSketchStandout( supSketch* sketch, const supLyingTrunk* trunk, const supLumpKind* kind )
{
    const supPlan* plan = &sketch->plan;
    bool wanted[supMostParts];
    for ( int32_t p = 0; p < plan->graph->partCount; ++p )
    {
        supPartRole role = plan->roles[p];
        bool neck = kind->region == sup_regionDewlap && role == sup_partHead && plan->graph->parts[p].side == 0;
        wanted[p] = role == sup_partTrunk || role == sup_partHelper || neck;
    }
    supVec3 outward = kind->above ? plan->up : supNeg( plan->up ), way = supSub( trunk->front, trunk->back );
    supTrunkShape shape;
    supVec3 to = supMulAdd( trunk->back, supDot( way, plan->forward ), plan->forward );
    supMeasureTrunk( plan, trunk->back, to, outward, -0.4f, 1.8f, wanted, &shape );
    supLump lump = supFindRidge( &shape, kind->from, kind->to );
    if ( !( shape.length > 0.05f * plan->size ) || lump.prominence < supLeastStandout * shape.length )
    {
        return;
    }
    supVec3 tip = supMulAdd( trunk->back, lump.along * shape.length, plan->forward );
    tip = supMulAdd( tip, lump.depth, outward );
    int32_t driver = supTrunkJointNear( plan, tip );
    supSketchElement* element = supAddElement( sketch, kind->region, sup_sideMiddle, driver );
    if ( element == NULL )
    {
        return;
    }
    // the bone passes the lump half way
    supVec3 from = supPlan_Joint( plan, driver );
    float ahead = supDot( supSub( tip, from ), plan->forward ), least = 0.2f * shape.length;
    ahead = supAbsF( ahead ) < least ? ( ahead < 0.0f ? -least : least ) : ahead;
    supEndAt( sketch, element, supMulAdd( from, 2.0f * ahead, plan->forward ) );
    for ( int32_t p = 0; p < plan->graph->partCount; ++p )
    {
        if ( wanted[p] )
        {
            supAddPartJoints( sketch, element, p );
        }
    }
    float radius = supMaxF( 2.0f * lump.prominence, 0.2f * shape.length );
    supBallAround( sketch, element, supMulAdd( tip, -0.3f * radius, outward ), radius );
    element->def.facing = outward;
    element->def.spread = 1.6f;
    supKeepSoft( sketch );
}

static void supSketchStandouts( supSketch* sketch )
{
    static const supLumpKind kinds[] = {
        { sup_regionUdder, -0.05f, 0.35f, false },
        { sup_regionDewlap, 1.05f, 1.6f, false },
        { sup_regionHump, 0.25f, 1.1f, true },
    };
    if ( sketch->plan.reading.kind == sup_bodyQuadruped && sketch->plan.trunkCount > 0 )
    {
        supLyingTrunk trunk = supReadLyingTrunk( &sketch->plan );
        for ( size_t i = 0; i < sizeof( kinds ) / sizeof( kinds[0] ); ++i )
        {
            supSketchStandout( sketch, &trunk, kinds + i );
        }
    }
}

void supSketchAnimal( supSketch* sketch )
{
    supSketchUnderside( sketch );
    supSketchStandouts( sketch );
    supSketchRump( sketch );
    supSketchLimbs( sketch );
    if ( sketch->count == 0 )
    {
        supSketchLump( sketch );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What swims

static void supAddSpineJoints( supSketch* sketch, supSketchElement* element, float from, float to )
{
    const supPlan* plan = &sketch->plan;
    const supSpine* spine = &plan->signs->spine;
    float length = spine->lengths[spine->count + 1];
    for ( int32_t i = 0; i < spine->count; ++i )
    {
        float at = length > 0.0f ? spine->lengths[i + 1] / length : 0.0f;
        at = plan->headFirst ? 1.0f - at : at;
        if ( at >= from && at <= to )
        {
            supAddPartJoints( sketch, element, spine->parts[i] );
        }
    }
}

/// A place on the spine, from the tail: 0 to 1.
static supVec3 supSpinePoint( const supPlan* plan, float place )
{
    const supSpine* spine = &plan->signs->spine;
    float at = ( plan->headFirst ? 1.0f - place : place ) * spine->lengths[spine->count + 1];
    for ( int32_t i = 0; i + 1 < spine->count + 2; ++i )
    {
        if ( at <= spine->lengths[i + 1] )
        {
            float width = spine->lengths[i + 1] - spine->lengths[i];
            return supLerp(
                spine->points[i], spine->points[i + 1], width > 0.0f ? ( at - spine->lengths[i] ) / width : 0.0f );
        }
    }
    return spine->points[spine->count + 1];
}

/// The joint of the spine from which a bone covers most of the trunk, and whether that goes to the head.
static int32_t supFlankDriver( const supPlan* plan, bool* ahead )
{
    const supSpine* spine = &plan->signs->spine;
    supVec3 tail = supSpinePoint( plan, supTrunkTail ), head = supSpinePoint( plan, supTrunkHead );
    supVec3 way = supSub( head, tail );
    float squared = supMaxF( supLengthSquared( way ), 1e-30f ), most = -1.0f;
    int32_t best = plan->graph->parts[spine->parts[0]].joint;
    for ( int32_t i = 0; i < spine->count; ++i )
    {
        int32_t joint = plan->graph->parts[spine->parts[i]].joint;
        float at = supDot( supSub( supPlan_Joint( plan, joint ), tail ), way ) / squared;
        // from behind to the head, where that covers enough: a head is still while the tail beats
        bool forward = 1.0f - at > 0.5f;
        float reach = forward ? 1.25f - at : at;
        if ( at > -0.1f && at < 1.1f && reach > most )
        {
            most = reach;
            best = joint;
            *ahead = forward;
        }
    }
    return best;
}

static void supSketchFlank( supSketch* sketch, supRegion region, supSide side, supVec3 facing, float spread )
{
    const supPlan* plan = &sketch->plan;
    bool ahead = false;
    supSketchElement* element = supAddElement( sketch, region, side, supFlankDriver( plan, &ahead ) );
    if ( element == NULL )
    {
        return;
    }
    supEndAt( sketch, element, supSpinePoint( plan, ahead ? supTrunkHead : supTrunkTail ) );
    supAddSpineJoints( sketch, element, 0.15f, 1.0f );
    element->def.facing = facing;
    element->def.spread = spread;
    supKeepSoft( sketch );
}

void supSketchSwimmer( supSketch* sketch )
{
    const supPlan* plan = &sketch->plan;
    if ( plan->signs->spine.count > 0 )
    {
        supSketchFlank( sketch, sup_regionBelly, sup_sideMiddle, supNeg( plan->up ), 1.5f );
        supSketchFlank( sketch, sup_regionSide, sup_sideLeft, plan->left, 1.0f );
        supSketchFlank( sketch, sup_regionSide, sup_sideRight, supNeg( plan->left ), 1.0f );
    }
    if ( sketch->count == 0 )
    {
        supSketchLump( sketch );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Parts by themselves

static supSide supSideOfPart( const supPlan* plan, int32_t part )
{
    const supPart* own = plan->graph->parts + part;
    supVec3 middle = supMulAdd( own->center, -supBodyGraph_Away( plan->graph, own->center ), plan->graph->normal );
    float left = supDot( supSub( own->center, middle ), plan->left );
    return own->side == 0 ? sup_sideMiddle : left > 0.0f ? sup_sideLeft : sup_sideRight;
}

/// Parts that swing as one, and where their bone ends.
typedef struct supStretch
{
    supRegion region;
    const int32_t* parts; ///< the first one's joint carries them all
    int32_t count;
    supVec3 end;
    bool freeEnd; ///< nothing goes on from there: a free end swings most
} supStretch;

/// All around the skin of one part, or of several that follow one another.
static void supSketchStretch( supSketch* sketch, const supStretch* stretch )
{
    const supPlan* plan = &sketch->plan;
    int32_t joint = plan->graph->parts[stretch->parts[0]].joint;
    supVec3 from = supPlan_Joint( plan, joint ), way = supSub( stretch->end, from );
    float length = supLength( way );
    if ( length < 0.02f * plan->size )
    {
        return;
    }
    way = supScale( way, 1.0f / length );
    supExtent extent = supMeasureExtent( plan, stretch->parts[0], from, way );
    for ( int32_t i = 1; i < stretch->count; ++i )
    {
        supExtent more = supMeasureExtent( plan, stretch->parts[i], from, way );
        extent.high = supMaxF( extent.high, more.high );
        extent.thickness = supMaxF( extent.thickness, more.thickness );
    }
    // of a long tube, what is thick beside its length
    if ( extent.thickness < supMinF( supLeastThickness * plan->size, 0.1f * length ) )
    {
        return;
    }
    supSketchElement* element =
        supAddElement( sketch, stretch->region, supSideOfPart( plan, stretch->parts[0] ), joint );
    if ( element == NULL )
    {
        return;
    }
    float reach = stretch->freeEnd ? 1.3f * supMaxF( extent.high, length ) : length;
    supEndAt( sketch, element, supMulAdd( from, reach, way ) );
    for ( int32_t i = 0; i < stretch->count; ++i )
    {
        supAddPartJoints( sketch, element, stretch->parts[i] );
    }
    element->atJoint = stretch->freeEnd;
    if ( stretch->freeEnd )
    {
        static const float keys[] = { -0.6f, 0.3f, 0.0f, 0.8f, 0.4f, 1.0f, 0.8f, 0.9f };
        supSetKeys( element, 4, keys );
        // the bone comes out of the skin there, which would stay behind as a dent
        element->fill = 0.5f * extent.thickness / plan->size;
        element->def.boneThickness = -0.5f * extent.thickness / supCharacter_Info( plan->character )->size;
    }
    supKeepSoft( sketch );
}

/// Whether a part of its own carries flesh: soft, with enough skin; of a body of very many parts, as much as the mean.
static bool supIsFleshy( const supPlan* plan, int32_t part )
{
    const supPart* own = plan->graph->parts + part;
    float mean = 0.5f / (float)plan->graph->partCount;
    return own->area > supMinF( supLeastShare, mean ) * plan->graph->totalArea && own->soft > 0.25f;
}

/// The end of a part's skin that is farthest from its joint.
static supVec3 supFarSkin( const supPlan* plan, int32_t part )
{
    const supBodyGraph* graph = plan->graph;
    supVec3 from = supPlan_Joint( plan, graph->parts[part].joint ), to = graph->parts[part].center;
    supVec3 way = supSub( to, from );
    float length = supLength( way );
    if ( length < 0.01f * plan->size )
    {
        // the joint is in the middle of its skin: as far up as it goes
        supExtent extent = supMeasureExtent( plan, part, from, plan->up );
        return supMulAdd( from, extent.high, plan->up );
    }
    way = supScale( way, 1.0f / length );
    supExtent extent = supMeasureExtent( plan, part, from, way );
    return supMulAdd( from, supMaxF( extent.high, length ), way );
}

/// The same of several parts that follow one another, from the first one's joint.
static supVec3 supFarEnd( const supPlan* plan, const int32_t* parts, int32_t count )
{
    supVec3 from = supPlan_Joint( plan, plan->graph->parts[parts[0]].joint ), best = supFarSkin( plan, parts[0] );
    for ( int32_t i = 1; i < count; ++i )
    {
        supVec3 end = supFarSkin( plan, parts[i] );
        best = supDistance( end, from ) > supDistance( best, from ) ? end : best;
    }
    return best;
}

// ---------------------------------------------------------------------------------------------------------------
// Insects, snakes, lumps

/// The abdomen is what the spine has behind the legs, or the larger end where they are in the middle.
void supSketchInsect( supSketch* sketch )
{
    const supPlan* plan = &sketch->plan;
    const supSpine* spine = &plan->signs->spine;
    int32_t best = -1;
    float most = 0.0f;
    for ( int32_t i = 0; i < spine->count; ++i )
    {
        int32_t part = spine->parts[i];
        float at = supDot( supSub( plan->graph->parts[part].center, plan->graph->center ), plan->forward ) / plan->size;
        float place = plan->headFirst ? (float)i : (float)( spine->count - 1 - i );
        bool behind = plan->roles[part] == sup_partTail || at < -0.02f || place > 0.5f * (float)( spine->count - 1 );
        float score = plan->graph->parts[part].area * ( behind && plan->roles[part] != sup_partHead ? 1.0f : 0.0f );
        best = supIsFleshy( plan, part ) && score > most ? part : best;
        most = supIsFleshy( plan, part ) ? supMaxF( most, score ) : most;
    }
    if ( best >= 0 )
    {
        supStretch abdomen = { sup_regionAbdomen, &best, 1, supFarSkin( plan, best ), true };
        supSketchStretch( sketch, &abdomen );
    }
    if ( sketch->count == 0 )
    {
        supSketchLump( sketch );
    }
}

/// A snake swings all around every stretch of its spine, but for its head.
void supSketchTube( supSketch* sketch )
{
    const supPlan* plan = &sketch->plan;
    const supSpine* spine = &plan->signs->spine;
    for ( int32_t k = 0; k < spine->count; ++k )
    {
        int32_t i = plan->headFirst ? spine->count - 1 - k : k; // from the tail on
        int32_t next = plan->headFirst ? i - 1 : i + 1, part = spine->parts[i];
        bool last = next < 0 || next >= spine->count;
        bool head = plan->roles[part] == sup_partHead;
        if ( supIsFleshy( plan, part ) && !last && k > 0 && !head )
        {
            supVec3 joint = supPlan_Joint( plan, plan->graph->parts[part].joint );
            supVec3 a = supPlan_Joint( plan, plan->graph->parts[spine->parts[next]].joint );
            supVec3 b = supFarSkin( plan, part );
            supVec3 end = supDistance( a, joint ) > 0.04f * plan->size ? a : b;
            supStretch stretch = { sup_regionBody, &part, 1, end, false };
            supSketchStretch( sketch, &stretch );
        }
    }
    if ( sketch->count == 0 )
    {
        supSketchLump( sketch );
    }
}

/// The child part that a part goes on to, or -1.
static int32_t supNextPart( const supPlan* plan, int32_t part )
{
    int32_t best = -1;
    for ( int32_t p = 0; p < plan->graph->partCount; ++p )
    {
        bool child =
            plan->graph->parts[p].parent == part && plan->graph->parts[p].side == plan->graph->parts[part].side;
        best = child && ( best < 0 || plan->graph->parts[p].area > plan->graph->parts[best].area ) ? p : best;
    }
    return best;
}

/// A hand by itself is no body. A body has a head and a tail in its middle, and its limbs are pairs; four chains and
/// more of bones that end free, are slender and have no twins are fingers.
static bool supIsHandAlone( const supPlan* plan )
{
    const supBodyGraph* graph = plan->graph;
    int32_t fingers = 0;
    float area = 0.0f;
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        bool free = graph->parts[p].twin < 0;
        int32_t length = 1, top = p;
        for ( int32_t k = 0; k < graph->partCount && free; ++k )
        {
            free = graph->parts[k].parent != p;
        }
        for ( int32_t up = graph->parts[p].parent; free && up >= 0; up = graph->parts[up].parent )
        {
            int32_t children = 0;
            for ( int32_t k = 0; k < graph->partCount; ++k )
            {
                children += graph->parts[k].parent == up;
            }
            if ( children != 1 )
            {
                break;
            }
            area += graph->parts[up].area;
            top = up;
            length += 1;
        }
        supVec3 from = supPlan_Joint( plan, graph->parts[top].joint ), way = supSub( graph->parts[p].center, from );
        supExtent extent = supMeasureExtent( plan, p, from, supNormalize( way ) );
        bool slender = extent.thickness < 0.25f * supLength( way );
        fingers += free && slender && length >= 2;
        area += free && slender ? graph->parts[p].area : 0.0f;
    }
    return fingers >= 4 && area > 0.4f * graph->totalArea;
}

static bool supCarriesLump( const supPlan* plan, int32_t part )
{
    supPartRole role = plan->roles[part];
    bool swings = supIsSwung( plan, plan->graph->parts[part].joint );
    return supIsFleshy( plan, part ) && role != sup_partFin && role != sup_partLimb && !swings;
}

/// A lump from one part on. Bones that are short beside the flesh around them make stripes of skin that move, each its
/// own way, with skin between them that does not: creases. So parts are taken together until their bone is twice as
/// long as their flesh is thick.
static void supSketchLumpFrom( supSketch* sketch, int32_t part, bool* taken )
{
    const supPlan* plan = &sketch->plan;
    int32_t parts[supMostParts], count = 0;
    supVec3 from = supPlan_Joint( plan, plan->graph->parts[part].joint );
    int32_t next = part;
    float thickness = 0.0f;
    bool chain = false;
    for ( ;; )
    {
        taken[next] = true;
        parts[count++] = next;
        int32_t last = next;
        next = supNextPart( plan, last );
        if ( next < 0 || taken[next] )
        {
            break;
        }
        supVec3 way = supSub( supPlan_Joint( plan, plan->graph->parts[next].joint ), from );
        float length = supLength( way );
        supVec3 along = length > 0.01f * plan->size ? supScale( way, 1.0f / length ) : plan->up;
        thickness = supMaxF( thickness, supMeasureExtent( plan, last, from, along ).thickness );
        chain = length > 0.1f * plan->size && length > supLeastSlender * thickness;
        if ( chain || !supCarriesLump( plan, next ) )
        {
            break;
        }
    }
    supVec3 end = chain ? supPlan_Joint( plan, plan->graph->parts[next].joint ) : supFarEnd( plan, parts, count );
    supStretch stretch = { sup_regionBody, parts, count, end, !chain };
    supSketchStretch( sketch, &stretch );
}

/// Any soft, thick part of the skin, on the joint that carries it.
void supSketchLump( supSketch* sketch )
{
    supPlan* plan = &sketch->plan;
    if ( supIsHandAlone( plan ) )
    {
        for ( int32_t p = 0; p < plan->graph->partCount; ++p )
        {
            plan->roles[p] = sup_partLimb;
        }
        return;
    }
    bool alone = plan->graph->partCount == 1;
    if ( alone ) // all of it hangs on the one bone: here that does not say that it is hard
    {
        plan->hardCount = 0;
        plan->hardShare = 0.0f;
        plan->graph->parts[0].soft = 1.0f;
        for ( int32_t v = 0; v < supCharacter_Info( plan->character )->vertexCount; ++v )
        {
            plan->pieces[v] = -1;
        }
        for ( int32_t j = 0; j < plan->jointCount; ++j )
        {
            plan->hardArea[j] = 0.0f;
        }
    }
    bool taken[supMostParts] = { false };
    for ( int32_t p = 0; p < plan->graph->partCount; ++p )
    {
        if ( !taken[p] && supCarriesLump( plan, p ) )
        {
            supSketchLumpFrom( sketch, p, taken );
        }
    }
}
