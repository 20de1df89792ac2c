// Motion of one skeleton on another of other proportions, another rest pose and another unit.
// SPDX-License-Identifier: MIT
//
// Both skeletons have a rest pose. A joint's turn since rest, seen from the model, is what the two share: with R the
// rotation of a joint in the model and R0 that at rest, s the motion's and t the character's joint,
//
//     Rt = ( Rs Rs0^-1 ) A Rt0
//
// A is where rests differ on purpose: arms that hang in one file are stretched out in another. For the long bones of
// limbs (both joints off the middle, an eighth of the height at least) it turns the character's bone at rest, the
// shortest way, into the direction that the motion's has; all others keep their own shape, since where a file puts
// shoulder blades, feet and the joints of the back is anatomy and not pose.
//
// The root moves by the motion's path times the ratio of leg lengths, begins over the origin, and stands so that the
// lowest joint of the whole clip is as high as the lowest joint at rest: feet meet the ground. Where skin hangs on
// joints beside the first one that has a partner (a motion that has nothing but the head's name in common), moving it
// would tear it off: then nothing travels. Where both skeletons are the same, nothing of this is done and the tracks
// are the motion's own.
#include "io/retarget.h"

#include "base/math.h"
#include "io/arena.h"
#include "io/files.h"
#include "supple/lab/files.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct supRetarget
{
    const supCharacter* character;
    const supCharacter* motion;
    const int32_t* partners;
    int32_t jointCount;
    const int32_t* order; ///< joints, parents first
    int32_t root;         ///< the character's first joint with a partner
    bool travels;         ///< the body hangs on it, and goes where it goes
    supQuatd* restSelf;   ///< Rt0 in the model
    supQuatd* turned;     ///< Rs0^-1 on the right, A Rt0 after it: Rt = Rs * turned
    supQuatd* locals;     ///< as the nodes have them, of joints without a partner
    supVec3d* offsets;    ///< from the parent, as the nodes have them
    supMat34d above;      ///< what the root's parents are, still
    double scale;         ///< of paths
    supQuatd* poses;      ///< in the model, of one frame
    supVec3d* places;
} supRetarget;

static supQuatd supRotationOf( supMat34 m )
{
    return supNearestRotationD( supMatToDouble( m ) );
}

static supVec3d supRestPlace( const supCharacter* character, int32_t joint )
{
    return supToDouble( supCharacter_Info( character )->restJoints[joint].t );
}

/// The shortest turn that takes one direction into another.
static supQuatd supTurnBetween( supVec3d from, supVec3d to )
{
    supVec3d a = supNormalizeD( from ), b = supNormalizeD( to ), axis = supCrossD( a, b );
    double w = 1.0 + supDotD( a, b );
    if ( w < 1e-9 ) // opposite: any axis across
    {
        supVec3d across = fabs( a.x ) < 0.7 ? ( supVec3d ){ 1.0, 0.0, 0.0 } : ( supVec3d ){ 0.0, 1.0, 0.0 };
        axis = supNormalizeD( supCrossD( a, across ) );
        return ( supQuatd ){ axis.x, axis.y, axis.z, 0.0 };
    }
    return supNormalizeQuatD( ( supQuatd ){ axis.x, axis.y, axis.z, w } );
}

/// The one nearest joint below that has a partner, the partner below this one's; -1: none, or several.
static int32_t supOnlyNext( const supRetarget* work, int32_t joint )
{
    int32_t next = -1;
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        int32_t up = work->partners[j] >= 0 ? supCharacter_Joint( work->character, j )->parent : -1;
        while ( up >= 0 && work->partners[up] < 0 )
        {
            up = supCharacter_Joint( work->character, up )->parent;
        }
        if ( up == joint && next >= 0 )
        {
            return -1;
        }
        next = up == joint ? j : next;
    }
    int32_t source = next >= 0 ? work->partners[next] : -1;
    while ( source >= 0 && source != work->partners[joint] )
    {
        source = supCharacter_Joint( work->motion, source )->parent;
    }
    return source >= 0 ? next : -1;
}

/// Height of the joints that have partners.
static double supMatchedHeight( const supRetarget* work )
{
    double low = 1e300, high = -1e300;
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        double y = supRestPlace( work->character, j ).y;
        low = work->partners[j] >= 0 && y < low ? y : low;
        high = work->partners[j] >= 0 && y > high ? y : high;
    }
    return high > low ? high - low : 0.0;
}

static bool supIsAbove( const supCharacter* character, int32_t joint, int32_t other )
{
    while ( other >= 0 && other != joint )
    {
        other = supCharacter_Joint( character, other )->parent;
    }
    return other >= 0;
}

/// Whether all that carries skin in the tree of the root hangs on it, but for what it hangs on itself.
static bool supCarriesBody( const supRetarget* work )
{
    const supCharacter* character = work->character;
    int32_t top = work->root;
    while ( supCharacter_Joint( character, top )->parent >= 0 )
    {
        top = supCharacter_Joint( character, top )->parent;
    }
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        if ( supCharacter_Joint( character, j )->isSkinJoint && supIsAbove( character, top, j ) &&
             supIsAbove( character, work->root, j ) == false && supIsAbove( character, j, work->root ) == false )
        {
            return false;
        }
    }
    return true;
}

/// How far apart a skeleton's joints are at rest, from the lowest to the highest.
static double supJointHeight( const supCharacter* character )
{
    double low = 1e300, high = -1e300;
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        low = fmin( low, supRestPlace( character, j ).y );
        high = fmax( high, supRestPlace( character, j ).y );
    }
    return high > low ? high - low : 0.0;
}

/// Turns of rest into rest, and how long the legs are in both.
static void supCompareRests( supRetarget* work )
{
    double height = supMatchedHeight( work ), middle = supRestPlace( work->character, work->root ).x;
    double rootHeight = supRestPlace( work->character, work->root ).y;
    double legs[2] = { 0.0, 0.0 }, bones[2] = { 0.0, 0.0 };
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        int32_t partner = work->partners[j];
        if ( partner < 0 )
        {
            continue;
        }
        supQuatd turn = { 0.0, 0.0, 0.0, 1.0 };
        int32_t next = supOnlyNext( work, j );
        if ( next >= 0 )
        {
            supVec3d place = supRestPlace( work->character, j ), end = supRestPlace( work->character, next );
            supVec3d own = supSubD( end, place );
            supVec3d theirs =
                supSubD( supRestPlace( work->motion, work->partners[next] ), supRestPlace( work->motion, partner ) );
            double length = supLengthD( own ), other = supLengthD( theirs );
            bool isLong = fabs( place.x - middle ) > 0.03 * height && fabs( end.x - middle ) > 0.03 * height &&
                          length > 0.12 * height && other > 0.0;
            turn = isLong ? supTurnBetween( own, theirs ) : turn;
            bool isLeg = isLong && place.y < rootHeight + 0.05 * height;
            legs[0] += isLeg ? length : 0.0;
            legs[1] += isLeg ? other : 0.0;
            bones[0] += length;
            bones[1] += other;
        }
        supQuatd theirRest = supRotationOf( supCharacter_Info( work->motion )->restJoints[partner] );
        work->turned[j] = supMulQuatD( supConjugateD( theirRest ), supMulQuatD( turn, work->restSelf[j] ) );
    }
    double heights[2] = { supJointHeight( work->character ), supJointHeight( work->motion ) };
    const double* pair = legs[1] > 0.0 ? legs : bones[1] > 0.0 ? bones : heights; // a single joint has no bone
    work->scale = pair[0] > 0.0 && pair[1] > 0.0 ? pair[0] / pair[1] : 1.0;
    work->travels = supCarriesBody( work );
}

static bool supStartRetarget( supRetarget* work, supArena* arena )
{
    size_t count = (size_t)work->jointCount;
    work->order = supCharacter_Info( work->character )->jointOrder;
    work->restSelf = supArena_Take( arena, count, sizeof( supQuatd ) );
    work->turned = supArena_Take( arena, count, sizeof( supQuatd ) );
    work->locals = supArena_Take( arena, count, sizeof( supQuatd ) );
    work->offsets = supArena_Take( arena, count, sizeof( supVec3d ) );
    work->poses = supArena_Take( arena, count, sizeof( supQuatd ) );
    work->places = supArena_Take( arena, count, sizeof( supVec3d ) );
    if ( work->restSelf == NULL || work->turned == NULL || work->locals == NULL || work->offsets == NULL ||
         work->poses == NULL || work->places == NULL )
    {
        return false;
    }
    work->root = -1;
    work->above = supMat34d_identity;
    for ( int32_t i = 0; i < work->jointCount; ++i )
    {
        int32_t j = work->order[i];
        work->root = work->root < 0 && work->partners[j] >= 0 ? j : work->root;
        work->restSelf[j] = supRotationOf( supCharacter_Info( work->character )->restJoints[j] );
        supMat34 local = supCharacter_Joint( work->character, j )->local;
        work->locals[j] = supRotationOf( local );
        work->offsets[j] = supToDouble( local.t );
    }
    for ( int32_t j = supCharacter_Joint( work->character, work->root )->parent; j >= 0;
          j = supCharacter_Joint( work->character, j )->parent )
    {
        work->above = supMulMatD( supMatToDouble( supCharacter_Joint( work->character, j )->local ), work->above );
    }
    supCompareRests( work );
    return true;
}

/// Where all joints are when the motion's are at `joints`, with the root at `place` in the model.
static void supPoseFrame( supRetarget* work, const supMat34* joints, supVec3d place )
{
    double unit = supLengthD( work->above.x ); // of the nodes' offsets
    for ( int32_t i = 0; i < work->jointCount; ++i )
    {
        int32_t j = work->order[i], parent = supCharacter_Joint( work->character, j )->parent,
                partner = work->partners[j];
        supQuatd above = parent >= 0 ? work->poses[parent] : ( supQuatd ){ 0.0, 0.0, 0.0, 1.0 };
        supVec3d base = parent >= 0 ? work->places[parent] : ( supVec3d ){ 0.0, 0.0, 0.0 };
        work->poses[j] =
            supNormalizeQuatD( partner >= 0 ? supMulQuatD( supRotationOf( joints[partner] ), work->turned[j] )
                                            : supMulQuatD( above, work->locals[j] ) );
        work->places[j] = j == work->root && work->travels
                              ? place
                              : supAddD( base, supRotateD( above, supScaleD( work->offsets[j], unit ) ) );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The same skeleton

/// Whether all partners stand as their joints do, each under its parent's partner.
static bool supIsSameSkeleton( const supRetarget* work )
{
    float size = supCharacter_Info( work->character )->size;
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        int32_t partner = work->partners[j], parent = supCharacter_Joint( work->character, j )->parent;
        if ( partner < 0 )
        {
            continue;
        }
        int32_t other = supCharacter_Joint( work->motion, partner )->parent;
        supMat34 a = supCharacter_Info( work->character )->restJoints[j],
                 b = supCharacter_Info( work->motion )->restJoints[partner];
        supMat34 c = supCharacter_Joint( work->character, j )->local,
                 d = supCharacter_Joint( work->motion, partner )->local;
        bool together = parent < 0 || other < 0 || work->partners[parent] == other || work->partners[parent] < 0;
        bool same = supDistance( a.t, b.t ) <= 1e-4f * size && supDistance( a.x, b.x ) <= 1e-3f &&
                    supDistance( a.y, b.y ) <= 1e-3f && supDistance( a.z, b.z ) <= 1e-3f &&
                    supDistance( c.x, d.x ) <= 1e-3f && supDistance( c.y, d.y ) <= 1e-3f;
        if ( together == false || same == false )
        {
            return false;
        }
    }
    return true;
}

static int32_t supCopyTracks( const supRetarget* work, int32_t clip, supArena* arena, const supTrackDef** out )
{
    int32_t count = supCharacter_Clip( work->motion, clip ).trackCount, used = 0;
    supTrackDef* tracks = supArena_Take( arena, (size_t)count * (size_t)work->jointCount, sizeof( supTrackDef ) );
    for ( int32_t i = 0; tracks != NULL && i < count; ++i )
    {
        supTrackDef track = supCharacter_Clip( work->motion, clip ).tracks[i];
        for ( int32_t j = 0; j < work->jointCount && track.path != sup_pathWeights; ++j )
        {
            if ( work->partners[j] == track.joint )
            {
                tracks[used] = track;
                tracks[used++].joint = j;
            }
        }
    }
    *out = tracks;
    return tracks != NULL ? used : -1;
}

// ---------------------------------------------------------------------------------------------------------------
// Another skeleton

/// The motion's own frames: as many as its busiest track has keys.
static int32_t supFrameCount( const supCharacter* motion, int32_t clip )
{
    int32_t most = 2;
    for ( int32_t i = 0; i < supCharacter_Clip( motion, clip ).trackCount; ++i )
    {
        supTrackDef track = supCharacter_Clip( motion, clip ).tracks[i];
        most = track.keyCount > most ? track.keyCount : most;
    }
    return most;
}

typedef struct supFrames
{
    int32_t count;
    float* times;
    float* rotations; ///< 4 a frame, joint after joint
    float* path;      ///< of the root
} supFrames;

static void supKeepFrame( supRetarget* work, supFrames* frames, int32_t frame )
{
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        if ( work->partners[j] < 0 )
        {
            continue;
        }
        int32_t parent = supCharacter_Joint( work->character, j )->parent;
        supQuatd above = parent >= 0 ? work->poses[parent] : ( supQuatd ){ 0.0, 0.0, 0.0, 1.0 };
        supQuatd local = supNormalizeQuatD( supMulQuatD( supConjugateD( above ), work->poses[j] ) );
        float* key = frames->rotations + 4 * ( (size_t)j * (size_t)frames->count + (size_t)frame );
        supQuat rounded = supQuatToFloat( local );
        if ( frame > 0 && key[-4] * rounded.x + key[-3] * rounded.y + key[-2] * rounded.z + key[-1] * rounded.w < 0.0f )
        {
            rounded = ( supQuat ){ -rounded.x, -rounded.y, -rounded.z, -rounded.w };
        }
        memcpy( key, &rounded, sizeof( rounded ) );
    }
}

/// The lowest of all joints that skin or partners hang on.
static double supLowest( const supRetarget* work )
{
    double low = 1e300;
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        bool counts = work->partners[j] >= 0 || supCharacter_Joint( work->character, j )->isSkinJoint;
        low = counts && work->places[j].y < low ? work->places[j].y : low;
    }
    return low;
}

static double supLowestAtRest( const supRetarget* work )
{
    double low = 1e300;
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        bool counts = work->partners[j] >= 0 || supCharacter_Joint( work->character, j )->isSkinJoint;
        double y = supRestPlace( work->character, j ).y;
        low = counts && y < low ? y : low;
    }
    return low;
}

static void supRunFrames( supRetarget* work, int32_t clip, supPose* pose, supFrames* frames )
{
    supClipView view = supCharacter_Clip( work->motion, clip );
    int32_t source = work->partners[work->root];
    supVec3d start = { 0.0, 0.0, 0.0 };
    supMat34d below;
    supInvertMatD( work->above, &below );
    double lowest = 1e300;
    for ( int pass = 0; pass < 2; ++pass ) // the second with the feet on the ground
    {
        double lift = pass == 0 ? 0.0 : supLowestAtRest( work ) - lowest;
        for ( int32_t f = 0; f < frames->count; ++f )
        {
            frames->times[f] = (float)( ( view.end - view.start ) * f / ( frames->count - 1 ) );
            supPose_Sample( pose, clip, view.start + ( view.end - view.start ) * f / ( frames->count - 1 ) );
            const supMat34* joints = supPose_Joints( pose );
            supVec3d place = supToDouble( joints[source].t );
            start = f == 0 ? place : start;
            place = ( supVec3d ){ ( place.x - start.x ) * work->scale, place.y * work->scale + lift,
                ( place.z - start.z ) * work->scale };
            supPoseFrame( work, joints, place );
            double low = supLowest( work );
            lowest = pass == 0 && low < lowest ? low : lowest;
            if ( pass == 1 )
            {
                supKeepFrame( work, frames, f );
                supVec3 local = supToFloat( supTransformPointD( below, place ) );
                memcpy( frames->path + 3 * (size_t)f, &local, sizeof( local ) );
            }
        }
    }
}

static int32_t supMakeTracks( supRetarget* work, int32_t clip, supArena* arena, const supTrackDef** out )
{
    supFrames frames = { .count = supFrameCount( work->motion, clip ) };
    size_t count = (size_t)frames.count;
    frames.times = supArena_Take( arena, count, sizeof( float ) );
    frames.rotations = supArena_Take( arena, count * (size_t)work->jointCount, 4 * sizeof( float ) );
    frames.path = supArena_Take( arena, count, 3 * sizeof( float ) );
    supTrackDef* tracks = supArena_Take( arena, (size_t)work->jointCount + 1, sizeof( supTrackDef ) );
    supPose* pose = NULL;
    if ( frames.times == NULL || frames.rotations == NULL || frames.path == NULL || tracks == NULL ||
         supCreatePose( work->motion, NULL, &pose, NULL ) != sup_success )
    {
        return -1;
    }
    supRunFrames( work, clip, pose, &frames );
    supDestroyPose( pose );
    int32_t used = 0;
    supTrackDef track = {
        .interpolation = sup_interpolationLinear, .keyCount = frames.count, .times = frames.times, .width = 4
    };
    for ( int32_t j = 0; j < work->jointCount; ++j )
    {
        if ( work->partners[j] >= 0 )
        {
            track.joint = j, track.path = sup_pathRotation;
            track.values = frames.rotations + 4 * (size_t)j * count;
            tracks[used++] = track;
        }
    }
    if ( work->travels )
    {
        track.joint = work->root, track.path = sup_pathTranslation, track.values = frames.path, track.width = 3;
        tracks[used++] = track;
    }
    *out = tracks;
    return used;
}

int32_t supRetargetClip( const supCharacter* character, const supCharacter* motion, int32_t clip,
    const int32_t* partners, supArena* arena, const supTrackDef** tracks )
{
    supRetarget work = { .character = character,
        .motion = motion,
        .partners = partners,
        .jointCount = supCharacter_Info( character )->jointCount };
    if ( supStartRetarget( &work, arena ) == false )
    {
        return -1;
    }
    return supIsSameSkeleton( &work ) ? supCopyTracks( &work, clip, arena, tracks )
                                      : supMakeTracks( &work, clip, arena, tracks );
}

// ---------------------------------------------------------------------------------------------------------------
// Which joint of a motion moves which joint of a character.
//
// By a map first, then by name as it is, then by name with what exporters add taken off: "mixamorig:LeftArm",
// "Armature|left_arm" and "LeftArm" are one.

#define SUP_LONGEST_NAME 256

/// Lower case, letters and figures alone, without what stands before ':' or '|'.
static void supPlainName( const char* name, char plain[SUP_LONGEST_NAME] )
{
    static const char prefix[] = "mixamorig";
    const char* start = name;
    for ( const char* c = name; *c != '\0'; ++c )
    {
        start = ( *c == ':' || *c == '|' ) && c[1] != '\0' ? c + 1 : start;
    }
    size_t length = 0;
    for ( const char* c = start; *c != '\0' && length + 1 < SUP_LONGEST_NAME; ++c )
    {
        unsigned char letter = (unsigned char)*c;
        if ( letter >= 128 || isalnum( letter ) )
        {
            plain[length++] = (char)( letter < 128 ? tolower( letter ) : letter );
        }
    }
    plain[length] = '\0';
    size_t skip = sizeof( prefix ) - 1;
    if ( length > skip && memcmp( plain, prefix, skip ) == 0 )
    {
        memmove( plain, plain + skip, length - skip + 1 );
    }
}

/// A joint's name, as it is or plain.
typedef struct supNamed
{
    const char* name;
    int32_t joint;
} supNamed;

/// By name; of one name the first joint comes first.
static int supCompareNamed( const void* left, const void* right )
{
    const supNamed *a = left, *b = right;
    int order = strcmp( a->name, b->name );
    return order != 0 ? order : ( a->joint > b->joint ) - ( a->joint < b->joint );
}

/// All joints of a motion, to be found by name without a look at each of them.
typedef struct supNameIndex
{
    int32_t count;
    supNamed *names, *plains;
    supArena arena;
} supNameIndex;

static bool supMakeNameIndex( const supCharacter* motion, supNameIndex* index )
{
    int32_t count = supCharacter_Info( motion )->jointCount;
    *index = ( supNameIndex ){ .count = count };
    index->names = supArena_Take( &index->arena, (size_t)count + 1, sizeof( supNamed ) );
    index->plains = supArena_Take( &index->arena, (size_t)count + 1, sizeof( supNamed ) );
    bool fits = index->names != NULL && index->plains != NULL;
    for ( int32_t j = 0; j < count && fits; ++j )
    {
        char plain[SUP_LONGEST_NAME];
        supPlainName( supCharacter_Joint( motion, j )->name, plain );
        index->names[j] = ( supNamed ){ supCharacter_Joint( motion, j )->name, j };
        index->plains[j] = ( supNamed ){ supArena_TakeText( &index->arena, plain, strlen( plain ) ), j };
        fits = index->plains[j].name != NULL;
    }
    if ( fits && count > 0 )
    {
        qsort( index->names, (size_t)count, sizeof( supNamed ), supCompareNamed );
        qsort( index->plains, (size_t)count, sizeof( supNamed ), supCompareNamed );
    }
    return fits;
}

/// The first joint of that name, or -1.
static int32_t supFindNamed( const supNamed* names, int32_t count, const char* name )
{
    int32_t low = 0, high = count;
    while ( low < high )
    {
        int32_t middle = low + ( high - low ) / 2;
        bool before = strcmp( names[middle].name, name ) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low < count && strcmp( names[low].name, name ) == 0 ? names[low].joint : -1;
}

static int32_t supFindPlain( const supNameIndex* index, const char* name )
{
    char plain[SUP_LONGEST_NAME];
    supPlainName( name, plain );
    return plain[0] != '\0' ? supFindNamed( index->plains, index->count, plain ) : -1;
}

static supResult supFailMapName(
    const char* mapPath, const supCharacter* whose, const char* what, const char* name, supError* error )
{
    int32_t count = supCharacter_Info( whose )->jointCount;
    const char** names = calloc( (size_t)count + 1, sizeof( char* ) );
    char near[120] = "";
    for ( int32_t j = 0; names != NULL && j < count; ++j )
    {
        names[j] = supCharacter_Joint( whose, j )->name;
    }
    if ( names != NULL )
    {
        supNearestNames( name, names, count, 2, near, sizeof( near ) );
    }
    free( names );
    return supFail( error, sup_errorNotFound,
        near[0] != '\0' ? "%s: %s has no joint \"%.60s\"; did you mean %s?" : "%s: %s has no joint \"%.60s\"%s",
        mapPath, what, name, near );
}

/// {"joint of the motion": "joint of the character", …}; null for one that is to be left out.
static supResult supReadMap(
    const supCharacter* character, const supCharacter* motion, const char* mapPath, int32_t* partners, supError* error )
{
    supError problem = { 0 };
    json_t* map = supReadJsonFile( mapPath, JSON_REJECT_DUPLICATES, &problem );
    if ( map == NULL )
    {
        return supFail( error, problem.code, "%s", problem.text );
    }
    if ( json_is_object( map ) == false )
    {
        json_decref( map );
        return supFail( error, sup_errorFormat,
            "%s: a map is an object: {\"joint of the motion\": \"joint of the character\"}", mapPath );
    }
    supResult result = sup_success;
    const char* key;
    json_t* value;
    json_object_foreach( map, key, value )
    {
        int32_t source = supCharacter_FindJoint( motion, key );
        const char* name = json_string_value( value );
        int32_t target = name != NULL ? supCharacter_FindJoint( character, name ) : -1;
        if ( result != sup_success )
        {
            break;
        }
        if ( source < 0 )
        {
            result = supFailMapName( mapPath, motion, "the motion", key, error );
        }
        else if ( name == NULL && json_is_null( value ) == false )
        {
            result =
                supFail( error, sup_errorData, "%s: \"%.60s\" needs a name, or null to leave it out", mapPath, key );
        }
        else if ( name != NULL && target < 0 )
        {
            result = supFailMapName( mapPath, character, "the character", name, error );
        }
        else if ( target >= 0 )
        {
            partners[target] = source;
        }
        else
        {
            for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
            {
                partners[j] = partners[j] == source ? -1 : partners[j];
            }
        }
    }
    json_decref( map );
    return result;
}

int32_t supMatchJoints(
    const supCharacter* character, const supCharacter* motion, const char* mapPath, int32_t* partners, supError* error )
{
    int32_t found = 0;
    supNameIndex index;
    bool fits = supMakeNameIndex( motion, &index );
    for ( int32_t j = 0; fits && j < supCharacter_Info( character )->jointCount; ++j )
    {
        const char* name = supCharacter_Joint( character, j )->name;
        partners[j] = name[0] != '\0' ? supFindNamed( index.names, index.count, name ) : -1;
        partners[j] = partners[j] >= 0 ? partners[j] : supFindPlain( &index, name );
    }
    supArena_Free( &index.arena );
    if ( !fits )
    {
        supFail( error, sup_errorMemory, "no memory to match %d joints", supCharacter_Info( motion )->jointCount );
        return -1;
    }
    if ( mapPath != NULL && supReadMap( character, motion, mapPath, partners, error ) != sup_success )
    {
        return -1;
    }
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        found += partners[j] >= 0 ? 1 : 0;
    }
    return found;
}
