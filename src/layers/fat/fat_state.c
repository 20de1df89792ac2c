// What a moving body keeps of each fat.
// SPDX-License-Identifier: MIT

#include "layers/fat/fat_state.h"

#include "base/memory.h"
#include "layers/fat/fat_blocks.h"
#include "layers/fat/fat_force.h"
#include "layers/fat/fat_reference.h"
#include "layers/fat/fat_step.h"

#include <string.h>

supFatPlaces supFatPlaces_In( const supFat* fat, void* state, size_t* size )
{
    supFatPlaces places = { 0 };
    supLayout layout = supLayoutIn( state != NULL ? (char*)state + fat->stateAt : NULL );
    size_t modes = fat->modeSize, joints = (size_t)fat->jointCount;
    SUP_PUT_WIDE( &layout, places.own, 1 );
    SUP_PUT_NEW_WIDE( &layout, float, rows, supModeRows* modes );
    SUP_PUT_WIDE( &layout, places.last, joints );
    SUP_PUT_WIDE( &layout, places.motions, ( SUP_PATH_SPANS + 1 ) * joints );
    SUP_PUT_WIDE( &layout, places.turns, joints );
    SUP_PUT_WIDE( &layout, places.forces, fat->rowSize );
    SUP_PUT_WIDE( &layout, places.solved, supFatSolveCount( fat ) );
    size_t tenseModes = fat->tenseCount > 0 ? (size_t)fat->modeCount : 0, ofBlock = supMostOfBlock;
    size_t squares = fat->tenseCount > 0 ? supSquareStart( fat, fat->blockCount ) : 0;
    SUP_PUT_WIDE( &layout, places.partTensions, fat->tenseCount > 0 ? fat->partCount : 0 );
    SUP_PUT_WIDE( &layout, places.wanted, fat->tenseCount );
    SUP_PUT_WIDE( &layout, places.tensions, fat->blockCount * fat->tenseCount );
    SUP_PUT_WIDE( &layout, places.tenseOmegas, tenseModes );
    SUP_PUT_WIDE( &layout, places.turn, squares );
    SUP_PUT_WIDE( &layout, places.oldOmegas, tenseModes );
    SUP_PUT_WIDE( &layout, places.oldTurn, squares );
    SUP_PUT_WIDE( &layout, places.tenseWork, fat->tenseCount > 0 ? ofBlock * ( ofBlock + 4 ) : 0 );
    SUP_PUT_WIDE( &layout, places.shares, fat->rayCount );
    bool reference = fat->elastic != NULL;
    SUP_PUT_WIDE( &layout, places.starts, reference ? joints : 0 );
    SUP_PUT_WIDE( &layout, places.live, reference ? fat->rowCount : 0 );
    SUP_PUT_BYTES( &layout, places.reference, supFatReferenceSize( fat ) );
    if ( size != NULL )
    {
        *size = ( layout.size + SUP_MAX_ALIGNMENT - 1 ) / SUP_MAX_ALIGNMENT * SUP_MAX_ALIGNMENT;
    }
    if ( state == NULL )
    {
        return places;
    }
    float** each[9] = { &places.q, &places.speeds, &places.pulls, &places.steps, &places.stepSpeeds, &places.anchors,
        &places.pushDeltas, &places.pushSpeed, &places.forced };
    static const int counts[9] = { 1, 1, 1, supStepNumbers, supStepNumbers, SUP_PATH_SPANS + 1, SUP_PATH_SPANS, 1, 1 };
    for ( int i = 0; i < 9; ++i )
    {
        *each[i] = rows;
        rows += (size_t)counts[i] * modes;
    }
    return places;
}

void supPlaceFatStates( supFats* fats )
{
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        supFat* fat = fats->fats + i;
        size_t size;
        supFatPlaces_In( fat, NULL, &size );
        fat->stateAt = fats->stateSize;
        fat->shownAt = fats->shownCount;
        fats->stateSize += size;
        fats->shownCount += fat->shownCount;
        // displacements before and after they are carried; for pictures places of all nodes, and how far they moved
        size_t scratch = sizeof( float ) * ( fat->rowSize + (size_t)fat->nodeCount ) +
                         sizeof( supVec3 ) * (size_t)( fat->freeCount + fat->nodeCount ) + SUP_MAX_ALIGNMENT;
        fats->scratchSize = scratch > fats->scratchSize ? scratch : fats->scratchSize;
    }
}

int32_t supFatsShownCount( const void* compiled )
{
    return ( (const supFats*)compiled )->shownCount;
}

size_t supFatsStateSize( const void* compiled )
{
    return ( (const supFats*)compiled )->stateSize;
}

size_t supFatsScratchSize( const void* compiled )
{
    return ( (const supFats*)compiled )->scratchSize;
}

int64_t supFatsCutCount( const void* compiled, const void* state )
{
    const supFats* fats = compiled;
    int64_t count = 0;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        count += supFatPlaces_In( fats->fats + i, (void*)state, NULL ).own->cutCount;
    }
    return count;
}

void supResetFats( const void* compiled, void* state, float* shown )
{
    memset( state, 0, supFatsStateSize( compiled ) );
    memset( shown, 0, sizeof( float ) * (size_t)supFatsShownCount( compiled ) );
}
