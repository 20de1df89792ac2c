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
    supLayout layout = supMakeLayout();
    size_t modes = fat->modeSize, joints = (size_t)fat->jointCount;
    size_t atOwn = supLayoutAdd( &layout, sizeof( supFatState ), SUP_MAX_ALIGNMENT );
    size_t atRows = SUP_LAYOUT_WIDE( &layout, float, supModeRows* modes );
    size_t atLast = SUP_LAYOUT_WIDE( &layout, supMat34, joints );
    size_t atMotions = SUP_LAYOUT_WIDE( &layout, supMat34, ( SUP_PATH_SPANS + 1 ) * joints );
    size_t atTurns = SUP_LAYOUT_WIDE( &layout, supMat34, joints );
    size_t atForces = SUP_LAYOUT_WIDE( &layout, double, fat->rowSize );
    size_t atSolved = SUP_LAYOUT_WIDE( &layout, double, supFatSolveCount( fat ) );
    size_t tenseModes = fat->tenseCount > 0 ? (size_t)fat->modeCount : 0, ofBlock = supMostOfBlock;
    size_t squares = fat->tenseCount > 0 ? supSquareStart( fat, fat->blockCount ) : 0;
    size_t atParts = SUP_LAYOUT_WIDE( &layout, float, fat->tenseCount > 0 ? fat->partCount : 0 );
    size_t atWanted = SUP_LAYOUT_WIDE( &layout, float, fat->tenseCount );
    size_t atTensions = SUP_LAYOUT_WIDE( &layout, float, fat->blockCount * fat->tenseCount );
    size_t atTenseOmegas = SUP_LAYOUT_WIDE( &layout, float, tenseModes );
    size_t atTurn = SUP_LAYOUT_WIDE( &layout, double, squares );
    size_t atOldOmegas = SUP_LAYOUT_WIDE( &layout, float, tenseModes );
    size_t atOldTurn = SUP_LAYOUT_WIDE( &layout, double, squares );
    size_t atTenseWork = SUP_LAYOUT_WIDE( &layout, double, fat->tenseCount > 0 ? ofBlock * ( ofBlock + 4 ) : 0 );
    size_t atShares = SUP_LAYOUT_WIDE( &layout, float, fat->rayCount );
    bool reference = fat->elastic != NULL;
    size_t atStarts = SUP_LAYOUT_WIDE( &layout, supMat34, reference ? joints : 0 );
    size_t atLive = SUP_LAYOUT_WIDE( &layout, float, reference ? fat->rowCount : 0 );
    size_t atReference = supLayoutAdd( &layout, supFatReferenceSize( fat ), SUP_MAX_ALIGNMENT );
    if ( size != NULL )
    {
        *size = ( layout.size + SUP_MAX_ALIGNMENT - 1 ) / SUP_MAX_ALIGNMENT * SUP_MAX_ALIGNMENT;
    }
    if ( state == NULL )
    {
        return ( supFatPlaces ){ 0 };
    }
    char* block = (char*)state + fat->stateAt;
    float* rows = (float*)( block + atRows );
    supFatPlaces places = { .own = (supFatState*)( block + atOwn ),
        .last = (supMat34*)( block + atLast ),
        .motions = (supMat34*)( block + atMotions ),
        .turns = (supMat34*)( block + atTurns ),
        .forces = (double*)( block + atForces ),
        .partTensions = (float*)( block + atParts ),
        .wanted = (float*)( block + atWanted ),
        .tensions = (float*)( block + atTensions ),
        .tenseOmegas = (float*)( block + atTenseOmegas ),
        .turn = (double*)( block + atTurn ),
        .oldOmegas = (float*)( block + atOldOmegas ),
        .oldTurn = (double*)( block + atOldTurn ),
        .tenseWork = (double*)( block + atTenseWork ),
        .solved = (double*)( block + atSolved ),
        .shares = (float*)( block + atShares ),
        .starts = (supMat34*)( block + atStarts ),
        .live = (float*)( block + atLive ),
        .reference = block + atReference };
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
