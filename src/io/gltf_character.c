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

// ---------------------------------------------------------------------------------------------------------------
// The nodes of a scene.

static void supReadParents( supReader* reader, supScene* scene )
{
    for ( int32_t i = 0; i < scene->nodeCount; ++i )
    {
        scene->parents[i] = -1;
    }
    for ( int32_t node = 0; node < scene->nodeCount && supReader_Ok( reader ); ++node )
    {
        const json_t* json = supGltf_Item( reader->document, "nodes", node );
        supReader_At( reader, "node", node, json );
        size_t i;
        json_t* item;
        json_array_foreach( supReader_Array( reader, json, "children" ), i, item )
        {
            int32_t child = supReader_IndexValue( reader, item, "children", "nodes" );
            if ( child < 0 )
            {
                return;
            }
            if ( scene->parents[child] != -1 )
            {
                supReader_Fail( reader, sup_errorData, "its child %d is a child of node %d too: a node has one parent",
                    child, scene->parents[child] );
                return;
            }
            scene->parents[child] = node;
        }
    }
}

/// Walks up from every node to a root, or to a node that an earlier walk came past. A walk that meets itself is a
/// cycle.
static void supRefuseCycles( supReader* reader, supArena* arena, const supScene* scene )
{
    int32_t* walks = supReader_Take( reader, arena, (size_t)scene->nodeCount, sizeof( int32_t ) ); // 0: no walk yet
    for ( int32_t walk = 1; walk <= scene->nodeCount && supReader_Ok( reader ); ++walk )
    {
        int32_t node = walk - 1;
        while ( node >= 0 && walks[node] == 0 )
        {
            walks[node] = walk;
            node = scene->parents[node];
        }
        if ( node >= 0 && walks[node] == walk )
        {
            supReader_At( reader, "node", node, supGltf_Item( reader->document, "nodes", node ) );
            supReader_Fail( reader, sup_errorData, "is its own ancestor: the node tree has a cycle" );
        }
    }
}

static void supMarkRoots( supReader* reader, supScene* scene )
{
    const supGltf* document = reader->document;
    reader->where = ( supWhere ){ 0 };
    int32_t index = supReader_Index( reader, document->root, "scene", "scenes" );
    if ( supGltf_Count( document, "scenes" ) == 0 )
    {
        for ( int32_t i = 0; i < scene->nodeCount; ++i )
        {
            scene->shown[i] = scene->parents[i] < 0;
        }
        return;
    }
    index = index >= 0 ? index : 0;
    const json_t* json = supGltf_Item( document, "scenes", index );
    supReader_At( reader, "scene", index, json );
    size_t i;
    json_t* item;
    json_array_foreach( supReader_Array( reader, json, "nodes" ), i, item )
    {
        int32_t node = supReader_IndexValue( reader, item, "nodes", "nodes" );
        if ( node >= 0 )
        {
            scene->shown[node] = true;
        }
    }
}

/// Everything below a shown node is shown. Nodes come in any order, so each path upwards is followed to the first node
/// whose answer is known, then written along it.
static void supMarkBelow( supReader* reader, supArena* arena, supScene* scene )
{
    bool* known = supReader_Take( reader, arena, (size_t)scene->nodeCount, sizeof( bool ) );
    for ( int32_t start = 0; start < scene->nodeCount && supReader_Ok( reader ); ++start )
    {
        int32_t top = start;
        while ( top >= 0 && known[top] == false && scene->shown[top] == false )
        {
            top = scene->parents[top];
        }
        bool shown = top >= 0 && scene->shown[top];
        for ( int32_t node = start; node != top; node = scene->parents[node] )
        {
            scene->shown[node] = shown;
            known[node] = true;
        }
    }
}

/// Passes over all shown primitives; fills `instances` unless it is NULL. Gives their number.
static int32_t supListInstances( supReader* reader, const supScene* scene, supInstance* instances )
{
    const supGltf* document = reader->document;
    int32_t count = 0;
    for ( int32_t node = 0; node < scene->nodeCount; ++node )
    {
        const json_t* json = supGltf_Item( document, "nodes", node );
        supReader_At( reader, "node", node, json );
        int32_t mesh = scene->shown[node] ? supReader_Index( reader, json, "mesh", "meshes" ) : -1;
        const json_t* meshJson = mesh >= 0 ? supGltf_Item( document, "meshes", mesh ) : NULL;
        if ( meshJson == NULL )
        {
            continue;
        }
        supReader_At( reader, "mesh", mesh, meshJson );
        size_t i;
        json_t* primitive;
        json_array_foreach( supReader_Array( reader, meshJson, "primitives" ), i, primitive )
        {
            supReader_AtPart( reader, "primitive", (int32_t)i );
            if ( json_is_object( primitive ) == false )
            {
                supReader_Fail( reader, sup_errorData, "is not an object" );
            }
            bool visible = json_object_get( supReader_Object( reader, primitive, "attributes" ), "POSITION" ) != NULL;
            if ( visible && instances != NULL )
            {
                instances[count] = ( supInstance ){ node, mesh, (int32_t)i, primitive };
            }
            else if ( visible == false && instances == NULL && supReader_Ok( reader ) )
            {
                supReader_Note( reader, "has no POSITION: left out" );
            }
            count += visible ? 1 : 0;
        }
        supReader_AtPart( reader, NULL, 0 );
    }
    return count;
}

supScene supReader_Scene( supReader* reader, supArena* arena )
{
    supScene scene = { .nodeCount = supGltf_Count( reader->document, "nodes" ) };
    scene.parents = supReader_Take( reader, arena, (size_t)scene.nodeCount, sizeof( int32_t ) );
    scene.shown = supReader_Take( reader, arena, (size_t)scene.nodeCount, sizeof( bool ) );
    if ( supReader_Ok( reader ) )
    {
        supReadParents( reader, &scene );
        supRefuseCycles( reader, arena, &scene );
        supMarkRoots( reader, &scene );
        supMarkBelow( reader, arena, &scene );
    }
    if ( supReader_Ok( reader ) )
    {
        int32_t count = supListInstances( reader, &scene, NULL );
        scene.instances = supReader_Take( reader, arena, (size_t)count, sizeof( supInstance ) );
        scene.instanceCount = supReader_Ok( reader ) ? supListInstances( reader, &scene, scene.instances ) : 0;
    }
    return scene;
}
