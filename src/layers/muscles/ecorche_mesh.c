// The écorché's mesh: which of the skin's vertices rays end on, and the triangles between them.
// SPDX-License-Identifier: MIT
//
// Vertices are taken one after the other where none that was taken before is nearer than a spacing; the spacing is
// halved in on until there are as many as were asked for. Every other vertex belongs to the nearest of them along the
// edges, and a triangle of the skin whose corners belong to three different ones makes a triangle of the écorché: the
// dual of a Voronoi diagram on the skin, closed where that is closed.

#include "base/math.h"
#include "base/ranked.h"
#include "layers/muscles/ecorche_compile.h"

#include <string.h>

enum
{
    supTableBits = 15,
    supSpacings = 14, ///< tried
    supMostSweeps = 400,
};

// ---------------------------------------------------------------------------------------------------------------
// The skin

static bool supIsTaken( const supNameList* meshes, const char* name )
{
    bool taken = meshes->count == 0;
    for ( int32_t i = 0; i < meshes->count && !taken; ++i )
    {
        taken = strcmp( meshes->names[i], name ) == 0;
    }
    return taken;
}

static void supMeasureSkin( supEcorcheSkin* skin, const supMeshView* mesh )
{
    for ( int32_t i = 0; i + 2 < mesh->indexCount; i += 3 )
    {
        int32_t c[3];
        for ( int k = 0; k < 3; ++k )
        {
            c[k] = mesh->firstVertex + (int32_t)mesh->indices[i + k];
        }
        supVec3 p = skin->rest[c[0]];
        supVec3 normal = supCross( supSub( skin->rest[c[1]], p ), supSub( skin->rest[c[2]], p ) );
        float area = supLength( normal ) / 6.0f;
        for ( int k = 0; k < 3; ++k )
        {
            int32_t first = skin->welds[c[k]];
            skin->areas[c[k]] += area;
            skin->normals[first] = supAdd( skin->normals[first], normal );
        }
    }
}

supEcorcheSkin* supReadEcorcheSkin(
    const supCharacter* character, const supNameList* meshes, const supAllocator* allocator )
{
    int32_t count = supCharacter_Info( character )->vertexCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supEcorcheSkin, skin, 1 );
    SUP_PUT_NEW( &layout, int32_t, parts, count );
    SUP_PUT_NEW( &layout, supVec3, normals, count );
    SUP_PUT_NEW( &layout, float, areas, count );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    *skin =
        ( supEcorcheSkin ){ character, allocator, count, (const supVec3*)supCharacter_Info( character )->restPositions,
            supCharacter_Info( character )->welds, parts, normals, areas, layout.size };
    const int32_t* joints = supCharacter_Info( character )->paletteJoints;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        bool taken = mesh.skin >= 0 && mesh.influenceCount > 0 && supIsTaken( meshes, mesh.name );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            // influences are ordered by falling weight
            size_t at = (size_t)v * (size_t)mesh.influenceCount;
            skin->parts[mesh.firstVertex + v] = taken ? joints[mesh.firstPalette + mesh.jointIndices[at]] : -1;
        }
        if ( taken )
        {
            supMeasureSkin( skin, &mesh );
        }
    }
    for ( int32_t v = 0; v < count; ++v )
    {
        skin->normals[v] = skin->normals[skin->welds[v]];
    }
    return skin;
}

supRayHold supEcorcheSkin_Hold( const supEcorcheSkin* skin, int32_t vertex )
{
    const int32_t* joints = supCharacter_Info( skin->character )->paletteJoints;
    supRayHold hold = { 0 };
    for ( int32_t m = 0; m < supCharacter_Info( skin->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( skin->character, m );
        int32_t local = vertex - mesh.firstVertex;
        float sum = 0.0f;
        for ( int32_t i = 0; local >= 0 && local < mesh.vertexCount && i < mesh.influenceCount; ++i )
        {
            size_t at = (size_t)local * (size_t)mesh.influenceCount + (size_t)i;
            if ( mesh.weights[at] > 0.0f && hold.count < sup_ecorcheInfluences )
            {
                hold.joints[hold.count] = joints[mesh.firstPalette + mesh.jointIndices[at]];
                hold.weights[hold.count++] = mesh.weights[at];
                sum += mesh.weights[at];
            }
        }
        for ( int32_t i = 0; i < hold.count && sum > 0.0f; ++i )
        {
            hold.weights[i] /= sum;
        }
    }
    return hold;
}

// ---------------------------------------------------------------------------------------------------------------
// Vertices

/// What is shared by the steps below.
typedef struct supMeshWork
{
    const supEcorcheSkin* skin;
    int32_t candidateCount, takenCount;
    int32_t* candidates; ///< vertices of the skin, one of each weld
    int32_t* taken;      ///< vertices
    int32_t* heads;      ///< of a table by cell: places in `taken`, or -1
    int32_t* nexts;      ///< of `taken`
    int32_t* owners;     ///< a vertex: the place in `taken` that it belongs to, or -1
    float* distances;    ///< a vertex: to its owner, along edges
    int32_t* triangles;
    int32_t triangleCount;
} supMeshWork;

static uint32_t supCellOf( int32_t x, int32_t y, int32_t z )
{
    uint32_t hash = (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u;
    return ( hash ^ hash >> supTableBits ) & ( ( 1u << supTableBits ) - 1u );
}

/// Whether a taken vertex on the same side of the skin is nearer than `spacing`.
static bool supIsCrowded( const supMeshWork* work, int32_t vertex, float spacing, const int32_t cell[3] )
{
    const supEcorcheSkin* skin = work->skin;
    bool crowded = false;
    for ( int i = 0; i < 27 && !crowded; ++i )
    {
        uint32_t at = supCellOf( cell[0] + i % 3 - 1, cell[1] + i / 3 % 3 - 1, cell[2] + i / 9 - 1 );
        for ( int32_t k = work->heads[at]; k >= 0 && !crowded; k = work->nexts[k] )
        {
            int32_t other = work->taken[k];
            crowded = supDistance( skin->rest[vertex], skin->rest[other] ) < spacing &&
                      supDot( skin->normals[vertex], skin->normals[other] ) >= 0.0f;
        }
    }
    return crowded;
}

/// Takes what fits with this spacing; stops past `most`.
static void supTakeSpaced( supMeshWork* work, float spacing, int32_t most )
{
    memset( work->heads, 0xff, sizeof( int32_t ) << supTableBits );
    work->takenCount = 0;
    for ( int32_t i = 0; i < work->candidateCount && work->takenCount <= most; ++i )
    {
        int32_t v = work->candidates[i];
        supVec3 p = work->skin->rest[v];
        const int32_t cell[3] = { (int32_t)supFloor( p.x / spacing ), (int32_t)supFloor( p.y / spacing ),
            (int32_t)supFloor( p.z / spacing ) };
        if ( !supIsCrowded( work, v, spacing, cell ) )
        {
            uint32_t at = supCellOf( cell[0], cell[1], cell[2] );
            work->nexts[work->takenCount] = work->heads[at];
            work->heads[at] = work->takenCount;
            work->taken[work->takenCount++] = v;
        }
    }
}

static void supTakeVertices( supMeshWork* work, int32_t most )
{
    if ( work->candidateCount <= most )
    {
        memcpy( work->taken, work->candidates, (size_t)work->candidateCount * sizeof( int32_t ) );
        work->takenCount = work->candidateCount;
        return;
    }
    float low = 1e-5f * supCharacter_Info( work->skin->character )->size, high = 4e4f * low;
    for ( int i = 0; i < supSpacings; ++i )
    {
        float middle = 0.5f * ( low + high );
        supTakeSpaced( work, middle, most );
        low = work->takenCount > most ? middle : low;
        high = work->takenCount > most ? high : middle;
    }
    supTakeSpaced( work, high, most );
}

// ---------------------------------------------------------------------------------------------------------------
// Triangles

bool supEcorcheSkin_Corners( const supEcorcheSkin* skin, const supMeshView* mesh, int32_t first, int32_t c[3] )
{
    bool whole = true;
    for ( int k = 0; k < 3; ++k )
    {
        c[k] = skin->welds[mesh->firstVertex + (int32_t)mesh->indices[first + k]];
        whole = whole && skin->parts[c[k]] >= 0;
    }
    return whole;
}

static bool supShorten( supMeshWork* work, int32_t from, int32_t to )
{
    if ( work->owners[from] < 0 )
    {
        return false;
    }
    float way = work->distances[from] + supDistance( work->skin->rest[from], work->skin->rest[to] );
    bool shorter = work->owners[to] < 0 || way < work->distances[to];
    if ( shorter )
    {
        work->distances[to] = way;
        work->owners[to] = work->owners[from];
    }
    return shorter;
}

/// Every vertex to the nearest taken one along the edges: sweeps over all triangles until nothing changes.
static void supFindOwners( supMeshWork* work )
{
    const supEcorcheSkin* skin = work->skin;
    memset( work->owners, 0xff, (size_t)skin->vertexCount * sizeof( int32_t ) );
    for ( int32_t i = 0; i < work->takenCount; ++i )
    {
        work->owners[work->taken[i]] = i;
        work->distances[work->taken[i]] = 0.0f;
    }
    bool changed = true;
    for ( int sweep = 0; changed && sweep < supMostSweeps; ++sweep )
    {
        changed = false;
        for ( int32_t m = 0; m < supCharacter_Info( skin->character )->meshCount; ++m )
        {
            supMeshView mesh = supCharacter_Mesh( skin->character, m );
            int32_t last = mesh.indexCount / 3 - 1, c[3];
            for ( int32_t i = 0; i <= last; ++i )
            {
                bool whole = supEcorcheSkin_Corners( skin, &mesh, 3 * ( sweep % 2 == 0 ? i : last - i ), c );
                for ( int k = 0; whole && k < 3; ++k )
                {
                    bool one = supShorten( work, c[k], c[( k + 1 ) % 3] );
                    bool two = supShorten( work, c[( k + 1 ) % 3], c[k] );
                    changed = changed || one || two;
                }
            }
        }
    }
}

static void supFindTriangles( supMeshWork* work )
{
    const supEcorcheSkin* skin = work->skin;
    for ( int32_t m = 0; m < supCharacter_Info( skin->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( skin->character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            int32_t c[3], o[3];
            bool whole = supEcorcheSkin_Corners( skin, &mesh, i, c );
            for ( int k = 0; whole && k < 3; ++k )
            {
                o[k] = work->owners[c[k]];
            }
            if ( whole && o[0] != o[1] && o[1] != o[2] && o[2] != o[0] )
            {
                memcpy( work->triangles + 3 * (size_t)work->triangleCount++, o, sizeof( o ) );
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Order

static float supAlongAxis( supVec3 p, int axis )
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/// Halves at the longest side of their box, down to one block: neighbours then stand together.
static void supSortRays( const supMeshWork* work, supRanked* rays, int32_t count )
{
    if ( count <= SUP_IMPLICIT_LANES )
    {
        return;
    }
    const supVec3* rest = work->skin->rest;
    supVec3 low = rest[work->taken[rays[0].item]], high = low;
    for ( int32_t i = 1; i < count; ++i )
    {
        low = supMinVec3( low, rest[work->taken[rays[i].item]] );
        high = supMaxVec3( high, rest[work->taken[rays[i].item]] );
    }
    supVec3 sides = supSub( high, low );
    int axis = sides.x >= sides.y && sides.x >= sides.z ? 0 : sides.y >= sides.z ? 1 : 2;
    for ( int32_t i = 0; i < count; ++i )
    {
        rays[i].key = supAlongAxis( rest[work->taken[rays[i].item]], axis );
    }
    supSortRanked( rays, (size_t)count );
    int32_t blocks = ( count + SUP_IMPLICIT_LANES - 1 ) / SUP_IMPLICIT_LANES;
    int32_t first = blocks / 2 * SUP_IMPLICIT_LANES;
    supSortRays( work, rays, first );
    supSortRays( work, rays + first, count - first );
}

/// Copies the mesh into a block of its own, in the order of `rays`.
static supEcorcheMesh* supKeepMesh( const supMeshWork* work, const supRanked* rays )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supEcorcheMesh, mesh, 1 );
    SUP_PUT_NEW( &layout, int32_t, vertices, work->takenCount );
    SUP_PUT_NEW( &layout, int32_t, triangles, 3 * (size_t)work->triangleCount );
    char* block = supAllocLayout( work->skin->allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    *mesh = ( supEcorcheMesh ){ work->takenCount, work->triangleCount, vertices, triangles, layout.size };
    for ( int32_t i = 0; i < work->takenCount; ++i )
    {
        mesh->vertices[i] = work->taken[rays[i].item];
        work->nexts[rays[i].item] = i; // the table is done with
    }
    for ( int32_t i = 0; i < 3 * work->triangleCount; ++i )
    {
        mesh->triangles[i] = work->nexts[work->triangles[i]];
    }
    return mesh;
}

supEcorcheMesh* supMakeEcorcheMesh( const supEcorcheSkin* skin, int32_t rays )
{
    size_t vertices = (size_t)skin->vertexCount, indices = 0;
    for ( int32_t m = 0; m < supCharacter_Info( skin->character )->meshCount; ++m )
    {
        indices += (size_t)supCharacter_Mesh( skin->character, m ).indexCount;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, int32_t, candidates, vertices + 1 );
    SUP_PUT_NEW( &layout, int32_t, taken, vertices + 1 );
    SUP_PUT_NEW( &layout, int32_t, nexts, vertices + 1 );
    SUP_PUT_NEW( &layout, int32_t, owners, vertices + 1 );
    SUP_PUT_NEW( &layout, float, distances, vertices + 1 );
    SUP_PUT_NEW( &layout, int32_t, heads, (size_t)1 << supTableBits );
    SUP_PUT_NEW( &layout, int32_t, triangles, indices + 3 );
    SUP_PUT_NEW( &layout, supRanked, sorted, vertices + 1 );
    char* block = supAllocLayout( skin->allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    supMeshWork work = { skin, 0, 0, candidates, taken, heads, nexts, owners, distances, triangles, 0 };
    for ( int32_t v = 0; v < skin->vertexCount; ++v )
    {
        if ( skin->parts[v] >= 0 && skin->welds[v] == v && supLengthSquared( skin->normals[v] ) > 0.0f )
        {
            work.candidates[work.candidateCount++] = v;
        }
    }
    supTakeVertices( &work, rays );
    supFindOwners( &work );
    supFindTriangles( &work );
    for ( int32_t i = 0; i < work.takenCount; ++i )
    {
        sorted[i].item = i;
    }
    supSortRays( &work, sorted, work.takenCount );
    supEcorcheMesh* mesh = supKeepMesh( &work, sorted );
    supFree( skin->allocator, block, layout.size );
    return mesh;
}
