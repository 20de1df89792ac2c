// Supple: where curves put the surface.
// SPDX-License-Identifier: MIT
//
// The paper puts p' at the same ratio of the straight line from A' to B'. Under a twist that line cuts through the
// limb, the candy wrapper again, only smaller. So the two curves are first laid over one another: each is seen from its
// own center in its own turned frame; there the ratio is taken, and the result is turned by the same share of the turn
// from A's frame to B's. The centers are joined by a cubic that leaves each curve as its frame says. With no turn
// between the curves all of this is the paper's straight line.

#include "network_data.h"

static supVec3d supLocalPoint( const supCurveNetwork* network, int32_t c, const supVec3d* locals, double v )
{
    const supKeptCurve* curve = &network->curves[c];
    return supTrigPoint( curve->open, curve->terms, locals + curve->firstCoefficient, v );
}

static supVec3d supCenterBetween( const supCurveNetwork* network, const supHang* hang, const supCurvePose* poses )
{
    const supCurvePose *a = &poses[hang->a], *b = &poses[hang->b];
    supVec3d rest = supSubD( network->curves[hang->b].center, network->curves[hang->a].center );
    supVec3d now = supSubD( b->center, a->center );
    double length = supLengthD( rest ), r = hang->ratio;
    double stretch = length > 0.0 ? supClamp( supLengthD( now ) / length, 0.0, 2.0 ) : 1.0;
    supVec3d leave = supScaleD( supRotateD( a->turn, rest ), stretch );
    supVec3d arrive = supScaleD( supRotateD( b->turn, rest ), stretch );
    supVec3d center = supMulAddD( a->center, r * ( 1.0 - r ) * ( 1.0 - r ), leave );
    center = supMulAddD( center, r * r * ( 3.0 - 2.0 * r ), now );
    return supMulAddD( center, r * r * ( r - 1.0 ), arrive );
}

supVec3d supNetwork_Place(
    const supCurveNetwork* network, int32_t place, const supCurvePose* poses, const supVec3d* locals, supMat34d* blend )
{
    supVec3d sum = { 0.0, 0.0, 0.0 };
    if ( blend != NULL )
    {
        *blend = ( supMat34d ){ { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    }
    for ( int32_t i = network->hangStart[place]; i < network->hangStart[place + 1]; ++i )
    {
        const supHang* hang = &network->hangs[i];
        supVec3d local = supLocalPoint( network, hang->a, locals, hang->vA );
        supVec3d center = poses[hang->a].center;
        supQuatd turn = poses[hang->a].turn;
        if ( hang->b >= 0 )
        {
            local = supLerpD( local, supLocalPoint( network, hang->b, locals, hang->vB ), hang->ratio );
            center = supCenterBetween( network, hang, poses );
            turn = supSlerpD( turn, poses[hang->b].turn, hang->ratio );
        }
        supVec3d put = supAddD( center, supRotateD( turn, local ) );
        sum = supMulAddD( sum, hang->weight, put );
        if ( blend != NULL )
        {
            supMat34d m = supMatFromQuatD( turn );
            blend->x = supMulAddD( blend->x, hang->weight, m.x );
            blend->y = supMulAddD( blend->y, hang->weight, m.y );
            blend->z = supMulAddD( blend->z, hang->weight, m.z );
        }
    }
    return sum;
}
