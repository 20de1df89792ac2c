// The takes' flesh, and all layers of a model, as something that moves skin.
// SPDX-License-Identifier: MIT

#include "bake/morph_data.h"
#include "bake/normal_turns.h"
#include "bake/take_data.h"
#include "character/skin_blend.h"

#include <string.h>

/// Element by element: both its vertices and those of the source rise.
static void supFleshMoves( int32_t take, double time, const supMat34* joints, supVec3* moves, void* user )
{
    (void)joints;
    const supMorphBakeDef* def = user;
    const supFlesh* flesh = def->model->flesh;
    memset( moves, 0, sizeof( supVec3 ) * (size_t)flesh->touchedCount );
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        const supFleshElement* element = flesh->elements + e;
        supVec3 u = supToFloat( supTakeElement( def->takes[take], e, time, NULL ) );
        int32_t row = 0;
        for ( int32_t i = element->first; i < element->first + element->count; ++i )
        {
            while ( row < flesh->touchedCount && flesh->touched[row] < flesh->vertices[i] )
            {
                ++row;
            }
            if ( row < flesh->touchedCount && flesh->touched[row] == flesh->vertices[i] )
            {
                moves[row] = supMulAdd( moves[row], flesh->weights[i], u );
            }
        }
    }
}

/// Turned as the living skin turns them. Zeros where there is no memory or no normal.
static void supFleshNormals( int32_t take, double time, const supMat34* joints, supVec3* normals, void* user )
{
    const supMorphBakeDef* def = user;
    const supFlesh* flesh = def->model->flesh;
    const supCharacter* character = def->model->character;
    supLayout layout = supMakeLayout();
    size_t atPalette = SUP_LAYOUT_ARRAY( &layout, supMat34, supCharacter_PaletteCount( character ) );
    size_t atShown = SUP_LAYOUT_ARRAY( &layout, supVec3, flesh->elementCount + 1 );
    char* block = supAllocLayout( def->allocator, &layout );
    memset( normals, 0, sizeof( supVec3 ) * (size_t)flesh->touchedCount );
    if ( block == NULL )
    {
        return;
    }
    supMat34* palette = (supMat34*)( block + atPalette );
    supVec3* shown = (supVec3*)( block + atShown );
    supCharacter_Palette( character, joints, palette );
    supTake_Elongations( def->takes[take], time, shown );
    int32_t mesh = 0;
    supMeshView view = supCharacter_Mesh( character, 0 );
    for ( int32_t row = 0; row < flesh->touchedCount; ++row )
    {
        while ( flesh->touched[row] >= view.firstVertex + view.vertexCount )
        {
            view = supCharacter_Mesh( character, ++mesh );
        }
        size_t vertex = (size_t)( flesh->touched[row] - view.firstVertex );
        if ( view.normals != NULL )
        {
            const float* n = view.normals + 3 * vertex;
            size_t at = vertex * (size_t)view.influenceCount;
            supMat34d m = supBlendLinear(
                palette + view.firstPalette, view.influenceCount, view.jointIndices + at, view.weights + at );
            supVec3d smooth = supSkinnedNormal( m, ( supVec3d ){ n[0], n[1], n[2] } );
            normals[row] = supFlesh_LivingNormal( flesh, row, m, shown, supToFloat( smooth ) );
        }
    }
    supFree( def->allocator, block, layout.size );
}

static supMorphSource supFleshMorphSource( const supMorphBakeDef* def )
{
    const supFlesh* flesh = def->model->flesh;
    return ( supMorphSource ){ flesh->touchedCount, flesh->touched, supFleshMoves, supFleshNormals, (void*)def };
}

// ---------------------------------------------------------------------------------------------------------------
// All layers

/// A body at a time of a take, in one block with room for its skin.
typedef struct supStackMoment
{
    char* block;
    size_t blockSize;
    supBody* body;
    supVec3 *living, *other; ///< one a vertex
} supStackMoment;

/// Meshes that the file itself morphs are morphed before any layer sees them.
static void supMorphMoment( const supMorphBakeDef* def, int32_t take, double time, supBody* body )
{
    supPose* pose = NULL;
    if ( supCharacter_MorphWeightCount( def->model->character ) > 0 &&
         supCreatePose( def->model->character, def->allocator, &pose, NULL ) == sup_success )
    {
        supPose_Sample( pose, def->takes[take]->clip, time );
        supBody_SetMorphWeights( body, supPose_MorphWeights( pose ) );
        supDestroyPose( pose );
    }
}

/// False: no memory.
static bool supMakeMoment(
    supStackMoment* moment, const supMorphBakeDef* def, int32_t take, double time, const supMat34* joints )
{
    int32_t vertices = supCharacter_VertexCount( def->model->character );
    supLayout layout = supMakeLayout();
    size_t atLiving = SUP_LAYOUT_ARRAY( &layout, supVec3, vertices );
    size_t atOther = SUP_LAYOUT_ARRAY( &layout, supVec3, vertices );
    size_t atBody = supLayoutAdd( &layout, supBody_MemorySize( def->model ), SUP_MAX_ALIGNMENT );
    *moment = ( supStackMoment ){ .block = supAllocLayout( def->allocator, &layout ), .blockSize = layout.size };
    if ( moment->block == NULL )
    {
        return false;
    }
    moment->living = (supVec3*)( moment->block + atLiving );
    moment->other = (supVec3*)( moment->block + atOther );
    supInitBody( moment->block + atBody, layout.size - atBody, def->model, &moment->body, NULL );
    supBody_SetExact( moment->body, true ); // the same bits everywhere
    supMorphMoment( def, take, time, moment->body );
    supTake_Show( def->takes[take], time, joints, moment->body );
    return true;
}

static void supStackMoves( int32_t take, double time, const supMat34* joints, supVec3* moves, void* user )
{
    const supMorphBakeDef* def = user;
    const supStack* stack = &def->model->stack;
    supStackMoment moment;
    memset( moves, 0, sizeof( supVec3 ) * (size_t)stack->movedCount );
    if ( supMakeMoment( &moment, def, take, time, joints ) )
    {
        supBody_Skin( moment.body, &moment.living->x, NULL );
        supBody_SmoothSkin( moment.body, &moment.other->x, NULL );
        for ( int32_t i = 0; i < stack->movedCount; ++i )
        {
            moves[i] = supSub( moment.living[stack->moved[i]], moment.other[stack->moved[i]] );
        }
        supFree( def->allocator, moment.block, moment.blockSize );
    }
}

static void supStackNormals( int32_t take, double time, const supMat34* joints, supVec3* normals, void* user )
{
    const supMorphBakeDef* def = user;
    const supStack* stack = &def->model->stack;
    supStackMoment moment;
    memset( normals, 0, sizeof( supVec3 ) * (size_t)stack->movedCount );
    if ( supMakeMoment( &moment, def, take, time, joints ) )
    {
        supBody_Skin( moment.body, &moment.living->x, &moment.other->x );
        for ( int32_t i = 0; i < stack->movedCount; ++i )
        {
            normals[i] = moment.other[stack->moved[i]];
        }
        supFree( def->allocator, moment.block, moment.blockSize );
    }
}

supMorphSource supModelMorphSource( const supMorphBakeDef* def )
{
    const supStack* stack = &def->model->stack;
    return stack->count == 0
               ? supFleshMorphSource( def )
               : ( supMorphSource ){ stack->movedCount, stack->moved, supStackMoves, supStackNormals, (void*)def };
}
