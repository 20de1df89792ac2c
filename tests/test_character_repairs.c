// What a character puts right, each kind of it: what comes out, and the one line that tells.
#include "base/platform.h"
#include "support/two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Notes --------------------------------------------------------------------------------------------------------------

typedef struct supNotes
{
    int count;
    char text[2000];
} supNotes;

static void supTakeNote( const char* text, void* user )
{
    supNotes* notes = user;
    notes->count += 1;
    snprintf( notes->text, sizeof( notes->text ), "%s", text );
}

/// Creates, and holds that all of what was put right is told in exactly these words. NULL: that nothing is told.
static supCharacter* supCreateTold( supTwoBones* bones, const char* words )
{
    supNotes notes = { 0 };
    bones->def.log = ( supLog ){ supTakeNote, &notes };
    supCharacter* character = supTestCreate( &bones->def );
    char whole[2000] = "";
    snprintf( whole, sizeof( whole ), "bar.test: repaired: %s", words != NULL ? words : "" );
    assert_int_equal( notes.count, words != NULL ? 1 : 0 );
    if ( words != NULL )
    {
        assert_string_equal( notes.text, whole );
    }
    bones->def.log = ( supLog ){ NULL, NULL };
    return character;
}

/// Every number of a character is finite, weights fall and sum to one, indices are in range.
static void supAssertSound( const supCharacter* character )
{
    for ( int m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        int32_t jointCount = supCharacter_Skin( character, mesh.skin ).jointCount;
        for ( int v = 0; v < mesh.vertexCount; ++v )
        {
            double sum = 0.0;
            for ( int i = 0; i < mesh.influenceCount; ++i )
            {
                int at = v * mesh.influenceCount + i;
                assert_true( mesh.weights[at] >= 0.0f && ( i == 0 || mesh.weights[at] <= mesh.weights[at - 1] ) );
                assert_true( mesh.jointIndices[at] < jointCount );
                sum += mesh.weights[at];
            }
            assert_true( fabs( sum - 1.0 ) < 1e-6 );
            for ( int k = 0; k < 3; ++k )
            {
                assert_true( isfinite( mesh.positions[3 * v + k] ) && isfinite( mesh.normals[3 * v + k] ) );
                assert_true( isfinite( mesh.tangents[4 * v + k] ) );
            }
            assert_true( isfinite( mesh.tangents[4 * v + 3] ) );
        }
    }
    for ( int c = 0; c < supCharacter_Info( character )->clipCount; ++c )
    {
        for ( int t = 0; t < supCharacter_Clip( character, c ).trackCount; ++t )
        {
            supTrackDef track = supCharacter_Clip( character, c ).tracks[t];
            int parts = track.interpolation == sup_interpolationCubic ? 3 : 1;
            assert_true( track.keyCount >= 1 );
            for ( int k = 0; k < track.keyCount; ++k )
            {
                assert_true( isfinite( track.times[k] ) && ( k == 0 || track.times[k] > track.times[k - 1] ) );
            }
            for ( int i = 0; i < track.keyCount * track.width * parts; ++i )
            {
                assert_true( isfinite( track.values[i] ) );
            }
        }
    }
}

// Weights ------------------------------------------------------------------------------------------------------------

typedef struct supWeightCase
{
    float weights[2];
    uint16_t joints[2];
    float expected[2];
    uint16_t expectedJoints[2];
    const char* words; // NULL: none
} supWeightCase;

/// One vertex in the middle of the bar, in every way that weights can be wrong.
static void supTestWeights( void** state )
{
    (void)state;
    static const supWeightCase cases[] = {
        { { 0.1f, 0.3f }, { 0, 1 }, { 0.75f, 0.25f }, { 1, 0 },
            "1 vertex whose weights do not sum to one (normalised)" },
        { { 2.0f, 6.0f }, { 0, 1 }, { 0.75f, 0.25f }, { 1, 0 },
            "1 vertex whose weights do not sum to one (normalised)" },
        { { 0.5f, 0.4999999f }, { 0, 1 }, { 0.5f, 0.5f }, { 0, 1 }, NULL }, // rounding: not worth a word
        { { -1.0f, 0.5f }, { 0, 1 }, { 1.0f, 0.0f }, { 1, 0 }, "1 vertex with weights below zero (taken as zero)" },
        { { NAN, 0.25f }, { 0, 1 }, { 1.0f, 0.0f }, { 1, 0 }, "1 vertex with NaN weights (taken as zero)" },
        { { -NAN, 1.0f }, { 0, 1 }, { 1.0f, 0.0f }, { 1, 0 }, "1 vertex with NaN weights (taken as zero)" },
        { { 0.2f, INFINITY }, { 0, 1 }, { 1.0f, 0.0f }, { 1, 0 }, "1 vertex with infinite weights (taken for all)" },
        { { INFINITY, INFINITY }, { 0, 1 }, { 0.5f, 0.5f }, { 0, 1 },
            "1 vertex with infinite weights (taken for all)" },
        { { -INFINITY, 0.1f }, { 0, 1 }, { 1.0f, 0.0f }, { 1, 0 }, "1 vertex with weights below zero (taken as zero)" },
        { { INFINITY, NAN }, { 1, 0 }, { 1.0f, 0.0f }, { 1, 0 }, "1 vertex with NaN weights (taken as zero)" },
        { { 0.0f, 1.0f }, { 65535, 1 }, { 1.0f, 0.0f }, { 1, 0 },
            "1 joint index out of range without weight (taken as 0)" },
        { { NAN, 1.0f }, { 2, 1 }, { 1.0f, 0.0f }, { 1, 0 },
            "1 vertex with NaN weights (taken as zero), 1 joint index out of range without weight (taken as 0)" },
        { { -0.5f, 1.0f }, { 2, 1 }, { 1.0f, 0.0f }, { 1, 0 },
            "1 vertex with weights below zero (taken as zero), "
            "1 joint index out of range without weight (taken as 0)" },
    };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        supTwoBones bones;
        supMakeTwoBones( &bones );
        const int vertex = 9;
        memcpy( bones.weights + 2 * vertex, cases[i].weights, 2 * sizeof( float ) );
        memcpy( bones.jointIndices + 2 * vertex, cases[i].joints, 2 * sizeof( uint16_t ) );
        supCharacter* character = supCreateTold( &bones, cases[i].words );
        supMeshView mesh = supCharacter_Mesh( character, 0 );
        for ( int k = 0; k < 2; ++k )
        {
            assert_float_equal( mesh.weights[2 * vertex + k], cases[i].expected[k], 1e-6f );
            assert_int_equal( mesh.jointIndices[2 * vertex + k], cases[i].expectedJoints[k] );
        }
        supAssertSound( character );
        supDestroyCharacter( character );
    }
}

/// The bar stands from y = 0 to 2 in rings of four, on joint 0 below the middle, on joint 1 above. A vertex that has no
/// weight takes those of the nearest one along the surface, whatever else is near.
static void supTestBorrowsAlongSurface( void** state )
{
    (void)state;
    const float nothing[2][2] = { { 0.0f, 0.0f }, { NAN, NAN } };
    for ( int kind = 0; kind < 2; ++kind )
    {
        supTwoBones bones;
        supMakeTwoBones( &bones );
        memcpy( bones.weights + 2 * 18, nothing[kind], sizeof( nothing[0] ) ); // in the ring at the top
        supCharacter* character =
            supCreateTold( &bones, kind == 0 ? "1 vertex without weights (given those of the nearest vertex)"
                                             : "1 vertex with NaN weights (taken as zero), "
                                               "1 vertex without weights (given those of the nearest vertex)" );
        supMeshView mesh = supCharacter_Mesh( character, 0 );
        assert_int_equal( mesh.jointIndices[2 * 18], 1 );
        assert_float_equal( mesh.weights[2 * 18], 1.0f, 0.0f );
        supAssertSound( character );
        supDestroyCharacter( character );
    }
    // the upper half without: wave by wave from the ring in the middle, which hangs on both
    supTwoBones bones;
    supMakeTwoBones( &bones );
    memset( bones.weights + 2 * 12, 0, 2 * 8 * sizeof( float ) );
    supCharacter* character = supCreateTold( &bones, "8 vertices without weights (given those of the nearest vertex)" );
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    for ( int i = 2 * 12; i < 2 * 20; ++i )
    {
        assert_float_equal( mesh.weights[i], 0.5f, 0.0f );
    }
    supDestroyCharacter( character );
}

/// A second mesh of the same skin, another bar `offset` to the side: a piece by itself.
typedef struct supTwoBars
{
    supTwoBones bones;
    float positions[3 * SUP_TWO_BONES_VERTICES];
    float weights[2 * SUP_TWO_BONES_VERTICES];
    supMeshDef meshes[2];
} supTwoBars;

static void supMakeTwoBars( supTwoBars* out, float offset )
{
    supMakeTwoBones( &out->bones );
    memcpy( out->positions, out->bones.positions, sizeof( out->positions ) );
    memset( out->weights, 0, sizeof( out->weights ) );
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        out->positions[3 * v] += offset;
    }
    out->meshes[0] = out->meshes[1] = out->bones.mesh;
    out->meshes[1].name = "other";
    out->meshes[1].positions = out->positions;
    out->meshes[1].weights = out->weights;
    out->bones.def.meshes = out->meshes;
    out->bones.def.meshCount = 2;
}

/// Twins in another mesh (a seam between materials) have the weights; then a piece apart, which stays stiff.
static void supTestBorrowsFromOtherMeshes( void** state )
{
    (void)state;
    supTwoBars bars;
    supMakeTwoBars( &bars, 0.0f );
    supCharacter* character =
        supCreateTold( &bars.bones, "20 vertices without weights (given those of the nearest vertex)" );
    supMeshView first = supCharacter_Mesh( character, 0 ), second = supCharacter_Mesh( character, 1 );
    assert_memory_equal( first.weights, second.weights, sizeof( bars.weights ) );
    assert_memory_equal( first.jointIndices, second.jointIndices, 2 * SUP_TWO_BONES_VERTICES * sizeof( uint16_t ) );
    supDestroyCharacter( character );

    supMakeTwoBars( &bars, 10.0f );
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        bars.positions[3 * v + 1] += 1.6f; // its lower end beside the upper end of the bar with weights
    }
    character = supCreateTold( &bars.bones, "20 vertices without weights (given those of the nearest vertex)" );
    second = supCharacter_Mesh( character, 1 );
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        assert_int_equal( second.jointIndices[2 * v], 1 );
        assert_float_equal( second.weights[2 * v], 1.0f, 0.0f );
    }
    supAssertSound( character );
    supDestroyCharacter( character );
}

/// Other numbers of influences on both sides: the largest ones come over, normalised.
static void supTestBorrowsFewer( void** state )
{
    (void)state;
    supTwoBars bars;
    supMakeTwoBars( &bars, 0.0f );
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        bars.bones.weights[2 * v] = 0.25f;
        bars.bones.weights[2 * v + 1] = 0.75f;
    }
    bars.meshes[1].influenceCount = 1;
    supCharacter* character =
        supCreateTold( &bars.bones, "20 vertices without weights (given those of the nearest vertex)" );
    supMeshView second = supCharacter_Mesh( character, 1 );
    assert_int_equal( second.jointIndices[11], 1 );
    assert_float_equal( second.weights[11], 1.0f, 0.0f );
    supAssertSound( character );
    supDestroyCharacter( character );
}

static void supTestFirstJoint( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    for ( int i = 0; i < 2 * SUP_TWO_BONES_VERTICES; ++i )
    {
        bones.weights[i] = NAN;
    }
    supCharacter* character = supCreateTold( &bones, "20 vertices with NaN weights (taken as zero), "
                                                     "20 vertices without weights (given to the skin's first joint)" );
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        assert_int_equal( mesh.jointIndices[2 * v], 0 );
        assert_float_equal( mesh.weights[2 * v], 1.0f, 0.0f );
    }
    assert_true( supCharacter_Joint( character, 1 )->isSkinJoint );
    assert_false( supCharacter_Joint( character, 2 )->isSkinJoint );
    supDestroyCharacter( character );
}

/// No number among the weights is refused, whatever it is.
static void supTestAnyWeight( void** state )
{
    (void)state;
    const float bad[] = { NAN, INFINITY, -INFINITY, -1.0f, 0.0f, 3e38f, 1e-45f };
    for ( int i = 0; i < 2 * SUP_TWO_BONES_VERTICES; ++i )
    {
        for ( size_t k = 0; k < sizeof( bad ) / sizeof( bad[0] ); ++k )
        {
            supTwoBones bones;
            supMakeTwoBones( &bones );
            bones.weights[i] = bad[k];
            supCharacter* character = supTestCreate( &bones.def );
            supAssertSound( character );
            supDestroyCharacter( character );
        }
    }
}

// Vertices -----------------------------------------------------------------------------------------------------------

/// A grid in the plane z = 0 whose normals are all +z.
static void supTestNormals( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        const float place[3] = { (float)( v % 4 ), (float)( v / 4 ), 0.0f }, up[3] = { 0.0f, 0.0f, 1.0f };
        memcpy( bones.positions + 3 * v, place, sizeof( place ) );
        memcpy( bones.normals + 3 * v, up, sizeof( up ) );
    }
    for ( uint32_t i = 0, *at = bones.indices; i < 16; ++i )
    {
        uint32_t v = i % 4 < 3 ? i : i - 1; // the last column twice, so that all indices are used
        const uint32_t two[6] = { v, v + 1, v + 5, v, v + 5, v + 4 };
        memcpy( at, two, sizeof( two ) );
        at += 6;
    }
    bones.normals[3 * 6] = NAN;
    bones.normals[3 * 9 + 2] = INFINITY;
    bones.tangents[4 * 3] = NAN;
    bones.tangents[4 * 4 + 3] = NAN;
    bones.tangents[4 * 4] = 5.0f;
    supCharacter* character =
        supCreateTold( &bones, "2 NaN normals (computed anew), 2 NaN tangents (laid across the normal)" );
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    for ( int v = 6; v <= 9; v += 3 )
    {
        assert_float_equal( mesh.normals[3 * v], 0.0f, 0.0f );
        assert_float_equal( mesh.normals[3 * v + 1], 0.0f, 0.0f );
        assert_float_equal( mesh.normals[3 * v + 2], 1.0f, 0.0f );
    }
    assert_float_equal( mesh.tangents[4 * 3 + 2], 0.0f, 0.0f );
    assert_float_equal( hypotf( mesh.tangents[4 * 3], mesh.tangents[4 * 3 + 1] ), 1.0f, 1e-6f );
    assert_float_equal( mesh.tangents[4 * 4], 5.0f, 0.0f ); // only its sign was missing
    assert_float_equal( mesh.tangents[4 * 4 + 3], 1.0f, 0.0f );
    supAssertSound( character );
    supDestroyCharacter( character );
}

/// Morph targets: normals that are NaN change nothing.
static void supTestMorphNormals( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    float normals[3 * SUP_TWO_BONES_VERTICES];
    memcpy( normals, bones.normals, sizeof( normals ) );
    const float* targets[1] = { normals };
    normals[3 * 4 + 1] = NAN;
    bones.mesh.morphNormals = bones.mesh.morphTangents = targets;
    supCharacter* character =
        supCreateTold( &bones, "1 NaN normal (computed anew), 1 NaN tangent (laid across the normal)" );
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    assert_float_equal( mesh.morphNormals[0][3 * 4], 0.0f, 0.0f );
    assert_float_equal( mesh.morphTangents[0][3 * 4 + 1], 0.0f, 0.0f );
    assert_float_equal( mesh.morphNormals[0][3 * 5], bones.normals[3 * 5], 0.0f );
    supDestroyCharacter( character );
}

/// Vertices of no triangle may stand nowhere; the box stays what it was.
static void supTestStrayPositions( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    bones.mesh.indexCount = 24; // the lowest two rings
    for ( int v = 8; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        bones.positions[3 * v + v % 3] = v % 2 == 0 ? NAN : INFINITY;
    }
    bones.morph[3 * 10] = NAN;
    supCharacter* character = supCreateTold( &bones, "13 NaN positions in no triangle (put where another vertex is)" );
    supVec3 lower = supCharacter_Info( character )->lower, upper = supCharacter_Info( character )->upper;
    assert_float_equal( lower.y, 0.0f, 0.0f );
    assert_float_equal( upper.y, 0.5f, 0.0f );
    assert_float_equal( supCharacter_Mesh( character, 0 ).morphPositions[0][3 * 10], 0.0f, 0.0f );
    supAssertSound( character );
    supDestroyCharacter( character );
}

/// A soup of triangles, every corner a vertex of its own, is one surface: twins stand in one place, and one of them
/// without weights takes the other's.
static void supTestDuplicatedVertices( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    enum
    {
        count = SUP_TWO_BONES_INDICES
    };
    static float positions[3 * count], normals[3 * count], tangents[4 * count], weights[2 * count], morph[3 * count];
    static uint16_t joints[2 * count];
    static uint32_t indices[count];
    const float* morphs[1] = { morph };
    for ( uint32_t i = 0; i < count; ++i )
    {
        uint32_t v = bones.indices[i];
        memcpy( positions + 3 * i, bones.positions + 3 * v, 12 );
        memcpy( normals + 3 * i, bones.normals + 3 * v, 12 );
        memcpy( tangents + 4 * i, bones.tangents + 4 * v, 16 );
        memcpy( weights + 2 * i, bones.weights + 2 * v, 8 );
        memcpy( joints + 2 * i, bones.jointIndices + 2 * v, 4 );
        indices[i] = i;
    }
    uint32_t whole = 50; // another corner stands in its place
    weights[2 * whole] = weights[2 * whole + 1] = NAN;
    bones.mesh.vertexCount = count;
    bones.mesh.positions = positions;
    bones.mesh.normals = normals;
    bones.mesh.tangents = tangents;
    bones.mesh.weights = weights;
    bones.mesh.jointIndices = joints;
    bones.mesh.indices = indices;
    bones.mesh.morphPositions = morphs;
    supCharacter* character = supCreateTold( &bones, "1 vertex with NaN weights (taken as zero), "
                                                     "1 vertex without weights (given those of the nearest vertex)" );
    const int32_t* welds = supCharacter_Info( character )->welds;
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    int places = 0;
    for ( int v = 0; v < count; ++v )
    {
        places += welds[v] == v;
        assert_memory_equal( mesh.weights + 2 * v, mesh.weights + 2 * welds[v], 8 );
    }
    assert_int_equal( places, SUP_TWO_BONES_VERTICES );
    supDestroyCharacter( character );
}

// Keys ---------------------------------------------------------------------------------------------------------------

/// A translation track of up to eight keys along x; the bar's clip has it alone.
typedef struct supKeyCase
{
    int count;
    float times[8], values[8];
    int keptCount; // 0: the track goes
    float keptTimes[8], keptValues[8];
    const char* words;
} supKeyCase;

#define SUP_AFTER_1 1.00000011920928955078125f // the next float

static const supKeyCase sup_keyCases[] = {
    { 3, { 0, 1, 2 }, { 0, NAN, 4 }, 2, { 0, 2 }, { 0, 4 }, "1 NaN key (dropped)" },
    { 3, { 0, 1, 2 }, { NAN, 1, INFINITY }, 1, { 1 }, { 1 }, "2 NaN keys (dropped)" },
    { 3, { 0, NAN, 2 }, { 0, 1, 4 }, 2, { 0, 2 }, { 0, 4 }, "1 NaN key (dropped)" },
    { 3, { 0, INFINITY, 2 }, { 0, 1, 4 }, 2, { 0, 2 }, { 0, 4 }, "1 NaN key (dropped)" },
    { 2, { 0, 1 }, { NAN, NAN }, 0, { 0 }, { 0 }, "2 NaN keys (dropped), 1 track with no key left (dropped)" },
    { 2, { NAN, NAN }, { 0, 1 }, 0, { 0 }, { 0 }, "2 NaN keys (dropped), 1 track with no key left (dropped)" },
    // one value at one time
    { 4, { 0, 1, 1, 2 }, { 0, 3, 3, 4 }, 3, { 0, 1, 2 }, { 0, 3, 4 },
        "1 key at the time of another (one kept, a jump where they differ)" },
    // a jump
    { 4, { 0, 1, 1, 2 }, { 0, 3, 7, 4 }, 4, { 0, 1, SUP_AFTER_1, 2 }, { 0, 3, 7, 4 },
        "1 key at the time of another (one kept, a jump where they differ)" },
    { 5, { 0, 1, 1, 1, 2 }, { 0, 3, 5, 7, 4 }, 4, { 0, 1, SUP_AFTER_1, 2 }, { 0, 3, 7, 4 },
        "2 keys at the time of another (one kept, a jump where they differ)" },
    { 4, { 0, 1, 1, SUP_AFTER_1 }, { 0, 3, 7, 4 }, 3, { 0, 1, SUP_AFTER_1 }, { 0, 7, 4 },
        "1 key at the time of another (one kept, a jump where they differ)" },
    // nothing before, nothing after
    { 3, { 0, 0, 2 }, { 9, 3, 4 }, 2, { 0, 2 }, { 3, 4 },
        "1 key at the time of another (one kept, a jump where they differ)" },
    { 3, { 0, 2, 2 }, { 9, 3, 4 }, 2, { 0, 2 }, { 9, 3 },
        "1 key at the time of another (one kept, a jump where they differ)" },
    { 2, { 2, 2 }, { 3, 4 }, 1, { 2 }, { 4 }, "1 key at the time of another (one kept, a jump where they differ)" },
    { 4, { -1, -1, 0, 0 }, { 1, 1, 2, 2 }, 2, { -1, 0 }, { 1, 2 },
        "2 keys at the time of another (one kept, a jump where they differ)" },
    // out of order
    { 4, { 2, 0, 3, 1 }, { 20, 0, 30, 10 }, 4, { 0, 1, 2, 3 }, { 0, 10, 20, 30 },
        "1 track with keys out of order (sorted)" },
    { 4, { 2, 0, NAN, 2 }, { 20, 0, 30, 20 }, 2, { 0, 2 }, { 0, 20 },
        "1 NaN key (dropped), 1 key at the time of another (one kept, a jump where they differ), "
        "1 track with keys out of order (sorted)" },
};

static void supTestKeys( void** state )
{
    (void)state;
    for ( size_t i = 0; i < sizeof( sup_keyCases ) / sizeof( sup_keyCases[0] ); ++i )
    {
        const supKeyCase* given = sup_keyCases + i;
        supTwoBones bones;
        supMakeTwoBones( &bones );
        float values[24] = { 0 };
        for ( int k = 0; k < given->count; ++k )
        {
            values[3 * k] = given->values[k];
        }
        supTrackDef tracks[2] = {
            { 2, sup_pathTranslation, sup_interpolationLinear, given->count, given->times, values, 3 }, bones.track
        };
        bones.clip.tracks = tracks;
        bones.clip.trackCount = 2;
        supCharacter* character = supCreateTold( &bones, given->words );
        supClipView clip = supCharacter_Clip( character, 0 );
        assert_int_equal( clip.trackCount, given->keptCount > 0 ? 2 : 1 );
        supTrackDef track = supCharacter_Clip( character, 0 ).tracks[0];
        assert_int_equal( track.path, given->keptCount > 0 ? sup_pathTranslation : sup_pathRotation );
        for ( int k = 0; k < given->keptCount; ++k )
        {
            assert_int_equal( track.keyCount, given->keptCount );
            assert_float_equal( track.times[k], given->keptTimes[k], 0.0f );
            assert_float_equal( track.values[3 * k], given->keptValues[k], 0.0f );
        }
        double start = given->keptCount > 0 && given->keptTimes[0] < 0.0f ? given->keptTimes[0] : 0.0;
        double last = given->keptCount > 0 ? given->keptTimes[given->keptCount - 1] : 0.0;
        assert_true( clip.start == start && clip.end == ( last > 1.0 ? last : 1.0 ) );
        supAssertSound( character );
        supDestroyCharacter( character );
    }
}

/// A cubic key whose tangent is NaN keeps its value; two in one place arrive as the first, leave as the second.
static void supTestCubicKeys( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    const float times[4] = { 0, 1, 1, 2 };
    float values[4][3][3] = { { { NAN, NAN, NAN }, { 1, 0, 0 }, { 5, 0, 0 } },
        { { 6, 0, 0 }, { 2, 0, 0 }, { 7, 0, 0 } }, { { 8, 0, 0 }, { 2, 0, 0 }, { 9, 0, 0 } },
        { { 3, 0, 0 }, { 4, 0, 0 }, { 0, INFINITY, 0 } } };
    supTrackDef track = { 2, sup_pathTranslation, sup_interpolationCubic, 4, times, values[0][0], 3 };
    bones.clip.tracks = &track;
    supCharacter* character = supCreateTold( &bones,
        "2 keys with NaN tangents (taken as zero), 1 key at the time of another (one kept, a jump where they differ)" );
    supTrackDef kept = supCharacter_Clip( character, 0 ).tracks[0];
    const float expected[3][3] = { { 0, 1, 5 }, { 6, 2, 9 }, { 3, 4, 0 } };
    assert_int_equal( kept.keyCount, 3 );
    for ( int k = 0; k < 3; ++k )
    {
        for ( int part = 0; part < 3; ++part )
        {
            assert_float_equal( kept.values[9 * k + 3 * part], expected[k][part], 0.0f );
        }
    }
    supAssertSound( character );
    supDestroyCharacter( character );
}

/// What a player sees of a key that went: the way between those around it.
static void supTestSampledOver( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    const float times[3] = { 0, 1, 2 };
    const float values[9] = { 0, 0, 0, 1, NAN, 3, 4, 0, 0 };
    supTrackDef track = { 1, sup_pathTranslation, sup_interpolationLinear, 3, times, values, 3 };
    bones.clip.tracks = &track;
    supCharacter* character = supCreateTold( &bones, "1 NaN key (dropped)" );
    supPose* pose = NULL;
    assert_int_equal( supCreatePose( character, NULL, &pose, NULL ), sup_success );
    supPose_Sample( pose, 0, 1.0 );
    assert_float_equal( supPose_Joints( pose )[1].t.x, 2.0f, 1e-6f );
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

/// No number among times and values is refused.
static void supTestAnyKey( void** state )
{
    (void)state;
    const float bad[3] = { NAN, INFINITY, -INFINITY };
    for ( int i = 0; i < 10; ++i )
    {
        for ( int k = 0; k < 3; ++k )
        {
            supTwoBones bones;
            supMakeTwoBones( &bones );
            *( i < 2 ? bones.times + i : bones.rotations + i - 2 ) = bad[k];
            supCharacter* character = supCreateTold( &bones, "1 NaN key (dropped)" );
            supAssertSound( character );
            supDestroyCharacter( character );
        }
    }
}

static void supTestRotations( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    bones.joints[1].rest.rotation = ( supQuat ){ 0.0f, 0.0f, 3.0f, 4.0f };
    bones.joints[2].rest.rotation = ( supQuat ){ 0.0f, 0.0f, 0.0f, 0.0f };
    bones.rotations[3] = 2.0f;
    supCharacter* character = supCreateTold( &bones, "2 rotations of joints off unit length (normalised), "
                                                     "1 rotation key off unit length (normalised)" );
    supMat34 local = supCharacter_Joint( character, 1 )->local; // sine and cosine of the angle: 24/25, 7/25
    assert_float_equal( local.x.x, 0.28f, 1e-7f );
    assert_float_equal( local.x.y, 0.96f, 1e-7f );
    assert_float_equal( supCharacter_Joint( character, 2 )->local.x.x, 1.0f, 0.0f );
    assert_float_equal( supCharacter_Clip( character, 0 ).tracks[0].values[3], 1.0f, 0.0f );
    supDestroyCharacter( character );
}

static void supTestIdleTracks( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    supMat34 matrix = supMat34_identity;
    bones.joints[1].matrix = &matrix;
    supTrackDef tracks[4] = { bones.track, bones.track, bones.track, bones.track };
    tracks[1].joint = 1; // stands by a matrix
    tracks[2] = ( supTrackDef ){ 2, sup_pathWeights, sup_interpolationStep, 2, bones.times, bones.rotations,
        4 };                                          // shows no mesh
    bones.clip = ( supClipDef ){ "bend", 4, tracks }; // the first and the last move the same
    supCharacter* character =
        supCreateTold( &bones, "1 track of a joint that stands by a matrix (ignored), "
                               "1 track of morph weights without morph targets (ignored), "
                               "1 track that moves what a later one of the clip moves too (the last one counts)" );
    supDestroyCharacter( character );
}

// Memory -------------------------------------------------------------------------------------------------------------

typedef struct supCounting
{
    int calls, failAt, live;
} supCounting;

static void* supCountAllocate( size_t size, size_t alignment, void* user )
{
    supCounting* counting = user;
    (void)alignment;
    if ( counting->calls++ == counting->failAt )
    {
        return NULL;
    }
    counting->live += 1;
    return supSystemAlloc( size, 64 );
}

static void supCountRelease( void* block, size_t size, void* user )
{
    (void)size;
    ( (supCounting*)user )->live -= 1;
    supSystemFree( block );
}

/// Whichever allocation fails while much is put right, it is told and nothing is left.
static void supTestMemory( void** state )
{
    (void)state;
    bool created = false;
    for ( int failAt = 0; !created; ++failAt )
    {
        supTwoBones bones;
        supMakeTwoBones( &bones );
        supCounting counting = { .failAt = failAt };
        supAllocator allocator = { supCountAllocate, supCountRelease, &counting };
        bones.def.allocator = &allocator;
        bones.weights[4] = bones.weights[5] = NAN;
        bones.times[0] = 2.0f; // falls
        supCharacter* character = NULL;
        supError error = { 0 };
        supResult result = supCreateCharacter( &bones.def, &character, &error );
        created = result == sup_success;
        assert_true( created || result == sup_errorMemory );
        assert_int_equal( counting.live, created ? 1 : 0 );
        supDestroyCharacter( character );
        assert_int_equal( counting.live, 0 );
        assert_true( failAt < 100 );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestWeights ),
        cmocka_unit_test( supTestBorrowsAlongSurface ),
        cmocka_unit_test( supTestBorrowsFromOtherMeshes ),
        cmocka_unit_test( supTestBorrowsFewer ),
        cmocka_unit_test( supTestFirstJoint ),
        cmocka_unit_test( supTestAnyWeight ),
        cmocka_unit_test( supTestNormals ),
        cmocka_unit_test( supTestMorphNormals ),
        cmocka_unit_test( supTestStrayPositions ),
        cmocka_unit_test( supTestDuplicatedVertices ),
        cmocka_unit_test( supTestKeys ),
        cmocka_unit_test( supTestCubicKeys ),
        cmocka_unit_test( supTestSampledOver ),
        cmocka_unit_test( supTestAnyKey ),
        cmocka_unit_test( supTestRotations ),
        cmocka_unit_test( supTestIdleTracks ),
        cmocka_unit_test( supTestMemory ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
