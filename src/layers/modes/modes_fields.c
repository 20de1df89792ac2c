// Modes as a table of fields, and the layer itself.
// SPDX-License-Identifier: MIT

#include "base/fields.h"
#include "base/memory.h"
#include "layers/modes/modes.h"

#include <stddef.h>

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supModeDef, member, type, unit )

static const char* const sup_motionNames[] = { "shift", "turn", NULL };
static const char* const sup_patternNames[] = { "even", "along", "side", "front", "oval", NULL };

static const supField sup_modeFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ),
        .words = "What you call it; no two modes may have the same. Not given: the element's name." },
    { SUP_FIELD( element, sup_fieldName, "element" ), .required = true,
        .words = "The flesh element that swings in one more way." },
    { SUP_FIELD( motion, sup_fieldEnum, "" ), .fallback = sup_modeShift, .choices = sup_motionNames,
        .words = "shift: the flesh moves to and fro. turn: it twists and tilts about the middle of its bone." },
    { SUP_FIELD( pattern, sup_fieldEnum, "" ), .fallback = sup_patternEven, .choices = sup_patternNames,
        .words =
            "Which parts move together. even: all of it. along: the bone's two ends against one another. side, front: "
            "left against right, front against back. oval: sides against front and back." },
    { SUP_FIELD( direction, sup_fieldVec3, "" ), SUP_RANGE( -1000.0f, 1000.0f ),
        .words =
            "Moves along this line alone (or turns about it), in the element's frame: [0, 1, 0] is along the bone. "
            "[0, 0, 0]: any way." },
    { SUP_FIELD( frequency, sup_fieldFloat, "Hz" ), SUP_RANGE( 0.01f, 1000.0f ), .fallback = 5.0f, .live = true,
        .words = "How fast it swings; finer patterns swing faster." },
    { SUP_FIELD( dampingRatio, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 100.0f ), .fallback = 0.2f, .live = true,
        .words = "How soon it comes to rest: 0 swings for ever, 1 does not swing at all." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 10.0f ), .fallback = 1.0f, .live = true,
        .words = "How much of the body's motion it feels." },
    { SUP_FIELD( limit, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 10.0f ), .fallback = 0.25f, .live = true,
        .words = "The largest shift, as a share of the element's thickness." },
    { SUP_FIELD( limitAngle, sup_fieldFloat, "rad" ), SUP_RANGE( 0.0f, 3.0f ), .fallback = 0.35f, .live = true,
        .words = "The largest turn. 0.35 is 20 degrees." },
};

supModeDef supDefaultModeDef( void )
{
    supModeDef def = { 0 };
    supFillDefaults( sup_modeFields, SUP_COUNT( sup_modeFields ), &def );
    return def;
}

static void supCompleteMode( void* item )
{
    supModeDef* def = item;
    def->name = def->name != NULL ? def->name : def->element;
}

static void supDestroyModes( void* compiled, const supAllocator* allocator )
{
    supFree( allocator, compiled, ( (supModes*)compiled )->blockSize );
}

static int32_t supModesTouched( const void* compiled, const int32_t** vertices )
{
    const supModes* modes = compiled;
    *vertices = modes->touched;
    return modes->touchedCount;
}

static const char* const sup_modeDrawNames[] = { "modes", NULL };

static const supLayerMotion sup_modesMotion = {
    .shownCount = supModesShownCount,
    .stateSize = supModesStateSize,
    .reset = supResetModes,
    .step = supStepModes,
    .teleport = supTeleportModes,
    .adopt = supAdoptModes,
    .isAtRest = supModesAreAtRest,
    .tuned = supTunedMode,
};

static const supLayerSwing sup_modesSwing = {
    .view = supModeSwing,
    .shown = supModeShown,
};

static const supLayerHelpers sup_modesHelpers = {
    .count = supModeFrameCount,
    .view = supModeFrameView,
    .at = supModeFramesAt,
};

static const supLayerPictures sup_modesDrawing = {
    .names = sup_modeDrawNames,
    .draw = supDrawModes,
};

const supLayer sup_modesLayer = {
    .info = { .name = "modes",
        .key = "modes",
        .words = "Modes: further springs on a flesh element, that shift it or turn it.",
        .itemSize = sizeof( supModeDef ),
        .fieldCount = SUP_COUNT( sup_modeFields ),
        .fields = sup_modeFields },
    .nameOffset = offsetof( supModeDef, name ),
    .complete = supCompleteMode,
    .ignores = sup_ignoresMoved | sup_ignoresEarlier,
    .compile = supCompileModes,
    .destroy = supDestroyModes,
    .touched = supModesTouched,
    .wantsSmooth = true,
    .apply = supApplyModes,
    .motion = &sup_modesMotion,
    .swing = &sup_modesSwing,
    .helpers = &sup_modesHelpers,
    .pictures = &sup_modesDrawing,
};
