// What the body's motion gives to each vibration of fat, and what the vibrations give to the nodes.
// SPDX-License-Identifier: MIT

#include "layers/fat/fat_modes.h"

#include "base/math.h"
#include "solve/lanes.h"

#include <string.h>

/// Matrices' numbers are taken in this order: for each coordinate d of the displacement, the factors of x, y, z and 1.
static void supAddGather( supFat* fat, const supElastic* elastic, int32_t mode, const double* shape )
{
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        supVec3d p = elastic->places[i];
        const double factors[4] = { p.x, p.y, p.z, 1.0 };
        for ( int k = 0; k < supFatHolds; ++k )
        {
            double share = elastic->masses[i] * fat->holds[i].weights[k];
            for ( int e = 0; e < 12 && share > 0.0; ++e )
            {
                size_t row = 12 * (size_t)fat->holds[i].joints[k] + (size_t)e;
                fat->gather[row * fat->modeSize + (size_t)mode] +=
                    (float)( share * shape[3 * i + e / 4] * factors[e % 4] );
            }
        }
    }
}

/// The weight that joint `j` carries, along one axis, under one m/s^2.
static void supJointLoad( const supFat* fat, const supElastic* elastic, int32_t j, int axis, double* force )
{
    memset( force, 0, sizeof( double ) * 3 * (size_t)elastic->freeCount );
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        for ( int k = 0; k < supFatHolds; ++k )
        {
            double share = fat->holds[i].joints[k] == j ? fat->holds[i].weights[k] : 0.0;
            force[3 * i + axis] += share * elastic->masses[i];
        }
    }
}

float supUnitSag( const supElastic* elastic, const supBlockFactor* factor, double* force, double* scratch )
{
    double largest = 0.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        for ( int32_t i = 0; i < 3 * elastic->freeCount; ++i )
        {
            force[i] = i % 3 == axis ? elastic->masses[i / 3] : 0.0;
        }
        supBlockFactor_SolveOne( factor, force, scratch );
        for ( int32_t i = 0; i < elastic->freeCount; ++i )
        {
            const double* u = force + 3 * (size_t)i;
            largest = supMax( largest, u[0] * u[0] + u[1] * u[1] + u[2] * u[2] );
        }
    }
    return (float)supSqrt( largest );
}

/// What a ray's share gives to each vibration: its anchors move by share times way, in the measure in which there is
/// fat (where there is none the border lies on the skin); the solid follows at once by -K^-1 pull e, and the mode's
/// part of that is -(shape . pull e) / omega^2.
static void supFillPushes( supFat* fat, const supFatMesh* mesh, const supElastic* elastic, const supElasticModes* modes,
    const supFatRegion* region )
{
    const supInnerBorder* border = region->border;
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        for ( int64_t k = elastic->pull.starts[i]; k < elastic->pull.starts[i + 1]; ++k )
        {
            const supFootPoint* foot = &mesh->nodes[elastic->anchors[elastic->pull.columns[k]]].anchor;
            const double* block = elastic->pull.blocks + 9 * k;
            for ( int c = 0; c < 3 && foot->triangle >= 0; ++c )
            {
                int32_t ray = region->inner.corners[3 * (size_t)foot->triangle + (size_t)c];
                if ( ray >= border->rayCount )
                {
                    break; // of the bones' shape, or of a mesh
                }
                double moves = (double)foot->shares[c] * region->members[border->vertices[ray]];
                supVec3d e = supScaleD( supToDouble( border->way[ray] ), moves );
                double f[3];
                for ( int r = 0; r < 3; ++r )
                {
                    f[r] = block[3 * r] * e.x + block[3 * r + 1] * e.y + block[3 * r + 2] * e.z;
                }
                for ( int32_t m = 0; m < modes->count; ++m )
                {
                    const double* shape = modes->shapes + (size_t)m * modes->size + 3 * (size_t)i;
                    double share = shape[0] * f[0] + shape[1] * f[1] + shape[2] * f[2];
                    fat->pushes[(size_t)ray * fat->modeSize + (size_t)m] -=
                        (float)( share / ( modes->omegas[m] * modes->omegas[m] ) );
                }
            }
        }
    }
}

/// What the modes leave out of the weight that joints carry: rows `first` and the seven after it. `force`: a vector,
/// then eight interleaved, then the factor's scratch.
static void supFillCorrections( supFat* fat, const supElastic* elastic, const supBlockFactor* factor,
    const supElasticModes* modes, int32_t first, double* force )
{
    double *wide = force + modes->size, *scratch = wide + SUP_FACTOR_COLUMNS * modes->size;
    int32_t left = 3 * fat->jointCount - first, count = left < SUP_FACTOR_COLUMNS ? left : SUP_FACTOR_COLUMNS;
    memset( wide, 0, sizeof( double ) * SUP_FACTOR_COLUMNS * modes->size );
    for ( int32_t c = 0; c < count; ++c )
    {
        supJointLoad( fat, elastic, ( first + c ) / 3, ( first + c ) % 3, force );
        for ( size_t i = 0; i < modes->size; ++i )
        {
            wide[SUP_FACTOR_COLUMNS * i + (size_t)c] = force[i];
        }
    }
    supBlockFactor_Solve( factor, wide, scratch );
    for ( int32_t c = 0; c < count; ++c )
    {
        float* row = fat->rows + (size_t)( fat->modeCount + first + c ) * fat->rowSize;
        supJointLoad( fat, elastic, ( first + c ) / 3, ( first + c ) % 3, force );
        for ( int32_t m = 0; m < modes->count; ++m )
        {
            const double* shape = modes->shapes + (size_t)m * modes->size;
            double share = supDotRowsD( shape, force, modes->size ) / ( modes->omegas[m] * modes->omegas[m] );
            for ( size_t i = 0; i < modes->size; ++i )
            {
                wide[SUP_FACTOR_COLUMNS * i + (size_t)c] -= share * shape[i];
            }
        }
        for ( size_t i = 0; i < modes->size; ++i )
        {
            row[i] = (float)wide[SUP_FACTOR_COLUMNS * i + (size_t)c];
        }
    }
}

bool supFillFatRows( supFat* fat, const supFatMesh* mesh, const supElastic* elastic, const supBlockFactor* factor,
    const supElasticModes* modes, const supFatRegion* region, const supAllocator* allocator )
{
    size_t room =
        sizeof( double ) * ( supBlockFactor_ScratchCount( factor ) + ( SUP_FACTOR_COLUMNS + 2 ) * modes->size + 8 );
    double* force = supAlloc( allocator, room, SUP_MAX_ALIGNMENT );
    if ( force == NULL )
    {
        return false;
    }
    double* scratch = force + modes->size;
    for ( int32_t m = 0; m < fat->modeCount; ++m )
    {
        const double* shape = modes->shapes + (size_t)m * modes->size;
        fat->omegas[m] = (float)modes->omegas[m];
        supAddGather( fat, elastic, m, shape );
        for ( size_t i = 0; i < modes->size; ++i )
        {
            fat->rows[(size_t)m * fat->rowSize + i] = (float)shape[i];
        }
    }
    for ( int32_t r = 0; r < 3 * fat->jointCount; r += SUP_FACTOR_COLUMNS )
    {
        supFillCorrections( fat, elastic, factor, modes, r, force );
    }
    fat->sagUnit = supUnitSag( elastic, factor, force, scratch );
    if ( fat->rayCount > 0 )
    {
        supFillPushes( fat, mesh, elastic, modes, region );
    }
    supFree( allocator, force, room );
    return true;
}
