// SPDX-License-Identifier: MIT
//
// Buffer views compressed with meshoptimizer (EXT_meshopt_compression, and KHR_meshopt_compression as far as the
// library at hand decodes it). Its decoders are made for untrusted bytes, but trust their sizes: those are checked
// here, as the extension states them. The size to allocate is checked against the compressed size too, so that a tiny
// file cannot ask for gigabytes:
//
//     ATTRIBUTES  16 bytes of one channel take 2 header bits at least: 64 to 1
//     TRIANGLES   a triangle (12 bytes) takes a code byte: 12 to 1
//     INDICES     an index (4 bytes) takes a byte: 4 to 1
#include "io/gltf_reader.h"

#include "base/memory.h"

#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

#define SUP_MESHOPT_MOST_RATIO 64
#define SUP_MESHOPT_TAIL 64 ///< what the ratio leaves out: a stream's own header and tail

typedef enum supMeshoptMode
{
    sup_meshoptAttributes,
    sup_meshoptTriangles,
    sup_meshoptIndices,
} supMeshoptMode;

typedef enum supMeshoptFilter
{
    sup_filterNone,
    sup_filterOctahedral,
    sup_filterQuaternion,
    sup_filterExponential,
} supMeshoptFilter;

/// Which of `names` (ended by NULL) the member is; 0 where it is absent; -1, with a failure, where it is none of them.
static int supReadChoice( supReader* reader, const json_t* json, const char* key, const char* const* names )
{
    const char* text = supReader_Text( reader, json, key );
    for ( int i = 0; text != NULL && names[i] != NULL; ++i )
    {
        if ( strcmp( text, names[i] ) == 0 )
        {
            return i;
        }
    }
    if ( text != NULL )
    {
        supReader_Fail( reader, sup_errorUnsupported,
            "meshopt %s '%.40s' is not known; decompress the file with: npx @gltf-transform/cli copy IN OUT", key,
            text );
        return -1;
    }
    return 0;
}

static const char* supRefuseSizes( supMeshoptMode mode, supMeshoptFilter filter, size_t count, size_t stride )
{
    if ( mode == sup_meshoptAttributes )
    {
        if ( stride == 0 || stride % 4 != 0 || stride > 256 )
        {
            return "\"byteStride\" must be a multiple of 4, at most 256";
        }
        bool fits =
            filter == sup_filterOctahedral ? stride == 4 || stride == 8 : filter != sup_filterQuaternion || stride == 8;
        return fits ? NULL : "\"byteStride\" does not fit the filter";
    }
    if ( stride != 2 && stride != 4 )
    {
        return "\"byteStride\" of indices must be 2 or 4";
    }
    if ( filter != sup_filterNone )
    {
        return "indices cannot have a filter";
    }
    return mode == sup_meshoptTriangles && count % 3 != 0 ? "\"count\" of triangles must be a multiple of 3" : NULL;
}

static bool supDecodeStream( supMeshoptMode mode, supBytes from, void* to, size_t count, size_t stride )
{
    switch ( mode )
    {
        case sup_meshoptAttributes:
            return meshopt_decodeVertexBuffer( to, count, stride, from.data, from.size ) == 0;
        case sup_meshoptTriangles:
            return meshopt_decodeIndexBuffer( to, count, stride, from.data, from.size ) == 0;
        default:
            return meshopt_decodeIndexSequence( to, count, stride, from.data, from.size ) == 0;
    }
}

static void supApplyFilter( supMeshoptFilter filter, void* data, size_t count, size_t stride )
{
    switch ( filter )
    {
        case sup_filterOctahedral:
            meshopt_decodeFilterOct( data, count, stride );
            break;
        case sup_filterQuaternion:
            meshopt_decodeFilterQuat( data, count, stride );
            break;
        case sup_filterExponential:
            meshopt_decodeFilterExp( data, count, stride );
            break;
        default:
            break;
    }
}

static void supDecodeView( supReader* reader, const json_t* ext, supDecodedView* view )
{
    static const char* const modes[] = { "ATTRIBUTES", "TRIANGLES", "INDICES", NULL };
    static const char* const filters[] = { "NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", NULL };
    supBytes from = supReader_Bytes( reader, ext );
    size_t count = supReader_Size( reader, ext, "count", 0 );
    size_t stride = supReader_Size( reader, ext, "byteStride", 0 );
    int mode = supReadChoice( reader, ext, "mode", modes );
    int filter = supReadChoice( reader, ext, "filter", filters );
    if ( supReader_Ok( reader ) == false )
    {
        return;
    }
    const char* refusal = supRefuseSizes( (supMeshoptMode)mode, (supMeshoptFilter)filter, count, stride );
    size_t size;
    if ( refusal != NULL )
    {
        supReader_Fail( reader, sup_errorData, "meshopt compression: %s", refusal );
    }
    else if ( supMulSize( count, stride, &size ) == false ||
              size / SUP_MESHOPT_MOST_RATIO > from.size + SUP_MESHOPT_TAIL )
    {
        supReader_Fail(
            reader, sup_errorData, "meshopt compression: %zu items cannot be in %zu bytes", count, from.size );
    }
    else if ( size > supGltf_MemoryLeft( reader->document ) )
    {
        supReader_Fail( reader, sup_errorLimit,
            "its %zu bytes exceed the memory budget of %.3g MB; raise the budget (--max-memory) if you trust it", size,
            1e-6 * (double)reader->document->mostMemory );
    }
    else if ( ( view->data = malloc( size + 1 ) ) == NULL )
    {
        supReader_Fail( reader, sup_errorMemory, "no memory for its %zu bytes", size );
    }
    else if ( supDecodeStream( (supMeshoptMode)mode, from, view->data, count, stride ) == false )
    {
        supReader_Fail( reader, sup_errorFormat,
            "the meshopt data are broken or newer than this decoder; try: npx @gltf-transform/cli copy IN OUT" );
    }
    else
    {
        view->size = size;
        supApplyFilter( (supMeshoptFilter)filter, view->data, count, stride );
    }
}

supResult supGltf_DecodeViews( supGltf* document, supError* error )
{
    supReader reader = supMakeReader( document, error );
    int32_t count = supGltf_Count( document, "bufferViews" );
    document->decoded = calloc( (size_t)count + 1, sizeof( supDecodedView ) );
    if ( document->decoded == NULL )
    {
        return supGltf_Fail( document, error, sup_errorMemory, "no memory for %d buffer views", count );
    }
    document->decodedCount = count;
    for ( int32_t i = 0; i < count && supReader_Ok( &reader ); ++i )
    {
        const json_t* json = supGltf_Item( document, "bufferViews", i );
        supReader_At( &reader, "bufferView", i, json );
        const json_t* ext = supReader_Extension( &reader, json, "KHR_meshopt_compression" );
        ext = ext != NULL ? ext : supReader_Extension( &reader, json, "EXT_meshopt_compression" );
        if ( ext != NULL )
        {
            supDecodeView( &reader, ext, document->decoded + i );
            document->charged += document->decoded[i].size;
        }
    }
    return reader.result;
}
