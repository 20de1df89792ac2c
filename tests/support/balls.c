// Balls for tests: a character of nothing but spheres, whose volumes have closed forms.
#include "support/balls.h"

#include "base/math.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supCells = 20, ///< of each side of the cube that is blown up
    supSideVertices = ( supCells + 1 ) * ( supCells + 1 ),
    supBallVertices = 6 * supSideVertices,
    supBallIndices = 6 * 6 * supCells * supCells,
    supMostBalls = 8,
};

typedef struct supBallMesh
{
    float positions[3 * supBallVertices], weights[supBallVertices];
    uint16_t joints[supBallVertices];
    uint32_t indices[supBallIndices];
    int32_t indexCount;
} supBallMesh;

double supBallVolume( double radius )
{
    return 4.0 / 3.0 * SUP_PI * radius * radius * radius;
}

double supLensVolume( double a, double b, double apart )
{
    double over = a + b - apart;
    double around = apart * apart + 2.0 * apart * b - 3.0 * b * b + 2.0 * apart * a + 6.0 * b * a - 3.0 * a * a;
    return over > 0.0 ? SUP_PI * over * over * around / ( 12.0 * apart ) : 0.0;
}

/// A point of the unit cube's side, blown up. From whole numbers, so that sides meet to the bit.
static supVec3 supOnBall( int side, int32_t i, int32_t j )
{
    int32_t at[3], axis = side / 2;
    at[axis] = side % 2 == 0 ? supCells : 0;
    at[( axis + 1 ) % 3] = i;
    at[( axis + 2 ) % 3] = j;
    supVec3 p = { tanf( (float)SUP_PI * 0.25f * (float)( 2 * at[0] - supCells ) / supCells ),
        tanf( (float)SUP_PI * 0.25f * (float)( 2 * at[1] - supCells ) / supCells ),
        tanf( (float)SUP_PI * 0.25f * (float)( 2 * at[2] - supCells ) / supCells ) };
    return supNormalize( p );
}

static double supMeshVolume( const supBallMesh* mesh )
{
    double sum = 0.0;
    for ( int32_t i = 0; i < supBallIndices; i += 3 )
    {
        supVec3d at[3];
        for ( int k = 0; k < 3; ++k )
        {
            const float* p = mesh->positions + 3 * mesh->indices[i + k];
            at[k] = supToDouble( supMakeVec3( p[0], p[1], p[2] ) );
        }
        sum += supDotD( at[0], supCrossD( at[1], at[2] ) ) / 6.0;
    }
    return sum;
}

static void supFillBall( supBallMesh* mesh, const supBall* ball, uint16_t joint )
{
    int32_t v = 0, n = 0;
    for ( int side = 0; side < 6; ++side )
    {
        for ( int32_t k = 0; k < supSideVertices; ++k, ++v )
        {
            int32_t i = k % ( supCells + 1 ), j = k / ( supCells + 1 );
            supVec3 p = supOnBall( side, i, j );
            memcpy( mesh->positions + 3 * v, &p, sizeof( p ) );
            mesh->weights[v] = 1.0f;
            mesh->joints[v] = joint;
            if ( i < supCells && j < supCells )
            {
                uint32_t a = (uint32_t)v, b = a + 1, c = a + supCells + 1, d = c + 1;
                const uint32_t out[6] = { a, b, d, a, d, c }, in[6] = { a, d, b, a, c, d };
                memcpy( mesh->indices + n, side % 2 == 0 ? out : in, sizeof( out ) );
                n += 6;
            }
        }
    }
    float radius = ball->radius * (float)cbrt( supBallVolume( 1.0 ) / supMeshVolume( mesh ) );
    for ( v = 0; v < supBallVertices; ++v )
    {
        float* p = mesh->positions + 3 * v;
        p[0] = ball->center.x + radius * p[0];
        p[1] = ball->center.y + radius * p[1];
        p[2] = ball->center.z + ( ball->flat ? 0.0f : radius * p[2] );
    }
    for ( int32_t i = 0; i < supBallIndices && ball->insideOut; i += 3 )
    {
        uint32_t second = mesh->indices[i + 1];
        mesh->indices[i + 1] = mesh->indices[i + 2];
        mesh->indices[i + 2] = second;
    }
    mesh->indexCount = ball->open ? supBallIndices - 60 : supBallIndices;
}

supCharacter* supMakeBalls( const supBall* balls, int32_t count )
{
    static const char* const names[3] = { "root", "left", "right" };
    static const int32_t list[3] = { 0, 1, 2 };
    supJointDef joints[3];
    for ( int32_t j = 0; j < 3; ++j )
    {
        joints[j] = ( supJointDef ){ .name = names[j], .parent = j == 0 ? -1 : 0, .rest = supTransform_identity };
        joints[j].rest.translation.x = j == 0 ? 0.0f : j == 1 ? SUP_BALLS_ASIDE : -SUP_BALLS_ASIDE;
    }
    const supMat34 back[3] = { supMat34_identity,
        { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f }, { -SUP_BALLS_ASIDE, 0.0f, 0.0f } },
        { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f }, { SUP_BALLS_ASIDE, 0.0f, 0.0f } } };
    const supSkinDef skin = { "skin", 3, list, back };
    assert_in_range( count, 1, supMostBalls );
    supBallMesh* meshes = calloc( (size_t)count, sizeof( supBallMesh ) );
    supMeshDef defs[supMostBalls];
    for ( int32_t i = 0; i < count; ++i )
    {
        supBall ball = balls[i];
        int32_t joint = 0;
        for ( int32_t j = 0; j < 3 && ball.joint != NULL; ++j )
        {
            joint = strcmp( names[j], ball.joint ) == 0 ? j : joint;
        }
        // what hangs on a joint by itself stands in its frame
        ball.center.x -= ball.skinned ? 0.0f : joints[joint].rest.translation.x;
        supFillBall( meshes + i, &ball, (uint16_t)joint );
        defs[i] = ( supMeshDef ){ .name = ball.name,
            .joint = joint,
            .skin = ball.skinned ? 0 : -1,
            .vertexCount = supBallVertices,
            .positions = meshes[i].positions,
            .influenceCount = 1,
            .jointIndices = meshes[i].joints,
            .weights = meshes[i].weights,
            .indexCount = meshes[i].indexCount,
            .indices = meshes[i].indices,
            .sourceMesh = -1,
            .sourcePrimitive = -1 };
    }
    supCharacterDef def = supDefaultCharacterDef();
    def.jointCount = 3, def.joints = joints;
    def.skinCount = 1, def.skins = &skin;
    def.meshCount = count, def.meshes = defs;
    supCharacter* character = NULL;
    supError error = { 0 };
    if ( supCreateCharacter( &def, &character, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    free( meshes );
    return character;
}
