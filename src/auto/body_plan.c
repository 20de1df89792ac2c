// The plan of a body, from what was read of it.
// SPDX-License-Identifier: MIT
//
// The spine between the limbs is the trunk; beyond it are neck and head on one side, the tail on the other. Short
// appendages of the trunk (breasts, a belly's own joint) are helpers beside its bones. Joints without skin (IK targets,
// poles, end markers, roots) play no part, except as the far end of the last segment of a limb.

#include "auto/body_plan.h"

#include "base/float_settings.h"
#include "base/math.h"
#include "base/memory.h"

#include <string.h>

supVec3 supPlan_Vertex( const supPlan* plan, int32_t vertex )
{
    const float* p = supCharacter_Info( plan->character )->restPositions + 3 * (size_t)vertex;
    return ( supVec3 ){ p[0], p[1], p[2] };
}

supVec3 supPlan_Joint( const supPlan* plan, int32_t joint )
{
    return supCharacter_Info( plan->character )->restJoints[joint].t;
}

// ---------------------------------------------------------------------------------------------------------------
// Skin: how much of it hangs on each joint, whatever the density of its vertices

static void supMeasureVertexAreas( supPlan* plan )
{
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
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
    const int32_t* joints = supCharacter_Info( plan->character )->paletteJoints;
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
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

// ---------------------------------------------------------------------------------------------------------------
// Chains

static void supMarkParents( supPlan* plan )
{
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        int32_t parent = supCharacter_Joint( plan->character, j )->parent;
        if ( parent >= 0 )
        {
            plan->hasChildren[parent] = true;
        }
    }
}

bool supPlan_Follows( const supPlan* plan, int32_t joint, int32_t child )
{
    if ( plan->parent[child] == joint )
    {
        return true;
    }
    return plan->parent[child] == -2 && supCharacter_Joint( plan->character, child )->parent == joint &&
           !plan->hasChildren[child] &&
           supDistance( supPlan_Joint( plan, joint ), supPlan_Joint( plan, child ) ) < 0.25f * plan->size;
}

/// How far chains go on from every joint: from ends to beginnings, as often as the tree is deep.
static void supMeasureChains( supPlan* plan )
{
    for ( bool grows = true; grows; )
    {
        grows = false;
        for ( int32_t child = 0; child < plan->jointCount; ++child )
        {
            int32_t joint = plan->parent[child];
            joint = joint == -2 ? supCharacter_Joint( plan->character, child )->parent : joint;
            if ( joint >= 0 && plan->parent[joint] != -2 && supPlan_Follows( plan, joint, child ) )
            {
                float length =
                    supDistance( supPlan_Joint( plan, joint ), supPlan_Joint( plan, child ) ) + plan->reach[child];
                grows = grows || length > plan->reach[joint] * 1.0001f + 1e-6f * plan->size;
                plan->reach[joint] = supMaxF( plan->reach[joint], length );
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The tree, from the trunk's base

static void supRootTree( supPlan* plan, int32_t base )
{
    supBodyGraph* graph = plan->graph;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        plan->parent[j] = -2;
    }
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        graph->parts[p].parent = -1;
        plan->parent[graph->parts[p].joint] = -1;
    }
    bool known[supMostParts] = { false };
    known[base] = true;
    for ( bool grows = true; grows; )
    {
        grows = false;
        for ( int32_t i = 0; i < graph->bondCount; ++i )
        {
            int32_t a = graph->bonds[i].a, b = graph->bonds[i].b;
            if ( known[a] != known[b] )
            {
                int32_t from = known[a] ? a : b, to = known[a] ? b : a;
                graph->parts[to].parent = from;
                plan->parent[graph->parts[to].joint] = graph->parts[from].joint;
                known[to] = grows = true;
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Limbs

/// The part in the middle that an appendage hangs on.
static int32_t supAttachOf( const supPlan* plan, int32_t appendage )
{
    int32_t attach = plan->signs->appendages[appendage].attach;
    return attach >= 0 && plan->graph->parts[attach].side == 0 ? attach : -1;
}

/// Where along the spine a pair hangs, 0 at its base end: the tail's, or a standing body's hips.
static float supFromBase( const supPlan* plan, float along )
{
    return plan->headFirst ? 1.0f - along : along;
}

static void supAddPair( supPlan* plan, const supBodyReader* reader, int32_t index, bool isLeg )
{
    const supPair* pair = reader->pairs + index;
    const supAppendage *a = plan->signs->appendages + pair->left, *b = plan->signs->appendages + pair->right;
    bool swap = supDot( supSub( a->center, b->center ), plan->left ) < 0.0f;
    int32_t left = plan->graph->parts[swap ? b->root : a->root].joint;
    int32_t right = plan->graph->parts[swap ? a->root : b->root].joint;
    if ( plan->limbCount + 2 <= supMostLimbs )
    {
        supReadLimbPair( plan, left, right, isLeg );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Trunk

/// Where along the spine, from its base end, part `i` of it lies.
static float supSpinePlace( const supPlan* plan, int32_t i )
{
    const supSpine* spine = &plan->signs->spine;
    float length = spine->lengths[spine->count + 1];
    return supFromBase( plan, length > 0.0f ? spine->lengths[i + 1] / length : 0.0f );
}

typedef struct supSpineRange
{
    float from, to; ///< along the spine, from its base end
} supSpineRange;

/// The stretch of the spine that is the trunk: between the limbs, or most of what swims and crawls.
static supSpineRange supTrunkStretch( const supPlan* plan, const supBodyReader* reader, int32_t arms )
{
    supBodyKind kind = plan->reading.kind;
    supSpineRange stretch = { 1.0f, 0.0f };
    for ( int32_t i = 0; i < reader->legCount; ++i )
    {
        float at = supFromBase( plan, reader->pairs[reader->legs[i]].along );
        stretch.from = supMinF( stretch.from, at );
        stretch.to = supMaxF( stretch.to, at );
    }
    if ( arms >= 0 && ( kind == sup_bodyHuman || kind == sup_bodyBiped ) )
    {
        stretch.to = supMaxF( stretch.to, supFromBase( plan, reader->pairs[arms].along ) );
    }
    if ( kind == sup_bodyBiped )
    {
        stretch.to = supMaxF( stretch.to, stretch.from + 0.2f );
    }
    if ( kind == sup_bodyHuman && arms < 0 )
    {
        stretch.to = 0.6f;
    }
    if ( reader->legCount == 0 )
    {
        stretch = ( supSpineRange ){ 0.15f, kind == sup_bodySnake ? 0.72f : 1.0f }; // a snake's head is its head
    }
    return stretch;
}

static bool supIsTrunkPart( const supPlan* plan, supSpineRange stretch, int32_t i )
{
    float at = supSpinePlace( plan, i );
    return at > stretch.from - 0.06f && at < stretch.to + 0.06f;
}

/// A tail's joint does not lie farther before the hips than this share of the way between the legs.
static const float supBeforeHips = 0.2f;

/// Whether a part lies between the hind legs and the front ones: a belly's own joint hangs on the spine as a tail's
/// does, but lies before the hips.
static bool supIsBetweenLegs( const supPlan* plan, const supBodyReader* reader, int32_t part )
{
    float back = 1e30f, front = -1e30f;
    for ( int32_t i = 0; i < reader->legCount; ++i )
    {
        float at = supDot( reader->pairs[reader->legs[i]].base, plan->forward );
        back = supMinF( back, at );
        front = supMaxF( front, at );
    }
    float at = supDot( plan->graph->parts[part].center, plan->forward );
    return plan->reading.kind == sup_bodyQuadruped && at > back + supBeforeHips * ( front - back ) && at < front;
}

static void supListTrunk( supPlan* plan, const supBodyReader* reader, int32_t arms )
{
    const supSpine* spine = &plan->signs->spine;
    supSpineRange stretch = supTrunkStretch( plan, reader, arms );
    for ( int32_t k = 0; k < spine->count; ++k )
    {
        int32_t i = plan->headFirst ? spine->count - 1 - k : k, part = spine->parts[i];
        float at = supSpinePlace( plan, i );
        bool trunk = supIsTrunkPart( plan, stretch, i );
        supPartRole tail = supIsBetweenLegs( plan, reader, part ) ? sup_partHelper : sup_partTail;
        plan->roles[part] = trunk ? sup_partTrunk : at > stretch.to ? sup_partHead : tail;
        if ( trunk && plan->trunkCount < supMostTrunk )
        {
            plan->trunk[plan->trunkCount++] = plan->graph->parts[part].joint;
        }
        bool beyond = !trunk && at > stretch.to;
        plan->neck = beyond && plan->neck < 0 ? plan->graph->parts[part].joint : plan->neck;
        plan->head = beyond ? plan->graph->parts[part].joint : plan->head;
    }
}

/// The base of the trunk: where the hind legs hang; without legs, the middle of the spine.
static int32_t supFindBase( const supPlan* plan, const supBodyReader* reader )
{
    const supSpine* spine = &plan->signs->spine;
    int32_t base = -1;
    float least = 2.0f;
    for ( int32_t i = 0; i < reader->legCount; ++i )
    {
        const supPair* pair = reader->pairs + reader->legs[i];
        int32_t attach = supAttachOf( plan, pair->left );
        float at = supFromBase( plan, pair->along );
        base = attach >= 0 && at < least ? attach : base;
        least = attach >= 0 ? supMinF( least, at ) : least;
    }
    base = base < 0 && spine->count > 0 ? spine->parts[spine->count / 2] : base;
    return base < 0 ? 0 : base;
}

// ---------------------------------------------------------------------------------------------------------------
// Roles

/// What hangs on a part in the middle that is not on the spine is what that part is.
static void supSpreadRoles( supPlan* plan )
{
    supBodyGraph* graph = plan->graph;
    for ( bool grows = true; grows; )
    {
        grows = false;
        for ( int32_t i = 0; i < graph->bondCount; ++i )
        {
            int32_t a = graph->bonds[i].a, b = graph->bonds[i].b;
            for ( int k = 0; k < 2; ++k )
            {
                int32_t from = k == 0 ? a : b, to = k == 0 ? b : a;
                bool middle = graph->parts[from].side == 0 && graph->parts[to].side == 0;
                if ( middle && plan->roles[from] != sup_partOther && plan->roles[to] == sup_partOther )
                {
                    plan->roles[to] = plan->roles[from] == sup_partTrunk ? sup_partHelper : plan->roles[from];
                    grows = true;
                }
            }
        }
    }
}

static bool supIsLimbOf( const supBodyReader* reader, const supPlan* plan, int32_t appendage, int32_t arms )
{
    bool is = false;
    for ( int32_t i = 0; i < reader->legCount; ++i )
    {
        const supPair* pair = reader->pairs + reader->legs[i];
        is = is || pair->left == appendage || pair->right == appendage;
    }
    bool hasArms = arms >= 0 && ( plan->reading.kind == sup_bodyHuman || plan->reading.kind == sup_bodyBiped );
    return is || ( hasArms && ( reader->pairs[arms].left == appendage || reader->pairs[arms].right == appendage ) );
}

static supPartRole supAppendageKind( const supPlan* plan, const supBodyReader* reader, int32_t index, int32_t arms )
{
    const supAppendage* appendage = plan->signs->appendages + index;
    int32_t attach = supAttachOf( plan, index );
    supPartRole on = attach >= 0 ? plan->roles[attach] : sup_partOther;
    if ( supIsLimbOf( reader, plan, index, arms ) )
    {
        return sup_partLimb;
    }
    if ( on == sup_partHead || on == sup_partTail )
    {
        return on;
    }
    bool flat = appendage->thickness < 0.02f && appendage->flatness > 2.2f && appendage->reach > 0.05f;
    bool fin = flat || appendage->reach > 0.12f;
    return appendage->twin < 0 ? sup_partOther : fin ? sup_partFin : on == sup_partTrunk ? sup_partHelper : on;
}

static void supGiveRoles( supPlan* plan, const supBodyReader* reader, int32_t arms )
{
    supSpreadRoles( plan );
    for ( int32_t i = 0; i < plan->signs->appendageCount; ++i )
    {
        supPartRole role = supAppendageKind( plan, reader, i, arms );
        for ( int32_t p = 0; p < plan->graph->partCount; ++p )
        {
            plan->roles[p] = plan->graph->parts[p].limb == i ? role : plan->roles[p];
        }
    }
    for ( int32_t p = 0; p < plan->graph->partCount; ++p )
    {
        // something else swings it already: hair and skirts of a VRM
        bool swings = supCharacter_Joint( plan->character, plan->graph->parts[p].joint )->hasPhysics;
        plan->roles[p] = swings ? sup_partOther : plan->roles[p];
    }
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        int32_t part = plan->graph->partOf[j];
        supPartRole role = part >= 0 ? plan->roles[part] : sup_partOther;
        plan->inTrunk[j] = plan->area[j] > 0.0f && ( role == sup_partTrunk || role == sup_partHelper );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// All of it

/// Of the pairs that a body does not stand on, its arms.
static int32_t supArmsOf( const supBodyReader* reader )
{
    return reader->legCount > 0 ? supChooseArms( reader, reader->legs[0] ) : -1;
}

/// The end of the spine that the head is at: a standing body's upper one, another's front one.
static bool supIsHeadFirst( const supPlan* plan )
{
    const supSpine* spine = &plan->signs->spine;
    if ( spine->count == 0 )
    {
        return true;
    }
    bool stands = plan->reading.kind == sup_bodyHuman || plan->reading.kind == sup_bodyBlob;
    supVec3 chord = supSub( spine->points[0], spine->points[spine->count + 1] );
    return supDot( chord, stands ? plan->up : plan->forward ) > 0.0f;
}

static void supJudgeUpright( supPlan* plan )
{
    if ( plan->trunkCount > 1 )
    {
        supVec3 axis = supSub( plan->graph->parts[plan->graph->partOf[plan->trunk[plan->trunkCount - 1]]].center,
            plan->graph->parts[plan->graph->partOf[plan->trunk[0]]].center );
        plan->upright = supAbsF( supDot( axis, plan->up ) ) > 0.7f * supLength( axis );
    }
    plan->upright = plan->reading.kind == sup_bodyHuman || ( plan->reading.kind != sup_bodyQuadruped && plan->upright );
}

static bool supArrange( supPlan* plan, const supBodyReader* reader, const supAllocator* allocator )
{
    plan->up = plan->reading.up;
    plan->forward = plan->reading.front;
    plan->left = plan->reading.left;
    plan->headFirst = supIsHeadFirst( plan );
    plan->neck = plan->head = -1;
    if ( plan->graph->partCount == 0 )
    {
        return true;
    }
    supRootTree( plan, supFindBase( plan, reader ) );
    supMeasureChains( plan );
    int32_t arms = supArmsOf( reader );
    supListTrunk( plan, reader, arms );
    supGiveRoles( plan, reader, arms );
    supJudgeUpright( plan );
    for ( int32_t i = 0; i < reader->legCount; ++i )
    {
        supAddPair( plan, reader, reader->legs[i], true );
    }
    if ( arms >= 0 && ( plan->reading.kind == sup_bodyHuman || plan->reading.kind == sup_bodyBiped ) )
    {
        supAddPair( plan, reader, arms, false );
    }
    plan->trunkCount = reader->legCount > 0 && plan->trunkCount > 0 ? plan->trunkCount : 0;
    return supMeasureLimbs( plan, allocator );
}

/// Four times the root mean square distance of the skin from its middle: near the diagonal of the bounds, and the same
/// however the body is turned in its file. What is worn or carried is left out: a sword makes nobody larger.
static float supMeasureSize( const supPlan* plan )
{
    double sum[4] = { 0.0 }, squares = 0.0;
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        for ( int32_t v = mesh.firstVertex; v < mesh.firstVertex + mesh.vertexCount && !plan->isWorn[m]; ++v )
        {
            supVec3 p = supPlan_Vertex( plan, v );
            sum[0] += (double)( plan->vertexArea[v] * p.x );
            sum[1] += (double)( plan->vertexArea[v] * p.y );
            sum[2] += (double)( plan->vertexArea[v] * p.z );
            sum[3] += (double)plan->vertexArea[v];
        }
    }
    double inverse = sum[3] > 0.0 ? 1.0 / sum[3] : 0.0;
    supVec3 middle =
        supMakeVec3( (float)( sum[0] * inverse ), (float)( sum[1] * inverse ), (float)( sum[2] * inverse ) );
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        for ( int32_t v = mesh.firstVertex; v < mesh.firstVertex + mesh.vertexCount && !plan->isWorn[m]; ++v )
        {
            supVec3 away = supSub( supPlan_Vertex( plan, v ), middle );
            squares += (double)( plan->vertexArea[v] * supLengthSquared( away ) );
        }
    }
    float size = 4.0f * (float)supSqrt( squares * inverse );
    return supMaxF( size > 0.0f ? size : supCharacter_Info( plan->character )->size, 1e-20f );
}

static bool supReadParts( supPlan* plan, const supProposeDef* known, const supAllocator* allocator )
{
    supMeasureVertexAreas( plan );
    plan->size = supMeasureSize( plan );
    bool done = supSetOthersAside( plan, allocator );
    if ( !done || !supFindHardParts( plan, allocator ) )
    {
        return false;
    }
    plan->size = supMeasureSize( plan );
    supPlan_ForInfluences( plan, supAddArea, NULL );
    if ( !supMakeBodyGraph( plan, allocator, plan->graph ) || !supFindSymmetry( plan->graph, plan, allocator ) ||
         !supFindBonds( plan->graph, plan, allocator ) )
    {
        return false;
    }
    supReadSigns( plan->graph, plan->signs );
    supBodyReader reader = { .plan = plan, .graph = plan->graph, .signs = plan->signs, .reading = &plan->reading };
    return supReadKind( &reader, known, allocator ) && supArrange( plan, &reader, allocator );
}

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

static supLayout supPlanLayout( supPlan* plan )
{
    size_t vertices = (size_t)supCharacter_Info( plan->character )->vertexCount;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, plan->area, plan->jointCount + 1 );
    SUP_PUT( &layout, plan->hardArea, plan->jointCount );
    SUP_PUT( &layout, plan->reach, plan->jointCount );
    SUP_PUT( &layout, plan->parent, plan->jointCount );
    SUP_PUT( &layout, plan->roles, supMostParts );
    SUP_PUT( &layout, plan->inTrunk, plan->jointCount );
    SUP_PUT( &layout, plan->hasChildren, plan->jointCount );
    SUP_PUT( &layout, plan->vertexArea, vertices );
    SUP_PUT( &layout, plan->pieces, vertices );
    SUP_PUT( &layout, plan->isWorn, supCharacter_Info( plan->character )->meshCount );
    SUP_PUT( &layout, plan->graph, 1 );
    SUP_PUT( &layout, plan->signs, 1 );
    return layout;
}

bool supReadPlan(
    const supCharacter* character, const supProposeDef* known, const supAllocator* allocator, supPlan* plan )
{
    memset( plan, 0, sizeof( *plan ) );
    plan->character = character;
    plan->jointCount = supCharacter_Info( character )->jointCount;
    supLayout layout = supPlanLayout( plan );
    if ( supAllocLayout( allocator, &layout ) == NULL )
    {
        return false;
    }
    supFloatSettings host = supEnterFloatSettings();
    supMarkParents( plan );
    bool read = supReadParts( plan, known, allocator );
    supLeaveFloatSettings( host );
    if ( !read )
    {
        supDropPlan( plan, allocator );
    }
    return read;
}

void supDropPlan( supPlan* plan, const supAllocator* allocator )
{
    supLayout layout = supPlanLayout( plan );
    supDropBodyGraph( plan->graph, allocator );
    supFree( allocator, plan->area, layout.size );
}
