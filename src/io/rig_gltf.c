// Supple io: rigs inside glTF documents, as the root extension SUPPLE_rig.
// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "io/gltf_document.h"
#include "io/rig_json.h"
#include "supple/lab/items.h"

#include <string.h>

#define SUP_RIG_EXTENSION "SUPPLE_rig"

// What a rig inside a file that is not trusted may ask for: minutes of compiling at most.
#define SUP_STRANGE_ITEMS 200
#define SUP_STRANGE_NODES 5000.0f
#define SUP_STRANGE_VOXEL 0.01f
#define SUP_STRANGE_MODES 200.0f
#define SUP_STRANGE_RAYS 20000.0f
#define SUP_STRANGE_CURVE_NODES 1e6 // of all curves of beams and examples, once a pose

static supResult supFailStrange(
    const char* place, int32_t item, const char* field, double value, const char* bound, double most, supError* error )
{
    return supFail( error, sup_errorLimit, "%s[%d].%s: %g; %g is the %s allowed in a file that is not trusted", place,
        item, field, value, most, bound );
}

static supResult supCheckStrangeFat( const supRig* rig, supError* error )
{
    int32_t layer = supFindLayer( "fat" );
    for ( int32_t i = 0; i < supRig_ItemCount( rig, layer ); ++i )
    {
        const supFatDef* fat = supRig_Item( rig, layer, i );
        if ( fat->nodes > SUP_STRANGE_NODES )
        {
            return supFailStrange( "fat", i, "nodes", (double)fat->nodes, "most", SUP_STRANGE_NODES, error );
        }
        if ( fat->voxel > 0.0f && fat->voxel < SUP_STRANGE_VOXEL )
        {
            return supFailStrange( "fat", i, "voxel", (double)fat->voxel, "least", SUP_STRANGE_VOXEL, error );
        }
        if ( fat->modes > SUP_STRANGE_MODES )
        {
            return supFailStrange( "fat", i, "modes", (double)fat->modes, "most", SUP_STRANGE_MODES, error );
        }
        if ( fat->solver == sup_fatReference ) // a frame of it may take minutes
        {
            return supFail( error, sup_errorLimit,
                "fat[%d].solver: \"reference\" is not allowed in a file that is not trusted", i );
        }
    }
    return sup_success;
}

/// Each pose of beams has forces on all nodes of all curves: a few bytes could ask for gigabytes.
static supResult supCheckStrangeCurves( const supRig* rig, supError* error )
{
    int32_t beams = supFindLayer( "beams" ), examples = supFindLayer( "examples" );
    double nodes = 0.0;
    for ( int32_t i = 0; i < supRig_ItemCount( rig, beams ); ++i )
    {
        const supBeamsDef* def = supRig_Item( rig, beams, i );
        nodes += (double)def->curves * (double)def->nodes * ( 1.0 + def->poses.count );
    }
    for ( int32_t i = 0; i < supRig_ItemCount( rig, examples ); ++i )
    {
        const supExampleDef* def = supRig_Item( rig, examples, i );
        nodes += (double)def->curves * (double)def->nodes;
    }
    return nodes <= SUP_STRANGE_CURVE_NODES
               ? sup_success
               : supFail( error, sup_errorLimit,
                     "beams and examples have %.0f nodes of curves in all poses; at most %.0f are allowed in a file that "
                     "is not trusted",
                     nodes, SUP_STRANGE_CURVE_NODES );
}

static supResult supCheckStrangeRig( const supRig* rig, supError* error )
{
    int32_t items = 0, layer = supFindLayer( "ecorche" );
    for ( int32_t i = 0; i < supLayerCount(); ++i )
    {
        items += supRig_ItemCount( rig, i );
    }
    if ( items > SUP_STRANGE_ITEMS )
    {
        return supFail( error, sup_errorLimit, "%d items; at most %d are allowed in a file that is not trusted", items,
            SUP_STRANGE_ITEMS );
    }
    for ( int32_t i = 0; i < supRig_ItemCount( rig, layer ); ++i )
    {
        const supEcorcheDef* ecorche = supRig_Item( rig, layer, i );
        if ( ecorche->rays > SUP_STRANGE_RAYS )
        {
            return supFailStrange( "ecorche", i, "rays", (double)ecorche->rays, "most", SUP_STRANGE_RAYS, error );
        }
    }
    supResult result = supCheckStrangeCurves( rig, error );
    return result == sup_success ? supCheckStrangeFat( rig, error ) : result;
}

supResult supGltf_Rig(
    const supGltf* document, const supCharacter* character, const supMakeDef* def, supRig** out, supError* error )
{
    *out = NULL;
    const supAllocator* allocator;
    supResult opened = supOpenMakeDef( def, &allocator, error );
    if ( opened != sup_success )
    {
        return opened;
    }
    const json_t* extension = json_object_get( json_object_get( document->root, "extensions" ), SUP_RIG_EXTENSION );
    if ( extension == NULL )
    {
        return sup_success;
    }
    supError inner;
    supResult result =
        supRigFromJson( extension, character, document->folder, document->isUntrusted, allocator, out, &inner );
    if ( result == sup_success && document->isUntrusted )
    {
        result = supCheckStrangeRig( *out, &inner );
        if ( result != sup_success )
        {
            supDestroyRig( *out );
            *out = NULL;
        }
    }
    return result == sup_success ? sup_success
                                 : supGltf_Fail( document, error, result, SUP_RIG_EXTENSION ": %s", inner.text );
}

/// The root's member `key`, made where it is absent. NULL: it is something else, or there is no memory.
static json_t* supMakeMember( json_t* root, const char* key, json_type type, bool* isNew )
{
    json_t* member = json_object_get( root, key );
    *isNew = member == NULL;
    if ( member == NULL )
    {
        member = type == JSON_ARRAY ? json_array() : json_object();
        return json_object_set_new( root, key, member ) == 0 ? member : NULL;
    }
    return json_typeof( member ) == type ? member : NULL;
}

// The extension leaves, and with it what it alone was the reason for.
static void supRemoveRig( json_t* root )
{
    json_t* extensions = json_object_get( root, "extensions" );
    json_object_del( extensions, SUP_RIG_EXTENSION );
    if ( json_is_object( extensions ) && json_object_size( extensions ) == 0 )
    {
        json_object_del( root, "extensions" );
    }
    json_t* used = json_object_get( root, "extensionsUsed" );
    for ( size_t i = json_array_size( used ); i-- > 0; )
    {
        const char* name = json_string_value( json_array_get( used, i ) );
        if ( name != NULL && strcmp( name, SUP_RIG_EXTENSION ) == 0 )
        {
            json_array_remove( used, i );
        }
    }
    if ( json_is_array( used ) && json_array_size( used ) == 0 )
    {
        json_object_del( root, "extensionsUsed" );
    }
}

static supResult supFailSetRig( const supGltf* document, const char* key, bool isNew, supError* error )
{
    if ( isNew )
    {
        return supGltf_Fail( document, error, sup_errorMemory, "out of memory" );
    }
    return supGltf_Fail( document, error, sup_errorData, "%s is of the wrong type: no rig can be put in", key );
}

supResult supGltf_SetRig( supGltf* document, const supRig* rig, supError* error )
{
    if ( rig == NULL )
    {
        supRemoveRig( document->root );
        return sup_success;
    }
    bool isNewUsed, isNewExtensions;
    json_t* used = supMakeMember( document->root, "extensionsUsed", JSON_ARRAY, &isNewUsed );
    if ( used == NULL )
    {
        return supFailSetRig( document, "extensionsUsed", isNewUsed, error );
    }
    json_t* extensions = supMakeMember( document->root, "extensions", JSON_OBJECT, &isNewExtensions );
    if ( extensions == NULL )
    {
        supRemoveRig( document->root );
        return supFailSetRig( document, "extensions", isNewExtensions, error );
    }
    bool failed = false;
    if ( !supGltf_ListsExtension( document, "extensionsUsed", SUP_RIG_EXTENSION ) )
    {
        supJsonAppend( used, json_string( SUP_RIG_EXTENSION ), &failed );
    }
    supJsonPut( extensions, SUP_RIG_EXTENSION, supRigToJsonValue( rig ), &failed );
    if ( failed )
    {
        supRemoveRig( document->root );
        return supFailSetRig( document, "", true, error );
    }
    return sup_success;
}
