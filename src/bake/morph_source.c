// The takes' flesh, and all layers of a model, as something that moves skin.
// SPDX-License-Identifier: MIT

#include "bake/error_plan.h"
#include "bake/morph_data.h"
#include "bake/take_data.h"
#include "body/body_data.h"
#include "character/skin_blend.h"
#include "supple/lab/measures.h"

#include <string.h>

supMorphSource supModelMorphSource( const supModel* model )
{
    const supSkinOffsets* offsets = &model->offsets;
    const supStack* stack = &model->stack;
    bool alone = stack->applyCount == 0;
    return ( supMorphSource ){ .vertexCount = alone ? offsets->touchedCount : stack->movedCount,
        .vertices = alone ? offsets->touched : stack->moved };
}

bool supMakeMorphMoment( supMorphMoment* moment, const supMorphBakeDef* def )
{
    const supCharacter* character = def->model->character;
    bool alone = def->model->stack.applyCount == 0;
    int32_t vertices = alone ? 0 : supCharacter_Info( character )->vertexCount;
    supLayout layout = supMakeLayout();
    size_t bodySize = alone ? 0 : supBody_MemorySize( def->model );
    *moment = ( supMorphMoment ){ 0 };
    SUP_PUT( &layout, moment->shown, def->model->offsets.elementCount + 1 );
    SUP_PUT( &layout, moment->living, vertices );
    SUP_PUT( &layout, moment->other, vertices );
    char* body = NULL;
    SUP_PUT_BYTES( &layout, body, bodySize );
    moment->block = supAllocLayout( def->allocator, &layout );
    moment->blockSize = layout.size;
    if ( moment->block == NULL )
    {
        return false;
    }
    if ( !alone )
    {
        supInitBody( body, bodySize, def->model, &moment->body, NULL );
        supBody_SetExact( moment->body, true ); // the same bits everywhere
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Offsets of the skinning pass alone

/// Element by element: both its vertices and those of the source rise.
static void supOffsetMoves( const supTake* take, double time, supVec3* moves )
{
    const supSkinOffsets* offsets = &take->model->offsets;
    memset( moves, 0, sizeof( supVec3 ) * (size_t)offsets->touchedCount );
    for ( int32_t e = 0; e < offsets->elementCount; ++e )
    {
        const supElementView* element = offsets->elements + e;
        supVec3 u = supToFloat( supTakeSwingState( take, e, time, NULL ) );
        int32_t row = 0;
        for ( int32_t i = 0; i < element->vertexCount; ++i )
        {
            while ( row < offsets->touchedCount && offsets->touched[row] < element->vertices[i] )
            {
                ++row;
            }
            if ( row < offsets->touchedCount && offsets->touched[row] == element->vertices[i] )
            {
                moves[row] = supMulAdd( moves[row], element->weights[i], u );
            }
        }
    }
}

/// Turned as the living skin turns them; zeros where there is no normal.
static void supOffsetNormals(
    const supTake* take, double time, const supMat34* palette, supVec3* shown, supVec3* normals )
{
    const supSkinOffsets* offsets = &take->model->offsets;
    const supCharacter* character = take->model->character;
    memset( normals, 0, sizeof( supVec3 ) * (size_t)offsets->touchedCount );
    supTake_Elongations( take, time, shown );
    int32_t mesh = -1; // there may be none
    supMeshView view = { 0 };
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        while ( offsets->touched[row] >= view.firstVertex + view.vertexCount )
        {
            view = supCharacter_Mesh( character, ++mesh );
        }
        size_t vertex = (size_t)( offsets->touched[row] - view.firstVertex );
        if ( view.normals != NULL )
        {
            const float* n = view.normals + 3 * vertex;
            size_t at = vertex * (size_t)view.influenceCount;
            supMat34d m = supBlendLinear(
                palette + view.firstPalette, view.influenceCount, view.jointIndices + at, view.weights + at );
            supVec3d smooth = supSkinnedNormal( m, ( supVec3d ){ n[0], n[1], n[2] } );
            normals[row] = supSkinOffsets_LivingNormal( offsets, row, m, shown, supToFloat( smooth ) );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// All layers

/// The body as the take has it. Meshes that the file itself morphs are morphed before any layer sees them.
static void supShowMoment( supMorphMoment* moment, const supTake* take, double time, const supPose* pose )
{
    supBody_SetMorphWeights( moment->body, supPose_MorphWeights( pose ) );
    supTake_Show( take, time, supPose_Joints( pose ), moment->body );
}

void supMorphMoment_Moves(
    supMorphMoment* moment, const supTake* take, double time, const supPose* pose, supVec3* moves )
{
    if ( moment->body == NULL )
    {
        supOffsetMoves( take, time, moves );
        return;
    }
    const supStack* stack = &take->model->stack;
    supShowMoment( moment, take, time, pose );
    supBody_Skin( moment->body, &moment->living->x, NULL );
    supBody_SmoothSkin( moment->body, &moment->other->x, NULL );
    for ( int32_t i = 0; i < stack->movedCount; ++i )
    {
        moves[i] = supSub( moment->living[stack->moved[i]], moment->other[stack->moved[i]] );
    }
}

void supMorphMoment_Normals( supMorphMoment* moment, const supTake* take, double time, const supPose* pose,
    const supMat34* palette, supVec3* normals )
{
    if ( moment->body == NULL )
    {
        supOffsetNormals( take, time, palette, moment->shown, normals );
        return;
    }
    const supStack* stack = &take->model->stack;
    supShowMoment( moment, take, time, pose );
    memset( moment->other, 0, sizeof( supVec3 ) * (size_t)supCharacter_Info( take->model->character )->vertexCount );
    supBody_Skin( moment->body, &moment->living->x, &moment->other->x );
    for ( int32_t i = 0; i < stack->movedCount; ++i )
    {
        normals[i] = moment->other[stack->moved[i]];
    }
}
