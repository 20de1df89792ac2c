// The forms of muscles.
// SPDX-License-Identifier: MIT

#include "layers/muscles/muscle_frame.h"

#include "base/math.h"

/// How much of its length a belly gathers in at full contraction.
static const float supFullContraction = 0.5f;
/// A section that is 1 / this of the way from tendon to belly grows in full.
static const float supFadeSlope = 5.0f;

int32_t supCountStrands( const supMuscleDef* def )
{
    return def->shape == sup_muscleFiller ? 0 : def->shape == sup_muscleBellies ? (int32_t)def->bellies : 1;
}

/// 0 on the tendons, 1 where the belly is thickest, level at all three. `u`: along the line.
static float supBellyAt( const supMuscleDef* def, float u )
{
    float inside = ( u - def->tendonFrom ) / ( 1.0f - def->tendonFrom - def->tendonTo );
    if ( !( inside > 0.0f && inside < 1.0f ) )
    {
        return 0.0f;
    }
    float v = inside < def->belly ? 0.5f * inside / def->belly
                                  : 0.5f + 0.5f * ( inside - def->belly ) / ( 1.0f - def->belly );
    float w = 4.0f * v * ( 1.0f - v );
    return w * w * ( 3.0f - 2.0f * w );
}

static float supMix( float a, float b, float t )
{
    return a + ( b - a ) * t;
}

/// Half the breadth of one section.
static float supWidthAt( const supMuscleDef* def, float u, float bulge )
{
    if ( def->shape != sup_muscleFlat )
    {
        return supMix( def->tendonRadius, supIsFinite( def->width ) ? def->width : def->radius, bulge );
    }
    float ends = supMaxF( supMix( def->spreadFrom, def->spreadTo, u ), def->tendonRadius );
    return supIsFinite( def->width ) ? supMix( ends, def->width, bulge ) : ends;
}

void supShapeMuscle(
    const supMuscleDef* def, float size, const supLineVertex* line, supMuscle* muscle, supMuscles* muscles )
{
    muscle->tendonRadius = size * def->tendonRadius;
    muscle->bellyRadius = size * supMaxF( def->radius, def->tendonRadius );
    muscle->bellyMiddle = def->tendonFrom + def->belly * ( 1.0f - def->tendonFrom - def->tendonTo );
    for ( int32_t k = 0; k < muscle->strandCount; ++k )
    {
        float side = (float)( 2 * k + 1 ) / (float)muscle->strandCount - 1.0f;
        for ( int32_t i = 0; i < muscle->vertexCount; ++i )
        {
            size_t at = (size_t)( muscle->firstStrandVertex + k * muscle->vertexCount + i );
            float u = line[i].along, bulge = supBellyAt( def, u );
            muscles->restWidths[at] = size * supWidthAt( def, u, bulge );
            muscles->restDepths[at] = size * supMix( def->tendonRadius, def->radius, bulge );
            muscles->offsets[at] = size * side * supMix( def->spreadFrom, def->spreadTo, u );
        }
    }
}

/// Half breadth or thickness of a strand at rest anywhere along its line.
static float supSizeAt( const supLineVertex* line, const float* sizes, int32_t count, float u )
{
    int32_t i = 0;
    while ( i + 2 < count && line[i + 1].along < u )
    {
        ++i;
    }
    float span = line[i + 1].along - line[i].along;
    return supMix( sizes[i], sizes[i + 1], supClampF( ( u - line[i].along ) / span, 0.0f, 1.0f ) );
}

/// A section's half breadth and thickness, scaled.
static supSectionScale supSectionOf(
    const float* widths, const float* depths, const supSectionScale* scales, int32_t i )
{
    float wide = scales != NULL ? scales[i].wide : 1.0f, deep = scales != NULL ? scales[i].deep : 1.0f;
    return ( supSectionScale ){ wide * widths[i], deep * depths[i] };
}

/// The volume of a strand that is straight, but for a factor: between two ellipses with half axes that change linearly,
/// exactly. `scales` NULL: 1.
static float supStraightVolume(
    const supLineVertex* line, const float* widths, const float* depths, const supSectionScale* scales, int32_t count )
{
    float sum = 0.0f;
    for ( int32_t i = 0; i + 1 < count; ++i )
    {
        supSectionScale a = supSectionOf( widths, depths, scales, i );
        supSectionScale b = supSectionOf( widths, depths, scales, i + 1 );
        sum +=
            line[i].restLength * ( 2.0f * ( a.wide * a.deep + b.wide * b.deep ) + a.wide * b.deep + b.wide * a.deep );
    }
    return sum;
}

// Between two sections the strand is filled by places c + r ( a cos u + b sin u ), 0 <= r <= 1, where the middle c and
// the half axes a and b run linearly from one to the other. Their Jacobian is r c' . ( a x b ) and a part that vanishes
// over u, so the volume is pi times the integral of c' . ( a x b ), in bends as well: there sections in bisecting
// planes stand at a slant to the line, which makes the strand thinner than they are broad.
float supSectionsVolume( const supMuscles* muscles, const supMuscle* muscle, int32_t strand, const supSection* sections,
    const supSectionScale* scales )
{
    size_t first = (size_t)muscle->firstStrandVertex + (size_t)strand * (size_t)muscle->vertexCount;
    const float *widths = muscles->restWidths + first, *depths = muscles->restDepths + first;
    float sum = 0.0f;
    for ( int32_t i = 0; i + 1 < muscle->vertexCount; ++i )
    {
        const supSection *s = sections + i, *t = s + 1;
        supSectionScale a = supSectionOf( widths, depths, scales, i );
        supSectionScale b = supSectionOf( widths, depths, scales, i + 1 );
        supVec3 area = supScale( supCross( s->wide, s->deep ), 2.0f * a.wide * a.deep );
        area = supMulAdd( area, 2.0f * b.wide * b.deep, supCross( t->wide, t->deep ) );
        area = supMulAdd( area, a.wide * b.deep, supCross( s->wide, t->deep ) );
        area = supMulAdd( area, b.wide * a.deep, supCross( t->wide, s->deep ) );
        sum += supDot( supSub( t->middle, s->middle ), area );
    }
    return (float)( SUP_PI / 6.0 ) * sum;
}

// A belly that gathers in to b of its length about its middle c has, at u, the section that was at c + (u - c) / b,
// larger by 1 / b in area. Tendons are as thick as before: the growth fades out with the belly. What that and the few
// sections lose in volume is made up for in all of them. Breadth and thickness each follow their own course along the
// line: a sheet is as broad as its ends are, and thin towards them.
void supContractStrand(
    const supMuscles* muscles, const supMuscle* muscle, int32_t strand, float contraction, supSectionScale* scales )
{
    const supLineVertex* line = muscles->vertices + muscle->firstVertex;
    size_t first = (size_t)muscle->firstStrandVertex + (size_t)strand * (size_t)muscle->vertexCount;
    const float *widths = muscles->restWidths + first, *depths = muscles->restDepths + first;
    int32_t count = muscle->vertexCount;
    for ( int32_t i = 0; i < count; ++i )
    {
        scales[i] = ( supSectionScale ){ 1.0f, 1.0f };
    }
    if ( !( contraction > 0.0f ) )
    {
        return;
    }
    float b = 1.0f - supFullContraction * contraction, middle = muscle->bellyMiddle;
    for ( int32_t i = 0; i < count; ++i )
    {
        float from = middle + ( line[i].along - middle ) / b;
        float wide = supSizeAt( line, widths, count, from ), deep = supSizeAt( line, depths, count, from );
        float belly = ( deep - muscle->tendonRadius ) / supMaxF( muscle->bellyRadius - muscle->tendonRadius, 1e-12f );
        float growth = supMix( 1.0f, 1.0f / supSqrtF( b ), supClampF( supFadeSlope * belly, 0.0f, 1.0f ) );
        scales[i] = ( supSectionScale ){ wide * growth / widths[i], deep * growth / depths[i] };
    }
    float kept = supSqrtF( supStraightVolume( line, widths, depths, NULL, count ) /
                           supStraightVolume( line, widths, depths, scales, count ) );
    for ( int32_t i = 0; i < count; ++i )
    {
        scales[i].wide *= kept;
        scales[i].deep *= kept;
    }
}
