// Modes, compiled: which vertices, with which weights, and what of the driver's motion excites them.
// SPDX-License-Identifier: MIT
#include "base/fields.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/layer.h"
#include "layers/modes/modes.h"

#include <stddef.h>
#include <string.h>

static supResult supCompileMode(
    const supLayerContext* context, const supModeDef* def, int32_t index, supModes* modes, supError* error )
{
    int32_t e = supFindElementNamed( context, def->element );
    if ( e < 0 )
    {
        char place[SUP_PATH_TEXT];
        return supNoElement( context, supPathText( place, "modes[%d].element", index ), def->element, error );
    }
    const supElementView* element = context->elements + e;
    const float* rest = supCharacter_Info( context->character )->restPositions;
    supMode* mode = modes->modes + index;
    mode->element = e;
    mode->driver = element->driver;
    supInvertMat( supCharacter_Info( context->character )->restJoints[element->driver], &mode->driverFromRest );
    mode->motion = def->motion;
    mode->pattern = def->pattern;
    mode->direction = supLengthSquared( def->direction ) > 0.0f
                          ? supNormalize( supTransformVector( element->localFrame, def->direction ) )
                          : supVec3_zero;
    mode->thickness = element->thickness;
    supPatternFrame frame = supMakePatternFrame( element, rest );
    double sum = 0.0, squares = 0.0;
    supVec3d lever = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < element->vertexCount; ++i )
    {
        const float* p = rest + 3 * (size_t)element->vertices[i];
        supVec3 place = supMakeVec3( p[0], p[1], p[2] );
        double pattern = supPatternAt( &frame, def->pattern, place );
        double weight = element->weights[i] * pattern;
        lever = supMulAddD( lever, weight, supToDouble( supTransformPoint( mode->driverFromRest, place ) ) );
        sum += weight;
        squares += weight * pattern;
    }
    double scale = squares > 0.0 ? 1.0 / squares : 0.0;
    mode->lever = supToFloat( supScaleD( lever, scale ) );
    mode->share = (float)( sum * scale );
    return sup_success;
}

static void supGatherTouched( supModes* modes, int32_t total, int32_t vertexCount, uint8_t* marks )
{
    for ( int32_t i = 0; i < total; ++i )
    {
        marks[modes->vertices[i]] = 1;
    }
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        if ( marks[v] != 0 )
        {
            modes->touched[modes->touchedCount++] = v;
        }
    }
}

/// Vertices of all modes together, and the bytes of their names and of their parts'; elements that are not there count
/// as empty.
static void supCountModes(
    const supLayerContext* context, const void* const* items, int32_t count, size_t* vertices, size_t* nameBytes )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        const supModeDef* def = items[i];
        int32_t e = supFindElementNamed( context, def->element );
        *vertices += e >= 0 ? (size_t)context->elements[e].vertexCount : 0;
        *nameBytes += strlen( def->name ) + 1;
        *nameBytes += 2 * ( strlen( def->name ) + 3 ) + ( e >= 0 ? strlen( context->elements[e].name ) + 1 : 0 );
    }
}

static supResult supCompileAllModes( const supLayerContext* context, const void* const* items, supModes* modes,
    char* names, uint8_t* marks, supError* error )
{
    supResult result = sup_success;
    for ( int32_t i = 0; i < modes->count && result == sup_success; ++i )
    {
        const supModeDef* def = items[i];
        size_t bytes = strlen( def->name ) + 1;
        memcpy( names, def->name, bytes );
        modes->modes[i].name = names;
        names += bytes;
        result = supCompileMode( context, def, i, modes, error );
    }
    if ( result == sup_success )
    {
        int32_t total = supMakeModeFrames( context, modes, names );
        supGatherTouched( modes, total, supCharacter_Info( context->character )->vertexCount, marks );
    }
    return result;
}

static supResult supCompileModes(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    size_t vertices = 0, nameBytes = 0;
    supCountModes( context, items, count, &vertices, &nameBytes );
    size_t marked = (size_t)supCharacter_Info( context->character )->vertexCount + 1;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supModes, modes, 1 );
    SUP_PUT_NEW( &layout, supMode, itemsRoom, (size_t)count );
    SUP_PUT_NEW( &layout, supModeFrame, parts, 2 * (size_t)count );
    SUP_PUT_NEW( &layout, int32_t, verticesRoom, vertices );
    SUP_PUT_NEW( &layout, float, weights, vertices );
    SUP_PUT_NEW( &layout, int32_t, touched, vertices );
    SUP_PUT_NEW( &layout, char, names, nameBytes );
    char* block = supAllocLayout( context->allocator, &layout );
    uint8_t* marks = supAllocZeroed( context->allocator, marked, 1, 1 );
    supResult result = block != NULL && marks != NULL
                           ? sup_success
                           : supFail( error, sup_errorMemory, "no memory for %d modes", count );
    if ( result == sup_success )
    {
        memset( block, 0, layout.size );
        *modes = ( supModes ){ .count = count,
            .modes = itemsRoom,
            .frames = parts,
            .vertices = verticesRoom,
            .weights = weights,
            .touched = touched,
            .blockSize = layout.size };
        *out = modes;
        result = supCompileAllModes( context, items, modes, names, marks, error );
    }
    supFree( context->allocator, marks, marked );
    if ( result != sup_success )
    {
        supFree( context->allocator, block, layout.size );
        *out = NULL;
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// The fields of a mode.

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
