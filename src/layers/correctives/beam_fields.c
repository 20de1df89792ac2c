// Supple: beams as a table of fields: names, units, ranges, defaults and words.
// SPDX-License-Identifier: MIT
#include "layers/correctives/beams.h"

#include "base/fields.h"
#include "supple/lab/items.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char* const sup_spaceNames[] = { "rest", "posed", NULL };
static const char* const sup_skinningNames[] = { "linear", "dualQuaternion", NULL };
static const char* const sup_useNames[] = { "correct", "carry", NULL };
static const char* const sup_endNames[] = { "joints", "poses", NULL };
static const char* const sup_betweenNames[] = { "smooth", "linear", NULL };

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supBeamPose, member, type, unit )

static const supField sup_poseFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ), .words = "What forces of this item call it by." },
    { SUP_FIELD( clip, sup_fieldName, "clip" ), .words = "The pose: this clip, at `time`." },
    { SUP_FIELD( time, sup_fieldFloat, "s" ), SUP_RANGE( -1e6f, 1e6f ), .words = "When in `clip`." },
    { SUP_FIELD( pose, sup_fieldPoints, "deg" ), SUP_RANGE( -720.0f, 720.0f ),
        .words = "The pose instead of a clip: for each of `joints` how it is turned against rest, an axis in its own "
                 "frame times the angle." },
    { SUP_FIELD( morph, sup_fieldName, "morph target" ),
        .words = "The shape: a morph target of the file (a shape key), which is what the skin needs before it is "
                 "posed. No shape at all: the smooth skin in the pose." },
    { SUP_FIELD( moves, sup_fieldMoves, "m" ), SUP_RANGE( -1e6f, 1e6f ),
        .words = "The shape: how far single vertices are moved, in the space that `space` says." },
    { SUP_FIELD( shape, sup_fieldShape, "OBJ" ),
        .words = "The shape: an OBJ file beside the rig with the same vertices in the same order, in the space that "
                 "`space` says." },
    { SUP_FIELD( space, sup_fieldEnum, "" ), .fallback = sup_exampleRest, .choices = sup_spaceNames,
        .words = "Whether `moves` and `shape` are those of the skin at rest, or as it is seen in the pose." },
    { SUP_FIELD( skinning, sup_fieldEnum, "" ), .fallback = sup_skinningLinear, .choices = sup_skinningNames,
        .words = "The skinning that a posed shape was sculpted upon." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), SUP_RANGE( -10.0f, 10.0f ), .fallback = 1.0f, .live = true,
        .words = "Times its forces." },
};

#undef SUP_FIELD
#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supBeamForce, member, type, unit )

static const supField sup_forceFields[] = {
    { SUP_FIELD( pose, sup_fieldName, "pose" ),
        .words = "It acts as much as this pose of the item has a share. Not given: always." },
    { SUP_FIELD( force, sup_fieldVec3, "size" ), SUP_RANGE( -10.0f, 10.0f ),
        .words = "How far it would move the middle of an even curve if it pulled on all of it." },
    { SUP_FIELD( from, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 1.0f ), .words = "Where along the part it begins." },
    { SUP_FIELD( to, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 1.0f ), .fallback = 1.0f,
        .words = "Where it ends; the same as `from`: all of it at one point." },
    { SUP_FIELD( angle, sup_fieldFloat, "deg" ), SUP_RANGE( -360.0f, 360.0f ), .fallback = NAN, .optional = true,
        .words = "Where around the part. Not given: all around." },
    { SUP_FIELD( spread, sup_fieldFloat, "deg" ), SUP_RANGE( 1.0f, 180.0f ), .fallback = 60.0f,
        .words = "How far to either side of `angle` it reaches, fading out." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), SUP_RANGE( -10.0f, 10.0f ), .fallback = 1.0f, .live = true,
        .words = "Times the force." },
};

static const supFieldTable sup_poseTable = { SUP_COUNT( sup_poseFields ), sup_poseFields, sizeof( supBeamPose ) };
static const supFieldTable sup_forceTable = { SUP_COUNT( sup_forceFields ), sup_forceFields, sizeof( supBeamForce ) };

#undef SUP_FIELD
#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supBeamsDef, member, type, unit )

static const supField sup_beamsFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ),
        .words = "What you call it; no two items may have the same. Not given: the first joint's name." },
    { SUP_FIELD( joints, sup_fieldNames, "joint" ),
        .words = "Joints whose rotations say how much of each pose there is: the elbow. At least one." },
    { SUP_FIELD( part, sup_fieldNames, "joint" ),
        .words =
            "Joints around whose skin the curves run, in any order: a chain, or a hand with all its fingers, which "
            "is split into patches. Not given: the first joint's parent and the joint." },
    { SUP_FIELD( poses, sup_fieldItems, "" ), .items = &sup_poseTable,
        .words = "Shapes in poses. Rest is one more, before all of them." },
    { SUP_FIELD( forces, sup_fieldItems, "" ), .items = &sup_forceTable,
        .words = "Forces beside those that hold the poses." },
    { SUP_FIELD( use, sup_fieldEnum, "" ), .fallback = sup_beamsCorrect, .choices = sup_useNames,
        .words = "correct: the curves correct the smooth skin. carry: they carry the skin by themselves, from pose to "
                 "pose." },
    { SUP_FIELD( ends, sup_fieldEnum, "" ), .fallback = sup_endsJoints, .choices = sup_endNames,
        .words = "joints: the ends of the curves are where the joints put them. poses: blended from those of the "
                 "poses." },
    { SUP_FIELD( between, sup_fieldEnum, "" ), .fallback = sup_betweenSmooth, .choices = sup_betweenNames,
        .words = "smooth: forces pass through those of the poses smoothly. linear: in straight lines from one pose of "
                 "the list to the next." },
    { SUP_FIELD( curves, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 3.0f, 1024.0f ), .fallback = 24.0f,
        .words = "How many curves run along the part." },
    { SUP_FIELD( nodes, sup_fieldFloat, "" ), .advanced = true, SUP_RANGE( 5.0f, 4096.0f ), .fallback = 31.0f,
        .words = "How many nodes a curve has: at least five." },
    { SUP_FIELD( a1, sup_fieldVec3, "" ), .advanced = true, SUP_RANGE( 1e-6f, 1e6f ), .fallback = 1.0f, .even = true,
        .words = "How stiff curves are against bending, for each coordinate." },
    { SUP_FIELD( a2, sup_fieldVec3, "" ), .advanced = true, SUP_RANGE( -1e9f, 1e9f ), .fallback = 0.0f, .even = true,
        .words = "How tight they are: below 0 pulled taut, above 0 pushed, up to where they would buckle, a little "
                 "below 39.48 times `a1` where the stiffness is even." },
    { SUP_FIELD( stiffness, sup_fieldKeys, "" ), .advanced = true, SUP_RANGE( 1e-3f, 1e3f ),
        .words = "Times `a1`, by the place along the part (0 to 1), in straight lines between the keys. None: even." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), SUP_RANGE( -10.0f, 10.0f ), .fallback = 1.0f, .live = true,
        .words = "How much of all of it." },
};

supBeamPose supDefaultBeamPose( void )
{
    supBeamPose pose;
    memset( &pose, 0, sizeof( pose ) );
    supFillDefaults( sup_poseFields, SUP_COUNT( sup_poseFields ), &pose );
    return pose;
}

supBeamForce supDefaultBeamForce( void )
{
    supBeamForce force;
    memset( &force, 0, sizeof( force ) );
    supFillDefaults( sup_forceFields, SUP_COUNT( sup_forceFields ), &force );
    return force;
}

supBeamsDef supDefaultBeamsDef( void )
{
    supBeamsDef def;
    memset( &def, 0, sizeof( def ) );
    supFillDefaults( sup_beamsFields, SUP_COUNT( sup_beamsFields ), &def );
    return def;
}

static supResult supCheckBeamPose( const supBeamsDef* def, const supBeamPose* pose, const char* place, supError* error )
{
    if ( ( pose->clip == NULL ) == ( pose->pose.count == 0 ) )
    {
        return supFail( error, sup_errorData, "%s: %s; give either a `clip` and a `time`, or a `pose` in degrees",
            place, pose->clip == NULL ? "it says no pose" : "it says two poses" );
    }
    if ( pose->clip == NULL && pose->pose.count != def->joints.count )
    {
        return supFail( error, sup_errorData, "%s.pose: %d rotations for %d joints; give one rotation for each joint",
            place, pose->pose.count, def->joints.count );
    }
    if ( pose->shape.file == NULL && pose->shape.count > 0 )
    {
        return supFail(
            error, sup_errorData, "%s.shape: it has points, but no file name; use `moves` for points", place );
    }
    bool hasShape = pose->morph != NULL || pose->moves.count > 0 || pose->shape.file != NULL;
    if ( !hasShape && def->use == sup_beamsCorrect )
    {
        return supFail( error, sup_errorData,
            "%s: it has no shape, so there is nothing to correct; give a `morph`, `moves` or a `shape`, or let curves \"carry\"",
            place );
    }
    return sup_success;
}

static supResult supCheckBeamForce(
    const supBeamsDef* def, const supBeamForce* force, const char* place, supError* error )
{
    const supBeamPose* poses = def->poses.items;
    bool known = force->pose == NULL;
    for ( int32_t e = 0; e < def->poses.count && !known; ++e )
    {
        known = poses[e].name != NULL && strcmp( poses[e].name, force->pose ) == 0;
    }
    if ( !known )
    {
        return supFail( error, sup_errorData, "%s.pose: no pose of this item is called \"%s\"", place, force->pose );
    }
    return force->from <= force->to ? sup_success
                                    : supFail( error, sup_errorData, "%s.to: must not be below from", place );
}

static supResult supCheckBeams( const void* item, const char* place, supError* error )
{
    const supBeamsDef* def = item;
    if ( def->joints.count == 0 )
    {
        return supFail( error, sup_errorData,
            "%s.joints: missing; name the joints whose rotations say how much of each pose there is", place );
    }
    if ( def->poses.count == 0 && def->forces.count == 0 )
    {
        return supFail( error, sup_errorData, "%s: it has neither poses nor forces; give one of them", place );
    }
    supResult result = sup_success;
    char inner[SUP_PATH_TEXT];
    for ( int32_t i = 0; i < def->poses.count && result == sup_success; ++i )
    {
        supPathText( inner, "%s.poses[%d]", place, i );
        result = supCheckBeamPose( def, (const supBeamPose*)def->poses.items + i, inner, error );
    }
    for ( int32_t i = 0; i < def->forces.count && result == sup_success; ++i )
    {
        supPathText( inner, "%s.forces[%d]", place, i );
        result = supCheckBeamForce( def, (const supBeamForce*)def->forces.items + i, inner, error );
    }
    return result;
}

static void supCompleteBeams( void* item )
{
    supBeamsDef* def = item;
    def->name = def->name != NULL ? def->name : def->joints.names[0];
}

static int32_t supBeamsTouched( const void* compiled, const int32_t** vertices )
{
    const supBeamsLayer* layer = compiled;
    *vertices = layer->held.touched;
    return layer->held.touchedCount;
}

static bool supBeamsReadSmooth( const void* compiled )
{
    return ( (const supBeamsLayer*)compiled )->carries;
}

static const char* const sup_beamsDrawNames[] = { "beams", NULL };

static const supLayerPictures sup_beamsDrawing = {
    .names = sup_beamsDrawNames,
    .draw = supDrawBeams,
};

const supLayer sup_beamsLayer = {
    .info = { .name = "beams",
        .key = "beams",
        .words =
            "Curves along a part of the body that bend as beams do: poses become forces, and the curves are solved "
            "in every frame.",
        .itemSize = sizeof( supBeamsDef ),
        .fieldCount = SUP_COUNT( sup_beamsFields ),
        .fields = sup_beamsFields },
    .nameOffset = offsetof( supBeamsDef, name ),
    .check = supCheckBeams,
    .complete = supCompleteBeams,
    .ignores = sup_ignoresElements | sup_ignoresMoved | sup_ignoresEarlier,
    .compile = supCompileBeams,
    .destroy = supDestroyBeams,
    .touched = supBeamsTouched,
    .wantsSmooth = true,
    .readsSmooth = supBeamsReadSmooth,
    .scratchSize = supBeamsScratch,
    .apply = supApplyBeams,
    .pictures = &sup_beamsDrawing,
};
