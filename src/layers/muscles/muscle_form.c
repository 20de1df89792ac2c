// The forms of muscles.
// SPDX-License-Identifier: MIT

#include "layers/muscles/muscle_form.h"

#include "base/math.h"

/// How much of its length a belly gathers in at full contraction.
static const float supFullContraction = 0.4f;
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
    const supMusclePoint* points = def->points.items;
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
            muscles->sharpness[at] =
                points[line[i].anchor].sharpness * supMix( def->sharpness, def->tendonSharpness, line[i].tendon );
        }
    }
}

/// The thickness of a strand at rest anywhere along its line.
static float supDepthAt( const supLineVertex* line, const float* depths, int32_t count, float u )
{
    int32_t i = 0;
    while ( i + 2 < count && line[i + 1].along < u )
    {
        ++i;
    }
    float span = line[i + 1].along - line[i].along;
    return supMix( depths[i], depths[i + 1], supClampF( ( u - line[i].along ) / span, 0.0f, 1.0f ) );
}

/// The volume of a strand whose sections are scaled, but for a factor.
static float supScaledVolume(
    const supLineVertex* line, const float* widths, const float* depths, const float* scales, int32_t count )
{
    float sum = 0.0f;
    for ( int32_t i = 0; i < count; ++i )
    {
        float around = ( i > 0 ? line[i - 1].restLength : 0.0f ) + line[i].restLength;
        sum += around * widths[i] * depths[i] * scales[i] * scales[i];
    }
    return sum;
}

// A belly that gathers in to b of its length about its middle c has, at u, the section that was at c + (u - c) / b,
// larger by 1 / b in area. Tendons are as thick as before: the growth fades out with the belly. What that and the few
// sections lose in volume is made up for in all of them.
void supContractStrand(
    const supMuscles* muscles, const supMuscle* muscle, int32_t strand, float contraction, float* scales )
{
    const supLineVertex* line = muscles->vertices + muscle->firstVertex;
    size_t first = (size_t)muscle->firstStrandVertex + (size_t)strand * (size_t)muscle->vertexCount;
    const float *widths = muscles->restWidths + first, *depths = muscles->restDepths + first;
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        scales[i] = 1.0f;
    }
    if ( !( contraction > 0.0f ) )
    {
        return;
    }
    float before = supScaledVolume( line, widths, depths, scales, muscle->vertexCount );
    float b = 1.0f - supFullContraction * contraction, middle = muscle->bellyMiddle;
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        float was = supDepthAt( line, depths, muscle->vertexCount, middle + ( line[i].along - middle ) / b );
        float belly = ( was - muscle->tendonRadius ) / supMaxF( muscle->bellyRadius - muscle->tendonRadius, 1e-12f );
        float growth = supMix( 1.0f, 1.0f / supSqrtF( b ), supClampF( supFadeSlope * belly, 0.0f, 1.0f ) );
        scales[i] = was * growth / depths[i];
    }
    float after = supScaledVolume( line, widths, depths, scales, muscle->vertexCount );
    float kept = supSqrtF( before / after );
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        scales[i] *= kept;
    }
}
