// Hard parts: armour, belts, buckles, helmets, eyes, pistons, swords.
// SPDX-License-Identifier: MIT
//
// A piece of the surface that hangs on its joints by the same weights all over is hard, whether it shares its mesh and
// material with skin or not (rigid_pieces.c). It carries no flesh: elements are given `skipRigid`, which finds the same
// pieces again by the same rule, so that no list of vertices stands in the rig and none has to be renewed for another
// version of the mesh. A limb that is made of such pieces is a machine's, and gets none at all.
//
// The skeleton of a robot is that of a body all the same, so hard pieces count where bones are looked for; but not what
// is only worn or carried, a whole mesh on one joint: a sword is no forearm. Where most of a character is made of such
// meshes (a doll of blocks), they are its body.

#include "auto/body_plan.h"
#include "auto/joint_words.h"
#include "base/fields.h"
#include "base/math.h"
#include "character/character_data.h"
#include "character/joint_tree.h"
#include "solve/dense.h"

/// Worn: this much of every vertex's weight is on the one joint.
static const float supRigid = 0.99f;
/// What is worn covers less than this share of all skin, or nothing is.
static const float supMostWorn = 0.5f;
/// Blades and plates are this much thinner one way than another; a hand has more than this share of all skin.
static const double supThinMesh = 0.2;
static const float supSomeSkin = 0.002f;

/// Whether all of a mesh is hard and hangs on one joint.
static bool supHangsOnOne( const supPlan* plan, const supMeshView* mesh )
{
    const int32_t* joints = supCharacter_Info( plan->character )->paletteJoints + mesh->firstPalette;
    if ( mesh->skin < 0 || mesh->vertexCount == 0 )
    {
        return false;
    }
    int32_t only = joints[mesh->jointIndices[0]];
    for ( int32_t v = 0; v < mesh->vertexCount; ++v )
    {
        int32_t first = v * mesh->influenceCount; // influences stand by falling weight
        bool hard = plan->pieces[mesh->firstVertex + v] >= 0;
        if ( !hard || mesh->weights[first] < supRigid || joints[mesh->jointIndices[first]] != only )
        {
            return false;
        }
    }
    return true;
}

static float supMeshArea( const supPlan* plan, const supMeshView* mesh )
{
    float area = 0.0f;
    for ( int32_t v = 0; v < mesh->vertexCount; ++v )
    {
        area += plan->vertexArea[mesh->firstVertex + v];
    }
    return area;
}

/// How much skin other meshes have on the joint that a mesh hangs on.
static float supSkinBeside( const supPlan* plan, int32_t index )
{
    supMeshView mesh = supCharacter_Mesh( plan->character, index );
    const int32_t* palette = supCharacter_Info( plan->character )->paletteJoints;
    int32_t joint = palette[mesh.firstPalette + mesh.jointIndices[0]];
    float beside = 0.0f;
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView other = supCharacter_Mesh( plan->character, m );
        for ( int32_t i = 0; i < other.vertexCount * other.influenceCount && other.skin >= 0 && !plan->isWorn[m]; ++i )
        {
            bool there = palette[other.firstPalette + other.jointIndices[i]] == joint;
            beside += there ? other.weights[i] * plan->vertexArea[other.firstVertex + i / other.influenceCount] : 0.0f;
        }
    }
    return beside;
}

/// Whether a mesh is a blade, a staff or a plate: far thinner one way than another.
static bool supIsThinMesh( const supPlan* plan, const supMeshView* mesh )
{
    double middle[3] = { 0.0 }, matrix[9] = { 0.0 }, values[3], vectors[9];
    for ( int32_t v = 0; v < 2 * mesh->vertexCount; ++v )
    {
        supVec3 p = supPlan_Vertex( plan, mesh->firstVertex + v % mesh->vertexCount );
        double q[3] = { (double)p.x - middle[0], (double)p.y - middle[1], (double)p.z - middle[2] };
        for ( int k = 0; k < 9; ++k ) // first the middle, then what lies about it
        {
            matrix[k] += v < mesh->vertexCount ? 0.0 : q[k / 3] * q[k % 3];
            middle[k / 3] += v < mesh->vertexCount && k % 3 == 0 ? q[k / 3] / mesh->vertexCount : 0.0;
        }
    }
    supSymmetricEigen( 3, matrix, values, vectors );
    double least = supMin( values[0], supMin( values[1], values[2] ) );
    double most = supMax( values[0], supMax( values[1], values[2] ) );
    return least < supThinMesh * supThinMesh * most;
}

static bool supIsCarriedWord( const char* name )
{
    static const char* const words[] = { "sword", "weapon", "shield", "axe", "gun", "rifle", "pistol", "staff", "spear",
        "dagger", "knife", "hammer", "quiver", "handslot", "backpack", "torch" };
    return supHoldsWord( name, words, SUP_COUNT( words ) );
}

/// Whether a mesh on one joint is worn or carried. A head that is a mesh of its own is a part of the body: nothing else
/// is on its joint. A sword is not, however large it is beside the hand, or where it has a joint of its own.
static bool supIsCarried( const supPlan* plan, int32_t index, float all )
{
    supMeshView mesh = supCharacter_Mesh( plan->character, index );
    int32_t joint = supCharacter_Info( plan->character )->paletteJoints[mesh.firstPalette + mesh.jointIndices[0]];
    float beside = supSkinBeside( plan, index );
    return beside > 0.1f * supMeshArea( plan, &mesh ) ||
           ( beside > supSomeSkin * all && supIsThinMesh( plan, &mesh ) ) || supIsCarriedWord( mesh.name ) ||
           supIsCarriedWord( supCharacter_Joint( plan->character, joint )->name );
}

/// What of a body hangs on one joint, by whole meshes.
typedef struct supRigidMeshes
{
    float all, rigid; ///< areas
    float stand;      ///< of the rigid ones, those on a joint above the soft ones, on which no other skin is
} supRigidMeshes;

/// Whether a joint carries most of the skin that is no rigid mesh, by joints below it alone.
static bool supCarriesBody( const supPlan* plan, int32_t joint )
{
    const int32_t* palette = supCharacter_Info( plan->character )->paletteJoints;
    float all = 0.0f, below = 0.0f;
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        for ( int32_t v = 0; v < mesh.vertexCount && mesh.skin >= 0 && !plan->isWorn[m]; ++v )
        {
            int32_t holder = palette[mesh.firstPalette + mesh.jointIndices[v * mesh.influenceCount]];
            float area = plan->vertexArea[mesh.firstVertex + v];
            all += area;
            below += holder != joint && supIsUnderJoint( plan->character, holder, joint ) ? area : 0.0f;
        }
    }
    return below > 0.5f * all;
}

/// A floor has most of all surface, or it is a mesh by itself on a joint above the soft ones.
static bool supIsStand( const supPlan* plan, int32_t index, float all )
{
    supMeshView mesh = supCharacter_Mesh( plan->character, index );
    int32_t joint = supCharacter_Info( plan->character )->paletteJoints[mesh.firstPalette + mesh.jointIndices[0]];
    float area = supMeshArea( plan, &mesh );
    bool rigid = plan->isWorn[index] && area > 0.0f;
    bool alone = rigid && supSkinBeside( plan, index ) <= 0.1f * area && supCarriesBody( plan, joint );
    return alone || ( rigid && area > supMostWorn * all && supIsThinMesh( plan, &mesh ) );
}

/// A base or a floor that hangs on the root of a soft body counts nowhere. (The hips of a doll of blocks
/// hang there too; but most of the rest of that is rigid as well.)
static void supDropStand( supPlan* plan, const supRigidMeshes* meshes )
{
    float rest = meshes->all - meshes->stand;
    bool stands = meshes->stand > 0.0f && meshes->rigid - meshes->stand < supMostWorn * rest;
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount && stands; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        bool drop = supIsStand( plan, m, meshes->all );
        for ( int32_t v = 0; v < mesh.vertexCount && drop; ++v )
        {
            plan->vertexArea[mesh.firstVertex + v] = 0.0f;
        }
        plan->sceneryCount += drop;
    }
}

static void supMarkWorn( supPlan* plan )
{
    supRigidMeshes meshes = { 0 };
    int32_t meshCount = supCharacter_Info( plan->character )->meshCount;
    for ( int32_t m = 0; m < meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        float area = supMeshArea( plan, &mesh );
        bool other = plan->isWorn[m]; // of another body
        plan->isWorn[m] = other || supHangsOnOne( plan, &mesh );
        meshes.all += area;
        meshes.rigid += plan->isWorn[m] ? area : 0.0f;
    }
    for ( int32_t m = 0; m < meshCount && meshes.rigid >= supMostWorn * meshes.all; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        meshes.stand += supIsStand( plan, m, meshes.all ) ? supMeshArea( plan, &mesh ) : 0.0f;
    }
    supDropStand( plan, &meshes );
    bool few = meshes.rigid - meshes.stand < supMostWorn * ( meshes.all - meshes.stand );
    for ( int32_t m = 0; m < meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        bool other = plan->isWorn[m] && supMeshArea( plan, &mesh ) <= 0.0f;
        plan->isWorn[m] = other || ( plan->isWorn[m] && few && supIsCarried( plan, m, meshes.all ) );
    }
}

static void supMeasureHardness( supPlan* plan )
{
    const int32_t* joints = supCharacter_Info( plan->character )->paletteJoints;
    float all = 0.0f, hard = 0.0f;
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        for ( int32_t v = 0; v < mesh.vertexCount && mesh.skin >= 0; ++v )
        {
            int32_t vertex = mesh.firstVertex + v;
            bool isHard = plan->pieces[vertex] >= 0;
            all += plan->vertexArea[vertex];
            hard += isHard ? plan->vertexArea[vertex] : 0.0f;
            plan->hardCount += plan->pieces[vertex] == vertex && plan->vertexArea[vertex] > 0.0f;
            for ( int32_t i = 0; i < mesh.influenceCount && isHard; ++i )
            {
                int32_t at = v * mesh.influenceCount + i;
                plan->hardArea[joints[mesh.firstPalette + mesh.jointIndices[at]]] +=
                    mesh.weights[at] * plan->vertexArea[vertex];
            }
        }
    }
    plan->hardShare = all > 0.0f ? hard / all : 0.0f;
}

/// The joint on which all that has skin hangs, or -1.
static int32_t supSkinRoot( const supCharacter* character )
{
    int32_t root = -1;
    bool first = true;
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        if ( supCharacter_Joint( character, j )->isSkinJoint )
        {
            root = first ? j : supCommonJoint( character, root, j );
            first = false;
        }
    }
    return root;
}

static double supSurfaceOf( const supCharacter* character, const supMeshView* mesh )
{
    const supVec3* rest = (const supVec3*)supCharacter_Info( character )->restPositions + mesh->firstVertex;
    double area = 0.0;
    for ( int32_t i = 0; i + 2 < mesh->indexCount; i += 3 )
    {
        supVec3 p = rest[mesh->indices[i]], q = rest[mesh->indices[i + 1]], r = rest[mesh->indices[i + 2]];
        area += 0.5 * (double)supLength( supCross( supSub( q, p ), supSub( r, p ) ) );
    }
    return area;
}

/// Whether a mesh hangs on the joint `root` or on one below it. A node that only holds the skeleton, and has no skin
/// itself, may hold scenery beside it.
static bool supHangsOnBody( const supCharacter* character, const supMeshView* mesh, int32_t root )
{
    int32_t depth = 0;
    for ( int32_t j = mesh->joint; j >= 0; j = supCharacter_Joint( character, j )->parent )
    {
        if ( j == root )
        {
            return depth >= 2 || supCharacter_Joint( character, j )->isSkinJoint;
        }
        depth += supCharacter_Joint( character, j )->isSkinJoint ? 2 : 1;
    }
    return false;
}

/// The share of a body's surface that has no skin: plates that joints among the skin's carry. What stands beside the
/// body, such as a floor, is no part of it.
double supMeasurePlates( const supCharacter* character, int32_t* count )
{
    double skin = 0.0, plates = 0.0;
    int32_t root = supSkinRoot( character );
    *count = 0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount && root >= 0; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        bool plate = mesh.skin < 0 && supHangsOnBody( character, &mesh, root );
        skin += mesh.skin >= 0 ? supSurfaceOf( character, &mesh ) : 0.0;
        plates += plate ? supSurfaceOf( character, &mesh ) : 0.0;
        *count += plate;
    }
    return plates > 0.0 ? plates / ( skin + plates ) : 0.0;
}

bool supFindHardParts( supPlan* plan, const supAllocator* allocator )
{
    if ( !supFindRigidPieces( plan->character, allocator, plan->pieces ) )
    {
        return false;
    }
    supMarkWorn( plan );
    supMeasureHardness( plan );
    int32_t plates = 0;
    plan->plateShare = (float)supMeasurePlates( plan->character, &plates );
    return true;
}
