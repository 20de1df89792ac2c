// Supple: the cat's fur and face, as colours of places.
// SPDX-License-Identifier: MIT

#include "creatures/cat.h"
#include "creatures/paint.h"

static const supVec3d sup_furColor = { 0.70, 0.315, 0.080 };
static const supVec3d sup_stripeColor = { 0.36, 0.115, 0.020 };
static const supVec3d sup_paleColor = { 0.88, 0.78, 0.63 };

// Bands around the trunk, the tail and the legs, thick above and thin below.
static double supStripes( double x, supVec3d p )
{
    double wave = 0.12 * supSinTurns( p.y / 0.11 + 0.3 );
    if ( p.z < -0.245 && p.y > 0.25 )
    {
        double along = supSqrt( ( p.z + 0.235 ) * ( p.z + 0.235 ) + ( p.y - 0.29 ) * ( p.y - 0.29 ) );
        return 0.030 * ( supSinTurns( along / 0.050 ) - 0.25 );
    }
    if ( p.y < 0.16 )
    {
        return 0.020 * ( supSinTurns( p.y / 0.036 + 0.15 ) - 0.45 );
    }
    if ( p.z < -0.205 )
    {
        return -1.0;
    }
    double height = supRamp( 0.175, 0.30, p.y );
    double side = supSinTurns( p.z / 0.068 + wave + 0.9 * x );
    return 0.020 * ( side - supMix( 1.05, 0.05, height ) );
}

// Height in the picture: ears are lifted off the skull between them.
static double supEarHeight( double x, supVec3d p )
{
    return p.y + 0.8 * supMax( 0.0, x - 0.022 ) * supRamp( 0.395, 0.425, p.y ) * supRamp( 0.19, 0.22, p.z );
}

static supVec3d supPaintEye( supVec3d color, double x, double y )
{
    double ex = x - 0.0315, ey = y - 0.3785;
    // Leaning outwards, as cats' eyes do.
    double u = 0.955 * ex + 0.295 * ey, v = 0.955 * ey - 0.295 * ex;
    double round = supInEllipse( u, v, 0.0168, 0.0148 );
    color = supOver( color, supV( 0.030, 0.014, 0.008 ), supCover( round + 0.0022, 0.0008 ) );
    supVec3d iris = supLerpD( supV( 0.18, 0.36, 0.045 ), supV( 0.52, 0.55, 0.07 ), supRamp( 0.010, -0.010, ey ) );
    color = supOver( color, iris, supCover( round, 0.0007 ) );
    color = supOver( color, supV( 0.006, 0.006, 0.006 ), supCover( supInEllipse( ex, ey, 0.0062, 0.0118 ), 0.0006 ) );
    double glint = supSqrt( ( ex + 0.0040 ) * ( ex + 0.0040 ) + ( ey - 0.0058 ) * ( ey - 0.0058 ) );
    return supOver( color, supV( 1.0, 1.0, 1.0 ), supCover( 0.0030 - glint, 0.0006 ) );
}

static supVec3d supPaintFace( supVec3d color, double x, supVec3d p )
{
    // Muzzle and chin are pale; so is a spot over each eye.
    double muzzle =
        supMax( supInEllipse( x - 0.012, p.y - 0.3400, 0.0300, 0.0220 ), supInEllipse( x, p.y - 0.332, 0.030, 0.022 ) );
    double front = p.z - 0.285;
    color = supOver( color, sup_paleColor, supCover( supMin( muzzle, front ), 0.0020 ) );
    color = supOver(
        color, sup_paleColor, 0.55 * supCover( supInEllipse( x - 0.030, p.y - 0.4000, 0.010, 0.006 ), 0.003 ) );
    // The M on the forehead, and lines back from the eyes.
    double mark = supMax( 0.0028 - supAbs( x - 0.011 - 0.12 * ( p.y - 0.400 ) ), 0.0026 - supAbs( x ) );
    mark = supMin( mark, supMin( p.y - 0.398, 0.445 - p.y ) );
    double cheek = supMin( 0.0030 - supAbs( p.y - 0.368 + 0.45 * ( x - 0.050 ) ), supMin( x - 0.050, p.z - 0.245 ) );
    color = supOver( color, sup_stripeColor, supCover( supMax( mark, cheek ), 0.0010 ) );
    color = supPaintEye( color, x, p.y );
    if ( p.z < 0.30 )
    {
        return color;
    }
    // Nose: a triangle, point down; then the line below it that parts into the mouth; freckles of the whiskers.
    double nose = supMin( 0.3640 - p.y, 0.0105 - x * 0.9 - 0.85 * supMax( 0.0, 0.3600 - p.y ) );
    nose = supMin( nose, p.y - 0.3505 );
    color = supOver( color, supV( 0.50, 0.130, 0.115 ), supCover( nose, 0.0009 ) );
    double mouth = x < 0.0185 ? supAbs( p.y - 0.3365 - 0.0045 * supCosTurns( x / 0.0210 ) ) : 1.0;
    mouth = supMin( mouth, p.y < 0.3510 && p.y > 0.3400 ? x : 1.0 );
    color = supOver( color, supV( 0.17, 0.055, 0.035 ), supCover( 0.0011 - mouth, 0.0007 ) );
    for ( int32_t i = 0; i < 3; ++i )
    {
        double away = supSqrt( ( x - 0.018 - 0.003 * i ) * ( x - 0.018 - 0.003 * i ) +
                               ( p.y - 0.3500 + 0.0045 * i ) * ( p.y - 0.3500 + 0.0045 * i ) );
        color = supOver( color, supV( 0.40, 0.20, 0.10 ), 0.7 * supCover( 0.0010 - away, 0.0006 ) );
    }
    return color;
}

supVec3d supPaintCat( supVec3d p )
{
    double x = supAbs( p.x );
    supVec3d color = sup_furColor;
    bool head = p.z > 0.20 && p.y > 0.30;
    if ( !head )
    {
        color = supOver( color, sup_stripeColor, supCover( supStripes( x, p ), 0.0014 ) );
    }
    // Belly, bib, socks, the tail's end.
    double belly = supInEllipse( p.z + 0.012, p.y - 0.120, 0.098, 0.052 );
    double bib = supInEllipse( p.z - 0.255, p.y - 0.245, 0.088, 0.088 );
    double sock = 0.048 - p.y;
    double tailEnd = p.z < -0.25 ? p.y - 0.487 : -1.0;
    double pale = supMax( supMax( belly, bib ), supMax( sock, tailEnd ) );
    color = supOver( color, sup_paleColor, supCover( pale, 0.0025 ) );
    // Ears are rosy within.
    // Told by where it lies in the picture, so that the sides of the ear that fall together there are alike.
    double ahead = ( p.z - 0.245 ) / supMax( x, 0.01 ), height = supEarHeight( x, p );
    double ear = supMin( 0.04 * ( ahead - 0.24 - 3.0 * supMax( 0.0, height - 0.455 ) ), height - 0.4410 );
    color = supOver( color, supV( 0.62, 0.27, 0.20 ), supCover( ear, 0.0015 ) );
    return head && p.z > 0.245 ? supPaintFace( color, x, p ) : color;
}

// From the side; the face is unrolled from its side to its front.
supVec3d supUnfoldCat( supVec3d p )
{
    double side = 0.245, u = ( p.z + 0.46 ) / ( side + 0.46 ) * 0.58;
    if ( p.z > side )
    {
        u = 0.58 + 0.42 * ( 1.0 - supWayRound( p.x, p.z - side ) / 0.70710678118654752 );
    }
    // The head, above, is drawn larger, and the ears above the skull between them.
    double y = supEarHeight( p.x, p );
    double v = y < 0.30 ? y / 0.30 * 0.40 : 0.40 + ( y - 0.30 ) / 0.25 * 0.60;
    return supV( u, v, 0.0 );
}
