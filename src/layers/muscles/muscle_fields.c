// Muscles as tables of fields, and the layer itself.
// SPDX-License-Identifier: MIT

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/muscles/muscle_frame.h"
#include "layers/muscles/muscles.h"

#include <math.h>
#include <stddef.h>

#define SUP_POINT( member, fieldType, fieldUnit ) SUP_FIELD_OF( supMusclePoint, member, fieldType, fieldUnit )
#define SUP_FORCE( member, fieldType, fieldUnit ) SUP_FIELD_OF( supMuscleField, member, fieldType, fieldUnit )
#define SUP_FIELD( member, fieldType, fieldUnit ) SUP_FIELD_OF( supMuscleDef, member, fieldType, fieldUnit )

static const supField sup_pointFields[] = {
    { SUP_POINT( joint, sup_fieldName, "joint" ), .required = true, .words = "The joint that it follows." },
    { SUP_POINT( other, sup_fieldName, "joint" ),
        .words = "A second joint that it follows too: a point between two bones." },
    { SUP_POINT( share, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 1.0f ), .fallback = 0.5f,
        .words = "How much it follows the second joint." },
    { SUP_POINT( at, sup_fieldVec3, "size" ), SUP_RANGE( -10.0f, 10.0f ),
        .words = "Its place in the first joint's frame at rest." },
    { SUP_POINT( free, sup_fieldBool, "" ), .live = true,
        .words = "Goes where the line's springs and fields take it, instead of with its joint. The line's two ends are "
                 "bound in any case." },
    { SUP_POINT( stiffness, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 1e-4f, 1e7f ), .fallback = 1.0f,
        .live = true, .words = "Of the line from here to the next point, times the muscle's own." },
    { SUP_POINT( sharpness, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.01f, 100.0f ), .fallback = 1.0f,
        .live = true, .words = "Of the same stretch, times the muscle's own." },
};
static const supFieldTable sup_pointTable = { SUP_COUNT( sup_pointFields ), sup_pointFields, sizeof( supMusclePoint ) };

static const char* const sup_forceNames[] = { "ellipsoid", "metaball", NULL };

static const supField sup_forceFields[] = {
    { SUP_FORCE( joint, sup_fieldName, "joint" ), .required = true, .words = "The joint that it goes with." },
    { SUP_FORCE( center, sup_fieldVec3, "size" ), SUP_RANGE( -10.0f, 10.0f ),
        .words = "Its middle, in the joint's frame at rest." },
    { SUP_FORCE( radii, sup_fieldVec3, "size" ), SUP_RANGE( 1e-5f, 10.0f ), .fallback = 0.02f,
        .words = "Along its three axes." },
    { SUP_FORCE( turn, sup_fieldVec3, "deg" ), SUP_RANGE( -360.0f, 360.0f ),
        .words = "Of its axes against the joint's: a rotation vector." },
    { SUP_FORCE( kind, sup_fieldEnum, "" ), .fallback = sup_forceEllipsoid, .choices = sup_forceNames, .live = true,
        .words = "ellipsoid: pulls to its surface. metaball: pulls to its middle, by a density that ends at its "
                 "reach." },
    { SUP_FORCE( pull, sup_fieldFloat, "" ), SUP_RANGE( -1000.0f, 1000.0f ), .live = true,
        .words = "How strongly it attracts (above 0) or repels (below) free points, times the belly's stiffness." },
    { SUP_FORCE( reach, sup_fieldFloat, "" ), SUP_RANGE( 1.01f, 100.0f ), .fallback = 2.0f, .live = true,
        .words = "How far it acts, in its own radii." },
    { SUP_FORCE( solid, sup_fieldBool, "" ), .fallback = 1.0f, .live = true,
        .words = "Whether it keeps free points out." },
};
static const supFieldTable sup_forceTable = { SUP_COUNT( sup_forceFields ), sup_forceFields, sizeof( supMuscleField ) };

static const char* const sup_shapeNames[] = { "fusiform", "bellies", "flat", "mesh", "filler", NULL };
static const char* const sup_motionNames[] = { "relax", "swing", NULL };
static const char* const sup_gravityNames[] = { "relative", "plain", NULL };

static const supField sup_muscleFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ), .required = true,
        .words = "What you call it; no two muscles may have the same." },
    { SUP_FIELD( shape, sup_fieldEnum, "" ), .fallback = sup_muscleFusiform, .choices = sup_shapeNames,
        .words = "fusiform: one round belly. bellies: several side by side that run together. flat: broad and thin. "
                 "mesh: a mesh of yours. filler: no line; its fields fill a gap." },
    { SUP_FIELD( points, sup_fieldItems, "" ), .items = &sup_pointTable,
        .words = "The action line from origin to insertion: two points at least." },
    { SUP_FIELD( segments, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 63.0f ),
        .words = "How many the line is divided into. 0: eight, or as many as the points make." },
    { SUP_FIELD( fields, sup_fieldItems, "" ), .items = &sup_forceTable,
        .words = "Ellipsoids that pull the line, push it, or keep it out." },
    { SUP_FIELD( around, sup_fieldNames, "muscle" ), .advanced = true,
        .words = "Muscles and fillers whose fields act on this line too." },
    { SUP_FIELD( radius, sup_fieldLength, "size" ), SUP_RANGE( 1e-5f, 1.0f ), .fallback = 0.015f,
        .words = "Half the belly's thickness." },
    { SUP_FIELD( width, sup_fieldLength, "size" ), SUP_RANGE( 1e-5f, 1.0f ), .fallback = NAN, .optional = true,
        .words = "Half the belly's breadth. Not given: the radius; where it is flat, its spread." },
    { SUP_FIELD( tendonRadius, sup_fieldLength, "size" ), SUP_RANGE( 1e-6f, 1.0f ), .fallback = 0.003f,
        .words = "Half the tendons' thickness." },
    { SUP_FIELD( tendonFrom, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 0.9f ), .fallback = 0.1f,
        .words = "Length of the tendon at the origin, as a share of the line's." },
    { SUP_FIELD( tendonTo, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 0.9f ), .fallback = 0.1f,
        .words = "Length of the tendon at the insertion, as a share of the line's." },
    { SUP_FIELD( belly, sup_fieldFloat, "" ), SUP_RANGE( 0.05f, 0.95f ), .fallback = 0.5f,
        .words = "Where between the tendons the belly is thickest." },
    { SUP_FIELD( bellies, sup_fieldFloat, "" ), SUP_RANGE( 1.0f, 16.0f ), .fallback = 3.0f,
        .words = "How many, for the shape of that name." },
    { SUP_FIELD( spreadFrom, sup_fieldLength, "size" ), SUP_RANGE( 0.0f, 1.0f ), .fallback = 0.05f,
        .words = "Half the breadth over which bellies, or a flat muscle, begin at the origin." },
    { SUP_FIELD( spreadTo, sup_fieldLength, "size" ), SUP_RANGE( 0.0f, 1.0f ), .fallback = 0.01f,
        .words = "Half the breadth over which they end at the insertion." },
    { SUP_FIELD( wide, sup_fieldVec3, "" ), SUP_RANGE( -1000.0f, 1000.0f ),
        .words = "The way of the breadth, in the first point's frame at rest. [0, 0, 0]: across the line and the way "
                 "from the joint." },
    { SUP_FIELD( mesh, sup_fieldShape, "" ),
        .words = "An OBJ file beside the rig, in model space at rest: the shape." },
    { SUP_FIELD( sharpness, sup_fieldFloat, "" ), SUP_RANGE( 0.01f, 100.0f ), .fallback = 1.0f, .live = true,
        .words = "How clearly the belly stands out where muscles blend." },
    { SUP_FIELD( tendonSharpness, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.01f, 100.0f ), .fallback = 4.0f,
        .live = true, .words = "How clearly the tendons do." },

    { SUP_FIELD( motion, sup_fieldEnum, "" ), .fallback = sup_lineRelax, .choices = sup_motionNames, .live = true,
        .words = "relax: in balance at every posture. swing: with its mass, by a motion of its own." },
    { SUP_FIELD( free, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 1.0f ), .fallback = 1.0f, .live = true,
        .words = "How much of their way free points go. 0: all follow their joints." },
    { SUP_FIELD( freeFrom, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 1.0f ), .live = true,
        .words = "Points before this place along the line are bound." },
    { SUP_FIELD( freeTo, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 1.0f ), .fallback = 1.0f,
        .live = true, .words = "Points after this place along the line are bound." },
    { SUP_FIELD( frequency, sup_fieldFloat, "Hz" ), SUP_RANGE( 0.01f, 1000.0f ), .fallback = 5.0f, .live = true,
        .words = "Of the muscle's mass on its belly's spring: how firm it is." },
    { SUP_FIELD( stiffness, sup_fieldFloat, "N/m" ), .advanced = true, SUP_RANGE( 1e-3f, 1e9f ), .fallback = NAN,
        .optional = true, .live = true, .words = "Of the belly along its line. Not given: from frequency and mass." },
    { SUP_FIELD( tendonStiffness, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 1.0f, 1e6f ), .fallback = 50.0f,
        .live = true, .words = "Of the tendons, length by length, times that of the belly." },
    { SUP_FIELD( slack, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 1.0f ), .fallback = 0.5f, .live = true,
        .words = "The length at which the belly pulls no more, as a share of that at rest. 1: no tension at rest." },
    { SUP_FIELD( hold, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 1e6f ), .fallback = 4.0f, .live = true,
        .words = "How strongly free points are held beside their bones (they slide along the line freely), times the "
                 "stiffness." },
    { SUP_FIELD( dampingRatio, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 100.0f ), .fallback = 0.7f, .live = true,
        .words = "How soon swinging comes to rest." },
    { SUP_FIELD( density, sup_fieldFloat, "kg/m^3" ), SUP_RANGE( 1.0f, 1e5f ), .fallback = 1060.0f, .live = true,
        .words = "Of the muscle." },
    { SUP_FIELD( gravity, sup_fieldEnum, "" ), .fallback = sup_gravityRelative, .choices = sup_gravityNames,
        .live = true, .words = "relative: at rest it hangs as modelled. plain: all of it, always." },
    { SUP_FIELD( gravityScale, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 100.0f ), .fallback = 1.0f,
        .live = true, .words = "Times the rig's gravity." },
    { SUP_FIELD( tension, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 1.0f ), .fallback = 0.5f, .live = true,
        .words = "Isometric tension: takes this much of gravity away." },
    { SUP_FIELD( fieldScale, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 1000.0f ), .fallback = 1.0f,
        .live = true, .words = "Times the pull of all fields." },

    { SUP_FIELD( contraction, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 1.0f ), .live = true,
        .words = "Isometric contraction: bulges without shortening. The modelled body is taken for relaxed." },
    { SUP_FIELD( activation, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 100.0f ), .live = true,
        .words = "Contracts by itself while the joints shorten it: this much for one length of its belly a second." },
    { SUP_FIELD( holding, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 100.0f ), .live = true,
        .words = "Contracts by itself as long as it is held shorter than at rest: this much for one length of its "
                 "belly." },
    { SUP_FIELD( activationTime, sup_fieldFloat, "s" ), .advanced = true, SUP_RANGE( 0.0f, 10.0f ), .fallback = 0.1f,
        .live = true, .words = "How long it takes to tense and to let go." },
    { SUP_FIELD( widening, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 4.0f ), .fallback = 1.0f,
        .live = true, .words = "How much it widens where it shortens. 1 keeps its volume." },
    { SUP_FIELD( twist, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 1.0f ), .fallback = 1.0f, .live = true,
        .words = "How much its sections turn with the bone at the insertion. 0: none, carried along without twist." },
    { SUP_FIELD( swell, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 10.0f ), .fallback = 1.0f, .live = true,
        .words = "Times its radii." },
};

supMuscleDef supDefaultMuscleDef( void )
{
    supMuscleDef def = { 0 };
    supFillDefaults( sup_muscleFields, SUP_COUNT( sup_muscleFields ), &def );
    return def;
}

supMusclePoint supDefaultMusclePoint( void )
{
    supMusclePoint point = { 0 };
    supFillDefaults( sup_pointFields, SUP_COUNT( sup_pointFields ), &point );
    return point;
}

supMuscleField supDefaultMuscleField( void )
{
    supMuscleField field = { 0 };
    supFillDefaults( sup_forceFields, SUP_COUNT( sup_forceFields ), &field );
    return field;
}

/// What the table cannot say.
static supResult supCheckMuscle( const void* item, const char* place, supError* error )
{
    const supMuscleDef* def = item;
    if ( def->shape == sup_muscleFiller )
    {
        return def->fields.count > 0
                   ? sup_success
                   : supFail( error, sup_errorData, "%s.fields: missing; a filler is made of fields", place );
    }
    if ( def->points.count < 2 )
    {
        return supFail( error, sup_errorData,
            "%s.points: %d given; a line needs at least two, its origin and its insertion", place, def->points.count );
    }
    if ( def->points.count > sup_mostLineVertices )
    {
        return supFail( error, sup_errorLimit, "%s.points: %d given; a line has at most %d", place, def->points.count,
            sup_mostLineVertices );
    }
    if ( def->tendonFrom + def->tendonTo > 0.95f )
    {
        return supFail( error, sup_errorData,
            "%s.tendonTo: both tendons together take %g of the line; at most 0.95 is allowed, since the rest is belly",
            place, (double)( def->tendonFrom + def->tendonTo ) );
    }
    bool noMesh = def->shape == sup_muscleMesh && def->mesh.file == NULL && def->mesh.count == 0;
    return noMesh ? supFail( error, sup_errorData, "%s.mesh: missing; name the OBJ file of its shape", place )
                  : sup_success;
}

static void supDestroyMuscles( void* compiled, const supAllocator* allocator )
{
    supFree( allocator, compiled, ( (supMuscles*)compiled )->blockSize );
}

static int32_t supMusclesTouched( const void* compiled, const int32_t** vertices )
{
    (void)compiled;
    *vertices = NULL;
    return 0;
}

/// Muscles are beneath the skin: whoever carries it on them is a layer after this one.
static void supApplyMuscles( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    (void)compiled;
    (void)frame;
    (void)shown;
    (void)positions;
}

static size_t supMusclesScratch( const void* compiled )
{
    return supMuscleFrame_Size( compiled );
}

static const char* const sup_muscleDrawNames[] = { "muscles", "lines", "fields", NULL };

static const supLayerMotion sup_musclesMotion = {
    .shownCount = supMusclesShownCount,
    .stateSize = supMusclesStateSize,
    .reset = supResetMuscles,
    .step = supStepMuscles,
    .teleport = supTeleportMuscles,
    .adopt = supAdoptMuscles,
    .isAtRest = supMusclesAreAtRest,
    .tuned = supTunedMuscle,
};

static const supLayerTension sup_musclesTension = {
    .count = supTensingMuscleCount,
    .name = supTensingMuscleName,
    .distances = supMuscleDistances,
    .tensions = supMuscleTensions,
};

static const supLayerPictures sup_musclesDrawing = {
    .names = sup_muscleDrawNames,
    .draw = supDrawMuscles,
};

const supLayer sup_musclesLayer = {
    .info = { .name = "muscles",
        .key = "muscles",
        .words = "Muscles: forms on action lines that run from bone to bone.",
        .itemSize = sizeof( supMuscleDef ),
        .fieldCount = SUP_COUNT( sup_muscleFields ),
        .fields = sup_muscleFields },
    .nameOffset = offsetof( supMuscleDef, name ),
    .check = supCheckMuscle,
    .ignores = sup_ignoresElements | sup_ignoresMoved | sup_ignoresEarlier,
    .compile = supCompileMuscles,
    .destroy = supDestroyMuscles,
    .touched = supMusclesTouched,
    .scratchSize = supMusclesScratch,
    .apply = supApplyMuscles,
    .motion = &sup_musclesMotion,
    .tension = &sup_musclesTension,
    .pictures = &sup_musclesDrawing,
};
