// A limb under every layer that moves by itself, for tests of what a body stands.
#pragma once

#include "supple/body.h"

typedef struct supWholeRig
{
    supCharacter* character;
    supRig* rig;
    supModel* model;
} supWholeRig;

/// Flesh, modes, muscles, an écorché, fat, volume, contact and wrinkles; `withCurves`: vibrating curves too. Fails the
/// test where something cannot be made.
supWholeRig supMakeWholeRig( bool withCurves );
void supDropWholeRig( supWholeRig* whole );
