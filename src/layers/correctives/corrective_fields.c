// Supple: examples as a table of fields: names, units, ranges, defaults and words.
// SPDX-License-Identifier: MIT
#include "layers/correctives/correctives.h"

#include "base/fields.h"
#include "supple/lab/items.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supExampleDef, member, type, unit )

static const char* const sup_spaceNames[] = { "rest", "posed", NULL };
static const char* const sup_skinningNames[] = { "linear", "dualQuaternion", NULL };

static const supField sup_exampleFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ),
        .words = "What you call it; no two examples may have the same. Not given: the first joint's name." },
    { SUP_FIELD( joints, sup_fieldNames, "joint" ),
        .words = "Joints whose rotations call for this example: the elbow. Every example must have one at least; those "
                 "with the same joints share the poses among them." },
    { SUP_FIELD( part, sup_fieldNames, "joint" ),
        .words =
            "Joints around whose skin the curves run, in any order: a chain, or a hand with all its fingers, which "
            "is split into patches. Not given: the first joint's parent and the joint." },
    { SUP_FIELD( clip, sup_fieldName, "clip" ), .words = "The pose of the example: this clip, at `time`." },
    { SUP_FIELD( time, sup_fieldFloat, "s" ), SUP_RANGE( -1e6f, 1e6f ), .words = "When in `clip`." },
    { SUP_FIELD( pose, sup_fieldPoints, "deg" ), SUP_RANGE( -720.0f, 720.0f ),
        .words = "The pose instead of a clip: for each of `joints` how it is turned against rest, an axis in its own "
                 "frame times the angle." },
    { SUP_FIELD( morph, sup_fieldName, "morph target" ),
        .words = "The shape: a morph target of the file (a shape key), which is what the skin needs before it is "
                 "posed." },
    { SUP_FIELD( moves, sup_fieldMoves, "m" ), SUP_RANGE( -1e6f, 1e6f ),
        .words = "The shape: how far single vertices are moved, in the space that `space` says." },
    { SUP_FIELD( shape, sup_fieldShape, "OBJ" ),
        .words = "The shape: an OBJ file beside the rig with the same vertices in the same order, in the space that "
                 "`space` says." },
    { SUP_FIELD( space, sup_fieldEnum, "" ), .fallback = sup_exampleRest, .choices = sup_spaceNames,
        .words = "Whether `moves` and `shape` are those of the skin at rest, or as it is seen in the pose." },
    { SUP_FIELD( skinning, sup_fieldEnum, "" ), .fallback = sup_skinningLinear, .choices = sup_skinningNames,
        .words = "The skinning that a posed shape was sculpted upon." },
    { SUP_FIELD( force, sup_fieldVec3, "size" ), SUP_RANGE( -10.0f, 10.0f ),
        .words = "A force on the curves, in the rest pose: how far it would move the middle of a curve if it pulled on "
                 "all of it." },
    { SUP_FIELD( forceFrom, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 1.0f ),
        .words = "Where along the part the force begins." },
    { SUP_FIELD( forceTo, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 0.0f, 1.0f ), .fallback = 1.0f,
        .words = "Where it ends; the same as `forceFrom`: all of it at one point." },
    { SUP_FIELD( forceAngle, sup_fieldFloat, "deg" ), .advanced = true, SUP_RANGE( -360.0f, 360.0f ), .fallback = NAN,
        .optional = true, .words = "Where around the part. Not given: all around." },
    { SUP_FIELD( forceSpread, sup_fieldFloat, "deg" ), .advanced = true, SUP_RANGE( 1.0f, 180.0f ), .fallback = 60.0f,
        .words = "How far to either side of `forceAngle` it reaches, fading out." },
    { SUP_FIELD( curves, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 3.0f, 1024.0f ), .fallback = 24.0f,
        .words = "How many curves run along the part." },
    { SUP_FIELD( nodes, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 5.0f, 4096.0f ), .fallback = 31.0f,
        .words = "How many nodes a curve has: at least five." },
    { SUP_FIELD( a1, sup_fieldVec3, "" ), .advanced = true, SUP_RANGE( 1e-6f, 1e6f ), .fallback = 1.0f, .even = true,
        .words = "How stiff curves are against bending, for each coordinate." },
    { SUP_FIELD( a2, sup_fieldVec3, "" ), .advanced = true, SUP_RANGE( -1e9f, 1e9f ), .fallback = 0.0f, .even = true,
        .words = "How tight they are: below 0 pulled taut, above 0 pushed, up to where they would buckle, a little "
                 "below 39.48 times `a1`." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), SUP_RANGE( -10.0f, 10.0f ), .fallback = 1.0f, .live = true,
        .words = "How much of it: 0 none, 1 as it was sculpted, more exaggerates." },
};

supExampleDef supDefaultExampleDef( void )
{
    supExampleDef def;
    memset( &def, 0, sizeof( def ) );
    supFillDefaults( sup_exampleFields, SUP_COUNT( sup_exampleFields ), &def );
    return def;
}

static supResult supCheckExample( const void* item, const char* place, supError* error )
{
    const supExampleDef* def = item;
    if ( def->joints.count == 0 )
    {
        return supFail(
            error, sup_errorData, "%s.joints: missing; name the joints whose rotations call for this example", place );
    }
    if ( ( def->clip == NULL ) == ( def->pose.count == 0 ) )
    {
        return supFail( error, sup_errorData, "%s: %s; give either a `clip` and a `time`, or a `pose` in degrees",
            place, def->clip == NULL ? "it has no pose" : "it has two poses" );
    }
    if ( def->clip == NULL && def->pose.count != def->joints.count )
    {
        return supFail( error, sup_errorData, "%s.pose: %d rotations for %d joints; give one rotation for each joint",
            place, def->pose.count, def->joints.count );
    }
    bool isForced = def->force.x != 0.0f || def->force.y != 0.0f || def->force.z != 0.0f;
    bool hasShape = def->morph != NULL || def->moves.count > 0 || def->shape.file != NULL;
    if ( def->shape.file == NULL && def->shape.count > 0 )
    {
        return supFail(
            error, sup_errorData, "%s.shape: it has points, but no file name; use `moves` for points", place );
    }
    if ( !isForced && !hasShape )
    {
        return supFail(
            error, sup_errorData, "%s: it has no shape; give a `morph`, `moves`, a `shape` or a `force`", place );
    }
    if ( def->forceFrom > def->forceTo )
    {
        return supFail( error, sup_errorData, "%s.forceTo: must not be below forceFrom", place );
    }
    return sup_success;
}

static void supCompleteExample( void* item )
{
    supExampleDef* def = item;
    def->name = def->name != NULL ? def->name : def->joints.names[0];
}

static int32_t supCorrectivesTouched( const void* compiled, const int32_t** vertices )
{
    const supCorrectives* correctives = compiled;
    *vertices = correctives->held.touched;
    return correctives->held.touchedCount;
}

static const char* const sup_correctivesDrawNames[] = { "correctives", NULL };

static const supLayerPictures sup_correctivesDrawing = {
    .names = sup_correctivesDrawNames,
    .draw = supDrawCorrectives,
};

const supLayer sup_correctivesLayer = {
    .info = { .name = "correctives",
        .key = "examples",
        .words = "Examples: how the skin should look in a few poses, sculpted; they correct every pose.",
        .itemSize = sizeof( supExampleDef ),
        .fieldCount = SUP_COUNT( sup_exampleFields ),
        .fields = sup_exampleFields },
    .nameOffset = offsetof( supExampleDef, name ),
    .check = supCheckExample,
    .complete = supCompleteExample,
    .ignores = sup_ignoresElements | sup_ignoresMoved | sup_ignoresEarlier,
    .compile = supCompileCorrectives,
    .destroy = supDestroyCorrectives,
    .touched = supCorrectivesTouched,
    .scratchSize = supCorrectivesScratch,
    .apply = supApplyCorrectives,
    .pictures = &sup_correctivesDrawing,
};
