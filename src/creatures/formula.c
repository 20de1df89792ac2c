// Supple: turns by degrees and by frames.
// SPDX-License-Identifier: MIT

#include "creatures/formula.h"

supQuatd supTurnBy( supVec3d axis, double degrees )
{
    return supQuatFromAxisAngleD( axis, degrees * ( SUP_PI / 180.0 ) );
}

supQuatd supTurnByAngles( double x, double y, double z )
{
    supQuatd turnX = supTurnBy( supV( 1.0, 0.0, 0.0 ), x );
    supQuatd turnY = supTurnBy( supV( 0.0, 1.0, 0.0 ), y );
    supQuatd turnZ = supTurnBy( supV( 0.0, 0.0, 1.0 ), z );
    return supMulQuatD( turnY, supMulQuatD( turnX, turnZ ) );
}

// The turn that carries y to `along` and z to the part of `facing` across it.
static supQuatd supAlongTurn( supVec3d along, supVec3d facing )
{
    supVec3d y = supNormalizeD( along );
    supVec3d x = supNormalizeD( supCrossD( y, facing ) );
    return supQuatFromMatD( ( supMat34d ){ x, y, supCrossD( x, y ), { 0.0, 0.0, 0.0 } } );
}

supQuatd supFrameTurn( supVec3d fromAlong, supVec3d fromFacing, supVec3d toAlong, supVec3d toFacing )
{
    supQuatd from = supAlongTurn( fromAlong, fromFacing );
    supQuatd to = supAlongTurn( toAlong, toFacing );
    return supMulQuatD( to, supConjugateD( from ) );
}
