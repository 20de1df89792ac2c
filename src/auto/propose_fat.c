// Fat for any character: trunk and upper limbs where there are any, else all of its skin.
// SPDX-License-Identifier: MIT

#include "auto/body_plan.h"
#include "base/memory.h"
#include "rig/layer_list.h"
#include "supple/auto.h"

#include <stdio.h>
#include <string.h>

enum
{
    supMostFatNames = 96,
    supNameLetters = 160,
};

/// Beyond this share of rigid surface there is nothing to tell hard from soft by.
static const float supMostHard = 0.9f;

/// Names for the rig: joints that share one get their number.
typedef struct supFatNames
{
    int32_t count;
    char letters[supMostFatNames][supNameLetters];
    const char* names[supMostFatNames];
} supFatNames;

static void supNameJoint( supFatNames* names, const supCharacter* character, int32_t joint )
{
    const char* name = supCharacter_JointName( character, joint );
    if ( names->count == supMostFatNames || name[0] == '\0' || strlen( name ) + 16 > supNameLetters )
    {
        return;
    }
    char* own = names->letters[names->count];
    bool first = supCharacter_FindJoint( character, name ) == joint;
    snprintf( own, supNameLetters, first ? "%s" : "%s#%d", name, joint );
    for ( int32_t i = 0; i < names->count; ++i )
    {
        if ( strcmp( names->names[i], own ) == 0 )
        {
            return;
        }
    }
    names->names[names->count++] = own;
}

/// The trunk, the first stretch of every limb, and what leads there.
static void supNameSoftJoints( const supPlan* plan, supFatNames* names )
{
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        if ( plan->inTrunk[j] && plan->area[j] > 0.0f )
        {
            supNameJoint( names, plan->character, j );
        }
    }
    for ( int32_t l = 0; l < plan->limbCount; ++l )
    {
        const supPlanLimb* limb = plan->limbs + l;
        for ( int32_t s = 0; s <= limb->girdle && s < limb->segmentCount; ++s )
        {
            for ( int32_t m = 0; m < limb->segments[s].memberCount; ++m )
            {
                supNameJoint( names, plan->character, limb->segments[s].members[m] );
            }
        }
    }
}

/// Meshes that are part of the body.
static void supNameSkin( const supPlan* plan, supFatNames* names )
{
    for ( int32_t m = 0; m < supCharacter_MeshCount( plan->character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        bool known = false;
        for ( int32_t i = 0; i < names->count; ++i )
        {
            known = known || strcmp( names->names[i], mesh.name ) == 0;
        }
        if ( mesh.skin >= 0 && !plan->isWorn[m] && !known && names->count < supMostFatNames )
        {
            names->names[names->count++] = mesh.name;
        }
    }
}

supResult supProposeFat( const supCharacter* character, const supAllocator* allocator, supRig* rig, supError* error )
{
    supPlan plan;
    size_t size = 2 * sizeof( supFatNames );
    supFatNames* names = supAllocZeroed( allocator, 1, size, _Alignof( supFatNames ) );
    if ( names == NULL || !supReadPlan( character, allocator, &plan ) )
    {
        supFree( allocator, names, size );
        return supFail( error, sup_errorMemory, "no memory to look for fat" );
    }
    if ( plan.trunkCount > 0 )
    {
        supNameSoftJoints( &plan, names );
    }
    supNameSkin( &plan, names + 1 );
    supFatDef def = supDefaultFatDef();
    def.joints = ( supNameList ){ names[0].count, names[0].names };
    // one mesh for all needs no name
    bool some = names[1].count > 0 && names[1].count < supCharacter_MeshCount( character );
    def.meshes = ( supNameList ){ some ? names[1].count : 0, names[1].names };
    // a body that hangs on one bone all over, such as a mushroom's cap, is not hard for that
    def.skipRigid = plan.hardCount > 0 && plan.hardShare < supMostHard;
    def.nodes = 1500.0f;
    def.amount = 0.7f;
    supResult result = supRig_AddItem( rig, sup_layerFat, &def, error );
    supDropPlan( &plan, allocator );
    supFree( allocator, names, size );
    return result;
}
