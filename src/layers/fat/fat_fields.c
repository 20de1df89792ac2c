// Fat as a table of fields, and the layer itself.
// SPDX-License-Identifier: MIT

#include "base/fields.h"
#include "layers/fat/fat.h"
#include "layers/fat/fat_step.h"

#include <math.h>
#include <stddef.h>

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supFatDef, member, type, unit )

static const char* const sup_gravityNames[] = { "relative", "plain", NULL };

static const char* const sup_solverNames[] = { "live", "reference", NULL };

static const supField sup_fatFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ), .words = "What you call it; no two may have the same. Not given: fat." },
    { SUP_FIELD( joints, sup_fieldNames, "joint" ), .words = "Joints whose skin carries fat. Not given: all." },
    { SUP_FIELD( meshes, sup_fieldNames, "mesh" ),
        .words = "Meshes that are the skin: the outer border. Not given: all that are skinned." },
    { SUP_FIELD( inner, sup_fieldNames, "mesh" ),
        .words =
            "Closed meshes that it lies on beside the muscles and bones: a skull, a rib cage, a machine; skinned, or on a joint." },
    { SUP_FIELD( joint, sup_fieldName, "joint" ),
        .words = "The spheres are in its frame at rest. Not given: in model space." },
    { SUP_FIELD( spheres, sup_fieldSpheres, "size" ), SUP_RANGE( 1e-6f, 1000.0f ),
        .words = "Soft balls: fat lies inside them alone. Not given: wherever its joints carry skin." },
    { SUP_FIELD( skipRigid, sup_fieldBool, "" ),
        .words = "Whether rigid pieces of the surface (plates, belts, buckles) carry none, as in elements." },
    { SUP_FIELD( depth, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 0.95f ), .fallback = 0.35f,
        .words = "Without muscles: how much of the way from the skin to the bone is fat; what stands out is, anyway." },
    { SUP_FIELD( voxel, sup_fieldLength, "size" ), .advanced = true, SUP_RANGE( 1e-5f, 1.0f ), .optional = true,
        .fallback = NAN, .words = "Edge of the voxels. Not given: as many as `nodes` asks for." },
    { SUP_FIELD( nodes, sup_fieldFloat, "" ), SUP_RANGE( 20.0f, 200000.0f ), .fallback = 1000.0f,
        .words = "About how many nodes the voxels should have." },
    { SUP_FIELD( mixed, sup_fieldBool, "" ), .advanced = true,
        .words = "Whether eight voxels that nothing near them holds become one." },
    { SUP_FIELD( solver, sup_fieldEnum, "" ), .advanced = true, .fallback = sup_fatLive, .choices = sup_solverNames,
        .words = "live: vibrations, stepped exactly. reference: the paper's explicit solver, slow, to compare with." },
    { SUP_FIELD( modes, sup_fieldFloat, "" ), SUP_RANGE( 1.0f, 512.0f ), .optional = true, .fallback = NAN,
        .words = "How many vibrations are followed. Not given: as many as the joints' motion makes something of, 48 to "
                 "160." },
    { SUP_FIELD( memory, sup_fieldFloat, "GB" ), .advanced = true, SUP_RANGE( 0.0f, 1000.0f ), .fallback = 2.0f,
        .words = "The most that compiling may take for a factor; past that it goes without: the same, much slower." },
    { SUP_FIELD( touch, sup_fieldBool, "" ),
        .words = "Whether forces on the skin are answered in full, dents of fingers included; keeps the factor." },
    { SUP_FIELD( frequency, sup_fieldFloat, "Hz" ), SUP_RANGE( 0.01f, 1000.0f ), .fallback = 3.5f, .live = true,
        .words = "How fast the slowest vibration is. Soft breast 3, belly 4, firm thigh 8." },
    { SUP_FIELD( mu, sup_fieldFloat, "Pa" ), .advanced = true, SUP_RANGE( 1e-3f, 1e12f ), .optional = true,
        .fallback = NAN, .live = true,
        .words = "Lame's mu: how stiff against change of shape; takes over from the frequency. Fat: 500 to 5000." },
    { SUP_FIELD( lambda, sup_fieldFloat, "Pa" ), .advanced = true, SUP_RANGE( 1e-3f, 1e12f ), .optional = true,
        .fallback = NAN,
        .words =
            "Lame's lambda: how stiff against change of volume; with mu alone, and in proportion when that changes." },
    { SUP_FIELD( incompressibility, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.01f, 10000.0f ),
        .fallback = 200.0f, .words = "lambda over mu, where lambda is not given. 200 keeps the volume." },
    { SUP_FIELD( density, sup_fieldFloat, "kg/m^3" ), SUP_RANGE( 1e-3f, 1e6f ), .fallback = 950.0f, .live = true,
        .words = "Mass over volume." },
    { SUP_FIELD( lines, sup_fieldPoints, "size" ), .advanced = true, SUP_RANGE( -1000.0f, 1000.0f ),
        .words = "Lines (Langer's) along which it is stiffer, in model space; a point given twice ends one." },
    { SUP_FIELD( lineStiffness, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 1000.0f ),
        .words = "How much stiffer along them, as a share of Young's modulus." },
    { SUP_FIELD( dampingRatio, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 100.0f ), .fallback = 0.2f, .live = true,
        .words = "How soon the slowest vibration comes to rest: 0 swings for ever, 1 does not swing at all." },
    { SUP_FIELD( viscosity, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 1.0f ), .fallback = 0.5f,
        .live = true,
        .words = "How much of the damping grows with the frequency: 1 kills small waves soon, 0 lets them ring." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 10.0f ), .fallback = 1.0f, .live = true,
        .words = "How much of the body's motion it feels." },
    { SUP_FIELD( gravity, sup_fieldEnum, "" ), .fallback = sup_gravityRelative, .choices = sup_gravityNames,
        .live = true,
        .words =
            "relative: the model already sags, and that sag is undone where gravity is gone. plain: sags further." },
    { SUP_FIELD( restShape, sup_fieldBool, "" ), .advanced = true,
        .words = "Whether the shape is looked for that gravity takes into the modelled one; else its sag is taken off, "
                 "which is that to first order." },
    { SUP_FIELD( sag, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 10.0f ), .optional = true, .fallback = NAN, .live = true,
        .words = "How far gravity pulls it, as a share of the thickness. Not given: by mu, or 0.1." },
    { SUP_FIELD( limit, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 10.0f ), .fallback = 0.5f, .live = true,
        .words = "The largest shift, as a share of the thickness around." },
    { SUP_FIELD( keepVolume, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 1.0f ), .fallback = 1.0f,
        .live = true,
        .words =
            "How much displacements go round rather than straight: straight ones gain volume. 0: linear, as with `restShape`." },
    { SUP_FIELD( tension, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 1.0f ), .live = true,
        .words = "How tense all of it is: full tension makes it four times as stiff." },
    { SUP_FIELD( muscleTension, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 10.0f ), .fallback = 1.0f, .live = true,
        .words =
            "How much a muscle that contracts stiffens the fat above it: at 1, full contraction makes it four times as stiff." },
};

supFatDef supDefaultFatDef( void )
{
    supFatDef def = { 0 };
    supFillDefaults( sup_fatFields, SUP_COUNT( sup_fatFields ), &def );
    return def;
}

static void supCompleteFat( void* item )
{
    supFatDef* def = item;
    def->name = def->name != NULL ? def->name : "fat";
}

/// Without mu there is no number of pascals that lambda could be compared with.
static supResult supCheckFat( const void* item, const char* place, supError* error )
{
    const supFatDef* def = item;
    return def->lambda > 0.0f && !( def->mu > 0.0f )
               ? supFail( error, sup_errorArgument, "%s.lambda: needs mu; or give incompressibility instead", place )
               : sup_success;
}

static int32_t supFatsTouched( const void* compiled, const int32_t** vertices )
{
    const supFats* fats = compiled;
    *vertices = fats->touched;
    return fats->touchedCount;
}

static const char* const sup_fatDrawNames[] = { "fat", NULL };

static const supLayerMotion sup_fatMotion = {
    .shownCount = supFatsShownCount,
    .stateSize = supFatsStateSize,
    .reset = supResetFats,
    .step = supStepFats,
    .teleport = supTeleportFats,
    .adopt = supAdoptFats,
    .force = supForceFats,
    .isAtRest = supFatsAreAtRest,
    .cutCount = supFatsCutCount,
    .tuned = supTunedFat,
    .takeRate = 240.0f,
};

static const supLayerLoop sup_fatLoop = {
    .size = supFatLoopSize,
    .begin = supFatLoopBegin,
    .step = supFatLoopStep,
    .end = supFatLoopEnd,
};

static const supLayerPictures sup_fatDrawing = {
    .names = sup_fatDrawNames,
    .draw = supDrawFats,
};

const supLayer sup_fatLayer = {
    .info = { .name = "fat",
        .key = "fat",
        .words = "Fat: a viscoelastic layer between the muscles, or the bones, and the skin.",
        .itemSize = sizeof( supFatDef ),
        .fieldCount = SUP_COUNT( sup_fatFields ),
        .fields = sup_fatFields },
    .nameOffset = offsetof( supFatDef, name ),
    .check = supCheckFat,
    .complete = supCompleteFat,
    .ignores = sup_ignoresElements | sup_ignoresMoved,
    .compileWork = 100.0f,
    .compile = supCompileFats,
    .destroy = supDestroyFats,
    .touched = supFatsTouched,
    .scratchSize = supFatsScratchSize,
    .apply = supApplyFats,
    .loop = &sup_fatLoop,
    .motion = &sup_fatMotion,
    .pictures = &sup_fatDrawing,
};
