#include "limb.h"

#include "base/math.h"
#include "supple/lab/items.h"
#include "two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supIndexCount = 6 * SUP_LIMB_AROUND * ( SUP_LIMB_RINGS - 1 )
};

typedef struct supLimbMesh
{
    float positions[3 * SUP_LIMB_VERTICES], normals[3 * SUP_LIMB_VERTICES], tangents[4 * SUP_LIMB_VERTICES];
    uint16_t joints[3 * SUP_LIMB_VERTICES];
    float weights[3 * SUP_LIMB_VERTICES];
    uint32_t indices[supIndexCount];
} supLimbMesh;

static void supFillVertex( supLimbMesh* mesh, int ring, int around, float scale, bool blended )
{
    int v = ring * SUP_LIMB_AROUND + around;
    double angle = 2.0 * SUP_PI * around / SUP_LIMB_AROUND, y = (double)ring / ( SUP_LIMB_RINGS - 1 );
    double c = cos( angle ), s = sin( angle );
    const double p[3] = { 0.1 * c * scale, y * scale, 0.1 * s * scale }, n[3] = { c, 0.0, s },
                 t[4] = { -s, 0.0, c, 1.0 };
    for ( int i = 0; i < 3; ++i )
    {
        mesh->positions[3 * v + i] = (float)p[i];
        mesh->normals[3 * v + i] = (float)n[i];
    }
    for ( int i = 0; i < 4; ++i )
    {
        mesh->tangents[4 * v + i] = (float)t[i];
    }
    float rootShare = blended && y < 0.25 ? (float)( 0.5 - 2.0 * y ) : 0.0f;
    float tipShare = blended && y > 0.75 ? (float)( 2.0 * y - 1.5 ) : 0.0f;
    const float weights[3] = { rootShare, 1.0f - rootShare - tipShare, tipShare };
    for ( int i = 0; i < 3; ++i )
    {
        mesh->joints[3 * v + i] = (uint16_t)i;
        mesh->weights[3 * v + i] = weights[i];
    }
}

static supCharacter* supMakeLimbOf( float scale, bool blended, const supMeshDef* plate )
{
    supLimbMesh* mesh = calloc( 1, sizeof( *mesh ) );
    assert_non_null( mesh );
    int32_t count = 0;
    for ( int ring = 0; ring < SUP_LIMB_RINGS; ++ring )
    {
        for ( int around = 0; around < SUP_LIMB_AROUND; ++around )
        {
            supFillVertex( mesh, ring, around, scale, blended );
            uint32_t a = (uint32_t)( ring * SUP_LIMB_AROUND + around );
            uint32_t b = (uint32_t)( ring * SUP_LIMB_AROUND + ( around + 1 ) % SUP_LIMB_AROUND );
            const uint32_t quad[6] = { a, a + SUP_LIMB_AROUND, b, b, a + SUP_LIMB_AROUND, b + SUP_LIMB_AROUND };
            for ( int i = 0; i < 6 && ring + 1 < SUP_LIMB_RINGS; ++i )
            {
                mesh->indices[count++] = quad[i];
            }
        }
    }
    supJointDef joints[3] = { { "root", -1, supTransform_identity, NULL, NULL, false },
        { "bone", 0, supTransform_identity, NULL, NULL, false },
        { "tip", 1, supTransform_identity, NULL, NULL, false } };
    joints[2].rest.translation.y = scale;
    const int32_t skinJoints[3] = { 0, 1, 2 };
    supMat34 inverse[3] = { supMat34_identity, supMat34_identity, supMat34_identity };
    inverse[2].t.y = -scale;
    supSkinDef skin = { "skin", 3, skinJoints, inverse };
    supMeshDef parts[2] = { { .name = "limb",
        .joint = 0,
        .skin = 0,
        .vertexCount = SUP_LIMB_VERTICES,
        .positions = mesh->positions,
        .normals = mesh->normals,
        .tangents = mesh->tangents,
        .influenceCount = 3,
        .jointIndices = mesh->joints,
        .weights = mesh->weights,
        .indexCount = count,
        .indices = mesh->indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 } };
    if ( plate != NULL )
    {
        parts[1] = *plate;
    }
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "limb";
    def.jointCount = 3;
    def.joints = joints;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = plate != NULL ? 2 : 1;
    def.meshes = parts;
    supCharacter* character = supTestCreate( &def );
    free( mesh );
    return character;
}

supCharacter* supMakeLimbCharacter( float scale, bool blended )
{
    return supMakeLimbOf( scale, blended, NULL );
}

supCharacter* supMakeLimbWithPlate( void )
{
    const float positions[12] = { 0.11f, 0.45f, -0.05f, 0.11f, 0.55f, -0.05f, 0.11f, 0.55f, 0.05f, 0.11f, 0.45f,
        0.05f };
    const uint16_t joints[4] = { 1, 1, 1, 1 };
    const float weights[4] = { 1.0f, 1.0f, 1.0f, 1.0f };
    const uint32_t indices[6] = { 0, 1, 2, 0, 2, 3 };
    supMeshDef plate = { .name = "plate",
        .joint = 0,
        .skin = 0,
        .vertexCount = 4,
        .positions = positions,
        .influenceCount = 1,
        .jointIndices = joints,
        .weights = weights,
        .indexCount = 6,
        .indices = indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    return supMakeLimbOf( 1.0f, true, &plate );
}

supElementDef supLimbElement( void )
{
    static const char* const ends[1] = { "tip" };
    supElementDef element = supDefaultElementDef();
    element.name = "flesh";
    element.driver = "bone";
    element.ends = ( supNameList ){ 1, ends };
    return element;
}

supLimb supMakeLimb( supLimbDef def )
{
    supElementDef usual = supLimbElement();
    int32_t count = def.elementCount > 0 ? def.elementCount : 1;
    const supElementDef* elements = def.elementCount > 0 ? def.elements : &usual;
    supLimb limb = { supMakeLimbCharacter( def.scale > 0.0f ? def.scale : 1.0f, def.blended ), NULL, NULL };
    supRig* rig = NULL;
    supError error = { 0 };
    supResult result = supCreateRig( NULL, &rig, &error );
    for ( int32_t i = 0; i < count && result == sup_success; ++i )
    {
        result = supRig_AddElement( rig, elements + i, &error );
    }
    result = result == sup_success ? supCompileModel( limb.character, rig, &limb.model, &error ) : result;
    result = result == sup_success ? supCreateBody( limb.model, &limb.body, &error ) : result;
    if ( result != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
    return limb;
}

void supDropLimb( supLimb* limb )
{
    supDestroyBody( limb->body );
    supDestroyModel( limb->model );
    supDestroyCharacter( limb->character );
}

void supPoseLimb( const supLimb* limb, supMat34 motion, supMat34 joints[3] )
{
    const supMat34* rest = supCharacter_Info( limb->character )->restJoints;
    for ( int i = 0; i < 3; ++i )
    {
        joints[i] = supMulMat( motion, rest[i] );
    }
}

void supStepLimb( const supLimb* limb, supMat34 motion, float dt )
{
    supMat34 joints[3];
    supPoseLimb( limb, motion, joints );
    assert_int_equal( supBody_Step( limb->body, joints, supMat34_identity, dt ), sup_success );
}

supMat34 supMoved( float x, float y, float z )
{
    supMat34 m = supMat34_identity;
    m.t = ( supVec3 ){ x, y, z };
    return m;
}
