// Blocks of vibrations that muscles which tense couple with one another.
// SPDX-License-Identifier: MIT
//
// Tension couples vibrations that strain the same voxels, so eigenvectors of the tense solid are looked for among those
// that move the same places: a few small matrices in a frame in place of one large one, whose cost grows with the third
// power. At rest nothing is lost by that (fat_tension.c).

#include "layers/fat/fat_modes.h"

#include "base/memory.h"
#include "base/scalar_math.h"

#include <string.h>

/// What of each vibration's motion is where a joint carries the nodes, its root: `region->jointCount` numbers each.
static void supSpreadOverJoints(
    const supElasticModes* modes, const supElastic* elastic, const supFatNodes* nodes, int32_t joints, double* spread )
{
    for ( int32_t m = 0; m < modes->count; ++m )
    {
        double* own = spread + (size_t)m * (size_t)joints;
        const double* shape = modes->shapes + (size_t)m * modes->size;
        for ( int32_t i = 0; i < elastic->freeCount; ++i )
        {
            const supFatHold* hold = nodes->holds + elastic->freeNodes[i];
            const double* u = shape + 3 * (size_t)i;
            double square = elastic->masses[i] * ( u[0] * u[0] + u[1] * u[1] + u[2] * u[2] );
            for ( int k = 0; k < supFatHolds; ++k )
            {
                own[hold->joints[k]] += square * hold->weights[k];
            }
        }
        for ( int32_t j = 0; j < joints; ++j )
        {
            own[j] = supSqrt( own[j] );
        }
    }
}

static void supSwapNumbers( double* a, double* b, size_t count )
{
    for ( size_t i = 0; i < count && a != b; ++i )
    {
        double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

static void supSwapModes( supElasticModes* modes, double* spread, int32_t joints, int32_t a, int32_t b )
{
    supSwapNumbers( modes->omegas + a, modes->omegas + b, 1 );
    supSwapNumbers( modes->shapes + (size_t)a * modes->size, modes->shapes + (size_t)b * modes->size, modes->size );
    supSwapNumbers( spread + (size_t)a * (size_t)joints, spread + (size_t)b * (size_t)joints, (size_t)joints );
}

/// Of the vibrations from `first` on the one that moves the same places as `sum`; with `sum` NULL the slowest.
static int32_t supFindNext(
    const supElasticModes* modes, const double* spread, int32_t joints, int32_t first, const double* sum )
{
    int32_t found = first;
    double best = -1e300;
    for ( int32_t m = first; m < modes->count; ++m )
    {
        double same = sum == NULL ? -modes->omegas[m] : 0.0;
        for ( int32_t j = 0; j < joints && sum != NULL; ++j )
        {
            same += sum[j] * spread[(size_t)m * (size_t)joints + (size_t)j];
        }
        found = same > best ? m : found;
        best = supMax( same, best );
    }
    return found;
}

bool supSortIntoBlocks( supElasticModes* modes, const supElastic* elastic, const supFatNodes* nodes,
    const supFatRegion* region, supFat* fat )
{
    size_t joints = (size_t)region->jointCount, size = sizeof( double ) * joints * ( (size_t)modes->count + 1 );
    double* spread = supAllocZeroed( region->allocator, 1, size, SUP_MAX_ALIGNMENT );
    if ( spread == NULL )
    {
        return false;
    }
    double* sum = spread + (size_t)modes->count * joints;
    supSpreadOverJoints( modes, elastic, nodes, (int32_t)joints, spread );
    fat->blockCount = ( modes->count + supMostOfBlock - 1 ) / supMostOfBlock;
    for ( int32_t b = 0; b < fat->blockCount; ++b )
    {
        int32_t begin = fat->blockStarts[b], end = modes->count * ( b + 1 ) / fat->blockCount;
        memset( sum, 0, sizeof( double ) * joints );
        for ( int32_t m = begin; m < end; ++m )
        {
            int32_t next = supFindNext( modes, spread, (int32_t)joints, m, m == begin ? NULL : sum );
            supSwapModes( modes, spread, (int32_t)joints, m, next );
            for ( size_t j = 0; j < joints; ++j )
            {
                sum[j] += spread[(size_t)m * joints + j];
            }
        }
        fat->blockStarts[b + 1] = end;
    }
    supFree( region->allocator, spread, size );
    return true;
}
