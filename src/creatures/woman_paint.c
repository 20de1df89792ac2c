// Supple: the woman's skin, face, hair and clothes, as colours of places.
// SPDX-License-Identifier: MIT

#include "creatures/paint.h"
#include "creatures/woman.h"

static const supVec3d sup_skinColor = { 0.80, 0.47, 0.34 };
static const supVec3d sup_hairColor = { 0.115, 0.040, 0.018 };
static const supVec3d sup_clothColor = { 0.035, 0.235, 0.300 };
static const supVec3d sup_trimColor = { 0.62, 0.74, 0.70 };
static const supVec3d sup_shoeColor = { 0.60, 0.115, 0.085 };

static supVec3d supPaintEye( supVec3d color, double x, double y )
{
    double ex = x - 0.0335, ey = y - 1.5730;
    double along = ex / 0.0165;
    double arch = 1.0 - along * along;
    // Between the lids: the upper one higher than the lower one is low.
    double upper = 0.0118 * arch - ey, lower = ey + 0.0088 * arch;
    double open = supMin( upper, lower );
    supVec3d eye = supV( 0.86, 0.84, 0.80 );
    double fromMiddle = supSqrt( ex * ex + ( ey - 0.001 ) * ( ey - 0.001 ) );
    eye = supOver( eye, supV( 0.13, 0.055, 0.020 ), supCover( 0.0093 - fromMiddle, 0.0006 ) );
    eye = supOver(
        eye, supV( 0.30, 0.135, 0.045 ), supCover( 0.0080 - fromMiddle, 0.0012 ) * supRamp( 0.004, -0.006, ey ) );
    eye = supOver( eye, supV( 0.008, 0.006, 0.006 ), supCover( 0.0046 - fromMiddle, 0.0006 ) );
    double glint = supSqrt( ( ex + 0.0030 ) * ( ex + 0.0030 ) + ( ey - 0.0050 ) * ( ey - 0.0050 ) );
    eye = supOver( eye, supV( 1.0, 1.0, 1.0 ), supCover( 0.0022 - glint, 0.0005 ) );
    // A shadow of the upper lid, then the lid's line and lashes, longer outwards.
    eye = supScaleD( eye, 1.0 - 0.45 * supRamp( 0.0045, 0.0, upper ) );
    color = supOver( color, eye, supCover( open, 0.0006 ) );
    double reach = 0.0012 + 0.0012 * supClamp( along, 0.0, 1.2 );
    double lash = reach - supAbs( upper - 0.0003 );
    double ends = supMin( ex + 0.0172, 0.0195 - ex );
    color = supOver( color, supV( 0.020, 0.010, 0.008 ), supCover( supMin( lash, ends ), 0.0007 ) );
    double browLine = y - ( 1.5975 + 0.0035 * ( 1.0 - ( along - 0.25 ) * ( along - 0.25 ) ) );
    double brow = 0.0024 - 0.0009 * supClamp( along, -1.0, 1.3 ) - supAbs( browLine );
    double browEnds = supMin( ex + 0.0170, 0.0205 - ex );
    return supOver( color, sup_hairColor, 0.85 * supCover( supMin( brow, browEnds ), 0.0009 ) );
}

static supVec3d supPaintMouth( supVec3d color, double x, double y )
{
    double along = x / 0.0215;
    double line = 1.5215 + 0.0030 * along * along;
    double arch = supMax( 1.0 - along * along, 0.0 );
    double upper = 0.0062 * arch * ( 0.86 + 0.28 * supRamp( 0.0, 0.35, x / 0.0215 ) ) - ( y - line );
    double lower = ( y - line ) + 0.0078 * arch;
    double lips = supMin( supMin( upper, lower ), 0.0222 - x );
    color = supOver( color, supV( 0.56, 0.135, 0.115 ), supCover( lips, 0.0009 ) );
    double seam = supMin( 0.0011 - supAbs( y - line ), 0.0222 - x );
    return supOver( color, supV( 0.22, 0.030, 0.030 ), supCover( seam, 0.0007 ) );
}

static supVec3d supPaintFace( supVec3d color, double x, supVec3d p )
{
    double blush = supSqrt( ( x - 0.046 ) * ( x - 0.046 ) + ( p.y - 1.545 ) * ( p.y - 1.545 ) );
    color = supOver( color, supV( 0.80, 0.25, 0.19 ), 0.38 * supRamp( 0.026, 0.0, blush ) );
    double nostril = supInEllipse( x - 0.0065, p.y - 1.5485, 0.0030, 0.0018 );
    color = supOver( color, supV( 0.30, 0.10, 0.07 ), 0.40 * supCover( nostril, 0.0012 ) );
    color = supPaintEye( color, x, p.y );
    return supPaintMouth( color, x, p.y );
}

static supVec3d supPaintHead( supVec3d color, double x, supVec3d p )
{
    if ( p.z > 0.03 && p.y > 1.49 && p.y < 1.63 )
    {
        color = supPaintFace( color, x, p );
    }
    // The face is a window in the hair; behind the ears it goes down to the nape.
    double window = p.z > -0.015 ? -supInEllipse( x, p.y - 1.551, 0.0690, 0.0960 ) : 1.0;
    double low = 1.556 - 0.048 * supRamp( -0.020, -0.062, p.z );
    double ear = x > 0.06 ? supInEllipse( p.z + 0.008, p.y - 1.561, 0.0215, 0.0330 ) : -1.0;
    // The corner before the ear is rounded.
    double corner = supMax( 0.012 - supAbs( window - ( p.y - low ) ), 0.0 );
    double edge = supMin( window, p.y - low ) - corner * corner / 0.048;
    double hair = supMin( edge, -ear );
    // Combed back to the knot: strands run around the axis through it.
    double strands = 0.5 + 0.5 * supSin( 34.0 * supAtan2( x, p.y - 1.660 - 0.45 * supMax( 0.0, p.z + 0.10 ) ) );
    supVec3d tone = supLerpD( sup_hairColor, supV( 0.190, 0.072, 0.032 ), 0.6 * strands * strands );
    return supOver( color, tone, supCover( hair, 0.0012 ) );
}

// A top with a round neckline, straps and trim; shorts with a band; flat shoes.
static supVec3d supPaintClothes( supVec3d color, double x, supVec3d p )
{
    double neckRadius = p.z > 0.0 ? 0.098 : 0.080;
    double neckline = supSqrt( x * x + ( p.y - 1.415 ) * ( p.y - 1.415 ) ) - neckRadius;
    // All that is beyond a line from the armpit to the shoulder's top, rounded below.
    double height = supClamp( ( p.y - 1.330 ) / 0.12, 0.0, 1.0 );
    double armholeX = x - 0.170 - 0.016 * height, armholeY = p.y - 1.330 - 0.12 * height;
    double armhole = supSqrt( armholeX * armholeX + armholeY * armholeY ) - 0.060;
    armhole = x > 0.170 && p.y > 1.330 ? -1.0 : armhole;
    double top = supMin( supMin( neckline, armhole ), supMin( p.y - 1.158, 1.43 - p.y ) );
    top = supMin( top, 0.157 - x );
    color = supOver( color, sup_trimColor, supCover( top, 0.0010 ) );
    color = supOver( color, sup_clothColor, supCover( top - 0.0065, 0.0010 ) );
    double shorts = supMin( 0.988 - p.y, p.y - 0.772 );
    shorts = x > 0.3 ? -1.0 : shorts;
    color = supOver( color, sup_trimColor, supCover( shorts, 0.0010 ) );
    double band = supMin( 0.988 - p.y - 0.016, p.y - 0.772 - 0.0055 );
    color = supOver( color, sup_clothColor, supCover( x > 0.3 ? -1.0 : band, 0.0010 ) );
    double shoe = 0.050 + 0.12 * supMax( 0.0, -p.z ) - p.y;
    color = supOver( color, sup_shoeColor, supCover( shoe, 0.0012 ) );
    return supOver( color, supV( 0.75, 0.72, 0.66 ), supCover( 0.011 - p.y, 0.0010 ) );
}

supVec3d supPaintWoman( supVec3d p )
{
    double x = supAbs( p.x );
    supVec3d color = sup_skinColor;
    // Warmer where the skin is thin or rubbed: knees, elbows, hands.
    double knee = supLengthD( supSubD( supV( x, p.y, p.z ), supV( 0.103, 0.490, 0.060 ) ) );
    color = supOver( color, supV( 0.78, 0.34, 0.25 ), 0.22 * supRamp( 0.06, 0.0, knee ) );
    if ( p.y > 1.44 )
    {
        return supPaintHead( color, x, p );
    }
    return supPaintClothes( color, x, p );
}

// Around the body, around each leg below. Heights are given room by how much there is to see. Over the shoulder, where
// the body is level, the way outwards counts as downwards. An arm has one colour and shrinks to a place at the
// shoulder.
supVec3d supUnfoldWoman( supVec3d p )
{
    static const double heights[][2] = { { -0.02, 0.0 }, { 0.09, 0.09 }, { 0.75, 0.17 }, { 1.01, 0.33 }, { 1.14, 0.36 },
        { 1.44, 0.60 }, { 1.76, 1.0 } };
    double arm = supMax( supRamp( 0.25, 0.30, p.x ), supRamp( 0.155, 0.215, p.x ) * supRamp( 1.04, 1.10, p.y ) );
    supVec3d q = supLerpD( p, supV( 0.185, 1.395, -0.015 ), arm );
    double shoulder = supRamp( 1.20, 1.34, q.y ) * supRamp( 1.46, 1.42, q.y );
    double height = q.y - 0.5 * shoulder * supMax( 0.0, q.x - 0.04 );
    int32_t i = 0;
    while ( i < 5 && height > heights[i + 1][0] )
    {
        ++i;
    }
    double share = ( height - heights[i][0] ) / ( heights[i + 1][0] - heights[i][0] );
    double middle = 0.107 * supRamp( 0.74, 0.60, q.y );
    return supV(
        supWayRound( q.x - middle, q.z + 0.018 * shoulder ), supMix( heights[i][1], heights[i + 1][1], share ), 0.0 );
}
