// Amounts lowered until the clips look right.
// SPDX-License-Identifier: MIT
//
// Below the limit an elongation is linear in `amount` and `sag` together. So the clips are run once with both a
// hundredth of what the region asks for, where nothing saturates; from those peaks the factor that meets the ceiling
// follows, and a second run says what really comes out.

#include "auto/propose.h"
#include "base/math.h"
#include "base/memory.h"
#include "supple/bake.h"

#include <string.h>

/// How far the first run is scaled down.
static const float supWhisper = 0.01f;
/// Aim a little below the ceiling: rounding and saturation must not lift a peak over it.
static const float supMargin = 0.985f;
/// No faster than a quarter of the 30 keys a second that files have: what swings faster they hardly show. Hz
static const float supFastest = 7.5f;
/// Times a second at which elongations are looked at, and the most of them in one clip: 18 minutes, longer ones less
/// often.
static const double supLooks = 240.0, supMostLooks = 1 << 18;

static supResult supBuildRig( supSketch* sketch, const supAllocator* allocator, supRig** out, supError* error )
{
    supResult result = supCreateRig( allocator, out, error );
    for ( int32_t i = 0; i < sketch->count && result == sup_success; ++i )
    {
        result = supRig_AddElement( *out, &sketch->elements[i].def, error );
    }
    if ( result != sup_success )
    {
        supDestroyRig( *out );
        *out = NULL;
    }
    return result;
}

static supElementTuning supTuningOf( const supSketchElement* element, float scale )
{
    return ( supElementTuning ){
        .frequency = element->def.frequency,
        .dampingRatio = element->def.dampingRatio,
        .amount = scale * element->def.amount,
        .sag = scale * element->def.sag,
        .mass = 1.0f,
        .gravityScale = element->def.gravityScale,
        .airFriction = element->def.airFriction,
        .limitScale = element->def.limitScale,
    };
}

/// Peaks of all elements over one clip, as shares of their thickness.
static supResult supAddPeaks( const supModel* model, int32_t clip, const supElementTuning* tunings,
    const supAllocator* allocator, float* peaks, int32_t* worst, supError* error )
{
    supTakeDef def = supDefaultTakeDef();
    def.model = model;
    def.clip = clip;
    def.tunings = tunings;
    def.allocator = allocator;
    supTake* take = NULL;
    supResult result = supCreateTake( &def, &take, error );
    if ( result != sup_success )
    {
        return result;
    }
    supTakeInfo info = supTake_Info( take );
    int32_t looks = (int32_t)supMin( ( info.end - info.start ) * supLooks, supMostLooks ) + 1;
    supVec3 elongations[supMostElements];
    for ( int32_t n = 0; n <= looks; ++n )
    {
        supTake_Elongations( take, info.start + ( info.end - info.start ) * n / looks, elongations );
        for ( int32_t e = 0; e < supModel_ElementCount( model ); ++e )
        {
            float peak = supLength( elongations[e] ) / supModel_Element( model, e ).thickness;
            worst[e] = peak > peaks[e] ? clip : worst[e];
            peaks[e] = supMaxF( peaks[e], peak );
        }
    }
    supDestroyTake( take );
    return sup_success;
}

static supResult supFindPeaks( const supSketch* sketch, const supModel* model, float scale,
    const supAllocator* allocator, float* peaks, int32_t* worst, supError* error )
{
    supElementTuning tunings[supMostElements];
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        tunings[i] = supTuningOf( sketch->elements + i, scale );
        peaks[i] = 0.0f;
        worst[i] = -1;
    }
    supResult result = sup_success;
    for ( int32_t clip = 0; clip < supCharacter_ClipCount( sketch->plan.character ) && result == sup_success; ++clip )
    {
        result = supAddPeaks( model, clip, tunings, allocator, peaks, worst, error );
    }
    return result;
}

/// Thicker flesh swings more slowly.
static void supChooseFrequencies( supSketch* sketch, const supModel* model )
{
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        supSketchElement* element = sketch->elements + i;
        float thickness = supModel_Element( model, i ).thickness;
        if ( element->mirror >= 0 )
        {
            thickness = 0.5f * ( thickness + supModel_Element( model, element->mirror ).thickness );
        }
        float frequency = element->softness / supSqrtF( thickness / sketch->plan.size );
        element->def.frequency = supClampF( frequency, element->slowest, supMinF( element->fastest, supFastest ) );
    }
}

/// A number that reads well in a file: three digits.
static float supRound( float x )
{
    double scale = 1.0;
    while ( x > 0.0f && x * scale < 100.0 && scale < 1e6 )
    {
        scale *= 10.0;
    }
    return (float)( supFloor( x * scale + 1e-4 ) / scale );
}

static void supLowerAmounts( supSketch* sketch, const float* peaks )
{
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        supSketchElement* element = sketch->elements + i;
        float peak = peaks[i] / supWhisper;
        peak = element->mirror >= 0 ? supMaxF( peak, peaks[element->mirror] / supWhisper ) : peak;
        element->firstPeak = peak;
        float factor = peak > supMargin * element->ceiling ? supMargin * element->ceiling / peak : 1.0f;
        element->def.amount = supRound( element->def.amount * factor );
        element->def.sag = supRound( element->def.sag * factor );
        element->def.frequency = supRound( element->def.frequency );
        element->def.dampingRatio = supRound( element->def.dampingRatio );
    }
}

static supResult supTameByClips(
    supSketch* sketch, const supModel* model, const supAllocator* allocator, supError* error )
{
    float peaks[supMostElements];
    int32_t worst[supMostElements];
    supResult result = supFindPeaks( sketch, model, supWhisper, allocator, peaks, worst, error );
    if ( result != sup_success )
    {
        return result;
    }
    supLowerAmounts( sketch, peaks );
    result = supFindPeaks( sketch, model, 1.0f, allocator, peaks, worst, error );
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        sketch->elements[i].peak = peaks[i];
        sketch->elements[i].worstClip = worst[i];
    }
    return result;
}

supResult supTameRig( supSketch* sketch, const supAllocator* allocator, supRig** out, supError* error )
{
    supRig* first = NULL;
    supModel* model = NULL;
    supResult result = supBuildRig( sketch, allocator, &first, error );
    result = result == sup_success ? supCompileModel( sketch->plan.character, first, &model, error ) : result;
    if ( result == sup_success )
    {
        supChooseFrequencies( sketch, model );
        result = supTameByClips( sketch, model, allocator, error );
    }
    result = result == sup_success ? supBuildRig( sketch, allocator, out, error ) : result;
    supDestroyModel( model );
    supDestroyRig( first );
    return result;
}
