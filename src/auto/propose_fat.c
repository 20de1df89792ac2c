// Fat for any character: trunk and upper limbs where there are any, else all of its skin.
// SPDX-License-Identifier: MIT

#include "auto/body_plan.h"
#include "auto/temper.h"
#include "base/math.h"
#include "base/memory.h"
#include "character/joint_tree.h"
#include "rig/layer_list.h"
#include "supple/auto.h"
#include "supple/lab/items.h"

#include <stdio.h>
#include <string.h>

/// Beyond this share of rigid surface there is nothing to tell hard from soft by.
static const float supMostHard = 0.9f;

/// A machine's: where more of the body than this hangs on joints without a skin, what skin there is hangs on plates.
static const double supMostPlates = 0.5;

/// Of the thickness: how far fat may be shifted, whatever the preset, and how far it sags where a rig does not say.
static const float supMostFatLimit = 0.85f, supUsualFatSag = 0.1f;

/// Words for the rig.
typedef struct supFatNames
{
    const supCharacter* character;
    int32_t jointCount, meshCount;
    const char** joints;
    const char** meshes;
    bool* isNamed;            ///< of each joint of the character
    bool tooFew;              ///< meshes cannot be told apart by name
    char* letters;            ///< of words that are not the character's own
    size_t used, letterCount; ///< of them
    void* block;
    size_t size;
} supFatNames;

enum
{
    supNumberLetters = 16
};

static bool supOpenFatNames( const supCharacter* character, const supAllocator* allocator, supFatNames* names )
{
    int32_t joints = supCharacter_Info( character )->jointCount, meshes = supCharacter_Info( character )->meshCount;
    *names = ( supFatNames ){ .character = character };
    for ( int32_t j = 0; j < joints; ++j )
    {
        names->letterCount += strlen( supCharacter_Joint( character, j )->name ) + supNumberLetters;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, names->joints, joints + 1 );
    SUP_PUT( &layout, names->meshes, meshes + 1 );
    SUP_PUT( &layout, names->isNamed, joints + 1 );
    SUP_PUT( &layout, names->letters, names->letterCount + 1 );
    names->block = supAllocLayout( allocator, &layout );
    names->size = layout.size;
    return names->block != NULL;
}

/// Joints that share a name, or have none, get their number: "name#12", "#12" (supFindJointWords).
static void supNameJoint( supFatNames* names, int32_t joint )
{
    const char* name = supCharacter_Joint( names->character, joint )->name;
    if ( names->isNamed[joint] )
    {
        return;
    }
    if ( name[0] == '\0' || supCharacter_FindJoint( names->character, name ) != joint )
    {
        char* own = names->letters + names->used;
        names->used += 1 + (size_t)snprintf( own, names->letterCount - names->used, "%s#%d", name, joint );
        name = own;
    }
    names->isNamed[joint] = true;
    names->joints[names->jointCount++] = name;
}

/// The trunk, the first stretch of every limb, and what leads there.
static void supNameSoftJoints( const supPlan* plan, supFatNames* names )
{
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        if ( plan->inTrunk[j] && plan->area[j] > 0.0f )
        {
            supNameJoint( names, j );
        }
    }
    for ( int32_t l = 0; l < plan->limbCount; ++l )
    {
        const supPlanLimb* limb = plan->limbs + l;
        for ( int32_t s = 0; s <= limb->girdle && s < limb->segmentCount; ++s )
        {
            for ( int32_t m = 0; m < limb->segments[s].memberCount; ++m )
            {
                supNameJoint( names, limb->segments[s].members[m] );
            }
        }
    }
}

static bool supIsBody( const supPlan* plan, int32_t mesh )
{
    return supCharacter_Mesh( plan->character, mesh ).skin >= 0 && !plan->isWorn[mesh];
}

/// Meshes that are part of the body, where others are worn: else all of them are meant, and need no names.
static void supNameSkin( const supPlan* plan, supFatNames* names )
{
    int32_t count = supCharacter_Info( plan->character )->meshCount;
    bool isWorn = false;
    for ( int32_t m = 0; m < count; ++m )
    {
        isWorn = isWorn || ( supCharacter_Mesh( plan->character, m ).skin >= 0 && plan->isWorn[m] );
    }
    for ( int32_t m = 0; m < count && isWorn; ++m )
    {
        const char* name = supCharacter_Mesh( plan->character, m ).name;
        int32_t first = 0; // of that name
        while ( strcmp( supCharacter_Mesh( plan->character, first ).name, name ) != 0 )
        {
            ++first;
        }
        bool body = supIsBody( plan, m );
        names->tooFew = names->tooFew || ( body && name[0] == '\0' ) || body != supIsBody( plan, first );
        if ( body && first == m )
        {
            names->meshes[names->meshCount++] = name;
        }
    }
}

/// Refuses machines: in a file of plates what has skin is hardly a body.
static supResult supRefusePlates( const supCharacter* character, supError* error )
{
    int32_t count = 0;
    double share = supMeasurePlates( character, &count );
    return share > supMostPlates
               ? supFail( error, sup_errorData,
                     "fat would not be seen: %.0f%% of the body are meshes without a skin (%d), which do not give way; a "
                     "rig by hand can name joints that carry some",
                     100.0 * share, count )
               : sup_success;
}

/// The natural one changes no number.
static void supTemperFat( supPreset preset, supFatDef* def )
{
    const supTemper* temper = supTemperOf( preset );
    def->frequency *= temper->frequency;
    def->amount *= temper->amount;
    def->dampingRatio *= temper->dampingRatio;
    def->limit = supMinF( def->limit * temper->ceiling, supMostFatLimit );
    def->sag = preset == sup_presetNatural ? def->sag : supUsualFatSag * temper->sag;
}

supResult supProposeFat( const supCharacter* character, const supMakeDef* make, supRig* rig, supError* error )
{
    return supProposeFatAs( character, sup_presetNatural, make, rig, error );
}

supResult supProposeFatAs(
    const supCharacter* character, supPreset preset, const supMakeDef* make, supRig* rig, supError* error )
{
    if ( !( (int)preset >= sup_presetSubtle && preset <= sup_presetCartoon ) )
    {
        return supFail( error, sup_errorData, "there is no preset %d", (int)preset );
    }
    const supAllocator* allocator;
    supResult opened = supOpenMakeDef( make, &allocator, error );
    if ( opened != sup_success )
    {
        return opened;
    }
    supPlan plan;
    supFatNames names;
    if ( supRefusePlates( character, error ) != sup_success )
    {
        return sup_errorData;
    }
    if ( !supOpenFatNames( character, allocator, &names ) )
    {
        return supFail( error, sup_errorMemory, "no memory to look for fat" );
    }
    if ( !supReadPlan( character, NULL, allocator, &plan ) )
    {
        supFree( allocator, names.block, names.size );
        return supFail( error, sup_errorMemory, "no memory to look for fat" );
    }
    if ( plan.trunkCount > 0 )
    {
        supNameSoftJoints( &plan, &names );
    }
    supNameSkin( &plan, &names );
    supFatDef def = supDefaultFatDef();
    def.joints = ( supNameList ){ names.jointCount, names.joints };
    def.meshes = ( supNameList ){ names.tooFew ? 0 : names.meshCount, names.meshes };
    // a body that hangs on one bone all over, such as a mushroom's cap, is not hard for that; what is worn is, where
    // names cannot tell it from the body
    def.skipRigid = ( plan.hardCount > 0 && plan.hardShare < supMostHard ) || names.tooFew;
    def.nodes = 1500.0f;
    def.amount = 0.7f;
    if ( supRig_ItemCount( rig, sup_layerMuscles ) > 0 )
    {
        // thinner than on bones, and its slowest vibration is a fold's or a breast's: all else is stiffer than that
        def.frequency = 2.5f;
        def.amount = 0.9f;
    }
    supTemperFat( preset, &def );
    supResult result = supRig_AddItem( rig, sup_layerFat, &def, error );
    supDropPlan( &plan, allocator );
    supFree( allocator, names.block, names.size );
    return result;
}
