// A skin in patches of a few triangles each, so that what comes close to a vertex is found in little time.
// SPDX-License-Identifier: MIT

#include "layers/contact/skin_patches.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/closest_point.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Making

/// A triangle by the joint it hangs on, and by where it is on a curve that fills space (Morton 1966).
typedef struct supPatchKey
{
    uint64_t key;
    int32_t corners[3];
    int32_t order;
} supPatchKey;

static int supComparePatchKeys( const void* a, const void* b )
{
    const supPatchKey *p = a, *q = b;
    return p->key < q->key ? -1 : p->key > q->key ? 1 : p->order < q->order ? -1 : p->order > q->order;
}

/// Every third bit of the result is one of the lowest ten.
static uint64_t supSpreadBits( uint32_t value )
{
    uint64_t out = 0;
    for ( int bit = 0; bit < 10; ++bit )
    {
        out |= (uint64_t)( value >> bit & 1 ) << ( 3 * bit );
    }
    return out;
}

static uint64_t supMortonOf( supVec3 p, supVec3 low, float scale )
{
    uint32_t x = (uint32_t)supClampF( ( p.x - low.x ) * scale, 0.0f, 1023.0f );
    uint32_t y = (uint32_t)supClampF( ( p.y - low.y ) * scale, 0.0f, 1023.0f );
    uint32_t z = (uint32_t)supClampF( ( p.z - low.z ) * scale, 0.0f, 1023.0f );
    return supSpreadBits( x ) | supSpreadBits( y ) << 1 | supSpreadBits( z ) << 2;
}

/// The joint that carries most of each vertex.
static void supFillPatchParts( const supCharacter* character, int32_t* parts )
{
    const int32_t* joints = supCharacter_PaletteJoints( character );
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            // influences are ordered by falling weight
            size_t at = (size_t)v * (size_t)mesh.influenceCount;
            parts[mesh.firstVertex + v] = joints[mesh.firstPalette + mesh.jointIndices[at]];
        }
    }
}

/// Triangles that have an area, sorted. Gives how many.
static int32_t supSortPatchKeys( const supCharacter* character, const int32_t* parts, supPatchKey* keys )
{
    const supVec3* rest = (const supVec3*)supCharacter_RestPositions( character );
    int32_t count = 0;
    supVec3 low = rest[0];
    for ( int32_t v = 0; v < supCharacter_VertexCount( character ); ++v )
    {
        low = supMinVec3( low, rest[v] );
    }
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            supPatchKey* key = keys + count;
            for ( int k = 0; k < 3; ++k )
            {
                key->corners[k] = mesh.firstVertex + (int32_t)mesh.indices[i + k];
            }
            supVec3 a = rest[key->corners[0]], b = rest[key->corners[1]], c = rest[key->corners[2]];
            supVec3 middle = supScale( supAdd( supAdd( a, b ), c ), 1.0f / 3.0f );
            int32_t part = parts[key->corners[0]];
            key->order = count;
            key->key = (uint64_t)part << 30 |
                       supMortonOf( middle, low, 1023.0f / supMaxF( supCharacter_Size( character ), 1e-30f ) );
            count += supLengthSquared( supCross( supSub( b, a ), supSub( c, a ) ) ) > 0.0f;
        }
    }
    qsort( keys, (size_t)count, sizeof( supPatchKey ), supComparePatchKeys );
    return count;
}

/// Patches end where they are full, and where the joint is another one.
static void supCutPatches( supSkinPatches* patches, const supPatchKey* keys, int32_t count )
{
    patches->triangleCount = count;
    for ( int32_t t = 0; t < count; ++t )
    {
        memcpy( patches->corners + 3 * (size_t)t, keys[t].corners, sizeof( keys[t].corners ) );
        bool full = t == 0 || t - patches->starts[patches->patchCount - 1] == supPatchTriangles ||
                    keys[t].key >> 30 != keys[t - 1].key >> 30;
        if ( full )
        {
            patches->starts[patches->patchCount++] = t;
        }
    }
    patches->starts[patches->patchCount] = count;
    patches->blockCount = ( patches->patchCount + supBlockPatches - 1 ) / supBlockPatches;
}

static int supThinnestAxis( const supCharacter* character )
{
    const supVec3* rest = (const supVec3*)supCharacter_RestPositions( character );
    supVec3 low = rest[0], high = rest[0];
    for ( int32_t v = 0; v < supCharacter_VertexCount( character ); ++v )
    {
        low = supMinVec3( low, rest[v] );
        high = supMaxVec3( high, rest[v] );
    }
    supVec3 sides = supSub( high, low );
    return sides.x <= sides.y && sides.x <= sides.z ? 0 : sides.y <= sides.z ? 1 : 2;
}

supSkinPatches* supMakeSkinPatches( const supCharacter* character, const supAllocator* allocator )
{
    size_t vertices = (size_t)supCharacter_VertexCount( character ), triangles = 0;
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        triangles += (size_t)supCharacter_Mesh( character, m ).indexCount / 3;
    }
    supLayout layout = supMakeLayout();
    SUP_LAYOUT_ARRAY( &layout, supSkinPatches, 1 );
    size_t atCorners = SUP_LAYOUT_ARRAY( &layout, int32_t, 3 * triangles );
    size_t atStarts = SUP_LAYOUT_ARRAY( &layout, int32_t, triangles + 1 );
    size_t atWelds = SUP_LAYOUT_ARRAY( &layout, int32_t, vertices );
    size_t atParts = SUP_LAYOUT_ARRAY( &layout, int32_t, vertices );
    char* block = supAllocLayout( allocator, &layout );
    size_t keysSize = ( triangles + 1 ) * sizeof( supPatchKey );
    supPatchKey* keys = supAlloc( allocator, keysSize, _Alignof( supPatchKey ) );
    if ( block == NULL || keys == NULL )
    {
        supFree( allocator, block, layout.size );
        supFree( allocator, keys, keysSize );
        return NULL;
    }
    supSkinPatches* patches = (supSkinPatches*)block;
    *patches = ( supSkinPatches ){ .vertexCount = (int32_t)vertices,
        .corners = (int32_t*)( block + atCorners ),
        .starts = (int32_t*)( block + atStarts ),
        .welds = (int32_t*)( block + atWelds ),
        .parts = (int32_t*)( block + atParts ),
        .size = supCharacter_Size( character ),
        .thinAxis = supThinnestAxis( character ),
        .blockSize = layout.size };
    memcpy( patches->welds, supCharacter_Welds( character ), vertices * sizeof( int32_t ) );
    supFillPatchParts( character, patches->parts );
    supCutPatches( patches, keys, supSortPatchKeys( character, patches->parts, keys ) );
    supFree( allocator, keys, keysSize );
    return patches;
}

void supDropSkinPatches( supSkinPatches* patches, const supAllocator* allocator )
{
    supFree( allocator, patches, patches != NULL ? patches->blockSize : 0 );
}

// ---------------------------------------------------------------------------------------------------------------
// A moment

static size_t supLayPosed( const supSkinPatches* patches, char* block, supPosedPatches* posed )
{
    supLayout layout = supMakeLayout();
    size_t atNormals = SUP_LAYOUT_ARRAY( &layout, supVec3, patches->vertexCount );
    size_t atMoved = SUP_LAYOUT_ARRAY( &layout, float, patches->vertexCount );
    size_t atBalls = SUP_LAYOUT_ARRAY( &layout, supPatchBall, patches->patchCount );
    size_t atBlocks = SUP_LAYOUT_ARRAY( &layout, supPatchBall, patches->blockCount );
    if ( posed != NULL )
    {
        *posed = ( supPosedPatches ){ patches, (supVec3*)( block + atNormals ), (float*)( block + atMoved ),
            (supPatchBall*)( block + atBalls ), (supPatchBall*)( block + atBlocks ) };
    }
    return layout.size;
}

size_t supSkinPatches_ScratchSize( const supSkinPatches* patches )
{
    return supLayPosed( patches, NULL, NULL );
}

/// Normals of vertices.
static void supPoseNormals( supPosedPatches* posed, const supVec3* positions )
{
    const supSkinPatches* patches = posed->patches;
    memset( posed->normals, 0, sizeof( supVec3 ) * (size_t)patches->vertexCount );
    for ( int32_t t = 0; t < patches->triangleCount; ++t )
    {
        const int32_t* c = patches->corners + 3 * (size_t)t;
        supVec3 a = positions[c[0]];
        supVec3 area = supCross( supSub( positions[c[1]], a ), supSub( positions[c[2]], a ) );
        for ( int k = 0; k < 3; ++k )
        {
            supVec3* sum = posed->normals + patches->welds[c[k]];
            *sum = supAdd( *sum, area );
        }
    }
    for ( int32_t v = 0; v < patches->vertexCount; ++v )
    {
        // a weld's first vertex comes before all others: it has its unit length by then
        bool first = patches->welds[v] == v;
        posed->normals[v] = first ? supNormalize( posed->normals[v] ) : posed->normals[patches->welds[v]];
    }
}

static void supPosePatch( supPosedPatches* posed, int32_t patch, const supVec3* positions )
{
    const supSkinPatches* patches = posed->patches;
    int32_t from = patches->starts[patch], to = patches->starts[patch + 1];
    supVec3 low = positions[patches->corners[3 * (size_t)from]], high = low;
    float moved = 0.0f, radius = 0.0f;
    for ( int32_t i = 3 * from; i < 3 * to; ++i )
    {
        low = supMinVec3( low, positions[patches->corners[i]] );
        high = supMaxVec3( high, positions[patches->corners[i]] );
        moved = supMaxF( moved, posed->moved[patches->corners[i]] );
    }
    supVec3 middle = supLerp( low, high, 0.5f );
    for ( int32_t i = 3 * from; i < 3 * to; ++i )
    {
        supVec3 off = supSub( positions[patches->corners[i]], middle );
        radius = supMaxF( radius, supDot( off, off ) );
    }
    posed->balls[patch] = ( supPatchBall ){ middle, supSqrtF( radius ), moved };
}

static void supPoseBlock( supPosedPatches* posed, int32_t block )
{
    int32_t from = block * supBlockPatches, to = from + supBlockPatches;
    to = to < posed->patches->patchCount ? to : posed->patches->patchCount;
    supVec3 middle = supVec3_zero;
    float radius = 0.0f, moved = 0.0f;
    for ( int32_t i = from; i < to; ++i )
    {
        middle = supMulAdd( middle, 1.0f / (float)( to - from ), posed->balls[i].middle );
    }
    for ( int32_t i = from; i < to; ++i )
    {
        radius = supMaxF( radius, supDistance( middle, posed->balls[i].middle ) + posed->balls[i].radius );
        moved = supMaxF( moved, posed->balls[i].moved );
    }
    posed->blocks[block] = ( supPatchBall ){ middle, radius, moved };
}

float supPoseSkinPatches( const supSkinPatches* patches, const supVec3* smooth, const supVec3* positions, void* scratch,
    supPosedPatches* posed )
{
    float most = 0.0f;
    supLayPosed( patches, scratch, posed );
    for ( int32_t v = 0; v < patches->vertexCount; ++v )
    {
        float moved = supDistance( smooth[v], positions[v] );
        posed->moved[v] = moved;
        most = supMaxF( most, moved );
    }
    if ( !( most > 0.0f ) && smooth != positions )
    {
        return 0.0f;
    }
    supPoseNormals( posed, positions );
    for ( int32_t i = 0; i < patches->patchCount; ++i )
    {
        supPosePatch( posed, i, positions );
    }
    for ( int32_t i = 0; i < patches->blockCount; ++i )
    {
        supPoseBlock( posed, i );
    }
    return most;
}

// ---------------------------------------------------------------------------------------------------------------
// What is close

/// While a vertex looks around.
typedef struct supNearWork
{
    const supPosedPatches* posed;
    const supVec3* positions;
    int32_t vertex;
    supVec3 place;
    float reach, moved;
    supNearSkin best;
} supNearWork;

static void supTryNear( supNearWork* work, int32_t triangle, float reach )
{
    const supSkinPatches* patches = work->posed->patches;
    const int32_t* c = patches->corners + 3 * (size_t)triangle;
    int32_t part = patches->parts[work->vertex], own = patches->welds[work->vertex];
    bool other = patches->parts[c[0]] != part && patches->parts[c[1]] != part && patches->parts[c[2]] != part;
    const supVec3* x = work->positions;
    supFootPoint foot = supClosestOnTriangle( work->place, x[c[0]], x[c[1]], x[c[2]] );
    if ( other && foot.distance < ( work->best.found ? work->best.distance : reach ) )
    {
        work->best.found = true;
        work->best.triangle = triangle;
        work->best.distance = foot.distance;
        memcpy( work->best.shares, foot.shares, sizeof( foot.shares ) );
    }
    bool around = patches->welds[c[0]] == own || patches->welds[c[1]] == own || patches->welds[c[2]] == own;
    work->best.gate = around ? work->best.gate : supMinF( work->best.gate, foot.distance );
}

/// How far the closest thing in a ball can be; below zero inside of it.
static float supToBall( const supNearWork* work, const supPatchBall* ball )
{
    // triangles may have been pushed since the ball was laid around them
    return supDistance( work->place, ball->middle ) - ball->radius - ball->moved;
}

static void supSearchBlock( supNearWork* work, int32_t block )
{
    const supSkinPatches* patches = work->posed->patches;
    int32_t from = block * supBlockPatches, to = from + supBlockPatches;
    to = to < patches->patchCount ? to : patches->patchCount;
    for ( int32_t i = from; i < to; ++i )
    {
        const supPatchBall* ball = work->posed->balls + i;
        float reach = work->reach + work->moved + ball->moved;
        float most = work->best.found ? supMinF( work->best.distance, reach ) : reach;
        bool worth = supToBall( work, ball ) < most;
        for ( int32_t t = patches->starts[i]; worth && t < patches->starts[i + 1]; ++t )
        {
            supTryNear( work, t, reach );
        }
    }
}

supNearSkin supFindNearSkin( const supPosedPatches* posed, const supVec3* positions, int32_t vertex, float reach )
{
    enum
    {
        supMostSorted = 512
    };
    const supSkinPatches* patches = posed->patches;
    supNearWork work = { posed, positions, vertex, positions[vertex], reach, posed->moved[vertex], { .gate = 1e30f } };
    float bounds[supMostSorted];
    int32_t order[supMostSorted], count = 0;
    // the closest block first: what it holds rules out most others
    for ( int32_t b = 0; b < patches->blockCount; ++b )
    {
        float bound = supToBall( &work, posed->blocks + b );
        if ( bound >= reach + work.moved + posed->blocks[b].moved )
        {
            continue;
        }
        if ( count == supMostSorted )
        {
            supSearchBlock( &work, b );
            continue;
        }
        int32_t at = count++;
        for ( ; at > 0 && bound < bounds[at - 1]; --at )
        {
            bounds[at] = bounds[at - 1];
            order[at] = order[at - 1];
        }
        bounds[at] = bound;
        order[at] = b;
    }
    for ( int32_t i = 0; i < count && !( work.best.found && bounds[i] >= work.best.distance ); ++i )
    {
        supSearchBlock( &work, order[i] );
    }
    work.best.gate = supMinF( work.best.gate, work.best.distance );
    return work.best;
}
