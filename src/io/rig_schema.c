// Supple io: the JSON Schema of rig files, made from the layers' field tables.
// SPDX-License-Identifier: MIT
//
// Draft 7: the newest that editors understand without being asked.
#include "base/fields.h"
#include "io/rig_types.h"
#include "supple/lab/items.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

json_t* supSchemaOf( const char* type, const char* words, bool* failed )
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

json_t* supSchemaPattern( const char* pattern, bool* failed )
{
    json_t* out = supSchemaOf( "string", NULL, failed );
    supJsonPut( out, "pattern", json_string( pattern ), failed );
    return out;
}

json_t* supSchemaAnyOf( json_t* a, json_t* b, bool* failed )
{
    json_t* choices = json_array();
    supJsonAppend( choices, a, failed );
    supJsonAppend( choices, b, failed );
    json_t* out = json_object();
    supJsonPut( out, "anyOf", choices, failed );
    return out;
}

json_t* supSchemaList( json_t* items, int fewest, int most, bool* failed )
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

json_t* supSchemaText( bool* failed )
{
    json_t* out = supSchemaOf( "string", NULL, failed );
    supJsonPut( out, "minLength", json_integer( 1 ), failed );
    return out;
}

json_t* supSchemaObject( json_t* properties, const char* const* required, bool* failed )
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

json_t* supSchemaInt( bool* failed )
{
    json_t* out = supSchemaOf( "integer", NULL, failed );
    supJsonPut( out, "minimum", json_integer( 0 ), failed );
    return out;
}

/// As the field would be written where an item has its default.
static json_t* supSchemaDefault( const supField* field, bool* failed )
{
    _Alignas( supVec3 ) char value[sizeof( supVec3 )];
    supField alone = *field;
    alone.offset = 0;
    supFillDefaults( &alone, 1, value );
    return supFieldJsonOf( field )->write( field, value, failed );
}

static json_t* supSchemaField( const supField* field, bool* failed )
{
    char words[400];
    bool isUnit = field->unit[0] != '\0' && field->type != sup_fieldName && field->type != sup_fieldNames;
    snprintf( words, sizeof( words ), "%s%s%s%s", field->words, isUnit ? " Unit: " : "",
        !isUnit               ? ""
        : supIsShare( field ) ? "share of the model's size, or \"5%\", \"2mm\", \"3cm\", \"0.1m\""
                              : field->unit,
        isUnit ? "." : "" );
    json_t* out = supSchemaOf( NULL, words, failed );
    json_t* type = supFieldJsonOf( field )->schema( field, failed );
    if ( type == NULL || json_object_update( out, type ) != 0 )
    {
        *failed = true;
    }
    json_decref( type );
    if ( supFieldNumberCount( field ) > 0 && !isnan( field->fallback ) )
    {
        supJsonPut( out, "default", supSchemaDefault( field, failed ), failed );
    }
    if ( field->advanced )
    {
        supJsonPut( out, "x-advanced", json_true(), failed );
    }
    return out;
}

json_t* supSchemaFields( const supField* fields, int32_t fieldCount, bool* failed )
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
    return supSchemaObject( properties, required, failed );
}

static json_t* supSchemaLayer( const supLayerInfo* layer, bool* failed )
{
    json_t* list = supSchemaList( supSchemaFields( layer->fields, layer->fieldCount, failed ), 0, 0, failed );
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
