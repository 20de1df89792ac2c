// The écorché as a table of fields, and the layer itself.
// SPDX-License-Identifier: MIT

#include "base/fields.h"
#include "layers/muscles/ecorche_compile.h"
#include "layers/muscles/ecorche_data.h"

#include <stddef.h>

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supEcorcheDef, member, type, unit )

static const supField sup_ecorcheFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ), .words = "What you call it. Not given: \"ecorche\"." },
    { SUP_FIELD( meshes, sup_fieldNames, "mesh" ),
        .words = "The skin that lies over it. Not given: all meshes that have a skin." },
    { SUP_FIELD( rays, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 16.0f, 200000.0f ), .fallback = 4000.0f,
        .words = "About how many rays catch it. All of the skin's vertices, where there are fewer." },
    { SUP_FIELD( filling, sup_fieldFloat, "" ), SUP_RANGE( 0.05f, 1.0f ), .fallback = 0.5f,
        .words = "How far what no muscle stands for reaches, as a share of the way from bone to skin." },
    { SUP_FIELD( falloff, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 10.0f ), .fallback = 1.0f,
        .words = "Over how wide a circle a ray moves the skin, in thicknesses of what lies above the écorché." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 4.0f ), .fallback = 1.0f, .live = true,
        .words = "How much of the écorché's motion the skin takes: 0 none, 1 all; more exaggerates." },
    { SUP_FIELD( limit, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 1.0f ), .fallback = 0.35f, .live = true,
        .words = "The largest move of the écorché that the skin takes, as a share of the way from bone to skin." },
    { SUP_FIELD( inward, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 1.0f ), .fallback = 0.35f,
        .live = true,
        .words = "How much of the écorché's motion inwards the skin takes, times `amount`: fat and tendons bridge the "
                 "hollow beside a belly that gathers." },
};

supEcorcheDef supDefaultEcorcheDef( void )
{
    supEcorcheDef def = { 0 };
    supFillDefaults( sup_ecorcheFields, SUP_COUNT( sup_ecorcheFields ), &def );
    return def;
}

static void supCompleteEcorche( void* item )
{
    supEcorcheDef* def = item;
    def->name = def->name != NULL ? def->name : "ecorche";
}

static void supEcorcheBorder( const void* compiled, supInnerBorder* out )
{
    const supEcorche* ecorche = compiled;
    *out = ( supInnerBorder ){ ecorche->rayCount, ecorche->from, ecorche->way, ecorche->vertices, ecorche->rest,
        ecorche->triangleCount, ecorche->triangles };
}

static const char* const sup_ecorchePictures[] = { "ecorche", NULL };

static const supLayerMotion sup_ecorcheMotion = {
    .shownCount = supEcorcheShownCount,
    .stateSize = supEcorcheStateSize,
    .reset = supResetEcorche,
    .step = supStepEcorche,
    .teleport = supTeleportEcorche,
    .adopt = supAdoptEcorche,
    .isAtRest = supEcorcheIsAtRest,
    .tuned = supTunedEcorche,
};

static const supLayerPictures sup_ecorcheDrawing = {
    .names = sup_ecorchePictures,
    .draw = supDrawEcorche,
};

const supLayer sup_ecorcheLayer = {
    .info = { .name = "ecorche",
        .key = "ecorche",
        .words = "The body without skin and fat, blended from muscles and what lies between them; the skin follows it.",
        .itemSize = sizeof( supEcorcheDef ),
        .fieldCount = SUP_COUNT( sup_ecorcheFields ),
        .fields = sup_ecorcheFields },
    .nameOffset = offsetof( supEcorcheDef, name ),
    .complete = supCompleteEcorche,
    .ignores = sup_ignoresElements | sup_ignoresMoved,
    .compileWork = 20.0f,
    .compile = supCompileEcorche,
    .destroy = supDestroyEcorche,
    .touched = supEcorcheTouched,
    .scratchSize = supEcorcheScratch,
    .apply = supApplyEcorche,
    .border = supEcorcheBorder,
    .motion = &sup_ecorcheMotion,
    .pictures = &sup_ecorcheDrawing,
};
