// SPDX-License-Identifier: MIT
//
// Primitives compressed with Draco (KHR_draco_mesh_compression). One stream holds a primitive's triangles and those of
// its attributes that the extension names; their accessors have counts and types, and no bytes. The stream is decoded
// when the document is opened, to what each of these accessors would have in a buffer view, tight:
//
//     accessor 7: no bufferView, count 3485, VEC3 of floats   ->   document->unpacked[7]: 3485 * 12 bytes
//
// Where an accessor has a buffer view as well, for readers that do not know the extension, that is read instead.
//
// A stream of a few bytes may state millions of vertices, so their number is checked against its length: 256 vertices a
// byte is far above what an encoder reaches on anything that has a shape. What is unpacked is charged to the document's
// budget, what decoding takes for a while must fit into it, and a stream that many primitives name is decoded once.
#include "io/gltf_edit.h"
#include "io/gltf_reader.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if SUP_HAS_DRACO
#    include "io/draco_decode.h"
#endif

bool supReadsDraco( void )
{
#if SUP_HAS_DRACO
    return true;
#else
    return false;
#endif
}

#if SUP_HAS_DRACO

#    define SUP_DRACO_MOST_POINTS_A_BYTE 256
#    define SUP_DRACO_FEW_POINTS 65536     ///< whatever the length
#    define SUP_DRACO_MOST_ATTRIBUTES 32   ///< that a primitive can have compressed
#    define SUP_DRACO_MORE_POINT_BYTES 256 ///< of attributes that the file does not ask for
#    define SUP_DRACO_MORE_ATTRIBUTES 2    ///< that it does not ask for
// What libdraco takes for a triangle while it decodes, beside what it takes for its points, and more for each attribute
// that may have seams. Measured on grids and on loose triangles: at most 50 with one attribute, 201 with four.
#    define SUP_DRACO_FACE_BYTES 100
#    define SUP_DRACO_SEAM_BYTES 24

/// One attribute of a primitive that is being decoded.
typedef struct supDracoAttribute
{
    const char* name;
    uint32_t uniqueId;
    supAccessor accessor; ///< what it must become
} supDracoAttribute;

/// A primitive that is being decoded.
typedef struct supDracoWork
{
    supReader* reader;
    supGltf* document;
    supDracoAttribute attributes[SUP_DRACO_MOST_ATTRIBUTES];
    int32_t attributeCount;
    supAccessor indices;
    int32_t view; ///< where the stream is
    supBytes stream;
} supDracoWork;

static size_t supItemBytes( const supAccessor* accessor )
{
    return supComponentSize( accessor->component ) * (size_t)accessor->rows;
}

static bool supHasOwnBytes( const supDracoWork* work, int32_t accessor )
{
    return json_object_get( supGltf_Item( work->document, "accessors", accessor ), "bufferView" ) != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// What the file says

static void supReadDracoAttribute( supDracoWork* work, const json_t* attributes, const char* name, const json_t* id )
{
    supReader* reader = work->reader;
    int32_t index = supReader_Index( reader, attributes, name, "accessors" );
    size_t uniqueId = supReader_Ok( reader ) && json_is_integer( id ) ? (size_t)json_integer_value( id ) : SIZE_MAX;
    if ( index < 0 || uniqueId > UINT32_MAX )
    {
        supReader_Fail( reader, sup_errorData,
            "Draco compression: '%.40s' is no attribute of the primitive, or its id is no whole number", name );
        return;
    }
    if ( work->attributeCount == SUP_DRACO_MOST_ATTRIBUTES )
    {
        supReader_Fail( reader, sup_errorLimit, "Draco compression: more than %d attributes, of which none is needed",
            SUP_DRACO_MOST_ATTRIBUTES );
        return;
    }
    supDracoAttribute attribute = { .name = name, .uniqueId = (uint32_t)uniqueId };
    attribute.accessor =
        supReader_AccessorOfAnyWidth( reader, index, name, sup_componentsQuantized | sup_componentUnsignedInt );
    if ( supReader_Ok( reader ) && attribute.accessor.columns != 1 )
    {
        supReader_Fail( reader, sup_errorData, "Draco compression: %.40s is a matrix", name );
    }
    if ( supReader_Ok( reader ) && supHasOwnBytes( work, index ) == false )
    {
        work->attributes[work->attributeCount++] = attribute;
    }
}

/// Attributes and indices that the stream is needed for. False: there are none, or something failed.
static bool supReadDracoWork( supDracoWork* work, const json_t* primitive, const json_t* ext )
{
    supReader* reader = work->reader;
    const json_t* attributes = supReader_Object( reader, primitive, "attributes" );
    const char* name;
    json_t* id;
    json_object_foreach( supReader_Object( reader, ext, "attributes" ), name, id )
    {
        supReadDracoAttribute( work, attributes, name, id );
    }
    int32_t indices = supReader_Index( reader, primitive, "indices", "accessors" );
    if ( supReader_Ok( reader ) == false ||
         ( work->attributeCount == 0 && indices >= 0 && supHasOwnBytes( work, indices ) ) )
    {
        return false;
    }
    size_t mode = supReader_Size( reader, primitive, "mode", 4 );
    work->view = supReader_Index( reader, ext, "bufferView", "bufferViews" );
    if ( mode != 4 )
    {
        supReader_Fail( reader, sup_errorUnsupported,
            "Draco compression of mode %zu; decompress the file with: npx @gltf-transform/cli copy IN OUT", mode );
    }
    if ( work->view < 0 || indices < 0 || work->attributeCount == 0 )
    {
        supReader_Fail( reader, sup_errorData, "Draco compression: has no \"%s\"",
            work->view < 0              ? "bufferView"
            : work->attributeCount == 0 ? "attributes"
                                        : "indices" );
        return false;
    }
    work->indices = supReader_Accessor( reader, indices, "indices", 1, 1, sup_componentsIndex );
    work->stream = supReader_Ok( reader ) ? supReader_View( reader, work->view ) : ( supBytes ){ NULL, 0 };
    return supReader_Ok( reader );
}

/// Counts that agree, and are not beyond what the stream could hold.
static bool supCheckDracoCounts( supDracoWork* work )
{
    int32_t vertices = work->attributes[0].accessor.count;
    for ( int32_t i = 1; i < work->attributeCount; ++i )
    {
        if ( work->attributes[i].accessor.count != vertices )
        {
            supReader_Fail( work->reader, sup_errorData, "Draco compression: %.40s has %d items, %.40s has %d",
                work->attributes[i].name, work->attributes[i].accessor.count, work->attributes[0].name, vertices );
        }
    }
    uint64_t most = (uint64_t)work->stream.size * SUP_DRACO_MOST_POINTS_A_BYTE + SUP_DRACO_FEW_POINTS;
    if ( (uint64_t)vertices > most || (uint64_t)work->indices.count > 6 * most )
    {
        supReader_Fail( work->reader, sup_errorData,
            "Draco compression: %d vertices and %d corners cannot be in %zu bytes", vertices, work->indices.count,
            work->stream.size );
    }
    if ( work->indices.count % 3 != 0 )
    {
        supReader_Fail( work->reader, sup_errorData, "Draco compression: %d corners are no whole number of triangles",
            work->indices.count );
    }
    return supReader_Ok( work->reader );
}

/// Whether everything that the stream is needed for has been unpacked from it, for a primitive before this one.
static bool supIsDracoDone( const supDracoWork* work )
{
    const supUnpackedAccessor* unpacked = work->document->unpacked;
    bool isDone = supHasOwnBytes( work, work->indices.index ) ||
                  ( unpacked[work->indices.index].data != NULL && unpacked[work->indices.index].view == work->view );
    for ( int32_t i = 0; i < work->attributeCount; ++i )
    {
        const supUnpackedAccessor* one = unpacked + work->attributes[i].accessor.index;
        isDone = isDone && one->data != NULL && one->view == work->view;
    }
    return isDone;
}

static void supFailDracoBudget( supDracoWork* work, uint64_t bytes )
{
    supReader_Fail( work->reader, sup_errorLimit,
        "Draco compression: %.3g MB exceed the memory budget of %.3g MB; raise the budget (--max-memory) if you trust it",
        1e-6 * (double)bytes, 1e-6 * (double)work->document->mostMemory );
}

/// What libdraco takes until the primitive is unpacked must be there, too.
static bool supCheckDracoMemory( supDracoWork* work, const supDracoDef* def )
{
    uint64_t face = SUP_DRACO_FACE_BYTES + (uint64_t)SUP_DRACO_SEAM_BYTES * def->mostAttributes;
    uint64_t bytes = face * def->faceCount + (uint64_t)def->mostPointBytes * def->pointCount;
    if ( bytes > supGltf_MemoryLeft( work->document ) )
    {
        supFailDracoBudget( work, bytes );
    }
    return supReader_Ok( work->reader );
}

// ---------------------------------------------------------------------------------------------------------------
// What the stream holds

/// Memory of an accessor that has not been unpacked yet. NULL: it has been, from the same stream; or a failure.
static uint8_t* supMakeUnpacked( supDracoWork* work, const supAccessor* accessor, size_t itemBytes )
{
    supUnpackedAccessor* to = work->document->unpacked + accessor->index;
    if ( to->data != NULL )
    {
        if ( to->view != work->view )
        {
            supReader_Fail( work->reader, sup_errorData, "Draco compression: accessor %d is in two streams, %d and %d",
                accessor->index, to->view, work->view );
        }
        return NULL;
    }
    size_t size;
    if ( supMulSize( (size_t)accessor->count, itemBytes, &size ) && size > supGltf_MemoryLeft( work->document ) )
    {
        supFailDracoBudget( work, size );
        return NULL;
    }
    if ( supMulSize( (size_t)accessor->count, itemBytes, &size ) == false || ( to->data = malloc( size + 1 ) ) == NULL )
    {
        supReader_Fail( work->reader, sup_errorMemory, "no memory for %d items", accessor->count );
        return NULL;
    }
    work->document->charged += size;
    to->size = size;
    to->view = work->view;
    return to->data;
}

static void supFailDraco( supDracoWork* work, const char* why )
{
    supReader_Fail( work->reader, sup_errorFormat,
        "its Draco data cannot be decoded: it %s; try: npx @gltf-transform/cli copy IN OUT", why );
}

static void supUnpackIndices( supDracoWork* work, const supDracoMesh* mesh )
{
    size_t count = (size_t)work->indices.count, bytes = supComponentSize( work->indices.component );
    uint32_t* corners = malloc( count * sizeof( uint32_t ) + 1 );
    uint8_t* to = corners == NULL || supHasOwnBytes( work, work->indices.index )
                      ? NULL
                      : supMakeUnpacked( work, &work->indices, bytes );
    if ( corners == NULL )
    {
        supReader_Fail( work->reader, sup_errorMemory, "no memory for %zu corners", count );
    }
    if ( to != NULL )
    {
        supDracoMesh_Corners( mesh, corners );
        for ( size_t i = 0; i < count; ++i )
        {
            if ( bytes < 4 && corners[i] >> ( 8 * bytes ) != 0 )
            {
                supReader_Fail( work->reader, sup_errorData,
                    "Draco compression: corner %zu is vertex %u, its accessor holds %zu bytes a corner", i, corners[i],
                    bytes );
                break;
            }
            memcpy( to + i * bytes, corners + i, bytes ); // little-endian, as all of this is
        }
    }
    free( corners );
}

static void supUnpackAttribute( supDracoWork* work, const supDracoMesh* mesh, const supDracoAttribute* attribute )
{
    const supAccessor* accessor = &attribute->accessor;
    uint8_t* to = supMakeUnpacked( work, accessor, supItemBytes( accessor ) );
    char why[160];
    if ( to != NULL && supDracoMesh_Attribute( mesh, attribute->uniqueId, supComponentNumber( accessor->component ),
                           accessor->rows, to, why, sizeof( why ) ) == false )
    {
        supFailDraco( work, why );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What rounding leaves behind. Encoders round each number by itself: directions are then not of unit length, weights do
// not sum to one and may be below zero. glTF asks for all of that, and a file that is written from here must have it.

static float* supUnpackedFloats( const supDracoWork* work, const supDracoAttribute* attribute, int32_t rows )
{
    bool isFloat = attribute->accessor.component == sup_componentFloat && attribute->accessor.rows == rows;
    return isFloat ? (float*)work->document->unpacked[attribute->accessor.index].data : NULL;
}

static void supMendDirections( float* values, size_t count, size_t rows )
{
    for ( size_t i = 0; values != NULL && i < count; ++i )
    {
        float* v = values + rows * i;
        double length = sqrt( (double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2] );
        for ( size_t k = 0; k < 3 && length > 0.0 && isfinite( length ); ++k )
        {
            v[k] = (float)( v[k] / length );
        }
        if ( rows == 4 )
        {
            v[3] = v[3] < 0.0f ? -1.0f : 1.0f;
        }
    }
}

static const supDracoAttribute* supFindDracoSet( const supDracoWork* work, const char* kind, int32_t set )
{
    char name[32];
    snprintf( name, sizeof( name ), "%s_%d", kind, set );
    for ( int32_t i = 0; i < work->attributeCount; ++i )
    {
        if ( strcmp( work->attributes[i].name, name ) == 0 )
        {
            return work->attributes + i;
        }
    }
    return NULL;
}

/// A joint that has no weight is 0.
static void supMendJoints( const supDracoWork* work, int32_t set, const float* weights, size_t count )
{
    const supDracoAttribute* joints = supFindDracoSet( work, "JOINTS", set );
    if ( joints == NULL || joints->accessor.rows != 4 || ( joints->accessor.component & sup_componentsUnsigned ) == 0 )
    {
        return;
    }
    size_t bytes = supComponentSize( joints->accessor.component );
    uint8_t* to = work->document->unpacked[joints->accessor.index].data;
    for ( size_t i = 0; i < 4 * count; ++i )
    {
        if ( weights[i] == 0.0f )
        {
            memset( to + i * bytes, 0, bytes );
        }
    }
}

/// Weights of all sets of a vertex together sum to one.
static void supMendWeights( const supDracoWork* work )
{
    float* sets[SUP_DRACO_MOST_ATTRIBUTES];
    int32_t setCount = 0;
    const supDracoAttribute* found;
    while ( ( found = supFindDracoSet( work, "WEIGHTS", setCount ) ) != NULL &&
            ( sets[setCount] = supUnpackedFloats( work, found, 4 ) ) != NULL )
    {
        setCount += 1;
    }
    size_t count = (size_t)work->attributes[0].accessor.count;
    for ( size_t v = 0; v < count && setCount > 0; ++v )
    {
        double sum = 0.0;
        for ( int32_t i = 0; i < 4 * setCount; ++i )
        {
            float* weight = sets[i / 4] + 4 * v + i % 4;
            *weight = *weight > 0.0f ? *weight : *weight == *weight ? 0.0f : *weight; // NaN is the reader's to tell
            sum += *weight;
        }
        for ( int32_t i = 0; i < 4 * setCount && sum > 0.0 && isfinite( sum ); ++i )
        {
            sets[i / 4][4 * v + i % 4] = (float)( sets[i / 4][4 * v + i % 4] / sum );
        }
    }
    for ( int32_t set = 0; set < setCount; ++set )
    {
        supMendJoints( work, set, sets[set], count );
    }
}

static void supMendRounding( const supDracoWork* work )
{
    for ( int32_t i = 0; i < work->attributeCount; ++i )
    {
        const supDracoAttribute* attribute = work->attributes + i;
        size_t count = (size_t)attribute->accessor.count;
        if ( strcmp( attribute->name, "NORMAL" ) == 0 )
        {
            supMendDirections( supUnpackedFloats( work, attribute, 3 ), count, 3 );
        }
        else if ( strcmp( attribute->name, "TANGENT" ) == 0 )
        {
            supMendDirections( supUnpackedFloats( work, attribute, 4 ), count, 4 );
        }
    }
    supMendWeights( work );
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static void supUnpackPrimitive( supReader* reader, supGltf* document, const json_t* primitive )
{
    const json_t* ext = supReader_Extension( reader, primitive, "KHR_draco_mesh_compression" );
    supDracoWork work = { .reader = reader, .document = document };
    if ( ext == NULL || supReadDracoWork( &work, primitive, ext ) == false || supCheckDracoCounts( &work ) == false ||
         supIsDracoDone( &work ) )
    {
        return;
    }
    size_t pointBytes = 0;
    for ( int32_t i = 0; i < work.attributeCount; ++i )
    {
        pointBytes += supItemBytes( &work.attributes[i].accessor );
    }
    supDracoDef def = { .data = work.stream.data,
        .size = work.stream.size,
        .pointCount = (uint32_t)work.attributes[0].accessor.count,
        .faceCount = (uint32_t)work.indices.count / 3,
        .mostPointBytes = (uint32_t)( 4 * pointBytes ) + SUP_DRACO_MORE_POINT_BYTES,
        .mostAttributes = (uint32_t)work.attributeCount + SUP_DRACO_MORE_ATTRIBUTES };
    char why[160];
    supDracoMesh* mesh = supCheckDracoMemory( &work, &def ) ? supDecodeDraco( &def, why, sizeof( why ) ) : NULL;
    if ( mesh == NULL && supReader_Ok( reader ) )
    {
        supFailDraco( &work, why );
    }
    if ( mesh == NULL )
    {
        return;
    }
    supUnpackIndices( &work, mesh );
    for ( int32_t i = 0; i < work.attributeCount && supReader_Ok( reader ); ++i )
    {
        supUnpackAttribute( &work, mesh, work.attributes + i );
    }
    supDestroyDracoMesh( mesh );
    if ( supReader_Ok( reader ) )
    {
        supMendRounding( &work );
    }
}

supResult supGltf_UnpackPrimitives( supGltf* document, supError* error )
{
    supReader reader = supMakeReader( document, error );
    int32_t count = supGltf_Count( document, "accessors" );
    document->unpacked = calloc( (size_t)count + 1, sizeof( supUnpackedAccessor ) );
    if ( document->unpacked == NULL )
    {
        return supGltf_Fail( document, error, sup_errorMemory, "no memory for %d accessors", count );
    }
    document->unpackedCount = count;
    for ( int32_t m = 0; m < supGltf_Count( document, "meshes" ) && supReader_Ok( &reader ); ++m )
    {
        const json_t* json = supGltf_Item( document, "meshes", m );
        size_t p;
        json_t* primitive;
        supReader_At( &reader, "mesh", m, json );
        json_array_foreach( supReader_Array( &reader, json, "primitives" ), p, primitive )
        {
            supReader_AtPart( &reader, "primitive", (int32_t)p );
            supUnpackPrimitive( &reader, document, primitive );
        }
    }
    return reader.result;
}

#else

supResult supGltf_UnpackPrimitives( supGltf* document, supError* error )
{
    (void)document;
    (void)error;
    return sup_success; // refused where one is read (gltf_mesh.c)
}

#endif
