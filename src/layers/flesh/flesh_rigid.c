// Rigid pieces beside flesh: they carry none, and hold the flesh that they sit on.
// SPDX-License-Identifier: MIT
//
// A belt, a horn or an eye stays where its joint has it. Flesh that swung freely right beside it would slide under it,
// so skin that is near to a rigid piece moves less, and where it touches not at all. How far that reaches grows with
// the depth of the flesh: what holds the surface of a deep layer is felt farther away than on a thin one.

#include "base/math.h"
#include "base/memory.h"
#include "character/character_data.h"
#include "layers/flesh/flesh_weights.h"
#include "layers/triangle_tree.h"

/// What touches a piece keeps this share, so that an element which is held all over is thin, and not an error.
static const float supLeastHeld = 1e-3f;

static bool supIsRigidTriangle( const int32_t* pieces, const int32_t corners[3] )
{
    return pieces[corners[0]] >= 0 && pieces[corners[1]] >= 0 && pieces[corners[2]] >= 0;
}

/// Lists the triangles of all rigid pieces, or only counts them where `out` is NULL.
static int32_t supListRigidTriangles( const supCharacter* character, const int32_t* pieces, int32_t* out )
{
    int32_t count = 0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            int32_t corners[3];
            for ( int k = 0; k < 3; ++k )
            {
                corners[k] = mesh.firstVertex + (int32_t)mesh.indices[i + k];
            }
            if ( supIsRigidTriangle( pieces, corners ) )
            {
                for ( int k = 0; k < 3 && out != NULL; ++k )
                {
                    out[3 * count + k] = corners[k];
                }
                ++count;
            }
        }
    }
    return count;
}

bool supFindRigidSkin( const supCharacter* character, const supAllocator* allocator, bool near, supRigidSkin* skin )
{
    if ( !supFindRigidPieces( character, allocator, skin->pieces ) )
    {
        return false;
    }
    int32_t count = near ? supListRigidTriangles( character, skin->pieces, NULL ) : 0;
    if ( count == 0 )
    {
        return true;
    }
    skin->cornersSize = 3 * (size_t)count * sizeof( int32_t );
    skin->corners = supAlloc( allocator, skin->cornersSize, _Alignof( int32_t ) );
    if ( skin->corners == NULL )
    {
        return false;
    }
    supListRigidTriangles( character, skin->pieces, skin->corners );
    const supVec3* points = (const supVec3*)supCharacter_Info( character )->restPositions;
    skin->tree = supMakeTriangleTree( points, NULL, skin->corners, count, allocator );
    return skin->tree != NULL;
}

void supFreeRigidSkin( supRigidSkin* skin, const supAllocator* allocator )
{
    supDropTriangleTree( skin->tree, allocator );
    if ( skin->corners != NULL )
    {
        supFree( allocator, skin->corners, skin->cornersSize );
    }
}

float supHeldByRigid( const supRigidSkin* skin, supVec3 place, float reach )
{
    if ( skin->tree == NULL || !( reach > 0.0f ) )
    {
        return 1.0f;
    }
    supFootPoint foot = supTriangleTree_Closest( skin->tree, place, reach );
    if ( foot.triangle < 0 )
    {
        return 1.0f;
    }
    float t = supClampF( foot.distance / reach, 0.0f, 1.0f );
    return supMaxF( t * t * ( 3.0f - 2.0f * t ), supLeastHeld );
}
