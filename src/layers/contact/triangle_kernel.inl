// How far a place is from sixteen triangles side by side, for one path of the wide float. The same bits on every path.
// SPDX-License-Identifier: MIT
#include "base/wide_vec.h"
#include "layers/contact/triangle_kernel.h"

static supVecW supLoadCorner( const float* rows, int corner, int at )
{
    const float* from = rows + 3 * corner * supClusterTriangles + at;
    return ( supVecW ){ supLoadW( from ), supLoadW( from + supClusterTriangles ),
        supLoadW( from + 2 * supClusterTriangles ) };
}

/// The square of the distance to a point of a segment that begins `off` before the place and runs along `way`. No
/// length: its beginning.
static supW supToSegmentW( supVecW off, supVecW way )
{
    supW t = supDivW( supDotVecW( off, way ), supDotVecW( way, way ) );
    supW clamped = supMinW( supMaxW( t, supZeroW() ), supSplatW( 1.0f ) );
    supVecW left = supSubVecW( off, supScaleVecW( way, clamped ) );
    return supDotVecW( left, left );
}

/// Squares of the distances to triangles: to the plane where the foot is inside, else to the closest side.
static supW supToTriangleW( supVecW p, supVecW a, supVecW b, supVecW c )
{
    supVecW ab = supSubVecW( b, a ), ac = supSubVecW( c, a ), bc = supSubVecW( c, b ), ap = supSubVecW( p, a );
    supW abab = supDotVecW( ab, ab ), abac = supDotVecW( ab, ac ), acac = supDotVecW( ac, ac );
    supW d1 = supDotVecW( ab, ap ), d2 = supDotVecW( ac, ap );
    supW det = supSubW( supMulW( abab, acac ), supMulW( abac, abac ) );
    supW v = supDivW( supSubW( supMulW( acac, d1 ), supMulW( abac, d2 ) ), det );
    supW w = supDivW( supSubW( supMulW( abab, d2 ), supMulW( abac, d1 ) ), det );
    supVecW left = supSubVecW( ap, supAddVecW( supScaleVecW( ab, v ), supScaleVecW( ac, w ) ) );
    supMaskW inside = supAndW( supAndW( supLessEqualW( supZeroW(), v ), supLessEqualW( supZeroW(), w ) ),
        supLessEqualW( supAddW( v, w ), supSplatW( 1.0f ) ) );
    supW sides =
        supMinW( supToSegmentW( ap, ab ), supMinW( supToSegmentW( ap, ac ), supToSegmentW( supSubVecW( p, b ), bc ) ) );
    return supBlendW( inside, supDotVecW( left, left ), sides );
}

void SUP_TRIANGLES_PATH( const float* rows, supVec3 place, float* squares )
{
    supVecW p = supSplatVecW( place );
    for ( int i = 0; i < supClusterTriangles; i += SUP_WIDTH )
    {
        supStoreW( squares + i, supToTriangleW( p, supLoadCorner( rows, 0, i ), supLoadCorner( rows, 1, i ),
                                    supLoadCorner( rows, 2, i ) ) );
    }
}
