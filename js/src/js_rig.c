// Rigs: found, read, written; models.
// SPDX-License-Identifier: MIT
#include "js_host.h"
#include "supple/auto.h"
#include "supple/io.h"
#include "supple/model.h"
#include "supple/rig.h"

#include <stdlib.h>
#include <string.h>

supRig* SUP_JS( supJs_ProposeRig )( const supCharacter* character, const char* options, char** why );
supRig* SUP_JS( supJs_ReadRig )( const char* text, size_t size, const char* name, const supCharacter* character );
supRig* SUP_JS( supJs_GltfRig )( const supGltf* document, const supCharacter* character );
char* SUP_JS( supJs_RigJson )( const supRig* rig );
int SUP_JS( supJs_AddMuscles )( const supCharacter* character, supRig* rig );
int SUP_JS( supJs_AddFat )( const supCharacter* character, supRig* rig );
void SUP_JS( supJs_DestroyRig )( supRig* rig );
supModel* SUP_JS( supJs_CompileModel )( const supCharacter* character, const supRig* rig );
void SUP_JS( supJs_DestroyModel )( supModel* model );
char* SUP_JS( supJs_ModelJson )( const supModel* model );
char* SUP_JS( supJs_LayersJson )( void );

// ---------------------------------------------------------------------------------------------------------------
// Found

static supResult supReadVector( const json_t* from, const char* key, supVec3* out, supError* error )
{
    const json_t* list = json_object_get( from, key );
    if ( list == NULL || json_is_null( list ) )
    {
        return sup_success;
    }
    float* numbers[3] = { &out->x, &out->y, &out->z };
    for ( size_t i = 0; i < 3; ++i )
    {
        const json_t* number = json_array_get( list, i );
        if ( json_array_size( list ) != 3 || !json_is_number( number ) )
        {
            return supFail( error, sup_errorArgument, "%s: three numbers are wanted", key );
        }
        *numbers[i] = (float)json_number_value( number );
    }
    return sup_success;
}

static supResult supReadRegions( json_t* regions, supProposeDef* def, supError* error )
{
    const char* name;
    json_t* factor;
    json_object_foreach( regions, name, factor )
    {
        supRegion region;
        supResult result = supFindRegion( name, &region, error );
        if ( result != sup_success )
        {
            return result;
        }
        if ( !json_is_number( factor ) )
        {
            return supFail( error, sup_errorArgument, "regions.%s: a number is wanted", name );
        }
        def->regions[region] = (float)json_number_value( factor );
    }
    return sup_success;
}

/// { preset, kind, front, up, regions }: each as supProposeDef has it.
static supResult supReadProposeDef( const char* text, supProposeDef* def, supError* error )
{
    json_t* options = json_loads( text, 0, NULL );
    const char* preset = json_string_value( json_object_get( options, "preset" ) );
    const char* kind = json_string_value( json_object_get( options, "kind" ) );
    supBodyKind found = sup_bodyHuman;
    supResult result = preset != NULL ? supFindPreset( preset, &def->preset, error ) : sup_success;
    if ( result == sup_success && kind != NULL )
    {
        result = supFindBodyKind( kind, &found, error );
        def->kind = (int32_t)found;
    }
    result = result == sup_success ? supReadVector( options, "front", &def->front, error ) : result;
    result = result == sup_success ? supReadVector( options, "up", &def->up, error ) : result;
    result = result == sup_success ? supReadRegions( json_object_get( options, "regions" ), def, error ) : result;
    json_decref( options );
    return result;
}

static json_t* supProposalJson( const supProposal* proposal )
{
    const supBodyReading* body = &proposal->body;
    json_t *elements = json_array(), *evidence = json_array();
    for ( int32_t i = 0; i < proposal->elementCount; ++i )
    {
        const supProposedElement* one = proposal->elements + i;
        json_array_append_new( elements,
            json_pack( "{s:s, s:s, s:s, s:o, s:f, s:f, s:f}", "name", one->name, "region", supRegionName( one->region ),
                "side", supSideName( one->side ), "center", supJsVector( one->center ), "ceiling", (double)one->ceiling,
                "typical", (double)one->typical, "peak", (double)one->peak ) );
    }
    for ( int32_t i = 0; i < body->evidenceCount; ++i )
    {
        const supEvidence* one = body->evidence + i;
        json_array_append_new( evidence, json_pack( "{s:s, s:s, s:s, s:f}", "about", one->about, "cue", one->cue,
                                             "says", one->says, "weight", (double)one->weight ) );
    }
    return json_pack( "{s:s, s:o, s:o, s:o, s:f, s:o, s:o}", "kind", supBodyKindName( body->kind ), "front",
        supJsVector( body->front ), "up", supJsVector( body->up ), "left", supJsVector( body->left ), "confidence",
        (double)body->confidence, "evidence", evidence, "elements", elements );
}

supRig* supJs_ProposeRig( const supCharacter* character, const char* options, char** why )
{
    supRig* rig = NULL;
    supProposal* proposal = NULL;
    supProposeDef def = supDefaultProposeDef();
    supResult result = supReadProposeDef( options, &def, supJsError() );
    result = result == sup_success ? supProposeRigWith( character, &def, &rig, &proposal, supJsError() ) : result;
    *why = result == sup_success ? supJsText( supProposalJson( proposal ) ) : NULL;
    if ( *why == NULL )
    {
        supDestroyRig( rig );
        rig = NULL;
    }
    supDestroyProposal( proposal );
    return rig;
}

int supJs_AddMuscles( const supCharacter* character, supRig* rig )
{
    return supProposeMuscles( character, NULL, rig, NULL, supJsError() ) == sup_success;
}

int supJs_AddFat( const supCharacter* character, supRig* rig )
{
    return supProposeFat( character, NULL, rig, supJsError() ) == sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Read and written

supRig* supJs_ReadRig( const char* text, size_t size, const char* name, const supCharacter* character )
{
    supRig* rig = NULL;
    supReadRigMemory( text, size, name, character, NULL, &rig, supJsError() );
    return rig;
}

/// 0 with no words where it has none.
supRig* supJs_GltfRig( const supGltf* document, const supCharacter* character )
{
    supRig* rig = NULL;
    supJsError()->code = sup_success;
    supGltf_Rig( document, character, NULL, &rig, supJsError() );
    return rig;
}

char* supJs_RigJson( const supRig* rig )
{
    size_t length = supRigToJson( rig, NULL, 0 );
    char* text = length > 0 ? malloc( length + 1 ) : NULL;
    if ( text == NULL )
    {
        supFail( supJsError(), sup_errorMemory, "no memory for the text of a rig" );
        return NULL;
    }
    supRigToJson( rig, text, length + 1 );
    return text;
}

void supJs_DestroyRig( supRig* rig )
{
    supDestroyRig( rig );
}

// ---------------------------------------------------------------------------------------------------------------
// Models

supModel* supJs_CompileModel( const supCharacter* character, const supRig* rig )
{
    supModel* model = NULL;
    supCompileDef def = supDefaultCompileDef();
    def.watch = supJsWatch();
    supCompileModelWith( character, rig, &def, &model, supJsError() );
    return model;
}

void supJs_DestroyModel( supModel* model )
{
    supDestroyModel( model );
}

static json_t* supElementJson( const supModel* model, int32_t index )
{
    supElementView element = supModel_Element( model, index );
    return json_pack( "{s:s, s:i, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "name", element.name, "driver",
        element.driver, "driverName", supCharacter_Joint( supModel_Character( model ), element.driver )->name,
        "vertexCount", element.vertexCount, "mass", (double)element.mass, "volume", (double)element.volume, "thickness",
        (double)element.thickness, "frequency", (double)element.frequency, "dampingRatio", (double)element.dampingRatio,
        "amount", (double)element.amount, "sag", (double)element.sag );
}

char* supJs_ModelJson( const supModel* model )
{
    json_t *elements = json_array(), *helpers = json_array(), *items = json_object();
    for ( int32_t i = 0; i < supModel_ElementCount( model ); ++i )
    {
        json_array_append_new( elements, supElementJson( model, i ) );
    }
    for ( int32_t i = 0; i < supModel_HelperCount( model ); ++i )
    {
        supHelperView helper = supModel_Helper( model, i );
        json_array_append_new(
            helpers, json_pack( "{s:s, s:i, s:i, s:i, s:b, s:o}", "name", supModel_HelperName( model, i ), "element",
                         helper.element, "joint", helper.joint, "kind", helper.kind, "turns", helper.turns, "place",
                         supJsVector( helper.place ) ) );
    }
    for ( int32_t layer = 0; supGetLayerInfo( layer ) != NULL; ++layer )
    {
        json_t* names = json_array();
        for ( int32_t i = 0; i < supModel_ItemCount( model, layer ); ++i )
        {
            json_array_append_new( names, json_string( supModel_ItemName( model, layer, i ) ) );
        }
        json_object_set_new( items, supGetLayerInfo( layer )->key, names );
    }
    return supJsText( json_pack( "{s:o, s:o, s:o, s:i, s:i}", "elements", elements, "helpers", helpers, "items", items,
        "applyingLayer", supModel_ApplyingLayer( model ), "morphLayer", supModel_MorphLayer( model ) ) );
}

static json_t* supNumberJson( float number )
{
    bool isGiven = number > -1e30f && number < 1e30f; // a range may be open, and a default may be "work it out"
    return isGiven ? json_real( (double)number ) : json_null();
}

static json_t* supFieldJson( const supField* field )
{
    static const char* const types[] = { "switch", "number", "length", "vector", "choice", "name", "names", "keys",
        "paint", "spheres", "points", "moves", "shape", "items" };
    json_t* json =
        json_pack( "{s:s, s:s, s:b, s:s, s:o, s:o, s:o, s:s}", "name", field->name, "type", types[field->type], "live",
            field->live, "unit", field->unit, "minimum", supNumberJson( field->minimum ), "maximum",
            supNumberJson( field->maximum ), "fallback", supNumberJson( field->fallback ), "words", field->words );
    json_t* choices = field->type == sup_fieldEnum ? json_array() : NULL;
    for ( int i = 0; choices != NULL && field->choices[i] != NULL; ++i )
    {
        json_array_append_new( choices, json_string( field->choices[i] ) );
    }
    if ( choices != NULL )
    {
        json_object_set_new( json, "choices", choices );
    }
    return json;
}

/// Layers and their fields, for hosts that show whatever there is.
char* supJs_LayersJson( void )
{
    json_t* layers = json_array();
    for ( int32_t layer = 0; supGetLayerInfo( layer ) != NULL; ++layer )
    {
        const supLayerInfo* info = supGetLayerInfo( layer );
        json_t* fields = json_array();
        for ( int32_t i = 0; i < info->fieldCount; ++i )
        {
            json_array_append_new( fields, supFieldJson( info->fields + i ) );
        }
        json_array_append_new( layers, json_pack( "{s:s, s:s, s:s, s:o}", "name", info->name, "key", info->key, "words",
                                           info->words, "fields", fields ) );
    }
    return supJsText( layers );
}
