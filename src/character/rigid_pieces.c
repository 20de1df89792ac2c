// Supple: pieces of a surface that are carried as they are.
// SPDX-License-Identifier: MIT
//
// Skin passes from joint to joint, so its weights change from place to place. A connected piece that hangs on its
// joints by the same weights all over moves as one solid thing: a plate on one joint, a piston half on this one and
// half on that. What is connected is what triangles join and what stands in one place at rest, over all meshes, so that
// a body which materials or seams have split is still one.

#include "character/character_data.h"

#include "base/memory.h"
#include "base/scalar_math.h"
#include "base/unions.h"

/// By how much a weight may differ within a rigid piece: what automatic weights leave on a button.
static const float supSameWeight = 0.05f;

static void supJoinPieces( const supCharacter* character, int32_t* roots )
{
    const int32_t* welds = supCharacter_Info( character )->welds;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount && mesh.skin >= 0; i += 3 )
        {
            int32_t first = mesh.firstVertex + (int32_t)mesh.indices[i];
            for ( int k = 0; k < 3; ++k )
            {
                int32_t vertex = mesh.firstVertex + (int32_t)mesh.indices[i + k];
                supJoinRoots( roots, first, vertex );
                supJoinRoots( roots, welds[vertex], vertex );
            }
        }
    }
}

/// The mesh that a vertex belongs to: the last that begins at or before it.
static supMeshView supMeshOf( const supCharacter* character, int32_t vertex )
{
    int32_t low = 0, high = supCharacter_Info( character )->meshCount;
    while ( high - low > 1 )
    {
        int32_t middle = low + ( high - low ) / 2;
        bool before = supCharacter_Mesh( character, middle ).firstVertex <= vertex;
        low = before ? middle : low;
        high = before ? high : middle;
    }
    return supCharacter_Mesh( character, low );
}

static float supHeldByJoint( const supCharacter* character, const supMeshView* mesh, int32_t vertex, int32_t joint )
{
    const int32_t* joints = supCharacter_Info( character )->paletteJoints + mesh->firstPalette;
    float sum = 0.0f;
    for ( int32_t i = 0; i < mesh->influenceCount && mesh->skin >= 0; ++i )
    {
        int32_t at = ( vertex - mesh->firstVertex ) * mesh->influenceCount + i;
        sum += joints[mesh->jointIndices[at]] == joint ? mesh->weights[at] : 0.0f;
    }
    return sum;
}

/// Whether no joint holds `other` by less than `vertex`.
static bool supHoldsAsMuch( const supCharacter* character, int32_t vertex, int32_t other )
{
    supMeshView mesh = supMeshOf( character, vertex ), otherMesh = supMeshOf( character, other );
    const int32_t* joints = supCharacter_Info( character )->paletteJoints + mesh.firstPalette;
    for ( int32_t i = 0; i < mesh.influenceCount; ++i )
    {
        int32_t at = ( vertex - mesh.firstVertex ) * mesh.influenceCount + i;
        int32_t joint = joints[mesh.jointIndices[at]];
        float weight = mesh.weights[at] > 0.0f ? supHeldByJoint( character, &mesh, vertex, joint ) : 0.0f;
        if ( weight > supHeldByJoint( character, &otherMesh, other, joint ) + supSameWeight )
        {
            return false;
        }
    }
    return true;
}

bool supFindRigidPieces( const supCharacter* character, const supAllocator* allocator, int32_t* pieces )
{
    size_t vertexCount = (size_t)supCharacter_Info( character )->vertexCount;
    bool* isSkin = supAllocZeroed( allocator, vertexCount + 1, sizeof( bool ), _Alignof( bool ) );
    if ( isSkin == NULL )
    {
        return false;
    }
    for ( int32_t v = 0; v < (int32_t)vertexCount; ++v )
    {
        pieces[v] = v;
    }
    supJoinPieces( character, pieces );
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = mesh.firstVertex; v < mesh.firstVertex + mesh.vertexCount; ++v )
        {
            int32_t root = supFindRoot( pieces, v );
            bool same =
                mesh.skin >= 0 &&
                ( isSkin[root] || ( supHoldsAsMuch( character, v, root ) && supHoldsAsMuch( character, root, v ) ) );
            isSkin[root] = isSkin[root] || !same;
        }
    }
    for ( int32_t v = (int32_t)vertexCount - 1; v >= 0; --v ) // roots last: they stand first in their pieces
    {
        int32_t root = supFindRoot( pieces, v );
        pieces[v] = isSkin[root] ? -1 : root;
    }
    supFree( allocator, isSkin, ( vertexCount + 1 ) * sizeof( bool ) );
    return true;
}
