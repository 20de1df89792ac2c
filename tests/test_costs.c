// Costs that grow with a file no worse than n log n: sizes at which a square of them took a minute.
#include "base/hash.h"
#include "character/character_data.h"
#include "io/retarget.h"
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
        cmocka_unit_test( supTestCollisions ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
