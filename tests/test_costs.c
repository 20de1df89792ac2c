// Costs that grow with a file no worse than n log n: sizes at which a square of them took a minute.
#include "base/hash.h"
#include "character/character_data.h"
#include "io/retarget.h"
#include "supple/auto.h"
#include "supple/model.h"
#include "support/gltf_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static const double supMostSeconds = 15.0; // a slow machine under a sanitizer; the squares took 57 s and 80 s

static double supSince( clock_t start )
{
    return (double)( clock() - start ) / CLOCKS_PER_SEC;
}

/// 160,000 primitives of one mesh: each was looked for among all before it.
static void supTestPrimitives( void** state )
{
    (void)state;
    enum
    {
        count = 160000
    };
    static const char head[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"accessors\":[{\"componentType\":"
        "5126,\"type\":\"VEC3\",\"count\":3}],\"meshes\":[{\"primitives\":[",
                      part[] = "{\"attributes\":{\"POSITION\":0}},", tail[] = "{\"attributes\":{\"POSITION\":0}}]}]}";
    char* json = malloc( sizeof( head ) + count * sizeof( part ) + sizeof( tail ) );
    char* to = json + sprintf( json, "%s", head );
    for ( int i = 1; i < count; ++i )
    {
        memcpy( to, part, sizeof( part ) - 1 );
        to += sizeof( part ) - 1;
    }
    strcpy( to, tail );
    supCharacter* character = NULL;
    supError error = { 0 };
    clock_t start = clock();
    supResult result = supReadText( json, &character, &error );
    double seconds = supSince( start );
    if ( result != sup_success || seconds > supMostSeconds )
    {
        fail_msg( "%d primitives: %s, %.1f s", count, error.text, seconds );
    }
    assert_int_equal( supCharacter_Info( character )->meshCount, count );
    supDestroyCharacter( character );
    free( json );
}

static supCharacter* supMakeJoints( int count, const char* prefix )
{
    supJointDef* joints = calloc( (size_t)count, sizeof( supJointDef ) );
    char( *names )[24] = calloc( (size_t)count, 24 );
    for ( int i = 0; i < count; ++i )
    {
        snprintf( names[i], 24, "%s%d", prefix, i );
        joints[i] = ( supJointDef ){ .name = names[i], .parent = i - 1, .rest = supTransform_identity };
        joints[i].parent = -1;
    }
    supCharacterDef def = supDefaultCharacterDef();
    def.joints = joints;
    def.jointCount = count;
    supCharacter* character = NULL;
    assert_int_equal( supCreateCharacter( &def, &character, NULL ), sup_success );
    free( joints );
    free( names );
    return character;
}

/// 60,000 joints by 20,000, whose names agree once prefixes are taken off; and of one name the first counts.
static void supTestMatches( void** state )
{
    (void)state;
    supCharacter *character = supMakeJoints( 60000, "Armature|Bone_" ),
                 *motion = supMakeJoints( 20000, "mixamorig:Bone" );
    int32_t* partners = calloc( 60000, sizeof( int32_t ) );
    supError error = { 0 };
    clock_t start = clock();
    int32_t matched = supMatchJoints( character, motion, NULL, partners, &error );
    double seconds = supSince( start );
    assert_int_equal( matched, 20000 );
    for ( int i = 0; i < 60000; ++i )
    {
        assert_int_equal( partners[i], i < 20000 ? i : -1 );
    }
    if ( seconds > supMostSeconds )
    {
        fail_msg( "60,000 joints by 20,000: %.1f s", seconds );
    }
    free( partners );
    supDestroyCharacter( motion );
    supDestroyCharacter( character );
}

/// Joints by name: of one name the first, whatever their order; and 60,000 bare joints read as a body, of which each
/// was looked at for each, 117 s in all.
static void supTestJoints( void** state )
{
    (void)state;
    char names[300][8];
    supJointDef joints[300];
    for ( int i = 0; i < 300; ++i )
    {
        snprintf( names[i], sizeof( names[i] ), "%d", i * 7919 % 97 ); // each name three times or more
        joints[i] =
            ( supJointDef ){ .name = i % 50 == 9 ? NULL : names[i], .parent = -1, .rest = supTransform_identity };
    }
    supCharacterDef def = supDefaultCharacterDef();
    def.joints = joints;
    def.jointCount = 300;
    supCharacter* character = NULL;
    assert_int_equal( supCreateCharacter( &def, &character, NULL ), sup_success );
    for ( int i = 0; i < 300; ++i )
    {
        int first = 0;
        while ( strcmp( supCharacter_Joint( character, first )->name, supCharacter_Joint( character, i )->name ) != 0 )
        {
            ++first;
        }
        assert_int_equal( supCharacter_FindJoint( character, supCharacter_Joint( character, i )->name ), first );
    }
    assert_int_equal( supCharacter_FindJoint( character, "97" ), -1 );
    assert_int_equal( supCharacter_FindJoint( character, "~" ), -1 );
    assert_int_equal( supCharacter_FindJoint( character, NULL ), -1 );
    supDestroyCharacter( character );
}

/// A tube on 16 joints of 60,000 read as a body: for each bare joint all were looked at, 100 s and more.
static void supTestBody( void** state )
{
    (void)state;
    enum
    {
        count = 60000,
        vertices = 128
    };
    static float positions[3 * vertices], weights[vertices];
    static uint16_t influences[vertices];
    static uint32_t indices[6 * vertices];
    static int32_t skinJoints[16];
    supJointDef* joints = calloc( count, sizeof( supJointDef ) );
    for ( int i = 0; i < count; ++i )
    {
        joints[i] = ( supJointDef ){ .name = "bone",
            .parent = i == 0   ? -1
                      : i < 16 ? i - 1
                               : i % 16,
            .rest = supTransform_identity };
        joints[i].rest.translation.y = i > 0 && i < 16 ? 0.1f : 0.0f;
    }
    for ( int i = 0; i < vertices; ++i )
    {
        skinJoints[i % 16] = i % 16;
        positions[3 * i] = 0.2f * (float)( i % 8 == 0 || i % 8 == 1 || i % 8 == 7 ) - 0.1f;
        positions[3 * i + 2] = 0.2f * (float)( i % 8 < 4 ) - 0.1f;
        weights[i] = 1.0f;
        influences[i] = (uint16_t)( i / 8 );
        const int corners[6] = { i, i + 8, i + 1, i + 1, i + 8, i + 9 };
        for ( int k = 0; k < 6; ++k )
        {
            indices[6 * i + k] = (uint32_t)( corners[k] % vertices );
        }
    }
    supSkinDef skin = { .jointCount = 16, .joints = skinJoints };
    supMeshDef mesh = { .vertexCount = vertices,
        .positions = positions,
        .influenceCount = 1,
        .jointIndices = influences,
        .weights = weights,
        .indexCount = 6 * vertices,
        .indices = indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.joints = joints;
    def.jointCount = count;
    def.skins = &skin;
    def.meshes = &mesh;
    def.skinCount = def.meshCount = 1;
    supCharacter* character = NULL;
    supRig* rig = NULL;
    assert_int_equal( supCreateCharacter( &def, &character, NULL ), sup_success );
    clock_t start = clock();
    assert_int_equal( supProposeRig( character, sup_presetNatural, &rig, NULL ), sup_success );
    double seconds = supSince( start );
    if ( seconds > supMostSeconds )
    {
        fail_msg( "60,000 joints as a body: %.1f s", seconds );
    }
    supDestroyRig( rig );
    supDestroyCharacter( character );
    free( joints );
}

/// Elements times vertices are weighed; beyond some gigabytes of that the words say so.
static void supTestElements( void** state )
{
    (void)state;
    enum
    {
        vertices = 30000,
        elements = 5000
    };
    float* positions = calloc( 3 * vertices, sizeof( float ) );
    supMeshDef mesh = {
        .vertexCount = vertices, .positions = positions, .skin = -1, .sourceMesh = -1, .sourcePrimitive = -1
    };
    supJointDef joint = { .name = "bone", .parent = -1, .rest = supTransform_identity };
    supCharacterDef def = supDefaultCharacterDef();
    def.joints = &joint;
    def.jointCount = def.meshCount = 1;
    def.meshes = &mesh;
    supCharacter* character = NULL;
    supRig* rig = NULL;
    supModel* model = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateCharacter( &def, &character, &error ), sup_success );
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    for ( int i = 0; i < elements; ++i )
    {
        char name[16];
        snprintf( name, sizeof( name ), "%d", i );
        supElementDef element = supDefaultElementDef();
        element.name = name;
        element.driver = "bone";
        assert_int_equal( supRig_AddItem( rig, supFindLayer( "elements" ), &element, &error ), sup_success );
    }
    assert_int_equal( supCompileModel( character, rig, &model, &error ), sup_errorLimit );
    assert_non_null( strstr( error.text, "5000 flesh elements on 30000 vertices" ) );
    supDestroyRig( rig );
    supDestroyCharacter( character );
    free( positions );
}

static uint32_t supSlotOf( const float* point, uint32_t capacity )
{
    supHash hash = supMakeHash();
    supHash_Floats( &hash, point, 3 );
    return (uint32_t)supHash_Value( &hash ) & ( capacity - 1 );
}

/// Points that a stranger has searched for: all of them want one 64th of the table's slots, so that one in the last of
/// them would be compared with all the others. The second half stands where the first does, turned round.
static float* supMakeColliding( int32_t count, uint32_t capacity )
{
    float* points = calloc( 3 * (size_t)count, sizeof( float ) );
    uint32_t tried = 0;
    for ( int32_t i = 0; i < count / 2; ++i )
    {
        float* point = points + 3 * (size_t)i;
        do
        {
            tried += 1;
            point[0] = (float)( tried & 0xfffff );
            point[1] = (float)( tried >> 20 );
        } while ( supSlotOf( point, capacity ) >= capacity / 64 );
        memcpy( points + 3 * (size_t)( count - 1 - i ), point, 3 * sizeof( float ) );
    }
    return points;
}

/// Half a million points made to collide: more than a minute where the table alone finds them.
static void supTestCollisions( void** state )
{
    (void)state;
    static const int32_t counts[] = { 128, 524288 };
    for ( int c = 0; c < 2; ++c )
    {
        int32_t count = counts[c];
        float* points = supMakeColliding( count, 2 * (uint32_t)count );
        int32_t* firsts = calloc( (size_t)count, sizeof( int32_t ) );
        clock_t start = clock();
        assert_true( supFindSamePoints( points, count, firsts, NULL ) );
        double seconds = supSince( start );
        for ( int32_t i = 0; i < count; ++i )
        {
            assert_int_equal( firsts[i], i < count / 2 ? i : count - 1 - i );
        }
        if ( seconds > supMostSeconds )
        {
            fail_msg( "%d points: %.1f s", count, seconds );
        }
        free( firsts );
        free( points );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestPrimitives ), cmocka_unit_test( supTestMatches ),
        cmocka_unit_test( supTestJoints ), cmocka_unit_test( supTestBody ), cmocka_unit_test( supTestElements ),
        cmocka_unit_test( supTestCollisions ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
