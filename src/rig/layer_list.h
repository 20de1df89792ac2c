// Supple: the list of layers.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

enum
{
    sup_layerFlesh = 0,
    sup_layerModes,
    sup_layerCorrectives,
    sup_layerCurves,
    sup_layerMuscles, // move no skin: layers after them read where they are
    sup_layerEcorche, // the skin over muscles
    sup_layerFat,
    sup_layerVolume,
    sup_layerContact,
    sup_layerClothes, // follow the skin as those before have left it
    sup_layerWrinkles,
    sup_layerCount,
};

const supLayer* supGetLayer( int32_t layer );
