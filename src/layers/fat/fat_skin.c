// How the skin hangs on the nodes of fat.
// SPDX-License-Identifier: MIT
//
// After Aubel, Thalmann, 2000, equation 2: a vertex is the mean of p_i + M_i o_i over nodes around it, M_i the frame of
// three neighbours of node i. Every node belongs to a voxel, so three neighbours at right angles are always there: the
// least singular frame. Of the two ways along an axis the one towards the vertex is taken, if it is there. All this is
// linear in the nodes' places with numbers that never change, so a vertex keeps one list of nodes and shares.
//
// The paper's weights 1 / |o_i| grow without bound at a node and end abruptly where the list of nodes does; ours have a
// floor, and fall to zero at a distance. Where fat is thin the vertex hangs on the inner border too, which does not
// move here (the layer that owns it has moved the skin already): its weight grows as the thickness falls.

#include "layers/fat/fat_nodes.h"

#include "base/math.h"

#include <math.h>
#include <string.h>

/// How far a vertex looks for nodes, and the least distance that counts. Edges of a voxel
static const float supSkinReach = 1.8f, supSkinFloor = 0.35f;
/// Shares that are smaller are left out.
static const float supLeastShare = 0.003f;
enum
{
    supMostLinks = 320
};

typedef struct supVertexLinks
{
    int32_t count;
    int32_t nodes[supMostLinks]; ///< of the mesh
    float shares[supMostLinks];
} supVertexLinks;

static void supLink( supVertexLinks* links, int32_t node, float share )
{
    int32_t at = 0;
    while ( at < links->count && links->nodes[at] != node )
    {
        ++at;
    }
    if ( at == links->count && links->count < supMostLinks )
    {
        links->nodes[links->count] = node;
        links->shares[links->count++] = 0.0f;
    }
    if ( at < links->count )
    {
        links->shares[at] += share;
    }
}

/// The neighbour of a node along an axis, towards `way` if there is one: its number, and how far it is, with a sign.
static int32_t supNeighbour( const supFatMesh* mesh, const int32_t at[3], int axis, float way, float* offset )
{
    int32_t found = -1;
    int32_t first = way < 0.0f ? -1 : 1;
    for ( int k = 0; k < 4 && found < 0; ++k )
    {
        // one voxel on, one back, and the same for large ones
        int32_t step = ( k % 2 == 0 ? first : -first ) * ( k < 2 ? 1 : 2 );
        int32_t other[3] = { at[0], at[1], at[2] };
        other[axis] += step;
        found = supFatMesh_NodeAt( mesh, other[0], other[1], other[2] );
        *offset = (float)step * mesh->edge;
    }
    return found;
}

/// Adds w ( p + M o ) of one node.
static void supLinkFrame(
    const supFatMesh* mesh, supVertexLinks* links, const int32_t at[3], supVec3 vertex, float weight )
{
    int32_t node = supFatMesh_NodeAt( mesh, at[0], at[1], at[2] );
    supVec3 o = supSub( vertex, mesh->nodes[node].place );
    float along[3] = { o.x, o.y, o.z }, own = 1.0f;
    for ( int axis = 0; axis < 3; ++axis )
    {
        float offset;
        int32_t other = supNeighbour( mesh, at, axis, along[axis], &offset );
        float share = other >= 0 ? along[axis] / offset : 0.0f;
        own -= share;
        if ( other >= 0 )
        {
            supLink( links, other, weight * share );
        }
    }
    supLink( links, node, weight * own );
}

/// Links of a vertex; none where no node is near.
static void supLinkVertex( const supFatMesh* mesh, supVec3 vertex, float thickness, supVertexLinks* links )
{
    float edge = mesh->edge, reach = supSkinReach * edge, total = 0.0f, covered = 0.0f;
    supVec3 off = supSub( vertex, mesh->box.low );
    int32_t from[3] = { (int32_t)floorf( off.x / edge ) - 1, (int32_t)floorf( off.y / edge ) - 1,
        (int32_t)floorf( off.z / edge ) - 1 };
    links->count = 0;
    for ( int32_t i = 0; i < 64; ++i )
    {
        int32_t at[3] = { from[0] + i % 4, from[1] + i / 4 % 4, from[2] + i / 16 };
        int32_t node = supFatMesh_NodeAt( mesh, at[0], at[1], at[2] );
        float distance = node >= 0 ? supDistance( vertex, mesh->nodes[node].place ) : reach;
        if ( distance < reach )
        {
            float fall = 1.0f - distance * distance / ( reach * reach );
            float weight = fall * fall / supMaxF( distance / edge, supSkinFloor );
            supLinkFrame( mesh, links, at, vertex, weight );
            total += weight;
            covered += fall * fall;
        }
    }
    if ( links->count == 0 )
    {
        return;
    }
    // few nodes around: the end of the fat
    float cover = supMinF( 0.5f * covered, 1.0f );
    cover = cover * cover * ( 3.0f - 2.0f * cover );
    // thin fat: the inner border has a say
    float thin = thickness > 0.0f ? supMaxF( reach / thickness - 1.0f, 0.0f ) : 1e30f;
    float scale = cover / ( total * ( 1.0f + thin ) );
    for ( int32_t i = 0; i < links->count; ++i )
    {
        links->shares[i] *= scale;
    }
}

/// From the mesh's nodes to free ones: anchored ones do not move, hanging ones are the mean of others.
static void supResolveLinks(
    const supFatMesh* mesh, const supElastic* elastic, const int32_t* hangs, supVertexLinks* links )
{
    supVertexLinks all = *links;
    links->count = 0;
    for ( int32_t i = 0; i < all.count; ++i )
    {
        int32_t node = all.nodes[i];
        const supHangingNode* hanging = hangs[node] >= 0 ? mesh->hanging + hangs[node] : NULL;
        for ( int32_t p = 0; p < ( hanging != NULL ? hanging->parentCount : 1 ); ++p )
        {
            int32_t index = elastic->indices[hanging != NULL ? hanging->parents[p] : node];
            if ( index >= 0 )
            {
                supLink( links, index, all.shares[i] / (float)( hanging != NULL ? hanging->parentCount : 1 ) );
            }
        }
    }
}

/// Keeps what is large enough to be seen.
static bool supKeepLinks( supFatSkin* skin, int32_t vertex, const supVertexLinks* links )
{
    float sum = 0.0f, kept = 0.0f;
    int32_t count = 0;
    for ( int32_t i = 0; i < links->count; ++i )
    {
        bool large = supAbsF( links->shares[i] ) >= supLeastShare;
        sum += links->shares[i];
        kept += large ? links->shares[i] : 0.0f;
        count += large;
    }
    if ( count == 0 || supAbsF( kept ) < supLeastShare )
    {
        return true;
    }
    int32_t* own = supArray_Add( &skin->vertices, 1 );
    int32_t* nodes = supArray_Add( &skin->links, (size_t)count );
    float* shares = supArray_Add( &skin->shares, (size_t)count );
    int32_t* start = supArray_Add( &skin->starts, 1 );
    if ( own == NULL || nodes == NULL || shares == NULL || start == NULL )
    {
        return false;
    }
    *own = vertex;
    *start = (int32_t)skin->links.count;
    for ( int32_t i = 0; i < links->count; ++i )
    {
        if ( supAbsF( links->shares[i] ) >= supLeastShare )
        {
            *nodes++ = links->nodes[i];
            *shares++ = links->shares[i] * ( sum / kept );
        }
    }
    return true;
}

bool supHangSkin( const supFatRegion* region, const supFatMesh* mesh, const supElastic* elastic, supFatSkin* skin )
{
    skin->vertices = supMakeArray( sizeof( int32_t ), region->allocator );
    skin->starts = supMakeArray( sizeof( int32_t ), region->allocator );
    skin->links = supMakeArray( sizeof( int32_t ), region->allocator );
    skin->shares = supMakeArray( sizeof( float ), region->allocator );
    size_t room = ( (size_t)mesh->nodeCount + 1 ) * sizeof( int32_t ) + sizeof( supVertexLinks );
    supVertexLinks* links = supAllocZeroed( region->allocator, 1, room, SUP_MAX_ALIGNMENT );
    int32_t* first = supArray_Add( &skin->starts, 1 );
    bool done = links != NULL && first != NULL;
    int32_t* hangs = (int32_t*)( links + 1 );
    for ( int32_t i = 0; i < mesh->nodeCount && done; ++i )
    {
        hangs[i] = -1;
    }
    for ( int32_t i = 0; i < mesh->hangingCount && done; ++i )
    {
        hangs[mesh->hanging[i].node] = i;
    }
    for ( int32_t v = 0; v < region->outer.pointCount && done; ++v )
    {
        if ( region->members[v] > 0.0f )
        {
            supLinkVertex( mesh, region->outer.points[v], region->thicknesses[v], links );
            supResolveLinks( mesh, elastic, hangs, links );
            done = supKeepLinks( skin, v, links );
        }
    }
    supFree( region->allocator, links, room );
    return done;
}

void supDropFatSkin( supFatSkin* skin )
{
    supArray_Destroy( &skin->vertices );
    supArray_Destroy( &skin->starts );
    supArray_Destroy( &skin->links );
    supArray_Destroy( &skin->shares );
}
