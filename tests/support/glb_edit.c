#include "support/glb_edit.h"

#include "support/gltf_files.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

static size_t supReadSize( const uint8_t* at )
{
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

supGlb supOpenGlb( const char* path )
{
    size_t size;
    uint8_t* file = supReadWhole( path, &size );
    supGlb glb = { 0 };
    json_error_t error;
    assert_true( size > 28 && memcmp( file, "glTF", 4 ) == 0 );
    size_t jsonSize = supReadSize( file + 12 );
    glb.json = json_loadb( (const char*)file + 20, jsonSize, 0, &error );
    assert_non_null( glb.json );
    glb.binSize = supReadSize( file + 20 + jsonSize );
    glb.bin = malloc( glb.binSize + 1 );
    assert_non_null( glb.bin );
    memcpy( glb.bin, file + 28 + jsonSize, glb.binSize );
    free( file );
    return glb;
}

void supSaveGlb( const supGlb* glb, const char* path )
{
    size_t size;
    char* text = json_dumps( glb->json, JSON_COMPACT );
    assert_non_null( text );
    uint8_t* file = supMakeGlb( text, glb->bin, glb->binSize, &size );
    supWriteWhole( path, file, size );
    free( text );
    free( file );
}

void supCloseGlb( supGlb* glb )
{
    json_decref( glb->json );
    free( glb->bin );
    *glb = ( supGlb ){ 0 };
}

json_t* supGlb_Item( const supGlb* glb, const char* kind, int index )
{
    json_t* item = json_array_get( json_object_get( glb->json, kind ), (size_t)index );
    assert_non_null( item );
    return item;
}

int supGlb_Count( const supGlb* glb, const char* kind )
{
    return (int)json_array_size( json_object_get( glb->json, kind ) );
}

static int supNumber( const json_t* json, const char* key, int fallback )
{
    const json_t* value = json_object_get( json, key );
    return value != NULL ? (int)json_integer_value( value ) : fallback;
}

static int supRows( const json_t* accessor )
{
    static const struct
    {
        const char* name;
        int rows;
    } types[] = { { "SCALAR", 1 }, { "VEC2", 2 }, { "VEC3", 3 }, { "VEC4", 4 }, { "MAT4", 16 } };
    for ( size_t i = 0; i < sizeof( types ) / sizeof( types[0] ); ++i )
    {
        if ( strcmp( json_string_value( json_object_get( accessor, "type" ) ), types[i].name ) == 0 )
        {
            return types[i].rows;
        }
    }
    fail_msg( "an accessor of another type" );
    return 0;
}

void* supGlb_Accessor( const supGlb* glb, int index, int componentType, int* count )
{
    const json_t* accessor = supGlb_Item( glb, "accessors", index );
    const json_t* view = supGlb_Item( glb, "bufferViews", supNumber( accessor, "bufferView", -1 ) );
    assert_int_equal( supNumber( accessor, "componentType", 0 ), componentType );
    assert_int_equal( supNumber( view, "buffer", -1 ), 0 );
    assert_null( json_object_get( view, "byteStride" ) );
    *count = supNumber( accessor, "count", 0 ) * supRows( accessor );
    size_t at = (size_t)supNumber( view, "byteOffset", 0 ) + (size_t)supNumber( accessor, "byteOffset", 0 );
    assert_true( at < glb->binSize );
    return glb->bin + at;
}

int supGlb_AddView( supGlb* glb, const void* data, size_t size )
{
    size_t start = ( glb->binSize + 15 ) / 16 * 16;
    glb->bin = realloc( glb->bin, start + size + 1 );
    assert_non_null( glb->bin );
    memset( glb->bin + glb->binSize, 0, start - glb->binSize );
    memcpy( glb->bin + start, data, size );
    glb->binSize = start + size;
    json_object_set_new( supGlb_Item( glb, "buffers", 0 ), "byteLength", json_integer( (json_int_t)glb->binSize ) );
    json_array_append_new( json_object_get( glb->json, "bufferViews" ),
        json_pack( "{s:i, s:I, s:I}", "buffer", 0, "byteOffset", (json_int_t)start, "byteLength", (json_int_t)size ) );
    return supGlb_Count( glb, "bufferViews" ) - 1;
}

int supGlb_AddAccessor( supGlb* glb, const void* data, size_t size, int componentType, const char* type, int count )
{
    int view = supGlb_AddView( glb, data, size );
    json_array_append_new(
        json_object_get( glb->json, "accessors" ), json_pack( "{s:i, s:i, s:s, s:i}", "bufferView", view,
                                                       "componentType", componentType, "type", type, "count", count ) );
    return supGlb_Count( glb, "accessors" ) - 1;
}

int supGlb_Attribute( const supGlb* glb, int mesh, int primitive, const char* name )
{
    const json_t* primitives = json_object_get( supGlb_Item( glb, "meshes", mesh ), "primitives" );
    const json_t* attributes = json_object_get( json_array_get( primitives, (size_t)primitive ), "attributes" );
    const json_t* value = json_object_get( attributes, name );
    assert_non_null( value );
    return (int)json_integer_value( value );
}

int supGlb_CountNotFinite( const supGlb* glb, int first )
{
    int found = 0;
    for ( int i = first; i < supGlb_Count( glb, "accessors" ); ++i )
    {
        const json_t* accessor = supGlb_Item( glb, "accessors", i );
        if ( supNumber( accessor, "componentType", 0 ) != 5126 || json_object_get( accessor, "bufferView" ) == NULL )
        {
            continue;
        }
        int count;
        const uint8_t* at = supGlb_Accessor( glb, i, 5126, &count );
        bool isWrong = false;
        for ( int k = 0; k < count; ++k )
        {
            float number;
            memcpy( &number, at + 4 * (size_t)k, 4 );
            isWrong = isWrong || !isfinite( number );
        }
        found += isWrong;
    }
    return found;
}
