// Amounts lowered until the clips look right.
// SPDX-License-Identifier: MIT
//
// Below the limit an elongation is linear in `amount` and `sag` together. So the clips are run once with both a
// hundredth of what the region asks for, where nothing saturates; from those peaks the factor that meets the ceiling
// follows, and a second run says what really comes out.

#include "auto/propose.h"
#include "base/math.h"
#include "base/memory.h"
#include "base/tasks.h"
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

/// One clip's peaks, as shares of the thickness.
typedef struct supClipPeaks
{
    float peaks[supMostElements];
    int32_t turn; ///< which clip is looked at in its place
    supResult result;
    supError error;
} supClipPeaks;

/// A run over all clips, one task each.
typedef struct supPeakWork
{
    const supModel* model;
    const supProposeDef* def;
    supElementTuning tunings[supMostElements];
    supClipPeaks* clips;
} supPeakWork;

/// A clip of those that are looked at.
static int32_t supLookedAt( const supProposeDef* def, int32_t index )
{
    return def->clips != NULL ? def->clips[index] : index;
}

static double supSpanOf( const supCharacter* character, const supProposeDef* def, int32_t index )
{
    supClipView view = supCharacter_Clip( character, supLookedAt( def, index ) );
    return (double)view.end - (double)view.start;
}

/// The longest clips first: whoever is done early finds short ones left.
static void supOrderClips( const supCharacter* character, const supProposeDef* def, int32_t count, supClipPeaks* clips )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        int32_t at = i;
        for ( ; at > 0 && supSpanOf( character, def, clips[at - 1].turn ) < supSpanOf( character, def, i ); --at )
        {
            clips[at].turn = clips[at - 1].turn;
        }
        clips[at].turn = i;
    }
}

static void supPeakTask( int32_t index, void* context )
{
    const supPeakWork* work = context;
    int32_t own = work->clips[index].turn;
    supClipPeaks* out = work->clips + own;
    supTakeDef def = supDefaultTakeDef();
    def.model = work->model;
    def.clip = supLookedAt( work->def, own );
    def.tunings = work->tunings;
    def.allocator = work->def->allocator;
    supTake* take = NULL;
    out->result = supCreateTake( &def, &take, &out->error );
    if ( out->result != sup_success )
    {
        return;
    }
    supTakeInfo info = supTake_Info( take );
    int32_t looks = (int32_t)supMin( ( info.end - info.start ) * supLooks, supMostLooks ) + 1;
    supVec3 elongations[supMostElements];
    for ( int32_t n = 0; n <= looks; ++n )
    {
        supTake_Elongations( take, info.start + ( info.end - info.start ) * n / looks, elongations );
        for ( int32_t e = 0; e < supModel_ElementCount( work->model ); ++e )
        {
            out->peaks[e] = supMaxF( out->peaks[e], supLengthSquared( elongations[e] ) );
        }
    }
    for ( int32_t e = 0; e < supModel_ElementCount( work->model ); ++e )
    {
        out->peaks[e] = supSqrtF( out->peaks[e] ) / supModel_Element( work->model, e ).thickness;
    }
    supDestroyTake( take );
}

/// Peaks over all clips, and the clip of each. The first of equal ones, whatever thread was faster.
static supResult supFindPeaks( const supSketch* sketch, const supModel* model, float scale, const supProposeDef* def,
    float* peaks, int32_t* worst, supError* error )
{
    const supAllocator* allocator = def->allocator;
    supPeakWork work = { .model = model, .def = def };
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        work.tunings[i] = supTuningOf( sketch->elements + i, scale );
        peaks[i] = 0.0f;
        worst[i] = -1;
    }
    int32_t all = supCharacter_ClipCount( sketch->plan.character );
    size_t clips = (size_t)( def->clips != NULL ? def->clipCount : all );
    work.clips = supAllocZeroed( allocator, clips + 1, sizeof( supClipPeaks ), _Alignof( supClipPeaks ) );
    if ( work.clips == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for the peaks of %zu clips", clips );
    }
    supOrderClips( sketch->plan.character, def, (int32_t)clips, work.clips );
    supRunTasks( def->tasks, supPeakTask, (int32_t)clips, &work );
    supResult result = sup_success;
    for ( size_t clip = 0; clip < clips && result == sup_success; ++clip )
    {
        const supClipPeaks* from = work.clips + clip;
        result = from->result;
        if ( result != sup_success )
        {
            supFail( error, result, "%s", from->error.text );
        }
        for ( int32_t e = 0; e < sketch->count; ++e )
        {
            worst[e] = from->peaks[e] > peaks[e] ? supLookedAt( def, (int32_t)clip ) : worst[e];
            peaks[e] = supMaxF( peaks[e], from->peaks[e] );
        }
    }
    supFree( allocator, work.clips, ( clips + 1 ) * sizeof( supClipPeaks ) );
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

static void supLowerAmounts( supSketch* sketch, const float* peaks, const int32_t* worst )
{
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        supSketchElement* element = sketch->elements + i;
        int32_t twin = element->mirror;
        int32_t side = twin >= 0 && peaks[twin] > peaks[i] ? twin : i; // the worse of the two tames both
        float peak = peaks[side] / supWhisper;
        element->firstPeak = peak;
        element->firstClip = worst[side];
        element->firstAmount = supRound( element->def.amount );
        float factor = peak > supMargin * element->ceiling ? supMargin * element->ceiling / peak : 1.0f;
        element->def.amount = supRound( element->def.amount * factor );
        element->def.sag = supRound( element->def.sag * factor );
        element->def.frequency = supRound( element->def.frequency );
        element->def.dampingRatio = supRound( element->def.dampingRatio );
    }
}

static supResult supTameByClips( supSketch* sketch, const supModel* model, const supProposeDef* def, supError* error )
{
    float peaks[supMostElements];
    int32_t worst[supMostElements];
    supResult result = supFindPeaks( sketch, model, supWhisper, def, peaks, worst, error );
    if ( result != sup_success )
    {
        return result;
    }
    supLowerAmounts( sketch, peaks, worst );
    result = supFindPeaks( sketch, model, 1.0f, def, peaks, worst, error );
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        sketch->elements[i].peak = peaks[i];
        sketch->elements[i].worstClip = worst[i];
    }
    return result;
}

supResult supTameRig( supSketch* sketch, const supProposeDef* def, supRig** out, supError* error )
{
    supRig* first = NULL;
    supModel* model = NULL;
    supResult result = supBuildRig( sketch, def->allocator, &first, error );
    result = result == sup_success ? supCompileModel( sketch->plan.character, first, &model, error ) : result;
    if ( result == sup_success )
    {
        supChooseFrequencies( sketch, model );
        result = supTameByClips( sketch, model, def, error );
    }
    result = result == sup_success ? supBuildRig( sketch, def->allocator, out, error ) : result;
    supDestroyModel( model );
    supDestroyRig( first );
    return result;
}
