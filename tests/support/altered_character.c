#include "support/altered_character.h"

#include "base/math.h"
#include "character/character_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// Scales along the axes that differ by less than this are the same but for rounding.
static const float supEvenScale = 2e-6f;
static const double supWildRate = 120.0, supShaking = 20.0;
static const float supFarAway = 1000.0f;

// ---------------------------------------------------------------------------------------------------------------
// What a def points to, until the character has copied it

typedef struct supScraps
{
    int32_t count, room;
    void** blocks;
} supScraps;

static void* supGetScrap( supScraps* scraps, size_t count, size_t itemSize )
{
    if ( scraps->count == scraps->room )
    {
        scraps->room = 2 * scraps->room + 64;
        scraps->blocks = realloc( scraps->blocks, sizeof( void* ) * (size_t)scraps->room );
        assert_non_null( scraps->blocks );
    }
    void* block = calloc( count + 1, itemSize );
    assert_non_null( block );
    scraps->blocks[scraps->count++] = block;
    return block;
}

#define SUP_SCRAP( scraps, type, count ) ( (type*)supGetScrap( scraps, (size_t)( count ), sizeof( type ) ) )

static void supDropScraps( supScraps* scraps )
{
    for ( int32_t i = 0; i < scraps->count; ++i )
    {
        free( scraps->blocks[i] );
    }
    free( scraps->blocks );
}

static supCharacter* supCreateFromScraps( const supCharacterDef* def, supScraps* scraps )
{
    supCharacter* made = NULL;
    supError error = { 0 };
    supResult result = supCreateCharacter( def, &made, &error );
    supDropScraps( scraps );
    if ( result != sup_success )
    {
        fail_msg( "altered: %s", error.text );
    }
    return made;
}

// ---------------------------------------------------------------------------------------------------------------
// The map

supAlteration supNoAlteration( void )
{
    return ( supAlteration ){ .scale = 1.0f, .turn = supQuat_identity };
}

supAlteration supTurnedBy( supVec3 axis, double degrees )
{
    double half = degrees * ( 3.14159265358979323846 / 360.0 );
    supAlteration made = supNoAlteration();
    made.turn = ( supQuat ){ axis.x * (float)sin( half ), axis.y * (float)sin( half ), axis.z * (float)sin( half ),
        (float)cos( half ) };
    return made;
}

supAlteration supMadeZUp( void )
{
    return supTurnedBy( supMakeVec3( 1.0f, 0.0f, 0.0f ), 90.0 );
}

static supVec3 supMirrored( supVec3 v, bool isMirrored )
{
    return isMirrored ? supMakeVec3( -v.x, v.y, v.z ) : v;
}

static supQuatd supTurnOf( const supAlteration* alteration )
{
    return supNormalizeQuatD( supQuatToDouble( alteration->turn ) );
}

supVec3 supAlteration_Direction( const supAlteration* alteration, supVec3 direction )
{
    supVec3d v = supToDouble( supMirrored( direction, alteration->isMirrored ) );
    return supToFloat( supRotateD( supTurnOf( alteration ), v ) );
}

supVec3 supAlteration_Point( const supAlteration* alteration, supVec3 point )
{
    return supScale( supAlteration_Direction( alteration, point ), alteration->scale );
}

/// `keepsAxes`: without the turn.
static supMat34d supMatOf( const supAlteration* alteration, bool keepsAxes )
{
    double s = (double)alteration->scale;
    supMat34d turn = supMatFromQuatD( keepsAxes ? ( supQuatd ){ 0.0, 0.0, 0.0, 1.0 } : supTurnOf( alteration ) );
    turn.x = supScaleD( turn.x, alteration->isMirrored ? -s : s );
    turn.y = supScaleD( turn.y, s );
    turn.z = supScaleD( turn.z, s );
    return turn;
}

// ---------------------------------------------------------------------------------------------------------------
// Joints whose own axes stay
//
// In each joint's own space there may be any change of axes G as well: with W the joint in model space, W' = A W G and
// B' = inverse( G ) B inverse( A ) skin to the same as long as inverse( G ) stands before the children's transforms.
// G = inverse( A ) is what is wanted, since then nothing tells; but a scale that differs along the axes is no longer
// one along axes then, and there G is A's mirror and scale alone.

static bool supIsEven( const float* scale )
{
    float largest = fmaxf( fabsf( scale[0] ), fmaxf( fabsf( scale[1] ), fabsf( scale[2] ) ) );
    return fabsf( scale[0] - scale[1] ) <= supEvenScale * largest &&
           fabsf( scale[0] - scale[2] ) <= supEvenScale * largest;
}

static bool* supFindKeptAxes( const supCharacter* character, supScraps* scraps )
{
    bool* kept = SUP_SCRAP( scraps, bool, character->jointCount );
    for ( int32_t j = 0; j < character->jointCount; ++j )
    {
        kept[j] = !character->joints[j].hasMatrix && !supIsEven( &character->joints[j].rest.scale.x );
    }
    for ( int32_t c = 0; c < character->clipCount; ++c )
    {
        for ( int32_t t = 0; t < character->clips[c].trackCount; ++t )
        {
            const supTrackDef* track = character->clips[c].tracks + t;
            int32_t count = track->keyCount * ( track->interpolation == sup_interpolationCubic ? 3 : 1 );
            for ( int32_t k = 0; track->path == sup_pathScale && k < count; ++k )
            {
                kept[track->joint] = kept[track->joint] || !supIsEven( track->values + 3 * (size_t)k );
            }
        }
    }
    for ( int32_t s = 0; s < character->skinCount; ++s )
    {
        for ( int32_t i = 0; i < character->skins[s].jointCount && !character->skins[s].hasInverseBind; ++i )
        {
            kept[character->skins[s].joints[i]] = false;
        }
    }
    return kept;
}

/// A character, and what becomes of it.
typedef struct supWork
{
    const supCharacter* from;
    supAlteration alteration;
    bool* kept;
    supScraps scraps;
} supWork;

/// inverse( G ), the map of a joint's own space; -1: of the world's.
static supMat34d supSpaceOf( const supWork* work, int32_t joint )
{
    return supMatOf( &work->alteration, joint >= 0 && work->kept[joint] );
}

static supQuatd supSpaceTurn( const supWork* work, int32_t joint )
{
    bool kept = joint >= 0 && work->kept[joint];
    return kept ? ( supQuatd ){ 0.0, 0.0, 0.0, 1.0 } : supTurnOf( &work->alteration );
}

static supMat34d supInverseD( supMat34d m )
{
    supMat34d inverse;
    assert_true( supInvertMatD( m, &inverse ) );
    return inverse;
}

/// A translation of a joint, or a tangent of one.
static void supMapTranslation( const supWork* work, int32_t joint, const float* from, float* to )
{
    supMat34d space = supSpaceOf( work, work->from->joints[joint].view.parent );
    supVec3d v = supTransformVectorD( space, ( supVec3d ){ from[0], from[1], from[2] } );
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

/// A rotation of a joint, or a tangent of one: the map is linear in it.
static void supMapRotation( const supWork* work, int32_t joint, const float* from, float* to )
{
    double sign = work->alteration.isMirrored ? -1.0 : 1.0;
    supQuatd q = { from[0], sign * (double)from[1], sign * (double)from[2], from[3] };
    q = supMulQuatD( supSpaceTurn( work, work->from->joints[joint].view.parent ), q );
    q = supMulQuatD( q, supConjugateD( supSpaceTurn( work, joint ) ) );
    to[0] = (float)q.x;
    to[1] = (float)q.y;
    to[2] = (float)q.z;
    to[3] = (float)q.w;
}

// ---------------------------------------------------------------------------------------------------------------
// Names

/// Letters and digits that say nothing, the same for the same text; `index` >= 0 keeps them apart.
static const char* supOtherName( supWork* work, const char* name, int32_t index )
{
    uint32_t hash = 2166136261u ^ work->alteration.nameSeed;
    for ( const char* p = name; *p != '\0'; ++p )
    {
        hash = ( hash ^ (uint8_t)*p ) * 16777619u;
    }
    if ( work->alteration.nameSeed == 0 || name[0] == '\0' )
    {
        return name;
    }
    char* other = SUP_SCRAP( &work->scraps, char, 32 );
    snprintf( other, 32, index >= 0 ? "x%08u_%d" : "x%08u", hash % 100000000u, index );
    return other;
}

// ---------------------------------------------------------------------------------------------------------------
// Parts

static void supAlterJoints( supWork* work, supCharacterDef* def )
{
    supJointDef* joints = SUP_SCRAP( &work->scraps, supJointDef, work->from->jointCount );
    for ( int32_t j = 0; j < work->from->jointCount; ++j )
    {
        const supJoint* from = work->from->joints + j;
        joints[j] = ( supJointDef ){
            .name = supOtherName( work, from->view.name, j ), .parent = from->view.parent, .rest = from->rest
        };
        if ( from->hasMatrix )
        {
            supMat34* matrix = SUP_SCRAP( &work->scraps, supMat34, 1 );
            supMat34d local = supMulMatD( supSpaceOf( work, from->view.parent ), supMatToDouble( from->matrix ) );
            *matrix = supMatToFloat( supMulMatD( local, supInverseD( supSpaceOf( work, j ) ) ) );
            joints[j].matrix = matrix;
            continue;
        }
        supMapTranslation( work, j, &from->rest.translation.x, &joints[j].rest.translation.x );
        supMapRotation( work, j, &from->rest.rotation.x, &joints[j].rest.rotation.x );
    }
    def->jointCount = work->from->jointCount;
    def->joints = joints;
}

static void supAlterSkins( supWork* work, supCharacterDef* def )
{
    supSkinDef* skins = SUP_SCRAP( &work->scraps, supSkinDef, work->from->skinCount );
    supMat34d back = supInverseD( supSpaceOf( work, -1 ) );
    for ( int32_t s = 0; s < work->from->skinCount; ++s )
    {
        const supSkin* from = work->from->skins + s;
        supMat34* binds = SUP_SCRAP( &work->scraps, supMat34, from->jointCount );
        for ( int32_t i = 0; i < from->jointCount; ++i )
        {
            supMat34d bind = supMulMatD( supMatToDouble( from->inverseBind[i] ), back );
            binds[i] = supMatToFloat( supMulMatD( supSpaceOf( work, from->joints[i] ), bind ) );
        }
        skins[s] = ( supSkinDef ){ supOtherName( work, from->name, -1 ), from->jointCount, from->joints,
            from->hasInverseBind ? binds : NULL };
    }
    def->skinCount = work->from->skinCount;
    def->skins = skins;
}

/// Vectors of `width` floats, three of which are a point (`space`: the map) or a direction (without its scale); a
/// fourth is a tangent's side, which mirrors turn over.
static const float* supMapVectors( supWork* work, supMat34d space, const float* from, int32_t count, int32_t width )
{
    if ( from == NULL )
    {
        return NULL;
    }
    float* to = SUP_SCRAP( &work->scraps, float, (size_t)count*(size_t)width );
    for ( size_t i = 0; i < (size_t)count * (size_t)width; i += (size_t)width )
    {
        supVec3d v = supTransformVectorD( space, ( supVec3d ){ from[i], from[i + 1], from[i + 2] } );
        to[i] = (float)v.x;
        to[i + 1] = (float)v.y;
        to[i + 2] = (float)v.z;
        if ( width == 4 )
        {
            to[i + 3] = work->alteration.isMirrored ? -from[i + 3] : from[i + 3];
        }
    }
    return to;
}

static const uint32_t* supMapTriangles( supWork* work, const supMeshView* view )
{
    uint32_t* indices = SUP_SCRAP( &work->scraps, uint32_t, view->indexCount );
    for ( int32_t i = 0; i < view->indexCount; ++i )
    {
        int32_t corner = i % 3, other = corner == 0 ? i : i + 3 - 2 * corner; // 0 1 2 -> 0 2 1
        indices[i] = view->indices[work->alteration.isMirrored ? other : i];
    }
    return indices;
}

static const float* const* supMapTargets(
    supWork* work, supMat34d space, const float* const* targets, const supMeshView* view )
{
    if ( targets == NULL )
    {
        return NULL;
    }
    const float** mapped = SUP_SCRAP( &work->scraps, const float*, view->morphCount );
    for ( int32_t i = 0; i < view->morphCount; ++i )
    {
        mapped[i] = supMapVectors( work, space, targets[i], view->vertexCount, 3 );
    }
    return mapped;
}

static supMeshDef supAlterMesh( supWork* work, int32_t mesh )
{
    supMeshView view = supCharacter_Mesh( work->from, mesh );
    // what hangs on a joint rigidly stands in its space
    supMat34d space = supSpaceOf( work, view.skin >= 0 ? -1 : view.joint ), level = space;
    double unscale = 1.0 / (double)work->alteration.scale;
    level.x = supScaleD( level.x, unscale );
    level.y = supScaleD( level.y, unscale );
    level.z = supScaleD( level.z, unscale );
    const char** names = SUP_SCRAP( &work->scraps, const char*, view.morphCount );
    for ( int32_t i = 0; i < view.morphCount; ++i )
    {
        names[i] = supOtherName( work, view.morphNames[i], -1 );
    }
    return ( supMeshDef ){ .name = supOtherName( work, view.name, -1 ),
        .material = supOtherName( work, view.material, -1 ),
        .joint = view.joint,
        .skin = view.skin,
        .vertexCount = view.vertexCount,
        .positions = supMapVectors( work, space, view.positions, view.vertexCount, 3 ),
        .normals = supMapVectors( work, level, view.normals, view.vertexCount, 3 ),
        .tangents = supMapVectors( work, level, view.tangents, view.vertexCount, 4 ),
        .influenceCount = view.influenceCount,
        .jointIndices = view.jointIndices,
        .weights = view.weights,
        .indexCount = view.indexCount,
        .indices = supMapTriangles( work, &view ),
        .morphCount = view.morphCount,
        .morphPositions = supMapTargets( work, space, view.morphPositions, &view ),
        .morphNormals = supMapTargets( work, level, view.morphNormals, &view ),
        .morphTangents = supMapTargets( work, level, view.morphTangents, &view ),
        .morphWeights = view.morphWeights,
        .morphNames = names,
        .sourceMesh = view.sourceMesh,
        .sourcePrimitive = view.sourcePrimitive };
}

static supTrackDef supAlterTrack( supWork* work, const supTrackDef* from )
{
    supTrackDef track = *from;
    size_t count = (size_t)from->keyCount * ( from->interpolation == sup_interpolationCubic ? 3 : 1 );
    size_t width = (size_t)from->width;
    if ( from->path != sup_pathTranslation && from->path != sup_pathRotation )
    {
        return track;
    }
    float* values = SUP_SCRAP( &work->scraps, float, count* width );
    for ( size_t i = 0; i < count * width; i += width )
    {
        ( from->path == sup_pathTranslation ? supMapTranslation : supMapRotation )(
            work, from->joint, from->values + i, values + i );
    }
    track.values = values;
    return track;
}

/// Room for one clip more, and in each clip for one track more.
static supClipDef* supAlterClips( supWork* work, supCharacterDef* def )
{
    supClipDef* clips = SUP_SCRAP( &work->scraps, supClipDef, work->from->clipCount + 1 );
    for ( int32_t c = 0; c < work->from->clipCount; ++c )
    {
        const supClip* from = work->from->clips + c;
        supTrackDef* tracks = SUP_SCRAP( &work->scraps, supTrackDef, from->trackCount + 1 );
        for ( int32_t t = 0; t < from->trackCount; ++t )
        {
            tracks[t] = supAlterTrack( work, from->tracks + t );
        }
        clips[c] = ( supClipDef ){ from->name, from->trackCount, tracks };
    }
    def->clipCount = work->from->clipCount;
    def->clips = clips;
    return clips;
}

static supCharacterDef supAlterDef( supWork* work, supClipDef** clips )
{
    supCharacterDef def = supDefaultCharacterDef();
    def.name = work->from->name;
    work->kept = supFindKeptAxes( work->from, &work->scraps );
    supAlterJoints( work, &def );
    supAlterSkins( work, &def );
    supMeshDef* meshes = SUP_SCRAP( &work->scraps, supMeshDef, work->from->meshCount );
    for ( int32_t m = 0; m < work->from->meshCount; ++m )
    {
        meshes[m] = supAlterMesh( work, m );
    }
    def.meshCount = work->from->meshCount;
    def.meshes = meshes;
    *clips = supAlterClips( work, &def );
    return def;
}

supCharacter* supAlterCharacter( const supCharacter* character, const supAlteration* alteration )
{
    supWork work = { .from = character, .alteration = *alteration };
    supClipDef* clips = NULL;
    supCharacterDef def = supAlterDef( &work, &clips );
    return supCreateFromScraps( &def, &work.scraps );
}

// ---------------------------------------------------------------------------------------------------------------
// Wild clips and broken keys

int32_t supFindCarrier( const supCharacter* character )
{
    int32_t* carried = calloc( (size_t)character->jointCount + 1, sizeof( int32_t ) );
    int32_t best = 0;
    for ( int32_t i = character->jointCount - 1; i >= 0; --i ) // children before parents
    {
        int32_t j = character->jointOrder[i], parent = character->joints[j].view.parent;
        carried[j] += character->joints[j].view.isSkinJoint;
        carried[parent >= 0 ? parent : character->jointCount] += carried[j];
    }
    for ( int32_t i = 0; i < character->jointCount; ++i ) // the lowest of those that carry as many
    {
        int32_t j = character->jointOrder[i];
        best = !character->joints[j].hasMatrix && carried[j] >= carried[best] ? j : best;
    }
    free( carried );
    return best;
}

/// What the root does at a time of the wild clip, beside what the first clip has it do. Model space, in sizes.
static supVec3 supWildMove( int32_t key, int32_t keyCount )
{
    double time = key / supWildRate;
    supVec3 move = supScale( supMakeVec3( 0.5f, 0.7f, 0.5f ), 0.03f * (float)sin( 6.283185307 * supShaking * time ) );
    if ( 10 * key >= 6 * keyCount )
    {
        move = supAdd( move, supMakeVec3( 3.0f, 0.0f, 0.3f ) );
    }
    return key == 3 * keyCount / 10 ? supAdd( move, supMakeVec3( 0.0f, supFarAway, 0.0f ) ) : move;
}

/// Where the joint is in its parent's space, with a move in model space added.
static supVec3 supLocalPlace( const supCharacter* character, const supMat34* joints, int32_t joint, supVec3 move )
{
    int32_t parent = character->joints[joint].view.parent;
    supMat34d back = supMat34d_identity;
    if ( parent >= 0 )
    {
        assert_true( supInvertMatD( supMatToDouble( joints[parent] ), &back ) );
    }
    return supToFloat( supTransformPointD( back, supToDouble( supAdd( joints[joint].t, move ) ) ) );
}

static supTrackDef supMakeWildTrack( supWork* work, int32_t joint )
{
    const supClip* clip = work->from->clips;
    int32_t keyCount = (int32_t)fmax( ceil( ( clip->end - clip->start ) * supWildRate ), 24.0 );
    float* times = SUP_SCRAP( &work->scraps, float, keyCount );
    supVec3* values = SUP_SCRAP( &work->scraps, supVec3, keyCount );
    supPose* pose = NULL;
    supError error;
    assert_int_equal( supCreatePose( work->from, NULL, &pose, &error ), sup_success );
    for ( int32_t k = 0; k < keyCount; ++k )
    {
        times[k] = (float)( clip->start + k / supWildRate );
        supPose_Sample( pose, 0, (double)times[k] );
        supVec3 move = supScale( supWildMove( k, keyCount ), work->from->size );
        values[k] = supLocalPlace( work->from, supPose_Joints( pose ), joint, move );
    }
    supDestroyPose( pose );
    return ( supTrackDef ){ joint, sup_pathTranslation, sup_interpolationLinear, keyCount, times, &values->x, 3 };
}

supCharacter* supAddWildClip( const supCharacter* character )
{
    if ( character->clipCount == 0 )
    {
        return NULL;
    }
    supWork work = { .from = character, .alteration = supNoAlteration() };
    supClipDef* clips = NULL;
    supCharacterDef def = supAlterDef( &work, &clips );
    int32_t root = supFindCarrier( character ), count = 0;
    supTrackDef* tracks = SUP_SCRAP( &work.scraps, supTrackDef, clips[0].trackCount + 1 );
    for ( int32_t t = 0; t < clips[0].trackCount; ++t )
    {
        const supTrackDef* track = clips[0].tracks + t;
        if ( track->joint != root || track->path != sup_pathTranslation )
        {
            tracks[count++] = *track;
        }
    }
    tracks[count++] = supMakeWildTrack( &work, root );
    clips[def.clipCount++] = ( supClipDef ){ "wild", count, tracks };
    return supCreateFromScraps( &def, &work.scraps );
}

/// The track whose key is broken: of the root's translation, of any, of a rotation. -1: none.
static int32_t supChooseTrack( const supCharacter* character, int32_t clip, int32_t root )
{
    int32_t best = -1, bestRank = 0;
    for ( int32_t t = 0; t < character->clips[clip].trackCount; ++t )
    {
        const supTrackDef* track = character->clips[clip].tracks + t;
        int32_t rank = track->path == sup_pathTranslation ? 2 + ( track->joint == root )
                                                          : ( track->path == sup_pathRotation ? 1 : 0 );
        if ( character->clips[clip].isUsed[t] && track->keyCount > 2 && rank > bestRank )
        {
            best = t;
            bestRank = rank;
        }
    }
    return best;
}

supCharacter* supBreakKey( const supCharacter* character, int32_t clip, float sizes )
{
    int32_t chosen = supChooseTrack( character, clip, supFindCarrier( character ) );
    if ( chosen < 0 )
    {
        return NULL;
    }
    supWork work = { .from = character, .alteration = supNoAlteration() };
    supClipDef* clips = NULL;
    supCharacterDef def = supAlterDef( &work, &clips );
    supTrackDef* track = (supTrackDef*)clips[clip].tracks + chosen;
    size_t parts = track->interpolation == sup_interpolationCubic ? 3 : 1, width = (size_t)track->width;
    float* values = SUP_SCRAP( &work.scraps, float, (size_t)track->keyCount* parts* width );
    memcpy( values, track->values, sizeof( float ) * (size_t)track->keyCount * parts * width );
    float* key = values + ( (size_t)( track->keyCount / 2 ) * parts + parts / 2 ) * width;
    if ( track->path == sup_pathTranslation )
    {
        key[1] += sizes * character->size;
    }
    else // times half a turn about x
    {
        const float q[4] = { key[3], key[2], -key[1], -key[0] };
        memcpy( key, q, sizeof( q ) );
    }
    track->values = values;
    return supCreateFromScraps( &def, &work.scraps );
}
