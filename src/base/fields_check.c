// Supple: tables of fields: checks with places.
// SPDX-License-Identifier: MIT
#include "base/field_types.h"
#include "base/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Coordinates of points are shares of the model's size: farther out than this is a slip of units.
#define SUP_FARTHEST_SHARE 10.0f

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

supResult supCheckFloat( const supChecker* at, const void* value )
{
    float number = *(const float*)value;
    return at->field->optional && isnan( number )
               ? sup_success
               : supCheckNumber( at, "", number, at->field->minimum, at->field->maximum );
}

static supResult supCheckVec3( const supChecker* at, const char* part, supVec3 value, float lower, float upper )
{
    const float values[3] = { value.x, value.y, value.z };
    for ( int i = 0; i < 3; ++i )
    {
        char place[SUP_PATH_TEXT];
        supPathText( place, "%s[%d]", part, i );
        supResult result = supCheckNumber( at, place, values[i], lower, upper );
        if ( result != sup_success )
        {
            return result;
        }
    }
    return sup_success;
}

supResult supCheckVec3Field( const supChecker* at, const void* value )
{
    const supVec3 v = *(const supVec3*)value;
    bool given = !( at->field->optional && isnan( v.x ) && isnan( v.y ) && isnan( v.z ) );
    return given ? supCheckVec3( at, "", v, at->field->minimum, at->field->maximum ) : sup_success;
}

supResult supCheckEnum( const supChecker* at, const void* value )
{
    int32_t choice = *(const int32_t*)value, count = 0;
    while ( at->field->choices[count] != NULL )
    {
        count += 1;
    }
    if ( choice >= 0 && choice < count )
    {
        return sup_success;
    }
    return supFail( at->error, sup_errorData, "%s.%s: there is no choice %d; there are %d", at->place, at->field->name,
        choice, count );
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

supResult supCheckName( const supChecker* at, const void* value )
{
    const char* name = *(const char* const*)value;
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
        return supFail( at->error, sup_errorArgument, "%s.%s%s: a list of %d, but its data are missing", at->place,
            at->field->name, part, count );
    }
    return sup_success;
}

supResult supCheckNames( const supChecker* at, const void* value )
{
    const supNameList* list = value;
    supResult result = supCheckCount( at, "", list->count, list->names );
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        char part[SUP_PATH_TEXT];
        supPathText( part, "[%d]", i );
        result = supCheckText( at, part, list->names[i] );
    }
    return result;
}

supResult supCheckKeys( const supChecker* at, const void* value )
{
    const supKeyList* list = value;
    supResult result = supCheckCount( at, "", list->count, list->pairs );
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        char part[SUP_PATH_TEXT];
        const float* pair = list->pairs + 2 * (size_t)i;
        supPathText( part, "[%d][0]", i );
        if ( !isfinite( pair[0] ) )
        {
            return supFail( at->error, sup_errorData, "%s.%s%s: not a number", at->place, at->field->name, part );
        }
        if ( i > 0 && !( pair[0] > pair[-2] ) )
        {
            char texts[2][SUP_FLOAT_TEXT];
            return supFail( at->error, sup_errorData,
                "%s.%s%s: %s does not come after %s; positions must be in rising order", at->place, at->field->name,
                part, supFloatText( pair[0], texts[0] ), supFloatText( pair[-2], texts[1] ) );
        }
        supPathText( part, "[%d][1]", i );
        result = supCheckNumber( at, part, pair[1], at->field->minimum, at->field->maximum );
    }
    return result;
}

// Vertices rise, so that none is listed twice. There may be a hundred thousand of them: places are put into words only
// where something is wrong.
static supResult supCheckVertices( const supChecker* at, int32_t index, const supVertexValues* mesh )
{
    size_t width = supVertexWidth( at->field );
    const float lower = at->field->minimum, upper = at->field->maximum;
    for ( int32_t i = 0; i < mesh->count; ++i )
    {
        int32_t vertex = mesh->vertices[i];
        if ( vertex < 0 || ( i > 0 && vertex <= mesh->vertices[i - 1] ) )
        {
            return supFail( at->error, sup_errorData,
                "%s.%s.meshes[%d].vertices[%d]: %d is out of order; vertices must be in rising order from 0, each once",
                at->place, at->field->name, index, i, vertex );
        }
        for ( size_t k = 0; k < width; ++k )
        {
            float value = mesh->values[(size_t)i * width + k];
            if ( !( value >= lower && value <= upper ) )
            {
                char part[SUP_PATH_TEXT], which[16] = "";
                if ( width > 1 )
                {
                    snprintf( which, sizeof( which ), "[%d]", (int)k );
                }
                supPathText( part, ".meshes[%d].%s[%d]%s", index, supVertexKey( at->field ), i, which );
                return supCheckNumber( at, part, value, lower, upper );
            }
        }
    }
    return sup_success;
}

supResult supCheckVertexValues( const supChecker* at, const void* value )
{
    const supVertexValueList* list = value;
    supResult result = supCheckCount( at, "", list->count, list->meshes );
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        const supVertexValues* mesh = list->meshes + i;
        char part[SUP_PATH_TEXT];
        supPathText( part, ".meshes[%d].mesh", i );
        result = supCheckText( at, part, mesh->mesh );
        if ( result == sup_success && mesh->meshIndex < 0 )
        {
            return supFail( at->error, sup_errorData, "%s.%s.meshes[%d].index: %d is below 0", at->place,
                at->field->name, i, mesh->meshIndex );
        }
        supPathText( part, ".meshes[%d]", i );
        const void* data = mesh->vertices != NULL ? mesh->values : NULL;
        result = result == sup_success ? supCheckCount( at, part, mesh->count, data ) : result;
        result = result == sup_success ? supCheckVertices( at, i, mesh ) : result;
    }
    return result;
}

supResult supCheckSpheres( const supChecker* at, const void* value )
{
    const supSphereList* list = value;
    supResult result = supCheckCount( at, "", list->count, list->spheres );
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        char part[SUP_PATH_TEXT];
        const supSphere* sphere = list->spheres + i;
        supPathText( part, "[%d].center", i );
        result = supCheckVec3( at, part, sphere->center, -SUP_FARTHEST_SHARE, SUP_FARTHEST_SHARE );
        supPathText( part, "[%d].radius", i );
        result = result == sup_success
                     ? supCheckNumber( at, part, sphere->radius, at->field->minimum, at->field->maximum )
                     : result;
    }
    return result;
}

supResult supCheckPoints( const supChecker* at, const void* value )
{
    const supPointList* list = value;
    supResult result = supCheckCount( at, "", list->count, list->points );
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        char part[SUP_PATH_TEXT];
        supPathText( part, "[%d]", i );
        result = supCheckVec3( at, part, list->points[i], at->field->minimum, at->field->maximum );
    }
    return result;
}

supResult supCheckShape( const supChecker* at, const void* value )
{
    const supSculpt* shape = value;
    supResult result = supCheckCount( at, "", shape->count, shape->points );
    result = result == sup_success && shape->file != NULL ? supCheckText( at, "", shape->file ) : result;
    for ( int32_t i = 0; shape->corners != NULL && i < 3 * shape->triangleCount && result == sup_success; ++i )
    {
        if ( shape->corners[i] < 0 || shape->corners[i] >= shape->count )
        {
            return supFail( at->error, sup_errorData, "%s.%s: triangle %d uses vertex %d, but there are %d", at->place,
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

supResult supCheckItems( const supChecker* at, const void* value )
{
    const supItemList* list = value;
    const supFieldTable* table = at->field->items;
    supResult result = supCheckCount( at, "", list->count, list->items );
    for ( int32_t i = 0; i < list->count && result == sup_success; ++i )
    {
        char place[SUP_PATH_TEXT];
        supPathText( place, "%s.%s[%d]", at->place, at->field->name, i );
        result = supCheckFields(
            table->fields, table->count, (const char*)list->items + (size_t)i * table->itemSize, place, at->error );
    }
    return result;
}

supResult supCheckFields( const supField* fields, int32_t count, const void* item, const char* place, supError* error )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        supChecker at = { fields + i, place, error };
        supCheckValue* check = supOpsOf( fields + i )->check;
        supResult result = check != NULL ? check( &at, (const char*)item + fields[i].offset ) : sup_success;
        if ( result != sup_success )
        {
            return result;
        }
    }
    return sup_success;
}
