// Hard parts: armour, buckles, helmets, eyes, swords.
// SPDX-License-Identifier: MIT
//
// Skin passes from joint to joint. A whole mesh that hangs on one joint alone is a thing that is worn or carried: it
// counts as no skin, and elements leave it out by its name. Where most of a character is made that way (a body of one
// bone, a doll of blocks) this tells nothing, and nothing is taken for hard.

#include "auto/body_plan.h"
#include "base/math.h"

#include <string.h>

/// Rigid: this much of every vertex's weight is on the one joint.
static const float supRigid = 0.99f;
/// Hard parts cover less than this share of all skin, or there are none.
static const float supMostHard = 0.5f;

/// The one joint that all of a mesh hangs on, or -1.
static int32_t supOnlyJoint( const supPlan* plan, const supMeshView* mesh )
{
    const int32_t* joints = supCharacter_PaletteJoints( plan->character ) + mesh->firstPalette;
    if ( mesh->skin < 0 || mesh->vertexCount == 0 )
    {
        return -1;
    }
    int32_t only = joints[mesh->jointIndices[0]];
    for ( int32_t v = 0; v < mesh->vertexCount; ++v )
    {
        int32_t first = v * mesh->influenceCount; // influences stand by falling weight
        if ( mesh->weights[first] < supRigid || joints[mesh->jointIndices[first]] != only )
        {
            return -1;
        }
    }
    return only;
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

/// Whether a name stands for hard meshes alone: then they can be left out by it.
static bool supNamesHardOnly( const supPlan* plan, const char* name, bool material )
{
    for ( int32_t m = 0; m < supCharacter_MeshCount( plan->character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        if ( strcmp( material ? mesh.material : mesh.name, name ) == 0 && plan->hard[m].joint < 0 )
        {
            return false;
        }
    }
    return name[0] != 0;
}

void supFindHardParts( supPlan* plan )
{
    float all = 0.0f, hard = 0.0f;
    int32_t meshCount = supCharacter_MeshCount( plan->character );
    for ( int32_t m = 0; m < meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        float area = supMeshArea( plan, &mesh );
        plan->hard[m] = ( supHardPart ){ .joint = supOnlyJoint( plan, &mesh ) };
        all += area;
        hard += plan->hard[m].joint >= 0 ? area : 0.0f;
    }
    for ( int32_t m = 0; m < meshCount && hard >= supMostHard * all; ++m )
    {
        plan->hard[m].joint = -1;
    }
    for ( int32_t m = 0; m < meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        supHardPart* part = plan->hard + m;
        bool known = part->joint >= 0;
        part->mesh = known && supNamesHardOnly( plan, mesh.name, false ) ? mesh.name : NULL;
        part->material =
            known && part->mesh == NULL && supNamesHardOnly( plan, mesh.material, true ) ? mesh.material : NULL;
    }
    for ( int32_t m = 0; m < meshCount; ++m )
    {
        supHardPart* part = plan->hard + m;
        part->joint = part->mesh != NULL || part->material != NULL ? part->joint : -1;
    }
}
