// What a model's fat was cut into, for reports.
// SPDX-License-Identifier: MIT

#include "layers/fat/fat.h"
#include "rig/layer_list.h"
#include "rig/model_data.h"

bool supModel_Fat( const supModel* model, int32_t item, supFatView* out )
{
    int32_t place = supStack_Find( &model->stack, sup_layerFat );
    const supFats* fats = place >= 0 ? model->stack.layers[place].compiled : NULL;
    if ( fats == NULL || item < 0 || item >= fats->count )
    {
        return false;
    }
    const supFat* fat = fats->fats + item;
    *out = ( supFatView ){ fat->name, fat->nodeCount, fat->anchoredCount, fat->elementCount, fat->largeCount,
        fat->modeCount, fat->jointCount, fat->outsideCount, fat->droppedCount, fat->skinCount, fat->edge, fat->thickest,
        fat->volume, fat->factorBytes, fat->rayCount > 0 };
    return true;
}
