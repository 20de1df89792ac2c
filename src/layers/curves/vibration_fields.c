// Supple: vibrating curves as a table of fields, and the layer itself.
// SPDX-License-Identifier: MIT

#include "base/fields.h"
#include "layers/curves/vibration.h"

#include <stddef.h>

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supCurvesDef, member, type, unit )

static const supField sup_curvesFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ),
        .words = "What you call it; no two may have the same. Not given: its first joint, or curves." },
    { SUP_FIELD( joints, sup_fieldNames, "joint" ),
        .words = "Curves around these joints alone. Not given: around all that no other item names." },
    { SUP_FIELD( tolerance, sup_fieldFloat, "size" ), .advanced = true, SUP_RANGE( 1e-5f, 0.1f ), .fallback = 0.002f,
        .words =
            "How far the surface between two curves may be off: smaller finds more curves. The smallest of all items counts." },
    { SUP_FIELD( frequency, sup_fieldFloat, "Hz" ), SUP_RANGE( 0.01f, 1000.0f ), .fallback = 4.0f, .live = true,
        .words = "How fast a whole ring of flesh swings on the bone: its foundation." },
    { SUP_FIELD( dampingRatio, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 100.0f ), .fallback = 0.15f, .live = true,
        .words = "How soon it comes to rest: 0 swings for ever, 1 does not swing at all." },
    { SUP_FIELD( bending, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 1000.0f ), .fallback = 0.5f,
        .live = true,
        .words = "How much stiffer finer waves around a ring are: wave n swings sqrt(1 + bending n^4) times as fast." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 10.0f ), .fallback = 0.5f, .live = true,
        .words = "How much of the body's motion it feels." },
    { SUP_FIELD( sag, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 10.0f ), .fallback = 0.1f, .live = true,
        .words =
            "How far gravity pulls it, as a share of the flesh's thickness: relative to rest, so standing as modelled "
            "nothing moves, and lying down it sags the other way." },
    { SUP_FIELD( limit, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 10.0f ), .fallback = 0.4f, .live = true,
        .words = "The largest shift, as a share of the flesh's thickness." },
    { SUP_FIELD( apart, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 1.0f ), .fallback = 0.0f, .live = true,
        .words = "Neighbouring curves keep at least this share of their rest distance and never cross, where skin is "
                 "pushed together on the inside of a bend. 0: they may." },
    { SUP_FIELD( volume, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 1.0f ), .fallback = 0.0f, .live = true,
        .words = "How much of the volume that is lost or gained between neighbouring curves is made up for by wider or "
                 "narrower ones: 1 all of it, also where smooth skinning pinches a twisted limb." },
    { SUP_FIELD( folds, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 1.0f ), .fallback = 0.0f, .live = true,
        .words =
            "How much of the length that the skin between neighbouring curves loses goes into a fold there: 1 keeps "
            "all of it. A larger `tolerance` makes fewer and wider folds." },
};

supCurvesDef supDefaultCurvesDef( void )
{
    supCurvesDef def = { 0 };
    supFillDefaults( sup_curvesFields, SUP_COUNT( sup_curvesFields ), &def );
    return def;
}

static void supCompleteCurves( void* item )
{
    supCurvesDef* def = item;
    const char* joint = def->joints.count > 0 ? def->joints.names[0] : "curves";
    def->name = def->name != NULL ? def->name : joint;
}

static int32_t supVibrationTouched( const void* compiled, const int32_t** vertices )
{
    const supVibration* vibration = compiled;
    *vertices = vibration->skin.touched;
    return vibration->skin.touchedCount;
}

static void supDrawVibration( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    (void)frame;
    (void)shown;
    (void)what;
    supCurveNetwork_Draw( ( (const supVibration*)compiled )->network, &positions[0].x, draw );
}

static const char* const sup_curvesDrawNames[] = { "curves", NULL };

static const supLayerMotion sup_curvesMotion = {
    .shownCount = supVibration_ShownCount,
    .stateSize = supVibration_StateSize,
    .reset = supResetVibration,
    .step = supStepVibration,
    .teleport = supTeleportVibration,
    .adopt = supAdoptVibration,
    .isAtRest = supVibration_IsAtRest,
    .tuned = supTunedVibration,
    .takeRate = 240.0f,
};

static const supLayerLoop sup_curvesLoop = {
    .size = supVibrationLoopSize,
    .begin = supVibrationLoopBegin,
    .step = supVibrationLoopStep,
    .end = supVibrationLoopEnd,
};

static const supLayerPictures sup_curvesDrawing = {
    .names = sup_curvesDrawNames,
    .draw = supDrawVibration,
};

const supLayer sup_curvesLayer = {
    .info = { .name = "curves",
        .key = "curves",
        .words =
            "Curves: skin that vibrates on rings around the body, by the equation of a wire; and what neighbouring rings hold.",
        .itemSize = sizeof( supCurvesDef ),
        .fieldCount = SUP_COUNT( sup_curvesFields ),
        .fields = sup_curvesFields },
    .nameOffset = offsetof( supCurvesDef, name ),
    .complete = supCompleteCurves,
    .ignores = sup_ignoresMoved | sup_ignoresEarlier,
    .compile = supCompileVibration,
    .destroy = supDestroyVibration,
    .touched = supVibrationTouched,
    .scratchSize = supVibration_ScratchSize,
    .apply = supApplyVibration,
    .loop = &sup_curvesLoop,
    .motion = &sup_curvesMotion,
    .pictures = &sup_curvesDrawing,
};
