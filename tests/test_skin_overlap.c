// The judge of contacts: vertices inside other parts of the skin, and how deep.
#include "bake/skin_overlap.h"
#include "base/math.h"
#include "layers/triangle_tree.h"
#include "supple/body.h"
#include "supple/creatures.h"
#include "support/test_assets.h"
#include "support/two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supBallRings = 24,
    supBallAround = 48,
    supBallVertices = ( supBallRings - 1 ) * supBallAround + 2,
    supBallIndices = 6 * ( supBallRings - 1 ) * supBallAround,
};

/// A ball of radius 1 around the origin, its poles on the y axis; vertices on the x axis. Indices from `first` on.
static void supFillBall( float* positions, uint32_t* indices, uint32_t first )
{
    int32_t at = 0, next = 0;
    for ( int ring = 0; ring <= supBallRings; ++ring )
    {
        bool pole = ring == 0 || ring == supBallRings;
        double polar = SUP_PI * ring / supBallRings;
        for ( int i = 0; i < ( pole ? 1 : supBallAround ); ++i )
        {
            double angle = 2.0 * SUP_PI * i / supBallAround;
            positions[at++] = (float)( sin( polar ) * cos( angle ) );
            positions[at++] = (float)cos( polar );
            positions[at++] = (float)( sin( polar ) * sin( angle ) );
        }
    }
    for ( int ring = 0; ring < supBallRings; ++ring )
    {
        for ( int i = 0; i < supBallAround; ++i )
        {
            uint32_t upper = first + (uint32_t)( ring == 0 ? 0 : 1 + ( ring - 1 ) * supBallAround );
            uint32_t lower = first + 1 + (uint32_t)( ring * supBallAround );
            uint32_t j = (uint32_t)( ( i + 1 ) % supBallAround ), k = (uint32_t)i;
            uint32_t a = ring == 0 ? upper : upper + k, b = ring == 0 ? upper : upper + j;
            uint32_t c = ring == supBallRings - 1 ? lower : lower + k, d = ring == supBallRings - 1 ? lower : lower + j;
            const uint32_t quad[6] = { a, b, c, b, d, c };
            for ( int n = 0; n < 6; ++n )
            {
                bool flat = n < 3 ? a == b : c == d;
                if ( !flat )
                {
                    indices[next++] = quad[n];
                }
            }
        }
    }
}

/// Two balls, each on a joint of its own, `apart` from each other along x at rest.
static supCharacter* supMakeBalls( float apart )
{
    static float positions[2][3 * supBallVertices], weights[2 * supBallVertices];
    static uint16_t joints[2 * supBallVertices];
    static uint32_t indices[2 * supBallIndices];
    int32_t count = 6 * ( supBallRings - 1 ) * supBallAround;
    for ( uint32_t ball = 0; ball < 2; ++ball )
    {
        supFillBall( positions[ball], indices + ball * (uint32_t)count, ball * supBallVertices );
        for ( int v = 0; v < supBallVertices; ++v )
        {
            positions[ball][3 * v] += ball == 1 ? apart : 0.0f;
            weights[ball * supBallVertices + (uint32_t)v] = 1.0f;
            joints[ball * supBallVertices + (uint32_t)v] = (uint16_t)ball;
        }
    }
    supJointDef jointDefs[2] = { { "left", -1, supTransform_identity, NULL, NULL, false },
        { "right", 0, supTransform_identity, NULL, NULL, false } };
    const int32_t skinJoints[2] = { 0, 1 };
    supMat34 inverse[2] = { supMat34_identity, supMat34_identity };
    supSkinDef skin = { "skin", 2, skinJoints, inverse };
    supMeshDef mesh = { .name = "balls",
        .skin = 0,
        .vertexCount = 2 * supBallVertices,
        .positions = positions[0],
        .influenceCount = 1,
        .jointIndices = joints,
        .weights = weights,
        .indexCount = 2 * count,
        .indices = indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.jointCount = 2;
    def.joints = jointDefs;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &mesh;
    return supTestCreate( &def );
}

/// Balls of radius 1: a vertex at p of one is 1 - |p - middle| deep in the other.
static void supTestBalls( void** state )
{
    (void)state;
    supCharacter* character = supMakeBalls( 4.0f );
    supSkinOverlap* overlap = supMakeSkinOverlap( character, NULL );
    assert_non_null( overlap );
    static supVec3 skin[2 * supBallVertices];
    for ( int step = 0; step < 4; ++step )
    {
        float apart = 2.25f - 0.2f * (float)step; // apart, nearly touching, then in each other
        memcpy( skin, supCharacter_Info( character )->restPositions, sizeof( skin ) );
        for ( int v = supBallVertices; v < 2 * supBallVertices; ++v )
        {
            skin[v].x += apart - 4.0f;
        }
        assert_true( supSkinOverlap_Look( overlap, skin ) );
        float worst = 0.0f;
        int inside = 0;
        for ( int v = 0; v < 2 * supBallVertices; ++v )
        {
            supVec3 other = { v < supBallVertices ? apart : 0.0f, 0.0f, 0.0f };
            float truth = supMaxF( 1.0f - supDistance( skin[v], other ), 0.0f );
            float depth = supSkinOverlap_Depth( overlap, v ).depth;
            worst = supMaxF( worst, supAbsF( depth - truth ) );
            inside += depth > 0.0f;
        }
        print_message(
            "balls %.2f apart: %d vertices inside, depths within %.4f\n", (double)apart, inside, (double)worst );
        assert_true( worst < 0.01f ); // flat triangles stand 0.9% inside of the ball
        assert_true( ( inside > 0 ) == ( apart < 2.0f ) );
    }
    supDropSkinOverlap( overlap );
    supDestroyCharacter( character );
}

/// The solid angle of a triangle seen from the origin. After van Oosterom, Strackee, "The solid angle of a plane
/// triangle", 1983.
static double supSolidAngle( supVec3d a, supVec3d b, supVec3d c )
{
    double la = supLengthD( a ), lb = supLengthD( b ), lc = supLengthD( c );
    double below = la * lb * lc + supDotD( a, b ) * lc + supDotD( b, c ) * la + supDotD( c, a ) * lb;
    return 2.0 * atan2( supDotD( a, supCrossD( b, c ) ), below );
}

/// Inside or not, and how deep, against sums over all triangles, on the cat as it jumps.
static void supTestAgainstSums( void** state )
{
    (void)state;
    supCreature* creature = NULL;
    assert_int_equal( supCreateCreature( "cat", NULL, &creature, NULL ), sup_success );
    const supCharacter* character = supCreature_Character( creature );
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    supPose* pose = NULL;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supCompileModel( character, rig, &model, NULL ), sup_success );
    assert_int_equal( supCreateBody( model, &body, NULL ), sup_success );
    assert_int_equal( supCreatePose( character, NULL, &pose, NULL ), sup_success );
    supPose_Sample( pose, supCharacter_FindClip( character, "jump" ), 1.25 );
    supBody_Step( body, supPose_Joints( pose ), supMat34_identity, 0.0f );
    int32_t vertices = supCharacter_Info( character )->vertexCount;
    supVec3* skin = malloc( sizeof( supVec3 ) * (size_t)vertices );
    supVec3* normals = calloc( (size_t)vertices, sizeof( supVec3 ) );
    supBody_SmoothSkin( body, &skin->x, NULL );
    supSkinOverlap* overlap = supMakeSkinOverlap( character, NULL );
    assert_true( overlap != NULL && supSkinOverlap_Look( overlap, skin ) );
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    const int32_t* welds = supCharacter_Info( character )->welds;
    int32_t inside = 0, looked = 0, wrong = 0;
    for ( int32_t i = 0; i < mesh.indexCount; ++i )
    {
        const uint32_t* c = mesh.indices + i - i % 3;
        supVec3 area = supCross( supSub( skin[c[1]], skin[c[0]] ), supSub( skin[c[2]], skin[c[0]] ) );
        normals[welds[mesh.indices[i]]] = supAdd( normals[welds[mesh.indices[i]]], area );
    }
    for ( int32_t v = 0; v < vertices; v += SUP_SLOW_BUILD ? 7 : 1 )
    {
        supVec3 hair = supScale( supNormalize( normals[welds[v]] ), 1e-4f * supCharacter_Info( character )->size );
        supVec3d p = supToDouble( supAdd( skin[v], hair ) );
        double angle = 0.0;
        for ( int32_t i = 0; i < mesh.indexCount; i += 3 )
        {
            angle += supSolidAngle( supSubD( supToDouble( skin[mesh.indices[i]] ), p ),
                supSubD( supToDouble( skin[mesh.indices[i + 1]] ), p ),
                supSubD( supToDouble( skin[mesh.indices[i + 2]] ), p ) );
        }
        bool truth = angle / ( 4.0 * SUP_PI ) > 0.5, found = supSkinOverlap_Depth( overlap, v ).depth > 0.0f;
        inside += truth;
        looked += 1;
        wrong += truth != found;
    }
    print_message(
        "cat, jump: %d of %d vertices inside by solid angles; %d judged otherwise\n", inside, looked, wrong );
    assert_true( inside > 0 || SUP_SLOW_BUILD ); // fewer vertices are looked at there
    assert_int_equal( wrong, 0 );
    supDropSkinOverlap( overlap );
    free( skin );
    free( normals );
    supDestroyPose( pose );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCreature( creature );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestBalls ), cmocka_unit_test( supTestAgainstSums ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
