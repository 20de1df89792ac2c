// SPDX-License-Identifier: MIT
#include "io/gltf_parts.h"

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
