// Morph targets of a baked document.
// SPDX-License-Identifier: MIT
//
// A target touches few of a mesh's vertices, so its accessors are sparse wherever that is smaller; all indices and all
// deltas of a mesh stand in one buffer view each. A primitive that a target does not touch gets an accessor without
// bytes, which is all zeros by definition; POSITION is always given, since some readers take the mesh's own positions
// where it is absent.
#include "base/memory.h"
#include "io/gltf_bake.h"
#include "io/gltf_edit.h"

#include <stdio.h>
#include <string.h>

/// Deltas on their way into the file.
typedef struct supDeltas
{
    const int32_t* vertices;
    const float* values; ///< 3 a vertex
    int32_t count;
    int32_t vertexCount; ///< of the primitive
    bool bounds;         ///< wants min and max
} supDeltas;

/// Where the sparse parts of one mesh go: gathered first, then added as two views.
typedef struct supSparsePool
{
    supArray indices; ///< bytes
    supArray values;  ///< float
    supArray waiting; ///< json_t*: accessors whose views are not known yet
} supSparsePool;

// ---------------------------------------------------------------------------------------------------------------
// Accessors

/// The smallest type that holds the number of the last vertex: 1, 2 or 4 bytes.
static size_t supIndexBytes( int32_t vertexCount )
{
    return vertexCount <= 256 ? 1 : vertexCount <= 65536 ? 2 : 4;
}

static void supPutDeltaBounds( supGltfEdit* edit, json_t* json, const supDeltas* deltas )
{
    json_t* lowest = json_array();
    json_t* highest = json_array();
    for ( size_t k = 0; k < 3; ++k )
    {
        bool all = deltas->count == deltas->vertexCount && deltas->count > 0;
        float lower = all ? deltas->values[k] : 0.0f, upper = lower;
        for ( size_t i = 0; i < (size_t)deltas->count; ++i )
        {
            float value = deltas->values[3 * i + k];
            lower = value < lower ? value : lower;
            upper = value > upper ? value : upper;
        }
        supEdit_Push( edit, lowest, json_real( (double)lower ) );
        supEdit_Push( edit, highest, json_real( (double)upper ) );
    }
    supEdit_Put( edit, json, "min", lowest );
    supEdit_Put( edit, json, "max", highest );
}

static json_t* supDeltaAccessor( supGltfEdit* edit, const supDeltas* deltas )
{
    json_t* json = json_pack( "{s:i, s:i, s:s}", "componentType", 5126, "count", deltas->vertexCount, "type", "VEC3" );
    if ( deltas->bounds )
    {
        supPutDeltaBounds( edit, json, deltas );
    }
    return json;
}

/// An accessor that is all zeros; one serves for all that have as many items.
static int32_t supAddZeros( supBakeEdit* bake, int32_t vertexCount )
{
    for ( int32_t i = bake->firstAccessor; i < supGltf_Count( bake->edit.document, "accessors" ); ++i )
    {
        const json_t* json = supGltf_Item( bake->edit.document, "accessors", i );
        if ( json_object_get( json, "bufferView" ) == NULL && json_object_get( json, "sparse" ) == NULL &&
             json_integer_value( json_object_get( json, "count" ) ) == vertexCount )
        {
            return i;
        }
    }
    supDeltas none = { .vertexCount = vertexCount, .bounds = true };
    return supEdit_Append( &bake->edit, "accessors", supDeltaAccessor( &bake->edit, &none ) );
}

static int32_t supAddDense( supBakeEdit* bake, const supDeltas* deltas )
{
    size_t count = (size_t)deltas->vertexCount;
    float* all = supReader_Take( &bake->edit.reader, &bake->arena, count, 3 * sizeof( float ) );
    for ( int32_t i = 0; i < deltas->count && all != NULL; ++i )
    {
        memcpy( all + 3 * (size_t)deltas->vertices[i], deltas->values + 3 * (size_t)i, 3 * sizeof( float ) );
    }
    json_t* json = supDeltaAccessor( &bake->edit, deltas );
    int32_t view =
        all != NULL ? supEdit_AddView( &bake->edit, all, 3 * count * sizeof( float ), SUP_TARGET_VERTICES ) : -1;
    supEdit_Put( &bake->edit, json, "bufferView", json_integer( view ) );
    return supEdit_Append( &bake->edit, "accessors", json );
}

/// Offsets now, views later.
static int32_t supAddSparse( supBakeEdit* bake, supSparsePool* pool, const supDeltas* deltas )
{
    size_t width = supIndexBytes( deltas->vertexCount ), count = (size_t)deltas->count;
    size_t padded = ( count * width + 3 ) / 4 * 4;
    size_t indexOffset = pool->indices.count, valueOffset = pool->values.count * sizeof( float );
    uint8_t* indices = supArray_Add( &pool->indices, padded );
    float* values = supArray_Add( &pool->values, 3 * count );
    json_t** waiting = supArray_Add( &pool->waiting, 1 );
    if ( indices == NULL || values == NULL || waiting == NULL )
    {
        supReader_Fail( &bake->edit.reader, sup_errorMemory, "no memory for morph targets" );
        return -1;
    }
    for ( size_t i = 0; i < count; ++i )
    {
        for ( size_t b = 0; b < width; ++b )
        {
            indices[i * width + b] = (uint8_t)( (uint32_t)deltas->vertices[i] >> ( 8 * b ) );
        }
    }
    memcpy( values, deltas->values, 3 * count * sizeof( float ) );
    json_t* json = supDeltaAccessor( &bake->edit, deltas );
    json_t* sparse = json_pack( "{s:i, s:{s:I, s:i}, s:{s:I}}", "count", deltas->count, "indices", "byteOffset",
        (json_int_t)indexOffset, "componentType",
        width == 1   ? 5121
        : width == 2 ? 5123
                     : 5125,
        "values", "byteOffset", (json_int_t)valueOffset );
    *waiting = sparse;
    supEdit_Put( &bake->edit, json, "sparse", sparse );
    return supEdit_Append( &bake->edit, "accessors", json );
}

static void supAddPoolViews( supBakeEdit* bake, supSparsePool* pool )
{
    if ( pool->waiting.count == 0 || supEdit_Ok( &bake->edit ) == false )
    {
        return;
    }
    int32_t indices = supEdit_AddView( &bake->edit, pool->indices.data, pool->indices.count, 0 );
    int32_t values = supEdit_AddView( &bake->edit, pool->values.data, pool->values.count * sizeof( float ), 0 );
    json_t** waiting = pool->waiting.data;
    for ( size_t i = 0; i < pool->waiting.count && supEdit_Ok( &bake->edit ); ++i )
    {
        supEdit_Put( &bake->edit, json_object_get( waiting[i], "indices" ), "bufferView", json_integer( indices ) );
        supEdit_Put( &bake->edit, json_object_get( waiting[i], "values" ), "bufferView", json_integer( values ) );
    }
}

static int32_t supAddDeltas( supBakeEdit* bake, supSparsePool* pool, const supDeltas* deltas )
{
    if ( deltas->count == 0 )
    {
        return supAddZeros( bake, deltas->vertexCount );
    }
    size_t sparse = (size_t)deltas->count * ( supIndexBytes( deltas->vertexCount ) + 3 * sizeof( float ) );
    bool isSmaller = sparse < (size_t)deltas->vertexCount * 3 * sizeof( float );
    return isSmaller ? supAddSparse( bake, pool, deltas ) : supAddDense( bake, deltas );
}

// ---------------------------------------------------------------------------------------------------------------
// One mesh

/// The character's mesh for a primitive as a node shows it, or -1: the scene does not show it.
static int32_t supFindPrimitive( const supBakeEdit* bake, int32_t node, int32_t primitive )
{
    for ( int32_t i = 0; i < supCharacter_Info( bake->character )->meshCount; ++i )
    {
        supMeshView view = supCharacter_Mesh( bake->character, i );
        if ( view.joint == node && view.sourcePrimitive == primitive )
        {
            return i;
        }
    }
    return -1;
}

/// Whether a target before ours has normals: then ours need them too, if only zeros.
static bool supTargetsHaveNormals( const json_t* primitive )
{
    size_t i;
    json_t* target;
    bool has = false;
    json_array_foreach( json_object_get( primitive, "targets" ), i, target )
    {
        has = has || json_object_get( target, "NORMAL" ) != NULL;
    }
    return has;
}

static bool supGroupHasNormals( const supBakeEdit* bake, int32_t mesh, int32_t count )
{
    bool has = false;
    for ( int32_t t = 0; mesh >= 0 && t < count; ++t )
    {
        has = has || supMorphBake_Info( bake->morphs )->meshes[mesh].targets[t].normalCount > 0;
    }
    return has;
}

/// Accessors of all targets on one primitive.
static void supAddPrimitiveTargets( supBakeEdit* bake, supSparsePool* pool, const json_t* primitive, int32_t mesh,
    int32_t count, supNewTarget* targets )
{
    int32_t position =
        supReader_Index( &bake->edit.reader, json_object_get( primitive, "attributes" ), "POSITION", "accessors" );
    int32_t vertexCount = position >= 0 ? supReader_AccessorCount( &bake->edit.reader, position ) : 0;
    bool normals = supGroupHasNormals( bake, mesh, count ) || supTargetsHaveNormals( primitive );
    for ( int32_t t = 0; t < count && supEdit_Ok( &bake->edit ); ++t )
    {
        supMorphTarget target =
            mesh >= 0 ? supMorphBake_Info( bake->morphs )->meshes[mesh].targets[t] : ( supMorphTarget ){ 0 };
        supDeltas moved = { target.vertices, target.positions, target.count, vertexCount, true };
        supDeltas turned = { target.normalVertices, target.normals, target.normalCount, vertexCount, false };
        targets[t].position = position >= 0 ? supAddDeltas( bake, pool, &moved ) : -1;
        targets[t].normal = normals ? supAddDeltas( bake, pool, &turned ) : -1;
        targets[t].tangent = -1;
    }
}

/// How many nodes of the document show a mesh.
static int32_t supCountShowings( supBakeEdit* bake, int32_t mesh )
{
    int32_t count = 0;
    for ( int32_t n = 0; n < supGltf_Count( bake->edit.document, "nodes" ); ++n )
    {
        const json_t* node = supGltf_Item( bake->edit.document, "nodes", n );
        count += supReader_Index( &bake->edit.reader, node, "mesh", "meshes" ) == mesh ? 1 : 0;
    }
    return count;
}

/// The mesh that a node may change: the one it shows, noted, or a copy where others show it too.
static int32_t supOwnMesh( supBakeEdit* bake, int32_t node, int32_t mesh )
{
    json_t* json = supGltf_Item( bake->edit.document, "meshes", mesh );
    if ( supCountShowings( bake, mesh ) == 1 )
    {
        supBakeEdit_Note( bake, "meshes", mesh, 0, false, 0, supEdit_Copy( &bake->edit, json ) );
        return mesh;
    }
    int32_t copy = supEdit_Append( &bake->edit, "meshes", supEdit_Copy( &bake->edit, json ) );
    supBakeEdit_Note( bake, "nodes", node, mesh, false, 0, NULL );
    supEdit_Put( &bake->edit, supGltf_Item( bake->edit.document, "nodes", node ), "mesh", json_integer( copy ) );
    return copy;
}

/// Notes what the new targets change outside of the mesh: the node's weights, channels of weights.
static void supNoteWeights( supBakeEdit* bake, int32_t node )
{
    const json_t* weights = json_object_get( supGltf_Item( bake->edit.document, "nodes", node ), "weights" );
    if ( weights != NULL )
    {
        supBakeEdit_Note( bake, "weights", node, (int32_t)json_array_size( weights ), false, 0, NULL );
    }
    for ( int32_t a = 0; a < supGltf_Count( bake->edit.document, "animations" ); ++a )
    {
        size_t c;
        json_t* channel;
        json_array_foreach(
            json_object_get( supGltf_Item( bake->edit.document, "animations", a ), "channels" ), c, channel )
        {
            if ( supBakeEdit_IsWeightsOf( bake, channel, node ) )
            {
                int32_t sampler = (int32_t)supReader_Size( &bake->edit.reader, channel, "sampler", 0 );
                supBakeEdit_Note( bake, "channels", a, (int32_t)c, true, sampler, NULL );
            }
        }
    }
}

static const char* const* supNameTargets( supBakeEdit* bake, int32_t count )
{
    const char** names = supReader_Take( &bake->edit.reader, &bake->arena, (size_t)count, sizeof( char* ) );
    for ( int32_t i = 0; i < count && supEdit_Ok( &bake->edit ); ++i )
    {
        char* text = supReader_Take( &bake->edit.reader, &bake->arena, 24, 1 );
        if ( text != NULL )
        {
            snprintf( text, 24, SUP_TARGET_NAME "%d", i + 1 );
        }
        names[i] = text;
    }
    return supEdit_Ok( &bake->edit ) ? names : NULL;
}

static void supAddGroup( supBakeEdit* bake, supMorphGroup group )
{
    int32_t shown = supReader_Index(
        &bake->edit.reader, supGltf_Item( bake->edit.document, "nodes", group.joint ), "mesh", "meshes" );
    if ( shown < 0 || group.targetCount == 0 || supEdit_Ok( &bake->edit ) == false )
    {
        return;
    }
    int32_t mesh = supOwnMesh( bake, group.joint, shown );
    const json_t* primitives = json_object_get( supGltf_Item( bake->edit.document, "meshes", mesh ), "primitives" );
    size_t primitiveCount = json_array_size( primitives ), count = (size_t)group.targetCount;
    supNewTarget* targets =
        supReader_Take( &bake->edit.reader, &bake->arena, primitiveCount * count, sizeof( supNewTarget ) );
    supSparsePool pool = { supMakeArray( 1, NULL ), supMakeArray( sizeof( float ), NULL ),
        supMakeArray( sizeof( json_t* ), NULL ) };
    for ( size_t p = 0; p < primitiveCount && supEdit_Ok( &bake->edit ); ++p )
    {
        supAddPrimitiveTargets( bake, &pool, json_array_get( primitives, p ),
            supFindPrimitive( bake, group.joint, (int32_t)p ), group.targetCount, targets + p * count );
    }
    supAddPoolViews( bake, &pool );
    supArray_Destroy( &pool.indices );
    supArray_Destroy( &pool.values );
    supArray_Destroy( &pool.waiting );
    supNoteWeights( bake, group.joint );
    const char* const* names = supNameTargets( bake, group.targetCount );
    if ( supEdit_Ok( &bake->edit ) )
    {
        supEdit_AddMorphTargets( &bake->edit, mesh, targets, group.targetCount, names );
    }
}

void supBakeEdit_AddTargets( supBakeEdit* bake )
{
    bake->firstAccessor = supGltf_Count( bake->edit.document, "accessors" );
    for ( int32_t a = 0; a < supGltf_Count( bake->edit.document, "animations" ); ++a )
    {
        // before keys of weights grow, which adds samplers
        const json_t* clip = supGltf_Item( bake->edit.document, "animations", a );
        const json_t* channels = json_object_get( clip, "channels" );
        const json_t* samplers = json_object_get( clip, "samplers" );
        if ( json_is_array( channels ) && json_is_array( samplers ) )
        {
            supBakeEdit_Note( bake, "clips", a, (int32_t)json_array_size( channels ), true,
                (int32_t)json_array_size( samplers ), NULL );
        }
    }
    for ( int32_t g = 0; g < supMorphBake_Info( bake->morphs )->groupCount && supEdit_Ok( &bake->edit ); ++g )
    {
        supAddGroup( bake, supMorphBake_Info( bake->morphs )->groups[g] );
    }
}
