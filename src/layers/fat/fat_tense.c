// Fat above muscles that tense, in a frame.
// SPDX-License-Identifier: MIT
//
// See fat_tension.c for what A, v and tau are. Where tension changes the solid stays where it is, u and u' go on, and
// so v = tau u does not: tau is A Omega^-2 among the shapes, so v becomes A A_old^-1 v. It is on its way back to where
// it rests from there, as fat that a muscle stiffens under itself is.

#include "layers/fat/fat_modes.h"
#include "layers/fat/fat_tension.h"

#include "base/math.h"
#include "solve/dense.h"
#include "solve/lanes.h"

#include <string.h>

/// Tensions that changed by less are the same.
static const float supTensionStep = 1.0f / 128.0f;
/// In this time tension follows its muscle, to a third. Seconds
static const float supTensionLag = 0.04f;

static supTurn supTurnOf( const supFat* fat, double* turns, float* omegas, int32_t block )
{
    return ( supTurn ){ (size_t)supBlockSize( fat, block ), turns + supSquareStart( fat, block ),
        omegas + fat->blockStarts[block] };
}

supTurn supTenseTurn( const supFat* fat, const supFatPlaces* at, int32_t block )
{
    return supTurnOf( fat, at->turn, at->tenseOmegas, block );
}

supTurn supOldTurn( const supFat* fat, const supFatPlaces* at, int32_t block )
{
    return supTurnOf( fat, at->oldTurn, at->oldOmegas, block );
}

/// Of the loose solid.
static void supFillLooseTurn( const supFat* fat, supTurn turn, int32_t block )
{
    memset( turn.rows, 0, sizeof( double ) * turn.size * turn.size );
    memcpy( turn.omegas, fat->omegas + fat->blockStarts[block], sizeof( float ) * turn.size );
    for ( size_t k = 0; k < turn.size; ++k )
    {
        turn.rows[k * ( turn.size + 1 )] = 1.0;
    }
}

/// The vibrations of a block of the solid as tense as its tensions say.
static void supFillTenseTurn( const supFat* fat, supTurn turn, int32_t block, const float* tensions, double* work )
{
    size_t square = turn.size * turn.size, all = supSquareStart( fat, fat->blockCount );
    const float *omegas = fat->omegas + fat->blockStarts[block], *tense = fat->tense + supSquareStart( fat, block );
    double *matrix = work, *values = matrix + square, *scratch = values + turn.size;
    memset( matrix, 0, sizeof( double ) * square );
    for ( size_t k = 0; k < turn.size; ++k )
    {
        matrix[k * ( turn.size + 1 )] = (double)omegas[k] * omegas[k];
    }
    for ( int32_t t = 0; t < fat->tenseCount; ++t )
    {
        double share = (double)tensions[t];
        const float* own = tense + (size_t)t * all;
        for ( size_t i = 0; i < square && share > 0.0; ++i )
        {
            matrix[i] += share * own[i];
        }
    }
    supSymmetricQl( (int32_t)turn.size, matrix, values, turn.rows, scratch );
    for ( size_t k = 0; k < turn.size; ++k )
    {
        turn.omegas[k] = (float)supSqrt( supMax( values[k], 1e-12 ) );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Turns

static void supTurnBlock( supTurn turn, float* row )
{
    double turned[supMostOfBlock];
    for ( size_t k = 0; k < turn.size; ++k )
    {
        turned[k] = supDotRows( turn.rows + k * turn.size, row, turn.size );
    }
    for ( size_t k = 0; k < turn.size; ++k )
    {
        row[k] = (float)turned[k];
    }
}

static void supTurnBlockBack( supTurn turn, float* row )
{
    double turned[supMostOfBlock] = { 0 };
    for ( size_t k = 0; k < turn.size; ++k )
    {
        const double* own = turn.rows + k * turn.size;
        for ( size_t i = 0; i < turn.size; ++i )
        {
            turned[i] += own[i] * row[k];
        }
    }
    for ( size_t k = 0; k < turn.size; ++k )
    {
        row[k] = (float)turned[k];
    }
}

void supTurnToTense( const supFat* fat, const supFatPlaces* at, float* row )
{
    for ( int32_t b = 0; b < fat->blockCount; ++b )
    {
        supTurnBlock( supTenseTurn( fat, at, b ), row + fat->blockStarts[b] );
    }
}

void supTurnFromTense( const supFat* fat, const supFatPlaces* at, float* row )
{
    for ( int32_t b = 0; b < fat->blockCount; ++b )
    {
        supTurnBlockBack( supTenseTurn( fat, at, b ), row + fat->blockStarts[b] );
    }
}

void supTurnForce( const supFat* fat, const supFatPlaces* at, float* row )
{
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        row[k] /= fat->omegas[k] * fat->omegas[k];
    }
    supTurnToTense( fat, at, row );
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        row[k] *= at->tenseOmegas[k] * at->tenseOmegas[k];
    }
}

/// A A_old^-1, of one block.
static void supCarryRow( supTurn old, supTurn now, float* row )
{
    supTurnBlock( old, row );
    for ( size_t k = 0; k < old.size; ++k )
    {
        row[k] /= old.omegas[k] * old.omegas[k];
    }
    supTurnBlockBack( old, row );
    supTurnBlock( now, row );
    for ( size_t k = 0; k < now.size; ++k )
    {
        row[k] *= now.omegas[k] * now.omegas[k];
    }
    supTurnBlockBack( now, row );
}

/// From the shape without gravity on, of which the model holds `sag`.
static void supCarryBlock( const supFat* fat, const supFatPlaces* at, int32_t block, float sag )
{
    supTurn old = supOldTurn( fat, at, block ), now = supTenseTurn( fat, at, block );
    size_t first = (size_t)fat->blockStarts[block];
    for ( size_t k = first; k < first + now.size; ++k )
    {
        at->q[k] += sag * fat->modelledModes[k];
    }
    supCarryRow( old, now, at->q + first );
    supCarryRow( old, now, at->speeds + first );
    for ( size_t k = first; k < first + now.size; ++k )
    {
        at->q[k] -= sag * fat->modelledModes[k];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// A frame

/// Whether a block has to be worked out again.
static bool supIsBlockStale( const supFat* fat, const supFatPlaces* at, int32_t block, const float* shown )
{
    const float *shares = fat->tenseShares + (size_t)block * (size_t)fat->tenseCount,
                *tensions = at->tensions + (size_t)block * (size_t)fat->tenseCount;
    bool stale = false;
    for ( int32_t t = 0; t < fat->tenseCount && !stale; ++t )
    {
        float change = supAbsF( shown[t] - tensions[t] );
        bool arrived = change > 0.0f && shown[t] == at->wanted[t];
        stale = shares[t] * change >= ( arrived ? 0.01f : 1.0f ) * supTensionStep;
    }
    return stale;
}

/// The vibrations of one block, anew.
static void supTenseBlock( const supFat* fat, const supFatPlaces* at, int32_t block, bool tense, const float* shown )
{
    float sag = shown[fat->tenseCount];
    supTurn old = supOldTurn( fat, at, block ), now = supTenseTurn( fat, at, block );
    if ( at->own->tense )
    {
        memcpy( old.rows, now.rows, sizeof( double ) * now.size * now.size );
        memcpy( old.omegas, now.omegas, sizeof( float ) * now.size );
    }
    else
    {
        supFillLooseTurn( fat, old, block );
    }
    memcpy( at->tensions + (size_t)block * (size_t)fat->tenseCount, shown, sizeof( float ) * (size_t)fat->tenseCount );
    if ( tense )
    {
        supFillTenseTurn( fat, now, block, shown, at->tenseWork );
    }
    else
    {
        supFillLooseTurn( fat, now, block );
    }
    at->own->carried[block] = at->own->started && !at->own->fresh;
    if ( at->own->carried[block] )
    {
        supCarryBlock( fat, at, block, sag );
    }
    at->own->stale = true;
}

/// Tensions, a little behind the muscles. Gives whether there is any.
static bool supFollowMuscles(
    const supFat* fat, const supFatPlaces* at, const supLayerFrame* frame, const float* live, float* shown )
{
    bool tense = false, tensing = false;
    float share = !at->own->started ? 1.0f : 1.0f - supExpF( -frame->dt / supTensionLag );
    for ( int32_t t = 0; t < fat->tenseCount; ++t )
    {
        float wanted = SUP_TENSION_STIFFNESS * live[sup_fatMuscleTension] * at->partTensions[fat->tenseParts[t]];
        float off = wanted - shown[t];
        at->wanted[t] = wanted;
        shown[t] = supAbsF( off ) < supTensionStep ? wanted : shown[t] + share * off;
        tensing = tensing || shown[t] != wanted;
        tense = tense || shown[t] > 0.0f;
    }
    at->own->tensing = tensing;
    return tense;
}

void supReadTension( const supFats* fats, const supFat* fat, const supFatPlaces* at, const supLayerFrame* frame,
    const float* live, float* shown )
{
    const supEarlierLayer* muscles =
        fat->tenseCount > 0 ? supFindEarlier( frame->earlier, frame->earlierCount, fats->muscles ) : NULL;
    if ( muscles == NULL )
    {
        return;
    }
    muscles->layer->tension->tensions( muscles, at->partTensions );
    bool tense = supFollowMuscles( fat, at, frame, live, shown );
    for ( int32_t b = 0; b < fat->blockCount; ++b )
    {
        at->own->carried[b] = false;
        if ( tense != at->own->tense || ( tense && supIsBlockStale( fat, at, b, shown ) ) )
        {
            supTenseBlock( fat, at, b, tense, shown );
        }
    }
    at->own->tense = tense;
}

float supModeOmega( const supFat* fat, const supFatPlaces* at, int32_t k )
{
    return at->own->tense ? at->tenseOmegas[k] : fat->omegas[k];
}

void supShowTense( const supFat* fat, const float* tensions, float* moved )
{
    float sag = tensions[fat->tenseCount];
    for ( int32_t i = 0; i < fat->freeCount; ++i )
    {
        float tau = 1.0f;
        for ( int32_t t = 0; t < fat->tenseCount; ++t )
        {
            tau += tensions[t] * fat->tenseNodes[(size_t)t * (size_t)fat->freeCount + (size_t)i];
        }
        for ( size_t d = 3 * (size_t)i; d < 3 * (size_t)i + 3 && tau != 1.0f; ++d )
        {
            // from the shape without gravity on
            float held = sag * fat->modelledSag[d];
            moved[d] = ( moved[d] + held ) / tau - held;
        }
    }
}
