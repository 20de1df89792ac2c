// Supple: the list of layers, in the order in which they run.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

/// A line a layer: its name, that of its supLayer, and those of its pictures.
#define SUP_LAYER_LIST( LAYER )                                                                                        \
    LAYER( Flesh, sup_fleshLayer, "weights", "displacement", "springs", "elements" )                                   \
    LAYER( Modes, sup_modesLayer, "modes" )                                                                            \
    LAYER( Correctives, sup_correctivesLayer, "correctives" )                                                          \
    LAYER( Beams, sup_beamsLayer, "beams" )                                                                            \
    LAYER( Curves, sup_curvesLayer, "curves" )                                                                         \
    LAYER( Muscles, sup_musclesLayer, "muscles", "lines", "fields" ) /* move no skin: others read where they are */    \
    LAYER( Ecorche, sup_ecorcheLayer, "ecorche" )                    /* the skin over muscles */                       \
    LAYER( Fat, sup_fatLayer, "fat" )                                                                                  \
    LAYER( Volume, sup_volumeLayer, "volume" )                                                                         \
    LAYER( Contact, sup_contactLayer, "contact" )                                                                      \
    LAYER( Clothes, sup_clothesLayer, "clothes" ) /* follow the skin as those before have left it */                   \
    LAYER( Wrinkles, sup_wrinklesLayer, "wrinkles" )

#define SUP_LAYER_INDEX( name, layer, ... ) sup_layer##name,
enum
{
    SUP_LAYER_LIST( SUP_LAYER_INDEX ) sup_layerCount
};
#undef SUP_LAYER_INDEX

const supLayer* supGetLayer( int32_t layer );
/// The layer whose items are elements: the one with offsets.
int32_t supElementLayer( void );
