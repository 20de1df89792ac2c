// Hard parts: armour, belts, buckles, helmets, eyes, pistons, swords.
// SPDX-License-Identifier: MIT
//
// A piece of the surface that hangs on its joints by the same weights all over is hard, whether it shares its mesh and
// material with skin or not (rigid_pieces.h). It carries no flesh: elements are given `skipRigid`, which finds the same
// pieces again by the same rule, so that no list of vertices stands in the rig and none has to be renewed for another
// version of the mesh. A limb that is made of such pieces is a machine's, and gets none at all.
//
// The skeleton of a robot is that of a body all the same, so hard pieces count where bones are looked for; but not what
// is only worn or carried, a whole mesh on one joint: a sword is no forearm. Where most of a character is made of such
// meshes (a doll of blocks), they are its body.

#include "auto/body_plan.h"
#include "base/math.h"
#include "character/rigid_pieces.h"

/// Worn: this much of every vertex's weight is on the one joint.
static const float supRigid = 0.99f;
/// What is worn covers less than this share of all skin, or nothing is.
static const float supMostWorn = 0.5f;

/// Whether all of a mesh is hard and hangs on one joint.
static bool supHangsOnOne( const supPlan* plan, const supMeshView* mesh )
{
    const int32_t* joints = supCharacter_PaletteJoints( plan->character ) + mesh->firstPalette;
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

static void supMarkWorn( supPlan* plan )
{
    float all = 0.0f, worn = 0.0f;
    int32_t meshCount = supCharacter_MeshCount( plan->character );
    for ( int32_t m = 0; m < meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        float area = supMeshArea( plan, &mesh );
        plan->isWorn[m] = supHangsOnOne( plan, &mesh );
        all += area;
        worn += plan->isWorn[m] ? area : 0.0f;
    }
    for ( int32_t m = 0; m < meshCount && worn >= supMostWorn * all; ++m )
    {
        plan->isWorn[m] = false;
    }
}

static void supMeasureHardness( supPlan* plan )
{
    const int32_t* joints = supCharacter_PaletteJoints( plan->character );
    float all = 0.0f, hard = 0.0f;
    for ( int32_t m = 0; m < supCharacter_MeshCount( plan->character ); ++m )
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

bool supFindHardParts( supPlan* plan, const supAllocator* allocator )
{
    if ( !supFindRigidPieces( plan->character, allocator, plan->pieces ) )
    {
        return false;
    }
    supMarkWorn( plan );
    supMeasureHardness( plan );
    return true;
}
