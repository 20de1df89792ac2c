// More than one body in a file: the largest is read, the others are left alone.
// SPDX-License-Identifier: MIT
//
// Joints belong together where a mesh hangs on both, or where both hang on a joint that is not just the file's root.
// What hangs together in itself and not with the rest is a second body, unless its skeleton is a copy of the first
// one's: clothes are often exported with a skeleton of their own that stands where the body's does.

#include "auto/body_plan.h"
#include "base/math.h"
#include "base/memory.h"
#include "base/unions.h"

/// A joint is a copy of another one this near to it. Share of the size.
static const float supCopied = 0.01f;
/// A group of which this share is copied is worn by the body.
static const float supMostCopied = 0.5f;
/// What hangs on one joint is scenery rather than a body, beside what hangs on several: it counts this much less.
static const float supSceneryCount = 1e-3f;

static int32_t supFirstJoint( const supPlan* plan, const supMeshView* mesh )
{
    return supCharacter_Info( plan->character )->paletteJoints[mesh->firstPalette + mesh->jointIndices[0]];
}

static bool supHasSkin( const supMeshView* mesh )
{
    return mesh->skin >= 0 && mesh->vertexCount > 0 && mesh->influenceCount > 0;
}

static void supGroupJoints( const supPlan* plan, int32_t* groups )
{
    const int32_t* palette = supCharacter_Info( plan->character )->paletteJoints;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        groups[j] = j;
    }
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        for ( int32_t i = 0; supHasSkin( &mesh ) && i < mesh.vertexCount * mesh.influenceCount; ++i )
        {
            if ( mesh.weights[i] > 0.0f )
            {
                supJoinRoots( groups, palette[mesh.firstPalette + mesh.jointIndices[i]], supFirstJoint( plan, &mesh ) );
            }
        }
    }
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        const supJointView* joint = supCharacter_Joint( plan->character, j );
        for ( int32_t up = joint->isSkinJoint ? joint->parent : -1; up >= 0; )
        {
            // on a root without skin all that is in a file may hang
            const supJointView* above = supCharacter_Joint( plan->character, up );
            if ( above->isSkinJoint || above->parent >= 0 )
            {
                supJoinRoots( groups, j, up );
            }
            up = above->parent;
        }
    }
}

/// Whether a mesh hangs on more than one joint.
static bool supBends( const supPlan* plan, const supMeshView* mesh )
{
    const int32_t* palette = supCharacter_Info( plan->character )->paletteJoints + mesh->firstPalette;
    for ( int32_t i = 0; i < mesh->vertexCount * mesh->influenceCount; ++i )
    {
        if ( mesh->weights[i] > 0.0f && palette[mesh->jointIndices[i]] != supFirstJoint( plan, mesh ) )
        {
            return true;
        }
    }
    return false;
}

/// The group with most skin, by its number; `areas`: room for one a joint. A floor or a stand is no body, however large
/// it is: what hangs on several joints goes before.
static int32_t supLargestGroup( const supPlan* plan, int32_t* groups, float* areas )
{
    int32_t largest = -1;
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        float count = supHasSkin( &mesh ) && supBends( plan, &mesh ) ? 1.0f : supSceneryCount;
        for ( int32_t v = 0; supHasSkin( &mesh ) && v < mesh.vertexCount; ++v )
        {
            int32_t group = supFindRoot( groups, supFirstJoint( plan, &mesh ) );
            areas[group] += count * plan->vertexArea[mesh.firstVertex + v];
            largest = largest < 0 || areas[group] > areas[largest] ? group : largest;
        }
    }
    return largest;
}

/// Whether a group's joints stand where those of the largest one do.
static bool supIsCopy( const supPlan* plan, int32_t* groups, int32_t group, int32_t largest )
{
    int32_t all = 0, copied = 0;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        if ( supFindRoot( groups, j ) != group || !supCharacter_Joint( plan->character, j )->isSkinJoint )
        {
            continue;
        }
        bool near = false;
        for ( int32_t k = 0; k < plan->jointCount && !near; ++k )
        {
            near = supFindRoot( groups, k ) == largest &&
                   supDistance( supPlan_Joint( plan, j ), supPlan_Joint( plan, k ) ) < supCopied * plan->size;
        }
        all += 1;
        copied += near;
    }
    return (float)copied >= supMostCopied * (float)all;
}

bool supSetOthersAside( supPlan* plan, const supAllocator* allocator )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, int32_t, groups, plan->jointCount + 1 );
    SUP_PUT_NEW( &layout, float, areas, plan->jointCount + 1 );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    supGroupJoints( plan, groups );
    int32_t largest = supLargestGroup( plan, groups, areas );
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        int32_t group = supHasSkin( &mesh ) ? supFindRoot( groups, supFirstJoint( plan, &mesh ) ) : largest;
        if ( group != largest && !supIsCopy( plan, groups, group, largest ) )
        {
            plan->isWorn[m] = true;
            plan->otherMeshes += 1;
            for ( int32_t v = 0; v < mesh.vertexCount; ++v )
            {
                plan->vertexArea[mesh.firstVertex + v] = 0.0f; // it counts nowhere
            }
        }
    }
    supFree( allocator, block, layout.size );
    return true;
}
