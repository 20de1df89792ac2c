// What neighbouring curves hold: their order, the volume and the length of skin between them. On a tube whose middle is
// pushed together, where all three are known.
#include "layers/curves/ring_hold.h"
#include "rig/layer_list.h"
#include "supple/body.h"
#include "supple/model.h"
#include "supple/rig.h"
#include "support/two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supAround = 24,
    supAlong = 240,
    supTubeVertices = supAround * ( supAlong + 1 ),
};

typedef struct supTubeCase
{
    supCharacter* character;
    supModel* model;
    supBody* body;
    supVec3 *rest, *out;
} supTubeCase;

// A tube of length 1 with rings to find, on two joints; between 0.4 and 0.6 it goes over from one to the other.
static supCharacter* supMakeTube( void )
{
    static float positions[3 * supTubeVertices], weights[2 * supTubeVertices];
    static uint16_t joints[2 * supTubeVertices];
    static uint32_t indices[6 * supAround * supAlong];
    int32_t count = 0;
    for ( int32_t i = 0; i < supTubeVertices; ++i )
    {
        double y = (double)( i / supAround ) / supAlong, a = 2.0 * SUP_PI * ( i % supAround ) / supAround;
        double r = 0.1 + 0.008 * sin( 60.0 * y ), share = fmin( fmax( ( y - 0.4 ) / 0.2, 0.0 ), 1.0 );
        positions[3 * i] = (float)( r * cos( a ) );
        positions[3 * i + 1] = (float)y;
        positions[3 * i + 2] = (float)( r * sin( a ) );
        joints[2 * i + 1] = 1;
        weights[2 * i] = (float)( 1.0 - share );
        weights[2 * i + 1] = (float)share;
        if ( i / supAround < supAlong )
        {
            uint32_t p = (uint32_t)i, q = (uint32_t)( i % supAround == supAround - 1 ? i + 1 - supAround : i + 1 );
            uint32_t quad[6] = { p, p + supAround, q, q, p + supAround, q + supAround };
            memcpy( indices + count, quad, sizeof( quad ) );
            count += 6;
        }
    }
    supJointDef jointDefs[2] = { { .name = "lower", .parent = -1, .rest = supTransform_identity },
        { .name = "upper", .parent = 0, .rest = supTransform_identity } };
    jointDefs[1].rest.translation.y = 0.5f;
    const int32_t skinJoints[2] = { 0, 1 };
    supMat34 inverse[2] = { supMat34_identity, supMat34_identity };
    inverse[1].t.y = -0.5f;
    supSkinDef skin = { .name = "s", .jointCount = 2, .joints = skinJoints, .inverseBind = inverse };
    supMeshDef mesh = { .name = "tube",
        .vertexCount = supTubeVertices,
        .positions = positions,
        .influenceCount = 2,
        .jointIndices = joints,
        .weights = weights,
        .indexCount = count,
        .indices = indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "tube";
    def.jointCount = 2;
    def.joints = jointDefs;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &mesh;
    return supTestCreate( &def );
}

static supTubeCase supOpenTube( const supCurvesDef* def )
{
    supTubeCase c = { .character = supMakeTube() };
    supRig* rig;
    supError error = { 0 };
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supRig_AddItem( rig, sup_layerCurves, def, &error ), sup_success );
    if ( supCompileModel( c.character, rig, &c.model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
    assert_int_equal( supCreateBody( c.model, &c.body, &error ), sup_success );
    c.rest = malloc( sizeof( supVec3 ) * supTubeVertices );
    c.out = malloc( sizeof( supVec3 ) * supTubeVertices );
    memcpy( c.rest, supCharacter_Info( c.character )->restPositions, sizeof( supVec3 ) * supTubeVertices );
    return c;
}

static void supCloseTube( supTubeCase* c )
{
    free( c->rest );
    free( c->out );
    supDestroyBody( c->body );
    supDestroyModel( c->model );
    supDestroyCharacter( c->character );
}

// The upper joint pushed down by so much, and the skin then, with nothing that swings.
static void supPushTube( supTubeCase* c, float far )
{
    supMat34 joints[2];
    memcpy( joints, supCharacter_Info( c->character )->restJoints, sizeof( joints ) );
    joints[1].t.y -= far;
    assert_int_equal( supBody_Step( c->body, joints, supMat34_identity, 0.0f ), sup_success );
    supBody_Skin( c->body, &c->out[0].x, NULL );
}

/// At rest no bit changes.
static void supCheckRest( supTubeCase* c )
{
    supVec3* smooth = malloc( sizeof( supVec3 ) * supTubeVertices );
    supPushTube( c, 0.0f );
    supBody_SmoothSkin( c->body, &smooth[0].x, NULL );
    assert_memory_equal( c->out, smooth, sizeof( supVec3 ) * supTubeVertices );
    free( smooth );
}

static supCurvesDef supQuietCurves( void )
{
    supCurvesDef def = supDefaultCurvesDef();
    def.amount = 0.0f;
    def.sag = 0.0f;
    return def;
}

/// Volume of the tube with flat ends, by the divergence theorem.
static double supTubeVolume( const supVec3* p )
{
    double sum = 0.0;
    for ( int32_t i = 0; i < supTubeVertices - supAround; ++i )
    {
        int32_t q = i % supAround == supAround - 1 ? i + 1 - supAround : i + 1;
        const int32_t corners[2][3] = { { i, i + supAround, q }, { q, i + supAround, q + supAround } };
        for ( int32_t t = 0; t < 2; ++t )
        {
            supVec3 a = p[corners[t][0]], b = p[corners[t][1]], c = p[corners[t][2]];
            sum += (double)supDot( supCross( a, b ), c ) / 6.0;
        }
    }
    for ( int32_t end = 0; end < 2; ++end )
    {
        const supVec3* ring = p + end * ( supTubeVertices - supAround );
        supVec3 middle = { 0.0f, ring[0].y, 0.0f };
        for ( int32_t k = 0; k < supAround; ++k )
        {
            double part = (double)supDot( supCross( ring[k], ring[( k + 1 ) % supAround] ), middle ) / 6.0;
            sum += end == 0 ? part : -part;
        }
    }
    return fabs( sum );
}

/// Isotonic regression by its other formula, the largest of the least means: z_i = max over j <= i of the min over
/// k >= i of the mean of w_j to w_k.
static void supTestOrderIsTheNearest( void** state )
{
    (void)state;
    uint32_t seed = 9;
    for ( int32_t round = 0; round < 200; ++round )
    {
        enum
        {
            supCount = 17
        };
        float values[supCount], kept[supCount], work[2 * supCount];
        for ( int32_t i = 0; i < supCount; ++i )
        {
            seed = seed * 1664525u + 1013904223u;
            values[i] = kept[i] = (float)( seed >> 8 ) / 8388608.0f + 0.05f * (float)i;
        }
        supKeepOrder( kept, supCount, work );
        for ( int32_t i = 0; i < supCount; ++i )
        {
            double best = -1e9;
            for ( int32_t j = 0; j <= i; ++j )
            {
                double least = 1e9;
                for ( int32_t k = i; k < supCount; ++k )
                {
                    double sum = 0.0;
                    for ( int32_t m = j; m <= k; ++m )
                    {
                        sum += (double)values[m];
                    }
                    least = fmin( least, sum / ( k - j + 1 ) );
                }
                best = fmax( best, least );
            }
            assert_true( fabs( (double)kept[i] - best ) < 1e-5 );
            assert_true( i == 0 || kept[i] >= kept[i - 1] );
        }
    }
}

/// A fold is as long as it should be, walked along in small steps.
static void supTestFoldIsAsLong( void** state )
{
    (void)state;
    for ( double base = 0.0; base < 1.0; base += 0.0625 )
    {
        double h = supFoldHeight( base ), length = 0.0;
        for ( int32_t i = 0; i < 100000; ++i )
        {
            double x = i / 1e5, next = ( i + 1 ) / 1e5;
            double rise = h * ( pow( sin( SUP_PI * next ), 2.0 ) - pow( sin( SUP_PI * x ), 2.0 ) );
            length += sqrt( base * base * 1e-10 + rise * rise );
        }
        assert_true( fabs( length - 1.0 ) < 1e-5 );
    }
    assert_true( supFoldHeight( 1.0 ) == 0.0 );
}

/// Pushed in farther than the middle is long, smooth skinning turns it inside out; curves that may not cross stay in
/// order, and what lies outside the middle stays where it is.
static void supTestCurvesDoNotCross( void** state )
{
    (void)state;
    for ( int32_t holds = 0; holds < 2; ++holds )
    {
        supCurvesDef def = supQuietCurves();
        def.apart = holds ? 0.25f : 0.0f;
        supTubeCase c = supOpenTube( &def );
        supCheckRest( &c );
        supPushTube( &c, 0.24f );
        float least = 1.0f;
        int32_t turned = 0;
        for ( int32_t i = 0; i < supTubeVertices - supAround; ++i )
        {
            float gap = ( c.out[i + supAround].y - c.out[i].y ) * supAlong;
            least = supMinF( least, gap );
            turned += gap < 0.0f;
        }
        print_message( "pushed in by 0.24 of 0.2, %s: the least step along the tube is %.2f of rest, %d turned over\n",
            holds ? "apart 0.25" : "free", (double)least, (int)turned );
        if ( holds )
        {
            assert_int_equal( turned, 0 );
            assert_true( least > 0.05f );
        }
        else
        {
            assert_true( least < -0.15f && turned > 20 * supAround );
        }
        supCloseTube( &c );
    }
}

static void supTestVolumeIsKept( void** state )
{
    (void)state;
    double volumes[2], rest = 0.0;
    for ( int32_t holds = 0; holds < 2; ++holds )
    {
        supCurvesDef def = supQuietCurves();
        def.volume = (float)holds;
        supTubeCase c = supOpenTube( &def );
        supCheckRest( &c );
        supPushTube( &c, 0.06f );
        rest = supTubeVolume( c.rest );
        volumes[holds] = supTubeVolume( c.out );
        supCloseTube( &c );
    }
    print_message( "pushed in by 0.06: %.2f%% of the volume with smooth skinning, %.2f%% with the constraint\n",
        100.0 * volumes[0] / rest, 100.0 * volumes[1] / rest );
    assert_true( volumes[0] < 0.95 * rest );
    assert_true( fabs( volumes[1] / rest - 1.0 ) < 0.005 );
}

/// A row of vertices along the tube is as long as at rest again, but for the 2% that skin gives by itself.
static void supTestLengthIsKept( void** state )
{
    (void)state;
    double lengths[2] = { 0.0, 0.0 };
    for ( int32_t holds = 0; holds < 2; ++holds )
    {
        supCurvesDef def = supQuietCurves();
        def.folds = (float)holds;
        supTubeCase c = supOpenTube( &def );
        supCheckRest( &c );
        supPushTube( &c, 0.05f );
        for ( int32_t j = 0; j < supAlong; ++j )
        {
            supVec3 a = c.out[j * supAround], b = c.out[( j + 1 ) * supAround];
            bool middle = j >= (int32_t)( 0.4 * supAlong ) && j < (int32_t)( 0.6 * supAlong );
            lengths[holds] += middle ? (double)supDistance( a, b ) : 0.0;
        }
        if ( holds )
        {
            double rest = 0.0, off = 0.0, wider = 0.0;
            for ( int32_t i = 0; i < supTubeVertices; ++i )
            {
                bool middle = c.rest[i].y > 0.39f && c.rest[i].y < 0.61f;
                double more = (double)( hypotf( c.out[i].x, c.out[i].z ) - hypotf( c.rest[i].x, c.rest[i].z ) );
                off = middle ? off : fmax( off, fabs( more ) );
                wider = middle ? fmin( wider, more ) : wider;
            }
            for ( int32_t j = (int32_t)( 0.4 * supAlong ); j < (int32_t)( 0.6 * supAlong ); ++j )
            {
                rest += (double)supDistance( c.rest[j * supAround], c.rest[( j + 1 ) * supAround] );
            }
            print_message( "pushed in by a quarter of the middle: %.1f%% of its length without folds, %.1f%% with\n",
                100.0 * lengths[0] / rest, 100.0 * lengths[1] / rest );
            assert_true( lengths[0] < 0.85 * rest );
            assert_true( lengths[1] > 0.95 * rest && lengths[1] < 1.01 * rest );
            assert_true( wider > -0.001 ); // folds rise outwards
            assert_true( off < 0.003 ); // no folds where nothing is pushed together, but for the pieces at its borders
        }
        supCloseTube( &c );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestOrderIsTheNearest ),
        cmocka_unit_test( supTestFoldIsAsLong ),
        cmocka_unit_test( supTestCurvesDoNotCross ),
        cmocka_unit_test( supTestVolumeIsKept ),
        cmocka_unit_test( supTestLengthIsKept ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
