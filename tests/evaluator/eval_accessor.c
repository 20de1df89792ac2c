// Buffers, buffer views (plain or compressed) and accessors, turned into arrays of doubles.

#include "eval_internal.h"

#include <math.h>
#include <meshoptimizer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An accessor of more numbers than this is refused: without a buffer view nothing else bounds what a count asks for.
#define EVAL_MAX_NUMBERS ( (size_t)1 << 27 )

static bool evalLoadBuffer( evalFile* file, int index )
{
    evalBuffer* buffer = file->buffers + index;
    if ( buffer->isLoaded )
    {
        return true;
    }
    char where[40];
    snprintf( where, sizeof( where ), "buffer %d", index );
    const json_t* json = json_array_get( json_object_get( file->json, "buffers" ), (size_t)index );
    const json_t* uri = json_object_get( json, "uri" );
    size_t length = 0;
    if ( !evalGetSize( file, json, "byteLength", where, 0, &length ) )
    {
        return false;
    }
    if ( json_is_string( uri ) )
    {
        if ( !evalReadUri( file, json_string_value( uri ), index, &buffer->bytes ) )
        {
            return false;
        }
    }
    else if ( index == 0 && uri == NULL && file->chunk.data != NULL )
    {
        buffer->bytes.data = evalAllocate( file, file->chunk.size, 1 );
        if ( buffer->bytes.data == NULL )
        {
            return false;
        }
        memcpy( buffer->bytes.data, file->chunk.data, file->chunk.size );
        buffer->bytes.size = file->chunk.size;
    }
    else
    {
        return evalFail( file, "%s: has no data", where );
    }
    if ( buffer->bytes.size < length )
    {
        return evalFail( file, "%s: has %zu bytes, byteLength is %zu", where, buffer->bytes.size, length );
    }
    buffer->bytes.size = length;
    buffer->isLoaded = true;
    return true;
}

// The bytes that an object with buffer, byteOffset, byteLength names: a buffer view, or what a compressed one holds.
static bool evalGetRange( evalFile* file, const json_t* json, const char* where, const uint8_t** data, size_t* size )
{
    int buffer = -1;
    size_t offset = 0;
    if ( !evalGetIndex( file, json, "buffer", where, file->bufferCount, &buffer ) ||
         !evalGetSize( file, json, "byteOffset", where, 0, &offset ) ||
         !evalGetSize( file, json, "byteLength", where, 0, size ) )
    {
        return false;
    }
    if ( buffer < 0 )
    {
        return evalFail( file, "%s: has no buffer", where );
    }
    if ( !evalLoadBuffer( file, buffer ) )
    {
        return false;
    }
    size_t available = file->buffers[buffer].bytes.size;
    if ( offset > available || *size > available - offset )
    {
        return evalFail( file, "%s: reaches past the end of buffer %d (%zu bytes)", where, buffer, available );
    }
    *data = file->buffers[buffer].bytes.data + offset;
    return true;
}

static bool evalApplyFilter( evalFile* file, const char* where, const char* filter, evalView* view, size_t count )
{
    size_t stride = view->stride;
    if ( strcmp( filter, "NONE" ) == 0 )
    {
        return true;
    }
    if ( strcmp( filter, "OCTAHEDRAL" ) == 0 && ( stride == 4 || stride == 8 ) )
    {
        meshopt_decodeFilterOct( view->owned, count, stride );
        return true;
    }
    if ( strcmp( filter, "QUATERNION" ) == 0 && stride == 8 )
    {
        meshopt_decodeFilterQuat( view->owned, count, stride );
        return true;
    }
    if ( strcmp( filter, "EXPONENTIAL" ) == 0 && stride % 4 == 0 )
    {
        meshopt_decodeFilterExp( view->owned, count, stride );
        return true;
    }
    return evalFail( file, "%s: filter %.20s with stride %zu cannot be decoded", where, filter, stride );
}

static bool evalDecodeMeshopt( evalFile* file, const json_t* json, const char* where, evalView* view )
{
    const uint8_t* data = NULL;
    size_t size = 0, count = 0;
    if ( !evalGetRange( file, json, where, &data, &size ) ||
         !evalGetSize( file, json, "byteStride", where, 0, &view->stride ) ||
         !evalGetSize( file, json, "count", where, 0, &count ) )
    {
        return false;
    }
    const char* mode = json_string_value( json_object_get( json, "mode" ) );
    const char* filter = json_string_value( json_object_get( json, "filter" ) );
    size_t stride = view->stride;
    mode = mode != NULL ? mode : "";
    if ( stride == 0 || stride > 256 || count > EVAL_MAX_NUMBERS / stride )
    {
        return evalFail( file, "%s: compressed with count %zu and stride %zu", where, count, stride );
    }
    view->size = count * stride;
    view->owned = evalAllocate( file, view->size, 1 );
    view->data = view->owned;
    if ( view->owned == NULL )
    {
        return false;
    }
    int result = -100;
    if ( strcmp( mode, "ATTRIBUTES" ) == 0 && stride % 4 == 0 )
    {
        result = meshopt_decodeVertexBuffer( view->owned, count, stride, data, size );
    }
    else if ( strcmp( mode, "TRIANGLES" ) == 0 && ( stride == 2 || stride == 4 ) && count % 3 == 0 )
    {
        result = meshopt_decodeIndexBuffer( view->owned, count, stride, data, size );
    }
    else if ( strcmp( mode, "INDICES" ) == 0 && ( stride == 2 || stride == 4 ) )
    {
        result = meshopt_decodeIndexSequence( view->owned, count, stride, data, size );
    }
    if ( result != 0 )
    {
        return evalFail( file, "%s: mode '%.20s' with stride %zu cannot be decoded (%d)", where, mode, stride, result );
    }
    return filter == NULL || evalApplyFilter( file, where, filter, view, count );
}

static bool evalLoadView( evalFile* file, int index )
{
    evalView* view = file->views + index;
    if ( view->isLoaded )
    {
        return true;
    }
    char where[40];
    snprintf( where, sizeof( where ), "bufferView %d", index );
    const json_t* json = json_array_get( json_object_get( file->json, "bufferViews" ), (size_t)index );
    const json_t* extensions = json_object_get( json, "extensions" );
    const json_t* meshopt = json_object_get( extensions, "KHR_meshopt_compression" );
    meshopt = meshopt != NULL ? meshopt : json_object_get( extensions, "EXT_meshopt_compression" );
    if ( meshopt != NULL )
    {
        view->isLoaded = evalDecodeMeshopt( file, meshopt, where, view );
    }
    else
    {
        view->isLoaded = evalGetRange( file, json, where, &view->data, &view->size ) &&
                         evalGetSize( file, json, "byteStride", where, 0, &view->stride );
    }
    return view->isLoaded;
}

static size_t evalComponentSize( size_t componentType )
{
    switch ( componentType )
    {
        case 5120: // BYTE
        case 5121: // UNSIGNED_BYTE
            return 1;
        case 5122: // SHORT
        case 5123: // UNSIGNED_SHORT
            return 2;
        case 5125: // UNSIGNED_INT
        case 5126: // FLOAT
            return 4;
        default:
            return 0;
    }
}

static double evalDecodeComponent( const uint8_t* p, size_t componentType, bool normalised )
{
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint16_t u16;
    uint32_t u32;
    float f32;
    switch ( componentType )
    {
        case 5120:
            memcpy( &i8, p, 1 );
            return normalised ? fmax( i8 / 127.0, -1.0 ) : i8;
        case 5121:
            memcpy( &u8, p, 1 );
            return normalised ? u8 / 255.0 : u8;
        case 5122:
            memcpy( &i16, p, 2 );
            return normalised ? fmax( i16 / 32767.0, -1.0 ) : i16;
        case 5123:
            memcpy( &u16, p, 2 );
            return normalised ? u16 / 65535.0 : u16;
        case 5125:
            memcpy( &u32, p, 4 );
            return normalised ? u32 / 4294967295.0 : u32;
        default:
            memcpy( &f32, p, 4 );
            return f32;
    }
}

static int evalTypeWidth( const char* type )
{
    static const struct
    {
        const char* name;
        int width;
    } types[] = { { "SCALAR", 1 }, { "VEC2", 2 }, { "VEC3", 3 }, { "VEC4", 4 }, { "MAT2", 4 }, { "MAT3", 9 },
        { "MAT4", 16 } };
    for ( size_t i = 0; type != NULL && i < sizeof( types ) / sizeof( types[0] ); ++i )
    {
        if ( strcmp( type, types[i].name ) == 0 )
        {
            return types[i].width;
        }
    }
    return 0;
}

typedef struct evalLayout
{
    size_t componentType;
    size_t componentSize;
    size_t width;
    size_t count;
    bool normalised;
} evalLayout;

// The first byte of `count` elements in a view, and their stride, all of them inside the view.
static bool evalLocate( evalFile* file, const json_t* json, const char* where, const evalLayout* layout, bool useStride,
    const uint8_t** data, size_t* stride )
{
    int view = -1;
    size_t offset = 0;
    size_t elementSize = layout->componentSize * layout->width;
    if ( !evalGetIndex( file, json, "bufferView", where, file->viewCount, &view ) ||
         !evalGetSize( file, json, "byteOffset", where, 0, &offset ) )
    {
        return false;
    }
    if ( view < 0 )
    {
        return evalFail( file, "%s: has no bufferView", where );
    }
    if ( !evalLoadView( file, view ) )
    {
        return false;
    }
    const evalView* v = file->views + view;
    *stride = useStride && v->stride != 0 ? v->stride : elementSize;
    // Every factor is below 2^40 and the count below 2^27, the stride is checked, so nothing here overflows.
    if ( *stride < elementSize || *stride > 65536 ||
         ( layout->count > 0 && offset + *stride * ( layout->count - 1 ) + elementSize > v->size ) )
    {
        return evalFail( file, "%s: %zu elements do not fit bufferView %d", where, layout->count, view );
    }
    *data = v->data + offset;
    return true;
}

static void evalDecodeElement( const evalLayout* layout, const uint8_t* p, double* out )
{
    for ( size_t i = 0; i < layout->width; ++i )
    {
        out[i] = evalDecodeComponent( p + i * layout->componentSize, layout->componentType, layout->normalised );
    }
}

static bool evalReadSparse(
    evalFile* file, const json_t* sparse, const char* where, const evalLayout* layout, double* values )
{
    evalLayout indexLayout = { .width = 1 }, valueLayout = *layout;
    const json_t* indices = json_object_get( sparse, "indices" );
    const uint8_t *indexData = NULL, *valueData = NULL;
    size_t indexStride = 0, valueStride = 0;
    if ( !evalGetSize( file, sparse, "count", where, 0, &indexLayout.count ) ||
         !evalGetSize( file, indices, "componentType", where, 0, &indexLayout.componentType ) )
    {
        return false;
    }
    indexLayout.componentSize = evalComponentSize( indexLayout.componentType );
    valueLayout.count = indexLayout.count;
    if ( indexLayout.count > layout->count || indexLayout.componentSize == 0 || indexLayout.componentType == 5126 )
    {
        return evalFail( file, "%s: sparse count or index type is wrong", where );
    }
    if ( !evalLocate( file, indices, where, &indexLayout, false, &indexData, &indexStride ) ||
         !evalLocate(
             file, json_object_get( sparse, "values" ), where, &valueLayout, false, &valueData, &valueStride ) )
    {
        return false;
    }
    for ( size_t i = 0; i < indexLayout.count; ++i )
    {
        double index = evalDecodeComponent( indexData + i * indexStride, indexLayout.componentType, false );
        if ( index < 0.0 || index >= (double)layout->count )
        {
            return evalFail( file, "%s: sparse index %g, count is %zu", where, index, layout->count );
        }
        evalDecodeElement( layout, valueData + i * valueStride, values + (size_t)index * layout->width );
    }
    return true;
}

static bool evalReadLayout( evalFile* file, const json_t* json, const char* where, evalLayout* out )
{
    const char* type = json_string_value( json_object_get( json, "type" ) );
    if ( !evalGetSize( file, json, "componentType", where, 0, &out->componentType ) ||
         !evalGetSize( file, json, "count", where, 0, &out->count ) )
    {
        return false;
    }
    out->componentSize = evalComponentSize( out->componentType );
    out->width = (size_t)evalTypeWidth( type );
    out->normalised = json_is_true( json_object_get( json, "normalized" ) );
    if ( out->componentSize == 0 || out->width == 0 )
    {
        return evalFail( file, "%s: unknown type or componentType", where );
    }
    if ( out->count == 0 || out->count > EVAL_MAX_NUMBERS / out->width )
    {
        return evalFail( file, "%s: count is %zu", where, out->count );
    }
    // Columns of small matrices start at multiples of four bytes; nothing that is evaluated is stored so.
    if ( type[0] == 'M' && out->componentSize < 4 )
    {
        return evalFail( file, "%s: matrices of small integers are not supported", where );
    }
    return true;
}

static bool evalReadValues(
    evalFile* file, const json_t* json, const char* where, const evalLayout* layout, double* values )
{
    const json_t* sparse = NULL;
    if ( !evalGetObject( file, json, "sparse", where, &sparse ) )
    {
        return false;
    }
    if ( json_object_get( json, "bufferView" ) != NULL )
    {
        const uint8_t* data = NULL;
        size_t stride = 0;
        if ( !evalLocate( file, json, where, layout, true, &data, &stride ) )
        {
            return false;
        }
        for ( size_t i = 0; i < layout->count; ++i )
        {
            evalDecodeElement( layout, data + i * stride, values + i * layout->width );
        }
    }
    if ( sparse != NULL && !evalReadSparse( file, sparse, where, layout, values ) )
    {
        return false;
    }
    for ( size_t i = 0; i < layout->count * layout->width; ++i )
    {
        if ( !isfinite( values[i] ) )
        {
            return evalFail( file, "%s: element %zu is not finite", where, i / layout->width );
        }
    }
    return true;
}

bool evalReadAccessor( evalFile* file, int accessor, const char* user, evalArray* out )
{
    char where[120];
    snprintf( where, sizeof( where ), "%.80s: accessor %d", user, accessor );
    const json_t* json = json_array_get( json_object_get( file->json, "accessors" ), (size_t)accessor );
    evalLayout layout = { 0 };
    memset( out, 0, sizeof( *out ) );
    if ( !json_is_object( json ) )
    {
        return evalFail( file, "%s: is not an object", where );
    }
    if ( !evalReadLayout( file, json, where, &layout ) )
    {
        return false;
    }
    out->values = evalAllocate( file, layout.count * layout.width, sizeof( double ) );
    if ( out->values == NULL || !evalReadValues( file, json, where, &layout, out->values ) )
    {
        free( out->values );
        out->values = NULL;
        return false;
    }
    out->count = (int)layout.count;
    out->width = (int)layout.width;
    out->isUnsignedInteger = !layout.normalised && ( layout.componentType == 5121 || layout.componentType == 5123 ||
                                                       layout.componentType == 5125 );
    return true;
}
