// Supple: a vertex's joints and weights, put in order.
// SPDX-License-Identifier: MIT
#include "character_data.h"

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

void supCopyInfluences(
    const supMeshDef* def, int32_t skinJointCount, uint16_t* indices, float* weights, supFixes* fixes )
{
    int32_t count = def->influenceCount;
    for ( int32_t v = 0; v < def->vertexCount; ++v, indices += count, weights += count )
    {
        const uint16_t* fromIndices = def->jointIndices + (size_t)v * (size_t)count;
        const float* fromWeights = def->weights + (size_t)v * (size_t)count;
        double sum = 0.0;
        bool hasNegative = false;
        for ( int32_t i = 0; i < count; ++i )
        {
            hasNegative = hasNegative || fromWeights[i] < 0.0f;
            weights[i] = fromWeights[i] > 0.0f ? fromWeights[i] : 0.0f;
            indices[i] = fromIndices[i] < skinJointCount && weights[i] > 0.0f ? fromIndices[i] : 0;
            sum += weights[i];
        }
        fixes->negativeWeights += hasNegative;
        if ( sum == 0.0 )
        {
            fixes->weightless += 1;
            weights[0] = 1.0f;
            continue;
        }
        fixes->weightSums += sum < 1.0 - SUP_WEIGHT_SUM_TOLERANCE || sum > 1.0 + SUP_WEIGHT_SUM_TOLERANCE;
        for ( int32_t i = 0; i < count; ++i )
        {
            weights[i] = (float)( weights[i] / sum );
        }
        supSortInfluences( count, indices, weights );
    }
}
