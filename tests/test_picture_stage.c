// Drawing, on shapes whose picture is known: a sphere's disc, squares of known colours from both sides, textures byte
// by byte.
#include "support/picture_test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

enum
{
    sup_side = 128
};

typedef struct supSet
{
    supStage* stage;
    supPixels pixels;
} supSet;

static int supSetUp( void** state )
{
    supSet* set = calloc( 1, sizeof( *set ) );
    set->stage = supMakeTestStage();
    supCreatePixels( sup_side, sup_side, &set->pixels, NULL );
    *state = set;
    return 0;
}

static int supTearDown( void** state )
{
    supSet* set = *state;
    supDestroyPixels( &set->pixels );
    supDestroyStage( set->stage );
    free( set );
    return 0;
}

/// A character of one mesh that is not skinned.
static supCharacter* supMakeCharacter(
    const float* positions, int32_t vertexCount, const uint32_t* indices, int32_t indexCount )
{
    const supJointDef joint = { .name = "root", .parent = -1, .rest = supTransform_identity };
    const supMeshDef mesh = { .name = "mesh",
        .joint = 0,
        .skin = -1,
        .vertexCount = vertexCount,
        .positions = positions,
        .indexCount = indexCount,
        .indices = indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "test";
    def.jointCount = 1;
    def.joints = &joint;
    def.meshCount = 1;
    def.meshes = &mesh;
    supCharacter* character = NULL;
    supError error = { 0 };
    supResult result = supCreateCharacter( &def, &character, &error );
    assert_string_equal( error.text, "" );
    assert_int_equal( result, sup_success );
    return character;
}

static const float sup_square[12] = { -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0 };
static const uint32_t sup_squareIndices[6] = { 0, 1, 2, 0, 2, 3 };

/// Straight from the front (or from behind), parallel, black around it.
static supView supFlatView( float yaw )
{
    supView view = supDefaultView();
    view.width = view.height = sup_side;
    view.yaw = yaw;
    view.pitch = 0.0f;
    view.fieldOfView = 0.0f;
    view.margin = 0.0f;
    view.ground = false;
    view.top = view.bottom = ( supColor ){ 0.0f, 0.0f, 0.0f, 1.0f };
    supFraming framing = supBeginFraming( &view );
    supFraming_Add( &framing, sup_square, 4, supVec3_zero );
    supFraming_End( &framing, &view );
    return view;
}

static supMaterial supUnlit( float r, float g, float b, float a )
{
    return ( supMaterial ){ .name = "m",
        .baseColor = { r, g, b, a },
        .image = -1,
        .uvScale = { 1.0f, 1.0f },
        .alphaCutoff = 0.5f,
        .unlit = true,
        .roughness = 1.0f };
}

static const uint8_t* supPixelAt( const supPixels* pixels, int x, int y )
{
    return pixels->data + 4 * ( (size_t)y * (size_t)pixels->width + (size_t)x );
}

/// Draws the square with one material; gives its middle pixel's red.
static int supDrawSquare( supSet* set, const supMaterial* material, float yaw, const uint8_t* mirrored )
{
    const supMeshLook meshLook = { .material = 0 };
    const supLook look = { .materialCount = 1, .meshCount = 1, .materials = material, .meshes = &meshLook };
    supCharacter* character = supMakeCharacter( sup_square, 4, sup_squareIndices, 6 );
    supFigure* figure = NULL;
    supLog silence = { NULL, NULL };
    assert_int_equal( supCreateFigure( set->stage, character, &look, silence, &figure, NULL ), sup_success );
    supView view = supFlatView( yaw );
    const supShape shape = { sup_square, NULL, mirrored };
    supActor actor = supDefaultActor( figure, shape );
    assert_int_equal( supStage_Draw( set->stage, &view, &actor, 1, &set->pixels, NULL ), sup_success );
    supDestroyFigure( figure );
    supDestroyCharacter( character );
    return supPixelAt( &set->pixels, sup_side / 2 + 3, sup_side / 2 - 9 )[0];
}

/// Half of linear light is sRGB 188 (IEC 61966-2-1).
static void supTestAlphaModes( void** state )
{
    supSet* set = *state;
    SUP_SKIP_WITHOUT_STAGE( set->stage );
    supMaterial material = supUnlit( 1.0f, 0.5f, 0.0f, 0.5f );
    assert_int_equal( supDrawSquare( set, &material, 0.0f, NULL ), 255 ); // opaque: alpha does not count
    assert_in_range( supPixelAt( &set->pixels, 64, 64 )[1], 187, 189 );
    material.alpha = sup_alphaBlend;
    assert_in_range( supDrawSquare( set, &material, 0.0f, NULL ), 187, 189 ); // half of the light over black
    material.alpha = sup_alphaMask;
    material.alphaCutoff = 0.4f;
    assert_int_equal( supDrawSquare( set, &material, 0.0f, NULL ), 255 );
    material.alphaCutoff = 0.6f;
    assert_int_equal( supDrawSquare( set, &material, 0.0f, NULL ), 0 );
}

static void supTestSides( void** state )
{
    supSet* set = *state;
    SUP_SKIP_WITHOUT_STAGE( set->stage );
    const float behind = 3.14159265f;
    const uint8_t mirrored = 1;
    supMaterial material = supUnlit( 1.0f, 1.0f, 1.0f, 1.0f );
    assert_int_equal( supDrawSquare( set, &material, 0.0f, NULL ), 255 );
    assert_int_equal( supDrawSquare( set, &material, behind, NULL ), 0 );
    assert_int_equal( supDrawSquare( set, &material, 0.0f, &mirrored ), 0 ); // turned over: its front is behind
    assert_int_equal( supDrawSquare( set, &material, behind, &mirrored ), 255 );
    material.doubleSided = true;
    assert_int_equal( supDrawSquare( set, &material, behind, NULL ), 255 );
    // Lit, both sides of a double-sided square are as bright: the back has a normal of its own
    material.unlit = false;
    int front = supDrawSquare( set, &material, 0.0f, NULL ), back = supDrawSquare( set, &material, behind, NULL );
    assert_in_range( front, 90, 250 );
    assert_in_range( back, front - 2, front + 2 );
}

static supCharacter* supMakeSphere( float** positions, int32_t* vertexCount )
{
    enum
    {
        sup_rings = 64,
        sup_sectors = 128
    };
    int32_t count = 0, indexCount = 0;
    *positions = malloc( sizeof( float ) * 3 * ( sup_rings + 1 ) * sup_sectors );
    uint32_t* indices = malloc( sizeof( uint32_t ) * 6 * sup_rings * sup_sectors );
    for ( int r = 0; r <= sup_rings; ++r )
    {
        for ( int s = 0; s < sup_sectors; ++s, ++count )
        {
            double theta = 3.14159265358979 * r / sup_rings, phi = 6.28318530717959 * s / sup_sectors;
            float* p = *positions + 3 * (size_t)count;
            p[0] = (float)( sin( theta ) * cos( phi ) );
            p[1] = (float)cos( theta );
            p[2] = (float)( sin( theta ) * sin( phi ) );
        }
    }
    for ( uint32_t r = 0; r < sup_rings; ++r )
    {
        for ( uint32_t s = 0; s < sup_sectors; ++s )
        {
            uint32_t a = r * sup_sectors + s, b = r * sup_sectors + ( s + 1 ) % sup_sectors;
            const uint32_t quad[6] = { a, b, a + sup_sectors, b, b + sup_sectors, a + sup_sectors };
            memcpy( indices + indexCount, quad, sizeof( quad ) );
            indexCount += 6;
        }
    }
    supCharacter* character = supMakeCharacter( *positions, count, indices, indexCount );
    free( indices );
    *vertexCount = count;
    return character;
}

/// A unit sphere in a picture of height h metres covers pi / h^2 of it; and from every side it is lit, so it is not
/// inside out.
static void supTestSphere( void** state )
{
    supSet* set = *state;
    SUP_SKIP_WITHOUT_STAGE( set->stage );
    float* positions;
    int32_t count;
    supCharacter* character = supMakeSphere( &positions, &count );
    supFigure* figure = NULL;
    supLog silence = { NULL, NULL };
    assert_int_equal( supCreateFigure( set->stage, character, NULL, silence, &figure, NULL ), sup_success );
    for ( int i = 0; i < 4; ++i )
    {
        supView view = supFlatView( 1.5f * (float)i );
        view.margin = 0.1f;
        view.supersample = 1 + i % 3;
        view.top = view.bottom = ( supColor ){ 0.0f, 0.0f, 0.0f, 0.0f };
        supFraming framing = supBeginFraming( &view );
        supFraming_Add( &framing, positions, count, supVec3_zero );
        supFraming_End( &framing, &view );
        assert_true( fabsf( view.parallelHeight - 2.0f / 0.8f ) < 1e-3f );
        supActor actor = supDefaultActor( figure, ( supShape ){ positions, NULL, NULL } );
        assert_int_equal( supStage_Draw( set->stage, &view, &actor, 1, &set->pixels, NULL ), sup_success );
        double covered = 0.0;
        for ( int k = 0; k < sup_side * sup_side; ++k )
        {
            covered += (double)set->pixels.data[4 * (size_t)k + 3] / 255.0;
        }
        double expected = 3.14159265 * 0.16 * sup_side * sup_side;
        assert_true( fabs( covered / expected - 1.0 ) < 0.01 );
        assert_true(
            supPixelAt( &set->pixels, sup_side * 2 / 5, sup_side * 2 / 5 )[1] > 120 ); // where the key light falls
    }
    free( positions );
    supDestroyFigure( figure );
    supDestroyCharacter( character );
}

static void supTestSameBytes( void** state )
{
    supSet* set = *state;
    SUP_SKIP_WITHOUT_STAGE( set->stage );
    float* positions;
    int32_t count;
    supCharacter* character = supMakeSphere( &positions, &count );
    uint8_t* first = NULL;
    for ( int i = 0; i < 3; ++i ) // the third on a stage of its own
    {
        supStage* stage = i < 2 ? set->stage : supMakeTestStage();
        supFigure* figure = NULL;
        supLog silence = { NULL, NULL };
        assert_int_equal( supCreateFigure( stage, character, NULL, silence, &figure, NULL ), sup_success );
        supView view = supDefaultView();
        view.width = view.height = sup_side;
        supFraming framing = supBeginFraming( &view );
        supFraming_Add( &framing, positions, count, supVec3_zero );
        supFraming_End( &framing, &view );
        supActor actor = supDefaultActor( figure, ( supShape ){ positions, NULL, NULL } );
        actor.wireframe = true;
        assert_int_equal( supStage_Draw( stage, &view, &actor, 1, &set->pixels, NULL ), sup_success );
        size_t size = 4 * sup_side * sup_side;
        if ( first == NULL )
        {
            first = malloc( size );
            memcpy( first, set->pixels.data, size );
        }
        assert_memory_equal( first, set->pixels.data, size );
        supDestroyFigure( figure );
        if ( i == 2 )
        {
            supDestroyStage( stage );
        }
    }
    free( first );
    free( positions );
    supDestroyCharacter( character );
}

/// What an overlay draws: a dot at a corner of the square, its left half black and its right half white, a line below.
static void supDrawTestOverlay( const supDraw* draw, void* user )
{
    (void)user;
    const float values[4] = { 0.0f, 1.0f, 1.0f, 0.0f };
    draw->scalars( values, 4, draw->user );
    draw->point( ( supVec3 ){ 0.5f, 0.5f, 0.0f }, ( supColor ){ 0.0f, 1.0f, 0.0f, 1.0f }, 9.0f, draw->user );
    draw->line( ( supVec3 ){ -0.9f, -0.5f, -1.0f }, ( supVec3 ){ 0.9f, -0.5f, -1.0f },
        ( supColor ){ 1.0f, 0.0f, 0.0f, 1.0f }, 3.0f, draw->user );
}

static void supTestOverlay( void** state )
{
    supSet* set = *state;
    SUP_SKIP_WITHOUT_STAGE( set->stage );
    supCharacter* character = supMakeCharacter( sup_square, 4, sup_squareIndices, 6 );
    const supMaterial material = supUnlit( 0.2f, 0.2f, 0.9f, 1.0f );
    const supMeshLook meshLook = { .material = 0 };
    const supLook look = { .materialCount = 1, .meshCount = 1, .materials = &material, .meshes = &meshLook };
    supFigure* figure = NULL;
    supLog silence = { NULL, NULL };
    assert_int_equal( supCreateFigure( set->stage, character, &look, silence, &figure, NULL ), sup_success );
    supView view = supFlatView( 0.0f );
    supActor actor = supDefaultActor( figure, ( supShape ){ sup_square, NULL, NULL } );
    actor.overlay = supDrawTestOverlay;
    assert_int_equal( supStage_Draw( set->stage, &view, &actor, 1, &set->pixels, NULL ), sup_success );
    float x, y, depth;
    assert_true( supView_Project( &view, ( supVec3 ){ 0.5f, 0.5f, 0.0f }, &x, &y, &depth ) );
    assert_true( fabsf( x - 96.0f ) < 0.01f && fabsf( y - 32.0f ) < 0.01f );
    const uint8_t* dot = supPixelAt( &set->pixels, (int)x, (int)y );
    assert_true( dot[1] > 240 && dot[0] < 20 && dot[2] < 20 );
    const uint8_t *dark = supPixelAt( &set->pixels, 4, 20 ), *light = supPixelAt( &set->pixels, 123, 20 );
    // 4.5 and 123.5 of 128 pixels from black to white, in linear light: sRGB 53 and 251
    assert_in_range( dark[0], 51, 55 );
    assert_int_equal( dark[2], dark[0] );
    assert_in_range( light[0], 249, 253 );
    assert_int_equal( light[2], light[0] );
    const uint8_t* line = supPixelAt( &set->pixels, 40, 96 ); // behind the square: shines through
    assert_true( line[0] > line[1] + 60 );
    supDestroyFigure( figure );
    supDestroyCharacter( character );
}

typedef struct supNotes
{
    int count;
    char text[400];
} supNotes;

static void supCountNote( const char* text, void* user )
{
    supNotes* notes = user;
    notes->count += 1;
    snprintf( notes->text, sizeof( notes->text ), "%s", text );
}

/// A missing image, used by two meshes: said once, drawn with the base colour.
static void supTestMissingImage( void** state )
{
    supSet* set = *state;
    SUP_SKIP_WITHOUT_STAGE( set->stage );
    const supImage image = { .name = "coat.png", .missing = "no such file" };
    supMaterial material = supUnlit( 0.0f, 1.0f, 0.0f, 1.0f );
    material.image = 0;
    const float texcoords[8] = { 0, 1, 1, 1, 1, 0, 0, 0 };
    const supMeshLook meshLook = { .material = 0, .texcoords = { texcoords, NULL } };
    const supLook look = { 1, 1, 1, &material, &image, &meshLook, 0 };
    supCharacter* character = supMakeCharacter( sup_square, 4, sup_squareIndices, 6 );
    supFigure* figure = NULL;
    supNotes notes = { 0 };
    supLog log = { supCountNote, &notes };
    assert_int_equal( supCreateFigure( set->stage, character, &look, log, &figure, NULL ), sup_success );
    assert_int_equal( notes.count, 1 );
    assert_non_null( strstr( notes.text, "coat.png" ) );
    assert_non_null( strstr( notes.text, "no such file" ) );
    supView view = supFlatView( 0.0f );
    supActor actor = supDefaultActor( figure, ( supShape ){ sup_square, NULL, NULL } );
    assert_int_equal( supStage_Draw( set->stage, &view, &actor, 1, &set->pixels, NULL ), sup_success );
    assert_int_equal( supPixelAt( &set->pixels, 64, 64 )[1], 255 );
    supDestroyFigure( figure );
    supDestroyCharacter( character );
}

static void supTestSizes( void** state )
{
    supSet* set = *state;
    SUP_SKIP_WITHOUT_STAGE( set->stage );
    supError error = { 0 };
    supView view = supFlatView( 0.0f );
    view.width = 0;
    assert_int_equal( supStage_Draw( set->stage, &view, NULL, 0, &set->pixels, &error ), sup_errorLimit );
    view.width = supStage_MaxSize( set->stage ) + 1;
    assert_int_equal( supStage_Draw( set->stage, &view, NULL, 0, &set->pixels, &error ), sup_errorLimit );
    char number[16];
    snprintf( number, sizeof( number ), "%d", supStage_MaxSize( set->stage ) );
    assert_non_null( strstr( error.text, number ) );
    view.width = sup_side / 2;
    assert_int_equal( supStage_Draw( set->stage, &view, NULL, 0, &set->pixels, &error ), sup_errorArgument );
    view = supFlatView( 0.0f );
    view.farthest = view.nearest;
    assert_int_equal( supStage_Draw( set->stage, &view, NULL, 0, &set->pixels, &error ), sup_errorArgument );
    view = supFlatView( 0.0f );
    assert_int_equal( supStage_Draw( set->stage, &view, NULL, 0, &set->pixels, &error ), sup_success );
}

/// A pyramid of three sides that no turn maps to itself.
static const float sup_pyramid[12] = { 0, 0.1f, 0, 0.9f, 0.2f, 0.1f, 0.2f, 0.3f, 0.6f, 0.1f, 1.1f, 0.3f };
static const uint32_t sup_pyramidIndices[12] = { 0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0 };

static supVec3 supAlong( const supVec3 axes[3], const float p[3] )
{
    return ( supVec3 ){ axes[0].x * p[0] + axes[1].x * p[1] + axes[2].x * p[2],
        axes[0].y * p[0] + axes[1].y * p[1] + axes[2].y * p[2],
        axes[0].z * p[0] + axes[1].z * p[1] + axes[2].z * p[2] };
}

static void supDrawTurned( supSet* set, const supVec3 axes[3], supPixels* pixels )
{
    float positions[12];
    const float away[3] = { 0.2f, 0.3f, -0.1f };
    for ( int i = 0; i < 4; ++i )
    {
        supVec3 p = supAlong( axes, sup_pyramid + 3 * (size_t)i );
        positions[3 * i] = p.x, positions[3 * i + 1] = p.y, positions[3 * i + 2] = p.z;
    }
    supCharacter* character = supMakeCharacter( positions, 4, sup_pyramidIndices, 12 );
    supFigure* figure = NULL;
    supLog silence = { NULL, NULL };
    assert_int_equal( supCreateFigure( set->stage, character, NULL, silence, &figure, NULL ), sup_success );
    supActor actor = supDefaultActor( figure, ( supShape ){ positions, NULL, NULL } );
    actor.offset = supAlong( axes, away );
    supView view = supDefaultView();
    view.width = view.height = sup_side;
    view.up = axes[1];
    view.front = axes[2];
    supFraming framing = supBeginFraming( &view );
    supFraming_Add( &framing, positions, 4, actor.offset );
    supFraming_End( &framing, &view );
    assert_int_equal( supStage_Draw( set->stage, &view, &actor, 1, pixels, NULL ), sup_success );
    supDestroyFigure( figure );
    supDestroyCharacter( character );
}

/// A figure that lies in other axes looks the same where the view says so: skin, light, ground and shadow.
static void supTestTurnedFigure( void** state )
{
    supSet* set = *state;
    SUP_SKIP_WITHOUT_STAGE( set->stage );
    const float half = sqrtf( 0.5f );
    const supVec3 plain[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const supVec3 turned[][3] = {
        { { 1, 0, 0 }, { 0, 0, 1 }, { 0, -1, 0 } },              // Z is up
        { { -1, 0, 0 }, { 0, 1, 0 }, { 0, 0, -1 } },             // it looks the other way
        { { 0, 0, -1 }, { 0, 1, 0 }, { 1, 0, 0 } },              // to the side
        { { half, 0, -half }, { half, 0, half }, { 0, -1, 0 } }, // none of the axes
    };
    supPixels own = { 0 };
    assert_int_equal( supCreatePixels( sup_side, sup_side, &own, NULL ), sup_success );
    supDrawTurned( set, plain, &set->pixels );
    for ( size_t t = 0; t < sizeof( turned ) / sizeof( turned[0] ); ++t )
    {
        supDrawTurned( set, turned[t], &own );
        int apart = 0, changed = 0;
        for ( size_t i = 0; i < 4 * (size_t)sup_side * sup_side; ++i )
        {
            int difference = abs( own.data[i] - set->pixels.data[i] );
            apart += difference > 2 ? 1 : 0;
            changed += own.data[i] != own.data[i % 4] ? 1 : 0;
        }
        assert_true( changed > sup_side * sup_side ); // there is something to see
        assert_in_range( apart, 0, 40 );              // edges of lines, by rounding
    }
    supDestroyPixels( &own );
}

static void supTestFrontAndUp( void** state )
{
    supSet* set = *state;
    SUP_SKIP_WITHOUT_STAGE( set->stage );
    const supVec3 wrong[][2] = { { { 0, 0, 1 }, { 0, 0, 1 } }, { { 0, 0, 0 }, { 0, 1, 0 } },
        { { 0, 0, 1 }, { 0, 2, 0 } }, { { NAN, 0, 1 }, { 0, 1, 0 } } };
    for ( size_t i = 0; i < sizeof( wrong ) / sizeof( wrong[0] ); ++i )
    {
        supError error = { 0 };
        supView view = supFlatView( 0.0f );
        view.front = wrong[i][0];
        view.up = wrong[i][1];
        assert_int_equal( supStage_Draw( set->stage, &view, NULL, 0, &set->pixels, &error ), sup_errorArgument );
        assert_non_null( strstr( error.text, "right angles" ) );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestAlphaModes ),
        cmocka_unit_test( supTestSides ),
        cmocka_unit_test( supTestSphere ),
        cmocka_unit_test( supTestSameBytes ),
        cmocka_unit_test( supTestOverlay ),
        cmocka_unit_test( supTestMissingImage ),
        cmocka_unit_test( supTestSizes ),
        cmocka_unit_test( supTestTurnedFigure ),
        cmocka_unit_test( supTestFrontAndUp ),
    };
    return cmocka_run_group_tests( tests, supSetUp, supTearDown );
}
