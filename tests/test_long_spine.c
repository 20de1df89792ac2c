// A trunk of more joints than skeletons usually have: the plan of the body keeps them all.
#include "auto/body_plan.h"
#include "base/math.h"
#include "support/two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum
{
    supSpineJoints = 48,
    supLegJoints = 3,
    supAllJoints = supSpineJoints + 4 * supLegJoints,
    supAround = 12,
    supRings = 4, ///< a joint
    supAllVertices = supAllJoints * supRings * supAround,
};

typedef struct supLongBody
{
    supJointDef joints[supAllJoints];
    supMat34 inverse[supAllJoints];
    int32_t skinJoints[supAllJoints];
    supVec3 at[supAllJoints];
    float positions[supAllVertices][3];
    uint16_t indices[supAllVertices];
    float weights[supAllVertices];
    uint32_t triangles[6 * supAllVertices];
    int32_t jointCount, vertexCount, indexCount;
} supLongBody;

/// A joint that holds a tube from itself to `end`, joined to the last ring of the tube before it.
static int32_t supAddBone( supLongBody* body, int32_t parent, supVec3 at, supVec3 end, float radius, bool goesOn )
{
    int32_t j = body->jointCount++;
    supVec3 from = parent >= 0 ? body->at[parent] : supVec3_zero;
    body->at[j] = at;
    body->joints[j] = ( supJointDef ){ NULL, parent, supTransform_identity, NULL, NULL, false };
    body->joints[j].rest.translation = supSub( at, from );
    body->inverse[j] = supMat34_identity;
    body->inverse[j].t = supScale( at, -1.0f );
    body->skinJoints[j] = j;
    supVec3 way = supNormalize( supSub( end, at ) );
    supVec3 side = supMakeVec3( 1.0f, 0.0f, 0.0f ), other = supCross( way, side );
    for ( int ring = 0; ring < supRings; ++ring )
    {
        supVec3 center = supLerp( at, end, ( (float)ring + 0.5f ) / supRings );
        for ( int k = 0; k < supAround; ++k )
        {
            float angle = 2.0f * (float)SUP_PI * (float)k / supAround;
            supVec3 p = supMulAdd( supMulAdd( center, radius * cosf( angle ), side ), radius * sinf( angle ), other );
            int32_t v = body->vertexCount++;
            body->positions[v][0] = p.x;
            body->positions[v][1] = p.y;
            body->positions[v][2] = p.z;
            body->indices[v] = (uint16_t)j;
            body->weights[v] = 1.0f;
            if ( ring > 0 || goesOn )
            {
                uint32_t a = (uint32_t)( v - k - supAround ), b = (uint32_t)( v - k );
                uint32_t i = (uint32_t)k, n = (uint32_t)( ( k + 1 ) % supAround );
                const uint32_t quad[6] = { a + i, a + n, b + i, b + i, a + n, b + n };
                for ( int c = 0; c < 6; ++c )
                {
                    body->triangles[body->indexCount++] = quad[c];
                }
            }
        }
    }
    return j;
}

/// Four legs under a level trunk of 48 joints. It looks along z.
static supCharacter* supMakeLongBody( void )
{
    supLongBody* body = calloc( 1, sizeof( *body ) );
    assert_non_null( body );
    for ( int i = 0; i < supSpineJoints; ++i )
    {
        supVec3 at = supMakeVec3( 0.0f, 1.0f, 0.05f * (float)i ),
                end = supMakeVec3( 0.0f, 1.0f, 0.05f * (float)i + 0.05f );
        supAddBone( body, i - 1, at, end, 0.2f, i > 0 );
    }
    for ( int leg = 0; leg < 4; ++leg )
    {
        int32_t on = leg < 2 ? 3 : supSpineJoints - 5, last = on;
        supVec3 p = supMakeVec3( leg % 2 == 0 ? 0.13f : -0.13f, 0.95f, body->at[on].z );
        for ( int k = 0; k < supLegJoints; ++k )
        {
            supVec3 q = supAdd( p, supMakeVec3( 0.0f, k < 2 ? -0.42f : -0.08f, k < 2 ? 0.0f : 0.15f ) );
            last = supAddBone( body, last, p, q, 0.07f, k > 0 );
            p = q;
        }
    }
    supSkinDef skin = { "skin", supAllJoints, body->skinJoints, body->inverse };
    supMeshDef mesh = { .name = "body",
        .joint = 0,
        .skin = 0,
        .vertexCount = body->vertexCount,
        .positions = &body->positions[0][0],
        .influenceCount = 1,
        .jointIndices = body->indices,
        .weights = body->weights,
        .indexCount = body->indexCount,
        .indices = body->triangles,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "long body";
    def.jointCount = body->jointCount;
    def.joints = body->joints;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &mesh;
    supCharacter* character = supTestCreate( &def );
    free( body );
    return character;
}

/// From the hind legs to the fore legs there are 40 joints; all after the 32nd were left out without a word.
static void supTestLongTrunk( void** state )
{
    (void)state;
    supCharacter* character = supMakeLongBody();
    supPlan plan;
    assert_true( supReadPlan( character, NULL, NULL, &plan ) );
    int32_t inRoles = 0;
    for ( int32_t p = 0; p < plan.graph->partCount; ++p )
    {
        inRoles += plan.roles[p] == sup_partTrunk;
    }
    print_message( "a trunk of %d joints, %d of them in the plan\n", (int)inRoles, (int)plan.trunkCount );
    assert_true( inRoles > 32 );
    assert_int_equal( plan.trunkCount, inRoles );
    supDropPlan( &plan, NULL );
    supDestroyCharacter( character );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestLongTrunk ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
