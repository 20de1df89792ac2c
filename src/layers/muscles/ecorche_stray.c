// Muscles that lie beside the body instead of in it.
// SPDX-License-Identifier: MIT

#include "layers/muscles/ecorche_compile.h"

#include "base/math.h"
#include "base/scalar_math.h"
#include "layers/triangle_tree.h"

#include <string.h>

typedef struct supStraySearch
{
    const supEcorcheSkin* skin;
    supArray corners; ///< int32_t, three a triangle
    supTriangleTree* tree;
} supStraySearch;

static bool supListCorners( supStraySearch* search )
{
    const supEcorcheSkin* skin = search->skin;
    for ( int32_t m = 0; m < supCharacter_Info( skin->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( skin->character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            int32_t corners[3];
            if ( !supEcorcheSkin_Corners( skin, &mesh, i, corners ) )
            {
                continue;
            }
            int32_t* kept = supArray_Add( &search->corners, 3 );
            if ( kept == NULL )
            {
                return false;
            }
            memcpy( kept, corners, sizeof( corners ) );
        }
    }
    return true;
}

static bool supOpenSearch( supStraySearch* search )
{
    const supEcorcheSkin* skin = search->skin;
    if ( !supListCorners( search ) )
    {
        return false;
    }
    search->tree = supMakeTriangleTree(
        skin->rest, skin->welds, search->corners.data, (int32_t)( search->corners.count / 3 ), skin->allocator );
    return search->tree != NULL;
}

static void supCloseSearch( supStraySearch* search )
{
    const supAllocator* allocator = search->skin->allocator;
    supDropTriangleTree( search->tree, allocator );
    supArray_Destroy( &search->corners );
}

/// How often the skin goes around a place: 1 inside, 0 outside, between them near the rim of an open skin. Solid angles
/// after van Oosterom, Strackee, "The solid angle of a plane triangle", 1983.
static double supWinding( const supStraySearch* search, supVec3 p )
{
    const supVec3* rest = search->skin->rest;
    double sum = 0.0;
    for ( size_t i = 0; i < search->corners.count; i += 3 )
    {
        const int32_t* c = (const int32_t*)search->corners.data + i;
        supVec3 u = supSub( rest[c[0]], p ), v = supSub( rest[c[1]], p ), w = supSub( rest[c[2]], p );
        float lu = supLength( u ), lv = supLength( v ), lw = supLength( w );
        float over = supDot( u, supCross( v, w ) );
        float under = lu * lv * lw + supDot( u, v ) * lw + supDot( v, w ) * lu + supDot( w, u ) * lv;
        sum += 2.0 * supAtan2( (double)over, (double)under );
    }
    return sum / ( 4.0 * SUP_PI );
}

bool supFindStrayBlob(
    const supEcorcheSkin* skin, const supImplicitReady* pieces, int32_t pieceCount, float tolerance, supStrayBlob* out )
{
    *out = ( supStrayBlob ){ .piece = -1, .distance = tolerance };
    supStraySearch search = { .skin = skin, .corners = supMakeArray( sizeof( int32_t ), skin->allocator ) };
    bool open = supOpenSearch( &search );
    for ( int32_t i = 0; open && search.corners.count > 0 && i < pieceCount; ++i )
    {
        supVec3 middle = supScale( supAdd( pieces[i].low, pieces[i].high ), 0.5f );
        float reach = 1e3f * supDistance( middle, skin->rest[*(const int32_t*)search.corners.data] );
        supTreeSide side = supTriangleTree_Side( search.tree, skin->rest, search.tree->boxes, middle, reach, -1 );
        // The closest triangle may be of an eye or a garment that the place is outside of: the whole skin decides.
        if ( side.triangle >= 0 && side.distance > out->distance && supWinding( &search, middle ) < 0.5 )
        {
            *out = ( supStrayBlob ){ i, middle, side.distance };
        }
    }
    supCloseSearch( &search );
    return open;
}
