#include "support/tube_animal.h"

#include "base/math.h"
#include "support/two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supMostJoints = 64,
    supRings = 12,
    supAround = 14,
    supMostVertices = supMostJoints * supRings * supAround,
    supHeld = 4, // influences of a vertex
};

typedef struct supAnimal
{
    int32_t jointCount, vertexCount, indexCount;
    char names[supMostJoints][24];
    supTubeJoint tubes[supMostJoints];
    supJointDef joints[supMostJoints];
    int32_t skinJoints[supMostJoints];
    supMat34 inverseBind[supMostJoints];
    float positions[3 * supMostVertices], weights[supHeld * supMostVertices];
    uint16_t influences[supHeld * supMostVertices];
    uint32_t indices[6 * supMostVertices];
} supAnimal;

static int32_t supJointNamed( const supAnimal* animal, const char* name )
{
    for ( int32_t j = 0; j < animal->jointCount; ++j )
    {
        if ( strcmp( animal->names[j], name ) == 0 )
        {
            return j;
        }
    }
    return -1;
}

/// `side`: 'L' as it is told, 'R' mirrored.
static void supPutJoint( supAnimal* animal, const supTubeJoint* from, char side )
{
    assert_true( animal->jointCount < supMostJoints );
    int32_t j = animal->jointCount++;
    char parent[24];
    snprintf( animal->names[j], sizeof( animal->names[j] ), "%s", from->name );
    snprintf( parent, sizeof( parent ), "%s", from->parent != NULL ? from->parent : "" );
    animal->tubes[j] = *from;
    if ( side == 'R' )
    {
        animal->names[j][strlen( animal->names[j] ) - 1] = 'R';
        size_t length = strlen( parent );
        bool sided = length > 2 && strcmp( parent + length - 2, ".L" ) == 0;
        parent[length - 1] = sided ? 'R' : parent[length - 1];
        animal->tubes[j].at.x = -from->at.x;
    }
    int32_t above = from->parent != NULL ? supJointNamed( animal, parent ) : -1;
    assert_true( above >= 0 || from->parent == NULL );
    supVec3 at = animal->tubes[j].at, local = above >= 0 ? supSub( at, animal->tubes[above].at ) : at;
    animal->joints[j] =
        ( supJointDef ){ animal->names[j], above, { local, { 0, 0, 0, 1 }, { 1, 1, 1 } }, NULL, NULL, false };
    animal->skinJoints[j] = j;
    animal->inverseBind[j] = supMat34_identity;
    animal->inverseBind[j].t = supNeg( at );
}

/// Who holds the skin of joint `j`'s tube at `t` of its way: its parent, and near the ends the neighbours too.
static void supHoldTube( supAnimal* animal, int32_t j, float t, int32_t vertex )
{
    int32_t bone = animal->joints[j].parent, before = animal->joints[bone].parent;
    float after = fmaxf( 0.0f, ( t - 0.7f ) / 0.6f );
    float ahead = before >= 0 ? fmaxf( 0.0f, ( 0.3f - t ) / 0.6f ) : 0.0f;
    after = animal->tubes[j].radius < 0.0f ? 0.0f : after;
    ahead = animal->tubes[j].radius < 0.0f ? 0.0f : ahead;
    const int32_t joints[supHeld] = { bone, j, before >= 0 ? before : 0, 0 };
    const float weights[supHeld] = { 1.0f - after - ahead, after, ahead, 0.0f };
    for ( int k = 0; k < supHeld; ++k )
    {
        animal->influences[supHeld * vertex + k] = (uint16_t)joints[k];
        animal->weights[supHeld * vertex + k] = weights[k];
    }
}

static void supAddTubeOf( supAnimal* animal, int32_t j )
{
    const supTubeJoint *to = animal->tubes + j, *from = animal->tubes + animal->joints[j].parent;
    supVec3 along = supSub( to->at, from->at );
    supVec3 side = fabsf( along.y ) > 0.7f * supLength( along ) ? supMakeVec3( 1, 0, 0 ) : supMakeVec3( 0, 1, 0 );
    supVec3 u = supNormalize( supCross( along, side ) ), w = supNormalize( supCross( along, u ) );
    supVec3 squash = to->squash;
    uint32_t first = (uint32_t)animal->vertexCount;
    for ( int r = 0; r < supRings; ++r )
    {
        float t = (float)r / (float)( supRings - 1 );
        float cap = sqrtf( fmaxf( 0.0025f, 1.0f - powf( fabsf( 2.0f * t - 1.0f ), 12.0f ) ) );
        float thick = to->radius < 0.0f ? -to->radius : from->radius + t * ( to->radius - from->radius );
        float radius = cap * thick;
        for ( int k = 0; k < supAround; ++k )
        {
            double angle = 2.0 * 3.14159265358979 * k / supAround;
            supVec3 out = supMulAdd( supScale( u, radius * (float)cos( angle ) ), radius * (float)sin( angle ), w );
            out = supMakeVec3( out.x * squash.x, out.y * squash.y, out.z * squash.z );
            supVec3 p = supAdd( supMulAdd( from->at, t, along ), out );
            memcpy( animal->positions + 3 * animal->vertexCount, &p, sizeof( p ) );
            supHoldTube( animal, j, t, animal->vertexCount++ );
            uint32_t q = first + (uint32_t)( r * supAround + k );
            uint32_t n = first + (uint32_t)( r * supAround + ( k + 1 ) % supAround );
            const uint32_t quad[6] = { q, n, q + supAround, q + supAround, n, n + supAround };
            for ( int i = 0; i < 6 && r + 1 < supRings; ++i )
            {
                animal->indices[animal->indexCount++] = quad[i];
            }
        }
    }
}

supCharacter* supMakeTubeAnimal( const supTubeJoint* joints, int32_t count )
{
    supAnimal* animal = calloc( 1, sizeof( supAnimal ) );
    assert_non_null( animal );
    for ( int32_t i = 0; i < count; ++i )
    {
        size_t length = strlen( joints[i].name );
        supPutJoint( animal, joints + i, 'L' );
        if ( length > 2 && strcmp( joints[i].name + length - 2, ".L" ) == 0 )
        {
            supPutJoint( animal, joints + i, 'R' );
        }
    }
    for ( int32_t j = 0; j < animal->jointCount; ++j )
    {
        if ( animal->joints[j].parent >= 0 )
        {
            supAddTubeOf( animal, j );
        }
    }
    supMeshDef mesh = { .name = "body",
        .joint = 0,
        .skin = 0,
        .vertexCount = animal->vertexCount,
        .positions = animal->positions,
        .influenceCount = supHeld,
        .jointIndices = animal->influences,
        .weights = animal->weights,
        .indexCount = animal->indexCount,
        .indices = animal->indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.jointCount = animal->jointCount;
    def.joints = animal->joints;
    supSkinDef skin = {
        .jointCount = animal->jointCount, .joints = animal->skinJoints, .inverseBind = animal->inverseBind
    };
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &mesh;
    supCharacter* character = supTestCreate( &def );
    free( animal );
    return character;
}
