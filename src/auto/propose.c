// A rig from the plan of a body: which regions, with which bones, how soft.
// SPDX-License-Identifier: MIT

#include "auto/propose.h"

#include "base/math.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/// What a region is like before the clips have been seen, in the preset `natural`.
typedef struct supManner
{
    float ceiling; ///< of the elongation, as a share of the thickness
    float amount;
    float dampingRatio;
    float sag;
    float softness;         ///< frequency = softness / sqrt( thickness as a share of the size ). Hz
    float slowest, fastest; ///< of that. Hz
} supManner;

// Flesh off one side of the bone may swing; around a limb the whole section shifts, and a tenth of its radius already
// looks like rubber hose. Frequencies are those of film of runners and jumpers: a heavy belly near 2.5 Hz, thighs
// near 5.5, calves 7 to 8.
static const supManner supBellyManner = { 0.25f, 1.0f, 0.22f, 0.10f, 0.95f, 2.5f, 4.5f };
static const supManner supChestManner = { 0.22f, 0.8f, 0.25f, 0.08f, 1.05f, 3.0f, 5.0f };
static const supManner supBottomManner = { 0.20f, 0.8f, 0.28f, 0.06f, 1.15f, 3.2f, 5.5f };
static const supManner supUpperManner = { 0.10f, 0.6f, 0.30f, 0.03f, 1.25f, 4.5f, 7.0f };
static const supManner supLowerManner = { 0.04f, 0.35f, 0.35f, 0.01f, 1.30f, 6.0f, 8.0f };

/// How a preset changes all of them.
typedef struct supTemper
{
    const char* name;
    float ceiling, amount, dampingRatio, frequency, sag;
} supTemper;

static const supTemper supTempers[] = {
    [sup_presetSubtle] = { "subtle", 0.5f, 0.5f, 1.3f, 1.1f, 0.5f },
    [sup_presetNatural] = { "natural", 1.0f, 1.0f, 1.0f, 1.0f, 1.0f },
    [sup_presetHeavy] = { "heavy", 1.4f, 1.3f, 0.85f, 0.85f, 1.5f },
    [sup_presetCartoon] = { "cartoon", 2.4f, 2.0f, 0.6f, 0.7f, 2.0f },
};

/// A limb thinner than this carries nothing; a lower one needs to be thicker. Shares of the size.
static const float supLeastUpper = 0.008f, supLeastLower = 0.02f;
/// A side of the trunk of whose surface less than this share is not hard carries nothing.
static const float supLeastSoftSide = 0.25f;

// ---------------------------------------------------------------------------------------------------------------
// Names

/// A joint's name with its number: "hips#12".
static const char* supNumber( supSketch* sketch, int32_t joint )
{
    if ( sketch->spelled[joint] == NULL )
    {
        const char* name = supCharacter_JointName( sketch->plan.character, joint );
        char* text = sketch->letters + sketch->lettersUsed;
        size_t room = strlen( name ) + supNumberLetters;
        snprintf( text, room, "%s#%d", name, joint );
        sketch->lettersUsed += room;
        sketch->spelled[joint] = text;
    }
    return sketch->spelled[joint];
}

/// A joint as rigs spell it: by its name, with its number where another has the same or it has none.
static const char* supSpell( supSketch* sketch, int32_t joint )
{
    const supCharacter* character = sketch->plan.character;
    const char* name = supCharacter_JointName( character, joint );
    bool known = name[0] != 0 && supCharacter_FindJoint( character, name ) == joint;
    return known ? name : supNumber( sketch, joint );
}

static bool supIsTaken( const supSketch* sketch, const char* name )
{
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        if ( strcmp( sketch->elements[i].def.name, name ) == 0 )
        {
            return true;
        }
    }
    return false;
}

static void supAddName( supSketch* sketch, supSketchNames* names, int32_t joint )
{
    if ( names->count < supMostNames )
    {
        names->joints[names->count] = joint;
        names->names[names->count++] = supSpell( sketch, joint );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Elements

/// `name`: or, where another element has it already (a joint may be called "belly"), the driver's with its number.
static supSketchElement* supAddElement( supSketch* sketch, const char* name, int32_t driver, supRegion region )
{
    const char* ownName = supIsTaken( sketch, name ) ? supNumber( sketch, driver ) : name;
    supSketchElement* element = sketch->elements + sketch->count++;
    memset( element, 0, sizeof( *element ) );
    element->region = region;
    element->mirror = -1;
    element->driver = driver;
    element->def = supDefaultElementDef();
    element->def.name = ownName;
    element->def.driver = supSpell( sketch, driver );
    element->def.attenuation = sup_attenuationWyvill;
    element->def.skipRigid = sketch->plan.hardCount > 0;
    return element;
}

static void supSettle( supSketchElement* element, const supManner* manner )
{
    element->ceiling = manner->ceiling;
    element->softness = manner->softness;
    element->slowest = manner->slowest;
    element->fastest = manner->fastest;
    element->def.amount = manner->amount;
    element->def.dampingRatio = manner->dampingRatio;
    element->def.sag = manner->sag;
    element->def.ends = ( supNameList ){ element->ends.count, element->ends.names };
    element->def.joints = ( supNameList ){ element->joints.count, element->joints.names };
}

/// Every joint of the trunk, and those that only lead out of it.
static void supAddTrunkJoints( supSketch* sketch, supSketchElement* element )
{
    const supPlan* plan = &sketch->plan;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        if ( plan->inTrunk[j] )
        {
            supAddName( sketch, &element->joints, j );
        }
    }
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        for ( int32_t s = 0; s < plan->limbs[i].girdle; ++s )
        {
            supAddName( sketch, &element->joints, plan->limbs[i].segments[s].joint );
        }
    }
}

static supVec3 supAt( const supSketch* sketch, int32_t joint )
{
    return supCharacter_RestJoints( sketch->plan.character )[joint].t;
}

/// A belly hangs before a standing trunk, under a lying one.
static void supSketchBelly( supSketch* sketch )
{
    const supPlan* plan = &sketch->plan;
    int32_t base = plan->trunk[0], top = plan->trunk[plan->trunkCount - 1];
    if ( !plan->upright && plan->trunkCount > 2 )
    {
        // a hip swings its end of the trunk about: the next joint carries the belly more quietly, if it leaves enough
        // of it
        float first = supDistance( supAt( sketch, plan->trunk[1] ), supAt( sketch, base ) );
        base = first < 0.35f * supDistance( supAt( sketch, top ), supAt( sketch, base ) ) ? plan->trunk[1] : base;
    }
    supSketchElement* element = supAddElement( sketch, "belly", base, sup_regionTrunk );
    if ( plan->upright )
    {
        supAddName( sketch, &element->ends, top );
    }
    for ( int32_t i = 0; i < plan->limbCount && !plan->upright; ++i )
    {
        if ( plan->limbs[i].attach == top )
        {
            supAddName( sketch, &element->ends, plan->limbs[i].segments[0].joint );
        }
    }
    supAddTrunkJoints( sketch, element );
    element->def.facing = plan->upright ? plan->forward : supMakeVec3( 0.0f, -1.0f, 0.0f );
    element->def.spread = 1.9f;
    if ( plan->upright )
    {
        // A standing belly hangs: fullest below the middle between hips and shoulders. It leaves the thighs over a good
        // part of that: within a tenth of it, as was tried first, the belly's lower edge came down as a flat shelf (on
        // the heavy man one edge of the mesh took 0.60 of the step from still to moving; now 0.32).
        static const float keys[] = { -0.8f, 0.3f, -0.5f, 0.8f, -0.2f, 1.0f, 0.2f, 0.7f, 0.6f, 0.15f };
        element->def.attenuation = sup_attenuationHermite;
        element->def.attenuationKeys = ( supKeyList ){ 5, keys };
    }
    supSettle( element, &supBellyManner );
}

static void supSketchChest( supSketch* sketch )
{
    const supPlan* plan = &sketch->plan;
    if ( !plan->upright || plan->trunkCount < 3 || plan->neck < 0 )
    {
        return;
    }
    supSketchElement* element = supAddElement( sketch, "chest", plan->trunk[plan->trunkCount - 2], sup_regionTrunk );
    supAddName( sketch, &element->ends, plan->neck );
    supAddTrunkJoints( sketch, element );
    element->def.facing = plan->forward;
    element->def.spread = 1.4f;
    supSettle( element, &supChestManner );
}

static bool supIsMember( const supSegment* segment, int32_t joint )
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

/// The joints of a bone, and those that hang on it without being on the chain: twist and volume helpers beside it.
static void supAddBone( supSketch* sketch, supSketchElement* element, const supSegment* segment )
{
    const supPlan* plan = &sketch->plan;
    for ( int32_t i = 0; i < segment->memberCount; ++i )
    {
        supAddName( sketch, &element->joints, segment->members[i] );
    }
    supVec3 from = supAt( sketch, segment->joint ), along = supSub( supAt( sketch, segment->next ), from );
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        // also those with too little skin to be anything else
        int32_t up = plan->parent[j] == -2 ? supCharacter_JointParent( plan->character, j ) : plan->parent[j];
        if ( !supIsMember( segment, up ) || supIsMember( segment, j ) || j == segment->next || plan->area[j] <= 0.0f )
        {
            continue;
        }
        supVec3 p = supSub( supAt( sketch, j ), from );
        float t = supDot( p, along ) / supLengthSquared( along );
        if ( t > -0.1f && t < 0.95f && supLength( supMulAdd( p, -t, along ) ) < segment->radius )
        {
            supAddName( sketch, &element->joints, j );
        }
    }
}

/// Behind the hips. Its bone runs from the first joint above the legs down to as far below them.
static void supSketchBottom( supSketch* sketch )
{
    const supPlan* plan = &sketch->plan;
    float legs = 0.0f, count = 0.0f;
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        supVec3 root = supAt( sketch, plan->limbs[i].segments[plan->limbs[i].girdle].joint );
        bool leg = root.y < supAt( sketch, plan->trunk[1] ).y;
        legs += leg ? root.y : 0.0f;
        count += leg ? 1.0f : 0.0f;
    }
    if ( !plan->upright || count < 2.0f )
    {
        return;
    }
    int32_t driver = -1;
    for ( int32_t i = plan->trunkCount - 1; i > 0; --i )
    {
        driver = supAt( sketch, plan->trunk[i] ).y > legs / count + 0.03f * plan->size ? plan->trunk[i] : driver;
    }
    if ( driver < 0 )
    {
        return;
    }
    supSketchElement* element = supAddElement( sketch, "bottom", driver, sup_regionTrunk );
    supMat34 rest = supCharacter_RestJoints( plan->character )[driver];
    supVec3 down = { 0.0f, 2.0f * ( legs / count - rest.t.y ) / plan->size, 0.0f };
    element->def.end = supRotate( supConjugate( supNearestRotation( rest ) ), down );
    supAddTrunkJoints( sketch, element );
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        const supSegment* thigh = plan->limbs[i].segments + plan->limbs[i].girdle;
        if ( supAt( sketch, thigh->joint ).y < supAt( sketch, plan->trunk[1] ).y )
        {
            supAddBone( sketch, element, thigh );
        }
    }
    element->def.facing = supNeg( plan->forward );
    element->def.spread = 1.5f;
    supSettle( element, &supBottomManner );
}

/// How thick a bone's flesh is; the thinner one of twins, so that both carry flesh or none.
static float supPairRadius( const supPlan* plan, int32_t limb, int32_t segment )
{
    float radius = plan->limbs[limb].segments[segment].fleshRadius;
    int32_t twin = plan->limbs[limb].mirror;
    bool pair = twin >= 0 && segment < plan->limbs[twin].segmentCount;
    return pair ? supMinF( radius, plan->limbs[twin].segments[segment].fleshRadius ) : radius;
}

static void supSketchLimb( supSketch* sketch, int32_t index )
{
    const supPlanLimb* limb = sketch->plan.limbs + index;
    for ( int32_t i = 0; i < 2 && limb->girdle + i < limb->segmentCount; ++i )
    {
        const supSegment* segment = limb->segments + limb->girdle + i;
        bool upper = i == 0,
             last = limb->girdle + i + 1 == limb->segmentCount && i > 0 && limb->segmentCount - limb->girdle > 2;
        float least = ( upper ? supLeastUpper : supLeastLower ) * sketch->plan.size;
        if ( supPairRadius( &sketch->plan, index, limb->girdle + i ) < least || last )
        {
            continue;
        }
        supSketchElement* element = supAddElement( sketch, supSpell( sketch, segment->joint ), segment->joint,
            upper ? sup_regionUpperLimb : sup_regionLowerLimb );
        element->limb = index;
        element->segment = i;
        supAddName( sketch, &element->ends, segment->next );
        supAddBone( sketch, element, segment );
        supSettle( element, upper ? &supUpperManner : &supLowerManner );
    }
}

/// Pairs the elements of twin limbs, so that left and right come out alike.
static void supPairElements( supSketch* sketch )
{
    for ( int32_t a = 0; a < sketch->count; ++a )
    {
        for ( int32_t b = 0; b < sketch->count; ++b )
        {
            const supSketchElement *x = sketch->elements + a, *y = sketch->elements + b;
            bool limbs = x->region != sup_regionTrunk && y->region != sup_regionTrunk;
            if ( a != b && limbs && sketch->plan.limbs[x->limb].mirror == y->limb && x->segment == y->segment )
            {
                sketch->elements[a].mirror = b;
            }
        }
    }
}

/// A body of one bone, a blob or a mushroom, is all flesh around it.
static void supSketchBlob( supSketch* sketch )
{
    supPlan* plan = &sketch->plan;
    int32_t bone = -1, end = -1, count = 0;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        count += plan->parent[j] != -2;
        bone = plan->parent[j] != -2 ? j : bone;
    }
    for ( int32_t j = 0; j < plan->jointCount && count == 1; ++j )
    {
        end = plan->parent[j] == -2 && supCharacter_JointParent( plan->character, j ) == bone ? j : end;
    }
    if ( end < 0 || !( supDistance( supAt( sketch, bone ), supAt( sketch, end ) ) > 0.1f * plan->size ) )
    {
        return;
    }
    supSketchElement* element = supAddElement( sketch, supSpell( sketch, bone ), bone, sup_regionTrunk );
    supAddName( sketch, &element->ends, end );
    supAddName( sketch, &element->joints, bone );
    // all of it hangs on the one bone: here that does not say that it is hard
    element->def.skipRigid = false;
    plan->hardCount = 0;
    plan->hardShare = 0.0f;
    memset( plan->hardArea, 0, sizeof( float ) * (size_t)plan->jointCount );
    supSettle( element, &supBellyManner );
}

/// Surface before a side of the trunk, hard and not.
typedef struct supSideSum
{
    const supSketchElement* element;
    supVec3 from, along; ///< along: divided by its squared length
    float all, soft;
} supSideSum;

static void supAddSide( supPlan* plan, int32_t vertex, int32_t joint, float weight, void* context )
{
    supSideSum* sum = context;
    bool listed = false;
    for ( int32_t i = 0; i < sum->element->joints.count; ++i )
    {
        listed = listed || sum->element->joints.joints[i] == joint;
    }
    supVec3 p = supSub( supPlan_Vertex( plan, vertex ), sum->from );
    float t = supDot( p, sum->along );
    supVec3 across = supMulAdd( p, -t / supLengthSquared( sum->along ), sum->along );
    float cosine = supDot( across, sum->element->def.facing ) / supMaxF( supLength( across ), 1e-6f * plan->size );
    // well within the side, not at its border, where the flesh fades out
    if ( listed && t > 0.1f && t < 0.9f && cosine > supCosF( 0.7f * sum->element->def.spread ) )
    {
        float area = weight * plan->vertexArea[vertex];
        sum->all += area;
        sum->soft += plan->pieces[vertex] < 0 ? area : 0.0f;
    }
}

/// Takes the last element of the trunk back where there is nothing before it, or hard pieces.
static void supDropBare( supSketch* sketch )
{
    supPlan* plan = &sketch->plan;
    supSketchElement* element = sketch->elements + sketch->count - 1;
    if ( sketch->count == 0 || element->isSound )
    {
        return;
    }
    supVec3 from = supAt( sketch, element->driver ), to = supVec3_zero;
    for ( int32_t i = 0; i < element->ends.count; ++i )
    {
        to = supMulAdd( to, 1.0f / (float)element->ends.count, supAt( sketch, element->ends.joints[i] ) );
    }
    if ( element->ends.count == 0 )
    {
        supQuat turn = supNearestRotation( supCharacter_RestJoints( plan->character )[element->driver] );
        to = supAdd( from, supRotate( turn, supScale( element->def.end, plan->size ) ) );
    }
    supVec3 along = supSub( to, from );
    float squared = supLengthSquared( along );
    supSideSum sum = { element, from, supScale( along, squared > 0.0f ? 1.0f / squared : 0.0f ), 0.0f, 0.0f };
    if ( squared > 0.0f )
    {
        supPlan_ForInfluences( plan, supAddSide, &sum );
    }
    element->isSound = sum.soft > 0.0f && sum.soft >= supLeastSoftSide * sum.all;
    sketch->count -= element->isSound ? 0 : 1;
}

static void supSketchBody( supSketch* sketch )
{
    supSketchBelly( sketch );
    supDropBare( sketch );
    supSketchChest( sketch );
    supDropBare( sketch );
    supSketchBottom( sketch );
    supDropBare( sketch );
    for ( int32_t i = 0; i < sketch->plan.limbCount; ++i )
    {
        supSketchLimb( sketch, i );
    }
    supPairElements( sketch );
}

void supSketchRig( supSketch* sketch, supPreset preset )
{
    if ( sketch->plan.trunkCount > 0 )
    {
        supSketchBody( sketch );
    }
    else
    {
        supSketchBlob( sketch );
    }
    const supTemper* temper = supTempers + preset;
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        supSketchElement* element = sketch->elements + i;
        element->ceiling = supMinF( element->ceiling * temper->ceiling, 0.9f );
        element->def.amount *= temper->amount;
        element->def.dampingRatio *= temper->dampingRatio;
        element->def.sag *= temper->sag;
        element->softness *= temper->frequency;
        element->slowest *= temper->frequency;
        element->fastest *= temper->frequency;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Words

const char* const* supPresetNames( void )
{
    static const char* const names[] = { "subtle", "natural", "heavy", "cartoon", NULL };
    return names;
}

supResult supFindPreset( const char* name, supPreset* out, supError* error )
{
    for ( int i = 0; supPresetNames()[i] != NULL; ++i )
    {
        if ( strcmp( name, supPresetNames()[i] ) == 0 )
        {
            *out = (supPreset)i;
            return sup_success;
        }
    }
    return supFail( error, sup_errorNotFound, "no preset \"%s\"; there are subtle, natural, heavy and cartoon", name );
}

const char* supRegionName( supRegion region )
{
    static const char* const names[] = { "no skin", "trunk", "upper limb", "lower limb", "hand or foot", "head or neck",
        "tail", "not a body" };
    return names[region];
}
