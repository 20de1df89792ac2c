// Weights of morph targets in the clips of a baked document.
// SPDX-License-Identifier: MIT
//
// A node has one channel of weights for all its targets. Where a clip has none for it, the baked keys stand beside the
// default weights of the targets that were there before. Where it has one, both motions go into one channel with the
// times of both, exactly: between linear keys other linear keys change nothing; a jump becomes two keys close together;
// and where the old keys are cubic, all become so, since a cubic cut at a time is two cubics, and a straight line is
// one, too.
#include "io/gltf_bake.h"

#include <string.h>

/// A jump (STEP) becomes a slope as long as this, relative to the time or to a second: about two steps of a float.
static const double supJumpSlope = 2e-5;

/// What goes into one channel.
typedef struct supWeightsWork
{
    supBakeEdit* bake;
    supMorphGroup group;
    supMorphKeys keys;     ///< of the new targets; none: zeros
    int32_t before;        ///< targets that were there
    const float* defaults; ///< their weights
    supTrackDef old;       ///< their track; keyCount 0: none
    int32_t count, most;   ///< times
    float* times;
    float* values;
} supWeightsWork;

bool supBakeEdit_IsWeightsOf( supBakeEdit* bake, const json_t* channel, int32_t node )
{
    const json_t* target = json_object_get( channel, "target" );
    const char* path = json_string_value( json_object_get( target, "path" ) );
    return path != NULL && strcmp( path, "weights" ) == 0 &&
           supReader_Index( &bake->edit.reader, target, "node", "nodes" ) == node;
}

static json_t* supFindChannel( supBakeEdit* bake, const json_t* clip, int32_t node )
{
    size_t i;
    json_t* channel;
    json_array_foreach( json_object_get( clip, "channels" ), i, channel )
    {
        if ( supBakeEdit_IsWeightsOf( bake, channel, node ) )
        {
            return channel;
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Times

static void supAddKeyTime( supWeightsWork* work, float time )
{
    int32_t at = work->count++;
    for ( ; at > 0 && work->times[at - 1] > time; --at )
    {
        work->times[at] = work->times[at - 1];
    }
    work->times[at] = time;
}

/// Those of both, rising, each once.
static void supMergeTimes( supWeightsWork* work )
{
    for ( int32_t k = 0; k < work->keys.keyCount; ++k )
    {
        supAddKeyTime( work, work->keys.times[k] );
    }
    for ( int32_t k = 0; k < work->old.keyCount; ++k )
    {
        float time = work->old.times[k];
        supAddKeyTime( work, time );
        if ( work->old.interpolation == sup_interpolationStep && k > 0 )
        {
            double size = time < 0.0f ? -(double)time : (double)time;
            supAddKeyTime( work, (float)( time - supJumpSlope * ( size > 1.0 ? size : 1.0 ) ) );
        }
    }
    int32_t kept = 0;
    for ( int32_t i = 0; i < work->count; ++i )
    {
        if ( kept == 0 || work->times[i] > work->times[kept - 1] )
        {
            work->times[kept++] = work->times[i];
        }
    }
    work->count = kept;
}

/// The key at or before a time; *share of the way to the next, 0 where there is none or the time lies outside.
static int32_t supFindKey( const float* times, int32_t count, float time, double* share )
{
    int32_t lower = 0, upper = count;
    while ( upper - lower > 1 )
    {
        int32_t middle = lower + ( upper - lower ) / 2;
        lower = times[middle] <= time ? middle : lower;
        upper = times[middle] <= time ? upper : middle;
    }
    *share = 0.0;
    if ( lower + 1 < count && time > times[lower] )
    {
        *share = ( (double)time - times[lower] ) / ( (double)times[lower + 1] - times[lower] );
    }
    return lower;
}

// ---------------------------------------------------------------------------------------------------------------
// Values: a weight, and its slope before and after the time

typedef struct supWeightAt
{
    double value, slopeBefore, slopeAfter;
} supWeightAt;

static double supSlope( const float* values, const float* times, int32_t key, int32_t width, int32_t count )
{
    if ( key < 0 || key + 1 >= count )
    {
        return 0.0;
    }
    double span = (double)times[key + 1] - times[key];
    return ( (double)values[( key + 1 ) * width] - values[key * width] ) / span;
}

/// Of keys that are interpolated linearly; `values` starts at the target.
static supWeightAt supLinearAt( const float* values, const float* times, int32_t count, int32_t width, float time )
{
    double share;
    int32_t key = supFindKey( times, count, time, &share );
    double a = values[(size_t)key * (size_t)width];
    double b = share > 0.0 ? values[( (size_t)key + 1 ) * (size_t)width] : a;
    bool outside = time < times[0] || time > times[count - 1];
    supWeightAt at = { a + ( b - a ) * share, 0.0, 0.0 };
    if ( outside == false )
    {
        at.slopeAfter = supSlope( values, times, key, width, count );
        at.slopeBefore = share > 0.0 ? at.slopeAfter : supSlope( values, times, key - 1, width, count );
    }
    return at;
}

/// Of a cubic: value and slope of the Hermite curve at a share of its span.
static supWeightAt supCubicAt( const supTrackDef* track, int32_t target, float time )
{
    double share;
    int32_t key = supFindKey( track->times, track->keyCount, time, &share );
    size_t width = (size_t)track->width;
    const float* a = track->values + 3 * (size_t)key * width + (size_t)target;
    bool outside = time < track->times[0] || time > track->times[track->keyCount - 1];
    if ( share <= 0.0 )
    {
        return ( supWeightAt ){ a[width], outside ? 0.0 : a[0], outside ? 0.0 : a[2 * width] };
    }
    const float* b = a + 3 * width;
    double d = (double)track->times[key + 1] - track->times[key], t = share;
    double p = a[width], q = b[width], m = d * a[2 * width], n = d * b[0];
    double value = ( 2 * t * t * t - 3 * t * t + 1 ) * p + ( t * t * t - 2 * t * t + t ) * m +
                   ( 3 * t * t - 2 * t * t * t ) * q + ( t * t * t - t * t ) * n;
    double slope = ( 6 * t * t - 6 * t ) * p + ( 3 * t * t - 4 * t + 1 ) * m + ( 6 * t - 6 * t * t ) * q +
                   ( 3 * t * t - 2 * t ) * n;
    return ( supWeightAt ){ value, slope / d, slope / d };
}

static supWeightAt supOldAt( const supWeightsWork* work, int32_t target, float time )
{
    const supTrackDef* old = &work->old;
    if ( old->keyCount == 0 )
    {
        return ( supWeightAt ){ work->defaults != NULL ? work->defaults[target] : 0.0f, 0.0, 0.0 };
    }
    if ( old->interpolation == sup_interpolationCubic )
    {
        return supCubicAt( old, target, time );
    }
    if ( old->interpolation == sup_interpolationStep )
    {
        double share;
        int32_t key = supFindKey( old->times, old->keyCount, time, &share );
        return ( supWeightAt ){ old->values[(size_t)key * (size_t)old->width + (size_t)target], 0.0, 0.0 };
    }
    return supLinearAt( old->values + target, old->times, old->keyCount, old->width, time );
}

static void supFillValues( supWeightsWork* work, bool cubic )
{
    size_t width = (size_t)work->before + (size_t)work->group.targetCount, parts = cubic ? 3 : 1;
    for ( size_t k = 0; k < (size_t)work->count; ++k )
    {
        for ( size_t i = 0; i < width; ++i )
        {
            int32_t target = (int32_t)i - work->before;
            supWeightAt at = { 0.0, 0.0, 0.0 };
            if ( target < 0 )
            {
                at = supOldAt( work, (int32_t)i, work->times[k] );
            }
            else if ( work->keys.keyCount > 0 )
            {
                at = supLinearAt( work->keys.weights + target, work->keys.times, work->keys.keyCount,
                    work->group.targetCount, work->times[k] );
            }
            float* out = work->values + k * parts * width + i;
            const float all[3] = { (float)at.slopeBefore, (float)at.value, (float)at.slopeAfter };
            for ( size_t part = 0; part < parts; ++part )
            {
                out[part * width] = all[cubic ? part : 1];
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// One channel

/// The track of the node's weights in a clip of the character: the last one counts.
static supTrackDef supOldTrack( const supBakeEdit* bake, int32_t clip, int32_t node, int32_t before )
{
    supTrackDef found = { 0 };
    for ( int32_t t = 0; t < supCharacter_Clip( bake->character, clip ).trackCount; ++t )
    {
        supTrackDef track = supCharacter_Clip( bake->character, clip ).tracks[t];
        if ( track.joint == node && track.path == sup_pathWeights && track.width == before && before > 0 )
        {
            found = track;
        }
    }
    return found;
}

static void supSetChannel( supWeightsWork* work, json_t* clip, json_t* channel, const char* form )
{
    supBakeEdit* bake = work->bake;
    size_t width = (size_t)work->before + (size_t)work->group.targetCount;
    size_t cells = (size_t)work->count * width * ( strcmp( form, "CUBICSPLINE" ) == 0 ? 3 : 1 );
    int32_t input = supBakeEdit_AddFloats( bake, work->times, (size_t)work->count, "SCALAR", 1 );
    int32_t output = supBakeEdit_AddFloats( bake, work->values, cells, "SCALAR", 1 );
    if ( channel != NULL && work->before == 0 ) // of no targets, and so of no meaning until now
    {
        int32_t sampler = supBakeEdit_AddSampler( bake, clip, input, output, form );
        supEdit_Put( &bake->edit, channel, "sampler", json_integer( sampler ) );
        return;
    }
    if ( channel == NULL )
    {
        int32_t sampler = supBakeEdit_AddSampler( bake, clip, input, output, form );
        supEdit_Push( &bake->edit, json_object_get( clip, "channels" ),
            json_pack(
                "{s:i, s:{s:i, s:s}}", "sampler", sampler, "target", "node", work->group.joint, "path", "weights" ) );
        return;
    }
    // the channel has a sampler of its own since its keys grew
    json_t* sampler = json_array_get(
        json_object_get( clip, "samplers" ), supReader_Size( &bake->edit.reader, channel, "sampler", 0 ) );
    supEdit_Put( &bake->edit, sampler, "input", json_integer( input ) );
    supEdit_Put( &bake->edit, sampler, "output", json_integer( output ) );
    supEdit_Put( &bake->edit, sampler, "interpolation", json_string( form ) );
}

/// Whether the character has the channel's keys as the file has them. It has fewer where some were NaN, and then the
/// channel is written anew.
static bool supHasAllKeys( supBakeEdit* bake, const json_t* clip, const json_t* channel, const supTrackDef* old )
{
    const json_t* sampler = json_array_get(
        json_object_get( clip, "samplers" ), supReader_Size( &bake->edit.reader, channel, "sampler", 0 ) );
    int32_t input = supReader_Index( &bake->edit.reader, sampler, "input", "accessors" );
    return input >= 0 && supReader_AccessorCount( &bake->edit.reader, input ) == old->keyCount;
}

static void supAddGroupWeights( supBakeEdit* bake, json_t* clip, int32_t index, int32_t group, int32_t baked )
{
    supWeightsWork work = { .bake = bake, .group = supMorphBake_Info( bake->morphs )->groups[group] };
    json_t* channel = supFindChannel( bake, clip, work.group.joint );
    for ( int32_t m = 0; m < supCharacter_Info( bake->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( bake->character, m );
        if ( mesh.joint == work.group.joint )
        {
            work.before = mesh.morphCount;
            work.defaults = mesh.morphWeights;
        }
    }
    work.old = supOldTrack( bake, index, work.group.joint, work.before );
    if ( work.group.targetCount == 0 ||
         ( baked < 0 && channel != NULL && work.before > 0 && supHasAllKeys( bake, clip, channel, &work.old ) ) )
    {
        return; // keys that were there have zeros already
    }
    float start = (float)supCharacter_Clip( bake->character, index ).start;
    const float zero = 0.0f;
    work.keys = baked >= 0 ? supMorphBake_Info( bake->morphs )->groups[group].keys[baked]
                           : ( supMorphKeys ){ 1, &start, &zero };
    size_t most = (size_t)work.keys.keyCount + 2 * (size_t)work.old.keyCount;
    size_t width = (size_t)work.before + (size_t)work.group.targetCount;
    work.times = supReader_Take( &bake->edit.reader, &bake->arena, most, sizeof( float ) );
    work.values = supReader_Take( &bake->edit.reader, &bake->arena, most, 3 * width * sizeof( float ) );
    if ( work.times == NULL || work.values == NULL )
    {
        return;
    }
    bool cubic = work.old.interpolation == sup_interpolationCubic && work.old.keyCount > 0;
    supMergeTimes( &work );
    work.keys.keyCount = baked >= 0 ? work.keys.keyCount : 0;
    supFillValues( &work, cubic );
    supSetChannel( &work, clip, channel, cubic ? "CUBICSPLINE" : "LINEAR" );
}

void supBakeEdit_AddWeights( supBakeEdit* bake, json_t* clip, int32_t index, int32_t baked )
{
    for ( int32_t g = 0; g < supMorphBake_Info( bake->morphs )->groupCount && supEdit_Ok( &bake->edit ); ++g )
    {
        supAddGroupWeights( bake, clip, index, g, baked );
    }
}
