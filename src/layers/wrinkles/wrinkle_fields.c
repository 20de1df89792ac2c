// Wrinkles as a table of fields.
// SPDX-License-Identifier: MIT

#include "base/fields.h"
#include "layers/wrinkles/wrinkles.h"

#include <stddef.h>

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supWrinkleDef, member, type, unit )

static const supField sup_wrinkleFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ),
        .words = "What you call it; no two wrinkles may have the same. Not given: the joint's name, or \"wrinkles\"." },
    { SUP_FIELD( joint, sup_fieldName, "joint" ),
        .words =
            "The joint in whose frame the points are, at rest; without points, the joint whose skin is searched. Not "
            "given: model space, all skin." },
    { SUP_FIELD( points, sup_fieldPoints, "size" ), SUP_RANGE( -10.0f, 10.0f ),
        .words = "The control line, from point to point, near the surface; folds stand across it. Not given: where the "
                 "surface shortens most over the clips." },
    { SUP_FIELD( vertices, sup_fieldPaint, "" ), SUP_RANGE( 0.0f, 1.0f ),
        .words = "Instead of points: vertices that the control line runs over, by rising value from 0 to 1." },
    { SUP_FIELD( length, sup_fieldLength, "size" ), SUP_RANGE( 1e-4f, 10.0f ), .fallback = 0.15f,
        .words = "Of a line that is found; shorter where the surface loses less than a third of the most." },
    { SUP_FIELD( meshes, sup_fieldNames, "mesh" ),
        .words = "Meshes that it lies on, skin or garments. Not given: all." },
    { SUP_FIELD( width, sup_fieldLength, "size" ), SUP_RANGE( 1e-4f, 10.0f ), .fallback = 0.05f,
        .words = "How far to both sides of the line the folds reach, fading out." },
    { SUP_FIELD( folds, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, (float)supMostFolds ), .fallback = 0.0f,
        .words = "How many folds along the line. 0: as many as have four edges of the mesh each, 6 at most." },
    { SUP_FIELD( height, sup_fieldFloat, "" ), SUP_RANGE( 0.0f, 2.0f ), .fallback = 1.0f, .live = true,
        .words = "Times the height that keeps the line as long as it is at rest." },
};

supWrinkleDef supDefaultWrinkleDef( void )
{
    supWrinkleDef def = { 0 };
    supFillDefaults( sup_wrinkleFields, SUP_COUNT( sup_wrinkleFields ), &def );
    return def;
}

static supResult supCheckWrinkle( const void* item, const char* place, supError* error )
{
    const supWrinkleDef* def = item;
    int32_t vertices = 0;
    for ( int32_t i = 0; i < def->vertices.count; ++i )
    {
        vertices += def->vertices.meshes[i].count;
    }
    if ( def->points.count == 1 )
    {
        return supFail( error, sup_errorData, "%s.points: one point makes no line; give at least two, or none", place );
    }
    if ( vertices == 1 || ( vertices == 0 && def->vertices.count > 0 ) )
    {
        return supFail(
            error, sup_errorData, "%s.vertices: %d makes no line; give at least two, or none", place, vertices );
    }
    return vertices > 0 && def->points.count > 0
               ? supFail( error, sup_errorData, "%s.vertices: `points` are given too; give only one of the two", place )
               : sup_success;
}

static void supCompleteWrinkle( void* item )
{
    supWrinkleDef* def = item;
    def->name = def->name != NULL ? def->name : def->joint != NULL ? def->joint : "wrinkles";
}

static const char* const sup_wrinklePictures[] = { "wrinkles", NULL };

static const supLayerPictures sup_wrinklesDrawing = {
    .names = sup_wrinklePictures,
    .draw = supDrawWrinkles,
};

const supLayer sup_wrinklesLayer = {
    .info = { .name = "wrinkles",
        .key = "wrinkles",
        .words = "Folds across a control line on skin or garments, where the surface beneath shortens.",
        .itemSize = sizeof( supWrinkleDef ),
        .fieldCount = SUP_COUNT( sup_wrinkleFields ),
        .fields = sup_wrinkleFields },
    .nameOffset = offsetof( supWrinkleDef, name ),
    .check = supCheckWrinkle,
    .complete = supCompleteWrinkle,
    .ignores = sup_ignoresElements | sup_ignoresMoved | sup_ignoresEarlier,
    .compile = supCompileWrinkles,
    .destroy = supDestroyWrinkles,
    .touched = supWrinklesTouched,
    .scratchSize = supWrinklesScratch,
    .apply = supApplyWrinkles,
    .pictures = &sup_wrinklesDrawing,
};
