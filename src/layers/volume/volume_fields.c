// Volume constraints as a table of fields.
// SPDX-License-Identifier: MIT

#include "base/fields.h"
#include "layers/volume/volume.h"

#include <stddef.h>

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supVolumeDef, member, type, unit )

static const supField sup_volumeFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ),
        .words = "What you call it; no two may have the same. Not given: the element's name." },
    { SUP_FIELD( element, sup_fieldName, "element" ), .required = true,
        .words = "The flesh element that keeps its volume." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), .maximum = 1.0f, .fallback = 1.0f, .live = true,
        .words = "How much of what it would gain or lose is made up for: 0 nothing, 1 all of it." },
};

supVolumeDef supDefaultVolumeDef( void )
{
    supVolumeDef def = { 0 };
    supFillDefaults( sup_volumeFields, SUP_COUNT( sup_volumeFields ), &def );
    return def;
}

static void supCompleteVolume( void* item )
{
    supVolumeDef* def = item;
    def->name = def->name != NULL ? def->name : def->element;
}

static const char* const sup_volumePictures[] = { "volume", NULL };

static const supLayerPictures sup_volumeDrawing = {
    .names = sup_volumePictures,
    .draw = supDrawVolumes,
};

const supLayer sup_volumeLayer = {
    .info = { .name = "volume",
        .key = "volumes",
        .words = "Flesh elements that keep their volume: what is squeezed in one place bulges in another.",
        .itemSize = sizeof( supVolumeDef ),
        .fieldCount = SUP_COUNT( sup_volumeFields ),
        .fields = sup_volumeFields },
    .nameOffset = offsetof( supVolumeDef, name ),
    .complete = supCompleteVolume,
    .ignores = sup_ignoresMoved | sup_ignoresEarlier,
    .compile = supCompileVolumes,
    .destroy = supDestroyVolumes,
    .touched = supVolumesTouched,
    .wantsSmooth = true,
    .scratchSize = supVolumesScratch,
    .apply = supApplyVolumes,
    .pictures = &sup_volumeDrawing,
};
