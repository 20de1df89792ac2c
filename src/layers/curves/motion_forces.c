// Supple: the forces of a motion of curves, read and put back.
// SPDX-License-Identifier: MIT

#include "motion_data.h"

#include <assert.h>
#include <string.h>

static supWireDef supWireOf( const supCurveMotion* motion, int32_t curve )
{
    supWireDef wire = motion->wire;
    wire.open = motion->network->curves[curve].open;
    wire.name = motion->network->partNames[motion->network->curves[curve].part];
    return wire;
}

// The mean has been taken out with the rigid motion: no force is left on it. F = A q + eta q' + rho q'' for q = a + b t
// is (A a + eta b) + A b t.
void supCurveMotion_Forces( const supCurveMotion* motion, int32_t curve, int32_t span, double* constant, double* rate )
{
    assert( curve >= 0 && curve < motion->network->curveCount && span >= 0 );
    assert( span < motion->keyCount - 1 || ( span == 0 && motion->keyCount == 1 ) );
    const supKeptCurve* kept = &motion->network->curves[curve];
    supWireDef wire = supWireOf( motion, curve );
    if ( motion->keyCount == 1 )
    {
        memcpy( constant, &motion->edits[kept->firstCoefficient], sizeof( supVec3d ) * (size_t)kept->coefficientCount );
        memcpy( rate, &motion->editRates[kept->firstCoefficient], sizeof( supVec3d ) * (size_t)kept->coefficientCount );
        return;
    }
    double t0 = motion->times[span], t1 = motion->times[span + 1];
    supVec3d q0[SUP_MAX_CURVE_COEFFICIENTS + 1], q1[SUP_MAX_CURVE_COEFFICIENTS + 1];
    size_t n = (size_t)motion->network->coefficientCount, at = (size_t)span * n + (size_t)kept->firstCoefficient;
    for ( int32_t k = 0; k < kept->coefficientCount; ++k )
    {
        q0[k] = supMulAddD( supAddD( motion->locals[at + (size_t)k], motion->edits[at + (size_t)k] ), t0,
            motion->editRates[at + (size_t)k] );
        q1[k] = supMulAddD( supAddD( motion->locals[at + n + (size_t)k], motion->edits[at + (size_t)k] ), t1,
            motion->editRates[at + (size_t)k] );
    }
    for ( int32_t i = 0; i < 3 * kept->coefficientCount; ++i )
    {
        double a = ( &q0[0].x )[i], slope = ( ( &q1[0].x )[i] - a ) / ( t1 - t0 );
        double stiffness = supWire_Stiffness( &wire, i % 3, i / 3 );
        constant[i] = stiffness * ( a - slope * t0 ) + wire.damping * slope;
        rate[i] = stiffness * slope;
    }
}

// Between shapes: what has no stiffness must stay as it was read, but for rounding.
supResult supCurveMotion_CheckForces( const supCurveMotion* motion, int32_t curve, int32_t span, const double* constant,
    const double* rate, supError* error )
{
    const supKeptCurve* kept = &motion->network->curves[curve];
    supWireDef wire = supWireOf( motion, curve );
    double before[3 * SUP_MAX_CURVE_COEFFICIENTS + 3], beforeRate[3 * SUP_MAX_CURVE_COEFFICIENTS + 3];
    supCurveMotion_Forces( motion, curve, span, before, beforeRate );
    for ( int32_t i = 0; i < 3 * kept->coefficientCount; ++i )
    {
        if ( !supIsFinite( constant[i] ) || !supIsFinite( rate[i] ) )
        {
            return supFail( error, sup_errorData, "part '%.80s', curve %d: a force that is not a number", wire.name,
                (int)kept->number );
        }
        double off = supMax( supAbs( constant[i] - before[i] ), supAbs( rate[i] - beforeRate[i] ) );
        bool free = !( supWire_Stiffness( &wire, i % 3, i / 3 ) > 0.0 );
        if ( motion->keyCount > 1 && free && off > 1e-6 * ( supAbs( before[i] ) + motion->network->report.size ) )
        {
            return supFail( error, sup_errorData,
                "part '%.60s', curve %d: a force on %s, which goes with the rigid motion: a further shape moves it",
                wire.name, (int)kept->number, kept->open ? "an end" : "the mean" );
        }
    }
    return sup_success;
}

supResult supCurveMotion_SetForces(
    supCurveMotion* motion, int32_t curve, int32_t span, const double* constant, const double* rate, supError* error )
{
    supResult result = supCurveMotion_CheckForces( motion, curve, span, constant, rate, error );
    if ( result != sup_success )
    {
        return result;
    }
    double before[3 * SUP_MAX_CURVE_COEFFICIENTS + 3], beforeRate[3 * SUP_MAX_CURVE_COEFFICIENTS + 3];
    supCurveMotion_Forces( motion, curve, span, before, beforeRate );
    const supKeptCurve* kept = &motion->network->curves[curve];
    supWireDef wire = supWireOf( motion, curve );
    size_t at = (size_t)span * (size_t)motion->network->coefficientCount + (size_t)kept->firstCoefficient;
    for ( int32_t i = 0; i < 3 * kept->coefficientCount; ++i )
    {
        double stiffness = supWire_Stiffness( &wire, i % 3, i / 3 );
        double *edit = &motion->edits[at].x + i, *editRate = &motion->editRates[at].x + i;
        if ( motion->keyCount == 1 )
        {
            *edit = constant[i];
            *editRate = rate[i];
        }
        else if ( stiffness > 0.0 )
        {
            // what the difference of the forces holds, by itself: (c - eta r / A) / A + (r / A) t
            double c = constant[i] - before[i], r = rate[i] - beforeRate[i];
            *edit += ( c - wire.damping * r / stiffness ) / stiffness;
            *editRate += r / stiffness;
        }
    }
    return sup_success;
}

int32_t supCurveMotion_ShapeCount( const supCurveMotion* motion )
{
    return motion->keyCount;
}

// ---------------------------------------------------------------------------------------------------------------
// What neighbouring curves hold in a motion between shapes.

// All curves are rings of one item.
supResult supHoldMotion( supCurveMotion* motion, const supCurveMotionDef* def, supError* error )
{
    const supCurveNetwork* network = motion->network;
    const supAllocator* allocator = &motion->allocator;
    motion->amounts = ( supHoldAmounts ){ (float)def->apart, (float)def->volume, (float)def->folds };
    motion->holds = def->apart > 0.0 || def->volume > 0.0 || def->folds > 0.0;
    if ( !motion->holds )
    {
        return sup_success;
    }
    size_t curves = (size_t)network->curveCount, size = 3 * curves * sizeof( int32_t );
    int32_t* ringOf = supAllocZeroed( allocator, 3 * curves, sizeof( int32_t ), _Alignof( int32_t ) );
    if ( ringOf == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a motion of curves" );
    }
    supRingMap map = { 0, ringOf, ringOf + curves, ringOf + 2 * curves };
    for ( int32_t c = 0; c < network->curveCount; ++c )
    {
        ringOf[c] = network->curves[c].tip ? -1 : map.ringCount;
        ringOf[curves + (size_t)map.ringCount] = c;
        map.ringCount += !network->curves[c].tip;
    }
    supResult result = supMakeRingHold( network, &map, allocator, &motion->hold, error );
    if ( result == sup_success )
    {
        result = supMakeRingSkin( network, &map, motion->hold.next, NULL, allocator, &motion->skin, error );
    }
    supFree( allocator, ringOf, size );
    if ( result != sup_success )
    {
        return result;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, motion->stations, 2 * (size_t)map.ringCount * supRingStations );
    SUP_PUT_BYTES( &layout, motion->holdScratch, supRingHold_ScratchSize( &motion->hold ) );
    motion->holdBlock = supAllocLayout( allocator, &layout );
    motion->holdBlockSize = layout.size;
    return motion->holdBlock != NULL ? sup_success
                                     : supFail( error, sup_errorMemory, "no memory for a motion of curves" );
}
