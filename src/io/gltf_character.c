// SPDX-License-Identifier: MIT
#include "base/float_settings.h"
#include "base/memory.h"
#include "io/gltf_parts.h"

#include <string.h>

/// Whether a required extension leaves what a character is made of (nodes, positions, skins, clips) readable. Anything
/// that only changes how things look, or stands beside them, does.
static bool supCanReadWith( const char* extension )
{
    static const char* const families[] = { "KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_",
        "KHR_lights_", "EXT_lights_", "KHR_xmp", "KHR_audio", "KHR_node_", "EXT_materials_", "MSFT_packing_",
        "ADOBE_materials_", "AGI_", "VRMC_", "SUPPLE_" };
    static const char* const names[] = { "KHR_mesh_quantization", "EXT_meshopt_compression", "KHR_meshopt_compression",
        "KHR_animation_pointer", "EXT_mesh_gpu_instancing", "KHR_draco_mesh_compression", "MSFT_lod", "VRM" };
    for ( size_t i = 0; i < sizeof( families ) / sizeof( families[0] ); ++i )
    {
        if ( strncmp( extension, families[i], strlen( families[i] ) ) == 0 )
        {
            return true;
        }
    }
    for ( size_t i = 0; i < sizeof( names ) / sizeof( names[0] ); ++i )
    {
        if ( strcmp( extension, names[i] ) == 0 )
        {
            return true; // where Draco is left out it is refused with words of its own, at the primitive that needs it
        }
    }
    return false;
}

static void supCheckRequired( supReader* reader )
{
    size_t i;
    json_t* item;
    json_array_foreach( json_object_get( reader->document->root, "extensionsRequired" ), i, item )
    {
        const char* name = json_string_value( item );
        if ( name == NULL || supCanReadWith( name ) == false )
        {
            supReader_Fail( reader, sup_errorUnsupported,
                "requires the extension '%.80s', which Supple does not know: export it without",
                name != NULL ? name : "" );
        }
    }
}

supResult supGltf_Character( const supGltf* document, const supMakeDef* def, supCharacter** out, supError* error )
{
    *out = NULL;
    const supAllocator* allocator;
    supResult opened = supOpenMakeDef( def, &allocator, error );
    if ( opened != sup_success )
    {
        return opened;
    }
    supReader reader = supMakeBoundedReader( document, error );
    supArena arena = { 0 };
    supCharacterDef made = supDefaultCharacterDef();
    made.name = document->name;
    made.log = document->log;
    made.allocator = allocator;

    supFloatSettings host = supEnterFloatSettings();
    supCheckRequired( &reader );
    supScene scene = supReader_Scene( &reader, &arena );
    supReader_Joints( &reader, &arena, &scene, &made );
    supReader_Skins( &reader, &arena, &made );
    supReader_Meshes( &reader, &arena, &scene, &made );
    supReader_Clips( &reader, &arena, &made );
    supLeaveFloatSettings( host );

    size_t left = supGltf_MemoryLeft( document );
    made.mostMemory = left > arena.used + 1 ? left - arena.used : 1;
    supResult result = supReader_Ok( &reader ) ? supCreateCharacter( &made, out, error ) : reader.result;
    supArena_Free( &arena );
    return result;
}

supResult supLoadGltf( const char* path, supCharacter** out, supError* error )
{
    *out = NULL;
    supGltf* document;
    supResult result = supOpenGltf( path, ( supLog ){ NULL, NULL }, &document, error );
    if ( result == sup_success )
    {
        result = supGltf_Character( document, NULL, out, error );
        supCloseGltf( document );
    }
    return result;
}
