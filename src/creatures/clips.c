// Supple: sampling motion formulas.
// SPDX-License-Identifier: MIT

#include "creatures/clips.h"

// Where one clip is written while it is sampled.
typedef struct supClipPages
{
    supClipDef* clip;
    supTrackDef* tracks; // two a joint at most
    float* times;
    float* turns;  // 4 for each key of each joint
    float* shifts; // 3 for each key of each joint
} supClipPages;

static void supWriteKey(
    const supDraft* draft, const supPosture* posture, int32_t key, int32_t keys, supClipPages* out )
{
    for ( int32_t j = 0; j < draft->jointCount; ++j )
    {
        const supDraftJoint* joint = &draft->joints[j];
        supVec3d rest = joint->parent < 0 ? joint->place : supSubD( joint->place, draft->joints[joint->parent].place );
        supVec3d place = supAddD( rest, posture->shifts[j] );
        supQuatd turn = posture->turns[j];
        float* turns = out->turns + 4 * ( (size_t)j * (size_t)keys + (size_t)key );
        float* shifts = out->shifts + 3 * ( (size_t)j * (size_t)keys + (size_t)key );
        // q and -q turn alike; neighbours are kept on the same side.
        double side = 1.0;
        if ( key > 0 )
        {
            const float* last = turns - 4;
            side = last[0] * turn.x + last[1] * turn.y + last[2] * turn.z + last[3] * turn.w < 0.0 ? -1.0 : 1.0;
        }
        turns[0] = (float)( side * turn.x );
        turns[1] = (float)( side * turn.y );
        turns[2] = (float)( side * turn.z );
        turns[3] = (float)( side * turn.w );
        shifts[0] = (float)place.x;
        shifts[1] = (float)place.y;
        shifts[2] = (float)place.z;
    }
}

static void supSampleClip( const supDraft* draft, const supDraftClip* clip, supClipPages* out )
{
    int32_t keys = clip->frames + 1;
    for ( int32_t k = 0; k < keys; ++k )
    {
        supPosture posture;
        supPosture_Rest( &posture, draft );
        clip->formula( draft, (double)k / clip->frames, &posture );
        if ( clip->loops && k == clip->frames )
        {
            supPosture first;
            supPosture_Rest( &first, draft );
            clip->formula( draft, 0.0, &first );
            first.turns[0] = posture.turns[0];
            first.shifts[0] = posture.shifts[0];
            posture = first;
        }
        out->times[k] = (float)( (double)k / SUP_CREATURE_FPS );
        supWriteKey( draft, &posture, k, keys, out );
    }
}

static bool supChanges( const float* values, int32_t width, int32_t keys, const float* rest )
{
    for ( int32_t k = 0; k < keys; ++k )
    {
        for ( int32_t i = 0; i < width; ++i )
        {
            if ( values[k * width + i] != rest[i] )
            {
                return true;
            }
        }
    }
    return false;
}

static void supListTracks( const supDraft* draft, int32_t keys, supClipPages* pages )
{
    int32_t count = 0;
    for ( int32_t j = 0; j < draft->jointCount; ++j )
    {
        const supDraftJoint* joint = &draft->joints[j];
        supVec3d rest = joint->parent < 0 ? joint->place : supSubD( joint->place, draft->joints[joint->parent].place );
        float shift[3] = { (float)rest.x, (float)rest.y, (float)rest.z };
        float turn[4] = { 0.0f, 0.0f, 0.0f, 1.0f };
        const float* shifts = pages->shifts + 3 * (size_t)j * (size_t)keys;
        const float* turns = pages->turns + 4 * (size_t)j * (size_t)keys;
        supTrackDef track = {
            .joint = j, .interpolation = sup_interpolationLinear, .keyCount = keys, .times = pages->times
        };
        if ( supChanges( shifts, 3, keys, shift ) )
        {
            track.path = sup_pathTranslation;
            track.values = shifts;
            track.width = 3;
            pages->tracks[count++] = track;
        }
        if ( supChanges( turns, 4, keys, turn ) )
        {
            track.path = sup_pathRotation;
            track.values = turns;
            track.width = 4;
            pages->tracks[count++] = track;
        }
    }
    pages->clip->trackCount = count;
    pages->clip->tracks = pages->tracks;
}

supResult supCreateClipSheet( const supDraft* draft, const supAllocator* allocator, supClipSheet* out, supError* error )
{
    *out = ( supClipSheet ){ .allocator = supKeepAllocator( allocator ), .clipCount = draft->clipCount };
    size_t keys = 0;
    for ( int32_t c = 0; c < draft->clipCount; ++c )
    {
        keys += (size_t)draft->clips[c].frames + 1;
    }
    size_t joints = (size_t)draft->jointCount;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, out->clips, draft->clipCount );
    SUP_PUT_NEW( &layout, supTrackDef, tracks, (size_t)draft->clipCount * joints * 2 );
    SUP_PUT_NEW( &layout, float, times, keys );
    SUP_PUT_NEW( &layout, float, turns, keys* joints * 4 );
    SUP_PUT_NEW( &layout, float, shifts, keys* joints * 3 );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %zu keys of '%s'", keys, draft->name );
    }
    out->block = block;
    out->blockSize = layout.size;
    supClipPages pages = { out->clips, tracks, times, turns, shifts };
    for ( int32_t c = 0; c < draft->clipCount; ++c )
    {
        const supDraftClip* clip = &draft->clips[c];
        size_t own = (size_t)clip->frames + 1;
        pages.clip->name = clip->name;
        supSampleClip( draft, clip, &pages );
        supListTracks( draft, clip->frames + 1, &pages );
        pages.clip += 1;
        pages.tracks += 2 * joints;
        pages.times += own;
        pages.turns += 4 * own * joints;
        pages.shifts += 3 * own * joints;
    }
    return sup_success;
}

void supClipSheet_Destroy( supClipSheet* sheet )
{
    supFree( &sheet->allocator, sheet->block, sheet->blockSize );
    sheet->block = NULL;
}
