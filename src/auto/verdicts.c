// From sketch to rig, and a word about every joint.
// SPDX-License-Identifier: MIT

#include "auto/propose.h"
#include "base/float_settings.h"
#include "base/math.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

#define SUP_PROPOSE_COOKIE 0x50524f50

/// What a part's role means for its joints, where no element carries them.
static supRegion supRegionOfRole( const supPlan* plan, int32_t joint )
{
    int32_t part = plan->graph->partOf[joint];
    supBodyKind kind = plan->reading.kind;
    if ( plan->area[joint] <= 0.0f || part < 0 )
    {
        // the skin of another body
        bool other = plan->otherMeshes > 0 && supCharacter_Joint( plan->character, joint )->isSkinJoint;
        return other ? sup_regionOther : sup_regionNone;
    }
    switch ( plan->roles[part] )
    {
        case sup_partTrunk:
        case sup_partHelper:
            return kind == sup_bodyMachine ? sup_regionHard : sup_regionBelly;
        case sup_partLimb:
            return kind == sup_bodyMachine ? sup_regionHard : sup_regionExtremity;
        case sup_partHead:
            return sup_regionHead;
        case sup_partTail:
            return sup_regionTail;
        case sup_partFin:
            return kind == sup_bodyMachine ? sup_regionHard : sup_regionFin;
        default:
            // a leg that has no twin is one all the same
            return kind == sup_bodyManyLegged ? sup_regionFin : sup_regionOther;
    }
}

static bool supIsLimbRegion( supRegion region )
{
    return region >= sup_regionThigh && region <= sup_regionForearm;
}

static void supJudgeJoints( const supSketch* sketch, supRegion* regions, int32_t* carriers )
{
    const supPlan* plan = &sketch->plan;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        carriers[j] = -1;
        regions[j] = supRegionOfRole( plan, j );
    }
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        const supPlanLimb* limb = plan->limbs + i;
        for ( int32_t s = 0; s < limb->segmentCount && s < limb->girdle + 2; ++s )
        {
            supRegion upper = limb->isLeg ? sup_regionThigh : sup_regionUpperArm;
            supRegion lower = limb->isLeg ? sup_regionCalf : sup_regionForearm;
            for ( int32_t k = 0; k < limb->segments[s].memberCount; ++k )
            {
                regions[limb->segments[s].members[k]] = s < limb->girdle    ? sup_regionBelly
                                                        : s == limb->girdle ? upper
                                                                            : lower;
            }
        }
    }
    for ( int32_t e = sketch->count - 1; e >= 0; --e )
    {
        const supSketchElement* element = sketch->elements + e;
        for ( int32_t k = 0; k < element->joints.count; ++k )
        {
            int32_t joint = element->joints.joints[k];
            // a trunk's flesh reaches onto the limbs, which keep their own verdict; front legs have upper arms
            bool limb = supIsLimbRegion( regions[joint] );
            bool own = !limb || supIsLimbRegion( element->region ) || element->region == sup_regionBody;
            carriers[joint] = own ? e : carriers[joint];
            regions[joint] = own ? element->region : regions[joint];
        }
    }
    // a bone that flesh swings about carries it, and skin that is blended with a neighbour's moves with its flesh
    for ( int32_t e = sketch->count - 1; e >= 0; --e )
    {
        int32_t driver = sketch->elements[e].driver;
        bool bare = carriers[driver] < 0 && plan->area[driver] > 0.0f;
        carriers[driver] = bare ? e : carriers[driver];
        regions[driver] = bare ? sketch->elements[e].region : regions[driver];
    }
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        bool moves = carriers[j] < 0 && sketch->moved[j] >= 0;
        carriers[j] = moves ? sketch->moved[j] : carriers[j];
        regions[j] = moves ? sketch->elements[sketch->moved[j]].region : regions[j];
    }
}

/// Skin that is hard by the name of its material, on each joint; what is a hard piece anyhow was measured before.
static void supAddHardMaterials( const supSketch* sketch, float* areas )
{
    const supPlan* plan = &sketch->plan;
    const int32_t* joints = supCharacter_Info( plan->character )->paletteJoints;
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        for ( int32_t v = 0; v < mesh.vertexCount && mesh.skin >= 0 && supIsSkippedMaterial( sketch, mesh.material );
              ++v )
        {
            int32_t vertex = mesh.firstVertex + v;
            for ( int32_t i = 0; i < mesh.influenceCount && plan->pieces[vertex] < 0; ++i )
            {
                int32_t at = v * mesh.influenceCount + i;
                areas[joints[mesh.firstPalette + mesh.jointIndices[at]]] += mesh.weights[at] * plan->vertexArea[vertex];
            }
        }
    }
}

static supProposal* supMakeProposal( const supSketch* sketch, const supAllocator* allocator )
{
    size_t letters = 0;
    for ( int32_t e = 0; e < sketch->count; ++e )
    {
        letters += strlen( sketch->elements[e].def.name ) + 1;
    }
    supLayout layout = supMakeLayout();
    const supPlan* plan = &sketch->plan;
    SUP_PUT_NEW( &layout, supProposal, proposal, 1 );
    SUP_PUT_NEW( &layout, supProposedElement, elements, sketch->count );
    SUP_PUT_NEW( &layout, supRegion, regions, plan->jointCount );
    SUP_PUT_NEW( &layout, int32_t, carriers, plan->jointCount );
    SUP_PUT_NEW( &layout, float, shares, plan->jointCount );
    SUP_PUT_NEW( &layout, bool, unwanted, plan->jointCount );
    SUP_PUT_NEW( &layout, char, names, letters );
    if ( supAllocLayout( allocator, &layout ) == NULL )
    {
        return NULL;
    }
    for ( int32_t e = 0; e < sketch->count; ++e )
    {
        const supSketchElement* from = sketch->elements + e;
        size_t length = strlen( from->def.name ) + 1;
        elements[e] = ( supProposedElement ){ .name = memcpy( names, from->def.name, length ),
            .region = from->region,
            .side = from->side,
            .center = from->center,
            .origin = from->origin,
            .ceiling = from->ceiling,
            .typical = from->typical,
            .peak = from->peak,
            .typicalClip = from->typicalClip,
            .peakClip = from->peakClip };
        names += length;
    }
    memcpy( shares, plan->hardArea, sizeof( float ) * (size_t)plan->jointCount );
    supAddHardMaterials( sketch, shares );
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        // what is worn counts as hard alone
        float all = supMaxF( plan->area[j], shares[j] );
        shares[j] = all > 0.0f ? shares[j] / all : 0.0f;
    }
    memcpy( unwanted, sketch->unwanted, sizeof( bool ) * (size_t)plan->jointCount );
    supJudgeJoints( sketch, regions, carriers );
    *proposal = ( supProposal ){ .body = plan->reading,
        .elementCount = sketch->count,
        .jointCount = plan->jointCount,
        .elements = elements,
        .regions = regions,
        .carriers = carriers,
        .hardShares = shares,
        .unwanted = unwanted,
        .hardCount = plan->hardCount,
        .hardShare = plan->hardShare,
        .allocator = supKeepAllocator( allocator ),
        .blockSize = layout.size };
    return proposal;
}

void supDestroyProposal( supProposal* proposal )
{
    if ( proposal != NULL )
    {
        supAllocator allocator = proposal->allocator;
        supFree( &allocator, proposal, proposal->blockSize );
    }
}

static supResult supPropose(
    supSketch* sketch, const supProposeDef* def, supRig** out, supProposal** proposal, supError* error )
{
    supSketchRig( sketch );
    supResult result = supFinishRig( sketch, def, out, error );
    if ( result == sup_success && proposal != NULL )
    {
        *proposal = supMakeProposal( sketch, def->allocator );
        if ( *proposal == NULL )
        {
            supDestroyRig( *out );
            *out = NULL;
            result =
                supFail( error, sup_errorMemory, "no memory for the words about %d joints", sketch->plan.jointCount );
        }
    }
    return result;
}

/// Room for the names of all joints with their numbers.
static size_t supCountLetters( const supCharacter* character )
{
    size_t count = 0;
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        count += strlen( supCharacter_Joint( character, j )->name ) + supNumberLetters;
    }
    return count;
}

supProposeDef supDefaultProposeDef( void )
{
    supProposeDef def = { .preset = sup_presetNatural, .kind = -1, .cookie = SUP_PROPOSE_COOKIE };
    for ( int32_t region = 0; region < sup_regionCount; ++region )
    {
        def.regions[region] = def.sides[sup_sideMiddle][region] = 1.0f;
        def.sides[sup_sideLeft][region] = def.sides[sup_sideRight][region] = 1.0f;
    }
    return def;
}

supResult supProposeRigWith(
    const supCharacter* character, const supProposeDef* def, supRig** out, supProposal** proposal, supError* error )
{
    *out = NULL;
    if ( proposal != NULL )
    {
        *proposal = NULL;
    }
    const supProposeDef own = supDefaultProposeDef();
    def = def != NULL ? def : &own;
    if ( def->cookie != SUP_PROPOSE_COOKIE )
    {
        return supFail( error, sup_errorArgument, "the def was not made by supDefaultProposeDef" );
    }
    const supAllocator* allocator = def->allocator;
    int32_t joints = supCharacter_Info( character )->jointCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supSketch, sketch, 1 );
    SUP_PUT_NEW( &layout, const char*, spelled, joints );
    SUP_PUT_NEW( &layout, char, letters, supCountLetters( character ) );
    SUP_PUT_NEW( &layout, bool, unwanted, joints );
    SUP_PUT_NEW( &layout, int32_t, moved, joints );
    supAllocLayout( allocator, &layout );
    bool planned = sketch != NULL && supReadPlan( character, def, allocator, &sketch->plan );
    supResult result =
        planned ? sup_success : supFail( error, sup_errorMemory, "no memory to look at %d joints", joints );
    if ( planned )
    {
        sketch->spelled = spelled;
        sketch->letters = letters;
        sketch->unwanted = unwanted;
        sketch->moved = moved;
        for ( int32_t j = 0; j < joints; ++j )
        {
            moved[j] = -1;
        }
        supFloatSettings host = supEnterFloatSettings();
        result = supPropose( sketch, def, out, proposal, error );
        supLeaveFloatSettings( host );
        supDropPlan( &sketch->plan, allocator );
    }
    supFree( allocator, sketch, layout.size );
    return result;
}

supResult supReadBody( const supCharacter* character, const supProposeDef* def, supBodyReading* out, supError* error )
{
    supPlan plan;
    const supAllocator* allocator = def != NULL ? def->allocator : NULL;
    if ( !supReadPlan( character, def, allocator, &plan ) )
    {
        return supFail(
            error, sup_errorMemory, "no memory to look at %d joints", supCharacter_Info( character )->jointCount );
    }
    *out = plan.reading;
    supDropPlan( &plan, allocator );
    return sup_success;
}

supResult supProposeRig( const supCharacter* character, supPreset preset, supRig** out, supError* error )
{
    supProposeDef def = supDefaultProposeDef();
    def.preset = preset;
    return supProposeRigWith( character, &def, out, NULL, error );
}
