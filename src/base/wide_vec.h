// Supple: vectors of wide floats, for state: every sum and product rounds by itself, in the order of math.h.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/wide.h"

typedef struct supVecW
{
    supW x, y, z;
} supVecW;

SUP_ALWAYS supVecW supSplatVecW( supVec3 a )
{
    return ( supVecW ){ supSplatW( a.x ), supSplatW( a.y ), supSplatW( a.z ) };
}

SUP_ALWAYS supVecW supAddVecW( supVecW a, supVecW b )
{
    return ( supVecW ){ supAddW( a.x, b.x ), supAddW( a.y, b.y ), supAddW( a.z, b.z ) };
}

SUP_ALWAYS supVecW supSubVecW( supVecW a, supVecW b )
{
    return ( supVecW ){ supSubW( a.x, b.x ), supSubW( a.y, b.y ), supSubW( a.z, b.z ) };
}

SUP_ALWAYS supVecW supScaleVecW( supVecW a, supW s )
{
    return ( supVecW ){ supMulW( a.x, s ), supMulW( a.y, s ), supMulW( a.z, s ) };
}

SUP_ALWAYS supVecW supBlendVecW( supMaskW m, supVecW yes, supVecW no )
{
    return ( supVecW ){ supBlendW( m, yes.x, no.x ), supBlendW( m, yes.y, no.y ), supBlendW( m, yes.z, no.z ) };
}

SUP_ALWAYS supW supDotVecW( supVecW a, supVecW b )
{
    return supMulAddW( a.z, b.z, supMulAddW( a.y, b.y, supMulW( a.x, b.x ) ) );
}

SUP_ALWAYS supVecW supCrossVecW( supVecW a, supVecW b )
{
    return ( supVecW ){ supSubW( supMulW( a.y, b.z ), supMulW( a.z, b.y ) ),
        supSubW( supMulW( a.z, b.x ), supMulW( a.x, b.z ) ), supSubW( supMulW( a.x, b.y ), supMulW( a.y, b.x ) ) };
}

/// x v.x + y v.y + z v.z: a matrix of the columns x, y, z times v
SUP_ALWAYS supVecW supCombineW( supVecW x, supVecW y, supVecW z, supVecW v )
{
    return ( supVecW ){ supMulAddW( z.x, v.z, supMulAddW( y.x, v.y, supMulW( x.x, v.x ) ) ),
        supMulAddW( z.y, v.z, supMulAddW( y.y, v.y, supMulW( x.y, v.x ) ) ),
        supMulAddW( z.z, v.z, supMulAddW( y.z, v.y, supMulW( x.z, v.x ) ) ) };
}
