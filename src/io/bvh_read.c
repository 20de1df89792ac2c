// BVH, Biovision's motion files, as a character without skin: joints, and one clip.
// SPDX-License-Identifier: MIT
//
//     HIERARCHY
//     ROOT Hips { OFFSET x y z  CHANNELS n Xposition … Zrotation …  JOINT … { … }  End Site { OFFSET x y z } }
//     MOTION
//     Frames: n
//     Frame Time: seconds
//     n lines of numbers, one for each channel
//
// Rotations are in degrees and apply in the order of the channels, the last one first. Rest is the pose with all
// rotations zero, but for files whose first frame is a pose to start from and no part of the motion, as the conversions
// of CMU's library have it: then that frame is rest.
#include "base/float_settings.h"
#include "base/math.h"
#include "base/names.h"
#include "io/arena.h"
#include "io/files.h"
#include "supple/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SUP_BVH_MOST_JOINTS 65535
#define SUP_BVH_DEEPEST 1024

typedef struct supBvhJoint
{
    char* name;
    int32_t parent;
    supVec3d offset;
    int32_t firstChannel, channelCount;
    uint8_t channels[6]; ///< 0 to 2: position x, y, z; 3 to 5: rotation about x, y, z
} supBvhJoint;

typedef struct supBvh
{
    const char* name; ///< for messages
    const char* at;
    const char* end;
    int32_t line;
    supArena arena;
    supBvhJoint* joints;
    int32_t jointCount, jointCapacity;
    int32_t channelCount;
    int32_t frameCount;
    double frameTime;
    float* numbers; ///< channelCount a frame
    supError* error;
    supResult result;
} supBvh;

static void supBvh_Fail( supBvh* bvh, supResult code, const char* text )
{
    if ( bvh->result == sup_success )
    {
        bvh->result = supFail( bvh->error, code, "%s:%d: %s", bvh->name, bvh->line, text );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Words

/// The next word, cut to fit; false at the end.
static bool supBvh_Word( supBvh* bvh, char* word, size_t size )
{
    while ( bvh->at < bvh->end && ( strchr( " \t\r\n", *bvh->at ) != NULL ) )
    {
        bvh->line += *bvh->at == '\n' ? 1 : 0;
        bvh->at += 1;
    }
    size_t length = 0;
    while ( bvh->at < bvh->end && strchr( " \t\r\n", *bvh->at ) == NULL )
    {
        if ( length + 1 < size )
        {
            word[length++] = *bvh->at;
        }
        bvh->at += 1;
    }
    word[length] = '\0';
    return length > 0;
}

static void supBvh_Expect( supBvh* bvh, const char* expected )
{
    char word[64], text[160];
    bool any = supBvh_Word( bvh, word, sizeof( word ) );
    if ( any == false || strcasecmp( word, expected ) != 0 )
    {
        snprintf( text, sizeof( text ), any ? "'%s' is expected here, not '%.40s'" : "cut off: '%s' is expected here",
            expected, word );
        supBvh_Fail( bvh, sup_errorFormat, text );
    }
}

static double supBvh_Number( supBvh* bvh )
{
    char word[64], text[128];
    bool any = supBvh_Word( bvh, word, sizeof( word ) );
    double number;
    const char* end = supReadDecimal( word, &number );
    if ( any == false || end == word || *end != '\0' || isfinite( (float)number ) == 0 )
    {
        snprintf( text, sizeof( text ),
            any ? "a number is expected here, not '%.40s'" : "cut off: a number is expected here", word );
        supBvh_Fail( bvh, sup_errorFormat, text );
        return 0.0;
    }
    return number;
}

// ---------------------------------------------------------------------------------------------------------------
// HIERARCHY

static void supBvh_Channels( supBvh* bvh, supBvhJoint* joint )
{
    static const char* const names[6] = { "Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation",
        "Zrotation" };
    double count = supBvh_Number( bvh );
    if ( !( count >= 0.0 && count <= 6.0 ) || count != floor( count ) || joint->channelCount > 0 )
    {
        supBvh_Fail( bvh, sup_errorData, "a joint has CHANNELS once, and at most 6" );
        return;
    }
    joint->firstChannel = bvh->channelCount;
    for ( int32_t i = 0; i < (int32_t)count && bvh->result == sup_success; ++i )
    {
        char word[64], text[128];
        supBvh_Word( bvh, word, sizeof( word ) );
        int kind = 0;
        while ( kind < 6 && strcasecmp( word, names[kind] ) != 0 )
        {
            kind += 1;
        }
        if ( kind == 6 )
        {
            snprintf( text, sizeof( text ),
                "'%.40s' is no channel: Xposition to Zposition and Xrotation to Zrotation are", word );
            supBvh_Fail( bvh, sup_errorData, text );
        }
        joint->channels[joint->channelCount++] = (uint8_t)kind;
        bvh->channelCount += 1;
    }
}

static int32_t supBvh_AddJoint( supBvh* bvh, int32_t parent )
{
    char name[256];
    supBvh_Word( bvh, name, sizeof( name ) ); // anything but blanks
    if ( bvh->jointCount == SUP_BVH_MOST_JOINTS )
    {
        supBvh_Fail( bvh, sup_errorLimit, "more than 65,535 joints" );
        return -1;
    }
    if ( bvh->jointCount == bvh->jointCapacity )
    {
        int32_t capacity = bvh->jointCapacity > 0 ? 2 * bvh->jointCapacity : 64;
        supBvhJoint* joints = supArena_Take( &bvh->arena, (size_t)capacity, sizeof( supBvhJoint ) );
        if ( joints == NULL )
        {
            supBvh_Fail( bvh, sup_errorMemory, "no memory for its joints" );
            return -1;
        }
        if ( bvh->jointCount > 0 )
        {
            memcpy( joints, bvh->joints, (size_t)bvh->jointCount * sizeof( supBvhJoint ) );
        }
        bvh->joints = joints;
        bvh->jointCapacity = capacity;
    }
    char* copy = supArena_TakeText( &bvh->arena, name, strlen( name ) );
    bvh->joints[bvh->jointCount] = ( supBvhJoint ){ .name = copy, .parent = parent };
    return bvh->jointCount++;
}

/// One joint after the other, with the open ones on a stack; -1 stands for an end site.
static void supBvh_Hierarchy( supBvh* bvh )
{
    int32_t stack[SUP_BVH_DEEPEST];
    int32_t depth = 0, next = -1;
    char word[64], text[128];
    while ( bvh->result == sup_success )
    {
        if ( supBvh_Word( bvh, word, sizeof( word ) ) == false )
        {
            supBvh_Fail( bvh, sup_errorFormat, "cut off: there is no MOTION" );
            return;
        }
        int32_t open = depth > 0 ? stack[depth - 1] : -1;
        if ( strcasecmp( word, "ROOT" ) == 0 || strcasecmp( word, "JOINT" ) == 0 )
        {
            next = supBvh_AddJoint( bvh, open );
            supBvh_Expect( bvh, "{" );
        }
        else if ( strcasecmp( word, "End" ) == 0 )
        {
            supBvh_Word( bvh, word, sizeof( word ) );
            next = -1;
            supBvh_Expect( bvh, "{" );
        }
        else if ( strcasecmp( word, "OFFSET" ) == 0 )
        {
            supVec3d offset = { supBvh_Number( bvh ), 0.0, 0.0 };
            offset.y = supBvh_Number( bvh );
            offset.z = supBvh_Number( bvh );
            if ( open >= 0 )
            {
                bvh->joints[open].offset = offset;
            }
            continue;
        }
        else if ( strcasecmp( word, "CHANNELS" ) == 0 && open >= 0 )
        {
            supBvh_Channels( bvh, bvh->joints + open );
            continue;
        }
        else if ( strcmp( word, "}" ) == 0 && depth > 0 )
        {
            depth -= 1;
            continue;
        }
        else if ( strcasecmp( word, "MOTION" ) == 0 && depth == 0 && bvh->jointCount > 0 )
        {
            return;
        }
        else
        {
            snprintf( text, sizeof( text ), "'%.40s' is not expected here", word );
            supBvh_Fail( bvh, sup_errorFormat, text );
            return;
        }
        if ( depth == SUP_BVH_DEEPEST )
        {
            supBvh_Fail( bvh, sup_errorLimit, "joints more than 1,024 deep" );
            return;
        }
        stack[depth++] = next;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// MOTION

static void supBvh_Motion( supBvh* bvh )
{
    char text[160];
    supBvh_Expect( bvh, "Frames:" );
    double frames = supBvh_Number( bvh );
    supBvh_Expect( bvh, "Frame" );
    supBvh_Expect( bvh, "Time:" );
    bvh->frameTime = supBvh_Number( bvh );
    if ( bvh->result != sup_success )
    {
        return;
    }
    if ( bvh->channelCount == 0 || !( frames >= 1.0 && frames < 1e9 ) || frames != floor( frames ) ||
         !( bvh->frameTime > 1e-6 && bvh->frameTime < 1e6 ) )
    {
        snprintf( text, sizeof( text ), "%g frames of %g seconds are no motion", frames, bvh->frameTime );
        supBvh_Fail( bvh, sup_errorData, text );
        return;
    }
    // a number takes two bytes at least, so that a short file cannot ask for much memory
    if ( frames * bvh->channelCount > (double)( bvh->end - bvh->at ) )
    {
        snprintf( text, sizeof( text ), "cut off: %.0f frames of %d numbers do not fit in what follows", frames,
            bvh->channelCount );
        supBvh_Fail( bvh, sup_errorFormat, text );
        return;
    }
    bvh->frameCount = (int32_t)frames;
    bvh->numbers = supArena_Take( &bvh->arena, (size_t)frames * (size_t)bvh->channelCount, sizeof( float ) );
    if ( bvh->numbers == NULL )
    {
        supBvh_Fail( bvh, sup_errorMemory, "no memory for its frames" );
    }
    size_t count = (size_t)frames * (size_t)bvh->channelCount;
    for ( size_t i = 0; i < count && bvh->result == sup_success; ++i )
    {
        bvh->numbers[i] = (float)supBvh_Number( bvh );
    }
}

static supTransformd supBvh_Local( const supBvh* bvh, const supBvhJoint* joint, int32_t frame )
{
    static const supVec3d axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    supTransformd local = { joint->offset, { 0.0, 0.0, 0.0, 1.0 }, { 1.0, 1.0, 1.0 } };
    const float* numbers = bvh->numbers + (size_t)frame * (size_t)bvh->channelCount + joint->firstChannel;
    for ( int32_t i = 0; i < joint->channelCount; ++i )
    {
        int kind = joint->channels[i];
        double number = (double)numbers[i];
        local.translation.x = kind == 0 ? number : local.translation.x;
        local.translation.y = kind == 1 ? number : local.translation.y;
        local.translation.z = kind == 2 ? number : local.translation.z;
        if ( kind >= 3 )
        {
            supQuatd turn = supQuatFromAxisAngleD( axes[kind - 3], fmod( number, 720.0 ) * ( SUP_PI / 180.0 ) );
            local.rotation = supNormalizeQuatD( supMulQuatD( local.rotation, turn ) );
        }
    }
    return local;
}

/// The largest turn of any joint from one frame to the next. Radians.
static double supBvh_LargestTurn( const supBvh* bvh, int32_t frame )
{
    double largest = 0.0;
    for ( int32_t j = 0; j < bvh->jointCount; ++j )
    {
        supQuatd a = supBvh_Local( bvh, bvh->joints + j, frame ).rotation;
        supQuatd b = supBvh_Local( bvh, bvh->joints + j, frame + 1 ).rotation;
        double turn = supLengthD( supRotationVectorD( supMulQuatD( b, supConjugateD( a ) ) ) );
        largest = turn > largest ? turn : largest;
    }
    return largest;
}

/// A first frame from which no body gets to the second in the time: 15 degrees and more, and four times what follows.
static bool supBvh_StartsInPose( const supBvh* bvh )
{
    if ( bvh->frameCount < 3 )
    {
        return false;
    }
    double first = supBvh_LargestTurn( bvh, 0 );
    return first > 15.0 * SUP_PI / 180.0 && first > 4.0 * supBvh_LargestTurn( bvh, 1 );
}

// ---------------------------------------------------------------------------------------------------------------
// The character

typedef struct supBvhClip
{
    supJointDef* joints;
    supTrackDef* tracks;
    int32_t trackCount;
    float* times;
    int32_t first, count; ///< frames
} supBvhClip;

static bool supBvh_Fill( supBvh* bvh, supBvhClip* clip )
{
    for ( int32_t j = 0; j < bvh->jointCount; ++j )
    {
        const supBvhJoint* joint = bvh->joints + j;
        supTransformd rest = { joint->offset, { 0.0, 0.0, 0.0, 1.0 }, { 1.0, 1.0, 1.0 } };
        rest = clip->first > 0 ? supBvh_Local( bvh, joint, 0 ) : rest;
        clip->joints[j] = ( supJointDef ){ .name = joint->name, .parent = joint->parent };
        clip->joints[j].rest = supTransform_identity;
        clip->joints[j].rest.translation = supToFloat( rest.translation );
        clip->joints[j].rest.rotation = supQuatToFloat( rest.rotation );
        bool moves = false, turns = false;
        for ( int32_t i = 0; i < joint->channelCount; ++i )
        {
            moves = moves || joint->channels[i] < 3;
            turns = turns || joint->channels[i] >= 3;
        }
        float* rotations = supArena_Take( &bvh->arena, turns ? (size_t)clip->count : 0, 4 * sizeof( float ) );
        float* places = supArena_Take( &bvh->arena, moves ? (size_t)clip->count : 0, 3 * sizeof( float ) );
        if ( rotations == NULL || places == NULL )
        {
            return false;
        }
        for ( int32_t f = 0; f < clip->count && ( moves || turns ); ++f )
        {
            supTransformd local = supBvh_Local( bvh, joint, clip->first + f );
            supQuat rotation = supQuatToFloat( local.rotation );
            supVec3 place = supToFloat( local.translation );
            memcpy( rotations + ( turns ? 4 * f : 0 ), &rotation, turns ? sizeof( rotation ) : 0 );
            memcpy( places + ( moves ? 3 * f : 0 ), &place, moves ? sizeof( place ) : 0 );
        }
        supTrackDef track = {
            .joint = j, .interpolation = sup_interpolationLinear, .keyCount = clip->count, .times = clip->times
        };
        if ( turns )
        {
            track.path = sup_pathRotation, track.values = rotations, track.width = 4;
            clip->tracks[clip->trackCount++] = track;
        }
        if ( moves )
        {
            track.path = sup_pathTranslation, track.values = places, track.width = 3;
            clip->tracks[clip->trackCount++] = track;
        }
    }
    return true;
}

/// "walk" of "motions/walk.bvh".
static char* supStem( supArena* arena, const char* path )
{
    const char* slash = strrchr( path, '/' );
    const char* name = slash != NULL ? slash + 1 : path;
    const char* dot = strrchr( name, '.' );
    return supArena_TakeText( arena, name, dot != NULL && dot > name ? (size_t)( dot - name ) : strlen( name ) );
}

static void supBvh_Character( supBvh* bvh, supLog log, supCharacter** out )
{
    supBvhClip clip = { .first = supBvh_StartsInPose( bvh ) ? 1 : 0 };
    clip.count = bvh->frameCount - clip.first;
    clip.joints = supArena_Take( &bvh->arena, (size_t)bvh->jointCount, sizeof( supJointDef ) );
    clip.tracks = supArena_Take( &bvh->arena, 2 * (size_t)bvh->jointCount, sizeof( supTrackDef ) );
    clip.times = supArena_Take( &bvh->arena, (size_t)clip.count, sizeof( float ) );
    supClipDef clipDef = { .name = supStem( &bvh->arena, bvh->name ), .tracks = clip.tracks };
    for ( int32_t f = 0; clip.times != NULL && f < clip.count; ++f )
    {
        clip.times[f] = (float)( f * bvh->frameTime );
        if ( f > 0 && !( clip.times[f] > clip.times[f - 1] ) )
        {
            supBvh_Fail( bvh, sup_errorLimit, "more frames than times can tell apart" );
            return;
        }
    }
    if ( clip.joints == NULL || clip.tracks == NULL || clip.times == NULL || clipDef.name == NULL ||
         supBvh_Fill( bvh, &clip ) == false )
    {
        supBvh_Fail( bvh, sup_errorMemory, "no memory for its motion" );
        return;
    }
    clipDef.trackCount = clip.trackCount;
    supCharacterDef def = supDefaultCharacterDef();
    def.name = bvh->name;
    def.jointCount = bvh->jointCount;
    def.joints = clip.joints;
    def.clipCount = 1;
    def.clips = &clipDef;
    def.log = log;
    bvh->result = supCreateCharacter( &def, out, bvh->error );
}

supResult supReadBvhMemory(
    const char* text, size_t size, const char* name, supLog log, supCharacter** out, supError* error )
{
    *out = NULL;
    supFloatSettings host = supEnterFloatSettings();
    supBvh bvh = { .name = name, .at = text, .end = text + size, .line = 1, .error = error };
    char word[64];
    if ( supBvh_Word( &bvh, word, sizeof( word ) ) == false || strcasecmp( word, "HIERARCHY" ) != 0 )
    {
        bvh.result = supFail( error, sup_errorFormat, "%s: is not BVH: it does not begin with HIERARCHY", name );
    }
    else
    {
        supBvh_Hierarchy( &bvh );
    }
    if ( bvh.result == sup_success )
    {
        supBvh_Motion( &bvh );
    }
    if ( bvh.result == sup_success )
    {
        supBvh_Character( &bvh, log, out );
    }
    supLeaveFloatSettings( host );
    supArena_Free( &bvh.arena );
    return bvh.result;
}

supResult supReadBvh( const char* path, supLog log, supCharacter** out, supError* error )
{
    uint8_t* data = NULL;
    size_t size = 0;
    *out = NULL;
    supResult result = supReadFile( path, &data, &size, error );
    result = result == sup_success ? supReadBvhMemory( (const char*)data, size, path, log, out, error ) : result;
    free( data );
    return result;
}
