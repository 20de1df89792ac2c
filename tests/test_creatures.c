// Supple: the built-in characters: closed, even, symmetric, bound, and on their feet.
// SPDX-License-Identifier: MIT

#include "base/platform.h"
#include "supple/creatures.h"
#include "supple/lab/skin.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"

typedef struct supZoo
{
    supCreature* creatures[8];
    int32_t count;
    const char* const* names;
} supZoo;

// Made once for all tests: they are immutable.
static int supOpenZoo( void** state )
{
    static supZoo zoo;
    zoo.count = supCreatureNames( &zoo.names );
    for ( int32_t i = 0; i < zoo.count; ++i )
    {
        supError error;
        if ( supCreateCreature( zoo.names[i], NULL, &zoo.creatures[i], &error ) != sup_success )
        {
            printf( "%s\n", error.text );
            return -1;
        }
    }
    *state = &zoo;
    return 0;
}

static int supCloseZoo( void** state )
{
    supZoo* zoo = *state;
    for ( int32_t i = 0; i < zoo->count; ++i )
    {
        supDestroyCreature( zoo->creatures[i] );
    }
    return 0;
}

static const supCharacter* supGet( void** state, const char* name )
{
    supZoo* zoo = *state;
    for ( int32_t i = 0; i < zoo->count; ++i )
    {
        if ( strcmp( zoo->names[i], name ) == 0 )
        {
            return supCreature_Character( zoo->creatures[i] );
        }
    }
    fail_msg( "no %s", name );
    return NULL;
}

static void supTestCounts( void** state )
{
    assert_int_equal( supCharacter_Info( supGet( state, "cat" ) )->vertexCount, 1296 );
    assert_int_equal( supCharacter_Info( supGet( state, "woman" ) )->vertexCount, 5554 );
    assert_int_equal( supCharacter_Info( supGet( state, "arm" ) )->vertexCount, 1150 );
    assert_int_equal( supCharacter_Info( supGet( state, "finger" ) )->vertexCount, 1408 );
    assert_int_equal( supCharacter_Info( supGet( state, "horse" ) )->vertexCount, 8400 );
    assert_int_equal( supCharacter_Info( supGet( state, "torso" ) )->vertexCount, 2000 );
    static const char* const clips[][2] = { { "arm", "bend" }, { "finger", "bend" }, { "leg", "step" },
        { "horse", "gallop" }, { "mushroom", "swing" }, { "mushroom", "stop" }, { "mushroom", "bounce" },
        { "cat", "run" }, { "cat", "jump" }, { "woman", "walk" }, { "woman", "run" }, { "woman", "jump" },
        { "woman", "turn" }, { "torso", "abduct" }, { "torso", "hop" } };
    for ( size_t i = 0; i < sizeof( clips ) / sizeof( clips[0] ); ++i )
    {
        assert_true( supCharacter_FindClip( supGet( state, clips[i][0] ), clips[i][1] ) >= 0 );
    }
    // The mushroom: one bone that carries skin, and its end point.
    const supCharacter* mushroom = supGet( state, "mushroom" );
    int32_t bones = 0;
    for ( int32_t j = 0; j < supCharacter_Info( mushroom )->jointCount; ++j )
    {
        bones += supCharacter_Joint( mushroom, j )->isSkinJoint;
    }
    assert_int_equal( bones, 1 );
    int32_t tip = supCharacter_FindJoint( mushroom, "tip" );
    assert_int_equal( supCharacter_Joint( mushroom, tip )->parent, supCharacter_FindJoint( mushroom, "stalk" ) );
}

static int supCompareEdges( const void* a, const void* b )
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return x < y ? -1 : x > y;
}

// Every directed edge once, and its opposite once: closed, two-sided. With V - E + F = 2 and one piece: a ball.
static void supCheckClosed( const supCharacter* character )
{
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    size_t count = (size_t)mesh.indexCount;
    uint64_t* edges = malloc( count * sizeof( uint64_t ) );
    int32_t* piece = malloc( (size_t)mesh.vertexCount * sizeof( int32_t ) );
    for ( int32_t v = 0; v < mesh.vertexCount; ++v )
    {
        piece[v] = v;
    }
    for ( size_t i = 0; i < count; ++i )
    {
        uint32_t a = mesh.indices[i], b = mesh.indices[i - i % 3 + ( i + 1 ) % 3];
        edges[i] = (uint64_t)a << 32 | b;
    }
    qsort( edges, count, sizeof( uint64_t ), supCompareEdges );
    for ( size_t i = 0; i < count; ++i )
    {
        uint64_t opposite = edges[i] << 32 | edges[i] >> 32;
        assert_true( i == 0 || edges[i] != edges[i - 1] );
        assert_non_null( bsearch( &opposite, edges, count, sizeof( uint64_t ), supCompareEdges ) );
    }
    assert_int_equal( mesh.vertexCount - (int32_t)count / 2 + (int32_t)count / 3, 2 );
    // The lowest vertex of its piece, spread until nothing changes.
    for ( bool changed = true; changed; )
    {
        changed = false;
        for ( size_t i = 0; i < count; ++i )
        {
            int32_t a = (int32_t)( edges[i] >> 32 ), b = (int32_t)( edges[i] & 0xffffffffu );
            if ( piece[a] < piece[b] )
            {
                piece[b] = piece[a];
                changed = true;
            }
        }
    }
    for ( int32_t v = 0; v < mesh.vertexCount; ++v )
    {
        assert_int_equal( piece[v], 0 );
    }
    free( edges );
    free( piece );
}

static void supTestClosed( void** state )
{
    supZoo* zoo = *state;
    for ( int32_t i = 0; i < zoo->count; ++i )
    {
        supCheckClosed( supCreature_Character( zoo->creatures[i] ) );
    }
}

static void supCornerVectors( const supMeshView* mesh, int32_t at, double u[3], double v[3] )
{
    int32_t first = at - at % 3;
    const float* p = mesh->positions + 3 * mesh->indices[at];
    const float* a = mesh->positions + 3 * mesh->indices[first + ( at + 1 ) % 3];
    const float* b = mesh->positions + 3 * mesh->indices[first + ( at + 2 ) % 3];
    for ( int32_t k = 0; k < 3; ++k )
    {
        u[k] = (double)a[k] - p[k];
        v[k] = (double)b[k] - p[k];
    }
}

// No slivers: 25 degrees at the least, and nine corners in ten above 40. Normals of unit length, on the triangles'
// side.
static void supTestTriangles( void** state )
{
    supZoo* zoo = *state;
    for ( int32_t i = 0; i < zoo->count; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( supCreature_Character( zoo->creatures[i] ), 0 );
        double least = 180.0;
        int32_t under40 = 0, bent = 0;
        for ( int32_t at = 0; at < mesh.indexCount; ++at )
        {
            double u[3], v[3];
            supCornerVectors( &mesh, at, u, v );
            double dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
            double cross[3] = { u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0] };
            double area = sqrt( cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2] );
            double angle = atan2( area, dot ) * 57.29577951308232;
            least = angle < least ? angle : least;
            under40 += angle < 40.0;
            const float* n = mesh.normals + 3 * mesh.indices[at];
            assert_true( fabs( (double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2] - 1.0 ) < 1e-5 );
            // Near one, but in creases and at tips, where the surface turns within a triangle.
            double along = ( n[0] * cross[0] + n[1] * cross[1] + n[2] * cross[2] ) / area;
            assert_true( along > 0.0 );
            bent += along < 0.3;
        }
        print_message( "%s: smallest angle %.1f degrees, %.1f%% of corners under 40\n", zoo->names[i], least,
            100.0 * under40 / mesh.indexCount );
        assert_true( least > 25.0 );
        assert_true( under40 < mesh.indexCount / 10 );
        assert_true( bent < mesh.indexCount / 500 );
    }
}

// "hand.L" to "hand.R" and back; other names to themselves.
static int32_t supOtherSide( const supCharacter* character, int32_t joint )
{
    char name[64];
    snprintf( name, sizeof( name ), "%s", supCharacter_Joint( character, joint )->name );
    size_t length = strlen( name );
    if ( length > 2 && name[length - 2] == '.' && ( name[length - 1] == 'L' || name[length - 1] == 'R' ) )
    {
        name[length - 1] = name[length - 1] == 'L' ? 'R' : 'L';
    }
    return supCharacter_FindJoint( character, name );
}

typedef struct supSorted
{
    float key[3];
    int32_t vertex;
} supSorted;

static int supCompareSorted( const void* a, const void* b )
{
    const supSorted *x = a, *y = b;
    for ( int32_t k = 0; k < 3; ++k )
    {
        if ( x->key[k] != y->key[k] )
        {
            return x->key[k] < y->key[k] ? -1 : 1;
        }
    }
    return 0;
}

static float supWeightOf( const supCharacter* character, int32_t vertex, int32_t joint )
{
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    const int32_t* palette = supCharacter_Info( character )->paletteJoints + mesh.firstPalette;
    float sum = 0.0f;
    for ( int32_t i = 0; i < mesh.influenceCount; ++i )
    {
        int32_t at = vertex * mesh.influenceCount + i;
        sum += palette[mesh.jointIndices[at]] == joint ? mesh.weights[at] : 0.0f;
    }
    return sum;
}

// Every vertex has a mirror image, to the bit, with the other side's influences.
static void supTestSymmetry( void** state )
{
    supZoo* zoo = *state;
    for ( int32_t c = 0; c < zoo->count; ++c )
    {
        const supCharacter* character = supCreature_Character( zoo->creatures[c] );
        supMeshView mesh = supCharacter_Mesh( character, 0 );
        const int32_t* palette = supCharacter_Info( character )->paletteJoints + mesh.firstPalette;
        supSorted* sorted = malloc( (size_t)mesh.vertexCount * sizeof( supSorted ) );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            memcpy( sorted[v].key, mesh.positions + 3 * v, sizeof( sorted[v].key ) );
            sorted[v].vertex = v;
        }
        qsort( sorted, (size_t)mesh.vertexCount, sizeof( supSorted ), supCompareSorted );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            const float* p = mesh.positions + 3 * v;
            supSorted mirrored = { { -p[0], p[1], p[2] }, 0 };
            const supSorted* twin =
                bsearch( &mirrored, sorted, (size_t)mesh.vertexCount, sizeof( supSorted ), supCompareSorted );
            assert_non_null( twin );
            for ( int32_t i = 0; i < mesh.influenceCount; ++i )
            {
                int32_t joint = palette[mesh.jointIndices[v * mesh.influenceCount + i]];
                float own = supWeightOf( character, v, joint );
                assert_true( own == supWeightOf( character, twin->vertex, supOtherSide( character, joint ) ) );
            }
        }
        free( sorted );
    }
}

static void supTestWeights( void** state )
{
    supZoo* zoo = *state;
    for ( int32_t c = 0; c < zoo->count; ++c )
    {
        supMeshView mesh = supCharacter_Mesh( supCreature_Character( zoo->creatures[c] ), 0 );
        assert_true( mesh.influenceCount <= 4 );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            double sum = 0.0;
            for ( int32_t i = 0; i < mesh.influenceCount; ++i )
            {
                assert_true( mesh.weights[v * mesh.influenceCount + i] >= 0.0f );
                sum += mesh.weights[v * mesh.influenceCount + i];
            }
            assert_true( fabs( sum - 1.0 ) < 1e-6 );
        }
    }
}

// About 500 of the cat's vertices go mostly with its trunk: the flesh element of the paper's cat.
static void supTestCatTrunk( void** state )
{
    const supCharacter* cat = supGet( state, "cat" );
    static const char* const trunk[] = { "hips", "spine", "loin", "chest" };
    int32_t count = 0;
    for ( int32_t v = 0; v < supCharacter_Info( cat )->vertexCount; ++v )
    {
        float sum = 0.0f;
        for ( size_t i = 0; i < 4; ++i )
        {
            sum += supWeightOf( cat, v, supCharacter_FindJoint( cat, trunk[i] ) );
        }
        count += sum > 0.5f;
    }
    print_message( "cat: %d vertices around the trunk\n", count );
    assert_in_range( count, 400, 600 );
}

// In clips that loop the last key is the first again; only the root may differ.
static void supTestLoops( void** state )
{
    static const char* const loops[][2] = { { "cat", "run" }, { "horse", "gallop" }, { "woman", "walk" },
        { "woman", "run" }, { "woman", "turn" }, { "torso", "abduct" } };
    for ( size_t i = 0; i < sizeof( loops ) / sizeof( loops[0] ); ++i )
    {
        const supCharacter* character = supGet( state, loops[i][0] );
        int32_t clip = supCharacter_FindClip( character, loops[i][1] );
        int32_t root = supCharacter_FindJoint( character, "root" );
        bool rootMoves = false;
        for ( int32_t t = 0; t < supCharacter_Clip( character, clip ).trackCount; ++t )
        {
            supTrackDef track = supCharacter_Clip( character, clip ).tracks[t];
            const float* first = track.values;
            const float* last = track.values + ( track.keyCount - 1 ) * track.width;
            if ( track.joint == root )
            {
                rootMoves = true;
                continue;
            }
            float sign = 1.0f;
            for ( int32_t k = 0; k < track.width; ++k )
            {
                sign = first[k] != 0.0f && first[k] == -last[k] ? -1.0f : sign;
            }
            for ( int32_t k = 0; k < track.width; ++k )
            {
                assert_true( first[k] == sign * last[k] );
            }
        }
        assert_int_equal( rootMoves, strcmp( loops[i][0], "woman" ) == 0 && strcmp( loops[i][1], "walk" ) != 0 );
    }
}

static float supLowest( const supCharacter* character, supPose* pose, supMat34* palette, float* positions )
{
    supCharacter_Palette( character, supPose_Joints( pose ), palette );
    supSkinJob job = supCharacter_SkinJob( character, 0, palette, NULL );
    job.outPositions = ( supOutStream ){ positions, job.vertexCount, 12 };
    assert_int_equal( supSkinJob_Run( &job, NULL ), sup_success );
    float lowest = 1e30f;
    for ( int32_t v = 0; v < job.vertexCount; ++v )
    {
        lowest = fminf( lowest, positions[3 * v + 1] );
    }
    return lowest;
}

// Nothing sinks into the ground by more than 1% of the size, at keys and between; walkers touch it in every clip.
static void supTestGround( void** state )
{
    supZoo* zoo = *state;
    for ( int32_t c = 0; c < zoo->count; ++c )
    {
        const supCharacter* character = supCreature_Character( zoo->creatures[c] );
        supPose* pose;
        assert_int_equal( supCreatePose( character, NULL, &pose, NULL ), sup_success );
        supMat34* palette = malloc( (size_t)supCharacter_Info( character )->paletteCount * sizeof( supMat34 ) );
        float* positions = malloc( (size_t)supCharacter_Info( character )->vertexCount * 12 );
        for ( int32_t clip = 0; clip < supCharacter_Info( character )->clipCount; ++clip )
        {
            supClipView view = supCharacter_Clip( character, clip );
            float lowest = 1e30f;
            for ( double t = view.start; t <= view.end; t += 0.5 / 30.0 )
            {
                supPose_Sample( pose, clip, t );
                lowest = fminf( lowest, supLowest( character, pose, palette, positions ) );
            }
            float share = lowest / supCharacter_Info( character )->size;
            print_message( "%s %s: lowest %.2f%% of the size\n", zoo->names[c], view.name, 100.0 * share );
            assert_true( share > -0.01f );
            assert_true( share < 0.01f );
        }
        free( palette );
        free( positions );
        supDestroyPose( pose );
    }
}

// Toes that are on the ground stay where they are. In the walk in place the ground runs back below her instead, at one
// speed.
static void supTestFeetStay( void** state )
{
    const supCharacter* woman = supGet( state, "woman" );
    static const char* const clips[] = { "walk", "run", "turn", "jump" };
    supPose* pose;
    assert_int_equal( supCreatePose( woman, NULL, &pose, NULL ), sup_success );
    for ( size_t c = 0; c < 4; ++c )
    {
        int32_t clip = supCharacter_FindClip( woman, clips[c] );
        supClipView view = supCharacter_Clip( woman, clip );
        float speed = c == 0 ? 1.16f / 33.0f : 0.0f, worst = 0.0f;
        for ( int32_t side = 0; side < 2; ++side )
        {
            int32_t toes = supCharacter_FindJoint( woman, side == 0 ? "toes.L" : "toes.R" );
            float rest = supCharacter_Info( woman )->restJoints[toes].t.y;
            supVec3 last = { 0.0f, 1.0f, 0.0f };
            for ( int32_t f = 0; f <= (int32_t)( view.end * 30.0 + 0.5 ); ++f )
            {
                supPose_Sample( pose, clip, f / 30.0 );
                supVec3 now = supPose_Joints( pose )[toes].t;
                if ( fabsf( now.y - rest ) < 0.002f && fabsf( last.y - rest ) < 0.002f )
                {
                    worst = fmaxf( worst, hypotf( now.x - last.x, now.z - last.z + speed ) );
                }
                last = now;
            }
        }
        print_message( "woman %s: a standing foot slides %.2f mm a frame at most\n", clips[c], 1000.0f * worst );
        assert_true( worst < 0.005f );
    }
    supDestroyPose( pose );
}

static uint64_t supHashCreature( const supCreature* creature )
{
    const supCharacter* character = supCreature_Character( creature );
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    supHash hash = supMakeHash();
    size_t n = (size_t)mesh.vertexCount;
    supHash_Floats( &hash, mesh.positions, 3 * n );
    supHash_Floats( &hash, mesh.normals, 3 * n );
    supHash_Floats( &hash, mesh.weights, (size_t)mesh.influenceCount * n );
    supHash_Bytes( &hash, mesh.jointIndices, (size_t)mesh.influenceCount * n * sizeof( uint16_t ) );
    supHash_Bytes( &hash, mesh.indices, (size_t)mesh.indexCount * sizeof( uint32_t ) );
    const supLook* look = supCreature_Look( creature );
    supHash_Floats( &hash, look->meshes[0].colors, 4 * n );
    supHash_Floats( &hash, look->meshes[0].texcoords[0], 2 * n );
    supHash_Bytes( &hash, look->images[0].data, look->images[0].size );
    for ( int32_t clip = 0; clip < supCharacter_Info( character )->clipCount; ++clip )
    {
        for ( int32_t t = 0; t < supCharacter_Clip( character, clip ).trackCount; ++t )
        {
            supTrackDef track = supCharacter_Clip( character, clip ).tracks[t];
            supHash_Floats( &hash, track.values, (size_t)track.keyCount * (size_t)track.width );
        }
    }
    return supHash_Value( &hash );
}

static void supTestSameBytes( void** state )
{
    supZoo* zoo = *state;
    for ( int32_t i = 0; i < zoo->count; ++i )
    {
        supCreature* again;
        assert_int_equal( supCreateCreature( zoo->names[i], NULL, &again, NULL ), sup_success );
        uint64_t hash = supHashCreature( again );
        print_message( "%s: %016llx\n", zoo->names[i], (unsigned long long)hash );
        assert_true( hash == supHashCreature( zoo->creatures[i] ) );
        supDestroyCreature( again );
    }
}

static void supTestUnknownName( void** state )
{
    (void)state;
    supCreature* creature = (supCreature*)1;
    supError error;
    assert_int_equal( supCreateCreature( "unicorn", NULL, &creature, &error ), sup_errorNotFound );
    assert_non_null( strstr( error.text, "unicorn" ) );
    assert_non_null( strstr( error.text, "woman" ) );
    assert_null( creature );
    assert_int_equal( supCreateCreature( NULL, NULL, &creature, &error ), sup_errorArgument );
}

/// A number after a colon gives as many vertices, on the same surface; anything else there is refused with words.
static void supTestFiner( void** state )
{
    const supCharacter* coarse = supGet( state, "cat" );
    supCreature* creature = NULL;
    assert_true( supIsCreatureName( "cat" ) && supIsCreatureName( "cat:3000" ) && !supIsCreatureName( "cats" ) );
    assert_false( supIsCreatureName( "ca:3000" ) );
    assert_int_equal( supCreateCreature( "cat:3000", NULL, &creature, NULL ), sup_success );
    const supCharacter* fine = supCreature_Character( creature );
    assert_int_equal( supCharacter_Info( fine )->vertexCount, 3000 );
    supCheckClosed( fine );
    assert_float_equal( supCharacter_Info( fine )->size, supCharacter_Info( coarse )->size, 0.01f );
    assert_int_equal( supCharacter_Info( fine )->clipCount, supCharacter_Info( coarse )->clipCount );
    supDestroyCreature( creature );
    static const char* const wrong[] = { "cat:", "cat:12", "cat:many", "cat:-5000", "cat:100001",
        "cat:99999999999999999999" };
    for ( size_t i = 0; i < sizeof( wrong ) / sizeof( wrong[0] ); ++i )
    {
        supError error;
        assert_int_equal( supCreateCreature( wrong[i], NULL, &creature, &error ), sup_errorArgument );
        assert_non_null( strstr( error.text, "number of vertices; give 1296 to 100000" ) );
        assert_null( creature );
    }
}

typedef struct supScarce
{
    int32_t left, out;
} supScarce;

static void* supScarceAllocate( size_t size, size_t alignment, void* user )
{
    supScarce* scarce = user;
    if ( scarce->left-- <= 0 )
    {
        return NULL;
    }
    scarce->out += 1;
    return supSystemAlloc( size, alignment );
}

static void supScarceRelease( void* block, size_t size, void* user )
{
    (void)size;
    ( (supScarce*)user )->out -= 1;
    supSystemFree( block );
}

// Whichever allocation fails, the call says so and everything is given back.
static void supTestNoMemory( void** state )
{
    (void)state;
    for ( int32_t granted = 0;; ++granted )
    {
        supScarce scarce = { granted, 0 };
        supAllocator allocator = { supScarceAllocate, supScarceRelease, &scarce };
        supCreature* creature;
        supMakeDef make = supDefaultMakeDef();
        make.allocator = &allocator;
        supResult result = supCreateCreature( "mushroom", &make, &creature, NULL );
        if ( result == sup_success )
        {
            supDestroyCreature( creature );
            assert_int_equal( scarce.out, 0 );
            return;
        }
        assert_int_equal( result, sup_errorMemory );
        assert_null( creature );
        assert_int_equal( scarce.out, 0 );
        assert_true( granted < 200 );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestCounts ),
        cmocka_unit_test( supTestClosed ),
        cmocka_unit_test( supTestTriangles ),
        cmocka_unit_test( supTestSymmetry ),
        cmocka_unit_test( supTestWeights ),
        cmocka_unit_test( supTestCatTrunk ),
        cmocka_unit_test( supTestLoops ),
        cmocka_unit_test( supTestGround ),
        cmocka_unit_test( supTestFeetStay ),
        cmocka_unit_test( supTestSameBytes ),
        cmocka_unit_test( supTestUnknownName ),
        cmocka_unit_test( supTestFiner ),
        cmocka_unit_test( supTestNoMemory ),
    };
    return cmocka_run_group_tests_name( "creatures", tests, supOpenZoo, supCloseZoo );
}
