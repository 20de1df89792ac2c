// Vibrating curves around a cycle: the start that returns to itself.
// SPDX-License-Identifier: MIT
//
// Rings of an item swing alike, so a round is one matrix of two by two numbers for each harmonic of an item, closed and
// open. They live in the world, which has turned by R when the round ends: ( R - M ) d = gap, six equations a harmonic.
#include "layers/curves/vibration.h"

#include "base/math.h"
#include "solve/dense.h"

#include <string.h>

/// What a round makes of u and of s / omega.
typedef struct supHarmonicFlow
{
    double m[2][2];
} supHarmonicFlow;

/// Of an item, closed and open.
typedef struct supItemFlow
{
    supHarmonicFlow of[2][supRingHarmonics];
} supItemFlow;

typedef struct supRingStart
{
    supVec3 u[supRingHarmonics], s[supRingHarmonics];
} supRingStart;

typedef struct supVibrationLoop
{
    double largest; ///< |u| in the round
    supItemFlow* flows;
    supRingStart* starts;
} supVibrationLoop;

static supVibrationLoop* supLoopIn( const supVibration* vibration, void* loop )
{
    supVibrationLoop* own = loop;
    own->flows = (supItemFlow*)( (char*)loop + 64 );
    own->starts = (supRingStart*)( own->flows + vibration->itemCount );
    return own;
}

size_t supVibrationLoopSize( const void* compiled )
{
    const supVibration* vibration = compiled;
    size_t flows = (size_t)vibration->itemCount * sizeof( supItemFlow );
    return ( 64 + flows + (size_t)vibration->ringCount * sizeof( supRingStart ) + 63 ) & ~(size_t)63;
}

void supVibrationLoopBegin( const void* compiled, const void* state, void* loop )
{
    const supVibration* vibration = compiled;
    supVibrationLoop* own = supLoopIn( vibration, loop );
    own->largest = 0.0;
    for ( int32_t i = 0; i < 2 * supRingHarmonics * vibration->itemCount; ++i )
    {
        own->flows[i / ( 2 * supRingHarmonics )].of[i / supRingHarmonics % 2][i % supRingHarmonics] =
            ( supHarmonicFlow ){ { { 1.0, 0.0 }, { 0.0, 1.0 } } };
    }
    for ( int32_t i = 0; i < vibration->ringCount; ++i )
    {
        const supRingState* ring = supRingStates( vibration, (void*)state ) + i;
        memcpy( own->starts[i].u, ring->u, sizeof( ring->u ) );
        memcpy( own->starts[i].s, ring->s, sizeof( ring->s ) );
    }
}

static double supHarmonicOmega( const supItemSteps* steps, int32_t open, int32_t n )
{
    return 1.0 / supSqrt( (double)steps->compliance[open][n] );
}

void supVibrationLoopStep( const void* compiled, const void* state, void* loop )
{
    const supVibration* vibration = compiled;
    supVibrationLoop* own = supLoopIn( vibration, loop );
    for ( int32_t i = 0; i < 2 * supRingHarmonics * vibration->itemCount; ++i )
    {
        int32_t item = i / ( 2 * supRingHarmonics ), open = i / supRingHarmonics % 2, n = i % supRingHarmonics;
        const supItemSteps* steps = supStepsOf( (void*)state, item );
        const supSpringStep* step = &steps->steps[open][n];
        supHarmonicFlow* flow = &own->flows[item].of[open][n];
        double omega = supHarmonicOmega( steps, open, n );
        for ( int column = 0; column < 2; ++column )
        {
            double u = flow->m[0][column], s = flow->m[1][column];
            flow->m[0][column] = (double)step->u[0] * u + (double)step->u[1] * omega * s;
            flow->m[1][column] = (double)step->s[0] / omega * u + (double)step->s[1] * s;
        }
    }
    for ( int32_t i = 0; i < supRingHarmonics * vibration->ringCount; ++i )
    {
        const supRingState* ring = supRingStates( vibration, (void*)state ) + i / supRingHarmonics;
        own->largest = supMax( own->largest, (double)supLength( ring->u[i % supRingHarmonics] ) );
    }
}

/// R - M: coordinate by coordinate of u, then of s / omega.
static void supFillLoopMatrix( supMat34 turn, const supHarmonicFlow* flow, double a[36] )
{
    const supVec3 columns[3] = { turn.x, turn.y, turn.z };
    for ( int i = 0; i < 36; ++i )
    {
        int row = i / 6, column = i % 6;
        const supVec3* from = columns + column % 3;
        float turned = row % 3 == 0 ? from->x : row % 3 == 1 ? from->y : from->z;
        a[i] = row / 3 == column / 3 ? (double)turned : 0.0;
        a[i] -= row % 3 == column % 3 ? flow->m[row / 3][column / 3] : 0.0;
    }
}

/// One harmonic of a ring: gives the length of its gap, and puts it where the next round is to begin.
static double supCloseHarmonic(
    supMat34 turn, const supHarmonicFlow* flow, double omega, supVec3 start[2], supVec3* u, supVec3* s, bool* resonant )
{
    float swing = (float)omega;
    supVec3 gap[2] = { supSub( *u, supTransformVector( turn, start[0] ) ),
        supScale( supSub( *s, supTransformVector( turn, start[1] ) ), 1.0f / swing ) };
    double a[36], d[6], scratch[42];
    const double right[6] = { gap[0].x, gap[0].y, gap[0].z, gap[1].x, gap[1].y, gap[1].z };
    supFillLoopMatrix( turn, flow, a );
    *resonant = supCloseGap( 6, a, right, d, scratch ) > SUP_MOST_LOOP_GAIN;
    supVec3 moved[2] = { { (float)d[0], (float)d[1], (float)d[2] }, { (float)d[3], (float)d[4], (float)d[5] } };
    *u = supTransformVector( turn, supAdd( start[0], moved[0] ) );
    *s = supTransformVector( turn, supMulAdd( start[1], swing, moved[1] ) );
    return supSqrt( (double)( supLengthSquared( gap[0] ) + supLengthSquared( gap[1] ) ) );
}

supLoopReport supVibrationLoopEnd( const void* compiled, void* state, void* loop, const float* live, supMat34 turn )
{
    const supVibration* vibration = compiled;
    supVibrationLoop* own = supLoopIn( vibration, loop );
    double gap = 0.0, thinnest = 0.0, resonance = 0.0;
    (void)live;
    turn.t = supVec3_zero;
    for ( int32_t i = 0; i < vibration->itemCount; ++i )
    {
        double thickness = (double)vibration->thickness[i];
        thinnest = i == 0 ? thickness : supMin( thinnest, thickness );
    }
    if ( !( own->largest > 1e-6 * thinnest ) )
    {
        return ( supLoopReport ){ 0 }; // it stands
    }
    for ( int32_t i = 0; i < supRingHarmonics * vibration->ringCount; ++i )
    {
        int32_t n = i % supRingHarmonics, item = vibration->rings[i / supRingHarmonics].item;
        bool open = vibration->rings[i / supRingHarmonics].open, resonant;
        supRingState* ring = supRingStates( vibration, state ) + i / supRingHarmonics;
        const supRingStart* from = own->starts + i / supRingHarmonics;
        supVec3 start[2] = { from->u[n], from->s[n] };
        double omega = supHarmonicOmega( supStepsOf( state, item ), open, n );
        double off =
            supCloseHarmonic( turn, &own->flows[item].of[open][n], omega, start, ring->u + n, ring->s + n, &resonant );
        resonance = resonant && off >= gap ? omega / ( 2.0 * SUP_PI ) : resonance;
        gap = supMax( gap, off );
    }
    return ( supLoopReport ){ gap / own->largest, (float)resonance };
}

// ---------------------------------------------------------------------------------------------------------------
// Rings of flesh from curves: the joints that carry them, and how thick the flesh is there.

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
