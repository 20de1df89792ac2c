// Supple: a finger by itself, upright on its knuckle.
// SPDX-License-Identifier: MIT
//
// The case of Chaudhry, You, Jin, Yang, Zhang, "Shape modeling for animated characters using ordinary differential
// equations", 2013, figure 8. It bends towards +Z, where its pads are; the nail is on the other side.

#include "creatures/draft.h"
#include "creatures/paint.h"

#define SUP_MIDDLE 0.044
#define SUP_LAST 0.071
#define SUP_FINGERTIP 0.094

static void supBendFingerClip( const supDraft* draft, double phase, supPosture* posture )
{
    (void)draft;
    posture->turns[1] = supTurnBy( supV( 1.0, 0.0, 0.0 ), 95.0 * phase );
    posture->turns[2] = supTurnBy( supV( 1.0, 0.0, 0.0 ), 60.0 * phase );
}

static supVec3d supPaintFinger( supVec3d p )
{
    supVec3d skin = supV( 0.66, 0.36, 0.25 ), pink = supV( 0.62, 0.26, 0.19 ), nail = supV( 0.74, 0.47, 0.40 );
    supVec3d color = supOver( skin, pink, 0.5 * supRamp( SUP_LAST + 0.004, SUP_FINGERTIP, p.y ) );
    double crease = 0.0;
    static const double heights[3] = { SUP_MIDDLE, SUP_MIDDLE + 0.0016, SUP_LAST };
    for ( int i = 0; i < 3; ++i )
    {
        crease = supMax( crease, supCover( 0.0003 - supAbs( p.y - heights[i] ), 0.0004 ) * supRamp( 0.0, 0.004, p.z ) );
    }
    color = supOver( color, supV( 0.50, 0.22, 0.16 ), 0.6 * crease );
    double within = p.z < 0.0 ? supInEllipse( p.x, p.y - 0.0865, 0.0046, 0.0066 ) : -1.0;
    return supOver( color, nail, supCover( within, 0.0004 ) );
}

static supVec3d supUnfoldFinger( supVec3d p )
{
    return supV( supWayRound( p.x, p.z ), 0.02 + 0.96 * p.y / 0.097, 0.0 );
}

void supDraftFinger( supDraft* draft )
{
    supSolid* f = &draft->field;
    supQuatd straight = supQuatd_identity;
    supSolid_Init( f, 0.0021 );
    f->sole = 0.0016;
    supSolid_Cone( f, supV( 0.0, -0.002, 0.0 ), 0.0100, supV( 0.0, SUP_MIDDLE, 0.0 ), 0.0084, 0.003 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.021, 0.0022 ), supV( 0.0092, 0.0150, 0.0088 ), straight, 0.006 );
    supSolid_Cone( f, supV( 0.0, SUP_MIDDLE, 0.0 ), 0.0086, supV( 0.0, SUP_LAST, 0.0 ), 0.0072, 0.004 );
    supSolid_Ellipsoid( f, supV( 0.0, SUP_MIDDLE, -0.0012 ), supV( 0.0088, 0.0070, 0.0086 ), straight, 0.005 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.0575, 0.0020 ), supV( 0.0080, 0.0095, 0.0074 ), straight, 0.005 );
    supSolid_Cone( f, supV( 0.0, SUP_LAST, 0.0 ), 0.0074, supV( 0.0, 0.0875, 0.0 ), 0.0062, 0.004 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.0825, 0.0016 ), supV( 0.0071, 0.0095, 0.0062 ), straight, 0.004 );
    draft->cell = 0.0009;
    draft->vertexCount = 1408;
    draft->openness = 0.0;
    draft->paint = supPaintFinger;
    draft->unfold = supUnfoldFinger;
    draft->textureWidth = 256;
    draft->textureHeight = 512;
    draft->roughness = 0.6;
    int32_t joint = supDraft_Joint( draft, "knuckle", -1, supV( 0.0, 0.0, 0.0 ), supV( 0.0, SUP_MIDDLE, 0.0 ) );
    joint = supDraft_Joint( draft, "middle", joint, supV( 0.0, SUP_MIDDLE, 0.0 ), supV( 0.0, SUP_LAST, 0.0 ) );
    supDraft_Joint( draft, "last", joint, supV( 0.0, SUP_LAST, 0.0 ), supV( 0.0, SUP_FINGERTIP, 0.0 ) );
    static const supDraftClip clips[] = { { "bend", 30, false, supBendFingerClip } };
    draft->clips = clips;
    draft->clipCount = sizeof( clips ) / sizeof( clips[0] );
}
