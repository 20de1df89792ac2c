// Which parts of the body a skin's vertices belong to, and which of its pieces are closed.
// SPDX-License-Identifier: MIT

#include "layers/skin_pieces.h"

#include "base/math.h"
#include "base/memory.h"
#include "base/unions.h"

/// Around a closed piece the areas of all triangles, as vectors, add up to nothing. Those of an open one are the area
/// of its holes: more than this share of its skin, and it is no body that one could be inside of.
static const double supOpenShare = 0.02;

void supFindSkinParts( const supCharacter* character, int32_t* parts )
{
    const int32_t* joints = supCharacter_Info( character )->paletteJoints;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
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

static void supJoinTriangles( const supCharacter* character, int32_t* pieces )
{
    const int32_t* welds = supCharacter_Info( character )->welds;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        const int32_t* own = welds + mesh.firstVertex;
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            supJoinRoots( pieces, own[mesh.indices[i]], own[mesh.indices[i + 1]] );
            supJoinRoots( pieces, own[mesh.indices[i]], own[mesh.indices[i + 2]] );
        }
    }
}

/// Twice the area of all triangles of each piece, at rest: as vectors, and as numbers.
static void supSumAreas( const supCharacter* character, const int32_t* pieces, supVec3d* sums, double* areas )
{
    const supVec3* rest = (const supVec3*)supCharacter_Info( character )->restPositions;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        const supVec3* own = rest + mesh.firstVertex;
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            int32_t piece = pieces[mesh.firstVertex + (int32_t)mesh.indices[i]];
            supVec3d a = supToDouble( own[mesh.indices[i]] ), b = supToDouble( own[mesh.indices[i + 1]] ),
                     c = supToDouble( own[mesh.indices[i + 2]] );
            supVec3d area = supCrossD( supSubD( b, a ), supSubD( c, a ) );
            sums[piece] = supAddD( sums[piece], area );
            areas[piece] += supLengthD( area );
        }
    }
}

bool supFindClosedPieces( const supCharacter* character, const supAllocator* allocator, int32_t* pieces )
{
    const int32_t* welds = supCharacter_Info( character )->welds;
    int32_t vertices = supCharacter_Info( character )->vertexCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supVec3d, sums, vertices );
    SUP_PUT_NEW( &layout, double, areas, vertices );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    for ( int32_t v = 0; v < vertices; ++v )
    {
        pieces[v] = v;
    }
    supJoinTriangles( character, pieces );
    for ( int32_t v = 0; v < vertices; ++v )
    {
        // a root is the first of its piece, and a weld's first vertex comes before the others: both are final by now
        pieces[v] = welds[v] == v ? supFindRoot( pieces, v ) : pieces[welds[v]];
    }
    supSumAreas( character, pieces, sums, areas );
    for ( int32_t v = 0; v < vertices; ++v )
    {
        int32_t piece = pieces[v];
        pieces[v] = supLengthD( sums[piece] ) <= supOpenShare * areas[piece] ? piece : -1;
    }
    supFree( allocator, block, layout.size );
    return true;
}
