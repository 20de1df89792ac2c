#include "two_rods.h"

#include "base/math.h"
#include "two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const double sup_beside = 0.11, sup_rodRadius = 0.1;

typedef struct supRodMesh
{
    float positions[2 * SUP_ROD_VERTICES][3];
    uint16_t joints[2 * SUP_ROD_VERTICES];
    float weights[2 * SUP_ROD_VERTICES];
    uint32_t indices[2 * SUP_ROD_VERTICES * 6];
    int32_t indexCount;
} supRodMesh;

int32_t supRodVertex( int32_t rod, int32_t ring, int32_t around )
{
    return ( rod - sup_rodLeft ) * SUP_ROD_VERTICES + ring * SUP_ROD_AROUND + around % SUP_ROD_AROUND;
}

static void supFillRod( supRodMesh* mesh, int32_t rod )
{
    double side = rod == sup_rodLeft ? -sup_beside : sup_beside;
    for ( int32_t i = 0; i < SUP_ROD_VERTICES; ++i )
    {
        int32_t ring = i / SUP_ROD_AROUND, around = i % SUP_ROD_AROUND, v = supRodVertex( rod, ring, around );
        double angle = 2.0 * SUP_PI * around / SUP_ROD_AROUND;
        mesh->positions[v][0] = (float)( side + sup_rodRadius * cos( angle ) );
        mesh->positions[v][1] = (float)ring / ( SUP_ROD_RINGS - 1 );
        mesh->positions[v][2] = (float)( sup_rodRadius * sin( angle ) );
        mesh->joints[v] = (uint16_t)( rod - sup_rodLeft );
        mesh->weights[v] = 1.0f;
        if ( ring + 1 < SUP_ROD_RINGS )
        {
            uint32_t a = (uint32_t)v, b = (uint32_t)supRodVertex( rod, ring, around + 1 ), up = SUP_ROD_AROUND;
            const uint32_t quad[6] = { a, a + up, b, b, a + up, b + up };
            for ( int32_t k = 0; k < 6; ++k )
            {
                mesh->indices[mesh->indexCount++] = quad[k];
            }
        }
    }
}

supCharacter* supMakeTwoRods( void )
{
    supRodMesh* mesh = calloc( 1, sizeof( *mesh ) );
    assert_non_null( mesh );
    supFillRod( mesh, sup_rodLeft );
    supFillRod( mesh, sup_rodRight );
    supJointDef joints[3] = { { "root", -1, supTransform_identity, NULL, NULL, false },
        { "left", 0, supTransform_identity, NULL, NULL, false },
        { "right", 0, supTransform_identity, NULL, NULL, false } };
    joints[0].rest.translation = supMakeVec3( 0.0f, -0.3f, 0.0f );
    supMat34 inverse[2] = { supMat34_identity, supMat34_identity };
    for ( int32_t k = 0; k < 2; ++k )
    {
        float side = (float)( k == 0 ? -sup_beside : sup_beside );
        joints[k + 1].rest.translation = supMakeVec3( side, 0.3f, 0.0f );
        inverse[k].t.x = -side;
    }
    const int32_t skinJoints[2] = { sup_rodLeft, sup_rodRight };
    supSkinDef skin = { "skin", 2, skinJoints, inverse };
    supMeshDef part = { .name = "rods",
        .joint = 0,
        .skin = 0,
        .vertexCount = 2 * SUP_ROD_VERTICES,
        .positions = &mesh->positions[0][0],
        .influenceCount = 1,
        .jointIndices = mesh->joints,
        .weights = mesh->weights,
        .indexCount = mesh->indexCount,
        .indices = mesh->indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "rods";
    def.jointCount = 3;
    def.joints = joints;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &part;
    supCharacter* character = supTestCreate( &def );
    free( mesh );
    return character;
}
