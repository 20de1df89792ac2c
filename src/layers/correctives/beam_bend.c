// Supple: beams in a frame: shares of the poses, forces, ends, and the solve.
// SPDX-License-Identifier: MIT
#include "layers/correctives/beams.h"

#include "base/scalar_math.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Shares

/// How much of each pose of the list there is by equation 14: along the way from rest to the first, from that to the
/// second and so on, at the place on it that is nearest to the pose. Nothing before rest; past the last it goes on.
static void supLinearShares( const supBeams* beams, const double* features, double* shares )
{
    int32_t width = beams->group.jointCount * supPoseFeatures, best = 0;
    double nearest = 0.0, ratio = 0.0;
    for ( int32_t e = 0; e < beams->poseCount; ++e )
    {
        const double *to = beams->points + (size_t)e * (size_t)width, *from = to - width;
        double along = 0.0, length = 0.0, off = 0.0;
        for ( int32_t k = 0; k < width; ++k )
        {
            double start = e > 0 ? from[k] : 0.0, way = to[k] - start;
            along += ( features[k] - start ) * way;
            length += way * way;
        }
        double own = length > 0.0 ? supMax( along / length, 0.0 ) : 0.0;
        own = e + 1 < beams->poseCount ? supMin( own, 1.0 ) : own;
        for ( int32_t k = 0; k < width; ++k )
        {
            double start = e > 0 ? from[k] : 0.0, gap = start + own * ( to[k] - start ) - features[k];
            off += gap * gap;
        }
        if ( e == 0 || off < nearest )
        {
            best = e;
            nearest = off;
            ratio = own;
        }
    }
    for ( int32_t e = 0; e < beams->poseCount; ++e )
    {
        shares[e] = e == best ? ratio : e + 1 == best ? 1.0 - ratio : 0.0;
    }
}

void supBeams_Shares( const supBeams* beams, const double* features, double* shares )
{
    if ( beams->poseCount > 0 && beams->between == sup_betweenLinear )
    {
        supLinearShares( beams, features, shares );
    }
    else if ( beams->poseCount > 0 )
    {
        supPoseSpace_Shares( &beams->group.space, features, shares );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Curves

supMat34d supBeamChain_Motion( const supBeamChain* chain, const supMat34* joints )
{
    return supMulMatD( supMatToDouble( joints[chain->frame] ), chain->unframe );
}

/// Where a node of a curve is on the smooth skin.
static supVec3d supNodeOnSmooth( const supTubeNode* node, const supVec3* smooth )
{
    supVec3d sum = { 0.0, 0.0, 0.0 };
    for ( int k = 0; k < 3; ++k )
    {
        sum = supMulAddD( sum, (double)node->shares[k], supToDouble( smooth[node->corners[k]] ) );
    }
    return sum;
}

/// A direction on the skin at an end as the joints turn it.
static supVec3d supTurnAtEnd( const supBeamEnd* end, const supMat34* joints, supVec3d direction )
{
    supVec3d sum = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < end->count; ++i )
    {
        supVec3d own = supTransformVectorD( end->unrest[i], direction );
        own = supTransformVectorD( supMatToDouble( joints[end->joints[i]] ), own );
        sum = supMulAddD( sum, (double)end->weights[i], own );
    }
    return sum;
}

size_t supBeamPlace( const supTube* tube, int32_t curve, int32_t node )
{
    size_t panel = (size_t)( curve / supBeamLanes ) * (size_t)tube->nodes;
    return ( panel + (size_t)node ) * supBeamLanes + (size_t)( curve % supBeamLanes );
}

/// Ends where the joints have them, as displacements seen from the joint that the chain hangs on, and how fast these
/// grow along the curve. The slope is the joints' own: a difference of places on the skin would be as coarse as floats
/// are, times the number of nodes.
static void supEndByJoints( const supBeamChain* chain, const supMat34d* back, const supMat34* joints,
    const supVec3* smooth, int32_t curve, int end, supBeamRoom* room )
{
    const supTube* tube = chain->tube;
    const supBeamEnd* driven = chain->ends[end] + curve;
    int32_t last = tube->nodes - 1, own = end == 0 ? 0 : last;
    supVec3d value = { 0.0, 0.0, 0.0 }, slope = { 0.0, 0.0, 0.0 };
    if ( driven->curve >= 0 && smooth != NULL )
    {
        size_t first = (size_t)driven->curve * (size_t)tube->nodes;
        const supVec3* rest = chain->rest + first;
        supVec3d at = supNodeOnSmooth( tube->grid + first + own, smooth );
        value = supSubD( supTransformPointD( *back, at ), supToDouble( rest[own] ) );
        int32_t from = end == 0 ? 0 : last - 1;
        supVec3d way = supScaleD( supSubD( supToDouble( rest[from + 1] ), supToDouble( rest[from] ) ), last );
        slope = supSubD( supTransformVectorD( *back, supTurnAtEnd( driven, joints, way ) ), way );
    }
    size_t place = supBeamPlace( tube, curve, own ), panel = 2 * supBeamLanes * (size_t)chain->panels;
    size_t row = ( (size_t)( curve / supBeamLanes ) * 2 + (size_t)end ) * supBeamLanes + (size_t)curve % supBeamLanes;
    for ( size_t k = 0; k < 3; ++k )
    {
        room->given[k * chain->numbers + place] = ( &value.x )[k];
        room->slopes[k * panel + row] = ( &slope.x )[k];
    }
}

void supBeamChain_Ends(
    const supBeams* beams, const supBeamChain* chain, const supMat34* joints, const supVec3* smooth, supBeamRoom* room )
{
    memset( room->slopes, 0, 3 * 2 * supBeamLanes * (size_t)chain->panels * sizeof( double ) );
    if ( beams->ends != sup_endsJoints )
    {
        return;
    }
    supMat34d back = supMat34d_identity;
    bool known = supInvertMatD( supBeamChain_Motion( chain, joints ), &back );
    const supVec3* skin = known && beams->use == sup_beamsCarry ? smooth : NULL;
    for ( int32_t c = 0; c < chain->tube->curves; ++c )
    {
        supEndByJoints( chain, &back, joints, skin, c, 0, room );
        supEndByJoints( chain, &back, joints, skin, c, 1, room );
    }
}

static void supAddScaled( double* to, double factor, const double* from, size_t count )
{
    for ( size_t i = 0; i < count && factor != 0.0; ++i )
    {
        to[i] += factor * from[i];
    }
}

/// Displacements as nodes: as they are, or where they lead.
static void supReadNodes(
    const supBeams* beams, const supBeamChain* chain, const supMat34* joints, const supBeamRoom* room )
{
    const supTube* tube = chain->tube;
    bool carries = beams->use == sup_beamsCarry;
    supMat34d motion = supBeamChain_Motion( chain, joints );
    for ( int32_t i = 0; i < tube->curves * tube->nodes; ++i )
    {
        const double* from = room->given + supBeamPlace( tube, i / tube->nodes, i % tube->nodes );
        supVec3d q = { from[0], from[chain->numbers], from[2 * chain->numbers] };
        q = carries ? supTransformPointD( motion, supAddD( supToDouble( chain->rest[i] ), q ) ) : q;
        room->nodes[i] = ( supBeamNode ){ { (float)q.x, (float)q.y, (float)q.z, 0.0f } };
    }
}

void supBeamChain_Bend( const supBeams* beams, const supBeamChain* chain, const double* shares,
    const double* forceShares, const supMat34* joints, const supVec3* smooth, supBeamRoom* room )
{
    size_t all = 3 * chain->numbers;
    memset( room->given, 0, all * sizeof( double ) );
    for ( int32_t e = 0; e < beams->poseCount; ++e )
    {
        supAddScaled( room->given, shares[e], chain->poses + (size_t)e * all, all );
    }
    for ( int32_t f = 0; f < beams->forceCount && forceShares != NULL; ++f )
    {
        supAddScaled( room->given, forceShares[f], chain->forces + (size_t)f * all, all );
    }
    supBeamChain_Ends( beams, chain, joints, smooth, room );
    for ( size_t k = 0; k < 3; ++k )
    {
        double* own = room->given + k * chain->numbers;
        const double* slopes = room->slopes + k * 2 * supBeamLanes * (size_t)chain->panels;
        supBeam_AddSlopes( beams->beams + k, chain->panels, 1.0, slopes, own );
        supBeam_Solve( beams->beams + k, chain->panels, own, own );
    }
    supReadNodes( beams, chain, joints, room );
}

supVec3 supBeamTie_At( const supBeamTie* tie, const supBeamNode* nodes )
{
    float sum[4] = { 0.0f, 0.0f, 0.0f, 0.0f };
    for ( int c = 0; c < 4; ++c )
    {
        const supBeamNode* from = nodes + tie->at[c];
        for ( int n = 0; n < 4; ++n )
        {
            float share = tie->around[c] * tie->along[n];
            for ( int k = 0; k < 4; ++k )
            {
                sum[k] += share * from[n].at[k];
            }
        }
    }
    return ( supVec3 ){ sum[0], sum[1], sum[2] };
}
