// Rigs: found, read, written; models.
// SPDX-License-Identifier: MIT
#include "js_host.h"
#include "supple/auto.h"
#include "supple/io.h"
#include "supple/model.h"
#include "supple/rig.h"

#include <stdlib.h>
#include <string.h>

supRig* SUP_JS( supJs_ProposeRig )( const supCharacter* character, int argc, char** args, char** why );
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

/// Of the program (tools/cli/wasi): the words of `supple rig`, so that options mean the same everywhere. Gives an exit
/// code: 2 after saying on stderr which word is wrong, 1 with an error.
int supProgram_Propose(
    const supCharacter* character, int argc, char** args, supRig** rig, supProposal** proposal, supError* error );

static json_t* supProposalJson( const supProposal* proposal )
{
    const supBodyReading* body = &proposal->body;
    json_t *elements = json_array(), *evidence = json_array();
    for ( int32_t i = 0; i < proposal->elementCount; ++i )
    {
        const supProposedElement* one = proposal->elements + i;
        json_array_append_new(
            elements, json_pack( "{s:s, s:s, s:s, s:o, s:f, s:f, s:f}", "name", one->name, "region",
                          supWordFor( sup_wordsRegion, one->region ), "side", supWordFor( sup_wordsSide, one->side ),
                          "center", supJsVector( one->center ), "ceiling", (double)one->ceiling, "typical",
                          (double)one->typical, "peak", (double)one->peak ) );
    }
    for ( int32_t i = 0; i < body->evidenceCount; ++i )
    {
        const supEvidence* one = body->evidence + i;
        json_array_append_new( evidence, json_pack( "{s:s, s:s, s:s, s:f}", "about", one->about, "cue", one->cue,
                                             "says", one->says, "weight", (double)one->weight ) );
    }
    return json_pack( "{s:s, s:o, s:o, s:o, s:f, s:o, s:o}", "kind", supWordFor( sup_wordsBodyKind, body->kind ),
        "front", supJsVector( body->front ), "up", supJsVector( body->up ), "left", supJsVector( body->left ),
        "confidence", (double)body->confidence, "evidence", evidence, "elements", elements );
}

supRig* supJs_ProposeRig( const supCharacter* character, int argc, char** args, char** why )
{
    supRig* rig = NULL;
    supProposal* proposal = NULL;
    *supJsError() = ( supError ){ sup_success, "" }; // which word is wrong is said on stderr alone
    int code = supProgram_Propose( character, argc, args, &rig, &proposal, supJsError() );
    *why = code == 0 ? supJsText( supProposalJson( proposal ) ) : NULL;
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
    supMakeDef def = supDefaultMakeDef();
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
    supElementView element = supModel_Info( model )->elements[index];
    return json_pack( "{s:s, s:i, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "name", element.name, "driver",
        element.driver, "driverName", supCharacter_Joint( supModel_Info( model )->character, element.driver )->name,
        "vertexCount", element.vertexCount, "mass", (double)element.mass, "volume", (double)element.volume, "thickness",
        (double)element.thickness, "frequency", (double)element.frequency, "dampingRatio", (double)element.dampingRatio,
        "amount", (double)element.amount, "sag", (double)element.sag );
}

char* supJs_ModelJson( const supModel* model )
{
    json_t *elements = json_array(), *helpers = json_array(), *items = json_object();
    for ( int32_t i = 0; i < supModel_Info( model )->elementCount; ++i )
    {
        json_array_append_new( elements, supElementJson( model, i ) );
    }
    for ( int32_t i = 0; i < supModel_Info( model )->helperCount; ++i )
    {
        supHelperView helper = supModel_Info( model )->helpers[i];
        json_array_append_new(
            helpers, json_pack( "{s:s, s:i, s:i, s:i, s:b, s:o}", "name", supModel_Info( model )->helpers[i].name,
                         "element", helper.element, "joint", helper.joint, "kind", helper.kind, "turns", helper.turns,
                         "place", supJsVector( helper.place ) ) );
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
        "applyingLayer", supModel_Info( model )->applyingLayer, "morphLayer", supModel_Info( model )->morphLayer ) );
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
    json_t* json = json_pack( "{s:s, s:s, s:b, s:b, s:s, s:o, s:o, s:o, s:s}", "name", field->name, "type",
        types[field->type], "live", field->live, "advanced", field->advanced, "unit", field->unit, "minimum",
        supNumberJson( field->minimum ), "maximum", supNumberJson( field->maximum ), "fallback",
        supNumberJson( field->fallback ), "words", field->words );
    json_t* choices = field->type == sup_fieldEnum ? json_array() : NULL;
    for ( int i = 0; choices != NULL && field->choices[i] != NULL; ++i )
    {
        json_array_append_new( choices, json_string( field->choices[i] ) );
    }
    if ( choices != NULL )
    {
        json_object_set_new( json, "choices", choices );
    }
    json_t* own = field->type == sup_fieldItems ? json_array() : NULL;
    for ( int32_t i = 0; own != NULL && i < field->items->count; ++i )
    {
        json_array_append_new(
            own, supFieldJson( field->items->fields + i ) ); // these have no lists of objects in turn
    }
    if ( own != NULL )
    {
        json_object_set_new( json, "fields", own );
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
