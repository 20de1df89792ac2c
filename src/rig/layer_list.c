// Supple: the list of layers.
// SPDX-License-Identifier: MIT
#include "rig/layer_list.h"

#include "supple/body.h"
#include "supple/lab/drawing.h"
#include "supple/lab/items.h"

#include <assert.h>
#include <string.h>

#define SUP_DECLARE_LAYER( name, layer, ... ) extern const supLayer layer;
#define SUP_LAYER_ADDRESS( name, layer, ... ) &layer,
#define SUP_PICTURE_NAMES( name, layer, ... ) __VA_ARGS__,

SUP_LAYER_LIST( SUP_DECLARE_LAYER )

const supLayer* supGetLayer( int32_t layer )
{
    static const supLayer* const layers[sup_layerCount] = { SUP_LAYER_LIST( SUP_LAYER_ADDRESS ) };
    assert( layer >= 0 && layer < sup_layerCount );
    return layers[layer];
}

int32_t supElementLayer( void )
{
    int32_t layer = 0;
    while ( supGetLayer( layer )->offsets == NULL )
    {
        ++layer;
    }
    return layer;
}

int32_t supLayerCount( void )
{
    return sup_layerCount;
}

const supLayerInfo* supGetLayerInfo( int32_t layer )
{
    return layer >= 0 && layer < sup_layerCount ? &supGetLayer( layer )->info : NULL;
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
    static const char* const names[] = { SUP_LAYER_LIST( SUP_PICTURE_NAMES ) NULL };
    return names;
}
