// Supple: vertices that stand in one place at rest, and the fingerprint of what stands where.
// SPDX-License-Identifier: MIT
#include "base/hash.h"
#include "character_data.h"

// Rest positions are finite, so equal points are found.
bool supComputeWelds( supCharacter* character )
{
    return supFindSamePoints(
        character->restPositions, character->vertexCount, character->welds, &character->allocator );
}

uint64_t supComputeFingerprint( const supCharacter* character )
{
    supHash hash = supMakeHash();
    supHash_Word( &hash, (uint64_t)character->meshCount );
    for ( int32_t i = 0; i < character->meshCount; ++i )
    {
        const supMeshView* mesh = character->meshes + i;
        supHash_Word( &hash, (uint64_t)mesh->vertexCount );
        supHash_Word( &hash, (uint64_t)mesh->indexCount );
        for ( int32_t k = 0; k < mesh->indexCount; ++k )
        {
            supHash_Word( &hash, mesh->indices[k] );
        }
    }
    supHash_Floats( &hash, character->restPositions, (size_t)character->vertexCount * 3 );
    return supHash_Value( &hash );
}
