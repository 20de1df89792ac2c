// Supple: beams compiled: curves on the part, each pose's forces, and what the curves do not hold of it.
// SPDX-License-Identifier: MIT
#include "layers/correctives/beams_work.h"

#include "base/scalar_math.h"
#include "supple/lab/items.h"

#include <stdio.h>
#include <string.h>

supResult supNoRoomForBeams( const supBeamsWork* work )
{
    return supFail( work->example.error, sup_errorMemory, "no memory for beams[%d]", work->item );
}

void supDestroyBeams( void* compiled, const supAllocator* allocator )
{
    supBeamsLayer* layer = compiled;
    for ( int32_t i = 0; layer->items != NULL && i < layer->count; ++i )
    {
        const supBeams* beams = layer->items + i;
        for ( int32_t c = 0; c < beams->chainCount; ++c )
        {
            supFree( allocator, beams->chains[c].tube, beams->chains[c].tube->blockSize );
        }
    }
    supFreeBlocks( &layer->kept, allocator );
    supFree( allocator, layer, sizeof( supBeamsLayer ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Poses

static supResult supReadBeamPose( supBeamsWork* work, const int32_t* drivers, int32_t e )
{
    supExampleWork* example = &work->example;
    const supBeamPose* pose = (const supBeamPose*)work->beams->def->poses.items + e;
    supExampleDef* def = &work->def;
    def->clip = pose->clip;
    def->time = pose->time;
    def->pose = pose->pose;
    def->morph = pose->morph;
    def->moves = pose->moves;
    def->shape = pose->shape;
    def->space = pose->space;
    def->skinning = pose->skinning;
    supPathText( example->place, "beams[%d].poses[%d]", work->item, e );
    const supCharacter* character = example->context->character;
    int32_t vertices = supCharacter_Info( character )->vertexCount;
    memset( example->moves, 0, sizeof( supVec3 ) * (size_t)vertices );
    supResult result = supPoseExample( example, drivers );
    result = result == sup_success ? supSculptExample( example ) : result;
    result = result == sup_success ? supSkinExample( example, (supSkinning)pose->skinning ) : result;
    for ( int32_t v = 0; v < vertices && result == sup_success; ++v )
    {
        if ( !supIsFiniteVec3( example->moves[v] ) )
        {
            return supFail(
                example->error, sup_errorData, "%s: the move of vertex %d is not a finite number", example->place, v );
        }
    }
    return result;
}

/// Where the pose has a node: a displacement at rest, seen from the joint that the chain hangs on where curves carry.
/// `posed`: of all vertices, where curves carry.
static void supReadPoseNodes(
    const supBeamsWork* work, const supBeamChain* chain, const supVec3* posed, supVec3* places )
{
    const supTube* tube = chain->tube;
    bool carries = work->beams->use == sup_beamsCarry;
    const supVec3* from = carries ? posed : work->example.moves;
    supMat34d back = supMat34d_identity;
    if ( carries )
    {
        supInvertMatD( supBeamChain_Motion( chain, work->example.joints ), &back );
    }
    for ( int32_t i = 0; i < tube->curves * tube->nodes; ++i )
    {
        supVec3d q = { 0.0, 0.0, 0.0 };
        for ( int k = 0; k < 3; ++k )
        {
            q = supMulAddD( q, (double)tube->grid[i].shares[k], supToDouble( from[tube->grid[i].corners[k]] ) );
        }
        q = carries ? supSubD( supTransformPointD( back, q ), supToDouble( chain->rest[i] ) ) : q;
        places[i] = supToFloat( q );
    }
    supFillUncovered( tube, places );
}

/// F = K q of a pose, with the ends as they will be; the places of these beside.
static void supForcesOfPose( const supBeamsWork* work, const supBeamChain* chain, int32_t e, const supVec3* places )
{
    const supBeams* beams = work->beams;
    const supTube* tube = chain->tube;
    supBeamRoom room = work->room;
    double* own = chain->poses + (size_t)e * 3 * chain->numbers;
    memset( room.given, 0, 3 * chain->numbers * sizeof( double ) );
    for ( int32_t i = 0; i < tube->curves * tube->nodes; ++i )
    {
        for ( size_t k = 0; k < 3; ++k )
        {
            room.given[k * chain->numbers + supBeamPlace( tube, i / tube->nodes, i % tube->nodes )] =
                (double)( &places[i].x )[k];
        }
    }
    supBeamChain_Ends( beams, chain, work->example.joints, work->example.skinned, &room );
    for ( size_t k = 0; k < 3; ++k )
    {
        const double* given = room.given + k * chain->numbers;
        double* to = own + k * chain->numbers;
        supBeam_Forces( beams->beams + k, chain->panels, given, to );
        supBeam_AddSlopes(
            beams->beams + k, chain->panels, -1.0, room.slopes + k * 2 * supBeamLanes * (size_t)chain->panels, to );
        for ( int32_t c = 0; c < tube->curves; ++c )
        {
            size_t first = supBeamPlace( tube, c, 0 ), last = supBeamPlace( tube, c, tube->nodes - 1 );
            to[first] = given[first];
            to[last] = given[last];
        }
    }
}

/// What the curves make of the pose, taken from what is left of it.
static void supTakeCarried( const supBeamsWork* work, const supBeamChain* chain, const supTurn* turns )
{
    for ( int32_t i = 0; i < chain->tieCount; ++i )
    {
        const supBeamTie* tie = chain->ties + i;
        supVec3 at = supBeamTie_At( tie, work->room.nodes ), *left = work->left + tie->row;
        if ( work->beams->use == sup_beamsCarry )
        {
            supTurn turn = turns[tie->row];
            supVec3 off = supSub( work->example.skinned[tie->row], at );
            off = turn.scale > 0.0f ? supScale( supRotate( supConjugate( turn.rotation ), off ), 1.0f / turn.scale )
                                    : supVec3_zero;
            at = supSub( tie->detail, off );
        }
        *left = supMulAdd( *left, -tie->member, at );
    }
}

static supResult supKeepDetail( const supBeamsWork* work, supBeamDetail* detail )
{
    const supCharacterInfo* info = supCharacter_Info( work->example.context->character );
    float least = 1e-8f * info->size;
    for ( int pass = 0; pass < 2; ++pass )
    {
        int32_t at = 0;
        for ( int32_t v = 0; v < info->vertexCount; ++v )
        {
            if ( supLength( work->left[v] ) > least )
            {
                if ( pass == 1 )
                {
                    detail->rows[at] = v; // of the character until all is there
                    detail->moves[at] = work->left[v];
                    work->marks[v] = 1;
                }
                ++at;
            }
        }
        if ( pass == 0 )
        {
            detail->count = at;
            detail->rows = supKeepBlock( &work->layer->kept, (size_t)at, sizeof( int32_t ) );
            detail->moves = supKeepBlock( &work->layer->kept, (size_t)at, sizeof( supVec3 ) );
            if ( detail->rows == NULL || detail->moves == NULL )
            {
                return supNoRoomForBeams( work );
            }
        }
    }
    return sup_success;
}

/// The pose as forces, and what those do not bring back. `posed`, `turns`: of all vertices, `places`: of all nodes of a
/// chain; scratch.
static supResult supTurnPoseToForces( supBeamsWork* work, int32_t e, supVec3* posed, supTurn* turns, supVec3* places )
{
    supBeams* beams = work->beams;
    supExampleWork* example = &work->example;
    const supCharacter* character = example->context->character;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        for ( int32_t k = 0; k < mesh.vertexCount; ++k )
        {
            int32_t v = mesh.firstVertex + k;
            turns[v] = supTurnOfVertex( example, &mesh, k );
            posed[v] =
                supMulAdd( example->skinned[v], turns[v].scale, supRotate( turns[v].rotation, example->moves[v] ) );
            work->left[v] = example->moves[v];
        }
    }
    for ( int32_t k = 0; k < beams->poseCount; ++k )
    {
        work->shares[k] = k == e ? 1.0 : 0.0;
    }
    for ( int32_t c = 0; c < beams->chainCount; ++c )
    {
        const supBeamChain* chain = beams->chains + c;
        supReadPoseNodes( work, chain, posed, places );
        supForcesOfPose( work, chain, e, places );
        supBeamChain_Bend( beams, chain, work->shares, NULL, example->joints, example->skinned, &work->room );
        supTakeCarried( work, chain, turns );
    }
    return supKeepDetail( work, beams->details + e );
}

// ---------------------------------------------------------------------------------------------------------------
// All

static supResult supSharePoses( supBeamsWork* work )
{
    supBeams* beams = work->beams;
    if ( beams->poseCount == 0 )
    {
        return sup_success;
    }
    supArray* kept = &work->layer->kept;
    const char** names = supKeepBlock( kept, (size_t)beams->poseCount, sizeof( const char* ) );
    char* texts = supKeepBlock( kept, (size_t)beams->poseCount, SUP_PATH_TEXT );
    char* block = supKeepBlock( kept, supPoseSpace_MemorySize( beams->group.jointCount, beams->poseCount ), 1 );
    if ( names == NULL || texts == NULL || block == NULL )
    {
        return supNoRoomForBeams( work );
    }
    const supBeamPose* poses = beams->def->poses.items;
    for ( int32_t e = 0; e < beams->poseCount; ++e )
    {
        char* text = texts + (size_t)e * SUP_PATH_TEXT;
        snprintf( text, SUP_PATH_TEXT, "poses[%d]", e );
        names[e] = poses[e].name != NULL ? poses[e].name : text;
    }
    supError inner = { 0 };
    supResult result = supInitPoseSpace( &beams->group.space, block, beams->group.jointCount, beams->poseCount,
        beams->points, names, work->example.context->allocator, &inner );
    return result == sup_success ? result
                                 : supFail( work->example.error, result, "beams[%d]: %s", work->item, inner.text );
}

static supResult supOpenBeams( supBeamsWork* work, const supBeamsDef* def )
{
    supBeams* beams = work->beams;
    supArray* kept = &work->layer->kept;
    size_t joints = (size_t)def->joints.count, poses = (size_t)def->poses.count, forces = (size_t)def->forces.count;
    beams->def = def;
    snprintf( beams->name, sizeof( beams->name ), "%s", def->name );
    beams->use = def->use;
    beams->ends = def->ends;
    beams->between = def->between;
    beams->poseCount = def->poses.count;
    beams->forceCount = def->forces.count;
    beams->group.jointCount = def->joints.count;
    beams->group.joints = supKeepBlock( kept, joints, sizeof( int32_t ) );
    beams->group.restTurns = supKeepBlock( kept, joints, sizeof( supQuatd ) );
    beams->group.axes = supKeepBlock( kept, joints, sizeof( supVec3d ) );
    beams->points = supKeepBlock( kept, poses * joints * supPoseFeatures, sizeof( double ) );
    beams->forcePoses = supKeepBlock( kept, forces, sizeof( int32_t ) );
    beams->details = supKeepBlock( kept, poses, sizeof( supBeamDetail ) );
    if ( beams->group.joints == NULL || beams->group.restTurns == NULL || beams->group.axes == NULL ||
         beams->points == NULL || beams->forcePoses == NULL || beams->details == NULL )
    {
        return supNoRoomForBeams( work );
    }
    work->def = supDefaultExampleDef();
    work->def.joints = def->joints;
    work->example.def = &work->def;
    supPathText( work->example.place, "beams[%d]", work->item );
    return supFindDrivers( &work->example, beams->group.joints );
}

static supResult supCompileBeam(
    supBeamsWork* work, const supBeamsDef* def, supVec3* posed, supTurn* turns, supVec3* places )
{
    supBeams* beams = work->beams;
    supResult result = supOpenBeams( work, def );
    if ( result == sup_success )
    {
        supMeasureGroup( work->example.context->character, &beams->group );
        supFindForcePoses( beams );
        result = supFactorBeams( work );
    }
    const int32_t* drivers = beams->group.joints;
    result = result == sup_success ? supAddBeamChains( work, drivers ) : result;
    for ( int32_t c = 0; c < beams->chainCount && result == sup_success; ++c )
    {
        supFillForces( work, beams->chains + c );
    }
    size_t width = (size_t)beams->group.jointCount * supPoseFeatures;
    for ( int32_t e = 0; e < beams->poseCount && result == sup_success; ++e )
    {
        result = supReadBeamPose( work, drivers, e );
        if ( result == sup_success )
        {
            supReadFeatures( work->example.context->character, &beams->group, work->example.joints,
                beams->points + (size_t)e * width );
            result = supTurnPoseToForces( work, e, posed, turns, places );
        }
    }
    result = result == sup_success ? supSharePoses( work ) : result;
    beams->def = NULL; // it is the rig's
    return result;
}

/// The joints that the skin of a chain hangs on, among those that turn. `marks`: one a turning joint, zeros, left so.
static supResult supFindChainTurns( supBeamsLayer* layer, supBeamChain* chain, uint8_t* marks )
{
    const supHeldSkin* held = &layer->held;
    for ( int32_t i = 0; i < chain->tieCount; ++i )
    {
        int32_t row = chain->ties[i].row;
        for ( int32_t k = held->firstHold[row]; k < held->firstHold[row + 1]; ++k )
        {
            chain->turnCount += marks[held->holds[k].turn] == 0;
            marks[held->holds[k].turn] = 1;
        }
    }
    chain->turns = supKeepBlock( &layer->kept, (size_t)chain->turnCount, sizeof( int32_t ) );
    int32_t at = 0;
    for ( int32_t i = 0; i < held->turnCount; ++i )
    {
        if ( marks[i] != 0 && chain->turns != NULL )
        {
            chain->turns[at++] = i;
        }
        marks[i] = 0;
    }
    return chain->turns != NULL ? sup_success : sup_errorMemory;
}

/// Ties and details say which of the touched vertices they are of.
static void supNumberRows( const supBeamsLayer* layer, const int32_t* rows )
{
    for ( int32_t i = 0; i < layer->count; ++i )
    {
        const supBeams* beams = layer->items + i;
        for ( int32_t c = 0; c < beams->chainCount; ++c )
        {
            for ( int32_t k = 0; k < beams->chains[c].tieCount; ++k )
            {
                beams->chains[c].ties[k].row = rows[beams->chains[c].ties[k].row];
            }
        }
        for ( int32_t e = 0; e < beams->poseCount; ++e )
        {
            for ( int32_t k = 0; k < beams->details[e].count; ++k )
            {
                beams->details[e].rows[k] = rows[beams->details[e].rows[k]];
            }
        }
    }
}

static int32_t supMost( int32_t a, int32_t b )
{
    return a > b ? a : b;
}

static void supMeasureLayer( supBeamsLayer* layer, const supBeamsDef* const* defs )
{
    int32_t listed = 0;
    for ( int32_t i = 0; i < layer->count; ++i )
    {
        const supBeamsDef* def = defs[i];
        int32_t panels = ( (int32_t)def->curves + supBeamLanes - 1 ) / supBeamLanes;
        int32_t nodes = (int32_t)def->curves * (int32_t)def->nodes;
        size_t numbers = (size_t)panels * (size_t)def->nodes * supBeamLanes;
        layer->items[i].listedAt = listed;
        listed += def->poses.count + def->forces.count;
        layer->carries = layer->carries || def->use == sup_beamsCarry;
        layer->mostJoints = supMost( layer->mostJoints, def->joints.count );
        layer->mostPoses = supMost( layer->mostPoses, def->poses.count );
        layer->mostForces = supMost( layer->mostForces, def->forces.count );
        layer->mostPanels = supMost( layer->mostPanels, panels );
        layer->mostNodes = supMost( layer->mostNodes, nodes );
        layer->mostNumbers = numbers > layer->mostNumbers ? numbers : layer->mostNumbers;
    }
}

static supResult supCompileItems( supBeamsWork* work, const supBeamsDef* const* defs )
{
    supBeamsLayer* layer = work->layer;
    const supCharacter* character = layer->character;
    size_t vertices = (size_t)supCharacter_Info( character )->vertexCount;
    supLayout layout = supMakeLayout();
    supPutExampleWork( &layout, &work->example, character );
    SUP_PUT( &layout, work->marks, vertices );
    SUP_PUT( &layout, work->left, vertices );
    SUP_PUT( &layout, work->shares, layer->mostPoses );
    SUP_PUT_WIDE( &layout, work->room.given, 3 * layer->mostNumbers );
    SUP_PUT( &layout, work->room.slopes, 3 * 2 * supBeamLanes * (size_t)layer->mostPanels );
    SUP_PUT_WIDE( &layout, work->room.nodes, layer->mostNodes );
    SUP_PUT_NEW( &layout, supVec3, posed, vertices );
    SUP_PUT_NEW( &layout, supTurn, turns, vertices );
    SUP_PUT_NEW( &layout, supVec3, places, layer->mostNodes );
    SUP_PUT_NEW( &layout, int32_t, rows, vertices );
    SUP_PUT_NEW( &layout, uint8_t, turnMarks, supCharacter_Info( character )->jointCount );
    SUP_PUT_NEW( &layout, int32_t, slots, supCharacter_Info( character )->jointCount );
    char* scratch = supAllocLayout( work->example.context->allocator, &layout );
    supResult result = scratch != NULL ? sup_success : supNoRoomForBeams( work );
    for ( int32_t i = 0; i < layer->count && result == sup_success; ++i )
    {
        work->item = i;
        work->beams = layer->items + i;
        result = supCompileBeam( work, defs[i], posed, turns, places );
    }
    if ( result == sup_success )
    {
        result = supHoldSkin( character, work->marks, &layer->kept, slots, rows, &layer->held, work->example.error );
    }
    if ( result == sup_success )
    {
        supNumberRows( layer, rows );
    }
    for ( int32_t i = 0; i < layer->count && result == sup_success; ++i )
    {
        for ( int32_t c = 0; c < layer->items[i].chainCount && result == sup_success; ++c )
        {
            result = supFindChainTurns( layer, layer->items[i].chains + c, turnMarks );
        }
    }
    supFree( work->example.context->allocator, scratch, layout.size );
    return result != sup_errorMemory ? result : supNoRoomForBeams( work );
}

supResult supCompileBeams(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    supBeamsWork work = { .example = { .context = context, .error = error } };
    supBeamsLayer* layer = supAllocZeroed( context->allocator, 1, sizeof( supBeamsLayer ), _Alignof( supBeamsLayer ) );
    if ( layer == NULL )
    {
        return supNoRoomForBeams( &work );
    }
    layer->kept = supKeepBlocks( context->allocator );
    layer->character = context->character;
    layer->count = count;
    layer->items = supKeepBlock( &layer->kept, (size_t)count, sizeof( supBeams ) );
    work.layer = layer;
    work.example.kept = &layer->kept;
    supResult result = layer->items != NULL ? sup_success : supNoRoomForBeams( &work );
    if ( result == sup_success )
    {
        supMeasureLayer( layer, (const supBeamsDef* const*)items );
        result = supCompileItems( &work, (const supBeamsDef* const*)items );
    }
    if ( result != sup_success )
    {
        supDestroyBeams( layer, context->allocator );
        return result;
    }
    *out = layer;
    return sup_success;
}
