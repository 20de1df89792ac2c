// A character and a rig, compiled.
// SPDX-License-Identifier: MIT

#include "base/float_settings.h"
#include "base/math.h"
#include "base/memory.h"
#include "rig/layer_list.h"
#include "rig/model_data.h"
#include "supple/lab/compiled.h"
#include "supple/lab/items.h"
#include "supple/lab/machine.h"

#include <assert.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Helper joints

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

/// Marks (kind, joint) where a vertex hands weight over. used[kind * jointCount + joint]
static void supMarkHelpers( const supModel* model, uint8_t* used )
{
    const supCharacter* character = model->character;
    const supSkinOffsets* offsets = &model->offsets;
    size_t jointCount = (size_t)supCharacter_Info( character )->jointCount;
    const int32_t* paletteJoints = supCharacter_Info( character )->paletteJoints;
    int32_t meshIndex = 0;
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        supMeshView mesh = supMeshOfVertex( character, offsets->touched[row], &meshIndex );
        size_t first = (size_t)( offsets->touched[row] - mesh.firstVertex ) * (size_t)mesh.influenceCount;
        float rest[SUP_MAX_INFLUENCES];
        supHelperShare shares[SUP_MOST_SHARES];
        memcpy( rest, mesh.weights + first, sizeof( float ) * (size_t)mesh.influenceCount );
        int32_t count = supSkinMotions_Share( model->motions, row, mesh.influenceCount, rest, shares, NULL );
        for ( int32_t i = 0; i < count; ++i )
        {
            int32_t local = mesh.jointIndices[first + (size_t)shares[i].influence];
            int32_t joint = paletteJoints[mesh.firstPalette + local];
            used[(size_t)shares[i].kind * jointCount + (size_t)joint] |= shares[i].weight > 0.0f;
        }
    }
}

/// What is known of a helper of a kind on a joint.
static supHelperView supMakeHelper( const supModel* model, int32_t kind, int32_t joint )
{
    const supSkinMotions* motions = model->motions;
    supHelperKind of = motions->kinds[kind];
    int32_t motion = of.turn >= 0 ? of.turn : of.shift;
    const char* name = supSkinMotions_Name( motions, &model->stack, motion );
    supHelperView helper = { .element = motions->elements[motion],
        .joint = joint,
        .kind = kind,
        .turns = of.turn >= 0,
        .name = name != NULL ? name : model->offsets.elements[motion].name };
    supMat34 inverse;
    if ( helper.turns && supInvertMat( supCharacter_Info( model->character )->restJoints[joint], &inverse ) )
    {
        helper.place = supTransformPoint( inverse, motions->pivots[of.turn] );
    }
    return helper;
}

static supResult supFindHelpers( supModel* model, supError* error )
{
    model->motions = supMakeSkinMotions( &model->offsets, &model->stack, &model->allocator );
    size_t jointCount = (size_t)supCharacter_Info( model->character )->jointCount;
    size_t cells = model->motions != NULL ? jointCount * (size_t)model->motions->kindCount : 0;
    uint8_t* used = model->motions != NULL ? supAllocZeroed( &model->allocator, cells + 1, 1, 1 ) : NULL;
    if ( used == NULL )
    {
        return supFail(
            error, sup_errorMemory, "no memory for the helper joints of %d elements", model->offsets.elementCount );
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
            model->helpers[at++] = supMakeHelper( model, (int32_t)( i / jointCount ), (int32_t)( i % jointCount ) );
        }
    }
    supFree( &model->allocator, used, cells + 1 );
    if ( model->helpers == NULL && model->helperCount > 0 )
    {
        return supFail( error, sup_errorMemory, "no memory for %d helper joints", model->helperCount );
    }
    return sup_success;
}

supMat34 supModel_HelperMatrix( const supModel* model, int32_t helper, supMat34 joint, const supSkinMotion* motions )
{
    const supHelperView* view = model->helpers + helper;
    supHelperKind kind = model->motions->kinds[view->kind];
    supVec3d shift = { 0.0, 0.0, 0.0 };
    if ( kind.shift >= 0 )
    {
        shift = supScaleD( motions[kind.shift].shift, model->motions->gain );
    }
    if ( kind.turn < 0 )
    {
        joint.t = supAdd( joint.t, supToFloat( shift ) );
        return joint;
    }
    const supSkinMotion* turn = motions + kind.turn;
    supMat34d moved = supMatToDouble( joint );
    moved.t = supSubD( supTransformPointD( moved, supToDouble( view->place ) ), turn->pivot );
    moved = supMulMatD( supMatFromQuatD( turn->turn ), moved );
    moved.t = supAddD( supAddD( moved.t, turn->pivot ), supAddD( turn->shift, shift ) );
    return supMatToFloat( moved );
}

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

static supResult supStackLayerOf(
    supModel* model, const supRig* rig, int32_t layer, const supLayerContext* context, supError* error )
{
    int32_t count = supRig_ItemCount( rig, layer );
    if ( count == 0 )
    {
        return sup_success;
    }
    const void** items =
        supAllocZeroed( &model->allocator, (size_t)count, sizeof( const void* ), _Alignof( const void* ) );
    if ( items == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %d items", count );
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        items[i] = supRig_Item( rig, layer, i );
    }
    supResult result = supStack_Add( &model->stack, supGetLayer( layer ), layer, items, count, context, error );
    supFree( &model->allocator, items, (size_t)count * sizeof( const void* ) );
    return result;
}

/// What layers may still count on being as it was.
typedef struct supUnchanged
{
    bool elements, moved, earlier;
} supUnchanged;

static bool supCanBorrow( const supLayer* layer, const supUnchanged* same )
{
    return ( same->elements || ( layer->ignores & sup_ignoresElements ) != 0 ) &&
           ( same->moved || ( layer->ignores & sup_ignoresMoved ) != 0 ) &&
           ( same->earlier || ( layer->ignores & sup_ignoresEarlier ) != 0 );
}

static const supStackLayer* supEntryOf( const supModel* model, int32_t layer )
{
    int32_t at = model != NULL ? supStack_Find( &model->stack, layer ) : -1;
    return at >= 0 ? model->stack.layers + at : NULL;
}

/// One layer: borrowed from the model before the change, or compiled.
static supResult supCompileLayer( supModel* model, const supRig* rig, int32_t layer, const supLayerContext* context,
    supModelChange* change, supUnchanged* same, supError* error )
{
    const supStackLayer* old = supEntryOf( change->from, layer );
    if ( old != NULL && layer != change->layer && supCanBorrow( supGetLayer( layer ), same ) )
    {
        return supStack_Borrow( &model->stack, old, &model->allocator )
                   ? sup_success
                   : supFail( error, sup_errorMemory, "no memory for %d items", old->itemCount );
    }
    int32_t before = model->stack.count;
    supResult result = supStackLayerOf( model, rig, layer, context, error );
    supStackLayer* entry = result == sup_success && model->stack.count > before ? model->stack.layers + before : NULL;
    if ( entry != NULL && old != NULL && supIsSeenBelow( entry->layer ) )
    {
        supStackLayer_KeepDefaults( entry, old );
    }
    if ( result == sup_success && ( entry != NULL || old != NULL ) )
    {
        change->compiled |= 1u << layer;
        same->elements = same->elements && supGetLayer( layer )->offsets == NULL;
        same->moved = same->moved && supSameTouched( entry, old );
        same->earlier = same->earlier && supSameBelow( entry, old );
    }
    return result;
}

/// Of the skin's blocks, surface and helper joints, in terms of layers.
static const double supWorkOfSkin = 1.0;

/// That the layers before this one take to compile.
static double supWorkBefore( const supRig* rig, int32_t layer )
{
    double work = 0.0;
    for ( int32_t i = 0; i < layer; ++i )
    {
        double own = (double)supGetLayer( i )->compileWork;
        work += supRig_ItemCount( rig, i ) == 0 ? 0.0 : own > 0.0 ? own : 1.0;
    }
    return work;
}

/// The layers, one after the other.
static supResult supCompileStack( supModel* model, const supRig* rig, supModelChange* change, supError* error )
{
    supLayerContext context = { .character = model->character,
        .allocator = &model->allocator,
        .gravity = model->gravity,
        .watched = change->watched };
    supUnchanged same = { true, true, true };
    supResult result = sup_success;
    double all = supWorkBefore( rig, sup_layerCount ) + supWorkOfSkin;
    for ( int32_t layer = 0; layer < sup_layerCount && result == sup_success; ++layer )
    {
        double from = supWorkBefore( rig, layer ) / all, to = supWorkBefore( rig, layer + 1 ) / all;
        supWatchedShare whole = supWatched_Enter( change->watched, from, to );
        bool goes = to <= from || supWatched_Tell( change->watched, supGetLayerInfo( layer )->key, 0.0 );
        result = goes ? supCompileLayer( model, rig, layer, &context, change, &same, error ) : sup_errorCanceled;
        supWatched_Leave( change->watched, whole );
    }
    return result == sup_success ? supStack_Finish( &model->stack, &context, error ) : result;
}

/// The blocks of the skin, with the offsets that are added in the same pass; where these are borrowed, so are the
/// blocks.
static supResult supCompileSkin( supModel* model, const supModelChange* change, supError* error )
{
    int32_t at = supStack_Offsets( &model->stack );
    if ( at >= 0 )
    {
        model->offsets = *model->stack.layers[at].layer->offsets->view( model->stack.layers[at].compiled );
    }
    if ( change->from != NULL && change->from->offsets.touched == model->offsets.touched )
    {
        model->blocks = change->from->blocks;
        model->borrowsBlocks = true;
        return sup_success;
    }
    model->blocks = supMakeSkinBlocks( model->character, &model->offsets, &model->allocator );
    return model->blocks != NULL ? sup_success : supFail( error, sup_errorMemory, "no memory for the skin's blocks" );
}

/// The first layer above flesh that has items, or -1.
static int32_t supApplyingLayer( const supModel* model )
{
    for ( int32_t i = 0; i < model->stack.count; ++i )
    {
        if ( model->stack.layers[i].layer->apply != NULL )
        {
            return model->stack.layers[i].index;
        }
    }
    return -1;
}

/// The first layer that helper joints cannot carry, or -1.
static int32_t supMorphLayer( const supModel* model )
{
    for ( int32_t i = 0; i < model->stack.count; ++i )
    {
        const supStackLayer* entry = model->stack.layers + i;
        if ( entry->layer->helpers == NULL && entry->layer->apply != NULL && entry->touchedCount > 0 )
        {
            return entry->index;
        }
    }
    return -1;
}

void supModel_Describe( supModel* model )
{
    model->info = ( supModelInfo ){ .character = model->character,
        .elementCount = model->offsets.elementCount,
        .elements = model->offsets.elements,
        .helperCount = model->helperCount,
        .helpers = model->helpers,
        .applyingLayer = supApplyingLayer( model ),
        .morphLayer = supMorphLayer( model ) };
}

supResult supCompileChange( const supCharacter* character, const supRig* rig, const supAllocator* allocator,
    supModelChange* change, supModel** out, supError* error )
{
    *out = NULL;
    supModel* model = supAllocZeroed( allocator, 1, sizeof( supModel ), _Alignof( supModel ) );
    if ( model == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a model" );
    }
    model->allocator = supKeepAllocator( allocator );
    model->character = character;
    model->gravity = supRig_Gravity( rig );
    model->simd = change->from != NULL ? change->from->simd : supBestSimd();
    supFloatSettings host = supEnterFloatSettings();
    supResult result = supCompileStack( model, rig, change, error );
    result = result == sup_success ? supCompileSkin( model, change, error ) : result;
    result = result == sup_success ? supFindHelpers( model, error ) : result;
    supLeaveFloatSettings( host );
    result = result != sup_success || supWatched_Tell( change->watched, "skin", 1.0 ) ? result : sup_errorCanceled;
    if ( result != sup_success )
    {
        supDestroyModel( model );
        return result;
    }
    supModel_Describe( model );
    *out = model;
    return sup_success;
}

supResult supCompileModel( const supCharacter* character, const supRig* rig, supModel** out, supError* error )
{
    return supCompileModelWith( character, rig, NULL, out, error );
}

supResult supCompileModelWith(
    const supCharacter* character, const supRig* rig, const supMakeDef* def, supModel** out, supError* error )
{
    *out = NULL;
    const supAllocator* allocator;
    supResult opened = supOpenMakeDef( def, &allocator, error );
    if ( opened != sup_success )
    {
        return opened;
    }
    supWatched watched = supStartWatched( def != NULL ? &def->watch : NULL );
    supModelChange change = { .watched = &watched };
    supResult result = supCompileChange( character, rig, allocator, &change, out, error );
    return supWatched_End( &watched, result, error );
}

void supModel_TakeOver( supModel* model, supModel* from )
{
    for ( int32_t i = 0; i < model->stack.count; ++i )
    {
        supStackLayer* entry = model->stack.layers + i;
        if ( entry->borrowed )
        {
            entry->borrowed = false;
            from->stack.layers[supStack_Find( &from->stack, entry->index )].borrowed = true;
        }
    }
    from->borrowsBlocks = from->borrowsBlocks || model->borrowsBlocks;
    model->borrowsBlocks = false;
}

void supDestroyModel( supModel* model )
{
    if ( model == NULL )
    {
        return;
    }
    supStack_Destroy( &model->stack, &model->allocator );
    if ( model->blocks != NULL && !model->borrowsBlocks )
    {
        supFree( &model->allocator, model->blocks, model->blocks->blockSize );
    }
    if ( model->motions != NULL )
    {
        supFree( &model->allocator, model->motions, model->motions->blockSize );
    }
    supFree( &model->allocator, model->helpers, sizeof( supHelperView ) * (size_t)model->helperCount );
    supAllocator allocator = model->allocator;
    supFree( &allocator, model, sizeof( supModel ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Looking

const supModelInfo* supModel_Info( const supModel* model )
{
    return &model->info;
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

int32_t supModel_ItemCount( const supModel* model, int32_t layer )
{
    int32_t at = supStack_Find( &model->stack, layer );
    return at >= 0 ? model->stack.layers[at].itemCount : 0;
}

const char* supModel_ItemName( const supModel* model, int32_t layer, int32_t item )
{
    assert( item >= 0 && item < supModel_ItemCount( model, layer ) );
    return supStackLayer_Name( model->stack.layers + supStack_Find( &model->stack, layer ), item );
}

int32_t supModel_FindItem( const supModel* model, int32_t layer, const char* name )
{
    for ( int32_t i = 0; i < supModel_ItemCount( model, layer ); ++i )
    {
        if ( strcmp( supModel_ItemName( model, layer, i ), name ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

int32_t supModel_LayerVertices( const supModel* model, int32_t layer, const int32_t** vertices )
{
    int32_t at = supStack_Find( &model->stack, layer );
    *vertices = at >= 0 ? model->stack.layers[at].touched : NULL;
    return at >= 0 ? model->stack.layers[at].touchedCount : 0;
}
