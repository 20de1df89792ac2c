// Supple io: the JSON Schema of rig files, made from the layers' field tables.
// SPDX-License-Identifier: MIT
//
// Draft 7: the newest that editors understand without being asked.
#include "io/rig_json.h"
#include "supple/lab/items.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// "2mm", "2.5 cm", "5%"
#define SUP_LENGTH_PATTERN "^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)? *(%|mm|cm|m)$"
#define SUP_FINGERPRINT_PATTERN "^0x[0-9a-fA-F]{1,16}$"

/// Every function gives a new value, NULL or less than whole where memory ran out; `failed` then says so.
static json_t* supSchemaOf( const char* type, const char* words, bool* failed )
{
    json_t* out = json_object();
    if ( words != NULL )
    {
        supJsonPut( out, "description", json_string( words ), failed );
    }
    if ( type != NULL )
    {
        supJsonPut( out, "type", json_string( type ), failed );
    }
    return out;
}

static json_t* supSchemaNumber( float minimum, float maximum, bool* failed )
{
    json_t* out = supSchemaOf( "number", NULL, failed );
    supJsonPut( out, "minimum", supJsonFloat( minimum ), failed );
    supJsonPut( out, "maximum", supJsonFloat( maximum ), failed );
    return out;
}

static json_t* supSchemaPattern( const char* pattern, bool* failed )
{
    json_t* out = supSchemaOf( "string", NULL, failed );
    supJsonPut( out, "pattern", json_string( pattern ), failed );
    return out;
}

static json_t* supSchemaAnyOf( json_t* a, json_t* b, bool* failed )
{
    json_t* choices = json_array();
    supJsonAppend( choices, a, failed );
    supJsonAppend( choices, b, failed );
    json_t* out = json_object();
    supJsonPut( out, "anyOf", choices, failed );
    return out;
}

static json_t* supSchemaLength( float minimum, float maximum, bool* failed )
{
    json_t* number = supSchemaNumber( minimum, maximum, failed );
    return supSchemaAnyOf( number, supSchemaPattern( SUP_LENGTH_PATTERN, failed ), failed );
}

static json_t* supSchemaList( json_t* items, int fewest, int most, bool* failed )
{
    json_t* out = supSchemaOf( "array", NULL, failed );
    supJsonPut( out, "items", items, failed );
    if ( fewest > 0 )
    {
        supJsonPut( out, "minItems", json_integer( fewest ), failed );
    }
    if ( most > 0 )
    {
        supJsonPut( out, "maxItems", json_integer( most ), failed );
    }
    return out;
}

static json_t* supSchemaVec3( float minimum, float maximum, bool isLength, bool* failed )
{
    json_t* number =
        isLength ? supSchemaLength( minimum, maximum, failed ) : supSchemaNumber( minimum, maximum, failed );
    return supSchemaList( number, 3, 3, failed );
}

static json_t* supSchemaText( bool* failed )
{
    json_t* out = supSchemaOf( "string", NULL, failed );
    supJsonPut( out, "minLength", json_integer( 1 ), failed );
    return out;
}

/// An object with these properties, notes of the user's own, and nothing else. `required`: names, ended with NULL; may
/// be NULL.
static json_t* supSchemaObject( json_t* properties, const char* const* required, bool* failed )
{
    json_t* out = supSchemaOf( "object", NULL, failed );
    json_t* notes = json_object();
    supJsonPut( notes, "^_", json_object(), failed );
    supJsonPut( properties, "extras", json_object(), failed );
    supJsonPut( out, "properties", properties, failed );
    supJsonPut( out, "patternProperties", notes, failed );
    supJsonPut( out, "additionalProperties", json_false(), failed );
    json_t* names = required != NULL ? json_array() : NULL;
    for ( ; required != NULL && *required != NULL; ++required )
    {
        supJsonAppend( names, json_string( *required ), failed );
    }
    if ( names != NULL )
    {
        supJsonPut( out, "required", names, failed );
    }
    return out;
}

static json_t* supSchemaInt( bool* failed )
{
    json_t* out = supSchemaOf( "integer", NULL, failed );
    supJsonPut( out, "minimum", json_integer( 0 ), failed );
    return out;
}

static json_t* supSchemaName( const supField* field, bool* failed )
{
    if ( strcmp( field->unit, "joint" ) != 0 )
    {
        return supSchemaText( failed );
    }
    static const char* const required[] = { "name", "index", NULL };
    json_t* properties = json_object();
    supJsonPut( properties, "name", supSchemaText( failed ), failed );
    supJsonPut( properties, "index", supSchemaInt( failed ), failed );
    return supSchemaAnyOf( supSchemaText( failed ), supSchemaObject( properties, required, failed ), failed );
}

static json_t* supSchemaKeys( const supField* field, bool* failed )
{
    json_t* parts = json_array();
    supJsonAppend( parts, supSchemaOf( "number", "position", failed ), failed );
    supJsonAppend( parts, supSchemaNumber( field->minimum, field->maximum, failed ), failed );
    json_t* pair = supSchemaList( parts, 2, 2, failed );
    supJsonPut( pair, "additionalItems", json_false(), failed );
    return supSchemaList( pair, 0, 0, failed );
}

static json_t* supSchemaSpheres( const supField* field, bool* failed )
{
    static const char* const required[] = { "center", "radius", NULL };
    json_t* properties = json_object();
    supJsonPut( properties, "center", supSchemaVec3( -10.0f, 10.0f, true, failed ), failed );
    supJsonPut( properties, "radius", supSchemaLength( field->minimum, field->maximum, failed ), failed );
    return supSchemaList( supSchemaObject( properties, required, failed ), 0, 0, failed );
}

static json_t* supSchemaPaint( const supField* field, bool* failed )
{
    static const char* const inMesh[] = { "mesh", "vertices", "values", NULL };
    static const char* const inPaint[] = { "fingerprint", "meshes", NULL };
    json_t* mesh = json_object();
    supJsonPut( mesh, "mesh", supSchemaText( failed ), failed );
    supJsonPut( mesh, "index", supSchemaInt( failed ), failed );
    supJsonPut( mesh, "vertices", supSchemaList( supSchemaInt( failed ), 0, 0, failed ), failed );
    json_t* value = supSchemaNumber( field->minimum, field->maximum, failed );
    supJsonPut( mesh, "values", supSchemaList( value, 0, 0, failed ), failed );
    json_t* properties = json_object();
    supJsonPut( properties, "fingerprint", supSchemaPattern( SUP_FINGERPRINT_PATTERN, failed ), failed );
    supJsonPut( properties, "meshes", supSchemaList( supSchemaObject( mesh, inMesh, failed ), 0, 0, failed ), failed );
    return supSchemaObject( properties, inPaint, failed );
}

static json_t* supSchemaMoves( const supField* field, bool* failed )
{
    static const char* const inMesh[] = { "mesh", "vertices", "moves", NULL };
    static const char* const inMoves[] = { "fingerprint", "meshes", NULL };
    json_t* mesh = json_object();
    supJsonPut( mesh, "mesh", supSchemaText( failed ), failed );
    supJsonPut( mesh, "index", supSchemaInt( failed ), failed );
    supJsonPut( mesh, "vertices", supSchemaList( supSchemaInt( failed ), 0, 0, failed ), failed );
    json_t* move = supSchemaVec3( field->minimum, field->maximum, false, failed );
    supJsonPut( mesh, "moves", supSchemaList( move, 0, 0, failed ), failed );
    json_t* properties = json_object();
    supJsonPut( properties, "fingerprint", supSchemaPattern( SUP_FINGERPRINT_PATTERN, failed ), failed );
    supJsonPut( properties, "meshes", supSchemaList( supSchemaObject( mesh, inMesh, failed ), 0, 0, failed ), failed );
    return supSchemaObject( properties, inMoves, failed );
}

static json_t* supSchemaEnum( const supField* field, bool* failed )
{
    json_t* choices = json_array();
    for ( const char* const* at = field->choices; *at != NULL; ++at )
    {
        supJsonAppend( choices, json_string( *at ), failed );
    }
    json_t* out = json_object();
    supJsonPut( out, "enum", choices, failed );
    return out;
}

static json_t* supSchemaVec3Field( const supField* field, bool* failed )
{
    bool isLength = strcmp( field->unit, "size" ) == 0;
    json_t* three = supSchemaVec3( field->minimum, field->maximum, isLength, failed );
    return field->even ? supSchemaAnyOf( supSchemaNumber( field->minimum, field->maximum, failed ), three, failed )
                       : three;
}

static json_t* supSchemaObjects( const supField* fields, int32_t fieldCount, bool* failed );

static json_t* supSchemaType( const supField* field, bool* failed )
{
    switch ( field->type )
    {
        case sup_fieldBool:
            return supSchemaOf( "boolean", NULL, failed );
        case sup_fieldFloat:
            return supSchemaNumber( field->minimum, field->maximum, failed );
        case sup_fieldLength:
            return supSchemaLength( field->minimum, field->maximum, failed );
        case sup_fieldVec3:
            return supSchemaVec3Field( field, failed );
        case sup_fieldEnum:
            return supSchemaEnum( field, failed );
        case sup_fieldName:
            return supSchemaName( field, failed );
        case sup_fieldNames:
            return supSchemaList( supSchemaName( field, failed ), 0, 0, failed );
        case sup_fieldKeys:
            return supSchemaKeys( field, failed );
        case sup_fieldPaint:
            return supSchemaPaint( field, failed );
        case sup_fieldSpheres:
            return supSchemaSpheres( field, failed );
        case sup_fieldPoints:
            return supSchemaList(
                supSchemaVec3( field->minimum, field->maximum, strcmp( field->unit, "size" ) == 0, failed ), 0, 0,
                failed );
        case sup_fieldMoves:
            return supSchemaMoves( field, failed );
        case sup_fieldShape:
            return supSchemaText( failed );
        case sup_fieldItems:
            return supSchemaObjects( field->items->fields, field->items->count, failed );
    }
    return NULL;
}

static json_t* supSchemaDefault( const supField* field )
{
    switch ( field->type )
    {
        case sup_fieldBool:
            return json_boolean( field->fallback != 0.0f );
        case sup_fieldFloat:
        case sup_fieldLength:
            return supJsonFloat( field->fallback );
        case sup_fieldVec3:
            return supJsonVec3( ( supVec3 ){ field->fallback, field->fallback, field->fallback } );
        case sup_fieldEnum:
            return json_string( field->choices[(int)field->fallback] );
        default:
            return NULL;
    }
}

static json_t* supSchemaField( const supField* field, bool* failed )
{
    char words[400];
    bool isUnit = field->unit[0] != '\0' && field->type != sup_fieldName && field->type != sup_fieldNames;
    bool isShare = strcmp( field->unit, "size" ) == 0;
    snprintf( words, sizeof( words ), "%s%s%s%s", field->words, isUnit ? " Unit: " : "",
        !isUnit   ? ""
        : isShare ? "share of the model's size, or \"5%\", \"2mm\", \"3cm\", \"0.1m\""
                  : field->unit,
        isUnit ? "." : "" );
    json_t* out = supSchemaOf( NULL, words, failed );
    json_t* type = supSchemaType( field, failed );
    if ( type == NULL || json_object_update( out, type ) != 0 )
    {
        *failed = true;
    }
    json_decref( type );
    bool isList = field->type == sup_fieldName || field->type >= sup_fieldNames;
    if ( !isList && !isnan( field->fallback ) )
    {
        supJsonPut( out, "default", supSchemaDefault( field ), failed );
    }
    return out;
}

/// A list of objects with the fields of a table.
static json_t* supSchemaObjects( const supField* fields, int32_t fieldCount, bool* failed )
{
    json_t* properties = json_object();
    const char* required[16] = { NULL };
    int count = 0;
    for ( int32_t i = 0; i < fieldCount; ++i )
    {
        const supField* field = fields + i;
        supJsonPut( properties, field->name, supSchemaField( field, failed ), failed );
        if ( field->required && count < 15 )
        {
            required[count++] = field->name;
        }
    }
    return supSchemaList( supSchemaObject( properties, required, failed ), 0, 0, failed );
}

static json_t* supSchemaLayer( const supLayerInfo* layer, bool* failed )
{
    json_t* list = supSchemaObjects( layer->fields, layer->fieldCount, failed );
    supJsonPut( list, "description", json_string( layer->words ), failed );
    return list;
}

static json_t* supMakeSchema( bool* failed )
{
    json_t* properties = json_object();
    json_t* version = supSchemaOf( "integer", SUP_VERSION_WORDS, failed );
    supJsonPut( version, "minimum", json_integer( 1 ), failed );
    supJsonPut( version, "maximum", json_integer( SUP_RIG_VERSION ), failed );
    supJsonPut( properties, "$schema", supSchemaOf( "string", "Where an editor finds this schema.", failed ), failed );
    supJsonPut( properties, "supple", version, failed );

    json_t* gravity = supSchemaVec3( -SUP_LARGEST_GRAVITY, SUP_LARGEST_GRAVITY, false, failed );
    supJsonPut( gravity, "description", json_string( SUP_GRAVITY_WORDS ), failed );
    supJsonPut( gravity, "default", supJsonVec3( ( supVec3 ){ 0.0f, -9.81f, 0.0f } ), failed );
    supJsonPut( properties, "gravity", gravity, failed );
    for ( int32_t i = 0; i < supLayerCount(); ++i )
    {
        supJsonPut( properties, supGetLayerInfo( i )->key, supSchemaLayer( supGetLayerInfo( i ), failed ), failed );
    }
    json_t* root = json_object();
    supJsonPut( root, "$schema", json_string( "http://json-schema.org/draft-07/schema#" ), failed );
    supJsonPut( root, "title", json_string( "Supple rig" ), failed );
    supJsonPut(
        root, "description", json_string( "What Supple adds to a character: NAME.rig.json beside it." ), failed );
    json_t* object = supSchemaObject( properties, NULL, failed );
    if ( object == NULL || json_object_update( root, object ) != 0 )
    {
        *failed = true;
    }
    json_decref( object );
    return root;
}

size_t supRigSchema( char* text, size_t size )
{
    bool failed = false;
    json_t* root = supMakeSchema( &failed );
    size_t length = failed ? 0 : supJsonText( root, text, size );
    json_decref( root );
    return length;
}
