// Voxels of fat that are stiffer above a tense muscle.
// SPDX-License-Identifier: MIT
//
// K_t = K + sum over voxels of tau_e K_e, tau_e = sum_i 3 a_i w_ei: added voxel by voxel, nothing is put together
// anew when tension changes. See fat_tension.c for what the live solver makes of it.

#include "layers/fat/fat_reference.h"

#include "base/math.h"
#include "base/memory.h"

#include <string.h>

static bool supIsAbove( const float* weights, int32_t count )
{
    bool any = false;
    for ( int32_t i = 0; i < count; ++i )
    {
        any = any || weights[i] > 0.0f;
    }
    return any;
}

static supTenseVoxels* supAllocTenseVoxels( int32_t count, int32_t muscles, const supAllocator* allocator )
{
    size_t weightCount = 0, numberCount = 0;
    supLayout layout = supMakeLayout();
    layout.tooLarge = !supMulSize( (size_t)count, (size_t)muscles, &weightCount ) ||
                      !supMulSize( (size_t)count, (size_t)supHexSize * supHexSize, &numberCount );
    SUP_PUT_NEW( &layout, supTenseVoxels, voxels, 1 );
    SUP_PUT_NEW( &layout, int32_t, corners, supHexCorners * (size_t)count );
    SUP_PUT_NEW( &layout, float, weights, weightCount );
    SUP_PUT_NEW_WIDE( &layout, double, stiffness, numberCount );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    *voxels = ( supTenseVoxels ){ count, corners, weights, stiffness, layout.size };
    return voxels;
}

bool supKeepTenseVoxels( supFat* fat, const supTenseSource* source, const float* weights )
{
    const supFatMesh* mesh = source->mesh;
    int32_t count = 0;
    for ( int32_t e = 0; e < mesh->elementCount; ++e )
    {
        count += supIsAbove( weights + (size_t)e * (size_t)fat->partCount, fat->partCount );
    }
    supTenseVoxels* voxels = supAllocTenseVoxels( count, fat->tenseCount, source->context->allocator );
    fat->tenseVoxels = voxels;
    if ( voxels == NULL )
    {
        return false;
    }
    int32_t at = 0;
    for ( int32_t e = 0; e < mesh->elementCount; ++e )
    {
        const float* own = weights + (size_t)e * (size_t)fat->partCount;
        if ( !supIsAbove( own, fat->partCount ) )
        {
            continue;
        }
        double* stiffness = voxels->stiffness + (size_t)at * supHexSize * supHexSize;
        supVoxelStiffness( source, e, stiffness );
        memcpy( voxels->corners + supHexCorners * (size_t)at, mesh->corners + supHexCorners * (size_t)e,
            sizeof( int32_t ) * supHexCorners );
        for ( int32_t t = 0; t < fat->tenseCount; ++t )
        {
            voxels->weights[(size_t)at * (size_t)fat->tenseCount + (size_t)t] = own[fat->tenseParts[t]];
        }
        ++at;
    }
    return true;
}

size_t supAddedStiffness_ScratchCount( const supFat* fat )
{
    return fat->tenseVoxels != NULL ? 6 * (size_t)fat->nodeCount + 3 * (size_t)fat->freeCount : 0;
}

/// Of voxel e: by how many times it is stiffer.
static double supAddedShare( const supAddedStiffness* added, int32_t e )
{
    size_t muscles = (size_t)added->fat->tenseCount;
    const float* weights = added->fat->tenseVoxels->weights + (size_t)e * muscles;
    double share = 0.0;
    for ( size_t t = 0; t < muscles; ++t )
    {
        share += (double)weights[t] * added->tensions[t];
    }
    return share;
}

double supAddedStiffness_Most( const supAddedStiffness* added )
{
    double most = 0.0;
    for ( int32_t e = 0; e < added->fat->tenseVoxels->count; ++e )
    {
        most = supMax( most, supAddedShare( added, e ) );
    }
    return 1.0 + most;
}

/// Adds to `out` the forces on the free nodes, of the displacements in `all`.
static void supPullVoxels( const supAddedStiffness* added, double* out )
{
    const supFat* fat = added->fat;
    const supTenseVoxels* voxels = fat->tenseVoxels;
    double* pulled = added->all + 3 * (size_t)fat->nodeCount;
    memset( pulled, 0, sizeof( double ) * 3 * (size_t)fat->nodeCount );
    for ( int32_t e = 0; e < voxels->count; ++e )
    {
        const int32_t* corners = voxels->corners + supHexCorners * (size_t)e;
        const double* stiffness = voxels->stiffness + (size_t)e * supHexSize * supHexSize;
        double share = supAddedShare( added, e ), moved[supHexSize];
        for ( int i = 0; i < supHexSize && share > 0.0; ++i )
        {
            moved[i] = share * added->all[3 * (size_t)corners[i / 3] + (size_t)( i % 3 )];
        }
        for ( int i = 0; i < supHexSize && share > 0.0; ++i )
        {
            double sum = 0.0;
            for ( int k = 0; k < supHexSize; ++k )
            {
                sum += stiffness[i * supHexSize + k] * moved[k];
            }
            pulled[3 * (size_t)corners[i / 3] + (size_t)( i % 3 )] += sum;
        }
    }
    supElastic_Gather( fat->elastic, pulled, out );
}

void supAddedStiffness_Pull( const double* x, double* out, const void* user )
{
    const supAddedStiffness* added = user;
    const supFat* fat = added->fat;
    for ( size_t i = 0; i < 3 * (size_t)fat->freeCount; ++i )
    {
        added->own[i] = x[i] + added->sag * fat->modelledSag[i];
    }
    supElastic_Expand( fat->elastic, added->own, NULL, added->all );
    supPullVoxels( added, out );
}

void supAddedStiffness_PullHeld( const supAddedStiffness* added, const double* held, double* out )
{
    memset( added->own, 0, sizeof( double ) * 3 * (size_t)added->fat->freeCount );
    supElastic_Expand( added->fat->elastic, added->own, held, added->all );
    supPullVoxels( added, out );
}
