// What a stack of layers takes over from another one of the same character.
// SPDX-License-Identifier: MIT

#include "base/memory.h"
#include "rig/stack.h"

#include <assert.h>
#include <string.h>

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
    stack->wantsSmooth = stack->wantsSmooth || entry->layer->wantsSmooth;
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
