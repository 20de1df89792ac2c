// Ellipsoids that act on a line.
// SPDX-License-Identifier: MIT

#include "solve/spring_line.h"

#include "base/math.h"

enum
{
    supProjectRounds = 24,
};

/// A point as a field sees it.
typedef struct supFieldPoint
{
    supVec3d unit;   ///< in the unit ball's space
    double r;        ///< distance from the centre there: 1 on the surface
    supVec3d normal; ///< model space, unit length: the way r grows fastest
    double slope;    ///< of r that way. 1 / m
} supFieldPoint;

/// r = | U ( x - c ) | grows by U^T u / r.
static supFieldPoint supSeePoint( const supLineField* field, supVec3d at )
{
    supFieldPoint point = { .unit = supTransformPointD( field->toUnit, at ) };
    point.r = supLengthD( point.unit );
    supVec3d gradient = supTransposeVectorD( field->toUnit, point.unit );
    double length = supLengthD( gradient );
    point.normal = length > 0.0 ? supScaleD( gradient, 1.0 / length ) : ( supVec3d ){ 0.0, 0.0, 0.0 };
    point.slope = point.r > 0.0 ? length / point.r : 0.0;
    return point;
}

/// The way out for a point inside, and how far it is to the surface. Near the centre no side is nearer than another:
/// there it leads to the side where the vertex belongs.
static double supWayOut( const supLineField* field, int32_t vertex, const supFieldPoint* point, supVec3d* way )
{
    supVec3d aim = point->unit;
    if ( field->sides != NULL )
    {
        aim = supMulAddD( aim, 1.0 - point->r, supToDouble( field->sides[vertex] ) );
    }
    supVec3d gradient = supTransposeVectorD( field->toUnit, aim );
    double length = supLengthD( gradient );
    if ( !( length > 0.0 ) )
    {
        gradient = field->fromUnit.x; // the very centre, and no side: along the first axis
        length = supLengthD( gradient );
    }
    *way = supScaleD( gradient, 1.0 / length );
    // | u + s m | = 1 with m the way in the unit ball's space: the larger root
    supVec3d m = supTransformVectorD( field->toUnit, *way );
    double mm = supDotD( m, m ), um = supDotD( point->unit, m ), uu = point->r * point->r;
    return ( supSqrt( supMax( um * um - mm * ( uu - 1.0 ), 0.0 ) ) - um ) / mm;
}

double supLineField_Depth( const supLineField* field, int32_t vertex, supVec3d at, supVec3d* way )
{
    supFieldPoint point = supSeePoint( field, at );
    if ( point.r < 1.0 )
    {
        return supWayOut( field, vertex, &point, way );
    }
    *way = point.normal;
    return ( 1.0 - point.r ) / point.slope;
}

void supAddSpring3( supVec3d way, double distance, double stiffness, supVec3d* force, supSym3* matrix )
{
    *force = supMulAddD( *force, stiffness * distance, way );
    *matrix = supAddSym3( *matrix, supAlongAcross3( way, stiffness, 0.0 ) );
}

/// To the surface at r = 1, fading out towards the reach; repelling: to the surface at the reach.
static void supAddToSurface( const supLineField* field, const supFieldPoint* point, supVec3d* force, supSym3* matrix )
{
    if ( !( point->slope > 0.0 ) || point->r >= field->reach )
    {
        return;
    }
    bool repels = field->stiffness < 0.0;
    double outside = supMax( point->r - 1.0, 0.0 ) / ( field->reach - 1.0 );
    double fade = repels ? 1.0 : ( 1.0 - outside * outside ) * ( 1.0 - outside * outside );
    double distance = ( ( repels ? field->reach : 1.0 ) - point->r ) / point->slope;
    supAddSpring3( point->normal, distance, supAbs( field->stiffness ) * fade, force, matrix );
}

// The density D = ( 1 - q )^2, q = ( r / reach )^2, times the field's energy c: an attracting one has the force
// -2 c ( 1 - q ) grad q, grad q = 2 U^T u / reach^2. Its second derivative is at most 4 c ( 1 - q ) / reach^2 U^T U
// everywhere, which is what the matrix takes. A repelling one has the opposite force, and a second derivative of at
// most 8 |c| / reach^2 along it. Bounds, not the derivatives themselves: so every step goes down in energy, and none
// too far.
static void supAddToCenter( const supLineField* field, const supFieldPoint* point, supVec3d* force, supSym3* matrix )
{
    double q = point->r * point->r / ( field->reach * field->reach );
    if ( q >= 1.0 )
    {
        return;
    }
    double energy = field->stiffness * field->smallest * field->smallest;
    double scale = 4.0 * energy * ( 1.0 - q ) / ( field->reach * field->reach );
    *force = supMulAddD( *force, -scale, supTransposeVectorD( field->toUnit, point->unit ) );
    if ( energy > 0.0 )
    {
        supMat34d u = field->toUnit;
        *matrix = supAddSym3(
            *matrix, ( supSym3 ){ scale * supDotD( u.x, u.x ), scale * supDotD( u.x, u.y ), scale * supDotD( u.x, u.z ),
                         scale * supDotD( u.y, u.y ), scale * supDotD( u.y, u.z ), scale * supDotD( u.z, u.z ) } );
    }
    else
    {
        double along = -8.0 * energy / ( field->reach * field->reach ) * point->slope * point->slope;
        *matrix = supAddSym3( *matrix, supAlongAcross3( point->normal, along, 0.0 ) );
    }
}

void supLineField_Add( const supLineField* field, supVec3d at, supVec3d* force, supSym3* matrix )
{
    supFieldPoint point = supSeePoint( field, at );
    if ( field->stiffness != 0.0 && field->kind == sup_fieldToSurface )
    {
        supAddToSurface( field, &point, force, matrix );
    }
    if ( field->stiffness != 0.0 && field->kind == sup_fieldToCenter )
    {
        supAddToCenter( field, &point, force, matrix );
    }
}

/// No farther from the axis through the front than this, in radii: where a vertex is put that left the shadow.
static const double supBesideMost = 0.95;

/// To the front, as seen from the side where the vertex belongs. False: it stands there.
static bool supBringToFront( const supLineField* field, supVec3d side, bool wasBehind, supVec3d* at )
{
    supVec3d unit = supTransformPointD( field->toUnit, *at );
    double height = supDotD( unit, side );
    supVec3d beside = supMulAddD( unit, -height, side );
    double off = supLengthD( beside );
    if ( !( height < 0.0 && ( off < 1.0 || wasBehind ) ) )
    {
        return false;
    }
    beside = off > supBesideMost ? supScaleD( beside, supBesideMost / off ) : beside;
    double front = supSqrt( 1.0 - supDotD( beside, beside ) );
    *at = supTransformPointD( field->fromUnit, supMulAddD( beside, front, side ) );
    return true;
}

bool supStartLine( const supLineField* fields, int32_t fieldCount, const bool* bound, int32_t count, supVec3d* line )
{
    bool any = false;
    for ( int32_t f = 0; f < fieldCount; ++f )
    {
        const supLineField* field = fields + f;
        for ( int32_t i = 0; i < count && field->solid && field->sides != NULL; ++i )
        {
            bool wasBehind = field->around != NULL && field->around[i] != 0;
            bool brought = !bound[i] && supBringToFront( field, supToDouble( field->sides[i] ), wasBehind, line + i );
            if ( field->around != NULL )
            {
                field->around[i] = brought;
            }
            any = any || brought;
        }
    }
    return any;
}

/// Out of every solid field in turn. Gives the deepest there was.
static double supProjectOnce( const supLineField* fields, int32_t fieldCount, int32_t vertex, supVec3d* at )
{
    double deepest = 0.0;
    for ( int32_t f = 0; f < fieldCount; ++f )
    {
        supVec3d way;
        double depth = fields[f].solid ? supLineField_Depth( fields + f, vertex, *at, &way ) : 0.0;
        if ( depth > 0.0 )
        {
            deepest = supMax( deepest, depth / fields[f].smallest );
            *at = supMulAddD( *at, depth, way );
        }
    }
    return deepest;
}

double supProjectLine(
    const supLineField* fields, int32_t fieldCount, const bool* bound, int32_t count, supVec3d* line )
{
    double deepest = 0.0;
    for ( int32_t i = 0; i < count; ++i )
    {
        double left = bound[i] ? 0.0 : 1.0;
        for ( int32_t round = 0; round < supProjectRounds && left > 1e-6; ++round )
        {
            left = supProjectOnce( fields, fieldCount, i, line + i );
        }
        for ( int32_t f = 0; f < fieldCount && !bound[i] && left > 1e-6; ++f )
        {
            supVec3d way;
            double depth = fields[f].solid ? supLineField_Depth( fields + f, i, line[i], &way ) : 0.0;
            deepest = supMax( deepest, depth / fields[f].smallest );
        }
    }
    return deepest;
}

/// The least distance of a segment from the centre, in the unit ball's space.
static double supSegmentDistance( const supLineField* field, supVec3d from, supVec3d to )
{
    supVec3d a = supTransformPointD( field->toUnit, from );
    supVec3d ab = supTransformVectorD( field->toUnit, supSubD( to, from ) );
    double square = supDotD( ab, ab );
    double t = square > 0.0 ? supClamp( -supDotD( a, ab ) / square, 0.0, 1.0 ) : 0.0;
    return supLengthD( supMulAddD( a, t, ab ) );
}

int32_t supCountCuts(
    const supLineField* fields, int32_t fieldCount, const supVec3d* line, int32_t count, double share )
{
    int32_t cuts = 0;
    for ( int32_t i = 0; i + 1 < count; ++i )
    {
        bool cut = false;
        for ( int32_t f = 0; f < fieldCount && !cut; ++f )
        {
            cut = fields[f].solid && supSegmentDistance( fields + f, line[i], line[i + 1] ) < 1.0 - share;
        }
        cuts += cut;
    }
    return cuts;
}
