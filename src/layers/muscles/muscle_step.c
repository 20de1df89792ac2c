// Action lines that move.
// SPDX-License-Identifier: MIT

#include "layers/muscles/muscle_step.h"

#include <string.h>

int32_t supMusclesShownCount( const void* compiled )
{
    const supMuscles* muscles = compiled;
    return 3 * muscles->vertexCount + muscles->count;
}

size_t supMusclesStateSize( const void* compiled )
{
    (void)compiled;
    return 64;
}

void supResetMuscles( const void* compiled, void* state, float* shown )
{
    memset( state, 0, supMusclesStateSize( compiled ) );
    memset( shown, 0, sizeof( float ) * (size_t)supMusclesShownCount( compiled ) );
}

void supStepMuscles( const void* compiled, void* state, const supLayerFrame* frame, float* shown )
{
    (void)compiled;
    (void)state;
    (void)frame;
    (void)shown;
}

void supTeleportMuscles( const void* compiled, void* state, supMat34 motion )
{
    (void)compiled;
    (void)state;
    (void)motion;
}

void supAdoptMuscles( const void* compiled, void* state, float* shown, const void* oldCompiled, const void* oldState,
    const float* oldShown )
{
    (void)compiled;
    (void)state;
    (void)shown;
    (void)oldCompiled;
    (void)oldState;
    (void)oldShown;
}

bool supMusclesAreAtRest( const void* compiled, const void* state )
{
    (void)compiled;
    (void)state;
    return true;
}

void supTunedMuscle( const void* compiled, void* state, const float* live, int32_t item )
{
    (void)compiled;
    (void)state;
    (void)live;
    (void)item;
}
