// SPDX-License-Identifier: MIT
#include "layers/correctives/patch_chains.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Chains: from bone to bone as long as the tube goes on

static int32_t supCountBelow( const supSkinCensus* census, int32_t bone, int32_t* only )
{
    int32_t count = 0;
    for ( int32_t b = 0; b < census->boneCount; ++b )
    {
        if ( census->bones[b].above == bone )
        {
            *only = b;
            count += 1;
        }
    }
    return count;
}

/// How thick the branch is that begins with `first`: its first bone that carries more than a few vertices, beside those
/// of the bone that it branches off.
static float supBranchThickness( const supSkinCensus* census, int32_t bone, int32_t first )
{
    int32_t next = first;
    while ( 33 * (int64_t)census->bones[first].count < census->bones[bone].count &&
            supCountBelow( census, first, &next ) == 1 )
    {
        first = next;
    }
    return census->bones[first].thickness;
}

/// Which of the bones below takes the chain on; -1: none.
static int32_t supGoesOn( const supSkinCensus* census, int32_t bone )
{
    const float asThick = 0.6f, sharpest = 0.5f; // cosine of 60 degrees
    const supSkinBone* own = census->bones + bone;
    int32_t only = -1, best = -1, count = supCountBelow( census, bone, &only );
    supVec3 came = own->above >= 0 ? supNormalize( supSub( own->head, census->bones[own->above].head ) ) : supVec3_zero;
    float thickest = asThick * own->thickness;
    for ( int32_t b = 0; b < census->boneCount && count > 1; ++b )
    {
        const supSkinBone* below = census->bones + b;
        if ( below->above != bone )
        {
            continue;
        }
        supVec3 goes = supNormalize( supSub( below->tip, below->head ) );
        float thickness = supBranchThickness( census, bone, b );
        if ( thickness >= thickest && ( own->above < 0 || supDot( came, goes ) >= sharpest ) )
        {
            best = b;
            thickest = thickness;
        }
    }
    return count == 1 ? only : best;
}

/// Adds a bone's joints to a chain, and its place to the centre line. False: there is no room for them; in an empty
/// chain there is, for as many as fit.
static bool supAddBone( const supSkinCensus* census, int32_t bone, supChain* chain )
{
    const supSkinBone* own = census->bones + bone;
    bool fits = chain->jointCount + own->jointCount <= supMostChain && chain->centerCount + 2 <= supMostChain;
    if ( !fits && chain->jointCount > 0 )
    {
        return false;
    }
    for ( int32_t j = 0; j < census->jointCount && chain->jointCount < supMostChain; ++j )
    {
        if ( census->boneOf[j] == bone )
        {
            chain->joints[chain->jointCount++] = j;
        }
    }
    chain->center[chain->centerCount++] = own->head;
    return true;
}

bool supFindChains( const supSkinCensus* census, supArray* chains )
{
    for ( int32_t i = 0; i < census->boneCount; ++i )
    {
        int32_t above = census->bones[i].above;
        if ( above >= 0 && supGoesOn( census, above ) == i )
        {
            continue; // not the first of a chain
        }
        supChain* chain = NULL;
        for ( int32_t bone = i; bone >= 0; bone = supGoesOn( census, bone ) )
        {
            if ( chain == NULL || !supAddBone( census, bone, chain ) )
            {
                chain = supArray_Add( chains, 1 );
                if ( chain == NULL )
                {
                    return false;
                }
                *chain = ( supChain ){ .hangs = census->bones[bone].above >= 0 };
                supAddBone( census, bone, chain );
            }
            const supSkinBone* own = census->bones + bone;
            int32_t next = supGoesOn( census, bone );
            supVec3 on = next >= 0 ? census->bones[next].head : own->tip;
            // the first bone may lie the other way round: a palm that goes on into the wrist
            if ( chain->centerCount == 1 && supDistance( on, own->head ) < supDistance( on, own->tip ) )
            {
                chain->center[0] = own->tip;
                chain->center[chain->centerCount++] = own->head;
            }
            int32_t only = -1, below = supCountBelow( census, bone, &only );
            chain->end = own->tip;
            chain->endsInSkin = !own->hasBelow || ( next < 0 && below > 0 );
            chain->beginsInSkin = chain->beginsInSkin || ( own->above < 0 && below > 1 );
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The skin of a chain, and its centre line

void supFindMembers( const supCharacter* character, const supChain* chain, float* members )
{
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        const int32_t* joints = supCharacter_Info( character )->paletteJoints + mesh.firstPalette;
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            float sum = 0.0f;
            for ( int32_t k = 0; k < mesh.influenceCount; ++k )
            {
                size_t at = (size_t)v * (size_t)mesh.influenceCount + (size_t)k;
                for ( int32_t p = 0; p < chain->jointCount; ++p )
                {
                    sum += joints[mesh.jointIndices[at]] == chain->joints[p] ? mesh.weights[at] : 0.0f;
                }
            }
            members[mesh.firstVertex + v] = supMinF( sum, 1.0f );
        }
    }
}

/// How far beyond `from` the chain's skin goes.
static float supSkinBeyond( const supCharacter* character, const float* members, supVec3 from, supVec3 along )
{
    float farthest = 0.0f;
    const supVec3* positions = (const supVec3*)supCharacter_Info( character )->restPositions;
    for ( int32_t v = 0; v < supCharacter_Info( character )->vertexCount; ++v )
    {
        if ( members[v] > 0.5f )
        {
            farthest = supMaxF( farthest, supDot( supSub( positions[v], from ), along ) );
        }
    }
    return farthest;
}

/// Where the last bone ends: at the joints below it, or just before its skin does.
static supVec3 supFindEnd( const supCharacter* character, const supChain* chain, const float* members )
{
    supVec3 head = chain->center[chain->centerCount - 1];
    if ( !chain->endsInSkin || !( supDistance( head, chain->end ) > 0.0f ) )
    {
        return chain->end;
    }
    supVec3 along = supNormalize( supSub( chain->end, head ) );
    return supMulAdd( head, 0.97f * supSkinBeyond( character, members, head, along ), along );
}

/// The centre line to its ends, without points that stand in one place.
static void supFindCenter( const supCharacter* character, const float* members, supChain* chain )
{
    float least = 1e-5f * supCharacter_Info( character )->size;
    chain->center[chain->centerCount] = supFindEnd( character, chain, members );
    int32_t count = 0;
    for ( int32_t i = 0; i <= chain->centerCount; ++i )
    {
        if ( count == 0 || supDistance( chain->center[i], chain->center[count - 1] ) > least )
        {
            chain->center[count++] = chain->center[i];
        }
    }
    chain->centerCount = count;
    if ( chain->beginsInSkin && count > 1 )
    {
        supVec3 first = chain->center[0], back = supNormalize( supSub( first, chain->center[1] ) );
        chain->center[0] = supMulAdd( first, 0.97f * supSkinBeyond( character, members, first, back ), back );
    }
}

/// Triangles of which at least a quarter hangs on the chain, of all meshes. `out` may be NULL: they are counted.
static int32_t supChainTriangles( const supCharacter* character, const float* members, uint32_t* out )
{
    int32_t count = 0;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        for ( int32_t t = 0; t + 2 < mesh.indexCount; t += 3 )
        {
            uint32_t corners[3];
            float sum = 0.0f;
            for ( int k = 0; k < 3; ++k )
            {
                corners[k] = mesh.indices[t + k] + (uint32_t)mesh.firstVertex;
                sum += members[corners[k]];
            }
            if ( sum > 0.75f )
            {
                if ( out != NULL )
                {
                    memcpy( out + 3 * (size_t)count, corners, sizeof( corners ) );
                }
                count += 1;
            }
        }
    }
    return count;
}

static supResult supTryChainTube( const supCharacter* character, const supChain* chain, int32_t curves, int32_t nodes,
    const float* members, const supAllocator* allocator, supTube** out, supError* error )
{
    int32_t count = supChainTriangles( character, members, NULL );
    size_t room = ( 3 * (size_t)count + 1 ) * sizeof( uint32_t );
    uint32_t* triangles = supAlloc( allocator, room, _Alignof( uint32_t ) );
    if ( triangles == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for the %d triangles of \"%s\"", count,
            supCharacter_Joint( character, chain->joints[0] )->name );
    }
    supChainTriangles( character, members, triangles );
    supTubeDef def = { .centerCount = chain->centerCount,
        .center = chain->center,
        .vertexCount = supCharacter_Info( character )->vertexCount,
        .positions = (const supVec3*)supCharacter_Info( character )->restPositions,
        .triangleCount = count,
        .triangles = triangles,
        .welds = supCharacter_Info( character )->welds,
        .curves = curves,
        .nodes = nodes,
        .allocator = allocator };
    supResult result = supCreateTube( &def, out, error );
    supFree( allocator, triangles, room );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Ends: where a limb leaves the body planes cut no closed section of it

/// Whether at least so many quarters of a section are there.
static bool supIsSection( const supTube* tube, int32_t plane, int32_t quarters )
{
    int32_t covered = 0;
    for ( int32_t c = 0; c < tube->curves; ++c )
    {
        const float* shares = tube->grid[(size_t)c * (size_t)tube->nodes + (size_t)plane].shares;
        covered += shares[0] + shares[1] + shares[2] > 0.0f ? 1 : 0;
    }
    return 4 * covered >= quarters * tube->curves;
}

static supVec3 supCenterAt( const supChain* chain, float length )
{
    for ( int32_t i = 1; i < chain->centerCount; ++i )
    {
        float own = supDistance( chain->center[i - 1], chain->center[i] );
        if ( length <= own || i + 1 == chain->centerCount )
        {
            return supLerp( chain->center[i - 1], chain->center[i], supMinF( length / own, 1.0f ) );
        }
        length -= own;
    }
    return chain->center[0];
}

/// Shortens the centre line to where the first and the last whole section are. False: there is nothing to do.
static bool supTrimCenter( const supTube* tube, supChain* chain )
{
    int32_t first = 0, last = tube->nodes - 1;
    while ( first < last && !supIsSection( tube, first, chain->hangs ? 4 : 3 ) )
    {
        ++first;
    }
    while ( last > first && !supIsSection( tube, last, 3 ) )
    {
        --last;
    }
    if ( last - first < 2 || ( first == 0 && last == tube->nodes - 1 ) )
    {
        return false;
    }
    float step = tube->length / (float)( tube->nodes - 1 ), from = (float)first * step, to = (float)last * step;
    supChain trimmed = { .jointCount = chain->jointCount };
    trimmed.center[trimmed.centerCount++] = supCenterAt( chain, from );
    float at = 0.0f;
    for ( int32_t i = 1; i + 1 < chain->centerCount; ++i )
    {
        at += supDistance( chain->center[i - 1], chain->center[i] );
        if ( at > from + 0.01f * step && at < to - 0.01f * step )
        {
            trimmed.center[trimmed.centerCount++] = chain->center[i];
        }
    }
    trimmed.center[trimmed.centerCount++] = supCenterAt( chain, to );
    memcpy( chain->center, trimmed.center, sizeof( trimmed.center ) );
    chain->centerCount = trimmed.centerCount;
    return true;
}

supResult supMakeChainTube( const supCharacter* character, supChain* chain, int32_t curves, int32_t nodes,
    float* members, const supAllocator* allocator, supTube** out, supError* error )
{
    *out = NULL;
    supFindMembers( character, chain, members );
    supFindCenter( character, members, chain );
    if ( chain->centerCount < 2 )
    {
        return sup_success;
    }
    supResult result = supTryChainTube( character, chain, curves, nodes, members, allocator, out, error );
    if ( result == sup_success && supTrimCenter( *out, chain ) )
    {
        supFree( allocator, *out, ( *out )->blockSize );
        *out = NULL; // the second try may fail
        result = supTryChainTube( character, chain, curves, nodes, members, allocator, out, error );
    }
    return result;
}
