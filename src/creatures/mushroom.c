// Supple: the mushroom: a cap on a stalk, on one bone.
// SPDX-License-Identifier: MIT
//
// The shape of figure 8 in Larboulette, Cani, Arnaldi, "Dynamic skinning: adding real-time dynamic effects to an
// existing character animation", 2005: one vertical bone with an end point and flesh of very different thickness along
// it.

#include "creatures/gait.h"
#include "creatures/surface.h"

static void supShapeMushroom( supSolid* f )
{
    supQuatd straight = supQuatd_identity;
    supSolid_Init( f, 0.016 );
    f->sole = 0.02;
    supSolid_Cone( f, supV( 0.0, 0.045, 0.0 ), 0.062, supV( 0.0, 0.260, 0.0 ), 0.042, 0.04 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.030, 0.0 ), supV( 0.076, 0.045, 0.076 ), straight, 0.05 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.272, 0.0 ), supV( 0.175, 0.118, 0.175 ), straight, 0.030 );
    supSolid_Carve( f, supV( 0.0, 0.160, 0.0 ), supV( 0.190, 0.075, 0.190 ), straight, 0.040 );
    supSolid_Cone( f, supV( 0.0, 0.045, 0.0 ), 0.060, supV( 0.0, 0.280, 0.0 ), 0.040, 0.030 );
}

static supVec3d supPaintMushroom( supVec3d p )
{
    double across = supSqrt( p.x * p.x + p.z * p.z );
    supVec3d red = supV( 0.56, 0.030, 0.022 ), cream = supV( 0.84, 0.74, 0.56 ), white = supV( 0.90, 0.85, 0.76 );
    supVec3d color = cream;
    // Gills under the cap.
    double under = supRamp( 0.055, 0.075, across ) * supRamp( 0.175, 0.160, across ) * supRamp( 0.19, 0.20, p.y );
    double gills = 0.5 + 0.5 * supSin( 44.0 * supAtan2( p.x, p.z ) );
    color = supOver( color, supV( 0.58, 0.44, 0.28 ), 0.7 * under * gills * gills );
    color = supOver( color, red,
        supCover( p.y - 0.2320, 0.0012 ) * supRamp( 0.08, 0.081, across + 8.0 * supMax( 0.0, p.y - 0.26 ) ) );
    static const supVec3d spots[] = { { 0.0, 0.388, 0.010 }, { 0.095, 0.368, 0.020 }, { 0.045, 0.352, 0.110 },
        { 0.140, 0.318, 0.085 }, { 0.0, 0.300, 0.168 }, { 0.070, 0.362, -0.080 }, { 0.155, 0.318, -0.055 },
        { 0.0, 0.330, -0.148 }, { 0.095, 0.290, -0.146 } };
    static const double sizes[] = { 0.032, 0.026, 0.024, 0.022, 0.026, 0.027, 0.021, 0.025, 0.022 };
    for ( int32_t i = 0; i < 9; ++i )
    {
        double away = supLengthD( supSubD( supV( supAbs( p.x ), p.y, p.z ), spots[i] ) );
        color = supOver( color, white, supCover( sizes[i] - away, 0.0012 ) );
    }
    return color;
}

// Around the stalk, and over the cap from its middle to its rim and down to the foot: around a point within the cap.
static supVec3d supUnfoldMushroom( supVec3d p )
{
    double across = supSqrt( p.x * p.x + p.z * p.z );
    return supV( supWayRound( p.x, p.z ), 1.0 - supWayRound( across, p.y - 0.245 ), 0.0 );
}

// To one side and back, and back again, with level ends: one full swing in 1.5 s, then time to come to rest.
static void supMushroomSwing( const supDraft* draft, double phase, supPosture* posture )
{
    (void)draft;
    double t = phase * 3.0;
    double grown = supRamp( 0.0, 0.4, t ) * ( 1.0 - supRamp( 1.5, 1.9, t ) );
    posture->turns[0] = supTurnBy( supV( 0.0, 0.0, 1.0 ), 24.0 * grown * supSinTurns( t / 0.95 ) );
    posture->shifts[0] = supV( -0.10 * grown * supSinTurns( t / 0.95 ), 0.04 * grown, 0.0 );
}

// Away at a steady pace, and all at once still.
static void supMushroomStop( const supDraft* draft, double phase, supPosture* posture )
{
    (void)draft;
    static const supEaseKey keys[] = { { 0.0, -0.5, 0.0 }, { 0.5, -0.15, 1.3 }, { 1.0, 0.5, 1.3 },
        { 1.0334, 0.52, 0.0 } };
    posture->shifts[0] = supV( SUP_KEYS_AT( keys, phase * 3.0 ), 0.0, 0.0 );
}

// Three hops, each a free fall, lower and lower.
static void supMushroomBounce( const supDraft* draft, double phase, supPosture* posture )
{
    (void)draft;
    double t = phase * 3.0 - 0.1, start = 0.0;
    static const double spans[] = { 0.5, 0.4, 0.28 };
    for ( int32_t i = 0; i < 3; ++i )
    {
        double s = t - start;
        if ( s > 0.0 && s < spans[i] )
        {
            posture->shifts[0] = supV( 0.0, 0.5 * 9.81 * s * ( spans[i] - s ), 0.0 );
        }
        start += spans[i];
    }
}

void supDraftMushroom( supDraft* draft )
{
    supShapeMushroom( &draft->field );
    draft->cell = 0.008;
    draft->vertexCount = 1200;
    draft->openness = 0.05;
    draft->paint = supPaintMushroom;
    draft->unfold = supUnfoldMushroom;
    draft->textureWidth = 512;
    draft->textureHeight = 512;
    draft->roughness = 0.55;
    supVec3d foot = supV( 0.0, 0.0, 0.0 ), tip = supV( 0.0, 0.395, 0.0 );
    int32_t stalk = supDraft_Joint( draft, "stalk", -1, foot, tip );
    int32_t end = supDraft_Joint( draft, "tip", stalk, tip, tip );
    draft->joints[end].bone = false;
    static const supDraftClip clips[] = { { "swing", 90, false, supMushroomSwing },
        { "stop", 90, false, supMushroomStop }, { "bounce", 90, false, supMushroomBounce } };
    draft->clips = clips;
    draft->clipCount = sizeof( clips ) / sizeof( clips[0] );
}
