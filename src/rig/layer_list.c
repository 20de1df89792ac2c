// Supple: the list of layers, in the order in which they run. A new one gets a line here, its pictures' names below,
// and a line in layer_list.h.
// SPDX-License-Identifier: MIT
#include "rig/layer_list.h"

#include "layers/clothes/clothes.h"
#include "layers/contact/contact.h"
#include "layers/correctives/example_fields.h"
#include "layers/curves/vibration.h"
#include "layers/fat/fat.h"
#include "layers/flesh/flesh_fields.h"
#include "layers/modes/modes.h"
#include "layers/muscles/ecorche.h"
#include "layers/muscles/muscles.h"
#include "layers/volume/volume.h"
#include "layers/wrinkles/wrinkles.h"
#include "supple/body.h"

#include <assert.h>
#include <string.h>

const supLayer* supGetLayer( int32_t layer )
{
    static const supLayer* const layers[sup_layerCount] = {
        [sup_layerFlesh] = &sup_fleshLayer,
        [sup_layerModes] = &sup_modesLayer,
        [sup_layerCorrectives] = &sup_correctivesLayer,
        [sup_layerCurves] = &sup_curvesLayer,
        [sup_layerMuscles] = &sup_musclesLayer,
        [sup_layerEcorche] = &sup_ecorcheLayer,
        [sup_layerFat] = &sup_fatLayer,
        [sup_layerVolume] = &sup_volumeLayer,
        [sup_layerContact] = &sup_contactLayer,
        [sup_layerClothes] = &sup_clothesLayer,
        [sup_layerWrinkles] = &sup_wrinklesLayer,
    };
    assert( layer >= 0 && layer < sup_layerCount );
    return layers[layer];
}

int32_t supLayerCount( void )
{
    return sup_layerCount;
}

const supLayerInfo* supGetLayerInfo( int32_t layer )
{
    return &supGetLayer( layer )->info;
}

int32_t supFindLayer( const char* key )
{
    int32_t layer = 0;
    while ( layer < sup_layerCount && strcmp( supGetLayerInfo( layer )->key, key ) != 0 )
    {
        ++layer;
    }
    return layer < sup_layerCount ? layer : -1;
}

const char* const* supBody_DrawNames( void )
{
    static const char* const names[] = { "weights", "displacement", "springs", "elements",                     // flesh
        "modes", "correctives", "curves", "muscles", "lines", "fields", "ecorche", "fat", "volume", "contact", //
        "clothes", "wrinkles", NULL };
    return names;
}
