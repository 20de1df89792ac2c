// Parts of a rig that answer the same motion on the same skin.
// SPDX-License-Identifier: MIT
#include "supple/lab/overlaps.h"

#include "layers/fat/fat.h"
#include "rig/layer_list.h"
#include "rig/model_data.h"
#include "supple/lab/compiled.h"

/// A vertex that moves by less than this share of what it could does not count.
static const float supLeastShare = 0.25f;

/// Something that answers inertia.
typedef struct supMover
{
    int32_t layer;
    const char* name;
    int32_t count;
    const int32_t* vertices; ///< rising
    const float* weights;    ///< of an element; else NULL
    const supFat* fat;       ///< or NULL
} supMover;

/// Elements first, then fat, then the curves, whose items share one skin.
static bool supMoverAt( const supModel* model, int32_t index, supMover* out )
{
    const supStack* stack = &model->stack;
    int32_t elements = supModel_Info( model )->elementCount, fatAt = supStack_Find( stack, sup_layerFat ),
            curvesAt = supStack_Find( stack, sup_layerCurves );
    int32_t fats = fatAt >= 0 ? stack->layers[fatAt].itemCount : 0;
    *out = ( supMover ){ 0 };
    if ( index < elements )
    {
        supElementView view = supModel_Info( model )->elements[index];
        *out = ( supMover ){ supElementLayer(), view.name, view.amount > 0.0f ? view.vertexCount : 0, view.vertices,
            view.weights, NULL };
    }
    else if ( index < elements + fats )
    {
        const supStackLayer* entry = stack->layers + fatAt;
        int32_t item = index - elements;
        const supFat* fat = ( (const supFats*)entry->compiled )->fats + item;
        bool moves = entry->live[item * entry->liveCount + sup_fatAmount] > 0.0f;
        *out = ( supMover ){ sup_layerFat, fat->name, moves ? fat->skinCount : 0, fat->skin, NULL, fat };
    }
    else if ( index == elements + fats && curvesAt >= 0 )
    {
        const supStackLayer* entry = stack->layers + curvesAt;
        *out = ( supMover ){ sup_layerCurves, supStackLayer_Name( entry, 0 ), entry->touchedCount, entry->touched, NULL,
            NULL };
    }
    return out->name != NULL;
}

/// How much of its full measure the i-th vertex moves by.
static float supShareOf( const supMover* mover, int32_t i )
{
    float share = mover->weights != NULL ? mover->weights[i] : mover->fat != NULL ? 0.0f : 1.0f;
    for ( int32_t k = mover->fat != NULL ? mover->fat->starts[i] : 0;
          mover->fat != NULL && k < mover->fat->starts[i + 1]; ++k )
    {
        share += mover->fat->shares[k];
    }
    return share;
}

static int32_t supCountShared( const supMover* a, const supMover* b )
{
    int32_t count = 0;
    for ( int32_t i = 0, k = 0; i < a->count && k < b->count; )
    {
        int32_t first = a->vertices[i], second = b->vertices[k];
        count += first == second && supShareOf( a, i ) >= supLeastShare && supShareOf( b, k ) >= supLeastShare;
        i += first <= second;
        k += second <= first;
    }
    return count;
}

int32_t supModel_Overlaps( const supModel* model, supOverlap* out, int32_t room )
{
    int32_t count = 0;
    supMover a, b;
    for ( int32_t i = 0; supMoverAt( model, i, &a ); ++i )
    {
        // elements share by weights among themselves: only other layers come in question
        int32_t first = i < supModel_Info( model )->elementCount ? supModel_Info( model )->elementCount : i + 1;
        for ( int32_t k = first; supMoverAt( model, k, &b ); ++k )
        {
            int32_t shared = supCountShared( &a, &b );
            if ( shared > 0 && count < room )
            {
                out[count] = ( supOverlap ){ { supGetLayerInfo( a.layer )->key, supGetLayerInfo( b.layer )->key },
                    { a.name, b.name }, shared };
            }
            count += shared > 0;
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------------------------
// What a model's fat was cut into, for reports.

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
