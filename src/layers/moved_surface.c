// The surface around some of a character's vertices.
// SPDX-License-Identifier: MIT
#include "layers/moved_surface.h"

#include "base/math.h"
#include "base/memory.h"
#include "base/unions.h"

#include <string.h>

/// While it is made: one value a vertex of the character.
typedef struct supSurfaceWork
{
    const supCharacter* character;
    const int32_t* welds;
    uint8_t* wanted;  ///< of welds: 1 given, 2 a neighbour
    int32_t* counts;  ///< of welds: triangles around
    int32_t* offsets; ///< of welds: where these start
} supSurfaceWork;

/// Calls for every triangle that has a wanted corner (`mark` looked for) and three different places.
typedef void supTriangleVisit( supSurfaceWork* work, const int32_t corners[3], void* user );

static void supVisitTriangles( supSurfaceWork* work, supTriangleVisit* visit, void* user )
{
    for ( int32_t m = 0; m < supCharacter_Info( work->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( work->character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            int32_t corners[3], wanted = 0;
            for ( int k = 0; k < 3; ++k )
            {
                corners[k] = mesh.firstVertex + (int32_t)mesh.indices[i + k];
                wanted |= work->wanted[work->welds[corners[k]]];
            }
            if ( wanted != 0 )
            {
                visit( work, corners, user );
            }
        }
    }
}

static void supMarkNeighbours( supSurfaceWork* work, const int32_t corners[3], void* user )
{
    (void)user;
    bool given = false;
    for ( int k = 0; k < 3; ++k )
    {
        given = given || ( work->wanted[work->welds[corners[k]]] & 1 ) != 0;
    }
    for ( int k = 0; k < 3 && given; ++k )
    {
        work->wanted[work->welds[corners[k]]] |= 2;
    }
}

/// Counts triangles around every wanted place, and all of them.
static void supCountAround( supSurfaceWork* work, const int32_t corners[3], void* user )
{
    *(int32_t*)user += 1;
    for ( int k = 0; k < 3; ++k )
    {
        int32_t weld = work->welds[corners[k]];
        work->counts[weld] += work->wanted[weld] != 0;
    }
}

typedef struct supSurfaceFill
{
    supSurface* surface;
    int32_t* byWeld; ///< triangles around each place, from work->offsets
    int32_t next;
} supSurfaceFill;

static void supStoreTriangle( supSurfaceWork* work, const int32_t corners[3], void* user )
{
    supSurfaceFill* fill = user;
    memcpy( fill->surface->triangles + 3 * (size_t)fill->next, corners, 3 * sizeof( int32_t ) );
    for ( int k = 0; k < 3; ++k )
    {
        int32_t weld = work->welds[corners[k]];
        if ( work->wanted[weld] != 0 )
        {
            fill->byWeld[work->offsets[weld] + work->counts[weld]++] = fill->next;
        }
    }
    fill->next += 1;
}

static supSurface* supAllocSurface( int32_t vertices, int32_t around, int32_t triangles, const supAllocator* allocator )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supSurface, surface, 1 );
    SUP_PUT_NEW( &layout, int32_t, verticesRoom, vertices );
    SUP_PUT_NEW( &layout, bool, hasNormals, vertices );
    SUP_PUT_NEW( &layout, int32_t, offsets, vertices + 1 );
    SUP_PUT_NEW( &layout, int32_t, aroundArray, around );
    SUP_PUT_NEW( &layout, int32_t, trianglesRoom, 3 * (size_t)triangles );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    *surface = ( supSurface ){ vertices, verticesRoom, hasNormals, offsets, aroundArray, triangles, trianglesRoom,
        layout.size };
    return surface;
}

static supSurface* supFillSurface(
    supSurfaceWork* work, int32_t* byWeld, int32_t triangles, int32_t vertexCount, const supAllocator* allocator )
{
    int32_t vertices = 0, around = 0;
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        bool wanted = work->wanted[work->welds[v]] != 0;
        vertices += wanted;
        around += wanted ? work->counts[work->welds[v]] : 0;
    }
    supSurface* surface = supAllocSurface( vertices, around, triangles, allocator );
    if ( surface == NULL )
    {
        return NULL;
    }
    supSurfaceFill fill = { surface, byWeld, 0 };
    memset( work->counts, 0, sizeof( int32_t ) * (size_t)vertexCount );
    supVisitTriangles( work, supStoreTriangle, &fill );
    int32_t row = 0, at = 0, mesh = -1;
    supMeshView view = { 0 };
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        int32_t weld = work->welds[v];
        while ( v >= view.firstVertex + view.vertexCount )
        {
            view = supCharacter_Mesh( work->character, ++mesh );
        }
        if ( work->wanted[weld] == 0 )
        {
            continue;
        }
        surface->vertices[row] = v;
        surface->hasNormals[row] = view.normals != NULL;
        surface->offsets[row++] = at;
        memcpy( surface->around + at, byWeld + work->offsets[weld], sizeof( int32_t ) * (size_t)work->counts[weld] );
        at += work->counts[weld];
    }
    surface->offsets[row] = at;
    return surface;
}

supSurface* supMakeSurface(
    const supCharacter* character, const int32_t* vertices, int32_t count, bool wide, const supAllocator* allocator )
{
    size_t all = (size_t)supCharacter_Info( character )->vertexCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, uint8_t, wanted, all + 1 );
    SUP_PUT_NEW( &layout, int32_t, counts, all );
    SUP_PUT_NEW( &layout, int32_t, offsets, all );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    supSurfaceWork work = { character, supCharacter_Info( character )->welds, wanted, counts, offsets };
    for ( int32_t i = 0; i < count; ++i )
    {
        work.wanted[work.welds[vertices[i]]] = 1;
    }
    if ( wide )
    {
        supVisitTriangles( &work, supMarkNeighbours, NULL );
    }
    int32_t triangles = 0, room = 0;
    supVisitTriangles( &work, supCountAround, &triangles );
    for ( size_t v = 0; v < all; ++v )
    {
        work.offsets[v] = room;
        room += work.counts[v];
    }
    size_t byWeldSize = ( (size_t)room + 1 ) * sizeof( int32_t );
    int32_t* byWeld = supAlloc( allocator, byWeldSize, _Alignof( int32_t ) );
    supSurface* surface = byWeld != NULL ? supFillSurface( &work, byWeld, triangles, (int32_t)all, allocator ) : NULL;
    supFree( allocator, byWeld, byWeldSize );
    supFree( allocator, block, layout.size );
    return surface;
}

// ---------------------------------------------------------------------------------------------------------------
// Normals

size_t supSurface_ScratchSize( const supSurface* surface )
{
    return sizeof( supVec3 ) * (size_t)surface->triangleCount;
}

static void supFaceNormals( const supSurface* surface, const supVec3* positions, supVec3* faces )
{
    for ( int32_t t = 0; t < surface->triangleCount; ++t )
    {
        const int32_t* corners = surface->triangles + 3 * (size_t)t;
        supVec3 a = positions[corners[0]], b = positions[corners[1]], c = positions[corners[2]];
        faces[t] = supCross( supSub( b, a ), supSub( c, a ) );
    }
}

static supVec3 supSumAround( const supSurface* surface, int32_t row, const supVec3* faces )
{
    supVec3 sum = supVec3_zero;
    for ( int32_t i = surface->offsets[row]; i < surface->offsets[row + 1]; ++i )
    {
        sum = supAdd( sum, faces[surface->around[i]] );
    }
    return sum;
}

void supSurface_Normals( const supSurface* surface, const supVec3* positions, supVec3* faces, supVec3* out )
{
    supFaceNormals( surface, positions, faces );
    for ( int32_t row = 0; row < surface->count; ++row )
    {
        out[row] = supSumAround( surface, row, faces );
    }
}

/// v turned by the shortest rotation from unit vector a to unit vector b: v + c x v + c x (c x v) / (1 + a.b), where c
/// = a x b. Opposite ones have no shortest way: v stays.
static supVec3 supTurnBetween( supVec3 a, supVec3 b, supVec3 v )
{
    supVec3 c = supCross( a, b );
    float sum = 1.0f + supDot( a, b );
    if ( !( sum > 1e-4f ) )
    {
        return v;
    }
    supVec3 once = supCross( c, v );
    return supMulAdd( supAdd( v, once ), 1.0f / sum, supCross( c, once ) );
}

/// How well triangles around a vertex agree on a normal: the length of their sum to the sum of their lengths, from 0
/// to 1.
static float supAgreement( const supSurface* surface, int32_t row, supVec3 sum, const supVec3* faces )
{
    float lengths = 0.0f;
    for ( int32_t i = surface->offsets[row]; i < surface->offsets[row + 1]; ++i )
    {
        lengths += supLength( faces[surface->around[i]] );
    }
    return lengths > 0.0f ? supLength( sum ) / lengths : 0.0f;
}

/// From 0 at `from` to 1 at `to`.
static float supRamp( float from, float to, float x )
{
    return supClampF( ( x - from ) / ( to - from ), 0.0f, 1.0f );
}

/// How much of a turn of the mean normal from means[0] to means[1], unit vectors, is followed. All of it up to 37
/// degrees. Beyond 60 all of it where the triangles lie flat, before and after; else as much as they agree, and as both
/// means stand on the side that the skin's own normal faces: skin that is turned inside out, or on edge, has triangles
/// that agree and say nothing. (Such a vertex was turned by 160 degrees in 2 ms of the heavy man's run.)
static float supTrust( const supSurface* surface, int32_t row, const supVec3 sums[2], const supVec3* const faces[2],
    const supVec3 means[2], supVec3 normal )
{
    static const float near = 0.8f, far = 0.5f, unsure = 0.35f, sure = 0.7f, level = 0.8f, flat = 0.92f;
    float cosine = supDot( means[0], means[1] );
    if ( cosine >= near )
    {
        return 1.0f;
    }
    float agreement =
        supMinF( supAgreement( surface, row, sums[0], faces[0] ), supAgreement( surface, row, sums[1], faces[1] ) );
    float out = supRamp( 0.2f, 0.6f, supDot( means[0], normal ) ) * supRamp( 0.0f, 0.4f, supDot( means[1], normal ) );
    float trust = supMaxF( supRamp( unsure, sure, agreement ) * out, supRamp( level, flat, agreement ) );
    return 1.0f - ( 1.0f - trust ) * supRamp( -near, -far, -cosine );
}

void supSurface_Turn( const supSurface* surface, const supVec3* before, const supVec3* facesBefore,
    const supVec3* positions, supVec3* faces, supVec3* normals )
{
    supFaceNormals( surface, positions, faces );
    for ( int32_t row = 0; row < surface->count; ++row )
    {
        if ( !surface->hasNormals[row] )
        {
            continue;
        }
        supVec3 a = before[row], b = supSumAround( surface, row, faces );
        if ( ( a.x == b.x && a.y == b.y && a.z == b.z ) || !( supDot( a, a ) > 0.0f ) || !( supDot( b, b ) > 0.0f ) )
        {
            continue;
        }
        supVec3* normal = normals + surface->vertices[row];
        supVec3 from = supNormalize( a ), to = supNormalize( b );
        float trust = supTrust( surface, row, ( const supVec3[2] ){ a, b },
            ( const supVec3* const[2] ){ facesBefore, faces }, ( const supVec3[2] ){ from, to }, *normal );
        to = trust < 1.0f ? supNormalize( supLerp( from, to, trust ) ) : to;
        *normal = supNormalize( supTurnBetween( from, to, *normal ) );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Which parts of the body a skin's vertices belong to, and which of its pieces are closed.

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
