// A character and a rig, compiled.
// SPDX-License-Identifier: MIT

#include "base/math.h"
#include "base/memory.h"
#include "rig/model_data.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Helper joints

void supShareWithHelpers( float weight, float helperGain, int32_t count, float* rest, float* shares )
{
    float left = weight / helperGain;
    for ( int32_t i = 0; i < count; ++i )
    {
        shares[i] = supMinF( left, rest[i] );
        rest[i] -= shares[i];
        left -= shares[i];
    }
}

/// The mesh that a vertex of the character belongs to; vertices come rising, so it is this one or a later one.
static supMeshView supMeshOfVertex( const supCharacter* character, int32_t vertex, int32_t* meshIndex )
{
    supMeshView mesh = supCharacter_Mesh( character, *meshIndex );
    while ( vertex >= mesh.firstVertex + mesh.vertexCount )
    {
        mesh = supCharacter_Mesh( character, ++*meshIndex );
    }
    return mesh;
}

static float supHelperGain( const supFlesh* flesh )
{
    float gain = 1.0f;
    for ( int32_t row = 0; row < flesh->touchedCount; ++row )
    {
        float sum = 0.0f;
        for ( int32_t i = flesh->offsets[row]; i < flesh->offsets[row + 1]; ++i )
        {
            sum += flesh->touches[i].weight;
        }
        gain = supMaxF( gain, sum );
    }
    return gain;
}

/// Marks (element, joint) where a vertex hands weight over. used[element * jointCount + joint]
static void supMarkHelpers( const supModel* model, uint8_t* used )
{
    const supCharacter* character = model->character;
    const supFlesh* flesh = model->flesh;
    size_t jointCount = (size_t)supCharacter_JointCount( character );
    const int32_t* paletteJoints = supCharacter_PaletteJoints( character );
    int32_t meshIndex = 0;
    for ( int32_t row = 0; row < flesh->touchedCount; ++row )
    {
        supMeshView mesh = supMeshOfVertex( character, flesh->touched[row], &meshIndex );
        size_t first = (size_t)( flesh->touched[row] - mesh.firstVertex ) * (size_t)mesh.influenceCount;
        float rest[SUP_MAX_INFLUENCES], shares[SUP_MAX_INFLUENCES];
        memcpy( rest, mesh.weights + first, sizeof( float ) * (size_t)mesh.influenceCount );
        for ( int32_t i = flesh->offsets[row]; i < flesh->offsets[row + 1]; ++i )
        {
            const supFleshTouch* touch = flesh->touches + i;
            supShareWithHelpers( touch->weight, model->helperGain, mesh.influenceCount, rest, shares );
            for ( int32_t k = 0; k < mesh.influenceCount; ++k )
            {
                int32_t joint = paletteJoints[mesh.firstPalette + mesh.jointIndices[first + (size_t)k]];
                used[(size_t)touch->element * jointCount + (size_t)joint] |= shares[k] > 0.0f;
            }
        }
    }
}

static supResult supFindHelpers( supModel* model, supError* error )
{
    size_t jointCount = (size_t)supCharacter_JointCount( model->character );
    size_t cells = jointCount * (size_t)model->flesh->elementCount;
    model->helperGain = supHelperGain( model->flesh );
    if ( cells == 0 )
    {
        return sup_success;
    }
    uint8_t* used = supAllocZeroed( &model->allocator, cells, 1, 1 );
    if ( used == NULL )
    {
        return supFail(
            error, sup_errorMemory, "no memory for the helper joints of %d elements", model->flesh->elementCount );
    }
    supMarkHelpers( model, used );
    for ( size_t i = 0; i < cells; ++i )
    {
        model->helperCount += used[i];
    }
    model->helpers = supAllocZeroed(
        &model->allocator, (size_t)model->helperCount, sizeof( supHelperView ), _Alignof( supHelperView ) );
    int32_t at = 0;
    for ( size_t i = 0; i < cells && model->helpers != NULL; ++i )
    {
        if ( used[i] != 0 )
        {
            model->helpers[at++] = ( supHelperView ){ (int32_t)( i / jointCount ), (int32_t)( i % jointCount ) };
        }
    }
    supFree( &model->allocator, used, cells );
    if ( model->helpers == NULL && model->helperCount > 0 )
    {
        return supFail( error, sup_errorMemory, "no memory for %d helper joints", model->helperCount );
    }
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

static supResult supCompileLayers( supModel* model, const supRig* rig, supError* error )
{
    int32_t count = supRig_ElementCount( rig );
    size_t room = count > 0 ? (size_t)count : 1;
    const supElementDef** defs =
        supAllocZeroed( &model->allocator, room, sizeof( *defs ), _Alignof( const supElementDef* ) );
    if ( defs == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %d elements", count );
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        defs[i] = supRig_Element( rig, i );
    }
    supResult result = supCompileFlesh( model->character, defs, count, &model->allocator, &model->flesh, error );
    supFree( &model->allocator, defs, room * sizeof( *defs ) );
    return result == sup_success ? supFindHelpers( model, error ) : result;
}

supResult supCompileModel( const supCharacter* character, const supRig* rig, supModel** out, supError* error )
{
    *out = NULL;
    supModel* model = supAllocZeroed( NULL, 1, sizeof( supModel ), _Alignof( supModel ) );
    if ( model == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a model" );
    }
    model->character = character;
    model->gravity = supRig_Gravity( rig );
    supResult result = supCompileLayers( model, rig, error );
    if ( result == sup_success )
    {
        model->simd = supBestSimd();
        model->blocks = supMakeSkinBlocks( character, model->flesh, &model->allocator );
        result = model->blocks != NULL ? result : supFail( error, sup_errorMemory, "no memory for the skin's blocks" );
    }
    if ( result != sup_success )
    {
        supDestroyModel( model );
        return result;
    }
    *out = model;
    return sup_success;
}

void supDestroyModel( supModel* model )
{
    if ( model == NULL )
    {
        return;
    }
    if ( model->flesh != NULL )
    {
        supFree( &model->allocator, model->flesh, model->flesh->blockSize );
    }
    if ( model->blocks != NULL )
    {
        supFree( &model->allocator, model->blocks, model->blocks->blockSize );
    }
    supFree( &model->allocator, model->helpers, sizeof( supHelperView ) * (size_t)model->helperCount );
    supFree( &model->allocator, model, sizeof( supModel ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Looking

const supCharacter* supModel_Character( const supModel* model )
{
    return model->character;
}

int32_t supModel_ElementCount( const supModel* model )
{
    return model->flesh->elementCount;
}

supElementView supModel_Element( const supModel* model, int32_t element )
{
    const supFlesh* flesh = model->flesh;
    const supFleshElement* e = flesh->elements + element;
    return ( supElementView ){
        .name = e->name,
        .driver = e->driver,
        .localFrame = e->localFrame,
        .boneLength = e->boneLength,
        .volume = e->volume,
        .mass = e->mass,
        .thickness = e->thickness,
        .frequency = (float)( e->spring.omega / ( 2.0 * SUP_PI ) ),
        .dampingRatio = e->spring.dampingRatio,
        .amount = e->spring.amount,
        .sag = e->sag,
        .largestEdgeJump = e->largestEdgeJump,
        .vertexCount = e->count,
        .vertices = flesh->vertices + e->first,
        .weights = flesh->weights + e->first,
        .reach = flesh->reach + e->first,
    };
}

int32_t supModel_FindElement( const supModel* model, const char* name )
{
    for ( int32_t i = 0; i < model->flesh->elementCount; ++i )
    {
        if ( strcmp( model->flesh->elements[i].name, name ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

int32_t supModel_HelperCount( const supModel* model )
{
    return model->helperCount;
}

supHelperView supModel_Helper( const supModel* model, int32_t helper )
{
    return model->helpers[helper];
}

int32_t supModel_SkinOrder( const supModel* model, int32_t* vertices )
{
    const supSkinBlocks* blocks = model->blocks;
    for ( int32_t i = 0; vertices != NULL && i < SUP_BLOCK * blocks->count; ++i )
    {
        vertices[i] = blocks->blocks[i / SUP_BLOCK].offsets[i % SUP_BLOCK] / 3;
    }
    return SUP_BLOCK * blocks->count;
}
