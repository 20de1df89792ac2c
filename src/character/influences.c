// Supple: a vertex's joints and weights, put in order.
// SPDX-License-Identifier: MIT
#include "character_data.h"

#include <float.h>
#include <string.h>

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
