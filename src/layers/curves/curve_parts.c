// Supple: parts of a character from its skinning weights.
// SPDX-License-Identifier: MIT

#include "base/memory.h"
#include "supple/lab/curves.h"

// The joint that carries most of a vertex.
static int32_t supMainJoint( const supCharacter* character, const supMeshView* mesh, int32_t v )
{
    const int32_t* joints = supCharacter_Info( character )->paletteJoints;
    if ( mesh->skin < 0 )
    {
        return mesh->joint;
    }
    size_t at = (size_t)v * (size_t)mesh->influenceCount;
    return joints[mesh->firstPalette + mesh->jointIndices[at]]; // they are ordered by falling weight
}

// Upwards as long as the joint is its parent's only child that carries skin below it, and the parent carries some.
static int32_t supFirstOfRow( const supCharacter* character, const int32_t* branches, const bool* used, int32_t joint )
{
    for ( ;; )
    {
        int32_t parent = supCharacter_Joint( character, joint )->parent;
        if ( parent < 0 || branches[parent] != 1 || !used[parent] )
        {
            return joint;
        }
        joint = parent;
    }
}

int32_t supPartsOfCharacter( const supCharacter* character, int32_t* parts, const char** names )
{
    size_t n = (size_t)supCharacter_Info( character )->jointCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, bool, used, n );
    SUP_PUT_NEW( &layout, bool, below, n );
    SUP_PUT_NEW( &layout, int32_t, branches, n );
    SUP_PUT_NEW( &layout, int32_t, partOf, n );
    char* block = supAllocLayout( NULL, &layout );
    if ( block == NULL )
    {
        return 0;
    }
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t i = 0; i < mesh.indexCount; ++i )
        {
            used[supMainJoint( character, &mesh, (int32_t)mesh.indices[i] )] = true;
        }
    }
    const int32_t* order = supCharacter_Info( character )->jointOrder;
    for ( size_t i = n; i-- > 0; )
    {
        int32_t joint = order[i], parent = supCharacter_Joint( character, joint )->parent;
        below[joint] = below[joint] || used[joint];
        if ( parent >= 0 && below[joint] )
        {
            below[parent] = true;
            ++branches[parent];
        }
        partOf[joint] = -1;
    }
    int32_t count = 0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            int32_t joint = supMainJoint( character, &mesh, v );
            int32_t first = used[joint] ? supFirstOfRow( character, branches, used, joint ) : -1;
            if ( first >= 0 && partOf[first] < 0 )
            {
                names[count] = supCharacter_Joint( character, first )->name;
                partOf[first] = count++;
            }
            parts[mesh.firstVertex + v] = first >= 0 ? partOf[first] : -1;
        }
    }
    supFree( NULL, block, layout.size );
    return count;
}
