// The shape that gravity takes into the modelled one.
// SPDX-License-Identifier: MIT
//
// What a modeller has sculpted hangs already. The shape X0 without gravity is looked for with X0 + u( X0 ) = X, X the
// modelled skin and u the sag of the solid inside X0: X0 <- X0 - ( X0 + u( X0 ) - X ), the solid cut anew each time.
// The inner border stays. The first of these steps is what taking u( X ) off the modelled shape would give.

#include "layers/fat/fat_rest.h"

#include "base/math.h"
#include "layers/fat/fat_modes.h"

/// Displacements of the free nodes under gravity, in `force`, three each.
static void supSolveSag( const supElastic* elastic, const supBlockFactor* factor, supVec3 gravity, double* force )
{
    const double pull[3] = { gravity.x, gravity.y, gravity.z };
    size_t size = 3 * (size_t)elastic->freeCount;
    for ( size_t i = 0; i < size; ++i )
    {
        force[i] = pull[i % 3] * elastic->masses[i / 3];
    }
    supBlockFactor_SolveOne( factor, force, force + size );
}

/// The sag of one vertex, by its links.
static supVec3 supSagAt( const supFatSkin* skin, int32_t row, const double* moved )
{
    const int32_t *starts = skin->starts.data, *links = skin->links.data;
    const float* shares = skin->shares.data;
    supVec3 sum = supVec3_zero;
    for ( int32_t k = starts[row]; k < starts[row + 1]; ++k )
    {
        const double* u = moved + 3 * (size_t)links[k];
        sum = supMulAdd( sum, shares[k], supMakeVec3( (float)u[0], (float)u[1], (float)u[2] ) );
    }
    return sum;
}

/// What a vertex of the region, sagged by u, has missed the modelled one by.
static supVec3 supMissed( const supFatRegion* region, const supFatSkin* skin, int32_t row, supVec3 u )
{
    int32_t v = ( (const int32_t*)skin->vertices.data )[row];
    const float* p = supCharacter_Info( region->character )->restPositions + 3 * (size_t)v;
    return supSub( supAdd( region->outer.points[v], u ), supMakeVec3( p[0], p[1], p[2] ) );
}

bool supSagRegion( supFatRegion* region, const supFatMesh* mesh, const supElastic* elastic,
    const supBlockFactor* factor, supVec3 gravity, float sag, float tolerance, supFatSag* out )
{
    size_t size = 3 * (size_t)elastic->freeCount;
    size_t room = sizeof( double ) * ( supBlockFactor_ScratchCount( factor ) + ( SUP_FACTOR_COLUMNS + 2 ) * size + 8 );
    double* moved = supAlloc( region->allocator, room, SUP_MAX_ALIGNMENT );
    supFatSkin skin = { 0 };
    bool done = moved != NULL && supHangSkin( region, mesh, elastic, &skin );
    *out = ( supFatSag ){ 0 };
    float unit = 0.0f;
    if ( done )
    {
        unit = supUnitSag( elastic, factor, moved, moved + size );
        supSolveSag( elastic, factor, gravity, moved );
    }
    // as supGravityGain has it
    float gain = sag >= 0.0f && unit > 0.0f ? sag * region->thickest / ( unit * SUP_FAT_GRAVITY ) : 1.0f;
    for ( int32_t row = 0; done && row < (int32_t)skin.vertices.count; ++row )
    {
        supVec3 u = supScale( supSagAt( &skin, row, moved ), gain );
        out->largest = supMaxF( out->largest, supLength( u ) );
        out->off = supMaxF( out->off, supLength( supMissed( region, &skin, row, u ) ) );
    }
    bool corrects = out->off > tolerance * out->largest;
    for ( int32_t row = 0; done && corrects && row < (int32_t)skin.vertices.count; ++row )
    {
        supVec3* p = region->outer.points + ( (const int32_t*)skin.vertices.data )[row];
        supVec3 u = supScale( supSagAt( &skin, row, moved ), gain );
        *p = supSub( *p, supMissed( region, &skin, row, u ) );
        region->low = supMinVec3( region->low, *p );
        region->high = supMaxVec3( region->high, *p );
    }
    supDropFatSkin( &skin );
    supFree( region->allocator, moved, room );
    return done;
}
