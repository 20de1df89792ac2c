// SPDX-License-Identifier: MIT
#include "io/gltf_accessor.h"

#include "io/gltf_parts.h"

#include <string.h>

/// The affine part of a column-major 4x4.
static supMat34 supAffinePart( const float* m )
{
    return ( supMat34 ){ { m[0], m[1], m[2] }, { m[4], m[5], m[6] }, { m[8], m[9], m[10] }, { m[12], m[13], m[14] } };
}

static void supReadJoint( supReader* reader, supArena* arena, const json_t* json, supJointDef* joint )
{
    float t[3] = { 0.0f, 0.0f, 0.0f }, r[4] = { 0.0f, 0.0f, 0.0f, 1.0f }, s[3] = { 1.0f, 1.0f, 1.0f }, m[16];
    supReader_Numbers( reader, json, "translation", t, 3 );
    supReader_Numbers( reader, json, "rotation", r, 4 );
    supReader_Numbers( reader, json, "scale", s, 3 );
    joint->name = supReader_Text( reader, json, "name" );
    joint->rest = ( supTransform ){ { t[0], t[1], t[2] }, { r[0], r[1], r[2], r[3] }, { s[0], s[1], s[2] } };
    if ( supReader_Numbers( reader, json, "matrix", m, 16 ) )
    {
        supMat34* matrix = supReader_Take( reader, arena, 1, sizeof( supMat34 ) );
        if ( matrix != NULL )
        {
            *matrix = supAffinePart( m );
            joint->matrix = matrix;
        }
    }
}

void supReader_Joints( supReader* reader, supArena* arena, const supScene* scene, supCharacterDef* def )
{
    supJointDef* joints = supReader_Take( reader, arena, (size_t)scene->nodeCount, sizeof( supJointDef ) );
    for ( int32_t i = 0; i < scene->nodeCount && supReader_Ok( reader ); ++i )
    {
        const json_t* json = supGltf_Item( reader->document, "nodes", i );
        supReader_At( reader, "node", i, json );
        joints[i].parent = scene->parents[i];
        supReadJoint( reader, arena, json, joints + i );
    }
    supReader_Vrm( reader, arena, scene, joints );
    def->joints = joints;
    def->jointCount = scene->nodeCount;
}

static const supMat34* supReadInverseBind( supReader* reader, supArena* arena, const json_t* json, int32_t jointCount )
{
    int32_t index = supReader_Index( reader, json, "inverseBindMatrices", "accessors" );
    if ( index < 0 )
    {
        return NULL;
    }
    supAccessor accessor = supReader_Accessor( reader, index, "inverseBindMatrices", 4, 4, sup_componentFloat );
    if ( supReader_Ok( reader ) && accessor.count < jointCount )
    {
        supReader_Fail(
            reader, sup_errorData, "has %d joints and %d inverse bind matrices", jointCount, accessor.count );
    }
    accessor.count = jointCount < accessor.count ? jointCount : accessor.count; // those beyond are nobody's
    float* numbers = supReader_Take( reader, arena, (size_t)accessor.count, 16 * sizeof( float ) );
    supMat34* matrices = supReader_Take( reader, arena, (size_t)jointCount, sizeof( supMat34 ) );
    if ( supReader_Ok( reader ) == false )
    {
        return NULL;
    }
    supAccessor_ReadFloats( &accessor, numbers );
    for ( int32_t i = 0; i < jointCount; ++i )
    {
        matrices[i] = supAffinePart( numbers + 16 * (size_t)i );
    }
    return matrices;
}

static void supReadSkin( supReader* reader, supArena* arena, const json_t* json, supSkinDef* skin )
{
    const json_t* array = supReader_Array( reader, json, "joints" );
    size_t count = json_array_size( array );
    if ( count == 0 )
    {
        supReader_Fail( reader, sup_errorData, "has no joints: remove the skin, or bind it to some" );
        return;
    }
    int32_t* joints = supReader_Take( reader, arena, count, sizeof( int32_t ) );
    for ( size_t i = 0; i < count && supReader_Ok( reader ); ++i )
    {
        joints[i] = supReader_IndexValue( reader, json_array_get( array, i ), "joints", "nodes" );
    }
    skin->name = supReader_Text( reader, json, "name" );
    skin->joints = joints;
    skin->jointCount = (int32_t)count;
    skin->inverseBind = supReadInverseBind( reader, arena, json, skin->jointCount );
}

void supReader_Skins( supReader* reader, supArena* arena, supCharacterDef* def )
{
    int32_t count = supGltf_Count( reader->document, "skins" );
    supSkinDef* skins = supReader_Take( reader, arena, (size_t)count, sizeof( supSkinDef ) );
    for ( int32_t i = 0; i < count && supReader_Ok( reader ); ++i )
    {
        const json_t* json = supGltf_Item( reader->document, "skins", i );
        supReader_At( reader, "skin", i, json );
        supReadSkin( reader, arena, json, skins + i );
    }
    def->skins = skins;
    def->skinCount = count;
}

// ---------------------------------------------------------------------------------------------------------------
// Clips.

/// A sampler of an animation, read when the first channel asks for it; several channels may share it.
typedef struct supSampler
{
    bool isRead;
    supInterpolation interpolation;
    int32_t keyCount;
    const float* times;
    int32_t valueCount; ///< items of the output accessor
    int32_t rows;       ///< numbers of each item
    const float* values;
} supSampler;

/// An animation while it is read.
typedef struct supClipReading
{
    const json_t* samplerArray;
    supSampler* samplers;
    supTrackDef* tracks;
    int32_t trackCount;
    int32_t ignored;         ///< channels that say nothing about the character
    const char* lastIgnored; ///< why
} supClipReading;

static supInterpolation supReadInterpolation( supReader* reader, const json_t* json )
{
    const char* text = supReader_Text( reader, json, "interpolation" );
    if ( text == NULL || strcmp( text, "LINEAR" ) == 0 )
    {
        return sup_interpolationLinear;
    }
    if ( strcmp( text, "STEP" ) == 0 )
    {
        return sup_interpolationStep;
    }
    if ( strcmp( text, "CUBICSPLINE" ) != 0 )
    {
        supReader_Fail( reader, sup_errorData, "interpolation '%.30s' is not known", text );
    }
    return sup_interpolationCubic;
}

static void supReadSampler( supReader* reader, supArena* arena, const json_t* json, supSampler* sampler )
{
    if ( json_is_object( json ) == false )
    {
        supReader_Fail( reader, sup_errorData, "is not an object" );
        return;
    }
    sampler->interpolation = supReadInterpolation( reader, json );
    supAccessor times = supReader_Accessor(
        reader, supReader_Index( reader, json, "input", "accessors" ), "input", 1, 1, sup_componentFloat );
    supAccessor values = supReader_AccessorOfAnyWidth(
        reader, supReader_Index( reader, json, "output", "accessors" ), "output", sup_componentsQuantized );
    values.normalized = true; // the only reading the format has for whole numbers there
    if ( supReader_Ok( reader ) && times.count == 0 )
    {
        supReader_Fail( reader, sup_errorData, "has no keys: remove the animation, or give it some" );
    }
    sampler->times = supReader_SharedFloats( reader, arena, &times );
    sampler->values = supReader_SharedFloats( reader, arena, &values );
    sampler->keyCount = times.count;
    sampler->valueCount = values.count;
    sampler->rows = values.rows * values.columns;
    sampler->isRead = true;
}

static supSampler* supFindSampler( supReader* reader, supArena* arena, supClipReading* clip, const json_t* channel )
{
    size_t index = supReader_Size( reader, channel, "sampler", SIZE_MAX );
    if ( index >= json_array_size( clip->samplerArray ) )
    {
        supReader_Fail( reader, sup_errorData, "its sampler is missing: the animation has %zu",
            json_array_size( clip->samplerArray ) );
        return NULL;
    }
    supSampler* sampler = clip->samplers + index;
    if ( sampler->isRead == false )
    {
        supWhere where = reader->where;
        supReader_AtPart( reader, "sampler", (int32_t)index );
        supReadSampler( reader, arena, json_array_get( clip->samplerArray, index ), sampler );
        reader->where = where;
    }
    return supReader_Ok( reader ) ? sampler : NULL;
}

static void supIgnore( supClipReading* clip, const char* why )
{
    clip->ignored += 1;
    clip->lastIgnored = why;
}

/// Which path a channel animates; -1 where it is one that a character does not have.
static int supReadPath( supReader* reader, const json_t* target )
{
    static const char* const names[] = { "translation", "rotation", "scale", "weights" };
    const char* text = supReader_Text( reader, target, "path" );
    for ( int i = 0; text != NULL && i < 4; ++i )
    {
        if ( strcmp( text, names[i] ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

/// Fails unless the sampler's output has as many numbers as its keys need. Gives the track's width.
static int32_t supCheckOutput( supReader* reader, const supSampler* sampler, supPath path, int32_t morphCount )
{
    int32_t rows = path == sup_pathWeights ? 1 : path == sup_pathRotation ? 4 : 3;
    int64_t items = (int64_t)sampler->keyCount * ( path == sup_pathWeights ? morphCount : 1 );
    items *= sampler->interpolation == sup_interpolationCubic ? 3 : 1;
    if ( sampler->rows != rows || sampler->valueCount != items )
    {
        supReader_Fail( reader, sup_errorData, "its sampler gives %d items of %d numbers, %d keys need %lld of %d",
            sampler->valueCount, sampler->rows, sampler->keyCount, (long long)items, rows );
    }
    return path == sup_pathWeights ? morphCount : rows;
}

static void supReadChannel( supReader* reader, supArena* arena, supClipReading* clip, const json_t* channel )
{
    const json_t* target = supReader_Object( reader, channel, "target" );
    int32_t node = supReader_Index( reader, target, "node", "nodes" );
    int path = supReadPath( reader, target );
    if ( supReader_Ok( reader ) == false )
    {
        return;
    }
    if ( node < 0 || path < 0 )
    {
        supIgnore( clip, "no node, or none of translation, rotation, scale, weights" );
        return;
    }
    int32_t morphCount = path == sup_pathWeights ? supReader_MorphCount( reader, node ) : 0;
    if ( path == sup_pathWeights && morphCount == 0 )
    {
        supIgnore( clip, "weights of a node without morph targets" );
        return;
    }
    if ( path != sup_pathWeights &&
         json_object_get( supGltf_Item( reader->document, "nodes", node ), "matrix" ) != NULL )
    {
        supIgnore( clip, "a node that stands by a matrix cannot be animated" );
        return;
    }
    const supSampler* sampler = supFindSampler( reader, arena, clip, channel );
    if ( sampler == NULL )
    {
        return;
    }
    clip->tracks[clip->trackCount] = ( supTrackDef ){ .joint = node,
        .path = (supPath)path,
        .interpolation = sampler->interpolation,
        .keyCount = sampler->keyCount,
        .times = sampler->times,
        .values = sampler->values,
        .width = supCheckOutput( reader, sampler, (supPath)path, morphCount ) };
    clip->trackCount += 1;
}

static void supReadClip( supReader* reader, supArena* arena, const json_t* json, supClipDef* def )
{
    const json_t* channels = supReader_Array( reader, json, "channels" );
    supClipReading clip = { .samplerArray = supReader_Array( reader, json, "samplers" ) };
    size_t channelCount = json_array_size( channels );
    clip.samplers = supReader_Take( reader, arena, json_array_size( clip.samplerArray ), sizeof( supSampler ) );
    clip.tracks = supReader_Take( reader, arena, channelCount, sizeof( supTrackDef ) );
    for ( size_t i = 0; i < channelCount && supReader_Ok( reader ); ++i )
    {
        supReader_AtPart( reader, "channel", (int32_t)i );
        supReadChannel( reader, arena, &clip, json_array_get( channels, i ) );
    }
    supReader_AtPart( reader, NULL, 0 );
    def->name = supReader_Text( reader, json, "name" );
    def->tracks = clip.tracks;
    def->trackCount = clip.trackCount;
    if ( supReader_Ok( reader ) && clip.ignored > 0 )
    {
        supReader_Note( reader, "%d of %zu channels passed over (%s)", clip.ignored, channelCount, clip.lastIgnored );
    }
    else if ( supReader_Ok( reader ) && clip.trackCount == 0 )
    {
        supReader_Note( reader, "animates nothing" );
    }
}

void supReader_Clips( supReader* reader, supArena* arena, supCharacterDef* def )
{
    int32_t count = supGltf_Count( reader->document, "animations" );
    supClipDef* clips = supReader_Take( reader, arena, (size_t)count, sizeof( supClipDef ) );
    for ( int32_t i = 0; i < count && supReader_Ok( reader ); ++i )
    {
        const json_t* json = supGltf_Item( reader->document, "animations", i );
        supReader_At( reader, "animation", i, json );
        supReadClip( reader, arena, json, clips + i );
    }
    def->clips = clips;
    def->clipCount = count;
}
