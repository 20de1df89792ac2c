// Clothes as a table of fields.
// SPDX-License-Identifier: MIT

#include "base/fields.h"
#include "layers/clothes/clothes.h"

#include <stddef.h>

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supClothDef, member, type, unit )

static const supField sup_clothFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ),
        .words = "What you call it; no two garments may have the same. Not given: the mesh's name." },
    { SUP_FIELD( mesh, sup_fieldName, "mesh" ), .required = true,
        .words = "The garment. It goes with the skin beneath it, whatever elements it belongs to itself." },
    { SUP_FIELD( materials, sup_fieldNames, "material" ),
        .words = "Only these of the mesh's materials. Not given: all." },
    { SUP_FIELD( skin, sup_fieldNames, "mesh" ),
        .words = "Meshes that it lies on. Not given: all that are no garments themselves." },
    { SUP_FIELD( reach, sup_fieldLength, "size" ), .minimum = 1e-6f, .maximum = 10.0f, .fallback = 0.05f,
        .words = "Cloth as near to the skin as this follows it in full, fading out to twice as far." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), .maximum = 1.0f, .fallback = 1.0f, .live = true,
        .words = "How much of the skin's motion it takes: 0 leaves it as its own weights have it, 1 all." },
};

supClothDef supDefaultClothDef( void )
{
    supClothDef def = { 0 };
    supFillDefaults( sup_clothFields, SUP_COUNT( sup_clothFields ), &def );
    return def;
}

static void supCompleteCloth( void* item )
{
    supClothDef* def = item;
    def->name = def->name != NULL ? def->name : def->mesh;
}

static const char* const sup_clothesPictures[] = { "clothes", NULL };

static const supLayerPictures sup_clothesDrawing = {
    .names = sup_clothesPictures,
    .draw = supDrawClothes,
};

const supLayer sup_clothesLayer = {
    .info = { .name = "clothes",
        .key = "clothes",
        .words = "Garments that take the displacement of the skin beneath them.",
        .itemSize = sizeof( supClothDef ),
        .fieldCount = SUP_COUNT( sup_clothFields ),
        .fields = sup_clothFields },
    .nameOffset = offsetof( supClothDef, name ),
    .complete = supCompleteCloth,
    .ignores = sup_ignoresElements | sup_ignoresEarlier,
    .compile = supCompileClothes,
    .destroy = supDestroyClothes,
    .touched = supClothesTouched,
    .wantsSmooth = true,
    .scratchSize = supClothesScratch,
    .apply = supApplyClothes,
    .pictures = &sup_clothesDrawing,
};
