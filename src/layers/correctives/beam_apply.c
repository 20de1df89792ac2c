// Supple: beams at work: solved, and the skin carried along; and in pictures.
// SPDX-License-Identifier: MIT
#include "layers/correctives/beams.h"

#include "base/scalar_math.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Scratch

typedef struct supBeamsScratchData
{
    double* features;
    double *shares, *forceShares; ///< of an item
    supTurn* turns;
    supVec3* turned;   ///< of every touched vertex: at rest, to be turned
    supVec3* straight; ///< as it is
    supBeamRoom room;
    size_t size;
} supBeamsScratchData;

static supBeamsScratchData supPlaceBeamsScratch( const supBeamsLayer* layer, char* base )
{
    supBeamsScratchData scratch;
    supLayout layout = supLayoutIn( base );
    SUP_PUT( &layout, scratch.features, (size_t)layer->mostJoints * supPoseFeatures );
    SUP_PUT( &layout, scratch.shares, layer->mostPoses );
    SUP_PUT( &layout, scratch.forceShares, layer->mostForces );
    SUP_PUT( &layout, scratch.turns, layer->held.turnCount );
    SUP_PUT( &layout, scratch.turned, layer->held.touchedCount );
    SUP_PUT( &layout, scratch.straight, layer->carries ? layer->held.touchedCount : 0 );
    SUP_PUT_WIDE( &layout, scratch.room.given, 3 * layer->mostNumbers );
    SUP_PUT( &layout, scratch.room.slopes, 3 * 2 * supBeamLanes * (size_t)layer->mostPanels );
    SUP_PUT_WIDE( &layout, scratch.room.nodes, layer->mostNodes );
    scratch.size = layout.size;
    return scratch;
}

size_t supBeamsScratch( const void* compiled )
{
    return supPlaceBeamsScratch( compiled, NULL ).size;
}

// ---------------------------------------------------------------------------------------------------------------
// Shares

/// Of the poses and the forces, with their live amounts. False: there is nothing to solve.
static bool supReadBeamShares(
    const supBeamsLayer* layer, const supBeams* beams, const supLayerFrame* frame, const supBeamsScratchData* scratch )
{
    const float* listed = frame->live + layer->count + beams->listedAt;
    supReadFeatures( layer->character, &beams->group, frame->joints, scratch->features );
    supBeams_Shares( beams, scratch->features, scratch->shares );
    bool acts = false;
    for ( int32_t f = 0; f < beams->forceCount; ++f )
    {
        double share = beams->forcePoses[f] >= 0 ? scratch->shares[beams->forcePoses[f]] : 1.0;
        scratch->forceShares[f] = share * (double)listed[beams->poseCount + f];
        acts = acts || scratch->forceShares[f] != 0.0;
    }
    for ( int32_t e = 0; e < beams->poseCount; ++e )
    {
        scratch->shares[e] *= (double)listed[e];
        acts = acts || scratch->shares[e] != 0.0;
    }
    return acts;
}

/// Whether the skin of a chain moves as one piece with the joint that it hangs on.
static bool supMovesRigidly( const supBeamsLayer* layer, const supBeams* beams, const supLayerFrame* frame )
{
    const supHeldSkin* held = &layer->held;
    const supMat34* rest = supCharacter_Info( layer->character )->restJoints;
    double least = 1e-6 * (double)supCharacter_Info( layer->character )->size;
    for ( int32_t c = 0; c < beams->chainCount; ++c )
    {
        const supBeamChain* chain = beams->chains + c;
        supMat34d motion = supBeamChain_Motion( chain, frame->joints );
        for ( int32_t k = 0; k < chain->turnCount; ++k )
        {
            int32_t i = chain->turns[k];
            supMat34d own = supMulMatD( supMatToDouble( frame->joints[held->turnJoints[i]] ), held->unturn[i] );
            supVec3d at = supToDouble( rest[held->turnJoints[i]].t );
            double off = supLengthD( supSubD( supTransformPointD( own, at ), supTransformPointD( motion, at ) ) );
            double turned = supLengthD( supSubD( own.x, motion.x ) ) + supLengthD( supSubD( own.y, motion.y ) ) +
                            supLengthD( supSubD( own.z, motion.z ) );
            if ( off > least || turned > 1e-6 )
            {
                return false;
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Skin

static void supAddChain( const supBeamsLayer* layer, const supBeams* beams, const supBeamChain* chain, float amount,
    const supVec3* smooth, const supBeamsScratchData* scratch )
{
    for ( int32_t i = 0; i < chain->tieCount; ++i )
    {
        const supBeamTie* tie = chain->ties + i;
        supVec3 at = supBeamTie_At( tie, scratch->room.nodes );
        float share = amount * tie->member;
        supVec3* turned = scratch->turned + tie->row;
        if ( beams->use == sup_beamsCarry )
        {
            supVec3 off = supSub( at, smooth[layer->held.touched[tie->row]] );
            scratch->straight[tie->row] = supMulAdd( scratch->straight[tie->row], share, off );
            *turned = supMulAdd( *turned, share, tie->detail );
        }
        else
        {
            *turned = supMulAdd( *turned, share, at );
        }
    }
}

/// What an item does in this frame, added up. False: nothing.
static bool supAddBeams(
    const supBeamsLayer* layer, int32_t item, const supLayerFrame* frame, const supBeamsScratchData* scratch )
{
    const supBeams* beams = layer->items + item;
    float amount = frame->live[item];
    bool acts = supReadBeamShares( layer, beams, frame, scratch );
    acts = acts || ( beams->use == sup_beamsCarry && !supMovesRigidly( layer, beams, frame ) );
    if ( !acts || amount == 0.0f )
    {
        return false;
    }
    for ( int32_t c = 0; c < beams->chainCount; ++c )
    {
        const supBeamChain* chain = beams->chains + c;
        supBeamRoom room = scratch->room;
        supBeamChain_Bend( beams, chain, scratch->shares, scratch->forceShares, frame->joints, frame->smooth, &room );
        supAddChain( layer, beams, chain, amount, frame->smooth, scratch );
    }
    for ( int32_t e = 0; e < beams->poseCount; ++e )
    {
        const supBeamDetail* detail = beams->details + e;
        float share = amount * (float)scratch->shares[e];
        for ( int32_t i = 0; i < detail->count && share != 0.0f; ++i )
        {
            supVec3* turned = scratch->turned + detail->rows[i];
            *turned = supMulAdd( *turned, share, detail->moves[i] );
        }
    }
    return true;
}

void supApplyBeams( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    (void)shown;
    const supBeamsLayer* layer = compiled;
    const supHeldSkin* held = &layer->held;
    supBeamsScratchData scratch = supPlaceBeamsScratch( layer, frame->scratch );
    memset( scratch.turned, 0, sizeof( supVec3 ) * (size_t)held->touchedCount );
    memset( scratch.straight, 0, layer->carries ? sizeof( supVec3 ) * (size_t)held->touchedCount : 0 );
    bool acts = false;
    for ( int32_t i = 0; i < layer->count; ++i )
    {
        acts = supAddBeams( layer, i, frame, &scratch ) || acts;
    }
    for ( int32_t i = 0; i < held->turnCount && acts; ++i )
    {
        scratch.turns[i] = supTurnOfJoint( frame->joints[held->turnJoints[i]], held->unturn + i );
    }
    for ( int32_t row = 0; row < held->touchedCount && acts; ++row )
    {
        supVec3* position = positions + held->touched[row];
        if ( layer->carries )
        {
            *position = supAdd( *position, scratch.straight[row] );
        }
        if ( supLengthSquared( scratch.turned[row] ) > 0.0f )
        {
            int32_t first = held->firstHold[row];
            supTurn turn = supBlendTurns( scratch.turns, held->holds + first, held->firstHold[row + 1] - first );
            *position = supMulAdd( *position, turn.scale, supRotate( turn.rotation, scratch.turned[row] ) );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

/// Where a node is: as it was solved, or on the living skin where curves correct it. False where there is none.
static bool supBeamNodePlace(
    const supBeams* beams, const supTubeNode* node, const supBeamNode* solved, const supVec3* positions, supVec3* out )
{
    *out = supVec3_zero;
    for ( int k = 0; k < 3; ++k )
    {
        *out = supMulAdd( *out, node->shares[k], positions[node->corners[k]] );
    }
    if ( beams->use == sup_beamsCarry )
    {
        *out = ( supVec3 ){ solved->at[0], solved->at[1], solved->at[2] };
    }
    return beams->use == sup_beamsCarry || supIsCovered( node );
}

/// Blue where the curve is as at rest, orange where it is carried by a tenth of the size, or corrected by a fiftieth.
static supColor supBeamColor( const supBeams* beams, const supBeamChain* chain, int32_t i, const supBeamNode* solved,
    supMat34d motion, float size )
{
    supVec3 at = { solved->at[0], solved->at[1], solved->at[2] };
    supVec3 from = beams->use == sup_beamsCarry
                       ? supToFloat( supTransformPointD( motion, supToDouble( chain->rest[i] ) ) )
                       : supVec3_zero;
    float full = beams->use == sup_beamsCarry ? 0.1f * size : 0.02f * size;
    float share = supClampF( supDistance( at, from ) / full, 0.0f, 1.0f );
    return ( supColor ){ 0.05f + 0.9f * share, 0.15f + 0.2f * share, 0.7f * ( 1.0f - share ), 1.0f };
}

static void supDrawBeamChain( const supBeamsLayer* layer, const supBeams* beams, const supBeamChain* chain,
    const supLayerFrame* frame, const supBeamNode* solved, const supVec3* positions, const supDraw* draw )
{
    const supTube* tube = chain->tube;
    float size = supCharacter_Info( layer->character )->size;
    supMat34d motion = supBeamChain_Motion( chain, frame->joints );
    for ( int32_t i = 0; i + 1 < tube->curves * tube->nodes; ++i )
    {
        supVec3 from, to;
        if ( ( i + 1 ) % tube->nodes != 0 && supBeamNodePlace( beams, tube->grid + i, solved + i, positions, &from ) &&
             supBeamNodePlace( beams, tube->grid + i + 1, solved + i + 1, positions, &to ) )
        {
            draw->line( from, to, supBeamColor( beams, chain, i, solved + i, motion, size ), 1.5f, draw->user );
        }
    }
}

void supDrawBeams( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    (void)shown;
    (void)what;
    const supBeamsLayer* layer = compiled;
    supBeamsScratchData scratch = supPlaceBeamsScratch( layer, frame->scratch );
    for ( int32_t b = 0; b < layer->count; ++b )
    {
        const supBeams* beams = layer->items + b;
        supReadBeamShares( layer, beams, frame, &scratch );
        for ( int32_t c = 0; c < beams->chainCount && draw->line != NULL; ++c )
        {
            supBeamRoom room = scratch.room;
            supBeamChain_Bend(
                beams, beams->chains + c, scratch.shares, scratch.forceShares, frame->joints, frame->smooth, &room );
            supDrawBeamChain( layer, beams, beams->chains + c, frame, room.nodes, positions, draw );
        }
        if ( draw->label != NULL && beams->poseCount > 0 )
        {
            char text[64];
            snprintf( text, sizeof( text ), "%s: %.2f", beams->name, scratch.shares[beams->poseCount - 1] );
            supVec3 at = frame->joints[beams->group.joints[0]].t;
            draw->label( at, text, ( supColor ){ 0.0f, 0.0f, 0.0f, 1.0f }, draw->user );
        }
    }
}
