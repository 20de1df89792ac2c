// Vertices sorted for skinning.
// SPDX-License-Identifier: MIT
#include "rig/skin_blocks.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int supCompareByVertex( const void* a, const void* b )
{
    return ( (const supSkinKey*)a )->vertex - ( (const supSkinKey*)b )->vertex;
}

static supSkinKey supMakeKey( const supMeshView* mesh, int32_t v, const supSkinOffsets* offsets, int32_t row )
{
    supSkinKey key;
    memset( &key, 0xff, sizeof( key ) );
    key.vertex = mesh->firstVertex + v;
    key.row = row;
    for ( int32_t i = 0; i < mesh->influenceCount; ++i )
    {
        // sorted in as they come: a call of qsort for each vertex was half of the time that blocks take
        int32_t from = v * mesh->influenceCount + i, at = i;
        uint16_t joint = mesh->weights[from] > 0.0f ? mesh->jointIndices[from] : 0xffff;
        for ( ; at > 0 && key.joints[at - 1] > joint; --at )
        {
            key.joints[at] = key.joints[at - 1];
        }
        key.joints[at] = joint;
    }
    for ( int32_t i = 0; row >= 0 && i < supMostTouches && offsets->firsts[row] + i < offsets->firsts[row + 1]; ++i )
    {
        key.elements[i] = (uint16_t)offsets->touches[offsets->firsts[row] + i].element;
    }
    return key;
}

/// Sorted keys of all vertices, mesh by mesh.
static supSkinKey* supSortVertices(
    const supCharacter* character, const supSkinOffsets* offsets, const supAllocator* allocator )
{
    size_t count = (size_t)supCharacter_Info( character )->vertexCount;
    // twice as many: the second half is room for putting them in order
    supSkinKey* keys = supAllocZeroed( allocator, 2 * count + 1, sizeof( supSkinKey ), _Alignof( supSkinKey ) );
    int32_t row = 0;
    for ( int32_t m = 0; keys != NULL && m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            bool touched = row < offsets->touchedCount && offsets->touched[row] == mesh.firstVertex + v;
            keys[mesh.firstVertex + v] = supMakeKey( &mesh, v, offsets, touched ? row : -1 );
            row += touched;
        }
        supOrderKeys( keys + mesh.firstVertex, mesh.vertexCount, keys + count );
    }
    return keys;
}

/// What one block uses, gathered from its vertices.
typedef struct supGather
{
    int32_t joints[SUP_BLOCK * SUP_MAX_INFLUENCES], jointCount;
    int32_t elements[SUP_BLOCK * 64], elementCount;
} supGather;

static int32_t supFindOrAdd( int32_t* list, int32_t* count, int32_t most, int32_t value )
{
    for ( int32_t i = 0; i < *count; ++i )
    {
        if ( list[i] == value )
        {
            return i;
        }
    }
    if ( *count < most )
    {
        list[( *count )++] = value;
    }
    return *count - 1;
}

static void supGatherBlock(
    const supMeshView* mesh, const supSkinOffsets* offsets, const supSkinKey* keys, int32_t count, supGather* gather )
{
    gather->jointCount = gather->elementCount = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        for ( int32_t k = 0; k < SUP_MAX_INFLUENCES && keys[i].joints[k] != 0xffff; ++k )
        {
            supFindOrAdd( gather->joints, &gather->jointCount, SUP_BLOCK * SUP_MAX_INFLUENCES,
                mesh->firstPalette + keys[i].joints[k] );
        }
        for ( int32_t t = keys[i].row < 0 ? 0 : offsets->firsts[keys[i].row];
              keys[i].row >= 0 && t < offsets->firsts[keys[i].row + 1]; ++t )
        {
            supFindOrAdd( gather->elements, &gather->elementCount, SUP_BLOCK * 64, offsets->touches[t].element );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Filling

/// Copies one vertex into lane `lane` of its block.
static void supFillLane( const supSkinBlocks* out, const supSkinBlock* block, int32_t lane, const supMeshView* mesh,
    const supSkinOffsets* offsets, const supSkinKey* key )
{
    int32_t v = key->vertex - mesh->firstVertex;
    float* data = out->data + block->firstData + lane;
    float* directions = out->directions + block->firstDirection + lane;
    for ( int c = 0; c < 3; ++c )
    {
        data[c * SUP_BLOCK] = mesh->positions[3 * (size_t)v + (size_t)c];
        directions[c * SUP_BLOCK] = mesh->normals != NULL ? mesh->normals[3 * (size_t)v + (size_t)c] : 0.0f;
    }
    int32_t* joints = out->joints + block->firstJoint;
    int32_t count = block->jointCount;
    for ( int32_t i = 0; i < mesh->influenceCount; ++i )
    {
        int32_t at = v * mesh->influenceCount + i;
        if ( mesh->weights[at] > 0.0f )
        {
            int32_t slot = supFindOrAdd( joints, &count, count, mesh->firstPalette + mesh->jointIndices[at] );
            data[( 3 + slot ) * SUP_BLOCK] += mesh->weights[at];
            if ( i == 0 )
            {
                out->pivots[( block - out->blocks ) * SUP_BLOCK + lane] =
                    (uint8_t)slot; // influences come by falling weight
            }
        }
    }
    count = block->elementCount;
    for ( int32_t t = key->row < 0 ? 0 : offsets->firsts[key->row]; key->row >= 0 && t < offsets->firsts[key->row + 1];
          ++t )
    {
        const supOffsetTouch* touch = offsets->touches + t;
        int32_t slot = supFindOrAdd( out->elements + block->firstElement, &count, count, touch->element );
        data[( 3 + block->jointCount + slot ) * SUP_BLOCK] = touch->weight;
        directions[( 3 + 3 * slot ) * SUP_BLOCK] = touch->gradient.x;
        directions[( 4 + 3 * slot ) * SUP_BLOCK] = touch->gradient.y;
        directions[( 5 + 3 * slot ) * SUP_BLOCK] = touch->gradient.z;
    }
}

/// What kernels may leave out.
static void supMarkBlock( const supSkinBlocks* blocks, supSkinBlock* block )
{
    const float* weights = blocks->data + block->firstData + 3 * SUP_BLOCK;
    const float* n = blocks->directions + block->firstDirection;
    block->isRigid = block->jointCount == 1;
    block->hasUnitNormals = block->hasNormals;
    for ( int lane = 0; lane < SUP_BLOCK; ++lane, ++n )
    {
        float square = n[0] * n[0] + n[SUP_BLOCK] * n[SUP_BLOCK] + n[2 * SUP_BLOCK] * n[2 * SUP_BLOCK];
        block->isRigid = block->isRigid && weights[lane] == 1.0f;
        block->hasUnitNormals = block->hasUnitNormals && square > 1.0f - 4e-7f && square < 1.0f + 4e-7f;
    }
}

static void supFillBlock( const supSkinBlocks* out, supSkinBlock* block, const supMeshView* mesh,
    const supSkinOffsets* offsets, const supSkinKey* keys )
{
    block->hasNormals = mesh->normals != NULL;
    for ( int32_t lane = 0; lane < SUP_BLOCK; ++lane )
    {
        const supSkinKey* key = keys + ( lane < block->count ? lane : block->count - 1 );
        block->offsets[lane] = 3 * key->vertex;
        supFillLane( out, block, lane, mesh, offsets, key );
    }
    supMarkBlock( out, block );
}

// ---------------------------------------------------------------------------------------------------------------
// Cutting into blocks

/// 16 neighbours in the sorted order that become a block.
typedef struct supSkinBlockPlan
{
    int32_t mesh, firstKey, count;
    int32_t jointCount, elementCount;
} supSkinBlockPlan;

/// Blocks of a mesh by what they cost: loops over joints and elements then run the same number of times in one block
/// after the other, and the processor foresees their ends (0.3 ns a vertex).
static int supComparePlans( const void* a, const void* b )
{
    const supSkinBlockPlan *x = a, *y = b;
    if ( x->mesh != y->mesh )
    {
        return x->mesh - y->mesh;
    }
    if ( x->elementCount != y->elementCount )
    {
        return x->elementCount - y->elementCount;
    }
    return x->jointCount != y->jointCount ? x->jointCount - y->jointCount : x->firstKey - y->firstKey;
}

/// Sizes of everything.
typedef struct supSkinSizes
{
    size_t joints, elements, data, directions;
} supSkinSizes;

static int32_t supCountBlocks( const supCharacter* character )
{
    int32_t count = 0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        count += ( supCharacter_Mesh( character, m ).vertexCount + SUP_BLOCK - 1 ) / SUP_BLOCK;
    }
    return count;
}

static supSkinSizes supPlanBlocks( const supCharacter* character, const supSkinOffsets* offsets, supSkinKey* keys,
    supSkinBlockPlan* plans, int32_t planCount )
{
    supSkinSizes sizes = { 0 };
    supGather gather;
    int32_t at = 0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t first = 0; first < mesh.vertexCount; first += SUP_BLOCK )
        {
            int32_t count = mesh.vertexCount - first < SUP_BLOCK ? mesh.vertexCount - first : SUP_BLOCK;
            supSkinKey* own = keys + mesh.firstVertex + first;
            qsort( own, (size_t)count, sizeof( supSkinKey ), supCompareByVertex );
            supGatherBlock( &mesh, offsets, own, count, &gather );
            plans[at++] =
                ( supSkinBlockPlan ){ m, mesh.firstVertex + first, count, gather.jointCount, gather.elementCount };
            sizes.joints += (size_t)gather.jointCount;
            sizes.elements += (size_t)gather.elementCount;
            sizes.data += SUP_BLOCK * ( 3 + (size_t)gather.jointCount + (size_t)gather.elementCount );
            sizes.directions += SUP_BLOCK * ( 3 + 3 * (size_t)gather.elementCount );
        }
    }
    qsort( plans, (size_t)planCount, sizeof( supSkinBlockPlan ), supComparePlans );
    return sizes;
}

static bool supHasSameJoints( const supSkinBlocks* blocks, int32_t index )
{
    const supSkinBlock *block = blocks->blocks + index, *before = blocks->blocks + ( index > 0 ? index - 1 : 0 );
    return index > 0 && block->jointCount == before->jointCount &&
           memcmp( blocks->joints + block->firstJoint, blocks->joints + before->firstJoint,
               sizeof( int32_t ) * (size_t)block->jointCount ) == 0;
}

static void supFillBlocks( const supCharacter* character, const supSkinOffsets* offsets, const supSkinKey* keys,
    const supSkinBlockPlan* plans, supSkinBlocks* out )
{
    supSkinSizes at = { 0 };
    supGather gather;
    int32_t mesh = -1;
    supMeshView view = { 0 };
    for ( int32_t b = 0; b < out->count; ++b )
    {
        const supSkinBlockPlan* plan = plans + b;
        while ( mesh < plan->mesh )
        {
            view = supCharacter_Mesh( character, ++mesh );
            out->firstOfMesh[mesh] = b;
        }
        supGatherBlock( &view, offsets, keys + plan->firstKey, plan->count, &gather );
        supSkinBlock* block = out->blocks + b;
        *block = ( supSkinBlock ){ .count = plan->count,
            .jointCount = gather.jointCount,
            .elementCount = gather.elementCount,
            .firstJoint = (int32_t)at.joints,
            .firstElement = (int32_t)at.elements,
            .firstData = at.data,
            .firstDirection = at.directions };
        memcpy( out->joints + at.joints, gather.joints, sizeof( int32_t ) * (size_t)gather.jointCount );
        memcpy( out->elements + at.elements, gather.elements, sizeof( int32_t ) * (size_t)gather.elementCount );
        block->sameJoints = supHasSameJoints( out, b );
        supFillBlock( out, block, &view, offsets, keys + plan->firstKey );
        at.joints += (size_t)gather.jointCount;
        at.elements += (size_t)gather.elementCount;
        at.data += SUP_BLOCK * ( 3 + (size_t)gather.jointCount + (size_t)gather.elementCount );
        at.directions += SUP_BLOCK * ( 3 + 3 * (size_t)gather.elementCount );
    }
    while ( mesh < supCharacter_Info( character )->meshCount )
    {
        out->firstOfMesh[++mesh] = out->count;
    }
}

/// One piece of memory for all of it.
static supSkinBlocks* supAllocBlocks(
    const supCharacter* character, supSkinSizes sizes, int32_t count, const supAllocator* allocator )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supSkinBlocks, out, 1 );
    SUP_PUT_NEW( &layout, supSkinBlock, blocks, count );
    SUP_PUT_NEW( &layout, int32_t, first, supCharacter_Info( character )->meshCount + 2 );
    SUP_PUT_NEW( &layout, int32_t, joints, sizes.joints );
    SUP_PUT_NEW( &layout, int32_t, elements, sizes.elements );
    SUP_PUT_NEW( &layout, uint8_t, pivots, SUP_BLOCK * (size_t)count );
    SUP_PUT_NEW_WIDE( &layout, float, data, sizes.data );
    SUP_PUT_NEW_WIDE( &layout, float, directions, sizes.directions );
    char* memory = supAllocLayout( allocator, &layout );
    if ( memory == NULL )
    {
        return NULL;
    }
    *out = ( supSkinBlocks ){ count, blocks, first, joints, elements, data, directions, pivots, sizes.joints,
        layout.size };
    return out;
}

supSkinBlocks* supMakeSkinBlocks(
    const supCharacter* character, const supSkinOffsets* offsets, const supAllocator* allocator )
{
    int32_t count = supCountBlocks( character );
    supSkinKey* keys = supSortVertices( character, offsets, allocator );
    supSkinBlockPlan* plans =
        supAllocZeroed( allocator, (size_t)count + 1, sizeof( supSkinBlockPlan ), _Alignof( supSkinBlockPlan ) );
    supSkinBlocks* out = NULL;
    if ( keys != NULL && plans != NULL )
    {
        supSkinSizes sizes = supPlanBlocks( character, offsets, keys, plans, count );
        out = supAllocBlocks( character, sizes, count, allocator );
    }
    if ( out != NULL )
    {
        supFillBlocks( character, offsets, keys, plans, out );
    }
    supFree( allocator, plans, ( (size_t)count + 1 ) * sizeof( supSkinBlockPlan ) );
    supFree( allocator, keys, ( 2 * (size_t)supCharacter_Info( character )->vertexCount + 1 ) * sizeof( supSkinKey ) );
    return out;
}

// ---------------------------------------------------------------------------------------------------------------
// The order of vertices for skinning.
//
// Vertices that use the same joints and elements fill whole blocks first. What is left of each such set, fewer than 16
// vertices, is put together: a block begins with the set that needs the least and takes on, as long as it has room, the
// one that adds the fewest joints and elements to it. Cutting the sorted vertices every 16 instead, so that a block's
// end falls anywhere in a set, gave the cat 5.0 joints a block and the woman 2.4.

enum
{
    supFarthestSet = 128, ///< of those that are left, how many are looked at: keeps the time in proportion
};

static int supCompareSets( const supSkinKey* x, const supSkinKey* y )
{
    int order = memcmp( x->elements, y->elements, sizeof( x->elements ) );
    for ( int i = 0; i < SUP_MAX_INFLUENCES && order == 0; ++i )
    {
        order = (int)x->joints[i] - (int)y->joints[i];
    }
    return order;
}

static int supCompareKeys( const void* a, const void* b )
{
    const supSkinKey *x = a, *y = b;
    int order = supCompareSets( x, y );
    return order != 0 ? order : x->vertex - y->vertex;
}

/// Where the set that begins at `first` ends.
static int32_t supSetEnd( const supSkinKey* keys, int32_t first, int32_t count )
{
    int32_t end = first + 1;
    while ( end < count && supCompareSets( keys + first, keys + end ) == 0 )
    {
        ++end;
    }
    return end;
}

/// What a block in the making uses.
typedef struct supUsed
{
    uint16_t joints[SUP_BLOCK * SUP_MAX_INFLUENCES], elements[SUP_BLOCK * supMostTouches];
    int32_t jointCount, elementCount;
} supUsed;

static bool supIsIn( const uint16_t* list, int32_t count, uint16_t value )
{
    int32_t i = 0;
    while ( i < count && list[i] != value )
    {
        ++i;
    }
    return i < count;
}

/// How many joints and elements a set would add.
static int32_t supCountNew( const supUsed* used, const supSkinKey* key )
{
    int32_t count = 0;
    for ( int i = 0; i < SUP_MAX_INFLUENCES && key->joints[i] != 0xffff; ++i )
    {
        count += !supIsIn( used->joints, used->jointCount, key->joints[i] );
    }
    for ( int i = 0; i < supMostTouches && key->elements[i] != 0xffff; ++i )
    {
        count += !supIsIn( used->elements, used->elementCount, key->elements[i] );
    }
    return count;
}

static void supUse( supUsed* used, const supSkinKey* key )
{
    for ( int i = 0; i < SUP_MAX_INFLUENCES && key->joints[i] != 0xffff; ++i )
    {
        if ( !supIsIn( used->joints, used->jointCount, key->joints[i] ) )
        {
            used->joints[used->jointCount++] = key->joints[i];
        }
    }
    for ( int i = 0; i < supMostTouches && key->elements[i] != 0xffff; ++i )
    {
        if ( !supIsIn( used->elements, used->elementCount, key->elements[i] ) )
        {
            used->elements[used->elementCount++] = key->elements[i];
        }
    }
}

/// Sets that are left, one behind the other; a key whose vertex is -1 has been taken.
typedef struct supLeft
{
    supSkinKey* keys;
    int32_t first, count; ///< before `first` all have been taken
    int32_t reach;        ///< from here on none has
} supLeft;

/// Of the first sets that are left, the one that adds the least; of several the largest.
static int32_t supBestSet( supLeft* left, const supUsed* used )
{
    int32_t best = -1, least = INT32_MAX, most = 0;
    for ( int32_t at = left->first, seen = 0; at < left->count && seen < supFarthestSet; )
    {
        int32_t end = supSetEnd( left->keys, at, left->count );
        while ( at < end && left->keys[at].vertex < 0 )
        {
            ++at;
        }
        int32_t added = at < end ? supCountNew( used, left->keys + at ) : INT32_MAX;
        if ( at < end && ( added < least || ( added == least && end - at > most ) ) )
        {
            best = at;
            least = added;
            most = end - at;
        }
        seen += at < end;
        at = end;
        left->reach = end > left->reach ? end : left->reach;
    }
    return best;
}

/// Closes the gaps: what has been taken comes to stand before the rest.
static void supCloseGaps( supLeft* left )
{
    int32_t to = left->reach;
    for ( int32_t at = left->reach - 1; at >= left->first; --at )
    {
        if ( left->keys[at].vertex >= 0 )
        {
            left->keys[--to] = left->keys[at];
        }
    }
    left->first = to;
}

/// Blocks of what is left, into `out`.
static void supJoinSets( supLeft left, supSkinKey* out )
{
    while ( left.first < left.count )
    {
        supUsed used = { .jointCount = 0 };
        int32_t most = left.count - left.first;
        for ( int32_t room = most < SUP_BLOCK ? most : SUP_BLOCK; room > 0; )
        {
            int32_t at = supBestSet( &left, &used );
            int32_t end = supSetEnd( left.keys, at, left.count );
            supUse( &used, left.keys + at );
            for ( ; room > 0 && at < end; ++at, --room )
            {
                *out++ = left.keys[at];
                left.keys[at].vertex = -1;
            }
        }
        supCloseGaps( &left );
    }
}

void supOrderKeys( supSkinKey* keys, int32_t count, supSkinKey* scratch )
{
    qsort( keys, (size_t)count, sizeof( supSkinKey ), supCompareKeys );
    int32_t whole = 0, left = 0;
    for ( int32_t first = 0; first < count; )
    {
        int32_t end = supSetEnd( keys, first, count );
        int32_t full = ( end - first ) / SUP_BLOCK * SUP_BLOCK;
        memmove( keys + whole, keys + first, sizeof( supSkinKey ) * (size_t)full );
        memcpy( scratch + left, keys + first + full, sizeof( supSkinKey ) * (size_t)( end - first - full ) );
        whole += full;
        left += end - first - full;
        first = end;
    }
    supJoinSets( ( supLeft ){ scratch, 0, left, 0 }, keys + whole );
}
