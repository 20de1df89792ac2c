// Supple: keys put right in a character's own copy of its clips.
// SPDX-License-Identifier: MIT
//
//   NaN, infinity    in a time or a value: the key goes, and what stands around it is interpolated over it; in a
//                    tangent: the tangent is zero. (Exporters leave the tangents of first and last keys open.)
//   falling times    keys are sorted by their times
//   equal times      with one value: one key. With two: a jump, as players make of it, the later one a float's last bit
//                    after the first; at the ends of a track, where nothing is before or after, the inner one alone.
//                    After sorting it is not clear which of them was to come first: refused

#include "base/memory.h"
#include "base/ranked.h"
#include "base/scalar_math.h"
#include "character_data.h"

#include <stdio.h>
#include <string.h>

/// A quaternion farther from unit length than this was not meant to be one; nearer ones are rounding (of 16-bit
/// integers too), which posing takes out by itself.
#define SUP_UNIT_TOLERANCE 1e-3

/// A track of the character while it is put right.
typedef struct supKeys
{
    float* times;
    float* values;
    int32_t count;
    size_t width;    // floats of a key, tangents included
    size_t value;    // where a key's value starts among them
    size_t valueEnd; // and ends
    bool isCubic;
} supKeys;

/// The copies are the character's own, and it is not finished.
static supKeys supKeysOf( const supTrackDef* track )
{
    size_t width = (size_t)track->width;
    bool isCubic = track->interpolation == sup_interpolationCubic;
    return ( supKeys ){ .times = (float*)track->times,
        .values = (float*)track->values,
        .count = track->keyCount,
        .width = isCubic ? 3 * width : width,
        .value = isCubic ? width : 0,
        .valueEnd = isCubic ? 2 * width : width,
        .isCubic = isCubic };
}

static float* supKeyAt( const supKeys* keys, int32_t key )
{
    return keys->values + (size_t)key * keys->width;
}

static void supMoveKey( supKeys* keys, int32_t to, int32_t from )
{
    keys->times[to] = keys->times[from];
    memmove( supKeyAt( keys, to ), supKeyAt( keys, from ), keys->width * sizeof( float ) );
}

static void supDropNanKeys( supKeys* keys, supFixes* fixes )
{
    int32_t kept = 0;
    for ( int32_t k = 0; k < keys->count; ++k )
    {
        float* key = supKeyAt( keys, k );
        size_t size = keys->valueEnd - keys->value;
        if ( supFindNotFinite( keys->times + k, 1 ) == 0 || supFindNotFinite( key + keys->value, size ) < size )
        {
            fixes->nanKeys += 1;
            continue;
        }
        bool isOpen = supFindNotFinite( key, keys->width ) < keys->width;
        for ( size_t i = 0; isOpen && i < keys->width; ++i )
        {
            key[i] = supIsFinite( key[i] ) ? key[i] : 0.0f;
        }
        fixes->nanTangents += isOpen;
        supMoveKey( keys, kept++, k );
    }
    keys->count = kept;
}

// ---------------------------------------------------------------------------------------------------------------
// Times

static bool supDoTimesFall( const supKeys* keys )
{
    for ( int32_t k = 1; k < keys->count; ++k )
    {
        if ( keys->times[k] < keys->times[k - 1] )
        {
            return true;
        }
    }
    return false;
}

/// False: no memory.
static bool supSortKeys( supKeys* keys, const supAllocator* allocator )
{
    size_t count = (size_t)keys->count, bytes = count * keys->width * sizeof( float );
    supRanked* places = supAlloc( allocator, count * sizeof( supRanked ), _Alignof( supRanked ) );
    float* sorted = supAlloc( allocator, bytes, _Alignof( float ) );
    bool isDone = places != NULL && sorted != NULL;
    if ( isDone )
    {
        for ( int32_t k = 0; k < keys->count; ++k )
        {
            places[k] = ( supRanked ){ keys->times[k], k };
        }
        supSortRanked( places, count );
        for ( int32_t k = 0; k < keys->count; ++k )
        {
            keys->times[k] = (float)places[k].key;
            memcpy( sorted + (size_t)k * keys->width, supKeyAt( keys, places[k].item ), keys->width * sizeof( float ) );
        }
        memcpy( keys->values, sorted, bytes );
    }
    supFree( allocator, places, count * sizeof( supRanked ) );
    supFree( allocator, sorted, bytes );
    return isDone;
}

static bool supIsSameValue( const supKeys* keys, int32_t a, int32_t b )
{
    for ( size_t i = keys->value; i < keys->valueEnd; ++i )
    {
        if ( supKeyAt( keys, a )[i] != supKeyAt( keys, b )[i] )
        {
            return false;
        }
    }
    return true;
}

/// The next float above a finite one.
static float supNextUp( float x )
{
    uint32_t bits;
    x = x == 0.0f ? 0.0f : x; // -0 too
    memcpy( &bits, &x, sizeof( bits ) );
    bits = x < 0.0f ? bits - 1 : bits + 1;
    memcpy( &x, &bits, sizeof( x ) );
    return x;
}

/// Keys `first` to `last` have one time. Puts what is kept of them at `kept` and gives how many these are.
static int32_t supKeepOfRun( supKeys* keys, int32_t kept, int32_t first, int32_t last )
{
    bool isStart = kept == 0, isEnd = last == keys->count - 1;
    float later = supNextUp( keys->times[last] );
    if ( supIsSameValue( keys, first, last ) )
    {
        if ( keys->isCubic ) // arrives as the first, leaves as the last
        {
            memcpy( supKeyAt( keys, first ) + keys->valueEnd, supKeyAt( keys, last ) + keys->valueEnd,
                keys->value * sizeof( float ) );
        }
        supMoveKey( keys, kept, first );
        return 1;
    }
    if ( isStart || isEnd || later >= keys->times[last + 1] )
    {
        supMoveKey( keys, kept, isEnd && !isStart ? first : last );
        return 1;
    }
    supMoveKey( keys, kept, first );
    supMoveKey( keys, kept + 1, last );
    keys->times[kept + 1] = later;
    return 2;
}

static void supPartTwins( supKeys* keys, supFixes* fixes )
{
    int32_t kept = 0;
    for ( int32_t first = 0, last; first < keys->count; first = last + 1 )
    {
        for ( last = first; last + 1 < keys->count && keys->times[last + 1] == keys->times[first]; )
        {
            ++last;
        }
        fixes->twinKeys += last - first;
        if ( last > first )
        {
            kept += supKeepOfRun( keys, kept, first, last );
        }
        else
        {
            supMoveKey( keys, kept++, first );
        }
    }
    keys->count = kept;
}

// ---------------------------------------------------------------------------------------------------------------
// Rotations

bool supRepairRotation( float* q )
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double length = supSqrt( x * x + y * y + z * z + w * w );
    if ( supAbs( length - 1.0 ) <= SUP_UNIT_TOLERANCE )
    {
        return false;
    }
    bool isZero = length == 0.0;
    q[0] = isZero ? 0.0f : (float)( x / length );
    q[1] = isZero ? 0.0f : (float)( y / length );
    q[2] = isZero ? 0.0f : (float)( z / length );
    q[3] = isZero ? 1.0f : (float)( w / length );
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Every reason to refuse a clip, each named.

static const char* supPathName( supPath path )
{
    static const char* const names[4] = { "translation", "rotation", "scale", "weights" };
    return names[path];
}

/// "clip 'Walk', track 3 (rotation of joint 'Hips')"
static void supNameTrack( const supCharacterDef* def, int32_t clip, int32_t track, char* text, size_t size )
{
    const supTrackDef* trackDef = def->clips[clip].tracks + track;
    supLabel clipLabel = supLabelOf( "clip", clip, def->clips[clip].name );
    supLabel jointLabel = supLabelOf( "joint", trackDef->joint, def->joints[trackDef->joint].name );
    snprintf( text, size, "%s, track %d (%s of %s)", clipLabel.text, (int)track, supPathName( trackDef->path ),
        jointLabel.text );
}

/// What must hold before anything of a track can be read, or even named.
static supResult supCheckTrackFields( const supCharacterDef* def, int32_t clip, int32_t index, supError* error )
{
    const supTrackDef* track = def->clips[clip].tracks + index;
    supLabel label = supLabelOf( "clip", clip, def->clips[clip].name );
    if ( track->joint < 0 || track->joint >= def->jointCount )
    {
        return supRefuse( def, error, sup_errorData, "%s, track %d: it moves joint %d, but there are %d joints",
            label.text, (int)index, (int)track->joint, (int)def->jointCount );
    }
    if ( (int)track->path < sup_pathTranslation || (int)track->path > sup_pathWeights )
    {
        return supRefuse(
            def, error, sup_errorArgument, "%s, track %d: %d is not a path", label.text, (int)index, (int)track->path );
    }
    if ( (int)track->interpolation < sup_interpolationStep || (int)track->interpolation > sup_interpolationCubic )
    {
        return supRefuse( def, error, sup_errorArgument, "%s, track %d: %d is not an interpolation", label.text,
            (int)index, (int)track->interpolation );
    }
    return sup_success;
}

static supResult supCheckTrack( const supCharacterDef* def, int32_t clip, int32_t index, supError* error )
{
    const supTrackDef* track = def->clips[clip].tracks + index;
    char name[256];
    supNameTrack( def, clip, index, name, sizeof( name ) );
    if ( track->keyCount < 1 )
    {
        return supRefuse( def, error, sup_errorData, "%s: has no keys", name );
    }
    if ( track->times == NULL || track->values == NULL )
    {
        return supRefuse( def, error, sup_errorArgument, "%s: there should be %d keys, but the array of %s is missing",
            name, (int)track->keyCount, track->times == NULL ? "times" : "values" );
    }
    const int32_t widths[3] = { 3, 4, 3 };
    if ( track->path == sup_pathWeights ? track->width < 1 : track->width != widths[track->path] )
    {
        return supRefuse( def, error, sup_errorData, "%s: a value cannot have %d numbers", name, (int)track->width );
    }
    return sup_success;
}

supResult supCheckClipDefs( const supCharacterDef* def, supError* error )
{
    supResult result = sup_success;
    for ( int32_t c = 0; result == sup_success && c < def->clipCount; ++c )
    {
        const supClipDef* clip = def->clips + c;
        supLabel label = supLabelOf( "clip", c, clip->name );
        if ( clip->trackCount < 0 || ( clip->trackCount > 0 && clip->tracks == NULL ) )
        {
            return supRefuse( def, error, sup_errorArgument, "%s: %d tracks%s", label.text, (int)clip->trackCount,
                clip->trackCount < 0 ? "" : ", but no array" );
        }
        for ( int32_t t = 0; result == sup_success && t < clip->trackCount; ++t )
        {
            result = supCheckTrackFields( def, c, t, error );
            result = result == sup_success ? supCheckTrack( def, c, t, error ) : result;
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static supResult supSortOutTimes(
    const supCharacterDef* def, int32_t clip, int32_t track, supKeys* keys, supFixes* fixes, supError* error )
{
    if ( supDoTimesFall( keys ) )
    {
        char name[256];
        if ( !supSortKeys( keys, def->allocator ) )
        {
            return supRefuse( def, error, sup_errorMemory, "no memory for %d keys", (int)keys->count );
        }
        for ( int32_t k = 1; k < keys->count; ++k )
        {
            if ( keys->times[k] == keys->times[k - 1] && !supIsSameValue( keys, k, k - 1 ) )
            {
                supNameTrack( def, clip, track, name, sizeof( name ) );
                return supRefuse( def, error, sup_errorData,
                    "%s: its keys are out of order, and two keys with different values have the same time, %g", name,
                    (double)keys->times[k] );
            }
        }
        fixes->sortedTracks += 1;
    }
    supPartTwins( keys, fixes );
    return sup_success;
}

static supResult supRepairTrack(
    const supCharacterDef* def, int32_t clip, int32_t index, supTrackDef* track, supFixes* fixes, supError* error )
{
    supKeys keys = supKeysOf( track );
    supDropNanKeys( &keys, fixes );
    supResult result = supSortOutTimes( def, clip, index, &keys, fixes, error );
    track->keyCount = keys.count;
    // The values of a cubic spline go with their tangents; it is the interpolated rotation that is brought to unit
    // length.
    for ( int32_t k = 0; track->path == sup_pathRotation && !keys.isCubic && k < keys.count; ++k )
    {
        fixes->keyRotations += supRepairRotation( supKeyAt( &keys, k ) );
    }
    return result;
}

static supResult supRepairClip(
    const supCharacterDef* def, int32_t index, supClip* clip, supFixes* fixes, supError* error )
{
    int32_t kept = 0;
    for ( int32_t t = 0; t < clip->trackCount; ++t )
    {
        supTrackDef track = clip->tracks[t];
        supResult result = supRepairTrack( def, index, t, &track, fixes, error );
        if ( result != sup_success )
        {
            return result;
        }
        if ( track.keyCount == 0 )
        {
            fixes->emptyTracks += 1;
            continue;
        }
        double first = track.times[0], last = track.times[track.keyCount - 1];
        clip->start = kept == 0 ? first : supMin( clip->start, first );
        clip->end = kept == 0 ? last : supMax( clip->end, last );
        clip->tracks[kept++] = track;
    }
    clip->trackCount = kept;
    return sup_success;
}

supResult supRepairClips( const supCharacterDef* def, supCharacter* character, supFixes* fixes, supError* error )
{
    supResult result = sup_success;
    for ( int32_t c = 0; result == sup_success && c < character->clipCount; ++c )
    {
        result = supRepairClip( def, c, character->clips + c, fixes, error );
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Which tracks of a clip count.

/// Whether some mesh that the joint shows has morph targets.
static bool supShowsMorphs( const supCharacter* character, int32_t joint )
{
    for ( int32_t m = character->joints[joint].firstMesh; m >= 0; m = character->nextMeshes[m] )
    {
        if ( character->meshes[m].morphCount > 0 )
        {
            return true;
        }
    }
    return false;
}

void supResolveTracks( supCharacter* character, int32_t* stamps, supFixes* fixes )
{
    for ( int32_t c = 0; c < character->clipCount; ++c )
    {
        supClip* clip = character->clips + c;
        // From the last to the first: what a later track of this clip has stamped is taken.
        for ( int32_t t = clip->trackCount - 1; t >= 0; --t )
        {
            const supTrackDef* track = clip->tracks + t;
            const supJoint* joint = character->joints + track->joint;
            int32_t* stamp = stamps + (size_t)track->joint * 4 + (size_t)track->path;
            bool isMorph = track->path == sup_pathWeights;
            bool isFixed = joint->hasMatrix && !isMorph;
            bool isIdle = isMorph && !supShowsMorphs( character, track->joint );
            bool isReplaced = *stamp == c + 1;
            clip->isUsed[t] = !isFixed && !isIdle && !isReplaced;
            fixes->matrixTracks += isFixed;
            fixes->idleWeightTracks += isIdle;
            fixes->replacedTracks += isReplaced && !isFixed && !isIdle;
            *stamp = c + 1;
        }
    }
}
