// SPDX-License-Identifier: MIT
#include "io/gltf_accessor.h"

#include "base/memory.h"
#include "io/gltf_reader.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

size_t supComponentSize( supComponents component )
{
    switch ( component )
    {
        case sup_componentByte:
        case sup_componentUnsignedByte:
            return 1;
        case sup_componentShort:
        case sup_componentUnsignedShort:
            return 2;
        default:
            return 4;
    }
}

static supComponents supReadComponent( supReader* reader, const json_t* json, supComponents allowed, const char* what )
{
    size_t number = supReader_Size( reader, json, "componentType", 0 );
    bool known = number >= 5120 && number <= 5126 && number != 5124;
    supComponents component = known ? (supComponents)( 1 << ( number - 5120 ) ) : 0;
    if ( ( component & allowed ) == 0 )
    {
        supReader_Fail( reader, sup_errorData, "%s: component type %zu is not allowed there", what, number );
    }
    return component;
}

static void supReadType( supReader* reader, const json_t* json, supAccessor* accessor, const char* what )
{
    static const struct
    {
        const char* name;
        int32_t rows, columns;
    } types[] = { { "SCALAR", 1, 1 }, { "VEC2", 2, 1 }, { "VEC3", 3, 1 }, { "VEC4", 4, 1 }, { "MAT2", 2, 2 },
        { "MAT3", 3, 3 }, { "MAT4", 4, 4 } };
    const char* type = supReader_Text( reader, json, "type" );
    for ( size_t i = 0; type != NULL && i < sizeof( types ) / sizeof( types[0] ); ++i )
    {
        if ( strcmp( type, types[i].name ) == 0 )
        {
            accessor->rows = types[i].rows;
            accessor->columns = types[i].columns;
            return;
        }
    }
    supReader_Fail( reader, sup_errorData, "%s: accessor %d: type '%.20s' is not known", what, accessor->index,
        type != NULL ? type : "" );
}

/// Items lie `stride` apart in `bytes` from `offset` on: fails unless all of them are inside.
static const uint8_t* supCheckedItems( supReader* reader, const supAccessor* accessor, const char* what, supBytes bytes,
    size_t offset, size_t count, size_t stride, size_t itemSize )
{
    if ( supReader_Ok( reader ) && supStridedFits( offset, count, stride, itemSize, bytes.size ) == false )
    {
        supReader_Fail( reader, sup_errorData,
            "%s: accessor %d: %zu items from byte %zu go beyond its buffer view of %zu bytes", what, accessor->index,
            count, offset, bytes.size );
    }
    return supReader_Ok( reader ) ? bytes.data + offset : NULL;
}

static uint32_t supReadInteger( const uint8_t* at, supComponents component )
{
    uint16_t half;
    uint32_t word;
    switch ( component )
    {
        case sup_componentByte:
        case sup_componentUnsignedByte:
            return *at;
        case sup_componentShort:
        case sup_componentUnsignedShort:
            memcpy( &half, at, sizeof( half ) );
            return half;
        default:
            memcpy( &word, at, sizeof( word ) );
            return word;
    }
}

static size_t supItemSize( const supAccessor* accessor )
{
    size_t component = supComponentSize( accessor->component );
    return accessor->columnStride * (size_t)( accessor->columns - 1 ) + component * (size_t)accessor->rows;
}

static void supReadDense( supReader* reader, const json_t* json, supAccessor* accessor, const char* what )
{
    int32_t view = supReader_Index( reader, json, "bufferView", "bufferViews" );
    size_t offset = supReader_Size( reader, json, "byteOffset", 0 );
    size_t tight = accessor->columnStride * (size_t)accessor->columns;
    accessor->stride = tight;
    if ( supReader_Ok( reader ) == false )
    {
        return;
    }
    if ( view < 0 && supGltf_IsUnpacked( reader->document, accessor->index ) )
    {
        const supUnpackedAccessor* unpacked = reader->document->unpacked + accessor->index;
        accessor->data = supCheckedItems( reader, accessor, what, ( supBytes ){ unpacked->data, unpacked->size }, 0,
            (size_t)accessor->count, tight, supItemSize( accessor ) );
        return;
    }
    if ( view < 0 )
    {
        if ( accessor->count > SUP_GLTF_MOST_ZEROS )
        {
            supReader_Fail( reader, sup_errorLimit,
                "%s: accessor %d: %d items without a buffer view, at most %d are read", what, accessor->index,
                accessor->count, SUP_GLTF_MOST_ZEROS );
        }
        return;
    }
    supBytes bytes = supReader_View( reader, view );
    accessor->stride =
        supReader_Size( reader, supGltf_Item( reader->document, "bufferViews", view ), "byteStride", tight );
    if ( accessor->stride < supItemSize( accessor ) )
    {
        supReader_Fail( reader, sup_errorData,
            "%s: accessor %d: items of %zu bytes overlap: its buffer view has a stride of %zu", what, accessor->index,
            supItemSize( accessor ), accessor->stride );
    }
    accessor->data = supCheckedItems(
        reader, accessor, what, bytes, offset, (size_t)accessor->count, accessor->stride, supItemSize( accessor ) );
}

static void supReadSparse( supReader* reader, const json_t* json, supAccessor* accessor, const char* what )
{
    const json_t* sparse = supReader_Object( reader, json, "sparse" );
    if ( sparse == NULL )
    {
        return;
    }
    size_t count = supReader_Size( reader, sparse, "count", 0 );
    const json_t* indices = supReader_Object( reader, sparse, "indices" );
    const json_t* values = supReader_Object( reader, sparse, "values" );
    int32_t indexView = supReader_Index( reader, indices, "bufferView", "bufferViews" );
    int32_t valueView = supReader_Index( reader, values, "bufferView", "bufferViews" );
    if ( indexView < 0 || valueView < 0 || count > (size_t)accessor->count )
    {
        supReader_Fail( reader, sup_errorData,
            "%s: accessor %d: its sparse part is incomplete, or has more items than it", what, accessor->index );
        return;
    }
    supComponents component = supReadComponent( reader, indices, sup_componentsIndex, "sparse indices" );
    size_t indexSize = supComponentSize( component );
    size_t valueSize = accessor->columnStride * (size_t)accessor->columns;
    const uint8_t* at = supCheckedItems( reader, accessor, what, supReader_View( reader, indexView ),
        supReader_Size( reader, indices, "byteOffset", 0 ), count, indexSize, indexSize );
    accessor->sparseValues = supCheckedItems( reader, accessor, what, supReader_View( reader, valueView ),
        supReader_Size( reader, values, "byteOffset", 0 ), count, valueSize, supItemSize( accessor ) );
    for ( size_t i = 0; i < count && supReader_Ok( reader ); ++i )
    {
        uint32_t index = supReadInteger( at + i * indexSize, component );
        if ( index >= (uint32_t)accessor->count )
        {
            supReader_Fail( reader, sup_errorData, "%s: accessor %d: sparse index %u, it has %d items", what,
                accessor->index, index, accessor->count );
        }
    }
    accessor->sparseIndices = at;
    accessor->sparseIndexComponent = component;
    accessor->sparseCount = (int32_t)count;
}

int32_t supReader_AccessorCount( supReader* reader, int32_t index )
{
    const json_t* json = supGltf_Item( reader->document, "accessors", index );
    size_t count = supReader_Size( reader, json, "count", 0 );
    if ( count > INT32_MAX )
    {
        supReader_Fail(
            reader, sup_errorLimit, "accessor %d: %zu items, at most %d are read", index, count, INT32_MAX );
    }
    return supReader_Ok( reader ) ? (int32_t)count : 0;
}

supAccessor supReader_AccessorOfAnyWidth( supReader* reader, int32_t index, const char* what, supComponents allowed )
{
    supAccessor accessor = { .index = index };
    if ( index < 0 )
    {
        supReader_Fail( reader, sup_errorData, "has no accessor for %s", what );
        return accessor;
    }
    const json_t* json = supGltf_Item( reader->document, "accessors", index );
    accessor.count = supReader_AccessorCount( reader, index );
    accessor.component = supReadComponent( reader, json, allowed, what );
    accessor.normalized = supReader_Bool( reader, json, "normalized", false );
    supReadType( reader, json, &accessor, what );
    size_t column = supComponentSize( accessor.component ) * (size_t)accessor.rows;
    accessor.columnStride = accessor.columns > 1 ? ( column + 3 ) / 4 * 4 : column;
    if ( supReader_Ok( reader ) )
    {
        supReadDense( reader, json, &accessor, what );
        supReadSparse( reader, json, &accessor, what );
    }
    return supReader_Ok( reader ) ? accessor : ( supAccessor ){ .index = index };
}

supAccessor supReader_Accessor(
    supReader* reader, int32_t index, const char* what, int32_t rows, int32_t columns, supComponents allowed )
{
    supAccessor accessor = supReader_AccessorOfAnyWidth( reader, index, what, allowed );
    if ( supReader_Ok( reader ) && ( accessor.rows != rows || accessor.columns != columns ) )
    {
        supReader_Fail( reader, sup_errorData, "%s: accessor %d has %d numbers an item, %d are needed", what, index,
            accessor.rows * accessor.columns, rows * columns );
    }
    return supReader_Ok( reader ) ? accessor : ( supAccessor ){ .index = index };
}

/// The number that a component stands for. Divided in double and rounded once.
static float supReadFloat( const uint8_t* at, supComponents component, bool normalized )
{
    float number;
    double integer, most;
    switch ( component )
    {
        case sup_componentFloat:
            memcpy( &number, at, sizeof( number ) );
            return number;
        case sup_componentByte:
            integer = (int8_t)supReadInteger( at, component );
            most = 127.0;
            break;
        case sup_componentUnsignedByte:
            integer = supReadInteger( at, component );
            most = 255.0;
            break;
        case sup_componentShort:
            integer = (int16_t)supReadInteger( at, component );
            most = 32767.0;
            break;
        case sup_componentUnsignedShort:
            integer = supReadInteger( at, component );
            most = 65535.0;
            break;
        default:
            return (float)supReadInteger( at, component );
    }
    double value = normalized ? integer / most : integer;
    return (float)( normalized && value < -1.0 ? -1.0 : value );
}

static void supReadItemFloats( const supAccessor* accessor, const uint8_t* at, float* out )
{
    size_t size = supComponentSize( accessor->component );
    for ( int32_t c = 0; c < accessor->columns; ++c )
    {
        const uint8_t* column = at + (size_t)c * accessor->columnStride;
        for ( int32_t r = 0; r < accessor->rows; ++r )
        {
            *out++ = supReadFloat( column + (size_t)r * size, accessor->component, accessor->normalized );
        }
    }
}

static uint32_t supSparseIndex( const supAccessor* accessor, int32_t i )
{
    size_t size = supComponentSize( accessor->sparseIndexComponent );
    return supReadInteger( accessor->sparseIndices + (size_t)i * size, accessor->sparseIndexComponent );
}

void supAccessor_ReadFloats( const supAccessor* accessor, float* out )
{
    size_t width = (size_t)( accessor->rows * accessor->columns );
    size_t count = (size_t)accessor->count;
    if ( accessor->data == NULL )
    {
        memset( out, 0, count * width * sizeof( float ) );
    }
    else if ( accessor->component == sup_componentFloat && accessor->stride == width * sizeof( float ) )
    {
        memcpy( out, accessor->data, count * accessor->stride );
    }
    else
    {
        for ( size_t i = 0; i < count; ++i )
        {
            supReadItemFloats( accessor, accessor->data + i * accessor->stride, out + i * width );
        }
    }
    size_t valueSize = accessor->columnStride * (size_t)accessor->columns;
    for ( int32_t i = 0; i < accessor->sparseCount; ++i )
    {
        uint32_t item = supSparseIndex( accessor, i );
        if ( item < (uint32_t)accessor->count ) // fewer may be wanted than there are
        {
            supReadItemFloats( accessor, accessor->sparseValues + (size_t)i * valueSize, out + item * width );
        }
    }
}

const float* supReader_SharedFloats( supReader* reader, supArena* arena, const supAccessor* accessor )
{
    int32_t width = accessor->rows * accessor->columns;
    if ( supReader_Ok( reader ) && reader->shared == NULL )
    {
        size_t all = (size_t)supGltf_Count( reader->document, "accessors" );
        reader->shared = supReader_Take( reader, arena, all, sizeof( supSharedFloats ) );
    }
    supSharedFloats* shared = supReader_Ok( reader ) ? reader->shared + accessor->index : NULL;
    if ( shared != NULL && shared->values != NULL && shared->count == accessor->count && shared->width == width &&
         shared->normalized == accessor->normalized )
    {
        return shared->values;
    }
    float* values = supReader_Take( reader, arena, (size_t)accessor->count, (size_t)width * sizeof( float ) );
    if ( values != NULL )
    {
        supAccessor_ReadFloats( accessor, values );
        *shared = ( supSharedFloats ){ values, accessor->count, width, accessor->normalized };
    }
    return values;
}

static void supReadItemIntegers( const supAccessor* accessor, const uint8_t* at, uint32_t* out )
{
    size_t size = supComponentSize( accessor->component );
    for ( int32_t r = 0; r < accessor->rows; ++r )
    {
        out[r] = supReadInteger( at + (size_t)r * size, accessor->component );
    }
}

void supAccessor_ReadIntegers( const supAccessor* accessor, uint32_t* out )
{
    assert( ( accessor->component & sup_componentsIndex ) != 0 && accessor->columns == 1 );
    size_t width = (size_t)accessor->rows;
    size_t valueSize = accessor->columnStride;
    for ( size_t i = 0; i < (size_t)accessor->count; ++i )
    {
        if ( accessor->data == NULL )
        {
            memset( out + i * width, 0, width * sizeof( uint32_t ) );
        }
        else
        {
            supReadItemIntegers( accessor, accessor->data + i * accessor->stride, out + i * width );
        }
    }
    for ( int32_t i = 0; i < accessor->sparseCount; ++i )
    {
        supReadItemIntegers(
            accessor, accessor->sparseValues + (size_t)i * valueSize, out + supSparseIndex( accessor, i ) * width );
    }
}
