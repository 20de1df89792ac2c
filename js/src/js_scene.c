// For scene graphs: joints from the transforms of nodes, helper joints beneath their joints, influences for the GPU.
// SPDX-License-Identifier: MIT
#include "js_host.h"
#include "supple/bake.h"
#include "supple/body.h"

/// What a node is: 16 floats, of which a transform uses the first 10 and a matrix 12; the next one says how it tells
/// where it stands.
enum
{
    supNodeFloats = 16,
    supNodeKind = 12,
    supNodeTransform = 0, ///< translation, rotation, scale; within its parent
    supNodeLocal = 1,     ///< a matrix within its parent
    supNodeModel = 2,     ///< a matrix in model space, whatever its parent is
};

int SUP_JS( supJs_StepNodes )( const supModel* model, supBody* body, const float* nodes, supMat34* joints,
    const supMat34* world, float dt, float* helpers );
supJointBake* SUP_JS( supJs_BakeInfluences )(
    const supModel* model, int32_t influences, const supTake* const* takes, int32_t takeCount );
void SUP_JS( supJs_DestroyInfluences )( supJointBake* bake );
int SUP_JS( supJs_Influences )( const supJointBake* bake, int32_t mesh, const int32_t** joints, const float** weights );
float SUP_JS( supJs_InfluenceError )( const supJointBake* bake );
const supMat34* SUP_JS( supJs_InverseBind )( const supCharacter* character, int32_t skin );

static supVec3 supTurned( const supMat34* m, supVec3 v )
{
    return ( supVec3 ){ m->x.x * v.x + m->y.x * v.y + m->z.x * v.z, m->x.y * v.x + m->y.y * v.y + m->z.y * v.z,
        m->x.z * v.x + m->y.z * v.y + m->z.z * v.z };
}

static supMat34 supWithin( const supMat34* parent, const supMat34* child )
{
    supVec3 t = supTurned( parent, child->t );
    return ( supMat34 ){ supTurned( parent, child->x ), supTurned( parent, child->y ), supTurned( parent, child->z ),
        { t.x + parent->t.x, t.y + parent->t.y, t.z + parent->t.z } };
}

static supMat34 supFromTransform( const float* v )
{
    float x = v[3], y = v[4], z = v[5], w = v[6], a = v[7], b = v[8], c = v[9];
    return ( supMat34 ){
        { a * ( 1.0f - 2.0f * ( y * y + z * z ) ), a * 2.0f * ( x * y + w * z ), a * 2.0f * ( x * z - w * y ) },
        { b * 2.0f * ( x * y - w * z ), b * ( 1.0f - 2.0f * ( x * x + z * z ) ), b * 2.0f * ( y * z + w * x ) },
        { c * 2.0f * ( x * z + w * y ), c * 2.0f * ( y * z - w * x ), c * ( 1.0f - 2.0f * ( x * x + y * y ) ) },
        { v[0], v[1], v[2] },
    };
}

static void supComposeJoints( const supCharacter* character, const float* nodes, supMat34* joints )
{
    const supCharacterInfo* info = supCharacter_Info( character );
    for ( int32_t i = 0; i < info->jointCount; ++i )
    {
        int32_t joint = info->jointOrder[i], parent = supCharacter_Joint( character, joint )->parent;
        const float* node = nodes + supNodeFloats * (size_t)joint;
        int kind = (int)node[supNodeKind];
        supMat34 own = kind == supNodeTransform ? supFromTransform( node ) : *(const supMat34*)node;
        joints[joint] = parent < 0 || kind == supNodeModel ? own : supWithin( joints + parent, &own );
    }
}

static supVec3 supCrossed( supVec3 a, supVec3 b )
{
    return ( supVec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static supVec3 supMeasured( const supVec3 rows[3], supVec3 v, float scale )
{
    return ( supVec3 ){ ( rows[0].x * v.x + rows[0].y * v.y + rows[0].z * v.z ) * scale,
        ( rows[1].x * v.x + rows[1].y * v.y + rows[1].z * v.z ) * scale,
        ( rows[2].x * v.x + rows[2].y * v.y + rows[2].z * v.z ) * scale };
}

/// A helper in the space of its joint, as a matrix of 16 floats. Beneath a joint that is flat nothing is seen of it: it
/// stays where it stands at rest.
static void supWriteHelper( const supMat34* joint, const supMat34* helper, supVec3 place, float* out )
{
    const supVec3 rows[3] = { supCrossed( joint->y, joint->z ), supCrossed( joint->z, joint->x ),
        supCrossed( joint->x, joint->y ) };
    float volume = joint->x.x * rows[0].x + joint->x.y * rows[0].y + joint->x.z * rows[0].z;
    supMat34 local = { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f }, place };
    if ( volume > 1e-30f || volume < -1e-30f )
    {
        float scale = 1.0f / volume;
        supVec3 off = { helper->t.x - joint->t.x, helper->t.y - joint->t.y, helper->t.z - joint->t.z };
        local = ( supMat34 ){ supMeasured( rows, helper->x, scale ), supMeasured( rows, helper->y, scale ),
            supMeasured( rows, helper->z, scale ), supMeasured( rows, off, scale ) };
    }
    const supVec3 columns[4] = { local.x, local.y, local.z, local.t };
    for ( int column = 0; column < 4; ++column )
    {
        out[4 * column] = columns[column].x;
        out[4 * column + 1] = columns[column].y;
        out[4 * column + 2] = columns[column].z;
        out[4 * column + 3] = column == 3 ? 1.0f : 0.0f;
    }
}

/// One frame of a scene graph: composes the joints, steps, and where `helpers` is not NULL writes 16 floats for each of
/// the model's, in the space of its joint. Those begin with room for as many matrices of 12.
int supJs_StepNodes( const supModel* model, supBody* body, const float* nodes, supMat34* joints, const supMat34* world,
    float dt, float* helpers )
{
    supComposeJoints( supModel_Info( model )->character, nodes, joints );
    bool isTaken = supBody_Step( body, joints, *world, dt ) == sup_success;
    if ( isTaken && helpers != NULL )
    {
        int32_t count = supModel_Info( model )->helperCount;
        supMat34* matrices = (supMat34*)( helpers + 16 * (size_t)count );
        supBody_HelperJoints( body, matrices );
        for ( int32_t i = 0; i < count; ++i )
        {
            supHelperView helper = supModel_Info( model )->helpers[i];
            supWriteHelper( joints + helper.joint, matrices + i, helper.place, helpers + 16 * (size_t)i );
        }
    }
    return isTaken;
}

/// New influences for all meshes, for skinning with the model's helpers alone. `takes`: motions that weights are fitted
/// to where `influences` are too few.
supJointBake* supJs_BakeInfluences(
    const supModel* model, int32_t influences, const supTake* const* takes, int32_t takeCount )
{
    supJointBake* bake = NULL;
    supJointBakeDef def = supDefaultJointBakeDef();
    def.model = model;
    def.takes = takes;
    def.takeCount = takeCount;
    def.influences = influences;
    def.modelHelpersOnly = true;
    supBakeJoints( &def, &bake, supJsError() );
    return bake;
}

void supJs_DestroyInfluences( supJointBake* bake )
{
    supDestroyJointBake( bake );
}

/// How many a vertex of a mesh has, 4 or 8, and where they are; 0: the mesh carries no flesh.
int supJs_Influences( const supJointBake* bake, int32_t mesh, const int32_t** joints, const float** weights )
{
    supBakedMesh baked = supJointBake_Info( bake )->meshes[mesh];
    *joints = baked.joints;
    *weights = baked.weights;
    return baked.changed ? baked.influenceCount : 0;
}

/// What fitting to too few influences left of any vertex, in the takes. Metres.
float supJs_InfluenceError( const supJointBake* bake )
{
    return supJointBake_Info( bake )->refitError;
}

const supMat34* supJs_InverseBind( const supCharacter* character, int32_t skin )
{
    return supCharacter_Skin( character, skin ).inverseBind;
}
