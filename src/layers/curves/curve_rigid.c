// Supple: the rigid part of a curve's motion, as a screw.
// SPDX-License-Identifier: MIT

#include "layers/curves/motion_data.h"

supQuatd supBestTurn( const supVec3d* from, supVec3d fromCenter, const supVec3d* to, supVec3d toCenter, int32_t count )
{
    // sum of to * from^T: its nearest rotation is the answer (Kabsch, "A solution for the best rotation to relate two
    // sets of vectors", 1976)
    supMat34d m = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3d a = supSubD( from[i], fromCenter ), b = supSubD( to[i], toCenter );
        m.x = supMulAddD( m.x, a.x, b );
        m.y = supMulAddD( m.y, a.y, b );
        m.z = supMulAddD( m.z, a.z, b );
    }
    return supNearestRotationD( m );
}

supVec3d supUnwrapTurn( supVec3d turn, supVec3d near )
{
    double angle = supLengthD( turn );
    if ( !( angle > 1e-9 ) )
    {
        return turn;
    }
    supVec3d axis = supScaleD( turn, 1.0 / angle ), best = turn;
    double least = supInfinity();
    for ( int32_t k = -3; k <= 3; ++k )
    {
        supVec3d other = supScaleD( axis, angle + 2.0 * SUP_PI * k );
        supVec3d off = supSubD( other, near );
        if ( supDotD( off, off ) < least )
        {
            least = supDotD( off, off );
            best = other;
        }
    }
    return best;
}

supQuatd supTurnShare( supVec3d turn, double share )
{
    double angle = supLengthD( turn );
    if ( !( angle > 0.0 ) )
    {
        return ( supQuatd ){ 0.0, 0.0, 0.0, 1.0 };
    }
    return supQuatFromAxisAngleD( supScaleD( turn, 1.0 / angle ), angle * share );
}

// With the angle a, h = a / 2 and f = share a / 2: along the axis the center runs evenly; across it, on the circle
// through both ends that sees them under the angle a,
//     sin f / sin h ( cos (f - h) e + sin (f - h) axis x e ),    e the part of the way across the axis,
// which is the straight line for a = 0. At a full turn no circle leads from one place to another: the straight line.
supVec3d supScrewCenter( const supScrew* screw, double share, supVec3d* speed )
{
    supVec3d way = supSubD( screw->to, screw->from );
    double angle = supLengthD( screw->turn ), h = 0.5 * angle;
    double sineH = supSin( h );
    if ( !( angle > 1e-9 ) || supAbs( sineH ) < 0.02 * supMin( h, 1.0 ) )
    {
        if ( speed != NULL )
        {
            *speed = way;
        }
        return supMulAddD( screw->from, share, way );
    }
    supVec3d axis = supScaleD( screw->turn, 1.0 / angle );
    double along = supDotD( way, axis );
    supVec3d e = supMulAddD( way, -along, axis ), side = supCrossD( axis, e );
    double f = share * h, sineF, cosineF, sine, cosine;
    supSinCos( f, &sineF, &cosineF );
    supSinCos( f - h, &sine, &cosine );
    supVec3d center = supMulAddD( screw->from, share * along, axis );
    center = supMulAddD( center, sineF / sineH * cosine, e );
    center = supMulAddD( center, sineF / sineH * sine, side );
    if ( speed != NULL )
    {
        // d/df of sin f cos (f - h) is cos (2 f - h), of sin f sin (f - h) is sin (2 f - h)
        double sine2 = sineF * cosine + cosineF * sine, cosine2 = cosineF * cosine - sineF * sine;
        *speed = supScaleD( axis, along );
        *speed = supMulAddD( *speed, h * cosine2 / sineH, e );
        *speed = supMulAddD( *speed, h * sine2 / sineH, side );
    }
    return center;
}
