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
#include "base/math.h"
#include "character/character_data.h"
#include "character/joint_tree.h"

/// Worn: this much of every vertex's weight is on the one joint.
static const float supRigid = 0.99f;
/// What is worn covers less than this share of all skin, or nothing is.
static const float supMostWorn = 0.5f;

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

/// Whether other meshes have skin on the joint that a mesh hangs on.
static bool supIsBesideSkin( const supPlan* plan, int32_t index )
{
    supMeshView mesh = supCharacter_Mesh( plan->character, index );
    const int32_t* palette = supCharacter_Info( plan->character )->paletteJoints;
    int32_t joint = palette[mesh.firstPalette + mesh.jointIndices[0]];
    float beside = 0.0f, own = supMeshArea( plan, &mesh );
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView other = supCharacter_Mesh( plan->character, m );
        for ( int32_t i = 0; i < other.vertexCount * other.influenceCount && other.skin >= 0 && !plan->isWorn[m]; ++i )
        {
            bool there = palette[other.firstPalette + other.jointIndices[i]] == joint;
            beside += there ? other.weights[i] * plan->vertexArea[other.firstVertex + i / other.influenceCount] : 0.0f;
        }
    }
    return beside > 0.1f * own;
}

static void supMarkWorn( supPlan* plan )
{
    float all = 0.0f, worn = 0.0f;
    int32_t meshCount = supCharacter_Info( plan->character )->meshCount;
    for ( int32_t m = 0; m < meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        float area = supMeshArea( plan, &mesh );
        bool other = plan->isWorn[m]; // of another body
        plan->isWorn[m] = other || supHangsOnOne( plan, &mesh );
        all += area;
        worn += plan->isWorn[m] ? area : 0.0f;
    }
    for ( int32_t m = 0; m < meshCount; ++m )
    {
        // a head that is a mesh of its own is a part of the body: nothing else is on its joint
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        bool other = plan->isWorn[m] && supMeshArea( plan, &mesh ) <= 0.0f;
        plan->isWorn[m] = other || ( plan->isWorn[m] && worn < supMostWorn * all && supIsBesideSkin( plan, m ) );
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
        bool plate = mesh.skin < 0 && supIsUnderJoint( character, mesh.joint, root );
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
