// The pages about rigs: what is committed is what the tables say, and what the guide shows can be read.
#include "supple/io.h"
#include "supple/lab/files.h"
#include "supple/lab/items.h"
#include "supple/model.h"
#include "support/test_assets.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// A file of the project, from malloc.
static char* supReadPage( const char* path )
{
    FILE* file = fopen( path, "rb" );
    if ( file == NULL )
    {
        fail_msg( "%s: cannot be read; tests run in the project's root", path );
    }
    fseek( file, 0, SEEK_END );
    size_t size = (size_t)ftell( file );
    rewind( file );
    char* text = malloc( size + 1 );
    assert_int_equal( fread( text, 1, size, file ), size );
    text[size] = '\0';
    fclose( file );
    return text;
}

static char* supMakeText( size_t ( *make )( char* text, size_t size ) )
{
    size_t length = make( NULL, 0 );
    char* text = malloc( length + 1 );
    assert_int_equal( make( text, length + 1 ), length );
    assert_int_equal( strlen( text ), length );
    return text;
}

static void supExpectPage( const char* path, size_t ( *make )( char* text, size_t size ) )
{
    char* committed = supReadPage( path );
    char* made = supMakeText( make );
    if ( strcmp( committed, made ) != 0 )
    {
        fail_msg( "%s is not what the tables say: './run docs' writes it anew", path );
    }
    free( committed );
    free( made );
}

static void supTestPages( void** state )
{
    (void)state;
    supExpectPage( "docs/rig.schema.json", supRigSchema );
    supExpectPage( "docs/rig-reference.md", supRigReference );
}

// Every field of every layer stands in the schema with its range, and on the page.
static void supTestEveryField( void** state )
{
    (void)state;
    char* text = supMakeText( supRigSchema );
    char* page = supMakeText( supRigReference );
    json_t* schema = json_loads( text, JSON_REJECT_DUPLICATES, NULL );
    assert_non_null( schema );
    for ( int32_t layer = 0; layer < supLayerCount(); ++layer )
    {
        const supLayerInfo* info = supGetLayerInfo( layer );
        const json_t* list = json_object_get( json_object_get( schema, "properties" ), info->key );
        const json_t* properties = json_object_get( json_object_get( list, "items" ), "properties" );
        assert_int_equal( json_object_size( properties ), info->fieldCount + 1 ); // and "extras"
        for ( int32_t i = 0; i < info->fieldCount; ++i )
        {
            const supField* field = info->fields + i;
            const json_t* property = json_object_get( properties, field->name );
            assert_non_null( property );
            if ( field->type == sup_fieldFloat )
            {
                assert_true( (float)json_number_value( json_object_get( property, "minimum" ) ) == field->minimum );
                assert_true( (float)json_number_value( json_object_get( property, "maximum" ) ) == field->maximum );
                const json_t* fallback = json_object_get( property, "default" );
                assert_int_equal( fallback == NULL, field->optional );
                assert_true( fallback == NULL || (float)json_number_value( fallback ) == field->fallback );
            }
            char row[80];
            snprintf( row, sizeof( row ), "\n| `%s`", field->name );
            assert_non_null( strstr( page, row ) );
        }
    }
    json_decref( schema );
    free( text );
    free( page );
}

/// Calls `visit` with every block between "```json" and "```" of a page; gives how many there are.
static int supForEachBlock(
    const char* page, void ( *visit )( const char* text, size_t length, void* user ), void* user )
{
    int count = 0;
    for ( const char* at = strstr( page, "```json\n" ); at != NULL; at = strstr( at, "```json\n" ) )
    {
        at += strlen( "```json\n" );
        const char* end = strstr( at, "```" );
        assert_non_null( end );
        visit( at, (size_t)( end - at ), user );
        at = end + 3;
        count += 1;
    }
    return count;
}

static void supReadBlock( const char* text, size_t length, void* user )
{
    const supCharacter* fox = user;
    supRig* rig;
    supError error;
    if ( supReadRigMemory( text, length, "docs/rig.md", fox, NULL, &rig, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    assert_true( supRig_ElementCount( rig ) > 0 );
    if ( fox != NULL )
    {
        supModel* model;
        if ( supCompileModel( fox, rig, &model, &error ) != sup_success )
        {
            fail_msg( "%s", error.text );
        }
        assert_int_equal( supModel_Info( model )->elementCount, supRig_ElementCount( rig ) );
        supDestroyModel( model );
    }
    supDestroyRig( rig );
}

static void supTestGuide( void** state )
{
    (void)state;
    char* page = supReadPage( "docs/rig.md" );
    assert_int_equal( supForEachBlock( page, supReadBlock, NULL ), 2 );
    free( page );
}

// The guide's rigs are for the Khronos fox, and work on it.
static void supTestGuideOnFox( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char path[512];
    assert_true( supTestAssetPath( "khronos_fox/glTF-Binary/Fox.glb", path, sizeof( path ) ) );
    supCharacter* fox;
    assert_int_equal( supLoadGltf( path, &fox, NULL ), sup_success );
    char* page = supReadPage( "docs/rig.md" );
    supForEachBlock( page, supReadBlock, fox );
    free( page );
    supDestroyCharacter( fox );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestPages ),
        cmocka_unit_test( supTestEveryField ),
        cmocka_unit_test( supTestGuide ),
        cmocka_unit_test( supTestGuideOnFox ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
