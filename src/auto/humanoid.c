// A human skeleton in a character.
// SPDX-License-Identifier: MIT
//
// Names first. They are cut into words ("mixamorig:LeftForeArm", "DEF-forearm.L", "lowerarm_l", "J_Bip_L_LowerArm" and
// "LeftForeArm" all hold a side and "forearm" or "lowerarm"), a side is taken out, and what is left is looked up. Where
// they do not name two arms and two legs, the plan of the body decides: a trunk that stands, two limbs that hang down
// from its base, two at its top.

#include "auto/humanoid.h"

#include "auto/joint_words.h"

#include "base/math.h"
#include "character/joint_tree.h"

#include <string.h>

typedef struct supBoneName
{
    const char* name;
    supSideBone bone;
} supBoneName;

static int supBoneOfName( const char* letters )
{
    static const supBoneName names[] = { { "shoulder", sup_boneClavicle }, { "clavicle", sup_boneClavicle },
        { "collar", sup_boneClavicle }, { "collarbone", sup_boneClavicle }, { "arm", sup_boneUpperArm },
        { "upperarm", sup_boneUpperArm }, { "uparm", sup_boneUpperArm }, { "humerus", sup_boneUpperArm },
        { "forearm", sup_boneForearm }, { "lowerarm", sup_boneForearm }, { "elbow", sup_boneForearm },
        { "radius", sup_boneForearm }, { "hand", sup_boneHand }, { "wrist", sup_boneHand }, { "upleg", sup_boneThigh },
        { "upperleg", sup_boneThigh }, { "thigh", sup_boneThigh }, { "femur", sup_boneThigh }, { "leg", sup_boneShin },
        { "lowerleg", sup_boneShin }, { "calf", sup_boneShin }, { "shin", sup_boneShin }, { "knee", sup_boneShin },
        { "tibia", sup_boneShin }, { "foot", sup_boneFoot }, { "ankle", sup_boneFoot } };
    for ( size_t i = 0; i < sizeof( names ) / sizeof( names[0] ); ++i )
    {
        if ( strcmp( letters, names[i].name ) == 0 )
        {
            return (int)names[i].bone;
        }
    }
    return -1;
}

/// The first joint of each name, in the order of the skeleton. True: two whole arms and legs, each under the one
/// before.
static bool supReadNames( const supPlan* plan, supHumanoid* human )
{
    const supCharacter* character = plan->character;
    const int32_t* order = supCharacter_Info( character )->jointOrder;
    for ( int32_t i = 0; i < plan->jointCount; ++i )
    {
        int32_t j = order[i];
        supNameWords words = supReadName( supCharacter_Joint( character, j )->name );
        int bone = words.side >= 0 ? supBoneOfName( words.letters ) : -1;
        if ( bone >= 0 && human->sides[words.side][bone] < 0 )
        {
            human->sides[words.side][bone] = j;
        }
    }
    bool whole = true;
    for ( int side = 0; side < 2; ++side )
    {
        const int32_t* own = human->sides[side];
        for ( int b = sup_boneUpperArm; b < sup_sideBones; ++b )
        {
            bool first = b == sup_boneUpperArm || b == sup_boneThigh;
            whole = whole && own[b] >= 0 && ( first || supIsUnderJoint( character, own[b], own[b - 1] ) );
        }
    }
    return whole;
}

// ---------------------------------------------------------------------------------------------------------------
// Shape

/// The pair of limbs that is the arms (or the legs): mirror images with an upper and a lower bone.
static int32_t supPairOf( const supPlan* plan, bool legs )
{
    int32_t best = -1;
    float most = 0.0f;
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        const supPlanLimb* limb = plan->limbs + i;
        int32_t free = limb->segmentCount - limb->girdle;
        const supPlanLimb* twin = limb->mirror >= 0 ? plan->limbs + limb->mirror : NULL;
        if ( twin == NULL || free < 2 || twin->girdle != limb->girdle || twin->segmentCount < limb->girdle + 2 )
        {
            continue;
        }
        bool low = limb->isLeg;
        float length = limb->segments[limb->girdle].length + limb->segments[limb->girdle + 1].length;
        if ( low == legs && length > most )
        {
            most = length;
            best = i;
        }
    }
    return best;
}

static void supTakeLimb( const supPlan* plan, int32_t index, int side, supSideBone first, supHumanoid* human )
{
    const supPlanLimb* limb = plan->limbs + index;
    const supSegment* upper = limb->segments + limb->girdle;
    human->sides[side][first] = upper[0].joint;
    human->sides[side][first + 1] = upper[1].joint;
    human->sides[side][first + 2] = upper[1].next;
    if ( first == sup_boneUpperArm && limb->girdle > 0 )
    {
        human->sides[side][sup_boneClavicle] = limb->segments[0].joint;
    }
}

static bool supReadShape( const supPlan* plan, supHumanoid* human, const char** why )
{
    int32_t arms = plan->trunkCount > 0 && plan->upright ? supPairOf( plan, false ) : -1;
    int32_t legs = plan->trunkCount > 0 && plan->upright ? supPairOf( plan, true ) : -1;
    *why = plan->trunkCount == 0 ? "it has no trunk with limbs"
           : !plan->upright      ? "its trunk lies rather than stands"
           : arms < 0            ? "it has no pair of arms"
                                 : "it has no pair of legs";
    if ( arms < 0 || legs < 0 )
    {
        return false;
    }
    supVec3 left = plan->left;
    const int32_t pairs[2] = { arms, legs };
    for ( int p = 0; p < 2; ++p )
    {
        const supPlanLimb* limb = plan->limbs + pairs[p];
        supVec3 a = supPlan_Joint( plan, limb->segments[limb->girdle].joint );
        supVec3 b = supPlan_Joint( plan, plan->limbs[limb->mirror].segments[limb->girdle].joint );
        bool isLeft = supDot( supSub( a, b ), left ) > 0.0f;
        supSideBone first = p == 0 ? sup_boneUpperArm : sup_boneThigh;
        supTakeLimb( plan, isLeft ? pairs[p] : limb->mirror, 0, first, human );
        supTakeLimb( plan, isLeft ? limb->mirror : pairs[p], 1, first, human );
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Trunk

/// The highest joint under the chest that is under no arm.
static void supFindHead( const supPlan* plan, supHumanoid* human )
{
    const supCharacter* character = plan->character;
    int32_t chest = human->spine[human->spineCount - 1];
    float highest = supDot( supPlan_Joint( plan, chest ), human->up );
    human->head = -1;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        bool arm = supIsUnderJoint( character, j, human->sides[0][sup_boneUpperArm] ) ||
                   supIsUnderJoint( character, j, human->sides[1][sup_boneUpperArm] );
        supNameWords words = supReadName( supCharacter_Joint( character, j )->name );
        float height = supDot( supPlan_Joint( plan, j ), human->up );
        bool named = strcmp( words.letters, "head" ) == 0 && words.side < 0;
        if ( j != chest && !arm && supIsUnderJoint( character, j, chest ) && plan->area[j] > 0.0f &&
             ( named || height > highest ) )
        {
            highest = named ? 1e30f : height;
            human->head = j;
        }
    }
    human->neck = human->head;
    while ( human->neck >= 0 && supCharacter_Joint( character, human->neck )->parent != chest )
    {
        human->neck = supCharacter_Joint( character, human->neck )->parent;
    }
}

/// The trunk between legs and arms, the head, and which way is which.
static bool supReadTrunk( const supPlan* plan, supHumanoid* human )
{
    const supCharacter* character = plan->character;
    int32_t base = supCommonJoint( character, human->sides[0][sup_boneThigh], human->sides[1][sup_boneThigh] );
    int32_t top = supCommonJoint( character, human->sides[0][sup_boneUpperArm], human->sides[1][sup_boneUpperArm] );
    if ( base < 0 || top < 0 || base == top || !supIsUnderJoint( character, top, base ) )
    {
        return false;
    }
    int32_t count = 0;
    for ( int32_t j = top; j != base; j = supCharacter_Joint( character, j )->parent )
    {
        ++count;
    }
    if ( count + 1 > supMostSpine )
    {
        return false;
    }
    human->spineCount = count + 1;
    for ( int32_t j = top; count >= 0; j = supCharacter_Joint( character, j )->parent )
    {
        human->spine[count--] = j;
    }
    for ( int side = 0; side < 2; ++side )
    {
        int32_t* clavicle = &human->sides[side][sup_boneClavicle];
        bool fits = *clavicle >= 0 && *clavicle != top && supIsUnderJoint( character, *clavicle, top ) &&
                    supIsUnderJoint( character, human->sides[side][sup_boneUpperArm], *clavicle );
        *clavicle = fits ? *clavicle : top;
    }
    supVec3 hips = supLerp( supPlan_Joint( plan, human->sides[0][sup_boneThigh] ),
        supPlan_Joint( plan, human->sides[1][sup_boneThigh] ), 0.5f );
    supVec3 shoulders = supLerp( supPlan_Joint( plan, human->sides[0][sup_boneUpperArm] ),
        supPlan_Joint( plan, human->sides[1][sup_boneUpperArm] ), 0.5f );
    supVec3 left = supSub( supPlan_Joint( plan, human->sides[0][sup_boneUpperArm] ),
        supPlan_Joint( plan, human->sides[1][sup_boneUpperArm] ) );
    left = supAdd( left, supSub( supPlan_Joint( plan, human->sides[0][sup_boneThigh] ),
                             supPlan_Joint( plan, human->sides[1][sup_boneThigh] ) ) );
    human->up = supNormalize( supSub( shoulders, hips ) );
    left = supNormalize( supMulAdd( left, -supDot( left, human->up ), human->up ) );
    human->outward[0] = left;
    human->outward[1] = supNeg( left );
    human->forward = supCross( left, human->up );
    supFindHead( plan, human );
    return human->neck >= 0 && supLengthSquared( human->forward ) > 0.5f;
}

static void supClearHumanoid( supHumanoid* human )
{
    *human = ( supHumanoid ){ .neck = -1, .head = -1 };
    for ( int i = 0; i < 2 * sup_sideBones; ++i )
    {
        human->sides[i / sup_sideBones][i % sup_sideBones] = -1;
    }
}

bool supFindHumanoid( const supPlan* plan, supHumanoid* out, const char** why )
{
    supClearHumanoid( out );
    out->byNames = true;
    if ( supReadNames( plan, out ) && supReadTrunk( plan, out ) )
    {
        return true;
    }
    supClearHumanoid( out );
    if ( !supReadShape( plan, out, why ) )
    {
        return false;
    }
    *why = "its arms and legs hang on the same joint, or it has no neck";
    return supReadTrunk( plan, out );
}
