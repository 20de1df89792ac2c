// SPDX-License-Identifier: MIT
#include "io/gltf_edit.h"

#include <math.h>
#include <string.h>

/// Floats in a view of their own.
static int32_t supAddFloats(
    supGltfEdit* edit, const float* numbers, int32_t count, const supAccessor* like, int32_t target, bool bounds )
{
    static const char* const types[] = { "SCALAR", "VEC2", "VEC3", "VEC4" };
    size_t width = (size_t)like->rows * (size_t)like->columns;
    supNewAccessor def = { .view = supEdit_AddView( edit, numbers, (size_t)count * width * sizeof( float ), target ),
        .component = sup_componentFloat,
        .type = like->columns == 4 ? "MAT4" : types[like->rows - 1],
        .count = count,
        .bounds = bounds ? numbers : NULL,
        .rows = (int32_t)width };
    return supEdit_AddAccessor( edit, &def );
}

int32_t supEdit_UnshareAccessor( supGltfEdit* edit, int32_t index )
{
    supReader* reader = &edit->reader;
    supArena arena = { 0 };
    supAccessor source =
        supReader_AccessorOfAnyWidth( reader, index, "copy", sup_componentsQuantized | sup_componentUnsignedInt );
    float* numbers = supReader_Take(
        reader, &arena, (size_t)source.count, (size_t)source.rows * (size_t)source.columns * sizeof( float ) );
    bool matrix = source.columns == 2 || source.columns == 3;
    int32_t copy = -1;
    if ( numbers != NULL && matrix )
    {
        supReader_Fail(
            reader, sup_errorUnsupported, "accessor %d holds small matrices, which nothing here changes", index );
    }
    else if ( numbers != NULL )
    {
        supAccessor_ReadFloats( &source, numbers );
        const json_t* json = supGltf_Item( edit->document, "accessors", index );
        int32_t view = supReader_Index( reader, json, "bufferView", "bufferViews" );
        const json_t* viewJson = view < 0 ? NULL : supGltf_Item( edit->document, "bufferViews", view );
        int32_t target = (int32_t)json_integer_value( json_object_get( viewJson, "target" ) );
        copy = supAddFloats( edit, numbers, source.count, &source, target, json_object_get( json, "min" ) != NULL );
    }
    supArena_Free( &arena );
    return copy;
}

static json_t* supTargetJson( supGltfEdit* edit, const supNewTarget* target )
{
    const int32_t accessors[3] = { target->position, target->normal, target->tangent };
    static const char* const names[3] = { "POSITION", "NORMAL", "TANGENT" };
    json_t* json = json_object();
    for ( int i = 0; i < 3; ++i )
    {
        if ( accessors[i] >= 0 )
        {
            supEdit_Put( edit, json, names[i], json_integer( accessors[i] ) );
        }
    }
    return json;
}

/// An array of an object, made where it is absent.
static json_t* supOwnList( supGltfEdit* edit, json_t* object, const char* key )
{
    if ( json_object_get( object, key ) == NULL )
    {
        supEdit_Put( edit, object, key, json_array() );
    }
    return json_object_get( object, key );
}

/// Appends zeros to a list of default weights. Without one the targets before count as zeros, and the new ones need
/// none either.
static void supExtendWeights( supGltfEdit* edit, json_t* holder, int32_t count )
{
    json_t* weights = json_object_get( holder, "weights" );
    if ( weights != NULL && json_is_array( weights ) == false )
    {
        supReader_Fail(
            &edit->reader, sup_errorData, "\"weights\" of a mesh or node is no list: remove it, or make it one" );
        return;
    }
    for ( int32_t i = 0; weights != NULL && i < count; ++i )
    {
        supEdit_Push( edit, weights, json_real( 0.0 ) );
    }
}

/// Names stand in the mesh's extras, by custom. They are given where the targets before have theirs, or there were
/// none.
static void supNameTargets( supGltfEdit* edit, json_t* mesh, int32_t before, int32_t count, const char* const* names )
{
    json_t* extras = json_object_get( mesh, "extras" );
    bool named = (int32_t)json_array_size( json_object_get( extras, "targetNames" ) ) == before;
    if ( names == NULL || named == false || ( extras != NULL && json_is_object( extras ) == 0 ) )
    {
        return;
    }
    if ( extras == NULL )
    {
        supEdit_Put( edit, mesh, "extras", json_object() );
    }
    json_t* list = supOwnList( edit, json_object_get( mesh, "extras" ), "targetNames" );
    for ( int32_t i = 0; i < count && supEdit_Ok( edit ); ++i )
    {
        supEdit_Push( edit, list, json_string( names[i] ) );
    }
}

static bool supShowsMesh( const supGltf* document, int32_t node, int32_t mesh )
{
    const json_t* shown = json_object_get( supGltf_Item( document, "nodes", node ), "mesh" );
    return shown != NULL && json_number_value( shown ) == (double)mesh;
}

/// The keys of a weights channel with `count` zeros more in each; gives the new accessor, -1 after a failure.
static int32_t supWidenKeys( supGltfEdit* edit, int32_t output, int32_t before, int32_t count )
{
    supReader* reader = &edit->reader;
    supArena arena = { 0 };
    supAccessor accessor = supReader_Accessor( reader, output, "output", 1, 1, sup_componentsQuantized );
    accessor.normalized = true;
    size_t rows = (size_t)( accessor.count / before ), width = (size_t)before + (size_t)count;
    float* old = supReader_Take( reader, &arena, (size_t)accessor.count, sizeof( float ) );
    float* wide = supReader_Take( reader, &arena, rows * width, sizeof( float ) );
    int32_t widened = -1;
    if ( supReader_Ok( reader ) && rows * width <= INT32_MAX )
    {
        supAccessor_ReadFloats( &accessor, old );
        for ( size_t i = 0; i < rows; ++i )
        {
            for ( size_t k = 0; k < (size_t)before; ++k )
            {
                // a NaN is not written twice; who knows what the key should be puts it right (gltf_bake_weights.c)
                float value = old[i * (size_t)before + k];
                wide[i * width + k] = isfinite( value ) ? value : 0.0f;
            }
        }
        widened = supAddFloats( edit, wide, (int32_t)( rows * width ), &accessor, 0, false );
    }
    supArena_Free( &arena );
    return widened;
}

/// A channel that animates the weights of a node that shows the mesh gets a sampler of its own, wider.
static void supWidenChannel(
    supGltfEdit* edit, json_t* animation, json_t* channel, int32_t mesh, int32_t before, int32_t count )
{
    const json_t* target = json_object_get( channel, "target" );
    const char* path = json_string_value( json_object_get( target, "path" ) );
    int32_t node = supReader_Index( &edit->reader, target, "node", "nodes" );
    if ( node < 0 || path == NULL || strcmp( path, "weights" ) != 0 ||
         supShowsMesh( edit->document, node, mesh ) == false )
    {
        return;
    }
    json_t* samplers = json_object_get( animation, "samplers" );
    json_t* sampler =
        supEdit_Copy( edit, json_array_get( samplers, supReader_Size( &edit->reader, channel, "sampler", 0 ) ) );
    int32_t output = supReader_Index( &edit->reader, sampler, "output", "accessors" );
    int32_t widened = output < 0 ? -1 : supWidenKeys( edit, output, before, count );
    if ( widened < 0 )
    {
        supReader_Fail( &edit->reader, sup_errorData, "the keys of its weights cannot be read" );
        json_decref( sampler );
        return;
    }
    supEdit_Put( edit, sampler, "output", json_integer( widened ) );
    supEdit_Put( edit, channel, "sampler", json_integer( (json_int_t)json_array_size( samplers ) ) );
    supEdit_Push( edit, samplers, sampler );
}

static void supWidenClips( supGltfEdit* edit, int32_t mesh, int32_t before, int32_t count )
{
    for ( int32_t clip = 0; clip < supGltf_Count( edit->document, "animations" ); ++clip )
    {
        json_t* animation = supGltf_Item( edit->document, "animations", clip );
        size_t i;
        json_t* channel;
        supReader_At( &edit->reader, "animation", clip, animation );
        json_array_foreach( json_object_get( animation, "channels" ), i, channel )
        {
            if ( supEdit_Ok( edit ) )
            {
                supWidenChannel( edit, animation, channel, mesh, before, count );
            }
        }
    }
}

void supEdit_AddMorphTargets(
    supGltfEdit* edit, int32_t mesh, const supNewTarget* targets, int32_t count, const char* const* names )
{
    json_t* json = supGltf_Item( edit->document, "meshes", mesh );
    json_t* primitives = json_object_get( json, "primitives" );
    int32_t before = (int32_t)json_array_size( json_object_get( json_array_get( primitives, 0 ), "targets" ) );
    for ( size_t p = 0; p < json_array_size( primitives ) && supEdit_Ok( edit ); ++p )
    {
        json_t* list = supOwnList( edit, json_array_get( primitives, p ), "targets" );
        for ( size_t i = 0; i < (size_t)count; ++i )
        {
            supEdit_Push( edit, list, supTargetJson( edit, targets + p * (size_t)count + i ) );
        }
    }
    supExtendWeights( edit, json, count );
    for ( int32_t node = 0; node < supGltf_Count( edit->document, "nodes" ); ++node )
    {
        if ( supShowsMesh( edit->document, node, mesh ) )
        {
            supExtendWeights( edit, supGltf_Item( edit->document, "nodes", node ), count );
        }
    }
    supNameTargets( edit, json, before, count, names );
    if ( before > 0 )
    {
        supWidenClips( edit, mesh, before, count );
    }
}
