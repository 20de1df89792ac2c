// What a model's fat was cut into, for reports.
// SPDX-License-Identifier: MIT

#include "layers/fat/fat.h"
#include "rig/layer_list.h"
#include "rig/model_data.h"
#include "supple/lab/compiled.h"

bool supModel_Fat( const supModel* model, int32_t item, supFatView* out )
{
    int32_t place = supStack_Find( &model->stack, sup_layerFat );
    const supFats* fats = place >= 0 ? model->stack.layers[place].compiled : NULL;
    if ( fats == NULL || item < 0 || item >= fats->count )
    {
        return false;
    }
    const supFat* fat = fats->fats + item;
    *out = ( supFatView ){ .name = fat->name,
        .nodeCount = fat->nodeCount,
        .anchoredCount = fat->anchoredCount,
        .hangingCount = fat->hangingCount,
        .voxelCount = fat->elementCount,
        .largeCount = fat->largeCount,
        .modeCount = fat->modeCount,
        .jointCount = fat->jointCount,
        .outsideCount = fat->outsideCount,
        .outsideAt = fat->outsideAt,
        .outsideBy = fat->outsideBy,
        .droppedCount = fat->droppedCount,
        .restOff = fat->restOff,
        .vertexCount = fat->skinCount,
        .voxel = fat->edge,
        .thickest = fat->thickest,
        .volume = fat->volume,
        .factorBytes = fat->factorBytes,
        .bytes = (double)fat->blockSize + ( fat->factor != NULL ? fat->factorBytes : 0.0 ),
        .onMuscles = fat->rayCount > 0,
        .places = fat->places,
        .corners = fat->corners,
        .freeOf = fat->freeOf };
    return true;
}
