// The plan of a body, read off skeleton and skin.
// SPDX-License-Identifier: MIT
//
// Names differ from studio to studio; shapes do not. A body has a plane of symmetry. Chains of joints that leave that
// plane in pairs and are long are limbs; the joints in the plane that limbs hang on are the trunk; chains in the plane
// that no limb hangs on are necks, heads and tails. Joints without skin (IK targets, poles, end markers, roots) play no
// part, except as the far end of the last segment of a limb.

#include "auto/body_plan.h"

#include "base/math.h"
#include "base/memory.h"

#include <string.h>

/// A joint with less than this share of all skin is a helper, not a part of the body.
static const float supLeastArea = 0.002f;
/// How far from the trunk's line its helpers stand at most, and how far they reach. Share of the size.
static const float supMostHelper = 0.12f;

supVec3 supPlan_Vertex( const supPlan* plan, int32_t vertex )
{
    const float* p = supCharacter_RestPositions( plan->character ) + 3 * (size_t)vertex;
    return ( supVec3 ){ p[0], p[1], p[2] };
}

supVec3 supPlan_Joint( const supPlan* plan, int32_t joint )
{
    return supCharacter_RestJoints( plan->character )[joint].t;
}

// ---------------------------------------------------------------------------------------------------------------
// Skin: how much of it hangs on each joint, whatever the density of its vertices

static void supMeasureVertexAreas( supPlan* plan )
{
    for ( int32_t m = 0; m < supCharacter_MeshCount( plan->character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount && mesh.skin >= 0; i += 3 )
        {
            supVec3 p[3];
            for ( int k = 0; k < 3; ++k )
            {
                p[k] = supPlan_Vertex( plan, mesh.firstVertex + (int32_t)mesh.indices[i + k] );
            }
            float share = supLength( supCross( supSub( p[1], p[0] ), supSub( p[2], p[0] ) ) ) / 6.0f;
            for ( int k = 0; k < 3; ++k )
            {
                plan->vertexArea[mesh.firstVertex + (int32_t)mesh.indices[i + k]] += share;
            }
        }
    }
}

void supPlan_ForInfluences( supPlan* plan, supInfluenceFunction* function, void* context )
{
    const int32_t* joints = supCharacter_PaletteJoints( plan->character );
    for ( int32_t m = 0; m < supCharacter_MeshCount( plan->character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        for ( int32_t v = 0; v < mesh.vertexCount && mesh.skin >= 0 && !plan->isWorn[m]; ++v )
        {
            for ( int32_t i = 0; i < mesh.influenceCount; ++i )
            {
                int32_t at = v * mesh.influenceCount + i;
                if ( mesh.weights[at] > 0.0f )
                {
                    function( plan, mesh.firstVertex + v, joints[mesh.firstPalette + mesh.jointIndices[at]],
                        mesh.weights[at], context );
                }
            }
        }
    }
}

static void supAddArea( supPlan* plan, int32_t vertex, int32_t joint, float weight, void* context )
{
    (void)context;
    plan->area[joint] += weight * plan->vertexArea[vertex];
}

/// Parents among the joints that have skin; -2 for those that have none.
static void supFindParents( supPlan* plan )
{
    float total = 0.0f;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        total += plan->area[j];
    }
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        plan->parent[j] = plan->area[j] > supLeastArea * total ? -1 : -2;
    }
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        int32_t up = supCharacter_JointParent( plan->character, j );
        while ( plan->parent[j] != -2 && up >= 0 && plan->parent[up] == -2 )
        {
            up = supCharacter_JointParent( plan->character, up );
        }
        plan->parent[j] = plan->parent[j] == -2 ? -2 : up;
    }
}

static bool supHasChildren( const supCharacter* character, int32_t joint )
{
    for ( int32_t j = 0; j < supCharacter_JointCount( character ); ++j )
    {
        if ( supCharacter_JointParent( character, j ) == joint )
        {
            return true;
        }
    }
    return false;
}

bool supPlan_Follows( const supPlan* plan, int32_t joint, int32_t child )
{
    if ( plan->parent[child] == joint )
    {
        return true;
    }
    return plan->parent[child] == -2 && supCharacter_JointParent( plan->character, child ) == joint &&
           !supHasChildren( plan->character, child ) &&
           supDistance( supPlan_Joint( plan, joint ), supPlan_Joint( plan, child ) ) < 0.25f * plan->size;
}

static void supMeasureChains( supPlan* plan )
{
    const int32_t* order = supCharacter_JointOrder( plan->character );
    for ( int32_t i = plan->jointCount - 1; i >= 0; --i )
    {
        int32_t child = order[i], joint = plan->parent[child];
        joint = joint == -2 ? supCharacter_JointParent( plan->character, child ) : joint;
        if ( joint >= 0 && plan->parent[joint] != -2 && supPlan_Follows( plan, joint, child ) )
        {
            float length =
                supDistance( supPlan_Joint( plan, joint ), supPlan_Joint( plan, child ) ) + plan->reach[child];
            plan->reach[joint] = supMaxF( plan->reach[joint], length );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Trunk

static float supDepth( const supPlan* plan, int32_t joint )
{
    float depth = 0.0f;
    for ( int32_t up = plan->parent[joint]; up >= 0; joint = up, up = plan->parent[up] )
    {
        depth += supDistance( supPlan_Joint( plan, joint ), supPlan_Joint( plan, up ) );
    }
    return depth;
}

/// Whether some limb hangs on `joint` by another way than through `next`.
static bool supHoldsLimb( const supPlan* plan, int32_t joint, int32_t next )
{
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        int32_t j = plan->limbs[i].attach;
        while ( j >= 0 && j != joint && j != next )
        {
            j = plan->parent[j];
        }
        if ( j == joint )
        {
            return true;
        }
    }
    return false;
}

/// The trunk begins where the first limbs hang: joints before that only carry the body about.
static void supDropLeaders( supPlan* plan )
{
    while ( plan->trunkCount > 1 && !supHoldsLimb( plan, plan->trunk[0], plan->trunk[1] ) )
    {
        plan->inTrunk[plan->trunk[0]] = false;
        plan->trunkCount -= 1;
        memmove( plan->trunk, plan->trunk + 1, sizeof( int32_t ) * (size_t)plan->trunkCount );
    }
}

static void supFindTrunk( supPlan* plan )
{
    int32_t top = -1;
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        for ( int32_t j = plan->limbs[i].attach; j >= 0; j = plan->parent[j] )
        {
            plan->inTrunk[j] = true;
        }
        int32_t attach = plan->limbs[i].attach;
        top = top < 0 || supDepth( plan, attach ) > supDepth( plan, top ) ? attach : top;
    }
    int32_t count = 0;
    for ( int32_t j = top; j >= 0; j = plan->parent[j] )
    {
        ++count;
    }
    if ( count < 2 || count > supMostTrunk )
    {
        return; // one joint with everything on it has no length to hang flesh on
    }
    plan->trunkCount = count;
    for ( int32_t j = top; j >= 0; j = plan->parent[j] )
    {
        plan->trunk[--count] = j;
    }
    supDropLeaders( plan );
    if ( plan->trunkCount < 2 )
    {
        plan->trunkCount = 0;
        return;
    }
    supVec3 axis = supSub( supPlan_Joint( plan, top ), supPlan_Joint( plan, plan->trunk[0] ) );
    plan->upright = supAbsF( axis.y ) > 0.7f * supLength( axis );
}

/// The chain that goes on in the plane above the trunk: a neck.
static void supFindNeck( supPlan* plan )
{
    plan->neck = -1;
    float longest = 0.0f;
    int32_t top = plan->trunk[plan->trunkCount - 1];
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        if ( plan->parent[j] == top && plan->side[j] == 0 && !plan->inTrunk[j] && plan->reach[j] >= longest )
        {
            longest = plan->reach[j];
            plan->neck = j;
        }
    }
}

/// Whether a joint is of the trunk, or only leads a limb out of it.
static bool supIsTrunkOrGirdle( const supPlan* plan, int32_t joint )
{
    bool is = plan->inTrunk[joint];
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        for ( int32_t s = 0; s < plan->limbs[i].girdle; ++s )
        {
            is = is || plan->limbs[i].segments[s].joint == joint;
        }
    }
    return is;
}

/// Whether a limb goes through a joint.
static bool supIsOnLimb( const supPlan* plan, int32_t joint )
{
    bool is = false;
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        for ( int32_t s = 0; s < plan->limbs[i].segmentCount; ++s )
        {
            is = is || plan->limbs[i].segments[s].joint == joint || plan->limbs[i].segments[s].next == joint;
        }
    }
    return is;
}

/// Joints that hold a piece of the trunk's own skin beside its bones: breasts, a belly, ribs that breathe. They hang on
/// the trunk or a collarbone, lead nowhere, and lie between its ends.
static void supFindTrunkHelpers( supPlan* plan )
{
    const int32_t* order = supCharacter_JointOrder( plan->character );
    supVec3 from = supPlan_Joint( plan, plan->trunk[0] );
    supVec3 along = supSub( supPlan_Joint( plan, plan->trunk[plan->trunkCount - 1] ), from );
    for ( int32_t i = 0; i < plan->jointCount; ++i )
    {
        int32_t j = order[i], up = supCharacter_JointParent( plan->character, j );
        while ( up >= 0 && plan->parent[up] == -2 )
        {
            up = supCharacter_JointParent( plan->character, up );
        }
        bool hangs = up >= 0 && supIsTrunkOrGirdle( plan, up ) && !plan->inTrunk[j] && !supIsOnLimb( plan, j ) &&
                     j != plan->neck && plan->area[j] > 0.0f;
        if ( !hangs || plan->reach[j] > supMostHelper * plan->size )
        {
            continue;
        }
        supVec3 p = supSub( supPlan_Joint( plan, j ), from );
        float t = supDot( p, along ) / supLengthSquared( along );
        float away = supLength( supMulAdd( p, -t, along ) );
        plan->inTrunk[j] = t > 0.0f && t < 1.15f && away > 0.01f * plan->size && away < supMostHelper * plan->size;
    }
}

/// Where a leg meets its foot: its last joint, or, where that is still far above the ground, the marker at its end.
static bool supFindAnkle( const supPlan* plan, const supPlanLimb* limb, supVec3* ankle )
{
    supVec3 lower, upper;
    supCharacter_RestBounds( plan->character, &lower, &upper );
    const supSegment* last = limb->segments + limb->segmentCount - 1;
    float low = lower.y + 0.15f * ( upper.y - lower.y );
    *ankle = supPlan_Joint( plan, last->joint );
    if ( ankle->y > low )
    {
        *ankle = supPlan_Joint( plan, last->next );
    }
    return ankle->y <= low;
}

/// Toes point forward: how far the middle of the soles lies before the ankles.
static float supMeasureToes( const supPlan* plan, supVec3 across )
{
    supVec3 lower, upper, ankle;
    supCharacter_RestBounds( plan->character, &lower, &upper );
    float ground = lower.y + 0.03f * ( upper.y - lower.y ), sole = 0.0f, area = 0.0f, ankles = 0.0f, feet = 0.0f;
    for ( int32_t v = 0; v < supCharacter_VertexCount( plan->character ); ++v )
    {
        supVec3 p = supPlan_Vertex( plan, v );
        float share = p.y < ground ? plan->vertexArea[v] : 0.0f;
        sole += share * supDot( p, across );
        area += share;
    }
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        bool found = supFindAnkle( plan, plan->limbs + i, &ankle );
        ankles += found ? supDot( ankle, across ) : 0.0f;
        feet += found ? 1.0f : 0.0f;
    }
    return area > 0.0f && feet > 0.0f ? sole / area - ankles / feet : 0.0f;
}

/// Standing bodies look where their toes point; lying ones from the trunk's base to its top.
static void supFindForward( supPlan* plan )
{
    supVec3 across = supCross( plan->sideways, supMakeVec3( 0.0f, 1.0f, 0.0f ) );
    supVec3 axis =
        supSub( supPlan_Joint( plan, plan->trunk[plan->trunkCount - 1] ), supPlan_Joint( plan, plan->trunk[0] ) );
    float sign = plan->upright ? supMeasureToes( plan, across ) : supDot( axis, across );
    plan->forward = supScale( across, sign < 0.0f ? -1.0f : 1.0f );
}

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

enum
{
    supPlanArrays = 9
};

static supLayout supPlanLayout( const supPlan* plan, size_t at[supPlanArrays] )
{
    size_t vertices = (size_t)supCharacter_VertexCount( plan->character );
    supLayout layout = supMakeLayout();
    at[0] = SUP_LAYOUT_ARRAY( &layout, float, plan->jointCount + 1 );
    at[1] = SUP_LAYOUT_ARRAY( &layout, float, plan->jointCount );
    at[2] = SUP_LAYOUT_ARRAY( &layout, float, plan->jointCount );
    at[3] = SUP_LAYOUT_ARRAY( &layout, int32_t, plan->jointCount );
    at[4] = SUP_LAYOUT_ARRAY( &layout, int8_t, plan->jointCount );
    at[5] = SUP_LAYOUT_ARRAY( &layout, bool, plan->jointCount );
    at[6] = SUP_LAYOUT_ARRAY( &layout, float, vertices );
    at[7] = SUP_LAYOUT_ARRAY( &layout, int32_t, vertices );
    at[8] = SUP_LAYOUT_ARRAY( &layout, bool, supCharacter_MeshCount( plan->character ) );
    return layout;
}

/// Skin, symmetry, limbs, trunk: each rests on those before it.
static bool supReadParts( supPlan* plan, const supAllocator* allocator )
{
    supMeasureVertexAreas( plan );
    if ( !supFindHardParts( plan, allocator ) )
    {
        return false;
    }
    supPlan_ForInfluences( plan, supAddArea, NULL );
    supFindParents( plan );
    supMeasureChains( plan );
    if ( !supFindSymmetry( plan, allocator ) || !supFindLimbs( plan, allocator ) )
    {
        return false;
    }
    supFindTrunk( plan );
    if ( plan->trunkCount > 0 )
    {
        supFindNeck( plan );
        supFindForward( plan );
        supFindTrunkHelpers( plan );
    }
    return true;
}

bool supReadPlan( const supCharacter* character, const supAllocator* allocator, supPlan* plan )
{
    memset( plan, 0, sizeof( *plan ) );
    plan->character = character;
    plan->jointCount = supCharacter_JointCount( character );
    plan->size = supCharacter_Size( character );
    size_t at[supPlanArrays];
    supLayout layout = supPlanLayout( plan, at );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    plan->area = (float*)( block + at[0] );
    plan->hardArea = (float*)( block + at[1] );
    plan->reach = (float*)( block + at[2] );
    plan->parent = (int32_t*)( block + at[3] );
    plan->side = (int8_t*)( block + at[4] );
    plan->inTrunk = (bool*)( block + at[5] );
    plan->vertexArea = (float*)( block + at[6] );
    plan->pieces = (int32_t*)( block + at[7] );
    plan->isWorn = (bool*)( block + at[8] );
    if ( !supReadParts( plan, allocator ) )
    {
        supDropPlan( plan, allocator );
        return false;
    }
    return true;
}

void supDropPlan( supPlan* plan, const supAllocator* allocator )
{
    size_t at[supPlanArrays];
    supLayout layout = supPlanLayout( plan, at );
    supFree( allocator, plan->area, layout.size );
}
