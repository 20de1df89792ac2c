// Supple: tables of fields: defaults and names.
// SPDX-License-Identifier: MIT
#include "base/fields.h"

#include "base/names.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char* supPlaceText( char text[SUP_PLACE_TEXT], const char* format, ... )
{
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( text, SUP_PLACE_TEXT, format, arguments );
    va_end( arguments );
    return text;
}

static bool supSameFloat( float a, float b )
{
    return a == b || ( isnan( a ) && isnan( b ) );
}

void supFillDefaults( const supField* fields, int32_t count, void* item )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        const supField* field = fields + i;
        void* at = (char*)item + field->offset;
        float fallback = field->fallback;
        switch ( field->type )
        {
            case sup_fieldBool:
                *(bool*)at = fallback != 0.0f;
                break;
            case sup_fieldFloat:
            case sup_fieldLength:
                *(float*)at = fallback;
                break;
            case sup_fieldVec3:
                *(supVec3*)at = ( supVec3 ){ fallback, fallback, fallback };
                break;
            case sup_fieldEnum:
                *(int32_t*)at = (int32_t)fallback;
                break;
            case sup_fieldName:
                *(const char**)at = NULL;
                break;
            case sup_fieldNames:
                *(supNameList*)at = ( supNameList ){ 0, NULL };
                break;
            case sup_fieldKeys:
                *(supKeyList*)at = ( supKeyList ){ 0, NULL };
                break;
            case sup_fieldPaint:
                *(supPaintList*)at = ( supPaintList ){ 0, NULL, 0 };
                break;
            case sup_fieldSpheres:
                *(supSphereList*)at = ( supSphereList ){ 0, NULL };
                break;
            case sup_fieldPoints:
                *(supPointList*)at = ( supPointList ){ 0, NULL };
                break;
            case sup_fieldMoves:
                *(supMoveList*)at = ( supMoveList ){ 0, NULL, 0 };
                break;
            case sup_fieldShape:
                *(supSculpt*)at = ( supSculpt ){ 0 };
                break;
            case sup_fieldItems:
                *(supItemList*)at = ( supItemList ){ 0, NULL };
                break;
        }
    }
}

bool supFieldIsDefault( const supField* field, const void* item )
{
    const void* at = (const char*)item + field->offset;
    float fallback = field->fallback;
    switch ( field->type )
    {
        case sup_fieldBool:
            return *(const bool*)at == ( fallback != 0.0f );
        case sup_fieldFloat:
        case sup_fieldLength:
            return supSameFloat( *(const float*)at, fallback );
        case sup_fieldVec3:
        {
            const supVec3* v = at;
            return supSameFloat( v->x, fallback ) && supSameFloat( v->y, fallback ) && supSameFloat( v->z, fallback );
        }
        case sup_fieldEnum:
            return *(const int32_t*)at == (int32_t)fallback;
        case sup_fieldName:
            return *(const char* const*)at == NULL;
        case sup_fieldNames:
            return ( (const supNameList*)at )->count == 0;
        case sup_fieldKeys:
            return ( (const supKeyList*)at )->count == 0;
        case sup_fieldPaint:
            return ( (const supPaintList*)at )->count == 0;
        case sup_fieldSpheres:
            return ( (const supSphereList*)at )->count == 0;
        case sup_fieldPoints:
            return ( (const supPointList*)at )->count == 0;
        case sup_fieldMoves:
            return ( (const supMoveList*)at )->count == 0;
        case sup_fieldShape:
            return ( (const supSculpt*)at )->file == NULL && ( (const supSculpt*)at )->count == 0;
        case sup_fieldItems:
            return ( (const supItemList*)at )->count == 0;
    }
    assert( false );
    return true;
}

const supField* supFindField( const supField* fields, int32_t count, const char* name )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( strcmp( fields[i].name, name ) == 0 )
        {
            return fields + i;
        }
    }
    return NULL;
}

supResult supFailUnknown(
    const char* place, const char* key, const char* const* known, int32_t knownCount, supError* error )
{
    char nearest[128];
    supNearest( key, known, knownCount, 1, nearest, sizeof( nearest ) );
    const char* dot = place[0] != '\0' ? "." : "";
    if ( nearest[0] != '\0' )
    {
        return supFail( error, sup_errorData, "%s%s%.60s: unknown; did you mean %s?", place, dot, key, nearest );
    }
    return supFail( error, sup_errorData, "%s%s%.60s: unknown; notes of your own start with \"_\"", place, dot, key );
}

/// As many digits as make no overflow, or -1.
static int32_t supReadIndex( const char* text, const char** end )
{
    int32_t value = 0, digits = 0;
    for ( ; text[digits] >= '0' && text[digits] <= '9' && digits < 9; ++digits )
    {
        value = 10 * value + ( text[digits] - '0' );
    }
    *end = text + digits;
    return digits > 0 ? value : -1;
}

bool supReadFieldPath( const char* text, supFieldPath* path )
{
    *path = ( supFieldPath ){ 0 };
    size_t name = strcspn( text, "[" );
    const char* field = text;
    if ( text[name] == '[' )
    {
        const char* end;
        path->object = supReadIndex( text + name + 1, &end );
        if ( name == 0 || name >= SUP_FIELD_NAME || path->object < 0 || end[0] != ']' || end[1] != '.' )
        {
            return false;
        }
        memcpy( path->list, text, name );
        field = end + 2;
    }
    size_t length = strlen( field );
    if ( length == 0 || length >= SUP_FIELD_NAME )
    {
        return false;
    }
    memcpy( path->field, field, length );
    return true;
}

supResult supFailNoField( const char* place, const char* name, const supField* fields, int32_t count, supError* error )
{
    const char* known[64];
    int32_t knownCount = 0;
    for ( int32_t i = 0; i < count && knownCount < 64; ++i )
    {
        known[knownCount++] = fields[i].name;
    }
    return supFailUnknown( place, name, known, knownCount, error );
}
