// Supple: what neighbouring curves hold in a motion between shapes.
// SPDX-License-Identifier: MIT

#include "motion_data.h"

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
