// Supple: places and directions of vertices that are not finite, put right in the copy. The def still has them as they
// came, and so tells which ones.
// SPDX-License-Identifier: MIT
#include "base/math.h"

#include "base/scalar_math.h"
#include "character_data.h"

#include <float.h>
#include <string.h>

static bool supIsWhole( const float* values, size_t count )
{
    return supFindNotFinite( values, count ) == count;
}

/// Only vertices of no triangle can have come so far (character_check.c): they go where the first corner is, which
/// changes no bounds.
void supRepairPositions( const supMeshDef* def, float* positions, supFixes* fixes )
{
    for ( size_t v = 0; v < (size_t)def->vertexCount; ++v )
    {
        if ( !supIsWhole( positions + 3 * v, 3 ) )
        {
            memcpy( positions + 3 * v, def->positions + 3 * (size_t)def->indices[0], 3 * sizeof( float ) );
            fixes->strayPositions += 1;
        }
    }
}

/// The triangle's normal, as long as twice its area.
static supVec3 supFaceNormal( const float* positions, const uint32_t* corners )
{
    const float *a = positions + 3 * (size_t)corners[0], *b = positions + 3 * (size_t)corners[1],
                *c = positions + 3 * (size_t)corners[2];
    supVec3 ab = { b[0] - a[0], b[1] - a[1], b[2] - a[2] }, ac = { c[0] - a[0], c[1] - a[1], c[2] - a[2] };
    return supCross( ab, ac );
}

/// To unit length. Nothing, or what is too large to measure, becomes the zero vector.
static void supNormalizeOr0( float* v )
{
    double x = v[0], y = v[1], z = v[2], length = supSqrt( x * x + y * y + z * z );
    bool isGood = length > 0.0 && supIsFinite( length );
    v[0] = isGood ? (float)( x / length ) : 0.0f;
    v[1] = isGood ? (float)( y / length ) : 0.0f;
    v[2] = isGood ? (float)( z / length ) : 0.0f;
}

/// The mean of the normals of the triangles around, by area.
void supRepairNormals( const supMeshDef* def, const float* positions, float* normals, supFixes* fixes )
{
    int64_t broken = 0;
    for ( size_t v = 0; normals != NULL && v < (size_t)def->vertexCount; ++v )
    {
        if ( !supIsWhole( normals + 3 * v, 3 ) )
        {
            memset( normals + 3 * v, 0, 3 * sizeof( float ) );
            broken += 1;
        }
    }
    if ( broken == 0 )
    {
        return;
    }
    fixes->normals += broken;
    for ( int32_t i = 0; i < def->indexCount; ++i )
    {
        size_t v = def->indices[i];
        if ( !supIsWhole( def->normals + 3 * v, 3 ) )
        {
            supVec3 face = supFaceNormal( positions, def->indices + i - i % 3 );
            normals[3 * v] += face.x;
            normals[3 * v + 1] += face.y;
            normals[3 * v + 2] += face.z;
        }
    }
    for ( size_t v = 0; v < (size_t)def->vertexCount; ++v )
    {
        if ( !supIsWhole( def->normals + 3 * v, 3 ) )
        {
            supNormalizeOr0( normals + 3 * v );
        }
    }
}

/// Texture coordinates, which would tell the right one, are no part of a character: any direction across the normal.
void supRepairTangents( const supMeshDef* def, const float* normals, float* tangents, supFixes* fixes )
{
    for ( size_t v = 0; tangents != NULL && v < (size_t)def->vertexCount; ++v )
    {
        float* t = tangents + 4 * v;
        if ( supIsWhole( t, 4 ) )
        {
            continue;
        }
        fixes->tangents += 1;
        t[3] = supIsWhole( t + 3, 1 ) ? t[3] : 1.0f;
        if ( supIsWhole( t, 3 ) )
        {
            continue;
        }
        supVec3 n = normals != NULL ? ( supVec3 ){ normals[3 * v], normals[3 * v + 1], normals[3 * v + 2] }
                                    : ( supVec3 ){ 0.0f, 0.0f, 1.0f };
        supVec3 axis = supAbsF( n.x ) < 0.6f ? ( supVec3 ){ 1.0f, 0.0f, 0.0f } : ( supVec3 ){ 0.0f, 1.0f, 0.0f };
        float along = supDot( n, axis );
        t[0] = axis.x - along * n.x;
        t[1] = axis.y - along * n.y;
        t[2] = axis.z - along * n.z;
        supNormalizeOr0( t );
    }
}

/// Shifts of a morph target: what is not finite shifts nothing.
void supRepairDeltas( int32_t vertexCount, float* deltas, int64_t* fixed )
{
    for ( size_t v = 0; deltas != NULL && v < (size_t)vertexCount; ++v )
    {
        if ( !supIsWhole( deltas + 3 * v, 3 ) )
        {
            memset( deltas + 3 * v, 0, 3 * sizeof( float ) );
            *fixed += 1;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// A vertex's joints and weights, put in order.

/// Sums farther from one than this are worth a word; nearer ones are rounding, of floats or of 16-bit integers.
#define SUP_WEIGHT_SUM_TOLERANCE 1e-3

/// Falling weights; equal ones keep the file's order. Eight at most, so an insertion sort is the quick way.
static void supSortInfluences( int32_t count, uint16_t* indices, float* weights )
{
    for ( int32_t i = 1; i < count; ++i )
    {
        uint16_t index = indices[i];
        float weight = weights[i];
        int32_t at = i;
        for ( ; at > 0 && weights[at - 1] < weight; --at )
        {
            indices[at] = indices[at - 1];
            weights[at] = weights[at - 1];
        }
        indices[at] = index;
        weights[at] = weight;
    }
}

/// Weights that count for nothing (NaN, below zero) become zero. One that is infinite is all there is; several share.
/// Counts the vertex once, for the first thing that was wrong. Gives the sum.
static double supCleanWeights( int32_t count, float* weights, supFixes* fixes )
{
    bool hasNan = false, hasInfinite = false, hasNegative = false;
    for ( int32_t i = 0; i < count; ++i )
    {
        hasNan = hasNan || weights[i] != weights[i];
        hasInfinite = hasInfinite || weights[i] > FLT_MAX;
        hasNegative = hasNegative || weights[i] < 0.0f;
    }
    double sum = 0.0;
    for ( int32_t i = 0; i < count; ++i )
    {
        weights[i] = hasInfinite ? (float)( weights[i] > FLT_MAX ) : weights[i] > 0.0f ? weights[i] : 0.0f;
        sum += weights[i];
    }
    bool isOff = sum < 1.0 - SUP_WEIGHT_SUM_TOLERANCE || sum > 1.0 + SUP_WEIGHT_SUM_TOLERANCE;
    fixes->nanWeights += hasNan;
    fixes->infiniteWeights += hasInfinite && !hasNan;
    fixes->negativeWeights += hasNegative && !hasInfinite && !hasNan;
    fixes->weightSums += isOff && sum > 0.0 && !hasNegative && !hasInfinite && !hasNan;
    return sum;
}

void supCopyInfluences(
    const supMeshDef* def, int32_t skinJointCount, uint16_t* indices, float* weights, supFixes* fixes )
{
    int32_t count = def->influenceCount;
    for ( int32_t v = 0; v < def->vertexCount; ++v, indices += count, weights += count )
    {
        const uint16_t* fromIndices = def->jointIndices + (size_t)v * (size_t)count;
        memcpy( weights, def->weights + (size_t)v * (size_t)count, (size_t)count * sizeof( float ) );
        double sum = supCleanWeights( count, weights, fixes );
        for ( int32_t i = 0; i < count; ++i )
        {
            bool isStray = fromIndices[i] >= skinJointCount;
            fixes->strayIndices += isStray;
            indices[i] = !isStray && weights[i] > 0.0f ? fromIndices[i] : 0;
            weights[i] = sum > 0.0 ? (float)( weights[i] / sum ) : 0.0f;
        }
        fixes->weightless += sum == 0.0;
        supSortInfluences( count, indices, weights );
    }
}
