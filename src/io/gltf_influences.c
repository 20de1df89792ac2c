// SPDX-License-Identifier: MIT
#include "io/gltf_accessor.h"
#include "io/gltf_parts.h"

#include <stdio.h>
#include <string.h>

/// How many pairs JOINTS_n, WEIGHTS_n there are, from 0 on. Fails where one of a pair is missing.
static int32_t supCountSets( supReader* reader, const json_t* attributes )
{
    for ( int32_t set = 0;; ++set )
    {
        char joints[24], weights[24];
        snprintf( joints, sizeof( joints ), "JOINTS_%d", set );
        snprintf( weights, sizeof( weights ), "WEIGHTS_%d", set );
        bool hasJoints = json_object_get( attributes, joints ) != NULL;
        bool hasWeights = json_object_get( attributes, weights ) != NULL;
        if ( hasJoints != hasWeights )
        {
            supReader_Fail(
                reader, sup_errorData, "has %s and no %s", hasJoints ? joints : weights, hasJoints ? weights : joints );
        }
        if ( hasJoints == false || hasWeights == false )
        {
            return set;
        }
    }
}

/// One set into columns 4 * set of `joints` and `weights`, which are `width` wide.
static void supReadSet( supReader* reader, const supArena* outer, const json_t* attributes, int32_t set,
    int32_t vertexCount, size_t width, uint16_t* joints, float* weights )
{
    char jointKey[24], weightKey[24];
    snprintf( jointKey, sizeof( jointKey ), "JOINTS_%d", set );
    snprintf( weightKey, sizeof( weightKey ), "WEIGHTS_%d", set );
    supAccessor jointAccessor = supReader_Accessor(
        reader, supReader_Index( reader, attributes, jointKey, "accessors" ), jointKey, 4, 1, sup_componentsUnsigned );
    supAccessor weightAccessor =
        supReader_Accessor( reader, supReader_Index( reader, attributes, weightKey, "accessors" ), weightKey, 4, 1,
            sup_componentsUnsigned | sup_componentFloat );
    weightAccessor.normalized = true; // the only reading the format has for whole numbers there
    if ( supReader_Ok( reader ) && ( jointAccessor.count != vertexCount || weightAccessor.count != vertexCount ) )
    {
        supReader_Fail( reader, sup_errorData, "%s has %d items, %s has %d, the primitive has %d vertices", jointKey,
            jointAccessor.count, weightKey, weightAccessor.count, vertexCount );
    }
    supArena arena = { .used = outer->used }; // on the same budget
    uint32_t* indices = supReader_Take( reader, &arena, (size_t)vertexCount, 4 * sizeof( uint32_t ) );
    float* values = supReader_Take( reader, &arena, (size_t)vertexCount, 4 * sizeof( float ) );
    if ( supReader_Ok( reader ) )
    {
        supAccessor_ReadIntegers( &jointAccessor, indices );
        supAccessor_ReadFloats( &weightAccessor, values );
        for ( size_t i = 0; i < 4 * (size_t)vertexCount; ++i )
        {
            size_t to = i / 4 * width + 4 * (size_t)set + i % 4;
            joints[to] = (uint16_t)indices[i];
            weights[to] = values[i];
        }
    }
    supArena_Free( &arena );
}

/// NaN is less than anything, since it will count as nothing.
static bool supIsLarger( float a, float b )
{
    return a > b || ( b != b && a == a );
}

/// Moves the SUP_MAX_INFLUENCES largest of `width` weights to the front, in falling order, equal ones in theirs. True
/// where one that is left behind counts.
static bool supKeepLargest( uint16_t* joints, float* weights, size_t width )
{
    for ( size_t k = 0; k < SUP_MAX_INFLUENCES; ++k )
    {
        size_t best = k;
        for ( size_t i = k + 1; i < width; ++i )
        {
            best = supIsLarger( weights[i], weights[best] ) ? i : best;
        }
        float weight = weights[best];
        uint16_t joint = joints[best];
        memmove( weights + k + 1, weights + k, ( best - k ) * sizeof( float ) );
        memmove( joints + k + 1, joints + k, ( best - k ) * sizeof( uint16_t ) );
        weights[k] = weight;
        joints[k] = joint;
    }
    for ( size_t i = SUP_MAX_INFLUENCES; i < width; ++i )
    {
        if ( weights[i] > 0.0f )
        {
            return true;
        }
    }
    return false;
}

static void supReduceInfluences( supReader* reader, supMeshDef* mesh, uint16_t* joints, float* weights, size_t width )
{
    int32_t reduced = 0;
    for ( size_t v = 0; v < (size_t)mesh->vertexCount; ++v )
    {
        reduced += supKeepLargest( joints + v * width, weights + v * width, width ) ? 1 : 0;
        memmove( joints + v * SUP_MAX_INFLUENCES, joints + v * width, SUP_MAX_INFLUENCES * sizeof( uint16_t ) );
        memmove( weights + v * SUP_MAX_INFLUENCES, weights + v * width, SUP_MAX_INFLUENCES * sizeof( float ) );
    }
    mesh->influenceCount = SUP_MAX_INFLUENCES;
    if ( reduced > 0 )
    {
        supReader_Note( reader, "%d vertices have more than %d influences: the largest %d are used", reduced,
            SUP_MAX_INFLUENCES, SUP_MAX_INFLUENCES );
    }
}

void supReader_Influences( supReader* reader, supArena* arena, const json_t* attributes, supMeshDef* mesh )
{
    int32_t sets = supCountSets( reader, attributes );
    if ( sets == 0 || supReader_Ok( reader ) == false )
    {
        return;
    }
    size_t width = 4 * (size_t)sets;
    uint16_t* joints = supReader_Take( reader, arena, (size_t)mesh->vertexCount, width * sizeof( uint16_t ) );
    float* weights = supReader_Take( reader, arena, (size_t)mesh->vertexCount, width * sizeof( float ) );
    for ( int32_t set = 0; set < sets && supReader_Ok( reader ); ++set )
    {
        supReadSet( reader, arena, attributes, set, mesh->vertexCount, width, joints, weights );
    }
    if ( supReader_Ok( reader ) == false )
    {
        return;
    }
    mesh->jointIndices = joints;
    mesh->weights = weights;
    mesh->influenceCount = (int32_t)width;
    if ( width > SUP_MAX_INFLUENCES )
    {
        supReduceInfluences( reader, mesh, joints, weights, width );
    }
}
