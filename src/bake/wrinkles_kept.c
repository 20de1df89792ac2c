// How well folds keep the length of their lines.
// SPDX-License-Identifier: MIT

#include "bake/layer_skins.h"
#include "base/math.h"
#include "layers/wrinkles/folds.h"
#include "rig/layer_list.h"
#include "rig/model_data.h"
#include "supple/lab/measures.h"

/// A piece of a line that is shorter than this share of its length at rest counts as shortened.
static const float supShortened = 0.999f;

static void supLookAtFolds( const supStackLayer* entry, supSkinsBeside skins, void* user )
{
    supWrinkleReport* reports = user;
    for ( int32_t i = 0; i < entry->itemCount; ++i )
    {
        for ( int32_t f = 0; f < reports[i].folds; ++f )
        {
            float rest, before = supWrinkleLength( entry->compiled, i, f, skins.without, &rest );
            float after = supWrinkleLength( entry->compiled, i, f, skins.with, &rest );
            bool shortened = before < supShortened * rest;
            float* off = shortened ? &reports[i].with : &reports[i].stretched;
            *off = supMaxF( *off, supAbsF( after - ( shortened ? rest : before ) ) / rest );
            reports[i].without = supMaxF( reports[i].without, 1.0f - before / rest );
        }
    }
}

supResult supMeasureWrinkles(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supWrinkleReport* out, supError* error )
{
    int32_t at = supStack_Find( &model->stack, sup_layerWrinkles );
    if ( at < 0 )
    {
        return sup_success;
    }
    const supStackLayer* entry = model->stack.layers + at;
    for ( int32_t i = 0; i < entry->itemCount; ++i )
    {
        out[i] = ( supWrinkleReport ){ .name = supStackLayer_Name( entry, i ),
            .folds = supWrinkleFolds( entry->compiled, i ) };
        const supVec3* rest = (const supVec3*)supCharacter_Info( model->character )->restPositions;
        for ( int32_t f = 0; f < out[i].folds; ++f )
        {
            float length;
            supWrinkleLength( entry->compiled, i, f, rest, &length );
            out[i].length += length;
        }
    }
    bool fits = supVisitLayerSkins( model, at, takes, takeCount, supLookAtFolds, out );
    return fits ? sup_success : supFail( error, sup_errorMemory, "no memory to measure wrinkles" );
}
