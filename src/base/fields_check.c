// Supple: tables of fields: checks with places.
// SPDX-License-Identifier: MIT
#include "base/fields.h"
#include "base/number_text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Coordinates of points are shares of the model's size: farther out than this is a slip of units.
#define SUP_FARTHEST_SHARE 10.0f

/// Where a check stands and where its words go.
typedef struct supChecker
{
    const supField* field;
    const char* place;
    supError* error;
} supChecker;

static supResult supFailRange( const supChecker* at, const char* part, float value, float limit, const char* side )
{
    char valueText[SUP_FLOAT_TEXT], limitText[SUP_FLOAT_TEXT];
    const char* unit = at->field->unit;
    bool isShare = strcmp( unit, "size" ) == 0;
    return supFail( at->error, sup_errorData, "%s.%s%s: %s is %s %s%s%s", at->place, at->field->name, part,
        supFloatText( value, valueText ), side, supFloatText( limit, limitText ), unit[0] != '\0' ? " " : "",
        isShare ? "of the model's size" : unit );
}

// `part`: what follows the field's name, "[3]".
static supResult supCheckNumber( const supChecker* at, const char* part, float value, float lower, float upper )
{
    if ( isnan( value ) )
    {
        return supFail( at->error, sup_errorData, "%s.%s%s: not a number", at->place, at->field->name, part );
    }
    if ( value < lower )
    {
        return supFailRange( at, part, value, lower, "below" );
    }
    return value > upper ? supFailRange( at, part, value, upper, "above" ) : sup_success;
}

static supResult supCheckFloat( const supChecker* at, float value )
{
    if ( at->field->optional && isnan( value ) )
    {
        return sup_success;
    }
    return supCheckNumber( at, "", value, at->field->minimum, at->field->maximum );
}

static supResult supCheckVec3( const supChecker* at, const char* part, supVec3 value, float lower, float upper )
{
    const float values[3] = { value.x, value.y, value.z };
    for ( int i = 0; i < 3; ++i )
    {
        char place[SUP_PLACE_TEXT];
        supPlaceText( place, "%s[%d]", part, i );
        supResult result = supCheckNumber( at, place, values[i], lower, upper );
        if ( result != sup_success )
        {
            return result;
        }
    }
    return sup_success;
}

static supResult supCheckEnum( const supChecker* at, int32_t value )
{
    int32_t count = 0;
    while ( at->field->choices[count] != NULL )
    {
        count += 1;
    }
    if ( value >= 0 && value < count )
    {
        return sup_success;
    }
    return supFail( at->error, sup_errorData, "%s.%s: choice %d of %d", at->place, at->field->name, value, count );
}

bool supIsUtf8( const char* text )
{
    const unsigned char* at = (const unsigned char*)text;
    while ( *at != 0 )
    {
        if ( *at < 0x80u )
        {
            at += 1;
            continue;
        }
        int more = *at >= 0xF0u ? 3 : *at >= 0xE0u ? 2 : 1;
        uint32_t code = *at & ( 0x3Fu >> more );
        if ( *at < 0xC2u || *at > 0xF4u )
        {
            return false;
        }
        for ( int i = 1; i <= more; ++i )
        {
            if ( ( at[i] & 0xC0u ) != 0x80u )
            {
                return false;
            }
            code = code << 6 | ( at[i] & 0x3Fu );
        }
        bool tooLong = ( more == 2 && code < 0x800u ) || ( more == 3 && code < 0x10000u );
        if ( tooLong || code > 0x10FFFFu || ( code >= 0xD800u && code <= 0xDFFFu ) )
        {
            return false;
        }
        at += 1 + more;
    }
    return true;
}

static supResult supCheckText( const supChecker* at, const char* part, const char* text )
{
    if ( text == NULL || text[0] == '\0' )
    {
        return supFail( at->error, sup_errorData, "%s.%s%s: an empty name", at->place, at->field->name, part );
    }
    if ( !supIsUtf8( text ) )
    {
        return supFail( at->error, sup_errorData, "%s.%s%s: not UTF-8", at->place, at->field->name, part );
    }
    return sup_success;
}

static supResult supCheckName( const supChecker* at, const char* name )
{
    if ( name != NULL )
    {
        return supCheckText( at, "", name );
    }
    return at->field->required
               ? supFail( at->error, sup_errorData, "%s.%s: missing: %s", at->place, at->field->name, at->field->words )
               : sup_success;
}

static supResult supCheckCount( const supChecker* at, const char* part, int32_t count, const void* data )
{
    if ( count < 0 || ( count > 0 && data == NULL ) )
    {
        return supFail( at->error, sup_errorArgument, "%s.%s%s: a list of %d without its data", at->place,
            at->field->name, part, count );
    }
    return sup_success;
}

static supResult supCheckNames( const supChecker* at, const supNameList* list )
{
    supResult result = supCheckCount( at, "", list->count, list->names );
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        char part[SUP_PLACE_TEXT];
        supPlaceText( part, "[%d]", i );
        result = supCheckText( at, part, list->names[i] );
    }
    return result;
}

static supResult supCheckKeys( const supChecker* at, const supKeyList* list )
{
    supResult result = supCheckCount( at, "", list->count, list->pairs );
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        char part[SUP_PLACE_TEXT];
        const float* pair = list->pairs + 2 * (size_t)i;
        supPlaceText( part, "[%d][0]", i );
        if ( !isfinite( pair[0] ) )
        {
            return supFail( at->error, sup_errorData, "%s.%s%s: not a number", at->place, at->field->name, part );
        }
        if ( i > 0 && !( pair[0] > pair[-2] ) )
        {
            char texts[2][SUP_FLOAT_TEXT];
            return supFail( at->error, sup_errorData, "%s.%s%s: %s does not come after %s; positions must rise",
                at->place, at->field->name, part, supFloatText( pair[0], texts[0] ),
                supFloatText( pair[-2], texts[1] ) );
        }
        supPlaceText( part, "[%d][1]", i );
        result = supCheckNumber( at, part, pair[1], at->field->minimum, at->field->maximum );
    }
    return result;
}

// Vertices rise, so that none is listed twice.
static supResult supCheckPaintVertices( const supChecker* at, int32_t index, const supPaint* paint )
{
    char part[SUP_PLACE_TEXT];
    assert( paint->count == 0 || ( paint->vertices != NULL && paint->values != NULL ) );
    for ( int32_t i = 0; i < paint->count; ++i )
    {
        int32_t vertex = paint->vertices[i];
        if ( vertex < 0 || ( i > 0 && vertex <= paint->vertices[i - 1] ) )
        {
            return supFail( at->error, sup_errorData,
                "%s.%s.meshes[%d].vertices[%d]: %d; vertices must rise from 0, each once", at->place, at->field->name,
                index, i, vertex );
        }
        float value = paint->values[i];
        if ( !( value >= at->field->minimum && value <= at->field->maximum ) )
        {
            supPlaceText( part, ".meshes[%d].values[%d]", index, i );
            return supCheckNumber( at, part, value, at->field->minimum, at->field->maximum );
        }
    }
    return sup_success;
}

static supResult supCheckPaint( const supChecker* at, const supPaintList* list )
{
    supResult result = supCheckCount( at, "", list->count, list->paints );
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        const supPaint* paint = list->paints + i;
        char part[SUP_PLACE_TEXT];
        supPlaceText( part, ".meshes[%d].mesh", i );
        result = supCheckText( at, part, paint->mesh );
        if ( result == sup_success && paint->meshIndex < 0 )
        {
            return supFail( at->error, sup_errorData, "%s.%s.meshes[%d].index: %d is below 0", at->place,
                at->field->name, i, paint->meshIndex );
        }
        supPlaceText( part, ".meshes[%d]", i );
        const void* data = paint->vertices != NULL ? paint->values : NULL;
        result = result == sup_success ? supCheckCount( at, part, paint->count, data ) : result;
        result = result == sup_success ? supCheckPaintVertices( at, i, paint ) : result;
    }
    return result;
}

static supResult supCheckSpheres( const supChecker* at, const supSphereList* list )
{
    supResult result = supCheckCount( at, "", list->count, list->spheres );
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        char part[SUP_PLACE_TEXT];
        const supSphere* sphere = list->spheres + i;
        supPlaceText( part, "[%d].center", i );
        result = supCheckVec3( at, part, sphere->center, -SUP_FARTHEST_SHARE, SUP_FARTHEST_SHARE );
        supPlaceText( part, "[%d].radius", i );
        result = result == sup_success
                     ? supCheckNumber( at, part, sphere->radius, at->field->minimum, at->field->maximum )
                     : result;
    }
    return result;
}

static supResult supCheckPoints( const supChecker* at, const supPointList* list )
{
    supResult result = supCheckCount( at, "", list->count, list->points );
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        char part[SUP_PLACE_TEXT];
        supPlaceText( part, "[%d]", i );
        result = supCheckVec3( at, part, list->points[i], at->field->minimum, at->field->maximum );
    }
    return result;
}

// Vertices rise, so that none is listed twice.
static supResult supCheckMovedVertices( const supChecker* at, int32_t index, const supMoves* moves )
{
    char part[SUP_PLACE_TEXT];
    supPlaceText( part, ".meshes[%d]", index );
    supResult result = supCheckCount( at, part, moves->count, moves->vertices != NULL ? moves->moves : NULL );
    for ( int32_t i = 0; i < moves->count && result == sup_success; ++i )
    {
        int32_t vertex = moves->vertices[i];
        if ( vertex < 0 || ( i > 0 && vertex <= moves->vertices[i - 1] ) )
        {
            return supFail( at->error, sup_errorData,
                "%s.%s.meshes[%d].vertices[%d]: %d; vertices must rise from 0, each once", at->place, at->field->name,
                index, i, vertex );
        }
        supPlaceText( part, ".meshes[%d].moves[%d]", index, i );
        result = supCheckVec3( at, part, moves->moves[i], at->field->minimum, at->field->maximum );
    }
    return result;
}

static supResult supCheckMoves( const supChecker* at, const supMoveList* list )
{
    supResult result = supCheckCount( at, "", list->count, list->meshes );
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        const supMoves* moves = list->meshes + i;
        char part[SUP_PLACE_TEXT];
        supPlaceText( part, ".meshes[%d].mesh", i );
        result = supCheckText( at, part, moves->mesh );
        if ( result == sup_success && moves->meshIndex < 0 )
        {
            return supFail( at->error, sup_errorData, "%s.%s.meshes[%d].index: %d is below 0", at->place,
                at->field->name, i, moves->meshIndex );
        }
        result = result == sup_success ? supCheckMovedVertices( at, i, moves ) : result;
    }
    return result;
}

static supResult supCheckShape( const supChecker* at, const supSculpt* shape )
{
    supResult result = supCheckCount( at, "", shape->count, shape->points );
    result = result == sup_success && shape->file != NULL ? supCheckText( at, "", shape->file ) : result;
    for ( int32_t i = 0; shape->corners != NULL && i < 3 * shape->triangleCount && result == sup_success; ++i )
    {
        if ( shape->corners[i] < 0 || shape->corners[i] >= shape->count )
        {
            return supFail( at->error, sup_errorData, "%s.%s: triangle %d has vertex %d, there are %d", at->place,
                at->field->name, i / 3, shape->corners[i], shape->count );
        }
    }
    for ( int32_t i = 0; i < shape->count && result == sup_success; ++i )
    {
        const supVec3 p = shape->points[i];
        if ( !isfinite( p.x ) || !isfinite( p.y ) || !isfinite( p.z ) )
        {
            return supFail( at->error, sup_errorData, "%s.%s: vertex %d (%s) is not finite", at->place, at->field->name,
                i, shape->file != NULL ? shape->file : "given" );
        }
    }
    return result;
}

static supResult supCheckItems( const supChecker* at, const supItemList* list )
{
    const supFieldTable* table = at->field->items;
    supResult result = supCheckCount( at, "", list->count, list->items );
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        char place[SUP_PLACE_TEXT];
        supPlaceText( place, "%s.%s[%d]", at->place, at->field->name, i );
        result = supCheckFields(
            table->fields, table->count, (const char*)list->items + (size_t)i * table->itemSize, place, at->error );
    }
    return result;
}

static supResult supCheckField( const supChecker* at, const void* value )
{
    const supField* field = at->field;
    switch ( field->type )
    {
        case sup_fieldBool:
            return sup_success;
        case sup_fieldFloat:
        case sup_fieldLength:
            return supCheckFloat( at, *(const float*)value );
        case sup_fieldVec3:
        {
            const supVec3* v = value;
            bool given = !( field->optional && isnan( v->x ) && isnan( v->y ) && isnan( v->z ) );
            return given ? supCheckVec3( at, "", *v, field->minimum, field->maximum ) : sup_success;
        }
        case sup_fieldEnum:
            return supCheckEnum( at, *(const int32_t*)value );
        case sup_fieldName:
            return supCheckName( at, *(const char* const*)value );
        case sup_fieldNames:
            return supCheckNames( at, value );
        case sup_fieldKeys:
            return supCheckKeys( at, value );
        case sup_fieldPaint:
            return supCheckPaint( at, value );
        case sup_fieldSpheres:
            return supCheckSpheres( at, value );
        case sup_fieldPoints:
            return supCheckPoints( at, value );
        case sup_fieldMoves:
            return supCheckMoves( at, value );
        case sup_fieldShape:
            return supCheckShape( at, value );
        case sup_fieldItems:
            return supCheckItems( at, value );
    }
    return sup_success;
}

supResult supCheckFields( const supField* fields, int32_t count, const void* item, const char* place, supError* error )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        supChecker at = { fields + i, place, error };
        supResult result = supCheckField( &at, (const char*)item + fields[i].offset );
        if ( result != sup_success )
        {
            return result;
        }
    }
    return sup_success;
}
