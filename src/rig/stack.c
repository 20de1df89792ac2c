// The layers of a model: compiled one after the other, each knowing what those before it move.
// SPDX-License-Identifier: MIT
#include "rig/stack.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

/// Marks in `marks` what is in a rising list of vertices; gives how many were new.
static int32_t supMarkAll( uint8_t* marks, const int32_t* vertices, int32_t count )
{
    int32_t fresh = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        fresh += marks[vertices[i]] == 0;
        marks[vertices[i]] = 1;
    }
    return fresh;
}

/// What the layers so far may move: all of them, or those that apply. False: no memory.
static bool supCollectMoved(
    supStack* stack, const supLayerContext* context, bool applying, int32_t** out, int32_t* count, size_t* room )
{
    size_t all = (size_t)supCharacter_Info( context->character )->vertexCount;
    uint8_t* marks = supAllocZeroed( context->allocator, all + 1, 1, 1 );
    int32_t found = 0;
    for ( int32_t i = 0; marks != NULL && i < stack->count; ++i )
    {
        bool counts = !applying || stack->layers[i].layer->apply != NULL;
        found += counts ? supMarkAll( marks, stack->layers[i].touched, stack->layers[i].touchedCount ) : 0;
    }
    *room = ( (size_t)found + 1 ) * sizeof( int32_t );
    *count = 0;
    *out = marks != NULL ? supAlloc( context->allocator, *room, _Alignof( int32_t ) ) : NULL;
    for ( size_t v = 0; *out != NULL && v < all; ++v )
    {
        if ( marks[v] != 0 )
        {
            ( *out )[( *count )++] = (int32_t)v;
        }
    }
    supFree( context->allocator, marks, all + 1 );
    return *out != NULL;
}

static supResult supNoStackMemory( const supLayer* layer, int32_t count, supError* error )
{
    return supFail( error, sup_errorMemory, "no memory for %d items of \"%s\"", count, layer->info.key );
}

static size_t supRoundUp( size_t size )
{
    return ( size + SUP_MAX_ALIGNMENT - 1 ) / SUP_MAX_ALIGNMENT * SUP_MAX_ALIGNMENT;
}

static size_t supListRoom( const supStackLayer* entry )
{
    return (size_t)entry->itemCount * (size_t)entry->listCount + 1;
}

/// Names and live fields of the items.
static bool supKeepItems( supStackLayer* entry, const void* const* items, const supAllocator* allocator )
{
    const supLayer* layer = entry->layer;
    entry->allLive = entry->itemCount * entry->liveCount;
    entry->listCount = supLayer_ListCount( layer );
    for ( int32_t i = 0; i < entry->itemCount; ++i )
    {
        const char* name = *(const char* const*)( (const char*)items[i] + layer->nameOffset );
        entry->nameBytes += strlen( name != NULL ? name : "" ) + 1;
        entry->allLive += supLayer_ReadListed( layer, items[i], NULL );
    }
    entry->live = supAllocZeroed( allocator, (size_t)entry->allLive + 1, sizeof( float ), _Alignof( float ) );
    entry->names = supAllocZeroed( allocator, entry->nameBytes, 1, 1 );
    entry->lists = supAllocZeroed( allocator, supListRoom( entry ), sizeof( int32_t ), _Alignof( int32_t ) );
    if ( entry->live == NULL || entry->names == NULL || entry->lists == NULL )
    {
        return false;
    }
    char* at = entry->names;
    float* listed = entry->live + (size_t)entry->itemCount * (size_t)entry->liveCount;
    for ( int32_t i = 0; i < entry->itemCount; ++i )
    {
        const char* name = *(const char* const*)( (const char*)items[i] + layer->nameOffset );
        size_t length = strlen( name != NULL ? name : "" );
        memcpy( at, name != NULL ? name : "", length );
        at += length + 1;
        supStackLayer_ReadLive( entry, i, items[i], entry->live + (size_t)i * (size_t)entry->liveCount );
        listed += supLayer_ReadListed( layer, items[i], listed );
        for ( int32_t list = 0; list < entry->listCount; ++list )
        {
            size_t offset = supLayer_List( layer, list )->offset;
            entry->lists[i * entry->listCount + list] =
                ( (const supItemList*)( (const char*)items[i] + offset ) )->count;
        }
    }
    return true;
}

supResult supStack_Add( supStack* stack, const supLayer* layer, int32_t index, const void* const* items, int32_t count,
    const supLayerContext* context, supError* error )
{
    assert( stack->count < SUP_MOST_LAYERS && count > 0 );
    supLayerContext own = *context;
    int32_t* moved = NULL;
    size_t room = 0;
    supStackLayer entry = {
        .layer = layer, .index = index, .itemCount = count, .liveCount = supLayer_LiveCount( layer )
    };
    bool fits = supCollectMoved( stack, context, false, &moved, &own.movedCount, &room );
    own.moved = moved;
    int32_t at = supStack_Offsets( stack );
    const supSkinOffsets* offsets =
        at >= 0 ? stack->layers[at].layer->offsets->view( stack->layers[at].compiled ) : NULL;
    own.elementCount = offsets != NULL ? offsets->elementCount : 0;
    own.elements = offsets != NULL ? offsets->elements : NULL;
    supEarlierLayer earlier[SUP_MOST_LAYERS];
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        earlier[i] =
            ( supEarlierLayer ){ stack->layers[i].layer, stack->layers[i].compiled, NULL, stack->layers[i].live };
    }
    own.earlierCount = stack->count;
    own.earlier = earlier;
    supResult result = fits ? sup_success : supNoStackMemory( layer, count, error );
    if ( fits && layer->compile != NULL )
    {
        result = layer->compile( &own, items, count, &entry.compiled, error );
    }
    supFree( context->allocator, moved, room );
    if ( result != sup_success )
    {
        return result;
    }
    entry.touchedCount = layer->touched( entry.compiled, &entry.touched );
    entry.shownCount = layer->motion != NULL ? layer->motion->shownCount( entry.compiled ) : 0;
    entry.stateSize = layer->motion != NULL ? layer->motion->stateSize( entry.compiled ) : 0;
    bool keeps = layer->motion != NULL && layer->motion->keptSize != NULL;
    entry.keptSize = supRoundUp( keeps ? layer->motion->keptSize( entry.compiled ) : entry.stateSize );
    entry.scratchSize = layer->scratchSize != NULL ? layer->scratchSize( entry.compiled ) : 0;
    fits = supKeepItems( &entry, items, context->allocator );
    stack->layers[stack->count++] = entry;
    stack->applyCount += layer->apply != NULL;
    stack->wantsSmooth = stack->wantsSmooth || supLayer_ReadsSmooth( layer, entry.compiled );
    stack->scratchSize = entry.scratchSize > stack->scratchSize ? entry.scratchSize : stack->scratchSize;
    return fits ? sup_success : supNoStackMemory( layer, count, error );
}

supResult supStack_Finish( supStack* stack, const supLayerContext* context, supError* error )
{
    if ( stack->applyCount == 0 )
    {
        return sup_success;
    }
    int32_t* own = NULL;
    int32_t ownCount = 0;
    size_t ownRoom = 0, room = 0;
    bool fits = supCollectMoved( stack, context, false, &stack->moved, &stack->movedCount, &room ) &&
                supCollectMoved( stack, context, true, &own, &ownCount, &ownRoom );
    stack->movedRoom = (int32_t)( room / sizeof( int32_t ) );
    stack->surface = fits ? supMakeSurface( context->character, own, ownCount, true, context->allocator ) : NULL;
    supFree( context->allocator, own, ownRoom );
    return stack->surface != NULL ? sup_success : supFail( error, sup_errorMemory, "no memory for the moved surface" );
}

void supStack_Destroy( supStack* stack, const supAllocator* allocator )
{
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        supStackLayer* entry = stack->layers + i;
        if ( !entry->borrowed && entry->layer->destroy != NULL )
        {
            entry->layer->destroy( entry->compiled, allocator );
        }
        supFree( allocator, entry->live, ( (size_t)entry->allLive + 1 ) * sizeof( float ) );
        supFree( allocator, entry->lists, supListRoom( entry ) * sizeof( int32_t ) );
        supFree( allocator, entry->names, entry->nameBytes );
    }
    supFree( allocator, stack->moved, (size_t)stack->movedRoom * sizeof( int32_t ) );
    if ( stack->surface != NULL )
    {
        supFree( allocator, stack->surface, stack->surface->blockSize );
    }
    *stack = ( supStack ){ 0 };
}

void supStackLayer_ReadLive( const supStackLayer* entry, int32_t item, const void* given, float* live )
{
    supLayer_ReadLive( entry->layer, given, live );
    if ( entry->layer->motion != NULL && entry->layer->motion->relate != NULL )
    {
        entry->layer->motion->relate( entry->compiled, item, -1, live, NULL );
    }
}

int32_t supStack_Offsets( const supStack* stack )
{
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        if ( stack->layers[i].layer->offsets != NULL )
        {
            return i;
        }
    }
    return -1;
}

int32_t supStack_Find( const supStack* stack, int32_t index )
{
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        if ( stack->layers[i].index == index )
        {
            return i;
        }
    }
    return -1;
}

const char* supStackLayer_Name( const supStackLayer* entry, int32_t item )
{
    const char* name = entry->names;
    for ( int32_t i = 0; i < item; ++i )
    {
        name += strlen( name ) + 1;
    }
    return name;
}

int32_t supStackLayer_ListedAt( const supStackLayer* entry, int32_t item, int32_t list, int32_t object )
{
    int32_t at = entry->itemCount * entry->liveCount, wanted = item * entry->listCount + list;
    for ( int32_t i = 0; i < wanted; ++i )
    {
        at += entry->lists[i] * supTable_LiveCount( supLayer_List( entry->layer, i % entry->listCount )->items );
    }
    return at + object * supTable_LiveCount( supLayer_List( entry->layer, list )->items );
}

// ---------------------------------------------------------------------------------------------------------------
// What a stack of layers takes over from another one of the same character.

static void* supCopyBlock( const void* from, size_t size, size_t alignment, const supAllocator* allocator )
{
    void* block = supAlloc( allocator, size, alignment );
    return block != NULL ? memcpy( block, from, size ) : NULL;
}

bool supStack_Borrow( supStack* stack, const supStackLayer* from, const supAllocator* allocator )
{
    assert( stack->count < SUP_MOST_LAYERS );
    supStackLayer* entry = stack->layers + stack->count++;
    size_t lives = ( (size_t)from->allLive + 1 ) * sizeof( float );
    size_t lists = ( (size_t)from->itemCount * (size_t)from->listCount + 1 ) * sizeof( int32_t );
    *entry = *from;
    entry->borrowed = true;
    entry->live = supCopyBlock( from->live, lives, _Alignof( float ), allocator );
    entry->names = supCopyBlock( from->names, from->nameBytes, 1, allocator );
    entry->lists = supCopyBlock( from->lists, lists, _Alignof( int32_t ), allocator );
    stack->applyCount += entry->layer->apply != NULL;
    stack->wantsSmooth = stack->wantsSmooth || supLayer_ReadsSmooth( entry->layer, entry->compiled );
    stack->scratchSize = entry->scratchSize > stack->scratchSize ? entry->scratchSize : stack->scratchSize;
    return entry->live != NULL && entry->names != NULL && entry->lists != NULL;
}

int32_t supStackLayer_FindItem( const supStackLayer* entry, const char* name )
{
    const char* at = entry->names;
    for ( int32_t i = 0; i < entry->itemCount; ++i )
    {
        if ( strcmp( at, name ) == 0 )
        {
            return i;
        }
        at += strlen( at ) + 1;
    }
    return -1;
}

/// The live fields of the objects in one list, where both items have as many.
static void supCopyListed(
    const supStackLayer* entry, int32_t item, float* to, const supStackLayer* old, int32_t from, const float* values )
{
    for ( int32_t list = 0; list < entry->listCount; ++list )
    {
        int32_t count = entry->lists[item * entry->listCount + list];
        if ( count == old->lists[from * old->listCount + list] )
        {
            size_t numbers = (size_t)( count * supTable_LiveCount( supLayer_List( entry->layer, list )->items ) );
            memcpy( to + supStackLayer_ListedAt( entry, item, list, 0 ),
                values + supStackLayer_ListedAt( old, from, list, 0 ), numbers * sizeof( float ) );
        }
    }
}

void supStackLayer_CopyLive( const supStackLayer* entry, int32_t item, float* to, const supStackLayer* old,
    int32_t from, const float* values, const float* unless )
{
    size_t count = (size_t)entry->liveCount;
    float* own = to + (size_t)item * count;
    const float* given = values + (size_t)from * count;
    for ( size_t k = 0; k < count; ++k )
    {
        bool differs = unless == NULL || memcmp( given + k, unless + k, sizeof( float ) ) != 0;
        own[k] = differs ? given[k] : own[k];
    }
    supCopyListed( entry, item, to, old, from, values );
}

void supStackLayer_KeepDefaults( supStackLayer* entry, const supStackLayer* from )
{
    for ( int32_t i = 0; i < entry->itemCount; ++i )
    {
        int32_t same = supStackLayer_FindItem( from, supStackLayer_Name( entry, i ) );
        if ( same >= 0 )
        {
            supStackLayer_CopyLive( entry, i, entry->live, from, same, from->live, NULL );
        }
    }
}

bool supSameTouched( const supStackLayer* a, const supStackLayer* b )
{
    int32_t countA = a != NULL ? a->touchedCount : 0, countB = b != NULL ? b->touchedCount : 0;
    return countA == countB &&
           ( countA == 0 || memcmp( a->touched, b->touched, (size_t)countA * sizeof( int32_t ) ) == 0 );
}

static bool supSameBorder( const supStackLayer* a, const supStackLayer* b )
{
    supInnerBorder p, q;
    a->layer->border( a->compiled, &p );
    b->layer->border( b->compiled, &q );
    size_t rays = (size_t)p.rayCount;
    return p.rayCount == q.rayCount && p.triangleCount == q.triangleCount &&
           memcmp( p.from, q.from, rays * sizeof( supVec3 ) ) == 0 &&
           memcmp( p.way, q.way, rays * sizeof( supVec3 ) ) == 0 &&
           memcmp( p.vertices, q.vertices, rays * sizeof( int32_t ) ) == 0 &&
           memcmp( p.rest, q.rest, rays * sizeof( float ) ) == 0 &&
           memcmp( p.triangles, q.triangles, 3 * (size_t)p.triangleCount * sizeof( int32_t ) ) == 0;
}

bool supIsSeenBelow( const supLayer* layer )
{
    return layer->border != NULL || layer->tension != NULL;
}

bool supSameBelow( const supStackLayer* a, const supStackLayer* b )
{
    const supLayer* layer = a != NULL ? a->layer : b != NULL ? b->layer : NULL;
    bool seen = layer != NULL && supIsSeenBelow( layer );
    bool compares = a != NULL && b != NULL && seen && layer->tension == NULL;
    return !seen || ( compares && supSameBorder( a, b ) );
}
