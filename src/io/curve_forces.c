// Forces on curves as JSON.
// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "io/file_write.h"
#include "io/files.h"
#include "io/json_text.h"
#include "supple/io.h"
#include "supple/lab/curves.h"
#include "supple/lab/files.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    supMostForces = 3 * ( 2 * SUP_MAX_CURVE_TERMS + 1 )
};

static int32_t supSpanCount( const supCurveMotion* motion )
{
    int32_t shapes = supCurveMotion_ShapeCount( motion );
    return shapes > 1 ? shapes - 1 : 1;
}

static int32_t supRowsOf( const supNetworkCurve* curve )
{
    return supCurveCoefficientCount( curve->open, curve->terms );
}

/// Text that grows; what did not fit into memory is remembered.
typedef struct supForcesText
{
    supArray bytes;
    bool failed;
} supForcesText;

static void supAddText( supForcesText* text, const char* format, ... )
{
    char line[256];
    va_list values;
    va_start( values, format );
    int length = vsnprintf( line, sizeof( line ), format, values );
    va_end( values );
    char* room = length > 0 && length < (int)sizeof( line ) ? supArray_Add( &text->bytes, (size_t)length ) : NULL;
    text->failed = text->failed || room == NULL;
    if ( room != NULL )
    {
        memcpy( room, line, (size_t)length );
    }
}

// A value as jansson writes it: strings with their escapes, numbers with all their digits and a point.
static void supAddValue( supForcesText* text, json_t* value, const char* after )
{
    char* words = json_dumps( value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION( 17 ) );
    text->failed = text->failed || words == NULL;
    supAddText( text, "%s%s", words != NULL ? words : "", after );
    free( words );
    json_decref( value );
}

static void supAddRows( supForcesText* text, const char* key, const double* forces, int32_t count, const char* after )
{
    supAddText( text, "  \"%s\": [\n", key );
    for ( int32_t i = 0; i < count; ++i )
    {
        json_t* row = json_pack( "[f, f, f]", forces[3 * i], forces[3 * i + 1], forces[3 * i + 2] );
        supAddText( text, "   " );
        supAddValue( text, row, i + 1 < count ? ",\n" : "\n" );
    }
    supAddText( text, "  ]%s", after );
}

// A row a line, so that it can be edited.
static void supAddForces(
    supForcesText* text, const supCurveNetwork* network, const supCurveMotion* motion, int32_t index, int32_t span )
{
    double constant[supMostForces], rate[supMostForces];
    supNetworkCurve curve = supCurveNetwork_Curve( network, index );
    supCurveMotion_Forces( motion, index, span, constant, rate );
    supAddText( text, "%s {\"part\": ", index + span > 0 ? ",\n" : "" );
    supAddValue( text, json_string( curve.part ), "" );
    supAddText( text, ", \"number\": %d, \"span\": %d,\n", (int)curve.number, (int)span );
    supAddRows( text, "constant", constant, supRowsOf( &curve ), ",\n" );
    supAddRows( text, "rate", rate, supRowsOf( &curve ), "}" );
}

supResult supWriteCurveForces(
    const supCurveNetwork* network, const supCurveMotion* motion, const char* path, supError* error )
{
    supForcesText text = { supMakeArray( 1, NULL ), false };
    supAddText( &text, "{\"curves\": [\n" );
    for ( int32_t c = 0; c < supCurveNetwork_CurveCount( network ); ++c )
    {
        for ( int32_t span = 0; span < supSpanCount( motion ); ++span )
        {
            supAddForces( &text, network, motion, c, span );
        }
    }
    supAddText( &text, "\n]}\n" );
    supResult result = !text.failed ? supWriteFile( path, text.bytes.data, text.bytes.count, error )
                                    : supFail( error, sup_errorMemory, "%s: no memory for forces", path );
    supArray_Destroy( &text.bytes );
    return result;
}

/// A place in the file, for messages.
typedef struct supForcesPath
{
    const char* path;
    size_t entry;
    supError* error;
} supForcesPath;

static supResult supReadForceRows(
    const supForcesPath* place, const json_t* rows, const char* key, int32_t count, double* out )
{
    if ( !json_is_array( rows ) || json_array_size( rows ) != (size_t)count )
    {
        return supFail( place->error, sup_errorData, "%s: curves[%zu].%s: %zu rows; the curve has %d", place->path,
            place->entry, key, json_array_size( rows ), (int)count );
    }
    for ( int32_t i = 0; i < 3 * count; ++i )
    {
        const json_t* row = json_array_get( rows, (size_t)i / 3 );
        const json_t* number = json_array_size( row ) == 3 ? json_array_get( row, (size_t)i % 3 ) : NULL;
        if ( !json_is_number( number ) )
        {
            return supFail( place->error, sup_errorData, "%s: curves[%zu].%s[%d]: three numbers are expected",
                place->path, place->entry, key, (int)( i / 3 ) );
        }
        out[i] = json_number_value( number );
    }
    return sup_success;
}

static int32_t supFindCurve( const supCurveNetwork* network, const char* part, json_int_t number )
{
    for ( int32_t c = 0; c < supCurveNetwork_CurveCount( network ); ++c )
    {
        supNetworkCurve curve = supCurveNetwork_Curve( network, c );
        if ( curve.number == number && strcmp( curve.part, part ) == 0 )
        {
            return c;
        }
    }
    return -1;
}

// One entry: looked at, or put in place.
static supResult supReadForcesEntry( const supForcesPath* place, const json_t* entry, const supCurveNetwork* network,
    supCurveMotion* motion, bool apply )
{
    const char* part = json_string_value( json_object_get( entry, "part" ) );
    const json_t *number = json_object_get( entry, "number" ), *span = json_object_get( entry, "span" );
    json_int_t spanIndex = json_integer_value( span );
    int32_t index =
        part != NULL && json_is_integer( number ) ? supFindCurve( network, part, json_integer_value( number ) ) : -1;
    if ( index < 0 )
    {
        return supFail( place->error, sup_errorNotFound, "%s: curves[%zu]: no curve of part '%.60s' and number %d",
            place->path, place->entry, part != NULL ? part : "", (int)json_integer_value( number ) );
    }
    if ( ( span != NULL && !json_is_integer( span ) ) || spanIndex < 0 || spanIndex >= supSpanCount( motion ) )
    {
        return supFail( place->error, sup_errorData, "%s: curves[%zu].span: there are %d, counted from 0", place->path,
            place->entry, (int)supSpanCount( motion ) );
    }
    supNetworkCurve curve = supCurveNetwork_Curve( network, index );
    double constant[supMostForces], rate[supMostForces] = { 0 };
    const json_t* rates = json_object_get( entry, "rate" );
    supResult result =
        supReadForceRows( place, json_object_get( entry, "constant" ), "constant", supRowsOf( &curve ), constant );
    if ( result == sup_success && rates != NULL )
    {
        result = supReadForceRows( place, rates, "rate", supRowsOf( &curve ), rate );
    }
    supError inner = { 0 };
    if ( result == sup_success )
    {
        result = apply ? supCurveMotion_SetForces( motion, index, (int32_t)spanIndex, constant, rate, &inner )
                       : supCurveMotion_CheckForces( motion, index, (int32_t)spanIndex, constant, rate, &inner );
        result = result == sup_success
                     ? result
                     : supFail( place->error, result, "%s: curves[%zu]: %s", place->path, place->entry, inner.text );
    }
    return result;
}

supResult supReadCurveForces(
    const supCurveNetwork* network, supCurveMotion* motion, const char* path, supError* error )
{
    uint8_t* data = NULL;
    size_t size = 0;
    supResult result = supReadFile( path, &data, &size, error );
    if ( result != sup_success )
    {
        return result;
    }
    json_error_t why;
    json_t* root = supLoadJson( (const char*)data, size, JSON_REJECT_DUPLICATES, &why );
    free( data );
    const json_t* list = json_object_get( root, "curves" );
    if ( root == NULL )
    {
        result = supFailJson( path, &why, error );
    }
    else if ( !json_is_array( list ) )
    {
        result = supFail( error, sup_errorFormat, "%s: no list of \"curves\" in it", path );
    }
    // all are looked at before the first is put in place
    for ( int pass = 0; pass < 2; ++pass )
    {
        for ( size_t i = 0; result == sup_success && i < json_array_size( list ); ++i )
        {
            supForcesPath place = { path, i, error };
            result = supReadForcesEntry( &place, json_array_get( list, i ), network, motion, pass == 1 );
        }
    }
    json_decref( root );
    return result;
}
