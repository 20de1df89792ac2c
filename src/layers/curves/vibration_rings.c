// Supple: rings of flesh from curves: the joints that carry them, and how thick the flesh is there.
// SPDX-License-Identifier: MIT

#include "layers/curves/vibration.h"

#include <string.h>

static supVec3d supToDoubleV( supVec3 a )
{
    return ( supVec3d ){ a.x, a.y, a.z };
}

// Where a joint's bone ends: the middle of its children; a last one goes on as its parent's did.
static void supFindMiddles( const supRingWork* work )
{
    const supCharacter* character = work->context->character;
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    int32_t count = supCharacter_Info( character )->jointCount;
    for ( int32_t j = 0; j < count; ++j )
    {
        supVec3d sum = { 0.0, 0.0, 0.0 }, own = supToDoubleV( rest[j].t );
        int32_t children = 0, parent = supCharacter_Joint( character, j )->parent;
        for ( int32_t k = 0; k < count; ++k )
        {
            if ( supCharacter_Joint( character, k )->parent == j )
            {
                sum = supAddD( sum, supToDoubleV( rest[k].t ) );
                ++children;
            }
        }
        work->middles[j] = children > 0  ? supScaleD( sum, 1.0 / children )
                           : parent >= 0 ? supMulAddD( own, 0.6, supSubD( own, supToDoubleV( rest[parent].t ) ) )
                                         : own;
    }
}

static double supSegmentAway( supVec3d p, supVec3d a, supVec3d b )
{
    supVec3d ab = supSubD( b, a ), ap = supSubD( p, a );
    double length = supDotD( ab, ab );
    double t = length > 0.0 ? supClamp( supDotD( ap, ab ) / length, 0.0, 1.0 ) : 0.0;
    return supLengthD( supMulAddD( ap, -t, ab ) );
}

// The joints that carry a curve, the heaviest first.
static void supFindCarriers( const supRingWork* work, const supKeptCurve* curve, supRing* ring )
{
    const supCharacter* character = work->context->character;
    const int32_t* paletteJoints = supCharacter_Info( character )->paletteJoints;
    int32_t jointCount = supCharacter_Info( character )->jointCount;
    memset( work->carry, 0, (size_t)jointCount * sizeof( float ) );
    for ( int32_t i = 4 * curve->firstPoint; i < 4 * ( curve->firstPoint + curve->pointCount ); ++i )
    {
        int32_t v = work->network->vertices[i];
        supMeshView mesh = supCharacter_Mesh( character, work->meshOf[v] );
        for ( int32_t k = 0; mesh.skin >= 0 && k < mesh.influenceCount; ++k )
        {
            size_t at = (size_t)( v - mesh.firstVertex ) * (size_t)mesh.influenceCount + (size_t)k;
            work->carry[paletteJoints[mesh.firstPalette + mesh.jointIndices[at]]] +=
                mesh.weights[at] * (float)work->network->shares[i];
        }
        if ( mesh.skin < 0 )
        {
            work->carry[mesh.joint] += (float)work->network->shares[i];
        }
    }
    float sum = 0.0f;
    for ( int32_t k = 0; k < supRingJoints; ++k )
    {
        int32_t best = 0;
        for ( int32_t j = 1; j < jointCount; ++j )
        {
            best = work->carry[j] > work->carry[best] ? j : best;
        }
        ring->joints[k] = work->carry[best] > 0.0f ? best : -1;
        ring->shares[k] = work->carry[best];
        sum += work->carry[best];
        work->carry[best] = 0.0f;
    }
    for ( int32_t k = 0; k < supRingJoints; ++k )
    {
        ring->shares[k] = sum > 0.0f ? ring->shares[k] / sum : 0.0f;
    }
}

static void supPlaceRing( const supRingWork* work, const supKeptCurve* curve, supRing* ring )
{
    const supMat34* rest = supCharacter_Info( work->context->character )->restJoints;
    for ( int32_t k = 0; k < supRingJoints && ring->joints[k] >= 0; ++k )
    {
        supMat34d inverse;
        supInvertMatD( supMatToDouble( rest[ring->joints[k]] ), &inverse );
        supVec3d local = supTransformPointD( inverse, curve->center );
        ring->centers[k] = ( supVec3 ){ (float)local.x, (float)local.y, (float)local.z };
        ring->frame = k == 0 ? supMatToFloat( inverse ) : ring->frame;
    }
}

// Points on the series, and how far they are from the bone.
static void supMeasureThickness( const supRingWork* work, const supKeptCurve* curve, const supRing* ring, float* most )
{
    const supMat34* rest = supCharacter_Info( work->context->character )->restJoints;
    const supVec3d* series = work->network->coefficients + curve->firstCoefficient;
    int32_t joint = ring->joints[0], steps = curve->open ? curve->pointCount - 1 : curve->pointCount;
    for ( int32_t i = 0; i < curve->pointCount; ++i )
    {
        supVec3d p = supTrigPoint( curve->open, curve->terms, series, (double)i / steps );
        double away = supSegmentAway( p, supToDoubleV( rest[joint].t ), work->middles[joint] );
        work->thickness[curve->firstPoint + i] = away;
        *most = supMaxF( *most, (float)away );
    }
}

// The series of the thickness over the item's largest.
static void supWeighRing( const supRingWork* work, const supKeptCurve* curve, float largest, supRing* ring )
{
    supVec3d points[4 * SUP_MAX_CURVE_TERMS + 64], series[SUP_MAX_CURVE_COEFFICIENTS + 1];
    int32_t count = curve->pointCount, least = curve->open ? count - 2 : ( count - 1 ) / 2;
    int32_t terms = (int32_t)supMin( supRingTerms, least );
    for ( int32_t i = 0; i < count; ++i )
    {
        points[i] = ( supVec3d ){ work->thickness[curve->firstPoint + i], 0.0, 0.0 };
    }
    supTrigTransform( curve->open, terms, points, count, series );
    for ( int32_t k = 0; k < supCurveCoefficientCount( curve->open, terms ); ++k )
    {
        ring->weights[k] = largest > 0.0f ? (float)( series[k].x / (double)largest ) : 0.0f;
    }
}

void supMakeRings( const supRingWork* work, supVibration* vibration )
{
    const supCurveNetwork* network = work->network;
    const supMat34* rest = supCharacter_Info( work->context->character )->restJoints;
    supFindMiddles( work );
    for ( int32_t c = 0; c < network->curveCount; ++c )
    {
        const supKeptCurve* curve = &network->curves[c];
        supRing ring = { .open = curve->open };
        work->ringOf[c] = -1;
        if ( curve->tip )
        {
            continue;
        }
        supFindCarriers( work, curve, &ring );
        int32_t joint = ring.joints[0];
        ring.item = joint >= 0 ? work->itemOf[joint] : -1;
        if ( ring.item < 0 || supDeterminantD( supMatToDouble( rest[joint] ) ) == 0.0 )
        {
            continue;
        }
        supPlaceRing( work, curve, &ring );
        supMeasureThickness( work, curve, &ring, &vibration->thickness[ring.item] );
        work->ringOf[c] = vibration->ringCount;
        work->curveOf[vibration->ringCount] = c;
        work->ringItems[vibration->ringCount] = ring.item;
        vibration->rings[vibration->ringCount++] = ring;
    }
    for ( int32_t r = 0; r < vibration->ringCount; ++r )
    {
        supRing* ring = vibration->rings + r;
        supWeighRing( work, &network->curves[work->curveOf[r]], vibration->thickness[ring->item], ring );
    }
}
