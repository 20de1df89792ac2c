// The tube that scenes throw about.
#include "support/scene_tube.h"

#include "base/math_double.h"
#include "supple/lab/items.h"

#include <stdlib.h>

// Along y from 0 to 2 around bones from 0 to 1 and from 1 to 2; weights pass over in the middle half of each.
static void supMakeTubeMesh( supTube* tube )
{
    for ( int v = 0; v < sup_tubeVertices; ++v )
    {
        int ring = v / sup_tubeSides, side = v % sup_tubeSides;
        double sine, cosine, along = 2.0 * ring / ( sup_tubeRings - 1 );
        supSinCos( 2.0 * SUP_PI * side / sup_tubeSides, &sine, &cosine );
        tube->positions[3 * v + 0] = (float)( 0.3 * cosine );
        tube->positions[3 * v + 1] = (float)along;
        tube->positions[3 * v + 2] = (float)( 0.25 * sine );
        tube->normals[3 * v + 0] = (float)cosine;
        tube->normals[3 * v + 2] = (float)sine;
        float second = (float)supClamp( along - 0.5, 0.0, 1.0 );
        tube->joints[2 * v + 1] = 1;
        tube->weights[2 * v + 0] = 1.0f - second;
        tube->weights[2 * v + 1] = second;
    }
    for ( int i = 0; i < sup_tubeIndices / 6; ++i )
    {
        int ring = i / sup_tubeSides, side = i % sup_tubeSides, next = ( side + 1 ) % sup_tubeSides;
        uint32_t a = (uint32_t)( ring * sup_tubeSides + side ), b = (uint32_t)( ring * sup_tubeSides + next );
        const uint32_t corners[6] = { a, a + sup_tubeSides, b, b, a + sup_tubeSides, b + sup_tubeSides };
        for ( int k = 0; k < 6; ++k )
        {
            tube->indices[6 * i + k] = corners[k];
        }
    }
}

static bool supMakeTubeCharacter( supTube* tube )
{
    supJointDef joints[sup_tubeJoints] = { { .name = "upper", .parent = -1, .rest = supTransform_identity },
        { .name = "lower", .parent = 0, .rest = supTransform_identity },
        { .name = "end", .parent = 1, .rest = supTransform_identity } };
    joints[1].rest.translation.y = 1.0f;
    joints[2].rest.translation.y = 1.0f;
    const int32_t skinJoints[2] = { 0, 1 };
    const supSkinDef skin = { .name = "tube", .jointCount = 2, .joints = skinJoints };
    const supMeshDef mesh = { .name = "tube",
        .skin = 0,
        .vertexCount = sup_tubeVertices,
        .positions = tube->positions,
        .normals = tube->normals,
        .influenceCount = 2,
        .jointIndices = tube->joints,
        .weights = tube->weights,
        .indexCount = sup_tubeIndices,
        .indices = tube->indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.jointCount = sup_tubeJoints;
    def.joints = joints;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &mesh;
    return supCreateCharacter( &def, &tube->character, NULL ) == sup_success;
}

static bool supMakeTubeModel( supTube* tube )
{
    supRig* rig = NULL;
    if ( supCreateRig( NULL, &rig, NULL ) != sup_success )
    {
        return false;
    }
    supElementDef upper = supDefaultElementDef(), lower = supDefaultElementDef();
    upper.driver = "upper";
    upper.frequency = 2.5f;
    lower.driver = "lower";
    lower.attenuation = sup_attenuationWyvill;
    lower.airFriction = 0.5f;
    lower.limit = sup_limitClamp;
    bool good = supRig_AddElement( rig, &upper, NULL ) == sup_success &&
                supRig_AddElement( rig, &lower, NULL ) == sup_success &&
                supCompileModel( tube->character, rig, &tube->model, NULL ) == sup_success;
    supDestroyRig( rig );
    return good;
}

void supTubeJoints( double time, int32_t body, supMat34* joints, supMat34* world )
{
    double swing = 0.8 * supSin( 7.0 * time + body ), bend = 0.5 + 0.5 * supSin( 11.0 * time );
    supMat34d chain[sup_tubeJoints];
    chain[0] = supMatFromQuatD( supQuatFromAxisAngleD( ( supVec3d ){ 0.0, 0.0, 1.0 }, swing ) );
    supMat34d knee = supMatFromQuatD( supQuatFromAxisAngleD( ( supVec3d ){ 1.0, 0.0, 0.0 }, bend ) );
    supMat34d end = supMat34d_identity;
    knee.t.y = 1.0;
    end.t.y = 1.0;
    chain[1] = supMulMatD( chain[0], knee );
    chain[2] = supMulMatD( chain[1], end );
    supMat34d stage = supMatFromQuatD( supQuatFromAxisAngleD( ( supVec3d ){ 0.0, 1.0, 0.0 }, 2.0 * time ) );
    stage.t = ( supVec3d ){ 3.0 * time, 0.3 * supSin( 9.0 * time ), 0.1 * body };
    const supMat34d* from[sup_tubeJoints + 1] = { chain, chain + 1, chain + 2, &stage };
    supMat34* to[sup_tubeJoints + 1] = { joints, joints + 1, joints + 2, world };
    for ( int i = 0; i <= sup_tubeJoints; ++i )
    {
        const supMat34d* m = from[i];
        *to[i] = ( supMat34 ){ { (float)m->x.x, (float)m->x.y, (float)m->x.z },
            { (float)m->y.x, (float)m->y.y, (float)m->y.z }, { (float)m->z.x, (float)m->z.y, (float)m->z.z },
            { (float)m->t.x, (float)m->t.y, (float)m->t.z } };
    }
}

supTube* supMakeTube( void )
{
    supTube* tube = calloc( 1, sizeof( *tube ) );
    if ( tube == NULL )
    {
        abort();
    }
    supMakeTubeMesh( tube );
    if ( !supMakeTubeCharacter( tube ) || !supMakeTubeModel( tube ) )
    {
        abort();
    }
    return tube;
}

void supDropTube( supTube* tube )
{
    supDestroyModel( tube->model );
    supDestroyCharacter( tube->character );
    free( tube );
}
