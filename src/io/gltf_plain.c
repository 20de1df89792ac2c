// Primitives that were compressed with Draco, written plain.
// SPDX-License-Identifier: MIT
#include "io/gltf_edit.h"

#include <string.h>

#define SUP_DRACO "KHR_draco_mesh_compression"

/// The number at `at`, which all types hold exactly in a double.
static double supNumberAt( const uint8_t* at, supComponents component )
{
    union
    {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        uint32_t u32;
        float f32;
    } number;
    memcpy( &number, at, supComponentSize( component ) );
    switch ( component )
    {
        case sup_componentByte:
            return number.i8;
        case sup_componentUnsignedByte:
            return number.u8;
        case sup_componentShort:
            return number.i16;
        case sup_componentUnsignedShort:
            return number.u16;
        case sup_componentUnsignedInt:
            return number.u32;
        default:
            return (double)number.f32;
    }
}

static json_t* supBoundJson( double number, supComponents component )
{
    return component == sup_componentFloat ? json_real( number ) : json_integer( (json_int_t)number );
}

/// "min" and "max" as the data have them; those of the file are of what was compressed. What is not finite has none.
static void supPutTrueBounds( supGltfEdit* edit, json_t* json, const supAccessor* accessor )
{
    json_t* lowest = json_array();
    json_t* highest = json_array();
    size_t bytes = supComponentSize( accessor->component );
    for ( int32_t row = 0; row < accessor->rows; ++row )
    {
        double lower = 0.0, upper = 0.0;
        for ( size_t i = 0; i < (size_t)accessor->count; ++i )
        {
            double number =
                supNumberAt( accessor->data + i * accessor->stride + (size_t)row * bytes, accessor->component );
            lower = i == 0 || number < lower ? number : lower;
            upper = i == 0 || number > upper ? number : upper;
        }
        supEdit_Push( edit, lowest, supBoundJson( lower, accessor->component ) );
        supEdit_Push( edit, highest, supBoundJson( upper, accessor->component ) );
    }
    supEdit_Put( edit, json, "min", lowest );
    supEdit_Put( edit, json, "max", highest );
}

/// Items of vertices start at multiples of four bytes.
static int32_t supAddItems( supGltfEdit* edit, const supAccessor* accessor, int32_t target )
{
    size_t item = supComponentSize( accessor->component ) * (size_t)accessor->rows, count = (size_t)accessor->count;
    size_t stride = target == SUP_TARGET_VERTICES ? ( item + 3 ) / 4 * 4 : item;
    if ( stride == item )
    {
        return supEdit_AddView( edit, accessor->data, count * item, target );
    }
    supArena arena = { 0 };
    uint8_t* spread = supReader_Take( &edit->reader, &arena, count, stride );
    for ( size_t i = 0; spread != NULL && i < count; ++i )
    {
        memcpy( spread + i * stride, accessor->data + i * item, item );
    }
    int32_t view = spread != NULL ? supEdit_AddView( edit, spread, count * stride, target ) : -1;
    if ( view >= 0 )
    {
        json_t* json = supGltf_Item( edit->document, "bufferViews", view );
        supEdit_Put( edit, json, "byteStride", json_integer( (json_int_t)stride ) );
    }
    supArena_Free( &arena );
    return view;
}

/// An accessor by its number gets a buffer view, where it was unpacked and has none.
static void supMakeAccessorPlain( supGltfEdit* edit, const json_t* value, int32_t target )
{
    int32_t index = value != NULL ? supReader_IndexValue( &edit->reader, value, "accessor", "accessors" ) : -1;
    json_t* json = index >= 0 ? supGltf_Item( edit->document, "accessors", index ) : NULL;
    if ( json == NULL || supGltf_IsUnpacked( edit->document, index ) == false ||
         json_object_get( json, "bufferView" ) != NULL )
    {
        return;
    }
    supAccessor accessor = supReader_AccessorOfAnyWidth(
        &edit->reader, index, "copy", sup_componentsQuantized | sup_componentUnsignedInt );
    if ( supEdit_Ok( edit ) == false )
    {
        return;
    }
    bool hasBounds = json_object_get( json, "min" ) != NULL || json_object_get( json, "max" ) != NULL;
    if ( hasBounds && accessor.count > 0 )
    {
        supPutTrueBounds( edit, json, &accessor );
    }
    int32_t view = supAddItems( edit, &accessor, target );
    supEdit_Put( edit, json, "bufferView", json_integer( view ) );
    json_object_del( json, "byteOffset" );
}

static bool supIsCompressed( supGltfEdit* edit, json_t* primitive )
{
    return json_object_get( supReader_Object( &edit->reader, primitive, "extensions" ), SUP_DRACO ) != NULL;
}

static bool supHasView( supGltfEdit* edit, const json_t* value )
{
    int32_t index = value != NULL ? supReader_IndexValue( &edit->reader, value, "accessor", "accessors" ) : -1;
    return index >= 0 && json_object_get( supGltf_Item( edit->document, "accessors", index ), "bufferView" ) != NULL;
}

/// False: something of it is compressed still, since Supple was built without the decoder.
static bool supMakePrimitivePlain( supGltfEdit* edit, json_t* primitive )
{
    const char* name;
    json_t* value;
    json_t* attributes = supReader_Object( &edit->reader, primitive, "attributes" );
    json_t* extensions = supReader_Object( &edit->reader, primitive, "extensions" );
    supMakeAccessorPlain( edit, json_object_get( primitive, "indices" ), SUP_TARGET_INDICES );
    bool isPlain = supHasView( edit, json_object_get( primitive, "indices" ) );
    json_object_foreach( json_object_get( json_object_get( extensions, SUP_DRACO ), "attributes" ), name, value )
    {
        supMakeAccessorPlain( edit, json_object_get( attributes, name ), SUP_TARGET_VERTICES );
        isPlain = supHasView( edit, json_object_get( attributes, name ) ) && isPlain;
    }
    if ( isPlain )
    {
        json_object_del( extensions, SUP_DRACO );
    }
    if ( json_object_size( extensions ) == 0 )
    {
        json_object_del( primitive, "extensions" );
    }
    return isPlain;
}

static void supDropFromList( json_t* root, const char* list )
{
    json_t* array = json_object_get( root, list );
    for ( size_t i = json_array_size( array ); i-- > 0; )
    {
        const char* name = json_string_value( json_array_get( array, i ) );
        if ( name != NULL && strcmp( name, SUP_DRACO ) == 0 )
        {
            json_array_remove( array, i );
        }
    }
    if ( array != NULL && json_array_size( array ) == 0 )
    {
        json_object_del( root, list );
    }
}

void supEdit_MakePlain( supGltfEdit* edit )
{
    int32_t made = 0, left = 0;
    for ( int32_t m = 0; m < supGltf_Count( edit->document, "meshes" ) && supEdit_Ok( edit ); ++m )
    {
        size_t p;
        json_t* primitive;
        json_t* mesh = supGltf_Item( edit->document, "meshes", m );
        supReader_At( &edit->reader, "mesh", m, mesh );
        json_array_foreach( supReader_Array( &edit->reader, mesh, "primitives" ), p, primitive )
        {
            if ( supIsCompressed( edit, primitive ) )
            {
                bool isPlain = supMakePrimitivePlain( edit, primitive );
                made += isPlain ? 1 : 0;
                left += isPlain ? 0 : 1;
            }
        }
    }
    if ( made > 0 && left == 0 && supEdit_Ok( edit ) )
    {
        supDropFromList( edit->document->root, "extensionsUsed" );
        supDropFromList( edit->document->root, "extensionsRequired" );
    }
}
