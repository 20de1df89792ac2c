// Fat by the reference.
// SPDX-License-Identifier: MIT
//
// The solid was put together at one stiffness. One that swings c times as fast has c^2 times the stiffness: the same
// solid in a time that runs c times as fast, under forces over c^2.

#include "layers/fat/fat_reference.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/fat/fat_step.h"
#include "solve/elastic.h"

#include <string.h>

/// Explicit steps in a frame; a longer frame is cut short.
static const double supMostSteps = 50000.0;

typedef struct supReferencePlaces
{
    double *moved, *speeds, *forces, *scratch;
} supReferencePlaces;

static supReferencePlaces supReferenceIn( const supFat* fat, void* block )
{
    size_t count = 3 * (size_t)fat->freeCount;
    double* numbers = block;
    return ( supReferencePlaces ){ numbers, numbers + count, numbers + 2 * count, numbers + 3 * count };
}

size_t supFatReferenceSize( const supFat* fat )
{
    size_t numbers = fat->elastic != NULL ? 9 * (size_t)fat->freeCount + supElastic_ScratchCount( fat->elastic ) : 0;
    return ( sizeof( double ) * numbers + SUP_MAX_ALIGNMENT - 1 ) / SUP_MAX_ALIGNMENT * SUP_MAX_ALIGNMENT;
}

void supFatReference_Start( const supFat* fat, void* block, const float* shown )
{
    supReferencePlaces at = supReferenceIn( fat, block );
    for ( size_t i = 0; i < 3 * (size_t)fat->freeCount; ++i )
    {
        double sum = 0.0;
        for ( int32_t r = 0; r < fat->modeCount + 3 * fat->jointCount; ++r )
        {
            sum += (double)shown[r] * fat->rows[(size_t)r * fat->rowSize + i];
        }
        at.moved[i] = sum;
        at.speeds[i] = 0.0;
    }
}

/// Mass times what is left of gravity when the body's own acceleration is taken off, in rest space.
static void supFillForces( const supFat* fat, const supFatLoad* load, double* forces )
{
    for ( int32_t i = 0; i < fat->freeCount; ++i )
    {
        const supFatHold* hold = fat->holds + i;
        supVec3 place = supToFloat( fat->elastic->places[i] ), sum = supVec3_zero;
        for ( int k = 0; k < supFatHolds && hold->weights[k] > 0.0f; ++k )
        {
            int32_t j = hold->joints[k];
            supVec3 pull = supMakeVec3( load->pulls[3 * j], load->pulls[3 * j + 1], load->pulls[3 * j + 2] );
            supVec3 felt = supTransposeVector( load->turns[j], supTransformPoint( load->accelerations[j], place ) );
            felt = supMulAdd( pull, -load->live[sup_fatAmount] / load->worldScale, felt );
            sum = supMulAdd( sum, hold->weights[k], felt );
        }
        double mass = fat->elastic->masses[i], square = (double)load->speed * load->speed;
        const double pulls[3] = { mass * sum.x, mass * sum.y, mass * sum.z };
        for ( int d = 0; d < 3; ++d )
        {
            forces[3 * i + d] = ( pulls[d] + ( load->forces != NULL ? load->forces[3 * i + d] : 0.0 ) ) / square;
        }
    }
}

void supFatReference_Step( const supFat* fat, void* block, const supFatLoad* load )
{
    supReferencePlaces at = supReferenceIn( fat, block );
    size_t count = 3 * (size_t)fat->freeCount;
    double first = fat->omegas[0], zeta = load->live[sup_fatDampingRatio], viscous = load->live[sup_fatViscosity];
    supElasticDamping damping = { 2.0 * zeta * first * ( 1.0 - viscous ), 2.0 * zeta * viscous / first };
    double span = (double)load->dt * load->speed, step = supElastic_StableStep( fat->elastic, damping );
    double steps = supMin( supFloor( span / step ) + 1.0, supMostSteps );
    supFillForces( fat, load, at.forces );
    for ( size_t i = 0; i < count; ++i )
    {
        at.speeds[i] /= load->speed;
    }
    for ( double n = 0.0; n < steps; n += 1.0 )
    {
        supElastic_StepExplicit(
            fat->elastic, damping, at.forces, supMin( span / steps, step ), at.moved, at.speeds, at.scratch );
    }
    for ( size_t i = 0; i < count; ++i )
    {
        at.speeds[i] *= load->speed;
    }
}

void supFatReference_Show( const supFat* fat, const void* block, float* shown )
{
    const double* moved = block;
    for ( size_t i = 0; i < 3 * (size_t)fat->freeCount; ++i )
    {
        shown[i] = (float)moved[i];
    }
}
