// Supple: flesh elements as a table of fields: names, units, ranges, defaults and words.
// SPDX-License-Identifier: MIT
//
// Ranges are wide on purpose: they keep out slips (a minus, a wrong unit, a NaN), not taste. The springs are stepped in
// closed form and stay finite over all of them.
#include "layers/flesh/flesh.h"

#include "base/fields.h"
#include "base/names.h"
#include "base/scalar_math.h"
#include "supple/lab/items.h"

#include <math.h>
#include <stddef.h>

// Not given: worked out from the other fields.

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supElementDef, member, type, unit )

static const char* const sup_attenuationNames[] = { "parabola", "wyvill", "hermite", NULL };
static const char* const sup_limitNames[] = { "soft", "clamp", NULL };
static const char* const sup_gravityNames[] = { "relative", "plain", NULL };

static const supField sup_elementFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ),
        .words = "What you call it; no two elements may have the same. Not given: the driver's name." },
    { SUP_FIELD( driver, sup_fieldName, "joint" ), .required = true,
        .words = "The joint that carries the flesh. The one field that every element must have." },
    { SUP_FIELD( ends, sup_fieldNames, "joint" ),
        .words = "Joints below the driver; the flesh hangs on the line from the driver to the middle of these. "
                 "Not given: `end`, or else the driver's children." },
    { SUP_FIELD( end, sup_fieldVec3, "size" ), SUP_RANGE( -10.0f, 10.0f ), SUP_NOT_GIVEN,
        .words =
            "Where that line ends for a driver with no joints below it: a point in the driver's own frame at rest." },
    { SUP_FIELD( joints, sup_fieldNames, "joint" ),
        .words =
            "Joints whose skin weights say what belongs to the flesh. Not given: the driver and the joints between "
            "it and the ends." },
    { SUP_FIELD( skipMeshes, sup_fieldNames, "mesh" ), .words = "Meshes to leave out: hair, armour, eyes." },
    { SUP_FIELD( skipMaterials, sup_fieldNames, "material" ),
        .words = "Materials to leave out. Skin that is sewn to them stays with them." },
    { SUP_FIELD( skipRigid, sup_fieldBool, "" ),
        .words =
            "Leave out rigid pieces of the surface: connected, and on the same joints by the same weights all over. "
            "Plates, belts, buckles, pistons; skin passes from joint to joint." },
    { SUP_FIELD( rigidMargin, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 2.0f ), .fallback = 0.0f,
        .words = "With `skipRigid`: how far around a rigid piece the flesh is held, fading out smoothly, as a share of "
                 "the flesh's depth there. 0: the flesh slides freely beside belts, horns and eyes." },
    { SUP_FIELD( paint, sup_fieldPaint, "" ), SUP_RANGE( 0.0f, 1.0f ),
        .words = "Shares painted on single vertices, 0 to 1; vertices that are not listed have 0. Multiplied in." },
    { SUP_FIELD( facing, sup_fieldVec3, "" ), SUP_RANGE( -1000.0f, 1000.0f ),
        .words = "Keeps the side of the bone that looks this way: a direction in the rest pose, [0, 0, 1] for the "
                 "front. [0, 0, 0]: all around." },
    { SUP_FIELD( spread, sup_fieldFloat, "rad" ), SUP_RANGE( 0.0f, (float)SUP_PI ), .fallback = (float)( 0.5 * SUP_PI ),
        .words =
            "How far around from `facing` the flesh reaches, fading out smoothly. 1.57 is a quarter turn each way." },
    { SUP_FIELD( spheres, sup_fieldSpheres, "size" ), SUP_RANGE( 1e-6f, 10.0f ),
        .words =
            "Soft balls that keep the flesh inside them: 1 at the centre, fading to 0 at the radius. The centre is a "
            "point in the driver's own frame at rest." },
    { SUP_FIELD( attenuation, sup_fieldEnum, "" ), .fallback = sup_attenuationParabola, .choices = sup_attenuationNames,
        .words = "How the motion fades towards both ends of the bone: a parabola, Wyvill's curve (level at both ends, "
                 "softer borders), or a curve of your own in `attenuationKeys`." },
    { SUP_FIELD( attenuationKeys, sup_fieldKeys, "" ), .advanced = true, SUP_RANGE( 0.0f, 1.0f ),
        .words =
            "Your own curve for \"hermite\": pairs [position, value] by rising position, -1 at the driver, 1 at the "
            "end; 0 at both ends looks best." },
    { SUP_FIELD( attenuationSlopes, sup_fieldKeys, "" ), .advanced = true, SUP_RANGE( -1000.0f, 1000.0f ),
        .words =
            "Tangents of that curve: pairs [position, slope], each at a key of it. Keys that are not listed go from "
            "neighbour to neighbour." },
    { SUP_FIELD( boneThickness, sup_fieldLength, "size" ), SUP_RANGE( -1.0f, 1.0f ), .fallback = 0.0f,
        .words =
            "This much around the bone does not move: the core of a thigh, a rib cage. Below 0 skin counts as that "
            "much farther from the bone than it is: where a bone comes out of a lump, the skin there moves too." },

    { SUP_FIELD( frequency, sup_fieldFloat, "Hz" ), SUP_RANGE( 0.01f, 1000.0f ), .fallback = 4.0f, .live = true,
        .words = "How fast it swings. A soft belly 2.5, a firm thigh 8." },
    { SUP_FIELD( dampingRatio, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 100.0f ), .fallback = 0.2f, .live = true,
        .words = "How soon it comes to rest: 0 swings for ever, 0.2 a few times, 1 does not swing at all." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 10.0f ), .fallback = 1.0f, .live = true,
        .words = "How much of the body's motion it feels: 0 none, 1 all of it, more exaggerates." },
    { SUP_FIELD( sag, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 10.0f ), .fallback = 0.1f, .live = true,
        .words = "How far gravity pulls it, as a share of the flesh's thickness." },

    { SUP_FIELD( density, sup_fieldFloat, "kg/m^3" ), SUP_RANGE( 1e-3f, 1e6f ), .fallback = 1000.0f,
        .words =
            "Of the flesh; its mass is density times its volume, without the core of `boneThickness`. Water 1000, fat 900, "
            "muscle 1060." },
    { SUP_FIELD( mass, sup_fieldFloat, "kg" ), .advanced = true, SUP_RANGE( 1e-9f, 1e9f ), SUP_NOT_GIVEN, .live = true,
        .words = "Of the flesh. Not given: density times volume." },
    { SUP_FIELD( stiffness, sup_fieldFloat, "N/m" ), .advanced = true, SUP_RANGE( 1e-9f, 1e12f ), SUP_NOT_GIVEN,
        .live = true, .words = "Of the spring, for those who want it; takes the place of `frequency`." },
    { SUP_FIELD( damping, sup_fieldFloat, "N s/m" ), .advanced = true, SUP_RANGE( 0.0f, 1e12f ), SUP_NOT_GIVEN,
        .live = true, .words = "Of the spring, for those who want it; takes the place of `dampingRatio`." },

    { SUP_FIELD( gravity, sup_fieldEnum, "" ), .fallback = sup_gravityRelative, .choices = sup_gravityNames,
        .words =
            "relative: the model was sculpted with its sag, so standing as modelled nothing moves, and lying down it sags "
            "the other way. plain: all of gravity, always." },
    { SUP_FIELD( gravityScale, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( -100.0f, 100.0f ), .fallback = 1.0f,
        .live = true, .words = "Times the rig's gravity, where `stiffness` is given or gravity is plain." },
    { SUP_FIELD( airFriction, sup_fieldFloat, "1/s" ), .advanced = true, SUP_RANGE( 0.0f, 1000.0f ), .fallback = 0.0f,
        .live = true, .words = "How strongly the air holds it back, and the wind takes it along." },
    { SUP_FIELD( limit, sup_fieldEnum, "" ), .fallback = sup_limitSoft, .choices = sup_limitNames,
        .words =
            "How the motion is held within the flesh. soft: it eases up to the limit, and loops stay exact. clamp: it stops "
            "there." },
    { SUP_FIELD( limitScale, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 1.0f ), .fallback = 1.0f, .live = true,
        .words = "Share of the largest motion that keeps all skin on its side of the bone." },
};

supElementDef supDefaultElementDef( void )
{
    supElementDef def = { 0 };
    supFillDefaults( sup_elementFields, SUP_COUNT( sup_elementFields ), &def );
    return def;
}

const supField* supElementFields( int32_t* count )
{
    if ( count != NULL )
    {
        *count = SUP_COUNT( sup_elementFields );
    }
    return sup_elementFields;
}

// A tangent belongs to a key.
static supResult supCheckSlopes( const supElementDef* def, const char* place, supError* error )
{
    const supKeyList *keys = &def->attenuationKeys, *slopes = &def->attenuationSlopes;
    for ( int32_t i = 0; i < slopes->count; ++i )
    {
        float position = slopes->pairs[2 * (size_t)i];
        bool found = false;
        for ( int32_t k = 0; k < keys->count && !found; ++k )
        {
            found = keys->pairs[2 * (size_t)k] == position;
        }
        if ( !found )
        {
            char text[SUP_FLOAT_TEXT];
            return supFail( error, sup_errorData, "%s.attenuationSlopes[%d][0]: attenuationKeys has no key at %s",
                place, i, supFloatText( position, text ) );
        }
    }
    return sup_success;
}

// A curve of one's own needs its keys, and keys live on the bone.
static supResult supCheckElement( const void* item, const char* place, supError* error )
{
    const supElementDef* def = item;
    const supKeyList* keys = &def->attenuationKeys;
    if ( def->attenuation == sup_attenuationHermite && keys->count < 2 )
    {
        return supFail( error, sup_errorData, "%s.attenuationKeys: \"hermite\" needs two keys at least, has %d", place,
            keys->count );
    }
    for ( int32_t i = 0; i < keys->count; ++i )
    {
        float position = keys->pairs[2 * (size_t)i];
        if ( position < -1.0f || position > 1.0f )
        {
            char text[SUP_FLOAT_TEXT];
            return supFail( error, sup_errorData, "%s.attenuationKeys[%d][0]: %s is outside the bone, -1 to 1", place,
                i, supFloatText( position, text ) );
        }
    }
    return supCheckSlopes( def, place, error );
}

static void supCompleteElement( void* item )
{
    supElementDef* def = item;
    def->name = def->name != NULL ? def->name : def->driver;
}

static int32_t supFleshTouched( const void* compiled, const int32_t** vertices )
{
    const supFlesh* flesh = compiled;
    *vertices = flesh->skin.touched;
    return flesh->skin.touchedCount;
}

static const supSkinOffsets* supFleshOffsets( const void* compiled )
{
    return &( (const supFlesh*)compiled )->skin;
}

static const supLayerOffsets sup_fleshOffsets = {
    .view = supFleshOffsets,
    .element = supFleshElementState,
    .push = supPushFlesh,
    .limitedCount = supFleshLimitedCount,
};

static const supLayerMotion sup_fleshMotion = {
    .shownCount = supFleshShownCount,
    .stateSize = supFleshStateSize,
    .reset = supResetFlesh,
    .step = supStepFlesh,
    .teleport = supTeleportFlesh,
    .adopt = supAdoptFlesh,
    .isAtRest = supFleshIsAtRest,
    .idle = supIdleFlesh,
    .tuned = supTunedFlesh,
    .relate = supRelateElement,
    .keptSize = supFleshKeptSize,
    .keep = supKeepFlesh,
    .restore = supRestoreFlesh,
    .isFinite = supFleshIsFinite,
    .hash = supHashFlesh,
};

static const supLayerSwing sup_fleshSwing = { .view = supFleshSwing };

static const char* const sup_fleshDrawNames[] = { "weights", "displacement", "springs", "elements", NULL };

static const supLayerPictures sup_fleshDrawing = {
    .names = sup_fleshDrawNames,
    .draw = supDrawFlesh,
};

const supLayer sup_fleshLayer = {
    .info = { .name = "flesh",
        .key = "elements",
        .words = "Flesh elements: regions that swing on a damped spring.",
        .itemSize = sizeof( supElementDef ),
        .fieldCount = SUP_COUNT( sup_elementFields ),
        .fields = sup_elementFields },
    .nameOffset = offsetof( supElementDef, name ),
    .check = supCheckElement,
    .complete = supCompleteElement,
    .ignores = sup_ignoresElements | sup_ignoresMoved | sup_ignoresEarlier,
    .compile = supCompileFlesh,
    .destroy = supDestroyFlesh,
    .touched = supFleshTouched,
    .offsets = &sup_fleshOffsets,
    .motion = &sup_fleshMotion,
    .swing = &sup_fleshSwing,
    .pictures = &sup_fleshDrawing,
};
